//! Vehicles: a body with actuators, a hydrofoil by its rules, or a fixed station; and their steps.
//!
//! A rigid vehicle moves by the classical Runge-Kutta method; the states of its actuators are known in closed form at
//! every stage. Quadratic damping can be stiffer than a step resolves, so a step is cut into parts. Each part is at
//! most `0.5 / rate` long, where the rate is that of damping at the velocities that it can reach: those at its start
//! and what the acceleration there adds. This is a function of the state, so the same everywhere. A hull that floats
//! by stiffness has 150 parts or more a period of its fastest oscillation. In normal motion under water a step is one
//! part.

mod hydrofoil;
mod keys;
mod params;
mod torpedo;

pub use hydrofoil::{HydrofoilParams, ROLL as HYDROFOIL_ROLL, SPEED as HYDROFOIL_SPEED};
pub use keys::{KeyMap, KeyMapParams, KeyParams, Stroke};
pub use params::{CapsuleParams, MAX_SIZE_M, MIN_SIZE_M, MotionParams, RigidParams, VehicleParams};
pub use torpedo::{TorpedoParams, lamb_factors, spheroid_cells, spheroid_inertia};

use crate::GRAVITY_M_S2;
use crate::actuator::{Actuator, MAX_ACTUATORS, Values};
use crate::body::{Body, BodyRates, BodyState, Laden, Loads, RESOLVED_RAD, Reach, RigidMass, Wrenches};
use crate::medium::Medium;
use crate::rk4::{self, Moment};
use crate::spatial::{Cholesky6, Vec6};
use sim_core::{ParamError, StateHash};
use std::fmt;

/// Most parts of a step. One that needs more fails.
pub const MAX_PARTS: u32 = 1000;
/// Product of step and rate of damping that one Runge-Kutta step resolves well.
const RESOLVED: f64 = 0.5;
/// Age of a command that was never given.
const NEVER: u32 = u32::MAX;

/// All that changes about a vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct VehicleState {
    /// Pose and velocity.
    pub body: BodyState,
    /// States of actuators, in their units.
    pub actuators: Values,
    /// Commands in force, in the same units.
    pub commands: Values,
    /// Steps since the last command of each actuator; the largest number before the first.
    pub command_age: [u32; MAX_ACTUATORS],
}

impl VehicleState {
    /// Whether all numbers are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        // All of them without a branch for each: one that is not finite ends the run.
        self.actuators.iter().fold(self.body.is_finite(), |all, value| all & value.is_finite())
    }

    /// Puts every number into a hash.
    pub fn hash_into(&self, hash: &mut StateHash) {
        let (p, q) = (self.body.position_m, self.body.attitude);
        for value in [p.x, p.y, p.z, q.x, q.y, q.z, q.w] {
            hash.f64(value);
        }
        self.body.velocity.to_array().into_iter().for_each(|value| hash.f64(value));
        self.actuators.iter().chain(&self.commands).for_each(|&value| hash.f64(value));
        self.command_age.iter().for_each(|&age| hash.u64(u64::from(age)));
    }
}

/// A step led to numbers that are not finite, or its damping is too fast for the most parts of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotFinite;

impl fmt::Display for NotFinite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the motion has left the range of numbers")
    }
}

impl std::error::Error for NotFinite {}

/// How well a step resolves the fastest motions of a vehicle at a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stiffness {
    /// Product of the step and the fastest rate of damping at its start; one part of a step resolves 0.5.
    pub lambda_dt: f64,
    /// Product of the step and the fastest free oscillation of a hull that floats by stiffness, rad.
    pub omega_dt: f64,
    /// Whether the step succeeds: the rate of damping falls with the speed, and the parts of a step grow with it.
    pub is_resolved: bool,
}

impl Stiffness {
    /// Parts of a step that damping and oscillation each ask for at its start, not rounded up.
    #[must_use]
    pub fn parts(&self) -> [f64; 2] {
        [self.lambda_dt / RESOLVED, self.omega_dt / RESOLVED_RAD]
    }
}

/// A checked vehicle: fixed for a run, shared by all its states.
#[derive(Clone, Debug)]
pub struct Vehicle {
    motion: Motion,
    names: Vec<String>,
    units: Vec<String>,
}

#[derive(Clone, Debug)]
enum Motion {
    Rigid(Box<Rigid>),
    Hydrofoil(HydrofoilParams),
    Fixed,
}

