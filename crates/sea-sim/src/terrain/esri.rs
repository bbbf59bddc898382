//! Height grids as ESRI ASCII text.
//!
//! A head of `ncols`, `nrows`, `xllcorner` or `xllcenter`, `yllcorner` or `yllcenter`, `cellsize` and, if one likes, `NODATA_value`, a key
//! and a number a line in any case of letters; then the heights, row by row from north, in a row from west to east, separated by any white
//! space. A height belongs to the centre of its cell. Source: Esri, ArcGIS documentation, "Esri ASCII raster format".

use super::grid::{HeightGrid, HeightGridParams, Material};
use sim_core::{DVec2, ParamError};

/// What the head says.
#[derive(Clone, Copy, Debug, Default)]
struct Head {
    columns: Option<usize>,
    rows: Option<usize>,
    x_m: Option<f64>,
    y_m: Option<f64>,
    /// Whether x and y are those of the outer corner of the first cell.
    x_is_corner: bool,
    y_is_corner: bool,
    cell_m: Option<f64>,
    missing: Option<f64>,
}

impl HeightGrid {
    /// A grid out of ESRI ASCII text, all of one material.
    ///
    /// # Errors
    /// If a key of the head is unknown or missing, a height is not a number or stands for "no data", or their number is not that of the
    /// head.
    pub fn from_esri_ascii(text: &str, material: Material) -> Result<Self, ParamError> {
        let mut head = Head::default();
        let mut words = text.split_ascii_whitespace().peekable();
        while let Some(&key) =
            words.peek().filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
        {
            // Heights that are not numbers begin with a letter too.
            if head.is_complete() && !key.eq_ignore_ascii_case("nodata_value") {
                break;
            }
            words.next();
            head.set(key, words.next().unwrap_or("nothing"))?;
        }
        let (columns, rows) = (needed("ncols", head.columns)?, needed("nrows", head.rows)?);
        let cell_m = needed("cellsize", head.cell_m)?;
        let corner = |at: f64, is_corner: bool| if is_corner { at + 0.5 * cell_m } else { at };
        let origin_m = DVec2::new(
            corner(needed("xllcorner", head.x_m)?, head.x_is_corner),
            corner(needed("yllcorner", head.y_m)?, head.y_is_corner),
        );
        let mut heights_m = read_heights(words, columns, head.missing)?;
        if columns.checked_mul(rows) != Some(heights_m.len()) {
            let message = format!("has {} heights, must have {rows} rows of {columns}", heights_m.len());
            return Err(ParamError::new("heights_m", message));
        }
        reverse_rows(&mut heights_m, columns);
        Self::new(HeightGridParams { origin_m, cell_m, columns, rows, heights_m, materials: vec![material] })
    }
}

impl Head {
    fn is_complete(&self) -> bool {
        self.columns.is_some()
            && self.rows.is_some()
            && self.x_m.is_some()
            && self.y_m.is_some()
            && self.cell_m.is_some()
    }

    fn set(&mut self, key: &str, word: &str) -> Result<(), ParamError> {
        let lower = key.to_ascii_lowercase();
        match lower.as_str() {
            "ncols" => self.columns = Some(whole("ncols", word)?),
            "nrows" => self.rows = Some(whole("nrows", word)?),
            "xllcorner" | "xllcenter" => {
                (self.x_m, self.x_is_corner) = (Some(number("xllcorner", word)?), lower == "xllcorner");
            }
            "yllcorner" | "yllcenter" => {
                (self.y_m, self.y_is_corner) = (Some(number("yllcorner", word)?), lower == "yllcorner");
            }
            "cellsize" => self.cell_m = Some(number("cellsize", word)?),
            "nodata_value" => self.missing = Some(number("NODATA_value", word)?),
            _ => return Err(ParamError::new("head", format!("has the unknown key {key}"))),
        }
        Ok(())
    }
}

/// Heights row by row as they stand in the text.
fn read_heights<'a>(
    words: impl Iterator<Item = &'a str>,
    columns: usize,
    missing: Option<f64>,
) -> Result<Vec<f64>, ParamError> {
    let mut heights_m = Vec::new();
    let (mut gaps, mut first_gap) = (0_usize, 0);
    for (index, word) in words.enumerate() {
        let Some(height_m) = word.parse::<f64>().ok().filter(|height_m| height_m.is_finite()) else {
            let message = format!("has \"{word}\" in {}, must be a number", place(index, columns));
            return Err(ParamError::new("heights_m", message));
        };
        if missing == Some(height_m) {
            first_gap = if gaps == 0 { index } else { first_gap };
            gaps += 1;
        }
        heights_m.push(height_m);
    }
    if gaps > 0 {
        let message =
            format!("lacks {gaps} of {} posts (NODATA), the first in {}", heights_m.len(), place(first_gap, columns));
        return Err(ParamError::new("heights_m", message));
    }
    Ok(heights_m)
}

/// Where a height stands in a file, counted from 1.
pub(super) fn place(index: usize, columns: usize) -> String {
    format!("row {}, column {}", index / columns.max(1) + 1, index % columns.max(1) + 1)
}

/// From north to south to from south to north, or back.
pub(super) fn reverse_rows(heights_m: &mut [f64], columns: usize) {
    heights_m.reverse();
    heights_m.chunks_mut(columns.max(1)).for_each(<[f64]>::reverse);
}

fn needed<T>(field: &'static str, value: Option<T>) -> Result<T, ParamError> {
    value.ok_or_else(|| ParamError::new(field, "is missing from the head"))
}

fn whole(field: &'static str, word: &str) -> Result<usize, ParamError> {
    word.parse().map_err(|_| ParamError::new(field, format!("is \"{word}\", must be a whole number")))
}

fn number(field: &'static str, word: &str) -> Result<f64, ParamError> {
    let value = word.parse::<f64>().ok().filter(|value| value.is_finite());
    value.ok_or_else(|| ParamError::new(field, format!("is \"{word}\", must be a number")))
}
