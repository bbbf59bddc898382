//! Where an owner goes, out of the rows that follow.

use super::Way;
use sim_core::{DVec2, DVec3};

/// An owner's place and velocity at a time.
pub(super) type Sample = (f64, DVec3, DVec2);

/// Places and velocities at `frames + 1` even times from `time_s` over `window_s`: linear between samples, and straight on after the last.
pub(super) fn way_of(samples: &[Sample], time_s: f64, [window_s, frames]: [f64; 2]) -> Way {
    let step_s = window_s / frames.max(1.0);
    let times = (0..=frames as usize).map(|n| time_s + step_s * n as f64);
    let (places, velocities) = times.filter_map(|at_s| sample_at(samples, at_s)).unzip();
    Way { step_s, places, velocities }
}

fn sample_at(samples: &[Sample], at_s: f64) -> Option<(DVec3, DVec2)> {
    let after = samples.partition_point(|&(time_s, ..)| time_s <= at_s);
    let Some(&(end_s, end, end_velocity)) = samples.get(after) else {
        let &(last_s, place, velocity) = samples.last()?;
        return Some((place + (velocity * (at_s - last_s)).extend(0.0), velocity));
    };
    let Some(&(start_s, start, start_velocity)) = after.checked_sub(1).and_then(|before| samples.get(before)) else {
        return Some((end, end_velocity));
    };
    let share = (at_s - start_s) / (end_s - start_s);
    Some((start.lerp(end, share), start_velocity.lerp(end_velocity, share)))
}

impl Way {
    /// Place and velocity a time ahead; none beyond the way.
    #[must_use]
    pub fn at(&self, ahead_s: f64) -> Option<(DVec3, DVec2)> {
        let last = self.places.len().checked_sub(1)?;
        let at = if self.step_s > 0.0 { ahead_s / self.step_s } else { 0.0 };
        if !(at >= 0.0 && at <= last as f64 + 1e-9) {
            return None;
        }
        let n = (at.floor() as usize).min(last);
        let next = (n + 1).min(last);
        let share = (at - n as f64).clamp(0.0, 1.0);
        Some((self.places[n].lerp(self.places[next], share), self.velocities[n].lerp(self.velocities[next], share)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_ahead_is_the_tables_and_goes_straight_on_after_its_end() {
        let sample =
            |(n, x): (usize, f64)| (0.1 * n as f64, DVec3::new(x, 5.0, 0.0), DVec2::new(100.0 * (n + 1) as f64, 0.0));
        let samples: Vec<Sample> = [0.0, 10.0, 30.0].into_iter().enumerate().map(sample).collect();
        let way = way_of(&samples, 0.05, [0.3, 6.0]);
        let xs: Vec<f64> = way.places.iter().map(|p| p.x).collect();
        // 0.05 s to 0.35 s: halves of the rows up to 0.2 s, then 300 mm/s.
        let expected = [5.0, 10.0, 20.0, 30.0, 45.0, 60.0, 75.0];
        assert!(xs.iter().zip(expected).all(|(x, e)| (x - e).abs() < 1e-9), "{xs:?}");
        assert!((way.velocities[0].x - 150.0).abs() < 1e-9 && way.velocities[6].x == 300.0);
        // A quarter of the way from the second to the third place.
        assert!((way.at(0.0625).unwrap().0.x - 12.5).abs() < 1e-9);
        assert_eq!(way.at(0.31), None);
        assert_eq!(way_of(&[], 0.05, [0.3, 6.0]).at(0.0), None);
    }
}
