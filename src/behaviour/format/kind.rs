//! Which formats there are.

use std::path::Path;

use crate::behaviour::error::TreeError;
use crate::behaviour::status::Dialect;

/// A format of behaviour trees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// XML of BehaviorTree.CPP 4.
    Xml,
    /// Our own YAML, which loses nothing.
    Yaml,
    /// The same in JSON.
    Json,
    /// `workflow.json` of editors that draw nodes and edges.
    Workflow,
    /// XML of py_trees 2.6.
    PyTreesXml,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 5] =
        [Self::Yaml, Self::Json, Self::Xml, Self::PyTreesXml, Self::Workflow];

    /// The word that names the format.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Xml => "xml",
            Self::Yaml => "yaml",
            Self::Json => "json",
            Self::Workflow => "workflow",
            Self::PyTreesXml => "py_trees_xml",
        }
    }

    /// The format of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.word() == word)
    }

    /// The format that the name of a file says. An `.xml` may still turn out to be of py_trees and
    /// a `.json` to be a workflow: [`read()`](super::read()) looks into it.
    pub fn of_path(path: &Path) -> Result<Self, TreeError> {
        let lower = |part: Option<&std::ffi::OsStr>| {
            part.map(|part| part.to_string_lossy().to_lowercase()).unwrap_or_default()
        };
        let name = lower(path.file_name());
        match lower(path.extension()).as_str() {
            "xml" => Ok(Self::Xml),
            "yaml" | "yml" => Ok(Self::Yaml),
            "json" if name == "workflow.json" || name.ends_with(".workflow.json") => {
                Ok(Self::Workflow)
            }
            "json" => Ok(Self::Json),
            _ => Err(TreeError::Format {
                path: path.to_owned(),
                reason: "a behaviour tree ends in .yaml, .yml, .json or .xml".to_owned(),
            }),
        }
    }

    /// The only dialect that the format can say, if it is bound to one.
    pub const fn dialect(self) -> Option<Dialect> {
        match self {
            Self::Yaml | Self::Json => None,
            Self::Xml => Some(Dialect::BtCpp),
            Self::PyTreesXml | Self::Workflow => Some(Dialect::PyTrees),
        }
    }
}
