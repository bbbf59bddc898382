//! Places, trails and ways of a moment against the rows round it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::Folder;
use common::bobs::{Table, line, party, sampled, trail, view};
use common::scene::assert_near;
use proptest::prelude::*;
use sim_core::{DVec2, DVec3};
use sim_view::folder::{RunFolder, text_at};
use sim_view::frame::{Actor, Frame, FrameReader};
use sim_world::View;
use sim_world::view::{Coord, Draw, Mark, Party, Wells};
use std::f64::consts::{PI, TAU};

/// Steps between two rows of 60 steps a second: a tenth of a second.
const EVERY: usize = 6;

fn moving() -> Party {
    Party {
        place: sim_world::view::Place { x: "x_m".into(), y: "y_m".into(), z: "z_m".into() },
        angles: vec!["yaw_rad".into(), "pitch_rad".into()],
        velocity: Some(["vx_m_s".into(), "vy_m_s".into()]),
        linear: vec!["charge".into()],
        ..party("bobs", "bob")
    }
}

const COLUMNS: &str = "bob:i x_m y_m z_m yaw_rad pitch_rad vx_m_s vy_m_s charge count:i mood:t";

/// Numbers of an owner in a row: x, y, z, yaw, pitch, charge.
type Numbers = [f64; 6];

/// Rows of owners: `all[row][owner]`. In each step the owners stand in another order.
fn moving_rows(all: &[Vec<Numbers>]) -> Table {
    let mut rows = Vec::new();
    for (n, owners) in all.iter().enumerate() {
        let (step, time_s) = (EVERY * n, n as f64 / 10.0);
        for k in 0..owners.len() {
            let id = (k + n) % owners.len();
            let [x, y, z, yaw, pitch, charge] = owners[id];
            rows.push(format!("{step},{time_s},{id},{x},{y},{z},{yaw},{pitch},0,0,{charge},{},mood{n}", 100 * n + id));
        }
    }
    sampled("bobs", all[0].len() as u64, COLUMNS, rows)
}

fn actor(frame: &Frame, id: u64) -> &Actor {
    frame.parties[0].actors.iter().find(|actor| actor.id == id).unwrap()
}

/// Pitch and roll of a frame are front up and the side of larger y down, whichever way the columns count.
#[test]
fn pitch_and_roll_of_a_right_handed_view_change_their_sign() {
    let tilting =
        Party { angles: ["yaw_rad", "pitch_rad", "roll_rad"].map(String::from).into(), ..party("bobs", "bob") };
    let rows = || [sampled("bobs", 1, "bob:i x_m y_m yaw_rad pitch_rad roll_rad", ["0,0,0,1,1,0.3,0.2,-0.1"])];
    for (is_right_handed, expected) in [(false, [0.3, 0.2, -0.1]), (true, [0.3, -0.2, 0.1])] {
        let folder = Folder::of_view(&View { is_right_handed, ..view([tilting.clone()], []) }, &rows());
        let run = RunFolder::open(folder.path()).unwrap();
        assert_eq!(actor(&FrameReader::new(&run).unwrap().at(0.0).unwrap(), 0).angles, expected);
    }
}

/// Numbers of the owners that are there at some moments.
fn owners_at<const N: usize>(run: &RunFolder, party: usize, times_s: [f64; N]) -> [Vec<u64>; N] {
    let mut reader = FrameReader::new(run).unwrap();
    times_s.map(|time_s| reader.at(time_s).unwrap().parties[party].actors.iter().map(|actor| actor.id).collect())
}

/// Two bobs, of which the first comes in the second row and goes in the fourth; the other one goes in the last but one.
fn visitors() -> Table {
    let rows = ["6,0.1,0,1,1", "6,0.1,1,2,2", "12,0.2,0,1,1", "12,0.2,1,2,2", "18,0.3,1,2,2"];
    sampled("bobs", 2, "bob:i x_m y_m", rows)
}

