//! The pool against scripts that behave and scripts that do not.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::pool::{PythonOutcome, PythonPool};
use crate::agent::request::{
    ErrorType, ScriptBatch, ScriptCall, ScriptEntry, ScriptRef, ScriptReply, ScriptTier,
};
use crate::base::ids::AgentId;
use crate::host::settings::ScriptSettings;
use crate::host::workspace::Workspaces;

/// A pool with workspaces for agents 0 to 9 and a folder for scripts.
struct Stage {
    pool: PythonPool,
    workspaces: Workspaces,
    scripts: tempfile::TempDir,
}

impl Stage {
    fn new(change: impl FnOnce(&mut ScriptSettings)) -> Self {
        let mut workspaces = Workspaces::create().unwrap();
        for agent in 0..10 {
            workspaces.add(AgentId(agent), &[]).unwrap();
        }
        let scripts = tempfile::tempdir().unwrap();
        let folder = scripts.path().canonicalize().unwrap();
        let mut settings = ScriptSettings {
            workers: 1,
            time_limit: Duration::from_secs(20),
            memory_bytes: 256 << 20,
            readable: vec![folder],
            ..ScriptSettings::default()
        };
        change(&mut settings);
        let pool = PythonPool::start(&settings, workspaces.root()).unwrap();
        Self { pool, workspaces, scripts }
    }

    fn script(&self, name: &str, text: &str) -> Arc<ScriptRef> {
        let skill_dir = self.scripts.path().canonicalize().unwrap();
        let path: PathBuf = skill_dir.join(format!("{name}.py"));
        std::fs::write(&path, text).unwrap();
        let skill_id = format!("custom@{name}");
        let (skill_name, tier) = (name.to_owned(), ScriptTier::Python);
        Arc::new(ScriptRef { skill_id, skill_name, skill_dir, path, tier })
    }

    /// Calls the script for agents 0, 1, 2 … 9, 0 … with one argv each.
    fn call(&mut self, script: &Arc<ScriptRef>, argv: &[&[&str]]) -> Vec<ScriptReply> {
        let calls = argv.iter().enumerate().map(|(agent, argv)| ScriptCall {
            agent: AgentId(agent as u32 % 10),
            seed: 7,
            argv: argv.iter().map(|item| (*item).to_owned()).collect(),
            person: None,
        });
        let batch = ScriptBatch {
            script: Arc::clone(script),
            entry: ScriptEntry::Command,
            calls: calls.collect(),
            time_limit_ms: None,
        };
        let done = |outcome| match outcome {
            PythonOutcome::Done(reply) => reply,
            PythonOutcome::ImportFailed => panic!("the script cannot be imported"),
        };
        self.pool.run(&batch).into_iter().map(done).collect()
    }
}

