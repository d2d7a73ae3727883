//! The room as a whole: what was written is read back, hashed and refused as promised.

mod faults;
mod parts;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::compute::cast;
use arrow::datatypes::DataType;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use tempfile::TempDir;

use super::tables::table::schema_text;
use super::tables::*;
use super::*;
use crate::agent::activity::{Activity, Mode};
use crate::agent::file::FileContent;
use crate::agent::hook::{HookAction, HookType};
use crate::agent::message::MessageKind;
use crate::agent::person::{Role, Sex};
use crate::agent::request::ErrorType;
use crate::base::ids::{AgentId, PlaceId};
use crate::base::time::Tick;

/// 2026-03-02T03:00 (day 20514 after 1970-01-01).
const START_MS: i64 = (20_514 * 86_400 + 3 * 3_600) * 1_000;

const PERSONS: u32 = 50;

fn step(row: u32) -> StepRow {
    let tick = row / PERSONS;
    StepRow {
        tick: Tick(tick),
        datetime: EpochMs(START_MS + i64::from(tick) * 300_000),
        agent_id: AgentId(row % PERSONS),
        activity: Activity::ALL[row as usize % Activity::ALL.len()],
        place_id: if row.is_multiple_of(7) { PlaceId::NONE } else { PlaceId(row * 31 % 1_000) },
        lng: 8.5 + row as f32 * 1e-4,
        lat: 47.3 - row as f32 * 1e-5,
        segment: if row.is_multiple_of(5) { u8::MAX } else { (row % 9) as u8 },
    }
}

fn hook(row: u32) -> HookRow<'static> {
    HookRow {
        tick: Tick(row / PERSONS),
        datetime: EpochMs(START_MS),
        agent_id: AgentId(row % PERSONS),
        skill_id: ["builtin@daily-guidance", "user@commute"][row as usize / 3 % 2],
        hook: HookType::ALL[row as usize % 2],
        action: HookAction::ALL[row as usize % HookAction::ALL.len()],
        segment: (row % 9) as u8,
        error_type: ErrorType::ALL[row as usize % ErrorType::ALL.len()],
        output: ["", "ok: true\n", "\u{1F3E0}"][row as usize % 3],
    }
}

fn workspace(row: u32) -> (String, String) {
    (format!("memory/{}.yaml", row % 3), "text: \u{1F3E0}\n".repeat(row as usize % 5))
}

/// Sends `rows` steps, hooks and workspace files in batches of `batch` rows.
fn write(options: &WriteOptions, rows: u32, batch: u32) -> (TempDir, Vec<TableSummary>) {
    write_changed(options, rows, batch, |_| ())
}

fn write_changed(
    options: &WriteOptions,
    rows: u32,
    batch: u32,
    change: impl Fn(&mut StepRow),
) -> (TempDir, Vec<TableSummary>) {
    let dir = tempfile::tempdir().unwrap();
    let ids = [TableId::Steps, TableId::Hooks, TableId::Workspace, TableId::Metrics];
    let mut writer = RunWriter::create(dir.path(), &ids, options).unwrap();
    for start in (0..rows).step_by(batch as usize) {
        let (mut steps, mut hooks) = (Steps::default(), Hooks::default());
        let mut files = Workspace::default();
        for row in start..rows.min(start + batch) {
            let mut step = step(row);
            change(&mut step);
            steps.push(step);
            hooks.push(hook(row));
            let (path, content) = workspace(row);
            let (agent_id, tick) = (AgentId(row), Tick(0));
            let kind = FileContent::ALL[row as usize % 2];
            files.push(WorkspaceRow { agent_id, tick, path: &path, kind, content: &content });
        }
        writer.send(steps).unwrap();
        writer.send(hooks).unwrap();
        writer.send(files).unwrap();
    }
    let summaries = writer.finish().unwrap();
    (dir, summaries)
}

fn options(compression: Compression, row_group_rows: usize, part_rows: u64) -> WriteOptions {
    let metadata = BTreeMap::from([("seed".to_owned(), "7".to_owned())]);
    WriteOptions { compression, row_group_rows, part_rows, metadata, ..WriteOptions::default() }
}

/// Every file below `dir` with its bytes.
fn files(dir: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(
                files(&path)
                    .into_iter()
                    .map(|(p, b)| (Path::new(path.file_name().unwrap()).join(p), b)),
            );
        } else {
            found.insert(path.file_name().unwrap().into(), fs::read(&path).unwrap());
        }
    }
    found
}

/// The published schema. A change here is a change for every notebook that reads a run: say so in
/// the change log.
#[test]
fn the_schema_is_the_published_one() {
    assert_eq!(schema_text(), include_str!("schema.txt"));
}

