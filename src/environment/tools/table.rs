//! The table of tools: names, arguments, and the function behind each.

use super::answer::{Arguments, Done, Scene};
use super::{acts, observe};

/// What a tool does to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolKind {
    /// Tells of something; changes nothing.
    Observe,
    /// Tells of all persons; has no argument, changes nothing.
    Statistics,
    /// Changes something.
    Act,
}

/// What may stand in an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Number of a person.
    Person,
    /// Number of a place.
    Place,
    /// A kind of place.
    Category,
    /// An activity.
    Activity,
    /// What a message is about.
    Message,
    /// Metres, above 0.
    Metres,
}

/// One argument of a tool.
#[derive(Debug)]
pub struct Argument {
    /// Its name.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// What may stand in it.
    pub form: Form,
    /// Whether the call must give it.
    pub required: bool,
    /// What it means.
    pub about: &'static str,
}

/// One tool.
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// The names of the same thing in modules of AgentSociety, and others in use.
    pub aliases: &'static [&'static str],
    /// What it does to the world.
    pub kind: ToolKind,
    /// What it is for.
    pub about: &'static str,
    /// Its arguments.
    pub arguments: &'static [Argument],
    pub(super) run: fn(&Scene<'_>, &Arguments) -> Result<Done, String>,
}

impl Tool {
    /// The tool with this name or other name.
    pub fn find(name: &str) -> Option<&'static Self> {
        TOOLS.iter().find(|tool| tool.name == name || tool.aliases.contains(&name))
    }

    /// Its names and those of its arguments, optional ones in brackets: `move_to(place)`.
    pub fn signature(&self) -> String {
        let argument = |argument: &Argument| match argument.required {
            true => argument.name.to_owned(),
            false => format!("[{}]", argument.name),
        };
        let arguments: Vec<String> = self.arguments.iter().map(argument).collect();
        format!("{}({})", self.name, arguments.join(", "))
    }
}

const fn argument(name: &'static str, form: Form, about: &'static str) -> Argument {
    Argument { name, aliases: &[], form, required: true, about }
}

const PERSON: Argument = Argument {
    aliases: &["id", "agent_id", "person_id"],
    required: false,
    ..argument("person", Form::Person, "whom; oneself unless given")
};
const PLACE: Argument = Argument {
    aliases: &["place_id", "poi_id", "aoi_id"],
    ..argument("place", Form::Place, "number of the place")
};
const CATEGORY: Argument = argument("category", Form::Category, "kind of place");
const RADIUS: Argument = Argument {
    required: false,
    ..argument("radius_m", Form::Metres, "as the crow flies; 3000 unless given")
};

/// All tools, by kind.
pub const TOOLS: &[Tool] = &[
    Tool {
        name: "observe",
        aliases: &["get_person"],
        kind: ToolKind::Observe,
        about: "where a person is, what they do, and how many places of each kind are near",
        arguments: &[PERSON],
        run: observe::person,
    },
    Tool {
        name: "get_current_event",
        aliases: &["current_event"],
        kind: ToolKind::Observe,
        about: "what a person does and since when",
        arguments: &[PERSON],
        run: observe::event,
    },
    Tool {
        name: "receive_messages",
        aliases: &["get_messages", "inbox"],
        kind: ToolKind::Observe,
        about: "the messages that came in this tick",
        arguments: &[],
        run: observe::inbox,
    },
    Tool {
        name: "get_time",
        aliases: &["get_current_time"],
        kind: ToolKind::Observe,
        about: "the simulated time",
        arguments: &[],
        run: observe::time,
    },
    Tool {
        name: "get_place",
        aliases: &["get_poi", "get_aoi"],
        kind: ToolKind::Observe,
        about: "what a place is and where",
        arguments: &[PLACE],
        run: observe::place,
    },
    Tool {
        name: "find_nearby_places",
        aliases: &["find_nearby_pois"],
        kind: ToolKind::Observe,
        about: "the ten nearest places of a kind",
        arguments: &[CATEGORY, RADIUS],
        run: observe::nearby,
    },
    Tool {
        name: "recommend_place_by_gravity",
        aliases: &["recommend_poi_by_gravity"],
        kind: ToolKind::Observe,
        about: "a place of a kind, drawn as people choose: by attraction and distance",
        arguments: &[CATEGORY],
        run: observe::recommend,
    },
    Tool {
        name: "get_statistics",
        aliases: &["statistics"],
        kind: ToolKind::Statistics,
        about: "how many persons do what, and at which kind of place",
        arguments: &[],
        run: observe::statistics,
    },
    Tool {
        name: "move_to",
        aliases: &[],
        kind: ToolKind::Act,
        about: "leave for a place; the Story decides again on arrival",
        arguments: &[PLACE],
        run: acts::move_to,
    },
    Tool {
        name: "start_event",
        aliases: &[],
        kind: ToolKind::Act,
        about: "do something where one is",
        arguments: &[Argument {
            aliases: &["type", "event_type"],
            ..argument("activity", Form::Activity, "what to do")
        }],
        run: acts::start_event,
    },
    Tool {
        name: "stop_event",
        aliases: &[],
        kind: ToolKind::Act,
        about: "go back to what one came here for",
        arguments: &[],
        run: acts::stop_event,
    },
    Tool {
        name: "send_message",
        aliases: &["send_direct_message"],
        kind: ToolKind::Act,
        about: "write to a person, who can read it in the next tick",
        arguments: &[
            Argument {
                aliases: &["receiver_id", "to_id"],
                ..argument("to", Form::Person, "to whom")
            },
            Argument {
                required: false,
                ..argument("kind", Form::Message, "what about; chat unless given")
            },
        ],
        run: acts::send_message,
    },
];
