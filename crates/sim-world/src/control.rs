//! What a person on a live stage can do: gestures, and the rows of input streams that they become.
//!
//! A page knows gestures and no world; a model tells what they mean. The values that a page fills in are those of [`Cell`].

use serde::Serialize;

/// One thing that can be done.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Control {
    /// What it is, in words for a list of help: `drag a foot: it follows`.
    pub about: String,
    /// How it is done.
    pub gesture: Gesture,
    /// Output stream of the party whose owner it is done to; none: to the plane.
    pub of: Option<String>,
    /// Part of the owner on which it is done: the middle of a disc in the owner's axes, and its radius. None: the whole owner.
    pub part: Option<([f64; 2], f64)>,
    /// The row of each move.
    pub row: RowSpec,
    /// The row of each move while the owner is lifted, where that is another one.
    pub lifted: Option<RowSpec>,
    /// The row at the end of the gesture, if there is one: not while the owner is lifted, unless that ends here.
    pub end: Option<RowSpec>,
    /// How often the row is given, 150 ms apart.
    pub times: u32,
}

impl Control {
    /// A gesture on the plane that becomes a row.
    #[must_use]
    pub fn new(about: &str, gesture: Gesture, row: RowSpec) -> Self {
        Self { about: about.into(), gesture, of: None, part: None, row, lifted: None, end: None, times: 1 }
    }

    /// The same on owners of a party.
    #[must_use]
    pub fn of(self, stream: &str) -> Self {
        Self { of: Some(stream.into()), ..self }
    }

    /// The same with a row at its end.
    #[must_use]
    pub fn with_end(self, end: RowSpec) -> Self {
        Self { end: Some(end), ..self }
    }
}

/// How a gesture is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Gesture {
    /// Press, move and release the main button, or a finger.
    Drag,
    /// The same with the shift key.
    ShiftDrag,
    /// Press the main button with the shift key, move and release: the row of the end alone.
    ShiftDrop,
    /// Press the other button, or move with it.
    Point,
    /// Choose one of the texts of [`Cell::Choice`] from a list.
    Choose,
    /// A click.
    Click,
    /// A double click.
    DoubleClick,
    /// The wheel, or two fingers.
    Wheel,
    /// The arrow keys, or a gamepad, as long as they are held.
    Steer,
    /// A key.
    Key(char),
}

/// A row of an input stream: its columns and what they get. Columns that are not named are missing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RowSpec {
    /// The stream.
    pub stream: String,
    /// Columns with their values.
    pub cells: Vec<(String, Cell)>,
}

impl RowSpec {
    /// A row of a stream.
    #[must_use]
    pub fn new<const COUNT: usize>(stream: &str, cells: [(&str, Cell); COUNT]) -> Self {
        Self { stream: stream.into(), cells: cells.map(|(column, cell)| (column.into(), cell)).into() }
    }
}

/// Value of a column, filled in by the page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cell {
    /// Number of the owner.
    Owner,
    /// Place of the middle of the owner along x or y, as the pointer moves it; on the plane the place of the pointer.
    X,
    /// See [`Cell::X`].
    Y,
    /// Place of the pointer along x or y.
    PointerX,
    /// See [`Cell::PointerX`].
    PointerY,
    /// Where the pointer took hold of the owner, in the owner's axes along x or y.
    GripX,
    /// See [`Cell::GripX`].
    GripY,
    /// Heading of the owner as the gesture began, degrees from +x towards +y.
    Heading,
    /// Way from the owner to the pointer along x or y, times a factor.
    WayX(f64),
    /// See [`Cell::WayX`].
    WayY(f64),
    /// Length of that way times the first number, at most the second.
    Reach(f64, f64),
    /// Direction of that way, degrees from +x towards +y.
    Direction,
    /// Height to which the wheel has lifted the owner: so much a notch, at most the second number.
    Height(f64, f64),
    /// Forward or back key, 1 to -1, times a factor.
    Forward(f64),
    /// Left or right key, 1 to -1, times a factor.
    Left(f64),
    /// A fixed number.
    Number(f64),
    /// A fixed text.
    Text(String),
    /// The text that a person chooses: the first one holds at the start. An empty first one means nothing, and the list goes back to it
    /// after each choice.
    Choice(Vec<String>),
}
