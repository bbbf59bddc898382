//! The section `cubes` of a scenario file: who stands where, speaks which protocol over which radio, and does what.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::named::protocol_versions;
use super::spec_program::CommandSpec;
use sim_input::schema::NAME_PATTERN;

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
    #[serde(default = "default_profile")]
    pub profile: ProfileSpec,
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
    /// Its client is connected from the start.
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
            profile: default_profile(),
            center: default_center(),
            battery_percent: default_battery_percent(),
            motor_tau_s: None,
            connected: default_connected(),
            subscribes: default_subscribes(),
            radio: RadioSpec::default(),
            program: Vec::new(),
        }
    }
}

fn default_protocol() -> String {
    toio_cube_sim::Protocol::default().as_str().to_owned()
}

fn default_profile() -> ProfileSpec {
    ProfileSpec::Device
}

fn default_center() -> CenterSpec {
    CenterSpec::OfProfile
}

fn default_battery_percent() -> f64 {
    100.0
}

fn default_subscribes() -> bool {
    true
}

fn default_connected() -> bool {
    true
}

/// Whose behaviour a cube follows where the sources differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProfileSpec {
    /// The device specification.
    Device,
    /// The law of the Unity simulator, for comparison with it.
    Unity,
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
    #[schemars(range(min = 7.5, max = 4000), extend("multipleOf" = 1.25))]
    pub interval_ms: f64,
    /// Time that a write spends in the stacks of sender and receiver: always, and at random up to so much more.
    #[schemars(inner(range(min = 0, max = 10_000)))]
    pub to_cube_delay_ms: [f64; 2],
    /// The same for a notification.
    #[schemars(inner(range(min = 0, max = 10_000)))]
    pub from_cube_delay_ms: [f64; 2],
    /// Probability that a packet is lost and repeated one interval later.
    #[schemars(range(min = 0, max = 0.95))]
    pub loss: f64,
    /// Packets that an interval carries in each direction.
    #[schemars(range(min = 1, max = 1000))]
    pub packets_per_event: u32,
    /// Payload of a packet in bytes: 27, up to 251 with the data length extension.
    #[schemars(range(min = 27, max = 251))]
    pub packet_bytes: u32,
    /// Largest message in bytes, 3 of them its header: 23 until a client asks for more.
    #[schemars(range(min = 23, max = 517))]
    pub mtu_bytes: u32,
    /// Messages that a sender's buffer holds.
    #[schemars(range(min = 1, max = 10_000))]
    pub buffer: u32,
}

impl Default for RadioSpec {
    fn default() -> Self {
        Self {
            link: LinkSpec::Ble,
            interval_ms: 30.0,
            to_cube_delay_ms: [3.0, 5.0],
            from_cube_delay_ms: [3.0, 5.0],
            loss: 0.02,
            packets_per_event: 4,
            packet_bytes: 27,
            mtu_bytes: 23,
            buffer: 16,
        }
    }
}
