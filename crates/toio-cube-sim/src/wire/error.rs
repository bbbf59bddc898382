//! What can be wrong with bytes.

use std::fmt;

/// Why bytes have no meaning on a characteristic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WireError {
    /// The first byte, or the first two, name nothing that this protocol version knows.
    UnknownOperation,
    /// The operation exists, but not with so many bytes.
    WrongLength {
        /// Number of bytes given.
        length: usize,
    },
    /// A field is out of its range.
    OutOfRange {
        /// Name of the field.
        field: &'static str,
        /// What it holds.
        value: u16,
    },
    /// Both halves of a wheel command name the same wheel.
    SameWheelTwice,
}

impl WireError {
    pub(super) fn out_of_range(field: &'static str, value: impl Into<u16>) -> Self {
        Self::OutOfRange { field, value: value.into() }
    }

    pub(super) fn wrong_length(bytes: &[u8]) -> Self {
        Self::WrongLength { length: bytes.len() }
    }
}

impl fmt::Display for WireError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownOperation => f.write_str("unknown operation"),
            Self::WrongLength { length } => write!(f, "wrong length: {length} bytes"),
            Self::OutOfRange { field, value } => write!(f, "{field} is {value}, which is out of range"),
            Self::SameWheelTwice => f.write_str("both halves name the same wheel"),
        }
    }
}

impl std::error::Error for WireError {}
