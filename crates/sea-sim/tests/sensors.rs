//! Sensors: published numbers, closed forms, and what they report when there is nothing to report.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use glam::DQuat;
use proptest::prelude::*;
use sea_sim::Sea;
use sea_sim::body::{BodyParams, BodyState, BuoyancyParams, PointParams};
use sea_sim::current::{Current, CurrentState, Currents, Layers};
use sea_sim::pose::{Pose, Twist, twist};
use sea_sim::sensor::{
    ATMOSPHERE_PA, Battery, Dvl, DvlParams, Instrument, InstrumentKind, Observed, Track, dvl, heading_rad, inertial,
};
use sea_sim::terrain::{FlatBottom, HeightGrid, HeightGridParams, Material, Terrain};
use sea_sim::vehicle::{RigidParams, Vehicle};
use sea_sim::water::{SeaWater, SurfaceShape, Water, Wave, Waves};
use sim_core::sensing::{Address, ErrorParams, MountParams, SensorParams, ValueRange};
use sim_core::{DVec2, DVec3, RunKey, Tick, ops};
use std::f64::consts::{FRAC_PI_2, PI, SQRT_2};

const KEY: RunKey = RunKey { seed: 4, run_index: 0 };
const STEP_S: f64 = 0.02;

/// Water, currents and bottom that outlive what is observed of them.
struct Place {
    water: Water,
    currents: Currents,
    state: CurrentState,
    terrain: Option<Terrain>,
}

impl Place {
    fn new(density_kg_m3: f64, waves: Waves, currents: Vec<Current>) -> Self {
        let made_of = SeaWater { density_kg_m3, ..SeaWater::default() };
        let currents = Currents::new(currents, STEP_S).unwrap();
        let state = currents.start(KEY);
        let terrain = Some(Terrain::Flat(FlatBottom::new(-20.0, Material(1)).unwrap()));
        Self { water: Water::new(0.0, made_of, waves, SurfaceShape::Airy).unwrap(), currents, state, terrain }
    }

    fn still() -> Self {
        Self::new(1025.0, Waves::none(), Vec::new())
    }

    fn observed(&self, pose: Pose) -> Observed<'_> {
        let sea = Sea { water: &self.water, currents: &self.currents, state: &self.state };
        let terrain = self.terrain.as_ref();
        Observed {
            pose,
            velocity: [0.0; 6],
            acceleration: [0.0; 6],
            sea,
            terrain,
            beacons_m: &[],
            is_leaking: false,
            leaks_found: 0,
            time_s: 0.0,
        }
    }
}

fn at_depth(depth_m: f64) -> Pose {
    Pose { position_m: DVec3::new(0.0, 0.0, -depth_m), ..Pose::ORIGIN }
}

fn ideal<const N: usize>(kind: InstrumentKind, observed: &Observed<'_>) -> Option<[f64; N]> {
    let instrument = Instrument::new(kind, SensorParams::default(), STEP_S).unwrap();
    assert_eq!(instrument.channels(), N);
    let mut values = [f64::NAN; N];
    instrument.measure_ideal(observed, &mut values).then_some(values)
}

fn accelerometer(position_in_body_m: DVec3) -> InstrumentKind {
    InstrumentKind::Accelerometer(MountParams { position_in_body_m, ..MountParams::default() })
}

fn near<const N: usize>(found: [f64; N], expected: [f64; N], tolerance: f64) {
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= tolerance), "{found:?} {expected:?}");
}

#[test]
fn a_battery_empties_evenly() {
    let battery = Battery { drain_percent_per_min: 0.4, ..Battery::default() };
    assert!((battery.charge_percent(3600.0) - 71.0).abs() < 1e-12);
    let place = Place::still();
    let observed = Observed { time_s: 3600.0, ..place.observed(at_depth(1.0)) };
    near(ideal(InstrumentKind::Battery(battery), &observed).unwrap(), [23.982], 1e-12);
    assert_eq!(battery.charge_percent(1e6), 0.0);
    assert_eq!(battery.voltage_v(0.0), 21.0);
}

