//! Texts that are not JSON, or hardly: each fault at its line and column, in words that say what to change.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{assert_faults, lines, read};
use proptest::prelude::*;
use sim_input::diagnostic::{Fault, Origin};
use sim_input::text::{self, SIZE_MAX};
use sim_input::tree::{MAX_DEPTH, Value};
use std::fs;

fn faults(text: &str) -> Vec<Fault> {
    read(text).err().map(|fault| *fault).into_iter().collect()
}

fn assert_fault(marked: &str, message: &str) {
    assert_faults(marked, &[message], faults);
}

#[test]
fn punctuation_that_is_missing_or_too_much() {
    assert_fault("{\n  \"a\" §1\n}", "a colon is missing here");
    assert_fault("{\"a\":§}", "`}` has no place here");
    assert_fault("[1§ 2]", "a comma is missing here");
    assert_fault("{\"a\": 1§ \"b\": 2}", "a comma is missing here");
    assert_fault("[1§,]", "a comma stands before the closing bracket; take it out");
    assert_fault("{\"a\": 1§,\n}", "a comma stands before the closing bracket; take it out");
    assert_fault("[§,1]", "`,` has no place here");
    assert_fault("[§}", "`}` has no place here");
    assert_fault("{} §{}", "something follows after the end");
}

#[test]
fn what_is_opened_and_never_closed() {
    assert_fault("\n§{\"a\": 1", "this object is never closed: the text ends before its `}`");
    assert_fault("{\"a\": §[1, 2", "this list is never closed: the text ends before its `]`");
    assert_fault("{\"a\": §\"b}", "this text is never closed by a double quote");
    assert_fault("{\"a\": §\"b\n}", "this text is never closed by a double quote");
}

#[test]
fn what_other_languages_allow() {
    assert_fault("§// mine\n{}", "JSON has no comments");
    assert_fault("{\n  \"a\": 1, §/* two */ \"b\": 2}", "JSON has no comments");
    assert_fault("{§a: 1}", "a key stands in double quotes");
    assert_fault("[§'a']", "text stands in double quotes, not in single ones");
    assert_fault("[§True]", "`True` has no place here");
    assert_fault("[§None]", "`None` has no place here");
}

#[test]
fn numbers_are_written_in_one_way() {
    assert_fault("[§.5]", "a number needs digits on both sides of its point: 0.5, not .5");
    assert_fault("[§+1]", "a number has no plus sign in front");
    assert_fault("[§0x1F]", "a number is written in decimal digits");
    assert_fault("[§NaN]", "NaN is not a number that JSON knows; write a finite one");
    assert_fault("[§Infinity]", "Infinity is not a number that JSON knows; write a finite one");
    assert_fault("[§-Infinity]", "-Infinity is not a number that JSON knows; write a finite one");
    assert_fault("{\"a\": §inf}", "inf is not a number that JSON knows; write a finite one");
    for text in ["[01]", "[1.]", "[1e]", "[1e+]", "[-]", "[--1]", "[1.5.2]"] {
        let fault = read(text).unwrap_err();
        let Some(Origin::Text(span)) = &fault.origin else { panic!("{text}: {fault:?}") };
        assert!(span.start > 0 && span.end <= text.len() && !fault.message.is_empty(), "{text}: {fault:?}");
    }
}

/// Numbers stay as they were written: what a key allows is decided later, and nothing is lost on the way.
#[test]
fn numbers_keep_their_letters() {
    for number in ["0", "-0", "1E5", "-1.25e-3", "1e999", "123456789012345678901234567890", "0.1000"] {
        let tree = read(&format!("[{number}]")).unwrap();
        let Value::List(items) = tree.value else { panic!("{number}") };
        assert_eq!(items[0].value, Value::Number(number.to_owned()));
    }
}

