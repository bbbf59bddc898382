//! Every column of the tables of the road from a closed form: cars on circles and straights, ranges to walls, what units feel.

mod common;

use common::{assert_near, lists, number, numbers, texts, walk};
use sim_core::{DVec2, angle, ops};
use std::f64::consts::TAU;
use test_runs::road;

/// The default car, docs/models/car.md.
const WHEELBASE_M: f64 = 0.405;
const TRACK_M: f64 = 0.213;
const BASE_TO_AXLE_M: f64 = 0.2025;
const WHEEL_RADIUS_M: f64 = 0.0525;
const MOTOR_RATIO: f64 = 0.08421;
const GRAVITY_M_S2: f64 = 9.81;

/// What rounding and Runge-Kutta's steps of 1 ms leave on some metres.
const ROUNDING: f64 = 1e-10;

/// A car on a circle, in closed form.
#[derive(Clone, Copy, Debug)]
struct Circle {
    curvature_1_m: f64,
    speed_m_s: f64,
    start_m: DVec2,
    yaw_rad: f64,
}

impl Circle {
    /// Curvature of the rear axle's path.
    fn rear_1_m(self) -> f64 {
        let turn = self.curvature_1_m * BASE_TO_AXLE_M;
        self.curvature_1_m / (1.0 - turn * turn).sqrt()
    }

    fn rear_speed_m_s(self) -> f64 {
        let turn = self.curvature_1_m * BASE_TO_AXLE_M;
        self.speed_m_s * (1.0 - turn * turn).sqrt()
    }

    fn steer_rad(self) -> f64 {
        ops::atan2(self.rear_1_m() * WHEELBASE_M, 1.0)
    }

    fn yaw_rate_rad_s(self) -> f64 {
        self.curvature_1_m * self.speed_m_s
    }

    fn yaw_rad(self, time_s: f64) -> f64 {
        self.yaw_rad + self.yaw_rate_rad_s() * time_s
    }

    /// Unit vector along the velocity of the base point.
    fn course(self, time_s: f64) -> DVec2 {
        let course_rad = self.yaw_rad(time_s) + ops::atan2(self.rear_1_m() * BASE_TO_AXLE_M, 1.0);
        let (sin, cos) = ops::sin_cos(course_rad);
        DVec2::new(cos, sin)
    }

    fn base_m(self, time_s: f64) -> DVec2 {
        let radius_m = 1.0 / self.curvature_1_m;
        let centre_m = self.start_m + self.course(0.0).perp() * radius_m;
        centre_m - self.course(time_s).perp() * radius_m
    }

    /// A car that is on the circle from its start on, with these members beside.
    fn members(self, more: &str) -> String {
        let Self { curvature_1_m, speed_m_s, start_m, yaw_rad } = self;
        let (yaw_deg, steering_deg) = (yaw_rad.to_degrees(), self.steer_rad().to_degrees());
        format!(
            r#""cars": [{{ "start": {{"x_m": {}, "y_m": {}, "yaw_deg": {yaw_deg}, "steering_deg": {steering_deg},
                "velocity_m_s": {speed_m_s}}}, "driver": {{"commands":
                [{{"at_s": 0, "velocity_m_s": {speed_m_s}, "curvature_1_m": {curvature_1_m}}}]}} {more} }}]"#,
            start_m.x, start_m.y
        )
    }
}

/// To the left, to the right, and backwards.
const CIRCLES: [Circle; 3] = [
    Circle { curvature_1_m: 0.5, speed_m_s: 0.6, start_m: DVec2::new(1.0, -2.0), yaw_rad: 0.3 },
    Circle { curvature_1_m: -1.4, speed_m_s: 0.8, start_m: DVec2::new(0.0, 0.0), yaw_rad: -2.0 },
    Circle { curvature_1_m: 0.9, speed_m_s: -0.4, start_m: DVec2::new(-3.0, 5.0), yaw_rad: 1.5 },
];

