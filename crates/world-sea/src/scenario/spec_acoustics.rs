//! The section `acoustics`: what sound goes through between modems, and what they send; and modems among the sensors of a vehicle.

use schemars::JsonSchema;
use sea_echo::modem::{Bottom, MAX_BOUNCES, MAX_LAYERS, TransceiverParams};
use serde::{Deserialize, Serialize};

/// Most messages of a scenario.
const MESSAGES_MAX: usize = 10_000;
/// Longest packet, bytes.
pub(crate) const BYTES_MAX: u32 = 65_536;

/// Sound between modems: one of `transceiver` and `channel`, or `transceiver` with its defaults.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AcousticsSpec {
    /// Straight ways and one echo each of surface and bottom, by the rules of the SMaRC simulator; without levels.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "TransceiverSpec")]
    pub transceiver: Option<TransceiverSpec>,
    /// Water between a level surface and a level bottom: all reflections up to an order, levels, noise, collisions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "ChannelSpec")]
    pub channel: Option<ChannelSpec>,
    /// What modems send.
    #[schemars(length(max = MESSAGES_MAX))]
    pub messages: Vec<MessageSpec>,
}

/// Sound by the rules of the SMaRC simulator. SAM has there a range of 500 m and a tolerance of 5 m.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TransceiverSpec {
    /// Speed of sound.
    #[schemars(range(min = 100, max = 10_000))]
    pub sound_speed_m_s: f64,
    /// How far a straight way reaches.
    #[schemars(range(min = 0.01, max = 100_000))]
    pub range_m: f64,
    /// Radius of the tube that must be free.
    #[schemars(range(min = 0.001, max = 100))]
    pub channel_radius_m: f64,
    /// Whether straight ways and echoes of the surface pass through everything.
    pub ignores_occlusion: bool,
    /// Whether packets go through air too.
    pub works_in_air: bool,
    /// Whether the surface and the bottom echo.
    pub echoes: bool,
    /// Share of the range that a whole way with an echo may have.
    #[schemars(range(min = 0, max = 1))]
    pub echo_range_ratio: f64,
    /// Angle between the outermost rays towards the bottom, seen from above.
    #[schemars(range(min = 0, max = 180))]
    pub bottom_opening_deg: f64,
    /// How fine these rays are: at 120 degrees 3, 9, 31 or 113.
    #[schemars(range(min = 0, max = 3))]
    pub bottom_resolution: u32,
    /// How far beside a receiver a ray off the bottom may pass at its depth.
    #[schemars(range(min = 0, max = 1000))]
    pub bottom_tolerance_m: f64,
    /// Whether the earliest echo of the bottom alone is heard.
    pub single_bottom_echo: bool,
}

impl Default for TransceiverSpec {
    fn default() -> Self {
        let plain = TransceiverParams::default();
        Self {
            sound_speed_m_s: plain.sound_speed_m_s,
            range_m: plain.range_m,
            channel_radius_m: plain.channel_radius_m,
            ignores_occlusion: plain.ignores_occlusion,
            works_in_air: false,
            echoes: plain.echoes,
            echo_range_ratio: plain.echo_range_ratio,
            bottom_opening_deg: 120.0,
            bottom_resolution: plain.bottom_resolution,
            bottom_tolerance_m: plain.bottom_tolerance_m,
            single_bottom_echo: plain.single_bottom_echo,
        }
    }
}

/// How bits are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ModulationSpec {
    /// Frequency shift keying, received without its phase.
    Fsk,
    /// Differential phase shift keying.
    Dpsk,
    /// Binary phase shift keying.
    Bpsk,
}

/// A channel. All modems are alike.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ChannelSpec {
    /// Speed of sound over depth; `null`: that of the scenario's water at its surface, everywhere.
    pub sound_speed: Option<SoundSpeedSpec>,
    /// Frequency of the modems.
    #[schemars(range(min = 400, max = 1_000_000))]
    pub frequency_hz: f64,
    /// Absorption at it; `null`: that of the scenario's water at its surface.
    #[schemars(range(min = 0, max = 10_000))]
    pub absorption_db_km: Option<f64>,
    /// Level of a sender at 1 m, re 1 uPa.
    #[schemars(range(min = 0, max = 250))]
    pub source_level_db: f64,
    /// Most reflections of a way.
    #[schemars(range(min = 0, max = MAX_BOUNCES))]
    pub bounces: u32,
    /// Standard deviation of the height of the surface.
    #[schemars(range(min = 0, max = 100))]
    pub roughness_m: f64,
    /// Density of the bottom over that of the water; that of sand unless given.
    #[schemars(range(min = 0.1, max = 10))]
    pub bottom_density_ratio: f64,
    /// Speed of sound in the bottom over that of the water.
    #[schemars(range(min = 0.1, max = 10))]
    pub bottom_speed_ratio: f64,
    /// Density of noise, re 1 uPa^2/Hz.
    #[schemars(range(min = -100, max = 200))]
    pub noise_db_hz: f64,
    /// Bandwidth of a receiver.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub bandwidth_hz: f64,
    /// Bits a second: how long a packet is.
    #[schemars(range(min = 0.1, max = 1_000_000))]
    pub bit_rate: f64,
    /// How bits are sent, by which noise makes some of them wrong.
    pub modulation: ModulationSpec,
    /// In place of that, a table: [signal over noise, share of packets lost], levels ascending.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<[f64; 2]>", length(min = 1, max = 1000), inner(inner(range(min = -1000, max = 1000))))]
    pub loss_table: Option<Vec<[f64; 2]>>,
    /// A packet survives others at the same time if it is louder than all of them together by this, dB.
    #[schemars(range(min = 0, max = 100))]
    pub capture_db: f64,
}

