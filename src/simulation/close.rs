//! Closes a run's records: stays and trips that still go on, and the persons' workspaces.

use super::assemble::{Assembly, WorkspacePolicy};
use super::error::SimulationError;
use crate::agent::file::FileContent;
use crate::agent::person::Person;
use crate::agent::plan::Story;
use crate::agent::whereabouts::{Trip, Whereabouts};
use crate::base::context::StepContext;
use crate::base::ids::AgentId;
use crate::base::time::Tick;
use crate::record::RunWriter;
use crate::record::tables::days::{Legs, Stays, Trips};
use crate::record::tables::log::{Workspace, WorkspaceRow};
use crate::skill::agent_file::{agent_json, agent_name};
use crate::skill::native::daily_guidance::story_file::document::{PersonContext, render};
use crate::step::advance::write_trip;
use crate::step::serve::hooks::Scripts;
use crate::step::state::{Chunks, Rows, Town, sampled, write_files, write_stay};

/// Rows handed to the writer at a time.
const BATCH_ROWS: usize = 4_096;

/// Writes the stays that end with the run at the start of tick `end`, and the trips under way,
/// which are marked as not completed.
pub fn end_stays_and_trips(
    assembly: &mut Assembly,
    end: Tick,
    writer: &mut RunWriter,
) -> Result<(), SimulationError> {
    let context = StepContext::new(assembly.seed, assembly.clock, end);
    let town = std::sync::Arc::clone(&assembly.world.resource::<Town>().0);
    let mut stays = Stays::default();
    let mut rows = Rows::default();
    let mut people = assembly.world.query::<(&AgentId, &Whereabouts, &Trip)>();
    for (agent, at, trip) in people.iter(&assembly.world) {
        if !at.travelling() {
            write_stay(&context, &town, *agent, trip.count, at, context.time, &mut stays);
        } else {
            let completed = trip.arrive <= context.time;
            write_trip(&context, &town, *agent, at.purpose, trip, &mut rows);
            if completed {
                // Arrived exactly now or since the last tick: the rest is a stay.
                let arrived = Whereabouts { place: trip.destination, since: trip.arrive, ..*at };
                write_stay(&context, &town, *agent, trip.count, &arrived, context.time, &mut stays);
            }
        }
    }
    writer.send::<Stays>(stays)?;
    writer.send::<Trips>(rows.trips)?;
    writer.send::<Legs>(rows.legs)?;
    Ok(())
}

/// Saves `AGENT.json` and the day's `story.yaml` of the persons that the policy names.
pub fn save_workspaces(
    assembly: &mut Assembly,
    end: Tick,
    writer: &mut RunWriter,
) -> Result<(), SimulationError> {
    if assembly.workspace == WorkspacePolicy::None {
        return Ok(());
    }
    // The moment of the last tick: at the end itself a new day may have begun without a Story.
    let last = Tick(end.0.saturating_sub(1));
    let moment = StepContext::new(assembly.seed, assembly.clock, last);
    let time = assembly.clock.time_of(end);
    let seed = assembly.seed;
    let (policy, share) = (assembly.workspace, assembly.sample_share);
    let mut people = assembly.world.query::<(&AgentId, &Person, &Story)>();
    let chunks = assembly.world.resource::<Chunks>();
    let folders = assembly.world.resource::<Scripts>().workspaces.as_ref();
    let mut table = Workspace::default();
    for (agent, person, story) in people.iter(&assembly.world) {
        if policy == WorkspacePolicy::Sample && !sampled(seed, *agent, share) {
            continue;
        }
        let push = |table: &mut Workspace, path: &str, content: &str| {
            let kind = FileContent::Text;
            table.push(WorkspaceRow { agent_id: *agent, tick: last, path, kind, content });
        };
        push(&mut table, "AGENT.json", &agent_json(&assembly.clock, time, *agent, person, end));
        if let Some(folders) = folders.filter(|folders| folders.has(*agent)) {
            // Scripts worked here: their files are the person's, its story.yaml too.
            write_files(last, &folders.files(*agent), &mut table);
        } else if story.len > 0 {
            let segments = chunks.states[agent.index() / chunks.len].pool.of(story);
            let date = assembly.clock.date(moment.time);
            let name = agent_name(*agent);
            let who = PersonContext::of(*agent, &name, person);
            let text = render(&who, date, Some(moment.minute), segments, &[]);
            push(&mut table, &format!("state/daily_guidance/{date}/story.yaml"), &text);
        }
        if table.len() >= BATCH_ROWS {
            writer.send(std::mem::take(&mut table))?;
        }
    }
    writer.send(table)?;
    Ok(())
}
