//! From the section `driver` of a vehicle to its driver.

use super::build::{in_words, rad, step_at};
use super::build_vehicle::{VehicleBuild, twin_propellers};
use super::spec::FAR_M;
use super::spec_sensors::SensorsSpec;
use super::spec_vehicle::{
    DriverSpec, GainsSpec, HoverSpec, SetpointSpec, SetpointsSpec, StrokeSpec, TimedCommandSpec, VehicleSpec,
    WaypointSpec, WaypointsSpec,
};
use crate::inputs::listed;
use crate::pilot::{DriverModel, Gains, Helm, Hover, Plan, Setpoint, Steering, TimedSetpoint, TimedTarget};
use sea_sim::driver::{Geometric, Level, Route, RouteParams, Target, Timed, TimedCommand, Waypoint};
use sea_sim::georef::{Geodetic, Georef};
use sea_sim::vehicle::{KeyMap, MotionParams, Stroke, Vehicle, VehicleParams, VehicleState};
use sim_core::DVec3;
use sim_input::diagnostic::Fault;
use sim_input::nearest::{did_you_mean, nearest};

/// Decisions a second below which autopilots begin to swing. The thrusters of a BlueROV damp its turns at up to 17 1/s, where their thrust
/// is steepest: a decision that is held for a step keeps such a loop stable below a step of 2/17 s.
const STEER_HZ: u32 = 10;
/// The same of the geometric controller. Turn rate and attitude of the quadrotor come back at 18.8 1/s and 107 1/s²: held decisions are
/// stable where `18.8 dt + 107 dt²/2 < 2`, above 12 a second.
const HOVER_HZ: u32 = 20;
/// Longest time between two fixes of a hovering quadrotor that does not swing, ms.
const HOVER_FIX_MS: u64 = 60;

/// What a driver reads in any phase of its plan, beside attitude and turn rates.
struct Reads {
    depth: bool,
    altitude: bool,
    /// Under water, where no fix tells it.
    velocity: bool,
    place: bool,
}

