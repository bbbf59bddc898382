//! Reports of small sweeps, written by hand.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use super::answers::{Answer, answers};
use super::data::Data;
use super::{PLOTS, REPORT_HTML, Report, figures, head, tables, worst, write};
use crate::ViewError;
use crate::folder::SweepFolder;
use crate::replay::block::Columns;
use std::fmt::Write as _;
use std::fs;
use tempfile::TempDir;

/// A cell: its values, its runs and how many of them went wrong; the mean of `least_room_mm` with its interval.
struct Cell {
    values: &'static [&'static str],
    runs: u64,
    bad: u64,
    margin_mm: [f64; 3],
}

/// A sweep to be written. The ends of intervals are made up: a report takes them as they stand.
struct Sweep {
    axes: &'static [(&'static str, &'static str)],
    design: &'static str,
    cells: Vec<Cell>,
    baseline: &'static str,
    run_json: String,
}

fn cell(values: &'static [&'static str], runs: u64, bad: u64, margin_mm: f64) -> Cell {
    Cell { values, runs, bad, margin_mm: [margin_mm - 0.5, margin_mm, margin_mm + 0.5] }
}

fn record(complete: bool) -> String {
    format!(
        "{{\"format\": \"sim-sweep/1\", \"version\": \"{}\", \"build\": \"\", \"sweep\": \"small\", \"cells\": 0, \"runs\": 0, \
         \"failed_runs\": 0, \"infeasible_cells\": 0, \"complete\": {complete}, \"reason\": {}}}",
        env!("CARGO_PKG_VERSION"),
        if complete { "null" } else { "\"stopped\"" }
    )
}

/// Robots by travel: two settings of four counts, one of which is too many.
fn robots_by_travel() -> Sweep {
    let cells = vec![
        cell(&["core", "10"], 50, 0, 2.0),
        cell(&["core", "20"], 50, 0, 1.5),
        cell(&["core", "30"], 50, 0, 1.0),
        cell(&["edge", "10"], 50, 0, 1.8),
        cell(&["edge", "20"], 50, 2, 0.4),
        cell(&["edge", "30"], 50, 0, 0.3),
    ];
    let axes = &[("feet.travel", "travel"), ("agents.count", "robots")];
    Sweep { axes, design: "grid", cells, baseline: "null", run_json: record(true) }
}

fn words(bad: u64, runs: u64) -> String {
    if bad == 0 { format!("none of {runs} runs went wrong") } else { format!("{bad} of {runs} runs went wrong") }
}

impl Sweep {
    fn write(&self) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        put("run.json", &self.run_json);
        put("scenario.json", "{}");
        let axis = |(path, name): &(&str, &str)| {
            format!("{{\"path\": \"{path}\", \"name\": \"{name}\", \"unit\": \"\", \"values\": []}}")
        };
        let axes: Vec<String> = self.axes.iter().map(axis).collect();
        put(
            "sweep.json",
            &format!(
                "{{\"name\": \"small\", \"question\": \"How many?\", \"scenario\": \"scenario.json\", \"design\": \"{}\", \"axes\": [{}], \
                 \"cells\": null, \"repeats\": 50, \"seed\": 1, \"paired_seeds\": true, \"measures\": [\"clean\", \"least_room_mm\"], \
                 \"interval\": \"t\", \"stop\": null, \"baseline\": {}}}",
                self.design,
                axes.join(", "),
                self.baseline
            ),
        );
        let paths: String = self.axes.iter().map(|(path, _)| format!("{path},")).collect();
        let mut cells = format!(
            "cell,{paths}status,runs,failed_runs,clean_runs,clean_share,clean_low_95,clean_high_95,ended,words\n"
        );
        let mut summary =
            format!("cell,{paths}measure,unit,limit,n,mean,sd,min,q05,q25,q50,q75,q95,max,low_95,high_95,interval\n");
        for (number, Cell { values, runs, bad, margin_mm: [low, mean, high] }) in self.cells.iter().enumerate() {
            let values: String = values.iter().map(|value| format!("{value},")).collect();
            let clean = (runs - bad) as f64 / *runs as f64;
            let words = words(*bad, *runs);
            writeln!(cells, "{number},{values}done,{runs},0,{},{clean},{},1,repeats,{words}", runs - bad, clean - 0.1)
                .unwrap();
            writeln!(
                summary,
                "{number},{values}clean,1,,{runs},{clean},0.1,0,0,1,1,1,1,1,{},1,clopper-pearson",
                clean - 0.1
            )
            .unwrap();
            let quantiles = "-1,-0.5,0,0.2,0.4,3,4";
            writeln!(summary, "{number},{values}least_room_mm,mm,0,{runs},{mean},1,{quantiles},{low},{high},t")
                .unwrap();
        }
        put("cells.csv", &cells);
        put("summary.csv", &summary);
        put("runs.csv", &format!("run,cell,repeat,seed,run_index,{paths}status,clean,least_room_mm,cause\n"));
        folder
    }

    fn data(&self) -> Data {
        Data::read(&SweepFolder::open(self.write().path()).unwrap()).unwrap()
    }
}

