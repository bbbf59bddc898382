//! Reads and subscriptions (toio facts, sections 5 and 13): what a client gets that asks, and what one that does not.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

#[path = "common/rig.rs"]
mod rig;

use rig::{Rig, bytes};
use toio_cube_sim::att::{ReadAnswer, Request};
use toio_cube_sim::radio::Delivery;
use toio_cube_sim::{Characteristic, Profile, Protocol};

/// A client that has connected again and subscribed to nothing.
fn unsubscribed(protocol: Protocol) -> Rig {
    let mut rig = Rig::for_profile(protocol, Profile::Device);
    rig.cube.disconnect();
    assert!(rig.cube.connect());
    rig
}

/// Everything that notifies happens, and nothing comes.
#[test]
fn without_a_subscription_nothing_is_notified() {
    let mut rig = unsubscribed(Protocol::V2_5_0);
    rig.write(0x1ff, "01 00");
    rig.write(0x1ff, "1d 00 01 01 00");
    rig.write(0x106, "81");
    rig.write(0x102, "03 00 05 00 50 00 00 2c 01 fa 00 00 00");
    rig.senses.button_is_pressed = true;
    rig.run_s(11.0);
    assert!(rig.heard.is_empty(), "{:?}", rig.heard);
}

/// Each subscription by itself, and its end.
#[test]
fn a_subscription_is_for_one_characteristic() {
    let mut rig = unsubscribed(Protocol::V2_5_0);
    assert!(rig.cube.subscribe(Characteristic::Battery, true));
    rig.run_s(11.0);
    assert!(rig.heard.iter().all(|message| message.characteristic == Characteristic::Battery));
    assert_eq!(rig.take(0x108).len(), 2, "every 5 s");
    assert!(rig.cube.subscribe(Characteristic::Battery, false));
    assert!(rig.cube.subscribe(Characteristic::Id, true));
    rig.run_s(11.0);
    assert!(rig.take(0x108).is_empty() && !rig.take(0x101).is_empty());
    // A subscription ends with its connection.
    rig.cube.disconnect();
    assert!(rig.cube.connect());
    rig.run_s(1.0);
    assert!(rig.heard.is_empty(), "{:?}", rig.heard);
}

/// Section 5: lamp and speaker do not notify, and the motor does from 2.1.0 on.
#[test]
fn what_does_not_notify_takes_no_subscription() {
    for protocol in [Protocol::V2_0_0, Protocol::V2_1_0, Protocol::V2_5_0] {
        let mut rig = unsubscribed(protocol);
        for characteristic in Characteristic::ALL {
            let expected = match characteristic {
                Characteristic::Light | Characteristic::Sound => false,
                Characteristic::Motor => protocol >= Protocol::V2_1_0,
                _ => true,
            };
            assert_eq!(rig.cube.subscribe(characteristic, true), expected, "{protocol} {characteristic:?}");
        }
        rig.cube.disconnect();
        assert!(!rig.cube.subscribe(Characteristic::Id, true), "no client");
    }
}

/// The way of toio.py: write the version request, then read until the answer is there. No subscription is needed.
#[test]
fn a_client_that_reads_gets_the_present_value() {
    let mut rig = unsubscribed(Protocol::V2_4_0);
    let read = |rig: &mut Rig, short_id: u16| {
        let characteristic = Characteristic::from_short_id(short_id).unwrap();
        let answer = rig.cube.serve(&Request::Read(characteristic)).unwrap();
        assert_eq!(answer.characteristic, characteristic);
        answer.value.map(|value| value.to_vec())
    };
    assert_eq!(read(&mut rig, 0x1ff), None, "no answer yet");
    assert_eq!(rig.cube.serve(&Request::Write(Characteristic::Configuration, bytes("01 00"))), None);
    assert_eq!(read(&mut rig, 0x1ff), Some(bytes("81 00 32 2e 34 2e 30")));
    rig.step();
    assert_eq!(read(&mut rig, 0x101), Some(bytes("01 fa 00 fa 00 00 00 fa 00 fa 00 00 00")));
    assert_eq!(read(&mut rig, 0x107), Some(bytes("01 00")));
    assert_eq!(read(&mut rig, 0x108), Some(bytes("64")));
    assert_eq!(read(&mut rig, 0x103), None, "the lamp cannot be read");
    let light = Characteristic::Light;
    assert_eq!(rig.cube.serve(&Request::Read(light)), Some(ReadAnswer { characteristic: light, value: None }));
}

/// Section 5: the motor is written without response. A subscription is a write of two bytes to the descriptor, with response.
#[test]
fn requests_wait_and_commands_do_not() {
    let write = |characteristic| Request::Write(characteristic, vec![1]).delivery();
    assert_eq!(write(Characteristic::Motor), Delivery::Unacknowledged);
    for characteristic in [Characteristic::Light, Characteristic::Sound, Characteristic::Configuration] {
        assert_eq!(write(characteristic), Delivery::Acknowledged);
    }
    assert_eq!(Request::Read(Characteristic::Id).delivery(), Delivery::Acknowledged);
    let [on, off] = [true, false].map(|is_on| Request::Subscribe(Characteristic::Id, is_on));
    assert_eq!((on.bytes(), off.bytes(), on.delivery()), (&[1, 0][..], &[0, 0][..], Delivery::Acknowledged));
}