/// Owners that come and go: a run is as long as the tables whose owners stay, and a last step with fewer rows is no step that was cut.
#[test]
fn owners_that_come_and_go_make_no_run_shorter() {
    let rows = (0..6).map(|n| format!("{},{},0,0,0", EVERY * n, n as f64 / 10.0));
    let dots = sampled("dots", 1, "dot:i x_m y_m", rows);
    let parties = [party("bobs", "bob").sparse(), party("dots", "dot")];
    let folder = Folder::of_view(&view(parties, []), &[visitors(), dots]);
    let run = RunFolder::open(folder.path()).unwrap();
    assert_eq!((run.span().first.step, run.span().last.step, run.notes().len()), (0, 30, 0));
    assert_eq!(owners_at(&run, 0, [0.0, 0.1, 0.2, 0.3, 0.5]), [vec![], vec![0, 1], vec![0, 1], vec![1], vec![]]);
}

/// Where all come and go, the run is as long as any of them is there. A row that is cut off takes the last whole step with it, which may
/// have been its own.
#[test]
fn a_run_without_owners_that_stay_has_the_steps_of_all() {
    let late = sampled("dots", 1, "dot:i x_m y_m", ["12,0.2,0,0,0", "18,0.3,0,0,0", "24,0.4,0,0,0"]);
    let parties = [party("bobs", "bob").sparse(), party("dots", "dot").sparse()];
    let folder = Folder::of_view(&view(parties, []), &[visitors(), late]);
    let run = RunFolder::open(folder.path()).unwrap();
    assert_eq!((run.span().first.step, run.span().last.step, run.notes().len()), (6, 24, 0));
    folder.write("dots.csv", folder.read("dots.csv").trim_end());
    let run = RunFolder::open(folder.path()).unwrap();
    assert_eq!(run.notes(), ["dots.csv ends in the middle of a step; it counts up to step 12"]);
}

/// What lies between two angles, by the smallest turn from one to the other.
fn between_rad(from: f64, to: f64, share: f64) -> f64 {
    from + ((to - from + PI).rem_euclid(TAU) - PI) * share
}

fn is_same_angle(a: f64, b: f64) -> bool {
    ((a - b + PI).rem_euclid(TAU) - PI).abs() < 1e-9
}

fn numbers() -> impl Strategy<Value = Numbers> {
    ([-100.0..100.0, -100.0..100.0, 0.0..3.0], [-3.1..3.1, -1.5..1.5], 0.0..1.0)
        .prop_map(|([x, y, z], [yaw, pitch], charge)| [x, y, z, yaw, pitch, charge])
}

fn all_rows() -> impl Strategy<Value = Vec<Vec<Numbers>>> {
    (1_usize..4, 2_usize..7)
        .prop_flat_map(|(owners, rows)| prop::collection::vec(prop::collection::vec(numbers(), owners), rows))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn a_moment_lies_between_the_rows_round_it(all in all_rows(), at in -0.1_f64..1.1) {
        let folder = Folder::of_view(&view([moving()], []), &[moving_rows(&all)]);
        let run = RunFolder::open(folder.path()).unwrap();
        let last = all.len() - 1;
        let time_s = at * last as f64 / 10.0;
        let frame = FrameReader::new(&run).unwrap().at(time_s).unwrap();
        let rows = (10.0 * time_s).clamp(0.0, last as f64);
        let (low, share) = (rows.floor() as usize, rows.fract());
        prop_assume!((share - 0.5).abs() > 1e-6);
        let (high, nearer) = ((low + 1).min(last), if share < 0.5 { low } else { low + 1 });
        prop_assert!((frame.time_s - rows / 10.0).abs() < 1e-12);
        prop_assert_eq!((frame.step, frame.parties[0].actors.len()), ((EVERY * nearer) as u64, all[0].len()));
        for (id, (before, after)) in all[low].iter().zip(&all[high]).enumerate() {
            let found = actor(&frame, id as u64);
            let linear = |n: usize| before[n] + (after[n] - before[n]) * share;
            let place = DVec3::new(linear(0), linear(1), linear(2));
            prop_assert!(found.place.distance(place) < 1e-9, "{} {place}", found.place);
            prop_assert!((found.row[10] - linear(5)).abs() < 1e-9);
            for (n, angle_rad) in [(3, found.angles[0]), (4, found.angles[1])] {
                prop_assert!(is_same_angle(angle_rad, between_rad(before[n], after[n], share)));
                prop_assert!(angle_rad > -PI && angle_rad <= PI);
            }
            // The third angle is not among the columns; a count and a word are those of the nearer row.
            prop_assert_eq!((found.angles[2], found.row[11]), (0.0, (100 * nearer + id) as f64));
            prop_assert_eq!(text_at(&frame.parties[0].texts, found.row[12]), format!("mood{nearer}"));
        }
    }

    #[test]
    fn a_moment_is_the_same_whatever_was_read_before(times in prop::collection::vec(0.0_f64..9.0, 2..6)) {
        let folder = long_folder();
        let run = RunFolder::open(folder.path()).unwrap();
        let mut reader = FrameReader::new(&run).unwrap();
        for time_s in times {
            let fresh = FrameReader::new(&run).unwrap().at(time_s).unwrap();
            prop_assert_eq!(format!("{:?}", reader.at(time_s).unwrap()), format!("{fresh:?}"), "at {} s", time_s);
        }
    }
}

