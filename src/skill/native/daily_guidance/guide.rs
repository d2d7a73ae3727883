//! daily-guidance in the hot path: form the day's Story, follow it by the clock, revise it.

use std::sync::Arc;

use super::adapt;
use crate::agent::activity::Activity;
use crate::agent::hook::{HookAction, HookOutcome, HookType};
use crate::agent::message::{Message, MessageKind};
use crate::agent::needs::Need;
use crate::agent::person::Person;
use crate::agent::plan::{Segment, Story};
use crate::base::ids::AgentId;
use crate::base::rng::{Purpose, Stream};
use crate::base::time::MINUTE_S;
use crate::skill::hook::HookChunk;
use crate::skill::native::NativeSkill;

/// Company that one chat brings to its reader, in [0, 1] (own choice: a tenth of a full evening).
const CHAT_COMFORT: f32 = 0.1;

/// The day that a Story is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoryDay {
    /// Calendar day since the start of the run.
    pub index: u16,
    /// Whether it is a Saturday or a Sunday.
    pub weekend: bool,
}

/// Where a person's Story for a day comes from.
pub trait StorySource: Send + Sync {
    /// Fills `out` with segments that tile the calendar day from minute 0 to 1440, ids 0, 1, 2 …
    ///
    /// Depends on the arguments only.
    fn draw(
        &self,
        agent: AgentId,
        person: &Person,
        day: StoryDay,
        stream: &mut Stream,
        out: &mut Vec<Segment>,
    );

    /// Name for the manifest: `profile` or `diary`.
    fn name(&self) -> &'static str;
}

/// When a Story is revised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RevisionRules {
    /// Revise when a need is at its threshold.
    pub on_need: bool,
    /// Revise when the person arrives late.
    pub on_late: bool,
    /// Minutes after the planned start from which an arrival is late.
    pub late_min: u16,
    /// Most revisions a day.
    pub per_day_max: u8,
}

impl Default for RevisionRules {
    fn default() -> Self {
        Self { on_need: true, on_late: true, late_min: 15, per_day_max: 8 }
    }
}

/// The skill.
pub struct DailyGuidance {
    source: Arc<dyn StorySource>,
    rules: RevisionRules,
}

impl DailyGuidance {
    /// daily-guidance with Stories from `source`, revised by `rules`.
    pub fn new(source: Arc<dyn StorySource>, rules: RevisionRules) -> Self {
        Self { source, rules }
    }

    /// Forms the Story of the day.
    fn create(&self, chunk: &mut HookChunk<'_>, index: usize, draft: &mut Vec<Segment>) {
        let context = chunk.context;
        // Keyed by the day and not by its first tick, so that the Story does not change with the
        // length of a tick.
        let tick = crate::base::time::Tick(u32::from(context.day));
        let agent = chunk.ids[index];
        let mut stream = Stream::new(context.seed, agent, tick, Purpose::Story);
        draft.clear();
        let person = &chunk.persons[index];
        let day = StoryDay { index: context.day, weekend: context.weekend };
        self.source.draw(agent, person, day, &mut stream, draft);
        let story = &mut chunk.stories[index];
        chunk.pool.replace(story, draft);
        story.day = context.day;
        story.revision = 0;
        story.current = 0;
        story.until_min = draft.first().map_or(0, |segment| segment.end_min);
    }

    /// Revises the Story if the person is late or a need asks for it; gives what was done.
    fn revise(
        &self,
        chunk: &mut HookChunk<'_>,
        index: usize,
        draft: &mut Vec<Segment>,
    ) -> Option<HookAction> {
        let story = chunk.stories[index];
        if story.revision >= self.rules.per_day_max {
            return None;
        }
        let perception = chunk.perceptions[index];
        if self.rules.on_late && perception.arrived {
            let second = chunk.context.clock.second_of_day(perception.since);
            let arrived_min = (second / MINUTE_S) as u16;
            draft.clear();
            draft.extend_from_slice(chunk.pool.of(&story));
            if adapt::shift_late(draft, perception.segment, arrived_min, self.rules.late_min) {
                return Some(commit(chunk, index, draft, HookAction::RevisedLate));
            }
        }
        if !self.rules.on_need || !perception.place.is_some() {
            return None;
        }
        let need = chunk.need_rates.urgent(&chunk.needs[index])?;
        let at_home = perception.place == chunk.persons[index].home;
        let remedy = match need {
            Need::Hunger => (Activity::Meal, 30),
            Need::Energy if at_home => (Activity::Sleep, 60),
            Need::Social if at_home => (Activity::Social, 30),
            Need::Energy | Need::Social | Need::Safety => return None,
        };
        draft.clear();
        draft.extend_from_slice(chunk.pool.of(&story));
        let cursor = usize::from(story.current);
        if !adapt::insert_here(draft, cursor, chunk.context.minute, remedy.0, remedy.1) {
            return None;
        }
        let action = commit(chunk, index, draft, HookAction::RevisedNeed);
        if need == Need::Social && contact(chunk, index) {
            return Some(HookAction::Contacted);
        }
        Some(action)
    }

