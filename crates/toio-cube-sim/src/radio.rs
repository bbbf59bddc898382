//! The radio link between a central and a cube, as Bluetooth LE does it: connection events on a grid, delays in the stacks, lost and
//! repeated packets, full buffers and the MTU.
//!
//! # Model
//! ```text
//! ready  = pushed + fixed + jitter u           u uniform in [0, 1); never before the message pushed before it
//! events = phase + k interval                  interval a multiple of 1.25 ms, phase drawn once per link
//! ```
//! A message goes in the first connection event after it is ready, behind all messages before it of its kind. An event carries at most
//! `packets_per_event` packets in each direction; a message of n bytes takes `ceil((n + 7) / packet_bytes)` of them (7 bytes are the
//! headers of L2CAP and ATT). Each packet is lost with probability `loss`; the link layer then closes the event and repeats it in
//! the next one, so that nothing is lost and loss shows as delay. Of the messages that wait for an answer (writes with response) one
//! goes per event at most; messages without an answer do not wait for theirs (ATT: requests are sequential, commands are not). Source:
//! the Bluetooth core specification's link layer, reduced to what a program can notice; toio facts, sections 5, 6.7 (`30` to `32`) and 11.
//!
//! Draws are found by address, so that they depend neither on how often the link is asked nor on other links.
//!
//! # Where it stops being true
//! A central that serves many cubes has to share its time between them; say so by a longer interval. No supervision timeout: a link
//! never breaks by itself.

use crate::micros::Micros;
use crate::purpose;
use sim_core::{ParamError, RunKey, StateHash};
use std::collections::VecDeque;

/// Unit of connection intervals.
const INTERVAL_UNIT_US: u64 = 1250;
/// Unit of connection intervals, ms.
pub const INTERVAL_UNIT_MS: f64 = INTERVAL_UNIT_US as f64 / 1000.0;
/// Bytes of an ATT header (operation and handle), which the MTU includes.
const ATT_HEADER_BYTES: usize = 3;
/// Bytes of the headers of L2CAP and ATT in the packets of a message.
const HEADER_BYTES: usize = 7;

/// Which way a message goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// A write, from the central.
    ToCube,
    /// A notification or the answer to a read, from the cube.
    FromCube,
}

/// How a message is treated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// A write with response: one per connection event, and its sender waits when the buffer is full.
    Acknowledged,
    /// A write without response or a notification: refused when the buffer is full.
    Unacknowledged,
}

/// Time in the stacks of sender and receiver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StackDelay {
    /// Always, ms.
    pub fixed_ms: f64,
    /// Up to so much more, uniformly, ms.
    pub jitter_ms: f64,
}

/// Parameters of a link. The defaults are those of a central with few cubes and little interference.
#[derive(Clone, Debug, PartialEq)]
pub struct RadioParams {
    /// Connection interval with which a connection begins, in units of 1.25 ms, 6 to 3200.
    pub interval_units: u16,
    /// Stack delay of writes.
    pub to_cube: StackDelay,
    /// Stack delay of notifications.
    pub from_cube: StackDelay,
    /// Probability that a packet is lost and repeated.
    pub loss: f64,
    /// Packets that an event carries in each direction.
    pub packets_per_event: u32,
    /// Payload of a packet, bytes: 27, up to 251 with the data length extension.
    pub packet_bytes: usize,
    /// ATT MTU, bytes: 23 until a larger one is agreed; a message holds 3 less.
    pub mtu_bytes: usize,
    /// Messages that a sender's buffer holds.
    pub buffer: usize,
}

impl Default for RadioParams {
    fn default() -> Self {
        Self {
            interval_units: 24,
            to_cube: StackDelay { fixed_ms: 3.0, jitter_ms: 5.0 },
            from_cube: StackDelay { fixed_ms: 3.0, jitter_ms: 5.0 },
            loss: 0.02,
            packets_per_event: 4,
            packet_bytes: 27,
            mtu_bytes: 23,
            buffer: 16,
        }
    }
}

