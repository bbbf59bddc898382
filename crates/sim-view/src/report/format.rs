//! Numbers and names as people read them.

use crate::folder::{AxisSpec, Level};

/// Letters of a name that fit into a plot.
const MAX_LETTERS: usize = 28;

/// A number with so many decimals, and a true minus.
pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    // What rounds to zero has no sign.
    let is_zero = text.chars().all(|letter| matches!(letter, '-' | '0' | '.'));
    if is_zero { text.replace('-', "") } else { text.replace('-', "\u{2212}") }
}

/// A number with about four digits that matter.
pub fn number(value: f64) -> String {
    let size = value.abs();
    if value.fract() == 0.0 && size < 1e9 {
        return fixed(value, 0);
    }
    match size {
        _ if !(1e-6..1e9).contains(&size) => format!("{value:.2e}").replace('-', "\u{2212}"),
        _ if size >= 1000.0 => fixed(value, 0),
        _ => fixed(value, decimals_of(size, 1e-3)).trim_end_matches('0').trim_end_matches('.').to_owned(),
    }
}

/// Decimals so that a step of `share` of a number shows.
fn decimals_of(size: f64, share: f64) -> usize {
    let mut step = size * share;
    let mut decimals = 0;
    while step < 0.9 && decimals < 9 {
        step *= 10.0;
        decimals += 1;
    }
    decimals
}

/// A value and the interval that it lies in.
pub fn with_interval([low, value, high]: [Option<f64>; 3], factor: f64, decimals: usize) -> String {
    let shown = |value: f64| fixed(value * factor, decimals);
    match (low, value, high) {
        (_, None, _) => String::new(),
        (Some(low), Some(value), Some(high)) => format!("{} ({} to {})", shown(value), shown(low), shown(high)),
        (_, Some(value), _) => shown(value),
    }
}

/// Decimals that values with intervals deserve: those of the interval in the middle by width, so that a column looks alike.
pub fn shared_decimals(values: impl Iterator<Item = [Option<f64>; 3]>, factor: f64) -> usize {
    let mut widths: Vec<f64> = values.filter_map(|[low, _, high]| Some((high? - low?) * factor)).collect();
    widths.retain(|width| width.is_finite() && *width > 0.0);
    widths.sort_by(f64::total_cmp);
    widths.get(widths.len() / 2).map_or(0, |width| decimals_of(*width, 0.05).min(6))
}

/// The same as a clause: an interval of 95 % in words, if it has a width.
pub fn interval_words([low, value, high]: [Option<f64>; 3], factor: f64) -> Option<String> {
    let [low, value, high] = [low? * factor, value? * factor, high? * factor];
    if low == high {
        return Some(number(value));
    }
    let decimals = decimals_of(high - low, 0.05).min(6);
    let [low, value, high] = [low, value, high].map(|number| fixed(number, decimals));
    Some(format!("{value} (95 % interval {low} to {high})"))
}

/// A unit as it stands behind a number; shares and counts have none.
pub fn unit_words(unit: &str) -> &str {
    match unit {
        "1" | "count" => "",
        "mm/s2" => "mm/s²",
        "mm/s3" => "mm/s³",
        "rad/s2" => "rad/s²",
        other => other,
    }
}

/// Endings of keys that are units.
const UNITS: [&str; 18] = [
    "_mm_s3", "_mm_s2", "_mm_s", "_rad_s2", "_rad_s", "_m_s2", "_m_s", "_mm", "_rad", "_deg", "_hz", "_ms", "_per_s",
    "_rps", "_per_m", "_s", "_m", "_percent",
];

/// A key without its unit, as words.
pub fn plain_name(key: &str) -> String {
    let ending = UNITS.into_iter().find(|unit| key.len() > unit.len() && key.ends_with(unit));
    let bare = ending.map_or(key, |ending| &key[..key.len() - ending.len()]);
    bare.replace('_', " ")
}

/// A share as a word of a sentence.
pub fn percent(share: f64) -> String {
    let is_whole = (100.0 * share).fract() == 0.0;
    format!("{} %", fixed(100.0 * share, usize::from(!is_whole)))
}

