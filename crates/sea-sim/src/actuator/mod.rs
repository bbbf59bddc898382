//! Actuators: a state that follows a command by a lag with a rate limit and hard stops, and what it does to the body.
//!
//! ```text
//! x' = clamp((u - x) / T, -limit, limit), and 0 against a stop
//! ```
//!
//! A command is constant during a step and the body does not act on its actuators, so this has a closed form, which
//! every stage of a step reads at its own time. The watchdog acts between steps.

mod params;
mod propeller;
mod surface;

pub use params::{
    ActuatorKind, ActuatorParams, BallastParams, FinParams, HingeParams, Inflow, NozzleParams, OpenWaterParams,
    PropellerParams, ResponseParams, SliderParams, SurfaceParams, ThrustLaw, TorqueLaw,
};
pub use propeller::Propeller;

use crate::body::{Reach, RigidMass, Surroundings};
use crate::spatial::Vec6;
use glam::{DMat3, DVec3};
use sim_core::{ParamError, ops};
use surface::Surface;

/// Most actuators of one vehicle.
pub const MAX_ACTUATORS: usize = 16;

/// One number for each actuator; those beyond the last are 0.
pub type Values = [f64; MAX_ACTUATORS];

/// Percent of a whole.
const PERCENT: f64 = 0.01;
/// Share of the timeout that rounding may add to the age of a command.
const AGE_TOLERANCE: f64 = 1e-9;

/// How often commands come, Hz, as a watchdog counts where the last one is so many steps old, at least 1.
#[must_use]
pub fn received_hz(age_steps: u64, step_s: f64) -> f64 {
    1.0 / (age_steps as f64 * step_s)
}

/// A checked actuator, ready for steps.
#[derive(Clone, Debug)]
pub struct Actuator {
    response: ResponseParams,
    /// Ends of what a command may ask.
    command_range: [f64; 2],
    /// Ends of what the state may be.
    stops: [f64; 2],
    /// A change of the state that is lost among its largest values.
    rounding: f64,
    dead_band: f64,
    effect: Effect,
    unit: String,
}

/// What an actuator does to the body.
#[derive(Clone, Debug)]
enum Effect {
    /// Nothing by itself: it aims a propeller. The sign of its angle.
    Hinge(f64),
    Fin(Fin),
    Surface(Surface),
    Slider {
        params: SliderParams,
        place_m: DVec3,
        inertia: DMat3,
    },
    Ballast {
        params: BallastParams,
        place_m: DVec3,
    },
    Propeller(Box<Propeller>),
}

#[derive(Clone, Debug)]
struct Fin {
    position_m: DVec3,
    normal: DVec3,
    /// Moment of a force of 1 N along the normal about the body's origin, m.
    arm_m: DVec3,
    /// Half the area times the lift per radian.
    factor_m2: f64,
}

impl Fin {
    fn new(params: &FinParams) -> Self {
        let (position_m, normal) = (DVec3::from_array(params.position_m), DVec3::from_array(params.normal).normalize());
        let factor_m2 = 0.5 * params.area_m2 * params.lift_per_rad;
        Self { position_m, normal, arm_m: position_m.cross(normal), factor_m2 }
    }

    #[inline]
    fn wrench(&self, angle_rad: f64, around: &Surroundings) -> Vec6 {
        let flow = around.through_water.linear;
        let across = flow.dot(self.normal);
        // The angle turns a share of the lift backwards.
        let push = -around.water.density_kg_m3 * self.factor_m2 * (flow.x * flow.x + across * across) * angle_rad;
        Vec6::new(self.normal * push + DVec3::X * (push * angle_rad), self.arm_m * push)
    }

    /// Upper bound of what a small change of the flow adds to the force at an angle, N s/m.
    fn slope(&self, angle_rad: f64, reach: &Reach) -> f64 {
        let angle = angle_rad.abs();
        2.0 * reach.density_kg_m3 * self.factor_m2 * reach.speed_m_s * angle * (1.0 + angle)
    }
}

