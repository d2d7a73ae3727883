//! The trees of skills whose execution is `bt`: read, compiled once, joined where one skill calls
//! another. Trees that only Python can build are not made here.

use std::path::PathBuf;
use std::sync::Arc;

use super::document::SkillDiagnostic;
use super::package::Skill;
use super::registry::SkillRegistry;
use super::script::{first_u64, script_of};
use crate::agent::request::{ScriptRef, ScriptResult};
use crate::behaviour::catalogue::PersonAction;
use crate::behaviour::compile::compile;
use crate::behaviour::error::{TreeError, TreeProblem};
use crate::behaviour::expression::SlotIndex;
use crate::behaviour::format::read;
use crate::behaviour::people::{Forest, PersonTree, PersonWords};
use crate::behaviour::tree::Tree;

/// Before the name of a slot that holds what a hook said.
const HOOK_PREFIX: &str = "hook.";

/// Compiles the trees of all skills that have one and miss nothing, but those in Python. A tree
/// that cannot be used is told of, and its skill then does nothing.
pub fn forest(registry: &SkillRegistry) -> (Forest, Vec<SkillDiagnostic>) {
    let mut found: Vec<PersonTree> = Vec::new();
    let mut problems = Vec::new();
    for (skill_index, skill) in registry.skills().iter().enumerate() {
        if !is_native_tree(skill) || !skill.is_available() {
            continue;
        }
        match tree_of(skill) {
            Ok(tree) => found.push(person_tree(skill_index, skill, tree)),
            Err(error) => problems.extend(told(skill, &error)),
        }
    }
    join(registry, found, problems)
}

/// Whether the skill is a tree of a format that is read here.
fn is_native_tree(skill: &Skill) -> bool {
    let tree = skill.manifest.bt.as_ref();
    tree.is_some_and(|tree| !tree.tree.to_ascii_lowercase().ends_with(".py"))
}

fn tree_of(skill: &Skill) -> Result<Tree, TreeError> {
    let path = tree_path(skill);
    // A path or a link that leads out of the skill's folder is refused here.
    skill
        .file(tree_file(skill))
        .map_err(|error| TreeError::Format { path: path.clone(), reason: error.to_string() })?;
    compile(&read(&path)?, &path, &PersonWords)
}

fn tree_file(skill: &Skill) -> &str {
    skill.manifest.bt.as_ref().map_or("", |tree| tree.tree.as_str())
}

fn tree_path(skill: &Skill) -> PathBuf {
    skill.document.parent().map_or_else(PathBuf::new, |folder| folder.join(tree_file(skill)))
}

fn person_tree(skill_index: usize, skill: &Skill, tree: Tree) -> PersonTree {
    let salt = first_u64(&blake3::hash(skill.id.as_bytes()));
    let slots = || {
        let numbers = (0_u16..).map(SlotIndex);
        tree.slots().iter().map(|slot| slot.name.as_str()).zip(numbers)
    };
    let fields = skill.manifest.bt.as_ref();
    let declared = fields.and_then(|fields| fields.outputs.get("properties")?.as_object());
    let required = fields.map_or(&[][..], |fields| &fields.required);
    let mut names: Vec<String> =
        declared.map_or_else(Vec::new, |declared| declared.keys().cloned().collect());
    names.extend(required.iter().cloned());
    names.sort_unstable();
    names.dedup();
    let output = |name: String| {
        let slot = slots().find(|(slot, _)| *slot == name)?.1;
        let is_required = required.contains(&name);
        Some((name, slot, is_required))
    };
    let outputs = names.into_iter().filter_map(output).collect();
    let hook_slots = slots()
        .filter_map(|(name, slot)| Some((name.strip_prefix(HOOK_PREFIX)?.to_owned(), slot)))
        .collect();
    let (calls, scripts) = (Vec::new(), Vec::new());
    PersonTree { skill_index, tree, salt, calls, scripts, outputs, hook_slots }
}

