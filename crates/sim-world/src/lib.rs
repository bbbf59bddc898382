//! What a world is: streams of rows that come out and go in, a model that is fixed for a run, a run that goes on step by step, and a
//! view that says as data how it is drawn.
//!
//! It must not know files, threads or any world.

mod check;
mod control;
mod device;
mod event;
pub mod run_length;
pub mod sensing;
mod stream;
mod world;

pub use check::{RowFault, check_row, in_words as kind_in_words};
pub use control::{Cell, Control, Gesture, RowSpec};
pub use device::{DEVICE_MESSAGES, DEVICE_REQUESTS, Device, DeviceCharacteristic, DeviceState};
pub use event::{Event, EventRows, event_stream};
pub use sim_marks as view;
pub use sim_marks::View;
pub use stream::{Cadence, Column, ColumnKind, Input, Stream, StreamSet, Value};
pub use world::{
    Files, Fork, Guarantee, LoadedWorld, Model, Ranking, RowSink, RunInfo, StartError, StepError, Words, World,
    WorldKind, Worlds,
};
