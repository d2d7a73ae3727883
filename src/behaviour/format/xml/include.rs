//! Files that name other files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::super::bounds::INCLUDE_DEPTH_MAX;
use super::super::check;
use super::super::problems::{INCLUDES, Problems};
use super::super::read::read_file_text;
use super::element;
use super::read::{Part, read};
use crate::behaviour::definition::{Document, NodeDefinition, Position};
use crate::behaviour::error::TreeError;
use crate::behaviour::status::Dialect;

/// Reads a text that cannot name others: nobody knows what they would be relative to.
pub(in crate::behaviour::format) fn read_text(
    text: &str,
    path: &Path,
    asked: Option<Dialect>,
) -> Result<Document, TreeError> {
    let part = part(text, path, asked)?;
    let mut problems = Problems::default();
    for (name, at) in &part.includes {
        let message = format!("`{name}` can be included only by a file");
        problems.add(*at, INCLUDES, message);
    }
    problems.finish(part.document, path)
}

/// Reads the text of a file, and the files that it includes: those in its own folder or below.
pub(in crate::behaviour::format) fn read_file(
    text: &str,
    path: &Path,
    asked: Option<Dialect>,
) -> Result<Document, TreeError> {
    let part = part(text, path, asked)?;
    if part.includes.is_empty() {
        return Ok(part.document);
    }
    let real =
        path.canonicalize().map_err(|source| TreeError::Read { path: path.to_owned(), source })?;
    let folder = folder(&real);
    let seen = BTreeSet::from([real.clone()]);
    let mut includes = Includes { folder, chain: vec![real], seen, dialect: part.document.dialect };
    includes.follow(part, path)
}

/// One file by itself, checked.
fn part(text: &str, path: &Path, asked: Option<Dialect>) -> Result<Part, TreeError> {
    let mut problems = Problems::default();
    let file = element::parse(text, &mut problems);
    let part = file.map(|file| read(&file, asked, &mut problems)).unwrap_or_default();
    check::document(&part.document, &mut problems);
    problems.finish(part, path)
}

fn folder(file: &Path) -> PathBuf {
    file.parent().map(Path::to_owned).unwrap_or_default()
}

/// Where reading stands.
struct Includes {
    /// The folder of the first file, links followed; no file outside is read.
    folder: PathBuf,
    /// The files that are being read, each included by the one before.
    chain: Vec<PathBuf>,
    /// All files read so far: one that is included twice is read once.
    seen: BTreeSet<PathBuf>,
    dialect: Dialect,
}

/// Why an include cannot be followed.
enum Fault {
    /// Something is wrong with the include.
    Here(String),
    /// Something is wrong in the other file.
    There(TreeError),
}

impl Includes {
    /// The document of `part` and of all that it includes.
    fn follow(&mut self, part: Part, path: &Path) -> Result<Document, TreeError> {
        let mut document = part.document;
        let mut problems = Problems::default();
        for (name, at) in &part.includes {
            match self.include(name) {
                Ok(None) => {}
                Ok(Some(mut other)) => {
                    // A line of another file would mislead: the include is where to look.
                    other.trees.iter_mut().for_each(|tree| {
                        tree.at = *at;
                        place(&mut tree.root, *at);
                    });
                    other.slots.iter_mut().for_each(|slot| slot.at = *at);
                    document.trees.append(&mut other.trees);
                    document.slots.append(&mut other.slots);
                    document.models.append(&mut other.models);
                }
                Err(Fault::Here(message)) => problems.add(*at, INCLUDES, message),
                Err(Fault::There(error)) => return Err(error),
            }
        }
        problems.finish(document, path)
    }

    /// The document of an included file; nothing if it was read before.
    fn include(&mut self, name: &str) -> Result<Option<Document>, Fault> {
        let from = self.chain.last().map(|file| folder(file)).unwrap_or_default();
        let path = from.join(name);
        let here = |message: String| Err(Fault::Here(message));
        let real = match path.canonicalize() {
            Ok(real) => real,
            Err(error) => return here(format!("cannot include `{name}`: {error}")),
        };
        if !real.starts_with(&self.folder) {
            return here(format!("`{name}` lies outside the folder of the first file"));
        }
        if self.chain.contains(&real) {
            return here(format!("`{name}` includes itself, through {} files", self.chain.len()));
        }
        if !real.is_file() {
            return here(format!("`{name}` is not a file"));
        }
        if self.chain.len() >= INCLUDE_DEPTH_MAX {
            return here(format!("more than {INCLUDE_DEPTH_MAX} files include one another"));
        }
        if !self.seen.insert(real.clone()) {
            return Ok(None);
        }
        let text = read_file_text(&path).map_err(Fault::There)?;
        let part = part(&text, &path, Some(self.dialect)).map_err(Fault::There)?;
        self.chain.push(real);
        let document = self.follow(part, &path).map_err(Fault::There);
        self.chain.pop();
        document.map(Some)
    }
}

fn place(node: &mut NodeDefinition, at: Position) {
    node.at = at;
    node.ports.iter_mut().for_each(|port| port.at = at);
    node.children.iter_mut().for_each(|child| place(child, at));
}
