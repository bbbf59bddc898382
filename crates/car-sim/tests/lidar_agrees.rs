//! The fast scan equals the scan of every pair, bit for bit, on random maps made to be hard.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use car_sim::{Lidar, LidarParams, Outline, Pose, Scanner, Scene, Segment, SegmentMap, Traffic};
use sim_core::{DVec2, Purpose, Rect, RunKey, Stream};
use std::f64::consts::TAU;

const CAR: Rect = Rect { min: DVec2::new(-0.2525, -0.1565), max: DVec2::new(0.2525, 0.1565) };

fn stream(owner: u64) -> Stream {
    RunKey { seed: 20_261_121, run_index: 0 }.stream(Purpose::new(7), owner, 0)
}

fn between(stream: &mut Stream, low: f64, high: f64) -> f64 {
    low + (high - low) * stream.uniform()
}

fn one_of<T: Copy>(stream: &mut Stream, choices: &[T]) -> T {
    choices[((stream.uniform() * choices.len() as f64) as usize).min(choices.len() - 1)]
}

/// A place in a square of 20 m, often on a lattice, so that ends are shared and lines pass through ends and lidars.
fn place(stream: &mut Stream, is_on_lattice: bool) -> DVec2 {
    let mut coordinate = || {
        let c = between(stream, -10.0, 10.0);
        if is_on_lattice { (c * 2.0).round() / 2.0 } else { c }
    };
    DVec2::new(coordinate(), coordinate())
}

fn random_segments(stream: &mut Stream, count: usize) -> Vec<Segment> {
    let is_on_lattice = stream.uniform() < 0.5;
    let longest_m = one_of(stream, &[0.01, 1.0, 40.0]);
    let mut segments: Vec<Segment> = Vec::new();
    while segments.len() < count {
        let from = match segments.last() {
            Some(last) if stream.uniform() < 0.7 => last.to_m,
            _ => place(stream, is_on_lattice),
        };
        let mut to = from + (place(stream, is_on_lattice) - from).clamp_length_max(longest_m);
        if stream.uniform() < 0.1 {
            to.x = from.x;
        }
        segments.push(Segment::new(from, to));
    }
    segments
}

fn random_lidar(stream: &mut Stream) -> Lidar {
    let angle_min_rad = one_of(stream, &[0.0, -TAU / 2.0, -1.0, 0.3]);
    let view_rad = one_of(stream, &[TAU, TAU, TAU * 0.75, 1.0]);
    let rays = one_of(stream, &[7.0, 64.0, 97.3, 200.0]);
    let range_min_m = one_of(stream, &[0.0, 0.5]);
    let mount = one_of(stream, &[Pose::ORIGIN, Pose::new(0.2, -0.05, 0.4)]);
    let increment_rad = TAU / rays;
    let range_max_m = one_of(stream, &[3.0, 25.0, 100.0]);
    let angle_max_rad = angle_min_rad + view_rad;
    Lidar::new(LidarParams { mount, angle_min_rad, angle_max_rad, increment_rad, range_min_m, range_max_m }).unwrap()
}

/// A pose that is often bad luck: at an end, on a segment, in line with one, looking along it, far away.
fn random_car(stream: &mut Stream, segments: &[Segment], lidar: &Lidar) -> Pose {
    let segment = one_of(stream, segments);
    let sensor_m = match (stream.uniform() * 6.0) as u32 {
        0 => segment.from_m,
        1 => segment.from_m + segment.span_m() * stream.uniform(),
        2 => segment.to_m + segment.span_m() * between(stream, 0.0, 3.0),
        3 => place(stream, true),
        4 => place(stream, false) * 20.0,
        _ => place(stream, false),
    };
    let along_rad = sim_core::angle::heading_of(segment.span_m());
    let yaw_rad = one_of(stream, &[0.0, TAU / 8.0, along_rad, along_rad + TAU / 2.0, 2.345, -1e3]);
    let mount_m = sim_core::angle::unit(yaw_rad).rotate(lidar.params().mount.position_m);
    Pose { position_m: sensor_m - mount_m, yaw_rad }
}

fn random_traffic(stream: &mut Stream, count: usize) -> Traffic {
    let mut traffic = Traffic::new();
    traffic.replace((0..count).map(|_| {
        let position_m = place(stream, false);
        Outline::new(CAR, Pose { position_m, yaw_rad: between(stream, -4.0, 4.0) })
    }));
    traffic
}

fn assert_same_bits(fast_m: &[f64], every_pair_m: &[f64], what: &str) {
    assert_eq!(fast_m.len(), every_pair_m.len());
    for (ray, (fast, exact)) in fast_m.iter().zip(every_pair_m).enumerate() {
        assert_eq!(fast.to_bits(), exact.to_bits(), "{what}, ray {ray}: {fast} is not {exact}");
    }
}

/// Maps of few segments are drawn whole, maps of many ring by ring: both kinds are here.
#[test]
fn fast_scans_equal_every_pair_bit_for_bit() {
    let mut scanner = Scanner::new();
    let (mut fast_m, mut every_pair_m) = (Vec::new(), Vec::new());
    let (mut hits, mut misses) = (0, 0);
    for number in 0..240 {
        let stream = &mut stream(number);
        let count = one_of(stream, &[1, 10, 40, 40, 150, 150, 300, 1100]);
        let segments = random_segments(stream, count);
        let Ok(map) = SegmentMap::from_segments(&segments) else { continue };
        let cars = one_of(stream, &[0, 1, 30]);
        let traffic = random_traffic(stream, cars);
        let lidar = random_lidar(stream);
        for pose in 0..50 {
            let own_car = one_of(stream, &[None, Some(0)]);
            let scene = Scene { map: &map, traffic: &traffic, own_car };
            let car = random_car(stream, &segments, &lidar);
            lidar.scan(scene, car, &mut scanner, &mut fast_m);
            lidar.scan_every_pair(scene, car, &mut every_pair_m);
            assert_same_bits(&fast_m, &every_pair_m, &format!("map {number}, pose {pose}, {car:?}"));
            hits += fast_m.iter().filter(|range_m| range_m.is_finite()).count();
            misses += fast_m.iter().filter(|range_m| **range_m == f64::INFINITY).count();
        }
    }
    assert!(hits > 100_000 && misses > 100_000, "both have to happen: {hits} and {misses}");
}

#[test]
fn fast_scans_in_motion_equal_every_pair_bit_for_bit() {
    let (mut fast_m, mut every_pair_m) = (Vec::new(), Vec::new());
    for number in 0..60 {
        let stream = &mut stream(1000 + number);
        let count = one_of(stream, &[3, 40, 150]);
        let segments = random_segments(stream, count);
        let Ok(map) = SegmentMap::from_segments(&segments) else { continue };
        let traffic = random_traffic(stream, 10);
        let lidar = random_lidar(stream);
        for pose in 0..10 {
            let scene = Scene { map: &map, traffic: &traffic, own_car: Some(3) };
            let start = random_car(stream, &segments, &lidar);
            let (speed, turn) = (between(stream, -1.0, 1.0), between(stream, -1.0, 1.0));
            let car_at = |ray: usize| {
                let share = ray as f64 / lidar.ray_count() as f64;
                Pose { yaw_rad: start.yaw_rad + share * turn, ..start.compose(Pose::new(share * speed, 0.0, 0.0)) }
            };
            lidar.scan_in_motion(scene, car_at, &mut fast_m);
            lidar.scan_in_motion_every_pair(scene, car_at, &mut every_pair_m);
            assert_same_bits(&fast_m, &every_pair_m, &format!("map {number}, pose {pose}, {start:?}"));
        }
    }
}
