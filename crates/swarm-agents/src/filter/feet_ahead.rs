//! Where the planner believes the feet will be at the knots of its band.

use super::planner::FRAMES_PER_KNOT;
use super::{FilterInput, FilterModel};
use sim_core::DVec2;

/// How fast a foot is expected to play its path: a stubborn foot at rate 1, a considerate one at a rate that climbs again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RateAhead {
    /// Rate of the last tick, 0 to 1.
    pub now: f64,
    /// Growth of the rate per tick.
    pub climb: f64,
}

/// Predicted places and velocities of all feet at all knots, and at those of the tail after the last one.
#[derive(Clone, Debug, Default)]
pub struct FeetAhead {
    stride: usize,
    place_mm: Vec<DVec2>,
    velocity_mm_s: Vec<DVec2>,
}

impl FeetAhead {
    /// Reads the forecasts. Knot `k` is `FRAMES_PER_KNOT * k - 1` ticks after the feet's present places, because feet move before
    /// robots in a tick. A foot's present place can be seen, so its forecast is moved to start there: only the growth of its error is
    /// left. A foot plays its path at a rate that climbs from its present one, see [`RateAhead`]. Beyond the window of the forecast it
    /// goes on straight, clamped to where feet may be.
    pub fn predict(&mut self, model: &FilterModel, rates: &[RateAhead], input: &FilterInput<'_>) {
        self.stride = model.tuning.knots + model.tuning.tail_knots + 1;
        self.place_mm.clear();
        self.velocity_mm_s.clear();
        for (foot, (forecast, rate)) in input.forecasts.iter().zip(rates).enumerate() {
            let anchor = input.feet.position_mm(foot) - forecast.at(0.0).unwrap_or_default().0;
            let known = forecast.mean_mm.len() as f64 - 1.0;
            let (mut rate_now, mut phase) = (rate.now, 0.0);
            for k in 0..self.stride {
                let (place, velocity) = forecast.at(phase).unwrap_or_default();
                let beyond_s = (phase - known).max(0.0) * model.swarm.step_s;
                let ahead = place + velocity * beyond_s;
                self.place_mm.push(anchor + if beyond_s > 0.0 { model.domain.clamp(ahead) } else { place });
                self.velocity_mm_s.push(velocity * rate_now);
                for _ in 0..if k == 0 { FRAMES_PER_KNOT - 1 } else { FRAMES_PER_KNOT } {
                    rate_now = (rate_now + rate.climb).min(1.0);
                    phase += rate_now;
                }
            }
        }
    }

    /// Place of a foot at knot `k`.
    #[must_use]
    pub fn place_mm(&self, foot: usize, k: usize) -> DVec2 {
        self.place_mm[foot * self.stride + k]
    }

    /// The place nearest to `place_mm` on the way that a foot goes from knot `from` on.
    #[must_use]
    pub fn nearest_on_tail_mm(&self, foot: usize, from: usize, place_mm: DVec2) -> DVec2 {
        let way = &self.place_mm[foot * self.stride + from..(foot + 1) * self.stride];
        let mut nearest = way[0];
        for pair in way.windows(2) {
            let candidate = nearest_on_segment(pair[0], pair[1], place_mm);
            if candidate.distance_squared(place_mm) < nearest.distance_squared(place_mm) {
                nearest = candidate;
            }
        }
        nearest
    }

    /// Velocity of the ideal flow round a disc of radius `radius_mm` that moves with the foot, at `place_mm`: robots ahead go on
    /// and aside, robots beside go back into the wake.
    #[must_use]
    pub fn flow_mm_s(&self, foot: usize, k: usize, place_mm: DVec2, radius_mm: f64) -> DVec2 {
        let w = self.velocity_mm_s[foot * self.stride + k];
        let d = place_mm - self.place_mm(foot, k);
        let d2 = d.length_squared().max(radius_mm * radius_mm);
        let n = d / d2.sqrt();
        (n * (2.0 * w.dot(n)) - w) * (radius_mm * radius_mm / d2)
    }
}

fn nearest_on_segment(from: DVec2, to: DVec2, place: DVec2) -> DVec2 {
    let along = to - from;
    let length2 = along.length_squared();
    if length2 == 0.0 { from } else { from + along * ((place - from).dot(along) / length2).clamp(0.0, 1.0) }
}
