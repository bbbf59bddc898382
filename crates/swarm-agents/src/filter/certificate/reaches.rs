//! Reaches: how far from its place each robot can have to do with others in a tick. Two robots farther apart than both reaches and
//! [`contact_mm`] are not compared, so no trajectory is permitted that leads farther.

use super::free::CONTACT_MM;
use super::is_led;
use super::proof::{ClearDistances, moving_frames};
use crate::SwarmModel;
use crate::filter::model::FilterModel;
use crate::filter::trajectories::Trajectories;
use sim_core::DVec2;

/// Share of the acceleration limit that a stop counts on: less than the bounds on velocities do, or a stop along an edge.
const STOP_SHARE: f64 = 0.5;

/// Distance of two robots within which they have to do with each other whatever their motion is, mm.
pub(super) fn contact_mm(clear: ClearDistances) -> f64 {
    clear.pair_mm + CONTACT_MM
}

/// Reaches of robots with these velocities, mm. `stored` starts at this tick; `led` names the robots that a plan leads, and is empty
/// without a plan.
///
/// A robot that is led may follow its band at full speed, and those that are not keep clear of the whole band. Any other robot moves up to
/// the next decision and brakes, or keeps its stored trajectory.
pub(super) fn reaches_mm<'a>(
    model: &'a FilterModel,
    velocities_mm_s: &'a [DVec2],
    stored: &'a Trajectories,
    led: &'a [bool],
) -> impl Iterator<Item = f64> + 'a {
    let swarm = &model.swarm;
    let band_frames = if led.iter().all(|&led| led) { 0 } else { model.tuning.horizon.knots * model.knot_ticks };
    let led_mm = travel_mm(swarm, band_frames.max(moving_frames(model)));
    velocities_mm_s.iter().enumerate().map(move |(i, velocity_mm_s)| {
        let new_mm =
            if is_led(led, i) { led_mm } else { stop_mm(swarm, velocity_mm_s.length(), model.decision_ticks()) };
        new_mm.max(stored.reach_mm(i))
    })
}

/// Way at full speed in a number of frames, mm.
pub(super) fn travel_mm(swarm: &SwarmModel, frames: usize) -> f64 {
    swarm.limits.v_max_mm_s * swarm.step_s * frames as f64
}

/// Way of a number of steps with the largest gain of speed, all at the speed of the last one, and of the braking after it, mm:
/// `u t + u^2 / (2 a)`.
fn stop_mm(swarm: &SwarmModel, speed_mm_s: f64, steps: usize) -> f64 {
    let fastest_mm_s = (speed_mm_s + steps as f64 * swarm.velocity_step_mm_s()).min(swarm.limits.v_max_mm_s);
    fastest_mm_s * steps as f64 * swarm.step_s
        + fastest_mm_s * fastest_mm_s / (2.0 * STOP_SHARE * swarm.limits.a_max_mm_s2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Drive;
    use crate::drive::{WALL_SHARE, stoppable_mm_s};
    use crate::filter::certificate::motions::BRAKE_SHARE;
    use crate::filter::model::fixture::in_the_core;

    /// Within its way to a stop a robot may go as fast as it can until the next decision: no bound from farther away binds it.
    #[test]
    fn no_bound_binds_a_robot_from_beyond_its_reach() {
        let swarm = in_the_core().0.swarm;
        for (speed_mm_s, steps, fastest_mm_s) in
            [(0.0, 1, 50.0), (35.0, 2, 135.0), (252.0, 1, 252.0), (252.0, 2, 252.0)]
        {
            let way_mm = stop_mm(&swarm, speed_mm_s, steps) - fastest_mm_s * swarm.step_s * (steps - 1) as f64;
            let stoppable =
                |share: f64| stoppable_mm_s(way_mm, share * swarm.limits.a_max_mm_s2, swarm.step_s) - fastest_mm_s;
            assert!(stoppable(BRAKE_SHARE) > 1.0 && stoppable(WALL_SHARE) > 1.0, "from {speed_mm_s} mm/s");
            assert!(stoppable(STOP_SHARE).abs() < 1e-9, "from {speed_mm_s} mm/s");
        }
    }

    /// A robot is led for a knot and a half, then stops from full speed: 6 and 7 frames of 4.2 mm. The band has five knots: 20 frames. At
    /// rest a robot can gain 200 mm/s in four ticks, make four steps of 3.33 mm and brake with 1500 mm/s^2 in 13.33 mm.
    #[test]
    fn robots_reach_as_far_as_they_may_move() {
        let model = in_the_core().0;
        let mut stored = Trajectories::default();
        stored.resize(Drive::Point, 3, 30);
        (0..3).for_each(|i| stored.rest_from(i, 0));
        stored.set(2, 0, DVec2::new(27.0, 36.0), DVec2::X);
        stored.rest_from(2, 0);
        stored.measure_reach(2, DVec2::ZERO);
        let reaches = |led: &[bool]| -> Vec<f64> {
            let rounded = |reach: f64| (reach * 100.0).round() / 100.0;
            reaches_mm(&model, &[DVec2::ZERO; 3], &stored, led).map(rounded).collect()
        };
        assert_eq!(reaches(&[]), [26.67, 26.67, 45.0], "no plan");
        assert_eq!(reaches(&[true, false, false]), [84.0, 26.67, 45.0], "a plan for one robot");
        assert_eq!(reaches(&[true; 3]), [54.6; 3], "no robot keeps clear of bands");
    }
}
