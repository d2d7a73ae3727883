//! What reading and writing agree on.

use super::super::outline::{Outline, Shape};
use super::super::problems::{Problems, STRUCTURE};
use crate::behaviour::catalogue::{Catalogue, NodeManifest};
use crate::behaviour::definition::NodeModel;
use crate::behaviour::status::Dialect;

/// What stands at the top of a document.
pub(super) const TOP: [&str; 6] = ["dialect", "main", "blackboard", "tree", "trees", "models"];
/// The id of a document's `tree`.
pub(super) const ONLY_TREE: &str = "Main";
/// What stands in a model, and in one of its ports.
pub(super) const MODEL: [&str; 3] = ["category", "id", "ports"];
pub(super) const PORT_MODEL: [&str; 5] = ["direction", "name", "type", "default", "description"];

/// The port that is meant where a node is followed by a mere value: the only one that must be
/// given, or else the first.
pub(super) fn main_port<'m>(
    dialect: Dialect,
    models: &'m [NodeModel],
    kind: &str,
) -> Option<&'m str> {
    if let Some(manifest) = Catalogue::full(dialect).find(kind) {
        return main_port_of(manifest);
    }
    let model = models.iter().find(|model| model.id == kind)?;
    model.ports.first().map(|port| port.name.as_str())
}

/// The same for a node of the catalogue.
pub(super) fn main_port_of(manifest: &'static NodeManifest) -> Option<&'static str> {
    let needed = manifest.ports.iter().find(|port| port.default.is_none());
    needed.or(manifest.ports.first()).map(|port| port.name)
}

/// The value of a port: a text, or a list of texts that stands for one with `;` between.
pub(in crate::behaviour::format) fn port_value(
    outline: &Outline,
    name: &str,
    problems: &mut Problems,
) -> Option<String> {
    let found = match &outline.shape {
        Shape::Text(text) => Ok(text.clone()),
        Shape::List(items) => list(items),
        Shape::Nothing => Err("nothing; write \"\" for an empty text".to_owned()),
        Shape::Map(_) => Err("a map".to_owned()),
    };
    let fault = |found: String| {
        let message = format!("port `{name}`: expected a value or a list of values, not {found}");
        problems.add(outline.at, STRUCTURE, message);
    };
    found.map_err(fault).ok()
}

fn list(items: &[Outline]) -> Result<String, String> {
    let texts = items.iter().map(|item| item.text().ok_or_else(|| item.word().to_owned()));
    let texts = texts.collect::<Result<Vec<_>, _>>()?;
    match texts.iter().find(|text| text.contains(';')) {
        Some(text) => Err(format!("a list with {text:?}: `;` parts the entries of a list")),
        None => Ok(texts.join(";")),
    }
}
