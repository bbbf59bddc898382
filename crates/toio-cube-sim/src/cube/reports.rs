//! Sensor values of a step, and the notifications made of them (toio facts, sections 6 and 8.7).

use super::{Cube, Senses};
use crate::gatt::Characteristic;
use crate::micros::Micros;
use crate::motion::{MotionInput, MotionReport as Motion};
use crate::motor::constants::SPEED_PER_UNIT_M_S;
use crate::version::Protocol;
use crate::wire::{
    AttitudeKind, AttitudeReport, Bytes, ConfigReport, MagnetMode, MagnetReport, Message, MotionReport, MotorReport,
    Notification, SensorRequest, SerializedInfo, hash_optional,
};
use sim_core::StateHash;

/// Sensor values of this step, and the last notification of each kind.
#[derive(Clone, Debug, Default)]
pub(super) struct Reports {
    button_is_pressed: bool,
    button_notified: bool,
    wheel_speed: [u8; 2],
    motion: MotionReport,
    /// The lasting part of the last motion report: no collision, no double tap.
    motion_notified: Option<Bytes>,
    last_motor: Option<Bytes>,
    last_sensor: Option<Bytes>,
    last_answer: Option<Bytes>,
}

impl Reports {
    pub(super) fn button_is_pressed(&self) -> bool {
        self.button_is_pressed
    }

    pub(super) fn hash_into(&self, hash: &mut StateHash) {
        hash.u64(u64::from(self.button_is_pressed) << 1 | u64::from(self.button_notified));
        self.wheel_speed.iter().for_each(|&speed| hash.u64(speed.into()));
        for bytes in [&self.motion_notified, &self.last_motor, &self.last_sensor, &self.last_answer] {
            hash_optional(bytes.as_deref(), hash);
        }
    }
}

impl Cube {
    /// Reads all sensors. Their values follow at once, whether anything is notified or not. Yaw is 0 where the power came on.
    pub(super) fn read_sensors(&mut self, now: Micros, senses: &Senses) {
        if !self.has_yaw_zero {
            self.attitude.power_on(&senses.attitude);
            self.has_yaw_zero = true;
        }
        let (key, owner) = (self.params.key, self.params.owner);
        self.attitude.step(self.tick, key, owner, &senses.attitude, senses.angular_rate_rad_s);
        let input = MotionInput {
            specific_force_m_s2: senses.specific_force_m_s2,
            angular_rate_rad_s: senses.angular_rate_rad_s,
            attitude: senses.attitude,
            wheel_speed_m_s: senses.wheel_speed_m_s,
        };
        self.motion.step(&input);
        self.magnet.step(senses.magnetic_field_a_m);
        self.reports.motion = wire_motion(&self.motion.take_report());
        self.reports.button_is_pressed = senses.button_is_pressed;
        let units = |m_s: f64| (m_s.abs() / SPEED_PER_UNIT_M_S).round_ties_even() as u8;
        self.reports.wheel_speed = senses.wheel_speed_m_s.map(units);
        if let Some(report) = self.id.step(now, senses.printed) {
            self.notify(&Notification::Id(report));
        }
    }

    /// Notifies what is due.
    pub(super) fn report(&mut self, now: Micros) {
        self.report_motor(now);
        self.report_motion();
        self.report_if_due(now);
        self.answer_requests();
        let pressed = self.reports.button_is_pressed;
        if std::mem::replace(&mut self.reports.button_notified, pressed) != pressed {
            self.notify(&Notification::Button { is_pressed: pressed });
        }
    }

    /// Reports at intervals; what is off is not even made.
    fn report_if_due(&mut self, now: Micros) {
        let protocol = self.params.protocol;
        if self.settings.magnet.is_on() {
            let magnet = Notification::Magnet(self.magnet_report());
            if self.settings.magnet.is_due(now, magnet.encode(protocol)) {
                self.notify(&magnet);
            }
        }
        if self.settings.attitude.is_on() {
            let attitude = Notification::Attitude(self.attitude_report(self.settings.attitude_kind));
            if self.settings.attitude.is_due(now, attitude.encode(protocol)) {
                self.notify(&attitude);
            }
        }
        if self.settings.serialized.is_on() {
            let info = Notification::Config(ConfigReport::Serialized(self.serialized_info()));
            if self.settings.serialized.is_due(now, info.encode(protocol)) {
                self.notify(&info);
            }
        }
    }

    /// Answers first, then the wheel speed.
    fn report_motor(&mut self, now: Micros) {
        while let Some(answer) = self.motor.next_answer() {
            self.notify(&Notification::Motor(answer));
        }
        let period = Micros::from_ms(self.params.behaviour.wheel_speed_period_ms.into());
        let present = self.reports.wheel_speed;
        let Some(watch) = &mut self.settings.wheel_speed else { return };
        if now < watch.next_look {
            return;
        }
        watch.next_look = now.after(period);
        if watch.shown.replace(present) != Some(present) {
            let [left, right] = present;
            self.notify(&Notification::Motor(MotorReport::WheelSpeed { left, right }));
        }
    }

    /// Notifies a collision, a double tap, and the lasting part if this version's bytes of it have changed.
    fn report_motion(&mut self) {
        let report = self.reports.motion;
        let lasting = MotionReport { collision: false, double_tap: false, ..report }.encode(self.params.protocol);
        let tapped = report.double_tap && self.params.protocol >= Protocol::V2_1_0;
        let is_new = self.reports.motion_notified.replace(lasting).is_some_and(|last| last != lasting);
        if is_new || report.collision || tapped {
            self.notify(&Notification::Motion(report));
        }
    }

