//! Force fields: regions that push what is inside them. A force field is not a current: its force does not depend on how fast a body moves.
//!
//! # Model
//! ```text
//! direction     F = f d                  central     F = +-f (x - c)/|x - c|
//! propeller     F = min(n k / r^2, cap) along the axis ahead of the tip, away from the tip behind it; 0 in reverse
//! ```
//! f is a force on a whole body, N. A body feels fields at its force points and divides what each feels by their number, so that a body
//! half inside feels half. Fields that overlap add up. Limits: `docs/models/currents.md`.

use crate::check;
use crate::purpose;
use sim_core::{DVec3, ParamError, RunKey, Stream, Tick};

/// Which way a field pushes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Push {
    /// The same way everywhere, in the world's axes; any length but 0.
    Along(DVec3),
    /// Towards a place of the world, m.
    Towards(DVec3),
    /// Away from a place of the world, m.
    AwayFrom(DVec3),
    /// By the cone of a turning propeller, which has forces of its own.
    Propeller {
        /// The cone.
        cone: PropellerCone,
        /// Which of the propellers that the caller knows.
        number: usize,
    },
}

/// Where a field acts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Region {
    /// Everywhere.
    Everywhere,
    /// In a box between two corners, m.
    Box {
        /// Corner with the smallest coordinates.
        min_m: DVec3,
        /// Corner with the largest coordinates.
        max_m: DVec3,
    },
    /// In a sphere.
    Sphere {
        /// Centre, m.
        center_m: DVec3,
        /// Radius, m.
        radius_m: f64,
    },
}

/// A random force that is drawn for each point and step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Turbulence {
    /// None.
    #[default]
    None,
    /// Uniform between minus and plus these along each axis, N.
    Uniform(DVec3),
    /// Normal with these standard deviations along each axis, N.
    Gaussian(DVec3),
}

/// A force field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldParams {
    /// Which way it pushes.
    pub push: Push,
    /// Force on a whole body, N, 0 to 1e6. A propeller takes that of its cone.
    pub force_n: f64,
    /// Where it acts.
    pub region: Region,
    /// If it pushes points under water only.
    pub only_under_water: bool,
    /// If it pushes points only that are not yet fully submerged. With both it pushes none.
    pub only_above_water: bool,
    /// What is random about it.
    pub turbulence: Turbulence,
}

/// A checked force field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    params: FieldParams,
}

/// The force fields of a world. Fixed for a run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Fields {
    list: Vec<Field>,
}

/// A force point of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldPoint {
    /// Place in the world, m.
    pub position_m: DVec3,
    /// Height of the surface there on the world's z axis, m.
    pub surface_m: f64,
    /// Depth at which it counts as fully submerged, m.
    pub submerged_depth_m: f64,
    /// Number of the body.
    pub body: u32,
    /// Number of the point on the body.
    pub point: u16,
}

impl Field {
    /// Checks the parameters.
    ///
    /// # Errors
    /// If a value is out of its range or a direction has no length.
    pub fn new(params: FieldParams) -> Result<Self, ParamError> {
        ParamError::check_range("force_n", params.force_n, 0.0, 1e6)?;
        match params.push {
            Push::Along(direction) => check::direction("direction", direction.to_array())?,
            Push::Towards(place) | Push::AwayFrom(place) => check_finite("center_m", place)?,
            Push::Propeller { cone, .. } => cone.check()?,
        }
        match params.region {
            Region::Everywhere => {}
            Region::Box { min_m, max_m } => {
                for axis in 0..3 {
                    ParamError::check_span("region", [min_m[axis], max_m[axis]], [-1e9, 1e9])?;
                }
            }
            Region::Sphere { center_m, radius_m } => {
                check_finite("center_m", center_m)?;
                ParamError::check_range("radius_m", radius_m, 0.0, 1e9)?;
            }
        }
        if let Turbulence::Uniform(size) | Turbulence::Gaussian(size) = params.turbulence {
            for axis in size.to_array() {
                ParamError::check_range("turbulence", axis, 0.0, 1e6)?;
            }
        }
        Ok(Self { params })
    }

