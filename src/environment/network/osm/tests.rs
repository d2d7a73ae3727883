//! Tests of the OpenStreetMap reader.

use std::io::Write;

use proptest::prelude::*;

use super::*;
use crate::agent::activity::Mode;
use crate::environment::network::graph::{Coverage, ModeSet};

const ZURICH: &str = "scenarios/data/zurich_roads/zrh-center-bigroads.osm.gz";

fn read(text: &str) -> Result<OsmRoads, NetworkError> {
    OsmRoads::read_text(text.as_bytes(), Path::new("town.osm"), Limits::DEFAULT)
}

fn message(text: &str) -> String {
    read(text).unwrap_err().to_string()
}

/// A street of three nodes at 36 km/h with a fourth that is missing, and a footpath.
const TOWN: &str = r#"<?xml version="1.0"?>
<osm version="0.6">
  <way id="9"><nd ref="3"/><nd ref="77"/><nd ref="2"/><nd ref="1"/>
    <tag k="highway" v="residential"/><tag k="maxspeed" v="36"/>
    <tag k="name" v="H&amp;M &#228; street"/></way>
  <way id="8"><nd ref="3"/><nd ref="2"/><tag k="highway" v="footway"/></way>
  <way id="7"><nd ref="3"/><nd ref="2"/><tag k="building" v="yes"/></way>
  <way id="6"><nd ref="3"/><nd ref="2"/><tag k="highway" v="construction"/></way>
  <node id="3" lon="8.502" lat="47.4"><tag k="highway" v="crossing"/></node>
  <node id="2" lon="8.501" lat="47.4"/>
  <node id="1" lon="8.500" lat="47.4"/>
  <node id="5" lon="8.900" lat="47.4"/>
  <relation id="1"><member type="way" ref="9" role=""/><tag k="highway" v="x"/></relation>
</osm>"#;

