//! Checksums that everyone's tools print as well.

use sha2::{Digest, Sha256};

/// SHA-256 in 64 lower-case digits.
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
