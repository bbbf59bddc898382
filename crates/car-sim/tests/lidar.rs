//! What a lidar reads, against numbers from outside: car facts, test groups T9 and T10 and the traps of section 6.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use car_sim::{Lidar, LidarParams, Pose, Scanner, Scene, Segment, SegmentMap, Traffic};
use sim_core::DVec2;

/// The reference's own rounding is at the twelfth digit.
const TOLERANCE_M: f64 = 1e-9;

fn wall(x1: f64, y1: f64, x2: f64, y2: f64) -> Segment {
    Segment::new(DVec2::new(x1, y1), DVec2::new(x2, y2))
}

fn ring(corners: &[(f64, f64)]) -> Vec<Segment> {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(a, b)| wall(a.0, a.1, b.0, b.1)).collect()
}

/// Scans with both methods, which have to agree.
fn scan_with(params: LidarParams, segments: &[Segment], car: Pose) -> Vec<f64> {
    let map = SegmentMap::from_segments(segments).unwrap();
    let lidar = Lidar::new(params).unwrap();
    let traffic = Traffic::new();
    let scene = Scene { map: &map, traffic: &traffic, own_car: None };
    let (mut ranges_m, mut every_pair_m) = (Vec::new(), Vec::new());
    lidar.scan(scene, car, &mut Scanner::new(), &mut ranges_m);
    lidar.scan_every_pair(scene, car, &mut every_pair_m);
    assert_eq!(ranges_m, every_pair_m);
    assert_eq!(ranges_m.len(), lidar.ray_count());
    ranges_m
}

fn scan(segments: &[Segment], car: Pose) -> Vec<f64> {
    scan_with(LidarParams::default(), segments, car)
}

fn assert_ranges(ranges_m: &[f64], expected: &[(usize, f64)]) {
    for &(ray, expected_m) in expected {
        let read_m = ranges_m[ray];
        assert!((read_m - expected_m).abs() < TOLERANCE_M, "ray {ray} reads {read_m}, not {expected_m}");
    }
}

fn room_with_a_pillar() -> Vec<Segment> {
    let mut segments = ring(&[(0.0, 0.0), (10.0, 0.0), (10.0, 6.0), (0.0, 6.0)]);
    segments.extend(ring(&[(6.0, 3.0), (7.0, 3.0), (7.0, 4.0), (6.0, 4.0)]));
    segments
}

#[test]
fn t9_a_room_with_a_pillar() {
    let ranges_m = scan(&room_with_a_pillar(), Pose::new(4.0, 2.5, 0.0));
    assert_ranges(
        &ranges_m,
        &[
            (0, 6.0),
            (1, 6.000_011_565_96),
            (100, 2.562_915_447_74),
            (200, 2.164_784_400_58),
            (300, 2.405_379_547_74),
            (400, 4.949_747_468_31),
            (800, 3.5),
            (1200, 4.949_747_468_31),
            (1600, 4.0),
            (2000, 3.535_533_905_93),
            (2400, 2.5),
            (2800, 3.535_533_905_93),
            (3199, 6.000_011_565_96),
        ],
    );
}

#[test]
fn t9_the_same_from_a_turned_car() {
    let ranges_m = scan(&room_with_a_pillar(), Pose::new(4.0, 2.5, 0.3));
    assert_ranges(
        &ranges_m,
        &[
            (0, 2.093_503_203_08),
            (100, 2.274_467_152),
            (200, 5.480_597_363_65),
            (400, 3.957_085_959_55),
            (1000, 4.548_259_451_47),
            (1600, 4.187_006_406_15),
            (2200, 2.510_779_993_77),
            (3000, 6.025_871_985_06),
        ],
    );
}

#[test]
fn t10_no_ray_slips_through_a_corner() {
    let square = ring(&[(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)]);
    let ranges_m = scan(&square, Pose::ORIGIN);
    assert_ranges(&ranges_m, &[(400, 2.0_f64.sqrt()), (399, 1.411_444_919), (401, 1.411_444_919)]);
    assert!(ranges_m.iter().all(|range_m| range_m.is_finite()));
}

#[test]
fn t10_narrower_than_a_gap_between_rays() {
    let between = scan(&[wall(10.0, 0.005, 10.0, 0.012)], Pose::ORIGIN);
    assert!(between.iter().all(|&range_m| range_m == f64::INFINITY));
    let on_ray_1 = scan(&[wall(10.0, 0.019, 10.0, 0.0205)], Pose::ORIGIN);
    assert_ranges(&on_ray_1, &[(1, 10.000_019_276_6)]);
    assert_eq!(on_ray_1.iter().filter(|range_m| range_m.is_finite()).count(), 1);
}

#[test]
fn t10_across_ray_0() {
    let ranges_m = scan(&[wall(5.0, -0.02, 5.0, 0.02)], Pose::ORIGIN);
    let seen: Vec<usize> = (0..3200).filter(|&ray| ranges_m[ray].is_finite()).collect();
    assert_eq!(seen, [0, 1, 2, 3198, 3199]);
}

