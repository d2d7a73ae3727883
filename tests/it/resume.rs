//! Runs that are stopped, killed or out of space, and what becomes of them: the tables of an
//! undisturbed run, whatever happened. That run is the right answer in every test here.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use populace::base::parallel;
use populace::record::{Manifest, RunReader, RunStatus, TableId};
use populace::scenario::Scenario;
use populace::simulation::resume::Resumption;
use populace::simulation::run::{Progress, RunOptions, run};

use crate::support::stage::{Stage, assembled, drive, go_on, hashes};
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

/// 320 persons on a grid of streets, with skills in Python and in rules. `records` is more of that
/// section.
fn survivors(records: &str, seed: u64) -> String {
    format!(
        "name: survivors\nseed: {seed}\n\
         clock: {{start: 2026-03-02T06:00:00, tick_s: 300, ticks: 60}}\n\
         population: {{source: synthetic, persons: 320}}\n\
         environment:\n  city: {{source: grid, zones_x: 5, zones_y: 5, zone_m: 750}}\n  \
         network: {{kind: grid}}\n\
         behaviour: {{needs: {{initial: {{social: 0.4}}}}}}\n\
         skills:\n  roots: [skills]\n  default_activated: [daily-guidance, hourly]\n  groups:\n  \
         - {{where: {{share: 0.2}}, activate: [counter]}}\n  \
         - {{where: {{share: 0.004}}, activate: [grumpy]}}\n\
         scripts: {{failures_max: 30}}\n\
         failures: {{allowed_share: 1}}\n\
         records: {{tables: [default, needs, messages], log: changed, \
         workspace: changes{records}}}\n"
    )
}

