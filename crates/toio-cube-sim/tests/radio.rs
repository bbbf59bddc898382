//! The radio link: order, nothing lost, bounds of the latency, the connection interval's grid, MTU and buffers.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use proptest::prelude::*;
use sim_core::{RunKey, StateHash};
use toio_cube_sim::micros::Micros;
use toio_cube_sim::radio::{Delivery, Direction, Radio, RadioParams, Refused, StackDelay};

const KEY: RunKey = RunKey { seed: 5, run_index: 1 };
const BOTH: [Direction; 2] = [Direction::ToCube, Direction::FromCube];
const NO_DELAY: StackDelay = StackDelay { fixed_ms: 0.0, jitter_ms: 0.0 };

/// A link without delay, jitter and loss: only the grid is left.
fn bare(interval_units: u16) -> RadioParams {
    RadioParams { interval_units, to_cube: NO_DELAY, from_cube: NO_DELAY, loss: 0.0, ..RadioParams::default() }
}

fn radio(params: RadioParams) -> Radio<u32> {
    Radio::new(params, KEY, 7).unwrap()
}

fn send(radio: &mut Radio<u32>, direction: Direction, now: Micros, message: u32) {
    radio.push(direction, Delivery::Unacknowledged, now, 10, message).unwrap();
}

/// Everything that arrives until `until`, asked for every `every_us`.
fn arrivals(radio: &mut Radio<u32>, direction: Direction, until: Micros, every_us: u64) -> Vec<(Micros, u32)> {
    let mut found = Vec::new();
    let mut now = Micros(0);
    while now <= until {
        while let Some(arrival) = radio.pop_due(direction, now) {
            found.push(arrival);
        }
        now.0 += every_us;
    }
    found
}

#[test]
fn off_has_no_latency_and_no_limit() {
    let mut radio: Radio<u32> = Radio::off();
    for direction in BOTH {
        let now = Micros(123_456);
        for message in 0..1000 {
            assert!(radio.push(direction, Delivery::Unacknowledged, now, 100_000, message).is_ok());
        }
        for message in 0..1000 {
            assert_eq!(radio.pop_due(direction, now), Some((now, message)));
        }
        assert_eq!(radio.pop_due(direction, now), None);
    }
    assert_eq!((radio.interval_units(), radio.limit_bytes()), (None, None));
    assert!(radio.set_interval(Micros(0), 24).is_ok());
}

/// Events lie on a grid of whole intervals of 1.25 ms, both directions on the same one.
#[test]
fn messages_arrive_on_the_grid_of_the_connection_interval() {
    for units in [6_u16, 8, 24, 80, 3200] {
        let interval_us = u64::from(units) * 1250;
        let mut radio = radio(bare(units));
        let mut phases = Vec::new();
        for direction in BOTH {
            for k in 0..20 {
                send(&mut radio, direction, Micros(k * 7 * interval_us / 3), k as u32);
            }
            for (at, message) in arrivals(&mut radio, direction, Micros(100 * interval_us), interval_us / 10) {
                let pushed = u64::from(message) * 7 * interval_us / 3;
                let wait = at.0 - pushed;
                assert!(wait > 0 && wait <= interval_us, "{wait} us for {units} units");
                phases.push(at.0 % interval_us);
            }
        }
        assert_eq!(phases.len(), 40);
        assert!(phases.iter().all(|&phase| phase == phases[0]), "{phases:?}");
    }
}

#[test]
fn links_of_different_cubes_are_out_of_step() {
    let first = |owner| {
        let mut radio: Radio<u32> = Radio::new(bare(80), KEY, owner).unwrap();
        radio.push(Direction::ToCube, Delivery::Unacknowledged, Micros(0), 5, 0).unwrap();
        arrivals(&mut radio, Direction::ToCube, Micros(200_000), 1000)[0].0
    };
    let mut phases: Vec<Micros> = (0..20).map(first).collect();
    assert_eq!(first(3), phases[3]);
    phases.sort_unstable();
    phases.dedup();
    assert!(phases.len() >= 19);
}

