//! The declared distributions that synthesis draws from, with their defaults and their checks.

use std::collections::BTreeMap;
use std::fmt::Display;

use super::error::{PopulationError, Result};
use super::fields::AGE_MAX;

/// Number of single years of age.
pub(super) const AGE_COUNT: usize = AGE_MAX as usize + 1;
/// Age from which somebody can head a household.
pub const ADULT_AGE: u8 = 18;
/// Largest household that synthesis makes.
pub const SYNTHETIC_MEMBERS_MAX: u16 = 20;

/// Relative frequency of an age class; ages within it are equally frequent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AgeBand {
    /// First age of the class.
    pub from: u8,
    /// Last age of the class.
    pub to: u8,
    /// Weight of the whole class; weights need not add up to anything.
    pub weight: f32,
}

/// Share of all persons of an age class; ages in no class have share 0.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AgeShare {
    /// First age of the class.
    pub from: u8,
    /// Last age of the class.
    pub to: u8,
    /// Share in [0, 1].
    pub share: f32,
}

/// Log-normal household income per year.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Income {
    /// Median, in the scenario's currency.
    pub median: f32,
    /// Standard deviation of the natural logarithm.
    pub sigma: f32,
}

/// The distributions of a synthetic population.
///
/// The defaults describe a European city in broad strokes. They are our own choice of round
/// numbers, near public statistics of the European Union around 2023: two persons a household and
/// a good third of households single; ages 0-14, 15-64 and 65 or over in shares of about
/// 15, 64 and 21 %; three out of four persons aged 20 to 64 employed, nearly one in five of them
/// part-time; about half a car per person.
#[derive(Debug, Clone, PartialEq)]
pub struct SynthesisParams {
    /// Weight of each household size, 1 to 20.
    pub household_size: BTreeMap<u16, f32>,
    /// The age pyramid; at least one adult age must have weight.
    pub age_pyramid: Vec<AgeBand>,
    /// Share of females, at every age.
    pub female_share: f32,
    /// Share in school, by age.
    pub school: Vec<AgeShare>,
    /// Share in university or college, by age.
    pub university: Vec<AgeShare>,
    /// Share whose main role is paid work, by age. At each age the shares of school, university
    /// and employment add up to at most 1.
    pub employment: Vec<AgeShare>,
    /// Share of part-time workers among workers.
    pub part_time_share: f32,
    /// Age from which those who neither work nor study are retired.
    pub retirement_age: u8,
    /// Household income.
    pub income: Income,
    /// Weights of 0, 1, 2 and 3 cars by household size. A size without an entry uses the nearest
    /// smaller one, or the smallest there is.
    pub cars: BTreeMap<u16, [f32; 4]>,
}

impl Default for SynthesisParams {
    fn default() -> Self {
        let band = |(from, to, weight)| AgeBand { from, to, weight };
        let share = |(from, to, share)| AgeShare { from, to, share };
        let pyramid = [
            (0, 4, 4.6),
            (5, 14, 10.3),
            (15, 19, 5.3),
            (20, 24, 5.5),
            (25, 34, 12.0),
            (35, 44, 13.3),
            (45, 54, 14.2),
            (55, 64, 13.5),
            (65, 74, 11.3),
            (75, 84, 7.2),
            (85, 94, 2.8),
        ];
        let employment = [
            (16, 17, 0.05),
            (18, 19, 0.30),
            (20, 24, 0.52),
            (25, 29, 0.74),
            (30, 54, 0.84),
            (55, 59, 0.76),
            (60, 64, 0.52),
            (65, 69, 0.14),
            (70, 74, 0.05),
        ];
        Self {
            household_size: [(1, 0.37), (2, 0.31), (3, 0.15), (4, 0.12), (5, 0.04), (6, 0.01)]
                .into(),
            age_pyramid: pyramid.map(band).to_vec(),
            female_share: 0.51,
            school: [(6, 15, 1.0), (16, 17, 0.9), (18, 19, 0.35)].map(share).to_vec(),
            university: [(18, 19, 0.2), (20, 24, 0.32), (25, 29, 0.1)].map(share).to_vec(),
            employment: employment.map(share).to_vec(),
            part_time_share: 0.18,
            retirement_age: 65,
            income: Income { median: 45_000.0, sigma: 0.6 },
            cars: [
                (1, [0.45, 0.50, 0.04, 0.01]),
                (2, [0.18, 0.52, 0.26, 0.04]),
                (3, [0.12, 0.44, 0.34, 0.10]),
                (4, [0.09, 0.42, 0.39, 0.10]),
            ]
            .into(),
        }
    }
}

/// The distributions by single year of age, checked.
#[derive(Debug, Clone)]
pub(super) struct AgeTables {
    /// Frequency of each age; adds up to 1.
    pub(super) pyramid: [f64; AGE_COUNT],
    /// Shares in school, university and employment.
    pub(super) shares: Vec<[f32; 3]>,
}

