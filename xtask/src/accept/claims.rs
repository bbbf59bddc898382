//! The table of claims: what is run, how often, and what is asked of it. The letters are those of `docs/results.md`.

use super::expect::Expect;
use super::expect::Over::{Largest, Mean};

/// A scenario, how often it is run, and what is asked.
#[derive(Clone, Debug)]
pub struct Claim {
    /// Letter in `docs/results.md`.
    pub item: &'static str,
    /// The claim in words.
    pub title: &'static str,
    /// A file under `scenarios/`, without `.json`.
    pub scenario: &'static str,
    /// Changes to it, as `--set` takes them.
    pub changes: &'static [&'static str],
    /// Runs of `cargo xtask accept`; each is as long as the scenario says, ten simulated minutes.
    pub runs: u64,
    /// Runs of `cargo xtask test`; 0 leaves it out.
    pub runs_in_test: u64,
    /// What is asked. An aim is reported, but missing it is not a failure.
    pub expect: &'static [Expect],
}

use Expect::{Aim, Must, Report};

/// What (a) asks of the life of thirty robots.
const LIVELY_30: [Expect; 4] = [
    Must(Mean, "coverage_share", ">=", 0.95),
    Must(Mean, "near_patch_ratio", ">=", 1.15),
    Must(Mean, "moving_share_roam", ">=", 0.60),
    Aim(Mean, "wish_followed_share", ">=", 0.50),
];

/// What is asked of cubes whose foot waits: distances of bodies, the declared bound, and how much the foot has to wait.
const WITHIN_THE_BOUND: [Expect; 3] =
    [Expect::Clean, Must(Largest, "tracking_error_max_mm", "<=", 3.5), Report(Mean, "foot_waits")];

/// What (b) asks of feet that wait, on top of zero violations, with the mean share of progress lost.
const fn waits_below(mean: f64, aim: f64) -> [Expect; 5] {
    [
        Expect::Clean,
        Must(Mean, "foot_waits", "<=", mean),
        Aim(Mean, "foot_waits", "<=", aim),
        Must(Largest, "foot_waits", "<=", 0.15),
        Must(Largest, "foot_block_longest_s", "<=", 1.5),
    ]
}

/// What is asked where zero is an aim: how often it is missed is said.
const BEST_EFFORT: [Expect; 2] = [Expect::CleanAim, Report(Mean, "violating_step_share")];

/// Letter of the claims of the swarm driven through cubes.
pub const CUBES: &str = "f";

