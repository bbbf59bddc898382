//! The borders of occupied cells as closed lines, and closed lines with fewer corners.

use sim_core::DVec2;

/// A corner of the grid: cells from its left and its lower edge.
pub(super) type Corner = (usize, usize);

/// Steps along +x, +y, -x, -y: each a left turn from the one before.
const STEPS: [(isize, isize); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// The borders between occupied and other cells of a grid, as corners. What is occupied is on the left. y counts from the lowest row.
pub(super) fn rings(width: usize, height: usize, is_occupied: impl Fn(usize, usize) -> bool) -> Vec<Vec<Corner>> {
    let grid = Grid { width, height, is_occupied };
    let mut is_traced = vec![false; width * (height + 1)];
    let mut rings = Vec::new();
    for y in 0..=height {
        for x in 0..width {
            if !is_traced[y * width + x] && grid.has_border((x, y), 0) {
                rings.push(grid.trace((x, y), &mut is_traced));
            }
        }
    }
    rings
}

struct Grid<F> {
    width: usize,
    height: usize,
    is_occupied: F,
}

impl<F: Fn(usize, usize) -> bool> Grid<F> {
    /// Whether the cell with this lower left corner is occupied; outside of the grid none is.
    fn is_occupied_at(&self, x: isize, y: isize) -> bool {
        let (Ok(x), Ok(y)) = (usize::try_from(x), usize::try_from(y)) else { return false };
        x < self.width && y < self.height && (self.is_occupied)(x, y)
    }

    /// True if a border leaves a corner along a step: what is on the left of the step is occupied, what is on the right is not.
    fn has_border(&self, (x, y): Corner, step: usize) -> bool {
        let (x, y) = (x as isize, y as isize);
        let [left, right] = [[(0, 0), (0, -1)], [(-1, 0), (0, 0)], [(-1, -1), (-1, 0)], [(0, -1), (-1, -1)]][step];
        self.is_occupied_at(x + left.0, y + left.1) && !self.is_occupied_at(x + right.0, y + right.1)
    }

    /// Follows a border from a corner from which it leaves along +x, back to there. Marks the steps along +x, which every border has.
    fn trace(&self, start: Corner, is_traced: &mut [bool]) -> Vec<Corner> {
        let mut corners = Vec::new();
        let (mut at, mut step) = (start, 0);
        loop {
            if step == 0 {
                is_traced[at.1 * self.width + at.0] = true;
            }
            at = (at.0.wrapping_add_signed(STEPS[step].0), at.1.wrapping_add_signed(STEPS[step].1));
            // Right before left joins cells that meet at a corner only.
            let turns = [step + 3, step, step + 1].map(|turned| turned % 4);
            let next = turns.into_iter().find(|&turned| self.has_border(at, turned)).unwrap_or(step);
            if next != step {
                corners.push(at);
            }
            step = next;
            if (at, step) == (start, 0) {
                return corners;
            }
        }
    }
}

/// A closed line with fewer corners (Ramer, Douglas and Peucker): every corner left out is within `tolerance_m` of the edge that replaces
/// it, and so is every point of the line; as the line runs all along that edge, it is as near the other way round.
pub(super) fn simplified(corners_m: &[DVec2], tolerance_m: f64) -> Vec<DVec2> {
    let Some(&first) = corners_m.first() else { return Vec::new() };
    let by_distance = |&a: &usize, &b: &usize| first.distance(corners_m[a]).total_cmp(&first.distance(corners_m[b]));
    let far = (0..corners_m.len()).max_by(by_distance).unwrap_or(0);
    let count = corners_m.len();
    let corner = |index: usize| corners_m[index % count];
    let mut is_kept = vec![false; count];
    is_kept[0] = true;
    is_kept[far] = true;
    let mut chains = vec![(0, far), (far, count)];
    while let Some((start, end)) = chains.pop() {
        let off_m = |index: usize| distance_m(corner(index), corner(start), corner(end));
        let farthest = (start + 1..end).max_by(|&a, &b| off_m(a).total_cmp(&off_m(b)));
        if let Some(middle) = farthest.filter(|&middle| off_m(middle) > tolerance_m) {
            is_kept[middle] = true;
            chains.extend([(start, middle), (middle, end)]);
        }
    }
    (0..count).filter(|&index| is_kept[index]).map(corner).collect()
}

/// Distance of a point from a segment.
fn distance_m(point: DVec2, from: DVec2, to: DVec2) -> f64 {
    let span = to - from;
    let share =
        if span == DVec2::ZERO { 0.0 } else { ((point - from).dot(span) / span.length_squared()).clamp(0.0, 1.0) };
    point.distance(from + span * share)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rings_of(picture: &[&str]) -> Vec<Vec<Corner>> {
        let rows: Vec<&[u8]> = picture.iter().rev().map(|row| row.as_bytes()).collect();
        rings(rows[0].len(), rows.len(), |x, y| rows[y][x] == b'#')
    }

    #[test]
    fn one_cell_is_a_square_counter_clockwise() {
        assert_eq!(rings_of(&["...", ".#.", "..."]), [[(2, 1), (2, 2), (1, 2), (1, 1)]]);
    }

    #[test]
    fn a_room_has_an_outer_and_an_inner_border() {
        let found = rings_of(&["####", "#..#", "####"]);
        assert_eq!(found, [[(4, 0), (4, 3), (0, 3), (0, 0)], [(3, 2), (3, 1), (1, 1), (1, 2)]]);
    }

    #[test]
    fn cells_that_meet_at_a_corner_are_one_thing() {
        assert_eq!(rings_of(&["#.", ".#"]).len(), 1);
        assert_eq!(rings_of(&[".#", "#."]).len(), 1);
        // And so free cells that meet at a corner only are two.
        assert_eq!(rings_of(&["####", "##.#", "#.##", "####"]).len(), 3);
    }

    #[test]
    fn stairs_become_a_slope() {
        let stairs: Vec<DVec2> = (0..10)
            .flat_map(|k| [DVec2::new(f64::from(k), f64::from(k)), DVec2::new(f64::from(k + 1), f64::from(k))])
            .chain([DVec2::new(10.0, 10.0), DVec2::new(0.0, 10.0)])
            .collect();
        // Outer corners are sqrt(1/2) off the diagonal.
        assert_eq!(simplified(&stairs, 0.72), [DVec2::ZERO, DVec2::splat(10.0), DVec2::new(0.0, 10.0)]);
        assert_eq!(simplified(&stairs, 0.0), stairs);
    }
}
