//! Differential drive: which heading and which speed come nearest to a wanted velocity.
//!
//! Headings are unit vectors here. A step turns them without trigonometry.

use crate::drive::{Motion, SAFE, State, braked_mm_s, is_far_from_edges, nearest_in_discs, stoppable_mm_s};
use crate::model::Wheels;
use crate::{Drive, SwarmModel};
use sim_core::{DVec2, angle, ops};
use std::f64::consts::FRAC_PI_2;

/// Square of the speed from which on a robot counts as moving, (mm/s)^2.
const STANDING2: f64 = 1e-12;
/// Turn below which wheels keep their heading, rad: it is rounding, from the heading to its unit vector and back.
const ROUNDING_RAD: f64 = 1e-12;
/// Wanted speed at which a differential drive uses half of its turn limit, mm/s: small wishes are followed without
/// twitching.
const HALF_TURN_MM_S: f64 = 5.0;

/// The next motion of a differential drive: the reachable velocity nearest to the wanted one. Reversing and turning in
/// place are allowed. Within a few mm/s of zero a wish turns the robot more gently than the limit allows.
#[must_use]
pub fn advance_differential(model: &SwarmModel, now: &Motion, wanted_mm_s: DVec2) -> Motion {
    let from = State::new(Drive::Differential, now);
    wheel_motion(model, now, &roll(model, &from, wanted_mm_s))
}

/// The motion after one step of braking as hard as a differential drive may, straight on.
#[must_use]
pub fn braked_straight(model: &SwarmModel, now: &Motion) -> Motion {
    wheel_motion(model, now, &braked_wheels(model, &State::new(Drive::Differential, now)))
}

/// The next state of wheels that are to move at the wanted velocity.
#[inline]
pub(crate) fn roll(model: &SwarmModel, now: &State, wanted_mm_s: DVec2) -> State {
    WheelStep::towards(model, now, wanted_mm_s).state(model, now, wanted_mm_s)
}

/// The motion of wheels that end in a state.
fn wheel_motion(model: &SwarmModel, now: &Motion, next: &State) -> Motion {
    let (heading_rad, omega_rad_s) = heading_along(model, now.heading_rad, next.ahead);
    let State { position_mm, velocity_mm_s, .. } = *next;
    Motion { position_mm, velocity_mm_s, heading_rad, speed_mm_s: next.speed_mm_s(), omega_rad_s }
}

/// Heading (rad) and turn rate (rad/s) of wheels that turn to the unit vector `ahead`.
pub(crate) fn heading_along(model: &SwarmModel, heading_rad: f64, ahead: DVec2) -> (f64, f64) {
    let next_rad = angle::heading_of(ahead);
    let turn_rad = angle::wrap_rad(next_rad - heading_rad);
    if turn_rad.abs() < ROUNDING_RAD { (heading_rad, 0.0) } else { (next_rad, turn_rad / model.step_s) }
}

/// The state of wheels after one step of braking straight on.
pub(crate) fn braked_wheels(model: &SwarmModel, now: &State) -> State {
    now.step(model, now.ahead * braked_speed_mm_s(model, now), now.ahead)
}

/// Signed speed of wheels after one step of braking, mm/s.
fn braked_speed_mm_s(model: &SwarmModel, now: &State) -> f64 {
    let speed_mm_s = now.speed_mm_s();
    braked_mm_s(model, speed_mm_s.abs()).copysign(speed_mm_s)
}

/// A step of a differential drive whose heading is decided, and whose speed is free within limits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WheelStep {
    /// The heading as a unit vector.
    ahead: DVec2,
    /// Least and largest signed speed that acceleration, speed limit and walls allow, mm/s.
    speeds_mm_s: (f64, f64),
}

impl WheelStep {
    /// The step whose heading leads to the reachable velocity nearest to the wanted one; straight on if no speed is allowed after it.
    pub(crate) fn towards(model: &SwarmModel, now: &State, wanted_mm_s: DVec2) -> Self {
        let wanted_mm_s = wanted_mm_s.clamp_length_max(model.limits.v_max_mm_s);
        let wanted2 = wanted_mm_s.length_squared();
        let eager = wanted2 / (wanted2 + HALF_TURN_MM_S * HALF_TURN_MM_S);
        let turn_rad = model.turn_step_rad().min(model.wheels.omega_max_rad_s(now.speed_mm_s()) * model.step_s);
        let ahead = Reach::new(model, now, turn_rad * SAFE * eager).heading_towards(wanted_mm_s);
        Self::along(model, now, ahead)
            .or_else(|| Self::along(model, now, now.ahead))
            .unwrap_or_else(|| Self::braking(model, now))
    }

