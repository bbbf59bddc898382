//! A time as people type it: `60s`, `90`, `1.5min`, `2h`.

use std::str::FromStr;

/// Units of a time and their seconds; none means seconds.
const UNITS: [(&str, f64); 4] = [("", 1.0), ("s", 1.0), ("min", 60.0), ("h", 3600.0)];

/// A time in seconds, more than 0 and finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Duration(pub f64);

impl FromStr for Duration {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let unit = text[number.len()..].trim();
        let factor = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, factor)| factor);
        let value = number.trim().parse::<f64>().ok().filter(|value| value.is_finite());
        match value.zip(factor).map(|(value, factor)| value * factor) {
            Some(seconds) if seconds > 0.0 => Ok(Self(seconds)),
            Some(_) => Err("a run lasts more than 0 s".to_owned()),
            None => Err("write a number with its unit s, min or h, as in 60s, 90, 1.5min or 2h".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_with_their_units() {
        for (text, seconds) in [("60s", 60.0), ("90", 90.0), ("1.5min", 90.0), ("2h", 7200.0), ("0.25 s", 0.25)] {
            assert_eq!(text.parse(), Ok(Duration(seconds)), "{text}");
        }
    }

    #[test]
    fn other_texts_are_refused_with_the_units_or_the_least_time() {
        for text in ["", "s", "min", "nan", "inf", "1m", "60 seconds", "1:30", "1s2", "\u{e4}s"] {
            assert!(text.parse::<Duration>().unwrap_err().contains("s, min or h"), "{text}");
        }
        for text in ["0", "0s", "-5s", "-1.5min"] {
            assert_eq!(text.parse::<Duration>(), Err("a run lasts more than 0 s".to_owned()), "{text}");
        }
    }
}
