//! Arguments put into a skill's body.

/// What a skill is activated with.
///
/// In a text `$ARGUMENTS` stands for `raw`, `$1` and `$ARGUMENTS[1]` for the first argument and so
/// on, `$0` for the skill's name; a missing argument is empty. Text that was put in is not looked
/// at again.
///
/// Source: contract 1.7 of AgentSociety, as its section 0 decides; counting from 1 in brackets too.
pub(super) struct Arguments<'a> {
    name: &'a str,
    raw: &'a str,
    split: Vec<String>,
}

impl<'a> Arguments<'a> {
    pub fn new(name: &'a str, raw: &'a str) -> Self {
        Self { name, raw, split: split_arguments(raw) }
    }

    /// The arguments, one by one.
    pub fn all(&self) -> &[String] {
        &self.split
    }

    /// `text` with its placeholders replaced, and whether it has any.
    pub fn put_into(&self, text: &str) -> (String, bool) {
        let mut out = String::with_capacity(text.len() + self.raw.len());
        let mut rest = text;
        let mut replaced = false;
        while let Some(at) = rest.find('$') {
            out.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            if let Some(after) = rest.strip_prefix("ARGUMENTS") {
                let (value, after) = match bracketed(after) {
                    Some((number, after)) => (self.nth(number), after),
                    None => (self.raw, after),
                };
                out.push_str(value);
                rest = after;
                replaced = true;
            } else if digits > 0 {
                out.push_str(self.nth(&rest[..digits]));
                rest = &rest[digits..];
                replaced = true;
            } else {
                out.push('$');
            }
        }
        out.push_str(rest);
        (out, replaced)
    }

    /// `body` with the arguments below it, unless it has a place for them.
    pub fn add_below(&self, body: String, has_place: bool) -> String {
        if has_place || self.raw.trim().is_empty() {
            return body;
        }
        format!("{}\n\nARGUMENTS: {}", body.trim_end(), self.raw)
    }

    fn nth(&self, number: &str) -> &str {
        match number.parse::<usize>() {
            Ok(0) => self.name,
            Ok(number) => self.split.get(number - 1).map_or("", String::as_str),
            Err(_) => "",
        }
    }
}

/// The number in `[N]` at the start of the text, and what follows.
fn bracketed(text: &str) -> Option<(&str, &str)> {
    let (number, rest) = text.strip_prefix('[')?.split_once(']')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some((number, rest))
}

/// The words of a command line: separated by white space, which quotes of either kind and a
/// backslash outside single quotes keep. A quote that is not closed reaches to the end.
pub(super) fn split_arguments(raw: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut characters = raw.chars();
    while let Some(character) = characters.next() {
        match (quote, character) {
            (Some(open), _) if character == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None | Some('"'), '\\') => {
                word.get_or_insert_default().push(characters.next().unwrap_or('\\'));
            }
            (None, _) if character.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(character),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Section 0 and 1.7 of AgentSociety's contract.
    #[test]
    fn placeholders_are_replaced_once() {
        let put = |body: &str, raw: &str| {
            let arguments = Arguments::new("greet", raw);
            let (text, has_place) = arguments.put_into(body);
            arguments.add_below(text, has_place)
        };
        assert_eq!(put("$ARGUMENTS|$1|$2|$3|$0", "a 'b c'"), "a 'b c'|a|b c||greet");
        assert_eq!(put("$ARGUMENTS[2]|$ARGUMENTS[9]|$ARGUMENTS[x]", "a b"), "b||a b[x]");
        assert_eq!(put("$1 $2", "'$2' x"), "$2 x", "what was put in is not put in again");
        assert_eq!(put("costs $ or $x", ""), "costs $ or $x");
        assert_eq!(put("Do it.\n", "now 日常"), "Do it.\n\nARGUMENTS: now 日常");
        assert_eq!(put("$99999999999999999999999", "a"), "");
    }

    /// As a POSIX shell splits words.
    #[test]
    fn arguments_are_split_as_by_a_shell() {
        assert_eq!(split_arguments(r#" a\ b "c \"d\"" '' e'f'g "#), ["a b", "c \"d\"", "", "efg"]);
        assert_eq!(split_arguments("'open to the end"), ["open to the end"]);
    }
}
