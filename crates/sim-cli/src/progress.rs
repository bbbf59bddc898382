//! How far the runs have come: a bar on a terminal, a line now and then elsewhere.

use crate::args::Format;
use crate::clock::WallClock;
use crate::figures::{clock, large, short};
use crate::plan::{Plan, Which};
use crate::reporter::Reporter;
use crate::worst::Worst;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sim_run::{Observer, Progress, RunReport, Stopwatch};
use sim_sweep::{SweepObserver, SweepProgress};
use sim_world::Ranking;
use std::collections::BTreeMap;
use std::io::{IsTerminal, stderr};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

const BAR: &str = "{bar:32} {percent:>3} %  {msg}";

/// Watches all runs of a command.
pub struct Watcher<'a> {
    reporter: &'a Reporter,
    clock: &'a WallClock,
    bar: Option<ProgressBar>,
    state: Mutex<State>,
}

impl<'a> Watcher<'a> {
    /// A bar is only drawn where nothing else will write into it.
    pub fn new(plan: &Plan, reporter: &'a Reporter, clock: &'a WallClock, verbose: bool) -> Self {
        let drawn = stderr().is_terminal() && !verbose && !reporter.quiet && reporter.format == Format::Text;
        let runs = match plan.which {
            Which::One(_) => None,
            Which::Batch(runs) => Some(runs),
        };
        Self { reporter, clock, bar: drawn.then(|| bar(plan.steps())), state: Mutex::new(State::new(plan, runs)) }
    }

    /// Takes the bar away and hands out the worst runs.
    pub fn finish(self) -> Worst {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).worst
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Observer for Watcher<'_> {
    fn progress(&self, progress: &Progress) {
        let mut state = self.lock();
        state.record(progress);
        let now_s = self.clock.now_s();
        match &self.bar {
            Some(bar) => {
                bar.set_length(state.steps);
                bar.set_message(state.words(now_s));
                bar.set_position(state.steps_done);
            }
            None if state.is_line_due(now_s) => self.reporter.progress(&state.line(now_s)),
            None => {}
        }
    }

    fn finished(&self, report: &RunReport) {
        let mut state = self.lock();
        state.close(report.run_index, report.steps_done);
        state.worst.add(report);
    }
}

/// A bar on a terminal, a line now and then elsewhere.
struct Meter<'a> {
    reporter: &'a Reporter,
    bar: Option<ProgressBar>,
    next_line_s: f64,
}

impl<'a> Meter<'a> {
    fn new(reporter: &'a Reporter) -> Self {
        let drawn = stderr().is_terminal() && !reporter.quiet && reporter.format == Format::Text;
        Self { reporter, bar: drawn.then(|| bar(0)), next_line_s: FIRST_LINE_S }
    }

    fn show(&mut self, now_s: f64, (done, all): (u64, u64), words: String) {
        match &self.bar {
            Some(bar) => {
                bar.set_length(all);
                bar.set_message(words);
                bar.set_position(done);
            }
            None if now_s >= self.next_line_s && done < all => {
                self.next_line_s = later(now_s);
                self.reporter.progress(&words);
            }
            None => {}
        }
    }

    fn finish(self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

/// Watches a film being made.
pub struct FilmWatcher<'a> {
    clock: &'a WallClock,
    meter: Meter<'a>,
}

impl<'a> FilmWatcher<'a> {
    /// A bar on a terminal, lines elsewhere.
    pub fn new(reporter: &'a Reporter, clock: &'a WallClock) -> Self {
        Self { clock, meter: Meter::new(reporter) }
    }

    /// Shows how far it has come.
    pub fn show(&mut self, progress: sim_view::film::Progress) {
        let sim_view::film::Progress { frames_done, frames } = progress;
        let now_s = self.clock.now_s();
        let rate = if now_s > 0.0 { frames_done as f64 / now_s } else { 0.0 };
        let left = time_left((frames - frames_done) as f64, rate);
        let words = format!("{frames_done} of {frames} frames, {rate:.0} frames/s, {left} left");
        self.meter.show(now_s, (frames_done, frames), words);
    }

