//! The blocks that the summaries of one run and of many have in common.

use crate::figures::{large, with_unit};
use clap::builder::styling::{AnsiColor, Style};
use serde_json::{Value, json};
use sim_run::timing::Timing;
use sim_world::{Guarantee, Words};
use std::fmt::Write;

/// One measure, of one run or of many.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    pub name: &'static str,
    pub value: f64,
    pub unit: &'static str,
    pub limit: Option<f64>,
    pub ok: Option<bool>,
}

/// Measures that are held to a limit, with a mark each.
pub fn acceptance(lines: &[Line], colour: bool) -> String {
    let mut text = String::new();
    for line in lines {
        let Some(limit) = line.limit else { continue };
        let value = with_unit(line.value, line.unit);
        let _ = writeln!(
            text,
            "  {}  {:<24} {value:>14}   limit {}",
            mark(line.ok, colour),
            line.name,
            with_unit(limit, line.unit)
        );
    }
    text
}

/// Measures that a world shows beside its limits, under its heading; those without a value are left out.
pub fn highlights(words: &Words, over: &str, lines: &[Line]) -> String {
    let mut text = format!("{}{over}:\n", words.heading);
    for (name, explanation) in words.highlights {
        let found = lines.iter().find(|line| line.name == *name && line.value.is_finite());
        let Some(line) = found else { continue };
        let _ = writeln!(text, "          {name:<24} {:>14}   {explanation}", with_unit(line.value, line.unit));
    }
    text
}

/// What is known about safety, on a line of its own, where anything is.
pub fn guarantee(guarantee: Option<&Guarantee>) -> String {
    guarantee.map_or_else(String::new, |guarantee| format!("promised: {}\n", guarantee.text))
}

fn mark(ok: Option<bool>, colour: bool) -> String {
    let (word, style) = match ok {
        Some(true) => ("ok    ", AnsiColor::Green.on_default()),
        Some(false) => ("MISSED", AnsiColor::Red.on_default().bold()),
        None => ("-     ", Style::new()),
    };
    if colour { format!("{style}{word}{style:#}") } else { word.to_owned() }
}

/// How long it took, and how fast that is.
pub fn speed(timing: &Timing, simulated_s: f64, words: &Words) -> String {
    if timing.wall_s <= 0.0 {
        return "took no time that could be measured".to_owned();
    }
    format!(
        "took {:.2} s: {} times real time, {} {}-steps/s",
        timing.wall_s,
        large(simulated_s / timing.wall_s),
        large(timing.agent_steps_per_s),
        words.agent
    )
}

/// The same figures as in `timing.json`.
pub fn timing_json(timing: &Timing) -> Value {
    serde_json::to_value(timing).unwrap_or(Value::Null)
}

/// A measure as an object; what is not a number is null.
pub fn json(line: &Line) -> Value {
    json!({ "metric": line.name, "value": line.value, "unit": line.unit, "limit": line.limit, "ok": line.ok })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(name: &'static str, value: f64, unit: &'static str, limit: Option<f64>, ok: Option<bool>) -> Line {
        Line { name, value, unit, limit, ok }
    }

    #[test]
    fn lines_with_a_limit_are_marked_and_others_left_out() {
        let lines = [
            line("d_r_violations", 3.0, "count", Some(0.0), Some(false)),
            line("speed_mean_mm_s", 31.0, "mm/s", None, None),
            line("min_robot_foot_mm", f64::NAN, "mm", Some(100.0), None),
            line("min_robot_robot_mm", 60.25, "mm", Some(60.0), Some(true)),
        ];
        let wanted = "  MISSED  d_r_violations                        3   limit 0
  -       min_robot_foot_mm                     -   limit 100 mm
  ok      min_robot_robot_mm             60.25 mm   limit 60 mm
";
        assert_eq!(acceptance(&lines, false), wanted);
        assert!(acceptance(&lines, true).contains("\u{1b}["));
    }

    #[test]
    fn highlights_have_their_own_order_and_leave_out_what_has_no_value() {
        let highlights_of_world =
            &[("moving_share", "in motion"), ("speed_mean_mm_s", "mean speed"), ("foot_waits", "lost")];
        let words = Words { agent: "robot", heading: "Liveliness", highlights: highlights_of_world };
        let lines = [
            line("foot_waits", f64::NAN, "1", None, None),
            line("speed_mean_mm_s", 31.25, "mm/s", None, None),
            line("moving_share", 0.5, "1", None, None),
        ];
        let text = highlights(&words, "", &lines);
        assert_eq!(text.lines().count(), 3);
        assert!(text.lines().nth(1).unwrap().contains("moving_share"), "{text}");
        assert!(text.contains("31.25 mm/s   mean speed"), "{text}");
    }

    #[test]
    fn json_has_null_where_there_is_no_value() {
        assert_eq!(json(&line("a", f64::NAN, "mm", None, None))["value"], Value::Null);
    }
}
