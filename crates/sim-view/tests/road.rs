//! Runs on the road: what is read of their folders, what is said of damaged ones, and what their pictures show, against closed forms.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::Folder;
use sim_core::DVec2;
use sim_view::draw::pixels;
use sim_view::folder::RunFolder;
use sim_view::frame::{Frame, FrameReader};
use sim_view::picture::{FrameRenderer, PlaneView, Style};
use sim_view::theme::Theme;
use std::f64::consts::FRAC_PI_2;
use tiny_skia::Pixmap;

/// A car that drives 1 m in 0.2 s to the right, and stands from then on with its front up.
const ROWS: [&str; 4] = [
    "0,0,0,1,1,0,5,0,0,0,0,0,0,in_progress",
    "10,0.1,0,1.5,1,0,5,0,0.1,0.11,0.09,0,0,in_progress",
    "20,0.2,0,2,1,0,0,0,0.1,0.11,0.09,0,0,in_progress",
    "30,0.3,0,2,1,1.5707963267948966,0,0,0,0,0,0,0,in_progress",
];
/// Scans: the first is taken at 0.05 s and arrives at 0.08 s.
const SCANS: [&str; 2] = ["8,0.08,0,0.05,2,,-inf,0.5", "30,0.3,0,0.3,1,2,,"];

fn frame_at(folder: &Folder, time_s: f64) -> Frame {
    let run = RunFolder::open(folder.path()).unwrap();
    FrameReader::new(&run).unwrap().at(time_s).unwrap()
}

/// A picture of a moment, and where the plane is in it.
struct Shot {
    pixmap: Pixmap,
    view: PlaneView,
    theme: Theme,
}

/// Layers of the road.
const LAYERS: [&str; 5] = ["scans", "trails", "ids", "grid", "panel"];

impl Shot {
    /// With some layers only.
    fn of(folder: &Folder, time_s: f64, layers: &[&str]) -> Self {
        let run = RunFolder::open(folder.path()).unwrap();
        let theme = Theme::dark();
        let hide = LAYERS.into_iter().filter(|name| !layers.contains(name)).map(str::to_owned).collect();
        let mut renderer = FrameRenderer::new(&run, Style { hide, ..Style::new(1600.0, theme.clone()) }).unwrap();
        let pixmap = pixels::paint(&renderer.at(time_s).unwrap(), 1.0).unwrap();
        Self { pixmap, view: renderer.view(), theme }
    }

    fn at(&self, x_m: f64, y_m: f64) -> [u8; 3] {
        let place = self.view.px(DVec2::new(x_m, y_m));
        let pixel = self.pixmap.pixel(place.x as u32, place.y as u32).unwrap();
        [pixel.red(), pixel.green(), pixel.blue()]
    }

    fn alarms(&self) -> usize {
        let [r, g, b] = self.theme.alarm.rgb;
        self.pixmap.pixels().iter().filter(|p| [p.red(), p.green(), p.blue()] == [r, g, b]).count()
    }
}

#[test]
fn places_are_linear_between_rows_and_a_scan_is_where_it_was_taken() {
    let folder = Folder::of_road(1, &ROWS, &SCANS);
    let frame = frame_at(&folder, 0.13);
    let cars = &frame.parties[0].actors;
    assert_eq!((frame.step, cars.len()), (10, 1));
    assert!((cars[0].place.truncate() - DVec2::new(1.65, 1.0)).length() < 1e-12);
    // Speed and steering angles are those of the nearer row.
    assert_eq!((cars[0].row[6], &cars[0].row[8..11]), (5.0, &[0.1, 0.11, 0.09][..]));
    let trail: Vec<f64> = cars[0].trail.iter().map(|place| place.x).collect();
    assert!(trail.iter().zip([1.0, 1.5, 1.65]).all(|(x, wanted)| (x - wanted).abs() < 1e-12), "{trail:?}");
    // Taken at 0.05 s, when the car was at 1.25 m and its lidar at 1.35 m: ray 0 ahead, ray 1 came back with nothing, ray 2 was too near,
    // ray 3 to the right.
    let scan = &frame.scans[0][0];
    assert!((scan.origin.truncate() - DVec2::new(1.35, 1.0)).length() < 1e-12);
    let wanted = [Some(DVec2::new(3.35, 1.0)), None, None, Some(DVec2::new(1.35, 0.5))];
    for (hit_m, wanted_m) in scan.hits.iter().map(|hit| hit.map(|hit| hit.truncate())).zip(wanted) {
        assert_eq!(hit_m.is_some(), wanted_m.is_some());
        assert!(hit_m.zip(wanted_m).is_none_or(|(hit, wanted)| hit.distance(wanted) < 1e-12), "{hit_m:?}");
    }
    // What is too near is at least as near as the least that the lidar tells.
    assert_eq!((scan.nearest, scan.is_full_turn), (Some(0.05), true));
    // Half way through the turn, and the second scan from the car as it stands then: its ray 1 points to the left.
    let turning = frame_at(&folder, 0.25).parties[0].actors[0].angles[0];
    assert!((turning - 0.5 * FRAC_PI_2).abs() < 1e-12);
    let last = frame_at(&folder, 9.0);
    assert_eq!(last.time_s, 0.3);
    assert!(last.scans[0][0].hits[1].unwrap().truncate().distance(DVec2::new(0.0, 1.1)) < 1e-12);
}

