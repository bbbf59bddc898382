//! Side scans, forward-looking and scanning sonars, echo sounders and levels, from the scenario to the tables.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{KEY, WORLDS, list, model, rows, steps, text, world};
use sim_core::{DVec3, ops};
use sim_run::scenario::parse;
use sim_world::Model;
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, LN_10};
use test_alloc::allocations_of;
use world_sea::SeaWorld;

/// Fixed at a height over a level bottom at -30 m, looking east, with more members of the scenario before it.
fn fixed_at(z_m: f64, sensors: &str, members: &str) -> SeaWorld {
    world(&format!(
        r#"{members} "terrain": {{"flat_z_m": -30}},
        "vehicles": [{{"name": "s", "model": "station", "start": {{"z_m": {z_m}}}, "sensors": {{{sensors}}}}}]"#
    ))
}

/// The reference's side scan on SAM, without errors.
const SAM: &str = r#""sss": [{"rays_per_beam": 256, "opening_deg": 45, "tilt_deg": 45, "gain": 1, "distance_std_m": 0"#;

/// T-96 of the reference: filled bins at altitudes of 10, 20 and 5 m. A bin's level is that of the reference's equation, in 255ths.
#[test]
fn a_side_scan_fills_the_bins_of_the_reference() {
    for (altitude_m, first, last) in [(10.0, 100, 141), (20.0, 200, 282), (5.0, 50, 70)] {
        let world = fixed_at(altitude_m - 30.0, &format!("{SAM}}}]"), "");
        for side in ["port_#", "starboard_#"] {
            let levels = list(&world, "sidescan-s-main", side);
            assert_eq!(levels.len(), 1000);
            for (bin, &level) in levels.iter().enumerate() {
                assert_eq!(level > 0.0, (first..=last).contains(&bin), "{altitude_m} {bin}");
                // Mud, at the near and the far end of the bin: (R - d)/R cos i 0.2, rounded down.
                let at =
                    |distance_m: f64| 255.0 * (100.0 - distance_m) / 100.0 * (altitude_m / distance_m).min(1.0) * 0.2;
                let [high, low] = [0.1 * bin as f64, 0.1 * (bin + 1) as f64].map(at);
                assert!(level == 0.0 || (low.floor()..=high.floor()).contains(&level), "{bin} {level} {low} {high}");
            }
        }
        let of = |column: &str| rows(&world).number("sonar", column);
        assert_eq!([of("beams"), of("hits")], [2.0, 2.0 * (last - first + 1) as f64]);
        assert!((of("min_m") - altitude_m).abs() < 1e-9 && of("nadir_m").is_nan() && of("mean_level_db").is_nan());
    }
}

