//! From a vehicle of a scenario to its setup: its model with what is to be otherwise, its hull, its start and its sensors.

use super::build::{body_at, in_words, rad};
use super::files::{INLINE, merge};
use super::library;
use super::spec::{STEP_HZ_MAX, SeaScenario};
use super::spec_sensors::{DvlDeviceName, DvlSpec, ImuDevice, ImuSpec, MountSpec, SensorsSpec};
use super::spec_vehicle::{StartSpec, VehicleSpec};
use super::spec_water::WaterSpec;
use super::vehicle_file::{self, OwnVehicle};
use crate::inputs::listed;
use crate::loads::pushed_places;
use crate::model::{SensorKind, SensorSetup, VehicleSetup, draws_of};
use crate::place::StillWater;
use sea_sim::M_S_PER_KN;
use sea_sim::contact::Hull;
use sea_sim::sensor::{Dvl, DvlDevice, DvlParams, Instrument, InstrumentKind, Track, dvl, inertial};
use sea_sim::vehicle::{KeyMap, MAX_PARTS, MotionParams, Vehicle, VehicleParams, VehicleState};
use serde_json::{Value as Json, json};
use sim_core::sensing::{ErrorParams, MountParams, SensorParams};
use sim_core::{DVec3, ParamError};
use sim_input::diagnostic::{Fault, Severity};
use sim_input::nearest::{did_you_mean, nearest};
use sim_input::refused::{Refused, from_json};
use sim_world::sensing::SensingSpec;

/// Bins of a layer of water that a velocity log measures against.
const LAYER_BINS: u32 = 10;
/// Farthest that a free oscillation or damping may turn in a step before it is warned of.
const MOST_PARTS: u32 = 50;

/// Share of its watchdog's time that rounding may add to the age of what came from outside.
const AGE_TOLERANCE: f64 = 1e-9;

/// Builds one vehicle and notes what is wrong with it.
pub(super) struct VehicleBuild<'a> {
    pub scenario: &'a SeaScenario,
    pub path: String,
    /// The user's own file, if its model is one.
    pub own: Option<&'a OwnVehicle>,
    pub faults: &'a mut Vec<Fault>,
}

