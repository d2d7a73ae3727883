//! Frontmatter and body of a SKILL.md's text.

/// How the frontmatter is fenced.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fence {
    /// Between two lines `---`.
    Closed,
    /// A first line `---` without a second.
    Unclosed,
    /// The first line is no `---`.
    Missing,
}

/// A text cut in two. The frontmatter, if any, begins on line 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Split<'t> {
    pub fence: Fence,
    /// Without its fences; empty without an opening one.
    pub front: &'t str,
    /// What follows.
    pub body: &'t str,
}

/// Cuts at lines that are exactly `---` (white space after it does not count), never at a `---`
/// within a line. An unclosed frontmatter ends before the first empty line or `# ` heading.
///
/// Source: contract 1.8, rule 2.
pub(super) fn split(text: &str) -> Split<'_> {
    let (first, rest) = text.split_once('\n').unwrap_or((text, ""));
    if first.trim_end() != "---" {
        return Split { fence: Fence::Missing, front: "", body: text };
    }
    let mut end = None;
    let mut at = 0;
    for line in rest.split_inclusive('\n') {
        let next = at + line.len();
        if line.trim_end() == "---" {
            return Split { fence: Fence::Closed, front: &rest[..at], body: &rest[next..] };
        }
        if end.is_none() && (line.trim().is_empty() || line.starts_with("# ")) {
            end = Some(at);
        }
        at = next;
    }
    let (front, body) = rest.split_at(end.unwrap_or(rest.len()));
    Split { fence: Fence::Unclosed, front, body }
}

/// The first line of prose: not empty, no heading, no fence. BareAgent's description.
pub(super) fn first_prose(body: &str) -> Option<&str> {
    let fence = |line: &str| {
        line.starts_with("```") || line.starts_with("~~~") || line.bytes().all(|b| b == b'-')
    };
    body.lines().map(str::trim).find(|line| !line.starts_with('#') && !fence(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_line_of_its_own_is_a_fence() {
        let cut = split("---  \na: x --- y\n ---\n--- z\n---\t\nbody\n---\n");
        assert_eq!(cut.fence, Fence::Closed);
        assert_eq!((cut.front, cut.body), ("a: x --- y\n ---\n--- z\n", "body\n---\n"));
        let cut = split("---\na: b\n# Title\ntext\n");
        assert_eq!(
            (cut.fence, cut.front, cut.body),
            (Fence::Unclosed, "a: b\n", "# Title\ntext\n")
        );
        let cut = split("\n---\na: b\n---\n");
        assert_eq!((cut.fence, cut.front, cut.body.len()), (Fence::Missing, "", 14));
        assert_eq!(split("---").fence, Fence::Unclosed);
        assert_eq!(split("---\n---").fence, Fence::Closed);
    }

    #[test]
    fn prose_is_no_heading_and_no_fence() {
        assert_eq!(first_prose("\n# A\n---\n```sh\n Use it. \nMore\n"), Some("Use it."));
        assert_eq!(first_prose("# A\n\n---\n"), None);
    }
}
