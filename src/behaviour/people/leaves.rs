//! What each leaf of people does. Ports stand in the order of the catalogue.

use super::letters::{Question, Request, RequestKind};
use super::mind::Mind;
use crate::agent::activity::Activity;
use crate::agent::intent::Intent;
use crate::agent::message::{Message, MessageKind};
use crate::agent::needs::Need;
use crate::agent::plan::{LocationPolicy, Origin, Segment};
use crate::base::ids::{AgentId, PlaceId};
use crate::base::time::MINUTE_S;
use crate::behaviour::catalogue::{Destination, HOUSEHOLD, PersonAction};
use crate::behaviour::error::Fault;
use crate::behaviour::interpret::LeafCall;
use crate::behaviour::status::Status;
use crate::behaviour::tree::LeafSpec;
use crate::behaviour::value::{Value, ValueType};

/// What a leaf remembers once it has asked for something.
const ASKED: u32 = 1;
/// The longest that a leaf can last, in minutes: a year.
const MINUTES_MAX: f64 = 366.0 * 24.0 * 60.0;

type Ended = Result<Status, Fault>;

impl<const WATCHES: bool> Mind<'_, WATCHES> {
    /// Carries out a leaf.
    #[inline]
    pub(super) fn act(&mut self, mut call: LeafCall<'_, '_>) -> Ended {
        if call.fresh {
            call.remember(0);
        }
        let Some(action) = call.leaf.action else { return Ok(Status::Failure) };
        match action {
            PersonAction::GoTo => self.go_to(call),
            PersonAction::DoActivity => self.do_activity(call),
            PersonAction::Wait => self.wait(call),
            PersonAction::StayUntil => self.stay_until(call),
            PersonAction::SetNeed => self.set_need(&call),
            PersonAction::SendMessage => self.send_message(&call),
            PersonAction::Receive => self.receive(call),
            PersonAction::CallSkill => self.call_skill(call),
            PersonAction::RunScript => self.run_script(call),
            PersonAction::AskEnvironment => self.ask_environment(call),
            PersonAction::Suspend => self.suspend(call),
            PersonAction::Finish => {
                self.finished = Some(call.inputs[0]);
                Ok(Status::Success)
            }
        }
    }

    fn is_travelling(&self) -> bool {
        !self.everybody.perceptions[self.row].place.is_some()
    }

    /// Goes on with what is under way: nothing else, a Story say, moves the person meanwhile.
    fn hold(&mut self) -> Ended {
        self.want(Intent::Continue);
        Ok(Status::Running)
    }

    fn go_to(&mut self, mut call: LeafCall<'_, '_>) -> Ended {
        let wanted = Wanted::of(&call)?;
        if self.is_travelling() {
            return self.hold();
        }
        let segment = segment_of(call.leaf);
        let perception = &self.everybody.perceptions[self.row];
        if call.memory() == ASKED {
            // Who did not get there was not let go, or something else took them elsewhere.
            let arrived = perception.segment == segment;
            return Ok(if arrived { Status::Success } else { Status::Failure });
        }
        if self.wish.is_some() {
            return Ok(Status::Running);
        }
        let person = &self.everybody.persons[self.row];
        let there = match wanted.to {
            To::Place(place) => place,
            To::Like(Destination::Home) => person.home,
            To::Like(Destination::Work) => person.work,
            To::Like(Destination::School) => person.school,
            To::Like(_) => PlaceId::NONE,
        };
        let purpose = wanted.purpose;
        if there.is_some() && there == perception.place {
            self.want(Intent::Do { activity: purpose, segment });
            return Ok(Status::Success);
        }
        let intent = match wanted.to {
            To::Like(Destination::Work | Destination::School) if !there.is_some() => {
                return Ok(Status::Failure);
            }
            To::Place(place) => Intent::MoveTo { place, purpose, segment },
            To::Like(destination) => {
                let policy: LocationPolicy = destination.policy();
                Intent::Go { purpose, policy, segment, origin: Origin::Tree }
            }
        };
        call.remember(ASKED);
        self.want(intent);
        Ok(Status::Running)
    }

    fn do_activity(&mut self, mut call: LeafCall<'_, '_>) -> Ended {
        let activity = word_of(call.inputs, 0, Activity::ALL, Activity::from_word)?;
        let seconds = seconds_of(call.inputs, 1)?;
        if self.is_travelling() {
            return self.hold();
        }
        if call.memory() == 0 {
            call.remember(self.moment() + seconds);
        }
        if seconds > 0 && self.moment() >= call.memory() {
            return Ok(Status::Success);
        }
        self.want(Intent::Do { activity, segment: segment_of(call.leaf) });
        Ok(if seconds == 0 { Status::Success } else { Status::Running })
    }

    fn wait(&mut self, mut call: LeafCall<'_, '_>) -> Ended {
        if call.memory() == 0 {
            call.remember(self.moment() + seconds_of(call.inputs, 0)?);
        }
        self.hold_until(call.memory())
    }

    fn stay_until(&mut self, mut call: LeafCall<'_, '_>) -> Ended {
        if call.memory() == 0 {
            let context = self.everybody.context;
            let minutes = number(call.inputs, 0)?;
            if !(0.0..=2_880.0).contains(&minutes) {
                return Err(Fault::BadPort(0));
            }
            let second = (minutes * f64::from(MINUTE_S)) as u32;
            let passed = context.clock.second_of_day(context.time) >= second;
            let again = passed && call.inputs[1] == Value::Bool(true);
            let day = u32::from(context.day) + u32::from(again);
            call.remember(context.clock.time_at(day, second).0 + 1);
        }
        self.hold_until(call.memory())
    }

    /// Now, so that 0 is no moment.
    fn moment(&self) -> u32 {
        self.everybody.context.time.0 + 1
    }

    fn hold_until(&mut self, end: u32) -> Ended {
        if self.moment() >= end { Ok(Status::Success) } else { self.hold() }
    }

    fn set_need(&mut self, call: &LeafCall<'_, '_>) -> Ended {
        let need = word_of(call.inputs, 0, Need::ALL, Need::from_word)?;
        let level = number(call.inputs, 1)?;
        self.needs.0[need as usize] = (level as f32).clamp(0.0, 1.0);
        self.needs_set = true;
        Ok(Status::Success)
    }

    fn send_message(&mut self, call: &LeafCall<'_, '_>) -> Ended {
        let kind = word_of(call.inputs, 1, MessageKind::ALL, MessageKind::from_word)?;
        let person = &self.everybody.persons[self.row];
        match call.inputs[0] {
            Value::Agent(to) if to.index() < self.everybody.persons.len() => self.send(to, kind),
            Value::Text(text) if text.as_str() == HOUSEHOLD => {
                let first = person.household_first;
                for member in first..first + u32::from(person.household_size) {
                    if member as usize != self.row {
                        self.send(AgentId(member), kind);
                    }
                }
            }
            Value::Unset => return Err(Fault::EmptyPort(0)),
            _ => return Err(Fault::BadPort(0)),
        }
        Ok(Status::Success)
    }

    fn send(&mut self, to: AgentId, kind: MessageKind) {
        let from = self.agent();
        let seq = self.next_seq();
        self.letters.outbox.push(Message { to, from, seq, kind });
    }

    fn receive(&mut self, mut call: LeafCall<'_, '_>) -> Ended {
        let about = match call.inputs[0] {
            Value::Unset => None,
            _ => Some(word_of(call.inputs, 0, MessageKind::ALL, MessageKind::from_word)?),
        };
        let fits = |letter: &&Message| about.is_none_or(|about| letter.kind == about);
        match self.inbox.iter().find(fits) {
            Some(letter) => {
                call.write(1, Value::Agent(letter.from))?;
                Ok(Status::Success)
            }
            None if call.inputs[2] == Value::Bool(true) => Ok(Status::Running),
            None => Ok(Status::Failure),
        }
    }

    /// Runs the tree of another skill in this tick, and goes on with it in the next.
    fn call_skill(&mut self, mut call: LeafCall<'_, '_>) -> Ended {
        let found = &self.everybody.forest.trees[self.tree];
        let Some(callee) = found.callee(call.leaf.node) else { return self.run_script(call) };
        let (row, place) = (self.chunk_row, self.everybody.forest.called(callee));
        let position = self.memories[place].as_ref().and_then(|memory| memory.position(row));
        let Some((position, mut memory)) = position.zip(self.memories[place].take()) else {
            return Ok(Status::Failure);
        };
        let tree = &self.everybody.forest.trees[callee].tree;
        if call.fresh {
            memory.reset(tree, position);
        }
        let own = self.finished.take();
        let ended = self.tick(callee, memory.state(position));
        let result = self.finished.take();
        self.finished = own;
        self.memories[place] = Some(memory);
        let status = ended.map_err(|error| {
            self.cause.get_or_insert((callee, error));
            Fault::Callee
        })?;
        match result {
            Some(result) => {
                write_fitted(&mut call, 1, result)?;
                Ok(Status::Success)
            }
            None => Ok(status),
        }
    }

    fn run_script(&mut self, mut call: LeafCall<'_, '_>) -> Ended {
        if call.memory() == 0 {
            let arguments = call.arguments.to_vec();
            return self.ask(call, RequestKind::Script(arguments));
        }
        let output = call.inputs.len() - 1;
        self.listen(&mut call, output)
    }

    fn ask_environment(&mut self, mut call: LeafCall<'_, '_>) -> Ended {
        if call.memory() == 0 {
            let Value::Text(tool) = call.inputs[0] else { return Err(Fault::EmptyPort(0)) };
            let names = call.leaf.names.iter().copied();
            let arguments = names.zip(call.arguments.iter().copied()).collect();
            return self.ask(call, RequestKind::Environment { tool, arguments });
        }
        self.listen(&mut call, 2)
    }

    fn ask(&mut self, mut call: LeafCall<'_, '_>, kind: RequestKind) -> Ended {
        call.remember(ASKED);
        let (agent, tree, node) = (self.agent(), self.tree, call.leaf.node);
        self.letters.requests.push(Request { agent, tree, node, kind });
        self.hold()
    }

    fn suspend(&mut self, mut call: LeafCall<'_, '_>) -> Ended {
        if call.memory() == 0 {
            let Value::Text(text) = call.inputs[0] else { return Err(Fault::EmptyPort(0)) };
            call.remember(ASKED);
            let (agent, tree, node) = (self.agent(), self.tree, call.leaf.node);
            self.letters.questions.push(Question { agent, tree, node, text });
            return Ok(Status::Running);
        }
        self.listen(&mut call, 1)
    }

    /// Looks for the reply to what the leaf asked.
    fn listen(&self, call: &mut LeafCall<'_, '_>, output: usize) -> Ended {
        let node = call.leaf.node;
        let own = self.replies.iter().find(|reply| reply.tree == self.tree && reply.node == node);
        let Some(reply) = own else { return Ok(Status::Running) };
        if !reply.ok {
            return Ok(Status::Failure);
        }
        let kind = call.slot_kind(output).unwrap_or(ValueType::Text);
        let value = kind.parse(reply.text.trim()).ok_or(Fault::BadPort(output as u8))?;
        call.write(output, value)?;
        Ok(Status::Success)
    }
}

