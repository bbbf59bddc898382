//! What a lidar reads against ranges of 30 digits, made by `truth/lidar.py` in decimal arithmetic.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use car_sim::{Lidar, LidarParams, Pose, Scanner, Scene, Segment, SegmentMap, Traffic};
use serde_json::Value;
use sim_core::DVec2;

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

fn pose(value: &Value) -> Pose {
    let numbers = numbers(value);
    Pose::new(numbers[0], numbers[1], numbers[2])
}

fn segment(value: &Value) -> Segment {
    let numbers = numbers(value);
    Segment::new(DVec2::new(numbers[0], numbers[1]), DVec2::new(numbers[2], numbers[3]))
}

/// Scans as many rays as fit into a turn, up to the 3200 that the scenes ask for.
fn scan(scene: &Value) -> Vec<f64> {
    let segments: Vec<Segment> = scene["segments"].as_array().unwrap().iter().map(segment).collect();
    let increment_rad = scene["increment_rad"].as_f64().unwrap();
    let angle_min_rad = scene["angle_min_rad"].as_f64().unwrap();
    let lidar = Lidar::new(LidarParams {
        mount: pose(&scene["mount"]),
        angle_min_rad,
        angle_max_rad: angle_min_rad + std::f64::consts::TAU,
        increment_rad,
        range_min_m: 0.0,
        range_max_m: 1000.0,
    });
    let map = SegmentMap::from_segments(&segments).unwrap();
    let view = Scene { map: &map, traffic: &Traffic::new(), own_car: None };
    let mut ranges_m = Vec::new();
    lidar.unwrap().scan(view, pose(&scene["car"]), &mut Scanner::new(), &mut ranges_m);
    ranges_m
}

#[test]
fn t9_and_random_rooms_within_a_nanometre() {
    let scenes: Vec<Value> = serde_json::from_str(include_str!("truth/lidar.json")).unwrap();
    let mut worst_m: f64 = 0.0;
    for (number, scene) in scenes.iter().enumerate() {
        let ranges_m = scan(scene);
        let expected = scene["rays"].as_array().unwrap().iter().zip(scene["ranges_m"].as_array().unwrap());
        for (ray, expected_m) in expected {
            let read_m = ranges_m[ray.as_u64().unwrap() as usize];
            match expected_m.as_str() {
                None => assert_eq!(read_m, f64::INFINITY, "scene {number}, ray {ray}"),
                Some(digits) => {
                    // Reading thirty digits into a double costs less than 1e-14 m here.
                    let error_m = (read_m - digits.parse::<f64>().unwrap()).abs();
                    assert!(error_m < 1e-9, "scene {number}, ray {ray} reads {read_m}, not {digits}");
                    worst_m = worst_m.max(error_m);
                }
            }
        }
    }
    // Coordinates of 100 m are rounded to 1e-14 m, and grazing rays, down to a hundredth, multiply that.
    assert!(worst_m < 1e-11, "{worst_m}");
}
