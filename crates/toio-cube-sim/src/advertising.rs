//! What a cube calls itself over the air (toio facts, section 5).

use crate::{gatt, version::Protocol};
use sim_core::{ParamError, hash::mix};

/// Letters that cubes use in their names. Those that are easily mistaken for others are left out.
const LETTERS: &[u8] = b"abcdefhijkmnprtABCDEFGHJKLMNPQRT";

/// Flags of the advertisement: general discoverable, no BR/EDR.
pub const ADVERTISING_FLAGS: u8 = 0x06;

/// The three characters that distinguish cubes, such as `a1B`. Stable, but not promised to be unique.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameSuffix([u8; 3]);

impl NameSuffix {
    /// The given three letters or digits. Real fleets have all shapes, so that any order of ASCII letters and digits will do.
    ///
    /// # Errors
    /// If it is not three ASCII letters or digits.
    pub fn new(text: &str) -> Result<Self, ParamError> {
        match text.as_bytes() {
            &[a, b, c] if [a, b, c].iter().all(u8::is_ascii_alphanumeric) => Ok(Self([a, b, c])),
            _ => Err(ParamError::new("name_suffix", format!("is {text:?}, must be three ASCII letters or digits"))),
        }
    }

    /// A letter, a digit and a letter that follow from a cube's number.
    #[must_use]
    pub fn from_number(number: u64) -> Self {
        let bits = mix(number);
        let letter = |word: u64| LETTERS[(word % LETTERS.len() as u64) as usize];
        Self([letter(bits), b'0' + ((bits >> 20) % 10) as u8, letter(bits >> 40)])
    }

    fn text(self) -> String {
        self.0.iter().map(|&byte| char::from(byte)).collect()
    }
}

/// What a cube sends while it waits for a connection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advertisement {
    /// Flags byte, [`ADVERTISING_FLAGS`].
    pub flags: u8,
    /// The one entry of the complete list of 128-bit services.
    pub service_uuid: &'static str,
    /// Local name.
    pub local_name: String,
    /// True if the local name is sent as complete, false if as shortened.
    pub name_is_complete: bool,
}

impl Advertisement {
    /// What a cube of this version and name sends.
    #[must_use]
    pub fn new(protocol: Protocol, suffix: NameSuffix) -> Self {
        let is_short = protocol >= Protocol::V2_4_0;
        let local_name = if is_short { format!("toio-{}", suffix.text()) } else { gap_device_name(protocol, suffix) };
        Self { flags: ADVERTISING_FLAGS, service_uuid: gatt::SERVICE_UUID, local_name, name_is_complete: !is_short }
    }
}

/// The GAP Device Name that a connected client reads.
#[must_use]
pub fn gap_device_name(protocol: Protocol, suffix: NameSuffix) -> String {
    match protocol {
        Protocol::V2_0_0 | Protocol::V2_1_0 | Protocol::V2_2_0 => "toio Core Cube".to_owned(),
        Protocol::V2_3_0 => format!("toio Core Cube-{}", suffix.text()),
        Protocol::V2_4_0 | Protocol::V2_5_0 => format!("toio-{} (toio Core Cube)", suffix.text()),
    }
}
