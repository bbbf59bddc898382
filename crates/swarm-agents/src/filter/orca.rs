//! Optimal reciprocal collision avoidance: the usual baseline.
//!
//! # Equation
//! Two discs keep D between their centres, with x = p_j - p_i. They collide within the horizon h if their relative
//! velocity w = v_i - v_j lies in a cone, cut off by the disc of radius D/h round x/h. With u the shortest way from w
//! out of that set and n its outward normal, robot i keeps
//! ```text
//! (v - (v_i + s u)) . n >= 0        s = 1/2 for a robot (it does the other half), 1 for a foot (it does nothing)
//! ```
//! and takes the velocity nearest to its wish in all half planes and in the disc of v_max. That is a linear programme
//! in two dimensions, solved line by line. Without such a velocity it takes the one least deep beyond the worst half
//! plane of robots and feet, with walls kept. That is a linear programme in three dimensions. Walls are `v . n <= what
//! can be stopped before the wall`, which standing still solves.
//!
//! Lengths in mm, speeds in mm/s, h in s. Source: van den Berg, Guy, Lin, Manocha, "Reciprocal n-body collision
//! avoidance", Robotics Research, STAR 70, Springer 2011, pages 3 to 19. Own code; a test compares it with the crate `dodgy_2d`.
//!
//! # Where it stops being true
//! The method knows no limit of acceleration and no turn rate, and feet that move in make its programme infeasible.
//! Horizon and margins are the ones with the fewest violations among those tried in swarm facts, section 8.

use crate::drive::{WALL_SHARE, stoppable_mm_s};
use crate::{Agents, Neighbours, SwarmModel};
use sim_core::DVec2;

/// Horizon h, s.
const HORIZON_S: f64 = 0.2;
/// Kept from other robots beyond `d_r`, mm.
const ROBOT_MARGIN_MM: f64 = 2.0;
/// Kept from feet beyond `d_h`, mm.
const FOOT_MARGIN_MM: f64 = 20.0;
/// Sine of the angle below which two lines count as parallel.
const PARALLEL: f64 = 1e-9;

/// A half plane of velocities: `(v - point) . normal >= 0`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfPlane {
    /// A velocity on the border, mm/s.
    pub point: DVec2,
    /// Unit vector into the allowed side.
    pub normal: DVec2,
}

impl HalfPlane {
    /// How far `v` is beyond the border, mm/s; negative on the allowed side.
    #[inline]
    fn depth(&self, v: DVec2) -> f64 {
        (self.point - v).dot(self.normal)
    }

    /// Direction of the border, with the allowed side on its left.
    #[inline]
    fn along(&self) -> DVec2 {
        -self.normal.perp()
    }
}

/// Another body as one robot sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Other {
    /// Its centre less the robot's, mm.
    pub offset_mm: DVec2,
    /// The robot's velocity less its own, mm/s.
    pub closing_mm_s: DVec2,
    /// Distance to keep between the centres, mm.
    pub distance_mm: f64,
    /// Share of the avoidance that the robot does, 0 to 1.
    pub share: f64,
}

/// Buffers.
#[derive(Clone, Debug, Default)]
pub struct OrcaScratch {
    planes: Vec<HalfPlane>,
    relaxed: Vec<HalfPlane>,
}

/// Reserved neighbours of one robot, so that a denser moment later on does not allocate.
const RESERVED_NEIGHBOURS: usize = 64;

/// Writes each robot's velocity to `out_mm_s`. `feet` are places (mm) and velocities (mm/s).
pub fn orca_velocities(
    model: &SwarmModel,
    scratch: &mut OrcaScratch,
    agents: &Agents,
    wish_mm_s: &[DVec2],
    feet: &[(DVec2, DVec2)],
    neighbours: &Neighbours,
    out_mm_s: &mut [DVec2],
) {
    for i in 0..agents.len() {
        scratch.planes.clear();
        scratch.planes.reserve(agents.len().min(RESERVED_NEIGHBOURS) + feet.len() + 4);
        scratch.relaxed.reserve(agents.len().min(RESERVED_NEIGHBOURS) + feet.len() + 4);
        scratch.planes.extend(walls(model, agents.position_mm[i]));
        let hard = scratch.planes.len();
        let others = others(model, agents, feet, neighbours, i);
        scratch.planes.extend(others.map(|other| half_plane(agents.velocity_mm_s[i], &other, model.step_s)));
        out_mm_s[i] =
            nearest_velocity(&scratch.planes, hard, model.limits.v_max_mm_s, wish_mm_s[i], &mut scratch.relaxed);
    }
}

