//! Text buffers: one long string with the ends of its pieces, and a list of repeating names.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::data::{Column, ColumnData};
use super::kind::ColumnKind;

/// A column of any text: all pieces in one string, and where each ends.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Texts {
    joined: String,
    /// End of each piece in `joined`, ascending.
    ends: Vec<i64>,
}

impl Texts {
    /// Adds a piece.
    pub fn push(&mut self, text: &str) {
        self.joined.push_str(text);
        self.ends.push(self.end());
    }

    /// Number of pieces.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The `index`-th piece, if there are that many.
    pub fn get(&self, index: usize) -> Option<&str> {
        let end = *self.ends.get(index)? as usize;
        Some(&self.joined[self.start(index)..end])
    }

    /// Makes room for `count` more pieces (not for their text).
    pub fn reserve(&mut self, count: usize) {
        self.ends.reserve(count);
    }

    /// Removes all pieces and keeps the memory.
    pub fn clear(&mut self) {
        self.joined.clear();
        self.ends.clear();
    }

    /// Moves all pieces of `other` to the end of this.
    pub fn append(&mut self, other: &mut Self) {
        let shift = self.end();
        self.joined.push_str(&other.joined);
        self.ends.extend(other.ends.iter().map(|end| end + shift));
        other.clear();
    }

    /// Cuts the pieces from `at` on off and returns them.
    pub(super) fn split_off(&mut self, at: usize) -> Self {
        let cut = self.start(at);
        let joined = self.joined.split_off(cut);
        let mut ends = self.ends.split_off(at);
        ends.iter_mut().for_each(|end| *end -= cut as i64);
        Self { joined, ends }
    }

    /// The pieces in another order.
    pub(super) fn in_order(&self, order: &[usize]) -> Self {
        let mut out = Self { joined: String::with_capacity(self.joined.len()), ends: Vec::new() };
        order.iter().filter_map(|row| self.get(*row)).for_each(|piece| out.push(piece));
        out
    }

    /// All the text, and the boundaries of the pieces (one more than pieces, from 0).
    pub(super) fn into_parts(self) -> (Vec<u8>, Vec<i64>) {
        let mut bounds = self.ends;
        bounds.insert(0, 0);
        (self.joined.into_bytes(), bounds)
    }

    fn end(&self) -> i64 {
        self.joined.len() as i64
    }

    fn start(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(0, |before| self.ends[before] as usize)
    }
}

/// A column of text that repeats: each distinct value once, in order of first use, and a code
/// per row.
#[derive(Debug, Clone, Default)]
pub struct Names {
    values: Vec<Arc<str>>,
    codes: Vec<i32>,
    code_of: BTreeMap<Arc<str>, i32>,
}

impl Names {
    /// Adds a row. Fast when it equals the row before.
    pub fn push(&mut self, name: &str) {
        let code = match self.codes.last() {
            Some(last) if &*self.values[*last as usize] == name => *last,
            _ => self.code(name),
        };
        self.codes.push(code);
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// The name in the `index`-th row, if there are that many.
    pub fn get(&self, index: usize) -> Option<&str> {
        self.codes.get(index).map(|code| &*self.values[*code as usize])
    }

    /// Makes room for `count` more rows.
    pub fn reserve(&mut self, count: usize) {
        self.codes.reserve(count);
    }

    /// Removes all rows.
    pub fn clear(&mut self) {
        *self = Self { codes: std::mem::take(&mut self.codes), ..Self::default() };
        self.codes.clear();
    }

    /// Moves all rows of `other` to the end of this.
    pub fn append(&mut self, other: &mut Self) {
        let codes: Vec<i32> = other.values.iter().map(|name| self.code(name)).collect();
        self.codes.extend(other.codes.iter().map(|code| codes[*code as usize]));
        other.clear();
    }

    /// Cuts the rows from `at` on off and returns them; both keep all values.
    pub(super) fn split_off(&mut self, at: usize) -> Self {
        let codes = self.codes.split_off(at);
        Self { codes, values: self.values.clone(), code_of: self.code_of.clone() }
    }

    /// The rows in another order.
    pub(super) fn in_order(&self, order: &[usize]) -> Self {
        let codes = order.iter().map(|row| self.codes[*row]).collect();
        Self { codes, values: self.values.clone(), code_of: self.code_of.clone() }
    }

    /// The distinct values and the code of each row.
    pub(super) fn into_parts(self) -> (Vec<Arc<str>>, Vec<i32>) {
        (self.values, self.codes)
    }

    fn code(&mut self, name: &str) -> i32 {
        if let Some(code) = self.code_of.get(name) {
            return *code;
        }
        let code = i32::try_from(self.values.len()).expect("fewer distinct names than 2^31");
        let name: Arc<str> = name.into();
        self.values.push(Arc::clone(&name));
        self.code_of.insert(name, code);
        code
    }
}

/// Equal if the rows are equal; the numbering of the values does not matter.
impl PartialEq for Names {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && (0..self.len()).all(|row| self.get(row) == other.get(row))
    }
}

impl Column for Texts {
    const KIND: ColumnKind = ColumnKind::Text;

    fn into_data(self) -> ColumnData {
        ColumnData::Text(self)
    }
}

impl Column for Names {
    const KIND: ColumnKind = ColumnKind::Name;

    fn into_data(self) -> ColumnData {
        ColumnData::Name(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PIECES: [&str; 7] = ["a", "", "Zürich", "a", "\u{1F3E0} home", "", "a"];

    fn rows<'a>(get: impl Fn(usize) -> Option<&'a str>) -> Vec<&'a str> {
        (0..).map_while(get).collect()
    }

    /// Splitting anywhere and appending gives the pieces back.
    #[test]
    fn texts_split_and_join() {
        for at in 0..=PIECES.len() {
            let mut head = Texts::default();
            PIECES.iter().for_each(|piece| head.push(piece));
            let mut tail = head.split_off(at);
            assert_eq!(rows(|i| head.get(i)), PIECES[..at]);
            assert_eq!(rows(|i| tail.get(i)), PIECES[at..]);
            head.append(&mut tail);
            assert_eq!(rows(|i| head.get(i)), PIECES);
            assert!(tail.is_empty());
        }
    }

    #[test]
    fn rows_are_put_in_order() {
        let (mut texts, mut names) = (Texts::default(), Names::default());
        PIECES.iter().for_each(|piece| texts.push(piece));
        PIECES.iter().for_each(|piece| names.push(piece));
        let order = [4, 2, 2, 0, 6, 1];
        let expected = order.map(|row| PIECES[row]);
        let (texts, names) = (texts.in_order(&order), names.in_order(&order));
        assert_eq!(rows(|i| texts.get(i)), expected);
        assert_eq!(rows(|i| names.get(i)), expected);
    }

    #[test]
    fn names_split_and_join() {
        for at in 0..=PIECES.len() {
            let mut head = Names::default();
            PIECES.iter().for_each(|piece| head.push(piece));
            let mut tail = head.split_off(at);
            // A buffer that numbers its values in another order.
            let mut other = Names::default();
            rows(|i| tail.get(i)).iter().rev().for_each(|name| other.push(name));
            assert_eq!(rows(|i| head.get(i)), PIECES[..at]);
            head.append(&mut tail);
            assert_eq!(rows(|i| head.get(i)), PIECES);
            head.append(&mut other);
            let expected: Vec<_> =
                PIECES.iter().chain(PIECES[at..].iter().rev()).copied().collect();
            assert_eq!(rows(|i| head.get(i)), expected);
            assert_eq!(head.values.len(), 4);
        }
    }
}