/// The angle of a bin over a level bottom at altitude h: acos(h/r) from straight down, to half the angle between two rays and a code.
#[test]
fn an_interferometric_side_scan_tells_angles() {
    let world = fixed_at(-20.0, &format!(r#"{SAM}, "interferometric": true, "classes": true}}]"#), "");
    for (side, sign) in [("port", -1.0), ("starboard", 1.0)] {
        let angles = list(&world, "sidescan-s-main", &format!("{side}_angle_#_rad"));
        let classes = list(&world, "sidescan-s-main", &format!("{side}_class_#"));
        for (bin, &angle_rad) in angles.iter().enumerate() {
            assert_eq!(angle_rad.is_finite(), (100..=141).contains(&bin), "{bin}");
            assert_eq!(classes[bin], f64::from(u8::from(angle_rad.is_finite())), "{bin}");
            if angle_rad.is_finite() {
                let from_down = |distance_m: f64| ops::acos((10.0 / distance_m).min(1.0));
                let [near, far] = [0.1 * bin as f64, 0.1 * (bin + 1) as f64].map(from_down);
                let found = sign * (angle_rad + FRAC_PI_2);
                assert!(found > near - 1e-4 && found < far + 1e-4, "{side} {bin} {found} {near} {far}");
            }
        }
    }
}

/// A box on the bottom throws a shadow of `h r/(H - h)` to starboard, in a scan of a scenario.
#[test]
fn a_sunken_box_throws_a_shadow() {
    // 2 m high from 18 to 20 m to the south of the sensor, which looks east 10 m above the bottom.
    let sonar = r#""sonar": {"objects": [{"position_m": [0, -19, -29], "box_m": [8, 2, 2], "material": "rock"}]},"#;
    let sss = r#""sss": [{"rays_per_beam": 8000, "opening_deg": 85, "tilt_deg": 4, "bits": 32, "distance_std_m": 0, "classes": true}]"#;
    let world = fixed_at(-20.0, sss, sonar);
    let levels = list(&world, "sidescan-s-main", "starboard_#");
    let slant = |across_m: f64, up_m: f64| (across_m * across_m + (10.0 - up_m) * (10.0 - up_m)).sqrt();
    let edge = (slant(20.0, 2.0) / 0.1) as usize;
    let end = (slant(20.0 + 2.0 * 20.0 / 8.0, 0.0) / 0.1) as usize;
    assert!(levels[edge] > 0.0 && levels[end] > 0.0 && end > edge + 40, "{edge} {end}");
    assert!(levels[edge + 1..end].iter().all(|&level| level == 0.0));
    let port = list(&world, "sidescan-s-main", "port_#");
    assert!(port[edge + 1..end].iter().all(|&level| level > 0.0));
}

/// T-97 of the reference: 31 beams over 30 degrees, the 16th straight ahead, in a row each.
#[test]
fn forward_looking_beams_have_a_row_each() {
    let fls = r#""fls": [{"beams": 31, "width_deg": 30, "rays_per_beam": 1, "opening_deg": 0, "tilt_deg": 30, "bits": 16,
        "distance_std_m": 0, "gain": 1, "bins": 200}]"#;
    let world = fixed_at(-19.9, fls, "");
    let angles = rows(&world).numbers("fls-s-main", "angle_rad");
    assert_eq!(rows(&world).numbers("fls-s-main", "beam"), (0..31).map(f64::from).collect::<Vec<_>>());
    for (beam, angle_rad) in angles.iter().enumerate() {
        assert!((angle_rad - (15.0 - beam as f64).to_radians()).abs() < 1e-12, "{beam}");
    }
    // 30 degrees down from 10.1 m over the bottom: 20.2 m, at the incidence of 60 degrees: 0.798 x 0.5 x 0.2 of 65535.
    for levels in rows(&world).lists("fls-s-main", "bin_#") {
        assert_eq!(levels.iter().position(|&level| level > 0.0), Some(40));
        assert_eq!(levels[40], (65_535.0_f64 * 0.0798).floor());
    }
}

/// A wall to the north is seen when the beam has turned there: from ahead, east, to starboard, all round or back and forth.
#[test]
fn a_scanning_beam_turns_from_ping_to_ping() {
    let sonar = r#""sonar": {"objects": [{"position_m": [0, 20.5, -20], "box_m": [2, 1, 20], "material": "buoy"}]},"#;
    let msis = |sector: u32| {
        format!(
            r#""msis": [{{"rays_per_beam": 1, "opening_deg": 0, "tilt_deg": 0, "step_deg": 10, "sector_deg": {sector},
            "distance_std_m": 0, "range_m": 50, "bins": 50, "sensing": {{"every_ms": 20}}}}]"#
        )
    };
    let scan = |sector: u32| {
        let mut world = fixed_at(-20.0, &msis(sector), sonar);
        let look = |world: &SeaWorld| {
            let seen = list(world, "msis-s-main", "bin_#").iter().position(|&level| level > 0.0);
            (rows(world).number("msis-s-main", "angle_rad").to_degrees().round() as i32, seen)
        };
        let mut told = vec![look(&world)];
        for _ in 0..60 {
            steps(&mut world, 1);
            told.push(look(&world));
        }
        told
    };
    let round = scan(360);
    assert!((0..=60).all(|n| round[n].0 == -10 * (n as i32 % 36)), "{round:?}");
    // North is 90 degrees to port, 270 to starboard.
    assert!((0..=60).all(|n| round[n].1 == (n == 27).then_some(20)), "{round:?}");
    let sector = scan(200);
    let angle = |n: i32| 100 - 10 * (20 - ((n % 40) - 20).abs());
    assert!((0..=60).all(|n| sector[n as usize].0 == angle(n)), "{sector:?}");
    assert!(sector.iter().all(|&(angle, seen)| seen == (angle == 90).then_some(20)), "{sector:?}");
}

