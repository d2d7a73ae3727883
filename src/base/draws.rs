//! One random word per agent and tick, for columns of agents: the generator is the caller's choice.

use super::ids::AgentId;
use super::mixer::Mixer;
use super::rng::{Purpose, philox4x32_10, philox4x32_10_lanes};
use super::time::Tick;

/// Which generator makes the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Generator {
    /// Philox4x32-10, see [`super::rng`].
    Philox,
    /// The keyed mixer, see [`super::mixer`].
    Mixer,
}

/// The words of one tick and one purpose.
#[derive(Debug, Clone, Copy)]
pub enum Draws {
    /// Philox: one block serves two agents.
    Philox {
        /// Seed.
        key: [u32; 2],
        /// Purpose and tick.
        counter: [u32; 2],
    },
    /// The keyed mixer.
    Mixer(Mixer),
}

/// Blocks of Philox that are made at a time.
const LANES: usize = 8;

impl Draws {
    /// The words that `seed` has for `purpose` at `tick`. A purpose that is drawn from here must
    /// not also be drawn from a [`super::rng::Stream`].
    pub fn new(generator: Generator, seed: u64, tick: Tick, purpose: Purpose) -> Self {
        match generator {
            Generator::Philox => Self::Philox {
                key: [seed as u32, (seed >> 32) as u32],
                counter: [u32::from(purpose as u16), tick.0],
            },
            Generator::Mixer => Self::Mixer(Mixer::new(seed, tick, purpose)),
        }
    }

    /// The word of one agent.
    #[inline]
    pub fn word(&self, agent: AgentId) -> u64 {
        match self {
            Self::Philox { key, counter: [purpose, tick] } => {
                let block = philox4x32_10([0, *purpose, *tick, agent.0 / 2], *key);
                let half = (agent.0 % 2) as usize * 2;
                join(block[half], block[half + 1])
            }
            Self::Mixer(mixer) => mixer.word(agent, 0),
        }
    }

    /// The words of `first` and the agents after it, as [`Self::word`] gives them one by one.
    ///
    /// # Panics
    /// If `first` is odd: two neighbours share a block.
    #[inline]
    pub fn fill(&self, first: AgentId, words: &mut [u64]) {
        assert!(first.0.is_multiple_of(2), "{first} is the second of two neighbours");
        match self {
            Self::Philox { key, counter: [purpose, tick] } => {
                for (index, words) in words.chunks_mut(2 * LANES).enumerate() {
                    let start = first.0 / 2 + (index * LANES) as u32;
                    let ids = std::array::from_fn(|lane| start.wrapping_add(lane as u32));
                    let counters = [[0; LANES], [*purpose; LANES], [*tick; LANES], ids];
                    let blocks = philox4x32_10_lanes(counters, *key);
                    for (lane, pair) in words.chunks_mut(2).enumerate() {
                        pair[0] = join(blocks[0][lane], blocks[1][lane]);
                        if let Some(second) = pair.get_mut(1) {
                            *second = join(blocks[2][lane], blocks[3][lane]);
                        }
                    }
                }
            }
            Self::Mixer(mixer) => mixer.fill(first, words),
        }
    }
}

#[inline]
fn join(low: u32, high: u32) -> u64 {
    u64::from(low) | (u64::from(high) << 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_words_is_the_words_one_by_one() {
        for generator in [Generator::Philox, Generator::Mixer] {
            for count in [1, 2, 15, 16, 17, 100] {
                let draws = Draws::new(generator, 5, Tick(9), Purpose::Walk);
                let mut words = vec![0; count];
                draws.fill(AgentId(6), &mut words);
                for (index, word) in words.iter().enumerate() {
                    assert_eq!(*word, draws.word(AgentId::from_index(6 + index)), "{generator:?}");
                }
            }
        }
    }

    #[test]
    fn words_depend_on_each_part_of_their_key() {
        for generator in [Generator::Philox, Generator::Mixer] {
            let word = |seed, tick, purpose, agent| {
                Draws::new(generator, seed, Tick(tick), purpose).word(AgentId(agent))
            };
            let base = word(1, 2, Purpose::Walk, 3);
            assert_ne!(base, word(2, 2, Purpose::Walk, 3));
            assert_ne!(base, word(1, 3, Purpose::Walk, 3));
            assert_ne!(base, word(1, 2, Purpose::ModelAct, 3));
            assert_ne!(base, word(1, 2, Purpose::Walk, 2));
        }
    }
}
