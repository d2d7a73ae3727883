//! Places: where a stay can happen. One column per attribute, and an index to draw from.

use crate::agent::activity::PlaceKind;
use crate::base::ids::{PlaceId, ZoneId};
use crate::base::rng::Stream;
use crate::base::units::Point;

/// Number of place kinds.
pub const KIND_COUNT: usize = PlaceKind::ALL.len();

/// Moves a point to where a place can be, such as the nearest node of a road network.
pub type Snap<'a> = &'a (dyn Fn(Point) -> Point + Sync);

/// All places of an environment; 17 bytes a place, and 8 more once indexed.
#[derive(Debug, Clone, Default)]
pub struct Places {
    kinds: Vec<PlaceKind>,
    zones: Vec<ZoneId>,
    points: Vec<Point>,
    weights: Vec<f32>,
    index: PlaceIndex,
}

/// Places grouped by (zone, kind), each group with its running sum of weights.
#[derive(Debug, Clone, Default)]
struct PlaceIndex {
    /// Group `zone * KIND_COUNT + kind` is `starts[group]..starts[group + 1]`.
    starts: Vec<u32>,
    ids: Vec<PlaceId>,
    /// Running sums within each group.
    cumulative: Vec<f32>,
}

impl Places {
    /// Adds a place. It is drawn from the next [`Self::freeze`] on.
    ///
    /// `weight` is its attraction: jobs, pupils or any measure that is comparable within its kind.
    ///
    /// # Panics
    /// If `weight` is negative or not finite, or `zone` is none (a bug in the caller).
    pub fn push(&mut self, kind: PlaceKind, zone: ZoneId, point: Point, weight: f32) -> PlaceId {
        assert!(weight.is_finite() && weight >= 0.0, "weight {weight} of a place");
        assert!(zone.is_some(), "a place without a zone");
        let id = PlaceId::from_index(self.kinds.len());
        self.kinds.push(kind);
        self.zones.push(zone);
        self.points.push(point);
        self.weights.push(weight);
        id
    }

    /// Number of places.
    #[inline]
    pub fn len(&self) -> usize {
        self.kinds.len()
    }

    /// Whether there is no place.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// What the place is for.
    #[inline]
    pub fn kind(&self, place: PlaceId) -> PlaceKind {
        self.kinds[place.index()]
    }

    /// What each place is for.
    pub fn kinds(&self) -> &[PlaceKind] {
        &self.kinds
    }

    /// The zone it lies in.
    #[inline]
    pub fn zone(&self, place: PlaceId) -> ZoneId {
        self.zones[place.index()]
    }

    /// Where it is on the local plane.
    #[inline]
    pub fn point(&self, place: PlaceId) -> Point {
        self.points[place.index()]
    }

    /// Its attraction.
    #[inline]
    pub fn weight(&self, place: PlaceId) -> f32 {
        self.weights[place.index()]
    }

