//! Command lines as language models write them, read into commands.
//!
//! One pass over the items sorts them into options and bare words; what a model tends to get wrong
//! is forgiven on the way: `--args-json` for `--json`, the skill's own name among the items, the
//! command word anywhere or not at all, bare dates, a note or a JSON text split at its spaces.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde::de::IgnoredAny;

use crate::agent::activity::words;

words! {
    /// A command of daily-guidance.
    Mode {
        /// Writes an empty Story to fill in.
        Init = "init",
        /// Submits the day's Story.
        Plan = "plan",
        /// Checks a Story file.
        Check = "check",
        /// Says which segment the clock is in.
        Current = "current",
        /// Shows the Story's state.
        Show = "show",
        /// Notes what really happened.
        Record = "record",
        /// Notes that the day goes otherwise.
        Deviate = "deviate",
        /// Replaces segments.
        Revise = "revise",
    }
}

words! {
    /// How a day goes otherwise than planned.
    Deviation {
        /// Noted only; the Story stands.
        RecordOnly = "record_only",
        /// One segment is to be changed.
        LocalPatch = "local_patch",
        /// The rest of the day is to be planned anew.
        RewriteRemainingDay = "rewrite_remaining_day",
        /// Something is left over for another day.
        Carryover = "carryover",
    }
}

words! {
    /// How much `show` tells.
    Detail {
        /// Counts.
        Summary = "summary",
        /// The lists themselves as well.
        Full = "full",
    }
}

/// A command with its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// `init`.
    Init {
        /// Day of the Story.
        date: Date,
        /// Where to write it, if not at the day's usual place.
        story_file: Option<String>,
        /// Whether to overwrite.
        force: bool,
    },
    /// `plan`.
    Plan {
        /// Date as given; the clock's counts.
        date: Option<String>,
        /// The Story as JSON text.
        json: String,
    },
    /// `check`.
    Check {
        /// Day of the Story.
        date: Option<Date>,
        /// The file, if not at the day's usual place.
        path: Option<String>,
    },
    /// `current`.
    Current,
    /// `show`.
    Show {
        /// How much to tell.
        detail: Detail,
    },
    /// `record`.
    Record {
        /// What was done.
        activity: String,
        /// Where.
        location: String,
        /// A remark.
        note: Option<String>,
    },
    /// `deviate`.
    Deviate {
        /// How.
        deviation: Deviation,
        /// Why.
        reason: String,
    },
    /// `revise`.
    Revise {
        /// Id of the first segment to replace.
        from: String,
        /// The replacement as JSON text.
        json: String,
    },
}

/// What a command line asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Call {
    /// The lifecycle hook, with its payload as JSON text.
    Hook(Option<String>),
    /// A command.
    Command(Command),
    /// The usage text.
    Help,
}

/// How the command line is to be used.
pub const USAGE: &str = "\
usage: daily-guidance init --date DATE [--story-file PATH] [--force]
       daily-guidance plan [--date DATE] --json JSON
       daily-guidance check [PATH | --date DATE]
       daily-guidance current [--date DATE]
       daily-guidance show [--date DATE] [--format summary|full]
       daily-guidance record [--date DATE] --activity TEXT --location TEXT [--note TEXT]
       daily-guidance deviate [--date DATE] --reason TEXT
                      --type record_only|local_patch|rewrite_remaining_day|carryover
       daily-guidance revise [--date DATE] --from SEGMENT --json JSON
       daily-guidance [--args-json PAYLOAD]        the lifecycle hook
";

/// Options that take a value.
const OPTIONS: [&str; 11] = [
    "date",
    "json",
    "from",
    "activity",
    "location",
    "note",
    "type",
    "reason",
    "format",
    "story-file",
    "agent-id",
];

/// Reads a command line.
///
/// # Errors
/// One sentence that says what is wrong with it.
pub fn parse(argv: &[String]) -> Result<Call, String> {
    if let [flag, payload] = argv
        && flag == "--args-json"
    {
        return Ok(Call::Hook(Some(payload.clone())));
    }
    let items: Vec<&str> = argv.iter().map(String::as_str).filter(|item| !is_name(item)).collect();
    if items.is_empty() {
        return Ok(Call::Hook(None));
    }
    let mut line = Line::scan(&items)?;
    if line.help {
        return Ok(Call::Help);
    }
    let mode = line.take_mode()?;
    line.take_dates();
    line.command(mode).map(Call::Command)
}

