//! Predicted places of the feet at the knots of the band.

use super::rows::Row;
use crate::filter::exchange::FilterInput;
use crate::filter::model::FilterModel;
use sim_core::angle::unit;
use sim_core::{DVec2, StateHash};
use swarm_field::Forecast;

/// Sixtieths of a second over which the changes at the end of a forecast are measured: long against the noise, short against the ramp of a
/// foot.
const CHANGE_SIXTIETHS: f64 = 9.0;
/// Speed below which a foot's direction is mostly noise.
const SLOW_MM_S: f64 = 10.0;
/// Time over which those changes are averaged, s. The error of the forecast differs from tick to tick. Without the average it swings the
/// place expected a second from now by 25 mm. Robots then turn from one escape path to the other.
const AVERAGING_S: f64 = 0.2;

/// Expected path speed factor of a foot: 1 for a stubborn foot, climbing again for a considerate one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RatePrediction {
    /// Path speed factor of the last tick, 0 to 1.
    pub now: f64,
    /// Its growth per tick.
    pub climb: f64,
}

/// Predicted places and velocities of all feet at all knots, those of the tail after the last knot included.
#[derive(Clone, Debug, Default)]
pub struct FootPrediction {
    stride: usize,
    place_mm: Vec<DVec2>,
    velocity_mm_s: Vec<DVec2>,
}

impl FootPrediction {
    /// Predicts the feet from their forecasts.
    ///
    /// Knot `k` is `knot_ticks * k - 1` ticks after the feet's present places, because feet move before robots in a tick. The present
    /// place of a foot is known, so its forecast is moved to start there: only the growth of its error is left. The foot follows its path
    /// at a factor that climbs from the present one, see [`RatePrediction`]. After the window of the forecast its motion is extrapolated,
    /// see [`Extrapolation`], within the places where feet may be.
    pub fn predict(
        &mut self,
        model: &FilterModel,
        rates: &[RatePrediction],
        extrapolations: impl Iterator<Item = Extrapolation>,
        input: &FilterInput<'_>,
    ) {
        let horizon = &model.tuning.horizon;
        let last = (horizon.knots + horizon.tail_knots).max(horizon.tube_knots);
        self.stride = last + 1;
        self.place_mm.clear();
        self.velocity_mm_s.clear();
        for (foot, ((forecast, rate), extrapolation)) in
            input.forecasts.iter().zip(rates).zip(extrapolations).enumerate()
        {
            let anchor = input.foot_mm(foot, 0.0) - forecast.at(0.0).unwrap_or_default().0;
            let window = forecast.mean_mm.len() as f64 - 1.0;
            let (mut rate_now, mut phase) = (rate.now, 0.0);
            for k in 0..=last {
                let (place, velocity) = forecast.at(phase).unwrap_or_default();
                let beyond_s = (phase - window).max(0.0) * model.swarm.step_s;
                let ahead = place + extrapolation.displacement_mm(velocity, model.foot_speed_max_mm_s, beyond_s);
                self.place_mm.push(anchor + if beyond_s > 0.0 { model.domain.clamp(ahead) } else { place });
                self.velocity_mm_s.push(velocity * rate_now);
                for _ in 0..if k == 0 { model.knot_ticks - 1 } else { model.knot_ticks } {
                    rate_now = (rate_now + rate.climb).min(1.0);
                    phase += rate_now;
                }
            }
        }
    }

    /// Place of a foot at knot `k`, mm.
    #[must_use]
    pub fn place_mm(&self, foot: usize, k: usize) -> DVec2 {
        self.place_mm[foot * self.stride + k]
    }

    /// The feet as rows of knots up to `last`.
    pub(super) fn rows(&self, last: usize) -> impl Iterator<Item = Row> + '_ {
        self.place_mm.chunks_exact(self.stride.max(1)).map(move |places_mm| Row::along(last, |k| places_mm[k]))
    }

    /// The place nearest to `place_mm` on the path of a foot in the `tail_knots` knots after knot `last`, mm.
    #[must_use]
    pub fn nearest_on_tail_mm(&self, foot: usize, (last, tail_knots): (usize, usize), place_mm: DVec2) -> DVec2 {
        let first = foot * self.stride + last;
        let path = &self.place_mm[first..=first + tail_knots];
        let mut nearest = path[0];
        for pair in path.windows(2) {
            let candidate = nearest_on_segment(pair[0], pair[1], place_mm);
            if candidate.distance_squared(place_mm) < nearest.distance_squared(place_mm) {
                nearest = candidate;
            }
        }
        nearest
    }

    /// The step straight away from a foot from `place_mm` to a distance of `distance_mm`, mm; zero from farther away.
    #[must_use]
    pub fn lack_mm(&self, foot: usize, k: usize, place_mm: DVec2, distance_mm: f64) -> DVec2 {
        let d = place_mm - self.place_mm(foot, k);
        d.normalize_or_zero() * (distance_mm - d.length()).max(0.0)
    }

    /// Velocity at `place_mm` of the ideal flow round a disc of radius `radius_mm` that moves with the foot, mm/s. It leads robots ahead
    /// onward and aside, and robots beside back into the wake.
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

/// Motion of a foot beyond its forecast: as at the forecast's end, with its gain of speed up to the largest speed, and its turn.
///
/// Feet accelerate for a second or more: by its present speed alone a foot at its start would seem to stay. A foot that steps in place or
/// roams goes round and round. Straight on it would seem to leave, and robots would enter the corner that it returns to.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extrapolation {
    gain_mm_s2: f64,
    turn_rad_s: f64,
}

