//! Pictures, films and sounds as files, read back by other libraries.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::Folder;
use common::bobs::{RED, circle, party, sampled, view};
use proptest::prelude::*;
use sim_core::{DVec2, ops};
use sim_view::draw::{pixels, svg};
use sim_view::film::{self, Film, Format};
use sim_view::folder::RunFolder;
use sim_view::picture::{FrameRenderer, Style};
use sim_view::sound::{self, Played, Sound};
use sim_view::still::{self, Still};
use sim_view::theme::Theme;
use sim_world::View;
use std::fs::File;
use std::path::PathBuf;

/// A disc of half a metre that moves by 1 m to the right in a second and then rests; rows every tenth of a second up to 2 s.
fn moving() -> Folder {
    let row = |n: usize| format!("{},{},0,{},2", 6 * n, n as f64 / 10.0, 1.0 + n.min(10) as f64 / 10.0);
    Folder::of_view(
        &view([party("bobs", "bob")], [circle("bobs", 0.5, RED)]),
        &[sampled("bobs", 1, "bob:i x_m y_m", (0..=20).map(row))],
    )
}

/// Without words, which change with the time.
fn style() -> Style {
    let hide = ["grid", "panel"].map(str::to_owned).to_vec();
    Style { hide, ..Style::new(400.0, Theme::light()) }
}

fn film(from_s: f64, to_s: f64, fps: f64, speed: f64) -> Film {
    Film { format: Format::Gif, from_s: Some(from_s), to_s: Some(to_s), fps, speed, scale: 1.0, overwrite: false }
}

/// Writes a film and reads back the box and the time of each frame: left, top, width, height, hundredths of a second.
fn frames_of(folder: &Folder, film: &Film) -> Vec<[u16; 5]> {
    let run = RunFolder::open(folder.path()).unwrap();
    let out = folder.path().join("film.gif");
    let count = film::write(&run, style(), film, &out, &mut |_| true).unwrap();
    let mut decoder = gif::DecodeOptions::new().read_info(File::open(&out).unwrap()).unwrap();
    let mut frames = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        frames.push([frame.left, frame.top, frame.width, frame.height, frame.delay]);
    }
    assert_eq!(frames.len() as u64, count);
    std::fs::remove_file(out).unwrap();
    frames
}

#[test]
fn frames_hold_what_has_changed_and_nothing_else() {
    let folder = moving();
    let frames = frames_of(&folder, &film(0.0, 2.0, 2.0, 1.0));
    let run = RunFolder::open(folder.path()).unwrap();
    let renderer = FrameRenderer::new(&run, style()).unwrap();
    let size = renderer.view().plane_px().max;
    assert_eq!(frames.len(), 5);
    assert!(frames[0][..2] == [0, 0] && f64::from(frames[0][2]) > size.x && f64::from(frames[0][3]) > size.y);
    for (n, frame) in frames.iter().enumerate().skip(1).take(2) {
        // From where the disc was to where it is, up to the pixels that it covers in part.
        let at = |x: f64, y: f64| renderer.view().px(DVec2::new(x, y));
        let moved = 0.5 * n as f64;
        let (low, high) = (at(0.5 + moved - 0.5, 2.5), at(1.5 + moved, 1.5));
        let [left, top, width, height] = [0, 1, 2, 3].map(|k| f64::from(frame[k]));
        let ends = [(left, low.x), (top, low.y), (left + width, high.x), (top + height, high.y)];
        assert!(ends.iter().all(|(found, expected)| (found - expected).abs() < 2.5), "{frame:?}: {ends:?}");
    }
    // From 1 s on nothing moves: a pixel is enough.
    assert!(frames[3..].iter().all(|frame| frame[..4] == [0, 0, 1, 1]), "{frames:?}");
}

#[test]
fn films_keep_time_in_hundredths_of_a_second() {
    let folder = moving();
    let delays = |fps: f64, speed: f64| {
        frames_of(&folder, &film(0.0, 1.0, fps, speed)).iter().map(|frame| frame[4]).collect::<Vec<_>>()
    };
    assert_eq!(delays(5.0, 1.0), [20; 6]);
    // A third of a second is 33, 34 and 33 hundredths.
    assert_eq!(delays(3.0, 1.0), [33, 34, 33, 33]);
    // At twice the speed there are half as many, each as long; at a half twice as many.
    assert_eq!([delays(5.0, 2.0).len(), delays(5.0, 0.5).len()], [3, 11]);
    assert_eq!(delays(8.0, 1.0).iter().map(|&delay| u32::from(delay)).sum::<u32>(), 113, "nine frames, rounded once");
}

