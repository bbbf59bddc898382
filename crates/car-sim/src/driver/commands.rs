//! Commands by the clock.

use crate::Command;
use sim_core::ParamError;

/// A command and the moment from which it is in force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimedCommand {
    /// Simulated time, whole nanoseconds.
    pub time_ns: u64,
    /// What is asked for.
    pub command: Command,
}

/// Commands in the order of their times: a plan, or a recording to be driven again.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CommandList {
    commands: Vec<TimedCommand>,
}

/// Longest leg, s.
const MAX_LEG_S: f64 = 1e9;

impl CommandList {
    /// Checks commands and their order.
    ///
    /// # Errors
    /// If a time is not later than the one before, or a command is not one that a car takes; the message counts from 0.
    pub fn new(commands: Vec<TimedCommand>) -> Result<Self, ParamError> {
        for (index, timed) in commands.iter().enumerate() {
            let named =
                |error: ParamError| ParamError::new(error.field, format!("of command {index} {}", error.message));
            timed.command.check().map_err(named)?;
        }
        if let Some(late) = commands.windows(2).position(|pair| pair[0].time_ns >= pair[1].time_ns) {
            let [before, after] = [commands[late].time_ns, commands[late + 1].time_ns];
            let message = format!("of command {} is {after}, must be later than {before} of the one before", late + 1);
            return Err(ParamError::new("time_ns", message));
        }
        Ok(Self { commands })
    }

    /// Commands one after the other from time 0, each for so many seconds; then the car is asked to stand, wheels straight.
    ///
    /// # Errors
    /// If a leg is not 1 ns to 1e9 s long, or a command is not one that a car takes.
    pub fn from_legs(legs: &[(f64, Command)]) -> Result<Self, ParamError> {
        let mut time_ns = 0;
        let mut commands = Vec::with_capacity(legs.len() + 1);
        for &(seconds, command) in legs {
            ParamError::check_range("seconds", seconds, 1e-9, MAX_LEG_S)?;
            commands.push(TimedCommand { time_ns, command });
            time_ns += (seconds * 1e9).round() as u64;
        }
        commands.push(TimedCommand { time_ns, command: Command::default() });
        Self::new(commands)
    }

    /// The command in force at a time; standing before the first one.
    #[must_use]
    pub fn at(&self, time_ns: u64) -> Command {
        let begun = self.commands.partition_point(|timed| timed.time_ns <= time_ns);
        begun.checked_sub(1).map_or_else(Command::default, |index| self.commands[index].command)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(velocity_m_s: f64) -> Command {
        Command { velocity_m_s, ..Command::default() }
    }

    #[test]
    fn legs_follow_each_other_and_then_the_car_stands() {
        let list = CommandList::from_legs(&[(1.5, command(0.8)), (0.25, command(-0.3))]).unwrap();
        let at = |time_ns| list.at(time_ns).velocity_m_s;
        assert_eq!([at(0), at(1_499_999_999), at(1_500_000_000)], [0.8, 0.8, -0.3]);
        assert_eq!([at(1_749_999_999), at(1_750_000_000), at(u64::MAX)], [-0.3, 0.0, 0.0]);
    }

    #[test]
    fn a_recording_begins_when_it_begins_and_its_last_command_stays() {
        let timed = |time_ns, v| TimedCommand { time_ns, command: command(v) };
        let list = CommandList::new(vec![timed(10, 0.1), timed(20, 0.2)]).unwrap();
        let at = |time_ns| list.at(time_ns).velocity_m_s;
        assert_eq!([at(9), at(10), at(19), at(20), at(1 << 60)], [0.0, 0.1, 0.1, 0.2, 0.2]);
        assert_eq!(CommandList::default().at(5), Command::default());
    }

    #[test]
    fn what_is_no_plan_is_refused_and_says_where() {
        let timed = |time_ns, v| TimedCommand { time_ns, command: command(v) };
        let error = CommandList::new(vec![timed(0, 0.1), timed(5, 0.1), timed(5, 0.2)]).unwrap_err();
        assert_eq!(error.to_string(), "time_ns of command 2 is 5, must be later than 5 of the one before");
        let error = CommandList::new(vec![timed(0, 0.1), timed(5, f64::NAN)]).unwrap_err();
        assert_eq!(error.to_string(), "velocity_m_s of command 1 is NaN, must be a finite number");
        assert_eq!(CommandList::from_legs(&[(0.0, command(1.0))]).unwrap_err().field, "seconds");
        assert_eq!(CommandList::from_legs(&[(f64::INFINITY, command(1.0))]).unwrap_err().field, "seconds");
    }
}
