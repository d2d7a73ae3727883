//! The types that a cell of a table may have.

use super::data::{Column, ColumnData};
use super::kind::ColumnKind;
use crate::agent::activity::{Activity, Mode, PlaceKind};
use crate::agent::file::FileContent;
use crate::agent::hook::{HookAction, HookType};
use crate::agent::message::MessageKind;
use crate::agent::person::{Role, Sex};
use crate::agent::plan::{Binding, LocationPolicy, MaslowNeed, Origin};
use crate::agent::request::ErrorType;
use crate::base::ids::{AgentId, PlaceId};
use crate::base::time::{SimClock, SimTime, Tick};

/// Milliseconds since 1970-01-01T00:00 in civil time, without a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EpochMs(pub i64);

impl EpochMs {
    /// The simulated `time` on the calendar of `clock`.
    pub fn at(clock: &SimClock, time: SimTime) -> Self {
        Self(clock.epoch_ms(time))
    }
}

/// A calendar date, in days since 1970-01-01.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EpochDay(pub i32);

impl EpochDay {
    /// The date of the simulated `time` on the calendar of `clock`.
    pub fn at(clock: &SimClock, time: SimTime) -> Self {
        const DAY_MS: i64 = 86_400_000;
        let days = clock.epoch_ms(time).div_euclid(DAY_MS);
        Self(i32::try_from(days).expect("the calendar ends in the year 9999"))
    }
}

/// A cell stored as it is, in a plain vector.
pub trait Cell: Sized {
    /// The kind of its column.
    const KIND: ColumnKind;

    /// Hands a whole column over to the writer; the vector is moved, not copied.
    fn into_data(cells: Vec<Self>) -> ColumnData;
}

impl<T: Cell> Column for Vec<T> {
    const KIND: ColumnKind = T::KIND;

    fn into_data(self) -> ColumnData {
        T::into_data(self)
    }
}

/// One word of a fixed list: an enum whose values are numbered from 0 in list order.
pub trait Word: Copy + 'static {
    /// The words, by code.
    const WORDS: &'static [&'static str];

    /// Position in [`Self::WORDS`].
    fn code(self) -> u8;

    /// The value with this word.
    fn of(word: &str) -> Option<Self>;
}

macro_rules! cells {
    ($($cell:ty => $kind:ident, $unwrap:expr;)+) => {$(
        impl Cell for $cell {
            const KIND: ColumnKind = ColumnKind::$kind;

            fn into_data(cells: Vec<Self>) -> ColumnData {
                // Collecting a vector into one of the same layout reuses its memory.
                ColumnData::$kind(cells.into_iter().map($unwrap).collect())
            }
        }
    )+};
}

cells! {
    u8 => U8, |cell| cell;
    u16 => U16, |cell| cell;
    u32 => U32, |cell| cell;
    i64 => I64, |cell| cell;
    f32 => F32, |cell| cell;
    f64 => F64, |cell| cell;
    bool => Bool, |cell| cell;
    Tick => U32, |cell| cell.0;
    AgentId => U32, |cell| cell.0;
    PlaceId => U32, |cell| cell.0;
    EpochMs => Time, |cell| cell.0;
    EpochDay => Date, |cell| cell.0;
}

macro_rules! word_cells {
    ($($word:ident),+ $(,)?) => {$(
        impl Word for $word {
            const WORDS: &'static [&'static str] = &{
                let mut words = [""; Self::ALL.len()];
                let mut code = 0;
                while code < words.len() {
                    words[code] = Self::ALL[code].word();
                    code += 1;
                }
                words
            };

            fn code(self) -> u8 {
                self.code()
            }

            fn of(word: &str) -> Option<Self> {
                Self::from_word(word)
            }
        }

        impl Cell for $word {
            const KIND: ColumnKind = ColumnKind::Word(Self::WORDS);

            fn into_data(cells: Vec<Self>) -> ColumnData {
                ColumnData::Word(cells.into_iter().map($word::code).collect())
            }
        }
    )+};
}

word_cells! {
    Activity, Mode, PlaceKind, Role, Sex, HookType, HookAction, LocationPolicy, MaslowNeed,
    Binding, Origin, MessageKind, ErrorType, FileContent,
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn words_are_listed_by_code() {
        assert_eq!(Mode::WORDS, ["walk", "bike", "car", "pt"]);
        for activity in Activity::ALL {
            assert_eq!(Activity::WORDS[usize::from(activity.code())], activity.word());
        }
    }

    /// 2026-03-02 is day 20514 after 1970-01-01 (also checked in base::time), and a date before
    /// 1970 is negative, not rounded towards zero.
    #[test]
    fn a_day_is_counted_from_1970() {
        let clock = SimClock::new(date(2026, 3, 2).at(3, 0, 0, 0), 300, 576);
        assert_eq!(EpochDay::at(&clock, SimTime(0)), EpochDay(20_514));
        assert_eq!(EpochDay::at(&clock, SimTime(21 * 3_600)), EpochDay(20_515));
        let early = SimClock::new(date(1969, 12, 31).at(23, 0, 0, 0), 300, 1);
        assert_eq!(EpochDay::at(&early, SimTime(0)), EpochDay(-1));
    }
}
