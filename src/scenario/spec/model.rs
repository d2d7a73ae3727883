//! Standard models of the field: agents with rules of their own, in place of persons.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A standard model of the field, in place of `population` and `environment`: exactly one of the
/// keys here, with the model's parameters below it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Model {
    /// Walkers that take no notice of each other.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "RandomWalk")]
    pub random_walk: Option<RandomWalk>,
}

/// The one model that a [`Model`] names.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ModelKind<'a> {
    /// Walkers.
    RandomWalk(&'a RandomWalk),
}

impl Model {
    /// Every model that is named, in the order of the keys; a valid scenario names one.
    pub fn named(&self) -> Vec<ModelKind<'_>> {
        [self.random_walk.as_ref().map(ModelKind::RandomWalk)].into_iter().flatten().collect()
    }
}

impl ModelKind<'_> {
    /// The key of every model.
    pub const KEYS: [&'static str; 1] = ["random_walk"];

    /// The model's key.
    pub const fn key(&self) -> &'static str {
        match self {
            Self::RandomWalk(_) => "random_walk",
        }
    }
}

/// Who sees what within a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Activation {
    /// One after another in an order that is drawn afresh in each step; who comes later sees what
    /// those before have done.
    Sequential,
    /// All at once: everybody sees the state at the start of the step.
    Simultaneous,
}

/// What makes the random numbers of a model in which they are most of the work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Generator {
    /// Philox4x32-10: passes every known test with a margin.
    Philox,
    /// A keyed SplitMix64: several times as fast, without the margin.
    Mixer,
}

/// In each tick a walker moves by a random step, uniform in both directions, and tires.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct RandomWalk {
    /// Number of walkers: 1 to 100 million.
    #[schemars(range(min = 1, max = 100_000_000))]
    pub agents: u32,
    /// Width of a step: along each axis a walker moves by at most half of it, either way.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub step: f64,
    /// What a walker's energy is multiplied by in each tick; it begins with 1.
    #[schemars(range(min = 0, max = 1))]
    pub damping: f64,
    /// Makes no difference here: no walker sees another.
    pub activation: Activation,
    /// What makes the random numbers.
    pub generator: Generator,
    /// Whether each walker is moved by a hook of its own, called once per walker and tick, rather
    /// than all by one loop over columns. The results are the same; the speed is that of hooks.
    pub hooks: bool,
}

impl Default for RandomWalk {
    fn default() -> Self {
        Self {
            agents: 1_000_000,
            step: 1.0,
            damping: 0.999,
            activation: Activation::Simultaneous,
            generator: Generator::Philox,
            hooks: false,
        }
    }
}
