//! What is promised about the distances of a scenario, and what is said of a setting that is harder than all that was measured.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_run::scenario::parse;
use sim_worlds::WORLDS;
use test_runs::{mat_text, scenario};

/// Level and text of the promise.
fn promised(members: &str) -> (&'static str, String) {
    let guarantee = scenario(members).guarantee.unwrap();
    (guarantee.level, guarantee.text)
}

fn assert_promised(members: &str, (level, text): (&str, &str)) {
    assert_eq!(promised(members), (level, text.to_owned()), "{members}");
}

/// What is said of measured runs: how many broke a distance, and the settings of `docs/results.md`.
fn measured(broken: &str, robots: u32, run_as: &str) -> String {
    format!("in {broken} runs of ten minutes (measured with {robots} robots: {run_as}; feet never wait)")
}

const PROVEN: (&str, &str) = ("proven", "no distance is ever broken (proven: feet wait when they must)");
const BOUNDED: (&str, &str) = (
    "bounded",
    "no distance is broken while cubes keep to agents.cube.tracking_mm (proven from there: feet wait when they must)",
);
const UNMEASURED: (&str, &str) = (
    "best_effort",
    "nothing about distances: these settings were not measured, and feet never wait (run with --runs 100 --no-trace to know)",
);
const NOTHING: (&str, &str) = ("nothing", "distances will be broken (a baseline, for comparison)");
const NO_SWARM: (&str, &str) = ("no_swarm", "nothing about distances (there is no swarm)");

/// Cubes as robots, with what they need.
fn cube_swarm(feet: &str, cube: &str) -> String {
    format!(
        r#""agents": {{"count": 4, "drive": "cube" {cube}}}, "feet": {{{feet}}},
           "limits": {{"v_max_mm_s": 220, "a_max_mm_s2": 2000, "omega_max_rad_s": 6}},
           "mat": {{"printed": [{{"kind": "collection-ring", "x_mm": 200, "y_mm": 200}}]}}"#
    )
}

