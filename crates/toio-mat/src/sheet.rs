//! A flat sheet on the plane: the frame that mats and cards share.

use crate::dot::normalized_degrees;
use crate::plane::PlanePose;
use sim_core::angle::{unit, wrap_rad};
use sim_core::{DVec2, ParamError};

/// How far outside its border a sheet still answers, in the border's unit (dots or mm).
///
/// A point computed to lie on the border of a turned sheet comes out some last digits beside it: up to 1e-9 within a kilometre
/// of the origin. A millionth of a dot is far above that and far below anything visible.
pub(crate) const BORDER_SLACK: f64 = 1e-6;

/// Frame of a sheet: its origin and its +x axis on the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SheetFrame {
    origin_mm: DVec2,
    yaw_rad: f64,
    axis_x: DVec2,
}

impl SheetFrame {
    /// Frame at a pose, which is checked.
    pub(crate) fn new(pose: PlanePose) -> Result<Self, ParamError> {
        pose.check()?;
        Ok(Self { origin_mm: pose.position_mm, yaw_rad: pose.heading_rad, axis_x: unit(pose.heading_rad) })
    }

    pub(crate) fn pose(&self) -> PlanePose {
        PlanePose { position_mm: self.origin_mm, heading_rad: self.yaw_rad }
    }

    /// A place of the plane, in the sheet's own axes.
    pub(crate) fn sheet_from_plane(&self, place_mm: DVec2) -> DVec2 {
        let offset_mm = place_mm - self.origin_mm;
        DVec2::new(offset_mm.dot(self.axis_x), offset_mm.dot(self.axis_x.perp()))
    }

    /// A place in the sheet's own axes, on the plane.
    pub(crate) fn plane_from_sheet(&self, place_mm: DVec2) -> DVec2 {
        self.origin_mm + self.axis_x * place_mm.x + self.axis_x.perp() * place_mm.y
    }

    /// A heading on the plane, relative to the sheet, in [0, 360) degrees.
    pub(crate) fn degrees_from_heading(&self, heading_rad: f64) -> f64 {
        normalized_degrees((heading_rad - self.yaw_rad).to_degrees())
    }

    /// A heading relative to the sheet, on the plane, in (-pi, pi].
    pub(crate) fn heading_from_degrees(&self, degrees: f64) -> f64 {
        wrap_rad(degrees.to_radians() + self.yaw_rad)
    }

    /// The corners of a rectangle of this size round the origin, on the plane: upper left of the print, then clockwise.
    pub(crate) fn corners_mm(&self, size_mm: DVec2) -> [DVec2; 4] {
        let half = size_mm * 0.5;
        [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            .map(|(x, y)| self.plane_from_sheet(DVec2::new(x, y) * half))
    }
}

/// True if `offset` from the middle lies within half the size, or on the border. Never true of a value that is not finite.
pub(crate) fn is_within(offset: DVec2, size: DVec2) -> bool {
    let reach = size * 0.5 + DVec2::splat(BORDER_SLACK);
    offset.x.abs() <= reach.x && offset.y.abs() <= reach.y
}
