//! A Story in the hot path: ten bytes a segment, one pool of segments per chunk of agents.
//!
//! The full document (`story.yaml`: ids, Maslow and TPB reasons, execution and change log) is
//! rendered from these columns only when somebody asks for it; see `skill::native`.

use bevy_ecs::component::Component;
use serde::{Deserialize, Serialize};

use super::activity::{Activity, words};
use crate::base::time::MINUTE_S;

words! {
    /// Where a segment takes place, in the words of daily-guidance's `location_policy`.
    LocationPolicy {
        /// At home.
        Home = "home_aoi",
        /// At the workplace.
        Work = "work_aoi",
        /// At school or university (populace's own word; the released validator accepts any).
        School = "school_aoi",
        /// Somewhere near home.
        NearHome = "near_home_aoi",
        /// Somewhere near work or school.
        NearWork = "near_work_aoi",
        /// Under way.
        Transit = "transit",
        /// Anywhere in town.
        City = "city",
        /// Wherever the person is.
        Here = "here",
    }
}

words! {
    /// Maslow need served by a segment, in daily-guidance's words.
    MaslowNeed {
        /// Food.
        Food = "physiological.food",
        /// Sleep and rest.
        Rest = "physiological.rest",
        /// Home.
        Shelter = "safety.home_shelter",
        /// Income.
        Income = "safety.income_stability",
        /// Company.
        Connection = "belonging.social_connection",
        /// Duty towards others.
        Role = "esteem.role_obligation",
        /// Ability.
        Competence = "esteem.competence",
        /// Growth.
        Growth = "self_actualization.growth",
        /// Recreation.
        Recreation = "recovery.leisure",
    }
}

words! {
    /// How binding a segment is (Maslow's `required`).
    Binding {
        /// Must happen.
        Required = "required",
        /// Should happen.
        Soft = "soft_required",
        /// May be dropped.
        Optional = "optional",
    }
}

words! {
    /// Why a segment stands in the Story.
    Origin {
        /// Planned when the day began.
        Planned = "planned",
        /// Put in because a need was at its threshold.
        Need = "need",
        /// Moved or cut because the person was late.
        Late = "late",
        /// Put in by a command, a message or an intervention.
        Asked = "asked",
        /// Decided by a behaviour tree.
        Tree = "tree",
    }
}

/// One segment of a Story; 10 bytes. Times are minutes after the midnight of the Story's day;
/// a Story may run past 24:00 (1440) when the simulated day starts later than midnight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Segment {
    /// Names the segment within its Story; stays the same when the Story is revised around it.
    pub id: u8,
    /// Planned start.
    pub start_min: u16,
    /// Planned end, after the start; the next segment starts here.
    pub end_min: u16,
    /// What to do.
    pub activity: Activity,
    /// Where.
    pub policy: LocationPolicy,
    /// Maslow need served.
    pub need: MaslowNeed,
    /// How binding.
    pub binding: Binding,
    /// Why it is there.
    pub origin: Origin,
}

const _: () = assert!(size_of::<Segment>() == 10);

impl Segment {
    /// Ids from here on are no segments of a Story: they tell apart what behaviour trees want.
    pub const TREE_FIRST: u8 = 192;

    /// Planned length in seconds.
    #[inline]
    pub fn duration_s(&self) -> u32 {
        u32::from(self.end_min.saturating_sub(self.start_min)) * MINUTE_S
    }

    /// A segment with the need and binding that go with `activity` by default.
    pub fn of(activity: Activity, policy: LocationPolicy, start_min: u16, end_min: u16) -> Self {
        let (need, binding) = default_reason(activity);
        Self { id: 0, start_min, end_min, activity, policy, need, binding, origin: Origin::Planned }
    }
}

