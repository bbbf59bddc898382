//! A run folder in which one file holds any bytes: pictures, a film and a page are made or refused with a
//! message, without a panic or a hang.
//!
//! The first byte chooses the file; the others take its place. The other files are those of a small run of a car with a lidar.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sim_view::draw::{pixels, svg};
use sim_view::film::{self, Film, Format};
use sim_view::folder::RunFolder;
use sim_view::picture::{FrameRenderer, Style};
use sim_view::replay;
use sim_view::theme::Theme;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

/// The files of the run, by name.
const FILES: [(&str, &str); 7] = [
    ("run.json", include_str!("../seeds/run_folder/run.json")),
    ("scenario.json", "{}"),
    ("tables.json", include_str!("../seeds/run_folder/tables.json")),
    ("view.json", include_str!("../seeds/run_folder/view.json")),
    ("cars.csv", include_str!("../seeds/run_folder/cars.csv")),
    ("lidar.csv", include_str!("../seeds/run_folder/lidar.csv")),
    ("events.csv", include_str!("../seeds/run_folder/events.csv")),
];

/// A folder of this process.
fn folder() -> &'static PathBuf {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("fuzz-run-folder-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("the folder for temporary files can be written to");
        folder
    })
}

fuzz_target!(|input: &[u8]| {
    let Some((&first, bytes)) = input.split_first() else { return };
    let damaged = usize::from(first) % FILES.len();
    for (n, (name, text)) in FILES.iter().enumerate() {
        let content = if n == damaged { bytes } else { text.as_bytes() };
        fs::write(folder().join(name), content).expect("the folder for temporary files can be written to");
    }
    let _ = replay::page(folder());
    let Ok(run) = RunFolder::open(folder()) else { return };
    let style = || Style::new(240.0, Theme::dark());
    let film =
        Film { format: Format::Gif, from_s: None, to_s: None, fps: 20.0, speed: 1.0, scale: 1.0, overwrite: true };
    let _ = film::write(&run, style(), &film, &folder().join("film.gif"), &mut |progress| progress.frames_done < 3);
    let Ok(mut renderer) = FrameRenderer::new(&run, style()) else { return };
    if let Ok(scene) = renderer.at(run.span().last.time_s) {
        let _ = pixels::paint(&scene, 1.0);
        let _ = svg::document(&scene, 1.0);
    }
});
