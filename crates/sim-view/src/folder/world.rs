//! The scenario of a run, whichever world it has: where a folder is read, the worlds part.

use super::error::FolderError;
use super::files::parse_json;
use super::record::WorldKind;
use super::road::RoadScenario;
use super::scenario::MatScenario;
use std::path::Path;

/// A scenario, by its world.
#[derive(Clone, Debug, PartialEq)]
pub enum World {
    /// Robots, feet, patches and cubes on a mat.
    Mat(Box<MatScenario>),
    /// Cars between walls.
    Road(RoadScenario),
}

impl World {
    pub(super) fn parse(kind: WorldKind, path: &Path, text: &str) -> Result<Self, FolderError> {
        match kind {
            WorldKind::Mat => parse_json(path, text).map(|scenario| Self::Mat(Box::new(scenario))),
            WorldKind::Road => parse_json(path, text).map(Self::Road),
        }
    }

    /// Steps a second.
    #[must_use]
    pub fn step_hz(&self) -> u32 {
        match self {
            Self::Mat(scenario) => scenario.step_hz,
            Self::Road(scenario) => scenario.step_hz,
        }
    }
}
