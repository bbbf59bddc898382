//! Prints data and what the statistics and designs of sweeps make of them, as JSON: `tests/sweep_statistics.py` compares it with scipy.
//!
//! `cargo run -p sim-sweep --example sweep_statistics`

use serde_json::{Value as Json, json};
use sim_core::{Purpose, RunKey, Stream, ops};
use sim_stats::{Interval, Sample, rate_interval, rate_upper_95, resampled_means, spearman};
use sim_sweep::design::{Axis, Design, DesignError, SOBOL_DIMENSIONS, Sampling, Value};

const QUANTILES: [f64; 7] = [0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0];
const SEED: u64 = 20_261_121;

fn stream(number: u64) -> Stream {
    RunKey { seed: SEED, run_index: number }.stream(Purpose::new(17), 0, 0)
}

fn ends(interval: Option<Interval>) -> Json {
    interval.map_or(Json::Null, |interval| json!([interval.low, interval.high]))
}

fn sample(number: u64, values: &[f64]) -> Json {
    let sample = Sample::new(values.iter().copied());
    let kept: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    json!({
        "values": values, "n": sample.n(), "missing": sample.missing(), "mean": sample.mean(), "sd": sample.sd(),
        "min": sample.min(), "max": sample.max(),
        "quantiles": QUANTILES.map(|share| [share, sample.quantile(share)]),
        "t": ends(sample.t_interval()),
        "resampled_means": if kept.len() > 1 { resampled_means(&kept, &mut stream(number)) } else { Vec::new() },
        "bootstrap": ends(sample.bootstrap_interval(&mut stream(number))),
    })
}

/// Normal, exponential, a large offset, two, one, none, counts with ties and holes, heavy tails, and where the way to t changes.
fn samples() -> Vec<Json> {
    let mut draws = stream(100);
    let mut column = |n: usize, draw: &dyn Fn(&mut Stream) -> f64| (0..n).map(|_| draw(&mut draws)).collect::<Vec<_>>();
    let columns = [
        column(50, &|s| 60.0 + 3.0 * s.normal()),
        column(200, &|s| -ops::ln(1.0 - s.uniform())),
        column(3, &|s| 1e9 + s.uniform()),
        vec![1.5, 4.25],
        vec![7.0],
        vec![f64::NAN],
        column(80, &|s| if s.below(5) == 0 { f64::NAN } else { s.below(4) as f64 }),
        column(1_000, &|s| s.normal() * s.normal()),
        column(100, &|s| s.range(-1.0, 4.0)),
        column(101, &|s| s.range(-1.0, 4.0)),
    ];
    columns.iter().enumerate().map(|(number, values)| sample(number as u64, values)).collect()
}

fn rates() -> Vec<Json> {
    let seen = |n: u64| [0, 1, 2, 3, n / 10, n / 3, n / 2, n.saturating_sub(2), n - 1, n].map(move |k| (k.min(n), n));
    let line = |(k, n)| json!([k, n, ends(rate_interval(k, n)), rate_upper_95(k, n)]);
    let runs = [1, 2, 3, 7, 10, 50, 100, 365, 1_000, 10_000, 1_000_000];
    runs.into_iter().flat_map(seen).map(line).collect()
}

/// Normal pairs; rounded to a `step`, so that there are ties, if it is not 0.
fn correlation(draws: &mut Stream, n: usize, slope: f64, step: f64) -> Json {
    let round = |value: f64| if step > 0.0 { (value / step).round() * step } else { value };
    let row = |_| {
        let v = draws.normal2();
        (round(v.x), round(slope * v.x + v.y))
    };
    let (x, y): (Vec<f64>, Vec<f64>) = (0..n).map(row).unzip();
    let r = spearman(&x, &y);
    json!({ "x": x, "y": y, "n": r.n, "spearman": r.spearman, "interval": ends(r.interval) })
}

fn differences() -> Json {
    let mut draws = stream(300);
    let row = |_| {
        let x = draws.normal();
        (if draws.below(10) == 0 { f64::NAN } else { 2.0 * x + 0.3 }, x)
    };
    let (of, baseline): (Vec<f64>, Vec<f64>) = (0..60).map(row).unzip();
    let sample = Sample::from_differences(&of, &baseline);
    let (mean, sd, t) = (sample.mean(), sample.sd(), ends(sample.t_interval()));
    json!({ "of": of, "baseline": baseline, "n": sample.n(), "mean": mean, "sd": sd, "t": t })
}

/// Place and value of each axis in some of the cells.
fn rows(design: &Design, axes: usize, cells: impl Iterator<Item = u64>) -> Json {
    let value = |cell, axis| match design.value(cell, axis) {
        Value::Number(number) => json!(number),
        Value::Listed(index) => json!(index),
    };
    let row = |cell| {
        let columns: Vec<Json> =
            (0..axes).map(|axis| json!([design.coordinate(cell, axis), value(cell, axis)])).collect();
        json!({ "cell": cell, "axes": columns })
    };
    cells.map(row).collect()
}

fn distributions(sampling: Sampling, cells: u64) -> Result<Json, DesignError> {
    let axes = vec![
        Axis::Uniform { from: -2.0, to: 5.0 },
        Axis::LogUniform { from: 0.001, to: 30.0 },
        Axis::Normal { mean: 10.0, sd: 3.0 },
        Axis::List { count: 7 },
    ];
    let count = axes.len();
    Ok(rows(&Design::sampled(sampling, axes, cells, SEED)?, count, 0..cells))
}

fn sobol() -> Result<Json, DesignError> {
    let axes = vec![Axis::Uniform { from: 0.0, to: 1.0 }; SOBOL_DIMENSIONS];
    let design = Design::sampled(Sampling::Sobol, axes, 1 << 21, SEED)?;
    Ok(rows(&design, SOBOL_DIMENSIONS, (0..1_024).chain((1 << 20) - 8..(1 << 20) + 8)))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut draws = stream(200);
    let pairs = [(4, 1.0, 0.0), (50, 0.5, 0.0), (300, -2.0, 0.5), (1_000, 0.05, 1.0)];
    let document = json!({
        "samples": samples(),
        "rates": rates(),
        "correlations": pairs.map(|(n, slope, step)| correlation(&mut draws, n, slope, step)),
        "differences": differences(),
        "sobol": sobol()?,
        "latin_hypercube": distributions(Sampling::LatinHypercube, 999)?,
        "random": distributions(Sampling::Random, 2_000)?,
    });
    serde_json::to_writer(std::io::stdout().lock(), &document)?;
    Ok(())
}
