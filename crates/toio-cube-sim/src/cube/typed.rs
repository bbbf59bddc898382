//! The same writes by name. Each encodes its bytes and goes the way of [`Cube::write`], so that nothing can be said here that a
//! client could not say.

use super::Cube;
use crate::wire::{
    Acceleration, Command, ConfigCommand, LightCommand, MotorCommand, SensorRequest, SoundCommand, Target, Travel,
    WheelCommands,
};

impl Cube {
    /// Writes any command.
    pub fn send(&mut self, command: &Command) {
        let bytes = command.encode(self.params.protocol);
        self.write(command.characteristic(), &bytes);
    }

    /// `01`: turns the wheels until the next motor command.
    pub fn motor_run(&mut self, wheels: WheelCommands) {
        self.send(&Command::Motor(MotorCommand::Run(wheels)));
    }

    /// `02`: turns the wheels for a number of 10 ms; 0 is until the next motor command.
    pub fn motor_run_for(&mut self, wheels: WheelCommands, duration_10_ms: u8) {
        self.send(&Command::Motor(MotorCommand::RunFor { wheels, duration_10_ms }));
    }

    /// `03`: goes to a target.
    pub fn motor_target(&mut self, travel: Travel, target: Target) {
        self.send(&Command::Motor(MotorCommand::GoTo { travel, target }));
    }

    /// `04`: goes through targets; if `append`, after the `04` that runs.
    pub fn motor_targets(&mut self, travel: Travel, append: bool, targets: &[Target]) {
        self.send(&Command::Motor(MotorCommand::GoThrough { travel, append, targets: targets.to_vec() }));
    }

    /// `05`: goes at a speed and turns at a rate.
    pub fn motor_accelerate(&mut self, acceleration: Acceleration) {
        self.send(&Command::Motor(MotorCommand::Accelerate(acceleration)));
    }

    /// Sets the lamp.
    pub fn light(&mut self, command: LightCommand) {
        self.send(&Command::Light(command));
    }

    /// Makes a sound, or silence.
    pub fn sound(&mut self, command: SoundCommand) {
        self.send(&Command::Sound(command));
    }

    /// Asks for one report of the sensors.
    pub fn request(&mut self, request: SensorRequest) {
        self.send(&Command::Sensor(request));
    }

    /// Changes a setting, or asks for one.
    pub fn set(&mut self, command: ConfigCommand) {
        self.send(&Command::Config(command));
    }
}
