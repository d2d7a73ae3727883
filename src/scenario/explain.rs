//! Puts what is wrong by the JSON schema into words.

use std::collections::BTreeSet;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use super::locate::join;
use super::nearest::nearest;
use super::schema::CHECKER;
use super::schema_walk::Walk;

/// One mistake, at a place given by JSON pointer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    /// Where.
    pub(super) pointer: String,
    /// Whether the key is meant rather than the value.
    pub(super) on_key: bool,
    /// What was found, what is allowed.
    pub(super) message: String,
    /// What to do.
    pub(super) help: Option<String>,
}

/// Every way in which `value` breaks the schema; empty if it keeps to it.
pub(super) fn check(value: &Value) -> Vec<Finding> {
    let mut explainer = Explainer {
        walk: Walk { schema: &CHECKER.schema, value },
        findings: Vec::new(),
        meant: BTreeSet::new(),
    };
    // Unknown keys first: a key that was probably meant is not also reported as missing.
    let (unknown, other): (Vec<_>, Vec<_>) =
        explainer.leaves(value).into_iter().partition(|error| {
            matches!(error.kind(), ValidationErrorKind::AdditionalProperties { .. })
        });
    for error in unknown.iter().chain(&other) {
        explainer.explain(error);
    }
    explainer.findings
}

/// `clock.tick_s` for the pointer `/clock/tick_s`.
pub(super) fn dotted(pointer: &str) -> String {
    pointer.trim_start_matches('/').replace('/', ".").replace("~1", "/").replace("~0", "~")
}

/// A value as it is quoted in a message.
pub(super) fn quote(value: &Value) -> String {
    match value {
        Value::Null => "nothing (an empty value)".to_owned(),
        Value::Object(_) => "a map of keys".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::String(text) if text.chars().count() > 60 => {
            format!("`{}…`", text.chars().take(60).collect::<String>())
        }
        Value::String(text) => format!("`{text}`"),
        other => format!("`{other}`"),
    }
}

/// "`a`, `b` or `c`".
pub(super) fn listed<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => "nothing".to_owned(),
    }
}

struct Explainer<'a> {
    walk: Walk<'a>,
    findings: Vec<Finding>,
    /// Pointers of keys that an unknown key was probably meant to be.
    meant: BTreeSet<String>,
}

impl<'a> Explainer<'a> {
    /// The schema's complaints, those about alternatives replaced by those of the alternative
    /// that the author chose.
    fn leaves(&self, value: &'a Value) -> Vec<ValidationError<'a>> {
        let mut leaves = Vec::new();
        for error in CHECKER.validator.iter_errors(value) {
            self.unfold(error.to_owned(), &mut leaves);
        }
        leaves
    }

    /// Replaces an alternative's complaint by those of the one branch that was meant, if there is
    /// exactly one: branches of another type or with another tag were not.
    fn unfold(&self, error: ValidationError<'static>, leaves: &mut Vec<ValidationError<'a>>) {
        let at = error.instance_path().as_str().to_owned();
        let not_meant = |one: &ValidationError<'_>| {
            let below = one.instance_path().as_str();
            match one.kind() {
                ValidationErrorKind::Type { .. } => below == at,
                ValidationErrorKind::Constant { .. } => below == at || parent(below) == at,
                _ => false,
            }
        };
        let (ValidationErrorKind::AnyOf { context }
        | ValidationErrorKind::OneOfNotValid { context }) = error.kind()
        else {
            return leaves.push(error);
        };
        let is_meant = |branch: &Vec<_>| !branch.iter().any(not_meant);
        let meant = context.iter().position(is_meant);
        let is_one = context.iter().filter(|branch| is_meant(branch)).count() == 1;
        let (Some(index), true, false) = (meant, is_one, self.lacks_tag(&at)) else {
            return leaves.push(error);
        };
        // The branch can be moved out of the error, not cloned.
        if let ValidationErrorKind::AnyOf { context }
        | ValidationErrorKind::OneOfNotValid { context } = error.into_parts().kind
        {
            for inner in context.into_iter().nth(index).into_iter().flatten() {
                self.unfold(inner, leaves);
            }
        }
    }

    /// Whether the value at `pointer` should say by a tag what it is, and does not.
    fn lacks_tag(&self, pointer: &str) -> bool {
        let tag = self.walk.site(pointer).and_then(|site| self.walk.tag(site));
        let value = self.walk.value.pointer(pointer);
        tag.is_some_and(|tag| value.is_some_and(|value| value.get(tag).is_none()))
    }