/// Ranges of the parameters, smallest and largest.
impl RadioParams {
    /// Connection interval, in units of 1.25 ms.
    pub const INTERVAL_UNITS: [u16; 2] = [6, 3200];
    /// Each part of a stack delay, ms.
    pub const DELAY_MS: [f64; 2] = [0.0, 10_000.0];
    /// Probability that a packet is lost.
    pub const LOSS: [f64; 2] = [0.0, 0.95];
    /// Packets that an event carries.
    pub const PACKETS_PER_EVENT: [f64; 2] = [1.0, 1000.0];
    /// Payload of a packet, bytes.
    pub const PACKET_BYTES: [f64; 2] = [27.0, 251.0];
    /// ATT MTU, bytes.
    pub const MTU_BYTES: [f64; 2] = [23.0, 517.0];
    /// Messages that a buffer holds.
    pub const BUFFER: [f64; 2] = [1.0, 10_000.0];

    fn check(&self) -> Result<(), ParamError> {
        check_interval(self.interval_units)?;
        for delay in [self.to_cube, self.from_cube] {
            ParamError::check_within("fixed_ms", delay.fixed_ms, Self::DELAY_MS)?;
            ParamError::check_within("jitter_ms", delay.jitter_ms, Self::DELAY_MS)?;
        }
        ParamError::check_within("loss", self.loss, Self::LOSS)?;
        ParamError::check_within("packets_per_event", f64::from(self.packets_per_event), Self::PACKETS_PER_EVENT)?;
        ParamError::check_within("packet_bytes", self.packet_bytes as f64, Self::PACKET_BYTES)?;
        ParamError::check_within("mtu_bytes", self.mtu_bytes as f64, Self::MTU_BYTES)?;
        ParamError::check_within("buffer", self.buffer as f64, Self::BUFFER)
    }
}

fn check_interval(units: u16) -> Result<(), ParamError> {
    ParamError::check_within("interval_units", f64::from(units), RadioParams::INTERVAL_UNITS.map(f64::from))
}

/// Why a message was not taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It has more bytes than the MTU allows.
    TooLong {
        /// Most bytes of a message.
        limit: usize,
    },
    /// The buffer is full and the sender does not wait for an answer.
    BufferFull,
}

/// Both directions of a link, or a perfect one.
#[derive(Clone, Debug)]
pub struct Radio<M> {
    /// Nothing if the link is perfect: no delay, no loss, no limit.
    params: Option<RadioParams>,
    key: RunKey,
    owner: u64,
    to_cube: Lane<M>,
    from_cube: Lane<M>,
}

impl<M> Radio<M> {
    /// A perfect link: what is pushed can be popped at the same moment.
    #[must_use]
    pub fn off() -> Self {
        let lane = || Lane::new(Direction::ToCube, 0, 1);
        Self { params: None, key: RunKey { seed: 0, run_index: 0 }, owner: 0, to_cube: lane(), from_cube: lane() }
    }

    /// The link of cube `owner`.
    ///
    /// # Errors
    /// If a parameter is out of range.
    pub fn new(params: RadioParams, key: RunKey, owner: u64) -> Result<Self, ParamError> {
        params.check()?;
        let interval_us = interval_us(params.interval_units);
        let phase_us = key.stream(purpose::RADIO_PHASE, owner, 0).below(interval_us);
        let lane = |direction| Lane::new(direction, phase_us, interval_us);
        let (to_cube, from_cube) = (lane(Direction::ToCube), lane(Direction::FromCube));
        Ok(Self { params: Some(params), key, owner, to_cube, from_cube })
    }

    /// Present connection interval in units of 1.25 ms; nothing if the link is perfect.
    #[must_use]
    pub fn interval_units(&self) -> Option<u16> {
        self.params.as_ref().map(|_| (self.to_cube.interval_us / INTERVAL_UNIT_US) as u16)
    }

    /// Changes the connection interval. It holds from the first event after `now`; a perfect link has none and stays as it is.
    ///
    /// # Errors
    /// If the interval is out of range.
    pub fn set_interval(&mut self, now: Micros, units: u16) -> Result<(), ParamError> {
        check_interval(units)?;
        self.use_interval(now, interval_us(units));
        Ok(())
    }

