//! The battery: toio facts, sections 1.1, 6.6 and 11; the currents are the assumed ones of docs/models/lamp-and-sound.md.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use toio_cube_sim::battery::{Battery, BatteryParams, Load};
use toio_cube_sim::light::Rgb;
use toio_cube_sim::micros::Micros;

fn battery(percent: f64) -> Battery {
    Battery::new(BatteryParams::default(), percent).unwrap()
}

fn load(motor_units: [f64; 2], lamp: Rgb) -> Load {
    Load { motor_units, lamp, charger_ma: 0.0 }
}

#[test]
fn the_capacity_is_260_mah() {
    assert_eq!(BatteryParams::default().capacity_mah, 260.0);
}

/// Each part of the load adds its own current, in proportion: 60 mA base, 58 mA a motor at 115, 15 mA for white.
#[test]
fn currents_add_up() {
    let battery = battery(100.0);
    let white = Rgb::new(255, 255, 255);
    for (load, expected_ma) in [
        (load([0.0; 2], Rgb::DARK), 60.0),
        (load([115.0, 0.0], Rgb::DARK), 118.0),
        (load([-57.5, 57.5], Rgb::DARK), 118.0),
        (load([500.0, -500.0], Rgb::DARK), 176.0),
        (load([0.0; 2], white), 75.0),
        (load([0.0; 2], Rgb::new(0, 0, 255)), 65.0),
        (load([115.0, 115.0], white), 191.0),
    ] {
        assert!((battery.current_ma(&load) - expected_ma).abs() < 1e-9, "{load:?}");
    }
}

/// Closed form: 260 mAh at 60 mA last 4.333 hours, whatever the step.
#[test]
fn a_full_charge_lasts_as_long_as_its_current_says() {
    for step_hz in [1.0, 50.0] {
        let mut battery = battery(100.0);
        let idle = Load::default();
        let hours = 2.0;
        let steps = (hours * 3600.0 * step_hz) as u64;
        for k in 1..=steps {
            battery.step(Micros(0), 1.0 / step_hz, &idle);
            assert!(k < steps || !battery.is_empty());
        }
        let expected = 100.0 * (1.0 - 60.0 * hours / 260.0);
        assert!((battery.charge_percent() - expected).abs() < 1e-6, "{}", battery.charge_percent());
    }
}

#[test]
fn an_empty_battery_stays_at_zero() {
    let mut battery = battery(0.001);
    for _ in 0..10 {
        battery.step(Micros(0), 1.0, &load([115.0; 2], Rgb::DARK));
    }
    assert!(battery.is_empty());
    assert_eq!((battery.charge_percent(), battery.percent()), (0.0, 0));
}

/// Section 6.6: 0 to 100 in steps of 10.
#[test]
fn the_report_is_the_nearest_ten() {
    for (percent, reported) in [(100.0, 100), (95.0, 100), (94.9, 90), (80.0, 80), (14.0, 10), (4.9, 0), (0.0, 0)] {
        assert_eq!(battery(percent).percent(), reported, "{percent}");
    }
}

/// Section 11: about every 5 s; also when nothing changes, since a client gives up after 5 s of silence (section 13).
#[test]
fn a_report_comes_every_five_seconds() {
    for step_hz in [50_u64, 60, 1000] {
        let mut battery = battery(80.0);
        let times: Vec<u64> = (1..=26 * step_hz)
            .filter_map(|k| {
                let now = Micros(k * 1_000_000 / step_hz);
                battery.step(now, 1.0 / step_hz as f64, &Load::default()).map(|percent| {
                    assert_eq!(percent, 80);
                    now.0 / 1000
                })
            })
            .collect();
        assert_eq!(times, [5000, 10_000, 15_000, 20_000, 25_000], "{step_hz} Hz");
    }
}

#[test]
fn parameters_are_checked() {
    let bad = |change: fn(&mut BatteryParams)| {
        let mut params = BatteryParams::default();
        change(&mut params);
        Battery::new(params, 50.0).is_err()
    };
    assert!(bad(|p| p.capacity_mah = 0.0) && bad(|p| p.base_ma = -1.0) && bad(|p| p.motor_ma = f64::NAN));
    assert!(bad(|p| p.lamp_ma = -0.1));
    for percent in [-1.0, 100.1, f64::NAN] {
        assert!(Battery::new(BatteryParams::default(), percent).is_err());
    }
}

/// Closed form: a charger's 300 mA against 60 mA at rest fill half of 260 mAh in 130 / 240 hours, and no more.
#[test]
fn a_charger_gives_what_the_cube_does_not_draw() {
    let mut battery = battery(50.0);
    let charging = Load { charger_ma: 300.0, ..Load::default() };
    assert_eq!(battery.current_ma(&charging), 60.0);
    for (hours, expected) in
        [(0.25, 100.0 * (130.0 + 60.0) / 260.0), (0.29, 100.0 * (130.0 + 0.54 * 240.0) / 260.0), (0.1, 100.0)]
    {
        (0..(hours * 3600.0) as u64).for_each(|_| _ = battery.step(Micros(0), 1.0, &charging));
        assert!((battery.charge_percent() - expected).abs() < 1e-6, "{} {expected}", battery.charge_percent());
    }
    let weak = Load { charger_ma: 20.0, ..Load::default() };
    battery.step(Micros(0), 3600.0, &weak);
    assert!((battery.charge_percent() - 100.0 * (1.0 - 40.0 / 260.0)).abs() < 1e-9);
}
