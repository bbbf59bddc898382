//! Addition of Gaussians to the grid: about a tenth of a nanosecond for each Gaussian and node, without `unsafe`.
//!
//! Along a line of equal steps the exponent of a Gaussian is quadratic. So `p *= r; r *= k` walks its values exactly with two products a
//! step (reference 3.6). A round hill is an outer product of two such walks, done in f64. A foot's wells lean. Their values on one row are
//! walked in f64 along x, and from that row up and down in f32, four columns and four wells at once. The row lies near the feet, so the
//! rounding of a walk grows only where the value has become small. With s the standard deviation and h the step it grows like (s/h)^2. It
//! is 1e-6 for a foot at 200 mm/s on the spec's grid, 5e-6 with cells of 2 mm.
//!
//! Everything is cut five standard deviations from its centre along each axis, where 4e-6 of the peak is left.

use super::wells::Well;
use sim_core::{DVec2, ops};
use std::ops::Range;
use wide::f32x4;

/// Where a Gaussian is cut, in standard deviations.
const CUT: f64 = 5.0;
/// Number of columns that are walked at once, those of an [`f32x4`]; the grid's stride is a multiple.
pub(super) const LANES: usize = 4;
/// Round hills that are added in one pass: the spec's ten are two groups.
const GROUP: usize = 5;
/// Keeps the far ends of a walk clear of the slow subnormal numbers: a power of two, taken out again at the end.
const LIFT: f64 = (1_u128 << 100) as f64;

/// The grid's geometry in nodes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    pub(super) origin_mm: DVec2,
    pub(super) step_mm: DVec2,
    pub(super) columns: usize,
    pub(super) rows: usize,
    pub(super) stride: usize,
}

/// Nodes of a rectangle.
#[derive(Clone, Debug)]
struct Span {
    columns: Range<usize>,
    rows: Range<usize>,
}

/// The smallest range that holds two ranges; an empty one holds nothing.
fn hull(a: &Range<usize>, b: &Range<usize>) -> Range<usize> {
    match (a.is_empty(), b.is_empty()) {
        (true, _) => b.clone(),
        (_, true) => a.clone(),
        _ => a.start.min(b.start)..a.end.max(b.end),
    }
}

/// Tables that are refilled for each Gaussian.
#[derive(Clone, Debug)]
pub(super) struct Scratch {
    along_x: [Vec<f32>; GROUP],
    along_y: [Vec<f32>; GROUP],
    start: Vec<[f32x4; 4]>,
    ratio: Vec<[f32x4; 4]>,
}

impl Scratch {
    pub(super) fn new(layout: &Layout) -> Self {
        let chunks = layout.stride / LANES;
        Self {
            along_x: std::array::from_fn(|_| vec![0.0; layout.stride]),
            along_y: std::array::from_fn(|_| vec![0.0; layout.rows]),
            start: vec![[f32x4::ZERO; 4]; chunks],
            ratio: vec![[f32x4::ZERO; 4]; chunks],
        }
    }
}

impl Layout {
    fn span(&self, well: &Well) -> Span {
        let reach = well.spread_mm * CUT;
        let low = (well.center_mm - reach - self.origin_mm) / self.step_mm;
        let high = (well.center_mm + reach - self.origin_mm) / self.step_mm;
        let nodes = |low: f64, high: f64, count: usize| {
            let first = low.ceil().clamp(0.0, count as f64) as usize;
            let end = (high.floor() + 1.0).clamp(0.0, count as f64) as usize;
            first..end.max(first)
        };
        Span { columns: nodes(low.x, high.x, self.columns), rows: nodes(low.y, high.y, self.rows) }
    }

    pub(super) fn node_mm(&self, column: usize, row: usize) -> DVec2 {
        self.origin_mm + DVec2::new(column as f64, row as f64) * self.step_mm
    }
}

impl Span {
    fn area(&self) -> usize {
        self.columns.len() * self.rows.len()
    }

    fn is_empty(&self) -> bool {
        self.area() == 0
    }

    fn union(self, other: &Self) -> Self {
        if self.is_empty() {
            return other.clone();
        }
        if other.is_empty() {
            return self;
        }
        Self { columns: hull(&self.columns, &other.columns), rows: hull(&self.rows, &other.rows) }
    }
}

