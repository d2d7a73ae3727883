//! An expression as somebody wrote it.

use std::fmt;

use crate::behaviour::definition::Position;

/// Statements, at least one; the last gives the value. Equal if they say the same, wherever they
/// stand; written by `Display` so that reading it again gives an equal one.
#[derive(Debug, Clone, PartialEq)]
pub struct Ast {
    pub(super) statements: Vec<Expr>,
}

/// One expression within an [`Ast`], with where it stands.
#[derive(Debug, Clone)]
pub(super) struct Expr {
    pub(super) kind: ExprKind,
    pub(super) at: Position,
    /// Levels of expressions below and with this one: bounds every recursion.
    pub(super) height: u16,
}

impl PartialEq for Expr {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

/// What an expression is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum ExprKind {
    Literal(Literal),
    Name(String),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `first < second < …`: each beside the next.
    Comparison(Box<Expr>, Vec<(Compare, Expr)>),
    /// `condition ? yes : no`
    Choice(Box<[Expr; 3]>),
    /// `name = value`, or `name += value` where there is an operator.
    Assignment(Target, Box<Expr>),
    Call(Function, Vec<Expr>),
    /// `count(source, body, nobody)`
    Aggregate(Aggregate, String, Vec<Expr>),
}

/// The left side of an assignment and its sign.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Target {
    pub(super) name: String,
    pub(super) sign: AssignSign,
}

/// A value written out. Numbers are not negative: the sign is an operator.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Literal {
    Bool(bool),
    Int(i64),
    Number(f64),
    /// Holds at most one kind of quotation mark.
    Text(String),
}

/// `:=`, `=`, or an operator followed by `=`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AssignSign {
    Create,
    Set,
    Change(Binary),
}

/// Defines an enumeration of signs or words with what each is written as.
macro_rules! written {
    ($(#[$about:meta])* $kind:ident { $($(#[$doc:meta])* $name:ident = $text:literal,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $kind { $($(#[$doc])* $name,)* }

        impl $kind {
            /// All of them.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// As it is written.
            pub const fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// The one that is written as `text`.
            pub fn from_text(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.text() == text)
            }
        }

        impl fmt::Display for $kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.text())
            }
        }
    };
}

written! {
    /// An operator before its operand.
    Unary {
        /// The negative.
        Negate = "-",
        /// All bits of a whole number turned round.
        Complement = "~",
        /// No for yes.
        Not = "!",
    }
}

written! {
    /// An operator between two operands, but for comparisons.
    Binary {
        /// One is true; the right side is read only if the left is not.
        Or = "||",
        /// Both are true; the right side is read only if the left is.
        And = "&&",
        /// The bits of either.
        BitOr = "|",
        /// The bits of one of the two.
        BitXor = "^",
        /// The bits of both.
        BitAnd = "&",
        /// Texts and numbers as one text.
        Join = "..",
        /// The sum of numbers, or two texts as one.
        Add = "+",
        /// The difference.
        Subtract = "-",
        /// The product.
        Multiply = "*",
        /// The quotient, never cut to a whole number.
        Divide = "/",
        /// The remainder, with the sign of the left side.
        Remainder = "%",
    }
}

written! {
    /// A comparison.
    Compare {
        /// The same.
        Equal = "==",
        /// Not the same.
        NotEqual = "!=",
        /// Less, or earlier.
        Less = "<",
        /// Less or the same.
        LessOrEqual = "<=",
        /// More, or later.
        Greater = ">",
        /// More or the same.
        GreaterOrEqual = ">=",
    }
}

written! {
    /// A function of values.
    Function {
        /// The least of some numbers.
        Min = "min",
        /// The greatest of some numbers.
        Max = "max",
        /// `clamp(x, low, high)`
        Clamp = "clamp",
        /// Without its sign.
        Abs = "abs",
        /// The whole number below.
        Floor = "floor",
        /// The whole number above.
        Ceil = "ceil",
        /// The nearest whole number, halves away from 0.
        Round = "round",
        /// The square root.
        Sqrt = "sqrt",
        /// e to the power of.
        Exp = "exp",
        /// The natural logarithm.
        Ln = "ln",
        /// `pow(base, exponent)`
        Pow = "pow",
        /// True with a probability.
        Chance = "chance",
        /// `uniform(a, b)`: a number from `a` to `b`.
        Uniform = "uniform",
        /// `normal(mean, sd)`
        Normal = "normal",
        /// `random_int(a, b)`: a whole number from `a` to `b`, both included.
        RandomInt = "random_int",
    }
}

