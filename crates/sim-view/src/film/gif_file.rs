//! GIF, written frame by frame: each holds only the rectangle that changed, and in it only the pixels that did.

use crate::error::ViewError;
use crate::file::NewFile;
use crate::palette::{NONE, Palette};
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};
use std::borrow::Cow;
use std::fs::File;
use std::io::BufWriter;
use tiny_skia::Pixmap;

pub(super) struct GifFile {
    encoder: Encoder<BufWriter<File>>,
    palette: Palette,
    size: [usize; 2],
    fps: f64,
    frames: u64,
    shown: Vec<u8>,
    path: std::path::PathBuf,
}

impl GifFile {
    pub fn begin(file: &NewFile, first: &Pixmap, palette: Palette, fps: f64) -> Result<Self, ViewError> {
        let size = [first.width() as usize, first.height() as usize];
        let sides = size.map(|side| u16::try_from(side).unwrap_or(u16::MAX));
        let writer = BufWriter::new(file.create()?);
        let begin = || {
            let mut encoder = Encoder::new(writer, sides[0], sides[1], &palette.bytes())?;
            encoder.set_repeat(Repeat::Infinite).map(|()| encoder)
        };
        let encoder = begin().map_err(|error| file.error(io_error(error)))?;
        let path = file.partial().to_path_buf();
        Ok(Self { encoder, palette, size, fps, frames: 0, shown: Vec::new(), path })
    }

    pub fn add(&mut self, file: &NewFile, pixmap: &Pixmap) -> Result<(), ViewError> {
        let mut indices = self.palette.indices(pixmap);
        // The potential creeps: pixels follow once one can see that they are off, which makes the file much smaller.
        for (new, shown) in indices.iter_mut().zip(&self.shown) {
            if self.palette.is_alike(*new, *shown) {
                *new = *shown;
            }
        }
        let frame = self.changes(&indices);
        self.frames += 1;
        self.shown = indices;
        self.encoder.write_frame(&frame).map_err(|error| file.error(io_error(error)))
    }

    pub fn finish(self) -> Result<(), ViewError> {
        let flushed = self
            .encoder
            .into_inner()
            .map_err(io_error)
            .and_then(|writer| writer.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all());
        flushed.map_err(|error| ViewError::io("write", &self.path, error))
    }

    /// What differs from the frame that is shown.
    fn changes(&self, indices: &[u8]) -> Frame<'static> {
        let [width, height] = self.size;
        let delay = self.hundredths_at(self.frames + 1) - self.hundredths_at(self.frames);
        let [left, top, right, bottom] = self.changed_box(indices).unwrap_or([0, 0, 1, 1]);
        let is_first = self.shown.is_empty();
        let pixel = |at: usize| if !is_first && self.shown[at] == indices[at] { NONE } else { indices[at] };
        let buffer: Vec<u8> = (top..bottom).flat_map(|y| (y * width + left..y * width + right).map(pixel)).collect();
        debug_assert!(right <= width && bottom <= height);
        Frame {
            delay: delay as u16,
            dispose: DisposalMethod::Keep,
            transparent: Some(NONE),
            left: left as u16,
            top: top as u16,
            width: (right - left) as u16,
            height: (bottom - top) as u16,
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        }
    }

    /// The smallest rectangle with all changes: left, top, right, bottom. Nothing if there are none.
    fn changed_box(&self, indices: &[u8]) -> Option<[usize; 4]> {
        let [width, height] = self.size;
        if self.shown.is_empty() {
            return Some([0, 0, width, height]);
        }
        let mut found: Option<[usize; 4]> = None;
        for (y, (new, old)) in indices.chunks_exact(width).zip(self.shown.chunks_exact(width)).enumerate() {
            let Some(first) = new.iter().zip(old).position(|(a, b)| a != b) else { continue };
            let last = new.iter().zip(old).rposition(|(a, b)| a != b).unwrap_or(first);
            let [left, top, right, _] = found.unwrap_or([first, y, last + 1, y + 1]);
            found = Some([left.min(first), top, right.max(last + 1), y + 1]);
        }
        found
    }

    /// When a frame begins, so that the film keeps time though GIF counts in hundredths of a second.
    fn hundredths_at(&self, frame: u64) -> u64 {
        (100.0 * frame as f64 / self.fps).round() as u64
    }
}

fn io_error(error: EncodingError) -> std::io::Error {
    match error {
        EncodingError::Io(error) => error,
        other => std::io::Error::other(other),
    }
}