#[derive(Clone, Debug)]
struct Rigid {
    body: Body,
    actuators: Vec<Actuator>,
    /// Those that water or hinges matter to. The wrench of the others is a part of the configuration.
    unsteady: Vec<Unsteady>,
    /// Whether an actuator moves a mass.
    moves_mass: bool,
}

/// An actuator that water or hinges matter to.
#[derive(Clone, Copy, Debug)]
struct Unsteady {
    number: usize,
    /// Largest acceleration of its place along a force of 1 N of its own, 1/kg; 0 if damping by it is none.
    mobility_1_kg: f64,
}

impl Unsteady {
    fn new(number: usize, actuator: &Actuator, body: &Body) -> Self {
        let mobility_1_kg = actuator.flow_plane().map_or(0.0, |(place_m, normal)| {
            body.mobility_at(place_m, normal).max(body.mobility_at(place_m, glam::DVec3::X))
        });
        Self { number, mobility_1_kg }
    }
}

/// Actuators at a moment, and what follows from them alone.
#[derive(Clone, Copy, Debug)]
struct Configuration {
    values: Values,
    /// Angles of hinges, rad.
    angles: Values,
    /// Wrench of the actuators that follows from their states alone.
    steady: Vec6,
    /// The body with what they move; none if they move nothing.
    laden: Option<Laden>,
}

/// What pulls at a vehicle during a step.
struct Outside<'a, M: Medium + ?Sized> {
    medium: &'a M,
    loads: &'a Loads,
}

impl Vehicle {
    /// A vehicle from its parameters.
    ///
    /// # Errors
    /// If a parameter is out of range, two actuators share a name, or a nozzle names no actuator.
    pub fn new(params: &VehicleParams) -> Result<Self, ParamError> {
        params.check()?;
        match &params.motion {
            MotionParams::Rigid(rigid) => Self::from_rigid(rigid),
            MotionParams::Torpedo(torpedo) => Self::from_rigid(&torpedo.to_rigid()?),
            MotionParams::Hydrofoil(hydrofoil) => {
                hydrofoil.check()?;
                let (names, units) = (hydrofoil::NAMES.map(str::to_owned), hydrofoil::UNITS.map(str::to_owned));
                Ok(Self { motion: Motion::Hydrofoil(*hydrofoil), names: names.into(), units: units.into() })
            }
            MotionParams::Fixed => Ok(Self { motion: Motion::Fixed, names: Vec::new(), units: Vec::new() }),
        }
    }

    /// A rigid vehicle from its parameters.
    ///
    /// # Errors
    /// As [`Vehicle::new`].
    pub fn from_rigid(params: &RigidParams) -> Result<Self, ParamError> {
        params::check_names(&params.actuators)?;
        let names: Vec<&str> = params.actuators.iter().map(|actuator| actuator.name.as_str()).collect();
        let actuators: Vec<Actuator> =
            params.actuators.iter().map(|actuator| Actuator::new(actuator, &names)).collect::<Result<_, _>>()?;
        let body = Body::new(&params.body)?;
        let moves_mass = actuators.iter().any(|actuator| actuator.moved_mass(actuator.rest()).is_some());
        let is_unsteady = |(_, actuator): &(usize, &Actuator)| actuator.steady_wrench(0.0).is_none();
        let changing = actuators.iter().enumerate().filter(is_unsteady);
        let unsteady = changing.map(|(number, actuator)| Unsteady::new(number, actuator, &body)).collect();
        let units = actuators.iter().map(|actuator| actuator.unit().to_owned()).collect();
        let names = names.into_iter().map(str::to_owned).collect();
        Ok(Self { motion: Motion::Rigid(Box::new(Rigid { body, actuators, unsteady, moves_mass })), names, units })
    }

    /// Names of the actuators, in order.
    #[must_use]
    pub fn actuator_names(&self) -> &[String] {
        &self.names
    }

    /// Units of the actuators, in order.
    #[must_use]
    pub fn actuator_units(&self) -> &[String] {
        &self.units
    }

