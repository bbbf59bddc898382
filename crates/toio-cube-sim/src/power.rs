//! Power: on, off, and off by itself (toio facts, sections 5, 8.1 and 11).

use crate::micros::Micros;
use crate::sound::Jingle;
use sim_core::StateHash;

const STARTING: Micros = Micros::from_ms(500);
const STOPPING: Micros = Micros::from_ms(700);
const ALARM_PERIOD: Micros = Micros::from_ms(3 * 60_000);
const IDLE: Micros = Micros::from_ms(15 * 60_000);

/// Whether a cube is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum PowerState {
    /// Off: it senses, shows and does nothing.
    Off,
    /// Coming on: for 0.5 s it cannot be connected yet.
    Starting,
    /// On.
    #[default]
    On,
    /// Going off, for 0.7 s: the connection still stands, but nothing is done any more.
    Stopping,
}

/// What a step of the power comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PowerChange {
    /// A jingle, without any change.
    Alarm,
    Stopping,
    Off,
}

/// The power switch and its clocks.
#[derive(Clone, Debug)]
pub(crate) struct Power {
    state: PowerState,
    since: Micros,
    /// Since when no client is connected.
    idle_since: Micros,
    alarms: u64,
    /// When a client wants the cube to go off.
    off_at: Option<Micros>,
}

impl Power {
    pub(crate) fn on_since(now: Micros) -> Self {
        Self { state: PowerState::On, since: now, idle_since: now, alarms: 0, off_at: None }
    }

    pub(crate) fn state(&self) -> PowerState {
        self.state
    }

    /// Presses the switch of a cube that is off. Returns true if it was.
    pub(crate) fn start(&mut self, now: Micros) -> bool {
        let was_off = self.state == PowerState::Off;
        if was_off {
            *self = Self { state: PowerState::Starting, ..Self::on_since(now) };
        }
        was_off
    }

    /// Begins to go off. Returns true if the cube was on or coming on.
    pub(crate) fn stop(&mut self, now: Micros) -> bool {
        let was_on = matches!(self.state, PowerState::On | PowerState::Starting);
        if was_on {
            *self = Self { state: PowerState::Stopping, ..Self::on_since(now) };
        }
        was_on
    }

    /// Off at once.
    pub(crate) fn cut(&mut self, now: Micros) {
        *self = Self { state: PowerState::Off, ..Self::on_since(now) };
    }

    pub(crate) fn stop_at(&mut self, moment: Micros) {
        self.off_at = Some(moment);
    }

    /// The wait for a client starts again.
    fn restart_idle(&mut self, now: Micros) {
        self.idle_since = now;
        self.alarms = 0;
    }

    /// Moves the clocks on.
    pub(crate) fn step(&mut self, now: Micros, is_connected: bool) -> Option<PowerChange> {
        match self.state {
            PowerState::Off => None,
            PowerState::Starting => {
                if now.since(self.since) >= STARTING {
                    self.state = PowerState::On;
                    self.restart_idle(now);
                }
                None
            }
            PowerState::Stopping => (now.since(self.since) >= STOPPING).then(|| {
                self.state = PowerState::Off;
                PowerChange::Off
            }),
            PowerState::On => self.step_on(now, is_connected),
        }
    }

    fn step_on(&mut self, now: Micros, is_connected: bool) -> Option<PowerChange> {
        if is_connected {
            self.restart_idle(now);
        }
        let idle = now.since(self.idle_since);
        if idle >= IDLE || self.off_at.is_some_and(|moment| now >= moment) {
            self.stop(now);
            return Some(PowerChange::Stopping);
        }
        let alarms = idle.0 / ALARM_PERIOD.0;
        let is_new = alarms > self.alarms;
        self.alarms = alarms;
        is_new.then_some(PowerChange::Alarm)
    }

    pub(crate) fn hash_into(&self, hash: &mut StateHash) {
        hash.u64(self.state as u64);
        hash.u64(self.since.0);
        hash.u64(self.idle_since.0);
        hash.u64(self.off_at.map_or(0, |moment| moment.0 + 1));
    }
}

/// The alarm of a cube without a client. Its sound is not published; ours is that of a lost connection.
pub(crate) const ALARM: Jingle = Jingle::Disconnect;
