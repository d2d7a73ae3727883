//! Tick by tick: steps, hooks, needs, messages, workspace files, failures, metrics.

use super::table::{Table, TableId, TableSpec, buffer, is_optional, table, unit};
use crate::agent::activity::Activity;
use crate::agent::file::FileContent;
use crate::agent::hook::{HookAction, HookType};
use crate::agent::message::MessageKind;
use crate::agent::request::ErrorType;
use crate::base::ids::{AgentId, PlaceId};
use crate::base::time::Tick;
use crate::record::columns::cell::EpochMs;
use crate::record::columns::data::{Column, ColumnData};
use crate::record::columns::kind::ColumnSpec;
use crate::record::columns::text::{Names, Texts};

table! {
    /// Where each person is and what they do, tick by tick, as far as the log policy keeps it.
    Steps, StepRow {
        /// Tick, from 0.
        tick: Tick,
        /// Simulated time of the tick.
        datetime: EpochMs,
        /// The person.
        agent_id: AgentId,
        /// What the person does.
        activity: Activity,
        /// Where; empty on a trip.
        place_id: PlaceId [optional],
        /// Longitude, WGS 84; single precision, good to 0.7 m.
        lng: f32 [unit "degree"],
        /// Latitude, WGS 84; single precision, good to 0.4 m.
        lat: f32 [unit "degree"],
        /// Story segment being carried out; empty where the Story has a gap.
        segment: u8 [optional],
    }
}

table! {
    /// What the hooks of skills did, as far as the log policy keeps it.
    Hooks, HookRow<'a> {
        /// Tick, from 0.
        tick: Tick,
        /// Simulated time of the tick.
        datetime: EpochMs,
        /// The person.
        agent_id: AgentId,
        /// The skill.
        skill_id: &'a str => Names,
        /// When the hook ran.
        hook: HookType,
        /// What it did.
        action: HookAction,
        /// Story segment the clock is in; empty where the Story has a gap.
        segment: u8 [optional],
        /// How a script ended; `none` if it is well or no script was run.
        error_type: ErrorType,
        /// What a script gave; empty text if no script was run. A script that is not well gives its
        /// error output.
        output: &'a str => Texts,
    }
}

table! {
    /// Files of persons' workspaces, each with the tick in which it was saved.
    Workspace, WorkspaceRow<'a> {
        /// The person.
        agent_id: AgentId,
        /// Tick in which the file was saved.
        tick: Tick,
        /// Path within the person's workspace.
        path: &'a str => Names,
        /// How the file is kept here.
        kind: FileContent,
        /// The whole file.
        content: &'a str => Texts,
    }
}

table! {
    /// What went wrong for one person, one skill or the run, and was survived.
    Failures, FailureRow<'a> {
        /// Tick, from 0.
        tick: Tick,
        /// The person; empty if the failure is not one person's.
        agent_id: AgentId [optional],
        /// Phase of the tick.
        phase: &'a str => Names,
        /// The skill; empty text if none was involved.
        skill_id: &'a str => Names,
        /// Short name of the kind of failure.
        code: &'a str => Names,
        /// What happened.
        message: &'a str => Texts,
    }
}

table! {
    /// Totals and means over all persons, one row per tick.
    Metrics, MetricRow {
        /// Tick, from 0.
        tick: Tick,
        /// Simulated time of the tick.
        datetime: EpochMs,
        /// Persons in the run.
        persons: u32,
        /// Persons at their home.
        at_home: u32,
        /// Persons at work.
        at_work: u32,
        /// Persons at school.
        at_school: u32,
        /// Persons at any other place.
        at_other: u32,
        /// Persons on a trip.
        travelling: u32,
        /// Trips begun in this tick.
        departures: u32,
        /// Trips ended in this tick.
        arrivals: u32,
        /// Stories formed.
        stories_created: u32,
        /// Stories revised because a need was at its threshold.
        revised_need: u32,
        /// Stories revised because the person was late.
        revised_late: u32,
        /// Stories revised because a script or somebody asked for it.
        revised_asked: u32,
        /// Messages sent.
        messages: u32,
        /// Rows added to table failures.
        failures: u32,
        /// Mean satisfaction of hunger, 0 to 1.
        mean_hunger: f64,
        /// Mean satisfaction of energy, 0 to 1.
        mean_energy: f64,
        /// Mean satisfaction of safety, 0 to 1.
        mean_safety: f64,
        /// Mean satisfaction of social, 0 to 1.
        mean_social: f64,
    }
}

table! {
    /// Need levels of each person, tick by tick, as far as the log policy keeps them.
    Needs, NeedRow {
        /// Tick, from 0.
        tick: Tick,
        /// Simulated time of the tick.
        datetime: EpochMs,
        /// The person.
        agent_id: AgentId,
        /// Satisfaction of hunger, 0 to 1.
        hunger: f32,
        /// Satisfaction of energy, 0 to 1.
        energy: f32,
        /// Satisfaction of safety, 0 to 1.
        safety: f32,
        /// Satisfaction of social, 0 to 1.
        social: f32,
    }
}

table! {
    /// One row per message between persons, in the order of delivery.
    Messages, MessageRow {
        /// Tick in which it was sent.
        tick: Tick,
        /// Sender.
        from_agent: AgentId,
        /// Receiver.
        to_agent: AgentId,
        /// What it is about.
        kind: MessageKind,
    }
}
