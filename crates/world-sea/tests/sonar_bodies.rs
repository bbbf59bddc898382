//! Hulls of other vehicles, objects on them, and ropes, as sonars hear them. Expected values: closed forms of spheres and boxes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{KEY, WORLDS, list, model, rows, steps, text, world};
use sim_run::scenario::parse;
use test_alloc::allocations_of;
use world_sea::SeaWorld;

/// A station at -10 m that looks east over a level bottom at -30 m, others, and the section `sonar`.
fn beside(sensors: &str, others: &str, sonar: &str) -> SeaWorld {
    world(&members(sensors, others, sonar))
}

fn members(sensors: &str, others: &str, sonar: &str) -> String {
    format!(
        r#""terrain": {{"flat_z_m": -30}}, "sonar": {{{sonar}}},
        "vehicles": [{{"name": "s", "model": "station", "start": {{"z_m": -10}}, "sensors": {{{sensors}}}}}{others}]"#
    )
}

fn station(name: &str, [x_m, y_m, z_m]: [f64; 3]) -> String {
    format!(r#", {{"name": "{name}", "model": "station", "start": {{"x_m": {x_m}, "y_m": {y_m}, "z_m": {z_m}}}}}"#)
}

/// One ray ahead in bins of 0.1 m.
const AHEAD: &str = r#""fls": [{"beams": 1, "width_deg": 0, "rays_per_beam": 1, "opening_deg": 0, "tilt_deg": 0, "range_m": 50, "bins": 500,
    "gain": 1, "bits": 16, "distance_std_m": 0, "classes": true, "instances": true, "points": true}]"#;

/// Bin, class and number of what is heard ahead, and the distance of the point.
fn ahead(world: &SeaWorld) -> Option<(usize, f64, f64, f64)> {
    let bin = list(world, "fls-s-main", "bin_#").iter().position(|&level| level > 0.0)?;
    let at = |column: &str| list(world, "fls-s-main", column)[bin];
    Some((bin, at("class_#"), at("instance_#"), rows(world).number("points-fls-s-main", "x_m")))
}

