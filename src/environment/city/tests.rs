//! Layouts and places, on the Bay Area's land use and on invented cities.

use std::path::Path;

use super::*;
use crate::base::parallel;
use crate::environment::place::KIND_COUNT;
use crate::environment::travel::{TravelModel, TravelParams};
use crate::environment::zone_file::{AreaUnit, ZoneColumns, read_zone_totals};

/// The land use of the San Francisco Bay Area, 1,454 zones.
pub(in crate::environment) fn bay_area_totals() -> Vec<ZoneTotals> {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let columns = ZoneColumns {
        source_id: "zone_id".to_owned(),
        households: names(&["TOTHH"]),
        population: names(&["TOTPOP"]),
        area: names(&["TOTACRE"]),
        area_unit: AreaUnit::Acres,
        retail: names(&["RETEMPN"]),
        services: names(&["FPSEMPN"]),
        health_education_leisure: names(&["HEREMPN"]),
        other: names(&["OTHEMPN"]),
        agriculture: names(&["AGREMPN"]),
        manufacturing: names(&["MWTEMPN"]),
        school_enrolment: names(&["AGE0519"]),
        college_enrolment: names(&["COLLFTE", "COLLPTE"]),
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("scenarios/data/bay_area_diary/land_use.csv.gz");
    read_zone_totals(&file, &columns).unwrap()
}

fn bay_area() -> City {
    City::spiral(bay_area_totals(), &CityParams::new(1)).unwrap()
}

/// The sums of the file, counted with another tool: 2,760,479 households, 7,571,300 inhabitants,
/// 4,010,135 jobs, 1,399,449 of age 5 to 19, 468,933 students, 4,574,387.9 acres.
#[test]
fn the_land_use_of_the_bay_area_is_read_whole() {
    let totals = bay_area_totals();
    let sum = |value: fn(&ZoneTotals) -> f32| totals.iter().map(|z| f64::from(value(z))).sum();
    let close = |found: f64, wanted: f64| assert!((found / wanted - 1.0).abs() < 1e-5, "{found}");
    assert_eq!(totals.len(), 1_454);
    close(sum(|z| z.households), 2_760_479.0);
    close(sum(|z| z.population), 7_571_300.0);
    close(sum(|z| z.employment.total()), 4_010_135.0);
    close(sum(|z| z.school_enrolment), 1_399_449.0);
    close(sum(|z| z.college_enrolment), 468_933.5);
    close(sum(|z| z.area_m2), 4_574_387.9 * 4_046.856_422_4);
}

/// The diary's work and school zones are near uniform random over zones. Its trips fit into a day
/// only if a trip by car between random zones takes about as long as a commute: 20 to 25 minutes.
#[test]
fn a_trip_between_random_zones_of_the_bay_area_takes_as_long_as_a_commute() {
    let zones = bay_area().zones;
    let travel = TravelModel::new(TravelParams::default()).unwrap();
    let mut seconds = 0_u64;
    for from in zones.ids() {
        for to in zones.ids() {
            seconds += u64::from(travel.expected_s(zones.centre(from), zones.centre(to))[2]);
        }
    }
    let mean_min = seconds as f64 / 60.0 / (zones.len() * zones.len()) as f64;
    assert!((20.0..25.0).contains(&mean_min), "{mean_min:.1} min");
}

/// By construction the zones fill a disc of population / density, densest in the middle.
#[test]
fn a_spiral_fills_its_disc_from_dense_to_sparse() {
    let zones = bay_area().zones;
    let discs_m2: f64 = zones.ids().map(|z| PI * f64::from(zones.radius_m(z)).powi(2)).sum();
    let wanted_m2 = 7_571_300.0 / CityParams::DENSITY_PER_KM2 * 1e6;
    assert!((discs_m2 / wanted_m2 - 1.0).abs() < 1e-3);
    let mut outwards: Vec<ZoneId> = zones.ids().collect();
    let from_centre_m = |zone: ZoneId| zones.centre(zone).distance_m(Point::default());
    outwards.sort_by(|a, b| from_centre_m(*a).total_cmp(&from_centre_m(*b)));
    let activity = |zone: &ZoneId| {
        let totals = zones.totals(*zone);
        (f64::from(totals.population) + jobs(totals)) / area_m2(totals)
    };
    assert!(outwards.is_sorted_by(|a, b| activity(a) >= activity(b)));
    let edge_m = (wanted_m2 / PI).sqrt() as f32;
    assert!(outwards.iter().all(|zone| from_centre_m(*zone) <= edge_m));
}

/// Theory: an even spread over directions has its centre of mass in the middle.
#[test]
fn a_spiral_leans_to_no_side() {
    let zones = bay_area().zones;
    let mean = |coordinate: fn(Point) -> f32| {
        zones.ids().map(|z| f64::from(coordinate(zones.centre(z)))).sum::<f64>() / 1_454.0
    };
    let offset_m = mean(|p| p.x_m).hypot(mean(|p| p.y_m));
    assert!(offset_m < 300.0, "{offset_m}");
}

/// Contract: places carry exactly what their zone has, zones with jobs have workplaces, and a
/// city stays within its bound.
#[test]
fn places_carry_the_totals_of_their_zones() {
    let City { zones, places } = bay_area();
    let mut counts = [0; KIND_COUNT];
    for index in 0..places.len() {
        counts[usize::from(places.kind(PlaceId::from_index(index)).code())] += 1;
    }
    assert!(places.len() < 200_000, "{counts:?}");
    assert_eq!(counts[usize::from(PlaceKind::Home.code())], 0);
    let some = 1_000..=CityParams::PLACES_PER_KIND_MAX;
    assert!(counts[1..].iter().all(|count| some.contains(count)), "{counts:?}");
    for zone in zones.ids() {
        let totals = zones.totals(zone);
        let close = |kind, wanted: f32| {
            let found = places.total_weight(zone, kind);
            assert!((found - wanted).abs() <= 1e-3 * wanted, "{kind} {found} {wanted}");
        };
        close(PlaceKind::Work, totals.employment.total());
        close(PlaceKind::Shop, totals.employment.retail);
        close(PlaceKind::School, totals.school_enrolment + totals.college_enrolment);
        for place in places.within(zone, PlaceKind::Shop) {
            let from_centre_m = places.point(*place).distance_m(zones.centre(zone));
            assert!(from_centre_m <= zones.radius_m(zone) + 0.01);
        }
    }
}

fn fingerprint(city: &City) -> Vec<(u32, u32, u32)> {
    let ids = (0..city.places.len()).map(PlaceId::from_index);
    let bits = |id| {
        let point = city.places.point(id);
        (point.x_m.to_bits(), point.y_m.to_bits(), city.places.weight(id).to_bits())
    };
    ids.map(bits).collect()
}

#[test]
fn a_city_depends_on_the_seed_and_on_nothing_else() {
    let totals: Vec<ZoneTotals> = bay_area_totals().into_iter().take(60).collect();
    let make = |totals, seed, threads| {
        let city = || City::spiral(totals, &CityParams::new(seed)).unwrap();
        fingerprint(&parallel::with_threads(threads, city).unwrap())
    };
    let first = make(totals.clone(), 1, 1);
    let reversed = totals.iter().rev().copied().collect();
    assert_eq!(first, make(reversed, 1, 2));
    assert_ne!(first, make(totals, 2, 1));
}

/// Contract: the grid's totals are those asked for, and jobs are more central than homes.
#[test]
fn a_grid_has_the_totals_asked_for() {
    let extent = Extent::centred(9_000.0, 6_000.0);
    let grid = GridParams::new(9, 6, 50_000.0);
    let City { zones, places } = City::grid(extent, &grid, &CityParams::new(3), None).unwrap();
    assert_eq!(zones.len(), 54);
    let sum = |value: fn(&ZoneTotals) -> f32| zones.ids().map(|z| value(zones.totals(z))).sum();
    let close = |found: f32, wanted: f32| assert!((found / wanted - 1.0).abs() < 1e-3, "{found}");
    close(sum(|z| z.population), 50_000.0);
    close(sum(|z| z.households), 18_250.0);
    close(sum(|z| z.employment.total()), 26_500.0);
    let mean_m = |value: fn(&ZoneTotals) -> f32| {
        let moment = |z| value(zones.totals(z)) * zones.centre(z).distance_m(Point::default());
        zones.ids().map(moment).sum::<f32>() / sum(value)
    };
    assert!(mean_m(|z| z.employment.total()) < 0.9 * mean_m(|z| z.population));
    assert_eq!(zones.centre(ZoneId(0)), Point { x_m: -4_000.0, y_m: -2_500.0 });
    assert!(zones.ids().all(|zone| places.total_weight(zone, PlaceKind::Work) > 0.0));
}

#[test]
fn every_place_can_be_moved_to_a_node() {
    let node = |point: Point| Point {
        x_m: (point.x_m / 500.0).round() * 500.0,
        y_m: (point.y_m / 500.0).round() * 500.0,
    };
    let extent = Extent::centred(4_000.0, 4_000.0);
    let grid = GridParams::new(4, 4, 2_000.0);
    let City { zones, mut places } =
        City::grid(extent, &grid, &CityParams::new(3), Some(&node)).unwrap();
    add_dwelling(&mut places, &zones, ZoneId(5), 0, 3, Some(&node));
    for index in 0..places.len() {
        let point = places.point(PlaceId::from_index(index));
        assert_eq!(point, node(point));
    }
}

/// Contract: a household's dwelling does not depend on who else lives in the city.
#[test]
fn a_dwelling_depends_on_its_zone_and_household_only() {
    let extent = Extent::centred(4_000.0, 4_000.0);
    let grid = GridParams::new(4, 4, 2_000.0);
    let City { zones, mut places } = City::grid(extent, &grid, &CityParams::new(3), None).unwrap();
    let first = add_dwelling(&mut places, &zones, ZoneId(5), 7, 3, None);
    let other = add_dwelling(&mut places, &zones, ZoneId(5), 8, 3, None);
    let again = add_dwelling(&mut places, &zones, ZoneId(5), 7, 3, None);
    assert_eq!(places.point(first), places.point(again));
    assert_ne!(places.point(first), places.point(other));
    assert_eq!((places.kind(first), places.zone(first)), (PlaceKind::Home, ZoneId(5)));
    let from_centre_m = places.point(first).distance_m(zones.centre(ZoneId(5)));
    assert!(from_centre_m <= zones.radius_m(ZoneId(5)));
}

/// Theory: a point even over a disc of radius r is 2 r / 3 from the centre on average, with a
/// standard deviation of r / sqrt(18).
#[test]
fn dwellings_are_even_over_the_disc() {
    let totals = ZoneTotals { households: 1.0, ..ZoneTotals::default() };
    let zones = Zones::new(vec![totals], vec![Point::default()], vec![900.0]).unwrap();
    let mut places = Places::default();
    let mut distance_m = |household| {
        let home = add_dwelling(&mut places, &zones, ZoneId(0), household, 1, None);
        places.point(home).distance_m(Point::default())
    };
    let mean_m = (0..2_000).map(&mut distance_m).sum::<f32>() / 2_000.0;
    let standard_error_m = 900.0 / (18.0_f32 * 2_000.0).sqrt();
    assert!((mean_m - 600.0).abs() < 4.0 * standard_error_m, "{mean_m}");
}

#[test]
fn impossible_cities_are_refused() {
    let params = CityParams::new(1);
    let empty = City::spiral(vec![ZoneTotals::default()], &params);
    assert!(matches!(empty, Err(EnvironmentError::NoZones)));
    let thin = CityParams { density_per_km2: -1.0, ..params };
    let message = City::spiral(bay_area_totals(), &thin).unwrap_err().to_string();
    assert!(message.contains("density per km2 is -1"), "{message}");
    let extent = Extent::centred(1_000.0, 1_000.0);
    let grid = |x, y| City::grid(extent, &GridParams::new(x, y, 10.0), &params, None);
    assert!(matches!(grid(0, 5), Err(EnvironmentError::NoZones)));
    assert!(matches!(grid(70_000, 70_000), Err(EnvironmentError::TooManyZones { .. })));
    let flat = Extent::centred(0.0, 1_000.0);
    assert!(City::grid(flat, &GridParams::new(2, 2, 10.0), &params, None).is_err());
}
