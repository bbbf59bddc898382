//! What a cube is made with.

use crate::advertising::NameSuffix;
use crate::attitude::AttitudeParams;
use crate::battery::BatteryParams;
use crate::behaviour::Behaviour;
use crate::magnet::MagnetParams;
use crate::profile::Profile;
use crate::version::Protocol;
use sim_core::RunKey;
use toio_hardware::COLLECTION_DOTS_PER_M;

/// Everything that can be said of one cube. Start from [`CubeParams::for_profile`] a version and a profile.
#[derive(Clone, Debug, PartialEq)]
pub struct CubeParams {
    /// Protocol version.
    pub protocol: Protocol,
    /// Choices where the sources differ.
    pub behaviour: Behaviour,
    /// Steps a second, 50 to 1000.
    pub step_hz: u32,
    /// Dots of the mat per metre, 100 to 10 000: the firmware plans its accelerations with it.
    pub dots_per_m: f64,
    /// Suffix of the advertised name.
    pub name: NameSuffix,
    /// Seed and run of the random draws (attitude drift).
    pub key: RunKey,
    /// Number of the cube: the owner of its draws.
    pub owner: u64,
    /// Battery.
    pub battery: BatteryParams,
    /// Charge of the battery at the start, 0 to 100 percent of its capacity.
    pub charge_percent: f64,
    /// Errors of the attitude.
    pub attitude: AttitudeParams,
    /// Thresholds of the magnet sensor.
    pub magnet: MagnetParams,
}

impl CubeParams {
    /// The defaults of a version and a profile, for cube number 0: 50 steps a second, a full battery.
    #[must_use]
    pub fn for_profile(protocol: Protocol, profile: Profile) -> Self {
        Self {
            protocol,
            behaviour: Behaviour::for_profile(profile),
            step_hz: 50,
            dots_per_m: COLLECTION_DOTS_PER_M,
            name: NameSuffix::from_number(0),
            key: RunKey { seed: 0, run_index: 0 },
            owner: 0,
            battery: battery_of(profile),
            charge_percent: 100.0,
            attitude: AttitudeParams::for_profile(profile),
            magnet: MagnetParams::default(),
        }
    }
}

impl Default for CubeParams {
    fn default() -> Self {
        Self::for_profile(Protocol::default(), Profile::default())
    }
}

/// The Unity simulator's battery stays full.
fn battery_of(profile: Profile) -> BatteryParams {
    let full = BatteryParams::default();
    match profile {
        Profile::Device => full,
        Profile::Unity => BatteryParams { base_ma: 0.0, motor_ma: 0.0, lamp_ma: 0.0, ..full },
    }
}
