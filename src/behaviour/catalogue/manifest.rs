//! What the catalogue says of one node.

use super::people::Destination;
use crate::agent::activity::Activity;
use crate::agent::message::MessageKind;
use crate::agent::needs::Need;

/// One node of the catalogue.
#[derive(Debug, PartialEq, Eq)]
pub struct NodeManifest {
    /// Its name.
    pub kind: &'static str,
    /// Other names that mean the same.
    pub aliases: &'static [&'static str],
    /// What sort of node it is.
    pub category: Category,
    /// How many children it takes.
    pub children: Arity,
    /// Its ports.
    pub ports: &'static [PortManifest],
    /// What it does, in one sentence.
    pub about: &'static str,
}

impl NodeManifest {
    /// The port of a name.
    pub fn port(&self, name: &str) -> Option<&'static PortManifest> {
        self.ports.iter().find(|port| port.name == name)
    }
}

/// The sorts of nodes, in BehaviorTree.CPP's words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Category {
    /// Several children.
    Control,
    /// One child.
    Decorator,
    /// A leaf that does something.
    Action,
    /// A leaf that asks something.
    Condition,
    /// A call of another tree.
    SubTree,
}

impl Category {
    /// Its word in XML.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Control => "Control",
            Self::Decorator => "Decorator",
            Self::Action => "Action",
            Self::Condition => "Condition",
            Self::SubTree => "SubTree",
        }
    }
}

/// How many children a node takes: at least the first number, at most the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arity(pub u16, pub u16);

impl Arity {
    /// None.
    pub const LEAF: Self = Self(0, 0);
    /// One.
    pub const ONE: Self = Self(1, 1);
    /// Any number, none among them.
    pub const ANY: Self = Self(0, u16::MAX);
    /// At least one.
    pub const SOME: Self = Self(1, u16::MAX);

    /// Whether so many children are allowed.
    pub const fn allows(self, count: usize) -> bool {
        self.0 as usize <= count && count <= self.1 as usize
    }

    /// In words, for messages.
    pub fn words(self) -> String {
        match self {
            Self(0, 0) => "no child".to_owned(),
            Self(1, 1) => "exactly 1 child".to_owned(),
            Self(low, u16::MAX) => format!("{low} or more children"),
            Self(low, high) if low == high => format!("exactly {low} children"),
            Self(low, high) => format!("{low} to {high} children"),
        }
    }
}

/// One port of a node of the catalogue.
#[derive(Debug, PartialEq, Eq)]
pub struct PortManifest {
    /// Its name.
    pub name: &'static str,
    /// Which way its value goes.
    pub direction: PortDirection,
    /// What it holds.
    pub kind: PortType,
    /// What it holds if a node does not say; without one the port must be given.
    pub default: Option<&'static str>,
}

/// Which way the value of a port goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PortDirection {
    /// Into the node.
    In,
    /// Out of the node, onto the blackboard.
    Out,
    /// Both.
    InOut,
}

impl PortDirection {
    /// Its word in a `TreeNodesModel`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::In => "input_port",
            Self::Out => "output_port",
            Self::InOut => "inout_port",
        }
    }
}

/// What a port holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PortType {
    /// A text.
    Text,
    /// `true` or `false`.
    Bool,
    /// A whole number.
    Int,
    /// A number.
    Number,
    /// The word of a status.
    Status,
    /// Any literal: a number, a truth value or a text.
    Value,
    /// The name of a slot of the blackboard.
    Key,
    /// A list of texts between `;`.
    List,
    /// An expression that is true or false.
    Expression,
    /// Assignments.
    Script,
    /// Expressions between `;`.
    Expressions,
    /// Named expressions between `;`: `name = expression`.
    Arguments,
    /// What people do, such as `shopping`.
    Activity,
    /// Where: `home`, `work`, `school`, `near_home`, `near_work`, `city`, or a slot with a place.
    Location,
    /// A need: `hunger`, `energy`, `safety` or `social`.
    Need,
    /// What a message is about: `chat`, `invite` or `news`.
    Message,
    /// `household`, or an expression that gives a person.
    Receiver,
    /// An expression that gives a number.
    Quantity,
    /// A time of day, such as `17:30`, or an expression that gives minutes since midnight.
    Clock,
}

impl PortType {
    /// The words that it takes, if it takes words: a word's number is its place.
    pub fn words(self) -> Option<Vec<&'static str>> {
        Some(match self {
            Self::Activity => Activity::ALL.iter().map(|activity| activity.word()).collect(),
            Self::Location => Destination::ALL.iter().map(|place| place.word()).collect(),
            Self::Need => Need::ALL.iter().map(|need| need.word()).collect(),
            Self::Message => MessageKind::ALL.iter().map(|kind| kind.word()).collect(),
            _ => return None,
        })
    }

    /// Whether expressions between `;` may stand there, beside words.
    pub const fn may_be_code(self) -> bool {
        matches!(self, Self::Expressions | Self::Arguments | Self::Receiver | Self::Clock)
    }

    /// What it takes, for messages.
    pub fn wanted(self) -> String {
        if let Some(words) = self.words() {
            return format!("one of {}", words.join(", "));
        }
        match self {
            Self::Clock => "a time of day such as 17:30, or minutes since midnight, 0 to 2880",
            Self::Receiver => "a person, or `household`",
            _ => "a number",
        }
        .to_owned()
    }
}

/// A port that must be given.
pub(super) const fn input(name: &'static str, kind: PortType) -> PortManifest {
    PortManifest { name, direction: PortDirection::In, kind, default: None }
}

/// A port with a default.
pub(super) const fn with_default(
    name: &'static str,
    kind: PortType,
    default: &'static str,
) -> PortManifest {
    PortManifest { name, direction: PortDirection::In, kind, default: Some(default) }
}

/// A port that the node writes.
pub(super) const fn output(name: &'static str, kind: PortType) -> PortManifest {
    PortManifest { name, direction: PortDirection::Out, kind, default: None }
}

/// A node of the catalogue.
pub(super) const fn node(
    kind: &'static str,
    category: Category,
    children: Arity,
    ports: &'static [PortManifest],
    about: &'static str,
) -> NodeManifest {
    NodeManifest { kind, aliases: &[], category, children, ports, about }
}

impl NodeManifest {
    /// The same with other names.
    pub(super) const fn also(self, aliases: &'static [&'static str]) -> Self {
        Self { aliases, ..self }
    }
}
