//! `events.csv`, of any world.

use super::file::TableFile;
use crate::world::events::WorldEvent;

/// Its header line.
pub(super) const HEADER: &str = "step,time_s,kind,subject,object,value,unit";

/// Appends a row.
pub(super) fn append(table: &mut TableFile, step_hz: u32, event: &WorldEvent) {
    let time_s = event.time_s.unwrap_or_else(|| event.tick.seconds(step_hz));
    let row = table.row().integer(event.tick.0).number(time_s);
    row.text(event.kind).show(&event.subject).show(&event.object).number(event.value).text(event.unit).end();
}
