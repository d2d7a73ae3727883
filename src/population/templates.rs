//! A pool of plausible households, weighted so that sizes and ages come out as declared.
//!
//! Who lives with whom decides which ages occur together: partners are a few years apart, children
//! 20 to 40 years younger than a parent, and no child lives alone. Households that obey these
//! rules do not by themselves have the declared age pyramid, so a pool of them is weighted by
//! iterative proportional updating, as population synthesisers do: Ye, Konduri, Pendyala, Sana
//! and Waddell, "A methodology to match distributions of both household and person attributes in
//! the generation of synthetic populations" (88th annual meeting of the Transportation Research
//! Board, 2009).

use super::synthesis_params::{
    ADULT_AGE, AGE_COUNT, AgeTables, SYNTHETIC_MEMBERS_MAX, SynthesisParams,
};
use crate::base::rng::{Purpose, Stream};

/// Possible household sizes, 0 included, so that a size is an index.
const SIZE_COUNT: usize = SYNTHETIC_MEMBERS_MAX as usize + 1;
/// Households in the pool. With the defaults every single year of age has at least 100 persons.
const POOL_LEN: u32 = 32_768;
/// Fewest households of each declared size in the pool.
const SIZE_LEN_MIN: u32 = 256;
/// Rounds of the weighting. The defaults need a dozen.
const ROUNDS_MAX: usize = 250;
/// Largest difference between the declared and the weighted frequency of an age, relative to the
/// declared one, at which the weighting stops.
const FIT_ENOUGH: f64 = 1e-6;
/// Sum of weights below which an age counts as absent, so that a pyramid which cannot be had does
/// not drive weights to infinity.
const WEIGHT_MIN: f64 = 1e-100;
/// The pool depends on the distributions only; its random numbers have a seed of their own
/// (the bytes of "populace"), so that no run's households share them.
const POOL_SEED: u64 = u64::from_be_bytes(*b"populace");

/// Youngest and oldest parent of a child of the household, and the years between them.
const PARENT_AGES: (u8, u8) = (20, 64);
const CHILD_YEARS: (u8, u8) = (20, 40);
/// Oldest child that a household is made with; adults who live together may be kin of any age.
const CHILD_AGE_MAX: u8 = 24;
/// Largest difference in age between partners.
const PARTNER_YEARS: i16 = 6;

/// One household of the pool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Template {
    first: u32,
    size: u8,
    /// Whether the first two members are partners.
    pub(super) couple: bool,
}

/// The pool with its weights.
#[derive(Debug, Clone)]
pub(super) struct Templates {
    households: Vec<Template>,
    ages: Vec<u8>,
    cumulative: Vec<f64>,
    /// Half the sum of the differences between declared and weighted frequencies of ages, in
    /// [0, 1] (total variation distance). Near 0 unless the pyramid cannot be had with these
    /// household sizes.
    pub(super) misfit: f64,
}

impl Templates {
    /// The pool for these distributions.
    pub(super) fn new(params: &SynthesisParams, tables: &AgeTables) -> Self {
        let adults = Adults::new(&tables.pyramid);
        let total: f64 = params.household_size.values().map(|weight| f64::from(*weight)).sum();
        let (mut households, mut ages) = (Vec::new(), Vec::new());
        let mut size_shares = [0.0; SIZE_COUNT];
        let mut counts = [0_u32; SIZE_COUNT];
        for (size, weight) in params.household_size.iter().filter(|(_, weight)| **weight > 0.0) {
            let share = f64::from(*weight) / total;
            size_shares[usize::from(*size)] = share;
            let count = ((share * f64::from(POOL_LEN)) as u32).max(SIZE_LEN_MIN);
            counts[usize::from(*size)] = count;
            for _ in 0..count {
                let index = households.len() as u32;
                let mut stream = Stream::of_index(POOL_SEED, index, Purpose::Synthesis);
                let first = ages.len() as u32;
                let couple = compose(usize::from(*size), &adults, &mut stream, &mut ages);
                households.push(Template { first, size: *size as u8, couple });
            }
        }
        let mut pool = Self { households, ages, cumulative: Vec::new(), misfit: 0.0 };
        let sizes = pool.households.iter().map(|template| usize::from(template.size));
        let mut weights: Vec<f64> =
            sizes.map(|size| size_shares[size] / f64::from(counts[size])).collect();
        pool.misfit = pool.fit(&mut weights, &size_shares, &tables.pyramid);
        let mut sum = 0.0;
        pool.cumulative = weights
            .iter()
            .map(|weight| {
                sum += weight;
                sum
            })
            .collect();
        pool
    }

