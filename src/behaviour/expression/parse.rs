//! Words become an [`Ast`], by precedence climbing: an operand, then operators as long as they
//! bind closely enough.

use super::ast::{
    Aggregate, AssignSign, Ast, Binary, Compare, Expr, ExprKind, Function, Literal, Target, Unary,
};
use super::lex::{Token, Word, problem, words};
use crate::behaviour::definition::Position;
use crate::behaviour::error::TreeProblem;

/// The longest text.
const BYTES_MAX: usize = 16 * 1024;
/// The most brackets, calls, signs before operands and `?` that may lie within each other.
const NESTING_MAX: usize = 64;
/// The most levels of operators, the left side of a long row counted as well.
const HEIGHT_MAX: u16 = 256;

impl Ast {
    /// Reads a text of at most 16 KiB that stands at `at`.
    ///
    /// # Errors
    /// The first mistake, with the line and column of the word where it is.
    pub fn parse(text: &str, at: Position) -> Result<Self, TreeProblem> {
        if text.len() > BYTES_MAX {
            let message = format!("{} bytes, at most {BYTES_MAX}", text.len());
            return Err(problem(at, "expression-too-long", message));
        }
        Parser { tokens: words(text, at)?, next: 0, nesting: 0 }.statements()
    }
}

type Read = Result<Expr, TreeProblem>;

struct Parser<'t> {
    tokens: Vec<Token<'t>>,
    next: usize,
    nesting: usize,
}

impl<'t> Parser<'t> {
    fn statements(mut self) -> Result<Ast, TreeProblem> {
        let mut statements = Vec::new();
        loop {
            // A `;` may also stand at the end.
            if self.peek() == Word::End && !statements.is_empty() {
                return Ok(Ast { statements });
            }
            statements.push(self.statement()?);
            if self.peek() != Word::End {
                self.expect(";")?;
            }
        }
    }

    /// An assignment, or an expression.
    fn statement(&mut self) -> Read {
        let at = self.at();
        let left = self.choice()?;
        let Word::Sign(text) = self.peek() else { return Ok(left) };
        let Some(sign) = AssignSign::from_text(text) else { return Ok(left) };
        let ExprKind::Name(name) = left.kind else {
            return Err(self.fault(format!("only to a name can `{text}` give a value")));
        };
        self.next += 1;
        let value = self.choice()?;
        let height = value.height;
        self.expr(ExprKind::Assignment(Target { name, sign }, Box::new(value)), at, height)
    }

    /// `condition ? yes : no`, or less.
    fn choice(&mut self) -> Read {
        let at = self.at();
        let condition = self.operators(0)?;
        if !self.take("?") {
            return Ok(condition);
        }
        self.nested(|parser| {
            let yes = parser.statement()?;
            parser.expect(":")?;
            let no = parser.choice()?;
            let height = condition.height.max(yes.height).max(no.height);
            parser.expr(ExprKind::Choice(Box::new([condition, yes, no])), at, height)
        })
    }

    /// An operand and all operators after it that bind at least as closely as `power`.
    fn operators(&mut self, power: u8) -> Read {
        let at = self.at();
        let mut left = self.operand(power)?;
        loop {
            if self.peek_compare().is_some() && Compare::POWER >= power {
                left = self.comparison(left, at)?;
                continue;
            }
            let Some(operator) = self.peek_binary().filter(|found| found.power() >= power) else {
                return Ok(left);
            };
            self.refuse_ambiguous(operator, power)?;
            self.next += 1;
            let right = self.operators(operator.power() + 1)?;
            let height = left.height.max(right.height);
            let kind = ExprKind::Binary(operator, Box::new(left), Box::new(right));
            left = self.expr(kind, at, height)?;
        }
    }

