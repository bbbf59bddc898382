//! One car: command in force, motion, clock, and whether it has hit something.

use super::ackermann::Twist;
use super::clearance;
use super::motion::{Goal, Motion};
use super::params::CarModel;
use super::report::CarReport;
use crate::map::FARTHEST_M;
use crate::{Outline, Pose, SegmentMap, Traffic};
use sim_core::{ParamError, StateHash, angle};

/// What a driver asks for, of the base point. Curvature and velocity beyond the car's limits count as the limits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Command {
    /// Speed along the path, m/s; negative drives back.
    pub velocity_m_s: f64,
    /// Curvature of the path, 1/m; positive turns left when driving forward.
    pub curvature_1_m: f64,
    /// Gains and losses of speed are no larger than this, m/s^2, 0 or more; without it, no larger than the car's limits.
    pub acceleration_m_s2: Option<f64>,
}

impl Command {
    pub(crate) fn check(&self) -> Result<(), ParamError> {
        for (field, value) in [("velocity_m_s", self.velocity_m_s), ("curvature_1_m", self.curvature_1_m)] {
            if !value.is_finite() {
                return Err(ParamError::new(field, format!("is {value}, must be a finite number")));
            }
        }
        match self.acceleration_m_s2 {
            Some(a) if !(a.is_finite() && a >= 0.0) => {
                Err(ParamError::new("acceleration_m_s2", format!("is {a}, must be a finite number, 0 or more")))
            }
            _ => Ok(()),
        }
    }
}

/// Where and how a car starts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Start {
    /// The base point, within 100 km of the origin along each axis.
    pub base: Pose,
    /// Middle steering angle, within the car's limit.
    pub steering_rad: f64,
    /// Speed of the base point, m/s, within the car's limits.
    pub velocity_m_s: f64,
}

impl Start {
    /// At rest, wheels straight.
    #[must_use]
    pub fn at(base: Pose) -> Self {
        Self { base, steering_rad: 0.0, velocity_m_s: 0.0 }
    }

    fn check(&self, model: &CarModel) -> Result<(), ParamError> {
        let params = model.params();
        ParamError::check_range("x_m", self.base.position_m.x, -FARTHEST_M, FARTHEST_M)?;
        ParamError::check_range("y_m", self.base.position_m.y, -FARTHEST_M, FARTHEST_M)?;
        ParamError::check_range("yaw_rad", self.base.yaw_rad, -1000.0, 1000.0)?;
        let limit = model.steering_limit_rad();
        ParamError::check_range("steering_rad", self.steering_rad, -limit, limit)?;
        ParamError::check_range("velocity_m_s", self.velocity_m_s, params.velocity_min_m_s, params.velocity_max_m_s)
    }

    fn motion(&self, model: &CarModel) -> Motion {
        let ackermann = model.ackermann();
        let rear = Twist { curvature_1_m: ackermann.rear_curvature_1_m(self.steering_rad), velocity_m_s: 1.0 };
        let base_per_rear = ackermann.base_from_rear(rear).velocity_m_s;
        Motion {
            steering_rad: self.steering_rad,
            velocity_m_s: self.velocity_m_s / base_per_rear,
            ..Motion::resting(ackermann, self.base)
        }
    }
}

/// Whether a car drives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// It follows its command.
    #[default]
    InProgress,
    /// It has hit an obstacle or another car. It stays as it was at that moment, its clock too, until a reset.
    Collision,
}

/// What is taken off a measured gap, m, so that no rounding can make it too large.
const GAP_MARGIN_M: f64 = 1e-6;

/// How far around itself a car looks, in lengths of its body.
const LOOK_AHEAD_LENGTHS: f64 = 2.0;

/// Complete state of a car. A clone goes on bit for bit like the original.
#[derive(Clone, Debug)]
pub struct Car {
    motion: Motion,
    target: Twist,
    goal: Goal,
    steps: u64,
    status: Status,
    /// The car cannot touch the map before some point of it has moved so far. Follows from the rest and the map: it only saves looks.
    free_m: f64,
}

impl Car {
    /// A car at rest at the origin. It looks at the map when it moves.
    #[must_use]
    pub fn new(model: &CarModel) -> Self {
        let mut car = Self {
            motion: Motion::resting(model.ackermann(), Pose::ORIGIN),
            target: Twist::default(),
            goal: Goal::default(),
            steps: 0,
            status: Status::InProgress,
            free_m: 0.0,
        };
        car.aim(model, &Command::default());
        car
    }

