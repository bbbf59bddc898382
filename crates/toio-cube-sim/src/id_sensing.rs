//! When the cube reports the ID under its sensor, and when it says that it is missed.
//!
//! # Law
//! Toio facts, sections 6.1, 6.7 and 8.7. An ID of another kind than before, or one after none, is reported at once. After that, up
//! to 2.1.0 every change is reported; from 2.2.0 on a report follows if the least interval has passed since the last one and the
//! condition holds: always; changed by 2 dots in x or y or by 3 degrees; or changed at all, or 300 ms since the last report. An ID
//! that is gone is missed at once up to 2.1.0, and after the time set from 2.2.0 on; until then the last one stands.

use crate::behaviour::Behaviour;
use crate::micros::Micros;
use crate::motor::law::Fix;
use crate::version::Protocol;
use crate::wire::{IdCondition, IdReport, PositionId, StandardId, hash_optional};
use sim_core::StateHash;

/// What is printed under the ID sensor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Printed {
    /// A mat, which says where the cube is.
    Position(PositionId),
    /// A card or sticker.
    Standard(StandardId),
    /// Nothing that the sensor could read, or nothing near enough.
    #[default]
    Nothing,
}

/// Changes that the condition `01` waits for.
const CHANGE_DOTS: u16 = 2;
const CHANGE_DEG: i32 = 3;
/// Longest time without a report under the condition `FF`.
const PAUSE: Micros = Micros::from_ms(300);

/// What a client may set, in units of 10 ms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct IdSettings {
    pub(crate) interval_10_ms: u8,
    pub(crate) condition: IdCondition,
    pub(crate) missed_10_ms: u8,
}

impl IdSettings {
    pub(crate) fn from_behaviour(behaviour: &Behaviour) -> Self {
        Self {
            interval_10_ms: behaviour.id_interval_10_ms,
            condition: IdCondition::default(),
            missed_10_ms: behaviour.id_missed_10_ms,
        }
    }
}

/// The ID sensor with what it last saw and said.
#[derive(Clone, Debug)]
pub(crate) struct IdSensor {
    has_settings: bool,
    pub(crate) settings: IdSettings,
    current: IdReport,
    gone_since: Option<Micros>,
    /// Heading of the ID that was read last.
    last_deg: u16,
    /// Last report since the client has come, and when.
    sent: Option<(Micros, IdReport)>,
}

impl IdSensor {
    pub(crate) fn new(protocol: Protocol, settings: IdSettings) -> Self {
        Self {
            has_settings: protocol >= Protocol::V2_2_0,
            settings,
            current: IdReport::PositionMissed,
            gone_since: None,
            last_deg: 0,
            sent: None,
        }
    }

    /// What the cube takes to be under its sensor.
    pub(crate) fn current(&self) -> IdReport {
        self.current
    }

    pub(crate) fn last_deg(&self) -> u16 {
        self.last_deg
    }

    /// Where the cube is, if it stands on a mat.
    pub(crate) fn fix(&self) -> Option<Fix> {
        match self.current {
            IdReport::Position(PositionId { centre_x, centre_y, centre_deg, .. }) => {
                Some(Fix { x: centre_x.into(), y: centre_y.into(), deg: centre_deg.into() })
            }
            IdReport::Standard(_) | IdReport::PositionMissed | IdReport::StandardMissed => None,
        }
    }

    /// A new client has heard nothing yet.
    pub(crate) fn forget_reports(&mut self) {
        self.sent = None;
    }

    /// Looks once. Returns what is to be reported, if anything.
    pub(crate) fn step(&mut self, now: Micros, printed: Printed) -> Option<IdReport> {
        let (seen, deg) = match printed {
            Printed::Nothing => return self.miss(now),
            Printed::Position(id) => (IdReport::Position(id), id.centre_deg),
            Printed::Standard(id) => (IdReport::Standard(id), id.deg),
        };
        self.gone_since = None;
        self.last_deg = deg;
        self.current = seen;
        self.is_due(now).then(|| self.report(now))
    }

    fn miss(&mut self, now: Micros) -> Option<IdReport> {
        let missed = match self.current {
            IdReport::Position(_) => IdReport::PositionMissed,
            IdReport::Standard(_) => IdReport::StandardMissed,
            IdReport::PositionMissed | IdReport::StandardMissed => return None,
        };
        let gone = now.since(*self.gone_since.get_or_insert(now));
        let patience = if self.has_settings { self.settings.missed_10_ms } else { 0 };
        if gone < Micros::from_10_ms(patience.into()) {
            return None;
        }
        self.current = missed;
        Some(self.report(now))
    }

    fn report(&mut self, now: Micros) -> IdReport {
        self.sent = Some((now, self.current));
        self.current
    }

    fn is_due(&self, now: Micros) -> bool {
        let Some((sent_at, sent)) = self.sent else { return true };
        let is_change = match (sent, self.current) {
            (IdReport::Position(old), IdReport::Position(new)) => has_moved(&old, &new),
            (IdReport::Standard(old), IdReport::Standard(new)) => {
                old.value != new.value || has_turned(old.deg, new.deg)
            }
            _ => return true,
        };
        if !self.has_settings {
            return sent != self.current;
        }
        let elapsed = now.since(sent_at);
        let holds = match self.settings.condition {
            IdCondition::Always => true,
            IdCondition::OnChange => is_change,
            IdCondition::PauseUnchanged => sent != self.current || elapsed >= PAUSE,
        };
        holds && elapsed >= Micros::from_10_ms(self.settings.interval_10_ms.into())
    }

    pub(crate) fn hash_into(&self, hash: &mut StateHash) {
        let IdSettings { interval_10_ms, condition, missed_10_ms } = self.settings;
        [interval_10_ms, condition as u8, missed_10_ms].iter().for_each(|&byte| hash.u64(byte.into()));
        hash.u64(self.last_deg.into());
        hash.u64(self.gone_since.map_or(0, |since| since.0 + 1));
        hash_optional(Some(&self.current.encode()), hash);
        hash.u64(self.sent.map_or(0, |(at, _)| at.0 + 1));
        hash_optional(self.sent.map(|(_, report)| report.encode()).as_deref(), hash);
    }
}

fn has_moved(old: &PositionId, new: &PositionId) -> bool {
    old.centre_x.abs_diff(new.centre_x) >= CHANGE_DOTS
        || old.centre_y.abs_diff(new.centre_y) >= CHANGE_DOTS
        || has_turned(old.centre_deg, new.centre_deg)
}

/// Either way round, so that 359 and 1 degrees are 2 degrees apart.
fn has_turned(old_deg: u16, new_deg: u16) -> bool {
    let turn = (i32::from(new_deg) - i32::from(old_deg)).rem_euclid(360);
    turn.min(360 - turn) >= CHANGE_DEG
}
