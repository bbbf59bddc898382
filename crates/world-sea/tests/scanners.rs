//! Lidars and depth cameras of vehicles, from the scenario to the tables. Expected values: closed forms; T-101 of the sea facts.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{KEY, WORLDS, model, steps, text, world};
use sim_core::{DVec3, ops};
use sim_run::scenario::{load, parse};
use sim_world::World;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use test_alloc::allocations_of;
use test_runs::rows::Rows;
use world_sea::{SeaModel, SeaWorld};

fn rows(world: &SeaWorld) -> Rows<'_> {
    Rows { model: world.model(), world }
}

#[track_caller]
fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} {expected}");
}

/// A lidar or a camera 3 m above the water, others, and a bottom if there is one.
fn above(sensors: &str, others: &str) -> SeaWorld {
    world(&format!(
        r#""vehicles": [{{"name": "a", "model": "station", "start": {{"z_m": 3}}, "sensors": {{{sensors}}}}}{others}]"#
    ))
}

fn station(name: &str, [x_m, y_m, z_m]: [f64; 3]) -> String {
    format!(r#", {{"name": "{name}", "model": "station", "start": {{"x_m": {x_m}, "y_m": {y_m}, "z_m": {z_m}}}}}"#)
}

fn rays(world: &SeaWorld, column: &str) -> Vec<f64> {
    let stream = if column.starts_with("ray") { "lidar-a-main" } else { "depth-a-main" };
    rows(world).lists(stream, column).remove(0)
}

/// A station is a sphere of 0.25 m. One is 20 m ahead, one 30 m to the left and 5 m up, one behind another.
#[test]
fn rays_end_at_hulls() {
    let lidar =
        r#""lidar": [{"device": "even", "channels": 3, "elevations_deg": [-10, 10], "azimuths": 4, "table": true}]"#;
    let up_m = 30.0 * ops::tan(10.0_f64.to_radians());
    let others = [
        station("b", [20.0, 0.0, 3.0]),
        station("c", [0.0, 30.0, 3.0 + up_m]),
        station("d", [22.0, 0.0, 3.0]),
        station("e", [-131.0, 0.0, 3.0]),
    ];
    let world = above(lidar, &others.concat());
    let read = rays(&world, "ray_#_m");
    let up_left_m = 30.0 / ops::cos(10.0_f64.to_radians()) - 0.25;
    for (ray, &range_m) in read.iter().enumerate() {
        match ray {
            1 => near(range_m, 19.75, 1e-12),
            5 => near(range_m, up_left_m, 1e-12),
            _ => assert_eq!(range_m, f64::INFINITY, "{ray}"),
        }
    }
    let short = |column: &str| rows(&world).number("lidar", column);
    assert_eq!(["scan", "rays", "hits"].map(short), [0.0, 12.0, 2.0]);
    near(short("min_m"), 19.75, 1e-12);
    assert_eq!((short("azimuth_rad"), short("elevation_rad")), (0.0, 0.0));
}

/// A ray down to water ends there; land above the water is met, land below it is not. Under water a lidar sees nothing.
#[test]
fn a_lidar_sees_what_is_in_air() {
    let members = |z_m: f64, terrain: f64| {
        format!(
            r#""terrain": {{"flat_z_m": {terrain}}}, "water": {{"level_m": -10}},
            "vehicles": [{{"name": "a", "model": "station", "start": {{"z_m": {z_m}}}, "sensors": {{"lidar": [{{"device": "table", "directions_deg": [[0, -30], [0, 0], [90, -90]], "table": true}}]}}}}{}]"#,
            station("deep", [0.0, 0.0, -10.6])
        )
    };
    assert_eq!(rays(&world(&members(5.0, -20.0)), "ray_#_m"), [f64::INFINITY; 3]);
    let land = rays(&world(&members(5.0, -9.0).replace("-10.6", "50")), "ray_#_m");
    near(land[0], 28.0, 1e-9);
    near(land[2], 14.0, 1e-9);
    // Half of a hull out of the water is met from above.
    let half = members(5.0, -20.0).replace("-10.6", "-10");
    near(rays(&world(&half), "ray_#_m")[2], 14.75, 1e-12);
    let under = members(-15.0, -20.0).replace("-10.6", "3");
    assert_eq!(rays(&world(&under), "ray_#_m"), [f64::INFINITY; 3]);
}

/// The sensor is turned by 90 degrees to the left on a vehicle that looks north: its x looks west. It is 2 m ahead.
#[test]
fn scanners_are_mounted_and_turn_with_their_vehicles() {
    let members = format!(
        r#""vehicles": [{{"name": "a", "model": "station", "start": {{"z_m": 3, "yaw_deg": 90}},
        "sensors": {{"lidar": [{{"device": "table", "directions_deg": [[0, 0]], "table": true, "mount": {{"position_m": [2, 0, 0], "orientation_xyzw": [0, 0, 0.7071067811865476, 0.7071067811865476]}}}}]}}}}{}]"#,
        station("b", [-9.0, 2.0, 3.0])
    );
    near(rays(&world(&members), "ray_#_m")[0], 8.75, 1e-12);
}

