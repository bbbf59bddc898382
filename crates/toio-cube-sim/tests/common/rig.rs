//! A cube in a closed loop with the kinematics of toio facts, section 2.3: a first-order lag of each wheel, no slip, no dead zone.
#![allow(dead_code, reason = "each test file uses its part of it")]
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use std::f64::consts::{PI, TAU};
use toio_cube_sim::wire::{Command, ErrorCode, Message, MotorReport, Notification, PositionId, WireError};
use toio_cube_sim::{
    Actuators, Characteristic, Cube, CubeParams, Event, Outputs, Printed, Profile, Protocol, Refusal, Senses,
};

/// Dots of the mat per metre.
pub const DOTS_PER_M: f64 = 411.0 / 0.56;
/// Speed of a wheel per command unit, m/s.
pub const UNIT_M_S: f64 = 4.3 * PI * 0.0125 / 60.0;
/// Distance between the wheels, m.
pub const TREAD_M: f64 = 0.0266;
/// Time constant of the wheels, s.
pub const LAG_S: f64 = 0.04;

/// Where the cube is: dots of the mat, degrees clockwise.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    pub x: f64,
    pub y: f64,
    pub deg: f64,
}

/// A cube, the plane under it, and what it has said.
#[derive(Clone)]
pub struct Rig {
    pub cube: Cube,
    pub senses: Senses,
    pub pose: Pose,
    /// Present speed of the wheels, in command units.
    pub wheels: [f64; 2],
    /// There is a mat under the cube.
    pub on_mat: bool,
    /// Turned since the start, degrees, whole turns included.
    pub turned_deg: f64,
    pub outputs: Outputs,
    pub heard: Vec<Message>,
    pub events: Vec<Event>,
    step_hz: u32,
}

pub fn bytes(hex: &str) -> Vec<u8> {
    hex.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).unwrap()).collect()
}

impl Rig {
    pub fn with(params: CubeParams) -> Self {
        let step_hz = params.step_hz;
        let mut cube = Cube::new(params).unwrap();
        assert!(cube.connect());
        cube.subscribe_all();
        Self {
            cube,
            senses: Senses::default(),
            pose: Pose { x: 250.0, y: 250.0, deg: 0.0 },
            wheels: [0.0; 2],
            on_mat: true,
            turned_deg: 0.0,
            outputs: Outputs::default(),
            heard: Vec::new(),
            events: Vec::new(),
            step_hz,
        }
    }

    pub fn for_profile(protocol: Protocol, profile: Profile) -> Self {
        Self::with(CubeParams::for_profile(protocol, profile))
    }

    pub fn device() -> Self {
        Self::for_profile(Protocol::V2_5_0, Profile::Device)
    }

    pub fn unity() -> Self {
        Self::for_profile(Protocol::V2_4_0, Profile::Unity)
    }

    pub fn at(mut self, x: f64, y: f64, deg: f64) -> Self {
        self.pose = Pose { x, y, deg };
        self
    }

    pub fn write(&mut self, short_id: u16, hex: &str) {
        self.cube.write(Characteristic::from_short_id(short_id).unwrap(), &bytes(hex));
    }

    pub fn send(&mut self, command: &Command) {
        self.cube.send(command);
    }

    fn printed(&self) -> Printed {
        if !self.on_mat {
            return Printed::Nothing;
        }
        let round = |value: f64| value.round_ties_even() as u16;
        let (x, y, deg) = (round(self.pose.x), round(self.pose.y), round(self.pose.deg.rem_euclid(360.0)) % 360);
        Printed::Position(PositionId {
            centre_x: x,
            centre_y: y,
            centre_deg: deg,
            sensor_x: x,
            sensor_y: y,
            sensor_deg: deg,
        })
    }

    /// One step of the cube on what is under it, then one of the plant.
    pub fn step(&mut self) -> &Outputs {
        self.senses.printed = self.printed();
        self.step_as_told()
    }

