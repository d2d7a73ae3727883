//! What no schema can say: keys that must agree with each other, files that must exist.

mod checks;
mod files;
mod model;
mod world;

pub(super) use checks::run;
pub(super) use files::named as named_files;
pub(super) use model::KEYS_OF_PERSONS;
