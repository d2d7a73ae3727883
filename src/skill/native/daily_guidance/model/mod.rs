//! Where Stories come from: two models of a person's day, calibrated on observed days.
//!
//! - [`profile`]: rules and distributions. A day pattern by role, age and household, then a chain
//!   of departures and purposes (a Markov renewal process), all from counts kept in [`counts`].
//! - [`matched`]: statistical matching. A person is given the observed day of somebody alike, and
//!   on another day that of somebody else alike.
//! - [`mod@expand`]: both give trips with an hour of departure; this turns them into the segments
//!   of a Story, with minutes, journeys and sleep.
//!
//! Both are pure functions of plain data: observed days in, segments out. What surprised us: the
//! diary knows hours only, so half of what a Story says about minutes is the choice of
//! [`mod@expand`].

pub mod counts;
pub mod error;
pub mod expand;
pub mod matched;
pub mod profile;
pub mod traits;

pub use error::ModelError;
pub use expand::{DayRules, expand};
pub use matched::{DiaryModel, MatchedDiary};
pub use profile::ProfileModel;
