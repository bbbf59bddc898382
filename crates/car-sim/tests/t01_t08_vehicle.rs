//! Test groups T1 to T8 of the car facts: mapping, circles, ramps, scripted drives, the IMU. Expected numbers are the reference's, which
//! were computed with 40 digits or by quadrature, not by a simulator.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use car_sim::{
    Ackermann, Car, CarModel, CarParams, Command, DEFAULT_IMU_MOUNT, DRIVE_QUANTITIES, Inertial, Motion, Pose,
    SegmentMap, Start, Twist,
};
use sim_core::sensing::{Mount, MountParams};
use sim_core::{DVec2, DVec3};
use std::f64::consts::TAU;

fn model() -> CarModel {
    CarModel::new(CarParams::default()).unwrap()
}

fn command(velocity_m_s: f64, curvature_1_m: f64) -> Command {
    Command { velocity_m_s, curvature_1_m, acceleration_m_s2: None }
}

fn drive(car: &mut Car, model: &CarModel, seconds: f64) {
    let map = SegmentMap::empty();
    (0..(seconds * 1000.0).round() as u64).for_each(|_| car.step(model, &map));
}

/// A car on an empty map under a command.
fn started(model: &CarModel, start: &Start, command: &Command) -> Car {
    let mut car = Car::placed(model, &SegmentMap::empty(), start).unwrap();
    car.set_command(model, command).unwrap();
    car
}

#[track_caller]
fn assert_near(what: &str, value: f64, expected: f64, tolerance: f64) {
    assert!((value - expected).abs() <= tolerance, "{what} is {value}, expected {expected}");
}

/// Twelve significant digits are given.
#[track_caller]
fn assert_pose(pose: Pose, [x_m, y_m, yaw_rad]: [f64; 3], tolerance: f64) {
    assert_near("x", pose.position_m.x, x_m, tolerance);
    assert_near("y", pose.position_m.y, y_m, tolerance);
    assert_near("yaw", pose.yaw_rad, yaw_rad, tolerance);
}

#[test]
fn limits_follow_from_the_front_wheels() {
    let model = model();
    assert_near("base curvature", model.curvature_limit_1_m(), 1.605_163_324_39, 1e-11);
    assert_near("middle steering", model.steering_limit_rad(), 0.602_232_434_812, 1e-12);
    let rear = model.ackermann().rear_curvature_1_m(model.steering_limit_rad());
    assert_near("rear curvature", rear, 1.697_331_203_83, 1e-11);
    let steering = model.ackermann().steering(model.steering_limit_rad());
    assert_near("inner wheel", steering.left_rad.to_degrees(), 40.0, 1e-10);
    assert_near("outer wheel", steering.right_rad.to_degrees(), 30.2071, 1e-4);
}

#[test]
fn the_outer_wheel_may_be_the_one_that_limits() {
    let limits = |outer_steering_limit_rad, track_m| {
        let params = CarParams { outer_steering_limit_rad, track_m, ..CarParams::default() };
        let model = CarModel::new(params).unwrap();
        model.ackermann().steering(model.steering_limit_rad())
    };
    // On a left turn the right wheel is the outer one.
    assert_near("outer wheel", limits(0.3, 0.213).right_rad, 0.3, 1e-12);
    // With a track of 1 m a wheel at 60 degrees points past the line through the rear axle: it limits nothing.
    assert_near("inner wheel", limits(60.0_f64.to_radians(), 1.0).left_rad.to_degrees(), 40.0, 1e-10);
}

