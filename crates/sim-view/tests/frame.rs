//! Moments of a run: rows as they are, places between rows, and what happened until then.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{Folder, header_of};
use sim_core::DVec2;
use sim_view::folder::RunFolder;
use sim_view::frame::{Break, Frame, FrameReader};
use std::f64::consts::PI;

/// One robot that drives and turns through half a turn, a foot that walks, a patch that another one replaces; rows every 0.1 s up to 1 s.
fn folder() -> Folder {
    let folder = Folder::of_rows([&["0,0,0,0,0,0,0,0,0,0,,"], &["0,idle,0,0,0,0"], &["0,0,0,40,0.3"]]);
    let mut tables = ["agents.csv", "feet.csv", "patches.csv"].map(|name| format!("{}\n", header_of(name)));
    for row in 0..=10 {
        let (step, time_s, n) = (6 * row, f64::from(row) / 10.0, f64::from(row));
        let heading_rad = sim_core::angle::wrap_rad(3.0 + 0.1 * n);
        let nearest_mm = [64.0, 63.0, 61.0, 62.0, 60.5, 66.0, 67.0, 68.0, 69.0, 70.0, 71.0][row as usize];
        let words =
            format!("{step},{time_s},0,{},20,{heading_rad},10,0,{n},0,0,0,{nearest_mm},{}\n", 10.0 * n, 200.0 - n);
        tables[0].push_str(&words);
        tables[1].push_str(&format!("{step},{time_s},0,roam,{},100,50,0\n", 5.0 * n));
        let (x_mm, sigma_mm) = if row < 4 { (n, 40.0) } else { (300.0, 55.0) };
        tables[2].push_str(&format!("{step},{time_s},0,{x_mm},50,{sigma_mm},{}\n", 0.1 * n));
    }
    for (name, text) in ["agents.csv", "feet.csv", "patches.csv"].into_iter().zip(&tables) {
        folder.write(name, text);
    }
    folder
}

/// The first owner of a party, in the order robots, feet, patches.
fn first(frame: &Frame, party: usize) -> &sim_view::frame::Actor {
    &frame.parties[party].actors[0]
}

/// Places of columns of `agents.csv`.
const VX: usize = 8;
const NEAREST_AGENT: usize = 12;
/// Place of a column of `patches.csv`.
const SIGMA: usize = 5;

#[test]
fn between_rows_places_are_linear_and_headings_turn_the_short_way() {
    let folder = folder();
    let run = RunFolder::open(folder.path()).unwrap();
    let mut reader = FrameReader::new(&run).unwrap();
    let frame = reader.at(0.13).unwrap();
    let robot = first(&frame, 0);
    assert!((robot.place.truncate() - DVec2::new(13.0, 20.0)).length() < 1e-9, "{}", robot.place);
    // 3.1 rad and 3.2 rad, which is written as -3.083: 30 % of the way lies just before half a turn.
    assert!((robot.angles[0] - 3.13).abs() < 1e-9 && robot.angles[0] < PI, "{}", robot.angles[0]);
    // What cannot lie between two rows is that of the nearer one.
    assert_eq!((frame.step, robot.row[VX], robot.row[NEAREST_AGENT]), (6, 1.0, 63.0));
    assert_eq!(first(&reader.at(0.17).unwrap(), 0).row[NEAREST_AGENT], 61.0);
    // On a row, and at both ends.
    let mut x_at = |time_s: f64| first(&reader.at(time_s).unwrap(), 0).place.x;
    assert_eq!([0.7, 9.0, -1.0].map(&mut x_at), [70.0, 100.0, 0.0]);
    assert_eq!([0.04, 0.06, 0.97, 3.0].map(|time_s| run.span().nearest_row_s(time_s)), [0.0, 0.1, 1.0, 1.0]);
}

