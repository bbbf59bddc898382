//! The safety filter, checked from outside: distances are recomputed from places alone, parts are held against closed forms.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod bench;
mod certified;
mod comparison;
mod life;
mod parts;
mod plans;
mod renewals;
mod sentinels;
mod state;
mod stubborn;
mod world;
