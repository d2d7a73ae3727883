//! A host that runs nothing and answers by seed: well, late, twice, not at all, or with rubbish.

use std::fs;
use std::path::PathBuf;

use populace::agent::activity::Activity;
use populace::agent::person::Role;
use populace::agent::plan::{LocationPolicy, Segment};
use populace::agent::request::{
    ErrorType, FailingScript, Quarantined, ScriptBatch, ScriptCall, ScriptEntry, ScriptRef,
    ScriptReply, ScriptResult,
};
use populace::base::ids::AgentId;
use populace::base::rng::{Purpose, Stream};
use populace::host::ScriptHost;
use populace::host::sandbox::Confinement;
use populace::host::workspace::folder_name;
use populace::skill::native::daily_guidance::story_file::document::{PersonContext, render};

/// The faulty host.
pub struct Faulty {
    seed: u64,
    workspaces: PathBuf,
    /// Calls from this step on are answered well; steps are counted from 1.
    well_from: u32,
    step: u32,
}

impl Faulty {
    pub fn new(seed: u64, workspaces: PathBuf, well_from: u32) -> Self {
        Self { seed, workspaces, well_from, step: 0 }
    }

    /// The replies to one call: one, if the host kept to its promise.
    fn replies(&self, batch: &ScriptBatch, call: &ScriptCall) -> Vec<ScriptReply> {
        // By the call's own seed, so that no other call bears on it.
        let agent = call.agent;
        let mut stream = Stream::of_index(self.seed ^ call.seed, agent.0, Purpose::Script);
        let well = |touched| ScriptReply {
            agent,
            result: ScriptResult::done(answer(&batch.entry)),
            touched,
        };
        if self.step >= self.well_from {
            return vec![well(false)];
        }
        let failed = |kind, code, text: &str| ScriptReply {
            agent,
            result: ScriptResult::failed(kind, code, text),
            touched: false,
        };
        match stream.below(12) {
            0 => vec![failed(ErrorType::Timeout, -1, "command timed out after 5s")],
            1 => vec![failed(ErrorType::Runtime, -9, "killed")],
            2 => Vec::new(),
            3 => vec![well(false), well(false)],
            4 => vec![well(false), failed(ErrorType::Runtime, 1, "a second answer")],
            5 => vec![ScriptReply { agent: AgentId(stream.bits()), ..well(true) }],
            6 => {
                let mut text = answer(&batch.entry);
                text.truncate(stream.below(text.len() as u32 + 1) as usize);
                vec![ScriptReply { result: ScriptResult::done(text), ..well(false) }]
            }
            7 => {
                let rubbish = (0..stream.below(64)).map(|_| char::from(stream.bits() as u8));
                let result = ScriptResult::done(rubbish.collect::<String>());
                vec![ScriptReply { result, ..well(true) }]
            }
            8 => {
                let result = ScriptResult { error_type: ErrorType::Timeout, ..well(false).result };
                vec![ScriptReply { result, ..well(false) }]
            }
            9 => {
                self.write_story(agent, &mut stream);
                vec![well(true)]
            }
            _ => vec![well(false)],
        }
    }

    /// A Story of the day, whole or with its end missing.
    fn write_story(&self, agent: AgentId, stream: &mut Stream) {
        let folder = self.workspaces.join(folder_name(agent));
        let folder = folder.join("state/daily_guidance/2026-03-02");
        if fs::create_dir_all(&folder).is_err() {
            return;
        }
        let out = 360 + stream.below(600) as u16;
        let segment = |activity, policy, start, end| Segment::of(activity, policy, start, end);
        let segments = [
            segment(Activity::Home, LocationPolicy::Home, 0, out),
            segment(Activity::Shop, LocationPolicy::City, out, out + 90),
            segment(Activity::Home, LocationPolicy::Home, out + 90, 1_440),
        ];
        let person = PersonContext {
            agent,
            name: "Somebody",
            role: Role::ALL[0],
            age: None,
            household_size: None,
        };
        let date = jiff::civil::date(2026, 3, 2);
        let mut text = render(&person, date, None, &segments, &[]).into_bytes();
        if stream.below(2) == 0 {
            text.truncate(stream.below(text.len() as u32) as usize);
        }
        let _ = fs::write(folder.join("story.yaml"), text);
    }
}

/// What a script that is well says.
fn answer(entry: &ScriptEntry) -> String {
    match entry {
        ScriptEntry::Tree(_) => {
            r#"{"status":"SUCCESS","skill_result":{"n":1},"final_answer":"a","done":true}"#.into()
        }
        ScriptEntry::Hook(_) => r#"{"mood": 3}"#.into(),
        ScriptEntry::Command => "7".into(),
    }
}

impl ScriptHost for Faulty {
    fn run(&mut self, batches: &[ScriptBatch]) -> Vec<Vec<ScriptReply>> {
        for batch in batches {
            if let ScriptEntry::Hook(moment) = &batch.entry {
                self.step = moment.step_count;
            }
        }
        let of_batch = |batch: &ScriptBatch| {
            let replies = batch.calls.iter().flat_map(|call| self.replies(batch, call));
            let mut replies: Vec<ScriptReply> = replies.collect();
            // Now and then in another order; and once in a while none of them, or more of them.
            let seed = self.seed ^ batch.calls.first().map_or(0, |call| call.seed);
            let mut stream = Stream::of_index(seed, self.step, Purpose::ModelOrder);
            if self.step < self.well_from {
                match stream.below(10) {
                    0 => replies.reverse(),
                    1 => {
                        let half = replies.len() / 2;
                        replies.rotate_left(half);
                    }
                    2 => replies.clear(),
                    _ => {}
                }
            }
            replies
        };
        batches.iter().map(of_batch).collect()
    }

    fn reload(&mut self) {}

    fn is_quarantined(&self, _: &ScriptRef) -> bool {
        false
    }

    fn quarantined(&self) -> Vec<Quarantined> {
        Vec::new()
    }

    fn failing(&self) -> Vec<FailingScript> {
        Vec::new()
    }

    fn recall(&mut self, _: Vec<FailingScript>) {}

    fn confinement(&self) -> Confinement {
        Confinement { seccomp: false, landlock: false }
    }
}
