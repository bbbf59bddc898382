//! Outlines.

use sim_core::{DVec2, Rect, angle::unit};

/// How far the handles of a quarter circle reach, in radii.
const QUARTER: f64 = 0.552_284_749_8;

/// A piece of an outline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Step {
    /// Begin here.
    Move(DVec2),
    /// Straight on to here.
    Line(DVec2),
    /// Along a cubic curve, by its two handles, to the last place.
    Cubic(DVec2, DVec2, DVec2),
    /// Straight back to where this part began.
    Close,
}

/// An outline of straight lines and cubic curves.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Path(pub Vec<Step>);

impl Path {
    /// A line through places.
    #[must_use]
    pub fn line(places: &[DVec2]) -> Self {
        let step = |(n, &place): (usize, &DVec2)| if n == 0 { Step::Move(place) } else { Step::Line(place) };
        Self(places.iter().enumerate().map(step).collect())
    }

    /// A closed line through places; nothing without any.
    #[must_use]
    pub fn polygon(places: &[DVec2]) -> Self {
        let mut path = Self::line(places);
        path.0.extend((!places.is_empty()).then_some(Step::Close));
        path
    }

    /// A rectangle.
    #[must_use]
    pub fn rect(rect: Rect) -> Self {
        let Rect { min, max } = rect;
        Self::polygon(&[min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)])
    }

    /// A circle.
    #[must_use]
    pub fn circle(center: DVec2, radius: f64) -> Self {
        Self::ellipse(center, [radius; 2], 0.0)
    }

    /// An ellipse by its half axes, the first of which is turned by `turn_rad`.
    #[must_use]
    pub fn ellipse(center: DVec2, half_axes: [f64; 2], turn_rad: f64) -> Self {
        let along = unit(turn_rad);
        let (x, y) = (along * half_axes[0], along.perp() * half_axes[1]);
        let corners = [x, y, -x, -y, x];
        let mut steps = vec![Step::Move(center + x)];
        steps.extend(corners.windows(2).map(|pair| {
            let (from, to) = (pair[0], pair[1]);
            Step::Cubic(center + from + to * QUARTER, center + to + from * QUARTER, center + to)
        }));
        steps.push(Step::Close);
        Self(steps)
    }

    /// A square with round corners, turned by `turn_rad`.
    #[must_use]
    pub fn round_square(center: DVec2, side: f64, corner: f64, turn_rad: f64) -> Self {
        let (x, y) = (unit(turn_rad), unit(turn_rad).perp());
        let at = |u: f64, v: f64| center + x * u + y * v;
        let (outer, inner) = (0.5 * side, 0.5 * side - corner);
        let handle = inner + corner * QUARTER;
        let mut steps = vec![Step::Move(at(inner, -outer))];
        for turn in 0..4 {
            // A quarter turn takes (u, v) to (-v, u).
            let turned = |u: f64, v: f64| match turn {
                0 => at(u, v),
                1 => at(-v, u),
                2 => at(-u, -v),
                _ => at(v, -u),
            };
            steps.push(Step::Cubic(turned(handle, -outer), turned(outer, -handle), turned(outer, -inner)));
            steps.push(Step::Line(turned(outer, inner)));
        }
        steps.push(Step::Close);
        Self(steps)
    }

    /// This outline and another one.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }
}
