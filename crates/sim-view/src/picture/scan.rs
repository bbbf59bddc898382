//! What range finders saw: the free space that the rays crossed, and a point where each of them ended.

use super::canvas::Canvas;
use super::ink::Of;
use crate::draw::{Ink, Path};
use crate::folder::FolderError;
use crate::frame::{Scan, Teller};
use sim_core::{DVec2, Rect};
use sim_world::view::Tint;

/// Scans above which each is fainter.
const STRONG_SCANS: f64 = 6.0;

/// The space between a scanner and where its rays ended; a ray that came back with nothing has none.
pub(super) fn draw_seen(
    canvas: &mut Canvas<'_>,
    scans: &[Scan],
    tint: &Tint,
    teller: &Teller<'_>,
) -> Result<(), FolderError> {
    let share = (STRONG_SCANS / scans.len().max(1) as f64).min(1.0);
    for scan in scans {
        let origin = canvas.px_of(scan.origin);
        let mut corners: Vec<DVec2> = if scan.is_full_turn { Vec::new() } else { vec![origin] };
        corners.extend(scan.hits.iter().map(|hit| hit.map_or(origin, |hit| canvas.px_of(hit))));
        corners.dedup();
        let Some(actor) = teller.now.actors.iter().find(|actor| actor.id == scan.owner) else { continue };
        let color = canvas.tint(tint, Of::actor(teller, actor))?;
        canvas.draw(Path::polygon(&corners), Ink::fill(color.faded(color.alpha * share)));
    }
    Ok(())
}

/// Small squares, which many rays can afford.
pub(super) fn draw_hits(
    canvas: &mut Canvas<'_>,
    scans: &[Scan],
    tint: &Tint,
    teller: &Teller<'_>,
) -> Result<(), FolderError> {
    let half = DVec2::splat(0.5 * canvas.pen(2.6));
    for scan in scans {
        let points = scan.hits.iter().flatten().map(|&hit| canvas.px_of(hit));
        let squares = points.flat_map(|point| Path::rect(Rect { min: point - half, max: point + half }).0);
        let path = Path(squares.collect());
        let Some(actor) = teller.now.actors.iter().find(|actor| actor.id == scan.owner) else { continue };
        let color = canvas.tint(tint, Of::actor(teller, actor))?;
        canvas.draw(path, Ink::fill(color));
    }
    Ok(())
}
