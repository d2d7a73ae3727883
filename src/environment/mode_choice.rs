//! How to get there: a multinomial logit over the modes that are available.
//!
//! The probability of mode `m` is `exp(V_m) / sum_k exp(V_k)` with
//! `V_m = constant_m + time_per_h_m * hours_m`. Source: D. McFadden, "Conditional logit analysis
//! of qualitative choice behavior" (1974).

use super::error::EnvironmentError;
use super::travel::MODE_COUNT;
use crate::agent::activity::Mode;
use crate::base::rng::Stream;

/// Utility of one mode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModeUtility {
    /// Utility of the mode as such.
    pub constant: f32,
    /// Utility of an hour from door to door; negative.
    pub time_per_h: f32,
}

/// Utilities of all modes, and how far people walk and cycle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModeChoiceParams {
    /// In [`Mode::ALL`] order: walk, bike, car, pt.
    pub utilities: [ModeUtility; MODE_COUNT],
    /// Longest walk in metres.
    pub walk_max_m: f32,
    /// Longest ride by bicycle in metres.
    pub bike_max_m: f32,
}

impl Default for ModeChoiceParams {
    /// Time costs are own choices: an hour in a car or by pt as in activity-based models of the
    /// Bay Area (some 0.8 to 2 utils), on foot or by bicycle two to three times that. The
    /// constants were then fitted so that trips of a laid-out Bay Area have the shares of its
    /// diary (see the test).
    fn default() -> Self {
        let mode = |constant, time_per_h| ModeUtility { constant, time_per_h };
        Self {
            utilities: [mode(0.0, -4.0), mode(-3.6, -4.0), mode(-0.5, -1.5), mode(-3.15, -1.5)],
            walk_max_m: 5_000.0,
            bike_max_m: 10_000.0,
        }
    }
}

/// What a traveller can choose from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModeOptions {
    /// Cars of the household. With a car its adults drive and its children ride along.
    pub cars: u8,
    /// Length of the way in metres.
    pub distance_m: f32,
    /// Seconds from door to door, in [`Mode::ALL`] order.
    pub durations_s: [u32; MODE_COUNT],
}

/// Chooses modes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModeChoice {
    params: ModeChoiceParams,
}

impl ModeChoice {
    /// A choice with checked parameters.
    ///
    /// # Errors
    /// If a utility or limit is not finite, or a limit is negative.
    pub fn new(params: ModeChoiceParams) -> Result<Self, EnvironmentError> {
        let bad = |name, value, allowed| {
            Err(EnvironmentError::BadParameter { name, value: f64::from(value), allowed })
        };
        for utility in params.utilities {
            for value in [utility.constant, utility.time_per_h] {
                if !value.is_finite() {
                    return bad("utility of a mode", value, "a finite number");
                }
            }
        }
        for limit in [params.walk_max_m, params.bike_max_m] {
            if !(limit.is_finite() && limit >= 0.0) {
                return bad("longest walk or ride in metres", limit, "a number of at least 0");
            }
        }
        Ok(Self { params })
    }

    /// Probability of each mode in [`Mode::ALL`] order; they sum to 1. Public transport is always
    /// available, so there is always a choice.
    pub fn probabilities(&self, options: &ModeOptions) -> [f64; MODE_COUNT] {
        let available = |mode: Mode| match mode {
            Mode::Walk => options.distance_m <= self.params.walk_max_m,
            Mode::Bike => options.distance_m <= self.params.bike_max_m,
            Mode::Car => options.cars > 0,
            Mode::Transit => true,
        };
        let utilities: [f64; MODE_COUNT] = std::array::from_fn(|code| {
            let ModeUtility { constant, time_per_h } = self.params.utilities[code];
            let hours = f64::from(options.durations_s[code]) / 3_600.0;
            if available(Mode::ALL[code]) {
                f64::from(constant) + f64::from(time_per_h) * hours
            } else {
                f64::NEG_INFINITY
            }
        });
        // Relative to the best, so that no exponential overflows or all vanish.
        let best = utilities.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights = utilities.map(|utility| (utility - best).exp());
        let total: f64 = weights.iter().sum();
        weights.map(|weight| weight / total)
    }

