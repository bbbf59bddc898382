//! A bottom made of a seed.
//!
//! # Equation
//! `z = base + slope . (x, y) + relief sum_n 2^-n N_n(x, y) / sum_n 2^-n` over layers n of value noise: N_n has independent values,
//! uniform in [-1, 1], at the posts of a square lattice of `feature / 2^n`; between them it follows `6 t^5 - 15 t^4 + 10 t^3` along each
//! axis (Perlin 2002), so that slopes are continuous. A value is found by its address: another size or resolution shows the same hills.

use super::grid::{HeightGrid, HeightGridParams, Material};
use crate::purpose;
use sim_core::{DVec2, ParamError, RunKey};

/// How a bottom is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GeneratedParams {
    /// Place of the south-western post, m.
    pub origin_m: DVec2,
    /// Distance between two posts, m.
    pub cell_m: f64,
    /// Number of posts from west to east and from south to north.
    pub posts: [usize; 2],
    /// Height at the origin of the world without hills, m.
    pub base_z_m: f64,
    /// Rise towards east and towards north, metre a metre, -2 to 2.
    pub slope: DVec2,
    /// Highest hill above the base, and deepest hole below, m, 0 to 1000.
    pub relief_m: f64,
    /// Distance from the widest hills to the next ones, m, 0.01 to 1e6.
    pub feature_m: f64,
    /// Layers of hills, each half as wide and as high as the one before, 1 to 16.
    pub layers: u32,
    /// What it is made of.
    pub material: Material,
}

impl HeightGrid {
    /// A bottom made of the seed of a run.
    ///
    /// # Errors
    /// If a value is out of its range.
    pub fn generated(params: &GeneratedParams, key: RunKey) -> Result<Self, ParamError> {
        ParamError::check_range("base_z_m", params.base_z_m, -12_000.0, 12_000.0)?;
        ParamError::check_range("slope", params.slope.x, -2.0, 2.0)?;
        ParamError::check_range("slope", params.slope.y, -2.0, 2.0)?;
        ParamError::check_range("relief_m", params.relief_m, 0.0, 1000.0)?;
        ParamError::check_range("feature_m", params.feature_m, 0.01, 1e6)?;
        ParamError::check_range("layers", f64::from(params.layers), 1.0, 16.0)?;
        let [columns, rows] = params.posts;
        let post = |index: usize| {
            let steps = DVec2::new((index % columns) as f64, (index / columns) as f64);
            height_m(params, key, params.origin_m + params.cell_m * steps)
        };
        // Sizes that the grid refuses are not filled in first.
        let count = columns.checked_mul(rows).filter(|&count| count <= MAX_GENERATED).unwrap_or(0);
        Self::new(HeightGridParams {
            origin_m: params.origin_m,
            cell_m: params.cell_m,
            columns,
            rows,
            heights_m: (0..count).map(post).collect(),
            materials: vec![params.material],
        })
    }
}

/// Most posts of a generated bottom.
const MAX_GENERATED: usize = 50_000_000;

fn height_m(params: &GeneratedParams, key: RunKey, at_m: DVec2) -> f64 {
    let (mut sum, mut weights, mut weight, mut lattice_m) = (0.0, 0.0, 1.0, params.feature_m);
    for layer in 0..params.layers {
        sum += weight * value_noise(key, layer, at_m / lattice_m);
        weights += weight;
        weight *= 0.5;
        lattice_m *= 0.5;
    }
    params.base_z_m + params.slope.dot(at_m) + params.relief_m * sum / weights
}

/// Noise in [-1, 1] at a place counted in lattice posts.
fn value_noise(key: RunKey, layer: u32, at: DVec2) -> f64 {
    let corner = at.floor();
    let (column, row) = (corner.x as i64, corner.y as i64);
    let ease = |t: f64| t * t * t * (t * (t * 6.0 - 15.0) + 10.0);
    let (u, v) = (ease(at.x - corner.x), ease(at.y - corner.y));
    let value = |east: i64, north: i64| {
        // Column and row side by side in one address: places up to 2^31 lattice posts away are apart.
        let place = (((column + east) as u64) << 32) ^ ((row + north) as u64 & 0xffff_ffff);
        key.stream(purpose::TERRAIN, u64::from(layer), place).range(-1.0, 1.0)
    };
    let south = value(0, 0) + u * (value(1, 0) - value(0, 0));
    let north = value(0, 1) + u * (value(1, 1) - value(0, 1));
    south + v * (north - south)
}
