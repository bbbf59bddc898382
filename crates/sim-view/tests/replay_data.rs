//! What a replay page holds: its columns, read back by the words of the format, against the tables that they come from.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::Folder;
use common::bobs::{ON_EVENT, Table, asleep, party, sampled, scanner, table, view};
use common::page::{PageData, TOO_NEAR, column_of};
use common::scene::assert_near;
use proptest::prelude::*;
use serde_json::{Value, json};
use sim_view::replay;
use sim_world::View;
use sim_world::view::{Area, Limit, Log, Mount, Party, Plot, Rule, Scanner};

fn page_of(folder: &Folder) -> PageData {
    PageData::of(&replay::page(folder.path()).unwrap().html)
}

fn bobs_view() -> View {
    view([party("bobs", "bob")], [])
}

/// A page of one table of bobs.
fn page_of_bobs(columns: &str, owners: u64, rows: impl IntoIterator<Item = impl Into<String>>) -> PageData {
    page_of(&Folder::of_view(&bobs_view(), &[sampled("bobs", owners, columns, rows)]))
}

/// A number as it stands in a table; some are missing.
fn cell() -> impl Strategy<Value = Option<f64>> {
    prop_oneof![1 => Just(None), 8 => (-2e4_f64..2e4).prop_map(Some)]
}

const WORDS: [&str; 4] = ["", "idle", "move_out", "a \u{b0}"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn numbers_are_those_of_the_table_to_the_decimals_of_their_unit(
        rows in prop::collection::vec(prop::collection::vec(([cell(), cell(), cell()], -1000_i32..1000, 0_usize..4), 1..4), 1..12)
    ) {
        let owners = rows[0].len();
        let columns = "bob:i x_m y_m vx_mm_s count:i mood:t";
        let text = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
        let mut lines = Vec::new();
        // The owners of a step are those of the first one, or fewer, but for the last step.
        let counts = rows.iter().enumerate().map(|(n, row)| if n + 1 == rows.len() { owners } else { row.len().min(owners) });
        let counts: Vec<usize> = counts.collect();
        let at = |n: usize, id: usize| rows[n][id % rows[n].len()];
        for (n, &count) in counts.iter().enumerate() {
            for id in 0..count {
                let ([x, y, v], whole, word) = at(n, id);
                let [x, y, v] = [x, y, v].map(text);
                lines.push(format!("{},{},{id},{x},{y},{v},{whole},{}", 3 * n, n as f64 / 8.0, WORDS[word]));
            }
        }
        let page = page_of_bobs(columns, owners as u64, lines);
        let tables = &page.head["tables"];
        let table = &tables["sampled"]["bobs"];
        prop_assert_eq!(&table["owners"], &json!((0..owners).collect::<Vec<_>>()));
        let (steps, times) = (page.numbers(&tables["frames"], "step"), page.numbers(&tables["frames"], "time_s"));
        let columns = ["x_m", "y_m", "vx_mm_s", "count"].map(|column| page.numbers(table, column));
        let words = page.words(table, "mood");
        // Metres to a millimetre, mm/s to a tenth, a whole number as it is.
        let half = [0.0005, 0.0005, 0.05, 0.0];
        for (n, &count) in counts.iter().enumerate() {
            prop_assert_eq!((steps[0][n], times[0][n]), (3.0 * n as f64, n as f64 / 8.0));
            for id in 0..owners {
                let ([x, y, v], whole, word) = at(n, id);
                let expected = [x, y, v, Some(f64::from(whole))];
                for ((found, expected), half) in columns.iter().map(|column| column[id][n]).zip(expected).zip(half) {
                    match expected.filter(|_| id < count) {
                        Some(number) => prop_assert!((found - number).abs() <= half * 1.000_001, "{found}, not {number}"),
                        None => prop_assert!(found.is_nan()),
                    }
                }
                prop_assert_eq!(words[id][n].as_str(), if id < count { WORDS[word] } else { "" });
            }
        }
    }
}

