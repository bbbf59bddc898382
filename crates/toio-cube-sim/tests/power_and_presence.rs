//! Power, connection, button and battery (toio facts, sections 5, 6.4, 6.6, 8.1 and 11).

#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "common/rig.rs"]
mod rig;

use rig::{Rig, bytes};
use toio_cube_sim::{Characteristic, Cube, CubeParams, PowerState, Refusal, Senses};

fn cube() -> Cube {
    Cube::new(CubeParams::default()).unwrap()
}

/// Steps until the power is in a state, at most so long; the number of steps.
fn steps_to(cube: &mut Cube, state: PowerState, most_s: usize) -> Option<usize> {
    (1..=most_s * 50).find(|_| cube.step(&Senses::default()).actuators.power == state)
}

#[test]
fn off_takes_700_ms_and_on_500_ms() {
    let mut cube = cube();
    assert!(cube.connect());
    cube.subscribe_all();
    cube.step(&Senses::default());
    cube.power_off();
    assert_eq!(cube.step(&Senses::default()).actuators.power, PowerState::Stopping);
    // 35 steps of 20 ms, the first of which is over.
    assert_eq!(steps_to(&mut cube, PowerState::Off, 2), Some(35));
    assert!(!cube.is_connected() && !cube.connect() && cube.advertisement().is_none());
    let off = cube.step(&Senses::default());
    assert!(off.messages.is_empty() && off.actuators.sounding.is_none());
    cube.power_on();
    assert_eq!(cube.step(&Senses::default()).actuators.power, PowerState::Starting);
    assert!(!cube.connect());
    assert_eq!(steps_to(&mut cube, PowerState::On, 2), Some(25));
    assert_eq!(cube.advertisement().unwrap().local_name, cube.device_name().split(' ').next().unwrap());
    assert!(cube.connect() && !cube.connect());
    assert!(cube.advertisement().is_none());
}

/// Notes of section 6.4: power on 59 66 75, off 70 66 59, connect 59 66 59 66 70, disconnect 70 66 64 59.
#[test]
fn jingles_tell_of_power_and_connection() {
    fn notes(cube: &mut Cube, steps: usize) -> Vec<u8> {
        let mut notes: Vec<u8> =
            (0..steps).filter_map(|_| cube.step(&Senses::default()).actuators.sounding).map(|s| s.note).collect();
        notes.dedup();
        notes
    }
    let mut cube = cube();
    cube.connect();
    cube.subscribe_all();
    assert_eq!(notes(&mut cube, 60), [59, 66, 59, 66, 70]);
    cube.disconnect();
    assert_eq!(notes(&mut cube, 60), [70, 66, 64, 59]);
    cube.power_off();
    assert_eq!(notes(&mut cube, 60), [70, 66, 59]);
    cube.power_on();
    assert_eq!(notes(&mut cube, 60), [59, 66, 75]);
}

#[test]
fn idle_for_15_minutes_with_an_alarm_every_three() {
    let mut cube = cube();
    let mut alarms = Vec::new();
    let mut was_silent = true;
    let mut off_s = None;
    for step in 0..16 * 60 * 50 {
        let out = cube.step(&Senses::default()).actuators;
        let sounds = out.sounding.is_some();
        if sounds && was_silent && out.power == PowerState::On {
            alarms.push(step / 50);
        }
        was_silent = !sounds;
        if out.power == PowerState::Stopping && off_s.is_none() {
            off_s = Some(step / 50);
        }
    }
    assert_eq!(alarms, [180, 360, 540, 720]);
    assert_eq!(off_s, Some(900));
    assert_eq!(cube.step(&Senses::default()).actuators.power, PowerState::Off);
}

/// The quarter of an hour begins when the client goes.
#[test]
fn a_connected_cube_stays_on() {
    let mut cube = cube();
    cube.connect();
    cube.subscribe_all();
    assert_eq!(steps_to(&mut cube, PowerState::Stopping, 1000), None);
    cube.disconnect();
    let steps = steps_to(&mut cube, PowerState::Stopping, 1000).unwrap();
    assert_eq!(steps / 50, 900);
}

/// `34`: after so many seconds, or at once; a later one replaces an earlier one.
#[test]
fn remote_power_off() {
    for (writes, expected) in [(&["34 00 0a"][..], 501), (&["34 00 00"], 1), (&["34 00 0a", "34 00 02"], 101)] {
        let mut rig = Rig::device();
        writes.iter().for_each(|hex| rig.write(0x1ff, hex));
        let steps = (1..600).find(|_| rig.step().actuators.power == PowerState::Stopping);
        assert_eq!(steps, Some(expected));
        assert_eq!(rig.take(0x1ff), vec![bytes("b4 00 00"); writes.len()]);
        rig.run(40);
        assert_eq!(rig.outputs.actuators.power, PowerState::Off);
        // Once it is on again, the old order is forgotten.
        rig.cube.power_on();
        rig.run(800);
        assert_eq!(rig.outputs.actuators.power, PowerState::On);
    }
}

