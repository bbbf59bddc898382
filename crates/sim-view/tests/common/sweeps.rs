//! Folders of small sweeps, written by hand.

use super::Folder;
use super::bobs::{party, sampled, view};
use std::fmt::Write as _;

/// An axis: path, name, unit, and the key of its values with them, as in `"values": [1, 2]`.
pub type Axis = [&'static str; 4];

/// A cell: its values, its runs and those that kept all limits; the mean of `room_mm` with its interval.
#[derive(Clone)]
pub struct Cell {
    pub values: Vec<String>,
    pub runs: u64,
    pub clean: u64,
    pub room_mm: [f64; 3],
}

pub fn cell(values: &[&str], runs: u64, clean: u64, room_mm: [f64; 3]) -> Cell {
    Cell { values: values.iter().map(|&value| value.to_owned()).collect(), runs, clean, room_mm }
}

/// A sweep to be written; `more` are further keys of `sweep.json`.
pub struct Sweep {
    pub axes: Vec<Axis>,
    pub design: &'static str,
    pub more: &'static str,
    pub cells: Vec<Cell>,
}

/// Keys of `sweep.json` where nothing else is asked for.
pub const PLAIN: &str = r#""paired_seeds": true, "stop": null, "baseline": null"#;

impl Sweep {
    pub fn write(&self) -> Folder {
        let folder =
            Folder::of_view(&view([party("bobs", "bob")], []), &[sampled("bobs", 0, "bob:i x_m y_m", [""; 0])]);
        let cells = self.cells.len();
        let runs: u64 = self.cells.iter().map(|cell| cell.runs).sum();
        folder.write(
            "run.json",
            &format!(
                r#"{{"format": "sim-sweep/1", "version": "0.1.0", "sweep": "small", "cells": {cells}, "runs": {runs}, "complete": true}}"#
            ),
        );
        let axis = |[path, name, unit, choice]: &Axis| {
            format!(r#"{{"path": "{path}", "name": "{name}", "unit": "{unit}", {choice}}}"#)
        };
        let axes: Vec<String> = self.axes.iter().map(axis).collect();
        let (axes, design, more) = (axes.join(", "), self.design, self.more);
        folder.write(
            "sweep.json",
            &format!(
                r#"{{"name": "small", "question": "How many?", "design": "{design}", "axes": [{axes}], "repeats": 50, "seed": 9,
                "measures": ["clean", "room_mm"], {more}}}"#
            ),
        );
        self.write_tables(&folder);
        folder
    }

    fn write_tables(&self, folder: &Folder) {
        let paths: String = self.axes.iter().map(|[path, ..]| format!("{path},")).collect();
        let mut cells = format!(
            "cell,{paths}status,runs,failed_runs,clean_runs,clean_share,clean_low_95,clean_high_95,ended,words\n"
        );
        let mut summary =
            format!("cell,{paths}measure,unit,limit,n,mean,sd,min,q05,q25,q50,q75,q95,max,low_95,high_95,interval\n");
        for (n, Cell { values, runs, clean, room_mm: [low, mean, high] }) in self.cells.iter().enumerate() {
            let values: String = values.iter().map(|value| format!("{value},")).collect();
            let (share, bad) = (*clean as f64 / *runs as f64, runs - clean);
            writeln!(cells, "{n},{values}done,{runs},0,{clean},{share},0,1,repeats,{bad} of {runs} runs went wrong")
                .unwrap();
            writeln!(summary, "{n},{values}clean,1,,{runs},{share},0,0,0,1,1,1,1,1,0,1,clopper-pearson").unwrap();
            writeln!(summary, "{n},{values}room_mm,mm,0.5,{runs},{mean},1,-1,0,1,2,3,4,5,{low},{high},t").unwrap();
        }
        folder.write("cells.csv", &cells);
        folder.write("summary.csv", &summary);
        folder.write("runs.csv", &format!("run,cell,{paths}status,clean,room_mm\n"));
    }
}