/// Without loss: fixed delay, up to the jitter, then at most an interval.
#[test]
fn the_latency_has_its_bounds() {
    let delay = StackDelay { fixed_ms: 12.0, jitter_ms: 9.0 };
    let mut radio = radio(RadioParams { to_cube: delay, ..bare(16) });
    let (mut least, mut most) = (u64::MAX, 0);
    for k in 0..2000_u64 {
        let now = Micros(k * 101_000 + 7 * k);
        send(&mut radio, Direction::ToCube, now, 0);
        let (at, _) = (0..).find_map(|ms| radio.pop_due(Direction::ToCube, Micros(now.0 + 1000 * ms))).unwrap();
        let latency = at.0 - now.0;
        assert!((12_000..=12_000 + 9_000 + 20_000).contains(&latency), "{latency}");
        (least, most) = (least.min(latency), most.max(latency));
    }
    assert!(least < 14_000 && most > 39_000, "the range is used: {least} to {most}");
}

/// Loss shows as delay: the number of extra intervals is geometric, `E = p / (1 - p)`.
#[test]
fn lost_packets_are_repeated_one_interval_later() {
    let loss = 0.3;
    let mut radio = radio(RadioParams { loss, ..bare(8) });
    let n = 4000_u64;
    let mut extra = 0;
    for k in 0..n {
        let now = Micros(k * 1_000_000 + 1);
        send(&mut radio, Direction::FromCube, now, 0);
        let (at, _) = radio.pop_due(Direction::FromCube, Micros(now.0 + 900_000)).unwrap();
        extra += (at.0 - now.0 - 1) / 10_000;
    }
    let mean = extra as f64 / n as f64;
    // Standard error: sqrt(p) / (1 - p) / sqrt(n) = 0.012.
    assert!((mean - loss / (1.0 - loss)).abs() < 0.05, "{mean}");
}

/// Toio facts, section 5: at the MTU of 23 a write carries 20 bytes, so a third target of motor `04` (26 bytes) does not go.
#[test]
fn the_mtu_limits_a_message() {
    let mut radio = radio(bare(8));
    assert_eq!(radio.limit_bytes(), Some(20));
    let mut push = |bytes| radio.push(Direction::ToCube, Delivery::Acknowledged, Micros(0), bytes, 0);
    assert_eq!(push(8 + 2 * 6), Ok(()));
    assert_eq!(push(8 + 3 * 6), Err(Refused::TooLong { limit: 20 }));
    let mut large: Radio<u32> = Radio::new(RadioParams { mtu_bytes: 247, ..bare(8) }, KEY, 0).unwrap();
    assert_eq!(large.push(Direction::ToCube, Delivery::Acknowledged, Micros(0), 8 + 29 * 6, 0), Ok(()));
}

/// Longer messages need more packets: 181 bytes at 27 a packet are 7, which at 4 an event take two events.
#[test]
fn long_messages_take_several_packets() {
    let params = RadioParams { mtu_bytes: 247, ..bare(8) };
    let arrival = |bytes: usize, packet_bytes: usize| {
        let mut radio = radio(RadioParams { packet_bytes, ..params.clone() });
        radio.push(Direction::ToCube, Delivery::Unacknowledged, Micros(0), bytes, 0).unwrap();
        radio.pop_due(Direction::ToCube, Micros(1_000_000)).unwrap().0.0
    };
    let first = arrival(20, 27);
    assert_eq!(arrival(101, 27), first);
    assert_eq!(arrival(102, 27), first + 10_000);
    assert_eq!(arrival(182, 27), first + 10_000);
    assert_eq!(arrival(182, 251), first);
}