/// Ten metres under: p0 + rho g d.
#[test]
fn pressure_is_the_weight_of_the_water() {
    let gauge = |in_air_pa| InstrumentKind::Pressure { position_in_body_m: DVec3::new(0.0, 0.0, -1.0), in_air_pa };
    for (density, expected) in [(997.0, 199_130.7), (1025.0, 201_877.5)] {
        let place = Place::new(density, Waves::none(), Vec::new());
        near(ideal(gauge(ATMOSPHERE_PA), &place.observed(at_depth(9.0))).unwrap(), [expected], 1e-6);
    }
    let place = Place::still();
    near(ideal(gauge(ATMOSPHERE_PA), &place.observed(at_depth(-3.0))).unwrap(), [101_325.0], 0.0);
    near(ideal(gauge(0.0), &place.observed(at_depth(9.0))).unwrap(), [100_552.5], 1e-6);
    // A gauge for 5 m reads its end beyond it, noise or not.
    let errors = ErrorParams { range: ValueRange::Saturating { min: 0.0, max: 151_600.0 }, ..ErrorParams::default() };
    let params = SensorParams { errors, ..SensorParams::default() };
    let instrument = Instrument::new(gauge(ATMOSPHERE_PA), params, STEP_S).unwrap();
    let mut sensor = instrument.start();
    assert!(instrument.step(&mut sensor, Address::new(KEY, 0, 0), Tick(0), &place.observed(at_depth(9.0))));
    assert_eq!(sensor.latest().unwrap().values, [151_600.0]);
}

/// Under a crest of 0.5 m and T 5 s, 2 m down: 3643.7 Pa more than in still water.
#[test]
fn pressure_feels_waves() {
    let wave = Wave { amplitude_m: 0.5, period_s: 5.0, direction_rad: 0.0, phase_rad: 0.0 };
    let place = Place::new(1025.0, Waves::from_components(&[wave], f64::INFINITY).unwrap(), Vec::new());
    let gauge = InstrumentKind::Pressure { position_in_body_m: DVec3::ZERO, in_air_pa: 0.0 };
    near(ideal(gauge, &place.observed(at_depth(2.0))).unwrap(), [2.0 * 1025.0 * 9.81 + 3643.7], 0.06);
}

/// A satellite receiver, a gauge and the buoyancy of a point know the same surface at the same time: 2 mm above it all are in the air, 2 mm
/// below it all are in the water. The pressure of linear waves vanishes at the surface but for k A^2 = 0.3 mm.
#[test]
fn all_who_ask_for_the_surface_are_told_the_same() {
    let waves = [
        Wave { amplitude_m: 0.03, period_s: 6.0, direction_rad: 0.4, phase_rad: 0.3 },
        Wave { amplitude_m: 0.02, period_s: 5.0, direction_rad: -1.0, phase_rad: 2.0 },
    ];
    let place = Place::new(1025.0, Waves::from_components(&waves, f64::INFINITY).unwrap(), Vec::new());
    let points = PointParams {
        volume_m3: 0.001,
        depth_before_submerged_m: 0.01,
        points_m: vec![[0.0; 3]],
        ..Default::default()
    };
    let body = BodyParams {
        mass_kg: 1.0,
        inertia_kg_m2: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        buoyancy: BuoyancyParams::Points(points),
        ..BodyParams::default()
    };
    let vehicle = Vehicle::from_rigid(&RigidParams { body, actuators: Vec::new() }).unwrap();
    for n in 0..60 {
        let (x, y, time_s) = (1.3 * f64::from(n), -0.4 * f64::from(n), 0.37 * f64::from(n));
        let height_m = place.water.surface(x, y, time_s).height_m;
        for (above_m, is_wet) in [(0.002, false), (-0.002, true)] {
            let position_m = DVec3::new(x, y, height_m + above_m);
            let observed = Observed { time_s, ..place.observed(Pose { position_m, ..Pose::ORIGIN }) };
            let fix = ideal::<3>(InstrumentKind::Gnss { antenna_in_body_m: DVec3::ZERO }, &observed);
            let gauge = InstrumentKind::Pressure { position_in_body_m: DVec3::ZERO, in_air_pa: 0.0 };
            let [pressure_pa] = ideal(gauge, &observed).unwrap();
            let state = vehicle.start(BodyState { position_m, ..BodyState::default() });
            let wet = vehicle.body().unwrap().wet_share(&state.body, &observed.sea, time_s);
            assert_eq!(
                (fix.is_none(), pressure_pa > 0.0, wet > 0.0),
                (is_wet, is_wet, is_wet),
                "{above_m} m at {time_s} s"
            );
        }
    }
}

