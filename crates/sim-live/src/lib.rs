//! A world against the wall clock: a session that people and programs take part in while it runs.
//!
//! ```text
//! pages   -> server  \                         / server -> frames to pages
//! clients -> doors   -> inbox -> Session::step
//!                                              \ doors  -> answers to clients
//! ```
//!
//! One thread does all of it ([`Live`]): it sleeps until a client says something or the next step is due ([`pace`]), hears all clients
//! ([`server`], [`Door`]), makes the step, and tells what it yielded. What clients want becomes rows of input streams. The session writes
//! them down before the step that takes them, so that the folder of a live run is an ordinary run folder: `run --inputs` with it ends in
//! the same state.
//!
//! The crate knows streams, inputs and views. It must not know worlds by name, how a world works inside, or flags and terminals. What a
//! gesture on the page means is told by the model ([`sim_world::Control`]).

mod clock;
pub mod door;
mod error;
pub mod link;
mod live;
pub mod message;
pub mod pace;
pub mod server;

pub use clock::Clock;
pub use door::{Command, Door, Gate, Inbox};
pub use error::LiveError;
pub use live::{Live, LiveOptions, News};
pub use pace::{Pace, Speed};
pub use server::ServerOptions;
