//! Lamp commands, characteristic 103 (toio facts, section 6.3).

use super::{WireError, in_range, since};
use crate::light::{LightOp, MAX_LIGHT_OPS, MIN_BLINK_10_MS, Rgb};
use crate::version::Protocol;

/// What the lamp shall do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LightCommand {
    /// `03`: one colour.
    On {
        /// How long, in units of 10 ms; 0 is for ever.
        duration_10_ms: u8,
        /// Colour.
        color: Rgb,
    },
    /// `04`: colours one after the other, dark afterwards.
    Sequence {
        /// How often; 0 is for ever.
        repeat: u8,
        /// 1 to 29 operations.
        operations: Vec<LightOp>,
    },
    /// `01`: all lamps off.
    AllOff,
    /// `02`: the one lamp off.
    Off,
    /// `70`: smooth blinking, from 2.5.0 on.
    Blink {
        /// How often; 0 is for ever.
        count: u8,
        /// Period, in units of 10 ms, 10 to 255.
        period_10_ms: u8,
        /// Colour.
        color: Rgb,
    },
}

impl LightCommand {
    /// The bytes of a write.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Self::On { duration_10_ms, color: Rgb { r, g, b } } => vec![3, *duration_10_ms, 1, 1, *r, *g, *b],
            Self::Sequence { repeat, operations } => {
                let count = u8::try_from(operations.len()).unwrap_or(u8::MAX);
                let operations = operations.iter().flat_map(|op| {
                    let Rgb { r, g, b } = op.color;
                    [op.duration_10_ms, 1, 1, r, g, b]
                });
                [4, *repeat, count].into_iter().chain(operations).collect()
            }
            Self::AllOff => vec![1],
            Self::Off => vec![2, 1, 1],
            Self::Blink { count, period_10_ms, color: Rgb { r, g, b } } => {
                vec![0x70, *count, 1, 1, *period_10_ms, *r, *g, *b]
            }
        }
    }

    /// The meaning of a write.
    ///
    /// # Errors
    /// If the operation, the length or a field is not one that `protocol` takes.
    pub fn decode(bytes: &[u8], protocol: Protocol) -> Result<Self, WireError> {
        match *bytes {
            [1] => Ok(Self::AllOff),
            [2, lamps, lamp] => the_lamp(lamps, lamp).map(|()| Self::Off),
            [3, duration_10_ms, lamps, lamp, r, g, b] => {
                the_lamp(lamps, lamp).map(|()| Self::On { duration_10_ms, color: Rgb::new(r, g, b) })
            }
            [4, repeat, count, ref operations @ ..] => sequence(repeat, count, operations, bytes),
            [0x70, ..] => blink(bytes, protocol),
            [1..=4, ..] | [] => Err(WireError::wrong_length(bytes)),
            _ => Err(WireError::UnknownOperation),
        }
    }
}

/// The cube has one lamp, with number 1.
fn the_lamp(lamps: u8, lamp: u8) -> Result<(), WireError> {
    in_range("number of lamps", lamps, 1, 1)?;
    in_range("lamp", lamp, 1, 1).map(drop)
}

fn sequence(repeat: u8, count: u8, operations: &[u8], bytes: &[u8]) -> Result<LightCommand, WireError> {
    let (operations, rest) = operations.as_chunks::<6>();
    in_range("number of operations", count, 1, MAX_LIGHT_OPS as u8)?;
    // Fewer operations than announced, or half an operation: dropped. More: only the announced ones play.
    let announced = operations.get(..usize::from(count)).filter(|_| rest.is_empty());
    let announced = announced.ok_or(WireError::wrong_length(bytes))?;
    let operations: Result<Vec<_>, _> = announced.iter().map(operation).collect();
    Ok(LightCommand::Sequence { repeat, operations: operations? })
}

fn operation(&[duration, lamps, lamp, r, g, b]: &[u8; 6]) -> Result<LightOp, WireError> {
    the_lamp(lamps, lamp)?;
    let duration_10_ms = in_range("duration", duration, 1, u8::MAX)?;
    Ok(LightOp { duration_10_ms, color: Rgb::new(r, g, b) })
}

fn blink(bytes: &[u8], protocol: Protocol) -> Result<LightCommand, WireError> {
    since(Protocol::V2_5_0, protocol)?;
    let &[_, count, lamps, lamp, period, r, g, b] = bytes else { return Err(WireError::wrong_length(bytes)) };
    the_lamp(lamps, lamp)?;
    let period_10_ms = in_range("period", period, MIN_BLINK_10_MS, u8::MAX)?;
    Ok(LightCommand::Blink { count, period_10_ms, color: Rgb::new(r, g, b) })
}
