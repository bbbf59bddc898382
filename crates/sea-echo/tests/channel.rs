//! Sound between a level surface and a level bottom, in water of one speed, of a linear and of a layered profile. Expected values: T-55 to
//! T-58 of the sea facts, closed forms, and rays that are reflected one plane after the other.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use sea_echo::modem::{
    Arrivals, Bottom, Channel, ChannelParams, Ends, Loss, Modulation, Path, Receiver, Signal, SignalKey, SoundProfile,
    decibels, nanoseconds, surface_loss_db,
};
use sim_core::{DVec3, ops};

fn params(profile: SoundProfile) -> ChannelParams {
    ChannelParams {
        profile,
        frequency_hz: 25e3,
        absorption_db_km: 5.0,
        bounces: 3,
        roughness_m: 0.0,
        bottom: Bottom::SAND,
    }
}

fn channel(profile: SoundProfile) -> Channel {
    Channel::new(params(profile)).unwrap()
}

fn ends(distance_m: f64, source_depth_m: f64, receiver_depth_m: f64, bottom_m: f64) -> Ends {
    Ends { distance_m, source_depth_m, receiver_depth_m, bottom_depth_m: Some(bottom_m) }
}

#[track_caller]
fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} {expected}");
}

fn power(base: f64, exponent: usize) -> f64 {
    std::iter::repeat_n(base, exponent).product()
}

/// T-57 to its digits.
#[test]
fn image_sources_of_a_flat_channel_t57() {
    let mut paths: Vec<Path> = channel(SoundProfile::Uniform(1500.0)).paths(ends(500.0, 20.0, 50.0, 100.0)).collect();
    paths.sort_by(|a, b| a.time_s.total_cmp(&b.time_s));
    let expected = [
        (333.932_794, 0, 0),
        (336.584_148, 1, 0),
        (344.415_769, 0, 1),
        (352.073_225, 1, 1),
        (366.909_011, 1, 1),
        (378.828_604, 2, 1),
        (399.388_421, 1, 2),
    ];
    assert_eq!(paths.len(), 7);
    for (path, (time_ms, surface, bottom)) in paths.iter().zip(expected) {
        near(1e3 * path.time_s, time_ms, 5e-7);
        assert_eq!((path.surface_bounces, path.bottom_bounces), (surface, bottom));
    }
}

/// A ray from the source, straight and reflected at one plane after the other, to the receiver's distance: its depth there, its length, and
/// how often it was reflected at each.
fn walk(ends: &Ends, down: f64) -> (f64, f64, [u32; 2]) {
    let across = ((1.0 - down) * (1.0 + down)).sqrt();
    let bottom_m = ends.bottom_depth_m.unwrap();
    let (mut depth_m, mut x_m, mut slope, mut bounces) = (ends.source_depth_m, 0.0, down / across, [0; 2]);
    loop {
        let plane_m = if slope > 0.0 { bottom_m } else { 0.0 };
        let to_plane_m = if slope == 0.0 { f64::INFINITY } else { (plane_m - depth_m) / slope };
        if x_m + to_plane_m >= ends.distance_m {
            let rest_m = ends.distance_m - x_m;
            return (depth_m + slope * rest_m, ends.distance_m * (1.0 + slope * slope).sqrt(), bounces);
        }
        (x_m, depth_m) = (x_m + to_plane_m, plane_m);
        bounces[usize::from(slope > 0.0)] += 1;
        slope = -slope;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100_000, failure_persistence: None, ..ProptestConfig::default() })]
    /// Each way ends at the receiver, with the reflections and the length that it says; there are two for each number of reflections.
    #[test]
    fn image_sources_are_rays_reflected_plane_by_plane(
        distance_m in 1.0..5000.0_f64, bottom_m in 1.0..500.0_f64, source in 0.01..0.99_f64, receiver in 0.01..0.99_f64,
    ) {
        let channel = Channel::new(ChannelParams { bounces: 5, ..params(SoundProfile::Uniform(1480.0)) }).unwrap();
        let ends = ends(distance_m, source * bottom_m, receiver * bottom_m, bottom_m);
        let paths: Vec<Path> = channel.paths(ends).collect();
        prop_assert_eq!(paths.len(), 11);
        for path in &paths {
            let (depth_m, length_m, bounces) = walk(&ends, path.leaves_down);
            // Some roundings of the direction, over the whole length of the way.
            let tolerance_m = 1e-9 * (1.0 + path.length_m * path.length_m / distance_m);
            prop_assert!((depth_m - ends.receiver_depth_m).abs() < tolerance_m, "{:?} {}", path, depth_m);
            prop_assert!((length_m - path.length_m).abs() < tolerance_m, "{:?} {}", path, length_m);
            prop_assert_eq!(bounces, [path.surface_bounces, path.bottom_bounces]);
            prop_assert!((path.time_s - path.length_m / 1480.0).abs() < 1e-12);
        }
    }
}

