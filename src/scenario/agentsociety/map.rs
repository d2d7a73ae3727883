//! What of the two files exists here, where it goes, and why the rest was left out.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jiff::civil::DateTime;
use serde_json::{Map, Value, json};

use super::person::{AGE_ASSUMED, traits};
use super::read::{Society, Source};
use crate::agent::person::Sex;

/// Keys of `kwargs` that are settings of the agent; all others are its profile.
const SETTINGS: &[&str] = &[
    "id",
    "max_react_turns",
    "enable_memory",
    "enable_todo_list",
    "disabled_skill_ids",
    "default_activated_skill_ids",
    "extra_skill_paths",
];
const NO_MIND: &str = "no language model runs here; Stories of daily-guidance plan the days";
const NO_TIMELINE: &str = "a scenario has no timeline of questions and interventions";

/// What became of something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// It acts as it did.
    Mapped,
    /// It is kept beside the scenario, where nothing reads it.
    Kept,
    /// It has no effect here.
    LeftOut,
}

/// One line of the report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What it is, as a path in its file.
    pub what: String,
    /// The file's name, and the line where it stands first.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// How often it occurs.
    pub count: u32,
    /// What became of it.
    pub outcome: Outcome,
    /// Where it went, or why it did not.
    pub note: String,
}

/// The scenario and its tables as texts, and the report.
#[derive(Debug, Clone, PartialEq)]
pub struct Import {
    /// The scenario.
    pub scenario: String,
    /// `households.csv`.
    pub households: String,
    /// `persons.csv`.
    pub persons: String,
    /// What was left out, as it stood, in YAML.
    pub unmapped: String,
    /// What became of everything.
    pub items: Vec<Item>,
}

/// Where a run starts; a time zone and fractions of a second are cut off.
pub(super) fn start_of(text: &str) -> Option<DateTime> {
    let text = text.trim();
    let civil = text.get(..19).unwrap_or(text);
    civil.parse().ok()
}

#[derive(Default)]
struct Report {
    items: Vec<Item>,
    known: BTreeMap<(String, String), usize>,
    /// What was left out, by what it is and value; the agents that have it.
    left: Vec<(String, Value, Vec<i64>)>,
    left_known: BTreeMap<(String, String), usize>,
}

impl Report {
    fn add(&mut self, source: &Source, pointer: &str, what: &str, outcome: Outcome, note: &str) {
        let next = self.items.len();
        let key = (what.to_owned(), note.to_owned());
        let index = *self.known.entry(key).or_insert(next);
        if index == next {
            let (what, note, file) = (what.to_owned(), note.to_owned(), source.name.clone());
            let line = source.tree.place(pointer).key.line;
            self.items.push(Item { what, file, line, count: 0, outcome, note });
        }
        self.items[index].count += 1;
    }

    fn leave(&mut self, source: &Source, pointer: &str, what: &str, note: &str, id: Option<i64>) {
        self.add(source, pointer, what, Outcome::LeftOut, note);
        let value = source.tree.value.pointer(pointer).cloned().unwrap_or_default();
        let next = self.left.len();
        let index = *self.left_known.entry((what.to_owned(), value.to_string())).or_insert(next);
        if index == next {
            self.left.push((what.to_owned(), value, Vec::new()));
        }
        self.left[index].2.extend(id);
    }

    fn unmapped(&self) -> Value {
        let entry = |(what, value, agents): &(String, Value, Vec<i64>)| match agents.is_empty() {
            true => json!({"what": what, "value": value}),
            false => json!({"what": what, "agents": agents, "value": value}),
        };
        Value::Array(self.left.iter().map(entry).collect())
    }
}

/// A person of the table: number, profile.
struct Person<'a> {
    id: i64,
    at: String,
    kwargs: &'a Map<String, Value>,
    profile: Vec<(&'a str, &'a Value)>,
}

