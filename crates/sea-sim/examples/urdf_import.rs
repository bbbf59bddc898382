//! Makes a vehicle's file out of a URDF and a file of components.
//!
//! ```text
//! cargo run -p sea-sim --features urdf --example urdf_import -- ROBOT.urdf COMPONENTS.json >vehicles/ROBOT.json
//! ```
//! The vehicle goes to standard output. Where links and frames are, and which components hang on nothing, goes to standard error; such
//! components are left out and the exit status stays 0. Meshes are read beside the URDF.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "it is a program")]

use sea_sim::urdf::{Components, NamedPlace, Structure, import_with};
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [robot, components] = &arguments[..] else { return Err("say a URDF and a file of components".into()) };
    let structure = Structure::from_urdf(&std::fs::read_to_string(robot)?).map_err(|why| format!("{robot}: {why}"))?;
    let components: Components = serde_json::from_str(&std::fs::read_to_string(components)?)?;
    let imported = import_with(&structure, &components, &|name| mesh_beside(Path::new(robot), name))?;
    print_places("link", &imported.links);
    print_places("frame", &imported.frames);
    for disabled in &imported.disabled {
        eprintln!("left out: {}: {}", disabled.component, disabled.reason);
    }
    for omitted in &imported.omitted {
        eprintln!("warning: {}: without {}", omitted.component, omitted.what);
    }
    println!("{}", serde_json::to_string_pretty(&imported.vehicle)?);
    Ok(())
}

fn print_places(what: &str, places: &[NamedPlace]) {
    for NamedPlace { name, origin } in places {
        eprintln!("{what} {name}: {:?} m, roll, pitch, yaw {:?} rad", origin.xyz_m, origin.rpy_rad);
    }
}

/// The bytes of a mesh beside the URDF. `package://NAME/PLACE` is looked for as PLACE in the URDF's folder and the one above.
fn mesh_beside(robot: &Path, name: &str) -> Result<Vec<u8>, String> {
    let place = name.strip_prefix("package://").and_then(|rest| rest.split_once('/')).map_or(name, |(_, place)| place);
    let folder = robot.parent().unwrap_or(Path::new(""));
    let found = [folder.join(place), folder.join("..").join(place)].into_iter().find(|path| path.is_file());
    let path = found.ok_or_else(|| "is not there".to_owned())?;
    std::fs::read(path).map_err(|error| format!("cannot be read: {error}"))
}
