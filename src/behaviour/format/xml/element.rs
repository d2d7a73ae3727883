//! XML as a tree of elements that know where they stand.

use std::borrow::Cow;

use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use quick_xml::{XmlVersion, escape};

use super::super::bounds::{DEPTH_MAX, NODES_MAX};
use super::super::problems::{BOUNDS, Problems, STRUCTURE, SYNTAX};
use super::locator::Locator;
use super::names;
use crate::behaviour::definition::Position;

/// Elements within elements: `root`, `BehaviorTree`, and the nodes.
const ELEMENT_DEPTH_MAX: usize = DEPTH_MAX + 2;
/// Elements of a file: its nodes, and some for models.
const ELEMENTS_MAX: usize = 4 * NODES_MAX;

/// One element.
#[derive(Debug, Default)]
pub(super) struct Element {
    pub(super) name: String,
    pub(super) attributes: Vec<Attribute>,
    pub(super) children: Vec<Self>,
    /// The text in it, the white space around it cut off.
    pub(super) text: String,
    pub(super) at: Position,
}

/// One attribute.
#[derive(Debug)]
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) value: String,
    pub(super) at: Position,
}

/// The processing instructions and the root of a file.
#[derive(Debug, Default)]
pub(super) struct File {
    pub(super) root: Element,
    /// Target, content, place of each processing instruction before the root.
    pub(super) instructions: Vec<(String, String, Position)>,
}

impl Element {
    /// The value of an attribute.
    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|other| other.name == name).map(|other| other.value.as_str())
    }

    /// This element and all in it.
    pub(super) fn walk(&self) -> Box<dyn Iterator<Item = &Self> + '_> {
        Box::new(std::iter::once(self).chain(self.children.iter().flat_map(Self::walk)))
    }
}

/// Reads a text to its end, or to the first mistake after which the rest means nothing.
pub(super) fn parse(text: &str, problems: &mut Problems) -> Option<File> {
    let text = text.strip_prefix('\u{FEFF}').unwrap_or(text);
    let mut reader = Reader::from_str(text);
    reader.config_mut().enable_all_checks(true);
    let mut walk = Walk {
        locator: Locator::new(text),
        open: Vec::new(),
        root: None,
        file: File::default(),
        elements: 0,
        problems,
    };
    loop {
        let start = usize::try_from(reader.buffer_position()).unwrap_or(usize::MAX);
        let event = match reader.read_event() {
            Ok(event) => event,
            Err(error) => {
                let offset = usize::try_from(reader.error_position()).unwrap_or(start);
                let at = walk.locator.at(offset);
                walk.problems.add(at, SYNTAX, error.to_string());
                return None;
            }
        };
        match event {
            Event::Eof => return walk.finish(),
            event => walk.take(event, start)?,
        }
    }
}

/// The state of reading.
struct Walk<'t, 'p> {
    locator: Locator<'t>,
    open: Vec<Element>,
    root: Option<Element>,
    file: File,
    elements: usize,
    problems: &'p mut Problems,
}

