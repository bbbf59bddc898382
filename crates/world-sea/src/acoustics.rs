//! Modems of vehicles: packets that wait, packets under way, and what receivers make of them.
//!
//! Times are exact: a packet is sent at the moment that it is due, not at the step, and arrives when its sound does. Places and velocities
//! are those of the end of the step in which it is sent. Sendings and arrivals of a step happen in the order of their times; of equal
//! times arrivals come first. Model and limits: `docs/models/sea-acoustics.md`.

use crate::sound_ways::WayIn;
use sea_echo::modem::{Arrivals, Channel, Receiver, Transceiver};
use sim_core::{DVec3, StateHash};

/// Most packets that wait to be sent.
pub(crate) const WAITING_MAX: usize = 1024;
/// Fewest and most signals for which the queue has room.
const ROOM: [usize; 2] = [64, 16_384];

/// What sound goes through.
#[derive(Clone, Debug)]
pub enum Medium {
    /// Straight ways and one echo each, by the rules of the SMaRC simulator.
    Transceiver {
        /// The rules.
        transceiver: Transceiver,
        /// Whether packets go through air too.
        works_in_air: bool,
    },
    /// A channel with levels and noise.
    Channel {
        /// The water, the surface and the bottom.
        channel: Channel,
        /// All receivers.
        receiver: Receiver,
        /// Level of all senders at 1 m, dB re 1 uPa.
        source_level_db: f64,
    },
}

/// Errors of a fix by a short baseline.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Usbl {
    /// Standard deviation of ranges, m, and what they are rounded to; 0: not rounded.
    pub range_m: [f64; 2],
    /// Standard deviations of azimuth and elevation, rad.
    pub angles_rad: [f64; 2],
    /// What angles are rounded to, rad; 0: not rounded.
    pub angle_step_rad: f64,
}

/// A modem of a vehicle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ModemSetup {
    /// Where it is on the vehicle, m.
    pub position_in_body_m: DVec3,
    /// Time from the end of a request to its reply, s.
    pub turnaround_s: f64,
    /// Speed of sound by which it turns times into ranges, m/s.
    pub assumed_speed_m_s: f64,
    /// Its short baseline, if it has one: directions of replies, and errors.
    pub usbl: Option<Usbl>,
}

/// A message of the scenario.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ScheduledMessage {
    /// When it is sent first, s.
    pub at_s: f64,
    /// Time from one sending to the next, s.
    pub every_s: Option<f64>,
    /// When it is sent last, s.
    pub until_s: f64,
    /// What is sent.
    pub message: Message,
}

/// What is to be sent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Message {
    /// Number of the vehicle that sends.
    pub from: u32,
    /// Number of the vehicle that it is for; none: all.
    pub to: Option<u32>,
    /// Length.
    pub bytes: u32,
    /// What it is for.
    pub kind: PacketKind,
}

/// What a packet is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PacketKind {
    /// To be heard.
    Plain,
    /// To be replied to.
    Request,
    /// A reply: when the request was sent, s, and how much of the time since then was no way of sound, s.
    Reply {
        /// When the request was sent, s.
        asked_s: f64,
        /// Length of the request and turn-around, s.
        spent_s: f64,
    },
}

/// The modems of a run and the water between them.
#[derive(Clone, Debug)]
pub struct AcousticsModel {
    /// What sound goes through.
    pub medium: Medium,
    /// What the scenario sends.
    pub messages: Vec<ScheduledMessage>,
    /// Numbers of the vehicles with modems.
    pub modems: Vec<usize>,
}

impl AcousticsModel {
    /// Most ways of a packet to a receiver.
    pub(crate) fn most_paths(&self) -> usize {
        match &self.medium {
            Medium::Transceiver { transceiver, .. } => transceiver.most_echoes(),
            Medium::Channel { channel, .. } => channel.most_paths() as usize,
        }
    }

    /// Signals that may be under way at once: four packets of each modem.
    pub(crate) fn room(&self) -> usize {
        let modems = self.modems.len();
        (4 * modems * modems * self.most_paths()).clamp(ROOM[0], ROOM[1])
    }

    /// Time that a packet takes to send, s.
    pub(crate) fn airtime_s(&self, bytes: u32) -> f64 {
        match &self.medium {
            Medium::Transceiver { .. } => 0.0,
            Medium::Channel { receiver, .. } => receiver.airtime_s(bytes),
        }
    }
}

/// A message that waits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waiting {
    /// When it is due, s.
    pub due_s: f64,
    /// What is sent.
    pub message: Message,
}

/// A modem in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ModemRun {
    /// Packets that it has sent.
    pub packets: u64,
    /// When it is free to send again, s.
    pub free_s: f64,
}

/// What is known of a signal under way, beside its key.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathArrival {
    pub(crate) sent_s: f64,
    pub(crate) delay_s: f64,
    pub(crate) path: &'static str,
    pub(crate) bounces: [u32; 2],
    pub(crate) level_db: f64,
    pub(crate) doppler: f64,
    pub(crate) bytes: u32,
    /// Whether it is the way by which the receiver takes the packet.
    pub(crate) is_main: bool,
    pub(crate) is_addressed: bool,
    pub(crate) kind: PacketKind,
    pub(crate) source_m: DVec3,
}

/// All modems in a run.
#[derive(Clone, Debug, PartialEq)]
pub struct AcousticState {
    pub(crate) arrivals: Arrivals<PathArrival>,
    pub(crate) waiting: Vec<Waiting>,
    /// By vehicle.
    pub(crate) modems: Vec<ModemRun>,
    /// Sendings so far of each message of the scenario.
    pub(crate) scheduled: Vec<u64>,
}

