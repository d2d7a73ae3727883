//! A population in Parquet is the same population as in CSV.

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use arrow::array::{ArrayRef, Int64Array, RecordBatch, StringArray};

use crate::support::{RunDir, root};

/// Writes a gzipped CSV table as Parquet: whole-number columns as such, the rest as text.
fn to_parquet(csv: &Path, parquet: &Path) {
    let file = std::fs::File::open(csv).expect("the data");
    let mut text = String::new();
    flate2::read::GzDecoder::new(file).read_to_string(&mut text).expect("gzip");
    let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().expect("a header");
    let rows: Vec<Vec<&str>> = lines.collect();
    let column = |index: usize| -> (String, ArrayRef) {
        let cells = rows.iter().map(|row| row[index]);
        let numbers: Result<Vec<i64>, _> = cells.clone().map(str::parse).collect();
        let array: ArrayRef = match numbers {
            Ok(numbers) => Arc::new(Int64Array::from(numbers)),
            Err(_) => Arc::new(StringArray::from_iter_values(cells)),
        };
        (header[index].to_owned(), array)
    };
    let batch = RecordBatch::try_from_iter((0..header.len()).map(column)).expect("a table");
    let out = std::fs::File::create(parquet).expect("writable");
    let mut writer =
        parquet::arrow::ArrowWriter::try_new(out, batch.schema(), None).expect("a writer");
    writer.write(&batch).expect("written");
    writer.close().expect("closed");
}

#[test]
fn a_population_in_parquet_is_that_in_csv() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let data = root().join("scenarios/data/bay_area_diary");
    let mut args = vec![
        "scenarios/daily_mobility".to_owned(),
        "--agents".to_owned(),
        "300".to_owned(),
        "--ticks".to_owned(),
        "60".to_owned(),
    ];
    let run = |args: &[String]| RunDir::of(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let from_csv = run(&args);
    for table in ["households", "persons"] {
        let parquet = folder.path().join(format!("{table}.parquet"));
        to_parquet(&data.join(format!("{table}.csv.gz")), &parquet);
        args.push("--set".to_owned());
        args.push(format!("population.{table}.file={}", parquet.display()));
    }
    assert_eq!(run(&args).hash(), from_csv.hash());
}