    fn explain(&mut self, error: &ValidationError<'_>) {
        let pointer = error.instance_path().as_str();
        match error.kind() {
            ValidationErrorKind::AdditionalProperties { unexpected } => {
                unexpected.iter().for_each(|key| self.unknown_key(pointer, key));
            }
            ValidationErrorKind::Required { property } => {
                self.missing_key(pointer, property.as_str().unwrap_or_default());
            }
            ValidationErrorKind::PropertyNames { error } => {
                if let Value::String(word) = &**error.instance() {
                    let schema = self.walk.schema_at(pointer).and_then(|s| s.get("propertyNames"));
                    let words = schema.map_or_else(Vec::new, |schema| self.walk.words(schema));
                    self.unknown_word(&join(pointer, word), word, &words, true);
                }
            }
            ValidationErrorKind::AnyOf { .. } | ValidationErrorKind::OneOfNotValid { .. } => {
                self.no_alternative(pointer, error.instance());
            }
            ValidationErrorKind::Enum { .. } | ValidationErrorKind::Constant { .. } => {
                self.no_alternative(pointer, error.instance());
            }
            _ => self.bad_value(error),
        }
    }

    fn unknown_key(&mut self, pointer: &str, key: &str) {
        let known = self.walk.keys(pointer);
        let present = self.walk.value.pointer(pointer);
        let absent = |name: &&str| present.is_none_or(|map| map.get(*name).is_none());
        let free: Vec<&str> = known.iter().copied().filter(absent).collect();
        // An override may mean a key that is there already; a key in the file hardly ever does.
        let near = nearest(key, free).or_else(|| nearest(key, known.iter().copied()));
        let home = self.walk.homes_of(key).into_iter().next();
        let help = match (near, self.variants_with(pointer, key), home) {
            (Some(near), _, _) => {
                self.meant.insert(join(pointer, near));
                format!("did you mean `{near}`?")
            }
            (None, Some(tag), _) => format!("`{key}` goes with {tag}"),
            (None, None, Some(home)) => format!("`{key}` is a key of `{home}`"),
            (None, None, None) if known.is_empty() => "remove it".to_owned(),
            (None, None, None) => format!("the keys here are {}", listed(known)),
        };
        self.findings.push(Finding {
            pointer: join(pointer, key),
            on_key: true,
            message: format!("unknown key `{key}`{}", inside(pointer)),
            help: Some(help),
        });
    }

    /// "`source: grid`" if the key belongs to another variant of the tagged union at `pointer`.
    fn variants_with(&self, pointer: &str, key: &str) -> Option<String> {
        let site = self.walk.site(pointer)?;
        let tag = self.walk.tag(site)?;
        let has_key = |variant: &&Value| variant.pointer(&join("/properties", key)).is_some();
        let word = |variant| self.walk.words(variant_tag(variant, tag)?).first().copied();
        let variant = self.walk.variants(site).iter().find(has_key)?;
        Some(format!("`{tag}: {}`", word(variant)?))
    }

    fn missing_key(&mut self, pointer: &str, key: &str) {
        let missing = join(pointer, key);
        if self.meant.contains(&missing) {
            return;
        }
        let said = self.walk.description(&missing);
        self.findings.push(Finding {
            pointer: pointer.to_owned(),
            on_key: true,
            message: format!("missing key `{key}`{}", inside(pointer)),
            help: said.map(|said| format!("`{key}`: {said}")),
        });
    }

    /// None of several alternatives: an unknown word, a wrong or missing tag, or a wrong type.
    fn no_alternative(&mut self, pointer: &str, value: &Value) {
        let Some(site) = self.walk.site(pointer) else { return };
        match (self.walk.tag(site), value) {
            (Some(tag), Value::Object(map)) => {
                let variants = self.tag_words(site, tag);
                match map.get(tag) {
                    Some(Value::String(word)) => {
                        self.unknown_word(&join(pointer, tag), word, &variants, false);
                    }
                    Some(other) => self.wrong_word(&join(pointer, tag), other, &variants),
                    None => self.findings.push(Finding {
                        pointer: pointer.to_owned(),
                        on_key: true,
                        message: format!("missing key `{tag}`{}", inside(pointer)),
                        help: Some(format!("`{tag}` is {}", listed(variants))),
                    }),
                }
            }
            (Some(tag), other) => self.push(
                pointer,
                format!("expected a map of keys{}, found {}", of(pointer), quote(other)),
                Some(format!("it begins with `{tag}`: {}", listed(self.tag_words(site, tag)))),
            ),
            (None, Value::String(word)) => {
                self.unknown_word(pointer, word, &self.walk.words(site), false);
            }
            (None, other) => self.wrong_word(pointer, other, &self.walk.words(site)),
        }
    }

