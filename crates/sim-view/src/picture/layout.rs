//! Where things go in a picture.

use super::check::check;
use super::style::{GRID, PANEL as PANEL_LAYER, ViewStyle};
use crate::draw::pixels::MAX_PIXELS;
use crate::error::ViewError;
use crate::folder::{FolderError, RunFolder, StepRows, StreamTable, no_such_column};
use crate::frame::FARTHEST;
use sim_core::{DVec2, DVec3, Rect};
use sim_world::view::{Axis, Coord, Projection};

/// Narrower pictures show nothing, and wider ones have more pixels than can be drawn.
const WIDTH_PX: [f64; 2] = [100.0, MAX_PIXELS];
/// Height of the type in a picture of [`USUAL_WIDTH_PX`].
const TYPE_PX: f64 = 15.0;
const USUAL_WIDTH_PX: f64 = 1280.0;
/// Smaller type is not read.
const MIN_TYPE_PX: f64 = 10.0;
/// Lengths in heights of the type.
const PANEL: f64 = 19.0;
const MARGIN: f64 = 1.4;
const AXIS: f64 = 1.9;
const RIM: f64 = 0.8;
/// Between the numbers below a picture and the band of the next one.
const GAP: f64 = 0.3;
/// Pictures are at most this many times as high as wide.
pub(super) const STEEPEST: f64 = 1.6;

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
    /// Scale: pixels for a unit of length to the right.
    pub px_per_unit: f64,
    /// How many times longer the same length is across; 1 if both axes have the same scale.
    pub stretch: f64,
    /// The plane.
    pub plane: Plane,
}

impl PlaneView {
    /// A place of the plane in the picture.
    #[must_use]
    pub fn px(&self, place: DVec2) -> DVec2 {
        let Rect { min, max } = self.plane.area;
        let down = if self.plane.is_up { max.y - place.y } else { place.y - min.y };
        self.origin_px + DVec2::new(place.x - min.x, down * self.stretch) * self.px_per_unit
    }

    /// A place of the picture on the plane.
    #[must_use]
    pub fn place(&self, place_px: DVec2) -> DVec2 {
        let Rect { min, max } = self.plane.area;
        let from_corner = (place_px - self.origin_px) / self.px_per_unit;
        let down = from_corner.y / self.stretch;
        let y = if self.plane.is_up { max.y - down } else { min.y + down };
        DVec2::new(min.x + from_corner.x, y)
    }

    /// The whole plane in the picture.
    #[must_use]
    pub fn plane_px(&self) -> Rect {
        let size = self.plane.area.size() * DVec2::new(1.0, self.stretch);
        Rect { min: self.origin_px, max: self.origin_px + size * self.px_per_unit }
    }
}

impl Plane {
    /// The level axis of a side view; none in a plan.
    #[must_use]
    pub fn level_axis(&self) -> Option<Axis> {
        self.axes.contains(&Axis::Z).then(|| self.axes.into_iter().find(|&axis| axis != Axis::Z)).flatten()
    }

    /// A place of the world on the plane.
    #[must_use]
    pub fn of(&self, place: DVec3) -> DVec2 {
        DVec2::from_array(self.axes.map(|axis| match axis {
            Axis::X => place.x,
            Axis::Y => place.y,
            Axis::Z => place.z,
        }))
    }
}

/// The part of the world that each projection of a run's view shows. Where it holds parties, their tables are read whole.
///
/// # Errors
/// If a table cannot be read, there is no projection, the view names what is not there, or an area is empty or too large.
pub fn planes_of(folder: &RunFolder) -> Result<Vec<Plane>, ViewError> {
    check(folder.view())?;
    folder.view().projections.iter().map(|projection| plane_of(folder, projection)).collect()
}

fn plane_of(folder: &RunFolder, projection: &Projection) -> Result<Plane, ViewError> {
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
    let area = with_margin(area, projection);
    let is_drawable = area.min.is_finite() && area.max.is_finite() && area.size().min_element() > 0.0;
    if is_drawable && area.min.abs().max(area.max.abs()).max_element() <= 2.0 * FARTHEST {
        return Ok(Plane { area, axes: projection.axes, is_up: projection.is_up });
    }
    let words = format!("view.json: nothing can be drawn of an area from {} to {}", area.min, area.max);
    Err(ViewError::Wrong(words))
}