/// An echo sounder reads the first return: over a slope of 45 degrees, the edge of its beam nearest to it.
#[test]
fn an_echo_sounder_reads_the_first_return() {
    let world = world(
        r#""terrain": {"heights": {"from_m": [-20, -40], "cell_m": 40, "columns": 2, "z_m": [-70, -70, -30, -30, 10, 10]}},
        "vehicles": [{"name": "s", "model": "station", "start": {"z_m": -10},
            "sensors": {"single_beam": [{"rays_per_beam": 3, "beam_width_deg": 30}]}}]"#,
    );
    let read_m = list(&world, "singlebeam-s-main", "beam_#_m");
    // 20 m above a slope that rises to port: rays at -10, 0 and 10 degrees; the plane is 20 sin 45 away along its normal.
    let expected_m = 20.0 * ops::cos(FRAC_PI_4) / ops::cos(FRAC_PI_4 - 10_f64.to_radians());
    assert!(read_m.len() == 1 && (read_m[0] - expected_m).abs() < 1e-9, "{read_m:?} {expected_m}");
}

/// A beam straight down in the mode `acoustic`: the sonar equation with the water's absorption at the frequency, and time-varied gain.
#[test]
fn levels_of_a_scenario_are_those_of_the_sonar_equation() {
    let mbes = r#""mbes": [{"mode": "acoustic", "beams": 1, "beam_width_deg": 2, "classes": true, "acoustic": {"frequency_khz": 450,
        "source_level_db": 210, "noise_level_db": -200, "across_deg": 1.5, "pattern": "even", "looks": 0, "tvg": null, "gain_db": 3}}]"#;
    let members = r#""water": {"temperature_c": 8, "salinity_psu": 7},
        "sonar": {"bottom": "rock", "scattering": {"rock": {"lambert_db": -20}}},"#;
    let world = fixed_at(-10.0, mbes, members);
    // 450 kHz in the Baltic of the sea facts at the surface.
    let absorption = world.model().made_of.absorption_db_km(450.0, 0.0);
    assert!((absorption - 76.9).abs() < 0.5, "{absorption}");
    let area = 400.0 * 2_f64.to_radians() * 1.5_f64.to_radians();
    let log10 = |value: f64| ops::ln(value) / LN_10;
    let expected_db = 213.0 - 40.0 * log10(20.0) - 2.0 * absorption * 0.02 - 20.0 + 10.0 * log10(area);
    let level_db = list(&world, "mbes-s-main", "level_#_db")[0];
    assert!((level_db - expected_db).abs() < 1e-9, "{level_db} {expected_db}");
    assert!((rows(&world).number("sonar", "mean_level_db") - expected_db).abs() < 1e-9);
    assert_eq!(list(&world, "mbes-s-main", "class_#"), [1.0]);
}

