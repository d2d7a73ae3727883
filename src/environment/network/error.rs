//! What can go wrong while a road network is read or made.

use std::ops::RangeInclusive;
use std::path::PathBuf;

/// A road network could not be made from what the user gave.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// The file cannot be opened.
    #[error("cannot open the road network {path}")]
    Open {
        /// The file.
        path: PathBuf,
        /// The operating system's word.
        #[source]
        source: std::io::Error,
    },
    /// The file is not well-formed XML, is cut off, or cannot be unpacked.
    #[error("{path}:{line}: cannot read on: {source}")]
    Xml {
        /// The file.
        path: PathBuf,
        /// Line of the unpacked text, from 1.
        line: u64,
        /// What the XML reader found.
        #[source]
        source: quick_xml::Error,
    },
    /// The file is XML but not an OpenStreetMap extract, or uses what extracts never do.
    #[error("{path}:{line}: found {found}; {allowed}")]
    Structure {
        /// The file.
        path: PathBuf,
        /// Line of the unpacked text, from 1.
        line: u64,
        /// What was found.
        found: String,
        /// What may stand here.
        allowed: &'static str,
    },
    /// An attribute is missing or holds a value that it cannot have.
    #[error("{path}:{line}: <{element}> {field} is {found}, expected {allowed}")]
    Value {
        /// The file.
        path: PathBuf,
        /// Line of the unpacked text, from 1.
        line: u64,
        /// The XML element.
        element: &'static str,
        /// The attribute.
        field: &'static str,
        /// The quoted value, or `missing`.
        found: String,
        /// What it may be.
        allowed: &'static str,
    },
    /// The file is larger than this reader is meant for.
    #[error("{path}:{line}: more than {limit} {what}; cut a smaller extract")]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// Line of the unpacked text, from 1.
        line: u64,
        /// What there is too much of.
        what: &'static str,
        /// How many are accepted.
        limit: u64,
    },
    /// The file holds no road that a person could use.
    #[error(
        "{path}: no usable road among {way_count} ways with a highway tag \
         ({missing_ref_count} references to nodes that are not in the file)"
    )]
    NoRoads {
        /// The file.
        path: PathBuf,
        /// Ways with a highway tag.
        way_count: usize,
        /// References to absent nodes.
        missing_ref_count: usize,
    },
    /// A parameter of a network is out of range.
    #[error("{what}: {field} is {found}, expected {allowed}")]
    Parameter {
        /// What it is a parameter of.
        what: &'static str,
        /// The parameter.
        field: &'static str,
        /// Its value.
        found: String,
        /// What it may be.
        allowed: &'static str,
    },
    /// An extract has too many road ends to join them.
    #[error(
        "road ends: {count} ends to join, more than {limit}; only extracts of main roads need \
         their ends joined, leave it out here"
    )]
    TooManyEnds {
        /// Ends found.
        count: usize,
        /// Ends accepted.
        limit: usize,
    },
}

impl NetworkError {
    /// Checks parameters of `what`: name, value, range, the range in words.
    pub(super) fn check<const N: usize>(
        what: &'static str,
        checks: [(&'static str, f32, RangeInclusive<f32>, &'static str); N],
    ) -> Result<(), Self> {
        match checks.into_iter().find(|(_, value, range, _)| !range.contains(value)) {
            Some((field, value, _, allowed)) => {
                Err(Self::Parameter { what, field, found: value.to_string(), allowed })
            }
            None => Ok(()),
        }
    }
}
