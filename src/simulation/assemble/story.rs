//! The source of Stories, from the scenario's `behaviour.story`.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::agent::diary::DiaryDay;
use crate::agent::person::Person;
use crate::population::diary::{self, half_of, load_diary};
use crate::scenario::Scenario;
use crate::scenario::spec::{DiaryFiles, Half, StorySource as Settings};
use crate::simulation::SimulationError;
use crate::skill::native::daily_guidance::guide::StorySource;
use crate::skill::native::daily_guidance::model::{
    DayRules, DiaryModel, MatchedDiary, ProfileModel,
};

/// Makes the source of Stories for `persons`.
pub fn source(
    scenario: &Scenario,
    persons: &[Person],
) -> Result<Arc<dyn StorySource>, SimulationError> {
    match &scenario.spec.behaviour.story {
        Settings::Profile(profile) => {
            let model = match &profile.calibrate {
                Some(files) => ProfileModel::calibrate(&days(scenario, files)?)?,
                None => ProfileModel::builtin(),
            };
            Ok(Arc::new(model))
        }
        Settings::Diary(story) => {
            let days = days(scenario, &story.diary)?;
            let resolution_min = DayRules::default().resolution_min;
            let model = Arc::new(DiaryModel::calibrate(&days, resolution_min)?);
            Ok(Arc::new(MatchedDiary::new(model, persons, scenario.spec.seed)))
        }
    }
}

/// The observed days of the households asked for.
fn days(scenario: &Scenario, files: &DiaryFiles) -> Result<Vec<DiaryDay>, SimulationError> {
    let paths = diary::DiaryFiles {
        households: scenario.resolve(&files.households),
        persons: scenario.resolve(&files.persons),
        tours: scenario.resolve(&files.tours),
        trips: scenario.resolve(&files.trips),
    };
    let names = files.columns.iter().map(|(ours, theirs)| (ours.word().to_owned(), theirs.clone()));
    let names: BTreeMap<String, String> = names.collect();
    let mut days = load_diary(&paths, &names)?;
    days.retain(|day| in_half(files.half, half_of(day.household)));
    Ok(days)
}

/// Whether a household of half `of` is among those asked for.
pub fn in_half(asked: Half, of: diary::Half) -> bool {
    match asked {
        Half::All => true,
        Half::A => of == diary::Half::A,
        Half::B => of == diary::Half::B,
    }
}
