//! The Standard IDs of the facts, section 4: names, numbers, symbols and sizes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_core::DVec2;
use std::collections::BTreeSet;
use toio_mat::{Card, PlanePose, STANDARD_ITEMS, StandardItem};

/// Collection items, row by row: name, number shown (3 670 000 is added), width in mm (0: the facts give none).
const COLLECTION: [(&str, u32, f64); 50] = [
    ("typhoon", 16, 57.5),
    ("rush", 54, 57.5),
    ("auto-tackle", 18, 57.5),
    ("random", 56, 57.5),
    ("powered-up-strike", 20, 57.5),
    ("powered-up-slap", 58, 57.5),
    ("side-attack", 22, 57.5),
    ("easy-mode", 60, 57.5),
    ("rhythm-left", 24, 57.5),
    ("rhythm-right", 62, 57.5),
    ("rhythm-forward", 26, 57.5),
    ("rhythm-back", 64, 57.5),
    ("rhythm-go", 28, 57.5),
    ("skunk-blue", 78, 179.0),
    ("skunk-green", 42, 162.0),
    ("skunk-yellow", 80, 145.0),
    ("skunk-orange", 44, 133.5),
    ("skunk-red", 82, 128.5),
    ("skunk-brown", 46, 122.5),
    ("sticker-speed-up", 66, 57.5),
    ("sticker-slow-down", 30, 57.5),
    ("sticker-wobble", 68, 57.5),
    ("sticker-panic", 32, 57.5),
    ("sticker-spin", 70, 57.5),
    ("sticker-shock", 34, 57.5),
    ("mark-craft-fighter", 48, 30.0),
    ("mark-rhythm-and-go", 52, 30.0),
    ("mark-skunk-chaser", 86, 30.0),
    ("mark-finger-strike", 50, 30.0),
    ("mark-finger-strike-1p", 88, 30.0),
    ("mark-free-move", 84, 30.0),
    ("quick-skunk-2p", 92, 0.0),
    ("quick-skunk-cpu", 94, 0.0),
    ("kaiju-busters", 96, 0.0),
    ("watch-out-free", 98, 0.0),
    ("watch-out-2p", 100, 0.0),
    ("watch-out-cpu", 102, 0.0),
    ("color-memory", 104, 0.0),
    ("laser-beam-challenge", 106, 0.0),
    ("laser-beam-create", 108, 0.0),
    ("baton", 110, 0.0),
    ("pull-back", 112, 0.0),
    ("dash", 114, 0.0),
    ("dont-disturb-normal", 116, 0.0),
    ("dont-disturb-rodeo", 118, 0.0),
    ("answer", 120, 0.0),
    ("music-1", 122, 0.0),
    ("music-2", 124, 0.0),
    ("music-3", 126, 0.0),
    ("music-4", 128, 0.0),
];

/// Simple cards beyond digits and letters: name, symbol, value.
const SYMBOLS: [(&str, char, u32); 12] = [
    ("simple-exclamation", '!', 3_670_305),
    ("simple-percent", '%', 3_670_309),
    ("simple-times", '×', 3_670_314),
    ("simple-plus", '+', 3_670_315),
    ("simple-minus", '−', 3_670_317),
    ("simple-divide", '÷', 3_670_319),
    ("simple-left", '←', 3_670_332),
    ("simple-equals", '=', 3_670_333),
    ("simple-right", '→', 3_670_334),
    ("simple-question", '?', 3_670_335),
    ("simple-up", '↑', 3_670_366),
    ("simple-down", '↓', 3_670_367),
];

fn named(name: &str) -> StandardItem {
    name.parse().unwrap()
}

fn check_simple(name: &str, symbol: char, value: u32) {
    let item = named(name);
    assert_eq!((item.name, item.value), (name, value));
    assert_eq!(StandardItem::with_symbol(symbol), Some(item), "{symbol}");
    assert_eq!(StandardItem::with_value(value), Some(item), "{value}");
    assert_eq!(item.size_mm[0], 40.0, "{name}");
}

#[test]
fn collection_items_have_their_numbers_and_widths() {
    for (name, number, width_mm) in COLLECTION {
        let item = named(name);
        assert_eq!((item.name, item.value), (name, 3_670_000 + number));
        assert_eq!(StandardItem::with_value(3_670_000 + number), Some(item), "{name}");
        // Decided: what has no width in the facts is as wide as a card of the collection.
        assert_eq!(item.size_mm[0], if width_mm == 0.0 { 57.5 } else { width_mm }, "{name}");
    }
}

#[test]
fn simple_digits_are_0x380130_and_on() {
    for n in 0..10_u32 {
        assert_eq!(0x0038_0130 + n, 3_670_320 + n);
        check_simple(&format!("simple-{n}"), char::from_digit(n, 10).unwrap(), 3_670_320 + n);
    }
}