#[test]
fn the_largest_numbers_that_fit_are_stored_and_larger_ones_are_refused() {
    let rows = ["0,0,0,0,0,2147483646", "1,1,0,0,0,-2147483646", "2,2,0,0,0,", "3,3,0,0,0,0"];
    let page = page_of_bobs("bob:i x_m y_m count:i", 1, rows);
    let count = page.series(&page.head["tables"]["sampled"]["bobs"], "count").remove(0).remove(0);
    assert_eq!(count, [Some(2_147_483_646), Some(-2_147_483_646), None, Some(0)]);
    for number in ["2147483647", "-2147483647", "1e300"] {
        let rows = [format!("5,0.5,0,0,0,{number}")];
        let folder = Folder::of_view(&bobs_view(), &[sampled("bobs", 1, "bob:i x_m y_m count", rows)]);
        let fault = replay::page(folder.path()).unwrap_err();
        let number: f64 = number.parse().unwrap();
        assert_eq!(
            fault.to_string(),
            format!("bobs.csv: count is {number:?} in step 5, which is too large to be drawn")
        );
        assert!(fault.is_input());
    }
}

#[test]
fn decimals_follow_the_unit() {
    let names = "bob:i x_m y_m a_mm b_mm_s c_mm_s2 d_rad e_deg f_s g_ms h_percent i_per_s j k_hz";
    let page = page_of_bobs(names, 1, ["0,0,0,1,1,1,1,1,1,1,1,1,1,1,1,1"]);
    let table = &page.head["tables"]["sampled"]["bobs"];
    let decimals = |column: &str| column_of(table, column)["decimals"].as_u64().unwrap();
    let found = ["a_mm", "b_mm_s", "c_mm_s2", "d_rad", "e_deg", "f_s", "g_ms", "h_percent", "i_per_s", "j", "k_hz"]
        .map(decimals);
    assert_eq!(found, [2, 1, 0, 3, 2, 4, 1, 2, 2, 4, 3]);
}

#[test]
fn streams_of_different_rates_stand_side_by_side() {
    let bobs = sampled("bobs", 1, "bob:i x_m y_m", ["2,0.2,0,1,1", "4,0.4,0,2,2", "6,0.6,0,3,3", "8,0.8,0,4,4"]);
    let cats = sampled("cats", 1, "cat:i x_m y_m", ["0,0,7,5,5", "3,0.3,7,6,6", "6,0.6,7,7,7"]);
    let two = view([party("bobs", "bob"), party("cats", "cat")], []);
    let page = page_of(&Folder::of_view(&two, &[bobs, cats]));
    let tables = &page.head["tables"];
    // From the first step that both have, 2, to the last one, 6.
    assert_eq!(page.numbers(&tables["frames"], "step"), [[2.0, 3.0, 4.0, 6.0]]);
    let series = |name: &str| page.series(&tables["sampled"][name], "x_m").remove(0).remove(0);
    assert_eq!(series("bobs"), [Some(1000), None, Some(2000), Some(3000)]);
    assert_eq!(series("cats"), [None, Some(6000), None, Some(7000)]);
    assert_eq!(tables["sampled"]["cats"]["owners"], json!([7]));
}

#[test]
fn a_long_run_is_thinned_and_says_so() {
    // Two numbers of each of 4,500,000 moments are 9 million: one of two is kept.
    let rows = (0..9).map(|step| format!("{step},{step},0,{step},0")).chain(["4499999,9,0,9,0".into()]);
    let folder = Folder::of_view(&bobs_view(), &[sampled("bobs", 1, "bob:i x_m y_m", rows)]);
    let page = page_of(&folder);
    let steps = page.numbers(&page.head["tables"]["frames"], "step").remove(0);
    assert_eq!(steps, [0.0, 2.0, 4.0, 6.0, 8.0]);
    let x = page.numbers(&page.head["tables"]["sampled"]["bobs"], "x_m").remove(0);
    assert_eq!(x, steps);
    let note = "to stay small, the page holds one of 2 recorded moments (every 2 steps)";
    assert_eq!(page.head["notes"], json!([note]));
    assert_eq!(replay::page(folder.path()).unwrap().notes, [note]);
    assert_eq!(page.head["tables"]["frames"]["owners"], json!([0]));
}

