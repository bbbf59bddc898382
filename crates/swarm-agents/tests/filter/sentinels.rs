//! Cases worked out by hand that turn red when a distance, a margin or a sign is changed.

use crate::world::{Nearest, STEP_HZ, Setting, TOLERANCE, World, broken_with_feet};
use sim_core::DVec2;
use sim_core::angle::unit;
use std::f64::consts::TAU;
use swarm_agents::filter::FilterKind;
use swarm_field::Manner::{Considerate, Stubborn};

const V_MAX: f64 = 252.0;

/// Nearest of a run in which every robot wishes the velocity given for it.
fn nearest(world: &mut World, ticks: u32, wish_mm_s: &[DVec2]) -> Nearest {
    (0..ticks).fold(Nearest::NONE, |nearest, _| {
        let seen = world.step_with(|_, _, wish| wish.copy_from_slice(wish_mm_s));
        nearest.and(Nearest::from_tick(&seen, &world.state.agents))
    })
}

/// Nearest at whole ticks only.
fn nearest_at_ticks(world: &mut World, ticks: u32, wish_mm_s: &[DVec2]) -> Nearest {
    (0..ticks).fold(Nearest::NONE, |nearest, _| {
        let mut seen = world.step_with(|_, _, wish| wish.copy_from_slice(wish_mm_s));
        seen.before = world.state.agents.clone();
        seen.feet_before_mm.clone_from(&seen.feet_after_mm);
        nearest.and(Nearest::from_tick(&seen, &world.state.agents))
    })
}

/// Way of a robot from rest in the ticks until it has its full speed, 3000 mm/s^2 and 60 Hz: five steps of 50 mm/s more each.
const RAMP_MM: f64 = (50.0 + 100.0 + 150.0 + 200.0 + 250.0) / 60.0;
const CRUISE_MM: f64 = V_MAX / 60.0;

/// Two robots that pass each other at 60 - 0.001 mm, half a step before and half a step after the tick: at ticks they are
/// sqrt(59.999^2 + 4.2^2) = 60.146 mm apart.
fn passing_pair(kind: FilterKind, manner: swarm_field::Manner) -> World {
    let apart = 2.0 * RAMP_MM + CRUISE_MM * (2.0 * 38.0 + 1.0);
    let left = DVec2::new(20.0, 300.0);
    World::with_robots(&Setting::without_feet(kind, manner), &[left, left + DVec2::new(apart, 59.999)])
}

#[test]
fn a_pair_may_not_dip_between_two_ticks() {
    let wish = [DVec2::new(V_MAX, 0.0), DVec2::new(-V_MAX, 0.0)];
    let expected = (59.999_f64 * 59.999 + CRUISE_MM * CRUISE_MM).sqrt();
    let at_ticks = nearest_at_ticks(&mut passing_pair(FilterKind::None, Stubborn), 70, &wish);
    assert!((at_ticks.pair_mm - expected).abs() < 1e-6, "no foul is seen at ticks: {at_ticks:?}");
    let between = nearest(&mut passing_pair(FilterKind::None, Stubborn), 70, &wish);
    assert!((between.pair_mm - 59.999).abs() < 1e-6, "but between them: {between:?}");
    let certified = nearest(&mut passing_pair(FilterKind::None, Considerate), 300, &wish);
    assert!(certified.pair_mm >= 60.0 - TOLERANCE, "{certified:?}");
}

/// The same for a robot that passes a standing foot at 100 - 0.0005 mm, 100.0215 mm at ticks.
#[test]
fn a_robot_may_not_dip_into_a_foot_between_two_ticks() {
    let foot = DVec2::new(200.0, 200.0);
    let start = foot - DVec2::new(RAMP_MM + CRUISE_MM * (40.0 + 0.5), 99.9995);
    let wish = [DVec2::new(V_MAX, 0.0)];
    let world = |manner| World::with_robots(&Setting::with_standing_foot(FilterKind::None, manner, foot), &[start]);
    assert!(nearest_at_ticks(&mut world(Stubborn), 70, &wish).foot_mm > 100.02);
    let between = nearest(&mut world(Stubborn), 70, &wish).foot_mm;
    assert!((between - 99.9995).abs() < 1e-6, "{between}");
    assert!(nearest(&mut world(Considerate), 300, &wish).foot_mm >= 100.0 - TOLERANCE);
}

/// Two robots head on come to rest at the distance and the margin between ticks, sqrt(60^2 + 4.2^2) = 60.147 mm, no nearer and hardly
/// farther.
#[test]
fn robots_head_on_stop_at_the_distance() {
    let places = [DVec2::new(50.0, 200.0), DVec2::new(350.0, 200.0)];
    let wish = [DVec2::new(200.0, 0.0), DVec2::new(-200.0, 0.0)];
    let mut world = World::with_robots(&Setting::without_feet(FilterKind::None, Considerate), &places);
    let found = nearest(&mut world, 400, &wish).pair_mm;
    assert!((60.147 - 0.001..60.147 + 0.1).contains(&found), "{found}");
}

