//! Reads the roads of an OpenStreetMap XML extract (`.osm`, or packed with gzip).
//!
//! The file is read once, as a stream. Nodes and ways may come in any order; relations (turn
//! restrictions, areas) are passed over. Document types and entities other than XML's own five
//! are refused, and every list has a bound, so a hostile file ends in an error.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;

use crate::base::units::{LngLat, Point, Projection};

use super::error::NetworkError;
use super::graph::{Network, Stretch};
use super::highway::{RoadTags, RoadUse, road_use};
use super::osm_xml::{Limits, Reading};
use super::road_ends::EndJoin;

/// The first two bytes of a gzip file (RFC 1952).
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];

/// A way that somebody may use.
#[derive(Debug, Clone, PartialEq)]
pub struct OsmWay {
    /// Its OpenStreetMap number.
    pub id: i64,
    /// OpenStreetMap numbers of its nodes, in the order in which it is drawn.
    pub nodes: Vec<i64>,
    /// Who may use it, and how fast.
    pub road: RoadUse,
}

/// What a file says about roads.
#[derive(Debug, Clone, Default)]
pub struct OsmRoads {
    /// Position of every node that a usable way names and the file holds; sorted by number.
    pub nodes: Vec<(i64, LngLat)>,
    /// Usable ways, sorted by number.
    pub ways: Vec<OsmWay>,
    /// South-west and north-east corner that the file declares.
    pub bounds: Option<(LngLat, LngLat)>,
    /// Counts for the user.
    pub report: OsmReport,
}

/// What was found in a file and what could not be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OsmReport {
    /// Nodes in the file.
    pub node_count: usize,
    /// Ways with a `highway` tag.
    pub highway_count: usize,
    /// Of these, ways that nobody may use (under construction, private, unknown class).
    pub unusable_way_count: usize,
    /// References of usable ways to nodes that are not in the file; the road is cut there.
    pub missing_ref_count: usize,
    /// Usable ways whose `maxspeed` has no fixed meaning; the class default is used.
    pub ignored_speed_count: usize,
}

impl OsmRoads {
    /// Reads a file. Packed files are known by their first bytes, not by their name.
    ///
    /// # Errors
    /// [`NetworkError`] with file and line: not readable, not XML, not OpenStreetMap, a node
    /// without a valid position, larger than this reader's limits, or without any road.
    pub fn read(path: &Path) -> Result<Self, NetworkError> {
        let open = |source| NetworkError::Open { path: path.to_owned(), source };
        let file = File::open(path).map_err(open)?;
        let mut file = BufReader::with_capacity(1 << 16, file);
        if file.fill_buf().map_err(open)?.starts_with(&GZIP_MAGIC) {
            Self::read_text(MultiGzDecoder::new(file), path, Limits::DEFAULT)
        } else {
            Self::read_text(file, path, Limits::DEFAULT)
        }
    }

    /// Reads unpacked text; `path` is for messages.
    pub(super) fn read_text(
        text: impl Read,
        path: &Path,
        limits: Limits,
    ) -> Result<Self, NetworkError> {
        let reading = Reading::of(text, path, limits)?;
        let mut roads = Self { bounds: reading.bounds, ..Self::default() };
        roads.report.node_count = reading.nodes.len();
        roads.report.highway_count = reading.ways.len();
        for (id, nodes, tags) in reading.ways {
            roads.add_way(id, nodes, &tags);
        }
        roads.ways.sort_by_key(|way| way.id);
        roads.ways.dedup_by_key(|way| way.id);
        roads.nodes = reading.nodes;
        roads.keep_road_nodes();
        if roads.stretches().next().is_none() {
            return Err(NetworkError::NoRoads {
                path: path.to_owned(),
                way_count: roads.report.highway_count,
                missing_ref_count: roads.report.missing_ref_count,
            });
        }
        Ok(roads)
    }

    fn add_way(&mut self, id: i64, nodes: Vec<i64>, tags: &RoadTags) {
        match road_use(tags) {
            Some(road) => {
                self.report.ignored_speed_count += usize::from(road.speed_ignored);
                self.ways.push(OsmWay { id, nodes, road });
            }
            None => self.report.unusable_way_count += 1,
        }
    }

    /// Sorts the nodes and drops those that no usable way names; counts names without a node.
    fn keep_road_nodes(&mut self) {
        let mut named: Vec<i64> = self.ways.iter().flat_map(|way| &way.nodes).copied().collect();
        named.sort_unstable();
        named.dedup();
        self.nodes.retain(|(id, _)| named.binary_search(id).is_ok());
        self.nodes.sort_by_key(|(id, _)| *id);
        self.nodes.dedup_by_key(|(id, _)| *id);
        let missing = |id: &&i64| self.node_index(**id).is_none();
        self.report.missing_ref_count =
            self.ways.iter().flat_map(|way| &way.nodes).filter(missing).count();
    }

    /// Position of a node in [`Self::nodes`].
    fn node_index(&self, id: i64) -> Option<u32> {
        self.nodes.binary_search_by_key(&id, |(id, _)| *id).ok().map(|index| index as u32)
    }

    /// The pieces between neighbouring nodes of all ways; a piece with a missing end is left out.
    fn stretches(&self) -> impl Iterator<Item = Stretch> {
        self.ways.iter().flat_map(|way| {
            way.nodes.windows(2).filter_map(|pair| {
                Some(Stretch {
                    from: self.node_index(pair[0])?,
                    to: self.node_index(pair[1])?,
                    forward: way.road.forward,
                    backward: way.road.backward,
                    car_mps: way.road.speed_kmh.max(1.0) / 3.6,
                    detour_factor: 1.0,
                })
            })
        })
    }

    /// The middle of the declared bounds, or of the road nodes where none are declared.
    pub fn centre(&self) -> LngLat {
        let (low, high) = self.bounds.unwrap_or_else(|| {
            let least = LngLat { lng: f64::INFINITY, lat: f64::INFINITY };
            let most = LngLat { lng: f64::NEG_INFINITY, lat: f64::NEG_INFINITY };
            self.nodes.iter().fold((least, most), |(low, high), (_, at)| {
                (
                    LngLat { lng: low.lng.min(at.lng), lat: low.lat.min(at.lat) },
                    LngLat { lng: high.lng.max(at.lng), lat: high.lat.max(at.lat) },
                )
            })
        });
        LngLat { lng: (low.lng + high.lng) / 2.0, lat: (low.lat + high.lat) / 2.0 }
    }

    /// The road network, on a plane around [`Self::centre`]. Its nodes are in the order of their
    /// OpenStreetMap numbers, so the order of the file does not matter.
    ///
    /// `join` stands in for the streets that an extract of main roads leaves out; without it such
    /// an extract is hardly connected (see [`Network::coverage`]).
    ///
    /// # Errors
    /// Those of [`EndJoin`]; none without it.
    pub fn network(&self, join: Option<&EndJoin>) -> Result<Network, NetworkError> {
        let projection = Projection::new(self.centre());
        let points: Vec<Point> =
            self.nodes.iter().map(|(_, at)| projection.to_plane(*at)).collect();
        let mut stretches: Vec<Stretch> = self.stretches().collect();
        if let Some(join) = join {
            stretches.extend(join.joins(&points, &stretches)?);
        }
        Ok(Network::new(projection, &points, &stretches))
    }
}

#[cfg(test)]
mod tests;