    /// Number of an actuator by its name.
    #[must_use]
    pub fn actuator(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|other| other == name)
    }

    /// The state at the start of a run, actuators at rest. A hydrofoil keeps the speed of its body, if it can.
    #[must_use]
    pub fn start(&self, body: BodyState) -> VehicleState {
        let mut actuators = [0.0; MAX_ACTUATORS];
        for (place, state) in actuators.iter_mut().enumerate() {
            *state = self.rest(place);
        }
        let mut commands = actuators;
        if let Motion::Hydrofoil(rules) = &self.motion {
            commands[hydrofoil::SPEED] = rules.start_goal_kn(body.velocity.linear.x / crate::M_S_PER_KN);
        }
        VehicleState { body: body.normalized(), actuators, commands, command_age: [NEVER; MAX_ACTUATORS] }
    }

    /// Command of an actuator at rest, to which a watchdog resets it, in its unit.
    #[must_use]
    pub fn rest(&self, actuator: usize) -> f64 {
        let Motion::Rigid(rigid) = &self.motion else { return 0.0 };
        rigid.actuators.get(actuator).map_or(0.0, Actuator::rest)
    }

    /// The rules by which it rides. None for any other vehicle.
    #[must_use]
    pub fn rules(&self) -> Option<&HydrofoilParams> {
        if let Motion::Hydrofoil(rules) = &self.motion { Some(rules) } else { None }
    }

    /// Puts a vehicle that rides by rules onto the water, at the speed and with the roll of its body as far as its rules allow. Any
    /// other one stays as it is.
    pub fn settle<M: Medium + ?Sized>(&self, state: &mut VehicleState, medium: &M, time_s: f64) {
        if let Motion::Hydrofoil(rules) = &self.motion {
            rules.settle(state, medium, time_s);
        }
    }

    /// Puts a vehicle that rides by rules back to where it was `before`, at rest on the water. Any other one stays as it is.
    pub fn halt<M: Medium + ?Sized>(&self, state: &mut VehicleState, before: &BodyState, medium: &M, time_s: f64) {
        if let Motion::Hydrofoil(rules) = &self.motion {
            rules.halt(state, before, medium, time_s);
        }
    }

    /// Whether it never moves.
    #[must_use]
    pub fn is_fixed(&self) -> bool {
        matches!(self.motion, Motion::Fixed)
    }

    /// Gives a command to an actuator, in its unit. One beyond the range acts as the end of the range; one that is
    /// not a number is ignored.
    pub fn command(&self, state: &mut VehicleState, actuator: usize, value: f64) {
        if actuator >= self.names.len() || value.is_nan() {
            return;
        }
        state.command_age[actuator] = 0;
        match &self.motion {
            Motion::Hydrofoil(rules) => rules.command(state, actuator, value),
            Motion::Rigid(_) | Motion::Fixed => state.commands[actuator] = value,
        }
    }

    /// Smallest and largest command of an actuator that has an effect of its own; none if there is no such actuator.
    #[must_use]
    pub fn command_range(&self, actuator: usize) -> Option<[f64; 2]> {
        match &self.motion {
            Motion::Rigid(rigid) => rigid.actuators.get(actuator).map(Actuator::command_range),
            Motion::Hydrofoil(rules) => match actuator {
                hydrofoil::SPEED => Some([rules.reverse_kn, rules.flying_kn[1]]),
                hydrofoil::ROLL => Some([-rules.roll_max_rad, rules.roll_max_rad]),
                _ => None,
            },
            Motion::Fixed => None,
        }
    }

    /// Moves a state on by `step_s` from `time_s`.
    ///
    /// # Errors
    /// If a number of the new state is not finite, or the parts of a step do not resolve its damping. The state is then
    /// the one that it led to.
    pub fn step<M: Medium + ?Sized>(
        &self,
        state: &mut VehicleState,
        medium: &M,
        loads: &Loads,
        (time_s, step_s): (f64, f64),
    ) -> Result<(), NotFinite> {
        match &self.motion {
            Motion::Rigid(rigid) => rigid.step(state, &Outside { medium, loads }, (time_s, step_s))?,
            Motion::Hydrofoil(rules) => rules.step(state, medium, time_s, step_s),
            Motion::Fixed => {}
        }
        if state.is_finite() { Ok(()) } else { Err(NotFinite) }
    }

    /// The rigid body and what follows from the states of its actuators. None for a vehicle without forces.
    fn configured(&self, state: &VehicleState) -> Option<(&Rigid, Configuration)> {
        let Motion::Rigid(rigid) = &self.motion else { return None };
        Some((rigid, rigid.configuration(state.actuators)))
    }

    /// Rates of change of pose and velocity at a state: what an inertial sensor needs. None for a vehicle without
    /// forces.
    #[must_use]
    pub fn rates<M: Medium + ?Sized>(
        &self,
        state: &VehicleState,
        medium: &M,
        loads: &Loads,
        time_s: f64,
    ) -> Option<BodyRates> {
        let (rigid, configuration) = self.configured(state)?;
        Some(rigid.rates(&state.body, &configuration, &Outside { medium, loads }, time_s))
    }

    /// The wrenches at a state. None for a vehicle without forces.
    #[must_use]
    pub fn wrenches<M: Medium + ?Sized>(
        &self,
        state: &VehicleState,
        medium: &M,
        loads: &Loads,
        time_s: f64,
    ) -> Option<Wrenches> {
        let (rigid, configuration) = self.configured(state)?;
        Some(rigid.balance(&state.body, &configuration, &Outside { medium, loads }, time_s).1)
    }

    /// How well a step from a state resolves damping and oscillation, by their rates at its start and by a trial of the
    /// step without loads. None for a vehicle without forces.
    #[must_use]
    pub fn stiffness<M: Medium + ?Sized>(
        &self,
        state: &VehicleState,
        medium: &M,
        (time_s, step_s): (f64, f64),
    ) -> Option<Stiffness> {
        let Motion::Rigid(rigid) = &self.motion else { return None };
        let rates = self.rates(state, medium, &Loads::default(), time_s)?;
        let omega_dt = step_s * rigid.body.natural_rate();
        let succeeds = self.step(&mut state.clone(), medium, &Loads::default(), (time_s, step_s)).is_ok();
        Some(Stiffness {
            lambda_dt: step_s * rigid.fastest_rate(&state.actuators, &rates, 0.0),
            omega_dt,
            is_resolved: succeeds && omega_dt <= f64::from(MAX_PARTS) * RESOLVED_RAD,
        })
    }

    /// Smallest and largest mass that its ballast makes, kg. None for a vehicle without forces.
    #[must_use]
    pub fn mass_range_kg(&self) -> Option<[f64; 2]> {
        let Motion::Rigid(rigid) = &self.motion else { return None };
        let moved = |actuator: &Actuator, end: usize| actuator.moved_mass(actuator.command_range()[end]);
        Some([0, 1].map(|end| {
            let masses = rigid.actuators.iter().filter_map(|actuator| moved(actuator, end));
            masses.fold(rigid.body.mass().mass_kg, |sum, mass| sum + mass.mass_kg)
        }))
    }

    /// Mass with everything that actuators move. None for a vehicle without forces.
    #[must_use]
    pub fn mass(&self, state: &VehicleState) -> Option<RigidMass> {
        let (rigid, configuration) = self.configured(state)?;
        Some(rigid.laden(&configuration).mass)
    }

    /// The body. None for a vehicle without forces.
    #[must_use]
    pub fn body(&self) -> Option<&Body> {
        let Motion::Rigid(rigid) = &self.motion else { return None };
        Some(&rigid.body)
    }

    /// Factor of `M_RB + M_A` about the origin: the change of velocity that an impulse makes. None for a vehicle
    /// without forces.
    #[must_use]
    pub fn inertia_factor<M: Medium + ?Sized>(
        &self,
        state: &VehicleState,
        medium: &M,
        time_s: f64,
    ) -> Option<Cholesky6> {
        let (rigid, configuration) = self.configured(state)?;
        let wet = rigid.body.wet_share(&state.body, medium, time_s);
        Some(rigid.body.inertia_factor(rigid.laden(&configuration), wet))
    }

    /// Impulse about the origin in body axes that makes a change of velocity, N s and N m s. None for a vehicle without forces.
    #[must_use]
    pub fn impulse<M: Medium + ?Sized>(
        &self,
        state: &VehicleState,
        change: Vec6,
        medium: &M,
        time_s: f64,
    ) -> Option<Vec6> {
        let (rigid, configuration) = self.configured(state)?;
        let wet = rigid.body.wet_share(&state.body, medium, time_s);
        let mass = rigid.laden(&configuration).mass;
        Some(mass.inertia().plus(rigid.body.added_mass(), wet).momentum(change))
    }

    /// Changes the velocity by an impulse about the origin in body axes, N s and N m s.
    pub fn push<M: Medium + ?Sized>(&self, state: &mut VehicleState, impulse: Vec6, medium: &M, time_s: f64) {
        if let Some(factor) = self.inertia_factor(state, medium, time_s) {
            state.body.velocity += factor.solve(impulse);
        }
    }

    /// Place, m, and direction in the world of the thrust of a propeller. None if the actuator is no propeller.
    #[must_use]
    pub fn propeller(&self, state: &VehicleState, actuator: usize) -> Option<(glam::DVec3, glam::DVec3)> {
        let Motion::Rigid(rigid) = &self.motion else { return None };
        let propeller = rigid.actuators.get(actuator)?.propeller()?;
        let mut angles = [0.0; MAX_ACTUATORS];
        for ((angle, actuator), &value) in angles.iter_mut().zip(&rigid.actuators).zip(&state.actuators) {
            *angle = actuator.angle_rad(value);
        }
        let (place_m, axis) = propeller.aimed(&angles);
        Some((state.body.position_m + state.body.attitude * place_m, state.body.attitude * axis))
    }

    /// Command that lets equal upward propellers carry the weight at an attitude. None without such propellers, or
    /// lying on a side.
    #[must_use]
    pub fn hover_command(&self, state: &VehicleState) -> Option<f64> {
        let Motion::Rigid(rigid) = &self.motion else { return None };
        let up = state.body.attitude.conjugate() * glam::DVec3::Z;
        let propellers = || rigid.actuators.iter().filter_map(Actuator::propeller);
        let first = propellers().next()?;
        let along = first.axis().dot(up).abs();
        let weight_n = self.mass(state)?.mass_kg * GRAVITY_M_S2;
        let each_n = weight_n / (propellers().count() as f64 * along);
        first.speed_for_thrust(each_n).filter(|speed| speed.is_finite())
    }
}

