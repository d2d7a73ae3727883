//! Skills found by words.

use bm25::{Embedder, EmbedderBuilder, Scorer, Tokenizer};

use super::xml::is_cjk;
use crate::skill::package::Skill;
use crate::skill::registry::SkillRegistry;

/// Words in lower case; a Chinese, Japanese or Korean character is a word of its own.
#[derive(Default)]
struct Words;

impl Tokenizer for Words {
    fn tokenize(&self, text: &str) -> Vec<String> {
        let mut words = Vec::new();
        let mut word = String::new();
        for character in text.chars() {
            if is_cjk(character) || !character.is_alphanumeric() {
                if !word.is_empty() {
                    words.push(std::mem::take(&mut word));
                }
                if is_cjk(character) {
                    words.push(character.to_string());
                }
            } else {
                word.extend(character.to_lowercase());
            }
        }
        words.extend((!word.is_empty()).then_some(word));
        words
    }
}

/// A skill that was found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Found {
    /// Index in the registry.
    pub index: usize,
    /// BM25 score, above 0; higher fits better.
    pub score: f32,
}

/// The names, descriptions and tags of a registry, ready to be searched.
pub struct Index<'a> {
    registry: &'a SkillRegistry,
    embedder: Embedder<u64, Words>,
    scorer: Scorer<usize, u64>,
}

impl<'a> Index<'a> {
    /// Reads the registry.
    pub fn new(registry: &'a SkillRegistry) -> Self {
        let texts: Vec<String> = registry.skills().iter().map(text_of).collect();
        let all: Vec<&str> = texts.iter().map(String::as_str).collect();
        let embedder =
            EmbedderBuilder::<u64, Words>::with_tokenizer_and_fit_to_corpus(Words, &all).build();
        let mut scorer = Scorer::new();
        for (index, text) in texts.iter().enumerate() {
            scorer.upsert(&index, embedder.embed(text));
        }
        Self { registry, embedder, scorer }
    }

    /// The skills in which a word of `query` occurs, best first and then by id, at most `limit`;
    /// only those with `tag` if one is given (without regard to case).
    pub fn search(&self, query: &str, tag: Option<&str>, limit: usize) -> Vec<Found> {
        let query = self.embedder.embed(query);
        let has_tag = |index: usize| has_tag(&self.registry.skills()[index], tag);
        let score = |index: usize| {
            let score = self.scorer.score(&index, &query).filter(|score| *score > 0.0)?;
            Some(Found { index, score })
        };
        let count = self.registry.skills().len();
        let mut found: Vec<Found> = (0..count).filter(|i| has_tag(*i)).filter_map(score).collect();
        // The registry is sorted by id, and this sort is stable.
        found.sort_by(|a, b| b.score.total_cmp(&a.score));
        found.truncate(limit);
        found
    }
}

/// Whether the skill has the tag, without regard to case; any has none.
pub(super) fn has_tag(skill: &Skill, tag: Option<&str>) -> bool {
    let same = |tag: &str, other: &String| other.to_lowercase() == tag.to_lowercase();
    tag.is_none_or(|tag| skill.manifest.tags.iter().any(|other| same(tag, other)))
}

fn text_of(skill: &Skill) -> String {
    let manifest = &skill.manifest;
    format!("{} {} {}", manifest.name, manifest.description, manifest.tags.join(" "))
}
