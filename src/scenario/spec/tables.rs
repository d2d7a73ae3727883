//! Input tables: a file and the names of its columns.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::environment::ZoneColumns;
use super::population::{HouseholdColumns, PersonCodes, PersonColumns};

/// A table with a row per household.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HouseholdTable {
    /// The file, relative to the scenario's folder: `.csv`, `.csv.gz` or `.parquet`.
    pub file: PathBuf,
    /// Which of its columns hold what.
    pub columns: HouseholdColumns,
}

/// A table with a row per person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PersonTable {
    /// The file, relative to the scenario's folder: `.csv`, `.csv.gz` or `.parquet`.
    pub file: PathBuf,
    /// Which of its columns hold what.
    pub columns: PersonColumns,
    /// What the codes in the columns mean.
    #[serde(default)]
    pub codes: PersonCodes,
}

/// A table with a row per zone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ZoneTable {
    /// The file, relative to the scenario's folder: `.csv` or `.csv.gz`.
    pub file: PathBuf,
    /// Which of its columns hold what.
    pub columns: ZoneColumns,
}

/// The name of a column, or a list of names whose values are added up.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "OneOrMore")]
pub struct ColumnList(pub Vec<String>);

impl JsonSchema for ColumnList {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ColumnList".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({
            "description": "A column, or a list of columns whose values are added up.",
            "type": ["string", "array"],
            "items": { "type": "string" },
        })
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

impl From<OneOrMore> for ColumnList {
    fn from(columns: OneOrMore) -> Self {
        match columns {
            OneOrMore::One(column) => Self(vec![column]),
            OneOrMore::More(columns) => Self(columns),
        }
    }
}