fn answer(setting: &str, headline: &str, words: &str, state: &'static str) -> Answer {
    Answer { setting: setting.into(), headline: headline.into(), words: words.into(), state }
}

#[test]
fn of_a_count_the_largest_without_a_bad_run_is_said_for_each_setting() {
    let all = answers(&robots_by_travel().data());
    assert_eq!(all.len(), 1);
    let core = answer(
        "travel core",
        "at least 30",
        "With 30 robots, none of 50 runs went wrong. More were not tried.",
        "good",
    );
    // That 30 went well again does not make 20 safe.
    let edge = answer(
        "travel edge",
        "10",
        "With 10 robots, none of 50 runs went wrong. With 20 robots, 2 of 50 runs went wrong.",
        "good",
    );
    assert_eq!(all[0].rows, [core, edge]);
}

#[test]
fn if_even_the_smallest_count_goes_wrong_that_is_the_answer() {
    let mut sweep = robots_by_travel();
    sweep.cells[0].bad = 1;
    let all = answers(&sweep.data());
    assert_eq!(all[0].rows[0], answer("travel core", "not even 10", "With 10 robots, 1 of 50 runs went wrong.", "bad"));
}

#[test]
fn failed_runs_and_settings_that_cannot_be_are_part_of_the_answer() {
    let folder = robots_by_travel().write();
    let path = folder.path().join("cells.csv");
    let text = fs::read_to_string(&path).unwrap();
    let text = text.replace(
        "1,core,20,done,50,0,50,1,0.9,1,repeats,none of 50 runs went wrong",
        "1,core,20,done,50,2,48,0.96,0.9,1,repeats,2 of 50 runs went wrong",
    );
    let text = text.replace("4,edge,20,done,50,0,50,1,0.9,1,repeats,", "").replace(
        "4,edge,20,done,50,0,48,0.96,0.86,1,repeats,2 of 50 runs went wrong",
        "4,edge,20,infeasible,0,0,0,,,,,at most 15 robots fit",
    );
    fs::write(&path, text).unwrap();
    let data = Data::read(&SweepFolder::open(folder.path()).unwrap()).unwrap();
    let rows = &answers(&data)[0].rows;
    assert_eq!(
        rows[0].words,
        "With 10 robots, none of 50 runs went wrong. With 20 robots, 2 of 50 runs went wrong (it failed in 2 of them)."
    );
    assert_eq!(
        rows[1].words,
        "With 10 robots, none of 50 runs went wrong. With 20 robots, no scenario is possible: at most 15 robots fit."
    );
    assert_eq!(worst::infeasible(&data)[0].title, "cell 4: travel edge, 20 robots");
    assert_eq!(worst::notes(&data), ["1 setting cannot be; see below"]);
}

#[test]
fn a_sweep_without_axes_is_answered_by_its_cell() {
    let sweep = Sweep {
        axes: &[],
        design: "grid",
        cells: vec![cell(&[], 200, 1, 0.5)],
        baseline: "null",
        run_json: record(true),
    };
    let all = answers(&sweep.data());
    assert_eq!(all[0].rows, [answer("", "99.5 % clean", "1 of 200 runs went wrong.", "bad")]);
    assert_eq!(head::method(&sweep.data())[0], "One setting: the scenario as it is.");
    write(sweep.write().path(), true).unwrap();
}

