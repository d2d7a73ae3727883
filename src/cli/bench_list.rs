//! What `populace bench` measures, one entry each.

use std::path::Path;

use crate::scenario::{Scenario, ScenarioError};

/// One thing to measure.
#[derive(Debug)]
pub struct Entry {
    /// What a user types.
    pub name: &'static str,
    /// What happens in an agent-step.
    pub what: &'static str,
    /// What is run.
    pub work: Work,
    /// Numbers of agents, unless the user says others.
    pub sizes: &'static [u64],
    /// Ticks, unless the user says otherwise.
    pub ticks: u32,
}

/// What is run.
#[derive(Debug)]
pub enum Work {
    /// Ticks of the tree of `bench_tree`, without a world around it.
    Trees,
    /// A scenario, from its text to its tables.
    Run(Setting),
}

/// A scenario, and what of it is overridden.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The scenario.
    pub scenario: Source,
    /// The key that holds the number of agents; nothing if the size is the scenario's own.
    pub agents_key: Option<&'static str>,
    /// Keys and values.
    pub overrides: Overrides,
    /// A skill that everybody has beside daily-guidance.
    pub skill: Option<OwnSkill>,
}

/// Keys and values.
type Overrides = &'static [(&'static str, &'static str)];

/// Where a scenario comes from.
#[derive(Debug, Clone, Copy)]
pub enum Source {
    /// It is in the program; the path is where it stands in the repository.
    BuiltIn {
        /// Its path.
        path: &'static str,
        /// Its text.
        text: &'static str,
    },
    /// A file of the repository, in which the command is then run.
    File(&'static str),
}

/// A skill that is in the program.
#[derive(Debug, Clone, Copy)]
pub struct OwnSkill {
    /// What its SKILL.md says beside name and description.
    pub header: &'static str,
    /// Name of its other file.
    pub file: &'static str,
    /// Text of that file.
    pub text: &'static str,
}

/// Name of every [`OwnSkill`].
pub const OWN_SKILL: &str = "bench-skill";

/// Looks after three needs, each tick before the Story: 13 nodes, of which 9 are visited by whoever
/// is at home and wants nothing.
const COMFORT: OwnSkill = OwnSkill {
    header: "execution: bt\ntree: tree.yaml\norchestration: direct",
    file: "tree.yaml",
    text: "\
dialect: bt_cpp
main: Comfort
trees:
  Comfort:
    Fallback:
      - Sequence:
          - check: here.at_home
          - check: needs.hunger < 0.3
          - do_activity: { activity: meal, minutes: 20 }
      - Sequence:
          - check: '!here.travelling'
          - check: needs.social < 0.25
          - do_activity: { activity: social, minutes: 30 }
      - Sequence:
          - check: needs.energy < 0.2
          - check: here.at_home
          - do_activity: { activity: sleep, minutes: 60 }
",
};

/// A hook that says the same in every tick.
const RHAI: OwnSkill = OwnSkill {
    header: "hooks: {pre_step: hook.rhai}",
    file: "hook.rhai",
    text: "fn pre_step(person, moment) { \"awake\" }\n",
};

/// The same in Python.
const PYTHON: OwnSkill = OwnSkill {
    header: "hooks: {pre_step: hook.py}",
    file: "hook.py",
    text: "def pre_step():\n    return 'awake'\n",
};

/// A day in a made-up city, which needs no data.
const CITY: Setting = Setting {
    scenario: Source::BuiltIn {
        path: "scenarios/synthetic_city/scenario.yaml",
        text: include_str!("../../scenarios/synthetic_city/scenario.yaml"),
    },
    agents_key: Some("population.agents"),
    overrides: &[("records.log", "none")],
    skill: None,
};

/// The same, logged by a policy, and with a skill.
const fn day_with(skill: OwnSkill, overrides: Overrides) -> Setting {
    Setting { skill: Some(skill), overrides, ..CITY }
}

/// The skills that everybody has if there is an [`OwnSkill`].
const BOTH: (&str, &str) = ("skills.default_activated", "[daily-guidance, bench-skill]");

/// A standard model at a size of its own.
const fn model(path: &'static str, overrides: Overrides) -> Setting {
    Setting { scenario: Source::File(path), agents_key: None, overrides, skill: None }
}

/// Walkers, as many as wanted.
const fn walk(overrides: Overrides) -> Setting {
    let agents_key = Some("model.random_walk.agents");
    Setting { agents_key, ..model("scenarios/random_walk/scenario.yaml", overrides) }
}

/// Every step of everybody is written; what hooks say, which seldom changes, when it does.
const FULL: (&str, &str) = ("records.log", "all");
const HOOKS_CHANGED: (&str, &str) = ("records.hooks_log", "changed");

/// All entries, in the order in which they are measured.
pub const ENTRIES: &[Entry] = &[
    Entry {
        name: "daily_mobility_none",
        what: "five minutes of a person's day: needs, daily-guidance, decision, travel",
        work: Work::Run(CITY),
        sizes: &[10_000, 100_000],
        ticks: 288,
    },
    Entry {
        name: "daily_mobility_changed",
        what: "the same, with a row of `steps` when something changes",
        work: Work::Run(Setting { overrides: &[("records.log", "changed")], ..CITY }),
        sizes: &[10_000, 100_000],
        ticks: 288,
    },
    Entry {
        name: "daily_mobility_full",
        what: "the same, with a row of `steps` in every tick",
        work: Work::Run(Setting { overrides: &[FULL, HOOKS_CHANGED], ..CITY }),
        sizes: &[10_000, 100_000],
        ticks: 288,
    },
    Entry {
        name: "daily_mobility_tree_none",
        what: "daily_mobility_none, with a tree of 13 nodes before the Story",
        work: Work::Run(day_with(COMFORT, &[("records.log", "none"), BOTH])),
        sizes: &[10_000, 100_000],
        ticks: 288,
    },
    Entry {
        name: "daily_mobility_tree_changed",
        what: "the same, with a row of `steps` when something changes",
        work: Work::Run(day_with(COMFORT, &[("records.log", "changed"), BOTH])),
        sizes: &[10_000, 100_000],
        ticks: 288,
    },
    Entry {
        name: "daily_mobility_tree_full",
        what: "the same, with a row of `steps` in every tick",
        work: Work::Run(day_with(COMFORT, &[FULL, HOOKS_CHANGED, BOTH])),
        sizes: &[10_000, 100_000],
        ticks: 288,
    },
    Entry {
        name: "tree_tick",
        what: "a tick of a behaviour tree of 13 nodes, of which 9 are visited; no world",
        work: Work::Trees,
        sizes: &[10_000, 1_000_000],
        ticks: 20,
    },
    Entry {
        name: "hooks_rhai",
        what: "daily_mobility_none, with a call of a hook in Rhai",
        work: Work::Run(day_with(RHAI, &[("records.log", "none"), BOTH])),
        sizes: &[10_000],
        ticks: 12,
    },
    Entry {
        name: "hooks_python",
        what: "daily_mobility_none, with a call of a hook in Python (needs python3)",
        work: Work::Run(day_with(PYTHON, &[("records.log", "none"), BOTH])),
        sizes: &[10_000],
        ticks: 12,
    },
    Entry {
        name: "random_walk",
        what: "an update of a walker: two draws of the mixer; columns",
        work: Work::Run(walk(&[("model.random_walk.generator", "mixer")])),
        sizes: &[10_000, 100_000, 1_000_000],
        ticks: 100,
    },
    Entry {
        name: "random_walk_philox",
        what: "the same with draws of Philox",
        work: Work::Run(walk(&[("model.random_walk.generator", "philox")])),
        sizes: &[10_000, 100_000, 1_000_000],
        ticks: 100,
    },
    Entry {
        name: "random_walk_hooks",
        what: "the same with the mixer, through a hook a walker",
        work: Work::Run(walk(&[
            ("model.random_walk.generator", "mixer"),
            ("model.random_walk.hooks", "true"),
        ])),
        sizes: &[10_000, 100_000, 1_000_000],
        ticks: 100,
    },
    Entry {
        name: "schelling",
        what: "an activation of an agent, one after another; 100 x 100, radius 2",
        work: Work::Run(model(
            "scenarios/schelling/scenario.yaml",
            &[
                ("model.schelling.width", "100"),
                ("model.schelling.height", "100"),
                ("model.schelling.agents", "8000"),
                ("model.schelling.radius", "2"),
                ("model.schelling.wanted", "8"),
                ("model.schelling.activation", "sequential"),
            ],
        )),
        sizes: &[8_000],
        ticks: 20,
    },
    Entry {
        name: "schelling_small",
        what: "the same; 40 x 40, radius 1",
        work: Work::Run(model(
            "scenarios/schelling/scenario.yaml",
            &[
                ("model.schelling.width", "40"),
                ("model.schelling.height", "40"),
                ("model.schelling.agents", "1000"),
                ("model.schelling.radius", "1"),
                ("model.schelling.wanted", "3"),
                ("model.schelling.activation", "sequential"),
            ],
        )),
        sizes: &[1_000],
        ticks: 20,
    },
    Entry {
        name: "flocking",
        what: "an activation of a bird, one after another; 150 x 150, vision 15",
        work: Work::Run(model(
            "scenarios/flocking/scenario.yaml",
            &[
                ("model.flocking.width", "150"),
                ("model.flocking.height", "150"),
                ("model.flocking.agents", "400"),
                ("model.flocking.vision", "15"),
                ("model.flocking.activation", "sequential"),
            ],
        )),
        sizes: &[400],
        ticks: 100,
    },
    Entry {
        name: "flocking_small",
        what: "the same; 100 x 100, vision 5",
        work: Work::Run(model(
            "scenarios/flocking/scenario.yaml",
            &[
                ("model.flocking.width", "100"),
                ("model.flocking.height", "100"),
                ("model.flocking.agents", "200"),
                ("model.flocking.vision", "5"),
                ("model.flocking.activation", "sequential"),
            ],
        )),
        sizes: &[200],
        ticks: 100,
    },
    Entry {
        name: "wolf_sheep",
        what: "an activation of an animal; 100 x 100, 1000 sheep, 500 wolves at first",
        work: Work::Run(model(
            "scenarios/wolf_sheep/scenario.yaml",
            &[
                ("model.wolf_sheep.width", "100"),
                ("model.wolf_sheep.height", "100"),
                ("model.wolf_sheep.sheep", "1000"),
                ("model.wolf_sheep.wolves", "500"),
                ("model.wolf_sheep.regrowth", "10"),
                ("model.wolf_sheep.sheep_birth", "0.4"),
                ("model.wolf_sheep.wolf_birth", "0.2"),
            ],
        )),
        sizes: &[1_500],
        ticks: 100,
    },
    Entry {
        name: "wolf_sheep_small",
        what: "the same; 25 x 25, 60 sheep, 40 wolves at first",
        work: Work::Run(model(
            "scenarios/wolf_sheep/scenario.yaml",
            &[
                ("model.wolf_sheep.width", "25"),
                ("model.wolf_sheep.height", "25"),
                ("model.wolf_sheep.sheep", "60"),
                ("model.wolf_sheep.wolves", "40"),
                ("model.wolf_sheep.regrowth", "20"),
                ("model.wolf_sheep.sheep_birth", "0.2"),
                ("model.wolf_sheep.wolf_birth", "0.1"),
            ],
        )),
        sizes: &[100],
        ticks: 100,
    },
    Entry {
        name: "forest_fire",
        what: "a tick of a tree, most of them idle; 500 x 500 cells, density 0.9",
        work: Work::Run(model(
            "scenarios/forest_fire/scenario.yaml",
            &[
                ("model.forest_fire.width", "500"),
                ("model.forest_fire.height", "500"),
                ("model.forest_fire.density", "0.9"),
            ],
        )),
        sizes: &[225_000],
        ticks: 100,
    },
    Entry {
        name: "forest_fire_small",
        what: "the same; 100 x 100 cells, density 0.7",
        work: Work::Run(model(
            "scenarios/forest_fire/scenario.yaml",
            &[
                ("model.forest_fire.width", "100"),
                ("model.forest_fire.height", "100"),
                ("model.forest_fire.density", "0.7"),
            ],
        )),
        sizes: &[7_000],
        ticks: 100,
    },
];

impl Entry {
    /// Whether it can be measured here.
    pub fn is_here(&self) -> bool {
        match self.work {
            Work::Run(Setting { scenario: Source::File(path), .. }) => Path::new(path).is_file(),
            Work::Run(_) | Work::Trees => true,
        }
    }

