//! From the scenario's `model` to a model that can be stepped.

use super::flocking::Flocking;
use super::forest_fire::ForestFire;
use super::interface::Model;
use super::random_walk::RandomWalk;
use super::schelling::Schelling;
use super::wolf_sheep::WolfSheep;
use crate::scenario::spec::ModelKind;

/// Makes the model; what is random about its beginning depends on `seed`.
pub fn build(kind: ModelKind<'_>, seed: u64) -> Box<dyn Model> {
    match kind {
        ModelKind::RandomWalk(spec) => Box::new(RandomWalk::new(spec, seed)),
        ModelKind::Schelling(spec) => Box::new(Schelling::new(spec, seed)),
        ModelKind::Flocking(spec) => Box::new(Flocking::new(spec, seed)),
        ModelKind::WolfSheep(spec) => Box::new(WolfSheep::new(spec, seed)),
        ModelKind::ForestFire(spec) => Box::new(ForestFire::new(spec, seed)),
    }
}
