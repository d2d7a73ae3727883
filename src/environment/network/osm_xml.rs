//! The XML side of [`super::osm`]: nodes, and ways with a `highway` tag, as they stand in the
//! file.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

use crate::base::units::LngLat;

use super::error::NetworkError;
use super::highway::RoadTags;

/// Bounds of what is read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// Bytes of one tag, comment or text. OpenStreetMap's own limit of 255 characters a value
    /// keeps real tags far below it.
    pub(super) item_bytes_max: u64,
    /// Bytes of the unpacked file.
    pub(super) file_bytes_max: u64,
    /// Elements within elements; an extract has three levels.
    pub(super) depth_max: usize,
    /// Nodes, 24 bytes each while reading.
    pub(super) nodes_max: usize,
    /// Nodes named by roads, 8 bytes each.
    pub(super) refs_max: usize,
}

impl Limits {
    /// A country of ten million people fits.
    pub(super) const DEFAULT: Self = Self {
        item_bytes_max: 1 << 20,
        file_bytes_max: 1 << 35,
        depth_max: 16,
        nodes_max: 100_000_000,
        refs_max: 100_000_000,
    };
}

/// What stands in the file.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// All nodes with a position.
    pub(super) nodes: Vec<(i64, LngLat)>,
    /// Number, nodes and tags of every way with a `highway` tag.
    pub(super) ways: Vec<(i64, Vec<i64>, RoadTags)>,
    /// Declared corners.
    pub(super) bounds: Option<(LngLat, LngLat)>,
}

impl Reading {
    /// Reads `text` to its end.
    pub(super) fn of(text: impl Read, path: &Path, limits: Limits) -> Result<Self, NetworkError> {
        let metered = Metered {
            inner: BufReader::with_capacity(1 << 16, text),
            line: 1,
            item_bytes: 0,
            file_bytes: 0,
            limits,
        };
        let mut walk = Walk {
            path,
            line: 1,
            limits,
            depth: 0,
            way: None,
            ref_count: 0,
            found: Self::default(),
        };
        let mut reader = Reader::from_reader(metered);
        let mut buffer = Vec::new();
        loop {
            buffer.clear();
            walk.line = reader.get_ref().line;
            reader.get_mut().item_bytes = 0;
            let event = match reader.read_event_into(&mut buffer) {
                Ok(event) => event,
                Err(source) => return Err(walk.xml(source)),
            };
            match event {
                Event::Start(tag) => {
                    walk.open(&tag)?;
                    walk.depth += 1;
                }
                Event::Empty(tag) => {
                    walk.open(&tag)?;
                    walk.close(tag.name().0);
                }
                Event::End(tag) => {
                    walk.depth -= 1;
                    walk.close(tag.name().0);
                }
                Event::Eof => break,
                other => walk.refuse(&other)?,
            }
        }
        walk.finish()
    }
}

/// The state of reading.
struct Walk<'p> {
    path: &'p Path,
    line: u64,
    limits: Limits,
    depth: usize,
    way: Option<(i64, Vec<i64>, RoadTags)>,
    ref_count: usize,
    found: Reading,
}

