//! Who lives here: made up from distributions, or read from tables.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tables::{HouseholdTable, PersonTable};
use crate::agent::person::{Role, Sex};

/// Where the households and persons come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "source", rename_all = "snake_case")]
pub enum Population {
    /// Made up from declared distributions.
    Synthetic(SyntheticPopulation),
    /// Read from a table of households and a table of persons.
    Table(TablePopulation),
}

impl Population {
    /// Number of persons to sample or replicate to, if asked for.
    pub const fn agents(&self) -> Option<u32> {
        match self {
            Self::Synthetic(synthetic) => synthetic.agents,
            Self::Table(table) => table.agents,
        }
    }

    /// Which half of the households takes part.
    pub const fn half(&self) -> Half {
        match self {
            Self::Synthetic(synthetic) => synthetic.half,
            Self::Table(table) => table.half,
        }
    }
}

/// A population made up from distributions. The defaults describe a European city.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SyntheticPopulation {
    /// Number of persons: 1 to 20 million.
    #[schemars(range(min = 1, max = 20_000_000))]
    pub persons: u32,
    /// Sample or replicate households until there are this many persons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 20_000_000))]
    pub agents: Option<u32>,
    /// Which half of the households takes part.
    #[serde(default)]
    pub half: Half,
    /// Weights of households of 1, 2, 3 … persons.
    #[serde(default = "default_household_size")]
    #[schemars(length(min = 1, max = 20), inner(range(min = 0)))]
    pub household_size: Vec<f64>,
    /// Weights of age bands; bands must not overlap.
    #[serde(default = "default_age_pyramid")]
    #[schemars(length(min = 1, max = 121))]
    pub age_pyramid: Vec<AgeBand>,
    /// Share of women.
    #[serde(default = "default_female_share")]
    #[schemars(range(min = 0, max = 1))]
    pub female_share: f64,
    /// Share of persons in work, by age; 0 outside the bands.
    #[serde(default = "default_employment")]
    pub employment: Vec<AgeShare>,
    /// Share of part-time workers among those in work.
    #[serde(default = "default_part_time_share")]
    #[schemars(range(min = 0, max = 1))]
    pub part_time_share: f64,
    /// Share of persons in school, by age; 0 outside the bands.
    #[serde(default = "default_school")]
    pub school: Vec<AgeShare>,
    /// Share of persons at a university or college, by age; 0 outside the bands.
    #[serde(default = "default_university")]
    pub university: Vec<AgeShare>,
    /// Age from which a person without work is retired.
    #[serde(default = "default_retirement_age")]
    #[schemars(range(min = 40, max = 100))]
    pub retirement_age: u8,
    /// Income of households.
    #[serde(default)]
    pub income: Income,
    /// Cars by household size: row 1 is for one person, row 2 for two, the last row for all
    /// larger ones. Each row holds the weights of 0, 1, 2 and 3 cars.
    #[serde(default = "default_cars")]
    #[schemars(length(min = 1, max = 20), inner(inner(range(min = 0))))]
    pub cars: Vec<[f64; 4]>,
}

/// An age band and its weight.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgeBand {
    /// First age in completed years.
    #[schemars(range(min = 0, max = 120))]
    pub from: u8,
    /// Last age, included.
    #[schemars(range(min = 0, max = 120))]
    pub to: u8,
    /// Weight of the whole band.
    #[schemars(range(min = 0))]
    pub weight: f64,
}

/// A share that holds for an age band.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AgeShare {
    /// First age in completed years.
    #[schemars(range(min = 0, max = 120))]
    pub from: u8,
    /// Last age, included.
    #[schemars(range(min = 0, max = 120))]
    pub to: u8,
    /// Share of the persons of these ages.
    #[schemars(range(min = 0, max = 1))]
    pub share: f64,
}

/// Log-normal income of households per year.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Income {
    /// Median in the currency of your choice.
    #[schemars(extend("exclusiveMinimum" = 0))]
    pub median: f64,
    /// Standard deviation of the logarithm; 0 gives everybody the median.
    #[schemars(range(min = 0, max = 3))]
    pub sigma: f64,
}

impl Default for Income {
    /// Own choice: of the order of a two-person household in the European Union; a sigma of 0.6
    /// gives a Gini coefficient of 0.33.
    fn default() -> Self {
        Self { median: 40_000.0, sigma: 0.6 }
    }
}

