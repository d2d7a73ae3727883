//! How a table is declared, and the list of all tables.

use std::fmt;

use super::{days, log, models, people, trees};
use crate::record::columns::data::ColumnData;
use crate::record::columns::kind::ColumnSpec;

/// Whether a table is one file or a folder of parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// `name.parquet`; in parts if the run could be resumed from where they begin.
    File,
    /// `name/part-00000.parquet`, `name/part-00001.parquet` …
    Parts,
}

/// What a reader and the writer need to know of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TableSpec {
    /// What a row is.
    pub about: &'static str,
    /// The columns, in file order.
    pub columns: &'static [ColumnSpec],
}

/// A buffer of rows of one table.
pub trait Table: Default {
    /// Which table.
    const ID: TableId;
    /// What is in it.
    const SPEC: TableSpec;

    /// The columns, in the order of [`TableSpec::columns`]; moved, not copied.
    fn into_columns(self) -> Vec<ColumnData>;
}

macro_rules! table_ids {
    ($($(#[$doc:meta])* $id:ident = $name:literal, $layout:ident, $buffer:ty;)+) => {
        /// One of the tables a run can write.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum TableId {
            $($(#[$doc])* $id,)+
        }

        impl TableId {
            /// Every table.
            pub const ALL: &'static [Self] = &[$(Self::$id),+];

            /// Name of its file or folder, without `.parquet`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$id => $name,)+
                }
            }

            /// One file or many.
            pub const fn layout(self) -> Layout {
                match self {
                    $(Self::$id => Layout::$layout,)+
                }
            }

            /// Its columns.
            pub const fn spec(self) -> &'static TableSpec {
                match self {
                    $(Self::$id => &<$buffer as Table>::SPEC,)+
                }
            }
        }
    };
}

table_ids! {
    /// See [`people::Persons`].
    Persons = "persons", File, people::Persons;
    /// See [`people::Places`].
    Places = "places", File, people::Places;
    /// See [`log::Steps`].
    Steps = "steps", Parts, log::Steps;
    /// See [`days::Stays`].
    Stays = "stays", File, days::Stays;
    /// See [`days::Trips`].
    Trips = "trips", File, days::Trips;
    /// See [`days::Legs`].
    Legs = "legs", File, days::Legs;
    /// See [`days::Stories`].
    Stories = "stories", File, days::Stories;
    /// See [`log::Workspace`].
    Workspace = "workspace", Parts, log::Workspace;
    /// See [`log::Hooks`].
    Hooks = "hooks", Parts, log::Hooks;
    /// See [`log::Failures`].
    Failures = "failures", File, log::Failures;
    /// See [`log::Metrics`].
    Metrics = "metrics", File, log::Metrics;
    /// See [`log::Needs`].
    Needs = "needs", Parts, log::Needs;
    /// See [`log::Messages`].
    Messages = "messages", File, log::Messages;
    /// See [`trees::BtTrace`].
    BtTrace = "bt_trace", Parts, trees::BtTrace;
    /// See [`trees::SkillResults`].
    SkillResults = "skill_results", File, trees::SkillResults;
    /// See [`models::ModelMetrics`].
    ModelMetrics = "model_metrics", File, models::ModelMetrics;
    /// See [`models::ModelAgents`].
    ModelAgents = "model_agents", Parts, models::ModelAgents;
}

impl TableId {
    /// The table with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|id| id.name() == name)
    }

    /// Rows of a row group at most, whatever the run asks for. A workspace row is a whole file of
    /// a few kilobytes, so its groups are kept to some tens of megabytes.
    pub(crate) const fn group_rows_max(self) -> usize {
        match self {
            Self::Workspace => 8_192,
            _ => 1 << 20,
        }
    }
}

impl fmt::Display for TableId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The published schema of all tables as text: table, layout, columns with kind and unit.
pub fn schema_text() -> String {
    let mut text = String::new();
    for id in TableId::ALL {
        let place = match id.layout() {
            Layout::File => format!("{id}.parquet"),
            Layout::Parts => format!("{id}/part-*.parquet"),
        };
        text.push_str(&format!("{id}: {place}\n"));
        for column in id.spec().columns {
            let empty = if column.optional { "?" } else { "" };
            let name = column.kind.name();
            text.push_str(&format!("  {}: {name}{empty} {}", column.name, column.unit));
            text.truncate(text.trim_end().len());
            text.push('\n');
        }
    }
    text
}

/// The buffer of a column: a vector of its cells unless another is named.
macro_rules! buffer {
    ($cell:ty) => { Vec<$cell> };
    ($cell:ty, $buffer:ty) => { $buffer };
}
pub(super) use buffer;

/// Whether the marks behind a column say that a cell may be empty.
macro_rules! is_optional {
    (optional $($rest:tt)*) => {
        true
    };
    ($($other:tt)*) => {
        false
    };
}
pub(super) use is_optional;

/// The unit that the marks behind a column name.
macro_rules! unit {
    (unit $unit:literal) => {
        $unit
    };
    (optional unit $unit:literal) => {
        $unit
    };
    ($($other:tt)*) => {
        ""
    };
}
pub(super) use unit;

/// Declares a table: the struct of columns, the struct of one row, and what the writer needs.
///
/// A column is `name: Cell` (kept in a `Vec<Cell>`) or `name: Cell => Buffer`, with optional
/// marks `[optional]`, `[unit "m"]` or `[optional unit "m"]`. The doc comments become the
/// descriptions in the file.
macro_rules! table {
    (
        $(#[doc = $about:literal])+
        $table:ident, $row:ident $(<$life:lifetime>)? {
            $(
                $(#[doc = $text:literal])+
                $column:ident: $cell:ty $(=> $buffer:ty)? $([$($mark:tt)+])?,
            )+
        }
    ) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, Default, PartialEq)]
        pub struct $table {
            $($(#[doc = $text])+ pub $column: buffer!($cell $(, $buffer)?),)+
        }

        #[doc = concat!("One row of [`", stringify!($table), "`].")]
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct $row $(<$life>)? {
            $($(#[doc = $text])+ pub $column: $cell,)+
        }

        impl $table {
            /// Adds a row.
            #[inline]
            pub fn push(&mut self, row: $row) {
                $(self.$column.push(row.$column);)+
            }

            /// Moves all rows of `other` to the end of this; `other` is left empty.
            pub fn append(&mut self, other: &mut Self) {
                $(self.$column.append(&mut other.$column);)+
            }

            /// Number of rows.
            pub fn len(&self) -> usize {
                [$(self.$column.len()),+][0]
            }

            /// Whether there are none.
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// Makes room for `count` more rows.
            pub fn reserve(&mut self, count: usize) {
                $(self.$column.reserve(count);)+
            }

            /// Removes all rows and keeps the memory.
            pub fn clear(&mut self) {
                $(self.$column.clear();)+
            }
        }

        impl Table for $table {
            const ID: TableId = TableId::$table;
            const SPEC: TableSpec = TableSpec {
                about: concat!($($about),+),
                columns: &[$(ColumnSpec {
                    name: stringify!($column),
                    kind: <buffer!($cell $(, $buffer)?) as Column>::KIND,
                    optional: is_optional!($($($mark)+)?),
                    unit: unit!($($($mark)+)?),
                    description: concat!($($text),+).trim_ascii(),
                }),+],
            };

            fn into_columns(self) -> Vec<ColumnData> {
                vec![$(self.$column.into_data()),+]
            }
        }
    };
}
pub(super) use table;