/// Default Maslow need and binding of an activity (own choice, after daily-guidance's examples).
pub const fn default_reason(activity: Activity) -> (MaslowNeed, Binding) {
    match activity {
        Activity::Sleep => (MaslowNeed::Rest, Binding::Required),
        Activity::Home => (MaslowNeed::Recreation, Binding::Soft),
        Activity::Work => (MaslowNeed::Income, Binding::Required),
        Activity::School => (MaslowNeed::Competence, Binding::Required),
        Activity::Shop => (MaslowNeed::Food, Binding::Soft),
        Activity::Eat => (MaslowNeed::Food, Binding::Soft),
        Activity::Meal => (MaslowNeed::Food, Binding::Required),
        Activity::Leisure => (MaslowNeed::Recreation, Binding::Optional),
        Activity::Social => (MaslowNeed::Connection, Binding::Optional),
        Activity::Escort => (MaslowNeed::Role, Binding::Required),
        Activity::Other => (MaslowNeed::Role, Binding::Soft),
        Activity::Travel => (MaslowNeed::Role, Binding::Required),
    }
}

/// A person's current Story: where its segments lie in the chunk's [`StoryPool`], and the cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Component, Serialize, Deserialize)]
pub struct Story {
    /// First segment's position in the pool.
    pub head: u32,
    /// Number of segments; 0 before the first Story is formed.
    pub len: u8,
    /// Index of the segment that the clock is in.
    pub current: u8,
    /// Revisions made today.
    pub revision: u8,
    /// Calendar day since the start that this Story is for.
    pub day: u16,
    /// Minute after midnight at which the current segment ends (kept here so that a person whose
    /// segment goes on costs one comparison a tick).
    pub until_min: u16,
}

impl Story {
    /// No Story yet.
    pub const EMPTY: Self =
        Self { head: 0, len: 0, current: 0, revision: 0, day: u16::MAX, until_min: 0 };
    /// Longest Story; a longer plan is cut when it is formed.
    pub const SEGMENTS_MAX: usize = 64;
}

/// The segments of one chunk of agents.
///
/// A Story that is formed or revised is appended; the pool is compacted when the waste exceeds the
/// live part, so its size stays below twice the live segments plus one chunk's growth.
#[derive(Debug, Clone, Default)]
pub struct StoryPool {
    segments: Vec<Segment>,
    live_count: usize,
}

impl StoryPool {
    /// The segments of `story`.
    #[inline]
    pub fn of(&self, story: &Story) -> &[Segment] {
        let head = story.head as usize;
        &self.segments[head..head + usize::from(story.len)]
    }

    /// Replaces the segments of `story`; the cursor, day and revision are the caller's to set.
    /// Segments past [`Story::SEGMENTS_MAX`] are cut.
    pub fn replace(&mut self, story: &mut Story, segments: &[Segment]) {
        let kept = &segments[..segments.len().min(Story::SEGMENTS_MAX)];
        let room = usize::from(story.len);
        self.live_count = self.live_count - room + kept.len();
        if kept.len() <= room {
            let head = story.head as usize;
            self.segments[head..head + kept.len()].copy_from_slice(kept);
        } else {
            story.head = u32::try_from(self.segments.len()).expect("a chunk's pool is small");
            self.segments.extend_from_slice(kept);
        }
        story.len = kept.len() as u8;
    }

    /// Drops the gaps left by replaced Stories if they outweigh the live segments. `stories` are
    /// all the Stories that live in this pool.
    pub fn compact(&mut self, stories: &mut [Story]) {
        if self.segments.len() <= 2 * self.live_count + 64 {
            return;
        }
        let mut packed = Vec::with_capacity(self.live_count);
        for story in stories {
            let head = packed.len() as u32;
            packed.extend_from_slice(self.of(story));
            story.head = head;
        }
        self.segments = packed;
    }

    /// Bytes held.
    pub fn capacity_bytes(&self) -> usize {
        self.segments.capacity() * size_of::<Segment>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pool_keeps_every_story_through_replacement_and_compaction() {
        let mut pool = StoryPool::default();
        let mut stories = vec![Story::EMPTY; 50];
        let plan = |n: u16| -> Vec<Segment> {
            (0..n)
                .map(|i| Segment::of(Activity::Home, LocationPolicy::Home, i * 10, i * 10 + 10))
                .collect()
        };
        for round in 1..40_u16 {
            for (index, story) in stories.iter_mut().enumerate() {
                pool.replace(story, &plan((index as u16 * round) % 17 + 1));
            }
            pool.compact(&mut stories);
            for (index, story) in stories.iter().enumerate() {
                assert_eq!(pool.of(story), plan((index as u16 * round) % 17 + 1));
            }
        }
        assert!(pool.segments.len() < 4 * 50 * 17);
    }
}
