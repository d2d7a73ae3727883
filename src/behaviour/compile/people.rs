//! The leaves of people, and the choice between children.

use ustr::Ustr;

use super::builder::{Builder, Place};
use crate::behaviour::catalogue::{HOUSEHOLD, PersonAction, PortManifest, PortType};
use crate::behaviour::definition::Position;
use crate::behaviour::status::Dialect;
use crate::behaviour::tree::{Cpp, Kind, Leaf, Py, Source};
use crate::behaviour::value::{Value, ValueType};

/// The most arguments of a leaf.
pub(in crate::behaviour) const ARGUMENTS_MAX: usize = 8;
/// The latest time of day that a leaf may name, in minutes: the end of the next day.
const CLOCK_MAX: i64 = 2 * 24 * 60;

/// Names and programs of the arguments of a leaf.
type Arguments = (Box<[Ustr]>, Box<[u16]>);

impl<'d> Builder<'d> {
    /// Whether a node is one of people.
    pub(super) fn is_of_people(&self, place: &Place<'d>) -> bool {
        let kind = place.manifest.kind;
        matches!(kind, "check" | "set" | "choose") || PersonAction::from_word(kind).is_some()
    }

    /// What a node of people does; nothing, and a problem, if its ports do not say.
    pub(super) fn people_kind(&mut self, place: &Place<'d>) -> Option<Kind> {
        match place.manifest.kind {
            "check" => Some(Kind::Leaf(Leaf::Check(self.program(place, "if")?))),
            "set" => Some(Kind::Leaf(Leaf::Script(self.program(place, "code")?))),
            "choose" => self.choice(place),
            _ => {
                let kind = self.outside(place)?;
                self.check_sender(place)?;
                Some(kind)
            }
        }
    }

    fn choice(&mut self, place: &Place<'d>) -> Option<Kind> {
        let port = place.manifest.port("weights")?;
        let (_, weights) = self.arguments(place, port)?;
        let (given, wanted) = (weights.len(), place.definition.children.len());
        if given != wanted {
            let (text, at) = self.text(place, "weights")?;
            let wanted = format!("{wanted} weights between `;`, one for each child");
            return self.bad(at, "weights", text, &wanted);
        }
        self.choices.push(weights);
        let index = self.choices.len() as u16 - 1;
        Some(match self.document.dialect {
            Dialect::BtCpp => Kind::Cpp(Cpp::Choose(index)),
            Dialect::PyTrees => Kind::Py(Py::Choose(index)),
        })
    }

    /// The expressions of a port, with their names where they have some.
    pub(super) fn arguments(
        &mut self,
        place: &Place<'d>,
        port: &PortManifest,
    ) -> Option<Arguments> {
        let (text, at) = self.text(place, port.name)?;
        let (mut names, mut programs) = (Vec::new(), Vec::new());
        for part in text.split(';').filter(|part| !part.trim().is_empty()) {
            let code = match port.kind {
                PortType::Arguments => {
                    let Some((name, code)) = part.split_once('=') else {
                        return self.bad(at, port.name, text, "`name = expression` between `;`");
                    };
                    names.push(Ustr::from(name.trim()));
                    code
                }
                _ => part,
            };
            programs.push(self.program_of(place.scope, code, at)?);
        }
        let is_choice = place.manifest.kind == "choose";
        if programs.len() > ARGUMENTS_MAX && !is_choice {
            let wanted = format!("at most {ARGUMENTS_MAX} expressions");
            return self.bad(at, port.name, text, &wanted);
        }
        Some((names.into(), programs.into()))
    }

    /// A port that takes words of people, a receiver or a time of day.
    pub(super) fn people_source(
        &mut self,
        place: &Place<'_>,
        port: &str,
        kind: PortType,
    ) -> Option<Source> {
        let (text, at) = self.text(place, port)?;
        if let Some(words) = kind.words() {
            return match words.iter().position(|word| *word == text.trim()) {
                Some(number) => Some(Source::Const(Value::Int(number as i64))),
                None => self.bad(at, port, text, &kind.wanted()),
            };
        }
        match kind {
            PortType::Receiver if text.trim() == HOUSEHOLD => {
                Some(Source::Const(Value::Text(Ustr::from(HOUSEHOLD))))
            }
            PortType::Clock => match clock_minutes(text.trim()) {
                Some(minutes) => Some(Source::Const(Value::Int(minutes))),
                None => self.typed_program(place, port, (text, at), kind),
            },
            _ => self.typed_program(place, port, (text, at), kind),
        }
    }

    /// An expression that gives what a port takes.
    fn typed_program(
        &mut self,
        place: &Place<'_>,
        port: &str,
        (text, at): (&str, Position),
        kind: PortType,
    ) -> Option<Source> {
        let index = self.program_of(place.scope, text, at)?;
        let given = self.programs[usize::from(index)].kind();
        let fits = match kind {
            PortType::Receiver => matches!(given, ValueType::Agent | ValueType::Any),
            _ => matches!(given, ValueType::Int | ValueType::Number | ValueType::Any),
        };
        if fits { Some(Source::Program(index)) } else { self.bad(at, port, text, &kind.wanted()) }
    }

    /// The slot that takes a sender holds persons.
    fn check_sender(&mut self, place: &Place<'d>) -> Option<()> {
        let given = place.definition.ports.iter().find(|port| port.name == "from");
        let (Some(given), "receive") = (given, place.manifest.kind) else { return Some(()) };
        let slot = self.key(place, "from")?;
        match self.slots[usize::from(slot.0)].kind {
            ValueType::Agent | ValueType::Any => Some(()),
            _ => self.bad(given.at, "from", &given.value, "a slot of type agent"),
        }
    }
}

/// Minutes since midnight of `17:30`.
fn clock_minutes(text: &str) -> Option<i64> {
    let (hours, minutes) = text.split_once(':')?;
    let number = |text: &str| text.parse::<u8>().ok().map(i64::from);
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    let total = hours * 60 + minutes;
    (minutes < 60 && total <= CLOCK_MAX).then_some(total)
}
