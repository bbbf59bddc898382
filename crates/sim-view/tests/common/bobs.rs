//! A world of bobs: any columns, any view, so that a test chooses each number in it.

use super::{Folder, RUN_JSON};
use sim_view::folder::Tables;
use sim_world::view::{
    Area, Axis, Color, Coord, Draw, Flag, Ink, Line, Mark, Mount, Party, Place, Projection, Scanner, Width,
};
use sim_world::{Cadence, Column, ColumnKind, Stream, View};

/// A stream and the lines of its table, without the header.
pub struct Table {
    pub stream: Stream,
    pub rows: Vec<String>,
}

/// Rows that come when something happens.
pub const ON_EVENT: Cadence = Cadence::OnEvent { at_most: None };

/// A table whose columns after step and time are `name`, `name:i` (whole number), `name:t` (text) or `name:3` (three numbers).
pub fn table(name: &str, cadence: Cadence, columns: &str, rows: impl IntoIterator<Item = impl Into<String>>) -> Table {
    let column = |word: &str| {
        let (name, kind) = word.split_once(':').unwrap_or((word, ""));
        let kind = match kind {
            "" => ColumnKind::Number,
            "i" => ColumnKind::Integer,
            "t" => ColumnKind::Text,
            count => ColumnKind::Numbers(count.parse().unwrap()),
        };
        Column::new(name.to_owned(), kind, "")
    };
    let columns = Column::moment().into_iter().chain(columns.split_whitespace().map(column));
    Table {
        stream: Stream::new(name.to_owned(), "", cadence, columns),
        rows: rows.into_iter().map(Into::into).collect(),
    }
}

/// A table with a row for each owner at each step.
pub fn sampled(name: &str, owners: u64, columns: &str, rows: impl IntoIterator<Item = impl Into<String>>) -> Table {
    table(name, Cadence::Sampled { owners }, columns, rows)
}

impl Folder {
    /// A run with a view and tables; a sampled table without owners has no file.
    pub fn of_view(view: &View, tables: &[Table]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        folder.write("run.json", RUN_JSON);
        folder.write("scenario.json", r#"{"name": "hand-made"}"#);
        folder.write("view.json", &serde_json::to_string(view).unwrap());
        let streams = tables.iter().map(|table| table.stream.clone()).collect();
        folder.write("tables.json", &serde_json::to_string(&Tables { streams }).unwrap());
        for Table { stream, rows } in tables.iter().filter(|table| !matches!(table.stream.cadence, NO_OWNERS)) {
            let header = stream.csv_columns().collect::<Vec<_>>().join(",");
            let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
            folder.write(&format!("{}.csv", stream.name), &format!("{header}\n{lines}"));
        }
        folder
    }
}

const NO_OWNERS: Cadence = Cadence::Sampled { owners: 0 };

/// A party on the plane, at `x_m` and `y_m` of its stream.
pub fn party(stream: &str, one: &str) -> Party {
    Party::new(stream, [one, stream], Place::plane("x_m", "y_m"))
}

/// A range finder of bobs whose scans have their ranges in a row.
pub fn scanner(mounts: Vec<Mount>) -> Scanner {
    Scanner {
        stream: "scans".into(),
        on: "bobs".into(),
        taken: "taken_s".into(),
        ranges: "ray_#_m".into(),
        ray: None,
        mounts,
    }
}

/// The flag of bobs that say of themselves that they sleep.
pub fn asleep() -> Flag {
    Flag {
        name: "asleep".into(),
        of: "bobs".into(),
        events: "calls".into(),
        matching: vec![["kind".into(), "mood".into()], ["by".into(), "self".into()]],
        holds: ["what".into(), "sleep".into()],
    }
}

/// A plan of 8 m by 4 m whose y axis points up.
pub fn plan() -> Projection {
    let area = Area { fixed: Some([[0.0, 0.0], [8.0, 4.0]]), holds: Vec::new(), margin: [0.0, 0.0] };
    Projection { name: "plan".into(), axes: [Axis::X, Axis::Y], is_up: true, area, height: None }
}

/// A view of parties on that plan.
pub fn view(parties: impl IntoIterator<Item = Party>, marks: impl IntoIterator<Item = Mark>) -> View {
    View {
        unit: "m".into(),
        projections: vec![plan()],
        parties: parties.into_iter().collect(),
        marks: marks.into_iter().collect(),
        ..View::default()
    }
}

/// Colours that nothing else in a picture has.
pub const RED: Color = Color::Rgb([250, 3, 2]);
pub const GREEN: Color = Color::Rgb([4, 251, 1]);
pub const BLUE: Color = Color::Rgb([5, 6, 252]);

/// A line of a tenth of a metre.
pub fn line(color: Color) -> Line {
    Line::new(color.full(), Width::Length(0.1))
}

/// A trail of a stream.
pub fn trail(stream: &str, back_s: f64, ahead_s: f64) -> Mark {
    Mark::new(Draw::Trail { back_s, ahead_s, line: line(RED) }).of(stream)
}

/// A circle of a fixed radius round each owner.
pub fn circle(stream: &str, radius: f64, color: Color) -> Mark {
    let ink = Ink::fill(color.full());
    Mark::new(Draw::Circle { radius: (Coord::Fixed(radius), 0.0), ink, alarm: None }).of(stream)
}
