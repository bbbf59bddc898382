//! Sound in the water at each probe: the stream `sound`, written once at the start. Still water is the same everywhere at a depth, so that
//! nothing of it changes in a run.

use crate::model::SeaModel;
use crate::world::SeaWorld;
use sim_world::{Cadence, Column, RowSink, Stream, World};

/// The stream; none without probes or without frequencies.
pub(crate) fn stream(model: &SeaModel) -> Option<Stream> {
    let rows = (model.probes.len() * model.sound_hz.len()) as u64;
    let columns = Column::moment().into_iter().chain([
        Column::text("probe", "name of the probe"),
        Column::number("depth_m", "depth below still water"),
        Column::number("sound_speed_m_s", "speed of sound, after Mackenzie"),
        Column::number("frequency_hz", "a frequency"),
        Column::number("absorption_db_km", "absorption of sound of this frequency, after Francois and Garrison"),
    ]);
    let about = "sound at a probe under still water and at a frequency, at the start";
    (rows > 0).then(|| Stream::new("sound", about, Cadence::OnEvent { at_most: Some(rows) }, columns))
}

/// Hands its rows on, at the start. There are none of a probe above still water.
pub(crate) fn rows(world: &SeaWorld, out: &mut RowSink<'_>) {
    let (model, tick) = (world.model(), world.tick().0);
    if tick > 0 {
        return;
    }
    for probe in &model.probes {
        let depth_m = model.level_m - probe.position_m.z;
        if depth_m < 0.0 {
            continue;
        }
        for &frequency_hz in &model.sound_hz {
            let absorption_db_km = model.made_of.absorption_db_km(1e-3 * frequency_hz, depth_m);
            let speed_m_s = model.made_of.sound_speed_m_s(depth_m);
            let name = probe.name.as_str().into();
            let numbers = [depth_m, speed_m_s, frequency_hz, absorption_db_km].map(Into::into);
            let [depth, speed, frequency, absorption] = numbers;
            out(&[tick.into(), world.time_s().into(), name, depth, speed, frequency, absorption]);
        }
    }
}