#[test]
fn t1_mapping_from_base_to_rear_wheels_and_motor() {
    // C, v | k, v_r, middle, left, right, yaw rate, RL, RR, FL, FR, motor rps
    let s = 15.238_095_238_1;
    #[rustfmt::skip]
    let rows = [
        [0.0, 0.8, 0.0, 0.8, 0.0, 0.0, 0.0, 0.0, s, s, s, s, 28.799_645_890_6],
        [0.5, 0.8, 0.502_582_765_715, 0.795_888_811_330, 0.200_802_857_852, 0.211_830_600_497, 0.190_853_185_096, 0.4,
            14.348_358_311_0, 15.971_215_453_9, 14.676_410_285_7, 16.266_571_726_3, 28.651_644_918_2],
        [1.0, 0.5, 1.021_156_042_65, 0.489_641_131_340, 0.392_148_102_469, 0.434_462_511_051, 0.357_018_693_894, 0.5,
            8.312_212_025_53, 10.340_783_454_1, 9.163_537_514_39, 11.036_727_479_9, 17.626_863_995_1],
        [-1.0, 0.5, -1.021_156_042_65, 0.489_641_131_340, -0.392_148_102_469, -0.357_018_693_894, -0.434_462_511_051, -0.5,
            10.340_783_454_1, 8.312_212_025_53, 11.036_727_479_9, 9.163_537_514_39, 17.626_863_995_1],
        [1.6, 0.3, 1.691_229_876_71, 0.283_817_124_219, 0.600_552_425_870, 0.695_968_914_938, 0.525_888_621_034, 0.48,
            4.432_326_175_60, 6.379_754_747_03, 5.775_523_036_69, 7.376_477_591_15, 10.217_290_844_0],
        [0.8, -0.4, 0.810_708_849_414, -0.394_716_303_185, 0.317_247_210_457, 0.344_993_161_109, 0.293_511_864_801, -0.32,
            -6.869_262_917_81, -8.167_548_632_09, -7.299_357_364_31, -8.532_449_563_61, -14.209_612_198_7],
    ];
    let model = model();
    let ackermann: &Ackermann = model.ackermann();
    for row in rows {
        let base = Twist { curvature_1_m: row[0], velocity_m_s: row[1] };
        let rear = ackermann.rear_from_base(base);
        let steering = ackermann.steering(ackermann.middle_rad(rear.curvature_1_m));
        let wheels = ackermann.wheel_speeds(rear);
        let found = [
            rear.curvature_1_m,
            rear.velocity_m_s,
            steering.middle_rad,
            steering.left_rad,
            steering.right_rad,
            rear.yaw_rate_rad_s(),
            wheels.rear_left_rad_s,
            wheels.rear_right_rad_s,
            wheels.front_left_rad_s,
            wheels.front_right_rad_s,
            ackermann.motor_rps(rear.velocity_m_s),
        ];
        for (column, (value, expected)) in found.into_iter().zip(&row[2..]).enumerate() {
            assert_near(&format!("C {}, v {}, column {column}", row[0], row[1]), value, *expected, 1e-9);
        }
        let back = ackermann.base_from_rear(rear);
        assert_near("C and back", back.curvature_1_m, base.curvature_1_m, 1e-15);
        assert_near("v and back", back.velocity_m_s, base.velocity_m_s, 1e-15);
        assert_near("yaw rate of the base", back.yaw_rate_rad_s(), row[7], 1e-15);
    }
}

/// Two rows of T1: the car drives at C = 0.5, v = 0.8 with its axis along +y, and is asked for C = 1. The velocity of the base point in the
/// car's axes is (v_r, yaw rate times l_b) = (v_r, 0.4 times 0.2025).
#[test]
fn t1_values_for_tables_are_those_of_the_moment_and_of_the_command() {
    let model = model();
    let base = Pose::new(3.0, -1.0, TAU / 4.0);
    let start = Start { base, steering_rad: 0.200_802_857_852, velocity_m_s: 0.8 };
    let values = started(&model, &start, &command(0.5, 1.0)).report(&model).drive_values();
    let expected = [
        ("target_steer_rad", 0.392_148_102_469),
        ("target_steer_left_rad", 0.434_462_511_051),
        ("target_steer_right_rad", 0.357_018_693_894),
        ("vx_m_s", -0.081),
        ("vy_m_s", 0.795_888_811_330),
        ("curvature_1_m", 0.5),
        ("wheel_rear_left_rad_s", 14.348_358_311_0),
        ("wheel_rear_right_rad_s", 15.971_215_453_9),
        ("wheel_front_left_rad_s", 14.676_410_285_7),
        ("wheel_front_right_rad_s", 16.266_571_726_3),
    ];
    for (((name, _), value), (expected_name, expected)) in DRIVE_QUANTITIES.into_iter().zip(values).zip(expected) {
        assert_eq!(name, expected_name);
        // Twelve digits of the steering angle are given, and four significant digits before the point are lost on it.
        assert_near(name, value, expected, 1e-10);
    }
}

