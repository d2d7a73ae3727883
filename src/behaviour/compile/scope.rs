//! Names: which slot of the blackboard, attribute or word one stands for.

use std::collections::BTreeMap;

use super::builder::Builder;
use super::ports::{listed, nearest};
use crate::behaviour::catalogue::Leaves;
use crate::behaviour::definition::Position;
use crate::behaviour::expression::{
    Assign, Ast, AttributeIndex, Names, Program, SlotIndex, SourceIndex,
};
use crate::behaviour::tree::{SHOWN_FIRST, Slot};
use crate::behaviour::value::{Value, ValueType};

/// What a tree may name beyond its own blackboard; nothing unless a method says so.
pub trait Vocabulary {
    /// An attribute of the agent or of what it perceives.
    fn attribute(&self, _name: &str) -> Option<(AttributeIndex, ValueType)> {
        None
    }

    /// A word that stands for a value.
    fn word(&self, _name: &str) -> Option<Value> {
        None
    }

    /// A group of others, for aggregates.
    fn source(&self, _name: &str) -> Option<SourceIndex> {
        None
    }

    /// An attribute of others.
    fn other(&self, _source: SourceIndex, _name: &str) -> Option<(AttributeIndex, ValueType)> {
        None
    }

    /// All names, for suggestions.
    fn known(&self) -> Vec<String> {
        Vec::new()
    }

    /// Which leaves are known beside those of the dialect.
    fn leaves(&self) -> Leaves {
        Leaves::None
    }
}

/// One blackboard: that of the document, or of one call of a tree.
pub(super) struct Scope {
    /// The blackboard of the caller.
    parent: Option<usize>,
    /// Before the names of its slots: the path of the call.
    path: String,
    /// Its names; those of a call may stand for slots of the caller.
    names: BTreeMap<String, SlotIndex>,
    /// Whether names that it does not know are the caller's.
    autoremap: bool,
}

impl Scope {
    /// The blackboard of the document.
    pub const fn root() -> Self {
        Self { parent: None, path: String::new(), names: BTreeMap::new(), autoremap: false }
    }

    /// The blackboard of a call.
    pub fn call(parent: usize, path: &str, autoremap: bool) -> Self {
        Self { parent: Some(parent), path: path.to_owned(), names: BTreeMap::new(), autoremap }
    }
}

/// The names of one scope, for expressions.
struct ScopeNames<'b, 'd> {
    builder: &'b mut Builder<'d>,
    scope: usize,
}

impl Names for ScopeNames<'_, '_> {
    fn slot(
        &mut self,
        name: &str,
        assign: Assign,
    ) -> Result<Option<(SlotIndex, ValueType)>, String> {
        let vocabulary = self.builder.vocabulary;
        if vocabulary.attribute(name).is_some() {
            return match assign {
                Assign::Read => Ok(None),
                _ => Err(format!("`{name}` is perceived, no tree can change it")),
            };
        }
        if self.builder.is_strict() && self.builder.find_slot(self.scope, name).is_none() {
            return Ok(None);
        }
        let slot = self.builder.slot(self.scope, name)?;
        Ok(Some((slot, self.builder.slots[usize::from(slot.0)].kind)))
    }

    fn attribute(&mut self, name: &str) -> Option<(AttributeIndex, ValueType)> {
        self.builder.vocabulary.attribute(name)
    }

    fn word(&mut self, name: &str) -> Option<Value> {
        self.builder.word(name)
    }

    fn source(&mut self, name: &str) -> Option<SourceIndex> {
        let source = self.builder.vocabulary.source(name)?;
        self.builder.sources |= 1 << source.0;
        Some(source)
    }

    fn other(&mut self, source: SourceIndex, name: &str) -> Option<(AttributeIndex, ValueType)> {
        let known = self.builder.vocabulary.other(source, name);
        known.or_else(|| self.builder.shown_slot(name))
    }

    fn known(&self) -> Vec<String> {
        let declared = self.builder.document.slots.iter().map(|slot| slot.name.clone());
        declared.chain(self.builder.vocabulary.known()).collect()
    }
}

