//! `populace skills check`: what is wrong with the skills of a folder, and whether they are skills
//! of the open standard.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::skills::scan;
use super::{exit, report};
use crate::skill::document::manifest::SKILL_MD_BYTES_MAX;
use crate::skill::document::{self, Severity, SkillDiagnostic};
use crate::skill::package::SkillScope;

/// What is said of one SKILL.md.
struct Verdict {
    document: PathBuf,
    loads: bool,
    /// What the open standard finds; `None` if it could not be read.
    strict: Option<Vec<SkillDiagnostic>>,
}

/// Prints what is wrong with the skills below `root`; with `strict` also the open standard's
/// verdict on each, which is another question: a skill may load well and not be of the standard.
pub fn check(root: &Path, strict: bool, json: bool) -> anyhow::Result<u8> {
    let registry = scan(SkillScope::Workspace, &[root.to_owned()])?;
    let own = registry.skills().iter().filter(|skill| skill.root.is_some());
    let mut loads: BTreeMap<&Path, bool> =
        own.map(|skill| (skill.document.as_path(), true)).collect();
    let count = loads.len();
    let mut problems = registry.diagnostics().to_vec();
    let mut verdicts = Vec::new();
    if strict {
        let skipped = registry.diagnostics().iter().filter(|d| d.severity == Severity::Error);
        loads.extend(skipped.map(|found| (found.path.as_path(), false)));
        verdicts.extend(loads.into_iter().map(|(document, loads)| judge(document, loads)));
        problems.extend(verdicts.iter().filter_map(|verdict| verdict.strict.clone()).flatten());
    }
    if json {
        let rows: Vec<Value> = problems.iter().map(problem).collect();
        let mut answer = json!({"skills": count, "problems": rows});
        if strict {
            answer["verdicts"] = verdicts.iter().map(Verdict::document).collect();
        }
        report::say(&serde_json::to_string_pretty(&answer)?);
    } else {
        if strict {
            let rows = verdicts.iter().map(Verdict::cells).collect();
            report::say(&report::table(&["skill", "loads", "open standard"], rows, &[]));
        }
        problems.iter().for_each(|found| report::say(&found.to_string()));
        report::say(&format!("{count} skills, {} problems", problems.len()));
    }
    Ok(if problems.is_empty() { exit::DONE } else { exit::FAILURES })
}

fn problem(found: &SkillDiagnostic) -> Value {
    json!({
        "path": found.path,
        "line": found.line,
        "code": found.code,
        "severity": found.severity.word(),
        "message": found.message,
    })
}

fn judge(document: &Path, loads: bool) -> Verdict {
    // Only what a loader would read too: no pipe, and nothing endless.
    let fits = |about: &std::fs::Metadata| about.is_file() && about.len() <= SKILL_MD_BYTES_MAX;
    let readable = document.metadata().is_ok_and(|about| fits(&about));
    let bytes = if readable { std::fs::read(document).ok() } else { None };
    let strict = bytes.map(|bytes| document::strict(document, &bytes, &folder_of(document)));
    Verdict { document: document.to_owned(), loads, strict }
}

fn folder_of(document: &Path) -> String {
    let folder = document.parent().and_then(Path::file_name);
    folder.map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

impl Verdict {
    fn count(&self, severity: Severity) -> usize {
        let all = self.strict.iter().flatten();
        all.filter(|found| found.severity == severity).count()
    }

    fn is_valid(&self) -> bool {
        self.strict.is_some() && self.count(Severity::Error) == 0
    }

    fn document(&self) -> Value {
        json!({
            "skill": folder_of(&self.document),
            "loads": self.loads,
            "valid": self.is_valid(),
            "errors": self.count(Severity::Error),
            "warnings": self.count(Severity::Warning),
        })
    }

    fn cells(&self) -> Vec<String> {
        let loads = if self.loads { "yes" } else { "no" };
        let verdict = match (self.is_valid(), self.count(Severity::Error)) {
            (true, _) => "valid".to_owned(),
            (false, 0) => "cannot be read".to_owned(),
            (false, 1) => "1 error".to_owned(),
            (false, count) => format!("{count} errors"),
        };
        let warnings = match self.count(Severity::Warning) {
            0 => String::new(),
            1 => ", 1 warning".to_owned(),
            count => format!(", {count} warnings"),
        };
        vec![folder_of(&self.document), loads.to_owned(), format!("{verdict}{warnings}")]
    }
}
