//! Films of a run: GIF by ourselves, MP4 by an `ffmpeg` on the machine.
//!
//! Memory holds one frame, however long the film is.

mod gif_file;
mod mp4;

use crate::draw::pixels;
use crate::error::ViewError;
use crate::file::NewFile;
use crate::folder::RunFolder;
use crate::palette::Palette;
use crate::picture::{FrameRenderer, Style};
use gif_file::GifFile;
use mp4::Mp4;
use std::path::Path;
use tiny_skia::Pixmap;

/// Frames a second, the fewest and the most.
const FPS: [f64; 2] = [0.1, 240.0];
/// GIF counts in hundredths of a second, and viewers slow down what is faster than this.
const GIF_FPS: f64 = 50.0;
/// Seconds of the run in a second of the film, the least and the most.
const SPEED: [f64; 2] = [0.001, 10_000.0];

/// Longer films are refused: a day at twelve frames a second.
const MAX_FRAMES: u64 = 1_000_000;

/// Which film.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// GIF: opens everywhere.
    Gif,
    /// MP4: smaller and smoother, and needs ffmpeg.
    Mp4,
}

/// What is filmed.
#[derive(Clone, Copy, Debug)]
pub struct Film {
    /// Kind of file.
    pub format: Format,
    /// First moment; the start of the run if none is given.
    pub from_s: Option<f64>,
    /// Last moment; the end of the run if none is given.
    pub to_s: Option<f64>,
    /// Frames a second.
    pub fps: f64,
    /// Seconds of the run in a second of the film.
    pub speed: f64,
    /// Pixels for each px.
    pub scale: f64,
    /// Whether a file that is there may be replaced.
    pub overwrite: bool,
}

/// How far a film has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Frames made.
    pub frames_done: u64,
    /// Frames there will be.
    pub frames: u64,
}

/// The observer of a film that is made: called after each frame, it decides whether to go on.
pub type Watch<'a> = dyn FnMut(Progress) -> bool + 'a;

/// Makes a film and says how many frames it has.
///
/// # Errors
/// If times or numbers do not go together, a row is wrong, the file cannot be written, or ffmpeg is missing or gives up.
pub fn write(
    folder: &RunFolder,
    style: Style,
    film: &Film,
    out: &Path,
    watch: &mut Watch<'_>,
) -> Result<u64, ViewError> {
    let times = Times::new(folder, film)?;
    let file = NewFile::claim(out, film.overwrite)?;
    let palette = Palette::new(&style.theme, folder.view());
    let mut renderer = FrameRenderer::new(folder, style)?.at_speed(film.speed);
    let mut pixmap = pixels::paint(&renderer.at(times.at(0))?, film.scale)?;
    let mut reel = match film.format {
        Format::Gif => Reel::Gif(GifFile::begin(&file, &pixmap, palette, film.fps)?),
        Format::Mp4 => Reel::Mp4(Mp4::begin(&file, &pixmap, film.fps)?),
    };
    for n in 0..times.frames {
        if n > 0 {
            pixmap = pixels::paint(&renderer.at(times.at(n))?, film.scale)?;
        }
        reel.add(&file, &pixmap)?;
        let goes_on = watch(Progress { frames_done: n + 1, frames: times.frames });
        if !goes_on && n + 1 < times.frames {
            return Err(ViewError::Stopped { frames: n + 1 });
        }
    }
    reel.finish()?;
    file.finish()?;
    Ok(times.frames)
}

/// The moments of the frames.
struct Times {
    from_s: f64,
    step_s: f64,
    frames: u64,
}

impl Times {
    fn new(folder: &RunFolder, film: &Film) -> Result<Self, ViewError> {
        let most = if film.format == Format::Gif { GIF_FPS } else { FPS[1] };
        check("--fps", film.fps, [FPS[0], most])?;
        check("--speed", film.speed, SPEED)?;
        let [from_s, to_s] = stretch(folder, film.from_s, film.to_s)?;
        let step_s = film.speed / film.fps;
        let frames = ((to_s - from_s) / step_s + 1e-9).floor() as u64 + 1;
        if frames > MAX_FRAMES {
            let words = format!("a film of {frames} frames is too long, the most is {MAX_FRAMES}");
            return Err(ViewError::Wrong(words));
        }
        Ok(Self { from_s, step_s, frames })
    }

    fn at(&self, frame: u64) -> f64 {
        self.from_s + frame as f64 * self.step_s
    }
}

fn check(what: &str, value: f64, [least, most]: [f64; 2]) -> Result<(), ViewError> {
    if value >= least && value <= most {
        return Ok(());
    }
    Err(ViewError::Wrong(format!("{what} is {value}, must be from {least} to {most}")))
}

/// The part of a run that is asked for, brought into the run.
pub(crate) fn stretch(folder: &RunFolder, from_s: Option<f64>, to_s: Option<f64>) -> Result<[f64; 2], ViewError> {
    let (first_s, last_s) = (folder.span().first.time_s, folder.span().last.time_s);
    let from = from_s.unwrap_or(first_s);
    let to = to_s.unwrap_or(last_s).min(last_s);
    if from >= first_s && from <= to {
        return Ok([from, to]);
    }
    let asked = format!("from {from} s to {} s", to_s.unwrap_or(last_s));
    Err(ViewError::Wrong(format!("nothing lies {asked}: the run goes from {first_s} s to {last_s} s")))
}

enum Reel {
    Gif(GifFile),
    Mp4(Mp4),
}

impl Reel {
    fn add(&mut self, file: &NewFile, pixmap: &Pixmap) -> Result<(), ViewError> {
        match self {
            Self::Gif(gif) => gif.add(file, pixmap),
            Self::Mp4(mp4) => mp4.add(pixmap),
        }
    }

    fn finish(self) -> Result<(), ViewError> {
        match self {
            Self::Gif(gif) => gif.finish(),
            Self::Mp4(mp4) => mp4.finish(),
        }
    }
}
