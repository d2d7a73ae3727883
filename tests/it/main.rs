//! All integration tests in one binary, a module per theme.

mod story_models;
