//! Buzzer commands, characteristic 104 (toio facts, section 6.4).

use super::{WireError, in_range};
use crate::sound::{MAX_SOUND_OPS, REST, SoundOp};

/// Largest number of a built-in effect.
pub const MAX_SOUND_EFFECT: u8 = 10;
/// What the buzzer shall do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SoundCommand {
    /// `02`: a built-in effect.
    Effect {
        /// Number of the effect, 0 to 10.
        id: u8,
        /// 0 is silent, anything else full.
        volume: u8,
    },
    /// `03`: notes one after the other.
    Notes {
        /// How often; 0 is for ever.
        repeat: u8,
        /// 1 to 59 notes.
        notes: Vec<SoundOp>,
    },
    /// `01`: silence.
    Stop,
}

impl SoundCommand {
    /// The bytes of a write.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::Effect { id, volume } => vec![2, *id, *volume],
            Self::Notes { repeat, notes } => {
                let count = u8::try_from(notes.len()).unwrap_or(u8::MAX);
                let notes = notes.iter().flat_map(|note| [note.duration_10_ms, note.note, note.volume]);
                [3, *repeat, count].into_iter().chain(notes).collect()
            }
            Self::Stop => vec![1],
        }
    }

    /// The meaning of a write.
    ///
    /// # Errors
    /// If the operation, the length or a field is not one that a cube takes.
    pub fn decode(bytes: &[u8]) -> Result<Self, WireError> {
        match *bytes {
            [1] => Ok(Self::Stop),
            [2, id, volume] => {
                let id = in_range("effect", id, 0, MAX_SOUND_EFFECT)?;
                Ok(Self::Effect { id, volume })
            }
            [3, repeat, count, ref notes @ ..] => melody(repeat, count, notes, bytes),
            [1..=3, ..] | [] => Err(WireError::wrong_length(bytes)),
            _ => Err(WireError::UnknownOperation),
        }
    }
}

fn melody(repeat: u8, count: u8, notes: &[u8], bytes: &[u8]) -> Result<SoundCommand, WireError> {
    let (notes, rest) = notes.as_chunks::<3>();
    in_range("number of notes", count, 1, MAX_SOUND_OPS as u8)?;
    // As with light: fewer than announced is an error, more are not played.
    let announced = notes.get(..usize::from(count)).filter(|_| rest.is_empty());
    let announced = announced.ok_or(WireError::wrong_length(bytes))?;
    let notes: Result<Vec<_>, _> = announced.iter().map(note).collect();
    Ok(SoundCommand::Notes { repeat, notes: notes? })
}

fn note(&[duration, number, volume]: &[u8; 3]) -> Result<SoundOp, WireError> {
    let duration_10_ms = in_range("duration", duration, 1, u8::MAX)?;
    Ok(SoundOp { duration_10_ms, note: in_range("note", number, 0, REST)?, volume })
}
