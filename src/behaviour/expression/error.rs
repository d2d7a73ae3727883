//! What goes wrong while an expression is evaluated.

use std::fmt;

use super::ast::{Aggregate, Binary, Compare, Function, Unary};
use super::names::{AttributeIndex, SlotIndex};
use crate::behaviour::value::ValueType;

/// An expression has no value. [`Program::explain`](super::Program::explain) says it with names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EvalError {
    /// A slot was read that holds nothing.
    #[error("slot {} is not set", .0.0)]
    UnsetSlot(SlotIndex),
    /// An attribute was read that the person does not have.
    #[error("attribute {} is not set", .0.0)]
    UnsetAttribute(AttributeIndex),
    /// An attribute was read that another person does not have.
    #[error("attribute {} of another person is not set", .0.0)]
    UnsetOther(AttributeIndex),
    /// A text stood beside a number and says none.
    #[error("{0} needs a number and found a text that says none")]
    NotANumber(Operation),
    /// An operation does not take values of this type.
    #[error("{operation} does not take a value of type {}", found.word())]
    WrongType {
        /// What was to be done.
        operation: Operation,
        /// What was found.
        found: ValueType,
    },
    /// An operation needs a whole number.
    #[error("{0} needs a whole number")]
    NotWhole(Operation),
    /// A whole number was divided by 0.
    #[error("a whole number is divided by 0")]
    DivisionByZero,
    /// A number is infinite or none at all where it is stored or decides something.
    #[error("{0} found a number that is infinite or not a number")]
    NotFinite(Operation),
    /// A whole number or a time is beyond its range.
    #[error("the result of {0} is too large")]
    Overflow(Operation),
    /// A limit above its counterpart, or a negative spread.
    #[error("`{0}` takes its lower limit first and no negative spread")]
    OutOfRange(Function),
    /// There is nobody to take a mean, least or greatest value of.
    #[error("`{0}` of nobody; a third argument says what it is then")]
    Nobody(Aggregate),
    /// A text that was put together is above 4,096 bytes.
    #[error("a text above {} bytes", super::compute::TEXT_BYTES_MAX)]
    TextTooLong,
    /// The process holds a million different texts.
    #[error("more than {} different texts", super::compute::TEXTS_MAX)]
    TooManyTexts,
}

const _: () = assert!(size_of::<EvalError>() <= 8);

/// What was to be done when it went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// An operator before its operand.
    Unary(Unary),
    /// An operator between two.
    Binary(Binary),
    /// A comparison.
    Compare(Compare),
    /// A call of a function.
    Call(Function),
    /// A value of many.
    Aggregate(Aggregate),
    /// The condition of a choice, `&&`, `||` or a node.
    Condition,
    /// Giving a slot a value.
    Store(SlotIndex),
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unary(unary) => write!(f, "`{unary}`"),
            Self::Binary(binary) => write!(f, "`{binary}`"),
            Self::Compare(compare) => write!(f, "`{compare}`"),
            Self::Call(function) => write!(f, "`{function}`"),
            Self::Aggregate(aggregate) => write!(f, "`{aggregate}`"),
            Self::Condition => f.write_str("a condition"),
            Self::Store(slot) => write!(f, "slot {}", slot.0),
        }
    }
}
