//! Numbers as people read them.

/// Four figures or so; `-` where there is no value.
pub fn short(value: f64) -> String {
    if !value.is_finite() {
        return "-".to_owned();
    }
    let size = value.abs();
    if value == value.trunc() && size < 1e15 {
        return format!("{value:.0}");
    }
    let decimals = match size {
        _ if size >= 1000.0 => 0,
        _ if size >= 100.0 => 1,
        _ if size >= 1.0 => 2,
        _ if size >= 0.001 => 4,
        _ => return format!("{value:.2e}"),
    };
    format!("{value:.decimals$}")
}

/// A value with its unit; shares and counts have none worth showing.
pub fn with_unit(value: f64, unit: &str) -> String {
    match unit {
        "1" | "count" => short(value),
        _ if value.is_finite() => format!("{} {unit}", short(value)),
        _ => short(value),
    }
}

/// A time as a clock shows it: `0:07`, `12:30`, `3:05:00`.
pub fn clock(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// A number that may be large, in thousands or millions: `0.2500`, `950`, `12.50 k`, `3.20 M`.
pub fn large(value: f64) -> String {
    match value {
        _ if value >= 1e6 => format!("{} M", short(value / 1e6)),
        _ if value >= 1e4 => format!("{} k", short(value / 1e3)),
        _ if value >= 10.0 => format!("{value:.0}"),
        _ => short(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_the_figures_that_matter() {
        let cases = [
            (0.0, "0"),
            (3.0, "3"),
            (-12.0, "-12"),
            (60.004_2, "60.00"),
            (123.456, "123.5"),
            (2999.7, "3000"),
            (0.034_56, "0.0346"),
            (0.000_012_3, "1.23e-5"),
            (f64::NAN, "-"),
            (f64::INFINITY, "-"),
        ];
        for (value, wanted) in cases {
            assert_eq!(short(value), wanted);
        }
    }

    #[test]
    fn units_stand_where_there_are_any() {
        assert_eq!(with_unit(60.5, "mm"), "60.50 mm");
        assert_eq!(with_unit(0.5, "1"), "0.5000");
        assert_eq!(with_unit(7.0, "count"), "7");
        assert_eq!(with_unit(f64::NAN, "mm"), "-");
    }

    #[test]
    fn clocks_and_large_numbers() {
        assert_eq!([clock(7.4), clock(750.0), clock(11_100.0), clock(-1.0)], ["0:07", "12:30", "3:05:00", "0:00"]);
        let numbers = [0.25, 950.3, 12_500.0, 3_204_000.0].map(large);
        assert_eq!(numbers, ["0.2500", "950", "12.50 k", "3.20 M"]);
    }
}
