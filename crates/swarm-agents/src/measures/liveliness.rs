//! Liveliness: share of moving robots, straightness, coverage, and standing for too long.

use super::catalogue::{Table, ratio, share};
use super::{MeasureModel, Observation, TRACKED_ROBOTS};
use sim_core::{DVec2, Rect, ops};
use swarm_field::FootPhase;

/// Side of a coverage cell. Cells start at the mat's corner.
pub(super) const CELL_MM: f64 = 20.0;

/// Faster than this is moving.
pub const MOVING_MM_S: f64 = 10.0;

/// A robot nearer than this to its box's border is along the wall.
const WALL_MM: f64 = 10.0;

/// Movement and places of all robots.
#[derive(Clone, Debug)]
pub(super) struct Liveliness {
    steps: u64,
    moving: u64,
    roam_robot_steps: u64,
    roam_moving: u64,
    along_wall: u64,
    inner_box: Rect,
    still_steps: Vec<u64>,
    still_longest: u64,
    cells: Cells,
    own_cells: Vec<u64>,
    tracked: usize,
    window_start_mm: Vec<DVec2>,
    window_path_mm: f64,
    window_steps: u64,
    net_mm: f64,
    path_mm: f64,
}

impl Liveliness {
    pub(super) fn new(model: &MeasureModel) -> Self {
        let cells = Cells::new(model);
        let tracked = model.robots.min(TRACKED_ROBOTS);
        Self {
            steps: 0,
            moving: 0,
            roam_robot_steps: 0,
            roam_moving: 0,
            along_wall: 0,
            inner_box: model.bounds.inset(WALL_MM),
            still_steps: vec![0; model.robots],
            still_longest: 0,
            own_cells: vec![0; tracked * cells.words()],
            cells,
            tracked,
            window_start_mm: vec![DVec2::ZERO; model.robots],
            window_path_mm: 0.0,
            window_steps: 0,
            net_mm: 0.0,
            path_mm: 0.0,
        }
    }

    /// Observes one step in which the robots moved by `ways_mm`.
    pub(super) fn step(&mut self, model: &MeasureModel, seen: &Observation<'_>, ways_mm: &[f64]) {
        self.steps += 1;
        self.look_at_movement(MOVING_MM_S / model.rate_hz(), seen, ways_mm);
        self.visit(seen);
        self.follow_windows(model, seen, ways_mm);
    }

    fn look_at_movement(&mut self, moving_mm: f64, seen: &Observation<'_>, ways_mm: &[f64]) {
        let mut moving = 0;
        for (still, &way_mm) in self.still_steps.iter_mut().zip(ways_mm) {
            let moves = way_mm > moving_mm;
            moving += u64::from(moves);
            *still = if moves { 0 } else { *still + 1 };
            self.still_longest = self.still_longest.max(*still);
        }
        self.moving += moving;
        if seen.feet_phase.iter().any(|phase| matches!(phase, FootPhase::Roam | FootPhase::Orbit)) {
            self.roam_robot_steps += ways_mm.len() as u64;
            self.roam_moving += moving;
        }
    }

    fn visit(&mut self, seen: &Observation<'_>) {
        let words = self.cells.words();
        for (i, &p) in seen.after.position_mm.iter().enumerate() {
            if let Some(cell) = self.cells.enter(i, p, self.steps as u32)
                && i < self.tracked
            {
                self.own_cells[i * words + cell / 64] |= 1 << (cell % 64);
            }
            self.along_wall += u64::from(!self.inner_box.contains(p));
        }
    }

    /// Ways and net displacements over windows of one second.
    fn follow_windows(&mut self, model: &MeasureModel, seen: &Observation<'_>, ways_mm: &[f64]) {
        if self.window_steps == 0 {
            self.window_start_mm.copy_from_slice(&seen.before.position_mm);
        }
        self.window_steps += 1;
        self.window_path_mm += ways_mm.iter().sum::<f64>();
        if self.window_steps < u64::from(model.step_hz) {
            return;
        }
        for (start, end) in self.window_start_mm.iter().zip(&seen.after.position_mm) {
            self.net_mm += start.distance(*end);
        }
        self.path_mm += self.window_path_mm;
        self.window_path_mm = 0.0;
        self.window_steps = 0;
    }

    /// True if a robot is in a cell whose middle is within `radius_mm` of `p`.
    pub(super) fn is_used_near(&self, p: DVec2, radius_mm: f64) -> bool {
        self.cells.is_used_near(p, radius_mm)
    }

    pub(super) fn report(&self, model: &MeasureModel, path_length_mean_mm: f64, table: &mut Table<'_>) {
        let robot_steps = self.steps * model.robots as u64;
        table.push("moving_share", share(self.moving, robot_steps));
        table.push("moving_share_roam", share(self.roam_moving, self.roam_robot_steps));
        table.push("path_length_mean_mm", path_length_mean_mm);
        table.push("straightness_1s", ratio(self.net_mm, self.path_mm));
        table.push("still_longest_s", model.seconds(self.still_longest));
        table.push("coverage_share", self.cells.coverage(self.steps));
        let own: u64 = self.own_cells.iter().map(|word| u64::from(word.count_ones())).sum();
        table.push("coverage_per_robot_share", share(own, (self.tracked * self.cells.count()) as u64));
        table.push("occupancy_entropy", self.cells.entropy(self.steps));
        table.push("wall_share", share(self.along_wall, robot_steps));
    }
}

