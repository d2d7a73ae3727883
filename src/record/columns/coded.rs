//! Column chunks of few values, as the file format stores them: a dictionary and runs of codes.
//!
//! The library looks every cell of a word column up in a hash table, and packs the differences of
//! every column of numbers. Yet words come as codes already, and a log in the order of time
//! repeats its tick for thousands of rows. Written as runs of codes such columns cost next to
//! nothing; they are not compressed further.

use std::collections::BTreeMap;
use std::fs::File;

use arrow::array::{Array, ArrayRef, AsArray, StringArray, UInt8Array};
use arrow::datatypes::{
    DataType, Date32Type, Int32Type, Int64Type, TimeUnit, TimestampMillisecondType, UInt8Type,
    UInt16Type, UInt32Type,
};
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, SerializedRowGroupWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

/// Mean length of the runs of equal numbers from which a column is written as runs (own choice:
/// a run takes about 3 bytes, as do 32 packed differences of which one is not 0).
const MEAN_RUN_MIN: usize = 32;

/// Shortest run of equal codes that is not packed bit by bit (own choice: with one bit per code,
/// 16 of them take as much as a run).
const RUN_MIN: usize = 16;

/// Codes are packed in groups of this many, by the file format.
const GROUP: usize = 8;

/// One encoded column of one row group.
pub(crate) struct CodedChunk {
    /// Carries the bytes of all pages: the library's type for shared bytes has no public name.
    bytes: Page,
    close: ColumnCloseResult,
}

/// Encodes a column if it is one of words, names or 8-bit numbers, or of others in long runs;
/// `None` leaves it to the library.
pub(crate) fn encode(
    array: &ArrayRef,
    column: &ColumnDescPtr,
) -> Result<Option<CodedChunk>, ParquetError> {
    let optional = column.max_def_level() > 0;
    let int32 = |min, max| Statistics::int32(Some(min), Some(max), None, Some(0), false);
    let int64 = |min, max| Statistics::int64(Some(min), Some(max), None, Some(0), false);
    macro_rules! numbers {
        ($kind:ty, $wide:ty, $range:expr) => {{
            let wide = |cell| cell as $wide;
            let range = |min, max| $range(wide(min), wide(max));
            let cells = array.as_primitive::<$kind>().values();
            Coded::numbers(cells, |cell| wide(cell).to_le_bytes(), range)
        }};
    }
    let coded = match array.data_type() {
        DataType::UInt8 => Coded::bytes(array.as_primitive(), optional),
        _ if optional => None,
        DataType::Dictionary(..) => Coded::texts(array),
        DataType::UInt16 => numbers!(UInt16Type, i32, int32),
        DataType::UInt32 => numbers!(UInt32Type, i32, int32),
        DataType::Date32 => numbers!(Date32Type, i32, int32),
        DataType::Int64 => numbers!(Int64Type, i64, int64),
        DataType::Timestamp(TimeUnit::Millisecond, _) => {
            numbers!(TimestampMillisecondType, i64, int64)
        }
        _ => None,
    };
    coded.map(|coded| coded.into_chunk(column)).transpose()
}

impl CodedChunk {
    /// Writes the chunk as the next column of `row_group`.
    pub(crate) fn append_to(
        self,
        row_group: &mut SerializedRowGroupWriter<'_, File>,
    ) -> Result<(), ParquetError> {
        row_group.append_column(self.bytes.buffer(), self.close)
    }
}

/// A column as distinct values and the number of its value in each row.
#[derive(Default)]
struct Coded {
    rows: usize,
    /// In a column that may hold empty cells: 1 for each row whose cell is not empty, 0 for others.
    filled: Option<Vec<u16>>,
    /// The values, one after another, as the file format writes them.
    dictionary: Vec<u8>,
    value_count: usize,
    /// One per row whose cell is not empty.
    codes: Vec<u16>,
    statistics: Option<Statistics>,
}

impl Coded {
    /// A column of words, all of which are in the dictionary, or of names.
    fn texts(array: &ArrayRef) -> Option<Self> {
        if let Some(words) = array.as_dictionary_opt::<UInt8Type>() {
            let codes = words.keys().values().iter().map(|code| u16::from(*code)).collect();
            let words: &StringArray = words.values().as_string_opt()?;
            return Some(Self::of_texts(words.iter(), codes));
        }
        let names = array.as_dictionary_opt::<Int32Type>()?;
        let values: &StringArray = names.values().as_string_opt()?;
        // A buffer may hold names that these rows do not use, in an order that came about before
        // them: number the names anew, so that the bytes depend on these rows alone.
        let mut used = Vec::new();
        let mut number_of = vec![None; values.len()];
        let mut codes = Vec::with_capacity(array.len());
        for name in names.keys().values() {
            let name = *name as usize;
            let code = *number_of[name].get_or_insert_with(|| {
                used.push(Some(values.value(name)));
                used.len() - 1
            });
            codes.push(u16::try_from(code).ok()?);
        }
        Some(Self::of_texts(used.into_iter(), codes))
    }

