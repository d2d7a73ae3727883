//! Tables that were cut at checkpoints, and writers that go on after one.

use super::*;

const IDS: [TableId; 3] = [TableId::Stays, TableId::Hooks, TableId::Metrics];

fn send(writer: &mut RunWriter, rows: std::ops::Range<u32>) {
    let (mut stays, mut hooks) = (Stays::default(), Hooks::default());
    for row in rows {
        hooks.push(hook(row));
        stays.push(StayRow {
            agent_id: AgentId(row % PERSONS),
            stay_index: (row / PERSONS) as u16,
            place_id: PlaceId(row * 31 % 1_000),
            activity: Activity::ALL[row as usize % Activity::ALL.len()],
            start: EpochMs(START_MS),
            end: EpochMs(START_MS + i64::from(row)),
            lng: 8.5,
            lat: 47.3,
            origin: crate::agent::plan::Origin::Planned,
        });
    }
    writer.send(stays).unwrap();
    writer.send(hooks).unwrap();
}

/// All rows at once, in files that were never cut.
fn whole(rows: u32) -> (TempDir, Vec<TableHash>) {
    let dir = tempfile::tempdir().unwrap();
    let mut writer = RunWriter::create(dir.path(), &IDS, &WriteOptions::default()).unwrap();
    send(&mut writer, 0..rows);
    writer.finish().unwrap();
    let hashes = hash_run(dir.path()).unwrap();
    (dir, hashes)
}

/// Contract: rows before a cut outlive the writer, rows after it are gone when another goes on
/// from the cut; where parts begin shows in no hash.
#[test]
fn a_writer_goes_on_from_a_cut() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let options = options(Compression::Zstd, 100, 300);
    let mut writer = RunWriter::create(dir, &IDS, &options).unwrap();
    send(&mut writer, 0..1_050);
    let cut = writer.cut().unwrap();
    assert_eq!(writer.cut().unwrap(), cut, "nothing new, no new part");
    send(&mut writer, 1_050..1_777);
    drop(writer);

    let rows: Vec<_> = cut.iter().map(|table| (table.name.as_str(), table.rows)).collect();
    assert_eq!(rows, [("stays", 1_050), ("hooks", 1_050), ("metrics", 0)]);
    assert!(dir.join("hooks/part-00005.parquet").exists(), "complete, but after the cut");
    fs::write(dir.join("stays/part-00001.parquet"), "another").unwrap();
    fs::write(dir.join("stays/part-00002.parquet.tmp"), "half a part").unwrap();
    let mut writer = RunWriter::resume(dir, &IDS, &options, &cut).unwrap();
    assert_eq!(fs::read_dir(dir.join("stays")).unwrap().count(), 1);
    send(&mut writer, 1_050..1_400);
    let done = writer.finish().unwrap();
    let rows: Vec<_> = done.iter().map(|table| (table.rows, table.files)).collect();
    assert_eq!(rows, [(1_400, 2), (1_400, 6), (0, 1)]);
    assert_eq!(hash_run(dir).unwrap(), whole(1_400).1);
    let found = files(dir).into_values().map(|bytes| bytes.len() as u64).sum::<u64>();
    assert_eq!(found, done.iter().map(|table| table.bytes).sum::<u64>());
    clear_run(dir).unwrap();
    assert_eq!(fs::read_dir(dir).unwrap().count(), 0);
}

#[test]
fn parts_that_are_not_what_was_written_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let dir = dir.path();
    let mut writer = RunWriter::create(dir, &IDS, &WriteOptions::default()).unwrap();
    send(&mut writer, 0..100);
    let cut = writer.cut().unwrap();
    drop(writer);
    let refused = |cut: &[TableSummary]| {
        let resumed = RunWriter::resume(dir, &IDS, &WriteOptions::default(), cut);
        resumed.err().unwrap().to_string()
    };
    let mut other = cut.clone();
    other[0].rows += 1;
    assert!(refused(&other).contains("table stays"), "{}", refused(&other));
    fs::remove_file(dir.join("hooks/part-00000.parquet")).unwrap();
    assert!(refused(&cut).contains("has no table \"hooks\""), "{}", refused(&cut));
}

/// Contract: rows of one tick by agent, those of one agent in their order.
#[test]
fn rows_of_a_tick_are_put_in_the_order_of_agents() {
    let dir = tempfile::tempdir().unwrap();
    let options = WriteOptions::default();
    let mut writer = RunWriter::create(dir.path(), &[TableId::Workspace], &options).unwrap();
    let mut files = Workspace::default();
    for (agent, path) in [(2, "a"), (3, "b"), (1, "c"), (2, "d"), (1, "e")] {
        let (agent_id, tick, kind) = (AgentId(agent), Tick(0), FileContent::Text);
        files.push(WorkspaceRow { agent_id, tick, path, kind, content: path });
    }
    writer.send_by_agent(files).unwrap();
    writer.finish().unwrap();
    let rows = TableReader::open(dir.path(), TableId::Workspace).unwrap().read().unwrap();
    assert_eq!(rows.u32s("agent_id").unwrap(), [1, 1, 2, 2, 3]);
    let paths: String = rows.texts("path").unwrap().into_iter().flatten().collect();
    assert_eq!(paths, "ceadb");
    let contents: String = rows.texts("content").unwrap().into_iter().flatten().collect();
    assert_eq!(contents, "ceadb");
}
