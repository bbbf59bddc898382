//! Settings: what a client may change, and how each change is answered (toio facts, section 6.7).

use super::Cube;
use crate::event::{Event, Refusal};
use crate::micros::Micros;
use crate::periodic::Periodic;
use crate::sound::Mute;
use crate::wire::{AttitudeKind, ConfigCommand, ConfigReport, MagnetMode, Notification, Setting, hash_optional};
use sim_core::StateHash;

/// Shortest and longest connection interval that a cube asks for by itself, in units of 1.25 ms: 10 to 100 ms.
const DEFAULT_INTERVAL: [u16; 2] = [8, 80];

/// What a client has set and a disconnect undoes, apart from what the ID and the motion sensor keep themselves.
#[derive(Clone, Debug)]
pub(super) struct ClientSettings {
    pub(super) magnet_mode: MagnetMode,
    pub(super) magnet: Periodic,
    pub(super) attitude_kind: AttitudeKind,
    pub(super) attitude: Periodic,
    pub(super) serialized: Periodic,
    /// When the wheel speed was last looked at, if its report is on.
    pub(super) wheel_speed: Option<WheelWatch>,
    pub(super) requested_interval: [u16; 2],
    pub(super) actual_interval: u16,
}

impl Default for ClientSettings {
    fn default() -> Self {
        Self {
            magnet_mode: MagnetMode::Off,
            magnet: Periodic::default(),
            attitude_kind: AttitudeKind::Euler,
            attitude: Periodic::default(),
            serialized: Periodic::default(),
            wheel_speed: None,
            requested_interval: DEFAULT_INTERVAL,
            actual_interval: DEFAULT_INTERVAL[0],
        }
    }
}

/// A wheel-speed report that is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct WheelWatch {
    pub(super) next_look: Micros,
    /// Left and right, in command units, as last looked at.
    pub(super) shown: Option<[u8; 2]>,
}

impl ClientSettings {
    pub(super) fn hash_into(&self, hash: &mut StateHash) {
        hash.u64(self.magnet_mode as u64);
        hash.u64(self.attitude_kind as u64);
        [&self.magnet, &self.attitude, &self.serialized].into_iter().for_each(|periodic| periodic.hash_into(hash));
        hash.u64(self.wheel_speed.map_or(0, |watch| watch.next_look.0 + 1));
        hash_optional(self.wheel_speed.and_then(|watch| watch.shown).as_ref().map(|shown| &shown[..]), hash);
        let [min, max] = self.requested_interval;
        [min, max, self.actual_interval].iter().for_each(|&units| hash.u64(units.into()));
    }
}

impl Cube {
    /// Does what a write asks for and answers it. What wants the button held is refused without it.
    pub(super) fn configure(&mut self, command: ConfigCommand) -> Result<(), Refusal> {
        let interval = |units_10_ms: u8| Micros::from_10_ms(units_10_ms.into());
        match command {
            ConfigCommand::AskVersion => self.answer(ConfigReport::version(self.params.protocol)),
            ConfigCommand::FlatThreshold(_)
            | ConfigCommand::CollisionThreshold(_)
            | ConfigCommand::DoubleTapInterval(_) => self.set_motion(command),
            ConfigCommand::IdNotify { interval_10_ms, condition } => {
                self.id.settings.interval_10_ms = interval_10_ms;
                self.id.settings.condition = condition;
                self.answer_setting(Setting::IdNotify, true);
            }
            ConfigCommand::IdMissed(time_10_ms) => {
                self.id.settings.missed_10_ms = time_10_ms;
                self.answer_setting(Setting::IdMissed, true);
            }
            ConfigCommand::Magnet { mode, interval_20_ms, on_change } => {
                let is_on = mode != MagnetMode::Off;
                let interval = Micros::from_10_ms(if is_on { 2 * u64::from(interval_20_ms) } else { 0 });
                self.settings.magnet_mode = mode;
                self.settings.magnet.set(interval, on_change);
                self.answer_setting(Setting::Magnet, true);
            }
            ConfigCommand::WheelSpeed(is_on) => {
                self.settings.wheel_speed = is_on.then(WheelWatch::default);
                self.answer_setting(Setting::WheelSpeed, true);
            }
            ConfigCommand::Attitude { kind, interval_10_ms, on_change } => {
                self.settings.attitude_kind = kind;
                self.settings.attitude.set(interval(interval_10_ms), on_change);
                self.answer_setting(Setting::Attitude, true);
            }
            ConfigCommand::SerializedInfo { interval_10_ms, on_change } => {
                self.settings.serialized.set(interval(interval_10_ms), on_change);
                self.answer_setting(Setting::SerializedInfo, true);
            }
            ConfigCommand::ConnectionInterval { min, max } => {
                self.settings.requested_interval = [min, max];
                self.fresh_outputs().events.push(Event::IntervalRequested { min, max });
                self.answer_setting(Setting::ConnectionInterval, true);
            }
            ConfigCommand::AskRequestedInterval => {
                let [min, max] = self.settings.requested_interval;
                self.answer(ConfigReport::RequestedInterval { min, max });
            }
            ConfigCommand::AskActualInterval => {
                self.answer(ConfigReport::ActualInterval(self.settings.actual_interval));
            }
            ConfigCommand::Mute(mute) => return self.save_mute(Setting::Mute, mute),
            ConfigCommand::Reset => return self.save_mute(Setting::Reset, Mute::default()),
            ConfigCommand::PowerOffAfter(delay_s) => {
                let moment = self.now().after(Micros::from_ms(1000 * u64::from(delay_s)));
                self.power.stop_at(moment);
                self.answer_setting(Setting::PowerOff, true);
            }
        }
        Ok(())
    }

    /// These have no answer.
    fn set_motion(&mut self, command: ConfigCommand) {
        let settings = self.motion.settings_mut();
        let done = match command {
            ConfigCommand::FlatThreshold(deg) => settings.set_flat_threshold_deg(deg),
            ConfigCommand::CollisionThreshold(level) => settings.set_collision_level(level),
            ConfigCommand::DoubleTapInterval(level) => settings.set_double_tap_level(level),
            _ => Ok(()),
        };
        debug_assert!(done.is_ok(), "a decoded setting is in range: {done:?}");
    }

    /// The one setting that is saved. It survives a disconnect, and changes only while the button is held.
    fn save_mute(&mut self, setting: Setting, mute: Mute) -> Result<(), Refusal> {
        let is_held = self.reports.button_is_pressed();
        if is_held {
            self.speaker.set_mute(mute);
        }
        self.answer_setting(setting, is_held);
        if is_held { Ok(()) } else { Err(Refusal::ButtonNotHeld) }
    }

    pub(super) fn answer_setting(&mut self, setting: Setting, is_done: bool) {
        self.answer(ConfigReport::Result { setting, result: u8::from(!is_done) });
    }

    fn answer(&mut self, report: ConfigReport) {
        self.notify(&Notification::Config(report));
    }
}
