//! Motion of robots: speed, acceleration, turning, jerk, and the limits of all of them.

use super::catalogue::{DISTANCE_TOLERANCE_MM, LIMIT_TOLERANCE, Table, ratio};
use super::events::{Event, EventLog, Party, RobotLimit};
use super::histogram::Histogram;
use super::{MeasureModel, Observation};
use crate::Agents;
use sim_core::angle::wrap_rad;
use sim_core::{DVec2, Tick};

/// Time over which the jerk is made dimensionless: `jerk * T^2 / v_max`.
const JERK_TIME_S: f64 = 1.0;

const LIMITS: [RobotLimit; 4] =
    [RobotLimit::Outside, RobotLimit::Acceleration, RobotLimit::TurnRate, RobotLimit::Speed];

/// Motion of all robots.
#[derive(Clone, Debug)]
pub(super) struct Motions {
    speed: Running,
    acceleration: Histogram,
    speed_change: Histogram,
    turn_rate: Histogram,
    jerk_squares: f64,
    jerks: u64,
    has_acceleration_before: bool,
    /// Of the last step and of the one before.
    accelerations: [Vec<DVec2>; 2],
    accelerations_mm_s2: Vec<f64>,
    speeds_mm_s: Vec<f64>,
    turn_rates_rad_s: Vec<f64>,
    ways_mm: Vec<f64>,
    robots: u64,
    longest_travel2: f64,
    motion_error2_max: f64,
    tracking_error2_max: f64,
    outside_max_mm: f64,
    exceeded: [u64; 4],
    exceeded_last: Vec<u8>,
    non_finite: u64,
    first_non_finite: Option<(Tick, Party)>,
}

/// Sum, count and largest of non-negative values.
#[derive(Clone, Copy, Debug, Default)]
struct Running {
    sum: f64,
    count: u64,
    largest: f64,
}

impl Running {
    fn add_all(&mut self, values: &[f64]) {
        self.count += values.len() as u64;
        for &value in values {
            self.sum += value;
            self.largest = if value > self.largest { value } else { self.largest };
        }
    }
}

impl Motions {
    pub(super) fn new(model: &MeasureModel) -> Self {
        // Twice the limit, so that values of a run that exceeds it are still resolved.
        let two_limits = |limit: f64| Histogram::new(2.0 * limit);
        Self {
            speed: Running::default(),
            acceleration: two_limits(model.a_max_mm_s2),
            speed_change: two_limits(model.a_max_mm_s2),
            turn_rate: two_limits(model.omega_max_rad_s),
            jerk_squares: 0.0,
            jerks: 0,
            has_acceleration_before: false,
            accelerations: [(); 2].map(|()| vec![DVec2::ZERO; model.robots]),
            accelerations_mm_s2: vec![0.0; model.robots],
            speeds_mm_s: vec![0.0; model.robots],
            turn_rates_rad_s: vec![0.0; model.robots],
            ways_mm: vec![0.0; model.robots],
            robots: model.robots as u64,
            longest_travel2: 0.0,
            motion_error2_max: 0.0,
            tracking_error2_max: 0.0,
            outside_max_mm: 0.0,
            exceeded: [0; 4],
            exceeded_last: vec![0; model.robots],
            non_finite: 0,
            first_non_finite: None,
        }
    }

    /// Counts and records robots and feet whose numbers are not finite; true if there are none, before and after the step.
    pub(super) fn all_finite(&mut self, seen: &Observation<'_>, log: &mut EventLog) -> bool {
        let after = seen.after;
        let mut sum = 0.0;
        for i in 0..after.position_mm.len() {
            sum += sum_of_robot(seen, i);
        }
        for p in seen.feet_after_mm {
            sum += p.x + p.y;
        }
        // The sum alone decides nearly always: infinities and NaN survive every addition.
        if sum.is_finite() {
            return self.first_non_finite.is_none() || seen.before.position_mm.iter().all(|p| p.is_finite());
        }
        self.name_non_finite(seen, log)
    }

    #[cold]
    fn name_non_finite(&mut self, seen: &Observation<'_>, log: &mut EventLog) -> bool {
        let robots = (0..seen.after.position_mm.len()).map(|i| (Party::Agent(i as u32), sum_of_robot(seen, i)));
        let feet = seen.feet_after_mm.iter().enumerate().map(|(k, p)| (Party::Foot(k as u32), p.x + p.y));
        let mut found = false;
        for (party, _) in robots.chain(feet).filter(|(_, sum)| !sum.is_finite()) {
            found = true;
            self.non_finite += 1;
            self.first_non_finite.get_or_insert((seen.tick, party));
            log.push(Event::NonFinite { tick: seen.tick, party });
        }
        !found
    }