#[test]
fn descriptions_and_units_are_in_the_file() {
    let (dir, _) = write(&WriteOptions::default(), 3, 3);
    let file = File::open(dir.path().join("steps/part-00000.parquet")).unwrap();
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let field = builder.schema().field_with_name("lng").unwrap();
    assert_eq!(field.metadata().get("unit").map(|unit| unit.as_ref()), Some("degree"));
    let text = field.metadata().get("description").unwrap();
    assert_eq!(text, "Longitude, WGS 84; single precision, good to 0.7 m.");
    for id in TableId::ALL {
        for column in id.spec().columns {
            assert!(column.description.ends_with('.'), "{id}.{}", column.name);
        }
    }
}

#[test]
fn rows_are_read_as_they_were_written() {
    let rows = 1_234;
    let (dir, _) = write(&options(Compression::Zstd, 100, 300), rows, 77);
    let expected: Vec<StepRow> = (0..rows).map(step).collect();
    let table = TableReader::open(dir.path(), TableId::Steps).unwrap();
    assert_eq!(table.row_count(), u64::from(rows));
    let steps = table.read().unwrap();
    let column = |get: fn(&StepRow) -> u32| expected.iter().map(get).collect::<Vec<_>>();
    assert_eq!(steps.u32s("tick").unwrap(), column(|s| s.tick.0));
    assert_eq!(steps.u32s("agent_id").unwrap(), column(|s| s.agent_id.0));
    assert_eq!(steps.u32s("place_id").unwrap(), column(|s| s.place_id.0));
    let segment = |s: &StepRow| if s.segment == u8::MAX { u32::MAX } else { s.segment.into() };
    assert_eq!(steps.u32s("segment").unwrap(), column(segment));
    let times: Vec<i64> = expected.iter().map(|s| s.datetime.0).collect();
    assert_eq!(steps.timestamps_ms("datetime").unwrap(), times);
    let lats: Vec<f64> = expected.iter().map(|s| f64::from(s.lat)).collect();
    assert_eq!(steps.f64s("lat").unwrap(), lats);
    let activities: Vec<Activity> = expected.iter().map(|s| s.activity).collect();
    assert_eq!(steps.words::<Activity>("activity").unwrap(), activities);

    let hooks = TableReader::open(dir.path(), TableId::Hooks).unwrap().read().unwrap();
    let skills: Vec<_> = (0..rows).map(|row| Some(hook(row).skill_id)).collect();
    assert_eq!(hooks.texts("skill_id").unwrap(), skills);
    let saved = TableReader::open(dir.path(), TableId::Workspace).unwrap().read().unwrap();
    let contents = saved.texts("content").unwrap();
    let paths = saved.texts("path").unwrap();
    for row in 0..rows {
        let (path, content) = workspace(row);
        assert_eq!(contents[row as usize], Some(content.as_str()));
        assert_eq!(paths[row as usize], Some(path.as_str()));
    }
}

#[test]
fn every_kind_of_column_comes_back() {
    let dir = tempfile::tempdir().unwrap();
    let ids = [TableId::Persons, TableId::Trips, TableId::Stories, TableId::Failures];
    let mut writer = RunWriter::create(dir.path(), &ids, &WriteOptions::default()).unwrap();
    let mut persons = Persons::default();
    for index in 0..2 {
        persons.push(PersonRow {
            agent_id: AgentId(index),
            uid: -5,
            household_id: i64::MAX,
            household_size: 3,
            age: 254,
            sex: Sex::Other,
            role: Role::Retired,
            income: 1.5e5,
            cars: 2,
            home_place: PlaceId(9),
            work_place: PlaceId::NONE,
            school_place: PlaceId(index),
            commute_min: u16::MAX,
            activated: ["a@b c@d", ""][index as usize],
        });
    }
    let mut trips = Trips::default();
    trips.push(TripRow {
        agent_id: AgentId(1),
        trip_index: 3,
        purpose: Activity::Eat,
        mode: Mode::Transit,
        depart: EpochMs(-1),
        arrive: EpochMs(START_MS),
        duration_s: u32::MAX,
        distance_m: 0.25,
        origin_place: PlaceId(0),
        destination_place: PlaceId(1),
        completed: true,
    });
    let mut failures = Failures::default();
    let (tick, phase, message) = (Tick(4), "decide", "line one\nline \"two\"");
    for agent_id in [AgentId::NONE, AgentId(2)] {
        failures.push(FailureRow { tick, agent_id, phase, skill_id: "", code: "x", message });
    }
    writer.send(persons).unwrap();
    writer.send(trips).unwrap();
    writer.send(failures).unwrap();
    writer.send(Steps::default()).unwrap();
    writer.finish().unwrap();

    let read = |id| TableReader::open(dir.path(), id).unwrap().read().unwrap();
    let persons = read(TableId::Persons);
    assert_eq!(persons.i64s("household_id").unwrap(), [i64::MAX; 2]);
    assert_eq!(persons.u32s("age").unwrap(), [254; 2]);
    assert_eq!(persons.u32s("work_place").unwrap(), [u32::MAX; 2]);
    assert_eq!(persons.u32s("school_place").unwrap(), [0, 1]);
    // Not an optional column: the largest value is a value.
    assert_eq!(persons.u32s("commute_min").unwrap(), [65_535; 2]);
    assert_eq!(persons.texts("activated").unwrap(), [Some("a@b c@d"), Some("")]);
    assert_eq!(persons.texts("role").unwrap(), [Some("retired"); 2]);
    let trips = read(TableId::Trips);
    assert_eq!(trips.bools("completed").unwrap(), [true]);
    assert_eq!(trips.u32s("duration_s").unwrap(), [u32::MAX]);
    assert_eq!(trips.timestamps_ms("depart").unwrap(), [-1]);
    assert_eq!(trips.words::<Mode>("mode").unwrap(), [Mode::Transit]);
    let failures = read(TableId::Failures);
    assert_eq!(failures.u32s("agent_id").unwrap(), [u32::MAX, 2]);
    assert_eq!(failures.texts("message").unwrap(), [Some(message); 2]);
    assert!(read(TableId::Stories).dates("day").unwrap().is_empty());

    let error = trips.u32s("mode").unwrap_err().to_string();
    assert!(error.contains("\"mode\" of table trips"), "{error}");
    let error = trips.words::<Sex>("mode").unwrap_err().to_string();
    assert!(error.contains("row 0: unknown word \"pt\"; known: female, male, other"), "{error}");
    let error = trips.u32s("modus").unwrap_err().to_string();
    assert!(error.contains("no column \"modus\"; it has: agent_id, trip_index"), "{error}");
}