    /// The household at `share` (in [0, 1)) of the total weight.
    pub(super) fn choose(&self, share: f64) -> Template {
        let total = self.cumulative.last().copied().unwrap_or(0.0);
        let at = self.cumulative.partition_point(|sum| *sum <= share * total);
        self.households[at.min(self.households.len() - 1)]
    }

    /// Ages of the members: adults before children, partners first.
    pub(super) fn ages(&self, template: Template) -> &[u8] {
        let first = template.first as usize;
        &self.ages[first..first + usize::from(template.size)]
    }

    /// Scales `weights` until sizes and ages have their declared frequencies; returns the misfit
    /// that is left. Sizes always fit.
    fn fit(&self, weights: &mut [f64], size_shares: &[f64], pyramid: &[f64; AGE_COUNT]) -> f64 {
        let mean_size: f64 = (0..).zip(size_shares).map(|(size, s)| f64::from(size) * s).sum();
        let targets = pyramid.map(|share| share * mean_size);
        let of_age = self.households_by_age();
        for _ in 0..ROUNDS_MAX {
            for (holders, target) in of_age.iter().zip(targets) {
                let found: f64 = holders.iter().map(|index| weights[*index as usize]).sum();
                if found > WEIGHT_MIN {
                    scale_distinct(weights, holders, target / found);
                }
            }
            self.fit_sizes(weights, size_shares);
            let found = of_age.iter().map(|holders| -> f64 {
                holders.iter().map(|index| weights[*index as usize]).sum()
            });
            let worst = found
                .zip(targets)
                .filter(|(_, target)| *target > 0.0)
                .map(|(found, target)| (found / target - 1.0).abs())
                .fold(0.0, f64::max);
            if worst < FIT_ENOUGH {
                break;
            }
        }
        let difference = |(holders, target): (&Vec<u32>, f64)| {
            let found: f64 = holders.iter().map(|index| weights[*index as usize]).sum();
            (found - target).abs()
        };
        of_age.iter().zip(targets).map(difference).sum::<f64>() / (2.0 * mean_size)
    }

    /// For each age the households that have it, once for each member of that age, in order.
    fn households_by_age(&self) -> Vec<Vec<u32>> {
        let mut of_age = vec![Vec::new(); AGE_COUNT];
        for (index, template) in (0..).zip(&self.households) {
            for age in self.ages(*template) {
                of_age[usize::from(*age)].push(index);
            }
        }
        of_age
    }

    fn fit_sizes(&self, weights: &mut [f64], size_shares: &[f64]) {
        let mut found = [0.0; SIZE_COUNT];
        for (template, weight) in self.households.iter().zip(&*weights) {
            found[usize::from(template.size)] += weight;
        }
        for (template, weight) in self.households.iter().zip(weights) {
            let size = usize::from(template.size);
            if found[size] > 0.0 {
                *weight *= size_shares[size] / found[size];
            }
        }
    }
}

/// Scales the weight of each household in `holders` once, however often it is listed.
fn scale_distinct(weights: &mut [f64], holders: &[u32], factor: f64) {
    let mut last = None;
    for index in holders {
        if last != Some(index) {
            weights[*index as usize] *= factor;
        }
        last = Some(index);
    }
}

/// Adult ages in proportion to the pyramid.
struct Adults {
    cumulative: Vec<f64>,
    oldest: u8,
}

impl Adults {
    fn new(pyramid: &[f64; AGE_COUNT]) -> Self {
        let mut sum = 0.0;
        let mut cumulative = Vec::with_capacity(AGE_COUNT);
        for (age, share) in (0_u8..).zip(pyramid) {
            sum += if age >= ADULT_AGE { *share } else { 0.0 };
            cumulative.push(sum);
        }
        let oldest = pyramid.iter().rposition(|share| *share > 0.0).unwrap_or(0) as u8;
        Self { cumulative, oldest }
    }

