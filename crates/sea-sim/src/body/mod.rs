//! A rigid body in water: six velocities, a pose, and the forces between them.
//!
//! Equation of motion about the body's origin, in body axes (Fossen 2021, chapters 3, 6, 8; wave and current terms by
//! Auton, Hunt and Prud'homme 1988):
//!
//! ```text
//! (M_RB + M_A) (nu' + [w x v_c; 0]) = coriolis(nu_r) + damping(nu_r) + weight + buoyancy
//!                                     + M_A [a_f; 0] + rho V a_f at the centre of buoyancy + actuators + loads
//! ```
//!
//! with `nu` the velocity, `v_c` and `a_f` the water's velocity and acceleration in body axes, and `nu_r = nu - [v_c;
//! 0]`. The water is read at the origin: the body is small against wavelengths and against lengths over which a
//! current changes. The terms of the water fade with the share of the body that is wet.

mod buoyancy;
mod damping;
pub mod mesh;
mod params;

pub use params::{
    AddedCoriolis, BodyParams, BuoyancyParams, CellParams, CrossFlowParams, DampingParams, DecayParams, FlowPlane,
    LiftDragParams, LowSpeedDamping, Matrix6, MeshParams, PointParams, SubmergedParams, WaterlineParams,
};

use crate::GRAVITY_M_S2;
use crate::medium::{Medium, WaterSample};
use crate::pose::Pose;
use crate::rk4::Integrand;
use crate::spatial::{Cholesky6, Inertia6, Vec6, coriolis_wrench, skew};
use buoyancy::{Buoyancy, Placement, Support};
use damping::Damping;
use glam::{DMat3, DQuat, DVec3};
use sim_core::ParamError;
use std::f64::consts::TAU;

/// Phase of a free oscillation that one step resolves to the digits of published tables, rad: 150 steps a period.
pub(crate) const RESOLVED_RAD: f64 = TAU / 150.0;

/// Pose and velocity of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyState {
    /// Place of the origin: east, north, up.
    pub position_m: DVec3,
    /// Rotation from body (forward, left, up) to world; a unit quaternion.
    pub attitude: DQuat,
    /// Velocity over ground (m/s) and turn rate (rad/s), in body axes.
    pub velocity: Vec6,
}

impl Default for BodyState {
    fn default() -> Self {
        Self { position_m: DVec3::ZERO, attitude: DQuat::IDENTITY, velocity: Vec6::ZERO }
    }
}

impl BodyState {
    /// Whether all numbers are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        // As in `Vec6::is_finite`, without branches.
        self.position_m.is_finite() & self.attitude.is_finite() & self.velocity.is_finite()
    }

    /// Place and attitude.
    #[must_use]
    pub fn pose(&self) -> Pose {
        Pose { position_m: self.position_m, world_from_body: self.attitude }
    }

    /// The same velocity in body axes at another place and attitude.
    #[must_use]
    pub fn at_pose(self, pose: &Pose) -> Self {
        Self { position_m: pose.position_m, attitude: pose.world_from_body, ..self }
    }

    /// Velocity over ground in the world frame, m/s.
    #[must_use]
    pub fn world_velocity_m_s(&self) -> DVec3 {
        self.attitude * self.velocity.linear
    }

    /// The state with its quaternion brought back to unit length. A quaternion that is there already keeps its bits.
    pub(crate) fn normalized(mut self) -> Self {
        let square = self.attitude.length_squared();
        if (square - 1.0).abs() > 4.0 * f64::EPSILON {
            self.attitude *= 1.0 / square.sqrt();
        }
        self
    }
}

/// Rates of change of a [`BodyState`].
#[derive(Clone, Copy, Debug)]
pub struct BodyRates {
    /// Velocity in the world frame, m/s.
    pub velocity_m_s: DVec3,
    /// Of the quaternion's components, 1/s.
    pub attitude_per_s: DQuat,
    /// Rate of the velocity in body axes: m/s² and rad/s².
    pub acceleration: Vec6,
    /// Velocity relative to the water, in body axes.
    pub through_water: Vec6,
    /// Density of the water there, kg/m³.
    pub density_kg_m3: f64,
}

/// Bounds of the motion through the water within a duration, as far as its start tells: of which rates of damping are
/// taken.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reach {
    /// Largest size of each velocity, body axes.
    pub most: Vec6,
    /// Largest speed and turn rate, m/s and rad/s.
    pub speed_m_s: f64,
    pub turn_rad_s: f64,
    /// Least velocity ahead, m/s.
    pub least_ahead_m_s: f64,
    pub density_kg_m3: f64,
}

