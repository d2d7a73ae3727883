//! Whole runs in which the script of one person does harm: that call fails, as table `failures`
//! says, and everybody else lives as in a run in which the same skill is harmless.
//!
//! Everything here is bounded: what is not stopped ends by itself within seconds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

use populace::host::sandbox::Confinement;
use populace::record::{RunReader, TableId};
use tempfile::TempDir;

use crate::support::{RunDir, populace, stderr};

/// Who does harm, and in which of the three ticks; another's workspace lies beside its own.
const BAD: u32 = 7;
const BAD_TICK: u32 = 1;

/// Tables that say what each person did.
const TABLES: [TableId; 9] = [
    TableId::Persons,
    TableId::Steps,
    TableId::Stays,
    TableId::Trips,
    TableId::Stories,
    TableId::Hooks,
    TableId::Needs,
    TableId::Failures,
    TableId::Workspace,
];

/// A hook that remembers its steps in a file and says what it finds in its process.
const HOOK: &str = "\
import os, sys, time
from pathlib import Path
from agentsociety2.agent.base.skill_hook_context import get_hook_context

def harm():
    HARM

def pre_step():
    context = get_hook_context()
    agent, step = context.payload['agent_id'], context.payload['step_count']
    found = [os.path.basename(os.getcwd()), os.environ.get('LEFT', 'clean'), str(os.umask(0o22))]
    file = Path(context.workspace_root, 'steps.txt')
    file.write_text((file.read_text() if file.exists() else '') + f'{step} ')
    if agent == 7 and step == 2:
        harm()
    import random
    return ' '.join([*found, file.read_text(), f'{random.random():.6f}'])
";

/// The same as a program.
const PROGRAM: &str = "\
#!/bin/sh
harm() {
    HARM
}
case \"$2\" in
    *'\"agent_id\": 7, \"step_count\": 2'*) harm ;;
esac
echo \"${PWD##*/} ${LEFT-clean} $(umask)\"
";

/// One kind of harm and how it is to end: `error_type` of table `hooks`, `code` and a part of the
/// message of table `failures`.
struct Harm {
    does: &'static str,
    error_type: &'static str,
    code: &'static str,
    told: &'static str,
}

const fn fails(does: &'static str, told: &'static str) -> Harm {
    Harm { does, error_type: "runtime", code: "script-runtime", told }
}

const fn too_late(does: &'static str) -> Harm {
    let told = "exit code -1: command timed out after 1s";
    Harm { does, error_type: "timeout", code: "script-timeout", told }
}

/// A folder with a skill `abused` whose hook is `file`, and a scenario in which everybody has it.
struct Stage {
    folder: TempDir,
    file: &'static str,
    template: &'static str,
}

impl Stage {
    fn new(file: &'static str, template: &'static str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let skill = folder.path().join("skills/abused");
        fs::create_dir_all(&skill).unwrap();
        let text = format!("---\nname: abused\ndescription: d\nhooks: {{pre_step: {file}}}\n---\n");
        fs::write(skill.join("SKILL.md"), text).unwrap();
        write_scenario(folder.path(), "daily-guidance, abused");
        Self { folder, file, template }
    }

    /// The run in which the person `BAD` does this, once.
    fn run(&self, does: &str) -> RunDir {
        let path = self.folder.path().join("skills/abused").join(self.file);
        fs::write(&path, self.template.replace("HARM", does)).unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        RunDir::of(&[&self.folder.path().join("scenario.yaml").display().to_string()])
    }

    /// Runs each harm and compares with the run in which it does `nothing`.
    fn check(&self, nothing: &str, harms: &[Harm]) {
        let harmless = Run::read(&self.run(nothing).path());
        assert_eq!(harmless.failures, [], "the harmless run");
        assert_eq!(harmless.hook_errors, []);
        for harm in harms {
            let run = Run::read(&self.run(harm.does).path());
            run.compare(&harmless, harm.does);
            let [(at, code, message)] = run.failures.as_slice() else {
                panic!("one failure for {}: {:?}", harm.does, run.failures);
            };
            assert_eq!((*at, code.as_str()), ((BAD_TICK, BAD), harm.code), "{message}");
            assert!(message.contains(harm.told), "{}: {message}", harm.does);
            let [(at, error_type)] = run.hook_errors.as_slice() else {
                panic!("one failed hook for {}: {:?}", harm.does, run.hook_errors);
            };
            assert_eq!((*at, error_type.as_str()), ((BAD_TICK, BAD), harm.error_type));
        }
    }
}

