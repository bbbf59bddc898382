//! A place and a yaw on the plane: where one frame lies in another.

use sim_core::{DVec2, angle};

/// Where a frame lies in another one: a car in the world, a sensor on a car.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Its origin, m.
    pub position_m: DVec2,
    /// Its turn, counter-clockwise.
    pub yaw_rad: f64,
}

impl Pose {
    /// The frame itself.
    pub const ORIGIN: Self = Self::new(0.0, 0.0, 0.0);

    /// Pose from its numbers.
    #[must_use]
    pub const fn new(x_m: f64, y_m: f64, yaw_rad: f64) -> Self {
        Self { position_m: DVec2::new(x_m, y_m), yaw_rad }
    }

    /// Where a point given in this frame lies in the outer one.
    #[must_use]
    pub fn point(self, local_m: DVec2) -> DVec2 {
        self.position_m + angle::unit(self.yaw_rad).rotate(local_m)
    }

    /// Where a frame given in this one lies in the outer one. The yaw is the sum of both, not wrapped.
    #[must_use]
    pub fn compose(self, local: Self) -> Self {
        Self { position_m: self.point(local.position_m), yaw_rad: self.yaw_rad + local.yaw_rad }
    }

    /// True if every number is finite.
    #[must_use]
    pub fn is_finite(self) -> bool {
        self.position_m.is_finite() && self.yaw_rad.is_finite()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    #[test]
    fn a_frame_in_a_frame() {
        let car = Pose::new(1.0, 2.0, FRAC_PI_2);
        let sensor = car.compose(Pose::new(0.5, 0.1, 0.25));
        assert!((sensor.position_m - DVec2::new(0.9, 2.5)).length() < 1e-15);
        assert_eq!(sensor.yaw_rad, FRAC_PI_2 + 0.25);
        assert_eq!(Pose::ORIGIN.compose(car), car);
    }
}
