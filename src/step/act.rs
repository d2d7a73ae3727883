//! Phase 6: intents meet the environment. People leave, or do what they wanted where they are.

use bevy_ecs::system::{Query, Res, ResMut};

use super::desk::EnvironmentDesk;
use super::state::{
    ChunkState, Chunks, Mail, Moment, StepFailure, Town, agent_range, sole_table, write_stay,
};
use crate::agent::activity::{Activity, PlaceKind};
use crate::agent::environment_call::EnvironmentAct;
use crate::agent::intent::Intent;
use crate::agent::message::Message;
use crate::agent::person::Person;
use crate::agent::plan::{LocationPolicy, Origin};
use crate::agent::whereabouts::{Trip, Whereabouts};
use crate::base::context::StepContext;
use crate::base::ids::{AgentId, PlaceId};
use crate::base::parallel;
use crate::base::rng::Purpose;
use crate::environment::Environment;
use crate::environment::mailbox::MESSAGES_PER_SENDER_MAX;

/// Carries out what was asked of the environment and the intents, and hands the tick's messages to
/// the mailbox.
///
/// A person changes only their own row; the environment is read-only here. So chunks run in
/// parallel and the result is that of one pass in `AgentId` order. Who asked the environment for
/// something of their own body does that, not what the Story wants.
pub fn act(
    moment: Res<Moment>,
    town: Res<Town>,
    mut mail: ResMut<Mail>,
    mut desk: ResMut<EnvironmentDesk>,
    mut chunks: ResMut<Chunks>,
    mut people: Query<(&AgentId, &Person, &Intent, &mut Whereabouts, &mut Trip)>,
) {
    let tables = people.contiguous_iter_mut().expect("all components are table columns");
    let Some((ids, persons, intents, mut whereabouts, mut trips)) = sole_table(tables) else {
        return;
    };
    let acts = desk.take_acts();
    let Chunks { len, states } = &mut *chunks;
    let work: Vec<_> = ids
        .chunks(*len)
        .zip(persons.chunks(*len))
        .zip(intents.chunks(*len))
        .zip(whereabouts.bypass_change_detection().chunks_mut(*len))
        .zip(trips.bypass_change_detection().chunks_mut(*len))
        .zip(states.iter_mut())
        .collect();
    parallel::for_each(work, |(((((ids, persons), intents), whereabouts), trips), state)| {
        let mut actor = Actor { context: &moment.0, town: &town.0, state };
        let done = actor.do_asked(asked_of(&acts, ids), persons, whereabouts, trips);
        for (index, intent) in intents.iter().enumerate() {
            if done.binary_search(&index).is_ok() {
                continue;
            }
            let (at, trip) = (&mut whereabouts[index], &mut trips[index]);
            match *intent {
                Intent::Continue => {}
                Intent::Do { activity, segment } => {
                    at.activity = activity;
                    at.segment = segment;
                }
                Intent::MoveTo { place, purpose, segment } => {
                    let (policy, origin) = (LocationPolicy::City, Origin::Tree);
                    let errand = Errand { purpose, policy, segment, origin };
                    actor.leave(index, ids[index], &persons[index], (place, errand), at, trip);
                }
                Intent::Go { purpose, policy, segment, origin } => {
                    let errand = Errand { purpose, policy, segment, origin };
                    actor.go(index, ids[index], &persons[index], errand, at, trip);
                }
            }
        }
    });
    let letters = states.iter_mut().map(|state| std::mem::take(&mut state.outbox)).collect();
    mail.0.post(letters);
}

/// The part of `acts`, sorted by agent, that is of the agents in `ids`.
fn asked_of<'a>(
    acts: &'a [(AgentId, EnvironmentAct)],
    ids: &[AgentId],
) -> Vec<(usize, AgentId, &'a EnvironmentAct)> {
    let range = agent_range(ids);
    let start = acts.partition_point(|(agent, _)| agent.0 < range.start);
    let own = acts[start..].iter().take_while(|(agent, _)| agent.0 < range.end);
    own.map(|(agent, act)| ((agent.0 - range.start) as usize, *agent, act)).collect()
}

/// Draws of a destination until one differs from where the person is.
const DRAWS_MAX: u32 = 8;

/// What somebody leaves for.
#[derive(Clone, Copy)]
struct Errand {
    purpose: Activity,
    policy: LocationPolicy,
    segment: u8,
    origin: Origin,
}

struct Actor<'a> {
    context: &'a StepContext,
    town: &'a Environment,
    state: &'a mut ChunkState,
}

