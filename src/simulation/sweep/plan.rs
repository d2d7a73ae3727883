//! Which runs a sweep has.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::scenario::Scenario;
use crate::simulation::SimulationError;

/// Name of the plan in a sweep's folder.
const FILE: &str = "sweep.json";
/// The most runs of a sweep.
const RUNS_MAX: usize = 100_000;
/// Keys that a sweep sets itself.
const OWN: [&str; 2] = ["seed", "outputs.dir"];

/// Every combination of the values of the parameters, with every seed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plan {
    /// The scenario's file.
    pub scenario: PathBuf,
    /// Hash of the scenario without the parameters.
    pub scenario_hash: String,
    /// What is varied; the last one changes from run to run.
    pub params: Vec<Param>,
    /// The seeds, each of which every combination is run with.
    pub seeds: Vec<u64>,
}

/// A key that is varied.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Param {
    /// Its dotted path.
    pub key: String,
    /// Its values, as they are written in YAML.
    pub values: Vec<String>,
}

/// One run of a sweep.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// Its number, from 1.
    pub number: usize,
    /// The values of the parameters, in the order of the plan.
    pub values: Vec<String>,
    /// Its seed.
    pub seed: u64,
}

impl Plan {
    /// The sweep that a scenario's `sweep` describes; `given` are more parameters, or other values.
    ///
    /// # Errors
    /// No values, a value that stands twice, a key that sweeps set themselves, too many runs.
    pub fn new(
        scenario: &Scenario,
        given: &[Param],
        seeds: Option<u32>,
    ) -> Result<Self, SimulationError> {
        let own = scenario.spec.sweep.clone().unwrap_or_default();
        let word = |value: &Value| match value {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        let mut params: Vec<Param> = (own.params.iter())
            .map(|(key, values)| Param {
                key: key.clone(),
                values: values.iter().map(word).collect(),
            })
            .collect();
        for param in given {
            params.retain(|other| other.key != param.key);
            params.push(param.clone());
        }
        let count = u64::from(seeds.unwrap_or(own.seeds));
        let first = scenario.spec.seed;
        let seeds = (0..count).map(|offset| first.wrapping_add(offset)).collect();
        let (path, hash) = (scenario.path.clone(), scenario.hash.clone());
        let plan = Self { scenario: path, scenario_hash: hash, params, seeds };
        plan.check().map_err(SimulationError::Sweep)?;
        Ok(plan)
    }

    fn check(&self) -> Result<(), String> {
        for Param { key, values } in &self.params {
            if OWN.contains(&key.as_str()) {
                return Err(format!("`{key}` cannot be a parameter: use `seeds` and --out"));
            }
            if values.is_empty() {
                return Err(format!("`{key}` has no values"));
            }
            let twice = (1..values.len()).find(|at| values[..*at].contains(&values[*at]));
            if let Some(at) = twice {
                return Err(format!("`{key}` has the value `{}` twice", values[at]));
            }
        }
        match self.run_count() {
            Some(1..=RUNS_MAX) => Ok(()),
            _ => Err(format!("a sweep has 1 to {RUNS_MAX} runs; these are other than that")),
        }
    }

    /// Number of runs; nothing where it is beyond counting.
    fn run_count(&self) -> Option<usize> {
        let factors = self.params.iter().map(|param| param.values.len());
        factors.chain([self.seeds.len()]).try_fold(1_usize, usize::checked_mul)
    }

    /// All runs: for each combination of values all seeds.
    pub fn points(&self) -> Vec<Point> {
        let mut combinations = vec![Vec::new()];
        for param in &self.params {
            let longer = |values: Vec<String>| {
                let with =
                    move |value: &String| [&values[..], std::slice::from_ref(value)].concat();
                param.values.iter().map(with).collect::<Vec<_>>()
            };
            combinations = combinations.into_iter().flat_map(longer).collect();
        }
        let seeded = |values: Vec<String>| {
            self.seeds.iter().map(move |seed| (values.clone(), *seed)).collect::<Vec<_>>()
        };
        let all = combinations.into_iter().flat_map(seeded).enumerate();
        all.map(|(index, (values, seed))| Point { number: index + 1, values, seed }).collect()
    }

    /// The overrides of a run's scenario.
    pub fn overrides(&self, point: &Point) -> Vec<(String, String)> {
        let keys = self.params.iter().map(|param| param.key.clone());
        let own = [("seed".to_owned(), point.seed.to_string())];
        keys.zip(point.values.iter().cloned()).chain(own).collect()
    }

    /// Writes the plan into a sweep's folder, or finds it there.
    ///
    /// # Errors
    /// The folder holds another sweep, or something else; what the system says.
    pub fn settle(&self, folder: &Path) -> Result<(), SimulationError> {
        let io = |action: &str, path: &Path| {
            let action = format!("{action} {}", path.display());
            move |source| SimulationError::Io { action, source }
        };
        let file = folder.join(FILE);
        std::fs::create_dir_all(folder).map_err(io("make", folder))?;
        let mut entries = std::fs::read_dir(folder).map_err(io("list", folder))?;
        if entries.next().is_none() {
            let text = serde_json::to_string_pretty(self).map_err(std::io::Error::other);
            return text.and_then(|text| std::fs::write(&file, text)).map_err(io("write", &file));
        }
        let found = std::fs::read_to_string(&file).ok();
        let found: Option<Self> = found.and_then(|text| serde_json::from_str(&text).ok());
        if found.as_ref() == Some(self) {
            return Ok(());
        }
        let held = if found.is_some() { "another sweep" } else { "something else" };
        let told = format!("{} holds {held}; give another folder with --out", folder.display());
        Err(SimulationError::Sweep(told))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(params: &[(&str, &[&str])], seeds: &[u64]) -> Plan {
        let text = |values: &[&str]| values.iter().map(|value| (*value).to_owned()).collect();
        let param = |(key, values): &(&str, &[&str])| Param {
            key: (*key).to_owned(),
            values: text(values),
        };
        Plan {
            scenario: PathBuf::from("s.yaml"),
            scenario_hash: String::new(),
            params: params.iter().map(param).collect(),
            seeds: seeds.to_vec(),
        }
    }

    #[test]
    fn every_combination_is_run_with_every_seed() {
        let plan = plan(&[("a", &["1", "2"]), ("b", &["x", "y", "z"])], &[7, 8]);
        let points = plan.points();
        assert_eq!((points.len(), plan.run_count()), (12, Some(12)));
        let told: Vec<String> =
            points.iter().map(|p| format!("{}{}{}", p.values[0], p.values[1], p.seed)).collect();
        assert_eq!(told[..5], ["1x7", "1x8", "1y7", "1y8", "1z7"]);
        assert_eq!((points[11].number, told[11].as_str()), (12, "2z8"));
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let wanted = [pair("a", "1"), pair("b", "x"), pair("seed", "7")];
        assert_eq!(plan.overrides(&points[0]), wanted);
    }

    #[test]
    fn what_cannot_be_swept_is_refused() {
        let refused = |params: &[(&str, &[&str])]| plan(params, &[1]).check().unwrap_err();
        assert!(refused(&[("seed", &["1"])]).contains("use `seeds`"));
        assert!(refused(&[("a", &[])]).contains("no values"));
        assert!(refused(&[("a", &["1", "2", "1"])]).contains("`1` twice"));
        let many: Vec<String> = (0..400).map(|number| number.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(refused(&[("a", &many), ("b", &many)]).contains("100000"));
        assert!(plan(&[], &[]).check().unwrap_err().contains("1 to"));
        assert_eq!(plan(&[], &[1]).check(), Ok(()));
    }

    #[test]
    fn a_folder_holds_one_sweep() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (plan(&[], &[1]), plan(&[], &[2]));
        one.settle(folder.path()).unwrap();
        one.settle(folder.path()).unwrap();
        assert!(other.settle(folder.path()).unwrap_err().to_string().contains("another sweep"));
        std::fs::write(folder.path().join(FILE), "{").unwrap();
        assert!(one.settle(folder.path()).unwrap_err().to_string().contains("something else"));
    }
}