/// T-58, to 1e-9 s.
#[test]
fn linear_profiles_take_the_time_of_their_closed_form_t58() {
    for (surface_m_s, gradient_per_s, [from_m, to_m], distance_m, time_s) in
        [(1480.0, 0.016, [20.0, 300.0], 5000.0, 3.377_421_693), (1500.0, -0.05, [5.0, 60.0], 1000.0, 0.668_367_517)]
    {
        let linear = SoundProfile::Linear { surface_m_s, gradient_per_s };
        near(linear.direct_s(distance_m, [from_m, to_m], 1000.0).unwrap(), time_s, 1e-9);
        near(linear.direct_s(distance_m, [to_m, from_m], 1000.0).unwrap(), time_s, 1e-9);
        let layers = (0..=20).map(|n| [50.0 * f64::from(n), surface_m_s + gradient_per_s * 50.0 * f64::from(n)]);
        let layered = SoundProfile::Layered(layers.collect());
        near(layered.direct_s(distance_m, [from_m, to_m], 1000.0).unwrap(), time_s, 1e-9);
    }
}

/// Any two places in water whose speed grows evenly with depth, in 30 layers: the closed form, as long as the arc stays in the water. A ray
/// between two depths that are alike turns below them.
#[test]
fn layered_profiles_agree_with_linear_ones() {
    let [surface_m_s, gradient_per_s] = [1450.0, 0.08];
    let linear = SoundProfile::Linear { surface_m_s, gradient_per_s };
    let layers = (0..=30).map(|n| 13.0 * f64::from(n)).map(|depth_m| [depth_m, surface_m_s + gradient_per_s * depth_m]);
    let layered = SoundProfile::Layered(layers.collect());
    for n in 0..2000 {
        let turn = f64::from(n);
        let depths_m = [100.0 + 90.0 * ops::sin(turn), 100.0 + 90.0 * ops::cos(1.3 * turn)];
        let distance_m = 10.0 + 1000.0 * ops::sin(0.37 * turn).abs();
        let expected_s = linear.direct_s(distance_m, depths_m, 390.0).unwrap();
        near(layered.direct_s(distance_m, depths_m, 390.0).unwrap(), expected_s, 1e-9);
        let level_s = linear.direct_s(distance_m, [50.0; 2], 390.0).unwrap();
        near(layered.direct_s(distance_m, [50.0; 2], 390.0).unwrap(), level_s, 1e-9);
    }
}

/// Closed form of an arc by the angles of its ends, beside the distance that these make, in water of a linear profile: the ways that are
/// reflected once by the surface.
#[test]
fn reflected_rays_bend_as_arcs_do() {
    let [c0, g] = [1500.0, -0.05];
    let linear = channel(SoundProfile::Linear { surface_m_s: c0, gradient_per_s: g });
    for cosine_surface in [0.9, 0.99, 0.999] {
        let p = cosine_surface / c0;
        let (mut distance_m, mut time_s) = (0.0, 0.0);
        for depth_m in [30.0, 70.0] {
            let c = c0 + g * depth_m;
            let [s0, s1] = [cosine_surface, p * c].map(|cosine: f64| (1.0 - cosine * cosine).sqrt());
            distance_m += (s0 - s1) / (p * g);
            time_s += ops::ln(c / c0 * (1.0 + s0) / (1.0 + s1)) / g;
        }
        let paths: Vec<Path> = linear.paths(ends(distance_m, 30.0, 70.0, 100.0)).collect();
        let surface = paths.iter().find(|path| (path.surface_bounces, path.bottom_bounces) == (1, 0)).unwrap();
        // The closed form loses digits where both sines are alike.
        near(surface.time_s, time_s, 1e-9);
    }
    // Sound that is slower below bends down. The flattest ways over the surface and over the bottom, by circles of 30 km.
    let is_heard = |distance_m: f64, bounces: [u32; 2]| {
        let mut paths = linear.paths(ends(distance_m, 30.0, 70.0, 100.0));
        paths.any(|path| [path.surface_bounces, path.bottom_bounces] == bounces)
    };
    let level_m = |radius_m: f64, down_m: f64| (2.0 * radius_m * down_m - down_m * down_m).sqrt();
    let over_surface_m = level_m(30_000.0, 30.0) + level_m(30_000.0, 70.0);
    let over_bottom_m = 2.0 * level_m(29_970.0, 70.0) - level_m(29_970.0, 40.0);
    for (most_m, bounces) in [(over_surface_m, [1, 0]), (over_bottom_m, [0, 1])] {
        assert!(is_heard(most_m - 0.01, bounces) && !is_heard(most_m + 0.01, bounces), "{most_m}");
    }
}

