//! The controls of BehaviorTree.CPP.

use crate::behaviour::error::Fault;
use crate::behaviour::interpret::run::{Flow, Run, Stop};
use crate::behaviour::interpret::world::World;
use crate::behaviour::status::Status;
use crate::behaviour::tree::{Cpp, Node, NodeIndex, Param};
use crate::behaviour::value::Value;

/// Register of the child that is next; 0 is the first.
const CURRENT: u16 = 0;
/// Register of how many children were skipped.
const SKIPPED: u16 = 1;
/// Register that says whether a `TryCatch` is cleaning up.
const IN_CATCH: u16 = 2;

impl<W: World> Run<'_, W> {
    pub(super) fn act_control(&mut self, node: NodeIndex, found: Node, cpp: Cpp) -> Flow {
        match cpp {
            Cpp::Sequence { yields } => self.act_in_order(node, found, Status::Success, yields),
            Cpp::Fallback { yields } => self.act_in_order(node, found, Status::Failure, yields),
            Cpp::SequenceWithMemory => self.act_sequence_with_memory(node),
            Cpp::ReactiveSequence => self.act_reactive(node, Status::Success),
            Cpp::ReactiveFallback => self.act_reactive(node, Status::Failure),
            Cpp::Parallel(index) => self.act_parallel(node, index),
            Cpp::ParallelAll(failures) => self.act_parallel_all(node, failures),
            Cpp::IfThenElse => self.act_if_then_else(node),
            Cpp::WhileDoElse => self.act_while_do_else(node),
            Cpp::Switch(index) => self.act_switch(node, index),
            Cpp::TryCatch { .. } => self.act_try_catch(node),
            Cpp::Choose(choice) => self.act_choice(node, choice),
            _ => unreachable!("decorators go elsewhere"),
        }
    }

    /// The child that is next.
    #[inline]
    fn current(&mut self, node: NodeIndex) -> NodeIndex {
        match *self.register(node, CURRENT) {
            0 => node + 1,
            child => child as NodeIndex,
        }
    }

    /// Whether the node is neither idle nor skipped.
    #[inline]
    fn is_active(&self, node: NodeIndex) -> bool {
        !matches!(self.status(node), Status::Idle | Status::Skipped)
    }

    /// `Sequence` (goes on with success) and `Fallback` (goes on with failure). `yields` lets go
    /// between two children, so that the node can be interrupted there.
    pub(super) fn act_in_order(
        &mut self,
        node: NodeIndex,
        found: Node,
        goes_on: Status,
        yields: bool,
    ) -> Flow {
        let current = usize::from(found.register + CURRENT);
        let skipped = usize::from(found.register + SKIPPED);
        if !self.is_active(node) {
            self.state.registers[skipped] = 0;
        }
        self.set_status(node, Status::Running);
        let end = found.end;
        let mut child = match self.state.registers[current] {
            0 => node + 1,
            child => child as NodeIndex,
        };
        while child < end {
            let before = self.status(child);
            let status = self.tick_child(child)?;
            let next = self.end(child);
            if status == goes_on {
                if yields && before == Status::Idle && next < end {
                    self.state.registers[current] = u32::from(next);
                    self.wake_up();
                    return Ok(Status::Running);
                }
            } else if status == Status::Running {
                self.state.registers[current] = u32::from(child);
                return Ok(status);
            } else if status == Status::Skipped {
                self.state.registers[skipped] += 1;
            } else {
                self.reset_children(node)?;
                self.state.registers[current] = 0;
                return Ok(status);
            }
            child = next;
        }
        self.end_in_order(node, goes_on)
    }

    /// All children of a sequence or fallback went by.
    fn end_in_order(&mut self, node: NodeIndex, goes_on: Status) -> Flow {
        let skipped = *self.register(node, SKIPPED);
        self.reset_children(node)?;
        *self.register(node, CURRENT) = 0;
        *self.register(node, SKIPPED) = 0;
        let all = skipped != 0 && skipped == u32::from(self.child_count(node));
        Ok(if all { Status::Skipped } else { goes_on })
    }

    fn act_sequence_with_memory(&mut self, node: NodeIndex) -> Flow {
        if !self.is_active(node) {
            *self.register(node, SKIPPED) = 0;
        }
        self.set_status(node, Status::Running);
        let end = self.end(node);
        let mut child = self.current(node);
        while child < end {
            *self.register(node, CURRENT) = u32::from(child);
            let before = self.status(child);
            let status = self.tick_cpp(child)?;
            let next = self.end(child);
            match status {
                Status::Running => return Ok(status),
                Status::Failure => {
                    // The index stays, the children from there on are reset.
                    while child < end {
                        self.reset_cpp(child)?;
                        child = self.end(child);
                    }
                    return Ok(status);
                }
                Status::Skipped => *self.register(node, SKIPPED) += 1,
                _ => {
                    if before == Status::Idle && next < end {
                        *self.register(node, CURRENT) = u32::from(next);
                        self.wake_up();
                        return Ok(Status::Running);
                    }
                }
            }
            child = next;
        }
        self.end_in_order(node, Status::Success)
    }

    fn act_reactive(&mut self, node: NodeIndex, goes_on: Status) -> Flow {
        self.set_status(node, Status::Running);
        let end = self.end(node);
        let mut all_skipped = true;
        let mut child = node + 1;
        while child < end {
            let status = self.tick_child(child)?;
            all_skipped &= status == Status::Skipped;
            match status {
                Status::Running => {
                    let mut other = node + 1;
                    while other < end {
                        if other != child {
                            self.reset_cpp(other)?;
                        }
                        other = self.end(other);
                    }
                    return Ok(Status::Running);
                }
                Status::Skipped => self.reset_cpp(child)?,
                status if status == goes_on => {}
                _ => {
                    self.reset_children(node)?;
                    return Ok(status);
                }
            }
            child = self.end(child);
        }
        self.reset_children(node)?;
        Ok(if all_skipped { Status::Skipped } else { goes_on })
    }

    /// A threshold: a negative one counts from the number of children.
    fn threshold(&mut self, node: NodeIndex, param: Param, children: u32) -> Result<u32, Stop> {
        let wanted = i64::from(self.whole(node, param)?);
        let wanted = if wanted < 0 { i64::from(children) + wanted + 1 } else { wanted };
        Ok(u32::try_from(wanted.max(0)).unwrap_or(u32::MAX))
    }

    /// Whether the `position`-th child of a parallel is done; `word` is the first register of done
    /// or of succeeded children, a bit each.
    fn bit(&mut self, node: NodeIndex, word: u16, position: u16) -> bool {
        *self.register(node, word + position / 32) & (1 << (position % 32)) != 0
    }

    fn set_bit(&mut self, node: NodeIndex, word: u16, position: u16) {
        *self.register(node, word + position / 32) |= 1 << (position % 32);
    }

    fn bit_count(&mut self, node: NodeIndex, word: u16, words: u16) -> u32 {
        (word..word + words).map(|word| self.register(node, word).count_ones()).sum()
    }

    fn clear_bits(&mut self, node: NodeIndex, words: u16) {
        for word in 0..2 * words {
            *self.register(node, word) = 0;
        }
    }

    /// Ticks the `position`-th child of a parallel unless it is done, and keeps what came of it;
    /// gives 1 if it was skipped.
    fn tick_parallel_child(
        &mut self,
        node: NodeIndex,
        child: NodeIndex,
        position: u16,
        words: u16,
    ) -> Result<u32, Stop> {
        if self.bit(node, 0, position) {
            return Ok(0);
        }
        match self.tick_cpp(child)? {
            Status::Skipped => return Ok(1),
            Status::Success => {
                self.set_bit(node, 0, position);
                self.set_bit(node, words, position);
            }
            Status::Failure => self.set_bit(node, 0, position),
            Status::Running | Status::Idle => {}
        }
        Ok(0)
    }

    fn act_parallel(&mut self, node: NodeIndex, index: u16) -> Flow {
        let (successes, failures) = self.tree.parallels[usize::from(index)];
        let children = self.child_count(node);
        let words = children.div_ceil(32);
        let wanted = self.threshold(node, successes, children.into())?;
        let allowed = self.threshold(node, failures, children.into())?;
        let counts_skipped = self.whole(node, successes)? < 0;
        if wanted > children.into() || allowed > children.into() {
            return Err(self.fail(node, Fault::Threshold));
        }
        self.set_status(node, Status::Running);
        let mut skipped = 0;
        let mut child = node + 1;
        for position in 0..children {
            skipped += self.tick_parallel_child(node, child, position, words)?;
            child = self.end(child);
            let succeeded = self.bit_count(node, words, words);
            let failed = self.bit_count(node, 0, words) - succeeded;
            let status = if succeeded >= wanted || (counts_skipped && succeeded + skipped >= wanted)
            {
                Status::Success
            } else if u32::from(children) - failed < wanted || failed == allowed {
                Status::Failure
            } else {
                continue;
            };
            self.clear_bits(node, words);
            self.reset_children(node)?;
            return Ok(status);
        }
        let all = skipped == u32::from(children);
        Ok(if all { Status::Skipped } else { Status::Running })
    }

    fn act_parallel_all(&mut self, node: NodeIndex, failures: Param) -> Flow {
        let children = self.child_count(node);
        let words = children.div_ceil(32);
        let allowed = self.threshold(node, failures, children.into())?;
        if allowed > children.into() {
            return Err(self.fail(node, Fault::Threshold));
        }
        self.set_status(node, Status::Running);
        let mut skipped = 0;
        let mut child = node + 1;
        for position in 0..children {
            skipped += self.tick_parallel_child(node, child, position, words)?;
            child = self.end(child);
        }
        if skipped == u32::from(children) {
            return Ok(Status::Skipped);
        }
        let done = self.bit_count(node, 0, words);
        if skipped + done < u32::from(children) {
            return Ok(Status::Running);
        }
        let failed = done - self.bit_count(node, words, words);
        self.reset_children(node)?;
        self.clear_bits(node, words);
        Ok(if failed >= allowed { Status::Failure } else { Status::Success })
    }

    /// The second and the third child, if there is one.
    fn branches(&self, node: NodeIndex) -> (NodeIndex, Option<NodeIndex>) {
        let then = self.end(node + 1);
        let otherwise = self.end(then);
        (then, (otherwise < self.end(node)).then_some(otherwise))
    }

    fn act_if_then_else(&mut self, node: NodeIndex) -> Flow {
        self.set_status(node, Status::Running);
        let (then, otherwise) = self.branches(node);
        if *self.register(node, CURRENT) == 0 {
            let chosen = match self.tick_cpp(node + 1)? {
                Status::Success => then,
                Status::Failure => match otherwise {
                    Some(otherwise) => otherwise,
                    None => return Ok(Status::Failure),
                },
                // A skipped condition has no answer: BehaviorTree.CPP throws here.
                Status::Skipped => {
                    return Err(self.fail(node, Fault::SkippedCondition));
                }
                status => return Ok(status),
            };
            *self.register(node, CURRENT) = u32::from(chosen);
        }
        let chosen = self.current(node);
        let status = self.tick_cpp(chosen)?;
        if status != Status::Running {
            self.reset_children(node)?;
            *self.register(node, CURRENT) = 0;
        }
        Ok(status)
    }

    fn act_while_do_else(&mut self, node: NodeIndex) -> Flow {
        self.set_status(node, Status::Running);
        let (then, otherwise) = self.branches(node);
        let status = match self.tick_cpp(node + 1)? {
            Status::Running => return Ok(Status::Running),
            Status::Success => {
                if let Some(otherwise) = otherwise {
                    self.reset_cpp(otherwise)?;
                }
                self.tick_cpp(then)?
            }
            Status::Failure => match otherwise {
                Some(otherwise) => {
                    self.reset_cpp(then)?;
                    self.tick_cpp(otherwise)?
                }
                None => Status::Failure,
            },
            _ => {
                return Err(self.fail(node, Fault::SkippedCondition));
            }
        };
        if status != Status::Running {
            self.reset_children(node)?;
        }
        Ok(status)
    }

    fn act_switch(&mut self, node: NodeIndex, index: u16) -> Flow {
        let tree = self.tree;
        let switch = &tree.switches[usize::from(index)];
        let variable = self.value(node, switch.variable)?;
        let mut chosen = switch.cases.len();
        if variable != Value::Unset {
            for (position, case) in switch.cases.iter().enumerate() {
                let case = self.value(node, *case)?;
                if case != Value::Unset && variable.equals(case) {
                    chosen = position;
                    break;
                }
            }
        }
        let child = tree.children(node).nth(chosen).unwrap_or(node + 1);
        let running = *self.register(node, CURRENT) as NodeIndex;
        if running != 0 && running != child {
            self.reset_cpp(running)?;
        }
        let status = self.tick_cpp(child)?;
        *self.register(node, CURRENT) = match status {
            Status::Running => u32::from(child),
            Status::Skipped => 0,
            _ => {
                self.reset_children(node)?;
                0
            }
        };
        Ok(status)
    }

    /// Draws a child and runs it to its end.
    fn act_choice(&mut self, node: NodeIndex, choice: u16) -> Flow {
        let child = match *self.register(node, CURRENT) as NodeIndex {
            0 => self.draw_child(node, choice)?,
            child => Some(child),
        };
        let Some(child) = child else { return Ok(Status::Failure) };
        let status = self.tick_cpp(child)?;
        let runs = status == Status::Running;
        if !runs {
            self.reset_children(node)?;
        }
        *self.register(node, CURRENT) = if runs { u32::from(child) } else { 0 };
        Ok(status)
    }

    fn act_try_catch(&mut self, node: NodeIndex) -> Flow {
        if !self.is_active(node) {
            *self.register(node, SKIPPED) = 0;
            *self.register(node, IN_CATCH) = 0;
        }
        self.set_status(node, Status::Running);
        let last = self.tree.children(node).last().unwrap_or(node + 1);
        let mut child = self.current(node);
        while *self.register(node, IN_CATCH) == 0 && child < last {
            let status = self.tick_cpp(child)?;
            match status {
                Status::Running => {
                    *self.register(node, CURRENT) = u32::from(child);
                    return Ok(status);
                }
                Status::Failure => {
                    self.reset_children(node)?;
                    *self.register(node, IN_CATCH) = 1;
                }
                Status::Skipped => *self.register(node, SKIPPED) += 1,
                _ => {}
            }
            child = self.end(child);
        }
        let caught = *self.register(node, IN_CATCH) != 0;
        if caught && self.tick_cpp(last)? == Status::Running {
            return Ok(Status::Running);
        }
        let tries = u32::from(self.child_count(node)) - 1;
        let skipped = *self.register(node, SKIPPED);
        self.reset_children(node)?;
        for register in [CURRENT, SKIPPED, IN_CATCH] {
            *self.register(node, register) = 0;
        }
        Ok(match caught {
            true => Status::Failure,
            false if skipped == tries => Status::Skipped,
            false => Status::Success,
        })
    }

    /// Lets a `TryCatch` that is halted while it tries clean up.
    pub(super) fn catch_on_halt(&mut self, node: NodeIndex) -> Result<(), Stop> {
        if *self.register(node, IN_CATCH) != 0 || !self.is_active(node) {
            return Ok(());
        }
        let last = self.tree.children(node).last().unwrap_or(node + 1);
        let mut child = node + 1;
        while child < last {
            self.reset_cpp(child)?;
            child = self.end(child);
        }
        if self.tick_cpp(last)? == Status::Running {
            self.reset_cpp(last)?;
        }
        Ok(())
    }
}
