//! From the lidars and depth cameras of a vehicle to their setups.

use super::build::rad;
use super::build_vehicle::{VehicleBuild, mount};
use super::spec::SeaScenario;
use super::spec_scanners::{DepthCameraSpec, LidarDevice, LidarSpec};
use super::spec_sensors::{MountSpec, SensorsSpec};
use crate::scanner::{ScannerKind, ScannerParams, ScannerSetup};
use sea_echo::scan::{Pinhole, Rosette, ScanPattern, Spinner, even_elevations_rad};
use sea_sim::pose::Pose;
use sim_core::ParamError;
use sim_core::sensing::SensorParams;
use sim_input::diagnostic::Fault;
use sim_world::sensing::SensingSpec;

/// Most rays of all lidars and depth cameras of a scenario.
const RAYS_MAX: u64 = 5_000_000;
/// Rays of the pattern of a lidar that sweeps, and of one of its scans of 100 ms.
const ROSETTE_RAYS: u32 = 1_000_000;
const ROSETTE_SCAN_RAYS: u32 = 20_000;
/// Columns of a table that common spreadsheets show.
const SPREADSHEET_COLUMNS: usize = 16_384;

impl LidarSpec {
    fn pattern(&self) -> Result<ScanPattern, ParamError> {
        let spun = |elevations_rad: Vec<f64>| ScanPattern::spinning(&elevations_rad, self.azimuths);
        match self.device {
            LidarDevice::Vlp16 => spun(Spinner::Vlp16.elevations_rad()),
            LidarDevice::Hdl32e => spun(Spinner::Hdl32e.elevations_rad()),
            LidarDevice::Vls128 => spun(Spinner::Vls128.elevations_rad()),
            LidarDevice::Mid360 => Rosette::mid_360().pattern(ROSETTE_RAYS),
            LidarDevice::Even => {
                let span_rad = self.elevations_deg.unwrap_or([-15.0, 15.0]).map(rad);
                spun(even_elevations_rad(self.channels.unwrap_or(16), span_rad))
            }
            LidarDevice::Table => {
                let listed = self.directions_deg.iter().flatten().map(|angles_deg| angles_deg.map(rad));
                ScanPattern::table(&listed.collect::<Vec<_>>())
            }
        }
    }

    fn rays_per_scan(&self) -> Option<u32> {
        self.rays_per_scan.or((self.device == LidarDevice::Mid360).then_some(ROSETTE_SCAN_RAYS))
    }

    /// Rays of its pattern, with each azimuth of lidars that spin.
    fn pattern_rays(&self) -> u64 {
        let channels = match self.device {
            LidarDevice::Vlp16 => 16,
            LidarDevice::Hdl32e => 32,
            LidarDevice::Vls128 => 128,
            LidarDevice::Even => self.channels.unwrap_or(16),
            LidarDevice::Mid360 => return u64::from(ROSETTE_RAYS),
            LidarDevice::Table => return self.directions_deg.as_ref().map_or(0, Vec::len) as u64,
        };
        u64::from(channels) * u64::from(self.azimuths)
    }

    /// Keys that are given and mean nothing to the device.
    fn stray_keys(&self) -> impl Iterator<Item = &'static str> {
        let (is_even, is_table) = (self.device == LidarDevice::Even, self.device == LidarDevice::Table);
        let keys = [
            ("channels", self.channels.is_some() && !is_even),
            ("elevations_deg", self.elevations_deg.is_some() && !is_even),
            ("directions_deg", self.directions_deg.is_some() && !is_table),
            ("rays_per_scan", self.rays_per_scan.is_some() && !is_table && self.device != LidarDevice::Mid360),
        ];
        keys.into_iter().filter_map(|(key, is_stray)| is_stray.then_some(key))
    }
}

impl SeaScenario {
    /// None if lidars and cameras have too many rays to be built.
    pub(super) fn check_scanners(&self, faults: &mut Vec<Fault>) -> Option<()> {
        let lidar = |spec: &LidarSpec| {
            let slots = spec.sensing.delay_ms / spec.sensing.every_ms.max(1) + 1;
            spec.pattern_rays() * slots
        };
        let camera = |spec: &DepthCameraSpec| u64::from(spec.pixels[0]) * u64::from(spec.pixels[1]);
        let of_vehicles = self.vehicles.iter().map(|vehicle| &vehicle.sensors);
        let rays = of_vehicles.map(|sensors| {
            sensors.lidar.iter().flatten().map(lidar).sum::<u64>()
                + sensors.depth_camera.iter().flatten().map(camera).sum::<u64>()
        });
        let rays: u64 = rays.sum();
        if rays <= RAYS_MAX {
            return Some(());
        }
        let message = format!("carry lidars and depth cameras of {rays} rays, at most {RAYS_MAX} are allowed");
        faults.push(Fault::new("vehicles", message));
        None
    }
}

