//! What the motors do: the five commands, and exactly one answer to each `03` and `04` (toio facts, sections 6.2 and 8.2 to 8.6).

pub mod constants;
mod journey;
pub(crate) mod law;
mod ramp;

use crate::behaviour::{Behaviour, FirstRamp, RelativeOrigin};
use crate::event::Refusal;
use crate::micros::Micros;
use crate::wire::{
    Acceleration, CODE_WHILE_RUNNING, ErrorCode, MotorCommand, MotorReport, Target, Travel, WheelCommands,
    hash_optional,
};
use constants::MIN_TRAVEL_SPEED;
use journey::{Context, Journey, Kind, Plan, Progress, resolve};
use law::{Fix, MotorLimits};
use ramp::{Ramp, target_translation};
use sim_core::StateHash;
use std::collections::VecDeque;

/// What runs.
#[derive(Clone, Debug, PartialEq)]
enum Task {
    Idle,
    Wheels { commands: [f64; 2], end: Option<Micros> },
    Journey(Box<Journey>),
    Ramp(Ramp),
}

/// A step of the motors.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// When it begins, and when the next one does.
    pub(crate) now: Micros,
    pub(crate) next: Micros,
    /// Turn rate by the present speed of the wheels, degrees a second, clockwise positive.
    pub(crate) turn_deg_s: f64,
}

/// Commands of a step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WheelUnits {
    /// Left and right, command units.
    pub(crate) units: [f64; 2],
    /// Part of the step, from its beginning, for which they hold; after it they are 0.
    pub(crate) share: f64,
}

impl Default for WheelUnits {
    /// No command.
    fn default() -> Self {
        Self { units: [0.0; 2], share: 1.0 }
    }
}

/// Part of the step from `now` to `next` that lies before `end`, which is after `now`.
fn share_until(end: Option<Micros>, now: Micros, next: Micros) -> f64 {
    match end {
        Some(end) if end < next => end.since(now).seconds() / next.since(now).seconds(),
        _ => 1.0,
    }
}

/// The motor part of the firmware.
#[derive(Clone, Debug)]
pub(crate) struct MotorControl {
    limits: MotorLimits,
    behaviour: Behaviour,
    task: Task,
    /// The one `04` that may wait.
    waiting: Option<Plan>,
    /// Translation of the last command, if that was a `05`.
    ramp_translation: Option<f64>,
    last_code: u8,
    answers: VecDeque<MotorReport>,
}

impl MotorControl {
    pub(crate) fn new(limits: MotorLimits, behaviour: Behaviour) -> Self {
        Self {
            limits,
            behaviour,
            task: Task::Idle,
            waiting: None,
            ramp_translation: None,
            last_code: 0,
            answers: VecDeque::new(),
        }
    }

    /// Code of the last answer, or that a `03` or `04` runs.
    pub(crate) fn code_for_info(&self) -> u8 {
        if matches!(self.task, Task::Journey(_)) { CODE_WHILE_RUNNING } else { self.last_code }
    }

    /// Hands over the oldest answer that has come up.
    pub(crate) fn next_answer(&mut self) -> Option<MotorReport> {
        self.answers.pop_front()
    }

    /// Accepts a command. What must not change anything is refused, with its answer.
    pub(crate) fn accept(&mut self, command: &MotorCommand, now: Micros, fix: Option<&Fix>) -> Result<(), Refusal> {
        match command {
            MotorCommand::Run(wheels) => self.start_wheels(*wheels, None),
            MotorCommand::RunFor { wheels, duration_10_ms } => {
                self.start_wheels(*wheels, self.end_after(now, *duration_10_ms));
            }
            MotorCommand::GoTo { travel, target } => {
                self.check(Kind::Target, travel, std::slice::from_ref(target))?;
                let legs = |fix| resolve(std::slice::from_ref(target), fix, RelativeOrigin::Arrival);
                let plan = fix.map(|fix| Plan { kind: Kind::Target, travel: *travel, legs: legs(fix) });
                self.replace_by(plan, now, fix, Kind::Target.answer(travel.request_id, ErrorCode::IdMissed));
            }
            MotorCommand::GoThrough { travel, append, targets } => {
                self.check(Kind::Targets, travel, targets)?;
                let legs = |fix| resolve(targets, fix, self.behaviour.relative_origin);
                let plan = fix.map(|fix| Plan { kind: Kind::Targets, travel: *travel, legs: legs(fix) });
                if *append && self.runs_targets() {
                    return self.append(plan, travel.request_id);
                }
                self.replace_by(plan, now, fix, Kind::Targets.answer(travel.request_id, ErrorCode::IdMissed));
            }
            MotorCommand::Accelerate(command) => self.start_ramp(command, now),
        }
        Ok(())
    }

