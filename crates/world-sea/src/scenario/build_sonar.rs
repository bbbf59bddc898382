//! From the sonars of a scenario to their setups, and to what they look at.

use super::build::{in_words, rad};
use super::build_vehicle::{VehicleBuild, mount};
use super::spec::SeaScenario;
use super::spec_sensors::SensorsSpec;
use super::spec_sonar::{
    AcousticSpec, CompatSpec, ImagingSpec, MapSpec, MaterialName, MeshSpec, MultibeamSpec, ObjectSpec, RopePointSpec,
    RopeSpec, ScatteringSpec, SonarMode,
};
use super::spec_vehicle::VehicleSpec;
use crate::model::VehicleSetup;
use crate::sonar::{
    self, Device, Display, EchoScene, Extras, HullMaterial, Imager, ObjectShape, Rope, RopePoint, Scan, SceneParts,
    SonarKind, SonarParts, SonarSetup,
};
use crate::survey::MapGrid;
use sea_echo::imaging::Slips;
use sea_echo::mesh::MeshParams;
use sea_echo::multibeam::BeamReading;
use sea_echo::{
    AcousticParams, Acoustics, HeightGrid, ImagingParams, ImagingSonar, Multibeam, MultibeamParams, Multipath,
    PointTarget, Scattering, ScatteringTable, TriangleMesh,
};
use sea_sim::terrain::Terrain;
use sim_core::sensing::MountParams;
use sim_core::{DVec2, DVec3, ParamError, angle};
use sim_input::diagnostic::Fault;
use sim_input::nearest::{did_you_mean, nearest};
use sim_world::sensing::SensingSpec;
use std::f64::consts::TAU;
use std::sync::Arc;

/// Most rays of all sonars of a scenario, and most values of theirs that may be under way at once: what fits in memory.
const RAYS_MAX: u64 = 2_000_000;
const UNDER_WAY_MAX: u64 = 10_000_000;

/// Rows below its header and columns that a sheet of the usual spreadsheet programs holds.
const SHEET_ROWS: u64 = 1_048_575;
const SHEET_COLUMNS: usize = 16_384;
/// Columns of a table before its lists, at most.
const HEAD_COLUMNS: usize = 8;

/// What a sonar is, as far as all kinds agree.
struct Common<'a> {
    kind: SonarKind,
    place: usize,
    name: &'a str,
    mode: SonarMode,
    range_m: f64,
    sensing: SensingSpec,
}

/// Rays and values of a ping.
type Size = [u64; 2];

fn size_of_image(spec: &ImagingSpec, kind: SonarKind) -> Size {
    let beams = match kind {
        SonarKind::SideScan => 2,
        SonarKind::ForwardLooking => u64::from(spec.beams.unwrap_or(BEAMS)),
        _ => 1,
    };
    let (rays, bins) = (beams * u64::from(spec.rays_per_beam), beams * u64::from(spec.bins));
    let lists =
        1 + [spec.interferometric == Some(true), spec.classes, spec.instances].map(u64::from).iter().sum::<u64>();
    [rays, bins * lists + if spec.points { sonar::POINT as u64 * rays } else { 0 }]
}

fn size_of_beams(spec: &MultibeamSpec) -> Size {
    let (beams, rays) = (u64::from(spec.beams), u64::from(spec.beams) * u64::from(spec.rays_per_beam));
    let lists = 1 + [spec.mode == SonarMode::Acoustic, spec.classes, spec.instances].map(u64::from).iter().sum::<u64>();
    [rays, beams * lists + if spec.points { sonar::POINT as u64 * rays } else { 0 }]
}

/// Beams and width of a sonar that looks forward, step and sector of one whose beam turns, degrees, unless they are given.
const BEAMS: u32 = 64;
const WIDTH_DEG: f64 = 30.0;
const STEP_DEG: f64 = 1.8;
const SECTOR_DEG: f64 = 360.0;

impl SensorsSpec {
    /// The image sonars of a kind.
    fn images(&self, kind: SonarKind) -> &[ImagingSpec] {
        let list = match kind {
            SonarKind::SideScan => &self.sss,
            SonarKind::ForwardLooking => &self.fls,
            SonarKind::Scanning => &self.msis,
            SonarKind::Multibeam | SonarKind::SingleBeam => &None,
        };
        list.as_deref().unwrap_or_default()
    }