impl Walk<'_> {
    fn open(&mut self, tag: &BytesStart<'_>) -> Result<(), NetworkError> {
        if self.depth >= self.limits.depth_max {
            return Err(self.too_large("levels of elements", self.limits.depth_max as u64));
        }
        match (self.depth, tag.name().0) {
            (0, "osm") => Ok(()),
            (0, name) => Err(self.structure(format!("root element <{name}>"), "expected <osm>")),
            (1, "bounds") => self.open_bounds(tag),
            (1, "node") => self.open_node(tag),
            (1, "way") => self.open_way(tag),
            (2, "nd") => self.open_reference(tag),
            (2, "tag") => self.open_tag(tag),
            _ => Ok(()),
        }
    }

    fn close(&mut self, name: &str) {
        if self.depth == 1
            && name == "way"
            && let Some(way) = self.way.take()
            && way.2.get("highway").is_some()
        {
            self.found.ways.push(way);
        }
    }

    fn open_bounds(&mut self, tag: &BytesStart<'_>) -> Result<(), NetworkError> {
        let [west, south, east, north] =
            self.values(tag, ["minlon", "minlat", "maxlon", "maxlat"])?;
        let low = LngLat {
            lng: self.degrees("bounds", "minlon", west, 180.0)?,
            lat: self.degrees("bounds", "minlat", south, 90.0)?,
        };
        let high = LngLat {
            lng: self.degrees("bounds", "maxlon", east, 180.0)?,
            lat: self.degrees("bounds", "maxlat", north, 90.0)?,
        };
        self.found.bounds = Some((low, high));
        Ok(())
    }

    fn open_node(&mut self, tag: &BytesStart<'_>) -> Result<(), NetworkError> {
        let [id, lng, lat, visible, action] =
            self.values(tag, ["id", "lon", "lat", "visible", "action"])?;
        if deleted(visible.as_deref(), action.as_deref()) {
            return Ok(());
        }
        let id = self.number("node", "id", id)?;
        let at = LngLat {
            lng: self.degrees("node", "lon", lng, 180.0)?,
            lat: self.degrees("node", "lat", lat, 90.0)?,
        };
        if self.found.nodes.len() >= self.limits.nodes_max {
            return Err(self.too_large("nodes", self.limits.nodes_max as u64));
        }
        self.found.nodes.push((id, at));
        Ok(())
    }

    fn open_way(&mut self, tag: &BytesStart<'_>) -> Result<(), NetworkError> {
        let [id, visible, action] = self.values(tag, ["id", "visible", "action"])?;
        let id = self.number("way", "id", id)?;
        let there = !deleted(visible.as_deref(), action.as_deref());
        self.way = there.then(|| (id, Vec::new(), RoadTags::default()));
        Ok(())
    }

    fn open_reference(&mut self, tag: &BytesStart<'_>) -> Result<(), NetworkError> {
        let [id] = self.values(tag, ["ref"])?;
        let id = self.number("nd", "ref", id)?;
        self.ref_count += 1;
        if self.ref_count > self.limits.refs_max {
            return Err(self.too_large("nodes named by ways", self.limits.refs_max as u64));
        }
        if let Some((_, nodes, _)) = &mut self.way {
            nodes.push(id);
        }
        Ok(())
    }

    fn open_tag(&mut self, tag: &BytesStart<'_>) -> Result<(), NetworkError> {
        if self.way.is_none() {
            return Ok(());
        }
        let [key, value] = self.values(tag, ["k", "v"])?;
        if let (Some((_, _, tags)), Some(key), Some(value)) = (&mut self.way, key, value) {
            tags.insert(&key, &value);
        }
        Ok(())
    }

    /// The values of the named attributes, `None` where one is missing. All attributes are
    /// looked at, so malformed ones are found.
    fn values<const N: usize>(
        &self,
        tag: &BytesStart<'_>,
        names: [&str; N],
    ) -> Result<[Option<String>; N], NetworkError> {
        let mut values = [const { None }; N];
        for attribute in tag.attributes() {
            let attribute = attribute.map_err(|source| self.xml(source.into()))?;
            let Some(index) = names.iter().position(|name| *name == attribute.key.0) else {
                continue;
            };
            let value = attribute
                .normalized_value(XmlVersion::Implicit1_0)
                .map_err(|source| self.xml(source))?;
            values[index] = Some(value.into_owned());
        }
        Ok(values)
    }

    fn number(
        &self,
        element: &'static str,
        field: &'static str,
        value: Option<String>,
    ) -> Result<i64, NetworkError> {
        let parsed = value.as_deref().and_then(|text| text.parse().ok());
        parsed.ok_or_else(|| self.value(element, field, value, "a whole number"))
    }

    fn degrees(
        &self,
        element: &'static str,
        field: &'static str,
        value: Option<String>,
        most: f64,
    ) -> Result<f64, NetworkError> {
        let parsed = value.as_deref().and_then(|text| text.parse::<f64>().ok());
        let allowed =
            if most > 90.0 { "degrees from -180 to 180" } else { "degrees from -90 to 90" };
        parsed
            .filter(|degrees| (-most..=most).contains(degrees))
            .ok_or_else(|| self.value(element, field, value, allowed))
    }

    /// Lets text, comments and the like pass; they mean nothing here.
    fn refuse(&self, event: &Event<'_>) -> Result<(), NetworkError> {
        match event {
            Event::DocType(_) => Err(self.structure(
                "a document type declaration".to_owned(),
                "OpenStreetMap extracts have none, and it is not followed",
            )),
            Event::GeneralRef(name)
                if !matches!(&**name, "amp" | "lt" | "gt" | "quot" | "apos")
                    && !name.is_char_ref() =>
            {
                Err(self.structure(
                    format!("the entity &{};", &**name),
                    "only &amp; &lt; &gt; &quot; &apos; are known",
                ))
            }
            _ => Ok(()),
        }
    }

    fn finish(self) -> Result<Reading, NetworkError> {
        if self.depth > 0 {
            let found = format!("the end of the file inside {} open elements", self.depth);
            return Err(self.structure(found, "the file is cut off"));
        }
        if self.found.nodes.is_empty() && self.found.ways.is_empty() {
            let found = "no node and no way".to_owned();
            return Err(self.structure(found, "expected an OpenStreetMap extract"));
        }
        Ok(self.found)
    }

    fn xml(&self, source: quick_xml::Error) -> NetworkError {
        NetworkError::Xml { path: self.path.to_owned(), line: self.line, source }
    }

    fn structure(&self, found: String, allowed: &'static str) -> NetworkError {
        NetworkError::Structure { path: self.path.to_owned(), line: self.line, found, allowed }
    }

    fn value(
        &self,
        element: &'static str,
        field: &'static str,
        value: Option<String>,
        allowed: &'static str,
    ) -> NetworkError {
        let found = value.map_or_else(|| "missing".to_owned(), |value| format!("{value:?}"));
        let (path, line) = (self.path.to_owned(), self.line);
        NetworkError::Value { path, line, element, field, found, allowed }
    }

    fn too_large(&self, what: &'static str, limit: u64) -> NetworkError {
        NetworkError::TooLarge { path: self.path.to_owned(), line: self.line, what, limit }
    }
}

