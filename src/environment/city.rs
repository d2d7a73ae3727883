//! Cities: from zone totals to zones with a location and places with coordinates.
//!
//! Two layouts. [`City::spiral`] places zones whose location is unknown: densest first, on a
//! spiral that turns by the golden angle, so that the zones so far always fill a disc. Each zone
//! keeps its share of the area, hence density falls from the centre outwards as in a city with
//! one centre, while zones of all sides are as near as those that follow each other in the file.
//! [`City::grid`] invents zones over a rectangle, such as the extent of a road network.
//!
//! Both then spread places by `scatter`; homes come later, one per household.

use std::f64::consts::PI;

use super::error::{EnvironmentError, positive};
use super::place::{Places, Snap};
use super::scatter;
use super::zone::{Employment, ZONES_MAX, ZoneTotals, Zones};
use crate::agent::activity::PlaceKind;
use crate::base::ids::{PlaceId, ZoneId};
use crate::base::rng::{Purpose, Stream};
use crate::base::units::Point;

/// Smallest area of a zone in the source; a missing or smaller one counts as one hectare.
const AREA_MIN_M2: f64 = 10_000.0;
/// The turn between successive zones of the spiral, in turns: 1 minus the golden section, the
/// most irrational number, so that zones never line up. Source: H. Vogel, "A better way to
/// construct the sunflower head", Mathematical Biosciences 44 (1979).
const GOLDEN_TURN: f64 = 0.381_966_011_250_105_1;
/// Dwellings draw from streams above, zones from streams below this index.
const DWELLING_STREAMS: u32 = 1 << 31;

/// How a city is generated.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CityParams {
    /// Seed of the run.
    pub seed: u64,
    /// Inhabitants (or jobs, where there are more) per square kilometre of the laid-out region.
    /// Zone areas are scaled to it: totals of travel models include forest and water, which
    /// would put most zones far from each other. Used by [`City::spiral`] only.
    pub density_per_km2: f64,
    /// About the most places of one kind; beyond it places become larger, not more.
    pub places_per_kind_max: usize,
}

impl CityParams {
    /// Inhabitants per square kilometre: own choice. At 4,000 the mean trip by car between two
    /// random zones of the Bay Area takes 22 minutes, near the mean commute its surveys report.
    pub const DENSITY_PER_KM2: f64 = 4_000.0;
    /// Places of one kind: own choice; six kinds stay below 200,000 places.
    pub const PLACES_PER_KIND_MAX: usize = 40_000;

    /// The defaults with this seed.
    pub const fn new(seed: u64) -> Self {
        Self {
            seed,
            density_per_km2: Self::DENSITY_PER_KM2,
            places_per_kind_max: Self::PLACES_PER_KIND_MAX,
        }
    }
}

/// A rectangle on the local plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Extent {
    /// Smallest coordinates.
    pub south_west: Point,
    /// Largest coordinates.
    pub north_east: Point,
}

impl Extent {
    /// A rectangle around the origin.
    pub fn centred(width_m: f32, height_m: f32) -> Self {
        let (x_m, y_m) = (width_m / 2.0, height_m / 2.0);
        Self { south_west: Point { x_m: -x_m, y_m: -y_m }, north_east: Point { x_m, y_m } }
    }
}

/// An invented city: zones on a grid, density falling from the middle.
///
/// The totals per inhabitant default to those of the San Francisco Bay Area's land use (7.57
/// million inhabitants, 2.76 million households, 4.01 million jobs, 1.40 million of age 5 to 19,
/// 0.47 million students), its employment is split as there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GridParams {
    /// Zones from west to east.
    pub zones_x: u32,
    /// Zones from south to north.
    pub zones_y: u32,
    /// Inhabitants of the whole city.
    pub population: f64,
    /// Households per inhabitant.
    pub households_share: f64,
    /// Jobs per inhabitant.
    pub jobs_share: f64,
    /// Pupils per inhabitant.
    pub pupils_share: f64,
    /// Students per inhabitant.
    pub students_share: f64,
    /// Distance over which the density of inhabitants falls to 37 %, as a share of the radius of
    /// a disc of the city's area. Source of the form: C. Clark, "Urban population densities",
    /// Journal of the Royal Statistical Society A 114 (1951).
    pub home_decay: f64,
    /// The same of jobs and of college seats; smaller, because jobs are more central.
    pub job_decay: f64,
}

