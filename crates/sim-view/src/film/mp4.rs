//! MP4, made by an `ffmpeg` that is fed with raw pixels.

use crate::error::ViewError;
use crate::file::NewFile;
use std::io::Write;
use std::process::{Child, ChildStdin, Command, Stdio};
use tiny_skia::Pixmap;

/// What ffmpeg says is shown up to this many letters from its end.
const WORDS: usize = 600;

pub(super) struct Mp4 {
    ffmpeg: Child,
    pixels: Option<ChildStdin>,
}

impl Mp4 {
    pub fn begin(file: &NewFile, first: &Pixmap, fps: f64) -> Result<Self, ViewError> {
        let size = format!("{}x{}", first.width(), first.height());
        let mut command = Command::new("ffmpeg");
        command.args(["-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo", "-pixel_format", "rgba"]);
        command.args(["-video_size", &size, "-framerate", &fps.to_string(), "-i", "-", "-an"]);
        // Players want even sides, and the kind of colours that television has.
        command.args(["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", "-movflags", "+faststart"]);
        command.args(["-f", "mp4"]).arg(file.partial());
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        // Ctrl-C is for us: it would end ffmpeg before we have said that the film is not to be.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut ffmpeg = command.spawn().map_err(|source| ViewError::NoFfmpeg { source })?;
        let pixels = ffmpeg.stdin.take();
        Ok(Self { ffmpeg, pixels })
    }

    pub fn add(&mut self, pixmap: &Pixmap) -> Result<(), ViewError> {
        // Nothing in a picture lets anything through, so its bytes are plain RGBA.
        match self.pixels.as_mut().map(|pixels| pixels.write_all(pixmap.data())) {
            Some(Ok(())) => Ok(()),
            // It has gone away: its last words tell why.
            _ => Err(self.last_words()),
        }
    }

    pub fn finish(mut self) -> Result<(), ViewError> {
        drop(self.pixels.take());
        match self.ffmpeg.wait() {
            Ok(status) if status.success() => Ok(()),
            _ => Err(self.last_words()),
        }
    }

    fn last_words(&mut self) -> ViewError {
        drop(self.pixels.take());
        let mut said = String::new();
        if let Some(mut stderr) = self.ffmpeg.stderr.take() {
            // What cannot be read cannot be reported.
            let _ = std::io::Read::read_to_string(&mut stderr, &mut said);
        }
        let tail: Vec<char> = said.trim().chars().rev().take(WORDS).collect();
        let words: String = tail.into_iter().rev().collect();
        ViewError::Ffmpeg { words: if words.is_empty() { "it did not say why".into() } else { words } }
    }
}

impl Drop for Mp4 {
    fn drop(&mut self) {
        // Nothing to end if it is done already; a film that was stopped must not leave it waiting.
        let _ = self.ffmpeg.kill();
        let _ = self.ffmpeg.wait();
    }
}