impl Builder<'_> {
    /// An expression or a script that stands at `at`: an index of the tree's programs.
    pub(super) fn program_of(&mut self, scope: usize, text: &str, at: Position) -> Option<u16> {
        if self.programs.len() >= usize::from(u16::MAX) {
            self.too_large(at, &format!("{} scripts and conditions", u16::MAX));
            return None;
        }
        let parsed = Ast::parse(text, at).map_err(|problem| vec![problem]);
        let compiled = parsed.and_then(|ast| {
            let program = Program::compile(&ast, &mut ScopeNames { builder: self, scope })?;
            for (name, word, at) in ast.words() {
                if let Some(slot) = self.find_slot(scope, &name) {
                    self.check_word(slot, &word, at);
                }
            }
            Ok(program)
        });
        match compiled {
            Ok(program) => {
                self.programs.push(program);
                Some(self.programs.len() as u16 - 1)
            }
            Err(problems) => {
                self.problems.extend(problems);
                None
            }
        }
    }

    /// A slot that holds words of a list holds no others.
    pub(super) fn check_word(&mut self, slot: SlotIndex, word: &str, at: Position) {
        let name = &self.slots[usize::from(slot.0)].name;
        let declared = self.document.slots.iter().find(|declared| declared.name == *name);
        let Some(declared) = declared.filter(|declared| !declared.words.is_empty()) else { return };
        if !declared.words.iter().any(|known| known == word) {
            let words: Vec<_> = declared.words.iter().map(String::as_str).collect();
            let near = nearest(word, words.iter().copied());
            let message = format!(
                "`{word}` is no word of `{}`{near}; its words: {}",
                declared.name,
                listed(&words)
            );
            self.problem(at, "bad-value", message);
        }
    }

    /// A declared slot as others see it.
    fn shown_slot(&mut self, name: &str) -> Option<(AttributeIndex, ValueType)> {
        let slot = *self.scopes[0].names.get(name)?;
        let shown = &mut self.shown;
        let index = shown.iter().position(|other| *other == slot).unwrap_or_else(|| {
            shown.push(slot);
            shown.len() - 1
        });
        let attribute = AttributeIndex(SHOWN_FIRST + index as u16);
        Some((attribute, self.slots[usize::from(slot.0)].kind))
    }

    /// Whether another slot can be made; if not, that is noted.
    pub(super) fn has_room(&mut self, at: Position) -> bool {
        let has_room = self.slots.len() < usize::from(u16::MAX);
        if !has_room {
            self.too_large(at, &format!("{} slots", u16::MAX));
        }
        has_room
    }

    /// Makes a slot and gives it a name in a scope.
    pub(super) fn add_slot(
        &mut self,
        scope: usize,
        name: &str,
        kind: ValueType,
        initial: Value,
    ) -> SlotIndex {
        let index = SlotIndex(self.slots.len() as u16);
        let path = &self.scopes[scope].path;
        self.slots.push(Slot { name: format!("{path}{name}"), kind, initial, version: None });
        self.scopes[scope].names.insert(name.to_owned(), index);
        index
    }

    /// Lets a name of a call stand for a slot.
    pub(super) fn bind(&mut self, scope: usize, name: &str, slot: SlotIndex) {
        self.scopes[scope].names.insert(name.to_owned(), slot);
    }

    /// The slot of a name. `@name` is one of the document's blackboard. Where the document declares
    /// its slots, others do not exist; where it does not, a slot is made for every name.
    pub(super) fn slot(&mut self, scope: usize, name: &str) -> Result<SlotIndex, String> {
        let (scope, name) = home(scope, name);
        let bad = |c: char| c.is_control() || c == '{' || c == '}';
        if name.is_empty() || name.contains(bad) {
            return Err(format!("{name:?} is no name of a slot"));
        }
        if self.vocabulary.attribute(name).is_some() {
            return Err(format!("`{name}` is perceived, it is no slot of the blackboard"));
        }
        if let Some(slot) = self.find_slot(scope, name) {
            return Ok(slot);
        }
        if self.is_strict() {
            let known: Vec<&str> = self.document.slots.iter().map(|s| s.name.as_str()).collect();
            return Err(format!(
                "`{name}` is no slot of the blackboard{}; declared are: {}",
                nearest(name, known.iter().copied()),
                listed(&known)
            ));
        }
        if self.slots.len() >= usize::from(u16::MAX) {
            return Err("the tree has too many slots".to_owned());
        }
        Ok(self.add_slot(self.owner(scope, name), name, ValueType::Any, Value::Unset))
    }

    /// The slot that a name stands for already.
    pub(super) fn find_slot(&self, scope: usize, name: &str) -> Option<SlotIndex> {
        let (scope, name) = home(scope, name);
        let at = &self.scopes[scope];
        if let Some(slot) = at.names.get(name) {
            return Some(*slot);
        }
        let parent = at.parent?;
        if at.autoremap && !name.starts_with('_') {
            return self.find_slot(parent, name);
        }
        // Declared slots are the whole document's.
        self.is_strict().then(|| self.scopes[0].names.get(name).copied()).flatten()
    }

    /// The scope in which a name that nobody knows is made.
    fn owner(&self, scope: usize, name: &str) -> usize {
        let at = &self.scopes[scope];
        match at.parent {
            Some(parent) if at.autoremap && !name.starts_with('_') => self.owner(parent, name),
            _ => scope,
        }
    }

    /// Whether names that are not declared are mistakes.
    pub(super) fn is_strict(&self) -> bool {
        !self.document.slots.is_empty()
    }

    /// Makes the declared slots.
    pub(super) fn declare_slots(&mut self) {
        for slot in &self.document.slots {
            if !self.has_room(slot.at) {
                return;
            }
            let Some(kind) = ValueType::from_word(&slot.type_word) else {
                let allowed = ValueType::WORDS.map(|(word, _)| word).join(", ");
                let found = &slot.type_word;
                self.problem(
                    slot.at,
                    "unknown-type",
                    format!("`{found}` is no type; allowed are: {allowed}"),
                );
                continue;
            };
            let taken = self.scopes[0].names.contains_key(&slot.name);
            if taken || self.vocabulary.attribute(&slot.name).is_some() {
                let name = &slot.name;
                let message = format!("the name `{name}` is taken already");
                self.problem(slot.at, "duplicate-slot", message);
            }
            let initial = match slot.initial.as_deref() {
                None => Value::Unset,
                Some(text) => self.initial_value(&slot.words, kind, text, slot.at),
            };
            self.add_slot(0, &slot.name, kind, initial);
        }
    }

    fn initial_value(
        &mut self,
        words: &[String],
        kind: ValueType,
        text: &str,
        at: Position,
    ) -> Value {
        if !words.is_empty() && !words.iter().any(|word| word == text) {
            let message = format!("`{text}` is none of: {}", words.join(", "));
            self.problem(at, "bad-value", message);
        }
        kind.parse(text).unwrap_or_else(|| {
            let message = format!("`{text}` is no value of type {}", kind.word());
            self.problem(at, "bad-value", message);
            Value::Unset
        })
    }
}

/// Where a name is looked up: `@name` is of the document's blackboard wherever it is written.
fn home(scope: usize, name: &str) -> (usize, &str) {
    match name.starts_with('@') {
        true => (0, name.trim_start_matches('@')),
        false => (scope, name),
    }
}