impl SynthesisParams {
    /// Checks all values and spreads the age classes over single years.
    pub(super) fn tables(&self) -> Result<AgeTables> {
        self.check_households()?;
        unit("female_share", self.female_share)?;
        unit("part_time_share", self.part_time_share)?;
        let median = self.income.median;
        check(median.is_finite() && median > 0.0, "income.median", median, "a number above 0")?;
        let sigma = self.income.sigma;
        check((0.0..=3.0).contains(&sigma), "income.sigma", sigma, "a number from 0 to 3")?;
        let mut shares = vec![[0.0; 3]; AGE_COUNT];
        let lists = [&self.school, &self.university, &self.employment];
        for (kind, (name, list)) in
            ["school", "university", "employment"].iter().zip(lists).enumerate()
        {
            spread_shares(name, list, kind, &mut shares)?;
        }
        for (age, shares) in shares.iter().enumerate() {
            let sum: f32 = shares.iter().sum();
            let name = "school + university + employment";
            let allowed = format!("at most 1 in sum; the sum is too large at age {age}");
            check(sum <= 1.0 + 1e-4, name, sum, &allowed)?;
        }
        Ok(AgeTables { pyramid: self.pyramid()?, shares })
    }

    fn check_households(&self) -> Result<()> {
        let mut sum = 0.0;
        for (size, value) in &self.household_size {
            let allowed = "sizes from 1 to 20";
            check((1..=SYNTHETIC_MEMBERS_MAX).contains(size), "household_size", size, allowed)?;
            weight(&format!("household_size.{size}"), *value)?;
            sum += value;
        }
        check(sum > 0.0, "household_size", "without weight", "at least one weight above 0")?;
        check(!self.cars.is_empty(), "cars", "empty", "weights for at least one household size")?;
        for (size, values) in &self.cars {
            let name = format!("cars.{size}");
            values.iter().try_for_each(|value| weight(&name, *value))?;
            let sum: f32 = values.iter().sum();
            check(sum > 0.0, &name, "without weight", "at least one weight above 0")?;
        }
        Ok(())
    }

    fn pyramid(&self) -> Result<[f64; AGE_COUNT]> {
        let mut ages = [0.0; AGE_COUNT];
        for (index, AgeBand { from, to, weight: value }) in self.age_pyramid.iter().enumerate() {
            let name = format!("age_pyramid[{index}]");
            check_ages(&name, *from, *to)?;
            weight(&name, *value)?;
            let years = f64::from(to - from) + 1.0;
            for age in &mut ages[usize::from(*from)..=usize::from(*to)] {
                check(*age == 0.0, &name, "over another class", "classes that do not overlap")?;
                *age = f64::from(*value) / years;
            }
        }
        let adults: f64 = ages[usize::from(ADULT_AGE)..].iter().sum();
        check(adults > 0.0, "age_pyramid", "without adults", "some weight at 18 or older")?;
        let total: f64 = ages.iter().sum();
        Ok(ages.map(|age| age / total))
    }
}

fn spread_shares(
    name: &str,
    list: &[AgeShare],
    kind: usize,
    shares: &mut [[f32; 3]],
) -> Result<()> {
    let mut seen = [false; AGE_COUNT];
    for (index, AgeShare { from, to, share }) in list.iter().enumerate() {
        let name = format!("{name}[{index}]");
        check_ages(&name, *from, *to)?;
        unit(&name, *share)?;
        for age in usize::from(*from)..=usize::from(*to) {
            check(!seen[age], &name, "over another class", "classes that do not overlap")?;
            seen[age] = true;
            shares[age][kind] = *share;
        }
    }
    Ok(())
}

fn check_ages(name: &str, from: u8, to: u8) -> Result<()> {
    let found = format!("ages {from} to {to}");
    check(from <= to && to <= AGE_MAX, name, found, "ages from 0 to 120 in rising order")
}

fn unit(name: &str, value: f32) -> Result<()> {
    check((0.0..=1.0).contains(&value), name, value, "a share from 0 to 1")
}

fn weight(name: &str, value: f32) -> Result<()> {
    check(value.is_finite() && value >= 0.0, name, value, "a weight of at least 0")
}

fn check(holds: bool, name: &str, found: impl Display, allowed: &str) -> Result<()> {
    if holds {
        return Ok(());
    }
    Err(PopulationError::Parameter {
        name: name.to_owned(),
        found: found.to_string(),
        allowed: allowed.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_valid_and_as_described() {
        let params = SynthesisParams::default();
        let tables = params.tables().unwrap();
        let sum = |from: usize, to: usize| tables.pyramid[from..=to].iter().sum::<f64>();
        assert!((sum(0, 14) - 0.15).abs() < 0.01 && (sum(65, 120) - 0.21).abs() < 0.01);
        let employed: f64 =
            (20..65).map(|age| tables.pyramid[age] * f64::from(tables.shares[age][2])).sum();
        assert!((employed / sum(20, 64) - 0.75).abs() < 0.02, "{}", employed / sum(20, 64));
    }

    #[test]
    fn each_mistake_names_its_parameter() {
        let found = |change: fn(&mut SynthesisParams)| {
            let mut params = SynthesisParams::default();
            change(&mut params);
            params.tables().unwrap_err().to_string()
        };
        assert!(found(|p| p.female_share = 1.5).contains("female_share is 1.5; allowed: a share"));
        assert!(found(|p| p.household_size = [(0, 1.0)].into()).contains("sizes from 1 to 20"));
        assert!(found(|p| p.household_size.clear()).contains("household_size"));
        assert!(found(|p| p.age_pyramid[2].to = 30).contains("age_pyramid[3]"));
        assert!(found(|p| p.age_pyramid.truncate(2)).contains("without adults"));
        assert!(found(|p| p.employment[3].share = 0.95).contains("at age 25"));
        assert!(found(|p| p.income.median = f32::NAN).contains("income.median"));
        assert!(found(|p| p.cars = [(1, [0.0; 4])].into()).contains("cars.1"));
    }
}
