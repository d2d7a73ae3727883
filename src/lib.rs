//! populace: large-scale multi-agent social simulation.
//!
//! A scenario (YAML) becomes a population, an environment and one read-only registry of skills; a
//! bevy world of persons is stepped tick by tick; what happened is written to Parquet.
//!
//! ```text
//! scenario YAML ─► population + environment + SkillRegistry ─► world ─► tick × N ─► run folder
//! ```
//!
//! Goals, in order of importance: results that are right and say where they come from; the same
//! tables for the same scenario and seed, whatever the threads, chunks or restarts; nothing lost
//! and no input that panics; speed by layout; code that can be read in an afternoon.
//!
//! # Where to begin
//!
//! [`simulation::tick::Phases`] lists the phases of a tick, each one file in [`step`]:
//!
//! | phase | what happens | begins at |
//! |---|---|---|
//! | advance | journeys end, needs wear off | [`step::advance::advance`] |
//! | sense | each person perceives place, arrival and mail | [`step::sense::sense`] |
//! | pre_step | skills speak: a Story is formed, followed, revised | [`step::pre_step::pre_step`] |
//! | serve | scripts answer for those whose skills ask them | [`step::serve::serve`] |
//! | decide | perception and Story become an intent | [`step::decide::decide`] |
//! | act | intents meet the environment; letters are posted | [`step::act::act`] |
//! | post_step | skills see what really happened | [`step::post_step::post_step`] |
//! | log | what everybody did becomes rows | [`step::log::log`] |
//!
//! # The rooms, from the ground up
//!
//! A room imports only from floors below it; `tests/it/house.rs` guards that.
//!
//! | floor | room | what it is for |
//! |---|---|---|
//! | 1 | [`base`] | ids, simulated time, keyed randomness, geometry, parallel chunks |
//! | 2 | [`agent`] | what a person is, and the letters mind, world and persons exchange |
//! | 3 | [`behaviour`] | behaviour trees: formats, one flat tree per skill, its interpreters |
//! | 3 | [`scenario`] | the YAML a user writes, checked and typed |
//! | 3 | [`environment`] | zones, places, roads, travel, choice of place and mode, mail |
//! | 3 | [`host`] | carries calls of scripts outside, within limits, and brings answers back |
//! | 3 | [`record`] | tables, writer thread, manifest, reader, content hash |
//! | 4 | [`model`] | standard models of the field, in columns |
//! | 4 | [`population`] | synthesis, import, replication, homes; observed diaries; realism |
//! | 4 | [`skill`] | SKILL.md packages, registry, activation, hooks, native skills |
//! | 5 | [`step`] | the phases, where mind and world meet |
//! | 6 | [`simulation`] | assembles, drives and closes a run |
//! | 7 | [`cli`] | arguments in, reports out |
//!
//! Mind ([`skill`]) and world ([`environment`], [`population`]) never import each other: they meet
//! in [`agent`] (letters) and [`step`] (phases) only.
//!
//! # Files on disk and who owns them
//!
//! `scenario.yaml` and `scenarios/schema.json`: [`scenario`]. `SKILL.md`: [`skill::document`].
//! `story.yaml`, `AGENT.json` of a workspace: [`skill::native::daily_guidance`]. The run folder
//! (`manifest.json`, `telemetry.json`, Parquet): [`record`].

pub mod agent;
pub mod base;
pub mod behaviour;
pub mod cli;
pub mod environment;
pub mod host;
pub mod model;
pub mod population;
pub mod record;
pub mod scenario;
pub mod simulation;
pub mod skill;
pub mod step;