written! {
    /// What is made of a value of each of many persons.
    Aggregate {
        /// How many there are, or of how many a condition is true.
        Count = "count",
        /// The mean of an expression.
        Mean = "mean",
        /// Its sum.
        Sum = "sum",
        /// Its least value.
        MinOf = "min_of",
        /// Its greatest value.
        MaxOf = "max_of",
        /// Whether a condition is true of one.
        Any = "any",
        /// Whether a condition is true of each.
        All = "all",
    }
}

impl Binary {
    /// How closely it binds: 1 is loosest. All read from left to right.
    pub(super) const fn power(self) -> u8 {
        match self {
            Self::Or => 1,
            Self::And => 2,
            Self::BitOr => Compare::POWER + 1,
            Self::BitXor => Compare::POWER + 2,
            Self::BitAnd => Compare::POWER + 3,
            Self::Join => Compare::POWER + 4,
            Self::Add | Self::Subtract => Compare::POWER + 5,
            Self::Multiply | Self::Divide | Self::Remainder => Compare::POWER + 6,
        }
    }

    /// What BehaviorTree.CPP reads on the same level, from left to right, and C++ on a looser one:
    /// an operator whose right side may not begin an unmarked row of this one.
    pub(super) const fn ambiguous_after(self) -> Option<Self> {
        match self {
            Self::And => Some(Self::Or),
            Self::BitXor => Some(Self::BitOr),
            _ => None,
        }
    }
}

impl Compare {
    /// How closely comparisons bind, on the scale of [`Binary::power`]. The word `not` binds just
    /// looser.
    pub(super) const POWER: u8 = 4;

    /// The same with the sides exchanged.
    pub(super) const fn turned(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
            same => same,
        }
    }
}

impl Unary {
    /// How closely the word `not` binds, on the scale of [`Binary::power`].
    pub(super) const WORD_POWER: u8 = 3;
    /// How closely the signs bind, on the scale of [`Binary::power`].
    pub(super) const POWER: u8 = Compare::POWER + 7;
}

impl Function {
    /// How many arguments it takes: at least and at most.
    pub(super) const fn arguments(self) -> (usize, usize) {
        match self {
            Self::Min | Self::Max => (2, 32),
            Self::Clamp => (3, 3),
            Self::Pow | Self::Uniform | Self::Normal | Self::RandomInt => (2, 2),
            _ => (1, 1),
        }
    }

    /// Whether it draws random numbers.
    pub(super) const fn draws(self) -> bool {
        matches!(self, Self::Chance | Self::Uniform | Self::Normal | Self::RandomInt)
    }
}

impl Aggregate {
    /// How many arguments it takes after its source: at least and at most.
    pub(super) const fn arguments(self) -> (usize, usize) {
        match self {
            Self::Count => (0, 1),
            Self::Sum | Self::Any | Self::All => (1, 1),
            // With what it is of nobody.
            Self::Mean | Self::MinOf | Self::MaxOf => (1, 2),
        }
    }
}

impl AssignSign {
    /// As it is written.
    pub(super) const fn text(self) -> &'static str {
        match self {
            Self::Create => ":=",
            Self::Set => "=",
            Self::Change(Binary::Add) => "+=",
            Self::Change(Binary::Subtract) => "-=",
            Self::Change(Binary::Multiply) => "*=",
            Self::Change(_) => "/=",
        }
    }

    /// The sign that is written as `text`.
    pub(super) fn from_text(text: &str) -> Option<Self> {
        Some(match text {
            ":=" => Self::Create,
            "=" => Self::Set,
            "+=" => Self::Change(Binary::Add),
            "-=" => Self::Change(Binary::Subtract),
            "*=" => Self::Change(Binary::Multiply),
            "/=" => Self::Change(Binary::Divide),
            _ => return None,
        })
    }
}
