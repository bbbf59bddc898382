//! One step of a drive: the motion nearest to a wanted velocity within the limits and the box.
//!
//! # Equation
//! ```text
//! p' = p + v' dt        |v' - v| <= a_max dt (as vectors)        |v'| <= v_max        |theta' - theta| <= omega_max dt
//! point:         v' is free in its direction; theta' turns towards the direction of v'
//! differential:  v' = s' (cos theta', sin theta'), s' of either sign
//! ```
//! p place (mm), v velocity (mm/s), theta heading (rad), s speed along the heading (mm/s), dt the step (s). Source:
//! swarm spec 1.4 and readings A17 to A19. The bounds hold to rounding: they are kept a part in 10^12 on the safe side.
//!
//! # The box
//! A robot slows before a wall, early enough: if it can stop inside from its present motion, it can from the next one,
//! too. A point stops towards each wall of a corner with 0.7 of its acceleration, a differential drive straight along
//! its heading. So a robot that starts at rest in the box never leaves it, whatever it wants. From a motion that cannot
//! stop inside it brakes.
//!
//! # Where it stops being true
//! The velocity is constant within a step and changes at once between two; wheels do not slip, motors do not lag.

pub use crate::wheels::{advance_differential, braked_straight};

use crate::wheels::{braked_wheels, heading_along, roll};
use crate::{Drive, SwarmModel};
use sim_core::{DVec2, Rect, angle};

/// Bounds are kept smaller by this factor, so that rounding does not break them.
pub(crate) const SAFE: f64 = 1.0 - 1e-12;
/// Share of the acceleration that a point may need towards one wall; two walls at once need no more than the whole.
pub(crate) const WALL_SHARE: f64 = 0.7;
/// Speed below which a point's heading stays as it is, mm/s: the direction of so small a velocity is mostly noise.
const HEADING_FROM_MM_S: f64 = 5.0;

/// Place and motion of one robot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion {
    /// Centre, mm.
    pub position_mm: DVec2,
    /// Velocity of the step that led here, mm/s.
    pub velocity_mm_s: DVec2,
    /// Heading, rad in (-pi, pi].
    pub heading_rad: f64,
    /// Speed, mm/s: signed along the heading for a differential drive, the length of the velocity for a point.
    pub speed_mm_s: f64,
    /// Turn rate of the step that led here, rad/s.
    pub omega_rad_s: f64,
}

/// Place, velocity and heading of one robot on a trajectory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    /// Centre, mm.
    pub(crate) position_mm: DVec2,
    /// Velocity of the step that led here, mm/s: that of wheels is along their heading, forwards or backwards.
    pub(crate) velocity_mm_s: DVec2,
    /// The heading of wheels as a unit vector: a step turns it without trigonometry. That of a point plays no part in safety, and follows
    /// the motion that is executed.
    pub(crate) ahead: DVec2,
}

impl State {
    /// The state of a robot in this motion.
    pub(crate) fn new(drive: Drive, now: &Motion) -> Self {
        let ahead = match drive {
            Drive::Point => DVec2::X,
            Drive::Differential => angle::unit(now.heading_rad),
        };
        Self { position_mm: now.position_mm, velocity_mm_s: now.velocity_mm_s, ahead }
    }

    /// The state after a step at a velocity, with the heading that is chosen for it.
    #[inline]
    pub(crate) fn step(&self, model: &SwarmModel, velocity_mm_s: DVec2, ahead: DVec2) -> Self {
        Self { position_mm: self.position_mm + velocity_mm_s * model.step_s, velocity_mm_s, ahead }
    }

    /// Speed along the heading, mm/s.
    pub(crate) fn speed_mm_s(&self) -> f64 {
        self.velocity_mm_s.dot(self.ahead)
    }
}

/// The next motion with the model's drive.
#[inline]
#[must_use]
pub fn advance(model: &SwarmModel, now: &Motion, wanted_mm_s: DVec2) -> Motion {
    match model.drive {
        Drive::Point => advance_point(model, now, wanted_mm_s),
        Drive::Differential => advance_differential(model, now, wanted_mm_s),
    }
}

/// The next motion of a point.
#[must_use]
pub fn advance_point(model: &SwarmModel, now: &Motion, wanted_mm_s: DVec2) -> Motion {
    let velocity_mm_s = point_velocity(model, now.position_mm, now.velocity_mm_s, wanted_mm_s);
    let (heading_rad, omega_rad_s) = heading_following(model, now.heading_rad, velocity_mm_s);
    Motion {
        position_mm: now.position_mm + velocity_mm_s * model.step_s,
        velocity_mm_s,
        heading_rad,
        speed_mm_s: velocity_mm_s.length(),
        omega_rad_s,
    }
}

