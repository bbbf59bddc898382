//! The spec's boundary filter: damp or reflect a velocity so that it does not leave the mat (spec 1.3, first local
//! filter).
//!
//! # Equation
//! For each of the four walls, with g the gap to it and u the part of the velocity towards it:
//! ```text
//! inside  (g >= 0):  u <= v  with  v dt + v^2 / (2 a) = g,  a = 0.7 a_max     damped: can be stopped before the wall
//! outside (g < 0):   u -> -min(u, v_max)  if u > 0                            reflected: back in
//! ```
//! Lengths in mm, speeds in mm/s, a in mm/s2, dt the step in s. Two walls of a corner together need no more than the
//! whole acceleration.
//!
//! It shapes the wish. That a robot cannot leave its box is a property of [`crate::drive`], which comes last.

use crate::SwarmModel;
use crate::drive::{WALL_SHARE, stoppable_mm_s};
use sim_core::DVec2;

/// The velocity after damping and reflection, mm/s, for a robot at `position_mm`.
#[must_use]
pub fn bounded(model: &SwarmModel, position_mm: DVec2, velocity_mm_s: DVec2) -> DVec2 {
    let (low, high) = (position_mm - model.bounds.min, model.bounds.max - position_mm);
    let component = |low_mm: f64, high_mm: f64, v: f64| -> f64 {
        let v = towards_wall(model, high_mm, v);
        -towards_wall(model, low_mm, -v)
    };
    DVec2::new(component(low.x, high.x, velocity_mm_s.x), component(low.y, high.y, velocity_mm_s.y))
}

/// Speed towards one wall after the filter.
fn towards_wall(model: &SwarmModel, gap_mm: f64, speed_mm_s: f64) -> f64 {
    if speed_mm_s <= 0.0 {
        speed_mm_s
    } else if gap_mm < 0.0 {
        -speed_mm_s.min(model.limits.v_max_mm_s)
    } else {
        speed_mm_s.min(stoppable_mm_s(gap_mm, WALL_SHARE * model.limits.a_max_mm_s2, model.step_s))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Clearances, Drive, Limits};
    use proptest::prelude::*;
    use sim_core::Rect;

    fn model() -> SwarmModel {
        let clearances = Clearances { d_h_mm: 100.0, d_r_mm: 60.0, wall_margin_mm: 16.0 };
        let limits = Limits { v_max_mm_s: 252.0, a_max_mm_s2: 3000.0, omega_max_rad_s: 12.0 };
        SwarmModel::new(Rect::from_size(400.0, 400.0), clearances, limits, Drive::Point, 60).unwrap()
    }

    #[test]
    fn far_from_walls_and_away_from_them_nothing_changes() {
        let v = DVec2::new(200.0, -150.0);
        assert_eq!(bounded(&model(), DVec2::splat(200.0), v), v);
        assert_eq!(bounded(&model(), DVec2::new(16.0, 384.0), v), v);
    }

    /// At the wall nothing is left of the way out, and the way along it is free.
    #[test]
    fn at_the_wall_only_the_way_along_it_is_left() {
        assert_eq!(bounded(&model(), DVec2::new(384.0, 200.0), DVec2::new(100.0, 70.0)), DVec2::new(0.0, 70.0));
        assert_eq!(bounded(&model(), DVec2::new(200.0, 16.0), DVec2::new(100.0, -70.0)), DVec2::new(100.0, 0.0));
    }

    /// 8 mm before the wall, 2100 mm/s2: v/60 + v^2/4200 = 8 gives v = 151.61 mm/s (the quadratic's root, by hand).
    #[test]
    fn before_the_wall_it_is_damped_to_what_can_be_stopped() {
        let damped = bounded(&model(), DVec2::new(376.0, 200.0), DVec2::new(252.0, 0.0));
        assert!((damped.x - 151.614).abs() < 0.01, "{damped}");
        assert!((damped.x / 60.0 + damped.x * damped.x / 4200.0 - 8.0).abs() < 1e-9);
    }

    #[test]
    fn outside_it_is_reflected() {
        assert_eq!(bounded(&model(), DVec2::new(10.0, 200.0), DVec2::new(-80.0, 5.0)), DVec2::new(80.0, 5.0));
        assert_eq!(bounded(&model(), DVec2::new(10.0, 200.0), DVec2::new(90.0, 5.0)), DVec2::new(90.0, 5.0));
    }

    proptest! {
        /// The way gone in one step never ends outside, and no component grows.
        #[test]
        fn a_step_from_inside_ends_inside(
            x in 16.0_f64..384.0, y in 16.0_f64..384.0, vx in -400.0_f64..400.0, vy in -400.0_f64..400.0
        ) {
            let (model, place, v) = (model(), DVec2::new(x, y), DVec2::new(vx, vy));
            let damped = bounded(&model, place, v);
            prop_assert!(model.bounds.outside_mm(place + damped * model.step_s) < 1e-9);
            prop_assert!(damped.x.abs() <= vx.abs() && damped.y.abs() <= vy.abs());
            prop_assert!(damped.x * vx >= 0.0 && damped.y * vy >= 0.0);
        }
    }
}
