//! How a world is drawn, as data: what moves, the marks on the plane in their order, the words beside it.
//!
//! A view stands in `view.json` beside the tables. Pictures and pages interpret it and know no world. Lengths on the plane are in the
//! view's unit; a body's own axes are x forward and y where the plane's y axis lies when its yaw is 0. Angles in rad from +x towards +y.
//! What is measured in the type counts in heights of the type ("em"); px are those of a picture of the usual width.

use serde::{Deserialize, Serialize};

/// How a world is drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// Unit of lengths on the plane: `mm`, `m`.
    pub unit: String,
    /// The pictures of a moment, one below the other; the first one is the plan.
    pub projections: Vec<Projection>,
    /// What can be shown or left out.
    pub layers: Vec<Layer>,
    /// What moves.
    pub parties: Vec<Party>,
    /// Range finders.
    pub scanners: Vec<Scanner>,
    /// Things that are told by events and hold until another event.
    pub flags: Vec<Flag>,
    /// What must be kept; an owner that breaks one is painted in alarm, and so is the frame.
    pub limits: Vec<Limit>,
    /// What is drawn, in this order.
    pub marks: Vec<Mark>,
    /// Curves over the time of the run, for pages.
    pub plots: Vec<Plot>,
    /// The words and numbers beside the plane.
    pub panel: Panel,
    /// Stream of a party and its column of the note that sounds, as a MIDI number; 128 is a rest.
    pub sound: Option<[String; 2]>,
    /// What a reader should know of every run of the scenario, a clause each.
    pub remarks: Vec<String>,
}

/// A picture of the world along one of its axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Projection {
    /// What it is: `plan`, `side`.
    pub name: String,
    /// The axes to the right and across.
    pub axes: [Axis; 2],
    /// True if the second axis points up in the picture.
    pub is_up: bool,
    /// What is seen.
    pub area: Area,
}

/// An axis of the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    /// To the right in a plan.
    X,
    /// Across.
    Y,
    /// Upwards.
    Z,
}

/// A part of a plane: a rectangle, made larger so that it holds all places of some parties.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Area {
    /// Least and largest corner of what does not move.
    pub fixed: Option<[[f64; 2]; 2]>,
    /// Streams of parties whose places it holds in the whole run, and how far each owner reaches, by number; the last one for all others.
    pub holds: Vec<(String, Vec<f64>)>,
    /// Clearance round all of it, as a share of the longer side, and the least of it as a length.
    pub margin: [f64; 2],
}

/// Something that can be shown or left out. The layers `grid` and `panel` belong to every picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Layer {
    /// Its name, as `--layers` takes it.
    pub name: String,
    /// The same for people, in a word.
    pub title: String,
    /// What it shows, in one sentence without a full stop.
    pub about: String,
    /// True if it is shown unless the user asks otherwise.
    pub is_shown: bool,
}

/// A coordinate: a number or a column of the row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Coord {
    /// The same for all.
    Fixed(f64),
    /// A column.
    Column(String),
}

impl From<f64> for Coord {
    fn from(number: f64) -> Self {
        Self::Fixed(number)
    }
}

impl From<&str> for Coord {
    fn from(column: &str) -> Self {
        Self::Column(column.into())
    }
}

/// A place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Place {
    /// To the right in a plan.
    pub x: Coord,
    /// Across.
    pub y: Coord,
    /// Upwards.
    pub z: Coord,
}

impl Place {
    /// A place on the plane.
    #[must_use]
    pub fn plane(x: impl Into<Coord>, y: impl Into<Coord>) -> Self {
        Self { x: x.into(), y: y.into(), z: Coord::Fixed(0.0) }
    }
}

/// What moves: the owners of a sampled stream. Between two rows places and `linear` columns are linear, angles turn the short way, and
/// everything else is that of the nearer row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Party {
    /// Its stream.
    pub stream: String,
    /// One of them in words: `robot`.
    pub one: String,
    /// Many of them in words: `robots`.
    pub many: String,
    /// Where they are.
    pub place: Place,
    /// Columns of yaw, pitch (front up) and roll (the side of larger y down when seen from behind), as far as there are any.
    pub angles: Vec<String>,
    /// Columns of the velocity along x and y.
    pub velocity: Option<[String; 2]>,
    /// Further columns that are linear between two rows.
    pub linear: Vec<String>,
    /// Nothing lies between two rows in which this column differs: another one has taken the number.
    pub while_same: Option<String>,
    /// Names of the owners, by number; empty where they have none.
    pub names: Vec<String>,
    /// How near a click must be to mean one of them; none if they cannot be followed.
    pub reach: Option<f64>,
}

