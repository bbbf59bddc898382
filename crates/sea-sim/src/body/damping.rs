//! Forces against the velocity relative to the water: linear, quadratic, cross-flow strips, lift and drag of the hull.
//!
//! Forms and constants of strips and hull lift: Fossen (2021), chapters 6 and 8, as in his public simulators.

use super::Reach;
use super::params::{CrossFlowParams, DampingParams, DecayParams, FlowPlane, LiftDragParams, Matrix6};
use crate::spatial::Vec6;
use glam::DVec3;
use sim_core::ops;
use std::f64::consts::{LOG2_E, PI};

/// Stations of a cross flow: the length is cut into twenty, both ends count.
const STATIONS: usize = 21;

/// A 6 x 6 matrix that knows whether only its diagonal matters.
#[derive(Clone, Debug)]
enum Factor {
    Zero,
    Diagonal([f64; 6]),
    Rows(Box<[[f64; 6]; 6]>),
}

impl Factor {
    fn new(matrix: &Matrix6) -> Self {
        match matrix {
            Matrix6::Diagonal(values) if values.iter().all(|&value| value == 0.0) => Self::Zero,
            Matrix6::Diagonal(values) => Self::Diagonal(*values),
            Matrix6::Rows(rows) => Self::Rows(Box::new(*rows)),
        }
    }

    #[inline]
    fn times(&self, x: [f64; 6]) -> Vec6 {
        match self {
            Self::Zero => Vec6::ZERO,
            Self::Diagonal(d) => Vec6::from_array(std::array::from_fn(|i| d[i] * x[i])),
            Self::Rows(rows) => Vec6::from_array(rows.map(|row| row.iter().zip(x).map(|(d, x)| d * x).sum())),
        }
    }

    fn diagonal(&self, i: usize) -> f64 {
        match self {
            Self::Zero => 0.0,
            Self::Diagonal(d) => d[i],
            Self::Rows(rows) => rows[i][i],
        }
    }
}

/// A cross flow with its stations worked out.
#[derive(Clone, Debug)]
struct Strips {
    plane: FlowPlane,
    length_m: f64,
    /// Half the width times the drag coefficient times the length of a strip, m².
    factor_m2: f64,
    strip_m: f64,
    /// Element k: over the first k stations, the sums of 1, x, x² and x³ (m, m², m³).
    moments: [[f64; 4]; STATIONS + 1],
}

impl Strips {
    fn new(params: &CrossFlowParams) -> Self {
        let strip_m = params.length_m / (STATIONS - 1) as f64;
        Self {
            plane: params.plane,
            length_m: params.length_m,
            factor_m2: 0.5 * params.width_m * params.drag_coefficient * strip_m,
            strip_m,
            moments: moments(strip_m),
        }
    }

    /// Speed across the hull and how fast it changes along it.
    fn across(&self, v: Vec6) -> (f64, f64) {
        match self.plane {
            FlowPlane::Horizontal => (v.linear.y, v.angular.z),
            FlowPlane::Vertical => (v.linear.z, -v.angular.y),
        }
    }

    #[inline]
    fn wrench(&self, density: f64, velocity: Vec6) -> Vec6 {
        let (middle, slope) = self.across(velocity);
        let (force, moment) = self.squares(middle, slope);
        let k = -density * self.factor_m2;
        match self.plane {
            FlowPlane::Horizontal => Vec6::new(DVec3::new(0.0, k * force, 0.0), DVec3::new(0.0, 0.0, k * moment)),
            FlowPlane::Vertical => Vec6::new(DVec3::new(0.0, 0.0, k * force), DVec3::new(0.0, -k * moment, 0.0)),
        }
    }

    /// Sums over all stations of `|s| s` and `x |s| s`, with the speed `s = middle + x slope`. Where s changes its sign, the sums of s² on
    /// either side differ in theirs; each is a polynomial in middle and slope.
    fn squares(&self, middle: f64, slope: f64) -> (f64, f64) {
        let sums = |stations: usize| {
            let [one, x, xx, xxx] = self.moments[stations];
            let (a, b, c) = (middle * middle, 2.0 * middle * slope, slope * slope);
            (a * one + b * x + c * xx, a * x + b * xx + c * xxx)
        };
        let (force, moment) = sums(STATIONS);
        if middle.abs() > 0.5 * self.length_m * slope.abs() {
            return (force.copysign(middle), if middle > 0.0 { moment } else { -moment });
        }
        if slope == 0.0 {
            return (0.0, 0.0);
        }
        let before = ((0.5 * self.length_m - middle / slope) / self.strip_m).ceil();
        let (force_before, moment_before) = sums((before.max(0.0) as usize).min(STATIONS));
        let sign = 1.0_f64.copysign(slope);
        (sign * (force - 2.0 * force_before), sign * (moment - 2.0 * moment_before))
    }

