//! Goals: an optimal matching, redone when it is due, with any numbers of robots and sites.

mod common;

use common::mat_model;
use proptest::prelude::*;
use sim_core::{DVec2, StateHash, Tick};
use swarm_agents::goals::{Goals, GoalsModel, GoalsParams, ScriptedGoal};
use swarm_agents::{Agents, Drive};

fn model(sites_mm: &[(f64, f64)], every_s: f64) -> GoalsModel {
    let sites_mm = sites_mm.iter().map(|&site| site.into()).collect();
    GoalsModel::new(
        GoalsParams { sites_mm, every_s, gain_per_s: 2.0, ..GoalsParams::default() },
        &mat_model(Drive::Point),
    )
    .expect("legal sites")
}

fn robots(places: &[(f64, f64)]) -> Agents {
    Agents::at_rest(places.iter().map(|&place| DVec2::from(place)).collect())
}

fn matched(model: &GoalsModel, agents: &Agents) -> Goals {
    let mut goals = Goals::new(model, agents.len());
    goals.advance(model, agents, Tick(1));
    goals
}

/// Both robots are nearest to the site in the middle. If the nearer one took it, the ways would be 10 + 130 mm; the
/// other way round they are 90.6 + 40 mm.
#[test]
fn the_sum_of_ways_counts_not_each_way() {
    let model = model(&[(60.0, 200.0), (150.0, 200.0)], 3.0);
    let goals = matched(&model, &robots(&[(150.0, 190.0), (190.0, 200.0)]));
    assert_eq!(goals.site_mm(0), Some(DVec2::new(60.0, 200.0)));
    assert_eq!(goals.site_mm(1), Some(DVec2::new(150.0, 200.0)));
}

#[test]
fn more_robots_than_sites_leave_the_far_ones_free() {
    let model = model(&[(100.0, 100.0)], 3.0);
    let goals = matched(&model, &robots(&[(300.0, 300.0), (110.0, 100.0), (200.0, 100.0)]));
    assert_eq!((0..4).map(|i| goals.site_mm(i).is_some()).collect::<Vec<_>>(), [false, true, false, false]);
    assert_eq!(goals.pull_mm_s(0, DVec2::new(300.0, 300.0)), DVec2::ZERO);
}

/// The pull is gain times distance: 2 /s over (-10, 0) mm.
#[test]
fn more_sites_than_robots_and_the_pull() {
    let model = model(&[(300.0, 300.0), (100.0, 100.0), (200.0, 200.0)], 3.0);
    let agents = robots(&[(110.0, 100.0)]);
    let goals = matched(&model, &agents);
    assert_eq!(goals.pull_mm_s(0, agents.position_mm[0]), DVec2::new(-20.0, 0.0));
}

#[test]
fn a_matching_stays_until_the_next_is_due() {
    let model = model(&[(100.0, 100.0), (300.0, 300.0)], 2.0);
    let (near, swapped) = (robots(&[(110.0, 110.0), (290.0, 290.0)]), robots(&[(290.0, 290.0), (110.0, 110.0)]));
    let mut goals = matched(&model, &near);
    for tick in 2..120 {
        goals.advance(&model, &swapped, Tick(tick));
        assert_eq!(goals.site_mm(0), Some(DVec2::new(100.0, 100.0)), "tick {tick}");
    }
    goals.advance(&model, &swapped, Tick(120));
    assert_eq!(goals.site_mm(0), Some(DVec2::new(300.0, 300.0)));
}

#[test]
fn without_robots_no_site_is_matched() {
    let model = model(&[(100.0, 100.0)], 3.0);
    assert_eq!(matched(&model, &robots(&[])).site_mm(0), None);
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let swarm = mat_model(Drive::Point);
    let params = GoalsParams { sites_mm: vec![[100.0; 2]], ..GoalsParams::default() };
    let field = |params| GoalsModel::new(params, &swarm).unwrap_err().field;
    assert_eq!(field(GoalsParams { sites_mm: vec![], ..params.clone() }), "sites_mm");
    assert_eq!(field(GoalsParams { sites_mm: vec![[390.0; 2]], ..params.clone() }), "sites_mm");
    assert_eq!(field(GoalsParams { sites_mm: vec![[f64::NAN; 2]], ..params.clone() }), "sites_mm");
    assert_eq!(field(GoalsParams { every_s: 0.0, ..params.clone() }), "every_s");
    assert_eq!(field(GoalsParams { gain_per_s: -1.0, ..params }), "gain_per_s");
}

