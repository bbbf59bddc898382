//! The half planes against two independent judges: the crate `dodgy_2d` (f32), and the plain definition of a velocity
//! obstacle.
//!
//! `dodgy_2d` gives a robot the whole of the slack where the relative velocity is outside the obstacle; the published
//! method, and ours, give it half. So the two are compared where every pair is on a collision course, and beside feet,
//! where the share is whole anyway.

mod common;

use common::mat_model;
use dodgy_2d::{Agent, AvoidanceOptions, Vec2};
use proptest::prelude::*;
use sim_core::{DVec2, angle};
use std::borrow::Cow;
use std::f64::consts::TAU;
use swarm_agents::filter::orca::{HalfPlane, OrcaScratch, Other, half_plane, nearest_velocity, orca_velocities};
use swarm_agents::{Agents, Drive, Neighbours};

const STEP_S: f64 = 1.0 / 60.0;
const V_MAX: f64 = 252.0;
/// Horizon of the module.
const HORIZON_S: f64 = 0.2;

/// A neighbour or a foot of the robot at the origin.
#[derive(Clone, Copy, Debug)]
struct Body {
    offset: DVec2,
    velocity: DVec2,
    distance: f64,
    share: f64,
}

fn ours(velocity: DVec2, wish: DVec2, bodies: &[Body]) -> DVec2 {
    nearest_velocity(&planes(velocity, bodies), 0, V_MAX, wish, &mut Vec::new())
}

fn planes(velocity: DVec2, bodies: &[Body]) -> Vec<HalfPlane> {
    let plane = |body: &Body| {
        let other = Other {
            offset_mm: body.offset,
            closing_mm_s: velocity - body.velocity,
            distance_mm: body.distance,
            share: body.share,
        };
        half_plane(velocity, &other, STEP_S)
    };
    bodies.iter().map(plane).collect()
}

fn small(v: DVec2) -> Vec2 {
    Vec2::new(v.x as f32, v.y as f32)
}

fn theirs(velocity: DVec2, wish: DVec2, bodies: &[Body]) -> DVec2 {
    let agent = |position: DVec2, velocity: DVec2, radius: f64, responsibility: f32| Agent {
        position: small(position),
        velocity: small(velocity),
        radius: radius as f32,
        avoidance_responsibility: responsibility,
    };
    let me = agent(DVec2::ZERO, velocity, 0.0, 1.0);
    let others: Vec<Agent> = bodies
        .iter()
        .map(|body| agent(body.offset, body.velocity, body.distance, if body.share == 1.0 { 0.0 } else { 1.0 }))
        .collect();
    let others: Vec<Cow<'_, Agent>> = others.iter().map(Cow::Borrowed).collect();
    let options = AvoidanceOptions { obstacle_margin: 0.0, time_horizon: HORIZON_S as f32, obstacle_time_horizon: 0.1 };
    let velocity = me.compute_avoiding_velocity(&others, &[], small(wish), V_MAX as f32, STEP_S as f32, &options);
    DVec2::new(f64::from(velocity.x), f64::from(velocity.y))
}

/// By the definition alone: some time within the horizon the bodies would be nearer than they may.
fn is_on_collision_course(relative: DVec2, offset: DVec2, distance: f64) -> bool {
    let t = (offset.dot(relative) / relative.length_squared().max(1e-12)).clamp(0.0, HORIZON_S);
    offset.distance(relative * t) < distance
}

fn feasible(v: DVec2, planes: &[HalfPlane], slack: f64) -> bool {
    v.length() <= V_MAX + slack && planes.iter().all(|plane| (v - plane.point).dot(plane.normal) >= -slack)
}

/// Best velocity by trying a fine polar grid and every crossing of two borders.
fn best_by_search(planes: &[HalfPlane], wish: DVec2) -> Option<DVec2> {
    let mut candidates = vec![wish.clamp_length_max(V_MAX)];
    for (k, a) in planes.iter().enumerate() {
        let along = a.normal.perp();
        candidates.push(a.point + along * (wish - a.point).dot(along));
        let middle = a.point.dot(along);
        let half2 = middle * middle + V_MAX * V_MAX - a.point.length_squared();
        if half2 >= 0.0 {
            candidates.extend([a.point + along * (half2.sqrt() - middle), a.point - along * (half2.sqrt() + middle)]);
        }
        for b in &planes[..k] {
            let rate = along.dot(b.normal);
            if rate.abs() > 1e-9 {
                candidates.push(a.point + along * ((b.point - a.point).dot(b.normal) / rate));
            }
        }
    }
    candidates.retain(|&v| feasible(v, planes, 1e-6));
    candidates.into_iter().min_by(|a, b| a.distance(wish).total_cmp(&b.distance(wish)))
}