/// A sphere of 1 m hangs 10 m to starboard over nothing that is heard: its level to 1e-9 dB, in dB and in a byte between 0 and 200 dB.
#[test]
fn a_small_target_of_a_scenario_has_its_level() {
    let sss = |more: &str| {
        format!(
            r#""sss": [{{"mode": "acoustic", "range_m": 19, "bins": 190, "rays_per_beam": 2, "opening_deg": 20, "tilt_deg": -10, "bits": 32,
            "acoustic": {{"noise_level_db": -200, "pattern": "even", "looks": 0, "tvg": null, "pulse_ms": 0.5,
                "absorption_db_km": 100}} {more}}}]"#
        )
    };
    let sonar = r#""sonar": {"targets": [{"position_m": [0, -10, -10], "strength_db": -6}]},"#;
    let world = fixed_at(-10.0, &sss(""), sonar);
    let levels = list(&world, "sidescan-s-main", "starboard_#_db");
    let expected_db = 215.0 - 40.0 - 2.0 - 6.0;
    for (bin, level_db) in levels.iter().enumerate() {
        // A pulse of 0.5 ms is 37 cm long: three bins of 10 cm are covered by it.
        assert!((*level_db > 0.0) == (100..104).contains(&bin), "{bin} {level_db}");
        assert!(!(100..103).contains(&bin) || (level_db - expected_db).abs() < 1e-9, "{bin} {level_db}");
    }
    let coded =
        fixed_at(-10.0, &sss(r#", "bits": 8, "display_db": [0, 200]"#).replacen(r#""bits": 32,"#, "", 1), sonar);
    let levels = list(&coded, "sidescan-s-main", "starboard_#");
    assert_eq!([levels[101], levels[50]], [(255.0 * expected_db / 200.0).floor(), 0.0]);
}

/// Still water mirrors the sonar: a target 10 m deep as the sonar, 30 m ahead, is heard over the surface from 36.06 m, and half-way.
#[test]
fn the_surface_gives_more_echoes() {
    let fls = |multipath: &str| {
        format!(
            r#""fls": [{{"mode": "acoustic", "beams": 1, "width_deg": 0, "rays_per_beam": 2, "opening_deg": 2,
            "tilt_deg": -1, "range_m": 50, "bins": 500, "bits": 32, "beam_width_deg": 100, "acoustic": {{"noise_level_db": -200,
                "pattern": "even", "looks": 0, "tvg": null, "absorption_db_km": 0, "pulse_ms": 0.5, "multipath": {multipath}}}}}]"#
        )
    };
    let sonar = r#""sonar": {"targets": [{"position_m": [30, 0, -10], "strength_db": 0}]},"#;
    let levels = |multipath: &str| list(&fixed_at(-10.0, &fls(multipath), sonar), "fls-s-main", "bin_#_db");
    let over_m = (900.0_f64 + 400.0).sqrt();
    let log10 = |value: f64| ops::ln(value) / LN_10;
    let (straight, mirrored) = (levels("null"), levels("{}"));
    for (at_m, loss_db) in [
        (30.0, 40.0 * log10(30.0)),
        (0.5 * (30.0 + over_m), 20.0 * log10(30.0 * over_m) - 10.0 * log10(2.0)),
        (over_m, 40.0 * log10(over_m)),
    ] {
        let bin = (at_m / 0.1) as usize + 1;
        assert!((mirrored[bin] - (215.0 - loss_db)).abs() < 1e-6, "{at_m} {} {}", mirrored[bin], 215.0 - loss_db);
        assert_eq!(straight[bin] > 0.0, at_m == 30.0);
    }
    let rough = levels(r#"{"roughness_m": 1}"#);
    assert_eq!(rough, straight);
}

