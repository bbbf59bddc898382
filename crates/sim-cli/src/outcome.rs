//! How a command can end.

use sim_live::LiveError;
use sim_run::RunError;
use sim_run::scenario::Diagnostics;
use sim_view::ViewError;

/// How a command ended. `main` turns it into the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It did what was asked.
    Done,
    /// It failed while running.
    Failed,
    /// The input is wrong.
    WrongInput,
    /// An acceptance line is not met, and the user wanted to know.
    NotAccepted,
    /// The program that it was started for has ended with this status, 0 to 255.
    Program(i32),
    /// It was stopped by a signal.
    Interrupted,
}

/// Why a command did not do what was asked.
#[derive(Debug)]
pub enum Failure {
    /// The flags are wrong.
    Usage(String),
    /// Scenarios are wrong.
    Scenario(Vec<Diagnostics>),
    /// A run failed.
    Run(RunError),
    /// A run could not be shown.
    View(ViewError),
    /// It was interrupted; what is kept of it, in words.
    Interrupted(String),
    /// Acceptance lines that are not met, in words.
    NotAccepted(String),
    /// Something around the runs failed: a file, standard output, a signal.
    Machine(anyhow::Error),
}

impl Failure {
    /// How the command ends because of it.
    pub fn outcome(&self) -> Outcome {
        match self {
            Self::Usage(_) | Self::Scenario(_) => Outcome::WrongInput,
            Self::Run(error) if error.is_input() => Outcome::WrongInput,
            Self::View(error) if error.is_input() => Outcome::WrongInput,
            Self::View(ViewError::Stopped { .. }) | Self::Interrupted(_) => Outcome::Interrupted,
            Self::Run(_) | Self::View(_) | Self::Machine(_) => Outcome::Failed,
            Self::NotAccepted(_) => Outcome::NotAccepted,
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        Self::Run(error)
    }
}

impl From<ViewError> for Failure {
    fn from(error: ViewError) -> Self {
        Self::View(error)
    }
}

impl From<LiveError> for Failure {
    fn from(error: LiveError) -> Self {
        match error {
            LiveError::Run(error) => Self::Run(error),
            LiveError::View(error) => Self::View(error),
            other => Self::Machine(other.into()),
        }
    }
}

impl From<Diagnostics> for Failure {
    fn from(diagnostics: Diagnostics) -> Self {
        Self::Scenario(vec![diagnostics])
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Machine(error)
    }
}
