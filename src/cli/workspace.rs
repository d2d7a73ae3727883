//! `populace workspace`: one person's files, as a skill script or another tool expects them.

use std::collections::BTreeMap;
use std::path::{Component, Path};

use anyhow::Context;

use super::args::WorkspaceArgs;
use super::person;
use super::{exit, report};
use crate::agent::file::FileContent;
use crate::agent::plan::Origin;
use crate::base::ids::AgentId;
use crate::base::time::{MINUTE_S, SimClock, Tick};
use crate::host::workspace::AGENT_FILE;
use crate::record::{RunReader, TableId};
use crate::skill::agent_file::{agent_json, agent_name};
use crate::skill::native::daily_guidance::story_file::document::{PersonContext, Revision, render};
use crate::skill::native::daily_guidance::story_file::workspace::story_file;

/// Writes `AGENT.json` and every day's `story.yaml` of one person under a folder.
pub fn workspace(args: &WorkspaceArgs) -> anyhow::Result<u8> {
    let reader = person::open(&args.run)?;
    let agent = AgentId(args.agent);
    let record = person::read(&reader, agent)?;
    let summary = &reader.manifest().clock;
    let clock = SimClock::new(summary.start, summary.tick_s, summary.ticks_planned);
    let end = Tick(summary.ticks_done);
    let time = clock.time_of(end);
    let mut written = Vec::new();
    let mut write = |path: String, content: &[u8]| -> anyhow::Result<()> {
        let file = args.out.join(&path);
        let folder = file.parent().context("a file lies in a folder")?;
        std::fs::create_dir_all(folder).with_context(|| format!("create {}", folder.display()))?;
        std::fs::write(&file, content).with_context(|| format!("write {}", file.display()))?;
        written.push(file);
        Ok(())
    };
    write(
        "AGENT.json".to_owned(),
        agent_json(&clock, time, agent, &record.person, end).as_bytes(),
    )?;
    let mut saved = saved_files(&reader, agent)?;
    let name = agent_name(agent);
    let who = PersonContext::of(agent, &name, &record.person);
    for (index, story) in record.stories.iter().enumerate() {
        let last = record.stories.get(index + 1).is_none_or(|next| next.day != story.day);
        if !last {
            continue;
        }
        let revisions: Vec<Revision<'_>> = record
            .stories
            .iter()
            .filter(|version| version.day == story.day && version.revision > 0)
            .map(|version| Revision {
                time: clock.datetime(clock.time_of(Tick(version.tick))),
                reason: why(version.segments.iter().map(|segment| segment.origin)),
            })
            .collect();
        let epoch = jiff::civil::date(1970, 1, 1);
        let date = epoch.checked_add(jiff::Span::new().days(i64::from(story.day)))?;
        let minute =
            (clock.date(time) == date).then(|| (clock.second_of_day(time) / MINUTE_S) as u16);
        let past = (clock.date(time) > date).then_some(24 * 60);
        let text = render(&who, date, minute.or(past), &story.segments, &revisions);
        let path = story_file(date);
        // What a script wrote is taken as it is; what the engine saved lacks the revisions.
        let by_script = |saved: &Vec<u8>| !saved.starts_with(first_line(&text).as_bytes());
        match saved.remove(&path).filter(by_script) {
            Some(bytes) => write(path, &bytes)?,
            None => write(path, text.as_bytes())?,
        }
    }
    for (path, bytes) in saved {
        write(path, &bytes)?;
    }
    for file in written {
        report::say(&file.display().to_string());
    }
    Ok(exit::DONE)
}

/// `story_id` comes first in a story.yaml, and a script's is its own.
fn first_line(text: &str) -> &str {
    text.split_inclusive('\n').next().unwrap_or_default()
}

/// The person's files as last saved in table `workspace`, AGENT.json left out.
fn saved_files(reader: &RunReader, agent: AgentId) -> anyhow::Result<BTreeMap<String, Vec<u8>>> {
    let mut files = BTreeMap::new();
    if !reader.has(TableId::Workspace) {
        return Ok(files);
    }
    let rows = reader.table(TableId::Workspace)?.of_agent(agent)?.read()?;
    let kinds = rows.words::<FileContent>("kind")?;
    let (paths, contents) = (rows.texts("path")?, rows.texts("content")?);
    for row in 0..rows.len() {
        let (Some(path), content) = (paths[row], contents[row].unwrap_or_default()) else {
            continue;
        };
        let inside = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
        anyhow::ensure!(inside, "table workspace has a path outside a workspace: '{path}'");
        if path == AGENT_FILE {
            continue;
        }
        match kinds[row].bytes(content) {
            Some(bytes) => files.insert(path.to_owned(), bytes),
            None => files.remove(path),
        };
    }
    Ok(files)
}

/// What the most telling origin of a version's segments says of its revision.
fn why(mut origins: impl Iterator<Item = Origin>) -> &'static str {
    let origin = origins.find(|origin| *origin != Origin::Planned);
    match origin {
        Some(Origin::Need) => "a need was at its threshold",
        Some(Origin::Late) => "the person arrived late",
        Some(Origin::Asked) => "the change was asked for",
        Some(Origin::Tree) => "a behaviour tree decided so",
        Some(Origin::Planned) | None => "the Story was revised",
    }
}
