//! Bodies, actuators, vehicles and drivers against published numbers, closed forms and laws.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

mod air;
mod bad_input;
mod bluerov;
mod drivers;
mod extremes;
mod fossen;
mod hydrostatics;
mod laws;
mod lolo;
mod sam;
mod sam_page;
mod sam_py;
mod support;
