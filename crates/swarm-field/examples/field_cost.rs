//! Prints what a refresh of the spec's grid, a reading and a tick of feet and patches cost on this machine.
//!
//! `cargo run --release -p swarm-field --example field_cost`

use sim_core::{DVec2, ParamError, Rect, RunKey, Tick};
use std::{hint::black_box, time::Instant};
use swarm_field::{
    Feet, FeetModel, FeetParams, Field, FieldModel, FieldParams, Forecast, Patches, PatchesModel, PatchesParams,
    closed_form_danger, danger, exact_gradient,
};

const TICKS: u64 = 20_000;

/// Least of 25 rounds (the least disturbed one) of the time that one call takes, in microseconds.
#[expect(clippy::disallowed_methods, reason = "the clock is what this example is for")]
fn cost_us(mut call: impl FnMut()) -> f64 {
    let calls = 400;
    let rounds = (0..25).map(|_| {
        let start = Instant::now();
        (0..calls).for_each(|_| call());
        start.elapsed().as_secs_f64() * 1e6 / f64::from(calls)
    });

    rounds.fold(f64::INFINITY, f64::min)
}

#[expect(clippy::print_stdout, reason = "an example talks to a person")]
fn main() -> Result<(), ParamError> {
    let (mat, key) = (Rect::from_size(400.0, 400.0), RunKey { seed: 1, run_index: 0 });
    for (feet, patches) in [(0, 10), (1, 0), (1, 10), (2, 10), (4, 20)] {
        let field_model = FieldModel::new(FieldParams::default(), mat)?;
        let feet_model = FeetModel::new(FeetParams { count: feet, ..FeetParams::default() }, mat, 0.6, 60)?;
        let patches_model = PatchesModel::new(PatchesParams { count: patches, ..PatchesParams::default() }, mat, 60)?;
        let mut feet = Feet::new(&feet_model, key);
        let mut patches = Patches::new(&patches_model, key);
        let mut field = Field::new(&field_model);
        let mut forecasts = vec![Forecast::default(); feet.len()];
        let rates = vec![1.0; feet.len()];
        for tick in 1..TICKS / 10 {
            feet.advance(&feet_model, key, &rates);
            patches.advance(&patches_model, key, Tick(tick));
        }
        let forecast = |feet: &Feet, out: &mut [Forecast]| {
            out.iter_mut().enumerate().for_each(|(k, f)| feet.forecast(k, &feet_model, f));
        };
        forecast(&feet, &mut forecasts);
        let p = DVec2::new(133.0, 217.0);
        println!("{} feet, {} patches, {} x {} nodes", feet.len(), patches.len(), field.columns(), field.rows());
        println!(
            "  refresh          {:8.3} us",
            cost_us(|| field.refresh(&field_model, black_box(&forecasts), &patches))
        );
        println!("  sample gradient  {:8.3} us", cost_us(|| _ = black_box(field.sample_gradient(black_box(p)))));
        println!(
            "  exact gradient   {:8.3} us",
            cost_us(|| _ = black_box(exact_gradient(&field_model, &forecasts, &patches, p)))
        );
        println!("  exact danger     {:8.3} us", cost_us(|| _ = black_box(danger(&field_model, &forecasts, p))));
        println!(
            "  closed form      {:8.3} us",
            cost_us(|| {
                _ = black_box(closed_form_danger(&field_model, DVec2::new(200.0, 200.0), DVec2::new(150.0, 30.0), p));
            })
        );
        println!("  forecasts        {:8.3} us", cost_us(|| forecast(&feet, &mut forecasts)));
        println!("  feet, one tick   {:8.3} us", cost_us(|| feet.advance(&feet_model, key, &rates)));
        let mut tick = TICKS;
        println!(
            "  patches, one tick{:8.3} us",
            cost_us(|| {
                tick += 1;
                patches.advance(&patches_model, key, Tick(tick));
            })
        );
    }
    Ok(())
}
