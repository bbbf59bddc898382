//! The blocks that the summaries of one run and of many have in common.

use crate::figures::{large, with_unit};
use clap::builder::styling::{AnsiColor, Style};
use serde_json::{Value, json};
use sim_run::measure::Bound;
use sim_run::shell::quoted;
use sim_run::timing::Timing;
use sim_world::{Guarantee, Ranking, Words};
use std::fmt::Write;
use std::path::Path;

/// One measure, of one run or of many.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    pub name: &'static str,
    pub value: f64,
    pub unit: &'static str,
    pub bound: Bound,
    pub limit: Option<f64>,
    pub ok: Option<bool>,
}

/// How much of the measures is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// What a person asks first: missed limits, the nearest ones, a few measures.
    Brief,
    /// All limits, and all measures that the world points out.
    Full,
}

/// Highlights in a brief summary.
const BRIEF_HIGHLIGHTS: usize = 4;

/// How many limits are kept, then measures with their limits and marks: all, or those that are missed or that the world ranks runs by.
pub fn acceptance(lines: &[Line], ranking: &Ranking, detail: Detail, colour: bool) -> String {
    let judged = lines.iter().filter(|line| line.ok.is_some()).count();
    let missed = lines.iter().filter(|line| line.ok == Some(false)).count();
    let mut text = match (judged, missed) {
        (0, _) => "No limit was judged.\n".to_owned(),
        (1, 0) => "The one limit is kept.\n".to_owned(),
        (_, 0) => format!("All {judged} limits are kept.\n"),
        _ => format!("{missed} of {judged} limits are missed:\n"),
    };
    let is_first = |line: &Line| line.ok == Some(false) || (line.value.is_finite() && ranking.reads(line.name));
    for line in lines.iter().filter(|line| detail == Detail::Full || is_first(line)) {
        let Some(limit) = line.limit else { continue };
        let value = with_unit(line.value, line.unit);
        let _ = writeln!(
            text,
            "  {}  {:<24} {value:>14}   {} {}",
            mark(line.ok, colour),
            line.name,
            side(line.bound),
            with_unit(limit, line.unit)
        );
    }
    text
}

/// Measures that a world shows beside its limits, under its heading; those without a value are left out.
pub fn highlights(words: &Words, over: &str, lines: &[Line], detail: Detail) -> String {
    let valued = words.highlights.iter().filter_map(|(name, explanation)| {
        let found = lines.iter().find(|line| line.name == *name && line.value.is_finite());
        found.map(|line| (line, explanation))
    });
    let most = if detail == Detail::Full { usize::MAX } else { BRIEF_HIGHLIGHTS };
    let mut text = format!("{}{over}:\n", words.heading);
    for (line, explanation) in valued.take(most) {
        let _ = writeln!(text, "          {:<24} {:>14}   {explanation}", line.name, with_unit(line.value, line.unit));
    }
    text
}

/// What to do next: where all measures are, and how to watch the runs in `out`.
pub fn next(out: &Path, is_traced: bool, detail: Detail) -> String {
    let mut text = String::new();
    if detail == Detail::Brief {
        text += "all measures: summary.csv, or -v\n";
    }
    if is_traced {
        let _ =
            writeln!(text, "to watch it: {}", format_args!("sim-cli replay {}", quoted(&out.display().to_string())));
    }
    text
}

/// What is known about safety, on a line of its own, where anything is.
pub fn guarantee(guarantee: Option<&Guarantee>) -> String {
    guarantee.map_or_else(String::new, |guarantee| format!("promised: {}\n", guarantee.text))
}

/// Which way a limit holds, before its value.
fn side(bound: Bound) -> &'static str {
    match bound {
        Bound::AtLeast(..) => "at least",
        Bound::AtMost(..) => "at most",
        Bound::Free => "limit",
    }
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
    let rate = large(simulated_s / timing.wall_s);
    let mut text = format!("took {:.2} s: {rate} times real time", timing.wall_s);
    if timing.agents > 0 {
        let _ = write!(text, ", {} {}-steps/s", large(timing.agent_steps_per_s), words.agent);
    }
    text
}

