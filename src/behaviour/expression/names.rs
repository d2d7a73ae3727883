//! What the language asks of its surroundings.

use ustr::Ustr;

use crate::behaviour::value::{Value, ValueType};

/// A slot of the blackboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SlotIndex(pub u16);

/// A value of a person that expressions read and never write, such as `needs.hunger`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AttributeIndex(pub u16);

/// A source of other persons, such as `neighbours`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceIndex(pub u16);

/// What an expression does with a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assign {
    /// Reads it.
    Read,
    /// Gives it a value; it must exist (`=`, `+=`).
    Set,
    /// Gives it a value; it comes into being if it does not exist (`:=`).
    Create,
}

/// What names mean while an expression is compiled. A name that is read is a word, else a slot,
/// else an attribute; a name that is given a value is a slot.
pub trait Names {
    /// The slot of a name, with its type; nothing if there is none.
    ///
    /// # Errors
    /// Why the slot may not be used so, as a sentence.
    fn slot(
        &mut self,
        name: &str,
        assign: Assign,
    ) -> Result<Option<(SlotIndex, ValueType)>, String>;

    /// The attribute of a name, with its type.
    fn attribute(&mut self, _name: &str) -> Option<(AttributeIndex, ValueType)> {
        None
    }

    /// The value of a word of an enumeration.
    fn word(&mut self, _name: &str) -> Option<Value> {
        None
    }

    /// A source of other persons.
    fn source(&mut self, _name: &str) -> Option<SourceIndex> {
        None
    }

    /// What `other.NAME` is of the persons of a source; `name` is without `other.`.
    fn other(&mut self, _source: SourceIndex, _name: &str) -> Option<(AttributeIndex, ValueType)> {
        None
    }

    /// Every name there is, sources and `other.NAME` as well, to say what is near a wrong one.
    fn known(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The values of one person while an expression is evaluated.
pub trait Scope {
    /// What a slot holds.
    fn get(&self, slot: SlotIndex) -> Value;

    /// Gives a slot a value, which has the type of the slot.
    fn set(&mut self, slot: SlotIndex, value: Value);

    /// An attribute.
    fn attribute(&self, attribute: AttributeIndex) -> Value;

    /// A random number in [0, 1).
    fn unit_random(&mut self) -> f64;

    /// How many other persons there are.
    fn other_count(&self, _source: SourceIndex) -> usize {
        0
    }

    /// An attribute of the other person at `position`, which is below the count.
    fn other(&self, _source: SourceIndex, _position: usize, _attribute: AttributeIndex) -> Value {
        Value::Unset
    }

    /// The number of a word of an enumeration: a text that stands beside a number may be one.
    fn word(&self, _text: Ustr) -> Option<f64> {
        None
    }
}