impl Extrapolation {
    /// Updates the averages of all feet with their forecasts, `age_ticks` after the last update. Feet that keep away from the edges are
    /// extrapolated straight on at their speed, which is accurate enough there.
    pub fn update(feet: &mut Vec<Self>, model: &FilterModel, forecasts: &[Forecast], age_ticks: usize) {
        let is_first = feet.len() != forecasts.len();
        let share = if is_first { 1.0 } else { (age_ticks as f64 * model.swarm.step_s / AVERAGING_S).min(1.0) };
        feet.resize(forecasts.len(), Self::default());
        if model.tuning.horizon.tube_knots == 0 {
            return;
        }
        for (foot, forecast) in feet.iter_mut().zip(forecasts) {
            let measured = Self::from_forecast(model, forecast);
            foot.gain_mm_s2 += (measured.gain_mm_s2 - foot.gain_mm_s2) * share;
            foot.turn_rad_s += (measured.turn_rad_s - foot.turn_rad_s) * share;
        }
    }

    /// The same motion without the turn.
    #[must_use]
    pub fn straight_on(&self) -> Self {
        Self { turn_rad_s: 0.0, ..*self }
    }

    /// Gain and turn at the end of one forecast.
    fn from_forecast(model: &FilterModel, forecast: &Forecast) -> Self {
        let end = forecast.mean_mm.len() as f64 - 1.0;
        let change_ticks = CHANGE_SIXTIETHS / model.sixtieths();
        let [before, after] = [end - change_ticks, end].map(|tick| forecast.at(tick).unwrap_or_default().1);
        let span_s = change_ticks * model.swarm.step_s;
        let product = (before.length() * after.length()).max(SLOW_MM_S * SLOW_MM_S);
        Self {
            gain_mm_s2: (after.length() - before.length()).max(0.0) / span_s,
            turn_rad_s: before.perp_dot(after) / (product * span_s),
        }
    }

    /// Adds the averages to a state hash.
    pub fn hash_into(&self, hash: &mut StateHash) {
        hash.f64(self.gain_mm_s2);
        hash.f64(self.turn_rad_s);
    }

    /// Displacement after `time_s`: the chord of an arc, mm.
    fn displacement_mm(&self, velocity_mm_s: DVec2, fastest_mm_s: f64, time_s: f64) -> DVec2 {
        let speed = velocity_mm_s.length();
        if speed <= 0.0 || (self.gain_mm_s2 <= 0.0 && self.turn_rad_s == 0.0) {
            return velocity_mm_s * time_s;
        }
        let rise_s = (fastest_mm_s - speed).max(0.0) / self.gain_mm_s2.max(1e-9);
        let rising_s = rise_s.min(time_s);
        let arc_mm = speed * time_s + self.gain_mm_s2 * rising_s * (time_s - 0.5 * rising_s);
        let half_rad = 0.5 * self.turn_rad_s * time_s;
        let middle = unit(half_rad);
        let chord_mm = if half_rad.abs() < 1e-6 { arc_mm } else { arc_mm * middle.y / half_rad };
        middle.rotate(velocity_mm_s) * (chord_mm / speed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_PI_2;

    /// A foot that moves along x, 10 mm a knot: the tail after knot 2 reaches from 20 to 40 mm. The second foot has its own.
    #[test]
    fn the_nearest_place_of_a_tail_lies_between_its_ends() {
        let along = |y: f64| (0..=4).map(move |k| DVec2::new(10.0 * f64::from(k), y));
        let ahead =
            FootPrediction { stride: 5, place_mm: along(0.0).chain(along(100.0)).collect(), velocity_mm_s: Vec::new() };
        let nearest = |foot, x, y| ahead.nearest_on_tail_mm(foot, (2, 2), DVec2::new(x, y));
        assert_eq!(nearest(0, 25.0, 7.0), DVec2::new(25.0, 0.0));
        assert_eq!(nearest(0, 5.0, 7.0), DVec2::new(20.0, 0.0));
        assert_eq!(nearest(0, 50.0, 1.0), DVec2::new(40.0, 0.0));
        assert_eq!(nearest(1, 33.0, 7.0), DVec2::new(33.0, 100.0));
    }

    /// From 100 mm/s at 200 mm/s^2 to 200 mm/s: 0.5 s and 75 mm, then 200 mm/s, along the velocity.
    #[test]
    fn an_extrapolated_foot_accelerates_to_its_largest_speed() {
        let foot = Extrapolation { gain_mm_s2: 200.0, turn_rad_s: 0.0 };
        let along = DVec2::new(0.6, -0.8);
        for (time_s, way_mm) in [(0.25, 31.25), (0.5, 75.0), (1.0, 175.0)] {
            assert!(
                (foot.displacement_mm(along * 100.0, 200.0, time_s) - along * way_mm).length() < 1e-9,
                "{time_s} s"
            );
        }
        assert_eq!(foot.displacement_mm(DVec2::ZERO, 200.0, 1.0), DVec2::ZERO);
        let steady = Extrapolation { gain_mm_s2: 0.0, ..foot };
        assert_eq!(steady.displacement_mm(DVec2::new(30.0, 40.0), 200.0, 2.0), DVec2::new(60.0, 80.0));
    }

    /// A quarter of a circle of radius v / omega = 50 mm ends 50 mm ahead and 50 mm aside; a whole one where it began.
    #[test]
    fn an_extrapolated_foot_that_turns_follows_a_circle() {
        let foot = Extrapolation { gain_mm_s2: 0.0, turn_rad_s: FRAC_PI_2 };
        let velocity = DVec2::new(50.0 * FRAC_PI_2, 0.0);
        assert!(foot.displacement_mm(velocity, 200.0, 1.0).distance(DVec2::new(50.0, 50.0)) < 1e-9);
        assert!(foot.displacement_mm(velocity, 200.0, 4.0).length() < 1e-9);
    }
}