/// The same with a large first letter.
pub fn capital(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// What a person calls an axis: its name, or what its path says about it.
pub fn axis_name(axis: &AxisSpec) -> String {
    if !axis.name.is_empty() && !axis.path.starts_with(&axis.name) {
        return axis.name.replace('_', " ");
    }
    let mut parts = axis.path.rsplit('.');
    let last = parts.next().unwrap_or_default();
    // What is counted says more than that it is.
    let telling = if last == "count" { parts.next().unwrap_or(last) } else { last };
    plain_name(telling)
}

/// True if an axis counts something, such as robots.
pub fn is_count(axis: &AxisSpec) -> bool {
    axis.unit.is_empty() && (axis.path == "count" || axis.path.ends_with(".count"))
}

/// The value of an axis in words: `30 robots`, `travel core`, `where feet go: core`, `top speed 200 mm/s`.
pub fn level_words(axis: &AxisSpec, level: &Level) -> String {
    let name = axis_name(axis);
    match level {
        Level::Number(value) if is_count(axis) => {
            format!("{} {}", number(*value), if *value == 1.0 { singular(&name) } else { name })
        }
        Level::Number(value) => format!("{name} {} {}", number(*value), unit_words(&axis.unit)).trim_end().to_owned(),
        Level::Text(text) if name.contains(' ') => format!("{name}: {text}"),
        Level::Text(text) => format!("{name} {text}"),
    }
}

/// One of what is counted, in English: the plural endings and the one irregular plural that names of counts have.
fn singular(name: &str) -> String {
    let sibilant = ["ches", "shes", "sses", "xes"].into_iter().find(|ending| name.ends_with(ending));
    match name {
        "feet" => "foot".to_owned(),
        _ if sibilant.is_some() => name[..name.len() - "es".len()].to_owned(),
        _ => name.strip_suffix('s').unwrap_or(name).to_owned(),
    }
}

/// A whole setting in words.
pub fn setting_words(axes: &[AxisSpec], setting: &[Level]) -> String {
    let parts: Vec<String> = axes.iter().zip(setting).map(|(axis, level)| level_words(axis, level)).collect();
    parts.join(", ")
}

/// A value alone, as it stands along an axis.
pub fn level_name(level: &Level) -> String {
    match level {
        Level::Number(value) => number(*value),
        Level::Text(text) => text.clone(),
    }
}

/// A name that fits into a plot.
pub fn clipped(name: &str) -> String {
    if name.chars().count() <= MAX_LETTERS {
        return name.to_owned();
    }
    name.chars().take(MAX_LETTERS - 1).chain(['\u{2026}']).collect()
}

/// A part of a file name.
pub fn slug(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars().take(60) {
        if letter.is_ascii_alphanumeric() {
            out.push(letter.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
    }
    let slug = out.trim_end_matches('-');
    if slug.is_empty() { "x".to_owned() } else { slug.to_owned() }
}

/// A count with its noun.
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{} {}", thousands(count), if count == 1 { one } else { many })
}

/// A whole number with a comma after each thousand.
pub fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut out = String::new();
    for (n, digit) in digits.chars().enumerate() {
        if n > 0 && (digits.len() - n).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_the_digits_that_matter() {
        let values = [0.0, 30.0, -0.25, 1.157_299, 1234.567, 0.000_5, 2e12, 99.94];
        assert_eq!(values.map(number), ["0", "30", "\u{2212}0.25", "1.157", "1235", "0.0005", "2.00e12", "99.9"]);
        assert_eq!((fixed(-0.001, 1), fixed(-1.25, 1)), ("0.0".into(), "\u{2212}1.2".into()));
        assert_eq!((thousands(1_234_567), thousands(999)), ("1,234,567".into(), "999".into()));
    }

    #[test]
    fn an_interval_says_how_many_decimals_it_deserves() {
        let rows = [[Some(0.931), Some(0.98), Some(0.998)], [Some(0.1), Some(0.1), Some(0.1)]];
        let decimals = shared_decimals(rows.into_iter(), 100.0);
        assert_eq!(with_interval(rows[0], 100.0, decimals), "98.0 (93.1 to 99.8)");
        assert_eq!(shared_decimals([[Some(-120.0), Some(3.0), Some(130.0)]].into_iter(), 1.0), 0);
        assert_eq!(with_interval([None, Some(2.5), None], 1.0, 2), "2.50");
        assert_eq!(with_interval([Some(1.0), None, Some(2.0)], 1.0, 2), "");
        let words = interval_words([Some(0.04), Some(0.79), Some(1.54)], 1.0);
        assert_eq!(words.as_deref(), Some("0.79 (95 % interval 0.04 to 1.54)"));
    }

    #[test]
    fn an_axis_without_a_name_of_its_own_is_called_by_its_path() {
        let name = |path: &str, name: &str| {
            let (path, name) = (path.to_owned(), name.to_owned());
            axis_name(&AxisSpec { path, name, unit: String::new(), choice: std::collections::BTreeMap::new() })
        };
        assert_eq!(name("agents.count", "robots"), "robots");
        assert_eq!(
            (name("agents.count", "agents.count"), name("limits.v_max_mm_s", "limits.v_max")),
            ("agents".into(), "v max".into())
        );
        assert_eq!((name("steps", ""), name("feet.travel", "where_feet go")), ("steps".into(), "where feet go".into()));
    }

    #[test]
    fn names_lose_their_units() {
        let names = ["least_room_mm", "moving_share", "a_max_mm_s2", "mm", "step_rate"].map(plain_name);
        assert_eq!(names, ["least room", "moving share", "a max", "mm", "step rate"]);
        assert_eq!((slug("Top speed, mm/s"), slug("<>")), ("top-speed-mm-s".into(), "x".into()));
    }
}
