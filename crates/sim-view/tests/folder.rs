//! The folder of a run, read back: what is right reads exactly, and what is wrong is said with file, line and column.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{Folder, header_of};
use sim_view::folder::{BatchFolder, FolderError, Kind, RunFolder, StepRows, StreamTable, kind_of};

/// A table of which all columns are read.
fn table_of(run: &RunFolder, stream: &str) -> Result<StreamTable, FolderError> {
    Ok(run.stream(stream, |_| true)?.unwrap())
}

/// All values of a column in some rows.
fn values(rows: &StepRows, place: usize) -> Vec<f64> {
    rows.iter().map(|row| row[place]).collect()
}

fn read_all_agents(folder: &Folder) -> Result<(), FolderError> {
    let mut table = table_of(&RunFolder::open(folder.path())?, "agents")?;
    let mut rows = StepRows::default();
    while table.next_step(&mut rows)?.is_some() {}
    Ok(())
}

fn error_of(folder: &Folder) -> String {
    let error = RunFolder::open(folder.path()).unwrap_err();
    assert!(error.is_input());
    error.to_string().replace(&folder.path().display().to_string(), "RUN")
}

#[test]
fn a_run_reads_back_to_the_bit() {
    let folder = Folder::of_swarm(3, 5);
    let run = RunFolder::open(folder.path()).unwrap();
    assert_eq!(run.notes(), [] as [String; 0]);
    assert_eq!((run.record().seed, run.view().unit.as_str()), (7, "mm"));
    assert_eq!((run.span().first.step, run.span().last.step, run.span().every), (0, 24, 6));
    let mut table = table_of(&run, "agents").unwrap();
    let mut rows = StepRows::default();
    let mut steps = 0;
    while let Some(moment) = table.next_step(&mut rows).unwrap() {
        assert_eq!(moment.step, 6 * steps);
        assert_eq!((rows.len(), values(&rows, 2)), (3, vec![0.0, 1.0, 2.0]));
        assert!(values(&rows, 1).iter().all(|&time_s| time_s == moment.time_s));
        assert_eq!(values(&rows, 3)[2], 200.1 + steps as f64);
        let last = rows.iter().next().unwrap();
        assert!(last[12] == 100.0 && last[13].is_nan());
        steps += 1;
    }
    assert_eq!(steps, 5);
    assert_eq!(run.summary().unwrap().unwrap()[1].value, None);
}

#[test]
fn seeking_finds_the_same_rows_as_reading_through() {
    let folder = Folder::of_swarm(7, 900);
    let run = RunFolder::open(folder.path()).unwrap();
    let [mut through, mut sought] = [(); 2].map(|()| table_of(&run, "agents").unwrap());
    let (mut a, mut b) = (StepRows::default(), StepRows::default());
    let mut at = 0;
    while let Some(moment) = through.next_step(&mut a).unwrap() {
        // Each step, the steps between two rows, and back to the start now and then.
        for step in [moment.step.saturating_sub(5), moment.step] {
            sought.seek(step).unwrap();
            assert_eq!(sought.next_step(&mut b).unwrap(), Some(moment));
            assert_eq!(values(&a, 3), values(&b, 3));
        }
        at += 1;
    }
    assert_eq!(at, 900);
    sought.seek(6 * 899 + 1).unwrap();
    assert_eq!(sought.next_step(&mut b).unwrap(), None);
    assert!(b.is_empty());
}

#[test]
fn columns_may_stand_in_any_order_and_more_may_be_there() {
    let folder = Folder::of_swarm(0, 2);
    folder.write("feet.csv", "note,vy_mm_s,vx_mm_s,y_mm,x_mm,state,foot,time_s,step\nhello,4,3,2,1,roam,0,0.5,30\n");
    let run = RunFolder::open(folder.path()).unwrap();
    let (mut table, mut rows) = (table_of(&run, "feet").unwrap(), StepRows::default());
    assert_eq!(table.next_step(&mut rows).unwrap().unwrap().step, 30);
    let row = rows.iter().next().unwrap();
    assert_eq!((&row[4..8], table.words().text(row[3])), (&[1.0, 2.0, 3.0, 4.0][..], "roam"));
}

