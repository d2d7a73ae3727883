use super::*;
use jiff::civil::date;
use proptest::prelude::*;

fn person() -> PersonContext<'static> {
    PersonContext {
        agent: AgentId(7),
        name: "Lin",
        role: Role::PartTimeWorker,
        age: Some(41),
        household_size: Some(3),
    }
}

/// Segments that tile a day, of any kind, with any distinct ids.
fn any_day() -> impl Strategy<Value = Vec<Segment>> {
    let kind = (
        0..Activity::ALL.len(),
        0..LocationPolicy::ALL.len(),
        0..MaslowNeed::ALL.len(),
        0..Binding::ALL.len(),
        0..Origin::ALL.len(),
    );
    let cuts = proptest::collection::btree_set(1..DAY_MIN, 0..63);
    (cuts, proptest::collection::vec(kind, 64), any::<u8>()).prop_map(|(cuts, kinds, offset)| {
        let starts: Vec<u16> = std::iter::once(0).chain(cuts).collect();
        let ends = starts[1..].iter().copied().chain([DAY_MIN]);
        let times = starts.iter().zip(ends).zip(kinds).enumerate();
        times
            .map(|(index, ((start, end), (activity, policy, need, binding, origin)))| Segment {
                // 37 has no factor in common with 256: distinct ids in no order.
                id: (index as u8).wrapping_mul(37).wrapping_add(offset),
                start_min: *start,
                end_min: end,
                activity: Activity::ALL[activity],
                policy: LocationPolicy::ALL[policy],
                need: MaslowNeed::ALL[need],
                binding: Binding::ALL[binding],
                origin: Origin::ALL[origin],
            })
            .collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Own contract: a hot Story survives its document, which every reader may check.
    #[test]
    fn any_hot_story_survives_its_document(
        segments in any_day(),
        minute in proptest::option::of(0..DAY_MIN),
        name in ".{0,16}",
    ) {
        let person = PersonContext { name: &name, ..person() };
        let time = date(2026, 3, 2).at(9, 0, 0, 0);
        let revisions = [Revision { time, reason: "late: 20 min" }];
        let text = render(&person, date(2026, 3, 2), minute, &segments, &revisions);
        let story = yaml::read(&text).unwrap();
        prop_assert_eq!(validate_story(&story, "story.yaml").errors, []);
        prop_assert_eq!(parse(&text).unwrap(), segments);
    }
}

fn worker() -> Vec<Segment> {
    use LocationPolicy as P;
    let parts = [
        (Activity::Sleep, P::Home, 0, 420),
        (Activity::Home, P::Home, 420, 480),
        (Activity::Travel, P::Transit, 480, 540),
        (Activity::Work, P::Work, 540, 720),
        (Activity::Work, P::Work, 720, 1_080),
        (Activity::Work, P::Work, 1_080, 1_090),
        (Activity::Work, P::Work, 1_090, 1_100),
        (Activity::Travel, P::Transit, 1_100, 1_140),
        (Activity::Sleep, P::Home, 1_140, 1_500),
    ];
    let make = |(id, (activity, policy, start, end))| Segment {
        id,
        ..Segment::of(activity, policy, start, end)
    };
    (0..).zip(parts).map(make).collect()
}

#[test]
fn ids_say_what_and_when_and_are_unique() {
    let ids = segment_ids(&worker());
    let expected = [
        "sleep_night",
        "morning_home",
        "commute_to_work",
        "work_morning",
        "work_afternoon",
        "work_evening",
        "work_evening_2",
        "commute_home",
        "sleep_late",
    ];
    assert_eq!(ids, expected);
}

/// The clock's minute decides what is current and completed; the day ends at 24:00.
#[test]
fn a_rendered_day_follows_the_clock() {
    let text = render(&person(), date(2026, 3, 2), Some(540), &worker(), &[]);
    let story = yaml::read(&text).unwrap();
    assert_eq!(story["story_id"], "agent_0007:2026-03-02");
    assert_eq!(story["execution"]["current_segment_id"], "work_morning");
    let done = json!(["sleep_night", "morning_home", "commute_to_work"]);
    assert_eq!(story["execution"]["completed_segments"], done);
    assert_eq!(story["segments"][8]["end"], "24:00");
}

/// Contract: AgentSociety's event types are read as they are, what is unknown becomes other.
#[test]
fn free_words_are_read() {
    for (word, activity) in [
        ("sleep", Activity::Sleep),
        ("home activity", Activity::Home),
        ("work", Activity::Work),
        ("shopping", Activity::Shop),
        ("eating out", Activity::Eat),
        ("leisure and entertainment", Activity::Leisure),
        ("other", Activity::Other),
        ("meal", Activity::Meal),
        ("commute", Activity::Travel),
        ("Eating_Out", Activity::Eat),
        ("watching paint dry", Activity::Other),
    ] {
        assert_eq!(read_activity(word), activity, "{word}");
    }
}

#[test]
fn a_wrong_document_is_refused_field_by_field() {
    let text = render(&person(), date(2026, 3, 2), None, &worker(), &[]);
    let broken = text.replace("'09:00'", "540");
    let fields: Vec<String> = parse(&broken).unwrap_err().into_iter().map(|e| e.field).collect();
    assert_eq!(fields, ["story.yaml.segments[2].end", "story.yaml.segments[3].start"]);
    assert_eq!(parse("a: [").unwrap_err()[0].field, "story.yaml");
    let elsewhere = text.replace("work_aoi", "moon").replace("safety.income_stability", "glory");
    let segments = parse(&elsewhere).unwrap();
    assert_eq!(segments[3].policy, LocationPolicy::City);
    assert_eq!(segments[3].need, MaslowNeed::Income);
}
