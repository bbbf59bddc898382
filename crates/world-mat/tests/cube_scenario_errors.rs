//! Wrong scenarios with cubes, each with the exact words that the user reads.

use sim_run::scenario;
use sim_worlds::WORLDS;

/// The members of a scenario beside name and world, which stand on the line before, and what is said about them.
type Case = (&'static str, &'static [&'static str]);

fn check(cases: &[Case]) {
    for (members, said) in cases {
        let text = format!(
            "{{\"name\": \"x\", \"world\": \"mat\", \"agents\": {{\"count\": 0}}, \"feet\": {{\"count\": 0}},\n{members}}}"
        );
        let words: Vec<String> = match scenario::parse(WORLDS, &text, "a.json", &[]) {
            Ok(loaded) => loaded.warnings.iter().map(ToString::to_string).collect(),
            Err(refused) => refused.items.iter().map(ToString::to_string).collect(),
        };
        assert_eq!(words, *said, "{members}");
    }
}

#[test]
fn cubes_that_cannot_be() {
    check(&[
        (r#""cubes": [{"name": "a", "at_mm": [50, 50]}]"#, &[]),
        (
            r#""cubes": [{"at_mm": [50, 50]}]"#,
            &[
                "a.json:2:11: cubes[0].name: is missing; must be a name of 1 to 64 letters, digits, - and _ that begins with a letter or a digit",
            ],
        ),
        (
            r#""cubes": [{"name": "a"}]"#,
            &["a.json:2:11: cubes[0]: says neither at_mm nor at_dot; one of them says where it stands"],
        ),
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50], "at_dot": [90, 90]}]"#,
            &["a.json:2:11: cubes[0]: says at_mm and at_dot; one of them says where it stands"],
        ),
        (
            r#""cubes": [{"name": "a", "at_dot": [90, 90]}]"#,
            &["a.json:2:11: cubes[0].mat: is 0, but mat.printed lists 0, counted from 0"],
        ),
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50]}, {"name": "a", "at_mm": [150, 50]}]"#,
            &[r#"a.json:2:54: cubes[1].name: is "a", which is the name of cubes[0] already"#],
        ),
        (
            r#""mat": {"walls": [{"from_mm": [0, 0], "to_mm": [100, 0], "height_mm": 30, "thickness_mm": 5}]}, "cubes": [{"name": "a", "at_mm": [50, 10]}]"#,
            &[r#"a.json:2:107: cubes[0]: ("a") stands in mat.walls[0]"#],
        ),
        // 31 mm apart: side by side they touch; turned by 45 degrees the second one would need 38.4 mm.
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50]}, {"name": "b", "at_mm": [81, 50]}]"#,
            &["a.json:2:45: cubes[1]: stands in cubes[0]; cubes are 31.8 mm wide and long"],
        ),
        (r#""cubes": [{"name": "a", "at_mm": [50, 50]}, {"name": "b", "at_mm": [82, 50]}]"#, &[]),
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50]}, {"name": "b", "at_mm": [82, 50], "heading_deg": 45}]"#,
            &["a.json:2:45: cubes[1]: stands in cubes[0]; cubes are 31.8 mm wide and long"],
        ),
        (r#""cubes": [{"name": "a", "at_mm": [50, 50]}, {"name": "b", "at_mm": [89, 50], "heading_deg": 45}]"#, &[]),
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50], "protocol": "2.6.0"}]"#,
            &[
                r#"a.json:2:56: cubes[0].protocol: is "2.6.0", must be one of "2.0.0", "2.1.0", "2.2.0", "2.3.0", "2.4.0", "2.5.0"; did you mean "2.0.0"?"#,
            ],
        ),
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50], "battery_percent": 101}]"#,
            &["a.json:2:63: cubes[0].battery_percent: is 101, must be a number from 0 to 100"],
        ),
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50], "radio": {"interval_ms": 31}}]"#,
            &["a.json:2:69: cubes[0].radio.interval_ms: is 31, must be a number from 7.5 to 4000 ms in steps of 1.25"],
        ),
        (
            r#""step_hz": 30, "cubes": [{"name": "a", "at_mm": [50, 50]}]"#,
            &["a.json:2:12: step_hz: is 30, too slow for the firmware of cubes; must be at least 50 Hz"],
        ),
    ]);
}