#[test]
fn tables_without_rows_are_readable() {
    let dir = tempfile::tempdir().unwrap();
    let writer = RunWriter::create(dir.path(), TableId::ALL, &WriteOptions::default()).unwrap();
    let summaries = writer.finish().unwrap();
    assert_eq!(summaries.len(), TableId::ALL.len());
    for (id, summary) in TableId::ALL.iter().zip(&summaries) {
        assert_eq!((summary.name.as_str(), summary.rows, summary.files), (id.name(), 0, 1));
        let table = TableReader::open(dir.path(), *id).unwrap();
        let names: Vec<String> = table.column_names().collect();
        let expected: Vec<_> = id.spec().columns.iter().map(|column| column.name).collect();
        assert_eq!(names, expected);
        assert_eq!(table.read().unwrap().len(), 0);
    }
    let table = TableReader::open(dir.path(), TableId::Steps).unwrap();
    let two = table.columns(&["lng", "activity"]).unwrap().read().unwrap();
    assert!(two.f64s("lng").unwrap().is_empty());
    assert!(two.texts("activity").unwrap().is_empty());
    assert!(two.f64s("lat").is_err(), "only the columns asked for");
    assert_eq!(hash_run(dir.path()).unwrap().len(), TableId::ALL.len());
}

#[test]
fn bytes_depend_on_the_order_of_rows_alone() {
    for compression in Compression::ALL {
        let options = options(*compression, 128, 256);
        let (one, summaries) = write(&options, 1_000, 1_000);
        let expected = files(one.path());
        // 1000 rows, 128 a group, two groups a part.
        assert_eq!((summaries[0].rows, summaries[0].files), (1_000, 4));
        let bytes = summaries.iter().map(|summary| summary.bytes).sum::<u64>();
        assert_eq!(bytes, expected.values().map(|file| file.len() as u64).sum::<u64>());
        for batch in [1, 127, 128, 129, 500] {
            let (other, _) = write(&options, 1_000, batch);
            assert!(files(other.path()) == expected, "{compression}, batches of {batch}");
        }
    }
}

#[test]
fn hashes_depend_on_content_alone() {
    let (dir, _) = write(&options(Compression::Zstd, 131_072, 1 << 20), 1_000, 1_000);
    let expected = hash_run(dir.path()).unwrap();
    let names: Vec<_> = expected.iter().map(|table| table.name.as_str()).collect();
    assert_eq!(names, ["hooks", "metrics", "steps", "workspace"]);
    assert!(expected.iter().all(|table| table.hash.len() == 64));
    let layouts = [(Compression::None, 100, 100), (Compression::Snappy, 7, 50)];
    for (compression, group, part) in layouts {
        let (other, summaries) = write(&options(compression, group, part), 1_000, 333);
        assert!(summaries[0].files > 5);
        assert_eq!(hash_run(other.path()).unwrap(), expected);
    }
    let changes: [fn(&mut StepRow); 4] = [
        |row| row.lat += if row.tick == Tick(9) { 1e-5 } else { 0.0 },
        |row| row.activity = if row.tick == Tick(0) { Activity::Work } else { row.activity },
        |row| row.segment = if row.segment == u8::MAX { 0 } else { row.segment },
        |row| row.agent_id = AgentId(49 - row.agent_id.0),
    ];
    for change in changes {
        let (other, _) = write_changed(&WriteOptions::default(), 1_000, 1_000, change);
        let hashes = hash_run(other.path()).unwrap();
        assert_ne!(hashes[2].hash, expected[2].hash);
        assert_eq!(hashes[0], expected[0]);
    }
}