    /// Force on a whole body whose point is there, N; zero outside. `stream` gives what is random.
    fn force_n(&self, point: &FieldPoint, propellers: &[TurningPropeller], stream: impl FnOnce() -> Stream) -> DVec3 {
        if !self.acts_on(point) {
            return DVec3::ZERO;
        }
        let toward = match self.params.push {
            Push::Along(direction) => direction,
            Push::Towards(center) => center - point.position_m,
            Push::AwayFrom(center) => point.position_m - center,
            Push::Propeller { cone, number } => {
                // A body does not blow at itself.
                let other = propellers.get(number).filter(|propeller| propeller.body != point.body);
                let Some(propeller) = other else { return DVec3::ZERO };
                return cone.force_n(propeller, point.position_m) + self.random_n(stream);
            }
        };
        self.params.force_n * toward.normalize_or_zero() + self.random_n(stream)
    }

    fn random_n(&self, stream: impl FnOnce() -> Stream) -> DVec3 {
        match self.params.turbulence {
            Turbulence::None => DVec3::ZERO,
            Turbulence::Uniform(size) => {
                let mut stream = stream();
                size * DVec3::new(stream.range(-1.0, 1.0), stream.range(-1.0, 1.0), stream.range(-1.0, 1.0))
            }
            Turbulence::Gaussian(size) => {
                let mut stream = stream();
                size * stream.normal2().extend(stream.normal())
            }
        }
    }

    fn acts_on(&self, point: &FieldPoint) -> bool {
        let depth_m = point.surface_m - point.position_m.z;
        let wet = !self.params.only_under_water || depth_m > 0.0;
        let dry = !self.params.only_above_water || depth_m < point.submerged_depth_m;
        let one_side = !(self.params.only_under_water && self.params.only_above_water);
        wet && dry && one_side && self.params.region.holds(point.position_m)
    }
}

impl Region {
    /// Whether a place is inside and not on the border.
    #[must_use]
    pub fn holds_strictly(&self, place_m: DVec3) -> bool {
        match *self {
            Self::Everywhere => true,
            Self::Box { min_m, max_m } => place_m.cmpgt(min_m).all() && place_m.cmplt(max_m).all(),
            Self::Sphere { center_m, radius_m } => place_m.distance_squared(center_m) < radius_m * radius_m,
        }
    }

    /// Whether it has an inside that ends somewhere.
    fn is_volume(&self) -> bool {
        match *self {
            Self::Everywhere => false,
            Self::Box { min_m, max_m } => min_m.cmplt(max_m).all(),
            Self::Sphere { radius_m, .. } => radius_m > 0.0,
        }
    }

    /// A place inside, m: all are equally likely. The origin if it does not end anywhere.
    #[must_use]
    pub fn draw(&self, stream: &mut Stream) -> DVec3 {
        match *self {
            Self::Everywhere => DVec3::ZERO,
            Self::Box { min_m, max_m } => {
                min_m + (max_m - min_m) * DVec3::new(stream.uniform(), stream.uniform(), stream.uniform())
            }
            Self::Sphere { center_m, radius_m } => loop {
                let at = DVec3::new(stream.range(-1.0, 1.0), stream.range(-1.0, 1.0), stream.range(-1.0, 1.0));
                if at.length_squared() < 1.0 {
                    return center_m + at * radius_m;
                }
            },
        }
    }

    fn holds(&self, place_m: DVec3) -> bool {
        match *self {
            Self::Everywhere => true,
            Self::Box { min_m, max_m } => place_m.cmpge(min_m).all() && place_m.cmple(max_m).all(),
            Self::Sphere { center_m, radius_m } => place_m.distance_squared(center_m) <= radius_m * radius_m,
        }
    }
}

impl Fields {
    /// Fields that add up.
    #[must_use]
    pub fn new(list: Vec<Field>) -> Self {
        Self { list }
    }

