//! A mat on the plane.
//!
//! With the middle of the printed range (xc, yc) dots at the place P of the plane, the mat turned by its yaw w, and k dots a
//! millimetre, the point X of the plane and the heading h are
//!
//! ```text
//! dot = (xc, yc) + k Rot(-w) (X - P)        degrees = (h - w) 180 / pi mod 360
//! ```
//!
//! (toio facts, section 1.3, with Unity's world replaced by the plane).

use crate::dot::{Dot, DotPose, DotRange, rounded_degrees};
use crate::kind::MatKind;
use crate::plane::PlanePose;
use crate::scale::MatScale;
use crate::sheet::{SheetFrame, is_within};
use sim_core::{DVec2, ParamError};

/// A mat of some kind at a place of the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mat {
    kind: MatKind,
    scale: MatScale,
    frame: SheetFrame,
}

impl Mat {
    /// A mat whose middle lies at `center`; the heading of `center` is the yaw of the mat.
    ///
    /// # Errors
    /// If the pose is not finite, more than a kilometre away, or turned by more than 1000 rad.
    pub fn new(kind: MatKind, scale: MatScale, center: PlanePose) -> Result<Self, ParamError> {
        Ok(Self { kind, scale, frame: SheetFrame::new(center)? })
    }

    /// A mat that lies so that the place `dot` of its numbering, printed or not, is at `anchor`.
    ///
    /// Sheets anchored by one dot at one pose continue each other's numbering: the developer mats become the field.
    ///
    /// # Errors
    /// As for [`Mat::new`], of `anchor` or of the middle that follows from it.
    pub fn anchored(kind: MatKind, scale: MatScale, dot: Dot, anchor: PlanePose) -> Result<Self, ParamError> {
        let to_center_dot = kind.range().center_dot() - dot.exact();
        let to_center_mm = DVec2::new(scale.mm_from_dot(to_center_dot.x), scale.mm_from_dot(to_center_dot.y));
        let position_mm = SheetFrame::new(anchor)?.plane_from_sheet(to_center_mm);
        Self::new(kind, scale, PlanePose { position_mm, ..anchor })
    }

    /// The same mat elsewhere: its middle at `center`, whose heading is the yaw.
    ///
    /// # Errors
    /// As for [`Mat::new`].
    pub fn moved_to(self, center: PlanePose) -> Result<Self, ParamError> {
        Ok(Self { frame: SheetFrame::new(center)?, ..self })
    }

    /// Which mat it is.
    #[must_use]
    pub fn kind(&self) -> MatKind {
        self.kind
    }

    /// What is printed on it, in dots.
    #[must_use]
    pub fn range(&self) -> DotRange {
        self.kind.range()
    }

    /// How densely it is printed.
    #[must_use]
    pub fn scale(&self) -> MatScale {
        self.scale
    }

    /// Place of its middle, and its yaw.
    #[must_use]
    pub fn pose(&self) -> PlanePose {
        self.frame.pose()
    }

    /// Width and height of the print: 558.6 mm for the 410 dots of a collection mat.
    #[must_use]
    pub fn size_mm(&self) -> DVec2 {
        let size_dot = self.range().size_dot();
        DVec2::new(self.scale.mm_from_dot(size_dot.x), self.scale.mm_from_dot(size_dot.y))
    }

    /// Corners of the print on the plane: the one of (x1, y1), then clockwise seen from above.
    #[must_use]
    pub fn corners_mm(&self) -> [DVec2; 4] {
        self.frame.corners_mm(self.size_mm())
    }

    /// True if the place of the plane is printed on, borders included.
    #[must_use]
    pub fn contains_mm(&self, place_mm: DVec2) -> bool {
        is_within(self.dot_from_plane(place_mm) - self.range().center_dot(), self.range().size_dot())
    }

    /// Exact place in dots of a place of the plane; beyond the borders the numbering goes on.
    #[must_use]
    pub fn dot_from_plane(&self, place_mm: DVec2) -> DVec2 {
        let offset_mm = self.frame.sheet_from_plane(place_mm);
        self.range().center_dot() + self.dots_of_mm(offset_mm)
    }

    /// A vector in the mat's own axes, from millimetres to dots.
    pub(crate) fn dots_of_mm(&self, vector_mm: DVec2) -> DVec2 {
        DVec2::new(self.scale.dot_from_mm(vector_mm.x), self.scale.dot_from_mm(vector_mm.y))
    }

    /// Place of the plane of an exact place in dots.
    #[must_use]
    pub fn plane_from_dot(&self, exact_dot: DVec2) -> DVec2 {
        let offset_dot = exact_dot - self.range().center_dot();
        self.frame
            .plane_from_sheet(DVec2::new(self.scale.mm_from_dot(offset_dot.x), self.scale.mm_from_dot(offset_dot.y)))
    }

    /// Heading on the mat, in [0, 360) degrees, of a heading on the plane.
    #[must_use]
    pub fn degrees_from_heading(&self, heading_rad: f64) -> f64 {
        self.frame.degrees_from_heading(heading_rad)
    }

    /// Heading on the plane, in (-pi, pi], of a heading on the mat.
    #[must_use]
    pub fn heading_from_degrees(&self, degrees: f64) -> f64 {
        self.frame.heading_from_degrees(degrees)
    }

    /// A pose of the plane in whole mat units: what a program asks a cube for that it wants there.
    #[must_use]
    pub fn dots_from_pose(&self, pose: PlanePose) -> DotPose {
        DotPose {
            dot: Dot::rounded(self.dot_from_plane(pose.position_mm)),
            degrees: rounded_degrees(self.degrees_from_heading(pose.heading_rad)),
        }
    }

    /// The pose of the plane that whole mat units name: what a program learns from a reading.
    ///
    /// Rounding moves each coordinate by half a dot and the heading by half a degree at most, so the true place lies
    /// within `sqrt(1/2)` dot, 0.96 mm at the default scale.
    #[must_use]
    pub fn pose_from_dots(&self, dots: DotPose) -> PlanePose {
        PlanePose {
            position_mm: self.plane_from_dot(dots.dot.exact()),
            heading_rad: self.heading_from_degrees(f64::from(dots.degrees)),
        }
    }
}