#[test]
fn a_missing_column_a_missing_table_and_an_empty_one_are_named() {
    let folder = Folder::of_swarm(2, 2);
    let header = header_of("agents.csv").replace(",heading_rad", "");
    folder.write("agents.csv", &format!("{header}\n"));
    assert_eq!(error_of(&folder), format!("RUN/agents.csv: column heading_rad is missing; it has {header}"));
    folder.write("agents.csv", "");
    assert_eq!(error_of(&folder), "RUN/agents.csv is empty: it has not even a header line");
    folder.write("agents.csv", "step,time_s");
    assert_eq!(error_of(&folder), "RUN/agents.csv is empty: it has not even a header line");
    folder.remove("agents.csv");
    assert_eq!(error_of(&folder), "RUN/agents.csv is missing, though 2 owners have rows in it");
    ["feet.csv", "events.csv"].iter().for_each(|name| folder.remove(name));
    assert_eq!(error_of(&folder), "RUN holds no tables: a run with --no-trace writes none");
}

#[test]
fn a_table_that_was_cut_counts_up_to_its_last_whole_step() {
    let folder = Folder::of_swarm(3, 5);
    let whole = folder.read("agents.csv");
    let notes = |text: &str| {
        folder.write("agents.csv", text);
        let run = RunFolder::open(folder.path()).unwrap();
        let mut table = table_of(&run, "agents").unwrap();
        let (mut rows, mut steps) = (StepRows::default(), 0);
        while table.next_step(&mut rows).unwrap().is_some() {
            assert_eq!(rows.len(), 3);
            steps += 1;
        }
        assert_eq!(run.span().last.step, 6 * (steps - 1));
        (run.notes().join("; "), steps)
    };
    let lines: Vec<&str> = whole.lines().collect();
    let first_lines = |count: usize| lines[..count].join("\n") + "\n";
    assert_eq!(notes(&whole), (String::new(), 5));
    // Without its line end, the last row may lack digits.
    let within_a_row = "agents.csv ends in the middle of a step; it counts up to step 18";
    assert_eq!(notes(whole.trim_end()), (within_a_row.to_owned(), 4));
    assert_eq!(notes(&first_lines(15)), (within_a_row.to_owned(), 4));
    assert_eq!(notes(&first_lines(14)), (within_a_row.to_owned(), 4));
    let cut = first_lines(13) + "24,0.4";
    assert_eq!(notes(&cut), ("agents.csv ends in the middle of a row; it counts up to step 18".to_owned(), 4));
}

#[test]
fn a_killed_run_is_read_under_its_partial_names_and_says_so() {
    let folder = Folder::of_swarm(2, 4);
    folder.write("run.json", &folder.read("run.json").replace("\"complete\": true", "\"complete\": false"));
    folder.rename("agents.csv", "agents.csv.partial");
    folder.rename("feet.csv", "feet.csv.partial");
    folder.write("feet.csv.partial", folder.read("feet.csv.partial").trim_end());
    let run = RunFolder::open(folder.path()).unwrap();
    assert_eq!(
        run.notes(),
        ["the run is not complete: it was stopped", "feet.csv ends in the middle of a row; it counts up to step 12"]
    );
    assert_eq!(run.span().last.step, 12);
}

#[test]
fn a_bad_cell_is_named_by_line_and_column() {
    let folder = Folder::of_swarm(2, 400);
    let whole = folder.read("agents.csv");
    let error = |line: usize, column: usize, cell: &str| {
        let mut lines: Vec<String> = whole.lines().map(str::to_owned).collect();
        let mut cells: Vec<&str> = lines[line - 1].split(',').collect();
        cells[column] = cell;
        lines[line - 1] = cells.join(",");
        folder.write("agents.csv", &(lines.join("\n") + "\n"));
        let error = read_all_agents(&folder).unwrap_err().to_string();
        error.replace(&folder.path().display().to_string(), "RUN")
    };
    assert_eq!(error(300, 4, "NaN"), "RUN/agents.csv, line 300, column y_mm: NaN is not a finite number");
    assert_eq!(error(301, 3, "left"), "RUN/agents.csv, line 301, column x_mm: \"left\" is not a number");
    assert_eq!(
        error(302, 1, ""),
        "RUN/agents.csv, line 302, column time_s: the cell is empty where a number must be; a number that is not finite is written so"
    );
    assert_eq!(error(303, 2, "0,0"), "RUN/agents.csv, line 303: 15 cells where the header has 14");
    assert_eq!(
        error(303, 0, "3"),
        "RUN/agents.csv, line 303: step 3 comes after step 900; rows must be in the order of their steps"
    );
}