#[test]
fn programs_that_say_nothing_or_too_much() {
    check(&[
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50], "program": [{"at_s": 1}]}]"#,
            &[
                "a.json:2:56: cubes[0].program[0]: says nothing to do; a client does one thing at a time: a command, or write with hex",
            ],
        ),
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50], "program": [{"at_s": 1, "light_off": {}, "sound_stop": {}}]}]"#,
            &[
                "a.json:2:56: cubes[0].program[0]: says light_off and sound_stop; a client does one thing at a time: a command, or write with hex",
            ],
        ),
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50], "program": [{"at_s": 1, "write": "102"}]}]"#,
            &["a.json:2:56: cubes[0].program[0]: says write without hex, the bytes to write"],
        ),
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50], "program": [{"at_s": 1, "hex": "01"}]}]"#,
            &["a.json:2:56: cubes[0].program[0]: says hex without write, the characteristic to write to"],
        ),
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50], "program": [{"at_s": 1, "write": "102", "hex": "010"}]}]"#,
            &[
                r#"a.json:2:91: cubes[0].program[0].hex: is "010", must be pairs of hexadecimal digits, as in "0300ff" or "03 00 ff""#,
            ],
        ),
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50], "program": [{"at_s": 1, "write": "105", "hex": "01"}]}]"#,
            &[
                r#"a.json:2:77: cubes[0].program[0].write: is "105", must be one of "101", "102", "103", "104", "106", "107", "108", "1FF"; did you mean "101"?"#,
            ],
        ),
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50], "program": [{"motor_run": {"left": 1, "right": 1}}]}]"#,
            &["a.json:2:56: cubes[0].program[0].at_s: is missing; must be a number from 0 to 100000000 s"],
        ),
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50], "program": [{"at_s": 1, "motor_run": {"left": 300, "rihgt": 1, "right": 1}}]}]"#,
            &[
                "a.json:2:90: cubes[0].program[0].motor_run.left: is 300, must be a whole number from -255 to 255",
                r#"a.json:2:95: cubes[0].program[0].motor_run.rihgt: unknown key; did you mean "right"?"#,
            ],
        ),
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50], "program": [{"at_s": 1, "light": {"rgb": [1, 2], "duration_ms": 15}}]}]"#,
            &[
                "a.json:2:85: cubes[0].program[0].light.rgb: is a list of 2, must be a list of 3 whole numbers from 0 to 255",
                "a.json:2:108: cubes[0].program[0].light.duration_ms: is 15, must be a whole number from 0 to 2550 ms in steps of 10",
            ],
        ),
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50], "program": [{"at_s": 1, "light_off": {"now": true}}]}]"#,
            &["a.json:2:82: cubes[0].program[0].light_off.now: unknown key; none is known here: write {}"],
        ),
    ]);
}

