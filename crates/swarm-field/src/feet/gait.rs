//! The state machine of a foot's walk, with every choice drawn by (foot, segment number).

use super::params::{Destination, FeetModel, FootPhase, Gait};
use super::segment::{Line, Orbit, SWELL_S, Segment, Sway, TURN_S, Turn};
use crate::purpose;
use sim_core::{DVec2, Rect, RunKey, Stream, angle::heading_of};
use std::f64::consts::{PI, TAU};

/// Half side of the square round home that holds the targets of Move-out, in seconds at the fastest cruise: 400 mm at
/// 200 mm/s. A mat of the spec's size lies inside; on a plaza it keeps each state at a few seconds.
const WALK_S: f64 = 2.0;
/// Half axes of Roam's ellipses, before the domain and the acceleration bound cut them down.
const ROAM_RADIUS_MM: [f64; 2] = [30.0, 70.0];
/// Return ends at most this far from the initial place in x and y.
const RETURN_SCATTER_MM: f64 = 15.0;
/// A target is far if its distance is at least this share of the shorter side of the walking area.
const FAR_SHARE: f64 = 0.55;
/// Number of targets that are tried; the farthest of them is taken.
const TARGET_TRIES: usize = 8;
/// Radii that are tried for a roaming foot among obstacles.
const ROAM_TRIES: u32 = 8;
/// Number of targets that are tried among obstacles.
const TRIES_AMONG_OBSTACLES: usize = 64;
/// Most further places that are tried for a home where all of the first ones are taken.
const MAX_HOME_TRIES: usize = 10_000;
/// Segment number of the draws that choose homes; segments count from 0.
const HOME_ADDRESS: u64 = u64::MAX;

/// The present piece of a walk.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) phase: FootPhase,
    pub(super) segment: Segment,
    /// Final target of a move with two legs (round a corner square).
    pub(super) onward_mm: Option<DVec2>,
}

/// One foot's place in the run's addresses.
#[derive(Clone, Copy)]
pub(super) struct Walker<'a> {
    pub(super) model: &'a FeetModel,
    pub(super) key: RunKey,
    pub(super) foot: usize,
    pub(super) home_mm: DVec2,
}

/// Homes of all feet: as given, or drawn one after the other: of a few tries the one farthest from all earlier homes.
pub(super) fn homes_mm(model: &FeetModel, key: RunKey) -> Vec<DVec2> {
    let params = model.params();
    let given: Vec<DVec2> = model.given_homes_mm().collect();
    if !given.is_empty() {
        return given;
    }
    if params.gait == Gait::Orbit {
        return vec![model.domain().shared().center(); params.count];
    }
    let area = inset_to_middle(model.plan_domain().shared(), params.idle_radius_mm);
    let mut homes: Vec<DVec2> = Vec::with_capacity(params.count);
    for foot in 0..params.count {
        let mut stream = key.stream(purpose::FOOT_GAIT, foot as u64, HOME_ADDRESS);
        let nearest = |p: DVec2| homes.iter().map(|h| h.distance_squared(p)).fold(f64::INFINITY, f64::min);
        let tries = std::array::from_fn::<DVec2, TARGET_TRIES, _>(|_| point_in(area, &mut stream));
        let best = best_of(&tries, |p| if model.may_be_home(p) { nearest(p).min(1e12) } else { -1.0 });
        let others = std::iter::repeat_with(|| point_in(area, &mut stream)).take(MAX_HOME_TRIES);
        let home = std::iter::once(best).chain(others).find(|&p| model.may_be_home(p));
        homes.push(home.unwrap_or(if model.routes.is_open() { best } else { model.routes.refuge_mm() }));
    }
    homes
}