/// With the slip the first ping returns nothing where it hears something, and the second one what the first met.
#[test]
fn returns_of_the_ping_before_are_a_slip() {
    let sss = |compat: &str| format!("{SAM}, \"compat\": {{{compat}}}, \"classes\": true}}]");
    let levels = |world: &SeaWorld| list(world, "sidescan-s-main", "port_#");
    let plain = fixed_at(-20.0, &sss(""), "");
    let mut late = fixed_at(-20.0, &sss(r#""returns_of_previous": true"#), "");
    assert!(levels(&plain).iter().any(|&level| level > 0.0));
    assert!(levels(&late).iter().all(|&level| level == 0.0));
    assert_eq!(rows(&late).number("sonar", "hits"), rows(&plain).number("sonar", "hits"));
    let at_start = late.state().hash();
    steps(&mut late, 10);
    assert_eq!(levels(&late), levels(&plain));
    assert_ne!(late.state().hash(), at_start);
}

/// Acoustic pings wait for the one before: 100 m there and back at some 1490 m/s are 134 ms, seven steps of 20 ms.
#[test]
fn acoustic_pings_wait_for_sound() {
    let members = |mode: &str| {
        text(&format!(
            r#""terrain": {{"flat_z_m": -30}}, "vehicles": [{{"name": "s", "model": "station", "start": {{"z_m": -10}},
            "sensors": {{"sss": [{{"mode": "{mode}", "sensing": {{"every_ms": 60}}}}]}}}}]"#
        ))
    };
    let said = |mode: &str| {
        let loaded = parse(WORLDS, &members(mode), "a.json", &[]).unwrap();
        (loaded.warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"), loaded)
    };
    let (acoustic, _) = said("acoustic");
    assert!(
        acoustic.contains("is 60, less than the 134 ms of sound over range_m 100 and back: it pings every 140 ms"),
        "{acoustic}"
    );
    let (rays, _) = said("rays");
    assert!(rays.contains("and back: the mode rays does not wait for it"), "{rays}");
    for (mode, period) in [("acoustic", 7), ("rays", 3)] {
        let mut world = world(&format!(
            r#""terrain": {{"flat_z_m": -30}}, "vehicles": [{{"name": "s", "model": "station", "start": {{"z_m": -10}},
                "sensors": {{"sss": [{{"mode": "{mode}", "bins": 10, "rays_per_beam": 2, "sensing": {{"every_ms": 60}}}}]}}}}]"#
        ));
        for step in 0..30 {
            assert_eq!(rows(&world).numbers("sonar", "ping").len(), usize::from(step % period == 0), "{mode} {step}");
            steps(&mut world, 1);
        }
    }
}

/// Places that rays met: on the bottom, right below or beside the sensor; and tables of a row a bin.
#[test]
fn points_and_long_tables_are_options() {
    let sss = r#""sss": [{"rays_per_beam": 5, "opening_deg": 80, "tilt_deg": 10, "bins": 4, "range_m": 44, "points": true, "long": true,
        "classes": true, "distance_std_m": 0}]"#;
    let world = fixed_at(-20.0, sss, "");
    let streams: Vec<_> = world.model().outputs().iter().map(|stream| stream.name.to_string()).collect();
    assert_eq!(streams[streams.len() - 2..], ["sidescan-s-main", "points-sidescan-s-main"]);
    let points = |column: &str| rows(&world).numbers("points-sidescan-s-main", column);
    let (x, y, z) = (points("x_m"), points("y_m"), points("z_m"));
    // 10 m above the bottom rays of 10 and 80 degrees below the horizon and between; that of 10 degrees would go 57 m.
    assert_eq!(points("ray"), [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
    for (n, ray) in points("ray").into_iter().enumerate() {
        let below_rad = if ray < 5.0 { 10.0 + 20.0 * ray } else { 90.0 - 20.0 * (ray - 5.0) }.to_radians();
        let across_m = 10.0 / ops::tan(below_rad) * if ray < 5.0 { 1.0 } else { -1.0 };
        let expected_m = DVec3::new(0.0, across_m, -30.0);
        assert!(DVec3::new(x[n], y[n], z[n]).distance(expected_m) < 1e-9, "{ray} {} {across_m}", y[n]);
    }
    let long = |column: &str| rows(&world).numbers("sidescan-s-main", column);
    assert_eq!(long("side"), [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0]);
    assert_eq!(long("bin"), [0.0, 1.0, 2.0, 3.0, 0.0, 1.0, 2.0, 3.0]);
    // Bins of 11 m: 10 and 10.6 m in the first, 13.1 and 20 m in the second.
    assert_eq!(long("class"), [1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0]);
    let columns = world.model().outputs()[streams.len() - 2].csv_columns().collect::<Vec<_>>().join(",");
    assert_eq!(columns, "step,time_s,vehicle,sensor,taken_s,ping,side,bin,level,class");
}

/// A thousand seconds of 64 beams every 40 ms are 1 600 064 rows; 1 048 575 hold 16 383 pings of 64 beams: every 62 ms and more.
#[test]
fn tables_beyond_a_spreadsheet_are_warned_of_with_what_fits() {
    let said = |sensors: &str| {
        let scenario = text(&format!(
            r#""steps": 50000, "terrain": {{"flat_z_m": -30}}, "vehicles": [{{"name": "s", "model": "station", "start": {{"z_m": -10}},
            "sensors": {{{sensors}}}}}]"#
        ));
        let loaded = parse(WORLDS, &scenario, "a.json", &[]).unwrap();
        loaded.warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
    };
    let fls = |every_ms: u32| {
        said(&format!(
            r#""fls": [{{"range_m": 20, "rays_per_beam": 1, "bins": 10, "sensing": {{"every_ms": {every_ms}}}}}]"#
        ))
    };
    let table = "fls[0].sensing.every_ms: makes a table of up to 1600064 rows, a spreadsheet holds 1048575 below its header: 80 fits";
    assert!(fls(40).contains(table), "{}", fls(40));
    assert_eq!(fls(80), "");
    let wide = said(r#""sss": [{"bins": 9000, "rays_per_beam": 2}]"#);
    assert!(wide.contains("sss[0].long: makes a table of 18011 columns, a spreadsheet holds 16384"), "{wide}");
}

