//! What the cubes played, as a WAV file.
//!
//! `cubes.csv` says which note sounds at each row: a note begins and ends with a row, and one that lies between two rows is not heard. A
//! run with `--trace-every 1` has a row for each step, which is exact.

use crate::error::ViewError;
use crate::file::NewFile;
use crate::film::stretch;
use crate::folder::{CubeRow, RunFolder};
use hound::{SampleFormat, WavSpec, WavWriter};
use sim_core::ops;
use std::collections::BTreeMap;
use std::f64::consts::LN_2;
use std::io::BufWriter;
use std::path::Path;

const RATE_HZ: u32 = 44_100;
/// Note 57 is 440 Hz, twelve notes an octave (toio facts, section 6.4).
const A_NOTE: f64 = 57.0;
const A_HZ: f64 = 440.0;
/// The note that is a rest.
const REST: u8 = 128;
/// How fast a note comes and goes, so that it does not click.
const FADE_S: f64 = 0.004;
/// Loudness of one cube; many of them are held below the loudest that there is.
const LOUDNESS: f64 = 0.3;

/// Which part of a run is heard.
#[derive(Clone, Copy, Debug)]
pub struct Sound {
    /// First moment; the start of the run if nobody says.
    pub from_s: Option<f64>,
    /// Last moment; the end of the run if nobody says.
    pub to_s: Option<f64>,
    /// Whether a file that is there may be replaced.
    pub overwrite: bool,
}

/// What a sound file holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Played {
    /// Its length.
    pub length_s: f64,
    /// Time between two rows, to which notes are exact.
    pub row_s: f64,
    /// Notes that begin in it, rests left out.
    pub notes: u64,
}

/// Frequency of a note.
#[must_use]
pub fn frequency_hz(note: u8) -> f64 {
    A_HZ * ops::exp(LN_2 * (f64::from(note) - A_NOTE) / 12.0)
}

/// Writes what the cubes played.
///
/// # Errors
/// If the run has no cubes, the times do not go together, a row is wrong, or the file cannot be written.
pub fn write(folder: &RunFolder, sound: &Sound, out: &Path) -> Result<Played, ViewError> {
    let [from_s, to_s] = stretch(folder, sound.from_s, sound.to_s)?;
    let Some(mut table) = folder.steps::<CubeRow>()? else {
        return Err(ViewError::Wrong(format!("{} has no cubes, so nothing was played", folder.path().display())));
    };
    let file = NewFile::claim(out, sound.overwrite)?;
    let spec = WavSpec { channels: 1, sample_rate: RATE_HZ, bits_per_sample: 16, sample_format: SampleFormat::Int };
    let wav_error = |error: hound::Error| match error {
        hound::Error::IoError(error) => file.error(error),
        other => file.error(std::io::Error::other(other)),
    };
    let mut writer = WavWriter::new(BufWriter::new(file.create()?), spec).map_err(wav_error)?;
    let mut orchestra = Orchestra::default();
    let (span, mut rows) = (folder.span(), Vec::new());
    let first_row = (from_s * f64::from(folder.world().step_hz())).floor() as u64;
    table.seek(first_row.saturating_sub(span.every))?;
    let mut samples = 0;
    while let Some(moment) = table.next_step(&mut rows)?.filter(|moment| moment.time_s < to_s) {
        while samples < samples_in(moment.time_s - from_s) {
            writer.write_sample(orchestra.sample()).map_err(wav_error)?;
            samples += 1;
        }
        orchestra.read(&rows);
    }
    for _ in samples..samples_in(to_s - from_s) {
        writer.write_sample(orchestra.sample()).map_err(wav_error)?;
    }
    writer.finalize().map_err(wav_error)?;
    file.finish()?;
    let rows = (span.last.step - span.first.step).max(1) as f64 / span.every as f64;
    let row_s = (span.last.time_s - span.first.time_s) / rows;
    Ok(Played { length_s: to_s - from_s, row_s, notes: orchestra.notes })
}

/// Samples before a time; none before the start.
fn samples_in(time_s: f64) -> u64 {
    (time_s * f64::from(RATE_HZ)).round().max(0.0) as u64
}

/// All cubes together.
#[derive(Debug, Default)]
struct Orchestra {
    voices: BTreeMap<u64, Voice>,
    notes: u64,
}

impl Orchestra {
    fn read(&mut self, rows: &[CubeRow]) {
        for row in rows {
            let note = row.sound.filter(|&note| note != REST);
            let voice = self.voices.entry(row.cube).or_default();
            self.notes += u64::from(note.is_some() && note != voice.note);
            voice.note = note;
            voice.hz = note.map_or(voice.hz, frequency_hz);
        }
    }

    fn sample(&mut self) -> i16 {
        let sum: f64 = self.voices.values_mut().map(Voice::sample).sum();
        (f64::from(i16::MAX) * ops::tanh(LOUDNESS * sum)).round() as i16
    }
}

/// One cube's speaker: a triangle wave that fades in and out.
#[derive(Debug, Default)]
struct Voice {
    note: Option<u8>,
    hz: f64,
    /// Share of the wave that has passed.
    phase: f64,
    gain: f64,
}

impl Voice {
    fn sample(&mut self) -> f64 {
        let (rate, aim) = (f64::from(RATE_HZ), if self.note.is_some() { 1.0 } else { 0.0 });
        let most = 1.0 / (FADE_S * rate);
        self.gain += (aim - self.gain).clamp(-most, most);
        self.phase = (self.phase + self.hz / rate).fract();
        // From 0 up, down through 0, and up again.
        let wave = 1.0 - 4.0 * ((self.phase + 0.25).fract() - 0.5).abs();
        self.gain * wave
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_have_their_frequencies() {
        // An octave is a factor of two; middle C in a scale whose A is 440 Hz: 261.63 Hz (tables of equal temperament).
        assert_eq!(frequency_hz(57), 440.0);
        assert!((frequency_hz(69) - 880.0).abs() < 1e-9 && (frequency_hz(48) - 261.63).abs() < 0.005);
    }

    #[test]
    fn a_voice_swings_as_often_as_its_note_says_and_falls_silent() {
        let mut voice = Voice { note: Some(57), hz: 440.0, ..Voice::default() };
        let second: Vec<f64> = (0..RATE_HZ).map(|_| voice.sample()).collect();
        let rises = second.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count();
        assert!((439..=441).contains(&rises), "{rises}");
        assert!(
            second.iter().all(|sample| sample.abs() <= 1.0) && second[1000..2000].iter().any(|sample| *sample > 0.95)
        );
        voice.note = None;
        assert!((0..1000).map(|_| voice.sample()).last().is_some_and(|sample| sample == 0.0));
    }
}
