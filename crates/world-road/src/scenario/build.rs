//! From a scenario of the road to its model, and to what is wrong with it.

use super::spec::{CarParamsSpec, CarSpec, MapSpec, RoadScenario, StartSpec};
use super::spec_driver::{DriverSpec, RecordingSpec, TimedCommandSpec, WaypointsSpec};
use super::spec_sensors::{LidarSpec, SensorMountSpec, SensorsSpec};
use crate::driver::{DriverModel, WallEyes};
use crate::inputs;
use crate::model::{CarSetup, MapOutlines, RoadModel, SUBSTEP_NS, SensorKind, SensorSetup, TICKS_PER_S};
use crate::streams::Outputs;
use crate::world::RoadState;
use car_sim::driver::{CommandList, Pursuit, PursuitParams, Route, TimedCommand, WallFollower, WallFollowerParams};
use car_sim::{
    CarModel, CarParams, Command, Instrument, InstrumentKind, LidarParams, Outermost, Pose, Segment, SegmentMap, Start,
};
use sim_core::sensing::MountParams;
use sim_core::{DVec2, DVec3};
use sim_input::diagnostic::Fault;
use sim_world::sensing::SensingSpec;

/// A full turn and what rounding may add to it, degrees.
const TURN_DEG: f64 = 360.0 + 1e-9;
/// Most rays of a scan.
const MAX_RAYS: f64 = 100_000.0;

impl RoadScenario {
    /// The model of the road; everything that is wrong beyond single keys goes to `faults`.
    pub(super) fn build(&self, faults: &mut Vec<Fault>) -> Option<RoadModel> {
        if !TICKS_PER_S.is_multiple_of(self.step_hz) {
            let nearest = (1..=TICKS_PER_S)
                .filter(|hz| TICKS_PER_S.is_multiple_of(*hz))
                .min_by_key(|hz| hz.abs_diff(self.step_hz));
            let words = nearest.map_or_else(String::new, |hz| format!("; the nearest that does is {hz}"));
            let message = format!("is {}, must divide {TICKS_PER_S}{words}", self.step_hz);
            faults.push(Fault { suggestion: nearest.map(|hz| hz.to_string()), ..Fault::new("step_hz", message) });
        }
        let map = map(&self.map).map_err(|fault| faults.push(fault)).ok();
        let cars: Vec<Option<CarSetup>> = self
            .cars
            .iter()
            .enumerate()
            .map(|(n, car)| CarBuild { path: format!("cars[{n}]"), faults }.car(car))
            .collect();
        if !faults.is_empty() {
            return None;
        }
        let mut model = RoadModel {
            name: self.name.clone(),
            seed: self.seed,
            steps: self.steps,
            step_hz: self.step_hz,
            trace_every: self.trace.every,
            lidar_rows: self.trace.lidar,
            map: map?,
            outlines: MapOutlines {
                walls_m: self.map.walls_m.clone(),
                floor_m: self.map.floor_m.clone(),
                solid_m: self.map.solid_m.clone(),
            },
            cars: cars.into_iter().collect::<Option<_>>()?,
            outputs: Outputs::default(),
            inputs: Vec::new(),
        };
        model.outputs = Outputs::new(&model);
        model.inputs = inputs::streams(&model);
        if let Err((car, message)) = RoadState::start(&model) {
            let path = format!("cars[{car}]");
            faults.push(Fault::new(format!("{path}.start"), message).depends(path).depends("map"));
        }
        Some(model)
    }
}

fn points_of(list: &[[f64; 2]]) -> Vec<DVec2> {
    list.iter().copied().map(DVec2::from).collect()
}

fn map(spec: &MapSpec) -> Result<SegmentMap, Fault> {
    let (key, lists, outermost) = match (spec.floor_m.is_empty(), spec.solid_m.is_empty()) {
        (false, false) => {
            let message = "cannot be given beside floor_m: choose one of them";
            return Err(Fault::new("map.solid_m", message));
        }
        (false, true) => ("floor_m", &spec.floor_m, Outermost::Floor),
        (true, false) => ("solid_m", &spec.solid_m, Outermost::Solid),
        (true, true) if spec.walls_m.is_empty() => return Ok(SegmentMap::empty()),
        (true, true) => ("walls_m", &spec.floor_m, Outermost::Floor),
    };
    let rings: Vec<Vec<DVec2>> = lists.iter().map(|ring| points_of(ring)).collect();
    let walls = spec.walls_m.iter().flat_map(|line| line.windows(2));
    let walls: Vec<Segment> = walls.map(|ends| Segment::new(DVec2::from(ends[0]), DVec2::from(ends[1]))).collect();
    SegmentMap::from_corners_and_walls(&rings, outermost, &walls).map_err(|error| {
        // An error of a ring names its number, as in [2].
        let place = if error.place.starts_with('[') { error.place.as_str() } else { "" };
        Fault::new(format!("map.{key}{place}"), error.message)
    })
}

