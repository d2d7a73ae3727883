//! How persons plan their day: Story source, needs, revision.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

use super::population::Half;
use crate::agent::activity::{Activity, words};
use crate::agent::needs::{DECAY_PER_H, NEED_COUNT, Need, NeedRates, THRESHOLDS, default_recovery};

/// How persons plan their day and when they change it.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Behaviour {
    /// Where Stories (day plans) come from.
    pub story: StorySource,
    /// What persons need.
    pub needs: NeedSettings,
    /// When a Story is revised.
    pub revise: Revise,
}

/// Where Stories (day plans) come from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "source", rename_all = "snake_case")]
pub enum StorySource {
    /// Rules and distributions by role, household, age and weekday.
    Profile(ProfileStory),
    /// Observed days, matched to persons who resemble those observed.
    Diary(DiaryStory),
}

impl Default for StorySource {
    fn default() -> Self {
        Self::Profile(ProfileStory::default())
    }
}

/// Stories from rules and distributions.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct ProfileStory {
    /// Fit the distributions to this diary instead of taking the built-in ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calibrate: Option<DiaryFiles>,
}

/// Stories from observed days.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiaryStory {
    /// The observed days.
    pub diary: DiaryFiles,
}

/// An observed day of travel in the layout and with the codes of ActivitySim; files are `.csv` or
/// `.csv.gz`, relative to the scenario's folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiaryFiles {
    /// Households: `household_id, hhsize, auto_ownership, num_workers, income`.
    pub households: PathBuf,
    /// Persons: `person_id, household_id, age, sex, ptype, workplace_zone_id, school_zone_id`.
    pub persons: PathBuf,
    /// Tours: `tour_id, tour_type, parent_tour_id, start, end`.
    pub tours: PathBuf,
    /// Trips: `person_id, tour_id, outbound, trip_num, purpose, origin, destination, depart`.
    pub trips: PathBuf,
    /// Columns that have another name in these files: the name above to the name in the file.
    #[serde(default)]
    #[schemars(schema_with = "column_names")]
    pub columns: BTreeMap<DiaryColumn, String>,
    /// Which half of the households is used.
    #[serde(default)]
    pub half: Half,
}

words! {
    /// A column of a diary, by ActivitySim's name.
    DiaryColumn {
        /// Number of the household.
        HouseholdId = "household_id",
        /// Members of the household.
        HouseholdSize = "hhsize",
        /// Cars of the household.
        Cars = "auto_ownership",
        /// Workers of the household.
        Workers = "num_workers",
        /// Income of the household.
        Income = "income",
        /// Number of the person.
        PersonId = "person_id",
        /// Age.
        Age = "age",
        /// Sex: 1 male, 2 female.
        Sex = "sex",
        /// Person type, 1 to 8.
        PersonType = "ptype",
        /// Zone of the workplace.
        WorkZone = "workplace_zone_id",
        /// Zone of the school.
        SchoolZone = "school_zone_id",
        /// Number of the tour.
        TourId = "tour_id",
        /// Main purpose of the tour.
        TourType = "tour_type",
        /// Tour from whose destination this one is made.
        ParentTourId = "parent_tour_id",
        /// Hour at which the tour starts.
        Start = "start",
        /// Hour at which the tour ends.
        End = "end",
        /// Whether the trip is on the way out.
        Outbound = "outbound",
        /// Number of the trip on its way.
        TripNumber = "trip_num",
        /// What the trip is for.
        Purpose = "purpose",
        /// Zone where the trip begins.
        Origin = "origin",
        /// Zone where the trip ends.
        Destination = "destination",
        /// Hour of departure.
        Depart = "depart",
    }
}

/// A map whose keys are the words of `Key`; schemars leaves the keys of a map unchecked.
fn keyed<Key: JsonSchema, Value: JsonSchema>(generator: &mut SchemaGenerator) -> Schema {
    let keys = generator.subschema_for::<Key>();
    let values = generator.subschema_for::<Value>();
    schemars::json_schema!({
        "type": "object", "propertyNames": keys, "additionalProperties": values,
    })
}

fn column_names(generator: &mut SchemaGenerator) -> Schema {
    keyed::<DiaryColumn, String>(generator)
}

fn recovery_map(generator: &mut SchemaGenerator) -> Schema {
    keyed::<Activity, NeedLevels>(generator)
}

/// What persons need: levels in [0, 1], 1 is fully satisfied. Values that are left out keep the
/// engine's defaults.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NeedSettings {
    /// Loss per hour: hunger 0.15, energy 0.08, safety 0.05, social 0.10.
    pub decay_per_h: NeedLevels,
    /// Level at or below which a need asks for a revision of the Story: hunger, energy and safety
    /// 0.2, social 0.3.
    pub thresholds: NeedLevels,
    /// Level at the start: hunger 0.7, energy 0.7, safety 0.8, social 0.7.
    pub initial: NeedLevels,
    /// Gain per hour of each need, by activity.
    #[schemars(schema_with = "recovery_map")]
    pub recovery: BTreeMap<Activity, NeedLevels>,
}

/// Levels at the start (own choice: somebody who slept half the night).
const INITIAL: [f32; NEED_COUNT] = [0.7, 0.7, 0.8, 0.7];

impl NeedSettings {
    /// Loss, thresholds and recovery with the defaults filled in.
    pub fn rates(&self) -> NeedRates {
        let recovery = |activity: Activity| {
            let default = default_recovery(activity);
            self.recovery.get(&activity).map_or(default, |levels| levels.or(default))
        };
        NeedRates::new(self.decay_per_h.or(DECAY_PER_H), self.thresholds.or(THRESHOLDS), recovery)
    }

    /// Levels at the start, in [`Need`] order.
    pub fn initial_levels(&self) -> [f32; NEED_COUNT] {
        self.initial.or(INITIAL)
    }
}

/// A number in [0, 10] for each need.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct NeedLevels {
    /// Food.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 10))]
    pub hunger: Option<f64>,
    /// Rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 10))]
    pub energy: Option<f64>,
    /// Shelter and income.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 10))]
    pub safety: Option<f64>,
    /// Company.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 10))]
    pub social: Option<f64>,
}

impl NeedLevels {
    /// The value of one need, if given.
    pub const fn get(&self, need: Need) -> Option<f64> {
        match need {
            Need::Hunger => self.hunger,
            Need::Energy => self.energy,
            Need::Safety => self.safety,
            Need::Social => self.social,
        }
    }

    /// All values in [`Need`] order, those not given from `defaults`.
    pub fn or(&self, defaults: [f32; NEED_COUNT]) -> [f32; NEED_COUNT] {
        std::array::from_fn(|n| self.get(Need::ALL[n]).map_or(defaults[n], |value| value as f32))
    }
}

/// When a Story is revised.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub struct Revise {
    /// When a need is at its threshold.
    pub need: bool,
    /// When the person arrives late.
    pub late: bool,
    /// Minutes after the planned start from which an arrival is late.
    #[schemars(range(min = 1, max = 1_440))]
    pub late_min: u16,
    /// Most revisions of a person's Story a day.
    #[schemars(range(min = 0, max = 255))]
    pub per_day_max: u8,
}

impl Default for Revise {
    fn default() -> Self {
        Self { need: true, late: true, late_min: 15, per_day_max: 8 }
    }
}
