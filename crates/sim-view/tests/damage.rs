//! Damaged run folders: whatever stands in their files, pictures, a film and a page are made or refused with a message, and soon.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::Folder;
use sim_view::ViewError;
use sim_view::draw::{pixels, svg};
use sim_view::film::{self, Film, Format};
use sim_view::folder::RunFolder;
use sim_view::picture::{FrameRenderer, Style};
use sim_view::replay;
use sim_view::theme::Theme;

/// Damages of each kind of folder. One that hangs is ended by the test runner.
const DAMAGES: u64 = 250;

/// Numbers that no run has.
const ABSURD: [&str; 12] = [
    "18446744073709551615",
    "1.8e19",
    "-1e300",
    "1e308",
    "5e-324",
    "-0",
    "",
    "nan",
    "inf",
    "-inf",
    "4294967295",
    "0.0000001",
];

fn road() -> Folder {
    let rows = [
        "0,0,0,1,1,0,5,0,0,0,0,0,0,in_progress",
        "10,0.1,0,1.5,1,0,5,0,0.1,0.11,0.09,0,0,in_progress",
        "20,0.2,0,2,1,0,0,0,0.1,0.11,0.09,0,0,collision",
    ];
    Folder::of_road(1, &rows, &["8,0.08,0,0.05,2,,-inf,0.5", "20,0.2,0,0.2,1,2,,"])
}

fn swarm() -> Folder {
    let folder = Folder::of_swarm(3, 4);
    let events = ["0,0,d_h_violation_begin,agent 0,foot 0,99,mm", "6,0.1,d_h_violation_end,agent 0,foot 0,1,mm"];
    folder.write_rows("events.csv", &events);
    folder
}

fn cubes() -> Folder {
    let folder = Folder::of_rows([&[], &[], &[]]);
    folder.write("view.json", common::CUBES_VIEW);
    folder.write("tables.json", &common::tables_json(&[("cubes", 1), ("messages", 0), ("events", 0)]));
    folder.write_rows("cubes.csv", &["0,0,0,120,120,30,0.3,0.2,0.1,150,170,17,50,50,255,80,0,60,90"]);
    folder.write_rows("messages.csv", &["0,0,0,notify,107,0180,button pressed"]);
    folder
}

/// Whole numbers by chance, the same in each run of the test (SplitMix64, Steele et al. 2014).
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % count as u64) as usize
    }
}

/// Another text of a file: a number that is absurd, a piece that is gone, or one that stands twice.
fn damaged(text: &str, dice: &mut Dice) -> String {
    let is_number = |c: char| c.is_ascii_digit() || c == '.' || c == '-';
    let starts: Vec<usize> = text
        .char_indices()
        .filter(|&(at, c)| is_number(c) && !text[..at].ends_with(is_number))
        .map(|(at, _)| at)
        .collect();
    if starts.is_empty() {
        return text.to_owned();
    }
    let at = starts[dice.below(starts.len())];
    let end = text[at..].find(|c| !is_number(c)).map_or(text.len(), |length| at + length);
    match dice.below(4) {
        0 => format!("{}{}", &text[..at], &text[end..]),
        1 => format!("{}{}", &text[..end], &text[at..]),
        _ => format!("{}{}{}", &text[..at], ABSURD[dice.below(ABSURD.len())], &text[end..]),
    }
}

/// Draws all that there is to be drawn; what is refused is refused by a message about the input.
fn draw(folder: &Folder) {
    for made in [stills(folder), frames(folder), replay::page(folder.path()).map(|_| ())] {
        if let Err(error) = made {
            assert!(error.is_input() && !error.to_string().is_empty(), "{error}");
        }
    }
}

fn stills(folder: &Folder) -> Result<(), ViewError> {
    let run = RunFolder::open(folder.path())?;
    let mut renderer = FrameRenderer::new(&run, Style::new(240.0, Theme::dark()))?;
    for time_s in [run.span().first.time_s, run.span().last.time_s] {
        let scene = renderer.at(time_s)?;
        pixels::paint(&scene, 1.0)?;
        assert!(svg::document(&scene, 1.0).len() < 10_000_000);
    }
    Ok(())
}

/// The first frames of a film, which is then stopped.
fn frames(folder: &Folder) -> Result<(), ViewError> {
    let run = RunFolder::open(folder.path())?;
    let film =
        Film { format: Format::Gif, from_s: None, to_s: None, fps: 20.0, speed: 1.0, scale: 1.0, overwrite: true };
    let out = folder.path().join("film.gif");
    match film::write(&run, Style::new(240.0, Theme::dark()), &film, &out, &mut |progress| progress.frames_done < 3) {
        Ok(_) | Err(ViewError::Stopped { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}

/// Damages one file after the other, and draws each time.
fn damage(folder: &Folder, files: &[&str], seed: u64) {
    draw(folder);
    for n in 0..DAMAGES {
        let mut dice = Dice(seed + n);
        let name = files[dice.below(files.len())];
        let whole = folder.read(name);
        let mut text = whole.clone();
        for _ in 0..=dice.below(2) {
            text = damaged(&text, &mut dice);
        }
        folder.write(name, &text);
        draw(folder);
        folder.write(name, &whole);
    }
}

#[test]
fn a_damaged_folder_of_the_road_is_drawn_or_refused() {
    damage(&road(), &["run.json", "view.json", "tables.json", "cars.csv", "lidar.csv", "cars.csv", "lidar.csv"], 0);
}

#[test]
fn a_damaged_folder_of_a_swarm_is_drawn_or_refused() {
    let files = ["run.json", "view.json", "tables.json", "agents.csv", "feet.csv", "events.csv", "summary.csv"];
    damage(&swarm(), &files, 1000);
}

#[test]
fn a_damaged_folder_of_cubes_is_drawn_or_refused() {
    damage(&cubes(), &["run.json", "view.json", "tables.json", "cubes.csv", "cubes.csv"], 2000);
}
