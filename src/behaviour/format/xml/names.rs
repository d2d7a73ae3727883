//! Which characters XML 1.0 allows, and where.

/// Whether XML 1.0 can hold the character at all, escaped or not.
pub(super) fn is_character(c: char) -> bool {
    !matches!(c, '\0'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}') || matches!(c, '\t' | '\n' | '\r')
}

/// Whether a word can be the name of an element or an attribute. Colons are left out: they mean
/// namespaces.
pub(super) fn is_name(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(is_name_start) && letters.all(is_name_part)
}

#[rustfmt::skip]
fn is_name_start(c: char) -> bool {
    matches!(c,
        'A'..='Z' | '_' | 'a'..='z' | '\u{C0}'..='\u{D6}' | '\u{D8}'..='\u{F6}'
        | '\u{F8}'..='\u{2FF}' | '\u{370}'..='\u{37D}' | '\u{37F}'..='\u{1FFF}'
        | '\u{200C}'..='\u{200D}' | '\u{2070}'..='\u{218F}' | '\u{2C00}'..='\u{2FEF}'
        | '\u{3001}'..='\u{D7FF}' | '\u{F900}'..='\u{FDCF}' | '\u{FDF0}'..='\u{FFFD}'
        | '\u{10000}'..='\u{EFFFF}')
}

fn is_name_part(c: char) -> bool {
    is_name_start(c)
        || matches!(c, '-' | '.' | '0'..='9' | '\u{B7}')
        || matches!(c, '\u{300}'..='\u{36F}' | '\u{203F}' | '\u{2040}')
}
