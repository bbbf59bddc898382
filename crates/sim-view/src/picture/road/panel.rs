//! The words and numbers beside the road.

use super::color_of;
use crate::draw::{Color, Ink, Path};
use crate::folder::{CarRow, RoadScenario, RunFolder};
use crate::frame::road::{RoadFrame, TRAIL_S};
use crate::picture::canvas::{Canvas, Look};
use crate::picture::column::{Column, NOTE_LINES};
use crate::picture::grid;
use crate::picture::layout::Layout;
use crate::picture::style::Layer;
use sim_core::{DVec2, Rect};

/// More cars than this are not listed one by one.
const MOST_CARS: usize = 12;

/// What the words are about.
pub(super) struct Facts<'a> {
    pub folder: &'a RunFolder,
    pub scenario: &'a RoadScenario,
    pub frame: &'a RoadFrame,
}

/// Height that the panel of such a scenario needs, in heights of the type.
pub(super) fn height_in_types(folder: &RunFolder, scenario: &RoadScenario) -> f64 {
    let cars = scenario.cars.len().min(MOST_CARS + 1) as f64;
    22.0 + 1.5 * cars + NOTE_LINES * folder.notes().len() as f64
}

pub(super) fn draw(canvas: &mut Canvas<'_>, layout: &Layout, facts: &Facts<'_>) {
    let Some(area) = layout.panel else { return };
    let mut column = Column::new(canvas, area);
    column.heading(facts.folder.record(), facts.frame.time_s, facts.frame.step);
    column.cars(facts);
    column.collisions(facts.frame);
    column.road_key(facts);
    column.notes(facts.folder.notes());
}

impl Column<'_, '_> {
    /// A line for each car.
    fn cars(&mut self, facts: &Facts<'_>) {
        self.rule();
        let width = self.area.size().x;
        let columns = [0.42, 0.72, 1.0].map(|share| self.area.min.x + share * width);
        self.write(self.left(), "car", self.faint().size(0.85));
        for (x, words) in columns.into_iter().zip(["m/s", "steer", "nearest m"]) {
            self.write(self.at(x), words, self.faint().size(0.85).end());
        }
        for car in facts.frame.cars.iter().take(MOST_CARS) {
            self.skip(1.5);
            let has_collided = facts.frame.collided.contains(&car.car);
            let look = if has_collided { Look::new(self.canvas.theme().alarm).bold() } else { self.ink() };
            self.car_sign(color_of(self.canvas.theme(), car.car));
            self.write(self.at(self.area.min.x + self.em(1.1)), car.car.to_string(), look);
            for (x, words) in columns.into_iter().zip(words_of(car, facts)) {
                self.write(self.at(x), words, look.end());
            }
        }
        let more = facts.frame.cars.len().saturating_sub(MOST_CARS);
        if more > 0 {
            self.skip(1.5);
            self.write(self.left(), format!("and {more} more"), self.faint().size(0.85));
        }
    }

    /// A small square in the colour of a car.
    fn car_sign(&mut self, color: Color) {
        let low = self.left() + DVec2::new(0.0, -self.em(0.65));
        let square = Rect { min: low, max: low + DVec2::splat(self.em(0.65)) };
        self.canvas.draw(Path::rect(square), Ink::fill(color));
    }

    /// A bar that says whether cars have hit something.
    fn collisions(&mut self, frame: &RoadFrame) {
        let words = match frame.collided.iter().map(u64::to_string).collect::<Vec<_>>().as_slice() {
            [] => "no collision so far".to_owned(),
            cars if cars.len() > 4 => format!("COLLISION: {} cars", cars.len()),
            [car] => format!("COLLISION: car {car}"),
            cars => format!("COLLISION: cars {}", cars.join(", ")),
        };
        self.verdict_bar(&words, !frame.collided.is_empty(), false);
    }

    /// What the signs on the plane mean, and how long a round number of metres is.
    fn road_key(&mut self, facts: &Facts<'_>) {
        self.rule();
        let theme = self.canvas.theme();
        let (em, pen) = (self.canvas.type_px, self.canvas.pen(2.0));
        let (body, on_body, color) = (theme.robot, theme.on_robot, color_of(theme, 0));
        let half = DVec2::new(0.8, 0.45) * em;
        self.sign("car, true to scale; coloured at its front", |at| {
            let nose = Rect { min: at + DVec2::new(0.5 * half.x, -half.y), max: at + half };
            let hull = Path::rect(Rect { min: at - half, max: at + half });
            vec![(hull, Ink::fill(body).with_line(on_body, 0.4 * pen)), (Path::rect(nose), Ink::fill(color))]
        });
        if self.canvas.shows(Layer::Trails) {
            self.sign(&format!("its way in the last {TRAIL_S} s"), |at| {
                vec![(Path::line(&[at - DVec2::new(half.x, 0.0), at + DVec2::new(half.x, 0.0)]), Ink::line(color, pen))]
            });
        }
        if self.canvas.shows(Layer::Scans) && facts.scenario.has_scans() {
            self.sign("its newest scan, from where it was taken", |at| {
                let fan = [at - DVec2::new(half.x, 0.0), at + DVec2::new(half.x, -half.y), at + half];
                let point = |at: DVec2| Path::circle(at, 0.6 * pen);
                let points = point(fan[1]).and(point(fan[2])).and(point((fan[1] + fan[2]) * 0.5));
                vec![(Path::polygon(&fan), Ink::fill(color.faded(0.2))), (points, Ink::fill(color))]
            });
        }
        self.scale_bar();
    }

    fn scale_bar(&mut self) {
        let length_m = grid::step(self.canvas.view.plane);
        let (length, tick) = (self.canvas.long(length_m), DVec2::new(0.0, 0.3 * self.canvas.type_px));
        let from = self.left() + DVec2::new(self.canvas.pen(1.0), -self.em(0.3));
        let to = from + DVec2::new(length, 0.0);
        let bar = Path::line(&[from - tick, from + tick]).and(Path::line(&[from, to]));
        let ink = Ink::line(self.canvas.theme().ink, self.canvas.pen(1.6));
        self.canvas.draw(bar.and(Path::line(&[to - tick, to + tick])), ink);
        self.write(self.at(to.x + self.em(0.5)), format!("{length_m} m"), self.faint().size(0.85));
        self.skip(1.55);
    }
}

/// Speed, steering and the nearest that the newest scan saw.
fn words_of(car: &CarRow, facts: &Facts<'_>) -> [String; 3] {
    let [steer_rad, ..] = car.steer_rad;
    let steer_deg = format!("{:.1}", steer_rad.to_degrees().abs());
    let steer = match steer_deg.as_str() {
        "0.0" => "straight".to_owned(),
        _ if steer_rad > 0.0 => format!("{steer_deg}\u{b0} left"),
        _ => format!("{steer_deg}\u{b0} right"),
    };
    let scan = facts.frame.scans.iter().find(|scan| scan.car == car.car);
    let nearest = scan.and_then(|scan| scan.nearest_m);
    [format!("{:.2}", car.speed_m_s), steer, nearest.map_or_else(|| "-".to_owned(), |m| format!("{m:.2}"))]
}
