//! What has happened up to a moment: flags, broken limits, worst values, scans.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::Folder;
use common::bobs::{ON_EVENT, Table, asleep, party, sampled, scanner, table, view};
use sim_core::DVec2;
use sim_view::folder::RunFolder;
use sim_view::frame::{Break, Frame, FrameReader, SoFar};
use sim_world::View;
use sim_world::view::{Breaks, Limit, Mount, Party, Rule};
use std::f64::consts::FRAC_PI_2;

fn limit(name: &str, rule: Rule) -> Limit {
    Limit { name: name.into(), of: "bobs".into(), rule, to: None, paints: Vec::new(), events: None, least: None }
}

fn at_least(column: &str, bound: f64) -> Rule {
    Rule::AtLeast(column.into(), bound)
}

fn at_most(column: &str, bound: f64) -> Rule {
    Rule::AtMost(column.into(), bound)
}

fn bobs_and_posts(limits: impl IntoIterator<Item = Limit>) -> View {
    let limits = limits.into_iter().collect();
    View { limits, ..view([party("bobs", "bob"), party("posts", "post")], []) }
}

/// Frames of a run at some moments, in their order, by one reader.
fn frames(view: &View, tables: &[Table], times_s: &[f64]) -> Vec<Frame> {
    let folder = Folder::of_view(view, tables);
    let run = RunFolder::open(folder.path()).unwrap();
    let mut reader = FrameReader::new(&run).unwrap();
    times_s.iter().map(|&time_s| reader.at(time_s).unwrap()).collect()
}

/// Three bobs at x 0, 10 and 14 with a number and a word each, and posts at x 1 and 13: two seconds of 60 steps, a row every so many.
fn still(every: usize, numbers: [&str; 3], words: [&str; 3]) -> [Table; 2] {
    let moments = || (0..=120).step_by(every).map(|step| format!("{step},{}", step as f64 / 60.0));
    let bob = |moment: &str, id: usize| format!("{moment},{id},{},0,{},{}", [0, 10, 14][id], numbers[id], words[id]);
    let bobs = moments().flat_map(|moment| (0..3).map(|id| bob(&moment, id)).collect::<Vec<_>>());
    let posts = moments().flat_map(|moment| [format!("{moment},0,1,0"), format!("{moment},1,13,0")]);
    [sampled("bobs", 3, "bob:i x_m y_m number word:t", bobs), sampled("posts", 2, "post:i x_m y_m", posts)]
}

/// What is broken at the start by the rows alone.
fn broken(limit: Limit, numbers: [&str; 3], words: [&str; 3]) -> Vec<Break> {
    frames(&bobs_and_posts([limit]), &still(60, numbers, words), &[0.0]).remove(0).breaks.remove(0)
}

const NO_WORDS: [&str; 3] = [""; 3];

fn now(owner: u64, other: Option<u64>, value: Option<f64>) -> Break {
    Break { owner, other, is_over: false, value }
}

#[test]
fn a_value_breaks_a_limit_that_it_misses_by_more_than_a_millionth() {
    let least = limit("room", at_least("number", 60.0));
    assert_eq!(broken(least.clone(), ["60", "59.9999995", ""], NO_WORDS), []);
    assert_eq!(
        broken(least, ["59.999998", "70", "-1"], NO_WORDS),
        [now(0, None, Some(59.999_998)), now(2, None, Some(-1.0))]
    );
    // Just a millionth is not more than that.
    assert_eq!(broken(limit("room", at_least("number", 0.0)), ["-0.000001", "", ""], NO_WORDS), []);
    assert_eq!(broken(limit("speed", at_most("number", 0.0)), ["0.000001", "", ""], NO_WORDS), []);
    let most = limit("speed", at_most("number", 2.0));
    assert_eq!(broken(most.clone(), ["2", "2.0000005", ""], NO_WORDS), []);
    assert_eq!(
        broken(most, ["2.000002", "1", "9"], NO_WORDS),
        [now(0, None, Some(2.000_002)), now(2, None, Some(9.0))]
    );
}

