//! Height grids as PNG pictures of 16 bits of grey.
//!
//! A pixel is a post. The first row of the picture is the northern one, its first pixel the western one. Black (0) and white (65535) stand
//! for two heights; between them heights are even.

use super::esri::{place, reverse_rows};
use super::grid::{HeightGrid, HeightGridParams, MAX_POSTS, Material};
use sim_core::{DVec2, ParamError};
use std::io::Cursor;

/// What a picture of heights does not say itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PngParams {
    /// Place of the south-western post, m.
    pub origin_m: DVec2,
    /// Distance between two posts, m.
    pub cell_m: f64,
    /// Heights of black and of white, m.
    pub range_z_m: [f64; 2],
    /// Posts from west to east and from south to north that the picture must have; none: as many as it has.
    pub posts: Option<[usize; 2]>,
    /// The grey that stands for a post without data, 0 to 65535; none: every post has data.
    pub missing: Option<u16>,
    /// What all of it is made of.
    pub material: Material,
}

/// Shades of grey, row by row from the top.
struct Picture {
    columns: usize,
    rows: usize,
    shades: Vec<u16>,
}

impl HeightGrid {
    /// A grid out of the bytes of a PNG file with 16 bits of grey a pixel, all of one material.
    ///
    /// # Errors
    /// If the file is damaged, has colours, an alpha channel or other than 16 bits, is not of the size that it must have, or lacks a post.
    pub fn from_png(bytes: &[u8], params: &PngParams) -> Result<Self, ParamError> {
        let [black_m, white_m] = params.range_z_m;
        ParamError::check_range("range_z_m", black_m, -12_000.0, 12_000.0)?;
        ParamError::check_range("range_z_m", white_m, -12_000.0, 12_000.0)?;
        let picture = Picture::decode(bytes)?;
        picture.check_size(params.posts)?;
        picture.check_gaps(params.missing)?;
        let share = |shade: u16| f64::from(shade) / f64::from(u16::MAX);
        let height_m = |&shade: &u16| black_m + (white_m - black_m) * share(shade);
        let mut heights_m: Vec<f64> = picture.shades.iter().map(height_m).collect();
        reverse_rows(&mut heights_m, picture.columns);
        Self::new(HeightGridParams {
            origin_m: params.origin_m,
            cell_m: params.cell_m,
            columns: picture.columns,
            rows: picture.rows,
            heights_m,
            materials: vec![params.material],
        })
    }
}

impl Picture {
    fn decode(bytes: &[u8]) -> Result<Self, ParamError> {
        let damaged = |error: ::png::DecodingError| wrong(format!("is a damaged PNG: {error}"));
        let limits = ::png::Limits { bytes: 4 * MAX_POSTS };
        let mut decoder = ::png::Decoder::new_with_limits(Cursor::new(bytes), limits);
        decoder.set_transformations(::png::Transformations::IDENTITY);
        let mut reader = decoder.read_info().map_err(damaged)?;
        let (columns, rows) = (reader.info().width as usize, reader.info().height as usize);
        let (color, depth) = reader.output_color_type();
        if color != ::png::ColorType::Grayscale || depth != ::png::BitDepth::Sixteen {
            let message = format!("has {} bits of {}, must have 16 bits of grey", depth as u8, in_words(color));
            return Err(wrong(message));
        }
        if columns.checked_mul(rows).is_none_or(|posts| posts > MAX_POSTS) {
            return Err(wrong(format!("is {columns} x {rows} posts, must be at most {MAX_POSTS}")));
        }
        let mut samples = vec![0; reader.output_buffer_size().ok_or_else(|| wrong("is too large"))?];
        let frame = reader.next_frame(&mut samples).map_err(damaged)?;
        let pairs = samples[..frame.buffer_size()].chunks_exact(2);
        Ok(Self { columns, rows, shades: pairs.map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect() })
    }

    fn check_size(&self, posts: Option<[usize; 2]>) -> Result<(), ParamError> {
        let Self { columns, rows, .. } = *self;
        match posts {
            Some([wide, high]) if [wide, high] != [columns, rows] => {
                Err(wrong(format!("is {columns} x {rows} posts, must be {wide} x {high}")))
            }
            _ => Ok(()),
        }
    }

    fn check_gaps(&self, missing: Option<u16>) -> Result<(), ParamError> {
        let is_gap = |shade: &u16| Some(*shade) == missing;
        let Some(first) = self.shades.iter().position(is_gap) else { return Ok(()) };
        let (gaps, posts) = (self.shades.iter().filter(|shade| is_gap(shade)).count(), self.shades.len());
        let shade = self.shades[first];
        Err(wrong(format!("lacks {gaps} of {posts} posts (grey {shade}), the first in {}", place(first, self.columns))))
    }
}

fn wrong(message: impl Into<String>) -> ParamError {
    ParamError::new("heights_m", message)
}

fn in_words(color: ::png::ColorType) -> &'static str {
    match color {
        ::png::ColorType::Grayscale => "grey",
        ::png::ColorType::GrayscaleAlpha => "grey with an alpha channel",
        ::png::ColorType::Indexed => "a palette",
        ::png::ColorType::Rgb => "red, green and blue",
        ::png::ColorType::Rgba => "red, green and blue with an alpha channel",
    }
}
