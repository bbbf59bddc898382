//! What this crate draws for. The purposes are public so that a test can compare those of all crates.

use sim_core::Purpose;

/// Phase and direction of a wave of a sea. Owner: the wave.
pub const WAVE: Purpose = Purpose::new(26);
/// Wandering of a current. Owner: the current.
pub const CURRENT_DRIFT: Purpose = Purpose::new(27);
/// Random push of a force field. Owner: the body and the point.
pub const FIELD_NOISE: Purpose = Purpose::new(28);
/// Hills of a generated bottom. Owner: the layer; tick: the place.
pub const TERRAIN: Purpose = Purpose::new(29);
/// Place of a particle that shows a force field. Owner: the particle; tick: its life.
pub const PARTICLE: Purpose = Purpose::new(30);
/// Speckle and distances of a sonar. Owner: its vehicle and its number.
pub const SONAR: Purpose = Purpose::new(31);
/// Loss of a packet of a modem in noise. Owner: the sender and the receiver; tick: the sender's packet.
pub const PACKET_LOSS: Purpose = Purpose::new(32);
/// Errors of a range and a direction by sound. Owner: the vehicle that measures and its target; tick: the target's packet.
pub const ACOUSTIC_FIX: Purpose = Purpose::new(33);

/// All of them.
pub const ALL: [Purpose; 8] = [WAVE, CURRENT_DRIFT, FIELD_NOISE, TERRAIN, PARTICLE, SONAR, PACKET_LOSS, ACOUSTIC_FIX];
