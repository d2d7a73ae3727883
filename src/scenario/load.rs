//! Reads a scenario: text, overrides, schema, types, checks; in this order.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::diagnostic::{Diagnostic, Severity};
use super::error::ScenarioError;
use super::explain::{self, Finding};
use super::locate::{self, Spot, Tree};
use super::overrides;
use super::spec::{Environment, LogPolicy, Population, Spec};
use super::toggles::Toggles;
use super::validate;
use crate::base::time::SimClock;

/// Largest scenario file in bytes.
const FILE_BYTES_MAX: u64 = 1 << 20;
/// Name of the file in a scenario's folder.
const FILE_NAME: &str = "scenario.yaml";

/// A scenario that has passed all checks.
#[derive(Debug, Clone, PartialEq)]
pub struct Scenario {
    /// What it says, defaults and overrides included.
    pub spec: Spec,
    /// The file.
    pub path: PathBuf,
    /// The folder of the file; relative paths in it start here.
    pub root: PathBuf,
    /// Hash (BLAKE3, 64 hexadecimal digits) of all that bears on the results: the spec with
    /// defaults and overrides, without `outputs` and `sweep`, in canonical JSON. Not of the files
    /// it names.
    pub hash: String,
    /// What has no effect, in order of position.
    pub warnings: Vec<Diagnostic>,
}

impl Scenario {
    /// Reads and checks the scenario at `path`, a file or a folder that holds `scenario.yaml`.
    ///
    /// Each of `overrides` is a dotted path and a value in YAML, such as `("records.log",
    /// "changed")`; a later one wins. Overriding `clock.ticks` removes a `clock.until` of the file
    /// and the other way round.
    ///
    /// # Errors
    /// [`ScenarioError::Io`] if the file cannot be read, [`ScenarioError::Invalid`] with every
    /// mistake found.
    pub fn load(path: &Path, overrides: &[(String, String)]) -> Result<Self, ScenarioError> {
        let path = if path.is_dir() { path.join(FILE_NAME) } else { path.to_path_buf() };
        let io = |source| ScenarioError::Io { path: path.clone(), source };
        let mut bytes = Vec::new();
        let file = File::open(&path).map_err(io)?;
        file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(io)?;
        Self::from_bytes(&bytes, &path, overrides)
    }

    /// Checks a scenario whose text is at hand; `path` is where it would be. As [`Self::load`].
    ///
    /// # Errors
    /// [`ScenarioError::Invalid`] with every mistake found.
    pub fn from_bytes(
        bytes: &[u8],
        path: &Path,
        overrides: &[(String, String)],
    ) -> Result<Self, ScenarioError> {
        let root = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let root = root.unwrap_or(Path::new(".")).to_path_buf();
        let mut texts = Texts::new(path);
        let text = texts.decode(bytes).map_err(invalid)?;
        let tree = texts.parse(text, overrides).map_err(invalid)?;

        let mut errors = texts.repeats(&tree);
        errors.extend(texts.show(&tree, &explain::check(&tree.value), Severity::Error));
        if !errors.is_empty() {
            return Err(ScenarioError::Invalid(in_order(errors)));
        }
        let mut spec = typed(&tree.value).map_err(|finding| {
            ScenarioError::Invalid(texts.show(&tree, &[finding], Severity::Error))
        })?;
        let given = |pointer: &str| tree.value.pointer(pointer).is_some();
        if spec.model.is_some() && !given("/records/log") {
            // A model's agents are many and its steps short: their rows are written if asked for.
            spec.records.log = LogPolicy::None;
        }
        let checks = validate::run(&spec, &root, &given);
        if !checks.errors.is_empty() {
            let errors = texts.show(&tree, &checks.errors, Severity::Error);
            return Err(ScenarioError::Invalid(in_order(errors)));
        }
        let warnings = in_order(texts.show(&tree, &checks.warnings, Severity::Warning));
        // What the file says is part of the scenario, and of its hash.
        if let Some(file) = spec.skills.toggles.clone() {
            Toggles::read(&root.join(&file))?.add_to(&mut spec.skills, &file);
        }
        let hash = hash(&spec);
        Ok(Self { spec, path: path.to_path_buf(), root, hash, warnings })
    }

