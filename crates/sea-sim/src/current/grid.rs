//! A current over a grid: a table over place and depth.

use super::{Flow, check_velocity};
use glam::DMat3;
use sim_core::{DVec2, DVec3, ParamError};

/// Most velocities of a grid.
const MAX_POSTS: usize = 50_000_000;

/// A grid of velocities.
#[derive(Clone, Debug, PartialEq)]
pub struct CurrentGridParams {
    /// Place of the first velocity, m.
    pub origin_m: DVec2,
    /// Distance between two neighbours, m, 0.01 to 1e6.
    pub cell_m: f64,
    /// Number of velocities from west to east, 2 or more.
    pub columns: usize,
    /// Number of velocities from south to north, 2 or more.
    pub rows: usize,
    /// Depths below still water of the layers, m, increasing, -100 to 12 000; one layer holds at all depths.
    pub depths_m: Vec<f64>,
    /// Velocities, m/s: layer by layer, in a layer row by row from south, in a row from west to east.
    pub velocities_m_s: Vec<DVec3>,
}

/// A checked grid. Between its posts the velocity is interpolated linearly along each axis; outside, the nearest one on its border holds.
#[derive(Clone, Debug, PartialEq)]
pub struct CurrentGrid {
    params: CurrentGridParams,
}

/// Where a coordinate falls along an axis: first post, share of the way to the next, and 1 over their distance (0 outside).
#[derive(Clone, Copy)]
struct Place {
    post: usize,
    share: f64,
    per_unit: f64,
}

impl CurrentGrid {
    /// Checks the grid.
    ///
    /// # Errors
    /// If the number of velocities is not that of the grid, or a value is out of its range.
    pub fn new(params: CurrentGridParams) -> Result<Self, ParamError> {
        let CurrentGridParams { columns, rows, ref depths_m, .. } = params;
        ParamError::check_range("origin_m", params.origin_m.x, -1e7, 1e7)?;
        ParamError::check_range("origin_m", params.origin_m.y, -1e7, 1e7)?;
        ParamError::check_range("cell_m", params.cell_m, 0.01, 1e6)?;
        for (field, count, min) in [("columns", columns, 2), ("rows", rows, 2), ("depths_m", depths_m.len(), 1)] {
            if count < min {
                return Err(ParamError::new(field, format!("is {count}, must be {min} or more")));
            }
        }
        depths_m.iter().try_for_each(|&depth| ParamError::check_range("depths_m", depth, -100.0, 12_000.0))?;
        if let Some(pair) = depths_m.windows(2).find(|pair| pair[0] >= pair[1]) {
            return Err(ParamError::new("depths_m", format!("has {} after {}, must increase", pair[1], pair[0])));
        }
        let posts = columns.checked_mul(rows).and_then(|layer| layer.checked_mul(depths_m.len()));
        let given = params.velocities_m_s.len();
        if posts != Some(given) || given > MAX_POSTS {
            let message =
                format!("has {given} entries, must have {rows} x {columns} for each of {} depths", depths_m.len());
            return Err(ParamError::new("velocities_m_s", message));
        }
        params.velocities_m_s.iter().try_for_each(|&velocity| check_velocity(velocity))?;
        Ok(Self { params })
    }

    /// The current at a place, m, whose depth below still water is `depth_m`.
    #[must_use]
    pub fn flow(&self, position_m: DVec3, depth_m: f64) -> Flow {
        let CurrentGridParams { origin_m, cell_m, columns, rows, ref depths_m, .. } = self.params;
        let x = even_place((position_m.x - origin_m.x) / cell_m, columns, cell_m);
        let y = even_place((position_m.y - origin_m.y) / cell_m, rows, cell_m);
        let layer = place_among(depths_m, depth_m);
        let (above, above_dx, above_dy) = self.flow_in_layer(layer.post, x, y);
        if layer.per_unit == 0.0 {
            let gradient_1_s = DMat3::from_cols(above_dx, above_dy, DVec3::ZERO);
            return Flow { velocity_m_s: above, gradient_1_s, local_acceleration_m_s2: DVec3::ZERO };
        }
        let (below, below_dx, below_dy) = self.flow_in_layer(layer.post + 1, x, y);
        let between = |a: DVec3, b: DVec3| a + (b - a) * layer.share;
        // Depth grows downwards, z upwards.
        let along_z = (above - below) * layer.per_unit;
        Flow {
            velocity_m_s: between(above, below),
            gradient_1_s: DMat3::from_cols(between(above_dx, below_dx), between(above_dy, below_dy), along_z),
            local_acceleration_m_s2: DVec3::ZERO,
        }
    }

    /// Velocity in a layer and its derivatives towards east and north.
    fn flow_in_layer(&self, layer: usize, x: Place, y: Place) -> (DVec3, DVec3, DVec3) {
        let CurrentGridParams { columns, rows, ref velocities_m_s, .. } = self.params;
        let at = |row: usize, column: usize| velocities_m_s[(layer * rows + row) * columns + column];
        let [south_west, south_east] = [at(y.post, x.post), at(y.post, x.post + 1)];
        let [north_west, north_east] = [at(y.post + 1, x.post), at(y.post + 1, x.post + 1)];
        let south = south_west + (south_east - south_west) * x.share;
        let north = north_west + (north_east - north_west) * x.share;
        let (east_south, east_north) = (south_east - south_west, north_east - north_west);
        let along_x = (east_south + (east_north - east_south) * y.share) * x.per_unit;
        (south + (north - south) * y.share, along_x, (north - south) * y.per_unit)
    }
}

/// The place of a coordinate, in posts, among `count` posts.
fn even_place(at: f64, count: usize, spacing: f64) -> Place {
    let last = (count - 1) as f64;
    let inside = at.clamp(0.0, last);
    let post = (inside as usize).min(count - 2);
    let per_unit = if at == inside { 1.0 / spacing } else { 0.0 };
    Place { post, share: inside - post as f64, per_unit }
}

/// The place of a depth among layers; with no layer on one of its sides the nearest holds.
fn place_among(depths_m: &[f64], depth_m: f64) -> Place {
    let deeper = depths_m.partition_point(|&depth| depth <= depth_m);
    if deeper == 0 || deeper == depths_m.len() {
        return Place { post: deeper.saturating_sub(1), share: 0.0, per_unit: 0.0 };
    }
    let (above, below) = (depths_m[deeper - 1], depths_m[deeper]);
    Place { post: deeper - 1, share: (depth_m - above) / (below - above), per_unit: 1.0 / (below - above) }
}
