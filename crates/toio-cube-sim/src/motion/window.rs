//! The sum over the last few steps.

use std::collections::VecDeque;
use std::ops::Add;

/// A value for each of the last steps, as many as make up a time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Window<T> {
    steps: VecDeque<T>,
}

impl<T: Copy + Default + Add<Output = T>> Window<T> {
    /// A window of `span_s`, rounded to whole steps, filled with zero.
    pub fn new(span_s: f64, step_s: f64) -> Self {
        let steps = (span_s / step_s).round().max(1.0) as usize;
        Self { steps: VecDeque::from(vec![T::default(); steps]) }
    }

    pub fn push(&mut self, step: T) {
        self.steps.pop_front();
        self.steps.push_back(step);
    }

    /// The sum, oldest first. A running sum would keep the rounding of every shock for ever.
    pub fn sum(&self) -> T {
        self.iter().fold(T::default(), |sum, step| sum + step)
    }

    pub fn len(&self) -> usize {
        self.steps.len()
    }

    /// Oldest first.
    pub fn iter(&self) -> impl Iterator<Item = T> + '_ {
        self.steps.iter().copied()
    }
}