/// Builds one car and notes what is wrong with it.
struct CarBuild<'a> {
    path: String,
    faults: &'a mut Vec<Fault>,
}

impl CarBuild<'_> {
    fn wrong(&mut self, section: &str, key: &str, message: impl Into<String>) {
        let section = format!("{}.{section}", self.path);
        let fault = Fault::new(format!("{section}.{key}"), message).depends(section);
        // Two sensors of one unit may say the same of what they share.
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    fn car(&mut self, spec: &CarSpec) -> Option<CarSetup> {
        let model = CarModel::new(car_params(&spec.params));
        let model = model.map_err(|error| self.refused_params(&error)).ok()?;
        let before = self.faults.len();
        let sensors = self.sensors(&spec.sensors, &model);
        let driver = self.driver(spec, &model);
        self.check_start(&spec.start, &model);
        (self.faults.len() == before).then_some(())?;
        Some(CarSetup { start: start(&spec.start), sensors, driver: driver?, model })
    }

    fn refused_params(&mut self, error: &sim_core::ParamError) {
        // A car has no key for the length of its integration step: what is wrong is that it is too fast for that.
        let (key, message) = match error.field {
            "step_ns" => {
                ("velocity_max_m_s", error.message.split_once(": ").map_or(error.message.as_str(), |(_, words)| words))
            }
            field => (field, error.message.as_str()),
        };
        self.wrong("params", key, message);
    }

    fn check_start(&mut self, spec: &StartSpec, model: &CarModel) {
        let limit_deg = model.steering_limit_rad().to_degrees();
        if spec.steering_deg.abs() > limit_deg {
            let message = format!("is {}, beyond what this car steers: {limit_deg:.1} degrees", spec.steering_deg);
            self.wrong("start", "steering_deg", message);
        }
        let params = model.params();
        if !(params.velocity_min_m_s..=params.velocity_max_m_s).contains(&spec.velocity_m_s) {
            let (least, most) = (params.velocity_min_m_s, params.velocity_max_m_s);
            self.wrong(
                "start",
                "velocity_m_s",
                format!("is {}, this car drives at {least} to {most} m/s", spec.velocity_m_s),
            );
        }
    }

    fn sensors(&mut self, spec: &SensorsSpec, model: &CarModel) -> Vec<SensorSetup> {
        let mut sensors = Vec::new();
        let mut add = |build: &mut Self, kind, section: &str, what: InstrumentKind, sensing: &SensingSpec| {
            if let Some(instrument) = build.instrument(section, what, sensing, model) {
                sensors.push(SensorSetup { kind, instrument });
            }
        };
        if let Some(lidar) = &spec.lidar
            && self.check_lidar(lidar)
        {
            let what = InstrumentKind::Lidar { params: lidar_params(lidar), sweep_s: lidar.sweep_ms / 1000.0 };
            add(self, SensorKind::Lidar, "sensors.lidar", what, &lidar.sensing);
        }
        if let Some(imu) = &spec.imu {
            let mount = mount(&imu.mount);
            add(self, SensorKind::Gyro, "sensors.imu", InstrumentKind::Gyro(mount), &imu.gyro);
            add(
                self,
                SensorKind::Accelerometer,
                "sensors.imu",
                InstrumentKind::Accelerometer(mount),
                &imu.accelerometer,
            );
        }
        if let Some(odometry) = &spec.odometry {
            add(self, SensorKind::Speed, "sensors.odometry", InstrumentKind::Speed, &odometry.speed);
            add(self, SensorKind::YawRate, "sensors.odometry", InstrumentKind::YawRate, &odometry.yaw_rate);
        }
        if let Some(position) = &spec.position {
            let what = InstrumentKind::Position { antenna_in_base_m: DVec2::from(position.antenna_m) };
            add(self, SensorKind::Position, "sensors.position", what, &position.sensing);
        }
        sensors
    }

    fn instrument(
        &mut self,
        section: &str,
        what: InstrumentKind,
        sensing: &SensingSpec,
        model: &CarModel,
    ) -> Option<Instrument> {
        let block = match what {
            InstrumentKind::Gyro(_) => "gyro",
            InstrumentKind::Accelerometer(_) => "accelerometer",
            InstrumentKind::Speed => "speed",
            InstrumentKind::YawRate => "yaw_rate",
            InstrumentKind::Lidar { .. } | InstrumentKind::Position { .. } => "sensing",
        };
        let params = sensing.params(TICKS_PER_S, matches!(what, InstrumentKind::Lidar { .. }));
        let refused = |error: sim_core::ParamError| {
            let key = match error.field {
                "delay_ticks" => format!("{block}.delay_ms"),
                "body_from_sensor_xyzw" => "mount.orientation_xyzw".to_owned(),
                field => format!("{block}.{field}"),
            };
            self.wrong(section, &key, error.message);
        };
        Instrument::new(what, params, model).map_err(refused).ok()
    }

    /// What the keys of a lidar say together, in their own units.
    fn check_lidar(&mut self, spec: &LidarSpec) -> bool {
        let (view_deg, section) = (spec.angle_max_deg - spec.angle_min_deg, "sensors.lidar");
        let before = self.faults.len();
        if view_deg <= 0.0 {
            self.wrong(section, "angle_max_deg", format!("is {}, must be above angle_min_deg", spec.angle_max_deg));
        } else if view_deg > TURN_DEG {
            self.wrong(
                section,
                "angle_max_deg",
                format!("is {view_deg} after angle_min_deg, at most a turn of 360 is allowed"),
            );
        } else if view_deg / spec.increment_deg > MAX_RAYS {
            let rays = (view_deg / spec.increment_deg).floor();
            self.wrong(
                section,
                "increment_deg",
                format!("is {}, which makes {rays} rays; {MAX_RAYS} are allowed", spec.increment_deg),
            );
        }
        if spec.range_min_m >= spec.range_max_m {
            self.wrong(section, "range_min_m", format!("is {}, must be below range_max_m", spec.range_min_m));
        }
        self.faults.len() == before
    }

    fn driver(&mut self, car: &CarSpec, model: &CarModel) -> Option<DriverModel> {
        let DriverSpec { commands, commands_csv, recording, waypoints, wall } = &car.driver;
        let given = [
            ("commands", commands.is_some()),
            ("commands_csv", commands_csv.is_some()),
            ("recording", recording.is_some()),
            ("waypoints", waypoints.is_some()),
            ("wall", wall.is_some()),
        ];
        let mut given = given.iter().filter(|(_, is_given)| *is_given).map(|(key, _)| *key);
        if let (Some(first), Some(second)) = (given.next(), given.next()) {
            self.wrong("driver", second, format!("cannot be given beside {first}: a car has one driver"));
            return None;
        }
        if let Some(commands) = commands {
            return self.plan("commands", "at_s", commands.iter().map(timed_command).collect());
        }
        if let Some(recording) = recording {
            return self.recording(recording);
        }
        if let Some(waypoints) = waypoints {
            return self.route(waypoints, model);
        }
        if let Some(wall) = wall {
            return self.wall(wall, car.sensors.lidar.as_ref(), model);
        }
        Some(DriverModel::None)
    }

    fn plan(&mut self, key: &str, time_key: &str, commands: Vec<TimedCommand>) -> Option<DriverModel> {
        if let Some(late) = commands.windows(2).position(|pair| pair[0].time_ns >= pair[1].time_ns) {
            let [before_s, after_s] = [late, late + 1].map(|n| commands[n].time_ns as f64 / 1e9);
            let place = if key == "commands" {
                format!("{key}[{}].{time_key}", late + 1)
            } else {
                format!("{key}.{time_key}[{}]", late + 1)
            };
            self.wrong("driver", &place, format!("is {after_s}, must be later than {before_s} of the one before"));
            return None;
        }
        CommandList::new(commands)
            .map(DriverModel::Plan)
            .map_err(|error| self.wrong("driver", key, error.to_string()))
            .ok()
    }

    fn recording(&mut self, spec: &RecordingSpec) -> Option<DriverModel> {
        let RecordingSpec { time_s, velocity_m_s, curvature_1_m, acceleration_m_s2 } = spec;
        let columns = [
            ("velocity_m_s", velocity_m_s),
            ("curvature_1_m", curvature_1_m),
            ("acceleration_m_s2", acceleration_m_s2),
        ];
        for (key, column) in columns {
            let may_be_empty = key == "acceleration_m_s2";
            if column.len() != time_s.len() && !(may_be_empty && column.is_empty()) {
                let message = format!("has {} numbers, must have {} as time_s", column.len(), time_s.len());
                self.wrong("driver", &format!("recording.{key}"), message);
                return None;
            }
        }
        let command = |n: usize| TimedCommandSpec {
            at_s: time_s[n],
            velocity_m_s: velocity_m_s[n],
            curvature_1_m: curvature_1_m[n],
            acceleration_m_s2: acceleration_m_s2.get(n).copied(),
        };
        let commands = (0..time_s.len()).map(|n| timed_command(&command(n))).collect();
        self.plan("recording", "time_s", commands)
    }

    fn route(&mut self, spec: &WaypointsSpec, model: &CarModel) -> Option<DriverModel> {
        let route = Route::new(points_of(&spec.points_m), spec.closed);
        let route = route.map_err(|error| self.wrong("driver", "waypoints.points_m", error.message)).ok()?;
        let params = PursuitParams {
            speed_m_s: spec.speed_m_s,
            lateral_acceleration_m_s2: spec.lateral_acceleration_m_s2,
            lookahead_s: spec.lookahead_s,
            lookahead_min_m: spec.lookahead_m[0],
            lookahead_max_m: spec.lookahead_m[1],
        };
        let refused = |error: sim_core::ParamError| {
            let key = match error.field {
                "lookahead_min_m" | "lookahead_max_m" => "waypoints.lookahead_m".to_owned(),
                field => format!("waypoints.{field}"),
            };
            self.wrong("driver", &key, error.message);
        };
        Pursuit::new(model, route, params).map(DriverModel::Route).map_err(refused).ok()
    }

    fn wall(
        &mut self,
        params: &WallFollowerParams,
        lidar: Option<&LidarSpec>,
        model: &CarModel,
    ) -> Option<DriverModel> {
        let Some(lidar) = lidar else {
            self.wrong("driver", "wall", "needs a lidar: give the car sensors.lidar, {} for the default one");
            return None;
        };
        let lidar = lidar_params(lidar);
        let follower = WallFollower::new(model, lidar.mount, *params);
        let follower =
            follower.map_err(|error| self.wrong("driver", &format!("wall.{}", error.field), error.message)).ok()?;
        Some(DriverModel::Wall(WallEyes {
            follower,
            first_rad: lidar.angle_min_rad,
            increment_rad: lidar.increment_rad,
        }))
    }
}