#[test]
fn the_hash_tells_matchings_apart() {
    let model = model(&[(100.0, 100.0), (300.0, 300.0)], 2.0);
    let hash = |goals: &Goals| {
        let mut hash = StateHash::new();
        goals.hash_into(&mut hash);
        hash.finish()
    };
    let one = matched(&model, &robots(&[(110.0, 110.0), (290.0, 290.0)]));
    let other = matched(&model, &robots(&[(290.0, 290.0), (110.0, 110.0)]));
    assert_ne!(hash(&one), hash(&other));
    assert_ne!(hash(&one), hash(&Goals::new(&model, 2)));
    assert_eq!(hash(&one), hash(&one.clone()));
}

/// Least sum of ways over all orders of the longer list, by trying them all.
fn least_sum(shorter: &[DVec2], longer: &mut Vec<DVec2>) -> f64 {
    let Some((&first, rest)) = shorter.split_first() else { return 0.0 };
    let mut least = f64::INFINITY;
    for k in 0..longer.len() {
        let site = longer.swap_remove(k);
        least = least.min(first.distance(site) + least_sum(rest, longer));
        longer.push(site);
        let last = longer.len() - 1;
        longer.swap(k, last);
    }
    least
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    /// Against all matchings there are; whole micrometres cost at most half of one each.
    #[test]
    fn no_matching_is_shorter(
        places in prop::collection::vec((16.0_f64..384.0, 16.0_f64..384.0), 1..6),
        sites in prop::collection::vec((16.0_f64..384.0, 16.0_f64..384.0), 1..6)
    ) {
        let (model, agents) = (model(&sites, 3.0), robots(&places));
        let goals = matched(&model, &agents);
        let way = |i: usize| Some(goals.site_mm(i)?.distance(agents.position_mm[i]));
        let ways: Vec<f64> = (0..agents.len()).filter_map(way).collect();
        prop_assert_eq!(ways.len(), places.len().min(sites.len()));
        let (mut a, mut b) = (agents.position_mm.clone(), model.sites_mm().to_vec());
        if a.len() > b.len() {
            std::mem::swap(&mut a, &mut b);
        }
        prop_assert!(ways.iter().sum::<f64>() <= least_sum(&a, &mut b) + 0.01);
        let mut used: Vec<_> = (0..agents.len()).filter_map(|i| goals.site_mm(i)).collect();
        used.dedup_by(|a, b| a == b);
        prop_assert_eq!(used.len(), ways.len(), "a site of its own for each");
    }
}

/// A script in any order: each robot has its latest place, or none.
#[test]
fn a_script_gives_goals_in_time() {
    let goal = |tick, robot, site: Option<(f64, f64)>| ScriptedGoal {
        tick: Tick(tick),
        robot,
        site_mm: site.map(DVec2::from),
    };
    let script = vec![goal(9, 0, None), goal(0, 0, Some((100.0, 100.0))), goal(5, 1, Some((300.0, 100.0)))];
    let params = GoalsParams { script, ..GoalsParams::default() };
    let model = GoalsModel::new(params, &mat_model(Drive::Point)).expect("a legal script");
    let agents = robots(&[(50.0, 50.0), (350.0, 50.0)]);
    let mut goals = Goals::new(&model, 2);
    let mut seen = Vec::new();
    for tick in 1..=10 {
        goals.advance(&model, &agents, Tick(tick));
        seen.push([0, 1].map(|robot| goals.site_mm(robot).map_or(0.0, |site| site.x)));
    }
    let expected = [[100.0, 0.0]; 4].into_iter().chain([[100.0, 300.0]; 4]).chain([[0.0, 300.0]; 2]);
    assert_eq!(seen, expected.collect::<Vec<_>>());
    assert_eq!([goals.number(0), goals.number(1)], [1, 1]);
}
