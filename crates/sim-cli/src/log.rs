//! `-v`: what is being done, on standard error.

use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

/// Shows what the library tells, from `RUST_LOG` if it is set, else from how often `-v` was given.
pub fn show(verbose: u8) {
    let level = match verbose {
        0 => return,
        1 => "debug",
        _ => "trace",
    };
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(level));
    let shown = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .without_time()
        .try_init();
    debug_assert!(shown.is_ok(), "told twice");
}
