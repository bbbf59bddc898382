//! Files that people write: JSON to the letter, checked against a schema that is generated from structs. All that is wrong is
//! found at once, with its place in the text.
//!
//! It must not know what the files say: scenarios and sweeps are read by the same means.

pub(crate) mod diagnostic;
pub(crate) mod nearest;
pub(crate) mod schema;
pub(crate) mod text;
pub(crate) mod tree;
pub(crate) mod walk;
pub(crate) mod words;
pub(crate) mod write;
