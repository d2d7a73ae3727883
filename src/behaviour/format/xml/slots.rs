//! The declared slots of a blackboard in XML, which has no words for them.
//!
//! They stand in a processing instruction before the root, `<?populace-blackboard {...}?>`, in our
//! own JSON: XML makes such an instruction for one reader and lets all others pass over it, schemas
//! of the elements do not see it, and BehaviorTree.CPP accepts it there (and only there). An
//! attribute or element of our own would be refused by a schema or lost in an editor's model.

use serde_json::Value;

use super::super::outline;
use super::super::problems::Problems;
use super::super::slots;
use crate::behaviour::definition::{Position, SlotDefinition};

/// Whom the instruction is for.
const TARGET: &str = "populace-blackboard";

/// The slots of the instruction among `instructions`, if there is one.
pub(super) fn read(
    instructions: &[(String, String, Position)],
    problems: &mut Problems,
) -> Vec<SlotDefinition> {
    let mut found = Vec::new();
    for (_, content, at) in instructions.iter().filter(|(target, ..)| target == TARGET) {
        let mut inner = Problems::default();
        if let Some(outline) = outline::parse_json(content, &mut inner) {
            let slots = slots::read(&outline, &mut inner).into_iter();
            found.extend(slots.map(|slot| SlotDefinition { at: *at, ..slot }));
        }
        problems.absorb(inner, *at);
    }
    found
}

/// The instruction, with its line end; nothing without slots.
pub(super) fn write(slots: &[SlotDefinition]) -> String {
    if slots.is_empty() {
        return String::new();
    }
    let json = Value::Object(slots::write(slots)).to_string();
    // `?>` would end the instruction; in JSON `>` stands in texts only.
    format!("<?{TARGET} {}?>\n", outline::escape_odd(&json).replace('>', "\\u003e"))
}