/// Beyond an end of its range a ray does not come back; noise moves readings. 4000 rays: standard errors of 1.6 and 1.1 % of 0.5 m.
#[test]
fn lidars_have_ranges_and_errors() {
    let sphere = |range: &str, noise: f64| {
        let lidar = format!(
            r#""lidar": [{{"device": "table", "directions_deg": [{}], "range_m": {range}, "table": true, "sensing": {{"noise_std": {noise}}}}}]"#,
            vec!["[0, 0]"; 4000].join(", ")
        );
        rays(&above(&lidar, &station("b", [20.0, 0.0, 3.0])), "ray_#_m")
    };
    assert_eq!(sphere("[0.5, 19]", 0.0)[0], f64::INFINITY);
    assert_eq!(sphere("[20, 90]", 0.0)[0], f64::INFINITY);
    assert_eq!(sphere("[0.5, 90]", 0.0)[0], 19.75);
    let read = sphere("[0.5, 90]", 0.5);
    let mean_m = read.iter().sum::<f64>() / 4000.0;
    let deviation_m = (read.iter().map(|range_m| (range_m - 19.75) * (range_m - 19.75)).sum::<f64>() / 4000.0).sqrt();
    assert!((mean_m - 19.75).abs() < 0.04 && (deviation_m - 0.5).abs() < 0.03, "{mean_m} {deviation_m}");
    let cut = sphere("[0.5, 19.75]", 0.5);
    let lost = cut.iter().filter(|range_m| **range_m == f64::INFINITY).count();
    assert!((1800..2200).contains(&lost), "{lost}");
}

/// Three rays of five: 0 1 2, then 3 4 0, then 1 2 3.
#[test]
fn scans_of_a_table_go_on_where_the_last_one_ended() {
    let lidar = r#""lidar": [{"device": "table", "directions_deg": [[0, 0], [90, 0], [90, 0], [90, 0], [90, 0]], "rays_per_scan": 3,
        "table": true}]"#;
    let mut world = above(lidar, &station("b", [20.0, 0.0, 3.0]));
    for expected in [[true, false, false], [false, false, true], [false, false, false]] {
        let read: Vec<bool> = rays(&world, "ray_#_m").iter().map(|range_m| range_m.is_finite()).collect();
        assert_eq!(read, expected);
        steps(&mut world, 5);
    }
}

/// A Mid-360 has 20 000 rays a scan, and goes on where the scan before ended: a sphere around it is met by all of them.
#[test]
fn a_sweeping_lidar_goes_on_from_scan_to_scan() {
    let lidar = r#""lidar": [{"device": "mid_360", "range_m": [0.1, 70], "table": true}]"#;
    let others = station("b", [20.0, 0.0, 3.0 + 20.0 * ops::tan(22.5_f64.to_radians())]);
    let mut world = above(lidar, &others);
    let hits = |world: &SeaWorld| rays(world, "ray_#_m").iter().map(|range_m| range_m.is_finite()).collect::<Vec<_>>();
    let first = hits(&world);
    assert_eq!(first.len(), 20_000);
    steps(&mut world, 5);
    let second = hits(&world);
    assert_ne!(first, second);
    let rosette = sea_echo::scan::Rosette::mid_360();
    let towards = |n: u32| {
        let [azimuth, up] = rosette.angles_rad(n);
        DVec3::new(ops::cos(up) * ops::cos(azimuth), ops::cos(up) * ops::sin(azimuth), ops::sin(up))
    };
    let middle_m = DVec3::new(20.0, 0.0, 20.0 * ops::tan(22.5_f64.to_radians()));
    for (n, is_met) in (0..).zip(first.into_iter().chain(second)) {
        let beside_m = middle_m.cross(towards(n)).length();
        let is_expected = beside_m < 0.25 && middle_m.dot(towards(n)) > 0.0;
        assert!(is_met == is_expected || (beside_m - 0.25).abs() < 1e-9, "{n} {beside_m}");
    }
}

