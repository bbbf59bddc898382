//! Moments of a run, out of its tables.

use super::ahead::forecast;
use super::so_far::SoFarReader;
use super::track::{Pair, Track};
use super::{Foot, Frame, Patch};
use crate::folder::{
    AgentRow, CubeRow, FolderError, FootRow, MatScenario, MessageRow, PatchRow, RunFolder, Span, Table,
};
use sim_core::angle::wrap_rad;
use std::collections::BTreeSet;
use swarm_field::Hill;

/// Reads moments of a run on the mat. Memory holds the rows round one moment; going forwards costs one pass over the tables.
#[derive(Debug)]
pub struct FrameReader<'a> {
    folder: &'a RunFolder,
    scenario: &'a MatScenario,
    agents: Option<Track<AgentRow>>,
    feet: Option<Track<FootRow>>,
    patches: Option<Track<PatchRow>>,
    cubes: Option<Track<CubeRow>>,
    buttons: Buttons,
    so_far: SoFarReader,
    last_step: u64,
    shown_s: f64,
}

/// How long a violation is shown at least.
const SHOWN_S: f64 = 0.5;

impl<'a> FrameReader<'a> {
    /// Opens the tables.
    ///
    /// # Errors
    /// If the run is one of another world, or a table cannot be read.
    pub fn new(folder: &'a RunFolder) -> Result<Self, FolderError> {
        let (span, scenario) = (folder.span(), folder.mat()?);
        let window_s = scenario.field.window_s;
        Ok(Self {
            folder,
            scenario,
            agents: folder.steps()?.map(|table| Track::new(table, span, 0.0)),
            feet: folder.steps()?.map(|table| Track::new(table, span, window_s)),
            patches: folder.steps()?.map(|table| Track::new(table, span, 0.0)),
            cubes: folder.steps()?.map(|table| Track::new(table, span, 0.0)),
            buttons: Buttons::new(folder)?,
            so_far: SoFarReader::new(folder, scenario)?,
            last_step: 0,
            shown_s: SHOWN_S,
        })
    }

    /// The same for a film in which `speed` seconds of the run pass in a second: violations are shown as long as in one at speed 1.
    #[must_use]
    pub fn at_speed(self, speed: f64) -> Self {
        Self { shown_s: SHOWN_S * speed.max(1.0), ..self }
    }

    /// The moment `time_s`; before the first and after the last row, that row.
    ///
    /// # Errors
    /// If a row that is needed is wrong.
    pub fn at(&mut self, time_s: f64) -> Result<Frame, FolderError> {
        let Span { first, last, .. } = self.folder.span();
        let time_s = time_s.clamp(first.time_s, last.time_s);
        let mut frame = Frame { time_s, step: first.step, ..Frame::default() };
        self.read_agents(&mut frame)?;
        self.read_feet(&mut frame)?;
        self.read_patches(&mut frame)?;
        self.read_cubes(&mut frame)?;
        if frame.step < self.last_step {
            self.so_far = SoFarReader::new(self.folder, self.scenario)?;
            self.buttons = Buttons::new(self.folder)?;
        }
        self.last_step = frame.step;
        frame.so_far = self.so_far.up_to(frame.step, time_s)?;
        frame.violations = self.so_far.violations(time_s, self.shown_s.max(self.folder.span().row_s()));
        frame.pressed.clone_from(self.buttons.pressed_at(frame.step)?);
        Ok(frame)
    }

    fn read_agents(&mut self, frame: &mut Frame) -> Result<(), FolderError> {
        let Some(track) = &mut self.agents else { return Ok(()) };
        track.go_to(frame.time_s)?;
        let Some(around) = track.around(frame.time_s) else { return Ok(()) };
        frame.step = around.step;
        frame.robots.extend(around.pairs(|row| row.agent).map(|Pair { before, after, nearer }| AgentRow {
            position_mm: before.position_mm.lerp(after.position_mm, around.share),
            heading_rad: turned(before.heading_rad, after.heading_rad, around.share),
            ..nearer.clone()
        }));
        Ok(())
    }