/// What a log reads whose beams do not come back.
const LOST: [f64; 4] = [f64::INFINITY; 4];

#[test]
fn beams_reach_a_level_bottom_and_know_the_height() {
    let place = Place::still();
    let ranges = ideal(InstrumentKind::DvlRanges(DvlParams::default()), &place.observed(at_depth(10.0))).unwrap();
    near(ranges, [10.8239; 4], 6e-5);
    let dvl = Dvl::new(DvlParams::default()).unwrap();
    assert!((dvl.altitude_m(&ranges).unwrap() - 10.0).abs() < 1e-12);
    // As published, with the emitters 0.01 m below.
    let mount = MountParams { position_in_body_m: DVec3::new(0.0, 0.0, -0.01), ..MountParams::default() };
    let lower = DvlParams { mount, ..DvlParams::default() };
    let ranges = ideal(InstrumentKind::DvlRanges(lower), &place.observed(at_depth(10.0))).unwrap();
    near(ranges, [10.8131; 4], 6e-5);
    assert!((dvl.altitude_m(&ranges).unwrap() - 9.99).abs() < 1e-12);
    let [s, c] = [0.270_598, 0.923_880];
    for (beam, (x, y)) in dvl.beams().iter().zip([(-s, -s), (-s, s), (s, s), (s, -s)]) {
        assert!((*beam - DVec3::new(x, y, -c)).length() < 1e-6);
    }
    // 46 m above the bottom the beams would have to be 49.8 m long, 47 m above it 50.9 m.
    let deep = Place { terrain: Some(Terrain::Flat(FlatBottom::new(-60.0, Material(1)).unwrap())), ..Place::still() };
    let ranges = |depth_m| ideal(InstrumentKind::DvlRanges(DvlParams::default()), &deep.observed(at_depth(depth_m)));
    assert!(ranges(14.0).is_some_and(|ranges: [f64; 4]| ranges.iter().all(|range| range.is_finite())));
    assert_eq!(ranges(13.0), Some(LOST));
    let none = Place { terrain: None, ..Place::still() };
    assert_eq!(ideal(InstrumentKind::DvlVelocities(DvlParams::default()), &none.observed(at_depth(1.0))), Some(LOST));
}

/// v + w x r with the sensor at (0.573, 0, -0.063), surge 1 m/s, yaw rate 0.3 rad/s.
#[test]
fn a_log_measures_its_own_place_in_its_own_axes() {
    let place = Place::still();
    let mount = MountParams { position_in_body_m: DVec3::new(0.573, 0.0, -0.063), ..MountParams::default() };
    let velocity = [1.0, 0.0, 0.0, 0.0, 0.0, 0.3];
    for turn in [DQuat::IDENTITY, DQuat::from_rotation_z(2.0) * DQuat::from_rotation_x(0.2)] {
        let pose = Pose { position_m: DVec3::new(3.0, 2.0, -8.0), world_from_body: turn };
        let observed = Observed { velocity, ..place.observed(pose) };
        let params = DvlParams { mount, ..DvlParams::default() };
        let speeds = ideal(InstrumentKind::DvlVelocities(params), &observed).unwrap();
        let found = Dvl::new(params).unwrap().velocity_m_s(&speeds).unwrap();
        assert!((found - DVec3::new(1.0, 0.1719, 0.0)).length() < 1e-12, "{found}");
        // Turned by a quarter to the left on the vehicle, the sensor calls forward minus y.
        let half = 0.5_f64.sqrt();
        let turned =
            DvlParams { mount: MountParams { body_from_sensor_xyzw: [0.0, 0.0, half, half], ..mount }, ..params };
        let speeds = ideal(InstrumentKind::DvlVelocities(turned), &observed).unwrap();
        let found = Dvl::new(turned).unwrap().velocity_m_s(&speeds).unwrap();
        assert!((found - DVec3::new(0.1719, -1.0, 0.0)).length() < 1e-12, "{found}");
    }
}

