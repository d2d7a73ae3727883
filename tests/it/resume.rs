//! Runs that are stopped, killed or out of space, and what becomes of them: the tables of an
//! undisturbed run, whatever happened. That run is the right answer in every test here.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use populace::base::parallel;
use populace::record::{Manifest, RunReader, RunStatus, TableId, hash_run};
use populace::scenario::Scenario;
use populace::simulation::SimulationError;
use populace::simulation::assemble::{AssembleOptions, Assembly, assemble};
use populace::simulation::resume::{Resumption, resume};
use populace::simulation::run::{Progress, RunOptions, run};
use tempfile::TempDir;

use crate::support::{checks::check_run, populace, root, stderr};

/// Counts its person's steps in a file, as a script with a memory of its own does.
const COUNTER: &str = "\
from pathlib import Path
from agentsociety2.agent.base.skill_hook_context import get_hook_context

def pre_step():
    file = Path(get_hook_context().workspace_root, 'memory/steps.txt')
    file.parent.mkdir(exist_ok=True)
    steps = int(file.read_text()) + 1 if file.exists() else 1
    file.write_text(str(steps))
    return 'many' if steps > 24 else f'step {steps}'
";

/// Fails every time, so that it is no longer called when it has failed 30 times in a row.
const GRUMPY: &str = "def pre_step():\n    raise RuntimeError('no')\n";

/// Says something else once an hour: a log of changes keeps one row of twelve.
const RULES: &str = "fn pre_step(person, moment) { `hour ${moment.step_count / 12}` }\n";

const TICKS: u32 = 60;

/// A scenario of 320 persons on a grid of streets, with skills in Python and in rules.
struct Stage {
    folder: TempDir,
}

impl Stage {
    fn new(records: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        for (name, file, script) in
            [("counter", "s.py", COUNTER), ("grumpy", "s.py", GRUMPY), ("hourly", "s.rhai", RULES)]
        {
            let skill = folder.path().join("skills").join(name);
            fs::create_dir_all(&skill).unwrap();
            fs::write(skill.join(file), script).unwrap();
            let text =
                format!("---\nname: {name}\ndescription: d\nhooks: {{pre_step: {file}}}\n---\n");
            fs::write(skill.join("SKILL.md"), text).unwrap();
        }
        let stage = Self { folder };
        stage.write(records, 1);
        stage
    }

    /// Writes the scenario anew.
    fn write(&self, records: &str, seed: u64) {
        let text = format!(
            "name: survivors\nseed: {seed}\n\
             clock: {{start: 2026-03-02T06:00:00, tick_s: 300, ticks: {TICKS}}}\n\
             population: {{source: synthetic, persons: 320}}\n\
             environment:\n  city: {{source: grid, zones_x: 5, zones_y: 5, zone_m: 750}}\n  \
             network: {{kind: grid}}\n\
             behaviour: {{needs: {{initial: {{social: 0.4}}}}}}\n\
             skills:\n  roots: [skills]\n  default_activated: [daily-guidance, hourly]\n  groups:\n  \
             - {{where: {{share: 0.2}}, activate: [counter]}}\n  \
             - {{where: {{share: 0.004}}, activate: [grumpy]}}\n\
             scripts: {{failures_max: 30}}\n\
             failures: {{allowed_share: 1}}\n\
             records: {{tables: [default, needs, messages], log: changed, workspace: changes{records}}}\n"
        );
        fs::write(self.scenario(), text).unwrap();
    }

    fn scenario(&self) -> PathBuf {
        self.folder.path().join("scenario.yaml")
    }

