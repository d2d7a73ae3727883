//! `populace hash`: what the tables of a run hold, whatever their files look like.

use super::args::HashArgs;
use super::{exit, report};
use crate::record::hash_run;

/// Prints name, rows and content hash of every table.
pub fn hash(args: &HashArgs) -> anyhow::Result<u8> {
    let hashes = hash_run(&args.run)?;
    if args.json {
        let list: Vec<_> = hashes
            .iter()
            .map(|table| {
                serde_json::json!({"table": table.name, "rows": table.rows, "hash": table.hash})
            })
            .collect();
        report::say(&serde_json::to_string_pretty(&list)?);
        return Ok(exit::DONE);
    }
    let width = hashes.iter().map(|table| table.name.len()).max().unwrap_or(0);
    for table in &hashes {
        report::say(&format!("{:width$} {:>12} {}", table.name, table.rows, table.hash));
    }
    Ok(exit::DONE)
}
