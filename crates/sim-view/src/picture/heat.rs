//! The potential in colours.

use crate::draw::{Diverging, Image};
use crate::folder::Scenario;
use crate::frame::Frame;
use sim_core::{DVec2, ParamError, Rect};
use swarm_field::{Field, FieldModel, FieldParams, Forecast};

/// Pixels along the longer side of the mat, and how small one may be.
const PIXELS: f64 = 320.0;
const LEAST_PIXEL_MM: f64 = 2.0;
/// Colours from one end to the other; an odd number has a middle.
const COLORS: usize = 255;
/// Where the colours end, in depths of a resting foot: patches that lie over each other reach as far.
const EXTENT: f64 = 1.5;

/// The potential of a run's moments.
#[derive(Debug)]
pub(super) struct Heat {
    model: FieldModel,
    field: Field,
    colors: Vec<[u8; 3]>,
    columns: usize,
    rows: usize,
}

impl Heat {
    pub fn new(scenario: &Scenario, map: &Diverging) -> Result<Self, ParamError> {
        let mat = Rect::from_size(scenario.mat.width_mm, scenario.mat.height_mm);
        let spec = &scenario.field;
        let pixel_mm = (mat.size().max_element() / PIXELS).max(LEAST_PIXEL_MM);
        let params = FieldParams {
            lambda_rho: spec.lambda_rho,
            beta_per_s: spec.beta_per_s,
            window_s: spec.window_s,
            cell_mm: pixel_mm.min(spec.sigma_mm),
            sigma_mm: spec.sigma_mm,
            stretch_s: spec.stretch_s,
        };
        let model = FieldModel::new(params, mat)?;
        let field = Field::new(&model);
        let [columns, rows] = mat.size().to_array().map(|side| (side / pixel_mm).ceil().max(1.0) as usize);
        let value = |n: usize| 2.0 * n as f64 / (COLORS - 1) as f64 - 1.0;
        let colors = (0..COLORS).map(|n| map.at(value(n))).collect();
        Ok(Self { model, field, colors, columns, rows })
    }

    pub fn model(&self) -> &FieldModel {
        &self.model
    }

    pub fn is_there(&self, frame: &Frame) -> bool {
        !(frame.feet.is_empty() && frame.patches.is_empty())
    }

    /// The potential at both ends of the colours. Beyond, the colours stay.
    pub fn extent(&self) -> f64 {
        EXTENT * self.model.resting_depth()
    }

    /// The colours from the lowest to the highest.
    pub fn colors(&self) -> &[[u8; 3]] {
        &self.colors
    }

    /// The potential all over the mat.
    pub fn image(&mut self, frame: &Frame) -> Image {
        let forecasts: Vec<Forecast> = frame.feet.iter().map(|foot| foot.ahead.clone()).collect();
        self.field.refresh_with_hills(&self.model, &forecasts, frame.patches.iter().map(|patch| patch.hill));
        let mat = self.model.mat();
        let pixel_mm = mat.size() / DVec2::new(self.columns as f64, self.rows as f64);
        let middle = |column: usize, row: usize| mat.min + pixel_mm * DVec2::new(column as f64 + 0.5, row as f64 + 0.5);
        let places = (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| middle(column, row)));
        Image {
            width: self.columns,
            pixels: places.map(|place| self.color_of(self.field.sample_potential(place))).collect(),
        }
    }

    fn color_of(&self, potential: f64) -> [u8; 3] {
        let extent = self.extent();
        let share = if extent > 0.0 { (potential / extent).clamp(-1.0, 1.0) } else { 0.0 };
        self.colors[(0.5 * (share + 1.0) * (COLORS - 1) as f64).round() as usize]
    }
}
