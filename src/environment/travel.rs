//! What a trip costs: distance, time and legs by mode, and where the traveller is under way.

use super::error::{EnvironmentError, positive};
use crate::agent::activity::Mode;
use crate::base::time::SimTime;
use crate::base::units::Point;

/// Number of modes.
pub const MODE_COUNT: usize = Mode::ALL.len();
/// Shortest duration of a trip in seconds: nobody is anywhere in no time.
pub const DURATION_MIN_S: u32 = 60;

/// A way found on a network.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Route {
    /// Length in metres.
    pub distance_m: f32,
    /// Seconds under way, without the mode's overhead.
    pub duration_s: u32,
}

/// Finds ways on a network. `&mut` because a search needs scratch memory of its own; one router
/// per worker.
pub trait Router {
    /// The best way for `mode`; `None` if the network has none or does not know the mode, in
    /// which case the trip is made as the crow flies.
    fn route(&mut self, mode: Mode, from: Point, to: Point) -> Option<Route>;
}

/// Speed and overhead of one mode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModeSpeed {
    /// Kilometres per hour while moving.
    pub speed_kmh: f32,
    /// Seconds that every trip takes on top: to the vehicle or stop, waiting, parking.
    pub overhead_s: u32,
    /// Metres on foot at either end; part of the trip's distance, its time part of the overhead.
    pub access_m: u32,
}

/// Speeds of all modes and the detour factor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TravelParams {
    /// Length of the way per metre as the crow flies, where no network says better.
    pub detour_factor: f32,
    /// In [`Mode::ALL`] order: walk, bike, car, pt.
    pub modes: [ModeSpeed; MODE_COUNT],
}

impl Default for TravelParams {
    /// The detour factor is MATSim's default beeline distance factor for teleported modes. Speeds
    /// are own choices within what European travel surveys report, pt including stops.
    fn default() -> Self {
        let mode = |speed_kmh, overhead_s, access_m| ModeSpeed { speed_kmh, overhead_s, access_m };
        Self {
            detour_factor: 1.3,
            modes: [mode(4.8, 0, 0), mode(14.0, 0, 0), mode(36.0, 240, 80), mode(22.0, 480, 200)],
        }
    }
}

/// Part of a trip by one mode.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Leg {
    /// How.
    pub mode: Mode,
    /// Metres, whole.
    pub distance_m: f32,
    /// Seconds.
    pub duration_s: u32,
}

/// The legs of one trip: one, or three of which the outer two are on foot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Legs {
    legs: [Leg; 3],
    count: u8,
}

impl Legs {
    /// The legs in order.
    #[inline]
    pub fn as_slice(&self) -> &[Leg] {
        &self.legs[..usize::from(self.count)]
    }
}

/// A trip as planned at departure. Distance and duration are the exact sums over the legs.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TripPlan {
    /// Main mode.
    pub mode: Mode,
    /// Metres, whole.
    pub distance_m: f32,
    /// Seconds, at least [`DURATION_MIN_S`].
    pub duration_s: u32,
    /// The parts.
    pub legs: Legs,
}

/// Plans trips.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TravelModel {
    params: TravelParams,
}

impl TravelModel {
    /// A model with checked parameters.
    ///
    /// # Errors
    /// If a speed is not positive or the detour factor is below 1.
    pub fn new(params: TravelParams) -> Result<Self, EnvironmentError> {
        for mode in &params.modes {
            positive("speed of a mode in km/h", f64::from(mode.speed_kmh))?;
        }
        if !(params.detour_factor.is_finite() && params.detour_factor >= 1.0) {
            return Err(EnvironmentError::BadParameter {
                name: "detour factor",
                value: f64::from(params.detour_factor),
                allowed: "a number of at least 1",
            });
        }
        Ok(Self { params })
    }

    /// The parameters.
    pub const fn params(&self) -> &TravelParams {
        &self.params
    }