/// The abuse list of the skill system's issue: the third of five calls does harm. It alone fails,
/// in the way named, and the others are what they are without it.
#[test]
fn harm_done_by_one_call_is_that_calls_failure_alone() {
    let script_text = |harm: &str| {
        format!(
            "import os, sys, time\n\
             def JOURNAL(fd):\n    \
                 return 'journal-' in os.readlink(f'/proc/self/fd/{{fd}}')\n\
             def entrypoint(argv, ctx):\n    \
                 if argv[0] == 'harm':\n        {harm}\n    \
                 left = os.environ.get('LEFT', 'clean')\n    \
                 return f'{{argv[0]}} {{ctx.random.random()}} {{os.getcwd()[-10:]}} {{left}}'\n"
        )
    };
    let harms = [
        ("while True: pass", ErrorType::Timeout, -1, "timed out after 1s"),
        (
            "exec('while 1:\\n try:\\n  while 1: pass\\n except BaseException: pass')",
            ErrorType::Timeout,
            -1,
            "timed out after 1s",
        ),
        ("time.sleep(60)", ErrorType::Timeout, -1, "timed out"),
        ("os._exit(3)", ErrorType::Runtime, 3, "exit code 3"),
        ("sys.exit(3)", ErrorType::SystemExit, 3, ""),
        ("sys.exit(True)", ErrorType::SystemExit, 1, ""),
        ("sys.exit(2 ** 80)", ErrorType::SystemExit, i32::MAX, ""),
        ("sys.exit([1])", ErrorType::SystemExit, 1, ""),
        (
            "[os.write(fd, b'junk') for fd in range(3, 9) if JOURNAL(fd)]",
            ErrorType::Runtime,
            -1,
            "journal",
        ),
        ("os.kill(os.getppid(), 9)", ErrorType::Runtime, 1, "PermissionError"),
        ("os.kill(-1, 0)", ErrorType::Runtime, 1, "PermissionError"),
        (
            "os.mkdir('a'); fd = os.open('a', 0); os.open('../../agent_0001/x', 65, dir_fd=fd)",
            ErrorType::Runtime,
            1,
            "another person's workspace",
        ),
        ("os.mkfifo('../agent_0001/x')", ErrorType::Runtime, 1, "another person's workspace"),
        (
            "fd = os.open('/dev/shm', 0); w = os.path.dirname(os.getcwd())[9:]; \
             os.rename(w + '/agent_0001', 'x', src_dir_fd=fd)",
            ErrorType::Runtime,
            1,
            "another person's workspace",
        ),
        ("import resource; resource.prlimit(1, 7, (5, 5))", ErrorType::Runtime, 1, "Error"),
        ("import ctypes; ctypes.string_at(0)", ErrorType::Runtime, -11, "signal 11"),
        ("bytearray(4 << 30)", ErrorType::Runtime, 1, "MemoryError"),
        ("print('x' * (100 << 20))", ErrorType::Runtime, 1, "bytes of output"),
        ("return 'x' * (100 << 20)", ErrorType::Runtime, 1, "bytes of output"),
        ("[os.fork() for _ in range(99)]", ErrorType::Runtime, 1, "PermissionError"),
        (
            "import subprocess; subprocess.run(['sleep', '60'])",
            ErrorType::Runtime,
            1,
            "PermissionError",
        ),
        ("open('../agent_0001/x', 'w')", ErrorType::Runtime, 1, "another person's workspace"),
        ("os.listdir('..')", ErrorType::Runtime, 1, "another person's workspace"),
        (
            "os.symlink('../agent_0001', 'l'); os.listdir('l')",
            ErrorType::Runtime,
            1,
            "another person's workspace",
        ),
        ("open('/proc/self/cwd/../agent_0001/x', 'w')", ErrorType::Runtime, 1, "workspace"),
        ("os.chdir('/'); os.environ['LEFT'] = 'dirt'; 1/0", ErrorType::Runtime, 1, "ZeroDivision"),
        ("import socket; socket.socket()", ErrorType::Runtime, 1, "PermissionError"),
        ("1/0", ErrorType::Runtime, 1, "ZeroDivisionError: division by zero"),
        // Its code runs while the traceback is written.
        (
            "exec('class E(Exception):\\n def __str__(e): return str(os.listdir(\"..\"))'); \
             raise locals()['E']",
            ErrorType::Runtime,
            1,
            "str() failed",
        ),
        (
            "sys.stdout = type('W', (), {'flush': lambda w: open('../agent_0001/x', 'w')})(); 1/0",
            ErrorType::Runtime,
            1,
            "ZeroDivisionError",
        ),
    ];
    let mut stage = Stage::new(|settings| settings.time_limit = Duration::from_secs(1));
    let clean = stage.script("clean", &script_text("pass"));
    let argv: [&[&str]; 5] = [&["a"], &["b"], &["harm"], &["c"], &["d"]];
    let expected = stage.call(&clean, &argv);
    assert!(expected.iter().all(|reply| reply.result.ok), "{expected:?}");
    assert!(expected[3].result.stdout.ends_with("agent_0003 clean"), "{expected:?}");
    for (number, (harm, error_type, exit_code, said)) in harms.into_iter().enumerate() {
        let script = stage.script(&format!("harm_{number}"), &script_text(harm));
        let replies = stage.call(&script, &argv);
        assert_eq!(replies.len(), 5, "{harm}");
        for (index, (reply, clean)) in replies.iter().zip(&expected).enumerate() {
            assert_eq!(reply.agent, clean.agent);
            if index != 2 {
                assert_eq!(reply.result, clean.result, "call {index} beside {harm}");
            }
        }
        let result = &replies[2].result;
        assert!(!result.ok, "{harm}: {result:?}");
        assert_eq!((result.error_type, result.exit_code), (error_type, exit_code), "{result:?}");
        assert!(result.stderr.contains(said), "{harm}: {}", result.stderr);
    }
    assert!(!stage.workspaces.folder(AgentId(1)).join("x").exists());
}

