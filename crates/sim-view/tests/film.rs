//! Films, read back: frames show what pictures show, and a film that is stopped leaves nothing.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::Folder;
use sim_view::ViewError;
use sim_view::draw::pixels;
use sim_view::film::{self, Film, Format, Progress};
use sim_view::folder::RunFolder;
use sim_view::picture::{FrameRenderer, Style};
use sim_view::theme::Theme;
use std::fs::File;

fn style() -> Style {
    Style::new(400.0, Theme::dark())
}

fn gif(fps: f64, speed: f64) -> Film {
    Film { format: Format::Gif, from_s: Some(0.5), to_s: Some(1.5), fps, speed, scale: 1.0, overwrite: false }
}

#[test]
fn each_frame_of_a_gif_shows_what_a_picture_of_its_moment_shows() {
    let folder = Folder::of_swarm(3, 30);
    let run = RunFolder::open(folder.path()).unwrap();
    let out = folder.path().join("film.gif");
    let mut told = Vec::new();
    let frames = film::write(&run, style(), &gif(8.0, 1.0), &out, &mut |progress| {
        told.push(progress);
        true
    });
    assert_eq!(frames.unwrap(), 9);
    assert_eq!(told.last(), Some(&Progress { frames_done: 9, frames: 9 }));
    let mut renderer = FrameRenderer::new(&run, style()).unwrap();
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(File::open(&out).unwrap()).unwrap();
    let width = usize::from(decoder.width());
    let mut shown = vec![[0_u8; 3]; width * usize::from(decoder.height())];
    let mut delays = 0;
    let mut count = 0;
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        let (left, top, columns) = (usize::from(frame.left), usize::from(frame.top), usize::from(frame.width));
        for (n, pixel) in frame.buffer.chunks_exact(4).enumerate().filter(|(_, pixel)| pixel[3] > 0) {
            shown[(top + n / columns) * width + left + n % columns] = [pixel[0], pixel[1], pixel[2]];
        }
        delays += frame.delay;
        let expected = renderer.at(0.5 + f64::from(count) / 8.0).unwrap();
        let expected = pixels::paint(&expected, 1.0).unwrap();
        let pairs = expected.data().chunks_exact(4).zip(&shown);
        let off: Vec<u8> = pairs.map(|(a, b)| (0..3).map(|n| a[n].abs_diff(b[n])).max().unwrap_or(0)).collect();
        let mean = off.iter().map(|off| f64::from(*off)).sum::<f64>() / off.len() as f64;
        // There are 255 colours: edges between two of them may be off, surfaces are not.
        let far = off.iter().filter(|off| **off > 40).count() as f64 / off.len() as f64;
        assert!(mean < 2.0 && far < 0.01, "frame {count}: {mean} {far}");
        count += 1;
    }
    // Nine frames of an eighth of a second, in hundredths: 12.5 on the average.
    assert_eq!((count, delays), (9, 113));
}

#[test]
fn a_film_that_is_stopped_leaves_nothing() {
    let folder = Folder::of_swarm(2, 30);
    let run = RunFolder::open(folder.path()).unwrap();
    let out = folder.path().join("film.gif");
    let stopped = film::write(&run, style(), &gif(10.0, 1.0), &out, &mut |progress| progress.frames_done < 4);
    assert!(matches!(stopped, Err(ViewError::Stopped { frames: 4 })), "{stopped:?}");
    let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains("film")), "{left:?}");
}
