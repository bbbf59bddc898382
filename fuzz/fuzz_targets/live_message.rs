//! Any bytes as the head of a request, and any text as a message of a page: no panic, and only what the limits allow comes through.

#![no_main]

use libfuzzer_sys::fuzz_target;
use sim_live::message::{self, MAX_ROWS, MAX_STEPS, Message};
use sim_live::server::http::{Answer, Policy, answer, answer_program, end_of_head};
use sim_world::{Cadence, Column, ColumnKind, Stream};

fuzz_target!(|input: &[u8]| {
    let policy = Policy {
        address: ([127, 0, 0, 1], 8123).into(),
        token: "00ff".into(),
        nonce: "n".into(),
        serves_devices: true,
        origins: vec!["https://example.org".into()],
    };
    let head = &input[..end_of_head(input).unwrap_or(input.len())];
    if let Answer::Page { host } | Answer::Script { host } = answer(head, &policy) {
        assert!(host.ends_with(":8123"), "{host}");
    }
    let _ = answer_program(head, policy.address);
    let Ok(text) = std::str::from_utf8(input) else { return };
    match message::parse(text) {
        Ok(Message::Rows { rows, .. }) => {
            assert!(rows.len() <= MAX_ROWS);
            let columns = [Column::integer("cube", ""), Column::text("word", ""), Column::new("hex", ColumnKind::Bytes, "")];
            let stream = Stream::new("writes", "", Cadence::OnEvent { at_most: None }, columns);
            for cells in rows {
                if let Ok(row) = message::row(&stream, cells) {
                    assert_eq!(row.len(), stream.columns.len());
                }
            }
        }
        Ok(Message::Step { n }) => assert!((1..=MAX_STEPS).contains(&n)),
        _ => {}
    }
});