/// The canonical form, byte by byte as the head of hash.rs says.
#[test]
fn a_hash_can_be_computed_by_hand() {
    let dir = tempfile::tempdir().unwrap();
    let options = WriteOptions::default();
    let mut writer = RunWriter::create(dir.path(), &[TableId::Messages], &options).unwrap();
    let mut messages = Messages::default();
    let kind = MessageKind::News;
    messages.push(MessageRow {
        tick: Tick(1),
        from_agent: AgentId(2),
        to_agent: AgentId(0x0403),
        kind,
    });
    writer.send(messages).unwrap();
    writer.finish().unwrap();

    let text = |text: &str| [&(text.len() as u64).to_le_bytes(), text.as_bytes()].concat();
    let mut form = text("populace table 1");
    let columns: [(&str, &str, &[u8]); 4] = [
        ("tick", "u32", &[1, 1, 0, 0, 0]),
        ("from_agent", "u32", &[1, 2, 0, 0, 0]),
        ("to_agent", "u32", &[1, 3, 4, 0, 0]),
        ("kind", "text", &[1, 4, 0, 0, 0, 0, 0, 0, 0, b'n', b'e', b'w', b's']),
    ];
    for (name, kind, cells) in columns {
        form.extend(text(name));
        form.extend(text(kind));
        form.extend(blake3::hash(cells).as_bytes());
    }
    let expected = blake3::hash(&form).to_hex().to_string();
    let one = TableHash { name: "messages".into(), rows: 1, hash: expected };
    assert_eq!(hash_run(dir.path()).unwrap(), [one]);
}

/// A file that another program wrote again, with plain text instead of coded words.
#[test]
fn plain_text_hashes_like_coded_text() {
    let (dir, _) = write(&WriteOptions::default(), 500, 500);
    let expected = hash_run(dir.path()).unwrap();
    let path = dir.path().join("hooks/part-00000.parquet");
    let input = ParquetRecordBatchReaderBuilder::try_new(File::open(&path).unwrap()).unwrap();
    let batch = input.build().unwrap().next().unwrap().unwrap();
    let schema = batch.schema();
    let plain = schema.fields().iter().zip(batch.columns()).map(|(field, column)| {
        let coded = matches!(field.data_type(), DataType::Dictionary(..));
        let text = cast(column, &DataType::Utf8).ok().filter(|_| coded);
        let column = text.unwrap_or_else(|| Arc::clone(column));
        (field.name().clone(), column)
    });
    let plain = RecordBatch::try_from_iter(plain.collect::<Vec<_>>()).unwrap();
    let output = File::create(&path).unwrap();
    let mut writer = ArrowWriter::try_new(output, plain.schema(), None).unwrap();
    writer.write(&plain).unwrap();
    writer.close().unwrap();
    assert_eq!(hash_run(dir.path()).unwrap(), expected);
}

#[test]
fn one_person_is_found_in_every_part() {
    let dir = tempfile::tempdir().unwrap();
    let options = options(Compression::Zstd, 10, 20);
    let mut writer = RunWriter::create(dir.path(), &[TableId::Steps], &options).unwrap();
    let mut steps = Steps::default();
    // Numbers above 2^31 too: the file format keeps them as negative ones.
    let agents = [0, 1, 2, 1 << 31, u32::MAX - 1];
    for row in 0..500 {
        steps.push(StepRow { agent_id: AgentId(agents[row as usize / 100]), ..step(row) });
    }
    writer.send(steps).unwrap();
    writer.finish().unwrap();
    for (index, agent) in agents.into_iter().enumerate() {
        let table = TableReader::open(dir.path(), TableId::Steps).unwrap();
        let table = table.of_agent(AgentId(agent)).unwrap();
        let rows = table.columns(&["tick", "lng"]).unwrap().read().unwrap();
        let expected: Vec<_> = (0..100).map(|row| step(index as u32 * 100 + row)).collect();
        let ticks: Vec<_> = expected.iter().map(|row| row.tick.0).collect();
        assert_eq!(rows.u32s("tick").unwrap(), ticks, "{agent}");
    }
    let nobody = TableReader::open(dir.path(), TableId::Steps).unwrap();
    assert!(nobody.of_agent(AgentId(77)).unwrap().read().unwrap().is_empty());
}
