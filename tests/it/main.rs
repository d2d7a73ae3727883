//! All integration tests in one binary, a module per theme.

/// The recorded cases of daily-guidance.
mod daily_guidance;
/// Same seed, same tables.
mod determinism;
/// Story models against the judged half of the diary.
mod story_models;
/// What the tests share.
mod support;
