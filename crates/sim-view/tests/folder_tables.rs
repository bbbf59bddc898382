//! Small tables of runs, batches and sweeps: rows to the bit, and faults with file, line and column.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::Folder;
use common::bobs::{ON_EVENT, party, sampled, table, view};
use proptest::prelude::*;
use sim_view::folder::{
    BatchFolder, CellFault, CellRow, Cells, CorrelationRow, DifferenceRow, EventRow, FailureRow, FolderError, Kind,
    Level, MeasureRow, Moment, NearMissRow, Row, RunFolder, Span, StepRows, SummaryRow, SweepFolder, SweepRow,
    SweepRunRow, WorstRow, file_of, kind_of, text_at,
};

/// A run of one bob, whose tables a test adds to.
fn run_of(files: &[(&str, &str)]) -> Folder {
    let bobs = sampled("bobs", 1, "bob:i x_m y_m", ["0,0,0,1,2", "6,0.1,0,2,2"]);
    let folder = Folder::of_view(&view([party("bobs", "bob")], []), &[bobs]);
    files.iter().for_each(|(name, text)| folder.write(name, text));
    folder
}

/// What is said of a fault, with `RUN` for the folder.
fn said(folder: &Folder, error: &FolderError) -> String {
    assert!(error.is_input(), "{error}");
    error.to_string().replace(&folder.path().display().to_string(), "RUN")
}

/// All rows of a table, or what is wrong with the first that is; after that there is nothing.
fn all<T>(folder: &Folder, rows: impl Iterator<Item = Result<T, FolderError>>) -> Result<Vec<T>, String> {
    let mut rows = rows;
    let mut good = Vec::new();
    while let Some(row) = rows.next() {
        match row {
            Ok(row) => good.push(row),
            Err(error) => {
                assert!(rows.next().is_none(), "rows go on after an error");
                return Err(said(folder, &error));
            }
        }
    }
    Ok(good)
}

const EVENTS: &str = "step,time_s,kind,subject,object,value,unit\n";

#[test]
fn events_read_to_the_bit() {
    let rows = "3,0.05,tap,\"bob 0\",,,\n4,0.0666,\"a, \"\"b\"\"\",bob 1,wall 2,-1.5e-3,mm/s\n";
    let folder = run_of(&[("events.csv", &format!("{EVENTS}{rows}"))]);
    let run = RunFolder::open(folder.path()).unwrap();
    let event = |step, time_s, [kind, subject, object, unit]: [&str; 4], value| EventRow {
        moment: Moment { step, time_s },
        kind: kind.into(),
        subject: subject.into(),
        object: object.into(),
        value,
        unit: unit.into(),
    };
    let expected = [
        event(3, 0.05, ["tap", "bob 0", "", ""], None),
        event(4, 0.0666, ["a, \"b\"", "bob 1", "wall 2", "mm/s"], Some(-0.0015)),
    ];
    assert_eq!(all(&folder, run.events().unwrap().unwrap()).unwrap(), expected);
    folder.remove("events.csv");
    assert!(run.events().unwrap().is_none());
}

#[test]
fn a_fault_in_an_event_is_named_by_its_line_and_column() {
    let cases = [
        ("-1,0,tap,,,,", "line 3, column step: \"-1\" is not a whole number"),
        ("1.0,0,tap,,,,", "line 3, column step: \"1.0\" is not a whole number"),
        (",0,tap,,,,", "line 3, column step: \"\" is not a whole number"),
        ("18446744073709551616,0,tap,,,,", "line 3, column step: \"18446744073709551616\" is not a whole number"),
        ("1,soon,tap,,,,", "line 3, column time_s: \"soon\" is not a number"),
        (
            "1,,tap,,,,",
            "line 3, column time_s: the cell is empty where a number must be; a number that is not finite is written so",
        ),
        ("1,0,tap,,,inf,", "line 3, column value: inf is not a finite number"),
        ("1,0,tap,,,1e999,", "line 3, column value: 1e999 is not a finite number"),
        ("1,0,tap,,,0x10,", "line 3, column value: \"0x10\" is not a number"),
        ("1,0,tap,,,", "line 3: 6 cells where the header has 7"),
    ];
    for (row, expected) in cases {
        let folder = run_of(&[("events.csv", &format!("{EVENTS}0,0,start,,,,\n{row}\n2,0.1,end,,,,\n"))]);
        let run = RunFolder::open(folder.path()).unwrap();
        assert_eq!(all(&folder, run.events().unwrap().unwrap()), Err(format!("RUN/events.csv, {expected}")), "{row}");
    }
    // A text over two lines counts as two.
    let folder = run_of(&[("events.csv", &format!("{EVENTS}0,0,\"two\nlines\",,,,\n1,soon,tap,,,,\n"))]);
    let run = RunFolder::open(folder.path()).unwrap();
    let fault = all(&folder, run.events().unwrap().unwrap()).unwrap_err();
    assert_eq!(fault, "RUN/events.csv, line 4, column time_s: \"soon\" is not a number");
}