impl VehicleBuild<'_> {
    /// Notes what is wrong with a key of the vehicle.
    pub fn wrong(&mut self, key: &str, message: impl Into<String>, meant: Option<&str>) {
        let fault = Fault::new(format!("{}.{key}", self.path), message).depends(self.path.clone());
        let fault = Fault { suggestion: meant.map(str::to_owned), ..fault };
        // Two sensors of one unit may say the same of what they share.
        if !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    fn errors(&self) -> usize {
        self.faults.iter().filter(|fault| fault.severity == Severity::Error).count()
    }

    pub fn vehicle(mut self, spec: &VehicleSpec) -> Option<VehicleSetup> {
        let before = self.errors();
        let (params, laid) = self.params(spec)?;
        let made = Vehicle::new(&params);
        let vehicle = made.map_err(|error| self.refused(spec, (&params, &laid), &error)).ok()?;
        for warning in params.warnings() {
            let of_scenario = || {
                let (key, message) = vehicle_file::laid_over(spec, &params, &warning);
                Fault::new(format!("{}.{key}", self.path), message)
            };
            let of_file = self.own.and_then(|own| own.fault((&params, &laid), &warning));
            self.faults.push(of_file.unwrap_or_else(of_scenario).warning());
        }
        let pushed = pushed_places(&params).map_err(|error| self.wrong("parameters", in_words(&error), None)).ok()?;
        let hull =
            params.hull().map_err(|error| self.refused(spec, (&params, &laid), &hull_fault(&params, &error))).ok()?;
        let start = self.start(spec, &vehicle);
        if let Some((key, message)) = ride_fault(&vehicle, &spec.start) {
            self.wrong(&format!("start.{key}"), message, None);
        }
        self.check_floating(spec, &vehicle, &params);
        let (sensors, dvl) = self.sensors(&spec.sensors);
        let sonars = self.sonars(&spec.sensors);
        let scanners = self.scanners(&spec.sensors, &start.body.pose());
        let keys =
            KeyMap::new(&params.keys, &vehicle).map_err(|error| self.refused(spec, (&params, &laid), &error)).ok()?;
        let driver = self.driver(spec, (&vehicle, &params), (&keys, &start));
        (self.errors() == before).then_some(())?;
        let battery = spec.sensors.battery.map(|battery| battery.battery());
        let steps = |seconds: f64| (seconds * f64::from(self.scenario.step_hz) * (1.0 + AGE_TOLERANCE)).floor() as u64;
        Some(VehicleSetup {
            name: spec.name.clone(),
            draws: draws_of(&spec.name),
            vehicle,
            size_m: params.size_m,
            hull,
            pushed,
            start,
            sensors,
            sonars,
            scanners,
            modem: spec.sensors.modem.map(|modem| modem.setup()),
            dvl,
            battery,
            antenna_m: spec.sensors.gnss.map_or(DVec3::ZERO, |gnss| gnss.antenna_m.into()),
            in_air_pa: spec.sensors.pressure.map_or(0.0, |pressure| pressure.in_air_pa),
            driver: driver?,
            control_sources: vec![spec.control_source],
            watchdog_steps: spec.watchdog_s.map(steps),
        })
    }

    /// Notes what the model refuses: at its place in the user's own file if that gave the value.
    fn refused(&mut self, spec: &VehicleSpec, of: (&VehicleParams, &Json), error: &ParamError) {
        match self.own.and_then(|own| own.fault(of, error)) {
            Some(fault) if self.faults.contains(&fault) => {}
            Some(fault) => self.faults.push(fault),
            None => {
                let (key, message) = vehicle_file::laid_over(spec, of.0, error);
                self.wrong(&key, message, None);
            }
        }
    }

    /// The model's file with what is to be otherwise laid over it, and its keys.
    fn params(&mut self, spec: &VehicleSpec) -> Option<(VehicleParams, Json)> {
        let (mut json, _) = vehicle_file::parts(library::json(&spec.model).unwrap_or_else(|| json!({})));
        merge(&mut json, &spec.parameters);
        if !self.lay_actuators(&mut json, &spec.actuators) {
            return None;
        }
        let refused = |refused: Refused| {
            let key =
                if refused.path.is_empty() { "parameters".to_owned() } else { format!("parameters.{}", refused.path) };
            let hint =
                if spec.model == INLINE || spec.model == "custom" { "" } else { "; the model's file shows its keys" };
            self.wrong(&key, format!("is refused: {}{hint}", refused.message), None);
        };
        from_json(&json).map_err(refused).ok().map(|params| (params, json))
    }

    /// Lays keys over single actuators by their names. False if something is wrong.
    fn lay_actuators(&mut self, json: &mut Json, over: &Json) -> bool {
        let Some(over) = over.as_object() else {
            self.wrong("actuators", "must hold the names of actuators with their keys", None);
            return false;
        };
        let pointers = ["/motion/rigid/actuators", "/motion/torpedo/actuators"];
        let found = pointers.into_iter().find(|pointer| json.pointer(pointer).is_some());
        let list = found.and_then(|pointer| json.pointer_mut(pointer)).and_then(Json::as_array_mut);
        let mut empty = Vec::new();
        let list = list.unwrap_or(&mut empty);
        let name_of = |actuator: &Json| actuator["name"].as_str().unwrap_or_default().to_owned();
        let names: Vec<String> = list.iter().map(name_of).collect();
        let mut is_right = true;
        for (name, keys) in over {
            if let Some(place) = names.iter().position(|known| known == name) {
                merge(&mut list[place], keys);
            } else {
                self.unknown_actuator(&format!("actuators.{name}"), name, &names);
                is_right = false;
            }
        }
        is_right
    }

    /// Notes a name that no actuator has.
    pub fn unknown_actuator(&mut self, key: &str, name: &str, names: &[String]) {
        let meant = nearest(name, names.iter().map(String::as_str));
        let hint = did_you_mean(meant);
        let message = format!("is {name:?}, the name of no actuator; it has {}{hint}", listed(names));
        self.wrong(key, message, meant);
    }

    fn start(&mut self, spec: &VehicleSpec, vehicle: &Vehicle) -> VehicleState {
        let mut state = vehicle.start(body_at(&spec.start));
        if spec.start.hover {
            self.hover_at_start(vehicle, &mut state);
        }
        for (name, &value) in &spec.start.commands {
            let key = format!("start.commands.{name}");
            match vehicle.actuator(name) {
                None => self.unknown_actuator(&key, name, vehicle.actuator_names()),
                Some(actuator) => {
                    self.check_command(&key, vehicle, (actuator, value));
                    vehicle.command(&mut state, actuator, value);
                }
            }
        }
        self.check_stiffness(vehicle, &state);
        state
    }

    /// Gives all propellers the command that carries the weight.
    fn hover_at_start(&mut self, vehicle: &Vehicle, state: &mut VehicleState) {
        let Some(command) = vehicle.hover_command(state) else {
            self.wrong("start.hover", "cannot be: the vehicle has no propellers that could carry it so", None);
            return;
        };
        let actuators = 0..vehicle.actuator_names().len();
        let propellers: Vec<usize> = actuators.filter(|&place| vehicle.propeller(state, place).is_some()).collect();
        // They are equal: what the first can do, all can.
        propellers.iter().take(1).for_each(|&first| self.check_command("start.hover", vehicle, (first, command)));
        propellers.iter().for_each(|&propeller| vehicle.command(state, propeller, command));
    }

    /// Refuses a command beyond the range of its actuator.
    pub fn check_command(&mut self, key: &str, vehicle: &Vehicle, (actuator, value): (usize, f64)) {
        let Some([least, most]) = vehicle.command_range(actuator) else { return };
        if !(least..=most).contains(&value) {
            let unit = &vehicle.actuator_units()[actuator];
            let name = &vehicle.actuator_names()[actuator];
            let words = if unit == "1" { String::new() } else { format!(" {unit}") };
            self.wrong(key, format!("is {value}, {name} goes from {least} to {most}{words}"), None);
        }
    }

    /// Still water, to look at the vehicle's start.
    pub fn still_water(&self) -> StillWater {
        let WaterSpec { level_m, density_kg_m3, .. } = self.scenario.water;
        StillWater { level_m, density_kg_m3 }
    }

    /// Warns of a vehicle whose step must be cut into very many parts, and refuses one that would need more than there are.
    fn check_stiffness(&mut self, vehicle: &Vehicle, state: &VehicleState) {
        let step_hz = f64::from(self.scenario.step_hz);
        let step = (0.0, 1.0 / step_hz);
        let Some(stiffness) = vehicle.stiffness(state, &self.still_water(), step) else { return };
        let [damping, oscillation] = stiffness.parts();
        let parts = damping.max(oscillation);
        if parts <= f64::from(MOST_PARTS) {
            return;
        }
        let (what, product) = match damping >= oscillation {
            true => ("damping times a step (lambda dt)", stiffness.lambda_dt),
            false => ("its free oscillation times a step (omega dt)", stiffness.omega_dt),
        };
        let is_refused = !stiffness.is_resolved;
        let most = if is_refused { MAX_PARTS } else { MOST_PARTS };
        let enough_hz = (step_hz * parts / f64::from(most)).ceil();
        let advice = match enough_hz <= f64::from(STEP_HZ_MAX) {
            true => format!("from {enough_hz} on it takes {most} or fewer"),
            false => format!("no step_hz up to {STEP_HZ_MAX} is enough"),
        };
        let (hz, path, rounded) = (self.scenario.step_hz, &self.path, parts.ceil());
        let limit = if is_refused { format!(", at most {MAX_PARTS} are possible") } else { String::new() };
        let message = format!(
            "is {hz}, too low for {path}: {what} is {product:.3} at its start, which takes {rounded} parts{limit}; {advice}"
        );
        let fault = Fault::new("step_hz", message);
        self.faults.push(if is_refused { fault.depends(self.path.clone()) } else { fault.warning() });
    }

    fn sensors(&mut self, spec: &SensorsSpec) -> (Vec<SensorSetup>, Option<Dvl>) {
        let mut sensors = Vec::new();
        self.check_periods(spec);
        if let Some(imu) = &spec.imu {
            self.imu(imu, &mut sensors);
        }
        if let Some(pressure) = &spec.pressure {
            let kind = InstrumentKind::Pressure {
                position_in_body_m: pressure.position_m.into(),
                in_air_pa: pressure.in_air_pa,
            };
            self.mount((SensorKind::Pressure, "pressure.sensing"), kind, self.plain(&pressure.sensing), &mut sensors);
        }
        if let Some(gnss) = &spec.gnss {
            let kind = InstrumentKind::Gnss { antenna_in_body_m: gnss.antenna_m.into() };
            self.mount((SensorKind::Gnss, "gnss.sensing"), kind, self.plain(&gnss.sensing), &mut sensors);
        }
        if let Some(compass) = &spec.compass {
            let params = self.plain(&compass.sensing);
            self.mount((SensorKind::Compass, "compass.sensing"), InstrumentKind::Compass, params, &mut sensors);
        }
        if let Some(battery) = &spec.battery {
            let kind = InstrumentKind::Battery(battery.battery());
            self.mount((SensorKind::Battery, "battery.sensing"), kind, self.plain(&battery.sensing), &mut sensors);
        }
        let dvl = spec.dvl.as_ref().and_then(|dvl| self.dvl(dvl, &mut sensors));
        if let Some(altimeter) = &spec.altimeter {
            let kind = InstrumentKind::Depth {
                position_in_body_m: altimeter.position_m.into(),
                direction: altimeter.direction.into(),
                reach_m: altimeter.reach_m,
            };
            let params = self.ranging(&altimeter.sensing);
            self.mount((SensorKind::Altimeter, "altimeter.sensing"), kind, params, &mut sensors);
        }
        if let Some(range) = &spec.range {
            if self.scenario.beacons.is_empty() {
                self.wrong("sensors.range", "hears nothing: the scenario has no beacons", None);
            }
            for beacon in 0..self.scenario.beacons.len() {
                let kind = InstrumentKind::Range {
                    position_in_body_m: range.position_m.into(),
                    beacon,
                    reach_m: range.reach_m,
                };
                let name = (SensorKind::Range(beacon as u32), "range.sensing");
                self.mount(name, kind, self.ranging(&range.sensing), &mut sensors);
            }
        }
        if let Some(leak) = &spec.leak {
            let sensing = SensingSpec { every_ms: leak.every_ms, ..SensingSpec::default() };
            self.mount((SensorKind::Leak, "leak"), InstrumentKind::Leak, self.plain(&sensing), &mut sensors);
        }
        (sensors, dvl)
    }

    /// Warns of sensors whose time from one measurement to the next is no whole number of steps.
    fn check_periods(&mut self, spec: &SensorsSpec) {
        let (imu, dvl) = (spec.imu.as_ref(), spec.dvl.as_ref());
        let blocks = [
            ("imu.gyro", imu.map(|imu| imu.gyro.every_ms)),
            ("imu.accelerometer", imu.map(|imu| imu.accelerometer.every_ms)),
            ("imu.attitude", imu.map(|imu| imu.attitude.every_ms)),
            ("pressure.sensing", spec.pressure.map(|pressure| pressure.sensing.every_ms)),
            ("gnss.sensing", spec.gnss.map(|gnss| gnss.sensing.every_ms)),
            ("compass.sensing", spec.compass.map(|compass| compass.sensing.every_ms)),
            ("battery.sensing", spec.battery.map(|battery| battery.sensing.every_ms)),
            ("dvl.ranges", dvl.map(|dvl| dvl.ranges.every_ms)),
            ("dvl.velocities", dvl.map(|dvl| dvl.velocities.every_ms)),
            ("altimeter.sensing", spec.altimeter.map(|altimeter| altimeter.sensing.every_ms)),
            ("range.sensing", spec.range.map(|range| range.sensing.every_ms)),
            ("leak", spec.leak.map(|leak| leak.every_ms)),
        ];
        for (block, every_ms) in blocks.into_iter().filter_map(|(block, every_ms)| Some((block, every_ms?))) {
            self.check_period(block, every_ms);
        }
    }

    /// Warns of a time from one measurement to the next that is no whole number of steps.
    pub fn check_period(&mut self, block: &str, every_ms: u64) {
        let step_hz = u64::from(self.scenario.step_hz);
        let in_ms = |steps: u64| (1e6 * steps as f64 / step_hz as f64).round() / 1e3;
        let steps = self.plain(&SensingSpec { every_ms, ..SensingSpec::default() }).period_ticks;
        if steps * 1000 != every_ms * step_hz {
            let (step_ms, period_ms) = (in_ms(1), in_ms(steps));
            let message =
                format!("is {every_ms}, no whole number of steps of {step_ms} ms: it measures every {period_ms} ms");
            self.faults.push(Fault::new(format!("{}.sensors.{block}.every_ms", self.path), message).warning());
        }
    }

    fn plain(&self, sensing: &SensingSpec) -> SensorParams {
        sensing.params(self.scenario.step_hz, false)
    }

    /// Of a sensor that may hear nothing.
    pub fn ranging(&self, sensing: &SensingSpec) -> SensorParams {
        sensing.params(self.scenario.step_hz, true)
    }

    fn imu(&mut self, spec: &ImuSpec, sensors: &mut Vec<SensorSetup>) {
        let device = match spec.device {
            ImuDevice::Perfect => None,
            ImuDevice::Adis16448 => Some("adis16448"),
            ImuDevice::SpartonM2 => Some("sparton_m2"),
        };
        let with = |params: SensorParams, errors: Option<ErrorParams>| match errors {
            Some(errors) => SensorParams { errors, ..params },
            None => params,
        };
        let step_hz = f64::from(self.scenario.step_hz);
        let rate_hz = |params: &SensorParams| step_hz / params.period_ticks as f64;
        let (gyro, accelerometer) = (self.plain(&spec.gyro), self.plain(&spec.accelerometer));
        let gyro_errors = device.and_then(|name| inertial(name, rate_hz(&gyro))).map(|errors| errors.gyro);
        let felt_errors =
            device.and_then(|name| inertial(name, rate_hz(&accelerometer))).map(|errors| errors.accelerometer);
        if let Some(device) = device {
            let own = |params: &SensorParams| params.errors != ErrorParams::default();
            self.beside_device(device, &[("imu.gyro", own(&gyro)), ("imu.accelerometer", own(&accelerometer))]);
        }
        let at = mount(&spec.mount);
        self.mount((SensorKind::Gyro, "imu.gyro"), InstrumentKind::Gyro(at), with(gyro, gyro_errors), sensors);
        let kind = InstrumentKind::Accelerometer(at);
        self.mount((SensorKind::Accelerometer, "imu.accelerometer"), kind, with(accelerometer, felt_errors), sensors);
        let attitude = self.plain(&spec.attitude);
        self.mount((SensorKind::Attitude, "imu.attitude"), InstrumentKind::Attitude, attitude, sensors);
    }

    fn dvl(&mut self, spec: &DvlSpec, sensors: &mut Vec<SensorSetup>) -> Option<Dvl> {
        let device = match spec.device {
            DvlDeviceName::Perfect => None,
            DvlDeviceName::Pathfinder => dvl("pathfinder", spec.water_layer_m.is_some()),
        };
        let mut azimuths_rad = [0.0; 4];
        azimuths_rad.iter_mut().zip(&spec.azimuths_deg).for_each(|(angle, &deg)| *angle = rad(deg));
        let own = DvlParams {
            beam_angle_rad: rad(spec.beam_angle_deg),
            azimuths_rad,
            range_m: spec.range_m,
            track: spec.water_layer_m.map_or(Track::Bottom, |layer_m| Track::Water { layer_m, bins: LAYER_BINS }),
            ..DvlParams::default()
        };
        let params = DvlParams { mount: mount(&spec.mount), ..device.map_or(own, |device| device.params) };
        let (mut ranges, mut velocities) = (self.ranging(&spec.ranges), self.ranging(&spec.velocities));
        if let Some(device) = device {
            self.check_pathfinder(spec, &device, [&ranges, &velocities]);
            (ranges.errors, velocities.errors) = (device.ranges, device.velocities);
        }
        self.mount((SensorKind::DvlRanges, "dvl.ranges"), InstrumentKind::DvlRanges(params), ranges, sensors);
        let kind = InstrumentKind::DvlVelocities(params);
        self.mount((SensorKind::DvlVelocities, "dvl.velocities"), kind, velocities, sensors);
        Dvl::new(params).ok()
    }

    /// Refuses keys of a log that its device replaces. A layer of water must be that of the device.
    fn check_pathfinder(&mut self, spec: &DvlSpec, device: &DvlDevice, [ranges, velocities]: [&SensorParams; 2]) {
        let (plain, none) = (DvlSpec::default(), ErrorParams::default());
        if let (Some(given_m), Track::Water { layer_m, .. }) = (spec.water_layer_m, device.params.track)
            && given_m != layer_m
        {
            let message = format!("is {given_m:?}, that of the device pathfinder is {layer_m:?}");
            self.wrong("sensors.dvl.water_layer_m", message, None);
        }
        let keys = [
            ("dvl.beam_angle_deg", spec.beam_angle_deg != plain.beam_angle_deg),
            ("dvl.azimuths_deg", spec.azimuths_deg != plain.azimuths_deg),
            ("dvl.range_m", spec.range_m != plain.range_m),
            ("dvl.ranges", ranges.errors != none),
            ("dvl.velocities", velocities.errors != none),
        ];
        self.beside_device("pathfinder", &keys);
    }

    /// Refuses keys of sensors that a device replaces, where they are given.
    fn beside_device(&mut self, device: &str, keys: &[(&str, bool)]) {
        for (key, _) in keys.iter().filter(|(_, is_given)| *is_given) {
            let message = format!("means nothing beside the device {device}, which has its own");
            self.wrong(&format!("sensors.{key}"), message, None);
        }
    }

    fn mount(
        &mut self,
        (kind, block): (SensorKind, &str),
        what: InstrumentKind,
        params: SensorParams,
        sensors: &mut Vec<SensorSetup>,
    ) {
        match Instrument::new(what, params, 1.0 / f64::from(self.scenario.step_hz)) {
            Ok(instrument) => sensors.push(SensorSetup { kind, instrument }),
            Err(error) => {
                let section = block.split('.').next().unwrap_or(block);
                let key = match error.field {
                    "delay_ticks" => format!("sensors.{block}.delay_ms"),
                    "position_in_body_m" => format!("sensors.{section}.position_m"),
                    "body_from_sensor_xyzw" => format!("sensors.{section}.mount.orientation_xyzw"),
                    "beam_angle_rad" => format!("sensors.{section}.beam_angle_deg"),
                    "azimuths_rad" => format!("sensors.{section}.azimuths_deg"),
                    "layer_m" => format!("sensors.{section}.water_layer_m"),
                    field @ ("direction" | "reach_m" | "range_m" | "voltages_v" | "in_air_pa") => {
                        format!("sensors.{section}.{field}")
                    }
                    field => format!("sensors.{block}.{field}"),
                };
                self.wrong(&key, error.message, None);
            }
        }
    }
}