impl Actor<'_> {
    /// Leaves where the policy says; if there is nowhere to go, the person stays and a row of
    /// `failures` says so.
    fn go(
        &mut self,
        index: usize,
        agent: AgentId,
        person: &Person,
        errand: Errand,
        at: &mut Whereabouts,
        trip: &mut Trip,
    ) {
        let Some(destination) = self.destination(agent, person, errand, at.place) else {
            let kind = errand.purpose.place_kind();
            let message = format!("no {kind} place for {} from {}", errand.purpose, at.place);
            self.fail(agent, "no-destination", message);
            if errand.origin == Origin::Tree {
                // A tree sees that its wish was not granted, and decides what next.
                return;
            }
            (at.activity, at.segment) = (errand.purpose, errand.segment);
            at.origin = errand.origin;
            return;
        };
        self.leave(index, agent, person, (destination, errand), at, trip);
    }

    /// Carries out what the chunk's persons asked for; gives the rows of those whose own body was
    /// concerned, rising.
    fn do_asked(
        &mut self,
        acts: Vec<(usize, AgentId, &EnvironmentAct)>,
        persons: &[Person],
        whereabouts: &mut [Whereabouts],
        trips: &mut [Trip],
    ) -> Vec<usize> {
        let mut done = Vec::new();
        for (index, agent, act) in acts {
            let (at, trip) = (&mut whereabouts[index], &mut trips[index]);
            match *act {
                EnvironmentAct::Send { to, kind } => {
                    let own = self.state.outbox.iter().filter(|letter| letter.from == agent);
                    let seq = own.map(|letter| letter.seq.saturating_add(1)).max().unwrap_or(0);
                    if seq >= MESSAGES_PER_SENDER_MAX {
                        let message =
                            format!("more than {MESSAGES_PER_SENDER_MAX} messages in a tick");
                        self.fail(agent, "too-many-messages", message);
                    } else {
                        self.state.outbox.push(Message { to, from: agent, seq, kind });
                    }
                    continue;
                }
                _ if at.travelling() => {
                    let message = "asked for more after a move in the same tick".to_owned();
                    self.fail(agent, "asked-under-way", message);
                }
                EnvironmentAct::Do(activity) => at.activity = activity.unwrap_or(at.purpose),
                EnvironmentAct::MoveTo { place, purpose } => {
                    let (segment, origin) = (at.segment, Origin::Asked);
                    let policy = LocationPolicy::City;
                    let errand = Errand { purpose, policy, segment, origin };
                    let person = &persons[index];
                    self.leave(index, agent, person, (place, errand), at, trip);
                }
            }
            done.push(index);
        }
        done
    }

    /// Ends the stay and begins the trip to `destination`; who is there already just goes on.
    fn leave(
        &mut self,
        index: usize,
        agent: AgentId,
        person: &Person,
        (destination, errand): (PlaceId, Errand),
        at: &mut Whereabouts,
        trip: &mut Trip,
    ) {
        if destination == at.place {
            (at.activity, at.purpose) = (errand.purpose, errand.purpose);
            (at.segment, at.origin) = (errand.segment, errand.origin);
            return;
        }
        let rows = &mut self.state.rows.stays;
        write_stay(self.context, self.town, agent, trip.count, at, self.context.time, rows);
        let mut stream = self.context.stream(agent, Purpose::Mode);
        let (plan, path) = {
            let calculator = &mut self.state.calculator;
            self.town.plan_trip(person.cars, at.place, destination, &mut stream, calculator)
        };
        *trip = Trip {
            origin: at.place,
            destination,
            depart: self.context.time,
            arrive: self.context.time.plus(plan.duration_s),
            distance_m: plan.distance_m,
            count: trip.count.saturating_add(1),
            mode: plan.mode,
        };
        *at = Whereabouts {
            place: PlaceId::NONE,
            since: self.context.time,
            activity: Activity::Travel,
            purpose: errand.purpose,
            segment: errand.segment,
            origin: errand.origin,
        };
        self.state.tally.departures += 1;
        if !path.is_empty() {
            self.state.paths.insert(index as u32, path);
        }
    }

    fn destination(
        &self,
        agent: AgentId,
        person: &Person,
        errand: Errand,
        from: PlaceId,
    ) -> Option<PlaceId> {
        let near = match errand.policy {
            LocationPolicy::Home => return Some(person.home),
            LocationPolicy::Work if person.work.is_some() => return Some(person.work),
            LocationPolicy::School if person.school.is_some() => return Some(person.school),
            LocationPolicy::NearHome => person.home,
            LocationPolicy::NearWork if person.work.is_some() => person.work,
            LocationPolicy::NearWork if person.school.is_some() => person.school,
            _ => from,
        };
        let mut stream = self.context.stream(agent, Purpose::Destination);
        let kind = match (errand.purpose.place_kind(), errand.purpose) {
            // A meal that is not planned at home is eaten out; all else at home is at one's own.
            (PlaceKind::Home, Activity::Meal) => Activity::Eat.place_kind(),
            (PlaceKind::Home, _) => return Some(person.home),
            (kind, _) => kind,
        };
        // Who leaves goes somewhere else, unless the city offers nothing else.
        for _ in 0..DRAWS_MAX {
            let place = self.town.choose_place(near, kind, &mut stream)?;
            if place != from {
                return Some(place);
            }
        }
        Some(from)
    }

    fn fail(&mut self, agent: AgentId, code: &'static str, message: String) {
        self.state.failures.push(StepFailure {
            agent,
            phase: "act",
            skill_index: None,
            code,
            message,
        });
    }
}
