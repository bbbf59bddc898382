//! Pieces of a foot's plan. Each knows its place at every one of its frames in closed form, and begins and ends at rest.

use crate::ease::{quintic, quintic_integral};
use sim_core::{DVec2, StateHash, angle::unit};

/// Straight way with eased ends: speed up for `ramp_s`, cruise, slow down for `ramp_s` (reading A14).
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    from_mm: DVec2,
    to_mm: DVec2,
    ramp_s: f64,
    speed_mm_s: f64,
    total_s: f64,
    frames: u32,
}

impl Line {
    /// Way to `to_mm` at `speed_mm_s`, or slower if it is too short for two whole ramps.
    pub(super) fn new([from_mm, to_mm]: [DVec2; 2], ramp_s: f64, speed_mm_s: f64, step_hz: f64) -> Self {
        let length = from_mm.distance(to_mm);
        let speed_mm_s = speed_mm_s.min(length / ramp_s);
        let cruise_s = if speed_mm_s > 0.0 { (length / speed_mm_s - ramp_s).max(0.0) } else { 0.0 };
        let total_s = cruise_s + 2.0 * ramp_s;
        let frames = ((total_s * step_hz).ceil() as u32).max(1);
        Self { from_mm, to_mm, ramp_s, speed_mm_s, total_s, frames }
    }

    fn place_mm(&self, frame: u32) -> DVec2 {
        if frame >= self.frames || self.speed_mm_s <= 0.0 {
            return self.to_mm;
        }
        // Whole frames: the time is stretched by less than one of them, so that the last one arrives exactly.
        let t = self.total_s * f64::from(frame) / f64::from(self.frames);
        let from_start = |t: f64| self.ramp_s * quintic_integral(t / self.ramp_s) * self.speed_mm_s;
        let length = self.from_mm.distance(self.to_mm);
        let along = if t <= 0.5 * self.total_s { from_start(t) } else { length - from_start(self.total_s - t) };
        self.from_mm + (self.to_mm - self.from_mm) * (along / length)
    }
}

/// An eased turn of the sway's axes by `angle_rad`, from `start_s`, within `TURN_S`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) start_s: f64,
    pub(super) angle_rad: f64,
}

/// How long a turn takes.
pub(super) const TURN_S: f64 = 1.2;
/// How long a sway takes to swell and to fade.
pub(super) const SWELL_S: f64 = 1.0;

/// Swinging round a place on an ellipse that swells at the start and fades at the end. It makes Idle's stepping and Roam's circles and
/// lines (a line is a flat ellipse).
#[derive(Clone, Copy, Debug)]
pub(super) struct Sway {
    /// Where it begins.
    pub(super) start_mm: DVec2,
    /// From there to the centre of the ellipse, where it ends.
    pub(super) shift_mm: DVec2,
    /// Half axes.
    pub(super) axes_mm: DVec2,
    /// Direction of the first axis at the start.
    pub(super) axis_rad: f64,
    /// Turns of the axes, each once.
    pub(super) turns: [Turn; 2],
    /// Phase at the start.
    pub(super) phase_rad: f64,
    /// Rate of the phase; its sign is the sense of rotation.
    pub(super) rate_rad_s: f64,
    pub(super) step_hz: f64,
    pub(super) frames: u32,
}

impl Sway {
    /// The same motion, scaled down where a frame exceeds `speed_mm_s`, or two successive frames differ by more than `acceleration_mm_s2`.
    /// All of the motion is proportional to its size, so one scan of the frames is enough.
    pub(super) fn within(mut self, speed_mm_s: f64, acceleration_mm_s2: f64) -> Self {
        let (mut previous, mut step) = (self.start_mm, DVec2::ZERO);
        let (mut longest2, mut sharpest2) = (0.0_f64, 0.0_f64);
        for frame in 1..=self.frames {
            let place = self.place_mm(frame);
            let next = place - previous;
            longest2 = longest2.max(next.length_squared());
            sharpest2 = sharpest2.max((next - step).length_squared());
            (previous, step) = (place, next);
        }
        let speed = longest2.sqrt() * self.step_hz;
        let acceleration = sharpest2.sqrt() * self.step_hz * self.step_hz;
        let scale = 1.0_f64.min(speed_mm_s / speed.max(1e-12)).min(acceleration_mm_s2 / acceleration.max(1e-12));
        self.shift_mm *= scale;
        self.axes_mm *= scale;
        self
    }

    fn place_mm(&self, frame: u32) -> DVec2 {
        let t = f64::from(frame) / self.step_hz;
        let left = f64::from(self.frames.saturating_sub(frame)) / self.step_hz;
        let swelling = quintic(t / SWELL_S);
        let size = swelling * quintic(left / SWELL_S);
        let turned = |turn: &Turn| turn.angle_rad * quintic((t - turn.start_s) / TURN_S);
        let axis = unit(self.axis_rad + turned(&self.turns[0]) + turned(&self.turns[1]));
        let on_ellipse = unit(self.phase_rad + self.rate_rad_s * t) * self.axes_mm;
        self.start_mm + self.shift_mm * swelling + axis.rotate(on_ellipse) * size
    }
}

