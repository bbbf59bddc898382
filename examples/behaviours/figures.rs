//! How much of a behaviour is seen, in numbers.

use crate::laws::Behaviour;
use sim_core::DVec2;
use sim_run::Metric;
use std::fmt;

/// Least distance of two robots, mm.
pub const ROBOT_MM: f64 = 60.0;
/// Least distance of a robot from a foot, mm.
pub const FOOT_MM: f64 = 100.0;
/// A robot is in place within this distance of its goal, mm.
const IN_PLACE_MM: f64 = 10.0;

/// The first lines of a table of [`Figures`].
pub const HEAD: &str = "\
| behaviour | filter | feet | off, mm | 95 % | forced, mm | in place | followed | feasible | broken \
| nearest robot, mm | foot, mm | back, s | 95 % | not back |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|";

/// Places after a step.
#[derive(Clone)]
pub struct Moment {
    pub time_s: f64,
    pub robots_mm: Vec<DVec2>,
    pub foot_mm: Option<DVec2>,
}

/// A run: places after every step, and its measures.
pub struct Run {
    pub moments: Vec<Moment>,
    pub metrics: Vec<Metric>,
}

/// Figures of a case over its runs.
pub struct Figures {
    /// Distance of robots from their goals, mm: mean and 95th percentile.
    pub off_mm: [f64; 2],
    /// Mean of the distance by which the foot alone keeps robots off their goals, mm.
    forced_mm: f64,
    /// Share of robots in place, of those whose goal the foot leaves free.
    in_place_share: f64,
    /// Share of robot-steps within 5 mm/s of the wish, and of its nearest feasible velocity.
    followed_share: [f64; 2],
    /// Pair-steps nearer than allowed, of two robots or of a robot and a foot.
    pub broken: f64,
    /// Smallest distances of two robots and of a robot and a foot, mm; not a number without any.
    nearest_mm: [f64; 2],
    /// Time from when the foot leaves a goal free until its robot is in place, s: mean and 95th percentile; not a number without any.
    back_s: [f64; 2],
    /// Share of these times that ended without the robot in place: the foot came again, or the run ended.
    not_back_share: f64,
}

impl Figures {
    pub fn from_runs(behaviour: &Behaviour, runs: &[Run]) -> Self {
        let ways: Vec<Way> = runs.iter().flat_map(|run| ways(behaviour, run)).collect();
        let steps: Vec<&Step> = ways.iter().flatten().collect();
        let returns: Vec<Option<f64>> = ways.iter().flat_map(returns_s).collect();
        let metric = |name: &'static str| {
            let values = runs.iter().flat_map(|run| &run.metrics).filter(move |metric| metric.name == name);
            values.map(|metric| metric.value)
        };
        Self {
            off_mm: mean_and_p95(steps.iter().map(|step| step.from_goal_mm).collect()),
            forced_mm: mean(steps.iter().map(|step| (FOOT_MM - step.foot_mm).max(0.0))),
            in_place_share: share(steps.iter().filter(|step| step.is_free()).map(|step| step.is_in_place())),
            followed_share: ["wish_followed_share", "wish_feasible_followed_share"].map(|name| mean(metric(name))),
            broken: ["d_r_violations", "d_h_violations"].into_iter().flat_map(metric).filter(|n| !n.is_nan()).sum(),
            nearest_mm: ["min_robot_robot_mm", "min_robot_foot_mm"].map(|name| metric(name).fold(f64::NAN, f64::min)),
            back_s: mean_and_p95(returns.iter().flatten().copied().collect()),
            not_back_share: share(returns.iter().map(Option::is_none)),
        }
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { off_mm: [mean_mm, p95_mm], forced_mm, in_place_share, broken, .. } = self;
        let [followed, feasible] = self.followed_share;
        write!(f, "| {mean_mm:.1} | {p95_mm:.1} | {forced_mm:.1} | {in_place_share:.3} ")?;
        write!(f, "| {followed:.3} | {feasible:.3} | {broken} ")?;
        let [back_s, back_p95_s] = self.back_s;
        for value in [self.nearest_mm[0], self.nearest_mm[1], back_s, back_p95_s, self.not_back_share] {
            if value.is_nan() { write!(f, "| - ")? } else { write!(f, "| {value:.2} ")? }
        }
        write!(f, "|")
    }
}

