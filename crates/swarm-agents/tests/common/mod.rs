//! Models that several tests use.
#![allow(dead_code, reason = "each test takes what it needs")]

use sim_core::{DVec2, Rect, RunKey};
use swarm_agents::{Clearances, Drive, Limits, SwarmModel};
use swarm_field::{Domain, FieldModel, FieldParams, Forecast, Gaussians, Patches, PatchesModel, PatchesParams, Travel};

pub const KEY: RunKey = RunKey { seed: 11, run_index: 0 };

/// The spec's robots on a square mat.
pub fn model_on(side_mm: f64, wall_margin_mm: f64, drive: Drive) -> SwarmModel {
    let clearances = Clearances { d_h_mm: 100.0, d_r_mm: 60.0, wall_margin_mm };
    let limits = Limits { v_max_mm_s: 252.0, a_max_mm_s2: 3000.0, omega_max_rad_s: 12.0 };
    SwarmModel::new(Rect::from_size(side_mm, side_mm), clearances, limits, drive, 60).expect("the spec's numbers")
}

/// The spec's robots on the spec's mat.
pub fn mat_model(drive: Drive) -> SwarmModel {
    model_on(400.0, 16.0, drive)
}

/// The same with other limits.
pub fn with_limits(model: SwarmModel, v_max: f64, a_max: f64, omega_max: f64, margin: f64) -> SwarmModel {
    let limits = Limits { v_max_mm_s: v_max, a_max_mm_s2: a_max, omega_max_rad_s: omega_max };
    let clearances = Clearances { wall_margin_mm: margin, ..model.clearances };
    SwarmModel::new(model.mat, clearances, limits, model.drive, model.step_hz).expect("legal limits")
}

/// Where feet may be.
pub fn domain(travel: Travel) -> Domain {
    Domain::new(travel, Rect::from_size(400.0, 400.0), 120.0)
}

/// A field with resting feet and the patches of a run, on the spec's mat.
pub fn field_with(feet_mm: &[DVec2], patches: usize) -> (Gaussians, Patches) {
    field_of_run(feet_mm, patches, KEY)
}

/// The same for another run.
pub fn field_of_run(feet_mm: &[DVec2], patches: usize, key: RunKey) -> (Gaussians, Patches) {
    let mat = Rect::from_size(400.0, 400.0);
    let model = FieldModel::new(FieldParams::default(), mat).expect("the spec's field");
    let params = PatchesParams { count: patches, ..PatchesParams::default() };
    let patches = Patches::new(&PatchesModel::new(params, mat, 60).expect("the spec's patches"), key);
    let forecasts: Vec<Forecast> = feet_mm.iter().map(|&foot| resting(foot)).collect();
    let mut field = Gaussians::default();
    field.refresh(&model, &forecasts, &patches);
    (field, patches)
}

fn resting(foot_mm: DVec2) -> Forecast {
    let frames = 37;
    Forecast { mean_mm: vec![foot_mm; frames], velocity_mm_s: vec![DVec2::ZERO; frames] }
}