/// A range finder on each owner of a party, whose newest scan is shown from where it was taken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scanner {
    /// Its stream of scans, with the owner in the party's numbers.
    pub stream: String,
    /// Stream of the party that carries it.
    pub on: String,
    /// Column of the time at which a scan was taken.
    pub taken: String,
    /// Column of the ranges; missing where nothing came back, minus infinity where it was too near.
    pub ranges: String,
    /// Column of the ray's number, where each ray has a row.
    pub ray: Option<String>,
    /// Where it is mounted on whom.
    pub mounts: Vec<Mount>,
}

/// A range finder on its carrier. Ray `k` leaves at `first_rad + k step_rad`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mount {
    /// Number of the carrier.
    pub owner: u64,
    /// Place in the carrier's axes.
    pub at: [f64; 2],
    /// Angle of the first ray from the carrier's x axis.
    pub first_rad: f64,
    /// Angle between two rays.
    pub step_rad: f64,
    /// True if the rays go all round.
    pub is_full_turn: bool,
    /// What is nearer counts as this range.
    pub least: f64,
}

/// Something about an owner that events tell: the last event that matches says whether it holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flag {
    /// Its name.
    pub name: String,
    /// Stream of the party.
    pub of: String,
    /// Stream of the events, whose owner has the party's numbers.
    pub events: String,
    /// Columns and texts of the events that matter.
    pub matching: Vec<[String; 2]>,
    /// Column and text of those that say that it holds.
    pub holds: [String; 2],
}

/// What must be kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Limit {
    /// Its name.
    pub name: String,
    /// Stream of the party that must keep it.
    pub of: String,
    /// What must hold in each row.
    pub rule: Rule,
    /// Stream of the party to which a distance is kept: the nearest is the other one.
    pub to: Option<String>,
    /// Streams whose owners of the same number are painted in alarm too.
    pub paints: Vec<String>,
    /// Events that tell of breaks, those between two rows too.
    pub events: Option<Breaks>,
    /// Measures of the summary with the smallest value of the whole run and its time in s.
    pub least: Option<[String; 2]>,
}

/// What must hold in a row.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rule {
    /// A column is not below a bound.
    AtLeast(String, f64),
    /// A column is not above a bound.
    AtMost(String, f64),
    /// A column does not have this text.
    IsNot(String, String),
}

/// Events of a stream with the columns `kind`, `subject`, `object` and `value` that tell of breaks of a limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Breaks {
    /// The stream.
    pub stream: String,
    /// What the kind of a beginning begins with.
    pub begin: String,
    /// What the kind of an end begins with; its value is by how much the limit was missed at most. None: it never ends.
    pub end: Option<String>,
    /// Word before the number of the subject: `agent` in `agent 3`.
    pub subject: String,
    /// Word before the number of the object.
    pub object: Option<String>,
}

/// When something is drawn or said.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Condition {
    /// A number is above a bound.
    Above(Quantity, f64),
    /// A number is below a bound.
    Below(Quantity, f64),
    /// A flag holds.
    Flag(String),
    /// The owner breaks a limit.
    Alarm,
}

/// A number of an owner at a moment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// A column; a text in words.
    Column(String),
    /// The owner's number.
    Owner,
    /// The owner's name.
    Name,
    /// Length of a vector.
    Length([String; 2]),
    /// Length of the difference of two vectors.
    Difference([String; 2], [String; 2]),
    /// Size of the mean of two columns.
    Middle([String; 2]),
    /// How far from upright by pitch and roll, rad.
    Tilt([String; 2]),
    /// The smallest range of the newest scan of the scanner with this stream.
    Nearest(String),
    /// Distance to the nearest other one of the same stream.
    Apart,
    /// 1 if one of another stream is nearer than its own column, else 0.
    Within(String, String),
    /// Label of the last of the polygons with this name that holds a place in the owner's axes, up to a height.
    Over {
        /// Name of the polygons.
        polygons: String,
        /// The place in the owner's axes.
        at: [f64; 2],
        /// Nothing is under an owner that is higher.
        up_to: f64,
    },
}

