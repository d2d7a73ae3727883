//! Running a [`Program`] over the values of one person: no allocation (but for texts that are put
//! together), no recursion, and time bounded by the length of the program times the number of
//! other persons.

use super::ast::{Aggregate, Binary, Compare, Function};
use super::compute;
use super::error::{EvalError, Operation};
use super::names::{Scope, SourceIndex};
use super::program::{Op, Program, Read, STACK_MAX};
use crate::behaviour::value::Value;

/// Most expressions need no more values at once; a short stack is cheaper to set up.
const SHORT_STACK: usize = 4;

type Result<T = Value> = std::result::Result<T, EvalError>;

impl Program {
    /// The value of the expression. What was stored before an error stays stored.
    ///
    /// # Errors
    /// See [`EvalError`]; [`Self::explain`] makes a sentence of it.
    #[inline]
    pub fn evaluate<S: Scope>(&self, scope: &mut S) -> Result {
        match *self.ops {
            [Op::CompareNumber(compare, name, with)] => {
                compare_number(scope, None, compare, name, with).map(Value::Bool)
            }
            [Op::Load(name)] => load(scope, None, name),
            _ if self.stack <= SHORT_STACK => Machine::<S, SHORT_STACK>::new(scope).run(self),
            _ => Machine::<S, STACK_MAX>::new(scope).run(self),
        }
    }

    /// The value of the expression as a condition: numbers are true if they are not 0.
    ///
    /// # Errors
    /// As [`Self::evaluate`], and for a value that is no condition, such as a text.
    #[inline]
    pub fn is_true<S: Scope>(&self, scope: &mut S) -> Result<bool> {
        compute::truth(self.evaluate(scope)?)
    }
}

/// An aggregate under way.
#[derive(Clone, Copy)]
struct Round {
    source: SourceIndex,
    position: usize,
    count: usize,
    /// What is made of the persons so far.
    so_far: Value,
}

struct Machine<'s, S, const DEPTH: usize> {
    scope: &'s mut S,
    stack: [Value; DEPTH],
    /// How many values are on the stack.
    height: usize,
    round: Option<Round>,
}

impl<'s, S: Scope, const DEPTH: usize> Machine<'s, S, DEPTH> {
    fn new(scope: &'s mut S) -> Self {
        Self { scope, stack: [Value::Unset; DEPTH], height: 0, round: None }
    }

    fn run(mut self, program: &Program) -> Result {
        let mut at = 0;
        while let Some(op) = program.ops.get(at) {
            at += 1;
            match *op {
                Op::Constant(index) => self.push(program.constants[usize::from(index)]),
                Op::Jump(target) => at = usize::from(target),
                Op::JumpIfFalse(target) => {
                    if !compute::truth(self.pop())? {
                        at = usize::from(target);
                    }
                }
                Op::And(target) | Op::Or(target) => {
                    let yes = compute::truth(self.pop())?;
                    if yes == matches!(op, Op::Or(_)) {
                        self.push(Value::Bool(yes));
                        at = usize::from(target);
                    }
                }
                Op::Chain(compare, target) => {
                    let right = self.pop();
                    let left = self.pop();
                    if self.compare(compare, left, right)? {
                        self.push(right);
                    } else {
                        self.push(Value::Bool(false));
                        at = usize::from(target);
                    }
                }
                Op::Each(source, nobody) => {
                    let count = self.scope.other_count(source);
                    self.round = Some(Round { source, position: 0, count, so_far: Value::Unset });
                    if count == 0 {
                        at = usize::from(nobody);
                    }
                }
                Op::Next(aggregate, body) => {
                    if self.next(aggregate)? {
                        at = usize::from(body);
                    }
                }
                _ => self.straight(*op)?,
            }
        }
        Ok(self.pop())
    }

    /// An operation that the next one follows.
    #[inline]
    fn straight(&mut self, op: Op) -> Result<()> {
        let value = match op {
            Op::Load(name) => load(self.scope, self.round, name)?,
            Op::CompareNumber(compare, name, with) => {
                Value::Bool(compare_number(self.scope, self.round, compare, name, with)?)
            }
            Op::CompareText(compare, name, with) => {
                let left = load(self.scope, self.round, name)?;
                Value::Bool(self.compare(compare, left, Value::Text(with))?)
            }
            Op::Unary(unary) => compute::unary(unary, self.pop())?,
            Op::Binary(binary) => {
                let right = self.pop();
                compute::binary(binary, self.pop(), right)?
            }
            Op::Compare(compare) => {
                let right = self.pop();
                let left = self.pop();
                Value::Bool(self.compare(compare, left, right)?)
            }
            Op::Call(function) => self.call(function)?,
            Op::Truth => Value::Bool(compute::truth(self.pop())?),
            Op::Store(slot, kind) => {
                let held = self.scope.get(slot);
                let words = |text| self.scope.word(text);
                let value = self.stack[self.height - 1];
                let value = compute::convert(value, slot, kind, held, &words)?;
                self.scope.set(slot, value);
                self.height -= 1;
                value
            }
            Op::Count(source) => Value::Int(self.scope.other_count(source) as i64),
            Op::Nobody(aggregate) => return Err(EvalError::Nobody(aggregate)),
            Op::Drop => {
                self.pop();
                return Ok(());
            }
            // Those that jump.
            _ => return Ok(()),
        };
        self.push(value);
        Ok(())
    }

