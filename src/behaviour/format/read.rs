//! Reading: a file or a text, in any format.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use super::bounds::FILE_BYTES_MAX;
use super::kind::Format;
use super::outline::{self, Outline};
use super::problems::{BOUNDS, Problems, STRUCTURE, SYNTAX};
use super::{case, check, workflow, xml, yaml};
use crate::behaviour::definition::{Document, Position};
use crate::behaviour::error::TreeError;
use crate::behaviour::status::Dialect;

/// Reads a file in the format that its name and its content say. XML may include files of the
/// same folder.
pub fn read(path: &Path) -> Result<Document, TreeError> {
    let format = Format::of_path(path)?;
    let text = read_file_text(path)?;
    let document = match format {
        Format::Xml | Format::PyTreesXml => xml::read_file(&text, path, asked(format))?,
        _ => parse(format, &text, path)?,
    };
    checked(document, path)
}

/// Reads a text. `path` stands for it in messages; nothing is read from there.
pub fn read_text(format: Format, text: &str, path: &Path) -> Result<Document, TreeError> {
    if text.len() as u64 > FILE_BYTES_MAX {
        return Err(too_large(path));
    }
    checked(parse(format, text, path)?, path)
}

fn parse(format: Format, text: &str, path: &Path) -> Result<Document, TreeError> {
    let mut problems = Problems::default();
    let document =
        match format {
            Format::Xml | Format::PyTreesXml => return xml::read_text(text, path, asked(format)),
            Format::Yaml => outline::parse(text, &mut problems)
                .map(|outline| yaml::read(&outline, &mut problems)),
            Format::Json => outline::parse_json(text, &mut problems)
                .map(|outline| json(&outline, &mut problems)),
            Format::Workflow => outline::parse_json(text, &mut problems)
                .map(|outline| workflow::read(&outline, &mut problems)),
        };
    problems.finish(document.unwrap_or_default(), path)
}

/// A JSON file says by its shape what it is.
fn json(outline: &Outline, problems: &mut Problems) -> Document {
    match case::root(outline) {
        Some(root) => case::read(outline, root, problems),
        None if workflow::is_workflow(outline) => workflow::read(outline, problems),
        None => yaml::read(outline, problems),
    }
}

/// The dialect that a text must have: XML says itself whose it is, unless somebody says so.
fn asked(format: Format) -> Option<Dialect> {
    (format == Format::PyTreesXml).then_some(Dialect::PyTrees)
}

/// What holds for the whole document only, whatever files it comes from.
fn checked(document: Document, path: &Path) -> Result<Document, TreeError> {
    let mut problems = Problems::default();
    check::document(&document, &mut problems);
    if document.trees.is_empty() {
        let start = Position { line: 1, column: 1 };
        problems.add(start, STRUCTURE, "the document holds no tree");
    }
    problems.finish(document, path)
}

/// The text of a file, within bounds.
pub(super) fn read_file_text(path: &Path) -> Result<String, TreeError> {
    let failed = |source| TreeError::Read { path: path.to_owned(), source };
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(failed)?;
    file.take(FILE_BYTES_MAX + 1).read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > FILE_BYTES_MAX {
        return Err(too_large(path));
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..good];
        let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
        let at = Position { line: u32::try_from(line).unwrap_or(u32::MAX), column: 1 };
        fault(path, at, SYNTAX, format!("byte {} is not text in UTF-8", good + 1))
    })
}

fn too_large(path: &Path) -> TreeError {
    let start = Position { line: 1, column: 1 };
    fault(path, start, BOUNDS, format!("the file has more than {FILE_BYTES_MAX} bytes"))
}

fn fault(path: &Path, at: Position, code: &'static str, message: String) -> TreeError {
    let mut problems = Problems::default();
    problems.add(at, code, message);
    TreeError::Invalid { path: path.to_owned(), problems: problems.into_list() }
}
