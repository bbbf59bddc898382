//! Maps of the bottom that multibeams make, and how far they are wrong.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{loaded, world};
use sim_core::DVec2;
use sim_world::World;
use test_runs::rows::Rows;
use world_sea::SeaWorld;

/// A SAM that heads east at 8 m depth, 25 steps a second, with more sensors.
fn sam(terrain: &str, seconds: u32, sensors: &str) -> String {
    format!(
        r#""step_hz": 25, "steps": {}, "terrain": {{{terrain}}}, "water": {{"density_kg_m3": 997}}, "sonar": {{"map": {{"cell_m": 5}}}},
        "vehicles": [{{"name": "sam", "model": "sam", "start": {{"x_m": 20, "z_m": -8, "u_m_s": 1}},
            "sensors": {{"imu": {{"attitude": {{"every_ms": 40}}, "gyro": {{"every_ms": 40}}}},
                "pressure": {{"sensing": {{"every_ms": 40}}}},
                "mbes": [{{"beams": 48, "opening_deg": 100, "range_m": 90}}], {sensors}}},
            "driver": {{"setpoints": {{"list": [{{"at_s": 0, "yaw_deg": 0, "depth_m": 8, "speed": 1000}}]}}}}}}]"#,
        25 * seconds
    )
}

/// A log with an error of its scale.
fn dvl(scale: f64) -> String {
    format!(
        r#""dvl": {{"ranges": {{"every_ms": 40}}, "velocities": {{"every_ms": 40, "scale": {scale}}}, "range_m": [0.05, 200]}}"#
    )
}

fn measures(world: &mut SeaWorld) -> [f64; 2] {
    let all = world.finish();
    ["map_coverage", "map_error_rms_m"].map(|name| all.iter().find(|metric| metric.name == name).unwrap().value)
}

/// Heights of a plane that falls by 5 % eastwards, every 60 m.
fn plane() -> String {
    let heights: Vec<String> = (0..33).map(|n| (-20.0 - 3.0 * f64::from(n % 11)).to_string()).collect();
    format!(r#""heights": {{"from_m": [0, -60], "cell_m": 60, "columns": 11, "z_m": [{}]}}"#, heights.join(", "))
}

/// With perfect sensors the error is below half of what the bottom rises and falls within a cell.
#[test]
fn a_perfect_vehicle_maps_hills_within_half_of_their_relief_in_a_cell() {
    let hills = r#""generated": {"from_m": [0, -40], "size_m": [300, 80], "cell_m": 2, "base_z_m": -22, "relief_m": 4, "feature_m": 40}"#;
    let mut world = world(&sam(hills, 150, &dvl(1.0)));
    while world.tick().0 < 25 * 150 {
        world.step().unwrap();
    }
    let [coverage, error_m] = measures(&mut world);
    let (mut reliefs_m, mut cells, mut soundings) = (0.0, 0.0, 0.0);
    let rows = Rows { model: world.model(), world: &world };
    let [x_m, y_m, counts] = ["x_m", "y_m", "soundings"].map(|column| rows.numbers("map", column));
    for (cell, count) in counts.into_iter().enumerate() {
        let middle_m = DVec2::new(x_m[cell], y_m[cell]);
        let place_m = |n: usize| middle_m + 0.98 * (DVec2::new((n % 6) as f64, (n / 6) as f64) - 2.5);
        let heights = (0..36).map(|n| world.model().ground(place_m(n).extend(0.0)).unwrap().z_m);
        let [low, high] = heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], z| [low.min(z), high.max(z)]);
        if count > 0.0 {
            (reliefs_m, cells, soundings) = (reliefs_m + high - low, cells + 1.0, soundings + count);
        }
    }
    assert!((coverage - cells / (60.0 * 16.0)).abs() < 1e-12 && coverage > 0.2, "{coverage} {cells}");
    assert!(error_m < 0.5 * reliefs_m / cells, "{error_m} {}", reliefs_m / cells);
    assert!(soundings > 10_000.0, "{soundings}");
}