#[test]
fn simple_letters_are_0x380100_and_their_ascii_code() {
    for letter in 'A'..='Z' {
        let name = format!("simple-{}", letter.to_ascii_lowercase());
        check_simple(&name, letter, 3_670_337 + (u32::from(letter) - u32::from('A')));
    }
    assert_eq!((named("simple-a").value, named("simple-z").value), (0x0038_0141, 0x0038_015A));
}

#[test]
fn simple_symbols_have_their_numbers() {
    for (name, symbol, value) in SYMBOLS {
        check_simple(name, symbol, value);
    }
}

#[test]
fn the_table_holds_these_items_and_no_others() {
    assert_eq!(STANDARD_ITEMS.len(), COLLECTION.len() + 10 + 26 + SYMBOLS.len());
    let count = |key: fn(&StandardItem) -> String| STANDARD_ITEMS.iter().map(key).collect::<BTreeSet<_>>().len();
    assert_eq!(count(|item| item.name.to_owned()), STANDARD_ITEMS.len());
    assert_eq!(count(|item| item.value.to_string()), STANDARD_ITEMS.len());
    assert_eq!(StandardItem::with_value(3_670_017), None);
    assert_eq!(StandardItem::with_symbol('a'), None);
}

/// Byte vector V02: `02 00 00 38 00 15 00` is the Typhoon card.
#[test]
fn v02_is_typhoon() {
    let value = u32::from_le_bytes([0x00, 0x00, 0x38, 0x00]);
    assert_eq!(StandardItem::with_value(value), Some(named("typhoon")));
    assert_eq!(named("typhoon").title, "Typhoon");
}

#[test]
fn an_unknown_name_is_answered_with_all_names() {
    let error = "Typhoon".parse::<StandardItem>().unwrap_err();
    assert_eq!((error.what, error.given.as_str(), error.known.len()), ("Standard ID", "Typhoon", STANDARD_ITEMS.len()));
    let text = error.to_string();
    assert!(STANDARD_ITEMS.iter().all(|item| text.contains(item.name)), "{text}");
}

/// Heights follow from the shape of the pictures, in pixels, that the simulator draws with the facts' widths; 0.05 mm is the
/// rounding of the table.
#[test]
fn heights_have_the_shape_of_the_pictures() {
    for (name, pixels) in [
        ("typhoon", [652.0, 652.0]),
        ("rhythm-go", [652.0, 652.0]),
        ("sticker-spin", [650.0, 650.0]),
        ("mark-free-move", [682.0, 682.0]),
        ("skunk-blue", [2253.0, 403.0]),
        ("skunk-green", [2041.0, 453.0]),
        ("skunk-yellow", [1823.0, 501.0]),
        ("skunk-orange", [1693.0, 553.0]),
        ("skunk-red", [1625.0, 616.0]),
        ("skunk-brown", [1551.0, 707.0]),
        ("simple-7", [535.0, 502.0]),
    ] {
        let [width_mm, height_mm] = named(name).size_mm;
        assert!((height_mm - width_mm * pixels[1] / pixels[0]).abs() <= 0.05, "{name} is {height_mm} mm high");
    }
}

#[test]
fn cards_are_as_large_as_their_item_unless_a_size_is_given() {
    let pose = PlanePose::new(10.0, 20.0, 0.0);
    let card = Card::new(named("skunk-blue"), pose).unwrap();
    assert_eq!((card.value(), card.size_mm().x, card.pose()), (3_670_078, 179.0, pose));
    let own = Card::sized(3_670_092, [90.0, 60.0], pose).unwrap();
    assert_eq!((own.value(), own.size_mm()), (3_670_092, DVec2::new(90.0, 60.0)));
    let expected = [(-35.0, -10.0), (55.0, -10.0), (55.0, 50.0), (-35.0, 50.0)];
    assert_eq!(own.corners_mm(), expected.map(|(x, y)| DVec2::new(x, y)));
}

#[test]
fn impossible_cards_are_refused() {
    for bad in [0.0, -40.0, f64::NAN, f64::INFINITY] {
        assert_eq!(Card::sized(1, [bad, 40.0], PlanePose::ORIGIN).unwrap_err().field, "width_mm");
        assert_eq!(Card::sized(1, [40.0, bad], PlanePose::ORIGIN).unwrap_err().field, "height_mm");
    }
    for (pose, field) in [
        (PlanePose::new(f64::NAN, 0.0, 0.0), "x_mm"),
        (PlanePose::new(0.0, f64::INFINITY, 0.0), "y_mm"),
        (PlanePose::new(0.0, 0.0, f64::NAN), "yaw_rad"),
    ] {
        assert_eq!(Card::new(named("dash"), pose).unwrap_err().field, field);
    }
}
