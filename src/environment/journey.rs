//! Choosing where to go and getting there: places, modes, ways and roads joined.

use super::Environment;
use super::mode_choice::ModeOptions;
use super::network::{RouteCalculator, Router as Roads};
use super::travel::{self, Route, Router, TripPlan};
use crate::agent::activity::{Mode, PlaceKind};
use crate::agent::whereabouts::Trip;
use crate::base::ids::PlaceId;
use crate::base::rng::Stream;
use crate::base::time::{MINUTE_S, SimTime};
use crate::base::units::{LngLat, Point};

/// A road network with the working memory of one worker; keeps the way it found last.
struct Guide<'a> {
    roads: &'a Roads,
    calculator: &'a mut RouteCalculator,
    way: Vec<Point>,
}

impl Router for Guide<'_> {
    fn route(&mut self, mode: Mode, from: Point, to: Point) -> Option<Route> {
        let found = self.roads.route(self.calculator, mode, from, to)?;
        let network = self.roads.network();
        self.way = found.nodes.iter().map(|node| network.point(*node)).collect();
        let duration_s = found.duration_s.round() as u32;
        Some(Route { distance_m: found.distance_m, duration_s })
    }
}

impl Environment {
    /// A place of `kind` for somebody whose choice begins at `near`: by gravity over the zones,
    /// by size within the zone. `None` if the city has no such place.
    pub fn choose_place(
        &self,
        near: PlaceId,
        kind: PlaceKind,
        stream: &mut Stream,
    ) -> Option<PlaceId> {
        self.choice.choose(&self.places, self.places.zone(near), kind, stream)
    }

    /// Chooses a mode and plans the trip. The second value is the way along the network, without
    /// its ends; empty where the trip goes as the crow flies.
    pub fn plan_trip(
        &self,
        cars: u8,
        origin: PlaceId,
        destination: PlaceId,
        stream: &mut Stream,
        calculator: &mut RouteCalculator,
    ) -> (TripPlan, Vec<Point>) {
        let (from, to) = (self.places.point(origin), self.places.point(destination));
        let options = ModeOptions {
            cars,
            distance_m: self.travel.expected_m(from, to),
            durations_s: self.travel.expected_s(from, to),
        };
        let mode = self.mode_choice.choose(&options, stream);
        let Some(roads) = &self.roads else {
            return (self.travel.plan(mode, from, to, None), Vec::new());
        };
        let mut guide = Guide { roads, calculator, way: Vec::new() };
        let plan = self.travel.plan(mode, from, to, Some(&mut guide));
        (plan, guide.way)
    }

    /// Usual travel time in minutes between two places: that of the mode most likely chosen.
    pub fn usual_min(&self, cars: u8, origin: PlaceId, destination: PlaceId) -> u16 {
        let (from, to) = (self.places.point(origin), self.places.point(destination));
        let durations_s = self.travel.expected_s(from, to);
        let distance_m = self.travel.expected_m(from, to);
        let chances =
            self.mode_choice.probabilities(&ModeOptions { cars, distance_m, durations_s });
        let mut best = 0;
        for (mode, chance) in chances.iter().enumerate() {
            if *chance > chances[best] {
                best = mode;
            }
        }
        u16::try_from(durations_s[best].div_ceil(MINUTE_S)).unwrap_or(u16::MAX)
    }

    /// Where somebody on `trip` is at `now`; `way` as given by [`Self::plan_trip`].
    pub fn position(&self, trip: &Trip, way: &[Point], now: SimTime) -> Point {
        let ends = (self.places.point(trip.origin), self.places.point(trip.destination));
        travel::position(ends.0, ends.1, way, (trip.depart, trip.arrive), now)
    }

    /// Longitude and latitude of a place.
    #[inline]
    pub fn place_lng_lat(&self, place: PlaceId) -> LngLat {
        self.projection.to_lng_lat(self.places.point(place))
    }
}
