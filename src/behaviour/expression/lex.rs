//! A text as words: numbers, texts in quotation marks, names and signs.

use winnow::Parser;
use winnow::ascii::{digit1, hex_digit1};
use winnow::combinator::{alt, delimited, opt, preceded, repeat};
use winnow::error::EmptyError;
use winnow::token::{any, take_while};

use crate::behaviour::definition::Position;
use crate::behaviour::error::TreeProblem;

/// A word and where it begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Token<'t> {
    pub(super) word: Word<'t>,
    pub(super) at: Position,
}

/// A word.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Word<'t> {
    Int(i64),
    Number(f64),
    Text(&'t str),
    Name(&'t str),
    Sign(&'static str),
    End,
}

impl std::fmt::Display for Word<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Int(number) => write!(f, "`{number}`"),
            Self::Number(number) => write!(f, "`{number:?}`"),
            Self::Text(_) => f.write_str("a text"),
            Self::Name(name) => write!(f, "`{name}`"),
            Self::Sign(sign) => write!(f, "`{sign}`"),
            Self::End => f.write_str("the end"),
        }
    }
}

/// Longer signs before those that they begin with.
const SIGNS: [&str; 33] = [
    ":=", "==", "!=", "<=", ">=", "&&", "||", "+=", "-=", "*=", "/=", "..", "=", "!", "<", ">",
    "&", "|", "^", "~", "+", "-", "*", "/", "%", "(", ")", ",", "?", ":", ";", "{", "}",
];

type Read<'t, T> = Result<T, EmptyError>;

/// The words of a text that stands at `at`; the last is [`Word::End`].
pub(super) fn words(text: &str, at: Position) -> Result<Vec<Token<'_>>, TreeProblem> {
    let mut tokens = Vec::new();
    let mut at = Position { line: at.line, column: at.column.max(1) };
    let mut rest = text;
    loop {
        let blank = rest.len() - rest.trim_start().len();
        at = after(at, &rest[..blank]);
        rest = &rest[blank..];
        let start = rest;
        let word = word(&mut rest).map_err(|message| problem(at, "expression-syntax", message))?;
        tokens.push(Token { word, at });
        if word == Word::End {
            return Ok(tokens);
        }
        at = after(at, &start[..start.len() - rest.len()]);
    }
}

/// Where the next word stands after `text` that begins at `at`. What was not read from a file has
/// one line only.
fn after(at: Position, text: &str) -> Position {
    text.chars().fold(at, |at, c| match c {
        '\n' if at.line > 0 => Position { line: at.line + 1, column: 1 },
        _ => Position { column: at.column.saturating_add(1), ..at },
    })
}

/// A mistake at a place.
pub(super) fn problem(at: Position, code: &'static str, message: impl Into<String>) -> TreeProblem {
    TreeProblem { line: at.line, column: at.column, code, message: message.into() }
}

fn word<'t>(rest: &mut &'t str) -> Result<Word<'t>, String> {
    let Some(first) = rest.chars().next() else { return Ok(Word::End) };
    match first {
        '0'..='9' => number(rest),
        '\'' | '"' => quoted(first)
            .parse_next(rest)
            .map(Word::Text)
            .map_err(|_: EmptyError| format!("a text begins with {first} and does not end")),
        _ if begins_name(first) => {
            name.parse_next(rest).map(Word::Name).map_err(|_| no_word(first))
        }
        _ => {
            let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
            let sign = *sign.ok_or_else(|| no_word(first))?;
            *rest = &rest[sign.len()..];
            Ok(Word::Sign(sign))
        }
    }
}

fn no_word(found: char) -> String {
    match found {
        '.' => "`.` begins nothing: a number is written 0.5".into(),
        _ => format!("`{}` begins no number, text, name or operator", found.escape_debug()),
    }
}

/// A text in quotation marks; there are no escapes, as in BehaviorTree.CPP.
fn quoted<'t>(mark: char) -> impl Parser<&'t str, &'t str, EmptyError> {
    delimited(mark, take_while(0.., move |c| c != mark), mark)
}

/// Parts joined by single dots; `@` may stand before them (the blackboard of the root).
fn name<'t>(rest: &mut &'t str) -> Read<'t, &'t str> {
    let part = (any.verify(|c| begins_name(*c)), take_while(0.., unicode_ident::is_xid_continue));
    let inner = (any.verify(|c| begins_part(*c)), take_while(0.., unicode_ident::is_xid_continue));
    (part, repeat::<_, _, (), _, _>(0.., preceded('.', inner))).take().parse_next(rest)
}

fn begins_part(c: char) -> bool {
    c == '_' || unicode_ident::is_xid_start(c)
}

fn begins_name(c: char) -> bool {
    c == '@' || begins_part(c)
}

/// A number as it is written, and whether it can only be a whole one.
enum Digits<'t> {
    Hex(&'t str),
    Whole(&'t str),
    Fraction(&'t str),
}

fn digits<'t>(rest: &mut &'t str) -> Read<'t, Digits<'t>> {
    let exponent = || (alt(('e', 'E')), opt(alt(('+', '-'))), digit1);
    let fraction =
        alt(((digit1, '.', digit1, opt(exponent())).void(), (digit1, exponent()).void()));
    alt((
        preceded(alt(("0x", "0X")), hex_digit1).map(Digits::Hex),
        fraction.take().map(Digits::Fraction),
        digit1.map(Digits::Whole),
    ))
    .parse_next(rest)
}

fn number<'t>(rest: &mut &'t str) -> Result<Word<'t>, String> {
    let whole = *rest;
    let digits = digits.parse_next(rest).map_err(|_: EmptyError| "no number".to_owned())?;
    if let Some(after) = rest.chars().next().filter(|c| *c == '.' || begins_part(*c)) {
        let found = &whole[..whole.len() - rest.len()];
        return Err(format!("`{after}` may not follow the number {found} directly"));
    }
    let int = |read: Result<i64, std::num::ParseIntError>| {
        read.map(Word::Int).map_err(|_| "a whole number above 9223372036854775807".to_owned())
    };
    match digits {
        Digits::Hex(digits) => int(i64::from_str_radix(digits, 16)),
        Digits::Whole(digits) => int(digits.parse()),
        Digits::Fraction(digits) => match digits.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(Word::Number(number)),
            _ => Err(format!("`{digits}` is too large for a number")),
        },
    }
}
