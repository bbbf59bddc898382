//! A moment of a run as a picture: the plane with everything on it, and a panel that says what is seen.
//!
//! Of a run on the mat an [`Artist`] knows the run and the style, and turns a [`Frame`] into a [`Scene`]. What one sees of the potential
//! is computed by `swarm-field` from the frame's feet and patches. On the road it is a [`road::RoadArtist`].

mod alarms;
mod canvas;
mod column;
mod cubes;
mod feet;
mod floor;
mod grid;
mod heat;
mod layout;
mod panel;
pub mod road;
mod robots;
mod style;

pub use layout::{Plane, View};
pub use style::{Layer, Style};

use crate::draw::Scene;
use crate::error::ViewError;
use crate::folder::{MatScenario, RunFolder};
use crate::frame::Frame;
use alarms::Alarms;
use canvas::Canvas;
use floor::Floor;
use heat::Heat;
use layout::Layout;
use sim_core::Rect;

/// Side of a toio cube's footprint (toio facts, section 1.1).
pub const CUBE_SIDE_MM: f64 = 31.8;

/// An arrow is as long as the way in this time.
pub const ARROW_S: f64 = 0.25;

/// Times ahead at which a foot's ellipse is drawn.
pub const ELLIPSES_S: [f64; 4] = [0.0, 0.2, 0.4, 0.6];

/// Draws the moments of one run on the mat.
#[derive(Debug)]
pub struct Artist<'a> {
    folder: &'a RunFolder,
    scenario: &'a MatScenario,
    style: Style,
    layout: Layout,
    heat: Heat,
    floor: Floor,
}

impl<'a> Artist<'a> {
    /// Lays out the picture.
    ///
    /// # Errors
    /// If the run is one of another world, the scenario describes no field or mat that could be, or the picture would be too narrow.
    pub fn new(folder: &'a RunFolder, style: Style) -> Result<Self, ViewError> {
        let scenario = folder.mat()?;
        let area = Rect::from_size(scenario.mat.width_mm, scenario.mat.height_mm);
        let plane = Plane { area, unit: "mm", is_y_up: false };
        let layout = Layout::new(plane, panel::height_in_types(folder, scenario), &style)?;
        let heat = Heat::new(scenario, &style.theme.potential)?;
        Ok(Self { folder, scenario, layout, heat, floor: Floor::new(scenario)?, style })
    }

    /// Where places of the mat are in the picture.
    #[must_use]
    pub fn view(&self) -> View {
        self.layout.view
    }

    /// The picture of a moment.
    pub fn draw(&mut self, frame: &Frame) -> Scene {
        let scenario = self.scenario;
        let alarms = Alarms::of(frame, scenario);
        let mut canvas = Canvas::new(&self.layout, &self.style);
        let image = (self.style.shows(Layer::Heat) && self.heat.is_there(frame))
            .then(|| self.heat.image(frame, &self.layout.view));
        self.floor.draw(&mut canvas, image);
        feet::draw(
            &mut canvas,
            frame,
            &feet::Rules { field: self.heat.model(), d_h_mm: scenario.safety.d_h_mm, alarms: &alarms },
        );
        robots::draw(&mut canvas, frame, scenario, &alarms);
        cubes::draw(&mut canvas, frame, &alarms);
        alarms::draw(&mut canvas, frame, scenario, &alarms);
        robots::draw_words(&mut canvas, frame, &alarms);
        grid::draw_frame(&mut canvas, &self.layout, !alarms.is_empty());
        let (folder, heat, floor) = (self.folder, &self.heat, &self.floor);
        let facts = panel::Facts { folder, scenario, frame, alarms: &alarms, heat, floor };
        panel::draw(&mut canvas, &self.layout, &facts);
        canvas.scene
    }
}
