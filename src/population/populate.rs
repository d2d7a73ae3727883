//! From a scenario's population to people with places: the order of the steps.

use super::assign::{PlaceAssigner, Population, assign, check_zones};
use super::error::{PopulationError, Result};
use super::import::{TableParams, load_table};
use super::replicate::replicate;
use super::synthesis::synthesize;
use super::synthesis_params::SynthesisParams;

/// Where the people come from.
#[derive(Debug, Clone, PartialEq)]
pub enum PopulationSource {
    /// Made from declared distributions.
    Synthetic {
        /// How many.
        persons: u64,
        /// The distributions.
        params: Box<SynthesisParams>,
    },
    /// Read from tables of households and persons.
    Table(Box<TableParams>),
}

/// Makes the people of a scenario.
///
/// `agents` asks for that many persons: synthesis makes them, tables are sampled or replicated.
/// `keep_household` says by number which households of the source may be used (a half, for a
/// calibration study). The steps are: read or make; drop what the city does not know; keep
/// the households asked for; sample or replicate; number and assign places. Each depends only on
/// the one before and on the seed.
///
/// # Errors
/// See [`PopulationError`]; rows that cannot be used are all named or counted.
pub fn populate<A: PlaceAssigner>(
    source: &PopulationSource,
    agents: Option<u64>,
    keep_household: Option<&dyn Fn(i64) -> bool>,
    seed: u64,
    assigner: &mut A,
) -> Result<Population> {
    let mut raw = match source {
        PopulationSource::Synthetic { persons, params } => {
            synthesize(params, agents.unwrap_or(*persons), seed)?
        }
        PopulationSource::Table(params) => {
            let mut raw = load_table(params)?;
            check_zones(&mut raw, assigner, params.bad_rows)?;
            raw
        }
    };
    raw.count("source_households", raw.households().len() as u64);
    raw.count("source_persons", raw.persons().len() as u64);
    if let Some(keep) = keep_household {
        raw.retain_households(|household| keep(household.id));
        if raw.persons().is_empty() {
            let reason = ": the household filter keeps none".to_owned();
            return Err(PopulationError::Nobody { origin: raw.origin.persons, reason });
        }
    }
    if let (Some(agents), PopulationSource::Table(_)) = (agents, source) {
        raw = replicate(&raw, agents, seed)?;
    }
    assign(raw, assigner, seed)
}
