//! What people look at: the folder of a run, read back table by table.
//!
//! The crate knows files, not how they came to be: old folders and other people's folders read as well as ours. Lengths in mm on the mat's
//! plane, x right, y down; angles in rad from +x towards +y.

pub mod folder;
