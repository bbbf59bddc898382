//! The mat: its grid, what is printed on it and what stands on it.

use super::canvas::{Canvas, Look};
use super::grid;
use super::style::Layer;
use crate::draw::{Ink, Path, Shape, font};
use crate::error::ViewError;
use crate::folder::{CardSpec, CubeRow, MatScenario, PrintedSpec};
use sim_core::DVec2;
use toio_mat::{
    Card, CenterPoint, DotRange, Ground, Mat, MatKind, MatScale, PlanePose, Printed, STANDARD_ITEMS, StandardItem,
};

/// A cube that is lifted higher reads nothing (toio facts, section 3).
const SENSOR_REACH_MM: f64 = 5.0;

/// What lies on the plane for the whole run.
#[derive(Debug)]
pub(super) struct Floor {
    ground: Ground,
    walls: Vec<[DVec2; 4]>,
}

impl Floor {
    pub fn new(scenario: &MatScenario) -> Result<Self, ViewError> {
        let mut ground = Ground::default();
        let scale = MatScale::new(scenario.mat.dot_per_m)?;
        for spec in &scenario.mat.printed {
            ground.add_mat(Mat::new(kind_of(spec)?, scale, pose([spec.x_mm, spec.y_mm], spec.yaw_deg))?);
        }
        for spec in &scenario.cards {
            ground.add_card(card_of(spec)?);
        }
        let walls = scenario.mat.walls.iter().map(|wall| {
            let [from, to] = [wall.from_mm, wall.to_mm].map(DVec2::from_array);
            let side = (to - from).normalize_or_zero().perp() * (0.5 * wall.thickness_mm);
            [from + side, to + side, to - side, from - side]
        });
        Ok(Self { ground, walls: walls.collect() })
    }

    /// What a cube stands on, in words; nothing if it reads nothing.
    pub fn under(&self, cube: &CubeRow) -> Option<String> {
        if cube.z_mm > SENSOR_REACH_MM {
            return None;
        }
        let center = PlanePose { position_mm: cube.position_mm, heading_rad: cube.yaw_rad };
        let sensor = CenterPoint::BODY_CENTER.sensor_from_center(center);
        match (self.ground.printed_under(sensor, CenterPoint::BODY_CENTER), cube.mat) {
            (Printed::Standard(read), _) => Some(format!("card {}", title_of(read.value))),
            (_, Some([x, y, degrees])) => Some(format!("({x}, {y}) {degrees}\u{b0}")),
            _ => None,
        }
    }

    /// The mat with the potential, if it is shown, and what is printed.
    pub fn draw(&self, canvas: &mut Canvas<'_>, heat: Option<Shape>) {
        let theme = canvas.theme();
        canvas.draw(Path::rect(canvas.view.plane_px()), Ink::fill(theme.floor()));
        canvas.scene.shapes.extend(heat);
        if canvas.shows(Layer::Grid) {
            grid::draw(canvas);
        }
        for printed in self.ground.mats() {
            let corners = printed.corners_mm().map(|corner| canvas.px(corner));
            canvas.draw(
                Path::polygon(&corners),
                Ink::fill(theme.ink.faded(0.05)).with_line(theme.faint, canvas.pen(1.2)),
            );
            let low = corners.iter().copied().reduce(DVec2::min).unwrap_or_default();
            let at = low + DVec2::new(0.4, 1.1) * canvas.type_px;
            canvas.write(at, printed.kind().name(), Look::new(theme.faint).size(0.8));
        }
        for card in self.ground.cards() {
            let corners = card.corners_mm().map(|corner| canvas.px(corner));
            canvas.draw(
                Path::polygon(&corners),
                Ink::fill(theme.patch.faded(0.22)).with_line(theme.patch, canvas.pen(1.5)),
            );
            let title = title_of(card.value());
            let room = 0.94 * canvas.long(card.size_mm().x) / font::width(&title, 1.0);
            let look = Look::new(theme.patch).size(0.8_f64.min(room / canvas.type_px)).middle();
            let at = canvas.px(card.pose().position_mm) + DVec2::new(0.0, 0.37 * look.size) * canvas.type_px;
            canvas.write(at, title, look);
        }
        for wall in &self.walls {
            canvas.draw(Path::polygon(&wall.map(|corner| canvas.px(corner))), Ink::fill(theme.faint));
        }
    }
}

fn pose([x_mm, y_mm]: [f64; 2], yaw_deg: f64) -> PlanePose {
    PlanePose::new(x_mm, y_mm, yaw_deg.to_radians())
}

fn kind_of(spec: &PrintedSpec) -> Result<MatKind, ViewError> {
    let kind: MatKind = spec.kind.parse().map_err(|error| ViewError::Wrong(format!("scenario.json: {error}")))?;
    match (kind, spec.range_dot) {
        (MatKind::Custom(_), Some([x1, y1, x2, y2])) => Ok(MatKind::Custom(DotRange::new([x1, y1], [x2, y2])?)),
        (kind, _) => Ok(kind),
    }
}

fn card_of(spec: &CardSpec) -> Result<Card, ViewError> {
    let place = pose([spec.x_mm, spec.y_mm], spec.yaw_deg);
    if let Some(item) = &spec.item {
        let item: StandardItem = item.parse().map_err(|error| ViewError::Wrong(format!("scenario.json: {error}")))?;
        return Ok(Card::new(item, place)?);
    }
    match (spec.value, spec.size_mm) {
        (Some(value), Some(size_mm)) => Ok(Card::sized(value, size_mm, place)?),
        _ => Err(ViewError::Wrong("scenario.json: a card has neither an item nor a value and a size".into())),
    }
}

fn title_of(value: u32) -> String {
    let item = STANDARD_ITEMS.iter().find(|item| item.value == value);
    item.map_or_else(|| value.to_string(), |item| item.title.to_owned())
}