/// Nine seconds of two bobs with trails and ways ahead: longer than what is read on through.
fn long_folder() -> Folder {
    let rows = (0..91).flat_map(|n| {
        let (step, time_s, x) = (EVERY * n, n as f64 / 10.0, (n * n % 17) as f64);
        (0..2).map(move |id| format!("{step},{time_s},{id},{},{x},{x},5,7", x + f64::from(id)))
    });
    let table = sampled("bobs", 2, "bob:i x_m y_m gap_m vx_m_s vy_m_s", rows);
    let party = Party { velocity: Some(["vx_m_s".into(), "vy_m_s".into()]), ..party("bobs", "bob") };
    Folder::of_view(&view([party], [trail("bobs", 0.7, 0.4)]), &[table])
}

/// One bob on the x axis, with the given places at tenths of a second, and its speed in the table.
fn walk(xs: &[&str], marks: impl IntoIterator<Item = Mark>) -> Folder {
    let row = |(n, x): (usize, &&str)| format!("{},{},0,{x},0,3,4", EVERY * n, n as f64 / 10.0);
    let table = sampled("bobs", 1, "bob:i x_m y_m vx_m_s vy_m_s", xs.iter().enumerate().map(row));
    let party = Party { velocity: Some(["vx_m_s".into(), "vy_m_s".into()]), ..party("bobs", "bob") };
    Folder::of_view(&view([party], marks), &[table])
}

fn bob_at(folder: &Folder, time_s: f64) -> Actor {
    let run = RunFolder::open(folder.path()).unwrap();
    let frame = FrameReader::new(&run).unwrap().at(time_s).unwrap();
    frame.parties[0].actors[0].clone()
}

const SQUARES: [&str; 8] = ["0", "1", "4", "9", "16", "25", "36", "49"];

#[test]
fn a_trail_begins_with_the_last_row_before_its_time_and_ends_at_the_moment() {
    let trail_at = |marks: Vec<Mark>, time_s: f64| {
        let bob = bob_at(&walk(&SQUARES, marks), time_s);
        bob.trail.iter().map(|place| place.x).collect::<Vec<_>>()
    };
    // A quarter of a second back from 0.5 s is 0.25 s: the row at 0.2 s is the first.
    assert_eq!(trail_at(vec![trail("bobs", 0.25, 0.0)], 0.5), [4.0, 9.0, 16.0, 25.0, 25.0]);
    let late = trail_at(vec![trail("bobs", 0.25, 0.0)], 0.53);
    assert_eq!(late[..4], [4.0, 9.0, 16.0, 25.0]);
    assert_near(late[4], 25.0 + 0.3 * 11.0);
    // Exactly on a row, that row is enough; before the start of the run there is nothing.
    assert_eq!(trail_at(vec![trail("bobs", 0.3, 0.0)], 0.5), [4.0, 9.0, 16.0, 25.0, 25.0]);
    assert_eq!(trail_at(vec![trail("bobs", 0.3, 0.0)], 0.0), [0.0, 0.0]);
    // The longest trail of the party counts, that of another stream does not, and without one there is none.
    assert_eq!(trail_at(vec![trail("bobs", 0.1, 0.0), trail("bobs", 0.2, 0.0)], 0.4), [4.0, 9.0, 16.0, 16.0]);
    assert_eq!(trail_at(vec![trail("bobs", 0.2, 0.0), trail("bobs", 0.1, 0.0)], 0.4), [4.0, 9.0, 16.0, 16.0]);
    assert_eq!(trail_at(vec![], 0.4), [] as [f64; 0]);
}

