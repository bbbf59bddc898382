//! The files that a scenario of the sea names: heights, grids of currents, vehicles and recorded commands. They are read into the
//! scenario, so that a run can be repeated from its folder alone.

use super::library;
use super::spec::{HeightsSpec, SeaScenario, TerrainSpec};
use super::spec_sonar::{MeshSpec, ObjectSpec};
use super::spec_vehicle::{EquipmentSpec, TimedCommandSpec, VehicleSpec};
use super::spec_water::{CurrentGridSpec, CurrentSpec};
use super::vehicle_file::{self, OwnVehicle};
use crate::kind::Sea;
use crate::sonar::SonarKind;
use sea_echo::mesh::MeshParams;
use sea_echo::scan::MAX_SCAN_RAYS;
use sea_sim::terrain::{HeightGrid, Material, PngParams};
use serde_json::Value as Json;
use sim_core::DVec2;
use sim_input::columns::{Clause, NumberColumn, Row, clause, read_numbers, read_rows};
use sim_input::diagnostic::{Fault, Origin};
use sim_input::nearest::{did_you_mean, nearest};
use sim_input::text::SIZE_MAX;
use sim_input::tree;
use sim_input::walk::walk;
use sim_input::write::hand_written;
use sim_world::{Files, WorldKind};
use std::path::Path;

/// Most recorded commands.
const COMMANDS_MAX: usize = 50_000;
/// The word for a vehicle whose parameters say everything.
pub(super) const INLINE: &str = "inline";

/// What was read: the key that names the file, the file's name, and the key that holds its content now.
struct Content {
    key: String,
    file: String,
    held_by: String,
}

/// Reads the files, and the equipment of vehicles that ask for it. What is wrong with a vehicle's file is said of its lines; of other
/// files, of the key that names them. Returns the users' own files, one place a vehicle.
///
/// `written` is the scenario as its text says it, without defaults.
pub(super) fn read_into(
    scenario: &mut SeaScenario,
    written: &Json,
    files: &dyn Files,
) -> (Vec<Option<OwnVehicle>>, Vec<Fault>) {
    let mut reader = Reader { files, contents: Vec::new(), own: Vec::new(), faults: Vec::new() };
    reader.terrain(&mut scenario.terrain);
    for (number, current) in scenario.water.currents.iter_mut().enumerate() {
        reader.current(current, &format!("water.currents[{number}]"));
    }
    for (number, object) in scenario.sonar.objects.iter_mut().enumerate() {
        reader.object(object, &format!("sonar.objects[{number}]"));
    }
    let has_beacons = !scenario.beacons.is_empty();
    let has_bottom = scenario.terrain.is_given();
    for (number, vehicle) in scenario.vehicles.iter_mut().enumerate() {
        let known = reader.faults.len();
        reader.vehicle(vehicle, &format!("vehicles[{number}]"));
        if vehicle.equipment == EquipmentSpec::Model && reader.faults.len() == known {
            let over = &written["vehicles"][number]["sensors"];
            reader.equipment(vehicle, (over, has_beacons, has_bottom), &format!("vehicles[{number}]"));
        }
        reader.patterns(vehicle, &format!("vehicles[{number}]"));
    }
    let Reader { contents, own, mut faults, .. } = reader;
    if faults.is_empty() && !contents.is_empty() {
        faults = cannot_be_read_again(scenario, &contents);
    }
    (own, faults)
}

/// Reads files and notes what is wrong with them.
struct Reader<'a> {
    files: &'a dyn Files,
    contents: Vec<Content>,
    own: Vec<Option<OwnVehicle>>,
    faults: Vec<Fault>,
}