    /// Commands of the left and the right wheel for a step.
    pub(crate) fn step(&mut self, step: Step, fix: Option<&Fix>) -> WheelUnits {
        let Step { now, next, turn_deg_s } = step;
        loop {
            let context = Context { now, turn_deg_s, limits: &self.limits, behaviour: &self.behaviour };
            let (code, answer) = match &mut self.task {
                Task::Idle => return WheelUnits::default(),
                Task::Wheels { commands, end } if end.is_none_or(|end| now < end) => {
                    return WheelUnits { units: *commands, share: share_until(*end, now, next) };
                }
                Task::Ramp(ramp) if ramp.end.is_none_or(|end| now < end) => {
                    let translation = ramp.translation(now.since(ramp.started).seconds());
                    self.ramp_translation = Some(translation);
                    let units = ramp.wheels(translation, &self.limits);
                    return WheelUnits { units, share: share_until(ramp.end, now, next) };
                }
                Task::Wheels { .. } | Task::Ramp(_) => {
                    self.ramp_translation = self.ramp_translation.map(|_| 0.0);
                    self.task = Task::Idle;
                    return WheelUnits::default();
                }
                Task::Journey(journey) => match journey.advance(fix, context) {
                    Progress::Drive(units) => return WheelUnits { units, share: 1.0 },
                    Progress::Ended(code) => (code, journey.answer(code)),
                },
            };
            self.report(code, answer);
            self.task = Task::Idle;
            self.start_waiting(now, fix);
        }
    }

    /// Ends everything; whatever still has to be answered is answered with `code`.
    pub(crate) fn abort(&mut self, code: ErrorCode) {
        if let Task::Journey(journey) = &self.task {
            let answer = journey.answer(code);
            self.report(code, answer);
        }
        if let Some(plan) = self.waiting.take() {
            self.report(code, plan.kind.answer(plan.travel.request_id, code));
        }
        self.task = Task::Idle;
        self.ramp_translation = None;
    }

    /// Answers a command that was never accepted, because the power goes off.
    pub(crate) fn refuse_for_power(&mut self, command: &MotorCommand) {
        let code = ErrorCode::PoweringOff;
        match command {
            MotorCommand::GoTo { travel, .. } => self.report(code, Kind::Target.answer(travel.request_id, code)),
            MotorCommand::GoThrough { travel, .. } => self.report(code, Kind::Targets.answer(travel.request_id, code)),
            MotorCommand::Run(_) | MotorCommand::RunFor { .. } | MotorCommand::Accelerate(_) => {}
        }
    }

    pub(crate) fn hash_into(&self, hash: &mut StateHash) {
        match &self.task {
            Task::Idle => hash.u64(0),
            Task::Wheels { commands, end } => {
                hash.u64(1);
                commands.iter().for_each(|&command| hash.f64(command));
                hash.u64(end.map_or(0, |end| end.0 + 1));
            }
            Task::Journey(journey) => {
                hash.u64(2);
                journey.hash_into(hash);
            }
            Task::Ramp(ramp) => {
                hash.u64(3);
                ramp.hash_into(hash);
            }
        }
        hash.u64(self.waiting.is_some().into());
        self.waiting.iter().for_each(|plan| plan.hash_into(hash));
        hash.u64(self.ramp_translation.is_some().into());
        hash.f64(self.ramp_translation.unwrap_or_default());
        hash.u64(self.last_code.into());
        hash.u64(self.answers.len() as u64);
        self.answers.iter().for_each(|answer| hash_optional(Some(&answer.encode()), hash));
    }

