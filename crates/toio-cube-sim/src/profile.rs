//! Whose behaviour a cube follows where the sources differ (toio facts, section 9).

/// A set of answers to the questions on which the sources disagree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Profile {
    /// The device specification, and the most plausible reading where it is silent.
    #[default]
    Device,
    /// The law of the Unity simulator, for comparison with it. Its plain faults (section 10) are not copied.
    Unity,
}