impl VehicleBuild<'_> {
    /// Who drives the vehicle; what is wrong is noted.
    pub fn driver(
        &mut self,
        spec: &VehicleSpec,
        (vehicle, params): (&Vehicle, &VehicleParams),
        keyboard: (&KeyMap, &VehicleState),
    ) -> Option<DriverModel> {
        let DriverSpec { commands, commands_csv, keys, setpoints, waypoints, hover } = &spec.driver;
        let given = [
            ("commands", commands.is_some()),
            ("commands_csv", commands_csv.is_some()),
            ("keys", keys.is_some()),
            ("setpoints", setpoints.is_some()),
            ("waypoints", waypoints.is_some()),
            ("hover", hover.is_some()),
        ];
        let mut given = given.iter().filter(|(_, is_given)| *is_given).map(|(key, _)| *key);
        if let (Some(first), Some(second)) = (given.next(), given.next()) {
            let message = format!("cannot be given beside {first}: a vehicle has one driver");
            self.wrong(&format!("driver.{second}"), message, None);
            return None;
        }
        if let Some(commands) = commands {
            return self.commands(commands, vehicle);
        }
        if let Some(keys) = keys {
            return self.keys(keys, vehicle, keyboard);
        }
        if let Some(setpoints) = setpoints {
            return self.setpoints(setpoints, spec, (vehicle, params));
        }
        if let Some(waypoints) = waypoints {
            return self.waypoints(waypoints, spec, (vehicle, params));
        }
        if let Some(hover) = hover {
            return self.hover(hover, spec, vehicle);
        }
        Some(DriverModel::None)
    }

    fn commands(&mut self, list: &[TimedCommandSpec], vehicle: &Vehicle) -> Option<DriverModel> {
        let mut commands = Vec::with_capacity(list.len());
        // Of two in one step the later one holds.
        let mut order: Vec<usize> = (0..list.len()).collect();
        order.sort_by(|&a, &b| list[a].at_s.total_cmp(&list[b].at_s));
        for number in order {
            let TimedCommandSpec { at_s, actuator, value } = &list[number];
            let key = format!("driver.commands[{number}]");
            match vehicle.actuator(actuator) {
                None => self.unknown_actuator(&format!("{key}.actuator"), actuator, vehicle.actuator_names()),
                Some(place) => {
                    self.check_command(&format!("{key}.value"), vehicle, (place, *value));
                    let step = step_at(*at_s, self.scenario.step_hz);
                    commands.push(TimedCommand { step, actuator: place, value: *value });
                }
            }
        }
        self.timed("commands", commands, vehicle)
    }

    /// A driver that gives commands by the clock.
    fn timed(&mut self, key: &str, commands: Vec<TimedCommand>, vehicle: &Vehicle) -> Option<DriverModel> {
        let is_repeated = vehicle.body().is_some();
        let made = Timed::new(commands).map(|timed| DriverModel::Commands { timed, is_repeated });
        made.map_err(|error| self.wrong(&format!("driver.{key}"), in_words(&error), None)).ok()
    }

    /// What keys ask of actuators is known before a run: commands by the clock.
    fn keys(
        &mut self,
        list: &[StrokeSpec],
        vehicle: &Vehicle,
        (map, start): (&KeyMap, &VehicleState),
    ) -> Option<DriverModel> {
        let step = |at_s: f64| step_at(at_s, self.scenario.step_hz);
        let mut strokes = Vec::with_capacity(list.len());
        let mut wrong = Vec::new();
        for (number, spec) in list.iter().enumerate() {
            let (from_step, to_step) = (step(spec.from_s), spec.to_s.map(step));
            if let (Some(to_s), true) = (spec.to_s, to_step.is_some_and(|to_step| to_step <= from_step)) {
                let message = format!("is {to_s}, must be at least a step after from_s, which is {}", spec.from_s);
                wrong.push((format!("driver.keys[{number}].to_s"), message, None));
            }
            match map.names().binary_search(&spec.key) {
                Ok(key) => strokes.push(Stroke { key, from_step, to_step }),
                Err(_) => {
                    let (key, meant) = (&spec.key, nearest(&spec.key, map.names().iter().map(String::as_str)));
                    let hint = did_you_mean(meant);
                    let message =
                        format!("is {key:?}, no key of the model's file; it has {}{hint}", listed(map.names()));
                    wrong.push((format!("driver.keys[{number}].key"), message, meant));
                }
            }
        }
        wrong.iter().for_each(|(key, message, meant)| self.wrong(key, message.as_str(), *meant));
        if wrong.is_empty() { self.timed("keys", map.commands(&strokes, vehicle, start), vehicle) } else { None }
    }

    fn setpoints(
        &mut self,
        spec: &SetpointsSpec,
        own: &VehicleSpec,
        (vehicle, params): (&Vehicle, &VehicleParams),
    ) -> Option<DriverModel> {
        let helm = self.helm("setpoints", vehicle, params)?;
        self.check_times("driver.setpoints.list", spec.list.iter().map(|entry| entry.at_s));
        let can_level = !helm.levelled_by(None).is_empty();
        for (number, entry) in spec.list.iter().enumerate() {
            let levels = [("depth_m", entry.depth_m), ("altitude_m", entry.altitude_m)];
            if let Some((key, _)) = levels.iter().find(|(_, level_m)| level_m.is_some() && !can_level) {
                let key = format!("driver.setpoints.list[{number}].{key}");
                self.wrong(
                    &key,
                    "means nothing to this vehicle: its driver has no actuators for depth or altitude",
                    None,
                );
            }
            if entry.depth_m.is_some() && entry.altitude_m.is_some() {
                let key = format!("driver.setpoints.list[{number}].altitude_m");
                self.wrong(&key, "cannot be given beside depth_m", None);
            }
        }
        let depth = can_level && spec.list.iter().any(|entry| entry.depth_m.is_some());
        let altitude = can_level && spec.list.iter().any(|entry| entry.altitude_m.is_some());
        let rests = spec.list.iter().any(|entry| entry.speed == Some(0.0));
        let velocity = (depth || altitude) && rests && holds_at_rest(&helm);
        self.check_senses("setpoints", &own.sensors, &Reads { depth, altitude, velocity, place: false });
        let list = spec.list.iter().map(|entry| timed_setpoint(entry, self.scenario.step_hz)).collect();
        self.check_setpoints(spec, (own, &helm), vehicle);
        let gains = self.gains("setpoints", (&spec.gains, &helm, false))?;
        Some(DriverModel::Steer(Steering { helm, plan: Plan::Setpoints(list), gains }))
    }

    fn waypoints(
        &mut self,
        spec: &WaypointsSpec,
        own: &VehicleSpec,
        (vehicle, params): (&Vehicle, &VehicleParams),
    ) -> Option<DriverModel> {
        let helm = self.helm("waypoints", vehicle, params)?;
        for (number, point) in spec.points.iter().enumerate() {
            if point.depth_m.is_some() && point.altitude_m.is_some() {
                let key = format!("driver.waypoints.points[{number}].altitude_m");
                self.wrong(&key, "cannot be given beside depth_m", None);
            }
        }
        let can_dive = !helm.levelled_by(None).is_empty();
        let altitude = can_dive && spec.points.iter().any(|point| point.altitude_m.is_some());
        let depth = can_dive && spec.points.iter().any(|point| point.altitude_m.is_none());
        // At the end of an open route the propellers stop.
        let velocity = (!spec.closed || spec.speed == 0.0) && holds_at_rest(&helm);
        self.check_senses("waypoints", &own.sensors, &Reads { depth, altitude, velocity, place: true });
        let route = Route::new(RouteParams {
            waypoints: self.route_points(&spec.points)?,
            radius_m: spec.radius_m,
            lookahead_m: spec.lookahead_m,
            is_loop: spec.closed,
        });
        let route = route.map_err(|error| self.wrong("driver.waypoints", in_words(&error), None)).ok()?;
        self.check_route(spec, &helm, vehicle);
        let gains = self.gains("waypoints", (&spec.gains, &helm, true))?;
        Some(DriverModel::Steer(Steering { helm, plan: Plan::Route(route, spec.speed), gains }))
    }

    /// The waypoints in metres of the world.
    fn route_points(&mut self, points: &[WaypointSpec]) -> Option<Vec<Waypoint>> {
        // What is wrong with the origin is noted where the model is made.
        let georef = self.scenario.georef(&mut Vec::new())?;
        let mut made = Vec::with_capacity(points.len());
        for (number, spec) in points.iter().enumerate() {
            match waypoint(spec, &georef) {
                Ok(waypoint) => made.push(waypoint),
                Err((key, message)) => self.wrong(&format!("driver.waypoints.points[{number}]{key}"), message, None),
            }
        }
        (made.len() == points.len()).then_some(made)
    }

    fn hover(&mut self, spec: &HoverSpec, own: &VehicleSpec, vehicle: &Vehicle) -> Option<DriverModel> {
        let names = ["front", "right", "back", "left"];
        let rotors = names.map(|name| vehicle.actuator(name));
        let [Some(front), Some(right), Some(back), Some(left)] = rotors else {
            let message = format!("needs the actuators {}", names.join(", "));
            self.wrong("driver.hover", message, None);
            return None;
        };
        self.check_rate(HOVER_HZ);
        self.check_times("driver.hover.list", spec.list.iter().map(|entry| entry.at_s));
        self.need("hover", "imu", own.sensors.imu.is_some());
        self.need("hover", "gnss", own.sensors.gnss.is_some());
        self.check_fixes(own);
        let refused = |error| self.wrong("driver.hover.gains", in_words(&error), None);
        let geometric = Geometric::new(spec.gains).map_err(refused).ok()?;
        let step_hz = self.scenario.step_hz;
        let plan = spec.list.iter().map(|entry| TimedTarget {
            step: step_at(entry.at_s, step_hz),
            target: Target {
                position_m: DVec3::new(entry.x_m, entry.y_m, entry.z_m),
                yaw_rad: rad(entry.yaw_deg),
                ..Target::default()
            },
        });
        Some(DriverModel::Hover(Hover { geometric, rotors: [front, right, back, left], plan: plan.collect() }))
    }

    /// How the vehicle is steered, told by its actuators.
    fn helm(&mut self, driver: &str, vehicle: &Vehicle, params: &VehicleParams) -> Option<Helm> {
        self.check_rate(STEER_HZ);
        let found = helm_of(vehicle, params);
        if found.is_none() {
            let message = "cannot steer this vehicle: it needs a rudder with stern planes, a nozzle, two equal \
                           propellers side by side (left and right, with quadratic thrust), eight thrusters, or the rules of a hydrofoil";
            self.wrong(&format!("driver.{driver}"), message, None);
        }
        found
    }

    fn gains(&mut self, driver: &str, (spec, helm, is_route): (&GainsSpec, &Helm, bool)) -> Option<Gains> {
        let (depth, heading, heading_pid, trim) = helm.default_gains(is_route);
        let made = Gains::new(
            spec.depth.unwrap_or(depth),
            spec.heading.unwrap_or(heading),
            spec.heading_pid.unwrap_or(heading_pid),
            spec.trim.unwrap_or(trim),
        );
        made.map_err(|error| self.wrong(&format!("driver.{driver}.gains"), in_words(&error), None)).ok()
    }

    /// A driver knows what sensors tell: without them it does nothing.
    fn check_senses(&mut self, driver: &str, sensors: &SensorsSpec, reads: &Reads) {
        let has_log = sensors.dvl.is_some();
        self.need(driver, "imu", sensors.imu.is_some());
        self.need(driver, "pressure", sensors.pressure.is_some() || !reads.depth);
        self.need(driver, "dvl or altimeter", has_log || sensors.altimeter.is_some() || !reads.altitude);
        self.need(driver, "dvl", has_log || !reads.velocity);
        self.need(driver, "gnss or dvl", has_log || sensors.gnss.is_some() || !reads.place);
    }

    /// Warns of a driver that decides too seldom for its gains.
    fn check_rate(&mut self, least_hz: u32) {
        let step_hz = self.scenario.step_hz;
        if step_hz < least_hz {
            let message = format!(
                "is {step_hz}, too low for {}: its driver decides once a step and swings below {least_hz} decisions a second",
                self.path
            );
            self.faults.push(Fault::new("step_hz", message).warning());
        }
    }

    /// Warns of fixes that come too seldom to hover by: they tell the velocity too.
    fn check_fixes(&mut self, own: &VehicleSpec) {
        let Some(every_ms) = own.sensors.gnss.map(|gnss| gnss.sensing.every_ms) else { return };
        if every_ms > HOVER_FIX_MS {
            let message = format!(
                "is {every_ms}, too seldom for the driver hover: it swings or is lost where fixes come more than {HOVER_FIX_MS} ms apart"
            );
            let path = format!("{}.sensors.gnss.sensing.every_ms", self.path);
            self.faults.push(Fault::new(path, message).warning());
        }
    }

    fn need(&mut self, driver: &str, sensor: &str, is_there: bool) {
        if !is_there {
            let message = format!("needs the sensor {sensor}: a driver knows what sensors tell");
            self.wrong(&format!("driver.{driver}"), message, None);
        }
    }

    fn check_times(&mut self, key: &str, times_s: impl Iterator<Item = f64>) {
        let mut last_s = 0.0;
        for (number, at_s) in times_s.enumerate() {
            if at_s < last_s {
                let message = format!("is {at_s}, must not be before {last_s} of the one before");
                self.wrong(&format!("{key}[{number}].at_s"), message, None);
            }
            last_s = at_s;
        }
    }
}

