//! Where to go: a singly constrained gravity model over zones, then a place within the zone.
//!
//! A traveller from zone `i` chooses zone `j` with probability
//! `A_j f(d_ij) / sum_k A_k f(d_ik)`, where `A_j` is what the zone offers and `f` falls with
//! distance. Source: A. G. Wilson, "A family of spatial interaction models, and associated
//! developments", Environment and Planning 3 (1971), the production-constrained member.
//!
//! On the commuting flows between the counties of New York State (2011), with the jobs of each
//! county as its attraction and half the county's radius as the distance within it, one fitted
//! parameter reproduces 83 % of commuters (see the test).

use super::error::{EnvironmentError, positive};
use super::place::{KIND_COUNT, Places, draw_cumulative};
use super::zone::{ZONES_MAX, Zones};
use crate::agent::activity::PlaceKind;
use crate::base::ids::{PlaceId, ZoneId};
use crate::base::parallel;
use crate::base::rng::Stream;

/// How attraction falls with distance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Decay {
    /// `exp(-d / scale_m)`.
    Exponential {
        /// Metres over which attraction falls to 37 %.
        scale_m: f64,
    },
    /// `d^-exponent`, with distances below a metre counted as a metre.
    Power {
        /// Larger is steeper.
        exponent: f64,
    },
}

impl Decay {
    #[inline]
    fn ln(self, distance_m: f64) -> f64 {
        match self {
            Self::Exponential { scale_m } => -distance_m / scale_m,
            Self::Power { exponent } => -exponent * distance_m.max(1.0).ln(),
        }
    }
}

/// The share of travellers from one origin that goes to each destination; sums to 1, or to 0 if
/// nothing attracts.
///
/// `attractions[j]` is what destination `j` offers (at least 0), `distance_m(j)` how far it is.
pub fn shares(attractions: &[f64], decay: Decay, distance_m: impl Fn(usize) -> f64) -> Vec<f64> {
    // Relative to the nearest destination, so that a traveller far from everything has choices.
    let mut weights: Vec<f64> = (0..attractions.len()).map(|j| decay.ln(distance_m(j))).collect();
    let attracting = weights.iter().zip(attractions).filter(|(_, a)| **a > 0.0);
    let largest = attracting.map(|(w, _)| *w).fold(f64::NEG_INFINITY, f64::max);
    let mut sum = 0.0;
    for (weight, attraction) in weights.iter_mut().zip(attractions) {
        *weight = if *attraction > 0.0 { attraction * (*weight - largest).exp() } else { 0.0 };
        sum += *weight;
    }
    if sum > 0.0 {
        weights.iter_mut().for_each(|weight| *weight /= sum);
    }
    weights
}

/// Flows from each origin to each destination; row by row, `outflows.len()` times
/// `attractions.len()`. Each row sums to its outflow.
pub fn predict_flows(
    outflows: &[f64],
    attractions: &[f64],
    decay: Decay,
    distance_m: impl Fn(usize, usize) -> f64,
) -> Vec<f64> {
    let row = |(origin, outflow): (usize, &f64)| {
        let mut row = shares(attractions, decay, |destination| distance_m(origin, destination));
        row.iter_mut().for_each(|share| *share *= outflow);
        row
    };
    outflows.iter().enumerate().flat_map(row).collect()
}

/// Common part of commuters of two sets of flows: 0 if they share none, 1 if they are equal.
///
/// `2 sum min(a, b) / (sum a + sum b)`, the Sørensen index. Source: M. Lenormand et al., "A
/// universal model of commuting networks", PLoS ONE 7 (2012).
pub fn common_part_of_commuters(a: &[f64], b: &[f64]) -> f64 {
    let common: f64 = a.iter().zip(b).map(|(a, b)| a.min(*b)).sum();
    let total = a.iter().sum::<f64>() + b.iter().sum::<f64>();
    if total > 0.0 { 2.0 * common / total } else { 0.0 }
}

/// Scale of the exponential decay in metres for each kind of place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GravityParams {
    /// In [`PlaceKind::ALL`] order. Homes are not chosen by attraction; their entry is unused.
    pub decay_m: [f32; KIND_COUNT],
}

impl Default for GravityParams {
    /// Own choice, in the order that travel surveys agree on: work is sought farthest, then
    /// leisure and services, meals and shops nearby, school nearest.
    fn default() -> Self {
        let decay = |kind: &PlaceKind| match kind {
            PlaceKind::Work => 6_000.0,
            PlaceKind::School => 1_500.0,
            PlaceKind::Shop => 2_000.0,
            PlaceKind::Eat => 2_000.0,
            PlaceKind::Leisure => 3_000.0,
            PlaceKind::Service => 3_000.0,
            PlaceKind::Home => 3_000.0,
        };
        Self { decay_m: std::array::from_fn(|code| decay(&PlaceKind::ALL[code])) }
    }
}