    fn of_texts<'a>(texts: impl Iterator<Item = Option<&'a str>>, codes: Vec<u16>) -> Self {
        let mut coded = Self { rows: codes.len(), codes, ..Self::default() };
        for text in texts.flatten() {
            coded.dictionary.extend_from_slice(&(text.len() as u32).to_le_bytes());
            coded.dictionary.extend_from_slice(text.as_bytes());
            coded.value_count += 1;
        }
        coded
    }

    /// A column of 8-bit numbers, which are their own codes.
    fn bytes(cells: &UInt8Array, optional: bool) -> Option<Self> {
        let codes: Vec<u16> = cells.iter().flatten().map(u16::from).collect();
        let (min, max) = (*codes.iter().min()?, *codes.iter().max()?);
        let filled = |row| u16::from(cells.is_valid(row));
        let nulls = Some(cells.null_count() as u64);
        let (low, high) = (Some(i32::from(min)), Some(i32::from(max)));
        Some(Self {
            rows: cells.len(),
            filled: optional.then(|| (0..cells.len()).map(filled).collect()),
            dictionary: (0..=i32::from(max)).flat_map(i32::to_le_bytes).collect(),
            value_count: usize::from(max) + 1,
            codes,
            statistics: Some(Statistics::int32(low, high, None, nulls, false)),
        })
    }

    /// A column of numbers; `None` if the runs of equal ones are short.
    fn numbers<T: Copy + Ord, const N: usize>(
        cells: &[T],
        plain: impl Fn(T) -> [u8; N],
        range: impl Fn(T, T) -> Statistics,
    ) -> Option<Self> {
        let changes = cells.iter().zip(cells.iter().skip(1)).filter(|(a, b)| a != b).count();
        if changes > (cells.len() / MEAN_RUN_MIN).min(usize::from(u16::MAX)) {
            return None;
        }
        let mut dictionary = Vec::new();
        let mut code_of = BTreeMap::new();
        let mut codes = Vec::with_capacity(cells.len());
        for run in cells.chunk_by(|a, b| a == b) {
            let next = code_of.len() as u16;
            let code = *code_of.entry(run[0]).or_insert_with(|| {
                dictionary.extend_from_slice(&plain(run[0]));
                next
            });
            codes.resize(codes.len() + run.len(), code);
        }
        let (min, max) = (code_of.first_key_value()?, code_of.last_key_value()?);
        let statistics = Some(range(*min.0, *max.0));
        let (rows, value_count) = (cells.len(), code_of.len());
        Some(Self { rows, filled: None, dictionary, value_count, codes, statistics })
    }

    /// The body of the data page: which cells are filled, behind its length; the codes, behind
    /// their bit width.
    fn data(&self) -> Vec<u8> {
        let mut data = Vec::with_capacity(self.codes.len() + 16);
        if let Some(filled) = &self.filled {
            data.extend_from_slice(&[0; size_of::<u32>()]);
            hybrid(filled, 1, &mut data);
            let size = (data.len() - size_of::<u32>()) as u32;
            data[..size_of::<u32>()].copy_from_slice(&size.to_le_bytes());
        }
        let width = bit_width(self.value_count);
        data.push(width);
        hybrid(&self.codes, width, &mut data);
        data
    }

    /// The pages of the chunk, and what the file's footer says of them.
    fn into_chunk(self, column: &ColumnDescPtr) -> Result<CodedChunk, ParquetError> {
        let rows = self.rows;
        let data = self.data();
        let dictionary = Page::DictionaryPage {
            buf: self.dictionary.into(),
            num_values: self.value_count as u32,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };
        let data = Page::DataPage {
            buf: data.into(),
            num_values: rows as u32,
            encoding: Encoding::RLE_DICTIONARY,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let mut sink = TrackedWrite::new(Vec::new());
        let mut pages = SerializedPageWriter::new(&mut sink);
        let mut add = |page: Page| {
            let size = page.buffer().len();
            pages.write_page(CompressedPage::new(page, size)).map(|page| page.bytes_written)
        };
        let (dictionary_size, data_size) = (add(dictionary)?, add(data)?);
        let size = dictionary_size + data_size;
        let mut metadata = ColumnChunkMetaData::builder(ColumnDescPtr::clone(column))
            .set_compression(Compression::UNCOMPRESSED)
            .set_encodings(vec![Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY])
            .set_num_values(rows as i64)
            .set_total_compressed_size(size as i64)
            .set_total_uncompressed_size(size as i64)
            .set_dictionary_page_offset(Some(0))
            .set_data_page_offset(dictionary_size as i64);
        if let Some(statistics) = self.statistics {
            metadata = metadata.set_statistics(statistics);
        }
        let close = ColumnCloseResult {
            bytes_written: size,
            rows_written: rows as u64,
            metadata: metadata.build()?,
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        let bytes = Page::DictionaryPage {
            buf: sink.into_inner()?.into(),
            num_values: 0,
            encoding: Encoding::PLAIN,
            is_sorted: false,
        };
        Ok(CodedChunk { bytes, close })
    }
}

/// Bits of the largest of `count` codes; at least 1.
fn bit_width(count: usize) -> u8 {
    let largest = count.saturating_sub(1).max(1);
    (usize::BITS - largest.leading_zeros()) as u8
}

/// Adds codes of `width` bits: runs of equal ones, and the rest in groups of eight.
///
/// Source: "RLE / Bit-Packing Hybrid" in the Parquet format's Encodings document.
fn hybrid(codes: &[u16], width: u8, out: &mut Vec<u8>) {
    let mut packed_from = 0;
    let mut at = 0;
    while at < codes.len() {
        let rest = &codes[at..];
        let run = rest.iter().position(|code| *code != rest[0]).unwrap_or(rest.len());
        if run < RUN_MIN {
            at += GROUP.min(rest.len());
            continue;
        }
        pack(&codes[packed_from..at], width, out);
        push_varint(run << 1, out);
        out.extend_from_slice(&rest[0].to_le_bytes()[..usize::from(width).div_ceil(8)]);
        at += run;
        packed_from = at;
    }
    pack(&codes[packed_from..], width, out);
}

/// Codes bit by bit, the last group filled up with zeros; a reader stops at the page's row count.
fn pack(codes: &[u16], width: u8, out: &mut Vec<u8>) {
    if codes.is_empty() {
        return;
    }
    push_varint(codes.len().div_ceil(GROUP) << 1 | 1, out);
    for group in codes.chunks(GROUP) {
        let packed =
            group.iter().rev().fold(0_u128, |bits, code| bits << width | u128::from(*code));
        // Eight codes of `width` bits are `width` bytes.
        out.extend_from_slice(&packed.to_le_bytes()[..usize::from(width)]);
    }
}

/// Seven bits a byte, low bits first, the high bit set on all but the last.
fn push_varint(mut value: usize, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the format's Encodings document: 0 to 7 in three bits are 88 C6 FA.
    #[test]
    fn packing_gives_the_published_bytes() {
        let mut out = Vec::new();
        pack(&[0, 1, 2, 3, 4, 5, 6, 7], 3, &mut out);
        assert_eq!(out, [0b11, 0x88, 0xC6, 0xFA]);
    }

    /// A run of 100 codes 5 of one byte: header 200 as varint C8 01, then the code; a rest of one
    /// code becomes a group of eight.
    #[test]
    fn runs_and_groups_alternate() {
        let mut codes = vec![1, 2];
        codes.extend([0; 6]);
        codes.extend([5; 100]);
        codes.push(3);
        let expected = [0b11, 1, 2, 0, 0, 0, 0, 0, 0, 0xC8, 1, 5, 0b11, 3, 0, 0, 0, 0, 0, 0, 0];
        let mut out = Vec::new();
        hybrid(&codes, 8, &mut out);
        assert_eq!(out, expected);
    }

    /// Level run of 7 rows in one group (1, 0, 1 … from the low bit), then width 2 and the codes.
    #[test]
    fn empty_cells_are_in_the_levels_and_not_among_the_codes() {
        let cells = UInt8Array::from(vec![Some(3), None, Some(0), Some(1), None, None, Some(2)]);
        let coded = Coded::bytes(&cells, true).unwrap();
        assert_eq!(coded.data(), [2, 0, 0, 0, 0b11, 0b100_1101, 2, 0b11, 0b10_01_00_11, 0]);
    }

    #[test]
    fn the_bit_width_holds_the_largest_code() {
        assert_eq!(
            [1, 2, 3, 4, 5, 12, 256, 257, 65_536].map(bit_width),
            [1, 1, 2, 2, 3, 4, 8, 9, 16]
        );
    }

    #[test]
    fn only_long_runs_of_numbers_are_coded() {
        let range = |min: u32, max: u32| {
            Statistics::int32(Some(min as i32), Some(max as i32), None, Some(0), false)
        };
        let runs: Vec<u32> = (0..64_000).map(|row| row / 64 % 100).collect();
        let coded = Coded::numbers(&runs, u32::to_le_bytes, range).unwrap();
        assert_eq!((coded.value_count, coded.codes.len()), (100, 64_000));
        assert_eq!(coded.statistics, Some(range(0, 99)));
        let rising: Vec<u32> = (0..64_000).collect();
        assert!(Coded::numbers(&rising, u32::to_le_bytes, range).is_none());
    }
}
