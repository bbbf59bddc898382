//! What the lidars saw: the free room that the rays passed, faintly, and a point where each of them ended.

use super::color_of;
use crate::draw::{Ink, Path};
use crate::frame::road::ScanInPlace;
use crate::picture::canvas::Canvas;
use sim_core::{DVec2, Rect};

/// The room between the lidar and where its rays ended; a ray that came back with nothing has none.
pub(super) fn draw_seen(canvas: &mut Canvas<'_>, scan: &ScanInPlace, strength: f64) {
    let origin = canvas.px(scan.origin_m);
    let mut corners: Vec<DVec2> = if scan.is_full_turn { Vec::new() } else { vec![origin] };
    corners.extend(scan.hits_m.iter().map(|hit_m| hit_m.map_or(origin, |hit_m| canvas.px(hit_m))));
    corners.dedup();
    let color = color_of(canvas.theme(), scan.car);
    canvas.draw(Path::polygon(&corners), Ink::fill(color.faded(strength)));
}

/// Small squares, which many rays can afford.
pub(super) fn draw_hits(canvas: &mut Canvas<'_>, scan: &ScanInPlace) {
    let half = DVec2::splat(0.5 * canvas.pen(2.6));
    let points = scan.hits_m.iter().flatten().map(|&hit_m| canvas.px(hit_m));
    let squares = points.map(|point| Path::rect(Rect { min: point - half, max: point + half }).0);
    let color = color_of(canvas.theme(), scan.car);
    canvas.draw(Path(squares.flatten().collect()), Ink::fill(color));
}
