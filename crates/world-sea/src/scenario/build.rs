//! From a scenario of the sea to its model, and to what is wrong with it.

use super::build_places::{check_goals, check_neighbours, check_places};
use super::build_vehicle::{VehicleBuild, ride_fault};
use super::spec::{
    ContactSpec, FrameSpec, HemisphereSpec, MaterialSpec, NamedPlaceSpec, OriginSpec, ParticlesSpec, ScriptSpec,
    SeaScenario, TerrainSpec, UtmSpec,
};
use super::spec_vehicle::StartSpec;
use super::spec_water::PropellerFieldSpec;
use super::vehicle_file::OwnVehicle;
use crate::inputs::{self, listed};
use crate::loads::PointForce;
use crate::model::{Beacon, FieldPropeller, Probe, ScriptEntry, ScriptedChange, SeaModel, VehicleSetup};
use crate::particles::ParticlePool;
use crate::sonar;
use crate::streams::Outputs;
use sea_sim::attitude::RollPitchYaw;
use sea_sim::body::BodyState;
use sea_sim::contact::{ContactParams, MaterialTable};
use sea_sim::field::Fields;
use sea_sim::georef::{Frame, Geodetic, Georef, Utm};
use sea_sim::spatial::Vec6;
use sea_sim::terrain::{FlatBottom, GeneratedParams, HeightGrid, HeightGridParams, Material, Terrain};
use sim_core::{DVec3, ParamError, RunKey};
use sim_input::diagnostic::Fault;
use sim_input::nearest::{did_you_mean, nearest};
use std::sync::Arc;

/// Degrees to radians.
pub(super) fn rad(deg: f64) -> f64 {
    deg.to_radians()
}

/// The first step that begins at a time or later. Times are multiples of the step up to rounding.
pub(super) fn step_at(at_s: f64, step_hz: u32) -> u64 {
    let steps = at_s * f64::from(step_hz);
    (steps - 1e-9 * steps.max(1.0)).ceil().max(0.0) as u64
}

/// Place, attitude and velocity of a start.
pub(super) fn body_at(start: &StartSpec) -> BodyState {
    let angles =
        RollPitchYaw { roll_rad: rad(start.roll_deg), pitch_rad: rad(start.pitch_deg), yaw_rad: rad(start.yaw_deg) };
    BodyState {
        position_m: DVec3::new(start.x_m, start.y_m, start.z_m),
        attitude: angles.to_quat(),
        velocity: Vec6::new(
            DVec3::new(start.u_m_s, start.v_m_s, start.w_m_s),
            DVec3::new(rad(start.p_deg_s), rad(start.q_deg_s), rad(start.r_deg_s)),
        ),
    }
}

/// Most distances between receivers and beacons.
const RECEIVED_MAX: usize = 100_000;

impl ContactSpec {
    /// Coefficients by the material of the bottom.
    fn table(&self, faults: &mut Vec<Fault>) -> Option<MaterialTable> {
        let others = ContactParams { friction: self.friction, restitution: self.restitution };
        let listed = self.materials.iter().map(|&MaterialSpec { material, friction, restitution }| {
            let own = ContactParams {
                friction: friction.unwrap_or(others.friction),
                restitution: restitution.unwrap_or(others.restitution),
            };
            (Material(material), own)
        });
        let table = MaterialTable::new(others, &listed.collect::<Vec<_>>());
        table.map_err(|error| faults.push(Fault::new("contact.materials", error.message))).ok()
    }
}

/// Where the origin lies unless it is given: the island of Asko, where the SMaRC vehicles swim, degrees.
const ASKO_DEG: [f64; 2] = [58.8226, 17.6317];

impl OriginSpec {
    /// Writes its default into it where no place is given.
    pub(super) fn write_default(&mut self) {
        if self.utm.is_none() {
            self.lat_deg.get_or_insert(ASKO_DEG[0]);
            self.lon_deg.get_or_insert(ASKO_DEG[1]);
        }
    }

