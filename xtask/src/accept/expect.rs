//! What can be asked of a batch of runs, and whether it was met.

use crate::table::Table;
use anyhow::{Result, bail};

/// The lines of a run's summary that must be zero for the run to be accepted.
pub const ACCEPTANCE: [&str; 7] = [
    "d_r_violations",
    "d_h_violations",
    "outside_mat",
    "accel_limit_violations",
    "turn_limit_violations",
    "speed_limit_violations",
    "non_finite",
];

/// How the values of many runs become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Over {
    /// Their mean.
    Mean,
    /// The largest.
    Largest,
    /// The smallest.
    Smallest,
}

/// One thing that is asked of a batch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Expect {
    /// Every acceptance line of every run is zero.
    Clean,
    /// The same as an aim: the rate is stated, and anything else is not a failure.
    CleanAim,
    /// A measure must keep to a bound: how runs are put together, its name, `<=` or `>=`, the bound.
    Must(Over, &'static str, &'static str, f64),
    /// A measure should.
    Aim(Over, &'static str, &'static str, f64),
    /// A measure is stated.
    Report(Over, &'static str),
}

/// An answer: what the table says, and whether it is a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// In words, with the value.
    pub words: String,
    /// True if it must be met and is not.
    pub is_failure: bool,
}

impl Expect {
    /// Looks it up in the table of runs.
    pub fn judge(&self, runs: &Table) -> Result<Answer> {
        match *self {
            Self::Clean | Self::CleanAim => {
                let dirty = dirty_runs(runs)?;
                let words = format!("{} of {} runs without a violation", runs.len() - dirty, runs.len());
                Ok(Answer { words, is_failure: dirty > 0 && *self == Self::Clean })
            }
            Self::Must(over, name, relation, bound) => {
                let (words, met) = compare(runs, over, name, relation, bound)?;
                Ok(Answer { words: format!("{words}: {}", if met { "met" } else { "NOT MET" }), is_failure: !met })
            }
            Self::Aim(over, name, relation, bound) => {
                let (words, met) = compare(runs, over, name, relation, bound)?;
                Ok(Answer {
                    words: format!("{words} (aim): {}", if met { "met" } else { "not met" }),
                    is_failure: false,
                })
            }
            Self::Report(over, name) => {
                let value = fold(runs, over, name)?;
                Ok(Answer { words: format!("{} {name} {}", over.word(), short(value)), is_failure: false })
            }
        }
    }
}

impl Over {
    fn word(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Largest => "largest",
            Self::Smallest => "smallest",
        }
    }
}

fn compare(runs: &Table, over: Over, name: &str, relation: &str, bound: f64) -> Result<(String, bool)> {
    let value = fold(runs, over, name)?;
    let met = match relation {
        "<=" => value <= bound,
        ">=" => value >= bound,
        other => bail!("`{other}` is no relation"),
    };
    Ok((format!("{} {name} {} {relation} {}", over.word(), short(value), short(bound)), met))
}

/// One number from the values of a measure; NaN, which meets no bound, if no run has a value.
pub fn fold(runs: &Table, over: Over, name: &str) -> Result<f64> {
    let values = runs.numbers(name)?;
    if values.is_empty() {
        return Ok(f64::NAN);
    }
    Ok(match over {
        Over::Mean => values.iter().sum::<f64>() / values.len() as f64,
        Over::Largest => values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        Over::Smallest => values.iter().copied().fold(f64::INFINITY, f64::min),
    })
}

/// How many runs miss an acceptance line. A line without a value is a miss: it was not shown to be zero.
pub fn dirty_runs(runs: &Table) -> Result<usize> {
    let mut is_dirty = vec![false; runs.len()];
    for name in ACCEPTANCE {
        let values = runs.numbers(name)?;
        if values.len() != runs.len() {
            bail!("{} runs have no value of {name}", runs.len() - values.len());
        }
        is_dirty.iter_mut().zip(values).for_each(|(dirty, value)| *dirty |= value != 0.0);
    }
    Ok(is_dirty.into_iter().filter(|dirty| *dirty).count())
}

/// A number for people: four significant digits.
pub fn short(value: f64) -> String {
    if !value.is_finite() {
        return "none".into();
    }
    let size = value.abs();
    if size > 0.0 && size < 0.001 {
        return format!("{value:.1e}");
    }
    let digits = match size {
        _ if size == 0.0 => 0,
        _ if size >= 1000.0 => 0,
        _ if size >= 100.0 => 1,
        _ if size >= 10.0 => 2,
        _ if size >= 1.0 => 3,
        _ => 4,
    };
    let text = format!("{value:.digits$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(rows: &[&str]) -> Table {
        Table::parse(&format!("{},foot_waits\n{}\n", ACCEPTANCE.join(","), rows.join("\n"))).unwrap()
    }

    #[test]
    fn one_violation_in_one_run_is_a_failure() {
        let table = runs(&["0,0,0,0,0,0,0,0.01", "0,0,0,0,1,0,0,0.02", "0,0,0,0,0,0,0.0,0.06"]);
        assert_eq!(dirty_runs(&table).unwrap(), 1);
        let answer = Expect::Clean.judge(&table).unwrap();
        assert_eq!(answer, Answer { words: "2 of 3 runs without a violation".into(), is_failure: true });
        assert!(!Expect::CleanAim.judge(&table).unwrap().is_failure);
    }

    #[test]
    fn an_acceptance_line_without_a_value_is_not_taken_as_zero() {
        assert!(dirty_runs(&runs(&["0,,0,0,0,0,0,0.01"])).is_err());
    }

    #[test]
    fn bounds_are_held_to_the_named_fold() {
        let table = runs(&["0,0,0,0,0,0,0,0.01", "0,0,0,0,0,0,0,0.03"]);
        let met = |expect: Expect| !expect.judge(&table).unwrap().is_failure;
        assert!(met(Expect::Must(Over::Mean, "foot_waits", "<=", 0.02)));
        assert!(!met(Expect::Must(Over::Largest, "foot_waits", "<=", 0.02)));
        assert!(!met(Expect::Must(Over::Smallest, "foot_waits", ">=", 0.02)));
        assert!(met(Expect::Aim(Over::Largest, "foot_waits", "<=", 0.02)));
        assert!(Expect::Must(Over::Mean, "no_such_measure", "<=", 1.0).judge(&table).is_err());
    }

    #[test]
    fn a_measure_without_any_value_meets_no_bound() {
        let table = runs(&["0,0,0,0,0,0,0,"]);
        assert!(Expect::Must(Over::Mean, "foot_waits", "<=", 1.0).judge(&table).unwrap().is_failure);
    }

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 0.5, 0.98765, 1.23456, 61.0, 1234.5, 0.000_092, f64::NAN].map(short);
        assert_eq!(shown, ["0", "0.5", "0.9877", "1.235", "61", "1234", "9.2e-5", "none"]);
    }
}
