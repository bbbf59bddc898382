//! The blocks that the summaries of one run and of many have in common.

use crate::figures::{large, with_unit};
use clap::builder::styling::{AnsiColor, Style};
use serde_json::{Value, json};
use sim_run::scenario::Promise;
use sim_run::timing::Timing;
use std::fmt::Write;

/// Measures that tell whether the swarm lives, each with what it says.
pub const LIVELINESS: [(&str, &str); 11] = [
    ("moving_share", "of the time in motion"),
    ("moving_share_roam", "the same while a foot roams"),
    ("speed_mean_mm_s", "mean speed"),
    ("path_length_mean_mm", "way of a robot"),
    ("straightness_1s", "near 1 goes, near 0 trembles"),
    ("still_longest_s", "longest rest of one robot"),
    ("coverage_share", "of the reachable cells visited"),
    ("inner_use_ratio", "use of the inner square over its share of the area"),
    ("near_patch_ratio", "1 is indifferent to the patches, more is drawn to them"),
    ("wish_followed_share", "of the wishes granted"),
    ("foot_waits", "of the feet's progress lost"),
];

/// Measures that tell how cars drove, each with what it says.
pub const DRIVING: [(&str, &str); 9] = [
    ("distance_m", "driven by all cars together"),
    ("speed_mean_m_s", "mean speed"),
    ("speed_max_m_s", "highest speed"),
    ("lateral_accel_max_m_s2", "largest sideways acceleration"),
    ("standing_share", "of the time at rest"),
    ("laps", "laps of closed routes"),
    ("lap_mean_s", "mean time of a lap"),
    ("off_route_max_m", "farthest off the route"),
    ("off_route_mean_m", "mean distance off the route"),
];

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

/// Measures that tell what came of a run of a world, under a heading; those without a value are left out.
pub fn liveliness(world: &str, over: &str, lines: &[Line]) -> String {
    let (heading, told): (_, &[_]) = if world == "mat" { ("Liveliness", &LIVELINESS) } else { ("Driving", &DRIVING) };
    let mut text = format!("{heading}{over}:\n");
    for (name, words) in told {
        let found = lines.iter().find(|line| line.name == *name && line.value.is_finite());
        let Some(line) = found else { continue };
        let _ = writeln!(text, "          {name:<24} {:>14}   {words}", with_unit(line.value, line.unit));
    }
    text
}

/// What is promised, on a line of its own, where anything is.
pub fn promised(promise: Option<Promise>) -> String {
    promise.map_or_else(String::new, |promise| format!("promised: {promise}\n"))
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
pub fn pace(timing: &Timing, simulated_s: f64) -> String {
    if timing.wall_s <= 0.0 {
        return "took no time that could be measured".to_owned();
    }
    format!(
        "took {:.2} s: {} times real time, {} robot-steps/s",
        timing.wall_s,
        large(simulated_s / timing.wall_s),
        large(timing.agent_steps_per_s)
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
    fn liveliness_has_its_own_order_and_leaves_out_what_has_no_value() {
        let lines = [
            line("foot_waits", f64::NAN, "1", None, None),
            line("speed_mean_mm_s", 31.25, "mm/s", None, None),
            line("moving_share", 0.5, "1", None, None),
        ];
        let text = liveliness("mat", "", &lines);
        assert_eq!(text.lines().count(), 3);
        assert!(text.lines().nth(1).unwrap().contains("moving_share"), "{text}");
        assert!(text.contains("31.25 mm/s   mean speed"), "{text}");
    }

    #[test]
    fn json_has_null_where_there_is_no_value() {
        assert_eq!(json(&line("a", f64::NAN, "mm", None, None))["value"], Value::Null);
    }
}
