//! The city and its roads, from the scenario's `environment`.

use crate::agent::activity::{Mode, PlaceKind};
use crate::base::ids::{AgentId, HouseholdId, PlaceId, ZoneId};
use crate::base::rng::{Purpose, Stream};
use crate::base::units::{LngLat, Point, Projection};
use crate::environment::Environment;
use crate::environment::city::{City, CityParams, Extent, GridParams, add_dwelling};
use crate::environment::gravity::{DestinationChoice, GravityParams};
use crate::environment::mode_choice::{ModeChoice, ModeChoiceParams, ModeUtility};
use crate::environment::network::{EndJoin, GridNetwork, Network, OsmRoads, RouteSpeeds, Router};
use crate::environment::travel::{ModeSpeed, TravelModel, TravelParams};
use crate::environment::zone_file::{AreaUnit, ZoneColumns, read_zone_totals};
use crate::population::PlaceAssigner;
use crate::scenario::Scenario;
use crate::scenario::spec::{self, NetworkKind, Population};
use crate::simulation::SimulationError;

/// Metres by which the extent of a road network is widened, so that its outermost nodes lie
/// inside a zone.
const EXTENT_MARGIN_M: f32 = 1.0;

/// Farthest that a place of a city over a road network lies from a road, in metres (own choice: a
/// few blocks). An extract of main roads leaves wide areas without any road, where nobody could
/// live by car.
const ROADSIDE_M: f32 = 500.0;

/// A city that still takes dwellings.
pub struct CityBuilder {
    environment: Environment,
}

/// Lays out the city, its roads and the choices in it.
pub fn lay_out(scenario: &Scenario) -> Result<CityBuilder, SimulationError> {
    let settings = scenario.environment()?;
    let roads = match settings.network.kind {
        NetworkKind::None => None,
        NetworkKind::Osm => Some(osm_roads(scenario)?),
        NetworkKind::Grid => Some(grid_roads(settings)?),
    };
    let projection = match &roads {
        Some(network) => *network.projection(),
        None => Projection::new(origin_of(&settings.city)),
    };
    let roads = roads.map(|network| Router::new(network, route_speeds(settings))).transpose()?;
    let city = build_city(scenario, roads.as_ref())?;
    let choice = DestinationChoice::build(&city.zones, &city.places, &gravity(&settings.choice))?;
    let travel = TravelModel::new(travel_params(&settings.travel))?;
    let mode_choice = ModeChoice::new(mode_params(&settings.travel))?;
    let City { zones, places } = city;
    let environment = Environment { projection, zones, places, choice, travel, mode_choice, roads };
    Ok(CityBuilder { environment })
}

fn osm_roads(scenario: &Scenario) -> Result<Network, SimulationError> {
    // Validation has seen that an osm network names a file.
    let file = scenario.environment()?.network.file.clone().unwrap_or_default();
    let roads = OsmRoads::read(&scenario.resolve(&file))?;
    Ok(roads.network(Some(&EndJoin::default()))?)
}

fn grid_roads(settings: &spec::Environment) -> Result<Network, SimulationError> {
    let grid = settings.network.grid.unwrap_or_default();
    let (width_m, height_m) = match &settings.city {
        spec::City::Grid(city) => {
            (f64::from(city.zones_x) * city.zone_m, f64::from(city.zones_y) * city.zone_m)
        }
        // Validation allows a street grid under a grid city only; others get a square of streets.
        _ => (grid.spacing_m * 64.0, grid.spacing_m * 64.0),
    };
    let crossings = |length_m: f64| (length_m / grid.spacing_m).ceil() as u32 + 1;
    let network = GridNetwork {
        origin: origin_of(&settings.city),
        nx: crossings(width_m),
        ny: crossings(height_m),
        spacing_m: grid.spacing_m as f32,
        speed_kmh: grid.speed_kmh as f32,
    };
    Ok(network.build()?)
}

fn origin_of(city: &spec::City) -> LngLat {
    let origin = match city {
        spec::City::Zones(city) => city.origin,
        spec::City::Grid(city) => city.origin,
        spec::City::Network(_) => spec::Origin::default(),
    };
    LngLat { lng: origin.lng, lat: origin.lat }
}