impl Society {
    /// Folders of skills that the agents name and that exist.
    pub fn skill_roots(&self) -> Vec<PathBuf> {
        let agents = self.init.tree.value["agents"].as_array().map_or(&[][..], Vec::as_slice);
        let mut roots = Vec::new();
        for value in agents.iter().filter_map(|agent| agent.pointer("/kwargs/extra_skill_paths")) {
            for path in texts(value) {
                let path = self.folder.join(path);
                let root = std::fs::canonicalize(&path).unwrap_or(path);
                if root.is_dir() && !roots.contains(&root) {
                    roots.push(root);
                }
            }
        }
        roots
    }

    /// Maps the two files to a scenario called `name`; `knows` says whether a skill of this name
    /// exists.
    pub fn import(&self, name: &str, knows: &dyn Fn(&str) -> bool) -> Import {
        let mut report = Report::default();
        let clock = self.clock(&mut report);
        let empty = Map::new();
        let persons = self.people(&empty, &mut report);
        self.modules(&mut report);
        let skills = self.skills(&persons, knows, &mut report);
        let columns = ["person_id", "household_id", "age", "sex", "role"];
        let same: Map<_, _> =
            columns.into_iter().map(|word| (word.to_owned(), Value::from(word))).collect();
        // As many persons per zone as in the scenario `synthetic_city`, in 16 zones at least.
        let side = (persons.len() as f64 / 25.0).sqrt().ceil().clamp(4.0, 60.0) as u32;
        let mut spec = json!({
            "name": name,
            "clock": clock,
            "population": {
                "source": "table",
                "households": {
                    "file": "households.csv",
                    "columns": {"household_id": "household_id", "zone": "zone"},
                },
                "persons": {"file": "persons.csv", "columns": same},
            },
            "environment": {"city": {"source": "grid", "zones_x": side, "zones_y": side}},
        });
        if !skills.is_empty() {
            spec["skills"] = Value::Object(skills);
        }
        let (households, persons) = tables(&self.init, &persons, &mut report);
        Import {
            scenario: format!("{}{}", self.heading(&report), yaml(&spec)),
            households,
            persons,
            unmapped: yaml(&report.unmapped()),
            items: report.items,
        }
    }

    fn heading(&self, report: &Report) -> String {
        let version = env!("CARGO_PKG_VERSION");
        let (init, steps) = (&self.init.name, &self.steps.name);
        let mut text = format!("# Imported from {init} and {steps} by populace {version}.\n");
        for item in report.items.iter().filter(|item| item.outcome == Outcome::LeftOut) {
            let line = format!("# left out: {}: {}", item.what, item.note);
            text.push_str(&line.replace(|c: char| c.is_control(), " "));
            text.push('\n');
        }
        text
    }

    fn clock(&self, report: &mut Report) -> Value {
        let value = &self.steps.tree.value;
        let written = value["start_t"].as_str().unwrap_or_default();
        let start = start_of(written).unwrap_or_default().to_string();
        report.add(&self.steps, "/start_t", "start_t", Outcome::Mapped, "clock.start");
        if written.len() > 19 {
            let note = "a scenario has civil time in whole seconds, without zones";
            report.leave(&self.steps, "/start_t", "start_t after the seconds", note, None);
        }
        let (mut tick_s, mut ticks) = (None, 0_u64);
        let steps = value["steps"].as_array().map_or(&[][..], Vec::as_slice);
        for (index, step) in steps.iter().enumerate() {
            let (at, what) = (format!("/steps/{index}"), format!("steps[{index}]"));
            let kind = step["type"].as_str().unwrap_or_default();
            if kind != "run" {
                let note = format!("{NO_TIMELINE}; it came after tick {ticks}");
                report.leave(&self.steps, &at, &format!("{what} {kind}"), &note, None);
                continue;
            }
            let own = step["tick"].as_u64().unwrap_or(1);
            if *tick_s.get_or_insert(own) == own {
                ticks += step["num_steps"].as_u64().unwrap_or(0);
                let note = "clock.tick_s, clock.ticks (runs are added up)";
                report.add(&self.steps, &at, &format!("{what} run"), Outcome::Mapped, note);
            } else {
                let note = "its tick is another than the first run's, and a scenario has one";
                report.leave(&self.steps, &at, &format!("{what} run"), note, None);
            }
        }
        json!({"start": start, "tick_s": tick_s, "ticks": ticks})
    }

