//! Rows that a batch of script answers leaves: hooks and failures.

use crate::agent::hook::{HookAction, HookText};
use crate::agent::request::ErrorType;
use crate::base::context::StepContext;
use crate::record::columns::cell::EpochMs;
use crate::record::tables::log::HookRow;
use crate::step::state::{ChunkState, LogPolicy, Rules, StepFailure, sampled};

/// Longest error output that a failure's message keeps, in bytes from its end.
const MESSAGE_BYTES: usize = 2_000;

/// Writes the row of `hooks` if the policy keeps it. `new` says whether the answer differs from
/// the one before it.
pub fn hook_row(
    context: &StepContext,
    rules: &Rules,
    skill_id: &str,
    text: &HookText,
    (action, segment): (HookAction, u8),
    new: bool,
    state: &mut ChunkState,
) {
    let kept = match rules.hooks {
        LogPolicy::All => true,
        LogPolicy::Changed => new || !text.result.ok,
        LogPolicy::Sample => sampled(context.seed, text.agent, rules.sample_share),
        LogPolicy::None => false,
    };
    if !kept {
        return;
    }
    let result = &text.result;
    state.rows.hooks.push(HookRow {
        tick: context.tick,
        datetime: EpochMs::at(&context.clock, context.time),
        agent_id: text.agent,
        skill_id,
        hook: text.hook,
        action,
        segment,
        error_type: result.error_type,
        output: if result.ok { &result.stdout } else { &result.stderr },
    });
}

/// Notes a script that is not well.
pub fn failure(text: &HookText, state: &mut ChunkState) {
    let result = &text.result;
    let code = match result.error_type {
        ErrorType::Validation => "script-validation",
        ErrorType::Timeout => "script-timeout",
        ErrorType::SystemExit => "script-systemexit",
        ErrorType::None | ErrorType::Runtime => "script-runtime",
    };
    let told = if result.stderr.is_empty() { &result.stdout } else { &result.stderr };
    let message = format!("exit code {}: {}", result.exit_code, tail(told.trim_end()));
    trouble(text, code, message, state);
}

/// Notes something else that went wrong around a script.
pub fn trouble(text: &HookText, code: &'static str, message: String, state: &mut ChunkState) {
    let skill_index = Some(text.skill_index);
    let (agent, phase) = (text.agent, text.hook.word());
    state.failures.push(StepFailure { agent, phase, skill_index, code, message });
}

/// The end of a text, from a character's border on.
pub(super) fn tail(text: &str) -> &str {
    let mut from = text.len().saturating_sub(MESSAGE_BYTES);
    while !text.is_char_boundary(from) {
        from += 1;
    }
    &text[from..]
}