    fn step_one(&self, chunk: &mut HookChunk<'_>, index: usize, draft: &mut Vec<Segment>) {
        let perception = chunk.perceptions[index];
        if perception.message_count > 0 {
            let level = &mut chunk.needs[index].0[Need::Social as usize];
            let comfort = CHAT_COMFORT * f32::from(perception.message_count);
            *level = (*level + comfort).min(1.0);
        }
        let mut action = HookAction::Follow;
        if chunk.stories[index].day != chunk.context.day {
            self.create(chunk, index, draft);
            action = HookAction::Created;
        }
        // A traveller's Story waits at the segment travelled to: it is moved on arrival.
        let bound_for = (!perception.place.is_some() && self.rules.on_late)
            .then_some(perception.segment)
            .filter(|_| action == HookAction::Follow);
        if let Some(revised) = self.revise(chunk, index, draft) {
            action = revised;
        }
        if advance_cursor(chunk, index, bound_for) && action == HookAction::Follow {
            action = HookAction::NextSegment;
        }
        let story = &chunk.stories[index];
        let in_segment = story.current < story.len;
        let segment = if in_segment { story.current } else { u8::MAX };
        chunk.outcomes[index] = HookOutcome { action, segment };
    }
}

impl NativeSkill for DailyGuidance {
    fn hooks(&self) -> &'static [HookType] {
        &[HookType::PreStep]
    }

    fn pre_step(&self, chunk: &mut HookChunk<'_>) {
        let mut draft = Vec::new();
        for index in 0..chunk.len() {
            if !chunk.is_active(index) {
                continue;
            }
            if is_quiet(chunk, index) {
                let segment = chunk.stories[index].current;
                chunk.outcomes[index] = HookOutcome { action: HookAction::Follow, segment };
            } else {
                self.step_one(chunk, index, &mut draft);
            }
        }
        chunk.pool.compact(chunk.stories);
    }
}

/// Whether nothing can change for the person in this tick: same day, same segment, no arrival, no
/// message, no urgent need. The test most persons take in most ticks.
#[inline]
fn is_quiet(chunk: &HookChunk<'_>, index: usize) -> bool {
    let story = &chunk.stories[index];
    let perception = &chunk.perceptions[index];
    story.day == chunk.context.day
        && chunk.context.minute < story.until_min
        && !perception.arrived
        && perception.message_count == 0
        && chunk.need_rates.urgent(&chunk.needs[index]).is_none()
}

/// Moves the cursor to the segment that holds the clock's minute, but not past the one that the
/// traveller is bound for. Gives whether it moved.
fn advance_cursor(chunk: &mut HookChunk<'_>, index: usize, bound_for: Option<u8>) -> bool {
    let story = &mut chunk.stories[index];
    follow(story, chunk.pool.of(story), chunk.context.minute, bound_for)
}

/// Moves the cursor of a Story with these segments to the one that holds the minute, but not past
/// `bound_for`. Gives whether it moved.
pub fn follow(story: &mut Story, segments: &[Segment], minute: u16, bound_for: Option<u8>) -> bool {
    let before = story.current;
    while let Some(segment) = segments.get(usize::from(story.current)) {
        if minute < segment.end_min || bound_for == Some(segment.id) {
            break;
        }
        story.current += 1;
    }
    let current = segments.get(usize::from(story.current));
    story.until_min = current.map_or(u16::MAX, |segment| segment.end_min);
    story.current != before
}

/// Puts a revised Story in place.
fn commit(
    chunk: &mut HookChunk<'_>,
    index: usize,
    draft: &[Segment],
    action: HookAction,
) -> HookAction {
    let story = &mut chunk.stories[index];
    chunk.pool.replace(story, draft);
    story.revision += 1;
    action
}

/// Writes to somebody of the household, or to a neighbour by number if the person lives alone.
/// Gives whether a message was sent.
fn contact(chunk: &mut HookChunk<'_>, index: usize) -> bool {
    let person = &chunk.persons[index];
    let from = chunk.ids[index];
    let size = u32::from(person.household_size);
    if size < 2 {
        return false;
    }
    let mut stream = chunk.context.stream(from, Purpose::Social);
    let other = person.household_first + stream.below(size - 1);
    let to = AgentId(if other >= from.0 { other + 1 } else { other });
    chunk.outbox.push(Message { to, from, seq: 0, kind: MessageKind::Chat });
    true
}
