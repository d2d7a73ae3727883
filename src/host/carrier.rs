//! What the engine asks of whatever runs scripts: this room's runner, or another that scripts its
//! answers.

use super::sandbox::Confinement;
use crate::agent::request::{FailingScript, Quarantined, ScriptBatch, ScriptRef, ScriptReply};

/// Something that runs scripts.
pub trait ScriptHost: Send + Sync {
    /// Runs all calls. Gives one list of replies per batch, in the order of the batch's calls:
    /// every call has exactly one reply.
    fn run(&mut self, batches: &[ScriptBatch]) -> Vec<Vec<ScriptReply>>;

    /// The replies to one batch, one for each call even if the host did not keep to its promise.
    fn ask(&mut self, batch: &ScriptBatch) -> Vec<ScriptReply> {
        let replies = self.run(std::slice::from_ref(batch)).pop().unwrap_or_default();
        ScriptReply::settle(&batch.calls, replies)
    }

    /// Forgets what it keeps of scripts' text: a new generation of skills begins.
    fn reload(&mut self);

    /// Whether a script is not called any more, so that nothing need be made ready for it.
    fn is_quarantined(&self, script: &ScriptRef) -> bool;

    /// The scripts that are not called any more, by path.
    fn quarantined(&self) -> Vec<Quarantined>;

    /// What is remembered of scripts from one call to the next.
    fn failing(&self) -> Vec<FailingScript>;

    /// Takes over what another host remembered.
    fn recall(&mut self, failing: Vec<FailingScript>);

    /// What confines them.
    fn confinement(&self) -> Confinement;
}
