//! The speaker: toio facts, sections 6.4, 8.8, 10 and the sound rows of section 14.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use toio_cube_sim::micros::Micros;
use toio_cube_sim::sound::{
    FULL_VOLUME, Jingle, MAX_SOUND_OPS, Mute, REST, SoundOp, Speaker, effect_notes, jingle_notes, note_hz,
};

fn ms(ms: u64) -> Micros {
    Micros::from_ms(ms)
}

fn op(duration_10_ms: u8, note: u8) -> SoundOp {
    SoundOp { duration_10_ms, note, volume: 255 }
}

/// What is heard as runs of (ms, note), looked at every millisecond; a rest is note 128.
fn heard(speaker: &Speaker, span_ms: u64) -> Vec<(u16, u8)> {
    let mut runs: Vec<(u16, u8)> = Vec::new();
    for t in 0..span_ms {
        let note = speaker.sounding(ms(t)).map_or(REST, |s| s.note);
        match runs.last_mut() {
            Some((length, last)) if *last == note => *length += 1,
            _ => runs.push((1, note)),
        }
    }
    runs
}

/// Section 6.4, all eleven effects and four jingles as printed there.
const EFFECTS: [&[(u16, u8)]; 11] = [
    &[(60, 71), (60, 67)],
    &[(40, 78), (200, 81)],
    &[(70, 69), (60, 67), (60, 66)],
    &[(70, 69)],
    &[(120, 62), (120, 67), (150, 71), (240, 67)],
    &[(120, 69), (150, 71), (150, 67), (240, 62)],
    &[(60, 66), (80, 69), (40, 74), (60, 76)],
    &[(80, 74), (30, 128), (80, 74), (30, 128), (140, 81)],
    &[(60, 71), (60, 67), (120, 74)],
    &[(70, 74)],
    &[(70, 66)],
];

#[test]
fn every_effect_plays_its_notes_once() {
    for (id, notes) in (0_u8..).zip(EFFECTS) {
        assert_eq!(effect_notes(id), Some(notes));
        let mut speaker = Speaker::default();
        speaker.play_effect(ms(0), id, 255).unwrap();
        let length: u64 = notes.iter().map(|&(ms, _)| u64::from(ms)).sum();
        assert_eq!(heard(&speaker, length), notes, "effect {id}");
        assert_eq!(speaker.sounding(ms(length)), None);
    }
}

#[test]
fn every_jingle_plays_its_notes_once() {
    let rows: [(Jingle, &[(u16, u8)]); 4] = [
        (Jingle::Connect, &[(120, 59), (120, 66), (120, 59), (120, 66), (360, 70)]),
        (Jingle::Disconnect, &[(120, 70), (120, 66), (120, 64), (360, 59)]),
        (Jingle::PowerOn, &[(120, 59), (120, 66), (360, 75)]),
        (Jingle::PowerOff, &[(120, 70), (120, 66), (240, 59)]),
    ];
    for (jingle, notes) in rows {
        assert_eq!(jingle_notes(jingle), notes);
        let mut speaker = Speaker::default();
        speaker.play_jingle(ms(0), jingle);
        let length: u64 = notes.iter().map(|&(ms, _)| u64::from(ms)).sum();
        assert_eq!(heard(&speaker, length), notes, "{jingle:?}");
        assert_eq!(speaker.sounding(ms(length)), None);
    }
}

/// V23 and V24: C5, D5, E5 of 300 ms each, endlessly and twice.
#[test]
fn v23_v24_three_notes() {
    let ops = [op(0x1e, 0x3c), op(0x1e, 0x3e), op(0x1e, 0x40)];
    let once = [(300, 60), (300, 62), (300, 64)];
    let mut speaker = Speaker::default();
    speaker.play_notes(ms(0), 2, &ops).unwrap();
    assert_eq!(heard(&speaker, 1900), [&once[..], &once[..], &[(100, REST)]].concat());
    speaker.play_notes(ms(0), 0, &ops).unwrap();
    assert_eq!(speaker.sounding(ms(900_000_300)).unwrap().note, 62);
    speaker.stop();
    assert_eq!(speaker.sounding(ms(900_000_301)), None);
}

