//! Any bytes as a scenario file. The first line may be a `--set`; the rest is the file.
//!
//! No panic, no hang; what is accepted reads back as itself, and what is refused is refused with words and a place.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sim_run::scenario::{self, Override, Severity};
use sim_worlds::WORLDS;

fuzz_target!(|bytes: &[u8]| {
    let (overrides, file) = split(bytes);
    match scenario::parse_bytes(WORLDS, file, "fuzz.json", &overrides) {
        Ok(loaded) => {
            let again = scenario::parse(WORLDS, &loaded.resolved, "again.json", &[]);
            assert_eq!(again.expect("what explain writes can be read").resolved, loaded.resolved);
        }
        Err(refused) => {
            assert!(refused.items.iter().any(|item| item.severity == Severity::Error));
            for item in &refused.items {
                assert!(!item.message.is_empty());
                assert!(item.span.as_ref().is_none_or(|span| refused.text.get(span.clone()).is_some()));
            }
        }
    }
});

fn split(bytes: &[u8]) -> (Vec<Override>, &[u8]) {
    let Some(rest) = bytes.strip_prefix(b"--set ") else { return (Vec::new(), bytes) };
    let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    let set = std::str::from_utf8(&rest[..end]).ok().and_then(|text| text.parse().ok());
    (set.into_iter().collect(), rest.get(end + 1..).unwrap_or_default())
}