    /// Latitude and longitude of the origin, or a key and what is wrong with it.
    fn place(&self) -> Result<Geodetic, (&'static str, String)> {
        let Some(UtmSpec { zone, hemisphere, easting_m, northing_m }) = self.utm else {
            let [latitude_deg, longitude_deg] =
                [self.lat_deg.unwrap_or(ASKO_DEG[0]), self.lon_deg.unwrap_or(ASKO_DEG[1])];
            return Ok(Geodetic { latitude_deg, longitude_deg, height_m: 0.0 });
        };
        let degrees = [("lat_deg", self.lat_deg), ("lon_deg", self.lon_deg)];
        if let Some((key, _)) = degrees.into_iter().find(|(_, degrees)| degrees.is_some()) {
            return Err(("origin.utm", format!("cannot be given beside {key}: the origin is one place")));
        }
        let band = if hemisphere == HemisphereSpec::North { 'N' } else { 'M' };
        let place = Utm { zone, band, easting_m, northing_m }.geodetic();
        let refused = |error: ParamError| ("origin.utm.northing_m", in_words(&error));
        let own_zone = Utm::from_geodetic(&place).map_err(refused)?.zone;
        if self.frame == FrameSpec::Grid && own_zone != zone {
            return Err(("origin.utm.zone", format!("is {zone}, the place lies in zone {own_zone}")));
        }
        Ok(place)
    }
}

impl SeaScenario {
    /// The model of the sea; everything that is wrong beyond single keys goes to `faults`.
    ///
    /// `own` has the users' own files, one place a vehicle.
    pub(super) fn build(&self, own: &[Option<OwnVehicle>], faults: &mut Vec<Fault>) -> Option<SeaModel> {
        let georef = self.georef(faults);
        let terrain = terrain(&self.terrain, self.seed, faults);
        let water = self.water.build(self, faults);
        let deepest_m = terrain.iter().flatten().map(|terrain| self.water.level_m - lowest_z_m(terrain)).next();
        self.water.waves.warn(deepest_m, faults);
        self.check_names(faults);
        self.check_receivers(faults).and(self.check_sonars(faults)).and(self.check_scanners(faults))?;
        let mut vehicles = self.vehicle_setups(own, faults)?;
        let contact = self.contact.table(faults);
        let script = self.script(&vehicles, faults);
        add_control_sources(&mut vehicles, &script);
        let propellers = self.propellers(&vehicles, faults);
        let (georef, terrain, water) = (georef?, terrain?, water?);
        let echo_bottom = echo_bottom(terrain.as_ref(), &vehicles, faults);
        let bottom = echo_bottom.as_ref().and_then(Option::as_ref);
        let (echo_objects, echo_scene) = self.echo_parts(bottom, &vehicles, faults);
        let map = self.map(terrain.as_ref(), faults);
        let mut model = SeaModel {
            name: self.name.clone(),
            seed: self.seed,
            steps: self.steps,
            step_hz: self.step_hz,
            trace_every: self.trace.every,
            has_sensor_tables: self.trace.sensors,
            has_forces: self.trace.forces,
            georef,
            highest_z_m: highest_z_m(terrain.as_ref()),
            terrain,
            echo_bottom: echo_bottom?,
            echo_objects,
            echo_scene: echo_scene?,
            map: map?,
            contact: contact?,
            level_m: self.water.level_m,
            made_of: water.made_of,
            waves: water.waves,
            wave_depth_m: water.wave_depth_m,
            shape: water.shape,
            currents: water.currents,
            particles: self.particles(&water.fields, faults),
            has_fields: !self.water.fields.is_empty(),
            fields: water.fields,
            propellers: propellers?,
            probes: self.probes(),
            sound_hz: self.water.sound_hz.clone(),
            beacons: self.beacons.iter().map(|beacon| Beacon { name: beacon.name.clone() }).collect(),
            beacons_m: self.beacons.iter().map(NamedPlaceSpec::place_m).collect(),
            acoustics: self.network(&vehicles, faults),
            by_name: by_name(&vehicles),
            vehicles,
            script,
            outputs: Outputs::default(),
            inputs: Vec::new(),
        };
        self.check_model(&model, faults);
        model.outputs = Outputs::new(&model);
        model.inputs = inputs::streams(&model);
        Some(model)
    }