    fn read_feet(&mut self, frame: &mut Frame) -> Result<(), FolderError> {
        let window_s = self.scenario.field.window_s;
        let frames = (window_s * f64::from(self.scenario.step_hz)).round();
        let Some(track) = &mut self.feet else { return Ok(()) };
        track.go_to(frame.time_s)?;
        let Some(around) = track.around(frame.time_s) else { return Ok(()) };
        frame.step = around.step;
        frame.feet.extend(around.pairs(|row| row.foot).map(|Pair { before, after, nearer }| {
            let position_mm = before.position_mm.lerp(after.position_mm, around.share);
            let ahead = forecast(track.window(), nearer.foot, frame.time_s, [window_s, frames]);
            Foot { row: FootRow { position_mm, ..nearer.clone() }, ahead }
        }));
        Ok(())
    }

    fn read_patches(&mut self, frame: &mut Frame) -> Result<(), FolderError> {
        let Some(track) = &mut self.patches else { return Ok(()) };
        track.go_to(frame.time_s)?;
        let Some(around) = track.around(frame.time_s) else { return Ok(()) };
        frame.step = around.step;
        frame.patches.extend(around.pairs(|row| row.patch).map(|Pair { before, after, nearer }| {
            let mix = |a: f64, b: f64| a + (b - a) * around.share;
            // Another patch takes the number of one that has faded: nothing lies between the two.
            let is_same = before.sigma_mm == after.sigma_mm;
            let center_mm =
                if is_same { before.position_mm.lerp(after.position_mm, around.share) } else { nearer.position_mm };
            let peak = if is_same { mix(before.peak, after.peak) } else { nearer.peak };
            Patch { id: nearer.patch, hill: Hill { center_mm, sigma_mm: nearer.sigma_mm, peak } }
        }));
        Ok(())
    }

    fn read_cubes(&mut self, frame: &mut Frame) -> Result<(), FolderError> {
        let Some(track) = &mut self.cubes else { return Ok(()) };
        track.go_to(frame.time_s)?;
        let Some(around) = track.around(frame.time_s) else { return Ok(()) };
        frame.step = around.step;
        frame.cubes.extend(around.pairs(|row| row.cube).map(|Pair { before, after, nearer }| CubeRow {
            position_mm: before.position_mm.lerp(after.position_mm, around.share),
            z_mm: before.z_mm + (after.z_mm - before.z_mm) * around.share,
            yaw_rad: turned(before.yaw_rad, after.yaw_rad, around.share),
            pitch_rad: turned(before.pitch_rad, after.pitch_rad, around.share),
            roll_rad: turned(before.roll_rad, after.roll_rad, around.share),
            ..nearer.clone()
        }));
        Ok(())
    }
}

/// A heading between two others, the short way round.
pub(super) fn turned(from_rad: f64, to_rad: f64, share: f64) -> f64 {
    wrap_rad(from_rad + wrap_rad(to_rad - from_rad) * share)
}

/// Which buttons are down, as the cubes told their clients.
#[derive(Debug)]
struct Buttons {
    messages: Option<Table<MessageRow>>,
    next: Option<MessageRow>,
    pressed: BTreeSet<u64>,
}

impl Buttons {
    fn new(folder: &RunFolder) -> Result<Self, FolderError> {
        Ok(Self { messages: folder.rows()?, next: None, pressed: BTreeSet::new() })
    }

    fn pressed_at(&mut self, step: u64) -> Result<&BTreeSet<u64>, FolderError> {
        let Some(messages) = &mut self.messages else { return Ok(&self.pressed) };
        loop {
            let message = match self.next.take() {
                Some(message) => message,
                None => match messages.next() {
                    Some(message) => message?,
                    None => return Ok(&self.pressed),
                },
            };
            if message.moment.step > step {
                self.next = Some(message);
                return Ok(&self.pressed);
            }
            // Button information: the kind 1, then 80 while it is down.
            if message.direction == "notify" && message.characteristic == "107" {
                if message.hex == "0180" {
                    self.pressed.insert(message.cube)
                } else {
                    self.pressed.remove(&message.cube)
                };
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_turn_the_short_way_round() {
        assert!((turned(3.0, -3.0, 0.5).abs() - std::f64::consts::PI).abs() < 1e-12);
        assert!((turned(-0.2, 0.4, 0.5) - 0.1).abs() < 1e-12);
    }
}
