//! The waypoint ahead of each vehicle that follows a route: the stream `waypoints`.

use crate::model::SeaModel;
use crate::streams::moment;
use crate::world::SeaWorld;
use sea_sim::driver::{Level, Waypoint};
use sim_core::DVec3;
use sim_world::{Cadence, Column, RowSink, Stream, Value};

/// The stream; none if no vehicle follows a route.
pub(crate) fn stream(model: &SeaModel) -> Option<Stream> {
    let owners = model.vehicles.iter().filter(|vehicle| vehicle.driver.route().is_some()).count() as u64;
    let columns = Column::moment().into_iter().chain([
        Column::integer("vehicle", "number of the vehicle"),
        Column::integer("waypoint", "number of the waypoint ahead, from 0"),
        Column::number("x_m", "its place, east"),
        Column::number("y_m", "its place, north"),
        Column::number("z_m", "its height, up: of an altitude above the bottom right below it"),
        Column::number("radius_m", "distance at which it is reached"),
        Column::number("from_x_m", "place of the vehicle, east"),
        Column::number("from_y_m", "place of the vehicle, north"),
        Column::number("from_z_m", "place of the vehicle, up"),
    ]);
    let about = "the waypoint ahead of a vehicle after a step";
    (owners > 0).then(|| Stream::new("waypoints", about, Cadence::Sampled { owners }, columns))
}

/// Hands its rows on.
pub(crate) fn rows(world: &SeaWorld, out: &mut RowSink<'_>) {
    let model = world.model();
    let moment = moment(world);
    for (number, (setup, run)) in model.vehicles.iter().zip(&world.state().vehicles).enumerate() {
        let Some(route) = setup.driver.route() else { continue };
        let Some((waypoint, ahead)) = run.pilot.waypoint(&setup.driver) else { continue };
        let mut row = [Value::Missing; 11];
        row[..2].copy_from_slice(&moment);
        row[2..4].copy_from_slice(&[number.into(), waypoint.into()]);
        row[4..7].copy_from_slice(&place_m(model, ahead).to_array().map(Value::Number));
        row[7] = route.radius_m().into();
        row[8..].copy_from_slice(&run.motion.body.position_m.to_array().map(Value::Number));
        out(&row);
    }
}

/// Where a waypoint is; without a bottom, one of an altitude is at the surface.
fn place_m(model: &SeaModel, waypoint: &Waypoint) -> DVec3 {
    let [x_m, y_m] = waypoint.place_m;
    let z_m = match waypoint.level {
        Level::DepthM(depth_m) => model.level_m - depth_m,
        Level::AltitudeM(altitude_m) => {
            model.ground(DVec3::new(x_m, y_m, 0.0)).map_or(model.level_m, |ground| ground.z_m + altitude_m)
        }
    };
    DVec3::new(x_m, y_m, z_m)
}
