//! The order in which agents act one after another: drawn afresh in each tick.

use crate::base::ids::AgentId;
use crate::base::rng::{Purpose, Stream};
use crate::base::time::Tick;

/// Puts `items` into a random order (Fisher and Yates; Durstenfeld, CACM 1964): one stream per
/// seed, tick and `kind` of agents, so that the order depends on no thread.
pub(super) fn shuffle(items: &mut [u32], seed: u64, tick: Tick, kind: u32) {
    let mut stream = Stream::new(seed, AgentId(kind), tick, Purpose::ModelOrder);
    shuffle_with(items, &mut stream);
}

/// As [`shuffle`], from a stream at hand.
pub(super) fn shuffle_with(items: &mut [u32], stream: &mut Stream) {
    for last in (1..items.len()).rev() {
        items.swap(last, stream.below(last as u32 + 1) as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All 24 orders of four are equally likely: chi-square with 23 degrees of freedom stays below
    /// 58.6, which it passes with p = 6e-5.
    #[test]
    fn every_order_is_as_likely_as_any() {
        let mut counts = std::collections::BTreeMap::new();
        for tick in 0..24_000 {
            let mut items = [0, 1, 2, 3];
            shuffle(&mut items, 5, Tick(tick), 0);
            *counts.entry(items).or_insert(0_u32) += 1;
        }
        assert_eq!(counts.len(), 24);
        let chi: f64 = counts.values().map(|n| (f64::from(*n) - 1_000.0).powi(2) / 1_000.0).sum();
        assert!(chi < 58.6, "{chi}");
    }
}
