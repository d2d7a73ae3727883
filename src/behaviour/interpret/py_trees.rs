//! The rules of py_trees 2.6.0: what its `composites.py` and `decorators.py` do, node by node.

use crate::behaviour::status::Status;
use crate::behaviour::tree::{Kind, Leaf, NodeIndex, Policy, Py};
use crate::behaviour::value::Value;

use super::run::{Flow, Run, Stop};
use super::world::World;

/// The register in which composites keep their current child; 0 is none.
const CURRENT: u16 = 0;

impl<W: World> Run<'_, W> {
    pub(super) fn tick_py(&mut self, node: NodeIndex) -> Flow {
        let kind = self.tree.nodes[usize::from(node)].kind;
        match kind {
            Kind::Leaf(leaf) => self.tick_py_leaf(node, leaf),
            Kind::Py(Py::Sequence { memory }) => self.tick_py_sequence(node, memory),
            Kind::Py(Py::Selector { memory }) => self.tick_py_selector(node, memory),
            Kind::Py(Py::Parallel { policy, synchronise }) => {
                self.tick_py_parallel(node, policy, synchronise)
            }
            Kind::Py(Py::Choose(choice)) => self.tick_py_choice(node, choice),
            Kind::Py(Py::Guard(program)) => {
                if self.is_true(node, program)? {
                    self.tick_py_decorator(node, Py::PassThrough)
                } else {
                    self.stop_py(node, Status::Failure);
                    Ok(Status::Failure)
                }
            }
            Kind::Py(Py::OneShot { .. }) if *self.register(node, 0) != 0 => {
                let kept = Status::from_byte(*self.register(node, 0) as u8);
                // Only the node itself ends here; its child is left alone.
                self.set_status(node, kept);
                Ok(kept)
            }
            Kind::Py(decorator) => self.tick_py_decorator(node, decorator),
            Kind::Cpp(_) => unreachable!("a tree has the nodes of its dialect"),
        }
    }

    #[inline]
    fn tick_py_leaf(&mut self, node: NodeIndex, leaf: Leaf) -> Flow {
        let fresh = self.status(node) != Status::Running;
        if fresh {
            self.world.initialised(node);
        }
        let status = self.tick_leaf(node, leaf, fresh)?;
        if status != Status::Running {
            let from = self.status(node);
            self.world.terminated(node, from, status);
        }
        self.set_status(node, status);
        Ok(status)
    }

    fn tick_py_sequence(&mut self, node: NodeIndex, memory: bool) -> Flow {
        let end = self.end(node);
        let mut child = node + 1;
        if child >= end {
            self.stop_py(node, Status::Success);
            return Ok(Status::Success);
        }
        if self.status(node) != Status::Running {
            self.stop_py_from(child, end);
        } else if memory {
            child = *self.register(node, CURRENT) as NodeIndex;
        }
        loop {
            *self.register(node, CURRENT) = u32::from(child);
            let status = self.tick_py(child)?;
            let next = self.end(child);
            if status != Status::Success {
                if !memory {
                    self.stop_py_from(next, end);
                }
                self.finish_py(node, status);
                return Ok(status);
            }
            if next >= end {
                self.finish_py(node, Status::Success);
                return Ok(Status::Success);
            }
            child = next;
        }
    }

    fn tick_py_selector(&mut self, node: NodeIndex, memory: bool) -> Flow {
        let end = self.end(node);
        let first = node + 1;
        if first >= end {
            self.stop_py(node, Status::Failure);
            return Ok(Status::Failure);
        }
        if self.status(node) != Status::Running {
            *self.register(node, CURRENT) = u32::from(first);
        }
        let previous = *self.register(node, CURRENT) as NodeIndex;
        let mut child = if memory { previous } else { first };
        self.stop_py_from(first, child);
        while child < end {
            let status = self.tick_py(child)?;
            let next = self.end(child);
            if matches!(status, Status::Running | Status::Success) {
                *self.register(node, CURRENT) = u32::from(child);
                if previous != child {
                    self.stop_py_from(next, end);
                }
                self.finish_py(node, status);
                return Ok(status);
            }
            *self.register(node, CURRENT) = u32::from(child);
            child = next;
        }
        self.finish_py(node, Status::Failure);
        Ok(Status::Failure)
    }

    fn tick_py_choice(&mut self, node: NodeIndex, choice: u16) -> Flow {
        let (first, end) = (node + 1, self.end(node));
        if self.status(node) != Status::Running {
            self.stop_py_from(first, end);
            let drawn = self.draw_child(node, choice)?;
            *self.register(node, CURRENT) = u32::from(drawn.unwrap_or(0));
        }
        let status = match *self.register(node, CURRENT) as NodeIndex {
            0 => Status::Failure,
            child => self.tick_py(child)?,
        };
        self.finish_py(node, status);
        Ok(status)
    }

    fn tick_py_parallel(&mut self, node: NodeIndex, policy: Policy, synchronise: bool) -> Flow {
        let (first, end) = (node + 1, self.end(node));
        if self.status(node) != Status::Running {
            self.stop_py_from(first, end);
            *self.register(node, CURRENT) = 0;
        }
        if first >= end {
            self.stop_py(node, Status::Success);
            return Ok(Status::Success);
        }
        let synchronise = synchronise && policy != Policy::One;
        let tree = self.tree;
        for child in tree.children(node) {
            if !(synchronise && self.status(child) == Status::Success) {
                self.tick_py(child)?;
            }
        }
        let last = tree.children(node).last().unwrap_or(first);
        let has = |status: Status| move |run: &Self, child: NodeIndex| run.status(child) == status;
        let failed = tree.children(node).find(|child| has(Status::Failure)(self, *child));
        let succeeded = |child: &NodeIndex| has(Status::Success)(self, *child);
        let (current, status) = match (failed, policy) {
            (Some(failed), _) => (failed, Status::Failure),
            (None, Policy::All) if tree.children(node).all(|child| succeeded(&child)) => {
                (last, Status::Success)
            }
            (None, Policy::One) => match tree.children(node).filter(succeeded).last() {
                Some(child) => (child, Status::Success),
                None => (last, Status::Running),
            },
            (None, Policy::Selected(index)) => {
                let selected = &tree.selections[usize::from(index)];
                match selected.last() {
                    Some(child) if selected.iter().all(succeeded) => (*child, Status::Success),
                    _ => (last, Status::Running),
                }
            }
            (None, Policy::All) => (last, Status::Running),
        };
        *self.register(node, CURRENT) = u32::from(current);
        if status != Status::Running {
            self.stop_py(node, status);
        }
        self.set_status(node, status);
        Ok(status)
    }

    fn tick_py_decorator(&mut self, node: NodeIndex, decorator: Py) -> Flow {
        let child = node + 1;
        if self.status(node) != Status::Running {
            self.initialise_py(node, decorator)?;
        }
        self.tick_py(child)?;
        let status = self.update_py(node, decorator, child)?;
        if status != Status::Running {
            self.stop_py(node, status);
        }
        self.set_status(node, status);
        Ok(status)
    }

    fn initialise_py(&mut self, node: NodeIndex, decorator: Py) -> Result<(), Stop> {
        match decorator {
            Py::Repeat(_) | Py::Retry(_) => *self.register(node, 0) = 0,
            Py::Timeout(_) => *self.register(node, 0) = self.world.now().0,
            Py::ForEach { .. } => {
                *self.register(node, 0) = 0;
                self.advance_py(node, decorator)?;
            }
            _ => {}
        }
        Ok(())
    }

    /// `ForEach`: writes the next entry to the blackboard. Register 0 is one past its position,
    /// register 1 whether there is one.
    fn advance_py(&mut self, node: NodeIndex, decorator: Py) -> Result<bool, Stop> {
        let Py::ForEach { list, target } = decorator else { return Ok(false) };
        let position = *self.register(node, 0);
        let entry = self.entry(node, list, position)?;
        *self.register(node, 0) = position + 1;
        *self.register(node, 1) = u32::from(entry.is_some());
        if let Some(value) = entry {
            self.write(node, target, value)?;
        }
        Ok(entry.is_some())
    }

    /// The `update` of a decorator, after its child was ticked.
    fn update_py(&mut self, node: NodeIndex, decorator: Py, child: NodeIndex) -> Flow {
        let status = self.status(child);
        Ok(match decorator {
            Py::Repeat(times) => match status {
                Status::Failure => Status::Failure,
                Status::Success => {
                    let count = self.register(node, 0);
                    *count += 1;
                    let done = i64::from(*count) == i64::from(times);
                    if done { Status::Success } else { Status::Running }
                }
                _ => Status::Running,
            },
            Py::Retry(times) => match status {
                Status::Failure => {
                    let count = self.register(node, 0);
                    *count += 1;
                    let again = i64::from(*count) < i64::from(times);
                    if again { Status::Running } else { Status::Failure }
                }
                Status::Running => Status::Running,
                _ => Status::Success,
            },
            Py::StatusToSlot(slot) => {
                self.write(node, slot, Value::Status(status))?;
                status
            }
            Py::Timeout(duration_ms) => {
                let started = u64::from(*self.register(node, 0)) * 1_000;
                let finish = started + u64::try_from(duration_ms).unwrap_or(0);
                if status == Status::Running && self.now_ms() > finish {
                    self.stop_py(child, Status::Idle);
                    Status::Failure
                } else {
                    status
                }
            }
            Py::Count => {
                *self.register(node, 0) += 1;
                *self.register(node, 1) += u32::from(status == Status::Running);
                status
            }
            Py::Map { from, to } if status == from => to,
            Py::Inverter if status == Status::Success => Status::Failure,
            Py::Inverter if status == Status::Failure => Status::Success,
            Py::Condition(wanted) => {
                if status == wanted {
                    Status::Success
                } else {
                    Status::Running
                }
            }
            Py::ForEach { .. } => {
                if *self.register(node, 1) == 0 {
                    Status::Success
                } else if status == Status::Success && self.advance_py(node, decorator)? {
                    Status::Running
                } else {
                    status
                }
            }
            _ => status,
        })
    }

    /// Ends a composite with the status of its child. Its other children are not told.
    #[inline]
    fn finish_py(&mut self, node: NodeIndex, status: Status) {
        self.set_status(node, status);
    }

    /// Interrupts every child from `child` up to `end` that is not idle.
    #[inline]
    fn stop_py_from(&mut self, mut child: NodeIndex, end: NodeIndex) {
        while child < end {
            if self.status(child) != Status::Idle {
                self.stop_py(child, Status::Idle);
            }
            child = self.end(child);
        }
    }

    /// `stop`: a node ends with `to`; idle means that it is interrupted, and its children with it.
    pub(super) fn stop_py(&mut self, node: NodeIndex, to: Status) {
        let (first, end) = (node + 1, self.end(node));
        match self.tree.nodes[usize::from(node)].kind {
            Kind::Leaf(leaf) => {
                let from = self.status(node);
                if let (Leaf::Outside(index) | Leaf::Action(index), Status::Running) = (leaf, from)
                {
                    let tree = self.tree;
                    self.world.halt_leaf(&tree.leaves[usize::from(index)]);
                }
                self.world.terminated(node, from, to);
            }
            Kind::Py(Py::Sequence { .. } | Py::Selector { .. } | Py::Choose(_)) => {
                if to == Status::Idle {
                    *self.register(node, CURRENT) = 0;
                    self.stop_py_from(first, end);
                }
            }
            Kind::Py(Py::Parallel { .. }) => {
                let mut child = first;
                while child < end {
                    if self.status(child) == Status::Running {
                        self.stop_py(child, Status::Idle);
                    }
                    child = self.end(child);
                }
                if to == Status::Idle {
                    *self.register(node, CURRENT) = 0;
                    self.stop_py_from(first, end);
                }
            }
            Kind::Py(decorator) => {
                self.terminate_py(node, decorator, to);
                if to == Status::Idle {
                    self.stop_py(first, Status::Idle);
                }
                if self.status(first) == Status::Running {
                    self.stop_py(first, Status::Idle);
                }
            }
            Kind::Cpp(_) => unreachable!("a tree has the nodes of its dialect"),
        }
        self.set_status(node, to);
    }

    /// The `terminate` of the decorators that have one.
    fn terminate_py(&mut self, node: NodeIndex, decorator: Py, to: Status) {
        match decorator {
            Py::OneShot { on_failure } => {
                let ends = to == Status::Success || (on_failure && to == Status::Failure);
                let kept = self.register(node, 0);
                if *kept == 0 && ends {
                    *kept = to as u32;
                }
            }
            Py::Count => {
                let offset = match to {
                    Status::Success => 2,
                    Status::Failure => 3,
                    _ => 4,
                };
                *self.register(node, offset) += 1;
            }
            Py::ForEach { .. } => {
                *self.register(node, 0) = 0;
                *self.register(node, 1) = 0;
            }
            _ => {}
        }
    }

    /// The deepest node that the last tick reached; nothing if the tree is idle.
    pub fn tip(&mut self) -> Option<NodeIndex> {
        let mut node = 0;
        loop {
            let next = match self.tree.nodes[usize::from(node)].kind {
                Kind::Leaf(_) | Kind::Cpp(_) => None,
                Kind::Py(Py::Sequence { .. } | Py::Selector { .. } | Py::Parallel { .. }) => {
                    let current = *self.register(node, CURRENT) as NodeIndex;
                    (current != 0).then_some(current)
                }
                Kind::Py(_) => (self.status(node + 1) != Status::Idle).then_some(node + 1),
            };
            match next {
                Some(child) => node = child,
                None => return (self.status(node) != Status::Idle).then_some(node),
            }
        }
    }
}
