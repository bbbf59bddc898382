//! The walls, and how far the picture reaches.

use crate::draw::{Ink, Path};
use crate::error::ViewError;
use crate::folder::{CarParamsSpec, CarRow, CarSpec, Corners, MapSpec, RoadScenario, RunFolder};
use crate::picture::canvas::Canvas;
use crate::picture::layout::Plane;
use sim_core::{DVec2, Rect};

/// Room round what is shown, in lengths of its longer side, and the least of it.
const MARGIN: f64 = 0.02;
const LEAST_MARGIN_M: f64 = 0.25;

/// What stands on the plane for the whole run.
#[derive(Debug)]
pub(super) struct Course {
    walls_m: Vec<Vec<DVec2>>,
    floor_m: Vec<Vec<DVec2>>,
    solid_m: Vec<Vec<DVec2>>,
}

impl Course {
    pub fn new(map: &MapSpec) -> Self {
        let places = |lists: &[Corners]| {
            lists.iter().map(|corners| corners.iter().copied().map(DVec2::from_array).collect()).collect()
        };
        Self { walls_m: places(&map.walls_m), floor_m: places(&map.floor_m), solid_m: places(&map.solid_m) }
    }

    /// The plane, and what of it is solid.
    pub fn draw_floor(&self, canvas: &mut Canvas<'_>) {
        let theme = canvas.theme();
        let (floor, solid) = (Ink::fill(theme.floor()), Ink::fill(theme.solid));
        let plane = Path::rect(canvas.view.plane_px());
        if self.floor_m.is_empty() {
            canvas.draw(plane, floor);
            canvas.draw(rings(canvas, &self.solid_m), solid.with_holes());
        } else {
            canvas.draw(plane, solid);
            canvas.draw(rings(canvas, &self.floor_m), floor.with_holes());
        }
    }

    pub fn draw_walls(&self, canvas: &mut Canvas<'_>) {
        let ink = Ink::line(canvas.theme().ink, canvas.pen(1.8));
        let lines = self.walls_m.iter().map(|wall| Path::line(&px(canvas, wall)));
        let path = lines.fold(rings(canvas, &self.floor_m).and(rings(canvas, &self.solid_m)), Path::and);
        canvas.draw(path, ink);
    }
}

fn px(canvas: &Canvas<'_>, places_m: &[DVec2]) -> Vec<DVec2> {
    places_m.iter().map(|&place_m| canvas.px(place_m)).collect()
}

fn rings(canvas: &Canvas<'_>, rings_m: &[Vec<DVec2>]) -> Path {
    rings_m.iter().fold(Path::default(), |path, ring_m| path.and(Path::polygon(&px(canvas, ring_m))))
}

/// The part of the plane that holds all walls and wherever the cars are in the run.
pub(crate) fn plane(folder: &RunFolder, scenario: &RoadScenario) -> Result<Plane, ViewError> {
    let MapSpec { walls_m, floor_m, solid_m } = &scenario.map;
    let corners = walls_m.iter().chain(floor_m).chain(solid_m).flatten().copied().map(DVec2::from_array);
    let mut area = corners.map(|corner| Rect { min: corner, max: corner }).reduce(joined);
    let mut table = folder.steps::<CarRow>()?;
    let mut rows = Vec::new();
    while let Some(table) = &mut table
        && table.next_step(&mut rows)?.is_some()
    {
        for row in &rows {
            let spec = scenario.cars.get(row.car as usize).ok_or_else(|| no_such_car(row, scenario.cars.len()))?;
            let reach = DVec2::splat(reach_m(spec));
            let around = Rect { min: row.position_m - reach, max: row.position_m + reach };
            area = Some(area.map_or(around, |area| joined(area, around)));
        }
    }
    let area = area.unwrap_or(Rect { min: DVec2::ZERO, max: DVec2::ONE });
    let margin = DVec2::splat((MARGIN * area.size().max_element()).max(LEAST_MARGIN_M));
    Ok(Plane { area: Rect { min: area.min - margin, max: area.max + margin }, unit: "m", is_y_up: true })
}

fn joined(a: Rect, b: Rect) -> Rect {
    Rect { min: a.min.min(b.min), max: a.max.max(b.max) }
}

/// Farthest that a car's body is from its base point.
fn reach_m(spec: &CarSpec) -> f64 {
    let CarParamsSpec { body_length_m, body_width_m, base_to_rear_bumper_m, .. } = spec.params;
    let longest_m = base_to_rear_bumper_m.max(body_length_m - base_to_rear_bumper_m);
    DVec2::new(longest_m, 0.5 * body_width_m).length()
}

fn no_such_car(row: &CarRow, cars: usize) -> ViewError {
    let (step, car) = (row.moment.step, row.car);
    ViewError::Wrong(format!("cars.csv: car {car} in step {step} is none of the scenario's, which has {cars}"))
}
