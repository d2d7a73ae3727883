//! What is missing, damaged, in the way or out of range is named, and nothing partial is left.

use super::*;
use crate::base::rng::{Purpose, Stream};

#[test]
fn a_file_cut_short_is_an_error() {
    let (dir, _) = write(&options(Compression::Zstd, 100, 10_000), 1_000, 1_000);
    let path = dir.path().join("steps/part-00000.parquet");
    let whole = fs::read(&path).unwrap();
    for kept in [0, 3, 12, whole.len() / 2, whole.len() - 8, whole.len() - 1] {
        fs::write(&path, &whole[..kept]).unwrap();
        let error = TableReader::open(dir.path(), TableId::Steps).unwrap_err().to_string();
        assert!(error.contains("part-00000.parquet") && error.contains("cut short"), "{error}");
        assert!(hash_run(dir.path()).is_err());
    }
    // The footer is whole, the pages are not.
    let mut damaged = whole.clone();
    damaged[4..whole.len() / 3].fill(0xA5);
    fs::write(&path, damaged).unwrap();
    let error = hash_run(dir.path()).unwrap_err().to_string();
    assert!(error.contains("part-00000.parquet"), "{error}");
}

/// The library panics on some of these files (three with version 60.1); none may pass the reader.
#[test]
fn bytes_changed_at_random_are_an_error_at_worst() {
    let (dir, _) = write(&options(Compression::None, 100, 10_000), 400, 1_000);
    let path = dir.path().join("steps/part-00000.parquet");
    let whole = fs::read(&path).unwrap();
    let mut refused = 0;
    for index in 0..300 {
        let mut stream = Stream::of_index(3, index, Purpose::Script);
        let mut damaged = whole.clone();
        for _ in 0..3 {
            let at = stream.below(whole.len() as u32) as usize;
            damaged[at] = stream.bits() as u8;
        }
        fs::write(&path, damaged).unwrap();
        let read = TableReader::open(dir.path(), TableId::Steps).and_then(|table| table.read());
        refused += u32::from(read.is_err());
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn missing_tables_and_parts_are_named() {
    let (dir, summaries) = write(&options(Compression::Zstd, 100, 100), 1_000, 1_000);
    assert_eq!(summaries[0].files, 10);
    fs::remove_file(dir.path().join("steps/part-00004.parquet")).unwrap();
    let error = TableReader::open(dir.path(), TableId::Steps).unwrap_err().to_string();
    assert!(error.contains("part-00004.parquet is missing"), "{error}");
    let error = TableReader::open(dir.path(), TableId::Trips).unwrap_err().to_string();
    assert!(error.contains("has no table \"trips\"; it has: steps, workspace, hooks"), "{error}");
    let nowhere = dir.path().join("nowhere");
    assert!(matches!(hash_run(&nowhere), Err(RecordError::FolderMissing { .. })));
    let empty = tempfile::tempdir().unwrap();
    assert!(matches!(hash_run(empty.path()), Err(RecordError::NotARun { .. })));
}

#[test]
fn a_folder_that_cannot_be_written_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "not a folder").unwrap();
    let create = |dir: &Path| RunWriter::create(dir, TableId::ALL, &WriteOptions::default());
    let error = create(&file.join("run")).err().unwrap();
    assert!(matches!(error, RecordError::Io { action: "create", .. }), "{error}");

    // A file where a table's folder should be; what was opened before is removed again.
    let run = dir.path().join("run");
    fs::create_dir(&run).unwrap();
    fs::write(run.join("steps"), "in the way").unwrap();
    let error = create(&run).err().unwrap().to_string();
    assert!(error.contains("steps"), "{error}");
    assert_eq!(fs::read_dir(&run).unwrap().count(), 1);
}