impl Actuator {
    /// An actuator from its parameters; `names` are those of all actuators of the vehicle, in order.
    ///
    /// # Errors
    /// If a parameter is out of range or a nozzle names no hinge.
    pub fn new(params: &ActuatorParams, names: &[&str]) -> Result<Self, ParamError> {
        params.check()?;
        let stop = |most: f64| [-most, most];
        let (command_range, stops, dead_band, unit) = match &params.kind {
            ActuatorKind::Hinge(hinge) => (stop(hinge.command_max_rad), stop(hinge.stop_rad), 0.0, "rad"),
            ActuatorKind::Fin(fin) => (stop(fin.stop_rad), stop(fin.stop_rad), 0.0, "rad"),
            ActuatorKind::Surface(it) => (stop(it.command_max_rad), stop(it.stop_rad), 0.0, "rad"),
            ActuatorKind::Slider(_) | ActuatorKind::Ballast(_) => ([0.0, 100.0], [0.0, 100.0], 0.0, "percent"),
            ActuatorKind::Propeller(p) => (p.range, p.range, p.dead_band, p.unit.as_str()),
        };
        let effect = match &params.kind {
            ActuatorKind::Hinge(hinge) => Effect::Hinge(if hinge.reversed { -1.0 } else { 1.0 }),
            ActuatorKind::Fin(fin) => Effect::Fin(Fin::new(fin)),
            ActuatorKind::Surface(surface) => Effect::Surface(Surface::new(surface)),
            ActuatorKind::Slider(slider) => Effect::Slider {
                params: *slider,
                place_m: DVec3::from_array(slider.position_m),
                inertia: DMat3::from_diagonal(DVec3::from_array(slider.inertia_kg_m2)),
            },
            ActuatorKind::Ballast(ballast) => {
                Effect::Ballast { params: *ballast, place_m: DVec3::from_array(ballast.position_m) }
            }
            ActuatorKind::Propeller(propeller) => Effect::Propeller(Box::new(Propeller::new(propeller, names)?)),
        };
        let rounding = f64::EPSILON * stops[0].abs().max(stops[1].abs());
        let unit = unit.to_owned();
        Ok(Self { response: params.response, command_range, stops, rounding, dead_band, effect, unit })
    }

    /// Unit of command and state.
    #[must_use]
    pub fn unit(&self) -> &str {
        &self.unit
    }

    /// Smallest and largest command that has an effect of its own.
    #[must_use]
    pub fn command_range(&self) -> [f64; 2] {
        self.command_range
    }

    /// Value at the start of a run.
    #[must_use]
    pub fn rest(&self) -> f64 {
        self.response.rest
    }

    /// What the state follows for a command: clamped, and nothing inside the dead band.
    #[must_use]
    pub fn target(&self, command: f64) -> f64 {
        let [least, most] = self.command_range;
        if command.abs() < self.dead_band { 0.0 } else { command.clamp(least, most) }
    }

    /// A state inside the hard stops.
    #[must_use]
    pub fn stopped(&self, state: f64) -> f64 {
        state.clamp(self.stops[0], self.stops[1])
    }

    /// Whether a command has been missing for longer than the watchdog allows.
    #[must_use]
    pub fn is_silent(&self, age_s: f64) -> bool {
        self.response.watchdog_hz.is_some_and(|hz| age_s * hz > 1.0 + AGE_TOLERANCE)
    }

    /// The state after a duration at a constant command. Exact: neither the lag nor its limit needs a small step.
    #[must_use]
    pub fn advanced(&self, state: f64, command: f64, duration_s: f64) -> f64 {
        let target = self.target(command);
        let (mut gap, mut left_s, lag_s) = (target - state, duration_s, self.response.time_constant_s);
        // What a lag leaves in the end is rounding, and an exponential a step would be its price.
        if lag_s == 0.0 || gap.abs() <= self.rounding {
            return self.stopped(target);
        }
        if duration_s == 0.0 {
            return self.stopped(state);
        }
        if let Some(limit) = self.response.rate_limit_per_s {
            let limited_s = (gap.abs() / limit - lag_s).max(0.0);
            if limited_s >= duration_s {
                return self.stopped(state + limit.copysign(gap) * duration_s);
            }
            gap -= limit.copysign(gap) * limited_s;
            left_s -= limited_s;
        }
        self.stopped(target - gap * ops::exp(-left_s / lag_s))
    }