    fn out(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn assemble(&self, chunk_len: usize) -> Assembly {
        assembled(&Scenario::load(&self.scenario(), &[]).unwrap(), chunk_len)
    }

    /// The hashes of the tables of a run that nothing disturbs.
    fn undisturbed(&self) -> String {
        let out = self.out("undisturbed");
        drive(&out, None, |options| run(self.assemble(parallel::CHUNK_LEN), options)).unwrap();
        check_run(&out);
        hashes(&out)
    }

    /// Runs in this process until `ticks` are done.
    fn run_until(&self, out: &Path, ticks: u32) {
        drive(out, Some(ticks), |options| run(self.assemble(100), options)).unwrap();
        assert_eq!(Manifest::read(out).unwrap().status, RunStatus::Interrupted);
    }
}

fn assembled(scenario: &Scenario, chunk_len: usize) -> Assembly {
    let options =
        AssembleOptions { chunk_len, skill_roots: &[], overrides: Vec::new(), watch: false };
    assemble(scenario, &options).unwrap()
}

type Outcome = Result<populace::simulation::run::RunReport, SimulationError>;

/// Drives a run in this process and stops it when so many ticks are done.
fn drive(
    out: &Path,
    until: Option<u32>,
    work: impl FnOnce(&mut RunOptions<'_>) -> Outcome,
) -> Outcome {
    let stop = AtomicBool::new(false);
    let mut progress = |progress: Progress| {
        stop.store(until.is_some_and(|ticks| progress.ticks_done >= ticks), Ordering::Relaxed);
    };
    let out = out.to_owned();
    work(&mut RunOptions { out, force: false, stop: &stop, progress: &mut progress })
}

/// Goes on in this process, until `ticks` are done or to the end.
fn go_on(out: &Path, chunk_len: usize, until: Option<u32>) -> Outcome {
    let resumption = Resumption::open(out)?;
    let assembly = assembled(&resumption.scenario()?, chunk_len);
    drive(out, until, |options| resume(assembly, resumption, options))
}

fn hashes(out: &Path) -> String {
    let tables = hash_run(out).unwrap();
    let line = |table: &populace::record::TableHash| {
        format!("{} {} {}\n", table.name, table.rows, table.hash)
    };
    tables.iter().map(line).collect()
}

fn command(args: &[&str], out: &Path) -> Output {
    populace().args(args).arg(out).output().unwrap()
}

fn checkpoints(out: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(out.join("checkpoints")) else { return Vec::new() };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// DESIGN, determinism: run(n) equals run(m) and resume, for any m, threads and chunks; with
/// journeys along streets, mail, Stories, files of scripts and scripts in quarantine under way.
#[test]
fn a_run_in_three_pieces_is_the_whole_run() {
    let stage = Stage::new("");
    let whole = stage.undisturbed();
    for name in ["steps", "trips", "messages", "hooks", "workspace", "failures", "needs"] {
        let line = whole.lines().find(|line| line.starts_with(name)).unwrap();
        assert!(!line.starts_with(&format!("{name} 0 ")), "nothing to compare: {line}");
    }
    let out = stage.out("pieces");
    stage.run_until(&out, 19);
    check_run(&out);
    let at_19 = Manifest::read(&out).unwrap();
    assert_eq!((at_19.clock.ticks_done, at_19.resumed_at), (19, vec![]));
    parallel::with_threads(3, || go_on(&out, 7, Some(41)).unwrap()).unwrap();
    parallel::with_threads(1, || go_on(&out, 5_000, None).unwrap()).unwrap();
    check_run(&out);
    assert_eq!(hashes(&out), whole);
    let manifest = Manifest::read(&out).unwrap();
    assert_eq!(manifest.status, RunStatus::CompletedWithFailures);
    assert_eq!(manifest.resumed_at, [19, 41]);
    let quarantined = manifest.scripts.unwrap().quarantined;
    assert_eq!(quarantined.len(), 1, "{quarantined:?}");
    assert!(!out.join("checkpoints").exists(), "nobody needs them any more");
    // The summary counts what all parts hold.
    let reader = RunReader::open(&out).unwrap();
    for table in manifest.tables {
        let id = TableId::from_name(&table.name).unwrap();
        assert_eq!(reader.table(id).unwrap().row_count(), table.rows, "{id}");
    }
}

/// A run that keeps checkpoints writes the same tables as one that does not, in parts.
#[test]
fn checkpoints_change_no_table() {
    let stage = Stage::new("");
    let whole = stage.undisturbed();
    assert!(stage.out("undisturbed/stays.parquet").is_file(), "one file as long as nobody asks");
    stage.write(", checkpoint: {every_ticks: 7}", 1);
    let out = stage.out("kept");
    let mut seen = Vec::new();
    {
        let stop = AtomicBool::new(false);
        let mut progress = |_: Progress| seen.push(checkpoints(&out).len());
        let force = false;
        let mut options =
            RunOptions { out: out.clone(), force, stop: &stop, progress: &mut progress };
        run(stage.assemble(100), &mut options).unwrap();
    }
    assert_eq!(seen[..8], [0, 0, 0, 0, 0, 0, 0, 1], "the first after seven ticks");
    assert_eq!((seen[14], seen[21], seen[59]), (2, 2, 2), "no more than two");
    assert!(out.join("stays/part-00001.parquet").is_file());
    check_run(&out);
    assert_eq!(hashes(&out), whole);
    for args in [&["inspect", "--agent", "5"][..], &["hash"]] {
        let output = command(args, &out);
        assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    }
    // A new run in its place leaves nothing of it.
    stage.write("", 1);
    let scenario = stage.scenario().display().to_string();
    let output = command(&["run", &scenario, "--force", "--quiet", "--out"], &out);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(!out.join("stays").exists());
    assert_eq!(hashes(&out), whole);
}

/// A linear congruential generator (Knuth's MMIX): moments that are the same in each test run.
struct Moments(u64);

impl Moments {
    fn within(&mut self, longest: Duration) -> Duration {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        longest.mul_f64((self.0 >> 40) as f64 / (1_u64 << 24) as f64)
    }
}

fn start(args: &[&str]) -> Child {
    populace().args(args).arg("--quiet").stderr(Stdio::piped()).spawn().unwrap()
}

/// Runs, or goes on, and gets killed after a while, again and again; the last time it may end.
#[test]
fn a_run_that_is_killed_again_and_again_becomes_the_whole_run() {
    let stage = Stage::new(", checkpoint: {every_ticks: 3}");
    let begun = Instant::now();
    let whole = stage.undisturbed();
    let length = begun.elapsed();
    let out = stage.out("killed");
    let (scenario, dir) = (stage.scenario().display().to_string(), out.display().to_string());
    let begin = ["run", &scenario, "--out", &dir];
    let mut moments = Moments(4);
    for _ in 0..8 {
        let is_begun = out.join("manifest.json").exists();
        let mut child = if is_begun { start(&["resume", &dir]) } else { start(&begin) };
        std::thread::sleep(moments.within(length));
        // It may have come to its end: then there is nothing left to kill.
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        let code = output.status.code();
        assert!(matches!(code, None | Some(0)), "{code:?}: {}", stderr(&output));
        if code == Some(0) {
            break;
        }
    }
    if !out.join("manifest.json").exists() {
        start(&begin).wait().unwrap();
    } else if !Manifest::read(&out).unwrap().status.is_complete() {
        let output = command(&["resume", "--threads", "1", "--chunk", "50"], &out);
        assert!(output.status.success(), "{}", stderr(&output));
    }
    check_run(&out);
    assert_eq!(hashes(&out), whole);
}

/// DESIGN, exit codes: 130 after a clean close; the run says how to go on.
#[test]
#[cfg(unix)]
fn sigterm_ends_a_run_well_and_it_goes_on() {
    let stage = Stage::new("");
    let whole = stage.undisturbed();
    let out = stage.out("terminated");
    let (scenario, dir) = (stage.scenario().display().to_string(), out.display().to_string());
    // Long enough that the signal comes before the end.
    let child = start(&["run", &scenario, "--out", &dir]);
    while !out.join("metrics.parquet.tmp").exists() {
        std::thread::sleep(Duration::from_millis(2));
    }
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let said = stderr(&output);
    if output.status.code() == Some(130) {
        assert!(said.contains(&format!("populace resume {dir}")), "{said}");
        check_run(&out);
        let output = command(&["resume", "--threads", "2", "--chunk", "33"], &out);
        assert!(output.status.success(), "{}", stderr(&output));
    } else {
        panic!("the signal came too late: {:?} {said}", output.status);
    }
    check_run(&out);
    assert_eq!(hashes(&out), whole);
}

#[test]
fn of_two_checkpoints_the_intact_one_is_used() {
    let stage = Stage::new(", checkpoint: {every_ticks: 5}");
    let whole = stage.undisturbed();
    type Harm = fn(&Path);
    let flip: Harm = |path| {
        let mut bytes = fs::read(path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        fs::write(path, bytes).unwrap();
    };
    let cut: Harm = |path| {
        let bytes = fs::read(path).unwrap();
        fs::write(path, &bytes[..bytes.len() / 3]).unwrap();
    };
    for (name, harm) in [("flipped", flip), ("cut", cut)] {
        let out = stage.out(name);
        stage.run_until(&out, 23);
        let [before, last] = checkpoints(&out).try_into().unwrap();
        assert!(before.ends_with("tick-0000000020.checkpoint"), "{before:?}");
        harm(&last);
        let output = command(&["resume"], &out);
        let said = stderr(&output);
        assert!(output.status.success(), "{said}");
        assert!(said.contains("tick-0000000023.checkpoint cannot be used"), "{said}");
        assert_eq!(hashes(&out), whole, "{name}");
        let manifest = Manifest::read(&out).unwrap();
        assert_eq!(manifest.resumed_at, [20]);
        assert!(manifest.warnings.iter().any(|line| line.contains("cannot be used")));
    }
    let out = stage.out("both");
    stage.run_until(&out, 23);
    checkpoints(&out).iter().for_each(|path| flip(path));
    refused(&out, 3, &["no checkpoint is intact", "tick-0000000020", "tick-0000000023", "damaged"]);
    fs::remove_dir_all(out.join("checkpoints")).unwrap();
    let output = command(&["resume"], &out);
    assert!(stderr(&output).contains("the run begins again"), "{}", stderr(&output));
    assert_eq!(hashes(&out), whole, "from the beginning");
}

/// Expects `populace resume` to end with this code and to say all this, and to change nothing.
fn refused(out: &Path, code: i32, texts: &[&str]) {
    let before = hashes(out);
    let output = command(&["resume"], out);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(code), "{said}");
    for text in texts {
        assert!(said.contains(text), "no '{text}' in: {said}");
    }
    assert!(!said.contains("panicked"), "{said}");
    assert_eq!(hashes(out), before);
}

#[test]
fn what_changed_since_is_refused() {
    let stage = Stage::new("");
    let out = stage.out("run");
    stage.run_until(&out, 5);
    stage.write("", 2);
    refused(&out, 2, &["scenario.yaml has changed since"]);
    stage.write("", 1);

    let script = stage.out("skills/counter/s.py");
    fs::write(&script, COUNTER.replace("24", "25")).unwrap();
    refused(&out, 2, &["skills have changed since: custom@counter"]);
    fs::write(&script, COUNTER).unwrap();

    let manifest = out.join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let version = concat!("\"populace_version\": \"", env!("CARGO_PKG_VERSION"), "\"");
    assert!(text.contains(version));
    fs::write(&manifest, text.replace(version, "\"populace_version\": \"0.0.9\"")).unwrap();
    refused(&out, 2, &["populace 0.0.9 began it"]);
    fs::write(&manifest, &text).unwrap();

    let part = out.join("stories/part-00000.parquet");
    let bytes = fs::read(&part).unwrap();
    fs::copy(out.join("stories/part-00001.parquet"), &part)
        .or_else(|_| fs::copy(out.join("metrics/part-00000.parquet"), &part))
        .unwrap();
    let output = command(&["resume"], &out);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    fs::write(&part, bytes).unwrap();

    {
        let folder = fs::File::open(&out).unwrap();
        folder.lock().unwrap();
        refused(&out, 2, &["is under way"]);
        let scenario = stage.scenario().display().to_string();
        let output = command(&["run", &scenario, "--force", "--out"], &out);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
    }

    assert!(command(&["resume"], &out).status.success());
    refused(&out, 2, &["it is complete"]);
    let nowhere = command(&["resume"], &stage.out("nowhere"));
    assert_eq!(nowhere.status.code(), Some(3), "{}", stderr(&nowhere));
}

/// Files that a scenario names count as part of it.
#[test]
fn a_changed_population_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (scenarios, out) = (folder.path().join("scenarios"), folder.path().join("run"));
    let data = scenarios.join("data/bay_area_diary");
    fs::create_dir_all(scenarios.join("daily_mobility")).unwrap();
    fs::create_dir_all(&data).unwrap();
    let source = root().join("scenarios");
    for file in fs::read_dir(source.join("data/bay_area_diary")).unwrap().flatten() {
        fs::copy(file.path(), data.join(file.file_name())).unwrap();
    }
    let yaml = "daily_mobility/scenario.yaml";
    fs::copy(source.join(yaml), scenarios.join(yaml)).unwrap();
    let overrides = [("population.agents", "300"), ("clock.ticks", "12")]
        .map(|(path, value)| (path.to_owned(), value.to_owned()));
    let scenario = Scenario::load(&scenarios.join(yaml), &overrides).unwrap();
    let mut assembly = assembled(&scenario, 100);
    assembly.overrides = overrides.map(|(path, value)| format!("{path}={value}")).to_vec();
    drive(&out, Some(4), |options| run(assembly, options)).unwrap();
    // One byte of a compressed file's header, its time: the same rows, another file.
    let persons = data.join("persons.csv.gz");
    let mut bytes = fs::read(&persons).unwrap();
    bytes[4] ^= 1;
    fs::write(&persons, &bytes).unwrap();
    refused(&out, 2, &["persons.csv.gz, which the scenario names, has changed since"]);
    bytes[4] ^= 1;
    fs::write(&persons, &bytes).unwrap();
    assert!(go_on(&out, 100, None).is_ok());
}

/// A device that is always full stands where the next file is written: the run ends with the file
/// and the cause, and goes on from its last checkpoint when there is room.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_stops_a_run_that_then_goes_on() {
    let stage = Stage::new(", checkpoint: {every_ticks: 10}");
    let whole = stage.undisturbed();
    for (name, file) in [
        ("checkpoint", "checkpoints/tick-0000000030.checkpoint.tmp"),
        ("table", "metrics/part-00002.parquet.tmp"),
    ] {
        let out = stage.out(name);
        let full = out.join(file);
        let stop = AtomicBool::new(false);
        let mut progress = |progress: Progress| {
            if progress.ticks_done == 25 {
                std::os::unix::fs::symlink("/dev/full", &full).unwrap();
            }
        };
        let force = false;
        let mut options =
            RunOptions { out: out.clone(), force, stop: &stop, progress: &mut progress };
        let error = run(stage.assemble(100), &mut options).unwrap_err();
        assert_eq!(error.exit_code(), 3);
        let said = error.to_string();
        assert!(said.contains(file.trim_end_matches(".tmp")), "{said}");
        assert!(said.contains("No space left on device"), "{said}");
        let manifest = Manifest::read(&out).unwrap();
        assert_eq!(manifest.status, RunStatus::Failed);
        assert!(manifest.warnings.iter().any(|line| line.contains("No space left")));
        go_on(&out, 1_000, None).unwrap();
        assert_eq!(hashes(&out), whole, "{name}");
        assert_eq!(Manifest::read(&out).unwrap().resumed_at, [20]);
    }
}

/// The same with a file system that really fills up, where one can be mounted.
#[test]
#[cfg(target_os = "linux")]
fn a_file_system_that_fills_up_loses_nothing() {
    let stage = Stage::new(", checkpoint: {every_ticks: 3}");
    let whole = stage.undisturbed();
    let disk = stage.out("disk");
    fs::create_dir(&disk).unwrap();
    let resize = |size: &str, first: bool| {
        let option = if first { format!("size={size}") } else { format!("remount,size={size}") };
        let mount =
            Command::new("mount").args(["-t", "tmpfs", "-o", &option, "none"]).arg(&disk).output();
        mount.is_ok_and(|output| output.status.success())
    };
    if !resize("700k", true) {
        eprintln!("skipped: no file system can be mounted here");
        return;
    }
    let out = disk.join("run");
    let (scenario, dir) = (stage.scenario().display().to_string(), out.display().to_string());
    let output = start(&["run", &scenario, "--out", &dir]).wait_with_output().unwrap();
    let said = stderr(&output);
    let reached = Resumption::open(&out).map(|resumption| resumption.ticks_done());
    let roomy = resize("64m", false);
    let resumed = command(&["resume"], &out);
    let found = hashes(&out);
    assert!(Command::new("umount").arg(&disk).status().unwrap().success());
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("No space left on device") && said.contains(&dir), "{said}");
    assert!(said.contains(&format!("populace resume {dir}")), "{said}");
    assert!(reached.unwrap() > 0 && roomy);
    assert!(resumed.status.success(), "{}", stderr(&resumed));
    assert_eq!(found, whole);
}