impl Default for ChannelSpec {
    fn default() -> Self {
        let Bottom { density_ratio, speed_ratio } = Bottom::SAND;
        Self {
            sound_speed: None,
            frequency_hz: 25_000.0,
            absorption_db_km: None,
            source_level_db: 170.0,
            bounces: 3,
            roughness_m: 0.0,
            bottom_density_ratio: density_ratio,
            bottom_speed_ratio: speed_ratio,
            noise_db_hz: 50.0,
            bandwidth_hz: 5000.0,
            bit_rate: 1000.0,
            modulation: ModulationSpec::Fsk,
            loss_table: None,
            capture_db: 6.0,
        }
    }
}

/// Speed of sound over depth: one of the keys.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct SoundSpeedSpec {
    /// The same everywhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 100, max = 10_000))]
    pub uniform_m_s: Option<f64>,
    /// An even change with depth.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "LinearSpeedSpec")]
    pub linear: Option<LinearSpeedSpec>,
    /// Places [depth, speed], depths ascending; even changes in between.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Vec<[f64; 2]>", length(min = 2, max = MAX_LAYERS), inner(inner(range(min = -100_000, max = 100_000))))]
    pub layers: Option<Vec<[f64; 2]>>,
}

/// A speed of sound that changes evenly with depth.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinearSpeedSpec {
    /// Speed at still water.
    #[schemars(range(min = 100, max = 10_000))]
    pub surface_m_s: f64,
    /// Change with depth, m/s a m.
    #[schemars(range(min = -1, max = 1))]
    pub gradient_per_s: f64,
}

/// A message that a modem sends once or again and again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MessageSpec {
    /// When, exactly; if the modem is busy then, as soon as it is free.
    #[serde(default)]
    #[schemars(range(min = 0, max = 1_000_000_000))]
    pub at_s: f64,
    /// Name of the vehicle that sends.
    pub from: String,
    /// Name of the vehicle that it is for; all others with modems unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub to: Option<String>,
    /// Its length.
    #[serde(default = "some_bytes")]
    #[schemars(range(min = 1, max = BYTES_MAX))]
    pub bytes: u32,
    /// Time from one sending to the next; once unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0.001, max = 1_000_000_000))]
    pub every_s: Option<f64>,
    /// When it is sent last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "f64", range(min = 0, max = 1_000_000_000))]
    pub until_s: Option<f64>,
    /// Whether receivers reply, which measures their ranges.
    #[serde(default)]
    pub reply: bool,
}

fn some_bytes() -> u32 {
    32
}

/// An acoustic modem. How sound goes is said by `acoustics` of the scenario.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ModemSpec {
    /// Where it is on the vehicle: [forward, left, up].
    #[schemars(inner(range(min = -100, max = 100)))]
    pub position_m: [f64; 3],
    /// Time from the end of a request to its reply.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub turnaround_ms: f64,
    /// Speed of sound by which it turns times into ranges.
    #[schemars(range(min = 100, max = 10_000))]
    pub assumed_speed_m_s: f64,
    /// A short baseline, which measures directions of replies; `null`: none, and ranges without errors.
    pub usbl: Option<UsblSpec>,
}

impl Default for ModemSpec {
    fn default() -> Self {
        Self { position_m: [0.0; 3], turnaround_ms: 100.0, assumed_speed_m_s: 1500.0, usbl: None }
    }
}

/// An ultra-short baseline, along the vehicle's axes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct UsblSpec {
    /// Standard deviation of ranges.
    #[schemars(range(min = 0, max = 1000))]
    pub range_std_m: f64,
    /// What ranges are rounded to; 0: not rounded.
    #[schemars(range(min = 0, max = 1000))]
    pub range_step_m: f64,
    /// Standard deviation of azimuths.
    #[schemars(range(min = 0, max = 90))]
    pub azimuth_std_deg: f64,
    /// Standard deviation of elevations.
    #[schemars(range(min = 0, max = 90))]
    pub elevation_std_deg: f64,
    /// What angles are rounded to; 0: not rounded.
    #[schemars(range(min = 0, max = 90))]
    pub angle_step_deg: f64,
}

impl Default for UsblSpec {
    /// The examples of Stonefish's documentation.
    fn default() -> Self {
        Self { range_std_m: 0.05, range_step_m: 0.1, azimuth_std_deg: 0.2, elevation_std_deg: 0.5, angle_step_deg: 0.1 }
    }
}