#[test]
fn a_word_breaks_a_limit_that_forbids_it() {
    let rule = Rule::IsNot("word".into(), "crashed".into());
    let limit = limit("whole", rule);
    assert_eq!(broken(limit, ["", "", ""], ["crashed", "", "crashed_twice"]), [now(0, None, None)]);
}

#[test]
fn a_distance_is_one_to_the_nearest_other_and_a_pair_counts_once() {
    let to = |stream: &str| Limit { to: Some(stream.into()), ..limit("room", at_least("number", 60.0)) };
    // Bobs at 0, 10 and 14: the nearest of the first is the second, the other two are a pair.
    let among = broken(to("bobs"), ["59", "58", "57"], NO_WORDS);
    assert_eq!(among, [now(0, Some(1), Some(59.0)), now(1, Some(2), Some(58.0))]);
    assert_eq!(broken(to("bobs"), ["", "", "57"], NO_WORDS), [now(2, Some(1), Some(57.0))]);
    // Posts at 1 and 13.
    let posts = broken(to("posts"), ["59", "58", "57"], NO_WORDS);
    assert_eq!(posts, [now(0, Some(0), Some(59.0)), now(1, Some(1), Some(58.0)), now(2, Some(1), Some(57.0))]);
}

#[test]
fn pairs_with_one_in_common_are_two() {
    let among = |xs: [i32; 3]| {
        let rows = (0..3).map(|id| format!("0,0,{id},{},0,1,", xs[id]));
        let bobs = sampled("bobs", 3, "bob:i x_m y_m number word:t", rows);
        let room = Limit { to: Some("bobs".into()), ..limit("room", at_least("number", 60.0)) };
        let view = View { limits: vec![room], ..view([party("bobs", "bob")], []) };
        frames(&view, &[bobs], &[0.0])[0].breaks[0].iter().map(|found| (found.owner, found.other)).collect::<Vec<_>>()
    };
    // The last is between the other two, and then the first is.
    assert_eq!(among([0, 14, 10]), [(0, Some(2)), (1, Some(2))]);
    assert_eq!(among([10, 0, 14]), [(0, Some(2)), (1, Some(0))]);
}

/// Kind, subject, object, value and unit.
fn events(rows: &[&str]) -> Table {
    table("events", ON_EVENT, "kind:t subject:t object:t value unit:t", rows.iter().copied())
}

fn told(to: Option<&str>, end: Option<&str>, rule: Rule) -> Limit {
    let object = to.map(|stream| stream.trim_end_matches('s').to_owned());
    let events = Breaks {
        stream: "events".into(),
        begin: "near_begin".into(),
        end: end.map(str::to_owned),
        subject: "bob".into(),
        object,
    };
    Limit { to: to.map(str::to_owned), events: Some(events), ..limit("near", rule) }
}

/// What is broken and how often that began, at some moments of a run whose rows keep all limits; a row is a tenth of a second.
fn by_events(limit: &Limit, rows: &[&str], times_s: &[f64]) -> Vec<(Vec<Break>, u64)> {
    let [bobs, posts] = still(6, ["99"; 3], NO_WORDS);
    let frames = frames(&bobs_and_posts([limit.clone()]), &[bobs, posts, events(rows)], times_s);
    frames.into_iter().map(|mut frame| (frame.breaks.remove(0), frame.so_far[0].times)).collect()
}

fn over(owner: u64, other: Option<u64>, value: Option<f64>) -> Break {
    Break { owner, other, is_over: true, value }
}