/// Round a circle from rest, for ever.
#[derive(Clone, Copy, Debug)]
pub(super) struct Orbit {
    pub(super) centre_mm: DVec2,
    pub(super) radius_mm: f64,
    pub(super) start_rad: f64,
    pub(super) rate_rad_s: f64,
    pub(super) ramp_s: f64,
    pub(super) step_hz: f64,
}

impl Orbit {
    fn place_mm(&self, frame: u64) -> DVec2 {
        let t = frame as f64 / self.step_hz;
        let angle = self.start_rad + self.rate_rad_s * self.ramp_s * quintic_integral(t / self.ramp_s);
        self.centre_mm + unit(angle) * self.radius_mm
    }
}

/// One piece of a plan.
#[derive(Clone, Copy, Debug)]
pub(super) enum Segment {
    Line(Line),
    Sway(Sway),
    Orbit(Orbit),
}

impl Segment {
    /// Place at one of its frames, counted from 1; the last frame is where it ends.
    pub(super) fn place_mm(&self, frame: u64) -> DVec2 {
        let within = u32::try_from(frame).unwrap_or(u32::MAX);
        match self {
            Self::Line(line) => line.place_mm(within),
            Self::Sway(sway) => sway.place_mm(within),
            Self::Orbit(orbit) => orbit.place_mm(frame),
        }
    }

    /// Number of its frames.
    pub(super) fn frames(&self) -> u64 {
        match self {
            Self::Line(line) => u64::from(line.frames),
            Self::Sway(sway) => u64::from(sway.frames),
            Self::Orbit(_) => u64::MAX,
        }
    }

    pub(super) fn hash_into(&self, hash: &mut StateHash) {
        match self {
            Self::Line(s) => {
                hash.vec2(s.from_mm);
                hash.vec2(s.to_mm);
                for v in [s.ramp_s, s.speed_mm_s, s.total_s] {
                    hash.f64(v);
                }
            }
            Self::Sway(s) => {
                for v in [s.start_mm, s.shift_mm, s.axes_mm] {
                    hash.vec2(v);
                }
                for v in [s.axis_rad, s.phase_rad, s.rate_rad_s, f64::from(s.frames)] {
                    hash.f64(v);
                }
                for turn in s.turns {
                    hash.f64(turn.start_s);
                    hash.f64(turn.angle_rad);
                }
            }
            Self::Orbit(s) => {
                hash.vec2(s.centre_mm);
                for v in [s.radius_mm, s.start_rad, s.rate_rad_s] {
                    hash.f64(v);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ease::PEAK_SLOPE;

    fn places(segment: Segment) -> Vec<DVec2> {
        (0..=segment.frames()).map(|n| segment.place_mm(n)).collect()
    }

    /// Distance v t_a / 2 in each ramp and peak acceleration 1.875 v / t_a (reference, section 4).
    #[test]
    fn a_long_line_has_the_reference_ramp() {
        let (from, to) = (DVec2::ZERO, DVec2::new(700.0, 0.0));
        let path = places(Segment::Line(Line::new([from, to], 1.0, 200.0, 60.0)));
        assert_eq!(path.len(), 1 + (4.5 * 60.0) as usize);
        assert!((path[60].x - 100.0).abs() < 1e-9);
        let acceleration = |w: &[DVec2]| (w[2] - 2.0 * w[1] + w[0]).length() * 3600.0;
        let peak = path.windows(3).map(acceleration).fold(0.0, f64::max);
        assert!((peak / (PEAK_SLOPE * 200.0) - 1.0).abs() < 2e-3, "{peak}");
        assert_eq!(path.last(), Some(&to));
    }

    /// Reading A14: too short a way lowers the cruise speed to L / t_a and takes two ramps.
    #[test]
    fn a_short_line_is_slower() {
        let path = places(Segment::Line(Line::new([DVec2::ZERO, DVec2::new(0.0, 90.0)], 1.5, 200.0, 60.0)));
        assert_eq!(path.len(), 181);
        let fastest = path.windows(2).map(|w| (w[1] - w[0]).length() * 60.0).fold(0.0, f64::max);
        assert!((fastest - 60.0).abs() < 0.1, "{fastest}");
    }

    #[test]
    fn a_line_to_where_one_stands_is_a_pause() {
        let p = DVec2::new(3.0, 4.0);
        assert!(places(Segment::Line(Line::new([p, p], 1.0, 100.0, 60.0))).iter().all(|&q| q == p));
    }
}