/// Everything that `cargo xtask accept` measures, in the order of the table.
pub const CLAIMS: &[Claim] = &[
    Claim {
        item: "a",
        title: "a foot that stays 120 mm inside and never waits, 30 robots",
        scenario: "swarm-30",
        changes: &[],
        runs: 200,
        runs_in_test: 8,
        expect: &[
            Expect::Clean,
            LIVELY_30[0],
            LIVELY_30[1],
            LIVELY_30[2],
            LIVELY_30[3],
            Aim(Mean, "near_patch_ratio", ">=", 1.3),
            Report(Mean, "inner_reuse_mean_s"),
            Report(Mean, "jerk_rms_mm_s3"),
        ],
    },
    Claim {
        item: "a",
        title: "the same with 10 robots",
        scenario: "swarm-10",
        changes: &[],
        runs: 50,
        // The mean of two runs is off by up to 0.02.
        runs_in_test: 8,
        expect: &[Expect::Clean, LIVELY_30[0], Must(Mean, "near_patch_ratio", ">=", 1.3), LIVELY_30[2]],
    },
    Claim {
        item: "a",
        title: "a foot that stirs at 200 mm/s without pause",
        scenario: "stir",
        changes: &[],
        runs: 50,
        runs_in_test: 0,
        expect: &[Expect::Clean],
    },
    Claim {
        item: "a",
        title: "two such feet, 20 robots",
        scenario: "swarm-30-two-feet",
        changes: &["agents.count=20"],
        runs: 100,
        runs_in_test: 4,
        expect: &[Expect::Clean],
    },
    Claim {
        item: "a",
        title: "two such feet, 30 robots",
        scenario: "swarm-30-two-feet",
        changes: &["agents.count=30"],
        runs: 200,
        runs_in_test: 0,
        expect: &[Expect::Clean],
    },
    Claim {
        item: "b",
        title: "a foot anywhere on the mat that waits when it must, 30 robots",
        scenario: "swarm-30-considerate",
        changes: &[],
        runs: 100,
        runs_in_test: 0,
        expect: &waits_below(0.02, 0.01),
    },
    Claim {
        item: "b",
        title: "the same, differential drive",
        scenario: "swarm-30-considerate",
        changes: &["agents.drive=differential"],
        runs: 100,
        runs_in_test: 2,
        expect: &waits_below(0.08, 0.03),
    },
    any_filter("penalty", &["safety.filter=penalty"]),
    any_filter("orca", &["safety.filter=orca"]),
    any_filter("none", &["safety.filter=none"]),
    Claim {
        item: "b",
        title: "four feet anywhere that wait, 20 robots, differential drive",
        scenario: "swarm-30-considerate",
        changes: &["feet.count=4", "agents.count=20", "agents.drive=differential"],
        runs: 20,
        runs_in_test: 2,
        expect: &[Expect::Clean, Report(Mean, "foot_waits")],
    },
    Claim {
        item: "c",
        title: "differential drive, a foot that stays 120 mm inside and never waits, 20 robots",
        scenario: "swarm-30-differential",
        changes: &["agents.count=20"],
        runs: 100,
        runs_in_test: 4,
        expect: &[Expect::Clean],
    },
    Claim {
        item: "c",
        title: "the same, 30 robots",
        scenario: "swarm-30-differential",
        changes: &["agents.count=30"],
        runs: 100,
        runs_in_test: 0,
        expect: &BEST_EFFORT,
    },
    Claim {
        item: CUBES,
        title: "30 toio cubes, a foot in the core that waits when it must",
        scenario: "swarm-30-cubes",
        changes: &[],
        runs: 50,
        runs_in_test: 0,
        expect: &WITHIN_THE_BOUND,
    },
    Claim {
        item: CUBES,
        title: "the same, 20 cubes",
        scenario: "swarm-30-cubes",
        changes: &["agents.count=20"],
        runs: 50,
        runs_in_test: 0,
        expect: &WITHIN_THE_BOUND,
    },
    Claim {
        item: CUBES,
        title: "20 toio cubes, a foot in the core that never waits",
        scenario: "swarm-20-cubes",
        changes: &[],
        runs: 50,
        runs_in_test: 0,
        expect: &[Expect::Clean, Must(Largest, "tracking_error_max_mm", "<=", 6.0)],
    },
    Claim {
        item: CUBES,
        title: "the same, 16 cubes",
        scenario: "swarm-20-cubes",
        changes: &["agents.count=16"],
        runs: 50,
        runs_in_test: 0,
        expect: &[Expect::Clean, Must(Largest, "tracking_error_max_mm", "<=", 6.0)],
    },
    edge(30, &["agents.count=30"], 100),
    edge(24, &["agents.count=24"], 100),
    edge(20, &["agents.count=20"], 100),
    edge(10, &["agents.count=10"], 100),
    Claim {
        item: "d",
        title: "a foot anywhere that never waits, 30 robots (no controller can guarantee zero)",
        scenario: "swarm-30-full",
        changes: &["agents.count=30"],
        runs: 100,
        runs_in_test: 0,
        expect: &[
            Expect::CleanAim,
            Must(Mean, "violating_step_share", "<=", 0.001),
            Must(Largest, "d_r_deepest_mm", "<=", 5.0),
            Must(Largest, "d_h_deepest_mm", "<=", 5.0),
        ],
    },
    Claim {
        item: "d",
        title: "the same, 20 robots",
        scenario: "swarm-30-full",
        changes: &["agents.count=20"],
        runs: 100,
        runs_in_test: 0,
        expect: &BEST_EFFORT,
    },
    Claim {
        item: "d",
        title: "the same, 10 robots",
        scenario: "swarm-30-full",
        changes: &["agents.count=10"],
        runs: 100,
        runs_in_test: 0,
        expect: &[Expect::Clean],
    },
];

/// Zero by construction holds for every filter in front of the certificate; what differs is how much the foot has to wait.
const fn any_filter(filter: &'static str, changes: &'static [&'static str]) -> Claim {
    let title = match filter.as_bytes() {
        b"penalty" => "a foot anywhere that waits, 30 robots, the penalty in front of the certificate",
        b"orca" => "a foot anywhere that waits, 30 robots, half planes in front of the certificate",
        _ => "a foot anywhere that waits, 30 robots, nothing in front of the certificate",
    };
    let expect = &[Expect::Clean, Report(Mean, "foot_waits")];
    Claim { item: "b", title, scenario: "swarm-30-considerate", changes, runs: 20, runs_in_test: 2, expect }
}

const fn edge(count: u32, changes: &'static [&'static str], runs: u64) -> Claim {
    let title = match count {
        30 => "a foot that may reach the middle of an edge and never waits, 30 robots",
        24 => "the same, 24 robots",
        20 => "the same, 20 robots",
        _ => "the same, 10 robots",
    };
    Claim { item: "d", title, scenario: "swarm-30-edge", changes, runs, runs_in_test: 0, expect: &BEST_EFFORT }
}

/// The filters that are compared on the same seeds (e), with the scenario that all of them get.
pub const COMPARED: [&str; 4] = ["joint", "penalty", "orca", "none"];
/// The scenario of the comparison.
pub const COMPARED_ON: &str = "swarm-30";
/// Runs of each filter.
pub const COMPARED_RUNS: u64 = 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_claim_asks_something_and_long_ones_are_not_in_the_tests() {
        for claim in CLAIMS {
            assert!(!claim.expect.is_empty(), "{}", claim.title);
            assert!(claim.runs_in_test <= 8, "{} takes too long for every test run", claim.title);
            assert!(claim.runs > 1 && claim.runs_in_test != 1, "{}: one run alone makes no runs.csv", claim.title);
        }
    }

    #[test]
    fn no_two_claims_share_a_folder() {
        let mut folders: Vec<_> = CLAIMS.iter().map(|claim| (claim.scenario, claim.changes)).collect();
        folders.sort_unstable();
        folders.dedup();
        assert_eq!(folders.len(), CLAIMS.len());
    }
}