/// T-101: a wall is as far as a level bottom below a camera that looks down: 5 m at every pixel. A hull before it is another thing.
#[test]
fn a_depth_camera_tells_depths_and_things_t101() {
    let members = format!(
        r#""terrain": {{"flat_z_m": -15}}, "vehicles": [{{"name": "a", "model": "station", "start": {{"z_m": -10}},
        "sensors": {{"depth_camera": [{{"pixels": [31, 21], "table": true, "mount": {{"orientation_xyzw": [0, 0.7071067811865476, 0, 0.7071067811865476]}}}}]}}}}{}]"#,
        station("b", [0.0, 0.0, -13.0])
    );
    let world = world(&members);
    let (depths_m, ids) = (rays(&world, "depth_#_m"), rays(&world, "id_#"));
    let middle = 10 * 31 + 15;
    near(depths_m[middle], 2.75, 1e-12);
    assert_eq!(ids[middle], 3.0);
    let bottom: Vec<usize> = (0..31 * 21).filter(|&pixel| ids[pixel] == 1.0).collect();
    // Through a chip of 36 by 24 mm behind 50 mm, the hull's 0.25 m in 3 m cover a disc of 0.09 of the picture's area.
    assert!((500..640).contains(&bottom.len()), "{}", bottom.len());
    bottom.iter().for_each(|&pixel| near(depths_m[pixel], 5.0, 1e-9));
    let short = |column: &str| rows(&world).number("depth_camera", column);
    assert_eq!(["picture", "pixels", "hits", "vehicles"].map(short), [0.0, 651.0, 651.0, 1.0]);
    near(short("min_m"), 2.75, 1e-12);
}

/// A ship before and a buoy behind, seen by a moving vehicle: each ray by every capsule's closed form is what the table has.
#[test]
fn scans_follow_moving_vehicles() {
    let members = r#""vehicles": [{"name": "a", "model": "evolo", "start": {"u_m_s": 3},
            "sensors": {"lidar": [{"azimuths": 360, "table": true, "mount": {"position_m": [0, 0, 1.2]}}]}},
        {"name": "b", "model": "otter", "start": {"x_m": 12, "y_m": 3, "yaw_deg": 40}},
        {"name": "c", "model": "buoy", "start": {"x_m": 5, "y_m": -6}}]"#;
    let mut world = world(members);
    let mut met = 0;
    for _ in 0..10 {
        steps(&mut world, 5);
        let body = world.state().vehicles[0].motion.body;
        let place_m = body.position_m + body.attitude * DVec3::new(0.0, 0.0, 1.2);
        for (ray, range_m) in rays(&world, "ray_#_m").into_iter().enumerate().filter(|(_, range_m)| range_m.is_finite())
        {
            let azimuth_rad = std::f64::consts::TAU * (ray / 16) as f64 / 360.0;
            let order = ray % 16;
            let up_rad = (-15.0 + 2.0 * (order / 2) as f64 + if order % 2 == 1 { 16.0 } else { 0.0 }).to_radians();
            let way = DVec3::new(ops::cos(azimuth_rad), ops::sin(azimuth_rad), 0.0) * ops::cos(up_rad)
                + DVec3::Z * ops::sin(up_rad);
            let hit_m = place_m + body.attitude * way * range_m;
            // The place is on the skin of one of the others' capsules.
            let off_m = [1, 2].map(|other: usize| {
                let (setup, run) = (&world.model().vehicles[other], &world.state().vehicles[other]);
                let pose = run.motion.body.pose();
                let skin = setup.hull.capsules().iter().map(|capsule| {
                    let [a, b] = capsule.ends_m.map(|end_m| pose.point_m(end_m));
                    let axis = b - a;
                    let share = if axis == DVec3::ZERO { 0.0 } else { (hit_m - a).dot(axis) / axis.length_squared() };
                    (hit_m.distance(a + axis * share.clamp(0.0, 1.0)) - capsule.radius_m).abs()
                });
                skin.fold(f64::INFINITY, f64::min)
            });
            assert!(off_m[0].min(off_m[1]) < 1e-9 && hit_m.z > -1e-9, "{ray} {off_m:?}");
            met += 1;
        }
    }
    assert!(met > 100, "{met}");
}

