//! What is drawn.

use super::{Condition, Coord, Ink, Lettering, Line, Outline, Part, Phrase, Place, Raster, Tint, Wells};
use serde::{Deserialize, Serialize};

/// Something drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// Layer that it belongs to; none: always shown.
    pub layer: Option<String>,
    /// What it means, for the key.
    pub key: Option<String>,
    /// Stream of the party that it is drawn for; none: it stands still.
    pub of: Option<String>,
    /// Names of the projections that it is drawn in; all if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub projections: Vec<String>,
    /// Numbers of the owners that it is drawn for; all if there are none.
    pub owners: Vec<u64>,
    /// Drawn for owners of which one of these holds; for all if there are none.
    pub when: Vec<Condition>,
    /// Drawn only where this length is at least so many heights of the type.
    pub from: Option<[f64; 2]>,
    /// What is drawn.
    pub draw: Draw,
}

impl Mark {
    /// A mark that stands still and is always shown.
    #[must_use]
    pub fn new(draw: Draw) -> Self {
        let (projections, owners, when) = (Vec::new(), Vec::new(), Vec::new());
        Self { layer: None, key: None, of: None, projections, owners, when, from: None, draw }
    }

    /// The same for the owners of a stream.
    #[must_use]
    pub fn of(self, stream: &str) -> Self {
        Self { of: Some(stream.into()), ..self }
    }

    /// The same on a layer.
    #[must_use]
    pub fn on(self, layer: &str) -> Self {
        Self { layer: Some(layer.into()), ..self }
    }

    /// The same in one projection only.
    #[must_use]
    pub fn seen_in(self, projection: &str) -> Self {
        Self { projections: vec![projection.into()], ..self }
    }

    /// The same with words in the key.
    #[must_use]
    pub fn keyed(self, words: impl Into<String>) -> Self {
        Self { key: Some(words.into()), ..self }
    }
}

/// What is drawn. An ink for alarm takes the place of the other one where the owner breaks a limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Draw {
    /// The whole area.
    Plane {
        /// Its colour.
        fill: Option<Tint>,
        /// Whether it has lines at round distances.
        has_grid: bool,
    },
    /// Geometry that does not move. From the side, level lines at its height.
    Polygons {
        /// Name by which quantities find it.
        name: Option<String>,
        /// The polygons or lines; all of them are one path, so that a ring in a ring is a hole.
        shapes: Vec<Outline>,
        /// Whether they are closed.
        is_closed: bool,
        /// Height.
        z: f64,
        /// Fill and line.
        ink: Ink,
        /// How labels are written.
        labels: Option<Lettering>,
    },
    /// Discs at places that do not move, such as waypoints and buoys.
    Points {
        /// The places.
        places: Vec<[f64; 3]>,
        /// Radius as a length, and more of it in heights of the type.
        radius: [f64; 2],
        /// Fill and line of the discs.
        ink: Ink,
        /// A line through all places in their order.
        line: Option<Line>,
    },
    /// Values in colours; from the side, ground of that height.
    Raster(Raster),
    /// From the side, the ground of a raster where the plane of the picture cuts it at each owner's place. Nothing in a plan.
    Profile {
        /// Name of the raster.
        raster: String,
        /// The line.
        line: Line,
    },
    /// The owners' bodies. From the side, a body without any [`Shape::Prism`](super::Shape::Prism) is a disc in the colour of its first
    /// part.
    Body {
        /// Parts in their order.
        parts: Vec<Part>,
        /// Whether one that is too small to be seen gets a ring.
        has_finder: bool,
        /// Higher than this it throws a shadow, the farther off the higher, up to the second height. Nothing from the side.
        shadow: Option<[f64; 2]>,
    },
    /// A circle round each owner, the same from all sides. With an ink for alarm, it is shown in alarm though its layer is not.
    Circle {
        /// Radius as a length, and more of it in heights of the type.
        radius: (Coord, f64),
        /// Fill and line.
        ink: Ink,
        /// The same in alarm.
        alarm: Option<Ink>,
    },
    /// Ellipses along the motion at the owner's places ahead: `sqrt(sigma^2 + min(stretch_s speed, 6 sigma)^2)` long and `sigma` wide.
    /// Nothing from the side.
    Ellipse {
        /// Half axis across, and at rest.
        sigma: f64,
        /// Stretch along the motion, as time.
        stretch_s: f64,
        /// Times ahead; the later the fainter.
        ahead_s: Vec<f64>,
        /// The line of the first.
        line: Line,
    },
    /// The way of the last seconds, the fainter the older, and the way of the coming ones.
    Trail {
        /// How far back.
        back_s: f64,
        /// How far ahead.
        ahead_s: f64,
        /// The line.
        line: Line,
    },
    /// An arrow.
    Vector {
        /// Columns of the vector along x and y.
        along: [String; 2],
        /// Column of the vector along z; none: it is level.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        up: Option<String>,
        /// Its length is the vector times this.
        factor: f64,
        /// It begins so far from the place.
        gap: f64,
        /// Its colour.
        tint: Tint,
    },
    /// The newest scan of the scanner with this stream. From the side, level at the height of its carrier.
    Scan {
        /// Stream of the scanner.
        stream: String,
        /// Colour of the free space that the rays crossed; fainter where there are more than six of them.
        seen: Option<Tint>,
        /// Colour of the points where the rays ended.
        hits: Option<Tint>,
    },
    /// A potential in colours: the time integral of moving Gaussian wells, and hills. Nothing from the side.
    Wells(Wells),
    /// A line between two places.
    Line {
        /// From here,
        from: Place,
        /// to here.
        to: Place,
        /// The line.
        line: Line,
    },
    /// A line with the distance between two that break a limit.
    Link {
        /// Names of the limits.
        limits: Vec<String>,
        /// How far from the places it begins and ends.
        gap: f64,
        /// Radius of the ring round those that must keep the limit.
        ring: Option<f64>,
    },
    /// Words.
    Label {
        /// The first of these that can be said.
        words: Vec<Phrase>,
        /// Where, in the owner's axes when it is upright.
        at: [f64; 2],
        /// How far below, as a length, and more in heights of the type.
        below: [f64; 2],
        /// Look.
        lettering: Lettering,
        /// Colour in alarm.
        alarm: Option<Tint>,
        /// Colour of the ground that keeps it readable.
        ground: Option<Tint>,
    },
}
