//! What a slot of the blackboard holds, and what an expression gives.

use serde::{Deserialize, Serialize};
use ustr::Ustr;

use super::status::Status;
use crate::base::ids::{AgentId, PlaceId};
use crate::base::time::SimTime;

/// A value; small, copied freely. Texts are interned for the life of the process.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub enum Value {
    /// Nothing yet.
    #[default]
    Unset,
    /// Yes or no.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A number.
    Number(f64),
    /// A text, or a word of an enumeration.
    Text(Ustr),
    /// A place.
    Place(PlaceId),
    /// A person.
    Agent(AgentId),
    /// A moment of the run.
    Time(SimTime),
    /// The status of a node.
    Status(Status),
}

const _: () = assert!(size_of::<Value>() == 16);

/// The type of a slot or an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ValueType {
    /// Anything: the slots of documents that declare none.
    Any,
    /// Yes or no.
    Bool,
    /// A whole number.
    Int,
    /// A number.
    Number,
    /// A text, or a word of an enumeration.
    Text,
    /// A place.
    Place,
    /// A person.
    Agent,
    /// A moment of the run.
    Time,
    /// The status of a node.
    Status,
}

impl ValueType {
    /// Every type that a declaration may name, with its word.
    pub const WORDS: [(&'static str, Self); 9] = [
        ("any", Self::Any),
        ("bool", Self::Bool),
        ("int", Self::Int),
        ("number", Self::Number),
        ("text", Self::Text),
        ("enum", Self::Text),
        ("place", Self::Place),
        ("agent", Self::Agent),
        ("time", Self::Time),
    ];

    /// The type of a word of a declaration.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(name, _)| *name == word).map(|(_, kind)| *kind)
    }

    /// The word for messages.
    pub fn word(self) -> &'static str {
        let known = Self::WORDS.iter().find(|(_, kind)| *kind == self);
        known.map_or("status", |(word, _)| word)
    }

    /// Whether a slot of this type may hold `value` as it is.
    #[inline]
    pub const fn holds(self, value: Value) -> bool {
        matches!(
            (self, value),
            (Self::Any, _)
                | (_, Value::Unset)
                | (Self::Bool, Value::Bool(_))
                | (Self::Int, Value::Int(_))
                | (Self::Number, Value::Number(_))
                | (Self::Text, Value::Text(_))
                | (Self::Place, Value::Place(_))
                | (Self::Agent, Value::Agent(_))
                | (Self::Time, Value::Time(_))
                | (Self::Status, Value::Status(_))
        )
    }
}

impl Value {
    /// Its type; nothing if it is unset.
    pub const fn kind(self) -> Option<ValueType> {
        Some(match self {
            Self::Unset => return None,
            Self::Bool(_) => ValueType::Bool,
            Self::Int(_) => ValueType::Int,
            Self::Number(_) => ValueType::Number,
            Self::Text(_) => ValueType::Text,
            Self::Place(_) => ValueType::Place,
            Self::Agent(_) => ValueType::Agent,
            Self::Time(_) => ValueType::Time,
            Self::Status(_) => ValueType::Status,
        })
    }

    /// As a number: whole numbers, numbers and truth values (1 and 0).
    #[inline]
    pub fn as_number(self) -> Option<f64> {
        match self {
            Self::Bool(yes) => Some(f64::from(u8::from(yes))),
            Self::Int(number) => Some(number as f64),
            Self::Number(number) => Some(number),
            _ => None,
        }
    }

    /// As JSON: places and persons by their number, moments as seconds of the run.
    pub fn json(self) -> serde_json::Value {
        match self {
            Self::Unset => serde_json::Value::Null,
            Self::Bool(yes) => yes.into(),
            Self::Int(number) => number.into(),
            Self::Number(number) => number.into(),
            Self::Text(text) => text.as_str().into(),
            Self::Place(place) => place.0.into(),
            Self::Agent(agent) => agent.0.into(),
            Self::Time(time) => time.0.into(),
            Self::Status(_) => self.to_string().into(),
        }
    }

    /// As a truth value: numbers are true if they are not 0.
    #[inline]
    pub fn as_bool(self) -> Option<bool> {
        match self {
            Self::Bool(yes) => Some(yes),
            Self::Int(number) => Some(number != 0),
            Self::Number(number) => Some(number != 0.0),
            _ => None,
        }
    }
}

impl Value {
    /// Whether two values say the same: numbers by size, a text and a number if the text reads as
    /// that number, everything else by itself.
    pub fn equals(self, other: Self) -> bool {
        match (self, other) {
            (Self::Text(text), number) | (number, Self::Text(text))
                if number.as_number().is_some() =>
            {
                let read = Self::of_literal(text.as_str()).as_number();
                read.is_some() && read == number.as_number()
            }
            _ => match (self.as_number(), other.as_number()) {
                (Some(a), Some(b)) => a == b,
                _ => self == other,
            },
        }
    }

    /// The value that a literal stands for: a whole number, a number, `true`, `false` or a text.
    pub fn of_literal(text: &str) -> Self {
        let plain = text.trim();
        match plain {
            "true" => return Self::Bool(true),
            "false" => return Self::Bool(false),
            _ => {}
        }
        if let Ok(number) = plain.parse() {
            return Self::Int(number);
        }
        // Words such as `inf` and `nan` are texts here.
        let digits = plain.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
        match plain.parse::<f64>() {
            Ok(number) if digits && number.is_finite() => Self::Number(number),
            _ => Self::Text(Ustr::from(text)),
        }
    }
}

impl ValueType {
    /// The value of this type that a text stands for.
    pub fn parse(self, text: &str) -> Option<Value> {
        let value = Value::of_literal(text);
        match self {
            Self::Any => Some(value),
            Self::Text => Some(Value::Text(Ustr::from(text))),
            Self::Status => Status::from_word(text).map(Value::Status),
            // A place, a person or a moment cannot be written down.
            Self::Place | Self::Agent | Self::Time => None,
            Self::Bool | Self::Int | Self::Number => self.fit(value),
        }
    }

    /// The value fitted to this type, where nothing is lost; nothing if this type cannot hold it.
    pub fn fit(self, value: Value) -> Option<Value> {
        let whole = |number: f64| number.fract() == 0.0 && number.abs() < 9.0e15;
        match (self, value) {
            (Self::Any, value) => Some(value),
            (Self::Number, Value::Int(number)) => Some(Value::Number(number as f64)),
            (Self::Number, Value::Bool(yes)) => Some(Value::Number(f64::from(u8::from(yes)))),
            (Self::Int, Value::Number(number)) if whole(number) => Some(Value::Int(number as i64)),
            (Self::Int, Value::Bool(yes)) => Some(Value::Int(i64::from(yes))),
            (Self::Bool, Value::Int(number @ (0 | 1))) => Some(Value::Bool(number == 1)),
            (kind, value) => kind.holds(value).then_some(value),
        }
    }
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unset => f.write_str("unset"),
            Self::Bool(yes) => write!(f, "{yes}"),
            Self::Int(number) => write!(f, "{number}"),
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
            Self::Place(place) => write!(f, "place {}", place.0),
            Self::Agent(agent) => write!(f, "agent {}", agent.0),
            Self::Time(time) => write!(f, "{} s", time.0),
            Self::Status(status) => f.write_str(status.word(super::status::Dialect::PyTrees)),
        }
    }
}