/// A channel of sound in 500 m: 1500 m/s at the axis, faster above and below. At the axis straight sound is slowest.
#[test]
fn sound_turns_towards_where_it_is_slow() {
    let layered = SoundProfile::Layered(vec![[0.0, 1540.0], [500.0, 1500.0], [1000.0, 1540.0]]);
    // An arc of the gradient 0.08/s by its closed form, up or down alike.
    let arc = SoundProfile::Linear { surface_m_s: 1500.0, gradient_per_s: 0.08 };
    let expected_s = arc.direct_s(3000.0, [0.0; 2], f64::INFINITY).unwrap();
    near(layered.direct_s(3000.0, [500.0; 2], 1000.0).unwrap(), expected_s, 1e-9);
    assert!(expected_s < 2.0);
    // At the border of water of one speed it goes straight.
    let even = SoundProfile::Layered(vec![[10.0, 1480.0], [20.0, 1480.0], [30.0, 1470.0]]);
    near(even.direct_s(740.0, [15.0; 2], 100.0).unwrap(), 0.5, 1e-12);
    // Slower above and below: the shadow on both sides of the fastest depth.
    let shadow = SoundProfile::Layered(vec![[0.0, 1440.0], [50.0, 1500.0], [100.0, 1440.0]]);
    assert_eq!(shadow.direct_s(3000.0, [50.0; 2], 100.0), None);
}

/// T of the sea facts: sand and mud.
#[test]
fn bottoms_reflect_after_rayleigh() {
    let at = |bottom: Bottom, deg: f64| bottom.reflection(ops::sin(deg.to_radians()));
    for (deg, share) in [(5.0, 1.0), (26.765, 1.0), (30.0, 0.62777), (60.0, 0.37973), (90.0, 0.36061)] {
        near(at(Bottom::SAND, deg), share, 5e-6);
    }
    assert!(at(Bottom::SAND, 26.766) < 1.0);
    for (deg, share) in [(5.0, 0.35749), (10.0, 0.12365), (90.0, 0.08088)] {
        near(at(Bottom::MUD, deg), share, 5e-6);
    }
}

/// Levels by hand: 20 log r, 5 dB/km, the bottom's loss and the rough surface's, each as often as the way is reflected.
#[test]
fn levels_fall_by_distance_water_and_reflections() {
    let rough = Channel::new(ChannelParams { roughness_m: 0.02, ..params(SoundProfile::Uniform(1500.0)) }).unwrap();
    let tenth = std::f64::consts::LOG10_E;
    for path in rough.paths(ends(500.0, 20.0, 50.0, 100.0)) {
        let sine = (path.length_m * path.length_m - 250_000.0).sqrt() / path.length_m;
        let k = std::f64::consts::TAU * 25e3 / 1500.0;
        let surface_db = 20.0 * tenth * 2.0 * power(k * 0.02 * sine, 2);
        near(surface_loss_db(k, 0.02, sine), surface_db, 1e-12);
        let bottom_db = -20.0 * tenth * ops::ln(Bottom::SAND.reflection(sine));
        let expected_db = 20.0 * tenth * ops::ln(path.length_m)
            + 5e-3 * path.length_m
            + f64::from(path.surface_bounces) * surface_db
            + f64::from(path.bottom_bounces) * bottom_db;
        near(path.loss_db, expected_db, 1e-9);
    }
}