/// The motion to a place decided elsewhere, with the heading decided there, too, as a unit vector (differential drive), or one that
/// follows the motion (point). It clamps nothing.
#[must_use]
pub fn executed(model: &SwarmModel, now: &Motion, position_mm: DVec2, ahead: DVec2) -> Motion {
    let velocity_mm_s = (position_mm - now.position_mm) / model.step_s;
    let speed = velocity_mm_s.length();
    let ((heading_rad, omega_rad_s), speed_mm_s) = match model.drive {
        Drive::Point => (heading_following(model, now.heading_rad, velocity_mm_s), speed),
        Drive::Differential => {
            let forwards = velocity_mm_s.dot(ahead) >= 0.0;
            (heading_along(model, now.heading_rad, ahead), if forwards { speed } else { -speed })
        }
    };
    Motion { position_mm, velocity_mm_s, heading_rad, speed_mm_s, omega_rad_s }
}

/// Heading (rad) and turn rate (rad/s) of a point that moves at `velocity_mm_s`: the shorter turn to the direction of
/// motion, within the turn limit. Below 5 mm/s the heading stays.
#[inline(always)]
#[must_use]
pub fn heading_following(model: &SwarmModel, heading_rad: f64, velocity_mm_s: DVec2) -> (f64, f64) {
    if velocity_mm_s.length_squared() < HEADING_FROM_MM_S * HEADING_FROM_MM_S {
        return (heading_rad, 0.0);
    }
    let max_rad = model.turn_step_rad() * SAFE;
    let turn = angle::wrap_rad(angle::heading_of(velocity_mm_s) - heading_rad).clamp(-max_rad, max_rad);
    (angle::wrap_rad(heading_rad + turn), turn / model.step_s)
}

/// Largest speed, mm/s, from which `a_mm_s2` stops a robot within `gap_mm`, the step at that speed included.
#[must_use]
pub fn stoppable_mm_s(gap_mm: f64, a_mm_s2: f64, step_s: f64) -> f64 {
    let (a_step, twice) = (a_mm_s2 * step_s, 2.0 * a_mm_s2 * gap_mm.max(0.0));
    // Positive root of v dt + v^2 / (2 a) = gap, in the form that keeps small gaps exact.
    twice / (a_step + (a_step * a_step + twice).sqrt())
}

/// True if `a_mm_s2` stops a robot from this speed within `gap_mm`, the step at that speed included: [`stoppable_mm_s`] is no less.
#[inline]
pub(crate) fn is_stoppable(speed_mm_s: f64, gap_mm: f64, a_mm_s2: f64, step_s: f64) -> bool {
    let speed_mm_s = speed_mm_s.max(0.0);
    speed_mm_s * (2.0 * a_mm_s2 * step_s + speed_mm_s) <= 2.0 * a_mm_s2 * gap_mm.max(0.0)
}

/// The next velocity of a point: the wanted one, cut to the acceleration, the speed and a stop before the walls.
#[must_use]
pub fn point_velocity(model: &SwarmModel, position_mm: DVec2, velocity_mm_s: DVec2, wanted_mm_s: DVec2) -> DVec2 {
    let change = model.velocity_step_mm_s() * SAFE;
    let fastest = model.limits.v_max_mm_s * SAFE;
    let free = nearest_in_discs(velocity_mm_s, change, fastest, wanted_mm_s);
    let walls = edge_speeds(model, position_mm);
    if walls.contains(free) {
        return free;
    }
    let nearest = walls.clamp(velocity_mm_s);
    let needed = nearest - velocity_mm_s;
    if needed.length_squared() > change * change {
        return velocity_mm_s + needed.clamp_length_max(change);
    }
    let way = walls.clamp(wanted_mm_s) - nearest;
    let share = share_in_disc(needed, way, change).min(share_in_disc(nearest, way, fastest));
    nearest + way * share
}

/// True if no edge bounds the velocity of a point, nor any velocity on a straight way from here to a stop.
#[inline]
pub(crate) fn is_far_from_edges(model: &SwarmModel, position_mm: DVec2) -> bool {
    let gap_mm = (position_mm - model.bounds.min).min(model.bounds.max - position_mm).min_element();
    gap_mm > model.edge_reach_mm
}

/// What one step of braking as hard as it may leaves of a robot's speed, mm/s.
pub(crate) fn braked_mm_s(model: &SwarmModel, speed_mm_s: f64) -> f64 {
    let left_mm_s = (speed_mm_s - model.velocity_step_mm_s() * SAFE).max(0.0);
    left_mm_s.min(model.limits.v_max_mm_s * SAFE)
}