    /// Objects in the world, and what sonars look at: none if it is wrong.
    #[expect(clippy::option_option, reason = "no bottom is not a wrong bottom")]
    fn echo_parts(
        &self,
        bottom: Option<&Arc<sea_echo::HeightGrid>>,
        vehicles: &[VehicleSetup],
        faults: &mut Vec<Fault>,
    ) -> (Vec<Arc<sea_echo::TriangleMesh>>, Option<Option<sonar::EchoScene>>) {
        let objects = self.object_shapes(faults);
        let in_world = world_fixed(objects.as_deref().unwrap_or_default());
        (in_world, self.echo_scene(bottom, vehicles, objects, faults))
    }

    /// Notes places and goals that cannot be.
    fn check_model(&self, model: &SeaModel, faults: &mut Vec<Fault>) {
        check_places(model, self, faults);
        check_neighbours(model, faults);
        check_goals(model, self, faults);
    }

    /// The setups of all vehicles, each checked before any is missed.
    fn vehicle_setups(&self, own: &[Option<OwnVehicle>], faults: &mut Vec<Fault>) -> Option<Vec<VehicleSetup>> {
        let setups = self.vehicles.iter().enumerate().map(|(number, vehicle)| {
            let own = own.get(number).and_then(Option::as_ref);
            VehicleBuild { scenario: self, path: format!("vehicles[{number}]"), own, faults: &mut *faults }
                .vehicle(vehicle)
        });
        let setups: Vec<Option<VehicleSetup>> = setups.collect();
        setups.into_iter().collect()
    }

    pub(super) fn georef(&self, faults: &mut Vec<Fault>) -> Option<Georef> {
        let frame = match self.origin.frame {
            FrameSpec::Tangent => Frame::Tangent,
            FrameSpec::Grid => Frame::Grid,
        };
        let made = self.origin.place();
        let origin = made.map_err(|(key, message)| faults.push(Fault::new(key, message).depends("origin"))).ok()?;
        Georef::new(origin, frame).map_err(|error| faults.push(Fault::from_param("origin", error.field, &error))).ok()
    }

    /// The particles that show fields.
    fn particles(&self, fields: &Fields, faults: &mut Vec<Fault>) -> Option<ParticlePool> {
        let spec = self.trace.particles?;
        if !fields.has_volumes() {
            let message = "have no place: no field has a box_m, a sphere or a propeller with a reach";
            faults.push(Fault::new("trace.particles", message).depends("water.fields"));
            return None;
        }
        let life_steps = (spec.lifetime_s * f64::from(self.step_hz)).round().max(1.0) as u64;
        let ParticlesSpec { count, radius_m, m_s_per_n, .. } = spec;
        Some(ParticlePool { count, life_steps, radius_m, m_s_per_n })
    }

    fn probes(&self) -> Vec<Probe> {
        let probes = self.water.probes.iter();
        probes.map(|probe| Probe { name: probe.name.clone(), position_m: probe.place_m() }).collect()
    }

    /// Names are there once.
    fn check_names(&self, faults: &mut Vec<Fault>) {
        let vehicles: Vec<&str> = self.vehicles.iter().map(|vehicle| vehicle.name.as_str()).collect();
        let beacons: Vec<&str> = self.beacons.iter().map(|beacon| beacon.name.as_str()).collect();
        let probes: Vec<&str> = self.water.probes.iter().map(|probe| probe.name.as_str()).collect();
        for (list, names) in [("vehicles", vehicles), ("beacons", beacons), ("water.probes", probes)] {
            let mut order: Vec<usize> = (0..names.len()).collect();
            order.sort_by_key(|&number| (names[number], number));
            for pair in order.windows(2).filter(|pair| names[pair[0]] == names[pair[1]]) {
                let message = format!("is {:?}, the name of {list}[{}] too", names[pair[1]], pair[0]);
                faults.push(Fault::new(format!("{list}[{}].name", pair[1]), message));
            }
        }
    }

