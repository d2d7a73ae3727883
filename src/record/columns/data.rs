//! One column of any kind while it waits to be encoded.

use super::kind::ColumnKind;
use super::text::{Names, Texts};

/// A column buffer of a table.
pub trait Column: Default {
    /// What it holds.
    const KIND: ColumnKind;

    /// Hands the column over to the writer; moved, not copied.
    fn into_data(self) -> ColumnData;
}

/// One column of any kind. The writer handles tables as lists of these and so needs to know no
/// table by name.
#[derive(Debug)]
pub enum ColumnData {
    /// See [`ColumnKind::U8`].
    U8(Vec<u8>),
    /// See [`ColumnKind::U16`].
    U16(Vec<u16>),
    /// See [`ColumnKind::U32`].
    U32(Vec<u32>),
    /// See [`ColumnKind::I64`].
    I64(Vec<i64>),
    /// See [`ColumnKind::F32`].
    F32(Vec<f32>),
    /// See [`ColumnKind::F64`].
    F64(Vec<f64>),
    /// See [`ColumnKind::Bool`].
    Bool(Vec<bool>),
    /// See [`ColumnKind::Time`].
    Time(Vec<i64>),
    /// See [`ColumnKind::Date`].
    Date(Vec<i32>),
    /// See [`ColumnKind::Word`]; the codes.
    Word(Vec<u8>),
    /// See [`ColumnKind::Text`].
    Text(Texts),
    /// See [`ColumnKind::Name`].
    Name(Names),
}

/// The same expression for whichever buffer a column holds.
macro_rules! with_buffer {
    ($data:expr, $buffer:ident => $does:expr) => {
        match $data {
            ColumnData::U8($buffer) | ColumnData::Word($buffer) => $does,
            ColumnData::U16($buffer) => $does,
            ColumnData::U32($buffer) => $does,
            ColumnData::I64($buffer) | ColumnData::Time($buffer) => $does,
            ColumnData::F32($buffer) => $does,
            ColumnData::F64($buffer) => $does,
            ColumnData::Bool($buffer) => $does,
            ColumnData::Date($buffer) => $does,
            ColumnData::Text($buffer) => $does,
            ColumnData::Name($buffer) => $does,
        }
    };
}

impl ColumnData {
    /// An empty column.
    pub(crate) fn empty(kind: ColumnKind) -> Self {
        match kind {
            ColumnKind::U8 => Self::U8(Vec::new()),
            ColumnKind::U16 => Self::U16(Vec::new()),
            ColumnKind::U32 => Self::U32(Vec::new()),
            ColumnKind::I64 => Self::I64(Vec::new()),
            ColumnKind::F32 => Self::F32(Vec::new()),
            ColumnKind::F64 => Self::F64(Vec::new()),
            ColumnKind::Bool => Self::Bool(Vec::new()),
            ColumnKind::Time => Self::Time(Vec::new()),
            ColumnKind::Date => Self::Date(Vec::new()),
            ColumnKind::Word(_) => Self::Word(Vec::new()),
            ColumnKind::Text => Self::Text(Texts::default()),
            ColumnKind::Name => Self::Name(Names::default()),
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        with_buffer!(self, buffer => buffer.len())
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Moves the rows of `more` to the end of this.
    ///
    /// # Panics
    /// If the kinds differ (a bug in the caller).
    pub(crate) fn append(&mut self, more: Self) {
        if self.is_empty() {
            assert_eq!(std::mem::discriminant(self), std::mem::discriminant(&more));
            *self = more;
            return;
        }
        match (self, more) {
            (Self::U8(rows), Self::U8(mut more)) | (Self::Word(rows), Self::Word(mut more)) => {
                rows.append(&mut more);
            }
            (Self::U16(rows), Self::U16(mut more)) => rows.append(&mut more),
            (Self::U32(rows), Self::U32(mut more)) => rows.append(&mut more),
            (Self::I64(rows), Self::I64(mut more)) | (Self::Time(rows), Self::Time(mut more)) => {
                rows.append(&mut more);
            }
            (Self::F32(rows), Self::F32(mut more)) => rows.append(&mut more),
            (Self::F64(rows), Self::F64(mut more)) => rows.append(&mut more),
            (Self::Bool(rows), Self::Bool(mut more)) => rows.append(&mut more),
            (Self::Date(rows), Self::Date(mut more)) => rows.append(&mut more),
            (Self::Text(rows), Self::Text(mut more)) => rows.append(&mut more),
            (Self::Name(rows), Self::Name(mut more)) => rows.append(&mut more),
            (rows, more) => panic!("a column of {rows:?} cannot take {more:?}"),
        }
    }

    /// The rows in another order: row `order[0]` first.
    pub(crate) fn in_order(&self, order: &[usize]) -> Self {
        fn rows<T: Copy>(rows: &[T], order: &[usize]) -> Vec<T> {
            order.iter().map(|row| rows[*row]).collect()
        }
        match self {
            Self::U8(all) => Self::U8(rows(all, order)),
            Self::U16(all) => Self::U16(rows(all, order)),
            Self::U32(all) => Self::U32(rows(all, order)),
            Self::I64(all) => Self::I64(rows(all, order)),
            Self::F32(all) => Self::F32(rows(all, order)),
            Self::F64(all) => Self::F64(rows(all, order)),
            Self::Bool(all) => Self::Bool(rows(all, order)),
            Self::Time(all) => Self::Time(rows(all, order)),
            Self::Date(all) => Self::Date(rows(all, order)),
            Self::Word(all) => Self::Word(rows(all, order)),
            Self::Text(all) => Self::Text(all.in_order(order)),
            Self::Name(all) => Self::Name(all.in_order(order)),
        }
    }

    /// Cuts the rows from `at` on off and returns them.
    pub(crate) fn split_off(&mut self, at: usize) -> Self {
        match self {
            Self::U8(rows) => Self::U8(rows.split_off(at)),
            Self::U16(rows) => Self::U16(rows.split_off(at)),
            Self::U32(rows) => Self::U32(rows.split_off(at)),
            Self::I64(rows) => Self::I64(rows.split_off(at)),
            Self::F32(rows) => Self::F32(rows.split_off(at)),
            Self::F64(rows) => Self::F64(rows.split_off(at)),
            Self::Bool(rows) => Self::Bool(rows.split_off(at)),
            Self::Time(rows) => Self::Time(rows.split_off(at)),
            Self::Date(rows) => Self::Date(rows.split_off(at)),
            Self::Word(rows) => Self::Word(rows.split_off(at)),
            Self::Text(rows) => Self::Text(rows.split_off(at)),
            Self::Name(rows) => Self::Name(rows.split_off(at)),
        }
    }
}