/// Speckle and distances of a sonar have addresses of their own; a second run of the same key is the same.
#[test]
fn images_repeat_and_do_not_allocate() {
    let sensors = r#""sss": [{"mode": "acoustic", "bins": 50}, {"name": "second", "bins": 50}],
        "fls": [{"mode": "acoustic", "beams": 3, "bins": 40}]"#;
    let run = |sensors: &str| {
        let mut world = fixed_at(-20.0, sensors, "");
        steps(&mut world, 10);
        world
    };
    let levels = |world: &SeaWorld| {
        let of = |stream: &str, column: &str| rows(world).lists(stream, column).concat();
        [of("sidescan-s-main", "port_#"), of("sidescan-s-second", "port_#"), of("fls-s-main", "bin_#")]
    };
    let mut world = run(sensors);
    assert_eq!(levels(&world), levels(&run(sensors)));
    let fls = r#""fls": [{"mode": "acoustic", "beams": 3, "bins": 40}]"#;
    let alone = fixed_at(-20.0, fls, "");
    assert_eq!(
        rows(&alone).lists("fls-s-main", "bin_#"),
        rows(&fixed_at(-20.0, sensors, "")).lists("fls-s-main", "bin_#")
    );
    let other = SeaWorld::new(
        model(&format!(
            r#""seed": 9, "terrain": {{"flat_z_m": -30}},
            "vehicles": [{{"name": "s", "model": "station", "start": {{"z_m": -20}}, "sensors": {{{sensors}}}}}]"#
        )),
        KEY,
    )
    .unwrap();
    assert_eq!(other.model().vehicles[0].sonars.len(), 3);
    steps(&mut world, 20);
    assert_eq!(allocations_of(|| steps(&mut world, 100)), 0);
}

/// What is said of a buoy with these sensors over hills.
fn said(sensors: &str, members: &str) -> String {
    let scenario = text(&format!(
        r#"{members} "terrain": {{"generated": {{}}}}, "vehicles": [{{"name": "a", "model": "buoy", "sensors": {{{sensors}}}}}]"#
    ));
    match parse(WORLDS, &scenario, "a.json", &[]) {
        Ok(loaded) => loaded.warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
        Err(error) => error.to_string(),
    }
}