#[test]
fn text_that_is_not_utf_8_is_a_fault_of_its_cell() {
    let folder = run_of(&[]);
    std::fs::write(folder.path().join("events.csv"), [EVENTS.as_bytes(), b"0,0,\xff,,,,\n"].concat()).unwrap();
    let run = RunFolder::open(folder.path()).unwrap();
    let fault = all(&folder, run.events().unwrap().unwrap()).unwrap_err();
    assert_eq!(fault, "RUN/events.csv, line 2, column kind: the text is not UTF-8");
}

#[test]
fn measures_read_to_the_bit_and_are_met_or_not() {
    let text = "metric,value,unit,limit,ok\na_mm,1.5,mm,2,true\nb,,count,0,false\nc,-0.25,1,,\n";
    let folder = run_of(&[("summary.csv", text)]);
    let run = RunFolder::open(folder.path()).unwrap();
    let row = |metric: &str, value, unit: &str, limit, ok| SummaryRow {
        metric: metric.into(),
        value,
        unit: unit.into(),
        limit,
        ok,
    };
    let expected = [
        row("a_mm", Some(1.5), "mm", Some(2.0), Some(true)),
        row("b", None, "count", Some(0.0), Some(false)),
        row("c", Some(-0.25), "1", None, None),
    ];
    assert_eq!(run.summary().unwrap().unwrap(), expected);
    folder.write("summary.csv", &text.replace("true", "True"));
    let fault = run.summary().unwrap_err();
    assert_eq!(said(&folder, &fault), "RUN/summary.csv, line 2, column ok: \"True\" is neither true nor false");
    folder.write("summary.csv", &text.replace("limit,", ""));
    let fault = run.summary().unwrap_err();
    assert_eq!(said(&folder, &fault), "RUN/summary.csv: column limit is missing; it has metric,value,unit,ok");
}

/// A table of one's own: a name and a number, with the columns in another order than in the file.
#[derive(Debug, PartialEq)]
struct Boat(String, f64);

impl Row for Boat {
    const FILE: &'static str = "boats.csv";
    const COLUMNS: &'static [&'static str] = &["name", "speed_m_s"];

    fn read(cells: &Cells<'_>) -> Result<Self, CellFault> {
        Ok(Self(cells.text(0)?.to_owned(), cells.number(1)?))
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn rows_of_ones_own_read_back_whatever_they_hold(
        boats in prop::collection::vec(("[ -~\n]{0,8}", prop::num::f64::NORMAL | prop::num::f64::ZERO), 0..20)
    ) {
        let folder = run_of(&[]);
        let mut writer = csv::Writer::from_path(folder.path().join("boats.csv")).unwrap();
        writer.write_record(["speed_m_s", "note", "name"]).unwrap();
        for (name, speed) in &boats {
            writer.write_record([&speed.to_string(), "x", name]).unwrap();
        }
        writer.flush().unwrap();
        let run = RunFolder::open(folder.path()).unwrap();
        let read = all(&folder, run.rows::<Boat>().unwrap().unwrap()).unwrap();
        prop_assert_eq!(read, boats.into_iter().map(|(name, speed)| Boat(name, speed)).collect::<Vec<_>>());
    }

    #[test]
    fn the_step_before_a_time_is_one_or_two_rows_before_it(
        first in 0_u64..50, every in 1_u64..20, rows in 1_u64..40, at in 0.0_f64..1.0
    ) {
        let moment = |row: u64| Moment { step: first + every * row, time_s: (first + every * row) as f64 / 100.0 };
        let span = Span { first: moment(0), last: moment(rows), every };
        let time_s = span.first.time_s + at * (span.last.time_s - span.first.time_s);
        let row_s = every as f64 / 100.0;
        prop_assert!((span.row_s() - row_s).abs() < 1e-12);
        let before = span.step_before(time_s);
        let behind = (time_s * 100.0 - before as f64) / every as f64;
        prop_assert!((before - first).is_multiple_of(every) && behind > -1e-6);
        prop_assert!(behind < 2.0 + 1e-6 || before == first, "{behind} rows");
        // The nearest row is a row, and none is nearer.
        let nearest_s = span.nearest_row_s(time_s);
        prop_assert!((nearest_s - time_s).abs() <= 0.5 * row_s + 1e-9);
        let row = (nearest_s - span.first.time_s) / row_s;
        prop_assert!((row - row.round()).abs() < 1e-6);
        prop_assert!((span.nearest_row_s(-1.0) - span.first.time_s).abs() < 1e-9);
        prop_assert!((span.nearest_row_s(1e9) - span.last.time_s).abs() < 1e-9);
    }

    #[test]
    fn a_step_is_found_wherever_it_lies(step in 0_u64..6000) {
        let folder = Folder::of_swarm(3, 900);
        let run = RunFolder::open(folder.path()).unwrap();
        let mut table = run.stream("agents", |column| column == "x_mm").unwrap().unwrap();
        table.seek(step).unwrap();
        let mut rows = StepRows::default();
        let found = table.next_step(&mut rows).unwrap();
        // Rows are six steps apart, up to step 5394.
        let row = step.div_ceil(6);
        prop_assert_eq!(found.map(|moment| moment.step), (row < 900).then_some(6 * row));
        let expected: Vec<f64> = (0..3).map(|k| 100.0 * f64::from(k) + row as f64 + 0.1).collect();
        let xs: Vec<f64> = rows.iter().map(|row| row[3]).collect();
        prop_assert_eq!(xs, if row < 900 { expected } else { vec![] });
    }
}

