//! An [`Ast`] as text, with no more brackets than it needs.

use std::fmt::{Display, Formatter, Result};

use super::ast::{Ast, Binary, Compare, Expr, ExprKind, Literal, Unary};

/// An expression of which all but closely bound ones stand in brackets.
struct Within<'a> {
    expr: &'a Expr,
    /// How closely an expression must bind to stand without brackets, see [`Binary::power`].
    power: u8,
}

/// Binds looser than any operator.
const STATEMENT: u8 = 0;
/// Binds as a choice does.
const CHOICE: u8 = 1;

impl Display for Ast {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        for (index, expr) in self.statements.iter().enumerate() {
            let separator = if index == 0 { "" } else { "; " };
            write!(f, "{separator}{}", Within { expr, power: STATEMENT })?;
        }
        Ok(())
    }
}

impl Display for Within<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        if power(self.expr) < self.power {
            return write!(f, "({})", Within { expr: self.expr, power: STATEMENT });
        }
        match &self.expr.kind {
            ExprKind::Literal(literal) => write!(f, "{literal}"),
            ExprKind::Name(name) => f.write_str(name),
            ExprKind::Unary(unary, operand) => {
                write!(f, "{unary}{}", within(operand, operator(Unary::POWER)))
            }
            ExprKind::Binary(binary, left, right) => write_binary(f, *binary, left, right),
            ExprKind::Comparison(first, rest) => {
                let side = operator(Compare::POWER + 1);
                write!(f, "{}", within(first, side))?;
                rest.iter().try_for_each(|(compare, operand)| {
                    write!(f, " {compare} {}", within(operand, side))
                })
            }
            ExprKind::Choice(parts) => {
                let [condition, yes, no] = &**parts;
                let condition = within(condition, operator(Binary::Or.power()));
                write!(f, "{condition} ? {} : {}", within(yes, CHOICE), within(no, CHOICE))
            }
            ExprKind::Assignment(target, value) => {
                write!(f, "{} {} {}", target.name, target.sign.text(), within(value, CHOICE))
            }
            ExprKind::Call(function, arguments) => {
                write!(f, "{function}(")?;
                write_arguments(f, "", arguments)
            }
            ExprKind::Aggregate(aggregate, source, arguments) => {
                write!(f, "{aggregate}({source}")?;
                write_arguments(f, ", ", arguments)
            }
        }
    }
}

fn within(expr: &Expr, power: u8) -> Within<'_> {
    Within { expr, power }
}

/// The power of an operator on the scale that has statements and choices as well.
const fn operator(power: u8) -> u8 {
    CHOICE + power
}

fn power(expr: &Expr) -> u8 {
    match &expr.kind {
        ExprKind::Assignment(..) => STATEMENT,
        ExprKind::Choice(_) => CHOICE,
        ExprKind::Binary(binary, ..) => operator(binary.power()),
        ExprKind::Comparison(..) => operator(Compare::POWER),
        ExprKind::Unary(..) => operator(Unary::POWER),
        _ => u8::MAX,
    }
}

fn write_binary(f: &mut Formatter<'_>, binary: Binary, left: &Expr, right: &Expr) -> Result {
    // What has two readings is written with brackets.
    let ambiguous = match &right.kind {
        ExprKind::Binary(inner, ..) => inner.ambiguous_after() == Some(binary),
        _ => false,
    };
    let right_power = if ambiguous { u8::MAX } else { operator(binary.power() + 1) };
    let left = within(left, operator(binary.power()));
    write!(f, "{left} {binary} {}", within(right, right_power))
}

fn write_arguments(f: &mut Formatter<'_>, before: &str, arguments: &[Expr]) -> Result {
    for (index, argument) in arguments.iter().enumerate() {
        let separator = if index == 0 { before } else { ", " };
        write!(f, "{separator}{}", within(argument, CHOICE))?;
    }
    f.write_str(")")
}

impl Display for Literal {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self {
            Self::Bool(yes) => write!(f, "{yes}"),
            Self::Int(number) => write!(f, "{number}"),
            // Always with a point or an exponent.
            Self::Number(number) => write!(f, "{number:?}"),
            Self::Text(text) if text.contains('\'') => write!(f, "\"{text}\""),
            Self::Text(text) => write!(f, "'{text}'"),
        }
    }
}
