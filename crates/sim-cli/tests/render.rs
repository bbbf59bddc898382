//! `sim-cli render`, as a user has it: pictures, films and sounds from a run, and what is said about folders that are not as they should
//! be.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]

mod common;

use common::Place;
use std::fs;

/// A place with a run of the small scenario in `out/small`.
fn with_run() -> Place {
    let place = Place::new();
    place.ends("run small.json -q", 0);
    place
}

/// Width and height that a PNG's header says.
fn png_size(bytes: &[u8]) -> [u32; 2] {
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    [16, 20].map(|at| u32::from_be_bytes(bytes[at..at + 4].try_into().unwrap()))
}

fn bytes(place: &Place, name: &str) -> Vec<u8> {
    fs::read(place.path(name)).unwrap()
}

#[test]
fn a_still_is_the_nearest_row_in_the_size_that_was_asked() {
    let place = with_run();
    let said = place.ends("render out/small --at 1.234 --out frame.png --size 800", 0);
    assert_eq!((said.out.as_str(), said.err.as_str()), ("frame.png: the row at 1.20 s\n", ""));
    let [width, height] = png_size(&bytes(&place, "frame.png"));
    assert!(width == 800 && height > 500 && height < 700, "{height}");
    place.ends("render out/small --at 1.2 --out twice.png --size 800 --scale 2", 0);
    assert_eq!(png_size(&bytes(&place, "twice.png")), [1600, 2 * height]);
    // The same run and flags give the same bytes.
    place.ends("render out/small --at 1.2 --out again.png --size 800", 0);
    assert!(bytes(&place, "again.png") == bytes(&place, "frame.png"));
    // Without a name it lies beside the tables, and the moment is the middle of the run.
    let said = place.ends("render out/small", 0);
    assert!(said.out.ends_with("frame.png: the row at 2.00 s\n"), "{}", said.out);
    assert!(place.path("out/small/frame.png").exists());
}

#[test]
fn an_svg_says_the_same_as_the_tables() {
    let place = with_run();
    place.ends("render out/small --at 2 --out frame.svg --theme light", 0);
    let svg = place.read("frame.svg");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    for words in [
        ">small<",
        ">2.00<",
        ">step 120 of 240<",
        ">seed 1, run 0, version",
        ">no violation so far<",
        ">patch: one \u{3c3} round its centre<",
    ] {
        assert!(svg.contains(words), "{words}");
    }
    // The nearest two robots of that row, as the table has them.
    let agents = place.read("out/small/agents.csv");
    let of_row = |column: usize| {
        let rows = agents.lines().filter(|line| line.starts_with("120,"));
        let nearest = rows.map(|line| line.split(',').nth(column).unwrap().parse::<f64>().unwrap()).reduce(f64::min);
        format!(">{:.1}<", nearest.unwrap())
    };
    assert!(svg.contains(&of_row(12)) && svg.contains(&of_row(13)));
    place.ends("render out/small --at 2 --out bare.svg --hide panel,ids,grid", 0);
    assert!(!place.read("bare.svg").contains(">small<"));
}

#[test]
fn a_gif_has_the_frames_that_its_times_say() {
    let place = with_run();
    let said = place.ends("render out/small --gif film.gif --from 1 --to 3 --fps 5 --speed 2 --size 320", 0);
    assert_eq!(said.out, "film.gif: 6 frames, 1.2 s\n");
    let bytes = bytes(&place, "film.gif");
    assert_eq!((&bytes[..6], u16::from_le_bytes([bytes[6], bytes[7]])), (&b"GIF89a"[..], 320));
    // Each frame has an extension with its delay: 20 hundredths of a second.
    let delays: Vec<&[u8]> = bytes.windows(4).filter(|w| w[..3] == [0x21, 0xf9, 0x04]).map(|w| &w[3..]).collect();
    assert_eq!(delays.len(), 6);
    assert!(bytes.windows(6).any(|w| w[..3] == [0x21, 0xf9, 0x04] && w[4..6] == [20, 0]));
    assert!(!place.path("film.gif.partial").exists());
}

