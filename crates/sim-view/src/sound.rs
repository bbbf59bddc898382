//! What was played, as a WAV file.
//!
//! The view names the column with the note that sounds at each row: a note begins and ends with a row, and one that lies between two
//! rows is not heard. A run with `--trace-every 1` has a row for each step, which is exact.

use crate::error::ViewError;
use crate::file::NewFile;
use crate::film::stretch;
use crate::folder::{RunFolder, StepRows};
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
/// Loudness of one owner; many of them are held below the loudest that there is.
const LOUDNESS: f64 = 0.3;

/// A WAV file tells its length in 32 bits.
const LONGEST_S: f64 = 40_000.0;

/// Which part of a run is heard.
#[derive(Clone, Copy, Debug)]
pub struct Sound {
    /// First moment; the start of the run if none is given.
    pub from_s: Option<f64>,
    /// Last moment; the end of the run if none is given.
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

/// Writes what was played.
///
/// # Errors
/// If the run plays nothing or is too long, the times do not go together, a row is wrong, or the file cannot be written.
pub fn write(folder: &RunFolder, sound: &Sound, out: &Path) -> Result<Played, ViewError> {
    let [from_s, to_s] = stretch(folder, sound.from_s, sound.to_s)?;
    let silent = || ViewError::Wrong(format!("{} has no cubes, so nothing was played", folder.path().display()));
    let [stream, note] = folder.view().sound.as_ref().ok_or_else(silent)?;
    let mut table = folder.stream(stream, |column| column == note)?.ok_or_else(silent)?;
    let [owner, note] = [table.stream().owner().unwrap_or(0), table.places(note)?.start];
    if to_s - from_s > LONGEST_S {
        return Err(ViewError::Wrong(format!("a WAV file holds {LONGEST_S} s, not {} s", to_s - from_s)));
    }
    let file = NewFile::claim(out, sound.overwrite)?;
    let spec = WavSpec { channels: 1, sample_rate: RATE_HZ, bits_per_sample: 16, sample_format: SampleFormat::Int };
    let wav_error = |error: hound::Error| match error {
        hound::Error::IoError(error) => file.error(error),
        other => file.error(std::io::Error::other(other)),
    };
    let mut writer = WavWriter::new(BufWriter::new(file.create()?), spec).map_err(wav_error)?;
    let mut orchestra = Orchestra::default();
    let (span, mut rows) = (folder.span(), StepRows::default());
    table.seek(span.step_before(from_s))?;
    let mut samples = 0;
    while let Some(moment) = table.next_step(&mut rows)?.filter(|moment| moment.time_s < to_s) {
        while samples < samples_in(moment.time_s - from_s) {
            writer.write_sample(orchestra.sample()).map_err(wav_error)?;
            samples += 1;
        }
        orchestra.read(rows.iter().map(|row| (row[owner] as u64, row[note])));
    }
    for _ in samples..samples_in(to_s - from_s) {
        writer.write_sample(orchestra.sample()).map_err(wav_error)?;
    }
    writer.finalize().map_err(wav_error)?;
    file.finish()?;
    Ok(Played { length_s: to_s - from_s, row_s: span.row_s(), notes: orchestra.notes })
}

/// Samples before a time; none before the start.
fn samples_in(time_s: f64) -> u64 {
    (time_s * f64::from(RATE_HZ)).round().max(0.0) as u64
}

/// All of them together.
#[derive(Debug, Default)]
struct Orchestra {
    voices: BTreeMap<u64, Voice>,
    notes: u64,
}

impl Orchestra {
    /// Reads owners and their notes; what is no number is no note.
    fn read(&mut self, rows: impl Iterator<Item = (u64, f64)>) {
        for (owner, note) in rows {
            let note = (0.0..=255.0).contains(&note).then_some(note as u8).filter(|&note| note != REST);
            let voice = self.voices.entry(owner).or_default();
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

/// One owner's speaker: a triangle wave that fades in and out.
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