/// The effect on the rate of notifications: at most `packets_per_event` each interval; beyond that the buffer fills and what comes then
/// is refused.
#[test]
fn the_interval_limits_the_rate_of_notifications() {
    for (units, packets_per_event, per_second) in [(8, 1, 100), (8, 4, 400), (80, 4, 40), (24, 2, 66)] {
        let mut radio = radio(RadioParams { packets_per_event, buffer: 8, ..bare(units) });
        let (mut sent, mut refused, mut arrived) = (0, 0, 0);
        for ms in 0..10_000 {
            match radio.push(Direction::FromCube, Delivery::Unacknowledged, Micros::from_ms(ms), 13, 0) {
                Ok(()) => sent += 1,
                Err(reason) => {
                    assert_eq!(reason, Refused::BufferFull);
                    refused += 1;
                }
            }
            arrived += std::iter::from_fn(|| radio.pop_due(Direction::FromCube, Micros::from_ms(ms))).count();
        }
        assert_eq!(sent + refused, 10_000);
        assert!((sent - arrived as i32) <= 8, "{sent} sent, {arrived} arrived");
        // What the grid allows in ten seconds, less what a buffer of 8 does not hold between two events.
        let expected = per_second as f64 * 10.0;
        assert!((arrived as f64 - expected).abs() <= 0.02 * expected, "{arrived}, not {expected}");
    }
}

/// A write with response is never refused by a full buffer, and one goes per event.
#[test]
fn acknowledged_writes_wait_for_their_answers() {
    let mut radio = radio(RadioParams { buffer: 2, ..bare(8) });
    for message in 0..10 {
        radio.push(Direction::ToCube, Delivery::Acknowledged, Micros(0), 7, message).unwrap();
    }
    let found = arrivals(&mut radio, Direction::ToCube, Micros(200_000), 1000);
    assert_eq!(found.iter().map(|&(_, m)| m).collect::<Vec<_>>(), (0..10).collect::<Vec<_>>());
    assert!(found.windows(2).all(|pair| pair[1].0.0 - pair[0].0.0 == 10_000), "{found:?}");
}

/// A motor write behind ten acknowledged light writes goes in the first event: ATT lets a command go while a request waits for its
/// response. Commands keep their order, requests theirs.
#[test]
fn a_command_does_not_wait_for_the_responses_of_others() {
    let mut radio = radio(bare(24));
    for message in 0..10 {
        radio.push(Direction::ToCube, Delivery::Acknowledged, Micros(0), 7, message).unwrap();
    }
    for message in 10..12 {
        send(&mut radio, Direction::ToCube, Micros(0), message);
    }
    let found = arrivals(&mut radio, Direction::ToCube, Micros(400_000), 1000);
    let at = |message: u32| found.iter().find(|&&(_, m)| m == message).unwrap().0;
    assert!(at(10) == at(0) && at(11) == at(0), "{found:?}");
    let (commands, requests): (Vec<_>, Vec<_>) = found.iter().map(|&(_, m)| m).partition(|&m| m >= 10);
    assert_eq!((commands, requests), (vec![10, 11], (0..10).collect::<Vec<_>>()));
}

#[test]
fn a_new_interval_holds_from_the_next_event() {
    let mut radio = radio(bare(8));
    send(&mut radio, Direction::FromCube, Micros(0), 0);
    let (first, _) = radio.pop_due(Direction::FromCube, Micros(50_000)).unwrap();
    radio.set_interval(Micros(50_000), 80).unwrap();
    assert_eq!(radio.interval_units(), Some(80));
    for k in 1..5_u32 {
        send(&mut radio, Direction::FromCube, Micros(50_000 + u64::from(k) * 300_000), k);
        let (at, _) = radio.pop_due(Direction::FromCube, Micros(50_000 + u64::from(k) * 300_000 + 200_000)).unwrap();
        // The old grid of 10 ms is kept up to its first event after the change; from there on every 100 ms.
        let kept = first.0 + (50_000 - first.0) / 10_000 * 10_000 + 10_000;
        assert_eq!((at.0 - kept) % 100_000, 0, "{at:?}");
    }
    assert!(radio.set_interval(Micros(2_000_000), 5).is_err());
    assert!(radio.set_interval(Micros(2_000_000), 3201).is_err());
    assert_eq!(radio.interval_units(), Some(80));
}

