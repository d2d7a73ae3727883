//! A battery of statistical tests for the keyed generators, along every part of their key.
//!
//! A stream of words is made by counting up one part of the key (agent, draw, tick, seed) or by
//! walking over agents and ticks as a model does; each must look like independent uniform bits.
//! Every test gives a standard normal score; a score beyond [`SCORE_MAX`] has probability 10^-6
//! for a perfect generator. The tests themselves are tested: known weak generators fail them.

use populace::base::draws::{Draws, Generator};
use populace::base::ids::AgentId;
use populace::base::mixer::Mixer;
use populace::base::rng::Purpose;
use populace::base::time::Tick;

/// Two-sided 10^-6 of the standard normal distribution.
const SCORE_MAX: f64 = 4.892;

/// The score of a chi-square sum with `freedom` degrees of freedom (Wilson and Hilferty 1931).
fn chi_score(chi: f64, freedom: f64) -> f64 {
    let spread = 2.0 / (9.0 * freedom);
    ((chi / freedom).cbrt() - (1.0 - spread)) / spread.sqrt()
}

fn chi_square(counts: &[u32], expected: f64) -> f64 {
    counts.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum()
}

/// Each of the eight bytes takes its 256 values equally often.
fn bytes(words: &[u64]) -> Vec<(String, f64)> {
    let score = |position: usize| {
        let mut counts = [0; 256];
        words.iter().for_each(|word| counts[usize::from(word.to_le_bytes()[position])] += 1);
        chi_score(chi_square(&counts, words.len() as f64 / 256.0), 255.0)
    };
    (0..8).map(|position| (format!("byte {position}"), score(position))).collect()
}

/// Pairs of bytes of two neighbouring words take their 65,536 values equally often.
fn pairs(words: &[u64]) -> Vec<(String, f64)> {
    let score = |position: usize| {
        let mut counts = vec![0; 65_536];
        for pair in words.chunks_exact(2) {
            let [first, second] = [0, 1].map(|n| usize::from(pair[n].to_le_bytes()[position]));
            counts[first * 256 + second] += 1;
        }
        chi_score(chi_square(&counts, words.len() as f64 / 2.0 / 65_536.0), 65_535.0)
    };
    [0, 3, 4, 7].map(|position| (format!("pairs of byte {position}"), score(position))).into()
}

/// Neighbouring words, and words further apart, are uncorrelated: as fractions of the largest,
/// high halves and low halves, sums of n products have variance n / 144.
fn correlation(words: &[u64]) -> Vec<(String, f64)> {
    let halves: [fn(&u64) -> f64; 2] = [|w| (w >> 32) as f64, |w| (w & 0xFFFF_FFFF) as f64];
    let mut scores = Vec::new();
    for (half, take) in ["high", "low"].into_iter().zip(halves) {
        let unit = |word: &u64| take(word) / 4_294_967_296.0 - 0.5;
        for lag in [1, 2, 16, 1_024] {
            let products = words.iter().zip(&words[lag..]).map(|(a, b)| unit(a) * unit(b));
            let score = products.sum::<f64>() * 12.0 / ((words.len() - lag) as f64).sqrt();
            scores.push((format!("correlation of {half} halves, lag {lag}"), score));
        }
    }
    scores
}

/// Each bit is set half of the time, and differs from that of the word before half of the time.
fn bits(words: &[u64]) -> Vec<(String, f64)> {
    let (mut ones, mut changes) = ([0_u32; 64], [0_u32; 64]);
    for pair in words.windows(2) {
        let change = pair[0] ^ pair[1];
        for bit in 0..64 {
            ones[bit] += (pair[0] >> bit & 1) as u32;
            changes[bit] += (change >> bit & 1) as u32;
        }
    }
    let n = (words.len() - 1) as f64;
    let chi = |counts: &[u32; 64]| -> f64 {
        counts.iter().map(|count| (f64::from(*count) - n / 2.0).powi(2) / (n / 4.0)).sum()
    };
    vec![
        ("bits set".to_owned(), chi_score(chi(&ones), 64.0)),
        ("bits changed".to_owned(), chi_score(chi(&changes), 64.0)),
    ]
}

