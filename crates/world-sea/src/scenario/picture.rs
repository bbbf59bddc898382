//! Grey pictures as heights.

/// A grey picture: shares of white from 0 to 1, row by row from the top.
pub struct Picture {
    /// Points of a row.
    pub columns: usize,
    /// The shares.
    pub shares: Vec<f64>,
}

impl Picture {
    /// Reads a PNG file of 8 or 16 bits without colours.
    ///
    /// # Errors
    /// If it is no such file: a clause that follows its name.
    pub fn from_png(bytes: &[u8]) -> Result<Self, String> {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::EXPAND);
        let mut reader = decoder.read_info().map_err(|error| format!(": {error}"))?;
        let size = reader.output_buffer_size().ok_or_else(|| " is too large".to_owned())?;
        let mut buffer = vec![0; size];
        let frame = reader.next_frame(&mut buffer).map_err(|error| format!(": {error}"))?;
        let samples = frame.color_type.samples();
        if !matches!(frame.color_type, png::ColorType::Grayscale | png::ColorType::GrayscaleAlpha) {
            return Err(" has colours: heights are shades of grey".to_owned());
        }
        let shares = match frame.bit_depth {
            png::BitDepth::Eight => {
                let levels = buffer[..frame.buffer_size()].chunks_exact(samples);
                levels.map(|level| f64::from(level[0]) / 255.0).collect()
            }
            png::BitDepth::Sixteen => {
                let levels = buffer[..frame.buffer_size()].chunks_exact(2 * samples);
                levels.map(|level| f64::from(u16::from_be_bytes([level[0], level[1]])) / 65_535.0).collect()
            }
            other => return Err(format!(" has {other:?} bits a point, must have 8 or 16")),
        };
        Ok(Self { columns: frame.width as usize, shares })
    }
}
