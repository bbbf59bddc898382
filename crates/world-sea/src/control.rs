//! Whose commands a vehicle obeys.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whose commands a vehicle obeys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ControlSource {
    /// Those of its driver, and in their place those of rows from outside: `commands` of single actuators, `setpoints` of the driver.
    #[default]
    Shared,
    /// Those of its driver alone: rows of `commands` and `setpoints` are refused.
    Driver,
    /// Those of rows of `commands` alone: its driver is off, and rows of `setpoints` are refused.
    Inputs,
}

impl ControlSource {
    pub(crate) fn is_shared(&self) -> bool {
        *self == Self::Shared
    }

    /// Its word.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Shared => "shared",
            Self::Driver => "driver",
            Self::Inputs => "inputs",
        }
    }
}
