//! Draws trees as written: as text, for Graphviz, as a picture.

mod dot;
mod sign;
mod svg;
mod text;

pub use dot::dot;
pub use svg::svg;
pub use text::{TextStyle, text};
