//! `-v`: what is being done, on standard error.

use std::io::IsTerminal;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

/// Shows what the library tells, from `RUST_LOG` if it is set, else from how often `-v` was given.
pub fn show(verbose: u8) {
    let level = match verbose {
        0 => return,
        1 => LevelFilter::DEBUG,
        _ => LevelFilter::TRACE,
    };
    let wanted = std::env::var("RUST_LOG").ok().and_then(|targets| targets.parse().ok());
    let filter = wanted.unwrap_or_else(|| Targets::new().with_default(level));
    let lines = tracing_subscriber::fmt::layer()
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .without_time();
    let shown = tracing_subscriber::registry().with(lines).with(filter).try_init();
    debug_assert!(shown.is_ok(), "set twice");
}