/// One number of all owners.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fold {
    /// The smallest.
    Min,
    /// The largest.
    Max,
    /// The mean.
    Mean,
    /// Which share of them is above a bound, 0 to 1.
    ShareAbove(f64),
    /// How many there are.
    Count,
}

/// A number to be written or plotted.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// Which number.
    pub of: Quantity,
    /// Over all owners; none: of one.
    pub over: Option<Fold>,
    /// What it is multiplied by.
    pub factor: f64,
    /// Digits after the point.
    pub digits: u8,
}

impl Figure {
    /// A quantity of one owner with so many digits.
    #[must_use]
    pub fn new(of: Quantity, digits: u8) -> Self {
        Self { of, over: None, factor: 1.0, digits }
    }

    /// A column of one owner with so many digits.
    #[must_use]
    pub fn column(name: &str, digits: u8) -> Self {
        Self::new(Quantity::Column(name.into()), digits)
    }

    /// The same over all owners.
    #[must_use]
    pub fn over(self, fold: Fold) -> Self {
        Self { over: Some(fold), ..self }
    }

    /// The same times a factor.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self { factor, ..self }
    }
}

/// Words with numbers in them. Those of which a number is missing are not said.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Phrase {
    /// The words; `{}` stands for the numbers in their order.
    pub words: String,
    /// The numbers.
    pub figures: Vec<Figure>,
    /// Said if one of these holds; always if there are none.
    pub when: Vec<Condition>,
}

impl Phrase {
    /// Words with numbers in their places.
    #[must_use]
    pub fn new(words: &str, figures: impl IntoIterator<Item = Figure>) -> Self {
        Self { words: words.into(), figures: figures.into_iter().collect(), when: Vec::new() }
    }

    /// The same, said if a condition holds.
    #[must_use]
    pub fn when(self, condition: Condition) -> Self {
        Self { when: vec![condition], ..self }
    }
}

/// Something drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mark {
    /// Layer that it belongs to; none: always shown.
    pub layer: Option<String>,
    /// What it means, for the key.
    pub key: Option<String>,
    /// Stream of the party that it is drawn for; none: it stands still.
    pub of: Option<String>,
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
        Self { layer: None, key: None, of: None, owners: Vec::new(), when: Vec::new(), from: None, draw }
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
    /// Geometry that does not move.
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
    /// The owners' bodies.
    Body {
        /// Parts in their order.
        parts: Vec<Part>,
        /// Whether one that is too small to be seen gets a ring.
        has_finder: bool,
        /// Higher than this it throws a shadow, the farther off the higher, up to the second height.
        shadow: Option<[f64; 2]>,
    },
    /// A circle round each owner. With an ink for alarm, it is shown in alarm though its layer is not.
    Circle {
        /// Radius as a length on the plane, and more of it in heights of the type.
        radius: (Coord, f64),
        /// Fill and line.
        ink: Ink,
        /// The same in alarm.
        alarm: Option<Ink>,
    },
    /// Ellipses along the motion at the owner's places ahead: `sqrt(sigma^2 + min(stretch_s speed, 6 sigma)^2)` long and `sigma` wide.
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
        /// Its length is the vector times this.
        factor: f64,
        /// It begins so far from the place.
        gap: f64,
        /// Its colour.
        tint: Tint,
    },
    /// The newest scan of the scanner with this stream.
    Scan {
        /// Stream of the scanner.
        stream: String,
        /// Colour of the free space that the rays crossed; fainter where there are more than six of them.
        seen: Option<Tint>,
        /// Colour of the points where the rays ended.
        hits: Option<Tint>,
    },
    /// A potential in colours: the time integral of moving Gaussian wells, and hills.
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
        /// Where, in the owner's axes.
        at: [f64; 2],
        /// How far below, as a length on the plane, and more in heights of the type.
        below: [f64; 2],
        /// Look.
        lettering: Lettering,
        /// Colour in alarm.
        alarm: Option<Tint>,
        /// Colour of the ground that keeps it readable.
        ground: Option<Tint>,
    },
}

/// A polygon or a line by its corners.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outline {
    /// The corners.
    pub points: Vec<[f64; 2]>,
    /// What is written on it.
    pub label: Option<String>,
}

/// A part of a body, in its axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Its shape.
    pub shape: Shape,
    /// Fill and line.
    pub ink: Ink,
    /// The same in alarm.
    pub alarm: Option<Ink>,
    /// Column of an angle by which it is turned about a place.
    pub turn: Option<(String, [f64; 2])>,
    /// Drawn if one of these holds; always if there are none.
    pub when: Vec<Condition>,
}

