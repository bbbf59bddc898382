//! Scenarios, readers and observers that the tests of runs share.
//!
//! It must not be used but by tests.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

pub mod power_loss;
pub mod rows;
pub mod views;

use serde_json::Value as Json;
use sim_core::RunKey;
use sim_run::scenario::{Loaded, Override, parse};
use sim_run::{BatchOptions, Control, Disk, Model, NoObserver, NoStopwatch, Observer, Progress, RunOptions, run_batch};
use sim_worlds::WORLDS;
use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use world_mat::{MatModel, MatWorld};
use world_road::{RoadModel, RoadWorld};

/// The text of a scenario of the mat whose keys, beside name and world, are given as `"key": value` members.
#[must_use]
pub fn mat_text(members: &str) -> String {
    let comma = if members.is_empty() { "" } else { "," };
    format!(r#"{{ "name": "test", "world": "mat" {comma} {members} }}"#)
}

/// The scenario with these members.
///
/// # Panics
/// If it is wrong.
#[must_use]
pub fn scenario(members: &str) -> Loaded {
    loaded(&mat_text(members))
}

/// A scenario of any world from its text.
///
/// # Panics
/// If it is wrong.
#[must_use]
pub fn loaded(text: &str) -> Loaded {
    changed(text, &[])
}

/// The same with overrides laid over it.
///
/// # Panics
/// If it is wrong.
#[must_use]
pub fn changed(text: &str, overrides: &[Override]) -> Loaded {
    parse(WORLDS, text, "test.json", overrides).unwrap_or_else(|e| panic!("{e}"))
}

/// The resolved scenario as JSON.
///
/// # Panics
/// Never: what is resolved is JSON.
#[must_use]
pub fn resolved(loaded: &Loaded) -> Json {
    serde_json::from_str(&loaded.resolved).unwrap()
}

/// Whether two scenarios are the same: their resolved texts, and every number of their models.
#[must_use]
pub fn same(a: &Loaded, b: &Loaded) -> bool {
    a.resolved == b.resolved && format!("{:?}", a.model) == format!("{:?}", b.model)
}

/// Its model.
#[must_use]
pub fn model(members: &str) -> Arc<dyn Model> {
    scenario(members).model
}

/// Its model as the mat's own.
///
/// # Panics
/// If it is of another world.
#[must_use]
pub fn mat_model(members: &str) -> Arc<MatModel> {
    model(members).as_any().downcast().unwrap()
}

/// Address of the draws of a run with seed 1.
#[must_use]
pub fn key(run_index: u64) -> RunKey {
    RunKey { seed: 1, run_index }
}

/// A run of the mat at its start.
///
/// # Panics
/// If the start cannot be laid out.
#[must_use]
pub fn world(members: &str, run_index: u64) -> MatWorld {
    MatWorld::new(mat_model(members), key(run_index)).unwrap()
}

/// Options that write everything, a row every `every` steps.
#[must_use]
pub fn traced(members: &str, out: &Path, every: u64) -> RunOptions {
    traced_of(&scenario(members), out, every)
}

fn traced_of(loaded: &Loaded, out: &Path, every: u64) -> RunOptions {
    RunOptions {
        out: Some(out.to_path_buf()),
        trace_every: Some(every),
        scenario_json: loaded.resolved.clone(),
        disk: Disk::default().without_sync(),
        ..RunOptions::default()
    }
}

/// The folder of a batch at so many jobs, with rows every ten steps. It goes with the first value.
///
/// # Panics
/// If a run fails.
#[must_use]
pub fn batch_folder(loaded: &Loaded, run_indices: Range<u64>, jobs: usize) -> (tempfile::TempDir, PathBuf) {
    let (root, out) = temporary();
    let options = traced_of(loaded, &out, 10);
    run_batch(&loaded.model, &options, &batch(run_indices, jobs), &Control::none()).unwrap_or_else(|e| panic!("{e}"));
    (root, out)
}

/// So many runs at so many jobs.
#[must_use]
pub fn batch(run_indices: Range<u64>, jobs: usize) -> BatchOptions {
    BatchOptions { run_indices, jobs }
}

/// Kinds of worlds that differ in what they exercise: drives, filters, manners, feet, goals, noise.
pub const KINDS: &[(&str, &str)] = &[
    ("spec", r#""agents": {"count": 12}"#),
    ("differential", r#""agents": {"count": 10, "drive": "differential"}"#),
    ("considerate", r#""agents": {"count": 10}, "feet": {"travel": "full", "manner": "considerate"}"#),
    ("anywhere, few", r#""agents": {"count": 10}, "feet": {"travel": "full", "idle_s": [2, 2.5]}"#),
    ("anywhere, many", r#""agents": {"count": 30}, "feet": {"travel": "full", "idle_s": [2, 2.5]}"#),
    (
        "blocks",
        r#""mat": {"width_mm": 900, "height_mm": 900}, "field": {"cell_mm": 15},
           "agents": {"count": 90}, "feet": {"count": 4, "manner": "considerate"}"#,
    ),
    ("two feet", r#""agents": {"count": 8}, "feet": {"count": 2}"#),
    ("penalty", r#""agents": {"count": 8}, "safety": {"filter": "penalty"}"#),
    ("orca", r#""agents": {"count": 8}, "safety": {"filter": "orca"}"#),
    ("no filter", r#""agents": {"count": 8, "noise": "white"}, "safety": {"filter": "none"}"#),
    ("boltzmann", r#""agents": {"count": 6, "noise": "boltzmann"}, "feet": {"count": 0}"#),
    ("goals", r#""agents": {"count": 3, "goals": {"sites_mm": [[60, 60], [340, 60], [340, 340]]}}"#),
    (
        "sensing",
        r#""agents": {"count": 8, "drive": "differential", "sensing": {
            "position": {"every_ms": 50, "delay_ms": 100, "noise_std": 3, "walk_std_per_sqrt_s": 0.5, "loss": 0.1, "dropout": 0.1},
            "heading": {"noise_std": 0.05, "quantum": 0.02}}}, "safety": {"filter": "orca"}"#,
    ),
    ("cubes", CUBES),
    ("swarm of cubes", SWARM_OF_CUBES),
];

/// A swarm whose robots are cubes, among a foot that waits.
pub const SWARM_OF_CUBES: &str = r#""agents": {"count": 6, "drive": "cube"}, "feet": {"manner": "considerate"},
    "limits": {"v_max_mm_s": 220, "a_max_mm_s2": 2000, "omega_max_rad_s": 6},
    "mat": {"printed": [{"kind": "collection-ring", "x_mm": 200, "y_mm": 200}]}"#;

/// Cubes alone: on a mat with a wall, driven by programs and by hands, over a radio that loses packets.
pub const CUBES: &str = r#""agents": {"count": 0}, "feet": {"count": 0}, "patches": {"count": 0},
    "mat": {"printed": [{"kind": "collection-ring", "x_mm": 200, "y_mm": 200}],
        "walls": [{"from_mm": [350, 0], "to_mm": [350, 400]}]},
    "cards": [{"item": "typhoon", "x_mm": 80, "y_mm": 320}],
    "magnets": [{"at_mm": [200, 100, 26.5]}],
    "cubes": [
        {"name": "a", "at_dot": [250, 250], "program": [
            {"at_s": 0.1, "motor_target": {"x": 330, "y": 200, "angle_deg": 90}},
            {"at_s": 2, "motor_run": {"left": 80, "right": 80}}]},
        {"name": "b", "at_mm": [150, 100], "protocol": "2.2.0", "radio": {"loss": 0.3}, "program": [
            {"at_s": 0, "set_magnet": {"mode": "state"}},
            {"at_s": 0.2, "motor_run": {"left": 30, "right": 32}}]},
        {"name": "c", "at_mm": [80, 320], "profile": "unity", "radio": {"link": "perfect"}, "program": [
            {"at_s": 0.5, "light": {"rgb": [1, 2, 3]}}]}],
    "script": [
        {"at_s": 0.5, "cube": "c", "lift": {"height_mm": 30}},
        {"at_s": 1.5, "cube": "c", "shake": {"amplitude_mm": 10, "frequency_hz": 4}},
        {"at_s": 3, "cube": "c", "place": {"x_mm": 300, "y_mm": 320}},
        {"at_s": 3.5, "cube": "b", "tap": {"impulse_mn_s": 4}}]"#;

/// The scenario of the sea with these members beside name and world.
#[must_use]
pub fn sea_scenario(members: &str) -> Loaded {
    loaded(&format!(r#"{{ "name": "test", "world": "sea", {members} }}"#))
}

/// Seas that differ in what they exercise: drivers, sensors with errors, moving water, vehicles that meet.
pub const SEAS: &[(&str, &str)] = &[("fleet", FLEET), ("sinking", SINKING)];

/// Vehicles of several kinds with all sensors there are, in waves and currents over hills.
pub const FLEET: &str = r#"
    "terrain": {"generated": {"cell_m": 10, "base_z_m": -25}},
    "water": {"waves": {"kind": "jonswap", "height_m": 0.4, "components": 20},
        "currents": [{"gauss_markov": {"std_m_s": 0.1, "correlation_s": 10}}, {"uniform_m_s": [0.1, 0, 0]}],
        "fields": [{"away_from": [0, 0, 0], "force_n": 1, "uniform_n": [1, 1, 1]},
            {"propeller": {"vehicle": "drone", "actuator": "front"}}],
        "probes": [{"name": "here", "x_m": 0, "y_m": 0, "z_m": -1}]},
    "beacons": [{"name": "pier", "x_m": 5, "y_m": 5, "z_m": -2}],
    "vehicles": [
        {"name": "remus", "model": "remus100", "start": {"z_m": -6, "u_m_s": 1},
            "sensors": {"imu": {"device": "adis16448"}, "pressure": {"sensing": {"noise_std": 100, "delay_ms": 40}},
                "dvl": {"device": "pathfinder"}, "range": {"sensing": {"loss": 0.2, "every_ms": 200}}, "compass": {},
                "battery": {}, "altimeter": {"sensing": {"dropout": 0.1}}, "leak": {},
                "mbes": [{"beams": 24, "rays_per_beam": 2, "beam_width_deg": 1, "sensing": {"noise_std": 0.05, "dropout": 0.1}}]},
            "driver": {"waypoints": {"points": [{"x_m": 40, "y_m": 10, "depth_m": 8}, {"x_m": 0, "y_m": 20, "altitude_m": 9}],
                "speed": 1200, "closed": true}}},
        {"name": "otter", "model": "otter", "start": {"x_m": -10, "y_m": 10},
            "sensors": {"imu": {}, "gnss": {"sensing": {"every_ms": 200, "noise_std": 0.1}}},
            "driver": {"setpoints": {"list": [{"yaw_deg": 50, "speed": 60}]}}},
        {"name": "drone", "model": "quadrotor", "start": {"z_m": 5, "y_m": -9},
            "sensors": {"imu": {}, "gnss": {"sensing": {"every_ms": 20}}},
            "driver": {"hover": {"list": [{"x_m": 3, "z_m": 7}]}}}],
    "script": [{"at_s": 1, "vehicle": "remus", "leak": true}, {"at_s": 2, "vehicle": "otter", "push_n_s": [50, 0, 0]}]"#;

/// Two heavy bodies, one above the other, that sink to the bottom.
pub const SINKING: &str = r#"
    "terrain": {"flat_z_m": -3}, "water": {"density_kg_m3": 900},
    "vehicles": [{"name": "a", "model": "custom", "start": {"z_m": -2.7}},
        {"name": "b", "model": "custom", "start": {"x_m": 0.1, "z_m": -2}}]"#;

/// The scenario of the road with these members beside name and world.
#[must_use]
pub fn road_scenario(members: &str) -> Loaded {
    loaded(&format!(r#"{{ "name": "test", "world": "road", {members} }}"#))
}

/// Its model.
///
/// # Panics
/// If it is of another world.
#[must_use]
pub fn road_model(members: &str) -> Arc<RoadModel> {
    road_scenario(members).model.as_any().downcast().unwrap()
}

/// A run of the road at its start.
///
/// # Panics
/// If the start cannot be laid out.
#[must_use]
pub fn road(members: &str, run_index: u64) -> RoadWorld {
    RoadWorld::new(road_model(members), key(run_index)).unwrap()
}

/// Roads that differ in what they exercise: drivers, sensors with every kind of error, cars that meet.
pub const ROADS: &[(&str, &str)] = &[("route", ROUTE), ("wall", WALL), ("plan", PLAN), ("meeting", MEETING)];

/// A room with a pillar, and a car that goes round it by its route with all sensors there are.
pub const ROUTE: &str = r#"
    "map": {"floor_m": [[[0, 0], [8, 0], [8, 6], [0, 6]], [[3, 2.5], [5, 2.5], [5, 3.5], [3, 3.5]]]},
    "cars": [{
        "start": {"x_m": 2, "y_m": 1.2},
        "sensors": {
            "lidar": {"increment_deg": 5, "sensing": {"every_ms": 50, "noise_std": 0.02, "dropout": 0.05, "loss": 0.1, "delay_ms": 25}},
            "imu": {"gyro": {"noise_std": 0.01, "bias_std": 0.01, "walk_std_per_sqrt_s": 0.01},
                "accelerometer": {"every_ms": 5, "noise_std": 0.1, "quantum": 0.01, "range": [-20, 20]}},
            "odometry": {"speed": {"scale": 1.02}, "yaw_rate": {"noise_std": 0.02, "phase_ms": 3}},
            "position": {"antenna_m": [0.1, 0], "sensing": {"every_ms": 200, "delay_ms": 90, "noise_std": 0.3}}},
        "driver": {"waypoints": {"points_m": [[2, 1.2], [6, 1.2], [6.6, 2], [6.6, 4.2], [6, 4.8], [2, 4.8], [1.4, 4], [1.4, 2]]}}}]"#;

/// The same room, driven along its outer walls by noisy and late scans.
pub const WALL: &str = r#"
    "map": {"floor_m": [[[0, 0], [8, 0], [8, 6], [0, 6]], [[3, 2.5], [5, 2.5], [5, 3.5], [3, 3.5]]]},
    "cars": [{
        "start": {"x_m": 2, "y_m": 1},
        "sensors": {"lidar": {"increment_deg": 2, "sweep_ms": 20,
            "sensing": {"every_ms": 100, "delay_ms": 35, "noise_std": 0.02, "loss": 0.05}}},
        "driver": {"wall": {"side": "right"}}}]"#;

/// Commands by the clock, some between steps, on a free plane.
pub const PLAN: &str = r#"
    "cars": [{
        "start": {"x_m": 5, "y_m": 4, "yaw_deg": 20},
        "driver": {"commands": [
            {"at_s": 0, "velocity_m_s": 0.8}, {"at_s": 0.803, "velocity_m_s": 0.8, "curvature_1_m": 1.2},
            {"at_s": 2.5, "velocity_m_s": 0.3, "curvature_1_m": -1.6, "acceleration_m_s2": 0.7},
            {"at_s": 4.0055, "velocity_m_s": -0.4}]}}]"#;

/// A car that drives into a standing one, and one that drives into a wall.
pub const MEETING: &str = r#"
    "map": {"walls_m": [[[0, -3], [0, 3]]]},
    "cars": [
        {"start": {"x_m": 2}, "sensors": {"lidar": {"increment_deg": 10}},
            "driver": {"commands": [{"at_s": 0, "velocity_m_s": 0.8}]}},
        {"start": {"x_m": 5}, "sensors": {"lidar": {"increment_deg": 10}}},
        {"start": {"x_m": 3, "y_m": 2, "yaw_deg": 180}, "sensors": {"imu": {}},
            "driver": {"commands": [{"at_s": 0, "velocity_m_s": 0.5}]}}]"#;

/// Every file below a folder and its bytes, but for the wall-clock figures.
///
/// # Panics
/// If one cannot be read.
#[must_use]
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    collect(folder, folder, &mut found);
    found
}

fn collect(root: &Path, folder: &Path, found: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(root, &path, found);
        } else if path.file_name().unwrap() != "timing.json" {
            let name = path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            found.insert(name, fs::read(&path).unwrap());
        }
    }
}

/// The names of these files.
#[must_use]
pub fn names(folder: &Path) -> Vec<String> {
    files(folder).into_keys().collect()
}

/// A table as its header and its rows.
///
/// # Panics
/// If it cannot be read.
#[must_use]
pub fn table(path: &Path) -> (Vec<String>, Vec<Vec<String>>) {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let header = reader.headers().unwrap().iter().map(str::to_owned).collect();
    let rows = reader.records().map(|row| row.unwrap().iter().map(str::to_owned).collect()).collect();
    (header, rows)
}

/// The rows of a table in which every field is a number; an empty field is not a number.
///
/// # Panics
/// If it cannot be read.
#[must_use]
pub fn numbers(path: &Path) -> Vec<Vec<f64>> {
    table(path)
        .1
        .iter()
        .map(|row| row.iter().map(|f| if f.is_empty() { f64::NAN } else { f.parse().unwrap() }).collect())
        .collect()
}

/// A file of JSON.
///
/// # Panics
/// If it cannot be read.
#[must_use]
pub fn json(path: &Path) -> Json {
    serde_json::from_slice(&fs::read(path).unwrap()).unwrap()
}

/// Asks a run to stop once it has come to a step.
#[derive(Debug)]
pub struct StopAt {
    /// Index of the run.
    pub run_index: u64,
    /// The step.
    pub step: u64,
    /// The flag that is then set.
    pub stop: AtomicBool,
}

impl StopAt {
    /// Not asked for yet.
    #[must_use]
    pub fn new(run_index: u64, step: u64) -> Self {
        Self { run_index, step, stop: AtomicBool::new(false) }
    }

    /// The hooks of such a run.
    #[must_use]
    pub fn control(&self) -> Control<'_> {
        Control { observer: self, stopwatch: &NoStopwatch, stop: &self.stop }
    }
}

impl Observer for StopAt {
    fn progress(&self, progress: &Progress) {
        if progress.run_index == self.run_index && progress.steps_done >= self.step {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Hooks of a run that is not observed.
#[must_use]
pub fn quiet(stop: &AtomicBool) -> Control<'_> {
    Control { observer: &NoObserver, stopwatch: &NoStopwatch, stop }
}

/// A folder that goes with the test, and a path in it that is free.
///
/// # Panics
/// If it cannot be made.
#[must_use]
pub fn temporary() -> (tempfile::TempDir, PathBuf) {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("run");
    (root, path)
}