    /// Refuses a sign that BehaviorTree.CPP and C++ read differently: in the right side of a
    /// looser one. Words (`or`, `and`) are not BehaviorTree.CPP's and have one reading.
    fn refuse_ambiguous(&self, operator: Binary, power: u8) -> Result<(), TreeProblem> {
        let Some(looser) = operator.ambiguous_after() else { return Ok(()) };
        if power != looser.power() + 1 || matches!(self.peek(), Word::Name(_)) {
            return Ok(());
        }
        let message = format!(
            "`a {looser} b {operator} c` is `(a {looser} b) {operator} c` to BehaviorTree.CPP and \
             `a {looser} (b {operator} c)` to others: write the brackets"
        );
        Err(problem(self.at(), "ambiguous-operators", message))
    }

    fn comparison(&mut self, first: Expr, at: Position) -> Read {
        let mut height = first.height;
        let mut rest = Vec::new();
        while let Some(compare) = self.peek_compare() {
            self.next += 1;
            let operand = self.operators(Compare::POWER + 1)?;
            height = height.max(operand.height);
            rest.push((compare, operand));
        }
        self.expr(ExprKind::Comparison(Box::new(first), rest), at, height)
    }

    /// An atom with the signs before it.
    fn operand(&mut self, power: u8) -> Read {
        let at = self.at();
        let (unary, inner) = match self.peek() {
            Word::Name("not") if power <= Unary::WORD_POWER => (Unary::Not, Unary::WORD_POWER),
            Word::Name("not") => return Err(self.fault("`not` here needs brackets: `(not …)`")),
            Word::Sign(sign) => match Unary::from_text(sign) {
                Some(unary) => (unary, Unary::POWER),
                None => return self.atom(),
            },
            _ => return self.atom(),
        };
        self.next += 1;
        self.nested(|parser| {
            let operand = parser.operators(inner)?;
            let height = operand.height;
            parser.expr(ExprKind::Unary(unary, Box::new(operand)), at, height)
        })
    }

    fn atom(&mut self) -> Read {
        let Token { word, at } = self.tokens[self.next];
        let literal = match word {
            Word::Name("true") => Literal::Bool(true),
            Word::Name("false") => Literal::Bool(false),
            Word::Int(number) => Literal::Int(number),
            Word::Number(number) => Literal::Number(number),
            Word::Text(text) => Literal::Text(text.into()),
            Word::Name(name) if !matches!(name, "and" | "or") => return self.name(name, at),
            Word::Sign("(") => return self.brackets(),
            Word::Sign("{") => {
                return Err(self.fault("names stand without braces in an expression"));
            }
            found => return Err(self.fault(format!("{found} where a value is needed"))),
        };
        self.next += 1;
        self.expr(ExprKind::Literal(literal), at, 0)
    }

    fn brackets(&mut self) -> Read {
        self.next += 1;
        self.nested(|parser| {
            let inner = parser.statement()?;
            parser.expect(")")?;
            Ok(inner)
        })
    }

    /// A name, or a call of a function.
    fn name(&mut self, name: &str, at: Position) -> Read {
        self.next += 1;
        if !self.take("(") {
            return self.expr(ExprKind::Name(name.into()), at, 0);
        }
        self.nested(|parser| match (Function::from_text(name), Aggregate::from_text(name)) {
            (Some(function), _) => parser.call(function, at),
            (_, Some(aggregate)) => parser.aggregate(aggregate, at),
            _ => Err(unknown_function(name, at)),
        })
    }

    fn call(&mut self, function: Function, at: Position) -> Read {
        let arguments = self.arguments()?;
        check_count(function.text(), arguments.len(), function.arguments(), at)?;
        let height = highest(&arguments);
        self.expr(ExprKind::Call(function, arguments), at, height)
    }

