//! Sweeps: many cells of a design, many runs of each, and what can be said of them.

pub mod design;
pub mod statistics;