/// A shape in a body's axes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Shape {
    /// A closed polygon.
    Polygon(Vec<[f64; 2]>),
    /// An open line.
    Line(Vec<[f64; 2]>),
    /// A disc by centre and radius.
    Disc([f64; 2], f64),
    /// A rectangle by least and largest corner, and the radius of its corners.
    Box([f64; 2], [f64; 2], f64),
}

/// The field of a `Wells` mark: `scale` times the sum of hills less the integral over the window of `exp(-beta tau) G(x - mu(tau), S)`,
/// where `S` is `sigma^2` and along the motion `(stretch_s v)^2` more, as in [`Draw::Ellipse`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wells {
    /// Stream of the party whose owners are wells.
    pub wells: String,
    /// Stream of the party whose owners are hills.
    pub hills: String,
    /// Columns of a hill's standard deviation and height.
    pub hill: [String; 2],
    /// Height of everything.
    pub scale: f64,
    /// Standard deviation of a well at rest.
    pub sigma: f64,
    /// How much a well grows along the motion, as time.
    pub stretch_s: f64,
    /// How fast later times count less.
    pub beta_per_s: f64,
    /// How far ahead wells count.
    pub window_s: f64,
    /// Times at which the way ahead is looked at, in the window.
    pub frames: u32,
    /// Where the colours end, in both directions.
    pub extent: f64,
    /// Words of the scale: title, remark, what is at the low end, what at the high end.
    pub words: [String; 4],
}

/// Fill and line. Without either nothing is drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ink {
    /// Colour of the inside.
    pub fill: Option<Tint>,
    /// The line round it.
    pub line: Option<Line>,
}

impl Ink {
    /// A fill without a line.
    #[must_use]
    pub fn fill(tint: Tint) -> Self {
        Self { fill: Some(tint), line: None }
    }

    /// A line without a fill.
    #[must_use]
    pub fn line(line: Line) -> Self {
        Self { fill: None, line: Some(line) }
    }

    /// The same with a line.
    #[must_use]
    pub fn with_line(self, line: Line) -> Self {
        Self { line: Some(line), ..self }
    }
}

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Its colour.
    pub tint: Tint,
    /// Its width.
    pub width: Width,
    /// Lengths of dash and gap, px.
    pub dash: Option<[f64; 2]>,
}

impl Line {
    /// A whole line.
    #[must_use]
    pub fn new(tint: Tint, width: Width) -> Self {
        Self { tint, width, dash: None }
    }

    /// The same in dashes.
    #[must_use]
    pub fn dashed(self, dash: f64, gap: f64) -> Self {
        Self { dash: Some([dash, gap]), ..self }
    }
}

/// Width of a line.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Width {
    /// In px.
    Px(f64),
    /// In px, and thinner where the plane is shown small.
    Fine(f64),
    /// As a length on the plane.
    Length(f64),
    /// As a length on the plane, at most so many px.
    Limited(f64, f64),
}

/// A colour, more or less of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tint {
    /// The colour.
    pub color: Color,
    /// How much of it, 0 to 1.
    pub alpha: f64,
    /// A column that decides how much: the first number where it is 0, `alpha` where it is the second number or more.
    pub by: Option<(String, f64, f64)>,
}

/// A colour by what it is for; a theme knows which it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Color {
    /// The ground of the whole picture.
    Ground,
    /// Lines and words that matter.
    Ink,
    /// Other lines and words.
    Faint,
    /// What can be moved over.
    Floor,
    /// What cannot.
    Solid,
    /// A body.
    Body,
    /// What is on a body.
    OnBody,
    /// An arrow.
    Arrow,
    /// What is to be avoided, and the low end of a potential.
    Warm,
    /// What is on it.
    OnWarm,
    /// What attracts, and the high end of a potential.
    Cool,
    /// What must not be.
    Alarm,
    /// What is on it.
    OnAlarm,
    /// The colour of the owner, by its number.
    Owner,
    /// Columns of red, green and blue, 0 to 255.
    Lamp([String; 3]),
    /// Red, green and blue.
    Rgb([u8; 3]),
}

impl Color {
    /// All of the colour.
    #[must_use]
    pub fn full(self) -> Tint {
        self.faded(1.0)
    }

    /// So much of the colour.
    #[must_use]
    pub fn faded(self, alpha: f64) -> Tint {
        Tint { color: self, alpha, by: None }
    }
}

