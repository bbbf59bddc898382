//! Walled floors with square pillars at random, and free places on them.

use anyhow::Result;
use car_sim::{Outline, Pose, Segment, SegmentMap};
use parry2d_f64::shape::Polyline;
use sim_core::{DVec2, Purpose, Rect, RunKey, Stream};
use std::f64::consts::TAU;

/// The car of the reference, m.
const CAR: Rect = Rect { min: DVec2::new(-0.2525, -0.1565), max: DVec2::new(0.2525, 0.1565) };
/// Side of a pillar, m.
const PILLAR_M: f64 = 1.0;

/// A floor: its walls and pillars.
pub struct Floor {
    size_m: DVec2,
    rings: Vec<[DVec2; 4]>,
    stream: Stream,
}

impl Floor {
    /// So many pillars, turned at random, on a floor of that size: four segments each, and four walls.
    pub fn with_pillars(pillars: usize, width_m: f64, height_m: f64) -> Self {
        let floor = Rect::from_size(width_m, height_m);
        let mut stream = RunKey { seed: 1, run_index: 0 }.stream(Purpose::new(7), pillars as u64, 0);
        let half = DVec2::splat(PILLAR_M / 2.0);
        let mut rings = vec![Outline::new(floor, Pose::ORIGIN).corners_m()];
        for _ in 0..pillars {
            let pose = random_pose(&mut stream, floor.inset(PILLAR_M));
            rings.push(Outline::new(Rect { min: -half, max: half }, pose).corners_m());
        }
        Self { size_m: floor.size(), rings, stream }
    }

    fn segments(&self) -> Vec<Segment> {
        let edges = |ring: &[DVec2; 4]| [0, 1, 2, 3].map(|k| Segment::new(ring[k], ring[(k + 1) % 4]));
        self.rings.iter().flat_map(edges).collect()
    }

    pub fn map(&self) -> Result<SegmentMap> {
        Ok(SegmentMap::from_segments(&self.segments())?)
    }

    /// The same for the peer.
    pub fn polyline(&self) -> Polyline {
        let points = self.rings.concat();
        let edge = |k: u32| [k, if k % 4 == 3 { k - 3 } else { k + 1 }];
        let edges = (0..points.len() as u32).map(edge).collect();
        Polyline::new(points, Some(edges))
    }

    /// Poses at which a car touches nothing and stands in no pillar.
    pub fn free_places(&self, count: usize) -> Vec<Pose> {
        let mut stream = self.stream.clone();
        let floor = Rect { min: DVec2::ZERO, max: self.size_m };
        let is_free = |pose: &Pose| {
            self.rings[1..].iter().all(|ring| ring[0].midpoint(ring[2]).distance(pose.position_m) > PILLAR_M)
        };
        std::iter::repeat_with(|| random_pose(&mut stream, floor.inset(PILLAR_M))).filter(is_free).take(count).collect()
    }
}

fn random_pose(stream: &mut Stream, area: Rect) -> Pose {
    let size_m = area.size();
    let position_m = area.min + DVec2::new(size_m.x * stream.uniform(), size_m.y * stream.uniform());
    Pose { position_m, yaw_rad: TAU * stream.uniform() }
}

/// The outline of a car.
pub fn outline(car: Pose) -> Outline {
    Outline::new(CAR, car)
}
