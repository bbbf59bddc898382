//! What is done about each command.

pub mod check;
pub mod completions;
pub mod explain;
pub mod render;
pub mod replay;
pub mod run;
pub mod scenarios;
pub mod schema;
pub mod streams;
pub mod sweep;