#[test]
fn t10_a_segment_does_not_wrap_into_the_blind_sector() {
    // 181 rays from -90 to 90 degrees. Behind the lidar, from 170 to 190 degrees, there is a wall, and another across the right end.
    let half_turn = LidarParams {
        angle_min_rad: -90.0_f64.to_radians(),
        angle_max_rad: 90.0_f64.to_radians(),
        increment_rad: 1.0_f64.to_radians(),
        ..LidarParams::default()
    };
    let behind = scan_with(half_turn, &[wall(-5.0, -0.9, -5.0, 0.9)], Pose::ORIGIN);
    assert!(behind.iter().all(|range_m| *range_m == f64::INFINITY));
    let across = scan_with(half_turn, &[wall(-1.0, -2.0, 0.1, -2.0)], Pose::ORIGIN);
    let seen: Vec<usize> = (0..181).filter(|&ray| across[ray].is_finite()).collect();
    // atan(0.1 / 2) is 2.86 degrees.
    assert_eq!(seen, [0, 1, 2]);
}

#[test]
fn t10_edge_on() {
    assert_eq!(scan(&[wall(1.0, 0.0, 3.0, 0.0)], Pose::ORIGIN)[0], 1.0);
    assert_eq!(scan(&[wall(3.0, 0.0, 1.0, 0.0)], Pose::ORIGIN)[0], 1.0);
    assert_eq!(scan(&[wall(-3.0, 0.0, -1.0, 0.0)], Pose::ORIGIN)[0], f64::INFINITY);
}

#[test]
fn t10_the_end_of_the_range() {
    assert_eq!(scan(&[wall(25.0, -1.0, 25.0, 1.0)], Pose::ORIGIN)[0], 25.0);
    assert_eq!(scan(&[wall(25.001, -1.0, 25.001, 1.0)], Pose::ORIGIN)[0], f64::INFINITY);
    // The same end of the range wherever the car is, and whichever way it looks.
    for k in 0..1000 {
        let car = Pose::new(0.1 * f64::from(k), -0.3 * f64::from(k), 0.01 * f64::from(k));
        let across = |ahead_m: f64| {
            let [right, left] = [car.point(DVec2::new(ahead_m, -1.0)), car.point(DVec2::new(ahead_m, 1.0))];
            let one_ray =
                LidarParams { angle_max_rad: 0.1, increment_rad: 1.0, range_min_m: 1.0, ..LidarParams::default() };
            scan_with(one_ray, &[Segment::new(left, right)], car)[0]
        };
        // Walls are placed to within 1e-13 m.
        assert!((across(25.0 - 1e-12) - 25.0).abs() < 2e-12);
        assert_eq!(across(25.0 + 1e-12), f64::INFINITY);
        assert_eq!(across(1.0 - 1e-12), f64::NEG_INFINITY);
        assert!((across(1.0 + 1e-12) - 1.0).abs() < 2e-12);
    }
}

#[test]
fn trap_sensor_on_a_wall_reads_zero() {
    for y in [-1.0, 0.0, 1.0] {
        let ranges_m = scan(&[wall(2.0, -1.0, 2.0, 1.0), wall(9.0, -9.0, 9.0, 9.0)], Pose::new(2.0, y, 0.3));
        assert!(ranges_m.iter().all(|&range_m| range_m == 0.0));
    }
}

#[test]
fn trap_zero_length_segments_are_dropped() {
    let map = SegmentMap::from_segments(&[wall(1.0, 0.0, 1.0, 0.0), wall(2.0, -1.0, 2.0, 1.0)]).unwrap();
    assert_eq!(map.segments(), [wall(2.0, -1.0, 2.0, 1.0)]);
}

#[test]
fn a_car_that_is_nowhere_sees_nothing() {
    let walls: Vec<Segment> = (0..1200).map(|k| wall(f64::from(k), 0.0, f64::from(k), 1.0)).collect();
    for segments in [&walls[..4], &walls[..]] {
        for (x, yaw_rad) in [(f64::NAN, 0.0), (0.5, f64::NAN), (f64::INFINITY, 0.0), (1e300, 0.0)] {
            let ranges_m = scan(segments, Pose::new(x, 0.5, yaw_rad));
            assert!(ranges_m.iter().all(|&range_m| range_m == f64::INFINITY), "at {x}, {yaw_rad}");
        }
    }
}

/// Each segment ends where the next begins, and the lidar looks along the step between them, which it sees edge-on.
#[test]
fn trap_a_step_in_a_wall_along_a_ray() {
    for k in 0..500 {
        let turn = Pose::new(0.7 * f64::from(k), 1.3 - 0.9 * f64::from(k), 0.017 * f64::from(k));
        let corners = [(1.0, -5.0), (1.0, 0.0), (4.0, 0.0), (4.0, 5.0), (-5.0, 5.0), (-5.0, -5.0)];
        let turned: Vec<(f64, f64)> =
            corners.iter().map(|&(x, y)| turn.point(DVec2::new(x, y))).map(|p| (p.x, p.y)).collect();
        let ranges_m = scan(&ring(&turned), turn);
        assert!(ranges_m.iter().all(|range_m| range_m.is_finite()), "a ray slips through at turn {k}");
    }
}
