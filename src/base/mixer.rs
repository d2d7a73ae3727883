//! A fast keyed generator for simple draws: SplitMix64 with a state and a step of its own for each
//! (seed, tick, purpose), read at a position given by (agent, draw).
//!
//! The generator is that of Steele, Lea and Flood, "Fast splittable pseudorandom number generators"
//! (OOPSLA 2014), with the finaliser "variant 13" that David Stafford published in 2011. As there,
//! each stream steps by an odd number of its own, so that two streams do not run into each other.
//! Nothing is stored: a word is a pure function of its key, as with [`super::rng`], at a quarter of
//! the price and without the margin of Philox. Its quality is measured in
//! `tests/it/randomness.rs`.

use super::ids::AgentId;
use super::rng::Purpose;
use super::time::Tick;

/// 2^64 divided by the golden ratio, made odd.
const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The words of one tick and one purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mixer {
    start: u64,
    step: u64,
}

impl Mixer {
    /// The words that `seed` has for `purpose` at `tick`.
    pub fn new(seed: u64, tick: Tick, purpose: Purpose) -> Self {
        let key = (u64::from(tick.0) << 16) | u64::from(purpose as u16);
        // Two rounds: neighbouring seeds, ticks and purposes have nothing in common afterwards.
        let root = finalise(seed.wrapping_add(GOLDEN)) ^ finalise(key.wrapping_mul(GOLDEN));
        let start = finalise(root.wrapping_add(GOLDEN));
        let step = odd_step(root.wrapping_add(GOLDEN.wrapping_mul(2)));
        Self { start, step }
    }

    /// 64 random bits: the `draw`-th of `agent`.
    #[inline]
    pub fn word(&self, agent: AgentId, draw: u32) -> u64 {
        let position = (u64::from(draw) << 32) | u64::from(agent.0);
        finalise(self.start.wrapping_add(position.wrapping_mul(self.step)))
    }

    /// Fills `words` with the first draws of `first` and the agents after it.
    #[inline]
    pub fn fill(&self, first: AgentId, words: &mut [u64]) {
        let mut state = self.start.wrapping_add(u64::from(first.0).wrapping_mul(self.step));
        for word in words {
            *word = finalise(state);
            state = state.wrapping_add(self.step);
        }
    }
}

/// Every bit of the result depends on every bit of `z`, each way.
#[inline]
const fn finalise(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// An odd step whose bits change often enough from one to the next; a step such as 1 or 2^63 + 1
/// would leave the finaliser too much to do. The rule and its finaliser (MurmurHash3's) are the
/// paper's.
const fn odd_step(z: u64) -> u64 {
    let z = (z ^ (z >> 33)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    let z = (z ^ (z >> 33)).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    let z = (z ^ (z >> 33)) | 1;
    if (z ^ (z >> 1)).count_ones() < 24 { z ^ 0xAAAA_AAAA_AAAA_AAAA } else { z }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first five numbers of SplitMix64 seeded with 1234567, as Vigna's reference program
    /// prints them and many ports test them.
    #[test]
    fn the_core_gives_the_published_answers() {
        let plain = Mixer { start: 1_234_567_u64.wrapping_add(GOLDEN), step: GOLDEN };
        let mut words = [0; 5];
        plain.fill(AgentId(0), &mut words);
        assert_eq!(
            words,
            [
                6_457_827_717_110_365_317,
                3_203_168_211_198_807_973,
                9_817_491_932_198_370_423,
                4_593_380_528_125_082_431,
                16_408_922_859_458_223_821,
            ]
        );
    }

    #[test]
    fn a_word_alone_is_the_word_of_a_row() {
        let mixer = Mixer::new(7, Tick(3), Purpose::Decide);
        let mut words = [0; 100];
        mixer.fill(AgentId(40), &mut words);
        for (index, word) in words.iter().enumerate() {
            assert_eq!(*word, mixer.word(AgentId::from_index(40 + index), 0));
        }
    }

    /// Over 10,000 keys: each step is odd and changes between neighbouring bits at least 24 times,
    /// the bound of the paper.
    #[test]
    fn steps_are_odd_and_irregular() {
        for tick in 0..10_000 {
            let step = Mixer::new(1, Tick(tick), Purpose::Decide).step;
            assert_eq!(step & 1, 1);
            assert!((step ^ (step >> 1)).count_ones() >= 24, "{step:x}");
        }
    }
}