/// Ranks of random 64 by 64 matrices of bits: full with probability 0.28879, one less 0.57758,
/// lower 0.13364 (Marsaglia and Tsay 1985).
fn ranks(words: &[u64]) -> Vec<(String, f64)> {
    let mut counts = [0_u32; 3];
    for rows in words.chunks_exact(64) {
        counts[(64 - rank(rows)).min(2)] += 1;
    }
    let n = f64::from(counts.iter().sum::<u32>());
    let shares = [0.288_788_095, 0.577_576_190, 0.133_635_715];
    let terms = counts.iter().zip(shares).map(|(count, share)| {
        let expected = n * share;
        (f64::from(*count) - expected).powi(2) / expected
    });
    vec![("ranks of matrices".to_owned(), chi_score(terms.sum(), 2.0))]
}

fn rank(rows: &[u64]) -> usize {
    let mut rows = rows.to_vec();
    let mut rank = 0;
    for bit in 0..64 {
        let Some(pivot) = (rank..rows.len()).find(|row| rows[*row] >> bit & 1 == 1) else {
            continue;
        };
        rows.swap(rank, pivot);
        let pivot = rows[rank];
        rows[rank + 1..].iter_mut().filter(|row| **row >> bit & 1 == 1).for_each(|r| *r ^= pivot);
        rank += 1;
    }
    rank
}

/// Birthday spacings (Marsaglia 1985; L'Ecuyer and Simard 2001): of 4,096 birthdays in a year of
/// 2^32 days, equal spacings number 4096³ / 2^34 = 4 on average, as Poisson has it. A lattice,
/// such as words at equal distances, has many more or none.
fn spacings(words: &[u64]) -> Vec<(String, f64)> {
    let score = |shift: u32| {
        let (mut equal, mut rounds) = (0_u32, 0_u32);
        for round in words.chunks_exact(4_096) {
            let mut days: Vec<u32> = round.iter().map(|word| (word >> shift) as u32).collect();
            days.sort_unstable();
            let mut gaps: Vec<u32> = days.windows(2).map(|pair| pair[1] - pair[0]).collect();
            gaps.sort_unstable();
            equal += gaps.windows(2).map(|pair| u32::from(pair[0] == pair[1])).sum::<u32>();
            rounds += 1;
        }
        let expected = 4.0 * f64::from(rounds);
        (f64::from(equal) - expected) / expected.sqrt()
    };
    [0, 16, 32].map(|shift| (format!("birthday spacings of bits {shift}"), score(shift))).into()
}

fn battery(words: &[u64]) -> Vec<(String, f64)> {
    [bytes, pairs, correlation, bits, ranks, spacings].iter().flat_map(|test| test(words)).collect()
}

/// What a perfect generator would not say.
fn failures(words: &[u64]) -> Vec<(String, f64)> {
    battery(words).into_iter().filter(|(_, score)| score.abs() > SCORE_MAX).collect()
}

const PURPOSE: Purpose = Purpose::Walk;

/// Streams of `count` words, each along another part of the key, with a name.
fn streams(generator: Generator, count: u32) -> Vec<(&'static str, Vec<u64>)> {
    let word = |seed: u64, agent: u32, tick: u32| {
        Draws::new(generator, seed, Tick(tick), PURPOSE).word(AgentId(agent))
    };
    let mut streams: Vec<(&str, Vec<u64>)> = vec![
        ("ticks", (0..count).map(|n| word(1, 5, n)).collect()),
        ("seeds", (0..count).map(|n| word(u64::from(n), 5, 3)).collect()),
        ("seeds in high bits", (0..count).map(|n| word(u64::from(n) << 40, 5, 3)).collect()),
        ("agents and ticks", (0..count).map(|n| word(1, n % 64, n / 64)).collect()),
        ("ticks and agents", (0..count).map(|n| word(1, n / 64, n % 64)).collect()),
        ("agents a thousand apart", (0..count).map(|n| word(1, n * 1_000, 3)).collect()),
    ];
    if generator == Generator::Mixer {
        let mixer = Mixer::new(1, Tick(3), PURPOSE);
        let draws = (0..count).map(|n| mixer.word(AgentId(5), n)).collect();
        let both = (0..count).map(|n| mixer.word(AgentId(n / 4), n % 4)).collect();
        streams.extend([("draws", draws), ("agents and draws", both)]);
    }
    streams
}

