//! Counter-based randomness: a random number is a pure function of (seed, agent, tick, purpose).
//!
//! No stream is shared and none is stored, so results depend neither on the number of threads nor
//! on the order of work nor on a restart. The generator is Philox4x32-10 of Salmon, Moraes, Dror
//! and Shaw, "Parallel random numbers: as easy as 1, 2, 3" (SC 2011), checked against the known
//! answers published with their Random123 library.

use std::convert::Infallible;

use rand::TryRng;

use super::ids::AgentId;
use super::time::Tick;

const MULTIPLIER: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const WEYL: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];

/// What a random number is for. Each purpose has its own streams, so that adding a draw to one
/// rule changes no other rule. The numbers are part of the output's reproducibility: never reuse
/// or renumber one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub enum Purpose {
    /// Making households and persons.
    Synthesis = 1,
    /// Sampling or replicating households.
    Replicate = 2,
    /// Laying out zones and places.
    City = 3,
    /// Assigning home, work and school places.
    Assign = 4,
    /// Forming a day's Story.
    Story = 5,
    /// Revising a Story.
    Revise = 6,
    /// Choosing a destination.
    Destination = 7,
    /// Choosing a mode of travel.
    Mode = 8,
    /// What a person decides in a tick.
    Decide = 9,
    /// Whom to write to.
    Social = 10,
    /// Which agents a sampled log keeps.
    LogSample = 11,
    /// Initial need levels.
    Needs = 12,
    /// Random numbers handed to a script or a skill.
    Script = 13,
    /// Matching diaries to persons.
    Match = 14,
    /// Which persons belong to a group that is a share of others.
    Group = 15,
    /// A place recommended to a person who asks.
    Recommend = 16,
    /// What a person's behaviour tree draws.
    Tree = 17,
}

/// One stream of random numbers; implements [`rand::Rng`], so `rand::RngExt` methods work on it.
///
/// 2^32 blocks of four `u32` each.
#[derive(Debug, Clone)]
pub struct Stream {
    key: [u32; 2],
    counter: [u32; 4],
    block: [u32; 4],
    used: u8,
}

impl Stream {
    /// The stream of one agent at one tick for one purpose.
    #[inline]
    pub fn new(seed: u64, agent: AgentId, tick: Tick, purpose: Purpose) -> Self {
        Self::keyed(seed, agent.0, tick.0, purpose)
    }

    /// The stream of the `index`-th thing of any kind (a household, a zone, a place), outside
    /// time.
    #[inline]
    pub fn of_index(seed: u64, index: u32, purpose: Purpose) -> Self {
        Self::keyed(seed, index, u32::MAX, purpose)
    }

    #[inline]
    fn keyed(seed: u64, a: u32, b: u32, purpose: Purpose) -> Self {
        Self {
            key: [seed as u32, (seed >> 32) as u32],
            counter: [0, purpose as u32, b, a],
            block: [0; 4],
            used: 4,
        }
    }

    /// The next 32 random bits.
    #[inline]
    pub fn bits(&mut self) -> u32 {
        if self.used == 4 {
            self.block = philox4x32_10(self.counter, self.key);
            self.counter[0] = self.counter[0].wrapping_add(1);
            self.used = 0;
        }
        let word = self.block[usize::from(self.used)];
        self.used += 1;
        word
    }

    /// The next 64 random bits, the first 32 on top.
    #[inline]
    pub fn bits_u64(&mut self) -> u64 {
        u64::from(self.bits()) << 32 | u64::from(self.bits())
    }

    /// Uniform in [0, 1), a multiple of 2^-24.
    #[inline]
    pub fn unit_f32(&mut self) -> f32 {
        (self.bits() >> 8) as f32 * (1.0 / 16_777_216.0)
    }

    /// Uniform in [0, 1), a multiple of 2^-53.
    #[inline]
    pub fn unit_f64(&mut self) -> f64 {
        let high = u64::from(self.bits());
        let low = u64::from(self.bits());
        ((high << 21) ^ (low >> 11)) as f64 * (1.0 / 9_007_199_254_740_992.0)
    }