fn is_name(item: &str) -> bool {
    item.eq_ignore_ascii_case("daily-guidance") || item.eq_ignore_ascii_case("daily_guidance")
}

/// `YYYY-MM-DD`, and a day of the calendar.
fn bare_date(text: &str) -> Option<Date> {
    if text.len() == 10 { text.parse().ok() } else { None }
}

/// A command line sorted into options and bare words.
#[derive(Debug, Default)]
struct Line {
    options: BTreeMap<&'static str, String>,
    words: Vec<String>,
    force: bool,
    help: bool,
}

impl Line {
    fn scan(items: &[&str]) -> Result<Self, String> {
        let mut line = Self::default();
        let mut at = 0;
        while let Some(item) = items.get(at) {
            at += 1;
            let Some(option) = item.strip_prefix("--") else {
                if *item == "-h" {
                    line.help = true;
                } else {
                    line.words.push((*item).to_owned());
                }
                continue;
            };
            let (name, inline) = match option.split_once('=') {
                Some((name, value)) => (name, Some(value)),
                None => (option, None),
            };
            match name {
                "force" => line.force = true,
                "help" => line.help = true,
                _ => {
                    let name = if name == "args-json" { "json" } else { name };
                    let known = known_option(name)?;
                    let (value, used) = take_value(known, inline, &items[at..])?;
                    at += used;
                    line.options.insert(known, value);
                }
            }
        }
        Ok(line)
    }

    /// Takes the command word out of the bare words, or infers it from the options.
    fn take_mode(&mut self) -> Result<Mode, String> {
        if let Some(at) = self.words.iter().position(|word| Mode::from_word(word).is_some()) {
            let word = self.words.remove(at);
            return Ok(Mode::from_word(&word).expect("found by this test"));
        }
        let has = |name: &str| self.options.contains_key(name);
        if has("json") {
            Ok(if has("from") { Mode::Revise } else { Mode::Plan })
        } else if has("activity") && has("location") {
            Ok(Mode::Record)
        } else if has("type") && has("reason") {
            Ok(Mode::Deviate)
        } else if has("format") {
            Ok(Mode::Show)
        } else if has("date") || self.words.first().is_some_and(|word| bare_date(word).is_some()) {
            Ok(Mode::Current)
        } else {
            let given = self.words.first().map(|word| format!(" instead of '{word}'"));
            Err(format!("give a command{}: {}", given.unwrap_or_default(), words_of(Mode::ALL)))
        }
    }

    /// A leading bare date becomes `--date`; a date that repeats `--date` is dropped.
    fn take_dates(&mut self) {
        if let Some(first) = self.words.first()
            && bare_date(first).is_some()
            && !self.options.contains_key("date")
        {
            self.options.insert("date", self.words.remove(0));
        }
        if let Some(date) = self.options.get("date") {
            self.words.retain(|word| word != date);
        }
    }

    fn command(mut self, mode: Mode) -> Result<Command, String> {
        let command = match mode {
            Mode::Init => {
                let date = self.date()?.ok_or_else(|| missing(mode, "date"))?;
                self.options.remove("agent-id");
                let story_file = self.options.remove("story-file");
                Command::Init { date, story_file, force: std::mem::take(&mut self.force) }
            }
            Mode::Check => {
                let path = if self.words.is_empty() { None } else { Some(self.words.remove(0)) };
                Command::Check { date: self.date()?, path }
            }
            Mode::Plan => {
                Command::Plan { json: self.need(mode, "json")?, date: self.options.remove("date") }
            }
            Mode::Current => Command::Current,
            Mode::Show => {
                let word = self.options.remove("format").unwrap_or_else(|| "summary".to_owned());
                Command::Show { detail: choice(&word, "format", Detail::from_word, Detail::ALL)? }
            }
            Mode::Record => Command::Record {
                activity: self.need(mode, "activity")?,
                location: self.need(mode, "location")?,
                note: self.options.remove("note"),
            },
            Mode::Deviate => {
                let word = self.need(mode, "type")?;
                let deviation = choice(&word, "type", Deviation::from_word, Deviation::ALL)?;
                Command::Deviate { deviation, reason: self.need(mode, "reason")? }
            }
            Mode::Revise => {
                Command::Revise { from: self.need(mode, "from")?, json: self.need(mode, "json")? }
            }
        };
        // The day follows the clock, whatever --date says.
        self.options.remove("date");
        self.reject_rest(mode)?;
        Ok(command)
    }