/// Whether an editor's or a history file's object no longer exists.
fn deleted(visible: Option<&str>, action: Option<&str>) -> bool {
    visible == Some("false") || action == Some("delete")
}

/// Counts lines and bytes on the way to the XML reader, which would otherwise take one item of
/// any size into memory.
struct Metered<R> {
    inner: BufReader<R>,
    line: u64,
    item_bytes: u64,
    file_bytes: u64,
    limits: Limits,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let taken = self.fill_buf()?.read(out)?;
        self.consume(taken);
        Ok(taken)
    }
}

impl<R: Read> BufRead for Metered<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let Limits { item_bytes_max, file_bytes_max, .. } = self.limits;
        if self.item_bytes > item_bytes_max {
            return Err(io::Error::other(format!("one item has more than {item_bytes_max} bytes")));
        }
        if self.file_bytes > file_bytes_max {
            return Err(io::Error::other(format!("more than {file_bytes_max} bytes unpacked")));
        }
        self.inner.fill_buf()
    }

    fn consume(&mut self, count: usize) {
        let taken = &self.inner.buffer()[..count];
        self.line += taken.iter().filter(|byte| **byte == b'\n').count() as u64;
        self.item_bytes += count as u64;
        self.file_bytes += count as u64;
        self.inner.consume(count);
    }
}
