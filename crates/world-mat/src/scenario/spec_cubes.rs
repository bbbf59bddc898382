//! The section `cubes` of a scenario file: who stands where, speaks which protocol over which radio, and does what.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::named::protocol_versions;
use super::spec_behaviour::{AttitudeSpec, BatterySpec, BehaviourSpec};
use super::spec_program::CommandSpec;
use sim_input::schema::NAME_PATTERN;
use toio_cube_sim::radio::{INTERVAL_UNIT_MS, RadioParams, StackDelay};
use toio_cube_sim::{CubeParams, Profile, Protocol};

/// Connection intervals, shortest and longest.
pub(super) const INTERVAL_MS: [f64; 2] = [
    INTERVAL_UNIT_MS * RadioParams::INTERVAL_UNITS[0] as f64,
    INTERVAL_UNIT_MS * RadioParams::INTERVAL_UNITS[1] as f64,
];

/// A toio cube.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CubeSpec {
    /// What the script and the messages call it: letters, digits, `-` and `_`, at most 64.
    #[schemars(pattern(NAME_PATTERN))]
    pub name: String,
    /// Where the middle of its body stands on the plane, [x, y]; or `at_dot`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[f64; 2]", inner(range(min = -100_000, max = 100_000)))]
    pub at_mm: Option<[f64; 2]>,
    /// Where the middle of its body stands in dots of the printed mat number `mat`, [x, y]; or `at_mm`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "[f64; 2]", inner(range(min = 0, max = 65_535)))]
    pub at_dot: Option<[f64; 2]>,
    /// Which of `mat.printed` the dots of `at_dot` are counted on, from 0.
    #[serde(default)]
    #[schemars(range(min = 0, max = 999))]
    pub mat: u32,
    /// Heading, clockwise seen from above: on the plane with `at_mm`, on that mat with `at_dot`.
    #[serde(default)]
    #[schemars(range(min = -360, max = 360))]
    pub heading_deg: f64,
    /// Version of the protocol that it speaks.
    #[serde(default = "default_protocol")]
    #[schemars(schema_with = "protocol_versions")]
    pub protocol: String,
    /// Whose behaviour it follows where the sources differ.
    #[serde(default)]
    pub profile: Profile,
    /// Which point its position readings call the centre.
    #[serde(default = "default_center")]
    pub center: CenterSpec,
    /// Charge of its battery at the start.
    #[serde(default = "default_battery_percent")]
    #[schemars(range(min = 0, max = 100))]
    pub battery_percent: f64,
    /// Time constant of its motors; left out, the one that goes with the profile's law: 0.0289, for `unity` 0.04 in its steps of 0.02.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 10))]
    pub motor_tau_s: Option<f64>,
    /// Single choices of behaviour, in place of those of the profile.
    #[serde(default, skip_serializing_if = "is_default")]
    pub behaviour: BehaviourSpec,
    /// Capacity and currents of its battery.
    #[serde(default, skip_serializing_if = "is_default")]
    pub battery: BatterySpec,
    /// Errors of the attitude that it reports.
    #[serde(default, skip_serializing_if = "is_default")]
    pub attitude: AttitudeSpec,
    /// It begins in its box, off and not on the mat, until a hand brings it. Its place may then be that of others.
    #[serde(default)]
    pub away: bool,
    /// Its client is connected from the start; not with `away`.
    #[serde(default = "default_connected")]
    pub connected: bool,
    /// Its client subscribes to all notifications as it connects; if not, its program does.
    #[serde(default = "default_subscribes")]
    pub subscribes: bool,
    /// The link between its client and it.
    #[serde(default)]
    pub radio: RadioSpec,
    /// What its client does, and when; the order in which it is written does not matter.
    #[serde(default)]
    #[schemars(length(max = 10_000))]
    pub program: Vec<CommandSpec>,
}

