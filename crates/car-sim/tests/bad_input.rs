//! Bad input: each kind has an error that names what is wrong, and leaves everything as it was.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use car_sim::{
    Car, CarModel, CarParams, LidarParams, MapError, Pose, Segment, SegmentMap, Simulator, SimulatorParams, Start,
    Status, TruckState,
};
use proptest::prelude::*;
use sim_core::{DVec2, ParamError, StateHash};

const BAD: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

/// A car in motion on a map, in the middle of a step.
fn busy() -> Simulator {
    let mut simulator = Simulator::new(SimulatorParams::default()).unwrap();
    simulator
        .reset_map(SegmentMap::from_segments(&[Segment::new(DVec2::new(3.0, -1.0), DVec2::new(3.0, 1.0))]).unwrap());
    simulator.set_base_control(0.7, 0.9).unwrap();
    simulator.advance(0.777_7).unwrap();
    simulator
}

fn whole(simulator: &Simulator) -> (TruckState, SegmentMap, u64) {
    let mut hash = StateHash::new();
    simulator.hash_into(&mut hash);
    (simulator.truck_state(), simulator.map().clone(), hash.finish())
}

#[track_caller]
fn refused(call: impl Fn(&mut Simulator) -> Result<(), ParamError>, message: &str) {
    let mut simulator = busy();
    let before = whole(&simulator);
    let error = call(&mut simulator).unwrap_err().to_string();
    assert_eq!(error, message);
    assert_eq!(whole(&simulator), before, "{message}");
}

#[test]
fn commands_that_are_no_numbers() {
    refused(|s| s.set_base_control(f64::NAN, 0.0), "velocity_m_s is NaN, must be a finite number");
    refused(|s| s.set_base_control(0.1, f64::INFINITY), "curvature_1_m is inf, must be a finite number");
    for bad in BAD {
        assert!(busy().set_base_control(bad, 0.0).is_err() && busy().set_base_control(0.0, bad).is_err());
        assert!(busy().set_base_control_with_acceleration(0.1, bad, 0.0).is_err());
    }
}

#[test]
fn a_negative_acceleration() {
    let message = "acceleration_m_s2 is -0.1, must be a finite number, 0 or more";
    refused(|s| s.set_base_control_with_acceleration(0.5, -0.1, 0.0), message);
}

#[test]
fn times_that_do_not_pass() {
    refused(|s| s.advance(-0.1), "seconds is -0.1, must be from 0 to 1000000");
    refused(|s| s.advance(f64::NAN), "seconds is NaN, must be from 0 to 1000000");
    refused(|s| s.advance(1e9), "seconds is 1000000000, must be from 0 to 1000000");
    for bad in BAD {
        assert!(busy().advance(bad).is_err());
    }
}

#[test]
fn places_and_motions_to_start_with() {
    refused(|s| s.reset_base(Pose::new(f64::NAN, 0.0, 0.0), 0.0, 0.0), "x_m is NaN, must be from -100000 to 100000");
    refused(|s| s.reset_base(Pose::new(0.0, 1e6, 0.0), 0.0, 0.0), "y_m is 1000000, must be from -100000 to 100000");
    refused(
        |s| s.reset_base(Pose::new(0.0, 0.0, f64::INFINITY), 0.0, 0.0),
        "yaw_rad is inf, must be from -1000 to 1000",
    );
    let limit_rad = busy().model().steering_limit_rad();
    let message = format!("steering_rad is 0.7, must be from -{limit_rad} to {limit_rad}");
    refused(|s| s.reset_base(Pose::ORIGIN, 0.7, 0.0), &message);
    refused(|s| s.reset_base(Pose::ORIGIN, 0.0, 0.9), "velocity_m_s is 0.9, must be from -0.5 to 0.8");
}

#[test]
fn a_state_that_the_car_reached_can_be_reset_to() {
    for curvature_1_m in [99.0, -99.0] {
        let mut simulator = busy();
        simulator.erase_map();
        simulator.set_base_control(99.0, curvature_1_m).unwrap();
        simulator.advance(5.0).unwrap();
        let car = simulator.truck_state().car;
        simulator.reset_base(car.base, car.steering.middle_rad, car.target_twist.velocity_m_s).unwrap();
    }
}

#[test]
fn a_start_in_a_wall() {
    let model = CarModel::new(CarParams::default()).unwrap();
    let map = SegmentMap::from_segments(&[Segment::new(DVec2::new(1.0, 0.0), DVec2::new(1.0, 1.0))]).unwrap();
    let error = Car::placed(&model, &map, &Start::at(Pose::new(0.9, 0.5, 0.25))).unwrap_err();
    assert_eq!(error.to_string(), "start puts the car into an obstacle: base at [0.9, 0.5], yaw 0.25");
    assert!(Car::placed(&model, &map, &Start::at(Pose::new(0.5, 0.5, 0.25))).is_ok());
}