#[test]
fn a_scan_is_there_once_it_has_arrived_and_time_may_go_back() {
    let folder = Folder::of_road(1, &ROWS, &SCANS);
    let run = RunFolder::open(folder.path()).unwrap();
    let mut reader = FrameReader::new(&run).unwrap();
    let mut taken = |time_s: f64| reader.at(time_s).unwrap().scans[0].first().map(|scan| scan.taken_s);
    assert_eq!([0.3, 0.29, 0.08, 0.07].map(&mut taken), [Some(0.3), Some(0.05), Some(0.05), None]);
}

#[test]
fn a_row_a_ray_reads_as_a_row_a_scan() {
    let wide = Folder::of_road(1, &ROWS, &SCANS);
    let long = Folder::of_road(1, &ROWS, &SCANS);
    let rows = "step,time_s,car,taken_s,ray,range_m\n8,0.08,0,0.05,0,2\n8,0.08,0,0.05,1,\n8,0.08,0,0.05,2,-inf\n\
                8,0.08,0,0.05,3,0.5\n30,0.3,0,0.3,0,1\n30,0.3,0,0.3,1,2\n30,0.3,0,0.3,2,\n30,0.3,0,0.3,3,\n";
    long.write("lidar.csv", rows);
    let columns = [("step", "integer"), ("time_s", "number"), ("car", "integer"), ("taken_s", "number")];
    let ray = [("ray", "integer"), ("range_m", "number")];
    let column = |&(name, kind): &(&str, &str)| format!(r#"{{"name":"{name}","kind":"{kind}","about":""}}"#);
    let columns = columns.iter().chain(&ray).map(column).collect::<Vec<_>>().join(",");
    let lidar = format!(r#"{{"name":"lidar","about":"","cadence":{{"on_event":{{}}}},"columns":[{columns}]}},"#);
    let tables = common::tables_json(&[("cars", 1), ("events", 0)]).replace("{\"streams\":[", "{\"streams\":[LIDAR");
    long.write("tables.json", &tables.replace("LIDAR", &lidar));
    let view = long.read("view.json").replace(r##""ray_#_m""##, r#""range_m""#);
    let view = view.replace(r#""ray": null"#, r#""ray": "ray""#).replace(r#""ray":null"#, r#""ray":"ray""#);
    long.write("view.json", &view);
    for time_s in [0.1, 0.2, 0.3] {
        assert_eq!(frame_at(&wide, time_s).scans, frame_at(&long, time_s).scans, "{time_s}");
    }
}

#[test]
fn a_car_is_as_large_as_it_is_and_y_points_up() {
    let shot = Shot::of(&Folder::of_road(1, &ROWS[3..], &[]), 0.3, &[]);
    // The base point is at (2, 1), the front points up: 0.4 m to the front bumper, 0.2 m to the rear one, 0.2 m to each side.
    let pixel_m = 1.0 / shot.view.px_per_unit;
    let floor = shot.theme.floor().rgb;
    for (dx, dy) in [(-0.2, -0.2), (0.2, -0.2), (0.2, 0.4), (-0.2, 0.4)] {
        let [inside, outside] = [-2.5, 2.5].map(|px: f64| {
            let reach = |d: f64| d + px * pixel_m * d.signum();
            shot.at(2.0 + reach(dx), 1.0 + reach(dy))
        });
        assert!(inside != floor && outside == floor, "{dx} {dy}: {inside:?}, {outside:?}");
    }
    // Its front has its colour, its tail has not.
    assert_eq!((shot.at(2.0, 1.36), shot.at(2.15, 0.85)), (shot.theme.series[0].rgb, shot.theme.body.rgb));
}

#[test]
fn front_wheels_turn_as_far_as_their_own_angle() {
    let row = "30,0.3,0,2,1,0,0,0,0.4,0.8,-0.3,0,0,in_progress";
    let shot = Shot::of(&Folder::of_road(1, &[row], &[]), 0.3, &[]);
    // Hubs 0.3 m ahead of the base point and 0.12 m to the side; a wheel is 0.16 m long and 0.03 m wide.
    for (side_m, angle_rad) in [(0.12, 0.8), (-0.12, -0.3)] {
        let (sin, cos) = sim_core::ops::sin_cos(angle_rad);
        for along_m in [-0.07, 0.07] {
            let at = shot.at(2.3 + along_m * cos, 1.0 + side_m + along_m * sin);
            assert_eq!(at, shot.theme.on_body.rgb, "{angle_rad}");
            assert_ne!(
                shot.at(2.3 + along_m * cos, 1.0 + side_m - along_m * sin),
                shot.theme.on_body.rgb,
                "{angle_rad}"
            );
        }
    }
}

#[test]
fn walls_enclose_the_floor_and_a_ring_on_it_is_solid() {
    let shot = Shot::of(&Folder::of_road(1, &ROWS, &[]), 0.3, &[]);
    let (floor, solid) = (shot.theme.floor().rgb, shot.theme.solid.rgb);
    assert_eq!([shot.at(5.0, 3.0), shot.at(6.5, 2.2)], [floor; 2]);
    assert_eq!([shot.at(6.5, 1.5), shot.at(-0.12, 2.0), shot.at(4.0, 4.12)], [solid; 3]);
    assert_eq!([shot.at(4.0, 0.0), shot.at(7.0, 1.5)], [shot.theme.ink.rgb; 2]);
}

#[test]
fn hits_are_drawn_where_they_are_and_what_did_not_come_back_is_not() {
    let folder = Folder::of_road(1, &ROWS, &SCANS);
    let (shot, theme) = (Shot::of(&folder, 0.3, &["scans"]), Theme::dark());
    // The last scan is taken from (2, 1.1) with the front up: 1 m ahead and 2 m to the left. The room between the two rays is tinted.
    assert_eq!(shot.at(2.0, 2.1), theme.series[0].rgb);
    assert_eq!(shot.at(1.0, 3.0), theme.floor().rgb);
    assert_ne!(shot.at(1.2, 1.3), theme.floor().rgb);
    assert_eq!(Shot::of(&folder, 0.3, &[]).at(2.0, 2.1), theme.floor().rgb);
    assert_eq!(Shot::of(&folder, 0.07, &["scans"]).at(3.35, 1.0), theme.floor().rgb);
}

#[test]
fn each_layer_of_the_road_changes_the_picture() {
    let folder = Folder::of_road(1, &ROWS, &SCANS);
    let bare = Shot::of(&folder, 0.2, &[]);
    for layer in ["grid", "trails", "scans", "ids", "panel"] {
        assert!(Shot::of(&folder, 0.2, &[layer]).pixmap.data() != bare.pixmap.data(), "{layer:?} shows nothing");
    }
}

#[test]
fn a_collision_cannot_be_overlooked_by_its_row_or_by_its_event() {
    let layers = LAYERS;
    let folder = Folder::of_road(1, &ROWS, &[]);
    assert_eq!(Shot::of(&folder, 0.2, &layers).alarms(), 0);
    // Between the rows at 0.1 s and 0.2 s, of which the later one does not tell it yet.
    folder.write_rows("events.csv", &["15,0.15,collision,car 0,wall,0.8,m/s"]);
    assert_eq!(Shot::of(&folder, 0.14, &layers).alarms(), 0);
    assert!(Shot::of(&folder, 0.16, &layers).alarms() > 3000);
    let hit = ROWS[3].replace("in_progress", "collision");
    assert!(Shot::of(&Folder::of_road(1, &[&hit], &[]), 0.3, &layers).alarms() > 3000);
}

#[test]
fn the_picture_holds_all_walls_and_wherever_a_car_drives() {
    let far = "40,0.4,0,-3,9,0,0,0,0,0,0,0,0,in_progress";
    let rows = [ROWS.as_slice(), &[far]].concat();
    let area = Shot::of(&Folder::of_road(1, &rows, &[]), 0.0, &[]).view.plane.area;
    // The body reaches less than 0.5 m from its base point, and the margin is the same on all sides.
    assert!(area.min.x < -3.4 && area.max.y > 9.4 && area.max.x > 8.0 && area.min.y < 0.0, "{area:?}");
    assert!(area.min.x > -4.0 && area.max.y < 10.0 && area.max.x < 8.5 && area.min.y > -0.5, "{area:?}");
}

/// What is done to a folder.
type Damage = Box<dyn Fn(&Folder)>;

/// What is said of a folder that was changed.
fn said_of(change: impl Fn(&Folder)) -> String {
    let folder = Folder::of_road(2, &[ROWS[0], "0,0,1,3,3,0,0,0,0,0,0,0,0,in_progress"], &SCANS[..1]);
    change(&folder);
    let draw = || -> Result<(), sim_view::ViewError> {
        let run = RunFolder::open(folder.path())?;
        assert!(!FrameRenderer::new(&run, Style::new(800.0, Theme::dark()))?.at(1.0)?.shapes.is_empty());
        Ok(())
    };
    let clean = |error: sim_view::ViewError| {
        assert!(error.is_input(), "{error}");
        error.to_string().replace(&folder.path().display().to_string(), "RUN")
    };
    draw().map_err(clean).err().unwrap_or_default()
}

/// Another text in a file.
fn in_file(name: &'static str, from: &'static str, to: &'static str) -> Damage {
    Box::new(move |folder| {
        let text = folder.read(name);
        assert!(text.contains(from));
        folder.write(name, &text.replacen(from, to, 1));
    })
}

fn assert_said(cases: impl IntoIterator<Item = (&'static str, Damage)>) {
    for (wanted, change) in cases {
        assert_eq!(said_of(change), wanted);
    }
}

#[test]
fn damaged_folders_are_refused_with_file_line_and_column() {
    let cases: [(&str, Damage); 9] = [
        ("", Box::new(|_| ())),
        ("RUN/cars.csv is missing, though 2 owners have rows in it", Box::new(|folder| folder.remove("cars.csv"))),
        (
            "RUN holds no tables: a run with --no-trace writes none",
            Box::new(|folder| ["cars.csv", "lidar.csv", "events.csv"].iter().for_each(|name| folder.remove(name))),
        ),
        ("RUN/cars.csv, line 2, column x_m: NaN is not a finite number", in_file("cars.csv", "0,1,1", "0,NaN,1")),
        (
            "RUN/cars.csv, line 2, column x_m: 18446744073709552000 is farther from 0 than 10000000",
            in_file("cars.csv", "0,1,1", "0,18446744073709551615,1"),
        ),
        ("RUN/cars.csv, line 2: 15 cells where the header has 14", in_file("cars.csv", "0,1,1", "0,0,1,1")),
        ("RUN/tables.json: missing field `streams` at line 1 column 1408", in_file("tables.json", "streams", "tables")),
        (
            "cars.csv: view.json asks for column \"x_km\", which stream \"cars\" does not have",
            in_file("view.json", "x_m", "x_km"),
        ),
        (
            "RUN/view.json: view.json names stream \"carts\", which tables.json does not have",
            Box::new(|folder| folder.write("view.json", &folder.read("view.json").replace("\"cars\"", "\"carts\""))),
        ),
    ];
    assert_said(cases);
}

#[test]
fn damaged_scans_are_refused_with_line_and_column() {
    let cases: [(&str, Damage); 3] = [
        (
            "RUN/lidar.csv, line 2, column ray_0_m: \"near\" is not a number",
            in_file("lidar.csv", "0.05,2,", "0.05,near,"),
        ),
        ("RUN/lidar.csv, line 2: 7 cells where the header has 8", in_file("lidar.csv", ",-inf,0.5", ",-inf")),
        (
            "RUN/lidar.csv: column ray_0_m is missing; it has step,time_s,car,taken_s",
            Box::new(|folder| folder.write("lidar.csv", "step,time_s,car,taken_s\n0,0,0,0\n")),
        ),
    ];
    assert_said(cases);
}

#[test]
fn what_is_cut_short_is_shown_as_far_as_it_goes() {
    let folder = Folder::of_road(1, &ROWS, &SCANS);
    folder.write("cars.csv", folder.read("cars.csv").trim_end());
    folder.rename("cars.csv", "cars.csv.partial");
    folder.write("lidar.csv", folder.read("lidar.csv").trim_end());
    let run = RunFolder::open(folder.path()).unwrap();
    let notes = [
        "cars.csv ends in the middle of a row; it counts up to step 20",
        "lidar.csv ends in the middle of a row, which does not count",
    ];
    assert_eq!(run.notes(), notes);
    assert_eq!(frame_at(&folder, 9.0).scans[0][0].taken_s, 0.05);
}

#[test]
fn runs_without_scans_are_shown_without() {
    for scans in [&[][..], &SCANS[..1]] {
        let folder = Folder::of_road(1, &ROWS, scans);
        if !scans.is_empty() {
            folder.write_rows("lidar.csv", &[]);
        }
        assert_eq!(frame_at(&folder, 0.2).scans, [[]]);
    }
}