impl Reader<'_> {
    fn terrain(&mut self, terrain: &mut TerrainSpec) {
        let Some(name) = terrain.file.take() else { return };
        let read = heights_of(&name, terrain, self.files);
        if let Some(heights) = self.noted(read, ("terrain.file", &name, "terrain.heights")) {
            *terrain = TerrainSpec { material: terrain.material, heights: Some(heights), ..TerrainSpec::default() };
        }
    }

    fn current(&mut self, current: &mut CurrentSpec, path: &str) {
        let (Some(name), None) = (&current.grid_file, &current.grid) else { return };
        let read = grid_of(name, self.files);
        let keys = (format!("{path}.grid_file"), format!("{path}.grid"));
        if let Some(grid) = self.noted(read, (&keys.0, name, &keys.1)) {
            (current.grid, current.grid_file) = (Some(grid), None);
        }
    }

    /// Reads the directions of lidars.
    fn patterns(&mut self, vehicle: &mut VehicleSpec, path: &str) {
        for (place, lidar) in vehicle.sensors.lidar.iter_mut().flatten().enumerate() {
            let (Some(name), None) = (&lidar.pattern_file, &lidar.directions_deg) else { continue };
            let read = directions_of(name, self.files);
            let key = |key: &str| format!("{path}.sensors.lidar[{place}].{key}");
            if let Some(directions) = self.noted(read, (&key("pattern_file"), name, &key("directions_deg"))) {
                (lidar.directions_deg, lidar.pattern_file) = (Some(directions), None);
            }
        }
    }

    /// Reads a mesh, unless something else is given beside it, which is found later.
    fn object(&mut self, object: &mut ObjectSpec, path: &str) {
        let (Some(name), None, None) = (&object.mesh_file, &object.mesh, object.box_m) else { return };
        let read = mesh_of(name, self.files);
        let keys = (format!("{path}.mesh_file"), format!("{path}.mesh"));
        if let Some(mesh) = self.noted(read, (&keys.0, name, &keys.1)) {
            (object.mesh, object.mesh_file) = (Some(mesh), None);
        }
    }

    fn vehicle(&mut self, vehicle: &mut VehicleSpec, path: &str) {
        vehicle_file::drop_schema(&mut vehicle.parameters);
        let mut own = None;
        if vehicle.model.ends_with(".json") {
            own = self.own_vehicle(vehicle, path);
        } else if vehicle.model != INLINE && library::text(&vehicle.model).is_none() {
            self.faults.push(unknown_model(&vehicle.model, path));
        }
        self.own.push(own);
        let driver = &mut vehicle.driver;
        // A second driver beside it is found later.
        if let (Some(name), None) = (&driver.commands_csv, &driver.commands) {
            let read = commands_of(name, self.files);
            let keys = (format!("{path}.driver.commands_csv"), format!("{path}.driver.commands"));
            if let Some(commands) = self.noted(read, (&keys.0, name, &keys.1)) {
                (driver.commands, driver.commands_csv) = (Some(commands), None);
            }
        }
    }

    /// Reads the file of a user's own vehicle below the keys of the scenario.
    fn own_vehicle(&mut self, vehicle: &mut VehicleSpec, path: &str) -> Option<OwnVehicle> {
        let keys = (format!("{path}.model"), format!("{path}.parameters"));
        let text = text_of(&vehicle.model, self.files);
        let text = self.noted(text, (&keys.0, &vehicle.model, &keys.1))?;
        let read = OwnVehicle::read(&text, self.files.shown(&vehicle.model));
        let own = read.map_err(|faults| self.add(faults)).ok()?;
        let mut parameters = own.parameters.clone();
        merge(&mut parameters, &vehicle.parameters);
        (vehicle.parameters, vehicle.model) = (parameters, INLINE.to_owned());
        Some(own)
    }

    /// Adds faults that are not known yet: two vehicles may have one file.
    fn add(&mut self, faults: Vec<Fault>) {
        for fault in faults {
            if !self.faults.contains(&fault) {
                self.faults.push(fault);
            }
        }
    }

    /// Puts the sensors of the vehicle's model below those of the scenario, which are `over`. A receiver of beacons needs beacons,
    /// a sonar a bottom.
    fn equipment(
        &mut self,
        vehicle: &mut VehicleSpec,
        (over, has_beacons, has_bottom): (&Json, bool, bool),
        path: &str,
    ) {
        let of_library = || library::json(&vehicle.model).map(|json| vehicle_file::parts(json).1);
        let own = self.own.last().and_then(Option::as_ref).map(|own| own.equipment.clone());
        let found = own.or_else(of_library).filter(|found| found.as_object().is_some_and(|keys| !keys.is_empty()));
        let Some(mut sensors) = found else {
            let message = "cannot be \"model\": the model's file lists no sensors";
            return self.faults.push(Fault::new(format!("{path}.equipment"), message).depends(format!("{path}.model")));
        };
        let of_sonars = SonarKind::ALL.map(|kind| (kind.key(), has_bottom));
        for (sensor, is_of_use) in std::iter::once(("range", has_beacons)).chain(of_sonars) {
            if !is_of_use {
                sensors.as_object_mut().map(|keys| keys.remove(sensor));
            }
        }
        if over.is_object() {
            merge(&mut sensors, over);
        }
        match serde_json::from_value(sensors) {
            Ok(sensors) => (vehicle.sensors, vehicle.equipment) = (sensors, EquipmentSpec::None),
            Err(error) => self.faults.push(Fault::new(format!("{path}.sensors"), error.to_string())),
        }
    }

    /// What was read, with its place; or nothing, with a fault.
    fn noted<T>(&mut self, read: Result<T, Clause>, (key, file, held_by): (&str, &str, &str)) -> Option<T> {
        match &read {
            Ok(_) => {
                let [key, file, held_by] = [key, file, held_by].map(str::to_owned);
                self.contents.push(Content { key, file, held_by });
            }
            Err(why) => self.faults.push(Fault::new(key, format!("{file:?}{why}"))),
        }
        read.ok()
    }
}