    /// Upper bounds of what a small change of cross speed and of turn rate adds to force and moment.
    fn slopes(&self, reach: &Reach) -> (f64, f64) {
        let (middle, slope) = self.across(reach.most);
        let fastest = middle + 0.5 * self.length_m * slope.abs();
        let per_station = 2.0 * reach.density_kg_m3 * self.factor_m2 * fastest;
        let [stations, _, squares, _] = self.moments[STATIONS];
        (per_station * stations, per_station * squares)
    }
}

/// Sums over the first stations of the powers of their places.
fn moments(strip_m: f64) -> [[f64; 4]; STATIONS + 1] {
    let mut sums = [[0.0; 4]; STATIONS + 1];
    for station in 0..STATIONS {
        // By its distance from the middle, so that stations fore and aft are alike to the last bit.
        let x = (station as f64 - 0.5 * (STATIONS - 1) as f64) * strip_m;
        let powers = [1.0, x, x * x, x * x * x];
        sums[station + 1] = std::array::from_fn(|power| sums[station][power] + powers[power]);
    }
    sums
}

/// A hull as a wing, its coefficients worked out.
#[derive(Clone, Debug)]
struct Wing {
    half_area_m2: f64,
    lift_slope: f64,
    zero_lift_drag: f64,
    induced: f64,
}

impl Wing {
    fn new(params: &LiftDragParams) -> Self {
        let aspect = params.span_m * params.span_m / params.area_m2;
        let half = 0.5 * aspect;
        Self {
            half_area_m2: 0.5 * params.area_m2,
            lift_slope: PI * aspect / (1.0 + (1.0 + half * half).sqrt()),
            zero_lift_drag: params.zero_lift_drag,
            induced: 1.0 / (PI * params.oswald * aspect),
        }
    }

    #[inline]
    fn force(&self, density: f64, velocity: DVec3) -> DVec3 {
        let in_plane = (velocity.x * velocity.x + velocity.z * velocity.z).sqrt();
        if in_plane == 0.0 {
            return DVec3::ZERO;
        }
        let per_speed = 1.0 / in_plane;
        let (sin, cos) = (-velocity.z * per_speed, velocity.x * per_speed);
        let lift_coefficient = self.lift_slope * ops::atan2(-velocity.z, velocity.x);
        let drag_coefficient = self.zero_lift_drag + lift_coefficient * lift_coefficient * self.induced;
        let pressure = density * self.half_area_m2 * velocity.length_squared();
        let (lift, drag) = (pressure * lift_coefficient, pressure * drag_coefficient);
        DVec3::new(lift * sin - drag * cos, 0.0, lift * cos + drag * sin)
    }

    /// Upper bound of what a small change of velocity adds to the force, N s/m. The kink where the flow in the plane vanishes is left
    /// out: there the force changes its direction and not its size.
    fn slope(&self, reach: &Reach) -> f64 {
        let angle = if reach.least_ahead_m_s > 0.0 { reach.most.linear.z / reach.least_ahead_m_s } else { PI };
        let lift = self.lift_slope * angle.min(PI);
        let drag = self.zero_lift_drag + lift * lift * self.induced;
        let per_angle = self.lift_slope * (1.0 + 2.0 * lift * self.induced);
        reach.density_kg_m3 * self.half_area_m2 * reach.speed_m_s * (3.0 * (lift + drag) + per_angle)
    }
}

/// A checked description of damping, ready for steps.
#[derive(Clone, Debug)]
pub(crate) struct Damping {
    linear: Factor,
    /// With how often it halves per speed, s/m: a power of two is quicker than one of e.
    low_speed: Option<(Factor, f64)>,
    quadratic: Factor,
    decay: Option<DecayParams>,
    strips: Vec<Strips>,
    wing: Option<Wing>,
    /// What a small change of each velocity adds to its force at rest, N s/m and N m s/rad, and more of it for each m/s and rad/s.
    slopes: [[f64; 6]; 2],
}

impl Damping {
    pub(crate) fn new(params: &DampingParams) -> Self {
        let (linear, quadratic) = (Factor::new(&params.linear), Factor::new(&params.quadratic));
        let low = params.low_speed.map_or([0.0; 6], |low| low.linear);
        let at_rest = std::array::from_fn(|i| linear.diagonal(i) + low[i]);
        let growth = std::array::from_fn(|i| 2.0 * quadratic.diagonal(i));
        Self {
            slopes: [at_rest, growth],
            linear,
            low_speed: params.low_speed.map(|low| (Factor::Diagonal(low.linear), LOG2_E * low.fade_s_m)),
            quadratic,
            decay: params.decay.map(DecayParams::resolved),
            strips: params.cross_flow.iter().map(Strips::new).collect(),
            wing: params.lift_drag.as_ref().map(Wing::new),
        }
    }

