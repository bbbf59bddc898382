//! What a receiver makes of a packet: signal over noise, errors of bits, loss.
//!
//! # Equations
//! ```text
//! SNR = level - (NL + 10 log10 B)        Eb/N0 = 10^(SNR/10) B/rate        loss = 1 - (1 - BER)^bits
//! ```
//! Bit errors, E = Eb/N0: frequency shift without phase `exp(-E/2)/2`, differential phase shift `exp(-E)/2`, binary phase shift
//! `erfc(sqrt E)/2` (Proakis, Digital Communications).

use super::{decibels, ratio};
use sim_core::{ParamError, ops};

/// How bits are sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modulation {
    /// Frequency shift keying, received without its phase.
    Fsk,
    /// Differential phase shift keying.
    Dpsk,
    /// Binary phase shift keying.
    Bpsk,
}

impl Modulation {
    /// Share of bits that are wrong at a ratio of energy a bit to noise density.
    #[must_use]
    pub fn bit_errors(self, energy_ratio: f64) -> f64 {
        0.5 * match self {
            Self::Fsk => ops::exp(-0.5 * energy_ratio),
            Self::Dpsk => ops::exp(-energy_ratio),
            Self::Bpsk => ops::erfc(energy_ratio.sqrt()),
        }
    }
}

/// How packets are lost in noise.
#[derive(Clone, Debug, PartialEq)]
pub enum Loss {
    /// By wrong bits.
    Bits(Modulation),
    /// By a table: signal over noise, dB, ascending, with the share that is lost; even changes in between.
    Table(Vec<[f64; 2]>),
}

/// A receiver with its noise.
#[derive(Clone, Debug, PartialEq)]
pub struct Receiver {
    /// Noise density, dB re 1 uPa^2/Hz.
    pub noise_db_hz: f64,
    /// Bandwidth, Hz, above 0.
    pub bandwidth_hz: f64,
    /// Bits a second, above 0.
    pub bit_rate: f64,
    /// How it loses packets.
    pub loss: Loss,
    /// A packet survives others that overlap it if it is louder than all of them together by this, dB.
    pub capture_db: f64,
}

impl Receiver {
    /// Refuses values out of their ranges, and tables that do not ascend.
    ///
    /// # Errors
    /// Names the value.
    pub fn check(&self) -> Result<(), ParamError> {
        ParamError::check_range("noise_db_hz", self.noise_db_hz, -100.0, 200.0)?;
        ParamError::check_range("bandwidth_hz", self.bandwidth_hz, 1.0, 1e6)?;
        ParamError::check_range("bit_rate", self.bit_rate, 0.1, 1e6)?;
        ParamError::check_range("capture_db", self.capture_db, 0.0, 100.0)?;
        let Loss::Table(table) = &self.loss else { return Ok(()) };
        if table.is_empty() || table.len() > 1000 {
            return Err(ParamError::new("loss", format!("has {} places, must have 1 to 1000", table.len())));
        }
        for &[snr_db, loss] in table {
            ParamError::check_range("loss", snr_db, -1000.0, 1000.0)?;
            ParamError::check_range("loss", loss, 0.0, 1.0)?;
        }
        let wrong = table.windows(2).find(|pair| pair[1][0] <= pair[0][0]);
        wrong.map_or(Ok(()), |pair| {
            let message = format!("has {} dB after {}: levels must ascend", pair[1][0], pair[0][0]);
            Err(ParamError::new("loss", message))
        })
    }

    /// Signal over noise, dB, of a level, dB.
    #[must_use]
    pub fn snr_db(&self, level_db: f64) -> f64 {
        level_db - (self.noise_db_hz + decibels(self.bandwidth_hz))
    }

    /// Time that a packet takes to send, s.
    #[must_use]
    pub fn airtime_s(&self, bytes: u32) -> f64 {
        8.0 * f64::from(bytes) / self.bit_rate
    }

    /// Share of packets of so many bytes that noise destroys.
    #[must_use]
    pub fn loss(&self, snr_db: f64, bytes: u32) -> f64 {
        match &self.loss {
            Loss::Bits(modulation) => {
                let errors = modulation.bit_errors(ratio(snr_db) * self.bandwidth_hz / self.bit_rate);
                -ops::exp_m1(8.0 * f64::from(bytes) * ops::ln(1.0 - errors))
            }
            Loss::Table(table) => interpolated(table, snr_db),
        }
    }

    /// Whether a packet is louder than what overlaps it, given as a sum of powers.
    #[must_use]
    pub fn survives(&self, level_db: f64, others: f64) -> bool {
        others <= 0.0 || level_db - decibels(others) >= self.capture_db
    }
}

fn interpolated(table: &[[f64; 2]], x: f64) -> f64 {
    let above = table.partition_point(|place| place[0] <= x);
    if above == 0 || above == table.len() {
        return table[above.saturating_sub(1)][1];
    }
    let [[x0, y0], [x1, y1]] = [table[above - 1], table[above]];
    y0 + (y1 - y0) * ((x - x0) / (x1 - x0))
}
