//! A whole scan at once: a buffer of inverse ranges, one a ray, into which segments are drawn, the nearest winning.
//!
//! On a map of many segments it draws from the inside out, ring by ring of the map's cells, leaves out cells that are hidden by what is
//! drawn already, and ends when every ray is shorter than the way to the next ring. What it leaves out cannot be nearer.

use super::arc::{Arc, Fan};
use super::beam::{ends_before, surely_m};
use super::sight::{Sight, Slopes, is_between, larger};
use super::{Lidar, Scene};
use crate::cells::{Filing, Rings};
use crate::map::{Segment, SegmentMap};
use crate::pose::Pose;
use crate::traffic::Traffic;
use sim_core::{DVec2, angle};
use std::ops::{Range, RangeInclusive};

/// Up to so many segments, all are drawn.
const FEW_SEGMENTS: usize = 400;
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
            scene.map.segments().iter().for_each(|segment| canvas.draw_in_range(segment));
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
        self.draw_rings(filing, 0.0, |canvas, run| {
            for cell in run {
                let numbers = filing.in_cell(cell);
                if numbers.is_empty() || matches!(canvas.look_at(filing.cells().center_m(cell), radius_m), Look::Hidden)
                {
                    continue;
                }
                for &number in numbers {
                    if once.is_first(number) {
                        canvas.draw(&map.segments()[number as usize]);
                    }
                }
            }
        });
    }

    fn draw_traffic(&mut self, traffic: &Traffic, own_car: Option<usize>) {
        let (filing, radius_m) = (traffic.filing(), traffic.radius_m());
        self.draw_rings(filing, radius_m, |canvas, run| {
            for &car in filing.in_run(run) {
                if Some(car as usize) == own_car {
                    continue;
                }
                let edges = || traffic.outlines()[car as usize].edges();
                match canvas.look_at(traffic.center_m(car), radius_m) {
                    Look::Hidden => {}
                    Look::Rays(arc) if arc.is_narrow() => canvas.draw_narrow(edges(), arc),
                    Look::Rays(_) | Look::Near => edges().iter().for_each(|edge| canvas.draw(edge)),
                }
            }
        });
    }

    /// Run by run of cells from the inside out, while a ray goes on. Things may reach out of their cells by `overhang_m`.
    fn draw_rings(&mut self, filing: &Filing, overhang_m: f64, mut draw_run: impl FnMut(&mut Self, Range<usize>)) {
        let rings: Rings<'_> = filing.cells().rings(self.origin_m);
        let mut open_ray = 0;
        for ring in rings.numbers() {
            let nearest_m = rings.nearest_m(ring) - overhang_m;
            let surely_m = surely_m(nearest_m);
            // A ray that ends before a ring ends before all farther ones.
            while self.inverse.get(open_ray).is_some_and(|&inverse| ends_before(inverse, surely_m)) {
                open_ray += 1;
            }
            if open_ray == self.inverse.len() || surely_m > self.range_max_m {
                return;
            }
            rings.visit(ring, |run| draw_run(self, run));
        }
    }

    /// Whether something in a circle can be the nearest thing on a ray.
    #[inline]
    fn look_at(&self, center_m: DVec2, radius_m: f64) -> Look {
        let center = center_m - self.origin_m;
        let distance_m = center.length();
        let surely_m = surely_m(distance_m - radius_m);
        if surely_m > self.range_max_m {
            return Look::Hidden;
        }
        let Some(arc) = self.fan.around(center, distance_m, radius_m) else { return Look::Near };
        let mut is_hidden = true;
        self.fan.for_ranges(arc, |rays| {
            is_hidden = is_hidden && self.inverse[rays].iter().all(|&inverse| ends_before(inverse, surely_m));
        });
        if is_hidden { Look::Hidden } else { Look::Rays(arc) }
    }

    /// Draws what is seen within a few rays, ray by ray: that costs less than finding the rays of each edge.
    fn draw_narrow(&mut self, edges: [Segment; 4], arc: Arc) {
        let fan = self.fan;
        let sights = edges.map(|edge| self.sight(&edge));
        fan.for_ranges(arc, |rays| sights.iter().for_each(|&sight| self.draw_rays(rays.clone(), sight)));
    }

    #[inline]
    fn sight(&self, segment: &Segment) -> Sight {
        Sight::new(segment.from_m - self.origin_m, segment.to_m - self.origin_m, segment.span_m())
    }

    #[inline]
    fn draw_in_range(&mut self, segment: &Segment) {
        let span = segment.span_m().abs();
        if surely_m((segment.from_m - self.origin_m).length() - span.x - span.y) <= self.range_max_m {
            self.draw(segment);
        }
    }

    #[inline]
    fn draw(&mut self, segment: &Segment) {
        let (fan, sight) = (self.fan, self.sight(segment));
        match sight {
            Sight::Plain { right, left, span, normal } => {
                let slopes = Slopes::new(span, normal);
                fan.for_ranges(fan.between(right, left), |rays| self.draw_plain(rays, [right, left], slopes));
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
    fn draw_plain(&mut self, rays: RangeInclusive<usize>, [right, left]: [DVec2; 2], slopes: Slopes) {
        let (mut first, mut end) = (*rays.start(), rays.end() + 1);
        while first < end && !is_between(self.direction(first), right, left) {
            first += 1;
        }
        while first < end && !is_between(self.direction(end - 1), right, left) {
            end -= 1;
        }
        let directions = self.x[first..end].iter().zip(&self.y[first..end]);
        for (inverse, (&x, &y)) in self.inverse[first..end].iter_mut().zip(directions) {
            *inverse = larger(*inverse, slopes.inverse_range(x, y));
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

/// What is known of a circle before it is looked into.
enum Look {
    /// Nothing in it can be the nearest thing on a ray.
    Hidden,
    /// These rays may pass through it, and not all of them end before it.
    Rays(Arc),
    /// It is about as near as it is wide.
    Near,
}
