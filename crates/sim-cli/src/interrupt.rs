//! Ctrl-C, and a polite request to stop from elsewhere: the first ends the runs after their current step, the second aborts.

use crate::reporter::Reporter;
use anyhow::Context;
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

/// Listens for Ctrl-C from now on; the flag turns true once it came.
pub fn listen(reporter: &Reporter) -> anyhow::Result<&'static AtomicBool> {
    let reporter = *reporter;
    ctrlc::set_handler(move || {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(1);
        }
        reporter.progress("stopping after the current step; once more aborts");
    })
    .context("could not listen for Ctrl-C")?;
    Ok(&STOP)
}