    pub(super) fn step(&mut self, model: &MeasureModel, seen: &Observation<'_>, log: &mut EventLog) {
        let rate_hz = model.rate_hz();
        self.follow_places(rate_hz, seen);
        if let Some((_, decided)) = seen.decided {
            self.compare_with_decided(decided, seen.after);
        }
        let (before, after) = seen.decided.unwrap_or((seen.before, seen.after));
        self.follow_velocities(rate_hz, before, after);
        self.turn(rate_hz, before, after);
        self.speed.add_all(&self.speeds_mm_s);
        if !self.surely_keep_limits(model, seen) {
            (0..self.ways_mm.len()).for_each(|i| self.check_limits(model, seen, i, log));
        }
    }

    fn follow_places(&mut self, rate_hz: f64, seen: &Observation<'_>) {
        let (mut longest2, mut error2_max) = (0.0_f64, 0.0_f64);
        let moves = seen.before.position_mm.iter().zip(&seen.after.position_mm).zip(&seen.after.velocity_mm_s);
        for ((way_mm, speed_mm_s), ((from, to), velocity)) in
            self.ways_mm.iter_mut().zip(&mut self.speeds_mm_s).zip(moves)
        {
            let travel = *to - *from;
            let (travel2, error) = (travel.length_squared(), travel * rate_hz - *velocity);
            longest2 = longest2.max(travel2);
            error2_max = error2_max.max(error.length_squared());
            *way_mm = travel2.sqrt();
            *speed_mm_s = *way_mm * rate_hz;
        }
        self.longest_travel2 = longest2;
        self.motion_error2_max = self.motion_error2_max.max(error2_max);
    }

    /// Where robots only follow motions decided elsewhere, speeds are those of the decided motions.
    fn compare_with_decided(&mut self, decided: &Agents, after: &Agents) {
        for (decided_mm, place_mm) in decided.position_mm.iter().zip(&after.position_mm) {
            self.tracking_error2_max = self.tracking_error2_max.max(decided_mm.distance_squared(*place_mm));
        }
        for (speed_mm_s, velocity) in self.speeds_mm_s.iter_mut().zip(&decided.velocity_mm_s) {
            *speed_mm_s = velocity.length();
        }
    }

    fn follow_velocities(&mut self, rate_hz: f64, before: &Agents, after: &Agents) {
        self.accelerations.swap(0, 1);
        let [now, last] = &mut self.accelerations;
        let changes = before.velocity_mm_s.iter().zip(&after.velocity_mm_s);
        for ((acceleration, mm_s2), (before, after)) in now.iter_mut().zip(&mut self.accelerations_mm_s2).zip(changes) {
            *acceleration = (*after - *before) * rate_hz;
            *mm_s2 = acceleration.length();
        }
        if self.has_acceleration_before {
            let jerks = now.iter().zip(&*last).map(|(now, last)| ((*now - *last) * rate_hz).length_squared());
            self.jerk_squares = jerks.fold(self.jerk_squares, |sum, jerk2| sum + jerk2);
            self.jerks += self.robots;
        }
        self.has_acceleration_before = true;
        self.acceleration.add_all(self.accelerations_mm_s2.iter().copied());
        let speeds = before.speed_mm_s.iter().zip(&after.speed_mm_s);
        self.speed_change.add_all(speeds.map(|(before, after)| (after - before).abs() * rate_hz));
    }

    fn turn(&mut self, rate_hz: f64, before: &Agents, after: &Agents) {
        let headings = before.heading_rad.iter().zip(&after.heading_rad);
        for (turn_rate, (before, after)) in self.turn_rates_rad_s.iter_mut().zip(headings) {
            *turn_rate = wrap_rad(*after - *before).abs() * rate_hz;
        }
        self.turn_rate.add_all(self.turn_rates_rad_s.iter().copied());
    }

    /// True if it shows without a look at each robot that all keep their limits, and kept them in the step before.
    fn surely_keep_limits(&self, model: &MeasureModel, seen: &Observation<'_>) -> bool {
        // Looking at all values, with no early end, compares several at once.
        let all_within =
            |values: &[f64], limit| values.iter().fold(true, |keep, &value| keep & is_within(value, limit));
        all_within(&self.accelerations_mm_s2, model.a_max_mm_s2)
            && all_within(&self.turn_rates_rad_s, model.omega_max_rad_s)
            && all_within(&self.speeds_mm_s, model.v_max_mm_s)
            && model.walls.is_empty()
            && seen.after.position_mm.iter().all(|&place_mm| model.bounds.contains(place_mm))
            && self.exceeded_last.iter().all(|&flags| flags == 0)
    }

