//! The tables of `docs/models/sam.md`: every number of them, computed.

use crate::sam_py::{self, Mended};
use crate::support::{Water, fossen, run, vehicle};
use sea_sim::body::BodyState;
use std::f64::consts::PI;

const DEG: f64 = PI / 180.0;

/// Cells of the rows of the table under a heading, without its first two lines.
fn table(before: &str) -> Vec<Vec<String>> {
    let path = format!("{}/../../docs/models/sam.md", env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(path).unwrap();
    let (_, rest) = page.split_once(before).unwrap();
    let rows = rest.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    rows.skip(2).map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

/// Percent, percent, deg, deg, rpm, rpm of a command's words.
fn commands(words: &str) -> [f64; 6] {
    match words {
        "both 1000 rpm" => [50.0, 50.0, 0.0, 0.0, 1000.0, 1000.0],
        "and rudder 7 deg" => [50.0, 50.0, 0.0, 7.0, 1000.0, 1000.0],
        "and stern 7 deg" => [50.0, 50.0, 7.0, 0.0, 1000.0, 1000.0],
        "ballast and battery 100 %" => [100.0, 100.0, 0.0, 0.0, 0.0, 0.0],
        "-500 and -400 rpm" => [50.0, 50.0, 0.0, 0.0, -500.0, -400.0],
        other => panic!("no command: {other}"),
    }
}

/// Place, angles and speed ahead of the Python model.
fn python(mut commands: [f64; 6], seconds: f64, mended: Mended) -> [f64; 7] {
    commands[2] *= DEG;
    commands[3] *= DEG;
    let state = sam_py::after(commands, seconds, mended);
    let ([x, y, z], [roll, pitch, yaw]) = (state.position.to_array(), sam_py::angles_deg(state.attitude));
    [x, y, z, roll, pitch, yaw, state.velocity.linear.x]
}

/// The same of a vehicle in water in which it is neutral.
fn ours(name: &str, density: f64, [ballast, battery, stern, rudder, front, back]: [f64; 6], seconds: f64) -> [f64; 7] {
    let commands = [
        ("vbs", ballast),
        ("lcg", battery),
        ("nozzle_pitch", stern * DEG),
        ("nozzle_yaw", rudder * DEG),
        ("propeller_front", front),
        ("propeller_back", back),
    ];
    let mut found = [0.0; 7];
    let (vehicle, water) = (vehicle(name), Water::deep(density));
    run(&vehicle, &water, BodyState::default(), &commands, (0.02, &[seconds]), |_, state| {
        let it = fossen(&state.body);
        let ([x, y, z], [roll, pitch, yaw]) = (it.position_m, it.angles_deg);
        found = [x, y, z, roll, pitch, yaw, it.speed_m_s[0]];
    });
    found
}

/// Whether a cell's numbers are these, rounded: metres and metres a second to hundredths, degrees to tenths.
fn assert_cell(cell: &str, found: [f64; 7], what: &str) {
    let printed: Vec<f64> = cell.split([',', ';']).map(|number| number.trim().parse().unwrap()).collect();
    assert_eq!(printed.len(), 7, "{cell}");
    for (n, (printed, found)) in printed.into_iter().zip(found).enumerate() {
        let half = if (3..6).contains(&n) { 0.05 } else { 0.005 };
        assert!((printed - found).abs() <= half * 1.001, "{what}: number {n} of `{cell}` is {found}");
    }
}

#[test]
fn printed_and_mended_motions_are_those_of_the_page() {
    let rows = table("## Printed against mended");
    let mut words = String::new();
    for row in &rows {
        let [command, seconds, printed, kth, sam] = &row[..] else { panic!("{row:?}") };
        if !command.is_empty() {
            words.clone_from(command);
        }
        let (given, seconds) = (commands(&words), seconds.parse().unwrap());
        let what = format!("{words}, {seconds} s");
        assert_cell(printed, python(given, seconds, Mended::default()), &format!("{what}, as printed"));
        assert_cell(kth, ours("sam_kth", 1026.0, given, seconds), &format!("{what}, sam_kth"));
        assert_cell(sam, ours("sam", 997.0, given, seconds), &format!("{what}, sam"));
    }
    assert_eq!(rows.len(), 7);
}

#[test]
fn each_mended_defect_changes_what_the_page_says() {
    let all = Mended { place: true, axes: true, side: true, stroke: true, coupling: true, roll: true, absolute: true };
    let none = Mended::default();
    let mended = |name: &str| match name {
        "nothing" => none,
        "place of the propellers" => Mended { place: true, ..none },
        "axes of their moment" => Mended { axes: true, ..none },
        "side of the frame" => Mended { side: true, ..none },
        "stroke of the battery" => Mended { stroke: true, ..none },
        "coupling of mass and centre of gravity" => Mended { coupling: true, ..none },
        "roll inertia" => Mended { roll: true, ..none },
        "absolute values" => Mended { absolute: true, ..none },
        "all" => all,
        other => panic!("no defect: {other}"),
    };
    let rows = table("What each one changes alone");
    for row in &rows {
        let of = |words: &str, seconds: f64| python(commands(words), seconds, mended(&row[0]));
        let turned = of("and rudder 7 deg", 5.0);
        let pitches = [("and stern 7 deg", 3.0), ("both 1000 rpm", 5.0), ("ballast and battery 100 %", 5.0)];
        let found = turned[3..6].iter().copied().chain(pitches.map(|(words, seconds)| of(words, seconds)[4]));
        let (angles, _) = row[1].split_once(';').unwrap_or((&row[1], ""));
        let angles = if angles == "no change" { &rows[0][1] } else { angles };
        let printed = angles.split(',').chain(row[2..].iter().map(String::as_str));
        let pairs: Vec<(f64, f64)> = printed.map(|number| number.trim().parse().unwrap()).zip(found).collect();
        assert_eq!(pairs.len(), 6, "{row:?}");
        assert!(pairs.iter().all(|(printed, found)| (printed - found).abs() <= 0.05), "{row:?}: {pairs:?}");
    }
    assert_eq!(rows.len(), 9);
}