    /// Wrench of the water on a body that moves through it at `velocity`, but for the decay.
    #[inline]
    pub(crate) fn wrench(&self, density: f64, velocity: Vec6) -> Vec6 {
        let x = velocity.to_array();
        let mut wrench = -self.linear.times(x);
        if let Some((factor, halvings_s_m)) = &self.low_speed {
            wrench = wrench - factor.times(x) * ops::exp2(-halvings_s_m * velocity.linear.length());
        }
        if !matches!(self.quadratic, Factor::Zero) {
            wrench = wrench - self.quadratic.times(x.map(|x| x * x.abs()));
        }
        for strips in &self.strips {
            wrench += strips.wrench(density, velocity);
        }
        if let Some(wing) = &self.wing {
            wrench.linear += wing.force(density, velocity.linear);
        }
        wrench
    }

    /// Rates of decay of linear velocity and turn rate, 1/s.
    pub(crate) fn decay(&self, is_wet: bool) -> Option<(f64, f64)> {
        self.decay.map(|rates| match is_wet {
            true => (rates.water_linear_per_s, rates.water_angular_per_s),
            false => (rates.air_linear_per_s, rates.air_angular_per_s),
        })
    }

    /// How fast damping alone would change each velocity, 1/s, given the inverses of the inertias: what a step must
    /// resolve.
    pub(crate) fn fastest_rate(&self, reach: &Reach, mobility: [f64; 6]) -> f64 {
        let x = reach.most.to_array();
        let [at_rest, growth] = &self.slopes;
        let mut slopes: [f64; 6] = std::array::from_fn(|i| at_rest[i] + growth[i] * x[i]);
        for strips in &self.strips {
            let (force, moment) = strips.slopes(reach);
            let (across, about) = if strips.plane == FlowPlane::Horizontal { (1, 5) } else { (2, 4) };
            slopes[across] += force;
            slopes[about] += moment;
        }
        if let Some(wing) = &self.wing {
            let slope = wing.slope(reach);
            slopes[0] += slope;
            slopes[2] += slope;
        }
        let decay = self.decay.map_or(0.0, |rates| rates.water_linear_per_s.max(rates.water_angular_per_s));
        slopes.iter().zip(mobility).fold(decay, |most, (slope, mobility)| most.max(slope * mobility))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against the sum over the stations, one by one: speeds without a change of sign, with one anywhere, at a station, and at both ends.
    #[test]
    fn strips_are_summed_as_station_by_station() {
        let params = CrossFlowParams { length_m: 1.6, width_m: 0.19, drag_coefficient: 1.2, ..Default::default() };
        let strips = Strips::new(&params);
        let mut cases: Vec<(f64, f64)> = (-40..=40).map(|k| (0.07 * f64::from(k), 1.0)).collect();
        cases.extend((-40..=40).map(|k| (0.04 * f64::from(k), -1.3)));
        cases.extend((-20..=20).map(|k| (0.08 * f64::from(k), 1.0)));
        cases.extend([(0.0, 0.0), (0.5, 0.0), (-0.5, 0.0), (1e-300, 1e-300), (3.0, 1e-200)]);
        for (middle, slope) in cases {
            let (mut force, mut moment, mut size) = (0.0, 0.0, 0.0_f64);
            for station in 0..STATIONS {
                let x = 1.6 * (station as f64 / 20.0 - 0.5);
                let speed = middle + x * slope;
                force += speed.abs() * speed;
                moment += x * speed.abs() * speed;
                size += speed * speed;
            }
            let (found_force, found_moment) = strips.squares(middle, slope);
            let errors = [found_force - force, found_moment - moment];
            assert!(errors.iter().all(|error| error.abs() <= 1e-14 * size), "{middle} {slope}: {errors:?} of {size}");
        }
    }

    /// A hull in a mirror: the force turns round, the moment of a turn too, to the last bit.
    #[test]
    fn strips_are_symmetric_to_the_last_bit() {
        let strips = Strips::new(&CrossFlowParams { length_m: 2.0, ..Default::default() });
        for k in 0..50 {
            let (middle, slope) = (0.013 * f64::from(k), 0.4);
            let ((f, m), (g, n)) = (strips.squares(middle, slope), strips.squares(-middle, -slope));
            assert_eq!((f, m), (-g, -n));
        }
        assert_eq!(strips.squares(0.0, 0.7).0, 0.0);
    }
}
