//! Wrong scenarios, each with the exact words that the user reads.

use sim_run::scenario::{self, Override, SIZE_MAX};
use sim_worlds::WORLDS;

/// A scenario with something in it, and all that is said about it, a line each.
struct Case {
    text: &'static str,
    said: &'static [&'static str],
}

fn said_about(text: &str) -> Vec<String> {
    match scenario::parse(WORLDS, text, "a.json", &[]) {
        Ok(loaded) => loaded.warnings.iter().map(ToString::to_string).collect(),
        Err(refused) => refused.items.iter().map(ToString::to_string).collect(),
    }
}

fn check(cases: &[Case]) {
    for Case { text, said } in cases {
        assert_eq!(said_about(text), *said, "{text}");
    }
}

#[test]
fn text_that_is_not_json() {
    check(&[
        Case {
            text: "",
            said: &[
                r#"a.json:1:1: there is nothing here; the least that is needed is { "name": "my-swarm", "world": "mat" }"#,
            ],
        },
        Case {
            text: " \n\n ",
            said: &[
                r#"a.json:1:1: there is nothing here; the least that is needed is { "name": "my-swarm", "world": "mat" }"#,
            ],
        },
        Case {
            text: "{\n  \"name\": \"x\",\n  \"world\": \"mat\",\n  \"agents\": { \"count\": 3",
            said: &["a.json:4:13: this object is never closed: the text ends before its `}`"],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "feet": {"idle_s": [5, "#,
            said: &["a.json:1:50: this list is never closed: the text ends before its `]`"],
        },
        Case { text: r#"{"name": "x"#, said: &["a.json:1:10: this text is never closed by a double quote"] },
        Case {
            text: "{\"name\": \"x\", \"world\": \"mat\",\n}",
            said: &["a.json:1:29: a comma stands before the closing bracket; take it out"],
        },
        Case { text: "{\"name\": \"x\" \"world\": \"mat\"}", said: &["a.json:1:13: a comma is missing here"] },
        Case { text: "{\n  \"name\" \"x\"\n}", said: &["a.json:2:10: a colon is missing here"] },
        Case { text: r#"{"seed": }"#, said: &["a.json:1:10: `}` has no place here"] },
        Case { text: "// mine\n{}", said: &["a.json:1:1: JSON has no comments"] },
        Case { text: "{name: 1}", said: &["a.json:1:2: a key stands in double quotes"] },
        Case { text: "{'name': 1}", said: &["a.json:1:2: text stands in double quotes, not in single ones"] },
        Case { text: r#"{"name": "x"} {}"#, said: &["a.json:1:15: something follows after the end"] },
        Case {
            text: r#"{"agents": {"count": NaN}}"#,
            said: &["a.json:1:22: NaN is not a number that JSON knows; write a finite one"],
        },
        Case {
            text: r#"{"agents": {"alpha": -Infinity}}"#,
            said: &["a.json:1:22: -Infinity is not a number that JSON knows; write a finite one"],
        },
        Case {
            text: r#"{"agents": {"count": .5}}"#,
            said: &["a.json:1:22: a number needs digits on both sides of its point: 0.5, not .5"],
        },
        Case { text: r#"{"agents": {"count": 0x1e}}"#, said: &["a.json:1:22: a number is written in decimal digits"] },
        Case { text: r#"{"agents": {"count": +30}}"#, said: &["a.json:1:22: a number has no plus sign in front"] },
        Case { text: r#"{"agents": {"count": thirty}}"#, said: &["a.json:1:22: `thirty` has no place here"] },
        Case { text: r#"{"name": "C:\swarm"}"#, said: &["a.json:1:13: the backslash begins nothing that JSON knows"] },
        Case {
            text: "{\"name\": \"a\tb\"}",
            said: &["a.json:1:12: a control character stands in this text; write it as \\u0009"],
        },
    ]);
}

#[test]
fn keys_that_are_not_known() {
    check(&[
        Case {
            text: "{\"name\": \"x\", \"world\": \"mat\",\n \"agents\": {\"cuont\": 20}}",
            said: &[r#"a.json:2:13: agents.cuont: unknown key; did you mean "count"?"#],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "agent": {"count": 20}}"#,
            said: &[r#"a.json:1:31: agent: unknown key; did you mean "agents"?"#],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "limits": {"v_max": 252}}"#,
            said: &[r#"a.json:1:42: limits.v_max: unknown key; did you mean "v_max_mm_s"?"#],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "filter": "orca"}"#,
            said: &[r#"a.json:1:31: filter: unknown key; did you mean "safety.filter"?"#],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "safety": {"colour": "red"}}"#,
            said: &["a.json:1:42: safety.colour: unknown key; known here: d_h_mm, d_r_mm, filter, wall_margin_mm"],
        },
        Case {
            text: "{\"name\": \"x\", \"world\": \"mat\",\n \"seed\": 1,\n \"seed\": 2}",
            said: &["a.json:3:2: seed: is written twice, first on line 2"],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "feet": {}, "feet": {"count": 2}}"#,
            said: &["a.json:1:43: feet: is written twice, first on line 1"],
        },
        Case {
            text: "{\n}",
            said: &[
                "a.json:1:1: name: is missing; must be a name of 1 to 64 letters, digits, - and _ that begins with a letter or a digit",
                r#"a.json:1:1: world: is missing; must be one of "mat", "road", "sea""#,
            ],
        },
    ]);
}

#[test]
fn values_of_the_wrong_kind() {
    check(&[
        Case { text: r#"["name"]"#, said: &["a.json:1:1: the scenario is a list of 1, must be an object { ... }"] },
        Case { text: "null", said: &["a.json:1:1: the scenario is null, must be an object { ... }"] },
        Case {
            text: r#"{"name": "x", "world": "mat", "agents": {"count": "thirty"}}"#,
            said: &[r#"a.json:1:51: agents.count: is "thirty", must be a whole number from 0 to 100000"#],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "agents": {"count": 2.5}}"#,
            said: &["a.json:1:51: agents.count: is 2.5, must be a whole number from 0 to 100000"],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "agents": 30}"#,
            said: &["a.json:1:41: agents: is 30, must be an object { ... }"],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "mat": null}"#,
            said: &["a.json:1:38: mat: is null, must be an object { ... }"],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "field": {"cell_mm": true}}"#,
            said: &["a.json:1:52: field.cell_mm: is true, must be a number from 1 to 100 mm"],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "feet": {"idle_s": 5}}"#,
            said: &["a.json:1:50: feet.idle_s: is 5, must be a list of 2 numbers from 2 to 3600 s"],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "feet": {"idle_s": [5, 6, 7]}}"#,
            said: &["a.json:1:50: feet.idle_s: is a list of 3, must be a list of 2 numbers from 2 to 3600 s"],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "feet": {"home_mm": [[200, 200], [1]]}}"#,
            said: &["a.json:1:64: feet.home_mm[1]: is a list of 1, must be a list of 2 numbers from 0 to 100000 mm"],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "agents": {"drive": "diferential"}}"#,
            said: &[
                r#"a.json:1:51: agents.drive: is "diferential", must be one of "point", "differential", "cube"; did you mean "differential"?"#,
            ],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "agents": {"drive": null}}"#,
            said: &[r#"a.json:1:51: agents.drive: is null, must be one of "point", "differential", "cube""#],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "agents": {"goals": {}}}"#,
            said: &["a.json:1:51: agents.goals.sites_mm: is empty, and so is script: name at least one place"],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "agents": {"goals": 3}}"#,
            said: &["a.json:1:51: agents.goals: is 3, must be an object { ... } or null"],
        },
        Case {
            text: r#"{"name": 7, "world": "mat"}"#,
            said: &[
                "a.json:1:10: name: is 7, must be a name of 1 to 64 letters, digits, - and _ that begins with a letter or a digit",
            ],
        },
        Case {
            text: r#"{"name": "../x", "world": "mat"}"#,
            said: &[
                r#"a.json:1:10: name: is "../x", must be a name of 1 to 64 letters, digits, - and _ that begins with a letter or a digit"#,
            ],
        },
        // Another world has other keys, so nothing is said about them.
        Case {
            text: r#"{"name": "x", "world": "car", "lidar": {}}"#,
            said: &[r#"a.json:1:24: world: is "car", must be one of "mat", "road", "sea""#],
        },
    ]);
}

#[test]
fn numbers_out_of_range() {
    check(&[
        Case {
            text: r#"{"name": "x", "world": "mat", "agents": {"count": -3}}"#,
            said: &["a.json:1:51: agents.count: is -3, must be a whole number from 0 to 100000"],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "steps": 1e999}"#,
            said: &["a.json:1:40: steps: is 1e999, must be a whole number from 1 to 1000000000"],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "mat": {"width_mm": -1e999}}"#,
            said: &["a.json:1:51: mat.width_mm: is -1e999, must be a number from 100 to 100000 mm"],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "seed": 18446744073709551616}"#,
            said: &["a.json:1:39: seed: is 18446744073709551616, must be a whole number from 0 to 9007199254740991"],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "step_hz": 0}"#,
            said: &["a.json:1:42: step_hz: is 0, must be a whole number from 30 to 240 Hz"],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "patches": {"peak": [0.1, 0.4]}}"#,
            said: &["a.json:1:57: patches.peak[1]: is 0.4, must be a number from 0 to 0.3"],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "patches": {"lifetime_s": [60, 20]}}"#,
            said: &[
                "a.json:1:57: patches.lifetime_s: runs from 60 down to 20; the smaller number comes first: [20, 60]",
            ],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "trace": {"every": 0}}"#,
            said: &["a.json:1:50: trace.every: is 0, must be a whole number from 1 to 1000000"],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "limits": {"omega_max_rad_s": 1234567890123456789012345678901234567890123}}"#,
            said: &[
                "a.json:1:61: limits.omega_max_rad_s: is 1234567890123456789012345678901234567890..., must be a number from 0.1 to 100 rad/s",
            ],
        },
    ]);
}