    /// An age from `from` to `to` in proportion to the pyramid; evenly if it has no such age.
    fn draw(&self, from: u8, to: u8, stream: &mut Stream) -> u8 {
        let below = if from == 0 { 0.0 } else { self.cumulative[usize::from(from) - 1] };
        let inside = self.cumulative[usize::from(to)] - below;
        let share = stream.unit_f64();
        if inside <= 0.0 {
            return from + (share * (f64::from(to - from) + 1.0)) as u8;
        }
        let at = self.cumulative.partition_point(|sum| *sum <= below + share * inside);
        (at as u8).clamp(from, to)
    }
}

/// Adds the ages of a household of `size` members; returns whether the first two are partners.
///
/// Shares of the forms are our own choice; the weighting changes them as the pyramid needs.
fn compose(size: usize, adults: &Adults, stream: &mut Stream, ages: &mut Vec<u8>) -> bool {
    let form = stream.unit_f32();
    let (adult_count, couple) = match size {
        1 => (1, false),
        2 if form < 0.72 => (2, true),
        2 if form < 0.86 => (1, false),
        2 => (2, false),
        _ if form < 0.62 => (2, true),
        _ if form < 0.74 => (1, false),
        _ if form < 0.84 => (3, true),
        _ if form < 0.94 => (size, true),
        _ => (size, false),
    };
    let has_children = adult_count < size;
    let (from, to) = if has_children { PARENT_AGES } else { (ADULT_AGE, adults.oldest) };
    let head = adults.draw(from, to, stream);
    ages.push(head);
    for adult in 1..adult_count {
        let partner = couple && adult == 1;
        let age = if partner {
            partner_age(head, adults.oldest, stream)
        } else {
            adults.draw(ADULT_AGE, adults.oldest, stream)
        };
        ages.push(age);
    }
    for _ in adult_count..size {
        ages.push(child_age(head, stream));
    }
    couple
}

/// Up to six years off, small differences more often (the sum of two even draws).
fn partner_age(head: u8, oldest: u8, stream: &mut Stream) -> u8 {
    let half = PARTNER_YEARS as u32 / 2;
    let years = stream.below(2 * half + 1) + stream.below(2 * half + 1);
    let age = i16::from(head) + years as i16 - PARTNER_YEARS;
    age.clamp(i16::from(ADULT_AGE), i16::from(oldest)) as u8
}

/// A child 20 to 40 years younger than a head aged 20 to 64, and at most 24.
fn child_age(head: u8, stream: &mut Stream) -> u8 {
    let nearest = CHILD_YEARS.0.max(head.saturating_sub(CHILD_AGE_MAX));
    let farthest = CHILD_YEARS.1.min(head);
    head - nearest - stream.below(u32::from(farthest - nearest) + 1) as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pool(params: &SynthesisParams) -> Templates {
        Templates::new(params, &params.tables().unwrap())
    }

    /// The rules of the module's first paragraph, over the whole pool.
    #[test]
    fn households_are_plausible() {
        let pool = pool(&SynthesisParams::default());
        for template in &pool.households {
            let ages = pool.ages(*template);
            let head = ages[0];
            assert!(head >= ADULT_AGE, "{ages:?}");
            if template.couple {
                assert!(ages[1] >= ADULT_AGE && head.abs_diff(ages[1]) <= 6, "{ages:?}");
            }
            let kin = |age: u8| (20..=40).contains(&(i16::from(head) - i16::from(age)));
            for age in ages.iter().filter(|age| **age < ADULT_AGE) {
                assert!(kin(*age), "{ages:?}");
            }
        }
    }

    /// The weighting meets the defaults, and says so where the pyramid cannot be had: households
    /// of one person have no children.
    #[test]
    fn the_misfit_is_told() {
        let fitted = pool(&SynthesisParams::default());
        assert!(fitted.misfit < 1e-6, "{}", fitted.misfit);
        let singles =
            SynthesisParams { household_size: [(1, 1.0)].into(), ..SynthesisParams::default() };
        let tables = singles.tables().unwrap();
        let minors: f64 = tables.pyramid[..18].iter().sum();
        assert!((pool(&singles).misfit - minors).abs() < 1e-6);
    }
}
