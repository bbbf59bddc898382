//! Modems of vehicles, from the scenario to the tables. Expected values: T-50 to T-58 of the sea facts, and closed forms.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{KEY, WORLDS, model, step_with, steps, text, world};
use sim_core::{DVec3, RunKey, ops};
use sim_run::scenario::parse;
use sim_world::{Model, Value, World};
use std::fmt::Write as _;
use test_alloc::allocations_of;
use world_sea::{Reception, SeaWorld};

/// A station with a modem.
fn station(name: &str, [x_m, y_m, z_m]: [f64; 3], modem: &str) -> String {
    format!(
        r#"{{"name": "{name}", "model": "station", "start": {{"x_m": {x_m}, "y_m": {y_m}, "z_m": {z_m}}},
            "sensors": {{"modem": {{{modem}}}}}}}"#
    )
}

fn stations(places: &[(&str, [f64; 3])]) -> String {
    let all: Vec<String> = places.iter().map(|(name, place)| station(name, *place, "")).collect();
    format!("\"vehicles\": [{}]", all.join(", "))
}

/// All receptions of so many seconds.
fn receptions(world: &mut SeaWorld, seconds: f64) -> Vec<Reception> {
    let mut all = Vec::new();
    for _ in 0..(seconds * f64::from(world.model().step_hz)).round() as u64 {
        world.step().unwrap();
        all.extend_from_slice(world.acoustic_log().receptions());
    }
    all
}

fn outcomes(receptions: &[Reception]) -> Vec<(u32, u32, &'static str)> {
    receptions.iter().map(|reception| (reception.from, reception.to, reception.outcome)).collect()
}

#[track_caller]
fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} {expected}");
}

const ONCE: &str = r#""messages": [{"at_s": 0.123456, "from": "a"}]"#;

/// T-50 and T-51 by way of a scenario, at any rate of steps to the bit. The seed's defaults, but for a range of 500 m.
#[test]
fn delays_are_those_of_the_ways_whatever_the_step() {
    let far = r#""transceiver": {"range_m": 500, "bottom_tolerance_m": 0}"#;
    for (places, times_s) in [
        ([[0.0, 0.0, -10.0], [100.0, 0.0, -10.0]], [66.666_667e-3, 67.986_927e-3]),
        ([[0.0, 0.0, -5.0], [60.0, 30.0, -20.0]], [45.825_757e-3, 47.726_070e-3]),
    ] {
        let heard = |step_hz: u32| {
            let members = format!(
                r#""step_hz": {step_hz}, "terrain": {{"flat_z_m": -400}}, "acoustics": {{{far}, {ONCE}}}, {}"#,
                stations(&[("a", places[0]), ("b", places[1])])
            );
            receptions(&mut world(&members), 1.0)
        };
        let expected = heard(50);
        assert_eq!(
            expected.iter().map(|own| (own.path, own.outcome)).collect::<Vec<_>>(),
            [("direct", "delivered"), ("surface", "echo")]
        );
        for (reception, time_s) in expected.iter().zip(times_s) {
            assert_eq!((reception.sent_s, reception.bytes), (0.123_456, 32));
            near(reception.arrived_s - reception.sent_s, time_s, 5e-10);
        }
        for step_hz in [1, 7, 333, 1000] {
            let bits = |all: &[Reception]| all.iter().map(|own| own.arrived_s.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&heard(step_hz)), bits(&expected), "{step_hz}");
        }
    }
}

/// T-56: at 0, d and 2d the delays are in the ratio 2.
#[test]
fn delays_grow_with_distance_t56() {
    let members = format!(
        r#""acoustics": {{"transceiver": {{"range_m": 1000, "echoes": false}}, {ONCE}}}, {}"#,
        stations(&[("a", [5.0, 0.0, -9.0]), ("b", [205.0, 0.0, -9.0]), ("c", [405.0, 3.0, -9.0])])
    );
    let all = receptions(&mut world(&members), 1.0);
    let delays = [0, 1].map(|n: usize| all[n].arrived_s - all[n].sent_s);
    near(delays[1] / delays[0], (400.0_f64 * 400.0 + 9.0).sqrt() / 200.0, 1e-9);
}