impl VehicleBuild<'_> {
    /// The lidars and depth cameras of the vehicle; what is wrong with them is noted.
    pub(super) fn scanners(&mut self, spec: &SensorsSpec, start: &Pose) -> Vec<ScannerSetup> {
        let lidars = spec.lidar.as_deref().unwrap_or_default();
        let cameras = spec.depth_camera.as_deref().unwrap_or_default();
        let mut made = Vec::with_capacity(lidars.len() + cameras.len());
        for (place, spec) in lidars.iter().enumerate() {
            let block = format!("lidar[{place}]");
            let earlier = lidars[..place].iter().position(|other| other.name == spec.name);
            self.check_scanner_name(&block, &spec.name, earlier.map(|other| format!("lidar[{other}]")));
            self.check_period(&format!("{block}.sensing"), spec.sensing.every_ms);
            for key in spec.stray_keys() {
                self.wrong(&format!("sensors.{block}.{key}"), "means nothing to this device", None);
            }
            if spec.device == LidarDevice::Table && spec.directions_deg.is_none() {
                self.wrong(
                    &format!("sensors.{block}.device"),
                    "is table, but there is neither pattern_file nor directions_deg",
                    None,
                );
                continue;
            }
            self.warn_under_water(&block, &spec.mount, start);
            let params = self.ranging(&spec.sensing);
            let scanner = spec.pattern().map(|pattern| ScannerParams {
                kind: ScannerKind::Lidar,
                pattern,
                rays_per_scan: spec.rays_per_scan(),
                range_m: spec.range_m,
                has_table: spec.table,
            });
            made.extend(self.scanner(&block, (&spec.name, &spec.mount), (scanner, params)));
        }
        for (place, spec) in cameras.iter().enumerate() {
            let block = format!("depth_camera[{place}]");
            let earlier = cameras[..place].iter().position(|other| other.name == spec.name);
            self.check_scanner_name(&block, &spec.name, earlier.map(|other| format!("depth_camera[{other}]")));
            self.check_period(&block, spec.every_ms);
            let sensing = SensingSpec { every_ms: spec.every_ms, ..SensingSpec::default() };
            let params = self.ranging(&sensing);
            let focal = [0, 1].map(|axis| spec.focal_mm / spec.chip_mm[axis]);
            let scanner = ScanPattern::pinhole(&Pinhole { pixels: spec.pixels, focal }).map(|pattern| ScannerParams {
                kind: ScannerKind::DepthCamera,
                pattern,
                rays_per_scan: None,
                range_m: spec.range_m,
                has_table: spec.table,
            });
            made.extend(self.scanner(&block, (&spec.name, &spec.mount), (scanner, params)));
        }
        made
    }

    fn scanner(
        &mut self,
        block: &str,
        (name, at): (&str, &MountSpec),
        (params, sensing): (Result<ScannerParams, ParamError>, SensorParams),
    ) -> Option<ScannerSetup> {
        let step_s = 1.0 / f64::from(self.scenario.step_hz);
        let made = params.and_then(|params| ScannerSetup::new(name.to_owned(), mount(at), params, (sensing, step_s)));
        let made = made.map_err(|error| {
            let key = match error.field {
                "position_in_body_m" => "mount.position_m",
                "body_from_sensor_xyzw" => "mount.orientation_xyzw",
                "azimuth_rad" | "elevation_rad" => "directions_deg",
                "focal" => "focal_mm",
                "rays" if block.starts_with("depth") => "pixels",
                "rays" => "azimuths",
                "delay_ticks" => "sensing.delay_ms",
                field @ ("range_m" | "rays_per_scan") => field,
                field => return self.wrong(&format!("sensors.{block}.sensing.{field}"), error.message, None),
            };
            self.wrong(&format!("sensors.{block}.{key}"), error.message, None);
        });
        let made = made.ok()?;
        self.warn_wide_table(block, &made);
        Some(made)
    }

    /// A name is part of that of a table: with hyphens in it, two tables could have one name.
    fn check_scanner_name(&mut self, block: &str, name: &str, earlier: Option<String>) {
        let key = format!("sensors.{block}.name");
        if name.contains('-') {
            self.wrong(&key, format!("is {name:?}, must have no hyphen: it is part of the name of a table"), None);
        }
        if let Some(earlier) = earlier {
            self.wrong(&key, format!("is {name:?}, the name of {earlier} too"), None);
        }
    }

    /// Warns of a lidar that starts under water.
    fn warn_under_water(&mut self, block: &str, at: &MountSpec, start: &Pose) {
        let depth_m = self.scenario.water.level_m - start.point_m(at.position_m.into()).z;
        if depth_m > 0.0 {
            let message = format!("is {depth_m:.3} m below still water at its start: a lidar sees nothing under water");
            self.faults.push(Fault::new(format!("{}.sensors.{block}", self.path), message).warning());
        }
    }

    fn warn_wide_table(&mut self, block: &str, made: &ScannerSetup) {
        if let Some(columns) = made.table_columns().filter(|columns| *columns > SPREADSHEET_COLUMNS) {
            let message = format!(
                "makes {columns} columns, more than the {SPREADSHEET_COLUMNS} of common spreadsheets: programs read them all the same"
            );
            self.faults.push(Fault::new(format!("{}.sensors.{block}.table", self.path), message).warning());
        }
    }
}