pub(super) fn mount(spec: &MountSpec) -> MountParams {
    MountParams { position_in_body_m: spec.position_m.into(), body_from_sensor_xyzw: spec.orientation_xyzw }
}

/// What a hydrofoil cannot start with: it rides by rules, which know speed, roll and yaw alone.
/// None for any other vehicle.
pub(super) fn ride_fault(vehicle: &Vehicle, start: &StartSpec) -> Option<(&'static str, String)> {
    let rules = vehicle.rules()?;
    let others = [
        ("pitch_deg", start.pitch_deg),
        ("v_m_s", start.v_m_s),
        ("w_m_s", start.w_m_s),
        ("p_deg_s", start.p_deg_s),
        ("q_deg_s", start.q_deg_s),
        ("r_deg_s", start.r_deg_s),
    ];
    if let Some((key, _)) = others.into_iter().find(|(_, value)| *value != 0.0) {
        return Some((key, "cannot be: a hydrofoil moves by rules that give it no value but 0".to_owned()));
    }
    let [least_m_s, most_m_s] = [rules.reverse_kn, rules.flying_kn[1]].map(|kn| kn * M_S_PER_KN);
    if !(least_m_s..=most_m_s).contains(&start.u_m_s) {
        return Some(("u_m_s", format!("is {}, it goes from {least_m_s:.3} to {most_m_s:.3} m/s", start.u_m_s)));
    }
    let most_deg = rules.roll_most_rad(start.u_m_s / M_S_PER_KN).to_degrees();
    if start.roll_deg.abs() > most_deg {
        let message = format!("is {}, at this speed it rolls up to {most_deg:.1} deg to either side", start.roll_deg);
        return Some(("roll_deg", message));
    }
    None
}