#[test]
fn nothing_is_written_or_read_without_a_connection() {
    let mut cube = cube();
    cube.write(Characteristic::Motor, &bytes("01 01 01 64 02 01 64"));
    assert!(Characteristic::ALL.iter().all(|&characteristic| cube.read(characteristic).is_none()));
    let out = cube.step(&Senses::default());
    assert_eq!(out.events.len(), 1);
    assert_eq!(out.actuators.motor_units, [0.0; 2]);
    assert!(out.messages.is_empty());
    let mut rig = Rig::device();
    for characteristic in [0x101, 0x107, 0x108] {
        rig.write(characteristic, "01");
    }
    rig.step();
    assert_eq!(rig.drops(), [Refusal::NotWritable; 3]);
    assert_eq!(rig.cube.read(Characteristic::Light), None);
}

#[test]
fn the_button_is_told_on_change() {
    let mut rig = Rig::device();
    rig.run(5);
    assert_eq!(rig.take(0x107), Vec::<Vec<u8>>::new());
    rig.senses.button_is_pressed = true;
    rig.run(5);
    assert_eq!(rig.take(0x107), [bytes("01 80")]);
    assert_eq!(rig.cube.read(Characteristic::Button).unwrap().to_vec(), bytes("01 80"));
    rig.senses.button_is_pressed = false;
    rig.run(5);
    assert_eq!(rig.take(0x107), [bytes("01 00")]);
}

/// About every 5 s, in steps of ten; an empty cube goes off and does not come on again.
#[test]
fn the_battery_is_told_every_5_s_and_runs_out() {
    let mut rig = Rig::device();
    rig.run_s(20.5);
    assert_eq!(rig.take(0x108), vec![vec![100]; 4]);
    assert_eq!(rig.cube.read(Characteristic::Battery).unwrap().to_vec(), [100]);
    let mut rig = Rig::with(CubeParams { charge_percent: 0.001, ..CubeParams::default() });
    rig.run_s(2.0);
    assert_eq!(rig.outputs.actuators.power, PowerState::Off);
    rig.cube.power_on();
    rig.run_s(2.0);
    assert_eq!(rig.outputs.actuators.power, PowerState::Off);
    // The unity profile's battery stays as it is.
    let mut rig = Rig::unity();
    rig.write(0x102, "01 01 01 73 02 02 73");
    rig.run_s(1800.0);
    assert_eq!(rig.take(0x108).last(), Some(&vec![100]));
}

/// A cube that is off draws nothing: 300 mA for 31.2 s are 2.6 mAh, a hundredth of its capacity. Its power stays off until the switch is
/// pressed, and what it says rises with its charge.
#[test]
fn a_charger_fills_a_cube_that_is_off_and_one_that_is_on() {
    let mut rig = Rig::with(CubeParams { charge_percent: 0.0, ..CubeParams::default() });
    rig.run_s(1.0);
    assert_eq!(rig.outputs.actuators.power, PowerState::Off);
    rig.senses.charger_ma = 300.0;
    rig.run_s(31.2);
    assert!((rig.cube.charge_percent() - 1.0).abs() < 1e-6, "{}", rig.cube.charge_percent());
    assert_eq!(rig.outputs.actuators.power, PowerState::Off);
    rig.cube.power_on();
    rig.run_s(1.0);
    assert_eq!(rig.outputs.actuators.power, PowerState::On);
    assert!(rig.cube.connect());
    rig.cube.subscribe_all();
    rig.take(0x108);
    // 240 mA are left beside 60 mA at rest: 5 % of 260 mAh after 156 s at the most, which rounds to 10.
    rig.run_s(160.0);
    let told = rig.take(0x108);
    assert_eq!((told.first(), told.last()), (Some(&vec![0]), Some(&vec![10])));
}

/// Yaw is 0 at the heading that the cube has when its power comes, also when it has been on from the start (fault 2 in the whole
/// cube).
#[test]
fn yaw_is_zero_where_the_power_came() {
    let params = CubeParams { attitude: toio_cube_sim::attitude::AttitudeParams::exact(), ..CubeParams::default() };
    let mut rig = Rig::with(params);
    let yaw = |rig: &mut Rig| {
        rig.take(0x106);
        rig.write(0x106, "83 01");
        rig.step();
        let said = rig.take(0x106);
        i16::from_le_bytes([said[0][6], said[0][7]])
    };
    rig.senses.attitude.yaw_rad = 1.0;
    assert_eq!(yaw(&mut rig), 0);
    rig.senses.attitude.yaw_rad = 1.0 + 30.0_f64.to_radians();
    assert_eq!(yaw(&mut rig), 30);
    rig.cube.power_off();
    rig.run(60);
    rig.senses.attitude.yaw_rad = 2.0;
    rig.run(60);
    rig.cube.power_on();
    rig.run(60);
    assert!(rig.cube.connect());
    rig.cube.subscribe_all();
    assert_eq!(yaw(&mut rig), 0);
}

#[test]
fn parameters_out_of_range_are_refused() {
    let with = |change: &dyn Fn(&mut CubeParams)| {
        let mut params = CubeParams::default();
        change(&mut params);
        Cube::new(params).map_err(|error| error.field).err()
    };
    assert_eq!(with(&|p| p.step_hz = 49), Some("step_hz"));
    assert_eq!(with(&|p| p.step_hz = 1001), Some("step_hz"));
    assert_eq!(with(&|p| p.dots_per_m = 0.0), Some("dots_per_m"));
    assert_eq!(with(&|p| p.dots_per_m = f64::NAN), Some("dots_per_m"));
    assert_eq!(with(&|p| p.charge_percent = 101.0), Some("charge_percent"));
    assert_eq!(with(&|_| {}), None);
}
