//! A whole scan at once: a buffer of inverse ranges, one a ray, into which segments are drawn, the nearest winning.
//!
//! On a map of many segments it draws from the inside out, ring by ring of the map's cells, leaves out cells that are hidden by what is
//! drawn already, and ends when every ray is shorter than the way to the next ring. What it leaves out cannot be nearer.

use super::arc::Fan;
use super::sight::{Sight, is_between, larger, plain_inverse_range};
use super::{Lidar, Scene};
use crate::cells::{Filing, Rings};
use crate::map::{Segment, SegmentMap};
use crate::pose::Pose;
use crate::traffic::Traffic;
use sim_core::{DVec2, angle};
use std::ops::RangeInclusive;

/// With as many segments or fewer, all are drawn.
const FEW_SEGMENTS: usize = 256;
/// A hit is not computed nearer than it is by more than this share of it and this distance: see the errors in `sight`.
const NEARER_BY_ROUNDING: f64 = 1e-6;
const NEARER_BY_ROUNDING_M: f64 = 1e-9;

/// The buffers of a scan. They belong to nobody: any lidar may use them, and they keep nothing from one scan to the next.
#[derive(Clone, Debug, Default)]
pub struct Scanner {
    x: Vec<f64>,
    y: Vec<f64>,
    inverse: Vec<f64>,
    /// The scan in which a segment of the map was last drawn.
    drawn_in: Vec<u32>,
    scan: u32,
}

impl Scanner {
    /// Buffers that get their size in the first scan.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    pub(super) fn inverse_ranges(&self) -> impl Iterator<Item = f64> + '_ {
        self.inverse.iter().copied()
    }

    pub(super) fn scan(&mut self, lidar: &Lidar, scene: Scene<'_>, car: Pose) {
        let forward = angle::unit(car.yaw_rad);
        self.aim(&lidar.rays_in_car, forward);
        let start = DVec2::new(self.x[0], self.y[0]);
        let mut canvas = Canvas {
            x: &self.x,
            y: &self.y,
            inverse: &mut self.inverse,
            origin_m: lidar.origin_m(car, forward),
            range_max_m: lidar.params.range_max_m,
            fan: Fan::new(start, lidar.params.increment_rad, lidar.ray_count()),
        };
        if scene.map.segments().len() <= FEW_SEGMENTS {
            scene.map.segments().iter().for_each(|segment| canvas.draw(segment));
        } else {
            let once = Once::new(&mut self.drawn_in, &mut self.scan, scene.map.segments().len());
            canvas.draw_map(scene.map, once);
        }
        canvas.draw_traffic(scene.traffic, scene.own_car);
    }

    /// Turns the rays with the car and forgets what was seen.
    fn aim(&mut self, rays_in_car: &[DVec2], forward: DVec2) {
        let rays = || rays_in_car.iter().map(|&ray| forward.rotate(ray));
        self.x.clear();
        self.x.extend(rays().map(|ray| ray.x));
        self.y.clear();
        self.y.extend(rays().map(|ray| ray.y));
        self.inverse.clear();
        self.inverse.resize(rays_in_car.len(), 0.0);
    }
}

/// Lets each segment be drawn once in a scan, though it passes through many cells.
struct Once<'a> {
    drawn_in: &'a mut [u32],
    scan: u32,
}

impl<'a> Once<'a> {
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
    origin_m: DVec2,
    range_max_m: f64,
    fan: Fan,
}