#[test]
fn a_trail_moves_on_between_two_rows() {
    let folder = walk(&SQUARES, [trail("bobs", 0.25, 0.0)]);
    let run = RunFolder::open(folder.path()).unwrap();
    let mut reader = FrameReader::new(&run).unwrap();
    // 0.26 s and 0.34 s: from the row at 0.2 s, and then from that at 0.3 s.
    let mut first_x = |time_s: f64| reader.at(time_s).unwrap().parties[0].actors[0].trail[0].x;
    assert_eq!([0.51, 0.59].map(&mut first_x), [4.0, 9.0]);
}

#[test]
fn a_way_is_looked_at_four_times_a_row_and_goes_straight_on_at_the_last_speed() {
    let folder = walk(&SQUARES[..5], [trail("bobs", 0.0, 0.2)]);
    let way = bob_at(&folder, 0.15).way;
    // 0.15 s to 0.35 s in eighths.
    assert_near(way.step_s, 0.025);
    let expected = [2.5, 3.25, 4.0, 5.25, 6.5, 7.75, 9.0, 10.75, 12.5];
    assert_eq!(way.places.len(), expected.len());
    way.places.iter().zip(expected).for_each(|(place, x)| assert_near(place.x, x));
    assert!(way.velocities.iter().all(|velocity| velocity.distance(DVec2::new(3.0, 4.0)) < 1e-12));
    // From the last row on by 3 m/s and 4 m/s.
    let way = bob_at(&folder, 0.4).way;
    let last = way.places.last().unwrap();
    assert_near(last.x, 16.0 + 3.0 * 0.2);
    assert_near(last.y, 4.0 * 0.2);
    // Between two places of the way, and not beyond its ends.
    assert_near(way.at(0.0625).unwrap().0.x, 16.0 + 3.0 * 0.0625);
    assert!(way.at(0.2).is_some() && way.at(0.201).is_none() && way.at(-0.001).is_none());
}

#[test]
fn without_a_speed_an_owner_stays_where_it_was_last() {
    for (table, velocity) in [("bob:i x_m y_m vx_m_s", Some(["vx_m_s"; 2])), ("bob:i x_m y_m vx_m_s", None)] {
        let party = Party { velocity: velocity.map(|names| names.map(str::to_owned)), ..party("bobs", "bob") };
        // The speed is missing.
        let rows = ["0,0,0,1,2,", "6,0.1,0,2,2,"];
        let folder = Folder::of_view(&view([party], [trail("bobs", 0.0, 0.3)]), &[sampled("bobs", 1, table, rows)]);
        let way = bob_at(&folder, 0.1).way;
        assert!(way.places.iter().all(|place| *place == DVec3::new(2.0, 2.0, 0.0)), "{way:?}");
        assert!(way.velocities.iter().all(|velocity| *velocity == DVec2::ZERO));
    }
}

#[test]
fn an_owner_of_one_row_alone_stays_as_it_is_and_one_without_a_place_is_nowhere() {
    // The second bob is not in the row at 0.1 s, the third comes there; the first has no place at 0.3 s.
    let rows = [
        "0,0,0,1,1",
        "0,0,1,5,5",
        "6,0.1,0,2,1",
        "6,0.1,2,7,7",
        "12,0.2,0,3,1",
        "12,0.2,1,6,6",
        "18,0.3,0,,1",
        "18,0.3,1,6,6",
    ];
    let folder = Folder::of_view(&view([party("bobs", "bob")], []), &[sampled("bobs", 2, "bob:i x_m y_m", rows)]);
    let run = RunFolder::open(folder.path()).unwrap();
    let mut reader = FrameReader::new(&run).unwrap();
    let mut places_at = |time_s: f64| {
        let frame = reader.at(time_s).unwrap();
        frame.parties[0].actors.iter().map(|actor| (actor.id, actor.place.x)).collect::<Vec<_>>()
    };
    assert_eq!(places_at(0.05), [(0, 1.5), (1, 5.0)]);
    assert_eq!(places_at(0.1), [(0, 2.0), (2, 7.0)]);
    assert_eq!(places_at(0.2), [(0, 3.0), (1, 6.0)]);
    assert_eq!(places_at(0.25), [(1, 6.0)]);
}

