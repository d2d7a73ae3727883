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
    /// Schelling's segregation: agents who want neighbours of their own group.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Schelling")]
    pub schelling: Option<Schelling>,
    /// Birds that keep together, keep their distance and fly the same way.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Flocking")]
    pub flocking: Option<Flocking>,
    /// Wolves that eat sheep that eat grass.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "WolfSheep")]
    pub wolf_sheep: Option<WolfSheep>,
    /// A fire that walks through a forest.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "ForestFire")]
    pub forest_fire: Option<ForestFire>,
}

/// The one model that a [`Model`] names.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ModelKind<'a> {
    /// Walkers that take no notice of each other.
    RandomWalk(&'a RandomWalk),
    /// Schelling's segregation: agents who want neighbours of their own group.
    Schelling(&'a Schelling),
    /// Birds that keep together, keep their distance and fly the same way.
    Flocking(&'a Flocking),
    /// Wolves that eat sheep that eat grass.
    WolfSheep(&'a WolfSheep),
    /// A fire that walks through a forest.
    ForestFire(&'a ForestFire),
}

impl Model {
    /// Every model that is named, in the order of the keys; a valid scenario names one.
    pub fn named(&self) -> Vec<ModelKind<'_>> {
        let models = [
            self.random_walk.as_ref().map(ModelKind::RandomWalk),
            self.schelling.as_ref().map(ModelKind::Schelling),
            self.flocking.as_ref().map(ModelKind::Flocking),
            self.wolf_sheep.as_ref().map(ModelKind::WolfSheep),
            self.forest_fire.as_ref().map(ModelKind::ForestFire),
        ];
        models.into_iter().flatten().collect()
    }
}

impl ModelKind<'_> {
    /// The keys of all models.
    pub const KEYS: [&'static str; 5] =
        ["random_walk", "schelling", "flocking", "wolf_sheep", "forest_fire"];

    /// The model's key.
    pub const fn key(&self) -> &'static str {
        match self {
            Self::RandomWalk(_) => "random_walk",
            Self::Schelling(_) => "schelling",
            Self::Flocking(_) => "flocking",
            Self::WolfSheep(_) => "wolf_sheep",
            Self::ForestFire(_) => "forest_fire",
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

/// Agents of several groups on a bounded grid. Who has too few neighbours of the own group within
/// reach moves to an empty cell drawn at random. All at once, of several who draw one cell the one
/// with the lowest draw gets it and the others stay.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Schelling {
    /// Cells from left to right: 1 to 10000.
    #[schemars(range(min = 1, max = 10_000))]
    pub width: u32,
    /// Cells from top to bottom: 1 to 10000.
    #[schemars(range(min = 1, max = 10_000))]
    pub height: u32,
    /// Number of agents, at most one per cell.
    #[schemars(range(min = 1, max = 100_000_000))]
    pub agents: u32,
    /// How far neighbours are, in cells along either axis (Chebyshev distance): 1 to 7.
    #[schemars(range(min = 1, max = 7))]
    pub radius: u8,
    /// Neighbours of the own group that an agent wants.
    #[schemars(range(min = 0, max = 224))]
    pub wanted: u8,
    /// Number of groups, of equal size.
    #[schemars(range(min = 2, max = 8))]
    pub groups: u8,
    /// Who sees what within a step.
    pub activation: Activation,
}

impl Default for Schelling {
    fn default() -> Self {
        Self {
            width: 100,
            height: 100,
            agents: 8_000,
            radius: 2,
            wanted: 8,
            groups: 2,
            activation: Activation::Sequential,
        }
    }
}

/// Birds on a torus. Each turns towards those in its sight, away from those too near and into
/// their mean direction, and flies on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Flocking {
    /// Width of the world.
    #[schemars(range(min = 0.001, max = 1_000_000))]
    pub width: f64,
    /// Height of the world.
    #[schemars(range(min = 0.001, max = 1_000_000))]
    pub height: f64,
    /// Number of birds: 1 to 10 million.
    #[schemars(range(min = 1, max = 10_000_000))]
    pub agents: u32,
    /// How far a bird sees: less than half of the world.
    #[schemars(range(min = 0.001, max = 1_000_000))]
    pub vision: f64,
    /// How far a bird flies in a tick.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub speed: f64,
    /// Birds nearer than this are too near.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub separation: f64,
    /// Weight of the mean way to the birds in sight.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub cohere_factor: f64,
    /// Weight of the ways from the birds too near.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub separate_factor: f64,
    /// Weight of the mean velocity of the birds in sight.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub match_factor: f64,
    /// Who sees what within a step.
    pub activation: Activation,
}

impl Default for Flocking {
    fn default() -> Self {
        Self {
            width: 150.0,
            height: 150.0,
            agents: 400,
            vision: 15.0,
            speed: 1.0,
            separation: 1.0,
            cohere_factor: 0.03,
            separate_factor: 0.015,
            match_factor: 0.05,
            activation: Activation::Sequential,
        }
    }
}

/// Wolves, sheep and grass on a torus of cells. In each tick all sheep act, then all wolves, then
/// the grass grows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct WolfSheep {
    /// Cells from left to right: 3 to 10000.
    #[schemars(range(min = 3, max = 10_000))]
    pub width: u32,
    /// Cells from top to bottom: 3 to 10000.
    #[schemars(range(min = 3, max = 10_000))]
    pub height: u32,
    /// Sheep at the beginning.
    #[schemars(range(min = 0, max = 10_000_000))]
    pub sheep: u32,
    /// Wolves at the beginning.
    #[schemars(range(min = 0, max = 10_000_000))]
    pub wolves: u32,
    /// Ticks until eaten grass can be eaten again.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub regrowth: u32,
    /// Energy that a sheep gains by a cell of grass.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub sheep_gain: f64,
    /// Energy that a wolf gains by a sheep.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub wolf_gain: f64,
    /// Chance that a sheep has an offspring in a tick.
    #[schemars(range(min = 0, max = 1))]
    pub sheep_birth: f64,
    /// Chance that a wolf has an offspring in a tick.
    #[schemars(range(min = 0, max = 1))]
    pub wolf_birth: f64,
    /// Only `sequential`: animals of a kind meet over a meal only, which the first gets.
    pub activation: Activation,
}

impl Default for WolfSheep {
    fn default() -> Self {
        Self {
            width: 100,
            height: 100,
            sheep: 1_000,
            wolves: 500,
            regrowth: 10,
            sheep_gain: 5.0,
            wolf_gain: 13.0,
            sheep_birth: 0.4,
            wolf_birth: 0.2,
            activation: Activation::Sequential,
        }
    }
}

/// Trees on a bounded grid; those of the left column burn first. In each tick burning trees light
/// the green ones above, below, left and right of them, and are burnt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ForestFire {
    /// Cells from left to right: 1 to 50000.
    #[schemars(range(min = 1, max = 50_000))]
    pub width: u32,
    /// Cells from top to bottom: 1 to 50000.
    #[schemars(range(min = 1, max = 50_000))]
    pub height: u32,
    /// Share of the cells with a tree.
    #[schemars(range(min = 0, max = 1))]
    pub density: f64,
    /// Only `simultaneous`: a fire goes from tree to tree once in a tick.
    pub activation: Activation,
}

impl Default for ForestFire {
    fn default() -> Self {
        Self { width: 500, height: 500, density: 0.9, activation: Activation::Simultaneous }
    }
}
