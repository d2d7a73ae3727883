//! The phases of a step, ONE FILE PER PHASE, in tick order.
//!
//! `advance` – `sense` – `pre_step` – `serve` – `decide` – `act` – `post_step` – `log`. Each is
//! one system over the columns of all persons, cut into fixed chunks; none imports another (the
//! native hook phases share [`hooks`], the script hook phases [`serve`]). What lies between two
//! phases is a column ([`crate::agent`]) or a row buffer of [`state`], in the order of rising
//! `AgentId`, so no result depends on the number of threads or the size of a chunk.
//!
//! This is where mind, world and outside meet.

pub mod act;
pub mod advance;
pub mod decide;
pub mod desk;
pub mod hooks;
pub mod log;
pub mod post_step;
pub mod pre_step;
pub mod sense;
pub mod serve;
pub mod state;
