//! An expression ready to run.

use ustr::Ustr;

use super::ast::{Aggregate, Binary, Compare, Function, Unary};
use super::error::{EvalError, Operation};
use super::names::{AttributeIndex, SlotIndex, SourceIndex};
use crate::behaviour::value::{Value, ValueType};

/// The most values that an expression may need at once.
pub(super) const STACK_MAX: usize = 32;

/// A compiled expression: a row of operations on a stack, with jumps for what is not evaluated.
/// Immutable, shared by all persons.
#[derive(Debug, Clone, PartialEq)]
pub struct Program {
    pub(super) ops: Box<[Op]>,
    pub(super) constants: Box<[Value]>,
    /// The type of the value; any type if it is not known before the run.
    pub(super) kind: ValueType,
    /// The most values on the stack.
    pub(super) stack: usize,
    /// The names of what is read and stored, for messages.
    pub(super) names: Box<[(Read, Box<str>)]>,
}

/// Where a value is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Read {
    Slot(SlotIndex),
    Attribute(AttributeIndex),
    /// Of the other person of the aggregate that is under way.
    Other(AttributeIndex),
}

/// An operation. Operands are on the stack, the last on top; the result takes their place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Op {
    Constant(u16),
    Load(Read),
    /// `name < constant`, in one go.
    CompareNumber(Compare, Read, f64),
    /// `name == constant`, in one go.
    CompareText(Compare, Read, Ustr),
    Unary(Unary),
    /// Neither `&&` nor `||`.
    Binary(Binary),
    Compare(Compare),
    /// One of a chain of comparisons: false ends the chain at the target, true leaves the right
    /// side for the next.
    Chain(Compare, u16),
    Call(Function),
    /// To a truth value.
    Truth,
    /// If false, leaves that and jumps; else takes it away.
    And(u16),
    /// If true, leaves that and jumps; else takes it away.
    Or(u16),
    /// Takes the condition away and jumps if it is false.
    JumpIfFalse(u16),
    Jump(u16),
    /// Gives a slot the value and leaves it, as the slot holds it.
    Store(SlotIndex, ValueType),
    Drop,
    /// How many others there are.
    Count(SourceIndex),
    /// Begins an aggregate, or jumps if there is nobody.
    Each(SourceIndex, u16),
    /// Takes the value of one person; goes back for the next, or leaves the result.
    Next(Aggregate, u16),
    /// An error: there is nobody.
    Nobody(Aggregate),
}

const _: () = assert!(size_of::<Op>() <= 16);

impl Program {
    /// The type of the value; [`ValueType::Any`] if it is not known before the run.
    pub fn kind(&self) -> ValueType {
        self.kind
    }

    /// The value, if it is the same in every run.
    pub fn constant(&self) -> Option<Value> {
        match *self.ops {
            [Op::Constant(index)] => Some(self.constants[usize::from(index)]),
            _ => None,
        }
    }

    /// An error as a sentence with the names of the expression.
    pub fn explain(&self, error: EvalError) -> String {
        let unset = |read| format!("`{}` is not set", self.name(read));
        let slot = |operation| match operation {
            Operation::Store(slot) => Some(self.name(Read::Slot(slot))),
            _ => None,
        };
        match error {
            EvalError::UnsetSlot(slot) => unset(Read::Slot(slot)),
            EvalError::UnsetAttribute(attribute) => unset(Read::Attribute(attribute)),
            EvalError::UnsetOther(attribute) => unset(Read::Other(attribute)),
            EvalError::WrongType { operation, found } => match slot(operation) {
                Some(slot) => format!("`{slot}` does not take a value of type {}", found.word()),
                None => error.to_string(),
            },
            EvalError::NotANumber(operation)
            | EvalError::NotWhole(operation)
            | EvalError::NotFinite(operation)
            | EvalError::Overflow(operation) => match slot(operation) {
                // The sentence begins with, or ends with, the operation.
                Some(slot) => {
                    error.to_string().replace(&operation.to_string(), &format!("`{slot}`"))
                }
                None => error.to_string(),
            },
            _ => error.to_string(),
        }
    }

    fn name(&self, read: Read) -> &str {
        let found = self.names.iter().find(|(known, _)| *known == read);
        found.map_or("a value", |(_, name)| name)
    }
}