    /// The same with `senses.printed` left as it is.
    pub fn step_as_told(&mut self) -> &Outputs {
        self.senses.wheel_speed_m_s = self.wheels.map(|units| units * UNIT_M_S);
        self.outputs = self.cube.step(&self.senses).clone();
        self.heard.extend(self.outputs.messages.iter().copied());
        self.events.extend(self.outputs.events.iter().cloned());
        self.roll(1.0 / f64::from(self.step_hz));
        &self.outputs
    }

    /// One step of the plant alone, with these commands.
    pub fn drive(&mut self, motor_units: [f64; 2]) {
        self.outputs.actuators.motor_units = motor_units;
        self.roll(1.0 / f64::from(self.step_hz));
    }

    fn roll(&mut self, step_s: f64) {
        let Actuators { motor_units, motor_share, .. } = self.outputs.actuators;
        let targets = motor_units.map(|units| units * motor_share);
        for (wheel, target) in self.wheels.iter_mut().zip(targets) {
            *wheel += (target - *wheel) * step_s / LAG_S.max(step_s);
        }
        let [left, right] = self.wheels.map(|units| units * UNIT_M_S);
        let turn_rad = (left - right) / TREAD_M * step_s;
        let way_dot = 0.5 * (left + right) * step_s * DOTS_PER_M;
        let mean_rad = self.pose.deg.to_radians() + 0.5 * turn_rad;
        let (sin, cos) = sim_core::ops::sin_cos(mean_rad);
        self.pose.x += way_dot * cos;
        self.pose.y += way_dot * sin;
        self.pose.deg += turn_rad / TAU * 360.0;
        self.turned_deg += turn_rad / TAU * 360.0;
    }

    pub fn run(&mut self, steps: usize) {
        for _ in 0..steps {
            self.step();
        }
    }

    pub fn run_s(&mut self, seconds: f64) {
        self.run((seconds * f64::from(self.step_hz)).round() as usize);
    }

    /// Steps until the motors have answered once more, at most `seconds` long. Returns the answer and the number of steps.
    pub fn run_to_answer(&mut self, seconds: f64) -> Option<(MotorReport, usize)> {
        for steps in 1..=(seconds * f64::from(self.step_hz)) as usize {
            self.step();
            if let Some(&answer) = motor_answers(&self.outputs.messages).first() {
                return Some((answer, steps));
            }
        }
        None
    }

    pub fn motor(&self) -> [f64; 2] {
        self.outputs.actuators.motor_units
    }

    /// All that a characteristic has said since the last call of this kind.
    pub fn take(&mut self, short_id: u16) -> Vec<Vec<u8>> {
        let wanted = Characteristic::from_short_id(short_id).unwrap();
        let (taken, kept) = self.heard.iter().partition::<Vec<_>, _>(|message| message.characteristic == wanted);
        self.heard = kept;
        taken.iter().map(|message| message.bytes.to_vec()).collect()
    }

    pub fn answers(&self) -> Vec<MotorReport> {
        motor_answers(&self.heard)
    }

    /// Why writes were dropped so far.
    pub fn drops(&self) -> Vec<Refusal> {
        let why = |event: &Event| match event {
            Event::Dropped { why, .. } => Some(*why),
            Event::IntervalRequested { .. } => None,
        };
        self.events.iter().filter_map(why).collect()
    }
}

/// The answers to `03` and `04` among messages.
pub fn motor_answers(messages: &[Message]) -> Vec<MotorReport> {
    let answer = |message: &Message| match message.decode() {
        Ok(Notification::Motor(report @ (MotorReport::Target { .. } | MotorReport::Targets { .. }))) => Some(report),
        _ => None,
    };
    messages.iter().filter_map(answer).collect()
}

pub fn target(request_id: u8, code: ErrorCode) -> MotorReport {
    MotorReport::Target { request_id, code }
}

pub fn targets(request_id: u8, code: ErrorCode) -> MotorReport {
    MotorReport::Targets { request_id, code }
}

pub fn is_malformed(refusal: &Refusal) -> bool {
    matches!(refusal, Refusal::Malformed(WireError::WrongLength { .. } | WireError::OutOfRange { .. }))
}
