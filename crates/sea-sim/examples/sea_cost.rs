//! Times of the queries that a step asks for, on the present machine: `cargo run --release -p sea-sim --example sea_cost`.
#![expect(clippy::unwrap_used, clippy::print_stdout, clippy::disallowed_methods, reason = "a program that measures")]

use glam::DQuat;
use sea_sim::Sea;
use sea_sim::contact::{Capsule, ContactBody, ContactParams, ContactSolver, Hull};
use sea_sim::current::Currents;
use sea_sim::medium::Medium;
use sea_sim::pose::Pose;
use sea_sim::terrain::{GeneratedParams, HeightGrid, Material, Ray, Terrain};
use sea_sim::water::{SeaState, SeaWater, Spectrum, SurfaceShape, Water, Waves};
use sim_core::{DVec2, DVec3, Purpose, RunKey};
use std::hint::black_box;
use std::time::Instant;

const KEY: RunKey = RunKey { seed: 1, run_index: 0 };

/// Prints the least of 100 times of one call, ns.
fn time(name: &str, calls: u32, mut call: impl FnMut(u32)) {
    let best = (0..100)
        .map(|_| {
            let start = Instant::now();
            (0..calls).for_each(&mut call);
            start.elapsed().as_secs_f64() / f64::from(calls)
        })
        .fold(f64::INFINITY, f64::min);
    println!("{name:40} {:10.1} ns", best * 1e9);
}

fn waters() {
    let spectrum = Spectrum::Jonswap { significant_height_m: 1.0, peak_period_s: 6.0, gamma: 3.3 };
    for (components, depth_m) in [(0, f64::INFINITY), (200, f64::INFINITY), (200, 30.0)] {
        let state = SeaState { spectrum, direction_rad: 0.0, spreading_rad: 0.3, components };
        let waves = if components == 0 { Waves::none() } else { Waves::from_sea_state(&state, depth_m, KEY).unwrap() };
        let water = Water::new(0.0, SeaWater::default(), waves, SurfaceShape::Airy).unwrap();
        let currents = Currents::new(Vec::new(), 0.02).unwrap();
        let state = currents.start(KEY);
        let sea = Sea { water: &water, currents: &currents, state: &state };
        time(&format!("water, {components} waves, depth {depth_m}"), 500, |n| {
            let n = f64::from(n);
            black_box(sea.at(black_box(DVec3::new(0.01 * n, 3.0, -2.0 - 1e-3 * n)), 0.02 * n));
        });
        time(&format!("nearby, {components} waves, depth {depth_m}"), 500, |n| {
            let n = f64::from(n);
            black_box(sea.nearby(black_box(DVec3::new(0.01 * n, 3.0, -2.0 - 1e-3 * n)), 0.02 * n));
        });
        time(&format!("surface, {components} waves"), 500, |n| {
            black_box(water.surface(black_box(0.01 * f64::from(n)), 3.0, 0.02));
        });
    }
}

fn bottom() {
    let hills = GeneratedParams {
        origin_m: DVec2::splat(-512.0),
        cell_m: 1.0,
        posts: [1025, 1025],
        base_z_m: -20.0,
        slope: DVec2::ZERO,
        relief_m: 5.0,
        feature_m: 60.0,
        layers: 6,
        material: Material(0),
    };
    let terrain = Terrain::Grid(HeightGrid::generated(&hills, KEY).unwrap());
    for opening in [0.4, 1.0, 1.2] {
        time(&format!("ray, up to {opening} rad from the vertical"), 1000, |n| {
            let mut stream = KEY.stream(Purpose::new(1000), u64::from(n), 0);
            let (angle, turn) = (stream.range(-opening, opening), stream.range(-3.0, 3.0));
            let (sin, cos) = angle.sin_cos();
            let ray = Ray::new(DVec3::new(0.3, 0.2, -8.0), DVec3::new(sin * turn.cos(), sin * turn.sin(), -cos), 100.0);
            black_box(terrain.cast(&ray.unwrap()));
        });
    }
    let hull = Hull::new(vec![Capsule::along_x(1.3, 0.07)]).unwrap();
    let inverse_mass = std::array::from_fn(|row| std::array::from_fn(|column| if row == column { 0.05 } else { 0.0 }));
    let mut solver = ContactSolver::default();
    for (name, height_m) in [("far", 5.0), ("near", 0.1), ("touching", 0.05)] {
        let z_m = terrain.ground(7.3, 2.1).unwrap().z_m + height_m;
        let body = ContactBody {
            hull: &hull,
            pose: Pose { position_m: DVec3::new(7.3, 2.1, z_m), world_from_body: DQuat::IDENTITY },
            displacement: [0.02, 0.0, -0.02, 0.0, 0.0, 0.0],
            velocity: [1.0, 0.0, -1.0, 0.0, 0.0, 0.0],
            inverse_mass,
        };
        time(&format!("contact, {name}"), 20, |_| {
            let mut bodies = [black_box(body)];
            black_box(solver.resolve(&mut bodies, Some(&terrain), &ContactParams::default()).len());
        });
    }
}

fn main() {
    waters();
    bottom();
}