#[test]
fn a_car_on_a_circle_fills_every_column_of_its_table() {
    for circle in CIRCLES {
        let mut world = road(&circle.members(""), 0);
        for step in 0..=900_u32 {
            let time_s = f64::from(step) / 100.0;
            let expect = |name: &str, expected: f64| {
                assert_near(number(&world, "cars", name), expected, ROUNDING, &format!("{name} at {time_s} s"));
            };
            expect("step", f64::from(step));
            expect("time_s", time_s);
            expect("car", 0.0);
            expect("x_m", circle.base_m(time_s).x);
            expect("y_m", circle.base_m(time_s).y);
            let yaw_rad = number(&world, "cars", "yaw_rad");
            assert_near(angle::wrap_rad(yaw_rad - circle.yaw_rad(time_s)), 0.0, ROUNDING, "yaw");
            expect("speed_m_s", circle.speed_m_s);
            expect("yaw_rate_rad_s", circle.yaw_rate_rad_s());
            expect("curvature_1_m", circle.curvature_1_m);
            expect("vx_m_s", circle.speed_m_s * circle.course(time_s).x);
            expect("vy_m_s", circle.speed_m_s * circle.course(time_s).y);
            if step % 100 == 0 {
                expect_drive(circle, step > 0, &expect);
            }
            assert_eq!(texts(&world, "cars", "status"), ["in_progress"]);
            walk(&mut world, 1);
        }
    }
}

/// What wheels and motor do on the circle. Before the first command a car is to stand straight.
fn expect_drive(circle: Circle, has_command: bool, expect: &dyn Fn(&str, f64)) {
    let (k, s) = (circle.rear_1_m(), circle.rear_speed_m_s() / WHEEL_RADIUS_M);
    let (h, u) = (0.5 * k * TRACK_M, k * WHEELBASE_M);
    for prefix in if has_command { ["steer", "target_steer"] } else { ["steer"; 2] } {
        expect(&format!("{prefix}_rad"), circle.steer_rad());
        expect(&format!("{prefix}_left_rad"), ops::atan2(u, 1.0 - h));
        expect(&format!("{prefix}_right_rad"), ops::atan2(u, 1.0 + h));
    }
    for name in if has_command { ["motor_rps", "target_rps"] } else { ["motor_rps"; 2] } {
        expect(name, circle.rear_speed_m_s() / (TAU * WHEEL_RADIUS_M * MOTOR_RATIO));
    }
    expect("wheel_rear_left_rad_s", (1.0 - h) * s);
    expect("wheel_rear_right_rad_s", (1.0 + h) * s);
    expect("wheel_front_left_rad_s", s * ((1.0 - h) * (1.0 - h) + u * u).sqrt());
    expect("wheel_front_right_rad_s", s * ((1.0 + h) * (1.0 + h) + u * u).sqrt());
}

/// On a circle the only acceleration is the one towards its centre: -w^2 r_x forward, w v_r - w^2 r_y to the left.
#[test]
fn units_and_antennas_on_a_circle_read_what_the_geometry_gives() {
    let (forward_m, left_m, antenna_m) = (0.31, -0.07, DVec2::new(-0.2, 0.15));
    let sensors = format!(
        r#", "sensors": {{ "imu": {{"mount": {{"position_m": [{forward_m}, {left_m}, 0.4], "orientation_xyzw": [0, 0, 0, 1]}}}},
            "odometry": {{}}, "position": {{"antenna_m": [{}, {}]}} }}"#,
        antenna_m.x, antenna_m.y
    );
    for circle in CIRCLES {
        let mut world = road(&circle.members(&sensors), 0);
        for step in 0..=300_u32 {
            let time_s = f64::from(step) / 100.0;
            let near = |stream: &str, name: &str, expected: f64| {
                assert_near(number(&world, stream, name), expected, 1e-9, &format!("{stream}.{name} at {time_s} s"));
            };
            for stream in ["imu", "odometry", "position"] {
                near(stream, "step", f64::from(step));
                near(stream, "time_s", time_s);
                near(stream, "taken_s", time_s);
            }
            let rate_rad_s = circle.yaw_rate_rad_s();
            let from_axle_m = DVec2::new(forward_m + BASE_TO_AXLE_M, left_m);
            near("imu", "gyro_x_rad_s", 0.0);
            near("imu", "gyro_y_rad_s", 0.0);
            near("imu", "gyro_z_rad_s", rate_rad_s);
            near("imu", "accel_x_m_s2", -rate_rad_s * rate_rad_s * from_axle_m.x);
            near("imu", "accel_y_m_s2", rate_rad_s * circle.rear_speed_m_s() - rate_rad_s * rate_rad_s * from_axle_m.y);
            near("imu", "accel_z_m_s2", GRAVITY_M_S2);
            near("odometry", "speed_m_s", circle.speed_m_s);
            near("odometry", "yaw_rate_rad_s", rate_rad_s);
            let (sin, cos) = ops::sin_cos(circle.yaw_rad(time_s));
            let place_m = circle.base_m(time_s) + DVec2::new(cos, sin).rotate(antenna_m);
            near("position", "x_m", place_m.x);
            near("position", "y_m", place_m.y);
            walk(&mut world, 1);
        }
    }
}

