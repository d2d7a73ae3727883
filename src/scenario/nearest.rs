//! The known word that somebody probably meant.

/// The known word closest to `word`, if it is close: at most a third of the letters wrong,
/// counting a swap of neighbours as one. Ties go to the first in `known`.
pub(super) fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| text.to_lowercase().replace(['-', ' '], "_");
    let wanted = plain(word);
    let distance = |candidate: &str| strsim::osa_distance(&wanted, &plain(candidate));
    let allowed = |candidate: &str| (wanted.chars().count().max(candidate.len()) / 3).max(1);
    known
        .into_iter()
        .map(|candidate| (distance(candidate), candidate))
        .filter(|(distance, candidate)| *distance <= allowed(candidate))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn typos_are_near_and_other_words_are_not() {
        let known = ["tick_s", "ticks", "until", "start"];
        assert_eq!(nearest("tick", known), Some("ticks"));
        assert_eq!(nearest("Tick-s", known), Some("tick_s"));
        assert_eq!(nearest("unitl", known), Some("until"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest("", known), None);
    }
}
