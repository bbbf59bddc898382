//! The speaker: sound effects, notes, the system's own jingles and the mute settings of protocol 2.5.0.
//!
//! # Law
//! Toio facts, sections 6.4 and 8.8. A sequence of notes ends when its repetitions are over and sounds the note that contains the time
//! since its start, modulo its period; an effect and a jingle are note lists played once. A new sound replaces the old one at once,
//! a jingle included. A volume of 0 is silent, any other is full. Note n has the frequency `440 Hz * 2^((n - 57) / 12)`; 128 is a rest.
//! The note lists of effects and jingles are those of the Unity simulator, since the device specification only names them.

use crate::micros::{Micros, units_of_10_ms};
use crate::sequence::Sequence;
use sim_core::{ParamError, StateHash, ops};
use std::f64::consts::LN_2;

/// Most operations in a sequence of notes (toio facts, section 6.4).
pub const MAX_SOUND_OPS: usize = 59;
/// Highest note number: a rest.
pub const REST: u8 = 128;
/// What every volume but 0 sounds as.
pub const FULL_VOLUME: u8 = 255;

/// One operation: a note for a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SoundOp {
    /// Duration in units of 10 ms, 1 to 255.
    pub duration_10_ms: u8,
    /// MIDI note number of the cube, 0 to 127, or [`REST`].
    pub note: u8,
    /// 0 is silent, anything else is full.
    pub volume: u8,
}

/// A sound that the cube makes of its own accord.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Jingle {
    /// A central has connected.
    Connect,
    /// The connection is gone.
    Disconnect,
    /// Power is on.
    PowerOn,
    /// Power goes off.
    PowerOff,
}

/// What is muted (protocol 2.5.0; saved over power cycles by the device).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(rename_all = "snake_case"))]
pub enum Mute {
    /// Nothing.
    #[default]
    Nothing,
    /// All sounds.
    All,
    /// Only the system's own sounds.
    System,
}

impl Mute {
    /// The setting with this number on the wire (toio facts, section 6.7, `33`); nothing for any other number.
    #[must_use]
    pub fn from_wire(byte: u8) -> Option<Self> {
        [Self::Nothing, Self::All, Self::System].get(usize::from(byte)).copied()
    }
}

/// What comes out of the speaker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sounding {
    /// MIDI note number of the cube, 0 to 127.
    pub note: u8,
    /// Always [`FULL_VOLUME`]: the speaker knows no volume between.
    pub volume: u8,
}

/// Frequency of a note in Hz: note 57 is 440 Hz. Nothing for a rest (128) and for numbers above.
#[must_use]
pub fn note_hz(note: u8) -> Option<f64> {
    (note < REST).then(|| 440.0 * ops::exp(LN_2 * (f64::from(note) - 57.0) / 12.0))
}

/// Duration in ms and note number of every part of an effect, 0 (Enter) to 10 (Effect 2); nothing for any other number.
#[must_use]
pub fn effect_notes(id: u8) -> Option<&'static [(u16, u8)]> {
    EFFECTS.get(usize::from(id)).copied()
}

/// Duration in ms and note number of every part of a jingle.
#[must_use]
pub fn jingle_notes(jingle: Jingle) -> &'static [(u16, u8)] {
    match jingle {
        Jingle::Connect => &[(120, 59), (120, 66), (120, 59), (120, 66), (360, 70)],
        Jingle::Disconnect => &[(120, 70), (120, 66), (120, 64), (360, 59)],
        Jingle::PowerOn => &[(120, 59), (120, 66), (360, 75)],
        Jingle::PowerOff => &[(120, 70), (120, 66), (240, 59)],
    }
}

const EFFECTS: [&[(u16, u8)]; 11] = [
    &[(60, 71), (60, 67)],
    &[(40, 78), (200, 81)],
    &[(70, 69), (60, 67), (60, 66)],
    &[(70, 69)],
    &[(120, 62), (120, 67), (150, 71), (240, 67)],
    &[(120, 69), (150, 71), (150, 67), (240, 62)],
    &[(60, 66), (80, 69), (40, 74), (60, 76)],
    &[(80, 74), (30, REST), (80, 74), (30, REST), (140, 81)],
    &[(60, 71), (60, 67), (120, 74)],
    &[(70, 74)],
    &[(70, 66)],
];