    /// The sonars that read distances: multibeams, then echo sounders as multibeams of one beam.
    fn beams(&self, kind: SonarKind) -> Vec<MultibeamSpec> {
        match kind {
            SonarKind::Multibeam => self.mbes.clone().unwrap_or_default(),
            SonarKind::SingleBeam => self.single_beam.iter().flatten().map(MultibeamSpec::from).collect(),
            _ => Vec::new(),
        }
    }

    /// Size and times of each sonar, with its kind and its place.
    fn sizes(&self) -> Vec<(SonarKind, usize, Size, SensingSpec)> {
        let of_kind = |kind| {
            let beams = self.beams(kind).into_iter().map(|spec| (size_of_beams(&spec), spec.sensing));
            let images = self.images(kind).iter().map(move |spec| (size_of_image(spec, kind), spec.sensing.sensing()));
            let all: Vec<_> = beams.chain(images).enumerate().collect();
            all.into_iter().map(move |(place, (size, sensing))| (kind, place, size, sensing))
        };
        SonarKind::ALL.into_iter().flat_map(of_kind).collect()
    }
}

impl SeaScenario {
    /// None if the sonars are too large to be built.
    pub(super) fn check_sonars(&self, faults: &mut Vec<Fault>) -> Option<()> {
        let (mut rays, mut under_way) = (0, 0);
        for (number, vehicle) in self.vehicles.iter().enumerate() {
            for (kind, place, [own_rays, values], sensing) in vehicle.sensors.sizes() {
                rays += own_rays;
                under_way += values * (sensing.delay_ms / sensing.every_ms.max(1) + 1);
                let rays_key = if kind == SonarKind::Multibeam { "beams" } else { "rays_per_beam" };
                let (key, what, count, most) = match () {
                    () if rays > RAYS_MAX => (rays_key, "rays", rays, RAYS_MAX),
                    () if under_way > UNDER_WAY_MAX => {
                        ("sensing.delay_ms", "values under way", under_way, UNDER_WAY_MAX)
                    }
                    () => continue,
                };
                let path = format!("vehicles[{number}].sensors.{}[{place}].{key}", kind.key());
                let message = format!("makes {count} {what} with the sonars before it, at most {most} are allowed");
                faults.push(Fault::new(path, message));
                return None;
            }
        }
        Some(())
    }

    /// What the sonars of the vehicles look at. None if it is wrong; none inside if there is no bottom or no sonar.
    #[expect(clippy::option_option, reason = "no bottom is not a wrong bottom")]
    pub(super) fn echo_scene(
        &self,
        bottom: Option<&Arc<HeightGrid>>,
        vehicles: &[VehicleSetup],
        objects: Option<Vec<ObjectShape>>,
        faults: &mut Vec<Fault>,
    ) -> Option<Option<EchoScene>> {
        let before = faults.len();
        self.sonar.check_scattering(faults);
        let hulls = self.hull_materials(objects.as_deref().unwrap_or_default(), faults);
        let ropes = self.ropes(faults);
        let objects = objects.filter(|_| faults.len() == before)?;
        let target = |spec: &super::spec_sonar::TargetSpec| PointTarget {
            place_m: spec.position_m.into(),
            strength_db: spec.strength_db,
        };
        let targets = self.sonar.targets.iter().map(target).collect();
        let refused = |error: ParamError| {
            faults.push(Fault::new("sonar.objects", in_words(&error)));
        };
        let (material, level_m) = (self.sonar.bottom.material(), self.water.level_m);
        let parts = SceneParts { bottom: material, objects, targets, hulls, ropes, level_m };
        sonar::scene(bottom, vehicles, parts).map_err(refused).ok()
    }

    /// The objects. None if one is wrong.
    pub(super) fn object_shapes(&self, faults: &mut Vec<Fault>) -> Option<Vec<ObjectShape>> {
        let before = faults.len();
        let mut shapes = Vec::with_capacity(self.sonar.objects.len());
        for (number, spec) in self.sonar.objects.iter().enumerate() {
            let path = format!("sonar.objects[{number}]");
            let vehicle = self.named_vehicle(&format!("{path}.vehicle"), spec.vehicle.as_deref(), faults);
            match object(spec) {
                Ok(mesh) => {
                    let own = sonar::vehicle_instance(self.vehicles.len() + number);
                    let instance = vehicle.map_or(own, sonar::vehicle_instance);
                    let mesh = Arc::new(mesh);
                    shapes.push(ObjectShape { vehicle, mesh, material: spec.material.material(), instance });
                }
                Err(error) => {
                    faults.push(Fault::new(format!("{path}.{}", error.field), error.message).depends(path));
                }
            }
        }
        (faults.len() == before).then_some(shapes)
    }