fn build_city(scenario: &Scenario, roads: Option<&Router>) -> Result<City, SimulationError> {
    let seed = scenario.spec.seed;
    let params = |density_per_km2: f64, places_per_kind_max: u32| CityParams {
        seed,
        density_per_km2,
        places_per_kind_max: places_per_kind_max as usize,
    };
    let snap = |point: Point| snapped(roads, point);
    let snap: Option<crate::environment::place::Snap<'_>> = roads.is_some().then_some(&snap as _);
    let city = match &scenario.environment()?.city {
        spec::City::Zones(city) => {
            let file = scenario.resolve(&city.zones.file);
            let totals = read_zone_totals(&file, &zone_columns(&city.zones.columns))?;
            City::spiral(totals, &params(city.density_per_km2, city.places_per_kind_max))?
        }
        spec::City::Grid(city) => {
            let (zones_x, zones_y) = (city.zones_x, city.zones_y);
            let side = |zones: u32| (f64::from(zones) * city.zone_m) as f32;
            let extent = Extent::centred(side(zones_x), side(zones_y));
            let grid = grid_params(scenario.population()?, zones_x, zones_y, &city.totals);
            let params = params(CityParams::DENSITY_PER_KM2, city.places_per_kind_max);
            City::grid(extent, &grid, &params, snap)?
        }
        spec::City::Network(city) => {
            let (low, high) = roads
                .and_then(|roads| roads.network().extent())
                .unwrap_or((Point::default(), Point::default()));
            let extent = Extent {
                south_west: Point {
                    x_m: low.x_m - EXTENT_MARGIN_M,
                    y_m: low.y_m - EXTENT_MARGIN_M,
                },
                north_east: Point {
                    x_m: high.x_m + EXTENT_MARGIN_M,
                    y_m: high.y_m + EXTENT_MARGIN_M,
                },
            };
            let zones = |length_m: f32| ((f64::from(length_m) / city.zone_m).round() as u32).max(1);
            let (width_m, height_m) = (high.x_m - low.x_m, high.y_m - low.y_m);
            let grid =
                grid_params(scenario.population()?, zones(width_m), zones(height_m), &city.totals);
            let params = params(CityParams::DENSITY_PER_KM2, city.places_per_kind_max);
            City::grid(extent, &grid, &params, snap)?
        }
    };
    Ok(city)
}

/// The point moved towards the nearest road until it is within [`ROADSIDE_M`] of it.
fn snapped(roads: Option<&Router>, point: Point) -> Point {
    let node = roads.and_then(|roads| Some((roads, roads.nearest(Mode::Car, point)?)));
    node.map_or(point, |(roads, node)| {
        let road = roads.network().point(node);
        let distance_m = road.distance_m(point);
        if distance_m <= ROADSIDE_M { point } else { road.towards(point, ROADSIDE_M / distance_m) }
    })
}

fn grid_params(
    people: &Population,
    zones_x: u32,
    zones_y: u32,
    totals: &spec::InventedTotals,
) -> GridParams {
    let persons = match people {
        Population::Synthetic(synthetic) => synthetic.agents.unwrap_or(synthetic.persons),
        Population::Table(table) => table.agents.unwrap_or(10_000),
    };
    GridParams {
        jobs_share: totals.jobs_share,
        pupils_share: totals.pupils_share,
        students_share: totals.students_share,
        home_decay: totals.home_decay,
        job_decay: totals.job_decay,
        ..GridParams::new(zones_x, zones_y, f64::from(persons))
    }
}

fn zone_columns(columns: &spec::ZoneColumns) -> ZoneColumns {
    let list = |columns: &spec::ColumnList| columns.0.clone();
    ZoneColumns {
        source_id: columns.zone_id.clone(),
        households: list(&columns.households),
        population: list(&columns.population),
        area: list(&columns.area),
        area_unit: match columns.area_unit {
            spec::AreaUnit::M2 => AreaUnit::SquareMetres,
            spec::AreaUnit::Acres => AreaUnit::Acres,
        },
        retail: list(&columns.retail),
        services: list(&columns.services),
        health_education_leisure: list(&columns.health_education_leisure),
        other: list(&columns.other),
        agriculture: list(&columns.agriculture),
        manufacturing: list(&columns.manufacturing),
        school_enrolment: list(&columns.school_enrolment),
        college_enrolment: list(&columns.college_enrolment),
    }
}

