//! From a scenario to a world that can be stepped.
//!
//! `environment` makes the city and its roads, `people` the population and where it lives,
//! `skills` the registry and who uses what, `story` the source of day plans,
//! `scripts` what runs scripts, `world` puts all into a bevy world. Read [`assembly`] first: it is
//! the order of these steps.

pub mod assembly;
mod environment;
mod people;
pub mod scripts;
mod skills;
mod story;
mod world;

pub use assembly::{AssembleOptions, Assembly, WorkspacePolicy, assemble};
pub use skills::{check_skills, judge};