#[test]
fn an_episode_lasts_from_its_first_event_to_half_a_second_after_it_or_to_its_end() {
    let limit = told(Some("posts"), Some("near_end"), at_least("number", 50.0));
    let short = ["12,0.2,near_begin,bob 1,post 0,49,m", "13,0.21,near_end,bob 1,post 0,1.5,m"];
    let found = by_events(&limit, &short, &[0.1, 0.2, 0.3, 0.7, 0.71]);
    let begun = vec![now(1, Some(0), None)];
    let ended = vec![over(1, Some(0), Some(48.5))];
    assert_eq!(found, [(vec![], 0), (begun.clone(), 1), (ended.clone(), 1), (ended.clone(), 1), (vec![], 1)]);
    // One that lasts longer is shown up to its end.
    let long = ["12,0.2,near_begin,bob 1,post 0,49,m", "72,1.2,near_end,bob 1,post 0,1.5,m"];
    let found = by_events(&limit, &long, &[0.9, 1.2, 1.3]);
    assert_eq!(found, [(begun.clone(), 1), (ended.clone(), 1), (vec![], 1)]);
    // One without an end stays; a second beginning starts it again.
    let twice = ["12,0.2,near_begin,bob 1,post 0,49,m", "90,1.5,near_begin_again,bob 1,post 0,49,m"];
    assert_eq!(by_events(&limit, &twice, &[1.0, 2.0]), [(begun.clone(), 1), (begun, 2)]);
}

#[test]
fn an_end_says_by_how_much_a_limit_was_missed() {
    let rows = [
        "0,0,near_begin,bob 0,,3,m",
        "6,0.1,near_end,bob 0,,0.25,m",
        "6,0.1,near_begin,bob 2,,3,m",
        "6,0.1,near_end,bob 2,,,m",
    ];
    let found = |rule| by_events(&told(None, Some("near_end"), rule), &rows, &[0.2]).remove(0).0;
    assert_eq!(found(at_least("number", 50.0)), [over(0, None, Some(49.75)), over(2, None, None)]);
    assert_eq!(found(at_most("number", 500.0)), [over(0, None, Some(500.25)), over(2, None, None)]);
    let is_not = Rule::IsNot("word".into(), "crashed".into());
    assert_eq!(found(is_not), [over(0, None, None), over(2, None, None)]);
}

#[test]
fn events_that_are_about_others_or_begin_nothing_are_not_heard() {
    let limit = told(Some("posts"), Some("near_end"), at_least("number", 50.0));
    let rows = [
        "0,0,near_end,bob 1,post 0,1.5,m",
        "0,0,near,bob 1,post 0,1.5,m",
        "0,0,near_begin,bobby 1,post 0,1.5,m",
        "0,0,near_begin,bob1,post 0,1.5,m",
        "0,0,near_begin,bob 1,wall 0,1.5,m",
        "0,0,near_begin,bob 1,,1.5,m",
        "0,0,near_begin,bob -1,post 0,1.5,m",
    ];
    assert_eq!(by_events(&limit, &rows, &[1.0]), [(vec![], 0)]);
    // Owners that are not there are counted and not shown.
    let rows = ["0,0,near_begin,bob 7,post 0,1.5,m", "0,0,near_begin,bob 1,post 7,1.5,m"];
    assert_eq!(by_events(&limit, &rows, &[1.0]), [(vec![], 2)]);
    // Without a word for ends nothing ends.
    let endless = told(Some("posts"), None, at_least("number", 50.0));
    let rows = ["0,0,near_begin,bob 1,post 0,1.5,m", "6,0.1,near_end,bob 1,post 0,1.5,m"];
    assert_eq!(by_events(&endless, &rows, &[2.0]), [(vec![now(1, Some(0), None)], 1)]);
}

#[test]
fn two_of_the_same_kind_are_one_pair_in_either_order() {
    let limit = told(Some("bobs"), Some("near_end"), at_least("number", 50.0));
    let rows = ["0,0,near_begin,bob 2,bob 0,49,m", "30,0.5,near_end,bob 0,bob 2,2,m"];
    let found = by_events(&limit, &rows, &[0.1, 0.5]);
    assert_eq!(found, [(vec![now(0, Some(2), None)], 1), (vec![over(0, Some(2), Some(48.0))], 1)]);
    // Of two kinds the first is the one that must keep the limit.
    let posts = told(Some("posts"), Some("near_end"), at_least("number", 50.0));
    let rows = ["0,0,near_begin,bob 1,post 0,49,m", "30,0.5,near_end,bob 0,post 1,2,m"];
    assert_eq!(by_events(&posts, &rows, &[0.5]), [(vec![now(1, Some(0), None)], 1)]);
}

