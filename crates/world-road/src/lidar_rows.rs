//! The layouts of the table of scans.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How scans are written in `lidar.csv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LidarRows {
    /// A row a scan, a column a ray.
    Wide,
    /// A row a ray.
    Long,
    /// No table of scans.
    Off,
}