    /// A car that is ready to drive.
    ///
    /// # Errors
    /// If a value of the start is out of its range, or the car would touch or lie in an obstacle.
    pub fn placed(model: &CarModel, map: &SegmentMap, start: &Start) -> Result<Self, ParamError> {
        let mut car = Self::new(model);
        car.reset(model, map, start)?;
        if car.status == Status::Collision {
            let Pose { position_m, yaw_rad } = start.base;
            let message =
                format!("puts the car into an obstacle: base at [{}, {}], yaw {yaw_rad}", position_m.x, position_m.y);
            return Err(ParamError::new("start", message));
        }
        Ok(car)
    }

    /// Puts the car elsewhere: clock to zero, command to standing straight, and a look at the map, which may find a collision.
    ///
    /// # Errors
    /// If a value is out of its range. Nothing has changed then.
    pub fn reset(&mut self, model: &CarModel, map: &SegmentMap, start: &Start) -> Result<(), ParamError> {
        start.check(model)?;
        *self = Self { motion: start.motion(model), ..Self::new(model) };
        self.find_collision(model, map);
        Ok(())
    }

    /// Has the car drive on another map: a collision is forgotten, and looked for on the new one. To be called whenever the map changes.
    pub fn change_map(&mut self, model: &CarModel, map: &SegmentMap) {
        self.status = Status::InProgress;
        self.find_collision(model, map);
    }

    /// Sets the command, which stays in force until the next one. It acts from the next step on.
    ///
    /// # Errors
    /// If a number is not finite or the acceleration is negative. The old command stays in force then.
    pub fn set_command(&mut self, model: &CarModel, command: &Command) -> Result<(), ParamError> {
        command.check()?;
        self.aim(model, command);
        Ok(())
    }

    fn aim(&mut self, model: &CarModel, command: &Command) {
        let (params, ackermann) = (model.params(), model.ackermann());
        let limit_1_m = model.curvature_limit_1_m();
        self.target = Twist {
            curvature_1_m: command.curvature_1_m.clamp(-limit_1_m, limit_1_m),
            velocity_m_s: command.velocity_m_s.clamp(params.velocity_min_m_s, params.velocity_max_m_s),
        };
        let rear = ackermann.rear_from_base(self.target);
        let rear_share = ackermann.rear_share(self.target.curvature_1_m);
        let rate = |limit_m_s2: f64| rear_share * command.acceleration_m_s2.map_or(limit_m_s2, |a| a.min(limit_m_s2));
        self.goal = Goal {
            steering_rad: ackermann.middle_rad(rear.curvature_1_m),
            velocity_m_s: rear.velocity_m_s,
            steering_rate_rad_s: params.steering_rate_rad_s,
            acceleration_m_s2: rate(params.acceleration_limit_m_s2),
            deceleration_m_s2: rate(params.deceleration_limit_m_s2),
        };
    }

    /// One integration step: moves on and looks whether it hits something. A car that has collided stays as it is.
    pub fn step(&mut self, model: &CarModel, map: &SegmentMap) {
        if self.status == Status::Collision {
            return;
        }
        let before = self.motion.rear;
        self.motion.advance(model.ackermann(), &self.goal, model.step_s());
        self.steps += 1;
        self.free_m -= farthest_moved_m(model, before, self.motion.rear);
        if self.free_m < 0.0 {
            self.find_clearance(model, map);
        }
    }

    /// Ends the drive of car number `own` if its outline in `traffic` touches another one. To be called for every car once all have made
    /// their step and `traffic` has their outlines: both cars then find the other.
    pub fn meet(&mut self, traffic: &Traffic, own: usize) {
        if traffic.outlines().get(own).is_some_and(|outline| traffic.touched_by(outline, Some(own)).is_some()) {
            self.status = Status::Collision;
        }
    }

    /// Checks the map for a car that has been put somewhere, which may be the inside of something solid.
    fn find_collision(&mut self, model: &CarModel, map: &SegmentMap) {
        if map.is_solid_at(self.base(model).position_m) {
            self.status = Status::Collision;
        } else {
            self.find_clearance(model, map);
        }
    }

    fn find_clearance(&mut self, model: &CarModel, map: &SegmentMap) {
        let outline = self.outline(model);
        if map.touches(&outline) {
            self.status = Status::Collision;
        } else {
            let most_m = LOOK_AHEAD_LENGTHS * model.params().body_length_m;
            self.free_m = clearance::gap_m(map, &outline, most_m) - GAP_MARGIN_M;
        }
    }

    /// Whether it drives or has hit something.
    #[must_use]
    pub fn status(&self) -> Status {
        self.status
    }

    /// Steps since the last reset.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// How the rear axle moves.
    #[must_use]
    pub fn motion(&self) -> &Motion {
        &self.motion
    }

