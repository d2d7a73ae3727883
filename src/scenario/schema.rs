//! The JSON schema of a scenario.

use std::sync::LazyLock;

use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::spec::{CIVIL_DATETIME, Spec};

/// The JSON schema of a scenario file (draft 2020-12), with a title and a description for every
/// key. The same in every run of one version.
pub fn schema() -> Value {
    SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<Spec>().to_value()
}

/// The schema, and a validator made from it.
pub(super) struct Checker {
    pub(super) schema: Value,
    pub(super) validator: jsonschema::Validator,
}

/// Built once per process.
pub(super) static CHECKER: LazyLock<Checker> = LazyLock::new(|| {
    let schema = schema();
    let validator = jsonschema::options()
        .should_validate_formats(true)
        .with_format(CIVIL_DATETIME, |text| text.parse::<jiff::civil::DateTime>().is_ok())
        .build(&schema)
        .expect("the schema is generated from our own types; a test builds it");
    Checker { schema, validator }
});
