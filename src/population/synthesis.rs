//! People from declared distributions, household by household.

use super::error::{PopulationError, Result};
use super::households::{Origin, RawHousehold, RawPerson, RawPopulation};
use super::replicate::PERSONS_MAX;
use super::synthesis_params::{AgeTables, SYNTHETIC_MEMBERS_MAX, SynthesisParams};
use super::templates::{Template, Templates};
use crate::agent::person::{Role, Sex};
use crate::agent::roles::DRIVING_AGE;
use crate::base::parallel::map_range;
use crate::base::rng::{Purpose, Stream};

/// Households per chunk of parallel work.
const CHUNK_LEN: usize = 4_096;
/// Households passed over, one after another, in search of one that fits the persons missing.
const PASSED_MAX: u32 = 10_000;
/// Misfit of the age pyramid from which the user is warned: half a percent of all persons.
const MISFIT_WARNED: f64 = 0.005;
/// Person `m` of household `h` has the number `h * 100 + m`.
const PERSON_STRIDE: i64 = 100;
const _: () = assert!((SYNTHETIC_MEMBERS_MAX as i64) < PERSON_STRIDE);

/// Makes `persons` persons.
///
/// Household `k` has number `k`, its members the numbers `100 k`, `100 k + 1` and so on; all
/// about it is a function of (seed, k) and of the distributions, whatever `persons` is.
/// Households are taken in order until one is too large for the persons still missing; such ones
/// are passed over (the count `households_passed_over`). If 10,000 in a row do not fit, the next
/// is taken as it is and `persons_over` tells by how many persons the total is too large.
///
/// Drawn independently given household size and age: sex (partners mostly of opposite sex, each
/// with the declared share), role, income, cars. Income and cars are independent of roles.
///
/// # Errors
/// A distribution outside its range, or `persons` not in 1..=[`PERSONS_MAX`].
pub fn synthesize(params: &SynthesisParams, persons: u64, seed: u64) -> Result<RawPopulation> {
    let origin = Origin::synthesis();
    if persons == 0 {
        let reason = ": 0 persons are asked for".to_owned();
        return Err(PopulationError::Nobody { origin: origin.persons, reason });
    }
    if persons > PERSONS_MAX {
        return Err(PopulationError::TooMany { found: persons, max: PERSONS_MAX });
    }
    let tables = params.tables()?;
    let maker = Maker { params, templates: Templates::new(params, &tables), tables, seed };
    let Chosen { households: chosen, passed_over, over } = maker.choose(persons);
    let chunks = map_range(chosen.len().div_ceil(CHUNK_LEN), |chunk| {
        let first = chunk * CHUNK_LEN;
        let mut members = Vec::with_capacity(CHUNK_LEN * 3);
        let made = |index: &u32| maker.make(*index, &mut members);
        let households: Vec<RawHousehold> =
            chosen[first..chosen.len().min(first + CHUNK_LEN)].iter().map(made).collect();
        (households, members)
    });
    let mut households = Vec::with_capacity(chosen.len());
    let mut members = Vec::with_capacity((persons + over) as usize);
    for (chunk_households, chunk_members) in chunks {
        households.extend(chunk_households);
        members.extend(chunk_members);
    }
    let mut raw = RawPopulation::new(households, members, origin);
    raw.count("households_passed_over", passed_over);
    raw.count("persons_over", over);
    let misfit = maker.templates.misfit;
    if misfit > MISFIT_WARNED {
        raw.warnings.push(format!(
            "the declared age pyramid cannot be had with the declared household sizes: {:.1} % of \
             persons have another age than declared",
            misfit * 100.0
        ));
    }
    Ok(raw)
}

/// Which households are made.
struct Chosen {
    households: Vec<u32>,
    passed_over: u64,
    over: u64,
}

struct Maker<'a> {
    params: &'a SynthesisParams,
    tables: AgeTables,
    templates: Templates,
    seed: u64,
}

impl Maker<'_> {
    /// The stream of a household after its first draw, and the template which that draw chose.
    fn begin(&self, household: u32) -> (Stream, Template) {
        let mut stream = Stream::of_index(self.seed, household, Purpose::Synthesis);
        let template = self.templates.choose(stream.unit_f64());
        (stream, template)
    }

    fn choose(&self, persons: u64) -> Chosen {
        let mut chosen = Chosen { households: Vec::new(), passed_over: 0, over: 0 };
        let (mut missing, mut passed_in_row) = (persons, 0);
        for household in 0..u32::MAX {
            let size = self.templates.ages(self.begin(household).1).len() as u64;
            if size > missing && passed_in_row < PASSED_MAX {
                passed_in_row += 1;
                chosen.passed_over += 1;
                continue;
            }
            passed_in_row = 0;
            chosen.households.push(household);
            chosen.over = size.saturating_sub(missing);
            missing = missing.saturating_sub(size);
            if missing == 0 {
                break;
            }
        }
        chosen
    }

    /// Makes one household; its members are added to `members`.
    fn make(&self, household: u32, members: &mut Vec<RawPerson>) -> RawHousehold {
        let (mut stream, template) = self.begin(household);
        let id = i64::from(household);
        let ages = self.templates.ages(template);
        let mut partner_draw = None;
        for (member, age) in (0..).zip(ages) {
            let draw = stream.unit_f32();
            let draw = match (member, partner_draw) {
                (1, Some(first)) if template.couple => opposite(first),
                _ => draw,
            };
            partner_draw = Some(draw);
            let female = draw < self.params.female_share;
            members.push(RawPerson {
                id: id * PERSON_STRIDE + member,
                household: id,
                work_zone: None,
                school_zone: None,
                line: 0,
                age: *age,
                sex: if female { Sex::Female } else { Sex::Male },
                role: self.role(*age, &mut stream),
            });
        }
        let income = &self.params.income;
        let size = ages.len() as u16;
        let cars = stream.weighted(self.car_weights(size)).unwrap_or(0);
        RawHousehold {
            id,
            copy: 0,
            zone: None,
            income: (f64::from(income.median) * (f64::from(income.sigma) * stream.normal()).exp())
                as f32,
            cars: cars as u8,
            workers: None,
            line: 0,
            first: 0,
            size,
        }
    }

    /// One draw decides between school, university, work and neither; below driving age "neither"
    /// is a child at home.
    fn role(&self, age: u8, stream: &mut Stream) -> Role {
        let [school, university, employment] = self.tables.shares[usize::from(age)];
        let draw = stream.unit_f32();
        let part_time = stream.unit_f32() < self.params.part_time_share;
        if draw < school {
            if age < DRIVING_AGE { Role::Pupil } else { Role::DrivingAgeStudent }
        } else if draw < school + university {
            Role::UniversityStudent
        } else if draw < school + university + employment {
            if part_time { Role::PartTimeWorker } else { Role::FullTimeWorker }
        } else if age < DRIVING_AGE {
            Role::Preschooler
        } else if age >= self.params.retirement_age {
            Role::Retired
        } else {
            Role::NonWorker
        }
    }

    fn car_weights(&self, size: u16) -> &[f32; 4] {
        let cars = &self.params.cars;
        let nearest = cars.range(..=size).next_back().or_else(|| cars.first_key_value());
        nearest.expect("the tables were checked: cars has an entry").1
    }
}

/// The draw of the second partner. As even as the first one's, but female where the first is male
/// as far as the share allows: at 0.5 always, at 0.51 for 98 of 100 couples.
fn opposite(draw: f32) -> f32 {
    // Draws are multiples of 2^-24 below 1, so this one is too.
    1.0 - f32::EPSILON / 2.0 - draw
}
