//! Sound from one modem to another: how fast it goes, by which ways it arrives, how loud, and what the receiver makes of it.
//!
//! [`Transceiver`] has the rules of the SMaRC simulator: straight ways, one echo each of the surface and the bottom. [`Channel`] is the
//! water between a level surface and a level bottom: all reflections up to an order, with levels. [`Arrivals`] is the queue of what is
//! under way. Depths count downwards from still water. Model and limits: `docs/models/sea-acoustics.md`.

mod channel;
mod profile;
mod queue;
mod reception;
mod reflection;
mod transceiver;

pub use channel::{Channel, ChannelParams, Ends, MAX_BOUNCES, Path};
pub use profile::{MAX_LAYERS, SoundProfile, Way};
pub use queue::{Arrivals, Signal, SignalKey, nanoseconds};
pub use reception::{Loss, Modulation, Receiver};
pub use reflection::{Bottom, surface_loss_db};
pub use transceiver::{Echo, EchoKind, Obstacle, Surroundings, Transceiver, TransceiverParams};

use sim_core::ops;
use std::f64::consts::LN_10;

/// Ten times the decimal logarithm of a ratio of powers.
#[must_use]
pub fn decibels(ratio: f64) -> f64 {
    10.0 / LN_10 * ops::ln(ratio)
}

/// The ratio of powers of a level.
#[must_use]
pub fn ratio(level_db: f64) -> f64 {
    ops::exp(LN_10 / 10.0 * level_db)
}
