//! An [`Ast`] becomes a [`Program`]: names are resolved, types checked, constants worked out.

mod calls;

use ustr::Ustr;

use super::ast::{Ast, Binary, Compare, Expr, ExprKind, Literal, Unary};
use super::error::EvalError;
use super::lex::problem;
use super::names::{Assign, Names, SourceIndex};
use super::program::{Op, Program, Read, STACK_MAX};
use super::{compute, kinds};
use crate::behaviour::definition::Position;
use crate::behaviour::error::TreeProblem;
use crate::behaviour::value::{Value, ValueType};

/// Whole numbers below are numbers without loss, so a comparison may be of numbers.
const EXACT_BELOW: f64 = 9_007_199_254_740_992.0;

impl Program {
    /// Compiles an expression; names mean what `names` says.
    ///
    /// # Errors
    /// All mistakes, in order of position; never empty.
    pub fn compile(ast: &Ast, names: &mut dyn Names) -> Result<Self, Vec<TreeProblem>> {
        let mut compiler = Compiler {
            names,
            ops: Vec::new(),
            constants: Vec::new(),
            used: Vec::new(),
            problems: Vec::new(),
            height: 0,
            height_max: 0,
            round: None,
        };
        let kind = compiler.statements(&ast.statements);
        compiler.finish(kind)
    }
}

/// What is known of the value that the operations so far leave.
#[derive(Clone, Copy)]
struct Made {
    kind: ValueType,
    /// The value, if it is the same in every run: then one operation leaves it.
    constant: Option<Value>,
}

impl Made {
    const fn of(kind: ValueType) -> Self {
        Self { kind, constant: None }
    }
}

/// Where the operations of an expression begin.
#[derive(Clone, Copy)]
struct Mark {
    op_count: usize,
    constant_count: usize,
    height: usize,
}

struct Compiler<'n> {
    names: &'n mut dyn Names,
    ops: Vec<Op>,
    constants: Vec<Value>,
    used: Vec<(Read, Box<str>)>,
    problems: Vec<TreeProblem>,
    /// How many values are on the stack here, and the most there were.
    height: usize,
    height_max: usize,
    /// Whose `other.NAME` is meant.
    round: Option<SourceIndex>,
}

