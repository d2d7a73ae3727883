//! populace: large-scale multi-agent social simulation (the map is written with the rooms).

pub mod agent;
pub mod base;
pub mod cli;
pub mod environment;
pub mod population;
pub mod record;
pub mod scenario;
pub mod simulation;
pub mod skill;
pub mod step;
