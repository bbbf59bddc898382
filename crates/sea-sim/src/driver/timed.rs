//! Commands at given steps.

use sim_core::ParamError;

/// A command that is given once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedCommand {
    /// The step at whose beginning it is given, from 0.
    pub step: u64,
    /// Number of the actuator.
    pub actuator: usize,
    /// Value, in its unit.
    pub value: f64,
}

/// A list of commands in the order of their steps.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timed {
    commands: Vec<TimedCommand>,
}

impl Timed {
    /// A list of commands; those of one step keep their order.
    ///
    /// # Errors
    /// If a value is not finite.
    pub fn new(mut commands: Vec<TimedCommand>) -> Result<Self, ParamError> {
        for command in &commands {
            crate::check::finite("value", command.value)?;
        }
        commands.sort_by_key(|command| command.step);
        Ok(Self { commands })
    }

    /// The commands that are due at a step, after `given` that were given before; their number is to be added to
    /// `given`.
    #[must_use]
    pub fn due(&self, given: usize, step: u64) -> &[TimedCommand] {
        let rest = self.commands.get(given..).unwrap_or_default();
        let count = rest.iter().take_while(|command| command.step <= step).count();
        &rest[..count]
    }
}