    /// Each receiver has an instrument for each beacon. None if they are too many to be built.
    fn check_receivers(&self, faults: &mut Vec<Fault>) -> Option<()> {
        let receivers = self.vehicles.iter().filter(|vehicle| vehicle.sensors.range.is_some()).count();
        let pairs = receivers * self.beacons.len();
        if pairs <= RECEIVED_MAX {
            return Some(());
        }
        let message = format!("make with {receivers} receivers {pairs} distances, at most {RECEIVED_MAX} are allowed");
        faults.push(Fault::new("beacons", message));
        None
    }

    /// The propellers of force fields.
    fn propellers(&self, vehicles: &[VehicleSetup], faults: &mut Vec<Fault>) -> Option<Vec<FieldPropeller>> {
        let fields = self.water.fields.iter().enumerate();
        let of_fields = fields.filter_map(|(number, field)| Some((number, field.propeller.as_ref()?)));
        let made = of_fields.map(|(number, spec)| {
            let found = field_propeller(spec, vehicles);
            found.map_err(|(key, message, suggestion)| {
                let fault = Fault::new(format!("water.fields[{number}].propeller.{key}"), message);
                faults.push(Fault { suggestion, ..fault }.depends("vehicles"));
            })
        });
        let made: Vec<Result<FieldPropeller, ()>> = made.collect();
        made.into_iter().collect::<Result<_, ()>>().ok()
    }

    fn script(&self, vehicles: &[VehicleSetup], faults: &mut Vec<Fault>) -> Vec<ScriptEntry> {
        let mut entries = Vec::with_capacity(self.script.len());
        for (number, spec) in self.script.iter().enumerate() {
            match script_entry(spec, vehicles, self.step_hz) {
                Ok(entry) => entries.push(entry),
                Err((key, message, suggestion)) => {
                    let fault = Fault::new(format!("script[{number}].{key}"), message);
                    faults.push(Fault { suggestion, ..fault }.depends(format!("script[{number}]")));
                }
            }
        }
        entries.sort_by_key(|entry| entry.step);
        entries
    }
}

/// Adds what the script changes the sources of control to.
fn add_control_sources(vehicles: &mut [VehicleSetup], script: &[ScriptEntry]) {
    for entry in script {
        let ScriptedChange::ControlSource(source) = entry.change else { continue };
        let sources = &mut vehicles[entry.vehicle].control_sources;
        if !sources.contains(&source) {
            sources.push(source);
        }
    }
}