    /// A path of the scenario as one that can be opened from the current directory.
    pub fn resolve(&self, path: &Path) -> PathBuf {
        self.root.join(path)
    }

    /// The data files that it names, as it names them, each once.
    pub fn files(&self) -> Vec<&Path> {
        let mut files: Vec<&Path> =
            validate::named_files(&self.spec).into_iter().map(|(_, path, _)| path).collect();
        files.sort_unstable();
        files.dedup();
        files
    }

    /// Who lives here.
    ///
    /// # Errors
    /// [`ScenarioError::NoPersons`] if the scenario is a model.
    pub fn population(&self) -> Result<&Population, ScenarioError> {
        self.spec.population.as_ref().ok_or_else(|| self.no_persons())
    }

    /// The world outside heads.
    ///
    /// # Errors
    /// [`ScenarioError::NoPersons`] if the scenario is a model.
    pub fn environment(&self) -> Result<&Environment, ScenarioError> {
        self.spec.environment.as_ref().ok_or_else(|| self.no_persons())
    }

    fn no_persons(&self) -> ScenarioError {
        let model = self.spec.model().map_or("", |model| model.key());
        ScenarioError::NoPersons { path: self.path.clone(), model }
    }

    /// The clock of the run.
    pub fn clock(&self) -> SimClock {
        let clock = &self.spec.clock;
        SimClock::new(clock.start, clock.tick_s, clock.tick_count())
    }

    /// The run folder, relative to the current directory, with its placeholders filled in.
    pub fn output_dir(&self) -> PathBuf {
        let seed = self.spec.seed.to_string();
        let dir = self.spec.outputs.dir.replace("{name}", &self.spec.name);
        PathBuf::from(dir.replace("{seed}", &seed))
    }

    /// The whole scenario as JSON, defaults and overrides included: what a run should keep.
    pub fn to_json(&self) -> Value {
        json_of(&self.spec)
    }
}

/// The spec as JSON; without what only persons have if it is a model, as it may not be given there.
fn json_of(spec: &Spec) -> Value {
    let mut json =
        serde_json::to_value(spec).expect("a spec holds no map keys but text and no odd numbers");
    if spec.model.is_some() {
        for (map, key) in validate::KEYS_OF_PERSONS.iter().filter_map(|key| key.rsplit_once('/')) {
            if let Some(Value::Object(map)) = json.pointer_mut(map) {
                map.shift_remove(key);
            }
        }
    }
    json
}

fn invalid(diagnostic: Diagnostic) -> ScenarioError {
    ScenarioError::Invalid(vec![diagnostic])
}

fn in_order(mut diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    diagnostics.sort_by(|a, b| {
        let place = |one: &Diagnostic| (one.line, one.column);
        a.file.cmp(&b.file).then(place(a).cmp(&place(b))).then(a.message.cmp(&b.message))
    });
    diagnostics.dedup();
    diagnostics
}

/// The typed spec. The schema has said yes, so a no is a gap of the schema; it is shown all the
/// same.
fn typed(value: &Value) -> Result<Spec, Finding> {
    serde_json::from_value(value.clone()).map_err(|error| Finding {
        pointer: String::new(),
        on_key: false,
        message: error.to_string(),
        help: None,
    })
}

fn hash(spec: &Spec) -> String {
    let mut value = json_of(spec);
    if let Value::Object(map) = &mut value {
        map.remove("outputs");
        map.remove("sweep");
    }
    blake3::hash(sorted(value).to_string().as_bytes()).to_hex().to_string()
}

/// The value with the keys of all maps in byte order: its canonical form.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(map) => {
            let mut entries: Vec<_> = map.into_iter().collect();
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            let sorted = entries.into_iter().map(|(key, value)| (key, sorted(value)));
            Value::Object(sorted.collect::<Map<_, _>>())
        }
        Value::Array(list) => Value::Array(list.into_iter().map(sorted).collect()),
        other => other,
    }
}