impl Rigid {
    /// What follows from the states of actuators.
    fn configuration(&self, values: Values) -> Configuration {
        let mut angles = [0.0; MAX_ACTUATORS];
        for ((angle, actuator), &value) in angles.iter_mut().zip(&self.actuators).zip(&values) {
            *angle = actuator.angle_rad(value);
        }
        let each = self.actuators.iter().zip(&values).filter_map(|(actuator, &value)| actuator.steady_wrench(value));
        let steady = each.fold(Vec6::ZERO, |sum, wrench| sum + wrench);
        if !self.moves_mass {
            return Configuration { values, angles, steady, laden: None };
        }
        let masses = self.actuators.iter().zip(&values).filter_map(|(actuator, &value)| actuator.moved_mass(value));
        let laden = masses.reduce(|sum, mass| sum.plus(&mass)).map(|moved| self.body.laden(&moved));
        Configuration { values, angles, steady, laden }
    }

    /// The body with what a configuration moves.
    fn laden<'a>(&'a self, configuration: &'a Configuration) -> &'a Laden {
        configuration.laden.as_ref().unwrap_or(self.body.unladen())
    }

    fn rates<M: Medium + ?Sized>(
        &self,
        body: &BodyState,
        configuration: &Configuration,
        outside: &Outside<'_, M>,
        time_s: f64,
    ) -> BodyRates {
        self.balance(body, configuration, outside, time_s).0
    }