/// b . v for v = (1, 0.2, -0.1); three beams give v back, two do not.
#[test]
fn least_squares_solve_for_the_velocity() {
    let place = Place::still();
    let observed = Observed { velocity: [1.0, 0.2, -0.1, 0.0, 0.0, 0.0], ..place.observed(at_depth(5.0)) };
    let speeds = ideal(InstrumentKind::DvlVelocities(DvlParams::default()), &observed).unwrap();
    near(speeds, [-0.232_33, -0.124_09, 0.417_106, 0.308_866], 6e-6);
    let dvl = Dvl::new(DvlParams::default()).unwrap();
    for lost in 0..=4 {
        let mut beams = speeds;
        beams.iter_mut().skip(lost).take(1).for_each(|speed| *speed = f64::INFINITY);
        assert!((dvl.velocity_m_s(&beams).unwrap() - DVec3::new(1.0, 0.2, -0.1)).length() < 1e-12);
        beams[(lost + 1) % 4] = f64::INFINITY;
        assert_eq!(dvl.velocity_m_s(&beams).is_some(), lost == 4, "{lost}");
    }
    let flat = DvlParams { azimuths_rad: [0.0, PI, 0.0, PI], ..DvlParams::default() };
    let refused = "azimuths_rad leave all beams in one plane, across which they tell no velocity";
    assert_eq!(Dvl::new(flat).unwrap_err().to_string(), refused);
}

/// Deep water around a shelf: beams over it come back, the others do not. Three are a lock, two are not.
#[test]
fn three_beams_are_a_lock_and_two_are_not() {
    let shelf = |shallow: [bool; 4]| {
        // Posts 2 m apart; one quarter around the middle for each beam, with the bottom 5 m or 500 m down.
        let depth = |x: usize, y: usize| match (x < 20, y < 20) {
            (true, true) => shallow[0],
            (true, false) => shallow[1],
            (false, false) => shallow[2],
            (false, true) => shallow[3],
        };
        let heights_m = (0..1600).map(|n| if depth(n % 40, n / 40) { -5.0 } else { -500.0 }).collect();
        let origin_m = DVec2::splat(-39.0);
        let params =
            HeightGridParams { origin_m, cell_m: 2.0, columns: 40, rows: 40, heights_m, materials: vec![Material(1)] };
        Place { terrain: Some(Terrain::Grid(HeightGrid::new(params).unwrap())), ..Place::still() }
    };
    let read = |shallow| {
        let place = shelf(shallow);
        let pose = Pose { position_m: DVec3::new(0.0, 0.0, -0.1), ..Pose::ORIGIN };
        ideal::<4>(InstrumentKind::DvlRanges(DvlParams::default()), &place.observed(pose))
    };
    assert!(read([true; 4]).unwrap().iter().all(|range| range.is_finite()));
    let three = read([true, true, false, true]).unwrap();
    assert_eq!(three.map(f64::is_finite), [true, true, false, true]);
    // A log that has lost its lock still tells which beams came back.
    let two = read([true, false, false, true]).unwrap();
    assert_eq!(two.map(f64::is_finite), [true, false, false, true]);
    let dvl = Dvl::new(DvlParams::default()).unwrap();
    let speeds = |ranges: [f64; 4]| ranges.map(|range| if range.is_finite() { 0.1 } else { f64::INFINITY });
    assert!(dvl.velocity_m_s(&speeds(three)).is_some() && dvl.velocity_m_s(&speeds(two)).is_none());
}

