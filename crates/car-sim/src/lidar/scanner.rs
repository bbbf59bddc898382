//! A whole scan at once: a buffer of inverse ranges, one a ray, into which segments are drawn, the nearest winning.
//!
//! On a map of many segments it draws from the inside out, ring by ring of the map's cells, leaves out cells that are hidden by what is
//! drawn already, and ends when every ray is shorter than the way to the next ring. What it leaves out cannot be nearer.
//!
//! Work goes in two passes over lists: one that computes which rays each thing may have, without a branch that depends on it, and one that
//! goes over these rays. In one pass, the processor would wait out the whole computation after every wrong guess of how many rays come.

use super::arc::{Arc, Fan};
use super::beam::{ends_before, in_range_m, surely_m};
use super::sight::{Sight, Slopes, is_left_or_on, is_right_or_on, larger};
use super::{Lidar, Scene};
use crate::cells::{CellIndex, Rings};
use crate::map::{Segment, SegmentMap};
use crate::pose::Pose;
use crate::traffic::Traffic;
use sim_core::{DVec2, angle};
use std::ops::{Range, RangeInclusive};

/// Up to so many segments, all are drawn.
const FEW_SEGMENTS: usize = 1000;
/// Views that are drawn together.
const TOGETHER: usize = 256;

/// The buffers of a scan. Any lidar may use them: nothing in them lasts from one scan to the next.
#[derive(Clone, Debug, Default)]
pub struct Scanner {
    x: Vec<f64>,
    y: Vec<f64>,
    inverse: Vec<f64>,
    views: Vec<SegmentView>,
    angular_bounds: Vec<AngularBound>,
    /// The scan in which a segment of the map was last drawn.
    drawn_in: Vec<u32>,
    scan: u32,
}

/// A plain segment as seen from the lidar, ready to be drawn.
#[derive(Clone, Copy, Debug)]
struct SegmentView {
    arc: Arc,
    right: DVec2,
    left: DVec2,
    slopes: Slopes,
}

/// The rays and the distance that bound a thing in a circle, seen from the lidar.
#[derive(Clone, Copy, Debug)]
struct AngularBound {
    /// Number of the thing.
    thing: u32,
    /// Hits in it are surely not computed nearer.
    surely_m: f64,
    /// Rays that may pass through it; none if it is about as near as it is wide, so that any may.
    arc: Option<Arc>,
}

impl Scanner {
    /// Buffers that get their size in the first scan.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn inverse_ranges(&self) -> &[f64] {
        &self.inverse
    }

    pub(super) fn scan(&mut self, lidar: &Lidar, scene: Scene<'_>, car: Pose) {
        let forward = angle::unit(car.yaw_rad);
        self.aim(&lidar.rays_in_car, forward);
        let start = DVec2::new(self.x[0], self.y[0]);
        // The most that a ring can hold, so that no later scan allocates.
        self.angular_bounds.clear();
        self.angular_bounds.reserve(scene.map.cell_index().cells().most_in_ring().max(scene.traffic.outlines().len()));
        self.views.reserve(TOGETHER);
        let mut canvas = Canvas {
            x: &self.x,
            y: &self.y,
            inverse: &mut self.inverse,
            views: &mut self.views,
            angular_bounds: &mut self.angular_bounds,
            origin_m: lidar.origin_m(car, forward),
            in_range_m: in_range_m(lidar.params.range_max_m),
            fan: Fan::new(start, lidar.params.increment_rad, lidar.ray_count()),
        };
        if scene.map.segments().len() <= FEW_SEGMENTS {
            canvas.draw_all(scene.map.segments());
        } else {
            canvas.draw_map(scene.map, VisitMark::new(&mut self.drawn_in, &mut self.scan, scene.map.segments().len()));
        }
        canvas.draw_traffic(scene.traffic, scene.own_car);
    }

    /// Turns the rays with the car and forgets what was seen.
    fn aim(&mut self, rays_in_car: &[DVec2], forward: DVec2) {
        self.x.resize(rays_in_car.len(), 0.0);
        self.y.resize(rays_in_car.len(), 0.0);
        for ((x, y), &ray) in self.x.iter_mut().zip(&mut self.y).zip(rays_in_car) {
            let direction = forward.rotate(ray);
            (*x, *y) = (direction.x, direction.y);
        }
        self.inverse.clear();
        self.inverse.resize(rays_in_car.len(), 0.0);
    }
}