#[test]
fn a_run_is_thinned_from_the_number_on_that_is_too_much() {
    // From step 10 on, a row every two steps, as many as are given: the first two of them and the last.
    let kept = |rows: u64, scanners: Vec<Scanner>| {
        let line = |row: u64| format!("{},{row}e-3,0,1,0", 10 + 2 * row);
        let scans = table("scans", ON_EVENT, "bob:i taken_s ray_#_m:1", [""; 0]);
        let bobs = sampled("bobs", 1, "bob:i x_m y_m", [0, 1, rows - 1].map(line));
        let folder = Folder::of_view(&View { scanners, ..bobs_view() }, &[bobs, scans]);
        let page = page_of(&folder);
        page.numbers(&page.head["tables"]["frames"], "step")[0].len()
    };
    // Six million numbers; three where there are range finders.
    assert_eq!([kept(3_000_000, vec![]), kept(3_000_001, vec![])], [3, 2]);
    let one = || vec![scanner_of("ray_#_m", None)];
    assert_eq!([kept(1_500_000, one()), kept(1_500_001, one())], [3, 2]);
}

#[test]
fn scans_are_thinned_where_they_are_too_many() {
    let kept = |streams: &[&str], scans: usize| {
        let rays = ",".repeat(60_000);
        let of = |name: &&str| {
            let rows = (0..scans).map(|n| format!("{n},{n},0,{n}{rays}"));
            table(name, ON_EVENT, "bob:i taken_s ray_#_m:60000", rows)
        };
        let scanners =
            streams.iter().map(|&name| Scanner { stream: name.into(), ..scanner_of("ray_#_m", None) }).collect();
        let bobs = sampled("bobs", 1, "bob:i x_m y_m", ["0,0,0,1,1"]);
        let tables: Vec<Table> = [bobs].into_iter().chain(streams.iter().map(of)).collect();
        let page = page_of(&Folder::of_view(&View { scanners, ..bobs_view() }, &tables));
        (
            page.numbers(&page.head["tables"]["events"][streams[0]][0], "step").remove(0).len(),
            page.head["notes"].clone(),
        )
    };
    // Three million numbers of rays: fifty scans of sixty thousand rays each, or half as many of each of two range finders.
    let note = json!(["to stay small, the page holds one of 2 scans or pings of each sensor"]);
    assert_eq!(kept(&["a"], 51), (26, note.clone()));
    assert_eq!([kept(&["a", "b"], 25), kept(&["a", "b"], 26)], [(25, json!([])), (13, note)]);
}

#[test]
fn of_the_events_those_are_kept_that_a_flag_asks_for() {
    let flag = asleep();
    let page = |columns: &str, calls: &[&str]| {
        let tables: [Table; 2] = [
            sampled("bobs", 1, "bob:i x_m y_m", ["0,0,0,1,1", "6,0.6,0,2,2"]),
            table("calls", ON_EVENT, columns, calls.iter().copied()),
        ];
        page_of(&Folder::of_view(&View { flags: vec![flag.clone()], ..bobs_view() }, &tables))
    };
    // Without any that matches there is no table, and without a column of owners there is one of all.
    assert_eq!(page("bob:i kind:t by:t what:t", &["1,0.1,0,mood,other,sleep"]).head["tables"]["events"], json!({}));
    let all = page("kind:t by:t what:t", &["1,0.1,mood,self,sleep"]).head["tables"]["events"]["calls"].clone();
    assert_eq!((all.as_array().unwrap().len(), &all[0]["owners"]), (1, &json!([0])));
    let calls = [
        "2,0.2,5,mood,self,sleep,1",
        "3,0.3,0,voice,self,sleep,2",
        "4,0.4,0,mood,self,wake,3",
        "5,0.5,0,mood,other,wake,3",
        "9,0.9,5,mood,self,,4",
    ];
    let page = page("bob:i kind:t by:t what:t note", &calls);
    let events = page.head["tables"]["events"]["calls"].as_array().unwrap().clone();
    let owners: Vec<&Value> = events.iter().map(|table| &table["owners"]).collect();
    assert_eq!(owners, [&json!([0]), &json!([5])]);
    assert_eq!(
        (page.words(&events[0], "what"), page.numbers(&events[0], "step")),
        (vec![vec!["wake".into()]], vec![vec![4.0]])
    );
    assert_eq!(page.words(&events[1], "what"), [["sleep", ""]]);
    assert_eq!(page.numbers(&events[1], "time_s"), [[0.2, 0.9]]);
    // A column that no flag asks for is left out.
    let names: Vec<&Value> = events[0]["columns"].as_array().unwrap().iter().map(|column| &column["name"]).collect();
    assert_eq!(names, ["step", "time_s", "kind", "by", "what"]);
}

