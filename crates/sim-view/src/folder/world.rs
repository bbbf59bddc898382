//! The scenario of a run by its world and the tables by their row types, for the replay page.

use super::error::FolderError;
use super::files::{locate, parse_json};
use super::road::RoadScenario;
use super::run::RunFolder;
use super::scans::{LIDAR_CSV, NewestScans, ScanTable};
use super::scenario::MatScenario;
use super::step_table::{StepRow, StepTable};

/// A scenario, by its world.
#[derive(Clone, Debug, PartialEq)]
pub enum World {
    /// Robots, feet, patches and cubes on a mat.
    Mat(Box<MatScenario>),
    /// Cars between walls.
    Road(RoadScenario),
}

impl RunFolder {
    /// The scenario of the run.
    ///
    /// # Errors
    /// If it has not the shape that its world gives it.
    pub fn world(&self) -> Result<World, FolderError> {
        let path = self.path().join("scenario.json");
        match self.record().world.as_str() {
            "road" => parse_json(&path, self.scenario_text()).map(World::Road),
            _ => parse_json(&path, self.scenario_text()).map(|scenario| World::Mat(Box::new(scenario))),
        }
    }

    /// A table by its row type.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn steps<R: StepRow>(&self) -> Result<Option<StepTable<R>>, FolderError> {
        locate(self.path(), R::FILE).map(|file| StepTable::open(&file.path)).transpose()
    }

    /// The scans of all lidars.
    ///
    /// # Errors
    /// If the table cannot be read.
    pub fn scans(&self) -> Result<Option<ScanTable>, FolderError> {
        locate(self.path(), LIDAR_CSV).map(|file| ScanTable::open(&file.path)).transpose()
    }

    /// The last scan of each car, as time goes on.
    ///
    /// # Errors
    /// As [`RunFolder::scans`].
    pub fn newest_scans(&self) -> Result<NewestScans, FolderError> {
        Ok(NewestScans::new(self.scans()?))
    }
}