#[test]
fn what_lies_on_the_plane() {
    check(&[
        (
            r#""mat": {"printed": [{"kind": "collection-rign", "x_mm": 0, "y_mm": 0}]}"#,
            &[
                r#"a.json:2:30: mat.printed[0].kind: is "collection-rign", must be one of "collection-ring", "collection-tiles", "picotons-play-front", "picotons-play-back", "picotons-control", "picotons-auto-play", "simple", "developer-1", "developer-2", "developer-3", "developer-4", "developer-5", "developer-6", "developer-7", "developer-8", "developer-9", "developer-10", "developer-11", "developer-12", "developer-field", "gesundroid", "custom"; did you mean "collection-ring"?"#,
            ],
        ),
        (
            r#""mat": {"printed": [{"kind": "simple", "x_mm": 0, "y_mm": 0, "range_dot": [1, 1, 9, 9]}]}"#,
            &[
                r#"a.json:2:75: mat.printed[0].range_dot: goes with the kind "custom" only; what is printed on simple is known"#,
            ],
        ),
        (
            r#""mat": {"printed": [{"kind": "custom", "x_mm": 0, "y_mm": 0, "range_dot": [10, 1, 9, 9]}]}"#,
            &["a.json:2:75: mat.printed[0].range_dot: x2_dot is 9, must be greater than the first corner's 10"],
        ),
        (
            r#""mat": {"walls": [{"from_mm": [5, 5], "to_mm": [5, 5]}]}"#,
            &["a.json:2:48: mat.walls[0].to_mm: is less than 1 mm from from_mm, [5, 5]"],
        ),
        (r#""mat": {"tilt_deg": 90}"#, &["a.json:2:21: mat.tilt_deg: is 90, must be a number from 0 to 80 °"]),
        (
            r#""cards": [{"item": "typhon", "x_mm": 0, "y_mm": 0}]"#,
            &[
                r#"a.json:2:20: cards[0].item: is "typhon", must be one of the 98 names that the schema lists, such as "typhoon"; did you mean "typhoon"?"#,
            ],
        ),
        (
            r#""cards": [{"x_mm": 0, "y_mm": 0}]"#,
            &["a.json:2:11: cards[0]: says neither item nor value; one of them says which ID it is"],
        ),
        (
            r#""cards": [{"item": "rush", "value": 3, "x_mm": 0, "y_mm": 0}]"#,
            &["a.json:2:11: cards[0]: says item and value; one of them says which ID it is"],
        ),
        (
            r#""cards": [{"item": "rush", "size_mm": [10, 10], "x_mm": 0, "y_mm": 0}]"#,
            &["a.json:2:39: cards[0].size_mm: goes with value only; the size of an item is known"],
        ),
        (
            r#""magnets": [{"at_mm": [0, 0, 26], "north": [0, 0, 0]}]"#,
            &["a.json:2:44: magnets[0].north: has no length, so that it points nowhere"],
        ),
        (
            r#""cubes": [{"name": "anna", "at_mm": [50, 50]}], "magnets": [{"cube": "ana", "at_mm": [0, 0, 0]}]"#,
            &[r#"a.json:2:70: magnets[0].cube: is "ana", but no cube is called so; did you mean "anna"?"#],
        ),
    ]);
}

/// What goes with a profile or a kind, by itself.
#[test]
fn single_choices_that_cannot_be() {
    check(&[
        (r#""mat": {"contact": {"tyre_friction": 0.1}}, "cubes": [{"name": "a", "at_mm": [50, 50]}]"#, &[]),
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50], "behaviour": {"arrival": "unty"}}]"#,
            &[
                r#"a.json:2:69: cubes[0].behaviour.arrival: is "unty", must be one of "specified", "unity"; did you mean "unity"?"#,
            ],
        ),
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50], "behaviour": {"arival": "unity"}}]"#,
            &[r#"a.json:2:58: cubes[0].behaviour.arival: unknown key; did you mean "arrival"?"#],
        ),
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50], "behaviour": {"id_missed_ms": 15}}]"#,
            &[
                r#"a.json:2:74: cubes[0].behaviour.id_missed_ms: is 15, must be a whole number from 0 to 2550 ms in steps of 10"#,
            ],
        ),
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50], "behaviour": {"lag_law": "euler"}}]"#,
            &[r#"a.json:2:69: cubes[0].behaviour.lag_law: is "euler", must be one of "exact", "unity""#],
        ),
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50], "battery": {"capacity_mah": 0}}]"#,
            &[r#"a.json:2:72: cubes[0].battery.capacity_mah: is 0, must be a number from 1 to 100000 mAh"#],
        ),
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50], "attitude": {"turn_error": 0.6}}]"#,
            &[r#"a.json:2:71: cubes[0].attitude.turn_error: is 0.6, must be a number from 0 to 0.5"#],
        ),
        (
            r#""magnets": [{"at_mm": [0, 0, 26], "charge_mx": -1}]"#,
            &[r#"a.json:2:48: magnets[0].charge_mx: is -1, must be a number from 0 to 10000 Mx"#],
        ),
        (
            r#""magnets": [{"at_mm": [0, 0, 26], "half_length_mm": 0}]"#,
            &[r#"a.json:2:53: magnets[0].half_length_mm: is 0, must be a number from 0.1 to 20 mm"#],
        ),
        (
            r#""mat": {"contact": {"resting_friction": 1}}"#,
            &[
                r#"a.json:2:41: mat.contact.resting_friction: is 1, but a tyre that stands holds no better than a driven one; must be at most 0.9"#,
            ],
        ),
    ]);
}