#[test]
fn settings_that_do_not_go_together() {
    check(&[
        Case {
            text: r#"{"name": "x", "world": "mat", "safety": {"wall_margin_mm": 200}}"#,
            said: &[
                "a.json:1:60: safety.wall_margin_mm: is 200, which leaves robots no space on the mat; must be less than 200 mm",
            ],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "feet": {"home_mm": [[10, 200]]}}"#,
            said: &[
                "a.json:1:52: feet.home_mm[0]: is [10, 200], where no foot may be; the nearest place is [120, 200]",
            ],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "agents": {"count": 10, "goals": {"sites_mm": [[200, 390]]}}}"#,
            said: &[
                "a.json:1:78: agents.goals.sites_mm[0]: is [200, 390], where no robot may be; the nearest place is [200, 384]",
            ],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "mat": {"width_mm": 10000, "height_mm": 10000}, "field": {"cell_mm": 1}}"#,
            said: &[
                "a.json:1:100: field.cell_mm: is 1, which makes a grid of 100 million nodes on this mat; must be at least 6 mm",
            ],
        },
        // The models' own words: the key need not be the one that the file writes.
        Case {
            text: r#"{"name": "x", "world": "mat", "patches": {"fade_s": 20}}"#,
            said: &["a.json:1:42: patches.lifetime_s: starts at 20, must be at least 2 fade_s = 40"],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "feet": {"gait": "orbit", "orbit_radius_mm": 90}}"#,
            said: &[
                "a.json:1:76: feet.orbit_radius_mm: is 90; with 6 mm for the noise the circle leaves where this foot may be",
            ],
        },
    ]);
}