    /// Takes the bar away.
    pub fn finish(self) {
        self.meter.finish();
    }
}

/// Watches a sweep.
pub struct SweepWatcher<'a> {
    clock: &'a WallClock,
    /// Numbers of the runs that are to be made.
    numbers: Range<u64>,
    state: Mutex<SweepState<'a>>,
}

struct SweepState<'a> {
    meter: Meter<'a>,
    /// Where this attempt began.
    first: Option<SweepProgress>,
}

impl<'a> SweepWatcher<'a> {
    /// A bar on a terminal, lines elsewhere.
    pub fn new(reporter: &'a Reporter, clock: &'a WallClock, numbers: Range<u64>) -> Self {
        Self { clock, numbers, state: Mutex::new(SweepState { meter: Meter::new(reporter), first: None }) }
    }

    /// Takes the bar away.
    pub fn finish(self) {
        self.state.into_inner().unwrap_or_else(PoisonError::into_inner).meter.finish();
    }
}

impl SweepObserver for SweepWatcher<'_> {
    fn swept(&self, progress: &SweepProgress) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let first = *state.first.get_or_insert(*progress);
        let now_s = self.clock.now_s();
        let done = if progress.rows == 0 { 0 } else { progress.run_number + 1 - self.numbers.start };
        let all = self.numbers.end - self.numbers.start;
        state.meter.show(now_s, (done, all), sweep_words(progress, &first, all - done.min(all), now_s));
    }
}

/// Rate, time left, what went wrong so far. Cells that end early are behind it at once, so the time left is the most that it can be.
fn sweep_words(progress: &SweepProgress, first: &SweepProgress, left: u64, now_s: f64) -> String {
    let made = (progress.rows - first.rows) as f64;
    let rate = if now_s > 0.0 { made / now_s } else { 0.0 };
    let SweepProgress { rows, not_clean, failed, infeasible, .. } = progress;
    let mut words = format!(
        "{} runs, {} runs/s, {} left, {not_clean} not clean",
        rows - infeasible,
        short(rate),
        time_left(left as f64, rate)
    );
    for (count, what) in [(failed, "failed"), (infeasible, "cells cannot be run")] {
        if *count > 0 {
            words += &format!(", {count} {what}");
        }
    }
    words
}

fn time_left(left: f64, rate: f64) -> String {
    if rate > 0.0 { clock(left / rate) } else { "?".to_owned() }
}

/// Lines become rarer as time goes by: every 2 s at first, once a minute in the end.
fn later(now_s: f64) -> f64 {
    now_s + (now_s / 5.0).clamp(FIRST_LINE_S, 60.0)
}

fn bar(steps: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(BAR) {
        bar.set_style(style);
    }
    bar
}

/// All runs together.
struct State {
    name: String,
    steps: u64,
    runs: Option<u64>,
    /// Steps and violations of the runs that go on, by their index.
    open: BTreeMap<u64, (u64, u64)>,
    steps_done: u64,
    violations: u64,
    runs_done: u64,
    next_line_s: f64,
    worst: Worst,
}

/// Until the first line, s.
const FIRST_LINE_S: f64 = 2.0;

impl State {
    fn new(plan: &Plan, runs: Option<u64>) -> Self {
        Self::named(plan.info().name, plan.steps(), runs, plan.model().kind().ranking())
    }

    fn named(name: &str, steps: u64, runs: Option<u64>, ranking: &'static Ranking) -> Self {
        Self {
            name: name.to_owned(),
            steps,
            runs,
            open: BTreeMap::new(),
            steps_done: 0,
            violations: 0,
            runs_done: 0,
            next_line_s: FIRST_LINE_S,
            worst: Worst::new(ranking),
        }
    }

    fn record(&mut self, progress: &Progress) {
        let (steps, violations) = self.open.get(&progress.run_index).copied().unwrap_or_default();
        self.steps_done += progress.steps_done.saturating_sub(steps);
        self.violations += progress.violations.saturating_sub(violations);
        self.open.insert(progress.run_index, (progress.steps_done, progress.violations));
    }

    /// A run of a batch is over. Steps of one that an earlier attempt has made are not waited for.
    fn close(&mut self, run_index: u64, steps: u64) {
        if self.open.remove(&run_index).is_none() {
            self.steps = self.steps.saturating_sub(steps);
        }
        self.runs_done += 1;
    }