    /// A mode drawn with [`Self::probabilities`]. One draw from `stream`.
    pub fn choose(&self, options: &ModeOptions, stream: &mut Stream) -> Mode {
        let mut left = f64::from(stream.unit_f32());
        let probabilities = self.probabilities(options);
        for (mode, probability) in Mode::ALL.iter().zip(probabilities) {
            if left < probability {
                return *mode;
            }
            left -= probability;
        }
        Mode::Transit
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::activity::PlaceKind;
    use crate::base::ids::ZoneId;
    use crate::base::rng::Purpose;
    use crate::environment::city::{City, CityParams, tests::bay_area_totals};
    use crate::environment::gravity::{DestinationChoice, GravityParams};
    use crate::environment::scatter::point_in;
    use crate::environment::travel::{TravelModel, TravelParams};

    fn choice() -> ModeChoice {
        ModeChoice::new(ModeChoiceParams::default()).unwrap()
    }

    /// Trips of the Bay Area diary by purpose, but for ways home and back to work; work, school
    /// and university lie in a random zone (`None`), as in the diary.
    const TRIPS: [(u32, Option<PlaceKind>); 5] = [
        (2_592 + 873 + 166, None),
        (1_768, Some(PlaceKind::Shop)),
        (844 + 623, Some(PlaceKind::Eat)),
        (951 + 375, Some(PlaceKind::Leisure)),
        (1_398 + 1_034, Some(PlaceKind::Service)),
    ];

    /// Shares of modes over trips in the laid-out Bay Area from homes, 4.1 % of them without a
    /// car as in the diary (715 of 17,606 trips).
    fn bay_area_shares(choice: &ModeChoice) -> [f64; MODE_COUNT] {
        let City { zones, places } = City::spiral(bay_area_totals(), &CityParams::new(1)).unwrap();
        let destinations =
            DestinationChoice::build(&zones, &places, &GravityParams::default()).unwrap();
        let travel = TravelModel::new(TravelParams::default()).unwrap();
        let mut stream = Stream::of_index(1, 0, Purpose::Mode);
        let mut sums = [0.0; MODE_COUNT];
        for (count, kind) in TRIPS {
            for _ in 0..2 * count {
                let home = zones.draw_home(&mut stream).unwrap();
                let from = point_in(&zones, home, &mut stream);
                let to = match kind {
                    Some(kind) => destinations.choose(&places, home, kind, &mut stream),
                    None => {
                        let zone = ZoneId(stream.below(zones.len() as u32));
                        destinations.choose_in(&places, zone, PlaceKind::Work, &mut stream)
                    }
                };
                let to = places.point(to.unwrap());
                let options = ModeOptions {
                    cars: u8::from(stream.unit_f32() >= 0.041),
                    distance_m: travel.expected_m(from, to),
                    durations_s: travel.expected_s(from, to),
                };
                let probabilities = choice.probabilities(&options);
                sums.iter_mut().zip(probabilities).for_each(|(sum, p)| *sum += p);
            }
        }
        let total: f64 = sums.iter().sum();
        sums.map(|sum| sum / total)
    }

    /// Shares of the diary's 17,606 trips: walk 8.8 %, bicycle 1.3 %, car, taxi and ride-hailing
    /// 82.9 %, public transport 7.0 %. The constants were fitted to them; a change of the layout,
    /// the speeds or the gravity that moves a share by more than a point calls for a new fit.
    #[test]
    fn the_bay_area_travels_as_in_its_diary() {
        let shares = bay_area_shares(&choice());
        for (share, diary) in shares.iter().zip([0.088, 0.013, 0.829, 0.070]) {
            assert!((share - diary).abs() < 0.01, "{shares:?}");
        }
    }

    /// By hand: utilities 0 - 4/2, 0 - 2/2 and a car and pt of 1 and 0 at no cost of time.
    #[test]
    fn probabilities_are_those_of_the_logit() {
        let mode = |constant, time_per_h| ModeUtility { constant, time_per_h };
        let params = ModeChoiceParams {
            utilities: [mode(0.0, -4.0), mode(0.0, -2.0), mode(1.0, 0.0), mode(0.0, 0.0)],
            ..ModeChoiceParams::default()
        };
        let choice = ModeChoice::new(params).unwrap();
        let options = ModeOptions { cars: 1, distance_m: 2_000.0, durations_s: [1_800; 4] };
        let weights = [(-2.0_f64).exp(), (-1.0_f64).exp(), 1.0_f64.exp(), 1.0];
        let total: f64 = weights.iter().sum();
        let probabilities = choice.probabilities(&options);
        for (probability, weight) in probabilities.iter().zip(weights) {
            assert!((probability - weight / total).abs() < 1e-12);
        }
        let mut stream = Stream::of_index(1, 0, Purpose::Mode);
        let mut counts = [0.0; MODE_COUNT];
        for _ in 0..10_000 {
            counts[usize::from(choice.choose(&options, &mut stream).code())] += 1.0;
        }
        // A count has a standard deviation of at most 50.
        for (count, probability) in counts.iter().zip(probabilities) {
            assert!((count - 10_000.0 * probability).abs() < 4.0 * 50.0, "{counts:?}");
        }
    }

    /// Contract: no car without a car, no walk beyond 5 km, no ride beyond 10 km.
    #[test]
    fn what_is_not_available_is_not_chosen() {
        let of = |cars, distance_m| {
            choice().probabilities(&ModeOptions { cars, distance_m, durations_s: [900; 4] })
        };
        assert_eq!(of(0, 10_001.0), [0.0, 0.0, 0.0, 1.0]);
        let middle = of(2, 5_001.0);
        assert!(middle[0] == 0.0 && middle[1] > 0.0 && middle[2] > 0.0);
        assert!(of(0, 5_000.0)[0] > 0.0 && of(0, 5_000.0)[2] == 0.0);
        // So long that every exponential vanishes: still a choice.
        let endless = ModeOptions { cars: 0, distance_m: 1e9, durations_s: [u32::MAX; 4] };
        assert_eq!(choice().probabilities(&endless)[3], 1.0);
    }

    #[test]
    fn impossible_parameters_are_refused() {
        let params = ModeChoiceParams { walk_max_m: -1.0, ..ModeChoiceParams::default() };
        assert!(ModeChoice::new(params).is_err());
        let mut params = ModeChoiceParams::default();
        params.utilities[3].constant = f32::NAN;
        assert!(ModeChoice::new(params).unwrap_err().to_string().contains("NaN"));
    }
}
