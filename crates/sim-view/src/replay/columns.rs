//! Columns of a page's tables: what is stored is what is shown.

use sim_world::{Column, ColumnKind};

/// A column of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageColumn {
    /// Its name in the stream.
    pub name: String,
    /// Decimals that are kept.
    pub decimals: u8,
    /// Whether its numbers stand for words.
    pub is_text: bool,
    /// Numbers of one value.
    pub width: usize,
}

impl PageColumn {
    /// A column of a stream.
    pub fn new(column: &Column) -> Self {
        let width = if let ColumnKind::Numbers(count) = column.kind { count as usize } else { 1 };
        Self {
            name: column.name.clone().into_owned(),
            decimals: decimals(column),
            is_text: matches!(column.kind, ColumnKind::Text | ColumnKind::Bytes),
            width,
        }
    }

    /// The step and the time of a row.
    pub fn moment() -> [Self; 2] {
        Column::moment().map(|column| Self::new(&column))
    }
}

/// Decimals by the unit: finer than what can be seen on a plane, and than what a sensor tells.
fn decimals(column: &Column) -> u8 {
    if !matches!(column.kind, ColumnKind::Number | ColumnKind::Numbers(_)) {
        return 0;
    }
    match column.unit() {
        "mm/s\u{b2}" | "mm/s\u{b3}" => 0,
        "mm/s" | "ms" | "\u{b0}/s" => 1,
        "mm" | "%" | "1/s" | "1/min" | "\u{b0}" => 2,
        "" | "s" => 4,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_follow_the_unit_and_whole_numbers_have_none() {
        let decimals = |name: &'static str| PageColumn::new(&Column::number(name, "")).decimals;
        let names =
            ["x_mm", "vx_mm_s", "heading_rad", "omega_rad_s", "x_m", "speed_m_s", "peak", "time_s", "motor_rps"];
        assert_eq!(names.map(decimals), [2, 1, 3, 3, 3, 3, 4, 4, 2]);
        assert_eq!(PageColumn::new(&Column::integer("mat_x", "")).decimals, 0);
        let scan = PageColumn::new(&Column::new("ray_#_m", ColumnKind::Numbers(360), ""));
        assert_eq!((scan.decimals, scan.width, scan.is_text), (3, 360, false));
        assert!(PageColumn::new(&Column::text("state", "")).is_text);
    }
}