impl Reach {
    /// Within a duration from a start with these rates.
    pub fn within(rates: &BodyRates, duration_s: f64) -> Self {
        let (velocity, change) = (rates.through_water, rates.acceleration * duration_s);
        let most =
            Vec6::new(velocity.linear.abs() + change.linear.abs(), velocity.angular.abs() + change.angular.abs());
        let least_ahead_m_s = velocity.linear.x - change.linear.x.abs();
        let (speed_m_s, turn_rad_s) = (most.linear.length(), most.angular.length());
        Self { most, speed_m_s, turn_rad_s, least_ahead_m_s, density_kg_m3: rates.density_kg_m3 }
    }
}

impl Integrand for BodyState {
    type Rates = BodyRates;

    /// The state after a duration at constant rates; its quaternion is not of unit length.
    #[inline]
    fn advanced(&self, rates: &BodyRates, duration_s: f64) -> Self {
        Self {
            position_m: self.position_m + rates.velocity_m_s * duration_s,
            attitude: self.attitude + rates.attitude_per_s * duration_s,
            velocity: self.velocity + rates.acceleration * duration_s,
        }
    }

    /// The mean of the rates, and what was met at the start.
    #[inline]
    fn weighted_mean([a, b, c, d]: &[BodyRates; 4]) -> BodyRates {
        const SIXTH: f64 = 1.0 / 6.0;
        let attitude = a.attitude_per_s + (b.attitude_per_s + c.attitude_per_s) * 2.0 + d.attitude_per_s;
        BodyRates {
            velocity_m_s: (a.velocity_m_s + (b.velocity_m_s + c.velocity_m_s) * 2.0 + d.velocity_m_s) * SIXTH,
            attitude_per_s: attitude * SIXTH,
            acceleration: (a.acceleration + (b.acceleration + c.acceleration) * 2.0 + d.acceleration) * SIXTH,
            ..*a
        }
    }
}

/// Mass with its first moment and its inertia, both about the origin.
#[derive(Clone, Copy, Debug)]
pub struct RigidMass {
    /// Mass, kg.
    pub mass_kg: f64,
    /// Mass times place of the centre of gravity, kg m.
    pub moment_kg_m: DVec3,
    /// Inertia about the origin, kg m².
    pub inertia_kg_m2: DMat3,
}

impl RigidMass {
    /// A mass at a place with its own inertia about that place.
    #[must_use]
    pub fn at(mass_kg: f64, place_m: DVec3, own_inertia_kg_m2: DMat3) -> Self {
        let arm = skew(place_m);
        Self { mass_kg, moment_kg_m: place_m * mass_kg, inertia_kg_m2: own_inertia_kg_m2 - arm * arm * mass_kg }
    }

    /// Two masses as one.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            mass_kg: self.mass_kg + other.mass_kg,
            moment_kg_m: self.moment_kg_m + other.moment_kg_m,
            inertia_kg_m2: self.inertia_kg_m2 + other.inertia_kg_m2,
        }
    }

    /// Place of the centre of gravity, m.
    #[must_use]
    pub fn center_m(&self) -> DVec3 {
        self.moment_kg_m / self.mass_kg
    }

    /// The 6 x 6 inertia `M_RB`.
    #[must_use]
    pub fn inertia(&self) -> Inertia6 {
        Inertia6 {
            linear: DMat3::from_diagonal(DVec3::splat(self.mass_kg)),
            coupling: -skew(self.moment_kg_m),
            angular: self.inertia_kg_m2,
        }
    }

    #[inline]
    fn momentum(&self, velocity: Vec6) -> Vec6 {
        Vec6 {
            linear: velocity.linear * self.mass_kg + velocity.angular.cross(self.moment_kg_m),
            angular: self.moment_kg_m.cross(velocity.linear) + self.inertia_kg_m2 * velocity.angular,
        }
    }
}

/// What else pulls at a body during a step: contact, cables, fields, hands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Loads {
    /// Force and moment about the origin, in world axes.
    pub world: Vec6,
    /// Force and moment about the origin, in body axes.
    pub body: Vec6,
}

