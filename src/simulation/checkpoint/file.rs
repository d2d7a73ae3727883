//! One checkpoint as a file: a magic word, the format, and sections.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `POPCHECK` |
//! | 2 | format |
//! | … | sections: `run` first, then those of [`SECTIONS`], then `end`, which is empty |
//!
//! A section is the length of its name (1 byte), its name, its version (2), the length of its
//! content (8), the content, and the BLAKE3 hash of all that (32). Numbers have their lowest byte
//! first. A file that ends before `end` is half a checkpoint.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Duration;

use bevy_ecs::world::World;
use serde::{Deserialize, Serialize};

use super::sections::SECTIONS;
use crate::record::manifest::SkillGeneration;
use crate::record::{RecordError, TableSummary, write_durably};

const MAGIC: &[u8; 8] = b"POPCHECK";

/// Raised when the bytes of a file change their meaning; sections have versions of their own.
const FORMAT: u16 = 1;

const RUN: &str = "run";
const END: &str = "end";

/// What a run knows beside its world. In the file as JSON, so that people can read it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunState {
    /// Version of populace that wrote it.
    pub populace_version: String,
    /// Hash of the scenario.
    pub scenario_hash: String,
    /// Hash over all skills, as they were then.
    pub registry_hash: String,
    /// Ticks done.
    pub ticks_done: u32,
    /// What was written of each table.
    pub tables: Vec<TableSummary>,
    /// Persons who have failed, by number.
    pub failed: Vec<u32>,
    /// How the skills changed so far.
    pub generations: Vec<SkillGeneration>,
    /// What the ticks took so far.
    pub wall: Duration,
}

/// Saves the state of a run, at once or not at all.
///
/// # Errors
/// Something that cannot be saved; the operating system's refusal to write or rename.
pub fn write(path: &Path, run: &RunState, world: &mut World) -> Result<(), RecordError> {
    write_durably(path, |file| {
        let mut out = BufWriter::new(file);
        out.write_all(MAGIC)?;
        out.write_all(&FORMAT.to_le_bytes())?;
        write_section(&mut out, RUN, 1, &serde_json::to_vec(run)?)?;
        for section in SECTIONS {
            let save = (section.save)(world);
            let bytes = save.map_err(|why| io::Error::other(format!("{}: {why}", section.name)))?;
            write_section(&mut out, section.name, section.version, &bytes)?;
        }
        write_section(&mut out, END, 1, &[])?;
        out.flush()
    })
}

fn write_section(
    out: &mut BufWriter<&mut File>,
    name: &str,
    version: u16,
    content: &[u8],
) -> io::Result<()> {
    let mut head = vec![name.len() as u8];
    head.extend_from_slice(name.as_bytes());
    head.extend_from_slice(&version.to_le_bytes());
    head.extend_from_slice(&(content.len() as u64).to_le_bytes());
    out.write_all(&head)?;
    out.write_all(content)?;
    out.write_all(hash(&head, content).as_bytes())
}

fn hash(head: &[u8], content: &[u8]) -> blake3::Hash {
    blake3::Hasher::new().update(head).update(content).finalize()
}

/// A checkpoint that was read, all of it intact.
#[derive(Debug)]
pub struct Checkpoint {
    /// What the run knew beside its world.
    pub run: RunState,
    bytes: Vec<u8>,
    /// Where the content of each of [`SECTIONS`] lies in `bytes`.
    sections: Vec<std::ops::Range<usize>>,
}

impl Checkpoint {
    /// Reads a file and checks every byte of it.
    ///
    /// # Errors
    /// Why it cannot be used.
    pub fn read(path: &Path) -> Result<Self, String> {
        Self::parse(fs::read(path).map_err(|error| error.to_string())?)
    }

    /// Checks the bytes of a file.
    pub(super) fn parse(bytes: Vec<u8>) -> Result<Self, String> {
        let mut reader = Reader { bytes: &bytes, at: 0 };
        if reader.take(MAGIC.len())? != MAGIC {
            return Err("it is no checkpoint".to_owned());
        }
        let format = u16::from_le_bytes(reader.array()?);
        if format != FORMAT {
            return Err(format!("its format is {format}, this populace knows {FORMAT}"));
        }
        let run = reader.section(RUN, 1)?;
        let run = serde_json::from_slice(&bytes[run]).map_err(|error| error.to_string())?;
        let mut sections = Vec::with_capacity(SECTIONS.len());
        for section in SECTIONS {
            sections.push(reader.section(section.name, section.version)?);
        }
        reader.section(END, 1)?;
        match reader.bytes.len() - reader.at {
            0 => Ok(Self { run, bytes, sections }),
            rest => Err(format!("{rest} bytes follow its end")),
        }
    }

    /// Makes a world that was assembled from the same scenario what it was.
    ///
    /// # Errors
    /// A section that does not fit the world, and why.
    pub fn restore(&self, world: &mut World) -> Result<(), String> {
        for (section, range) in SECTIONS.iter().zip(&self.sections) {
            let restored = (section.restore)(world, &self.bytes[range.clone()]);
            restored.map_err(|why| format!("section {}: {why}", section.name))?;
        }
        Ok(())
    }
}

/// Goes through the bytes of a file.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, len: usize) -> Result<&'a [u8], String> {
        let end = self.at.checked_add(len).filter(|end| *end <= self.bytes.len());
        let end = end.ok_or_else(|| format!("it is cut off after {} bytes", self.bytes.len()))?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    /// Where the content of the next section lies, which must be this one.
    fn section(&mut self, name: &str, version: u16) -> Result<std::ops::Range<usize>, String> {
        let start = self.at;
        let [name_len] = self.array()?;
        let found = String::from_utf8_lossy(self.take(usize::from(name_len))?).into_owned();
        let found_version = u16::from_le_bytes(self.array()?);
        let len = usize::try_from(u64::from_le_bytes(self.array()?)).unwrap_or(usize::MAX);
        let head = &self.bytes[start..self.at];
        let from = self.at;
        let content = self.take(len)?;
        let to = self.at;
        if self.take(blake3::OUT_LEN)? != hash(head, content).as_bytes() {
            return Err(format!("section {name} is damaged"));
        }
        if (found.as_str(), found_version) != (name, version) {
            let wanted = format!("section {name} of version {version}");
            return Err(format!("it has section {found} of version {found_version} for {wanted}"));
        }
        Ok(from..to)
    }
}
