//! Command-line overrides: `records.log=changed` put into the value of the file.

use serde_json::{Map, Value};

use super::explain::{dotted, quote};
use super::locate::{Place, Spot, SyntaxError, Tree, join, parse};
use super::schema::CHECKER;
use super::schema_walk::Walk;

/// Keys of which a scenario has one: an override of the one removes the other.
const ALTERNATIVES: [(&str, &str); 2] =
    [("/clock/ticks", "/clock/until"), ("/clock/until", "/clock/ticks")];

/// What `--agents` sets.
const AGENTS: &str = "population.agents";

/// The path that an override means: the number of agents is a model's where there is a model.
pub(super) fn target(tree: &Tree, path: &str) -> String {
    let models = tree.value.get("model").and_then(Value::as_object).filter(|_| path == AGENTS);
    let model = models.and_then(|models| models.keys().next());
    model.map_or_else(|| path.to_owned(), |model| format!("model.{model}.agents"))
}

/// Sets the value at a dotted path (`skills.roots.0` reaches into lists) to `text`, read as YAML;
/// where the scenario wants text and YAML sees something else, `text` as it is (`outputs.dir=7`).
/// Maps on the way are made where they are missing; whether the scenario knows the keys is for
/// the schema to say. `source` is the number of the override's text, `path=text`.
pub(super) fn apply(
    tree: &mut Tree,
    path: &str,
    text: &str,
    source: usize,
) -> Result<(), SyntaxError> {
    let prefix = u32::try_from(path.chars().count()).unwrap_or(u32::MAX).saturating_add(1);
    let key = Spot { source, line: 1, column: 1, width: prefix.saturating_sub(1).max(1) };
    let shift = |spot: &mut Spot| {
        if spot.line == 1 {
            spot.column = spot.column.saturating_add(prefix);
        }
    };
    let pointer = path.split('.').fold(String::new(), |pointer, step| join(&pointer, step));
    let parsed = parse(text, source);
    let is_text = parsed.as_ref().is_ok_and(|tree| tree.value.is_string());
    let parsed = if !is_text && wants_text(&tree.value, &pointer) {
        Ok(Tree::of_text(text, source))
    } else {
        parsed
    };
    let mut parsed = parsed.map_err(|mut error| {
        shift(&mut error.spot);
        error
    })?;
    let bad = |message| Err(SyntaxError { spot: key, message });
    if path.split('.').any(str::is_empty) {
        return bad(format!("`{path}` is not a path: write keys with dots between them"));
    }
    for (end, _) in pointer.match_indices('/').skip(1) {
        tree.places.entry(pointer[..end].to_owned()).or_insert(Place { key, value: key });
    }
    match slot(&mut tree.value, path) {
        Ok(slot) => *slot = parsed.value,
        Err(message) => return bad(message),
    }
    let below = format!("{pointer}/");
    tree.places.retain(|at, _| *at != pointer && !at.starts_with(&below));
    for (at, place) in &mut parsed.places {
        shift(&mut place.value);
        shift(&mut place.key);
        let place = if at.is_empty() { Place { key, value: place.value } } else { *place };
        tree.places.insert(format!("{pointer}{at}"), place);
    }
    tree.repeats.extend(parsed.repeats.into_iter().map(|mut repeat| {
        shift(&mut repeat.first);
        shift(&mut repeat.second);
        repeat
    }));
    remove_alternative(tree, &pointer);
    Ok(())
}

/// Whether the schema wants text at `pointer`, and nothing else.
fn wants_text(value: &Value, pointer: &str) -> bool {
    let schema = Walk { schema: &CHECKER.schema, value }.schema_at(pointer);
    schema.and_then(|schema| schema.get("type")).is_some_and(|kind| kind == "string")
}

/// The value at a dotted path, made if it is missing.
fn slot<'a>(root: &'a mut Value, path: &str) -> Result<&'a mut Value, String> {
    let mut value = root;
    let mut at = String::new();
    for step in path.split('.') {
        if value.is_null() {
            *value = Value::Object(Map::new());
        }
        let found = quote(value);
        value = match value {
            Value::Object(map) => map.entry(step).or_insert(Value::Null),
            Value::Array(list) => {
                let length = list.len();
                let item = step.parse().ok().and_then(|index: usize| list.get_mut(index));
                item.ok_or_else(|| {
                    format!("`{}` is a list of {length}; it has no `{step}`", dotted(&at))
                })?
            }
            _ => return Err(format!("`{}` is {found}; it has no key `{step}`", dotted(&at))),
        };
        at = join(&at, step);
    }
    Ok(value)
}

fn remove_alternative(tree: &mut Tree, pointer: &str) {
    for (set, other) in ALTERNATIVES {
        let overridden = tree.places.get(other).is_some_and(|place| place.key.source > 0);
        if pointer == set && !overridden {
            tree.places.remove(other);
            let (map, key) = other.rsplit_once('/').unwrap_or_default();
            if let Some(map) = tree.value.pointer_mut(map).and_then(Value::as_object_mut) {
                map.remove(key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn tree() -> Tree {
        parse("seed: 1\nclock:\n  ticks: 5\n  until: x\nlist: [1, 2]\nempty:\n", 0).unwrap()
    }

    #[test]
    fn an_override_makes_what_is_missing_and_knows_its_place() {
        let mut tree = tree();
        apply(&mut tree, "records.tables", "[steps, stays]", 1).unwrap();
        apply(&mut tree, "list.1", "7", 2).unwrap();
        apply(&mut tree, "empty.deep.er", "true", 3).unwrap();
        let records = json!({"tables": ["steps", "stays"]});
        assert_eq!(tree.value["records"], records);
        assert_eq!(tree.value["list"], json!([1, 7]));
        assert_eq!(tree.value["empty"]["deep"]["er"], json!(true));
        // records.tables=[steps, stays]: the second word begins in column 24.
        let spot = tree.places["/records/tables/1"].value;
        assert_eq!((spot.source, spot.line, spot.column), (1, 1, 24));
    }

    #[test]
    fn text_is_wanted_where_yaml_sees_a_number_or_a_map() {
        let mut tree = tree();
        for (path, text) in [("outputs.dir", "7"), ("name", "{x"), ("description", "a: b")] {
            apply(&mut tree, path, text, 1).unwrap();
            let pointer = format!("/{}", path.replace('.', "/"));
            assert_eq!(tree.value.pointer(&pointer), Some(&json!(text)));
        }
        apply(&mut tree, "name", "'7'", 1).unwrap();
        assert_eq!(tree.value["name"], json!("7"));
    }

    #[test]
    fn ticks_replace_until() {
        let mut tree = tree();
        apply(&mut tree, "clock.ticks", "9", 1).unwrap();
        assert_eq!(tree.value["clock"], json!({"ticks": 9}));
        apply(&mut tree, "clock.until", "y", 2).unwrap();
        assert_eq!(tree.value["clock"], json!({"ticks": 9, "until": "y"}), "both were asked for");
    }

    #[test]
    fn a_path_through_a_number_or_past_a_list_is_refused() {
        for (path, text) in [("seed.x", "1"), ("list.9", "1"), ("a..b", "1"), ("", "1"), ("a", "[")]
        {
            apply(&mut tree(), path, text, 1).unwrap_err();
        }
    }
}
