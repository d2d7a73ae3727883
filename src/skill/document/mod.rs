//! Reads SKILL.md files of every dialect: one lenient loader, and the open standard's verdict.
//!
//! - [`read()`] is the loader: bytes in, a [`SkillManifest`] and diagnostics out, whatever the
//!   bytes are. [`strict()`] says what the open standard would refuse; it never stops a load.
//! - [`manifest`] is the superset of what the dialects say, [`diagnostic`] the list of all codes.
//! - The way of a file: `text` (bytes to LF text), `split` (frontmatter and body), `yaml` (events
//!   to a bounded tree), `frontmatter` (repair field by field), `coerce` and `fields` (typed).
//!
//! Surprise: YAML's own types are used only for what nobody names. A field that is text by its
//! meaning is taken as written, so `name: yes` is "yes" and `version: 1.10` stays "1.10".

mod coerce;
pub mod diagnostic;
mod fields;
mod files;
mod frontmatter;
pub mod manifest;
mod reader;
mod requires;
mod split;
mod strict;
mod text;
mod yaml;

pub use diagnostic::{Severity, SkillDiagnostic};
pub use manifest::SkillManifest;
pub use reader::read;
pub use strict::{name_faults, strict};
