//! A moment of a run on the road as a picture: walls, cars in their outlines with their trails and scans, and a panel with the numbers.
//! Lengths in m, x right, y up.

mod body;
pub(crate) mod course;
mod panel;
mod scans;

use super::canvas::Canvas;
use super::grid;
use super::layout::{Layout, View};
use super::style::{Layer, Style};
use crate::draw::{Color, Ink, Path, Scene};
use crate::error::ViewError;
use crate::folder::{CarRow, RoadScenario, RunFolder};
use crate::frame::road::RoadFrame;
use crate::theme::Theme;
use course::Course;
use sim_core::DVec2;

/// How strongly the room that a lidar sees has its car's colour; less where there are more lidars than car colours.
pub(crate) const SEEN: f64 = 0.12;

/// Draws the moments of one run on the road.
#[derive(Debug)]
pub struct RoadArtist<'a> {
    folder: &'a RunFolder,
    scenario: &'a RoadScenario,
    style: Style,
    layout: Layout,
    course: Course,
}

impl<'a> RoadArtist<'a> {
    /// Lays out the picture. Reads all places of the cars, so that none drives out of it.
    ///
    /// # Errors
    /// If the run is one of another world, a row is wrong, or the picture would be too narrow.
    pub fn new(folder: &'a RunFolder, style: Style) -> Result<Self, ViewError> {
        let scenario = folder.road()?;
        let layout = Layout::new(course::plane(folder, scenario)?, panel::height_in_types(folder, scenario), &style)?;
        Ok(Self { folder, scenario, layout, course: Course::new(&scenario.map), style })
    }

    /// Where places of the plane are in the picture.
    #[must_use]
    pub fn view(&self) -> View {
        self.layout.view
    }

    /// The picture of a moment.
    #[must_use]
    pub fn draw(&self, frame: &RoadFrame) -> Scene {
        let mut canvas = Canvas::new(&self.layout, &self.style);
        self.course.draw_floor(&mut canvas);
        if canvas.shows(Layer::Grid) {
            grid::draw(&mut canvas);
        }
        if canvas.shows(Layer::Scans) {
            let strength = SEEN * (self.style.theme.series.len() as f64 / frame.scans.len() as f64).min(1.0);
            frame.scans.iter().for_each(|scan| scans::draw_seen(&mut canvas, scan, strength));
        }
        self.course.draw_walls(&mut canvas);
        if canvas.shows(Layer::Trails) {
            frame.cars.iter().zip(&frame.trails_m).for_each(|(car, trail_m)| draw_trail(&mut canvas, car, trail_m));
        }
        for car in &frame.cars {
            if let Some(spec) = self.scenario.cars.get(car.car as usize) {
                body::draw(&mut canvas, car, &spec.params, frame.collided.contains(&car.car));
            }
        }
        if canvas.shows(Layer::Scans) {
            frame.scans.iter().for_each(|scan| scans::draw_hits(&mut canvas, scan));
        }
        grid::draw_frame(&mut canvas, &self.layout, !frame.collided.is_empty());
        panel::draw(&mut canvas, &self.layout, &panel::Facts { folder: self.folder, scenario: self.scenario, frame });
        canvas.scene
    }
}

/// The colour of a car's front, trail and scan.
fn color_of(theme: &Theme, car: u64) -> Color {
    theme.series[(car % theme.series.len() as u64) as usize]
}

/// The way of the last seconds, the fainter the older.
fn draw_trail(canvas: &mut Canvas<'_>, car: &CarRow, trail_m: &[DVec2]) {
    const PARTS: usize = 4;
    let color = color_of(canvas.theme(), car.car);
    let places: Vec<DVec2> = trail_m.iter().map(|&place_m| canvas.px(place_m)).collect();
    let legs = places.len().saturating_sub(1);
    for part in 0..PARTS {
        let [from, to] = [part, part + 1].map(|part| legs * part / PARTS);
        if to > from {
            let strength = 0.25 + 0.2 * part as f64;
            canvas.draw(Path::line(&places[from..=to]), Ink::line(color.faded(strength), canvas.pen(2.0)));
        }
    }
}