/// What of the files goes beyond what the scenario may say itself: it is written into the run's folder and must load from there.
fn cannot_be_read_again(scenario: &SeaScenario, contents: &[Content]) -> Vec<Fault> {
    let text = hand_written(scenario);
    if text.len() as u64 > SIZE_MAX {
        let message = format!("makes the scenario larger than {} MiB with its files read into it", SIZE_MAX >> 20);
        return vec![Fault::new("terrain", message).depends("vehicles")];
    }
    let found = match tree::parse(&text, "", &Origin::Text) {
        Ok(root) => walk(&root, "the scenario", Sea.schema(), &text).faults,
        Err(fault) => vec![*fault],
    };
    let of_file = |content: &Content| {
        let (path, fault) = found.iter().find_map(|fault| Some((fault.path.strip_prefix(&content.held_by)?, fault)))?;
        let path = path.trim_start_matches('.');
        Some(Fault::new(&content.key, format!("{:?}: {path} {}", content.file, fault.message)))
    };
    contents.iter().filter_map(of_file).collect()
}

fn unknown_model(model: &str, path: &str) -> Fault {
    let is_begun = |name: &&str| model.len() > 2 && name.starts_with(model);
    let meant = nearest(model, library::names()).or_else(|| library::names().find(is_begun));
    let known = library::names().collect::<Vec<_>>().join(", ");
    let hint = match meant {
        Some(_) => did_you_mean(meant),
        None => format!("; known are {known}, and files that end in .json"),
    };
    let fault = Fault::new(format!("{path}.model"), format!("is {model:?}, which is no model{hint}"));
    Fault { suggestion: meant.map(str::to_owned), ..fault }
}

/// Keys of a vehicle's file that hold one of several kinds, by the kind's name.
const ONE_OF: [&str; 5] = ["motion", "buoyancy", "kind", "thrust", "torque"];

/// Lays keys over others: objects by their keys, everything else as a whole. `null` removes a key, and another kind takes the place of one
/// that is there.
pub(super) fn merge(base: &mut Json, over: &Json) {
    match (base, over) {
        (Json::Object(base), Json::Object(over)) => {
            for (key, value) in over {
                let known = base.entry(key.clone()).or_insert(Json::Null);
                if value.is_null() {
                    base.remove(key);
                } else if ONE_OF.contains(&key.as_str()) && !is_same_kind(known, value) {
                    *known = value.clone();
                } else {
                    merge(known, value);
                }
            }
        }
        (base, over) => *base = over.clone(),
    }
}

/// Whether all kinds that are named over another are there.
fn is_same_kind(known: &Json, over: &Json) -> bool {
    match (known.as_object(), over.as_object()) {
        (Some(known), Some(over)) => over.keys().all(|kind| known.contains_key(kind)),
        _ => false,
    }
}

fn text_of(name: &str, files: &dyn Files) -> Result<String, Clause> {
    String::from_utf8(files.read(name)?).map_err(|_| " is not UTF-8".to_owned())
}

/// Columns of a file of directions, with the limits of the key that holds them.
const DIRECTIONS: [NumberColumn; 2] =
    [NumberColumn::new("azimuth_deg", [-720.0, 720.0]), NumberColumn::new("elevation_deg", [-720.0, 720.0])];