/// A ray at the angle b to the normal of a wall reads the distance over cos b; the car drives towards the wall.
#[test]
fn rays_read_the_distance_to_a_wall_over_the_cosine() {
    let (wall_m, mount_m, mount_rad) = (4.0, DVec2::new(0.1, 0.05), 0.2_f64);
    let members = format!(
        r#""map": {{"walls_m": [[[{wall_m}, -50], [{wall_m}, 50]]]}}, "cars": [{{
            "start": {{"x_m": 0, "y_m": 0, "velocity_m_s": 0.5}}, "driver": {{"commands": [{{"at_s": 0, "velocity_m_s": 0.5}}]}},
            "sensors": {{"lidar": {{"mount": {{"x_m": {}, "y_m": {}, "yaw_deg": {}}}, "angle_min_deg": -180, "angle_max_deg": 180,
                "increment_deg": 10, "range_min_m": 2.5, "range_max_m": 6}}}} }}]"#,
        mount_m.x,
        mount_m.y,
        mount_rad.to_degrees()
    );
    let mut world = road(&members, 0);
    let (mut returns, mut too_near) = (0, 0);
    for step in 0..=500_u32 {
        let distance_m = wall_m - mount_m.x - 0.5 * f64::from(step) / 100.0;
        let scan = &lists(&world, "lidar", "ray_#_m")[0];
        assert_eq!(scan.len(), 36, "a full turn has no ray of its own at its end");
        for (ray, &range_m) in scan.iter().enumerate() {
            let from_normal_rad = mount_rad + (-180.0 + 10.0 * ray as f64).to_radians();
            let expected_m = distance_m / ops::cos(from_normal_rad);
            if !(0.0..=6.0).contains(&expected_m) {
                assert_eq!(range_m, f64::INFINITY, "ray {ray} of step {step}");
            } else if expected_m < 2.5 {
                assert_eq!(range_m, f64::NEG_INFINITY, "ray {ray} of step {step}");
                too_near += 1;
            } else {
                assert_near(range_m, expected_m, ROUNDING, &format!("ray {ray} of step {step}"));
                returns += 1;
            }
        }
        walk(&mut world, 1);
    }
    assert!(returns > 1000 && too_near > 1000, "{returns} returns, {too_near} too near");
}

/// A scan that takes its time is taken on the way: ray k of n leaves (1 - k / n) of the sweep before the reading.
#[test]
fn a_slow_scan_is_taken_from_where_the_car_was() {
    let members = r#""map": {"walls_m": [[[9, -50], [9, 50]]]}, "cars": [{
        "start": {"velocity_m_s": 0.8}, "driver": {"commands": [{"at_s": 0, "velocity_m_s": 0.8}]},
        "sensors": {"lidar": {"angle_min_deg": -60, "angle_max_deg": 60, "increment_deg": 1, "sweep_ms": 100,
            "sensing": {"every_ms": 100, "phase_ms": 200}}} }]"#;
    let mut world = road(members, 0);
    walk(&mut world, 20);
    let scan = &lists(&world, "lidar", "ray_#_m")[0];
    assert_eq!(scan.len(), 121);
    for (ray, &range_m) in scan.iter().enumerate() {
        let before_s = 0.1 * (1.0 - ray as f64 / 121.0);
        let distance_m = 9.0 - 0.8 * (0.2 - before_s);
        let expected_m = distance_m / ops::cos((-60.0 + ray as f64).to_radians());
        assert_near(range_m, expected_m, ROUNDING, &format!("ray {ray}"));
    }
}