/// Whether it keeps its depth by ballast while its propellers are at rest.
fn holds_at_rest(helm: &Helm) -> bool {
    matches!(helm, Helm::Nozzle { trim: Some(_), .. })
}

fn helm_of(vehicle: &Vehicle, params: &VehicleParams) -> Option<Helm> {
    let all = |names: &[&str]| names.iter().map(|name| vehicle.actuator(name)).collect::<Option<Vec<usize>>>();
    if matches!(params.motion, MotionParams::Hydrofoil(_)) {
        return Some(Helm::Hydrofoil);
    }
    if let Some([rudder, stern, propeller]) = all(&["rudder", "stern", "propeller"]).as_deref() {
        return Some(Helm::Fins { actuators: [*rudder, *stern, *propeller] });
    }
    let nozzle = ["nozzle_yaw", "nozzle_pitch", "propeller_front", "propeller_back"];
    if let Some([yaw, pitch, front, back]) = all(&nozzle).as_deref() {
        let trim = all(&["vbs", "lcg"]).map(|trim| [trim[0], trim[1]]);
        return Some(Helm::Nozzle { hinges: [*yaw, *pitch], propellers: [*front, *back], trim });
    }
    if let (Some([left, right]), Some((factor, arm_m))) = (all(&["left", "right"]).as_deref(), twin_propellers(params))
    {
        return Some(Helm::Twin { propellers: [*left, *right], factor, arm_m });
    }
    let level = all(&["front_right", "front_left", "rear_right", "rear_left"])?;
    let up = all(&["up_front_right", "up_front_left", "up_rear_right", "up_rear_left"])?;
    Some(Helm::Thrusters { level: level.try_into().ok()?, up: up.try_into().ok()? })
}

