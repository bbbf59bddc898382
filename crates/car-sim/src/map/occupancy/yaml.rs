//! The YAML file of an occupancy grid: one level of keys, of which `origin` is a list.

use crate::map::MapError;
use crate::pose::Pose;
use sim_core::DVec2;

/// Smallest and largest cell, m.
const RESOLUTION_M: [f64; 2] = [1e-4, 1e3];

/// How a picture lies in the world, and which of its cells are occupied.
#[derive(Clone, Debug, PartialEq)]
pub struct OccupancySpec {
    /// Name of the picture's file, from where the YAML file is.
    pub image: String,
    /// Side of a cell, m.
    pub resolution_m: f64,
    /// Lower left corner of the picture in the world, and its turn.
    pub origin: Pose,
    /// Light cells are occupied instead of dark ones.
    pub negate: bool,
    /// Cells of a higher occupancy, from 0 to 1, are occupied.
    pub occupied_thresh: f64,
    /// Cells of a lower occupancy are free; those between are unknown.
    pub free_thresh: f64,
}

impl OccupancySpec {
    /// Reads the YAML file.
    ///
    /// # Errors
    /// If a key is missing, given twice or out of its range. The error names the line.
    pub fn from_yaml(text: &str) -> Result<Self, MapError> {
        let entries = Entries::read(text)?;
        let is_known = |mode: &&Entry| ["trinary", "scale"].contains(&mode.value.as_str());
        if let Some(mode) = entries.find("mode").filter(|mode| !is_known(mode)) {
            return Err(mode.error("must be trinary or scale"));
        }
        Ok(Self {
            image: entries.need("image")?.text()?,
            resolution_m: entries.need("resolution")?.number(RESOLUTION_M)?,
            origin: entries.need("origin")?.pose()?,
            negate: entries.need("negate")?.flag()?,
            occupied_thresh: entries.need("occupied_thresh")?.number([0.0, 1.0])?,
            free_thresh: entries.need("free_thresh")?.number([0.0, 1.0])?,
        })
    }

    /// Whether a cell of this lightness, 0 for black and 255 for white, is occupied.
    #[must_use]
    pub fn is_occupied(&self, gray: u8) -> bool {
        let dark = if self.negate { gray } else { 255 - gray };
        f64::from(dark) / 255.0 > self.occupied_thresh
    }

    /// Place of the corner that is so many cells from the left and the lower edge, m.
    pub(super) fn place_m(&self, x: usize, y: usize) -> DVec2 {
        self.origin.point(DVec2::new(x as f64, y as f64) * self.resolution_m)
    }
}

/// A key, what stands behind it, and where.
struct Entry {
    line: usize,
    key: String,
    value: String,
}

struct Entries(Vec<Entry>);

impl Entries {
    fn read(text: &str) -> Result<Self, MapError> {
        let mut entries: Vec<Entry> = Vec::new();
        for (index, full_line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
            let line = without_comment(full_line).trim();
            if line.is_empty() || line == "---" || line == "..." || line.starts_with('%') {
                continue;
            }
            if let (Some(item), Some(list)) = (line.strip_prefix("- "), entries.last_mut()) {
                // A list may be written an item a line.
                list.value = format!("{}, {}", list.value, item.trim());
                continue;
            }
            let Some((key, value)) = line.split_once(':') else {
                return Err(MapError::new(format!("line {}", index + 1), format!("`{line}` is not `key: value`")));
            };
            let entry = Entry { line: index + 1, key: key.trim().to_owned(), value: value.trim().to_owned() };
            if entries.iter().any(|known| known.key == entry.key) {
                return Err(entry.error("is given twice"));
            }
            entries.push(entry);
        }
        Ok(Self(entries))
    }

    fn find(&self, key: &str) -> Option<&Entry> {
        self.0.iter().find(|entry| entry.key == key)
    }

    fn need(&self, key: &str) -> Result<&Entry, MapError> {
        self.find(key).ok_or_else(|| MapError::new(key, "is missing"))
    }
}

/// The line up to a `#` that is not in quotes and not within a word.
fn without_comment(line: &str) -> &str {
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in line.char_indices() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '"' || c == '\'' => quote = Some(c),
            None if c == '#' && before.is_whitespace() => return &line[..at],
            _ => {}
        }
        before = c;
    }
    line
}

