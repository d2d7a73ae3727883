//! The embedded rule language: Rhai scripts, in this process, within strict limits.
//!
//! A script has functions named like hooks, or `entrypoint(argv, person)`:
//!
//! ```text
//! fn pre_step(person, moment) {
//!     if person.needs.hunger < 0.3 && random() < 0.5 { #{ wish: "eat" } } else { () }
//! }
//! ```
//!
//! It has no files, no clock and no network. `random()` gives numbers in [0, 1) and
//! `random_int(a, b)` whole numbers from `a` to `b`, from the call's own stream.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use ::rhai::serde::{from_dynamic, to_dynamic};
use ::rhai::{AST, Dynamic, Engine, EvalAltResult, Scope};

use crate::agent::request::{
    ErrorType, ScriptBatch, ScriptCall, ScriptEntry, ScriptReply, ScriptResult,
};
use crate::base::parallel;
use crate::base::rng::{Purpose, Stream};

/// Steps of one call: some milliseconds.
const OPERATIONS_MAX: u64 = 1_000_000;
/// Calls within calls.
const LEVELS_MAX: usize = 32;
/// Nesting of one expression, outside and inside functions.
const DEPTH_MAX: (usize, usize) = (64, 32);
/// Characters of a text.
const TEXT_MAX: usize = 1 << 20;
/// Elements of a list or map.
const ELEMENTS_MAX: usize = 100_000;
/// Calls of one piece of parallel work.
const CHUNK: usize = 512;

thread_local! {
    /// The stream of the call under way on this thread.
    static DRAWS: RefCell<Stream> = RefCell::new(Stream::of_index(0, 0, Purpose::Script));
}

/// Size and time of change (seconds and nanoseconds) of a script's text when it was compiled.
type Key = (i64, i64, i64);

/// The language, and the scripts compiled so far.
pub struct Rules {
    engine: Engine,
    known: BTreeMap<PathBuf, (Key, Result<AST, String>)>,
}

impl Default for Rules {
    fn default() -> Self {
        Self { engine: engine(), known: BTreeMap::new() }
    }
}

fn engine() -> Engine {
    let mut engine = Engine::new();
    engine.set_max_operations(OPERATIONS_MAX);
    engine.set_max_call_levels(LEVELS_MAX);
    engine.set_max_expr_depths(DEPTH_MAX.0, DEPTH_MAX.1);
    engine.set_max_string_size(TEXT_MAX);
    engine.set_max_array_size(ELEMENTS_MAX);
    engine.set_max_map_size(ELEMENTS_MAX);
    engine.set_max_modules(0);
    engine.disable_symbol("eval");
    engine.on_print(|_| {});
    engine.on_debug(|_, _, _| {});
    engine.register_fn("random", || DRAWS.with_borrow_mut(Stream::unit_f64));
    engine.register_fn("random_int", |low: i64, high: i64| -> Result<i64, Box<EvalAltResult>> {
        let width = high.checked_sub(low).and_then(|width| u32::try_from(width).ok());
        match width.and_then(|width| width.checked_add(1)) {
            Some(count) => Ok(low + i64::from(DRAWS.with_borrow_mut(|draws| draws.below(count)))),
            None => {
                Err(format!("random_int({low}, {high}): the range is empty or too wide").into())
            }
        }
    });
    engine
}

impl Rules {
    /// Runs all calls of a batch, in parallel; replies in the order of the calls.
    pub fn run(&mut self, batch: &ScriptBatch, output_bytes: usize) -> Vec<ScriptReply> {
        self.compile(&batch.script.path);
        let ast = &self.known[&batch.script.path].1;
        let engine = &self.engine;
        let mut replies: Vec<Vec<ScriptReply>> =
            batch.calls.chunks(CHUNK).map(|_| Vec::new()).collect();
        let work: Vec<_> = batch.calls.chunks(CHUNK).zip(&mut replies).collect();
        parallel::for_each(work, |(calls, replies)| {
            replies.extend(calls.iter().map(|call| {
                let result = match ast {
                    Ok(ast) => run_one(engine, ast, &batch.entry, call, output_bytes),
                    Err(reason) => ScriptResult::failed(ErrorType::Runtime, 1, reason.clone()),
                };
                ScriptReply { agent: call.agent, result, touched: false }
            }));
        });
        replies.into_iter().flatten().collect()
    }

    /// Forgets all scripts.
    pub fn forget(&mut self) {
        self.known.clear();
    }

