//! The newest scans, from where they were taken.

use super::party::{Columns, actors_of};
use super::track::{SAME_S, Track};
use crate::folder::{FolderError, Moment, RunFolder, StreamTable};
use sim_core::{DVec2, DVec3, angle::unit};
use sim_world::view::{Mount, Scanner};
use std::collections::BTreeMap;

/// A scan on the plane.
#[derive(Clone, Debug, PartialEq)]
pub struct Scan {
    /// Number of the carrier.
    pub owner: u64,
    /// When it was taken.
    pub taken_s: f64,
    /// Where the scanner was.
    pub origin: DVec3,
    /// Where each ray ended; nothing where nothing came back, or too near.
    pub hits: Vec<Option<DVec3>>,
    /// The smallest range; what was too near counts as the least that the scanner tells.
    pub nearest: Option<f64>,
    /// True if the rays go all round.
    pub is_full_turn: bool,
}

/// A scan as its table tells it.
#[derive(Clone, Debug)]
struct Raw {
    arrived_s: f64,
    taken_s: f64,
    owner: u64,
    ranges: Vec<f64>,
}

/// Reads the scans of a scanner as time goes on.
#[derive(Debug)]
pub(super) struct ScanReader {
    scanner: Scanner,
    table: Option<(StreamTable, Places)>,
    /// Where the carriers were.
    poses: Option<(Track, Columns)>,
    /// The scan that has been read and has not arrived yet, and the first ray of the one after it.
    waiting: Option<Raw>,
    begun: Option<Raw>,
    newest: BTreeMap<u64, Raw>,
    /// Scans on the plane, as long as they are the newest.
    in_place: BTreeMap<u64, Scan>,
}

/// Where the columns stand in a row.
#[derive(Clone, Debug)]
struct Places {
    owner: usize,
    taken: usize,
    ranges: std::ops::Range<usize>,
    ray: Option<usize>,
}

impl ScanReader {
    pub fn new(folder: &RunFolder, scanner: &Scanner) -> Result<Self, FolderError> {
        let mut table = None;
        let is_wanted =
            |name: &str| name == scanner.taken || name == scanner.ranges || scanner.ray.as_deref() == Some(name);
        if let Some(mut opened) = folder.stream(&scanner.stream, is_wanted)? {
            opened.read_ranges(&scanner.ranges)?;
            let at = |column: &String| opened.places(column).map(|places| places.start);
            let places = Places {
                owner: opened.stream().owner().unwrap_or(0),
                taken: at(&scanner.taken)?,
                ranges: opened.places(&scanner.ranges)?,
                ray: scanner.ray.as_ref().map(at).transpose()?,
            };
            table = Some((opened, places));
        }
        let mut poses = None;
        if let Some(party) = folder.view().parties.iter().find(|party| party.stream == scanner.on)
            && let Some(mut carriers) = folder.stream(&scanner.on, |_| true)?
        {
            let columns = Columns::new(&mut carriers, party, folder.view().is_right_handed)?;
            poses = Some((Track::new(carriers, folder.span()), columns));
        }
        let (newest, in_place) = (BTreeMap::new(), BTreeMap::new());
        Ok(Self { scanner: scanner.clone(), table, poses, waiting: None, begun: None, newest, in_place })
    }

    /// The newest scan of each carrier that has arrived at `time_s`, which must not be before the last one.
    pub fn up_to(&mut self, time_s: f64) -> Result<Vec<Scan>, FolderError> {
        while let Some(scan) = self.waiting.take().map(Some).map_or_else(|| self.read_next(), Ok)? {
            if scan.arrived_s > time_s + SAME_S {
                self.waiting = Some(scan);
                break;
            }
            self.newest.insert(scan.owner, scan);
        }
        let Some((track, columns)) = &mut self.poses else { return Ok(Vec::new()) };
        for (&owner, scan) in &self.newest {
            if self.in_place.get(&owner).is_some_and(|known| known.taken_s == scan.taken_s) {
                continue;
            }
            track.go_to(scan.taken_s, scan.taken_s)?;
            let carriers = track.around(scan.taken_s).map(|around| actors_of(columns, &around)).unwrap_or_default();
            let carrier = carriers.iter().find(|actor| actor.id == owner);
            match (self.scanner.mounts.iter().find(|mount| mount.owner == owner), carrier) {
                (Some(mount), Some(carrier)) => {
                    self.in_place.insert(owner, in_place(scan, mount, (carrier.place, carrier.angles[0])))
                }
                _ => self.in_place.remove(&owner),
            };
        }
        Ok(self.in_place.values().cloned().collect())
    }

    /// The next scan; rays that have a row each are put together.
    fn read_next(&mut self) -> Result<Option<Raw>, FolderError> {
        let Some((table, places)) = &mut self.table else { return Ok(None) };
        let mut scan = self.begun.take();
        while let Some((moment, row)) = table.next_row()? {
            let one = raw(moment, row, places);
            let is_next_ray = places.ray.is_some_and(|ray| row[ray] != 0.0);
            match &mut scan {
                Some(scan) if is_next_ray && (scan.owner, scan.taken_s) == (one.owner, one.taken_s) => {
                    scan.ranges.extend(one.ranges);
                }
                Some(_) => {
                    self.begun = Some(one);
                    break;
                }
                None if places.ray.is_none() => return Ok(Some(one)),
                None => scan = Some(one),
            }
        }
        Ok(scan)
    }
}

fn raw(moment: Moment, row: &[f64], places: &Places) -> Raw {
    Raw {
        arrived_s: moment.time_s,
        taken_s: row[places.taken],
        owner: row[places.owner] as u64,
        ranges: row[places.ranges.clone()].to_vec(),
    }
}

fn in_place(scan: &Raw, mount: &Mount, (place, yaw_rad): (DVec3, f64)) -> Scan {
    let origin = place + unit(yaw_rad).rotate(DVec2::from_array(mount.at)).extend(0.0);
    let hit = |(ray, range): (usize, &f64)| {
        let angle_rad = yaw_rad + mount.first_rad + ray as f64 * mount.step_rad;
        let hit = origin + (unit(angle_rad) * *range).extend(0.0);
        (range.is_finite() && hit.is_finite()).then_some(hit)
    };
    Scan {
        owner: scan.owner,
        taken_s: scan.taken_s,
        origin,
        hits: scan.ranges.iter().enumerate().map(hit).collect(),
        nearest: nearest(&scan.ranges, mount.least),
        is_full_turn: mount.is_full_turn,
    }
}

/// The smallest range of a scan; what was too near counts as the least that the scanner tells.
fn nearest(ranges: &[f64], least: f64) -> Option<f64> {
    ranges.iter().filter(|range| !range.is_nan()).map(|range| range.max(least)).reduce(f64::min)
}