    /// Builds the index over all places so far. Cheap enough to call again after homes were added
    /// (a counting sort).
    pub fn freeze(&mut self) {
        let zone_count = self.zones.iter().map(|zone| zone.index() + 1).max().unwrap_or(0);
        let mut starts = vec![0_u32; zone_count * KIND_COUNT + 1];
        for (zone, kind) in self.zones.iter().zip(&self.kinds) {
            starts[group(*zone, *kind) + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut ids = vec![PlaceId::NONE; self.len()];
        for (index, (zone, kind)) in self.zones.iter().zip(&self.kinds).enumerate() {
            let slot = &mut next[group(*zone, *kind)];
            ids[*slot as usize] = PlaceId::from_index(index);
            *slot += 1;
        }
        let mut cumulative = Vec::with_capacity(ids.len());
        for bounds in starts.windows(2) {
            // Summed in f64: the rounding of each running sum is monotone, so the sums are too.
            let mut sum = 0.0_f64;
            for id in &ids[bounds[0] as usize..bounds[1] as usize] {
                sum += f64::from(self.weights[id.index()]);
                cumulative.push(sum as f32);
            }
        }
        self.index = PlaceIndex { starts, ids, cumulative };
    }

    /// The places of `kind` in `zone` as of the last [`Self::freeze`], in id order.
    #[inline]
    pub fn within(&self, zone: ZoneId, kind: PlaceKind) -> &[PlaceId] {
        &self.index.ids[self.index.range(zone, kind)]
    }

    /// The sum of the weights of [`Self::within`].
    #[inline]
    pub fn total_weight(&self, zone: ZoneId, kind: PlaceKind) -> f32 {
        self.index.cumulative[self.index.range(zone, kind)].last().copied().unwrap_or(0.0)
    }

    /// A place of `kind` in `zone`, drawn in proportion to weight; `None` if there is none with a
    /// positive weight. O(log n) in the places of the group, one draw from `stream`.
    pub fn draw(&self, zone: ZoneId, kind: PlaceKind, stream: &mut Stream) -> Option<PlaceId> {
        let range = self.index.range(zone, kind);
        let position = draw_cumulative(&self.index.cumulative[range.clone()], stream)?;
        Some(self.index.ids[range.start + position])
    }
}

impl PlaceIndex {
    #[inline]
    fn range(&self, zone: ZoneId, kind: PlaceKind) -> std::ops::Range<usize> {
        let group = group(zone, kind);
        if group + 1 < self.starts.len() {
            self.starts[group] as usize..self.starts[group + 1] as usize
        } else {
            0..0
        }
    }
}

#[inline]
fn group(zone: ZoneId, kind: PlaceKind) -> usize {
    zone.index() * KIND_COUNT + usize::from(kind.code())
}

/// An index drawn in proportion to the steps of the running sums `cumulative`; `None` if the last
/// is not positive. Entries without a step are never drawn.
///
/// The product of a 24-bit share and a 24-bit sum is exact in `f64` and below the last sum, so the
/// search cannot run off the end.
#[inline]
pub(super) fn draw_cumulative(cumulative: &[f32], stream: &mut Stream) -> Option<usize> {
    let total = f64::from(*cumulative.last()?);
    if total <= 0.0 {
        return None;
    }
    let target = f64::from(stream.unit_f32()) * total;
    Some(cumulative.partition_point(|sum| f64::from(*sum) <= target))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::rng::Purpose;

    fn some_places() -> Places {
        let mut places = Places::default();
        let at = |x_m| Point { x_m, y_m: 0.0 };
        places.push(PlaceKind::Shop, ZoneId(1), at(0.0), 1.0);
        places.push(PlaceKind::Work, ZoneId(0), at(1.0), 5.0);
        places.push(PlaceKind::Shop, ZoneId(1), at(2.0), 0.0);
        places.push(PlaceKind::Shop, ZoneId(1), at(3.0), 3.0);
        places.push(PlaceKind::Shop, ZoneId(0), at(4.0), 0.0);
        places.freeze();
        places
    }

    #[test]
    fn a_group_holds_its_places_and_no_others() {
        let places = some_places();
        let shops = places.within(ZoneId(1), PlaceKind::Shop);
        assert_eq!(shops, [PlaceId(0), PlaceId(2), PlaceId(3)]);
        assert_eq!(places.total_weight(ZoneId(1), PlaceKind::Shop), 4.0);
        assert_eq!(places.within(ZoneId(0), PlaceKind::Work), [PlaceId(1)]);
        assert!(places.within(ZoneId(0), PlaceKind::Home).is_empty());
        assert!(places.within(ZoneId(9), PlaceKind::Work).is_empty());
    }

    /// Theory: a place of weight 3 beside one of weight 1 is drawn in 3/4 of draws; the count of
    /// 4,000 draws has a standard deviation of 27.
    #[test]
    fn draws_are_proportional_to_weight() {
        let places = some_places();
        let mut stream = Stream::of_index(1, 0, Purpose::Destination);
        let mut counts = [0; 5];
        for _ in 0..4_000 {
            let place = places.draw(ZoneId(1), PlaceKind::Shop, &mut stream).unwrap();
            counts[place.index()] += 1;
        }
        assert_eq!(counts[0] + counts[3], 4_000);
        assert!((counts[3] - 3_000_i32).abs() < 5 * 27, "{counts:?}");
        assert_eq!(places.draw(ZoneId(0), PlaceKind::Shop, &mut stream), None);
        assert_eq!(places.draw(ZoneId(7), PlaceKind::Shop, &mut stream), None);
    }

    #[test]
    fn a_new_place_is_drawn_after_the_next_freeze() {
        let mut places = some_places();
        let mut stream = Stream::of_index(1, 0, Purpose::Destination);
        let home = places.push(PlaceKind::Home, ZoneId(3), Point::default(), 1.0);
        assert_eq!(places.draw(ZoneId(3), PlaceKind::Home, &mut stream), None);
        places.freeze();
        assert_eq!(places.draw(ZoneId(3), PlaceKind::Home, &mut stream), Some(home));
        assert_eq!(places.kind(home), PlaceKind::Home);
        assert_eq!(places.len(), 6);
    }
}