impl AcousticState {
    /// Nothing sent yet.
    pub(crate) fn start(own: Option<&AcousticsModel>, vehicles: usize) -> Self {
        let Some(own) = own else {
            let (waiting, modems, scheduled) = Default::default();
            return Self { arrivals: Arrivals::new(0), waiting, modems, scheduled };
        };
        Self {
            arrivals: Arrivals::new(own.room()),
            waiting: Vec::with_capacity(WAITING_MAX),
            modems: vec![ModemRun::default(); vehicles],
            scheduled: vec![0; own.messages.len()],
        }
    }

    /// A message waits from a moment on, s. False if too many do.
    pub(crate) fn wait(&mut self, due_s: f64, message: Message) -> bool {
        if self.waiting.len() >= WAITING_MAX {
            return false;
        }
        self.waiting.reserve(WAITING_MAX - self.waiting.len());
        self.waiting.push(Waiting { due_s, message });
        true
    }

    pub(crate) fn hash_into(&self, hash: &mut StateHash) {
        for signal in self.arrivals.signals() {
            let (key, arrival) = (&signal.key, &signal.arrival);
            [key.ends_ns, key.starts_ns, key.packet].iter().for_each(|&word| hash.u64(word));
            [key.from, key.to, key.path].iter().for_each(|&word| hash.u64(u64::from(word)));
            let flags = [signal.is_deaf, arrival.is_main, arrival.is_addressed].map(u64::from);
            hash.u64(flags.into_iter().fold(0, |all, flag| all << 1 | flag));
            [signal.power, signal.others, arrival.sent_s, arrival.delay_s].iter().for_each(|&value| hash.f64(value));
        }
        for Waiting { due_s, message } in &self.waiting {
            hash.f64(*due_s);
            let Message { from, to, bytes, kind } = message;
            let kind = match kind {
                PacketKind::Plain => 0,
                PacketKind::Request => 1,
                PacketKind::Reply { .. } => 2,
            };
            if let PacketKind::Reply { asked_s, spent_s } = message.kind {
                hash.f64(asked_s);
                hash.f64(spent_s);
            }
            [u64::from(*from), to.map_or(u64::MAX, u64::from), u64::from(*bytes), kind]
                .iter()
                .for_each(|&word| hash.u64(word));
        }
        for ModemRun { packets, free_s } in &self.modems {
            hash.u64(*packets);
            hash.f64(*free_s);
        }
        self.scheduled.iter().for_each(|&count| hash.u64(count));
    }
}

/// What became of a packet at a receiver, or of one of its ways.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reception {
    /// Number of the vehicle that sent.
    pub from: u32,
    /// Number of the vehicle that it is for.
    pub to: u32,
    /// When it was sent, s.
    pub sent_s: f64,
    /// When its front arrived, s; not a number if it did not.
    pub arrived_s: f64,
    /// `direct`, `surface`, `bottom` or `both`, by what it was reflected; empty if it did not arrive.
    pub path: &'static str,
    /// Reflections at the surface and at the bottom.
    pub bounces: [u32; 2],
    /// Level at the receiver, dB; not a number without levels.
    pub level_db: f64,
    /// Signal over noise, dB.
    pub snr_db: f64,
    /// Frequency over that which was sent.
    pub doppler: f64,
    /// What became of it.
    pub outcome: &'static str,
    /// Length.
    pub bytes: u32,
}

/// What became of a packet that was heard.
pub(crate) const DELIVERED: &str = "delivered";
/// Another way of a packet than that by which the receiver takes it.
pub(crate) const ECHO: &str = "echo";

/// A range by a request and its reply.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranging {
    /// Number of the vehicle that asked.
    pub vehicle: u32,
    /// Number of the vehicle that replied.
    pub target: u32,
    /// When the request was sent and when the reply arrived, s.
    pub span_s: [f64; 2],
    /// Time of both ways of sound together, s.
    pub two_way_s: f64,
    /// Range, m.
    pub range_m: f64,
    /// Azimuth from the vehicle's forward to its left and elevation upwards, rad; not numbers without a short baseline.
    pub angles_rad: [f64; 2],
}

/// What modems received in a step, and what did not arrive.
#[derive(Clone, Debug, Default)]
pub struct AcousticLog {
    pub(crate) receptions: Vec<Reception>,
    pub(crate) rangings: Vec<Ranging>,
    /// Buffer of the ways between two modems.
    pub(crate) ways: Vec<WayIn>,
    /// Packets that were sent, each as often as there are vehicles that it is for.
    pub(crate) sent: u64,
}

impl AcousticLog {
    /// An empty log that can hold what a step may bring.
    pub(crate) fn new(own: Option<&AcousticsModel>) -> Self {
        let room = own.map_or(0, AcousticsModel::room);
        let paths = own.map_or(0, AcousticsModel::most_paths);
        Self {
            receptions: Vec::with_capacity(room),
            rangings: Vec::with_capacity(room.min(WAITING_MAX)),
            ways: Vec::with_capacity(paths),
            sent: 0,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.receptions.clear();
        self.rangings.clear();
        self.sent = 0;
    }

    /// What became of packets, in the order of their arrival.
    #[must_use]
    pub fn receptions(&self) -> &[Reception] {
        &self.receptions
    }

    /// Ranges by replies.
    #[must_use]
    pub fn rangings(&self) -> &[Ranging] {
        &self.rangings
    }
}