/// With noise on beams: deviations s/(sqrt 2 sin a) and s/(2 cos a): for a of 22.5 degrees 1.847759 and 0.541196 times that of a beam. 20
/// 000 readings: standard error 0.5 %.
#[test]
fn noise_of_beams_is_larger_sideways() {
    let place = Place::still();
    let errors = ErrorParams { noise_std: 0.01, ..ErrorParams::default() };
    for (angle_deg, sideways, upwards) in [(22.5_f64, 1.847_759, 0.541_196), (30.0, SQRT_2, 0.577_350)] {
        let params = DvlParams { beam_angle_rad: angle_deg.to_radians(), ..DvlParams::default() };
        let sensor_params = SensorParams { errors, ..SensorParams::default() };
        let instrument = Instrument::new(InstrumentKind::DvlVelocities(params), sensor_params, STEP_S).unwrap();
        let (dvl, mut sensor, mut squares) = (Dvl::new(params).unwrap(), instrument.start(), DVec3::ZERO);
        let observed = place.observed(at_depth(5.0));
        for tick in 0..20_000 {
            instrument.step(&mut sensor, Address::new(KEY, 0, 0), Tick(tick), &observed);
            let beams = sensor.latest().unwrap().values.try_into().unwrap();
            let velocity = dvl.velocity_m_s(&beams).unwrap();
            squares += velocity * velocity / 20_000.0;
        }
        let expected = DVec3::new(sideways, sideways, upwards) * 0.01;
        for axis in 0..3 {
            assert!((squares[axis].sqrt() / expected[axis] - 1.0).abs() < 0.02, "{squares}");
        }
    }
}

/// Through water that flows by 0.4 m/s at the surface and not at all 8 m down, 2 to 6 m below a sensor at 0 m: 0.2 m/s on average.
#[test]
fn a_log_may_track_the_water_of_a_layer() {
    let layers = Layers::new(vec![(0.0, DVec3::new(0.4, 0.0, 0.0)), (8.0, DVec3::ZERO)]).unwrap();
    let place = Place::new(1025.0, Waves::none(), vec![Current::Layers(layers)]);
    let params = DvlParams { track: Track::Water { layer_m: [2.0, 6.0], bins: 5 }, ..DvlParams::default() };
    let velocity = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let speeds = ideal(InstrumentKind::DvlVelocities(params), &Observed { velocity, ..place.observed(at_depth(0.0)) });
    let through = Dvl::new(params).unwrap().velocity_m_s(&speeds.unwrap()).unwrap();
    assert!((through - DVec3::new(0.8, 0.0, 0.0)).length() < 1e-12, "{through}");
    // The layer would lie in the bottom; with no bottom at all it is measured.
    assert_eq!(ideal(InstrumentKind::DvlVelocities(params), &place.observed(at_depth(15.0))), Some(LOST));
    let open = Place { terrain: None, ..Place::still() };
    let speeds = ideal::<4>(InstrumentKind::DvlVelocities(params), &open.observed(at_depth(15.0)));
    assert!(speeds.is_some_and(|speeds| speeds.iter().all(|speed| speed.is_finite())));
}

#[test]
fn a_receiver_has_a_fix_above_the_surface_only() {
    let place = Place::still();
    let kind = InstrumentKind::Gnss { antenna_in_body_m: DVec3::new(0.5, 0.0, 0.1) };
    let params = SensorParams { period_ticks: 5, ..SensorParams::default() };
    let instrument = Instrument::new(kind, params, STEP_S).unwrap();
    let mut sensor = instrument.start();
    let mut step = |tick: u64, pose: Pose| {
        let arrived = instrument.step(&mut sensor, Address::new(KEY, 0, 0), Tick(tick), &place.observed(pose));
        (arrived, sensor.latest().map(|reading| (reading.taken.0, reading.values[0])))
    };
    let at = |x: f64, depth: f64| Pose { position_m: DVec3::new(x, 0.0, -depth), ..Pose::ORIGIN };
    assert_eq!(step(0, at(1.0, 0.0)), (true, Some((0, 1.5))));
    for tick in 1..=5 {
        assert_eq!(step(tick, at(2.0, 0.11)), (false, Some((0, 1.5))), "submerged: the last place stays");
    }
    for tick in 6..10 {
        assert_eq!(step(tick, at(3.0, 0.0)), (false, Some((0, 1.5))), "surfaced, but not its turn");
    }
    assert_eq!(step(10, at(3.0, 0.0)), (true, Some((10, 3.5))));
}

