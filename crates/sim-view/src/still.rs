//! A picture of one moment, as a file.

use crate::draw::{pixels, svg};
use crate::error::ViewError;
use crate::file::NewFile;
use crate::folder::RunFolder;
use crate::palette::Palette;
use crate::picture::{FrameRenderer, Style};
use std::ffi::OsStr;
use std::path::Path;

/// Which moment, and how it is written.
#[derive(Clone, Copy, Debug)]
pub struct Still {
    /// The moment; by default the middle of the run.
    pub at_s: Option<f64>,
    /// Pixels for each px.
    pub scale: f64,
    /// Whether a PNG may have few colours, for a file a third as large.
    pub few_colors: bool,
    /// Whether a file that is there may be replaced.
    pub overwrite: bool,
}

/// Draws the row that is nearest to a moment into a `.png` or `.svg` file, and says which moment that was.
///
/// # Errors
/// If the moment is not in the run, the name has another ending, a row is wrong, or the file cannot be written.
pub fn write(folder: &RunFolder, style: Style, still: &Still, out: &Path) -> Result<f64, ViewError> {
    let ending = out.extension().and_then(OsStr::to_str).unwrap_or_default().to_ascii_lowercase();
    if !["png", "svg"].contains(&ending.as_str()) {
        return Err(ViewError::Wrong(format!("{}: a picture is called .png or .svg", out.display())));
    }
    let file = NewFile::claim(out, still.overwrite)?;
    let theme = style.theme.clone();
    let time_s = folder.span().nearest_row_s(moment(folder, still.at_s)?);
    let scene = FrameRenderer::new(folder, style)?.at(time_s)?;
    if ending == "svg" {
        file.write(svg::document(&scene, still.scale).as_bytes())?;
        return Ok(time_s);
    }
    let pixmap = pixels::paint(&scene, still.scale)?;
    let png = if still.few_colors {
        let mut palette = Palette::new(&theme, folder.view());
        pixels::indexed_png(&pixmap, &palette.indices(&pixmap), palette.bytes())
    } else {
        pixels::png(&pixmap)
    };
    file.write(&png.map_err(|error| ViewError::io("draw", out, error))?)?;
    Ok(time_s)
}

fn moment(folder: &RunFolder, at_s: Option<f64>) -> Result<f64, ViewError> {
    let span = folder.span();
    let (first_s, last_s) = (span.first.time_s, span.last.time_s);
    match at_s {
        None => Ok(0.5 * (first_s + last_s)),
        Some(at_s) if at_s >= first_s - 1e-9 && at_s <= last_s + 1e-9 => Ok(at_s),
        Some(at_s) => {
            Err(ViewError::Wrong(format!("{at_s} s is not in the run, which goes from {first_s} s to {last_s} s")))
        }
    }
}
