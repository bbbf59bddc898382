//! Cubes that leave the mat while a run goes on, and come back: their bodies, power and radio.

use super::model::CubesModel;
use super::state::{self, Cubes, CubesScratch};
use super::step::Trace;
use crate::events::{EventObject, WorldEvent};
use sim_core::{DVec2, Tick, angle};
use sim_world::StepError;
use toio_physics::{BringError, Touched, geometry};

impl Cubes {
    /// True if a cube is not on the mat.
    ///
    /// # Panics
    /// If there is no cube of that number.
    #[must_use]
    pub fn is_away(&self, cube: usize) -> bool {
        self.physics.reports()[cube].is_away
    }

    /// A hand takes a cube off the mat in the step `tick`. It is off at once, and its client is gone.
    pub(super) fn take_away(
        &mut self,
        model: &CubesModel,
        tick: Tick,
        cube: usize,
        trace: &mut CubesScratch,
    ) -> Result<(), StepError> {
        self.physics.take_away(&model.physics, cube).map_err(|error| StepError::other(tick, error))?;
        let one = &mut self.cubes[cube];
        one.firmware.cut_power();
        one.lose_link(model.moment(tick), &mut Trace { cube, messages: &mut trace.messages });
        one.pressed_until = Tick(0);
        // It has not returned: it is nowhere.
        one.is_outside = false;
        Ok(())
    }

    /// A hand brings a cube back and switches it on: with the middle of its body at `place_mm` and that heading, or as it stood when it
    /// was taken away. Returns the event of that, or of what keeps it away.
    pub(super) fn bring(
        &mut self,
        model: &CubesModel,
        (tick, told): (Tick, Tick),
        cube: usize,
        (place_mm, heading_rad): (Option<DVec2>, Option<f64>),
    ) -> Result<WorldEvent, StepError> {
        let report = &self.physics.reports()[cube];
        let place_mm = place_mm.unwrap_or_else(|| state::place_mm(report));
        let heading_rad = heading_rad.unwrap_or_else(|| report.heading_rad());
        let axle_m = place_mm / 1000.0 + angle::unit(heading_rad) * geometry::AXLE_AHEAD_M;
        if let Some(obstacle) = model.obstacle_at(place_mm).filter(|_| report.is_away) {
            return Ok(WorldEvent::bring_refused(told, cube, obstacle));
        }
        let in_the_way = match self.physics.bring(&model.physics, cube, axle_m, heading_rad) {
            Ok(()) => {
                let one = &mut self.cubes[cube];
                one.firmware.power_on();
                one.is_outside = model.is_outside(&self.ground, place_mm);
                return Ok(WorldEvent::brought(told, cube, place_mm));
            }
            Err(BringError::Param(error)) => return Err(StepError::other(tick, error)),
            Err(BringError::There) => EventObject::Word("there"),
            Err(BringError::InTheWay(Touched::Cube(other))) => EventObject::Cube(other as u32),
            Err(BringError::InTheWay(Touched::Wall(wall))) => model.standing[wall],
        };
        Ok(WorldEvent::bring_refused(told, cube, in_the_way))
    }
}
