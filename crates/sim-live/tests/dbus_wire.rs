//! The wire format of D-Bus: bytes of another implementation, values there and back, and bytes that mean nothing.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use proptest::prelude::*;
use sim_live::link::clocks::Line;
use sim_live::link::dbus::wire::{Kind, MAX_MESSAGE_BYTES, Message, Value, message_bytes};
use sim_live::link::dbus::{Auth, MatchRule};

/// A write of a motor command, as dbus-fast 5.2.0 encodes it.
const CALL: &str = "6c0100012800000007000000ad00000001016f003a0000002f6f72672f626c75657a2f686369302f6465765f46305f30305f30305f30305f\
30305f30302f73657276696365303030612f6368617230303066000000000000020173001d0000006f72672e626c75657a2e47617474436861726163746572697374\
696331000000030173000a000000577269746556616c756500000000000006017300090000006f72672e626c75657a0000000000000008016700076179617b73767d\
00000000080000000201011e02011e641800000004000000747970650001730007000000636f6d6d616e6400";

/// A device that appears, as dbus-fast 5.2.0 encodes it.
const ADDED: &str = "6c04000104010000090000006800000001016f00010000002f0000000000000002017300220000006f72672e667265656465736b746f702e44\
4275732e4f626a6563744d616e61676572000000000000030173000f000000496e7465726661636573416464656400080167000a6f617b73617b73767d7d00250000\
002f6f72672f626c75657a2f686369302f6465765f46305f30305f30305f30305f30305f3030000000d4000000110000006f72672e626c75657a2e44657669636531\
000000b400000000000000040000005253534900016e00d7ff000005000000555549447300026173000000290000002400000031306232303130302d356233622d34\
3537312d393530382d6366336566636437626261650000000009000000436f6e6e65637465640001620000000000000000030000004d54550001710000b900000005\
000000466c616773000261790000000100000006000000070000004164617074657200016f00000f0000002f6f72672f626c75657a2f6863693000";
/// Bytes of its body.
const ADDED_BODY: usize = 0x104;

fn bytes(hex: &str) -> Vec<u8> {
    hex.as_bytes().chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap()).collect()
}

#[test]
fn a_call_of_another_implementation_is_read() {
    let message = Message::parse(&bytes(CALL)).unwrap();
    let expected = Message {
        kind: Kind::Call,
        serial: 7,
        path: "/org/bluez/hci0/dev_F0_00_00_00_00_00/service000a/char000f".to_owned(),
        interface: "org.bluez.GattCharacteristic1".to_owned(),
        member: "WriteValue".to_owned(),
        destination: "org.bluez".to_owned(),
        body: vec![
            Value::Bytes(vec![2, 1, 1, 30, 2, 1, 30, 100]),
            Value::properties([("type", Value::str("command"))]),
        ],
        ..Message::default()
    };
    assert_eq!(message, expected);
}

#[test]
fn a_body_has_the_bytes_of_another_implementation() {
    let known = bytes(ADDED);
    let properties = [
        ("RSSI", Value::I16(-41)),
        ("UUIDs", Value::strings(["10b20100-5b3b-4571-9508-cf3efcd7bbae"])),
        ("Connected", Value::Bool(false)),
        ("MTU", Value::U16(185)),
        ("Flags", Value::Bytes(vec![6])),
        ("Adapter", Value::Path("/org/bluez/hci0".to_owned())),
    ];
    let interfaces = vec![(Value::str("org.bluez.Device1"), Value::properties(properties))];
    let body = vec![
        Value::Path("/org/bluez/hci0/dev_F0_00_00_00_00_00".to_owned()),
        Value::Dict("sa{sv}".to_owned(), interfaces),
    ];
    assert_eq!(Message::parse(&known).unwrap().body, body);
    let signal = Message {
        kind: Kind::Signal,
        serial: 9,
        path: "/".to_owned(),
        interface: "org.freedesktop.DBus.ObjectManager".to_owned(),
        member: "InterfacesAdded".to_owned(),
        body,
        ..Message::default()
    };
    let mut written = Vec::new();
    signal.write_to(&mut written);
    assert_eq!(written[written.len() - ADDED_BODY..], known[known.len() - ADDED_BODY..]);
    let told = Message { wants_no_reply: true, ..signal };
    assert_eq!(Message::parse(&written).unwrap(), told, "nothing answers a signal");
}

