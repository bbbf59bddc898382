//! Whether vehicles start, and are put by the script, where they can be.

use super::build::body_at;
use super::spec::SeaScenario;
use crate::model::SeaModel;
use crate::place::OVERLAP_M;
use sea_sim::contact::{hull_distance_m, sweep};
use sea_sim::pose::Pose;
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
