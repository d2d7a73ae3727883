//! The decorators of BehaviorTree.CPP.

use crate::behaviour::expression::SlotIndex;
use crate::behaviour::interpret::run::{Flow, Run};
use crate::behaviour::interpret::world::World;
use crate::behaviour::status::Status;
use crate::behaviour::tree::{Cpp, NodeIndex, Param};

impl<W: World> Run<'_, W> {
    pub(super) fn act_decorator(&mut self, node: NodeIndex, cpp: Cpp) -> Flow {
        let child = node + 1;
        match cpp {
            Cpp::Inverter => {
                self.set_status(node, Status::Running);
                let status = self.tick_cpp(child)?;
                if status.is_completed() {
                    self.reset_cpp(child)?;
                }
                Ok(match status {
                    Status::Success => Status::Failure,
                    Status::Failure => Status::Success,
                    other => other,
                })
            }
            Cpp::Force(forced) => {
                self.set_status(node, Status::Running);
                let status = self.tick_cpp(child)?;
                if status.is_completed() {
                    self.reset_cpp(child)?;
                    return Ok(forced);
                }
                Ok(status)
            }
            Cpp::KeepRunningUntilFailure => {
                self.set_status(node, Status::Running);
                let status = self.tick_cpp(child)?;
                if status.is_completed() {
                    self.reset_cpp(child)?;
                }
                Ok(if status == Status::Success { Status::Running } else { status })
            }
            Cpp::Repeat(cycles) => self.act_again(node, cycles, Status::Success),
            Cpp::Retry(attempts) => self.act_again(node, attempts, Status::Failure),
            Cpp::Timeout(duration) => self.act_timeout(node, duration),
            Cpp::Delay(duration) => self.act_delay(node, duration),
            Cpp::RunOnce { then_skip } => self.act_run_once(node, then_skip),
            Cpp::Precondition { program, otherwise } => {
                let running = *self.register(node, 0) != 0;
                if !running && !self.is_true(node, program)? {
                    return Ok(otherwise);
                }
                let status = self.tick_cpp(child)?;
                *self.register(node, 0) = u32::from(status == Status::Running);
                if status.is_completed() {
                    self.reset_cpp(child)?;
                }
                Ok(status)
            }
            Cpp::Loop { list, value, if_empty } => self.act_loop(node, list, value, if_empty),
            Cpp::SkipUnlessUpdated(slot) => self.act_on_update(node, slot, Status::Skipped),
            Cpp::WaitUpdate(slot) => self.act_on_update(node, slot, Status::Running),
            Cpp::SubTree => {
                if self.status(node) == Status::Idle {
                    self.set_status(node, Status::Running);
                }
                let status = self.tick_cpp(child)?;
                if status.is_completed() {
                    self.reset_cpp(child)?;
                }
                Ok(status)
            }
            _ => unreachable!("controls go elsewhere"),
        }
    }

    /// `Repeat` (again after success) and `RetryUntilSuccessful` (again after failure); register 0
    /// counts. Between two rounds it lets go and asks to be ticked again.
    fn act_again(&mut self, node: NodeIndex, times: Param, again_after: Status) -> Flow {
        let child = node + 1;
        let mut times_max = self.whole(node, times)?;
        let more = |count: u32, times: i32| times == -1 || i64::from(count) < i64::from(times);
        let mut goes_on = more(*self.register(node, 0), times_max);
        self.set_status(node, Status::Running);
        while goes_on {
            let before = self.status(child);
            let status = self.tick_cpp(child)?;
            match status {
                Status::Running => return Ok(status),
                Status::Skipped => {
                    self.reset_cpp(child)?;
                    return Ok(status);
                }
                status if status == again_after => {
                    let count = self.register(node, 0);
                    *count = count.saturating_add(1);
                    let count = *count;
                    if again_after == Status::Failure {
                        times_max = self.whole(node, times)?;
                    }
                    goes_on = more(count, times_max);
                    self.reset_cpp(child)?;
                    if before == Status::Idle && goes_on {
                        self.wake_up();
                        return Ok(Status::Running);
                    }
                }
                _ => {
                    *self.register(node, 0) = 0;
                    self.reset_cpp(child)?;
                    return Ok(status);
                }
            }
        }
        *self.register(node, 0) = 0;
        Ok(again_after)
    }

    /// Starts the clock of a node if it stands still, and gives the milliseconds since then.
    /// Register 0 is one more than the second in which it started.
    fn elapsed_ms(&mut self, node: NodeIndex) -> u64 {
        let now = self.world.now().0;
        let started = self.register(node, 0);
        if *started == 0 {
            *started = now.saturating_add(1);
        }
        let started = *started;
        u64::from(now.saturating_add(1).saturating_sub(started)) * 1_000
    }

    fn act_timeout(&mut self, node: NodeIndex, duration: Param) -> Flow {
        let child = node + 1;
        let duration = i64::from(self.whole(node, duration)?);
        if *self.register(node, 0) == 0 {
            self.set_status(node, Status::Running);
        }
        let elapsed = self.elapsed_ms(node);
        let runs_out = duration > 0 && elapsed >= duration as u64;
        if runs_out && self.status(child) == Status::Running {
            self.reset_cpp(child)?;
            *self.register(node, 0) = 0;
            return Ok(Status::Failure);
        }
        let status = self.tick_cpp(child)?;
        if status.is_completed() {
            *self.register(node, 0) = 0;
            self.reset_cpp(child)?;
        }
        Ok(status)
    }

    fn act_delay(&mut self, node: NodeIndex, duration: Param) -> Flow {
        let child = node + 1;
        let duration = u64::try_from(self.whole(node, duration)?).unwrap_or(0);
        if *self.register(node, 0) == 0 {
            self.set_status(node, Status::Running);
        }
        if self.elapsed_ms(node) < duration {
            return Ok(Status::Running);
        }
        let status = self.tick_cpp(child)?;
        if status.is_completed() {
            *self.register(node, 0) = 0;
            self.reset_cpp(child)?;
        }
        Ok(status)
    }

    fn act_run_once(&mut self, node: NodeIndex, then_skip: bool) -> Flow {
        let kept = Status::from_byte(*self.register(node, 0) as u8);
        if kept != Status::Idle {
            return Ok(if then_skip { Status::Skipped } else { kept });
        }
        self.set_status(node, Status::Running);
        let status = self.tick_cpp(node + 1)?;
        if status.is_completed() {
            *self.register(node, 0) = status as u32;
            self.reset_cpp(node + 1)?;
        }
        Ok(status)
    }

    /// Register 0 is the position in the list, register 1 whether the child runs.
    fn act_loop(
        &mut self,
        node: NodeIndex,
        list: u16,
        value: Option<SlotIndex>,
        if_empty: Status,
    ) -> Flow {
        if self.status(node) == Status::Idle {
            *self.register(node, 0) = 0;
            *self.register(node, 1) = 0;
        }
        if *self.register(node, 1) == 0 {
            let position = *self.register(node, 0);
            let Some(entry) = self.entry(node, list, position)? else { return Ok(if_empty) };
            *self.register(node, 0) = position + 1;
            if let Some(slot) = value {
                self.write(node, slot, entry)?;
            }
        }
        if self.status(node) == Status::Idle {
            self.set_status(node, Status::Running);
        }
        let status = self.tick_cpp(node + 1)?;
        *self.register(node, 1) = u32::from(status == Status::Running);
        if status.is_completed() {
            self.reset_cpp(node + 1)?;
        }
        Ok(if status == Status::Failure { status } else { Status::Running })
    }

    /// Register 0 is the version of the slot seen last, register 1 whether the child runs.
    fn act_on_update(&mut self, node: NodeIndex, slot: SlotIndex, otherwise: Status) -> Flow {
        if *self.register(node, 1) == 0 && !self.was_updated(node, slot) {
            return Ok(otherwise);
        }
        let status = self.tick_cpp(node + 1)?;
        *self.register(node, 1) = u32::from(status == Status::Running);
        Ok(status)
    }
}
