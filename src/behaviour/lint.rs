//! What is allowed in a tree and probably not meant.

use std::collections::{BTreeMap, BTreeSet};

use super::catalogue::{Catalogue, Category, NodeManifest, PortDirection, PortType};
use super::compile::Vocabulary;
use super::definition::{Document, NodeDefinition, Position, key_of};
use super::error::TreeProblem;
use super::expression::Ast;
use super::format::nearest;
use super::people::PersonWords;
use super::status::Dialect;

/// The conditions that any node of BehaviorTree.CPP may have.
const CONDITIONS: [&str; 8] = [
    "_failureIf",
    "_successIf",
    "_skipIf",
    "_while",
    "_onHalted",
    "_onFailure",
    "_onSuccess",
    "_post",
];
/// What a call of either dialect may say of its blackboard.
const AUTOREMAP: &str = "_autoremap";

/// Everything doubtful in a document, in order of position. Codes: `async-before-reactive`,
/// `unreachable`, `never-set`, `never-read`, `unused-tree`, `needless-node`, `like-condition`.
pub fn lint(document: &Document) -> Vec<TreeProblem> {
    let catalogue = Catalogue::full(document.dialect);
    let mut linter = Linter {
        catalogue,
        dialect: document.dialect,
        remarks: Vec::new(),
        called: BTreeSet::new(),
        slots: BTreeMap::new(),
    };
    for tree in &document.trees {
        linter.node(&tree.root);
    }
    for tree in &document.trees {
        let is_main = document.trees.len() == 1 || document.main.as_deref() == Some(&tree.id);
        if !is_main && !linter.called.contains(&tree.id) {
            linter.remark(tree.at, "unused-tree", format!("no tree calls `{}`", tree.id));
        }
    }
    linter.judge_slots(document);
    linter.remarks.sort_by_key(|remark| (remark.line, remark.column));
    linter.remarks
}

/// How a slot is used.
#[derive(Default)]
struct SlotUse {
    is_read: bool,
    is_written: bool,
    first: Position,
}

struct Linter {
    catalogue: Catalogue,
    dialect: Dialect,
    remarks: Vec<TreeProblem>,
    called: BTreeSet<String>,
    slots: BTreeMap<String, SlotUse>,
}

impl Linter {
    fn remark(&mut self, at: Position, code: &'static str, message: String) {
        let Position { line, column } = at;
        self.remarks.push(TreeProblem { line, column, code, message });
    }

    fn node(&mut self, node: &NodeDefinition) {
        let Some(manifest) = self.catalogue.find(&node.kind) else { return };
        if manifest.category == Category::SubTree
            && let Some(id) = node.port("ID")
        {
            self.called.insert(id.to_owned());
            // What the call binds is known in the called tree, and may come back from it.
            for port in node.ports.iter().filter(|port| !port.name.starts_with('_')) {
                self.touch(&port.name, port.at, true, true);
            }
        }
        self.ports(node, manifest);
        self.mistyped(node);
        if self.is_reactive(node, manifest) {
            self.reactive(node);
        }
        self.reachable(node, manifest);
        if manifest.category == Category::Control && node.children.len() == 1 {
            let kind = manifest.kind;
            let message = format!("`{kind}` has a single child: it changes nothing");
            let changes = kind.starts_with("Parallel") || manifest.kind == "TryCatch";
            if !changes {
                self.remark(node.at, "needless-node", message);
            }
        }
        for child in &node.children {
            self.node(child);
        }
    }

    /// Whether the node begins with its first child in every tick.
    fn is_reactive(&self, node: &NodeDefinition, manifest: &NodeManifest) -> bool {
        match self.dialect {
            Dialect::BtCpp => manifest.kind.starts_with("Reactive"),
            Dialect::PyTrees => {
                let memory = node.port("memory").unwrap_or("true");
                matches!(manifest.kind, "Sequence" | "Selector")
                    && memory.eq_ignore_ascii_case("false")
            }
        }
    }

    /// A child that may run before another is begun anew each time the later one runs.
    fn reactive(&mut self, node: &NodeDefinition) {
        let count = node.children.len();
        for child in node.children.iter().take(count.saturating_sub(1)) {
            if self.may_run(child) {
                let (title, parent) = (child.title(), node.title());
                let message = format!(
                    "`{title}` may take several ticks, but the reactive `{parent}` interrupts it \
                     or ticks it again in every tick while a later child runs; put it last"
                );
                self.remark(child.at, "async-before-reactive", message);
            }
        }
    }