    /// The step with this heading; none if no speed is allowed then.
    #[inline(always)]
    fn along(model: &SwarmModel, now: &State, ahead: DVec2) -> Option<Self> {
        let (slowest, fastest) = speeds_near(now.velocity_mm_s, ahead, model.velocity_step_mm_s() * SAFE)?;
        let (fastest_back, fastest_ahead) = wall_speeds_along(model, now.position_mm, ahead);
        let turning = turning_speed_mm_s(model, now.ahead, ahead);
        let (low, high) = (slowest.max(-fastest_back).max(-turning), fastest.min(fastest_ahead).min(turning));
        (low <= high).then_some(Self { ahead, speeds_mm_s: (low, high) })
    }

    fn braking(model: &SwarmModel, now: &State) -> Self {
        let speed_mm_s = braked_speed_mm_s(model, now);
        Self { ahead: now.ahead, speeds_mm_s: (speed_mm_s, speed_mm_s) }
    }

    /// The velocity of the step that is nearest to the wanted one, mm/s.
    #[inline]
    pub(crate) fn nearest(&self, wanted_mm_s: DVec2) -> DVec2 {
        let (low, high) = self.speeds_mm_s;
        self.ahead * wanted_mm_s.dot(self.ahead).clamp(low, high)
    }

    /// The state after the step at the velocity that is nearest to the wanted one.
    #[inline]
    pub(crate) fn state(&self, model: &SwarmModel, now: &State, wanted_mm_s: DVec2) -> State {
        now.step(model, self.nearest(wanted_mm_s), self.ahead)
    }
}

/// Largest speed of wheels that turn from one unit vector to another in a step, mm/s.
fn turning_speed_mm_s(model: &SwarmModel, from: DVec2, to: DVec2) -> f64 {
    if model.wheels == Wheels::UNLIMITED {
        return f64::INFINITY;
    }
    let turn_rad = ops::atan2(from.perp_dot(to), from.dot(to));
    model.wheels.speed_at_mm_s(turn_rad / model.step_s)
}

/// Signed speeds along the unit vector `ahead` whose velocity differs from `velocity` by at most `change`; none if
/// there are none.
fn speeds_near(velocity: DVec2, ahead: DVec2, change: f64) -> Option<(f64, f64)> {
    let across = ahead.perp_dot(velocity);
    let half2 = change * change - across * across;
    if half2 < 0.0 {
        return None;
    }
    let (middle, half) = (velocity.dot(ahead), half2.sqrt());
    Some((middle - half, middle + half))
}

/// Largest speeds, backwards and in the direction `ahead`, from which a straight stop ends in the box.
fn wall_speeds_along(model: &SwarmModel, position_mm: DVec2, ahead: DVec2) -> (f64, f64) {
    let fastest = model.limits.v_max_mm_s * SAFE;
    if is_far_from_edges(model, position_mm) {
        return (fastest, fastest);
    }
    let (low, high) = (position_mm - model.bounds.min, model.bounds.max - position_mm);
    let speed = |gap_mm: f64| stoppable_mm_s(gap_mm, model.limits.a_max_mm_s2, model.step_s) * SAFE;
    let gap_mm = |ahead: DVec2| gap_along(low.x, high.x, ahead.x).min(gap_along(low.y, high.y, ahead.y));
    (fastest.min(speed(gap_mm(-ahead))), fastest.min(speed(gap_mm(ahead))))
}

/// Way to an edge in a direction with this cosine to the axis from the low edge to the high one. Infinite along the edges.
fn gap_along(low_mm: f64, high_mm: f64, cosine: f64) -> f64 {
    match cosine {
        0.0 => f64::INFINITY,
        cosine if cosine > 0.0 => high_mm / cosine,
        cosine => low_mm / -cosine,
    }
}

/// Unit vector at an angle from 0 to a right one, rad, or slightly below: by 5e-8 of the angle at 0.2 rad, by 0.9 % at a right angle. The
/// tangent of the half angle is the first terms of its series, which are all positive.
#[inline]
fn unit_below(angle_rad: f64) -> DVec2 {
    let half_rad = 0.5 * angle_rad;
    let half2 = half_rad * half_rad;
    let tangent = half_rad * (1.0 + half2 * (1.0 / 3.0 + half2 * (2.0 / 15.0)));
    let tangent2 = tangent * tangent;
    DVec2::new(1.0 - tangent2, 2.0 * tangent) / (1.0 + tangent2)
}