#[test]
fn what_the_rows_tell_is_not_told_again_by_events() {
    let limit = told(Some("bobs"), None, at_least("number", 50.0));
    let [bobs, posts] = still(6, ["99", "99", "40"], NO_WORDS);
    let events = events(&["0,0,near_begin,bob 2,bob 1,49,m", "0,0,near_begin,bob 0,bob 1,49,m"]);
    let frame = frames(&bobs_and_posts([limit]), &[bobs, posts, events], &[0.0]).remove(0);
    // The rows know the value; events know the other pair.
    assert_eq!(frame.breaks[0], [now(2, Some(1), Some(40.0)), now(0, Some(1), None)]);
}

#[test]
fn a_fast_film_shows_a_break_longer_and_a_slow_one_not_shorter() {
    let limit = told(None, Some("near_end"), at_least("number", 50.0));
    let rows = ["0,0,near_begin,bob 1,,49,m", "0,0,near_end,bob 1,,1,m"];
    let [bobs, posts] = still(6, ["99"; 3], NO_WORDS);
    let folder = Folder::of_view(&bobs_and_posts([limit.clone()]), &[bobs, posts, events(&rows)]);
    let run = RunFolder::open(folder.path()).unwrap();
    let is_shown = |speed: f64, time_s: f64| {
        !FrameReader::new(&run).unwrap().at_speed(speed).at(time_s).unwrap().breaks[0].is_empty()
    };
    assert_eq!([0.5, 0.51].map(|time_s| is_shown(0.1, time_s)), [true, false]);
    assert_eq!([1.5, 1.51].map(|time_s| is_shown(3.0, time_s)), [true, false]);
    // Never shorter than the time between two rows.
    let [bobs, posts] = still(60, ["99"; 3], NO_WORDS);
    let times_s = [1.0, 1.01];
    let frames = frames(&bobs_and_posts([limit]), &[bobs, posts, events(&rows)], &times_s);
    assert_eq!(frames.iter().map(|frame| frame.breaks[0].len()).collect::<Vec<_>>(), [1, 0]);
}

/// The worst value of a limit of one bob with some numbers, a second apart, at some moments.
fn worst(limit: Limit, numbers: &[&str], summary: &str, times_s: &[f64]) -> Vec<Option<f64>> {
    let row =
        |(n, number): (usize, &&str)| [format!("{},{n},0,0,0,{number},", 60 * n), format!("{},{n},1,0,0,,", 60 * n)];
    let bobs = sampled("bobs", 2, "bob:i x_m y_m number word:t", numbers.iter().enumerate().flat_map(row));
    let folder = Folder::of_view(&View { limits: vec![limit], ..view([party("bobs", "bob")], []) }, &[bobs]);
    folder.write("summary.csv", &format!("metric,value,unit,limit,ok\n{summary}"));
    let run = RunFolder::open(folder.path()).unwrap();
    let mut reader = FrameReader::new(&run).unwrap();
    times_s.iter().map(|&time_s| reader.at(time_s).unwrap().so_far[0].worst).collect()
}

#[test]
fn the_worst_value_so_far_is_the_smallest_or_the_largest_of_the_rows_up_to_now() {
    let numbers = ["5", "", "3", "9", "4"];
    let times_s = [0.0, 1.0, 2.0, 3.0, 4.0];
    let least = worst(limit("a", at_least("number", 1.0)), &numbers, "", &times_s);
    assert_eq!(least, [5.0, 5.0, 3.0, 3.0, 3.0].map(Some));
    let most = worst(limit("a", at_most("number", 1.0)), &numbers, "", &times_s);
    assert_eq!(most, [5.0, 5.0, 5.0, 9.0, 9.0].map(Some));
    assert_eq!(worst(limit("a", Rule::IsNot("word".into(), "x".into())), &numbers, "", &times_s), [None; 5]);
    assert_eq!(worst(limit("a", at_least("number", 1.0)), &["", ""], "", &[1.0]), [None]);
    // A moment counts with its nearer row.
    assert_eq!(worst(limit("a", at_most("number", 1.0)), &numbers, "", &[2.4, 2.6]), [5.0, 9.0].map(Some));
}

