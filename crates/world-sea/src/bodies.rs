//! Hulls of vehicles as sound and light meet them: capsules in the world.

use crate::model::VehicleSetup;
use crate::world::VehicleRun;
use sea_echo::Capsule;
use sea_sim::pose::Pose;

/// The capsules of a vehicle where it is now.
pub(crate) fn capsules(setup: &VehicleSetup, run: &VehicleRun) -> impl Iterator<Item = Capsule> {
    let pose: Pose = run.motion.body.pose();
    let capsules = setup.hull.capsules().iter();
    capsules.map(move |own| Capsule { ends_m: own.ends_m.map(|end_m| pose.point_m(end_m)), radius_m: own.radius_m })
}

/// The sphere that holds a vehicle where it is now.
pub(crate) fn sphere(setup: &VehicleSetup, run: &VehicleRun) -> Capsule {
    Capsule { ends_m: [run.motion.body.position_m; 2], radius_m: setup.hull.radius_m() }
}
