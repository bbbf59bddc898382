//! The files that a scenario of the road names: maps and recorded commands. They are read into the scenario, so that a run can be repeated
//! from its folder alone.

use super::spec::{MapSpec, RoadScenario};
use super::spec_driver::RecordingSpec;
use car_sim::{GrayImage, OccupancySpec, Outermost, Segment, SegmentMap};
use sim_input::diagnostic::Fault;
use sim_input::nearest::nearest;
use sim_input::text::SIZE_MAX;
use sim_input::write::hand_written;
use sim_world::Files;
use std::fmt::Display;
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

/// Clause that says what is wrong with a file, to follow its name.
type Clause = String;

fn clause(why: impl Display) -> Clause {
    format!(": {why}")
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

/// Columns of a file of commands, in the order of a recording's.
const COLUMNS: [&str; 4] = ["time_s", "velocity_m_s", "curvature_1_m", "acceleration_m_s2"];

/// Commands from a CSV file with a header line. Columns may stand in any order, and others are left alone; the last of [`COLUMNS`] may be
/// missing.
fn recording_of(name: &str, files: &dyn Files) -> Result<RecordingSpec, Clause> {
    let text = text_of(name, files)?;
    let mut reader =
        csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let header = reader.headers().map_err(clause)?.clone();
    let places = COLUMNS.map(|column| header.iter().position(|found| found == column));
    for (column, place) in COLUMNS.iter().zip(places).take(3) {
        if place.is_none() {
            let meant = nearest(column, header.iter()).map_or_else(String::new, |meant| format!("; is it {meant:?}?"));
            return Err(format!(" has no column {column}{meant}"));
        }
    }
    let mut columns: [Vec<f64>; 4] = Default::default();
    for record in reader.records() {
        let record = record.map_err(clause)?;
        let line = record.position().map_or(0, csv::Position::line);
        for ((column, place), values) in COLUMNS.iter().zip(places).zip(&mut columns) {
            let Some(place) = place else { continue };
            let field = record.get(place).unwrap_or_default();
            let value = field.parse().ok().filter(|value| is_allowed(column, *value));
            values.push(
                value.ok_or_else(|| {
                    format!(", line {line}, column {column}: is {field:?}, must be {}", allowed(column))
                })?,
            );
        }
        if let [.., before_s, time_s] = columns[0][..]
            && time_s <= before_s
        {
            return Err(format!(
                ", line {line}, column time_s: is {time_s}, must be later than {before_s} of the one before"
            ));
        }
        if columns[0].len() > MAX_COMMANDS {
            return Err(format!(" has more than {MAX_COMMANDS} commands"));
        }
    }
    let [time_s, velocity_m_s, curvature_1_m, acceleration_m_s2] = columns;
    if time_s.is_empty() {
        return Err(" has no commands".to_owned());
    }
    Ok(RecordingSpec { time_s, velocity_m_s, curvature_1_m, acceleration_m_s2 })
}

/// Smallest and largest value of a column: those of the keys of a recording.
fn limits(column: &str) -> [f64; 2] {
    match column {
        "time_s" => [0.0, 1e9],
        "velocity_m_s" => [-1e3, 1e3],
        "curvature_1_m" => [-1e6, 1e6],
        _ => [0.0, 1e6],
    }
}

fn is_allowed(column: &str, value: f64) -> bool {
    let [least, most] = limits(column);
    (least..=most).contains(&value)
}

fn allowed(column: &str) -> String {
    let [least, most] = limits(column);
    format!("a number from {least} to {most}")
}
