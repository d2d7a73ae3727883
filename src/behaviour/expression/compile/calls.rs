//! Assignments, calls of functions and aggregates.

use super::{Compiler, Made};
use crate::behaviour::definition::Position;
use crate::behaviour::expression::ast::{Aggregate, AssignSign, Expr, Function, Target};
use crate::behaviour::expression::error::EvalError;
use crate::behaviour::expression::names::{Assign, SlotIndex};
use crate::behaviour::expression::program::{Op, Read};
use crate::behaviour::expression::{compute, kinds};
use crate::behaviour::value::{Value, ValueType};

impl Compiler<'_> {
    // ---- assignments ----

    pub(super) fn assignment(&mut self, target: &Target, value: &Expr, at: Position) -> Made {
        let Target { name, sign } = target;
        if self.round.is_some() {
            let message = format!("`{name}` is given a value for each of many persons");
            return self.refuse(at, "not-assignable", message);
        }
        let assign = if *sign == AssignSign::Create { Assign::Create } else { Assign::Set };
        let found = self.names.slot(name, assign);
        let mark = self.mark();
        let Ok(Some((slot, kind))) = found else {
            self.expr(value);
            return match found {
                Err(message) => self.refuse(at, "slot-not-allowed", message),
                Ok(_) if self.names.attribute(name).is_some() => {
                    self.refuse(at, "not-assignable", format!("`{name}` may only be read"))
                }
                Ok(_) if assign == Assign::Create => self.unknown(name, at, ""),
                Ok(_) => self.unknown(name, at, "; `:=` makes one"),
            };
        };
        self.note(Read::Slot(slot), name);
        let made = match sign {
            AssignSign::Create | AssignSign::Set => self.expr(value),
            AssignSign::Change(binary) => {
                let left = self.load(Read::Slot(slot), name, kind);
                self.height += 1;
                let right = self.expr(value);
                self.binary(*binary, left, right, mark, at)
            }
        };
        self.check_store(slot, kind, made, name, at);
        self.leave(Op::Store(slot, kind), kind)
    }

    fn check_store(
        &mut self,
        slot: SlotIndex,
        kind: ValueType,
        made: Made,
        name: &str,
        at: Position,
    ) {
        let fits = match made.constant {
            Some(value) => {
                // A text may be the word of a number.
                let word = match value {
                    Value::Text(text) => self.names.word(&text).and_then(Value::as_number),
                    _ => None,
                };
                compute::convert(value, slot, kind, Value::Unset, &|_| word).is_ok()
            }
            None => {
                let either_any = kind == ValueType::Any || made.kind == ValueType::Any;
                either_any || kind == made.kind || kinds::numeric(kind) && kinds::numeric(made.kind)
            }
        };
        if !fits {
            let found = match made.constant {
                Some(value) => format!("`{value}`"),
                None => made.kind.word().to_owned(),
            };
            let message = format!("`{name}` holds {}, it cannot take {found}", kind.word());
            self.refuse(at, "wrong-type", message);
        }
    }

    // ---- calls ----

    pub(super) fn call(&mut self, function: Function, arguments: &[Expr], at: Position) -> Made {
        let mark = self.mark();
        let mut made: Vec<Made> = Vec::with_capacity(arguments.len());
        let (least, most) = function.arguments();
        for argument in arguments {
            made.push(self.expr(argument));
            if least < most && made.len() >= 2 {
                // The least of many: of the first two, of that and the next …
                self.ops.push(Op::Call(function));
                self.height = mark.height + 1;
            }
        }
        let kinds: Vec<_> = made.iter().map(|made| made.kind).collect();
        let Some(kind) = kinds::call(function, &kinds) else {
            return self.wrong(at, format!("`{function}`"), &kinds);
        };
        let values: Option<Vec<Value>> = made.iter().map(|made| made.constant).collect();
        match values {
            Some(values) if !function.draws() => {
                self.fold(mark, call_constant(function, &values), at)
            }
            _ if least < most => Made::of(kind),
            _ => self.leave(Op::Call(function), kind),
        }
    }

    pub(super) fn aggregate(
        &mut self,
        aggregate: Aggregate,
        source: &str,
        arguments: &[Expr],
        at: Position,
    ) -> Made {
        if self.round.is_some() {
            let message = format!("`{aggregate}` stands within another of many persons");
            return self.refuse(at, "nested-aggregate", message);
        }
        let Some(index) = self.names.source(source) else {
            let message = format!("there are no persons called `{source}`{}", self.near(source));
            return self.refuse(at, "unknown-source", message);
        };
        let [body, nobody @ ..] = arguments else {
            return self.leave(Op::Count(index), ValueType::Int);
        };
        let mark = self.mark();
        let each = self.ops.len();
        self.ops.push(Op::Each(index, 0));
        self.round = Some(index);
        let begin = self.target();
        let body = self.expr(body);
        self.round = None;
        self.ops.push(Op::Next(aggregate, begin));
        let Some(kind) = kinds::aggregate(aggregate, body.kind) else {
            return self.wrong(at, format!("`{aggregate}`"), &[body.kind]);
        };
        let to_end = self.ops.len();
        self.ops.push(Op::Jump(0));
        self.land(each);
        self.height = mark.height;
        let nobody = match nobody {
            [nobody, ..] => self.expr(nobody).kind,
            [] => self.of_nobody(aggregate, kind),
        };
        self.land(to_end);
        Made::of(kinds::either(kind, nobody))
    }

    /// What an aggregate is if there is nobody and nothing is said of that.
    fn of_nobody(&mut self, aggregate: Aggregate, kind: ValueType) -> ValueType {
        let value = match aggregate {
            Aggregate::Sum if kind == ValueType::Number => Value::Number(0.0),
            Aggregate::Sum | Aggregate::Count => Value::Int(0),
            Aggregate::Any | Aggregate::All => Value::Bool(aggregate == Aggregate::All),
            Aggregate::Mean | Aggregate::MinOf | Aggregate::MaxOf => {
                self.ops.push(Op::Nobody(aggregate));
                return kind;
            }
        };
        self.constant(self.mark(), value);
        kind
    }
}

fn call_constant(function: Function, values: &[Value]) -> Result<Value, EvalError> {
    if matches!(function, Function::Min | Function::Max) {
        let mut values = values.iter().copied();
        let first = values.next().unwrap_or_default();
        return values.try_fold(first, |so_far, value| {
            compute::call(function, [so_far, value, Value::Unset])
        });
    }
    let at = |index: usize| values.get(index).copied().unwrap_or_default();
    compute::call(function, [at(0), at(1), at(2)])
}
