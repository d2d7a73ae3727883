//! Nodes of BehaviorTree.CPP.

use super::builder::{Builder, Place};
use crate::behaviour::status::Status;
use crate::behaviour::tree::{Cpp, Kind, Leaf, Param, Switch};
use crate::behaviour::value::ValueType;

const ENDS: [Status; 4] = [Status::Success, Status::Failure, Status::Skipped, Status::Running];

impl<'d> Builder<'d> {
    /// What a node does; nothing, and a problem, if its ports do not say.
    pub(super) fn cpp_kind(&mut self, place: &Place<'d>) -> Option<Kind> {
        let cpp = match place.manifest.kind {
            "Sequence" => Cpp::Sequence { yields: false },
            "AsyncSequence" => Cpp::Sequence { yields: true },
            "SequenceWithMemory" => Cpp::SequenceWithMemory,
            "ReactiveSequence" => Cpp::ReactiveSequence,
            "Fallback" => Cpp::Fallback { yields: false },
            "AsyncFallback" => Cpp::Fallback { yields: true },
            "ReactiveFallback" => Cpp::ReactiveFallback,
            "Parallel" => return self.cpp_parallel(place),
            "ParallelAll" => Cpp::ParallelAll(self.threshold(place, "max_failures")?),
            "IfThenElse" => Cpp::IfThenElse,
            "WhileDoElse" => Cpp::WhileDoElse,
            "Switch2" | "Switch3" | "Switch4" | "Switch5" | "Switch6" => {
                return self.cpp_switch(place);
            }
            "TryCatch" => Cpp::TryCatch { catch_on_halt: self.boolean(place, "catch_on_halt")? },
            "Inverter" => Cpp::Inverter,
            "ForceSuccess" => Cpp::Force(Status::Success),
            "ForceFailure" => Cpp::Force(Status::Failure),
            "Repeat" => Cpp::Repeat(self.param(place, "num_cycles")?),
            "RetryUntilSuccessful" => Cpp::Retry(self.param(place, "num_attempts")?),
            "KeepRunningUntilFailure" => Cpp::KeepRunningUntilFailure,
            "Timeout" => Cpp::Timeout(self.milliseconds(place, "msec")?),
            "Delay" => Cpp::Delay(self.milliseconds(place, "delay_msec")?),
            "RunOnce" => Cpp::RunOnce { then_skip: self.boolean(place, "then_skip")? },
            "Precondition" => {
                let otherwise = self.status(place, "else", &ENDS)?;
                Cpp::Precondition { program: self.program(place, "if")?, otherwise }
            }
            "LoopInt" => self.cpp_loop(place, ValueType::Int)?,
            "LoopBool" => self.cpp_loop(place, ValueType::Bool)?,
            "LoopDouble" => self.cpp_loop(place, ValueType::Number)?,
            "LoopString" => self.cpp_loop(place, ValueType::Text)?,
            "SkipUnlessUpdated" => Cpp::SkipUnlessUpdated(self.watched(place)?),
            "WaitValueUpdate" => Cpp::WaitUpdate(self.watched(place)?),
            "SubTree" => Cpp::SubTree,
            _ => return self.cpp_leaf(place),
        };
        Some(Kind::Cpp(cpp))
    }

    fn cpp_leaf(&mut self, place: &Place<'d>) -> Option<Kind> {
        let leaf = match place.manifest.kind {
            "AlwaysSuccess" => Leaf::Constant(Status::Success),
            "AlwaysFailure" => Leaf::Constant(Status::Failure),
            "Script" => Leaf::Script(self.program(place, "code")?),
            "ScriptCondition" => Leaf::Check(self.program(place, "code")?),
            "SetBlackboard" => {
                let slot = self.key(place, "output_key")?;
                let source = self.source_for(place, "value", slot)?;
                self.writes.push(source);
                Leaf::Set { slot, write: self.writes.len() as u16 - 1, overwrite: true }
            }
            "UnsetBlackboard" => Leaf::Unset(self.key(place, "key")?),
            "Sleep" => Leaf::Pause { duration: self.milliseconds(place, "msec")?, beyond: false },
            "WasEntryUpdated" => Leaf::WasUpdated(self.watched(place)?),
            _ => return self.outside(place),
        };
        Some(Kind::Leaf(leaf))
    }

    /// A threshold; a written one that the children can never reach is a mistake.
    fn threshold(&mut self, place: &Place<'d>, port: &str) -> Option<Param> {
        let param = self.param(place, port)?;
        let children = place.definition.children.len();
        if let Param::Const(number) = param
            && i64::from(number) > children as i64
        {
            let message = format!("`{port}` is {number}, more than the {children} children");
            self.problem(place.definition.at, "bad-threshold", message);
            return None;
        }
        Some(param)
    }

    fn cpp_parallel(&mut self, place: &Place<'d>) -> Option<Kind> {
        let successes = self.threshold(place, "success_count");
        let failures = self.threshold(place, "failure_count");
        self.parallels.push((successes?, failures?));
        Some(Kind::Cpp(Cpp::Parallel(self.parallels.len() as u16 - 1)))
    }

    fn cpp_switch(&mut self, place: &Place<'d>) -> Option<Kind> {
        let variable = self.source(place, "variable")?;
        let ports = place.manifest.ports.iter().skip(1);
        let cases: Vec<_> = ports.map(|port| self.source(place, port.name)).collect();
        let cases = cases.into_iter().collect::<Option<_>>()?;
        self.switches.push(Switch { variable, cases });
        Some(Kind::Cpp(Cpp::Switch(self.switches.len() as u16 - 1)))
    }

    fn cpp_loop(&mut self, place: &Place<'d>, kind: ValueType) -> Option<Cpp> {
        let list = self.list(place, "queue", kind)?;
        let if_empty = self.status(place, "if_empty", &ENDS)?;
        let value = match place.definition.port("value") {
            Some(_) => Some(self.key(place, "value")?),
            None => None,
        };
        Some(Cpp::Loop { list, value, if_empty })
    }

    /// A slot of which it is counted how often it is written.
    fn watched(&mut self, place: &Place<'d>) -> Option<crate::behaviour::expression::SlotIndex> {
        let slot = self.key(place, "entry")?;
        self.watched.push(slot);
        Some(slot)
    }
}