/// Section 6.4: note 57 is 440 Hz, 12 notes are an octave, 128 is a rest. C5 and E5 by the table of equal temperament.
#[test]
fn notes_have_their_frequencies() {
    for (note, hz) in [(57, 440.0), (69, 880.0), (45, 220.0), (60, 523.251_130_601), (64, 659.255_113_826)] {
        assert!((note_hz(note).unwrap() / hz - 1.0).abs() < 1e-11, "note {note}");
    }
    assert_eq!((note_hz(128), note_hz(255)), (None, None));
    let ratio = note_hz(127).unwrap() / note_hz(126).unwrap();
    assert!((ratio * ratio * ratio * ratio - 1.259_921_049_894_873).abs() < 1e-12);
}

/// Section 6.4: 1 to 59 operations, durations 1 to 255, notes 0 to 128; a refused command changes nothing.
#[test]
fn wrong_notes_are_refused_and_change_nothing() {
    let mut speaker = Speaker::default();
    speaker.play_notes(ms(0), 0, &[op(10, 57)]).unwrap();
    let before = speaker.clone();
    assert!(speaker.play_notes(ms(1), 1, &[]).is_err());
    assert!(speaker.play_notes(ms(1), 1, &[op(1, 60); MAX_SOUND_OPS + 1]).is_err());
    assert!(speaker.play_notes(ms(1), 1, &[op(0, 60)]).is_err());
    assert!(speaker.play_notes(ms(1), 1, &[op(1, 129)]).is_err());
    assert_eq!(speaker, before);
    assert_eq!(MAX_SOUND_OPS, 59);
    assert!(speaker.play_notes(ms(1), 1, &[op(1, REST); MAX_SOUND_OPS]).is_ok());
}

/// Fault 17, sound: a bad effect is refused, where the Unity simulator plays effect 0; a volume of 0 is silent, where it is ignored.
#[test]
fn fault_17_bad_effects_are_refused_and_volume_counts() {
    let mut speaker = Speaker::default();
    speaker.play_effect(ms(0), 3, 255).unwrap();
    let before = speaker.clone();
    for id in 11..=255 {
        assert!(speaker.play_effect(ms(10), id, 255).is_err());
        assert_eq!(effect_notes(id), None);
    }
    assert_eq!(speaker, before);
    for (volume, is_heard) in [(0, false), (1, true), (0x1e, true), (255, true)] {
        speaker.play_effect(ms(0), 3, volume).unwrap();
        assert_eq!(speaker.sounding(ms(5)).map(|s| s.volume), is_heard.then_some(FULL_VOLUME), "volume {volume}");
        speaker.play_notes(ms(0), 1, &[SoundOp { duration_10_ms: 1, note: 57, volume }]).unwrap();
        assert_eq!(speaker.sounding(ms(5)).is_some(), is_heard, "volume {volume}");
    }
}

/// Section 6.7, `33`: 0 none, 1 all, 2 system sounds.
#[test]
fn mute_settings() {
    let rows = [(0, Mute::Nothing, true, true), (1, Mute::All, false, false), (2, Mute::System, true, false)];
    for (byte, mute, effect_heard, jingle_heard) in rows {
        assert_eq!(Mute::from_wire(byte), Some(mute));
        let mut speaker = Speaker::default();
        speaker.set_mute(mute);
        speaker.play_effect(ms(0), 4, 255).unwrap();
        assert_eq!(speaker.sounding(ms(1)).is_some(), effect_heard);
        speaker.play_jingle(ms(0), Jingle::PowerOn);
        assert_eq!(speaker.sounding(ms(1)).is_some(), jingle_heard);
        assert_eq!(speaker.mute(), mute);
    }
    assert!((3..=255).all(|byte| Mute::from_wire(byte).is_none()));
}

#[test]
fn the_newest_sound_wins() {
    let mut speaker = Speaker::default();
    speaker.play_notes(ms(0), 0, &[op(10, 57)]).unwrap();
    speaker.play_jingle(ms(50), Jingle::Connect);
    assert_eq!(speaker.sounding(ms(60)).unwrap().note, 59);
    assert_eq!(speaker.sounding(ms(5000)), None);
}
