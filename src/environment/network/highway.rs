//! OpenStreetMap road tags read as: who may use the road, which way, and how fast cars go.
//!
//! The rules follow the OpenStreetMap wiki (pages "Key:highway", "Key:access", "Key:oneway",
//! "Key:maxspeed"); default speeds are rounded own choices for central Europe, below the legal
//! limit where streets rarely let cars reach it.

use std::collections::BTreeMap;

use super::graph::ModeSet;

/// The tags that [`road_use`] looks at.
pub const ROAD_KEYS: [&str; 11] = [
    "highway",
    "oneway",
    "junction",
    "maxspeed",
    "motorroad",
    "access",
    "vehicle",
    "motor_vehicle",
    "motorcar",
    "bicycle",
    "foot",
];

/// The tags of one way, as far as they matter here.
#[derive(Debug, Clone, Default)]
pub struct RoadTags(BTreeMap<&'static str, String>);

impl RoadTags {
    /// Notes a tag; does nothing if the key is not one of [`ROAD_KEYS`].
    pub fn insert(&mut self, key: &str, value: &str) {
        if let Some(known) = ROAD_KEYS.iter().find(|known| **known == key) {
            self.0.insert(known, value.to_owned());
        }
    }

    /// The value of a tag.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }
}

/// What a road is good for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoadUse {
    /// Who may go in the direction in which the way is drawn.
    pub forward: ModeSet,
    /// Who may go against it.
    pub backward: ModeSet,
    /// Speed of cars without traffic, in km/h.
    pub speed_kmh: f32,
    /// Whether a `maxspeed` tag was there but not understood (the class default is used).
    pub speed_ignored: bool,
}

const CAR: ModeSet = ModeSet::CAR;
const BIKE: ModeSet = ModeSet::BIKE;
const WALK: ModeSet = ModeSet::WALK;
const ALL: ModeSet = ModeSet::ALL;
const SLOW: ModeSet = BIKE.with(WALK);

/// Class, default speed of cars in km/h (0 = no car, whatever the access tags say), users.
const CLASSES: [(&str, f32, ModeSet); 25] = [
    ("motorway", 100.0, CAR),
    ("motorway_link", 60.0, CAR),
    ("trunk", 80.0, CAR),
    ("trunk_link", 50.0, CAR),
    ("primary", 60.0, ALL),
    ("primary_link", 50.0, ALL),
    ("secondary", 50.0, ALL),
    ("secondary_link", 45.0, ALL),
    ("tertiary", 45.0, ALL),
    ("tertiary_link", 40.0, ALL),
    ("unclassified", 40.0, ALL),
    ("residential", 30.0, ALL),
    ("road", 30.0, ALL),
    ("living_street", 15.0, ALL),
    ("service", 15.0, ALL),
    ("track", 15.0, SLOW),
    ("pedestrian", 10.0, SLOW),
    ("cycleway", 0.0, BIKE),
    ("path", 0.0, SLOW),
    ("footway", 0.0, WALK),
    ("steps", 0.0, WALK),
    ("bridleway", 0.0, WALK),
    ("corridor", 0.0, WALK),
    ("platform", 0.0, WALK),
    ("crossing", 0.0, WALK),
];

/// Reads the tags of a way. `None` if it is no road, or nobody may use it.
pub fn road_use(tags: &RoadTags) -> Option<RoadUse> {
    let class = tags.get("highway")?;
    let &(_, class_kmh, class_modes) = CLASSES.iter().find(|(name, ..)| *name == class)?;
    let modes = allowed_modes(tags, class_kmh, class_modes);
    let (forth, back) = car_directions(tags, class);
    let tagged_kmh = tags.get("maxspeed").map(speed_kmh);
    let road = RoadUse {
        // One-way rules bind cars only: people on foot and bicycle go both ways.
        forward: if forth { modes } else { modes.without(CAR) },
        backward: if back { modes } else { modes.without(CAR) },
        speed_kmh: tagged_kmh.flatten().unwrap_or(class_kmh),
        speed_ignored: tagged_kmh == Some(None),
    };
    (!road.forward.with(road.backward).is_empty()).then_some(road)
}