impl Compiler<'_> {
    fn finish(mut self, kind: ValueType) -> Result<Program, Vec<TreeProblem>> {
        if self.problems.is_empty() {
            return Ok(Program {
                ops: self.ops.into(),
                constants: self.constants.into(),
                kind,
                stack: self.height_max,
                names: self.used.into(),
            });
        }
        self.problems.sort_by_key(|problem| (problem.line, problem.column));
        Err(self.problems)
    }

    fn statements(&mut self, statements: &[Expr]) -> ValueType {
        let mut kind = ValueType::Any;
        for (index, statement) in statements.iter().enumerate() {
            if index > 0 {
                self.ops.push(Op::Drop);
                self.height = 0;
            }
            kind = self.expr(statement).kind;
            if self.ops.len() > usize::from(u16::MAX) || self.height_max > STACK_MAX {
                let message = format!("more than {STACK_MAX} values at once, or too many in all");
                self.problems.push(problem(statement.at, "expression-too-deep", message));
                break;
            }
        }
        kind
    }

    /// Operations that leave the value of an expression.
    fn expr(&mut self, expr: &Expr) -> Made {
        let mark = self.mark();
        let at = expr.at;
        let made = match &expr.kind {
            ExprKind::Literal(literal) => self.constant(mark, literal_value(literal)),
            ExprKind::Name(name) => self.name(name, at),
            ExprKind::Unary(unary, operand) => self.unary(*unary, operand, at),
            ExprKind::Binary(binary @ (Binary::And | Binary::Or), left, right) => {
                self.logic(*binary, left, right, at)
            }
            ExprKind::Binary(binary, left, right) => {
                let left = self.expr(left);
                let right = self.expr(right);
                self.binary(*binary, left, right, mark, at)
            }
            ExprKind::Comparison(first, rest) => self.comparison(first, rest, at),
            ExprKind::Choice(parts) => self.choice(parts),
            ExprKind::Assignment(target, value) => self.assignment(target, value, at),
            ExprKind::Call(function, arguments) => self.call(*function, arguments, at),
            ExprKind::Aggregate(aggregate, source, arguments) => {
                self.aggregate(*aggregate, source, arguments, at)
            }
        };
        self.height = mark.height + 1;
        self.height_max = self.height_max.max(self.height);
        made
    }

    // ---- names ----

    fn name(&mut self, name: &str, at: Position) -> Made {
        if let Some(source) = self.round
            && let Some(of_other) = name.strip_prefix("other.")
        {
            return match self.names.other(source, of_other) {
                Some((attribute, kind)) => self.load(Read::Other(attribute), name, kind),
                None => self.unknown(name, at, ""),
            };
        }
        if let Some(value) = self.names.word(name) {
            return self.constant(self.mark(), value);
        }
        match self.names.slot(name, Assign::Read) {
            Ok(Some((slot, kind))) => return self.load(Read::Slot(slot), name, kind),
            Err(message) => return self.refuse(at, "slot-not-allowed", message),
            Ok(None) => {}
        }
        match self.names.attribute(name) {
            Some((attribute, kind)) => self.load(Read::Attribute(attribute), name, kind),
            None if name.starts_with("other.") => {
                self.unknown(name, at, "; `other.` is known within an aggregate such as `count`")
            }
            None => self.unknown(name, at, ""),
        }
    }

    fn load(&mut self, read: Read, name: &str, kind: ValueType) -> Made {
        self.note(read, name);
        self.ops.push(Op::Load(read));
        Made::of(kind)
    }

    fn note(&mut self, read: Read, name: &str) {
        if !self.used.iter().any(|(known, _)| *known == read) {
            self.used.push((read, name.into()));
        }
    }

    fn unknown(&mut self, name: &str, at: Position, hint: &str) -> Made {
        let message = format!("there is no name `{name}`{}{hint}", self.near(name));
        self.refuse(at, "unknown-name", message)
    }

    /// The names that are near a wrong one, as the end of a sentence.
    fn near(&self, name: &str) -> String {
        let mut near: Vec<_> = self.names.known().into_iter().collect();
        near.sort_by_cached_key(|known| (strsim::osa_distance(name, known), known.clone()));
        let most = (name.chars().count() / 3).max(1);
        near.retain(|known| strsim::osa_distance(name, known) <= most);
        let list: Vec<_> = near.iter().take(3).map(|known| format!("`{known}`")).collect();
        if list.is_empty() { String::new() } else { format!("; near are {}", list.join(", ")) }
    }

    // ---- operators ----

    fn unary(&mut self, unary: Unary, operand: &Expr, at: Position) -> Made {
        let mark = self.mark();
        let operand = self.expr(operand);
        let Some(kind) = kinds::unary(unary, operand.kind) else {
            return self.wrong(at, format!("`{unary}`"), &[operand.kind]);
        };
        match operand.constant {
            Some(value) => self.fold(mark, compute::unary(unary, value), at),
            None => self.leave(Op::Unary(unary), kind),
        }
    }

    fn binary(
        &mut self,
        binary: Binary,
        left: Made,
        right: Made,
        mark: Mark,
        at: Position,
    ) -> Made {
        let Some(kind) = kinds::binary(binary, left.kind, right.kind) else {
            return self.wrong(at, format!("`{binary}`"), &[left.kind, right.kind]);
        };
        match (left.constant, right.constant) {
            (Some(left), Some(right)) => self.fold(mark, compute::binary(binary, left, right), at),
            _ => self.leave(Op::Binary(binary), kind),
        }
    }

    /// `&&` and `||`.
    fn logic(&mut self, binary: Binary, left: &Expr, right: &Expr, at: Position) -> Made {
        let mark = self.mark();
        let left = self.expr(left);
        let known = left.constant.map(compute::truth);
        if known.is_some() {
            self.back_to(mark);
        }
        let jump = self.ops.len();
        if known.is_none() {
            self.ops.push(if binary == Binary::And { Op::And(0) } else { Op::Or(0) });
        }
        self.height = mark.height;
        let right = self.expr(right);
        if kinds::binary(binary, left.kind, right.kind).is_none() {
            return self.wrong(at, format!("`{binary}`"), &[left.kind, right.kind]);
        }
        match (known, right.constant.map(compute::truth)) {
            (Some(Err(error)), _) | (_, Some(Err(error))) => self.fold(mark, Err(error), at),
            (Some(Ok(yes)), _) if yes == (binary == Binary::Or) => {
                self.constant(mark, Value::Bool(yes))
            }
            (Some(_), Some(Ok(yes))) => self.constant(mark, Value::Bool(yes)),
            (known, _) => {
                if right.kind != ValueType::Bool {
                    self.ops.push(Op::Truth);
                }
                if known.is_none() {
                    self.land(jump);
                }
                Made::of(ValueType::Bool)
            }
        }
    }

    fn comparison(&mut self, first: &Expr, rest: &[(Compare, Expr)], at: Position) -> Made {
        let mark = self.mark();
        let mut left = self.expr(first);
        let mut jumps = Vec::new();
        for (index, (compare, operand)) in rest.iter().enumerate() {
            let right = self.expr(operand);
            self.check_comparable(*compare, left, right, at);
            if index + 1 < rest.len() {
                jumps.push(self.ops.len());
                self.ops.push(Op::Chain(*compare, 0));
                self.height = mark.height + 1;
            } else if jumps.is_empty() {
                return self.single_comparison(*compare, left, right, mark, at);
            } else {
                self.ops.push(Op::Compare(*compare));
            }
            left = right;
        }
        jumps.into_iter().for_each(|jump| self.land(jump));
        Made::of(ValueType::Bool)
    }

    fn check_comparable(&mut self, compare: Compare, left: Made, right: Made, at: Position) {
        let says_number = |text: Made, number: Made| {
            let Some(Value::Text(text)) = text.constant else { return false };
            kinds::numeric(number.kind) && compute::text_number(&text).is_some()
        };
        let allowed = kinds::comparable(compare, left.kind, right.kind)
            || says_number(left, right)
            || says_number(right, left);
        if !allowed {
            self.wrong(at, format!("`{compare}`"), &[left.kind, right.kind]);
        }
    }

    /// A comparison that is not chained: worked out, in one operation with a name, or as it is.
    fn single_comparison(
        &mut self,
        compare: Compare,
        left: Made,
        right: Made,
        mark: Mark,
        at: Position,
    ) -> Made {
        let (value, compare) = match (left.constant, right.constant) {
            (Some(left), Some(right)) => {
                let equal = compute::compare(compare, left, right, &|_| None);
                return self.fold(mark, equal.map(Value::Bool), at);
            }
            (None, None) => return self.leave(Op::Compare(compare), ValueType::Bool),
            (None, Some(right)) => (right, compare),
            (Some(left), None) => (left, compare.turned()),
        };
        let loads = &self.ops[mark.op_count..];
        let read = loads.iter().find_map(|op| match op {
            Op::Load(read) if loads.len() == 2 => Some(*read),
            _ => None,
        });
        let fused = match (read, value, value.as_number()) {
            (Some(read), Value::Text(text), _) => Some(Op::CompareText(compare, read, text)),
            (Some(read), _, Some(number)) if number.abs() < EXACT_BELOW => {
                Some(Op::CompareNumber(compare, read, number))
            }
            _ => None,
        };
        let Some(fused) = fused else {
            let as_written = if left.constant.is_some() { compare.turned() } else { compare };
            return self.leave(Op::Compare(as_written), ValueType::Bool);
        };
        self.back_to(mark);
        self.leave(fused, ValueType::Bool)
    }

    fn choice(&mut self, [condition, yes, no]: &[Expr; 3]) -> Made {
        let mark = self.mark();
        let at = condition.at;
        let condition = self.expr(condition);
        if !kinds::numeric(condition.kind) {
            self.wrong(at, "`?`".into(), &[condition.kind]);
        }
        if let Some(value) = condition.constant {
            // The other branch is checked and left out.
            let is_yes = compute::truth(value).unwrap_or(false);
            self.back_to(mark);
            let (kept, other) = if is_yes { (yes, no) } else { (no, yes) };
            self.expr(other);
            self.back_to(mark);
            return self.expr(kept);
        }
        let to_no = self.ops.len();
        self.ops.push(Op::JumpIfFalse(0));
        self.height = mark.height;
        let yes = self.expr(yes);
        let to_end = self.ops.len();
        self.ops.push(Op::Jump(0));
        self.land(to_no);
        self.height = mark.height;
        let no = self.expr(no);
        self.land(to_end);
        Made::of(kinds::either(yes.kind, no.kind))
    }

    // ---- operations ----

    fn leave(&mut self, op: Op, kind: ValueType) -> Made {
        self.ops.push(op);
        Made::of(kind)
    }

    fn constant(&mut self, mark: Mark, value: Value) -> Made {
        self.back_to(mark);
        // The text is too short for more constants than the index has.
        let index = u16::try_from(self.constants.len()).unwrap_or(u16::MAX);
        self.constants.push(value);
        self.ops.push(Op::Constant(index));
        Made { kind: value.kind().unwrap_or(ValueType::Any), constant: Some(value) }
    }

    /// The constant that constants give.
    fn fold(&mut self, mark: Mark, value: Result<Value, EvalError>, at: Position) -> Made {
        match value {
            Ok(value) => self.constant(mark, value),
            Err(error) => self.refuse(at, "constant-fails", error.to_string()),
        }
    }

    fn mark(&self) -> Mark {
        let (op_count, constant_count) = (self.ops.len(), self.constants.len());
        Mark { op_count, constant_count, height: self.height }
    }

    fn back_to(&mut self, mark: Mark) {
        self.ops.truncate(mark.op_count);
        self.constants.truncate(mark.constant_count);
        self.height = mark.height;
    }

    fn target(&self) -> u16 {
        u16::try_from(self.ops.len()).unwrap_or(u16::MAX)
    }

    /// Lets the jump at `index` arrive here.
    fn land(&mut self, index: usize) {
        let here = self.target();
        match &mut self.ops[index] {
            Op::And(target)
            | Op::Or(target)
            | Op::Jump(target)
            | Op::JumpIfFalse(target)
            | Op::Chain(_, target)
            | Op::Each(_, target) => *target = here,
            _ => {}
        }
    }

    fn wrong(&mut self, at: Position, what: String, found: &[ValueType]) -> Made {
        let found: Vec<_> = found.iter().map(|kind| kind.word()).collect();
        let message = format!("{what} does not take {}", found.join(" and "));
        self.refuse(at, "wrong-type", message)
    }

    fn refuse(&mut self, at: Position, code: &'static str, message: String) -> Made {
        self.problems.push(problem(at, code, message));
        Made::of(ValueType::Any)
    }
}

fn literal_value(literal: &Literal) -> Value {
    match literal {
        Literal::Bool(yes) => Value::Bool(*yes),
        Literal::Int(number) => Value::Int(*number),
        Literal::Number(number) => Value::Number(*number),
        Literal::Text(text) => Value::Text(Ustr::from(text)),
    }
}
