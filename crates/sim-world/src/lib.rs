//! What a world is: streams of rows that come out and go in, a model that is fixed for a run, a run that goes on step by step, and a
//! view that says as data how it is drawn.
//!
//! It must not know files, threads or any world.

mod stream;
pub mod view;

pub use stream::{Cadence, Column, ColumnKind, Input, Stream, StreamSet, Value};
pub use view::View;