#[test]
fn a_span_of_one_row_is_that_row() {
    let moment = Moment { step: 7, time_s: 0.7 };
    let span = Span { first: moment, last: moment, every: 1 };
    assert_eq!((span.row_s(), span.nearest_row_s(3.0), span.step_before(3.0)), (0.0, 0.7, 7));
}

#[test]
fn the_span_is_what_all_tables_share() {
    let rows = |steps: std::ops::RangeInclusive<u32>, every: usize| {
        steps.step_by(every).map(|step| format!("{step},{},0,1,2", f64::from(step) / 10.0)).collect::<Vec<_>>()
    };
    let folder_of = |cats: Vec<String>| {
        let tables = [sampled("bobs", 1, "bob:i x_m y_m", rows(0..=40, 4)), sampled("cats", 1, "cat:i x_m y_m", cats)];
        Folder::of_view(&view([party("bobs", "bob")], []), &tables)
    };
    let span = RunFolder::open(folder_of(rows(2..=30, 2)).path()).unwrap().span();
    assert_eq!(span, Span { first: Moment { step: 2, time_s: 0.2 }, last: Moment { step: 30, time_s: 3.0 }, every: 4 });
    // Without a common step there is nothing to show.
    let folder = folder_of(rows(50..=60, 2));
    assert_eq!(said(&folder, &RunFolder::open(folder.path()).unwrap_err()), "RUN: the tables have no step in common");
    // A table without rows is noted; one whose times go back or too far is refused.
    let folder = folder_of(vec![]);
    assert_eq!(RunFolder::open(folder.path()).unwrap().notes(), ["cats.csv has no rows"]);
    for (last, words) in [("4,-1,0,1,2", "from 0 s to -1 s"), ("4,1e10,0,1,2", "from 0 s to 10000000000 s")] {
        let folder = folder_of(vec!["0,0,0,1,2".into(), last.into()]);
        let fault = RunFolder::open(folder.path()).unwrap_err();
        assert_eq!(said(&folder, &fault), format!("RUN/cats.csv: its times go {words}"));
    }
}

#[test]
fn a_stream_must_begin_with_step_and_time_and_may_not_be_too_wide() {
    let folder = run_of(&[]);
    let tables = folder.read("tables.json");
    folder.write("tables.json", &tables.replacen("\"time_s\"", "\"when_s\"", 1));
    let fault = RunFolder::open(folder.path()).unwrap_err();
    assert_eq!(said(&folder, &fault), "RUN/bobs.csv: its first columns are not step and time_s");
    folder.write("tables.json", &tables.replacen("\"number\"", "{\"numbers\": 4000000000}", 2));
    let fault = RunFolder::open(folder.path()).unwrap_err();
    assert_eq!(said(&folder, &fault), "RUN/bobs.csv: a row has 8000000003 values, more than 100000");
}

