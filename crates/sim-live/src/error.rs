//! Why a session cannot begin or go on.

use sim_run::RunError;
use std::io;
use std::net::SocketAddr;

/// Why a session cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// The run failed.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The run ended.
    #[error("the run has ended")]
    Stopped,
    /// The run cannot be drawn.
    #[error(transparent)]
    View(#[from] sim_view::ViewError),
    /// The page cannot be made.
    #[error("the page cannot be made: {0}")]
    Page(String),
    /// The page cannot be served there.
    #[error("cannot listen on {address}: {reason}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        reason: io::Error,
    },
    /// Waiting for sockets, or something else that the system refuses.
    #[error("{what}: {reason}")]
    System {
        /// What was tried.
        what: &'static str,
        /// Why not.
        reason: io::Error,
    },
}