#[test]
fn the_worst_value_of_all_steps_counts_from_its_own_moment_on() {
    let named = |rule| Limit { least: Some(["worst".into(), "worst_at_s".into()]), ..limit("a", rule) };
    let summary = "worst,2.5,m,,\nworst_at_s,1.5,s,,\n";
    let numbers = ["5", "4", "3"];
    assert_eq!(worst(named(at_least("number", 1.0)), &numbers, summary, &[1.4, 1.5, 2.0]), [4.0, 2.5, 2.5].map(Some));
    // As the largest value it is none, since the rows have a larger one.
    assert_eq!(worst(named(at_most("number", 1.0)), &numbers, summary, &[2.0]), [Some(5.0)]);
    // Without its time it is not known when it was.
    assert_eq!(worst(named(at_least("number", 1.0)), &numbers, "worst,2.5,m,,\n", &[2.0]), [Some(3.0)]);
    assert_eq!(worst(named(at_least("number", 1.0)), &numbers, "worst_at_s,1.5,s,,\n", &[2.0]), [Some(3.0)]);
}

#[test]
fn a_value_counts_from_its_row_on_though_other_tables_have_rows_between() {
    let bobs = sampled("bobs", 1, "bob:i x_m y_m number", ["0,0,0,0,0,5", "60,1,0,0,0,3", "120,2,0,0,0,4"]);
    let [_, posts] = still(6, ["1"; 3], NO_WORDS);
    let view = bobs_and_posts([limit("a", at_least("number", 1.0))]);
    let found = frames(&view, &[bobs, posts], &[0.1, 0.5, 0.9, 1.0, 1.5, 2.0]);
    let worst: Vec<f64> = found.iter().map(|frame| frame.so_far[0].worst.unwrap()).collect();
    assert_eq!(worst, [5.0, 5.0, 5.0, 3.0, 3.0, 3.0]);
}

#[test]
fn half_way_between_two_rows_the_later_one_is_the_nearer() {
    let [bobs, posts] = still(60, ["1"; 3], NO_WORDS);
    let folder = Folder::of_view(&bobs_and_posts([]), &[bobs, posts]);
    let run = RunFolder::open(folder.path()).unwrap();
    let mut reader = FrameReader::new(&run).unwrap();
    assert_eq!([0.499, 0.5].map(|time_s| reader.at(time_s).unwrap().step), [0, 60]);
    assert_eq!([0.499, 0.5].map(|time_s| run.span().nearest_row_s(time_s)), [0.0, 1.0]);
}

#[test]
fn of_a_limit_without_rows_nothing_is_known() {
    let frame = frames(
        &bobs_and_posts([limit("a", at_least("number", 1.0))]),
        &{
            let [_, posts] = still(60, ["1"; 3], NO_WORDS);
            [sampled("bobs", 0, "bob:i x_m y_m number word:t", [""; 0]), posts]
        },
        &[1.0],
    );
    assert_eq!((frame[0].so_far[0], frame[0].breaks[0].len(), frame[0].step), (SoFar::default(), 0, 60));
}

#[test]
fn a_flag_holds_from_an_event_to_the_next_that_says_otherwise() {
    let flag = asleep();
    let calls = [
        "4,0.0666,1,mood,self,sleep",
        "12,0.2,2,mood,self,sleep",
        "12,0.2,0,mood,other,sleep",
        "12,0.2,0,voice,self,sleep",
        "18,0.3,1,mood,self,sleep",
        "24,0.4,1,mood,other,wake",
        "30,0.5,1,mood,self,wake",
        "36,0.6,2,mood,self,",
    ];
    let view = View { flags: vec![flag], ..bobs_and_posts([]) };
    let [bobs, posts] = still(6, ["1"; 3], NO_WORDS);
    let calls = table("calls", ON_EVENT, "bob:i kind:t by:t what:t", calls);
    // Events count with the step of the nearer row: 0.04 s belongs to step 0, 0.06 s to step 6. Going back starts again.
    let times_s = [0.02, 0.04, 0.06, 0.2, 0.3, 0.4, 0.5, 0.6, 0.2];
    let found = frames(&view, &[bobs, posts, calls], &times_s);
    let found: Vec<Vec<u64>> = found.iter().map(|frame| frame.flags[0].iter().copied().collect()).collect();
    let expected: [&[u64]; 9] = [&[], &[], &[1], &[1, 2], &[1, 2], &[1, 2], &[2], &[], &[1, 2]];
    assert_eq!(found, expected);
}