#[test]
fn a_difference_is_only_called_one_if_its_interval_leaves_zero_out() {
    let axes = &[("safety.filter", "filter")];
    let cells = vec![
        cell(&["joint"], 100, 0, 1.0),
        cell(&["orca"], 100, 30, 0.2),
        cell(&["penalty"], 100, 2, 0.9),
        cell(&["none"], 100, 0, 1.5),
    ];
    let sweep =
        Sweep { axes, design: "grid", cells, baseline: "{\"safety.filter\": \"joint\"}", run_json: record(true) };
    let folder = sweep.write();
    let rows = "cell,safety.filter,measure,unit,pairs,mean_difference,sd,low_95,high_95,interval\n\
                1,orca,clean,1,100,-0.3,0.46,-0.391,-0.209,t\n\
                1,orca,least_room_mm,mm,100,-0.8,0.2,-0.84,-0.76,t\n\
                2,penalty,clean,1,100,-0.02,0.14,-0.048,0.008,t\n\
                2,penalty,least_room_mm,mm,100,0.1,0.2,-0.1,0.3,t\n\
                3,none,clean,1,100,0,0.14,-0.01,0.01,t\n\
                3,none,least_room_mm,mm,100,0.5,0.2,0.4,0.6,t\n";
    fs::write(folder.path().join("differences.csv"), rows).unwrap();
    let data = Data::read(&SweepFolder::open(folder.path()).unwrap()).unwrap();
    let all = answers(&data);
    assert_eq!(all[1].caption, "Each setting less the baseline, filter joint, run by run.");
    let clean = "Clean runs differ by \u{2212}30 (95 % interval \u{2212}39 to \u{2212}21) percentage points in 100 pairs of runs.";
    let margin = "Least room: difference \u{2212}0.800 (95 % interval \u{2212}0.840 to \u{2212}0.760) mm.";
    let none =
        "Clean runs differ by \u{2212}2.0 (95 % interval \u{2212}4.8 to 0.8) percentage points in 100 pairs of runs.";
    let unclear = "Least room: difference 0.10 (95 % interval \u{2212}0.10 to 0.30) mm.";
    let same = "Clean runs differ by 0.0 (95 % interval \u{2212}1.0 to 1.0) percentage points in 100 pairs of runs.";
    let more = "Least room: difference 0.50 (95 % interval 0.40 to 0.60) mm.";
    let wanted = [
        answer("filter orca", "worse", &format!("{clean} {margin}"), "bad"),
        answer("filter penalty", "no clear difference", &format!("{none} {unclear}"), ""),
        answer("filter none", "least room higher", &format!("{same} {more}"), ""),
    ];
    assert_eq!(all[1].rows, wanted);
    let names: Vec<String> = files(&figures::sections(&data));
    assert!(
        names.contains(&"clean-against-baseline.svg".to_owned()) && names.contains(&"clean-by-setting.svg".to_owned()),
        "{names:?}"
    );
}

#[test]
fn what_matters_most_is_the_strongest_clear_relation() {
    let axes = &[("sensing.noise_mm", "noise"), ("radio.latency_s", "latency")];
    let cells =
        vec![cell(&["0.1", "0.5"], 5, 0, 1.0), cell(&["0.7", "0.2"], 5, 1, 0.2), cell(&["0.9", "0.1"], 5, 2, 0.1)];
    let folder = Sweep { axes, design: "latin_hypercube", cells, baseline: "null", run_json: record(true) }.write();
    let rows = "axis,measure,n,spearman,low_95,high_95\nradio.latency_s,clean,3,0.2,-0.4,0.6\nsensing.noise_mm,clean,3,-0.62,-0.71,-0.51\n\
                sensing.noise_mm,least_room_mm,3,0.1,-0.2,0.3\n";
    fs::write(folder.path().join("correlations.csv"), rows).unwrap();
    let data = Data::read(&SweepFolder::open(folder.path()).unwrap()).unwrap();
    let rows = &answers(&data)[0].rows;
    let noise = "Falls with noise: rank correlation \u{2212}0.62 (95 % interval \u{2212}0.71 to \u{2212}0.51).";
    assert_eq!(rows[0], answer("clean runs", "noise", noise, ""));
    assert_eq!(rows[1].headline, "nothing clearly");
    let names = files(&figures::sections(&data));
    assert!(
        names.contains(&"clean-sensitivity.svg".to_owned()) && names.contains(&"least-room-dots-noise.svg".to_owned()),
        "{names:?}"
    );
}