/// A message is taken when it is whole, and not before.
#[test]
fn messages_are_told_by_their_length() {
    let whole = bytes(CALL);
    for length in 0..whole.len() {
        assert_eq!(message_bytes(&whole[..length]), Ok(None), "{length}");
    }
    let two = [&whole[..], &whole[..]].concat();
    assert_eq!(message_bytes(&two), Ok(Some(whole.len())));
    // Bytes 4 to 7 are the length of the body, 12 to 15 that of the header's fields.
    for at in [6, 14] {
        let mut long = whole.clone();
        long[at] = 0xff;
        assert!(message_bytes(&long).is_err());
    }
    let mut other = whole.clone();
    other[0] = b'B';
    assert!(message_bytes(&other).is_err(), "big-endian messages are not read");
}

/// Containers in containers, as deep as a signature of 255 bytes lets them be, end in an error and not in a full stack.
#[test]
fn nesting_has_an_end() {
    let inner = (0..100).fold(Value::Byte(1), |value, _| value.variant());
    let message = Message { serial: 1, path: "/".to_owned(), body: vec![inner], ..Message::default() };
    let mut written = Vec::new();
    message.write_to(&mut written);
    assert!(Message::parse(&written).is_err());
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<u8>().prop_map(Value::Byte),
        any::<bool>().prop_map(Value::Bool),
        any::<i16>().prop_map(Value::I16),
        any::<u16>().prop_map(Value::U16),
        any::<i32>().prop_map(Value::I32),
        any::<u32>().prop_map(Value::U32),
        any::<i64>().prop_map(Value::I64),
        any::<u64>().prop_map(Value::U64),
        (-1e9..1e9).prop_map(Value::F64),
        ".{0,20}".prop_map(Value::Str),
        proptest::collection::vec(any::<u8>(), 0..40).prop_map(Value::Bytes),
        proptest::collection::vec("[a-z]{0,9}", 0..5).prop_map(Value::strings),
    ];
    leaf.prop_recursive(4, 32, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(Value::variant),
            proptest::collection::vec(inner.clone(), 1..4).prop_map(Value::Struct),
            proptest::collection::vec((".{0,8}", inner.clone()), 0..4).prop_map(|pairs| {
                let pairs = pairs.into_iter().map(|(name, value)| (Value::Str(name), value.variant()));
                Value::Dict("sv".to_owned(), pairs.collect())
            }),
            proptest::collection::vec(inner, 0..4)
                .prop_map(|values| { Value::Array("v".to_owned(), values.into_iter().map(Value::variant).collect()) }),
        ]
    })
}

proptest! {
    #[test]
    fn values_come_back_as_they_went(body in proptest::collection::vec(value(), 0..4)) {
        // A signature has at most 255 bytes.
        prop_assume!(body.iter().map(Value::signature).collect::<String>().len() <= 255);
        let path = "/a".to_owned();
        let message = Message { kind: Kind::Call, serial: 5, path, member: "M".to_owned(), body, ..Message::default() };
        let mut written = Vec::new();
        message.write_to(&mut written);
        prop_assert_eq!(message_bytes(&written), Ok(Some(written.len())));
        prop_assert_eq!(Message::parse(&written).unwrap(), message);
    }

    #[test]
    fn bytes_that_mean_nothing_do_no_harm(input in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = Message::parse(&input);
        let _ = Line::parse(&input);
        let _ = MatchRule::parse(&String::from_utf8_lossy(&input));
        let (mut auth, mut output) = (Auth::default(), Vec::new());
        let _ = auth.advance("0", &mut input.clone(), &mut output);
    }

    /// One byte of a message is another one: whatever is read keeps to the length of the message.
    #[test]
    fn damaged_messages_do_no_harm(at in 0_usize..400, byte in any::<u8>(), which in any::<bool>()) {
        let mut input = bytes(if which { CALL } else { ADDED });
        let at = at % input.len();
        input[at] = byte;
        if let Ok(Some(length)) = message_bytes(&input) {
            prop_assert!(length <= MAX_MESSAGE_BYTES);
            let _ = Message::parse(&input[..length]);
        }
    }
}
