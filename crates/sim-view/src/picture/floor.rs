//! The mat: its grid, what is printed on it and what stands on it.

use super::canvas::{Canvas, Look};
use super::layout::Layout;
use super::style::Layer;
use crate::draw::{Color, Ink, Path, Shape, font};
use crate::error::ViewError;
use crate::folder::{CardSpec, CubeRow, PrintedSpec, Scenario};
use sim_core::{DVec2, Rect};
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
    pub fn new(scenario: &Scenario) -> Result<Self, ViewError> {
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
        let mat = canvas.view.mat_px();
        let [r, g, b] = theme.potential.at(0.0);
        canvas.draw(Path::rect(mat), Ink::fill(Color { rgb: [r, g, b], alpha: 1.0 }));
        canvas.scene.shapes.extend(heat);
        if canvas.shows(Layer::Grid) {
            draw_grid(canvas);
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

/// Distance between two lines of the grid: about eight cells on the shorter side, in round numbers.
fn grid_step_mm(mat: Rect) -> f64 {
    let aim = mat.size().min_element() / 8.0;
    let steps = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0, 1000.0, 2000.0, 5000.0];
    steps.into_iter().find(|step| *step >= aim).unwrap_or(10_000.0)
}

/// Round places between two ends.
fn marks(low: f64, high: f64, step: f64) -> impl Iterator<Item = f64> {
    let first = (low / step).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(move |n| n as f64 * step)
}

fn draw_grid(canvas: &mut Canvas<'_>) {
    let mat = canvas.view.mat_mm;
    let step = grid_step_mm(mat);
    let mut path = Path::default();
    for x in marks(mat.min.x, mat.max.x, step) {
        path = path.and(Path::line(&[canvas.px(DVec2::new(x, mat.min.y)), canvas.px(DVec2::new(x, mat.max.y))]));
    }
    for y in marks(mat.min.y, mat.max.y, step) {
        path = path.and(Path::line(&[canvas.px(DVec2::new(mat.min.x, y)), canvas.px(DVec2::new(mat.max.x, y))]));
    }
    canvas.draw(path, Ink::line(canvas.theme().ink.faded(0.08), canvas.pen(1.0)));
}

/// Cuts off what reaches beyond the mat's rim, and frames the mat; in alarm if a distance is broken.
pub(super) fn draw_frame(canvas: &mut Canvas<'_>, layout: &Layout, is_alarm: bool) {
    let (theme, sheet, size) = (canvas.theme(), layout.sheet, layout.size);
    let ground = Ink::fill(theme.ground);
    let rect = |x0, y0, x1, y1| Path::rect(Rect { min: DVec2::new(x0, y0), max: DVec2::new(x1, y1) });
    canvas.draw(rect(0.0, 0.0, size.x, sheet.min.y), ground);
    canvas.draw(rect(0.0, sheet.max.y, size.x, size.y), ground);
    canvas.draw(rect(0.0, 0.0, sheet.min.x, size.y), ground);
    canvas.draw(rect(sheet.max.x, 0.0, size.x, size.y), ground);
    let mat = Path::rect(canvas.view.mat_px());
    if is_alarm {
        canvas.draw(Path::rect(sheet), Ink::line(theme.alarm, canvas.pen(7.0)));
        canvas.draw(mat, Ink::line(theme.alarm, canvas.pen(1.5)));
    } else {
        canvas.draw(mat, Ink::line(theme.faint, canvas.pen(1.5)));
    }
    if canvas.shows(Layer::Grid) {
        draw_scale(canvas, layout);
    }
}

/// Millimetres along the left and the lower side.
fn draw_scale(canvas: &mut Canvas<'_>, layout: &Layout) {
    let mat = canvas.view.mat_mm;
    let step = 2.0 * grid_step_mm(mat);
    let look = Look::new(canvas.theme().faint).size(0.8);
    let em = canvas.type_px;
    let unit = |value: f64, end: f64| if value + step > end { format!("{value} mm") } else { format!("{value}") };
    for x in marks(mat.min.x, mat.max.x, step) {
        let at = DVec2::new(canvas.px(DVec2::new(x, 0.0)).x, layout.sheet.max.y + 1.1 * em);
        canvas.write(at, unit(x, mat.max.x), look.middle());
    }
    for y in marks(mat.min.y, mat.max.y, step) {
        let at = DVec2::new(layout.sheet.min.x - 0.4 * em, canvas.px(DVec2::new(0.0, y)).y + 0.3 * em);
        canvas.write(at, format!("{y}"), look.end());
    }
}
