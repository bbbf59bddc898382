//! Worlds: what a scenario turns into, and its step.

pub mod cube_drive;
pub mod cubes;
pub mod events;
pub mod laps;
pub mod mat;
pub mod mat_view;
mod phases;
pub mod road;
pub mod seam;
pub mod sensing;