impl GridParams {
    /// A grid of this shape with the default totals per inhabitant.
    pub const fn new(zones_x: u32, zones_y: u32, population: f64) -> Self {
        Self {
            zones_x,
            zones_y,
            population,
            households_share: 0.365,
            jobs_share: 0.530,
            pupils_share: 0.185,
            students_share: 0.062,
            home_decay: 0.6,
            job_decay: 0.35,
        }
    }
}

/// Sector shares of [`GridParams`], from the Bay Area's land use: 356,555 jobs in retail trade of
/// 4,010,135, and so on.
const SECTOR_SHARES: Employment = Employment {
    retail: 0.089,
    services: 0.284,
    health_education_leisure: 0.277,
    other: 0.213,
    agriculture: 0.006,
    manufacturing: 0.131,
};

/// Zones laid out, and the places in them.
#[derive(Debug, Clone)]
pub struct City {
    /// Zones, in the order of their source numbers.
    pub zones: Zones,
    /// Places but homes, frozen.
    pub places: Places,
}

impl City {
    /// Lays out zones whose location is unknown and spreads their places. Depends on the totals
    /// and `params` only, not on the order of `totals`.
    ///
    /// # Errors
    /// If there is no zone with an inhabitant or a job, there are too many, or the density is not
    /// positive.
    pub fn spiral(
        mut totals: Vec<ZoneTotals>,
        params: &CityParams,
    ) -> Result<Self, EnvironmentError> {
        totals.sort_by_key(|zone| zone.source_id);
        let density_per_m2 = positive("density per km2", params.density_per_km2)? / 1e6;
        let sum = |value: fn(&ZoneTotals) -> f64| totals.iter().map(value).sum::<f64>();
        let people = sum(|zone| f64::from(zone.population)).max(sum(jobs));
        if people <= 0.0 {
            return Err(EnvironmentError::NoZones);
        }
        let scale = people / density_per_m2 / sum(area_m2);
        let activity =
            |zone: &ZoneTotals| (f64::from(zone.population) + jobs(zone)) / area_m2(zone);
        let mut by_density: Vec<usize> = (0..totals.len()).collect();
        by_density.sort_by(|a, b| activity(&totals[*b]).total_cmp(&activity(&totals[*a])));
        let mut centres = vec![Point::default(); totals.len()];
        let mut radii_m = vec![0.0_f32; totals.len()];
        let mut inside_m2 = 0.0;
        for (rank, index) in by_density.into_iter().enumerate() {
            let zone_m2 = area_m2(&totals[index]) * scale;
            let from_centre_m = ((inside_m2 + zone_m2 / 2.0) / PI).sqrt();
            let (sin, cos) = (2.0 * PI * (rank as f64 * GOLDEN_TURN).fract()).sin_cos();
            let (x_m, y_m) = ((from_centre_m * cos) as f32, (from_centre_m * sin) as f32);
            centres[index] = Point { x_m, y_m };
            radii_m[index] = (zone_m2 / PI).sqrt() as f32;
            inside_m2 += zone_m2;
        }
        Ok(Self::furnish(Zones::new(totals, centres, radii_m)?, params, None))
    }

