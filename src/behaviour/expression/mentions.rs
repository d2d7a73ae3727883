//! Which names an expression mentions, without knowing what they stand for.

use super::ast::{AssignSign, Ast, Expr, ExprKind, Literal};
use crate::behaviour::definition::Position;

impl Ast {
    /// The names of slots and attributes, each with whether it is read and whether it is written.
    pub fn names(&self) -> Vec<(String, bool, bool)> {
        let mut names = Vec::new();
        for statement in &self.statements {
            statement.names(&mut names);
        }
        names
    }

    /// Every text that is written to a name or compared with one: the name, the text, its place.
    pub fn words(&self) -> Vec<(String, String, Position)> {
        let mut words = Vec::new();
        for statement in &self.statements {
            statement.words(&mut words);
        }
        words
    }
}

impl Expr {
    fn words(&self, words: &mut Vec<(String, String, Position)>) {
        match &self.kind {
            ExprKind::Literal(_) | ExprKind::Name(_) => {}
            ExprKind::Unary(_, operand) => operand.words(words),
            ExprKind::Binary(_, left, right) => {
                left.words(words);
                right.words(words);
            }
            ExprKind::Comparison(first, rest) => {
                let mut left: &Self = first;
                left.words(words);
                for (_, right) in rest {
                    right.words(words);
                    for (name, value) in [(left, right), (right, left)] {
                        if let ExprKind::Name(name) = &name.kind {
                            value.results(name, words);
                        }
                    }
                    left = right;
                }
            }
            ExprKind::Choice(parts) => parts.iter().for_each(|part| part.words(words)),
            ExprKind::Assignment(target, value) => {
                value.words(words);
                if !matches!(target.sign, AssignSign::Change(_)) {
                    value.results(&target.name, words);
                }
            }
            ExprKind::Call(_, arguments) | ExprKind::Aggregate(_, _, arguments) => {
                arguments.iter().for_each(|argument| argument.words(words));
            }
        }
    }

    /// The texts that this may give, for `name`.
    fn results(&self, name: &str, words: &mut Vec<(String, String, Position)>) {
        match &self.kind {
            ExprKind::Literal(Literal::Text(text)) => {
                words.push((name.to_owned(), text.clone(), self.at));
            }
            ExprKind::Choice(parts) => {
                parts[1..].iter().for_each(|part| part.results(name, words));
            }
            _ => {}
        }
    }

    fn names(&self, names: &mut Vec<(String, bool, bool)>) {
        match &self.kind {
            ExprKind::Literal(_) => {}
            ExprKind::Name(name) => names.push((name.clone(), true, false)),
            ExprKind::Unary(_, operand) => operand.names(names),
            ExprKind::Binary(_, left, right) => {
                left.names(names);
                right.names(names);
            }
            ExprKind::Comparison(first, rest) => {
                first.names(names);
                rest.iter().for_each(|(_, operand)| operand.names(names));
            }
            ExprKind::Choice(parts) => parts.iter().for_each(|part| part.names(names)),
            ExprKind::Assignment(target, value) => {
                value.names(names);
                let changes = matches!(target.sign, AssignSign::Change(_));
                names.push((target.name.clone(), changes, true));
            }
            ExprKind::Call(_, arguments) | ExprKind::Aggregate(_, _, arguments) => {
                arguments.iter().for_each(|argument| argument.names(names));
            }
        }
    }
}