    fn people<'a>(&'a self, empty: &'a Map<String, Value>, report: &mut Report) -> Vec<Person<'a>> {
        let mut persons = Vec::new();
        let agents = self.init.tree.value["agents"].as_array().map_or(&[][..], Vec::as_slice);
        for (index, agent) in agents.iter().enumerate() {
            let at = format!("/agents/{index}");
            let kind = agent["agent_type"].as_str().unwrap_or_default();
            let id = agent["agent_id"].as_i64().unwrap_or_default();
            if kind != "PersonAgent" {
                let what = format!("agents[] {kind}");
                report.leave(&self.init, &at, &what, "only PersonAgent exists here", Some(id));
                continue;
            }
            let note = "a row of persons.csv with the same number; daily-guidance plans its days";
            report.add(&self.init, &at, "agents[] PersonAgent", Outcome::Mapped, note);
            let kwargs = agent["kwargs"].as_object().unwrap_or(empty);
            let mut profile = Vec::new();
            for (key, value) in kwargs {
                let below = format!("{at}/kwargs/{key}");
                match (key.as_str(), value) {
                    ("max_react_turns" | "enable_memory" | "enable_todo_list", _) => {
                        let what = format!("agents[].kwargs.{key}");
                        report.leave(&self.init, &below, &what, NO_MIND, Some(id));
                    }
                    ("profile", Value::Object(inner)) => {
                        profile.extend(inner.iter().map(|(key, value)| (key.as_str(), value)));
                    }
                    (key, value) if !SETTINGS.contains(&key) => profile.push((key, value)),
                    _ => {}
                }
            }
            persons.push(Person { id, at, kwargs, profile });
        }
        persons
    }

    fn modules(&self, report: &mut Report) {
        let value = &self.init.tree.value;
        let modules = value["env_modules"].as_array().map_or(&[][..], Vec::as_slice);
        for (index, module) in modules.iter().enumerate() {
            let at = format!("/env_modules/{index}");
            let kind = module["module_type"].as_str().unwrap_or_default();
            let what = format!("env_modules[] {kind}");
            let note = match kind {
                "EventSpace" => {
                    let note = "behaviour.story: its seven activities are those of a Story";
                    report.add(&self.init, &at, &what, Outcome::Mapped, note);
                    continue;
                }
                "MobilitySpace" => {
                    "its map (.pb) and areas are not read: environment.city is a made-up town"
                }
                "SimpleSocialSpace" => "persons here send no messages of their own",
                "GlobalInformationEnv" => "nothing is broadcast to persons here",
                _ => "no such module exists here",
            };
            report.leave(&self.init, &at, &what, note, None);
        }
        if value.get("codegen_router").is_some() {
            let note = "no code is generated here: calls of the environment are typed";
            report.leave(&self.init, "/codegen_router", "codegen_router", note, None);
        }
    }