/// How words look.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lettering {
    /// Colour.
    pub tint: Tint,
    /// Height as a length on the plane, and more in heights of the type.
    pub size: [f64; 2],
    /// Whether it is bold.
    pub is_bold: bool,
    /// Whether a label stands in the middle of its outline and is made smaller to fit; else in the upper left corner.
    pub is_centred: bool,
}

/// A curve over the time of the run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plot {
    /// Title.
    pub title: String,
    /// Unit.
    pub unit: String,
    /// Stream of the party that it is about.
    pub of: String,
    /// Curves, the first one in front; without a fold they are about one owner.
    pub curves: Vec<Figure>,
    /// Name of the limit that belongs to it.
    pub limit: Option<String>,
    /// Ends of the axis; none: those of the values.
    pub range: Option<[f64; 2]>,
}

/// The words and numbers beside the plane.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Panel {
    /// Height that it needs, in heights of the type.
    pub height: f64,
    /// Its sections, below the name of the run and the time.
    pub sections: Vec<Section>,
}

/// A section of the panel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// Smallest values of the columns of limits, now and so far, and what is asked.
    Distances {
        /// Title, with the unit.
        title: String,
        /// Words and name of the limit for each row.
        rows: Vec<[String; 2]>,
    },
    /// A bar that says whether limits are broken.
    Verdict(Verdict),
    /// Lines of words and numbers.
    Facts(Vec<Fact>),
    /// The colours of the wells.
    Scale,
    /// Owners, one by one.
    List(List),
    /// What marks mean, and how long a round length is if that is asked for.
    Key {
        /// Whether it has a scale bar.
        has_bar: bool,
    },
}

/// What is said of broken limits. `{}` stands for a number or a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Verdict {
    /// Names of the limits.
    pub limits: Vec<String>,
    /// If none is or was broken.
    pub none: String,
    /// If some are: before what is counted, as in `TOO NEAR: {}`.
    pub now: String,
    /// If the last ones ended just now.
    pub just_now: Option<String>,
    /// What is counted, one and many: `{} pair`, `{} pairs`.
    pub counted: [String; 2],
    /// Up to four are named, one and many: `car {}`, `cars {}`; none: pairs are counted, not owners.
    pub named: Option<[String; 2]>,
    /// How often in the past, once and more often: `{} violation so far`; none: what is broken stays so.
    pub past: Option<[String; 2]>,
}

/// A line of words on the left and on the right.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fact {
    /// Stream of the party.
    pub of: String,
    /// A line for each owner; else one for all.
    pub is_each: bool,
    /// What.
    pub title: Phrase,
    /// How much.
    pub value: Phrase,
}

/// A list of owners.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct List {
    /// Stream of the party.
    pub of: String,
    /// Title.
    pub title: String,
    /// How many are listed; the others are counted.
    pub at_most: usize,
    /// Colour of the sign in front of each.
    pub sign: Tint,
    /// What stands behind it.
    pub name: Phrase,
    /// Cells, flush right: heading, place of the right end as a share of the width, and the first phrase that can be said.
    pub cells: Vec<(String, f64, Vec<Phrase>)>,
    /// A second line: all phrases that can be said.
    pub below: Vec<Phrase>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_read_back_from_their_json() {
        let party = Party {
            stream: "bob".into(),
            one: "bob".into(),
            many: "bobs".into(),
            place: Place { z: 0.5.into(), ..Place::plane("x_m", "y_m") },
            angles: vec!["yaw_rad".into()],
            velocity: None,
            linear: Vec::new(),
            while_same: None,
            names: Vec::new(),
            reach: Some(0.1),
        };
        let line = Line::new(Color::Ink.full(), Width::Px(2.0));
        let mark = Mark::new(Draw::Line { from: Place::plane(0.0, 0.0), to: party.place.clone(), line }).of("bob");
        let view = View { unit: "m".into(), parties: vec![party], marks: vec![mark], ..View::default() };
        let text = serde_json::to_string(&view).unwrap();
        assert!(text.contains(r#""place":{"x":"x_m","y":"y_m","z":0.5}"#), "{text}");
        assert!(
            text.contains(r#""draw":{"line":{"from":{"x":0.0"#) && text.contains(r#""width":{"px":2.0}"#),
            "{text}"
        );
        assert_eq!(serde_json::from_str::<View>(&text).unwrap(), view);
    }
}