#[test]
fn a_disconnection_returns_what_is_under_way() {
    let mut radio = radio(bare(80));
    for direction in BOTH {
        send(&mut radio, direction, Micros(0), 1);
        send(&mut radio, direction, Micros(0), 2);
    }
    let expected = BOTH.iter().flat_map(|&direction| [(direction, 1), (direction, 2)]).collect::<Vec<_>>();
    assert_eq!(radio.clear(Micros(0)), expected);
    for direction in BOTH {
        assert_eq!(radio.pop_due(direction, Micros(10_000_000)), None);
    }
}

/// What was agreed on belongs to the connection: the next one has the interval that the link was made with.
#[test]
fn a_disconnection_forgets_the_agreed_interval() {
    let mut radio = radio(bare(8));
    radio.set_interval(Micros(50_000), 80).unwrap();
    radio.clear(Micros(2_000_000));
    assert_eq!(radio.interval_units(), Some(8));
    let mut latest = 0;
    for k in 0..20 {
        // One event of the old grid of 100 ms is still to come; from then on every 10 ms.
        let now = 2_200_000 + 37_000 * k;
        send(&mut radio, Direction::ToCube, Micros(now), 0);
        let (at, _) = radio.pop_due(Direction::ToCube, Micros(now + 30_000)).unwrap();
        latest = latest.max(at.0 - now);
    }
    assert!(latest <= 10_000, "{latest} us");
}

#[test]
fn parameters_are_checked() {
    let bad = |change: fn(&mut RadioParams)| {
        let mut params = RadioParams::default();
        change(&mut params);
        Radio::<u32>::new(params, KEY, 0).is_err()
    };
    assert!(!bad(|_| ()));
    assert!(bad(|p| p.interval_units = 5) && bad(|p| p.interval_units = 3201));
    assert!(bad(|p| p.loss = 1.0) && bad(|p| p.loss = -0.1) && bad(|p| p.loss = f64::NAN));
    assert!(bad(|p| p.to_cube.fixed_ms = -1.0) && bad(|p| p.from_cube.jitter_ms = f64::INFINITY));
    assert!(bad(|p| p.mtu_bytes = 22) && bad(|p| p.mtu_bytes = 518) && bad(|p| p.packet_bytes = 26));
    assert!(bad(|p| p.packets_per_event = 0) && bad(|p| p.buffer = 0));
}

/// Which message, and when it is given to the link.
fn traffic() -> impl Strategy<Value = Vec<(u64, usize, bool)>> {
    prop::collection::vec((0_u64..30_000, 1_usize..=20, any::<bool>()), 1..80)
}

fn any_params() -> impl Strategy<Value = RadioParams> {
    let delay = || (0.0_f64..50.0, 0.0_f64..50.0).prop_map(|(fixed_ms, jitter_ms)| StackDelay { fixed_ms, jitter_ms });
    (6_u16..100, delay(), delay(), 0.0_f64..0.6, 1_u32..6).prop_map(|(units, to_cube, from_cube, loss, packets)| {
        let packets_per_event = packets;
        RadioParams { interval_units: units, to_cube, from_cube, loss, packets_per_event, buffer: 1000, ..bare(6) }
    })
}