/// An area with its clearance; a unit square if nothing is known of it.
pub(crate) fn with_margin(area: Option<Rect>, projection: &Projection) -> Rect {
    let area = area.unwrap_or(Rect { min: DVec2::ZERO, max: DVec2::ONE });
    let [share, least] = projection.area.margin;
    let sides = if projection.height.is_some() { area.size() } else { DVec2::splat(area.size().max_element()) };
    let margin = (sides * share).max(DVec2::splat(least));
    Rect { min: area.min - margin, max: area.max + margin }
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
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Layout {
    pub size: DVec2,
    /// The plan, and below it the other projections of the view.
    pub panes: Vec<Pane>,
    /// Where the words go.
    pub panel: Option<Rect>,
    /// Height of the type.
    pub type_px: f64,
}

/// The picture of one projection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pane {
    pub view: PlaneView,
    /// The plane and a rim round it: what is on the plane is cut off there.
    pub sheet: Rect,
    /// The part of the whole picture that belongs to it.
    pub band: Rect,
}

/// A plane, and the height that its picture must have as a share of its width.
pub(super) type Seen = (Plane, Option<f64>);

impl Layout {
    /// For planes, one below the other, beside a panel that needs so many heights of the type.
    pub fn new(planes: &[Seen], panel_types: f64, style: &ViewStyle) -> Result<Self, ViewError> {
        let width = even(style.width_px);
        let [least, most] = WIDTH_PX;
        if !(least..=most).contains(&width) {
            let words = format!("a picture must be from {least} to {most} px wide, not {}", style.width_px);
            return Err(ViewError::Wrong(words));
        }
        let type_px = (width * TYPE_PX / USUAL_WIDTH_PX).max(MIN_TYPE_PX);
        let em = |count: f64| count * type_px;
        let axis = if style.shows(GRID) { em(AXIS) } else { 0.0 };
        // Beside a plane there must be space for the panel, or there is none.
        let has_panel = style.shows(PANEL_LAYER) && width > em(2.2 * PANEL);
        let panel_and_gap = if has_panel { em(PANEL + 1.4 * MARGIN) } else { 0.0 };
        let low = DVec2::new(em(MARGIN) + axis, em(MARGIN));
        let widest = width - low.x - em(MARGIN) - panel_and_gap;
        let most = DVec2::new(widest, STEEPEST * width / planes.len().max(1) as f64);
        let (mut panes, mut at) = (Vec::<Pane>::new(), low);
        for &plane in planes {
            let pane = Pane::new(plane, (at, most), em(RIM));
            let top = panes.last().map_or(0.0, |above| above.band.max.y);
            let bottom = (pane.sheet.max.y + axis + em(GAP)).round();
            panes.push(Pane { band: Rect { min: DVec2::new(0.0, top), max: DVec2::new(width, bottom) }, ..pane });
            at.y = bottom + em(MARGIN);
        }
        let low_end = panes.iter().fold(DVec2::ZERO, |end, pane| end.max(pane.sheet.max));
        let panel_height = if has_panel { em(panel_types) } else { 0.0 };
        let height = even(low_end.y.max(low.y + panel_height) + axis.max(em(MARGIN)));
        let left = low_end.x + em(1.4 * MARGIN);
        let panel = has_panel
            .then(|| Rect { min: DVec2::new(left, low.y), max: DVec2::new(width - em(MARGIN), height - em(MARGIN)) });
        Ok(Self { size: DVec2::new(width, height), panes, panel, type_px })
    }
}

impl Pane {
    /// A picture with its upper left corner at a place, at most so large with its rim. Its band is not known yet.
    fn new((plane, height): Seen, (low, most): (DVec2, DVec2), rim: f64) -> Self {
        let (size, [widest, highest]) = (plane.area.size(), [most.x - 2.0 * rim, most.y - 2.0 * rim]);
        let (px_per_unit, stretch) = match height {
            None => ((widest / size.x).min(highest / size.y), 1.0),
            Some(share) => (widest / size.x, (share * widest).min(highest) / size.y * (size.x / widest)),
        };
        let view = PlaneView { origin_px: low + DVec2::splat(rim), px_per_unit, stretch, plane };
        let seen = size * DVec2::new(1.0, stretch) * px_per_unit;
        let sheet = Rect { min: low, max: low + seen + DVec2::splat(2.0 * rim) };
        Self { view, sheet, band: sheet }
    }
}

/// Films want even numbers of pixels.
fn even(px: f64) -> f64 {
    2.0 * (0.5 * px).round()
}
