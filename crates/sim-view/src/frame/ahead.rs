//! Where a foot goes, out of the rows that follow.

use crate::folder::{FootRow, Moment};
use sim_core::DVec2;
use swarm_field::Forecast;

/// A foot's place and velocity at a time.
type Sample = (f64, DVec2, DVec2);

/// Places and velocities of foot `id` at `frames + 1` even times from `time_s` over `window_s`: linear between rows, and straight on
/// after the last.
pub(super) fn forecast<'a>(
    rows: impl Iterator<Item = (Moment, &'a [FootRow])>,
    id: u64,
    time_s: f64,
    [window_s, frames]: [f64; 2],
) -> Forecast {
    let sample = |(moment, rows): (Moment, &[FootRow])| {
        let row = rows.iter().find(|row| row.foot == id)?;
        Some((moment.time_s, row.position_mm, row.velocity_mm_s))
    };
    let samples: Vec<Sample> = rows.filter_map(sample).collect();
    let times = (0..=frames as usize).map(|n| time_s + window_s * n as f64 / frames.max(1.0));
    let (mean_mm, velocity_mm_s) = times.filter_map(|at_s| sample_at(&samples, at_s)).unzip();
    Forecast { mean_mm, velocity_mm_s }
}

fn sample_at(samples: &[Sample], at_s: f64) -> Option<(DVec2, DVec2)> {
    let after = samples.partition_point(|&(time_s, ..)| time_s <= at_s);
    let Some(&(end_s, end_mm, end_mm_s)) = samples.get(after) else {
        let &(last_s, place_mm, velocity_mm_s) = samples.last()?;
        return Some((place_mm + velocity_mm_s * (at_s - last_s), velocity_mm_s));
    };
    let Some(&(start_s, start_mm, start_mm_s)) = after.checked_sub(1).and_then(|before| samples.get(before)) else {
        return Some((end_mm, end_mm_s));
    };
    let share = (at_s - start_s) / (end_s - start_s);
    Some((start_mm.lerp(end_mm, share), start_mm_s.lerp(end_mm_s, share)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_ahead_is_the_tables_and_goes_straight_on_after_its_end() {
        let row = |n: u64| {
            let moment = Moment { step: 6 * n, time_s: 0.1 * n as f64 };
            let x_mm = [0.0, 10.0, 30.0][n as usize];
            let velocity_mm_s = DVec2::new(100.0 * (n + 1) as f64, 0.0);
            (
                moment,
                vec![FootRow {
                    moment,
                    foot: 4,
                    state: "roam".into(),
                    position_mm: DVec2::new(x_mm, 5.0),
                    velocity_mm_s,
                }],
            )
        };
        let rows: Vec<_> = (0..3).map(row).collect();
        let ahead = forecast(rows.iter().map(|(moment, rows)| (*moment, &rows[..])), 4, 0.05, [0.3, 6.0]);
        let xs: Vec<f64> = ahead.mean_mm.iter().map(|p| p.x).collect();
        // 0.05 s to 0.35 s: halves of the rows up to 0.2 s, then 300 mm/s.
        let expected = [5.0, 10.0, 20.0, 30.0, 45.0, 60.0, 75.0];
        assert!(xs.iter().zip(expected).all(|(x, e)| (x - e).abs() < 1e-9), "{xs:?}");
        assert!((ahead.velocity_mm_s[0].x - 150.0).abs() < 1e-9 && ahead.velocity_mm_s[6].x == 300.0);
        assert!(
            forecast(rows.iter().map(|(moment, rows)| (*moment, &rows[..])), 5, 0.05, [0.3, 6.0]).mean_mm.is_empty()
        );
    }
}