/// Marks the segments that a scan has drawn: each is drawn once, though it passes through many cells.
struct VisitMark<'a> {
    drawn_in: &'a mut [u32],
    scan: u32,
}

impl<'a> VisitMark<'a> {
    fn new(drawn_in: &'a mut Vec<u32>, scan: &mut u32, segments: usize) -> Self {
        if drawn_in.len() < segments || *scan == u32::MAX {
            drawn_in.clear();
            drawn_in.resize(segments, 0);
            *scan = 0;
        }
        *scan += 1;
        Self { drawn_in, scan: *scan }
    }

    fn is_first(&mut self, segment: u32) -> bool {
        let last = &mut self.drawn_in[segment as usize];
        let is_first = *last != self.scan;
        *last = self.scan;
        is_first
    }
}

/// Rays from a place, and how near the nearest things drawn so far are.
struct Canvas<'a> {
    x: &'a [f64],
    y: &'a [f64],
    inverse: &'a mut [f64],
    views: &'a mut Vec<SegmentView>,
    angular_bounds: &'a mut Vec<AngularBound>,
    origin_m: DVec2,
    /// Nothing farther away can be computed to be within the range of the lidar.
    in_range_m: f64,
    fan: Fan,
}

impl Canvas<'_> {
    fn draw_all(&mut self, segments: &[Segment]) {
        segments.iter().for_each(|segment| self.plan(segment));
        self.draw_views();
    }

    fn draw_map(&mut self, map: &SegmentMap, mut visits: VisitMark<'_>) {
        let cell_index = map.cell_index();
        let cells = cell_index.cells();
        let look = |canvas: &mut Self, run: Range<usize>| {
            for cell in run.filter(|&cell| !cell_index.in_cell(cell).is_empty()) {
                canvas.note_bound(cell as u32, cells.center_m(cell), cells.radius_m());
            }
        };
        self.draw_rings(cell_index, 0.0, look, |canvas, bound| {
            for &number in cell_index.in_cell(bound.thing as usize) {
                if visits.is_first(number) {
                    canvas.plan(&map.segments()[number as usize]);
                }
            }
        });
    }

    fn draw_traffic(&mut self, traffic: &Traffic, own_car: Option<usize>) {
        let (cell_index, radius_m) = (traffic.cell_index(), traffic.radius_m());
        let look = |canvas: &mut Self, run: Range<usize>| {
            for &car in cell_index.in_run(run).iter().filter(|&&car| Some(car as usize) != own_car) {
                canvas.note_bound(car, traffic.center_m(car), radius_m);
            }
        };
        self.draw_rings(cell_index, radius_m, look, |canvas, bound| {
            let edges = traffic.outlines()[bound.thing as usize].edges();
            match bound.arc {
                Some(arc) if arc.is_narrow() => canvas.draw_narrow(edges, arc),
                _ => edges.iter().for_each(|edge| canvas.plan(edge)),
            }
        });
    }

    /// From the inside out, while a ray goes on: `look` bounds what is in a run of cells, `draw` draws what is not hidden. Things may
    /// reach out of their cells by `overhang_m`.
    fn draw_rings(
        &mut self,
        cell_index: &CellIndex,
        overhang_m: f64,
        look: impl Fn(&mut Self, Range<usize>),
        mut draw: impl FnMut(&mut Self, AngularBound),
    ) {
        let rings: Rings<'_> = cell_index.cells().rings(self.origin_m);
        let mut open_ray = 0;
        for ring in rings.numbers() {
            let nearest_m = rings.nearest_m(ring) - overhang_m;
            let surely_m = surely_m(nearest_m);
            // A ray that ends before a ring ends before all farther ones.
            while self.inverse.get(open_ray).is_some_and(|&inverse| ends_before(inverse, surely_m)) {
                open_ray += 1;
            }
            if open_ray == self.inverse.len() || nearest_m > self.in_range_m {
                return;
            }
            self.angular_bounds.clear();
            rings.visit(ring, |run| look(self, run));
            for number in 0..self.angular_bounds.len() {
                let bound = self.angular_bounds[number];
                if !self.is_hidden(bound) {
                    draw(self, bound);
                }
            }
            self.draw_views();
        }
    }

    /// Adds the bound of a circle, unless it is out of range.
    #[inline]
    fn note_bound(&mut self, thing: u32, center_m: DVec2, radius_m: f64) {
        let center = center_m - self.origin_m;
        let distance_m = center.length();
        if distance_m - radius_m <= self.in_range_m {
            let arc = self.fan.around(center, distance_m, radius_m);
            self.angular_bounds.push(AngularBound { thing, surely_m: surely_m(distance_m - radius_m), arc });
        }
    }

    /// True if nothing in a circle can be the nearest thing on a ray.
    #[inline]
    fn is_hidden(&self, bound: AngularBound) -> bool {
        let Some(arc) = bound.arc else { return false };
        let mut is_hidden = true;
        self.fan.for_ranges(arc, |rays| {
            is_hidden = is_hidden && self.inverse[rays].iter().all(|&inverse| ends_before(inverse, bound.surely_m));
        });
        is_hidden
    }

    #[inline]
    fn sight(&self, segment: &Segment) -> Sight {
        Sight::new(segment.from_m - self.origin_m, segment.to_m - self.origin_m, segment.span_m())
    }

    /// Makes a plain segment a view, unless it is out of range, and draws any other at once.
    #[inline]
    fn plan(&mut self, segment: &Segment) {
        let span = segment.span_m().abs();
        // The other end is no nearer than this one less the length between them.
        let farthest_m = self.in_range_m + span.x + span.y;
        if (segment.from_m - self.origin_m).length_squared() > farthest_m * farthest_m {
            return;
        }
        match self.sight(segment) {
            Sight::Plain { right, left, span, normal } => {
                self.views.push(SegmentView {
                    arc: self.fan.between(right, left),
                    right,
                    left,
                    slopes: Slopes::new(span, normal),
                });
            }
            sight => self.draw_rare(sight),
        }
        if self.views.len() == TOGETHER {
            self.draw_views();
        }
    }

    fn draw_views(&mut self) {
        let fan = self.fan;
        for number in 0..self.views.len() {
            let view = self.views[number];
            fan.for_ranges(view.arc, |rays| self.draw_view(rays, view));
        }
        self.views.clear();
    }

    /// The rays that meet a segment are neighbours: once the first and the last one are known, no other has to be asked.
    #[inline]
    fn draw_view(&mut self, rays: RangeInclusive<usize>, view: SegmentView) {
        let (mut first, mut end) = (*rays.start(), rays.end() + 1);
        while first < end && !is_left_or_on(self.direction(first), view.right) {
            first += 1;
        }
        while first < end && !is_right_or_on(self.direction(end - 1), view.left) {
            end -= 1;
        }
        let directions = self.x[first..end].iter().zip(&self.y[first..end]);
        for (inverse, (&x, &y)) in self.inverse[first..end].iter_mut().zip(directions) {
            *inverse = larger(*inverse, view.slopes.inverse_range(x, y));
        }
    }

    #[cold]
    fn draw_rare(&mut self, sight: Sight) {
        let fan = self.fan;
        match sight {
            Sight::Plain { right, left, .. } | Sight::Grazing { right, left, .. } => {
                fan.for_ranges(fan.between(right, left), |rays| self.draw_rays(rays, sight));
            }
            Sight::EdgeOn { ends: [p, e], .. } => {
                fan.for_ranges(fan.between(p, e), |rays| self.draw_rays(rays, sight));
                fan.for_ranges(fan.between(e, p), |rays| self.draw_rays(rays, sight));
            }
            Sight::Contact => self.inverse.fill(f64::INFINITY),
        }
    }

    /// Draws what is seen within a few rays, ray by ray: that costs less than finding the rays of each edge.
    fn draw_narrow(&mut self, edges: [Segment; 4], arc: Arc) {
        let fan = self.fan;
        let sights = edges.map(|edge| self.sight(&edge));
        fan.for_ranges(arc, |rays| sights.iter().for_each(|&sight| self.draw_rays(rays.clone(), sight)));
    }

    fn draw_rays(&mut self, rays: RangeInclusive<usize>, sight: Sight) {
        for ray in rays {
            self.inverse[ray] = larger(self.inverse[ray], sight.inverse_range(self.direction(ray)));
        }
    }

    #[inline]
    fn direction(&self, ray: usize) -> DVec2 {
        DVec2::new(self.x[ray], self.y[ray])
    }
}
