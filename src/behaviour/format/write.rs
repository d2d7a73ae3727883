//! Writing: a document, in any format that can say it.

use std::path::Path;

use super::kind::Format;
use super::problems::{Problems, UNSAYABLE};
use super::{check, workflow, xml, yaml};
use crate::behaviour::definition::{Document, Position};
use crate::behaviour::error::TreeError;

/// What stands for the file in messages about a document to be written.
const DOCUMENT: &str = "document";

/// Writes a document. A format that is bound to a dialect refuses documents of the other, whose
/// rules it would change; one that has no words for something in the document says so.
pub fn write(document: &Document, format: Format) -> Result<String, TreeError> {
    let path = Path::new(DOCUMENT);
    let mut problems = Problems::default();
    check::document(document, &mut problems);
    if let Some(dialect) = format.dialect().filter(|dialect| *dialect != document.dialect) {
        let (format, allowed, found) = (format.word(), dialect.word(), document.dialect.word());
        let message = format!(
            "`{format}` says trees of dialect {allowed}; these are of {found}, whose rules differ"
        );
        problems.add(Position::default(), UNSAYABLE, message);
    }
    if !problems.is_empty() {
        return problems.finish(String::new(), path);
    }
    let text = match format {
        Format::Xml | Format::PyTreesXml => xml::write(document, &mut problems),
        Format::Yaml => yaml::emit(&yaml::write(document, &mut problems)),
        Format::Workflow => format!("{:#}\n", workflow::write(document, &mut problems)),
        Format::Json => format!("{:#}\n", yaml::write(document, &mut problems)),
    };
    problems.finish(text, path)
}
