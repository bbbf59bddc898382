//! What is wrong with a map, and where.

use std::fmt;

/// A map that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapError {
    /// Where in the map: a line, a path such as `features[0].geometry.coordinates[1]`, or `segment 12`.
    pub place: String,
    /// What was found there and what is allowed, in words.
    pub message: String,
}

impl MapError {
    /// An error at `place`.
    #[must_use]
    pub fn new(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self { place: place.into(), message: message.into() }
    }
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)
    }
}

impl std::error::Error for MapError {}