/// The robots in a cell, and their visits: a robot makes one in each step. They are counted where robots come and go, since most stay.
#[derive(Clone, Copy, Debug, Default)]
struct Cell {
    /// Robots in the cell.
    robots: u32,
    /// Visits less those that the robots in the cell would have made since the start, wrapped round.
    balance: u32,
}

impl Cell {
    fn enter(&mut self, step: u32) {
        self.robots += 1;
        self.balance = self.balance.wrapping_sub(step - 1);
    }

    /// Lets a robot go that is elsewhere in this step.
    fn leave(&mut self, step: u32) {
        self.robots -= 1;
        self.balance = self.balance.wrapping_add(step - 1);
    }

    /// Visits in so many steps.
    fn visits(&self, steps: u32) -> u32 {
        self.balance.wrapping_add(self.robots.wrapping_mul(steps))
    }
}

/// The cells of the mat that a robot centre can reach: those that share more than a border with the box of centres.
#[derive(Clone, Debug)]
struct Cells {
    origin_mm: DVec2,
    columns: usize,
    rows: usize,
    cells: Vec<Cell>,
    /// The cell of each robot; none before the first step.
    of_robots: Vec<Option<usize>>,
}

impl Cells {
    fn new(model: &MeasureModel) -> Self {
        // Cells that only touch the box, up to rounding, cannot be reached.
        let low = ((model.bounds.min - model.mat.min) / CELL_MM + 1e-9).floor();
        let high = ((model.bounds.max - model.mat.min) / CELL_MM - 1e-9).ceil();
        let span = (high - low).max(DVec2::ONE);
        let (columns, rows) = (span.x as usize, span.y as usize);
        Self {
            origin_mm: model.mat.min + low * CELL_MM,
            columns,
            rows,
            cells: vec![Cell::default(); columns * rows],
            of_robots: vec![None; model.robots],
        }
    }

    fn count(&self) -> usize {
        self.cells.len()
    }

    fn words(&self) -> usize {
        self.cells.len().div_ceil(64)
    }

    /// Index of the cell of `p`; of the nearest one if `p` is outside.
    #[inline]
    fn index(&self, p: DVec2) -> usize {
        // Negative numbers become 0 in the conversion. One to 32 bits is quicker.
        let at = (p - self.origin_mm) * (1.0 / CELL_MM);
        let (column, row) = (at.x as u32 as usize, at.y as u32 as usize);
        let (column, row) = (column.min(self.columns - 1), row.min(self.rows - 1));
        row * self.columns + column
    }

    /// Moves a robot to the cell of `p` in a step, counted from 1 on. Returns that cell if it is another one than before.
    #[inline]
    fn enter(&mut self, robot: usize, p: DVec2, step: u32) -> Option<usize> {
        let (index, before) = (self.index(p), self.of_robots[robot]);
        if before == Some(index) {
            return None;
        }
        self.of_robots[robot] = Some(index);
        if let Some(before) = before {
            self.cells[before].leave(step);
        }
        self.cells[index].enter(step);
        Some(index)
    }

    fn is_used_near(&self, p: DVec2, radius_mm: f64) -> bool {
        let corner = DVec2::splat(radius_mm);
        let (first, last) = (self.index(p - corner), self.index(p + corner));
        for row in first / self.columns..=last / self.columns {
            for column in first % self.columns..=last % self.columns {
                let middle = self.origin_mm + (DVec2::new(column as f64, row as f64) + 0.5) * CELL_MM;
                let is_used = self.cells[row * self.columns + column].robots > 0;
                if is_used && middle.distance_squared(p) <= radius_mm * radius_mm {
                    return true;
                }
            }
        }
        false
    }

    /// Visits to each cell in so many steps.
    fn visits(&self, steps: u64) -> impl Iterator<Item = u32> {
        self.cells.iter().map(move |cell| cell.visits(steps as u32))
    }

    fn coverage(&self, steps: u64) -> f64 {
        let visited = self.visits(steps).filter(|&visits| visits > 0).count();
        share(visited as u64, self.cells.len() as u64)
    }

    /// Entropy of the visits over that of an even use of all cells.
    fn entropy(&self, steps: u64) -> f64 {
        let total: u64 = self.visits(steps).map(u64::from).sum();
        if total == 0 {
            return f64::NAN;
        }
        let mut entropy = 0.0;
        for visits in self.visits(steps).filter(|&visits| visits > 0) {
            let part = f64::from(visits) / total as f64;
            entropy -= part * ops::ln(part);
        }
        ratio(entropy, ops::ln(self.cells.len() as f64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of two robots one goes away, at steps 3 and 6, and comes back for step 5; the other one comes at step 4 and stays.
    #[test]
    fn a_cell_counts_each_step_of_each_robot_in_it() {
        let mut cell = Cell::default();
        cell.enter(1);
        assert_eq!([1, 2].map(|steps| cell.visits(steps)), [1, 2]);
        cell.leave(3);
        assert_eq!((cell.visits(3), cell.robots), (2, 0));
        cell.enter(4);
        cell.enter(5);
        assert_eq!((cell.visits(5), cell.robots), (2 + 2 + 1, 2));
        cell.leave(6);
        assert_eq!((cell.visits(6), cell.robots), (6, 1));
    }
}