    fn need(&mut self, mode: Mode, name: &'static str) -> Result<String, String> {
        self.options.remove(name).ok_or_else(|| missing(mode, name))
    }

    fn date(&mut self) -> Result<Option<Date>, String> {
        let Some(text) = self.options.remove("date") else { return Ok(None) };
        let date = bare_date(&text);
        date.map(Some).ok_or_else(|| format!("--date '{text}' is not a day YYYY-MM-DD"))
    }

    fn reject_rest(&self, mode: Mode) -> Result<(), String> {
        if let Some(name) = self.options.keys().next() {
            return Err(format!("{mode} has no option --{name}"));
        }
        if self.force {
            return Err(format!("{mode} has no option --force"));
        }
        match self.words.first() {
            Some(word) => Err(format!("{mode} does not know what to do with '{word}'")),
            None => Ok(()),
        }
    }
}

fn missing(mode: Mode, name: &str) -> String {
    format!("{mode} needs --{name}")
}

/// The option of this name, or the only one that begins so.
fn known_option(name: &str) -> Result<&'static str, String> {
    if let Some(known) = OPTIONS.into_iter().find(|known| *known == name) {
        return Ok(known);
    }
    let mut begun = OPTIONS.into_iter().filter(|known| !name.is_empty() && known.starts_with(name));
    match (begun.next(), begun.next()) {
        (Some(known), None) => Ok(known),
        _ => {
            let known = OPTIONS.map(|option| format!("--{option}")).join(", ");
            Err(format!("there is no option --{name}; known: {known}, --force"))
        }
    }
}

fn choice<T: Copy + std::fmt::Display>(
    word: &str,
    option: &str,
    from_word: impl Fn(&str) -> Option<T>,
    all: &[T],
) -> Result<T, String> {
    from_word(word).ok_or_else(|| format!("--{option} '{word}' is not one of: {}", words_of(all)))
}

fn words_of<T: std::fmt::Display>(all: &[T]) -> String {
    all.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

/// The value of option `name`, and how many of the items `rest` it took.
fn take_value(name: &str, inline: Option<&str>, rest: &[&str]) -> Result<(String, usize), String> {
    let until_option = rest.iter().take_while(|item| !item.starts_with("--")).count();
    let (first, skip) = match inline {
        Some(value) => (value, 0),
        None if until_option > 0 => (rest[0], 1),
        None => return Err(format!("--{name} needs a value")),
    };
    let more = &rest[skip..];
    let used = match name {
        "note" => until_option - skip,
        "json" => json_length(first, more).unwrap_or(until_option - skip),
        _ => 0,
    };
    let joined =
        more[..used].iter().fold(first.to_owned(), |joined, item| format!("{joined} {item}"));
    Ok((joined, skip + used))
}

/// How many of the items `more` make `first` a JSON text; `None` if no number does.
fn json_length(first: &str, more: &[&str]) -> Option<usize> {
    let mut text = first.to_owned();
    for used in 0..=more.len() {
        if used > 0 {
            text.push(' ');
            text.push_str(more[used - 1]);
        }
        // Only a text that closes its bracket can be whole; others are not worth a parse.
        let closed = used == 0 || text.ends_with(['}', ']']);
        if closed && serde_json::from_str::<IgnoredAny>(&text).is_ok() {
            return Some(used);
        }
    }
    None
}

#[cfg(test)]
mod tests;