    fn check_limits(&mut self, model: &MeasureModel, seen: &Observation<'_>, i: usize, log: &mut EventLog) {
        let (from_mm, to_mm) = (seen.before.position_mm[i], seen.after.position_mm[i]);
        let outside_mm = model.bounds.outside_mm(to_mm).max(model.walls.lack_mm(from_mm, to_mm));
        self.outside_max_mm = self.outside_max_mm.max(outside_mm);
        let values = [outside_mm, self.accelerations_mm_s2[i], self.turn_rates_rad_s[i], self.speeds_mm_s[i]];
        let broken = [
            outside_mm > DISTANCE_TOLERANCE_MM,
            !is_within(values[1], model.a_max_mm_s2),
            !is_within(values[2], model.omega_max_rad_s),
            !is_within(values[3], model.v_max_mm_s),
        ];
        self.note_limits(seen.tick, i, broken, values, log);
    }

    fn note_limits(&mut self, tick: Tick, i: usize, broken: [bool; 4], values: [f64; 4], log: &mut EventLog) {
        let mut flags = 0;
        for (bit, limit) in LIMITS.into_iter().enumerate() {
            if !broken[bit] {
                continue;
            }
            flags |= 1 << bit;
            self.exceeded[bit] += 1;
            if self.exceeded_last[i] & (1 << bit) == 0 {
                log.push(Event::LimitExceeded { tick, limit, agent: i as u32, value: values[bit] });
            }
        }
        self.exceeded_last[i] = flags;
    }

    /// Way of each robot in the last step.
    pub(super) fn ways_mm(&self) -> &[f64] {
        &self.ways_mm
    }

    /// Longest way of a robot in the last step.
    pub(super) fn longest_travel_mm(&self) -> f64 {
        self.longest_travel2.sqrt()
    }

    pub(super) fn first_non_finite(&self) -> Option<(Tick, Party)> {
        self.first_non_finite
    }

    pub(super) fn outside_max_mm(&self) -> f64 {
        self.outside_max_mm
    }

    pub(super) fn report_limits(&self, table: &mut Table<'_>) {
        table.count("outside_mat", self.exceeded[0]);
        table.count("accel_limit_violations", self.exceeded[1]);
        table.count("turn_limit_violations", self.exceeded[2]);
        table.count("speed_limit_violations", self.exceeded[3]);
        table.count("non_finite", self.non_finite);
    }

    pub(super) fn report(&self, model: &MeasureModel, table: &mut Table<'_>) {
        table.push("motion_error_max_mm", self.motion_error2_max.sqrt() / model.rate_hz());
        table.push("tracking_error_max_mm", self.tracking_error2_max.sqrt());
        table.push("speed_max_mm_s", if self.speed.count == 0 { f64::NAN } else { self.speed.largest });
        table.push("speed_mean_mm_s", ratio(self.speed.sum, self.speed.count as f64));
        table.push("accel_max_mm_s2", self.acceleration.max());
        table.push("accel_p99_mm_s2", self.acceleration.quantile(0.99));
        table.push("accel_mean_mm_s2", self.acceleration.mean());
        table.push("speed_change_max_mm_s2", self.speed_change.max());
        table.push("speed_change_p99_mm_s2", self.speed_change.quantile(0.99));
        table.push("speed_change_mean_mm_s2", self.speed_change.mean());
        table.push("turn_rate_max_rad_s", self.turn_rate.max());
        table.push("turn_rate_p99_rad_s", self.turn_rate.quantile(0.99));
        table.push("turn_rate_mean_rad_s", self.turn_rate.mean());
        let jerk_rms_mm_s3 = ratio(self.jerk_squares, self.jerks as f64).sqrt();
        table.push("jerk_rms_mm_s3", jerk_rms_mm_s3);
        table.push("jerk_rms_normalised", jerk_rms_mm_s3 * JERK_TIME_S * JERK_TIME_S / model.v_max_mm_s);
    }

    /// Length of a robot's way in the whole run, mean over the robots, mm.
    pub(super) fn path_length_mean_mm(&self, model: &MeasureModel) -> f64 {
        ratio(self.speed.sum / model.rate_hz(), self.robots as f64)
    }
}

fn is_within(value: f64, limit: f64) -> bool {
    value <= limit * (1.0 + LIMIT_TOLERANCE)
}

/// Sum of all numbers of a robot and its wish: finite only if all of them are.
#[inline]
fn sum_of_robot(seen: &Observation<'_>, i: usize) -> f64 {
    let (p, v, w) = (seen.after.position_mm[i], seen.after.velocity_mm_s[i], seen.wish_mm_s[i]);
    let numbers = (p.x + p.y) + (v.x + v.y) + (w.x + w.y);
    numbers + (seen.after.heading_rad[i] + seen.after.speed_mm_s[i] + seen.after.omega_rad_s[i])
}
