//! Feet that may wait: no distance or limit is ever broken, with any proposer, in any setting that fits.

use crate::world::{Setting, World, broken_with_feet, mat, towards_the_foot};
use sim_core::{RunKey, Stream};
use swarm_agents::Drive;
use swarm_agents::capacity::capacity;
use swarm_agents::filter::FilterKind;
use swarm_agents::purpose;
use swarm_field::{FeetParams, Gait, Manner, Travel};

const KINDS: [FilterKind; 6] = [
    FilterKind::Joint,
    FilterKind::Penalty,
    FilterKind::Orca,
    FilterKind::None,
    FilterKind::Random,
    FilterKind::Nearest,
];

/// Setting number `case`. Feet idle shortly, so that they are under way most of the time.
pub fn setting(case: u64) -> Setting {
    let draw = &mut RunKey { seed: case, run_index: 7 }.stream(purpose::ADVERSARY, 0, 0);
    let kind = KINDS[(case % KINDS.len() as u64) as usize];
    let wall_margin_mm = draw.range(0.0, 35.0);
    let feet = FeetParams {
        count: 1 + draw.below(4) as usize,
        travel: [Travel::Core, Travel::Edge, Travel::Full][draw.below(3) as usize],
        manner: Manner::Considerate,
        orbit_radius_mm: 60.0,
        gait: if draw.below(6) == 0 { Gait::Orbit } else { Gait::Walk },
        idle_s: [2.0, 2.5],
        speed_mm_s: [120.0, draw.range(120.0, 400.0)],
        noise_std_mm_s: draw.range(0.0, 5.0),
        ..FeetParams::default()
    };
    let mut setting = Setting {
        kind,
        drive: if draw.below(2) == 0 { Drive::Point } else { Drive::Differential },
        robots: 1,
        wall_margin_mm,
        a_max_mm_s2: draw.range(1000.0, 4000.0),
        omega_max_rad_s: draw.range(3.0, 20.0),
        seed: case,
        feet,
    };
    setting.robots = robots(&setting, draw);
    setting
}

/// Anything from one robot to as many as fit, the full box every fourth time.
fn robots(setting: &Setting, draw: &mut Stream) -> usize {
    let swarm = setting.swarm();
    let most = capacity(mat().inset(setting.wall_margin_mm), &swarm.clearances, setting.feet.count).robots.max(1);
    if draw.below(4) == 0 { most } else { 1 + draw.below(most as u64) as usize }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// `FILTER_CASES` asks for more settings than a test run has time for, `FILTER_FIRST` for others, `FILTER_TICKS` for longer ones.
#[test]
fn no_setting_breaks_a_distance_or_a_limit() {
    let (first, cases, ticks) = (number("FILTER_FIRST", 0), number("FILTER_CASES", 240), number("FILTER_TICKS", 300));
    let mut started = 0;
    for case in first..first + cases {
        let setting = setting(case);
        // The densest layouts of several feet leave no space at some of their places; a layout that cannot start is not a case.
        let Some(mut world) = World::new(&setting) else { continue };
        started += 1;
        for tick in 0..ticks {
            let seen = if case % 2 == 0 { world.step() } else { world.step_with(towards_the_foot) };
            if let Some(what) = broken_with_feet(&world, &seen) {
                panic!("case {case}, tick {tick}: {what}; {setting:?}");
            }
        }
    }
    assert!(started * 10 >= cases * 8, "only {started} of {cases} settings could start");
}

/// A foot with free space does walk: path speed factors of zero would be safe as well.
#[test]
fn a_foot_among_few_robots_is_hardly_held_up() {
    let mut setting = Setting::shipped(FilterKind::Joint, Manner::Considerate, 5);
    setting.robots = 10;
    setting.feet.idle_s = [2.0, 2.5];
    let mut world = World::new(&setting).unwrap();
    let (mut lost, ticks) = (0.0, 1200);
    for _ in 0..ticks {
        world.step();
        lost += 1.0 - world.state.rates[0];
    }
    assert!(lost / f64::from(ticks) < 0.05, "lost {lost} of {ticks} ticks");
}

/// The margin for motion between ticks covers the fastest motion that the feet declare.
#[test]
fn the_certificate_knows_the_fastest_foot() {
    let defaults = FeetParams::default;
    let settings = [
        defaults(),
        FeetParams { speed_mm_s: [120.0, 400.0], ..defaults() },
        FeetParams { speed_mm_s: [20.0, 50.0], orbit_speed_mm_s: 50.0, ..defaults() },
        FeetParams { idle_speed_max_mm_s: 300.0, ..defaults() },
        FeetParams { gait: Gait::Orbit, orbit_speed_mm_s: 300.0, orbit_radius_mm: 60.0, ..defaults() },
    ];
    for feet in settings {
        let setting = Setting { feet, robots: 1, ..Setting::shipped(FilterKind::Joint, Manner::Considerate, 1) };
        let world = World::new(&setting).unwrap();
        let (believed, declared) = (world.fixed.filter.foot_speed_max_mm_s, world.fixed.feet.speed_bound_mm_s());
        assert!(believed >= declared, "{believed} against {declared} mm/s: {:?}", setting.feet);
    }
}

/// A foot whose idle stepping is faster than its walk: 135 mm/s declared by the plan's largest speed and the slack, more by wider steps.
/// A filter that knows of the walk alone overlooks it until it is too late.
#[test]
fn a_foot_that_steps_faster_than_it_walks_is_seen_in_time() {
    let mut setting = Setting::shipped(FilterKind::Joint, Manner::Considerate, 9);
    setting.robots = 20;
    setting.feet = FeetParams {
        manner: Manner::Considerate,
        travel: Travel::Full,
        idle_s: [20.0, 30.0],
        idle_radius_mm: 150.0,
        idle_speed_max_mm_s: 2000.0,
        acceleration_s: [0.1, 0.2],
        speed_mm_s: [20.0, 50.0],
        orbit_speed_mm_s: 50.0,
        ..FeetParams::default()
    };
    let mut world = World::new(&setting).unwrap();
    for tick in 0..300 {
        let seen = world.step_with(towards_the_foot);
        assert_eq!(broken_with_feet(&world, &seen), None, "tick {tick}");
    }
}