const BUSY: &str = r#""terrain": {"generated": {"from_m": [-90, -90], "size_m": [180, 180], "cell_m": 3, "base_z_m": -4, "relief_m": 6}},
    "vehicles": [{"name": "a", "model": "otter", "start": {"x_m": -20},
        "sensors": {"lidar": [{"azimuths": 60, "mount": {"position_m": [0, 0, 1]}, "sensing": {"noise_std": 0.05, "delay_ms": 40}}],
            "depth_camera": [{"pixels": [20, 10], "every_ms": 200}]}},
        {"name": "b", "model": "buoy", "start": {"x_m": -12}}]"#;

#[test]
fn scans_do_not_allocate_and_repeat() {
    let model = model(BUSY);
    let run = |drops: bool| {
        let mut world = SeaWorld::new(model.clone(), KEY).unwrap();
        let mut told = Vec::new();
        for _ in 0..40 {
            steps(&mut world, 1);
            if drops {
                world.drop_scratch();
            }
            told.extend(rows(&world).numbers("lidar", "min_m").into_iter().map(f64::to_bits));
        }
        (world.state_hash(), told)
    };
    assert_eq!(run(false), run(true));
    let mut world = SeaWorld::new(model.clone(), KEY).unwrap();
    steps(&mut world, 50);
    assert_eq!(allocations_of(|| steps(&mut world, 100)), 0);
}

#[test]
fn a_pattern_may_be_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let loaded = |pattern: &str| {
        let members = r#""vehicles": [{"name": "a", "model": "station", "start": {"z_m": 3},
            "sensors": {"lidar": [{"device": "table", "pattern_file": "mid.csv"}]}}]"#;
        fs::write(folder.path().join("mid.csv"), pattern).unwrap();
        fs::write(folder.path().join("a.json"), text(members)).unwrap();
        load(WORLDS, &folder.path().join("a.json"), &[])
    };
    let read = loaded("elevation_deg,azimuth_deg\n52,0\n-7,1.5\n").unwrap();
    assert!(read.resolved.contains("directions_deg") && !read.resolved.contains("mid.csv"));
    assert_eq!(parse(WORLDS, &read.resolved, "b.json", &[]).unwrap().resolved, read.resolved);
    let said = |pattern: &str| loaded(pattern).map(|_| ()).unwrap_err().to_string();
    assert!(
        said("azimuth_deg,elevation_deg\n").ends_with("pattern_file: \"mid.csv\" has no rows"),
        "{}",
        said("azimuth_deg,elevation_deg\n")
    );
    assert!(
        said("azimuth_deg,elevation_deg\n1,up\n")
            .ends_with(r#""mid.csv", line 2, column elevation_deg: is "up", must be a number from -720 to 720"#),
        "{}",
        said("azimuth_deg,elevation_deg\n1,up\n")
    );
}