    fn use_interval(&mut self, now: Micros, interval_us: u64) {
        let Self { params: Some(params), key, owner, to_cube, from_cube } = self else { return };
        for lane in [to_cube, from_cube].into_iter().filter(|lane| lane.interval_us != interval_us) {
            lane.run_events(now, params, *key, *owner);
            lane.interval_us = interval_us;
        }
    }

    /// Most bytes of a message; nothing if there is no limit.
    #[must_use]
    pub fn limit_bytes(&self) -> Option<usize> {
        self.params.as_ref().map(|params| params.mtu_bytes - ATT_HEADER_BYTES)
    }

    /// Gives a message of `bytes` bytes to the sender's stack at `now`, which must not lie before an earlier push or pop.
    ///
    /// # Errors
    /// If the message is longer than the MTU allows, or the buffer is full and the sender does not wait for an answer. The message is
    /// then lost.
    pub fn push(
        &mut self,
        direction: Direction,
        delivery: Delivery,
        now: Micros,
        bytes: usize,
        message: M,
    ) -> Result<(), Refused> {
        let Self { params, key, owner, to_cube, from_cube } = self;
        let lane = if direction == Direction::ToCube { to_cube } else { from_cube };
        let Some(params) = params else {
            lane.arrived.push_back((now, message));
            return Ok(());
        };
        let limit = params.mtu_bytes - ATT_HEADER_BYTES;
        if bytes > limit {
            return Err(Refused::TooLong { limit });
        }
        lane.run_events(now, params, *key, *owner);
        if lane.waiting.len() >= params.buffer && delivery == Delivery::Unacknowledged {
            return Err(Refused::BufferFull);
        }
        let packets = (bytes + HEADER_BYTES).div_ceil(params.packet_bytes) as u32;
        let ready = lane.ready_after(now, params, *key, *owner);
        lane.waiting.push_back(Waiting { ready, packets, delivery, message });
        Ok(())
    }

    /// The next message that has arrived by `now`, with the moment of its arrival.
    pub fn pop_due(&mut self, direction: Direction, now: Micros) -> Option<(Micros, M)> {
        let Self { params, key, owner, to_cube, from_cube } = self;
        let lane = if direction == Direction::ToCube { to_cube } else { from_cube };
        if let Some(params) = params {
            lane.run_events(now, params, *key, *owner);
        }
        lane.arrived.pop_front()
    }

    /// Ends the connection: the interval that was agreed on is void, and the messages that are still under way are lost. Returns them,
    /// those to the cube first, each direction in its order.
    pub fn clear(&mut self, now: Micros) -> Vec<(Direction, M)> {
        let mut lost = Vec::new();
        for (direction, lane) in [(Direction::ToCube, &mut self.to_cube), (Direction::FromCube, &mut self.from_cube)] {
            lost.extend(lane.arrived.drain(..).map(|(_, message)| (direction, message)));
            lost.extend(lane.waiting.drain(..).map(|waiting| (direction, waiting.message)));
        }
        if let Some(units) = self.params.as_ref().map(|params| params.interval_units) {
            self.use_interval(now, interval_us(units));
        }
        lost
    }

    /// Mixes the complete state into `hash`; `hash_message` does so with a message.
    pub fn hash_into(&self, hash: &mut StateHash, hash_message: impl Fn(&M, &mut StateHash)) {
        for lane in [&self.to_cube, &self.from_cube] {
            lane.hash_into(hash, &hash_message);
        }
    }
}

fn interval_us(units: u16) -> u64 {
    u64::from(units) * INTERVAL_UNIT_US
}

fn micros_of_ms(ms: f64) -> u64 {
    (ms * 1000.0).round() as u64
}

#[derive(Clone, Debug)]
struct Waiting<M> {
    ready: Micros,
    /// Packets that are still to go.
    packets: u32,
    delivery: Delivery,
    message: M,
}

/// One direction.
#[derive(Clone, Debug)]
struct Lane<M> {
    direction: Direction,
    /// Number and moment of the next event.
    event: u64,
    event_at: Micros,
    interval_us: u64,
    /// Messages pushed so far, and when the last one was ready.
    pushed: u64,
    last_ready: Micros,
    waiting: VecDeque<Waiting<M>>,
    arrived: VecDeque<(Micros, M)>,
}

