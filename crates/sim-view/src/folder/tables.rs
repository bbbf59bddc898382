//! `tables.json`: the streams of a run, and where their columns stand in a row.

use super::error::FolderError;
use super::files::read_json;
use serde::{Deserialize, Serialize};
use sim_world::{ColumnKind, Stream};
use std::ops::Range;
use std::path::Path;

pub(super) const TABLES_JSON: &str = "tables.json";
pub(super) const VIEW_JSON: &str = "view.json";

/// The streams of a run. Keys that are not named here, such as the unit of a column, are left to other readers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tables {
    /// The output streams.
    pub streams: Vec<Stream>,
}

impl Tables {
    pub(super) fn read(folder: &Path) -> Result<Self, FolderError> {
        read_json(&folder.join(TABLES_JSON))
    }

    /// The stream of a name.
    #[must_use]
    pub fn stream(&self, name: &str) -> Option<&Stream> {
        self.streams.iter().find(|stream| stream.name == name)
    }
}

/// Name of the file that holds a stream.
#[must_use]
pub fn file_of(stream: &str) -> String {
    format!("{stream}.csv")
}

/// Most columns of a table: far more than any scan has rays.
pub(super) const MAX_COLUMNS: usize = 100_000;

/// Places of the values of a column in a row: one, or as many as a scan has.
#[must_use]
pub fn places_of(stream: &Stream, column: &str) -> Option<Range<usize>> {
    let mut first: usize = 0;
    for candidate in &stream.columns {
        let end = first.saturating_add(width_of(candidate.kind));
        if candidate.name == column {
            return Some(first..end);
        }
        first = end;
    }
    None
}

pub(super) fn width_of(kind: ColumnKind) -> usize {
    match kind {
        ColumnKind::Numbers(count) => count as usize,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_world::{Cadence, Column};

    #[test]
    fn a_scan_takes_as_many_places_as_it_has_rays() {
        let columns = Column::moment().into_iter().chain([
            Column::integer("car", ""),
            Column::new("ray_#_m", ColumnKind::Numbers(3), ""),
            Column::text("note", ""),
        ]);
        let stream = Stream::new("lidar", "", Cadence::OnEvent { at_most: None }, columns);
        assert_eq!(places_of(&stream, "car"), Some(2..3));
        assert_eq!(places_of(&stream, "ray_#_m"), Some(3..6));
        assert_eq!(places_of(&stream, "note"), Some(6..7));
        assert_eq!(places_of(&stream, "rays"), None);
    }
}