    fn compile(&mut self, path: &Path) {
        let key = rustix::fs::stat(path).map_or((0, 0, 0), |about| {
            (about.st_size, about.st_mtime, i64::from(about.st_mtime_nsec as u32))
        });
        if self.known.get(path).is_some_and(|(known, _)| *known == key) {
            return;
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let ast = std::fs::read_to_string(path)
            .map_err(|error| format!("{name}: {error}"))
            .and_then(|text| self.engine.compile(text).map_err(|error| format!("{name}: {error}")));
        self.known.insert(path.to_owned(), (key, ast));
    }
}

fn run_one(
    engine: &Engine,
    ast: &AST,
    entry: &ScriptEntry,
    call: &ScriptCall,
    output_bytes: usize,
) -> ScriptResult {
    let (low, high) = (call.seed as u32, (call.seed >> 32) as u32);
    DRAWS.set(Stream::of_index(u64::from(high), low, Purpose::Script));
    let person = call.person.as_ref().map_or(Ok(Dynamic::UNIT), to_dynamic);
    let given = person.and_then(|person| match entry {
        ScriptEntry::Hook(moment) => {
            let moment = to_dynamic(serde_json::json!({
                "hook_type": moment.hook.word(),
                "tick": moment.tick_s,
                "time": moment.time,
                "agent_id": call.agent.0,
                "step_count": moment.step_count,
            }))?;
            Ok((entry_name(entry), (person, moment)))
        }
        ScriptEntry::Command | ScriptEntry::Tree(_) => {
            Ok((entry_name(entry), (to_dynamic(&call.argv)?, person)))
        }
    });
    let outcome = given.and_then(|(name, arguments)| {
        engine.call_fn::<Dynamic>(&mut Scope::new(), ast, name, arguments)
    });
    match outcome.map_err(|error| error.to_string()).and_then(as_text) {
        Ok(text) if text.len() > output_bytes => {
            let message = format!("more than {output_bytes} bytes of output");
            ScriptResult::failed(ErrorType::Runtime, 1, message)
        }
        Ok(text) => ScriptResult::done(text),
        Err(message) => ScriptResult::failed(ErrorType::Runtime, 1, message),
    }
}

const fn entry_name(entry: &ScriptEntry) -> &'static str {
    match entry {
        ScriptEntry::Hook(moment) => moment.hook.word(),
        ScriptEntry::Command | ScriptEntry::Tree(_) => "entrypoint",
    }
}

/// Text as it is, nothing as nothing, all else as JSON.
fn as_text(value: Dynamic) -> Result<String, String> {
    if value.is_unit() {
        return Ok(String::new());
    }
    if value.is_string() {
        return value.into_string().map_err(|kind| format!("a {kind} is no text"));
    }
    let json: serde_json::Value = from_dynamic(&value).map_err(|error| error.to_string())?;
    Ok(json.to_string())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::agent::hook::HookType;
    use crate::agent::request::{HookMoment, ScriptRef, ScriptTier};
    use crate::base::ids::AgentId;

    fn run(text: &str, count: u32) -> Vec<ScriptResult> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("rule.rhai");
        std::fs::write(&path, text).unwrap();
        let call = |agent: u32| ScriptCall {
            agent: AgentId(agent),
            seed: u64::from(agent) << 32 | 5,
            argv: Vec::new(),
            person: Some(serde_json::json!({"age": 30 + agent, "needs": {"hunger": 0.25}})),
        };
        let batch = ScriptBatch {
            script: Arc::new(ScriptRef {
                skill_id: "custom@rule".into(),
                skill_name: "rule".into(),
                skill_dir: folder.path().to_owned(),
                path,
                tier: ScriptTier::Rhai,
            }),
            entry: ScriptEntry::Hook(HookMoment {
                hook: HookType::PreStep,
                tick_s: 300,
                time: "2026-03-02T09:00:00".into(),
                step_count: 3,
            }),
            calls: (0..count).map(call).collect(),
            time_limit_ms: None,
        };
        let replies = Rules::default().run(&batch, 1 << 16);
        replies.into_iter().map(|reply| reply.result).collect()
    }

    #[test]
    fn a_rule_reads_the_person_and_draws_from_its_own_stream() {
        let text = "fn pre_step(person, moment) {\n\
                    #{ age: person.age, hungry: person.needs.hunger < 0.3,\n\
                    step: moment.step_count, die: random_int(1, 6), u: random() }\n}";
        let results = run(text, 1_500);
        assert_eq!(results, run(text, 1_500));
        assert_ne!(results[0].stdout, results[1].stdout);
        let first: serde_json::Value = serde_json::from_str(&results[7].stdout).unwrap();
        assert_eq!(
            (&first["age"], &first["hungry"], &first["step"]),
            (&37.into(), &true.into(), &3.into())
        );
        let dice: Vec<i64> = results
            .iter()
            .map(|result| {
                serde_json::from_str::<serde_json::Value>(&result.stdout).unwrap()["die"]
                    .as_i64()
                    .unwrap()
            })
            .collect();
        assert!(
            (1..=6).all(|face| dice.iter().filter(|die| **die == face).count() > 180),
            "{dice:?}"
        );
    }

    #[test]
    fn a_rule_cannot_run_away_and_says_where_it_is_wrong() {
        for (text, part) in [
            ("fn pre_step(p, m) { loop { } }", "operations"),
            ("fn pre_step(p, m) { pre_step(p, m) }", "overflow"),
            ("fn pre_step(p, m) { let s = \"x\"; loop { s += s; } }", "too large"),
            ("fn pre_step(p, m) { p.nothing.more }", "line 1"),
            ("fn pre_step(p, m) { eval(\"1\") }", "eval"),
            ("fn other() { 1 }", "pre_step"),
            ("fn pre_step(p, m) {\n  let = 1; }", "line 2"),
            ("fn pre_step(p, m) { random_int(5, 4) }", "range is empty"),
        ] {
            let result = run(text, 1).remove(0);
            assert_eq!((result.ok, result.error_type), (false, ErrorType::Runtime), "{text}");
            let told = result.stderr.to_lowercase();
            assert!(told.contains(part), "{text}: {told}");
        }
    }
}
