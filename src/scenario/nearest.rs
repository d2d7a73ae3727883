//! The known word that somebody probably meant.

/// The known word closest to `word`, if it is close: at most a third of the letters wrong,
/// counting a swap of neighbours as one, or one begins with the other. Ties go to the first in
/// `known`.
pub(super) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| text.to_lowercase().replace(['-', ' '], "_");
    let wanted = plain(word);
    let distance_of = |candidate: &'a str| {
        let other = plain(candidate);
        let distance = strsim::osa_distance(&wanted, &other);
        let allowed = (wanted.chars().count().max(other.chars().count()) / 3).max(1);
        let begins = wanted.len() >= BEGINNING_MIN && other.starts_with(&wanted)
            || other.len() >= BEGINNING_MIN && wanted.starts_with(&other);
        (distance <= allowed || begins).then_some((distance, candidate))
    };
    known.into_iter().filter_map(distance_of).min_by_key(|(distance, _)| *distance).map(|(_, k)| k)
}

/// Shortest beginning that counts, in bytes.
const BEGINNING_MIN: usize = 3;

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn typos_are_near_and_other_words_are_not() {
        let known = ["tick_s", "ticks", "until", "start"];
        assert_eq!(nearest("tick", known), Some("ticks"));
        assert_eq!(nearest("Tick-s", known), Some("tick_s"));
        assert_eq!(nearest("unitl", known), Some("until"));
        assert_eq!(nearest("speed", ["overhead_s", "speed_kmh"]), Some("speed_kmh"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest("", known), None);
    }
}