#[test]
fn nodes_and_ways_may_come_in_any_order() {
    let roads = read(TOWN).unwrap();
    assert_eq!(roads.nodes.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(roads.ways.iter().map(|way| way.id).collect::<Vec<_>>(), [8, 9]);
    let expected = OsmReport {
        node_count: 4,
        highway_count: 3,
        unusable_way_count: 1,
        missing_ref_count: 1,
        ignored_speed_count: 0,
    };
    assert_eq!(roads.report, expected);
}

/// The street is cut at the missing node, the footpath stays whole. A thousandth of a degree of
/// longitude at 47.4 degrees north is 75.26 m, 7.526 s at 36 km/h.
#[test]
fn roads_are_cut_at_missing_nodes() {
    let network = read(TOWN).unwrap().network(None).unwrap();
    assert_eq!(network.node_count(), 3);
    assert_eq!(network.coverage(Mode::Car).kept_node_count, 2);
    assert_eq!(network.coverage(Mode::Walk).kept_node_count, 3);
    let street = network.links_from(0)[0];
    assert!((i64::from(street.length_mm) - 75_265).abs() < 20, "{street:?}");
    assert!((i64::from(street.car_ms) - 7_526).abs() < 3, "{street:?}");
    assert_eq!(network.node_modes(2), ModeSet::WALK);
}

#[test]
fn mistakes_name_file_line_and_what_is_allowed() {
    let broken = |from: &str, to: &str| message(&TOWN.replace(from, to));
    assert_eq!(
        broken(r#"lon="8.501""#, r#"lon="east""#),
        r#"town.osm:10: <node> lon is "east", expected degrees from -180 to 180"#
    );
    assert_eq!(
        broken(r#" lat="47.4"/>"#, "/>"),
        "town.osm:10: <node> lat is missing, expected degrees from -90 to 90"
    );
    assert_eq!(
        broken(r#"<nd ref="77"/>"#, r#"<nd ref="7 7"/>"#),
        r#"town.osm:3: <nd> ref is "7 7", expected a whole number"#
    );
    assert_eq!(message("<html>\n</html>"), "town.osm:1: found root element <html>; expected <osm>");
    assert!(broken("</osm>", "").contains("town.osm:14: found the end of the file inside 1"));
    assert!(broken("</way>", "</wax>").starts_with("town.osm:5: cannot read on: "));
    assert!(broken("H&amp;M", "H&boom;M").starts_with("town.osm:5: cannot read on: "));
    assert!(broken("highway", "railway").starts_with("town.osm: no usable road among 0 ways"));
    assert!(message("").contains("no node and no way"));
}

/// The billion-laughs family: no document type, no entity, no endless item, no deep nesting.
#[test]
fn hostile_files_are_refused() {
    let declared = format!("<!DOCTYPE osm [<!ENTITY a \"b\">]>\n{}", &TOWN[22..]);
    assert!(message(&declared).contains("town.osm:1: found a document type declaration"));
    assert!(message("<osm>\n&boom;</osm>").contains("town.osm:2: found the entity &boom;"));
    assert!(message(&"<osm>".repeat(40)).contains("more than 16 levels of elements"));
    let endless = format!("<osm>\n<!--{}--></osm>", "x".repeat(3 << 20));
    assert!(message(&endless).contains("town.osm:2: cannot read on: I/O error: one item has more"));
    let few = |limits| {
        OsmRoads::read_text(TOWN.as_bytes(), Path::new("town.osm"), limits).unwrap_err().to_string()
    };
    let message = few(Limits { nodes_max: 3, ..Limits::DEFAULT });
    assert_eq!(message, "town.osm:12: more than 3 nodes; cut a smaller extract");
    let message = few(Limits { refs_max: 3, ..Limits::DEFAULT });
    assert_eq!(message, "town.osm:3: more than 3 nodes named by ways; cut a smaller extract");
    assert!(few(Limits { file_bytes_max: 90, ..Limits::DEFAULT }).contains("90 bytes unpacked"));
}

#[test]
fn packed_files_are_known_by_their_bytes_and_may_not_be_cut_off() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("town.osm");
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(TOWN.as_bytes()).unwrap();
    let packed = packer.finish().unwrap();
    std::fs::write(&path, &packed).unwrap();
    assert_eq!(OsmRoads::read(&path).unwrap().report, read(TOWN).unwrap().report);
    std::fs::write(&path, &packed[..packed.len() / 2]).unwrap();
    assert!(matches!(OsmRoads::read(&path), Err(NetworkError::Xml { .. })));
    let absent = OsmRoads::read(&folder.path().join("absent.osm")).unwrap_err();
    assert!(matches!(absent, NetworkError::Open { .. }));
}

/// Counts found with an independent XML library and a search by hand: 6,004 nodes; 560 ways, all
/// of them motorways, trunk roads and slip roads, none of which may be walked; 150 nodes outside
/// the extract; 6 speed limits that read `signals`; 4,037 nodes on roads. As the file stands, no
/// more than 17 of these reach each other both ways; with joined ends all do.
#[test]
fn the_zurich_extract_is_read_whole() {
    let roads = OsmRoads::read(Path::new(ZURICH)).unwrap();
    let expected = OsmReport {
        node_count: 6_004,
        highway_count: 560,
        unusable_way_count: 0,
        missing_ref_count: 150,
        ignored_speed_count: 6,
    };
    assert_eq!(roads.report, expected);
    let bare = roads.network(None).unwrap();
    let expected = Coverage { read_node_count: 4_037, kept_node_count: 17 };
    assert_eq!(bare.coverage(Mode::Car), expected);
    let network = roads.network(Some(&EndJoin::default())).unwrap();
    assert_eq!(network.coverage(Mode::Car).dropped_node_count(), 0);
    assert_eq!(network.node_count(), 4_037);
    assert_eq!(network.coverage(Mode::Walk), Coverage::default());
    let centre = roads.centre();
    assert!((centre.lng - 8.6825).abs() < 1e-6 && (centre.lat - 47.4235).abs() < 1e-6);
}

/// Lengths on the plane differ from great circles (haversine, same radius) by less than 0.3 %.
#[test]
fn plane_lengths_are_close_to_great_circles() {
    let join = EndJoin { detour_factor: 1.0, ..EndJoin::default() };
    let network = OsmRoads::read(Path::new(ZURICH)).unwrap().network(Some(&join)).unwrap();
    let (mut plane_m, mut sphere_m) = (0.0, 0.0);
    for node in 0..network.node_count() as u32 {
        let from = network.projection().to_lng_lat(network.point(node));
        for link in network.links_from(node) {
            let to = network.projection().to_lng_lat(network.point(link.to));
            let half_lat = ((to.lat - from.lat).to_radians() / 2.0).sin();
            let half_lng = ((to.lng - from.lng).to_radians() / 2.0).sin();
            let parallels = from.lat.to_radians().cos() * to.lat.to_radians().cos();
            let chord = half_lat * half_lat + parallels * half_lng * half_lng;
            let arc_m = 2.0 * 6_371_008.8 * chord.sqrt().asin();
            let length_m = f64::from(link.length_mm) / 1e3;
            assert!((length_m - arc_m).abs() < 0.003 * arc_m + 0.01, "{length_m} {arc_m}");
            plane_m += length_m;
            sphere_m += arc_m;
        }
    }
    assert!((plane_m / sphere_m - 1.0).abs() < 0.001, "{plane_m} {sphere_m}");
}

proptest! {
    /// A damaged file is read or refused with a message, never a panic.
    #[test]
    fn damaged_files_do_not_panic(
        at in 0..TOWN.len(),
        cut in 0..40_usize,
        patch in "[<>/&;\"'= a-z0-9!?\\-]{0,6}",
    ) {
        let mut bytes = TOWN.as_bytes().to_vec();
        let end = (at + cut).min(bytes.len());
        bytes.splice(at..end, patch.bytes());
        let path = Path::new("town.osm");
        match OsmRoads::read_text(bytes.as_slice(), path, Limits::DEFAULT) {
            Ok(roads) => {
                let network = roads.network(Some(&EndJoin::default())).unwrap();
                prop_assert!(network.node_count() <= roads.nodes.len());
            }
            Err(error) => prop_assert!(error.to_string().starts_with("town.osm:")),
        }
    }
}
