//! Number of robots that fit in a box of centres, with feet at the worst places that were found.
//!
//! For square boxes between 330 and 400 mm at `d_r` = 60 mm and `d_h` = 100 mm, and everything similar to them, the
//! numbers are packings found by random restarts. They are lower bounds for the foot places tried: the smaller of swarm
//! facts, section 6, and safety-filter notes, section 6. Elsewhere it is an estimate:
//!
//! ```text
//! N = 0.91 (2 / sqrt(3) (A - feet * 0.764 pi d_h^2) / d_r^2 + P / (2 d_r) + 1)
//! ```
//! A and P are area (mm2) and circumference (mm) of the box. Without feet this is Oler's upper bound times the share of
//! it that packings of these sizes reach. 0.764 of a foot's disc is the loss per foot in the table (robots line up
//! along its rim).

use crate::Clearances;
use sim_core::{DVec2, Rect};
use std::f64::consts::PI;
use swarm_field::Domain;

/// Sides of the measured boxes in units of `d_r`: 330, 368 and 400 mm to 60 mm.
const SIDES: [f64; 3] = [330.0 / 60.0, 368.0 / 60.0, 400.0 / 60.0];
/// Robots that fit in these boxes with 0, 1, 2, 3, 4 feet.
const FITTING: [[u32; 5]; 3] = [[42, 35, 26, 19, 19], [52, 43, 37, 31, 26], [59, 52, 46, 38, 37]];
/// `d_h / d_r` of the measured boxes.
const FOOT_RATIO: f64 = 100.0 / 60.0;
/// Share of Oler's bound that is reached.
const REACHED_SHARE: f64 = 0.91;
/// Share of a foot's disc that is lost.
const FOOT_SHARE: f64 = 0.764;

/// Source of a capacity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// Packings that were found.
    Measured,
    /// The formula.
    Estimated,
}

/// A number of robots that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Robots.
    pub robots: usize,
    /// Source of the number.
    pub basis: Basis,
}

/// Robots that fit in `bounds` with `feet` feet at the worst places.
#[must_use]
pub fn capacity(bounds: Rect, clearances: &Clearances, feet: usize) -> Capacity {
    if bounds.is_empty() {
        return Capacity { robots: 0, basis: Basis::Estimated };
    }
    match measured(bounds, clearances, feet) {
        Some(robots) => Capacity { robots, basis: Basis::Measured },
        None => Capacity { robots: estimated(bounds, clearances, feet), basis: Basis::Estimated },
    }
}

/// Between two measured sides the numbers are interpolated and rounded down.
fn measured(bounds: Rect, clearances: &Clearances, feet: usize) -> Option<usize> {
    let (size, d) = (bounds.size(), clearances.d_r_mm);
    let side = size.min_element() / d;
    let is_square = size.max_element() <= size.min_element() * 1.01;
    let is_similar = feet == 0 || clearances.d_h_mm / d <= FOOT_RATIO * 1.001;
    if !is_square || !is_similar || feet >= FITTING[0].len() {
        return None;
    }
    // A foot much smaller than the measured one leaves space that the table does not count.
    if feet > 0 && clearances.d_h_mm / d < FOOT_RATIO * 0.95 {
        return None;
    }
    let upper = SIDES.iter().position(|&s| side <= s + 1e-9)?;
    if upper == 0 {
        return (side >= SIDES[0] - 1e-9).then(|| FITTING[0][feet] as usize);
    }
    let (a, b) = (f64::from(FITTING[upper - 1][feet]), f64::from(FITTING[upper][feet]));
    let share = ((side - SIDES[upper - 1]) / (SIDES[upper] - SIDES[upper - 1])).min(1.0);
    Some((a + share * (b - a) + 1e-9).floor() as usize)
}

fn estimated(bounds: Rect, clearances: &Clearances, feet: usize) -> usize {
    let (size, d) = (bounds.size(), clearances.d_r_mm);
    let lost_mm2 = feet as f64 * FOOT_SHARE * PI * clearances.d_h_mm * clearances.d_h_mm;
    let bulk = 2.0 / 3.0_f64.sqrt() * (size.x * size.y - lost_mm2) / (d * d);
    let robots = (REACHED_SHARE * (bulk + (size.x + size.y) / d + 1.0)).floor();
    // The formula is for boxes of several robots; without a foot one always fits.
    if feet == 0 { robots.max(1.0) as usize } else { robots.max(0.0) as usize }
}

/// Widest wall margin in whole mm, up to `widest_mm`, at which `robots` robots fit on `mat`; none if they never do.
#[must_use]
pub fn widest_margin_mm(mat: Rect, clearances: &Clearances, feet: usize, robots: usize, widest_mm: u32) -> Option<u32> {
    (0..=widest_mm).rev().find(|&margin_mm| {
        let bounds = mat.inset(f64::from(margin_mm));
        capacity(bounds, clearances, feet).robots >= robots
    })
}

