//! A moment of a run as a picture: the plane with the marks of the run's view, and a panel that says what is seen.
//!
//! A [`FrameRenderer`] knows the run, its view and the style. It reads a moment from the tables and turns it into a [`Scene`].

mod body;
mod canvas;
mod column;
mod grid;
mod ink;
mod layout;
mod link;
mod marks;
mod panel;
mod scan;
mod style;
mod wells;

pub use layout::{Plane, PlaneView, plane_of};
pub use style::{GRID, PANEL, Style};

use crate::draw::Scene;
use crate::error::ViewError;
use crate::folder::RunFolder;
use crate::frame::{Frame, FrameReader};
use canvas::Canvas;
use column::NOTE_LINES;
use layout::Layout;
use marks::Subject;
use style::ViewStyle;

/// Draws the moments of one run.
#[derive(Debug)]
pub struct FrameRenderer<'a> {
    folder: &'a RunFolder,
    reader: FrameReader<'a>,
    style: ViewStyle,
    layout: Layout,
}

impl<'a> FrameRenderer<'a> {
    /// Opens the tables and lays out the picture. Where the view says that it holds all places of a party, they are read.
    ///
    /// # Errors
    /// If a table cannot be read, the view names what is not there or has no projection, or the picture would be too narrow.
    pub fn new(folder: &'a RunFolder, style: Style) -> Result<Self, ViewError> {
        let view = folder.view();
        let style = style.for_view(view)?;
        let plan = view.projections.first();
        let plan = plan.ok_or_else(|| ViewError::Wrong("view.json: it has no projection".to_owned()))?;
        let height = view.panel.height + NOTE_LINES * folder.notes().len() as f64;
        let layout = Layout::new(plane_of(folder, plan)?, height, &style)?;
        Ok(Self { folder, reader: FrameReader::new(folder)?, style, layout })
    }

    /// The same for a film in which `speed` seconds of the run pass in a second.
    #[must_use]
    pub fn at_speed(self, speed: f64) -> Self {
        Self { reader: self.reader.at_speed(speed), ..self }
    }

    /// Where places of the plan are in the picture.
    #[must_use]
    pub fn view(&self) -> PlaneView {
        self.layout.view
    }

    /// The picture of a moment.
    ///
    /// # Errors
    /// If a row that is needed is wrong, or the view names what is not there.
    pub fn at(&mut self, time_s: f64) -> Result<Scene, ViewError> {
        let frame = self.reader.at(time_s)?;
        Ok(self.draw(&frame)?)
    }

    fn draw(&self, frame: &Frame) -> Result<Scene, crate::folder::FolderError> {
        let (view, subject) = (self.folder.view(), Subject { folder: self.folder, frame });
        let mut canvas = Canvas::new(&self.layout, &self.style);
        for mark in &view.marks {
            marks::draw(&mut canvas, subject, mark)?;
        }
        let is_alarm = frame.breaks.iter().any(|breaks| !breaks.is_empty());
        grid::draw_frame(&mut canvas, &self.layout, &view.unit, is_alarm);
        panel::draw(&mut canvas, &self.layout, subject)?;
        Ok(canvas.scene)
    }
}
