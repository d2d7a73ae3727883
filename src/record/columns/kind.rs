//! What a column holds, and what a reader is told about it.

/// The kind of value in a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// Whole numbers of 8 bits.
    U8,
    /// Whole numbers of 16 bits.
    U16,
    /// Whole numbers of 32 bits.
    U32,
    /// Whole numbers with sign, 64 bits.
    I64,
    /// Numbers of single precision.
    F32,
    /// Numbers of double precision.
    F64,
    /// True or false.
    Bool,
    /// Milliseconds since 1970-01-01T00:00 in civil time, without a zone.
    Time,
    /// A calendar date, in days since 1970-01-01.
    Date,
    /// One word of a fixed list, stored by its code.
    Word(&'static [&'static str]),
    /// Any text.
    Text,
    /// Text that repeats (a skill, an error code), stored once per value.
    Name,
}

impl ColumnKind {
    /// The kind's name in the published schema.
    pub const fn name(self) -> &'static str {
        match self {
            Self::U8 => "u8",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::I64 => "i64",
            Self::F32 => "f32",
            Self::F64 => "f64",
            Self::Bool => "bool",
            Self::Time => "timestamp[ms]",
            Self::Date => "date",
            Self::Word(_) => "word",
            Self::Text => "text",
            Self::Name => "name",
        }
    }
}

/// One column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ColumnSpec {
    /// Name in the file.
    pub name: &'static str,
    /// What it holds.
    pub kind: ColumnKind,
    /// Whether a cell may be empty. In a column of unsigned numbers or identifiers the largest
    /// value of the type (the `NONE` of identifiers) then stands for an empty cell.
    pub optional: bool,
    /// Unit, in the words of the field ("m", "s", "degree"); empty if it has none.
    pub unit: &'static str,
    /// One or two sentences for the reader of the table.
    pub description: &'static str,
}
