//! The tables of claims and filters in `docs/results.md`.

use super::claims::Claim;
use super::expect::Over::{Largest, Mean, Smallest};
use super::expect::{Over, dirty_runs, fold, short};
use super::{COMPARED_ON, Judged, Outcome};
use crate::markdown;
use anyhow::Result;

/// Both tables, with the command that makes them again.
pub fn body(judged: &[Judged], compared: &[(&str, Outcome)], command: &str) -> Result<String> {
    let mut text = format!("Measured by `{command}`; every run is ten simulated minutes.\n");
    if !judged.is_empty() {
        let header = ["", "setting", "runs", "without a violation", "nearest robots", "nearest foot", "what was asked"];
        let rows: Vec<_> = judged.iter().map(claim_row).collect::<Result<_>>()?;
        text += &format!("\n{}", markdown::table(&header, &rows));
    }
    if !compared.is_empty() {
        text += &format!("\nFour filters on the same seeds of `{COMPARED_ON}`:\n\n{}", comparison(compared)?);
    }
    Ok(text)
}

/// The cell that names what was run.
pub fn setting(claim: &Claim) -> String {
    let changes = claim.changes.iter().map(|change| format!(" `--set {change}`"));
    format!("{} (`{}`{})", claim.title, claim.scenario, changes.collect::<String>())
}

fn claim_row(judged: &Judged) -> Result<Vec<String>> {
    let Judged { claim, outcome: Outcome { runs, .. }, answers } = judged;
    let clean = runs.len() - dirty_runs(runs)?;
    // With no failure in n runs, the rate of failures is below 3/n with 95 % confidence.
    let bound = if clean == runs.len() {
        format!(" (failures below {} %)", short(300.0 / clean as f64))
    } else {
        String::new()
    };
    let asked: Vec<&str> = answers.iter().map(|answer| answer.words.as_str()).collect();
    Ok(vec![
        claim.item.to_owned(),
        setting(claim),
        runs.len().to_string(),
        format!("{clean}{bound}"),
        format!("{} mm", short(fold(runs, Smallest, "min_robot_robot_mm")?)),
        format!("{} mm", short(fold(runs, Smallest, "min_robot_foot_mm")?)),
        asked.join("; "),
    ])
}

/// Lines of the comparison: what it is called, how runs are put together, the measure.
const COMPARED_LINES: [(&str, Over, &str); 15] = [
    ("steps with a violation, share", Mean, "violating_step_share"),
    ("robot-robot violations a run", Mean, "d_r_violations"),
    ("robot-foot violations a run", Mean, "d_h_violations"),
    ("outside the mat, a run", Mean, "outside_mat"),
    ("acceleration limit broken, a run", Mean, "accel_limit_violations"),
    ("turn limit broken, a run", Mean, "turn_limit_violations"),
    ("nearest robots, mm", Smallest, "min_robot_robot_mm"),
    ("nearest foot, mm", Smallest, "min_robot_foot_mm"),
    ("largest acceleration, mm/s²", Largest, "accel_max_mm_s2"),
    ("foot progress lost, share", Mean, "foot_waits"),
    ("mean speed, mm/s", Mean, "speed_mean_mm_s"),
    ("moving while the foot roams, share", Mean, "moving_share_roam"),
    ("cells visited, share", Mean, "coverage_share"),
    ("near patches against chance", Mean, "near_patch_ratio"),
    ("wish followed within 5 mm/s, share", Mean, "wish_followed_share"),
];

fn comparison(compared: &[(&str, Outcome)]) -> Result<String> {
    let header: Vec<&str> = std::iter::once("").chain(compared.iter().map(|(filter, _)| *filter)).collect();
    let line = |name: &str, cell: &dyn Fn(&Outcome) -> Result<String>| -> Result<Vec<String>> {
        let cells = compared.iter().map(|(_, outcome)| cell(outcome));
        std::iter::once(Ok(name.to_owned())).chain(cells).collect()
    };
    let mut rows = vec![line("runs without a violation", &|outcome| {
        let runs = &outcome.runs;
        Ok(format!("{} of {}", runs.len() - dirty_runs(runs)?, runs.len()))
    })?];
    for (name, over, measure) in COMPARED_LINES {
        rows.push(line(name, &|outcome| Ok(short(fold(&outcome.runs, over, measure)?)))?);
    }
    rows.push(line("million agent-steps a second, all cores", &|outcome| Ok(short(outcome.agent_steps_per_s / 1e6)))?);
    Ok(markdown::table(&header, &rows))
}

#[cfg(test)]
mod tests {
    use super::super::claims::CLAIMS;
    use super::super::expect::ACCEPTANCE;
    use super::*;
    use crate::table::Table;

    fn outcome() -> Outcome {
        let mut names: Vec<&str> = ACCEPTANCE.to_vec();
        for name in COMPARED_LINES.map(|(_, _, name)| name) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        let rows = format!("{}\n{0}\n", vec!["0.0"; names.len()].join(","));
        Outcome { runs: Table::parse(&format!("{}\n{rows}", names.join(","))).unwrap(), agent_steps_per_s: 2e6 }
    }

    #[test]
    fn both_tables_are_written_with_their_command() {
        let claim = CLAIMS.iter().find(|claim| claim.item == "c").unwrap();
        let mut judged = Judged { claim: claim.clone(), outcome: outcome(), answers: vec![] };
        judged.answers.push(claim.expect[0].judge(&judged.outcome.runs).unwrap());
        let text =
            body(&[judged], &[("joint", outcome()), ("none", outcome())], "cargo xtask accept --seed 7").unwrap();
        assert!(text.contains("accept --seed 7"));
        assert!(
            text.contains("| c |")
                && text.contains("`--set agents.count=20`")
                && text.contains("2 (failures below 150 %)")
        );
        assert!(text.contains("|  | joint | none |") && text.contains("| 2 of 2 | 2 of 2 |"));
    }
}
