//! The world outside heads: city, road network, choice of destination.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::tables::{ColumnList, ZoneTable};
use super::travel::Travel;

/// The city, its roads, how people get about and where they go.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Environment {
    /// The zones and the places in them.
    pub city: City,
    /// The roads.
    #[serde(default)]
    pub network: Network,
    /// Speeds and choice of mode.
    #[serde(default)]
    pub travel: Travel,
    /// Choice of destination.
    #[serde(default)]
    pub choice: DestinationDecay,
}

/// Where zones and places come from.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "source", rename_all = "snake_case")]
pub enum City {
    /// A table of zone totals without coordinates; the zones are laid out in a disc, the densest
    /// in the middle.
    Zones(ZoneCity),
    /// Invented square zones, density falling from the middle.
    Grid(GridCity),
    /// Invented square zones over the extent of the road network.
    Network(NetworkCity),
}

/// A city laid out from a table of zone totals.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ZoneCity {
    /// The zones.
    pub zones: ZoneTable,
    /// Where on the globe the middle of the layout is.
    #[serde(default)]
    pub origin: Origin,
    /// Inhabitants (or jobs, where there are more) per square kilometre of the laid-out region.
    #[serde(default = "default_density")]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub density_per_km2: f64,
    /// About the most places of one kind; beyond it places become larger, not more.
    #[serde(default = "default_places_per_kind_max")]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub places_per_kind_max: u32,
}

/// Own choice: at this density the mean trip by car between two random zones of the Bay Area
/// takes about as long as its surveys report of commutes.
const fn default_density() -> f64 {
    4_000.0
}

/// Own choice: keeps a city below 300,000 places.
const fn default_places_per_kind_max() -> u32 {
    40_000
}

/// Columns of a zone table. What is not named counts as 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ZoneColumns {
    /// Number of the zone.
    pub zone_id: String,
    /// Households.
    #[serde(default)]
    pub households: ColumnList,
    /// Inhabitants.
    #[serde(default)]
    pub population: ColumnList,
    /// Area.
    #[serde(default)]
    pub area: ColumnList,
    /// Unit of the area.
    #[serde(default)]
    pub area_unit: AreaUnit,
    /// Jobs in retail trade.
    #[serde(default)]
    pub retail: ColumnList,
    /// Jobs in financial and professional services.
    #[serde(default)]
    pub services: ColumnList,
    /// Jobs in health, education, recreation and personal services.
    #[serde(default)]
    pub health_education_leisure: ColumnList,
    /// Other jobs.
    #[serde(default)]
    pub other: ColumnList,
    /// Jobs in agriculture.
    #[serde(default)]
    pub agriculture: ColumnList,
    /// Jobs in manufacturing and wholesale trade.
    #[serde(default)]
    pub manufacturing: ColumnList,
    /// Pupils.
    #[serde(default)]
    pub school_enrolment: ColumnList,
    /// Students.
    #[serde(default)]
    pub college_enrolment: ColumnList,
}

/// Unit of an area column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AreaUnit {
    /// Square metres.
    #[default]
    M2,
    /// International acres.
    Acres,
}

/// An invented city on a grid.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GridCity {
    /// Zones from west to east.
    #[serde(default = "default_zones")]
    #[schemars(range(min = 1, max = 4_096))]
    pub zones_x: u32,
    /// Zones from south to north; at most 4096 zones in all.
    #[serde(default = "default_zones")]
    #[schemars(range(min = 1, max = 4_096))]
    pub zones_y: u32,
    /// Side of a zone in metres.
    #[serde(default = "default_zone_m")]
    #[schemars(range(min = 50, max = 50_000))]
    pub zone_m: f64,
    /// Where on the globe the middle is.
    #[serde(default)]
    pub origin: Origin,
    /// Jobs, pupils and students.
    #[serde(default)]
    pub totals: InventedTotals,
    /// About the most places of one kind; beyond it places become larger, not more.
    #[serde(default = "default_places_per_kind_max")]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub places_per_kind_max: u32,
}

const fn default_zones() -> u32 {
    20
}

const fn default_zone_m() -> f64 {
    750.0
}