#[test]
fn a_newer_version_is_noted_and_a_newer_format_refused() {
    let folder = Folder::of_swarm(1, 2);
    let record = folder.read("run.json");
    folder.write("run.json", &record.replace("\"0.1.0\"", "\"99.0.0\""));
    let run = RunFolder::open(folder.path()).unwrap();
    assert_eq!(run.notes(), ["the run was made by version 99.0.0, which is newer than this one, 0.1.0"]);
    folder.write("run.json", &record.replace("sim-run/1", "sim-run/2"));
    assert_eq!(
        error_of(&folder),
        "RUN/run.json says format \"sim-run/2\", and this version reads \"sim-run/1\": it was made by a newer version, or is no run"
    );
}

#[test]
fn what_is_no_run_is_said_to_be_none() {
    let folder = Folder::of_swarm(1, 2);
    let nowhere = RunFolder::open(&folder.path().join("nowhere")).unwrap_err();
    assert!(matches!(nowhere, FolderError::NoFolder { .. }), "{nowhere}");
    folder.remove("scenario.json");
    assert_eq!(error_of(&folder), "RUN/scenario.json is missing");
    folder.remove("run.json");
    assert_eq!(error_of(&folder), "RUN holds no run: it has no run.json");
}

#[test]
fn without_robots_the_feet_are_still_there() {
    let folder = Folder::of_swarm(0, 3);
    let run = RunFolder::open(folder.path()).unwrap();
    assert!(run.stream("agents", |_| true).unwrap().is_none());
    assert_eq!(run.span().last.step, 12);
}

#[test]
fn a_batch_reads_its_runs_with_whatever_measures_they_have() {
    let folder = Folder::of_batch("run,seed,worst_mm,share\n0,7,60.5,\n1,7,61.25,0.5\n");
    assert_eq!(kind_of(folder.path()).unwrap(), Kind::Batch);
    assert!(matches!(RunFolder::open(folder.path()), Err(FolderError::Batch { .. })));
    let batch = BatchFolder::open(folder.path()).unwrap();
    let rows = batch.runs().unwrap();
    assert_eq!(rows.metrics(), ["worst_mm", "share"]);
    let rows: Vec<_> = rows.map(Result::unwrap).collect();
    assert_eq!((rows[0].run, rows[0].seed, &rows[0].values[..]), (0, 7, &[Some(60.5), None][..]));
    assert_eq!(rows[1].values, [Some(61.25), Some(0.5)]);
}

#[test]
fn a_run_of_any_world_opens_if_it_says_how_it_is_drawn() {
    let folder = Folder::of_swarm(1, 2);
    folder.write("run.json", &folder.read("run.json").replace(r#""world": "mat""#, r#""world": "sea""#));
    assert_eq!(RunFolder::open(folder.path()).unwrap().record().world, "sea");
    folder.write("view.json", &folder.read("view.json").replace("\"remarks\":[]", "\"remarks\":[\"the sea is calm\"]"));
    assert_eq!(RunFolder::open(folder.path()).unwrap().notes(), ["the sea is calm"]);
    folder.remove("view.json");
    assert_eq!(error_of(&folder), "RUN/view.json is missing");
    folder.remove("tables.json");
    assert_eq!(error_of(&folder), "RUN/tables.json is missing");
}

#[test]
fn only_wanted_columns_are_read() {
    let folder = Folder::of_swarm(2, 2);
    let run = RunFolder::open(folder.path()).unwrap();
    let mut table = run.stream("agents", |column| column == "y_mm").unwrap().unwrap();
    let mut rows = StepRows::default();
    table.next_step(&mut rows).unwrap();
    let second = rows.iter().nth(1).unwrap();
    assert_eq!((second[0], second[1], second[2], second[4]), (0.0, 0.0, 1.0, 50.0));
    assert!(second[3].is_nan() && second[5..].iter().all(|value| value.is_nan()));
    assert!(run.stream("boats", |_| true).is_err());
}
