//! One mistake in a user's file, and how it is shown.

/// How bad it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The scenario cannot be used.
    Error,
    /// The scenario can be used, but something in it has no effect.
    Warning,
}

/// One mistake in a user's file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The file as the user named it, or `command line` for an override.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Length in characters of what is wrong; at least 1.
    pub width: u32,
    /// The whole line, without its end.
    pub snippet: String,
    /// What was found and what is allowed.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
}

/// Longest excerpt of a line, in characters; a longer line is cut around the mistake.
const EXCERPT_MAX: usize = 120;

impl Diagnostic {
    /// The diagnostic as text in the manner of rustc, with a line end at its end:
    ///
    /// ```text
    /// error: unknown key `tick` in `clock`
    ///  --> scenario.yaml:4:3
    ///   |
    /// 4 |   tick: 300
    ///   |   ^^^^
    ///   = help: did you mean `tick_s`?
    /// ```
    pub fn render(&self) -> String {
        let severity = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let number = self.line.to_string();
        let margin = " ".repeat(number.len());
        let (excerpt, offset, width) = self.excerpt();
        let (indent, carets) = (" ".repeat(offset), "^".repeat(width));
        let mut text = format!(
            "{severity}: {}\n{margin}--> {}:{}:{}\n{margin} |\n{number} | {excerpt}\n\
             {margin} | {indent}{carets}\n",
            self.message, self.file, self.line, self.column
        );
        if let Some(help) = &self.help {
            text.push_str(&format!("{margin} = help: {help}\n"));
        }
        text
    }

    /// The part of the line to show, where in it the carets begin and how many there are. Tabs
    /// and other control characters become one space each, so that the carets stand right.
    fn excerpt(&self) -> (String, usize, usize) {
        let plain = |c: char| if c.is_control() { ' ' } else { c };
        let line: Vec<char> = self.snippet.trim_end().chars().map(plain).collect();
        let at = (self.column.max(1) as usize - 1).min(line.len());
        let from = if line.len() <= EXCERPT_MAX { 0 } else { at.saturating_sub(EXCERPT_MAX / 2) };
        let to = line.len().min(from + EXCERPT_MAX);
        let width = (self.width as usize).min(to.saturating_sub(at)).max(1);
        let (head, tail) =
            (if from > 0 { "…" } else { "" }, if to < line.len() { "…" } else { "" });
        let shown: String = line[from..to].iter().collect();
        (format!("{head}{shown}{tail}"), at - from + head.chars().count(), width)
    }
}

impl std::fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.render())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn diagnostic(snippet: &str, column: u32, width: u32) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            file: "scenario.yaml".to_owned(),
            line: 12,
            column,
            width,
            snippet: snippet.to_owned(),
            message: "unknown key `tick` in `clock`".to_owned(),
            help: Some("did you mean `tick_s`?".to_owned()),
        }
    }

    /// The layout that rustc made known: arrow line, numbered snippet, carets under the mistake.
    #[test]
    fn renders_like_rustc() {
        let expected = "\
error: unknown key `tick` in `clock`
  --> scenario.yaml:12:3
   |
12 |   tick: 300
   |   ^^^^
   = help: did you mean `tick_s`?
";
        assert_eq!(diagnostic("  tick: 300", 3, 4).render(), expected);
    }

    /// A line of 10,000 characters is cut around the mistake; carets never leave the excerpt.
    #[test]
    fn long_lines_and_wild_positions_are_cut() {
        let line = format!("{}tick{}", "a".repeat(5_000), "b".repeat(5_000));
        let text = diagnostic(&line, 5_001, 4).render();
        let rows: Vec<&str> = text.lines().collect();
        let caret = rows[4].chars().position(|c| c == '^').unwrap();
        assert_eq!(rows[3].chars().skip(caret).take(4).collect::<String>(), "tick");
        assert!(rows[3].chars().count() < 140);
        for (snippet, column) in [("", 0), ("x", 99), ("\t\u{7}ü", 3)] {
            assert!(diagnostic(snippet, column, 1_000).render().contains('^'));
        }
    }
}