#[test]
fn settings_that_cannot_work() {
    check(&[
        Case {
            text: r#"{"name": "x", "world": "mat", "feet": {"count": 12}}"#,
            said: &[
                "a.json:1:49: feet.count: is 12, but no robot fits with 12 feet at the worst places; take fewer feet or a larger mat",
            ],
        },
        // 35 fit at 35 mm, 43 at 16 mm; 30 robots flow where 37.5 would fit: 16 + 19 (43 - 38) / 8 = 27.9 mm.
        Case {
            text: r#"{"name": "x", "world": "mat", "safety": {"wall_margin_mm": 35}, "feet": {"core_inset_mm": 140}}"#,
            said: &[
                "a.json:1:60: safety.wall_margin_mm: is 35, where 30 robots fill 86 % of the free space and jam; must be at most 27 mm, or set agents.count to at most 28",
            ],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "agents": {"count": 38}}"#,
            said: &["a.json:1:51: agents.count: is 38, which fill 88 % of the free space and jam; must be at most 34"],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "mat": {"width_mm": 200}, "agents": {"count": 4}, "feet": {"manner": "considerate"}}"#,
            said: &["a.json:1:51: feet.core_inset_mm: of 120 leaves a foot no space on this mat"],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "agents": {"count": 60}}"#,
            said: &[
                "a.json:1:51: agents.count: is 60, but only 43 robots fit with a foot at the worst place, 60 mm apart and 16 mm from the edge; must be at most 43",
            ],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "limits": {"v_max_mm_s": 200}}"#,
            said: &[
                r#"a.json:1:56: limits.v_max_mm_s: is 200, but feet that never wait walk at up to 215 mm/s and would run robots over; must be at least 216 mm/s, or set feet.manner to "considerate""#,
            ],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "feet": {"speed_mm_s": [120, 300]}}"#,
            said: &[
                r#"a.json:1:54: limits.v_max_mm_s: is 252, but feet that never wait walk at up to 315 mm/s and would run robots over; must be at least 316 mm/s, or set feet.manner to "considerate""#,
            ],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "limits": {"a_max_mm_s2": 1000}}"#,
            said: &[
                r#"a.json:1:57: limits.a_max_mm_s2: is 1000, too little to evade feet that never wait; must be at least 2000 mm/s² (zero violations were measured from 3000), or set feet.manner to "considerate""#,
            ],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "feet": {"core_inset_mm": 100}}"#,
            said: &[
                "a.json:1:57: feet.core_inset_mm: is 100, so that a foot can shut robots up in a corner; must be at least 116 mm (d_h_mm + wall_margin_mm)",
            ],
        },
    ]);
}

