//! Elements to trees.

use super::super::problems::{Problems, STRUCTURE, nearest};
use super::element::{Element, File};
use super::{model, py_trees, slots};
use crate::behaviour::definition::{
    Document, NodeDefinition, NodeModel, PortDefinition, Position, TreeDefinition,
};
use crate::behaviour::status::Dialect;

/// Elements that name the kind of a node in their attribute `ID`.
pub(super) const EXPLICIT: [&str; 4] = ["Action", "Condition", "Control", "Decorator"];
/// The id of the only tree of a file, if it has none.
pub(super) const ONLY_TREE: &str = "Main";
const TOP: [&str; 3] = ["BehaviorTree", "TreeNodesModel", "include"];

/// What one file says, and which others it names.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) document: Document,
    /// Path as written, and where.
    pub(super) includes: Vec<(String, Position)>,
}

/// Reads one file. With `asked` the file must have that dialect; otherwise it says which it has.
pub(super) fn read(file: &File, asked: Option<Dialect>, problems: &mut Problems) -> Part {
    let root = &file.root;
    let dialect = dialect(root, asked, problems);
    let mut part = Part::default();
    part.document.dialect = dialect;
    part.document.main = root.attribute("main_tree_to_execute").map(str::to_owned);
    part.document.slots = slots::read(&file.instructions, problems);
    if dialect == Dialect::BtCpp && root.name != "root" {
        let message = format!("the file begins with <{}>; expected <root>", root.name);
        problems.add(root.at, STRUCTURE, message);
    }
    no_text(root, problems);
    let models = root.children.iter().filter(|child| child.name == "TreeNodesModel");
    part.document.models = models.flat_map(|models| model::read(models, problems)).collect();
    for child in &root.children {
        match child.name.as_str() {
            "BehaviorTree" => {
                let alone = root.children.iter().filter(|other| other.name == child.name).count();
                let tree = tree(child, alone == 1, dialect, &mut part.document.models, problems);
                part.document.trees.extend(tree);
            }
            "TreeNodesModel" => {}
            name if is_include(name, dialect) => {
                part.includes.extend(include(child, problems));
            }
            name => {
                let hint = nearest(name, TOP);
                let message = format!("<{name}> in <root>; allowed: {}{hint}", TOP.join(", "));
                problems.add(child.at, STRUCTURE, message);
            }
        }
    }
    part
}

/// Whose rules the file follows.
fn dialect(root: &Element, asked: Option<Dialect>, problems: &mut Problems) -> Dialect {
    let said = root.attribute("dialect");
    let format = root.attribute("BTCPP_format");
    let dialect = match (said.and_then(Dialect::from_word), asked) {
        (Some(said), _) => said,
        (None, Some(asked)) => asked,
        (None, None) if format.is_none() && py_trees::recognise(root) => Dialect::PyTrees,
        (None, None) => Dialect::BtCpp,
    };
    if let Some(word) = said.filter(|word| Dialect::from_word(word).is_none()) {
        let message = format!("dialect=\"{word}\"; allowed: py_trees, bt_cpp");
        problems.add(root.at, STRUCTURE, message);
    }
    if let Some(asked) = asked.filter(|asked| *asked != dialect) {
        let (found, asked) = (dialect.word(), asked.word());
        let message = format!("the trees are of dialect {found}; expected {asked}");
        problems.add(root.at, STRUCTURE, message);
    }
    match format {
        None | Some("4") => {}
        Some("3") => problems.add(root.at, STRUCTURE, VERSION_3),
        Some(other) => {
            let message = format!("BTCPP_format=\"{other}\"; version 4 is read");
            problems.add(root.at, STRUCTURE, message);
        }
    }
    dialect
}

const VERSION_3: &str = "BTCPP_format=\"3\"; version 4 is read. Rename SequenceStar to \
    SequenceWithMemory, SubTreePlus to SubTree, __shared_blackboard and __autoremap to \
    _autoremap; write ports of a SubTree as port=\"{key}\"; and say BTCPP_format=\"4\"";