/// A program of that name that notes what it is told and keeps what it is fed.
#[cfg(unix)]
fn with_ffmpeg(place: &Place, script: &str) -> std::ffi::OsString {
    use std::os::unix::fs::PermissionsExt;
    fs::create_dir(place.path("bin")).unwrap();
    place.write("bin/ffmpeg", &format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(place.path("bin/ffmpeg"), fs::Permissions::from_mode(0o755)).unwrap();
    let mut path = place.path("bin").into_os_string();
    path.push(":/usr/bin:/bin");
    path
}

#[cfg(unix)]
#[test]
fn an_mp4_is_fed_to_ffmpeg_as_raw_pixels() {
    let place = with_run();
    let script = "echo \"$@\" > told; for last; do :; done; cat > fed; echo film > \"$last\"";
    let path = with_ffmpeg(&place, script);
    place.sim("render out/small --mp4 film.mp4 --to 1 --fps 4 --size 320").env("PATH", path).assert().success();
    assert_eq!(place.read("film.mp4"), "film\n");
    let told = place.read("told");
    let size = told.split(" -video_size ").nth(1).unwrap().split(' ').next().unwrap();
    let [width, height] = [0, 1].map(|n| size.split('x').nth(n).unwrap().parse::<usize>().unwrap());
    assert!(told.contains("-pixel_format rgba") && told.contains("-framerate 4") && width == 320);
    assert_eq!(bytes(&place, "fed").len(), 5 * 4 * width * height);
}

#[cfg(unix)]
#[test]
fn without_ffmpeg_or_with_one_that_gives_up_nothing_is_left_and_the_reason_is_said() {
    let place = with_run();
    let told = |path: &std::ffi::OsStr| {
        let done = place.sim("render out/small --mp4 film.mp4 --to 1").env("PATH", path).assert().code(1);
        assert!(!place.path("film.mp4").exists() && !place.path("film.mp4.partial").exists());
        String::from_utf8(done.get_output().stderr.clone()).unwrap()
    };
    let words = told("".as_ref());
    assert!(words.starts_with("error: MP4 films are made by ffmpeg, and none can be started: "), "{words}");
    assert!(words.contains("apt install ffmpeg") && words.contains("GIF"), "{words}");
    let path = with_ffmpeg(&place, "echo 'Unknown encoder' >&2; exit 1");
    assert_eq!(told(&path), "error: ffmpeg gave up: Unknown encoder\n");
}

#[test]
fn a_wav_holds_the_notes_of_the_cubes() {
    let place = Place::new();
    let scenario = r#"{"name": "song", "world": "mat", "steps": 120, "agents": {"count": 0}, "feet": {"count": 0}, "patches": {"count": 0},
      "mat": {"printed": [{"kind": "collection-ring", "x_mm": 200, "y_mm": 200}]},
      "cubes": [{"name": "singer", "at_mm": [200, 200], "mat": 0, "connected": true, "program": [
        {"at_s": 0.5, "sound_notes": {"repeat": 1, "notes": [
        {"note": 57, "duration_ms": 500, "volume": 255}, {"note": 69, "duration_ms": 500, "volume": 255}]}}]}]}"#;
    place.write("song.json", scenario);
    place.ends("run song.json -q --trace-every 1", 0);
    let said = place.ends("render out/song --wav song.wav --from 0.6 --to 2", 0);
    assert_eq!(said.err, "");
    let bytes = bytes(&place, "song.wav");
    assert_eq!((&bytes[..4], &bytes[8..12]), (&b"RIFF"[..], &b"WAVE"[..]));
    let samples: Vec<i16> = bytes[44..].chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
    assert_eq!(samples.len(), 61_740, "1.4 s at 44100 a second");
    // How often it swings in a fifth of a second: 440 Hz in the first note, 880 Hz in the second, then nothing.
    let swings = |from_s: f64| {
        let first = (from_s * 44_100.0) as usize;
        let part = &samples[first..first + 44_100 / 5];
        part.windows(2).filter(|pair| pair[0] < 0 && pair[1] >= 0).count()
    };
    assert!((87..=89).contains(&swings(0.1)), "{}", swings(0.1));
    assert!((175..=177).contains(&swings(0.6)), "{}", swings(0.6));
    assert_eq!(swings(1.15), 0);
    // A run whose rows are further apart says that it knows less.
    place.ends("run song.json -q --overwrite", 0);
    let said = place.ends("render out/song --wav song.wav --overwrite", 0);
    assert!(said.err.contains("a row every 0.100 s") && said.err.contains("--trace-every 1"), "{}", said.err);
    let none = place.ends("run small.json -q", 0);
    assert_eq!(none.err, "");
    assert_eq!(
        place.ends("render out/small --wav none.wav", 2).err,
        "error: out/small has no cubes, so nothing was played\n"
    );
}

#[test]
fn wrong_wishes_are_refused_before_anything_is_written() {
    let place = with_run();
    let cases = [
        ("--at 9 --out a.png", "9 s is not in the run, which goes from 0 s to 4 s"),
        ("--at -1 --out a.png", "-1 s is not in the run"),
        ("--out a.jpg", "a.jpg: a picture is called .png or .svg"),
        ("--out a.png --size 20", "a picture must be from 100 to 16000 px wide, not 20"),
        ("--out a.png --size 100000", "a picture must be from 100 to 16000 px wide, not 100000"),
        ("--out a.png --size 9000 --scale 9", "each side must have from 1 to 16000"),
        ("--out a.png --hide shoes", "the run has no layer \"shoes\"; its layers are heat, goals, patches,"),
        ("--gif a.gif --from 3 --to 2", "nothing lies from 3 s to 2 s: the run goes from 0 s to 4 s"),
        ("--gif a.gif --fps 60", "--fps is 60, must be from 0.1 to 50"),
        ("--gif a.gif --speed 0", "--speed is 0, must be from 0.001 to 10000"),
        ("--gif a.gif --at 2", "cannot be used with"),
        ("--gif a.gif --mp4 a.mp4", "cannot be used with"),
    ];
    for (flags, words) in cases {
        let said = place.ends(&format!("render out/small {flags}"), 2);
        assert!(said.err.contains(words), "{flags}: {}", said.err);
        assert!(!place.path("a.png").exists() && !place.path("a.gif").exists(), "{flags}");
    }
}