#[test]
fn trails_and_ways_are_the_owners_own_where_owners_come_and_go() {
    let rows = [
        "0,0,0,1,0",
        "0,0,1,11,0",
        "6,0.1,1,12,0",
        "6,0.1,0,2,0",
        "12,0.2,1,13,0",
        "12,0.2,2,33,0",
        "18,0.3,0,4,0",
        "18,0.3,1,14,0",
    ];
    let marks = [trail("bobs", 0.3, 0.1)];
    let folder = Folder::of_view(&view([party("bobs", "bob")], marks), &[sampled("bobs", 2, "bob:i x_m y_m", rows)]);
    let run = RunFolder::open(folder.path()).unwrap();
    let mut reader = FrameReader::new(&run).unwrap();
    let xs = |places: &[DVec3]| places.iter().map(|place| place.x).collect::<Vec<_>>();
    let late = reader.at(0.3).unwrap();
    // The first bob has no row at 0.2 s.
    assert_eq!(xs(&actor(&late, 0).trail), [1.0, 2.0, 4.0, 4.0]);
    assert_eq!(xs(&actor(&late, 1).trail), [11.0, 12.0, 13.0, 14.0, 14.0]);
    let early = reader.at(0.1).unwrap();
    // The first goes from 2 at 0.1 s to 4 at 0.3 s, since it has no row between.
    for (id, x) in [(0, 2.0), (1, 12.0)] {
        let way = xs(&actor(&early, id).way.places);
        let is_even = way.iter().enumerate().all(|(n, at)| (at - x - 0.25 * n as f64).abs() < 1e-9);
        assert!(way.len() == 5 && is_even, "{way:?}");
    }
}

#[test]
fn rows_without_a_place_are_no_part_of_a_trail_or_a_way() {
    let folder = walk(&["1", "", "3", "4", "", "", "10"], [trail("bobs", 0.3, 0.4)]);
    let bob = bob_at(&folder, 0.2);
    assert_eq!(bob.trail.iter().map(|place| place.x).collect::<Vec<_>>(), [1.0, 3.0, 3.0]);
    // From 3 to 4 in a tenth of a second, and from there by 2 a tenth to 10.
    let xs = bob.way.places.iter().map(|place| place.x).collect::<Vec<_>>();
    let expected = |n: usize| if n <= 4 { 3.0 + 0.25 * n as f64 } else { 4.0 + 0.5 * (n - 4) as f64 };
    assert!(xs.len() == 17 && xs.iter().enumerate().all(|(n, x)| (x - expected(n)).abs() < 1e-9), "{xs:?}");
}

#[test]
fn on_a_row_an_owner_is_where_the_row_says_whatever_the_next_one_lacks() {
    let folder = walk(&["1", "2", "", "4"], []);
    let run = RunFolder::open(folder.path()).unwrap();
    let mut reader = FrameReader::new(&run).unwrap();
    let mut x_at = |time_s: f64| reader.at(time_s).unwrap().parties[0].actors.first().map(|bob| bob.place.x);
    // Before and after the row without a place it is nowhere, and going back to the row before finds it again.
    let found = [0.1, 0.15, 0.1, 0.25, 0.1, 0.3].map(&mut x_at);
    assert_eq!(found, [Some(2.0), None, Some(2.0), None, Some(2.0), Some(4.0)]);
}

fn wells(window_s: f64, frames: u32) -> Mark {
    Mark::new(Draw::Wells(Wells {
        wells: "bobs".into(),
        hills: "bobs".into(),
        hill: ["x_m".into(), "y_m".into()],
        scale: 1.0,
        sigma: 1.0,
        stretch_s: 0.0,
        beta_per_s: 1.0,
        window_s,
        frames,
        extent: 1.0,
        words: Default::default(),
    }))
}

fn ellipse(ahead_s: &[f64]) -> Mark {
    let line = line(common::bobs::RED);
    Mark::new(Draw::Ellipse { sigma: 1.0, stretch_s: 0.0, ahead_s: ahead_s.to_vec(), line }).of("bobs")
}

