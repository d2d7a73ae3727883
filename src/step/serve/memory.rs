//! What script hooks remember from one tick to the next, for checkpoints.

use serde::{Deserialize, Serialize};

use super::hooks::{KeptHook, Scripts};
use crate::agent::hook::HookType;
use crate::agent::request::FailingScript;
use crate::host::workspace::{SavedFolder, Workspaces};

/// The memory of [`Scripts`]. What a script keeps in its interpreter is not in it.
#[derive(Debug, Serialize, Deserialize)]
pub struct ScriptMemory {
    /// Skill and hook, and the hash of what it said last to each person.
    last: Vec<(String, HookType, Vec<u64>)>,
    failing: Vec<FailingScript>,
    folders: Option<Vec<SavedFolder>>,
}

impl Scripts {
    /// What is remembered.
    ///
    /// # Errors
    /// A workspace that cannot be read.
    pub fn memory(&self) -> std::io::Result<ScriptMemory> {
        let last = self.hooks.iter().map(|kept| {
            let hook = &kept.hook;
            (hook.script.skill_id.clone(), hook.kind, kept.last.clone())
        });
        Ok(ScriptMemory {
            last: last.collect(),
            failing: self.host.as_ref().map(|host| host.failing()).unwrap_or_default(),
            folders: self.workspaces.as_ref().map(Workspaces::save).transpose()?,
        })
    }

    /// Remembers what other scripts did, those of the same skills and persons.
    ///
    /// # Errors
    /// A workspace that cannot be made; a hook that is not here.
    pub fn recall(&mut self, memory: ScriptMemory) -> std::io::Result<()> {
        let ScriptMemory { last, failing, folders } = memory;
        for (skill_id, kind, last) in last {
            let same = |kept: &&mut KeptHook| {
                kept.hook.kind == kind && kept.hook.script.skill_id == skill_id
            };
            match self.hooks.iter_mut().find(same) {
                Some(kept) if kept.last.len() == last.len() => kept.last = last,
                _ => {
                    let message = format!("there is no script hook {kind} of {skill_id} here");
                    return Err(std::io::Error::other(message));
                }
            }
        }
        if let Some(host) = &mut self.host {
            host.recall(failing);
        }
        if let Some(folders) = folders {
            let mut all = self.workspaces.take().map_or_else(Workspaces::create, Ok)?;
            all.restore(folders)?;
            self.workspaces = Some(all);
        }
        Ok(())
    }
}
