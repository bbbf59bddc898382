//! Speed of sound over depth, and how long sound takes along a ray that it bends.
//!
//! # Equations
//! In a layer with speeds c1 and c2 at its borders, dz apart, and a gradient g = |c2 - c1|/dz, a ray is an arc of a circle. Over the
//! distance x it takes, exactly,
//!
//! ```text
//! t = arccosh(1 + g^2 (x^2 + dz^2)/(2 c1 c2))/g = (r/sqrt(c1 c2)) asinh(y)/y        r = sqrt(x^2 + dz^2), y = g r/(2 sqrt(c1 c2))
//! ```
//!
//! By Snell's law `cos(grazing)/c` is the same all along a ray. With s the sine of the grazing angle at the greatest speed cm of its way
//!
//! ```text
//! sin at c = sqrt((cm - c)(cm + c) + s^2 c^2)/cm        x of a layer = p dz (c1 + c2)/(sin1 + sin2)        p = sqrt(1 - s^2)/cm
//! ```
//!
//! A way between given ends is found by bisection in s; what is left of x after it is made good in time by p times it, since dt/dx = p.
//! A ray that no monotone way reaches turns at a depth, which is found the same way; of several such rays the fastest counts.

use sim_core::{ParamError, ops};
use std::ops::RangeInclusive;

/// Most places of a layered profile.
pub const MAX_LAYERS: usize = 64;

/// Speeds of sound in water or mud, m/s.
const SPEEDS_M_S: RangeInclusive<f64> = 100.0..=10_000.0;
/// Deepest place, m.
const DEEPEST_M: f64 = 12_000.0;
/// Parameters below which an arc is a straight line to the last digit.
const STRAIGHT: f64 = 1e-9;
/// Halvings after which a bisection stands still.
const HALVINGS: usize = 64;
/// Parts of a layer in which turning depths are looked for.
const PARTS: usize = 8;

/// Speed of sound over depth.
#[derive(Clone, Debug, PartialEq)]
pub enum SoundProfile {
    /// The same everywhere, m/s.
    Uniform(f64),
    /// It changes evenly with depth.
    Linear {
        /// Speed at still water, m/s.
        surface_m_s: f64,
        /// Change with depth, m/s a m.
        gradient_per_s: f64,
    },
    /// Depths, m, ascending, with speeds, m/s; even changes in between, constant above the first and below the last.
    Layered(Vec<[f64; 2]>),
}

/// How reflected sound goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// Time, s.
    pub time_s: f64,
    /// Ray parameter: cosine of the grazing angle over speed, s/m.
    pub parameter_s_m: f64,
}

/// A ray by its sine at the greatest speed of its way.
#[derive(Clone, Copy)]
struct Bend {
    sine: f64,
    fastest_m_s: f64,
}

impl Bend {
    fn parameter_s_m(&self) -> f64 {
        ((1.0 - self.sine) * (1.0 + self.sine)).sqrt() / self.fastest_m_s
    }

    fn sine_at(&self, speed_m_s: f64) -> f64 {
        let (most, own) = (self.fastest_m_s, self.sine * speed_m_s);
        ((most - speed_m_s).max(0.0) * (most + speed_m_s) + own * own).sqrt() / most
    }
}

/// Water between two depths, m, the upper one first, that a ray passes so many times.
pub(super) type Leg = (f64, [f64; 2]);

/// A layer: its borders, m, and the speeds there, m/s.
type Layer = ([f64; 2], [f64; 2]);

/// Time of an arc, s: its ends are so far apart, m, with these speeds, m/s, in water whose speed changes by a gradient, 1/s.
fn arc_s(chord_m: f64, [one_m_s, other_m_s]: [f64; 2], gradient_per_s: f64) -> f64 {
    let mean_m_s = (one_m_s * other_m_s).sqrt();
    let y = 0.5 * gradient_per_s.abs() * chord_m / mean_m_s;
    chord_m / mean_m_s * if y > STRAIGHT { ops::asinh(y) / y } else { 1.0 }
}

impl SoundProfile {
    /// Refuses speeds that are not from 100 to 10 000 m/s down to 12 km, and depths of layers that do not ascend.
    ///
    /// # Errors
    /// Names the value.
    pub fn check(&self) -> Result<(), ParamError> {
        let speed =
            |field, speed_m_s: f64| ParamError::check_range(field, speed_m_s, *SPEEDS_M_S.start(), *SPEEDS_M_S.end());
        match self {
            Self::Uniform(speed_m_s) => speed("uniform_m_s", *speed_m_s),
            Self::Linear { surface_m_s, gradient_per_s } => {
                speed("surface_m_s", *surface_m_s)?;
                ParamError::check_range("gradient_per_s", *gradient_per_s, -1.0, 1.0)
            }
            Self::Layered(layers) => {
                if !(2..=MAX_LAYERS).contains(&layers.len()) {
                    let message = format!("has {} places, must have 2 to {MAX_LAYERS}", layers.len());
                    return Err(ParamError::new("layers", message));
                }
                for &[depth_m, speed_m_s] in layers {
                    ParamError::check_range("layers", depth_m, 0.0, DEEPEST_M)?;
                    speed("layers", speed_m_s)?;
                }
                let wrong = layers.windows(2).position(|pair| pair[1][0] <= pair[0][0]);
                wrong.map_or(Ok(()), |place| {
                    let [above_m, depth_m] = [layers[place][0], layers[place + 1][0]];
                    let message = format!("has the depth {depth_m} after {above_m}: depths must ascend");
                    Err(ParamError::new("layers", message))
                })
            }
        }
    }