/// The texts that a scenario is made of, for showing lines of them.
pub(super) struct Texts {
    /// Name and text; the first is the file, the others are overrides.
    pub(super) texts: Vec<(String, String)>,
}

impl Texts {
    pub(super) fn new(path: &Path) -> Self {
        Self { texts: vec![(path.display().to_string(), String::new())] }
    }

    /// The file's bytes as text. Too many bytes and bytes that are not UTF-8 are mistakes.
    fn decode(&mut self, bytes: &[u8]) -> Result<String, Diagnostic> {
        let whole = Spot { source: 0, line: 1, column: 1, width: 1 };
        if bytes.len() as u64 > FILE_BYTES_MAX {
            let message = format!("the file has more than {FILE_BYTES_MAX} bytes");
            let help = Some("a scenario names its data files; it does not hold them".to_owned());
            return Err(self.diagnostic(whole, Severity::Error, message, help));
        }
        std::str::from_utf8(bytes).map(str::to_owned).map_err(|error| {
            let good = &bytes[..error.valid_up_to()];
            let line = good.iter().filter(|byte| **byte == b'\n').count();
            self.texts[0].1 = String::from_utf8_lossy(bytes).into_owned();
            let line = u32::try_from(line + 1).unwrap_or(u32::MAX);
            let message = format!("byte {} is not text in UTF-8", error.valid_up_to() + 1);
            let help = Some("save the file as UTF-8".to_owned());
            self.diagnostic(Spot { line, ..whole }, Severity::Error, message, help)
        })
    }

    /// Parses the file and puts the overrides in.
    fn parse(&mut self, text: String, overrides: &[(String, String)]) -> Result<Tree, Diagnostic> {
        self.texts[0].1 = text;
        let syntax = |texts: &Self, error: locate::SyntaxError| {
            texts.diagnostic(error.spot, Severity::Error, error.message, None)
        };
        let mut tree = locate::parse(&self.texts[0].1, 0).map_err(|error| syntax(self, error))?;
        for (path, value) in overrides {
            let path = &overrides::target(&tree, path);
            self.texts.push(("command line".to_owned(), format!("{path}={value}")));
            overrides::apply(&mut tree, path, value, self.texts.len() - 1)
                .map_err(|error| syntax(self, error))?;
        }
        Ok(tree)
    }

    pub(super) fn repeats(&self, tree: &Tree) -> Vec<Diagnostic> {
        let repeat = |repeat: &locate::Repeat| {
            let message = format!("key `{}` stands twice", repeat.key);
            let help = format!("it stands in line {} already", repeat.first.line);
            self.diagnostic(repeat.second, Severity::Error, message, Some(help))
        };
        tree.repeats.iter().map(repeat).collect()
    }

    pub(super) fn show(
        &self,
        tree: &Tree,
        findings: &[Finding],
        severity: Severity,
    ) -> Vec<Diagnostic> {
        let show = |finding: &Finding| {
            let place = tree.place(&finding.pointer);
            let spot = if finding.on_key { place.key } else { place.value };
            self.diagnostic(spot, severity, finding.message.clone(), finding.help.clone())
        };
        findings.iter().map(show).collect()
    }

    pub(super) fn diagnostic(
        &self,
        spot: Spot,
        severity: Severity,
        message: String,
        help: Option<String>,
    ) -> Diagnostic {
        let (file, text) = &self.texts[spot.source];
        let Spot { column, width, .. } = spot;
        // The end of the text counts as a line after the last, and YAML knows line ends that are
        // none to an editor.
        let lines = u32::try_from(text.lines().count()).unwrap_or(u32::MAX).max(1);
        let line = spot.line.clamp(1, lines);
        let snippet = text.lines().nth(line as usize - 1).unwrap_or_default().to_owned();
        Diagnostic { severity, file: file.clone(), line, column, width, snippet, message, help }
    }
}
