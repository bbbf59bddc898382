//! The scenarios that came along, held in the program: an installed program has them too.

use sim_run::scenario::{Diagnostics, NamedFiles, Source, did_you_mean, nearest, refused_file};

/// A scenario that came along.
#[derive(Debug)]
pub struct Entry {
    /// Its name, that of its file.
    pub name: &'static str,
    /// What it shows, in a sentence.
    pub about: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// A line of [`SCENARIOS`].
macro_rules! entry {
    ($name:literal, $about:literal) => {
        Entry { name: $name, about: $about, text: include_str!(concat!("../../../scenarios/", $name, ".json")) }
    };
}

/// All of them, in the order of the guide.
pub const SCENARIOS: [Entry; 29] = [
    entry!("swarm-30", "30 robots and one foot that never waits, ten minutes on a mat of 400 mm."),
    entry!("swarm-10", "The same with ten robots, which stay near points of interest and follow them."),
    entry!("swarm-30-differential", "30 robots on two wheels, which turn before they can go."),
    entry!("swarm-30-cubes", "30 toio cubes as robots: firmware, radio, motors and bodies; the foot waits."),
    entry!("swarm-20-cubes", "20 toio cubes as robots, and a foot that never waits."),
    entry!("swarm-30-considerate", "30 robots and a foot that goes anywhere and waits when it must."),
    entry!("swarm-30-two-feet", "30 robots and two feet that never wait."),
    entry!("swarm-30-edge", "30 robots and a foot that steps up to the edges, but not into the corners."),
    entry!("swarm-30-full", "30 robots and a foot that goes anywhere and never waits."),
    entry!("swarm-10-full", "The same with ten robots, which leave corners before the foot seals them."),
    entry!("stir", "30 robots and a foot that goes round on a circle without a pause."),
    entry!("squeeze", "30 robots and a considerate foot that goes into the corners again and again."),
    entry!("swarm-gallery", "12 robots that are sent from room to room among walls, a pillar and a foot that waits."),
    entry!("patches-only", "30 robots and points of interest, without a foot."),
    entry!("plaza-1000", "1000 robots and 33 considerate feet on a mat of 2.4 m, one minute."),
    entry!("plaza-10000", "10,000 robots and 330 considerate feet on a mat of 7.5 m, 20 seconds."),
    entry!("baseline-orca", "swarm-30 with the filter ORCA instead, for comparison."),
    entry!("baseline-penalty", "swarm-30 with a penalty on near velocities instead, for comparison."),
    entry!("cubes-tour", "Eight scripted toio cubes that show motors, lamps, sounds, sensors and hands."),
    entry!("cubes-link", "Two toio cubes on a play mat that wait for a program of yours."),
    entry!("hall", "30 robots on a large mat and two feet, which people lead on a live stage."),
    entry!("car-drive", "A car without a driver, to be driven on a live stage."),
    entry!("car-loop", "A car that follows waypoints round a walled course for three minutes."),
    entry!("car-wall", "A car that follows the wall on its right by its lidar alone."),
    entry!("car-traffic", "Four cars on one course, which see each other as they see walls."),
    entry!("sea-dive", "A torpedo-shaped vehicle that dives, turns and surfaces in a lake with currents."),
    entry!("sea-fleet", "Seven vehicles over the hills of a harbour, in waves and a current that wanders."),
    entry!("survey", "Three SAMs that map a harbour with multibeams and side scans, and a sunken container."),
    entry!("evolo-lidar", "A hydrofoil with a lidar and a depth camera among buoys and a boat."),
];

/// Files that they name.
pub const FILES: &[(&str, &[u8])] = &[
    ("maps/course.geojson", include_bytes!("../../../scenarios/maps/course.geojson")),
    ("routes/gallery.csv", include_bytes!("../../../scenarios/routes/gallery.csv")),
];

/// The scenario of a name, with or without its `@`.
pub fn find(name: &str) -> Result<&'static Entry, Diagnostics> {
    let name = name.strip_prefix('@').unwrap_or(name);
    let found = SCENARIOS.iter().find(|entry| entry.name == name);
    found.ok_or_else(|| {
        let meant = nearest(name, SCENARIOS.iter().map(|entry| entry.name)).map(|meant| format!("@{meant}"));
        let hint = did_you_mean(meant.as_deref());
        refused_file(&format!("@{name}"), &format!("no such scenario came along{hint}; `sim-cli scenarios` lists all"))
    })
}

/// The text of the scenario of a name.
pub fn source(name: &str) -> Result<Source, Diagnostics> {
    let Entry { name, text, .. } = find(name)?;
    Ok(Source { origin: format!("@{name}"), ..held((*text).to_owned()) })
}

/// A text that names files which came along.
pub fn held(text: String) -> Source {
    Source { origin: String::new(), text, named: NamedFiles::Held(FILES) }
}