fn files(sections: &[figures::Section]) -> Vec<String> {
    sections
        .iter()
        .flat_map(|section| section.figures.iter().chain(&section.more))
        .map(|figure| figure.file.clone())
        .collect()
}

#[test]
fn the_plots_of_a_grid_are_curves_maps_and_spreads() {
    let sections = figures::sections(&robots_by_travel().data());
    let ids: Vec<&str> = sections.iter().map(|section| section.id).collect();
    assert_eq!(ids, ["curves", "maps", "spread"]);
    let wanted = [
        "clean-over-robots-by-travel.svg",
        "least-room-over-robots-by-travel.svg",
        "clean-map-travel-robots.svg",
        "least-room-map-travel-robots.svg",
        "least-room-spread.svg",
    ];
    assert_eq!(files(&sections), wanted);
    let curve = &sections[0].figures[0];
    assert!(
        [&curve.light, &curve.dark]
            .iter()
            .all(|svg| svg.contains(">core</text>") && svg.contains(">clean runs, %</text>"))
    );
    assert_ne!(curve.light, curve.dark);
}

#[test]
fn a_report_is_a_page_and_plots_and_the_same_bytes_again() {
    let folder = robots_by_travel().write();
    let plots = folder.path().join(PLOTS);
    fs::create_dir(&plots).unwrap();
    fs::write(plots.join("of-an-earlier-report.svg"), "").unwrap();
    fs::write(plots.join("notes.txt"), "mine").unwrap();
    let Report { html, plots: count, notes } = write(folder.path(), true).unwrap();
    assert_eq!((html.as_path(), count, notes.len()), (folder.path().join(REPORT_HTML).as_path(), 5, 0));
    let mut names: Vec<String> =
        fs::read_dir(&plots).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names.len(), 6, "{names:?}");
    assert!(names.contains(&"notes.txt".to_owned()), "what is not a plot stays");
    let page = fs::read(&html).unwrap();
    write(folder.path(), true).unwrap();
    assert_eq!(fs::read(&html).unwrap(), page);
}

#[test]
fn tables_are_sorted_by_numbers_and_say_where_the_rest_is() {
    let tables = tables::tables(&robots_by_travel().data());
    let json = serde_json::to_value(&tables[0]).unwrap();
    assert_eq!(json["columns"][2]["name"], "robots");
    // Cell 4: 48 of 50 runs were clean.
    assert_eq!(json["rows"][4][4], serde_json::json!(["96.0 (86.0 to 100.0)", 0.96]));
    assert_eq!(json["rows"][4][5], serde_json::json!(["0.40 (\u{2212}0.10 to 0.90)", 0.4]));
    assert_eq!(json["file"], "cells.csv");
}

/// What a report of a changed folder says.
fn refused(change: impl Fn(&std::path::Path)) -> String {
    let folder = robots_by_travel().write();
    change(folder.path());
    let error = write(folder.path(), true).unwrap_err();
    assert!(error.is_input(), "{error}");
    assert!(!folder.path().join(REPORT_HTML).exists() && !folder.path().join(PLOTS).exists(), "something was written");
    match error {
        ViewError::Folder(error) => error.to_string().replace(&format!("{}/", folder.path().display()), ""),
        other => panic!("{other}"),
    }
}

