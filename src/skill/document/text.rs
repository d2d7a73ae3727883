//! Bytes to text with LF line ends.

use super::diagnostic::Findings;
use super::manifest::SKILL_MD_BYTES_MAX;

/// The text of a SKILL.md; `None`, with an error, if it cannot be text.
pub(super) fn decode(bytes: &[u8], found: &mut Findings<'_>) -> Option<String> {
    if bytes.len() as u64 > SKILL_MD_BYTES_MAX {
        let message = format!("{} bytes; at most {SKILL_MD_BYTES_MAX} are read", bytes.len());
        found.error(1, "too-large", message);
        return None;
    }
    let bytes = match bytes.strip_prefix("\u{FEFF}".as_bytes()) {
        Some(rest) => {
            found.warn(1, "bom", "a byte-order mark was dropped");
            rest
        }
        None => bytes,
    };
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.valid_up_to();
            let line = line_at(&bytes[..at]);
            let byte = bytes.get(at).copied().unwrap_or_default();
            let message = format!("byte 0x{byte:02X} is not UTF-8; save the file as UTF-8");
            found.error(line, "not-utf8", message);
            return None;
        }
    };
    if let Some(at) = text.find('\0') {
        found.error(line_at(&bytes[..at]), "nul", "a NUL character; this is no text file");
        return None;
    }
    let Some(at) = text.find('\r') else { return Some(text.to_owned()) };
    let kind = if text[at..].starts_with("\r\n") { "CRLF" } else { "CR" };
    found.warn(line_at(&bytes[..at]), "crlf", format!("{kind} line ends were read as LF"));
    Some(text.replace("\r\n", "\n").replace('\r', "\n"))
}

/// The line (from 1) on which what follows `before` stands; LF, CRLF and CR all end a line.
fn line_at(before: &[u8]) -> u32 {
    let ends = before.iter().enumerate().filter(|(at, byte)| {
        **byte == b'\n' || (**byte == b'\r' && before.get(at + 1) != Some(&b'\n'))
    });
    u32::try_from(ends.count()).unwrap_or(u32::MAX).saturating_add(1)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn decoded(bytes: &[u8]) -> (Option<String>, Vec<(&'static str, u32)>) {
        let mut found = Findings::new(Path::new("SKILL.md"));
        let text = decode(bytes, &mut found);
        (text, found.into_inner().iter().map(|d| (d.code, d.line)).collect())
    }

    /// Contract 1.8, rule 1.
    #[test]
    fn one_mark_is_dropped_and_all_line_ends_become_lf() {
        let (text, codes) = decoded(b"\xEF\xBB\xBF\xEF\xBB\xBFa\r\nb\rc\n");
        assert_eq!(text.as_deref(), Some("\u{FEFF}a\nb\nc\n"));
        assert_eq!(codes, [("bom", 1), ("crlf", 1)]);
    }

    #[test]
    fn what_is_no_text_is_refused_at_its_line() {
        assert_eq!(decoded(b"a\r\nb\rc\nd\xE9"), (None, vec![("not-utf8", 4)]));
        assert_eq!(decoded(b"a\nb\0"), (None, vec![("nul", 2)]));
        assert_eq!(decoded(&vec![b'a'; 1 + (1 << 20)]), (None, vec![("too-large", 1)]));
    }
}
