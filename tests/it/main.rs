//! All integration tests in one binary, a module per theme.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

/// Experiments of AgentSociety 2 as scenarios.
mod agentsociety_import;
/// Skills of the public release of AgentSociety 2.
mod agentsociety_skills;
/// Behaviour trees against recorded cases.
mod behaviour_cases;
/// Behaviour trees against the libraries whose rules they follow.
mod behaviour_peers;
/// Behaviour trees against BehaviorTree.CPP.
mod behaviour_peers_cpp;
/// What is measured of speed and memory.
mod bench;
/// What users can type and feed.
mod cli;
/// The recorded cases of daily-guidance.
mod daily_guidance;
/// The main command on its own input.
mod daily_mobility;
/// Same seed, same tables.
mod determinism;
/// Calls of tools of the environment.
mod environment_calls;
/// Exit codes and messages of the command.
mod exit_codes;
/// Runs in which whatever runs scripts does not keep to what it promises.
mod faults;
/// Imports only go down; a dependency lives in its room.
mod house;
/// Trees in Python as Jianmu's document shows them.
mod jianmu;
/// Standard models of the field through the command.
mod models;
/// Populations in Parquet.
mod parquet_population;
/// Trees that Python builds, in runs.
mod python_trees;
/// The keyed generators against statistical tests.
mod randomness;
/// What runs say of a day, against the observed day.
mod realism;
/// Runs that are stopped, killed or out of space.
mod resume;
/// Source as text, for the guards.
mod rust_text;
/// Every scenario of the repository.
mod scenarios;
/// Runs in which a script does harm.
mod scripts_abuse;
/// What `populace skills` does beside a run.
mod skill_commands;
/// SKILL.md files of every dialect.
mod skill_md;
/// Which skills there are in a run, and which of them run.
mod skill_registry;
/// Scripts of skills against recorded results.
mod skill_runtime;
/// Story models against the judged half of the diary.
mod story_models;
/// What the tests share.
mod support;
/// Sweeps over parameters and seeds.
mod sweep;
/// Sizes, words, leftovers, links.
mod tidy;
/// What `populace tree` shows and how it ends.
mod tree_command;
mod trees_of_people;
