//! A moment of a run as a picture: the marks of the run's view in each of its projections, and a panel that says what is seen.
//!
//! A [`FrameRenderer`] knows the run, its view and the style. It reads a moment from the tables and turns it into a [`Scene`].

mod body;
mod canvas;
mod check;
mod column;
mod grid;
mod ink;
mod layout;
mod link;
mod marks;
mod panel;
mod raster;
mod scan;
mod style;
mod wells;

pub(crate) use check::check;
pub(crate) use layout::with_margin;
pub use layout::{Plane, PlaneView, planes_of};
pub(crate) use raster::{colors as raster_colors, gradient};
pub use style::{GRID, PANEL, Style};

use crate::draw::Scene;
use crate::error::ViewError;
use crate::folder::{FolderError, RunFolder};
use crate::frame::{Frame, FrameReader};
use canvas::Canvas;
use column::NOTE_LINES;
use grid::Rim;
use layout::Layout;
use marks::Subject;
use sim_world::view::Mark;
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
        let planes = planes_of(folder)?.into_iter().zip(&view.projections);
        let planes: Vec<_> = planes.map(|(plane, projection)| (plane, projection.height)).collect();
        let height = view.panel.height + NOTE_LINES * folder.notes().len() as f64;
        let layout = Layout::new(&planes, height, &style)?;
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
        self.layout.panes[0].view
    }

    /// Where places are in the picture of each projection, the plan first.
    pub fn views(&self) -> impl Iterator<Item = PlaneView> {
        self.layout.panes.iter().map(|pane| pane.view)
    }

    /// The picture of a moment.
    ///
    /// # Errors
    /// If a row that is needed is wrong, or the view names what is not there.
    pub fn at(&mut self, time_s: f64) -> Result<Scene, ViewError> {
        let frame = self.reader.at(time_s)?;
        Ok(self.draw(&frame)?)
    }

    fn draw(&self, frame: &Frame) -> Result<Scene, FolderError> {
        let (view, subject) = (self.folder.view(), Subject { folder: self.folder, frame });
        let mut canvas = Canvas::new(&self.layout, &self.style);
        let is_alarm = frame.breaks.iter().any(|breaks| !breaks.is_empty());
        let is_only = view.projections.len() == 1;
        for (projection, pane) in view.projections.iter().zip(&self.layout.panes) {
            let (size, unit) = (self.layout.size, view.unit.as_str());
            let rim = Rim { pane, size, unit, projection: Some(projection).filter(|_| !is_only), is_alarm };
            canvas.within(pane, is_only, |canvas| {
                let is_seen = |mark: &&Mark| mark.projections.is_empty() || mark.projections.contains(&projection.name);
                view.marks.iter().filter(is_seen).try_for_each(|mark| marks::draw(canvas, subject, mark))?;
                grid::draw_frame(canvas, rim);
                Ok::<(), FolderError>(())
            })?;
        }
        panel::draw(&mut canvas, &self.layout, subject)?;
        Ok(canvas.scene)
    }
}
