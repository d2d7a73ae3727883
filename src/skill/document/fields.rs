//! The typed manifest from the fields of a frontmatter.

use serde_json::{Map, Value};

use super::coerce::{
    allowed_tools, flag, list, metadata, object, scalar, schema, text, wrong_type,
};
use super::diagnostic::Findings;
use super::files::{hooks, named_file, script, slashed, why_not};
use super::frontmatter::Fields;
use super::manifest::{BtFields, Invocation, SkillKind, SkillManifest};
use super::requires::{requires, tools};
use super::yaml::Content;

/// The keys that some dialect gives a meaning; every other one goes to `extra`.
const KNOWN: [&str; 32] = [
    "name",
    "description",
    "license",
    "compatibility",
    "metadata",
    "allowed-tools",
    "allowedTools",
    "allowed_tools",
    "version",
    "author",
    "tags",
    "always",
    "requires",
    "execution",
    "orchestration",
    "tree",
    "tools",
    "tools_entry",
    "inputs",
    "outputs",
    "required",
    "push_to_chat",
    "role",
    "constraints",
    "script",
    "hooks",
    "hook",
    "hook_script",
    "disable-model-invocation",
    "user-invocable",
    "argument-hint",
    "native",
];

/// Everything but name, folder, description and body.
pub(super) fn manifest(
    fields: &Fields,
    has_file: &dyn Fn(&str) -> bool,
    found: &mut Findings<'_>,
) -> SkillManifest {
    let mut extra = Map::new();
    for field in fields.iter().filter(|field| !KNOWN.contains(&field.key.as_str())) {
        extra.insert(field.key.clone(), field.node.value());
    }
    let metadata = metadata(fields);
    foreign_requires(fields, &metadata, found);
    let native = metadata.get("native").and_then(Value::as_str).map(str::trim);
    let native = native.filter(|name| !name.is_empty()).map(str::to_owned);
    let hooks = hooks(fields, has_file, &mut extra, found);
    let script = script(fields, has_file, found);
    let bt = bt(fields, has_file, found);
    let kind = match (&native, &bt, script.is_none() && hooks.is_empty()) {
        (Some(_), ..) => SkillKind::Native,
        (None, Some(_), _) => SkillKind::Bt,
        (None, None, false) => SkillKind::Script,
        (None, None, true) => SkillKind::Prompt,
    };
    SkillManifest {
        name: String::new(),
        dir_name: String::new(),
        description: String::new(),
        body: String::new(),
        body_line: 1,
        kind,
        version: text(fields, "version", found).unwrap_or_else(|| "latest".to_owned()),
        author: text(fields, "author", found),
        tags: list(fields, "tags", found),
        always: flag(fields, "always", false, found),
        requires: requires(fields, found),
        hooks,
        script,
        native,
        bt,
        tools: tools(fields, has_file, found),
        constraints: object(fields, "constraints", found),
        allowed_tools: allowed_tools(fields, found),
        role: text(fields, "role", found),
        push_to_chat: flag(fields, "push_to_chat", false, found),
        invocation: Invocation {
            model: !flag(fields, "disable-model-invocation", false, found),
            user: flag(fields, "user-invocable", true, found),
            argument_hint: argument_hint(fields, found),
        },
        license: text(fields, "license", found),
        compatibility: text(fields, "compatibility", found),
        metadata,
        extra,
        fields: fields.iter().map(|field| (field.key.clone(), field.node.value())).collect(),
    }
}

/// The name that stands in the skill's id: `name` as written, made fit for an id, or the folder's.
pub(super) fn identity(fields: &Fields, dir_name: &str, found: &mut Findings<'_>) -> String {
    let field = fields.get("name");
    let line = field.map_or(1, |field| field.line);
    let written = field.and_then(|field| match &field.node.content {
        Content::Scalar { text, .. } => Some(text.as_str()),
        Content::List(_) | Content::Map(_) => None,
    });
    if written.is_some_and(|text| !text.is_empty() && text.trim().is_empty()) {
        found.error(line, "blank-name", "'name' is nothing but white space; skipped");
    }
    let wanted = text(fields, "name", found);
    let name = match &wanted {
        Some(name) => fit(name, line, found),
        None => {
            if fields.iter().next().is_some() {
                found.warn(
                    1,
                    "no-name",
                    format!("no name; that of the folder is used: '{dir_name}'"),
                );
            }
            fit(dir_name, 1, found)
        }
    };
    let name = if name.is_empty() { "unnamed".to_owned() } else { name };
    let length = name.chars().count();
    if length > 64 {
        found.warn(line, "long-name", format!("the name has {length} characters; others take 64"));
    }
    if wanted.is_some() && name != dir_name {
        let message = format!("the name '{name}' is not that of its folder, '{dir_name}'");
        found.note(line, "name-differs", message);
    }
    name
}

