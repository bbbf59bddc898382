//! What is said after one run.

use super::lines::{self, Detail, Line};
use crate::figures::short;
use crate::plan::Plan;
use serde_json::{Value, json};
use sim_run::RunReport;
use sim_run::checksum::hash_text;

/// A run and its result.
pub struct Result<'a> {
    pub plan: &'a Plan,
    pub report: &'a RunReport,
}

impl Result<'_> {
    fn lines(&self) -> Vec<Line> {
        let metrics = self.report.metrics.iter();
        metrics
            .map(|m| Line { name: m.name, value: m.value, unit: m.unit, bound: m.bound, limit: m.limit, ok: m.ok })
            .collect()
    }

    fn simulated_s(&self) -> f64 {
        self.plan.simulated_s(self.report.steps_done)
    }

    fn repeat(&self) -> String {
        self.plan.repeat.one(self.report.run_index, &self.plan.out)
    }

    /// For people.
    pub fn text(&self, detail: Detail, colour: bool) -> String {
        let Self { plan, report } = self;
        let lines = self.lines();
        let what = if plan.options.trace_every.is_some() { "tables and figures" } else { "figures" };
        format!(
            "{name}: seed {seed}, run {run}, {steps} steps, {simulated} s simulated\n{speed}\n{guarantee}\n\
             {acceptance}\n{highlights}\n\
             {what} are in {out}\n{next}to repeat it: {repeat}\n",
            name = plan.info().name,
            seed = plan.info().seed,
            run = report.run_index,
            steps = report.steps_done,
            simulated = short(self.simulated_s()),
            speed = lines::speed(&report.timing, self.simulated_s(), plan.words()),
            guarantee = lines::guarantee(plan.guarantee()),
            acceptance = lines::acceptance(&lines, plan.model().kind().ranking(), detail, colour),
            highlights = lines::highlights(plan.words(), "", &lines, detail),
            out = plan.out.display(),
            next = lines::next(&plan.out, plan.options.trace_every.is_some(), detail),
            repeat = self.repeat(),
        )
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let Self { plan, report } = self;
        json!({
            "kind": "run",
            "name": plan.info().name,
            "seed": plan.info().seed,
            "run_index": report.run_index,
            "steps": report.steps_done,
            "simulated_s": self.simulated_s(),
            "accepted": sim_run::accepted(&report.metrics),
            "promise": plan.guarantee().map(|guarantee| guarantee.level),
            "final_state_hash": hash_text(report.final_state_hash),
            "timing": lines::timing_json(&report.timing),
            "metrics": self.lines().iter().map(lines::json).collect::<Vec<_>>(),
            "out": plan.out.display().to_string(),
            "repeat": self.repeat(),
        })
    }
}
