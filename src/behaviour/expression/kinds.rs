//! The type that an operation gives, from what is known of its operands before a run. `None`: it
//! takes no such operands. [`ValueType::Any`] may be anything, and is looked at in the run.

use super::ast::{Aggregate, Binary, Compare, Function, Unary};
use crate::behaviour::value::ValueType;

/// Whether a value may count as a number and as a condition.
pub(super) fn numeric(kind: ValueType) -> bool {
    use ValueType::{Any, Bool, Int, Number};
    matches!(kind, Any | Bool | Int | Number)
}

pub(super) fn unary(unary: Unary, operand: ValueType) -> Option<ValueType> {
    numeric(operand).then_some(match (unary, operand) {
        (Unary::Not, _) => ValueType::Bool,
        (Unary::Complement, _) => ValueType::Int,
        (Unary::Negate, ValueType::Bool) => ValueType::Int,
        (Unary::Negate, kind) => kind,
    })
}

pub(super) fn binary(binary: Binary, left: ValueType, right: ValueType) -> Option<ValueType> {
    use ValueType::{Any, Bool, Int, Number, Text, Time};
    let numbers = numeric(left) && numeric(right);
    match binary {
        Binary::Or | Binary::And => numbers.then_some(Bool),
        Binary::BitOr | Binary::BitXor | Binary::BitAnd => numbers.then_some(Int),
        Binary::Divide => numbers.then_some(Number),
        Binary::Join => {
            let joins = |kind| numeric(kind) || kind == Text;
            (joins(left) && joins(right)).then_some(Text)
        }
        Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Remainder => {
            match (binary, left, right) {
                (Binary::Add, Text, Text | Any) | (Binary::Add, Any, Text) => Some(Text),
                (Binary::Subtract, Time, Time) => Some(Int),
                (Binary::Subtract, Time | Any, Any) | (Binary::Subtract, Any, Time) => Some(Any),
                (Binary::Add | Binary::Subtract, Time, _) if numeric(right) => Some(Time),
                (_, Any, _) | (_, _, Any) => numbers.then_some(Any),
                (_, Number, _) | (_, _, Number) => numbers.then_some(Number),
                _ => numbers.then_some(Int),
            }
        }
    }
}

/// Whether two types may be compared so.
pub(super) fn comparable(compare: Compare, left: ValueType, right: ValueType) -> bool {
    use ValueType::{Any, Text, Time};
    let equality = matches!(compare, Compare::Equal | Compare::NotEqual);
    match (left, right) {
        (Any, kind) | (kind, Any) => equality || numeric(kind) || matches!(kind, Text | Time),
        (Text, Text) | (Time, Time) => true,
        _ if numeric(left) && numeric(right) => true,
        _ => left == right && equality,
    }
}

pub(super) fn call(function: Function, arguments: &[ValueType]) -> Option<ValueType> {
    let first = arguments.first().copied().unwrap_or(ValueType::Any);
    let same = arguments.iter().all(|kind| *kind == first);
    let kind = match function {
        Function::Min | Function::Max | Function::Clamp if same => first,
        Function::Min | Function::Max | Function::Clamp => ValueType::Any,
        Function::Abs if first == ValueType::Bool => ValueType::Int,
        Function::Abs => first,
        Function::Floor | Function::Ceil | Function::Round | Function::RandomInt => ValueType::Int,
        Function::Chance => ValueType::Bool,
        _ => ValueType::Number,
    };
    arguments.iter().all(|kind| numeric(*kind)).then_some(kind)
}

pub(super) fn aggregate(aggregate: Aggregate, body: ValueType) -> Option<ValueType> {
    numeric(body).then_some(match aggregate {
        Aggregate::Count => ValueType::Int,
        Aggregate::Any | Aggregate::All => ValueType::Bool,
        Aggregate::Mean => ValueType::Number,
        Aggregate::Sum if body == ValueType::Bool => ValueType::Int,
        Aggregate::Sum | Aggregate::MinOf | Aggregate::MaxOf => body,
    })
}

/// The type of one of two values.
pub(super) fn either(one: ValueType, other: ValueType) -> ValueType {
    if one == other { one } else { ValueType::Any }
}