#[test]
fn the_promise_follows_from_filter_feet_and_drive() {
    let considerate = r#""manner": "considerate""#;
    let cases = [
        (format!(r#""feet": {{{considerate}}}"#), PROVEN),
        (
            format!(
                r#""feet": {{{considerate}, "travel": "full", "count": 2}}, "agents": {{"drive": "differential", "count": 15}}"#
            ),
            PROVEN,
        ),
        // Without feet there is none that could fail to wait.
        (r#""feet": {"count": 0}"#.to_owned(), PROVEN),
        (r#""feet": {"gait": "orbit", "orbit_radius_mm": 60}"#.to_owned(), UNMEASURED),
        (r#""agents": {"count": 5, "drive": "differential"}, "feet": {"count": 2}"#.to_owned(), UNMEASURED),
        (r#""agents": {"count": 31}"#.to_owned(), UNMEASURED),
        // Easier than what was measured, harder, or neither: none of it was measured.
        (r#""mat": {"width_mm": 600, "height_mm": 600}, "feet": {"count": 2}"#.to_owned(), UNMEASURED),
        (r#""step_hz": 240"#.to_owned(), UNMEASURED),
        (r#""agents": {"alpha": 5}"#.to_owned(), UNMEASURED),
        (r#""safety": {"d_r_mm": 20}"#.to_owned(), UNMEASURED),
        (cube_swarm(considerate, ""), BOUNDED),
        (cube_swarm(r#""count": 0"#, ""), BOUNDED),
        (cube_swarm("", ""), UNMEASURED),
        (r#""agents": {"count": 0}"#.to_owned(), NO_SWARM),
        (r#""agents": {"count": 0}, "safety": {"filter": "none"}"#.to_owned(), NO_SWARM),
    ];
    for (members, expected) in cases {
        assert_promised(&members, expected);
    }
    for filter in ["none", "penalty", "orca"] {
        assert_promised(&format!(r#""safety": {{"filter": "{filter}"}}"#), NOTHING);
        // A foot that waits for robots near it keeps no robot from another one: that is the filter's.
        assert_promised(&format!(r#""safety": {{"filter": "{filter}"}}, "feet": {{"count": 0}}"#), NOTHING);
    }
}

/// Rows of `docs/results.md`. Fewer robots than in a row, and other names, seeds and lengths, are covered by it.
#[test]
fn what_was_measured_names_its_runs() {
    let two_feet_20 = measured("none of 100", 20, "swarm-30-two-feet --set agents.count=20");
    let differential_20 = measured("none of 100", 20, "swarm-30-differential --set agents.count=20");
    let promised_rows = [
        (r#""seed": 5, "steps": 7, "trace": {"every": 60}"#, measured("none of 200", 30, "swarm-30")),
        (r#""agents": {"count": 11}"#, measured("none of 200", 30, "swarm-30")),
        (r#""agents": {"count": 3}"#, measured("none of 50", 10, "swarm-10")),
        (r#""agents": {"count": 20}, "feet": {"count": 2}"#, two_feet_20),
        (r#""agents": {"drive": "differential", "count": 20}"#, differential_20),
    ];
    for (members, rate) in promised_rows {
        assert_eq!(promised(members), ("measured", format!("no distance is broken: {rate}")), "{members}");
    }
    let two_feet_30 = measured("1 of 200", 30, "swarm-30-two-feet --set agents.count=30");
    let differential_30 = measured("none of 100", 30, "swarm-30-differential --set agents.count=30");
    let stir = r#""feet": {"gait": "orbit", "core_inset_mm": 116, "noise_std_mm_s": 3}"#;
    let stated_rows = [
        (r#""agents": {"count": 21}, "feet": {"count": 2}"#, two_feet_30),
        (r#""agents": {"drive": "differential", "count": 21}"#, differential_30),
        (r#""feet": {"travel": "edge"}"#, measured("none of 100", 30, "swarm-30-edge --set agents.count=30")),
        (r#""feet": {"travel": "full"}"#, measured("none of 100", 30, "swarm-30-full --set agents.count=30")),
        (stir, measured("none of 50", 30, "stir")),
    ];
    for (members, rate) in stated_rows {
        assert_eq!(promised(members), ("best_effort", format!("distances are seldom broken: {rate}")), "{members}");
    }
}

/// A margin below the declared tracking error leaves the promise no ground.
#[test]
fn cubes_that_track_worse_than_their_margin_are_promised_nothing() {
    let margins = [
        (r#", "cube": {"tracking_mm": 8, "margin_mm": 8}"#, BOUNDED),
        (r#", "cube": {"tracking_mm": 8, "margin_mm": 7}"#, UNMEASURED),
    ];
    for (cube, expected) in margins {
        assert_promised(&cube_swarm(r#""manner": "considerate""#, cube), expected);
    }
}

/// What is said of a scenario, without the place.
fn said(members: &str) -> Vec<String> {
    let items = match parse(WORLDS, &mat_text(members), "a.json", &[]) {
        Ok(loaded) => loaded.warnings,
        Err(refused) => refused.items,
    };
    items.iter().map(|item| item.to_string().splitn(4, ':').nth(3).unwrap_or_default().trim().to_owned()).collect()
}

/// Zero violations were measured at the spec's own numbers (docs/models/filter.md); each of them made harder is told by itself.
#[test]
fn each_setting_beyond_what_was_measured_is_told() {
    let cases = [
        (
            r#""limits": {"a_max_mm_s2": 2500}"#,
            "limits.a_max_mm_s2: is 2500, but zero violations were measured from 3000 mm/s²",
        ),
        (
            r#""limits": {"v_max_mm_s": 230}"#,
            "limits.v_max_mm_s: is 230, but zero violations were measured from 252 mm/s",
        ),
        (r#""step_hz": 121"#, "step_hz: is 121, but zero violations were measured up to 120 Hz"),
        (r#""field": {"window_s": 0.5}"#, "field.window_s: is 0.5, but zero violations were measured from 0.6 s"),
        (
            r#""feet": {"noise_std_mm_s": 5.5, "speed_slack_mm_s": 17}"#,
            "feet.noise_std_mm_s: is 5.5, but zero violations were measured up to 5 mm/s",
        ),
        (
            r#""feet": {"estimation_noise_mm": 7}"#,
            "feet.estimation_noise_mm: is 7, but zero violations were measured up to 5 mm",
        ),
        (
            r#""agents": {"count": 15, "drive": "differential"}, "limits": {"omega_max_rad_s": 11}"#,
            "limits.omega_max_rad_s: is 11, but zero violations were measured from 12 rad/s",
        ),
        (
            r#""safety": {"d_r_mm": 61}, "agents": {"count": 20}"#,
            "safety.d_r_mm: is 61, but zero violations were measured up to 60 mm",
        ),
        (
            r#""safety": {"wall_margin_mm": 18}, "agents": {"count": 20}"#,
            "safety.wall_margin_mm: is 18, but zero violations were measured up to 16 mm",
        ),
    ];
    for (members, expected) in cases {
        assert_eq!(said(members), [format!("warning: {expected}: no promise here")], "{members}");
        assert_promised(members, UNMEASURED);
    }
    // A robot of point drive goes in any direction, wherever it points.
    assert_eq!(said(r#""limits": {"omega_max_rad_s": 3}"#), [""; 0]);
}

#[test]
fn spans_run_from_the_smaller_to_the_larger() {
    let spans = [
        ("feet", "idle_s", "[8, 5]", "[5, 8]"),
        ("feet", "acceleration_s", "[2, 1]", "[1, 2]"),
        ("feet", "roam_s", "[6, 3]", "[3, 6]"),
        ("patches", "radius_mm", "[60, 30]", "[30, 60]"),
        ("patches", "peak", "[0.3, 0.15]", "[0.15, 0.3]"),
        ("patches", "speed_mm_s", "[15, 5]", "[5, 15]"),
        ("patches", "lifetime_s", "[60, 20]", "[20, 60]"),
    ];
    for (section, key, wrong, right) in spans {
        let ends: Vec<&str> = wrong.trim_matches(['[', ']']).split(", ").collect();
        let expected = format!(
            "{section}.{key}: runs from {} down to {}; the smaller number comes first: {right}",
            ends[0], ends[1]
        );
        assert_eq!(said(&format!(r#""{section}": {{"{key}": {wrong}}}"#)), [expected]);
    }
}

#[test]
fn places_where_none_may_be_are_told_with_the_nearest_one() {
    // Robots keep 16 mm from the edge; feet of the core 120 mm.
    assert_eq!(
        said(r#""agents": {"count": 3, "goals": {"sites_mm": [[200, 200], [390, 5]]}}"#),
        ["agents.goals.sites_mm[1]: is [390, 5], where no robot may be; the nearest place is [384, 16]"]
    );
    assert_eq!(
        said(r#""feet": {"home_mm": [[50, 200]]}"#),
        ["feet.home_mm[0]: is [50, 200], where no foot may be; the nearest place is [120, 200]"]
    );
    assert_eq!(
        said(r#""safety": {"wall_margin_mm": 200}"#)[0],
        "safety.wall_margin_mm: is 200, which leaves robots no space on the mat; must be less than 200 mm"
    );
    // 4 million nodes: 100 m by 100 m at 50 mm and a little more.
    assert_eq!(
        said(r#""mat": {"width_mm": 100000, "height_mm": 100000}, "field": {"cell_mm": 10}"#)[0],
        "field.cell_mm: is 10, which makes a grid of 100 million nodes on this mat; must be at least 51 mm"
    );
}

/// The robots of the swarm and cubes of their own do not know each other.
#[test]
fn a_swarm_beside_cubes_is_told_that_they_pass_through() {
    let beside = r#""agents": {"count": 4}, "feet": {"count": 0}, "cubes": [{"name": "a", "at_mm": [100, 100]}]"#;
    let expected =
        "warning: agents.count: is 4, but the swarm's robots and the cubes do not know each other: they pass through";
    assert_eq!(said(beside), [expected]);
}