#[test]
fn films_that_cannot_be_are_refused() {
    let folder = moving();
    let run = RunFolder::open(folder.path()).unwrap();
    let refused = |film: Film| {
        let out = folder.path().join("film.gif");
        let fault = film::write(&run, style(), &film, &out, &mut |_| true).unwrap_err();
        assert!(fault.is_input() && !out.exists());
        fault.to_string()
    };
    assert_eq!(refused(film(0.0, 1.0, 50.1, 1.0)), "--fps is 50.1, must be from 0.1 to 50");
    assert_eq!(refused(film(0.0, 1.0, f64::NAN, 1.0)), "--fps is NaN, must be from 0.1 to 50");
    assert_eq!(refused(film(0.0, 1.0, 10.0, 0.0)), "--speed is 0, must be from 0.001 to 10000");
    let run_ends = "the run goes from 0 s to 2 s";
    assert_eq!(refused(film(1.5, 1.0, 10.0, 1.0)), format!("nothing lies from 1.5 s to 1 s: {run_ends}"));
    assert_eq!(refused(film(-0.5, 1.0, 10.0, 1.0)), format!("nothing lies from -0.5 s to 1 s: {run_ends}"));
    assert_eq!(refused(film(3.0, 4.0, 10.0, 1.0)), format!("nothing lies from 3 s to 4 s: {run_ends}"));
    let mp4 = Film { format: Format::Mp4, ..film(0.0, 1.0, 241.0, 1.0) };
    assert_eq!(refused(mp4), "--fps is 241, must be from 0.1 to 240");
    let long = Folder::of_view(
        &view([party("bobs", "bob")], []),
        &[sampled("bobs", 1, "bob:i x_m y_m", ["0,0,0,1,1", "60,100,0,1,1"])],
    );
    let run = RunFolder::open(long.path()).unwrap();
    let fault = film::write(&run, style(), &film(0.0, 100.0, 50.0, 0.001), &long.path().join("a.gif"), &mut |_| true)
        .unwrap_err();
    assert_eq!(fault.to_string(), "a film of 5000001 frames is too long, the most is 1000000");
    // A file that is there stays.
    folder.write("film.gif", "mine");
    let run = RunFolder::open(folder.path()).unwrap();
    let fault = film::write(&run, style(), &film(0.0, 1.0, 5.0, 1.0), &folder.path().join("film.gif"), &mut |_| true)
        .unwrap_err();
    assert!(fault.is_input() && fault.to_string().contains("film.gif is already there"), "{fault}");
    assert_eq!(folder.read("film.gif"), "mine");
}

#[test]
fn a_still_is_the_row_that_is_nearest_to_its_moment() {
    let folder = moving();
    let run = RunFolder::open(folder.path()).unwrap();
    let still = |at_s| Still { at_s, scale: 2.0, few_colors: false, overwrite: true };
    let out = folder.path().join("a.SVG");
    let time_s = still::write(&run, style(), &still(Some(0.52)), &out).unwrap();
    assert_eq!(time_s, 0.5);
    let scene = FrameRenderer::new(&run, style()).unwrap().at(0.5).unwrap();
    assert_eq!(std::fs::read_to_string(&out).unwrap(), svg::document(&scene, 2.0));
    // The middle of the run, unless a moment is asked for.
    let out = folder.path().join("a.png");
    assert_eq!(still::write(&run, style(), &still(None), &out).unwrap(), 1.0);
    let painted = pixels::paint(&FrameRenderer::new(&run, style()).unwrap().at(1.0).unwrap(), 2.0).unwrap();
    assert_eq!(tiny_skia::Pixmap::load_png(&out).unwrap().data(), painted.data());
    // With few colours the same picture is a smaller file.
    let whole = std::fs::metadata(&out).unwrap().len();
    still::write(&run, style(), &Still { few_colors: true, ..still(None) }, &out).unwrap();
    assert!(std::fs::metadata(&out).unwrap().len() < whole);
    let few = tiny_skia::Pixmap::load_png(&out).unwrap();
    let ground = [few.pixels()[0].red(), few.pixels()[0].green(), few.pixels()[0].blue()];
    assert_eq!(((few.width(), few.height()), ground), ((painted.width(), painted.height()), Theme::light().ground.rgb));
}