    fn is_line_due(&mut self, now_s: f64) -> bool {
        let due = now_s >= self.next_line_s && self.steps_done < self.steps;
        if due {
            self.next_line_s = later(now_s);
        }
        due
    }

    fn line(&self, now_s: f64) -> String {
        let percent = 100.0 * self.steps_done as f64 / self.steps as f64;
        format!("{}: {percent:.0} %, {}", self.name, self.words(now_s))
    }

    /// Rate, time left, what went wrong so far.
    fn words(&self, now_s: f64) -> String {
        let rate = if now_s > 0.0 { self.steps_done as f64 / now_s } else { 0.0 };
        let left = (self.steps - self.steps_done.min(self.steps)) as f64;
        let time_left = time_left(left, rate);
        let plural = if self.violations == 1 { "" } else { "s" };
        let tail = format!("{} steps/s, {time_left} left, {} violation{plural}", large(rate), self.violations);
        match self.runs {
            Some(runs) => format!("{} of {runs} runs, {tail}", self.runs_done),
            None => format!("{} of {} steps, {tail}", self.steps_done, self.steps),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RANKING: Ranking = Ranking::Largest { measure: "d_r_violations", unit: "count" };

    fn record(state: &mut State, run_index: u64, steps_done: u64, violations: u64) {
        state.record(&Progress { run_index, steps_done, steps: 600, violations });
    }

    #[test]
    fn runs_of_a_batch_add_up_in_any_order() {
        let mut state = State::named("s", 1200, Some(2), &RANKING);
        for (run, steps, violations) in [(0, 0, 0), (1, 0, 0), (1, 300, 2), (0, 60, 0), (1, 600, 2), (1, 600, 2)] {
            record(&mut state, run, steps, violations);
        }
        state.close(1, 600);
        assert_eq!((state.steps_done, state.violations, state.runs_done), (660, 2, 1));
        assert_eq!(state.open.len(), 1);
        assert_eq!(state.line(2.0), "s: 55 %, 1 of 2 runs, 330 steps/s, 0:02 left, 2 violations");
        // A run that was there before the first of them.
        let mut state = State::named("s", 1200, Some(2), &RANKING);
        state.close(0, 600);
        record(&mut state, 1, 300, 0);
        assert_eq!(state.line(1.0), "s: 50 %, 1 of 2 runs, 300 steps/s, 0:01 left, 0 violations");
    }

    #[test]
    fn a_single_run_tells_its_steps() {
        let mut state = State::named("s", 600, None, &RANKING);
        assert_eq!(state.words(0.0), "0 of 600 steps, 0 steps/s, ? left, 0 violations");
        record(&mut state, 0, 150, 1);
        assert_eq!(state.line(3.0), "s: 25 %, 150 of 600 steps, 50 steps/s, 0:09 left, 1 violation");
    }

    #[test]
    fn a_sweep_tells_its_rate_and_what_went_wrong() {
        let first = SweepProgress { rows: 10, ..SweepProgress::default() };
        let now = SweepProgress { rows: 30, run_number: 33, not_clean: 2, failed: 1, infeasible: 3 };
        assert_eq!(
            sweep_words(&now, &first, 66, 10.0),
            "27 runs, 2 runs/s, 0:33 left, 2 not clean, 1 failed, 3 cells cannot be run"
        );
        assert_eq!(sweep_words(&first, &first, 90, 0.0), "10 runs, 0 runs/s, ? left, 0 not clean");
    }

    #[test]
    fn lines_become_rarer_and_end_with_the_run() {
        let mut state = State::named("s", 600, None, &RANKING);
        let due: Vec<u32> = (0..600).filter(|&now_s| state.is_line_due(f64::from(now_s))).collect();
        assert_eq!(due[..3], [2, 4, 6]);
        assert!(due.windows(2).all(|pair| (2..=61).contains(&(pair[1] - pair[0]))) && due.len() < 40, "{due:?}");
        record(&mut state, 0, 600, 0);
        assert!(!state.is_line_due(1e9));
    }
}
