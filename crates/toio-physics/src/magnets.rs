//! Magnets as sets of magnetic charges, and the field that a cube's sensor measures.
//!
//! # Equation
//! ```text
//! H(p) = sum over charges within 50 mm of   q (p - r) / (4 pi mu0 |p - r|^3)          1 Mx = 1e-8 Wb
//! ```
//! H field strength (A/m), p the sensor's place, r the charge's (m), q its flux (Wb), mu0 = 1.2566e-6 H/m. The result is turned into the
//! cube's own axes: X forward, Y right, Z down. Source: toio facts, section 8.7; faults 15 (unit of flux) and 23 (axes) of section 10 are
//! not repeated. `docs/models/magnets.md` derives the charges of the documented magnet and lists the fields that its states go with.
//!
//! # Where it stops being true
//! Magnets do not pull, wear or shield; the field of the earth (about 40 A/m) and that of the motors are left out.

use glam::DVec3;
use sim_core::{ParamError, StateHash};
use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Vacuum permeability as section 8.7 gives it, H/m.
pub const MU0_H_M: f64 = 1.2566e-6;
/// One maxwell in weber (fault 15: the Unity simulator takes ten times as much).
pub const WEBER_PER_MAXWELL: f64 = 1e-8;
/// Farther charges are ignored.
pub const REACH_M: f64 = 0.05;

/// A bar magnet: equal and opposite charges on two square faces, nine on each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Magnet {
    /// Flux of each of the nine charges of the north face, Mx, 0 to 10 000.
    pub charge_mx: f64,
    /// Distance of each face from the middle, 0.1 to 20 mm.
    pub half_length_m: f64,
    /// Distance between neighbouring charges of a face, 0 to 10 mm.
    pub pitch_m: f64,
}

impl Default for Magnet {
    /// The documented magnet.
    fn default() -> Self {
        Self::reference()
    }
}

impl Magnet {
    /// The magnet that the states of section 6.5 are documented for: neodymium N40, 4 x 4 x 2 mm, magnetised through the 2 mm.
    ///
    /// N40 has a remanence of 1.25 to 1.28 T; 1.265 T over 16 mm^2 are 2.024e-5 Wb = 2024 Mx a face, a ninth of which is each charge. They
    /// stand 4 mm / sqrt 8 apart, so that their second moment is that of the evenly magnetised face.
    #[must_use]
    pub fn reference() -> Self {
        Self {
            charge_mx: 1.265 * 16e-6 / WEBER_PER_MAXWELL / 9.0,
            half_length_m: 0.001,
            pitch_m: 0.004 * 0.5 * FRAC_1_SQRT_2,
        }
    }

    /// The stock magnet of the Unity simulator (section 8.7), with the flux that its unit error makes of 13 Mx: 130 Mx a charge, so that
    /// fields and thresholds are those of that simulator.
    #[must_use]
    pub fn unity_stock() -> Self {
        Self { charge_mx: 130.0, half_length_m: 0.0006, pitch_m: 0.0015 }
    }

    fn check(&self) -> Result<(), ParamError> {
        ParamError::check_range("charge_mx", self.charge_mx, 0.0, 10_000.0)?;
        ParamError::check_range("half_length_m", self.half_length_m, 1e-4, 0.02)?;
        ParamError::check_range("pitch_m", self.pitch_m, 0.0, 0.01)
    }

    /// Field at `point_m` from the magnet's middle, A/m; `north` is the unit vector from the south face to the north face. Both in the
    /// same axes, which are the result's too.
    #[must_use]
    pub fn field_a_m(&self, north: DVec3, point_m: DVec3) -> DVec3 {
        let extent = self.half_length_m + 1.5 * self.pitch_m;
        if point_m.length() > REACH_M + extent {
            return DVec3::ZERO;
        }
        let (side, other) = sides_of(north);
        let strength = self.charge_mx * WEBER_PER_MAXWELL / (4.0 * PI * MU0_H_M);
        let mut field = DVec3::ZERO;
        for column in [-1.0, 0.0, 1.0] {
            for row in [-1.0, 0.0, 1.0] {
                let place = (side * column + other * row) * self.pitch_m;
                field += of_charge(point_m - place - north * self.half_length_m);
                field -= of_charge(point_m - place + north * self.half_length_m);
            }
        }
        field * strength
    }
}

/// `r / |r|^3` within reach. Nearer than a tenth of a millimetre the charge counts as a ball of that radius.
fn of_charge(r: DVec3) -> DVec3 {
    let distance = r.length();
    if distance > REACH_M {
        return DVec3::ZERO;
    }
    let distance = distance.max(1e-4);
    r / (distance * distance * distance)
}

/// Two unit vectors that complete `north` to a frame: the directions of the sides of the square faces.
fn sides_of(north: DVec3) -> (DVec3, DVec3) {
    // The axis least along north, so that the product does not vanish.
    let helper = if north.x.abs() <= north.y.abs() && north.x.abs() <= north.z.abs() {
        DVec3::X
    } else if north.y.abs() <= north.z.abs() {
        DVec3::Y
    } else {
        DVec3::Z
    };
    let side = north.cross(helper).normalize();
    (side, north.cross(side))
}

/// Where a magnet is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Mount {
    /// At a place of the world (z up).
    World {
        /// Middle of the magnet.
        at_m: DVec3,
        /// Direction of its north pole; any length but 0.
        north: DVec3,
    },
    /// Fixed to a cube.
    Cube {
        /// The cube's place in the list of cubes.
        cube: usize,
        /// Middle of the magnet in the cube's axes from its body centre.
        at_m: DVec3,
        /// Direction of its north pole in the cube's axes; any length but 0.
        north: DVec3,
    },
}

/// A magnet and where it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedMagnet {
    /// The magnet.
    pub magnet: Magnet,
    /// Its place.
    pub mount: Mount,
}

impl PlacedMagnet {
    /// The magnet with a direction of length 1.
    ///
    /// # Errors
    /// If a number is out of its range or the cube is not one of `cubes`.
    pub(crate) fn checked(mut self, cubes: usize) -> Result<Self, ParamError> {
        self.magnet.check()?;
        let (at_m, north, limit) = match &mut self.mount {
            Mount::World { at_m, north } => (at_m, north, crate::params::MAX_PLACE_M),
            Mount::Cube { cube, at_m, north } if *cube < cubes => (at_m, north, 0.1),
            Mount::Cube { cube, .. } => return Err(ParamError::new("cube", format!("is {cube}, there are {cubes}"))),
        };
        ParamError::check_range("at_m", at_m.length(), 0.0, limit)?;
        ParamError::check_range("north", north.length(), 1e-6, 1e6)?;
        *north = north.normalize();
        Ok(self)
    }

    pub(crate) fn hash_into(&self, hash: &mut StateHash) {
        let (Mount::World { at_m, north } | Mount::Cube { at_m, north, .. }) = self.mount;
        crate::hands::hash_vector(hash, at_m);
        crate::hands::hash_vector(hash, north);
    }
}