fn replace(folder: &std::path::Path, file: &str, from: &str, to: &str) {
    let path = folder.join(file);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{text}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

#[test]
fn what_is_wrong_with_a_folder_is_said_and_nothing_is_written() {
    let said = refused(|folder| fs::remove_file(folder.join("cells.csv")).unwrap());
    assert_eq!(said, "cells.csv is missing");
    let said = refused(|folder| {
        fs::write(folder.join("run.json"), record(false)).unwrap();
        fs::remove_file(folder.join("cells.csv")).unwrap();
    });
    assert_eq!(said, "cells.csv is missing, since the sweep has not come to its end");
    let said = refused(|folder| replace(folder, "summary.csv", "agents.count", "agents"));
    assert!(
        said.starts_with("summary.csv: column agents.count is missing; it has cell,feet.travel,agents,measure"),
        "{said}"
    );
    let said = refused(|folder| replace(folder, "cells.csv", "core,10,done,50", "core,10,done,NaN"));
    assert_eq!(said, "cells.csv, line 2, column runs: \"NaN\" is not a whole number");
    let said = refused(|folder| replace(folder, "summary.csv", ",1.5,1,", ",inf,1,"));
    assert_eq!(said, "summary.csv, line 5, column mean: inf is not a finite number");
    let said = refused(|folder| replace(folder, "cells.csv", "0,core,10,done", "0,core,10,10,done"));
    assert_eq!(said, "cells.csv, line 2: 13 cells where the header has 12");
    let said = refused(|folder| replace(folder, "run.json", "sim-sweep/1", "sim-sweep/2"));
    assert_eq!(
        said,
        "run.json says format \"sim-sweep/2\", and this version reads \"sim-sweep/1\": it was made by a newer version, or is no run"
    );
    let said = refused(|folder| replace(folder, "sweep.json", "\"grid\"", "17"));
    assert!(said.starts_with("sweep.json: invalid type: integer `17`, expected a string at line 1 column "), "{said}");
    let said = refused(|folder| replace(folder, "run.json", "sim-sweep/1", "sim-batch/1"));
    assert!(said.ends_with("holds no sweep, but a run or a batch"), "{said}");
}

#[test]
fn a_row_that_is_cut_off_is_an_error_unless_the_sweep_was_never_finished() {
    let cut = |folder: &std::path::Path| {
        let path = folder.join("cells.csv");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(path, &text[..text.len() - 20]).unwrap();
    };
    let said = refused(cut);
    assert_eq!(
        said,
        "cells.csv ends in the middle of a row, though run.json says that it is complete: it was cut off later"
    );
    let sweep = Sweep { run_json: record(false), ..robots_by_travel() };
    let folder = sweep.write();
    cut(folder.path());
    let notes = write(folder.path(), true).unwrap().notes;
    assert_eq!(notes, ["the sweep is not complete: stopped; what follows is true of the runs that were made"]);
}

#[test]
fn what_stands_in_files_stays_text() {
    let evil = "</script><script>window.hurt = 1</script>";
    let axes = &[("feet.travel", "</script><script>window.hurt = 1</script>")];
    let cells = vec![cell(&["</script><script>window.hurt = 1</script>"], 5, 0, 1.0), cell(&["b"], 5, 1, 0.5)];
    let folder = Sweep { axes, design: "grid", cells, baseline: "null", run_json: record(true) }.write();
    replace(folder.path(), "sweep.json", "\"small\"", &format!("\"{evil}\""));
    let report = write(folder.path(), true).unwrap();
    let page = fs::read_to_string(report.html).unwrap();
    assert!(!page.contains(evil) && page.contains("<title>&lt;/script&gt;"));
    for entry in fs::read_dir(folder.path().join(PLOTS)).unwrap() {
        assert!(!fs::read_to_string(entry.unwrap().path()).unwrap().contains("<script"));
    }
}

#[test]
fn worst_runs_are_only_looked_for_inside_the_folder() {
    let folder = robots_by_travel().write();
    let header = "rank,run,cell,repeat,seed,run_index,feet.travel,agents.count,clean,least_room_mm,folder,command\n";
    let rows =
        "1,7,0,7,1,7,core,10,1,0.25,../elsewhere,sim-cli run\n2,8,0,8,1,8,core,10,0,-0.5,worst/run-00008,sim-cli run\n";
    fs::write(folder.path().join("worst.csv"), format!("{header}{rows}")).unwrap();
    let notes = write(folder.path(), true).unwrap().notes;
    assert_eq!(notes, ["the near misses of these runs are not in the folder and cannot be played: 7, 8"]);
}

/// A world without the mat's ranking measure: its sweeps have a column of it without values, or rank by another measure.
#[test]
fn a_sweep_of_another_world_has_no_plot_of_what_it_does_not_measure_and_ranks_by_its_own_measure() {
    let folder = robots_by_travel().write();
    let path = |name: &str| folder.path().join(name);
    let change = |name: &str, from: &str, to: &str| {
        let text = fs::read_to_string(path(name)).unwrap();
        assert!(text.contains(from), "{name}: {from}");
        fs::write(path(name), text.replace(from, to)).unwrap();
    };
    let summary = fs::read_to_string(path("summary.csv")).unwrap();
    let is_margin = |line: &str| line.contains(",least_room_mm,");
    let emptied = summary.lines().map(|line| match line.split_once(",least_room_mm,") {
        Some((start, _)) => format!("{start},least_room_mm,mm,0,0,,,,,,,,,,,,t\n"),
        None => format!("{line}\n"),
    });
    let speeds = summary
        .lines()
        .filter(|line| is_margin(line))
        .map(|line| format!("{}\n", line.replace("least_room_mm,mm", "top_speed_m_s,m/s")));
    let text: String = emptied.chain(speeds).collect();
    fs::write(path("summary.csv"), text).unwrap();
    change("sweep.json", "\"least_room_mm\"]", "\"least_room_mm\", \"top_speed_m_s\"]");
    change("runs.csv", "least_room_mm,", "least_room_mm,top_speed_m_s,");
    fs::write(
        path("worst.csv"),
        "rank,run,cell,repeat,seed,run_index,feet.travel,agents.count,clean,top_speed_m_s,folder,command\n\
         1,7,0,7,1,7,core,10,1,0.25,,sim-cli run\n",
    )
    .unwrap();
    let data = Data::read(&SweepFolder::open(folder.path()).unwrap()).unwrap();
    let drawn = figures::sections(&data);
    let names = files(&drawn);
    assert!(
        names.iter().any(|name| name.starts_with("top-speed")) && !names.iter().any(|name| name.contains("room")),
        "{names:?}"
    );
    let svg = drawn.iter().flat_map(|section| section.figures.iter().chain(&section.more));
    assert!(svg.clone().count() > 3 && svg.clone().all(|figure| !figure.light.contains("NaN")));
    let columns: Vec<String> = tables::tables(&data)[0].columns.iter().map(|column| column.name.clone()).collect();
    assert_eq!(columns, ["cell", "travel", "robots", "runs", "clean runs, %", "top speed, m/s", "ended"]);
    let sweep = SweepFolder::open(folder.path()).unwrap();
    let runs = worst::worst(&sweep, &data, &mut Columns::default(), &mut Vec::new()).unwrap();
    assert_eq!((runs[0].words.as_str(), runs[0].title.as_str()), ("top speed 0.25 m/s", "travel core, 10 robots"));
}

#[test]
fn of_too_many_cells_the_worst_are_shown_and_all_are_counted() {
    let folder = robots_by_travel().write();
    let mut cells =
        fs::read_to_string(folder.path().join("cells.csv")).unwrap().lines().next().unwrap().to_owned() + "\n";
    for number in 0..9_000_u64 {
        let (clean, share) = if number == 4_321 { (20, 0.4) } else { (50, 1.0) };
        let travel = if number % 2 == 0 { "core" } else { "edge" };
        writeln!(cells, "{number},{travel},{},done,50,0,{clean},{share},0.1,1,repeats,so it was", number / 2).unwrap();
    }
    fs::write(folder.path().join("cells.csv"), cells).unwrap();
    let data = Data::read(&SweepFolder::open(folder.path()).unwrap()).unwrap();
    assert_eq!((data.cells.total, data.cells.rows.len(), data.cells.rows[0].cell), (9_000, 300, 4_321));
    let all = answers(&data);
    let caption = "In 8,999 of 9,000 settings no run went wrong; over all settings, 449,970 of 450,000 runs kept all limits. \
                These settings are the worst.";
    assert_eq!(all[0].caption, caption);
    assert_eq!(all[0].rows[0].headline, "40 % clean");
    let effects = &figures::sections(&data)[0];
    assert_eq!(effects.id, "effects");
    // Neither words nor thousands of counts make a curve.
    assert_eq!(files(std::slice::from_ref(effects)), ["clean-of-all-settings.svg"]);
    assert!(tables::tables(&data)[0].caption.starts_with("The 300 settings of 9,000"));
}