/// Keys of sonars and what is said of them.
const SONARS: &[(&str, &str)] = &[
    (r#""sss": [{"bins": 0}]"#, "sss[0].bins: is 0, must be a whole number from 1 to 20000"),
    (r#""sss": [{"opening_deg": 400}]"#, "sss[0].opening_deg: is 400, must be a number from 0 to 180"),
    (r#""sss": [{"range_m": 0}]"#, "sss[0].range_m: is 0, must be a number from 0.01 to 100000 m"),
    (r#""sss": [{"rays_per_beam": 0}]"#, "sss[0].rays_per_beam: is 0, must be a whole number from 1 to 100000"),
    (r#""sss": [{"bits": 12}]"#, "sss[0].bits: is 12, must be 8, 16 or 32"),
    (r#""sss": [{"display_db": [90, 20]}]"#, "sss[0].display_db: is [90, 20], must run from the smaller to the larger"),
    (r#""sss": [{"beams": 3}]"#, "sss[0].beams: does nothing here: it is a key of fls"),
    (r#""fls": [{"interferometric": true}]"#, "fls[0].interferometric: does nothing here: it is a key of sss"),
    (r#""fls": [{"beams": 0}]"#, "fls[0].beams: is 0, must be a whole number from 1 to 10000"),
    (r#""fls": [{"width_deg": 400}]"#, "fls[0].width_deg: is 400, must be a number from 0 to 360"),
    (r#""fls": [{"sector_deg": 90}]"#, "fls[0].sector_deg: does nothing here: it is a key of msis"),
    (r#""msis": [{"step_deg": 20, "sector_deg": 10}]"#, "msis[0].step_deg: must be at most sector_deg"),
    (
        r#""msis": [{"name": "a-b"}]"#,
        r#"msis[0].name: is "a-b", must have no hyphen: its table is msis-VEHICLE-NAME.csv"#,
    ),
    (r#""sss": [{}, {}]"#, r#"sss[1].name: is "main", the name of sss[0] too"#),
    (
        r#""single_beam": [{"beam_width_deg": 91}]"#,
        "single_beam[0].beam_width_deg: is 91, must be a number from 0 to 90",
    ),
    (
        r#""mbes": [{"mode": "acoustic"}]"#,
        "mbes[0].beam_width_deg: must be 0.006 or more in the mode acoustic: a beam without a width returns nothing",
    ),
    (
        r#""sss": [{"mode": "acoustic", "range_m": 1, "bins": 1000, "sensing": {"every_ms": 20}, "acoustic": {"frequency_khz": 450}}]"#,
        "sss[0].bins: is 1000, more than the 60",
    ),
    (
        r#""sss": [{"acoustic": {"pulse_ms": 0}}]"#,
        "sss[0].acoustic.pulse_ms: is 0, must be a number from 0.001 to 1000 ms",
    ),
    (r#""sss": [{"acoustic": {"pattern": "round"}}]"#, r#"sss[0].acoustic.pattern: is "round", must be one of"#),
    (
        r#""fls": [{"beams": 1000, "rays_per_beam": 1000}, {"name": "b", "beams": 1000, "rays_per_beam": 1001}]"#,
        "fls[1].rays_per_beam: makes 2001000 rays with the sonars before it, at most 2000000 are allowed",
    ),
    (
        r#""fls": [{"beams": 1000, "rays_per_beam": 1, "bins": 20000}]"#,
        "fls[0].sensing.delay_ms: makes 20000000 values under way with the sonars before it, at most 10000000 are allowed",
    ),
    (r#""sss": [{"sensing": {"noise_std": 1}}]"#, "sss[0].sensing.noise_std: unknown key"),
    (
        r#""mbes": [{"mode": "acoustic", "beam_width_deg": 1, "acoustic": {"multipath": {}}}]"#,
        "mbes[0].acoustic.multipath: does nothing here: it is a key of sss, fls and msis",
    ),
    (
        r#""sss": [{"mode": "acoustic", "acoustic": {"multipath": {"roughness_m": -1}}}]"#,
        "sss[0].acoustic.multipath.roughness_m: is -1, must be a number from 0 to 100 m",
    ),
    (r#""mbes": [{"beams": 0}]"#, "mbes[0].beams: is 0, must be a whole number from 1 to 10000"),
    (r#""mbes": [{"opening_deg": 400}]"#, "mbes[0].opening_deg: is 400, must be a number from 0 to 180"),
    (r#""fls": [{"range_m": -5}]"#, "fls[0].range_m: is -5, must be a number from 0.01 to 100000 m"),
    (r#""msis": [{"sector_deg": 400}]"#, "msis[0].sector_deg: is 400, must be a number from 0.1 to 360"),
];

/// Keys of the section `sonar` and what is said of them.
const SCENES: &[(&str, &str)] = &[
    (r#""bottom": "sand""#, r#"sonar.bottom: is "sand", must be one of"#),
    (r#""scattering": {"sand": {}}"#, "sonar.scattering"),
    (r#""scattering": {"mud": {}}"#, "sonar.scattering.mud: must have exactly one of lambert_db and table"),
    (
        r#""scattering": {"mud": {"table": [[5, -20], [5, -10]]}}"#,
        "sonar.scattering.mud: has angles that do not ascend",
    ),
    (
        r#""scattering": {"mud": {"table": [[-5, -20]]}}"#,
        "sonar.scattering.mud: has the grazing angle -5, must be from 0 to 90",
    ),
    (r#""objects": [{"position_m": [0, 0, 0]}]"#, "sonar.objects[0].box_m: must be given, or a mesh in its place"),
    (
        r#""objects": [{"position_m": [0, 0, 0], "mesh": {"vertices_m": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,2]]}}]"#,
        "sonar.objects[0].mesh: triangles has 3 open edges, one from [0, 0, 0] to [1, 0, 0]: must be closed",
    ),
    (
        r#""objects": [{"position_m": [0, 0, 0], "mesh": {"vertices_m": [[0,0,0],[1,0,0],[0,1,0]], "triangles": []}}]"#,
        "sonar.objects[0].mesh.triangles: is an empty list",
    ),
    (
        r#""objects": [{"position_m": [0, 0, 0], "mesh": {"vertices_m": [[0,0,0],[1,0,0],[0,1,0]], "triangles": [[0,1,3]]}}]"#,
        "sonar.objects[0].mesh: triangles has the corners [0, 1, 3] in triangle 0, must be below 3",
    ),
    (r#""objects": [{"position_m": [0, 0, 0], "mesh_file": "none.obj"}]"#, r#"sonar.objects[0].mesh_file: "none.obj""#),
    (
        r#""objects": [{"position_m": [0, 0, 0], "mesh_file": "ship.ply"}]"#,
        r#"sonar.objects[0].mesh_file: "ship.ply" is no mesh"#,
    ),
    (
        r#""objects": [{"position_m": [0, 0, 0], "box_m": [1, 0, 1]}]"#,
        "sonar.objects[0].box_m[1]: is 0, must be a number from 0.001 to 100000 m",
    ),
    (
        r#""objects": [{"position_m": [0, 0, 0], "box_m": [1, 1, 1], "material": "gold"}]"#,
        r#"sonar.objects[0].material: is "gold", must be one of"#,
    ),
    (r#""hulls": {"a": "steel"}"#, r#"sonar.hulls.a: is "steel", must be one of"#),
    (r#""map": {}"#, "sonar.map.cell_m: stays empty: no vehicle has a multibeam or an echo sounder"),
];

/// Keys of one kind in another, and numbers that cannot be: at their place, with what is allowed. With the scenes more than 30 cases.
#[test]
fn wrong_sonars_are_refused_at_their_keys() {
    assert!(SONARS.len() + SCENES.len() >= 30, "{} {}", SONARS.len(), SCENES.len());
    for (sensors, expected) in SONARS {
        let told = said(sensors, "");
        assert!(told.contains(&format!("vehicles[0].sensors.{expected}")), "{sensors}: {told}");
    }
}

/// Materials, laws, objects and maps that cannot be.
#[test]
fn wrong_scenes_are_refused_at_their_keys() {
    for (keys, expected) in SCENES {
        let told = said(r#""sss": [{}]"#, &format!(r#""sonar": {{{keys}}},"#));
        assert!(told.contains(expected), "{keys}: {told}");
    }
    let mapped = said(r#""mbes": [{}]"#, r#""sonar": {"map": {"cell_m": 0.1}},"#);
    assert!(
        mapped.contains("sonar.map.cell_m: is 0.1, which makes 4000 by 4000 cells, must be from 1 to 1000000"),
        "{mapped}"
    );
}
