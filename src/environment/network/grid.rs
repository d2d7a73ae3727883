//! A generated road network: a chessboard of streets.

use crate::base::units::{LngLat, Point, Projection};

use super::error::NetworkError;
use super::graph::{ModeSet, Network, Stretch};

/// A chessboard of two-way streets open to everybody, with its middle at the origin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GridNetwork {
    /// Longitude and latitude of the middle.
    pub origin: LngLat,
    /// Crossings from west to east, 2 to 4,096.
    pub nx: u32,
    /// Crossings from south to north, 2 to 4,096.
    pub ny: u32,
    /// Distance between neighbouring crossings in metres, 1 to 100,000.
    pub spacing_m: f32,
    /// Speed of cars in km/h, 1 to 200.
    pub speed_kmh: f32,
}

impl GridNetwork {
    /// Builds the network. Crossing (column, row) is node `row * nx + column`, counted from the
    /// south-west.
    ///
    /// # Errors
    /// [`NetworkError::Parameter`] if a field is out of its range.
    pub fn build(&self) -> Result<Network, NetworkError> {
        self.check()?;
        let along =
            |index: u32, count: u32| (index as f32 - (count - 1) as f32 / 2.0) * self.spacing_m;
        let mut points = Vec::with_capacity(self.nx as usize * self.ny as usize);
        let mut stretches = Vec::with_capacity(2 * points.capacity());
        for row in 0..self.ny {
            for column in 0..self.nx {
                let from = points.len() as u32;
                points.push(Point { x_m: along(column, self.nx), y_m: along(row, self.ny) });
                let east = (column + 1 < self.nx).then_some(from + 1);
                let north = (row + 1 < self.ny).then_some(from + self.nx);
                stretches.extend(east.into_iter().chain(north).map(|to| Stretch {
                    from,
                    to,
                    forward: ModeSet::ALL,
                    backward: ModeSet::ALL,
                    car_mps: self.speed_kmh / 3.6,
                    detour_factor: 1.0,
                }));
            }
        }
        Ok(Network::new(Projection::new(self.origin), &points, &stretches))
    }

    fn check(&self) -> Result<(), NetworkError> {
        let checks = [
            ("nx", self.nx as f32, 2.0..=4096.0, "2 to 4096 crossings"),
            ("ny", self.ny as f32, 2.0..=4096.0, "2 to 4096 crossings"),
            ("spacing_m", self.spacing_m, 1.0..=100_000.0, "1 to 100000 metres"),
            ("speed_kmh", self.speed_kmh, 1.0..=200.0, "1 to 200 km/h"),
            ("origin.lng", self.origin.lng as f32, -180.0..=180.0, "-180 to 180 degrees"),
            ("origin.lat", self.origin.lat as f32, -89.0..=89.0, "-89 to 89 degrees"),
        ];
        NetworkError::check("grid network", checks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::activity::Mode;

    const GRID: GridNetwork = GridNetwork {
        origin: LngLat { lng: 8.5, lat: 47.4 },
        nx: 5,
        ny: 4,
        spacing_m: 250.0,
        speed_kmh: 36.0,
    };

    /// An nx by ny grid has (nx - 1) ny + nx (ny - 1) streets, two links each; 250 m at 36 km/h
    /// take 25 s.
    #[test]
    fn a_grid_has_the_right_shape() {
        let network = GRID.build().unwrap();
        assert_eq!(network.node_count(), 20);
        assert_eq!(network.link_count(), 2 * (4 * 4 + 5 * 3));
        assert_eq!(network.coverage(Mode::Walk).dropped_node_count(), 0);
        let link = network.links_from(0)[0];
        assert_eq!((link.to, link.length_mm, link.car_ms), (1, 250_000, 25_000));
        let (low, high) = network.extent().unwrap();
        assert_eq!((low.x_m, high.x_m, low.y_m, high.y_m), (-500.0, 500.0, -375.0, 375.0));
    }

    #[test]
    fn values_out_of_range_are_named() {
        let message = |grid: GridNetwork| grid.build().unwrap_err().to_string();
        assert_eq!(
            message(GridNetwork { ny: 1, ..GRID }),
            "grid network: ny is 1, expected 2 to 4096 crossings"
        );
        assert!(message(GridNetwork { spacing_m: f32::NAN, ..GRID }).contains("spacing_m is NaN"));
        assert!(message(GridNetwork { speed_kmh: -5.0, ..GRID }).contains("speed_kmh is -5"));
    }
}