/// Feet in reach, then neighbours.
fn others<'a>(
    model: &'a SwarmModel,
    agents: &'a Agents,
    feet: &'a [(DVec2, DVec2)],
    neighbours: &'a Neighbours,
    i: usize,
) -> impl Iterator<Item = Other> + 'a {
    let (place, velocity) = (agents.position_mm[i], agents.velocity_mm_s[i]);
    let foot_mm = model.clearances.d_h_mm + FOOT_MARGIN_MM;
    let feet = feet.iter().filter_map(move |&(foot, foot_velocity)| {
        let reach_mm = foot_mm + HORIZON_S * (model.limits.v_max_mm_s + foot_velocity.length());
        let offset_mm = foot - place;
        (offset_mm.length_squared() < reach_mm * reach_mm).then_some(Other {
            offset_mm,
            closing_mm_s: velocity - foot_velocity,
            distance_mm: foot_mm,
            share: 1.0,
        })
    });
    let robots = neighbours.of(i).iter().map(move |&j| Other {
        offset_mm: agents.position_mm[j as usize] - place,
        closing_mm_s: velocity - agents.velocity_mm_s[j as usize],
        distance_mm: model.clearances.d_r_mm + ROBOT_MARGIN_MM,
        share: 0.5,
    });
    feet.chain(robots)
}

/// The four walls of the box.
fn walls(model: &SwarmModel, place_mm: DVec2) -> [HalfPlane; 4] {
    let (low, high) = (place_mm - model.bounds.min, model.bounds.max - place_mm);
    [(low.x, DVec2::X), (high.x, DVec2::NEG_X), (low.y, DVec2::Y), (high.y, DVec2::NEG_Y)].map(|(gap_mm, normal)| {
        let max_mm_s = stoppable_mm_s(gap_mm, WALL_SHARE * model.limits.a_max_mm_s2, model.step_s);
        HalfPlane { point: normal * -max_mm_s, normal }
    })
}

/// The half plane of allowed velocities beside another body, for a robot with velocity `velocity_mm_s`.
#[must_use]
pub fn half_plane(velocity_mm_s: DVec2, other: &Other, step_s: f64) -> HalfPlane {
    let (x, w, d) = (other.offset_mm, other.closing_mm_s, other.distance_mm);
    let x2 = x.length_squared();
    // Nearer than D already: the disc of one step instead of the horizon is left.
    let is_near = x2 <= d * d;
    let time_s = if is_near { step_s } else { HORIZON_S };
    let from_disc = w - x / time_s;
    let towards = from_disc.dot(x);
    // Beside the line of centres the sides of the cone are nearer than the disc that cuts it off.
    let on_disc = is_near || (towards < 0.0 && towards * towards > d * d * from_disc.length_squared());
    let (normal, out) = if on_disc {
        let length = from_disc.length();
        let normal = if length > 1e-9 { from_disc / length } else { -x.normalize_or(DVec2::X) };
        (normal, normal * (d / time_s - length))
    } else {
        let leg = (x2 - d * d).sqrt();
        let side = if x.perp_dot(from_disc) >= 0.0 { 1.0 } else { -1.0 };
        // Unit vector along the cone's side, and its outward normal.
        let edge = (x * leg + x.perp() * (side * d)) / x2;
        let normal = edge.perp() * side;
        (normal, normal * -w.dot(normal))
    };
    HalfPlane { point: velocity_mm_s + out * other.share, normal }
}

/// The objective: as near as possible to a velocity, or as far as possible in a direction.
#[derive(Clone, Copy)]
enum Aim {
    Near(DVec2),
    Far(DVec2),
}

