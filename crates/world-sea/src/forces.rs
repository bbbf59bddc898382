//! What pulls at each vehicle after a step, force by force: the stream `forces`.
//!
//! All but the last are the wrenches at the state after the step; with the inertia M of body and entrained water, their sum is
//! `M (nu' + [w x v_c; 0])` in still or even water. Contact comes as impulses: its row is that of the step over the length of the step.

use crate::loads::{FieldMoment, loads, turning};
use crate::model::SeaModel;
use crate::world::{SeaWorld, VehicleRun};
use sea_sim::spatial::Vec6;
use sim_world::{Cadence, Column, RowSink, Stream, Value, World};

/// Rows of a vehicle.
const FORCES: u64 = 8;

/// Changes of velocity by contact in the last step, by vehicle; empty if forces are not written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Struck {
    changes: Vec<Vec6>,
}

impl Struck {
    /// Before contact: keeps the velocities.
    pub fn begin(&mut self, model: &SeaModel, vehicles: &[VehicleRun]) {
        self.changes.clear();
        if model.has_forces {
            self.changes.extend(vehicles.iter().map(|run| run.motion.body.velocity));
        }
    }

    /// After it: the changes.
    pub fn end(&mut self, vehicles: &[VehicleRun]) {
        for (change, run) in self.changes.iter_mut().zip(vehicles) {
            *change = run.motion.body.velocity - *change;
        }
    }

    fn of(&self, vehicle: usize) -> Vec6 {
        self.changes.get(vehicle).copied().unwrap_or(Vec6::ZERO)
    }
}

/// The stream; none if it is not asked for or nothing moves by forces.
pub(crate) fn stream(model: &SeaModel) -> Option<Stream> {
    let moved = model.vehicles.iter().filter(|vehicle| vehicle.vehicle.body().is_some()).count() as u64;
    let columns = Column::moment().into_iter().chain([
        Column::integer("vehicle", "number of the vehicle"),
        Column::text(
            "source",
            "`inertia` (Coriolis and centripetal), `weight`, `buoyancy`, `damping`, `waves`, `actuators`, `fields` (and forces of the \
             script) or `contact` (mean over the step)",
        ),
        Column::number("x_n", "force along the vehicle's axes, forward"),
        Column::number("y_n", "force to the left"),
        Column::number("z_n", "force upward"),
        Column::number("roll_n_m", "moment about its origin, about forward"),
        Column::number("pitch_n_m", "moment about left"),
        Column::number("yaw_n_m", "moment about up"),
    ]);
    let cadence = Cadence::Sampled { owners: FORCES * moved };
    (model.has_forces && moved > 0)
        .then(|| Stream::new("forces", "a force on a vehicle after a step", cadence, columns))
}

/// Hands its rows on.
pub(crate) fn rows(world: &SeaWorld, struck: &Struck, out: &mut RowSink<'_>) {
    let (model, time_s, sea) = (world.model(), world.time_s(), world.sea());
    let vehicles = &world.state().vehicles;
    let propellers: Vec<_> = turning(model, vehicles).collect();
    // The draws are those of the step to come, as for the inertial unit.
    let fields = FieldMoment { propellers: &propellers, key: world.key(), tick: world.tick().next() };
    for (number, (setup, run)) in model.vehicles.iter().zip(vehicles).enumerate() {
        let motion = &run.motion;
        let around = sea.nearby(motion.body.position_m, time_s);
        let outside = loads(model, (setup, run), (&around, time_s), &fields);
        let Some(wrenches) = setup.vehicle.wrenches(motion, &around, &outside, time_s) else { continue };
        let impulse = setup.vehicle.impulse(motion, struck.of(number), &around, time_s);
        let contact = impulse.unwrap_or(Vec6::ZERO) * f64::from(model.step_hz);
        let listed: [(&str, Vec6); FORCES as usize] = [
            ("inertia", wrenches.inertia),
            ("weight", wrenches.weight),
            ("buoyancy", wrenches.buoyancy),
            ("damping", wrenches.damping),
            ("waves", wrenches.waves),
            ("actuators", wrenches.actuators),
            ("fields", wrenches.loads_in_body + wrenches.loads_in_world),
            ("contact", contact),
        ];
        for (source, wrench) in listed {
            let [x, y, z, roll, pitch, yaw] = wrench.to_array().map(Value::Number);
            out(&[world.tick().0.into(), time_s.into(), number.into(), source.into(), x, y, z, roll, pitch, yaw]);
        }
    }
}