#[test]
fn words_are_kept_once_and_missing_ones_are_empty() {
    let rows = ["0,0,0,red", "1,1,0,blue", "2,2,0,", "3,3,0,red"];
    let lamps = table("lamps", ON_EVENT, "bob:i colour:t", rows);
    let bobs = sampled("bobs", 1, "bob:i x_m y_m", ["0,0,0,1,2"]);
    let folder = Folder::of_view(&view([party("bobs", "bob")], []), &[bobs, lamps]);
    let run = RunFolder::open(folder.path()).unwrap();
    let mut lamps = run.stream("lamps", |_| true).unwrap().unwrap();
    let mut found = Vec::new();
    while let Some((_, row)) = lamps.next_row().unwrap() {
        found.push(row[3]);
    }
    assert_eq!(lamps.words().texts().as_slice(), ["red", "blue"]);
    assert!(found[2].is_nan() && [found[0], found[1], found[3]] == [0.0, 1.0, 0.0], "{found:?}");
    let texts = ["red".to_owned(), "blue".to_owned()];
    let all = [0.0, 1.0, 2.0, -1.0, f64::NAN].map(|value| text_at(&texts, value));
    assert_eq!(all, ["red", "blue", "", "", ""]);
    assert_eq!(file_of("lamps"), "lamps.csv");
    let fault = lamps.places("size").unwrap_err().to_string();
    assert_eq!(fault, "lamps.csv: view.json asks for column \"size\", which stream \"lamps\" does not have");
}

#[test]
fn a_folder_is_what_its_record_says() {
    let folder = run_of(&[]);
    let record = folder.read("run.json");
    let kinds = [("sim-run/1", Kind::Run), ("sim-batch/1", Kind::Batch), ("sim-sweep/1", Kind::Sweep)];
    for (format, kind) in kinds {
        folder.write("run.json", &record.replace("sim-run/1", format));
        assert_eq!(kind_of(folder.path()).unwrap(), kind);
    }
    // What is refused names what can be read of the same family.
    for (format, known) in [("sim-batch/9", "sim-batch/1"), ("sim-sweep/9", "sim-sweep/1"), ("tea", "sim-run/1")] {
        folder.write("run.json", &record.replace("sim-run/1", format));
        let fault = said(&folder, &kind_of(folder.path()).unwrap_err());
        assert_eq!(
            fault,
            format!(
                "RUN/run.json says format \"{format}\", and this version reads \"{known}\": it was made by a newer version, or is no run"
            )
        );
    }
    folder.write("run.json", "{}");
    let fault = said(&folder, &kind_of(folder.path()).unwrap_err());
    assert_eq!(fault, "RUN/run.json: missing field `format` at line 1 column 2");
    let file = folder.path().join("run.json");
    let fault = said(&folder, &kind_of(&file).unwrap_err());
    assert_eq!(fault, "RUN/run.json is a file; name the folder of a run, which holds it");
}

#[test]
fn a_folder_of_another_kind_is_refused_with_its_own_kind() {
    let folder = run_of(&[]);
    let record = folder.read("run.json");
    let refused = |format: &str| {
        folder.write("run.json", &record.replace("sim-run/1", format));
        let path = folder.path();
        let faults = [RunFolder::open(path).err(), BatchFolder::open(path).err(), SweepFolder::open(path).err()]
            .into_iter()
            .flatten();
        faults.map(|fault| said(&folder, &fault)).collect::<Vec<_>>()
    };
    let sweep = "RUN holds a sweep: its page is its report.html; a run of it lies below worst";
    assert_eq!(refused("sim-run/1"), ["RUN holds one run, not a batch", "RUN holds no sweep, but a run or a batch"]);
    assert_eq!(refused("sim-sweep/1")[..2], [sweep, sweep]);
    assert_eq!(refused("sim-batch/1")[0], "RUN holds a batch of runs; choose one of them, as in RUN/run-00000");
    folder.remove("run.json");
    assert_eq!(refused_all(&folder), ["RUN holds no run: it has no run.json"; 3]);
}

fn refused_all(folder: &Folder) -> [String; 3] {
    let path = folder.path();
    let faults = [RunFolder::open(path).err(), BatchFolder::open(path).err(), SweepFolder::open(path).err()];
    faults.map(|fault| said(folder, &fault.unwrap()))
}