/// What is said of a vehicle with these sensors 3 m above the water.
fn said(z_m: f64, sensors: &str) -> Vec<String> {
    let members = format!(
        r#""vehicles": [{{"name": "a", "model": "station", "start": {{"z_m": {z_m}}}, "sensors": {{{sensors}}}}}]"#
    );
    let items = match parse(WORLDS, &text(&members), "a.json", &[]) {
        Ok(loaded) => loaded.warnings,
        Err(refused) => refused.items,
    };
    items.iter().map(|item| item.to_string().splitn(3, ' ').skip(1).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn wrong_scanners_are_refused() {
    let lidar = |keys: &str| said(3.0, &format!(r#""lidar": [{{{keys}}}]"#));
    let cases = [
        (lidar(""), vec![]),
        (
            said(-3.0, r#""lidar": [{}]"#),
            vec![
                "warning: vehicles[0].sensors.lidar[0]: is 3.000 m below still water at its start: a lidar sees nothing under water",
            ],
        ),
        (
            lidar(r#""device": "vlp16""#),
            vec![
                r#"vehicles[0].sensors.lidar[0].device: is "vlp16", must be one of "vlp_16", "hdl_32e", "vls_128", "mid_360", "even", "table"; did you mean "vlp_16"?"#,
            ],
        ),
        (lidar(r#""channels": 4"#), vec!["vehicles[0].sensors.lidar[0].channels: means nothing to this device"]),
        (
            lidar(r#""device": "table""#),
            vec!["vehicles[0].sensors.lidar[0].device: is table, but there is neither pattern_file nor directions_deg"],
        ),
        (
            lidar(r#""device": "table", "directions_deg": [[0, 91]]"#),
            vec![
                "vehicles[0].sensors.lidar[0].directions_deg: is 1.5882496193148399, must be from -1.5707963267948966 to 1.5707963267948966",
            ],
        ),
        (
            lidar(r#""device": "table", "directions_deg": [[0, 1]], "rays_per_scan": 2"#),
            vec!["vehicles[0].sensors.lidar[0].rays_per_scan: is 2, must be from 1 to 1"],
        ),
        (
            lidar(r#""range_m": [9, 3]"#),
            vec!["vehicles[0].sensors.lidar[0].range_m: is [9, 3], must run from the smaller to the larger"],
        ),
        (
            lidar(r#""name": "a-b""#),
            vec![
                r#"vehicles[0].sensors.lidar[0].name: is "a-b", must have no hyphen: it is part of the name of a table"#,
            ],
        ),
        (
            said(3.0, r#""lidar": [{}, {}]"#),
            vec![r#"vehicles[0].sensors.lidar[1].name: is "main", the name of lidar[0] too"#],
        ),
    ];
    for (number, (found, expected)) in cases.iter().enumerate() {
        assert_eq!(found, expected, "{number}");
    }
}

#[test]
fn large_scanners_are_refused_or_warned_of() {
    let lidar = |keys: &str| said(3.0, &format!(r#""lidar": [{{{keys}}}]"#));
    let cases = [
        (
            lidar(r#""azimuths": 0"#),
            vec!["vehicles[0].sensors.lidar[0].azimuths: is 0, must be a whole number from 1 to 36000"],
        ),
        (
            lidar(r#""device": "vls_128", "azimuths": 36000"#),
            vec!["vehicles[0].sensors.lidar[0].azimuths: are 4608000, must be 1 to 1000000"],
        ),
        (
            lidar(r#""table": true"#),
            vec![
                "warning: vehicles[0].sensors.lidar[0].table: makes 57600 columns, more than the 16384 of common spreadsheets: programs read them all the same",
            ],
        ),
        (
            said(3.0, r#""depth_camera": [{"pixels": [4096, 4096]}]"#),
            vec!["vehicles: carry lidars and depth cameras of 16777216 rays, at most 5000000 are allowed"],
        ),
        (
            said(3.0, r#""depth_camera": [{"focal_mm": 0.1}]"#),
            vec!["vehicles[0].sensors.depth_camera[0].focal_mm: is 0.002777777777777778, must be from 0.01 to 100"],
        ),
    ];
    for (number, (found, expected)) in cases.iter().enumerate() {
        assert_eq!(found, expected, "{number}");
    }
}

/// The scenario of the harbour: Evolo passes buoys and an Otter. Distances follow from the truth, but for noise of 0.05 m.
#[test]
fn evolo_sees_buoys_and_boats() {
    let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/evolo-lidar.json"));
    let loaded = load(WORLDS, path, &[]).unwrap();
    let model: Arc<SeaModel> = loaded.model.as_any().downcast().unwrap();
    let mut world = SeaWorld::new(model, KEY).unwrap();
    let mut seen = [0; 7];
    for _ in 0..100 {
        steps(&mut world, 10);
        let run = &world.state().vehicles[0];
        let place_m = run.motion.body.position_m + run.motion.body.attitude * DVec3::new(0.3, 0.0, 1.2);
        for range_m in rows(&world).lists("lidar-evolo-main", "ray_#_m").concat() {
            if !range_m.is_finite() {
                continue;
            }
            // The vehicle whose distance, by more than its radius, fits best.
            let off_m = |other: usize| {
                let (setup, run) = (&world.model().vehicles[other], &world.state().vehicles[other]);
                (place_m.distance(run.motion.body.position_m) - range_m).abs() - setup.hull.radius_m()
            };
            let best = (1..7).reduce(|one, other| if off_m(other) < off_m(one) { other } else { one }).unwrap();
            assert!(off_m(best) < 0.3, "{range_m}");
            seen[best] += 1;
        }
    }
    assert!(seen[1] > 0 && seen[2] > 20 && seen[3] > 20, "{seen:?}");
    assert_eq!(rows(&world).numbers("lidar", "rays"), [5760.0]);
}