impl Entry {
    fn error(&self, message: &str) -> MapError {
        MapError::new(format!("line {}", self.line), format!("{} is `{}`, {message}", self.key, self.value))
    }

    fn text(&self) -> Result<String, MapError> {
        let quoted = ['"', '\''].iter().find_map(|&quote| self.value.strip_prefix(quote)?.strip_suffix(quote));
        match quoted.unwrap_or(&self.value) {
            "" => Err(self.error("must be the name of a file")),
            name => Ok(name.to_owned()),
        }
    }

    fn number(&self, [min, max]: [f64; 2]) -> Result<f64, MapError> {
        let number = self.value.parse().ok().filter(|number| (min..=max).contains(number));
        number.ok_or_else(|| self.error(&format!("must be a number from {min} to {max}")))
    }

    fn flag(&self) -> Result<bool, MapError> {
        match self.value.as_str() {
            "0" | "false" | "False" => Ok(false),
            "1" | "true" | "True" => Ok(true),
            _ => Err(self.error("must be 0 or 1")),
        }
    }

    fn pose(&self) -> Result<Pose, MapError> {
        let list = self.value.trim_start_matches([',', '[']).trim_end_matches(']');
        let numbers: Option<Vec<f64>> = list.split(',').map(|item| item.trim().parse().ok()).collect();
        match numbers.as_deref() {
            Some(&[x_m, y_m, yaw_rad]) if Pose::new(x_m, y_m, yaw_rad).is_finite() => Ok(Pose::new(x_m, y_m, yaw_rad)),
            _ => Err(self.error("must be [x, y, yaw] in metres and radians")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAIN: &str = "\
image: floor.pgm
resolution: 0.05
origin: [-12.2, -10.0, 0.1]
negate: 0
occupied_thresh: 0.65
free_thresh: 0.196
";

    #[test]
    fn the_usual_file() {
        let spec = OccupancySpec::from_yaml(PLAIN).unwrap();
        assert_eq!((spec.image.as_str(), spec.resolution_m, spec.negate), ("floor.pgm", 0.05, false));
        assert_eq!(spec.origin, Pose::new(-12.2, -10.0, 0.1));
        assert_eq!((spec.occupied_thresh, spec.free_thresh), (0.65, 0.196));
        // 0.65 of 255 is 165.75: 89 and darker are occupied.
        assert!(spec.is_occupied(0) && spec.is_occupied(89) && !spec.is_occupied(90) && !spec.is_occupied(255));
        assert!(!OccupancySpec { negate: true, ..spec.clone() }.is_occupied(0));
        assert!(OccupancySpec { negate: true, ..spec }.is_occupied(255));
    }

    #[test]
    fn the_same_in_other_words() {
        let other = "\
---
# made by hand
image: \"floor.pgm\"  # a picture
mode: trinary
resolution: 5e-2
origin:
  - -12.2
  - -10.0
  - 0.1
negate: false
occupied_thresh: 0.65
free_thresh: 0.196
";
        assert_eq!(OccupancySpec::from_yaml(other), OccupancySpec::from_yaml(PLAIN));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_line() {
        let error = |from: &str, to: &str| OccupancySpec::from_yaml(&PLAIN.replace(from, to)).unwrap_err().to_string();
        assert_eq!(error("image: floor.pgm", "image:"), "line 1: image is ``, must be the name of a file");
        assert_eq!(error("0.05", "0"), "line 2: resolution is `0`, must be a number from 0.0001 to 1000");
        assert_eq!(error("0.05", "nan"), "line 2: resolution is `nan`, must be a number from 0.0001 to 1000");
        assert_eq!(
            error("0.1]", "inf]"),
            "line 3: origin is `[-12.2, -10.0, inf]`, must be [x, y, yaw] in metres and radians"
        );
        assert_eq!(error("negate: 0", "negate: 2"), "line 4: negate is `2`, must be 0 or 1");
        assert_eq!(error("0.65", "65"), "line 5: occupied_thresh is `65`, must be a number from 0 to 1");
        assert_eq!(error("free_thresh: 0.196\n", ""), "free_thresh: is missing");
        assert_eq!(error("free_thresh: 0.196", "negate: 1"), "line 6: negate is `1`, is given twice");
        assert_eq!(error("negate: 0", "mode: raw\nnegate: 0"), "line 4: mode is `raw`, must be trinary or scale");
        assert_eq!(error("negate: 0", "negate"), "line 4: `negate` is not `key: value`");
    }
}