#[test]
fn stills_that_cannot_be_are_refused() {
    let folder = moving();
    let run = RunFolder::open(folder.path()).unwrap();
    let refused = |name: &str, at_s: f64, style: Style, scale: f64| {
        let still = Still { at_s: Some(at_s), scale, few_colors: false, overwrite: false };
        let fault = still::write(&run, style, &still, &folder.path().join(name)).unwrap_err();
        assert!(fault.is_input(), "{fault}");
        fault.to_string().replace(&folder.path().display().to_string(), "RUN")
    };
    assert_eq!(refused("a.jpg", 1.0, style(), 1.0), "RUN/a.jpg: a picture is called .png or .svg");
    assert_eq!(refused("a.png", 2.1, style(), 1.0), "2.1 s is not in the run, which goes from 0 s to 2 s");
    assert_eq!(refused("a.png", -0.1, style(), 1.0), "-0.1 s is not in the run, which goes from 0 s to 2 s");
    let narrow = Style { width_px: 98.0, ..style() };
    assert_eq!(refused("a.png", 1.0, narrow, 1.0), "a picture must be from 100 to 16000 px wide, not 98");
    let large = refused("a.png", 1.0, style(), 1000.0);
    assert!(large.ends_with("pixels cannot be drawn: each side must have from 1 to 16000"), "{large}");
    folder.write("b.png", "");
    assert_eq!(
        refused("b.png", 1.0, style(), 1.0),
        "RUN/b.png is already there; choose another file, or allow it to be overwritten"
    );
    assert!(!folder.path().join("a.png").exists() && !folder.path().join("a.png.partial").exists());
    let still = Still { at_s: None, scale: 1.0, few_colors: false, overwrite: false };
    let fault = still::write(&run, style(), &still, &folder.path().join("no/such/a.svg")).unwrap_err();
    assert!(!fault.is_input() && fault.to_string().starts_with("could not write "), "{fault}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn a_picture_shows_its_plane_whole_and_to_scale(
        [width_m, height_m] in [0.5_f64..90.0, 0.5..90.0], width_px in 100.0_f64..2000.0, is_up: bool
    ) {
        let mut view = view([party("bobs", "bob")], []);
        view.projections[0].area.fixed = Some([[-3.0, 2.0], [width_m - 3.0, height_m + 2.0]]);
        view.projections[0].is_up = is_up;
        let folder = Folder::of_view(&view, &[sampled("bobs", 1, "bob:i x_m y_m", ["0,0,0,1,1"])]);
        let run = RunFolder::open(folder.path()).unwrap();
        let mut renderer = FrameRenderer::new(&run, Style::new(width_px, Theme::dark())).unwrap();
        let (scene, plane) = (renderer.at(0.0).unwrap(), renderer.view());
        let px = plane.plane_px();
        prop_assert!(scene.size.x % 2.0 == 0.0 && scene.size.y % 2.0 == 0.0 && (scene.size.x - width_px).abs() <= 1.0);
        prop_assert!(px.min.min_element() > 0.0 && px.max.x < scene.size.x && px.max.y < scene.size.y);
        prop_assert!((px.size() / plane.px_per_unit - DVec2::new(width_m, height_m)).length() < 1e-9);
        // The corners, and back.
        let upper = if is_up { height_m + 2.0 } else { 2.0 };
        prop_assert!((plane.px(DVec2::new(-3.0, upper)) - px.min).length() < 1e-9);
        let place = DVec2::new(0.3 * width_m, 2.0 + 0.7 * height_m);
        prop_assert!((plane.place(plane.px(place)) - place).length() < 1e-9);
    }
}

/// A run of bobs with a note each, a row every tenth of a second; an empty note is missing.
fn playing(notes: &[[&str; 2]]) -> Folder {
    let rows = notes.iter().enumerate().flat_map(|(n, notes)| {
        let row = move |(id, note): (usize, &&str)| format!("{},{},{id},0,0,{note}", 6 * n, n as f64 / 10.0);
        notes.iter().enumerate().map(row).collect::<Vec<_>>()
    });
    let sound = Some(["bobs", "note"].map(str::to_owned));
    Folder::of_view(
        &View { sound, ..view([party("bobs", "bob")], []) },
        &[sampled("bobs", 2, "bob:i x_m y_m note:i", rows)],
    )
}

