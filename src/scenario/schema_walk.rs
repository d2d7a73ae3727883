//! Finding one's way through the schema along a value.

use serde_json::Value;

/// The schema and the value it is held against.
#[derive(Clone, Copy)]
pub(super) struct Walk<'a> {
    pub(super) schema: &'a Value,
    pub(super) value: &'a Value,
}

impl<'a> Walk<'a> {
    /// The schema that holds for the value at `pointer`, as it is written at the place of use (a
    /// reference is not followed). `None` where the schema knows nothing of it.
    pub(super) fn site(&self, pointer: &str) -> Option<&'a Value> {
        let (mut site, mut value) = (self.schema, Some(self.value));
        for step in pointer.split('/').skip(1) {
            let step = step.replace("~1", "/").replace("~0", "~");
            let schema = self.resolve(site, value)?;
            let is_index = schema.get("items").is_some() && step.parse::<usize>().is_ok();
            let property = schema.get("properties").and_then(|all| all.get(&step));
            site = match property {
                Some(property) => property,
                None if is_index => schema.get("items")?,
                None => schema.get("additionalProperties").filter(|other| other.is_object())?,
            };
            value = value.and_then(|value| match value {
                Value::Object(map) => map.get(&step),
                Value::Array(list) => step.parse().ok().and_then(|index: usize| list.get(index)),
                _ => None,
            });
        }
        Some(site)
    }

    /// The schema at `pointer` with references followed and alternatives decided by the value.
    pub(super) fn schema_at(&self, pointer: &str) -> Option<&'a Value> {
        self.resolve(self.site(pointer)?, self.value.pointer(pointer))
    }

    /// The keys that the map at `pointer` may have.
    pub(super) fn keys(&self, pointer: &str) -> Vec<&'a str> {
        let schema = self.schema_at(pointer);
        let properties = schema.and_then(|schema| schema.get("properties"));
        let properties = properties.and_then(Value::as_object);
        properties.map_or_else(Vec::new, |all| all.keys().map(String::as_str).collect())
    }

    /// What the schema says about the value at `pointer`: the first sentence of its description.
    pub(super) fn description(&self, pointer: &str) -> Option<String> {
        let site = self.site(pointer)?;
        let own = site.get("description");
        let text = own.or_else(|| self.schema_at(pointer)?.get("description"))?.as_str()?;
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let end = text.find(". ").unwrap_or(text.len());
        Some(text[..end].trim_end_matches('.').to_owned())
    }

    /// The words that a schema of one word or of several words allows; empty for any other.
    pub(super) fn words(&self, schema: &'a Value) -> Vec<&'a str> {
        let schema = self.follow(schema);
        if let Some(word) = schema.get("const").and_then(Value::as_str) {
            return vec![word];
        }
        let list = |key: &str| schema.get(key).and_then(Value::as_array);
        if let Some(words) = list("enum") {
            return words.iter().filter_map(Value::as_str).collect();
        }
        let alternatives = list("oneOf").or_else(|| list("anyOf"));
        alternatives.into_iter().flatten().flat_map(|one| self.words(one)).collect()
    }

    /// The dotted paths of every map that may hold `key`, for a value that stands elsewhere.
    pub(super) fn homes_of(&self, key: &str) -> Vec<String> {
        let mut homes = Vec::new();
        self.collect_homes(self.schema, key, String::new(), 0, &mut homes);
        homes.sort_by_key(|home| home.len());
        homes.dedup();
        homes
    }

    fn collect_homes(
        &self,
        schema: &'a Value,
        key: &str,
        path: String,
        depth: usize,
        homes: &mut Vec<String>,
    ) {
        let schema = self.follow(schema);
        if depth > 8 {
            return;
        }
        for alternatives in ["oneOf", "anyOf"] {
            for one in schema.get(alternatives).and_then(Value::as_array).into_iter().flatten() {
                self.collect_homes(one, key, path.clone(), depth + 1, homes);
            }
        }
        for (name, below) in
            schema.get("properties").and_then(Value::as_object).into_iter().flatten()
        {
            if name == key && !path.is_empty() {
                homes.push(path.clone());
            }
            let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
            self.collect_homes(below, key, path, depth + 1, homes);
        }
    }

    fn follow(&self, mut schema: &'a Value) -> &'a Value {
        while let Some(target) = schema.get("$ref").and_then(Value::as_str) {
            let Some(next) = self.schema.pointer(target.trim_start_matches('#')) else { break };
            schema = next;
        }
        schema
    }

    fn resolve(&self, schema: &'a Value, value: Option<&Value>) -> Option<&'a Value> {
        let schema = self.follow(schema);
        let list = |key: &str| schema.get(key).and_then(Value::as_array);
        if let Some(alternatives) = list("anyOf") {
            let is_null = |one: &&Value| one.get("type").is_some_and(|kind| kind == "null");
            let chosen = alternatives.iter().find(|one| !is_null(one))?;
            return self.resolve(chosen, value);
        }
        let Some(variants) = list("oneOf").filter(|_| self.tag(schema).is_some()) else {
            return Some(schema);
        };
        let tag = self.tag(schema)?;
        let word = value?.get(tag)?;
        let says = |one: &&Value| one.pointer(&format!("/properties/{tag}/const")) == Some(word);
        variants.iter().find(says)
    }

    /// The key that tells the variants of a tagged union apart: it has a fixed word in all.
    pub(super) fn tag(&self, schema: &'a Value) -> Option<&'a str> {
        let variants = self.follow(schema).get("oneOf")?.as_array()?;
        let properties = variants.first()?.get("properties")?.as_object()?;
        let fixed = |(_, property): &(&String, &Value)| property.get("const").is_some();
        properties.iter().find(fixed).map(|(name, _)| name.as_str())
    }
}
