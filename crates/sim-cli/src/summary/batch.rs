//! What is said after many runs.

use super::lines::{self, Detail, Line};
use crate::figures::short;
use crate::plan::Plan;
use crate::worst::BadRun;
use serde_json::{Value, json};
use sim_run::BatchReport;
use sim_world::Ranking;
use std::fmt::Write;

/// A batch and its result.
pub struct Result<'a> {
    pub plan: &'a Plan,
    pub report: &'a BatchReport,
    pub worst: &'a [BadRun],
    pub runs: u64,
}

impl Result<'_> {
    /// The measures over all runs; those that mean nothing over several runs have no value.
    fn lines(&self) -> Vec<Line> {
        let metrics = self.report.summary.metrics().iter();
        metrics
            .map(|m| Line { name: m.name, value: m.value(), unit: m.unit, bound: m.bound, limit: m.limit, ok: m.ok })
            .collect()
    }

    fn simulated_s(&self) -> f64 {
        self.plan.simulated_s(self.report.timing.steps)
    }

    /// For people.
    pub fn text(&self, detail: Detail, colour: bool) -> String {
        let Self { plan, report, runs, .. } = self;
        let lines = self.lines();
        format!(
            "{name}: seed {seed}, {runs} runs of {steps} steps ({simulated} s simulated each)\n{speed}\n{guarantee}\
             {accepted} of {runs} runs accepted; at 95 % confidence at most {upper} % of such runs fail\n\n\
             {acceptance}\n{highlights}\n\
             {worst}\n\
             results are in {out}\n{next}to repeat all: {repeat}\n",
            name = plan.info().name,
            seed = plan.info().seed,
            steps = plan.info().steps,
            simulated = short(plan.simulated_s(plan.info().steps)),
            speed = lines::speed(&report.timing, self.simulated_s(), plan.words()),
            accepted = report.summary.accepted_runs(),
            upper = short(100.0 * report.summary.failure_rate_upper_95()),
            guarantee = lines::guarantee(plan.guarantee()),
            acceptance = lines::acceptance(&lines, self.ranking(), detail, colour),
            highlights = lines::highlights(plan.words(), " over all runs", &lines, detail),
            worst = self.worst_text(),
            out = plan.out.display(),
            next = lines::next(&plan.out, plan.options.trace_every.is_some(), detail),
            repeat = plan.repeat.batch(*runs, &plan.out),
        )
    }

    fn ranking(&self) -> &'static Ranking {
        self.plan.model().kind().ranking()
    }

    fn worst_text(&self) -> String {
        let clean = self.worst.iter().all(|run| run.missed.is_empty());
        let ranking = self.ranking();
        if clean && matches!(ranking, Ranking::Largest { .. }) {
            // The best of the worst is no news.
            return String::new();
        }
        let mut text = if clean { "Narrowest run:\n" } else { "Worst runs:\n" }.to_owned();
        for run in self.worst {
            let words = if run.missed.is_empty() { margin(ranking, run.ranking) } else { missed(run) };
            let command = self.plan.repeat.of_batch(run.run_index, &self.plan.out);
            let _ = writeln!(text, "  run {}: {words}\n    {command}", run.run_index);
        }
        text
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let Self { plan, report, runs, .. } = self;
        json!({
            "kind": "batch",
            "name": plan.info().name,
            "seed": plan.info().seed,
            "runs": runs,
            "steps": plan.info().steps,
            "simulated_s": self.simulated_s(),
            "accepted": report.summary.is_accepted(),
            "accepted_runs": report.summary.accepted_runs(),
            "failure_rate_upper_95": report.summary.failure_rate_upper_95(),
            "promise": plan.guarantee().map(|guarantee| guarantee.level),
            "timing": lines::timing_json(&report.timing),
            "metrics": self.lines().iter().map(lines::json).collect::<Vec<_>>(),
            "worst": self.worst.iter().map(|run| self.worst_json(run)).collect::<Vec<_>>(),
            "out": plan.out.display().to_string(),
            "repeat": plan.repeat.batch(*runs, &plan.out),
        })
    }

    fn worst_json(&self, run: &BadRun) -> Value {
        let missed: Vec<Value> =
            run.missed.iter().map(|(name, value)| json!({ "metric": name, "value": value })).collect();
        json!({
            "run_index": run.run_index,
            "missed": missed,
            self.ranking().name(): run.ranking,
            "repeat": self.plan.repeat.of_batch(run.run_index, &self.plan.out),
        })
    }
}

fn missed(run: &BadRun) -> String {
    run.missed.iter().map(|(name, value)| format!("{name} {}", short(*value))).collect::<Vec<_>>().join(", ")
}

fn margin(ranking: &Ranking, value: f64) -> String {
    if value.is_finite() {
        format!("{} {} to spare", short(value), ranking.unit())
    } else {
        "no limit was ever near".to_owned()
    }
}
