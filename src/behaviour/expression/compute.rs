//! The rules of operators and functions, the same for constants and for runs.
//!
//! `exp`, `ln`, `pow` and `cos` are those of `libm`, which gives the same bits on every machine;
//! the standard library's may not.

use std::fmt::Write;

use ustr::Ustr;

use super::ast::{Binary, Compare, Function, Unary};
use super::error::{EvalError, Operation};
use super::names::SlotIndex;
use crate::base::time::SimTime;
use crate::behaviour::value::{Value, ValueType};

/// The longest text that an expression may put together.
pub(super) const TEXT_BYTES_MAX: usize = 4_096;
/// How many texts a process may hold (each is kept until its end) before expressions may add none.
pub(super) const TEXTS_MAX: usize = 1_000_000;

/// Numbers no further apart are equal: BehaviorTree.CPP's measure.
const SAME_WITHIN: f64 = f32::EPSILON as f64;

type Result<T = Value> = std::result::Result<T, EvalError>;

/// A value as a condition: numbers are true if they are not 0.
#[inline]
pub(super) fn truth(value: Value) -> Result<bool> {
    match value {
        Value::Bool(yes) => Ok(yes),
        Value::Int(number) => Ok(number != 0),
        Value::Number(number) if number.is_nan() => Err(EvalError::NotFinite(Operation::Condition)),
        Value::Number(number) => Ok(number != 0.0),
        _ => Err(wrong(Operation::Condition, value)),
    }
}

pub(super) fn unary(unary: Unary, value: Value) -> Result {
    let operation = Operation::Unary(unary);
    match (unary, value) {
        (Unary::Not, _) => Ok(Value::Bool(!truth(value)?)),
        (Unary::Negate, Value::Number(number)) => Ok(Value::Number(-number)),
        (Unary::Negate, _) => {
            let negative = whole(value, operation)?.checked_neg();
            negative.map(Value::Int).ok_or(EvalError::Overflow(operation))
        }
        (Unary::Complement, _) => Ok(Value::Int(!whole(value, operation)?)),
    }
}

/// Any operator but `&&` and `||`, which decide whether their right side is evaluated.
#[inline]
pub(super) fn binary(binary: Binary, left: Value, right: Value) -> Result {
    match (left, right) {
        (Value::Int(left), Value::Int(right)) => whole_binary(binary, left, right),
        (Value::Number(left), Value::Number(right)) => number_binary(binary, left, right),
        _ => mixed_binary(binary, left, right),
    }
}

fn mixed_binary(binary: Binary, left: Value, right: Value) -> Result {
    let operation = Operation::Binary(binary);
    match (binary, left, right) {
        (Binary::Join, ..) => join(left, right, operation),
        (Binary::Add, Value::Text(_), Value::Text(_)) => join(left, right, operation),
        (Binary::Subtract, Value::Time(left), Value::Time(right)) => {
            Ok(Value::Int(i64::from(left.0) - i64::from(right.0)))
        }
        (Binary::Add | Binary::Subtract, Value::Time(time), _) => {
            let seconds = whole(right, operation)?;
            let seconds = if binary == Binary::Add { Some(seconds) } else { seconds.checked_neg() };
            let sum = seconds.and_then(|seconds| i64::from(time.0).checked_add(seconds));
            let moment = sum.and_then(|sum| u32::try_from(sum).ok());
            moment.map(|s| Value::Time(SimTime(s))).ok_or(EvalError::Overflow(operation))
        }
        (_, Value::Bool(_) | Value::Int(_), Value::Bool(_) | Value::Int(_)) => {
            whole_binary(binary, whole(left, operation)?, whole(right, operation)?)
        }
        _ => number_binary(binary, number(left, operation)?, number(right, operation)?),
    }
}

#[inline]
fn whole_binary(binary: Binary, left: i64, right: i64) -> Result {
    let operation = Operation::Binary(binary);
    let result = match binary {
        Binary::Add => left.checked_add(right),
        Binary::Subtract => left.checked_sub(right),
        Binary::Multiply => left.checked_mul(right),
        Binary::Divide | Binary::Remainder if right == 0 => return Err(EvalError::DivisionByZero),
        Binary::Divide => return Ok(Value::Number(left as f64 / right as f64)),
        Binary::Remainder => left.checked_rem(right),
        Binary::BitAnd => Some(left & right),
        Binary::BitOr => Some(left | right),
        Binary::BitXor => Some(left ^ right),
        Binary::Join => return join(Value::Int(left), Value::Int(right), operation),
        Binary::And => return Ok(Value::Bool(left != 0 && right != 0)),
        Binary::Or => return Ok(Value::Bool(left != 0 || right != 0)),
    };
    result.map(Value::Int).ok_or(EvalError::Overflow(operation))
}

