//! A `story.yaml` that a script wrote is the person's Story from now on.

use jiff::civil::Date;

use crate::agent::file::FileChange;
use crate::agent::hook::{HookAction, HookOutcome};
use crate::agent::plan::{Segment, Story, StoryPool};
use crate::base::context::StepContext;
use crate::skill::native::daily_guidance::guide::follow;
use crate::skill::native::daily_guidance::story_file::document::parse;
use crate::skill::native::daily_guidance::story_file::workspace::story_file;

/// The Story that is among the changes of one person's files, if the day's was written.
///
/// # Errors
/// What is wrong with the document, field by field.
pub fn written(changes: &[FileChange], date: Date) -> Option<Result<Vec<Segment>, String>> {
    let path = story_file(date);
    let text = changes.iter().find(|change| change.path == path)?.text()?;
    Some(parse(text).map_err(|errors| {
        let all: Vec<String> = errors.iter().map(ToString::to_string).collect();
        format!("{path}: {}", all.join("; "))
    }))
}

/// Puts the segments in place of the person's Story; gives what was done.
pub fn adopt(
    context: &StepContext,
    story: &mut Story,
    pool: &mut StoryPool,
    segments: &[Segment],
) -> HookAction {
    let today = story.day == context.day && story.len > 0;
    pool.replace(story, segments);
    story.day = context.day;
    story.current = 0;
    story.revision = if today { story.revision.saturating_add(1) } else { 0 };
    if today { HookAction::RevisedAsked } else { HookAction::Created }
}

/// Follows the Story of a person by the clock, for whom no native skill does.
pub fn keep_up(
    context: &StepContext,
    story: &mut Story,
    pool: &StoryPool,
    action: HookAction,
) -> HookOutcome {
    if story.day != context.day {
        return HookOutcome::NONE;
    }
    let moved = follow(story, pool.of(story), context.minute, None);
    let action = match action {
        HookAction::None if moved => HookAction::NextSegment,
        HookAction::None => HookAction::Follow,
        done => done,
    };
    let segment = if story.current < story.len { story.current } else { u8::MAX };
    HookOutcome { action, segment }
}