/// A robot after a step.
struct Step {
    time_s: f64,
    from_goal_mm: f64,
    /// Distance of the foot from the goal; infinite without a foot.
    foot_mm: f64,
}

/// All steps of a robot in a run.
type Way = Vec<Step>;

impl Step {
    fn is_in_place(&self) -> bool {
        self.from_goal_mm <= IN_PLACE_MM
    }

    /// True if all places where the robot is in place keep the distance to the foot.
    fn is_free(&self) -> bool {
        self.foot_mm >= FOOT_MM + IN_PLACE_MM
    }
}

fn ways(behaviour: &Behaviour, run: &Run) -> impl Iterator<Item = Way> {
    let step = |robot: usize, moment: &Moment| {
        let goal_mm = behaviour.goal(robot, moment.time_s).place_mm;
        Step {
            time_s: moment.time_s,
            from_goal_mm: goal_mm.distance(moment.robots_mm[robot]),
            foot_mm: moment.foot_mm.map_or(f64::INFINITY, |foot_mm| foot_mm.distance(goal_mm)),
        }
    };
    (0..behaviour.robots).map(move |robot| run.moments.iter().map(|moment| step(robot, moment)).collect())
}

/// Times in s from when the foot leaves the goal free until the robot is in place; none where that did not happen.
fn returns_s(way: &Way) -> Vec<Option<f64>> {
    let mut returns = Vec::new();
    let mut free_since_s = None;
    for [before, now] in way.array_windows() {
        if now.is_free() && !before.is_free() {
            free_since_s = Some(now.time_s);
        }
        let Some(since_s) = free_since_s else { continue };
        if !now.is_free() || now.is_in_place() {
            returns.push(now.is_free().then_some(now.time_s - since_s));
            free_since_s = None;
        }
    }
    returns.extend(free_since_s.map(|_| None));
    returns
}

/// Not a number without values.
fn mean(values: impl Iterator<Item = f64>) -> f64 {
    let (sum, count) = values.fold((0.0, 0.0), |(sum, count), value| (sum + value, count + 1.0));
    sum / count
}

fn share(cases: impl Iterator<Item = bool>) -> f64 {
    mean(cases.map(|is_one| f64::from(u8::from(is_one))))
}

/// Not a number without values.
fn mean_and_p95(mut values: Vec<f64>) -> [f64; 2] {
    values.sort_by(f64::total_cmp);
    let p95 = values.get(values.len() * 95 / 100).copied().unwrap_or(f64::NAN);
    [mean(values.into_iter()), p95]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A robot after steps of a second, by its distance from the goal and the foot's.
    fn way(steps_mm: &[[f64; 2]]) -> Way {
        let step = |(n, &[from_goal_mm, foot_mm]): (usize, &[f64; 2])| Step { time_s: n as f64, from_goal_mm, foot_mm };
        steps_mm.iter().enumerate().map(step).collect()
    }

    #[test]
    fn a_return_lasts_from_the_free_goal_to_the_robot_in_place() {
        let [free, covered] = [110.0, 109.0];
        let back = way(&[[0.0, free], [50.0, covered], [50.0, free], [30.0, free], [10.0, free], [0.0, free]]);
        assert_eq!(returns_s(&back), [Some(2.0)]);
        let at_once = way(&[[9.0, covered], [9.0, free], [30.0, free]]);
        assert_eq!(returns_s(&at_once), [Some(0.0)]);
        let never = way(&[[50.0, covered], [50.0, free], [50.0, covered], [50.0, free], [11.0, free]]);
        assert_eq!(returns_s(&never), [None, None]);
        assert!(returns_s(&way(&[[50.0, free], [5.0, free]])).is_empty());
    }

    #[test]
    fn five_in_a_hundred_are_not_below_the_95th_percentile() {
        let [mean, p95] = mean_and_p95((1..=100).map(f64::from).collect());
        assert_eq!([mean, p95], [50.5, 96.0]);
        assert!(mean_and_p95(Vec::new()).iter().all(|value| value.is_nan()));
    }
}
