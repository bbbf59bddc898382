//! The map of the bottom that multibeams and echo sounders make, at the places where vehicles believe to be, and how far it is wrong.
//!
//! ```text
//! sounding   the place at the distance that a beam read, along the beam, from where the vehicle believed to be as it believed to be turned
//! cell       the mean height of the soundings in it
//! error      that height less the height of the bottom in the middle of the cell
//! coverage   cells with a sounding, as a share of all
//! ```
//!
//! A vehicle with a driver believes what its navigator reckons and its inertial unit reads; one without knows where it is. What lies on
//! the bottom counts as an error. The map looks on: nothing in a run depends on it.

use crate::model::{SeaModel, SensorKind, VehicleSetup};
use crate::pilot::DriverModel;
use crate::readings::Readings;
use crate::senses;
use crate::sonar::Device;
use crate::streams::moment;
use crate::world::{SeaWorld, VehicleRun};
use sea_sim::attitude::RollPitchYaw;
use sea_sim::terrain::Terrain;
use sim_core::{DVec2, DVec3, ops};
use sim_world::{Cadence, Column, RowSink, Stream, Value};

/// Most cells of a map.
const CELLS_MAX: f64 = 1_000_000.0;

/// The cells of a map. Fixed for a run.
#[derive(Clone, Debug)]
pub(crate) struct MapGrid {
    from_m: DVec2,
    pub cell_m: f64,
    columns: usize,
    /// Height of the bottom in the middle of each cell, row by row from south, in a row from west to east, m.
    bottom_z_m: Vec<f64>,
}

impl MapGrid {
    /// Whole cells over a terrain with borders, from its south-western corner on.
    ///
    /// # Errors
    /// What is wrong, as a clause that follows the key of the cells.
    pub fn new(terrain: Option<&Terrain>, cell_m: f64) -> Result<Self, String> {
        let Some(Terrain::Grid(grid)) = terrain else {
            return Err("cannot be mapped: the terrain has no borders".to_owned());
        };
        let [low, high] = grid.span_m();
        let cells = ((high - low) / cell_m + 1e-9).floor();
        if !(1.0..=CELLS_MAX).contains(&(cells.x * cells.y)) {
            return Err(format!(
                "is {cell_m}, which makes {} by {} cells, must be from 1 to {CELLS_MAX}",
                cells.x, cells.y
            ));
        }
        let (columns, rows) = (cells.x as usize, cells.y as usize);
        let middle = |n: usize| low + cell_m * (DVec2::new((n % columns) as f64, (n / columns) as f64) + 0.5);
        let z_m = |n| grid.ground(middle(n).x, middle(n).y).map_or(f64::NAN, |ground| ground.z_m);
        Ok(Self { from_m: low, cell_m, columns, bottom_z_m: (0..columns * rows).map(z_m).collect() })
    }

    fn cell(&self, place_m: DVec3) -> Option<usize> {
        let place = (place_m.truncate() - self.from_m) / self.cell_m;
        let is_inside = place.min_element() >= 0.0 && place.x < self.columns as f64;
        let cell = place.y as usize * self.columns + place.x as usize;
        (is_inside && cell < self.bottom_z_m.len()).then_some(cell)
    }

    fn middle_m(&self, cell: usize) -> DVec2 {
        self.from_m + self.cell_m * (DVec2::new((cell % self.columns) as f64, (cell / self.columns) as f64) + 0.5)
    }
}

/// Soundings of a cell.
#[derive(Clone, Copy, Debug, Default)]
struct Soundings {
    count: u32,
    sum_z_m: f64,
}

impl Soundings {
    fn mean_z_m(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum_z_m / f64::from(self.count))
    }
}

/// The map of a run while it grows.
#[derive(Clone, Debug, Default)]
pub(crate) struct SurveyMap {
    cells: Vec<Soundings>,
    /// Whether the run is over.
    is_whole: bool,
}

/// Where a vehicle believes to be and how it believes to be turned: place, m, and roll, pitch and yaw, rad.
pub(crate) fn believed(model: &SeaModel, setup: &VehicleSetup, run: &VehicleRun) -> [f64; 6] {
    let body = &run.motion.body;
    let is_driven = !matches!(setup.driver, DriverModel::None);
    let place_m = if is_driven { run.pilot.navigator.place_m() } else { body.position_m };
    let read = is_driven.then(|| senses::heard(model, setup, &run.sensors).attitude).flatten();
    let RollPitchYaw { roll_rad, pitch_rad, yaw_rad } = read.unwrap_or_else(|| RollPitchYaw::from_quat(body.attitude));
    [place_m.x, place_m.y, place_m.z, roll_rad, pitch_rad, yaw_rad]
}

