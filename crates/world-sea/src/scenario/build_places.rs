//! Whether vehicles start, and are put by the script, where they can be.

use super::build::{body_at, lowest_z_m};
use super::spec::SeaScenario;
use crate::model::SeaModel;
use crate::place::{Misplaced, OVERLAP_M};
use sea_sim::contact::{hull_distance_m, sweep};
use sea_sim::driver::{Level, Route, Waypoint};
use sea_sim::pose::Pose;
use sim_core::DVec3;
use sim_input::diagnostic::Fault;

/// Most pairs of vehicles that are told to overlap.
const MAX_OVERLAPS: usize = 20;

/// No vehicle starts below the bottom, in it or beyond its border, or is put there by the script.
pub(super) fn check_places(model: &SeaModel, scenario: &SeaScenario, faults: &mut Vec<Fault>) {
    let starts = scenario.vehicles.iter().enumerate();
    let starts = starts.map(|(number, vehicle)| (format!("vehicles[{number}].start"), &vehicle.start, Some(number)));
    let script = scenario.script.iter().enumerate();
    let teleports = script.filter_map(|(number, entry)| {
        let start = entry.teleport.as_ref()?;
        Some((format!("script[{number}].teleport"), start, model.vehicle(&entry.vehicle)))
    });
    for (path, start, vehicle) in starts.chain(teleports) {
        if let Some(misplaced) = vehicle.and_then(|vehicle| model.misplaced(vehicle, &body_at(start))) {
            let key = ["x_m", "y_m", "z_m"][misplaced.axis()];
            faults.push(Fault::new(format!("{path}.{key}"), misplaced.to_string()).depends(path).depends("terrain"));
        }
    }
}

/// No two vehicles start in each other, unless neither ever moves.
pub(super) fn check_neighbours(model: &SeaModel, faults: &mut Vec<Fault>) {
    let poses: Vec<Pose> = model.vehicles.iter().map(|setup| setup.start.body.pose()).collect();
    let radii_m: Vec<f64> = model.vehicles.iter().map(|setup| setup.hull.radius_m()).collect();
    let mut overlaps = Vec::new();
    let note = |a: usize, b: usize| {
        let [one, other] = [a.min(b), a.max(b)];
        let [first, second] = [one, other].map(|number| &model.vehicles[number]);
        let distance_m = hull_distance_m((&first.hull, &poses[one]), (&second.hull, &poses[other]));
        if distance_m < -OVERLAP_M && !(first.vehicle.is_fixed() && second.vehicle.is_fixed()) {
            overlaps.push((other, one, distance_m));
        }
    };
    sweep(&mut Vec::new(), |number| poses[number].position_m, &radii_m, note);
    overlaps.sort_unstable_by_key(|&(other, one, _)| (other, one));
    for (other, one, distance_m) in overlaps.into_iter().take(MAX_OVERLAPS) {
        let names = [one, other].map(|number| &model.vehicles[number].name);
        let apart_m = poses[one].position_m.distance(poses[other].position_m);
        let message = format!(
            "puts {} {apart_m:.3} m from {} (vehicles[{one}]): their hulls overlap by {:.3} m",
            names[1], names[0], -distance_m
        );
        let path = format!("vehicles[{other}]");
        faults.push(Fault::new(format!("{path}.start"), message).depends(path).depends(format!("vehicles[{one}]")));
    }
}

/// Warns of waypoints that are not above the bottom or beyond its border, and of depths that are below all of it.
pub(super) fn check_goals(model: &SeaModel, scenario: &SeaScenario, faults: &mut Vec<Fault>) {
    let lowest_z_m = model.terrain.as_ref().map_or(f64::NEG_INFINITY, lowest_z_m);
    for (number, (setup, spec)) in model.vehicles.iter().zip(&scenario.vehicles).enumerate() {
        let path = format!("vehicles[{number}].driver");
        for (place, waypoint) in setup.driver.route().into_iter().flat_map(Route::waypoints).enumerate() {
            let wrong = goal_fault(model, waypoint, setup.driver.can_dive());
            let fault = |message| Fault::new(format!("{path}.waypoints.points[{place}]"), message).warning();
            faults.extend(wrong.map(fault));
        }
        let setpoints = spec.driver.setpoints.iter().flat_map(|setpoints| &setpoints.list).enumerate();
        for (place, depth_m) in setpoints.filter_map(|(place, setpoint)| Some((place, setpoint.depth_m?))) {
            if model.level_m - depth_m < lowest_z_m {
                let message =
                    format!("is {depth_m}, below the bottom, which is at {lowest_z_m:.2} m where it is deepest");
                faults.push(Fault::new(format!("{path}.setpoints.list[{place}].depth_m"), message).warning());
            }
        }
    }
}

/// What is wrong with a waypoint. A vehicle that cannot dive goes there on the water.
fn goal_fault(model: &SeaModel, waypoint: &Waypoint, can_dive: bool) -> Option<String> {
    let [x_m, y_m] = waypoint.place_m;
    let depth_m = match waypoint.level {
        Level::DepthM(depth_m) if can_dive => depth_m,
        _ => 0.0,
    };
    Some(match model.misplaced_origin(DVec3::new(x_m, y_m, model.level_m - depth_m))? {
        Misplaced::Beyond { span_m: [low, high], .. } => format!(
            "is at [{x_m}, {y_m}], beyond the bottom, which ends at [{}, {}] and [{}, {}]",
            low.x, low.y, high.x, high.y
        ),
        Misplaced::Below { bottom_z_m, .. } => {
            format!("is {depth_m} m deep, where the bottom is at {bottom_z_m:.2} m")
        }
        Misplaced::InBottom { .. } => return None,
    })
}