impl Walker<'_> {
    /// The first step of a run, and the plan's place at its start.
    pub(super) fn first(&self) -> (DVec2, Step) {
        match self.model.params().gait {
            Gait::Walk => {
                let start = self.model.plan_domain().clamp(self.home_mm);
                (start, self.idle(start, 0))
            }
            Gait::Orbit => {
                let start_rad = TAU * self.foot as f64 / self.model.params().count as f64;
                let step = self.orbit(start_rad, 1.0);
                (step.segment.place_mm(0), step)
            }
        }
    }

    /// The step after `done`, which ended at `at_mm`; `number` counts the foot's segments.
    pub(super) fn after(&self, done: &Step, at_mm: DVec2, number: u64) -> Step {
        if let Some(onward_mm) = done.onward_mm {
            return self.walk_to(done.phase, at_mm, onward_mm, &mut self.stream(number));
        }
        match done.phase {
            FootPhase::Idle => self.move_out(at_mm, number),
            FootPhase::MoveOut => self.roam(at_mm, number),
            FootPhase::Roam => self.go_home(at_mm, number),
            FootPhase::Return | FootPhase::Orbit => self.idle(at_mm, number),
        }
    }

    /// A new start from rest at `at_mm`, away from `from_mm`.
    pub(super) fn away(&self, phase: FootPhase, at_mm: DVec2, from_mm: DVec2, number: u64) -> Step {
        if phase == FootPhase::Orbit {
            let angle = heading_of(at_mm - self.home_mm);
            let towards = (from_mm - self.home_mm).perp_dot(at_mm - self.home_mm);
            return self.orbit(angle, if towards < 0.0 { -1.0 } else { 1.0 });
        }
        let mut stream = self.stream(number);
        let away = (at_mm - from_mm).normalize_or_zero();
        let window = self.window(at_mm, &mut stream);
        let tries = std::array::from_fn::<DVec2, TARGET_TRIES, _>(|_| mixed_target(window, &mut stream));
        let best = best_of(&tries, |p| if self.reaches(at_mm, p) { (p - at_mm).dot(away) } else { f64::NEG_INFINITY });
        let target = if self.reaches(at_mm, best) { best } else { at_mm };
        self.walk_to(FootPhase::MoveOut, at_mm, target, &mut stream)
    }

    fn stream(&self, number: u64) -> Stream {
        self.key.stream(purpose::FOOT_GAIT, self.foot as u64, number)
    }

    fn hz(&self) -> f64 {
        f64::from(self.model.step_hz())
    }

    fn frames(&self, span_s: [f64; 2], stream: &mut Stream) -> u32 {
        (stream.range(span_s[0], span_s[1]) * self.hz()).round() as u32
    }

    fn orbit(&self, start_rad: f64, sense: f64) -> Step {
        let params = self.model.params();
        let segment = Segment::Orbit(Orbit {
            centre_mm: self.home_mm,
            radius_mm: params.orbit_radius_mm,
            start_rad,
            rate_rad_s: sense * params.orbit_speed_mm_s / params.orbit_radius_mm,
            ramp_s: params.acceleration_s[1],
            step_hz: self.hz(),
        });
        Step { phase: FootPhase::Orbit, segment, onward_mm: None }
    }

    fn idle(&self, at_mm: DVec2, number: u64) -> Step {
        let params = self.model.params();
        let mut stream = self.stream(number);
        let frames = self.frames(params.idle_s, &mut stream);
        let free_mm =
            self.model.plan_domain().parts().iter().map(|part| inscribed_radius_mm(*part, at_mm)).fold(0.0, f64::max);
        let free_mm = free_mm.min(self.model.routes.margin_mm(at_mm, at_mm));
        let radius = (params.idle_radius_mm * stream.range(0.8, 1.0)).min(free_mm);
        let speed = params.idle_speed_max_mm_s * stream.range(0.5, 0.9);
        let sway = self.sway(at_mm, [radius, stream.range(0.5, 1.0)], speed, frames, &mut stream);
        let segment = Segment::Sway(sway.within(params.idle_speed_max_mm_s, self.model.walk_acceleration_mm_s2()));
        Step { phase: FootPhase::Idle, segment, onward_mm: None }
    }

    fn roam(&self, at_mm: DVec2, number: u64) -> Step {
        let params = self.model.params();
        let mut stream = self.stream(number);
        let frames = self.frames(params.roam_s, &mut stream);
        let part = self.model.plan_domain().part_at(at_mm, stream.below(2) as usize);
        let half = 0.5 * part.size().min_element();
        let radius = stream.range(ROAM_RADIUS_MM[0], ROAM_RADIUS_MM[1]).min(0.6 * half);
        let radius = self.radius_among_obstacles_mm(part, at_mm, radius);
        let flatness = if stream.uniform() < 0.5 { stream.range(0.6, 1.0) } else { stream.range(0.0, 0.15) };
        let speed = stream.range(params.speed_mm_s[0], params.speed_mm_s[1]);
        let mut sway = self.sway(at_mm, [radius, flatness], speed, frames, &mut stream);
        sway.shift_mm = part.inset(radius).clamp(at_mm) - at_mm;
        sway.turns = self.turns(frames, &mut stream);
        let segment = Segment::Sway(sway.within(params.speed_mm_s[1], self.model.walk_acceleration_mm_s2()));
        Step { phase: FootPhase::Roam, segment, onward_mm: None }
    }

    /// A radius up to `most_mm` with which an ellipse round the nearest place in `part` stays off obstacles, and the way there, too.
    fn radius_among_obstacles_mm(&self, part: Rect, at_mm: DVec2, most_mm: f64) -> f64 {
        let routes = &self.model.routes;
        if routes.is_open() {
            return most_mm;
        }
        let shares = (0..=ROAM_TRIES).rev().map(|tries| most_mm * f64::from(tries) / f64::from(ROAM_TRIES));
        let mut radii = shares.filter(|&radius| routes.margin_mm(at_mm, part.inset(radius).clamp(at_mm)) >= radius);
        radii.next().unwrap_or(0.0)
    }

    /// An ellipse round `at_mm` with half axes `radius` and `radius * flatness`, in a random direction and sense, from a random phase. Its
    /// speed is about `speed` where the acceleration bound allows it.
    fn sway(&self, at_mm: DVec2, [radius, flatness]: [f64; 2], speed: f64, frames: u32, stream: &mut Stream) -> Sway {
        let steady = (0.6 * self.model.walk_acceleration_mm_s2() / radius.max(1e-3)).sqrt();
        let rate = (speed / radius.max(1e-3)).min(steady);
        Sway {
            start_mm: at_mm,
            shift_mm: DVec2::ZERO,
            axes_mm: DVec2::new(radius, radius * flatness),
            axis_rad: stream.range(0.0, TAU),
            turns: [Turn { start_s: 0.0, angle_rad: 0.0 }; 2],
            phase_rad: stream.range(0.0, TAU),
            rate_rad_s: if stream.uniform() < 0.5 { rate } else { -rate },
            step_hz: self.hz(),
            frames,
        }
    }

    /// Up to two random turns of up to 120 degrees, between the swelling and the fading.
    fn turns(&self, frames: u32, stream: &mut Stream) -> [Turn; 2] {
        let last_s = (f64::from(frames) / self.hz() - SWELL_S - TURN_S).max(0.0);
        std::array::from_fn(|_| {
            let angle_rad = if stream.uniform() < 0.6 { stream.range(-2.0, 2.0) * PI / 3.0 } else { 0.0 };
            Turn { start_s: stream.range(0.5 * SWELL_S.min(last_s), last_s), angle_rad }
        })
    }

    fn move_out(&self, at_mm: DVec2, number: u64) -> Step {
        let mut stream = self.stream(number);
        let window = self.window(at_mm, &mut stream);
        let far_mm = FAR_SHARE * window.size().min_element();
        let mut target = at_mm;
        for _ in 0..if self.model.routes.is_open() { TARGET_TRIES } else { TRIES_AMONG_OBSTACLES } {
            let candidate = match self.model.params().destination {
                Destination::Mixed => mixed_target(window, &mut stream),
                Destination::Edge => point_on_border(window, &mut stream),
                Destination::Corner => corner(window, stream.below(4)),
            };
            if candidate.distance_squared(at_mm) > target.distance_squared(at_mm) && self.reaches(at_mm, candidate) {
                target = candidate;
            }
            if target.distance(at_mm) >= far_mm {
                break;
            }
        }
        self.walk_to(FootPhase::MoveOut, at_mm, target, &mut stream)
    }

    fn go_home(&self, at_mm: DVec2, number: u64) -> Step {
        let mut stream = self.stream(number);
        let scatter = DVec2::new(stream.range(-1.0, 1.0), stream.range(-1.0, 1.0)) * RETURN_SCATTER_MM;
        let part = self.model.plan_domain().part_at(self.home_mm, 0);
        let scattered = inset_to_middle(part, self.model.params().idle_radius_mm).clamp(self.home_mm + scatter);
        let home_mm = self.model.plan_domain().clamp(self.home_mm);
        let target = if self.reaches(at_mm, scattered) { scattered } else { home_mm };
        self.walk_to(FootPhase::Return, at_mm, target, &mut stream)
    }

    fn walk_to(&self, phase: FootPhase, at_mm: DVec2, target_mm: DVec2, stream: &mut Stream) -> Step {
        let params = self.model.params();
        let stop_mm = self.model.routes.next_stop(self.model.plan_domain(), at_mm, target_mm);
        // Without a way it stays.
        let (stop_mm, target_mm) = stop_mm.map_or((at_mm, at_mm), |stop_mm| (stop_mm, target_mm));
        let ramp_s = stream.range(params.acceleration_s[0], params.acceleration_s[1]);
        let speed_mm_s = stream.range(params.speed_mm_s[0], params.speed_mm_s[1]);
        let segment = Segment::Line(Line::new([at_mm, stop_mm], ramp_s, speed_mm_s, self.hz()));
        Step { phase, segment, onward_mm: (stop_mm != target_mm).then_some(target_mm) }
    }

    /// True if a foot can be at a place and walk there.
    fn reaches(&self, at_mm: DVec2, place_mm: DVec2) -> bool {
        let routes = &self.model.routes;
        routes.is_open()
            || (routes.is_clear(place_mm) && routes.next_stop(self.model.plan_domain(), at_mm, place_mm).is_some())
    }

    /// The part of the domain that holds the foot, limited to the walking area round home.
    fn window(&self, at_mm: DVec2, stream: &mut Stream) -> Rect {
        let part = self.model.plan_domain().part_at(at_mm, stream.below(2) as usize);
        let home = part.clamp(self.home_mm);
        let reach = DVec2::splat(WALK_S * self.model.params().speed_mm_s[1]);
        Rect { min: part.min.max(home - reach), max: part.max.min(home + reach) }
    }
}