fn stage(records: &str) -> Stage {
    let text = |name: &str, file: &str| {
        format!("---\nname: {name}\ndescription: d\nhooks: {{pre_step: {file}}}\n---\n")
    };
    let files = [
        ("counter/SKILL.md", &*text("counter", "s.py")),
        ("counter/s.py", COUNTER),
        ("grumpy/SKILL.md", &text("grumpy", "s.py")),
        ("grumpy/s.py", GRUMPY),
        ("hourly/SKILL.md", &text("hourly", "s.rhai")),
        ("hourly/s.rhai", RULES),
    ];
    Stage::new(&survivors(records, 1), &files)
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
    let stage = stage("");
    let whole = stage.undisturbed();
    for name in ["steps", "trips", "messages", "hooks", "workspace", "failures", "needs"] {
        let line = whole.lines().find(|line| line.starts_with(name)).unwrap();
        assert!(!line.starts_with(&format!("{name} 0 ")), "nothing to compare: {line}");
    }
    let out = stage.path("pieces");
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

/// Asks scripts, the city, neighbours, other skills and the scenario, again and again; who is old
/// asks in the end what nobody answers.
const ASKER: &str = "\
dialect: bt_cpp
blackboard:
  word: { type: text, initial: none }
  seen: text
  answer: text
  napped: int
  alike: { type: int, initial: 0 }
  rounds: { type: int, initial: 0 }
trees:
  Main:
    Sequence:
      - wait: 'random_int(0, 3) * 10'
      - run_script: { script: word.rhai, arguments: 'self.age + rounds', output: '{word}' }
      - set: 'alike := count(neighbours, other.word == word)'
      - ask_environment: { tool: observe, answer: '{seen}' }
      - suspend: { question: 'Go on?', answer: '{answer}' }
      - call_skill: { skill: nap, result: '{napped}' }
      - send_message: { to: household, about: news }
      - go_to: { to: near, for: shopping }
      - go_to: home
      - set: 'rounds := rounds + 1'
      - check: 'rounds > 3'
      - ForceSuccess:
          - Sequence:
              - check: 'self.age >= 50'
              - suspend: { question: 'Who is like me?' }
      - finish: '100 * rounds + alike'
";

/// Naps for a while and remembers since when.
const NAP: &str = "\
blackboard: { since: { type: int, initial: -1 } }
trees:
  Main:
    Sequence:
      - set: 'since := since < 0 ? time.minute : since'
      - wait: 'random_int(1, 3) * 10'
      - finish: 'time.minute - since'
";

/// The same with behaviour trees: statuses, blackboards with texts, what others see of them, and
/// what was asked for and is not answered yet.
#[test]
fn trees_of_people_go_on_where_they_were() {
    let skill = |name: &str| {
        format!("---\nname: {name}\ndescription: d\nexecution: bt\ntree: tree.yaml\n---\n")
    };
    let scenario = "name: askers\n\
        clock: {start: 2026-03-02T06:00:00, tick_s: 600, ticks: 60}\n\
        population: {source: synthetic, persons: 120}\n\
        environment: {city: {source: grid, zones_x: 4, zones_y: 4, zone_m: 500}}\n\
        skills: {roots: [skills], default_activated: [daily-guidance, asker, nap],\n  \
        answers: {'Go on?': 'yes'}}\n\
        failures: {allowed_share: 1}\n\
        records: {tables: [default, needs, messages], log: changed, bt_trace: changed}\n";
    let files = [
        ("asker/SKILL.md", &*skill("asker")),
        ("asker/tree.yaml", ASKER),
        ("asker/word.rhai", "fn entrypoint(argv, person) { `word ${parse_int(argv[0]) % 3}` }"),
        ("nap/SKILL.md", &skill("nap")),
        ("nap/tree.yaml", NAP),
    ];
    let stage = Stage::new(scenario, &files);
    let whole = stage.undisturbed();
    for name in ["bt_trace", "skill_results", "messages", "trips"] {
        let line = whole.lines().find(|line| line.starts_with(name)).unwrap();
        assert!(!line.starts_with(&format!("{name} 0 ")), "nothing to compare: {line}");
    }
    let out = stage.path("pieces");
    stage.run_until(&out, 7);
    for (chunk_len, until) in [(7, 8), (5_000, 23), (33, 24), (1, 41)] {
        go_on(&out, chunk_len, Some(until)).unwrap();
    }
    let saved = fs::read(checkpoints(&out).pop().unwrap()).unwrap();
    let holds = |text: &str| saved.windows(text.len()).any(|part| part == text.as_bytes());
    assert!(holds("Who is like me?") && holds("word 2"), "questions and texts are under way");
    go_on(&out, 50, None).unwrap();
    check_run(&out);
    assert_eq!(hashes(&out), whole);
    assert_eq!(Manifest::read(&out).unwrap().resumed_at, [7, 8, 23, 24, 41]);
}

/// A run that keeps checkpoints writes the same tables as one that does not, in parts.
#[test]
fn checkpoints_change_no_table() {
    let stage = stage("");
    let whole = stage.undisturbed();
    assert!(stage.path("undisturbed/stays.parquet").is_file(), "one file as long as nobody asks");
    stage.write(&survivors(", checkpoint: {every_ticks: 7}", 1));
    let out = stage.path("kept");
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
    stage.write(&survivors("", 1));
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
    let stage = stage(", checkpoint: {every_ticks: 3}");
    let begun = Instant::now();
    let whole = stage.undisturbed();
    let length = begun.elapsed();
    let out = stage.path("killed");
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
    let stage = stage("");
    let whole = stage.undisturbed();
    let out = stage.path("terminated");
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
    let stage = stage(", checkpoint: {every_ticks: 5}");
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
        let out = stage.path(name);
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
    let out = stage.path("both");
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
    let stage = stage("");
    let out = stage.path("run");
    stage.run_until(&out, 5);
    stage.write(&survivors("", 2));
    refused(&out, 2, &["scenario.yaml has changed since"]);
    stage.write(&survivors("", 1));

    let script = stage.path("skills/counter/s.py");
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
    let nowhere = command(&["resume"], &stage.path("nowhere"));
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
    let stage = stage(", checkpoint: {every_ticks: 10}");
    let whole = stage.undisturbed();
    for (name, file) in [
        ("checkpoint", "checkpoints/tick-0000000030.checkpoint.tmp"),
        ("table", "metrics/part-00002.parquet.tmp"),
    ] {
        let out = stage.path(name);
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
    let stage = stage(", checkpoint: {every_ticks: 3}");
    let whole = stage.undisturbed();
    let disk = stage.path("disk");
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