fn is_include(name: &str, dialect: Dialect) -> bool {
    let either_case = |word: &str| name.eq_ignore_ascii_case(word);
    match dialect {
        Dialect::BtCpp => name == "include",
        Dialect::PyTrees => either_case("include") || either_case("import"),
    }
}

fn include(element: &Element, problems: &mut Problems) -> Option<(String, Position)> {
    let path = ["path", "src", "file"].iter().find_map(|name| element.attribute(name));
    if element.attribute("ros_pkg").is_some() {
        let message = "an include of a ROS package: copy the file and name it by `path`";
        problems.add(element.at, super::super::problems::INCLUDES, message);
        return None;
    }
    if path.is_none() {
        let message = format!("<{}> names no file: expected path=\"...\"", element.name);
        problems.add(element.at, STRUCTURE, message);
    }
    path.map(|path| (path.to_owned(), element.at))
}

fn tree(
    element: &Element,
    alone: bool,
    dialect: Dialect,
    models: &mut Vec<NodeModel>,
    problems: &mut Problems,
) -> Option<TreeDefinition> {
    let at = element.at;
    let id = element.attribute("ID").or(alone.then_some(ONLY_TREE));
    if id.is_none() {
        let message = "<BehaviorTree> has no ID; only the one tree of a file may lack it";
        problems.add(at, STRUCTURE, message);
    }
    no_text(element, problems);
    let [root] = element.children.as_slice() else {
        let (title, count) = (id.unwrap_or("?"), element.children.len());
        let message = format!("tree `{title}` has {count} roots; expected exactly 1 node");
        problems.add(at, STRUCTURE, message);
        return None;
    };
    if let (Some(id), Dialect::PyTrees) = (id, dialect) {
        py_trees::defaults(id, &element.attributes, models);
    }
    let root = node(root, dialect, problems)?;
    Some(TreeDefinition { id: id?.to_owned(), root, at })
}

fn node(element: &Element, dialect: Dialect, problems: &mut Problems) -> Option<NodeDefinition> {
    let tag = element.name.as_str();
    let explicit = dialect == Dialect::BtCpp && EXPLICIT.contains(&tag);
    let kind = match dialect {
        Dialect::BtCpp if explicit => element.attribute("ID"),
        Dialect::BtCpp => Some(tag),
        Dialect::PyTrees => Some(py_trees::canonical(tag)),
    };
    if kind.is_none() {
        let message = format!("<{tag}> has no ID: expected <{tag} ID=\"...\"> or <Name>");
        problems.add(element.at, STRUCTURE, message);
    }
    no_text(element, problems);
    let children = element.children.iter().filter_map(|child| node(child, dialect, problems));
    let children = children.collect();
    let mut found = NodeDefinition {
        kind: kind?.to_owned(),
        name: element.attribute("name").map(str::to_owned),
        ports: ports(element, explicit),
        children,
        at: element.at,
    };
    if dialect == Dialect::PyTrees {
        py_trees::from_xml(&mut found);
    }
    Some(found)
}

fn ports(element: &Element, explicit: bool) -> Vec<PortDefinition> {
    let is_port = |name: &str| name != "name" && !(explicit && name == "ID");
    let ports = element.attributes.iter().filter(|attribute| is_port(&attribute.name));
    let port = |port: &super::element::Attribute| PortDefinition {
        name: port.name.clone(),
        value: port.value.clone(),
        at: port.at,
    };
    ports.map(port).collect()
}

fn no_text(element: &Element, problems: &mut Problems) {
    if !element.text.is_empty() {
        let shown: String = element.text.chars().take(40).collect();
        let message = format!("the text {shown:?} in <{}> means nothing here", element.name);
        problems.add(element.at, STRUCTURE, message);
    }
}