/// Velocities that a differential drive reaches in one step. They are a disc round the present velocity, cut by the
/// disc of the largest speed and by the double cone of possible headings.
struct Reach {
    ahead: DVec2,
    velocity: DVec2,
    change: f64,
    fastest: f64,
    /// Cosine and sine of the largest turn, which is at most a right angle: headings forwards and backwards are one line.
    turn: DVec2,
}

impl Reach {
    fn new(model: &SwarmModel, now: &State, turn_rad: f64) -> Self {
        Self {
            ahead: now.ahead,
            velocity: now.velocity_mm_s,
            change: model.velocity_step_mm_s() * SAFE,
            fastest: model.limits.v_max_mm_s * SAFE,
            turn: unit_below(turn_rad.min(FRAC_PI_2)),
        }
    }

    /// The heading, as a unit vector, whose line leads to the reachable velocity nearest to `wanted`: the nearest one of the discs if the
    /// cone holds it, else the nearest one on the cone's two lines. Each half of the cone is convex. Where the robot does not move, it
    /// turns towards the wanted direction.
    fn heading_towards(&self, wanted: DVec2) -> DVec2 {
        let free = nearest_in_discs(self.velocity, self.change, self.fastest, wanted);
        if free.length_squared() <= STANDING2 {
            return self.turned_to(wanted);
        }
        self.in_cone(free).or_else(|| self.faster_side(wanted)).unwrap_or_else(|| self.turned_to(wanted))
    }

    /// The heading whose line has this direction; none if the cone does not hold it.
    fn in_cone(&self, direction: DVec2) -> Option<DVec2> {
        let (along, across) = (self.ahead.dot(direction), self.ahead.perp_dot(direction));
        let is_held = across.abs() * self.turn.x <= along.abs() * self.turn.y;
        is_held.then(|| direction / direction.length().copysign(along))
    }

    /// The one of the cone's two lines that has the velocity nearer to `wanted`; none if that is nothing.
    fn faster_side(&self, wanted: DVec2) -> Option<DVec2> {
        let nearest = |line: DVec2| {
            let (slowest, fastest) = speeds_near(self.velocity, line, self.change)?;
            let (low, high) = (slowest.max(-self.fastest), fastest.min(self.fastest));
            (low <= high).then(|| line * wanted.dot(line).clamp(low, high))
        };
        let missed2 = |velocity: Option<DVec2>| velocity.map_or(f64::INFINITY, |v| v.distance_squared(wanted));
        let lines = [1.0, -1.0].map(|side| self.side(side));
        let [left, right] = lines.map(nearest);
        let (line, best) = if missed2(right) < missed2(left) { (lines[1], right) } else { (lines[0], left) };
        best.is_some_and(|velocity| velocity.length_squared() > STANDING2).then_some(line)
    }

    /// The heading at the left (1) or right (-1) side of the cone.
    fn side(&self, side: f64) -> DVec2 {
        self.ahead * self.turn.x + self.ahead.perp() * (side * self.turn.y)
    }

    /// The heading in the cone whose line is nearest to a direction.
    fn turned_to(&self, direction: DVec2) -> DVec2 {
        if direction.length_squared() < f64::MIN_POSITIVE {
            return self.ahead;
        }
        self.in_cone(direction).unwrap_or_else(|| {
            let (along, across) = (self.ahead.dot(direction), self.ahead.perp_dot(direction));
            self.side(if (across < 0.0) == (along < 0.0) { 1.0 } else { -1.0 })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lacks of the angle, as shares of it: `1 - 2 atan(t) / angle` with `t = h + h^3 / 3 + 2 h^5 / 15` of the half angle h.
    #[test]
    fn turns_end_slightly_before_their_angle() {
        for (angle_rad, lack) in
            [(0.0, 0.0), (0.2, 5.364_776e-8), (0.8, 2.005_407_183e-4), (FRAC_PI_2, 8.500_695_664e-3)]
        {
            let turned = unit_below(angle_rad);
            assert!((turned.length() - 1.0).abs() < 1e-15);
            let turned_rad = angle::heading_of(turned);
            assert!((angle_rad - turned_rad - lack * angle_rad).abs() < 1e-11, "{angle_rad} rad: {turned_rad}");
        }
    }
}