    /// Speed at a depth, m/s; at least 100, where a linear profile leaves what water can have.
    #[must_use]
    pub fn speed_m_s(&self, depth_m: f64) -> f64 {
        match self {
            Self::Uniform(speed_m_s) => *speed_m_s,
            Self::Linear { surface_m_s, gradient_per_s } => {
                (surface_m_s + gradient_per_s * depth_m).max(*SPEEDS_M_S.start())
            }
            Self::Layered(layers) => {
                let below = layers.partition_point(|layer| layer[0] <= depth_m);
                if below == 0 || below == layers.len() {
                    return layers[below.saturating_sub(1)][1];
                }
                let [[above_m, above_m_s], [below_m, below_m_s]] = [layers[below - 1], layers[below]];
                above_m_s + (below_m_s - above_m_s) * ((depth_m - above_m) / (below_m - above_m))
            }
        }
    }

    /// Borders of layers between two depths, m, both ends included, in ascending order.
    fn borders_m(&self, [from_m, to_m]: [f64; 2]) -> impl Iterator<Item = f64> {
        let layers: &[[f64; 2]] = if let Self::Layered(layers) = self { layers } else { &[] };
        let within = layers.iter().map(|layer| layer[0]).filter(move |&depth_m| from_m < depth_m && depth_m < to_m);
        [from_m].into_iter().chain(within).chain((to_m > from_m).then_some(to_m))
    }

    /// Layers between two depths: borders, m, and speeds there, m/s.
    fn layers(&self, span_m: [f64; 2]) -> impl Iterator<Item = Layer> {
        let borders = || self.borders_m(span_m);
        borders()
            .zip(borders().skip(1))
            .map(|(above_m, below_m)| ([above_m, below_m], [above_m, below_m].map(|depth_m| self.speed_m_s(depth_m))))
    }

    fn fastest_m_s(&self, span_m: [f64; 2]) -> f64 {
        self.borders_m(span_m).map(|depth_m| self.speed_m_s(depth_m)).fold(0.0, f64::max)
    }

    /// Distance, m, and time, s, of a bent ray over legs.
    fn along(&self, bend: Bend, legs: &[Leg]) -> [f64; 2] {
        let parameter_s_m = bend.parameter_s_m();
        let mut sums = [0.0; 2];
        for &(times, span_m) in legs.iter().filter(|(times, _)| *times > 0.0) {
            for ([above_m, below_m], speeds_m_s @ [above, below]) in self.layers(span_m) {
                let rise_m = below_m - above_m;
                let x_m = parameter_s_m * rise_m * (above + below) / (bend.sine_at(above) + bend.sine_at(below));
                let chord_m = (x_m * x_m + rise_m * rise_m).sqrt();
                sums[0] += times * x_m;
                sums[1] += times * arc_s(chord_m, speeds_m_s, (below - above) / rise_m);
            }
        }
        sums
    }

    /// Time of a bent ray that leaves a little of a distance, m, over.
    fn made_good_s(&self, bend: Bend, distance_m: f64, legs: &[Leg]) -> f64 {
        let [x_m, time_s] = self.along(bend, legs);
        time_s + bend.parameter_s_m() * (distance_m - x_m)
    }

    /// The ray that goes a distance, m, over legs that it passes without turning; none if it would have to turn.
    pub(super) fn over_legs(&self, distance_m: f64, legs: &[Leg]) -> Option<Way> {
        let passed = legs.iter().filter(|(times, _)| *times > 0.0);
        let fastest_m_s = passed.map(|&(_, span_m)| self.fastest_m_s(span_m)).fold(0.0, f64::max);
        let reach_m = |sine: f64| self.along(Bend { sine, fastest_m_s }, legs)[0];
        // Flat rays go farthest.
        if reach_m(0.0) < distance_m {
            return None;
        }
        let sine = halved([1.0, 0.0], |sine| reach_m(sine) < distance_m);
        let bend = Bend { sine, fastest_m_s };
        let time_s = self.made_good_s(bend, distance_m, legs);
        Some(Way { time_s, parameter_s_m: bend.parameter_s_m() })
    }

