//! From a text that a person wrote to a checked value. Files are JSON to the letter, checked against a schema that is generated from
//! structs; every fault is found at once, with its place in the text.
//!
//! 1. [`text`]: bytes to text, [`tree`]: text to a tree that remembers where everything stands; [`overrides`] are laid over it.
//! 2. [`walk`](mod@walk): the tree against the JSON Schema. The schema that editors use and the checks made here are the same thing.
//! 3. [`checks`]: what only several keys together can say, located in the tree.
//! 4. [`diagnostic`]: faults with file, line and column. [`write`](mod@write): a value as text again, as a person would write it.
//!
//! [`columns`] reads the CSV files that such a text may name.
//!
//! It must not know worlds: scenarios, sweeps and whatever else people write are read by the same means.

pub mod checks;
pub mod columns;
pub mod diagnostic;
pub mod nearest;
pub mod overrides;
pub mod refused;
pub mod schema;
pub mod text;
pub mod tree;
pub mod walk;
pub mod words;
pub mod write;