/// Writes a sound, and reads back its samples.
fn samples(folder: &Folder, from_s: Option<f64>, to_s: Option<f64>) -> (Played, Vec<f64>) {
    let run = RunFolder::open(folder.path()).unwrap();
    let out: PathBuf = folder.path().join("sound.wav");
    let played = sound::write(&run, &Sound { from_s, to_s, overwrite: true }, &out).unwrap();
    let mut reader = hound::WavReader::open(out).unwrap();
    let spec = reader.spec();
    assert_eq!((spec.channels, spec.sample_rate, spec.bits_per_sample), (1, 44_100, 16));
    (played, reader.samples::<i16>().map(|sample| f64::from(sample.unwrap()) / 32_767.0).collect())
}

/// How often a wave rises through zero.
fn rises(samples: &[f64]) -> usize {
    samples.windows(2).filter(|pair| pair[0] < 0.0 && pair[1] >= 0.0).count()
}

fn loudest(samples: &[f64]) -> f64 {
    samples.iter().fold(0.0, |most, sample| sample.abs().max(most))
}

/// Samples of a tenth of a second.
const ROW: usize = 4410;

#[test]
fn a_note_sounds_from_its_row_to_the_next_that_says_otherwise() {
    // Note 69 is an octave above 440 Hz; 128 is a rest.
    let mut notes = vec![["69", ""]; 5];
    notes.extend([["128", ""]; 3]);
    notes.extend([["57", ""]; 4]);
    let folder = playing(&notes);
    let (played, wave) = samples(&folder, None, None);
    assert!((played.length_s - 1.1).abs() < 1e-9 && (played.row_s - 0.1).abs() < 1e-9 && played.notes == 2);
    assert_eq!(wave.len(), 11 * ROW);
    assert!(rises(&wave[..5 * ROW]).abs_diff(440) <= 1, "{}", rises(&wave[..5 * ROW]));
    // It fades out within four thousandths of a second.
    assert_eq!(loudest(&wave[5 * ROW + 180..8 * ROW]), 0.0);
    assert!(rises(&wave[8 * ROW..]).abs_diff(132) <= 1);
    let most = ops::tanh(0.3);
    assert!((loudest(&wave) - most).abs() < 0.01, "{}", loudest(&wave));
    // From the middle of a note on, it sounds at once and has as many samples as the time.
    let (played, part) = samples(&folder, Some(0.25), Some(0.45));
    assert!((played.length_s - 0.2).abs() < 1e-9 && part.len() == 2 * ROW && rises(&part).abs_diff(176) <= 1);
}

#[test]
fn two_play_louder_than_one_and_the_same_note_again_is_one() {
    let (both, wave) = samples(&playing(&[["57", "57"]; 5]), None, None);
    assert_eq!(both.notes, 2);
    assert!((loudest(&wave) - ops::tanh(0.6)).abs() < 0.01, "{}", loudest(&wave));
    let changed = [["57", "60"], ["57", "60"], ["57", ""], ["58", "60"], ["300", "-1"], ["58", "128"]];
    let (changed, _) = samples(&playing(&changed), None, None);
    // 57, 60, 58, 60 again after a gap, and 58 after what is no note.
    assert_eq!(changed.notes, 4, "what begins with the last row is not heard");
    assert_eq!(sound::frequency_hz(69), 880.0);
}

#[test]
fn sounds_that_cannot_be_are_refused() {
    let folder = moving();
    let out = folder.path().join("a.wav");
    let refused = |folder: &Folder| {
        let run = RunFolder::open(folder.path()).unwrap();
        let fault = sound::write(&run, &Sound { from_s: None, to_s: None, overwrite: false }, &out).unwrap_err();
        assert!(fault.is_input() && !out.exists());
        fault.to_string().replace(&folder.path().display().to_string(), "RUN")
    };
    assert_eq!(refused(&folder), "RUN has no cubes, so nothing was played");
    let long = playing(&[["57", "57"]; 2]);
    long.write("bobs.csv", &long.read("bobs.csv").replace("6,0.1,", "6,50000,"));
    assert_eq!(refused(&long), "a WAV file holds 40000 s, not 50000 s");
}