impl Canvas<'_> {
    fn draw_map(&mut self, map: &SegmentMap, mut once: Once<'_>) {
        let filing = map.filing();
        let radius_m = filing.cells().radius_m();
        self.draw_rings(filing, 0.0, |canvas, cell| {
            let numbers = filing.in_cell(cell);
            if numbers.is_empty() || canvas.is_hidden(filing.cells().center_m(cell), radius_m) {
                return;
            }
            for &number in numbers {
                if once.is_first(number) {
                    canvas.draw(&map.segments()[number as usize]);
                }
            }
        });
    }

    fn draw_traffic(&mut self, traffic: &Traffic, own_car: Option<usize>) {
        let (filing, radius_m) = (traffic.filing(), traffic.radius_m());
        self.draw_rings(filing, radius_m, |canvas, cell| {
            for &car in filing.in_cell(cell) {
                if Some(car as usize) != own_car && !canvas.is_hidden(traffic.center_m(car), radius_m) {
                    traffic.outlines()[car as usize].edges().iter().for_each(|edge| canvas.draw(edge));
                }
            }
        });
    }

    /// Cell by cell from the inside out, while a ray goes on. Things may reach out of their cells by `overhang_m`.
    fn draw_rings(&mut self, filing: &Filing, overhang_m: f64, mut draw_cell: impl FnMut(&mut Self, usize)) {
        let rings: Rings<'_> = filing.cells().rings(self.origin_m);
        let mut open_ray = 0;
        for ring in rings.numbers() {
            let nearest_m = rings.nearest_m(ring) - overhang_m;
            let bound = inverse_bound(nearest_m);
            // A ray that ends before a ring ends before all farther ones.
            while self.inverse.get(open_ray).is_some_and(|&inverse| inverse > bound) {
                open_ray += 1;
            }
            if open_ray == self.inverse.len() || self.is_out_of_range(nearest_m) {
                return;
            }
            rings.visit(ring, |cell| draw_cell(self, cell));
        }
    }

    fn is_out_of_range(&self, nearest_m: f64) -> bool {
        nearest_m > self.range_max_m * (1.0 + NEARER_BY_ROUNDING) + NEARER_BY_ROUNDING_M
    }

    /// True if nothing in a circle can be the nearest thing on a ray.
    fn is_hidden(&self, center_m: DVec2, radius_m: f64) -> bool {
        let center = center_m - self.origin_m;
        let distance_m = center.length();
        let nearest_m = distance_m - radius_m;
        if self.is_out_of_range(nearest_m) {
            return true;
        }
        let Some(arc) = self.fan.around(center, distance_m, radius_m) else { return false };
        let bound = inverse_bound(nearest_m);
        let mut is_hidden = true;
        self.fan.for_ranges(arc, |rays| {
            is_hidden = is_hidden && self.inverse[rays].iter().all(|&inverse| inverse > bound);
        });
        is_hidden
    }

    #[inline]
    fn draw(&mut self, segment: &Segment) {
        let (from, to) = (segment.from_m - self.origin_m, segment.to_m - self.origin_m);
        let sight = Sight::new(from, to, segment.span_m());
        let fan = self.fan;
        match sight {
            Sight::Plain { right, left, a, b } => {
                fan.for_ranges(fan.between(right, left), |rays| self.draw_plain(rays, [right, left], [a, b]));
            }
            Sight::Grazing { right, left, .. } => {
                fan.for_ranges(fan.between(right, left), |rays| self.draw_rays(rays, sight));
            }
            Sight::EdgeOn { ends: [p, e], .. } => {
                fan.for_ranges(fan.between(p, e), |rays| self.draw_rays(rays, sight));
                fan.for_ranges(fan.between(e, p), |rays| self.draw_rays(rays, sight));
            }
            Sight::Contact => self.inverse.fill(f64::INFINITY),
        }
    }

    /// The rays that meet a segment are neighbours: once the first and the last one are known, no other has to be asked.
    #[inline]
    fn draw_plain(&mut self, rays: RangeInclusive<usize>, [right, left]: [DVec2; 2], [a, b]: [f64; 2]) {
        let (mut first, mut end) = (*rays.start(), rays.end() + 1);
        while first < end && !is_between(self.direction(first), right, left) {
            first += 1;
        }
        while first < end && !is_between(self.direction(end - 1), right, left) {
            end -= 1;
        }
        let directions = self.x[first..end].iter().zip(&self.y[first..end]);
        for (inverse, (&x, &y)) in self.inverse[first..end].iter_mut().zip(directions) {
            *inverse = larger(*inverse, plain_inverse_range(x, y, a, b));
        }
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

/// Inverse range above which a ray ends before all that is at `nearest_m` or farther, rounding included.
fn inverse_bound(nearest_m: f64) -> f64 {
    let surely_m = nearest_m * (1.0 - NEARER_BY_ROUNDING) - NEARER_BY_ROUNDING_M;
    if surely_m > 0.0 { 1.0 / surely_m } else { f64::INFINITY }
}