fn car_params(spec: &CarParamsSpec) -> CarParams {
    CarParams {
        body_length_m: spec.body_length_m,
        body_width_m: spec.body_width_m,
        base_to_rear_bumper_m: spec.base_to_rear_bumper_m,
        wheelbase_m: spec.wheelbase_m,
        track_m: spec.track_m,
        base_to_rear_axle_m: spec.base_to_rear_axle_m,
        wheel_radius_m: spec.wheel_radius_m,
        wheel_width_m: spec.wheel_width_m,
        motor_ratio: spec.motor_ratio,
        inner_steering_limit_rad: spec.inner_steering_limit_deg.to_radians(),
        outer_steering_limit_rad: spec.outer_steering_limit_deg.to_radians(),
        curvature_limit_1_m: spec.curvature_limit_1_m,
        steering_rate_rad_s: spec.steering_rate_rad_s,
        velocity_min_m_s: spec.velocity_min_m_s,
        velocity_max_m_s: spec.velocity_max_m_s,
        acceleration_limit_m_s2: spec.acceleration_limit_m_s2,
        deceleration_limit_m_s2: spec.deceleration_limit_m_s2,
        step_ns: SUBSTEP_NS,
    }
}

fn start(spec: &StartSpec) -> Start {
    Start {
        base: Pose::new(spec.x_m, spec.y_m, spec.yaw_deg.to_radians()),
        steering_rad: spec.steering_deg.to_radians(),
        velocity_m_s: spec.velocity_m_s,
    }
}

fn lidar_params(spec: &LidarSpec) -> LidarParams {
    LidarParams {
        mount: Pose::new(spec.mount.x_m, spec.mount.y_m, spec.mount.yaw_deg.to_radians()),
        angle_min_rad: spec.angle_min_deg.to_radians(),
        angle_max_rad: spec.angle_max_deg.to_radians(),
        increment_rad: spec.increment_deg.to_radians(),
        range_min_m: spec.range_min_m,
        range_max_m: spec.range_max_m,
    }
}

fn mount(spec: &SensorMountSpec) -> MountParams {
    MountParams { position_in_body_m: DVec3::from(spec.position_m), body_from_sensor_xyzw: spec.orientation_xyzw }
}

fn timed_command(spec: &TimedCommandSpec) -> TimedCommand {
    let TimedCommandSpec { at_s, velocity_m_s, curvature_1_m, acceleration_m_s2 } = *spec;
    TimedCommand {
        time_ns: (at_s * 1e9).round() as u64,
        command: Command { velocity_m_s, curvature_1_m, acceleration_m_s2 },
    }
}