#[test]
fn settings_without_a_promise_run_with_a_word() {
    check(&[
        Case { text: r#"{"name": "x", "world": "mat"}"#, said: &[] },
        Case {
            text: r#"{"name": "x", "world": "mat", "safety": {"filter": "orca"}}"#,
            said: &[
                "a.json:1:52: warning: safety.filter: this filter is a baseline for comparison: distances will be broken",
            ],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "limits": {"a_max_mm_s2": 2000}}"#,
            said: &[
                "a.json:1:57: warning: limits.a_max_mm_s2: is 2000, but zero violations were measured from 3000 mm/s²: no promise here",
            ],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "feet": {"estimation_noise_mm": 8, "noise_std_mm_s": 4}}"#,
            said: &[
                "a.json:1:63: warning: feet.estimation_noise_mm: is 8, but zero violations were measured up to 5 mm: no promise here",
            ],
        },
        Case { text: r#"{"name": "x", "world": "mat", "agents": {"count": 20}, "feet": {"count": 2}}"#, said: &[] },
        Case {
            text: r#"{"name": "x", "world": "mat", "agents": {"count": 21}, "feet": {"count": 2}}"#,
            said: &[
                "a.json:1:51: warning: agents.count: is 21, but zero violations were measured up to 20 robots with these feet: no promise here",
            ],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "feet": {"travel": "full"}}"#,
            said: &[
                r#"a.json:1:50: warning: feet.travel: feet that never wait and may come near a wall cannot always be evaded: no promise of zero violations (set feet.manner to "considerate" or feet.travel to "core" for one)"#,
            ],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "feet": {"manner": "considerate"}, "agents": {"count": 40}}"#,
            said: &[
                "a.json:1:86: warning: agents.count: is 40, which fill 93 % of the free space: safe, but feet will often have to wait",
            ],
        },
        Case {
            text: r#"{"name": "x", "world": "mat", "feet": {"count": 0}, "agents": {"count": 52}}"#,
            said: &[
                "a.json:1:73: warning: agents.count: is 52 of 52 that fit: with some seeds no place will be found for all at the start",
            ],
        },
        // A baseline is not refused for what it cannot do, and considerate feet make slow robots safe.
        Case {
            text: r#"{"name": "x", "world": "mat", "feet": {"manner": "considerate"}, "limits": {"v_max_mm_s": 50, "a_max_mm_s2": 500}}"#,
            said: &[],
        },
    ]);
}

#[test]
fn everything_that_is_wrong_is_said_at_once_in_the_order_of_the_text() {
    check(&[Case {
        text: r#"{
  "name": "x y",
  "world": "mat",
  "v_max_mm_s": 3,
  "agents": { "cuont": 20, "count": "thirty", "alpha": -1 },
  "feet": { "idle_s": [8, 5], "count": 1, "count": 2 },
  "limits": { "a_max_mm_s2": 1e999 }
}"#,
        said: &[
            r#"a.json:2:11: name: is "x y", must be a name of 1 to 64 letters, digits, - and _ that begins with a letter or a digit"#,
            r#"a.json:4:3: v_max_mm_s: unknown key; did you mean "limits.v_max_mm_s"?"#,
            r#"a.json:5:15: agents.cuont: unknown key; did you mean "count"?"#,
            r#"a.json:5:37: agents.count: is "thirty", must be a whole number from 0 to 100000"#,
            "a.json:5:56: agents.alpha: is -1, must be a number from 0 to 100",
            "a.json:6:23: feet.idle_s: runs from 8 down to 5; the smaller number comes first: [5, 8]",
            "a.json:6:43: feet.count: is written twice, first on line 6",
            "a.json:7:30: limits.a_max_mm_s2: is 1e999, must be a number from 10 to 100000 mm/s²",
        ],
    }]);
}