/// The places of a robot that brakes straight on, as hard as it may, from here to rest, mm. None for a point near an edge.
pub(crate) fn straight_stop_mm(model: &SwarmModel, now: &State) -> Option<impl Iterator<Item = DVec2>> {
    let (speed_mm_s, step) = match model.drive {
        Drive::Point if !is_far_from_edges(model, now.position_mm) => return None,
        Drive::Point => {
            let speed_mm_s = now.velocity_mm_s.length();
            (speed_mm_s, now.velocity_mm_s * (model.step_s / speed_mm_s.max(f64::MIN_POSITIVE)))
        }
        Drive::Differential => {
            let speed_mm_s = now.speed_mm_s();
            (speed_mm_s.abs(), now.ahead * model.step_s.copysign(speed_mm_s))
        }
    };
    let change_mm_s = model.velocity_step_mm_s() * SAFE;
    let speeds = std::iter::successors(Some(braked_mm_s(model, speed_mm_s)), move |speed| Some(speed - change_mm_s));
    let moves = speeds.take_while(|speed| *speed > 0.0);
    Some(moves.scan(now.position_mm, move |place_mm, speed| {
        *place_mm += step * speed;
        Some(*place_mm)
    }))
}

/// The point of a disc nearest to `wanted`: `wanted` itself, to the last bit, if it lies in the disc.
#[inline]
pub(crate) fn nearest_in_disc(center: DVec2, radius: f64, wanted: DVec2) -> DVec2 {
    let off = wanted - center;
    let off2 = off.length_squared();
    if off2 <= radius * radius { wanted } else { center + off * (radius / off2.sqrt()) }
}

/// The velocity nearest to `wanted` that differs from `velocity` by at most `change` and is no longer than `fastest`.
#[inline(always)]
pub(crate) fn nearest_in_discs(velocity: DVec2, change: f64, fastest: f64, wanted: DVec2) -> DVec2 {
    let reached = nearest_in_disc(velocity, change, wanted);
    if reached.length_squared() <= fastest * fastest {
        return reached;
    }
    let slowed = wanted.clamp_length_max(fastest);
    if slowed.distance_squared(velocity) <= change * change {
        return slowed;
    }
    // The nearest point is where the circles meet, on the side of `wanted`. With d the distance of the centres, it lies
    // at `along` on the line between them and at `across` beside it.
    let d2 = velocity.length_squared();
    let along = 0.5 * (d2 + fastest * fastest - change * change);
    let across2 = fastest * fastest * d2 - along * along;
    if across2 < 0.0 || d2 == 0.0 {
        return reached.clamp_length_max(fastest);
    }
    let side = if velocity.perp_dot(wanted) < 0.0 { -1.0 } else { 1.0 };
    (velocity * along + velocity.perp() * (side * across2.sqrt())) / d2
}

/// Velocities from which a point stops before each edge of the box with its share of the acceleration, mm/s, as a rectangle round zero.
/// Far from edges all velocities count.
#[inline]
pub(crate) fn edge_speeds(model: &SwarmModel, position_mm: DVec2) -> Rect {
    if is_far_from_edges(model, position_mm) {
        return Rect { min: DVec2::NEG_INFINITY, max: DVec2::INFINITY };
    }
    let a = WALL_SHARE * model.limits.a_max_mm_s2;
    let speed = |gap_mm: f64| stoppable_mm_s(gap_mm, a, model.step_s) * SAFE;
    let (low, high) = (position_mm - model.bounds.min, model.bounds.max - position_mm);
    Rect { min: -DVec2::new(speed(low.x), speed(low.y)), max: DVec2::new(speed(high.x), speed(high.y)) }
}

/// Largest share, 0 to 1, of `way` from `start` that stays in the disc of `radius` round zero.
fn share_in_disc(start: DVec2, way: DVec2, radius: f64) -> f64 {
    let (a, b, c) = (way.length_squared(), start.dot(way), start.length_squared() - radius * radius);
    if a == 0.0 {
        return 0.0;
    }
    let root = (b * b - a * c.min(0.0)).sqrt();
    // Of the two forms of the solution the one without cancellation.
    let share = if b <= 0.0 { (root - b) / a } else { -c.min(0.0) / (b + root) };
    share.clamp(0.0, 1.0)
}

