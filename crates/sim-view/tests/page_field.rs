//! The page computes the potential itself: its numbers against those of `swarm-field`.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{Folder, header_of};
use sim_core::{DVec2, Rect};
use std::fmt::Write as _;
use std::process::Command;
use swarm_field::{FieldModel, FieldParams, Forecast, danger};

const STEP_HZ: f64 = 60.0;
const STEPS: usize = 60;
/// The moment that is looked at, and how far ahead feet count.
const NOW: usize = 12;
const WINDOW_STEPS: usize = 36;

/// A foot on an arc. Places and velocities are whole multiples of what a page stores, so that nothing is rounded on the way.
fn foot(step: usize) -> (DVec2, DVec2) {
    let x = step as f64;
    let place = DVec2::new(120.0 + 2.5 * x, 200.0 + 0.02 * x * x);
    (place, DVec2::new(150.0, (24.0 * x).round() / 10.0))
}

/// A patch that stays.
const PATCH_MM: [f64; 2] = [230.0, 260.0];
const PATCH_SIGMA_MM: f64 = 45.0;
const PATCH_PEAK: f64 = 0.25;

fn folder() -> Folder {
    let folder = Folder::of_swarm(1, 1);
    let mut feet = format!("{}\n", header_of("feet.csv"));
    let mut patches = "step,time_s,patch,x_mm,y_mm,sigma_mm,peak\n".to_owned();
    let mut agents = format!("{}\n", header_of("agents.csv"));
    for step in 0..=STEPS {
        let (time_s, (place, velocity)) = (step as f64 / STEP_HZ, foot(step));
        writeln!(feet, "{step},{time_s},0,roam,{},{},{},{}", place.x, place.y, velocity.x, velocity.y).unwrap();
        let [x, y] = PATCH_MM;
        writeln!(patches, "{step},{time_s},0,{x},{y},{PATCH_SIGMA_MM},{PATCH_PEAK}").unwrap();
        writeln!(agents, "{step},{time_s},0,50,50,0,0,0,0,0,0,0,,100").unwrap();
    }
    folder.write("feet.csv", &feet);
    folder.write("patches.csv", &patches);
    folder.write("agents.csv", &agents);
    let scenario =
        folder.read("scenario.json").replace("\"patches\": { \"count\": 0 }", "\"patches\": { \"count\": 1 }");
    folder.write("scenario.json", &scenario);
    folder
}

/// The potential at `place`: wells by `swarm-field`, the round hill by its formula.
fn expected(forecast: &Forecast, place: DVec2) -> f64 {
    let model = FieldModel::new(FieldParams::default(), Rect::from_size(400.0, 400.0)).unwrap();
    let off = place.distance(PATCH_MM.into()) / PATCH_SIGMA_MM;
    PATCH_PEAK * sim_core::ops::exp(-0.5 * off * off) - danger(&model, std::slice::from_ref(forecast), place)
}

const SCRIPT: &str = r"
import { readFileSync } from 'node:fs';
const [page, folder, time_s, places] = process.argv.slice(1);
const read = (name) => readFileSync(`${folder}/${name}`, 'utf8').replace(/^import .*$/gm, '');
const text = ['data.js', 'moment.js', 'field.js'].map(read).join('\n');
const { unpack, Film, gaussiansAt, potential, emptyGrid, fillGrid } = await import('data:text/javascript,' + encodeURIComponent(text));
const { head, bytes } = await unpack(/id=.data.>([^<]*)</.exec(readFileSync(page, 'utf8'))[1]);
const film = new Film(head.tables, head, bytes);
const { wells } = head.view.marks.find(({ draw }) => draw.wells).draw;
const gaussians = gaussiansAt(film, wells, Number(time_s));
const grid = emptyGrid(head.areas[0], wells.sigma / 8);
fillGrid(grid, gaussians);
const node = (x, y) => grid.values[(y / grid.step_y) * grid.columns + x / grid.step_x];
const rows = JSON.parse(places).map(([x, y]) => [potential(gaussians, x, y), node(x, y)]);
console.log(JSON.stringify(rows));
";

#[test]
#[expect(clippy::print_stdout, reason = "a reader of the test's output should know that it was skipped")]
fn the_page_and_the_simulator_agree_on_the_potential() {
    if Command::new("node").arg("--version").output().is_err() {
        println!("SKIPPED: there is no node on this machine");
        return;
    }
    let folder = folder();
    let page = folder.path().join("page.html");
    std::fs::write(&page, sim_view::replay::page(folder.path()).unwrap().html).unwrap();
    // Multiples of the grid's 5 mm: on the foot, before and behind it, beside it, at the patch, between, far off.
    let places =
        [[150.0, 205.0], [210.0, 215.0], [90.0, 195.0], [150.0, 260.0], [230.0, 260.0], [190.0, 240.0], [390.0, 5.0]];
    let script_folder = concat!(env!("CARGO_MANIFEST_DIR"), "/page");
    let now_s = (NOW as f64 / STEP_HZ).to_string();
    let said = Command::new("node")
        .args(["--input-type=module", "-e", SCRIPT, "--"])
        .arg(&page)
        .args([script_folder, &now_s, &serde_json::to_string(&places).unwrap()])
        .output()
        .unwrap();
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let found: Vec<[f64; 2]> = serde_json::from_slice(&said.stdout).unwrap();

    let (mean_mm, velocity_mm_s) = (NOW..=NOW + WINDOW_STEPS).map(foot).unzip();
    let forecast = Forecast { mean_mm, velocity_mm_s };
    for ([exact, node], [x, y]) in found.into_iter().zip(places) {
        let wanted = expected(&forecast, DVec2::new(x, y));
        // Times of rows are stored to 0.0001 s, which is 0.015 mm of this foot's way and at most 1e-4 of its well of 0.3.
        assert!((exact - wanted).abs() < 3e-5, "at {x}, {y}: {exact}, not {wanted}");
        // The page's grid is in single precision and cuts each Gaussian at five standard deviations, where 4e-6 of it is left.
        assert!((node - exact).abs() < 5e-6, "at {x}, {y}: {node} on the grid, {exact} exactly");
    }
    assert!(expected(&forecast, DVec2::new(150.0, 205.0)) < -0.15, "there is a well to compare");
}