#[test]
fn words_along_every_part_of_the_key_look_random() {
    for generator in [Generator::Philox, Generator::Mixer] {
        for (name, words) in streams(generator, 1 << 20) {
            assert_eq!(failures(&words), [], "{generator:?} along {name}");
        }
    }
}

/// The stream that a large model reads, sixteen million words of neighbouring agents.
#[test]
fn sixteen_million_neighbours_look_random() {
    for generator in [Generator::Philox, Generator::Mixer] {
        let mut words = vec![0; 1 << 24];
        Draws::new(generator, 7, Tick(11), PURPOSE).fill(AgentId(0), &mut words);
        assert_eq!(failures(&words), [], "{generator:?}");
        words.sort_unstable();
        words.dedup();
        // Of 2^24 words of 64 bits two are equal with probability 2^-17.
        assert_eq!(words.len(), 1 << 24, "{generator:?}: a word comes twice");
    }
}

/// Whichever bit of the key changes, each bit of the word changes with probability one half:
/// 4,096 trials for each of the pairs of bits, of which no one may stand out.
#[test]
fn each_bit_of_the_key_changes_half_of_the_word() {
    const TRIALS: u32 = 4_096;
    // Of 160 x 64 scores the largest exceeds 6.5 with probability 10^-6.
    const LARGEST: f64 = 6.5;
    let key = |trial: u32| {
        let word = |n| Mixer::new(99, Tick(n), Purpose::ModelSetup).word(AgentId(trial), n);
        [word(0), word(1) & 0xFFFF_FFFF, word(2) & 0xFFFF_FFFF, word(3) & 0xFFFF_FFFF]
    };
    let word = |[seed, tick, agent, draw]: [u64; 4]| {
        Mixer::new(seed, Tick(tick as u32), PURPOSE).word(AgentId(agent as u32), draw as u32)
    };
    let bits = [(0, 64), (1, 32), (2, 32), (3, 32)];
    let mut chi = 0.0;
    for (part, bit) in bits.into_iter().flat_map(|(part, count)| (0..count).map(move |b| (part, b)))
    {
        let mut changed = [0_u32; 64];
        for trial in 0..TRIALS {
            let key = key(trial);
            let mut other = key;
            other[part] ^= 1 << bit;
            let change = word(key) ^ word(other);
            (0..64).for_each(|bit| changed[bit] += (change >> bit & 1) as u32);
        }
        for (position, count) in changed.iter().enumerate() {
            let n = f64::from(TRIALS);
            let score = (f64::from(*count) - n / 2.0) / (n / 4.0).sqrt();
            assert!(score.abs() < LARGEST, "part {part}, bit {bit} on bit {position}: {score}");
            chi += score * score;
        }
    }
    let score = chi_score(chi, 160.0 * 64.0);
    assert!(score.abs() < SCORE_MAX, "{score}");
}

/// The battery has teeth: a counter times the golden ratio (a lattice), a 64-bit linear
/// congruential generator (weak low bits), xorshift64 (linear over bits), one bit that is set too
/// often, and a generator that repeats its neighbour now and then all fail.
#[test]
fn weak_generators_fail() {
    let count = 1 << 20;
    let golden = |n: u64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let good = |n: u64| Mixer::new(3, Tick(0), PURPOSE).word(AgentId(n as u32), 0);
    let mut state = 1_u64;
    let mut congruential = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695);
        state
    };
    let mut shifted = 88_172_645_463_325_252_u64;
    let mut xorshift = || {
        shifted ^= shifted << 13;
        shifted ^= shifted >> 7;
        shifted ^= shifted << 17;
        shifted
    };
    let weak: [(&str, Vec<u64>); 5] = [
        ("lattice", (0..count).map(golden).collect()),
        ("congruential", (0..count).map(|_| congruential()).collect()),
        ("xorshift", (0..count).map(|_| xorshift()).collect()),
        ("bias", (0..count).map(|n| good(n) | u64::from(n % 50 == 0) << 20).collect()),
        ("echo", (0..count).map(|n| good(if n % 50 == 1 { n - 1 } else { n })).collect()),
    ];
    for (name, words) in weak {
        assert_ne!(failures(&words), [], "{name} passes");
    }
}