/// Adds round hills to `values`, several in one pass where their squares overlap enough.
pub(super) fn add_hills(layout: &Layout, hills: impl Iterator<Item = Well>, scratch: &mut Scratch, values: &mut [f32]) {
    let mut group = [Well::round(DVec2::ZERO, 1.0, 0.0); GROUP];
    let mut count = 0;
    for hill in hills.filter(|hill| hill.amplitude != 0.0) {
        group[count] = hill;
        count += 1;
        if count == group.len() {
            add_group(layout, &group, scratch, values);
            count = 0;
        }
    }
    for hill in &group[..count] {
        add_outer(layout, &[*hill], scratch, values);
    }
}

fn add_group(layout: &Layout, group: &[Well; GROUP], scratch: &mut Scratch, values: &mut [f32]) {
    let spans = group.each_ref().map(|hill| layout.span(hill));
    let alone: usize = spans.iter().map(Span::area).sum();
    let together = spans.iter().fold(Span { columns: 0..0, rows: 0..0 }, Span::union);
    // A pass for all costs a node about as much as two passes for one.
    if together.area() * 2 <= alone {
        return add_outer(layout, group, scratch, values);
    }
    for hill in group {
        add_outer(layout, &[*hill], scratch, values);
    }
}

/// Adds the outer products of `N` round hills, on the smallest rectangle that holds all of them.
fn add_outer<const N: usize>(layout: &Layout, hills: &[Well; N], scratch: &mut Scratch, values: &mut [f32]) {
    let spans = hills.each_ref().map(|hill| layout.span(hill));
    let mut span = spans.iter().fold(Span { columns: 0..0, rows: 0..0 }, Span::union);
    if span.is_empty() {
        return;
    }
    // Whole chunks, so that no row ends in odd columns; the tables are zero there.
    span.columns = span.columns.start / LANES * LANES..span.columns.end.next_multiple_of(LANES);
    for (n, (hill, own)) in hills.iter().zip(&spans).enumerate() {
        let first = layout.node_mm(own.columns.start, own.rows.start) - hill.center_mm;
        let [along_x, along_y] = [&mut scratch.along_x[n], &mut scratch.along_y[n]];
        along_x[span.columns.clone()].fill(0.0);
        walk([first.x, layout.step_mm.x], hill.inverse[0], hill.amplitude, &mut along_x[own.columns.clone()]);
        along_y[span.rows.clone()].fill(0.0);
        walk([first.y, layout.step_mm.y], hill.inverse[2], 1.0, &mut along_y[own.rows.clone()]);
    }
    let chunks = span.columns.start / LANES..span.columns.end / LANES;
    for j in span.rows.clone() {
        let heights: [f32x4; N] = std::array::from_fn(|n| f32x4::splat(scratch.along_y[n][j]));
        let tables: [&[[f32; LANES]]; N] = std::array::from_fn(|n| &scratch.along_x[n].as_chunks().0[chunks.clone()]);
        let row = values[j * layout.stride..][..layout.stride].as_chunks_mut().0;
        for (n, value) in row[chunks.clone()].iter_mut().enumerate() {
            let along_x = |hill: usize| f32x4::new(tables[hill][n]);
            let sum = (1..N).fold(heights[0] * along_x(0), |sum, n| sum + heights[n] * along_x(n));
            *value = (f32x4::new(*value) + sum).to_array();
        }
    }
}

/// Fills `out` with `height exp(-inverse d^2 / 2)` at d = `from`, `from + step`, … Four interleaved walks: each value is found from
/// the one four before it.
fn walk([from, step]: [f64; 2], inverse: f64, height: f64, out: &mut [f32]) {
    let k = ops::exp(-inverse * step * step);
    let k3 = k * k * k;
    let mut p = [height * ops::exp(-0.5 * inverse * from * from); 4];
    let mut r = [ops::exp(-inverse * step * (from + 0.5 * step)); 4];
    for n in 1..4 {
        p[n] = p[n - 1] * r[n - 1];
        r[n] = r[n - 1] * k;
    }
    let mut r4 = r.map(|r| r * r * r * r * k3 * k3);
    let k16 = k3 * k3 * k3 * k3 * k3 * k;
    for four in out.chunks_mut(4) {
        four.iter_mut().zip(p).for_each(|(value, p)| *value = p as f32);
        for n in 0..4 {
            p[n] *= r4[n];
            r4[n] *= k16;
        }
    }
}

