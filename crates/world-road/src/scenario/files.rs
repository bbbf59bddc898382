//! The files that a scenario of the road names: maps and recorded commands. They are read into the scenario, so that a run can be repeated
//! from its folder alone.

use super::spec::{MapSpec, RoadScenario};
use super::spec_driver::RecordingSpec;
use car_sim::{GrayImage, OccupancySpec, Outermost, Segment, SegmentMap};
use sim_input::columns::{Clause, NumberColumn, NumberRow, at, clause, read_numbers};
use sim_input::diagnostic::Fault;
use sim_input::text::SIZE_MAX;
use sim_input::write::hand_written;
use sim_world::Files;
use std::path::Path;

/// Most corners of a map: the scenario into which they are read must be short enough to be read again.
const MAX_CORNERS: usize = 20_000;
/// Most recorded commands.
const MAX_COMMANDS: usize = 50_000;

/// Reads the files. What is wrong with them is said of the key that names them.
pub(super) fn read_into(scenario: &mut RoadScenario, files: &dyn Files) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut has_read = false;
    if let Some(name) = scenario.map.file.take() {
        has_read = true;
        let read = no_list_beside(&scenario.map).and_then(|()| map_of(&name, scenario.map.tolerance_m, files));
        match read {
            Ok(map) => scenario.map = map,
            Err(why) => faults.push(Fault::new("map.file", format!("{name:?}{why}"))),
        }
    }
    for (number, car) in scenario.cars.iter_mut().enumerate() {
        let driver = &mut car.driver;
        // A second driver beside it is found later.
        if let (Some(name), None) = (&driver.commands_csv, &driver.recording) {
            has_read = true;
            match recording_of(name, files) {
                Ok(recording) => (driver.recording, driver.commands_csv) = (Some(recording), None),
                Err(why) => {
                    faults.push(Fault::new(format!("cars[{number}].driver.commands_csv"), format!("{name:?}{why}")))
                }
            }
        }
    }
    if faults.is_empty() && has_read && hand_written(scenario).len() as u64 > SIZE_MAX {
        let message = format!("make the scenario larger than {} MiB with their files read into it", SIZE_MAX >> 20);
        faults.push(Fault::new("cars", message).depends("map"));
    }
    faults
}

fn no_list_beside(spec: &MapSpec) -> Result<(), Clause> {
    let lists = [("walls_m", &spec.walls_m), ("floor_m", &spec.floor_m), ("solid_m", &spec.solid_m)];
    let given = lists.iter().find(|(_, list)| !list.is_empty());
    given.map_or(Ok(()), |(key, _)| Err(format!(" cannot be read beside {key}: choose one of them")))
}

fn text_of(name: &str, files: &dyn Files) -> Result<String, Clause> {
    String::from_utf8(files.read(name)?).map_err(|_| " is not UTF-8".to_owned())
}

fn map_of(name: &str, tolerance_m: f64, files: &dyn Files) -> Result<MapSpec, Clause> {
    let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or_default().to_lowercase();
    let map = match ending.as_str() {
        "geojson" | "json" => SegmentMap::from_geojson(&text_of(name, files)?).map_err(clause)?,
        "yaml" | "yml" => occupancy_of(name, tolerance_m, files)?,
        _ => return Err(" is no map: its name must end in .geojson, .json, .yaml or .yml".to_owned()),
    };
    let (rings, outermost) = map.corners().unwrap_or((Vec::new(), Outermost::Floor));
    let walls_m = lines_of(map.walls());
    let corners: usize = rings.iter().map(Vec::len).chain(walls_m.iter().map(Vec::len)).sum();
    if corners > MAX_CORNERS {
        let advice = if ending.starts_with('y') { "; a larger tolerance_m makes fewer" } else { "" };
        return Err(format!(" has {corners} corners, {MAX_CORNERS} are allowed{advice}"));
    }
    let lists = rings.iter().map(|ring| ring.iter().map(|corner| corner.to_array()).collect()).collect();
    Ok(match outermost {
        Outermost::Floor => MapSpec { floor_m: lists, walls_m, ..MapSpec::default() },
        Outermost::Solid => MapSpec { solid_m: lists, walls_m, ..MapSpec::default() },
    })
}

/// Thin walls as lines through points: a wall that begins where the one before it ends goes on with its line.
fn lines_of(walls: &[Segment]) -> Vec<Vec<[f64; 2]>> {
    let line = |chain: &[Segment]| -> Vec<[f64; 2]> {
        let points_m = chain[..1].iter().map(|wall| wall.from_m).chain(chain.iter().map(|wall| wall.to_m));
        points_m.map(|point_m| point_m.to_array()).collect()
    };
    walls.chunk_by(|before, next| before.to_m == next.from_m).map(line).collect()
}

/// A ROS map: the YAML file and the picture that it names.
fn occupancy_of(name: &str, tolerance_m: f64, files: &dyn Files) -> Result<SegmentMap, Clause> {
    let spec = OccupancySpec::from_yaml(&text_of(name, files)?).map_err(clause)?;
    let picture = Path::new(name).parent().unwrap_or(Path::new("")).join(&spec.image);
    let of_picture = |why: Clause| format!(": its picture {:?}{why}", spec.image);
    let image = GrayImage::from_bytes(&files.read(&picture.to_string_lossy()).map_err(of_picture)?);
    let image = image.map_err(|error| of_picture(clause(error)))?;
    SegmentMap::from_occupancy(&spec, &image, tolerance_m).map_err(clause)
}

/// Columns of a file of commands, with the limits of the keys of a recording.
const COMMANDS: [NumberColumn; 4] = [
    NumberColumn::new("time_s", [0.0, 1e9]),
    NumberColumn::new("velocity_m_s", [-1e3, 1e3]),
    NumberColumn::new("curvature_1_m", [-1e6, 1e6]),
    NumberColumn::new("acceleration_m_s2", [0.0, 1e6]).optional(),
];

/// Commands from a CSV file.
fn recording_of(name: &str, files: &dyn Files) -> Result<RecordingSpec, Clause> {
    let rows = read_numbers(&text_of(name, files)?, &COMMANDS, MAX_COMMANDS)?;
    let time_s = |row: &NumberRow<4>| row.numbers[0].unwrap_or_default();
    if let Some([before, row]) = rows.array_windows().find(|[before, row]| time_s(row) <= time_s(before)) {
        let message = format!("is {}, must be later than {} of the one before", time_s(row), time_s(before));
        return Err(at(row.line, "time_s", &message));
    }
    let has_acceleration = |row: &&NumberRow<4>| row.numbers[3].is_some();
    if let (Some(_), Some(row)) = (rows.iter().find(has_acceleration), rows.iter().find(|row| !has_acceleration(row))) {
        return Err(at(row.line, "acceleration_m_s2", "is missing: give all of them, or none"));
    }
    let column = |place: usize| rows.iter().filter_map(|row| row.numbers[place]).collect();
    Ok(RecordingSpec {
        time_s: column(0),
        velocity_m_s: column(1),
        curvature_1_m: column(2),
        acceleration_m_s2: column(3),
    })
}
