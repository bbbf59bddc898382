//! How a world is drawn, as data: what moves, the marks on the plane in their order, the words beside it.
//!
//! A view stands in `view.json` beside the tables. Pictures and pages interpret it and know no world. Lengths are in the view's
//! unit; z points up. A body's own axes are x forward, y where the world's y axis lies when its yaw is 0, and z up. Angles in rad from +x
//! towards +y.
//! What is measured in the type counts in heights of the type ("em"); px are those of a picture of the usual width.
//!
//! The crate holds types only; worlds see it as `sim_world::view`. It must not know worlds, streams or how marks are drawn.

mod chart;
mod field;
mod figure;
mod ink;
mod limit;
mod mark;
mod panel;
mod party;
mod projection;
mod shape;

pub use chart::{Chart, ChartLayout, Strip};
pub use field::{Raster, Wells};
pub use figure::{Condition, Figure, Fold, Phrase, Quantity};
pub use ink::{Color, Ink, Lettering, Line, Tint, Width};
pub use limit::{Breaks, Flag, Limit, Rule};
pub use mark::{Draw, Mark};
pub use panel::{Fact, List, Log, Panel, Plot, Section, Verdict};
pub use party::{Coord, Mount, Party, Place, Scanner};
pub use projection::{Area, Axis, Projection};
pub use shape::{Outline, Part, Shape};

use serde::{Deserialize, Serialize};

/// How a world is drawn.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// Unit of lengths: `mm`, `m`.
    pub unit: String,
    /// True if pitch and roll turn by the right-hand rule about y and x: pitch is positive with the front down, roll with the side of
    /// larger y up. Else the other way round.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_right_handed: bool,
    /// The pictures of a moment, one below the other; the first one is the plan.
    pub projections: Vec<Projection>,
    /// What can be shown or left out.
    pub layers: Vec<Layer>,
    /// What moves.
    pub parties: Vec<Party>,
    /// Range finders.
    pub scanners: Vec<Scanner>,
    /// Things that events state and hold until another event.
    pub flags: Vec<Flag>,
    /// What must be kept; an owner that breaks one is painted in alarm, and so is the frame.
    pub limits: Vec<Limit>,
    /// What is drawn, in this order.
    pub marks: Vec<Mark>,
    /// Curves over the time of the run, for pages.
    pub plots: Vec<Plot>,
    /// Rows that pages list.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub logs: Vec<Log>,
    /// The words and numbers beside the plane.
    pub panel: Panel,
    /// Stream of a party and its column of the note that sounds, as a MIDI number; 128 is a rest.
    pub sound: Option<[String; 2]>,
    /// Pictures of values, each by itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub charts: Vec<Chart>,
    /// What a reader should know of every run of the scenario, a clause each.
    pub remarks: Vec<String>,
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
            is_sparse: false,
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
