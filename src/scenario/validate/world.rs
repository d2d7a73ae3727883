//! Population and environment.

use super::checks::Checks;
use crate::scenario::spec::{
    AgeBand, City, Environment, NetworkKind, PersonTable, Population, Spec, SyntheticPopulation,
    ZoneColumns,
};

/// Most zones of a city; the tables of destination choice grow with its square.
const ZONES_MAX: u64 = 4_096;
/// Age from which a person can head a household.
const ADULT_AGE: u8 = 18;

pub(super) fn check(spec: &Spec, given: &dyn Fn(&str) -> bool, checks: &mut Checks) {
    match &spec.population {
        Some(Population::Synthetic(synthetic)) => self::synthetic(synthetic, checks),
        Some(Population::Table(table)) => {
            codes(&table.persons, checks);
            let city = spec.environment.as_ref().map(|environment| &environment.city);
            if city.is_some_and(|city| !matches!(city, City::Zones(_))) {
                let message = "the zones of the households' table are not those of this city";
                let help = "`source: zones` takes the zones from a table";
                checks.warning("/environment/city/source", message, help);
            }
        }
        None => {}
    }
    if let Some(environment) = &spec.environment {
        city(environment, checks);
        network(environment, given, checks);
    }
}

fn synthetic(synthetic: &SyntheticPopulation, checks: &mut Checks) {
    let at = |key: &str| format!("/population/{key}");
    let mut weights = |at: &str, weights: &[f64]| {
        if weights.iter().sum::<f64>() <= 0.0 {
            checks.error(at, "all weights are 0".to_owned(), "give one of them a weight");
        }
    };
    weights(&at("household_size"), &synthetic.household_size);
    for (row, cars) in synthetic.cars.iter().enumerate() {
        weights(&at(&format!("cars/{row}")), cars);
    }
    let pyramid = &synthetic.age_pyramid;
    let is_adult = |band: &AgeBand| band.to >= ADULT_AGE && band.weight > 0.0;
    if !pyramid.iter().any(is_adult) {
        let message = format!("no age band of {ADULT_AGE} or more has a weight");
        checks.error(&at("age_pyramid"), message, "every household needs an adult");
    }
    let bands = pyramid.iter().map(|band| (band.from, band.to)).collect();
    ages(&at("age_pyramid"), bands, checks);
    for (key, shares) in [
        ("employment", &synthetic.employment),
        ("school", &synthetic.school),
        ("university", &synthetic.university),
    ] {
        ages(&at(key), shares.iter().map(|band| (band.from, band.to)).collect(), checks);
    }
}

/// Bands run upwards and do not overlap.
fn ages(at: &str, bands: Vec<(u8, u8)>, checks: &mut Checks) {
    for (index, (from, to)) in bands.iter().enumerate() {
        if from > to {
            let message = format!("`from` {from} is above `to` {to}");
            checks.error(&format!("{at}/{index}/from"), message, "");
        }
        let overlaps = |(a, b): &&(u8, u8)| from <= b && a <= to;
        if let Some((a, b)) = bands[..index].iter().find(overlaps) {
            let message = format!("ages {from} to {to} overlap those of {a} to {b} above");
            checks.error(&format!("{at}/{index}"), message, "");
        }
    }
}

fn codes(persons: &PersonTable, checks: &mut Checks) {
    let unused = [
        ("sex", persons.columns.sex.is_none() && !persons.codes.sex.is_empty()),
        ("role", persons.columns.role.is_none() && !persons.codes.role.is_empty()),
    ];
    for (key, unused) in unused {
        if unused {
            let at = format!("/population/persons/codes/{key}");
            let message = format!("these codes have no effect: no column `{key}` is named");
            checks.warning(&at, &message, &format!("name the column in `columns.{key}`"));
        }
    }
}

fn city(environment: &Environment, checks: &mut Checks) {
    match &environment.city {
        City::Grid(grid) => {
            let zones = u64::from(grid.zones_x) * u64::from(grid.zones_y);
            if zones > ZONES_MAX {
                let message = format!("{zones} zones: expected at most {ZONES_MAX}");
                let help = "take fewer zones and a larger `zone_m`";
                checks.error("/environment/city/zones_y", message, help);
            }
        }
        City::Network(_) => {
            if environment.network.kind != NetworkKind::Osm {
                let message = "a city over a road network needs one with an extent".to_owned();
                let help = "set `environment.network.kind: osm` and `file`";
                checks.error("/environment/city/source", message, help);
            }
        }
        City::Zones(city) => zone_columns(&city.zones.columns, checks),
    }
}

fn zone_columns(columns: &ZoneColumns, checks: &mut Checks) {
    let at = "/environment/city/zones/columns";
    let jobs = [
        &columns.retail,
        &columns.services,
        &columns.health_education_leisure,
        &columns.other,
        &columns.agriculture,
        &columns.manufacturing,
    ];
    if columns.area.0.is_empty() {
        let help = "`area`: the column with the zone's area";
        checks.key_error(
            at,
            "missing key `area` in `environment.city.zones.columns`".to_owned(),
            help,
        );
    }
    if columns.population.0.is_empty() && jobs.iter().all(|column| column.0.is_empty()) {
        let message = "no column says where people live or work".to_owned();
        checks.key_error(at, message, "name `population` and the columns of jobs");
    }
}

fn network(environment: &Environment, given: &dyn Fn(&str) -> bool, checks: &mut Checks) {
    let network = &environment.network;
    if network.kind == NetworkKind::Osm && network.file.is_none() {
        let message = "missing key `file` in `environment.network`".to_owned();
        checks.key_error("/environment/network", message, "`kind: osm` reads the roads from it");
    }
    if network.kind != NetworkKind::Osm && given("/environment/network/file") {
        let message = "`file` has no effect without `kind: osm`";
        checks.warning("/environment/network/file", message, "");
    }
    if network.kind != NetworkKind::Grid && given("/environment/network/grid") {
        let message = "`grid` has no effect without `kind: grid`";
        checks.warning("/environment/network/grid", message, "");
    }
}
