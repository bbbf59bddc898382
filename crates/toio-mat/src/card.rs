//! A card, sticker or other item with a Standard ID on the plane.

use crate::plane::PlanePose;
use crate::sheet::{SheetFrame, is_within};
use crate::standard_id::StandardItem;
use sim_core::{DVec2, ParamError};

/// An item with a Standard ID at a place of the plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Card {
    value: u32,
    size_mm: DVec2,
    frame: SheetFrame,
}

impl Card {
    /// Smallest and largest side.
    pub const SIDE_MM: [f64; 2] = [1.0, 2000.0];

    /// An item in its printed size, its middle at `center`; the heading of `center` is the yaw of the card.
    ///
    /// # Errors
    /// If the pose is not finite, more than a kilometre away, or turned by more than 1000 rad.
    pub fn new(item: StandardItem, center: PlanePose) -> Result<Self, ParamError> {
        Self::sized(item.value, item.size_mm, center)
    }

    /// A print of one's own: any value, width and height from 1 to 2000 mm.
    ///
    /// # Errors
    /// If a side is outside, or as for [`Card::new`].
    pub fn sized(value: u32, size_mm: [f64; 2], center: PlanePose) -> Result<Self, ParamError> {
        ParamError::check_within("width_mm", size_mm[0], Self::SIDE_MM)?;
        ParamError::check_within("height_mm", size_mm[1], Self::SIDE_MM)?;
        Ok(Self { value, size_mm: DVec2::from_array(size_mm), frame: SheetFrame::new(center)? })
    }

    /// The same card elsewhere: its middle at `center`, whose heading is the yaw.
    ///
    /// # Errors
    /// As for [`Card::new`].
    pub fn moved_to(self, center: PlanePose) -> Result<Self, ParamError> {
        Ok(Self { frame: SheetFrame::new(center)?, ..self })
    }

    /// Standard ID that is printed on it.
    #[must_use]
    pub fn value(&self) -> u32 {
        self.value
    }

    /// Width and height of the print.
    #[must_use]
    pub fn size_mm(&self) -> DVec2 {
        self.size_mm
    }

    /// Place of its middle, and its yaw.
    #[must_use]
    pub fn pose(&self) -> PlanePose {
        self.frame.pose()
    }

    /// Corners of the print on the plane: its upper left, then clockwise seen from above.
    #[must_use]
    pub fn corners_mm(&self) -> [DVec2; 4] {
        self.frame.corners_mm(self.size_mm)
    }

    /// True if the place of the plane is printed on, borders included.
    #[must_use]
    pub fn contains_mm(&self, place_mm: DVec2) -> bool {
        is_within(self.frame.sheet_from_plane(place_mm), self.size_mm)
    }

    /// Heading relative to the card, in [0, 360) degrees, of a heading on the plane.
    #[must_use]
    pub fn degrees_from_heading(&self, heading_rad: f64) -> f64 {
        self.frame.degrees_from_heading(heading_rad)
    }

    /// Heading on the plane, in (-pi, pi], of a heading relative to the card.
    #[must_use]
    pub fn heading_from_degrees(&self, degrees: f64) -> f64 {
        self.frame.heading_from_degrees(degrees)
    }
}