/// The wrenches on a body at a moment, about its origin in body axes. Their sum is `M (nu' + [w x v_c; 0])`, with the inertia M of the body
/// and of the water that it drags along.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrenches {
    /// Of Coriolis and centripetal forces.
    pub inertia: Vec6,
    /// Of its weight; zero for a hull that floats by stiffness.
    pub weight: Vec6,
    /// Of hydrostatic pressure; of a hull that floats by stiffness beyond its weight.
    pub buoyancy: Vec6,
    /// Of damping and drag.
    pub damping: Vec6,
    /// Of the water's acceleration in waves and currents.
    pub waves: Vec6,
    /// Of actuators.
    pub actuators: Vec6,
    /// Of [`Loads::body`].
    pub loads_in_body: Vec6,
    /// Of [`Loads::world`].
    pub loads_in_world: Vec6,
}

impl Wrenches {
    /// Their sum. The order of its terms is part of the bits of every run.
    #[inline]
    #[must_use]
    pub fn sum(&self) -> Vec6 {
        let mut sum = self.inertia;
        sum += self.weight + self.buoyancy;
        sum += self.damping;
        sum += self.waves;
        sum += self.actuators + self.loads_in_body;
        sum += self.loads_in_world;
        sum
    }
}

/// The water and the pose that actuators work in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surroundings {
    pub water: WaterSample,
    /// Velocity over ground, body axes.
    pub velocity: Vec6,
    /// Velocity relative to the water, body axes.
    pub through_water: Vec6,
    /// The world's up in body axes.
    pub up: DVec3,
}

/// A mass and what it makes, together with the added mass, of a wrench.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Laden {
    pub mass: RigidMass,
    /// Factor of the whole inertia, fully wet.
    wet_factor: Cholesky6,
    /// Its inverse in columns, where it is worth its price: a product waits for less than two triangles do.
    wet_inverse: Option<[Vec6; 6]>,
}

impl Laden {
    /// Acceleration of a wrench, fully wet.
    #[inline(always)]
    fn accelerate_wet(&self, wrench: Vec6) -> Vec6 {
        let Some(columns) = &self.wet_inverse else { return self.wet_factor.solve(wrench) };
        let (force, moment) = (wrench.linear, wrench.angular);
        let by_force = columns[0] * force.x + columns[1] * force.y + columns[2] * force.z;
        by_force + (columns[3] * moment.x + columns[4] * moment.y + columns[5] * moment.z)
    }
}

/// A checked body, ready for steps.
#[derive(Clone, Debug)]
pub struct Body {
    /// Without what actuators move.
    own: Laden,
    added: Inertia6,
    /// Its diagonal, if there is nothing beside it: a sixth of the work.
    added_diagonal: Option<Vec6>,
    added_coriolis: AddedCoriolis,
    /// Diagonal of the inverse of the whole inertia, fully wet.
    mobility: [f64; 6],
    /// The fastest free oscillation on the surface, rad/s.
    natural_rate: f64,
    damping: Damping,
    buoyancy: Buoyancy,
}

impl Body {
    /// A body from its parameters.
    ///
    /// # Errors
    /// If a parameter is out of range; see [`BodyParams::check`].
    pub fn new(params: &BodyParams) -> Result<Self, ParamError> {
        params.check()?;
        let mass = RigidMass::at(params.mass_kg, params.center_m(), params.central_inertia());
        let added = params.added_inertia();
        let wet_factor = factor(&mass, &added, 1.0).ok_or_else(|| {
            ParamError::new("body.inertia_kg_m2", "makes with the added mass no positive definite inertia")
        })?;
        let (damping, buoyancy) = (Damping::new(&params.damping), Buoyancy::new(&params.buoyancy)?);
        let natural_rate = buoyancy.natural_rate(mass.inertia().plus(&added, 1.0).diagonal());
        let added_coriolis = params.added_coriolis;
        let inverse = wet_factor.inverse_rows();
        let mobility = std::array::from_fn(|i| inverse[i][i]);
        let wet_inverse = Some(inverse.map(Vec6::from_array));
        let own = Laden { mass, wet_factor, wet_inverse };
        let added_diagonal = added.is_diagonal().then(|| Vec6::from_array(added.diagonal()));
        Ok(Self { own, added, added_diagonal, added_coriolis, mobility, natural_rate, damping, buoyancy })
    }

    /// Mass without what actuators move.
    #[must_use]
    pub fn mass(&self) -> &RigidMass {
        &self.own.mass
    }

    /// The body without what actuators move.
    pub(crate) fn unladen(&self) -> &Laden {
        &self.own
    }

