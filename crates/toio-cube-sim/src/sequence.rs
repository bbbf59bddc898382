//! Timed operations played in a row, as lamp and speaker do (toio facts, section 8.8).

use crate::micros::Micros;
use sim_core::ParamError;

/// Operations with their durations, repeated.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sequence<T> {
    started: Micros,
    /// 0 is endless.
    repeat: u8,
    period: Micros,
    /// Duration in units of 10 ms, 1 to 255, and what is shown for so long.
    steps: Vec<(u8, T)>,
}

impl<T: Copy> Sequence<T> {
    /// Plays `steps` from `started` on, `repeat` times or endlessly (0).
    ///
    /// # Errors
    /// If there are none or more than `most` of them, or one has no duration.
    pub fn new(started: Micros, repeat: u8, steps: Vec<(u8, T)>, most: usize) -> Result<Self, ParamError> {
        if steps.is_empty() || steps.len() > most {
            let message = format!("are {}, must be from 1 to {most}", steps.len());
            return Err(ParamError::new("operations", message));
        }
        if steps.iter().any(|&(duration, _)| duration == 0) {
            return Err(ParamError::new("duration_10_ms", "is 0, must be from 1 to 255"));
        }
        Ok(Self { repeat, ..Self::once(started, steps) })
    }

    /// Plays `steps`, a list of our own that is not empty and has no duration of 0, once.
    pub fn once(started: Micros, steps: Vec<(u8, T)>) -> Self {
        let period = Micros::from_10_ms(steps.iter().map(|&(duration, _)| u64::from(duration)).sum());
        Self { started, repeat: 1, period, steps }
    }

    /// What is shown at `now`; nothing after the end.
    pub fn at(&self, now: Micros) -> Option<T> {
        let elapsed = now.since(self.started);
        if self.repeat > 0 && elapsed.0 >= self.period.0 * u64::from(self.repeat) {
            return None;
        }
        let mut left = elapsed.0 % self.period.0;
        for &(duration, shown) in &self.steps {
            let span = Micros::from_10_ms(u64::from(duration)).0;
            if left < span {
                return Some(shown);
            }
            left -= span;
        }
        None
    }

    /// The first moment after `now` at which an operation ends; nothing after the end of all.
    pub fn next_change(&self, now: Micros) -> Option<Micros> {
        let elapsed = now.since(self.started);
        if self.repeat > 0 && elapsed.0 >= self.period.0 * u64::from(self.repeat) {
            return None;
        }
        let in_period = elapsed.0 % self.period.0;
        let mut end = 0;
        for &(duration, _) in &self.steps {
            end += Micros::from_10_ms(u64::from(duration)).0;
            if end > in_period {
                return Some(now.after(Micros(end - in_period)));
            }
        }
        None
    }

    /// Calls `word` with each number of the state.
    pub fn words(&self, mut word: impl FnMut(u64), of: impl Fn(T) -> u64) {
        [self.started.0, u64::from(self.repeat), self.steps.len() as u64].into_iter().for_each(&mut word);
        for &(duration, shown) in &self.steps {
            word(u64::from(duration));
            word(of(shown));
        }
    }
}