    /// Number of a vehicle by its name; none without a name, or if it is wrong.
    fn named_vehicle(&self, key: &str, name: Option<&str>, faults: &mut Vec<Fault>) -> Option<usize> {
        let name = name?;
        let found = self.vehicles.iter().position(|vehicle| vehicle.name == name);
        if found.is_none() {
            let hint = did_you_mean(nearest(name, self.vehicles.iter().map(|vehicle| vehicle.name.as_str())));
            faults.push(Fault::new(key, format!("is {name:?}, the name of no vehicle{hint}")).depends("vehicles"));
        }
        found
    }

    /// What hulls are made of, by vehicle.
    fn hull_materials(&self, objects: &[ObjectShape], faults: &mut Vec<Fault>) -> Vec<HullMaterial> {
        for name in self.sonar.hulls.keys() {
            self.named_vehicle(&format!("sonar.hulls.{name}"), Some(name), faults);
        }
        let of_model = |model: &str| if model == "buoy" { MaterialName::Buoy } else { MaterialName::Other };
        let hull = |(number, vehicle): (usize, &VehicleSpec)| {
            let named = self.sonar.hulls.get(&vehicle.name).copied();
            let is_replaced = objects.iter().any(|object| object.vehicle == Some(number));
            HullMaterial { material: named.unwrap_or_else(|| of_model(&vehicle.model)).material(), is_replaced }
        };
        self.vehicles.iter().enumerate().map(hull).collect()
    }

    fn ropes(&self, faults: &mut Vec<Fault>) -> Vec<Rope> {
        let first = self.vehicles.len() + self.sonar.objects.len();
        let mut ropes = Vec::with_capacity(self.sonar.ropes.len());
        for (number, RopeSpec { points, radius_m, material }) in self.sonar.ropes.iter().enumerate() {
            let mut point = |(place, spec): (usize, &RopePointSpec)| {
                let key = format!("sonar.ropes[{number}].points[{place}].vehicle");
                let vehicle = self.named_vehicle(&key, spec.vehicle.as_deref(), faults);
                RopePoint { vehicle, place_m: spec.position_m.into() }
            };
            let points = points.iter().enumerate().map(&mut point).collect();
            let (material, instance) = (material.material(), sonar::vehicle_instance(first + number));
            ropes.push(Rope { points, radius_m: *radius_m, material, instance });
        }
        ropes
    }
}

impl SeaScenario {
    /// The cells of the map. None if they are wrong; none inside without a map.
    #[expect(clippy::option_option, reason = "no map is not a wrong map")]
    pub(super) fn map(&self, terrain: Option<&Terrain>, faults: &mut Vec<Fault>) -> Option<Option<MapGrid>> {
        let Some(MapSpec { cell_m }) = self.sonar.map else { return Some(None) };
        let has_beams = |vehicle: &VehicleSpec| vehicle.sensors.mbes.is_some() || vehicle.sensors.single_beam.is_some();
        let made = match self.vehicles.iter().any(has_beams) {
            true => MapGrid::new(terrain, cell_m),
            false => Err("stays empty: no vehicle has a multibeam or an echo sounder".to_owned()),
        };
        let refused = |message| faults.push(Fault::new("sonar.map.cell_m", message).depends("sonar.map"));
        made.map(Some).map_err(refused).ok()
    }
}

impl super::spec_sonar::SonarSpec {
    fn check_scattering(&self, faults: &mut Vec<Fault>) {
        for (name, law) in &self.scattering {
            let key = format!("sonar.scattering.{}", format!("{name:?}").to_lowercase());
            let checked = law.law().and_then(|law| {
                let scattering = ScatteringTable::default().with(name.material(), law);
                Acoustics::new(AcousticParams { scattering, ..AcousticParams::default() }).map(|_| ())
            });
            if let Err(error) = checked {
                faults.push(Fault::new(key, error.message).depends("sonar.scattering"));
            }
        }
    }

