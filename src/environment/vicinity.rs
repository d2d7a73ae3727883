//! Who lives near whom: the nearest other homes of each home.

use rstar::RTree;
use rstar::primitives::GeomWithData;

use super::place::Places;
use crate::agent::activity::PlaceKind;
use crate::base::ids::PlaceId;
use crate::base::parallel;

/// Places that one piece of parallel work looks at.
const PIECE: usize = 4_096;

/// The `count` nearest other homes of each home: a row of `count` for each place, nearest first;
/// none for other places, and where there are fewer homes.
pub fn nearest_homes(places: &Places, count: usize) -> Vec<PlaceId> {
    let position = |place: PlaceId| {
        let point = places.point(place);
        [point.x_m, point.y_m]
    };
    let is_home = |place: &PlaceId| places.kind(*place) == PlaceKind::Home;
    let homes = (0..places.len()).map(PlaceId::from_index).filter(is_home);
    let homes = homes.map(|home| GeomWithData::new(position(home), home)).collect();
    let homes: RTree<GeomWithData<[f32; 2], PlaceId>> = RTree::bulk_load(homes);
    let mut nearest = vec![PlaceId::NONE; places.len() * count];
    let pieces = nearest.chunks_mut(count * PIECE).enumerate().collect();
    parallel::for_each(pieces, |(piece, rows): (usize, &mut [PlaceId])| {
        for (index, row) in rows.chunks_mut(count).enumerate() {
            let place = PlaceId::from_index(piece * PIECE + index);
            if !is_home(&place) {
                continue;
            }
            let near = homes.nearest_neighbor_iter(position(place)).map(|home| home.data);
            let others = near.filter(|home| *home != place);
            row.iter_mut().zip(others).for_each(|(slot, home)| *slot = home);
        }
    });
    nearest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::ZoneId;
    use crate::base::rng::{Purpose, Stream};
    use crate::base::units::Point;

    /// Right values from looking at every pair.
    #[test]
    fn the_nearest_homes_are_those_of_a_search_of_all_pairs() {
        let mut places = Places::default();
        let mut stream = Stream::of_index(7, 0, Purpose::City);
        for index in 0..300 {
            let kind = if index % 3 == 0 { PlaceKind::Shop } else { PlaceKind::Home };
            let (x_m, y_m) = (stream.unit_f32() * 900.0, stream.unit_f32() * 900.0);
            places.push(kind, ZoneId(0), Point { x_m, y_m }, 1.0);
        }
        let count = 5;
        let nearest = nearest_homes(&places, count);
        for index in 0..places.len() {
            let own = &nearest[index * count..(index + 1) * count];
            let place = PlaceId::from_index(index);
            if places.kind(place) != PlaceKind::Home {
                assert!(own.iter().all(|other| !other.is_some()));
                continue;
            }
            let here = places.point(place);
            let mut all: Vec<(f32, PlaceId)> = (0..places.len())
                .map(PlaceId::from_index)
                .filter(|other| *other != place && places.kind(*other) == PlaceKind::Home)
                .map(|other| {
                    let there = places.point(other);
                    let (x, y) = (there.x_m - here.x_m, there.y_m - here.y_m);
                    (x * x + y * y, other)
                })
                .collect();
            all.sort_by(|a, b| a.partial_cmp(b).unwrap());
            let wanted: Vec<PlaceId> = all.iter().take(count).map(|(_, other)| *other).collect();
            assert_eq!(own, wanted, "of place {index}");
        }
    }

    #[test]
    fn a_single_home_has_no_other() {
        let mut places = Places::default();
        places.push(PlaceKind::Home, ZoneId(0), Point { x_m: 1.0, y_m: 1.0 }, 1.0);
        assert_eq!(nearest_homes(&places, 2), [PlaceId::NONE; 2]);
        assert!(nearest_homes(&Places::default(), 2).is_empty());
    }
}