/// A lidar sees other cars as their outlines, and its own car not at all.
#[test]
fn a_ray_ends_at_the_outline_of_another_car() {
    let members = r#""trace": {"lidar": "long"}, "cars": [
        {"sensors": {"lidar": {"increment_deg": 90}}}, {"start": {"x_m": 3, "yaw_deg": 180}},
        {"start": {"x_m": 0, "y_m": -2, "yaw_deg": 90}}]"#;
    let world = road(members, 0);
    assert_eq!(numbers(&world, "lidar", "ray"), [0.0, 1.0, 2.0, 3.0]);
    let ranges_m = numbers(&world, "lidar", "range_m");
    // Both cars show their fronts, 0.2525 m ahead of their base points.
    assert_near(ranges_m[0], 3.0 - 0.2525, ROUNDING, "ahead");
    assert!(ranges_m[1].is_nan() && ranges_m[2].is_nan(), "{ranges_m:?}");
    assert_near(ranges_m[3], 2.0 - 0.2525, ROUNDING, "to the right");
    assert_eq!(numbers(&world, "lidar", "car"), [0.0; 4]);
}

/// From rest at a constant acceleration: v = a t and x = a t^2 / 2 until the speed is reached, then on at that speed.
#[test]
fn a_car_speeds_up_and_brakes_on_parabolas() {
    let members = r#""cars": [{"sensors": {"imu": {"mount": {"orientation_xyzw": [0, 0, 0, 1]}}}, "driver": {"commands": [
        {"at_s": 0, "velocity_m_s": 0.8, "acceleration_m_s2": 0.4}, {"at_s": 3, "velocity_m_s": -0.5}]}}]"#;
    let mut world = road(members, 0);
    for step in 1..=450_u32 {
        walk(&mut world, 1);
        let t = f64::from(step) / 100.0;
        // 2 s up to 0.8 m/s, 1 s of driving, 0.4 s of braking at 2 m/s^2 to a standstill, 0.5 s backwards at 1 m/s^2.
        let (speed_m_s, x_m, accel_m_s2) = if t <= 2.0 {
            (0.4 * t, 0.2 * t * t, 0.4)
        } else if t <= 3.0 {
            (0.8, 0.8 + 0.8 * (t - 2.0), 0.0)
        } else if t <= 3.4 {
            (0.8 - 2.0 * (t - 3.0), 1.6 + 0.8 * (t - 3.0) - (t - 3.0) * (t - 3.0), -2.0)
        } else if t <= 3.9 {
            (-(t - 3.4), 1.76 - 0.5 * (t - 3.4) * (t - 3.4), -1.0)
        } else {
            (-0.5, 1.635 - 0.5 * (t - 3.9), 0.0)
        };
        let what = |name: &str| format!("{name} at {t} s");
        assert_near(number(&world, "cars", "speed_m_s"), speed_m_s, ROUNDING, &what("speed"));
        assert_near(number(&world, "cars", "x_m"), x_m, ROUNDING, &what("x"));
        assert_near(number(&world, "cars", "y_m"), 0.0, ROUNDING, &what("y"));
        // The unit feels the rate of the last piece of the last step; where a ramp ends, rounding decides which that is.
        if ![2.0, 3.0, 3.4, 3.9].contains(&t) {
            assert_near(number(&world, "imu", "accel_x_m_s2"), accel_m_s2, ROUNDING, &what("acceleration"));
        }
    }
}

/// The wheels turn at the steering rate of 2 rad/s, at standstill too.
#[test]
fn wheels_turn_at_their_rate_and_stop_at_their_angle() {
    let curvature_1_m = 1.2;
    let members = format!(
        r#""cars": [{{"driver": {{"commands": [{{"at_s": 0.05, "velocity_m_s": 0, "curvature_1_m": {curvature_1_m}}}]}}}}]"#
    );
    let circle = Circle { curvature_1_m, speed_m_s: 0.0, start_m: DVec2::ZERO, yaw_rad: 0.0 };
    let mut world = road(&members, 0);
    for step in 1..=60_u32 {
        walk(&mut world, 1);
        let turned_rad = (2.0 * (f64::from(step) / 100.0 - 0.05)).clamp(0.0, circle.steer_rad());
        assert_near(number(&world, "cars", "steer_rad"), turned_rad, ROUNDING, &format!("steering of step {step}"));
    }
    assert_near(
        number(&world, "cars", "steer_left_rad"),
        ops::atan2(circle.rear_1_m() * WHEELBASE_M, 1.0 - circle.rear_1_m() * TRACK_M / 2.0),
        ROUNDING,
        "left",
    );
    assert_eq!(number(&world, "cars", "x_m"), 0.0);
}

