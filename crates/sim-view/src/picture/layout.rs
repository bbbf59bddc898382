//! Where things go in a picture.

use super::style::{GRID, PANEL as PANEL_LAYER, ViewStyle};
use crate::draw::pixels::MOST_PIXELS;
use crate::error::ViewError;
use crate::folder::{FolderError, RunFolder, StepRows, StreamTable, no_such_column};
use crate::frame::FARTHEST;
use sim_core::{DVec2, Rect};
use sim_world::view::{Axis, Coord, Projection};

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

/// What a picture shows of a world, in the world's own unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    /// The part that is seen.
    pub area: Rect,
    /// The axes to the right and across.
    pub axes: [Axis; 2],
    /// True if the second axis points up.
    pub is_up: bool,
}

/// Where places of the plane are in the picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaneView {
    /// Where the plane's upper left corner is, px.
    pub origin_px: DVec2,
    /// Scale: pixels for a unit of length.
    pub px_per_unit: f64,
    /// The plane.
    pub plane: Plane,
}

impl PlaneView {
    /// A place of the plane in the picture.
    #[must_use]
    pub fn px(&self, place: DVec2) -> DVec2 {
        let Rect { min, max } = self.plane.area;
        let down = if self.plane.is_up { max.y - place.y } else { place.y - min.y };
        self.origin_px + DVec2::new(place.x - min.x, down) * self.px_per_unit
    }

    /// A place of the picture on the plane.
    #[must_use]
    pub fn place(&self, place_px: DVec2) -> DVec2 {
        let Rect { min, max } = self.plane.area;
        let from_corner = (place_px - self.origin_px) / self.px_per_unit;
        let y = if self.plane.is_up { max.y - from_corner.y } else { min.y + from_corner.y };
        DVec2::new(min.x + from_corner.x, y)
    }

    /// The whole plane in the picture.
    #[must_use]
    pub fn plane_px(&self) -> Rect {
        Rect { min: self.origin_px, max: self.origin_px + self.plane.area.size() * self.px_per_unit }
    }
}

/// The part of the world that a projection shows. Where it holds parties, their tables are read whole.
///
/// # Errors
/// If a table cannot be read, the projection names what is not there, or its area is empty or too large.
pub fn plane_of(folder: &RunFolder, projection: &Projection) -> Result<Plane, ViewError> {
    let mut area: Option<Rect> = None;
    let mut add = |min: DVec2, max: DVec2| {
        area = Some(area.map_or(Rect { min, max }, |area| Rect { min: area.min.min(min), max: area.max.max(max) }));
    };
    if let Some([min, max]) = projection.area.fixed {
        add(DVec2::from_array(min), DVec2::from_array(max));
    }
    for (stream, reaches) in &projection.area.holds {
        if let Some(Rect { min, max }) = extent_of(folder, stream, reaches, projection.axes)? {
            add(min, max);
        }
    }
    let area = area.unwrap_or(Rect { min: DVec2::ZERO, max: DVec2::ONE });
    let [share, least] = projection.area.margin;
    let margin = DVec2::splat((share * area.size().max_element()).max(least));
    let area = Rect { min: area.min - margin, max: area.max + margin };
    let is_drawable = area.min.is_finite() && area.max.is_finite() && area.size().min_element() > 0.0;
    if is_drawable && area.min.abs().max(area.max.abs()).max_element() <= 2.0 * FARTHEST {
        return Ok(Plane { area, axes: projection.axes, is_up: projection.is_up });
    }
    let words = format!("view.json: nothing can be drawn of an area from {} to {}", area.min, area.max);
    Err(ViewError::Wrong(words))
}

/// Where the owners of a party reach in a run; nothing if it has no rows.
fn extent_of(folder: &RunFolder, stream: &str, reaches: &[f64], axes: [Axis; 2]) -> Result<Option<Rect>, FolderError> {
    let Some(party) = folder.view().parties.iter().find(|party| party.stream == stream) else { return Ok(None) };
    let coords = axes.map(|axis| match axis {
        Axis::X => &party.place.x,
        Axis::Y => &party.place.y,
        Axis::Z => &party.place.z,
    });
    let is_coord = |name: &str| coords.iter().any(|coord| matches!(coord, Coord::Column(column) if column == name));
    let Some(mut table) = folder.stream(stream, is_coord)? else { return Ok(None) };
    let places = [place_in(&mut table, coords[0])?, place_in(&mut table, coords[1])?];
    let owner = table.stream().owner();
    let (mut rows, mut extent): (StepRows, Option<Rect>) = (StepRows::default(), None);
    while table.next_step(&mut rows)?.is_some() {
        for row in rows.iter() {
            let place = DVec2::from_array(places.map(|place| place.map_or_else(|fixed| fixed, |at: usize| row[at])));
            let number = owner.map_or(0, |owner| row[owner] as usize);
            let reach = DVec2::splat(reaches.get(number).or(reaches.last()).copied().unwrap_or(0.0));
            if place.is_finite() {
                let known = extent.unwrap_or(Rect { min: place, max: place });
                extent = Some(Rect { min: known.min.min(place - reach), max: known.max.max(place + reach) });
            }
        }
    }
    Ok(extent)
}

/// Where a coordinate stands in a row, or what it is in all of them.
fn place_in(table: &mut StreamTable, coord: &Coord) -> Result<Result<usize, f64>, FolderError> {
    match coord {
        Coord::Fixed(number) => Ok(Err(*number)),
        Coord::Column(column) => {
            table.bound(column, FARTHEST)?;
            let place = table.places(column)?.next();
            place.map(Ok).ok_or_else(|| no_such_column(table.stream(), column))
        }
    }
}

/// A picture's parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Layout {
    pub size: DVec2,
    pub view: PlaneView,
    /// The plane and a rim round it: what is on the plane is cut off there.
    pub sheet: Rect,
    /// Where the words go.
    pub panel: Option<Rect>,
    /// Height of the type.
    pub type_px: f64,
}

impl Layout {
    /// For a plane beside a panel that needs so many heights of the type.
    pub fn new(plane: Plane, panel_types: f64, style: &ViewStyle) -> Result<Self, ViewError> {
        let width = even(style.width_px);
        let [least, most] = WIDTH_PX;
        if !(least..=most).contains(&width) {
            let words = format!("a picture must be from {least} to {most} px wide, not {}", style.width_px);
            return Err(ViewError::Wrong(words));
        }
        let type_px = (width * TYPE_PX / USUAL_WIDTH_PX).max(LEAST_TYPE_PX);
        let em = |count: f64| count * type_px;
        let axis = if style.shows(GRID) { em(AXIS) } else { 0.0 };
        let size = plane.area.size();
        // Beside a plane there must be room for the panel, or there is none.
        let has_panel = style.shows(PANEL_LAYER) && width > em(2.2 * PANEL);
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
        let view = PlaneView { origin_px: low + DVec2::splat(rim), px_per_unit, plane };
        Ok(Self { size: DVec2::new(width, height), view, sheet, panel, type_px })
    }
}

/// Films want even numbers of pixels.
fn even(px: f64) -> f64 {
    2.0 * (0.5 * px).round()
}