#[inline]
fn number_binary(binary: Binary, left: f64, right: f64) -> Result {
    let operation = Operation::Binary(binary);
    Ok(Value::Number(match binary {
        Binary::Add => left + right,
        Binary::Subtract => left - right,
        Binary::Multiply => left * right,
        Binary::Divide => left / right,
        Binary::Remainder => left % right,
        Binary::Join => return join(Value::Number(left), Value::Number(right), operation),
        _ => {
            let left = whole(Value::Number(left), operation)?;
            let right = whole(Value::Number(right), operation)?;
            return whole_binary(binary, left, right);
        }
    }))
}

/// Compares; `words` gives the number of a word of an enumeration.
#[inline]
pub(super) fn compare(
    compare: Compare,
    left: Value,
    right: Value,
    words: &impl Fn(Ustr) -> Option<f64>,
) -> Result<bool> {
    let operation = Operation::Compare(compare);
    let equality = matches!(compare, Compare::Equal | Compare::NotEqual);
    Ok(match (left, right) {
        (Value::Int(left), Value::Int(right)) => ordered(compare, &left, &right),
        (Value::Number(left), Value::Number(right)) => compare_numbers(compare, left, right),
        (Value::Text(left), Value::Text(right)) => {
            if equality {
                (left == right) == (compare == Compare::Equal)
            } else {
                ordered(compare, &left.as_str(), &right.as_str())
            }
        }
        (Value::Time(left), Value::Time(right)) => ordered(compare, &left.0, &right.0),
        (Value::Place(_), Value::Place(_))
        | (Value::Agent(_), Value::Agent(_))
        | (Value::Status(_), Value::Status(_))
            if equality =>
        {
            (left == right) == (compare == Compare::Equal)
        }
        _ => {
            let left = readable(left, operation, words)?;
            compare_numbers(compare, left, readable(right, operation, words)?)
        }
    })
}

#[inline]
pub(super) fn compare_numbers(compare: Compare, left: f64, right: f64) -> bool {
    match compare {
        Compare::Equal => left == right || (left - right).abs() <= SAME_WITHIN,
        Compare::NotEqual => !compare_numbers(Compare::Equal, left, right),
        _ => ordered(compare, &left, &right),
    }
}

#[inline]
fn ordered<T: PartialOrd>(compare: Compare, left: &T, right: &T) -> bool {
    match compare {
        Compare::Equal => left == right,
        Compare::NotEqual => left != right,
        Compare::Less => left < right,
        Compare::LessOrEqual => left <= right,
        Compare::Greater => left > right,
        Compare::GreaterOrEqual => left >= right,
    }
}

/// `value` as a slot of type `kind` holds it, which holds `held` now. A slot of any type keeps to
/// what it first held, numbers or texts or another type, as in BehaviorTree.CPP.
pub(super) fn convert(
    value: Value,
    slot: SlotIndex,
    kind: ValueType,
    held: Value,
    words: &impl Fn(Ustr) -> Option<f64>,
) -> Result {
    let operation = Operation::Store(slot);
    if let Value::Number(number) = value
        && !number.is_finite()
    {
        return Err(EvalError::NotFinite(operation));
    }
    let target = match kind {
        ValueType::Any => held.kind().unwrap_or(ValueType::Any),
        kind => kind,
    };
    match (target, value) {
        _ if target.holds(value) => Ok(value),
        (ValueType::Number, _) => readable(value, operation, words).map(Value::Number),
        // In a slot of any type a number may become any other.
        (ValueType::Int | ValueType::Bool, Value::Int(_)) if kind == ValueType::Any => Ok(value),
        (ValueType::Bool, _) if kind == ValueType::Bool => {
            readable(value, operation, words).map(|number| Value::Bool(number != 0.0))
        }
        (ValueType::Int | ValueType::Bool, _) => {
            let number = Value::Number(readable(value, operation, words)?);
            match whole(number, operation) {
                Err(EvalError::NotWhole(_)) if kind == ValueType::Any => Ok(number),
                whole => whole.map(Value::Int),
            }
        }
        _ => Err(wrong(operation, value)),
    }
}

/// A function that draws nothing.
pub(super) fn call(function: Function, arguments: [Value; 3]) -> Result {
    let operation = Operation::Call(function);
    let [first, second, third] = arguments;
    let of = |value: Value| number(value, operation);
    Ok(match function {
        Function::Min => {
            if of(second)? < of(first)? {
                second
            } else {
                first
            }
        }
        Function::Max => {
            if of(second)? > of(first)? {
                second
            } else {
                first
            }
        }
        Function::Clamp => {
            let (value, low, high) = (of(first)?, of(second)?, of(third)?);
            if low > high || low.is_nan() || high.is_nan() {
                return Err(EvalError::OutOfRange(function));
            }
            if value < low {
                second
            } else if value > high {
                third
            } else {
                first
            }
        }
        Function::Abs => match first {
            Value::Number(number) => Value::Number(number.abs()),
            _ => {
                let size = whole(first, operation)?.checked_abs();
                Value::Int(size.ok_or(EvalError::Overflow(operation))?)
            }
        },
        Function::Floor | Function::Ceil | Function::Round => match first {
            Value::Number(number) => {
                let rounded = match function {
                    Function::Floor => number.floor(),
                    Function::Ceil => number.ceil(),
                    _ => number.round(),
                };
                Value::Int(whole(Value::Number(rounded), operation)?)
            }
            _ => Value::Int(whole(first, operation)?),
        },
        Function::Sqrt => Value::Number(of(first)?.sqrt()),
        Function::Exp => Value::Number(libm::exp(of(first)?)),
        Function::Ln => Value::Number(libm::log(of(first)?)),
        Function::Pow => Value::Number(libm::pow(of(first)?, of(second)?)),
        Function::Chance | Function::Uniform | Function::Normal | Function::RandomInt => {
            return Err(wrong(operation, first));
        }
    })
}

