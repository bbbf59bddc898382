//! One picture of each kind, pixel by pixel. What they show is checked elsewhere; here a change is noticed that was not meant.
//!
//! A change that was meant: `SIM_VIEW_BLESS=1 cargo test -p sim-view --test golden_pictures`, then look at the pictures before committing
//! them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::Folder;
use sim_core::ops;
use sim_view::draw::{Scene, pixels};
use sim_view::folder::RunFolder;
use sim_view::picture::{FrameRenderer, Style};
use sim_view::plot::{Band, Chart, Guide, Interval, Quantity, Series, Steps, curves, heat_map, histogram, intervals};
use sim_view::theme::Theme;
use std::fs;
use std::path::PathBuf;
use tiny_skia::Pixmap;

/// A channel of a pixel may be off by this much: edges are computed in single precision.
const CHANNEL: u8 = 3;
/// This share of the pixels may be off by more.
const SHARE: f64 = 0.001;

fn compare(name: &str, scene: &Scene) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(format!("{name}.png"));
    let drawn = pixels::paint(scene, 1.0).unwrap();
    if std::env::var_os("SIM_VIEW_BLESS").is_some() {
        fs::write(&path, pixels::png(&drawn).unwrap()).unwrap();
    }
    let golden = Pixmap::load_png(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!([drawn.width(), drawn.height()], [golden.width(), golden.height()], "{name}");
    let pairs = drawn.data().chunks_exact(4).zip(golden.data().chunks_exact(4));
    let off = pairs.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > CHANNEL)).count();
    let share = off as f64 / (drawn.data().len() / 4) as f64;
    assert!(share <= SHARE, "{name}: {:.2} % of the pixels differ", 100.0 * share);
}

fn picture(folder: &Folder, theme: Theme) -> Scene {
    let run = RunFolder::open(folder.path()).unwrap();
    let show = vec!["wishes".to_owned()];
    FrameRenderer::new(&run, Style { show, ..Style::new(440.0, theme) }).unwrap().at(0.0).unwrap()
}

fn swarm(gap_mm: f64) -> Folder {
    let robots = [
        format!("0,80,90,0.4,40,0,36,16,60,20,{gap_mm},170"),
        format!("1,{},90,-2,0,0,0,0,0,0,{gap_mm},150", 80.0 + gap_mm),
        "2,330,300,1.6,120,0,0,120,-80,90,220,140".to_owned(),
    ];
    let robots: Vec<&str> = robots.iter().map(String::as_str).collect();
    Folder::of_rows([&robots, &["0,move_out,220,210,120,-90"], &["0,110,300,45,0.3", "1,300,80,30,0.1"]])
}

#[test]
fn a_swarm_in_the_dark() {
    compare("swarm-dark", &picture(&swarm(70.0), Theme::dark()));
}

#[test]
fn a_swarm_on_paper() {
    compare("swarm-light", &picture(&swarm(70.0), Theme::light()));
}

#[test]
fn a_broken_distance() {
    compare("too-near", &picture(&swarm(55.0), Theme::dark()));
}

#[test]
fn cubes_with_lamps() {
    let folder = Folder::of_rows([&[], &[], &[]]);
    folder.write("view.json", common::CUBES_VIEW);
    folder.write("tables.json", &common::tables_json(&[("cubes", 3), ("messages", 0), ("events", 0)]));
    let rows = "0,0,0,120,120,0,0.3,0,0,150,170,17,50,50,255,80,0,,90\n0,0,1,240,150,40,1,0.5,0.2,,,,0,0,0,0,0,60,80\n\
                0,0,2,115,300,0,-1,0,0,,,,0,0,0,200,255,,70\n";
    folder.write("cubes.csv", &format!("{}\n{rows}", common::header_of("cubes.csv")));
    folder.write(
        "messages.csv",
        &format!("{}\n0,0,2,notify,107,0180,button pressed\n", common::header_of("messages.csv")),
    );
    compare("cubes", &picture(&folder, Theme::dark()));
}

#[test]
fn plots() {
    let chart = |title: &str| Chart { size: sim_core::DVec2::new(360.0, 220.0), ..Chart::new(title, &Theme::light()) };
    let share = Quantity::new("share", "1");
    let waves: Vec<f64> = (0..60).map(|n| 60.0 + 1.5 * ops::sin(f64::from(n)) * ops::sin(f64::from(n))).collect();
    compare("histogram", &histogram(&chart("Distances"), &Quantity::new("distance", "mm"), &waves, Some(60.0)));
    let row = |name: &str, low: f64| Interval { name: name.into(), values: [low, low + 0.1, low + 0.3] };
    compare(
        "intervals",
        &intervals(&chart("Waits"), &share.clone().guided(Guide::limit(0.5)), &[row("core", 0.1), row("edge", 0.4)]),
    );
    let place = |n: u32| Band { x: f64::from(n), values: [0.0, 1.0, 3.0].map(|v| v + ops::sin(f64::from(n) / 4.0)) };
    let series = [Series { name: "speed".into(), places: (0..30).map(place).collect() }];
    compare(
        "curves",
        &curves(&chart("Speed"), [&Quantity::new("time", "s"), &Quantity::new("speed", "mm/s")], &series),
    );
    let steps = |name: &str| Steps::numbers(Quantity::new(name, "mm"), &[10.0, 20.0, 30.0]);
    let cells: Vec<Option<f64>> = (0..9).map(|n| (n != 4).then_some(f64::from(n))).collect();
    compare("heat-map", &heat_map(&chart("Map"), [&steps("width"), &steps("height")], &share, &cells));
}
