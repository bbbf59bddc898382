//! `lidar.csv`, scan by scan: a row a scan with a column a ray, or a row a ray.

use super::cells::{CellFault, Cells};
use super::error::FolderError;
use super::step_table::Moment;
use super::table::{Records, TableFile};
use std::collections::BTreeMap;
use std::path::Path;

pub(super) const LIDAR_CSV: &str = "lidar.csv";
const HEAD: [&str; 4] = ["step", "time_s", "car", "taken_s"];
const RAY: usize = HEAD.len();
/// Arrivals that are later by less are not late.
const SAME_S: f64 = 1e-9;

/// A scan, at the step in which it arrived.
#[derive(Clone, Debug, PartialEq)]
pub struct Scan {
    /// When it arrived.
    pub moment: Moment,
    /// Number of the car.
    pub car: u64,
    /// When it was taken.
    pub taken_s: f64,
    /// Ranges, by ray: nothing where nothing came back, minus infinity where something was too near.
    pub ranges_m: Vec<Option<f64>>,
}

/// The scans of a run: an iterator that ends after its first error.
#[derive(Debug)]
pub struct ScanTable {
    records: Records,
    /// Columns of rays; nothing if each ray has a row.
    wide_rays: Option<usize>,
    /// A row of the next scan.
    pending: Option<Scan>,
    before: u64,
    has_failed: bool,
}

impl ScanTable {
    pub(super) fn open(path: &Path) -> Result<Self, FolderError> {
        let table = TableFile::open(path)?;
        let mut places = table.places(&HEAD)?;
        let is_long = table.header.iter().any(|name| name == "ray");
        if is_long {
            places.extend(table.places(&["ray", "range_m"])?);
        } else {
            // There may be many of them: each is looked up, not searched.
            let by_name: BTreeMap<&str, usize> = table.header.iter().map(String::as_str).zip(0..).collect();
            let place = |ray: usize| by_name.get(format!("ray_{ray}_m").as_str()).copied();
            table.places(&["ray_0_m"])?;
            places.extend((0..).map_while(place));
        }
        let wide_rays = (!is_long).then_some(places.len() - HEAD.len());
        Ok(Self { records: Records::new(table, places)?, wide_rays, pending: None, before: 0, has_failed: false })
    }

    fn next_scan(&mut self) -> Result<Option<Scan>, FolderError> {
        if let Some(rays) = self.wide_rays {
            let scan = self.records.next(|cells| read_wide(cells, rays))?;
            return self.in_order(scan);
        }
        let mut scan = match self.pending.take() {
            Some(scan) => scan,
            None => match self.records.next(|cells| read_ray(cells, None))? {
                Some(scan) => scan,
                None => return Ok(None),
            },
        };
        while let Some(mut row) = self.records.next(|cells| read_ray(cells, Some(&scan)))? {
            if !row.belongs_to(&scan) {
                self.pending = Some(row);
                break;
            }
            scan.ranges_m.append(&mut row.ranges_m);
        }
        self.in_order(Some(scan))
    }

    fn in_order(&mut self, scan: Option<Scan>) -> Result<Option<Scan>, FolderError> {
        let Some(scan) = scan else { return Ok(None) };
        let (step, before) = (scan.moment.step, self.before);
        if step < before {
            let (path, line) = (self.records.table.path.clone(), self.records.line());
            return Err(FolderError::Order { path, line, step, before });
        }
        self.before = step;
        Ok(Some(scan))
    }
}

impl Iterator for ScanTable {
    type Item = Result<Scan, FolderError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.has_failed {
            return None;
        }
        let scan = self.next_scan().transpose();
        self.has_failed = matches!(scan, Some(Err(_)));
        scan
    }
}

impl Scan {
    fn belongs_to(&self, other: &Self) -> bool {
        (self.moment.step, self.car) == (other.moment.step, other.car) && self.taken_s == other.taken_s
    }
}

fn read_head(cells: &Cells<'_>) -> Result<Scan, CellFault> {
    let moment = Moment { step: cells.integer(0)?, time_s: cells.number(1)? };
    Ok(Scan { moment, car: cells.integer(2)?, taken_s: cells.number(3)?, ranges_m: Vec::new() })
}

fn read_wide(cells: &Cells<'_>, rays: usize) -> Result<Scan, CellFault> {
    let ranges_m = (RAY..RAY + rays).map(|column| range(cells, column)).collect::<Result<_, _>>()?;
    Ok(Scan { ranges_m, ..read_head(cells)? })
}

/// One ray, which must be the next one of the scan that it belongs to.
fn read_ray(cells: &Cells<'_>, scan: Option<&Scan>) -> Result<Scan, CellFault> {
    let row = Scan { ranges_m: vec![range(cells, RAY + 1)?], ..read_head(cells)? };
    let next = scan.filter(|scan| row.belongs_to(scan)).map_or(0, |scan| scan.ranges_m.len());
    match cells.integer(RAY)? {
        ray if ray == next as u64 => Ok(row),
        ray => Err(CellFault { column: RAY, problem: format!("ray {ray} stands where ray {next} must") }),
    }
}

fn range(cells: &Cells<'_>, column: usize) -> Result<Option<f64>, CellFault> {
    match cells.text(column)? {
        "-inf" => Ok(Some(f64::NEG_INFINITY)),
        _ => cells.maybe(column),
    }
}

/// The last scan of each car that has arrived, as time goes on.
#[derive(Debug)]
pub struct NewestScans {
    table: Option<ScanTable>,
    next: Option<Scan>,
    newest: BTreeMap<u64, Scan>,
}

impl NewestScans {
    pub(super) fn new(table: Option<ScanTable>) -> Self {
        Self { table, next: None, newest: BTreeMap::new() }
    }

    /// The last scan of each car up to `time_s`, which must not be before the last one.
    ///
    /// # Errors
    /// If a row is wrong.
    pub fn up_to(&mut self, time_s: f64) -> Result<&BTreeMap<u64, Scan>, FolderError> {
        let Some(table) = &mut self.table else { return Ok(&self.newest) };
        while let Some(scan) = self.next.take().map(Ok).or_else(|| table.next()).transpose()? {
            if scan.moment.time_s > time_s + SAME_S {
                self.next = Some(scan);
                break;
            }
            self.newest.insert(scan.car, scan);
        }
        Ok(&self.newest)
    }
}