    /// Time of the fastest way over a distance, m, between two depths, m, without reflection, above a depth, m. None: no such sound gets
    /// there. Rays in a linear profile may leave the water: their closed form has no borders.
    #[must_use]
    pub fn direct_s(&self, distance_m: f64, depths_m: [f64; 2], bottom_m: f64) -> Option<f64> {
        let [upper_m, lower_m] = [depths_m[0].min(depths_m[1]), depths_m[0].max(depths_m[1])];
        let rise_m = lower_m - upper_m;
        let chord_m = (distance_m * distance_m + rise_m * rise_m).sqrt();
        let speeds_m_s = [upper_m, lower_m].map(|depth_m| self.speed_m_s(depth_m));
        let time_s = match self {
            Self::Uniform(_) => Some(arc_s(chord_m, speeds_m_s, 0.0)),
            Self::Linear { gradient_per_s, .. } => Some(arc_s(chord_m, speeds_m_s, *gradient_per_s)),
            Self::Layered(_) => {
                let base = (1.0, [upper_m, lower_m]);
                let monotone = (lower_m > upper_m).then(|| self.over_legs(distance_m, &[base])).flatten();
                let turned =
                    [[upper_m, 0.0], [lower_m, bottom_m]].map(|span_m| self.turned_s(distance_m, base, span_m));
                turned.into_iter().flatten().chain(monotone.map(|way| way.time_s)).reduce(f64::min)
            }
        };
        // In water of one speed a level ray has no layer to turn in.
        let is_level = || rise_m == 0.0 && self.is_even(upper_m);
        time_s.or_else(|| is_level().then(|| chord_m / speeds_m_s[0]))
    }

    /// Whether speed does not change at a depth, m.
    fn is_even(&self, depth_m: f64) -> bool {
        [-1e-3, 1e-3].iter().all(|beside_m| self.speed_m_s(depth_m + beside_m) == self.speed_m_s(depth_m))
    }

    /// Time of the fastest ray that passes a leg and turns once between one end of it and a border, m.
    ///
    /// It can turn where sound is faster than everywhere on its way: from one layer to the next, in each from where that begins. How far it
    /// goes depends on the depth of turning; each sign of change in one of eight parts of a layer is a ray.
    fn turned_s(&self, distance_m: f64, base: Leg, [from_m, to_m]: [f64; 2]) -> Option<f64> {
        let legs = |turn_m: f64| [base, (2.0, [from_m.min(turn_m), from_m.max(turn_m)])];
        let bend =
            |turn_m: f64, fastest_m_s: f64| Bend { sine: 0.0, fastest_m_s: self.speed_m_s(turn_m).max(fastest_m_s) };
        let (mut passed_m_s, mut best) = (self.fastest_m_s(base.1), None);
        let mut layers = [([0.0; 2], [0.0; 2]); MAX_LAYERS + 1];
        for ([near_m, far_m], [near, far]) in self.outward(&mut layers, [from_m, to_m]) {
            if *far > passed_m_s {
                let begin_m = near_m + (far_m - near_m) * ((passed_m_s - near) / (far - near)).max(0.0);
                let goes_far = |turn_m: f64| self.along(bend(turn_m, passed_m_s), &legs(turn_m))[0] >= distance_m;
                let place_m = |part: usize| begin_m + (far_m - begin_m) * part as f64 / PARTS as f64;
                for part in 0..PARTS {
                    let ends_m = [place_m(part), place_m(part + 1)];
                    let is_far = goes_far(ends_m[0]);
                    if is_far != goes_far(ends_m[1]) {
                        let turn_m = halved(ends_m, |turn_m| goes_far(turn_m) == is_far);
                        let time_s = self.made_good_s(bend(turn_m, passed_m_s), distance_m, &legs(turn_m));
                        best = best.into_iter().chain([time_s]).reduce(f64::min);
                    }
                }
            }
            passed_m_s = passed_m_s.max(*far);
        }
        best
    }

    /// Layers from one depth to another, m, in this order, each with its nearer border first.
    fn outward<'a>(&self, layers: &'a mut [Layer; MAX_LAYERS + 1], [from_m, to_m]: [f64; 2]) -> &'a [Layer] {
        let mut count = 0;
        for (place, layer) in layers.iter_mut().zip(self.layers([from_m.min(to_m), from_m.max(to_m)])) {
            *place = layer;
            count += 1;
        }
        let layers = &mut layers[..count];
        if to_m < from_m {
            layers.reverse();
            layers.iter_mut().for_each(|([one_m, other_m], [one, other])| {
                std::mem::swap(one_m, other_m);
                std::mem::swap(one, other);
            });
        }
        layers
    }
}

/// The place between two at which a condition that holds at the first ends, by bisection.
fn halved([mut inside, mut outside]: [f64; 2], holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..HALVINGS {
        let middle = 0.5 * (inside + outside);
        if holds(middle) { inside = middle } else { outside = middle }
    }
    inside
}