/// The class's users, changed by the access tags; the more special tag wins.
fn allowed_modes(tags: &RoadTags, class_kmh: f32, class_modes: ModeSet) -> ModeSet {
    let motorroad = tags.get("motorroad") == Some("yes");
    let class_modes = if motorroad { class_modes.without(SLOW) } else { class_modes };
    let rules: [(ModeSet, &[&str]); 3] = [
        (CAR, &["motorcar", "motor_vehicle", "vehicle"]),
        (BIKE, &["bicycle", "vehicle"]),
        (WALK, &["foot"]),
    ];
    let mut modes = ModeSet::NONE;
    for (mode, keys) in rules {
        let special = keys.iter().find_map(|key| tags.get(key).and_then(access));
        // The general tag can close a road but not open it: access=yes on a footpath is no
        // invitation to drive there.
        let open = special.unwrap_or_else(|| {
            class_modes.contains(mode) && tags.get("access").and_then(access) != Some(false)
        });
        if open && (mode != CAR || class_kmh > 0.0) {
            modes = modes.with(mode);
        }
    }
    modes
}

/// Whether an access value lets the public through; `None` if it says nothing about that.
fn access(value: &str) -> Option<bool> {
    match value {
        "yes" | "permissive" | "designated" | "official" | "destination" | "customers"
        | "permit" => Some(true),
        "no" | "private" | "agricultural" | "forestry" | "delivery" | "emergency" | "military"
        | "psv" | "bus" | "use_sidepath" | "dismount" => Some(false),
        _ => None,
    }
}

/// Whether cars may go along the way as it is drawn, and against it.
fn car_directions(tags: &RoadTags, class: &str) -> (bool, bool) {
    let implied =
        class == "motorway" || matches!(tags.get("junction"), Some("roundabout" | "circular"));
    match tags.get("oneway") {
        Some("yes" | "true" | "1") => (true, false),
        Some("-1" | "reverse") => (false, true),
        Some("no" | "false" | "0") => (true, true),
        // Opened one way or the other by the hour: not a road one can plan with.
        Some("reversible") => (false, false),
        _ => (true, !implied),
    }
}

/// Speed in km/h of a `maxspeed` value; `None` if it has no fixed meaning or is out of 1 to 200.
///
/// Understands numbers (`50`, `30 mph`, `10 knots`), the first of a list (`80;60`), `none`
/// (130, the advisory speed of German motorways), `walk` (6) and country defaults such as
/// `CH:urban` or `DE:zone30`; the words get their Swiss values except rural roads abroad.
pub fn speed_kmh(value: &str) -> Option<f32> {
    let first = value.split([';', '|']).next().unwrap_or_default().trim();
    let kmh = match first {
        "none" => 130.0,
        "walk" => 6.0,
        _ => match first.split_once(':') {
            Some((country, word)) => country_speed_kmh(country, word)?,
            None => number_speed_kmh(first)?,
        },
    };
    (1.0..=200.0).contains(&kmh).then_some(kmh)
}

fn number_speed_kmh(text: &str) -> Option<f32> {
    let digits = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(digits);
    let factor = match unit.trim() {
        "" | "km/h" | "kmh" | "kph" => 1.0,
        "mph" => 1.609_344,
        "knots" => 1.852,
        _ => return None,
    };
    number.parse::<f32>().ok().map(|number| number * factor)
}

