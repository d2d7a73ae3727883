//! All integration tests in one binary, a module per theme.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

/// Imports only go down; a dependency lives in its room.
mod house;
/// Source as text, for the guards.
mod rust_text;
/// Sizes, words, leftovers, links.
mod tidy;
