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
    pub overrides: &'static [(&'static str, &'static str)],
    /// A skill whose hook everybody calls in every tick.
    pub hook: Option<HookSkill>,
}

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

/// A skill of one file, with a `pre_step` hook.
#[derive(Debug, Clone, Copy)]
pub struct HookSkill {
    /// Name of the script.
    pub file: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// Name of the skill that holds a [`HookSkill`].
pub const HOOK_SKILL: &str = "bench-hook";

/// A day in a made-up city, which needs no data.
const CITY: Setting = Setting {
    scenario: Source::BuiltIn {
        path: "scenarios/synthetic_city/scenario.yaml",
        text: include_str!("../../scenarios/synthetic_city/scenario.yaml"),
    },
    agents_key: Some("population.agents"),
    overrides: &[("records.log", "none")],
    hook: None,
};

const fn model(path: &'static str) -> Setting {
    Setting { scenario: Source::File(path), agents_key: None, overrides: &[], hook: None }
}

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
        work: Work::Run(Setting { overrides: &[("records.log", "all")], ..CITY }),
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
        work: Work::Run(Setting {
            overrides: &[("records.log", "none"), ("skills.default_activated", "[bench-hook]")],
            hook: Some(HookSkill {
                file: "hook.rhai",
                text: "fn pre_step(person, moment) { \"awake\" }\n",
            }),
            ..CITY
        }),
        sizes: &[10_000],
        ticks: 12,
    },
    Entry {
        name: "hooks_python",
        what: "daily_mobility_none, with a call of a hook in Python (needs python3)",
        work: Work::Run(Setting {
            overrides: &[("records.log", "none"), ("skills.default_activated", "[bench-hook]")],
            hook: Some(HookSkill {
                file: "hook.py",
                text: "def pre_step():\n    return 'awake'\n",
            }),
            ..CITY
        }),
        sizes: &[10_000],
        ticks: 12,
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
