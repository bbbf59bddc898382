//! The YAML file of an occupancy grid, as ROS's `map_server` reads it: keys and values, of which `origin` is a list.

use crate::map::MapError;
use crate::pose::Pose;
use saphyr_parser::{Event, Parser, StrInput};
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
    /// If it is not YAML, a key is missing, given twice or out of its range, or `occupied_thresh` is below `free_thresh`. The error names
    /// the line.
    pub fn from_yaml(text: &str) -> Result<Self, MapError> {
        let entries = Entries::read(text)?;
        if let Some(mode) = entries.find("mode").filter(|mode| !["trinary", "scale"].contains(&mode.word())) {
            return Err(mode.error("must be trinary or scale"));
        }
        let spec = Self {
            image: entries.need("image")?.text()?,
            resolution_m: entries.need("resolution")?.number(RESOLUTION_M)?,
            origin: entries.need("origin")?.pose()?,
            negate: entries.need("negate")?.flag()?,
            occupied_thresh: entries.need("occupied_thresh")?.number([0.0, 1.0])?,
            free_thresh: entries.need("free_thresh")?.number([0.0, 1.0])?,
        };
        if spec.occupied_thresh < spec.free_thresh {
            let occupied = entries.need("occupied_thresh")?;
            return Err(occupied.error(&format!("must be at least free_thresh, which is {}", spec.free_thresh)));
        }
        Ok(spec)
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

/// A key, its value, and where it is.
struct Entry {
    line: usize,
    key: String,
    value: Value,
}

/// Values that a map's file may have: numbers are words here, as `map_server` takes them.
enum Value {
    Word(String),
    List(Vec<String>),
    /// Keys within keys, lists within lists.
    Nested,
}

struct Entries(Vec<Entry>);

impl Entries {
    fn read(text: &str) -> Result<Self, MapError> {
        let mut nodes = Nodes(Parser::new_from_str(text.trim_start_matches('\u{feff}')));
        match nodes.next()? {
            (Event::MappingStart(..), _) => {}
            (_, line) => return Err(at(line, "must be `key: value`")),
        }
        let mut entries: Vec<Entry> = Vec::new();
        loop {
            let (key, line) = match nodes.next()? {
                (Event::MappingEnd, _) => break,
                (Event::Scalar(key, ..), line) => (key.into_owned(), line),
                (_, line) => return Err(at(line, "has a key that is not a word")),
            };
            let entry = Entry { line, key, value: nodes.value()? };
            if entries.iter().any(|known| known.key == entry.key) {
                return Err(entry.error("is given twice"));
            }
            entries.push(entry);
        }
        match nodes.next()? {
            (Event::StreamEnd, _) => Ok(Self(entries)),
            (_, line) => Err(at(line, "begins a second document, a map has one")),
        }
    }

    fn find(&self, key: &str) -> Option<&Entry> {
        self.0.iter().find(|entry| entry.key == key)
    }

    fn need(&self, key: &str) -> Result<&Entry, MapError> {
        self.find(key).ok_or_else(|| MapError::new(key, "is missing"))
    }
}

fn at(line: usize, message: impl Into<String>) -> MapError {
    MapError::new(format!("line {line}"), message)
}

/// What a YAML file is made of, one after the other. Aliases are never followed: a short file could grow beyond any memory.
struct Nodes<'a>(Parser<'a, StrInput<'a>>);

impl<'a> Nodes<'a> {
    /// The next event that means something, and its line.
    fn next(&mut self) -> Result<(Event<'a>, usize), MapError> {
        loop {
            let Some(next) = self.0.next() else { return Ok((Event::StreamEnd, 0)) };
            let (event, span) =
                next.map_err(|error| at(error.marker().line(), format!("is not YAML: {}", error.info())))?;
            if !matches!(event, Event::Nothing | Event::StreamStart | Event::DocumentStart(_) | Event::DocumentEnd) {
                return Ok((event, span.start.line()));
            }
        }
    }

    fn value(&mut self) -> Result<Value, MapError> {
        match self.next()? {
            (Event::Scalar(word, ..), _) => Ok(Value::Word(word.into_owned())),
            (Event::SequenceStart(..), _) => self.list(),
            (Event::MappingStart(..), _) => self.skip(),
            (_, line) => Err(at(line, "has an alias, must have the value itself")),
        }
    }

    fn list(&mut self) -> Result<Value, MapError> {
        let mut words = Vec::new();
        loop {
            match self.next()? {
                (Event::SequenceEnd, _) => return Ok(Value::List(words)),
                (Event::Scalar(word, ..), _) => words.push(word.into_owned()),
                (Event::SequenceStart(..) | Event::MappingStart(..), _) => {
                    self.skip()?;
                    return self.skip();
                }
                (_, line) => return Err(at(line, "has an alias, must have the value itself")),
            }
        }
    }

    /// Goes on to the end of the list or mapping that has begun.
    fn skip(&mut self) -> Result<Value, MapError> {
        let mut open = 1;
        while open > 0 {
            match self.next()?.0 {
                Event::SequenceStart(..) | Event::MappingStart(..) => open += 1,
                Event::SequenceEnd | Event::MappingEnd => open -= 1,
                Event::StreamEnd => break,
                _ => {}
            }
        }
        Ok(Value::Nested)
    }
}

impl Entry {
    fn error(&self, message: &str) -> MapError {
        let value = match &self.value {
            Value::Word(word) => word.clone(),
            Value::List(words) => format!("[{}]", words.join(", ")),
            Value::Nested => "{...}".to_owned(),
        };
        at(self.line, format!("{} is `{value}`, {message}", self.key))
    }

    /// Its value; empty if it is not a word.
    fn word(&self) -> &str {
        match &self.value {
            Value::Word(word) => word,
            Value::List(_) | Value::Nested => "",
        }
    }

    fn text(&self) -> Result<String, MapError> {
        match self.word() {
            "" => Err(self.error("must be the name of a file")),
            name => Ok(name.to_owned()),
        }
    }

    fn number(&self, [min, max]: [f64; 2]) -> Result<f64, MapError> {
        let number = self.word().parse().ok().filter(|number| (min..=max).contains(number));
        number.ok_or_else(|| self.error(&format!("must be a number from {min} to {max}")))
    }

    fn flag(&self) -> Result<bool, MapError> {
        match self.word() {
            "0" | "false" | "False" | "FALSE" => Ok(false),
            "1" | "true" | "True" | "TRUE" => Ok(true),
            _ => Err(self.error("must be 0 or 1")),
        }
    }

    fn pose(&self) -> Result<Pose, MapError> {
        let words = if let Value::List(words) = &self.value { words.as_slice() } else { &[] };
        let numbers: Option<Vec<f64>> = words.iter().map(|word| word.parse().ok()).collect();
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
        let flow = "{ image: 'floor.pgm', resolution: 0.05, origin: [-12.2, -10.0, 0.1], negate: 0,\n  \
                    \"occupied_thresh\": 0.65, free_thresh: 0.196 } # on two lines\n";
        assert_eq!(OccupancySpec::from_yaml(flow), OccupancySpec::from_yaml(PLAIN));
        let over_lines = PLAIN.replace("[-12.2, -10.0, 0.1]", "[ -12.2, # left\n  -10.0,\n  0.1 ]");
        assert_eq!(OccupancySpec::from_yaml(&over_lines), OccupancySpec::from_yaml(PLAIN));
        let more = format!("{PLAIN}by:\n  name: [a, {{ b: c }}]\n  year: 2026\ntags: [a, [b]]\n");
        assert_eq!(OccupancySpec::from_yaml(&more), OccupancySpec::from_yaml(PLAIN));
    }

    /// Ten lines that would stand for ten to the tenth words.
    #[test]
    fn a_file_that_grows_without_bound_is_refused() {
        let growing = (1..10).fold("a0: &a0 x\n".to_owned(), |text, k| {
            let before = vec![format!("*a{}", k - 1); 10].join(", ");
            format!("{text}a{k}: &a{k} [{before}]\n")
        });
        let error = OccupancySpec::from_yaml(&growing).unwrap_err().to_string();
        assert_eq!(error, "line 2: has an alias, must have the value itself");
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
        assert_eq!(
            error("0.65", "0.19"),
            "line 5: occupied_thresh is `0.19`, must be at least free_thresh, which is 0.196"
        );
        assert_eq!(
            error("[-12.2, -10.0, 0.1]", "[0, [0], 0]"),
            "line 3: origin is `{...}`, must be [x, y, yaw] in metres and radians"
        );
        assert_eq!(error("negate: 0", "negate"), "line 5: is not YAML: simple key expect ':'");
        assert_eq!(error("image: floor.pgm", "image:floor.pgm"), "line 1: must be `key: value`");
        assert_eq!(
            error("free_thresh: 0.196\n", "free_thresh: 0.196\n---\nimage: a\n"),
            "line 8: begins a second document, a map has one"
        );
        assert_eq!(OccupancySpec::from_yaml("").unwrap_err().to_string(), "line 1: must be `key: value`");
        assert_eq!(OccupancySpec::from_yaml("floor.pgm").unwrap_err().to_string(), "line 1: must be `key: value`");
    }
}
