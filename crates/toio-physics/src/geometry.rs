//! Sizes of the cube and places on it (toio facts, section 1.1).
//!
//! Places are in the cube's own axes of section 1.5 (X forward, Y right, Z down), metres from the **body centre**: the middle of the
//! footprint, half way up the 22.4 mm body. Standing on its wheels, a cube has its body centre [`BODY_CENTRE_HEIGHT_M`] above the mat.

use glam::DVec3;

pub use toio_hardware::{
    AXLE_AHEAD_M, BODY_HEIGHT_M, FOOTPRINT_M, PLATE_HEIGHT_M, STUD_HEIGHT_M, TREAD_M, WHEEL_DIAMETER_M,
};

/// Height of the body centre of a standing cube.
pub const BODY_CENTRE_HEIGHT_M: f64 = BODY_HEIGHT_M / 2.0;

/// Height of the flat bottom of a standing cube above the mat. Assumed.
pub const CLEARANCE_M: f64 = 0.001;

/// Middle between the wheels' centres.
pub const AXLE: DVec3 = DVec3::new(AXLE_AHEAD_M, 0.0, BODY_CENTRE_HEIGHT_M - WHEEL_DIAMETER_M / 2.0);
/// Lowest point of the left wheel.
pub const LEFT_WHEEL_BASE: DVec3 = DVec3::new(AXLE_AHEAD_M, -TREAD_M / 2.0, BODY_CENTRE_HEIGHT_M);
/// Lowest point of the right wheel.
pub const RIGHT_WHEEL_BASE: DVec3 = DVec3::new(AXLE_AHEAD_M, TREAD_M / 2.0, BODY_CENTRE_HEIGHT_M);
/// The ID sensor, in the underside: 11.1 mm behind and 9.4 mm left of the body centre.
pub const ID_SENSOR: DVec3 = DVec3::new(-0.0111, -0.0094, BODY_CENTRE_HEIGHT_M);
/// The magnet sensor: 11.5 mm ahead of the body centre, 1.9 mm below the top face.
pub const MAGNET_SENSOR: DVec3 = DVec3::new(0.0115, 0.0, 0.0019 - BODY_CENTRE_HEIGHT_M);
/// Middle of the top face, where accessories stand.
pub const TOP: DVec3 = DVec3::new(0.0, 0.0, -BODY_CENTRE_HEIGHT_M);