#[test]
fn overrides_are_named_by_their_flag() {
    let text = r#"{"name": "x", "world": "mat", "feet": {"idle_s": [5, 8]}}"#;
    for (flag, said) in [
        (
            "agents.count=abc",
            r#"--set agents.count=abc: agents.count: is "abc", must be a whole number from 0 to 100000"#,
        ),
        ("agents.cuont=3", r#"--set agents.cuont=3: agents.cuont: unknown key; did you mean "count"?"#),
        (
            "feet.idle_s.0=3",
            "--set feet.idle_s.0=3: feet.idle_s.0: feet.idle_s is a list of 2 and has no keys; a list is set as a whole, --set feet.idle_s=[...], or item by item, --set feet.idle_s[0]=...",
        ),
        (
            "safety.d_h_mm=NaN",
            r#"--set safety.d_h_mm=NaN: safety.d_h_mm: is "NaN", must be a number from 1 to 1000 mm"#,
        ),
    ] {
        let overrides: [Override; 1] = [flag.parse().unwrap()];
        assert_eq!(scenario::parse(WORLDS, text, "a.json", &overrides).unwrap_err().to_string(), said);
    }
    assert_eq!("agents.count".parse::<Override>().unwrap_err().to_string(), "write path=value, as in agents.count=20");
}

#[test]
fn files_that_are_no_scenarios_at_all() {
    let said = |bytes: &[u8]| scenario::parse_bytes(WORLDS, bytes, "a.json", &[]).unwrap_err().to_string();
    let huge = vec![b' '; SIZE_MAX as usize + 1];
    assert_eq!(said(&huge), "a.json: is larger than 8 MiB: is it a scenario?");
    let deep = format!("{}\n{}", "[".repeat(20), "[".repeat(100_000));
    assert_eq!(said(deep.as_bytes()), "a.json:2:13: lists and objects are nested more than 32 deep");
    assert_eq!(said(b"{\n \"name\": \"caf\xe9\"}"), "a.json:2:14: the byte 0xE9 is not UTF-8; save the file as UTF-8");
    assert_eq!(said(b"\xff\xfe{\0"), "a.json:1:1: the byte 0xFF is not UTF-8; save the file as UTF-8");

    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none.json");
    assert_eq!(
        scenario::load(WORLDS, &missing, &[]).unwrap_err().to_string(),
        format!("{}: cannot be opened: No such file or directory (os error 2)", missing.display())
    );
    assert_eq!(
        scenario::load(WORLDS, folder.path(), &[]).unwrap_err().to_string(),
        format!("{}: cannot be read: Is a directory (os error 21)", folder.path().display())
    );
}

/// A megabyte of mistakes is answered at once, and with a list that can be read.
#[test]
fn countless_mistakes_are_counted() {
    let keys: String = (0..90_000).map(|index| format!("\"{index:x}\":0,")).collect();
    let text = format!("{{{keys}\"name\": \"x\", \"world\": \"mat\"}}");
    let said = said_about(&text);
    assert_eq!(said.len(), 101);
    assert_eq!(said.last().unwrap(), "a.json: 89900 more mistakes are not listed");

    let same = "\"seed\":0,".repeat(100_000);
    let said = said_about(&format!("{{{same}\"name\": \"x\", \"world\": \"mat\"}}"));
    assert_eq!(said.last().unwrap(), "a.json: 99899 more mistakes are not listed");
}

/// Programs read the facts apart from the words.
#[test]
fn the_facts_stand_in_fields_of_their_own() {
    let text = r#"{"name": "x", "world": "mat", "agents": {"drive": "piont"}}"#;
    let refused = scenario::parse(WORLDS, text, "a.json", &[]).unwrap_err();
    let json = serde_json::to_value(&refused.items[0]).unwrap();
    assert_eq!(
        json,
        serde_json::json!({
            "severity": "error", "file": "a.json", "line": 1, "column": 51, "path": "agents.drive",
            "message": r#"is "piont", must be one of "point", "differential", "cube"; did you mean "point"?"#,
            "value": r#""piont""#, "allowed": r#"one of "point", "differential", "cube""#, "suggestion": "point",
            "span": {"start": 50, "end": 57},
        })
    );
    assert_eq!(&refused.text[50..57], r#""piont""#);
}
