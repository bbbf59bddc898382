//! A run on its way to pictures: the moments of its world, and who draws them. The only place where pictures and films choose by the world.

use crate::draw::Scene;
use crate::error::ViewError;
use crate::folder::{RunFolder, World};
use crate::frame::FrameReader;
use crate::frame::road::RoadFrameReader;
use crate::picture::road::RoadArtist;
use crate::picture::{Artist, Style};

/// Draws moments of a run, of whichever world.
#[derive(Debug)]
pub struct Show<'a>(Shown<'a>);

#[derive(Debug)]
enum Shown<'a> {
    Mat(Box<(FrameReader<'a>, Artist<'a>)>),
    Road(Box<(RoadFrameReader<'a>, RoadArtist<'a>)>),
}

impl<'a> Show<'a> {
    /// Lays out the picture and opens the tables.
    ///
    /// # Errors
    /// If a table cannot be read, the scenario describes nothing that could be, or the picture would be too narrow.
    pub fn new(folder: &'a RunFolder, style: Style) -> Result<Self, ViewError> {
        Ok(Self(match folder.world() {
            World::Mat(_) => Shown::Mat(Box::new((FrameReader::new(folder)?, Artist::new(folder, style)?))),
            World::Road(_) => Shown::Road(Box::new((RoadFrameReader::new(folder)?, RoadArtist::new(folder, style)?))),
        }))
    }

    /// The same for a film in which `speed` seconds of the run pass in a second.
    #[must_use]
    pub fn at_speed(self, speed: f64) -> Self {
        Self(match self.0 {
            Shown::Mat(shown) => {
                let (reader, artist) = *shown;
                Shown::Mat(Box::new((reader.at_speed(speed), artist)))
            }
            // What happens to cars stays as it is, so that no speed hides it.
            road @ Shown::Road(_) => road,
        })
    }

    /// The picture of a moment.
    ///
    /// # Errors
    /// If a row that is needed is wrong.
    pub fn at(&mut self, time_s: f64) -> Result<Scene, ViewError> {
        match &mut self.0 {
            Shown::Mat(shown) => Ok(shown.1.draw(&shown.0.at(time_s)?)),
            Shown::Road(shown) => Ok(shown.1.draw(&shown.0.at(time_s)?)),
        }
    }
}