fn write_scenario(folder: &Path, active: &str) {
    let text = format!(
        "name: abuse\nseed: 1\n\
         clock: {{start: 2026-03-02T06:00:00, tick_s: 3600, ticks: 3}}\n\
         population: {{source: synthetic, persons: 20}}\n\
         environment: {{city: {{source: grid, zones_x: 2, zones_y: 2, zone_m: 750}}}}\n\
         skills: {{roots: [skills], default_activated: [{active}]}}\n\
         scripts: {{time_limit_s: 1, memory_mb: 256}}\n\
         failures: {{allowed_share: 1}}\n\
         records: {{tables: [default, needs], log: all, workspace: changes}}\n"
    );
    fs::write(folder.join("scenario.yaml"), text).unwrap();
}

/// What a run says of everybody.
struct Run {
    /// The rows of everybody but `BAD`, by table, in the order in which they were written.
    others: Vec<(TableId, Vec<String>)>,
    /// Tick and person, code, message.
    failures: Vec<((u32, u32), String, String)>,
    /// Tick and person of answers that are failures, and their type.
    hook_errors: Vec<((u32, u32), String)>,
}

impl Run {
    fn read(dir: &Path) -> Self {
        let reader = RunReader::open(dir).unwrap();
        let others = TABLES.map(|id| (id, rows_of_others(&reader, id))).to_vec();
        let table = reader.table(TableId::Failures).unwrap().read().unwrap();
        let at = |table: &populace::record::rows::Rows| {
            let (ticks, agents) = (table.u32s("tick").unwrap(), table.u32s("agent_id").unwrap());
            ticks.into_iter().zip(agents).collect::<Vec<_>>()
        };
        let text = |text: Option<&str>| text.unwrap_or_default().to_owned();
        let (codes, messages) = (table.texts("code").unwrap(), table.texts("message").unwrap());
        let failures = at(&table).into_iter().zip(codes.into_iter().zip(messages));
        let failures =
            failures.map(|(at, (code, message))| (at, text(code), text(message))).collect();
        let table = reader.table(TableId::Hooks).unwrap().read().unwrap();
        let kinds = table.texts("error_type").unwrap().into_iter().map(text);
        let hook_errors = at(&table).into_iter().zip(kinds).filter(|(_, kind)| kind != "none");
        Self { others, failures, hook_errors: hook_errors.collect() }
    }

    fn compare(&self, harmless: &Self, does: &str) {
        for ((id, rows), (_, wanted)) in self.others.iter().zip(&harmless.others) {
            assert!(*id == TableId::Failures || !rows.is_empty(), "{id} is empty");
            for (row, wanted) in rows.iter().zip(wanted) {
                assert_eq!(row, wanted, "{id} beside {does}");
            }
            assert_eq!(rows.len(), wanted.len(), "rows of {id} beside {does}");
        }
    }
}

/// The rows of a table as text, `BAD`'s left out.
fn rows_of_others(reader: &RunReader, id: TableId) -> Vec<String> {
    fn told<T: std::fmt::Debug>(cells: Vec<T>) -> Vec<String> {
        cells.iter().map(|cell| format!("{cell:?}")).collect()
    }
    let table = reader.table(id).unwrap();
    let rows = table.read().unwrap();
    let column = |name: String| {
        let cells = (rows.u32s(&name).map(told))
            .or_else(|_| rows.i64s(&name).map(told))
            .or_else(|_| rows.f64s(&name).map(told))
            .or_else(|_| rows.timestamps_ms(&name).map(told))
            .or_else(|_| rows.dates(&name).map(told))
            .or_else(|_| rows.bools(&name).map(told))
            .or_else(|_| rows.texts(&name).map(told));
        (cells.unwrap(), name)
    };
    let columns: Vec<_> = table.column_names().map(column).collect();
    let agents = rows.u32s("agent_id").unwrap();
    let row = |row: usize| {
        let cells = columns.iter().map(|(cells, name)| format!("{name} {}", cells[row]));
        cells.collect::<Vec<_>>().join(", ")
    };
    (0..rows.len()).filter(|at| agents[*at] != BAD).map(row).collect()
}

/// The abuse list of the skill system's issue. Limits that no kernel feature is needed for.
#[test]
fn a_hook_that_breaks_a_limit_fails_alone() {
    Stage::new("hook.py", HOOK).check(
        "pass",
        &[
            too_late("while True: pass"),
            // Swallows the exception that tells it to end, so that its worker is killed.
            too_late("exec('while 1:\\n try:\\n  while 1: pass\\n except BaseException: pass')"),
            fails("os._exit(3)", "exit code 3: the script ended its worker with exit code 3"),
            fails("import ctypes; ctypes.string_at(0)", "ended its worker with signal 11"),
            fails("bytearray(4 << 30)", "MemoryError"),
            fails("print('x' * (100 << 20))", "more than 1048576 bytes of output"),
            fails("for _ in range(1 << 20): print('x' * 100)", "bytes of output"),
        ],
    );
}