    /// The laws; a wrong one is left out.
    fn table(&self) -> ScatteringTable {
        let laws = self.scattering.iter().filter_map(|(name, law)| Some((name.material(), law.law().ok()?)));
        laws.fold(ScatteringTable::default(), |table, (material, law)| table.with(material, law))
    }
}

impl ScatteringSpec {
    fn law(&self) -> Result<Scattering, ParamError> {
        match (self.lambert_db, &self.table) {
            (Some(level_db), None) => Ok(Scattering::Lambert(level_db)),
            (None, Some(rows)) => {
                if let Some(row) = rows.iter().find(|row| !(0.0..=90.0).contains(&row[0])) {
                    let message = format!("has the grazing angle {}, must be from 0 to 90 degrees", row[0]);
                    return Err(ParamError::new("table", message));
                }
                Ok(Scattering::Table(
                    rows.iter().map(|&[grazing_deg, level_db]| [rad(grazing_deg), level_db]).collect(),
                ))
            }
            _ => Err(ParamError::new("lambert_db", "must have exactly one of lambert_db and table")),
        }
    }
}

/// Corners of a box, and its triangles from outside.
fn cuboid(size_m: [f64; 3]) -> MeshParams {
    let half_m = 0.5 * DVec3::from(size_m);
    let corner = |n: u32| DVec3::new(f64::from(n & 1), f64::from(n >> 1 & 1), f64::from(n >> 2)) * 2.0 - 1.0;
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let triangles = sides.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    MeshParams { vertices_m: (0..8).map(|n| corner(n) * half_m).collect(), triangles }
}

fn object(spec: &ObjectSpec) -> Result<TriangleMesh, ParamError> {
    let (field, mut params) = match (spec.box_m, &spec.mesh) {
        (Some(size_m), None) => ("box_m", cuboid(size_m)),
        (None, Some(MeshSpec { vertices_m, triangles })) => {
            let vertices_m = vertices_m.iter().map(|&corner_m| corner_m.into()).collect();
            ("mesh", MeshParams { vertices_m, triangles: triangles.clone() })
        }
        _ => return Err(ParamError::new("box_m", "must be given, or a mesh in its place: exactly one of them")),
    };
    let named = |error: ParamError| ParamError::new(field, in_words(&error));
    params.check_closed().map_err(named)?;
    let across = angle::unit(rad(spec.yaw_deg));
    for corner_m in &mut params.vertices_m {
        let turned = across.rotate(DVec2::new(corner_m.x, corner_m.y));
        *corner_m = turned.extend(corner_m.z) + DVec3::from(spec.position_m);
    }
    TriangleMesh::new(params).map_err(named)
}

