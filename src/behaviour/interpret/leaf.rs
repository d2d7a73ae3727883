//! Leaves of both dialects, and the lists that loops and queues go through.

use crate::behaviour::compile::ARGUMENTS_MAX;
use crate::behaviour::error::Fault;
use crate::behaviour::expression::SlotIndex;
use crate::behaviour::status::Status;
use crate::behaviour::tree::{Leaf, LeafSpec, List, NodeIndex, Source};
use crate::behaviour::value::Value;

use super::run::{Flow, Run, Stop};
use super::world::{LeafCall, World};

/// The most ports of a leaf that the world carries out.
pub(in crate::behaviour) const PORTS_MAX: usize = 8;

impl<W: World> Run<'_, W> {
    /// Ticks a leaf. `fresh` says that it was not running.
    #[inline(always)]
    pub(super) fn tick_leaf(&mut self, node: NodeIndex, leaf: Leaf, fresh: bool) -> Flow {
        match leaf {
            Leaf::Constant(status) => Ok(status),
            Leaf::Outside(index) | Leaf::Action(index) => self.tick_outside(node, index, fresh),
            Leaf::Check(program) => {
                let holds = self.is_true(node, program)?;
                Ok(if holds { Status::Success } else { Status::Failure })
            }
            Leaf::Script(program) => {
                self.evaluate(node, program)?;
                Ok(Status::Success)
            }
            other => self.tick_other(node, other, fresh),
        }
    }

    #[inline]
    fn tick_outside(&mut self, node: NodeIndex, index: u16, fresh: bool) -> Flow {
        let tree = self.tree;
        let leaf: &LeafSpec = &tree.leaves[usize::from(index)];
        match &leaf.constants {
            Some(inputs) => self.call_outside(leaf, fresh, inputs, &[]),
            None => self.tick_outside_with_slots(node, leaf, fresh),
        }
    }

    fn tick_outside_with_slots(&mut self, node: NodeIndex, leaf: &LeafSpec, fresh: bool) -> Flow {
        let mut inputs = [Value::Unset; PORTS_MAX];
        for (input, source) in inputs.iter_mut().zip(&leaf.ports) {
            *input = self.value(node, *source)?;
        }
        let mut arguments = [Value::Unset; ARGUMENTS_MAX];
        for (argument, program) in arguments.iter_mut().zip(&leaf.arguments) {
            *argument = self.evaluate(node, *program)?;
        }
        let arguments = &arguments[..leaf.arguments.len()];
        self.call_outside(leaf, fresh, &inputs[..leaf.ports.len()], arguments)
    }

    #[inline]
    fn call_outside(
        &mut self,
        leaf: &LeafSpec,
        fresh: bool,
        inputs: &[Value],
        arguments: &[Value],
    ) -> Flow {
        let tree = self.tree;
        let call = LeafCall { leaf, fresh, inputs, arguments, tree, state: &mut self.state };
        self.world.tick_leaf(call).map_err(|fault| self.fail(leaf.node, fault))
    }

    fn tick_other(&mut self, node: NodeIndex, leaf: Leaf, fresh: bool) -> Flow {
        let done = |yes: bool| if yes { Status::Success } else { Status::Failure };
        let wait = |yes: bool| if yes { Status::Success } else { Status::Running };
        Ok(match leaf {
            Leaf::WaitFor(program) => wait(self.is_true(node, program)?),
            Leaf::Set { slot, write, overwrite } => {
                if !overwrite && self.state.slot(slot) != Value::Unset {
                    return Ok(Status::Failure);
                }
                let source: Source = self.tree.writes[usize::from(write)];
                let value = self.value(node, source)?;
                self.write(node, slot, value)?;
                Status::Success
            }
            Leaf::Unset(slot) => {
                self.write(node, slot, Value::Unset)?;
                Status::Success
            }
            Leaf::IsSet(slot) => done(self.state.slot(slot) != Value::Unset),
            Leaf::WaitSet(slot) => wait(self.state.slot(slot) != Value::Unset),
            Leaf::StatusOf(slot) => match self.state.slot(slot) {
                Value::Status(status) => status,
                Value::Unset => return Err(self.fail(node, Fault::Unset(slot))),
                _ => return Err(self.fail(node, Fault::NotAStatus(slot))),
            },
            Leaf::Pause { duration, beyond } => {
                if fresh {
                    *self.register(node, 0) = self.world.now().0;
                }
                let started = u64::from(*self.register(node, 0)) * 1_000;
                let duration = u64::try_from(self.whole(node, duration)?).unwrap_or(0);
                wait(self.now_ms() >= started + duration + u64::from(beyond))
            }
            Leaf::WasUpdated(slot) => done(self.was_updated(node, slot)),
            Leaf::Periodic(period) => {
                let count = *self.register(node, 0) + 1;
                let turn = count > period.unsigned_abs();
                *self.register(node, 0) = if turn { 0 } else { count };
                let response = self.register(node, 1);
                *response = (*response + u32::from(turn)) % 3;
                [Status::Running, Status::Success, Status::Failure][*response as usize]
            }
            Leaf::EveryN(n) => {
                let count = self.register(node, 0);
                *count = count.wrapping_add(1);
                done(n != 0 && count.is_multiple_of(n.unsigned_abs()))
            }
            Leaf::TickCounter { ticks, then } => {
                let count = self.register(node, 0);
                *count = if fresh { 1 } else { count.saturating_add(1) };
                if i64::from(*count) <= i64::from(ticks) { Status::Running } else { then }
            }
            Leaf::Queue { list, eventually } => self.next_of_queue(node, list, eventually)?,
            Leaf::Chance(index) => self.draw(index),
            Leaf::Constant(_)
            | Leaf::Outside(_)
            | Leaf::Action(_)
            | Leaf::Check(_)
            | Leaf::Script(_) => {
                unreachable!("handled by tick_leaf")
            }
        })
    }

    /// Success, failure or running at random, by weights.
    fn draw(&mut self, index: u16) -> Status {
        let weights = self.tree.weights[usize::from(index)];
        let total: f64 = weights.iter().map(|weight| f64::from(*weight)).sum();
        let mut left = self.world.unit_random() * total;
        let outcomes = [Status::Success, Status::Failure, Status::Running];
        let mut drawn = Status::Running;
        for (outcome, weight) in outcomes.into_iter().zip(weights) {
            left -= f64::from(weight);
            if weight > 0.0 {
                drawn = outcome;
                if left < 0.0 {
                    break;
                }
            }
        }
        drawn
    }

    fn next_of_queue(&mut self, node: NodeIndex, list: u16, then: Option<Status>) -> Flow {
        let tree = self.tree;
        let List::Const(queue) = &tree.lists[usize::from(list)] else {
            unreachable!("the compiler takes only written queues of statuses")
        };
        let position = *self.register(node, 0) as usize;
        let next = match (queue.get(position), then) {
            (Some(value), _) => {
                *self.register(node, 0) = position as u32 + 1;
                *value
            }
            (None, Some(status)) => return Ok(status),
            (None, None) => {
                *self.register(node, 0) = 1;
                queue[0]
            }
        };
        match next {
            Value::Status(status) => Ok(status),
            _ => unreachable!("the compiler takes only queues of statuses"),
        }
    }

    /// Whether a slot was written since this was asked last by the same node.
    pub(super) fn was_updated(&mut self, node: NodeIndex, slot: SlotIndex) -> bool {
        let version = self.tree.slots[usize::from(slot.0)].version;
        let now = version.map_or(0, |register| self.state.registers[usize::from(register)]);
        std::mem::replace(self.register(node, 0), now) != now
    }

    /// The entry of a list at `position`, if there is one.
    pub(super) fn entry(
        &mut self,
        node: NodeIndex,
        list: u16,
        position: u32,
    ) -> Result<Option<Value>, Stop> {
        let tree = self.tree;
        match &tree.lists[usize::from(list)] {
            List::Const(values) => Ok(values.get(position as usize).copied()),
            List::Slot(slot, kind) => match self.state.slot(*slot) {
                Value::Unset => Err(self.fail(node, Fault::Unset(*slot))),
                Value::Text(text) => {
                    let parts = text.as_str().split(';').filter(|part| !part.is_empty());
                    let Some(part) = parts.clone().nth(position as usize) else { return Ok(None) };
                    let value = kind.parse(part.trim());
                    value.map(Some).ok_or_else(|| self.fail(node, Fault::NotWhole))
                }
                single => Ok((position == 0).then_some(single)),
            },
        }
    }
}