/// A robot that runs at a standing foot stops at sqrt(100^2 + ((252 + 215) / 120)^2) = 100.0757 mm.
#[test]
fn a_robot_stops_at_the_rim_of_a_foot() {
    let foot = DVec2::new(200.0, 200.0);
    let setting = Setting::with_standing_foot(FilterKind::None, Considerate, foot);
    let mut world = World::with_robots(&setting, &[DVec2::new(20.0, 200.0)]);
    let found = nearest(&mut world, 400, &[DVec2::new(200.0, 0.0)]).foot_mm;
    assert!((100.0757 - 0.001..100.0757 + 0.1).contains(&found), "{found}");
}

/// At the wall: inside by the margin, and at it to a fraction of a millimetre.
#[test]
fn a_robot_stops_at_the_wall() {
    for (kind, near_mm) in [(FilterKind::None, 0.05), (FilterKind::Joint, 1.0)] {
        let mut setting = Setting::without_feet(kind, Considerate);
        setting.wall_margin_mm = 16.0;
        let mut world = World::with_robots(&setting, &[DVec2::new(200.0, 200.0)]);
        for _ in 0..400 {
            let seen = world.step_with(|_, _, wish| wish[0] = DVec2::new(240.0, -240.0));
            assert_eq!(broken_with_feet(&world, &seen), None);
        }
        let off = world.state.agents.position_mm[0] - DVec2::new(384.0, 16.0);
        assert!(off.abs().max_element() < near_mm, "{kind:?}: {off}");
    }
}

/// Beside a standing foot the wish leads away, and the filter lets it (reading A1): with 0.6 of the wish, the least that a lone robot gets,
/// it comes from 102 to 117 mm in a second, by integrating dr/dt = 0.6 w(r).
#[test]
fn a_robot_beside_a_foot_goes_away_from_it() {
    let foot = DVec2::new(200.0, 200.0);
    for side in [DVec2::X, DVec2::NEG_Y, DVec2::new(-0.6, 0.8)] {
        for kind in [FilterKind::None, FilterKind::Joint, FilterKind::Orca] {
            let mut setting = Setting::with_standing_foot(kind, Considerate, foot);
            setting.robots = 1;
            let mut world = World::with_robots(&setting, &[foot + side * 102.0]);
            let wells_only = |agents: &swarm_agents::Agents, feet: &swarm_field::Feet, wish: &mut [DVec2]| {
                // Patches are left out by hand: the gradient of a Gaussian well of 40 mm, times the gain of reading A4.
                let off = agents.position_mm[0] - feet.position_mm(0);
                let depth = sim_core::ops::exp(-off.length_squared() / 3200.0) * 0.3107;
                wish[0] = off * (54_000.0 * depth / 1600.0);
            };
            for _ in 0..STEP_HZ {
                world.step_with(wells_only);
            }
            let found = world.state.agents.position_mm[0].distance(foot);
            assert!(found > 117.0, "{kind:?} {side}: {found}");
        }
    }
}

/// Of two robots that are in each other's way the one before a foot has its will: with 61 mm between them one of the two can take its
/// first step of 50 mm/s, 0.83 mm, and keep 60.147 mm.
#[test]
fn the_robot_farther_from_a_foot_gives_way() {
    let foot = DVec2::new(150.0, 200.0);
    let places = [101.0, 162.0].map(|off| foot + DVec2::new(off, 0.0));
    let wish = [DVec2::new(100.0, 0.0), DVec2::new(-100.0, 0.0)];
    for order in [[0, 1], [1, 0]] {
        let setting = Setting::with_standing_foot(FilterKind::None, Considerate, foot);
        let mut world = World::with_robots(&setting, &order.map(|i| places[i]));
        nearest(&mut world, 1, &order.map(|i| wish[i]));
        let [near, far] = [0, 1].map(|i| world.state.agents.position_mm[order[i]] - places[i]);
        assert!((near.x - 50.0 / 60.0).abs() < 1e-6 && far == DVec2::ZERO, "{near} {far}");
    }
}

/// A foot in a ring of robots that want to stay, 66.8 mm apart, cannot walk out of it. Held up for a second it gives its way up as soon as
/// it stands, and turns away from the robot nearest to it. It slows by a tenth of its pace a tick at most.
#[test]
fn a_foot_that_is_held_up_turns_to_another_way() {
    let middle = DVec2::splat(200.0);
    let mut setting = Setting::with_standing_foot(FilterKind::None, Considerate, middle);
    setting.feet.idle_s = [2.0, 2.5];
    let ring: Vec<DVec2> = (0..14).map(|i| middle + unit(f64::from(i) * TAU / 14.0) * 150.0).collect();
    let mut world = World::with_robots(&setting, &ring);
    let (mut held_up, mut turned, mut rate) = (0, 0, 0.0);
    for _ in 0..15 * STEP_HZ {
        let robots = world.step_with(|_, _, wish| wish.fill(DVec2::ZERO)).before.position_mm;
        assert!(world.state.rates[0] > rate - 0.1 - 1e-9, "from {rate} to {}", world.state.rates[0]);
        rate = world.state.rates[0];
        held_up = if world.state.rates[0] < 0.2 { held_up + 1 } else { 0 };
        if let Some(from_mm) = world.state.retarget[0] {
            let foot = world.state.feet.position_mm(0);
            assert!(robots.iter().all(|robot| robot.distance(foot) >= from_mm.distance(foot)), "{from_mm} at {foot}");
            assert!((60..75).contains(&held_up), "after {held_up} ticks");
            turned += 1;
            held_up = 0;
        }
        assert!(held_up < 75, "it waits for good");
    }
    assert!(turned > 0);
}
