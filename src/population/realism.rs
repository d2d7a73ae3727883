//! How much a simulated day resembles an observed one.
//!
//! A day is boiled down to a [`DayProfile`]: the share of persons in each of eight [`Doing`]s in
//! each hour, trips per person, the share who stay at home all day and when work starts. Two
//! profiles are compared by Jensen-Shannon divergence and by differences ([`Realism`]).
//!
//! What is measured is what happened (stays and trips), never a plan. An observed diary knows when
//! trips began and not how long they took; the reference gives each of them [`REFERENCE_TRIP_MIN`].

use crate::agent::activity::Activity;
use crate::agent::plan::{LocationPolicy, Segment};
use crate::base::time::{DAY_S, HOUR_S, MINUTE_S};

/// Minutes that a trip of the reference takes from door to door.
///
/// Persons in the United States travel 68 to 74 minutes a day (American Time Use Survey, 2003 to
/// 2013) on 3.4 trips a day (National Household Travel Survey 2017): 20 to 22 minutes a trip.
pub const REFERENCE_TRIP_MIN: u16 = 20;

/// Hours of the day.
pub const HOURS: usize = 24;

/// The eight ways to spend time that are told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Doing {
    /// At home, asleep or awake.
    Home,
    /// Work.
    Work,
    /// School or university.
    School,
    /// Shopping.
    Shop,
    /// Eating out.
    Eat,
    /// Leisure and social activities.
    Leisure,
    /// Escorting and other errands.
    Errand,
    /// Travel.
    Travel,
}

impl Doing {
    /// Number of values.
    pub const COUNT: usize = 8;

    /// The class of an activity. A meal counts as home: outside, it is [`Activity::Eat`].
    pub const fn of(activity: Activity) -> Self {
        match activity {
            Activity::Sleep | Activity::Home | Activity::Meal => Self::Home,
            Activity::Work => Self::Work,
            Activity::School => Self::School,
            Activity::Shop => Self::Shop,
            Activity::Eat => Self::Eat,
            Activity::Leisure | Activity::Social => Self::Leisure,
            Activity::Escort | Activity::Other => Self::Errand,
            Activity::Travel => Self::Travel,
        }
    }
}

/// A stay (its purpose) or a trip ([`Activity::Travel`]) of one person on one day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spell {
    /// Purpose of the stay; [`Activity::Travel`] for a trip.
    pub activity: Activity,
    /// Begin in seconds after midnight.
    pub start_s: u32,
    /// End in seconds after midnight; what lies past 24:00 is not counted.
    pub end_s: u32,
}

/// The spells of a Story that is carried out as planned. Appends to `out`.
pub fn planned_spells(segments: &[Segment], out: &mut Vec<Spell>) {
    out.extend(segments.iter().map(|segment| {
        let travels = segment.policy == LocationPolicy::Transit;
        Spell {
            activity: if travels { Activity::Travel } else { segment.activity },
            start_s: u32::from(segment.start_min) * MINUTE_S,
            end_s: u32::from(segment.end_min) * MINUTE_S,
        }
    }));
}

/// Sums over persons, from which a [`DayProfile`] is made. Whole seconds and counts, so the order
/// in which persons are added does not matter.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DayTally {
    seconds: [[u64; Doing::COUNT]; HOURS],
    person_count: u64,
    trip_count: u64,
    home_all_day_count: u64,
    work_starts: [u64; HOURS],
}

impl DayTally {
    /// Adds one person's day: stays and trips in order of time.
    ///
    /// Work starts when the first stay at work begins that a trip led to. A person without a trip
    /// is at home all day.
    pub fn add_person(&mut self, spells: &[Spell]) {
        self.person_count += 1;
        let mut trips = 0;
        let mut work_start = None;
        let mut arrived = false;
        for spell in spells {
            self.add_time(spell);
            let travels = spell.activity == Activity::Travel;
            trips += u64::from(travels && spell.start_s < DAY_S);
            if spell.activity == Activity::Work && arrived && spell.start_s < DAY_S {
                work_start = work_start.or(Some(spell.start_s / HOUR_S));
            }
            arrived = travels;
        }
        self.trip_count += trips;
        self.home_all_day_count += u64::from(trips == 0);
        if let Some(hour) = work_start {
            self.work_starts[hour as usize] += 1;
        }
    }

