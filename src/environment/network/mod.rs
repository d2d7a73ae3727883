//! Roads: where they come from, what they join, and the shortest ways along them.
//!
//! A road network is read from OpenStreetMap ([`osm`], which asks [`highway`] what the tags mean)
//! or generated ([`grid`]), becomes a [`graph`] of which only the well-connected part is kept,
//! and is asked through a [`routing::Router`]. It knows nothing of persons and places: points
//! go in, lengths and times come out. Begin with [`routing`].
//!
//! What surprised us: an extract of motorways alone is a bundle of one-way roads between which
//! there is no way back; see [`road_ends`].

mod components;
pub mod error;
pub mod graph;
pub mod grid;
pub mod highway;
pub mod osm;
mod osm_xml;
pub mod road_ends;
pub mod routing;

pub use error::NetworkError;
pub use graph::{Coverage, ModeSet, Network};
pub use grid::GridNetwork;
pub use osm::{OsmReport, OsmRoads};
pub use road_ends::EndJoin;
pub use routing::{RouteCalculator, RoutePath, RouteRequest, RouteSpeeds, Router};