#[test]
fn a_file_that_is_there_is_kept_unless_overwriting_is_allowed() {
    let place = with_run();
    place.write("mine.png", "mine");
    let said = place.ends("render out/small --out mine.png", 2);
    assert_eq!(said.err, "error: mine.png is already there; --overwrite replaces it\n");
    assert_eq!(place.read("mine.png"), "mine");
    place.ends("render out/small --out mine.png --overwrite", 0);
    assert_eq!(png_size(&bytes(&place, "mine.png"))[0], 1280);
}

#[test]
fn folders_that_are_not_as_they_should_be_are_named() {
    let place = with_run();
    let says = |words: &str| {
        let said = place.ends("render out/small --out a.png", 2);
        assert_eq!(said.err, format!("error: {words}\n"));
        assert!(!place.path("a.png").exists());
    };
    let agents = place.read("out/small/agents.csv");
    let header = agents.lines().next().unwrap();
    let change = |from: &str, to: &str| place.write("out/small/agents.csv", &agents.replacen(from, to, 1));
    change("heading_rad", "heading_deg");
    let found = header.replace("heading_rad", "heading_deg");
    says(&format!("out/small/agents.csv: column heading_rad is missing; it has {found}"));
    // The row of robot 3 at the moment of the picture, which is line 1 + 20 * 5 + 4.
    let row = agents.lines().find(|line| line.starts_with("120,2.0,3,")).unwrap();
    let x_mm = row.split(',').nth(3).unwrap();
    change(&format!("120,2.0,3,{x_mm}"), "120,2.0,3,NaN");
    says("out/small/agents.csv, line 105, column x_mm: NaN is not a finite number");
    fs::remove_file(place.path("out/small/agents.csv")).unwrap();
    says("out/small/agents.csv is missing, though 5 owners have rows in it");
    place.write("out/small/agents.csv", &agents);
    let record = place.read("out/small/run.json");
    place.write("out/small/run.json", &record.replace("sim-run/1", "sim-run/7"));
    says(
        "out/small/run.json says format \"sim-run/7\", and this version reads \"sim-run/1\": it was made by a newer version, or is no run",
    );
    fs::remove_file(place.path("out/small/run.json")).unwrap();
    says("out/small holds no run: it has no run.json");
    let said = place.ends("render out/small/scenario.json", 2);
    assert_eq!(said.err, "error: out/small/scenario.json is a file; name the folder of a run, which holds it\n");
    let said = place.ends("render nowhere", 2);
    assert_eq!(said.err, "error: there is no folder nowhere\n");
}

#[test]
fn what_can_be_drawn_all_the_same_is_drawn_with_a_warning() {
    let place = with_run();
    let warns = |words: &str| {
        let said = place.ends("render out/small --at 1 --out a.svg --overwrite", 0);
        assert_eq!(said.err, format!("warning: {words}\n"));
        place.read("a.svg")
    };
    let (agents, record) = (place.read("out/small/agents.csv"), place.read("out/small/run.json"));
    place.write("out/small/agents.csv", agents.trim_end());
    let picture = warns("agents.csv ends in the middle of a step; it counts up to step 234");
    assert!(picture.contains("ends in the middle of a step"), "the picture says it too");
    place.write("out/small/agents.csv", &agents);
    let version = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    place.write("out/small/run.json", &record.replace(&version, "\"version\": \"99.0.0\""));
    warns(&format!("the run was made by version 99.0.0, which is newer than this one, {}", env!("CARGO_PKG_VERSION")));

    place.ends("run small.json -q --set agents.count=0 --out out/small --overwrite", 0);
    warns("the run has no robots");
    let said = place.ends("run small.json -q --runs 2 --out out/batch", 0);
    assert_eq!(said.err, "");
    let said = place.ends("render out/batch", 2);
    assert_eq!(said.err, "error: out/batch holds a batch of runs; choose one of them, as in out/batch/run-00000\n");
}

#[test]
fn a_broken_distance_is_red_in_the_picture_and_counted() {
    let place = Place::new();
    place.ends("run careless.json -q", 0);
    place.ends("render out/careless --at 8 --out red.svg", 0);
    let svg = place.read("red.svg");
    assert!(svg.contains("TOO NEAR: ") && svg.contains("violations so far<"));
    let events = place.read("out/careless/events.csv");
    let begun = events.lines().filter(|line| line.contains("_violation_begin"));
    let until = begun.filter(|line| line.split(',').next().unwrap().parse::<u64>().unwrap() <= 480).count();
    assert!(svg.contains(&format!(", {until} violations so far<")), "{until}");
}
