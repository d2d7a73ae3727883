//! The leaves of people, in both dialects: what a person asks, wants and sends.

use super::manifest::{
    Arity, Category, Category::*, NodeManifest, PortManifest, PortType::*, input, node, output,
    with_default,
};
use crate::agent::activity::words;
use crate::agent::plan::LocationPolicy;

words! {
    /// A leaf that the tick of a person carries out.
    PersonAction {
        /// Goes somewhere and is done on arrival.
        GoTo = "go_to",
        /// Does something where the person is.
        DoActivity = "do_activity",
        /// Stays where the person is for some time.
        Wait = "wait",
        /// Stays where the person is until a time of day.
        StayUntil = "stay_until",
        /// Sets the level of a need.
        SetNeed = "set_need",
        /// Writes to somebody.
        SendMessage = "send_message",
        /// Looks for a message.
        Receive = "receive",
        /// Runs another skill of the person.
        CallSkill = "call_skill",
        /// Runs a script of a skill.
        RunScript = "run_script",
        /// Calls a tool of the environment.
        AskEnvironment = "ask_environment",
        /// Waits for somebody's answer.
        Suspend = "suspend",
        /// Ends the skill for the person.
        Finish = "finish",
    }
}

words! {
    /// Where a person can go without naming a place.
    Destination {
        /// Home.
        Home = "home",
        /// The workplace.
        Work = "work",
        /// School or university.
        School = "school",
        /// A place for the activity near home.
        NearHome = "near_home",
        /// A place for the activity near work or school.
        NearWork = "near_work",
        /// A place for the activity near where the person is.
        Near = "near",
    }
}

impl Destination {
    /// The same in the words of Stories.
    pub const fn policy(self) -> LocationPolicy {
        match self {
            Self::Home => LocationPolicy::Home,
            Self::Work => LocationPolicy::Work,
            Self::School => LocationPolicy::School,
            Self::NearHome => LocationPolicy::NearHome,
            Self::NearWork => LocationPolicy::NearWork,
            Self::Near => LocationPolicy::City,
        }
    }
}

/// The word for all other members of a person's household.
pub const HOUSEHOLD: &str = "household";

/// A port that may be left out; it then holds nothing.
const fn optional(name: &'static str, kind: super::PortType) -> PortManifest {
    with_default(name, kind, "")
}

/// A port that the node writes, if it is given.
const fn into(name: &'static str) -> PortManifest {
    PortManifest { default: Some(""), ..output(name, Key) }
}

const fn act(
    kind: &'static str,
    other: &'static [&'static str],
    ports: &'static [PortManifest],
    about: &'static str,
) -> NodeManifest {
    leaf(kind, other, Action, ports, about)
}

const fn leaf(
    kind: &'static str,
    other: &'static [&'static str],
    category: Category,
    ports: &'static [PortManifest],
    about: &'static str,
) -> NodeManifest {
    node(kind, category, Arity::LEAF, ports, about).also(other)
}

/// All of them.
#[rustfmt::skip]
pub(super) const NODES: &[NodeManifest] = &[
    leaf("check", &["Check"], Condition, &[input("if", Expression)],
        "succeeds if an expression is true"),
    act("set", &["Set"], &[input("code", Script)], "carries out assignments and succeeds"),
    node("choose", Control, Arity::SOME, &[input("weights", Expressions)],
        "draws one child by weight and runs it to its end").also(&["Choose"]),
    act("go_to", &["GoTo"], &[input("to", Location), optional("for", Activity)],
        "goes somewhere and succeeds on arrival; fails if there is no such place"),
    act("do_activity", &["DoActivity"],
        &[input("activity", Activity), with_default("minutes", Quantity, "0")],
        "does something where the person is, for so many minutes"),
    act("wait", &["Wait"], &[input("minutes", Quantity)],
        "stays where the person is for so many minutes"),
    act("stay_until", &["StayUntil"], &[input("time", Clock), with_default("next", Bool, "false")],
        "stays where the person is until a time of day; with `next` until it comes again"),
    act("set_need", &["SetNeed"], &[input("need", Need), input("to", Quantity)],
        "sets the level of a need, in [0, 1]"),
    act("send_message", &["SendMessage"],
        &[input("to", Receiver), with_default("about", Message, "chat")],
        "writes to somebody, or to the `household`; read one tick later"),
    act("receive", &["Receive"],
        &[optional("about", Message), into("from"), with_default("wait", Bool, "false")],
        "succeeds if such a message came; with `wait` it waits for one"),
    act("call_skill", &["CallSkill"], &[input("skill", Text), into("result")],
        "runs another skill of the person to its end"),
    act("run_script", &["RunScript"], &[
            optional("script", Text), optional("skill", Text), optional("arguments", Expressions),
            into("output"),
        ], "runs a script of this or another skill; its answer comes one tick later"),
    act("ask_environment", &["AskEnvironment"],
        &[input("tool", Text), optional("arguments", Arguments), into("answer")],
        "calls a tool of the environment; the answer comes one tick later"),
    act("suspend", &["Suspend"], &[input("question", Text), into("answer")],
        "waits until somebody answers a question"),
    act("finish", &["Finish"], &[optional("result", Expression)],
        "ends the skill for the person, with a result"),
];