    /// Forgets everything without an answer: no client is connected.
    pub(crate) fn reset(&mut self) {
        *self = Self::new(self.limits, self.behaviour);
    }

    fn report(&mut self, code: ErrorCode, answer: MotorReport) {
        self.last_code = code as u8;
        self.answers.push_back(answer);
    }

    fn runs_targets(&self) -> bool {
        matches!(&self.task, Task::Journey(journey) if journey.kind() == Kind::Targets)
    }

    fn end_after(&self, now: Micros, duration_10_ms: u8) -> Option<Micros> {
        (duration_10_ms > 0).then(|| now.after(Micros::from_10_ms(duration_10_ms.into())))
    }

    fn start_wheels(&mut self, wheels: WheelCommands, end: Option<Micros>) {
        self.abort(ErrorCode::Replaced);
        let MotorLimits { dead_zone, max_command, .. } = self.limits;
        let commands = [wheels.left, wheels.right].map(|wheel| {
            let units = f64::from(wheel).clamp(-max_command, max_command);
            if units.abs() < dead_zone { 0.0 } else { units }
        });
        self.task = Task::Wheels { commands, end };
    }

    fn start_ramp(&mut self, command: &Acceleration, now: Micros) {
        let start = match (self.ramp_translation, self.behaviour.first_ramp) {
            (Some(present), _) => present,
            (None, FirstRamp::Jump) => target_translation(command, &self.limits),
            (None, FirstRamp::FromRest) => 0.0,
        };
        self.abort(ErrorCode::Replaced);
        let span = (now, self.end_after(now, command.duration_10_ms));
        self.task = Task::Ramp(Ramp::new(command, start, &self.limits, span));
        self.ramp_translation = Some(start);
    }

    /// Refuses what asks for nothing or is too slow.
    fn check(&mut self, kind: Kind, travel: &Travel, targets: &[Target]) -> Result<(), Refusal> {
        if targets.iter().any(Target::asks_nothing) {
            self.report(ErrorCode::BadCombination, kind.answer(travel.request_id, ErrorCode::BadCombination));
            return Err(Refusal::NothingAsked);
        }
        if travel.max_speed < MIN_TRAVEL_SPEED {
            self.report(ErrorCode::Unsupported, kind.answer(travel.request_id, ErrorCode::Unsupported));
            return Err(Refusal::TooSlow);
        }
        Ok(())
    }

    /// Starts a plan in place of whatever runs. Without an ID there is no plan, and the motors stop.
    fn replace_by(&mut self, plan: Option<Plan>, now: Micros, fix: Option<&Fix>, missed: MotorReport) {
        self.abort(ErrorCode::Replaced);
        match plan.zip(fix) {
            Some((plan, fix)) => self.start(plan, now, fix),
            None => self.report(ErrorCode::IdMissed, missed),
        }
    }

    fn append(&mut self, plan: Option<Plan>, request_id: u8) -> Result<(), Refusal> {
        let answer = |code| Kind::Targets.answer(request_id, code);
        if self.waiting.is_some() {
            self.report(ErrorCode::AppendRefused, answer(ErrorCode::AppendRefused));
            return Err(Refusal::QueueFull);
        }
        match plan {
            Some(plan) => self.waiting = Some(plan),
            None => self.report(ErrorCode::IdMissed, answer(ErrorCode::IdMissed)),
        }
        Ok(())
    }

    fn start(&mut self, plan: Plan, now: Micros, fix: &Fix) {
        self.task = Task::Journey(Box::new(Journey::start(plan, fix, now, &self.limits)));
    }

    fn start_waiting(&mut self, now: Micros, fix: Option<&Fix>) {
        let Some(plan) = self.waiting.take() else { return };
        match fix {
            Some(fix) => self.start(plan, now, fix),
            None => self.report(ErrorCode::IdMissed, plan.kind.answer(plan.travel.request_id, ErrorCode::IdMissed)),
        }
    }
}