#[test]
fn a_batch_tells_its_faults_and_what_it_lacks() {
    let folder = Folder::of_batch("run,seed,worst_mm\n0,7,60.5\n1,x,61\n2,7,1\n");
    let batch = BatchFolder::open(folder.path()).unwrap();
    let fault = all(&folder, batch.runs().unwrap()).unwrap_err();
    assert_eq!(fault, "RUN/runs.csv, line 3, column seed: \"x\" is not a whole number");
    folder.write("runs.csv", "run,worst_mm\n");
    let fault = said(&folder, &batch.runs().unwrap_err());
    assert_eq!(fault, "RUN/runs.csv: column seed is missing; it has run,worst_mm");
    folder.remove("runs.csv");
    assert_eq!(said(&folder, &batch.runs().unwrap_err()), "RUN/runs.csv is missing");
    assert_eq!(said(&folder, &batch.scenario_text().unwrap_err()), "RUN/scenario.json is missing");
    assert!(batch.summary().unwrap().is_none() && batch.view().unwrap().is_none());
    assert!(batch.near_misses().unwrap().is_none() && !batch.lacks_near_misses());
    assert_eq!(batch.run_path(17), folder.path().join("run-00017"));
}

#[test]
fn a_batch_that_was_stopped_or_is_newer_says_so() {
    let folder = Folder::of_batch("run,seed\n");
    let record = folder.read("run.json");
    let changed = record.replace("\"complete\": true", "\"complete\": false").replace("\"0.1.0\"", "\"99.0.0\"");
    folder.write("run.json", &changed);
    let notes = BatchFolder::open(folder.path()).unwrap().notes().to_vec();
    let newer =
        format!("the batch was made by version 99.0.0, which is newer than this one, {}", env!("CARGO_PKG_VERSION"));
    assert_eq!(notes, [newer, "the batch is not complete: it was stopped".to_owned()]);
}

#[test]
fn the_view_of_a_batch_is_its_own_or_that_of_the_first_run_that_has_one() {
    let folder = Folder::of_batch("run,seed\n");
    let batch = BatchFolder::open(folder.path()).unwrap();
    let unit = || batch.view().unwrap().map(|view| view.unit);
    let put = |name: &str, unit: &str| {
        std::fs::create_dir_all(folder.path().join(name).parent().unwrap()).unwrap();
        let view = sim_world::View { unit: unit.into(), ..view([], []) };
        folder.write(name, &serde_json::to_string(&view).unwrap());
    };
    put("run-00003/view.json", "third");
    assert_eq!(unit().as_deref(), Some("third"));
    put("run-00001/view.json", "first");
    assert_eq!(unit().as_deref(), Some("first"));
    put("view.json", "own");
    assert_eq!(unit().as_deref(), Some("own"));
    folder.write("view.json", "{");
    assert!(said(&folder, &batch.view().unwrap_err()).starts_with("RUN/view.json: EOF"));
}

#[test]
fn near_misses_read_with_whatever_columns_they_have() {
    let folder = Folder::of_batch("run,seed\n");
    let text =
        "run,call,step,time_s,kind,owner,x_mm,distance_mm,y_mm\n0,1,6,0.1,robot,3,1.5,60.25,\n0,1,6,0.1,foot,0,2,,4\n";
    folder.write("closest.csv", text);
    let batch = BatchFolder::open(folder.path()).unwrap();
    let rows = batch.near_misses().unwrap().unwrap();
    assert_eq!(rows.columns(), ["x_mm", "y_mm"]);
    let rows: Vec<NearMissRow> = all(&folder, rows).unwrap();
    assert_eq!((rows[0].kind.as_str(), rows[0].owner, rows[0].distance), ("robot", 3, Some(60.25)));
    assert_eq!((rows[0].run, rows[0].call, rows[0].moment), (0, 1, Moment { step: 6, time_s: 0.1 }));
    assert!(rows[0].numbers[0] == 1.5 && rows[0].numbers[1].is_nan());
    assert_eq!((rows[1].distance, &rows[1].numbers[..]), (None, &[2.0, 4.0][..]));
    folder.write("closest.csv", &text.replace("foot,0", "foot,none"));
    let fault = all(&folder, batch.near_misses().unwrap().unwrap()).unwrap_err();
    assert_eq!(fault, "RUN/closest.csv, line 3, column owner: \"none\" is not a whole number");
    folder.write("closest.csv", "run,call,step,time_s,kind,owner,x_mm\n");
    let fault = said(&folder, &batch.near_misses().unwrap_err());
    assert_eq!(fault, "RUN/closest.csv: column distance_m is missing; it has run,call,step,time_s,kind,owner,x_mm");
    // It is missed where tables.json lists it.
    folder.remove("closest.csv");
    let stream = sim_world::Stream::new("closest", "", sim_world::Cadence::AtEnd, []);
    folder.write("tables.json", &serde_json::json!({ "streams": [stream] }).to_string());
    assert!(batch.lacks_near_misses());
}

