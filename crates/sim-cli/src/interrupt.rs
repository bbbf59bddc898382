//! Ctrl-C, and a polite request to stop from elsewhere: the first ends the runs after their current step, the second aborts.
//!
//! In the end the program dies of the signal that stopped it: shells then report 128 and its number, and leave their loop.

use crate::reporter::Reporter;
use anyhow::Context;
use signal_hook::consts::SIGINT;
#[cfg(unix)]
use signal_hook::consts::{SIGHUP, SIGTERM};
use signal_hook::{flag, low_level};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock};

static STOP: AtomicBool = AtomicBool::new(false);

/// The signals that ask a program to stop.
#[cfg(unix)]
const SIGNALS: &[i32] = &[SIGINT, SIGTERM, SIGHUP];
#[cfg(not(unix))]
const SIGNALS: &[i32] = &[SIGINT];

/// The number of the last signal that came.
static SIGNAL: LazyLock<Arc<AtomicUsize>> = LazyLock::new(|| Arc::new(AtomicUsize::new(SIGINT as usize)));

/// Listens for Ctrl-C from now on; the flag turns true once it came.
pub fn listen(reporter: &Reporter) -> anyhow::Result<&'static AtomicBool> {
    let reporter = *reporter;
    ctrlc::set_handler(move || {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(i32::from(end_by_signal()));
        }
        reporter.progress("stopping after the current step; once more aborts");
    })
    .context("could not listen for Ctrl-C")?;
    // Registered later, so that the handler above stays in the chain.
    for signal in SIGNALS {
        flag::register_usize(*signal, Arc::clone(&SIGNAL), *signal as usize).context("could not listen for signals")?;
    }
    Ok(&STOP)
}

/// Ends the program by the signal that stopped it; returns the exit code for a system where that cannot be done.
pub fn end_by_signal() -> u8 {
    let signal = SIGNAL.load(Ordering::Relaxed) as i32;
    // What is left to do if it fails is done by the caller.
    let _ = low_level::emulate_default_handler(signal);
    128 + signal as u8
}
