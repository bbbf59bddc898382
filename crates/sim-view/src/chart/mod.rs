//! Charts of a run: values of one of its streams in colours, as `view.json` lists them.

mod values;

use crate::draw::{Scene, pixels, svg};
use crate::error::ViewError;
use crate::file::NewFile;
use crate::folder::RunFolder;
use crate::picture::gradient;
use crate::plot::{self, ColorField, Quantity, color_field, with_one_scale};
use crate::theme::Theme;
use sim_core::DVec2;
use sim_world::view::{Chart, ChartLayout};
use std::ffi::OsStr;
use std::path::Path;
use values::Values;

/// Colours of a chart.
const COLORS: usize = 256;
/// Height of a waterfall as a share of its width.
const WATERFALL: f64 = 1.25;

/// How a chart is drawn.
#[derive(Clone, Debug)]
pub struct ChartStyle {
    /// Its width, px.
    pub width_px: f64,
    /// Pixels for each px.
    pub scale: f64,
    /// Its colours.
    pub theme: Theme,
    /// The moment; by default the end of the run.
    pub at_s: Option<f64>,
    /// Whether a file that is there may be replaced.
    pub overwrite: bool,
}

/// Draws the chart of a name into a `.png` or `.svg` file, and returns how many rows it shows.
///
/// # Errors
/// As [`draw`], or if the file has another ending or cannot be written.
pub fn write(folder: &RunFolder, name: &str, style: &ChartStyle, out: &Path) -> Result<usize, ViewError> {
    let ending = out.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    if !["png", "svg"].contains(&ending.as_str()) {
        return Err(ViewError::Wrong(format!("{}: a picture is called .png or .svg", out.display())));
    }
    let file = NewFile::claim(out, style.overwrite)?;
    let (scene, rows) = draw(folder, name, style)?;
    if ending == "svg" {
        file.write(svg::document(&scene, style.scale).as_bytes())?;
    } else {
        let png = pixels::png(&pixels::paint(&scene, style.scale)?);
        file.write(&png.map_err(|error| ViewError::io("draw", out, error))?)?;
    }
    Ok(rows)
}

/// The chart of a name, and how many rows it shows.
///
/// # Errors
/// If the run has no such chart or no rows for it, or a row is wrong.
pub fn draw(folder: &RunFolder, name: &str, style: &ChartStyle) -> Result<(Scene, usize), ViewError> {
    let charts = &folder.view().charts;
    let chart = charts.iter().find(|chart| chart.name == name).ok_or_else(|| {
        let names: Vec<&str> = charts.iter().map(|chart| chart.name.as_str()).collect();
        let known =
            if names.is_empty() { "it has none".to_owned() } else { format!("its charts are {}", names.join(", ")) };
        ViewError::Wrong(format!("the run has no chart {name:?}; {known}"))
    })?;
    let values = Values::read(folder, chart, style.at_s.unwrap_or(f64::INFINITY))?;
    if values.is_empty() {
        let words = format!("{} has no rows for the chart {name:?}", crate::folder::file_of(&chart.stream));
        return Err(ViewError::Wrong(words));
    }
    Ok((scene(chart, &values, style), values.len()))
}

fn scene(chart: &Chart, values: &Values, style: &ChartStyle) -> Scene {
    let colors = gradient(&style.theme, &chart.colors, COLORS);
    let field = ColorField { colors: &colors, range: values.range(chart), words: &chart.words };
    let [x_range, y_range] = values.ranges();
    let (x, y) = match &chart.layout {
        ChartLayout::Waterfall { across, .. } => (Quantity::new(across.as_str(), ""), Quantity::new("time", "s")),
        ChartLayout::Cells { place: [x, y], .. } => (Quantity::new(x.as_str(), ""), Quantity::new(y.as_str(), "")),
        ChartLayout::Sectors { .. } => (Quantity::new("to the right", ""), Quantity::new("ahead", "")),
    };
    let axes = [(&x, x_range), (&y, y_range)];
    let size = DVec2::new(style.width_px, WATERFALL * style.width_px);
    let whole = plot::Chart { size, ..plot::Chart::new(&*chart.title, &style.theme) };
    let drawn = match &chart.layout {
        ChartLayout::Waterfall { .. } => whole,
        ChartLayout::Cells { .. } | ChartLayout::Sectors { .. } => with_one_scale(&whole, axes),
    };
    color_field(&drawn, axes, &field, |place| values.at(place))
}