/// Pushes the traffic and asks at every push and then every `poll_us`.
fn run(params: &RadioParams, seed: u64, traffic: &[(u64, usize, bool)], poll_us: Option<u64>) -> Vec<(Micros, u32)> {
    let mut radio: Radio<u32> = Radio::new(params.clone(), RunKey { seed, run_index: 0 }, 3).unwrap();
    let mut found = Vec::new();
    let mut now = 0;
    for (message, &(gap_us, bytes, acknowledged)) in traffic.iter().enumerate() {
        let until = now + gap_us;
        if let Some(poll_us) = poll_us {
            while now + poll_us < until {
                now += poll_us;
                found.extend(std::iter::from_fn(|| radio.pop_due(Direction::ToCube, Micros(now))));
            }
        }
        now = until;
        let delivery = if acknowledged { Delivery::Acknowledged } else { Delivery::Unacknowledged };
        radio.push(Direction::ToCube, delivery, Micros(now), bytes, message as u32).unwrap();
    }
    found.extend(std::iter::from_fn(|| radio.pop_due(Direction::ToCube, Micros(now + 3_600_000_000))));
    found
}

proptest! {
    /// Link-layer repetition: everything arrives, once, in the order of its kind, never before its delay.
    #[test]
    fn nothing_is_lost_or_overtaken_by_its_kind(params in any_params(), seed in any::<u64>(), traffic in traffic()) {
        let found = run(&params, seed, &traffic, None);
        prop_assert_eq!(found.len(), traffic.len());
        prop_assert!(found.windows(2).all(|pair| pair[0].0 <= pair[1].0));
        for kind in [false, true] {
            let of_kind = |m: &u32| traffic[*m as usize].2 == kind;
            let arrived: Vec<u32> = found.iter().map(|&(_, m)| m).filter(of_kind).collect();
            prop_assert_eq!(arrived, (0..traffic.len() as u32).filter(of_kind).collect::<Vec<_>>());
        }
        let pushed_us = |m: u32| traffic[..=m as usize].iter().map(|&(gap_us, _, _)| gap_us).sum::<u64>() as f64;
        for &(at, m) in &found {
            prop_assert!(at.0 as f64 >= pushed_us(m) + params.to_cube.fixed_ms * 1000.0 - 1.0);
        }
    }

    /// Arrivals are a function of the traffic and the seed, not of how often the link is asked.
    #[test]
    fn polling_changes_nothing(params in any_params(), seed in any::<u64>(), traffic in traffic(), poll_us in 100_u64..20_000) {
        prop_assert_eq!(run(&params, seed, &traffic, None), run(&params, seed, &traffic, Some(poll_us)));
    }

    /// A lone message: fixed delay, jitter, at most an interval, and an interval for each loss.
    #[test]
    fn a_lone_message_keeps_the_bounds(params in any_params(), seed in any::<u64>()) {
        let params = RadioParams { loss: 0.0, ..params };
        let at = run(&params, seed, &[(5000, 12, false)], None)[0].0.0 as f64 - 5000.0;
        let least = params.to_cube.fixed_ms * 1000.0;
        let most = least + params.to_cube.jitter_ms * 1000.0 + f64::from(params.interval_units) * 1250.0;
        prop_assert!(at >= least - 1.0 && at <= most + 1.0, "{} is not in {} to {}", at, least, most);
    }
}

#[test]
fn a_clone_goes_on_like_the_original_and_has_its_hash() {
    let mut radio: Radio<u32> = Radio::new(RadioParams::default(), KEY, 4).unwrap();
    for k in 0..50 {
        send(&mut radio, Direction::FromCube, Micros::from_ms(10 * k), k as u32);
        radio.pop_due(Direction::FromCube, Micros::from_ms(10 * k));
    }
    let hash = |radio: &Radio<u32>| {
        let mut hash = StateHash::new();
        radio.hash_into(&mut hash, |&message, hash| hash.u64(message.into()));
        hash.finish()
    };
    let mut copy = radio.clone();
    assert_eq!(hash(&copy), hash(&radio));
    let later = Micros::from_ms(5000);
    let rest = |radio: &mut Radio<u32>| -> Vec<(Micros, u32)> {
        std::iter::from_fn(|| radio.pop_due(Direction::FromCube, later)).collect()
    };
    let before = hash(&radio);
    assert_eq!(rest(&mut copy), rest(&mut radio));
    assert_eq!(hash(&copy), hash(&radio));
    assert_ne!(hash(&radio), before);
}