/// Precomputed choice of destination: for each kind and zone of origin, the running sums of the
/// shares. 4 bytes x zones^2 x 6 kinds: 50 MB for 1,454 zones, 400 MB at the bound of 4,096.
#[derive(Debug, Clone)]
pub struct DestinationChoice {
    /// By kind code; empty for homes.
    tables: Vec<KindTable>,
}

#[derive(Debug, Clone, Default)]
struct KindTable {
    /// Zones that offer anything of the kind.
    zones: Vec<ZoneId>,
    /// Running sums, `zones.len()` for each zone of origin.
    cumulative: Vec<f32>,
    /// For each zone, itself if it offers anything, else the nearest that does.
    nearest: Vec<ZoneId>,
}

impl DestinationChoice {
    /// Tables for all kinds but homes. `places` must be frozen; attraction is the sum of weights.
    ///
    /// # Errors
    /// If there are more than [`ZONES_MAX`] zones or a decay is not positive.
    pub fn build(
        zones: &Zones,
        places: &Places,
        params: &GravityParams,
    ) -> Result<Self, EnvironmentError> {
        if zones.len() > ZONES_MAX {
            return Err(EnvironmentError::TooManyZones { count: zones.len(), max: ZONES_MAX });
        }
        let table = |kind: &PlaceKind| {
            let decay_m = params.decay_m[usize::from(kind.code())];
            let scale_m = positive("decay of attraction in metres", f64::from(decay_m))?;
            let table = match kind {
                PlaceKind::Home => KindTable::default(),
                _ => KindTable::build(zones, places, *kind, Decay::Exponential { scale_m }),
            };
            Ok(table)
        };
        Ok(Self { tables: PlaceKind::ALL.iter().map(table).collect::<Result<_, _>>()? })
    }

    /// A place of `kind` for somebody who starts from `from`; `None` if there is none anywhere, or
    /// `kind` is home. Two draws from `stream`.
    pub fn choose(
        &self,
        places: &Places,
        from: ZoneId,
        kind: PlaceKind,
        stream: &mut Stream,
    ) -> Option<PlaceId> {
        let table = &self.tables[usize::from(kind.code())];
        let width = table.zones.len();
        let row = &table.cumulative[from.index() * width..(from.index() + 1) * width];
        let zone = table.zones[draw_cumulative(row, stream)?];
        places.draw(zone, kind, stream)
    }

    /// A place of `kind` in `zone` or, if the zone has none, in the nearest zone that has; for
    /// sources that name only the zone of somebody's work or school. One draw from `stream`.
    pub fn choose_in(
        &self,
        places: &Places,
        zone: ZoneId,
        kind: PlaceKind,
        stream: &mut Stream,
    ) -> Option<PlaceId> {
        let nearest = self.tables[usize::from(kind.code())].nearest.get(zone.index())?;
        places.draw(*nearest, kind, stream)
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.tables.iter().map(|table| table.cumulative.len() * size_of::<f32>()).sum()
    }
}

impl KindTable {
    fn build(zones: &Zones, places: &Places, kind: PlaceKind, decay: Decay) -> Self {
        let weight = |zone| f64::from(places.total_weight(zone, kind));
        let offering: Vec<ZoneId> = zones.ids().filter(|zone| weight(*zone) > 0.0).collect();
        let attractions: Vec<f64> = offering.iter().map(|zone| weight(*zone)).collect();
        let row = |origin: usize| {
            let from = ZoneId::from_index(origin);
            let distance_m = |j: usize| f64::from(zones.distance_m(from, offering[j]));
            let mut sum = 0.0;
            let shares = shares(&attractions, decay, distance_m);
            let running = shares.into_iter().map(|share| {
                sum += share;
                sum as f32
            });
            running.collect::<Vec<f32>>()
        };
        let cumulative = parallel::map_range(zones.len(), row).concat();
        let nearest = |from: ZoneId| {
            let key = |to: &&ZoneId| if **to == from { 0.0 } else { zones.distance_m(from, **to) };
            offering.iter().min_by(|a, b| key(a).total_cmp(&key(b))).copied()
        };
        let nearest = zones.ids().filter_map(nearest).collect();
        Self { zones: offering, cumulative, nearest }
    }
}

#[cfg(test)]
#[path = "gravity/tests.rs"]
mod tests;