    /// The numbers of agents to measure with, of those that the user wants.
    pub fn agents<'a>(&'a self, wanted: &'a [u64]) -> &'a [u64] {
        let fixed = matches!(self.work, Work::Run(Setting { agents_key: None, .. }));
        if fixed || wanted.is_empty() { self.sizes } else { wanted }
    }
}

impl Setting {
    /// The scenario with so many agents and ticks.
    ///
    /// # Errors
    /// As [`Scenario::load`].
    pub fn load(&self, agents: u64, ticks: u32) -> Result<Scenario, ScenarioError> {
        let own = |(key, value): (&str, &str)| (key.to_owned(), value.to_owned());
        let mut overrides: Vec<_> = self.overrides.iter().copied().map(own).collect();
        overrides.extend(self.agents_key.map(|key| (key.to_owned(), agents.to_string())));
        overrides.push(("clock.ticks".to_owned(), ticks.to_string()));
        match self.scenario {
            Source::BuiltIn { path, text } => {
                Scenario::from_bytes(text.as_bytes(), Path::new(path), &overrides)
            }
            Source::File(path) => Scenario::load(Path::new(path), &overrides),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::behaviour::compile::compile;
    use crate::behaviour::format::{Format, read_text};
    use crate::behaviour::people::PersonWords;

    /// The scenario knows what is overridden; tests are run in the folder where scenarios are.
    #[test]
    fn every_entry_can_be_loaded() {
        for entry in ENTRIES.iter().filter(|entry| entry.is_here()) {
            if let Work::Run(setting) = &entry.work {
                let agents = entry.sizes[0];
                let scenario = setting.load(agents, 7).unwrap_or_else(|error| {
                    panic!("{}: {error}", entry.name);
                });
                assert_eq!(scenario.clock().tick_count(), 7);
                if setting.skill.is_some() {
                    let skills = &scenario.spec.skills.default_activated;
                    assert_eq!(skills[..], ["daily-guidance", OWN_SKILL]);
                }
            }
        }
    }

    #[test]
    fn names_are_unique() {
        let names: std::collections::BTreeSet<_> = ENTRIES.iter().map(|entry| entry.name).collect();
        assert_eq!(names.len(), ENTRIES.len());
    }

    #[test]
    fn the_tree_of_a_day_has_13_nodes() {
        let path = Path::new(COMFORT.file);
        let document = read_text(Format::Yaml, COMFORT.text, path).unwrap();
        assert_eq!(compile(&document, path, &PersonWords).unwrap().node_count(), 13);
    }
}