/// What a program does with a map file: a bad one fails before the engine is asked.
#[test]
fn a_bad_map_leaves_the_old_one() {
    let feature = |ring: &str| {
        let geometry = format!(r#"{{"type":"Polygon","coordinates":[{ring}]}}"#);
        format!(r#"{{"type":"FeatureCollection","features":[{{"type":"Feature","geometry":{geometry}}}]}}"#)
    };
    let load = |simulator: &mut Simulator, text: &str| -> Result<(), MapError> {
        simulator.reset_map(SegmentMap::from_geojson(text)?);
        Ok(())
    };
    let crossing = feature("[[0,0],[2,2],[2,0],[0,2],[0,0]]");
    let no_number = feature("[[0,0],[2,null],[2,0],[0,2],[0,0]]");
    for text in
        ["", "{", r#"{"type":"FeatureCollection","features":[]}"#, &crossing, &no_number, &feature("[[0,0],[1,1]]")]
    {
        let mut simulator = busy();
        let before = whole(&simulator);
        let error = load(&mut simulator, text).unwrap_err();
        assert!(!error.place.is_empty() && !error.message.is_empty());
        assert_eq!(whole(&simulator), before, "{text}");
    }
    load(&mut busy(), &feature("[[0,0],[2,0],[2,2],[0,2],[0,0]]")).unwrap();
}

#[test]
fn zero_rays() {
    let lidar = LidarParams { increment_rad: 0.0, ..LidarParams::default() };
    let error = Simulator::new(SimulatorParams { lidar, ..SimulatorParams::default() }).unwrap_err();
    assert_eq!(error.to_string(), "increment_rad is 0, must be above 0 and at most a turn");
}

/// The checks that the seed makes on load, and those that keep the equations true.
#[test]
fn cars_that_cannot_be() {
    let field = |params: CarParams| CarModel::new(params).unwrap_err().field;
    let good = CarParams::default();
    assert_eq!(field(CarParams { body_length_m: 0.0, ..good }), "body_length_m");
    assert_eq!(field(CarParams { body_width_m: -1.0, ..good }), "body_width_m");
    assert_eq!(field(CarParams { base_to_rear_bumper_m: 0.6, ..good }), "base_to_rear_bumper_m");
    assert_eq!(field(CarParams { wheelbase_m: f64::NAN, ..good }), "wheelbase_m");
    assert_eq!(field(CarParams { track_m: 0.0, ..good }), "track_m");
    assert_eq!(field(CarParams { base_to_rear_axle_m: 0.41, ..good }), "base_to_rear_axle_m");
    assert_eq!(field(CarParams { wheel_radius_m: 0.0, ..good }), "wheel_radius_m");
    assert_eq!(field(CarParams { wheel_width_m: f64::INFINITY, ..good }), "wheel_width_m");
    assert_eq!(field(CarParams { motor_ratio: 0.0, ..good }), "motor_ratio");
    assert_eq!(field(CarParams { inner_steering_limit_rad: 1.571, ..good }), "inner_steering_limit_rad");
    assert_eq!(field(CarParams { outer_steering_limit_rad: -0.1, ..good }), "outer_steering_limit_rad");
    assert_eq!(field(CarParams { curvature_limit_1_m: -0.1, ..good }), "curvature_limit_1_m");
    assert_eq!(field(CarParams { steering_rate_rad_s: 0.0, ..good }), "steering_rate_rad_s");
    assert_eq!(field(CarParams { velocity_min_m_s: 0.1, ..good }), "velocity_min_m_s");
    assert_eq!(field(CarParams { velocity_max_m_s: 0.0, ..good }), "velocity_max_m_s");
    assert_eq!(field(CarParams { acceleration_limit_m_s2: 0.0, ..good }), "acceleration_limit_m_s2");
    assert_eq!(field(CarParams { deceleration_limit_m_s2: f64::NAN, ..good }), "deceleration_limit_m_s2");
    assert_eq!(field(CarParams { step_ns: 0, ..good }), "step_ns");
}

#[test]
fn a_car_that_could_pass_through_a_wall_in_one_step() {
    let error = |params| CarModel::new(params).unwrap_err().to_string();
    // The farthest corner lies sqrt(0.455^2 + 0.1565^2) = 0.4812 m from the rear axle: 0.1 x (1 + 1.6973 x 0.4812) = 0.18167.
    let found = error(CarParams { velocity_max_m_s: 100.0, ..CarParams::default() });
    assert!(found.starts_with("step_ns is 1000000: parts of the car then move by up to 0.1816"), "{found}");
    assert!(found.ends_with("m in a step, must be at most 0.1565 m, half of its shorter side"), "{found}");
    assert!(CarModel::new(CarParams { velocity_max_m_s: 86.0, ..CarParams::default() }).is_ok());
}

/// Nothing that a caller can write makes the engine panic or leave the finite numbers.
#[test]
fn odd_numbers_do_no_harm() {
    let odd = [0.0, -0.0, f64::MIN_POSITIVE, 5e-324, 1e-300, 0.8, -0.5, 1e300, f64::MAX, f64::MIN];
    let mut simulator = busy();
    simulator.erase_map();
    for v in odd {
        for c in odd {
            for a in odd.into_iter().filter(|a| *a >= 0.0) {
                simulator.set_base_control_with_acceleration(v, a, c).unwrap();
                simulator.advance(0.003).unwrap();
            }
            simulator.set_base_control(v, c).unwrap();
            simulator.advance(0.05).unwrap();
        }
    }
    let state = simulator.truck_state();
    assert!(state.car.base.is_finite() && state.car.base_velocity_in_world_m_s.is_finite());
    assert!(state.gyro_rad_s.is_finite() && state.accelerometer_m_s2.is_finite());
    assert_eq!(state.car.time_ns % 1_000_000, 0);
}

/// A call of the engine with any numbers.
#[derive(Clone, Debug)]
enum Call {
    Reset([f64; 5]),
    Control([f64; 2]),
    ControlWithAcceleration([f64; 3]),
    Advance(f64),
    Wall([f64; 4]),
    Erase,
}

/// Sensible numbers, and all the others.
fn number() -> impl Strategy<Value = f64> {
    prop_oneof![4 => -3.0_f64..3.0, 1 => any::<f64>()]
}

fn call() -> impl Strategy<Value = Call> {
    prop_oneof![
        prop::array::uniform5(number()).prop_map(Call::Reset),
        prop::array::uniform2(number()).prop_map(Call::Control),
        prop::array::uniform3(number()).prop_map(Call::ControlWithAcceleration),
        prop_oneof![4 => 0.0_f64..0.3, 1 => number().prop_filter("short", |s| !(1.0..1e6).contains(s))]
            .prop_map(Call::Advance),
        prop::array::uniform4(number()).prop_map(Call::Wall),
        Just(Call::Erase),
    ]
}

impl Call {
    fn make(&self, simulator: &mut Simulator) -> Result<(), Box<dyn std::error::Error>> {
        match *self {
            Self::Reset([x, y, yaw, steering, velocity]) => {
                simulator.reset_base(Pose::new(x, y, yaw), steering, velocity)?
            }
            Self::Control([velocity, curvature]) => simulator.set_base_control(velocity, curvature)?,
            Self::ControlWithAcceleration([velocity, acceleration, curvature]) => {
                simulator.set_base_control_with_acceleration(velocity, acceleration, curvature)?;
            }
            Self::Advance(seconds) => simulator.advance(seconds)?,
            Self::Wall([a, b, c, d]) => {
                let wall = Segment::new(DVec2::new(a, b), DVec2::new(c, d));
                simulator.reset_map(SegmentMap::from_segments(&[wall])?);
            }
            Self::Erase => simulator.erase_map(),
        }
        Ok(())
    }
}

proptest! {
    /// Whatever is called: no panic; what fails changes nothing; time is whole steps; all numbers stay finite; a car that has
    /// collided neither moves nor ages.
    #[test]
    fn any_calls_leave_a_sound_state(calls in prop::collection::vec(call(), 1..30)) {
        let lidar = LidarParams { increment_rad: 0.5, ..LidarParams::default() };
        let mut simulator = Simulator::new(SimulatorParams { lidar, ..SimulatorParams::default() }).unwrap();
        for call in calls {
            let before = whole(&simulator);
            let outcome = call.make(&mut simulator);
            let after = whole(&simulator);
            if outcome.is_err() {
                prop_assert_eq!(&after, &before);
            }
            if before.0.car.status == Status::Collision && matches!(call, Call::Advance(_)) {
                prop_assert_eq!(&after.0, &before.0);
            }
            let car = &after.0.car;
            prop_assert_eq!(car.time_ns % 1_000_000, 0);
            prop_assert!(car.base.is_finite() && car.base_velocity_in_world_m_s.is_finite() && car.yaw_rate_rad_s.is_finite());
            prop_assert!(after.0.gyro_rad_s.is_finite() && after.0.accelerometer_m_s2.is_finite());
            prop_assert!(after.0.lidar_ranges_m.iter().all(|&range_m| range_m >= 0.0));
        }
    }
}
