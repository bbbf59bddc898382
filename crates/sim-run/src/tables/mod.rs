//! Tables: long CSV files with one header line, units in the names of the columns, and numbers that read back to the
//! same bits.

pub mod closest;
mod cubes;
mod events;
pub mod file;
pub mod mat;
pub mod road;
pub mod sheet;
