//! The typed scenario: what a YAML file may say, with every default.
//!
//! The doc comments of the fields are the descriptions in the published JSON schema, so they
//! speak to the author of a scenario. Numbers carry their unit at the end of the name (`_s`,
//! `_m`, `_km`, `_kmh`, `_min`, `_per_h`); a *share* is in [0, 1]; a *weight* is any number of at
//! least 0, relative to the other weights beside it.
//!
//! Begin with [`Spec`] in `root`.

mod behaviour;
mod environment;
mod model;
mod population;
mod records;
mod root;
mod scripts;
mod skills;
mod sweep;
mod tables;
mod travel;

pub use behaviour::{
    Behaviour, DiaryColumn, DiaryFiles, DiaryStory, NeedLevels, NeedSettings, ProfileStory, Revise,
    StorySource,
};
pub use environment::{
    AreaUnit, City, DestinationDecay, Environment, GridCity, GridNetwork, InventedTotals, Network,
    NetworkCity, NetworkKind, Origin, ZoneCity, ZoneColumns,
};
pub use model::{
    Activation, Flocking, ForestFire, Generator, Model, ModelKind, RandomWalk, Schelling, WolfSheep,
};
pub use population::{
    AgeBand, AgeShare, BadRows, Half, HouseholdColumns, Income, PersonCodes, PersonColumns,
    Population, SyntheticPopulation, TablePopulation,
};
pub use records::{Checkpoint, Compression, LogPolicy, Records, TableName, WorkspaceLog};
pub(in crate::scenario) use root::CIVIL_DATETIME;
pub use root::{Clock, FailurePolicy, Failures, Outputs, Spec};
pub use scripts::Scripts;
pub use skills::{GroupFilter, SkillGroup, SkillRoot, SkillRootDetails, Skills};
pub use sweep::Sweep;
pub use tables::{ColumnList, HouseholdTable, PersonTable, ZoneTable};
pub use travel::{ModeSettings, ModeValues, Modes, Travel};