#[test]
fn an_accelerometer_reads_specific_force() {
    let place = Place::still();
    let read = |pose: Pose, velocity: Twist, acceleration: Twist, arm: DVec3| {
        ideal::<3>(accelerometer(arm), &Observed { velocity, acceleration, ..place.observed(pose) }).unwrap()
    };
    let still = [0.0; 6];
    near(read(at_depth(5.0), still, still, DVec3::ZERO), [0.0, 0.0, 9.81], 1e-15);
    // Nose down by 10 degrees: a positive turn about y.
    let nose_down = Pose { world_from_body: DQuat::from_rotation_y(10.0_f64.to_radians()), ..at_depth(5.0) };
    near(read(nose_down, still, still, DVec3::ZERO), [-1.703_489, 0.0, 9.660_964], 6e-7);
    near(read(at_depth(-5.0), still, [0.0, 0.0, -9.81, 0.0, 0.0, 0.0], DVec3::ZERO), [0.0; 3], 1e-15);
    // A left turn at 2 m/s and 0.5 rad/s; a spin of 0.5 rad/s with the sensor 0.24 m ahead.
    let circle = [2.0, 0.0, 0.0, 0.0, 0.0, 0.5];
    near(read(at_depth(5.0), circle, still, DVec3::ZERO), [0.0, 1.0, 9.81], 1e-15);
    let spin = [0.0, 0.0, 0.0, 0.0, 0.0, 0.5];
    near(read(at_depth(5.0), spin, still, DVec3::new(0.24, 0.0, 0.0)), [-0.06, 0.0, 9.81], 1e-15);
    near(
        read(at_depth(5.0), still, [0.0, 0.0, 0.0, 0.0, 0.0, 0.3], DVec3::new(0.24, 0.0, 0.0)),
        [0.0, 0.072, 9.81],
        1e-15,
    );
}

/// 1 kg pushed by 1 N for a second and pulled by 1 N for another: what is felt adds up to 1 m and to rest.
#[test]
fn felt_accelerations_add_up_to_the_motion() {
    let place = Place::still();
    let (mut velocity, mut position, dt) = (0.0, 0.0, 0.001);
    for step in 0..2000 {
        let push = if step < 1000 { 1.0 } else { -1.0 };
        let observed = Observed { acceleration: [push, 0.0, 0.0, 0.0, 0.0, 0.0], ..place.observed(at_depth(1.0)) };
        let [felt, _, _] = ideal::<3>(accelerometer(DVec3::ZERO), &observed).unwrap();
        assert_eq!(felt, push);
        position += dt * (velocity + 0.5 * dt * felt);
        velocity += dt * felt;
    }
    assert!(velocity.abs() < 1e-12 && (position - 1.0_f64).abs() < 1e-12, "{velocity} {position}");
}

#[test]
fn attitude_and_heading_of_known_turns() {
    let turned = |q: DQuat| Pose { world_from_body: q, ..Pose::ORIGIN };
    let (roll, pitch, yaw) = (0.3, -0.4, 2.5);
    let q = DQuat::from_rotation_z(yaw) * DQuat::from_rotation_y(pitch) * DQuat::from_rotation_x(roll);
    // East is 90 degrees, north 0, west -90, south 180.
    for (yaw, heading) in [(0.0, FRAC_PI_2), (FRAC_PI_2, 0.0), (PI, -FRAC_PI_2), (-FRAC_PI_2, PI)] {
        let found = heading_rad(&turned(DQuat::from_rotation_z(yaw)));
        assert!(((found - heading + 3.0 * PI) % (2.0 * PI) - PI).abs() < 1e-14, "{yaw}: {found}");
    }
    let place = Place::still();
    near(ideal(InstrumentKind::Compass, &place.observed(turned(q))).unwrap(), [FRAC_PI_2 - 2.5], 1e-14);
    near(ideal(InstrumentKind::Attitude, &place.observed(turned(q))).unwrap(), [roll, pitch, yaw], 1e-14);
}

#[test]
fn depth_in_a_direction_of_the_world() {
    let place = Place::still();
    let kind = |direction, reach_m| InstrumentKind::Depth { position_in_body_m: DVec3::ZERO, direction, reach_m };
    // Down to the bottom at -20 m; in a world direction, whatever the attitude; and beyond reach to the surface at 0.
    let rolled = Pose { world_from_body: DQuat::from_rotation_x(1.0), ..at_depth(4.0) };
    near(ideal(kind(DVec3::NEG_Z, 30.0), &place.observed(rolled)).unwrap(), [16.0], 1e-12);
    near(ideal(kind(DVec3::new(1.0, 0.0, -1.0), 30.0), &place.observed(rolled)).unwrap(), [16.0], 1e-12);
    near(ideal(kind(DVec3::NEG_Z, 15.9), &place.observed(rolled)).unwrap(), [-4.0], 1e-12);
    near(ideal(kind(DVec3::NEG_Z, 30.0), &place.observed(at_depth(-25.0))).unwrap(), [25.0], 1e-12);
}

