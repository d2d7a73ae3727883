//! Nodes of py_trees.

use super::builder::{Builder, Place};
use crate::behaviour::status::Status;
use crate::behaviour::tree::{Kind, Leaf, List, NodeIndex, Param, Policy, Py};
use crate::behaviour::value::{Value, ValueType};

const STATUSES: [Status; 4] = [Status::Success, Status::Failure, Status::Running, Status::Idle];
const ENDS: [Status; 2] = [Status::Success, Status::Failure];

impl<'d> Builder<'d> {
    /// What a node does; nothing, and a problem, if its ports do not say.
    pub(super) fn py_kind(&mut self, place: &Place<'d>) -> Option<Kind> {
        use Status::{Failure, Running, Success};
        let map = |from, to| Py::Map { from, to };
        let py = match place.manifest.kind {
            "Sequence" => Py::Sequence { memory: self.boolean(place, "memory")? },
            "Selector" => Py::Selector { memory: self.boolean(place, "memory")? },
            "Parallel" => self.py_parallel(place)?,
            "Repeat" => Py::Repeat(self.whole(place, "num_success", -1)?),
            "Retry" => Py::Retry(self.whole(place, "num_failures", 0)?),
            "StatusToBlackboard" => Py::StatusToSlot(self.key(place, "variable_name")?),
            "EternalGuard" => Py::Guard(self.program(place, "condition")?),
            "Timeout" => Py::Timeout(self.seconds_ms(place, "duration")?),
            "Count" => Py::Count,
            "OneShot" => self.one_shot(place)?,
            "Inverter" => Py::Inverter,
            "RunningIsFailure" => map(Running, Failure),
            "RunningIsSuccess" => map(Running, Success),
            "FailureIsSuccess" => map(Failure, Success),
            "FailureIsRunning" => map(Failure, Running),
            "SuccessIsFailure" => map(Success, Failure),
            "SuccessIsRunning" => map(Success, Running),
            "Condition" => Py::Condition(self.status(place, "status", &STATUSES)?),
            "PassThrough" => Py::PassThrough,
            "ForEach" => {
                let source = self.key(place, "source_key")?;
                self.lists.push(List::Slot(source, ValueType::Any));
                let list = self.lists.len() as u16 - 1;
                Py::ForEach { list, target: self.key(place, "target_key")? }
            }
            _ => return self.py_leaf(place),
        };
        Some(Kind::Py(py))
    }

    fn py_leaf(&mut self, place: &Place<'d>) -> Option<Kind> {
        let leaf = match place.manifest.kind {
            "Success" => Leaf::Constant(Status::Success),
            "Failure" => Leaf::Constant(Status::Failure),
            "Running" | "Dummy" => Leaf::Constant(Status::Running),
            "Periodic" => Leaf::Periodic(self.whole(place, "n", 0)?),
            "StatusQueue" => self.status_queue(place)?,
            "SuccessEveryN" => Leaf::EveryN(self.whole(place, "n", 1)?),
            "TickCounter" => Leaf::TickCounter {
                ticks: self.whole(place, "duration", 0)?,
                then: self.status(place, "completion_status", &ENDS)?,
            },
            "Timer" => {
                let duration = Param::Const(self.seconds_ms(place, "duration")?);
                Leaf::Pause { duration, beyond: true }
            }
            "ProbabilisticBehaviour" => self.chance(place)?,
            "SetBlackboardVariable" => {
                let slot = self.key(place, "variable_name")?;
                let source = self.source_for(place, "variable_value", slot)?;
                let overwrite = self.boolean(place, "overwrite")?;
                self.writes.push(source);
                Leaf::Set { slot, write: self.writes.len() as u16 - 1, overwrite }
            }
            "UnsetBlackboardVariable" => Leaf::Unset(self.key(place, "key")?),
            "CheckBlackboardVariableExists" => Leaf::IsSet(self.key(place, "variable_name")?),
            "WaitForBlackboardVariable" => Leaf::WaitSet(self.key(place, "variable_name")?),
            "CompareBlackboardVariables" => self.compare_slots(place)?,
            "CheckBlackboardVariableValue" => Leaf::Check(self.program(place, "check")?),
            "WaitForBlackboardVariableValue" => Leaf::WaitFor(self.program(place, "check")?),
            "BlackboardToStatus" => Leaf::StatusOf(self.key(place, "variable_name")?),
            _ => return self.outside(place),
        };
        Some(Kind::Leaf(leaf))
    }

    fn py_parallel(&mut self, place: &Place<'d>) -> Option<Py> {
        let (text, at) = self.text(place, "policy")?;
        let synchronise = self.boolean(place, "synchronise")?;
        let policy = match text {
            "SuccessOnAll" => Policy::All,
            "SuccessOnOne" => Policy::One,
            "SuccessOnSelected" => self.selection(place)?,
            other => {
                let allowed = "SuccessOnAll, SuccessOnOne, SuccessOnSelected";
                let message = format!("`policy` is `{other}`; it must be one of {allowed}");
                self.problem(at, "bad-port", message);
                return None;
            }
        };
        Some(Py::Parallel { policy, synchronise })
    }

