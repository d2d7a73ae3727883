//! Which names an expression mentions, without knowing what they stand for.

use super::ast::{AssignSign, Ast, Expr, ExprKind};

impl Ast {
    /// The names of slots and attributes, each with whether it is read and whether it is written.
    pub fn names(&self) -> Vec<(String, bool, bool)> {
        let mut names = Vec::new();
        for statement in &self.statements {
            statement.names(&mut names);
        }
        names
    }
}

impl Expr {
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
