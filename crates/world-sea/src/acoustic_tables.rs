//! The streams `acoustic` and `ranging`.

use crate::acoustics::{Ranging, Reception};
use crate::model::SeaModel;
use crate::streams::moment;
use crate::world::SeaWorld;
use sim_world::{Cadence, Column, RowSink, Stream, Value};

/// The stream of what became of packets.
pub(crate) fn acoustic_stream() -> Stream {
    let columns = Column::moment().into_iter().chain([
        Column::integer("from", "number of the vehicle that sent"),
        Column::integer("to", "number of the vehicle that it is for"),
        Column::number("sent_s", "time at which it was sent"),
        Column::number("arrived_s", "time at which its front arrived; missing if it did not"),
        Column::text("path", "`direct`, `surface`, `bottom` or `both`, by what it was reflected"),
        Column::integer("surface_bounces", "reflections at the surface"),
        Column::integer("bottom_bounces", "reflections at the bottom"),
        Column::number("level_db", "level at the receiver, re 1 uPa; missing without levels"),
        Column::number("snr_db", "signal over noise"),
        Column::number("doppler", "frequency over that which was sent"),
        Column::text(
            "outcome",
            "`delivered`, `echo`, `noise`, `collision`, `half_duplex`, `blocked`, `out_of_range`, `in_air` or `dropped`",
        ),
        Column::integer("bytes", "length"),
    ]);
    let about =
        "a packet on one way to one receiver when it has arrived, or one that does not get there when it is sent";
    Stream::new("acoustic", about, Cadence::OnEvent { at_most: None }, columns)
}

/// The stream of ranges by replies; none if no message asks for any.
pub(crate) fn ranging_stream(model: &SeaModel) -> Option<Stream> {
    model.asks_for_ranges().then(|| {
        let columns = Column::moment().into_iter().chain([
            Column::integer("vehicle", "number of the vehicle that asked"),
            Column::integer("target", "number of the vehicle that replied"),
            Column::number("asked_s", "time at which the request was sent"),
            Column::number("arrived_s", "time at which the reply arrived"),
            Column::number("two_way_s", "time of both ways of sound together"),
            Column::number("range_m", "half of it times the speed that the modem assumes, with its errors"),
            Column::number(
                "azimuth_rad",
                "direction of the reply from forward towards left; missing without a short baseline",
            ),
            Column::number("elevation_rad", "direction upwards"),
        ]);
        Stream::new("ranging", "a range by a request and its reply", Cadence::OnEvent { at_most: None }, columns)
    })
}

pub(crate) fn acoustic_rows(world: &SeaWorld, out: &mut RowSink<'_>) {
    let [step, time_s] = moment(world);
    for reception in world.acoustic_log().receptions() {
        let Reception { from, to, sent_s, arrived_s, path, bounces, level_db, snr_db, doppler, outcome, bytes } =
            *reception;
        let is_there = !path.is_empty();
        let count = |bounces: u32| if is_there { u64::from(bounces).into() } else { Value::Missing };
        let path = if is_there { path.into() } else { Value::Missing };
        let [surface, bottom] = bounces.map(count);
        let [sent, arrived, level, snr, doppler] = [sent_s, arrived_s, level_db, snr_db, doppler].map(Value::from);
        let [from, to, bytes] = [from, to, bytes].map(|number| u64::from(number).into());
        out(&[
            step,
            time_s,
            from,
            to,
            sent,
            arrived,
            path,
            surface,
            bottom,
            level,
            snr,
            doppler,
            outcome.into(),
            bytes,
        ]);
    }
}

pub(crate) fn ranging_rows(world: &SeaWorld, out: &mut RowSink<'_>) {
    let [step, time_s] = moment(world);
    for ranging in world.acoustic_log().rangings() {
        let Ranging { vehicle, target, span_s, two_way_s, range_m, angles_rad } = *ranging;
        let [vehicle, target] = [vehicle, target].map(|number| u64::from(number).into());
        let [asked, arrived, two_way, range, azimuth, elevation] =
            [span_s[0], span_s[1], two_way_s, range_m, angles_rad[0], angles_rad[1]].map(Value::from);
        out(&[step, time_s, vehicle, target, asked, arrived, two_way, range, azimuth, elevation]);
    }
}