/// A log that reads k too much puts the vehicle k times its way too far. On a bottom that falls by s along its way the map is then wrong by
/// s k d after the way d. Swaths are as wide as the height h + s d above it, so that the mean square over a way L is that of s k d with
/// these weights: `(s k)^2 (h L^3/3 + s L^4/4)/(h L + s L^2/2)`.
#[test]
fn the_error_of_a_map_grows_with_that_of_dead_reckoning() {
    let error_m = |scale: f64| {
        let mut world = world(&sam(&plane(), 240, &dvl(scale)));
        while world.tick().0 < 25 * 240 {
            world.step().unwrap();
        }
        let way_m = world.state().vehicles[0].motion.body.position_m.x - 20.0;
        (measures(&mut world)[1], way_m)
    };
    let (perfect_m, _) = error_m(1.0);
    for k in [0.03, 0.06] {
        let (found_m, way_m) = error_m(1.0 + k);
        let (s, h, l) = (0.05, 13.0, way_m);
        let mean = (h * l * l / 3.0 + s * l * l * l / 4.0) / (h + s * l / 2.0);
        let expected_m = s * k * mean.sqrt();
        // Swaths are whole cells of 5 m, and the map with perfect sensors errs by 1 cm.
        assert!((found_m / expected_m - 1.0).abs() < 0.02, "{k} {found_m} {expected_m} {perfect_m} {way_m}");
        assert!(found_m > 5.0 * perfect_m, "{found_m} {perfect_m}");
    }
}

/// A vehicle without a driver knows where it is: over a plane, soundings of all cells lie on it.
#[test]
fn soundings_of_a_fixed_vehicle_are_where_they_are() {
    let mut world = world(&format!(
        r#""steps": 10, "terrain": {{{}}}, "sonar": {{"map": {{"cell_m": 20}}}},
        "vehicles": [{{"name": "s", "model": "station", "start": {{"x_m": 50, "y_m": 0, "z_m": -5, "yaw_deg": 90}},
            "sensors": {{"mbes": [{{"beams": 201, "opening_deg": 120}}]}}}}]"#,
        plane()
    ));
    assert_eq!(Rows { model: world.model(), world: &world }.numbers("map", "x_m").len(), 0);
    (0..10).for_each(|_| world.step().unwrap());
    assert_eq!(Rows { model: world.model(), world: &world }.numbers("map", "x_m").len(), 0);
    world.finish();
    let rows = Rows { model: world.model(), world: &world };
    let [x, z, bottom, error, count] =
        ["x_m", "z_m", "bottom_z_m", "error_m", "soundings"].map(|column| rows.numbers("map", column));
    assert_eq!(x.len(), 30 * 6);
    for cell in 0..x.len() {
        assert!((bottom[cell] - (-20.0 - 0.05 * x[cell])).abs() < 1e-9);
        assert_eq!(z[cell].is_finite(), count[cell] > 0.0);
        // No farther from the middle than half a cell of 20 m.
        assert!(
            count[cell] == 0.0
                || (error[cell] - (z[cell] - bottom[cell])).abs() < 1e-12 && error[cell].abs() < 0.5 + 1e-9
        );
    }
    // Two pings, all within the map.
    assert_eq!(count.iter().sum::<f64>(), 402.0);
}

/// The map, pings and points of two runs are the same bytes on one thread and on two.
#[test]
fn surveys_are_the_same_on_any_number_of_threads() {
    let more =
        format!(r#"{}, "sss": [{{"mode": "acoustic", "bins": 40, "rays_per_beam": 50, "points": true}}]"#, dvl(1.01));
    let loaded = loaded(&sam(&plane(), 4, &more));
    let run = |jobs| test_runs::batch_folder(&loaded, 0..2, jobs);
    let ((_one, one), (_two, two)) = (run(1), run(2));
    assert_eq!(test_runs::files(&one), test_runs::files(&two));
    let (header, rows) = test_runs::table(&one.join("run-00001/map.csv"));
    assert_eq!(header.join(","), "step,time_s,x_m,y_m,soundings,z_m,bottom_z_m,error_m");
    assert_eq!(rows.len(), 120 * 24);
}
