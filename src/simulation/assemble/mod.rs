//! From a scenario to a world that can be stepped.
//!
//! `environment` makes the city and its roads, `people` the population and where it lives,
//! `roots` finds the folders of skills, `skills` makes the registry and says who uses what,
//! `story` is the source of day plans, `scripts` what runs scripts, `world` puts all into a bevy
//! world, [`reload`] takes over skills that change while a run goes on. Read [`assembly`] first: it
//! is the order of these steps.

pub mod assembly;
mod environment;
mod inputs;
mod people;
pub mod reload;
mod roots;
pub mod scripts;
mod skills;
mod story;
mod world;

pub use assembly::{
    AssembleOptions, Assembly, WorkspacePolicy, assemble, invocation, tables, write_options,
};
pub use inputs::inputs;
pub use skills::{check_skills, judge, skills_of};
