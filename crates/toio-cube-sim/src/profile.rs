//! Whose behaviour a cube follows where the sources differ (toio facts, section 9).

/// A set of answers to the questions on which the sources disagree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum Profile {
    /// The device specification, and the most plausible reading where it is silent.
    #[default]
    Device,
    /// The law of the Unity simulator, for comparison with it. Its plain faults are not copied.
    Unity,
}
