//! The potential in colours.

use super::layout::View;
use crate::draw::{Diverging, Image, Shape};
use crate::folder::MatScenario;
use crate::frame::Frame;
use sim_core::{DVec2, ParamError, Rect};
use swarm_field::{Field, FieldModel, FieldParams, Forecast};

/// Cells of the grid along the longer side of the mat, and how small one may be.
const CELLS: f64 = 320.0;
const LEAST_CELL_MM: f64 = 2.0;
/// Colours from one end to the other; an odd number has a middle.
const COLORS: usize = 255;
/// Where the colours end, in depths of a resting foot: patches that lie over each other reach as far.
const EXTENT: f64 = 1.2;

/// The potential of a run's moments.
#[derive(Debug)]
pub(super) struct Heat {
    model: FieldModel,
    field: Field,
    colors: Vec<[u8; 3]>,
}

impl Heat {
    pub fn new(scenario: &MatScenario, map: &Diverging) -> Result<Self, ParamError> {
        let mat = Rect::from_size(scenario.mat.width_mm, scenario.mat.height_mm);
        let spec = &scenario.field;
        let cell_mm = (mat.size().max_element() / CELLS).max(LEAST_CELL_MM);
        let params = FieldParams {
            lambda_rho: spec.lambda_rho,
            beta_per_s: spec.beta_per_s,
            window_s: spec.window_s,
            cell_mm: cell_mm.min(spec.sigma_mm),
            sigma_mm: spec.sigma_mm,
            stretch_s: spec.stretch_s,
        };
        let model = FieldModel::new(params, mat)?;
        let field = Field::new(&model);
        let value = |n: usize| 2.0 * n as f64 / (COLORS - 1) as f64 - 1.0;
        let colors = (0..COLORS).map(|n| map.at(value(n))).collect();
        Ok(Self { model, field, colors })
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

    /// The potential all over the mat, a pixel of the image for each px of the picture.
    pub fn image(&mut self, frame: &Frame, view: &View) -> Shape {
        let forecasts: Vec<Forecast> = frame.feet.iter().map(|foot| foot.ahead.clone()).collect();
        self.field.refresh_with_hills(&self.model, &forecasts, frame.patches.iter().map(|patch| patch.hill));
        let mat = view.plane_px();
        let area = Rect { min: mat.min.floor(), max: mat.max.ceil() };
        let [width, height] = area.size().to_array().map(|side| side as usize);
        let pixels = (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
        let place =
            |(column, row): (usize, usize)| view.place(area.min + DVec2::new(column as f64 + 0.5, row as f64 + 0.5));
        let pixels = pixels.map(|pixel| self.color_of(self.field.sample_potential(place(pixel)))).collect();
        Shape::Image(area, Image { width, pixels })
    }

    fn color_of(&self, potential: f64) -> [u8; 3] {
        let extent = self.extent();
        let share = if extent > 0.0 { (potential / extent).clamp(-1.0, 1.0) } else { 0.0 };
        self.colors[(0.5 * (share + 1.0) * (COLORS - 1) as f64).round() as usize]
    }
}