impl VehicleBuild<'_> {
    /// The sonars of the vehicle; what is wrong with them is noted.
    pub(super) fn sonars(&mut self, spec: &SensorsSpec) -> Vec<SonarSetup> {
        let mut made = Vec::new();
        for kind in SonarKind::ALL {
            let (beams, images) = (spec.beams(kind), spec.images(kind));
            let names = beams.iter().map(|spec| &spec.name).chain(images.iter().map(|spec| &spec.name));
            let names: Vec<&str> = names.map(String::as_str).collect();
            if !names.is_empty() && !self.scenario.terrain.is_given() {
                self.wrong(&format!("sensors.{}", kind.key()), "hears nothing: the scenario has no terrain", None);
            }
            self.check_names(kind, &names);
            for (place, spec) in beams.iter().enumerate() {
                let MultibeamSpec { mode, range_m, sensing, .. } = *spec;
                let common = Common { kind, place, name: &spec.name, mode, range_m, sensing };
                made.extend(self.beam_sonar(&common, spec));
            }
            for (place, spec) in images.iter().enumerate() {
                let (mode, range_m, sensing) = (spec.mode, spec.range_m, spec.sensing.sensing());
                let common = Common { kind, place, name: &spec.name, mode, range_m, sensing };
                made.extend(self.image_sonar(&common, spec));
            }
        }
        made
    }

    /// A name is part of that of a table: with hyphens in it, two tables could have one name.
    fn check_names(&mut self, kind: SonarKind, names: &[&str]) {
        for (place, name) in names.iter().enumerate() {
            let key = format!("sensors.{}[{place}].name", kind.key());
            if name.contains('-') {
                let table = kind.table();
                let message = format!("is {name:?}, must have no hyphen: its table is {table}-VEHICLE-NAME.csv");
                self.wrong(&key, message, None);
            }
            if let Some(other) = names[..place].iter().position(|other| other == name) {
                self.wrong(&key, format!("is {name:?}, the name of {}[{other}] too", kind.key()), None);
            }
        }
    }

    /// The times of a sonar. It warns of pings that come faster than sound from the range and back; acoustic ones wait.
    fn ping_times(&mut self, common: &Common<'_>) -> SensingSpec {
        let Common { range_m, mut sensing, .. } = *common;
        self.check_period(&format!("{}.sensing", common.block()), sensing.every_ms);
        let there_and_back_ms = 2e3 * range_m / self.scenario.water.made_of().sound_speed_m_s(0.0);
        if (sensing.every_ms as f64) < there_and_back_ms {
            let step_ms = 1e3 / f64::from(self.scenario.step_hz);
            let steps = (there_and_back_ms / step_ms - 1e-9).ceil();
            let waits = match common.mode {
                SonarMode::Rays => "the mode rays does not wait for it".to_owned(),
                SonarMode::Acoustic => format!("it pings every {} ms", (1e3 * steps * step_ms).round() / 1e3),
            };
            let message = format!(
                "is {}, less than the {there_and_back_ms:.0} ms of sound over range_m {range_m} and back: {waits}",
                sensing.every_ms
            );
            let path = format!("{}.sensors.{}.sensing.every_ms", self.path, common.block());
            self.faults.push(Fault::new(path, message).warning());
            if common.mode == SonarMode::Acoustic {
                sensing.every_ms = (steps * step_ms).ceil() as u64;
            }
        }
        sensing
    }

    /// The sound of a sonar whose beams have a width in their plane; none in the mode `rays`.
    fn acoustics(
        &self,
        common: &Common<'_>,
        (spec, width_deg): (&AcousticSpec, f64),
    ) -> Result<Option<Acoustics>, ParamError> {
        if common.mode == SonarMode::Rays {
            return Ok(None);
        }
        let made_of = self.scenario.water.made_of();
        let by_water = || made_of.absorption_db_km(spec.frequency_khz, 0.0);
        let AcousticSpec { source_level_db, noise_level_db, looks, tvg, gain_db, threshold_db, .. } = *spec;
        let params = AcousticParams {
            source_level_db,
            noise_level_db,
            absorption_db_km: spec.absorption_db_km.unwrap_or_else(by_water),
            sound_speed_m_s: made_of.sound_speed_m_s(0.0),
            pulse_s: 1e-3 * spec.pulse_ms,
            width_rad: rad(width_deg),
            across_rad: rad(spec.across_deg),
            pattern: spec.pattern.pattern(),
            looks,
            tvg,
            gain_db,
            threshold_db,
            scattering: self.scenario.sonar.table(),
            multipath: spec.multipath.map(|own| Multipath {
                surface_z_m: self.scenario.water.level_m,
                roughness_m: own.roughness_m,
                wave_number_per_m: TAU * 1e3 * spec.frequency_khz / made_of.sound_speed_m_s(0.0),
                bottom_loss_db: own.bottom_loss_db,
            }),
        };
        Acoustics::new(params).map(Some)
    }

    fn beam_sonar(&mut self, common: &Common<'_>, spec: &MultibeamSpec) -> Option<SonarSetup> {
        let reading = if common.kind == SonarKind::SingleBeam { BeamReading::First } else { BeamReading::Mean };
        let params = MultibeamParams {
            beams: spec.beams,
            opening_rad: rad(spec.opening_deg),
            range_m: spec.range_m,
            rays_per_beam: spec.rays_per_beam,
            beam_width_rad: rad(spec.beam_width_deg),
            reading,
        };
        let device = Multibeam::new(params).map(Device::Beams);
        let located = self.scenario.sonar.map.is_some();
        if spec.acoustic.multipath.is_some() {
            let key = format!("sensors.{}.acoustic.multipath", common.block());
            self.wrong(&key, "does nothing here: it is a key of sss, fls and msis", None);
        }
        let MultibeamSpec { classes, instances, points, long, .. } = *spec;
        let extras = Extras { classes, instances, points, long, angles: false, located };
        let sound = (&spec.acoustic, spec.beam_width_deg);
        self.sonar(common, (mount(&spec.mount), extras, sound), device)
    }

    fn image_sonar(&mut self, common: &Common<'_>, spec: &ImagingSpec) -> Option<SonarSetup> {
        self.check_image(common, spec);
        let params = ImagingParams {
            rays_per_beam: spec.rays_per_beam,
            opening_rad: rad(spec.opening_deg),
            tilt_rad: rad(spec.tilt_deg),
            range_m: spec.range_m,
            buckets: spec.bins,
            gain: spec.gain,
            distance_error_m: [spec.distance_bias_m, spec.distance_std_m],
            slips: spec.compat.slips(),
        };
        let width_rad = rad(spec.width_deg.unwrap_or(WIDTH_DEG));
        let scan = || Scan::new(rad(spec.step_deg.unwrap_or(STEP_DEG)), rad(spec.sector_deg.unwrap_or(SECTOR_DEG)));
        let display = Display { bits: spec.bits, range_db: spec.display_db };
        let imager = |sonar, scan| Device::Image(Imager { sonar, width_rad, display, scan });
        let beams = spec.beams.unwrap_or(BEAMS);
        let device = match common.kind {
            SonarKind::SideScan => ImagingSonar::side_scan(params).map(|sonar| imager(sonar, None)),
            SonarKind::ForwardLooking => {
                ImagingSonar::forward_looking(params, beams, width_rad).map(|sonar| imager(sonar, None))
            }
            _ => ImagingSonar::forward_looking(params, 1, 0.0)
                .and_then(|sonar| scan().map(|scan| imager(sonar, Some(scan)))),
        };
        let angles = spec.interferometric == Some(true);
        let ImagingSpec { classes, instances, points, long, .. } = *spec;
        let extras = Extras { classes, instances, points, long, angles, located: false };
        let sound = (&spec.acoustic, spec.beam_width_deg);
        self.sonar(common, (mount(&spec.mount), extras, sound), device)
    }

    /// Notes keys that do nothing for a kind or a mode, and displays that cannot be.
    fn check_image(&mut self, common: &Common<'_>, spec: &ImagingSpec) {
        use SonarKind::{ForwardLooking, Scanning, SideScan};
        let key = |name: &str| format!("sensors.{}.{name}", common.block());
        let of_kinds = [
            ("interferometric", spec.interferometric.is_some(), SideScan),
            ("beams", spec.beams.is_some(), ForwardLooking),
            ("width_deg", spec.width_deg.is_some(), ForwardLooking),
            ("step_deg", spec.step_deg.is_some(), Scanning),
            ("sector_deg", spec.sector_deg.is_some(), Scanning),
        ];
        for (name, _, kind) in of_kinds.into_iter().filter(|&(_, is_given, kind)| is_given && kind != common.kind) {
            self.wrong(&key(name), format!("does nothing here: it is a key of {}", kind.key()), None);
        }
        if ![8, 16, 32].contains(&spec.bits) {
            self.wrong(&key("bits"), format!("is {}, must be 8, 16 or 32", spec.bits), None);
        }
        let [low_db, high_db] = spec.display_db;
        if low_db >= high_db {
            let message = format!("is [{low_db}, {high_db}], must run from the smaller to the larger");
            self.wrong(&key("display_db"), message, None);
        }
        // Two samples a wave are all that a receiver has.
        let sound_m_s = self.scenario.water.made_of().sound_speed_m_s(0.0);
        let most = (2.0 * spec.range_m / (sound_m_s / (1e3 * spec.acoustic.frequency_khz))).floor();
        if spec.mode == SonarMode::Acoustic && f64::from(spec.bins) > most {
            let (bins, khz, range_m) = (spec.bins, spec.acoustic.frequency_khz, spec.range_m);
            let message =
                format!("is {bins}, more than the {most} samples, two a wave, of {khz} kHz over range_m {range_m}");
            self.wrong(&key("bins"), message, None);
        }
    }

    fn sonar(
        &mut self,
        common: &Common<'_>,
        (mount, extras, sound): (MountParams, Extras, (&AcousticSpec, f64)),
        device: Result<Device, ParamError>,
    ) -> Option<SonarSetup> {
        let sensing = {
            let times = self.ping_times(common);
            self.ranging(&times)
        };
        let step_s = 1.0 / f64::from(self.scenario.step_hz);
        let made = device.and_then(|device| {
            let acoustics = self.acoustics(common, sound)?;
            let (kind, place, name) = (common.kind, common.place as u32, common.name.to_owned());
            SonarSetup::new(SonarParts { name, kind, place, mount, device, acoustics, extras }, (sensing, step_s))
        });
        let noted = made.map_err(|error| {
            let (field, message) = key_of(&error);
            self.wrong(&format!("sensors.{}.{field}", common.block()), message, None);
        });
        let own = noted.ok()?;
        if self.scenario.trace.sensors {
            self.check_tables(common, &own);
        }
        Some(own)
    }

    /// Warns of tables that no spreadsheet holds, with what would fit.
    fn check_tables(&mut self, common: &Common<'_>, own: &SonarSetup) {
        let (steps, period) = (self.scenario.steps, own.sensor().params().period_ticks);
        let points = if own.extras.points { own.rays() } else { 0 };
        for (what, a_ping) in [("table", own.rows()), ("table of points", points)] {
            let rows = (steps / period + 1).saturating_mul(a_ping as u64);
            let most_pings = SHEET_ROWS / (a_ping as u64).max(1);
            if rows <= SHEET_ROWS || most_pings == 0 {
                continue;
            }
            let fits_ms = ((steps / most_pings + 1) * 1000).div_ceil(u64::from(self.scenario.step_hz));
            let message = format!(
                "makes a {what} of up to {rows} rows, a spreadsheet holds {SHEET_ROWS} below its header: {fits_ms} fits"
            );
            let path = format!("{}.sensors.{}.sensing.every_ms", self.path, common.block());
            self.faults.push(Fault::new(path, message).warning());
        }
        let columns = HEAD_COLUMNS + own.channels() - points * sonar::POINT;
        let columns = if own.kind == SonarKind::ForwardLooking { columns / own.rows() } else { columns };
        if !own.extras.long && columns > SHEET_COLUMNS {
            let message = format!(
                "makes a table of {columns} columns, a spreadsheet holds {SHEET_COLUMNS}: with \"long\" it has few"
            );
            let path = format!("{}.sensors.{}.long", self.path, common.block());
            self.faults.push(Fault::new(path, message).warning());
        }
    }
}