impl CubeSpec {
    /// A cube of that name with every key at its default.
    pub(super) fn named(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            at_mm: None,
            at_dot: None,
            mat: 0,
            heading_deg: 0.0,
            protocol: default_protocol(),
            profile: Profile::default(),
            center: default_center(),
            battery_percent: default_battery_percent(),
            motor_tau_s: None,
            behaviour: BehaviourSpec::default(),
            battery: BatterySpec::default(),
            attitude: AttitudeSpec::default(),
            away: false,
            connected: default_connected(),
            subscribes: default_subscribes(),
            radio: RadioSpec::default(),
            program: Vec::new(),
        }
    }
}

/// True for a section without any key.
fn is_default<T: Default + PartialEq>(section: &T) -> bool {
    *section == T::default()
}

fn default_protocol() -> String {
    Protocol::default().as_str().to_owned()
}

fn default_center() -> CenterSpec {
    CenterSpec::OfProfile
}

fn default_battery_percent() -> f64 {
    CubeParams::default().charge_percent
}

fn default_subscribes() -> bool {
    true
}

fn default_connected() -> bool {
    true
}

/// Which point position readings call the centre.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum CenterSpec {
    /// The one that goes with the profile: the body's middle for `device`, the axle's for `unity`.
    OfProfile,
    /// The middle of the body.
    BodyCenter,
    /// The middle of the axle, 3.8 mm ahead of the body's.
    AxleMidpoint,
}

/// What kind of link it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum LinkSpec {
    /// Bluetooth LE: delays, connection events, repeated packets, limits.
    Ble,
    /// What is sent is there in the same step, whatever its length.
    Perfect,
}

/// The radio link of a cube.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RadioSpec {
    /// What kind of link it is. A perfect one knows none of the other keys.
    pub link: LinkSpec,
    /// Connection interval: a multiple of 1.25.
    #[schemars(range(min = INTERVAL_MS[0], max = INTERVAL_MS[1]), extend("multipleOf" = INTERVAL_UNIT_MS))]
    pub interval_ms: f64,
    /// Time that a write spends in the stacks of sender and receiver: always, and at random up to so much more.
    #[schemars(inner(range(min = RadioParams::DELAY_MS[0], max = RadioParams::DELAY_MS[1])))]
    pub to_cube_delay_ms: [f64; 2],
    /// The same for a notification.
    #[schemars(inner(range(min = RadioParams::DELAY_MS[0], max = RadioParams::DELAY_MS[1])))]
    pub from_cube_delay_ms: [f64; 2],
    /// Probability that a packet is lost and repeated one interval later.
    #[schemars(range(min = RadioParams::LOSS[0], max = RadioParams::LOSS[1]))]
    pub loss: f64,
    /// Packets that an interval carries in each direction.
    #[schemars(range(min = RadioParams::PACKETS_PER_EVENT[0], max = RadioParams::PACKETS_PER_EVENT[1]))]
    pub packets_per_event: u32,
    /// Payload of a packet in bytes: 27, up to 251 with the data length extension.
    #[schemars(range(min = RadioParams::PACKET_BYTES[0], max = RadioParams::PACKET_BYTES[1]))]
    pub packet_bytes: u32,
    /// Largest message in bytes, 3 of them its header: 23 until a client asks for more.
    #[schemars(range(min = RadioParams::MTU_BYTES[0], max = RadioParams::MTU_BYTES[1]))]
    pub mtu_bytes: u32,
    /// Messages that a sender's buffer holds.
    #[schemars(range(min = RadioParams::BUFFER[0], max = RadioParams::BUFFER[1]))]
    pub buffer: u32,
}

impl Default for RadioSpec {
    fn default() -> Self {
        let radio = RadioParams::default();
        let delay_ms = |delay: StackDelay| [delay.fixed_ms, delay.jitter_ms];
        Self {
            link: LinkSpec::Ble,
            interval_ms: INTERVAL_UNIT_MS * f64::from(radio.interval_units),
            to_cube_delay_ms: delay_ms(radio.to_cube),
            from_cube_delay_ms: delay_ms(radio.from_cube),
            loss: radio.loss,
            packets_per_event: radio.packets_per_event,
            packet_bytes: radio.packet_bytes as u32,
            mtu_bytes: radio.mtu_bytes as u32,
            buffer: radio.buffer as u32,
        }
    }
}
