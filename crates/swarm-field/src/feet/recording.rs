//! Recorded ways of feet: places with times at any rate, smoothed.
//!
//! The way of a foot is the mean of its recorded places over [`SMOOTHING_S`], each a straight line from one to the next:
//! `s(t) = (I(t + w/2) - I(t - w/2)) / w` with the integral `I` of the places. It rests on the first place before the recording and on the
//! last one after it. Its velocity `(p(t + w/2) - p(t - w/2)) / w` is largest half a window from a row, since it is a straight function
//! in between.

use super::{FeetParams, Gait};
use sim_core::{DVec2, ParamError};

/// Time over which recorded places are averaged, s.
pub const SMOOTHING_S: f64 = 0.5;

/// A recorded place of a foot.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema))]
#[cfg_attr(feature = "schema", serde(deny_unknown_fields))]
pub struct RecordedPlace {
    /// When, since the start.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 1e6)))]
    pub time_s: f64,
    /// Number of the foot.
    #[cfg_attr(feature = "schema", schemars(range(min = 0, max = 9_999)))]
    pub foot: u32,
    /// The place of its centre, [x, y].
    #[cfg_attr(feature = "schema", schemars(inner(range(min = 0, max = 100_000))))]
    pub at_mm: [f64; 2],
}

/// The recorded way of a foot.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct RecordedWay {
    /// Ascending, s.
    times_s: Vec<f64>,
    places_mm: Vec<DVec2>,
    /// Integral of the place over time from the first row to each, mm s.
    integrals_mm_s: Vec<DVec2>,
    /// Numbers of the rows in the recording.
    rows: Vec<usize>,
}

impl RecordedWay {
    /// The ways of all feet; none without a recording.
    ///
    /// # Errors
    /// A foot without a row, or one that there is not; times of a foot that do not ascend; numbers that are not finite.
    pub(super) fn all(params: &FeetParams) -> Result<Vec<Self>, ParamError> {
        if params.recording_csv.is_some() {
            return Err(ParamError::new("recording_csv", "names a file that was not read".to_owned()));
        }
        if params.recording.is_empty() {
            return Ok(Vec::new());
        }
        if params.gait == Gait::Orbit {
            return Err(ParamError::new("gait", "is orbit beside a recording: choose one of them".to_owned()));
        }
        if !params.home_mm.is_empty() {
            let message = "stand beside a recording, which says where feet begin: choose one of them".to_owned();
            return Err(ParamError::new("home_mm", message));
        }
        let empty = Self { times_s: Vec::new(), places_mm: Vec::new(), integrals_mm_s: Vec::new(), rows: Vec::new() };
        let mut ways = vec![empty; params.count];
        for (row, recorded) in params.recording.iter().enumerate() {
            let Some(way) = ways.get_mut(recorded.foot as usize) else {
                return Err(refused(row, &format!("is of foot {}, of {} feet from 0", recorded.foot, params.count)));
            };
            way.push(row, recorded)?;
        }
        match ways.iter().position(|way| way.rows.is_empty()) {
            None => Ok(ways),
            Some(foot) => Err(ParamError::new("recording", format!("has no place of foot {foot} of {}", params.count))),
        }
    }

    fn push(&mut self, row: usize, recorded: &RecordedPlace) -> Result<(), ParamError> {
        let (time_s, at_mm) = (recorded.time_s, DVec2::from(recorded.at_mm));
        if !(time_s.is_finite() && time_s >= 0.0 && at_mm.is_finite()) {
            return Err(refused(row, "has a number that is not finite, or a time before the start"));
        }
        let (integral_mm_s, last_s) = match (self.integrals_mm_s.last(), self.times_s.last(), self.places_mm.last()) {
            (Some(&integral), Some(&last_s), Some(&last_mm)) => {
                (integral + 0.5 * (time_s - last_s) * (last_mm + at_mm), last_s)
            }
            _ => (DVec2::ZERO, f64::NEG_INFINITY),
        };
        if time_s <= last_s {
            return Err(refused(row, &format!("is at {time_s} s, after one of foot {} at {last_s} s", recorded.foot)));
        }
        self.times_s.push(time_s);
        self.places_mm.push(at_mm);
        self.integrals_mm_s.push(integral_mm_s);
        self.rows.push(row);
        Ok(())
    }

    /// The first row near which the smoothed way is faster than `limit_mm_s`, or at a place that is not allowed.
    ///
    /// # Errors
    /// Names the row.
    pub(super) fn check(&self, limit_mm_s: f64, is_allowed: impl Fn(DVec2) -> bool) -> Result<(), ParamError> {
        for (&time_s, &row) in self.times_s.iter().zip(&self.rows) {
            let fastest = [-0.5, 0.5].map(|side| self.velocity_mm_s(time_s + side * SMOOTHING_S).length());
            let fastest_mm_s = fastest[0].max(fastest[1]);
            if fastest_mm_s > limit_mm_s {
                let message = format!(
                    "makes a foot walk {fastest_mm_s:.0} mm/s, smoothed over {SMOOTHING_S} s; by speed_mm_s and \
                     speed_slack_mm_s it walks at most {limit_mm_s} mm/s"
                );
                return Err(refused(row, &message));
            }
            let place_mm = self.place_mm(time_s);
            if !is_allowed(place_mm) {
                return Err(refused(row, "is where this foot may not be, by travel and core_inset_mm"));
            }
        }
        Ok(())
    }

    /// Smoothed place at a time, mm.
    pub(super) fn place_mm(&self, time_s: f64) -> DVec2 {
        let half_s = 0.5 * SMOOTHING_S;
        (self.integral_mm_s(time_s + half_s) - self.integral_mm_s(time_s - half_s)) / SMOOTHING_S
    }

    /// Smoothed velocity, mm/s.
    pub(super) fn velocity_mm_s(&self, time_s: f64) -> DVec2 {
        let half_s = 0.5 * SMOOTHING_S;
        (self.recorded_mm(time_s + half_s) - self.recorded_mm(time_s - half_s)) / SMOOTHING_S
    }

    /// Rows beside a time: the number of those up to it.
    fn rows_until(&self, time_s: f64) -> usize {
        self.times_s.partition_point(|&row_s| row_s <= time_s)
    }

    /// Place between the rows, mm.
    fn recorded_mm(&self, time_s: f64) -> DVec2 {
        let after = self.rows_until(time_s);
        if after == 0 || after == self.rows.len() {
            return self.places_mm[after.saturating_sub(1)];
        }
        let share = (time_s - self.times_s[after - 1]) / (self.times_s[after] - self.times_s[after - 1]);
        self.places_mm[after - 1].lerp(self.places_mm[after], share)
    }

    /// Integral of the place from the first row on, mm s; negative before it.
    fn integral_mm_s(&self, time_s: f64) -> DVec2 {
        let row = self.rows_until(time_s).saturating_sub(1);
        let (since_s, from_mm) = (time_s - self.times_s[row], self.places_mm[row]);
        self.integrals_mm_s[row] + 0.5 * since_s * (from_mm + self.recorded_mm(time_s))
    }
}

fn refused(row: usize, why: &str) -> ParamError {
    ParamError::new("recording", format!("row {row} (from 0) {why}"))
}
