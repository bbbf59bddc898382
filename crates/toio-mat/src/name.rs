//! The error of a look-up by an unknown name.

use std::fmt;

/// No mat, card or centre point has this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    /// What was looked for, in the singular: "mat".
    pub what: &'static str,
    /// The name that was given.
    pub given: String,
    /// Every name that there is, in the order of the tables.
    pub known: Vec<&'static str>,
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} is no {}, must be one of {}", self.given, self.what, self.known.join(", "))
    }
}

impl std::error::Error for UnknownName {}
