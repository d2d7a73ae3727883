//! daily-guidance: a person forms a day's Story, follows it by the clock and revises it.

pub mod adapt;
pub mod guide;
pub mod model;
