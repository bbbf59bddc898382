//! Laws of motion that hold whatever the numbers are: symmetry, differences, sums.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use car_sim::{Car, CarModel, CarParams, Command, DEFAULT_IMU_MOUNT, Inertial, Pose, SegmentMap};
use proptest::prelude::*;
use sim_core::sensing::Mount;
use sim_core::{DVec2, angle};

const STEP_S: f64 = 0.001;

/// Speed, curvature and steps of each leg.
type Legs = Vec<(f64, f64, u32)>;

fn legs() -> impl Strategy<Value = Legs> {
    prop::collection::vec((-0.6_f64..0.9, -1.7_f64..1.7, 1_u32..600), 1..8)
}

fn model() -> CarModel {
    CarModel::new(CarParams::default()).unwrap()
}

/// The car after each step of the legs.
fn drive(legs: &Legs) -> Vec<Car> {
    let (model, map) = (model(), SegmentMap::empty());
    let mut car = Car::new(&model);
    let mut cars = vec![car.clone()];
    for &(velocity_m_s, curvature_1_m, steps) in legs {
        car.set_command(&model, &Command { velocity_m_s, curvature_1_m, acceleration_m_s2: None }).unwrap();
        for _ in 0..steps {
            car.step(&model, &map);
            cars.push(car.clone());
        }
    }
    cars
}

/// Triples of neighbouring moments between which neither ramp begins, ends or turns. A ramp that is shorter than a step leaves no rate
/// behind; it shows in the change from one moment to the next.
fn smooth(cars: &[Car]) -> impl Iterator<Item = [&Car; 3]> {
    let rates = |car: &Car| (car.motion().acceleration_m_s2, car.motion().steering_rate_rad_s);
    let ramped = |car: &Car| DVec2::new(car.motion().velocity_m_s, car.motion().steering_rad);
    let has_kink = move |[a, b, c]: [&Car; 3]| (ramped(a) - 2.0 * ramped(b) + ramped(c)).length() > 1e-9;
    let triples = cars.windows(3).map(|w| [&w[0], &w[1], &w[2]]);
    triples.filter(move |&[a, b, c]| rates(a) == rates(b) && rates(b) == rates(c) && !has_kink([a, b, c]))
}