    fn add_time(&mut self, spell: &Spell) {
        let end_s = spell.end_s.min(DAY_S);
        let mut from_s = spell.start_s;
        while from_s < end_s {
            let hour = from_s / HOUR_S;
            let to_s = end_s.min((hour + 1) * HOUR_S);
            let doing = Doing::of(spell.activity) as usize;
            self.seconds[hour as usize][doing] += u64::from(to_s - from_s);
            from_s = to_s;
        }
    }

    /// The profile of the persons added.
    pub fn profile(&self) -> DayProfile {
        let persons = self.person_count.max(1) as f64;
        DayProfile {
            shares: self.seconds.map(|hour| normalised(&hour)),
            trips_per_person: self.trip_count as f64 / persons,
            home_all_day_share: self.home_all_day_count as f64 / persons,
            work_starts: normalised(&self.work_starts),
        }
    }
}

/// Counts as shares that add up to 1; all 0 if there is nothing to share.
fn normalised<const N: usize>(counts: &[u64; N]) -> [f64; N] {
    let total = counts.iter().sum::<u64>().max(1) as f64;
    counts.map(|count| count as f64 / total)
}

/// What a day looks like in numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct DayProfile {
    /// `shares[hour][doing]`: share of person-time, each hour adds up to 1.
    pub shares: [[f64; Doing::COUNT]; HOURS],
    /// Trips per person and day, persons without trips included.
    pub trips_per_person: f64,
    /// Share of persons who make no trip.
    pub home_all_day_share: f64,
    /// Distribution of the hour at which work starts.
    pub work_starts: [f64; HOURS],
}

/// How one day profile differs from another.
#[derive(Debug, Clone, PartialEq)]
pub struct Realism {
    /// Jensen-Shannon divergence of the shares in each hour, in bits.
    pub jsd_by_hour: [f64; HOURS],
    /// Its mean over the hours.
    pub jsd_mean: f64,
    /// Trips per person of the judged day over those of the reference, minus 1.
    pub trips_relative: f64,
    /// Share at home all day of the judged day minus that of the reference.
    pub home_all_day_difference: f64,
    /// Jensen-Shannon divergence of the hours at which work starts, in bits.
    pub work_start_jsd: f64,
}

impl Realism {
    /// Compares `judged` with `reference`.
    pub fn of(judged: &DayProfile, reference: &DayProfile) -> Self {
        let jsd_by_hour: [f64; HOURS] = std::array::from_fn(|hour| {
            jensen_shannon(&judged.shares[hour], &reference.shares[hour])
        });
        let trips = reference.trips_per_person;
        Self {
            jsd_mean: jsd_by_hour.iter().sum::<f64>() / HOURS as f64,
            jsd_by_hour,
            trips_relative: if trips > 0.0 { judged.trips_per_person / trips - 1.0 } else { 0.0 },
            home_all_day_difference: judged.home_all_day_share - reference.home_all_day_share,
            work_start_jsd: jensen_shannon(&judged.work_starts, &reference.work_starts),
        }
    }
}

impl std::fmt::Display for Realism {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "activity JSD {:.4}, trips {:+.1} %, home all day {:+.1} points, work start JSD {:.4}",
            self.jsd_mean,
            100.0 * self.trips_relative,
            100.0 * self.home_all_day_difference,
            self.work_start_jsd
        )
    }
}