#[test]
fn events_stand_in_the_order_of_time_and_of_the_table() {
    let rows = ["9,0.9,late,,,,", "9,0.9,later,,,,", "2,0.2,closest,,,,"];
    let tables = [
        sampled("bobs", 1, "bob:i x_m y_m", ["0,0,0,1,1", "9,0.9,0,2,2"]),
        table("events", ON_EVENT, "kind:t subject:t object:t value unit:t", rows),
    ];
    let events = page_of(&Folder::of_view(&bobs_view(), &tables)).head["events"].as_array().unwrap().clone();
    let kinds: Vec<&Value> = events.iter().map(|event| &event["kind"]).collect();
    assert_eq!(kinds, ["closest", "late", "later"]);
}

#[test]
fn readings_that_are_plotted_come_with_their_times_and_only_their_columns() {
    let bobs = sampled("bobs", 2, "bob:i x_m y_m", ["0,0,0,1,1", "0,0,1,1,1"]);
    let rows = ["1,0.1,1,0.09,2.5,7,8", "3,0.35,0,0.3,-1,7,8", "4,0.4,1,0.39,,7,8.125"];
    let imu = table("imu", ON_EVENT, "bob:i taken_s gyro_rad_s other accel_m_s2", rows);
    let plots = [("gyro_rad_s", "rad/s"), ("accel_m_s2", "m/s2")]
        .map(|(column, unit)| Plot::of_readings("bobs", "imu", "IMU", unit, &[column], 2));
    let page = page_of(&Folder::of_view(&View { plots: plots.into(), ..bobs_view() }, &[bobs, imu]));
    let tables = page.head["tables"]["events"]["imu"].as_array().unwrap().clone();
    let owners: Vec<&Value> = tables.iter().map(|table| &table["owners"]).collect();
    assert_eq!(owners, [&json!([0]), &json!([1])]);
    let names: Vec<&Value> = tables[1]["columns"].as_array().unwrap().iter().map(|column| &column["name"]).collect();
    assert_eq!(names, ["step", "time_s", "accel_m_s2", "gyro_rad_s"]);
    assert_eq!(page.numbers(&tables[1], "time_s"), [[0.1, 0.4]]);
    assert_eq!(page.numbers(&tables[1], "accel_m_s2"), [[8.0, 8.125]]);
    let gyro = page.numbers(&tables[1], "gyro_rad_s").remove(0);
    assert!(gyro[0] == 2.5 && gyro[1].is_nan());
    assert_eq!(page.numbers(&tables[0], "gyro_rad_s"), [[-1.0]]);
}

#[test]
fn rows_that_a_view_lists_stand_in_one_table_with_their_owners_and_words() {
    let bobs = || sampled("bobs", 1, "bob:i x_m y_m", ["0,0,0,1,1"]);
    let log = Log {
        stream: "calls".into(),
        title: "Calls".into(),
        of: "bobs".into(),
        kinds: vec!["kind".into()],
        words: vec!["what".into()],
    };
    let view = View { logs: vec![log], ..bobs_view() };
    let rows = ["2,0.2,5,voice,left out,hello", "2,0.2,0,mood,,", "9,0.9,5,voice,left out,good \u{b0} bye"];
    let calls = table("calls", ON_EVENT, "bob:i kind:t note:t what:t", rows);
    let page = page_of(&Folder::of_view(&view, &[bobs(), calls]));
    let calls = &page.head["tables"]["logs"]["calls"];
    assert_eq!(page.numbers(calls, "owner"), [[5.0, 0.0, 5.0]]);
    assert_eq!(page.numbers(calls, "time_s"), [[0.2, 0.2, 0.9]]);
    assert_eq!(page.words(calls, "kind"), [["voice", "mood", "voice"]]);
    assert_eq!(page.words(calls, "what"), [["hello", "", "good \u{b0} bye"]]);
    // Each column has its own words, and no others.
    assert_eq!(column_of(calls, "kind")["words"], json!(["voice", "mood"]));
    assert_eq!(page.head["notes"], json!([]));
    // Of a long list the first rows are there, and the page says so.
    let many = (0..50_001).map(|n| format!("{n},{}.5,5,voice,,call {}", n, n % 7));
    let page =
        page_of(&Folder::of_view(&view, &[bobs(), table("calls", ON_EVENT, "bob:i kind:t note:t what:t", many)]));
    assert_eq!(page.head["tables"]["logs"]["calls"]["rows"], 50_000);
    assert_eq!(page.head["notes"], json!(["to stay small, the page holds the first 50000 of 50001 rows of calls.csv"]));
}

