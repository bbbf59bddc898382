//! `sim-cli run`.

use crate::args::{Format, RunArgs};
use crate::browser;
use crate::clock::WallClock;
use crate::figures::short;
use crate::interrupt;
use crate::outcome::{Failure, Outcome};
use crate::plan::{Plan, Which};
use crate::progress::Watcher;
use crate::reporter::Reporter;
use crate::summary::{Detail, batch, one};
use sim_run::worker_pool::work_on_one;
use sim_run::{Control, RunReport, run_batch, run_one};
use sim_view::replay::{self, REPLAY_HTML};

/// Makes the runs that the flags ask for, and says how they went.
pub fn run(args: &RunArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let stop = interrupt::listen(reporter)?;
    let plan = Plan::new(args)?;
    reporter.scenario_warnings(&plan.loaded.warnings, &plan.loaded.text);
    plan.tables_too_long().iter().for_each(|message| reporter.warning("table_length", message));
    let clock = WallClock::start();
    let watcher = Watcher::new(&plan, reporter, &clock, args.report.verbose > 0);
    let control = Control { observer: &watcher, stopwatch: &clock, stop };
    match plan.which {
        Which::One(index) => {
            let make = || run_one(plan.model(), plan.model().key(index), &plan.options, &control);
            let report = work_on_one(plan.jobs, make);
            watcher.finish();
            let report = report??;
            name_old_drawings(&plan, args, reporter);
            after_one(&plan, &report, args, reporter)
        }
        Which::Batch(runs) => {
            let report = run_batch(plan.model(), &plan.options, &plan.batch(runs), &control);
            let worst = watcher.finish();
            let result = batch::Result { plan: &plan, report: &report?, worst: worst.to_show(), runs };
            name_old_drawings(&plan, args, reporter);
            after_batch(&result, args, reporter)
        }
    }
}

/// A run draws nothing, so what is drawn in its folder shows the run that it has replaced.
fn name_old_drawings(plan: &Plan, args: &RunArgs, reporter: &Reporter) {
    if args.overwrite {
        reporter.drawings_that_stay(&plan.out);
    }
}

/// Flags that ask for more of the work ask for all of the result as well.
fn detail(args: &RunArgs) -> Detail {
    if args.report.verbose > 0 { Detail::Full } else { Detail::Brief }
}

fn after_one(plan: &Plan, report: &RunReport, args: &RunArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    if !report.complete {
        return Err(Failure::Interrupted(format!(
            "interrupted after {} of {} steps; what was written is kept in {}, marked as not complete",
            report.steps_done,
            plan.info().steps,
            plan.out.display()
        )));
    }
    let result = one::Result { plan, report };
    match reporter.format {
        Format::Text => reporter.result(&result.text(detail(args), Reporter::colours_results()))?,
        Format::Json => reporter.json_result(&result.json())?,
    }
    show(plan, args, reporter)?;
    verdict(args, sim_run::accepted(&report.metrics), || {
        let missed = report.metrics.iter().filter(|metric| metric.ok == Some(false));
        let words: Vec<String> = missed.map(|metric| format!("{} = {}", metric.name, short(metric.value))).collect();
        format!("not accepted: {}", words.join(", "))
    })
}

fn after_batch(result: &batch::Result<'_>, args: &RunArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let batch::Result { plan, report, runs, .. } = result;
    let done = report.summary.runs();
    if !report.complete {
        return Err(Failure::Interrupted(format!(
            "interrupted after {done} of {runs} runs; they are whole in {}, which is marked as not complete, and --resume goes on",
            plan.out.display()
        )));
    }
    match reporter.format {
        Format::Text => reporter.result(&result.text(detail(args), Reporter::colours_results()))?,
        Format::Json => reporter.json_result(&result.json())?,
    }
    show(plan, args, reporter)?;
    verdict(args, report.summary.is_accepted(), || {
        format!("not accepted: {} of {runs} runs", done - report.summary.accepted_runs())
    })
}

/// The page of the result, for those who asked for it. The folder holds this result and no other, so an old page is replaced.
fn show(plan: &Plan, args: &RunArgs, reporter: &Reporter) -> Result<(), Failure> {
    if !args.open {
        return Ok(());
    }
    let path = plan.out.join(REPLAY_HTML);
    let page = replay::write(&plan.out, &path, true)?;
    page.notes.iter().for_each(|note| reporter.warning("run", note));
    browser::show(&path.display().to_string(), reporter);
    Ok(())
}

/// Only those who asked for a verdict get one as an exit code.
fn verdict(args: &RunArgs, is_accepted: bool, words: impl FnOnce() -> String) -> Result<Outcome, Failure> {
    if args.accept && !is_accepted { Err(Failure::NotAccepted(words())) } else { Ok(Outcome::Done) }
}
