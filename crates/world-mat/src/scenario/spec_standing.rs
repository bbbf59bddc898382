//! What stands on the plane beside walls: chargers, and what is at its border.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A charger: a block 44 mm wide and long and 8 mm high. A cube that stands on its middle charges.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChargerSpec {
    /// Where its middle stands on the plane, along x.
    #[schemars(range(min = -100_000, max = 100_000))]
    pub x_mm: f64,
    /// Where its middle stands on the plane, along y.
    #[schemars(range(min = -100_000, max = 100_000))]
    pub y_mm: f64,
    /// By how much it is turned, clockwise seen from above.
    #[serde(default)]
    #[schemars(range(min = -360, max = 360))]
    pub yaw_deg: f64,
    /// Current that it gives until the battery is full.
    #[serde(default = "default_current_ma")]
    #[schemars(range(min = 0, max = 100_000))]
    pub current_ma: f64,
}

/// The published charging current of a cube.
fn default_current_ma() -> f64 {
    300.0
}

/// What is at the border of the plane.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum BorderSpec {
    /// Nothing: the plane goes on, and a cube that leaves all mats and walls drives on.
    #[default]
    None,
    /// A rim 50 mm high around everything that lies or stands on the plane. It keeps cubes on the table.
    Rim,
}

impl BorderSpec {
    /// True if there is nothing.
    pub(super) fn is_none(&self) -> bool {
        *self == Self::None
    }
}
