//! Commands at given times.

use sim_core::ParamError;

/// A command that is given once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedCommand {
    /// When, s from the start of the run.
    pub time_s: f64,
    /// Number of the actuator.
    pub actuator: usize,
    /// Value, in its unit.
    pub value: f64,
}

/// A list of commands in the order of their times.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timed {
    commands: Vec<TimedCommand>,
}

impl Timed {
    /// A list of commands; those of one time keep their order.
    ///
    /// # Errors
    /// If a time or a value is not finite, or a time is below 0.
    pub fn new(mut commands: Vec<TimedCommand>) -> Result<Self, ParamError> {
        for command in &commands {
            crate::check::not_negative("time_s", command.time_s)?;
            crate::check::finite("value", command.value)?;
        }
        commands.sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
        Ok(Self { commands })
    }

    /// The commands that are due at a time, after `given` that were given before; their number is to be added to
    /// `given`.
    #[must_use]
    pub fn due(&self, given: usize, time_s: f64) -> &[TimedCommand] {
        let rest = self.commands.get(given..).unwrap_or_default();
        // Times are multiples of the step up to rounding.
        let count = rest.iter().take_while(|command| command.time_s <= time_s * (1.0 + 1e-12)).count();
        &rest[..count]
    }
}
