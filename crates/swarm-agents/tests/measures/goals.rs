//! Goals given and reached.

use crate::stage::{Stage, mm, model};
use sim_core::Tick;
use swarm_agents::goals::{Goals, GoalsModel, GoalsParams, ScriptedGoal};
use swarm_agents::{Clearances, Drive, Limits, SwarmModel};

/// Robot 0 is sent 60 mm away at 5 mm a step and arrives within 10 mm in the tenth step, robot 1 is sent elsewhere before it arrives and
/// has not arrived there at the end: one of three goals, after 10 of 60 steps a second.
#[test]
fn one_of_three_goals_is_reached_in_ten_steps() {
    let starts = [mm(100.0, 100.0), mm(100.0, 300.0)];
    let goal = |tick, robot, x, y| ScriptedGoal { tick: Tick(tick), robot, site_mm: Some(mm(x, y)) };
    let script = vec![goal(1, 0, 160.0, 100.0), goal(1, 1, 160.0, 300.0), goal(6, 1, 160.0, 340.0)];
    let params = GoalsParams { script, ..GoalsParams::default() };
    let mat = model(2, 0).mat;
    let swarm = SwarmModel::new(mat, Clearances::default(), Limits::default(), Drive::Point, 60).expect("legal");
    let goals_model = GoalsModel::new(params, &swarm).expect("a legal script");
    let mut stage = Stage::new(&starts, &[]);
    let mut goals = Goals::new(&goals_model, 2);
    for step in 1..=20_u32 {
        goals.advance(&goals_model, &stage.agents, Tick(u64::from(step)));
        stage.goals = Some(goals.clone());
        let x = 100.0 + 5.0 * f64::from(step.min(12));
        stage.go(&[mm(x, 100.0), mm(100.0 + f64::from(step), 300.0)], &[]);
    }
    stage.expect("goals_given", 3.0);
    stage.expect("goal_arrival_share", 1.0 / 3.0);
    stage.expect("goal_time_to_arrive_s", 10.0 / 60.0);
}

#[test]
fn without_goals_there_is_nothing_to_tell() {
    let mut stage = Stage::new(&[mm(100.0, 100.0)], &[]);
    stage.rest(3);
    stage.expect("goals_given", 0.0);
    assert!(stage.value("goal_arrival_share").is_nan() && stage.value("goal_time_to_arrive_s").is_nan());
}
