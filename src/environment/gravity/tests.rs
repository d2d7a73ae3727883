//! The gravity model against observed commuting and against its own formula.

use std::collections::BTreeMap;

use super::*;
use crate::base::rng::Purpose;
use crate::base::units::{LngLat, Point, Projection};
use crate::environment::zone::ZoneTotals;

struct Counties {
    centres: Vec<Point>,
    radii_m: Vec<f64>,
    inhabitants: Vec<f64>,
    /// Observed commuters, row by row.
    flows: Vec<f64>,
}

impl Counties {
    fn load() -> Self {
        let folder =
            std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/ny_commuting");
        let rows = |name: &str| {
            let reader = csv::Reader::from_path(folder.join(name)).unwrap();
            reader.into_deserialize::<Vec<f64>>().map(Result::unwrap).collect::<Vec<_>>()
        };
        let counties = rows("counties.csv");
        let plane = Projection::new(LngLat { lng: -75.5, lat: 42.8 });
        let index: BTreeMap<i64, usize> =
            counties.iter().enumerate().map(|(i, county)| (county[0] as i64, i)).collect();
        let mut flows = vec![0.0; counties.len() * counties.len()];
        for row in rows("flows.csv") {
            let cell = index[&(row[1] as i64)] * counties.len() + index[&(row[2] as i64)];
            flows[cell] = row[0];
        }
        let centre = |county: &Vec<f64>| plane.to_plane(LngLat { lng: county[1], lat: county[2] });
        let radius_m = |county: &Vec<f64>| (county[3] * 1e6 / std::f64::consts::PI).sqrt();
        Self {
            centres: counties.iter().map(centre).collect(),
            radii_m: counties.iter().map(radius_m).collect(),
            inhabitants: counties.iter().map(|county| county[4]).collect(),
            flows,
        }
    }

    fn outflows(&self) -> Vec<f64> {
        self.flows.chunks(self.centres.len()).map(|row| row.iter().sum()).collect()
    }

    /// Jobs held by commuters, by county of work.
    fn jobs(&self) -> Vec<f64> {
        let count = self.centres.len();
        (0..count).map(|to| self.flows.iter().skip(to).step_by(count).sum()).collect()
    }

    fn common_part(&self, attractions: &[f64], decay: Decay) -> f64 {
        let distance_m = |from: usize, to: usize| match from == to {
            true => 0.5 * self.radii_m[from],
            false => f64::from(self.centres[from].distance_m(self.centres[to])),
        };
        let predicted = predict_flows(&self.outflows(), attractions, decay, distance_m);
        common_part_of_commuters(&predicted, &self.flows)
    }
}

/// The best of `candidates`, by `score`.
fn best(candidates: impl Iterator<Item = f64>, score: impl Fn(f64) -> f64) -> (f64, f64) {
    candidates.map(|c| (score(c), c)).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap()
}

/// Known answer: the reference accompanying the data is a common part of commuters of 0.80 or
/// more for a gravity model with one fitted parameter; 66.3 % commute within their county.
#[test]
fn one_parameter_reproduces_the_commuters_of_new_york_state() {
    let counties = Counties::load();
    assert_eq!(counties.flows.iter().sum::<f64>(), 8_831_941.0);
    let jobs = counties.jobs();
    let exponential = best((8..=40).map(|half_km| f64::from(half_km) * 500.0), |scale_m| {
        counties.common_part(&jobs, Decay::Exponential { scale_m })
    });
    let power = best((10..=40).map(|tenth| f64::from(tenth) / 10.0), |exponent| {
        counties.common_part(&jobs, Decay::Power { exponent })
    });
    assert!(exponential.0 >= 0.83, "exponential {exponential:?}");
    assert!(power.0 >= 0.80, "power {power:?}");
    // What distance explains: without it the model is far worse; with inhabitants in place of
    // jobs it is somewhat worse, since jobs draw commuters and inhabitants do not.
    let blind = counties.common_part(&jobs, Decay::Power { exponent: 0.0 });
    assert!(blind < 0.4, "{blind}");
    let decay = Decay::Exponential { scale_m: exponential.1 };
    assert!(counties.common_part(&counties.inhabitants, decay) < exponential.0);
}