    /// Volumes that end somewhere and in which a field acts: boxes, spheres, and the reach around the tip of a propeller.
    pub fn volumes<'a>(&'a self, propellers: &'a [TurningPropeller]) -> impl Iterator<Item = Region> + 'a {
        let volume = |field: &Field| match (field.params.region, field.params.push) {
            (Region::Everywhere, Push::Propeller { cone, number }) => {
                Some(Region::Sphere { center_m: cone.apex_m(propellers.get(number)?), radius_m: cone.reach_m })
            }
            (region, _) => Some(region),
        };
        self.list.iter().filter_map(volume).filter(Region::is_volume)
    }

    /// Whether a field acts in a volume that ends somewhere, once its propeller is known.
    #[must_use]
    pub fn has_volumes(&self) -> bool {
        let ends = |field: &Field| match (field.params.region, field.params.push) {
            (Region::Everywhere, Push::Propeller { cone, .. }) => cone.reach_m > 0.0,
            (region, _) => region.is_volume(),
        };
        self.list.iter().any(ends)
    }

    /// Sum of the forces on a whole body whose point is there, N, while propellers turn.
    #[must_use]
    pub fn force_n(&self, point: &FieldPoint, propellers: &[TurningPropeller], (key, tick): (RunKey, Tick)) -> DVec3 {
        let owner = |field: usize| (u64::from(point.body) << 32) | (u64::from(point.point) << 16) | field as u64;
        let force = |(n, field): (usize, &Field)| {
            field.force_n(point, propellers, || key.stream(purpose::FIELD_NOISE, owner(n), tick.0))
        };
        self.list.iter().enumerate().map(force).sum()
    }
}

/// The stream that a propeller drives past bodies nearby.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PropellerCone {
    /// How far the cone's tip lies ahead of the propeller, m, 0 to 100.
    pub tip_m: f64,
    /// Force at 1 m from the tip for each turn a minute, N, 0 to 1000.
    pub force_n_per_rpm: f64,
    /// Largest force, N, 0 to 1e6.
    pub max_force_n: f64,
    /// Distance from the tip beyond which nothing is felt, m, 0 to 1000.
    pub reach_m: f64,
}

/// A propeller that turns.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TurningPropeller {
    /// Number of the body that it belongs to.
    pub body: u32,
    /// Place in the world, m.
    pub position_m: DVec3,
    /// Unit vector that it pulls along when it turns forwards.
    pub forward: DVec3,
    /// Turns a minute, negative in reverse.
    pub rpm: f64,
}

impl PropellerCone {
    /// Refuses what is out of its range.
    ///
    /// # Errors
    /// Names the value.
    pub fn check(&self) -> Result<(), ParamError> {
        ParamError::check_range("tip_m", self.tip_m, 0.0, 100.0)?;
        ParamError::check_range("force_n_per_rpm", self.force_n_per_rpm, 0.0, 1000.0)?;
        ParamError::check_range("max_force_n", self.max_force_n, 0.0, 1e6)?;
        ParamError::check_range("reach_m", self.reach_m, 0.0, 1000.0)
    }

    /// The tip of its cone in the world, m.
    fn apex_m(&self, propeller: &TurningPropeller) -> DVec3 {
        propeller.position_m + self.tip_m * propeller.forward
    }

    /// Force on a whole body whose point is at a place of the world, N.
    #[must_use]
    pub fn force_n(&self, propeller: &TurningPropeller, position_m: DVec3) -> DVec3 {
        let from_tip = position_m - self.apex_m(propeller);
        let distance2 = from_tip.length_squared();
        if distance2 > self.reach_m * self.reach_m {
            return DVec3::ZERO;
        }
        let force_n = (propeller.rpm * self.force_n_per_rpm / distance2).clamp(0.0, self.max_force_n);
        let toward =
            if from_tip.dot(propeller.forward) > 0.0 { propeller.forward } else { from_tip.normalize_or_zero() };
        force_n * toward
    }
}

fn check_finite(field: &'static str, place_m: DVec3) -> Result<(), ParamError> {
    place_m.to_array().into_iter().try_for_each(|coordinate| ParamError::check_range(field, coordinate, -1e9, 1e9))
}