#[test]
fn an_earlier_run_is_not_overwritten_but_can_be_cleared() {
    let (dir, _) = write(&options(Compression::Zstd, 100, 100), 1_000, 1_000);
    fs::write(dir.path().join("notes.txt"), "mine").unwrap();
    fs::write(dir.path().join("steps/part-00010.parquet.tmp"), "left by a crash").unwrap();
    let create = || RunWriter::create(dir.path(), &[TableId::Steps], &WriteOptions::default());
    assert!(matches!(create().err().unwrap(), RecordError::TableExists { .. }));
    clear_run(dir.path()).unwrap();
    assert_eq!(files(dir.path()).keys().collect::<Vec<_>>(), [Path::new("notes.txt")]);
    create().unwrap().finish().unwrap();
    assert_eq!(TableReader::open(dir.path(), TableId::Steps).unwrap().row_count(), 0);
    clear_run(&dir.path().join("nowhere")).unwrap();
}

#[test]
fn a_writer_that_is_dropped_leaves_only_complete_files() {
    let dir = tempfile::tempdir().unwrap();
    let options = options(Compression::Zstd, 100, 200);
    let ids = [TableId::Steps, TableId::Trips];
    let mut writer = RunWriter::create(dir.path(), &ids, &options).unwrap();
    let mut steps = Steps::default();
    (0..450).for_each(|row| steps.push(step(row)));
    writer.send(steps).unwrap();
    drop(writer);
    // 400 rows are in two full parts, of which the second was still open; trips had no rows.
    let left: Vec<_> = files(dir.path()).into_keys().collect();
    assert_eq!(left, [Path::new("steps/part-00000.parquet")]);
    assert_eq!(TableReader::open(dir.path(), TableId::Steps).unwrap().row_count(), 200);
}

/// `/dev/full` answers every write with "no space left on device".
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error_and_leaves_no_file() {
    let dir = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink("/dev/full", dir.path().join("messages.parquet.tmp")).unwrap();
    let ids = [TableId::Persons, TableId::Messages];
    let options = options(Compression::None, 20_000, 20_000);
    let mut writer = RunWriter::create(dir.path(), &ids, &options).unwrap();
    let mut error = None;
    for tick in 0..1_000 {
        let mut messages = Messages::default();
        for row in 0..20_000_u32 {
            messages.push(MessageRow {
                tick: Tick(tick),
                from_agent: AgentId(row.wrapping_mul(2_654_435_761) >> 4),
                to_agent: AgentId(row.wrapping_mul(40_503) >> 3),
                kind: MessageKind::News,
            });
        }
        if let Err(found) = writer.send(messages) {
            error = Some(found);
            break;
        }
    }
    let message = error.unwrap().to_string();
    assert!(message.contains("messages.parquet.tmp"), "{message}");
    assert!(message.contains("No space left on device"), "{message}");
    assert!(matches!(writer.finish(), Err(RecordError::WriterStopped { .. })));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn options_out_of_range_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let default = WriteOptions::default;
    let wrong = [
        (WriteOptions { row_group_rows: 0, ..default() }, "row_group_rows is 0"),
        (WriteOptions { row_group_rows: 2 << 20, ..default() }, "row_group_rows is 2097152"),
        (WriteOptions { part_rows: 0, ..default() }, "part_rows is 0"),
        (WriteOptions { zstd_level: 99, ..default() }, "zstd_level is 99; allowed: 1 to 22"),
    ];
    for (options, expected) in wrong {
        let error = RunWriter::create(dir.path(), TableId::ALL, &options).err().unwrap();
        assert!(error.to_string().contains(expected), "{error}");
    }
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
#[should_panic(expected = "steps.lat: uneven columns")]
fn uneven_columns_are_a_bug_of_the_caller() {
    let dir = tempfile::tempdir().unwrap();
    let mut writer =
        RunWriter::create(dir.path(), &[TableId::Steps], &WriteOptions::default()).unwrap();
    let mut steps = Steps::default();
    steps.push(step(1));
    steps.lat.clear();
    let _ = writer.send(steps);
}