/// A key, what is wrong with it, and what would be right.
type KeyFault = (&'static str, String, Option<String>);

/// The number of a vehicle by its name.
fn vehicle_named(name: &str, vehicles: &[VehicleSetup]) -> Result<usize, KeyFault> {
    vehicles.iter().position(|vehicle| vehicle.name == name).ok_or_else(|| {
        let meant = nearest(name, vehicles.iter().map(|vehicle| vehicle.name.as_str()));
        let hint = did_you_mean(meant);
        ("vehicle", format!("is {name:?}, the name of no vehicle{hint}"), meant.map(str::to_owned))
    })
}

fn field_propeller(spec: &PropellerFieldSpec, vehicles: &[VehicleSetup]) -> Result<FieldPropeller, KeyFault> {
    let number = vehicle_named(&spec.vehicle, vehicles)?;
    let (vehicle, start) = (&vehicles[number].vehicle, &vehicles[number].start);
    let turns = |&place: &usize| vehicle.propeller(start, place).is_some() && vehicle.actuator_units()[place] == "rpm";
    let Some(actuator) = vehicle.actuator(&spec.actuator).filter(turns) else {
        let places = 0..vehicle.actuator_names().len();
        let names: Vec<String> = places.filter(turns).map(|place| vehicle.actuator_names()[place].clone()).collect();
        let message =
            format!("is {:?}, no propeller in rpm of {}; it has {}", spec.actuator, spec.vehicle, listed(&names));
        return Err((
            "actuator",
            message,
            nearest(&spec.actuator, names.iter().map(String::as_str)).map(str::to_owned),
        ));
    };
    Ok(FieldPropeller { vehicle: number, actuator })
}

/// What an entry of the script changes, for messages.
const CHANGES: &str = "teleport, push_n_s, force, leak and control_source";

fn script_entry(spec: &ScriptSpec, vehicles: &[VehicleSetup], step_hz: u32) -> Result<ScriptEntry, KeyFault> {
    let vehicle = vehicle_named(&spec.vehicle, vehicles)?;
    let of_starts =
        |start: &StartSpec| [("teleport.commands", !start.commands.is_empty()), ("teleport.hover", start.hover)];
    let given = spec.teleport.iter().flat_map(of_starts).find(|(_, is_given)| *is_given);
    if let Some((key, _)) = given {
        let message = "means nothing here: a teleport changes place, attitude and velocity alone";
        return Err((key, message.to_owned(), None));
    }
    let ride_fault = spec.teleport.as_ref().and_then(|start| ride_fault(&vehicles[vehicle].vehicle, start));
    if let Some((key, message)) = ride_fault {
        return Err((key, message, None));
    }
    let teleport = spec.teleport.as_ref().map(|start| ScriptedChange::Teleport(body_at(start)));
    let push = spec.push_n_s.map(|impulse| ScriptedChange::Push(impulse.into()));
    if spec.force.is_some() && vehicles[vehicle].vehicle.body().is_none() {
        return Err(("force", format!("cannot be: no force moves {}", spec.vehicle), None));
    }
    let force = spec.force.map(|force| PointForce { force_n: force.world_n.into(), at_m: force.at_m.into() });
    let others = [
        force.map(ScriptedChange::Force),
        spec.leak.map(ScriptedChange::Leak),
        spec.control_source.map(ScriptedChange::ControlSource),
    ];
    let mut changes = [teleport, push].into_iter().chain(others).flatten();
    match (changes.next(), changes.next()) {
        (Some(change), None) => Ok(ScriptEntry { step: step_at(spec.at_s, step_hz), vehicle, change }),
        (None, _) => {
            let message = format!("stands alone: one of {CHANGES} must be given");
            Err(("at_s", message, None))
        }
        (Some(_), Some(_)) => Err(("at_s", format!("has two changes: give one of {CHANGES}"), None)),
    }
}

/// None if it is wrong; none inside if there is none.
#[expect(clippy::option_option, reason = "no bottom is not a wrong bottom")]
fn terrain(spec: &TerrainSpec, seed: u64, faults: &mut Vec<Fault>) -> Option<Option<Terrain>> {
    let given = [
        ("flat_z_m", spec.flat_z_m.is_some()),
        ("generated", spec.generated.is_some()),
        ("heights", spec.heights.is_some()),
    ];
    let mut given = given.iter().filter(|(_, is_given)| *is_given).map(|(key, _)| *key);
    if let (Some(first), Some(second)) = (given.next(), given.next()) {
        let message = format!("cannot be given beside {first}: there is one bottom");
        faults.push(Fault::new(format!("terrain.{second}"), message));
        return None;
    }
    for (key, is_given) in [
        ("cell_m", spec.cell_m.is_some()),
        ("picture_z_m", spec.picture_z_m.is_some()),
        ("picture_at_m", spec.picture_at_m.is_some()),
    ] {
        if is_given {
            faults.push(Fault::new(format!("terrain.{key}"), "means nothing without file"));
        }
    }
    let made = if let Some(z_m) = spec.flat_z_m {
        FlatBottom::new(z_m, Material(spec.material)).map(Terrain::Flat).map_err(|error| ("flat_z_m", error))
    } else if let Some(generated) = &spec.generated {
        let key = RunKey { seed: generated.seed.unwrap_or(seed), run_index: 0 };
        let params = GeneratedParams {
            origin_m: generated.from_m.into(),
            cell_m: generated.cell_m,
            posts: generated.size_m.map(|size_m| (size_m / generated.cell_m).round() as usize + 1),
            base_z_m: generated.base_z_m,
            slope: generated.slope.into(),
            relief_m: generated.relief_m,
            feature_m: generated.feature_m,
            layers: generated.layers,
            material: Material(spec.material),
        };
        generated_grid(&params, key).map_err(|error| ("generated", error))
    } else if let Some(heights) = &spec.heights {
        let params = HeightGridParams {
            origin_m: heights.from_m.into(),
            cell_m: heights.cell_m,
            columns: heights.columns,
            rows: heights.z_m.len() / heights.columns,
            heights_m: heights.z_m.clone(),
            materials: heights.materials.as_ref().map_or_else(
                || vec![Material(spec.material)],
                |materials| materials.iter().copied().map(Material).collect(),
            ),
        };
        HeightGrid::new(params).map(Terrain::Grid).map_err(|error| ("heights", error))
    } else {
        return Some(None);
    };
    made.map(Some)
        .map_err(|(section, error)| faults.push(Fault::new(format!("terrain.{section}"), in_words(&error))))
        .ok()
}

/// The bottom as rays meet it. None if it is wrong; none inside if there is none or nothing casts rays.
#[expect(clippy::option_option, reason = "no bottom is not a wrong bottom")]
fn echo_bottom(
    terrain: Option<&Terrain>,
    vehicles: &[VehicleSetup],
    faults: &mut Vec<Fault>,
) -> Option<Option<Arc<sea_echo::HeightGrid>>> {
    let refused = |error: ParamError| {
        // A bottom has the limits of that of rays, but for its far borders.
        let message = format!("is too far for sonars: a border {}", error.message);
        faults.push(Fault::new("terrain", message));
    };
    sonar::bottom(terrain, vehicles).map_err(refused).ok()
}

/// The objects that are in the world and not on a vehicle.
fn world_fixed(objects: &[sonar::ObjectShape]) -> Vec<Arc<sea_echo::TriangleMesh>> {
    let lying = objects.iter().filter(|object| object.vehicle.is_none());
    lying.map(|object| Arc::clone(&object.mesh)).collect()
}

/// Most posts of a generated bottom: more of them take seconds.
const POSTS_MAX: usize = 4_000_000;

fn generated_grid(params: &GeneratedParams, key: RunKey) -> Result<Terrain, ParamError> {
    let [columns, rows] = params.posts;
    if columns.saturating_mul(rows) > POSTS_MAX {
        let message = format!("makes {columns} by {rows} posts, at most {POSTS_MAX} are allowed: take a larger cell_m");
        return Err(ParamError::new("size_m", message));
    }
    HeightGrid::generated(params, key).map(Terrain::Grid)
}

/// A refused parameter with its name.
pub(super) fn in_words(error: &ParamError) -> String {
    format!("{} {}", error.field, error.message)
}

/// Numbers of vehicles in the order of their names.
fn by_name(vehicles: &[VehicleSetup]) -> Vec<usize> {
    let mut numbers: Vec<usize> = (0..vehicles.len()).collect();
    numbers.sort_by(|&a, &b| vehicles[a].name.cmp(&vehicles[b].name));
    numbers
}

fn highest_z_m(terrain: Option<&Terrain>) -> f64 {
    match terrain {
        None => f64::NEG_INFINITY,
        Some(Terrain::Flat(flat)) => flat.z_m(),
        Some(Terrain::Grid(grid)) => grid.params().heights_m.iter().copied().fold(f64::NEG_INFINITY, f64::max),
    }
}

pub(super) fn lowest_z_m(terrain: &Terrain) -> f64 {
    match terrain {
        Terrain::Flat(flat) => flat.z_m(),
        Terrain::Grid(grid) => grid.params().heights_m.iter().copied().fold(f64::INFINITY, f64::min),
    }
}
