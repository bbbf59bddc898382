//! The list of measures, its page, and what their bounds are.

use crate::stage::{Stage, mm, names};
use sim_core::Rect;
use sim_core::measure::{Fold, Metric, accepted};
use swarm_agents::measures::{MEASURES, MeasureModel};
use swarm_agents::{Clearances, Drive, Limits, SwarmModel};

fn run(distance_mm: f64) -> Vec<Metric> {
    let mut stage = Stage::new(&[mm(30.0, 30.0), mm(30.0 + distance_mm, 30.0)], &[mm(300.0, 300.0)]);
    stage.rest(4);
    stage.inspector.finish()
}

#[test]
fn measures_come_in_the_order_of_their_list() {
    let metrics = run(70.0);
    let reported: Vec<&str> = metrics.iter().map(|metric| metric.name).collect();
    assert_eq!(reported, names());
    for (metric, line) in metrics.iter().zip(MEASURES) {
        assert_eq!(metric.unit, line.unit, "{}", line.name);
        assert_eq!(metric.ok.is_some(), metric.limit.is_some() && !metric.value.is_nan(), "{}", line.name);
    }
    let first: Vec<&str> = reported[..7].to_vec();
    assert_eq!(
        first,
        [
            "d_r_violations",
            "d_h_violations",
            "outside_mat",
            "accel_limit_violations",
            "turn_limit_violations",
            "speed_limit_violations",
            "non_finite"
        ]
    );
}

/// The page explains every measure, in the order of the tables, with its unit.
#[test]
fn the_page_lists_what_there_is() {
    let page = include_str!("../../../../docs/models/measures.md");
    let rows: Vec<(String, String)> = page
        .lines()
        .filter_map(|row| row.strip_prefix("| `"))
        .map(|row| {
            let mut cells = row.split('|');
            let name = cells.next().unwrap().trim().trim_end_matches('`').to_string();
            (name, cells.next().unwrap().trim().to_string())
        })
        .collect();
    let expected: Vec<(String, String)> =
        MEASURES.iter().map(|line| (line.name.to_string(), line.unit.to_string())).collect();
    assert_eq!(rows, expected);
}

#[test]
fn names_are_unique() {
    let mut sorted = names();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(sorted.len(), MEASURES.len());
}

#[test]
fn a_broken_bound_is_not_accepted() {
    assert!(accepted(&run(70.0)) && !accepted(&run(50.0)));
}

#[test]
fn counts_add_up_and_extremes_stay() {
    let fold = |name: &str| MEASURES.iter().find(|line| line.name == name).map(|line| line.fold);
    assert_eq!(fold("d_r_violations"), Some(Fold::Sum));
    assert_eq!(fold("min_robot_foot_mm"), Some(Fold::Min));
    assert_eq!(fold("foot_block_longest_s"), Some(Fold::Max));
    assert_eq!(fold("coverage_share"), Some(Fold::Mean));
    assert_eq!(fold("min_robot_foot_at_s"), Some(Fold::Skip));
}

/// Every bound has a number of its own here, so that none can stand in for another.
#[test]
fn bounds_come_from_the_swarm() {
    let clearances = Clearances { d_h_mm: 110.0, d_r_mm: 61.0, wall_margin_mm: 17.0 };
    let limits = Limits { v_max_mm_s: 251.0, a_max_mm_s2: 2900.0, omega_max_rad_s: 11.0 };
    let mat = Rect::from_size(500.0, 400.0);
    let swarm = SwarmModel::new(mat, clearances, limits, Drive::Point, 50).expect("a legal swarm");
    let model = MeasureModel::new(&swarm, 2, 1);
    assert_eq!((model.robots, model.feet, model.step_hz, model.mat), (2, 1, 50, mat));
    assert_eq!(model.bounds, mat.inset(17.0));
    let stage = Stage::with_model(model, &[mm(30.0, 30.0), mm(130.0, 30.0)], &[mm(300.0, 300.0)]);
    let limit = |name: &str| stage.metric(name).limit;
    assert_eq!(limit("min_robot_robot_mm"), Some(61.0));
    assert_eq!(limit("min_robot_foot_mm"), Some(110.0));
    assert_eq!(limit("speed_max_mm_s"), Some(251.0));
    assert_eq!(limit("accel_max_mm_s2"), Some(2900.0));
    assert_eq!(limit("turn_rate_max_rad_s"), Some(11.0));
    assert_eq!(limit("d_r_violations"), Some(0.0));
    assert_eq!(limit("coverage_share"), None);
}