/// 3-4-5; at the limit itself nothing is heard.
#[test]
fn a_range_receiver_hears_up_to_its_reach() {
    let place = Place::still();
    let beacons = [DVec3::ZERO, DVec3::new(3.0, 4.0, -1.0), DVec3::new(6.0, 8.0, -1.0)];
    let observed = Observed { beacons_m: &beacons, ..place.observed(at_depth(1.0)) };
    let kind = |beacon| InstrumentKind::Range { position_in_body_m: DVec3::ZERO, beacon, reach_m: 10.0 };
    assert_eq!(ideal(kind(1), &observed), Some([5.0]));
    assert_eq!(ideal(kind(2), &observed), Some([f64::INFINITY]));
    assert_eq!(ideal(kind(7), &observed), Some([f64::INFINITY]));
}

#[test]
fn a_leak_detector_tells_water_and_its_count() {
    let place = Place::still();
    let observed = Observed { is_leaking: true, leaks_found: 3, ..place.observed(at_depth(1.0)) };
    assert_eq!(ideal(InstrumentKind::Leak, &observed), Some([1.0, 3.0]));
}

/// N sqrt(f) at 50 Hz, and the deviation that the bias tends to, walk sqrt(T/2).
#[test]
fn presets_have_the_published_noise() {
    let adis = inertial("adis16448", 50.0).unwrap();
    assert!(
        (adis.gyro.noise_std - 2.399_92e-3).abs() < 6e-9 && (adis.accelerometer.noise_std - 2.828_43e-2).abs() < 6e-8
    );
    let wander = |e: &ErrorParams| e.walk_std_per_sqrt_s * (0.5 * e.walk_correlation_s).sqrt();
    assert!((wander(&adis.gyro) - 8.6726e-4).abs() < 6e-9 && (wander(&adis.accelerometer) - 7.3485e-2).abs() < 6e-7);
    let sparton = inertial("sparton_m2", 100.0).unwrap();
    assert!(
        (sparton.gyro.bias_std - 3.1101e-5).abs() < 6e-10 && (sparton.accelerometer.bias_std - 7.297e-4).abs() < 6e-8
    );
    assert!((sparton.gyro.noise_std - 6.981_317e-3).abs() < 6e-10, "ten times 0.04 degrees");
    let pathfinder = dvl("pathfinder", false).unwrap();
    assert_eq!((pathfinder.params.range_m, pathfinder.velocities.noise_std), ([0.1, 80.0], 0.002));
    assert!(matches!(dvl("pathfinder", true).unwrap().params.track, Track::Water { bins: 10, .. }));
    assert!(inertial("none", 50.0).is_none() && dvl("none", false).is_none());
}

/// Allan deviation over 1 s of a gyro at rest, from readings at two rates: the density, 3.394e-4 rad/s/sqrt(Hz), whatever the rate. 4000
/// differences: standard error 1.4 %.
#[test]
fn white_noise_does_not_depend_on_the_rate() {
    let place = Place::still();
    for rate in [10_u64, 50] {
        let step_s = 1.0 / rate as f64;
        let errors = inertial("adis16448", rate as f64).unwrap().gyro;
        let params = SensorParams { errors, ..SensorParams::default() };
        let instrument = Instrument::new(InstrumentKind::Gyro(MountParams::default()), params, step_s).unwrap();
        let (mut sensor, observed) = (instrument.start(), place.observed(at_depth(1.0)));
        let mut second = |n: u64| {
            let mut sum = 0.0;
            for tick in n * rate..(n + 1) * rate {
                instrument.step(&mut sensor, Address::new(KEY, 0, 0), Tick(tick), &observed);
                sum += sensor.latest().unwrap().values[0];
            }
            sum / rate as f64
        };
        let means: Vec<f64> = (0..4001).map(&mut second).collect();
        let squares: f64 = means.windows(2).map(|pair| (pair[1] - pair[0]) * (pair[1] - pair[0])).sum();
        let allan = (0.5 * squares / 4000.0).sqrt();
        assert!((allan / 3.394e-4 - 1.0).abs() < 0.06, "{rate} Hz: {allan}");
    }
}