impl<'t> Walk<'t, '_> {
    /// Takes one event; nothing if reading must end.
    fn take(&mut self, event: Event<'t>, start: usize) -> Option<()> {
        match event {
            Event::Start(tag) => {
                let element = self.element(&tag, start)?;
                self.open.push(element);
            }
            Event::Empty(tag) => {
                let element = self.element(&tag, start)?;
                self.close(element);
            }
            Event::End(_) => {
                if let Some(element) = self.open.pop() {
                    self.close(element);
                }
            }
            Event::Text(text) => self.text(&text.xml10_content(), start),
            Event::CData(text) => self.text(&text.xml10_content(), start),
            Event::GeneralRef(name) => match reference(&name) {
                Some(text) => self.text(&text, start),
                None => self.unknown_entity(&name, start),
            },
            Event::PI(words) if self.root.is_none() && self.open.is_empty() => {
                let content = words.content().trim().to_owned();
                let at = self.locator.at(start);
                self.file.instructions.push((words.target().to_owned(), content, at));
            }
            Event::DocType(_) => {
                let at = self.locator.at(start);
                let message = "a document type declaration is not followed; leave it out";
                self.problems.add(at, SYNTAX, message);
                return None;
            }
            Event::Comment(_) | Event::Decl(_) | Event::PI(_) | Event::Eof => {}
        }
        Some(())
    }

    fn element(&mut self, tag: &BytesStart<'_>, start: usize) -> Option<Element> {
        let at = self.locator.at(start);
        self.elements += 1;
        if self.open.len() >= ELEMENT_DEPTH_MAX {
            let message = format!("more than {DEPTH_MAX} nodes within one another");
            self.problems.add(at, BOUNDS, message);
            return None;
        }
        if self.elements > ELEMENTS_MAX {
            self.problems.add(at, BOUNDS, format!("more than {ELEMENTS_MAX} elements"));
            return None;
        }
        let name = tag.name().0.to_owned();
        let mut element = Element { name, at, ..Element::default() };
        // Past `<`, that is where places of attributes begin to count.
        for attribute in tag.attributes() {
            match attribute {
                Ok(attribute) => self.attribute(&attribute, start, tag, &mut element),
                Err(error) => {
                    let message = format!("in <{}>: {error}", element.name);
                    self.problems.add(at, SYNTAX, message);
                }
            }
        }
        Some(element)
    }

    fn attribute(
        &mut self,
        attribute: &quick_xml::events::attributes::Attribute<'_>,
        start: usize,
        tag: &BytesStart<'_>,
        element: &mut Element,
    ) {
        let name = attribute.key.0;
        let inside = (name.as_ptr() as usize).wrapping_sub(tag.as_ptr() as usize);
        let at = self.locator.at(start + 1 + inside.min(tag.len()));
        match attribute.normalized_value(XmlVersion::Implicit1_0) {
            Ok(value) if value.chars().all(names::is_character) => {
                let value = value.into_owned();
                element.attributes.push(Attribute { name: name.to_owned(), value, at });
            }
            Ok(_) => {
                let message = format!("attribute `{name}` holds a character that XML does not");
                self.problems.add(at, SYNTAX, message);
            }
            Err(error) => {
                self.problems.add(at, SYNTAX, format!("attribute `{name}`: {error}"));
            }
        }
    }

    fn close(&mut self, mut element: Element) {
        element.text = element.text.trim().to_owned();
        match self.open.last_mut() {
            Some(parent) => parent.children.push(element),
            None if self.root.is_none() => self.root = Some(element),
            None => {
                let message = format!("<{}> follows the root; a file has one", element.name);
                self.problems.add(element.at, SYNTAX, message);
            }
        }
    }

    fn text(&mut self, text: &str, start: usize) {
        if let Some(element) = self.open.last_mut() {
            element.text.push_str(text);
        } else if !text.trim().is_empty() {
            let at = self.locator.at(start);
            self.problems.add(at, SYNTAX, "text outside the root");
        }
    }

    fn unknown_entity(&mut self, name: &str, start: usize) {
        let at = self.locator.at(start);
        let message = format!("`&{name};` is not &amp; &lt; &gt; &quot; &apos; or a number");
        self.problems.add(at, SYNTAX, message);
    }

    fn finish(mut self) -> Option<File> {
        if let Some(element) = self.open.last() {
            let message = format!("<{}> is not closed: the file is cut off", element.name);
            self.problems.add(element.at, SYNTAX, message);
            return None;
        }
        let Some(root) = self.root.take() else {
            self.problems.add(self.locator.at(0), STRUCTURE, "the file holds no element");
            return None;
        };
        Some(File { root, ..self.file })
    }
}

/// What `&name;` stands for.
fn reference(name: &quick_xml::events::BytesRef<'_>) -> Option<Cow<'static, str>> {
    if name.is_char_ref() {
        let letter = name.resolve_char_ref().ok().flatten();
        return letter.filter(|c| names::is_character(*c)).map(|c| Cow::Owned(c.to_string()));
    }
    escape::resolve_predefined_entity(name).map(Cow::Borrowed)
}