    #[inline(always)]
    fn balance<M: Medium + ?Sized>(
        &self,
        body: &BodyState,
        configuration: &Configuration,
        outside: &Outside<'_, M>,
        time_s: f64,
    ) -> (BodyRates, Wrenches) {
        let laden = self.laden(configuration);
        self.body.balance(body, laden, outside.loads, (outside.medium, time_s), |around| {
            self.unsteady.iter().fold(configuration.steady, |sum, &Unsteady { number: i, .. }| {
                sum + self.actuators[i].wrench(configuration.values[i], &configuration.angles, around)
            })
        })
    }

    /// States of actuators after a duration.
    fn advanced(&self, actuators: &Values, commands: &Values, duration_s: f64) -> Values {
        let mut after = *actuators;
        for (i, actuator) in self.actuators.iter().enumerate() {
            after[i] = actuator.advanced(actuators[i], commands[i], duration_s);
        }
        after
    }

    fn step<M: Medium + ?Sized>(
        &self,
        state: &mut VehicleState,
        outside: &Outside<'_, M>,
        (time_s, step_s): (f64, f64),
    ) -> Result<(), NotFinite> {
        self.watch(state, step_s);
        let commands = state.commands;
        // What a whole step does not move, a part of it does not either.
        let moves = self.differ(&self.advanced(&state.actuators, &commands, step_s), &state.actuators);
        // Actuators without a lag follow at the start of the step.
        let values = if moves { self.advanced(&state.actuators, &commands, 0.0) } else { state.actuators };
        let mut start = self.configuration(values);
        let stretches =
            (step_s * self.body.natural_rate() / RESOLVED_RAD).ceil().clamp(1.0, f64::from(MAX_PARTS)) as u32;
        let stretch_s = step_s / f64::from(stretches);
        let mut parts = 0;
        for stretch in 0..stretches {
            let mut from_s = time_s + f64::from(stretch) * stretch_s;
            let mut left_s = stretch_s;
            while left_s > 0.0 {
                parts += 1;
                if parts > MAX_PARTS {
                    return Err(NotFinite);
                }
                let first = self.rates(&state.body, &start, outside, from_s);
                let part_s = self.part_s(&start.values, &first, left_s);
                let middle = if moves { self.moved_on(&start, &commands, 0.5 * part_s) } else { None };
                let end = if moves { self.moved_on(&start, &commands, part_s) } else { None };
                let (at_middle, at_end) = (middle.as_ref().unwrap_or(&start), end.as_ref().unwrap_or(&start));
                let body = rk4::step(&state.body, first, part_s, |body, moment| match moment {
                    Moment::Middle => self.rates(body, at_middle, outside, from_s + 0.5 * part_s),
                    Moment::End => self.rates(body, at_end, outside, from_s + part_s),
                });
                state.body = body.normalized();
                if let Some(end) = end {
                    start = end;
                }
                (from_s, left_s) = (from_s + part_s, left_s - part_s);
            }
        }
        state.actuators = start.values;
        Ok(())
    }

