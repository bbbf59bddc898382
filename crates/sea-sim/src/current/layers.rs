//! A current in layers: a table over depth.

use super::{Flow, check_velocity};
use glam::DMat3;
use sim_core::{DVec3, ParamError};

/// A table of velocities over depth. Between two depths the velocity changes evenly; above the first and below the last it stays.
#[derive(Clone, Debug, PartialEq)]
pub struct Layers {
    /// Depth below still water, m, increasing; velocity there, m/s.
    table: Vec<(f64, DVec3)>,
}

impl Layers {
    /// The table (depth below still water, m; velocity, m/s).
    ///
    /// # Errors
    /// If it is empty, depths do not increase, or a value is out of its range (depths: -100 to 12 000 m).
    pub fn new(table: Vec<(f64, DVec3)>) -> Result<Self, ParamError> {
        if table.is_empty() {
            return Err(ParamError::new("layers", "is empty, must have a row at least"));
        }
        for &(depth_m, velocity_m_s) in &table {
            ParamError::check_range("depth_m", depth_m, -100.0, 12_000.0)?;
            check_velocity(velocity_m_s)?;
        }
        if let Some(pair) = table.windows(2).find(|pair| pair[0].0 >= pair[1].0) {
            return Err(ParamError::new("depth_m", format!("is {} after {}, must increase", pair[1].0, pair[0].0)));
        }
        Ok(Self { table })
    }

    /// The current at a depth, m.
    #[must_use]
    pub fn flow(&self, depth_m: f64) -> Flow {
        let below = self.table.partition_point(|&(depth, _)| depth <= depth_m);
        let Some(&(low, velocity)) = below.checked_sub(1).and_then(|above| self.table.get(above)) else {
            return Flow::steady(self.table[0].1);
        };
        let Some(&(high, other)) = self.table.get(below) else {
            return Flow::steady(velocity);
        };
        let change_1_s = (other - velocity) / (high - low);
        Flow {
            velocity_m_s: velocity + change_1_s * (depth_m - low),
            // Depth grows downwards, z upwards.
            gradient_1_s: DMat3::from_cols(DVec3::ZERO, DVec3::ZERO, -change_1_s),
            local_acceleration_m_s2: DVec3::ZERO,
        }
    }
}