    /// Each request gets exactly one report, whatever is set.
    fn answer_requests(&mut self) {
        for request in std::mem::take(&mut self.requests) {
            self.notify(&match request {
                SensorRequest::Motion => Notification::Motion(self.reports.motion),
                SensorRequest::Magnet => Notification::Magnet(self.magnet_report()),
                SensorRequest::Attitude(kind) => Notification::Attitude(self.attitude_report(kind)),
            });
        }
    }

    /// What is not measured reads 0.
    fn magnet_report(&self) -> MagnetReport {
        match self.settings.magnet_mode {
            MagnetMode::Off => MagnetReport::default(),
            MagnetMode::State => MagnetReport { state: self.magnet.state(), ..MagnetReport::default() },
            MagnetMode::Strength => MagnetReport {
                strength: self.magnet.strength(),
                direction: self.magnet.direction(),
                ..MagnetReport::default()
            },
        }
    }

    fn attitude_report(&self, kind: AttitudeKind) -> AttitudeReport {
        match kind {
            AttitudeKind::Euler => {
                let [roll_deg, pitch_deg, yaw_deg] = self.attitude.euler_deg();
                AttitudeReport::Euler { roll_deg, pitch_deg, yaw_deg }
            }
            AttitudeKind::Quaternion => {
                let [w, x, y, z] = self.attitude.quaternion();
                AttitudeReport::Quaternion { w, x, y, z }
            }
            AttitudeKind::FineEuler => {
                let [roll_deg, pitch_deg, yaw_deg] = self.attitude.euler_f32_deg();
                AttitudeReport::FineEuler { roll_deg, pitch_deg, yaw_deg }
            }
        }
    }

    fn serialized_info(&self) -> SerializedInfo {
        let motion = self.reports.motion;
        let magnet = self.magnet_report();
        let [left_speed, right_speed] = self.settings.wheel_speed.and_then(|watch| watch.shown).unwrap_or_default();
        SerializedInfo {
            button: self.reports.button_is_pressed,
            id: self.id.current(),
            last_deg: self.id.last_deg(),
            left_speed,
            right_speed,
            motor_code: self.motor.code_for_info(),
            posture: motion.posture,
            battery_percent: self.battery.percent(),
            is_flat: motion.is_flat,
            shake: motion.shake,
            collision: motion.collision,
            double_tap: motion.double_tap,
            euler_deg: self.attitude.euler_deg(),
            magnet_state: magnet.state,
            magnet_strength: magnet.strength,
        }
    }

    /// Keeps a report for reads, and sends it if the client has subscribed to it.
    pub(super) fn notify(&mut self, notification: &Notification) {
        if !self.is_connected {
            return;
        }
        let message =
            Message { characteristic: notification.characteristic(), bytes: notification.encode(self.params.protocol) };
        let bytes = Some(message.bytes);
        match notification {
            Notification::Motor(_) => self.reports.last_motor = bytes,
            Notification::Motion(_) | Notification::Magnet(_) | Notification::Attitude(_) => {
                self.reports.last_sensor = bytes;
            }
            // A client that reads here waits for an answer, not for the periodic serialized info.
            Notification::Config(ConfigReport::Serialized(_)) => {}
            Notification::Config(_) => self.reports.last_answer = bytes,
            Notification::Id(_) | Notification::Button { .. } | Notification::Battery { .. } => {}
        }
        if self.subscriptions.contains(message.characteristic) {
            self.fresh_outputs().messages.push(message);
        }
    }

    /// What a characteristic reads as.
    pub(super) fn value(&self, characteristic: Characteristic) -> Option<Bytes> {
        let encode = |notification: Notification| Some(notification.encode(self.params.protocol));
        match characteristic {
            Characteristic::Id => encode(Notification::Id(self.id.current())),
            Characteristic::Motor => self.reports.last_motor,
            Characteristic::Sensor => {
                self.reports.last_sensor.or_else(|| encode(Notification::Motion(self.reports.motion)))
            }
            Characteristic::Button => encode(Notification::Button { is_pressed: self.reports.button_is_pressed }),
            Characteristic::Battery => encode(Notification::Battery { percent: self.battery.percent() }),
            Characteristic::Configuration => self.reports.last_answer,
            Characteristic::Light | Characteristic::Sound => None,
        }
    }
}

fn wire_motion(motion: &Motion) -> MotionReport {
    MotionReport {
        is_flat: motion.flat,
        collision: motion.collision,
        double_tap: motion.double_tap,
        posture: Some(motion.posture),
        shake: motion.shake,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash_of(reports: &Reports) -> u64 {
        let mut hash = StateHash::new();
        reports.hash_into(&mut hash);
        hash.finish()
    }

    /// One answer in either of two places, and bytes that move from the end of one string to the beginning of the next.
    #[test]
    fn reports_that_differ_hash_differently() {
        let answer = Some(Notification::Battery { percent: 50 }.encode(Protocol::V2_5_0));
        let motor = Reports { last_motor: answer, ..Reports::default() };
        let sensor = Reports { last_sensor: answer, ..Reports::default() };
        let hashes = [Reports::default(), motor, sensor].map(|reports| hash_of(&reports));
        assert!(hashes[0] != hashes[1] && hashes[1] != hashes[2] && hashes[2] != hashes[0], "{hashes:x?}");
    }
}