    /// Plans a trip by `mode`: along the network if `router` finds a way, else as the crow flies
    /// with the detour factor.
    pub fn plan(
        &self,
        mode: Mode,
        from: Point,
        to: Point,
        router: Option<&mut dyn Router>,
    ) -> TripPlan {
        let (distance_m, moving_s) = match router.and_then(|r| r.route(mode, from, to)) {
            Some(route) => (route.distance_m, route.duration_s as f32),
            None => self.beeline(mode, from, to),
        };
        // Whole metres are exact in f32, so the legs can sum to the trip without rounding.
        let distance_m = distance_m.round();
        let duration_s = self.with_overhead(mode, moving_s);
        TripPlan { mode, distance_m, duration_s, legs: self.legs(mode, distance_m, duration_s) }
    }

    /// Seconds from door to door as the crow flies, by each mode in [`Mode::ALL`] order: what a
    /// traveller expects when choosing a mode.
    pub fn expected_s(&self, from: Point, to: Point) -> [u32; MODE_COUNT] {
        std::array::from_fn(|code| {
            let mode = Mode::ALL[code];
            self.with_overhead(mode, self.beeline(mode, from, to).1)
        })
    }

    /// Metres of the way as the crow flies, times the detour factor.
    #[inline]
    pub fn expected_m(&self, from: Point, to: Point) -> f32 {
        from.distance_m(to) * self.params.detour_factor
    }

    /// Splits a trip of whole metres into its legs; a pure function, so that legs need not be
    /// stored. Trips too short for the walk at either end, or for its time, are one leg.
    pub fn legs(&self, mode: Mode, distance_m: f32, duration_s: u32) -> Legs {
        let walk_mps = self.of(Mode::Walk).speed_kmh / 3.6;
        let access_m = (self.of(mode).access_m as f32).min((distance_m / 4.0).floor());
        let access_s = (access_m / walk_mps).round() as u32;
        let whole = Leg { mode, distance_m, duration_s };
        if mode == Mode::Walk || access_m < 1.0 || 2 * access_s >= duration_s {
            return Legs { legs: [whole; 3], count: 1 };
        }
        let access = Leg { mode: Mode::Walk, distance_m: access_m, duration_s: access_s };
        let main = Leg {
            mode,
            distance_m: distance_m - 2.0 * access_m,
            duration_s: duration_s - 2 * access_s,
        };
        Legs { legs: [access, main, access], count: 3 }
    }

    #[inline]
    const fn of(&self, mode: Mode) -> &ModeSpeed {
        &self.params.modes[mode as usize]
    }

    /// Metres and seconds in motion.
    #[inline]
    fn beeline(&self, mode: Mode, from: Point, to: Point) -> (f32, f32) {
        let distance_m = self.expected_m(from, to);
        (distance_m, distance_m * 3.6 / self.of(mode).speed_kmh)
    }

    #[inline]
    fn with_overhead(&self, mode: Mode, moving_s: f32) -> u32 {
        (moving_s.round() as u32).saturating_add(self.of(mode).overhead_s).max(DURATION_MIN_S)
    }
}

