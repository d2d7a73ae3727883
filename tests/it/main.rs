//! All integration tests in one binary, a module per theme.

/// The recorded cases of daily-guidance.
mod daily_guidance;
/// Same seed, same tables.
mod determinism;
/// What the tests share.
mod support;