    /// The configuration after a duration; none if nothing moves.
    fn moved_on(&self, from: &Configuration, commands: &Values, duration_s: f64) -> Option<Configuration> {
        let values = self.advanced(&from.values, commands, duration_s);
        self.differ(&values, &from.values).then(|| self.configuration(values))
    }

    /// Whether the states of its actuators differ; what lies behind them in the arrays is always 0.
    fn differ(&self, one: &Values, other: &Values) -> bool {
        let count = self.actuators.len();
        one[..count] != other[..count]
    }

    /// Resets commands that are too old and lets the others grow older.
    fn watch(&self, state: &mut VehicleState, step_s: f64) {
        for (i, actuator) in self.actuators.iter().enumerate() {
            let age = state.command_age[i];
            if age == NEVER {
                continue;
            }
            if actuator.is_silent(f64::from(age) * step_s) {
                state.commands[i] = actuator.rest();
            }
            state.command_age[i] = (age + 1).min(NEVER - 1);
        }
    }

    /// Rate of damping at the velocities that can be reached within a duration, 1/s.
    fn fastest_rate(&self, values: &Values, rates: &BodyRates, duration_s: f64) -> f64 {
        let reach = Reach::within(rates, duration_s);
        let of_fins = self
            .unsteady
            .iter()
            .map(|it| self.actuators[it.number].flow_slope(values[it.number], &reach) * it.mobility_1_kg);
        self.body.fastest_rate(&reach) + of_fins.sum::<f64>()
    }

    /// Duration of the next part of a step of which so much is left: all of it, or an equal share that resolves damping.
    fn part_s(&self, values: &Values, rates: &BodyRates, left_s: f64) -> f64 {
        let most = self.fastest_rate(values, rates, left_s);
        // A rate that is no number comes of a state that is none.
        if left_s * most <= RESOLVED || !most.is_finite() {
            return left_s;
        }
        let now = self.fastest_rate(values, rates, 0.0);
        // The rate grows over the part as its chord does, or less: h (now + growth h) = RESOLVED.
        let growth = (most - now) / left_s;
        let by_chord_s = 2.0 * RESOLVED / (now + (now * now + 4.0 * RESOLVED * growth).sqrt());
        let resolved_s = by_chord_s.min(RESOLVED / self.fastest_rate(values, rates, by_chord_s));
        left_s / (left_s / resolved_s).ceil()
    }
}
