//! Charts: where values of a table lie in a picture, and in which colour.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::Folder;
use sim_core::ops;
use sim_view::ViewError;
use sim_view::chart::{self, ChartStyle};
use sim_view::draw::{Image, Shape};
use sim_view::folder::RunFolder;
use sim_view::theme::Theme;
use sim_world::View;
use sim_world::view::{Chart, ChartLayout, Color, Strip};
use std::fs::File;

const TABLES: &str = r#"{"streams":[
    {"name":"boats","about":"","cadence":{"sampled":{"owners":1}},"columns":[
        {"name":"step","kind":"integer","about":""},{"name":"time_s","kind":"number","about":""},
        {"name":"boat","kind":"integer","about":""}]},
    {"name":"scan","about":"","cadence":{"on_event":{}},"columns":[
        {"name":"step","kind":"integer","about":""},{"name":"time_s","kind":"number","about":""},
        {"name":"boat","kind":"integer","about":""},{"name":"angle_rad","kind":"number","about":""},
        {"name":"port_#","kind":{"numbers":2},"about":""},{"name":"starboard_#","kind":{"numbers":2},"about":""}]},
    {"name":"map","about":"","cadence":{"on_event":{}},"columns":[
        {"name":"step","kind":"integer","about":""},{"name":"time_s","kind":"number","about":""},
        {"name":"x_m","kind":"number","about":""},{"name":"y_m","kind":"number","about":""},
        {"name":"error_m","kind":"number","about":""}]}]}"#;
const SCAN: &str = "step,time_s,boat,angle_rad,port_0,port_1,starboard_0,starboard_1\n\
    0,0,0,0.2,0,1,2,3\n10,1,0,0,4,5,6,7\n20,2,0,-0.2,8,9,10,\n";
/// Three of four cells of 2 m, one of them without a value.
const MAP: &str = "step,time_s,x_m,y_m,error_m\n20,2,1,1,-1\n20,2,3,1,\n20,2,1,3,4\n";

fn chart(name: &str, stream: &str, layout: ChartLayout, range: Option<[f64; 2]>) -> Chart {
    Chart {
        name: name.into(),
        title: name.into(),
        stream: stream.into(),
        layout,
        colors: vec![Color::Rgb([0, 0, 0]), Color::Rgb([255, 255, 255])],
        range,
        is_even: name == "errors",
        words: "level".into(),
    }
}

fn strip(column: &str, span: [f64; 2]) -> Strip {
    Strip { column: column.into(), span }
}

fn folder() -> Folder {
    let strips = vec![strip("port_#", [0.0, -10.0]), strip("starboard_#", [0.0, 10.0])];
    let sectors = ChartLayout::Sectors {
        angle: "angle_rad".into(),
        width: 0.2,
        strip: strip("starboard_#", [0.0, 10.0]),
        rows: 2,
    };
    let cells = ChartLayout::Cells { place: ["x_m".into(), "y_m".into()], size: [2.0, 2.0], value: "error_m".into() };
    let waterfall = ChartLayout::Waterfall { strips, across: "m".into() };
    let charts = vec![
        chart("fall", "scan", waterfall, Some([0.0, 10.0])),
        chart("fan", "scan", sectors, Some([0.0, 10.0])),
        chart("errors", "map", cells, None),
    ];
    let folder = Folder::of_rows([&[], &[], &[]]);
    let view = View { unit: "m".into(), charts, ..View::default() };
    folder.write("view.json", &serde_json::to_string(&view).unwrap());
    folder.write("tables.json", TABLES);
    folder.write("boats.csv", "step,time_s,boat\n0,0,0\n10,1,0\n20,2,0\n");
    folder.write("scan.csv", SCAN);
    folder.write("map.csv", MAP);
    folder
}

fn style(at_s: Option<f64>) -> ChartStyle {
    ChartStyle { width_px: 600.0, scale: 1.0, theme: Theme::light(), at_s, overwrite: false }
}

/// The field of a chart, and how many rows it shows.
fn field(name: &str, at_s: Option<f64>) -> (Image, usize) {
    let folder = folder();
    let (scene, rows) = chart::draw(&RunFolder::open(folder.path()).unwrap(), name, &style(at_s)).unwrap();
    let images = scene.shapes.into_iter().filter_map(|shape| match shape {
        Shape::Image(_, image) => Some(image),
        _ => None,
    });
    (images.max_by_key(|image| image.pixels.len()).unwrap(), rows)
}