impl CompatSpec {
    fn slips(self) -> Slips {
        let Self { misses_in_first, levels_wrap, returns_of_previous } = self;
        Slips { misses_in_first, levels_wrap, returns_of_previous }
    }
}

impl Common<'_> {
    fn block(&self) -> String {
        format!("{}[{}]", self.kind.key(), self.place)
    }
}

/// The key of a sonar that a refused parameter follows from, and what is wrong with it.
fn key_of(error: &ParamError) -> (String, String) {
    let key = match error.field {
        "position_in_body_m" => "mount.position_m".to_owned(),
        "body_from_sensor_xyzw" => "mount.orientation_xyzw".to_owned(),
        "opening_rad" => "opening_deg".to_owned(),
        "beam_width_rad" | "width_rad" => "beam_width_deg".to_owned(),
        "step_rad" => "step_deg".to_owned(),
        "sector_rad" => "sector_deg".to_owned(),
        "tilt_rad" => "tilt_deg".to_owned(),
        "buckets" => "bins".to_owned(),
        "delay_ticks" => "sensing.delay_ms".to_owned(),
        "across_rad" => "acoustic.across_deg".to_owned(),
        "pulse_s" => "acoustic.pulse_ms".to_owned(),
        field @ ("beams" | "range_m" | "rays_per_beam" | "gain") => field.to_owned(),
        field @ ("source_level_db" | "noise_level_db" | "absorption_db_km" | "looks" | "tvg" | "gain_db"
        | "threshold_db") => {
            format!("acoustic.{field}")
        }
        field => format!("sensing.{field}"),
    };
    // A width of 0 makes an acoustic beam without a patch.
    let message = match error.field {
        "width_rad" => "must be 0.006 or more in the mode acoustic: a beam without a width returns nothing".to_owned(),
        "step_rad" => "must be at most sector_deg".to_owned(),
        _ => error.message.clone(),
    };
    (key, message)
}
