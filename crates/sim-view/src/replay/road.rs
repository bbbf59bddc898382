//! What a run on the road puts into its page: cars, and the scans of their lidars.

use super::block::Columns;
use super::columns::{CARS, FRAMES, RANGES, SCAN_TIMES};
use super::head::{ScansHead, TablesHead};
use super::run::{MOST_VALUES, Recorded};
use super::setting::{RoadSetting, Setting};
use super::tables::{Frame, Recorder};
use crate::error::ViewError;
use crate::folder::{CarRow, NewestScans, RoadScenario, RunFolder, Scan};
use crate::picture::plane_of;
use std::collections::BTreeMap;

/// Ranges that a page may hold. Three minutes of ten scans a second with 360 rays are 650,000.
const MOST_RANGES: u64 = MOST_VALUES / 2;

/// Reads the tables into columns.
pub fn record(folder: &RunFolder, scenario: &RoadScenario, columns: &mut Columns) -> Result<Recorded, ViewError> {
    let Some(plan) = folder.view().projections.first() else {
        return Err(ViewError::Wrong("view.json: it has no projection".to_owned()));
    };
    let area = plane_of(folder, plan)?.area;
    let area_m = [area.min.to_array(), area.max.to_array()];
    let setting = RoadSetting { area_m, map: scenario.map.clone(), cars: scenario.cars.clone() };
    let span = folder.span();
    let moments = (span.last.step - span.first.step) / span.every.max(1) + 1;
    let values = moments.saturating_mul((CARS.len() * scenario.cars.len()) as u64);
    let every = values.div_ceil(MOST_VALUES - MOST_RANGES).max(1);
    let mut tables = record_cars(folder, scenario, every, columns)?;
    let scans = KeptScans::read(folder)?;
    let note = note([every, scans.every], span.every);
    tables.scans = scans.close(columns)?;
    Ok(Recorded { setting: Setting::Road(setting), tables, note })
}

/// What is left out, if one of so many recorded moments and of so many scans is kept.
fn note([moments, scans]: [u64; 2], row_steps: u64) -> Option<String> {
    let moments = (moments > 1).then(|| {
        let steps = moments * row_steps;
        format!("one of {moments} recorded moments (every {steps} steps)")
    });
    let scans = (scans > 1).then(|| format!("one of {scans} scans of each car"));
    let left: Vec<String> = moments.into_iter().chain(scans).collect();
    (!left.is_empty()).then(|| format!("to stay small, the page holds {}", left.join(" and ")))
}

fn record_cars(
    folder: &RunFolder,
    scenario: &RoadScenario,
    every: u64,
    columns: &mut Columns,
) -> Result<TablesHead, ViewError> {
    let (mut frames, mut cars) = (Recorder::new("the steps", FRAMES), Recorder::new("cars.csv", CARS));
    let mut scans = folder.newest_scans()?;
    let (mut rows, mut moments, mut kept) = (Vec::new(), 0_u64, 0);
    let mut table = folder.steps::<CarRow>()?;
    while let Some(table) = &mut table {
        let Some(moment) = table.next_step(&mut rows)?.filter(|at| at.step <= folder.span().last.step) else { break };
        if moments.is_multiple_of(every) {
            let frame = Frame { row: kept, step: moment.step };
            frames.row(frame, 0, &[Some(moment.step as f64), Some(moment.time_s)])?;
            for row in &rows {
                let nearest_m = nearest_of(row, scenario, &mut scans)?;
                let status = cars.word(if row.has_collided { "collision" } else { "in_progress" });
                cars.row(frame, row.car, &car_cells(row, nearest_m, status))?;
            }
            kept += 1;
        }
        moments += 1;
    }
    Ok(TablesHead { frames: frames.close(kept, columns), cars: cars.close(kept, columns), ..TablesHead::default() })
}

/// The nearest that the car's newest scan saw.
fn nearest_of(row: &CarRow, scenario: &RoadScenario, scans: &mut NewestScans) -> Result<Option<f64>, ViewError> {
    let spec = scenario.cars.get(row.car as usize).and_then(|spec| spec.sensors.lidar);
    let scan = scans.up_to(row.moment.time_s)?.get(&row.car);
    let nearest_m = |scan: &Scan, least_m: f64| scan.ranges_m.iter().flatten().map(|m| m.max(least_m)).reduce(f64::min);
    Ok(scan.zip(spec).and_then(|(scan, spec)| nearest_m(scan, spec.range_min_m)))
}

