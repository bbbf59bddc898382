//! A distribution: how many values lie where.

use super::axes::{Axes, round_range, round_step};
use super::{Chart, Guide, Look, Quantity, TYPE_PX, write};
use crate::draw::{Anchor, Ink, Path, Scene};
use sim_core::{DVec2, Rect};

/// The fewest and the most bars.
const BARS: [f64; 2] = [8.0, 60.0];

/// Bars that are as high as there are values in their range, and the limit that is asked, if there is one.
#[must_use]
pub fn histogram(chart: &Chart, quantity: &Quantity, values: &[f64], limit: Option<f64>) -> Scene {
    let finite: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    let bins = Bins::from_values(&finite, limit);
    let most = bins.counts.iter().copied().max().unwrap_or(0);
    let mut scene = chart.scene();
    let runs = Quantity::new("how many", "");
    let axes = Axes::draw(
        &mut scene,
        chart,
        [(quantity, bins.range), (&runs, round_range([0.0, most as f64].into_iter()))],
        0,
    );
    for (n, &count) in bins.counts.iter().enumerate().filter(|(_, count)| **count > 0) {
        let [left, right] = [n, n + 1].map(|n| axes.x.at(bins.range[0] + n as f64 * bins.step));
        let bar = Rect {
            min: DVec2::new(left + 0.5, axes.y.at(count as f64)),
            max: DVec2::new(right - 0.5, axes.area.max.y),
        };
        scene.draw(Path::rect(bar), Ink::fill(chart.theme.series[0]));
    }
    if let Some(limit) = limit {
        axes.guide_up(&mut scene, chart, &Guide::limit(limit));
    }
    let missing = values.len() - finite.len();
    let words = if missing > 0 {
        format!("{} values, {missing} missing", finite.len())
    } else {
        format!("{} values", finite.len())
    };
    let at = DVec2::new(axes.area.max.x, 1.9 * TYPE_PX);
    write(&mut scene, at, &words, Look::new(chart.theme.faint).anchored(Anchor::End));
    axes.close(&mut scene, chart);
    scene
}

/// Ranges of equal width with the number of values in each.
#[derive(Debug, PartialEq)]
struct Bins {
    range: [f64; 2],
    step: f64,
    counts: Vec<u64>,
}

impl Bins {
    /// As wide as suits the spread of the middle half (Freedman and Diaconis 1981), in round numbers; the limit lies in their range.
    fn from_values(values: &[f64], limit: Option<f64>) -> Self {
        let [low, high] = round_range(values.iter().copied().chain(limit));
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        let quantile = |share: f64| sorted.get((share * sorted.len() as f64) as usize).copied().unwrap_or(0.0);
        let spread = quantile(0.75) - quantile(0.25);
        let root = sim_core::ops::exp(sim_core::ops::ln((sorted.len() as f64).max(1.0)) / 3.0);
        let bars = if spread > 0.0 { (high - low) * root / (2.0 * spread) } else { 0.0 };
        let step = round_step(high - low, bars.clamp(BARS[0], BARS[1]));
        let (first, last) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
        let range = [first * step, last * step];
        let mut counts = vec![0; (last - first).max(1.0) as usize];
        let most = counts.len() - 1;
        for value in values {
            // A value on the border between two bars belongs to the right one, but for the last.
            counts[(((value - range[0]) / step + 1e-9).max(0.0) as usize).min(most)] += 1;
        }
        Self { range, step, counts }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_is_in_its_bar() {
        let values: Vec<f64> = (0..100).map(|n| f64::from(n) * 0.1).collect();
        let bins = Bins::from_values(&values, None);
        // The rule asks for 2 * 5 / 100^(1/3) = 2.2; the nearest round numbers are 2 apart.
        assert_eq!((bins.range, bins.step), ([0.0, 10.0], 2.0));
        assert_eq!(bins.counts, [20; 5]);
    }

    #[test]
    fn equal_values_and_none_at_all_have_bars_too() {
        assert_eq!(Bins::from_values(&[3.0; 5], None).counts.iter().sum::<u64>(), 5);
        assert_eq!(Bins::from_values(&[], None).counts.iter().sum::<u64>(), 0);
        let bins = Bins::from_values(&[61.0, 62.0], Some(60.0));
        assert!(bins.range[0] <= 60.0 && bins.range[1] >= 62.0);
    }
}