#[test]
fn t2_reset_and_steady_circle() {
    let model = model();
    let start = Start { base: Pose::ORIGIN, steering_rad: 0.2, velocity_m_s: 0.5 };
    let mut car = started(&model, &start, &command(0.5, 0.497_967_372_082));
    let report = car.report(&model);
    assert_near("C", report.base_twist.curvature_1_m, 0.497_967_372_082, 1e-12);
    assert_near("v", report.base_twist.velocity_m_s, 0.5, 1e-15);
    assert_near("v_r", car.motion().velocity_m_s, 0.497_451_409_318, 1e-12);
    assert_near("yaw rate", report.yaw_rate_rad_s, 0.248_983_686_041, 1e-12);
    let heading = sim_core::angle::heading_of(report.base_velocity_in_world_m_s);
    assert_near("heading of the velocity", heading, 0.101_010_073_458, 1e-12);
    assert_pose(report.base, [0.0; 3], 1e-15);
    drive(&mut car, &model, 1.0);
    assert_pose(car.base(&model), [0.486_083_157_284, 0.111_509_245_515, 0.248_983_686_041], 1e-9);
    drive(&mut car, &model, 9.0);
    assert_pose(car.base(&model), [0.848_417_905_927, 3.709_153_308_16, 2.489_836_860_41], 1e-9);
}

/// Radius 2.0081636992 m, one turn in 25.2353292984 s: the base point keeps its distance from the centre, and after the whole
/// milliseconds of a turn only 0.3292984 ms of way are left.
#[test]
fn t2_a_full_circle_comes_back() {
    let model = model();
    let start = Start { base: Pose::ORIGIN, steering_rad: 0.2, velocity_m_s: 0.5 };
    let mut car = started(&model, &start, &command(0.5, 0.497_967_372_082));
    // The centre lies across the velocity's heading.
    let (sin, cos) = sim_core::ops::sin_cos(0.101_010_073_458 + TAU / 4.0);
    let center_m = 2.008_163_699_2 * DVec2::new(cos, sin);
    for _ in 0..25 {
        drive(&mut car, &model, 1.0);
        assert_near("radius", car.base(&model).position_m.distance(center_m), 2.008_163_699_2, 1e-9);
    }
    drive(&mut car, &model, 0.235);
    let left_m = 0.5 * 0.000_329_298_4;
    assert_near("way left", car.base(&model).position_m.length(), left_m, 1e-9);
    assert_near("turn left", car.base(&model).yaw_rad, -0.248_983_686_041 * 0.000_329_298_4, 1e-9);
}

/// 3.6 million steps. The rate is given to 5e-13 rad/s, 1.8e-9 rad in an hour; rounding adds at most half a unit in the last place of pi
/// and of 4 m in each step, 8e-10 rad and 1.6e-9 m, should it always fall on one side.
#[test]
fn t2_an_hour_on_the_circle_leaks_nothing() {
    let model = model();
    let start = Start { base: Pose::ORIGIN, steering_rad: 0.2, velocity_m_s: 0.5 };
    let mut car = started(&model, &start, &command(0.5, 0.497_967_372_082));
    let (sin, cos) = sim_core::ops::sin_cos(0.101_010_073_458 + TAU / 4.0);
    let center_m = 2.008_163_699_2 * DVec2::new(cos, sin);
    drive(&mut car, &model, 3600.0);
    assert_eq!(car.report(&model).time_ns, 3_600_000_000_000);
    assert_near("radius", car.base(&model).position_m.distance(center_m), 2.008_163_699_2, 1e-8);
    let turned = sim_core::angle::wrap_rad(0.248_983_686_041 * 3600.0);
    assert_near("yaw", car.base(&model).yaw_rad, turned, 1e-8);
    assert_near("speed", car.base_twist(&model).velocity_m_s, 0.5, 1e-12);
}

#[test]
fn t3_straight_ramps() {
    let model = model();
    let mut car = started(&model, &Start::at(Pose::ORIGIN), &command(0.8, 0.0));
    let expect_after = |car: &mut Car, seconds: f64, v: f64, x: f64| {
        drive(car, &model, seconds);
        assert_near("v", car.base_twist(&model).velocity_m_s, v, 1e-12);
        assert_pose(car.base(&model), [x, 0.0, 0.0], 1e-12);
    };
    expect_after(&mut car, 0.5, 0.5, 0.125);
    expect_after(&mut car, 1.5, 0.8, 1.28);
    car.set_command(&model, &command(-0.5, 0.0)).unwrap();
    expect_after(&mut car, 0.4, 0.0, 1.28 + 0.16);
    expect_after(&mut car, 0.5, -0.5, 1.315);
}

/// A car whose rear axle, not its base point, has the rates and speeds of the reference's closed forms while it steers to `middle_rad`.
fn rear_driven(middle_rad: f64, rear_velocity_m_s: f64) -> (CarModel, Command) {
    let ackermann = *model().ackermann();
    let rear = Twist { curvature_1_m: ackermann.rear_curvature_1_m(middle_rad), velocity_m_s: rear_velocity_m_s };
    let base = ackermann.base_from_rear(rear);
    let acceleration_limit_m_s2 = 1.0 / ackermann.rear_share(base.curvature_1_m);
    let params = CarParams { acceleration_limit_m_s2, velocity_max_m_s: 2.0, ..CarParams::default() };
    (CarModel::new(params).unwrap(), command(base.velocity_m_s, base.curvature_1_m))
}

