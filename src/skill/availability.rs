//! Whether a skill has what it `requires`. One that does not stays listed, with the reasons.

use super::package::Skill;
use super::registry::SkillRegistry;

/// The tools that a skill may ask for: those that minds are given, and the names that other
/// systems have for them (contract 1.6 of the SKILL.md dialects and of AgentSociety).
const TOOLS: [&str; 20] = [
    "activate_skill",
    "append",
    "ask_env",
    "deactivate_skill",
    "execute_skill_script",
    "finish",
    "grep",
    "list",
    "load_skill",
    "memory_recent",
    "memory_search",
    "read",
    "read_skill_file",
    "run_bt_skill",
    "skill_manage",
    "skill_view",
    "skills_list",
    "todo_add",
    "todo_list",
    "write",
];

/// What is asked of the machine. A run asks the one it is on, a test whatever it likes.
pub struct Machine<'a> {
    /// Whether a program of this name is on the path.
    pub has_program: &'a dyn Fn(&str) -> bool,
    /// Whether an environment variable is set and not empty.
    pub has_variable: &'a dyn Fn(&str) -> bool,
    /// The operating system, as Rust names it.
    pub os: &'a str,
}

impl SkillRegistry {
    /// Notes for every skill what it requires and what is not there.
    ///
    /// A list of skills under `requires`, AgentSociety's form, asks for nothing: contract 1.8.
    pub fn judge(&mut self, machine: &Machine<'_>) {
        let missing: Vec<Vec<String>> =
            self.skills().iter().map(|skill| self.missing(skill, machine)).collect();
        self.set_missing(missing);
    }

    fn missing(&self, skill: &Skill, machine: &Machine<'_>) -> Vec<String> {
        let requires = &skill.manifest.requires;
        let mut missing = Vec::new();
        let mut lacks = |names: &[String], is_there: &dyn Fn(&str) -> bool, what: &str| {
            for name in names.iter().filter(|name| !is_there(name.as_str())) {
                missing.push(format!("{what} '{name}'"));
            }
        };
        lacks(&requires.bins, machine.has_program, "no program");
        lacks(&requires.env, machine.has_variable, "no environment variable");
        lacks(&requires.tools, &|name| TOOLS.contains(&name), "no tool");
        if skill.manifest.fields.get("requires").is_some_and(serde_json::Value::is_object) {
            lacks(&requires.skills, &|name| self.resolve(name).is_ok(), "no skill");
        }
        if !requires.os.is_empty() && !requires.os.iter().any(|os| same_os(os, machine.os)) {
            let (wanted, here) = (requires.os.join(" or "), machine.os);
            missing.push(format!("it is for {wanted}, and this is {here}"));
        }
        missing
    }
}

/// Whether a skill's word for a system means the one that Rust calls `here`.
fn same_os(word: &str, here: &str) -> bool {
    match word.to_ascii_lowercase().as_str() {
        "darwin" | "macos" | "osx" => here == "macos",
        "win32" => here == "windows",
        other => other == here,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skill::package::SkillScope;
    use crate::skill::registry::{ScanPlan, SkillRoot};

    /// Contract 1.2 (each miss makes it unavailable, an empty variable is missing, the systems'
    /// names) and 1.8 (a list of skills does not block).
    #[test]
    fn each_thing_that_is_missing_is_a_reason() {
        let root = tempfile::tempdir().unwrap();
        let write = |name: &str, requires: &str| {
            let folder = root.path().join(name);
            std::fs::create_dir_all(&folder).unwrap();
            let text = format!("---\nname: {name}\ndescription: d\nrequires: {requires}\n---\n");
            std::fs::write(folder.join("SKILL.md"), text).unwrap();
        };
        write("all", "{bins: [node, git], env: [KEY, HOME], os: [darwin, windows]}");
        write("met", "{runtime: git, env: HOME, os: [windows, linux], skills: [all]}");
        write("tools", "{tools: [ask_env, drone], skills: [met, nobody]}");
        write("list", "[nobody]");
        let roots = vec![SkillRoot::new(SkillScope::Workspace, root.path())];
        let mut registry = SkillRegistry::scan(&ScanPlan { roots, allow: None }).unwrap();
        registry.judge(&Machine {
            has_program: &|name| name == "git",
            has_variable: &|name| name == "HOME",
            os: "linux",
        });
        let missing =
            |name: &str| registry.skills()[registry.resolve(name).unwrap()].missing.join("; ");
        assert_eq!(
            missing("all"),
            "no program 'node'; no environment variable 'KEY'; it is for darwin or windows, and \
             this is linux"
        );
        assert_eq!(missing("tools"), "no tool 'drone'; no skill 'nobody'");
        assert_eq!((missing("met"), missing("list")), (String::new(), String::new()));
    }
}