    /// Whether something below may take more than one tick.
    fn may_run(&self, node: &NodeDefinition) -> bool {
        let Some(manifest) = self.catalogue.find(&node.kind) else { return true };
        let own = match manifest.kind {
            "Stub" => node.port("results").is_some_and(|results| results.contains('R')),
            "Running"
            | "Dummy"
            | "Timer"
            | "TickCounter"
            | "Sleep"
            | "Delay"
            | "WaitValueUpdate"
            | "go_to"
            | "do_activity"
            | "wait"
            | "stay_until"
            | "call_skill"
            | "run_script"
            | "ask_environment"
            | "suspend"
            | "KeepRunningUntilFailure"
            | "FailureIsRunning"
            | "SuccessIsRunning" => true,
            kind => kind.starts_with("WaitFor"),
        };
        own || node.children.iter().any(|child| self.may_run(child))
    }

    /// Children after one that always ends their parent.
    fn reachable(&mut self, node: &NodeDefinition, manifest: &NodeManifest) {
        let ends_with: &[&str] = match manifest.kind {
            kind if kind.contains("Sequence") => &["Failure", "AlwaysFailure", "ForceFailure"],
            kind if kind.contains("Fallback") || kind == "Selector" => {
                &["Success", "AlwaysSuccess", "ForceSuccess"]
            }
            _ => return,
        };
        let forever = ["Running", "Dummy"];
        let stops = |child: &NodeDefinition| {
            let kind = self.catalogue.find(&child.kind).map_or("", |manifest| manifest.kind);
            ends_with.contains(&kind) || forever.contains(&kind)
        };
        let Some(last) = node.children.iter().position(stops) else { return };
        if let Some(next) = node.children.get(last + 1) {
            let (by, parent) = (node.children[last].title().to_owned(), node.title());
            let message = format!("`{by}` always ends `{parent}`: this is never reached");
            self.remark(next.at, "unreachable", message);
        }
    }

    /// Which slots the ports of a node read and write.
    fn ports(&mut self, node: &NodeDefinition, manifest: &NodeManifest) {
        for port in &node.ports {
            let known = manifest.port(&port.name);
            let is_key = known.is_some_and(|port| port.kind == PortType::Key);
            let key = key_of(&port.name, &port.value);
            if let Some(key) = key.or(is_key.then_some(port.value.as_str())) {
                let direction = known.map_or(PortDirection::InOut, |port| port.direction);
                let read = direction != PortDirection::Out;
                self.touch(key, port.at, read, direction != PortDirection::In);
                continue;
            }
            let code = [PortType::Script, PortType::Expression, PortType::Quantity];
            let is_code = known.is_some_and(|port| code.contains(&port.kind));
            if known.is_some_and(|port| port.kind.may_be_code()) {
                let parts = port.value.split(';');
                let code = |part: &str| match known.map(|port| port.kind) {
                    Some(PortType::Arguments) => {
                        part.split_once('=').map_or(String::new(), |(_, code)| code.to_owned())
                    }
                    _ => part.to_owned(),
                };
                parts.for_each(|part| self.code(&code(part), port.at));
            } else if is_code || self.conditions().contains(&port.name.as_str()) {
                self.code(&port.value, port.at);
            }
        }
    }