#[test]
fn t4_steering_ramp_at_constant_speed() {
    let (model, command) = rear_driven(0.3, 0.5);
    let base = Pose::new(0.2025, 0.0, 0.0);
    let mut car = started(&model, &Start { base, steering_rad: 0.0, velocity_m_s: 0.5 }, &command);
    drive(&mut car, &model, 0.1);
    assert_pose(car.motion().rear, [0.049_999_230_588_7, 0.000_206_588_417_394, 0.012_428_872_254_6], 1e-11);
    drive(&mut car, &model, 0.05);
    assert_pose(car.motion().rear, [0.074_994_086_051_7, 0.000_700_764_263_096, 0.028_204_725_880_3], 1e-11);
    drive(&mut car, &model, 0.85);
    assert_pose(car.motion().rear, [0.490_475_024_710, 0.080_826_082_422_2, 0.352_816_839_668], 1e-11);
    assert_pose(car.base(&model), [0.680_501_652_301, 0.150_798_439_867, 0.352_816_839_668], 1e-11);
}

#[test]
fn t5_acceleration_with_steering_held() {
    let (model, command) = rear_driven(0.2, 1.5);
    let start = Start { base: Pose::new(0.2025, 0.0, 0.0), steering_rad: 0.2, velocity_m_s: 0.0 };
    let mut car = started(&model, &start, &command);
    drive(&mut car, &model, 0.3);
    assert_pose(car.motion().rear, [0.044_996_195_341_1, 0.000_506_753_665_187, 0.022_523_337_278_7], 1e-11);
    drive(&mut car, &model, 0.5);
    assert_pose(car.motion().rear, [0.318_633_586_734, 0.025_571_816_014_7, 0.160_165_953_982], 1e-11);
}

#[test]
fn t6_both_ramps_at_once() {
    let (model, command) = rear_driven(0.5, 1.0);
    let mut car = started(&model, &Start::at(Pose::new(0.2025, 0.0, 0.0)), &command);
    drive(&mut car, &model, 0.1);
    assert_pose(car.motion().rear, [0.004_999_998_284_53, 3.311_161_807_81e-6, 0.001_659_411_679_63], 1e-11);
    drive(&mut car, &model, 0.1);
    assert_pose(car.motion().rear, [0.019_999_543_064_0, 0.000_107_845_597_402, 0.013_610_412_219_1], 1e-11);
}

/// (v, C, seconds), then base pose, middle steering and motor rps at its end.
type Leg = ([f64; 3], [f64; 5]);

/// Nine decimals are given: half of the last one, and 1e-9 as the reference asks.
#[track_caller]
fn assert_legs(start: Pose, legs: &[Leg]) {
    let model = model();
    let mut car = Car::placed(&model, &SegmentMap::empty(), &Start::at(start)).unwrap();
    for ([v, c, seconds], [x, y, yaw, d, rps]) in legs {
        car.set_command(&model, &command(*v, *c)).unwrap();
        drive(&mut car, &model, *seconds);
        let report = car.report(&model);
        assert_pose(report.base, [*x, *y, *yaw], 1.5e-9);
        assert_near("steering", report.steering.middle_rad, *d, 1.5e-9);
        assert_near("motor", report.motor_rps, *rps, 1.5e-9);
    }
}

#[test]
fn t7_scripted_drive_a1() {
    #[rustfmt::skip]
    assert_legs(Pose::ORIGIN, &[
        ([0.8, 0.5, 3.0], [1.616_936_213, 1.155_578_000, 1.039_150_843, 0.200_802_858, 28.651_644_918]),
        ([-0.4, -1.0, 2.0], [1.446_518_717, 0.805_655_744, 1.569_516_118, -0.392_148_102, -14.101_491_196]),
    ]);
}

#[test]
fn t7_scripted_drive_a2() {
    #[rustfmt::skip]
    assert_legs(Pose::new(5.0, 4.0, 0.3), &[
        ([0.8, 0.0, 0.8], [5.305_707_677, 4.094_566_466, 0.3, 0.0, 28.799_645_891]),
        ([0.8, 1.2, 1.5], [5.758_647_094, 5.081_729_969, 1.624_343_179, 0.464_461_157, 27.936_413_608]),
        ([0.3, -1.6, 1.5], [5.865_255_658, 5.549_151_321, 1.179_855_416, -0.600_552_426, 10.217_290_844]),
        ([0.0, 0.0, 0.5], [5.878_365_615, 5.565_442_172, 1.152_150_476, 0.0, 0.0]),
    ]);
}

