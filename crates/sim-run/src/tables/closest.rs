//! `closest.csv`: the closest calls of the runs of a batch.

use super::file::TableFile;
use crate::closest::{Clip, Owner};
use sim_core::Tick;

/// Its header line.
pub const HEADER: &str = "run,call,step,time_s,kind,owner,x_mm,y_mm,heading_rad,vx_mm_s,vy_mm_s,distance_mm";

/// Lengths and angles are rounded to this: clips are to be looked at, and a batch has many of them.
const DECIMALS: f64 = 1e4;

/// Appends the clips of a run; its calls are numbered from 0, the closest.
pub fn append(table: &mut TableFile, run_index: u64, step_hz: u32, clips: &[Clip]) {
    for (call, clip) in clips.iter().enumerate() {
        for row in &clip.rows {
            let (kind, owner) = match row.owner {
                Owner::Robot(number) => ("robot", number),
                Owner::Foot(number) => ("foot", number),
            };
            let (place, velocity) = (row.body.position_mm, row.body.velocity_mm_s);
            let line = table.row().integer(run_index).integer(call as u64).integer(row.step);
            let line = line.number(Tick(row.step).seconds(step_hz)).text(kind).integer(u64::from(owner));
            let line = line.number(rounded(place.x)).number(rounded(place.y));
            let line = line.maybe(row.body.heading_rad.map(rounded));
            let line = line.number(rounded(velocity.x)).number(rounded(velocity.y));
            line.maybe(row.distance_mm.map(rounded)).end();
        }
    }
}

fn rounded(value: f64) -> f64 {
    (value * DECIMALS).round() / DECIMALS
}
