//! An axis-parallel rectangle on the plane, in millimetres in the swarm worlds.

use crate::DVec2;

/// All points `p` with `min <= p <= max`, borders included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rect {
    /// Corner with the smallest x and y.
    pub min: DVec2,
    /// Corner with the largest x and y.
    pub max: DVec2,
}

impl Rect {
    /// Rectangle from the origin to (`width`, `height`).
    #[must_use]
    pub fn from_size(width: f64, height: f64) -> Self {
        Self { min: DVec2::ZERO, max: DVec2::new(width, height) }
    }

    /// The rectangle with every side moved inwards by `margin` (outwards if negative). May be empty: see [`Rect::is_empty`].
    #[must_use]
    pub fn inset(self, margin: f64) -> Self {
        Self { min: self.min + DVec2::splat(margin), max: self.max - DVec2::splat(margin) }
    }

    /// True if no point lies inside.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.min.x > self.max.x || self.min.y > self.max.y
    }

    /// Width and height.
    #[must_use]
    pub fn size(self) -> DVec2 {
        self.max - self.min
    }

    /// Middle of the rectangle.
    #[must_use]
    pub fn center(self) -> DVec2 {
        (self.min + self.max) * 0.5
    }

    /// True if `p` lies inside or on the border.
    #[inline]
    #[must_use]
    pub fn contains(self, p: DVec2) -> bool {
        p.x >= self.min.x && p.x <= self.max.x && p.y >= self.min.y && p.y <= self.max.y
    }

    /// Nearest point of the rectangle.
    #[inline]
    #[must_use]
    pub fn clamp(self, p: DVec2) -> DVec2 {
        DVec2::new(p.x.max(self.min.x).min(self.max.x), p.y.max(self.min.y).min(self.max.y))
    }

    /// Distance from `p` to the nearest point of the rectangle; 0 inside.
    #[inline]
    #[must_use]
    pub fn outside_mm(self, p: DVec2) -> f64 {
        (p - self.clamp(p)).length()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mat_and_its_inset() {
        let mat = Rect::from_size(400.0, 300.0);
        let inner = mat.inset(16.0);
        assert_eq!(inner.size(), DVec2::new(368.0, 268.0));
        assert_eq!(inner.center(), DVec2::new(200.0, 150.0));
        assert!(mat.contains(DVec2::new(400.0, 0.0)) && !inner.contains(DVec2::new(15.9, 100.0)));
        assert!(mat.inset(151.0).is_empty() && !mat.inset(150.0).is_empty());
    }

    #[test]
    fn distance_outside_is_to_the_nearest_point() {
        let mat = Rect::from_size(100.0, 100.0);
        assert_eq!(mat.outside_mm(DVec2::new(103.0, 104.0)), 5.0);
        assert_eq!(mat.outside_mm(DVec2::new(50.0, -2.0)), 2.0);
        assert_eq!(mat.outside_mm(DVec2::new(100.0, 100.0)), 0.0);
    }
}
