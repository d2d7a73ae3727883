//! A small city whose persons have skills, and what came of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use populace::record::{RunReader, TableId};
use serde_json::Value;
use tempfile::TempDir;

use super::RunDir;

/// A small city, with skills beside it.
pub struct Town {
    pub folder: TempDir,
}

const SCENARIO: &str = "\
name: trees
clock: { start: 2026-03-02T03:00:00, tick_s: 600, ticks: 60 }
population: { source: synthetic, persons: 60 }
environment: { city: { source: grid, zones_x: 4, zones_y: 4, zone_m: 500 } }
";

impl Town {
    /// `skills` is the scenario's section of that name, without its roots.
    pub fn new(skills: &str) -> Self {
        let folder = TempDir::new().unwrap();
        let text = format!("{SCENARIO}skills:\n  roots: [skills]\n{skills}");
        std::fs::write(folder.path().join("scenario.yaml"), text).unwrap();
        Self { folder }
    }

    pub fn skill(self, name: &str, fields: &str, files: &[(&str, &str)]) -> Self {
        let folder = self.folder.path().join("skills").join(name);
        std::fs::create_dir_all(&folder).unwrap();
        let text = format!("---\nname: {name}\ndescription: a test\n{fields}---\n");
        std::fs::write(folder.join("SKILL.md"), text).unwrap();
        for (file, text) in files {
            std::fs::write(folder.join(file), text).unwrap();
        }
        self
    }

    pub fn tree(self, name: &str, tree: &str) -> Self {
        self.skill(name, "execution: bt\ntree: tree.yaml\n", &[("tree.yaml", tree)])
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().join("scenario.yaml")
    }

    pub fn run(&self, more: &[&str]) -> RunDir {
        let path = self.path();
        RunDir::of(&[&[path.to_str().unwrap()], more].concat())
    }
}

/// Who ended which skill with what.
pub fn results(run: &Path) -> BTreeMap<(u32, String), Value> {
    let rows = RunReader::open(run).unwrap().table(TableId::SkillResults).unwrap().read().unwrap();
    let (agents, skills) = (rows.u32s("agent_id").unwrap(), rows.texts("skill_id").unwrap());
    let texts = rows.texts("result").unwrap();
    let one = |row: usize| {
        let key = (agents[row], skills[row].unwrap().to_owned());
        (key, serde_json::from_str(texts[row].unwrap()).unwrap())
    };
    (0..rows.len()).map(one).collect()
}

/// Ages of persons, and the numbers of the members of each one's household.
pub fn households(run: &Path) -> (Vec<i64>, Vec<Vec<u32>>) {
    let rows = RunReader::open(run).unwrap().table(TableId::Persons).unwrap().read().unwrap();
    let (agents, houses) = (rows.u32s("agent_id").unwrap(), rows.i64s("household_id").unwrap());
    let ages: Vec<i64> = rows.u32s("age").unwrap().into_iter().map(i64::from).collect();
    let members = houses.iter().map(|house| {
        let same = agents.iter().zip(&houses).filter(|(_, other)| *other == house);
        same.map(|(agent, _)| *agent).collect()
    });
    (ages, members.collect())
}

/// Agent, code and message of each failure.
pub fn failures(run: &Path) -> Vec<(u32, String, String)> {
    let rows = RunReader::open(run).unwrap().table(TableId::Failures).unwrap().read().unwrap();
    let (agents, codes) = (rows.u32s("agent_id").unwrap(), rows.texts("code").unwrap());
    let messages = rows.texts("message").unwrap();
    let text = |texts: &[Option<&str>], row: usize| texts[row].unwrap().to_owned();
    (0..rows.len()).map(|row| (agents[row], text(&codes, row), text(&messages, row))).collect()
}