/// The same figures as in `timing.json`.
pub fn timing_json(timing: &Timing) -> Value {
    serde_json::to_value(timing).unwrap_or(Value::Null)
}

/// A measure as an object; what is not a number is null.
pub fn json(line: &Line) -> Value {
    let bound = line.limit.map(|_| line.bound.word());
    json!({
        "metric": line.name, "value": line.value, "unit": line.unit, "limit": line.limit, "ok": line.ok, "bound": bound,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_run::measure::{Limit, Tolerance};

    fn line(name: &'static str, value: f64, unit: &'static str, limit: Option<f64>, ok: Option<bool>) -> Line {
        let is_floor = name.starts_with("min_");
        let bound = if is_floor { Bound::AtLeast(Limit::Constant(60.0), Tolerance::Exact) } else { Bound::ZERO };
        Line { name, value, unit, bound, limit, ok }
    }

    const RANKING: Ranking =
        Ranking::SmallestMargin { name: "least_mm", unit: "mm", of: &["min_robot_robot_mm", "min_robot_foot_mm"] };

    #[test]
    fn lines_with_a_limit_are_marked_and_others_left_out() {
        let lines = [
            line("d_r_violations", 3.0, "count", Some(0.0), Some(false)),
            line("speed_mean_mm_s", 31.0, "mm/s", None, None),
            line("min_robot_foot_mm", f64::NAN, "mm", Some(100.0), None),
            line("min_robot_robot_mm", 60.25, "mm", Some(60.0), Some(true)),
        ];
        let wanted = "  MISSED  d_r_violations                        3   at most 0
  -       min_robot_foot_mm                     -   at least 100 mm
  ok      min_robot_robot_mm             60.25 mm   at least 60 mm
";
        let of = |detail, colour| acceptance(&lines, &RANKING, detail, colour);
        assert_eq!(of(Detail::Full, false), format!("1 of 2 limits are missed:\n{wanted}"));
        assert!(of(Detail::Full, true).contains("\u{1b}["));
    }

    /// A brief summary has what is missed and what the world ranks runs by, where that has a value.
    #[test]
    fn a_brief_summary_leaves_out_limits_that_are_kept() {
        let kept = |name, value| line(name, value, "mm", Some(60.0), Some(true));
        let lines = [
            kept("outside_max_mm", 0.0),
            kept("min_robot_robot_mm", 61.0),
            line("min_robot_foot_mm", f64::NAN, "mm", Some(100.0), None),
        ];
        let wanted = "All 2 limits are kept.\n  ok      min_robot_robot_mm                61 mm   at least 60 mm\n";
        assert_eq!(acceptance(&lines, &RANKING, Detail::Brief, false), wanted);
        let missed = [line("outside_max_mm", 7.0, "mm", Some(0.0), Some(false))];
        let said = acceptance(&missed, &RANKING, Detail::Brief, false);
        assert_eq!(
            said,
            "1 of 1 limits are missed:\n  MISSED  outside_max_mm                     7 mm   at most 0 mm\n"
        );
        assert_eq!(acceptance(&lines[2..], &RANKING, Detail::Brief, false), "No limit was judged.\n");
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
        let text = highlights(&words, "", &lines, Detail::Full);
        assert_eq!(text.lines().count(), 3);
        assert!(text.lines().nth(1).unwrap().contains("moving_share"), "{text}");
        assert!(text.contains("31.25 mm/s   mean speed"), "{text}");
    }

    #[test]
    fn a_brief_summary_has_the_first_four_highlights() {
        const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];
        let words = Words {
            agent: "robot",
            heading: "Life",
            highlights: &[("a", ""), ("b", ""), ("c", ""), ("d", ""), ("e", "")],
        };
        let lines = NAMES.map(|name| line(name, 1.0, "1", None, None));
        let count = |detail| highlights(&words, "", &lines, detail).lines().count();
        assert_eq!((count(Detail::Brief), count(Detail::Full)), (5, 6));
    }

    #[test]
    fn json_has_null_where_there_is_no_value() {
        assert_eq!(json(&line("a", f64::NAN, "mm", None, None))["value"], Value::Null);
    }
}