/// Where a traveller is at `now`: moving evenly from `origin` at `depart` to `destination` at
/// `arrive`, through the points of `path` (empty: straight ahead). Before and after, at the ends.
pub fn position(
    origin: Point,
    destination: Point,
    path: &[Point],
    (depart, arrive): (SimTime, SimTime),
    now: SimTime,
) -> Point {
    let total_s = arrive.since(depart);
    if total_s == 0 || now >= arrive {
        return destination;
    }
    let share = (f64::from(now.since(depart)) / f64::from(total_s)) as f32;
    if path.is_empty() {
        return origin.towards(destination, share);
    }
    let ends = path.iter().copied().chain([destination]);
    let starts = [origin].into_iter().chain(path.iter().copied());
    let pieces = starts.zip(ends).map(|(start, end)| (start, end, start.distance_m(end)));
    let mut left_m = share * pieces.clone().map(|(_, _, length_m)| length_m).sum::<f32>();
    for (start, end, length_m) in pieces {
        if left_m < length_m {
            return start.towards(end, left_m / length_m);
        }
        left_m -= length_m;
    }
    destination
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORIGIN: Point = Point { x_m: 0.0, y_m: 0.0 };

    fn model() -> TravelModel {
        TravelModel::new(TravelParams::default()).unwrap()
    }

    /// By hand: 10 km straight are 13 km; 13 km at 36 km/h are 1,300 s, at 22 km/h 2,127 s, at
    /// 14 km/h 3,343 s, at 4.8 km/h 9,750 s.
    #[test]
    fn door_to_door_times_are_speed_and_overhead() {
        let to = Point { x_m: 6_000.0, y_m: 8_000.0 };
        assert_eq!(model().expected_s(ORIGIN, to), [9_750, 3_343, 1_540, 2_607]);
        let plan = model().plan(Mode::Car, ORIGIN, to, None);
        assert_eq!((plan.distance_m, plan.duration_s), (13_000.0, 1_540));
        let modes: Vec<Mode> = plan.legs.as_slice().iter().map(|leg| leg.mode).collect();
        assert_eq!(modes, [Mode::Walk, Mode::Car, Mode::Walk]);
    }

    /// Contract: legs sum to the trip exactly, and no trip takes less than a minute.
    #[test]
    fn legs_sum_to_the_trip() {
        for mode in Mode::ALL {
            for step in 0..400_u32 {
                let x_m = (step * step) as f32 * 0.73;
                let plan = model().plan(*mode, ORIGIN, Point { x_m, y_m: 1.9 }, None);
                let legs = plan.legs.as_slice();
                assert_eq!(legs.iter().map(|l| l.distance_m).sum::<f32>(), plan.distance_m);
                assert_eq!(legs.iter().map(|l| l.duration_s).sum::<u32>(), plan.duration_s);
                assert!(plan.duration_s >= DURATION_MIN_S);
                assert_eq!(plan.legs, model().legs(*mode, plan.distance_m, plan.duration_s));
            }
        }
    }

    struct Bridge;

    impl Router for Bridge {
        fn route(&mut self, mode: Mode, _: Point, _: Point) -> Option<Route> {
            (mode == Mode::Car).then_some(Route { distance_m: 20_000.4, duration_s: 1_000 })
        }
    }

    #[test]
    fn a_router_overrules_the_crow_where_it_finds_a_way() {
        let to = Point { x_m: 1_000.0, y_m: 0.0 };
        let car = model().plan(Mode::Car, ORIGIN, to, Some(&mut Bridge));
        assert_eq!((car.distance_m, car.duration_s), (20_000.0, 1_240));
        let walk = model().plan(Mode::Walk, ORIGIN, to, Some(&mut Bridge));
        assert_eq!((walk.distance_m, walk.duration_s), (1_300.0, 975));
    }

    /// By hand: an L of 300 m and 100 m; half of 400 m is 200 m along the first arm, seven
    /// eighths are 50 m up the second.
    #[test]
    fn a_traveller_moves_evenly_along_the_path() {
        let corner = Point { x_m: 300.0, y_m: 0.0 };
        let end = Point { x_m: 300.0, y_m: 100.0 };
        let times = (SimTime(1_000), SimTime(1_800));
        let at = |path: &[Point], now| position(ORIGIN, end, path, times, SimTime(now));
        assert_eq!(at(&[corner], 1_400), Point { x_m: 200.0, y_m: 0.0 });
        assert_eq!(at(&[corner], 1_700), Point { x_m: 300.0, y_m: 50.0 });
        assert_eq!(at(&[], 1_400), Point { x_m: 150.0, y_m: 50.0 });
        assert_eq!(at(&[corner], 900), ORIGIN);
        assert_eq!(at(&[], 1_800), end);
        assert_eq!(at(&[ORIGIN, ORIGIN], 5_000), end);
    }

    #[test]
    fn impossible_parameters_are_refused() {
        let mut params = TravelParams::default();
        params.modes[2].speed_kmh = 0.0;
        let message = TravelModel::new(params).unwrap_err().to_string();
        assert!(message.contains("km/h is 0"), "{message}");
        let params = TravelParams { detour_factor: f32::NAN, ..TravelParams::default() };
        assert!(TravelModel::new(params).is_err());
    }
}
