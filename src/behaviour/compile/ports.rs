//! Reads the ports of a node.

use ustr::Ustr;

use super::builder::{Builder, Place};
use crate::behaviour::catalogue::PortType;
use crate::behaviour::definition::{Position, key_of};
use crate::behaviour::expression::SlotIndex;
use crate::behaviour::status::Status;
use crate::behaviour::tree::{List, Param, Source};
use crate::behaviour::value::{Value, ValueType};

/// The most names that a message lists.
const LISTED_MAX: usize = 20;
/// The longest name for which a similar one is looked for, in bytes.
const SIMILAR_BYTES_MAX: usize = 64;

/// Names for a message, the first of them if there are many.
pub(super) fn listed(names: &[&str]) -> String {
    match names.len().checked_sub(LISTED_MAX) {
        None | Some(0) => names.join(", "),
        Some(more) => format!("{} and {more} more", names[..LISTED_MAX].join(", ")),
    }
}

/// ` (did you mean ...?)` if one of `known` is near.
pub(super) fn nearest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> String {
    let distance = |other: &str| strsim::damerau_levenshtein(name, other);
    let short = |name: &str| name.len() <= SIMILAR_BYTES_MAX;
    let near = known
        .filter(|other| short(name) && short(other))
        .map(|other| (distance(other), other))
        .min();
    match near {
        Some((distance, other)) if distance <= 1 + name.len() / 4 => {
            format!(" (did you mean `{other}`?)")
        }
        _ => String::new(),
    }
}

/// A written truth value.
pub(super) fn truth_of(text: &str) -> Option<bool> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "1" => Some(true),
        "false" | "0" => Some(false),
        _ => None,
    }
}