#[test]
fn wrong_values_are_refused_by_name() {
    let refused = |kind| Instrument::new(kind, SensorParams::default(), STEP_S).unwrap_err().to_string();
    let dvl = |params| refused(InstrumentKind::DvlRanges(params));
    assert_eq!(
        dvl(DvlParams { beam_angle_rad: 0.0, ..DvlParams::default() }),
        "beam_angle_rad is 0, must be from 0.05 to 1.2"
    );
    let inverted = DvlParams { range_m: [5.0, 1.0], ..DvlParams::default() };
    assert_eq!(dvl(inverted), "range_m is [5, 1], must run from the smaller to the larger");
    let bins = Track::Water { layer_m: [1.0, 2.0], bins: 0 };
    assert_eq!(dvl(DvlParams { track: bins, ..DvlParams::default() }), "bins is 0, must be from 1 to 256");
    let battery = Battery { start_percent: f64::NAN, ..Battery::default() };
    assert_eq!(refused(InstrumentKind::Battery(battery)), "start_percent is NaN, must be from 0 to 100");
    let antenna = InstrumentKind::Gnss { antenna_in_body_m: DVec3::new(0.0, f64::NAN, 0.0) };
    assert_eq!(refused(antenna), "position_in_body_m is NaN, must be from -100 to 100");
    let nowhere = InstrumentKind::Depth { position_in_body_m: DVec3::ZERO, direction: DVec3::ZERO, reach_m: 30.0 };
    assert!(refused(nowhere).starts_with("direction is [0, 0, 0], must be"));
    let gauge = InstrumentKind::Pressure { position_in_body_m: DVec3::ZERO, in_air_pa: -1.0 };
    assert_eq!(refused(gauge), "in_air_pa is -1, must be from 0 to 200000");
}

proptest! {
    /// The second difference of the sensor's place, less gravity, in the sensor's axes: on a turning, accelerating path.
    #[test]
    fn what_is_felt_is_the_second_derivative(
        v in prop::array::uniform3(-2.0..2.0_f64), a in prop::array::uniform3(-2.0..2.0_f64), w in prop::array::uniform3(-1.0..1.0_f64),
        arm in prop::array::uniform3(-1.0..1.0_f64),
    ) {
        // In the world the origin moves with constant acceleration; the body turns with a constant rate about a fixed axis.
        let (v, a, w, arm) = (DVec3::from(v), DVec3::from(a), DVec3::from(w), DVec3::from(arm));
        let pose = |t: f64| Pose { position_m: v * t + 0.5 * a * t * t, world_from_body: DQuat::from_scaled_axis(w * (1.0 + t)) };
        let h = 1e-4;
        let second = (pose(h).point_m(arm) - 2.0 * pose(0.0).point_m(arm) + pose(-h).point_m(arm)) / (h * h);
        let now = pose(0.0);
        let expected = now.in_body(second + DVec3::new(0.0, 0.0, 9.81));
        // Velocity along the body's axes changes by the turning of the axes too.
        let in_body = |t: f64| pose(t).in_body(v + a * t);
        let change = (in_body(h) - in_body(-h)) / (2.0 * h);
        let place = Place::still();
        let observed = Observed { velocity: twist(now.in_body(v), w), acceleration: twist(change, DVec3::ZERO), ..place.observed(now) };
        let felt = DVec3::from(ideal::<3>(accelerometer(arm), &observed).unwrap());
        prop_assert!((felt - expected).length() < 1e-5, "{felt} {expected}");
    }
}

#[test]
fn angles_of_the_default_beams_are_22_5_degrees() {
    let dvl = Dvl::new(DvlParams::default()).unwrap();
    assert!(dvl.beams().iter().all(|beam| (ops::acos(-beam.z).to_degrees() - 22.5).abs() < 1e-12));
}
