//! Any expression: compiled, it gives what a walk over its tree gives, and nothing panics. Right
//! values: the plainest reading of the tree.

use proptest::prelude::*;

use super::{Person, neighbours};
use crate::behaviour::definition::Position;
use crate::behaviour::expression::ast::{
    AssignSign, Ast, Binary, Compare, Expr, ExprKind, Literal, Target, Unary,
};
use crate::behaviour::expression::parse::tests::exprs;
use crate::behaviour::expression::program::Program;
use crate::behaviour::value::{Value, ValueType};

/// What an expression is by the plainest reading of its tree: names `a` 1, `b` 2.5, `c` true.
fn walk(expr: &Expr) -> Option<Value> {
    Some(match &expr.kind {
        ExprKind::Literal(Literal::Int(number)) => Value::Int(*number),
        ExprKind::Literal(Literal::Number(number)) => Value::Number(*number),
        ExprKind::Literal(Literal::Bool(yes)) => Value::Bool(*yes),
        ExprKind::Name(name) => NAMED.iter().find(|(known, _)| known == name)?.1,
        ExprKind::Unary(unary, operand) => {
            let operand = walk(operand)?;
            match unary {
                Unary::Not => Value::Bool(operand.as_number()? == 0.0),
                Unary::Negate => match operand {
                    Value::Number(number) => Value::Number(-number),
                    other => Value::Int(-(other.as_number()? as i64)),
                },
                Unary::Complement => return None,
            }
        }
        ExprKind::Binary(binary, left, right) => {
            let left = walk(left)?;
            let yes = |value: Value| value.as_number().map(|number| number != 0.0);
            match (binary, yes(left)?) {
                (Binary::And, false) => return Some(Value::Bool(false)),
                (Binary::Or, true) => return Some(Value::Bool(true)),
                (Binary::And | Binary::Or, _) => return Some(Value::Bool(yes(walk(right)?)?)),
                _ => {}
            }
            let right = walk(right)?;
            let (l, r) = (left.as_number()?, right.as_number()?);
            let result = match binary {
                Binary::Add => l + r,
                Binary::Subtract => l - r,
                Binary::Multiply => l * r,
                _ => return None,
            };
            match (left, right) {
                (Value::Number(_), _) | (_, Value::Number(_)) => Value::Number(result),
                _ => Value::Int(result as i64),
            }
        }
        ExprKind::Comparison(first, rest) => {
            let mut left = walk(first)?.as_number()?;
            for (compare, operand) in rest {
                let right = walk(operand)?.as_number()?;
                let holds = match compare {
                    Compare::Equal => left == right,
                    Compare::NotEqual => left != right,
                    Compare::Less => left < right,
                    Compare::LessOrEqual => left <= right,
                    Compare::Greater => left > right,
                    Compare::GreaterOrEqual => left >= right,
                };
                if !holds {
                    return Some(Value::Bool(false));
                }
                left = right;
            }
            Value::Bool(true)
        }
        ExprKind::Choice(parts) => {
            let [condition, yes, no] = &**parts;
            return walk(if walk(condition)?.as_number()? != 0.0 { yes } else { no });
        }
        _ => return None,
    })
}

const NAMED: [(&str, Value); 3] =
    [("a", Value::Int(1)), ("b", Value::Number(2.5)), ("c", Value::Bool(true))];

fn expr(kind: ExprKind) -> Expr {
    Expr { kind, at: Position::default(), height: 1 }
}

/// Expressions of small numbers with exact results.
fn numbers() -> impl Strategy<Value = Expr> {
    let leaf = prop_oneof![
        (0_i64..4).prop_map(|number| ExprKind::Literal(Literal::Int(number))),
        (0_u8..8).prop_map(|half| ExprKind::Literal(Literal::Number(f64::from(half) / 2.0))),
        any::<bool>().prop_map(|yes| ExprKind::Literal(Literal::Bool(yes))),
        prop::sample::select(&["a", "b", "c"][..]).prop_map(|name| ExprKind::Name(name.into())),
    ]
    .prop_map(expr);
    leaf.prop_recursive(4, 24, 3, |inner| {
        let operators = [Binary::Add, Binary::Subtract, Binary::Multiply, Binary::And, Binary::Or];
        let chain =
            prop::collection::vec((prop::sample::select(Compare::ALL), inner.clone()), 1..3);
        prop_oneof![
            (prop::sample::select(&[Unary::Negate, Unary::Not][..]), inner.clone())
                .prop_map(|(unary, operand)| ExprKind::Unary(unary, Box::new(operand))),
            (prop::sample::select(operators.to_vec()), inner.clone(), inner.clone())
                .prop_map(|(b, l, r)| ExprKind::Binary(b, Box::new(l), Box::new(r))),
            (inner.clone(), chain)
                .prop_map(|(first, rest)| ExprKind::Comparison(Box::new(first), rest)),
            prop::array::uniform3(inner).prop_map(|parts| ExprKind::Choice(Box::new(parts))),
        ]
        .prop_map(expr)
    })
}

proptest! {
    #[test]
    fn programs_give_what_a_walk_over_the_tree_gives(tree in numbers()) {
        let wanted = walk(&tree);
        let mut person = Person {
            slots: NAMED.map(|(name, value)| (name, ValueType::Any, value)).to_vec(),
            ..Person::default()
        };
        let target = Target { name: "kept".into(), sign: AssignSign::Create };
        let stored = expr(ExprKind::Assignment(target, Box::new(tree.clone())));
        let plain = Program::compile(&Ast { statements: vec![tree] }, &mut person).unwrap();
        prop_assert_eq!(plain.evaluate(&mut person).ok(), wanted);
        prop_assert!(wanted.is_some_and(|value| plain.kind().holds(value)));
        let stored = Program::compile(&Ast { statements: vec![stored] }, &mut person).unwrap();
        prop_assert_eq!(stored.evaluate(&mut person).ok(), wanted);
        prop_assert_eq!(person.slots[3].2, wanted.unwrap());
    }

    #[test]
    fn any_expression_is_compiled_or_refused_and_never_panics(
        statements in prop::collection::vec(exprs(), 1..3),
    ) {
        let mut person = neighbours();
        if let Ok(program) = Program::compile(&Ast { statements }, &mut person) {
            let _ = program.evaluate(&mut person).map_err(|error| program.explain(error));
        }
    }

    #[test]
    fn any_row_of_words_compiles_or_is_refused(
        words in prop::collection::vec(prop::sample::select(&WORDS[..]), 0..16),
    ) {
        if let Ok(ast) = Ast::parse(&words.join(" "), Position::default()) {
            let mut person = neighbours();
            if let Ok(program) = Program::compile(&ast, &mut person) {
                let _ = program.evaluate(&mut person);
            }
        }
    }
}

const WORDS: [&str; 26] = [
    "x",
    ":=",
    "1",
    "0",
    "2.5",
    "'t'",
    "true",
    "not",
    "and",
    "(",
    ")",
    ";",
    "?",
    ":",
    "<",
    "-",
    "+",
    "*",
    "/",
    "%",
    "..",
    "min(1, 2)",
    "count(neighbours)",
    "sum(neighbours, other.age)",
    "any(neighbours, other.sick)",
    "chance(0.5)",
];