fn gravity(decay: &spec::DestinationDecay) -> GravityParams {
    let decay_m = |kind: &PlaceKind| {
        let km = match kind {
            PlaceKind::Work => decay.work_decay_km,
            PlaceKind::School => decay.school_decay_km,
            PlaceKind::Shop => decay.shop_decay_km,
            PlaceKind::Eat => decay.eat_decay_km,
            PlaceKind::Leisure => decay.leisure_decay_km,
            PlaceKind::Service | PlaceKind::Home => decay.service_decay_km,
        };
        (km * 1_000.0) as f32
    };
    GravityParams { decay_m: std::array::from_fn(|code| decay_m(&PlaceKind::ALL[code])) }
}

fn travel_params(travel: &spec::Travel) -> TravelParams {
    let speed = |mode: Mode| {
        let values = travel.modes.of(mode);
        ModeSpeed {
            speed_kmh: values.speed_kmh as f32,
            overhead_s: values.overhead_s,
            access_m: values.access_m,
        }
    };
    TravelParams {
        detour_factor: travel.detour_factor as f32,
        modes: std::array::from_fn(|code| speed(Mode::ALL[code])),
    }
}

fn mode_params(travel: &spec::Travel) -> ModeChoiceParams {
    let utility = |mode: Mode| {
        let values = travel.modes.of(mode);
        ModeUtility { constant: values.constant as f32, time_per_h: values.time_per_h as f32 }
    };
    ModeChoiceParams {
        utilities: std::array::from_fn(|code| utility(Mode::ALL[code])),
        walk_max_m: travel.walk_max_m as f32,
        bike_max_m: travel.bike_max_m as f32,
    }
}

fn route_speeds(settings: &spec::Environment) -> RouteSpeeds {
    let travel = &settings.travel;
    let mps = |mode| (travel.modes.of(mode).speed_kmh / 3.6) as f32;
    RouteSpeeds {
        walk_mps: mps(Mode::Walk),
        bike_mps: mps(Mode::Bike),
        // An extract of main roads leaves out the streets of the first and last stretch.
        car_access_mps: 30.0 / 3.6,
        detour_factor: travel.detour_factor as f32,
    }
}

impl CityBuilder {
    /// The city, with all dwellings.
    pub fn into_environment(self) -> Environment {
        self.environment
    }

    fn find(&self, zone: Option<i64>) -> Option<ZoneId> {
        self.environment.zones.find(zone?)
    }

    /// A place of `kind` in the source's zone, or chosen from home where the source names none.
    fn assigned(
        &self,
        home: PlaceId,
        zone: Option<i64>,
        kind: PlaceKind,
        stream: &mut Stream,
    ) -> Option<PlaceId> {
        let Environment { places, choice, .. } = &self.environment;
        match self.find(zone) {
            Some(zone) => choice.choose_in(places, zone, kind, stream),
            None => choice.choose(places, places.zone(home), kind, stream),
        }
    }
}

impl PlaceAssigner for CityBuilder {
    fn knows_zone(&self, zone: i64) -> bool {
        self.find(Some(zone)).is_some()
    }

    fn dwelling(
        &mut self,
        zone: Option<i64>,
        household: HouseholdId,
        seed: u64,
    ) -> Option<PlaceId> {
        let mut stream = Stream::of_index(seed, household.0, Purpose::Assign);
        let zone = self.find(zone).or_else(|| self.environment.zones.draw_home(&mut stream))?;
        let Environment { places, zones, roads, .. } = &mut self.environment;
        let snap = |point: Point| snapped(roads.as_ref(), point);
        let snap: Option<crate::environment::place::Snap<'_>> =
            roads.is_some().then_some(&snap as _);
        Some(add_dwelling(places, zones, zone, household.0, seed, snap))
    }

    fn workplace(
        &self,
        home: PlaceId,
        zone: Option<i64>,
        agent: AgentId,
        seed: u64,
    ) -> Option<PlaceId> {
        // Households use the lower half of the stream numbers, persons the upper.
        let mut stream = Stream::of_index(seed, agent.0 | 1 << 31, Purpose::Assign);
        self.assigned(home, zone, PlaceKind::Work, &mut stream)
    }

    fn school(
        &self,
        home: PlaceId,
        zone: Option<i64>,
        _age: u8,
        agent: AgentId,
        seed: u64,
    ) -> Option<PlaceId> {
        let mut stream = Stream::of_index(seed, agent.0 | 1 << 31, Purpose::Assign);
        self.assigned(home, zone, PlaceKind::School, &mut stream)
    }

    fn commute_min(&self, home: PlaceId, place: PlaceId) -> u16 {
        self.environment.usual_min(1, home, place)
    }
}