    fn aggregate(&mut self, aggregate: Aggregate, at: Position) -> Read {
        let Word::Name(source) = self.peek() else {
            let found = self.peek();
            return Err(self.fault(format!("{found} where `{aggregate}` needs to hear of whom")));
        };
        self.next += 1;
        let arguments = if self.take(",") {
            self.arguments()?
        } else {
            self.expect(")")?;
            Vec::new()
        };
        let (least, most) = aggregate.arguments();
        let allowed = (least + 1, most + 1);
        check_count(aggregate.text(), arguments.len() + 1, allowed, at)?;
        let height = highest(&arguments);
        self.expr(ExprKind::Aggregate(aggregate, source.into(), arguments), at, height)
    }

    /// Values between commas, up to the bracket that closes them.
    fn arguments(&mut self) -> Result<Vec<Expr>, TreeProblem> {
        let mut arguments = Vec::new();
        if self.take(")") {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.choice()?);
            if self.take(")") {
                return Ok(arguments);
            }
            self.expect(",")?;
        }
    }

    fn expr(&self, kind: ExprKind, at: Position, height_below: u16) -> Read {
        let height = height_below + 1;
        if height > HEIGHT_MAX {
            let message = format!("more than {HEIGHT_MAX} operators in a row or in each other");
            return Err(problem(at, "expression-too-deep", message));
        }
        Ok(Expr { kind, at, height })
    }

    fn nested(&mut self, read: impl FnOnce(&mut Self) -> Read) -> Read {
        if self.nesting == NESTING_MAX {
            let message = format!("more than {NESTING_MAX} brackets and signs in each other");
            return Err(problem(self.at(), "expression-too-deep", message));
        }
        self.nesting += 1;
        let expr = read(self);
        self.nesting -= 1;
        expr
    }

    fn peek(&self) -> Word<'t> {
        self.tokens[self.next].word
    }

    fn peek_compare(&self) -> Option<Compare> {
        match self.peek() {
            Word::Sign(sign) => Compare::from_text(sign),
            _ => None,
        }
    }

    fn peek_binary(&self) -> Option<Binary> {
        match self.peek() {
            Word::Name("or") => Some(Binary::Or),
            Word::Name("and") => Some(Binary::And),
            Word::Sign(sign) => Binary::from_text(sign),
            _ => None,
        }
    }

    fn at(&self) -> Position {
        self.tokens[self.next].at
    }

    fn take(&mut self, sign: &'static str) -> bool {
        let found = self.peek() == Word::Sign(sign);
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &'static str) -> Result<(), TreeProblem> {
        if self.take(sign) {
            return Ok(());
        }
        Err(self.fault(format!("{} where `{sign}` or an operator is needed", self.peek())))
    }

    fn fault(&self, message: impl Into<String>) -> TreeProblem {
        problem(self.at(), "expression-syntax", message)
    }
}

fn highest(exprs: &[Expr]) -> u16 {
    exprs.iter().map(|expr| expr.height).max().unwrap_or(0)
}

fn check_count(
    name: &str,
    found: usize,
    (least, most): (usize, usize),
    at: Position,
) -> Result<(), TreeProblem> {
    if (least..=most).contains(&found) {
        return Ok(());
    }
    let allowed = if least == most { least.to_string() } else { format!("{least} to {most}") };
    let message = format!("`{name}` has {found} arguments, it takes {allowed}");
    Err(problem(at, "wrong-arguments", message))
}

fn unknown_function(name: &str, at: Position) -> TreeProblem {
    let functions = Function::ALL.iter().map(|function| function.text());
    let known: Vec<_> = functions.chain(Aggregate::ALL.iter().map(|one| one.text())).collect();
    let nearest = known.iter().min_by_key(|known| strsim::osa_distance(name, known));
    let hint = match nearest {
        Some(near) if strsim::osa_distance(name, near) <= 2 => format!("; did you mean `{near}`?"),
        _ => format!("; there are: {}", known.join(", ")),
    };
    let message = format!("there is no function `{name}`{hint}");
    problem(at, "unknown-function", message)
}

#[cfg(test)]
pub(super) mod tests;