fn country_speed_kmh(country: &str, word: &str) -> Option<f32> {
    match word {
        "urban" => Some(50.0),
        "rural" if matches!(country, "DE" | "AT") => Some(100.0),
        "rural" => Some(80.0),
        "trunk" => Some(100.0),
        "motorway" => Some(120.0),
        "living_street" => Some(20.0),
        "walk" => Some(6.0),
        _ => word.trim_start_matches("zone").trim_start_matches(':').parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tags(pairs: &[(&str, &str)]) -> RoadTags {
        let mut tags = RoadTags::default();
        for (key, value) in pairs {
            tags.insert(key, value);
        }
        tags
    }

    /// The examples of the wiki page "Key:maxspeed".
    #[test]
    fn speeds_are_read_as_the_wiki_says() {
        let close = |value, kmh: f32| (speed_kmh(value).unwrap() - kmh).abs() < 0.01;
        assert!(close("60", 60.0) && close("50 mph", 80.47) && close("10 knots", 18.52));
        assert!(
            close("CH:urban", 50.0) && close("RO:motorway", 120.0) && close("DE:zone:30", 30.0)
        );
        assert!(close("AT:zone30", 30.0) && close("80;60", 80.0) && close("30 km/h", 30.0));
        for ignored in ["signals", "variable", "", "fast", "0", "900", "50 furlongs", "CH:nonsense"]
        {
            assert_eq!(speed_kmh(ignored), None, "{ignored}");
        }
    }

    /// The wiki page "Key:oneway": yes, -1, and implied by roundabouts and motorways.
    #[test]
    fn one_way_rules_bind_cars_only() {
        let use_of = |pairs: &[(&str, &str)]| road_use(&tags(pairs)).unwrap();
        let street = use_of(&[("highway", "residential"), ("oneway", "yes")]);
        assert_eq!((street.forward, street.backward), (ALL, SLOW));
        let street = use_of(&[("highway", "residential"), ("oneway", "-1")]);
        assert_eq!((street.forward, street.backward), (SLOW, ALL));
        let street = use_of(&[("highway", "primary"), ("junction", "roundabout")]);
        assert_eq!((street.forward, street.backward), (ALL, SLOW));
        let street = use_of(&[("highway", "motorway")]);
        assert_eq!((street.forward, street.backward), (CAR, ModeSet::NONE));
        let street = use_of(&[("highway", "motorway"), ("oneway", "no")]);
        assert_eq!((street.forward, street.backward), (CAR, CAR));
    }

    /// The wiki page "Key:access": the most special tag decides.
    #[test]
    fn access_tags_open_and_close_roads() {
        let modes = |pairs: &[(&str, &str)]| road_use(&tags(pairs)).map(|road| road.forward);
        assert_eq!(modes(&[("highway", "service"), ("access", "private")]), None);
        assert_eq!(modes(&[("highway", "service"), ("access", "no"), ("foot", "yes")]), Some(WALK));
        assert_eq!(modes(&[("highway", "residential"), ("vehicle", "no")]), Some(WALK));
        assert_eq!(modes(&[("highway", "track"), ("motor_vehicle", "permissive")]), Some(ALL));
        assert_eq!(modes(&[("highway", "footway"), ("access", "yes")]), Some(WALK));
        assert_eq!(modes(&[("highway", "footway"), ("motorcar", "yes")]), Some(WALK));
        assert_eq!(modes(&[("highway", "trunk"), ("foot", "yes")]), Some(CAR.with(WALK)));
        assert_eq!(modes(&[("highway", "primary"), ("motorroad", "yes")]), Some(CAR));
        assert_eq!(modes(&[("highway", "proposed")]), None);
        assert_eq!(modes(&[("railway", "tram")]), None);
    }

    #[test]
    fn unreadable_limits_fall_back_to_the_class() {
        let road = road_use(&tags(&[("highway", "secondary"), ("maxspeed", "signals")])).unwrap();
        assert_eq!((road.speed_kmh, road.speed_ignored), (50.0, true));
        let road = road_use(&tags(&[("highway", "secondary")])).unwrap();
        assert_eq!((road.speed_kmh, road.speed_ignored), (50.0, false));
    }
}
