//! populace: large-scale multi-agent social simulation (the map is written with the rooms).

pub mod agent;
pub mod base;
pub mod environment;
pub mod population;
pub mod record;
pub mod scenario;
pub mod skill;
