//! When a row was recorded.

/// A step that was recorded, and its time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moment {
    /// The step.
    pub step: u64,
    /// Its time.
    pub time_s: f64,
}