/// What it left in the process is not there for whoever comes next, and what is not its own is
/// out of its reach.
#[test]
fn a_hook_that_reaches_for_others_fails_alone() {
    Stage::new("hook.py", HOOK).check(
        "pass",
        &[
            fails("os.chdir('/'); os.environ['LEFT'] = 'dirt'; os.umask(0); 1/0", "ZeroDivision"),
            fails("open('../agent_0008/steps.txt').read()", "another person's workspace"),
            fails("open('../agent_0006/steps.txt', 'w')", "another person's workspace"),
            fails("os.symlink('..', 'up'); os.listdir('up')", "another person's workspace"),
            fails("os.kill(os.getppid(), 9)", "PermissionError"),
        ],
    );
}

/// Processes are counted and ended with the call; a worker may start none.
#[test]
fn a_bomb_of_processes_is_stopped() {
    if !Confinement::here().seccomp {
        eprintln!("SKIPPED: this kernel filters no system calls, so a worker may fork");
    } else {
        // Each child would live for two seconds.
        let bomb = "[os.fork() or (time.sleep(2), os._exit(0)) for _ in range(40)]";
        Stage::new("hook.py", HOOK).check("pass", &[fails(bomb, "PermissionError")]);
    }
    // Not one that doubles: eighty that sleep, of whom the limit allows sixty-four.
    let bomb = "i=0; while [ $i -lt 80 ]; do sleep 3 & i=$((i + 1)); done; wait";
    Stage::new("hook.sh", PROGRAM).check(
        ":",
        &[
            fails(bomb, "more than 64 processes"),
            too_late("while :; do :; done"),
            fails("yes | head -c 100000000", "bytes of output"),
        ],
    );
}

/// What a command printed.
fn both(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), stderr(output))
}

/// A file outside of the skill's folder is no script of it, however it is named: that is told, and
/// it does not run.
#[test]
#[cfg(unix)]
fn a_script_outside_of_its_folder_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let outside: PathBuf = folder.path().canonicalize().unwrap().join("outside.py");
    fs::write(&outside, "def pre_step():\n    return 'ran'\n").unwrap();
    let absolute = outside.display().to_string();
    let names = [
        ("climbs", "../../outside.py", "outside-folder"),
        ("winds", "scripts/../../../outside.py", "outside-folder"),
        ("absolute", absolute.as_str(), "outside-folder"),
        ("link", "link.py", "missing-file"),
        ("folder-link", "up/outside.py", "missing-file"),
    ];
    for (name, script, _) in names {
        let skill = folder.path().join("skills").join(name);
        fs::create_dir_all(skill.join("scripts")).unwrap();
        let text = format!(
            "---\nname: {name}\ndescription: d\nscript: {script}\n\
             hooks: {{pre_step: {script}}}\n---\n"
        );
        fs::write(skill.join("SKILL.md"), text).unwrap();
        std::os::unix::fs::symlink(&outside, skill.join("link.py")).unwrap();
        std::os::unix::fs::symlink(folder.path(), skill.join("up")).unwrap();
    }
    let called = |arguments: &[&str]| -> Output {
        populace().args(arguments).current_dir(folder.path()).output().unwrap()
    };
    let checked = called(&["skills", "check", "skills"]);
    let told = both(&checked);
    for (name, script, code) in names {
        let path = format!("skills/{name}/SKILL.md");
        let mut lines = told.lines().filter(|line| line.contains(&path));
        assert!(lines.any(|line| line.contains(code)), "{name}: {told}");
        let run = ["skills", "run", name, "--skills", "skills", "--script", script];
        let run = called(&[&run[..], &["--workspace", "workspace"]].concat());
        assert!(!run.status.success(), "{name}");
        let said = both(&run);
        assert!(said.contains("escapes skill directory"), "{name}: {said}");
    }
    let all = names.map(|(name, ..)| name).join(", ");
    write_scenario(folder.path(), &all);
    let run = RunDir::of(&[&folder.path().join("scenario.yaml").display().to_string()]);
    let reader = RunReader::open(&run.path()).unwrap();
    assert_eq!(reader.table(TableId::Hooks).unwrap().row_count(), 0, "nothing was called");
}