#[derive(Clone, Debug, PartialEq)]
struct Playing {
    sequence: Sequence<Option<Sounding>>,
    is_jingle: bool,
}

/// The speaker with the sound that it plays.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Speaker {
    playing: Option<Playing>,
    mute: Mute,
}

impl Speaker {
    /// Plays effect `id` (0 to 10) once.
    ///
    /// # Errors
    /// If there is no such effect; what plays then goes on.
    pub fn play_effect(&mut self, now: Micros, id: u8, volume: u8) -> Result<(), ParamError> {
        let notes = effect_notes(id)
            .ok_or_else(|| ParamError::new("effect", format!("is {id}, must be from 0 to {}", EFFECTS.len() - 1)))?;
        self.play_once(now, notes, volume, false);
        Ok(())
    }

    /// Plays 1 to 59 operations `repeat` times, or endlessly (0).
    ///
    /// # Errors
    /// If the number of operations, a duration or a note is out of range; what plays then goes on.
    pub fn play_notes(&mut self, now: Micros, repeat: u8, operations: &[SoundOp]) -> Result<(), ParamError> {
        for op in operations {
            ParamError::check_range("note", f64::from(op.note), 0.0, f64::from(REST))?;
        }
        let steps = operations.iter().map(|op| (op.duration_10_ms, heard(op.note, op.volume))).collect();
        let sequence = Sequence::new(now, repeat, steps, MAX_SOUND_OPS)?;
        self.playing = Some(Playing { sequence, is_jingle: false });
        Ok(())
    }

    /// Plays one of the system's own sounds.
    pub fn play_jingle(&mut self, now: Micros, jingle: Jingle) {
        self.play_once(now, jingle_notes(jingle), FULL_VOLUME, true);
    }

    fn play_once(&mut self, now: Micros, notes: &[(u16, u8)], volume: u8, is_jingle: bool) {
        let steps = notes.iter().map(|&(ms, note)| (units_of_10_ms(ms.into()), heard(note, volume))).collect();
        self.playing = Some(Playing { sequence: Sequence::once(now, steps), is_jingle });
    }

    /// Falls silent.
    pub fn stop(&mut self) {
        self.playing = None;
    }

    /// Mutes from now on, what plays included.
    pub fn set_mute(&mut self, mute: Mute) {
        self.mute = mute;
    }

    /// What is muted.
    #[must_use]
    pub fn mute(&self) -> Mute {
        self.mute
    }

    /// What is heard at `now`, which must not lie before the last command: nothing after the end, in a rest, at volume 0 and if muted.
    #[must_use]
    pub fn sounding(&self, now: Micros) -> Option<Sounding> {
        let playing = self.playing.as_ref()?;
        let is_muted = self.mute == Mute::All || (self.mute == Mute::System && playing.is_jingle);
        if is_muted { None } else { playing.sequence.at(now).flatten() }
    }

    /// The first moment after `now` at which a note ends; nothing if there is none to come.
    pub(crate) fn next_change(&self, now: Micros) -> Option<Micros> {
        self.playing.as_ref()?.sequence.next_change(now)
    }

    /// Mixes the complete state into `hash`.
    pub fn hash_into(&self, hash: &mut StateHash) {
        hash.u64(self.mute as u64);
        hash.u64(self.playing.is_some().into());
        if let Some(playing) = &self.playing {
            hash.u64(playing.is_jingle.into());
            playing.sequence.words(|word| hash.u64(word), |heard| heard.map_or(0, |s| u64::from(s.note) + 1));
        }
    }
}

/// What a note at a volume makes the speaker do.
fn heard(note: u8, volume: u8) -> Option<Sounding> {
    (note < REST && volume > 0).then_some(Sounding { note, volume: FULL_VOLUME })
}