/// Contract of a production-constrained model: each origin sends out what it has.
#[test]
fn predicted_flows_sum_to_the_outflows() {
    let distance_m = |from: usize, to: usize| 1e7 * from.abs_diff(to) as f64;
    // At 10,000 km and a scale of 100 m, `exp(-d / scale)` underflows; the shares must not.
    let decay = Decay::Exponential { scale_m: 100.0 };
    let flows = predict_flows(&[5.0, 7.0, 0.0], &[0.0, 2.0, 1.0], decay, distance_m);
    let sums: Vec<f64> = flows.chunks(3).map(|row| row.iter().sum()).collect();
    assert_eq!(sums, [5.0, 7.0, 0.0]);
    assert_eq!(flows[1], 5.0);
}

/// Three zones 1 km apart in a row, with shops of 1, 2 and 4.
fn three_zones() -> (Zones, Places) {
    let centre = |k: u8| Point { x_m: 1_000.0 * f32::from(k), y_m: 0.0 };
    let centres: Vec<Point> = (0..3).map(centre).collect();
    let zones =
        Zones::new(vec![ZoneTotals::default(); 3], centres.clone(), vec![400.0; 3]).unwrap();
    let mut places = Places::default();
    for (zone, weight) in [(0, 1.0), (1, 0.5), (1, 1.5), (2, 4.0)] {
        places.push(PlaceKind::Shop, ZoneId(zone), centres[zone as usize], weight);
    }
    places.push(PlaceKind::School, ZoneId(2), centres[2], 3.0);
    places.freeze();
    (zones, places)
}

/// By hand, from zone 0 with a scale of 1 km: weights 1 exp(-0.2), 2 exp(-1), 4 exp(-2); a count
/// of 20,000 draws has a standard deviation of at most 71.
#[test]
fn destinations_are_drawn_as_the_formula_says() {
    let (zones, places) = three_zones();
    let params = GravityParams { decay_m: [1_000.0; KIND_COUNT] };
    let choice = DestinationChoice::build(&zones, &places, &params).unwrap();
    let mut stream = Stream::of_index(1, 0, Purpose::Destination);
    let mut counts = [0.0_f64; 5];
    for _ in 0..20_000 {
        let place = choice.choose(&places, ZoneId(0), PlaceKind::Shop, &mut stream).unwrap();
        counts[place.index()] += 1.0;
    }
    let weights = [(-0.2_f64).exp(), 0.5 * (-1.0_f64).exp(), 1.5 * (-1.0_f64).exp()];
    let total = weights.iter().sum::<f64>() + 4.0 * (-2.0_f64).exp();
    for (count, weight) in counts.iter().zip(weights) {
        assert!((count - 20_000.0 * weight / total).abs() < 4.0 * 71.0, "{counts:?}");
    }
    assert_eq!(counts[4], 0.0);
}

#[test]
fn a_kind_is_sought_where_it_is_or_not_at_all() {
    let (zones, places) = three_zones();
    let choice = DestinationChoice::build(&zones, &places, &GravityParams::default()).unwrap();
    let mut stream = Stream::of_index(1, 0, Purpose::Destination);
    let school = Some(PlaceId(4));
    for zone in zones.ids() {
        assert_eq!(choice.choose(&places, zone, PlaceKind::School, &mut stream), school);
        assert_eq!(choice.choose_in(&places, zone, PlaceKind::School, &mut stream), school);
        let shop = choice.choose_in(&places, zone, PlaceKind::Shop, &mut stream).unwrap();
        assert_eq!(places.zone(shop), zone);
        assert_eq!(choice.choose(&places, zone, PlaceKind::Work, &mut stream), None);
        assert_eq!(choice.choose_in(&places, zone, PlaceKind::Work, &mut stream), None);
        assert_eq!(choice.choose(&places, zone, PlaceKind::Home, &mut stream), None);
    }
    let params = GravityParams { decay_m: [0.0; KIND_COUNT] };
    assert!(DestinationChoice::build(&zones, &places, &params).is_err());
}