    /// The children that `selected` names.
    fn selection(&mut self, place: &Place<'d>) -> Option<Policy> {
        let (text, at) = self.text(place, "selected")?;
        let children = self.children_of(place.node);
        let names = place.definition.children.iter().map(|child| child.title());
        let named: Vec<(&str, NodeIndex)> = names.zip(children).collect();
        let mut selected = Vec::new();
        for name in text.split(';').map(str::trim).filter(|name| !name.is_empty()) {
            match named.iter().find(|(other, _)| *other == name) {
                Some((_, child)) => selected.push(*child),
                None => {
                    let known: Vec<_> = named.iter().map(|(name, _)| *name).collect();
                    let message = format!(
                        "`selected` names `{name}`, which is no child; they are: {}",
                        known.join(", ")
                    );
                    self.problem(at, "bad-port", message);
                    return None;
                }
            }
        }
        if selected.is_empty() {
            let message = "SuccessOnSelected needs `selected`, names of children between `;`";
            self.problem(at, "missing-port", message.to_owned());
            return None;
        }
        self.selections.push(selected.into());
        Some(Policy::Selected(self.selections.len() as u16 - 1))
    }

    fn one_shot(&mut self, place: &Place<'d>) -> Option<Py> {
        let (text, at) = self.text(place, "policy")?;
        match text {
            "ON_COMPLETION" => Some(Py::OneShot { on_failure: true }),
            "ON_SUCCESSFUL_COMPLETION" => Some(Py::OneShot { on_failure: false }),
            other => {
                let allowed = "ON_COMPLETION, ON_SUCCESSFUL_COMPLETION";
                let message = format!("`policy` is `{other}`; it must be one of {allowed}");
                self.problem(at, "bad-port", message);
                None
            }
        }
    }

    fn status_queue(&mut self, place: &Place<'d>) -> Option<Leaf> {
        let list = self.list(place, "queue", ValueType::Status)?;
        let (text, at) = self.text(place, "eventually")?;
        let written = match &self.lists[usize::from(list)] {
            List::Const(values) => !values.is_empty(),
            List::Slot(..) => false,
        };
        let eventually = match text.trim() {
            "" | "None" => None,
            word => match Status::from_word(word) {
                Some(status) => Some(status),
                None => {
                    let message = format!("`eventually` is `{word}`; it must be a status or empty");
                    self.problem(at, "bad-port", message);
                    return None;
                }
            },
        };
        if !written {
            let message = "`queue` must be a list of statuses between `;`".to_owned();
            self.problem(place.definition.at, "bad-port", message);
            return None;
        }
        Some(Leaf::Queue { list, eventually })
    }

    /// A comparison of two slots, by the name of Python's `operator` module or by its sign.
    fn compare_slots(&mut self, place: &Place<'d>) -> Option<Leaf> {
        const SIGNS: [(&str, &str); 6] =
            [("eq", "=="), ("ne", "!="), ("lt", "<"), ("le", "<="), ("gt", ">"), ("ge", ">=")];
        let (text, at) = self.text(place, "operator")?;
        let sign = SIGNS.iter().find(|(word, sign)| text == *word || text == *sign);
        let Some((_, sign)) = sign else {
            let message = format!("`operator` is `{text}`; it must be eq, ne, lt, le, gt or ge");
            self.problem(at, "bad-port", message);
            return None;
        };
        let (left, _) = self.text(place, "var1_key")?;
        let (right, _) = self.text(place, "var2_key")?;
        let comparison = format!("{left} {sign} {right}");
        self.program_of(place.scope, &comparison, at).map(Leaf::Check)
    }

    fn chance(&mut self, place: &Place<'d>) -> Option<Leaf> {
        let list = self.list(place, "weights", ValueType::Number)?;
        let (text, at) = self.text(place, "weights")?;
        let List::Const(values) = &self.lists[usize::from(list)] else {
            self.problem(at, "bad-port", "`weights` must be written".to_owned());
            return None;
        };
        let weights: Vec<f32> = values.iter().filter_map(|v| number(*v)).collect();
        match <[f32; 3]>::try_from(weights) {
            Ok(weights)
                if weights.iter().all(|w| *w >= 0.0 && w.is_finite())
                    && weights.iter().sum::<f32>() > 0.0 =>
            {
                self.weights.push(weights);
                Some(Leaf::Chance(self.weights.len() as u16 - 1))
            }
            _ => {
                let message = format!(
                    "`weights` is `{text}`; it must be three numbers between `;`, none below 0, \
                     for success, failure and running"
                );
                self.problem(at, "bad-port", message);
                None
            }
        }
    }
}

fn number(value: Value) -> Option<f32> {
    value.as_number().map(|number| number as f32)
}
