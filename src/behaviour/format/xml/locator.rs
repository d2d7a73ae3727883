//! Byte offsets to lines and columns.

use crate::behaviour::definition::Position;

/// Walks along a text and counts lines and characters. Asked in ascending order it looks at every
/// byte once.
pub(super) struct Locator<'t> {
    text: &'t str,
    offset: usize,
    at: Position,
}

impl<'t> Locator<'t> {
    const START: Position = Position { line: 1, column: 1 };

    pub(super) fn new(text: &'t str) -> Self {
        Self { text, offset: 0, at: Self::START }
    }

    /// Where the byte at `offset` stands.
    pub(super) fn at(&mut self, offset: usize) -> Position {
        if offset < self.offset {
            (self.offset, self.at) = (0, Self::START);
        }
        for (index, letter) in self.text[self.offset..].char_indices() {
            if self.offset + index >= offset {
                self.offset += index;
                return self.at;
            }
            if letter == '\n' {
                self.at = Position { line: self.at.line + 1, column: 1 };
            } else {
                self.at.column += 1;
            }
        }
        self.offset = self.text.len();
        self.at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counted by hand: `ä` is one column and two bytes.
    #[test]
    fn lines_and_columns_count_characters() {
        let text = "ab\näx\r\ny";
        let mut locator = Locator::new(text);
        let mut place = |offset| {
            let Position { line, column } = locator.at(offset);
            (line, column)
        };
        assert_eq!(
            [0, 1, 3, 5, 8, 99].map(&mut place),
            [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)]
        );
        assert_eq!(place(0), (1, 1));
    }
}
