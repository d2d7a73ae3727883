//! What a person is, and the letters that mind, world and outside send each other. Data only.
//!
//! - [`person`], [`needs`], [`plan`], [`whereabouts`] are the columns of a `PersonAgent`.
//! - [`perception`] (world to mind), [`intent`] (mind to world), [`message`] (person to person)
//!   and [`hook`] (skill to mind) are the letters; so are [`request`] (mind to outside) and
//!   [`mod@file`].
//! - [`diary`] is an observed day, the raw material of Story models.
//!
//! Begin with [`plan`]: a Story is what daily-guidance is about.

pub mod activation;
pub mod activity;
pub mod diary;
pub mod environment_call;
pub mod file;
pub mod hook;
pub mod intent;
pub mod message;
pub mod needs;
pub mod perception;
pub mod person;
pub mod plan;
pub mod request;
pub mod roles;
pub mod whereabouts;

pub use activity::{Activity, Mode, PlaceKind};
pub use hook::HookOutcome;
pub use intent::Intent;
pub use message::{Message, MessageKind};
pub use needs::{Need, Needs};
pub use perception::Perception;
pub use person::{Person, Role, Sex};
pub use plan::{Segment, Story, StoryPool};
pub use whereabouts::{Trip, Whereabouts};
