//! What must hold of every run, whatever the scenario: read back from its tables.

use std::collections::BTreeMap;
use std::path::Path;

use populace::record::{RunReader, TableId};

/// A stay or a trip of one person: start, end, where it begins, where it ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Piece {
    start: i64,
    end: i64,
    from: u32,
    to: u32,
}

/// Checks that
/// - `steps` (where every row is logged) has one row per person and tick;
/// - every trip arrives after it departs, at another place than it left;
/// - the stays and trips of each person tile the run without gap or overlap, each beginning where
///   the one before ended: nobody is in two places, and everybody ends the day somewhere;
/// - the legs of each trip tile the trip and sum to its distance;
/// - needs stay in [0, 1] and the persons counted per tick are all persons.
pub fn check_run(run: &Path) {
    let reader = RunReader::open(run).expect("a run folder");
    let manifest = reader.manifest();
    let persons = manifest.counts["persons"];
    let ticks = u64::from(manifest.clock.ticks_done);
    let steps = reader.table(TableId::Steps).expect("steps");
    let all_logged = manifest.overrides.iter().all(|o| !o.starts_with("records.log"));
    if all_logged && steps.row_count() >= persons * ticks {
        assert_eq!(steps.row_count(), persons * ticks, "one row per person and tick");
    }
    check_tiling(&reader, persons);
    check_legs(&reader);
    check_metrics(&reader, persons, ticks);
}

fn check_tiling(reader: &RunReader, persons: u64) {
    let mut days: BTreeMap<u32, Vec<Piece>> = BTreeMap::new();
    let stays = reader.table(TableId::Stays).expect("stays").read().expect("rows");
    let columns = ["start", "end"].map(|name| stays.timestamps_ms(name).expect("a column"));
    let places = stays.u32s("place_id").expect("a column");
    for (row, agent) in stays.u32s("agent_id").expect("a column").into_iter().enumerate() {
        let [start, end] = [columns[0][row], columns[1][row]];
        days.entry(agent).or_default().push(Piece {
            start,
            end,
            from: places[row],
            to: places[row],
        });
    }
    let trips = reader.table(TableId::Trips).expect("trips").read().expect("rows");
    let depart = trips.timestamps_ms("depart").expect("a column");
    let arrive = trips.timestamps_ms("arrive").expect("a column");
    let from = trips.u32s("origin_place").expect("a column");
    let to = trips.u32s("destination_place").expect("a column");
    for (row, agent) in trips.u32s("agent_id").expect("a column").into_iter().enumerate() {
        assert!(arrive[row] > depart[row], "trip {row} arrives before it departs");
        assert_ne!(from[row], to[row], "trip {row} goes nowhere");
        let piece = Piece { start: depart[row], end: arrive[row], from: from[row], to: to[row] };
        days.entry(agent).or_default().push(piece);
    }
    assert_eq!(days.len() as u64, persons, "everybody is somewhere");
    let clock = &reader.manifest().clock;
    let epoch = jiff::civil::date(1970, 1, 1).at(0, 0, 0, 0);
    let start = clock.start.duration_since(epoch).as_secs() * 1_000;
    let end = start + i64::from(clock.tick_s) * i64::from(clock.ticks_done) * 1_000;
    for (agent, mut pieces) in days {
        pieces.sort();
        assert_eq!(pieces[0].start, start, "agent {agent} begins with the run");
        for pair in pieces.windows(2) {
            assert_eq!(pair[0].end, pair[1].start, "agent {agent}: gap or overlap in {pair:?}");
            assert_eq!(pair[0].to, pair[1].from, "agent {agent} jumps in {pair:?}");
        }
        let last = pieces[pieces.len() - 1];
        assert!(last.end >= end, "agent {agent} is nowhere at the end: {last:?}");
    }
}

fn check_legs(reader: &RunReader) {
    let legs = reader.table(TableId::Legs).expect("legs").read().expect("rows");
    let agents = legs.u32s("agent_id").expect("a column");
    let trip_index = legs.u32s("trip_index").expect("a column");
    let depart = legs.timestamps_ms("depart").expect("a column");
    let arrive = legs.timestamps_ms("arrive").expect("a column");
    let distance = legs.f64s("distance_m").expect("a column");
    let mut sums: BTreeMap<(u32, u32), (i64, i64, f64)> = BTreeMap::new();
    for row in 0..agents.len() {
        let key = (agents[row], trip_index[row]);
        let sum = sums.entry(key).or_insert((depart[row], depart[row], 0.0));
        assert_eq!(sum.1, depart[row], "legs of trip {key:?} do not touch");
        sum.1 = arrive[row];
        sum.2 += distance[row];
    }
    let trips = reader.table(TableId::Trips).expect("trips").read().expect("rows");
    let agents = trips.u32s("agent_id").expect("a column");
    let trip_index = trips.u32s("trip_index").expect("a column");
    let depart = trips.timestamps_ms("depart").expect("a column");
    let arrive = trips.timestamps_ms("arrive").expect("a column");
    let distance = trips.f64s("distance_m").expect("a column");
    assert_eq!(sums.len(), agents.len(), "every trip has legs");
    for row in 0..agents.len() {
        let (start, end, length) = sums[&(agents[row], trip_index[row])];
        assert_eq!((start, end), (depart[row], arrive[row]), "legs tile trip {row}");
        assert!((length - distance[row]).abs() < 0.5, "legs of trip {row} sum to its length");
    }
}

fn check_metrics(reader: &RunReader, persons: u64, ticks: u64) {
    let metrics = reader.table(TableId::Metrics).expect("metrics").read().expect("rows");
    assert_eq!(metrics.len() as u64, ticks, "one row of metrics per tick");
    let where_ = ["at_home", "at_work", "at_school", "at_other", "travelling"]
        .map(|name| metrics.u32s(name).expect("a column"));
    for row in 0..metrics.len() {
        let counted: u64 = where_.iter().map(|column| u64::from(column[row])).sum();
        assert_eq!(counted, persons, "everybody is counted once in tick {row}");
    }
    for need in ["mean_hunger", "mean_energy", "mean_safety", "mean_social"] {
        let levels = metrics.f64s(need).expect("a column");
        assert!(levels.iter().all(|level| (0.0..=1.0).contains(level)), "{need}");
    }
}
