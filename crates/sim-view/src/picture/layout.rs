//! Where things go in a picture.

use super::style::{Layer, Style};
use crate::draw::pixels::MOST_PIXELS;
use crate::error::ViewError;
use sim_core::{DVec2, Rect};

/// Narrower pictures show nothing, and wider ones have more pixels than can be drawn.
const WIDTH_PX: [f64; 2] = [100.0, MOST_PIXELS];
/// Height of the type in a picture of [`USUAL_WIDTH_PX`].
const TYPE_PX: f64 = 15.0;
const USUAL_WIDTH_PX: f64 = 1280.0;
/// Smaller type is not read.
const LEAST_TYPE_PX: f64 = 10.0;
/// Lengths in heights of the type.
const PANEL: f64 = 19.0;
const MARGIN: f64 = 1.4;
const AXIS: f64 = 1.9;
const RIM: f64 = 0.8;
/// Pictures are at most this many times as high as wide.
const STEEPEST: f64 = 1.6;

/// What a picture shows of a world's plane, in the world's own unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// The part that is seen.
    pub area: Rect,
    /// Name of the unit.
    pub unit: &'static str,
    /// True if y points up, as on the road; on the mat it points down.
    pub is_y_up: bool,
}

/// Where places of the plane are in the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Where the plane's upper left corner is, px.
    pub origin_px: DVec2,
    /// Scale: pixels a mm on the mat, pixels a m on the road.
    pub px_per_unit: f64,
    /// The plane.
    pub plane: Plane,
}

impl View {
    /// A place of the plane in the picture.
    #[must_use]
    pub fn px(&self, place: DVec2) -> DVec2 {
        let Rect { min, max } = self.plane.area;
        let down = if self.plane.is_y_up { max.y - place.y } else { place.y - min.y };
        self.origin_px + DVec2::new(place.x - min.x, down) * self.px_per_unit
    }

    /// A place of the picture on the plane.
    #[must_use]
    pub fn place(&self, place_px: DVec2) -> DVec2 {
        let Rect { min, max } = self.plane.area;
        let from_corner = (place_px - self.origin_px) / self.px_per_unit;
        let y = if self.plane.is_y_up { max.y - from_corner.y } else { min.y + from_corner.y };
        DVec2::new(min.x + from_corner.x, y)
    }

    /// The whole plane in the picture.
    #[must_use]
    pub fn plane_px(&self) -> Rect {
        Rect { min: self.origin_px, max: self.origin_px + self.plane.area.size() * self.px_per_unit }
    }
}

/// A picture's parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Layout {
    pub size: DVec2,
    pub view: View,
    /// The plane and a rim round it: what is on the plane is cut off there.
    pub sheet: Rect,
    /// Where the words go.
    pub panel: Option<Rect>,
    /// Height of the type.
    pub type_px: f64,
}

impl Layout {
    /// For a plane beside a panel that needs so many heights of the type.
    pub fn new(plane: Plane, panel_types: f64, style: &Style) -> Result<Self, ViewError> {
        let width = even(style.width_px);
        let [least, most] = WIDTH_PX;
        if !(least..=most).contains(&width) {
            let words = format!("a picture must be from {least} to {most} px wide, not {}", style.width_px);
            return Err(ViewError::Wrong(words));
        }
        let type_px = (width * TYPE_PX / USUAL_WIDTH_PX).max(LEAST_TYPE_PX);
        let em = |count: f64| count * type_px;
        let axis = if style.shows(Layer::Grid) { em(AXIS) } else { 0.0 };
        let size = plane.area.size();
        // Beside a plane there must be room for the panel, or there is none.
        let has_panel = style.shows(Layer::Panel) && width > em(2.2 * PANEL);
        let panel_and_gap = if has_panel { em(PANEL + 1.4 * MARGIN) } else { 0.0 };
        let rim = em(RIM);
        let low = DVec2::new(em(MARGIN) + axis, em(MARGIN));
        let widest = width - low.x - em(MARGIN) - panel_and_gap;
        let px_per_unit = ((widest - 2.0 * rim) / size.x).min((STEEPEST * width - 2.0 * rim) / size.y);
        let sheet = Rect { min: low, max: low + size * px_per_unit + DVec2::splat(2.0 * rim) };
        let panel_height = if has_panel { em(panel_types) } else { 0.0 };
        let height = even(sheet.max.y.max(low.y + panel_height) + axis.max(em(MARGIN)));
        let left = sheet.max.x + em(1.4 * MARGIN);
        let panel = has_panel
            .then(|| Rect { min: DVec2::new(left, low.y), max: DVec2::new(width - em(MARGIN), height - em(MARGIN)) });
        let view = View { origin_px: low + DVec2::splat(rim), px_per_unit, plane };
        Ok(Self { size: DVec2::new(width, height), view, sheet, panel, type_px })
    }
}

/// Films want even numbers of pixels.
fn even(px: f64) -> f64 {
    2.0 * (0.5 * px).round()
}
