//! Angles in radians: from the +x axis towards the +y axis, which is clockwise seen from above on a mat whose y points down.

use crate::{DVec2, ops};
use std::f64::consts::{PI, TAU};

/// The same direction in (-pi, pi].
#[inline]
#[must_use]
pub fn wrap_rad(angle_rad: f64) -> f64 {
    if angle_rad > -PI && angle_rad <= PI {
        return angle_rad;
    }
    let turned = angle_rad - TAU * (angle_rad / TAU).round();
    if turned <= -PI { turned + TAU } else { turned }
}

/// Unit vector that points along `heading_rad`.
#[inline]
#[must_use]
pub fn unit(heading_rad: f64) -> DVec2 {
    let (sin, cos) = ops::sin_cos(heading_rad);
    DVec2::new(cos, sin)
}

/// Heading of a vector, in (-pi, pi]; 0 for the zero vector.
#[inline]
#[must_use]
pub fn heading_of(v: DVec2) -> f64 {
    ops::atan2(v.y, v.x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn half_turn_is_plus_pi() {
        assert_eq!(wrap_rad(PI), PI);
        assert_eq!(wrap_rad(-PI), PI);
        assert!((wrap_rad(3.0 * PI).abs() - PI).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn wrapping_keeps_the_direction(a in -1e4_f64..1e4) {
            let w = wrap_rad(a);
            prop_assert!(w > -PI && w <= PI);
            prop_assert!((unit(w) - unit(a)).length() < 1e-9);
        }

        #[test]
        fn heading_inverts_unit(a in -3.1_f64..3.1) {
            prop_assert!((heading_of(unit(a)) - a).abs() < 1e-12);
        }
    }
}