/// Characters that an id cannot hold become `-`.
fn fit(name: &str, line: u32, found: &mut Findings<'_>) -> String {
    let odd = |c: char| c.is_control() || matches!(c, '@' | '/' | '\\');
    if !name.contains(odd) {
        return name.trim().to_owned();
    }
    let fitted = name.trim().replace(odd, "-");
    let message = format!("control characters, '@' and slashes became '-': '{fitted}'");
    found.warn(line, "odd-name", message);
    fitted
}

/// What only a behaviour tree skill has; `Some` exactly if `execution: bt`.
fn bt(
    fields: &Fields,
    has_file: &dyn Fn(&str) -> bool,
    found: &mut Findings<'_>,
) -> Option<BtFields> {
    let is_tree = word(fields, "execution", &["prompt", "bt"], found) == Some("bt");
    let direct = word(fields, "orchestration", &["react", "direct"], found) == Some("direct");
    if !is_tree {
        for key in ["orchestration", "tree"] {
            if let Some(field) = fields.get(key) {
                let message = format!("'{key}' does nothing without 'execution: bt'");
                found.warn(field.line, "unused-field", message);
            }
        }
        return None;
    }
    let named = fields.get("tree").map(|field| field.line);
    let tree = text(fields, "tree", found).map_or_else(|| "tree.py".to_owned(), |t| slashed(&t));
    match named_file(&tree, has_file) {
        Ok(()) => {}
        Err(code) => {
            let message = format!("the tree '{tree}' {}", why_not(code));
            found.warn(named.unwrap_or(1), code, message);
        }
    }
    Some(BtFields {
        tree,
        direct,
        inputs: schema(fields, "inputs", found),
        outputs: schema(fields, "outputs", found),
        required: list(fields, "required", found),
    })
}

/// The word of a field that takes one of a few; with a warning `None` for another.
fn word(
    fields: &Fields,
    key: &str,
    allowed: &[&'static str],
    found: &mut Findings<'_>,
) -> Option<&'static str> {
    let field = fields.get(key)?;
    let written = scalar(&field.node).unwrap_or_default().to_lowercase();
    let known = allowed.iter().find(|word| **word == written).copied();
    if known.is_none() {
        let listed = allowed.join(" or ");
        let message = format!("'{key}' is {listed}, not '{written:.40}'; '{}' holds", allowed[0]);
        found.warn(field.line, "unknown-word", message);
    }
    known
}

/// What to show after a command; public skills write brackets that YAML takes for a list.
fn argument_hint(fields: &Fields, found: &mut Findings<'_>) -> Option<String> {
    let field = fields.get("argument-hint")?;
    match &field.node.content {
        Content::Scalar { .. } => text(fields, "argument-hint", found),
        Content::List(items) => {
            let words: Vec<&str> = items.iter().filter_map(scalar).collect();
            Some(format!("[{}]", words.join(", ")))
        }
        Content::Map(_) => {
            wrong_type(field, "a text", found);
            None
        }
    }
}

/// Requirements of other products inside `metadata` are told and not honoured.
fn foreign_requires(fields: &Fields, metadata: &Value, found: &mut Findings<'_>) {
    let line = fields.get("metadata").map_or(1, |field| field.line);
    for product in ["openclaw", "nanobot", "clawdbot"] {
        let about = &metadata[product];
        for key in ["requires", "always"].iter().filter(|key| !about[**key].is_null()) {
            let message = format!("metadata.{product}.{key} is another product's; not honoured");
            found.warn(line, "foreign-requires", message);
        }
    }
}
