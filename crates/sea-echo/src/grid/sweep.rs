//! A ball over a grid: the cells within its radius of the way, column by column.

use super::HeightGrid;
use crate::bounds::extent;
use crate::surface::Surface;
use crate::sweep::{Ball, Touch, Touchable, nearer};

impl Touchable for HeightGrid {
    fn touch(&self, ball: &Ball<'_>) -> Option<Touch> {
        let (way, radius_m) = (ball.way, ball.radius_m);
        let along = usize::from(way.direction().y.abs() > way.direction().x.abs());
        let [from, to] = [way.origin_m()[along], way.at(way.length_m())[along]];
        let columns = self.cells_between(along, [from.min(to) - radius_m, from.max(to) + radius_m]);
        let mut best = None;
        for step in 0..columns.len() {
            let column = if to < from { columns.end - 1 - step } else { columns.start + step };
            let slab_m = [self.border_m(along, column) - radius_m, self.border_m(along, column + 1) + radius_m];
            let [first_m, last_m] = spent_in(ball, along, slab_m);
            if best.is_some_and(|touch: Touch| touch.distance_m < first_m) {
                break;
            }
            if first_m <= last_m {
                self.touch_column(ball, (along, column), [first_m, last_m], &mut best);
            }
        }
        best
    }
}

/// From which distance to which the centre is between two borders, m.
fn spent_in(ball: &Ball<'_>, axis: usize, borders_m: [f64; 2]) -> [f64; 2] {
    let (start_m, slope, length_m) = (ball.way.origin_m()[axis], ball.way.direction()[axis], ball.way.length_m());
    if slope.abs() < 1e-12 {
        return [0.0, length_m];
    }
    let [low, high] = borders_m.map(|border_m| (border_m - start_m) / slope);
    [low.min(high).max(0.0), low.max(high).min(length_m)]
}

impl HeightGrid {
    /// The first touch of the cells of a column (axis 0) or a row (axis 1) near a part of the way.
    fn touch_column(
        &self,
        ball: &Ball<'_>,
        (along, number): (usize, usize),
        part_m: [f64; 2],
        best: &mut Option<Touch>,
    ) {
        let ends_m = part_m.map(|distance_m| ball.way.at(distance_m));
        let span_m = |axis: usize| {
            let [one, other] = ends_m.map(|end_m| end_m[axis]);
            [one.min(other) - ball.radius_m, one.max(other) + ball.radius_m]
        };
        let ([low_m, high_m], across) = (span_m(2), 1 - along);
        for other in self.cells_between(across, span_m(across)) {
            let cell = if along == 0 { [number, other] } else { [other, number] };
            let [lowest_m, highest_m] = extent(self.heights_m(cell));
            if lowest_m > high_m || highest_m < low_m {
                continue;
            }
            let south = self.triangle(cell);
            for triangle in [south, south + 1] {
                let touch = ball.touch_triangle(self.corners_m(triangle));
                *best = (*best).into_iter().chain(touch).reduce(nearer);
            }
        }
    }
}
