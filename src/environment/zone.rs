//! Zones: districts whose totals are known, laid out on the local plane.

use super::error::EnvironmentError;
use super::place::draw_cumulative;
use crate::base::ids::ZoneId;
use crate::base::rng::Stream;
use crate::base::units::Point;

/// Most zones of an environment: the tables of destination choice grow with its square.
pub const ZONES_MAX: usize = 4_096;

/// Jobs located in a zone, by sector.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Employment {
    /// Retail trade.
    pub retail: f32,
    /// Financial and professional services.
    pub services: f32,
    /// Health, education, recreation, food and personal services.
    pub health_education_leisure: f32,
    /// Construction, transport, government and the rest.
    pub other: f32,
    /// Agriculture and natural resources.
    pub agriculture: f32,
    /// Manufacturing, wholesale trade and transport of goods.
    pub manufacturing: f32,
}

impl Employment {
    /// Jobs of all sectors.
    pub fn total(&self) -> f32 {
        self.retail
            + self.services
            + self.health_education_leisure
            + self.other
            + self.agriculture
            + self.manufacturing
    }

    /// Every sector times `factor`.
    pub const fn scaled(&self, factor: f32) -> Self {
        Self {
            retail: self.retail * factor,
            services: self.services * factor,
            health_education_leisure: self.health_education_leisure * factor,
            other: self.other * factor,
            agriculture: self.agriculture * factor,
            manufacturing: self.manufacturing * factor,
        }
    }
}

/// What is known of one zone. Counts may be fractional (a model's expectations) and are never
/// negative.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ZoneTotals {
    /// The zone's number in the source.
    pub source_id: i64,
    /// Households that live here.
    pub households: f32,
    /// Persons who live here.
    pub population: f32,
    /// Area in square metres.
    pub area_m2: f32,
    /// Jobs located here.
    pub employment: Employment,
    /// Pupils of the schools here.
    pub school_enrolment: f32,
    /// Students of the colleges and universities here.
    pub college_enrolment: f32,
}

/// All zones, laid out on the local plane. A zone is drawn as a disc around its centre.
#[derive(Debug, Clone)]
pub struct Zones {
    totals: Vec<ZoneTotals>,
    centres: Vec<Point>,
    radii_m: Vec<f32>,
    /// (number in the source, position), sorted.
    by_source: Vec<(i64, u32)>,
    /// Running sum of households.
    households: Vec<f32>,
}

impl Zones {
    /// Zones with their discs; the `i`-th of each slice belongs to `ZoneId(i)`.
    ///
    /// # Errors
    /// If there are more than [`ZONES_MAX`].
    ///
    /// # Panics
    /// If the lengths differ (a bug in the caller).
    pub fn new(
        totals: Vec<ZoneTotals>,
        centres: Vec<Point>,
        radii_m: Vec<f32>,
    ) -> Result<Self, EnvironmentError> {
        assert!(totals.len() == centres.len() && totals.len() == radii_m.len(), "one disc a zone");
        if totals.len() > ZONES_MAX {
            return Err(EnvironmentError::TooManyZones { count: totals.len(), max: ZONES_MAX });
        }
        let mut by_source: Vec<_> = (0_u32..).zip(&totals).map(|(i, z)| (z.source_id, i)).collect();
        by_source.sort_unstable();
        let mut sum = 0.0_f64;
        let households = totals.iter().map(|zone| {
            sum += f64::from(zone.households);
            sum as f32
        });
        let households = households.collect();
        Ok(Self { totals, centres, radii_m, by_source, households })
    }

    /// Number of zones.
    #[inline]
    pub fn len(&self) -> usize {
        self.totals.len()
    }

    /// Whether there is no zone.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.totals.is_empty()
    }

    /// Every zone in order.
    pub fn ids(&self) -> impl Iterator<Item = ZoneId> + use<> {
        (0..self.len()).map(ZoneId::from_index)
    }

    /// What is known of the zone.
    #[inline]
    pub fn totals(&self, zone: ZoneId) -> &ZoneTotals {
        &self.totals[zone.index()]
    }

    /// The middle of the zone.
    #[inline]
    pub fn centre(&self, zone: ZoneId) -> Point {
        self.centres[zone.index()]
    }

    /// Radius of the zone's disc in metres.
    #[inline]
    pub fn radius_m(&self, zone: ZoneId) -> f32 {
        self.radii_m[zone.index()]
    }

    /// The zone with this number in the source.
    pub fn find(&self, source_id: i64) -> Option<ZoneId> {
        let found = self.by_source.binary_search_by_key(&source_id, |(id, _)| *id).ok()?;
        Some(ZoneId(self.by_source[found].1))
    }

    /// Metres between the centres of two zones; within a zone half its radius, because what is
    /// near is chosen first (own choice, confirmed on commuting between counties, see
    /// [`super::gravity`]).
    #[inline]
    pub fn distance_m(&self, from: ZoneId, to: ZoneId) -> f32 {
        if from == to {
            0.5 * self.radius_m(from)
        } else {
            self.centre(from).distance_m(self.centre(to))
        }
    }

    /// A zone to live in, drawn in proportion to households; `None` if nobody lives anywhere.
    pub fn draw_home(&self, stream: &mut Stream) -> Option<ZoneId> {
        draw_cumulative(&self.households, stream).map(ZoneId::from_index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Purpose;

    fn zone(source_id: i64, households: f32) -> ZoneTotals {
        ZoneTotals { source_id, households, ..ZoneTotals::default() }
    }

    fn three_zones() -> Zones {
        let totals = vec![zone(30, 1.0), zone(10, 0.0), zone(20, 3.0)];
        let centre = |x_m| Point { x_m, y_m: 0.0 };
        let centres = vec![centre(0.0), centre(50.0), centre(90.0)];
        Zones::new(totals, centres, vec![10.0, 20.0, 30.0]).unwrap()
    }

    #[test]
    fn zones_are_found_by_their_number_in_the_source() {
        let zones = three_zones();
        assert_eq!(zones.find(30), Some(ZoneId(0)));
        assert_eq!(zones.find(10), Some(ZoneId(1)));
        assert_eq!(zones.find(11), None);
        assert_eq!(zones.distance_m(ZoneId(1), ZoneId(1)), 10.0);
        assert_eq!(zones.distance_m(ZoneId(1), ZoneId(2)), 40.0);
    }

    /// Theory: three of four households live in the last zone; the count of 4,000 draws has a
    /// standard deviation of 27.
    #[test]
    fn homes_are_drawn_by_households() {
        let zones = three_zones();
        let mut stream = Stream::of_index(1, 0, Purpose::City);
        let mut counts = [0_i32; 3];
        for _ in 0..4_000 {
            counts[zones.draw_home(&mut stream).unwrap().index()] += 1;
        }
        assert_eq!(counts[1], 0);
        assert!((counts[2] - 3_000).abs() < 4 * 27, "{counts:?}");
    }

    #[test]
    fn too_many_zones_are_refused() {
        let count = ZONES_MAX + 1;
        let zones =
            Zones::new(vec![zone(0, 1.0); count], vec![Point::default(); count], vec![1.0; count]);
        assert!(matches!(zones, Err(EnvironmentError::TooManyZones { .. })));
    }
}