const SWEEP_JSON: &str = r#"{"name": "small", "design": "grid", "repeats": 5, "seed": 1, "paired_seeds": true,
    "axes": [{"path": "feet.travel", "values": ["core"]}, {"path": "agents.count", "name": "robots", "values": [10]}],
    "measures": ["clean", "room_mm"], "stop": null, "baseline": null}"#;

fn sweep_of(complete: bool, files: &[(&str, &str)]) -> (Folder, SweepFolder) {
    let folder = run_of(files);
    let record = format!(
        r#"{{"format": "sim-sweep/1", "version": "0.1.0", "sweep": "small", "cells": 1, "runs": 5, "complete": {complete}}}"#
    );
    folder.write("run.json", &record);
    folder.write("sweep.json", SWEEP_JSON);
    let sweep = SweepFolder::open(folder.path()).unwrap();
    (folder, sweep)
}

fn setting() -> Vec<Level> {
    vec![Level::Text("core".into()), Level::Number(10.0)]
}

#[test]
fn rows_of_a_sweep_read_with_their_setting_in_any_order_of_columns() {
    let files = [
        (
            "cells.csv",
            "agents.count,cell,feet.travel,status,runs,failed_runs,clean_runs,clean_low_95,clean_share,clean_high_95,ended,words\n\
             10,4,core,done,5,1,3,0.25,0.6,0.875,narrow,it went well\n10,5,core,infeasible,,,,,,,,too many\n",
        ),
        (
            "summary.csv",
            "cell,feet.travel,agents.count,measure,unit,limit,n,low_95,mean,high_95,sd,min,q05,q25,q50,q75,q95,max,interval\n\
             4,core,10,room_mm,mm,0,5,1,2,3,0.5,-1,0,1,2,3,4,5,t\n",
        ),
        (
            "differences.csv",
            "cell,feet.travel,agents.count,measure,unit,pairs,low_95,mean_difference,high_95\n4,core,10,clean,1,5,-0.5,-0.25,0\n",
        ),
        ("correlations.csv", "axis,measure,n,low_95,spearman,high_95\nagents.count,clean,3,-0.5,,0.5\n"),
        (
            "worst.csv",
            "rank,run,cell,feet.travel,agents.count,clean,room_mm,wait_s,folder,command\n1,7,4,core,10,0,-0.5,,worst/7,again\n",
        ),
        ("failures.csv", "run,feet.travel,agents.count,cause,command\n3,core,10,it stopped,again\n"),
        (
            "runs.csv",
            "run,cell,feet.travel,agents.count,status,clean,room_mm\n0,4,core,10,done,1,\n1,4,core,10,failed,,2.5\n",
        ),
    ];
    let (folder, sweep) = sweep_of(true, &files);
    let cells: Vec<CellRow> = all(&folder, sweep.rows().unwrap()).unwrap();
    assert_eq!((cells[0].cell, &cells[0].setting), (4, &setting()));
    assert_eq!((cells[0].runs, cells[0].failed_runs, cells[0].clean_runs), (5, 1, 3));
    assert_eq!(cells[0].clean, [0.25, 0.6, 0.875].map(Some));
    assert_eq!([&cells[0].status, &cells[0].ended, &cells[0].words], ["done", "narrow", "it went well"]);
    assert_eq!((cells[1].runs, cells[1].clean, cells[1].words.as_str()), (0, [None; 3], "too many"));
    let measures: Vec<MeasureRow> = all(&folder, sweep.rows().unwrap()).unwrap();
    assert_eq!((measures[0].mean, measures[0].sd), ([1.0, 2.0, 3.0].map(Some), Some(0.5)));
    assert_eq!(measures[0].quantiles, [-1.0, 0.0, 1.0, 2.0, 3.0, 4.0, 5.0].map(Some));
    assert_eq!((measures[0].limit, measures[0].n, measures[0].interval.as_str()), (Some(0.0), 5, "t"));
    let differences: Vec<DifferenceRow> = all(&folder, sweep.rows_if_any().unwrap().unwrap()).unwrap();
    assert_eq!((differences[0].pairs, differences[0].mean), (5, [-0.5, -0.25, 0.0].map(Some)));
    let correlations: Vec<CorrelationRow> = all(&folder, sweep.plain_rows_if_any().unwrap().unwrap()).unwrap();
    assert_eq!(
        (correlations[0].axis.as_str(), correlations[0].spearman),
        ("agents.count", [Some(-0.5), None, Some(0.5)])
    );
    let worst: Vec<WorstRow> = all(&folder, sweep.rows().unwrap()).unwrap();
    assert_eq!(worst[0].ranked_by, [("room_mm".to_owned(), Some(-0.5)), ("wait_s".to_owned(), None)]);
    assert_eq!((worst[0].rank, worst[0].run, worst[0].cell, worst[0].clean), (1, 7, 4, Some(0.0)));
    assert_eq!((worst[0].folder.as_str(), worst[0].command.as_str()), ("worst/7", "again"));
    let failures: Vec<FailureRow> = all(&folder, sweep.rows().unwrap()).unwrap();
    assert_eq!((failures[0].run, failures[0].cause.as_str(), &failures[0].setting), (3, "it stopped", &setting()));
    let runs: Vec<SweepRunRow> = all(&folder, sweep.rows().unwrap()).unwrap();
    assert_eq!(
        runs.iter().map(|row| row.values.clone()).collect::<Vec<_>>(),
        [vec![Some(1.0), None], vec![None, Some(2.5)]]
    );
}