fn depth(v: DVec2, planes: &[HalfPlane]) -> f64 {
    planes.iter().map(|plane| (plane.point - v).dot(plane.normal)).fold(f64::NEG_INFINITY, f64::max)
}

/// Least greatest depth over the disc of speeds, by a polar grid refined three times round its best point.
fn least_depth_by_search(planes: &[HalfPlane]) -> f64 {
    let (mut center, mut radius) = (DVec2::ZERO, V_MAX);
    for _ in 0..8 {
        let around = center;
        for ring in 0..=24 {
            for k in 0..48 {
                let v = around + angle::unit(TAU * f64::from(k) / 48.0) * (radius * f64::from(ring) / 24.0);
                let v = v.clamp_length_max(V_MAX);
                if depth(v, planes) < depth(center, planes) {
                    center = v;
                }
            }
        }
        radius *= 0.4;
    }
    depth(center, planes)
}

fn vector(most: f64) -> impl Strategy<Value = DVec2> {
    (0.0..most, 0.0..TAU).prop_map(|(length, heading)| angle::unit(heading) * length)
}

fn robots() -> impl Strategy<Value = Vec<Body>> {
    prop::collection::vec(
        (40.0_f64..140.0, 0.0..TAU, vector(V_MAX)).prop_map(|(length, heading, velocity)| Body {
            offset: angle::unit(heading) * length,
            velocity,
            distance: 62.0,
            share: 0.5,
        }),
        1..7,
    )
}

fn feet() -> impl Strategy<Value = Vec<Body>> {
    prop::collection::vec(
        (90.0_f64..220.0, 0.0..TAU, vector(200.0)).prop_map(|(length, heading, velocity)| Body {
            offset: angle::unit(heading) * length,
            velocity,
            distance: 120.0,
            share: 1.0,
        }),
        1..4,
    )
}

/// Two answers to one question. Where some velocity is legal: the same one, or equally near the wish and equally legal.
/// Where none is: ours is no deeper beyond its worst border (single precision may leave theirs deeper, where two
/// borders face each other).
///
/// Borders lie up to 7200 mm/s away (120 mm in a step), of which single precision loses 1e-3 or so, and a crossing of
/// two borders loses that over the sine of their angle; 0.05 for all.
fn assert_same(wish: DVec2, planes: &[HalfPlane], ours: DVec2, theirs: DVec2) -> Result<(), TestCaseError> {
    let mut least_sine = 1.0_f64;
    for (k, a) in planes.iter().enumerate() {
        planes[..k].iter().for_each(|b| least_sine = least_sine.min(a.normal.perp_dot(b.normal).abs()));
    }
    let tolerance = 0.05 + 0.01 / least_sine;
    // Theirs may be too fast by the same loss.
    let theirs = theirs.clamp_length_max(V_MAX);
    let deeper = depth(ours, planes).max(0.0) - depth(theirs, planes).max(0.0);
    if best_by_search(planes, wish).is_none() {
        let is_alike = deeper < tolerance && (least_sine < 0.05 || deeper > -10.0 * tolerance);
        prop_assert!(is_alike, "{deeper}, {tolerance}: ours {ours}, theirs {theirs}, wish {wish}");
        return Ok(());
    }
    let far = ours.distance(theirs);
    let equally_good = (ours.distance(wish) - theirs.distance(wish)).abs() < tolerance && deeper.abs() < tolerance;
    prop_assert!(far < tolerance || equally_good, "{far} > {tolerance}: ours {ours}, theirs {theirs}, wish {wish}");
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(3000))]

    #[test]
    fn robots_on_a_collision_course(bodies in robots(), velocity in vector(V_MAX), wish in vector(V_MAX)) {
        let bodies: Vec<Body> = bodies
            .into_iter()
            .filter(|body| is_on_collision_course(velocity - body.velocity, body.offset, body.distance))
            .collect();
        let planes = planes(velocity, &bodies);
        assert_same(wish, &planes, ours(velocity, wish, &bodies), theirs(velocity, wish, &bodies))?;
    }

    /// So fast head on that the sides of the cone are nearer than the disc that cuts it off.
    #[test]
    fn head_on_at_full_speed(
        offset in (62.5_f64..75.0, 0.0..TAU), speeds in (200.0_f64..V_MAX, 200.0_f64..V_MAX), aside in -0.3_f64..0.3,
        wish in vector(V_MAX)
    ) {
        let (velocity, towards) = (angle::unit(offset.1 + aside) * speeds.0, -angle::unit(offset.1) * speeds.1);
        let offset = angle::unit(offset.1) * offset.0;
        let bodies = [Body { offset, velocity: towards, distance: 62.0, share: 0.5 }];
        let planes = planes(velocity, &bodies);
        assert_same(wish, &planes, ours(velocity, wish, &bodies), theirs(velocity, wish, &bodies))?;
    }

    #[test]
    fn feet_from_all_sides(bodies in feet(), velocity in vector(V_MAX), wish in vector(V_MAX)) {
        let planes = planes(velocity, &bodies);
        assert_same(wish, &planes, ours(velocity, wish, &bodies), theirs(velocity, wish, &bodies))?;
    }

    /// Where a velocity exists, ours is the nearest of all; where none does, none is less deep beyond its worst border.
    #[test]
    fn the_answer_is_the_best_there_is(
        robots in robots(), feet in feet(), velocity in vector(V_MAX), wish in vector(300.0)
    ) {
        let bodies: Vec<Body> = feet.into_iter().chain(robots).collect();
        let planes = planes(velocity, &bodies);
        let found = ours(velocity, wish, &bodies);
        prop_assert!(found.length() <= V_MAX + 1e-9);
        match best_by_search(&planes, wish) {
            Some(best) => {
                prop_assert!(feasible(found, &planes, 1e-6), "{found}");
                prop_assert!(found.distance(wish) <= best.distance(wish) + 1e-6);
            }
            None => prop_assert!(depth(found, &planes) <= least_depth_by_search(&planes) + 0.05),
        }
    }

    /// By the definition: if both robots of a pair take any velocity that their half planes allow, they do not meet
    /// within the horizon.
    #[test]
    fn half_each_is_enough(
        offset in (62.5_f64..140.0, 0.0..TAU), first in vector(V_MAX), second in vector(V_MAX),
        wishes in (vector(V_MAX), vector(V_MAX))
    ) {
        let offset = angle::unit(offset.1) * offset.0;
        let body = |offset, velocity| Body { offset, velocity, distance: 62.0, share: 0.5 };
        let (to_second, to_first) = (planes(first, &[body(offset, second)]), planes(second, &[body(-offset, first)]));
        let one = nearest_velocity(&to_second, 0, V_MAX, wishes.0, &mut Vec::new());
        let other = nearest_velocity(&to_first, 0, V_MAX, wishes.1, &mut Vec::new());
        prop_assume!(feasible(one, &to_second, 1e-9) && feasible(other, &to_first, 1e-9));
        prop_assert!(!is_on_collision_course(one - other, offset, 62.0 - 1e-6));
    }

    /// A foot does nothing, so the robot does everything.
    #[test]
    fn a_foot_is_evaded_alone(
        offset in (120.5_f64..200.0, 0.0..TAU), velocity in vector(V_MAX), foot in vector(200.0), wish in vector(V_MAX)
    ) {
        let offset = angle::unit(offset.1) * offset.0;
        let bodies = [Body { offset, velocity: foot, distance: 120.0, share: 1.0 }];
        let found = ours(velocity, wish, &bodies);
        prop_assume!(feasible(found, &planes(velocity, &bodies), 1e-9));
        prop_assert!(!is_on_collision_course(found - foot, offset, 120.0 - 1e-6));
    }
}