proptest! {
    /// Mirrored commands give the mirrored path, bit for bit: nothing prefers a side.
    #[test]
    fn the_mirror_image_of_a_drive_is_a_drive(legs in legs()) {
        let mirrored = legs.iter().map(|&(v, c, steps)| (v, -c, steps)).collect();
        let model = model();
        for (car, image) in drive(&legs).iter().zip(drive(&mirrored)) {
            let (car, image) = (car.report(&model), image.report(&model));
            prop_assert_eq!(image.base.position_m, car.base.position_m * DVec2::new(1.0, -1.0));
            prop_assert_eq!(image.base.yaw_rad, -car.base.yaw_rad);
            prop_assert_eq!(image.steering.left_rad, -car.steering.right_rad);
            prop_assert_eq!(image.wheel_speeds.front_left_rad_s, car.wheel_speeds.front_right_rad_s);
        }
    }

    /// The gyro is the derivative of yaw, the accelerometer the second one of the unit's place plus gravity. Central differences err by
    /// h^2 / 24 times the third and h^2 / 12 times the fourth derivative (below 300 per s^4 while braking in a tight turn: 2.5e-5), and by
    /// the rounding of places over h^2 (1e-15 / 1e-6). A wrong term would show at 0.01 and more.
    #[test]
    fn the_imu_feels_the_differences_of_its_motion(legs in legs()) {
        let model = model();
        let mount = Mount::new(DEFAULT_IMU_MOUNT).unwrap();
        let arm_m = mount.position_in_body_m().truncate();
        for [a, b, c] in smooth(&drive(&legs)) {
            let felt = Inertial::felt(model.ackermann(), b.motion(), &mount);
            let [before, now, after] = [a, b, c].map(|car| car.base(&model));
            let turn_rad = angle::wrap_rad(after.yaw_rad - before.yaw_rad);
            prop_assert!((-felt.gyro_rad_s.y - turn_rad / (2.0 * STEP_S)).abs() < 3e-5);
            let [p, q, r] = [before, now, after].map(|base| base.point(arm_m));
            let in_world = (p - 2.0 * q + r) / (STEP_S * STEP_S);
            let in_car = angle::unit(-now.yaw_rad).rotate(in_world);
            let error = DVec2::new(felt.accelerometer_m_s2.z, -felt.accelerometer_m_s2.x) - in_car;
            prop_assert!(error.length() < 3e-5, "{felt:?} {in_car}");
            prop_assert_eq!(felt.accelerometer_m_s2.y, -9.81);
        }
    }

    /// The rear axle never slips sideways, and its way is the integral of its speed: chords of a smooth path differ from both in the third
    /// order of the step, 1e-9 times rates below 10.
    #[test]
    fn the_rear_axle_goes_where_it_points_as_far_as_its_speed_says(legs in legs()) {
        for [a, _, c] in smooth(&drive(&legs)) {
            let way_m = (c.motion().rear.position_m - a.motion().rear.position_m).dot(angle::unit(mean_yaw(a, c)));
            let speed_m_s = 0.5 * (a.motion().velocity_m_s + c.motion().velocity_m_s);
            prop_assert!((way_m - 2.0 * STEP_S * speed_m_s).abs() < 1e-8);
            let side_m = (c.motion().rear.position_m - a.motion().rear.position_m).dot(angle::unit(mean_yaw(a, c)).perp());
            prop_assert!(side_m.abs() < 1e-8);
        }
    }

    /// Speed and steering stay within their limits and never change faster than theirs allow.
    #[test]
    fn limits_hold_in_every_step(legs in legs()) {
        let model = model();
        let tolerance = 1e-12;
        for pair in drive(&legs).windows(2) {
            let [before, after] = [pair[0].motion(), pair[1].motion()];
            let steered_rad = (after.steering_rad - before.steering_rad).abs();
            prop_assert!(steered_rad <= 2.0 * STEP_S + tolerance);
            prop_assert!(after.steering_rad.abs() <= model.steering_limit_rad());
            let gained_m_s = after.velocity_m_s.abs() - before.velocity_m_s.abs();
            prop_assert!((-2.0 * STEP_S - tolerance..=STEP_S + tolerance).contains(&gained_m_s));
            prop_assert!((-0.5..=0.8).contains(&after.velocity_m_s));
        }
    }

    /// A drive begun elsewhere is the same drive, moved and turned. Places are sums of up to 4800 steps around 10 m: 1e-15 each.
    #[test]
    fn where_a_drive_begins_does_not_matter(legs in legs(), x_m in -5.0_f64..5.0, y_m in -5.0_f64..5.0, yaw_rad in -3.0_f64..3.0) {
        let (model, map) = (model(), SegmentMap::empty());
        let elsewhere = Pose::new(x_m, y_m, yaw_rad);
        let (mut car, mut moved) = (Car::new(&model), Car::placed(&model, &map, &car_sim::Start::at(elsewhere)).unwrap());
        for (velocity_m_s, curvature_1_m, steps) in legs {
            for one in [&mut car, &mut moved] {
                one.set_command(&model, &Command { velocity_m_s, curvature_1_m, acceleration_m_s2: None }).unwrap();
                (0..steps).for_each(|_| one.step(&model, &map));
            }
            let (expected, found) = (elsewhere.compose(car.base(&model)), moved.base(&model));
            prop_assert!((found.position_m - expected.position_m).length() < 1e-11);
            prop_assert!(angle::wrap_rad(found.yaw_rad - expected.yaw_rad).abs() < 1e-11);
        }
    }
}

fn mean_yaw(a: &Car, b: &Car) -> f64 {
    a.motion().rear.yaw_rad + 0.5 * angle::wrap_rad(b.motion().rear.yaw_rad - a.motion().rear.yaw_rad)
}

/// A smaller step must not change the path: both errors of Runge-Kutta's method are far below the tolerance, and ramp ends split steps.
#[test]
fn the_step_does_not_matter() {
    let at_step = |step_ns: u64| {
        let model = CarModel::new(CarParams { step_ns, ..CarParams::default() }).unwrap();
        let mut car = Car::new(&model);
        for (velocity_m_s, curvature_1_m) in [(0.73, 1.13), (-0.41, -0.77), (0.57, 0.31)] {
            car.set_command(&model, &Command { velocity_m_s, curvature_1_m, acceleration_m_s2: None }).unwrap();
            (0..1_260_000_000 / step_ns).for_each(|_| car.step(&model, &SegmentMap::empty()));
        }
        car.base(&model)
    };
    let fine = at_step(100_000);
    for step_ns in [1_000_000, 10_000_000] {
        let coarse = at_step(step_ns);
        assert!((coarse.position_m - fine.position_m).length() < 1e-9, "{step_ns}");
        assert!((coarse.yaw_rad - fine.yaw_rad).abs() < 1e-9, "{step_ns}");
    }
}