/// A range finder of the first bob, with other columns.
fn scanner_of(ranges: &str, ray: Option<&str>) -> Scanner {
    let mount = Mount { owner: 0, at: [0.0; 2], first_rad: 0.0, step_rad: 1.0, is_full_turn: true, least: 0.1 };
    Scanner { ranges: ranges.into(), ray: ray.map(str::to_owned), ..scanner(vec![mount]) }
}

#[test]
fn scans_are_kept_ray_by_ray_whatever_the_form_of_their_table() {
    let bobs = || sampled("bobs", 2, "bob:i x_m y_m", ["0,0,0,1,1", "0,0,1,1,1"]);
    let wide = table(
        "scans",
        ON_EVENT,
        "bob:i taken_s ray_#_m:3",
        ["1,0.1,1,0.05,2.5,,-inf", "1,0.1,0,0.05,1,2,3", "4,0.4,1,0.3,,,0.5"],
    );
    let rays = [
        "1,0.1,1,0.05,0,2.5",
        "1,0.1,1,0.05,1,",
        "1,0.1,1,0.05,2,-inf",
        "1,0.1,0,0.05,0,1",
        "1,0.1,0,0.05,1,2",
        "1,0.1,0,0.05,2,3",
        "4,0.4,1,0.3,0,",
        "4,0.4,1,0.3,1,",
        "4,0.4,1,0.3,2,0.5",
    ];
    let long = table("scans", ON_EVENT, "bob:i taken_s ray:i range_m", rays);
    for (scans, scanner, name) in
        [(wide, scanner_of("ray_#_m", None), "ray_#_m"), (long, scanner_of("range_m", Some("ray")), "range_m")]
    {
        let view = View { scanners: vec![scanner], ..bobs_view() };
        let page = page_of(&Folder::of_view(&view, &[bobs(), scans]));
        let tables = &page.head["tables"]["events"]["scans"];
        assert_eq!(tables.as_array().unwrap().len(), 2);
        let second = &tables[1];
        assert_eq!((&second["owners"], &column_of(second, name)["width"]), (&json!([1]), &json!(3)));
        assert_eq!(page.numbers(second, "taken_s"), [[0.05, 0.3]]);
        let rays = page.series(second, name).remove(0);
        assert_eq!(rays, [[Some(2500), None], [None, None], [Some(TOO_NEAR), Some(500)]]);
        assert_eq!(page.series(&tables[0], name), [[[Some(1000)], [Some(2000)], [Some(3000)]]]);
    }
}

