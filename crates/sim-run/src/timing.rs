//! How long things took. The clock itself belongs to the caller: nothing here can ask for the time.

use serde::Serialize;

/// A clock that the caller of this crate holds.
pub trait Stopwatch: Sync {
    /// Seconds since a moment of the stopwatch's own choice. Never goes back.
    fn now_s(&self) -> f64;
}

/// A stopwatch that stands still, for runs that are not timed.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoStopwatch;

impl Stopwatch for NoStopwatch {
    fn now_s(&self) -> f64 {
        0.0
    }
}

/// Buckets per doubling of the duration.
const PARTS: usize = 64;
/// Doublings covered, from 1 ns to 2^48 ns (78 hours).
const DOUBLINGS: usize = 48;

/// Durations of steps in buckets of 1/64 doubling: quantiles to 1.6 % in fixed memory, however long the run.
#[derive(Clone, Debug)]
pub struct StepTimes {
    buckets: Vec<u64>,
    count: u64,
    max_s: f64,
}

impl Default for StepTimes {
    fn default() -> Self {
        Self { buckets: vec![0; PARTS * DOUBLINGS], count: 0, max_s: 0.0 }
    }
}

impl StepTimes {
    /// Adds one step.
    pub fn add(&mut self, duration_s: f64) {
        let nanoseconds = (duration_s * 1e9).max(1.0) as u64;
        let doubling = nanoseconds.ilog2() as usize;
        // The six bits after the leading one.
        let part = ((nanoseconds << (63 - doubling)) >> 57) as usize & (PARTS - 1);
        self.buckets[(doubling * PARTS + part).min(PARTS * DOUBLINGS - 1)] += 1;
        self.count += 1;
        self.max_s = self.max_s.max(duration_s);
    }

    /// Adds the steps of another run.
    pub fn merge(&mut self, other: &Self) {
        self.buckets.iter_mut().zip(&other.buckets).for_each(|(a, b)| *a += b);
        self.count += other.count;
        self.max_s = self.max_s.max(other.max_s);
    }

    /// The duration in seconds that a share of the steps stays below; 0 without steps.
    #[must_use]
    pub fn quantile_s(&self, share: f64) -> f64 {
        let wanted = ((share * self.count as f64).ceil() as u64).max(1);
        let mut seen = 0;
        for (index, &count) in self.buckets.iter().enumerate() {
            seen += count;
            if seen >= wanted {
                let base = (1_u64 << (index / PARTS)) as f64;
                let upper_s = base * (1.0 + (index % PARTS + 1) as f64 / PARTS as f64) * 1e-9;
                return upper_s.min(self.max_s);
            }
        }
        0.0
    }

    /// The longest step in seconds.
    #[must_use]
    pub fn max_s(&self) -> f64 {
        self.max_s
    }
}

/// What `timing.json` says. The only part of a run folder that depends on the clock.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Timing {
    /// Steps made, over all runs.
    pub steps: u64,
    /// Robots in each run.
    pub agents: u64,
    /// Time from the first step to the last, tables included, s.
    pub wall_s: f64,
    /// Robots times steps over `wall_s`; 0 without a stopwatch.
    pub agent_steps_per_s: f64,
    /// Median step without tables, µs.
    pub step_us_p50: f64,
    /// 99 % of the steps are shorter, µs.
    pub step_us_p99: f64,
    /// Longest step, µs.
    pub step_us_max: f64,
}

impl Timing {
    /// Figures of `steps` steps of `agents` robots.
    #[must_use]
    pub fn new(steps: u64, agents: usize, wall_s: f64, times: &StepTimes) -> Self {
        let agent_steps = steps as f64 * agents as f64;
        Self {
            steps,
            agents: agents as u64,
            wall_s,
            agent_steps_per_s: if wall_s > 0.0 { agent_steps / wall_s } else { 0.0 },
            step_us_p50: times.quantile_s(0.5) * 1e6,
            step_us_p99: times.quantile_s(0.99) * 1e6,
            step_us_max: times.max_s() * 1e6,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_an_even_ladder_are_right_to_a_bucket() {
        let mut times = StepTimes::default();
        (1..=10_000).for_each(|k| times.add(f64::from(k) * 1e-8));
        for share in [0.01, 0.5, 0.99, 1.0] {
            let exact = share * 1e-4;
            let got = times.quantile_s(share);
            assert!(got >= exact * 0.9999 && got <= exact * 1.017, "{share}: {got} for {exact}");
        }
        assert_eq!(times.max_s(), 1e-4);
    }

    #[test]
    fn merging_is_the_same_as_one_long_run() {
        let (mut whole, mut first, mut second) = (StepTimes::default(), StepTimes::default(), StepTimes::default());
        for k in 1..500 {
            let duration_s = f64::from(k * k) * 1e-9;
            whole.add(duration_s);
            if k % 3 == 0 { first.add(duration_s) } else { second.add(duration_s) }
        }
        first.merge(&second);
        assert_eq!(first.buckets, whole.buckets);
        assert_eq!(Timing::new(499, 2, 0.1, &first), Timing::new(499, 2, 0.1, &whole));
    }

    #[test]
    fn odd_durations_do_no_harm() {
        let mut times = StepTimes::default();
        assert_eq!(times.quantile_s(0.5), 0.0);
        for duration_s in [0.0, -1.0, 1e-12, 1e9, f64::INFINITY, f64::NAN] {
            times.add(duration_s);
        }
        assert_eq!(times.count, 6);
    }
}
