//! What came of the runs of a sweep, and the table of all.

use std::path::Path;

use super::plan::{Plan, Point};
use crate::record::manifest::Manifest;
use crate::record::tables::{Metrics, Table};
use crate::record::{RecordError, RunReader, RunStatus, TableId};
use crate::simulation::SimulationError;

/// Columns of table `metrics` that count what happened in a tick: a run's value is their sum. Of
/// all others it is the last tick's.
const SUMMED: [&str; 8] = [
    "departures",
    "arrivals",
    "stories_created",
    "revised_need",
    "revised_late",
    "revised_asked",
    "messages",
    "failures",
];
/// Columns of `metrics` that are no measure.
const KEYS: [&str; 2] = ["tick", "datetime"];

/// What came of a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// Ended by itself: its status, and what it measured, by name.
    Done(RunStatus, Vec<(String, f64)>),
    /// Not run to its end, and why if that is known.
    Failed(String),
}

impl Outcome {
    /// What a run folder holds; nothing if there is no run in it that ended by itself.
    ///
    /// # Errors
    /// Tables that cannot be read.
    pub fn of(folder: &Path) -> Result<Option<Self>, RecordError> {
        let Ok(manifest) = Manifest::read(folder) else { return Ok(None) };
        match manifest.status {
            RunStatus::Completed | RunStatus::CompletedWithFailures => {
                Ok(Some(Self::Done(manifest.status, measures(folder)?)))
            }
            RunStatus::Running | RunStatus::Interrupted | RunStatus::Failed => Ok(None),
        }
    }

    /// Whether the run ended by itself.
    pub const fn is_done(&self) -> bool {
        matches!(self, Self::Done(..))
    }

    /// The status as the table has it.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Done(RunStatus::CompletedWithFailures, _) => "completed_with_failures",
            Self::Done(..) => "completed",
            Self::Failed(_) => "failed",
        }
    }
}

fn measures(folder: &Path) -> Result<Vec<(String, f64)>, RecordError> {
    let reader = RunReader::open(folder)?;
    if reader.has(TableId::ModelMetrics) {
        return of_model(&reader);
    }
    if !reader.has(TableId::Metrics) {
        return Ok(Vec::new());
    }
    let rows = reader.table(TableId::Metrics)?.read()?;
    let names = Metrics::SPEC.columns.iter().map(|column| column.name);
    let measure = |name: &str| {
        let values = match rows.f64s(name) {
            Ok(values) => values,
            Err(_) => rows.u32s(name)?.into_iter().map(f64::from).collect(),
        };
        let last = || values.last().copied().unwrap_or(f64::NAN);
        Ok((name.to_owned(), if SUMMED.contains(&name) { values.iter().sum() } else { last() }))
    };
    names.filter(|name| !KEYS.contains(name)).map(measure).collect()
}

/// The metrics of the last tick.
fn of_model(reader: &RunReader) -> Result<Vec<(String, f64)>, RecordError> {
    let rows = reader.table(TableId::ModelMetrics)?.read()?;
    let (ticks, names) = (rows.u32s("tick")?, rows.texts("metric")?);
    let values = rows.f64s("value")?;
    let last = ticks.last().copied();
    let cells = ticks.iter().zip(names).zip(values).filter(|((tick, _), _)| Some(**tick) == last);
    Ok(cells.filter_map(|((_, name), value)| Some((name?.to_owned(), value))).collect())
}

/// Writes the table of a sweep: a row for each run, in the order of the plan.
///
/// # Errors
/// What the system says.
pub fn write_table(
    file: &Path,
    plan: &Plan,
    rows: &[(Point, Outcome)],
) -> Result<(), SimulationError> {
    let io = |error: csv::Error| SimulationError::Io {
        action: format!("write {}", file.display()),
        source: std::io::Error::other(error),
    };
    let mut measured: Vec<&str> = Vec::new();
    for (_, outcome) in rows {
        let Outcome::Done(_, measures) = outcome else { continue };
        for (name, _) in measures {
            if !measured.contains(&name.as_str()) {
                measured.push(name);
            }
        }
    }
    let mut table = csv::Writer::from_path(file).map_err(io)?;
    let params = plan.params.iter().map(|param| param.key.as_str());
    let headings = ["run"].into_iter().chain(params).chain(["seed", "status", "error"]);
    table.write_record(headings.chain(measured.iter().copied())).map_err(io)?;
    for (point, outcome) in rows {
        let mut cells = vec![run_name(point)];
        cells.extend(point.values.iter().cloned());
        cells.extend([point.seed.to_string(), outcome.word().to_owned()]);
        let (error, measures) = match outcome {
            Outcome::Done(_, measures) => ("", measures.as_slice()),
            Outcome::Failed(why) => (why.as_str(), &[][..]),
        };
        cells.push(error.to_owned());
        for name in &measured {
            let value = measures.iter().find(|(other, _)| other == name);
            cells.push(value.map_or_else(String::new, |(_, value)| value.to_string()));
        }
        table.write_record(&cells).map_err(io)?;
    }
    table.flush().map_err(|error| io(error.into()))
}

/// Name of a run's folder in that of its sweep.
pub fn run_name(point: &Point) -> String {
    format!("run-{:05}", point.number)
}