/// `rect` with its sides moved in by `margin`, but never past its middle.
fn inset_to_middle(rect: Rect, margin: f64) -> Rect {
    let half = rect.size() * 0.5;
    let inset = DVec2::new(margin.min(half.x), margin.min(half.y));
    let middle = rect.center();
    Rect { min: (rect.min + inset).min(middle), max: (rect.max - inset).max(middle) }
}

/// Radius of the largest disc round `p` inside `rect`; 0 if `p` is outside.
fn inscribed_radius_mm(rect: Rect, p: DVec2) -> f64 {
    (p - rect.min).min_element().min((rect.max - p).min_element()).max(0.0)
}

fn best_of(tries: &[DVec2], worth: impl Fn(DVec2) -> f64) -> DVec2 {
    tries.iter().skip(1).fold(tries[0], |best, &p| if worth(p) > worth(best) { p } else { best })
}

fn point_in(rect: Rect, stream: &mut Stream) -> DVec2 {
    DVec2::new(stream.range(rect.min.x, rect.max.x), stream.range(rect.min.y, rect.max.y))
}

fn mixed_target(rect: Rect, stream: &mut Stream) -> DVec2 {
    if stream.uniform() < 0.5 { point_on_border(rect, stream) } else { point_in(rect, stream) }
}

fn point_on_border(rect: Rect, stream: &mut Stream) -> DVec2 {
    let size = rect.size();
    let along = stream.range(0.0, 2.0 * (size.x + size.y));
    let (side, rest) = if along < size.x + size.y { (rect.min, along) } else { (rect.max, along - size.x - size.y) };
    if rest < size.x { DVec2::new(rect.min.x + rest, side.y) } else { DVec2::new(side.x, rect.min.y + rest - size.x) }
}

fn corner(rect: Rect, which: u64) -> DVec2 {
    let x = if which & 1 == 0 { rect.min.x } else { rect.max.x };
    let y = if which & 2 == 0 { rect.min.y } else { rect.max.y };
    DVec2::new(x, y)
}
