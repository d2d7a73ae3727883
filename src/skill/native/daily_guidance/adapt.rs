//! How a Story is revised in the hot path: pure functions on its segments.
//!
//! Both keep what makes a Story valid: segments touch, each ends after it starts, ids are unique,
//! the day ends where it ended.

use crate::agent::activity::Activity;
use crate::agent::plan::{LocationPolicy, Origin, Segment, Story};

/// Shortest stay that a late person makes, in minutes.
pub const STAY_MIN: u16 = 5;

/// Moves the segment `id` to the minute of arrival and pushes what follows, if the arrival is
/// `late_min` or more after its planned start.
///
/// Pushed stays shrink to [`STAY_MIN`] if they must; journeys keep their length. What is pushed
/// out of the day is dropped, and the last segment then ends the day. Gives whether anything
/// changed.
pub fn shift_late(segments: &mut Vec<Segment>, id: u8, arrived_min: u16, late_min: u16) -> bool {
    let at = segments.iter().position(|segment| segment.id == id);
    // Nobody arrives for the first segment of a day.
    let Some(at) = at.filter(|at| *at > 0) else { return false };
    let planned = segments[at].start_min;
    if arrived_min < planned.saturating_add(late_min.max(1)) {
        return false;
    }
    let day_end = segments.last().map_or(0, |segment| segment.end_min);
    if arrived_min.saturating_add(STAY_MIN) > day_end {
        return false;
    }
    segments[at - 1].end_min = arrived_min;
    let mut from = arrived_min;
    for segment in &mut segments[at..] {
        let length = segment.end_min - segment.start_min;
        let travel = segment.policy == LocationPolicy::Transit;
        let least = if travel { length } else { length.min(STAY_MIN) };
        if segment.start_min == from {
            break;
        }
        segment.start_min = from;
        segment.origin = Origin::Late;
        segment.end_min = segment.end_min.max(from + least);
        from = segment.end_min;
    }
    close_day(segments, day_end);
    true
}

/// Cuts the Story at `day_end` and lets its last segment end there.
fn close_day(segments: &mut Vec<Segment>, day_end: u16) {
    segments.retain(|segment| segment.start_min < day_end);
    if let Some(last) = segments.last_mut() {
        last.end_min = day_end;
    }
}

/// Puts `minutes` of `activity` where the person is into the segment at `cursor`, from minute
/// `now` on; the rest of that segment follows. Gives whether it was done: not on a journey, not in
/// the same activity or in sleep, and not if the Story would grow too long.
pub fn insert_here(
    segments: &mut Vec<Segment>,
    cursor: usize,
    now: u16,
    activity: Activity,
    minutes: u16,
) -> bool {
    let Some(current) = segments.get(cursor).copied() else { return false };
    let busy = matches!(current.activity, Activity::Sleep | Activity::Eat | Activity::Meal)
        || current.activity == activity
        || current.policy == LocationPolicy::Transit;
    if busy
        || now < current.start_min
        || now >= current.end_min
        || segments.len() + 2 > Story::SEGMENTS_MAX
    {
        return false;
    }
    let until = (now + minutes).min(current.end_min);
    let next_id = segments.iter().map(|segment| segment.id).max().unwrap_or(0).saturating_add(1);
    if next_id >= Segment::TREE_FIRST {
        return false;
    }
    let mut inserted = Segment::of(activity, LocationPolicy::Here, now, until);
    inserted.id = next_id;
    inserted.origin = Origin::Need;
    let mut parts = Vec::with_capacity(3);
    if now > current.start_min {
        parts.push(Segment { end_min: now, ..current });
    }
    parts.push(inserted);
    if until < current.end_min && next_id + 1 < Segment::TREE_FIRST {
        let fixed = matches!(
            current.policy,
            LocationPolicy::Home | LocationPolicy::Work | LocationPolicy::School
        );
        // Going on with a stay at a chosen place must not choose another place.
        let policy = if fixed { current.policy } else { LocationPolicy::Here };
        parts.push(Segment { start_min: until, id: next_id + 1, policy, ..current });
    } else if let Some(inserted) = parts.last_mut() {
        inserted.end_min = current.end_min;
    }
    segments.splice(cursor..=cursor, parts);
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn day() -> Vec<Segment> {
        use Activity::{Eat, Home, Shop, Sleep, Travel, Work};
        use LocationPolicy as P;
        let parts = [
            (Sleep, P::Home, 0, 420),
            (Home, P::Home, 420, 480),
            (Travel, P::Transit, 480, 510),
            (Work, P::Work, 510, 1020),
            (Travel, P::Transit, 1020, 1040),
            (Shop, P::City, 1040, 1070),
            (Travel, P::Transit, 1070, 1090),
            (Eat, P::City, 1090, 1150),
            (Travel, P::Transit, 1150, 1170),
            (Sleep, P::Home, 1170, 1440),
        ];
        let make = |(id, (activity, policy, start, end))| Segment {
            id,
            ..Segment::of(activity, policy, start, end)
        };
        (0_u8..).zip(parts).map(make).collect()
    }

    fn assert_valid(segments: &[Segment]) {
        assert_eq!(segments.first().unwrap().start_min, 0);
        assert_eq!(segments.last().unwrap().end_min, 1440);
        for pair in segments.windows(2) {
            assert_eq!(pair[0].end_min, pair[1].start_min, "{segments:#?}");
        }
        let mut ids: Vec<u8> = segments.iter().map(|s| s.id).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), segments.len());
        assert!(segments.iter().all(|s| s.start_min < s.end_min), "{segments:#?}");
    }

    #[test]
    fn a_late_arrival_pushes_what_follows() {
        let mut segments = day();
        assert!(!shift_late(&mut segments, 5, 1050, 15));
        assert!(shift_late(&mut segments, 5, 1100, 15));
        assert_valid(&segments);
        // The shop's thirty minutes are over; it is left after five.
        assert_eq!((segments[5].start_min, segments[5].end_min), (1100, 1105));
        assert_eq!((segments[6].start_min, segments[6].end_min), (1105, 1125));
        assert_eq!((segments[7].start_min, segments[7].end_min), (1125, 1150));
    }

    #[test]
    fn a_meal_splits_work_in_three() {
        let mut segments = day();
        assert!(insert_here(&mut segments, 3, 720, Activity::Meal, 30));
        assert_valid(&segments);
        assert_eq!(segments.len(), 12);
        assert_eq!(segments[4].policy, LocationPolicy::Here);
        assert_eq!(segments[5].policy, LocationPolicy::Work);
        assert!(!insert_here(&mut segments, 4, 730, Activity::Meal, 30));
    }

    proptest! {
        #[test]
        fn any_revision_leaves_a_valid_story(
            steps in proptest::collection::vec((0_u8..14, 0_u16..1440, any::<bool>()), 1..12),
        ) {
            let mut segments = day();
            for (which, minute, late) in steps {
                if late {
                    shift_late(&mut segments, which, minute, 15);
                } else {
                    let cursor = segments.iter().position(|s| minute < s.end_min).unwrap();
                    insert_here(&mut segments, cursor, minute, Activity::Meal, 30);
                }
                assert_valid(&segments);
            }
        }
    }
}
