//! Moments of a run, out of its tables.

use super::breaks::BreakReader;
use super::flags::FlagReader;
use super::party::PartyReader;
use super::scans::ScanReader;
use super::so_far::SoFarReader;
use super::{Frame, PartyFrame, SoFar};
use crate::folder::{FolderError, RunFolder, Span};
use sim_world::View;

/// How long a broken limit is shown at least.
const SHOWN_S: f64 = 0.5;

/// Reads moments of a run. Memory holds the rows round one moment; going forwards costs one pass over the tables.
#[derive(Debug)]
pub struct FrameReader<'a> {
    folder: &'a RunFolder,
    parties: Vec<PartyReader>,
    history: History,
    last_s: f64,
    shown_s: f64,
}

/// What is known of the past: it can only go on.
#[derive(Debug)]
struct History {
    scans: Vec<ScanReader>,
    flags: Vec<FlagReader>,
    breaks: Vec<BreakReader>,
    so_far: Vec<SoFarReader>,
}

impl History {
    fn new(folder: &RunFolder) -> Result<Self, FolderError> {
        let view = folder.view();
        Ok(Self {
            scans: view.scanners.iter().map(|scanner| ScanReader::new(folder, scanner)).collect::<Result<_, _>>()?,
            flags: view.flags.iter().map(|flag| FlagReader::new(folder, flag)).collect::<Result<_, _>>()?,
            breaks: view.limits.iter().map(|limit| BreakReader::new(folder, limit)).collect::<Result<_, _>>()?,
            so_far: view.limits.iter().map(|limit| SoFarReader::new(folder, limit)).collect::<Result<_, _>>()?,
        })
    }
}

impl<'a> FrameReader<'a> {
    /// Opens the tables.
    ///
    /// # Errors
    /// If a table cannot be read, or the view names a stream or a column that is not there.
    pub fn new(folder: &'a RunFolder) -> Result<Self, FolderError> {
        let parties = folder.view().parties.iter().map(|party| PartyReader::new(folder, party));
        Ok(Self {
            folder,
            parties: parties.collect::<Result<_, _>>()?,
            history: History::new(folder)?,
            last_s: f64::NEG_INFINITY,
            shown_s: SHOWN_S,
        })
    }

    /// The same for a film in which `speed` seconds of the run pass in a second: broken limits are shown as long as in one at speed 1.
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
        let time_s = time_s.min(last.time_s).max(first.time_s);
        if time_s < self.last_s {
            self.history = History::new(self.folder)?;
        }
        self.last_s = time_s;
        let mut frame = Frame { time_s, step: first.step, ..Frame::default() };
        for party in &mut self.parties {
            let (step, party) = party.at(time_s, first.time_s)?;
            frame.step = step.unwrap_or(frame.step);
            frame.parties.push(party);
        }
        self.read_history(&mut frame)?;
        Ok(frame)
    }

    fn read_history(&mut self, frame: &mut Frame) -> Result<(), FolderError> {
        let History { scans, flags, breaks, so_far } = &mut self.history;
        let (time_s, step, view) = (frame.time_s, frame.step, self.folder.view());
        frame.scans = scans.iter_mut().map(|scans| scans.up_to(time_s)).collect::<Result<_, _>>()?;
        frame.flags = flags.iter_mut().map(|flag| flag.up_to(step).cloned()).collect::<Result<_, _>>()?;
        let shown_s = self.shown_s.max(self.folder.span().row_s());
        for ((limit, breaks), so_far) in view.limits.iter().zip(breaks).zip(so_far) {
            let times = breaks.up_to(step)?;
            frame.so_far.push(SoFar { worst: so_far.up_to(step, time_s)?, times });
            let empty = PartyFrame::default();
            let party = |stream: &String| frame.party(view, stream).unwrap_or(&empty);
            let others = limit.to.as_ref().map_or(&empty, party);
            let broken = breaks.breaks([party(&limit.of), others], time_s, shown_s);
            frame.breaks.push(broken);
        }
        Ok(())
    }
}

impl Frame {
    /// The party of a stream.
    #[must_use]
    pub fn party(&self, view: &View, stream: &str) -> Option<&PartyFrame> {
        let place = view.parties.iter().position(|party| party.stream == stream)?;
        self.parties.get(place)
    }
}