/// In the order of [`CARS`].
fn car_cells(row: &CarRow, nearest_m: Option<f64>, status: Option<f64>) -> [Option<f64>; 12] {
    let [steer_rad, left_rad, right_rad] = row.steer_rad;
    [
        Some(row.position_m.x),
        Some(row.position_m.y),
        Some(row.yaw_rad),
        Some(row.speed_m_s),
        Some(row.yaw_rate_rad_s),
        Some(steer_rad),
        Some(left_rad),
        Some(right_rad),
        Some(row.motor_rps),
        Some(row.target_rps),
        nearest_m,
        status,
    ]
}

/// The scans of each car, every so many of them, so that all fit.
#[derive(Debug)]
struct KeptScans {
    every: u64,
    seen: BTreeMap<u64, u64>,
    kept: BTreeMap<u64, Vec<Scan>>,
    values: u64,
    most: u64,
}

impl KeptScans {
    fn new(most: u64) -> Self {
        Self { every: 1, seen: BTreeMap::new(), kept: BTreeMap::new(), values: 0, most }
    }

    fn read(folder: &RunFolder) -> Result<Self, ViewError> {
        let mut kept = Self::new(MOST_RANGES);
        for scan in folder.scans()?.into_iter().flatten() {
            kept.take(scan?);
        }
        Ok(kept)
    }

    /// Keeps the scan if it is one of those; each time that they grow too many, every second one goes.
    fn take(&mut self, scan: Scan) {
        let seen = self.seen.entry(scan.car).or_default();
        *seen += 1;
        if !(*seen - 1).is_multiple_of(self.every) {
            return;
        }
        self.values += scan.ranges_m.len() as u64;
        self.kept.entry(scan.car).or_default().push(scan);
        while self.values > self.most && self.kept.values().any(|scans| scans.len() > 1) {
            self.every *= 2;
            for scans in self.kept.values_mut() {
                let mut at = 0;
                scans.retain(|_| {
                    at += 1;
                    at % 2 == 1
                });
            }
            self.values = self.kept.values().flatten().map(|scan| scan.ranges_m.len() as u64).sum();
        }
    }

    fn close(self, columns: &mut Columns) -> Result<Vec<ScansHead>, ViewError> {
        let mut heads = Vec::new();
        for (car, scans) in self.kept {
            let (mut times, mut ranges) = (Recorder::new("lidar.csv", SCAN_TIMES), Recorder::new("lidar.csv", RANGES));
            for (row, scan) in scans.iter().enumerate() {
                let frame = Frame { row, step: scan.moment.step };
                times.row(frame, 0, &[Some(scan.moment.time_s), Some(scan.taken_s)])?;
                for (ray, range_m) in scan.ranges_m.iter().enumerate() {
                    ranges.row(frame, ray as u64, &[range_m.filter(|range_m| range_m.is_finite())])?;
                }
            }
            let tables = times.close(scans.len(), columns).zip(ranges.close(scans.len(), columns));
            heads.extend(tables.map(|(times, ranges)| ScansHead { car, times, ranges }));
        }
        Ok(heads)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::Moment;

    #[test]
    fn scans_are_thinned_evenly_until_they_fit() {
        let mut kept = KeptScans::new(100);
        for n in 0..50_u64 {
            for car in [0, 3] {
                let moment = Moment { step: n, time_s: n as f64 };
                kept.take(Scan { moment, car, taken_s: n as f64, ranges_m: vec![Some(1.0); 10] });
            }
        }
        // 100 scans of 10 rays: 16 of each car would be 320, 7 of each are 140, 4 of each are 80.
        assert_eq!(kept.every, 16);
        for car in [0, 3] {
            let steps: Vec<u64> = kept.kept[&car].iter().map(|scan| scan.moment.step).collect();
            assert_eq!(steps, [0, 16, 32, 48]);
        }
        assert_eq!((kept.values, note([1, 1], 10)), (80, None));
        let words =
            "to stay small, the page holds one of 2 recorded moments (every 20 steps) and one of 16 scans of each car";
        assert_eq!(note([2, 16], 10).as_deref(), Some(words));
    }
}
