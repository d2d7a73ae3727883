//! Trees of people: what a person's tree may name, and what its leaves do.
//!
//! A leaf changes nothing but its own person's blackboard and letters: what a person wants becomes
//! an [`Intent`](crate::agent::intent::Intent), which the environment carries out when all have
//! decided; what is asked of scripts, tools and people goes out with the tick and is answered in
//! the next. Others are seen as they were when the phase began, so nothing depends on who decides
//! first.
//!
//! [`Forest`] holds the trees of a run, [`Mind`] is one person who ticks them, [`Memories`] what
//! the persons of a chunk remember.

mod attributes;
mod crowd;
mod forest;
mod leaves;
mod letters;
mod memory;
mod mind;
mod reading;

pub use attributes::{Attribute, Others, PersonWords, leaf_of_people};
pub use crowd::{Crowd, Crowds, NEAR_HOMES};
pub use forest::{Forest, PersonTree};
pub use letters::{Finished, Letters, Question, Reply, Request, RequestKind};
pub use memory::{Memories, Memory};
pub use mind::{Everybody, Mind, Planned};