/// Rounded after Eurostat's 2.2 to 2.3 persons per household in the European Union, more than a
/// third of the households with one person; the tail is an own choice.
fn default_household_size() -> Vec<f64> {
    vec![0.37, 0.31, 0.14, 0.12, 0.04, 0.02]
}

/// Age structure of the European Union in round numbers: 15 % below 15, 64 % from 15 to 64, 21 %
/// above (Eurostat, 2023); the finer bands are an own choice.
fn default_age_pyramid() -> Vec<AgeBand> {
    [
        (0, 5, 5.8),
        (6, 14, 9.2),
        (15, 17, 3.1),
        (18, 24, 7.6),
        (25, 44, 25.8),
        (45, 64, 27.2),
        (65, 79, 15.2),
        (80, 95, 6.1),
    ]
    .map(|(from, to, weight)| AgeBand { from, to, weight })
    .to_vec()
}

/// Own choice: as many women as the European Union has, 51 %.
const fn default_female_share() -> f64 {
    0.51
}

fn age_shares<const N: usize>(bands: [(u8, u8, f64); N]) -> Vec<AgeShare> {
    bands.map(|(from, to, share)| AgeShare { from, to, share }).to_vec()
}

/// About 75 % of those of age 20 to 64 work (Eurostat, 2023); the course over age is an own
/// choice.
fn default_employment() -> Vec<AgeShare> {
    age_shares([(18, 24, 0.45), (25, 54, 0.82), (55, 64, 0.65), (65, 74, 0.10)])
}

/// Some 18 % of those in work work part-time (European Union, 2023).
const fn default_part_time_share() -> f64 {
    0.18
}

/// Own choice: school for all until 15, for nine in ten until 17.
fn default_school() -> Vec<AgeShare> {
    age_shares([(6, 15, 1.0), (16, 17, 0.9)])
}

/// Own choice.
fn default_university() -> Vec<AgeShare> {
    age_shares([(18, 24, 0.40), (25, 29, 0.12)])
}

const fn default_retirement_age() -> u8 {
    65
}

/// Own choice; with the household sizes above it gives about 530 cars per 1,000 persons, near the
/// 560 of the European Union.
fn default_cars() -> Vec<[f64; 4]> {
    vec![
        [0.45, 0.50, 0.04, 0.01],
        [0.15, 0.55, 0.27, 0.03],
        [0.10, 0.42, 0.38, 0.10],
        [0.08, 0.38, 0.42, 0.12],
    ]
}

/// A population read from tables.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TablePopulation {
    /// The households.
    pub households: HouseholdTable,
    /// The persons.
    pub persons: PersonTable,
    /// What to do with rows that cannot be used.
    #[serde(default)]
    pub bad_rows: BadRows,
    /// Sample (if fewer than the table holds) or replicate households until there are this many
    /// persons.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 20_000_000))]
    pub agents: Option<u32>,
    /// Which half of the households takes part.
    #[serde(default)]
    pub half: Half,
}

/// What to do with a row that cannot be used: a missing or impossible value, an unknown code, a
/// household that does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BadRows {
    /// Refuse the table and name the rows.
    #[default]
    Error,
    /// Leave the row out and count it.
    Skip,
}

/// Which half of the households takes part, for calibrating on one and judging on the other. A
/// household's half follows from its number alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Half {
    /// All households.
    #[default]
    All,
    /// The first half.
    A,
    /// The second half.
    B,
}

/// Columns of a household table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HouseholdColumns {
    /// Number of the household.
    pub household_id: String,
    /// Number of the zone it lives in.
    pub zone: String,
    /// Income per year.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub income: Option<String>,
    /// Number of cars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cars: Option<String>,
    /// Number of members; counted from the persons if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub size: Option<String>,
    /// Number of members who work; counted from the roles if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub workers: Option<String>,
}

/// Columns of a person table.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PersonColumns {
    /// Number of the person.
    pub person_id: String,
    /// Number of the person's household.
    pub household_id: String,
    /// Age in completed years.
    pub age: String,
    /// Sex; see `codes`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sex: Option<String>,
    /// Main role; see `codes`. Derived from the age if not given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// Zone of the workplace; negative or empty for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub work_zone: Option<String>,
    /// Zone of the school or university; negative or empty for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub school_zone: Option<String>,
}

/// What the codes of a person table mean. Without codes the table holds our words.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct PersonCodes {
    /// Value in the table to sex.
    pub sex: BTreeMap<String, Sex>,
    /// Value in the table to main role.
    pub role: BTreeMap<String, Role>,
}