/// Subtracts one foot's four wells from `values`.
pub(super) fn subtract_foot(layout: &Layout, wells: &[Well; 4], scratch: &mut Scratch, values: &mut [f32]) {
    let span = wells.iter().map(|well| layout.span(well)).fold(Span { columns: 0..0, rows: 0..0 }, |a, b| a.union(&b));
    if span.is_empty() || wells.iter().all(|well| well.amplitude == 0.0) {
        return;
    }
    let middle_mm = wells.iter().map(|well| well.center_mm.y).sum::<f64>() / wells.len() as f64;
    let row = ((middle_mm - layout.origin_mm.y) / layout.step_mm.y).round();
    let start_row = (row.max(0.0) as usize).clamp(span.rows.start, span.rows.end - 1);
    // Whole chunks: the few columns beyond the span carry on the same Gaussians.
    let chunks = span.columns.start / LANES..span.columns.end.div_ceil(LANES);
    let mut decay = [f32x4::ZERO; 4];
    for (n, well) in wells.iter().enumerate() {
        match start_row_of(layout, well, start_row, chunks.clone(), (n, scratch)) {
            Some(k) => decay[n] = f32x4::splat(k),
            None => return subtract_node_by_node(layout, wells, &span, values),
        }
    }
    let (values, stride) = (values.as_chunks_mut().0, layout.stride / LANES);
    for chunk in chunks {
        let (start, up) = (scratch.start[chunk], scratch.ratio[chunk]);
        let below: [f32x4; 4] = std::array::from_fn(|n| decay[n] / up[n]);
        let first = std::array::from_fn(|n| start[n] * below[n]);
        let down = std::array::from_fn(|n| below[n] * decay[n]);
        let forward = (start_row..span.rows.end).map(|j| j * stride + chunk);
        walk_columns(start, up, decay, forward, values);
        let backward = (span.rows.start..start_row).rev().map(|j| j * stride + chunk);
        walk_columns(first, down, decay, backward, values);
    }
}

/// The same without walking: for feet so fast that their wells vanish on the common row and not elsewhere.
fn subtract_node_by_node(layout: &Layout, wells: &[Well; 4], span: &Span, values: &mut [f32]) {
    for j in span.rows.clone() {
        for i in span.columns.clone() {
            let depth = wells.iter().map(|well| well.value(layout.node_mm(i, j))).sum::<f64>() as f32;
            values[j * layout.stride + i] -= depth;
        }
    }
}

/// Fills the tables of one well on the starting row: its values, and the ratios of the next row's values to them. Returns how the
/// ratios decay from row to row, or nothing if a value is too small to begin a walk from.
fn start_row_of(
    layout: &Layout,
    well: &Well,
    row: usize,
    chunks: Range<usize>,
    (n, scratch): (usize, &mut Scratch),
) -> Option<f32> {
    let d = layout.node_mm(chunks.start * LANES, row) - well.center_mm;
    let (h, [a, b, c]) = (layout.step_mm, well.inverse);
    let mut p = LIFT * well.amplitude * ops::exp(-0.5 * (a * d.x * d.x + 2.0 * b * d.x * d.y + c * d.y * d.y));
    let mut p_ratio = ops::exp(-h.x * (a * d.x + b * d.y + 0.5 * a * h.x));
    let p_decay = ops::exp(-a * h.x * h.x);
    let mut r = ops::exp(-h.y * (b * d.x + c * d.y + 0.5 * c * h.y));
    let r_ratio = ops::exp(-b * h.x * h.y);
    let mut smallest = p;
    for chunk in chunks {
        let (mut start, mut ratio) = ([0.0; LANES], [0.0; LANES]);
        for (start, ratio) in start.iter_mut().zip(&mut ratio) {
            smallest = smallest.min(p);
            (*start, *ratio) = (p as f32, r as f32);
            p *= p_ratio;
            p_ratio *= p_decay;
            r *= r_ratio;
        }
        scratch.start[chunk][n] = f32x4::new(start);
        scratch.ratio[chunk][n] = f32x4::new(ratio);
    }
    (smallest > f64::from(f32::MIN_POSITIVE)).then(|| ops::exp(-c * h.y * h.y) as f32)
}