    /// The conditions that are followed; whatever else begins with `_` is a remark.
    fn conditions(&self) -> &'static [&'static str] {
        match self.dialect {
            Dialect::BtCpp => &CONDITIONS,
            Dialect::PyTrees => &[],
        }
    }

    /// Remarks that are nearly a condition.
    fn mistyped(&mut self, node: &NodeDefinition) {
        let known = self.conditions().iter().copied().chain([AUTOREMAP]);
        for port in node.ports.iter().filter(|port| port.name.starts_with('_')) {
            let name = port.name.as_str();
            let near = nearest(name, known.clone());
            if !near.is_empty() && known.clone().all(|known| known != name) {
                let message = format!("`{name}` is a remark and changes nothing{near}");
                self.remark(port.at, "like-condition", message);
            }
        }
    }

    /// Which slots a script reads and writes.
    fn code(&mut self, code: &str, at: Position) {
        let Ok(ast) = Ast::parse(code, at) else { return };
        for (name, is_read, is_written) in ast.names() {
            self.touch(&name, at, is_read, is_written);
        }
    }

    fn touch(&mut self, name: &str, at: Position, read: bool, written: bool) {
        if PersonWords.attribute(name).is_some() || name.starts_with("other.") {
            return;
        }
        let slot = self.slots.entry(name.trim_start_matches('@').to_owned()).or_default();
        if slot.first == Position::default() {
            slot.first = at;
        }
        slot.is_read |= read;
        slot.is_written |= written;
    }

    fn judge_slots(&mut self, document: &Document) {
        for slot in &document.slots {
            let used = self.slots.remove(&slot.name).unwrap_or_default();
            let name = &slot.name;
            if !used.is_read && !used.is_written {
                let message = format!("nothing reads or writes the slot `{name}`");
                self.remark(slot.at, "never-read", message);
            } else if !used.is_written && slot.initial.is_none() {
                let message = format!("`{name}` is read and never set");
                self.remark(slot.at, "never-set", message);
            }
        }
        if !document.slots.is_empty() {
            return;
        }
        for (name, used) in std::mem::take(&mut self.slots) {
            if used.is_read && !used.is_written {
                let message = format!("`{name}` is read and never set");
                self.remark(used.first, "never-set", message);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::behaviour::compile::compile;
    use crate::behaviour::format::{Format, read_text};
    use crate::behaviour::rehearse::StubWords;

    fn document(format: Format, text: &str) -> Document {
        read_text(format, text, Path::new("tree")).unwrap()
    }

    /// Line, column, code and message of each remark.
    fn remarks(format: Format, text: &str) -> Vec<(u32, u32, &'static str, String)> {
        let remarks = lint(&document(format, text)).into_iter();
        remarks.map(|told| (told.line, told.column, told.code, told.message)).collect()
    }

    fn call(ports: &str) -> String {
        format!(
            "<root BTCPP_format=\"4\" main_tree_to_execute=\"A\">\n\
             <BehaviorTree ID=\"A\">\n  <SubTree ID=\"B\" {ports}/>\n</BehaviorTree>\n\
             <BehaviorTree ID=\"B\"><AlwaysSuccess/></BehaviorTree></root>"
        )
    }

    /// The conditions as the guide of BehaviorTree.CPP to pre- and postconditions has them.
    #[test]
    fn a_mistyped_condition_is_told_where_it_stands() {
        for (wrong, right) in [
            ("_onSucess", "_onSuccess"),
            ("_onsuccess", "_onSuccess"),
            ("_skipif", "_skipIf"),
            ("_whlie", "_while"),
            ("_failIf", ""),
            ("_failrIf", "_failureIf"),
            ("_succesIf", "_successIf"),
            ("_onHalt", "_onHalted"),
            ("_onFailed", ""),
            ("_pots", "_post"),
            ("_autoRemap", "_autoremap"),
        ] {
            let told = remarks(Format::Xml, &call(&format!("{wrong}=\"true\"")));
            if right.is_empty() {
                assert_eq!(told, [], "{wrong}");
                continue;
            }
            let message =
                format!("`{wrong}` is a remark and changes nothing; did you mean `{right}`?");
            assert_eq!(told, [(3, 19, "like-condition", message)]);
        }
    }

    #[test]
    fn conditions_and_other_remarks_are_not_doubted() {
        for right in CONDITIONS.into_iter().chain([AUTOREMAP, "_uid", "_description", "_fullPath"])
        {
            let told = remarks(Format::Xml, &call(&format!("{right}=\"true\"")));
            assert_eq!(told, [], "{right}");
        }
        // What a remark says is no code, and its words are no slots.
        assert_eq!(remarks(Format::Xml, &call("_description=\"greeting\"")), []);
    }

    /// py_trees has no conditions: the right spelling would change nothing either.
    #[test]
    fn py_trees_knows_only_what_a_call_says() {
        let tree = "dialect: py_trees\nmain: A\ntrees:\n  A:\n    SubTree:\n      ID: B\n      \
                    _onSucess: x\n      _autoremp: true\n  B: Success\n";
        let message = "`_autoremp` is a remark and changes nothing; did you mean `_autoremap`?";
        assert_eq!(remarks(Format::Yaml, tree), [(8, 7, "like-condition", message.to_owned())]);
    }

    /// The list is that of the compiler, which refuses code that it cannot read.
    #[test]
    fn conditions_are_those_that_are_compiled() {
        let is_compiled = |name: &str| {
            let document = document(Format::Xml, &call(&format!("{name}=\"1 +\"")));
            compile(&document, Path::new("tree"), &StubWords).is_err()
        };
        assert!(CONDITIONS.iter().all(|name| is_compiled(name)));
        assert!(is_compiled(AUTOREMAP) && !is_compiled("_description"));
    }
}