#[test]
fn text_has_its_escapes_and_no_control_characters() {
    let tree = read(r#"["\"\\\/\b\f\n\r\t\u00e4\ud83d\ude00", "ä"]"#).unwrap();
    let Value::List(items) = tree.value else { panic!() };
    assert_eq!(items[0].value, Value::Text("\"\\/\u{8}\u{c}\n\r\tä\u{1f600}".to_owned()));
    assert_eq!(items[1].value, Value::Text("ä".to_owned()));
    assert_fault("{\n\"a\": \"x§\ty\"}", "a control character stands in this text; write it as \\u0009");
    assert_fault("[\"§\u{0}\"]", "a control character stands in this text; write it as \\u0000");
    assert!(read(r#"["\q"]"#).unwrap_err().message.contains("the backslash begins nothing that JSON knows"));
    assert!(read(r#"["\ud83d"]"#).is_err(), "half of a pair stands for nothing");
}

#[test]
fn a_text_with_nothing_in_it_is_told_the_least_that_is_needed() {
    for nothing in ["", " ", "\r\n\t\n"] {
        assert_fault(&format!("§{nothing}"), r#"there is nothing here; the least that is needed is {"name": "x"}"#);
    }
}

/// Deeper files exist only to break readers.
#[test]
fn nesting_has_an_end() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert!(read(&nested(MAX_DEPTH)).is_ok());
    let marked = format!("{}§{}", "[".repeat(MAX_DEPTH), nested(1));
    assert_fault(&marked, "lists and objects are nested more than 32 deep");
    let objects = format!("{}1{}", "{\"a\":\n".repeat(MAX_DEPTH), "}".repeat(MAX_DEPTH));
    assert!(read(&objects).is_ok());
    // A million brackets take no stack.
    assert!(read(&"[".repeat(1_000_000)).unwrap_err().message.contains("nested"));
    // What is closed again is not nested.
    assert!(read(&format!("[{}[]]", "[],".repeat(10_000))).is_ok());
}

#[test]
fn lines_end_with_line_feeds_and_columns_count_characters() {
    assert_fault("{\r\n  \"a\": 1,\r\n  §b: 2\r\n}", "a key stands in double quotes");
    assert_fault("[\"äöü\u{1f600}\", §b]", "`b` has no place here");
    assert_fault("[\n\n\n    §b]", "`b` has no place here");
}

/// Some editors put a byte order mark in front: it is no part of the text, and columns do not count it.
#[test]
fn a_byte_order_mark_is_left_out() {
    let text = text::decode(b"\xef\xbb\xbf{a: 1}", "a.json", "a scenario").unwrap();
    assert_eq!(text, "{a: 1}");
    assert_eq!(lines(&text, &[], faults(&text)), ["a.json:1:2: a key stands in double quotes"]);
    // A second one is a letter that JSON does not know.
    let twice = text::decode("\u{feff}\u{feff}{}".as_bytes(), "a.json", "a scenario").unwrap();
    assert!(read(&twice).is_err());
}

#[test]
fn bytes_that_are_no_text_are_told_with_their_place() {
    let refused = |bytes: &[u8]| text::decode(bytes, "a.json", "a scenario").unwrap_err().to_string();
    let save = "is not UTF-8; save the file as UTF-8";
    assert_eq!(refused(b"\xe4"), format!("a.json:1:1: the byte 0xE4 {save}"));
    assert_eq!(refused(b"{\n \"\xc3\xa4\": \"\xe4\"}"), format!("a.json:2:8: the byte 0xE4 {save}"));
    // The first byte of a letter whose others are missing, and UTF-16 with its mark.
    assert_eq!(refused(b"[\"\xc3"), format!("a.json:1:3: the byte 0xC3 {save}"));
    assert_eq!(refused(b"\xff\xfe{\0}\0"), format!("a.json:1:1: the byte 0xFF {save}"));
    assert_eq!(text::decode(b"", "a.json", "a scenario").unwrap(), "");
}

#[test]
fn files_that_cannot_be_read_are_told_by_their_name() {
    let folder = tempfile::tempdir().unwrap();
    let read = |name: &str| text::read(&folder.path().join(name), "a scenario").map_err(|refused| refused.to_string());
    let named = |name: &str| folder.path().join(name).display().to_string();
    assert_eq!(
        read("none.json").unwrap_err(),
        format!("{}: cannot be opened: No such file or directory (os error 2)", named("none.json"))
    );
    fs::create_dir(folder.path().join("folder.json")).unwrap();
    assert!(read("folder.json").unwrap_err().starts_with(&format!("{}: cannot be ", named("folder.json"))));
    fs::write(folder.path().join("good.json"), "\u{feff}{}").unwrap();
    assert_eq!(read("good.json").unwrap(), "{}");

    let size = usize::try_from(SIZE_MAX).unwrap();
    fs::write(folder.path().join("large.json"), vec![b' '; size]).unwrap();
    assert_eq!(read("large.json").unwrap().len(), size);
    fs::write(folder.path().join("large.json"), vec![b' '; size + 1]).unwrap();
    let message = format!("{}: is larger than 8 MiB: is it a scenario?", named("large.json"));
    assert_eq!(read("large.json").unwrap_err(), message);
}

/// Texts that come near to JSON.
fn any_text() -> impl Strategy<Value = String> {
    let pieces = vec![
        "{", "}", "[", "]", ":", ",", "\"a\"", "\"", "1", "-", ".5", "1e999", "null", "tru", "\\", "\\u00", "'", "//",
        "/*", " ", "\n", "\r", "\t", "ä", "\u{feff}", "\u{0}",
    ];
    prop_oneof![
        prop::collection::vec(prop::sample::select(pieces), 0..24).prop_map(|pieces| pieces.concat()),
        ".{0,40}"
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// This parser takes what the reference parser takes, and refuses with a place inside of the text.
    #[test]
    fn texts_are_json_or_have_a_place_that_is_wrong(text in any_text()) {
        let is_json = serde_json::from_str::<serde_json::Value>(&text);
        match read(&text) {
            // Numbers beyond all bounds are left to the schema.
            Ok(tree) => prop_assert!(text.contains("1e999") || is_json.is_ok_and(|json| json == tree.json()), "{:?}", text),
            Err(fault) => {
                prop_assert!(is_json.is_err(), "{:?}: {}", text, fault.message);
                let Some(Origin::Text(span)) = &fault.origin else { return Err(TestCaseError::fail("no place")) };
                prop_assert!(span.start <= span.end && span.end <= text.len().max(1), "{:?}: {:?}", text, span);
                prop_assert!(!fault.message.is_empty() && !fault.message.contains('\n'), "{:?}: {:?}", text, fault.message);
                prop_assert_eq!(lines(&text, &[], vec![*fault]).len(), 1);
            }
        }
    }
}