fn timed_setpoint(spec: &SetpointSpec, step_hz: u32) -> TimedSetpoint {
    let setpoint = Setpoint {
        yaw_rad: spec.yaw_deg.map(rad),
        level: spec.depth_m.map(Level::DepthM).or(spec.altitude_m.map(Level::AltitudeM)),
        speed: spec.speed,
        place_m: None,
    };
    TimedSetpoint { step: step_at(spec.at_s, step_hz), setpoint }
}

/// A waypoint, or a key and what is wrong with it.
fn waypoint(spec: &WaypointSpec, georef: &Georef) -> Result<Waypoint, (&'static str, String)> {
    let place_m = match (spec.x_m, spec.y_m, spec.lat_deg, spec.lon_deg) {
        (Some(x_m), Some(y_m), None, None) => [x_m, y_m],
        (None, None, Some(latitude_deg), Some(longitude_deg)) => {
            let place_m = georef.position_m(&Geodetic { latitude_deg, longitude_deg, height_m: 0.0 }).truncate();
            if place_m.abs().max_element() > FAR_M {
                let far_km = place_m.length() / 1000.0;
                return Err((
                    ".lat_deg",
                    format!("is {latitude_deg}, which is {far_km:.0} km from the origin: too far"),
                ));
            }
            place_m.to_array()
        }
        _ => return Err(("", "must have x_m and y_m, or else lat_deg and lon_deg".to_owned())),
    };
    let level = spec.altitude_m.map_or(Level::DepthM(spec.depth_m.unwrap_or(0.0)), Level::AltitudeM);
    Ok(Waypoint { place_m, level })
}