/// 3 m/s towards a receiver at rest, straight ahead: 1500/1497; across, nothing; by way of the surface less of it.
#[test]
fn frequencies_shift_by_the_speed_of_approach() {
    let path = |bounces: u32| {
        let paths = channel(SoundProfile::Uniform(1500.0)).paths(ends(40.0, 15.0, 15.0, 100.0)).collect::<Vec<_>>();
        *paths.iter().find(|path| path.surface_bounces == bounces && path.bottom_bounces == 0).unwrap()
    };
    let shift = |bounces: u32, moves: DVec3| path(bounces).doppler(1500.0, DVec3::X, [moves, DVec3::ZERO]);
    near(shift(0, DVec3::X * 3.0), 1500.0 / 1497.0, 1e-15);
    near(shift(0, DVec3::Y * 3.0), 1.0, 0.0);
    // The way over the surface, 40 m across and 30 m up and down: 4 of 5 of the speed ahead, 3 of 5 of the speed upward.
    near(shift(1, DVec3::X * 3.0), 1500.0 / 1497.6, 1e-15);
    near(shift(1, DVec3::Z * 3.0), 1500.0 / 1498.2, 1e-15);
    let away = path(1).doppler(1500.0, DVec3::X, [DVec3::ZERO, DVec3::new(3.0, 0.0, 0.0)]);
    near(away, 1500.0 / 1502.4, 1e-15);
}

/// By hand: at 10 dB in a band as wide as the bit rate E is 10; a packet of 8 bits.
#[test]
fn packets_are_lost_by_wrong_bits_or_by_a_table() {
    let receiver =
        |loss: Loss| Receiver { noise_db_hz: 50.0, bandwidth_hz: 1000.0, bit_rate: 1000.0, loss, capture_db: 6.0 };
    let fsk = receiver(Loss::Bits(Modulation::Fsk));
    near(fsk.snr_db(90.0), 10.0, 1e-12);
    for (modulation, errors) in [
        (Modulation::Fsk, 0.5 * ops::exp(-5.0)),
        (Modulation::Dpsk, 0.5 * ops::exp(-10.0)),
        (Modulation::Bpsk, 0.5 * ops::erfc(10.0_f64.sqrt())),
    ] {
        near(receiver(Loss::Bits(modulation)).loss(10.0, 1), 1.0 - power(1.0 - errors, 8), 1e-14);
    }
    near(fsk.airtime_s(125), 1.0, 1e-15);
    let table = receiver(Loss::Table(vec![[0.0, 1.0], [10.0, 0.2], [20.0, 0.0]]));
    for (snr_db, loss) in [(-5.0, 1.0), (0.0, 1.0), (5.0, 0.6), (10.0, 0.2), (15.0, 0.1), (40.0, 0.0)] {
        near(table.loss(snr_db, 9), loss, 1e-15);
    }
    assert!(
        fsk.survives(66.0, sea_echo::modem::ratio(60.0) * (1.0 - 1e-12))
            && !fsk.survives(65.9, sea_echo::modem::ratio(60.0))
    );
    near(decibels(sea_echo::modem::ratio(37.0)), 37.0, 1e-12);
}

/// T-55: three receivers at known places, and times of arrival less times of sending.
#[test]
fn three_ranges_recover_a_place_t55() {
    let receivers = [DVec3::new(0.0, 0.0, -5.0), DVec3::new(300.0, 0.0, -12.0), DVec3::new(40.0, 250.0, -8.0)];
    let profile = SoundProfile::Uniform(1500.0);
    for n in 0..100 {
        let turn = f64::from(n);
        let sender = DVec3::new(
            100.0 + 80.0 * ops::sin(turn),
            90.0 + 60.0 * ops::cos(2.0 * turn),
            -60.0 + 30.0 * ops::sin(3.0 * turn),
        );
        let range_m = receivers.map(|receiver| {
            let down_m = receiver - sender;
            1500.0 * profile.direct_s(down_m.truncate().length(), [-sender.z, -receiver.z], 200.0).unwrap()
        });
        // Two planes out of three spheres, and the lower of the two places on their line.
        let [a, b, c] = receivers;
        let (x, other) = ((b - a).normalize(), c - a);
        let y = (other - x * x.dot(other)).normalize();
        let along = 0.5 * (power(range_m[0], 2) - power(range_m[1], 2) + (b - a).length_squared()) / (b - a).length();
        let beside =
            0.5 * (power(range_m[0], 2) - power(range_m[2], 2) + other.length_squared()) - other.dot(x) * along;
        let beside = beside / other.dot(y);
        let below = (power(range_m[0], 2) - along * along - beside * beside).sqrt();
        let up = x.cross(y);
        let found = a + x * along + y * beside - up * up.z.signum() * below;
        assert!(found.distance(sender) < 1e-6, "{found} {sender}");
    }
}

