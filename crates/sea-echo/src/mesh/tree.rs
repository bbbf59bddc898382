//! A tree of boxes around triangles.
//!
//! # Method
//! A box is split across the longest side of its triangles' middles, between two of 16 bins, where the sum of both areas times both counts
//! is least (Wald 2007, surface area heuristic). The tree depends on nothing but the triangles and their order.

use crate::bounds::{Bounds, BoxRay};
use crate::ray::{Hit, Ray};
use sim_core::DVec3;

const BINS: usize = 16;
/// Triangles that are not split any further.
const LEAF: usize = 4;
/// From this depth on, a box is split into halves of its triangles: so no tree is deeper than this and 25 more.
const EVEN_DEPTH: usize = 32;
/// Boxes that wait, at most: one a level.
const STACK: usize = 64;

#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// Triangles in the order of the leaves.
    order: Vec<u32>,
}

#[derive(Clone, Debug)]
struct Node {
    bounds: Bounds,
    /// First triangle of a leaf in the order, or the first of two children.
    first: u32,
    /// Triangles of a leaf; 0: it has children.
    count: u32,
}

/// A part of the order that becomes a node.
struct Part {
    node: usize,
    start: usize,
    end: usize,
    depth: usize,
}

impl Tree {
    /// The tree of one or more boxes.
    pub fn new(boxes: &[Bounds]) -> Self {
        let mut order: Vec<u32> = (0..boxes.len() as u32).collect();
        let mut nodes = vec![Node { bounds: bounds_of(&order, boxes), first: 0, count: boxes.len() as u32 }];
        let mut parts = vec![Part { node: 0, start: 0, end: boxes.len(), depth: 0 }];
        while let Some(Part { node, start, end, depth }) = parts.pop() {
            if end - start <= LEAF {
                continue;
            }
            let middle = start + split(&mut order[start..end], boxes, depth);
            let first = nodes.len();
            (nodes[node].first, nodes[node].count) = (first as u32, 0);
            for (child, [start, end]) in [[start, middle], [middle, end]].into_iter().enumerate() {
                let bounds = bounds_of(&order[start..end], boxes);
                nodes.push(Node { bounds, first: start as u32, count: (end - start) as u32 });
                parts.push(Part { node: first + child, start, end, depth: depth + 1 });
            }
        }
        Self { nodes, order }
    }

    /// The box of all.
    pub fn bounds(&self) -> Bounds {
        self.nodes[0].bounds
    }

    /// The nearest of the triangles that a ray meets, given the distance to each; boxes are a slack wider than they are.
    pub fn cast(&self, ray: &Ray, slack_m: f64, meet: impl Fn(u32) -> Option<f64>) -> Option<Hit> {
        let boxes = BoxRay::new(ray, slack_m);
        let span = |node: u32| boxes.span_m(&self.nodes[node as usize].bounds).map(|[from_m, _]| (node, from_m));
        let mut best: Option<Hit> = None;
        let mut stack = [(0, 0.0); STACK];
        let mut waiting = 0;
        let mut next = span(0);
        loop {
            let Some((number, from_m)) = next.take().or_else(|| {
                waiting = usize::checked_sub(waiting, 1)?;
                Some(stack[waiting])
            }) else {
                return best;
            };
            if best.is_some_and(|hit| hit.distance_m < from_m) {
                continue;
            }
            let node = &self.nodes[number as usize];
            if node.count > 0 {
                let leaf = node.first as usize..(node.first + node.count) as usize;
                self.order[leaf].iter().for_each(|&triangle| Hit::keep_nearer(&mut best, meet(triangle), triangle));
                continue;
            }
            next = match (span(node.first), span(node.first + 1)) {
                (Some(one), Some(other)) => {
                    let (near, far) = if other.1 < one.1 { (other, one) } else { (one, other) };
                    stack[waiting] = far;
                    waiting += 1;
                    Some(near)
                }
                (one, other) => one.or(other),
            };
        }
    }
}

fn bounds_of(order: &[u32], boxes: &[Bounds]) -> Bounds {
    order.iter().fold(Bounds::EMPTY, |all, &triangle| all.union(boxes[triangle as usize]))
}

/// Sorts a part into two and returns the length of the first.
fn split(order: &mut [u32], boxes: &[Bounds], depth: usize) -> usize {
    let half = order.len() / 2;
    let middle = |triangle: u32| {
        let bounds = &boxes[triangle as usize];
        bounds.low_m.midpoint(bounds.high_m)
    };
    let middles = Bounds::around(order.iter().map(|&triangle| middle(triangle)));
    let size = middles.high_m - middles.low_m;
    let axis = size.max_position();
    if depth >= EVEN_DEPTH || size[axis] == 0.0 {
        return half;
    }
    let per_m = BINS as f64 / size[axis];
    let bin = |triangle: u32| (((middle(triangle)[axis] - middles.low_m[axis]) * per_m) as usize).min(BINS - 1);
    let mut bins = [(Bounds::EMPTY, 0_usize); BINS];
    for &triangle in order.iter() {
        let (bounds, count) = &mut bins[bin(triangle)];
        *bounds = bounds.union(boxes[triangle as usize]);
        *count += 1;
    }
    let border = cheapest_border(&bins);
    order.sort_by_key(|&triangle| bin(triangle) >= border);
    order.partition_point(|&triangle| bin(triangle) < border)
}

/// The first bin of the second side of the best split; both sides have triangles.
fn cheapest_border(bins: &[(Bounds, usize); BINS]) -> usize {
    let (mut all, mut total, mut right) = (Bounds::EMPTY, 0, [0.0; BINS]);
    for border in (1..BINS).rev() {
        (all, total) = (all.union(bins[border].0), total + bins[border].1);
        right[border] = if total > 0 { area(&all) * total as f64 } else { f64::INFINITY };
    }
    let (mut all, mut total, mut best) = (Bounds::EMPTY, 0, (f64::INFINITY, BINS - 1));
    for border in 1..BINS {
        (all, total) = (all.union(bins[border - 1].0), total + bins[border - 1].1);
        let cost = area(&all) * total as f64 + right[border];
        if total > 0 && cost < best.0 {
            best = (cost, border);
        }
    }
    best.1
}

/// Half the surface of a box, m²; 0 for an empty one.
fn area(bounds: &Bounds) -> f64 {
    let size = (bounds.high_m - bounds.low_m).max(DVec3::ZERO);
    size.x * size.y + size.y * size.z + size.z * size.x
}