/// C, v of the base point; a of the rear axle; steering rate; then ax, ay along the car and the turn rate.
#[rustfmt::skip]
const T8: [[f64; 7]; 7] = [
    [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
    [0.0, 0.5, 1.0, 0.0, 1.0, 0.0, 0.0],
    [1.0, 0.5, 0.0, 0.0, -0.109_12, 0.239_875_565_670, 0.5],
    [-1.0, 0.5, 0.0, 0.0, -0.109_12, -0.249_765_565_670, -0.5],
    [1.0, 0.5, -2.0, 0.0, -2.068_723_066_95, -0.651_552_813_325, 0.5],
    [0.5, 0.8, 0.0, 2.0, -0.150_799_345_250, 2.101_769_680_58, 0.4],
    [1.0, -0.5, 0.0, 0.0, -0.109_12, 0.239_875_565_670, -0.5],
];

fn steady(ackermann: &Ackermann, curvature_1_m: f64, velocity_m_s: f64) -> Motion {
    let rear = ackermann.rear_from_base(Twist { curvature_1_m, velocity_m_s });
    Motion {
        rear: Pose::ORIGIN,
        steering_rad: ackermann.middle_rad(rear.curvature_1_m),
        velocity_m_s: rear.velocity_m_s,
        acceleration_m_s2: 0.0,
        steering_rate_rad_s: 0.0,
    }
}

#[test]
fn t8_imu_at_the_default_mount() {
    let model = model();
    let mount = Mount::new(DEFAULT_IMU_MOUNT).unwrap();
    for [c, v, acceleration_m_s2, steering_rate_rad_s, ax, ay, w] in T8 {
        let motion = Motion { acceleration_m_s2, steering_rate_rad_s, ..steady(model.ackermann(), c, v) };
        let felt = Inertial::felt(model.ackermann(), &motion, &mount);
        let gyro_error = felt.gyro_rad_s - DVec3::new(0.0, -w, 0.0);
        let force_error = felt.accelerometer_m_s2 - DVec3::new(-ay, -9.81, ax);
        assert!(gyro_error.length() < 1e-10 && force_error.length() < 1e-10, "C {c}, v {v}: {felt:?}");
    }
}

#[test]
fn t8_imu_at_the_base_point() {
    let model = model();
    let mount = Mount::new(MountParams::default()).unwrap();
    let felt = Inertial::felt(model.ackermann(), &steady(model.ackermann(), 1.0, 0.5), &mount);
    assert_near("ax", felt.accelerometer_m_s2.x, -0.050_625, 1e-12);
    assert_near("ay", felt.accelerometer_m_s2.y, 0.244_820_565_67, 1e-11);
    let across_m_s2 = DVec2::new(felt.accelerometer_m_s2.x, felt.accelerometer_m_s2.y).length();
    assert_near("v^2 C", across_m_s2, 0.25, 1e-12);
}

/// Car facts, section 13: CommonRoad's kinematic single-track model of its vehicle 2, whose reference is the rear axle, from rest for 1 s
/// with u = (0.15, 0.63 x 9.81), by quadrature.
#[test]
fn s13_a_car_of_full_size() {
    let params = CarParams {
        body_length_m: 4.508,
        body_width_m: 1.61,
        base_to_rear_bumper_m: 0.9,
        wheelbase_m: 1.156_195_706_4 + 1.422_717_093_6,
        track_m: 1.4,
        base_to_rear_axle_m: 0.0,
        inner_steering_limit_rad: 1.066,
        outer_steering_limit_rad: 1.066,
        steering_rate_rad_s: 0.15,
        velocity_min_m_s: -13.9,
        velocity_max_m_s: 50.8,
        acceleration_limit_m_s2: 0.63 * 9.81,
        ..CarParams::default()
    };
    let model = CarModel::new(params).unwrap();
    let mut car = started(&model, &Start::at(Pose::ORIGIN), &command(50.0, 0.2));
    drive(&mut car, &model, 1.0);
    assert_pose(car.base(&model), [3.084_567_686_445_053, 0.148_424_922_078_214_2, 0.120_366_446_922_525_7], 1e-11);
    assert_near("steering", car.motion().steering_rad, 0.15, 1e-12);
    assert_near("speed", car.motion().velocity_m_s, 6.1803, 1e-12);
}
