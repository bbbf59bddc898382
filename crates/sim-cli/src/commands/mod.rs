//! What is done about each command.

pub mod check;
pub mod completions;
pub mod docs;
pub mod explain;
pub mod live;
pub mod new;
pub mod render;
pub mod replay;
pub mod run;
pub mod scenarios;
pub mod schema;
pub mod streams;
pub mod sweep;
