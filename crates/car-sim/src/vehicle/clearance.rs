//! How far a car may still move before it can touch anything: a look at the map is needed no sooner.

use crate::{Outline, Segment, SegmentMap};

/// Distance from the outline to the nearest segment of the map, m, or `most_m` if nothing is nearer than that. Not for an outline that
/// touches something.
pub(super) fn gap_m(map: &SegmentMap, outline: &Outline, most_m: f64) -> f64 {
    let (middle_m, radius_m) = (outline.center_m(), outline.radius_m());
    let cell_index = map.cell_index();
    let mut gap_m = most_m;
    cell_index.cells().visit_rect(outline.bounds_m().inset(-most_m), |cell| {
        for &number in cell_index.in_cell(cell) {
            let segment = &map.segments()[number as usize];
            // The outline lies in the circle through its corners: most segments need no closer look.
            if segment.distance_m(middle_m) - radius_m < gap_m {
                gap_m = gap_m.min(outline_gap_m(outline, segment));
            }
        }
    });
    gap_m
}

/// The shortest way between two convex shapes that are apart starts at a corner of one of them.
fn outline_gap_m(outline: &Outline, segment: &Segment) -> f64 {
    let from_corners = outline.corners_m().into_iter().map(|corner| segment.distance_m(corner));
    let to_ends =
        outline.edges().into_iter().flat_map(|edge| [segment.from_m, segment.to_m].map(|end| edge.distance_m(end)));
    from_corners.chain(to_ends).fold(f64::INFINITY, f64::min)
}