/// True if feet that move anywhere in `domain` can enclose robots in a part of the box (swarm facts 5.4). That takes
/// one foot near two walls, two feet near one wall, or three feet anywhere.
#[must_use]
pub fn can_seal_pockets(domain: &Domain, bounds: Rect, d_h_mm: f64, feet: usize) -> bool {
    if feet == 0 || domain.is_empty() {
        return false;
    }
    // The places of a foot are two rectangles; their corners are the places nearest to the walls.
    let corners = domain
        .parts()
        .iter()
        .flat_map(|part| [part.min, part.max, DVec2::new(part.min.x, part.max.y), DVec2::new(part.max.x, part.min.y)]);
    let mut max_walls = 0;
    for corner in corners {
        let near = (corner - bounds.min).min(bounds.max - corner);
        max_walls = max_walls.max(usize::from(near.x < d_h_mm) + usize::from(near.y < d_h_mm));
    }
    max_walls + feet >= 3
}

#[cfg(test)]
mod tests {
    use super::*;
    use swarm_field::Travel;

    const CLEARANCES: Clearances = Clearances { d_h_mm: 100.0, d_r_mm: 60.0, wall_margin_mm: 16.0 };
    const MAT: f64 = 400.0;

    fn fits(margin_mm: f64, feet: usize) -> Capacity {
        capacity(Rect::from_size(MAT, MAT).inset(margin_mm), &CLEARANCES, feet)
    }

    /// Packing numbers of the safety-filter notes, section 6, or of swarm facts, section 6, whichever is less.
    #[test]
    fn the_measured_boxes() {
        for (margin_mm, expected) in
            [(35.0, [42, 35, 26, 19, 19]), (16.0, [52, 43, 37, 31, 26]), (0.0, [59, 52, 46, 38, 37])]
        {
            for (feet, robots) in expected.into_iter().enumerate() {
                assert_eq!(fits(margin_mm, feet), Capacity { robots, basis: Basis::Measured });
            }
        }
        // Twice as large in everything is the same packing.
        let twice = Clearances { d_h_mm: 200.0, d_r_mm: 120.0, wall_margin_mm: 32.0 };
        assert_eq!(capacity(Rect::from_size(736.0, 736.0), &twice, 1).robots, 43);
    }

    /// The estimate is no more than two robots off the measured packings with up to three feet, and below Oler's bound
    /// (46.9, 56.7, 65.7).
    #[test]
    fn the_estimate_agrees_with_the_measured_boxes() {
        for (side, oler, expected) in [(330.0, 46, FITTING[0]), (368.0, 56, FITTING[1]), (400.0, 65, FITTING[2])] {
            for (feet, &robots) in expected[..4].iter().enumerate() {
                let estimate = estimated(Rect::from_size(side, side), &CLEARANCES, feet) as i64;
                assert!((estimate - i64::from(robots)).abs() <= 2 && estimate <= oler, "{side} {feet}: {estimate}");
            }
        }
    }

    #[test]
    fn a_wider_margin_and_more_feet_leave_less_space() {
        for feet in 0..6 {
            for margin in 0..35 {
                assert!(fits(f64::from(margin), feet).robots >= fits(f64::from(margin + 1), feet).robots);
                assert!(fits(f64::from(margin), feet).robots >= fits(f64::from(margin), feet + 1).robots);
            }
        }
        assert_eq!(fits(200.0, 0).robots, 1);
        assert_eq!(fits(201.0, 0).robots, 0);
    }

    /// 30 robots and one foot: with the margin of 35 mm they fit (35), 40 fit up to a margin between 16 (43) and 35
    /// (35).
    #[test]
    fn the_widest_margin_for_a_crowd() {
        let mat = Rect::from_size(MAT, MAT);
        assert_eq!(widest_margin_mm(mat, &CLEARANCES, 1, 30, 35), Some(35));
        let margin = widest_margin_mm(mat, &CLEARANCES, 1, 40, 35).unwrap();
        assert!(
            (17..=30).contains(&margin)
                && fits(f64::from(margin), 1).robots >= 40
                && fits(f64::from(margin + 1), 1).robots < 40
        );
        assert_eq!(widest_margin_mm(mat, &CLEARANCES, 1, 60, 35), None);
    }

    /// Swarm facts 5.4: from d_h + margin = 116 mm on one foot seals nothing; anywhere nearer to two walls it does.
    #[test]
    fn feet_near_enough_to_walls_can_seal_pockets() {
        let mat = Rect::from_size(MAT, MAT);
        let seals = |travel, inset_mm, feet| {
            can_seal_pockets(&Domain::new(travel, mat, inset_mm), mat.inset(16.0), 100.0, feet)
        };
        assert!(!seals(Travel::Core, 120.0, 1) && !seals(Travel::Core, 116.0, 2) && seals(Travel::Core, 115.0, 1));
        assert!(seals(Travel::Full, 120.0, 1) && !seals(Travel::Full, 120.0, 0));
        assert!(!seals(Travel::Edge, 120.0, 1) && seals(Travel::Edge, 120.0, 2) && seals(Travel::Core, 120.0, 3));
    }
}