#[test]
fn the_head_tells_what_the_small_files_say() {
    let tables = [
        sampled("bobs", 1, "bob:i x_m y_m", ["0,0,0,1,1", "6,0.1,0,2,2"]),
        table(
            "events",
            ON_EVENT,
            "kind:t subject:t object:t value unit:t",
            ["3,0.05,tap,bob 0,</script>,1.5,m", "4,0.06,end,,,,"],
        ),
    ];
    let mut view = bobs_view();
    view.remarks = vec!["a remark".into()];
    view.projections[0].area =
        Area { fixed: Some([[0.0, 0.0], [8.0, 4.0]]), holds: vec![("bobs".into(), vec![3.0])], margin: [0.0, 0.5] };
    let folder = Folder::of_view(&view, &tables);
    folder.write("summary.csv", "metric,value,unit,limit,ok\na,1.5,m,2,true\nb,,,,\n");
    let page = replay::page(folder.path()).unwrap();
    assert!(!page.html.contains("bob 0") && page.html.matches("</script>").count() == 2, "data is no markup");
    let head = PageData::of(&page.html).head;
    assert_eq!((&head["kind"], &head["title"], &head["complete"]), (&json!("run"), &json!("hand-made"), &json!(true)));
    let fact = |label: &str, value: &str| json!({ "label": label, "value": value });
    let facts = [
        fact("seed", "7"),
        fact("run", "0"),
        fact("steps", "600 of 600"),
        fact("version", "0.1.0"),
        fact("hash", "none"),
    ];
    assert_eq!(head["facts"], json!(facts));
    assert_eq!((&head["notes"], &head["scenario"]), (&json!(["a remark"]), &json!({ "name": "hand-made" })));
    assert_eq!(head["summary"][0], json!({ "metric": "a", "value": 1.5, "unit": "m", "limit": 2.0, "ok": true }));
    assert_eq!(head["summary"][1], json!({ "metric": "b", "value": null, "unit": "", "limit": null, "ok": null }));
    let event = json!({ "step": 3, "time_s": 0.05, "kind": "tap", "subject": "bob 0", "object": "</script>", "value": 1.5, "unit": "m" });
    assert_eq!((&head["events"][0], head["events"].as_array().unwrap().len()), (&event, 2));
    // From (1 - 3, 1 - 3) to (8, 2 + 3), and half a metre round it.
    assert_eq!(head["areas"], json!([[[-2.5, -2.5], [8.5, 5.5]]]));
    assert_eq!(serde_json::from_value::<View>(head["view"].clone()).unwrap(), view);
    assert_eq!(replay::page(folder.path()).unwrap().html, page.html, "the same folder makes the same page");
}

#[test]
fn a_killed_run_is_as_long_as_its_tables() {
    let folder = Folder::of_view(&bobs_view(), &[sampled("bobs", 1, "bob:i x_m y_m", ["0,0,0,1,1", "6,0.1,0,2,2"])]);
    let record = folder.read("run.json").replace("\"steps_done\": 600", "\"steps_done\": 0");
    folder.write("run.json", &record.replace("\"complete\": true", "\"complete\": false"));
    let head = page_of(&folder).head;
    assert_eq!((&head["facts"][2]["value"], &head["complete"]), (&json!("6 of 600"), &json!(false)));
    folder.write("scenario.json", "{");
    let fault = replay::page(folder.path()).unwrap_err().to_string();
    assert!(fault.starts_with("scenario.json: EOF"), "{fault}");
}

fn limit(name: &str, of: &str, to: Option<&str>, rule: Rule) -> Limit {
    Limit {
        name: name.into(),
        of: of.into(),
        rule,
        to: to.map(str::to_owned),
        paints: Vec::new(),
        events: None,
        least: None,
    }
}