impl Builder<'_> {
    /// What a port says, or its default. A port that must be given and is not is a mistake.
    pub(super) fn text<'p>(
        &mut self,
        place: &Place<'p>,
        port: &str,
    ) -> Option<(&'p str, Position)> {
        let given = place.definition.ports.iter().find(|given| given.name == port);
        if let Some(given) = given {
            return Some((given.value.as_str(), given.at));
        }
        let default = place.manifest.port(port).and_then(|port| port.default);
        if default.is_none() {
            let kind = place.manifest.kind;
            let message = format!("`{kind}` needs the port `{port}`");
            self.problem(place.definition.at, "missing-port", message);
        }
        default.map(|default| (default, place.definition.at))
    }

    pub(super) fn bad<T>(
        &mut self,
        at: Position,
        port: &str,
        found: &str,
        wanted: &str,
    ) -> Option<T> {
        let message = format!("`{port}` is `{found}`; it must be {wanted}");
        self.problem(at, "bad-port", message);
        None
    }

    /// A whole number, written or on the blackboard.
    pub(super) fn param(&mut self, place: &Place<'_>, port: &str) -> Option<Param> {
        let (text, at) = self.text(place, port)?;
        if let Some(key) = key_of(port, text) {
            return self.slot_at(place.scope, key, at).map(Param::Slot);
        }
        match text.trim().parse() {
            Ok(number) => Some(Param::Const(number)),
            Err(_) => self.bad(at, port, text, "a whole number or a `{key}`"),
        }
    }

    /// Simulated milliseconds, written or on the blackboard; written ones are not negative.
    pub(super) fn milliseconds(&mut self, place: &Place<'_>, port: &str) -> Option<Param> {
        let (text, at) = self.text(place, port)?;
        match self.param(place, port)? {
            Param::Const(..0) => self.bad(at, port, text, "a number of milliseconds from 0"),
            param => Some(param),
        }
    }

    /// A written whole number of at least `least`.
    pub(super) fn whole(&mut self, place: &Place<'_>, port: &str, least: i32) -> Option<i32> {
        let (text, at) = self.text(place, port)?;
        match text.trim().parse::<i32>() {
            Ok(number) if number >= least => Some(number),
            _ => self.bad(at, port, text, &format!("a whole number of at least {least}")),
        }
    }

    /// A written number of simulated seconds, in milliseconds.
    pub(super) fn seconds_ms(&mut self, place: &Place<'_>, port: &str) -> Option<i32> {
        let (text, at) = self.text(place, port)?;
        let ms = text.trim().parse::<f64>().ok().map(|seconds| (seconds * 1_000.0).round());
        match ms {
            Some(ms) if (0.0..=f64::from(i32::MAX)).contains(&ms) => Some(ms as i32),
            _ => self.bad(at, port, text, "a number of seconds, 0 to 2 million"),
        }
    }

    /// A written truth value.
    pub(super) fn boolean(&mut self, place: &Place<'_>, port: &str) -> Option<bool> {
        let (text, at) = self.text(place, port)?;
        truth_of(text).or_else(|| self.bad(at, port, text, "true or false"))
    }

    /// A written status, one of `allowed`.
    pub(super) fn status(
        &mut self,
        place: &Place<'_>,
        port: &str,
        allowed: &[Status],
    ) -> Option<Status> {
        let (text, at) = self.text(place, port)?;
        match Status::from_word(text.trim()) {
            Some(status) if allowed.contains(&status) => Some(status),
            _ => {
                let dialect = self.document.dialect;
                let words: Vec<_> = allowed.iter().map(|status| status.word(dialect)).collect();
                self.bad(at, port, text, &format!("one of {}", words.join(", ")))
            }
        }
    }

    /// A slot: `{key}` or its bare name.
    pub(super) fn key(&mut self, place: &Place<'_>, port: &str) -> Option<SlotIndex> {
        let (text, at) = self.text(place, port)?;
        let key = key_of(port, text).unwrap_or_else(|| text.trim());
        self.slot_at(place.scope, key, at)
    }

    pub(super) fn slot_at(&mut self, scope: usize, key: &str, at: Position) -> Option<SlotIndex> {
        match self.slot(scope, key) {
            Ok(slot) => Some(slot),
            Err(message) => {
                self.problem(at, "unknown-name", message);
                None
            }
        }
    }

    /// A value: written, or a slot.
    pub(super) fn source(&mut self, place: &Place<'_>, port: &str) -> Option<Source> {
        let (text, at) = self.text(place, port)?;
        let manifest = place.manifest.port(port);
        if text.is_empty() && manifest.is_some_and(|port| port.default == Some("")) {
            return Some(Source::Const(Value::Unset));
        }
        if let Some(key) = key_of(port, text) {
            return self.slot_at(place.scope, key, at).map(Source::Slot);
        }
        let kind = manifest.map_or(PortType::Value, |port| port.kind);
        match kind {
            PortType::Text | PortType::List => Some(Source::Const(Value::Text(Ustr::from(text)))),
            PortType::Expression | PortType::Script => {
                self.program_of(place.scope, text, at).map(Source::Program)
            }
            // What stands there goes with the leaf, not with its ports.
            PortType::Expressions | PortType::Arguments => Some(Source::Const(Value::Unset)),
            PortType::Activity
            | PortType::Location
            | PortType::Need
            | PortType::Message
            | PortType::Receiver
            | PortType::Quantity
            | PortType::Clock => self.people_source(place, port, kind),
            PortType::Key => self.slot_at(place.scope, text.trim(), at).map(Source::Slot),
            PortType::Bool => self.boolean(place, port).map(|yes| Source::Const(Value::Bool(yes))),
            PortType::Int | PortType::Number => match Value::of_literal(text) {
                value @ (Value::Int(_) | Value::Number(_)) => Some(Source::Const(value)),
                _ => self.bad(at, port, text, "a number or a `{key}`"),
            },
            PortType::Status => {
                let all = [Status::Running, Status::Success, Status::Failure, Status::Skipped];
                self.status(place, port, &all).map(|s| Source::Const(Value::Status(s)))
            }
            PortType::Value => {
                let word = self.word(text.trim());
                Some(Source::Const(word.unwrap_or_else(|| Value::of_literal(text))))
            }
        }
    }

    /// What is to be written to a slot: a written value must be one that the slot can hold.
    pub(super) fn source_for(
        &mut self,
        place: &Place<'_>,
        port: &str,
        slot: SlotIndex,
    ) -> Option<Source> {
        let source = self.source(place, port)?;
        let Source::Const(value) = source else { return Some(source) };
        let (text, at) = self.text(place, port)?;
        let kind = self.slots[usize::from(slot.0)].kind;
        let Some(fitted) = kind.fit(value).or_else(|| kind.parse(text)) else {
            let name = self.slots[usize::from(slot.0)].name.clone();
            let wanted = format!("a {}, the type of `{name}`", kind.word());
            return self.bad(at, port, text, &wanted);
        };
        if let Value::Text(word) = fitted {
            self.check_word(slot, &word, at);
        }
        Some(Source::Const(fitted))
    }

    /// A list between `;`, written or on the blackboard: an index of the tree's lists.
    pub(super) fn list(&mut self, place: &Place<'_>, port: &str, kind: ValueType) -> Option<u16> {
        let (text, at) = self.text(place, port)?;
        let list = match key_of(port, text) {
            Some(key) => List::Slot(self.slot_at(place.scope, key, at)?, kind),
            None => {
                let parts = text.split(';').filter(|part| !part.is_empty());
                let values: Option<Box<[Value]>> =
                    parts.map(|part| kind.parse(part.trim())).collect();
                match values {
                    Some(values) => List::Const(values),
                    None => {
                        let wanted = format!("a list of {} between `;`", kind.word());
                        return self.bad(at, port, text, &wanted);
                    }
                }
            }
        };
        self.lists.push(list);
        Some(self.lists.len() as u16 - 1)
    }

    /// An expression or a script: an index of the tree's programs.
    pub(super) fn program(&mut self, place: &Place<'_>, port: &str) -> Option<u16> {
        let (text, at) = self.text(place, port)?;
        self.program_of(place.scope, text, at)
    }

    /// A word of an enumeration: of the vocabulary, or of a declared slot.
    pub(super) fn word(&self, name: &str) -> Option<Value> {
        if let Some(value) = self.vocabulary.word(name) {
            return Some(value);
        }
        let declared = self.document.slots.iter().any(|slot| slot.words.iter().any(|w| w == name));
        declared.then(|| Value::Text(Ustr::from(name)))
    }
}
