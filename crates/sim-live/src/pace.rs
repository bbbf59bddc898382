//! When the next step is due: a grid in wall time, counted from one origin, so that small delays do not add up.
//!
//! Step `k` after the origin is due at `origin + k / (step_hz * speed)`. No step is left out. A loop that is late by at most [`MAX_LATE`]
//! catches up; a later one moves the origin, so that the run stays late by that much. A pause and a change of speed set the origin again.

use sim_run::timing::StepTimes;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// Lateness that is caught up.
pub const MAX_LATE: Duration = Duration::from_millis(250);

/// How fast simulated time passes in wall time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Speed {
    /// So many simulated seconds a second, 0.1 to 50.
    Times(f64),
    /// As fast as the steps can be made.
    Max,
}

impl Speed {
    /// Least and largest number.
    pub const RANGE: [f64; 2] = [0.1, 50.0];

    /// A speed by its number; none out of range.
    #[must_use]
    pub fn from_times(times: f64) -> Option<Self> {
        (Self::RANGE[0]..=Self::RANGE[1]).contains(&times).then_some(Self::Times(times))
    }
}

impl FromStr for Speed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let times = || text.parse().ok().and_then(Self::from_times);
        let [least, most] = Self::RANGE;
        if text == "max" { Some(Self::Max) } else { times() }
            .ok_or_else(|| format!("write max or a number from {least} to {most}"))
    }
}

impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Times(times) => write!(f, "{times}"),
            Self::Max => f.write_str("max"),
        }
    }
}

/// The grid of due times. All times are those of one clock.
#[derive(Clone, Debug)]
pub struct Pace {
    step_hz: u32,
    speed: Speed,
    is_paused: bool,
    /// Single steps that a pause still lets pass.
    owed: u64,
    origin: Duration,
    /// Steps since the origin.
    made: u64,
    lateness: StepTimes,
    /// Wall time by which the origin has moved.
    lost: Duration,
}

impl Pace {
    /// A grid of `step_hz` steps a simulated second from `now` on.
    #[must_use]
    pub fn new(step_hz: u32, speed: Speed, now: Duration) -> Self {
        let (lateness, lost) = (StepTimes::default(), Duration::ZERO);
        Self { step_hz, speed, is_paused: false, owed: 0, origin: now, made: 0, lateness, lost }
    }

    /// The speed.
    #[must_use]
    pub fn speed(&self) -> Speed {
        self.speed
    }

    /// True while no step is made by itself.
    #[must_use]
    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// How late steps began, as far as they were on the grid.
    #[must_use]
    pub fn lateness(&self) -> &StepTimes {
        &self.lateness
    }

    /// Wall time that was not caught up.
    #[must_use]
    pub fn lost(&self) -> Duration {
        self.lost
    }

    /// Sets the origin: the next step is due one step later.
    pub fn restart(&mut self, now: Duration) {
        (self.origin, self.made, self.owed) = (now, 0, 0);
    }

    /// Changes the speed.
    pub fn set_speed(&mut self, speed: Speed, now: Duration) {
        self.speed = speed;
        self.restart(now);
    }

    /// Pauses or goes on.
    pub fn pause(&mut self, is_paused: bool, now: Duration) {
        self.is_paused = is_paused;
        self.restart(now);
    }

    /// Pauses after `count` more steps.
    pub fn owe(&mut self, count: u64, now: Duration) {
        let owed = if self.is_paused { self.owed } else { 0 };
        self.pause(true, now);
        self.owed = owed + count;
    }

    /// Time from `now` until the next step is due; none while paused.
    #[must_use]
    pub fn wait(&self, now: Duration) -> Option<Duration> {
        match (self.is_paused, self.due()) {
            (true, _) => (self.owed > 0).then_some(Duration::ZERO),
            (false, due) => Some(due.map_or(Duration::ZERO, |due| due.saturating_sub(now))),
        }
    }

    /// When the next step is due; none if at once.
    fn due(&self) -> Option<Duration> {
        let Speed::Times(times) = self.speed else { return None };
        let steps = (self.made + 1) as f64;
        Some(self.origin + Duration::from_secs_f64(steps / (f64::from(self.step_hz) * times)))
    }

    /// Counts a step that begins `now`. Returns by how much the run stays late, if the step was too late to be caught up.
    pub fn begin_step(&mut self, now: Duration) -> Option<Duration> {
        if self.is_paused {
            self.owed = self.owed.saturating_sub(1);
            return None;
        }
        let late = now.saturating_sub(self.due()?);
        self.made += 1;
        self.lateness.add(late.as_secs_f64());
        if late <= MAX_LATE {
            return None;
        }
        self.origin += late;
        self.lost += late;
        Some(late)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn steps_are_due_on_a_grid_from_one_origin() {
        let mut pace = Pace::new(50, Speed::Times(2.0), ms(1000));
        // 50 Hz at twice the speed: every 10 ms.
        assert_eq!(pace.wait(ms(1000)), Some(ms(10)));
        assert_eq!(pace.begin_step(ms(1013)), None);
        // 3 ms late: the next one is due 20 ms after the origin all the same.
        assert_eq!(pace.wait(ms(1013)), Some(ms(7)));
        assert_eq!(pace.wait(ms(1025)), Some(Duration::ZERO));
        assert_eq!(pace.lateness().max_s(), 0.003);
    }

    #[test]
    fn a_late_loop_catches_up_within_the_bound_and_stays_late_beyond_it() {
        let mut pace = Pace::new(100, Speed::Times(1.0), Duration::ZERO);
        assert_eq!(pace.begin_step(ms(260)), None);
        // 25 steps are due and none is left out: the loop makes them without waiting.
        for _ in 0..25 {
            assert_eq!(pace.wait(ms(260)), Some(Duration::ZERO));
            assert_eq!(pace.begin_step(ms(260)), None);
        }
        assert_eq!(pace.wait(ms(260)), Some(ms(10)));
        // Due at 270: 251 ms late moves the grid.
        assert_eq!(pace.begin_step(ms(521)), Some(ms(251)));
        assert_eq!((pace.wait(ms(521)), pace.lost()), (Some(ms(10)), ms(251)));
    }

    #[test]
    fn a_pause_lets_single_steps_pass_and_no_time_is_made_up() {
        let mut pace = Pace::new(100, Speed::Times(1.0), Duration::ZERO);
        pace.owe(2, ms(5));
        assert!(pace.is_paused());
        for _ in 0..2 {
            assert_eq!(pace.wait(ms(5)), Some(Duration::ZERO));
            assert_eq!(pace.begin_step(ms(5)), None);
        }
        assert_eq!(pace.wait(ms(9000)), None);
        pace.pause(false, ms(9000));
        assert_eq!(pace.wait(ms(9000)), Some(ms(10)));
    }

    #[test]
    fn the_fastest_speed_never_waits_and_is_never_late() {
        let mut pace = Pace::new(60, Speed::Max, Duration::ZERO);
        assert_eq!(pace.begin_step(ms(9000)), None);
        assert_eq!((pace.wait(ms(9000)), pace.lost()), (Some(Duration::ZERO), Duration::ZERO));
    }

    #[test]
    fn speeds_are_read_within_their_range() {
        assert_eq!("max".parse(), Ok(Speed::Max));
        assert_eq!("0.1".parse(), Ok(Speed::Times(0.1)));
        for wrong in ["0.09", "50.1", "nan", "fast", "-1", ""] {
            assert!(wrong.parse::<Speed>().is_err(), "{wrong}");
        }
    }
}
