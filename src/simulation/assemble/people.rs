//! The population, from the scenario's `population`.

use std::path::Path;

use super::environment::CityBuilder;
use crate::population::diary::half_of;
use crate::population::import::{Codes, HouseholdColumns, PersonColumns, TableParams};
use crate::population::synthesis_params::{AgeBand, AgeShare, Income, SynthesisParams};
use crate::population::{BadRows, Population, PopulationSource, TableSource};
use crate::record::read_text_columns;
use crate::scenario::Scenario;
use crate::scenario::spec;
use crate::simulation::SimulationError;

/// Makes the people and gives them homes, workplaces and schools in `city`.
pub fn populate(
    scenario: &Scenario,
    city: &mut CityBuilder,
) -> Result<Population, SimulationError> {
    let settings = scenario.population()?;
    let source = match settings {
        spec::Population::Synthetic(synthetic) => PopulationSource::Synthetic {
            persons: u64::from(synthetic.persons),
            params: Box::new(synthesis_params(synthetic)),
        },
        spec::Population::Table(table) => {
            PopulationSource::Table(Box::new(table_params(scenario, table)?))
        }
    };
    let half = settings.half();
    let keep = move |household: i64| super::story::in_half(half, half_of(household));
    let keep: Option<&dyn Fn(i64) -> bool> = (half != spec::Half::All).then_some(&keep as _);
    let agents = settings.agents().map(u64::from);
    let people = crate::population::populate(&source, agents, keep, scenario.spec.seed, city)?;
    Ok(people)
}

fn synthesis_params(synthetic: &spec::SyntheticPopulation) -> SynthesisParams {
    let bands = |shares: &[spec::AgeShare]| {
        let share = |s: &spec::AgeShare| AgeShare { from: s.from, to: s.to, share: s.share as f32 };
        shares.iter().map(share).collect()
    };
    let sizes = |index: usize| index as u16 + 1;
    SynthesisParams {
        household_size: (synthetic.household_size.iter().enumerate())
            .map(|(index, weight)| (sizes(index), *weight as f32))
            .collect(),
        age_pyramid: (synthetic.age_pyramid.iter())
            .map(|b| AgeBand { from: b.from, to: b.to, weight: b.weight as f32 })
            .collect(),
        female_share: synthetic.female_share as f32,
        school: bands(&synthetic.school),
        university: bands(&synthetic.university),
        employment: bands(&synthetic.employment),
        part_time_share: synthetic.part_time_share as f32,
        retirement_age: synthetic.retirement_age,
        income: Income {
            median: synthetic.income.median as f32,
            sigma: synthetic.income.sigma as f32,
        },
        cars: (synthetic.cars.iter().enumerate())
            .map(|(index, weights)| (sizes(index), weights.map(|weight| weight as f32)))
            .collect(),
    }
}

fn table_params(
    scenario: &Scenario,
    table: &spec::TablePopulation,
) -> Result<TableParams, SimulationError> {
    let households = &table.households.columns;
    let persons = &table.persons.columns;
    let household_columns = HouseholdColumns {
        household_id: households.household_id.clone(),
        zone: Some(households.zone.clone()),
        income: households.income.clone(),
        cars: households.cars.clone(),
        size: households.size.clone(),
        workers: households.workers.clone(),
    };
    let person_columns = PersonColumns {
        person_id: persons.person_id.clone(),
        household_id: persons.household_id.clone(),
        age: persons.age.clone(),
        sex: persons.sex.clone(),
        role: persons.role.clone(),
        employment: None,
        work_zone: persons.work_zone.clone(),
        school_zone: persons.school_zone.clone(),
    };
    let file = |path: &Path, names: &[&Option<String>], ids: &[&String]| {
        let given = names.iter().filter_map(|name| name.as_deref());
        let names: Vec<&str> = ids.iter().map(|id| id.as_str()).chain(given).collect();
        table_source(&scenario.resolve(path), &names)
    };
    let h = &household_columns;
    let p = &person_columns;
    Ok(TableParams {
        households: file(
            &table.households.file,
            &[&h.zone, &h.income, &h.cars, &h.size, &h.workers],
            &[&h.household_id],
        )?,
        persons: file(
            &table.persons.file,
            &[&p.sex, &p.role, &p.work_zone, &p.school_zone],
            &[&p.person_id, &p.household_id, &p.age],
        )?,
        household_columns,
        person_columns,
        codes: Codes {
            sex: table.persons.codes.sex.clone(),
            role: table.persons.codes.role.clone(),
            ..Codes::default()
        },
        bad_rows: match table.bad_rows {
            spec::BadRows::Error => BadRows::Error,
            spec::BadRows::Skip => BadRows::Skip,
        },
    })
}

/// A table by its ending: Parquet is read here, since the record room alone knows the format.
fn table_source(path: &Path, names: &[&str]) -> Result<TableSource, SimulationError> {
    if path.extension().is_none_or(|ending| ending != "parquet") {
        return Ok(TableSource::Csv(path.to_owned()));
    }
    let read = read_text_columns(path, names)?;
    Ok(TableSource::Columns { path: path.to_owned(), names: read.names, columns: read.cells })
}