/// The next state of a robot that is to move at the wanted velocity.
#[inline]
pub(crate) fn step_towards(model: &SwarmModel, now: &State, wanted_mm_s: DVec2) -> State {
    match model.drive {
        Drive::Point => {
            now.step(model, point_velocity(model, now.position_mm, now.velocity_mm_s, wanted_mm_s), now.ahead)
        }
        Drive::Differential => roll(model, now, wanted_mm_s),
    }
}

/// The state after one step of braking as hard as the drive may: a point in any direction, wheels straight on.
pub(crate) fn braked(model: &SwarmModel, now: &State) -> State {
    match model.drive {
        Drive::Point => step_towards(model, now, DVec2::ZERO),
        Drive::Differential => braked_wheels(model, now),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Clearances, Limits};
    use proptest::prelude::*;

    fn model(drive: Drive) -> SwarmModel {
        let clearances = Clearances { d_r_mm: 60.0, d_h_mm: 100.0, wall_margin_mm: 16.0 };
        let limits = Limits { v_max_mm_s: 252.0, a_max_mm_s2: 3000.0, omega_max_rad_s: 12.0 };
        SwarmModel::new(Rect::from_size(400.0, 400.0), clearances, limits, drive, 60).unwrap()
    }

    proptest! {
        /// A speed a little below the largest one that can be stopped is stoppable, one a little above is not. Without a gap only rest
        /// is.
        #[test]
        fn what_is_stoppable_is_no_faster_than_what_can_be_stopped(gap in 0.001..200.0, a in 10.0..1e5, hz in 1.0..240.0) {
            let fastest = stoppable_mm_s(gap, a, 1.0 / hz);
            prop_assert!(is_stoppable(0.999 * fastest, gap, a, 1.0 / hz));
            prop_assert!(!is_stoppable(1.001 * fastest, gap, a, 1.0 / hz));
            prop_assert!(is_stoppable(-fastest, -gap, a, 1.0 / hz) && !is_stoppable(fastest, -gap, a, 1.0 / hz));
        }
    }

    proptest! {
        /// A straight stop is what braking by every step comes to, and ends where that does; a point near an edge has none.
        #[test]
        fn a_straight_stop_is_braking_step_by_step(
            x in 16.0..384.0, y in 16.0..384.0, speed in -252.0..252.0, heading in -3.1..3.1, on_wheels: bool,
        ) {
            let model = model(if on_wheels { Drive::Differential } else { Drive::Point });
            let mut motion = Motion {
                position_mm: DVec2::new(x, y),
                velocity_mm_s: angle::unit(heading) * speed,
                heading_rad: heading,
                speed_mm_s: speed,
                omega_rad_s: 0.0,
            };
            let gap_mm = [x - 16.0, y - 16.0, 384.0 - x, 384.0 - y].into_iter().fold(f64::INFINITY, f64::min);
            // 252^2 / (2 * 3000) mm to stop, a 0.7th of it beside an edge, and a step of 252 mm/s.
            let has_stop = on_wheels || gap_mm > 10.584 / 0.7 + 4.2;
            let stop = straight_stop_mm(&model, &State::new(model.drive, &motion)).map(Vec::from_iter);
            prop_assert_eq!(stop.is_some(), has_stop);
            let braked = |motion: &Motion| match model.drive {
                Drive::Point => advance_point(&model, motion, DVec2::ZERO),
                Drive::Differential => braked_straight(&model, motion),
            };
            for place_mm in stop.into_iter().flatten() {
                motion = braked(&motion);
                prop_assert!(motion.position_mm.distance(place_mm) < 1e-9);
            }
            if has_stop {
                prop_assert!(braked(&motion).velocity_mm_s.length() < 1e-9);
            }
        }
    }

    /// Wheels that a push made faster than they may be brake to their largest speed at once.
    #[test]
    fn a_stop_begins_at_the_largest_speed_at_most() {
        let (model, place_mm) = (model(Drive::Differential), DVec2::splat(200.0));
        let now = State { position_mm: place_mm, velocity_mm_s: DVec2::new(0.0, -400.0), ahead: DVec2::Y };
        let first = straight_stop_mm(&model, &now).unwrap().next().unwrap();
        assert!(first.distance(place_mm - DVec2::new(0.0, 4.2)) < 1e-9, "{first}");
    }

    #[test]
    fn at_rest_there_is_nothing_to_stop() {
        for drive in [Drive::Point, Drive::Differential] {
            let now = State { position_mm: DVec2::splat(200.0), velocity_mm_s: DVec2::ZERO, ahead: DVec2::X };
            assert_eq!(straight_stop_mm(&model(drive), &now).unwrap().count(), 0);
        }
    }
}
