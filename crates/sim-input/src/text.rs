//! From a file, or its bytes, to text.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::diagnostic::{Diagnostics, Fault, Locator, Origin};

/// Largest file that is read, in bytes.
pub const SIZE_MAX: u64 = 8 << 20;

/// Reads a file; `noun` is what it should be, "a scenario".
///
/// # Errors
/// If it cannot be read, is too large for what it should be, or is not UTF-8.
pub fn read(path: &Path, noun: &str) -> Result<String, Diagnostics> {
    let name = path.display().to_string();
    let unreadable = |message: String| whole_file(&name, message);
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| unreadable(format!("cannot be opened: {error}")))?;
    file.take(SIZE_MAX + 1).read_to_end(&mut bytes).map_err(|error| unreadable(format!("cannot be read: {error}")))?;
    decode(&bytes, &name, noun)
}

/// The text of some bytes; `origin` is the name that messages give them. A byte order mark, as some editors put in front, is
/// left out.
///
/// # Errors
/// If there are too many bytes, or they are not UTF-8.
pub fn decode(bytes: &[u8], origin: &str, noun: &str) -> Result<String, Diagnostics> {
    if bytes.len() as u64 > SIZE_MAX {
        return Err(whole_file(origin, format!("is larger than {} MiB: is it {noun}?", SIZE_MAX >> 20)));
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(text).to_owned()),
        Err(error) => {
            let good = String::from_utf8_lossy(&bytes[..error.valid_up_to()]);
            let byte = bytes.get(error.valid_up_to()).copied().unwrap_or_default();
            let message = format!("the byte 0x{byte:02X} is not UTF-8; save the file as UTF-8");
            let at = Fault::at(Origin::Text(good.len()..good.len()), "", message);
            Err(refused(&good, origin, &[], vec![at]))
        }
    }
}

/// All that is wrong with a text. `flags` are the overrides that were laid over it.
pub fn refused(text: &str, origin: &str, flags: &[String], faults: Vec<Fault>) -> Diagnostics {
    let locator = Locator { file: origin, text, flags };
    Diagnostics { items: locator.diagnostics(faults), text: text.to_owned() }
}

fn whole_file(origin: &str, message: String) -> Diagnostics {
    refused("", origin, &[], vec![Fault::new("", message)])
}
