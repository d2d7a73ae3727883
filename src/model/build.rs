//! From the scenario's `model` to a model that can be stepped.

use super::interface::Model;
use super::random_walk::RandomWalk;
use crate::scenario::spec::ModelKind;

/// Makes the model; what is random about its beginning depends on `seed`.
pub fn build(kind: ModelKind<'_>, seed: u64) -> Box<dyn Model> {
    match kind {
        ModelKind::RandomWalk(spec) => Box::new(RandomWalk::new(spec, seed)),
    }
}