#[test]
fn a_foot_goes_on_where_its_rows_say_and_straight_on_after_the_last() {
    let folder = folder();
    let run = RunFolder::open(folder.path()).unwrap();
    let mut reader = FrameReader::new(&run).unwrap();
    let ahead = |reader: &mut FrameReader<'_>, time_s: f64| first(&reader.at(time_s).unwrap(), 1).way.places.clone();
    let early = ahead(&mut reader, 0.25);
    // 0.6 s at 60 steps a second; the rows move at 50 mm/s.
    assert_eq!(early.len(), 37);
    let expected = |from_mm: f64, n: usize| from_mm + 50.0 * n as f64 / 60.0;
    assert!((0..37).all(|n| (early[n].x - expected(12.5, n)).abs() < 1e-9));
    let late = ahead(&mut reader, 0.9);
    assert!((0..37).all(|n| (late[n].x - expected(45.0, n)).abs() < 1e-9), "{:?}", late);
}

#[test]
fn a_patch_that_replaces_another_does_not_rush_across_the_mat() {
    let folder = folder();
    let run = RunFolder::open(folder.path()).unwrap();
    let mut reader = FrameReader::new(&run).unwrap();
    let patch = |reader: &mut FrameReader<'_>, time_s: f64| {
        let frame = reader.at(time_s).unwrap();
        (first(&frame, 2).place.x, first(&frame, 2).row[SIGMA])
    };
    assert!((patch(&mut reader, 0.25).0 - 2.5).abs() < 1e-9);
    assert_eq!(patch(&mut reader, 0.34), (3.0, 40.0));
    assert_eq!(patch(&mut reader, 0.36), (300.0, 55.0));
}

#[test]
fn a_violation_between_two_rows_is_in_the_frames_for_half_a_second_of_the_film() {
    let folder = folder();
    let events =
        "13,0.2166,d_h_violation_begin,agent 0,foot 0,99.5,mm\n15,0.25,d_h_violation_end,agent 0,foot 0,1.5,mm\n";
    folder.write("events.csv", &format!("{}\n{events}", header_of("events.csv")));
    let run = RunFolder::open(folder.path()).unwrap();
    let mut reader = FrameReader::new(&run).unwrap();
    // The limits are those between robots and to feet.
    let over = Break { owner: 0, other: Some(0), is_over: true, value: Some(98.5) };
    let expected = [(0.2, vec![]), (0.3, vec![over]), (0.7, vec![over]), (0.8, vec![]), (0.3, vec![over])];
    for (time_s, violations) in expected {
        assert_eq!(reader.at(time_s).unwrap().breaks[1], violations, "{time_s} s");
    }
    // A film twice as fast shows it twice as long in time of the run.
    let mut fast = FrameReader::new(&run).unwrap().at_speed(2.0);
    assert_eq!(fast.at(1.0).unwrap().breaks[1], [over]);
}

#[test]
fn smallest_distances_are_those_so_far_and_then_those_of_all_steps() {
    let folder = folder();
    let events = "12,0.2,d_r_violation_begin,agent 0,agent 1,59,mm\n30,0.5,d_r_violation_end,agent 0,agent 1,1,mm\n\
                  36,0.6,d_h_violation_begin_in_sealed_pocket,agent 0,foot 0,98,mm\n";
    folder.write("events.csv", &format!("{}\n{events}", header_of("events.csv")));
    let minimum = "min_robot_robot_mm,60.25,mm,60,true\nmin_robot_robot_at_s,0.55,s,,\n";
    folder.write("summary.csv", &format!("{}\n{minimum}", header_of("summary.csv")));
    let run = RunFolder::open(folder.path()).unwrap();
    let mut reader = FrameReader::new(&run).unwrap();
    let mut so_far = |time_s: f64| {
        let frame = reader.at(time_s).unwrap();
        [0, 1].map(|limit| (frame.so_far[limit].worst, frame.so_far[limit].times))
    };
    assert_eq!(so_far(0.1)[0], (Some(63.0), 0));
    assert_eq!(so_far(0.3)[0], (Some(61.0), 1));
    assert_eq!((so_far(0.5)[0].0, so_far(0.5)[1].0), (Some(60.5), Some(195.0)));
    assert_eq!(so_far(1.0), [(Some(60.25), 1), (Some(190.0), 1)]);
    // Going back starts again.
    assert_eq!(so_far(0.1)[0].0, Some(63.0));
}