#[test]
fn chargers_and_borders_that_cannot_be() {
    check(&[
        (r#""mat": {"border": "rim"}, "cubes": [{"name": "a", "at_mm": [50, 16]}]"#, &[]),
        (r#""mat": {"border": "fence"}"#, &[r#"a.json:2:19: mat.border: is "fence", must be one of "none", "rim""#]),
        (
            r#""chargers": [{"x_mm": 9}]"#,
            &[r#"a.json:2:14: chargers[0].y_mm: is missing; must be a number from -100000 to 100000 mm"#],
        ),
        (
            r#""chargers": [{"x_mm": 9, "y_mm": 9, "current_ma": -5}]"#,
            &[r#"a.json:2:51: chargers[0].current_ma: is -5, must be a number from 0 to 100000 mA"#],
        ),
        (
            r#""cubes": [{"name": "a", "at_mm": [50, 50]}], "chargers": [{"x_mm": 60, "y_mm": 40}]"#,
            &[r#"a.json:2:11: cubes[0]: ("a") stands in chargers[0]; a hand puts a cube on a charger"#],
        ),
        (
            r#""mat": {"border": "rim"}, "cubes": [{"name": "a", "at_mm": [50, 15]}]"#,
            &[r#"a.json:2:37: cubes[0]: ("a") stands in or beyond the rim of mat.border"#],
        ),
    ]);
}

#[test]
fn hands_that_cannot_do_it() {
    let cube = r#""cubes": [{"name": "a", "at_mm": [50, 50]}], "#;
    let said = |script: &str| {
        let text = format!(
            "{{\"name\": \"x\", \"world\": \"mat\", \"agents\": {{\"count\": 0}}, \"feet\": {{\"count\": 0}}, {cube}\n{script}}}"
        );
        scenario::parse(WORLDS, &text, "a.json", &[]).map_or_else(|error| error.to_string(), |_| String::new())
    };
    for (script, words) in [
        (r#""script": [{"at_s": 1, "cube": "a", "lift": {"height_mm": 10}}]"#, ""),
        (
            r#""script": [{"at_s": 1, "cube": "b", "lift": {"height_mm": 10}}]"#,
            r#"a.json:2:32: script[0].cube: is "b", but no cube is called so"#,
        ),
        (
            r#""script": [{"at_s": 1, "cube": "a"}]"#,
            "a.json:2:12: script[0]: says nothing to do; a hand does one thing: lift, place, drag, pull, tilt, turn, push, shake, tap, press, button_down, button_up, power_on, power_off, take_away, bring or release",
        ),
        (
            r#""script": [{"at_s": 1, "cube": "a", "lift": {"height_mm": 10}, "press": {}}]"#,
            "a.json:2:12: script[0]: says lift and press; a hand does one thing: lift, place, drag, pull, tilt, turn, push, shake, tap, press, button_down, button_up, power_on, power_off, take_away, bring or release",
        ),
        (
            r#""script": [{"at_s": 1, "cube": "a", "lift": {"height_mm": -1}}]"#,
            "a.json:2:59: script[0].lift.height_mm: is -1, must be a number from 0 to 1000 mm",
        ),
        (
            r#""script": [{"at_s": 1, "cube": "a", "shake": {"amplitude_mm": 5, "frequency_hz": 8}}]"#,
            "a.json:2:82: script[0].shake.frequency_hz: is 8, too fast for 60 steps a second; must be at most 6 Hz",
        ),
        (
            r#""script": [{"at_s": 1, "cube": "a", "tap": {"impulse_mn_s": 500}}]"#,
            "a.json:2:61: script[0].tap.impulse_mn_s: is 500, must be a number from 0 to 50 mN s",
        ),
    ] {
        assert_eq!(said(script), words, "{script}");
    }
}

/// A cube that is wrong is said once: not again by everything that names it.
#[test]
fn what_follows_from_a_mistake_is_not_said() {
    check(&[(
        r#""cubes": [{"name": "a", "at_mm": [50, 50], "heading_deg": "north"}],
           "magnets": [{"cube": "a", "at_mm": [0, 0, 0]}],
           "script": [{"at_s": 1, "cube": "a", "lift": {"height_mm": 10}}]"#,
        &[r#"a.json:2:59: cubes[0].heading_deg: is "north", must be a number from -360 to 360 °"#],
    )]);
}

/// The swarm's robots and cubes share the plane, not a world: a scenario that mixes them is refused.
#[test]
fn a_swarm_beside_cubes_is_warned_of() {
    let text = r#"{"name": "x", "world": "mat", "agents": {"count": 10}, "cubes": [{"name": "a", "at_mm": [50, 50]}]}"#;
    let warnings = scenario::parse(WORLDS, text, "a.json", &[]).map(|loaded| loaded.warnings).unwrap_or_default();
    let words: Vec<String> = warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        words,
        [
            "a.json:1:51: warning: agents.count: is 10, but the swarm's robots and the cubes do not know each other: they pass through"
        ]
    );
}
