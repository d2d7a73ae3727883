//! All integration tests in one binary, a module per theme.

/// Same seed, same tables.
mod determinism;
/// What the tests share.
mod support;