/// A batch of two runs of bobs and posts that come near each other.
fn batch() -> Folder {
    let folder = Folder::of_batch("run,seed,worst_m,share\n0,7,0.5,\n1,7,0.75,0.25\n");
    folder.write("scenario.json", r#"{"name": "hand-made"}"#);
    folder.write("summary.csv", "metric,value,unit,limit,ok\nworst_m,0.5,m,0.4,true\n");
    let mut view = view(
        [party("bobs", "bob"), Party { place: sim_world::view::Place::plane("x_m", 9.0), ..party("posts", "post") }],
        [],
    );
    view.limits = vec![
        limit("calm", "bobs", None, Rule::AtMost("x_m".into(), 1.0)),
        limit("room", "posts", Some("bobs"), Rule::AtLeast("gap_m".into(), 0.5)),
    ];
    view.projections[0].area.holds = vec![("bobs".into(), vec![0.5]), ("posts".into(), vec![0.25])];
    folder.write("view.json", &serde_json::to_string(&view).unwrap());
    folder
}

const MISSES: &str = "run,call,step,time_s,kind,owner,x_m,y_m,distance_m\n\
    0,0,3,0.3,bob,4,1,2,\n0,0,3,0.3,post,1,5,,0.9\n0,0,6,0.6,bob,4,10,3,0.625\n0,0,6,0.6,post,1,5,,0.625\n\
    0,0,9,0.9,bob,4,3,2,\n0,1,3,0.3,bob,4,1,2,\n1,0,3,0.3,bob,2,1,-2,0.55\n1,0,3,0.3,post,0,5,,0.55\n";

#[test]
fn a_batch_has_its_runs_its_measures_and_its_near_misses_to_play() {
    let folder = batch();
    folder.write("closest.csv", MISSES);
    let page = page_of(&folder);
    let head = &page.head;
    assert_eq!((&head["kind"], &head["runs"]), (&json!("batch"), &json!([0, 1])));
    assert_eq!(head["measures"][0], json!({ "name": "worst_m", "unit": "m", "limit": 0.4, "values": [0.5, 0.75] }));
    assert_eq!(head["measures"][1], json!({ "name": "share", "unit": "", "limit": null, "values": [null, 0.25] }));
    assert_eq!(head["facts"][0], json!({ "label": "runs", "value": "600 of 600" }));
    let clips = head["clips"].as_array().unwrap();
    // The second near miss of the first run has no distance.
    assert_eq!(clips.len(), 2);
    let clip = &clips[0];
    // The one that must keep the limit comes first.
    assert_eq!((&clip["pair"], &clip["limit"]), (&json!(["post 1", "bob 4"]), &json!("room")));
    assert_eq!((&clip["run"], &clip["call"]), (&json!(0), &json!(0)));
    assert_near(clip["call_s"].as_f64().unwrap(), 0.6);
    assert_near(clip["distance"].as_f64().unwrap(), 0.625);
    let tables = &clip["tables"];
    assert_eq!(page.numbers(&tables["frames"], "step"), [[3.0, 6.0, 9.0]]);
    let (bobs, posts) = (&tables["sampled"]["bobs"], &tables["sampled"]["posts"]);
    assert_eq!((page.numbers(bobs, "x_m"), &bobs["owners"]), (vec![vec![1.0, 10.0, 3.0]], &json!([4])));
    assert_eq!(page.series(posts, "x_m"), [[[Some(5000), Some(5000), None]]]);
    // Distances stand in the column of the limit, in the rows of those that must keep it.
    assert_eq!(page.series(posts, "gap_m"), [[[Some(900), Some(625), None]]]);
    assert_eq!(page.series(bobs, "gap_m"), [[[None, None, None]]]);
    assert_eq!((&clips[1]["run"], &clips[1]["pair"]), (&json!(1), &json!(["post 0", "bob 2"])));
    // Bobs go from y -2 to x 10, half a metre farther; posts lie at y 9.
    assert_eq!(head["scenery"]["areas"], json!([[[0.0, -2.5], [10.5, 9.25]]]));
}

#[test]
fn near_misses_between_others_and_without_a_limit_are_not_played() {
    let folder = batch();
    folder.write("closest.csv", &MISSES.replace("post", "cat"));
    let head = page_of(&folder).head;
    assert_eq!((&head["clips"], &head["scenery"], &head["notes"]), (&json!([]), &Value::Null, &json!([])));
    folder.remove("closest.csv");
    assert_eq!(page_of(&folder).head["clips"], json!([]));
    folder
        .write("tables.json", r#"{"streams": [{"name": "closest", "about": "", "cadence": "at_end", "columns": []}]}"#);
    let note = "the batch has no closest.csv: there are no moments to play";
    assert_eq!(page_of(&folder).head["notes"], json!([note]));
    folder.write("closest.csv", &MISSES.replace("0,0,3,0.3", "0,0,3,soon"));
    let fault = replay::page(folder.path()).unwrap_err().to_string();
    assert!(fault.ends_with("closest.csv, line 2, column time_s: \"soon\" is not a number"), "{fault}");
}

#[test]
fn a_page_is_written_where_it_may_be() {
    let folder = batch();
    let out = folder.path().join("page.html");
    let page = replay::write(folder.path(), &out, false).unwrap();
    assert_eq!(std::fs::read_to_string(&out).unwrap(), page.html);
    let fault = replay::write(folder.path(), &out, false).unwrap_err();
    assert!(
        fault.is_input()
            && fault
                .to_string()
                .ends_with("page.html is already there; choose another file, or allow it to be overwritten")
    );
    replay::write(folder.path(), &out, true).unwrap();
    // What fails leaves what is there.
    folder.write("runs.csv", "run,seed\nx,7\n");
    assert!(replay::write(folder.path(), &out, true).is_err());
    assert_eq!(std::fs::read_to_string(&out).unwrap(), page.html);
    let names: Vec<_> = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(names.iter().all(|name| !name.to_string_lossy().contains("partial")), "{names:?}");
    assert!(replay::page(&folder.path().join("nowhere")).is_err());
}
