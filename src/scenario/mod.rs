//! The YAML a user writes, checked and typed.
