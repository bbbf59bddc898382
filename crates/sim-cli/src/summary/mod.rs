//! What is said after the runs.

pub mod batch;
mod lines;
pub mod one;

pub use lines::Detail;
