//! Laws that hold for every lidar on every map, of car facts, section 12.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use car_sim::{Lidar, LidarParams, Pose, Scanner, Scene, Segment, SegmentMap, Traffic};
use proptest::prelude::*;
use sim_core::DVec2;
use std::f64::consts::TAU;

const RAYS: usize = 180;
/// Places of 20 m are rounded to 4e-15 m, rays are kept 1e-3 rad from ends and from looking along walls.
const TOLERANCE_M: f64 = 1e-9;

fn scan(segments: &[Segment], car: Pose) -> Vec<f64> {
    let params = LidarParams { increment_rad: TAU / RAYS as f64, range_max_m: 100.0, ..LidarParams::default() };
    let map = SegmentMap::from_segments(segments).unwrap();
    let scene = Scene { map: &map, traffic: &Traffic::new(), own_car: None };
    let mut ranges_m = Vec::new();
    Lidar::new(params).unwrap().scan(scene, car, &mut Scanner::new(), &mut ranges_m);
    ranges_m
}

/// The rays of which rounding cannot decide what they hit.
fn clear_rays(segments: &[Segment], car: Pose) -> Vec<usize> {
    let is_clear = |ray: &usize| {
        let direction = sim_core::angle::unit(car.yaw_rad + *ray as f64 * TAU / RAYS as f64);
        segments.iter().all(|segment| {
            let (from, to) = (segment.from_m - car.position_m, segment.to_m - car.position_m);
            let is_off = |end: DVec2| direction.perp_dot(end).abs() > 1e-3 * end.length();
            is_off(from) && is_off(to) && direction.perp_dot(to - from).abs() > 1e-3 * (to - from).length()
        })
    };
    (0..RAYS).filter(is_clear).collect()
}

fn assert_same(a: f64, b: f64) -> Result<(), TestCaseError> {
    prop_assert!(a == b || (a - b).abs() < TOLERANCE_M, "{} is not {}", a, b);
    Ok(())
}

fn place() -> impl Strategy<Value = DVec2> {
    (-20.0..20.0, -20.0..20.0).prop_map(|(x, y)| DVec2::new(x, y))
}

fn segments() -> impl Strategy<Value = Vec<Segment>> {
    let segment = (place(), place()).prop_map(|(from, to)| Segment::new(from, to));
    prop::collection::vec(segment, 1..12)
}

fn car() -> impl Strategy<Value = Pose> {
    (place(), -4.0..4.0).prop_map(|(position_m, yaw_rad)| Pose { position_m, yaw_rad })
}

fn moved(segments: &[Segment], change: impl Fn(DVec2) -> DVec2) -> Vec<Segment> {
    segments.iter().map(|segment| Segment::new(change(segment.from_m), change(segment.to_m))).collect()
}

proptest! {
    #[test]
    fn turning_by_increments_shifts_the_scan(segments in segments(), car in car(), shift in 0..RAYS) {
        let turned = Pose { yaw_rad: car.yaw_rad + shift as f64 * TAU / RAYS as f64, ..car };
        let (before_m, after_m) = (scan(&segments, car), scan(&segments, turned));
        for ray in clear_rays(&segments, car) {
            assert_same(after_m[(ray + RAYS - shift) % RAYS], before_m[ray])?;
        }
    }

    #[test]
    fn a_mirror_reverses_the_scan(segments in segments(), car in car()) {
        let mirror = |point: DVec2| DVec2::new(point.x, -point.y);
        let mirrored_car = Pose { position_m: mirror(car.position_m), yaw_rad: -car.yaw_rad };
        let (before_m, after_m) = (scan(&segments, car), scan(&moved(&segments, mirror), mirrored_car));
        for ray in clear_rays(&segments, car) {
            assert_same(after_m[(RAYS - ray) % RAYS], before_m[ray])?;
        }
    }

    #[test]
    fn moving_map_and_car_together_changes_nothing(segments in segments(), car in car(), frame in car()) {
        let after_m = scan(&moved(&segments, |point| frame.point(point)), frame.compose(car));
        let before_m = scan(&segments, car);
        for ray in clear_rays(&segments, car) {
            assert_same(after_m[ray], before_m[ray])?;
        }
    }

    #[test]
    fn one_more_segment_makes_no_range_longer(mut segments in segments(), more in segments(), car in car()) {
        let before_m = scan(&segments, car);
        segments.extend(more);
        let after_m = scan(&segments, car);
        prop_assert!(before_m.iter().zip(&after_m).all(|(before, after)| after <= before));
    }

    #[test]
    fn splitting_segments_changes_no_range(segments in segments(), car in car(), share in 0.0..1.0) {
        let split = |segment: &Segment| {
            let middle = segment.from_m.lerp(segment.to_m, share);
            [Segment::new(segment.from_m, middle), Segment::new(middle, segment.to_m)]
        };
        let parts: Vec<Segment> = segments.iter().flat_map(split).collect();
        let (before_m, after_m) = (scan(&segments, car), scan(&parts, car));
        for ray in clear_rays(&segments, car) {
            assert_same(after_m[ray], before_m[ray])?;
        }
    }

    #[test]
    fn the_order_of_segments_changes_no_bit(segments in segments(), car in car()) {
        let reversed: Vec<Segment> = segments.iter().rev().copied().collect();
        prop_assert_eq!(scan(&segments, car), scan(&reversed, car));
    }
}