impl<M> Lane<M> {
    fn new(direction: Direction, phase_us: u64, interval_us: u64) -> Self {
        Self {
            direction,
            event: 0,
            event_at: Micros(phase_us),
            interval_us,
            pushed: 0,
            last_ready: Micros(0),
            waiting: VecDeque::new(),
            arrived: VecDeque::new(),
        }
    }

    /// The two directions draw as two owners.
    fn stream_owner(&self, owner: u64) -> u64 {
        2 * owner + u64::from(self.direction == Direction::FromCube)
    }

    /// When a message pushed at `now` can go.
    fn ready_after(&mut self, now: Micros, params: &RadioParams, key: RunKey, owner: u64) -> Micros {
        let delay = if self.direction == Direction::ToCube { params.to_cube } else { params.from_cube };
        let share = key.stream(purpose::RADIO_DELAY, self.stream_owner(owner), self.pushed).uniform();
        self.pushed += 1;
        let span = Micros(micros_of_ms(delay.fixed_ms + delay.jitter_ms * share));
        self.last_ready = now.after(span).max(self.last_ready);
        self.last_ready
    }

    /// Runs all events up to and including `now`. A message that is ready at the very moment of an event has missed it, so that it
    /// does not matter whether it is pushed before or after the event is run.
    fn run_events(&mut self, now: Micros, params: &RadioParams, key: RunKey, owner: u64) {
        while self.event_at <= now {
            let idle = self.waiting.front().is_none_or(|first| first.ready >= self.event_at);
            if idle {
                self.skip_to(self.waiting.front().map_or(now, |first| first.ready.min(now)));
            } else {
                self.run_event(params, key, owner);
                self.event += 1;
                self.event_at = Micros(self.event_at.0 + self.interval_us);
            }
        }
    }

    /// Passes over the events up to and including `moment`, in which nothing goes.
    fn skip_to(&mut self, moment: Micros) {
        let events = moment.since(self.event_at).0 / self.interval_us + 1;
        self.event += events;
        self.event_at = Micros(self.event_at.0 + events * self.interval_us);
    }

    fn run_event(&mut self, params: &RadioParams, key: RunKey, owner: u64) {
        let mut losses = key.stream(purpose::RADIO_LOSS, self.stream_owner(owner), self.event);
        let mut has_acknowledged = false;
        for _ in 0..params.packets_per_event {
            if !self.bring_next_to_front(has_acknowledged) || losses.uniform() < params.loss {
                return;
            }
            let Some(first) = self.waiting.front_mut() else { return };
            first.packets -= 1;
            if first.packets == 0 {
                has_acknowledged |= first.delivery == Delivery::Acknowledged;
                self.arrived.extend(self.waiting.pop_front().map(|gone| (self.event_at, gone.message)));
            }
        }
    }

    /// Moves the message that goes next to the front, where it stays until its last packet has gone. Returns false if none can go.
    fn bring_next_to_front(&mut self, has_acknowledged: bool) -> bool {
        let must_wait = |message: &Waiting<M>| message.delivery == Delivery::Acknowledged && has_acknowledged;
        let Some(index) = self.waiting.iter().position(|message| !must_wait(message)) else { return false };
        if self.waiting[index].ready >= self.event_at {
            return false;
        }
        let next = self.waiting.remove(index);
        next.into_iter().for_each(|message| self.waiting.push_front(message));
        true
    }

    fn hash_into(&self, hash: &mut StateHash, hash_message: &impl Fn(&M, &mut StateHash)) {
        for word in [self.event, self.event_at.0, self.interval_us, self.pushed, self.last_ready.0] {
            hash.u64(word);
        }
        for waiting in &self.waiting {
            hash.u64(waiting.ready.0);
            hash.u64(u64::from(waiting.packets) << 1 | u64::from(waiting.delivery == Delivery::Acknowledged));
            hash_message(&waiting.message, hash);
        }
        hash.u64(self.waiting.len() as u64);
        for (at, message) in &self.arrived {
            hash.u64(at.0);
            hash_message(message, hash);
        }
        hash.u64(self.arrived.len() as u64);
    }
}
