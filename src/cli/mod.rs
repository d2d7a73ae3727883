//! Arguments in, reports out. Each subcommand is a thin wrapper, a file each.
//!
//! stdout carries results, stderr the progress bar and log lines. Exit codes are in [`exit`].

pub mod args;
mod bench;
mod bench_list;
mod bench_row;
pub mod bench_tree;
pub mod exit;
mod hash;
mod import;
mod inspect;
mod person;
mod report;
mod run;
mod skills;
mod skills_activate;
mod skills_check;
mod skills_env;
mod skills_list;
mod skills_manage;
mod skills_new;
mod skills_run;
mod skills_toggle;
mod skills_tree;
mod start;
mod sweep;
mod tree;
mod tree_file;
mod validate;
mod workspace;

pub use start::main;
