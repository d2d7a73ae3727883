//! Where the words of a workflow differ from ours.

/// A node under another name; one port at most has another name too.
pub(super) struct Renamed {
    /// Its type in a workflow.
    pub(super) theirs: &'static str,
    /// Its kind.
    pub(super) ours: &'static str,
    /// The port in the `config` of a workflow, and here.
    pub(super) port: (&'static str, &'static str),
    /// What the port holds in a workflow that does not say, if that is not what it holds here.
    pub(super) default: Option<&'static str>,
}

pub(super) const RENAMED: [Renamed; 3] = [
    Renamed {
        theirs: "LoopUntilSuccess",
        ours: "Retry",
        port: ("max_iterations", "num_failures"),
        default: Some("10"),
    },
    Renamed { theirs: "Wait", ours: "Timer", port: ("duration", "duration"), default: Some("1.0") },
    Renamed {
        theirs: "Log",
        ours: "SaySomething",
        port: ("message", "message"),
        default: Some(""),
    },
];

/// Types that have no counterpart, and what to do instead.
pub(super) const REFUSED: [(&str, &str); 6] = [
    ("AgentLLMNode", "it asks a language model: make it a skill, and call that by a leaf"),
    ("ReActAgent", "it asks a language model: make it a skill, and call that by a leaf"),
    ("ToolExecutor", "it carries out calls of tools: make it a skill, and call that by a leaf"),
    ("ToolNode", "it hands a tool to its parent, which skills declare in their SKILL.md"),
    ("ParserNode", "it takes a model's answer apart: let the skill that asks do so"),
    ("ConditionNode", "it runs Python: write an EternalGuard or a CheckBlackboardVariableValue"),
];
/// The same for all whose type holds this word.
pub(super) const MEMORY: (&str, &str) =
    ("Memory", "it keeps a store of texts: a person's memory is kept by its skills");

/// Types of fields, and of slots that they become; the first of each is written.
pub(super) const FIELDS: [(&str, &str); 7] = [
    ("str", "text"),
    ("int", "int"),
    ("float", "number"),
    ("bool", "bool"),
    ("dict", "any"),
    ("list", "any"),
    ("tuple", "any"),
];

/// Policies of a parallel; editors offer two more, which py_trees does not have.
pub(super) const POLICIES: [&str; 2] = ["SuccessOnAll", "SuccessOnOne"];
/// What a binding begins with.
pub(super) const STATE: &str = "state.";