    /// The body with a mass that actuators move.
    pub(crate) fn laden(&self, moved: &RigidMass) -> Laden {
        let mass = self.own.mass.plus(moved);
        // Adding masses keeps a positive definite inertia positive definite.
        let wet_factor = factor(&mass, &self.added, 1.0).unwrap_or(self.own.wet_factor);
        Laden { mass, wet_factor, wet_inverse: None }
    }

    /// Added mass about the origin.
    #[must_use]
    pub fn added_mass(&self) -> &Inertia6 {
        &self.added
    }

    /// Volume of the whole hull, m³.
    #[must_use]
    pub fn volume_m3(&self) -> f64 {
        self.buoyancy.volume_m3()
    }

    /// Share of the hull under water, 0 to 1, at a place and time.
    #[must_use]
    pub fn wet_share<M: Medium + ?Sized>(&self, state: &BodyState, medium: &M, time_s: f64) -> f64 {
        let at = placement(state, time_s);
        self.buoyancy.support(&at, &medium.at(at.position_m, time_s), medium).wet
    }

    /// Factor of inertia plus added mass at a share under water: what turns an impulse into a change of velocity.
    pub(crate) fn inertia_factor(&self, laden: &Laden, wet: f64) -> Cholesky6 {
        if wet == 1.0 {
            return laden.wet_factor;
        }
        factor(&laden.mass, &self.added, wet).unwrap_or(laden.wet_factor)
    }

    /// Acceleration of a place along a direction by a force of 1 N along it, fully wet, 1/kg.
    pub(crate) fn mobility_at(&self, place_m: DVec3, direction: DVec3) -> f64 {
        let force = Vec6::from_force_at(direction, place_m);
        self.own.wet_factor.solve(force).dot(force)
    }

    /// Mass of the water that the whole hull displaces, kg. None for a hull that floats by stiffness or is not carried by
    /// water.
    #[must_use]
    pub fn displaced_kg(&self, density_kg_m3: f64) -> Option<f64> {
        self.buoyancy.displaced_kg(density_kg_m3)
    }

    /// How fast damping alone would change a motion, and how fast it turns, 1/s.
    pub(crate) fn fastest_rate(&self, reach: &Reach) -> f64 {
        self.damping.fastest_rate(reach, self.mobility).max(reach.turn_rad_s)
    }

    /// Fastest free oscillation of a hull that floats by stiffness, rad/s.
    pub(crate) fn natural_rate(&self) -> f64 {
        self.natural_rate
    }

    /// Rates of change of a state, and the wrenches behind them. `act` tells the wrench of actuators in body axes. Always a part of its
    /// caller: one that asks for rates alone writes no wrenches down.
    #[inline(always)]
    pub(crate) fn balance<M: Medium + ?Sized>(
        &self,
        state: &BodyState,
        laden: &Laden,
        loads: &Loads,
        (medium, time_s): (&M, f64),
        act: impl FnOnce(&Surroundings) -> Vec6,
    ) -> (BodyRates, Wrenches) {
        let at = placement(state, time_s);
        let velocity = state.velocity;
        let into_body = at.rotation.transpose();
        let water = medium.at(at.position_m, time_s);
        let current = into_body * water.velocity_m_s;
        let through_water = Vec6::new(velocity.linear - current, velocity.angular);
        let support = self.buoyancy.support(&at, &water, medium);
        let mass = &laden.mass;
        let around = Surroundings { water, velocity, through_water, up: at.up };

        let wrenches = Wrenches {
            inertia: self.inertial(mass, through_water, support.wet),
            weight: self.weight(mass, at.up),
            buoyancy: support.wrench,
            damping: self.resistance(mass, &water, through_water, support.wet),
            waves: self.wave_wrench(&support, &into_body, water.acceleration_m_s2),
            actuators: act(&around),
            loads_in_body: loads.body,
            loads_in_world: Vec6::new(into_body * loads.world.linear, into_body * loads.world.angular),
        };
        let wrench = wrenches.sum();

        let mut acceleration = match support.wet {
            1.0 => laden.accelerate_wet(wrench),
            wet => self.inertia_factor(laden, wet).solve(wrench),
        };
        acceleration.linear -= velocity.angular.cross(current);
        let spin = DQuat::from_xyzw(velocity.angular.x, velocity.angular.y, velocity.angular.z, 0.0);
        let rates = BodyRates {
            velocity_m_s: at.rotation * velocity.linear,
            attitude_per_s: state.attitude * spin * 0.5,
            acceleration,
            through_water,
            density_kg_m3: water.density_kg_m3,
        };
        (rates, wrenches)
    }