/// Two cars that meet head on, a gap of 6 - 0.505 m apart at 0.8 + 0.4 m/s.
#[test]
fn cars_that_meet_collide_when_their_gap_is_used_up() {
    let car = |x_m: f64, yaw_deg: f64, speed_m_s: f64| {
        format!(
            r#"{{"start": {{"x_m": {x_m}, "yaw_deg": {yaw_deg}, "velocity_m_s": {speed_m_s}}},
                "driver": {{"commands": [{{"at_s": 0, "velocity_m_s": {speed_m_s}}}]}}}}"#
        )
    };
    let mut world = road(&format!(r#""cars": [{}, {}]"#, car(0.0, 0.0, 0.8), car(6.0, 180.0, 0.4)), 0);
    let touch_s = (6.0 - 0.505) / 1.2;
    let mut told = Vec::new();
    for _ in 0..600 {
        walk(&mut world, 1);
        let rows = texts(&world, "events", "subject").into_iter().zip(texts(&world, "events", "object"));
        let values = numbers(&world, "events", "time_s").into_iter().zip(numbers(&world, "events", "value"));
        told.extend(rows.zip(values).map(|((subject, object), (time_s, speed))| (subject, object, time_s, speed)));
    }
    let parties: Vec<[&str; 2]> = told.iter().map(|(subject, object, ..)| [subject.as_str(), object]).collect();
    assert_eq!(parties, [["car 0", "car 1"], ["car 1", "car 0"]]);
    for (_, _, time_s, _) in &told {
        // Cars are looked at every ms.
        assert!((touch_s..touch_s + 0.001 + ROUNDING).contains(time_s), "{time_s} s, expected {touch_s} s");
    }
    assert_near(told[0].3, 0.8, ROUNDING, "speed of car 0");
    assert_near(told[1].3, 0.4, ROUNDING, "speed of car 1");
    // Neither moves on.
    let gap_m = numbers(&world, "cars", "x_m");
    assert_near(gap_m[1] - gap_m[0], 0.505, 0.0013, "what is left between them");
    assert_eq!(texts(&world, "cars", "status"), ["collision", "collision"]);
}

/// A car that turns on the spot of its circle sweeps with its front corner: it touches a wall when that corner does.
#[test]
fn a_turning_car_touches_a_wall_with_its_front_corner() {
    let circle = Circle { curvature_1_m: 1.0, speed_m_s: 0.5, start_m: DVec2::ZERO, yaw_rad: 0.0 };
    let wall_m = 0.75;
    let members = format!(r#""map": {{"walls_m": [[[{wall_m}, -9], [{wall_m}, 9]]]}}, {}"#, circle.members(""));
    // The body reaches 0.2525 m ahead of its base point and 0.1565 m to both sides.
    let corner_x_m = |time_s: f64| {
        let (sin, cos) = ops::sin_cos(circle.yaw_rad(time_s));
        circle.base_m(time_s).x
            + [-0.1565, 0.1565].map(|side| 0.2525 * cos - side * sin).into_iter().fold(f64::MIN, f64::max)
    };
    let touch_ms = (0..4000_u32).find(|&ms| corner_x_m(f64::from(ms) / 1000.0) >= wall_m).unwrap_or(0);
    assert!(touch_ms > 500, "{touch_ms}");
    let mut world = road(&members, 0);
    while texts(&world, "events", "kind").is_empty() {
        walk(&mut world, 1);
    }
    assert_eq!(
        (texts(&world, "events", "kind"), texts(&world, "events", "object")),
        (vec!["collision".to_owned()], vec!["wall".to_owned()])
    );
    assert_near(number(&world, "events", "time_s"), f64::from(touch_ms) / 1000.0, 1e-12, "time");
}