    fn call(&mut self, function: Function) -> Result {
        let (least, _) = function.arguments();
        let mut arguments = [Value::Unset; 3];
        for index in (0..least).rev() {
            arguments[index] = self.pop();
        }
        if !function.draws() {
            return compute::call(function, arguments);
        }
        let [first, second, _] = arguments;
        compute::draw(function, first, second, || self.scope.unit_random())
    }

    /// Takes the value of one person into account, in order of position; whether another follows.
    fn next(&mut self, aggregate: Aggregate) -> Result<bool> {
        let value = self.pop();
        let Some(mut round) = self.round else { return Ok(false) };
        let mut decided = false;
        round.so_far = match aggregate {
            Aggregate::Count => {
                let so_far = if let Value::Int(count) = round.so_far { count } else { 0 };
                Value::Int(so_far + i64::from(compute::truth(value)?))
            }
            Aggregate::Any | Aggregate::All => {
                let yes = compute::truth(value)?;
                decided = yes == (aggregate == Aggregate::Any);
                Value::Bool(yes)
            }
            _ => take(aggregate, round.so_far, value)?,
        };
        round.position += 1;
        let more = round.position < round.count && !decided;
        self.round = more.then_some(round);
        if !more {
            self.push(match (aggregate, round.so_far) {
                (Aggregate::Mean, Value::Number(sum)) => Value::Number(sum / round.count as f64),
                (_, value) => value,
            });
        }
        Ok(more)
    }

    #[inline]
    fn compare(&self, compare: Compare, left: Value, right: Value) -> Result<bool> {
        compute::compare(compare, left, right, &|text| self.scope.word(text))
    }

    #[inline]
    fn push(&mut self, value: Value) {
        self.stack[self.height] = value;
        self.height += 1;
    }

    #[inline]
    fn pop(&mut self) -> Value {
        self.height -= 1;
        self.stack[self.height]
    }
}

/// A sum, a least or a greatest value with one more person.
fn take(aggregate: Aggregate, so_far: Value, value: Value) -> Result {
    let operation = Operation::Aggregate(aggregate);
    let number = compute::number(value, operation)?;
    match (aggregate, so_far) {
        (Aggregate::Mean, Value::Number(sum)) => Ok(Value::Number(sum + number)),
        (Aggregate::Mean, _) => Ok(Value::Number(number)),
        (Aggregate::Sum, Value::Unset) => compute::binary(Binary::Add, Value::Int(0), value),
        (Aggregate::Sum, _) => compute::binary(Binary::Add, so_far, value),
        (_, Value::Unset) => Ok(value),
        (Aggregate::MinOf, _) => compute::call(Function::Min, [so_far, value, Value::Unset]),
        _ => compute::call(Function::Max, [so_far, value, Value::Unset]),
    }
}

#[inline]
fn load<S: Scope>(scope: &S, round: Option<Round>, name: Read) -> Result {
    let (value, unset) = match (name, round) {
        (Read::Slot(slot), _) => (scope.get(slot), EvalError::UnsetSlot(slot)),
        (Read::Attribute(attribute), _) => {
            (scope.attribute(attribute), EvalError::UnsetAttribute(attribute))
        }
        (Read::Other(attribute), Some(round)) => {
            (scope.other(round.source, round.position, attribute), EvalError::UnsetOther(attribute))
        }
        (Read::Other(attribute), None) => (Value::Unset, EvalError::UnsetOther(attribute)),
    };
    if matches!(value, Value::Unset) { Err(unset) } else { Ok(value) }
}

#[inline]
fn compare_number<S: Scope>(
    scope: &S,
    round: Option<Round>,
    compare: Compare,
    name: Read,
    with: f64,
) -> Result<bool> {
    let value = load(scope, round, name)?;
    match value.as_number() {
        Some(number) => Ok(compute::compare_numbers(compare, number, with)),
        None => {
            let words = |text| scope.word(text);
            compute::compare(compare, value, Value::Number(with), &words)
        }
    }
}

#[cfg(test)]
mod tests;