/// Writes a value to the slot of a port, read as its type where it is a text.
fn write_fitted(call: &mut LeafCall<'_, '_>, port: usize, value: Value) -> Result<(), Fault> {
    let fitted = match (value, call.slot_kind(port)) {
        (Value::Text(text), Some(kind)) => kind.parse(text.as_str()).unwrap_or(value),
        _ => value,
    };
    call.write(port, fitted)
}

/// Where somebody goes.
#[derive(Clone, Copy)]
enum To {
    Place(PlaceId),
    Like(Destination),
}

#[derive(Clone, Copy)]
struct Wanted {
    to: To,
    purpose: Activity,
}

impl Wanted {
    fn of(call: &LeafCall<'_, '_>) -> Result<Self, Fault> {
        let to = match call.inputs[0] {
            Value::Place(place) => To::Place(place),
            _ => To::Like(word_of(call.inputs, 0, Destination::ALL, Destination::from_word)?),
        };
        let purpose = match (call.inputs[1], to) {
            (Value::Unset, To::Like(Destination::Home)) => Activity::Home,
            (Value::Unset, To::Like(Destination::Work)) => Activity::Work,
            (Value::Unset, To::Like(Destination::School)) => Activity::School,
            (Value::Unset, _) => Activity::Other,
            _ => word_of(call.inputs, 1, Activity::ALL, Activity::from_word)?,
        };
        Ok(Self { to, purpose })
    }
}

