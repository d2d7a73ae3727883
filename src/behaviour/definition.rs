//! A document of trees as somebody wrote it, whatever the format: every format reads into this and
//! is written from this, and [`compile`](super::compile) makes it a [`Tree`](super::tree::Tree).

use super::status::Dialect;

/// Where something stands in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Position {
    /// Line, from 1; 0 if the document was not read from a file.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

/// A document: trees that may call each other, and the blackboard that they share.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Document {
    /// Whose rules the trees follow.
    pub dialect: Dialect,
    /// The tree to run; needed only where there are several.
    pub main: Option<String>,
    /// Declared slots of the blackboard. Where there are any, a name that is not declared is a
    /// mistake; a document without declarations makes a slot of every name it mentions.
    pub slots: Vec<SlotDefinition>,
    /// The trees, in the order of the file.
    pub trees: Vec<TreeDefinition>,
    /// What the file says of nodes that are not built in (`TreeNodesModel`): kept so that it can be
    /// written again.
    pub models: Vec<NodeModel>,
}

impl Document {
    /// The same document, standing nowhere: as if a program had made it.
    #[must_use]
    pub fn without_places(mut self) -> Self {
        fn forget(node: &mut NodeDefinition) {
            node.at = Position::default();
            node.ports.iter_mut().for_each(|port| port.at = Position::default());
            node.children.iter_mut().for_each(forget);
        }
        self.slots.iter_mut().for_each(|slot| slot.at = Position::default());
        for tree in &mut self.trees {
            tree.at = Position::default();
            forget(&mut tree.root);
        }
        self
    }
}

/// One declared slot of the blackboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlotDefinition {
    /// Its name.
    pub name: String,
    /// The word of its type, see [`ValueType`](super::value::ValueType).
    pub type_word: String,
    /// The words that a slot of type `enum` may hold.
    pub words: Vec<String>,
    /// What it holds at first, as written; nothing if it is unset.
    pub initial: Option<String>,
    /// What it is for.
    pub description: Option<String>,
    /// Where it stands.
    pub at: Position,
}

/// One tree of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TreeDefinition {
    /// Its id, unique in the document.
    pub id: String,
    /// Its root.
    pub root: NodeDefinition,
    /// Where it stands.
    pub at: Position,
}

/// One node of a tree, with its children.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NodeDefinition {
    /// What it is: the name of a [`NodeManifest`](super::catalogue::NodeManifest), such as
    /// `Sequence`.
    pub kind: String,
    /// Its own name, if it has one.
    pub name: Option<String>,
    /// Its ports as written, in the order of the file. A name that begins with `_` is a condition
    /// or a remark (`_skipIf`, `_onSuccess`, `_autoremap`).
    pub ports: Vec<PortDefinition>,
    /// Its children, in order.
    pub children: Vec<NodeDefinition>,
    /// Where it stands.
    pub at: Position,
}

impl NodeDefinition {
    /// The value of a port as written.
    pub fn port(&self, name: &str) -> Option<&str> {
        self.ports.iter().find(|port| port.name == name).map(|port| port.value.as_str())
    }

    /// The name that is shown: its own, or what it is.
    pub fn title(&self) -> &str {
        self.name.as_deref().unwrap_or(&self.kind)
    }
}

/// A port of a node: a literal, or `{key}` for a slot of the blackboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortDefinition {
    /// Its name.
    pub name: String,
    /// Its value as written.
    pub value: String,
    /// Where it stands.
    pub at: Position,
}

/// The slot that the value of a port means: the key of `{key}`, and the name of the port itself for
/// `{=}`.
pub fn key_of<'v>(port: &'v str, value: &'v str) -> Option<&'v str> {
    let key = value.strip_prefix('{')?.strip_suffix('}')?.trim();
    match key {
        "" => None,
        "=" => Some(port),
        key => Some(key),
    }
}

/// What a file says of a node that is not built in, or of a tree that is called as one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeModel {
    /// The word of its category: `Action`, `Condition`, `Control`, `Decorator` or `SubTree`.
    pub category: String,
    /// Its name.
    pub id: String,
    /// Its ports.
    pub ports: Vec<PortModel>,
}

/// One port of a [`NodeModel`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortModel {
    /// `input_port`, `output_port` or `inout_port`.
    pub direction: String,
    /// Its name.
    pub name: String,
    /// Its type, if the file gives one.
    pub type_word: Option<String>,
    /// What it holds if a node does not say.
    pub default: Option<String>,
    /// What it is for.
    pub description: Option<String>,
}