    fn tag_words(&self, site: &'a Value, tag: &str) -> Vec<&'a str> {
        let words = |variant| self.walk.words(variant);
        let variants = self.walk.variants(site).iter();
        variants.filter_map(|variant| variant_tag(variant, tag)).flat_map(words).collect()
    }

    fn unknown_word(&mut self, pointer: &str, word: &str, words: &[&str], on_key: bool) {
        let near = nearest(word, words.iter().copied());
        let hint = near.map(|near| format!("did you mean `{near}`?"));
        self.findings.push(Finding {
            pointer: pointer.to_owned(),
            on_key,
            message: format!(
                "`{word}` is not allowed{}: allowed are {}",
                if on_key { inside(parent(pointer)) } else { of(pointer) },
                listed(words.iter().copied())
            ),
            help: hint,
        });
    }

    fn wrong_word(&mut self, pointer: &str, value: &Value, words: &[&str]) {
        let allowed = listed(words.iter().copied());
        let message = format!("expected {allowed}{}, found {}", of(pointer), quote(value));
        self.push(pointer, message, None);
    }

    fn bad_value(&mut self, error: &ValidationError<'_>) {
        let pointer = error.instance_path().as_str();
        let value = error.instance();
        let schema = self.walk.schema_at(pointer);
        let length = |limit: &u64, word: &str| format!("expected {word} {limit} entries");
        let expected = match error.kind() {
            ValidationErrorKind::Type { kind } => format!("expected {}", types(kind)),
            ValidationErrorKind::Minimum { .. }
            | ValidationErrorKind::Maximum { .. }
            | ValidationErrorKind::ExclusiveMinimum { .. }
            | ValidationErrorKind::ExclusiveMaximum { .. } => {
                schema.map_or_else(|| "expected another number".to_owned(), range)
            }
            ValidationErrorKind::MinItems { limit } => length(limit, "at least"),
            ValidationErrorKind::MaxItems { limit } => length(limit, "at most"),
            ValidationErrorKind::MinLength { .. } => "expected some text".to_owned(),
            ValidationErrorKind::Format { .. } => {
                "expected a date and time such as `2026-03-02T03:00:00`".to_owned()
            }
            ValidationErrorKind::Pattern { pattern } => {
                format!("expected text of the form `{pattern}`")
            }
            _ => error.to_string(),
        };
        let found = match (error.kind(), &**value) {
            (
                ValidationErrorKind::MinItems { .. } | ValidationErrorKind::MaxItems { .. },
                Value::Array(list),
            ) => format!("found {}", list.len()),
            (_, other) => format!("found {}", quote(other)),
        };
        let help = self.walk.description(pointer).map(|said| format!("{}: {said}", name(pointer)));
        self.push(pointer, format!("{expected}{}, {found}", of(pointer)), help);
    }

    fn push(&mut self, pointer: &str, message: String, help: Option<String>) {
        self.findings.push(Finding { pointer: pointer.to_owned(), on_key: false, message, help });
    }
}

/// The schema of the tag in one variant of a tagged union.
fn variant_tag<'a>(variant: &'a Value, tag: &str) -> Option<&'a Value> {
    variant.pointer(&join("/properties", tag))
}

fn parent(pointer: &str) -> &str {
    pointer.rfind('/').map_or("", |end| &pointer[..end])
}

fn inside(pointer: &str) -> String {
    if pointer.is_empty() { String::new() } else { format!(" in `{}`", dotted(pointer)) }
}

fn of(pointer: &str) -> String {
    if pointer.is_empty() { String::new() } else { format!(" for `{}`", dotted(pointer)) }
}

fn name(pointer: &str) -> String {
    if pointer.is_empty() { "a scenario".to_owned() } else { format!("`{}`", dotted(pointer)) }
}

fn types(kind: &TypeKind) -> String {
    let word = |kind: JsonType| match kind {
        JsonType::Integer => "a whole number",
        JsonType::Number => "a number",
        JsonType::String => "text",
        JsonType::Object => "a map of keys",
        JsonType::Array => "a list",
        JsonType::Boolean => "`true` or `false`",
        JsonType::Null => "nothing",
    };
    match kind {
        TypeKind::Single(kind) => word(*kind).to_owned(),
        TypeKind::Multiple(kinds) => {
            let kinds = kinds.into_iter().filter(|kind| *kind != JsonType::Null);
            kinds.map(word).collect::<Vec<_>>().join(" or ")
        }
    }
}

/// "expected 1 to 86400" and the like, from the bounds in a schema.
fn range(schema: &Value) -> String {
    let bound = |key: &str| schema.get(key).map(Value::to_string);
    match (bound("minimum"), bound("maximum"), bound("exclusiveMinimum")) {
        (Some(min), Some(max), _) => format!("expected {min} to {max}"),
        (Some(min), None, _) => format!("expected at least {min}"),
        (None, _, Some(min)) => format!("expected more than {min}"),
        (None, Some(max), None) => format!("expected at most {max}"),
        (None, None, None) => "expected another number".to_owned(),
    }
}