#[test]
fn a_table_of_a_sweep_that_is_missing_or_cut_is_an_error_only_where_it_must_be_whole() {
    let text = "cell,feet.travel,agents.count,measure,unit,limit,n,low_95,mean,high_95,sd,min,q05,q25,q50,q75,q95,max,interval\n\
                1,core,10,a";
    let rows = |complete: bool, files: &[(&str, &str)]| {
        let (folder, sweep) = sweep_of(complete, files);
        let rows = sweep.rows::<MeasureRow>().map(|rows| rows.count());
        rows.map_err(|fault| said(&folder, &fault))
    };
    assert_eq!(rows(true, &[]), Err("RUN/summary.csv is missing".into()));
    assert_eq!(rows(false, &[]), Err("RUN/summary.csv is missing, since the sweep has not come to its end".into()));
    assert_eq!(rows(false, &[("summary.csv", text)]), Ok(0));
    let cut =
        "RUN/summary.csv ends in the middle of a row, though run.json says that it is complete: it was cut off later";
    assert_eq!(rows(true, &[("summary.csv", text)]), Err(cut.into()));
    let (folder, sweep) = sweep_of(true, &[("correlations.csv", "axis,measure,n,low_95,spearman,high_95\na,b")]);
    let fault = said(&folder, &sweep.plain_rows_if_any::<CorrelationRow>().unwrap_err());
    assert!(fault.starts_with("RUN/correlations.csv ends in the middle of a row"), "{fault}");
    assert!(sweep.rows_if_any::<DifferenceRow>().unwrap().is_none());
    assert_eq!((<FailureRow as SweepRow>::FILE, sweep.spec().repeats, sweep.record().runs), ("failures.csv", 5, 5));
}

#[test]
fn levels_are_numbers_or_words() {
    let files =
        [("failures.csv", "run,feet.travel,agents.count,cause,command\n0,1e3,nan,,\n1,inf,-0.5,,\n2,,10 mm,,\n")];
    let (folder, sweep) = sweep_of(true, &files);
    let rows: Vec<FailureRow> = all(&folder, sweep.rows().unwrap()).unwrap();
    let levels: Vec<String> = rows.iter().flat_map(|row| &row.setting).map(Level::to_string).collect();
    assert_eq!(levels, ["1000", "nan", "inf", "-0.5", "", "10 mm"]);
    let numbers: Vec<Option<f64>> = rows.iter().flat_map(|row| &row.setting).map(Level::number).collect();
    assert_eq!(numbers, [Some(1000.0), None, None, Some(-0.5), None, None]);
}
