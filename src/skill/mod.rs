//! SKILL.md packages: one frozen registry, activation, hooks and native skills.

pub mod native;