#[test]
fn a_way_reaches_as_far_as_the_farthest_mark_asks_in_the_steps_of_the_wells() {
    let asked = |marks: Vec<Mark>| {
        let way = bob_at(&walk(&SQUARES, marks), 0.0).way;
        (way.step_s * (way.places.len().max(1) - 1) as f64, way.places.len())
    };
    let is = |(reach_s, count): (f64, usize), expected_s: f64, places: usize| {
        assert!((reach_s - expected_s).abs() < 1e-9 && count == places, "{reach_s} s in {count} places");
    };
    is(asked(vec![]), 0.0, 0);
    is(asked(vec![ellipse(&[0.1, 0.3, 0.2])]), 0.3, 13);
    is(asked(vec![ellipse(&[0.1]), trail("bobs", 0.0, 0.2)]), 0.2, 9);
    is(asked(vec![trail("bobs", 0.0, 0.2), ellipse(&[0.1])]), 0.2, 9);
    is(asked(vec![wells(0.6, 36)]), 0.6, 37);
    // A farther look does not make the steps of the wells longer, whichever mark comes first.
    is(asked(vec![ellipse(&[1.2]), wells(0.6, 36)]), 1.2, 73);
    is(asked(vec![wells(0.6, 36), ellipse(&[1.2])]), 1.2, 73);
    is(asked(vec![wells(0.6, 36), ellipse(&[0.3])]), 0.6, 37);
    // Where the end lies between two of their steps, the steps are shorter, and the end is still reached.
    is(asked(vec![wells(0.6, 36), ellipse(&[0.64])]), 0.64, 40);
    is(asked(vec![wells(2.0, 1)]), 2.0, 2);
    // A quarter of a row is a step, however the time of a row is rounded.
    for n in 1..60_u32 {
        let ahead_s = 0.025 * f64::from(n);
        is(asked(vec![trail("bobs", 0.0, ahead_s)]), ahead_s, n as usize + 1);
    }
    let way = bob_at(&walk(&["5"], [trail("bobs", 0.0, 0.5)]), 0.0).way;
    assert_eq!((way.step_s, way.places.len()), (0.5, 2), "of one row the end is enough");
    // Bounds: an hour, and ten thousand places.
    is(asked(vec![trail("bobs", 0.0, 1e9)]), 3600.0, 10_001);
}

#[test]
fn marks_of_other_streams_ask_for_nothing() {
    let two = |marks: Vec<Mark>| -> View { view([party("bobs", "bob"), party("cats", "cat")], marks) };
    let other = Mark { of: Some("cats".into()), ..ellipse(&[1.0]) };
    let tables = || ["bobs", "cats"].map(|name| sampled(name, 1, "bob:i x_m y_m", ["0,0,0,1,1", "6,0.1,0,2,2"]));
    let folder = Folder::of_view(&two(vec![other, trail("cats", 1.0, 1.0)]), &tables());
    let bob = bob_at(&folder, 0.1);
    assert_eq!((bob.trail.len(), bob.way.places.len()), (0, 0));
}

#[test]
fn a_coordinate_may_be_a_number_and_what_is_too_far_is_refused() {
    let lifted = Party {
        place: sim_world::view::Place { x: 7.0.into(), y: "y_m".into(), z: Coord::Fixed(-1e9) },
        ..party("bobs", "bob")
    };
    let folder_of = |y: &str| {
        let table = sampled("bobs", 1, "bob:i y_m", [format!("0,0,0,{y}")]);
        Folder::of_view(&view([lifted.clone()], []), &[table])
    };
    assert_eq!(bob_at(&folder_of("3"), 0.0).place, DVec3::new(7.0, 3.0, -1e7));
    assert_eq!(bob_at(&folder_of("-10000000"), 0.0).place.y, -1e7);
    let folder = folder_of("10000001");
    let run = RunFolder::open(folder.path()).unwrap();
    let error = FrameReader::new(&run).and_then(|mut reader| reader.at(0.0)).unwrap_err().to_string();
    assert!(error.ends_with("bobs.csv, line 2, column y_m: 10000001 is farther from 0 than 10000000"), "{error}");
}
