//! The rules of BehaviorTree.CPP 4.10: a node's life (conditions, halting) and the root's tick.
//! What each control and decorator does stands in [`controls`] and [`decorators`].

mod controls;
mod decorators;

use crate::behaviour::status::Status;
use crate::behaviour::tree::{Cpp, Kind, Leaf, Node, NodeIndex, Rules};

use super::run::{Flow, Run, Stop, TickMode, WAKE_UPS_MAX};
use super::world::World;

impl<W: World> Run<'_, W> {
    /// Ticks the root: once, or again while a node asks for it.
    pub(super) fn tick_cpp_root(&mut self, mode: TickMode) -> Flow {
        self.woken = false;
        let mut status = self.tick_cpp(0)?;
        let mut left = WAKE_UPS_MAX;
        while mode == TickMode::Once && self.woken && status == Status::Running && left > 0 {
            self.woken = false;
            left -= 1;
            status = self.tick_cpp(0)?;
        }
        if status.is_completed() {
            self.set_status(0, Status::Idle);
        }
        Ok(status)
    }

    /// Ticks a node: its conditions, what it does, what follows from that.
    pub(super) fn tick_cpp(&mut self, node: NodeIndex) -> Flow {
        self.tick_child(node)
    }

    /// The same within the loop of a parent: leaves without conditions, the most frequent nodes by
    /// far, are ticked without a call. Inlined by order, for the compiler sees a recursion here.
    #[inline(always)]
    pub(super) fn tick_child(&mut self, node: NodeIndex) -> Flow {
        let found = &self.tree.nodes[usize::from(node)];
        let (Kind::Leaf(leaf), Node::NO_RULES) = (found.kind, found.rules) else {
            return self.tick_cpp_node(node, *found);
        };
        let fresh = self.status(node) != Status::Running;
        let status = self.tick_leaf(node, leaf, fresh)?;
        if status != Status::Skipped {
            self.set_status(node, status);
        }
        Ok(status)
    }

    fn tick_cpp_node(&mut self, node: NodeIndex, found: Node) -> Flow {
        let Node { kind, rules, is_decorator, .. } = found;
        let status = match (kind, rules) {
            (Kind::Cpp(Cpp::Sequence { yields }), Node::NO_RULES) => {
                self.act_in_order(node, found, Status::Success, yields)?
            }
            (Kind::Cpp(Cpp::Fallback { yields }), Node::NO_RULES) => {
                self.act_in_order(node, found, Status::Failure, yields)?
            }
            (_, Node::NO_RULES) => self.act_cpp(node, found)?,
            _ => self.act_with_rules(node, found)?,
        };
        // A skipped node keeps its status; only its parent hears of it.
        if status != Status::Skipped {
            self.set_status(node, status);
        }
        if is_decorator && self.status(node + 1).is_completed() {
            self.set_status(node + 1, Status::Idle);
        }
        Ok(status)
    }

    fn act_cpp(&mut self, node: NodeIndex, found: Node) -> Flow {
        match found.kind {
            Kind::Leaf(leaf) => {
                let fresh = self.status(node) != Status::Running;
                self.tick_leaf(node, leaf, fresh)
            }
            Kind::Cpp(cpp) if found.is_decorator => self.act_decorator(node, cpp),
            Kind::Cpp(cpp) => self.act_control(node, found, cpp),
            Kind::Py(_) => unreachable!("a tree has the nodes of its dialect"),
        }
    }

    fn act_with_rules(&mut self, node: NodeIndex, found: Node) -> Flow {
        let rules: Rules = self.tree.rules[usize::from(found.rules)];
        let status = match self.check_before(node, rules)? {
            Some(status) => status,
            None => self.act_cpp(node, found)?,
        };
        let own = match status {
            Status::Success => rules.on_success,
            Status::Failure => rules.on_failure,
            _ => return Ok(status),
        };
        for program in [own, rules.post].into_iter().flatten() {
            self.evaluate(node, program)?;
        }
        Ok(status)
    }

    /// The preconditions of a node: the status that one of them gives it, if any does. All but
    /// `_while` count only before the node runs.
    fn check_before(&mut self, node: NodeIndex, rules: Rules) -> Result<Option<Status>, Stop> {
        let running = self.status(node) == Status::Running;
        let idle = matches!(self.status(node), Status::Idle | Status::Skipped);
        if idle {
            let conditions = [
                (rules.failure_if, Status::Failure),
                (rules.success_if, Status::Success),
                (rules.skip_if, Status::Skipped),
            ];
            for (program, status) in conditions {
                if let Some(program) = program
                    && self.is_true(node, program)?
                {
                    return Ok(Some(status));
                }
            }
        }
        if let Some(program) = rules.while_true
            && (idle || running)
            && !self.is_true(node, program)?
        {
            if running {
                self.halt_cpp(node)?;
            }
            return Ok(Some(Status::Skipped));
        }
        Ok(None)
    }

    /// Asks for another tick at once, in mode [`TickMode::Once`].
    #[inline]
    pub(super) const fn wake_up(&mut self) {
        self.woken = true;
    }

    /// Halts a child if it runs, and makes it idle.
    #[inline]
    pub(super) fn reset_cpp(&mut self, child: NodeIndex) -> Result<(), Stop> {
        if self.status(child) == Status::Running {
            self.halt_cpp(child)?;
        }
        self.set_status(child, Status::Idle);
        Ok(())
    }

    /// Halts and resets all children of a node.
    pub(super) fn reset_children(&mut self, node: NodeIndex) -> Result<(), Stop> {
        let Node { end, has_only_leaves, .. } = self.tree.nodes[usize::from(node)];
        let mut child = node + 1;
        if has_only_leaves && !W::WATCHES {
            // They stand side by side; where none runs there is nobody to halt.
            let statuses = &mut self.state.statuses[usize::from(child)..usize::from(end)];
            if !statuses.contains(&(Status::Running as u8)) {
                statuses.fill(Status::Idle as u8);
                return Ok(());
            }
        }
        while child < end {
            self.reset_cpp(child)?;
            child = self.end(child);
        }
        Ok(())
    }

    /// Halts a node: its own memory, its children, its status, then its `_onHalted`.
    pub(super) fn halt_cpp(&mut self, node: NodeIndex) -> Result<(), Stop> {
        let Node { kind, rules, .. } = self.tree.nodes[usize::from(node)];
        match kind {
            Kind::Leaf(leaf) => {
                if let (Leaf::Outside(index) | Leaf::Action(index), Status::Running) =
                    (leaf, self.status(node))
                {
                    let tree = self.tree;
                    self.world.halt_leaf(&tree.leaves[usize::from(index)]);
                }
            }
            Kind::Cpp(cpp) => {
                self.forget_cpp(node, cpp)?;
                self.reset_children(node)?;
            }
            Kind::Py(_) => unreachable!("a tree has the nodes of its dialect"),
        }
        self.set_status(node, Status::Idle);
        if rules != Node::NO_RULES
            && let Some(program) = self.tree.rules[usize::from(rules)].on_halted
        {
            let told = self.evaluate(node, program).map(drop);
            self.unless_interrupting(told)?;
        }
        Ok(())
    }

    /// What a node forgets when it is halted.
    fn forget_cpp(&mut self, node: NodeIndex, cpp: Cpp) -> Result<(), Stop> {
        let count = match cpp {
            // The index of a sequence with memory outlives even this.
            Cpp::SequenceWithMemory | Cpp::RunOnce { .. } => 0,
            Cpp::TryCatch { catch_on_halt } => {
                if catch_on_halt {
                    let cleaned_up = self.catch_on_halt(node);
                    self.unless_interrupting(cleaned_up)?;
                }
                3
            }
            Cpp::SkipUnlessUpdated(_) | Cpp::WaitUpdate(_) => {
                *self.register(node, 1) = 0;
                0
            }
            other => other.register_count(self.child_count(node)),
        };
        for offset in 0..count {
            *self.register(node, offset) = 0;
        }
        Ok(())
    }

    pub(super) fn child_count(&self, node: NodeIndex) -> u16 {
        self.tree.children(node).count() as u16
    }
}