    fn skills(
        &self,
        persons: &[Person<'_>],
        knows: &dyn Fn(&str) -> bool,
        report: &mut Report,
    ) -> Map<String, Value> {
        let mut skills = Map::new();
        for (key, ours) in [
            ("default_activated_skill_ids", "default_activated"),
            ("disabled_skill_ids", "disabled"),
        ] {
            let first = persons.first().and_then(|person| person.kwargs.get(key));
            let agree = persons.iter().all(|person| person.kwargs.get(key) == first);
            for person in persons.iter().filter(|person| person.kwargs.contains_key(key)) {
                let (at, what) =
                    (format!("{}/kwargs/{key}", person.at), format!("agents[].kwargs.{key}"));
                let mut named = texts(&person.kwargs[key]);
                if !agree {
                    let note = "the agents differ, and groups here go by role and age";
                    report.leave(&self.init, &at, &what, note, Some(person.id));
                } else if named.iter().any(|name| !knows(name)) {
                    let note = "it names skills that are not found here; see extra_skill_paths";
                    report.leave(&self.init, &at, &what, note, Some(person.id));
                } else {
                    let note = format!("skills.{ours}");
                    report.add(&self.init, &at, &what, Outcome::Mapped, &note);
                    // Where a language model planned the days, somebody still has to.
                    let planned = named.iter().any(|name| name.ends_with("daily-guidance"));
                    if ours == "default_activated" && !planned {
                        named.push("daily-guidance".to_owned());
                    }
                    skills.insert(ours.to_owned(), json!(named));
                }
            }
        }
        let roots = self.skill_roots();
        for person in persons {
            let Some(value) = person.kwargs.get("extra_skill_paths") else { continue };
            let at = format!("{}/kwargs/extra_skill_paths", person.at);
            let found = |path: &String| self.folder.join(path).is_dir();
            let what = "agents[].kwargs.extra_skill_paths";
            if texts(value).iter().all(found) {
                let note = "skills.roots, for all persons";
                report.add(&self.init, &at, what, Outcome::Mapped, note);
            } else {
                let note = "no such folder beside the file";
                report.leave(&self.init, &at, what, note, Some(person.id));
            }
        }
        if !roots.is_empty() {
            skills.insert("roots".to_owned(), json!(roots));
        }
        skills
    }
}

/// One text or a list of them.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => vec![text.clone()],
        Value::Array(list) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

fn yaml(value: &Value) -> String {
    serde_yaml::to_string(value).expect("a JSON value can be written as YAML")
}

/// The tables of households (one for each person) and of persons. Every field of a profile is
/// kept in a column of its own, `profile.<field>`.
fn tables(source: &Source, persons: &[Person<'_>], report: &mut Report) -> (String, String) {
    let mut fields: Vec<&str> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for (field, _) in persons.iter().flat_map(|person| &person.profile) {
        if seen.insert(*field) {
            fields.push(field);
        }
    }
    let mut header =
        ["person_id", "household_id", "age", "sex", "role"].map(str::to_owned).to_vec();
    header.extend(fields.iter().map(|field| format!("profile.{field}")));
    let mut rows = vec![header];
    let mut households = "household_id,zone\n".to_owned();
    for person in persons {
        let told = traits(&person.profile);
        if told.age.is_none() {
            let note = format!("not told or not readable: {AGE_ASSUMED} years are assumed");
            report.add(source, &person.at, "agents[] age", Outcome::LeftOut, &note);
        }
        for (field, _) in &person.profile {
            let what = format!("agents[] profile {field}");
            let note = "a column of persons.csv; age, sex and occupation give age, sex and role";
            report.add(source, &person.at, &what, Outcome::Kept, note);
        }
        let cell = |field: &&str| match person.profile.iter().find(|(key, _)| key == field) {
            Some((_, Value::String(text))) => text.clone(),
            Some((_, value)) => value.to_string(),
            None => String::new(),
        };
        let id = person.id.to_string();
        let age = told.age.unwrap_or(AGE_ASSUMED).to_string();
        let sex = told.sex.unwrap_or(Sex::Other).word().to_owned();
        households.push_str(&format!("{id},\n"));
        let mut row = vec![id.clone(), id, age, sex, told.role.word().to_owned()];
        row.extend(fields.iter().map(cell));
        rows.push(row);
    }
    (households, csv_text(&rows))
}

fn csv_text(rows: &[Vec<String>]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).expect("rows of one length go into memory");
    }
    let bytes = writer.into_inner().expect("memory takes all bytes");
    String::from_utf8(bytes).expect("cells are text")
}