/// Least distance of two propellers from the middle that steers, m.
const MIN_ARM_M: f64 = 0.01;

/// Thrust per square of speed of the propellers `left` and `right`, and the distance of each from the middle; none if they are not equal,
/// not side by side or do not push ahead.
pub(super) fn twin_propellers(params: &VehicleParams) -> Option<(f64, f64)> {
    let (factor, left_m) = propeller_of(params, "left")?;
    let (right_factor, right_m) = propeller_of(params, "right")?;
    let are_equal = factor == right_factor && left_m == -right_m;
    (are_equal && factor > 0.0 && left_m >= MIN_ARM_M).then_some((factor, left_m))
}

/// Thrust ahead per square of speed, and distance to the left of the middle.
fn propeller_of(params: &VehicleParams, name: &str) -> Option<(f64, f64)> {
    use sea_sim::actuator::{ActuatorKind, ThrustLaw};
    let MotionParams::Rigid(rigid) = &params.motion else { return None };
    let actuator = rigid.actuators.iter().find(|actuator| actuator.name == name)?;
    let ActuatorKind::Propeller(propeller) = &actuator.kind else { return None };
    let ThrustLaw::Quadratic { forward, .. } = propeller.thrust else { return None };
    Some((forward, propeller.position_m[1]))
}

/// What is wrong with the hull of a vehicle, by the key that it follows from.
fn hull_fault(params: &VehicleParams, error: &ParamError) -> ParamError {
    if !params.hull.is_empty() {
        return ParamError::new("hull", in_words(error));
    }
    let ([least_m, most_m], end_m) = (Hull::RADII_M, Hull::MAX_END_M);
    let message = format!(
        "is {:?}, which makes no hull: its radius must be from {least_m} to {most_m} m, its axis within {end_m} m of the origin",
        params.size_m
    );
    ParamError::new("size_m", message)
}