impl SurveyMap {
    pub fn new(model: &SeaModel) -> Self {
        let cells = model.map.as_ref().map_or(0, |grid| grid.bottom_z_m.len());
        Self { cells: vec![Soundings::default(); cells], is_whole: false }
    }

    /// Adds the soundings that arrived.
    pub fn add(&mut self, model: &SeaModel, readings: &Readings) {
        let Some(grid) = &model.map else { return };
        for arrival in readings.arrivals() {
            let SensorKind::Sonar(kind, place) = arrival.kind else { continue };
            let Some(own) = model.vehicles[arrival.vehicle].sonar(kind, place) else { continue };
            let lists = own.lists(readings.values(arrival));
            let (Device::Beams(beams), &[x, y, z, roll_rad, pitch_rad, yaw_rad]) = (&own.device, lists.head) else {
                continue;
            };
            let (position_in_body_m, body_from_sensor) = own.mounted();
            let world_from_body = RollPitchYaw { roll_rad, pitch_rad, yaw_rad }.to_quat();
            let sensor_m = DVec3::new(x, y, z) + world_from_body * position_in_body_m;
            let world_from_sensor = world_from_body * body_from_sensor;
            for (beam, &range_m) in (0..).zip(lists.first).filter(|(_, range_m)| range_m.is_finite()) {
                let (sin, cos) = ops::sin_cos(beams.params().beam_angle_rad(beam));
                let place_m = sensor_m + world_from_sensor * DVec3::new(0.0, -sin, -cos) * range_m;
                if let Some(cell) = grid.cell(place_m) {
                    self.cells[cell].count += 1;
                    self.cells[cell].sum_z_m += place_m.z;
                }
            }
        }
    }

    /// Ends the run: the map is written.
    pub fn finish(&mut self) {
        self.is_whole = true;
    }

    /// Share of the cells with a sounding, and root of the mean square of their errors, m; not a number without a map or a sounding.
    pub fn measures(&self, model: &SeaModel) -> [f64; 2] {
        let Some(grid) = &model.map else { return [f64::NAN; 2] };
        let errors = self.cells.iter().zip(&grid.bottom_z_m).filter_map(|(cell, z_m)| Some(cell.mean_z_m()? - z_m));
        let (count, squares) = errors.fold((0.0, 0.0), |(count, sum), error| (count + 1.0, sum + error * error));
        [count / self.cells.len() as f64, (squares / count).sqrt()]
    }
}

/// The stream of the map; none without one.
pub(crate) fn stream(model: &SeaModel) -> Option<Stream> {
    let grid = model.map.as_ref()?;
    let columns = Column::moment().into_iter().chain([
        Column::number("x_m", "middle of the cell, east"),
        Column::number("y_m", "middle of the cell, north"),
        Column::integer("soundings", "soundings in the cell"),
        Column::number("z_m", "mean height of the soundings; missing without one"),
        Column::number("bottom_z_m", "height of the bottom in the middle of the cell"),
        Column::number("error_m", "height of the soundings less that of the bottom; missing without a sounding"),
    ]);
    let at_most = Some(grid.bottom_z_m.len() as u64);
    Some(Stream::new("map", "a cell of the map of the bottom, at the end", Cadence::OnEvent { at_most }, columns))
}

/// Hands its rows on, at the end of the run.
pub(crate) fn rows(world: &SeaWorld, out: &mut RowSink<'_>) {
    let model = world.model();
    let Some(grid) = model.map.as_ref().filter(|_| world.map().is_whole) else { return };
    let [step, time_s] = moment(world);
    for (cell, (soundings, &bottom_z_m)) in world.map().cells.iter().zip(&grid.bottom_z_m).enumerate() {
        let [x, y] = grid.middle_m(cell).to_array().map(Value::Number);
        let z_m = soundings.mean_z_m();
        let (count, error_m) = (u64::from(soundings.count), z_m.map(|z_m| z_m - bottom_z_m));
        out(&[step, time_s, x, y, count.into(), z_m.into(), bottom_z_m.into(), error_m.into()]);
    }
}
