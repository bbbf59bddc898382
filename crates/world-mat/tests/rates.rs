//! The safety filter at other step rates: its times are the same seconds.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::walk;
use test_runs::world;

/// Thirty robots in front of a foot that never waits, at 30 Hz, which the specification names as well as 60. A filter that counted its
/// times in ticks broke distances in this run, and in nine of ten runs of ten minutes.
#[test]
fn thirty_robots_keep_their_distances_at_thirty_steps_a_second() {
    let mut world = world(r#""step_hz": 30, "agents": {"count": 30}"#, 1);
    walk(&mut world, 30 * 180);
    let metrics = world.inspector().finish();
    for name in ["d_r_violations", "d_h_violations"] {
        assert_eq!(metrics.iter().find(|metric| metric.name == name).unwrap().value, 0.0, "{name}");
    }
}
