//! Doors for real client programs of cubes.