/// Directions of rays: azimuths and elevations, degrees.
fn directions_of(name: &str, files: &dyn Files) -> Result<Vec<[f64; 2]>, Clause> {
    let rows = read_numbers(&text_of(name, files)?, &DIRECTIONS, MAX_SCAN_RAYS)?;
    Ok(rows.into_iter().map(|row| row.numbers.map(Option::unwrap_or_default)).collect())
}

fn grid_of(name: &str, files: &dyn Files) -> Result<CurrentGridSpec, Clause> {
    serde_json::from_str(&text_of(name, files)?).map_err(clause)
}

fn mesh_of(name: &str, files: &dyn Files) -> Result<MeshSpec, Clause> {
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
    let read = match ending.as_str() {
        "obj" => MeshParams::from_obj,
        "stl" => MeshParams::from_stl,
        _ => return Err(" is no mesh: its name must end in .obj or .stl".to_owned()),
    };
    let MeshParams { vertices_m, triangles } = read(&files.read(name)?).map_err(clause)?;
    Ok(MeshSpec { vertices_m: vertices_m.into_iter().map(Into::into).collect(), triangles })
}

fn heights_of(name: &str, spec: &TerrainSpec, files: &dyn Files) -> Result<HeightsSpec, Clause> {
    let others = [
        ("flat_z_m", spec.flat_z_m.is_some()),
        ("generated", spec.generated.is_some()),
        ("heights", spec.heights.is_some()),
    ];
    if let Some((key, _)) = others.iter().find(|(_, is_given)| *is_given) {
        return Err(format!(" cannot be read beside {key}: choose one of them"));
    }
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
    match ending.as_str() {
        "asc" => grid_heights(&text_of(name, files)?, spec),
        "png" => picture_heights(&files.read(name)?, spec),
        _ => Err(" is no grid of heights: its name must end in .asc or .png".to_owned()),
    }
}

fn grid_heights(text: &str, spec: &TerrainSpec) -> Result<HeightsSpec, Clause> {
    let of_pictures = [("picture_z_m", spec.picture_z_m.is_some()), ("picture_at_m", spec.picture_at_m.is_some())];
    if let Some((key, _)) = of_pictures.iter().find(|(_, is_given)| *is_given) {
        return Err(format!(" says its heights and its place itself: {key} is for pictures"));
    }
    let grid = HeightGrid::from_esri_ascii(text, Material(0)).map_err(clause)?;
    if let Some(cell_m) = spec.cell_m.filter(|&cell_m| cell_m != grid.params().cell_m) {
        return Err(format!(" has cells of {} m, cell_m is {cell_m}", grid.params().cell_m));
    }
    Ok(as_heights(&grid))
}

fn picture_heights(bytes: &[u8], spec: &TerrainSpec) -> Result<HeightsSpec, Clause> {
    let needed = |key: &str| format!(" is a picture: {key} must be given beside it");
    let cell_m = spec.cell_m.ok_or_else(|| needed("cell_m"))?;
    let range_z_m = spec.picture_z_m.ok_or_else(|| needed("picture_z_m"))?;
    let origin_m = spec.picture_at_m.map_or(DVec2::ZERO, DVec2::from_array);
    let params = PngParams { origin_m, cell_m, range_z_m, posts: None, missing: None, material: Material(0) };
    Ok(as_heights(&HeightGrid::from_png(bytes, &params).map_err(clause)?))
}

fn as_heights(grid: &HeightGrid) -> HeightsSpec {
    let params = grid.params();
    HeightsSpec {
        from_m: params.origin_m.to_array(),
        cell_m: params.cell_m,
        columns: params.columns,
        z_m: params.heights_m.clone(),
        materials: None,
    }
}

/// Columns of numbers of a file of commands, with the limits of the keys of a command.
const COMMANDS: [NumberColumn; 2] = [NumberColumn::new("time_s", [0.0, 1e9]), NumberColumn::new("value", [-1e6, 1e6])];

/// Commands from a CSV file.
fn commands_of(name: &str, files: &dyn Files) -> Result<Vec<TimedCommandSpec>, Clause> {
    let rows = read_rows(&text_of(name, files)?, (&COMMANDS, ["actuator"]), COMMANDS_MAX)?;
    let command = |row: Row<2, 1>| {
        let ([at_s, value], [actuator]) = (row.numbers.map(Option::unwrap_or_default), row.words);
        TimedCommandSpec { at_s, actuator, value }
    };
    Ok(rows.into_iter().map(command).collect())
}