/// The grey at shares of width and height from the lower left; none where the floor is seen.
fn grey(image: &Image, [x, y]: [f64; 2]) -> Option<u8> {
    let at = |share: f64, count: usize| ((share * count as f64) as usize).min(count - 1);
    let pixel = image.pixels[at(1.0 - y, image.height()) * image.width + at(x, image.width)];
    (pixel != Theme::light().floor().rgb).then_some(pixel[0])
}

/// The colour of a share of the range, of 256 colours.
fn share(value: f64) -> Option<u8> {
    Some((value * 255.0).round() as u8)
}

/// Times 0, 1 and 2 s upwards, from -10 m to 10 m: port from right to left, starboard from left to right.
#[test]
fn a_waterfall_has_its_strips_side_by_side() {
    let (image, rows) = field("fall", None);
    assert_eq!(rows, 3);
    for (time, levels) in
        [[1.0, 0.0, 2.0, 3.0], [5.0, 4.0, 6.0, 7.0], [9.0, 8.0, 10.0, f64::NAN]].into_iter().enumerate()
    {
        for (quarter, level) in levels.into_iter().enumerate() {
            let at = [0.125 + 0.25 * quarter as f64, (0.5 * time as f64).clamp(0.02, 0.98)];
            assert_eq!(grey(&image, at), share(level / 10.0).filter(|_| level.is_finite()), "{time} {quarter}");
        }
    }
    assert_eq!(field("fall", Some(1.0)).1, 2);
}

/// Of the newest two rows, ahead and 0.2 rad to the right; the one to the left is older, and nothing is behind or beyond.
#[test]
fn sectors_lie_where_they_look() {
    let (image, rows) = field("fan", None);
    assert_eq!(rows, 2);
    // From 0.1 rad to the left to 0.3 rad to the right, 10 m long.
    let [left, right] = [-10.0 * ops::sin(0.1), 10.0 * ops::sin(0.3)];
    let at = |angle_rad: f64, distance_m: f64| {
        [(distance_m * ops::sin(angle_rad) - left) / (right - left), distance_m * ops::cos(angle_rad) / 10.0]
    };
    for (angle_rad, distance_m, level) in [(0.0, 2.0, 6.0), (0.05, 4.0, 6.0), (0.0, 7.0, 7.0), (0.2, 3.0, 10.0)] {
        assert_eq!(grey(&image, at(angle_rad, distance_m)), share(level / 10.0), "{angle_rad} {distance_m}");
    }
    for (angle_rad, distance_m) in [(0.2, 7.0), (0.28, 9.9)] {
        assert_eq!(grey(&image, at(angle_rad, distance_m)), None, "{angle_rad} {distance_m}");
    }
    // The older row alone.
    assert_eq!(field("fan", Some(0.5)).1, 1);
}

/// Errors from -4 to 4 m, even about 0: -1 m is at 3/8 of the colours. Cells without a value or a row are empty.
#[test]
fn cells_lie_in_their_places() {
    let (image, rows) = field("errors", None);
    assert_eq!(rows, 3);
    assert!(image.width.abs_diff(image.height()) <= 1, "one scale along both axes: {} {}", image.width, image.height());
    let at = |x: f64, y: f64| grey(&image, [x, y]);
    assert_eq!(
        [at(0.25, 0.25), at(0.75, 0.25), at(0.25, 0.75), at(0.75, 0.75)],
        [share(0.375), None, share(1.0), None]
    );
    assert_eq!([at(0.48, 0.48), at(0.48, 0.52), at(0.52, 0.48)], [share(0.375), share(1.0), None]);
}

#[test]
fn files_and_faults() {
    let folder = folder();
    let run = RunFolder::open(folder.path()).unwrap();
    let out = folder.path().join("fall.png");
    assert_eq!(chart::write(&run, "fall", &style(None), &out).unwrap(), 3);
    let decoder = png::Decoder::new(std::io::BufReader::new(File::open(&out).unwrap()));
    assert_eq!(decoder.read_info().unwrap().info().size(), (600, 750));
    let said = |name: &str, out: &str| match chart::write(&run, name, &style(Some(-1.0)), &folder.path().join(out)) {
        Err(ViewError::Wrong(words)) => words,
        other => panic!("{other:?}"),
    };
    assert_eq!(said("fell", "a.svg"), r#"the run has no chart "fell"; its charts are fall, fan, errors"#);
    assert_eq!(said("fall", "a.svg"), r#"scan.csv has no rows for the chart "fall""#);
    assert!(said("fall", "a.gif").ends_with("a picture is called .png or .svg"));
}