/// An invented city over a road network, which must be given (`network.kind: osm` or `grid`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NetworkCity {
    /// Side of a zone in metres.
    #[serde(default = "default_zone_m")]
    #[schemars(range(min = 50, max = 50_000))]
    pub zone_m: f64,
    /// Jobs, pupils and students.
    #[serde(default)]
    pub totals: InventedTotals,
    /// About the most places of one kind; beyond it places become larger, not more.
    #[serde(default = "default_places_per_kind_max")]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub places_per_kind_max: u32,
}

/// What an invented city holds, per inhabitant. The defaults are those of the land use of the San
/// Francisco Bay Area.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct InventedTotals {
    /// Jobs per inhabitant.
    #[schemars(range(min = 0.01, max = 10))]
    pub jobs_share: f64,
    /// Pupils per inhabitant.
    #[schemars(range(min = 0, max = 1))]
    pub pupils_share: f64,
    /// Students per inhabitant.
    #[schemars(range(min = 0, max = 1))]
    pub students_share: f64,
    /// Distance over which the density of inhabitants falls to 37 %, as a share of the radius of
    /// a disc of the city's area.
    #[schemars(range(min = 0.01, max = 100))]
    pub home_decay: f64,
    /// The same for jobs.
    #[schemars(range(min = 0.01, max = 100))]
    pub job_decay: f64,
}

impl Default for InventedTotals {
    fn default() -> Self {
        Self {
            jobs_share: 0.530,
            pupils_share: 0.185,
            students_share: 0.062,
            home_decay: 0.6,
            job_decay: 0.35,
        }
    }
}

/// A position on the globe. The default, 0 E 0 N, lies in the sea: plainly an invented city.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Origin {
    /// Degrees east.
    #[schemars(range(min = -180, max = 180))]
    pub lng: f64,
    /// Degrees north.
    #[schemars(range(min = -85, max = 85))]
    pub lat: f64,
}

/// The road network.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Network {
    /// Where the roads come from.
    pub kind: NetworkKind,
    /// OpenStreetMap extract for `kind: osm`, relative to the scenario's folder: `.osm` or
    /// `.osm.gz`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<PathBuf>,
    /// Streets for `kind: grid`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<GridNetwork>,
}

/// Where the roads come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum NetworkKind {
    /// No roads: distances as the crow flies times the detour factor.
    #[default]
    None,
    /// A generated grid of streets over the city.
    Grid,
    /// An OpenStreetMap extract.
    Osm,
}

/// A generated grid of streets.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct GridNetwork {
    /// Metres between two crossings.
    #[schemars(range(min = 10, max = 10_000))]
    pub spacing_m: f64,
    /// Speed of cars in kilometres per hour.
    #[schemars(range(min = 1, max = 200))]
    pub speed_kmh: f64,
}

impl Default for GridNetwork {
    /// Own choice: city blocks, and the speed that city traffic makes of a limit of 50 km/h.
    fn default() -> Self {
        Self { spacing_m: 250.0, speed_kmh: 30.0 }
    }
}

/// How fast the attraction of destinations falls with distance: a zone at distance d weighs
/// exp(-d / decay). Own choice of defaults, in the order that travel surveys agree on.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct DestinationDecay {
    /// Workplaces, where the population names none, in kilometres.
    #[schemars(range(min = 0.05, max = 1_000))]
    pub work_decay_km: f64,
    /// Schools and universities, where the population names none, in kilometres.
    #[schemars(range(min = 0.05, max = 1_000))]
    pub school_decay_km: f64,
    /// Shops, in kilometres.
    #[schemars(range(min = 0.05, max = 1_000))]
    pub shop_decay_km: f64,
    /// Restaurants and cafés, in kilometres.
    #[schemars(range(min = 0.05, max = 1_000))]
    pub eat_decay_km: f64,
    /// Places of leisure, in kilometres.
    #[schemars(range(min = 0.05, max = 1_000))]
    pub leisure_decay_km: f64,
    /// Services, in kilometres.
    #[schemars(range(min = 0.05, max = 1_000))]
    pub service_decay_km: f64,
}

impl Default for DestinationDecay {
    fn default() -> Self {
        Self {
            work_decay_km: 6.0,
            school_decay_km: 1.5,
            shop_decay_km: 2.0,
            eat_decay_km: 2.0,
            leisure_decay_km: 3.0,
            service_decay_km: 3.0,
        }
    }
}