/// Joins callers with what they call. A tree that calls what is not there, or itself, is left out.
fn join(
    registry: &SkillRegistry,
    mut trees: Vec<PersonTree>,
    mut problems: Vec<SkillDiagnostic>,
) -> (Forest, Vec<SkillDiagnostic>) {
    let joined = loop {
        let links = |(index, tree): (usize, &PersonTree)| {
            links(registry, &trees, tree).map_err(|problem| (index, problem))
        };
        match trees.iter().enumerate().map(links).collect::<Result<Vec<Links>, _>>() {
            Ok(joined) => break joined,
            // Who calls a tree that is left out is broken too: all is looked at again.
            Err((index, problem)) => {
                let skill = &registry.skills()[trees.remove(index).skill_index];
                let error = TreeError::Invalid { path: tree_path(skill), problems: vec![problem] };
                problems.extend(told(skill, &error));
            }
        }
    };
    for (tree, links) in trees.iter_mut().zip(joined) {
        (tree.calls, tree.scripts) = links;
    }
    let mut forest = Forest { trees };
    let circle = |forest: &Forest, index: usize| {
        let own = &forest.trees[index].calls;
        own.iter().any(|(_, callee)| forest.reach(*callee).contains(&index))
    };
    if let Some(index) = (0..forest.trees.len()).find(|index| circle(&forest, *index)) {
        let tree = forest.trees.remove(index);
        let skill = &registry.skills()[tree.skill_index];
        let message = "the skill calls itself by way of `call_skill`";
        problems.push(SkillDiagnostic::error(&tree_path(skill), 1, "recursive-tree", message));
        return join(registry, forest.trees, problems);
    }
    (forest, problems)
}

type Links = (Vec<(u16, usize)>, Vec<(u16, Arc<ScriptRef>)>);

fn links(
    registry: &SkillRegistry,
    trees: &[PersonTree],
    tree: &PersonTree,
) -> Result<Links, TreeProblem> {
    let (mut calls, mut scripts) = (Vec::new(), Vec::new());
    for leaf in tree.tree.leaves() {
        let at = tree.tree.label(leaf.node).at;
        let problem = |code, message| {
            let (line, column) = (at.line, at.column);
            TreeProblem { line, column, code, message }
        };
        let own = &registry.skills()[tree.skill_index];
        let skill_named = |token: Option<&str>| match token {
            None => Ok(own),
            Some(token) => registry
                .resolve(token)
                .map(|index| &registry.skills()[index])
                .map_err(|error| problem("unknown-skill", error.to_string())),
        };
        let script = |skill: &Skill, path: Option<&str>| {
            let refused = |why: Box<ScriptResult>| {
                problem("no-script", format!("{}: {}", skill.id, why.stderr))
            };
            script_of(skill, path).map(Arc::new).map_err(refused)
        };
        match leaf.action {
            Some(PersonAction::RunScript) => {
                let skill = skill_named(leaf.written_text(1))?;
                scripts.push((leaf.node, script(skill, leaf.written_text(0))?));
            }
            Some(PersonAction::CallSkill) => {
                let skill = skill_named(leaf.written_text(0))?;
                let callee = trees
                    .iter()
                    .position(|other| registry.skills()[other.skill_index].id == skill.id);
                match callee {
                    Some(callee) => calls.push((leaf.node, callee)),
                    None if skill.manifest.bt.is_some() => {
                        let message = format!("the tree of {} cannot be used here", skill.id);
                        return Err(problem("unusable-skill", message));
                    }
                    None => scripts.push((leaf.node, script(skill, None)?)),
                }
            }
            _ => {}
        }
    }
    Ok((calls, scripts))
}

fn told(skill: &Skill, error: &TreeError) -> Vec<SkillDiagnostic> {
    let path = tree_path(skill);
    match error {
        TreeError::Invalid { problems, .. } => {
            let told = |problem: &TreeProblem| {
                let TreeProblem { line, code, message, .. } = problem;
                SkillDiagnostic::error(&path, *line, code, message)
            };
            problems.iter().map(told).collect()
        }
        other => vec![SkillDiagnostic::error(&path, 1, "bad-tree", other.to_string())],
    }
}
