//! The language of scripts and conditions in a tree, one for both dialects: that of
//! BehaviorTree.CPP's scripts, and functions for models of people.
//!
//! ```text
//! text ─► Ast ─► Program ─► Value
//!      parse   compile   evaluate
//! ```
//!
//! - [`ast`] is an expression as written; it is read by `parse` (from the words of `lex`) and
//!   written by its `Display`.
//! - [`names`] is what the language asks of its surroundings: of names when it compiles, of one
//!   person's values when it evaluates.
//! - [`program`] is an expression ready to run: flat, type-checked, constants worked out.
//! - `compute` holds the rules of the operators and functions, once for constants and runs.
//!
//! # The language
//!
//! Loosest first: `;` separates statements, of which the last gives the value; `:= = += -= *= /=`;
//! `c ? a : b`; `|| or`; `&& and`; the word `not`; `== != < <= > >=`, which may be chained;
//! `|`; `^`; `&`; `..` joins texts and numbers; `+ -`; `* / %`; `- ~ !`.
//!
//! Where BehaviorTree.CPP and C++ read the same signs differently (`a || b && c`, `a | b ^ c`) the
//! expression is refused until it has parentheses. `&` binds closer than `==`, as in
//! BehaviorTree.CPP, Python and Rust, and unlike C++.
//!
//! Whole numbers stay whole under `+ - * %`; `/` always gives a number (`7 / 2 == 3.5`). Numbers
//! are equal if they differ by at most 2^-23, as in BehaviorTree.CPP. A text beside a number is
//! read as a number. `%` has the sign of its left side, as in C++.

pub mod ast;
mod compile;
mod compute;
pub mod error;
mod evaluate;
mod kinds;
mod lex;
mod mentions;
pub mod names;
mod parse;
pub mod program;
mod write;

pub use ast::Ast;
pub use error::EvalError;
pub use names::{Assign, AttributeIndex, Names, Scope, SlotIndex, SourceIndex};
pub use program::Program;