fn signal(key: SignalKey, power: f64) -> Signal<u8> {
    Signal { key, power, others: 0.0, is_deaf: false, arrival: 0 }
}

fn key(ends_ns: u64, starts_ns: u64, from: u32, packet: u64, to: u32) -> SignalKey {
    SignalKey { ends_ns, starts_ns, from, packet, to, path: 0 }
}

proptest! {
    /// Whatever the order in which signals are put in, they are heard in one order, with the same overlaps.
    #[test]
    fn simultaneous_arrivals_have_one_order(order in Just((0..24_usize).collect::<Vec<_>>()).prop_shuffle()) {
        // Three moments, senders and receivers in all mixtures, some alike in all but one.
        let signals: Vec<_> = (0..24_u32).map(|n| {
            let starts_ns = u64::from(n % 3) * 10;
            signal(key(starts_ns + 15, starts_ns, n / 3 % 4, u64::from(n / 12), n % 2), 1.0)
        }).collect();
        let heard = |order: &[usize]| {
            let mut queue = Arrivals::new(24);
            for &n in order {
                assert!(queue.push(signals[n]));
            }
            std::iter::from_fn(|| queue.next_due(u64::MAX)).collect::<Vec<_>>()
        };
        let expected = heard(&(0..24).collect::<Vec<_>>());
        prop_assert!(expected.is_sorted_by_key(|signal| signal.key));
        prop_assert_eq!(heard(&order), expected);
    }
}

/// Times of 10 to 20 ns: what begins at 20 does not overlap, what begins at 19 does; not so at another receiver, or of one packet.
#[test]
fn overlaps_and_deafness_are_a_matter_of_nanoseconds() {
    let mut queue = Arrivals::new(10);
    let others = [
        (key(30, 20, 1, 0, 7), 1.0),
        (key(29, 19, 2, 0, 7), 2.0),
        (key(20, 10, 3, 0, 8), 4.0),
        (SignalKey { path: 1, ..key(20, 10, 0, 0, 7) }, 8.0),
        (key(11, 1, 0, 1, 7), 16.0),
    ];
    assert!(queue.push(signal(key(20, 10, 0, 0, 7), 100.0)));
    assert!(others.iter().all(|&(key, power)| queue.push(signal(key, power))));
    queue.deafen(7, [5, 10]);
    assert_eq!(queue.next_due(10), None);
    let first = queue.next_due(11).unwrap();
    assert!(first.key.packet == 1 && first.is_deaf);
    let heard: Vec<_> = std::iter::from_fn(|| queue.next_due(20)).collect();
    assert_eq!(
        heard.iter().map(|signal| (signal.key.from, signal.others, signal.is_deaf)).collect::<Vec<_>>(),
        [(0, 18.0, false), (0, 18.0, false), (3, 0.0, false)]
    );
    let mut full = Arrivals::new(1);
    assert!(full.push(signal(key(1, 0, 0, 0, 0), 1.0)) && !full.push(signal(key(2, 1, 0, 1, 0), 1.0)));
    assert_eq!(nanoseconds(66.666_666_666_6e-3), 66_666_667);
}

#[test]
fn wrong_channels_are_refused() {
    let said = |profile: SoundProfile| Channel::new(params(profile)).unwrap_err().to_string();
    assert_eq!(
        said(SoundProfile::Layered(vec![[0.0, 1500.0], [20.0, 1490.0], [20.0, 1480.0]])),
        "layers has the depth 20 after 20: depths must ascend"
    );
    assert_eq!(said(SoundProfile::Layered(vec![[0.0, 1500.0]])), "layers has 1 places, must have 2 to 64");
    assert_eq!(said(SoundProfile::Uniform(f64::NAN)), "uniform_m_s is NaN, must be from 100 to 10000");
    let lossy = |table: Vec<[f64; 2]>| {
        let loss = Loss::Table(table);
        Receiver { noise_db_hz: 50.0, bandwidth_hz: 1000.0, bit_rate: 1000.0, loss, capture_db: 6.0 }.check()
    };
    assert_eq!(
        lossy(vec![[3.0, 1.0], [2.0, 0.5]]).unwrap_err().to_string(),
        "loss has 2 dB after 3: levels must ascend"
    );
    assert!(lossy(vec![[3.0, 1.5]]).is_err() && lossy(vec![]).is_err());
}