    /// The base point in the world.
    #[must_use]
    pub fn base(&self, model: &CarModel) -> Pose {
        self.motion.base(model.ackermann())
    }

    /// Curvature and velocity of the base point.
    #[must_use]
    pub fn base_twist(&self, model: &CarModel) -> Twist {
        model.ackermann().base_from_rear(self.rear_twist(model))
    }

    fn rear_twist(&self, model: &CarModel) -> Twist {
        Twist { curvature_1_m: self.motion.curvature_1_m(model.ackermann()), velocity_m_s: self.motion.velocity_m_s }
    }

    /// The body's outline on the plane.
    #[must_use]
    pub fn outline(&self, model: &CarModel) -> Outline {
        Outline::new(model.body_m(), self.base(model))
    }

    /// Everything there is to know at this moment.
    #[must_use]
    pub fn report(&self, model: &CarModel) -> CarReport {
        let ackermann = model.ackermann();
        let (rear, base) = (self.rear_twist(model), self.base(model));
        let base_twist = ackermann.base_from_rear(rear);
        let heading_rad = base.yaw_rad + ackermann.base_slip_rad(rear.curvature_1_m);
        CarReport {
            time_ns: self.steps * model.params().step_ns,
            status: self.status,
            base,
            base_twist,
            target_twist: self.target,
            base_velocity_in_world_m_s: base_twist.velocity_m_s * angle::unit(heading_rad),
            yaw_rate_rad_s: base_twist.yaw_rate_rad_s(),
            steering: ackermann.steering(self.motion.steering_rad),
            target_steering: ackermann.steering(self.goal.steering_rad),
            wheel_speeds: ackermann.wheel_speeds(rear),
            motor_rps: ackermann.motor_rps(rear.velocity_m_s),
            target_motor_rps: ackermann.motor_rps(self.goal.velocity_m_s),
        }
    }

    /// Puts the state into `hash`.
    pub fn hash_into(&self, hash: &mut StateHash) {
        self.motion.hash_into(hash);
        let Goal { steering_rad, velocity_m_s, steering_rate_rad_s, acceleration_m_s2, deceleration_m_s2 } = self.goal;
        for value in [
            self.target.curvature_1_m,
            self.target.velocity_m_s,
            steering_rad,
            velocity_m_s,
            steering_rate_rad_s,
            acceleration_m_s2,
            deceleration_m_s2,
        ] {
            hash.f64(value);
        }
        hash.u64(self.steps);
        hash.u64(u64::from(self.status == Status::Collision));
    }
}

/// No point of the body moves farther than this between two poses of the rear axle, m.
fn farthest_moved_m(model: &CarModel, before: Pose, after: Pose) -> f64 {
    let turned_rad = angle::wrap_rad(after.yaw_rad - before.yaw_rad).abs();
    before.position_m.distance(after.position_m) + turned_rad * model.reach_m()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Segment;
    use proptest::prelude::*;
    use sim_core::DVec2;

    fn model() -> CarModel {
        CarModel::new(Default::default()).unwrap()
    }

    fn hash_of(car: &Car) -> u64 {
        let mut hash = StateHash::new();
        car.hash_into(&mut hash);
        hash.finish()
    }

    proptest! {
        /// A car that looks at the map in every step is the reference: looking only when it could matter must not change anything.
        #[test]
        fn skipped_looks_change_nothing(
            walls in prop::collection::vec((-2.0_f64..2.0, -2.0_f64..2.0, -1.5_f64..1.5, -1.5_f64..1.5), 1..12),
            legs in prop::collection::vec((-0.6_f64..0.9, -1.7_f64..1.7, 1_u32..1500), 1..6),
        ) {
            let model = model();
            let wall = |&(x, y, dx, dy): &(f64, f64, f64, f64)| Segment::new(DVec2::new(x, y), DVec2::new(x + dx, y + dy));
            let map = SegmentMap::from_segments(&walls.iter().map(wall).collect::<Vec<_>>()).unwrap();
            let mut car = Car::new(&model);
            car.change_map(&model, &map);
            let mut careful = car.clone();
            for (velocity_m_s, curvature_1_m, steps) in legs {
                let command = Command { velocity_m_s, curvature_1_m, acceleration_m_s2: None };
                car.set_command(&model, &command).unwrap();
                careful.set_command(&model, &command).unwrap();
                for _ in 0..steps {
                    car.step(&model, &map);
                    careful.free_m = 0.0;
                    careful.step(&model, &map);
                    prop_assert_eq!(hash_of(&car), hash_of(&careful));
                }
            }
        }
    }
}