/// Names what a leaf wants, so that it knows on arrival that the trip was its own.
fn segment_of(leaf: &LeafSpec) -> u8 {
    let ids = u16::from(u8::MAX - Segment::TREE_FIRST);
    Segment::TREE_FIRST + (leaf.node % ids) as u8
}

/// A word: its code, as the compiler wrote it, or a text from the blackboard.
fn word_of<T: Copy>(
    inputs: &[Value],
    port: u8,
    all: &[T],
    read: impl Fn(&str) -> Option<T>,
) -> Result<T, Fault> {
    let found = match inputs[usize::from(port)] {
        Value::Int(code) => usize::try_from(code).ok().and_then(|code| all.get(code).copied()),
        Value::Text(text) => read(text.as_str()),
        Value::Unset => return Err(Fault::EmptyPort(port)),
        _ => None,
    };
    found.ok_or(Fault::BadPort(port))
}

fn number(inputs: &[Value], port: u8) -> Result<f64, Fault> {
    match inputs[usize::from(port)] {
        Value::Unset => Err(Fault::EmptyPort(port)),
        value => value.as_number().filter(|n| n.is_finite()).ok_or(Fault::BadPort(port)),
    }
}

/// Minutes in seconds; what is below 0 is 0.
fn seconds_of(inputs: &[Value], port: u8) -> Result<u32, Fault> {
    let minutes = number(inputs, port)?.clamp(0.0, MINUTES_MAX);
    Ok((minutes * f64::from(MINUTE_S)) as u32)
}