/// A hull in the straight way takes it; the way over the surface stays. A hill between both takes all but nothing of the water over it.
#[test]
fn hulls_and_hills_are_in_the_way() {
    let ends = || vec![station("a", [0.0, 0.0, -10.0], ""), station("b", [40.0, 0.0, -10.0], "")];
    let kinds = |others: &str, terrain: &str| {
        let members = format!(r#"{terrain} "acoustics": {{{ONCE}}}, "vehicles": [{}{others}]"#, ends().join(", "));
        receptions(&mut world(&members), 1.0)
            .iter()
            .map(|own| format!("{}{}", own.path, own.outcome))
            .collect::<Vec<_>>()
    };
    assert_eq!(kinds("", ""), ["directdelivered", "surfaceecho"]);
    let hull = r#", {"name": "c", "model": "station", "start": {"x_m": 20, "z_m": -10.4}}"#;
    assert_eq!(kinds(hull, ""), ["surfacedelivered"]);
    let beside = r#", {"name": "c", "model": "station", "start": {"x_m": 20, "z_m": -10.5}}"#;
    assert_eq!(kinds(beside, ""), ["directdelivered", "surfaceecho"]);
    let hill = |top_m: f64| {
        let heights: Vec<String> = (0..49).map(|post| if post % 7 == 3 { top_m } else { -60.0 }.to_string()).collect();
        format!(
            r#""terrain": {{"heights": {{"from_m": [-40, -60], "cell_m": 20, "columns": 7, "z_m": [{}]}}}},"#,
            heights.join(", ")
        )
    };
    assert_eq!(kinds("", &hill(-10.1)), ["surfacedelivered"]);
    assert_eq!(kinds("", &hill(3.0)), ["blocked"]);
}

/// A box of `sonar.objects` takes the straight way, by both kinds of water; on a vehicle an object does not count.
#[test]
fn objects_are_in_the_way() {
    let ends = stations(&[("a", [0.0, 0.0, -10.0]), ("b", [40.0, 0.0, -10.0])]);
    let paths = |medium: &str, object: &str| {
        let members = format!(
            r#""terrain": {{"flat_z_m": -60}}, "sonar": {{"objects": [{object}]}}, "acoustics": {{{medium} {ONCE}}}, {ends}"#
        );
        let all = receptions(&mut world(&members), 1.0);
        all.iter().map(|own| own.path).collect::<Vec<_>>()
    };
    let wall = |z_m: f64| format!(r#"{{"position_m": [20, 0, {z_m}], "box_m": [1, 8, 6]}}"#);
    let transceiver = r#""transceiver": {"range_m": 500, "bottom_tolerance_m": 0},"#;
    assert_eq!(paths(transceiver, ""), ["direct", "surface"]);
    // From 13 to 7 m deep, right below the bounce; then from 6 m deep to above the water; then behind both.
    assert_eq!(paths(transceiver, &wall(-10.0)), ["surface"]);
    assert_eq!(paths(transceiver, &wall(-3.0)), ["direct"]);
    assert_eq!(paths(transceiver, &wall(-10.0).replace("[20,", "[60,")), ["direct", "surface"]);
    assert_eq!(paths(transceiver, &wall(-10.0).replace("{\"pos", "{\"vehicle\": \"b\", \"pos")), ["direct", "surface"]);
    let channel = r#""channel": {"bounces": 0},"#;
    assert_eq!(paths(channel, ""), ["direct"]);
    assert_eq!(paths(channel, &wall(-10.0)), [""]);
    assert_eq!(paths(channel, &wall(-3.0)), ["direct"]);
}

#[test]
fn modems_in_air_and_far_away_hear_nothing() {
    let members = |more: &str| {
        format!(
            r#""acoustics": {{"transceiver": {{"range_m": 100{more}}}, "messages": [{{"from": "a"}}, {{"from": "up", "at_s": 0.5}}]}}, {}"#,
            stations(&[("a", [0.0, 0.0, -5.0]), ("up", [20.0, 0.0, 0.5]), ("far", [110.0, 0.0, -5.0])])
        )
    };
    let mut run = world(&members(""));
    let all = receptions(&mut run, 1.0);
    assert_eq!(outcomes(&all), [(0, 1, "in_air"), (0, 2, "out_of_range"), (1, 0, "in_air"), (1, 2, "in_air")]);
    assert!(all.iter().all(|own| own.arrived_s.is_nan() && own.path.is_empty()));
    let in_air = receptions(&mut world(&members(r#", "works_in_air": true"#)), 1.0);
    assert_eq!(
        outcomes(&in_air),
        [(0, 2, "out_of_range"), (0, 1, "delivered"), (1, 0, "delivered"), (1, 2, "delivered")]
    );
}

/// T-55: from when three stations heard it, and when it was sent.
#[test]
fn a_sender_is_where_three_times_of_arrival_say() {
    let receivers = [[0.0, 0.0, -5.0], [300.0, 0.0, -12.0], [40.0, 250.0, -8.0]];
    let sender = DVec3::new(120.0, 90.0, -60.0);
    let mut places: Vec<(&str, [f64; 3])> = ["r", "s", "t"].into_iter().zip(receivers).collect();
    places.push(("a", sender.to_array()));
    let transceiver = r#""transceiver": {"range_m": 1000, "echoes": false}"#;
    let all = receptions(&mut world(&format!(r#""acoustics": {{{transceiver}, {ONCE}}}, {}"#, stations(&places))), 1.0);
    let range_m = |to: u32| {
        let own = all.iter().find(|own| own.to == to).unwrap();
        1500.0 * (own.arrived_s - own.sent_s)
    };
    // Newton's method on three spheres, from below their middle.
    let mut found = DVec3::new(100.0, 80.0, -100.0);
    for _ in 0..50 {
        let rows = receivers.map(|receiver| (found - DVec3::from(receiver)).normalize());
        let off_m = [0, 1, 2].map(|n| found.distance(receivers[n].into()) - range_m(n as u32));
        let [a, b, c] = rows;
        found -= (b.cross(c) * off_m[0] + c.cross(a) * off_m[1] + a.cross(b) * off_m[2]) / a.dot(b.cross(c));
    }
    assert!(found.distance(sender) < 1e-6, "{found}");
}

/// T-57 by way of a scenario: 100 m of water, 500 m across. Levels by 20 log r and the absorption; noise over 5 kHz.
#[test]
fn a_channel_has_all_its_ways_with_levels() {
    let members = format!(
        r#""terrain": {{"flat_z_m": -100}},
        "acoustics": {{"channel": {{"sound_speed": {{"uniform_m_s": 1500}}, "absorption_db_km": 5}}, {ONCE}}}, {}"#,
        stations(&[("a", [0.0, 0.0, -20.0]), ("b", [300.0, 400.0, -50.0])])
    );
    let all = receptions(&mut world(&members), 2.0);
    let expected_ms = [333.932_794, 336.584_148, 344.415_769, 352.073_225, 366.909_011, 378.828_604, 399.388_421];
    assert_eq!(all.len(), 7);
    for (own, time_ms) in all.iter().zip(expected_ms) {
        near(1e3 * (own.arrived_s - own.sent_s), time_ms, 5e-7);
        near(own.snr_db, own.level_db - 50.0 - 10.0 * std::f64::consts::LOG10_E * ops::ln(5000.0), 1e-9);
        assert_eq!(own.doppler, 1.0);
    }
    let length_m = 1500.0 * 0.333_932_794;
    near(all[0].level_db, 170.0 - 20.0 * std::f64::consts::LOG10_E * ops::ln(length_m) - 5e-3 * length_m, 1e-6);
    let paths: Vec<_> = all.iter().map(|own| (own.path, own.bounces)).collect();
    assert_eq!(paths[..4], [("direct", [0, 0]), ("surface", [1, 0]), ("bottom", [0, 1]), ("both", [1, 1])]);
    assert_eq!(
        all.iter().map(|own| own.outcome).collect::<Vec<_>>(),
        ["delivered", "echo", "echo", "echo", "echo", "echo", "echo"]
    );
}

/// T-58: 5 km in water that gets faster with depth.
#[test]
fn a_channel_of_a_linear_profile_takes_its_time() {
    let members = format!(
        r#""acoustics": {{"channel": {{"sound_speed": {{"linear": {{"surface_m_s": 1480, "gradient_per_s": 0.016}}}},
            "bounces": 0, "source_level_db": 220}}, {ONCE}}}, {}"#,
        stations(&[("a", [0.0, 0.0, -20.0]), ("b", [5000.0, 0.0, -300.0])])
    );
    let all = receptions(&mut world(&members), 5.0);
    near(all[0].arrived_s - all[0].sent_s, 3.377_421_693, 1e-9);
}

/// Levels without surface or bottom: that of 50 m is 6 dB above that of 100 m. Packets of 32 bytes take 0.256 s.
fn channel(more: &str, messages: &str, places: &[(&str, [f64; 3])]) -> String {
    format!(
        r#""acoustics": {{"channel": {{"bounces": 0, "absorption_db_km": 0, "sound_speed": {{"uniform_m_s": 1500}}{more}}},
            "messages": [{messages}]}}, {}"#,
        stations(places)
    )
}

#[test]
fn packets_at_one_time_collide_unless_one_is_louder() {
    let heard = |x_m: f64, second_s: f64| {
        let messages =
            format!(r#"{{"from": "a", "to": "c", "at_s": 1}}, {{"from": "b", "to": "c", "at_s": {second_s}}}"#);
        let places = [("a", [-50.0, 0.0, -50.0]), ("b", [x_m, 0.0, -50.0]), ("c", [0.0, 0.0, -50.0])];
        outcomes(&receptions(&mut world(&channel("", &messages, &places)), 3.0))
    };
    assert_eq!(heard(50.0, 1.0), [(0, 2, "collision"), (1, 2, "collision")]);
    // 6.02 dB louder, and 5.8.
    assert_eq!(heard(100.0, 1.0), [(0, 2, "delivered"), (1, 2, "collision")]);
    assert_eq!(heard(97.5, 1.0), [(0, 2, "collision"), (1, 2, "collision")]);
    // One after the other, and the last millisecond of one with the first of the other.
    assert_eq!(heard(50.0, 1.256_001), [(0, 2, "delivered"), (1, 2, "delivered")]);
    assert_eq!(heard(50.0, 1.255), [(0, 2, "collision"), (1, 2, "collision")]);
}

/// A packet for another one is heard by all all the same: it takes what comes at one time.
#[test]
fn packets_for_others_disturb_too() {
    let messages = r#"{"from": "a", "to": "d", "at_s": 1}, {"from": "b", "to": "c", "at_s": 1}"#;
    let places =
        [("a", [-50.0, 0.0, -50.0]), ("b", [50.0, 0.0, -50.0]), ("c", [0.0, 0.0, -50.0]), ("d", [-60.0, 0.0, -50.0])];
    let all = outcomes(&receptions(&mut world(&channel("", messages, &places)), 3.0));
    assert_eq!(all, [(0, 3, "delivered"), (1, 2, "collision")]);
}

#[test]
fn a_modem_that_sends_is_deaf() {
    let heard = |second_s: f64| {
        let messages =
            format!(r#"{{"from": "a", "to": "b", "at_s": 1}}, {{"from": "b", "to": "a", "at_s": {second_s}}}"#);
        let places = [("a", [0.0, 0.0, -50.0]), ("b", [150.0, 0.0, -50.0])];
        outcomes(&receptions(&mut world(&channel("", &messages, &places)), 3.0))
    };
    assert_eq!(heard(1.0), [(0, 1, "half_duplex"), (1, 0, "half_duplex")]);
    // b begins as the end of a's packet, 0.1 s and 0.256 s later, has arrived, and a hair before that.
    assert_eq!(heard(1.356_001), [(0, 1, "delivered"), (1, 0, "delivered")]);
    assert_eq!(heard(1.355_99), [(0, 1, "half_duplex"), (1, 0, "delivered")]);
    // b has sent 0.1 s before the front of a's packet comes.
    assert_eq!(heard(0.843_9), [(1, 0, "half_duplex"), (0, 1, "delivered")]);
}

/// 3 of 10 packets of a table: 700 of 1000 arrive, with a standard deviation of 14.5. A run of another seed loses others, more traffic
/// of others does not change them.
#[test]
fn noise_takes_its_share() {
    let members = |more: &str| {
        let messages = format!(r#"{{"from": "a", "to": "b", "bytes": 1, "every_s": 0.02}}{more}"#);
        let places = [("a", [0.0, 0.0, -50.0]), ("b", [150.0, 0.0, -50.0]), ("c", [150.0, 90.0, -50.0])];
        channel(r#", "loss_table": [[0, 0.3]]"#, &messages, &places)
    };
    let told = |members: &str, seed: u64| {
        let mut run = SeaWorld::new(model(members), RunKey { seed, run_index: 0 }).unwrap();
        let all = receptions(&mut run, 20.5);
        let of_a = all.iter().filter(|own| own.from == 0 && own.sent_s < 19.99);
        of_a.map(|own| own.outcome).collect::<Vec<_>>()
    };
    let first = told(&members(""), 1);
    let delivered = first.iter().filter(|outcome| **outcome == "delivered").count();
    assert_eq!(first.len(), 1000);
    assert!((642..=758).contains(&delivered), "{delivered}");
    assert!(first.iter().all(|outcome| ["delivered", "noise"].contains(outcome)));
    assert_ne!(told(&members(""), 2), first);
    // 40 dB of capture leave a's packets as they are: c is silent but once.
    let busy = members(r#", {"from": "c", "to": "b", "at_s": 30}"#);
    assert_eq!(told(&busy, 1), first);
}

/// 1.5 m/s towards the receiver.
#[test]
fn the_carrier_shifts_by_the_speed_of_approach() {
    let members = format!(
        r#""water": {{"density_kg_m3": 1026}},
        "acoustics": {{"transceiver": {{"range_m": 500, "echoes": false}}, "messages": [{{"from": "a"}}]}},
        "vehicles": [{{"name": "a", "model": "remus100", "start": {{"z_m": -9, "u_m_s": 1.5}}, "sensors": {{"modem": {{}}}}}},
            {}]"#,
        station("b", [200.0, 0.0, -9.0], "")
    );
    let mut run = world(&members);
    run.step().unwrap();
    let body = run.state().vehicles[0].motion.body;
    let towards = (DVec3::new(200.0, 0.0, -9.0) - body.position_m).normalize();
    let nearer_m_s = (body.attitude * body.velocity.linear).dot(towards);
    let all = receptions(&mut run, 0.5);
    near(all[0].doppler, 1500.0 / (1500.0 - nearer_m_s), 1e-12);
    assert!((1.4..1.6).contains(&nearer_m_s), "{nearer_m_s}");
}

/// Ranges by request and reply: exact in both media and at any step, off by the wrong speed, noisy by what the baseline says.
#[test]
fn replies_measure_ranges_and_directions() {
    let place = DVec3::new(60.0, 80.0, -35.0);
    let members = |medium: &str, modem: &str, step_hz: u32, messages: &str| {
        format!(
            r#""step_hz": {step_hz}, "acoustics": {{{medium}, "messages": [{messages}]}}, "vehicles": [{}, {}]"#,
            station("a", [0.0, 0.0, -10.0], modem),
            station("b", place.to_array(), r#""turnaround_ms": 37.7"#)
        )
    };
    let ranged = |members: &str, seconds: f64| {
        let mut run = world(members);
        let mut all = Vec::new();
        for _ in 0..(seconds * f64::from(run.model().step_hz)) as u64 {
            run.step().unwrap();
            all.extend_from_slice(run.acoustic_log().rangings());
        }
        all
    };
    let once = r#"{"from": "a", "to": "b", "at_s": 0.3, "reply": true}"#;
    let offset = place - DVec3::new(0.0, 0.0, -10.0);
    for medium in
        [r#""transceiver": {"range_m": 500}"#, r#""channel": {"sound_speed": {"uniform_m_s": 1500}, "bounces": 1}"#]
    {
        for step_hz in [5, 50, 77] {
            let all = ranged(&members(medium, "", step_hz, once), 2.0);
            assert_eq!((all.len(), all[0].vehicle, all[0].target), (1, 0, 1));
            // Differences of times of a second, over ways of 1500 m/s.
            near(all[0].range_m, offset.length(), 1e-9);
            assert!(all[0].angles_rad.iter().all(|angle| angle.is_nan()));
        }
    }
    let medium = r#""transceiver": {"range_m": 500}"#;
    let wrong = ranged(&members(medium, r#""assumed_speed_m_s": 1470"#, 50, once), 2.0);
    near(wrong[0].range_m, offset.length() * 1470.0 / 1500.0, 1e-9);
    // 400 fixes: standard errors of deviations are 1/28 of them.
    let often = r#"{"from": "a", "to": "b", "every_s": 0.5, "reply": true}"#;
    let all = ranged(&members(medium, r#""usbl": {"range_step_m": 0, "angle_step_deg": 0}"#, 50, often), 200.5);
    assert!((399..=401).contains(&all.len()), "{}", all.len());
    let errors = all.iter().map(|fix| {
        let azimuth_rad = ops::atan2(offset.y, offset.x);
        let elevation_rad = ops::asin(offset.z / offset.length());
        [fix.range_m - offset.length(), fix.angles_rad[0] - azimuth_rad, fix.angles_rad[1] - elevation_rad]
    });
    let errors: Vec<[f64; 3]> = errors.collect();
    for (axis, deviation) in [0.05, 0.2_f64.to_radians(), 0.5_f64.to_radians()].into_iter().enumerate() {
        let mean = errors.iter().map(|error| error[axis]).sum::<f64>() / errors.len() as f64;
        let squares = errors.iter().map(|error| error[axis] * error[axis]).sum::<f64>() / errors.len() as f64;
        assert!(
            mean.abs() < 0.2 * deviation && (squares.sqrt() / deviation - 1.0).abs() < 0.15,
            "{axis} {mean} {squares}"
        );
    }
    let rounded = ranged(&members(medium, r#""usbl": {}"#, 50, often), 20.0);
    assert!(rounded.iter().all(|fix| (10.0 * fix.range_m - (10.0 * fix.range_m).round()).abs() < 1e-9));
}

/// Three stations as far away send at one moment: heard in the order of their numbers, whatever the order of the messages.
#[test]
fn simultaneous_arrivals_come_in_the_order_of_senders() {
    let places =
        [("a", [30.0, 40.0, -9.0]), ("b", [50.0, 0.0, -9.0]), ("c", [-40.0, 30.0, -9.0]), ("hub", [0.0, 0.0, -9.0])];
    for order in [["a", "b", "c"], ["c", "a", "b"], ["b", "c", "a"]] {
        let messages: Vec<String> = order.iter().map(|from| format!(r#"{{"from": "{from}", "to": "hub"}}"#)).collect();
        let transceiver = r#""transceiver": {"echoes": false}"#;
        let members =
            format!(r#""acoustics": {{{transceiver}, "messages": [{}]}}, {}"#, messages.join(", "), stations(&places));
        let all = receptions(&mut world(&members), 0.2);
        assert_eq!(outcomes(&all), [(0, 3, "delivered"), (1, 3, "delivered"), (2, 3, "delivered")]);
    }
}

/// Every 0.5 s from 0.1 to 2.0 s; a transceiver sends one packet a step, a channel one after the other.
#[test]
fn messages_come_again_and_wait_for_each_other() {
    let sent = |members: &str| receptions(&mut world(members), 4.0).iter().map(|own| own.sent_s).collect::<Vec<_>>();
    let places = [("a", [0.0, 0.0, -9.0]), ("b", [50.0, 0.0, -9.0])];
    let transceiver = |messages: &str| {
        format!(
            r#""acoustics": {{"transceiver": {{"echoes": false}}, "messages": [{messages}]}}, {}"#,
            stations(&places)
        )
    };
    let again = sent(&transceiver(r#"{"from": "a", "at_s": 0.1, "every_s": 0.5, "until_s": 2}"#));
    assert_eq!(again, [0.1, 0.6, 1.1, 1.6]);
    let three = r#"{"from": "a"}, {"from": "a", "bytes": 1}, {"from": "a", "bytes": 2}"#;
    assert_eq!(sent(&transceiver(three)), [0.0, 0.02, 0.04]);
    let queued = sent(&channel("", three, &places));
    assert_eq!(queued, [0.0, 0.256, 0.256 + 0.008]);
}

#[test]
fn rows_from_outside_are_messages_too() {
    let members = format!(
        r#""acoustics": {{"transceiver": {{"echoes": false}}}}, "vehicles": [{}, {}, {{"name": "mute", "model": "station", "start": {{"y_m": 50}}}}]"#,
        station("a", [0.0, 0.0, -9.0], ""),
        station("b", [60.0, 0.0, -9.0], "")
    );
    let mut run = world(&members);
    steps(&mut run, 10);
    let row = |vehicle: usize, to: Value<'static>, bytes: Value<'static>| [vehicle.into(), to, bytes];
    step_with(&mut run, &[("messages", &row(1, 0_usize.into(), 77_usize.into()))]).unwrap();
    let all = receptions(&mut run, 0.1);
    assert_eq!(outcomes(&all), [(1, 0, "delivered")]);
    assert_eq!((all[0].sent_s, all[0].bytes), (0.2, 77));
    let mut said = |row: [Value<'static>; 3]| step_with(&mut run, &[("messages", &row)]).unwrap_err();
    assert_eq!(said(row(2, Value::Missing, Value::Missing)), "vehicle is mute, which has no modem");
    assert_eq!(said(row(0, 2_usize.into(), Value::Missing)), "to is mute, which has no modem");
    assert_eq!(said(row(0, 0_usize.into(), Value::Missing)), "to is a, which is the sender");
    assert_eq!(said(row(0, Value::Missing, 0_usize.into())), "bytes is 0, must be from 1 to 65536");
}

/// Ten messages at once beyond what waits, and more under way than there is room for.
#[test]
fn what_finds_no_room_is_told() {
    let mut messages = String::new();
    for _ in 0..1030 {
        write!(messages, r#"{{"from": "a", "to": "b"}}, "#).unwrap();
    }
    let messages = messages.trim_end_matches(", ");
    let places = [("a", [0.0, 0.0, -9.0]), ("b", [60.0, 0.0, -9.0])];
    let members = format!(r#""acoustics": {{"messages": [{messages}]}}, {}"#, stations(&places));
    let mut run = world(&members);
    run.step().unwrap();
    let all = run.acoustic_log().receptions();
    assert_eq!(outcomes(all), [(0, 1, "dropped"); 6]);
}

const BUSY: &str = r#""terrain": {"generated": {"from_m": [-90, -90], "size_m": [180, 180], "cell_m": 3, "base_z_m": -25, "relief_m": 3}},
    "vehicles": [
        {"name": "a", "model": "remus100", "start": {"z_m": -6, "u_m_s": 1.5}, "sensors": {"modem": {"usbl": {}}}},
        {"name": "b", "model": "otter", "start": {"x_m": 30}, "sensors": {"modem": {"position_m": [0, 0, -0.5]}}},
        {"name": "c", "model": "station", "start": {"x_m": 10, "y_m": 40, "z_m": -9}, "sensors": {"modem": {}}}]"#;
const MESSAGES: &str = r#""messages": [{"from": "a", "to": "b", "every_s": 0.7, "reply": true}, {"from": "b", "every_s": 1.1},
    {"from": "c", "every_s": 0.4, "bytes": 5}]"#;
const MEDIA: [&str; 2] = [
    r#""transceiver": {"range_m": 300}"#,
    r#""channel": {"roughness_m": 0.01, "sound_speed": {"layers": [[0, 1460], [8, 1445], [30, 1450]]}, "bounces": 4}"#,
];

#[test]
fn modems_do_not_allocate() {
    for medium in MEDIA {
        let mut run = world(&format!(r#""acoustics": {{{medium}, {MESSAGES}}}, {BUSY}"#));
        steps(&mut run, 100);
        assert_eq!(allocations_of(|| steps(&mut run, 300)), 0, "{medium}");
        assert!(run.state().tick.0 == 400);
    }
}

/// A run follows from its state, and a run that goes on from a state is the same run.
#[test]
fn modems_repeat_bit_for_bit() {
    for medium in MEDIA {
        let model = model(&format!(r#""acoustics": {{{medium}, {MESSAGES}}}, {BUSY}"#));
        let mut run = SeaWorld::new(model.clone(), KEY).unwrap();
        steps(&mut run, 77);
        let mut again = SeaWorld::resume(model.clone(), KEY, run.state().clone()).unwrap();
        let (mut told, mut told_again) = (Vec::new(), Vec::new());
        for _ in 0..150 {
            run.step().unwrap();
            again.step().unwrap();
            again.drop_scratch();
            told.extend(run.acoustic_log().receptions().iter().map(|own| format!("{own:?}")));
            told_again.extend(again.acoustic_log().receptions().iter().map(|own| format!("{own:?}")));
            assert_eq!(run.state_hash(), again.state_hash());
        }
        assert!(told.len() > 20 && told == told_again, "{}", told.len());
        let other =
            common::model(&format!(r#""acoustics": {{{medium}, {}}}, {BUSY}"#, MESSAGES.replace("0.4", "0.41")));
        let mut other = SeaWorld::new(other, KEY).unwrap();
        steps(&mut other, 227);
        assert_ne!(other.state_hash(), run.state_hash());
    }
}

/// Columns as they are asked for, and measures by hand: two packets of one message to two receivers, one of which is too far away.
#[test]
fn tables_and_measures_count_packets() {
    let members = format!(
        r#""acoustics": {{"transceiver": {{"echoes": false}}, {ONCE}}}, {}"#,
        stations(&[("a", [0.0, 0.0, -9.0]), ("b", [60.0, 0.0, -9.0]), ("c", [160.0, 0.0, -9.0])])
    );
    let mut run = world(&members);
    let acoustic = run.model().outputs().iter().find(|stream| stream.name == "acoustic").unwrap();
    assert_eq!(
        acoustic.csv_columns().collect::<Vec<_>>().join(","),
        "step,time_s,from,to,sent_s,arrived_s,path,surface_bounces,bottom_bounces,level_db,snr_db,doppler,outcome,bytes"
    );
    assert!(!run.model().outputs().iter().any(|stream| stream.name == "ranging"));
    let mut delays_s = Vec::new();
    for _ in 0..50 {
        run.step().unwrap();
        let [sent_s, arrived_s] = ["sent_s", "arrived_s"].map(|column| common::numbers(&run, "acoustic", column));
        delays_s.extend(arrived_s.iter().zip(sent_s).map(|(arrived_s, sent_s)| arrived_s - sent_s));
    }
    assert!(delays_s.len() == 2 && delays_s[0].is_nan());
    near(delays_s[1], 0.04, 1e-15);
    let metrics = run.finish();
    let value = |name: &str| metrics.iter().find(|metric| metric.name == name).unwrap().value;
    assert_eq!((value("packets_sent"), value("packets_delivered")), (2.0, 1.0));
    near(value("packet_delay_mean_s"), 0.04, 1e-15);
    let mut silent = world(r#""vehicles": [{"name": "a", "model": "station"}]"#);
    steps(&mut silent, 1);
    assert!(
        silent.finish().iter().filter(|metric| metric.name.starts_with("packet")).all(|metric| metric.value.is_nan())
    );
}

/// What is said of a scenario, a line each, without its place.
fn said(members: &str) -> Vec<String> {
    let items = match parse(WORLDS, &text(members), "a.json", &[]) {
        Ok(loaded) => loaded.warnings,
        Err(refused) => refused.items,
    };
    items.iter().map(|item| item.to_string().splitn(3, ' ').skip(1).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn wrong_networks_are_refused() {
    let pair = stations(&[("a", [0.0, 0.0, -9.0]), ("b", [60.0, 0.0, -9.0])]);
    let of = |acoustics: &str| said(&format!(r#""acoustics": {{{acoustics}}}, {pair}"#));
    let message = |keys: &str| of(&format!(r#""messages": [{{{keys}}}]"#));
    let speed = |keys: &str| of(&format!(r#""channel": {{"sound_speed": {{{keys}}}}}"#));
    let cases = [
        (of(""), vec![]),
        (
            of(r#""channel": {}, "transceiver": {}"#),
            vec!["acoustics.channel: cannot be given beside transceiver: sound goes by one of them"],
        ),
        (
            speed(r#""layers": [[0, 1480], [20, 1470], [10, 1475]]"#),
            vec!["acoustics.channel.sound_speed.layers: has the depth 10 after 20: depths must ascend"],
        ),
        (
            speed(r#""layers": [[0, 1480], [20, 20]]"#),
            vec!["acoustics.channel.sound_speed.layers: is 20, must be from 100 to 10000"],
        ),
        (speed(""), vec!["acoustics.channel.sound_speed: is empty: give one of uniform_m_s, linear and layers"]),
        (
            speed(r#""uniform_m_s": 1500, "layers": [[0, 1480], [20, 1470]]"#),
            vec!["acoustics.channel.sound_speed: has several keys: give one of uniform_m_s, linear and layers"],
        ),
        (
            of(r#""channel": {"loss_table": [[5, 0.5], [5, 0.2]]}"#),
            vec!["acoustics.channel.loss_table: has 5 dB after 5: levels must ascend"],
        ),
        (
            of(r#""channel": {"loss_table": [[5, 1.5]]}"#),
            vec!["acoustics.channel.loss_table: is 1.5, must be from 0 to 1"],
        ),
        (
            of(r#""transceiver": {"bottom_resolution": 4}"#),
            vec!["acoustics.transceiver.bottom_resolution: is 4, must be a whole number from 0 to 3"],
        ),
        (message(r#""from": "c""#), vec![r#"acoustics.messages[0].from: is "c", the name of no vehicle"#]),
        (message(r#""from": "a", "to": "a""#), vec![r#"acoustics.messages[0].to: is "a", which is the sender"#]),
        (message(r#""from": "a", "until_s": 3"#), vec!["acoustics.messages[0].until_s: means nothing without every_s"]),
        (
            message(r#""from": "a", "bytes": 0"#),
            vec!["acoustics.messages[0].bytes: is 0, must be a whole number from 1 to 65536"],
        ),
    ];
    for (number, (found, expected)) in cases.iter().enumerate() {
        assert_eq!(found, expected, "{number}");
    }
}

#[test]
fn modems_where_they_are_of_no_use_are_told() {
    let mute = r#", {"name": "m", "model": "station", "start": {"y_m": 9}}"#;
    let with_mute = |acoustics: &str| {
        let pair = stations(&[("a", [0.0, 0.0, -9.0]), ("b", [60.0, 0.0, -9.0])]);
        said(&format!(r#""acoustics": {{{acoustics}}}, {}{mute}]"#, pair.trim_end_matches(']')))
    };
    assert_eq!(
        with_mute(r#""messages": [{"from": "a", "to": "m"}]"#),
        [r#"acoustics.messages[0].to: is "m", which has no modem"#]
    );
    assert_eq!(
        said(r#""acoustics": {}, "vehicles": [{"name": "a", "model": "station"}]"#),
        ["acoustics: means nothing: no vehicle carries a modem"]
    );
    let above = stations(&[("a", [0.0, 0.0, -9.0]), ("b", [60.0, 0.0, 2.0])]);
    let in_air = "warning: vehicles[1].sensors.modem: is 2.000 m above still water at its start: in air it sends and hears nothing";
    assert_eq!(said(&above), [in_air]);
    assert_eq!(said(&format!(r#""acoustics": {{"transceiver": {{"works_in_air": true}}}}, {above}"#)), [""; 0]);
    assert_eq!(
        said(&stations(&[("a", [0.0, 0.0, -9.0])])),
        ["warning: vehicles[0].sensors.modem: hears nothing: no other vehicle has a modem"]
    );
}

/// The resolved scenario has every default, and is the same scenario.
#[test]
fn a_network_is_written_out_in_full() {
    let members = stations(&[("a", [0.0, 0.0, -9.0]), ("b", [60.0, 0.0, -9.0])]);
    let once = common::loaded(&members);
    assert!(once.resolved.contains(r#""range_m": 100"#) && once.resolved.contains(r#""turnaround_ms": 100"#));
    assert_eq!(parse(WORLDS, &once.resolved, "b.json", &[]).unwrap().resolved, once.resolved);
}
