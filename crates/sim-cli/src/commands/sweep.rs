//! `sim-cli sweep`.

use crate::args::{Format, SweepArgs};
use crate::clock::WallClock;
use crate::figures::{clock, large, short};
use crate::outcome::{Failure, Outcome};
use crate::plan::jobs_or_cores;
use crate::progress::SweepWatcher;
use crate::reporter::Reporter;
use crate::{interrupt, source};
use anyhow::Context;
use serde_json::{Value, json};
use sim_run::Stopwatch;
use sim_run::run_folder::RUNS_CSV;
use sim_sweep::{
    AxisValue, CellSummary, Shard, ShardReport, Sweep, SweepControl, SweepOptions, SweepPlan, SweepProgress,
    SweepReport,
};
use sim_sweep::{merge, run_shard, run_sweep};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// Makes a sweep, a part of it, or says what it would make.
pub fn sweep(args: &SweepArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let sweep = source::load_sweep(&args.sweep)?;
    let out = args.out.clone().unwrap_or_else(|| Path::new("out").join(sweep.name()));
    if args.plan {
        return report_plan(&sweep, &sim_sweep::plan(&sweep), reporter);
    }
    let job = Job { sweep: &sweep, options: options(args, out)?, reporter, clock: WallClock::start() };
    match args.shard {
        Some(shard) => job.shard(shard),
        None => job.whole(args.merge),
    }
}

fn options(args: &SweepArgs, out: PathBuf) -> Result<SweepOptions, Failure> {
    let program = std::env::current_exe().context("could not find this program's own file")?;
    Ok(SweepOptions {
        out,
        jobs: jobs_or_cores(args.jobs),
        overwrite: args.overwrite,
        resume: args.resume,
        build: sim_sweep::build_of(&program)?,
        ..SweepOptions::default()
    })
}

/// What is to be made.
struct Job<'a> {
    sweep: &'a Sweep,
    options: SweepOptions,
    reporter: &'a Reporter,
    clock: WallClock,
}

impl Job<'_> {
    fn watched<T>(&self, numbers: Range<u64>, work: impl FnOnce(&SweepControl<'_>) -> T) -> Result<T, Failure> {
        let stop = interrupt::listen(self.reporter)?;
        let watcher = SweepWatcher::new(self.reporter, &self.clock, numbers);
        let done = work(&SweepControl { observer: &watcher, stopwatch: &self.clock, stop });
        watcher.finish();
        Ok(done)
    }

    fn whole(&self, from_shards: bool) -> Result<Outcome, Failure> {
        let make = if from_shards { merge } else { run_sweep };
        let report =
            self.watched(0..self.sweep.runs_at_most(), |control| make(self.sweep, &self.options, control))??;
        if !report.complete {
            return Err(Failure::Interrupted(format!(
                "interrupted after {}; they are kept in {}, and --resume goes on",
                runs(&report.progress),
                self.options.out.display()
            )));
        }
        if self.options.overwrite {
            self.reporter.drawings_that_stay(&self.options.out);
        }
        let page = sim_view::report::write(&self.options.out, true)?;
        page.notes.iter().for_each(|note| self.reporter.warning("report", note));
        self.output(&report, &page.html)?;
        Ok(Outcome::Done)
    }

    fn shard(&self, shard: Shard) -> Result<Outcome, Failure> {
        let numbers = shard.numbers(self.sweep);
        let report = self.watched(numbers, |control| run_shard(self.sweep, shard, &self.options, control))??;
        let ShardReport { complete, skipped, progress, path } = report;
        if !complete {
            return Err(Failure::Interrupted(format!("interrupted; shard {shard} is to be made again")));
        }
        match self.reporter.format {
            Format::Text => {
                let is_merged = path.ends_with(RUNS_CSV);
                let words = match (skipped, is_merged) {
                    (true, true) => "is not needed: the sweep is whole".to_owned(),
                    (true, false) => "is there already".to_owned(),
                    (false, _) => format!("is made: {}", runs(&progress)),
                };
                self.reporter.result(&format!("shard {shard} {words} ({})\n", path.display()))?;
            }
            Format::Json => self.reporter.json_result(&json!({
                "kind": "shard",
                "shard": shard.to_string(),
                "skipped": skipped,
                "rows": progress.rows,
                "file": path,
            }))?,
        }
        Ok(Outcome::Done)
    }

    fn output(&self, report: &SweepReport, page: &Path) -> Result<(), Failure> {
        let summary = &report.summary;
        match self.reporter.format {
            Format::Text => self.reporter.result(&self.text(report, page)),
            Format::Json => self.reporter.json_result(&json!({
                "kind": "sweep",
                "name": self.sweep.name(),
                "cells": self.sweep.cells(),
                "infeasible_cells": summary.infeasible_cells,
                "runs": summary.runs,
                "clean_runs": summary.clean_runs,
                "failed_runs": summary.failed_runs,
                "headline": self.headline_json(report),
                "wall_s": self.clock.now_s(),
                "out": self.options.out,
                "report": page,
            })),
        }
    }

    /// Name of the measure that was asked for first; none if that is `clean`, which the sentences of the cells are about.
    fn headline(&self) -> Option<&str> {
        self.sweep.spec().headline.as_deref().filter(|name| *name != "clean")
    }

    /// The smallest and the largest mean with their cells; one mean where there is no other.
    fn extreme_words(&self, [lowest, highest]: &[CellSummary; 2]) -> String {
        let cell = |cell: &CellSummary| {
            let values = self.sweep.axis_paths().zip(&cell.values).map(|(path, value)| format!("{path} {value}"));
            format!("{} at {}", mean_words(cell), values.collect::<Vec<_>>().join(", "))
        };
        if lowest.values == highest.values {
            return mean_words(lowest);
        }
        format!("lowest {}; highest {}", cell(lowest), cell(highest))
    }

    /// The measure that was asked for first: its means with their intervals in the listed cells, and the smallest and the largest of all.
    fn headline_json(&self, report: &SweepReport) -> Value {
        let cell = |cell: &CellSummary| {
            let setting: BTreeMap<&str, &AxisValue> = self.sweep.axis_paths().zip(&cell.values).collect();
            let interval = cell.interval.map(|interval| [interval.low, interval.high]);
            json!({ "setting": setting, "mean": cell.mean, "interval": interval })
        };
        let [lowest, highest] = [0, 1].map(|end| report.summary.extremes.as_ref().map(|extremes| cell(&extremes[end])));
        let cells: Vec<Value> = report.summary.cells.iter().map(cell).collect();
        json!({ "measure": self.sweep.spec().headline, "lowest": lowest, "highest": highest, "cells": cells })
    }

    fn text(&self, report: &SweepReport, page: &Path) -> String {
        let summary = &report.summary;
        let mut text = format!(
            "{}: {} cells, {} runs of which {} were clean, in {}\n\n",
            self.sweep.name(),
            self.sweep.cells(),
            summary.runs,
            summary.clean_runs,
            clock(self.clock.now_s())
        );
        let headline = self.headline();
        let header = self.sweep.axis_paths().chain(headline).map(str::to_owned).collect();
        let row = |cell: &CellSummary| {
            let values = cell.values.iter().map(ToString::to_string);
            values.chain(headline.map(|_| mean_words(cell))).collect()
        };
        let rows: Vec<Vec<String>> = std::iter::once(header).chain(summary.cells.iter().map(row)).collect();
        let words = std::iter::once("").chain(summary.cells.iter().map(|cell| cell.words.as_str()));
        for (row, words) in rows.iter().zip(words) {
            let cells: String = row.iter().enumerate().map(|(n, cell)| padded(cell, width(&rows, n))).collect();
            text += &format!("  {}\n", format!("{cells}{words}").trim_end());
        }
        let more = self.sweep.cells().saturating_sub(summary.cells.len() as u64);
        if more > 0 {
            text += &format!("  and {more} more in cells.csv\n");
        }
        if summary.failed_runs > 0 {
            text +=
                &format!("\n{} runs failed: failures.csv says why, and how to make them again\n", summary.failed_runs);
        }
        if let (Some(name), Some(extremes)) = (headline, &summary.extremes) {
            text += &format!("\n{name} (two-sided 95 % intervals): {}\n", self.extreme_words(extremes));
        }
        text + &format!("\nresults are in {}\nreport: {}\n", self.options.out.display(), page.display())
    }
}

