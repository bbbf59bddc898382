//! Pictures of occupancy grids: PGM (plain and binary), PNG and JPEG, as shades of grey.

use crate::map::MapError;
use std::io::Cursor;
use zune_jpeg::JpegDecoder;
use zune_jpeg::errors::DecodeErrors;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

/// Most cells of a picture.
const MAX_CELLS: usize = 1 << 26;

/// A picture in shades of grey, 0 for black, its first row at the top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrayImage {
    width: usize,
    gray: Vec<u8>,
}

impl GrayImage {
    /// Reads a PGM, PNG or JPEG file from its bytes. Of a coloured picture it takes the mean of red, green and blue; it ignores
    /// transparency.
    ///
    /// # Errors
    /// If it is none of them, is damaged, or has more than 2^26 cells.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, MapError> {
        match bytes {
            [b'P', b'2', ..] => read_pgm(bytes, false),
            [b'P', b'5', ..] => read_pgm(bytes, true),
            [0x89, b'P', b'N', b'G', ..] => read_png(bytes),
            [0xFF, 0xD8, 0xFF, ..] => read_jpeg(bytes),
            _ => Err(wrong("is none of PGM (P2, P5), PNG and JPEG")),
        }
    }

    fn new(width: usize, height: usize, gray: Vec<u8>) -> Result<Self, MapError> {
        if gray.is_empty() || gray.len() != width * height {
            return Err(wrong(format!(
                "has {} cells, its size of {width} x {height} asks for {}",
                gray.len(),
                width * height
            )));
        }
        Ok(Self { width, gray })
    }

    /// Cells in a row.
    #[must_use]
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    #[must_use]
    pub fn height(&self) -> usize {
        self.gray.len() / self.width
    }

    /// Shade of a cell, `row` counted from the top.
    pub(super) fn gray(&self, column: usize, row: usize) -> u8 {
        self.gray[row * self.width + column]
    }
}

fn wrong(message: impl Into<String>) -> MapError {
    MapError::new("image", message)
}

fn check_size(width: usize, height: usize) -> Result<usize, MapError> {
    let cells = width.checked_mul(height).filter(|cells| (1..=MAX_CELLS).contains(cells));
    cells.ok_or_else(|| wrong(format!("is {width} x {height}, must have from 1 to {MAX_CELLS} cells")))
}

fn read_pgm(bytes: &[u8], is_binary: bool) -> Result<GrayImage, MapError> {
    let mut words = PgmWords { bytes, at: 2 };
    let [width, height, white] = [words.number("width")?, words.number("height")?, words.number("largest value")?];
    let cells = check_size(width, height)?;
    if !(1..=65_535).contains(&white) {
        return Err(wrong(format!("has the largest value {white}, must be from 1 to 65535")));
    }
    let values: Vec<usize> = if is_binary {
        // One white space ends the header.
        let data = bytes.get(words.at + 1..).unwrap_or_default();
        let size = if white > 255 { 2 } else { 1 };
        data.chunks_exact(size)
            .take(cells)
            .map(|value| value.iter().fold(0, |high, &low| 256 * high + usize::from(low)))
            .collect()
    } else {
        (0..cells).map(|_| words.number("value")).collect::<Result<_, _>>()?
    };
    GrayImage::new(width, height, values.into_iter().map(|value| eight_bits(value, white)).collect())
}

fn eight_bits(value: usize, white: usize) -> u8 {
    ((value.min(white) * 255 + white / 2) / white) as u8
}

/// The numbers of a PGM file, between white space and comments.
struct PgmWords<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl PgmWords<'_> {
    fn number(&mut self, what: &str) -> Result<usize, MapError> {
        self.skip_to_word();
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = std::str::from_utf8(&rest[..digits]).ok().and_then(|word| word.parse().ok());
        let place = self.at;
        self.at += digits;
        number.ok_or_else(|| wrong(format!("has no {what} at byte {place}, where a whole number should be")))
    }

    fn skip_to_word(&mut self) {
        while let Some(byte) = self.bytes.get(self.at) {
            if *byte == b'#' {
                let line = self.bytes[self.at..].iter().take_while(|byte| **byte != b'\n').count();
                self.at += line;
            } else if byte.is_ascii_whitespace() {
                self.at += 1;
            } else {
                return;
            }
        }
    }
}

fn read_png(bytes: &[u8]) -> Result<GrayImage, MapError> {
    let damaged = |error: png::DecodingError| wrong(format!("is a damaged PNG: {error}"));
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), png::Limits { bytes: 8 * MAX_CELLS });
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(damaged)?;
    let (width, height) = (reader.info().width as usize, reader.info().height as usize);
    check_size(width, height)?;
    let size = reader.output_buffer_size().ok_or_else(|| wrong("is too large"))?;
    let mut samples = vec![0; size];
    let frame = reader.next_frame(&mut samples).map_err(damaged)?;
    let (channels, colors) = match frame.color_type {
        png::ColorType::Grayscale | png::ColorType::Indexed => (1, 1),
        png::ColorType::GrayscaleAlpha => (2, 1),
        png::ColorType::Rgb => (3, 3),
        png::ColorType::Rgba => (4, 3),
    };
    let pixels = samples[..frame.buffer_size()].chunks_exact(channels);
    GrayImage::new(width, height, pixels.map(|pixel| mean(&pixel[..colors])).collect())
}

fn read_jpeg(bytes: &[u8]) -> Result<GrayImage, MapError> {
    let damaged = |error: DecodeErrors| wrong(format!("is a damaged JPEG: {error:?}"));
    let longest = usize::from(u16::MAX);
    let options = DecoderOptions::default().set_strict_mode(true).set_max_width(longest).set_max_height(longest);
    let options = options.jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(damaged)?;
    let (width, height) = decoder.dimensions().ok_or_else(|| wrong("is a JPEG without a size"))?;
    check_size(width, height)?;
    let samples = decoder.decode().map_err(damaged)?;
    GrayImage::new(width, height, samples.chunks_exact(3).map(mean).collect())
}

/// Mean of the colours of a pixel.
fn mean(colors: &[u8]) -> u8 {
    (colors.iter().map(|&color| usize::from(color)).sum::<usize>() / colors.len()) as u8
}