fn mount(owner: u64) -> Mount {
    Mount { owner, at: [0.5, 0.25], first_rad: -FRAC_PI_2, step_rad: FRAC_PI_2, is_full_turn: owner == 0, least: 0.125 }
}

/// Two bobs that turn by a quarter of a turn in a second while they move by 2 m to the right; the third scan is of one that is not there.
fn scanned(mounts: Vec<Mount>) -> (View, [Table; 2]) {
    let turning = Party { angles: vec!["yaw_rad".into()], ..party("bobs", "bob") };
    let scanner = scanner(mounts);
    let rows = ["0,0,0,0,0,0", "0,0,1,0,9,0", "60,1,0,2,0,1.5707963267948966", "60,1,1,2,9,1.5707963267948966"];
    let scans = ["30,0.5,1,0.25,4,,0.5", "36,0.6,0,0.5,-inf,2,8", "36,0.6,9,0.5,1,1,1", "54,0.9,1,0.75,,,"];
    let tables =
        [sampled("bobs", 2, "bob:i x_m y_m yaw_rad", rows), table("scans", ON_EVENT, "bob:i taken_s ray_#_m:3", scans)];
    (View { scanners: vec![scanner], ..view([turning], []) }, tables)
}

#[test]
fn a_scan_lies_round_the_scanner_where_it_was_when_the_scan_was_taken() {
    let (view, tables) = scanned(vec![mount(0), mount(1)]);
    let found = frames(&view, &tables, &[0.4, 0.5, 0.6, 0.9]);
    let owners: Vec<Vec<u64>> =
        found.iter().map(|frame| frame.scans[0].iter().map(|scan| scan.owner).collect()).collect();
    assert_eq!(owners, [vec![], vec![1], vec![0, 1], vec![0, 1]]);
    // Taken by the second bob at 0.25 s: at x 0.5 m, turned by an eighth of a half turn.
    let scan = &found[1].scans[0][0];
    let turn = sim_core::angle::unit(0.25 * FRAC_PI_2);
    let origin = DVec2::new(0.5, 9.0) + turn.rotate(DVec2::new(0.5, 0.25));
    assert!(scan.origin.truncate().distance(origin) < 1e-12 && scan.taken_s == 0.25);
    assert!(scan.origin.z == 0.0 && scan.hits.iter().flatten().all(|hit| hit.z == 0.0));
    // Its rays leave to the right of the bob, ahead, and to the left.
    let ends = [Some(origin - turn.perp() * 4.0), None, Some(origin + turn.perp() * 0.5)];
    let hits: Vec<_> = scan.hits.iter().map(|hit| hit.map(|hit| hit.truncate())).collect();
    let are_near =
        |(a, b): (&Option<DVec2>, Option<DVec2>)| a.map_or(b.is_none(), |a| b.is_some_and(|b| a.distance(b) < 1e-12));
    assert!(hits.len() == 3 && hits.iter().zip(ends).all(are_near), "{hits:?}");
    assert_eq!((scan.nearest, scan.is_full_turn), (Some(0.5), false));
    // What is too near ends nowhere, and counts as the least range.
    let scan = &found[2].scans[0][0];
    assert_eq!((scan.hits[0], scan.nearest, scan.is_full_turn), (None, Some(0.125), true));
    // A newer scan takes the place of the older one, though it saw nothing.
    let scan = &found[3].scans[0][1];
    assert_eq!((scan.taken_s, scan.hits.as_slice(), scan.nearest), (0.75, &[None; 3][..], None));
}

#[test]
fn a_scan_without_a_mount_is_not_placed() {
    let (view, tables) = scanned(vec![mount(1)]);
    let frame = frames(&view, &tables, &[1.0]).remove(0);
    assert_eq!(frame.scans[0].iter().map(|scan| scan.owner).collect::<Vec<_>>(), [1]);
}