/// A station is a sphere of 0.25 m: at 20.33 m it is met at 20.08 m, as vehicle 1. A buoy's class is 3, and hulls can have materials.
#[test]
fn hulls_have_distances_classes_and_numbers() {
    let at_m = [20.33, 0.0, -10.0];
    let (bin, class, instance, x_m) = ahead(&beside(AHEAD, &station("b", at_m), "")).unwrap();
    assert_eq!((bin, class, instance), (200, 0.0, 3.0));
    assert!((x_m - 20.08).abs() < 1e-12, "{x_m}");
    let named = beside(AHEAD, &station("b", at_m), r#""hulls": {"b": "rope"}"#);
    assert_eq!(ahead(&named).map(|found| (found.1, found.2)), Some((4.0, 3.0)));
    let buoy = r#", {"name": "b", "model": "buoy", "start": {"x_m": 20.35, "z_m": -10}}"#;
    assert_eq!(ahead(&beside(AHEAD, buoy, "")).map(|found| (found.0, found.1)), Some((200, 3.0)));
    // Behind it, beside it and above the water there is nothing; the bottom is not in the way either.
    for elsewhere in [[-20.0, 0.0, -10.0], [20.0, 0.3, -10.0], [20.0, 0.0, 5.0]] {
        assert_eq!(ahead(&beside(AHEAD, &station("b", elsewhere), "")), None, "{elsewhere:?}");
    }
}

/// The level of a sphere straight ahead: (R - d)/R of the reflectivity of `other`.
#[test]
fn hulls_return_as_their_material() {
    let level = |material: &str| {
        let world = beside(AHEAD, &station("b", [20.25, 0.0, -10.0]), &format!(r#""hulls": {{"b": "{material}"}}"#));
        list(&world, "fls-s-main", "bin_#").into_iter().fold(0.0, f64::max)
    };
    for (material, reflectivity) in [("other", 0.5), ("buoy", 0.99), ("algae", 0.25)] {
        let expected = 65_535.0 * 30.0 / 50.0 * reflectivity;
        assert!((level(material) - expected).abs() <= 1.0, "{material} {} {expected}", level(material));
    }
}

/// A box on a vehicle is heard in place of its capsules, and turns with it: from 1 to 5 m ahead of a vehicle that looks west.
#[test]
fn objects_on_vehicles_move_with_them() {
    let carrier = r#", {"name": "b", "model": "station", "start": {"x_m": 20, "z_m": -10, "yaw_deg": 180}}"#;
    let object = |vehicle: &str, x_m: f64| {
        format!(r#""objects": [{{{vehicle} "position_m": [{x_m}, 0, 0], "box_m": [4, 2, 2], "material": "rock"}}]"#)
    };
    let found = ahead(&beside(AHEAD, carrier, &object(r#""vehicle": "b","#, 3.0))).unwrap();
    // From 1 to 5 m ahead of a vehicle that looks west: from 15 to 19 m.
    assert_eq!((found.1, found.2), (1.0, 3.0));
    assert!((found.3 - 15.0).abs() < 1e-12, "{}", found.3);
    // Its capsules do not count any more: the box is beside the ray.
    let aside = object(r#""vehicle": "b","#, 3.0).replace("[3, 0, 0]", "[3, 9, 0]");
    assert_eq!(ahead(&beside(AHEAD, carrier, &aside)), None);
    // The sonars of the vehicle itself do not meet it.
    let own = object(r#""vehicle": "s","#, 10.0);
    assert_eq!(ahead(&beside(AHEAD, "", &own)), None);
    // An object of the world has a number behind those of the vehicles.
    let world = beside(AHEAD, "", &object("", 3.0).replace("[3, 0, 0]", "[30, 0, -10]"));
    assert_eq!(ahead(&world).map(|found| (found.1, found.2)), Some((1.0, 3.0)));
}

/// A rope of 5 cm from an anchor to a vehicle crosses the ray half-way between both.
#[test]
fn ropes_are_chains_between_places_and_vehicles() {
    let rope = r#""ropes": [{"radius_m": 0.05, "points": [{"position_m": [20, 8, -30]}, {"position_m": [20, 4, -14]},
        {"vehicle": "b", "position_m": [0, 0, 0.5]}]}]"#;
    let (_, class, instance, x_m) = ahead(&beside(AHEAD, &station("b", [20.0, -4.0, -6.5]), rope)).unwrap();
    assert_eq!((class, instance), (4.0, 4.0));
    assert!((x_m - 19.95).abs() < 1e-12, "{x_m}");
}

/// A vehicle drives across the view of a sonar: each ping meets it where its hull is in that step.
#[test]
fn a_vehicle_that_moves_is_met_where_it_is() {
    let fls = r#""fls": [{"beams": 121, "width_deg": 60, "rays_per_beam": 1, "opening_deg": 0, "tilt_deg": 0, "range_m": 60, "bins": 600,
        "distance_std_m": 0, "instances": true, "points": true, "sensing": {"every_ms": 100}}]"#;
    let other =
        r#", {"name": "b", "model": "sam", "start": {"x_m": 30, "y_m": -8, "z_m": -10, "yaw_deg": 90, "u_m_s": 1.5}}"#;
    let mut world = beside(fls, other, r#""hulls": {"b": "buoy"}"#);
    let mut seen = 0;
    for _ in 0..60 {
        let hull = &world.model().vehicles[1].hull;
        let pose = world.state().vehicles[1].motion.body.pose();
        let points = |column: &str| rows(&world).numbers("points-fls-s-main", column);
        let (x, y, z) = (points("x_m"), points("y_m"), points("z_m"));
        for n in 0..x.len() {
            let place_m = sim_core::DVec3::new(x[n], y[n], z[n]);
            let gap_m = |own: &sea_sim::contact::Capsule| {
                let capsule =
                    sea_echo::Capsule { ends_m: own.ends_m.map(|end_m| pose.point_m(end_m)), radius_m: own.radius_m };
                place_m.distance(capsule.nearest_on_axis_m(place_m)) - own.radius_m
            };
            let least_m = hull.capsules().iter().map(gap_m).fold(f64::INFINITY, f64::min);
            assert!(least_m.abs() < 1e-9, "{least_m}");
            seen += 1;
        }
        assert!(points("instance").iter().all(|&instance| instance == 3.0));
        assert!(points("class").iter().all(|&class| class == 3.0));
        steps(&mut world, 5);
    }
    assert!(seen > 40, "{seen}");
}

/// A small target behind a hull is not heard.
#[test]
fn hulls_throw_shadows() {
    let fls = r#""fls": [{"mode": "acoustic", "beams": 1, "width_deg": 0, "rays_per_beam": 2, "opening_deg": 4,
        "tilt_deg": -2, "range_m": 50,
        "bins": 500, "bits": 32, "acoustic": {"noise_level_db": -200, "pattern": "even", "looks": 0, "tvg": null}}]"#;
    let targets = r#""targets": [{"position_m": [30, 0, -10], "strength_db": 0}]"#;
    let level_db =
        |x_m: f64| list(&beside(fls, &station("b", [x_m, 0.0, -10.0]), targets), "fls-s-main", "bin_#_db")[300];
    assert!(level_db(40.0) > 50.0 && level_db(20.0) < -100.0, "{} {}", level_db(40.0), level_db(20.0));
}

/// What is in the way does not depend on the order of vehicles, and steps take no memory.
#[test]
fn bodies_repeat_in_any_order_and_do_not_allocate() {
    let sensors = r#""sss": [{"range_m": 60, "bins": 200}], "mbes": [{"beams": 64, "opening_deg": 170}]"#;
    let vehicle = |name: &str, y_m: f64| {
        format!(r#", {{"name": "{name}", "model": "sam", "start": {{"y_m": {y_m}, "z_m": -11, "u_m_s": 1}}}}"#)
    };
    let others = [vehicle("a", 12.0), vehicle("b", -15.0), vehicle("c", 20.0)];
    let sonar = r#""objects": [{"vehicle": "c", "position_m": [0, 0, 0], "box_m": [2, 1, 1]}],
        "ropes": [{"radius_m": 0.1, "points": [{"vehicle": "a", "position_m": [0, 0, 0]}, {"position_m": [0, 12, -30]}]}]"#;
    let read = |others: &str| {
        let mut world = beside(sensors, others, sonar);
        let mut read = Vec::new();
        for _ in 0..40 {
            for (stream, column) in [("sidescan-s-main", "port_#"), ("mbes-s-main", "beam_#_m")] {
                read.extend(rows(&world).lists(stream, column).concat().into_iter().map(f64::to_bits));
            }
            steps(&mut world, 2);
        }
        read
    };
    let turned: Vec<_> = others.iter().rev().cloned().collect();
    assert_eq!(read(&others.concat()), read(&turned.concat()));
    let mut world = SeaWorld::new(model(&members(sensors, &others.concat(), sonar)), KEY).unwrap();
    steps(&mut world, 20);
    assert_eq!(allocations_of(|| steps(&mut world, 60)), 0);
    world.drop_scratch();
    let mut kept = SeaWorld::new(model(&members(sensors, &others.concat(), sonar)), KEY).unwrap();
    steps(&mut kept, 90);
    steps(&mut world, 10);
    assert_eq!(world.state().hash(), kept.state().hash());
}

/// Names of no vehicle, ropes of one place.
#[test]
fn wrong_bodies_are_refused_at_their_keys() {
    let point = r#"{"position_m": [0, 0, 0]}"#;
    for (sonar, expected) in [
        (r#""hulls": {"bo": "mud"}"#.to_owned(), r#"sonar.hulls.bo: is "bo", the name of no vehicle"#),
        (
            r#""objects": [{"vehicle": "x", "position_m": [0, 0, 0], "box_m": [1, 1, 1]}]"#.to_owned(),
            r#"sonar.objects[0].vehicle: is "x", the name of no vehicle"#,
        ),
        (format!(r#""ropes": [{{"radius_m": 1, "points": [{point}]}}]"#), "sonar.ropes[0].points: "),
        (format!(r#""ropes": [{{"radius_m": 0, "points": [{point}, {point}]}}]"#), "sonar.ropes[0].radius_m: is 0"),
        (
            format!(
                r#""ropes": [{{"radius_m": 1, "points": [{point}, {{"vehicle": "boo", "position_m": [0, 0, 0]}}]}}]"#
            ),
            r#"sonar.ropes[0].points[1].vehicle: is "boo", the name of no vehicle; did you mean "boa""#,
        ),
    ] {
        let scenario = text(&members(AHEAD, &station("boa", [20.0, 0.0, -10.0]), &sonar));
        let found = parse(WORLDS, &scenario, "a.json", &[]).unwrap_err().to_string();
        assert!(found.contains(expected), "{sonar}\n{found}");
    }
}