    /// Momentum of the entrained water, fully wet.
    #[inline]
    fn added_momentum(&self, velocity: Vec6) -> Vec6 {
        match &self.added_diagonal {
            Some(d) => Vec6::new(d.linear * velocity.linear, d.angular * velocity.angular),
            None => self.added.momentum(velocity),
        }
    }

    /// Coriolis and centripetal wrench of body and entrained water.
    #[inline(always)]
    fn inertial(&self, mass: &RigidMass, velocity: Vec6, wet: f64) -> Vec6 {
        let own = mass.momentum(velocity);
        let added = self.added_momentum(velocity) * wet;
        match self.added_coriolis {
            AddedCoriolis::Full => coriolis_wrench(velocity, own + added),
            AddedCoriolis::RollOnly => {
                let (p, h) = (added.linear, added.angular);
                let roll = DVec3::new(velocity.angular.x, 0.0, 0.0);
                let moment = DVec3::new(p.cross(velocity.linear).x, 0.0, 0.0) + h.cross(velocity.angular);
                coriolis_wrench(velocity, own) + Vec6::new(p.cross(roll), moment)
            }
        }
    }

    fn weight(&self, mass: &RigidMass, up: DVec3) -> Vec6 {
        if self.buoyancy.balances_weight() {
            return Vec6::ZERO;
        }
        let down = up * -GRAVITY_M_S2;
        Vec6::new(down * mass.mass_kg, mass.moment_kg_m.cross(down))
    }

    #[inline(always)]
    fn resistance(&self, mass: &RigidMass, water: &WaterSample, velocity: Vec6, wet: f64) -> Vec6 {
        let mut wrench = Vec6::ZERO;
        if wet > 0.0 {
            wrench = self.damping.wrench(water.density_kg_m3, velocity) * wet;
        }
        if let Some((linear, angular)) = self.damping.decay(wet > 0.0) {
            wrench += decay_wrench(mass, velocity, linear, angular);
        }
        wrench
    }

    /// Froude-Krylov force on the displaced volume, and the added mass's share in the water's acceleration.
    /// The water's acceleration is that in the world.
    fn wave_wrench(&self, support: &Support, into_body: &DMat3, in_world_m_s2: DVec3) -> Vec6 {
        if in_world_m_s2 == DVec3::ZERO || support.wet == 0.0 {
            return Vec6::ZERO;
        }
        let water_acceleration = *into_body * in_world_m_s2;
        let entrained = self.added_momentum(Vec6::new(water_acceleration, DVec3::ZERO)) * support.wet;
        entrained + Vec6::from_force_at(water_acceleration * support.displaced_kg, support.center_m)
    }
}

/// Wrench that lets the velocity of the centre of gravity and the turn rate decay, 1/s.
fn decay_wrench(mass: &RigidMass, velocity: Vec6, linear_per_s: f64, angular_per_s: f64) -> Vec6 {
    let center = mass.center_m();
    let of_center = velocity.linear + velocity.angular.cross(center);
    let turning = velocity.angular * -angular_per_s;
    mass.momentum(Vec6::new(of_center * -linear_per_s - turning.cross(center), turning))
}

fn factor(mass: &RigidMass, added: &Inertia6, wet: f64) -> Option<Cholesky6> {
    Cholesky6::new(&mass.inertia().plus(added, wet))
}

/// The pose as a rotation matrix.
#[inline(always)]
fn placement(state: &BodyState, time_s: f64) -> Placement {
    let rotation = rotation(state.attitude);
    let up = DVec3::new(rotation.x_axis.z, rotation.y_axis.z, rotation.z_axis.z);
    Placement { position_m: state.position_m, rotation, up, time_s }
}

/// The rotation of a quaternion; between stages of a step it has not quite unit length.
#[inline(always)]
fn rotation(q: DQuat) -> DMat3 {
    let twice = 2.0 / q.length_squared();
    let (x, y, z) = (q.x * twice, q.y * twice, q.z * twice);
    let (xx, xy, xz, xw) = (q.x * x, q.x * y, q.x * z, q.w * x);
    let (yy, yz, yw, zz, zw) = (q.y * y, q.y * z, q.w * y, q.z * z, q.w * z);
    DMat3::from_cols(
        DVec3::new(1.0 - (yy + zz), xy + zw, xz - yw),
        DVec3::new(xy - zw, 1.0 - (xx + zz), yz + xw),
        DVec3::new(xz + yw, yz - xw, 1.0 - (xx + yy)),
    )
}
