//! Goals that a scenario gives: where robots may be, for robots that there are, one at a time.

use super::obstacles::too_near;
use super::spec::MatScenario;
use super::spec_agents::{GoalSpec, GoalsSpec};
use sim_core::DVec2;
use sim_input::checks::Checks;
use std::collections::BTreeMap;
use swarm_agents::{SwarmModel, Walls};

/// Robots must be able to be where they are sent.
pub(super) fn check(scenario: &MatScenario, checks: &mut Checks) {
    let Some(goals) = &scenario.agents.goals else { return };
    let Ok(swarm) = scenario.swarm_model() else { return };
    let places = Places { walls: scenario.walls(&swarm), swarm };
    for (index, site) in goals.sites_mm.iter().enumerate() {
        places.check(&format!("agents.goals.sites_mm[{index}]"), "agents.goals.sites_mm", *site, checks);
    }
    for (index, goal) in goals.script.iter().enumerate() {
        if let Some(at_mm) = goal.at_mm {
            places.check(&format!("agents.goals.script[{index}].at_mm"), "agents.goals.script", at_mm, checks);
        }
    }
    script(scenario, goals, checks);
}

/// Where robots may be.
struct Places {
    swarm: SwarmModel,
    walls: Walls,
}

impl Places {
    fn check(&self, path: &str, list: &str, at_mm: [f64; 2], checks: &mut Checks) {
        let keys = [path, list, "safety.wall_margin_mm", "mat"];
        let bounds = self.swarm.bounds;
        if !bounds.contains(at_mm.into()) {
            let nearest = bounds.clamp(at_mm.into());
            let nearest = format!("[{}, {}]", nearest.x, nearest.y);
            let [x, y] = at_mm;
            let message = format!("is [{x}, {y}], where no robot may be; the nearest place is {nearest}");
            checks.error(&keys, message, Some(nearest));
        } else if let Some((message, nearest)) = too_near(&self.walls, &self.swarm, at_mm.into()) {
            checks.error(&keys, message, nearest);
        }
    }
}

/// Robots that there are, one goal at a time, and goals that do not exclude each other.
fn script(scenario: &MatScenario, goals: &GoalsSpec, checks: &mut Checks) {
    let robots = scenario.agents.count;
    let mut first = BTreeMap::new();
    for (index, goal) in goals.script.iter().enumerate() {
        let path = |key: &str| format!("agents.goals.script[{index}].{key}");
        if goal.robot >= robots {
            let message = match robots {
                0 => format!("is {}, but there are no robots", goal.robot),
                _ => format!("is {}, but robots are numbered from 0 to {}", goal.robot, robots - 1),
            };
            checks.error(&[&path("robot"), "agents.goals.script", "agents.count"], message, None);
        }
        let step = (goal.time_s * f64::from(scenario.step_hz)).round() as u64;
        if let Some(other) = first.insert((step, goal.robot), index) {
            let message = format!(
                "is {}, when agents.goals.script[{other}] sends robot {} elsewhere: one goal at a time",
                goal.time_s, goal.robot
            );
            checks.error(&[&path("time_s"), "agents.goals.script"], message, None);
        }
    }
    late(scenario, goals, checks);
    if !checks.has_errors() {
        crowded(scenario, goals, checks);
    }
}

/// Warns of goals that come when the run has ended.
fn late(scenario: &MatScenario, goals: &GoalsSpec, checks: &mut Checks) {
    let is_late = |goal: &GoalSpec| (goal.time_s * f64::from(scenario.step_hz)).round() as u64 >= scenario.steps;
    let late = goals.script.iter().filter(|goal| is_late(goal)).count();
    if late > 0 {
        let message =
            format!("has {late} of {} goals after the end of the run: no robot gets them", goals.script.len());
        checks.warning(&["agents.goals.script", "steps"], message);
    }
}

/// Warns of two robots that are sent so near to each other that only one can arrive.
fn crowded(scenario: &MatScenario, goals: &GoalsSpec, checks: &mut Checks) {
    let apart_mm = scenario.safety.d_r_mm - 2.0 * goals.arrival_mm;
    let mut order: Vec<usize> = (0..goals.script.len()).collect();
    order.sort_by(|&a, &b| goals.script[a].time_s.total_cmp(&goals.script[b].time_s).then(a.cmp(&b)));
    let mut held: BTreeMap<u32, DVec2> = BTreeMap::new();
    let groups = order.chunk_by(|&a, &b| goals.script[a].time_s == goals.script[b].time_s);
    for group in groups {
        for &index in group {
            let goal = &goals.script[index];
            match goal.at_mm {
                Some(at_mm) => held.insert(goal.robot, at_mm.into()),
                None => held.remove(&goal.robot),
            };
        }
        for &index in group {
            let goal = &goals.script[index];
            let Some(at_mm) = goal.at_mm.map(DVec2::from) else { continue };
            let near = held.iter().find(|(robot, other)| **robot != goal.robot && other.distance(at_mm) < apart_mm);
            if let Some((other, other_mm)) = near {
                let path = format!("agents.goals.script[{index}].at_mm");
                let message = format!(
                    "is {:.1} mm from where robot {other} is sent at the time: robots stay {} mm apart, so one of them \
                     cannot arrive",
                    other_mm.distance(at_mm),
                    scenario.safety.d_r_mm
                );
                checks.warning(&[&path, "agents.goals.script"], message);
                return;
            }
        }
    }
}
