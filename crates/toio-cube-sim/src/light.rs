//! The lamp on the underside: steady colours, sequences and the smooth blink of protocol 2.5.0.
//!
//! # Law
//! Toio facts, sections 6.3 and 8.8. A steady colour is shown while the time since the command is less than its duration, or for ever
//! (0). A sequence ends when its repetitions are over and shows the operation that contains the time since its start, modulo its
//! period. After the end the lamp is dark. A new command replaces the old one at once.
//!
//! # Smooth blink
//! The specification says only that the lamp goes on and off smoothly within a cycle. Ours is the simplest such curve, the raised
//! cosine `(1 - cos(2 pi t / T)) / 2`: dark at both ends of the cycle, full in its middle, so that blinks join without a step.

use crate::micros::Micros;
use crate::sequence::Sequence;
use sim_core::{ParamError, StateHash, ops};
use std::f64::consts::TAU;

/// Most operations in a sequence (toio facts, section 6.3).
pub const MAX_LIGHT_OPS: usize = 29;
/// Shortest cycle of a smooth blink, in units of 10 ms.
pub const MIN_BLINK_10_MS: u8 = 10;

/// Colour of the lamp, each channel from 0 (dark) to 255.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rgb {
    /// Red.
    pub r: u8,
    /// Green.
    pub g: u8,
    /// Blue.
    pub b: u8,
}

impl Rgb {
    /// No light.
    pub const DARK: Self = Self { r: 0, g: 0, b: 0 };

    /// A colour from its channels.
    #[must_use]
    pub const fn new(r: u8, g: u8, b: u8) -> Self {
        Self { r, g, b }
    }

    /// A colour from any numbers: what lies outside 0 to 255 becomes the nearer end and is never wrapped round.
    #[must_use]
    pub fn clamped(r: i64, g: i64, b: i64) -> Self {
        let channel = |value: i64| value.clamp(0, 255) as u8;
        Self::new(channel(r), channel(g), channel(b))
    }

    /// The colour at `share` (0 to 1) of its brightness, each channel rounded to the nearest number.
    #[must_use]
    fn dimmed(self, share: f64) -> Self {
        let channel = |value: u8| (f64::from(value) * share).round() as u8;
        Self::new(channel(self.r), channel(self.g), channel(self.b))
    }

    fn word(self) -> u64 {
        u64::from(self.r) << 16 | u64::from(self.g) << 8 | u64::from(self.b)
    }
}

/// One operation of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LightOp {
    /// Duration in units of 10 ms, 1 to 255.
    pub duration_10_ms: u8,
    /// Colour for so long; all channels 0 is dark.
    pub color: Rgb,
}

#[derive(Clone, Debug, PartialEq)]
enum LightMode {
    Dark,
    Steady { started: Micros, duration_10_ms: u8, color: Rgb },
    Sequence(Sequence<Rgb>),
    Blink { started: Micros, count: u8, period_10_ms: u8, color: Rgb },
}

/// The lamp with the colours that it shows.
#[derive(Clone, Debug, PartialEq)]
pub struct Lamp {
    mode: LightMode,
}

impl Default for Lamp {
    fn default() -> Self {
        Self { mode: LightMode::Dark }
    }
}

impl Lamp {
    /// Shows a colour for `duration_10_ms` times 10 ms, or until the next command (0).
    pub fn on(&mut self, now: Micros, duration_10_ms: u8, color: Rgb) {
        self.mode = LightMode::Steady { started: now, duration_10_ms, color };
    }

    /// Plays 1 to 29 operations `repeat` times, or endlessly (0).
    ///
    /// # Errors
    /// If the number of operations or a duration is out of range; the lamp then goes on with what it shows.
    pub fn play(&mut self, now: Micros, repeat: u8, operations: &[LightOp]) -> Result<(), ParamError> {
        let steps = operations.iter().map(|op| (op.duration_10_ms, op.color)).collect();
        self.mode = LightMode::Sequence(Sequence::new(now, repeat, steps, MAX_LIGHT_OPS)?);
        Ok(())
    }

    /// Blinks smoothly `count` times, or endlessly (0), with a cycle of `period_10_ms` (10 to 255) times 10 ms.
    ///
    /// # Errors
    /// If the cycle is too short; the lamp then goes on with what it shows.
    pub fn blink(&mut self, now: Micros, count: u8, period_10_ms: u8, color: Rgb) -> Result<(), ParamError> {
        ParamError::check_range("period_10_ms", f64::from(period_10_ms), f64::from(MIN_BLINK_10_MS), 255.0)?;
        self.mode = LightMode::Blink { started: now, count, period_10_ms, color };
        Ok(())
    }

    /// Goes dark.
    pub fn off(&mut self) {
        self.mode = LightMode::Dark;
    }

    /// The colour at `now`, which must not lie before the last command.
    #[must_use]
    pub fn color(&self, now: Micros) -> Rgb {
        match &self.mode {
            LightMode::Dark => Rgb::DARK,
            LightMode::Steady { started, duration_10_ms, color } => {
                let span = Micros::from_10_ms(u64::from(*duration_10_ms));
                if *duration_10_ms == 0 || now.since(*started) < span { *color } else { Rgb::DARK }
            }
            LightMode::Sequence(sequence) => sequence.at(now).unwrap_or(Rgb::DARK),
            LightMode::Blink { started, count, period_10_ms, color } => {
                color.dimmed(blink_share(now.since(*started), *count, *period_10_ms))
            }
        }
    }

    /// The first moment after `now` at which the colour changes at once, or a blink ends; nothing if there is none to come.
    pub(crate) fn next_change(&self, now: Micros) -> Option<Micros> {
        let (started, span) = match &self.mode {
            LightMode::Dark => return None,
            LightMode::Sequence(sequence) => return sequence.next_change(now),
            LightMode::Steady { started, duration_10_ms, .. } => (started, u64::from(*duration_10_ms)),
            LightMode::Blink { started, count, period_10_ms, .. } => {
                (started, u64::from(*count) * u64::from(*period_10_ms))
            }
        };
        let end = started.after(Micros::from_10_ms(span));
        (end > now && span > 0).then_some(end)
    }

    /// Mixes the complete state into `hash`.
    pub fn hash_into(&self, hash: &mut StateHash) {
        match &self.mode {
            LightMode::Dark => hash.u64(0),
            LightMode::Steady { started, duration_10_ms, color } => {
                [1, started.0, u64::from(*duration_10_ms), color.word()].into_iter().for_each(|w| hash.u64(w));
            }
            LightMode::Sequence(sequence) => {
                hash.u64(2);
                sequence.words(|word| hash.u64(word), Rgb::word);
            }
            LightMode::Blink { started, count, period_10_ms, color } => {
                let words = [3, started.0, u64::from(*count), u64::from(*period_10_ms), color.word()];
                words.into_iter().for_each(|w| hash.u64(w));
            }
        }
    }
}

/// Share of the full brightness of a smooth blink, `elapsed` after its start.
fn blink_share(elapsed: Micros, count: u8, period_10_ms: u8) -> f64 {
    let period = Micros::from_10_ms(u64::from(period_10_ms)).0;
    if count > 0 && elapsed.0 >= period * u64::from(count) {
        return 0.0;
    }
    let phase = (elapsed.0 % period) as f64 / period as f64;
    0.5 * (1.0 - ops::cos(TAU * phase))
}