/// Where scripts may start processes: those of a call are counted and end with it, and a copy of
/// the worker answers nothing.
#[test]
fn processes_of_a_call_end_with_it() {
    let text = "import os, sys, time\n\
        def entrypoint(argv):\n    \
            if argv[0] == 'stray':\n        \
                copied = os.fork()\n        \
                if not copied:\n            return 'a copy'\n        \
                os.waitpid(copied, 0)\n    \
            if argv[0] == 'leaves' and not os.fork():\n        \
                if not os.fork():\n            time.sleep(20)\n        os._exit(0)\n    \
            if argv[0] == 'bomb':\n        \
                [os.fork() or (time.sleep(20), os._exit(0)) for _ in range(12)]\n        \
                time.sleep(20)\n    \
            return argv[0] + ' ' + os.path.basename(os.getcwd())\n";
    let mut stage = Stage::new(|settings| {
        (settings.processes, settings.processes_max) = (true, 8);
    });
    let script = stage.script("forks", text);
    let words = ["a", "stray", "b", "leaves", "c", "bomb", "d"];
    let argv = words.map(|word| [word]);
    let argv: Vec<&[&str]> = argv.iter().map(<[&str; 1]>::as_slice).collect();
    let replies = stage.call(&script, &argv);
    for (agent, (word, reply)) in words.iter().zip(&replies).enumerate() {
        if *word == "bomb" {
            assert_eq!(reply.result.stderr, "more than 8 processes");
        } else {
            assert_eq!(reply.result.stdout, format!("{word} agent_{agent:04}"), "{reply:?}");
        }
    }
    // Nobody sleeps on in a folder of this stage.
    drop(stage.pool);
    let root = stage.workspaces.root();
    let is_left = |process: std::fs::DirEntry| {
        std::fs::read_link(process.path().join("cwd")).is_ok_and(|cwd| cwd.starts_with(root))
    };
    let anybody = || std::fs::read_dir("/proc").unwrap().flatten().any(is_left);
    // They were killed; the last of them may not have noticed.
    let patience = std::time::Instant::now() + Duration::from_secs(10);
    while anybody() {
        assert!(std::time::Instant::now() < patience, "processes outlived their call");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// The rest of the machine is out of reach: Landlock. Says so where the kernel has none.
#[test]
fn files_outside_are_out_of_reach() {
    if !crate::host::sandbox::Confinement::here().landlock {
        #[expect(clippy::print_stderr, reason = "a skipped test says so")]
        {
            eprintln!("SKIPPED: this kernel has no Landlock, so files are not confined");
        }
        return;
    }
    let mut stage = Stage::new(|_| {});
    let secret = tempfile::tempdir().unwrap();
    std::fs::write(secret.path().join("key"), "s3cret").unwrap();
    let text = "def entrypoint(argv, ctx):\n    return open(argv[0], argv[1]).read()\n";
    let script = stage.script("reader", text);
    let inside = secret.path().join("key");
    let inside = inside.to_str().unwrap();
    let replies = stage.call(&script, &[&[inside, "r"], &["made.txt", "w+"], &["/etc/x", "w"]]);
    let denied = |reply: &ScriptReply| reply.result.stderr.contains("PermissionError");
    assert!(denied(&replies[0]) && denied(&replies[2]), "{replies:?}");
    assert!(replies[1].result.ok && replies[1].touched, "{replies:?}");
    let (changes, _) = stage.workspaces.collect(&[AgentId(1)]);
    assert_eq!(changes.len(), 1);
    assert_eq!(changes[0].path, "made.txt");
}

/// What a worker answers, no script can write into but through the worker's own open file, and
/// that is seen: not another worker's journal, not its own by another way.
#[test]
fn journals_are_out_of_reach() {
    if !crate::host::sandbox::Confinement::here().landlock {
        #[expect(clippy::print_stderr, reason = "a skipped test says so")]
        {
            eprintln!("SKIPPED: this kernel has no Landlock, so files are not confined");
        }
        return;
    }
    let text = "import glob, os\n\
        def opened(path):\n    \
            try:\n        \
                if '-python/' in path or '-python/journal' in os.readlink(path):\n            \
                    open(path, 'r+b').close()\n            \
                    return True\n    \
            except OSError:\n        return False\n\
        def entrypoint(argv):\n    \
            root = os.path.dirname(os.getcwd())\n    \
            paths = glob.glob(root + '-python/**/*', recursive=True)\n    \
            own = glob.glob('/proc/self/fd/*')\n    \
            assert any('journal' in os.readlink(path) for path in own[:-1]), own\n    \
            paths += own + glob.glob('/proc/[0-9]*/fd/*') + [root + '-python/new']\n    \
            return str([path for path in paths if opened(path)])\n";
    let mut stage = Stage::new(|settings| settings.workers = 2);
    let script = stage.script("reach", text);
    // Chunks for both workers; the second time both are there.
    let argv: Vec<&[&str]> = vec![&[]; 40];
    for _ in 0..2 {
        for reply in stage.call(&script, &argv) {
            assert_eq!((&*reply.result.stderr, &*reply.result.stdout), ("", "[]"));
        }
    }
}

/// Contract 1.4: module state lives on while the file stays the same; two skills with a module of
/// the same name do not see each other's.
#[test]
fn modules_are_kept_by_file_and_apart_by_skill() {
    let mut stage = Stage::new(|_| {});
    let text = "N = 0\ndef entrypoint(argv):\n    global N\n    N += 1\n    return f'{N}'\n";
    let counter = stage.script("counter", text);
    let said = |replies: Vec<ScriptReply>| -> Vec<String> {
        replies.into_iter().map(|reply| reply.result.stdout).collect()
    };
    assert_eq!(said(stage.call(&counter, &[&[], &[]])), ["1", "2"]);
    assert_eq!(said(stage.call(&counter, &[&[]])), ["3"]);
    stage.script("counter", &format!("{text}\n# changed\n"));
    assert_eq!(said(stage.call(&counter, &[&[]])), ["1"]);

    let skill = |stage: &Stage, name: &str| {
        let folder = stage.scripts.path().canonicalize().unwrap().join(name);
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("sibling.py"), format!("WHO = '{name}'\n")).unwrap();
        let text = "import sibling\ndef entrypoint(argv):\n    import sibling as again\n    \
                    return sibling.WHO + again.WHO\n";
        let path = folder.join("main.py");
        std::fs::write(&path, text).unwrap();
        let plain: &ScriptRef = &stage.script("plain", "");
        Arc::new(ScriptRef { skill_dir: folder, path, ..plain.clone() })
    };
    let (one, two) = (skill(&stage, "one"), skill(&stage, "two"));
    for _ in 0..2 {
        assert_eq!(said(stage.call(&one, &[&[]])), ["oneone"]);
        assert_eq!(said(stage.call(&two, &[&[]])), ["twotwo"]);
    }
}

/// Answers do not depend on how many workers there are.
#[test]
fn answers_are_the_same_for_any_number_of_workers() {
    let text = "import random\ndef entrypoint(argv, ctx):\n    \
                return f'{argv[0]} {random.random()} {ctx.random.random()} {hash(argv[0])}'\n";
    let argv: Vec<Vec<String>> = (0..10).map(|number| vec![format!("call {number}")]).collect();
    let argv: Vec<Vec<&str>> =
        argv.iter().map(|one| one.iter().map(String::as_str).collect()).collect();
    let argv: Vec<&[&str]> = argv.iter().map(Vec::as_slice).collect();
    let run = |workers: usize| {
        let mut stage = Stage::new(|settings| settings.workers = workers);
        let script = stage.script("draws", text);
        stage.call(&script, &argv)
    };
    let one = run(1);
    assert!(one.iter().all(|reply| reply.result.ok), "{one:?}");
    assert_eq!(one, run(3));
}

/// What one call changes in the process is not there in the next.
#[test]
fn nothing_is_left_over_from_one_call_to_the_next() {
    let text = "import os, sys, signal, time, warnings, decimal, locale, gc, threading\n\
        def seen():\n    \
            mask = os.umask(0o77)\n    os.umask(mask)\n    \
            return [mask, decimal.getcontext().prec, sys.gettrace(), sys.getprofile(),\n        \
                str(signal.getsignal(signal.SIGTERM)),\n        \
                signal.getitimer(signal.ITIMER_PROF)[0],\n        \
                type(sys.stdout).__name__, 'mark' in vars(sys.stdout),\n        \
                len(warnings.filters), os.environ.get('LEFT'), sys.argv,\n        \
                locale.setlocale(locale.LC_ALL), len(sys.path),\n        \
                gc.isenabled(), threading.active_count(), sys.getrecursionlimit(),\n        \
                os.path.basename(os.getcwd())[:5], 0]\n\
        def entrypoint(argv):\n    \
            before = seen()\n    \
            if argv[0] == 'dirt':\n        \
                os.umask(0o7); decimal.getcontext().prec = 3; sys.setprofile(print)\n        \
                sys.settrace(lambda *a: None)\n        \
                signal.signal(signal.SIGTERM, signal.SIG_IGN)\n        \
                signal.setitimer(signal.ITIMER_PROF, 900); sys.stdout.mark = 1\n        \
                sys.stdout = open(os.devnull, 'w'); warnings.simplefilter('error')\n        \
                locale.setlocale(locale.LC_ALL, 'C'); os.environ['LEFT'] = 'x'\n        \
                sys.argv = ['y']; sys.path.insert(0, 'z'); gc.disable(); os.chdir('/')\n        \
                os.putenv('RAW', 'x'); sys.setrecursionlimit(500)\n        \
                threading.Thread(target=time.sleep, args=(9,), daemon=True).start()\n    \
            return str(before[:-1])\n";
    let mut stage = Stage::new(|_| {});
    let script = stage.script("dirt", text);
    let replies = stage.call(&script, &[&["look"], &["dirt"], &["look"], &["look"]]);
    assert!(replies.iter().all(|reply| reply.result.ok), "{replies:#?}");
    for reply in &replies[1..] {
        assert_eq!(reply.result.stdout, replies[0].result.stdout);
    }
}

/// Bytes and text of a program come out in their order, whatever it wraps its output in.
#[test]
fn output_through_the_buffer_and_through_wrappers_is_kept() {
    let text = "import io, sys\nsys.stdout.reconfigure(encoding='utf-8')\nprint('one')\n\
        sys.stdout.buffer.write('zwei é\\n'.encode())\n\
        sys.stdout = io.TextIOWrapper(sys.stdout.buffer, encoding='utf-8')\nprint('three')\n";
    let mut stage = Stage::new(|_| {});
    let script = stage.script("prints", text);
    let replies = stage.call(&script, &[&[], &[]]);
    for reply in replies {
        assert_eq!(reply.result.stdout, "one\nzwei é\nthree\n", "{reply:?}");
    }
}

/// The usual generator is seeded for each call even where the call is the first to import it, and
/// what is drawn at import is the same in every worker.
#[test]
fn draws_do_not_depend_on_who_imports_first() {
    let text = "import random\nAT_IMPORT = random.random()\n\
        def entrypoint(argv):\n    import random\n    return f'{AT_IMPORT} {random.random()}'\n";
    let mut stage = Stage::new(|settings| settings.workers = 2);
    let script = stage.script("late", text);
    let replies = stage.call(&script, &[[].as_slice(); 10]);
    assert!(replies[0].result.ok, "{replies:?}");
    assert!(replies.iter().all(|reply| reply.result == replies[0].result), "{replies:?}");
}

/// Contract 2.1, 2.5, 2.8 and 2.10 of the SKILL.md dialects: a tree.py for Jianmu and its siblings
/// import here, and its nodes find state, tools and answers. What ticks them is the case's own.
#[test]
fn nodes_written_for_jianmu_import_and_work() {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases/jianmu_skill/waits");
    let mut stage = Stage::new(|settings| settings.readable.push(case.clone()));
    let plain: &ScriptRef = &stage.script("plain", "");
    let script = ScriptRef { path: case.join("run.py"), skill_dir: case.clone(), ..plain.clone() };
    let argv: [&[&str]; 4] = [
        &[r#"{"kind": "shout"}"#],
        &[r#"{"kind": "add"}"#],
        &[r#"{"kind": "add", "more": {"result": 5}}"#],
        &[r#"{"kind": "ask"}"#],
    ];
    let replies = stage.call(&Arc::new(script), &argv);
    let told = |reply: &ScriptReply| -> serde_json::Value {
        assert!(reply.result.ok, "{reply:?}");
        serde_json::from_str(&reply.result.stdout).unwrap()
    };
    let [shout, add, wrong, ask] = [0, 1, 2, 3].map(|index| told(&replies[index]));
    assert_eq!(shout["seen"], serde_json::json!(["SUCCESS"]));
    assert_eq!(shout["found"]["final_answer"], "HELLO");
    assert_eq!(shout["elsewhere"], "nothing");
    assert_eq!(add["seen"].as_array().unwrap().last().unwrap(), "SUCCESS");
    assert_eq!(add["seen"][0], "RUNNING");
    assert_eq!(add["found"]["skill_result"], serde_json::json!({"sum": 5}));
    // What is no status is a failure.
    assert_eq!(wrong["seen"].as_array().unwrap().last().unwrap(), "FAILURE");
    let asked = serde_json::json!(["AWAITING_USER_INPUT", "Where to?", {"kind": "place"}, "Ask"]);
    assert_eq!(ask["seen"], serde_json::json!(["RUNNING", asked, "SUCCESS", "read"]));
}

/// The path of the shared folder is one that only this user can enter.
#[test]
#[cfg(unix)]
fn the_root_is_private() {
    use std::os::unix::fs::PermissionsExt;
    let workspaces = Workspaces::create().unwrap();
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode();
    assert_eq!(mode(workspaces.root()) & 0o777, 0o700);
}