    /// Invents zones over `extent` and spreads their places, each moved by `snap` if given.
    ///
    /// # Errors
    /// If there is no zone or there are too many, or a number is not positive.
    pub fn grid(
        extent: Extent,
        grid: &GridParams,
        params: &CityParams,
        snap: Option<Snap<'_>>,
    ) -> Result<Self, EnvironmentError> {
        let count = grid.zones_x as usize * grid.zones_y as usize;
        match count {
            0 => return Err(EnvironmentError::NoZones),
            1..=ZONES_MAX => {}
            _ => return Err(EnvironmentError::TooManyZones { count, max: ZONES_MAX }),
        }
        let (west, south) = (extent.south_west.x_m, extent.south_west.y_m);
        let width_m = (extent.north_east.x_m - west) / grid.zones_x as f32;
        let height_m = (extent.north_east.y_m - south) / grid.zones_y as f32;
        positive("width of a zone in metres", f64::from(width_m))?;
        positive("height of a zone in metres", f64::from(height_m))?;
        let centre = |index: usize| Point {
            x_m: west + ((index % grid.zones_x as usize) as f32 + 0.5) * width_m,
            y_m: south + ((index / grid.zones_x as usize) as f32 + 0.5) * height_m,
        };
        let centres: Vec<Point> = (0..count).map(centre).collect();
        let zone_m2 = width_m * height_m;
        let middle = extent.south_west.towards(extent.north_east, 0.5);
        let from_middle_m: Vec<f32> = centres.iter().map(|c| c.distance_m(middle)).collect();
        let totals = grid.totals(&from_middle_m, zone_m2)?;
        let radii_m = vec![(zone_m2 / std::f32::consts::PI).sqrt(); count];
        Ok(Self::furnish(Zones::new(totals, centres, radii_m)?, params, snap))
    }

    fn furnish(zones: Zones, params: &CityParams, snap: Option<Snap<'_>>) -> Self {
        let mut places = scatter::places(&zones, params.seed, params.places_per_kind_max, snap);
        places.freeze();
        Self { zones, places }
    }
}

impl GridParams {
    /// Totals of zones at these distances from the middle, numbered from 1.
    fn totals(&self, from_middle_m: &[f32], m2: f32) -> Result<Vec<ZoneTotals>, EnvironmentError> {
        positive("population", self.population)?;
        positive("households per inhabitant", self.households_share)?;
        let radius_m = (f64::from(m2) * from_middle_m.len() as f64 / PI).sqrt();
        let home_m = positive("decay of homes", self.home_decay)? * radius_m;
        let job_m = positive("decay of jobs", self.job_decay)? * radius_m;
        let density = |scale_m: f64| {
            let weights = from_middle_m.iter().map(|d| (-f64::from(*d) / scale_m).exp());
            let sum: f64 = weights.clone().sum();
            weights.map(|weight| weight / sum).collect::<Vec<f64>>()
        };
        let (homes, jobs) = (density(home_m), density(job_m));
        let total = |(index, (home, job)): (i64, (f64, f64))| {
            let people = home * self.population;
            let jobs = (job * self.population * self.jobs_share) as f32;
            ZoneTotals {
                source_id: index,
                households: (people * self.households_share) as f32,
                population: people as f32,
                area_m2: m2,
                employment: SECTOR_SHARES.scaled(jobs),
                school_enrolment: (people * self.pupils_share) as f32,
                college_enrolment: (job * self.population * self.students_share) as f32,
            }
        };
        Ok((1..).zip(homes.into_iter().zip(jobs)).map(total).collect())
    }
}

fn jobs(zone: &ZoneTotals) -> f64 {
    f64::from(zone.employment.total())
}

fn area_m2(zone: &ZoneTotals) -> f64 {
    f64::from(zone.area_m2).max(AREA_MIN_M2)
}

/// Adds the dwelling of the `household_index`-th household at a random point of its zone, moved
/// by `snap` if given. Depends on the zone, the index and the seed only.
///
/// # Panics
/// If `household_index` is 2^31 or more.
pub fn add_dwelling(
    places: &mut Places,
    zones: &Zones,
    zone: ZoneId,
    household_index: u32,
    seed: u64,
    snap: Option<Snap<'_>>,
) -> PlaceId {
    assert!(household_index < DWELLING_STREAMS, "too many households: {household_index}");
    let mut stream = Stream::of_index(seed, DWELLING_STREAMS | household_index, Purpose::City);
    let point = scatter::point_in(zones, zone, &mut stream);
    let point = snap.map_or(point, |snap| snap(point));
    places.push(PlaceKind::Home, zone, point, 1.0)
}

#[cfg(test)]
#[path = "city/tests.rs"]
pub(super) mod tests;