/// Jensen-Shannon divergence of two distributions, in bits: 0 for equal ones, 1 for disjoint ones.
///
/// Half the sum of the Kullback-Leibler divergences of `p` and `q` from their mean (Lin,
/// "Divergence measures based on the Shannon entropy", IEEE Trans. Inf. Theory 37, 1991).
///
/// # Panics
/// If the lengths differ (a bug in the caller).
pub fn jensen_shannon(p: &[f64], q: &[f64]) -> f64 {
    assert_eq!(p.len(), q.len(), "distributions over different sets");
    let term = |a: f64, b: f64| if a > 0.0 { a * (2.0 * a / (a + b)).log2() } else { 0.0 };
    let sum: f64 = p.iter().zip(q).map(|(a, b)| term(*a, *b) + term(*b, *a)).sum();
    (0.5 * sum).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: equal 0; disjoint 1; (1, 0) against (1/2, 1/2) has the mean (3/4, 1/4), so
    /// [log2(4/3) + (log2(2/3) + log2(2)) / 2] / 2 = 0.311278.
    #[test]
    fn divergence_has_the_values_worked_out_by_hand() {
        assert_eq!(jensen_shannon(&[0.3, 0.7], &[0.3, 0.7]), 0.0);
        assert!((jensen_shannon(&[1.0, 0.0], &[0.0, 1.0]) - 1.0).abs() < 1e-12);
        let half = jensen_shannon(&[1.0, 0.0], &[0.5, 0.5]);
        assert!((half - 0.311_278_124_459_133).abs() < 1e-12, "{half}");
        assert_eq!(half, jensen_shannon(&[0.5, 0.5], &[1.0, 0.0]));
    }

    fn spell(activity: Activity, start_min: u32, end_min: u32) -> Spell {
        Spell { activity, start_s: start_min * 60, end_s: end_min * 60 }
    }

    fn worker() -> Vec<Spell> {
        use Activity::{Eat, Home, Sleep, Travel, Work};
        vec![
            spell(Sleep, 0, 420),
            spell(Home, 420, 465),
            spell(Travel, 465, 495),
            spell(Work, 495, 720),
            spell(Travel, 720, 730),
            spell(Eat, 730, 760),
            spell(Travel, 760, 770),
            spell(Work, 770, 1_020),
            spell(Travel, 1_020, 1_050),
            spell(Home, 1_050, 1_440),
        ]
    }

    #[test]
    fn a_day_is_tallied_by_hour() {
        let mut tally = DayTally::default();
        tally.add_person(&worker());
        tally.add_person(&[spell(Activity::Home, 0, 1_440)]);
        let profile = tally.profile();
        assert_eq!(profile.trips_per_person, 2.0);
        assert_eq!(profile.home_all_day_share, 0.5);
        // The first arrival at work is at 8:15; coming back from lunch does not count.
        assert_eq!(profile.work_starts[8], 1.0);
        // 8:00 to 9:00: an hour and no more at home, 15 minutes under way, 45 at work, of 120.
        let at_8 = profile.shares[8];
        assert_eq!(at_8[Doing::Home as usize], 0.5);
        assert_eq!(at_8[Doing::Travel as usize], 0.125);
        assert_eq!(at_8[Doing::Work as usize], 0.375);
        for hour in profile.shares {
            assert!((hour.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn what_lies_past_midnight_is_not_counted() {
        let mut tally = DayTally::default();
        tally.add_person(&[
            spell(Activity::Home, 0, 1_430),
            spell(Activity::Travel, 1_430, 1_460),
            spell(Activity::Work, 1_460, 1_500),
        ]);
        assert_eq!(tally.trip_count, 1);
        assert_eq!(tally.work_starts, [0; HOURS]);
        assert_eq!(tally.seconds[23][Doing::Travel as usize], 600);
    }

    #[test]
    fn realism_measures_differences_against_the_reference() {
        let mut judged = DayTally::default();
        judged.add_person(&worker());
        let mut reference = judged.clone();
        reference.add_person(&worker());
        let same = Realism::of(&judged.profile(), &reference.profile());
        assert_eq!((same.jsd_mean, same.trips_relative, same.work_start_jsd), (0.0, 0.0, 0.0));
        reference.add_person(&[spell(Activity::Home, 0, 1_440)]);
        reference.add_person(&[spell(Activity::Home, 0, 1_440)]);
        let other = Realism::of(&judged.profile(), &reference.profile());
        assert!((other.trips_relative - 1.0).abs() < 1e-12);
        assert!((other.home_all_day_difference + 0.5).abs() < 1e-12);
        // At 9:00 the judged are all at work, of the reference one half: 0.311278 as above.
        assert!((other.jsd_by_hour[9] - 0.311_278).abs() < 1e-6);
    }
}
