//! Spreads places over zones: how many of each kind, how large, and where.

use std::f32::consts::TAU;

use super::place::{Places, Snap};
use super::zone::{ZoneTotals, Zones};
use crate::agent::activity::PlaceKind;
use crate::base::ids::ZoneId;
use crate::base::parallel;
use crate::base::rng::{Purpose, Stream};
use crate::base::units::Point;

/// How the places of a batch differ in size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sizes {
    /// A truncated Pareto distribution: many small, few large.
    HeavyTailed,
    /// Between half and one and a half times the mean.
    Even,
}

/// One rule that turns totals into places.
struct Batch {
    kind: PlaceKind,
    /// Jobs, pupils or students of a place on average.
    size_mean: f64,
    sizes: Sizes,
    /// What a zone has to share out; its sum over the places is their weight.
    total: fn(&ZoneTotals) -> f32,
}

/// Sizes and shares are own choices: establishments have about 20 jobs and shops half as many;
/// the sectors give what their names say, meals being sold by part of retail trade and of the
/// health, education, recreation and food sector. Leisure also grows with inhabitants (parks,
/// sports grounds, friends).
const BATCHES: [Batch; 7] = [
    batch(PlaceKind::Work, 20.0, Sizes::HeavyTailed, |z| z.employment.total()),
    batch(PlaceKind::School, 500.0, Sizes::Even, |z| z.school_enrolment),
    batch(PlaceKind::School, 8_000.0, Sizes::Even, |z| z.college_enrolment),
    batch(PlaceKind::Shop, 10.0, Sizes::HeavyTailed, |z| z.employment.retail),
    batch(PlaceKind::Eat, 12.0, Sizes::HeavyTailed, |z| {
        0.25 * z.employment.retail + 0.15 * z.employment.health_education_leisure
    }),
    batch(PlaceKind::Leisure, 15.0, Sizes::HeavyTailed, |z| {
        0.25 * z.employment.health_education_leisure + 0.005 * z.population
    }),
    batch(PlaceKind::Service, 15.0, Sizes::HeavyTailed, |z| {
        0.5 * z.employment.health_education_leisure
            + 0.1 * z.employment.services
            + 0.1 * z.employment.other
    }),
];

const fn batch(
    kind: PlaceKind,
    size_mean: f64,
    sizes: Sizes,
    total: fn(&ZoneTotals) -> f32,
) -> Batch {
    Batch { kind, size_mean, sizes, total }
}

/// All places but homes. A zone has at least one place of each batch it has anything of; beyond
/// that a batch has at most `places_max` places, by growing its mean size.
pub(super) fn places(
    zones: &Zones,
    seed: u64,
    places_max: usize,
    snap: Option<Snap<'_>>,
) -> Places {
    let sizes_mean: Vec<f64> = BATCHES.iter().map(|b| b.size_for(zones, places_max)).collect();
    let of_zone = |index: usize| {
        let zone = ZoneId::from_index(index);
        let mut stream = Stream::of_index(seed, zone.0, Purpose::City);
        let mut made = Vec::new();
        for (batch, size_mean) in BATCHES.iter().zip(&sizes_mean) {
            let total = (batch.total)(zones.totals(zone));
            for weight in batch.weights(total, *size_mean, &mut stream) {
                let point = point_in(zones, zone, &mut stream);
                made.push((batch.kind, snap.map_or(point, |snap| snap(point)), weight));
            }
        }
        made
    };
    let mut places = Places::default();
    for (zone, made) in zones.ids().zip(parallel::map_range(zones.len(), of_zone)) {
        for (kind, point, weight) in made {
            places.push(kind, zone, point, weight);
        }
    }
    places
}

impl Batch {
    /// Mean size with which the batch keeps to `places_max`: a zone has at most
    /// `total / size + 1` places.
    fn size_for(&self, zones: &Zones, places_max: usize) -> f64 {
        let total_of = |zone| f64::from((self.total)(zones.totals(zone)));
        let totals: Vec<f64> = zones.ids().map(total_of).collect();
        let zone_count = totals.iter().filter(|total| **total > 0.0).count();
        let room = places_max.saturating_sub(zone_count);
        if room == 0 {
            f64::INFINITY
        } else {
            self.size_mean.max(totals.iter().sum::<f64>() / room as f64)
        }
    }

    /// Weights of the places of one zone; they sum to `total` up to rounding.
    fn weights(&self, total: f32, size_mean: f64, stream: &mut Stream) -> Vec<f32> {
        if total <= 0.0 {
            return Vec::new();
        }
        let count = (f64::from(total) / size_mean).ceil().max(1.0) as usize;
        let raw: Vec<f64> = (0..count).map(|_| self.sizes.draw(stream)).collect();
        let scale = f64::from(total) / raw.iter().sum::<f64>();
        raw.into_iter().map(|size| (size * scale) as f32).collect()
    }
}

impl Sizes {
    /// A size in arbitrary units.
    ///
    /// Establishments follow a Pareto distribution of exponent 1.06: R. L. Axtell, "Zipf
    /// distribution of U.S. firm sizes", Science 293 (2001). Truncated at 200 times the smallest
    /// (own choice), so that no zone is one place.
    fn draw(self, stream: &mut Stream) -> f64 {
        const EXPONENT: f64 = 1.06;
        const LARGEST: f64 = 200.0;
        let u = stream.unit_f64();
        match self {
            Self::HeavyTailed => (1.0 - u * (1.0 - LARGEST.powf(-EXPONENT))).powf(-1.0 / EXPONENT),
            Self::Even => 0.5 + u,
        }
    }
}

/// A point drawn evenly from the zone's disc. Two draws from `stream`.
pub(super) fn point_in(zones: &Zones, zone: ZoneId, stream: &mut Stream) -> Point {
    let centre = zones.centre(zone);
    let from_centre_m = zones.radius_m(zone) * stream.unit_f32().sqrt();
    let (sin, cos) = (TAU * stream.unit_f32()).sin_cos();
    Point { x_m: centre.x_m + from_centre_m * cos, y_m: centre.y_m + from_centre_m * sin }
}
