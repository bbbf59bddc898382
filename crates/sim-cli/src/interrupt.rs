//! Ctrl-C, and a polite request to stop from elsewhere: the first ends the runs after their current step, the second aborts.

use crate::say::Voice;
use anyhow::Context;
use std::sync::atomic::{AtomicBool, Ordering};

static STOP: AtomicBool = AtomicBool::new(false);

/// Listens for Ctrl-C from now on; the flag turns true once it came.
pub fn listen(voice: &Voice) -> anyhow::Result<&'static AtomicBool> {
    let voice = *voice;
    ctrlc::set_handler(move || {
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(1);
        }
        voice.progress("stopping after the current step; once more aborts");
    })
    .context("could not listen for Ctrl-C")?;
    Ok(&STOP)
}
