//! How people get about: speeds, and the choice of mode.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::agent::activity::Mode;

/// Speeds and choice of mode. A mode is chosen with probability proportional to exp(utility),
/// utility = constant + time_per_h x hours from door to door.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Travel {
    /// Length of the way per metre as the crow flies, where no road network says better. The
    /// default is MATSim's for teleported modes.
    #[schemars(range(min = 1, max = 5))]
    pub detour_factor: f64,
    /// Longest walk in metres.
    #[schemars(range(min = 0, max = 100_000))]
    pub walk_max_m: f64,
    /// Longest ride by bicycle in metres.
    #[schemars(range(min = 0, max = 200_000))]
    pub bike_max_m: f64,
    /// The modes; what is left out keeps its default.
    pub modes: Modes,
}

impl Default for Travel {
    /// Limits: own choice, beyond which surveys report next to no trips by the mode.
    fn default() -> Self {
        Self {
            detour_factor: 1.3,
            walk_max_m: 5_000.0,
            bike_max_m: 10_000.0,
            modes: Modes::default(),
        }
    }
}

/// Settings of each mode.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Modes {
    /// On foot: 4.8 km/h; utility 0 - 4 per hour.
    #[serde(skip_serializing_if = "ModeSettings::is_default")]
    pub walk: ModeSettings,
    /// By bicycle: 14 km/h; utility -3 - 4 per hour.
    #[serde(skip_serializing_if = "ModeSettings::is_default")]
    pub bike: ModeSettings,
    /// By car: 36 km/h and 240 s to get to it and to park, 80 m of it on foot at either end;
    /// utility 1 - 1.5 per hour. Speed holds where there is no road network.
    #[serde(skip_serializing_if = "ModeSettings::is_default")]
    pub car: ModeSettings,
    /// By public transport: 22 km/h and 480 s to get to the stop and wait, 200 m of it on foot at
    /// either end; utility -1 - 1.5 per hour.
    #[serde(skip_serializing_if = "ModeSettings::is_default")]
    pub pt: ModeSettings,
}

/// Settings of one mode; what is left out keeps the mode's default.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ModeSettings {
    /// Kilometres per hour while moving.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.5, max = 1_000))]
    pub speed_kmh: Option<f64>,
    /// Seconds that every trip takes on top: to the vehicle or stop, waiting, parking.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 7_200))]
    pub overhead_s: Option<u32>,
    /// Metres on foot at either end.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 5_000))]
    pub access_m: Option<u32>,
    /// Utility of the mode as such.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = -100, max = 100))]
    pub constant: Option<f64>,
    /// Utility of an hour from door to door; negative.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = -100, max = 0))]
    pub time_per_h: Option<f64>,
}

impl ModeSettings {
    fn is_default(&self) -> bool {
        *self == Self::default()
    }
}

/// All values of one mode, with its defaults filled in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModeValues {
    /// Kilometres per hour while moving.
    pub speed_kmh: f64,
    /// Seconds that every trip takes on top.
    pub overhead_s: u32,
    /// Metres on foot at either end.
    pub access_m: u32,
    /// Utility of the mode as such.
    pub constant: f64,
    /// Utility of an hour from door to door.
    pub time_per_h: f64,
}

impl Modes {
    /// The values of one mode. Speeds and overheads are own choices within what European travel
    /// surveys report; utilities are fitted to the mode shares of the Bay Area diary.
    pub fn of(&self, mode: Mode) -> ModeValues {
        let (settings, speed_kmh, overhead_s, access_m, constant, time_per_h) = match mode {
            Mode::Walk => (&self.walk, 4.8, 0, 0, 0.0, -4.0),
            Mode::Bike => (&self.bike, 14.0, 0, 0, -3.0, -4.0),
            Mode::Car => (&self.car, 36.0, 240, 80, 1.0, -1.5),
            Mode::Transit => (&self.pt, 22.0, 480, 200, -1.0, -1.5),
        };
        ModeValues {
            speed_kmh: settings.speed_kmh.unwrap_or(speed_kmh),
            overhead_s: settings.overhead_s.unwrap_or(overhead_s),
            access_m: settings.access_m.unwrap_or(access_m),
            constant: settings.constant.unwrap_or(constant),
            time_per_h: settings.time_per_h.unwrap_or(time_per_h),
        }
    }
}