/// The whole function: walls are hard even when feet ask for the impossible.
#[test]
fn walls_are_kept_when_a_foot_presses() {
    let model = mat_model(Drive::Point);
    let agents = Agents::at_rest(vec![DVec2::new(384.0, 200.0), DVec2::new(384.0, 262.0)]);
    let mut near = Neighbours::default();
    near.rebuild(&agents.position_mm, 160.0);
    let mut out = [DVec2::ZERO; 2];
    let feet = [(DVec2::new(280.0, 230.0), DVec2::new(200.0, 0.0))];
    let mut scratch = OrcaScratch::default();
    orca_velocities(&model, &mut scratch, &agents, &[DVec2::X * 252.0; 2], &feet, &near, &mut out);
    for v in out {
        assert!(v.x <= 1e-9 && v.length() <= V_MAX + 1e-9, "{v}");
    }
    // They part along the wall.
    assert!(out[0].y < -10.0 && out[1].y > 10.0, "{out:?}");
}

/// Two robots head on: each gives way by half, alike up to the mirror.
#[test]
fn head_on_both_slow_alike() {
    let model = mat_model(Drive::Point);
    let mut agents = Agents::at_rest(vec![DVec2::new(150.0, 200.0), DVec2::new(250.0, 200.0)]);
    agents.velocity_mm_s = vec![DVec2::new(200.0, 0.0), DVec2::new(-200.0, 0.0)];
    let wish = agents.velocity_mm_s.clone();
    let mut near = Neighbours::default();
    near.rebuild(&agents.position_mm, 160.0);
    let mut out = [DVec2::ZERO; 2];
    orca_velocities(&model, &mut OrcaScratch::default(), &agents, &wish, &[], &near, &mut out);
    assert!((out[0] + out[1]).length() < 1e-9);
    // 100 mm apart, 62 to keep, within 0.2 s: each may close at half of 38 / 0.2.
    assert!((out[0].x - 95.0).abs() < 1e-6, "{out:?}");
}
