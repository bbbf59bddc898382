//! What the tests share: worlds with few words.

#![allow(dead_code, reason = "each test binary uses its own part")]
#![allow(clippy::unwrap_used, reason = "a test that cannot set up its world should stop")]

use sim_core::{DVec2, StateHash};
use toio_physics::{
    CubeReport, CubeStart, HandAction, MotorParams, Physics, PhysicsModel, PhysicsParams, PlacedMagnet, WheelCommand,
};

pub const STOP: WheelCommand =
    WheelCommand { left_units: 0.0, right_units: 0.0, active_share: 1.0, is_forced_stop: false };

pub fn units(left_units: f64, right_units: f64) -> WheelCommand {
    WheelCommand { left_units, right_units, active_share: 1.0, is_forced_stop: false }
}

/// A cube with its axle's middle at (x, y) millimetres and a heading in degrees.
pub fn cube(id: u32, x_mm: f64, y_mm: f64, heading_deg: f64) -> CubeStart {
    CubeStart {
        id,
        axle_m: DVec2::new(x_mm, y_mm) / 1000.0,
        heading_rad: heading_deg.to_radians(),
        motor: MotorParams::default(),
        is_away: false,
    }
}

/// A world with its model.
pub struct World {
    pub model: PhysicsModel,
    pub physics: Physics,
}

impl World {
    pub fn new(params: PhysicsParams, starts: &[CubeStart]) -> Self {
        Self::with_magnets(params, starts, &[])
    }

    pub fn with_magnets(params: PhysicsParams, starts: &[CubeStart], magnets: &[PlacedMagnet]) -> Self {
        let model = PhysicsModel::new(params).unwrap();
        let physics = Physics::new(&model, starts, magnets).unwrap();
        Self { model, physics }
    }

    /// One cube at the origin, on a level mat, at 50 ticks a second.
    pub fn alone() -> Self {
        Self::new(PhysicsParams::default(), &[cube(0, 0.0, 0.0, 0.0)])
    }

    pub fn report(&self, cube: usize) -> CubeReport {
        self.physics.reports()[cube]
    }

    pub fn x_mm(&self, cube: usize) -> f64 {
        self.report(cube).axle_m().x * 1000.0
    }

    pub fn y_mm(&self, cube: usize) -> f64 {
        self.report(cube).axle_m().y * 1000.0
    }

    pub fn hand(&mut self, cube: usize, action: HandAction) {
        self.physics.hand(&self.model, cube, action).unwrap();
    }

    pub fn step(&mut self, commands: &[WheelCommand]) {
        self.physics.step(&self.model, commands).unwrap();
    }

    /// Steps for a time under constant commands.
    pub fn run(&mut self, seconds: f64, commands: &[WheelCommand]) {
        self.run_and(seconds, commands, |_| ());
    }

    /// The same, with a look at the world after each tick.
    pub fn run_and(&mut self, seconds: f64, commands: &[WheelCommand], mut look: impl FnMut(&Self)) {
        let ticks = (seconds * f64::from(self.model.params().step_hz)).round() as u32;
        for _ in 0..ticks {
            self.step(commands);
            look(self);
        }
    }

    pub fn hash(&self) -> u64 {
        let mut hash = StateHash::new();
        self.physics.hash_into(&mut hash);
        hash.finish()
    }
}

#[track_caller]
pub fn assert_near(value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{value} is not {expected} within {tolerance}");
}