/// A function that draws random numbers in [0, 1) from `unit`: two for `normal`, else one.
pub(super) fn draw(
    function: Function,
    first: Value,
    second: Value,
    mut unit: impl FnMut() -> f64,
) -> Result {
    let operation = Operation::Call(function);
    let of = |value: Value| match number(value, operation) {
        Ok(number) if !number.is_finite() => Err(EvalError::NotFinite(operation)),
        number => number,
    };
    match function {
        Function::Uniform => {
            let (low, high) = (of(first)?, of(second)?);
            if low > high {
                return Err(EvalError::OutOfRange(function));
            }
            Ok(Value::Number(low + (high - low) * unit()))
        }
        // Box and Muller 1958, one of the pair.
        Function::Normal => {
            let (mean, sd) = (of(first)?, of(second)?);
            if sd < 0.0 {
                return Err(EvalError::OutOfRange(function));
            }
            let radius = (-2.0 * libm::log(1.0 - unit())).sqrt();
            Ok(Value::Number(mean + sd * radius * libm::cos(std::f64::consts::TAU * unit())))
        }
        Function::RandomInt => {
            let (low, high) = (whole(first, operation)?, whole(second, operation)?);
            if low > high {
                return Err(EvalError::OutOfRange(function));
            }
            let width = high.checked_sub(low).filter(|width| *width < 1 << 52);
            let width = width.ok_or(EvalError::Overflow(operation))?;
            Ok(Value::Int(low + ((width + 1) as f64 * unit()) as i64))
        }
        _ => Ok(Value::Bool(unit() < of(first)?)),
    }
}

/// A number or a truth value as a number.
#[inline]
pub(super) fn number(value: Value, operation: Operation) -> Result<f64> {
    value.as_number().ok_or_else(|| wrong(operation, value))
}

/// A value as a number, texts read.
fn readable(
    value: Value,
    operation: Operation,
    words: &impl Fn(Ustr) -> Option<f64>,
) -> Result<f64> {
    let Value::Text(text) = value else { return number(value, operation) };
    let word = || words(text);
    text_number(&text).or_else(word).ok_or(EvalError::NotANumber(operation))
}

/// The number that a text says.
pub(super) fn text_number(text: &str) -> Option<f64> {
    match text {
        "true" => Some(1.0),
        "false" => Some(0.0),
        _ => text.trim().parse().ok().filter(|number: &f64| number.is_finite()),
    }
}

/// A value as a whole number.
#[inline]
pub(super) fn whole(value: Value, operation: Operation) -> Result<i64> {
    /// The least whole number beyond an `i64`, exactly.
    const BEYOND: f64 = 9_223_372_036_854_775_808.0;
    match value {
        Value::Int(number) => Ok(number),
        Value::Bool(yes) => Ok(i64::from(yes)),
        Value::Number(number) if !number.is_finite() => Err(EvalError::NotFinite(operation)),
        Value::Number(number) if number.fract() != 0.0 => Err(EvalError::NotWhole(operation)),
        Value::Number(number) if (-BEYOND..BEYOND).contains(&number) => Ok(number as i64),
        Value::Number(_) => Err(EvalError::Overflow(operation)),
        _ => Err(wrong(operation, value)),
    }
}

/// Texts and numbers as one text.
fn join(left: Value, right: Value, operation: Operation) -> Result {
    let mut text = String::new();
    for value in [left, right] {
        match value {
            Value::Text(part) if part.len() > TEXT_BYTES_MAX => {
                return Err(EvalError::TextTooLong);
            }
            Value::Text(part) => text.push_str(&part),
            Value::Bool(_) | Value::Int(_) | Value::Number(_) => {
                // Writing to a `String` does not fail.
                let _ = write!(text, "{value}");
            }
            _ => return Err(wrong(operation, value)),
        }
    }
    if text.len() > TEXT_BYTES_MAX {
        return Err(EvalError::TextTooLong);
    }
    let known = Ustr::from_existing(&text);
    if known.is_none() && ustr::num_entries() >= TEXTS_MAX {
        return Err(EvalError::TooManyTexts);
    }
    Ok(Value::Text(known.unwrap_or_else(|| Ustr::from(&text))))
}

fn wrong(operation: Operation, value: Value) -> EvalError {
    let found = value.kind().unwrap_or(ValueType::Any);
    EvalError::WrongType { operation, found }
}