    /// The mass that it moves, if it moves one.
    pub(crate) fn moved_mass(&self, state: f64) -> Option<RigidMass> {
        let share = state * PERCENT;
        match &self.effect {
            Effect::Slider { params, place_m, inertia } => {
                let place = *place_m + DVec3::X * (params.travel_m * share);
                Some(RigidMass::at(params.mass_kg, place, *inertia))
            }
            Effect::Ballast { params, place_m } => {
                let mass_kg = params.piston_kg + params.water_density_kg_m3 * params.water_m3 * share;
                let place = *place_m + DVec3::X * (params.travel_m * share);
                Some(RigidMass::at(mass_kg, place, cylinder(mass_kg, params.radius_m, params.travel_m * share)))
            }
            Effect::Hinge(_) | Effect::Fin(_) | Effect::Surface(_) | Effect::Propeller(_) => None,
        }
    }

    /// Wrench on the body in its own axes, where it follows from the state alone; none where water or hinges matter.
    pub(crate) fn steady_wrench(&self, state: f64) -> Option<Vec6> {
        match &self.effect {
            Effect::Hinge(_) | Effect::Slider { .. } | Effect::Ballast { .. } => Some(Vec6::ZERO),
            Effect::Fin(_) | Effect::Surface(_) => None,
            Effect::Propeller(propeller) => propeller.is_steady().then(|| propeller.steady_wrench(self.stopped(state))),
        }
    }

    /// Wrench on the body in its own axes.
    #[inline]
    pub(crate) fn wrench(&self, state: f64, angles: &Values, around: &Surroundings) -> Vec6 {
        match &self.effect {
            Effect::Hinge(_) | Effect::Slider { .. } | Effect::Ballast { .. } => Vec6::ZERO,
            Effect::Fin(fin) => fin.wrench(self.stopped(state), around),
            Effect::Surface(surface) => surface.wrench(self.stopped(state), around),
            Effect::Propeller(propeller) => propeller.wrench(self.stopped(state), angles, around),
        }
    }

    /// Upper bound of what a small change of the flow adds to the force of a fin or surface, N s/m.
    pub(crate) fn flow_slope(&self, state: f64, reach: &Reach) -> f64 {
        match &self.effect {
            Effect::Fin(fin) => fin.slope(self.stopped(state), reach),
            Effect::Surface(surface) => surface.slope(reach),
            Effect::Hinge(_) | Effect::Slider { .. } | Effect::Ballast { .. } | Effect::Propeller(_) => 0.0,
        }
    }

    /// Where a fin or surface acts, m, and the direction that spans with forward the plane of its force.
    pub(crate) fn flow_plane(&self) -> Option<(DVec3, DVec3)> {
        match &self.effect {
            Effect::Fin(fin) => Some((fin.position_m, fin.normal)),
            Effect::Surface(surface) => Some(surface.plane()),
            Effect::Hinge(_) | Effect::Slider { .. } | Effect::Ballast { .. } | Effect::Propeller(_) => None,
        }
    }

    /// The angle by which a hinge turns, positive about its axis.
    pub(crate) fn angle_rad(&self, state: f64) -> f64 {
        match self.effect {
            Effect::Hinge(sign) => sign * state,
            _ => 0.0,
        }
    }

    /// The propeller, if it is one.
    #[must_use]
    pub fn propeller(&self) -> Option<&Propeller> {
        match &self.effect {
            Effect::Propeller(propeller) => Some(propeller),
            _ => None,
        }
    }
}

/// Inertia of a solid cylinder along the forward axis about its centre.
fn cylinder(mass_kg: f64, radius_m: f64, length_m: f64) -> DMat3 {
    let square = radius_m * radius_m;
    let across = mass_kg * (3.0 * square + length_m * length_m) / 12.0;
    DMat3::from_diagonal(DVec3::new(0.5 * mass_kg * square, across, across))
}
