//! A report that is sent at an interval, always or on change (toio facts, sections 6.7 and 8.7).

use crate::micros::Micros;
use crate::wire::{Bytes, hash_optional};
use sim_core::StateHash;

/// When a report is sent, and what was sent last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Periodic {
    /// Least time between two reports; none is off.
    interval: Option<Micros>,
    on_change: bool,
    last: Option<(Micros, Bytes)>,
}

impl Periodic {
    /// Switches the report on, or off with an interval of 0. The first report follows at once: there is nothing that it could be
    /// equal to.
    pub(crate) fn set(&mut self, interval: Micros, on_change: bool) {
        let interval = (interval > Micros(0)).then_some(interval);
        *self = Self { interval, on_change, last: None };
    }

    pub(crate) fn is_on(&self) -> bool {
        self.interval.is_some()
    }

    /// True if `bytes` are to be sent now; they then count as sent.
    pub(crate) fn is_due(&mut self, now: Micros, bytes: Bytes) -> bool {
        let Some(interval) = self.interval else { return false };
        if let Some((sent_at, sent)) = self.last
            && (now.since(sent_at) < interval || (self.on_change && sent == bytes))
        {
            return false;
        }
        self.last = Some((now, bytes));
        true
    }

    pub(crate) fn hash_into(&self, hash: &mut StateHash) {
        hash.u64(self.interval.map_or(0, |interval| interval.0));
        hash.u64(self.on_change.into());
        hash.u64(self.last.map_or(0, |(at, _)| at.0 + 1));
        hash_optional(self.last.as_ref().map(|(_, bytes)| &**bytes), hash);
    }
}
