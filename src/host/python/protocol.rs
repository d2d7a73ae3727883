//! The frames between the engine and a worker: a length of four bytes (big-endian) and JSON.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::agent::request::{
    ErrorType, ScriptBatch, ScriptCall, ScriptEntry, ScriptResult, TreeCall,
};

/// Version of the protocol; both sides must have the same.
pub const VERSION: u32 = 3;

/// Largest frame read, in bytes: an answer with the largest output that a scenario may allow.
const FRAME_BYTES_MAX: usize = 1 << 30;

/// What is common to the calls of a request.
#[derive(Serialize)]
struct Request<'a> {
    script: &'a Path,
    skill: Skill<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hook: Option<Hook<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<&'a TreeCall>,
    limit_ms: u64,
    calls: Vec<(u32, u64, &'a [String])>,
}

#[derive(Serialize)]
struct Skill<'a> {
    id: &'a str,
    name: &'a str,
    dir: &'a Path,
}

#[derive(Serialize)]
struct Hook<'a> {
    hook_type: &'a str,
    tick: u32,
    time: &'a str,
    step_count: u32,
}

/// A request as a frame: `calls` are some of the calls of `batch`.
pub fn request_frame(batch: &ScriptBatch, calls: &[ScriptCall], limit_ms: u64) -> Vec<u8> {
    let script = &batch.script;
    let (hook, tree) = match &batch.entry {
        ScriptEntry::Command => (None, None),
        ScriptEntry::Tree(tree) => (None, Some(tree)),
        ScriptEntry::Hook(moment) => {
            let hook = Hook {
                hook_type: moment.hook.word(),
                tick: moment.tick_s,
                time: &moment.time,
                step_count: moment.step_count,
            };
            (Some(hook), None)
        }
    };
    let call = |call| {
        let ScriptCall { agent, seed, argv, .. }: &ScriptCall = call;
        (agent.0, *seed, argv.as_slice())
    };
    let request = Request {
        script: &script.path,
        skill: Skill { id: &script.skill_id, name: &script.skill_name, dir: &script.skill_dir },
        hook,
        tree,
        limit_ms,
        calls: calls.iter().map(call).collect(),
    };
    frame(&request)
}

/// The frame that makes a worker forget the scripts it knows.
pub fn forget_frame() -> Vec<u8> {
    frame(&serde_json::json!({ "forget": true }))
}

fn frame(document: &impl Serialize) -> Vec<u8> {
    let mut bytes = vec![0; 4];
    serde_json::to_writer(&mut bytes, document).expect("plain values; paths are UTF-8 by then");
    let length = u32::try_from(bytes.len() - 4).expect("a request is far below 4 GB");
    bytes[..4].copy_from_slice(&length.to_be_bytes());
    bytes
}

/// What a worker sends on its line.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Note {
    /// It is there.
    Ready {
        /// Version of its protocol.
        ready: u32,
    },
    /// A request is done.
    Done {
        /// Calls answered.
        done: usize,
        /// Whether a fresh worker should take over.
        spent: bool,
    },
}

/// One entry of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The call was carried out.
    Result {
        /// What came of it.
        result: ScriptResult,
        /// Whether files may have changed.
        touched: bool,
    },
    /// The script cannot be imported.
    ImportFailed,
}

/// The body of a frame, and the bytes after it.
pub type FrameAndRest<'a> = (&'a [u8], &'a [u8]);

/// The first frame of `bytes` and what follows it; `None` if there is no whole frame.
///
/// # Errors
/// What is wrong, for a length that no frame has.
pub fn split_frame(bytes: &[u8]) -> Result<Option<FrameAndRest<'_>>, String> {
    let Some((head, rest)) = bytes.split_first_chunk::<4>() else { return Ok(None) };
    let length = u32::from_be_bytes(*head) as usize;
    if length > FRAME_BYTES_MAX {
        return Err(format!("a frame of {length} bytes"));
    }
    Ok(rest.split_at_checked(length))
}

/// Reads a note.
///
/// # Errors
/// What is wrong with it.
pub fn read_note(body: &[u8]) -> Result<Note, String> {
    serde_json::from_slice(body).map_err(|error| format!("not a note: {error}"))
}

/// The answers of a journal in order: entry `k` must be numbered `k`. What is cut off at the end
/// is left out. Beside them stands what is wrong with the entry after the last of them, if the
/// journal was damaged there.
pub fn read_journal(mut bytes: &[u8]) -> (Vec<Answer>, Option<String>) {
    let mut answers = Vec::new();
    loop {
        let answer = match split_frame(bytes) {
            Ok(None) => return (answers, None),
            Ok(Some((body, rest))) => {
                bytes = rest;
                read_answer(body, answers.len())
            }
            Err(reason) => Err(reason),
        };
        match answer {
            Ok(answer) => answers.push(answer),
            Err(reason) => return (answers, Some(reason)),
        }
    }
}

/// An answer as it is written: the fields of a result, or the word `import`.
#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Result(usize, bool, i64, String, String, ErrorType, bool),
    ImportFailed(usize, ImportWord),
}

#[derive(Deserialize)]
enum ImportWord {
    #[serde(rename = "import")]
    Import,
}

fn read_answer(body: &[u8], expected: usize) -> Result<Answer, String> {
    let written =
        serde_json::from_slice(body).map_err(|error| format!("not an answer: {error}"))?;
    let (index, answer) = match written {
        Written::ImportFailed(index, ImportWord::Import) => (index, Answer::ImportFailed),
        Written::Result(index, ok, exit_code, stdout, stderr, error_type, touched) => {
            let exit_code = i32::try_from(exit_code).unwrap_or(i32::MAX);
            let result = ScriptResult { ok, exit_code, stdout, stderr, error_type };
            (index, Answer::Result { result, touched })
        }
    };
    if index != expected {
        return Err(format!("answer {index} where {expected} was due"));
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn framed(text: &str) -> Vec<u8> {
        let mut bytes = (text.len() as u32).to_be_bytes().to_vec();
        bytes.extend_from_slice(text.as_bytes());
        bytes
    }

    #[test]
    fn a_journal_is_read_up_to_where_it_breaks_off() {
        let mut bytes = framed(r#"[0,true,0,"out","","none",false]"#);
        bytes.extend(framed(r#"[1,"import"]"#));
        bytes.extend_from_slice(&framed(r#"[2,false,1,"","e","runtime",true]"#)[..20]);
        let (answers, damage) = read_journal(&bytes);
        assert_eq!(damage, None);
        let result = ScriptResult::done("out");
        let first = Answer::Result { result, touched: false };
        assert_eq!(answers, [first, Answer::ImportFailed]);
    }

    #[test]
    fn what_is_no_answer_is_refused_and_said() {
        let wrong = [
            (framed(r#"[7,"import"]"#), "where 0 was due"),
            (framed(r#"[0,"other"]"#), "not an answer"),
            (framed(r#"[0,true,0,"o","","great",false]"#), "not an answer"),
            (framed("[]"), "not an answer"),
            (vec![0xFF; 9], "a frame of"),
        ];
        for (bytes, part) in wrong {
            // What stands before the bad spot is kept.
            let good = framed(r#"[0,"import"]"#);
            let (answers, damage) = read_journal(&bytes);
            assert_eq!(answers, []);
            assert!(damage.is_some_and(|damage| damage.contains(part)), "{part}");
            let (answers, damage) = read_journal(&[good, bytes].concat());
            assert_eq!(answers, [Answer::ImportFailed]);
            assert!(damage.is_some(), "{part}");
        }
    }
}