/// The mean of the headline measure in a cell with its interval.
fn mean_words(cell: &CellSummary) -> String {
    let mean = short(cell.mean);
    match &cell.interval {
        Some(interval) => format!("{mean} ({} to {})", short(interval.low), short(interval.high)),
        None => mean,
    }
}

fn width(rows: &[Vec<String>], column: usize) -> usize {
    rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
}

fn padded(text: &str, width: usize) -> String {
    format!("{text:<width$}  ")
}

fn runs(progress: &SweepProgress) -> String {
    let made = progress.rows - progress.infeasible;
    format!("{made} run{}", if made == 1 { "" } else { "s" })
}

fn report_plan(sweep: &Sweep, plan: &SweepPlan, reporter: &Reporter) -> Result<Outcome, Failure> {
    match reporter.format {
        Format::Text => reporter.result(&plan_text(sweep, plan))?,
        Format::Json => reporter.json_result(&json!({
            "kind": "plan",
            "name": sweep.name(),
            "cells": plan.cells,
            "cells_looked_at": plan.looked_at,
            "infeasible_cells": plan.infeasible,
            "runs_at_most": plan.runs_at_most,
            "shards_at_most": plan.shards_at_most,
            "core_s": plan.cpu_seconds,
            "disk_bytes": plan.disk_bytes,
        }))?,
    }
    Ok(Outcome::Done)
}

fn plan_text(sweep: &Sweep, plan: &SweepPlan) -> String {
    let mut text = format!("{}: {} cells, at most {} runs\n", sweep.name(), plan.cells, plan.runs_at_most);
    if !sweep.spec().question.is_empty() {
        text += &format!("question: {}\n", sweep.spec().question);
    }
    for (axis, path) in sweep.spec().axes.iter().zip(sweep.axis_paths()) {
        text += &format!("axis: {path}{}\n", axis.words());
    }
    let repeats = match &sweep.spec().stop {
        None => format!("{} in each cell", sweep.repeats()),
        Some(stop) => format!("at most {} in each cell, looked at after every {}", sweep.repeats(), stop.every),
    };
    text += &format!("runs: {repeats}\n");
    text += &format!(
        "about {} on one core, {}B of tables (rough: for a machine of 2024)\n",
        clock(plan.cpu_seconds),
        large(plan.disk_bytes as f64)
    );
    if let Some((cell, cause)) = &plan.first_infeasible {
        let looked_at =
            if plan.looked_at < plan.cells { format!(" of {} looked at", plan.looked_at) } else { String::new() };
        text += &format!("{} cells{looked_at} cannot be run; the first is cell {cell}: {cause}\n", plan.infeasible);
    }
    text
}
