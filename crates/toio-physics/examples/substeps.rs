//! Prints what more engine steps in a tick change: the measurement in `docs/models/contact.md`.
//!
//! `cargo run --release -p toio-physics --example substeps`

use sim_core::{DVec2, angle};
use std::error::Error;
use toio_physics::{CubeReport, CubeStart, MotorParams, Physics, PhysicsModel, PhysicsParams, WheelCommand};

type Outcome<T> = Result<T, Box<dyn Error>>;

fn command(left_units: f64, right_units: f64) -> WheelCommand {
    WheelCommand { left_units, right_units, active_share: 1.0, is_forced_stop: false }
}

/// Cubes one behind another on the x axis, their reports after each tick handed to `look`.
fn drive(
    (step_hz, substeps): (u32, u32),
    places_m: &[f64],
    commands: impl Fn(f64) -> Vec<WheelCommand>,
    mut look: impl FnMut(f64, &[CubeReport]),
) -> Outcome<()> {
    let model = PhysicsModel::new(PhysicsParams { step_hz, substeps, ..PhysicsParams::default() })?;
    let start = |(id, &x): (usize, &f64)| CubeStart {
        id: id as u32,
        axle_m: DVec2::new(x, 0.0),
        heading_rad: 0.0,
        motor: MotorParams::default(),
        is_away: false,
    };
    let starts: Vec<CubeStart> = places_m.iter().enumerate().map(start).collect();
    let mut physics = Physics::new(&model, &starts, &[])?;
    for tick in 0..2 * step_hz {
        let time_s = f64::from(tick) / f64::from(step_hz);
        physics.step(&model, &commands(time_s))?;
        look(time_s, physics.reports());
    }
    Ok(())
}

/// Place after one second of command and one of rest, mm.
fn straight(rates: (u32, u32), units: f64) -> Outcome<DVec2> {
    let mut place = DVec2::ZERO;
    let commands = |t: f64| vec![if t < 1.0 { command(units, units) } else { command(0.0, 0.0) }];
    drive(rates, &[0.0], commands, |_, reports| place = reports[0].axle_m() * 1000.0)?;
    Ok(place)
}

/// Degrees turned, and how far the axle's middle went from where it was, mm.
fn spin(rates: (u32, u32), units: f64) -> Outcome<(f64, f64)> {
    let (mut turned, mut last, mut strayed) = (0.0, 0.0, 0.0_f64);
    let commands = |t: f64| vec![if t < 1.0 { command(units, -units) } else { command(0.0, 0.0) }];
    drive(rates, &[0.0], commands, |_, reports| {
        let heading = reports[0].heading_rad();
        turned += angle::wrap_rad(heading - last).to_degrees();
        strayed = strayed.max(reports[0].axle_m().length() * 1000.0);
        last = heading;
    })?;
    Ok((turned, strayed))
}

/// Radius of the steady circle of (60, 30), mm: speed over turn rate, in the last second.
fn arc(rates: (u32, u32)) -> Outcome<f64> {
    let (mut way, mut turned) = (0.0, 0.0);
    let mut last: Option<(DVec2, f64)> = None;
    drive(
        rates,
        &[0.0],
        |_| vec![command(60.0, 30.0)],
        |t, reports| {
            let now = (reports[0].axle_m(), reports[0].heading_rad());
            if let (Some(before), true) = (last, t > 1.0) {
                way += now.0.distance(before.0);
                turned += angle::wrap_rad(now.1 - before.1);
            }
            last = Some(now);
        },
    )?;
    Ok(1000.0 * way / turned)
}

/// Way from the end of the command to rest, mm, at 100 units.
fn coast(rates: (u32, u32)) -> Outcome<f64> {
    let (mut at_end, mut place) = (0.0, 0.0);
    let commands = |t: f64| vec![if t < 1.0 { command(100.0, 100.0) } else { command(0.0, 0.0) }];
    drive(rates, &[0.0], commands, |t, reports| {
        place = reports[0].axle_m().x * 1000.0;
        if t < 1.0 {
            at_end = place;
        }
    })?;
    Ok(place - at_end)
}

/// Place of a standing cube that another drove against with 50 units for two seconds, mm; it stood at 40 mm.
fn push(rates: (u32, u32)) -> Outcome<f64> {
    let mut place = 0.0;
    let commands = |_| vec![command(50.0, 50.0), command(0.0, 0.0)];
    drive(rates, &[0.0, 0.04], commands, |_, reports| place = reports[1].axle_m().x * 1000.0)?;
    Ok(place)
}

#[expect(clippy::print_stdout, reason = "an example talks to a person")]
fn main() -> Outcome<()> {
    println!(
        "| steps a second | straight 50 | straight 100 (aside) | spin 50 (strayed) | spin 115 (strayed) | arc | coast | push |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for rates in [(50, 1), (60, 1), (50, 4), (50, 16)] {
        let (slow, fast) = (straight(rates, 50.0)?, straight(rates, 100.0)?);
        let (turn, whirl) = (spin(rates, 50.0)?, spin(rates, 115.0)?);
        println!(
            "| {} x {} | {:.2} mm | {:.2} mm ({:.2}) | {:.2}° ({:.2} mm) | {:.1}° ({:.2} mm) | {:.3} mm | {:.2} mm | {:.1} mm |",
            rates.0,
            rates.1,
            slow.x,
            fast.x,
            fast.y,
            turn.0,
            turn.1,
            whirl.0,
            whirl.1,
            arc(rates)?,
            coast(rates)?,
            push(rates)?
        );
    }
    Ok(())
}