    /// Uniform in 0..n without modulo bias worth speaking of (below n / 2^32). Gives 0 for n = 0.
    ///
    /// Source: the multiply-shift of Lemire, "Fast random integer generation in an interval"
    /// (ACM TOMACS 2019), without its rejection step so that the draw count is fixed.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        ((u64::from(self.bits()) * u64::from(n)) >> 32) as u32
    }

    /// An index drawn in proportion to `weights`; `None` if none is positive. Weights that are
    /// negative or not finite count as 0.
    pub fn weighted(&mut self, weights: &[f32]) -> Option<usize> {
        let clean = |w: f32| if w.is_finite() && w > 0.0 { f64::from(w) } else { 0.0 };
        let total: f64 = weights.iter().map(|w| clean(*w)).sum();
        if total <= 0.0 {
            return None;
        }
        let mut left = self.unit_f64() * total;
        let mut last = None;
        for (index, weight) in weights.iter().enumerate() {
            let weight = clean(*weight);
            if weight > 0.0 {
                last = Some(index);
                if left < weight {
                    return last;
                }
                left -= weight;
            }
        }
        last
    }

    /// A standard normal draw (Box and Muller 1958, one of the pair).
    pub fn normal(&mut self) -> f64 {
        let u = 1.0 - self.unit_f64();
        let v = self.unit_f64();
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }
}

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.bits())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let low = u64::from(self.bits());
        Ok(low | (u64::from(self.bits()) << 32))
    }

    fn try_fill_bytes(&mut self, dst: &mut [u8]) -> Result<(), Infallible> {
        for part in dst.chunks_mut(4) {
            let word = self.bits().to_le_bytes();
            part.copy_from_slice(&word[..part.len()]);
        }
        Ok(())
    }
}

/// Ten rounds of Philox4x32.
#[inline]
pub fn philox4x32_10(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..10 {
        let left = u64::from(MULTIPLIER[0]) * u64::from(counter[0]);
        let right = u64::from(MULTIPLIER[1]) * u64::from(counter[2]);
        counter = [
            (right >> 32) as u32 ^ counter[1] ^ key[0],
            right as u32,
            (left >> 32) as u32 ^ counter[3] ^ key[1],
            left as u32,
        ];
        key = [key[0].wrapping_add(WEYL[0]), key[1].wrapping_add(WEYL[1])];
    }
    counter
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Known answers: Random123's kat_vectors, philox4x32 with 10 rounds.
    #[test]
    fn philox_gives_the_published_answers() {
        assert_eq!(
            philox4x32_10([0; 4], [0; 2]),
            [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]
        );
        assert_eq!(
            philox4x32_10([u32::MAX; 4], [u32::MAX; 2]),
            [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]
        );
        assert_eq!(
            philox4x32_10(
                [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
                [0xa409_3822, 0x299f_31d0]
            ),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }

    #[test]
    fn a_stream_depends_on_each_part_of_its_key() {
        let first = |seed, agent, tick, purpose| {
            Stream::new(seed, AgentId(agent), Tick(tick), purpose).bits()
        };
        let base = first(1, 2, 3, Purpose::Story);
        assert_eq!(base, first(1, 2, 3, Purpose::Story));
        assert_ne!(base, first(2, 2, 3, Purpose::Story));
        assert_ne!(base, first(1, 3, 3, Purpose::Story));
        assert_ne!(base, first(1, 2, 4, Purpose::Story));
        assert_ne!(base, first(1, 2, 3, Purpose::Mode));
    }

    /// Mean 0 and variance 1 within five standard errors at n = 40,000.
    #[test]
    fn normal_draws_have_mean_zero_and_variance_one() {
        let mut stream = Stream::of_index(7, 0, Purpose::Synthesis);
        let draws: Vec<f64> = (0..40_000).map(|_| stream.normal()).collect();
        let mean = draws.iter().sum::<f64>() / 40_000.0;
        let variance = draws.iter().map(|d| (d - mean).powi(2)).sum::<f64>() / 40_000.0;
        assert!(mean.abs() < 0.025, "{mean}");
        assert!((variance - 1.0).abs() < 0.036, "{variance}");
    }

    #[test]
    fn weighted_skips_zero_weights() {
        let mut stream = Stream::of_index(1, 0, Purpose::Decide);
        for _ in 0..200 {
            assert_eq!(stream.weighted(&[0.0, f32::NAN, 2.0, -1.0]), Some(2));
        }
        assert_eq!(stream.weighted(&[0.0]), None);
    }
}