/// Walks four wells over the given chunks of columns, from row to row.
#[inline]
fn walk_columns(
    mut p: [f32x4; 4],
    mut r: [f32x4; 4],
    decay: [f32x4; 4],
    chunks: impl Iterator<Item = usize>,
    values: &mut [[f32; LANES]],
) {
    let unlift = f32x4::splat((1.0 / LIFT) as f32);
    for chunk in chunks {
        let depth = ((p[0] + p[1]) + (p[2] + p[3])) * unlift;
        values[chunk] = (f32x4::new(values[chunk]) - depth).to_array();
        for n in 0..4 {
            p[n] *= r[n];
            r[n] *= decay[n];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn layout(columns: usize, rows: usize, step: f64) -> Layout {
        let stride = columns.next_multiple_of(LANES);
        Layout { origin_mm: DVec2::new(-20.0, 35.0), step_mm: DVec2::new(step, 0.8 * step), columns, rows, stride }
    }

    fn worst(layout: &Layout, values: &[f32], exact: impl Fn(DVec2) -> f64) -> f64 {
        let nodes = (0..layout.rows).flat_map(|j| (0..layout.columns).map(move |i| (i, j)));
        let error =
            |(i, j): (usize, usize)| (f64::from(values[j * layout.stride + i]) - exact(layout.node_mm(i, j))).abs();
        nodes.map(error).fold(0.0, f64::max)
    }

    proptest! {
        /// Single precision, the walk and the cut together: 4e-6 of a peak for each Gaussian that is cut, and the rounding. A ratio that is
        /// off by 3e-8 gives n^2 / 2 times that after n steps, so the rounding falls with the square of the step.
        #[test]
        fn sums_are_right_at_every_node(
            columns in 2_usize..90, rows in 2_usize..90, step in 2.0..20.0, speed in 0.0..200.0, heading in -3.2..3.2,
            foot in (0.0..1.0, 0.0..1.0), hills in prop::collection::vec((0.0..1.0, 0.0..1.0, 20.0..90.0, 0.0..0.3), 0..12),
        ) {
            let layout = layout(columns, rows, step);
            let size = DVec2::new((columns - 1) as f64, (rows - 1) as f64) * layout.step_mm;
            let place = |(x, y): (f64, f64)| layout.origin_mm + DVec2::new(x, y) * size;
            let velocity = sim_core::angle::unit(heading) * speed;
            let wells: [Well; 4] = std::array::from_fn(|n| {
                Well::moving(place(foot) + velocity * (0.15 * n as f64), 40.0, velocity * 0.2, 0.1 - 0.02 * n as f64)
            });
            let hills: Vec<Well> = hills.iter().map(|&(x, y, sigma, peak)| Well::round(place((x, y)), sigma, peak)).collect();
            let (mut values, mut scratch) = (vec![0.0; layout.stride * rows], Scratch::new(&layout));
            let mut feet = values.clone();
            add_hills(&layout, hills.iter().copied(), &mut scratch, &mut values);
            let up = |p: DVec2| hills.iter().map(|hill| hill.value(p)).sum::<f64>();
            let down = |p: DVec2| wells.iter().map(|well| well.value(p)).sum::<f64>();
            prop_assert!(worst(&layout, &values, up) < 1e-6 + 4e-6 * 0.3 * hills.len() as f64);
            subtract_foot(&layout, &wells, &mut scratch, &mut values);
            subtract_foot(&layout, &wells, &mut scratch, &mut feet);
            let rounding = 1e-6 + 2.5e-5 / (layout.step_mm.y * layout.step_mm.y);
            prop_assert!(worst(&layout, &feet, |p| -down(p)) < rounding + 4e-6 * 0.28);
            prop_assert!(worst(&layout, &values, |p| up(p) - down(p)) < rounding + 4e-6 * (0.5 + 0.3 * hills.len() as f64));
        }
    }

    /// The two ways to subtract a foot agree where both work.
    #[test]
    fn walking_and_node_by_node_agree() {
        let layout = layout(81, 81, 5.0);
        let wells: [Well; 4] = std::array::from_fn(|n| {
            Well::moving(DVec2::new(150.0 + 30.0 * n as f64, 170.0), 40.0, DVec2::new(40.0, 20.0), 0.07)
        });
        let nodes = layout.stride * layout.rows;
        let [mut a, mut b] = std::array::from_fn(|_| vec![0.0_f32; nodes]);
        subtract_foot(&layout, &wells, &mut Scratch::new(&layout), &mut a);
        let span = Span { columns: 0..layout.columns, rows: 0..layout.rows };
        subtract_node_by_node(&layout, &wells, &span, &mut b);
        for j in 0..layout.rows {
            for at in j * layout.stride..j * layout.stride + layout.columns {
                assert!((a[at] - b[at]).abs() < 3e-6);
            }
        }
    }
}
