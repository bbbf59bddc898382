//! What a report says, against the numbers of a sweep by hand.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::Folder;
use common::page::PageData;
use common::sweeps::{Axis, Cell, PLAIN, Sweep, cell};
use serde_json::{Value, json};
use sim_view::report;

const ROBOTS: Axis = ["agents.count", "robots", "", r#""values": [1, 2]"#];
const TRAVEL: Axis = ["feet.travel", "", "", r#""values": ["core", "edge"]"#];
const NOISE: Axis = ["sensing.noise_mm", "noise", "mm", r#""log_uniform": {"low": 0.1, "high": 10}"#];

fn read(folder: &Folder) -> PageData {
    let report = report::write(folder.path(), true).unwrap();
    PageData::of(&std::fs::read_to_string(report.html).unwrap())
}

fn head_of(sweep: &Sweep) -> Value {
    read(&sweep.write()).head
}

fn sweep(axes: &[Axis], design: &'static str, cells: Vec<Cell>) -> Sweep {
    Sweep { axes: axes.to_vec(), design, more: PLAIN, cells }
}

/// One cell for each pair of a count and a word, all of them clean.
fn grid() -> Sweep {
    let cells = ["core", "edge"]
        .iter()
        .flat_map(|travel| ["1", "2"].map(|count| cell(&[count, travel], 50, 50, [1.0, 2.0, 3.0])));
    sweep(&[ROBOTS, TRAVEL], "grid", cells.collect())
}

fn texts(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect()
}

fn ids(sections: &Value) -> Vec<&str> {
    sections.as_array().unwrap().iter().map(|section| section["id"].as_str().unwrap()).collect()
}

/// Files of all plots.
fn files(head: &Value) -> Vec<String> {
    let sections = head["sections"].as_array().unwrap().iter();
    let figures =
        sections.flat_map(|section| ["figures", "more"].map(|key| section[key].as_array().unwrap().clone()).concat());
    figures.map(|figure| figure["file"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn the_method_says_how_settings_were_chosen_and_compared() {
    let method = |axes: &[Axis], design: &'static str, more: &'static str| {
        let values: Vec<&str> = axes.iter().map(|_| "1").collect();
        let one = Sweep { more, ..sweep(axes, design, vec![cell(&values, 50, 50, [1.0; 3])]) };
        let head = head_of(&one);
        texts(&head["method"]).into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let first = |axes: &[Axis], design| method(axes, design, PLAIN).remove(0);
    assert_eq!(first(&[], "grid"), "One setting: the scenario as it is.");
    assert_eq!(first(&[ROBOTS], "grid"), "Grid: 1 setting, every combination of the values below.");
    assert_eq!(first(&[ROBOTS], "random"), "Random: 1 setting, each drawn on its own from the ranges below.");
    assert!(first(&[ROBOTS], "latin_hypercube").starts_with("Latin hypercube: 1 setting. Each range below is cut"));
    assert_eq!(first(&[ROBOTS], "sobol"), "Sobol sequence: 1 setting that fill the ranges below evenly.");
    assert_eq!(first(&[ROBOTS], "spiral"), "Design spiral: 1 setting.");
    let plain = method(&[ROBOTS], "grid", PLAIN);
    assert_eq!((plain.len(), plain[1].as_str()), (4, "50 runs of each setting."));
    assert!(plain[2].starts_with("Paired: run k of every setting") && plain[3].contains("by Student's t for means"));
    let more = r#""paired_seeds": false, "interval": "bootstrap", "set": {"a.b": 3, "c": "far"}, "baseline": null,
        "stop": {"every": 10, "violations": 1, "width": 0.05, "measure": "room_mm"}"#;
    let other = method(&[ROBOTS], "grid", more);
    assert_eq!(other[1], "In place of the scenario's own values, all of them have a.b 3, c far.");
    assert_eq!(
        other[2],
        "At most 50 runs of each setting. Looked at every 10 runs, a setting stops early if 1 run went wrong, or if the 95 % interval \
         of room_mm is narrower than 0.05."
    );
    assert!(other[3].starts_with("Not paired") && other[4].contains("by bootstrap for means"));
    let stop = |stop: &'static str| method(&[ROBOTS], "grid", stop).remove(1);
    assert_eq!(
        stop(r#""paired_seeds": true, "baseline": null, "stop": {"violations": 3}"#),
        "At most 50 runs of each setting. A setting stops early if 3 runs went wrong."
    );
    assert_eq!(
        stop(r#""paired_seeds": true, "baseline": null, "stop": {"width": 0.1}"#),
        "At most 50 runs of each setting. A setting stops early if the 95 % interval of clean is narrower than 0.1."
    );
}

#[test]
fn axes_are_told_with_their_values() {
    let many = r#""values": [1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26]"#;
    let axes = [
        ROBOTS,
        TRAVEL,
        NOISE,
        ["a.b_s", "b", "s", many],
        ["a.on", "", "", r#""range": [0, 5]"#],
        ["c", "long name", "", r#""uniform": 3"#],
    ];
    let head = head_of(&sweep(&axes, "random", vec![cell(&["1"; 6], 5, 5, [1.0; 3])]));
    let told = |n: usize| (head["axes"][n]["name"].as_str().unwrap(), head["axes"][n]["values"].as_str().unwrap());
    assert_eq!(told(0), ("robots", "1, 2"));
    assert_eq!(told(1), ("travel", "core, edge"));
    assert_eq!(told(2), ("noise", "log uniform, high 10, low 0.1"));
    let values: Vec<String> = (1..=24).map(|n| n.to_string()).collect();
    assert_eq!(told(3), ("b", format!("{}, \u{2026} 26 (of 26)", values.join(", ")).as_str()));
    assert_eq!((told(4), told(5)), (("on", "range: 0, 5"), ("long name", "uniform 3")));
    assert_eq!((&head["axes"][2]["unit"], &head["axes"][2]["path"]), (&json!("mm"), &json!("sensing.noise_mm")));
}

#[test]
fn the_head_counts_runs_and_settings() {
    let many = sweep(&[ROBOTS], "grid", (1..4).map(|n| cell(&[&n.to_string()], 500, 500, [1.0; 3])).collect());
    let head = head_of(&many);
    let fact = |label: &str, value: &str| json!({ "label": label, "value": value });
    assert_eq!(
        head["facts"],
        json!([fact("runs", "1,500"), fact("settings", "3"), fact("seed", "9"), fact("version", "0.1.0")])
    );
    assert_eq!(
        (&head["title"], &head["question"], &head["kind"]),
        (&json!("small"), &json!("How many?"), &json!("report"))
    );
    assert_eq!((&head["notes"], &head["failed_runs"], &head["complete"]), (&json!([]), &json!(0), &json!(true)));
}

#[test]
fn one_of_what_is_counted_is_said_so() {
    let headline = |path: &'static str, name: &'static str| {
        let axis = [path, name, "", r#""values": [1, 2]"#];
        let cells = ["1", "2"].map(|count| cell(&[count], 5, 5, [1.0; 3])).to_vec();
        // Not a grid of counts: each setting for itself.
        let head = head_of(&sweep(&[axis], "random", cells));
        let settings: Vec<String> = head["answers"][0]["rows"]
            .as_array()
            .unwrap()
            .iter()
            .map(|row| row["setting"].as_str().unwrap().to_owned())
            .collect();
        settings.join(", ")
    };
    assert_eq!(headline("agents.count", "robots"), "1 robot, 2 robots");
    assert_eq!(headline("feet.count", ""), "1 foot, 2 feet");
    assert_eq!(headline("a.count", "benches"), "1 bench, 2 benches");
    assert_eq!(headline("boxes.count", ""), "1 box, 2 boxes");
    assert_eq!(headline("dishes.count", ""), "1 dish, 2 dishes");
    assert_eq!(headline("glasses.count", ""), "1 glass, 2 glasses");
    assert_eq!(headline("sheep.count", ""), "1 sheep, 2 sheep");
    assert_eq!(headline("limits.v_max_mm_s", "top speed"), "top speed 1, top speed 2");
}

#[test]
fn settings_are_told_in_words_with_their_units() {
    let axes = [
        ["a.v_max_mm_s", "", "mm/s", r#""values": [1]"#],
        ["a.a_max", "pull", "mm/s2", r#""values": [1]"#],
        TRAVEL,
        ["a.b", "where feet go", "", r#""values": [1]"#],
    ];
    let head = head_of(&sweep(&axes, "random", vec![cell(&["200", "0.125", "core", "far"], 8, 7, [1.0; 3])]));
    let row = &head["answers"][0]["rows"][0];
    assert_eq!(row["setting"], "v max 200 mm/s, pull 0.125 mm/s\u{b2}, travel core, where feet go: far");
    assert_eq!(
        (&row["headline"], &row["words"], &row["state"]),
        (&json!("87.5 % clean"), &json!("1 of 8 runs went wrong."), &json!("bad"))
    );
    assert_eq!(head["answers"][0]["title"], "All runs");
}

#[test]
fn the_largest_count_without_a_bad_run_is_the_answer_of_each_setting() {
    let mut sweep = grid();
    sweep.cells[3].clean = 49;
    let head = head_of(&sweep);
    let answers = &head["answers"][0];
    assert_eq!(answers["title"], "How many robots");
    let told =
        |n: usize| ["setting", "headline", "words", "state"].map(|key| answers["rows"][n][key].as_str().unwrap());
    let core = "With 2 robots, 0 of 50 runs went wrong. More were not tried.";
    assert_eq!(told(0), ["travel core", "at least 2", core, "good"]);
    let edge = "With 1 robots, 0 of 50 runs went wrong. With 2 robots, 1 of 50 runs went wrong.";
    assert_eq!(told(1), ["travel edge", "1", edge, "good"]);
    // Where no cell has runs, none is spotless.
    sweep.cells[0].clean = 0;
    let head = head_of(&sweep);
    assert_eq!(head["answers"][0]["rows"][0]["headline"], "not even 1");
}

/// Rows of the nth group of answers, as setting, headline, words and state.
fn answers(head: &Value, group: usize) -> Vec<[&str; 4]> {
    let rows = head["answers"][group]["rows"].as_array().unwrap().iter();
    rows.map(|row| ["setting", "headline", "words", "state"].map(|key| row[key].as_str().unwrap())).collect()
}

#[test]
fn the_measure_that_was_asked_for_is_answered_first_with_clean_runs_beside_it() {
    let more = r#""headline": "room_mm", "paired_seeds": true, "stop": null, "baseline": null"#;
    let cells = vec![cell(&["1"], 50, 50, [1.0, 2.0, 3.0]), cell(&["2"], 50, 48, [6.5, 7.25, 8.0])];
    let head = head_of(&Sweep { more, ..sweep(&[ROBOTS], "grid", cells) });
    let first = &head["answers"][0];
    let caption = "From 2 mm with 1 robot to 7.25 mm with 2 robots. Means over the runs, with two-sided intervals.";
    assert_eq!((&first["title"], &first["caption"]), (&json!("Room"), &json!(caption)));
    let one = "Mean 2.0 (95 % interval 1.0 to 3.0), single runs \u{2212}1 to 5. 0 of 50 runs went wrong.";
    let two = "Mean 7.25 (95 % interval 6.50 to 8.00), single runs \u{2212}1 to 5. 2 of 50 runs went wrong.";
    assert_eq!(answers(&head, 0), [["1 robot", "2 mm", one, ""], ["2 robots", "7.25 mm", two, "bad"]]);
    assert_eq!(head["answers"][1]["title"], "How many robots");
    assert_eq!(files(&head)[..2], ["room-over-robots.svg", "clean-over-robots.svg"]);
    let names: Vec<&Value> =
        head["tables"][0]["columns"].as_array().unwrap().iter().map(|column| &column["name"]).collect();
    assert_eq!(names, ["cell", "robots", "runs", "room, mm", "clean runs, %", "ended"]);
}

#[test]
fn of_many_settings_the_lowest_and_the_highest_four_are_told() {
    let more = r#""headline": "room_mm", "paired_seeds": true, "stop": null, "baseline": null"#;
    let cells = (0..13).map(|n| cell(&[&n.to_string()], 9, 9, [f64::from(n * 5 % 13); 3])).collect();
    let head = head_of(&Sweep { more, ..sweep(&[NOISE], "random", cells) });
    let headlines: Vec<&str> = answers(&head, 0).iter().map(|row| row[1]).collect();
    assert_eq!(headlines, ["0 mm", "1 mm", "2 mm", "3 mm", "9 mm", "10 mm", "11 mm", "12 mm"]);
    // 5 n mod 13 is 12 at n = 5.
    let caption = head["answers"][0]["caption"].as_str().unwrap();
    assert!(caption.starts_with("From 0 mm with noise 0 mm to 12 mm with noise 5 mm. "), "{caption}");
    assert_eq!(head["answers"][1]["title"], "All settings");
}

#[test]
fn settings_are_compared_with_the_baseline_by_the_measure_that_was_asked_for() {
    let more = r#""headline": "room_mm", "paired_seeds": true, "stop": null, "baseline": {"feet.travel": "core"}"#;
    let cells = vec![cell(&["core"], 50, 50, [1.0, 2.0, 3.0]), cell(&["edge"], 50, 20, [0.0, 1.0, 2.0])];
    let folder = Sweep { more, ..sweep(&[TRAVEL], "grid", cells) }.write();
    folder.write(
        "differences.csv",
        "cell,feet.travel,measure,unit,pairs,mean_difference,sd,low_95,high_95,interval\n\
         1,edge,clean,1,50,-0.6,0.5,-0.7,-0.5,t\n1,edge,room_mm,mm,50,-1,0.5,-3,1,t\n",
    );
    let head = read(&folder).head;
    let words = "Room: difference \u{2212}1.0 (95 % interval \u{2212}3.0 to 1.0) mm. \
                 Clean runs differ by \u{2212}60 (95 % interval \u{2212}70 to \u{2212}50) percentage points in 50 pairs of runs.";
    assert_eq!(answers(&head, 1), [["travel edge", "no clear difference", words, ""]]);
}

#[test]
fn more_than_ten_sentences_are_folded_away() {
    let rows = |count: usize| {
        let cells = (0..count).map(|n| cell(&["1", &format!("w{n}")], 5, 5, [1.0; 3])).chain([cell(
            &["2", "w0"],
            5,
            5,
            [1.0; 3],
        )]);
        let head = head_of(&sweep(&[ROBOTS, TRAVEL], "grid", cells.collect()));
        ["rows", "more"].map(|key| head["answers"][0][key].as_array().unwrap().len())
    };
    assert_eq!((rows(10), rows(11), rows(70)), ([10, 0], [8, 3], [8, 52]));
}

#[test]
fn of_more_than_twelve_settings_the_worst_four_are_told() {
    let cells = (0..13).map(|n| cell(&[&n.to_string()], 100, if n < 6 { 90 + n } else { 100 }, [1.0; 3]));
    let head = head_of(&sweep(&[NOISE], "random", cells.collect()));
    let all = &head["answers"][0];
    let told = "In 7 of 13 settings no run went wrong; over all settings, 1,255 of 1,300 runs kept all limits. \
                These settings are the worst.";
    assert_eq!((&all["title"], &all["caption"]), (&json!("All settings"), &json!(told)));
    let headlines: Vec<&str> =
        all["rows"].as_array().unwrap().iter().map(|row| row["headline"].as_str().unwrap()).collect();
    assert_eq!(headlines, ["90 % clean", "91 % clean", "92 % clean", "93 % clean"]);
    let good = (0..13).map(|n| cell(&[&n.to_string()], 100, 100, [1.0; 3])).collect();
    let told = head_of(&sweep(&[NOISE], "random", good))["answers"][0]["caption"].clone();
    assert_eq!(told, "In 13 of 13 settings no run went wrong; over all settings, 1,300 of 1,300 runs kept all limits.");
}

#[test]
fn tables_hold_the_numbers_that_they_are_sorted_by() {
    let mut sweep = grid();
    sweep.cells[1].room_mm = [-1234.5, 0.125, 2000.0];
    let head = head_of(&sweep);
    let tables = head["tables"].as_array().unwrap();
    let table_ids: Vec<&str> = tables.iter().map(|table| table["id"].as_str().unwrap()).collect();
    assert_eq!(table_ids, ["cells", "measures"]);
    let columns = |table: &Value| {
        table["columns"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(columns(&tables[0]), ["cell", "robots", "travel", "runs", "clean runs, %", "room, mm", "ended"]);
    let numeric: Vec<bool> =
        tables[0]["columns"].as_array().unwrap().iter().map(|c| c["is_number"].as_bool().unwrap()).collect();
    assert_eq!(numeric, [true, true, false, true, true, true, false]);
    let row = &tables[0]["rows"][1];
    assert_eq!(row[1], json!(["2", 2.0]));
    assert_eq!(row[2], json!(["core", null]));
    assert_eq!(row[4], json!(["100 (0 to 100)", 1.0]));
    // The other intervals are 2 mm wide: one digit after the point.
    assert_eq!(row[5], json!(["0.1 (\u{2212}1234.5 to 2000.0)", 0.125]));
    assert_eq!(row[6], json!(["repeats", null]));
    let measures = &tables[1];
    assert_eq!(columns(measures)[3..8], ["measure", "unit", "n", "mean", "sd"]);
    let row = &measures["rows"][1];
    assert_eq!((&row[3], &row[5]), (&json!(["room_mm", null]), &json!(["50", 50.0])));
    let quantiles: Vec<f64> = (8..15).map(|n| row[n][1].as_f64().unwrap()).collect();
    assert_eq!((quantiles, &row[15]), (vec![-1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0], &json!(["t", null])));
}

#[test]
fn the_plots_of_a_grid_go_along_its_numbers_and_over_its_pairs() {
    let head = head_of(&grid());
    assert_eq!(ids(&head["sections"]), ["curves", "maps", "spread"]);
    let expected = [
        "clean-over-robots-by-travel.svg",
        "room-over-robots-by-travel.svg",
        "clean-map-robots-travel.svg",
        "room-map-robots-travel.svg",
        "room-spread.svg",
    ];
    assert_eq!(files(&head), expected);
    let curve = &head["sections"][0]["figures"][1];
    assert_eq!(curve["title"], "Room over robots by travel");
    // The limit stands in the plot, and each word has a curve.
    let svg = curve["light"].as_str().unwrap();
    assert!(
        [">limit 0.5</text>", ">core</text>", ">edge</text>", ">room, mm</text>"]
            .iter()
            .all(|words| svg.contains(words))
    );
}

#[test]
fn plots_of_three_axes_hold_the_third() {
    let noise = ["a.noise_mm", "noise", "mm", r#""values": [1, 2]"#];
    let mut cells = Vec::new();
    for count in ["1", "2", "3"] {
        for travel in ["core", "edge"] {
            cells.extend(["0.5", "1"].map(|noise| cell(&[count, travel, noise], 5, 5, [1.0, 2.0, 3.0])));
        }
    }
    let head = head_of(&sweep(&[ROBOTS, TRAVEL, noise], "grid", cells));
    let names = files(&head);
    let has = |name: &str| names.iter().any(|file| file == name);
    assert!(
        has("clean-over-robots-by-travel-noise-0-5-mm.svg") && has("clean-over-robots-by-travel-noise-1-mm.svg"),
        "{names:?}"
    );
    assert!(
        has("clean-map-robots-travel-noise-0-5-mm.svg") && has("clean-over-noise-by-robots-travel-core.svg"),
        "{names:?}"
    );
    // The second measure has one cut of each, folded away.
    let more: Vec<&Value> =
        head["sections"][0]["more"].as_array().unwrap().iter().map(|figure| &figure["file"]).collect();
    assert_eq!(more, ["room-over-robots-by-travel-noise-0-5-mm.svg", "room-over-noise-by-robots-travel-core.svg"]);
}

#[test]
fn a_sweep_of_words_is_told_setting_by_setting() {
    let cells = ["core", "edge"].map(|travel| cell(&[travel], 5, 4, [1.0, 2.0, 3.0])).to_vec();
    let head = head_of(&sweep(&[TRAVEL], "grid", cells));
    assert_eq!(ids(&head["sections"]), ["settings", "spread"]);
    assert_eq!(files(&head), ["clean-by-setting.svg", "room-by-setting.svg", "room-spread.svg"]);
    let svg = head["sections"][0]["figures"][0]["light"].as_str().unwrap().to_owned();
    assert!(svg.contains(">travel core</text>") && svg.contains(">travel edge</text>"));
    assert_eq!(head["answers"][0]["title"], "Setting by setting");
}

#[test]
fn the_runs_of_one_setting_are_a_histogram_with_its_limit() {
    let sweep = sweep(&[], "grid", vec![cell(&[], 4, 4, [1.0; 3])]);
    let folder = sweep.write();
    folder.write(
        "runs.csv",
        "run,cell,status,clean,room_mm\n0,0,done,1,0.25\n1,0,done,1,0.75\n2,0,done,0,\n3,0,done,1,2\n",
    );
    let head = read(&folder).head;
    assert_eq!((ids(&head["sections"]), files(&head)), (vec!["values"], vec!["room-histogram.svg".to_owned()]));
    let svg = head["sections"][0]["figures"][0]["light"].as_str().unwrap().to_owned();
    assert!(svg.contains(">3 values</text>") && svg.contains(">limit 0.5</text>") && svg.contains(">room, mm</text>"));
}

#[test]
fn a_design_of_random_settings_is_told_dot_by_dot() {
    let cells = ["0.1", "1", "10"].map(|noise| cell(&[noise, "3"], 5, 4, [1.0, 2.0, 3.0])).to_vec();
    let head = head_of(&sweep(&[NOISE, ROBOTS], "random", cells));
    assert_eq!(ids(&head["sections"]), ["dots", "spread"]);
    let dots = ["clean-dots-noise.svg", "clean-dots-robots.svg", "room-dots-noise.svg", "room-dots-robots.svg"];
    assert_eq!(files(&head)[..4], dots);
    // An axis drawn by factors is drawn by factors: 1 lies in the middle of 0.1 and 10.
    let svg = head["sections"][0]["figures"][0]["light"].as_str().unwrap().to_owned();
    let x_of = |words: &str| -> f64 {
        let line = svg
            .lines()
            .find(|line| line.ends_with(&format!(">{words}</text>")) && line.contains("\"middle\""))
            .unwrap();
        line.split_once("x=\"").unwrap().1.split_once('"').unwrap().0.parse().unwrap()
    };
    assert!((x_of("1") - 0.5 * (x_of("0.1") + x_of("10"))).abs() < 0.02);
}

#[test]
fn the_worst_runs_play_their_near_misses() {
    let mut sweep = grid();
    sweep.cells[0].clean = 49;
    let folder = sweep.write();
    let header = "rank,run,cell,agents.count,feet.travel,clean,room_mm,folder,command\n";
    let rows = "1,7,0,1,core,0,-0.5,worst/run-00007,again 7\n2,8,3,2,edge,1,,,again 8\n";
    folder.write("worst.csv", &format!("{header}{rows}"));
    std::fs::create_dir_all(folder.path().join("worst/run-00007")).unwrap();
    let batch = Folder::of_batch("run,seed\n7,9\n");
    folder.write("worst/run-00007/run.json", &batch.read("run.json"));
    let mut view = common::bobs::view([common::bobs::party("bobs", "bob")], []);
    view.limits = vec![sim_world::view::Limit {
        name: "room".into(),
        of: "bobs".into(),
        rule: sim_world::view::Rule::AtLeast("gap_m".into(), 0.5),
        to: Some("bobs".into()),
        paints: Vec::new(),
        events: None,
        least: None,
    }];
    folder.write("worst/run-00007/view.json", &serde_json::to_string(&view).unwrap());
    let misses =
        "run,call,step,time_s,kind,owner,x_m,y_m,distance_m\n7,0,3,0.3,bob,4,1,2,0.25\n7,0,3,0.3,bob,5,1.5,2,0.25\n";
    folder.write("worst/run-00007/closest.csv", misses);
    let page = read(&folder);
    let worst = &page.head["worst"];
    assert_eq!(
        (&worst[0]["run"], &worst[0]["title"], &worst[0]["words"]),
        (&json!(7), &json!("1 robot, travel core"), &json!("room \u{2212}0.50 mm"))
    );
    assert_eq!(
        (&worst[0]["is_clean"], &worst[1]["is_clean"], &worst[0]["command"]),
        (&json!(false), &json!(true), &json!("again 7"))
    );
    let clip = &worst[0]["clips"][0];
    assert_eq!((&clip["pair"], &clip["limit"]), (&json!(["bob 4", "bob 5"]), &json!("room")));
    assert_eq!(page.numbers(&clip["tables"]["sampled"]["bobs"], "x_m"), [[1.0], [1.5]]);
    assert_eq!((&worst[1]["clips"], &worst[1]["words"], &page.head["notes"]), (&json!([]), &json!(""), &json!([])));
}

#[test]
fn failed_runs_and_settings_that_cannot_be_are_listed() {
    let folder = grid().write();
    let record = folder.read("run.json").replace("\"complete\"", "\"failed_runs\": 2, \"complete\"");
    folder.write("run.json", &record);
    folder.write(
        "failures.csv",
        "run,agents.count,feet.travel,cause,command\n3,1,core,it fell,again 3\n4,2,edge,it broke,again 4\n",
    );
    let cells = folder
        .read("cells.csv")
        .replace("3,2,edge,done,50,0,50,1,0,1,repeats,0 of 50 runs went wrong", "3,2,edge,infeasible,,,,,,,,no space");
    folder.write("cells.csv", &cells);
    let head = read(&folder).head;
    assert_eq!(
        head["notes"],
        json!(["2 runs failed, which counts as gone wrong; see below", "1 setting cannot be; see below"])
    );
    assert_eq!(
        head["failed"][1],
        json!({ "title": "run 4: 2 robots, travel edge", "cause": "it broke", "command": "again 4" })
    );
    assert_eq!(
        head["infeasible"],
        json!([{ "title": "cell 3: 2 robots, travel edge", "cause": "no space", "command": "" }])
    );
    assert_eq!((&head["failed_runs"], &head["infeasible_cells"]), (&json!(2), &json!(1)));
}

#[test]
fn settings_are_compared_with_a_baseline_axis_by_axis_where_there_are_many() {
    let cells: Vec<Cell> = (1..=4)
        .flat_map(|a| (1..=4).map(move |b| cell(&[&a.to_string(), &b.to_string()], 5, 5, [1.0, 2.0, 3.0])))
        .collect();
    let axes = [["a.x", "alpha", "", r#""values": []"#], ["a.y", "beta", "s", r#""values": []"#]];
    let baseline = r#""paired_seeds": true, "stop": null, "baseline": {"a.x": 1, "a.y": 1}"#;
    let sweep = Sweep { more: baseline, ..sweep(&axes, "grid", cells) };
    let folder = sweep.write();
    let header = "cell,a.x,a.y,measure,unit,pairs,mean_difference,low_95,high_95\n";
    let row = |n: usize| {
        format!("{n},{},{},clean,1,5,{},{},{}\n", n / 4 + 1, n % 4 + 1, -0.1, -0.2, if n == 1 { -0.05 } else { 0.05 })
    };
    folder.write("differences.csv", &format!("{header}{}", (1..16).map(row).collect::<String>()));
    let head = read(&folder).head;
    let answers =
        head["answers"].as_array().unwrap().iter().find(|answers| answers["title"] == "Against the baseline").unwrap();
    assert_eq!(
        answers["caption"],
        "Settings that differ in one axis from the baseline, alpha 1, beta 1 s, run by run."
    );
    let settings: Vec<&str> =
        answers["rows"].as_array().unwrap().iter().map(|row| row["setting"].as_str().unwrap()).collect();
    assert_eq!(settings, ["beta 2 s", "beta 3 s", "beta 4 s", "alpha 2", "alpha 3", "alpha 4"]);
    let first = &answers["rows"][0];
    let words = "Clean runs differ by \u{2212}10.0 (95 % interval \u{2212}20.0 to \u{2212}5.0) percentage points in 5 pairs of runs.";
    assert_eq!((&first["headline"], &first["state"], &first["words"]), (&json!("worse"), &json!("bad"), &json!(words)));
    assert_eq!(answers["rows"][1]["headline"], "no clear difference");
}

#[test]
fn what_goes_along_with_a_measure_is_told_by_its_sign() {
    let cells = ["0.1", "1"].map(|noise| cell(&[noise, "3"], 5, 4, [1.0, 2.0, 3.0])).to_vec();
    let folder = sweep(&[NOISE, ROBOTS], "random", cells).write();
    let rows = "axis,measure,n,spearman,low_95,high_95\nsensing.noise_mm,room_mm,2,0.5,0.25,0.75\nagents.count,room_mm,2,-0.75,-0.9,-0.6\n";
    folder.write("correlations.csv", rows);
    let head = read(&folder).head;
    let row = &head["answers"][0]["rows"][0];
    let words = "Falls with robots: rank correlation \u{2212}0.75 (95 % interval \u{2212}0.90 to \u{2212}0.60). \
                 Grows with noise: rank correlation 0.50 (95 % interval 0.25 to 0.75).";
    assert_eq!((&row["setting"], &row["headline"], &row["words"]), (&json!("room"), &json!("robots"), &json!(words)));
    let section = head["sections"].as_array().unwrap().iter().find(|section| section["id"] == "sensitivity").unwrap();
    assert_eq!(section["figures"][0]["title"], "What room depends on");
    let svg = section["figures"][0]["light"].as_str().unwrap();
    let place = |words: &str| svg.find(&format!(">{words}</text>")).unwrap();
    assert!(place("robots") < place("noise"), "the strongest stands above");
    let table = head["tables"].as_array().unwrap().iter().find(|table| table["id"] == "correlations-table").unwrap();
    assert_eq!(table["rows"][1][3], json!(["\u{2212}0.750 (\u{2212}0.900 to \u{2212}0.600)", -0.75]));
}
