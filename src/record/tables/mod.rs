//! The tables of a run. Column names are the field's (scikit-mobility, pandas, MATSim).
//!
//! Each table is a struct of columns with `push` for one row and `append` for another buffer of
//! the same table; the sentence above a column is also its description in the file.
//!
//! - [`people`]: who and where: persons, places.
//! - [`days`]: what happened and what was planned: stays, trips, legs, stories.
//! - [`log`]: tick by tick: steps, hooks, needs, messages, workspace, failures, metrics.
//! - [`trees`]: what behaviour trees did.
//! - [`table`]: how a table is declared, and the list of all.

pub mod days;
pub mod log;
pub mod people;
pub mod table;
pub mod trees;

pub use days::{LegRow, Legs, StayRow, Stays, Stories, StoryRow, TripRow, Trips};
pub use log::{
    FailureRow, Failures, HookRow, Hooks, MessageRow, Messages, MetricRow, Metrics, NeedRow, Needs,
    StepRow, Steps, Workspace, WorkspaceRow,
};
pub use people::{PersonRow, Persons, PlaceRow, Places};
pub use table::{Layout, Table, TableId, TableSpec};
pub use trees::{BtTrace, BtTraceRow, SkillResultRow, SkillResults};
