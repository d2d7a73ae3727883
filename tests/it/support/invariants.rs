//! What holds in every world at the end of every tick.

use std::collections::BTreeSet;

use bevy_ecs::world::World;
use populace::agent::hook::HookOutcome;
use populace::agent::needs::Needs;
use populace::agent::plan::Story;
use populace::agent::whereabouts::{Trip, Whereabouts};
use populace::base::ids::AgentId;
use populace::base::time::SimTime;
use populace::step::state::{Chunks, Town};

/// What is broken, in words; compares with how it was at the end of the tick before.
#[derive(Default)]
pub struct Watch {
    before: Vec<(Whereabouts, Trip)>,
}

impl Watch {
    /// The faults of a world of `persons` at the end of the tick that began at `now`.
    pub fn faults(&mut self, world: &mut World, persons: usize, now: SimTime) -> Vec<String> {
        let mut faults = Vec::new();
        let mut people =
            world.query::<(&AgentId, &Whereabouts, &Trip, &Needs, &Story, &HookOutcome)>();
        let chunks = world.resource::<Chunks>();
        let places = world.resource::<Town>().0.places.len();
        let mut after = Vec::with_capacity(persons);
        for (row, (agent, at, trip, needs, story, outcome)) in people.iter(world).enumerate() {
            let mut fault = |why: String| faults.push(format!("agent {agent}: {why}"));
            if agent.index() != row {
                fault(format!("is row {row}"));
            }
            if at.travelling() == at.place.is_some() {
                fault(format!("is nowhere, or in two places: {at:?}"));
            }
            if at.place.is_some() && at.place.index() >= places {
                fault(format!("is at {:?}, of {places} places", at.place));
            }
            if at.since > now {
                fault(format!("came at {:?}, now is {now:?}", at.since));
            }
            if at.travelling() && (trip.arrive <= trip.depart || trip.arrive <= now) {
                fault(format!("travels without end: {trip:?} at {now:?}"));
            }
            if !needs.0.iter().all(|level| (0.0..=1.0).contains(level)) {
                fault(format!("needs are beyond [0, 1]: {needs:?}"));
            }
            if let Some((was, on)) = self.before.get(row) {
                if was.since > at.since {
                    fault(format!("time goes back: {was:?}, {at:?}"));
                }
                // A trip ends where it went, at its time, even if another begins at once.
                let came = at.place.is_some() && at.place == on.destination;
                let left = trip.origin == on.destination && trip.depart >= on.arrive;
                if was.travelling() && on.arrive <= now && !came && !left {
                    fault(format!("a trip was lost: {on:?}, now {at:?} {trip:?}"));
                }
                if trip.count < on.count {
                    fault(format!("trips are uncounted: {on:?}, {trip:?}"));
                }
            }
            let segments = chunks.states[row / chunks.len].pool.of(story);
            let in_order = segments.windows(2).all(|pair| pair[0].end_min <= pair[1].start_min);
            if !in_order || segments.iter().any(|one| one.start_min >= one.end_min) {
                fault(format!("the Story is out of order: {segments:?}"));
            }
            let known = outcome.segment == u8::MAX || usize::from(outcome.segment) < segments.len();
            if !known && story.len > 0 {
                fault(format!("follows segment {} of {}", outcome.segment, segments.len()));
            }
            after.push((*at, *trip));
        }
        if after.len() != persons {
            faults.push(format!("{} persons of {persons}", after.len()));
        }
        self.before = after;
        faults.extend(open_requests(chunks, persons));
        faults
    }
}

/// Every request and every question is of a person of the chunk and asked once.
fn open_requests(chunks: &Chunks, persons: usize) -> Vec<String> {
    let mut faults = Vec::new();
    let mut open = BTreeSet::new();
    for (chunk, state) in chunks.states.iter().enumerate() {
        let trees = &state.trees;
        if !trees.replies.is_empty() {
            faults.push(format!("{} answers that nobody heard", trees.replies.len()));
        }
        let requests = trees.letters.requests.iter().map(|one| (one.agent, one.tree, one.node));
        let questions = trees.questions.iter().map(|one| (one.agent, one.tree, one.node));
        for key in requests.chain(questions) {
            let (agent, ..) = key;
            if agent.index() >= persons || agent.index() / chunks.len != chunk {
                faults.push(format!("chunk {chunk} asks for agent {agent}"));
            }
            if !open.insert(key) {
                faults.push(format!("asked twice at once: {key:?}"));
            }
        }
    }
    faults
}
