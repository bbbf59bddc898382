//! Tables: long CSV files with one header line, units in the names of the columns, and numbers that read back to the
//! same bits.

pub mod file;
pub mod order;
pub mod sheet;
pub mod streams;
pub mod sums;