/// The velocity of at most `fastest` nearest to `wanted` in all half planes. If there is none, the first `hard` of them
/// are kept and the others are broken equally little.
#[must_use]
pub fn nearest_velocity(
    planes: &[HalfPlane],
    hard: usize,
    fastest: f64,
    wanted: DVec2,
    relaxed: &mut Vec<HalfPlane>,
) -> DVec2 {
    match solve(planes, fastest, Aim::Near(wanted)) {
        Ok(velocity) => velocity,
        Err((failed, so_far)) => least_depth(planes, hard.min(planes.len()), failed, fastest, so_far, relaxed),
    }
}

/// Goes through the half planes; where one is not kept, the answer lies on its border. On failure the index of the
/// plane and the best velocity before it.
fn solve(planes: &[HalfPlane], fastest: f64, aim: Aim) -> Result<DVec2, (usize, DVec2)> {
    let mut best = match aim {
        Aim::Near(wanted) => wanted.clamp_length_max(fastest),
        Aim::Far(direction) => direction * fastest,
    };
    for (k, plane) in planes.iter().enumerate() {
        if plane.depth(best) > 0.0 {
            best = solve_on_border(plane, &planes[..k], fastest, aim).ok_or((k, best))?;
        }
    }
    Ok(best)
}

/// The best velocity on the border of `plane` that the `earlier` planes and the speed allow.
fn solve_on_border(plane: &HalfPlane, earlier: &[HalfPlane], fastest: f64, aim: Aim) -> Option<DVec2> {
    let along = plane.along();
    let middle = plane.point.dot(along);
    let half2 = middle * middle + fastest * fastest - plane.point.length_squared();
    if half2 < 0.0 {
        return None;
    }
    let (mut low, mut high) = (-middle - half2.sqrt(), -middle + half2.sqrt());
    for other in earlier {
        // Along the border the depth beyond `other` falls by `rate` for each mm/s.
        let rate = along.dot(other.normal);
        let depth = other.depth(plane.point);
        if rate.abs() <= PARALLEL {
            if depth > 0.0 {
                return None;
            }
        } else if rate > 0.0 {
            low = low.max(depth / rate);
        } else {
            high = high.min(depth / rate);
        }
        if low > high {
            return None;
        }
    }
    let at = match aim {
        Aim::Near(wanted) => (wanted - plane.point).dot(along).clamp(low, high),
        Aim::Far(direction) => {
            if direction.dot(along) > 0.0 {
                high
            } else {
                low
            }
        }
    };
    Some(plane.point + along * at)
}

/// The velocity whose greatest depth beyond the soft planes is least, with the hard ones kept. Plane by plane: where
/// one is deeper than all before, the answer is as far as possible to its allowed side. It stays among the velocities
/// that are no deeper beyond an earlier one.
fn least_depth(
    planes: &[HalfPlane],
    hard: usize,
    failed: usize,
    fastest: f64,
    so_far: DVec2,
    relaxed: &mut Vec<HalfPlane>,
) -> DVec2 {
    let (mut best, mut depth) = (so_far, 0.0);
    for k in failed.max(hard)..planes.len() {
        let plane = planes[k];
        if plane.depth(best) <= depth {
            continue;
        }
        relaxed.clear();
        relaxed.extend_from_slice(&planes[..hard]);
        relaxed.extend(planes[hard..k].iter().filter_map(|earlier| no_deeper_than(earlier, &plane)));
        // Rounding apart there always is a solution: the best so far is one.
        if let Ok(velocity) = solve(relaxed, fastest, Aim::Far(plane.normal)) {
            best = velocity;
        }
        depth = plane.depth(best);
    }
    best
}

/// Velocities that are no deeper beyond `earlier` than beyond `plane`; none if that is no condition.
fn no_deeper_than(earlier: &HalfPlane, plane: &HalfPlane) -> Option<HalfPlane> {
    // depth_e(v) - depth_p(v) = offset - v . difference  <=  0
    let difference = earlier.normal - plane.normal;
    let length = difference.length();
    if length <= PARALLEL {
        return None;
    }
    let offset = earlier.point.dot(earlier.normal) - plane.point.dot(plane.normal);
    let normal = difference / length;
    Some(HalfPlane { point: normal * (offset / length), normal })
}
