//! Trajectories, projection and tube, one by one.

use crate::bench::{Bench, STUBBORN};
use crate::world::{STEP_S, Setting, mat};
use sim_core::angle::{heading_of, unit};
use sim_core::{DVec2, RunKey, Stream};
use swarm_agents::Drive;
use swarm_agents::drive::stoppable_mm_s;
use swarm_agents::filter::certificate::projection::within_reach;
use swarm_agents::filter::planner::Tuning;
use swarm_agents::filter::planner::escape_paths::EscapePaths;
use swarm_agents::filter::planner::foot_prediction::{Extrapolation, FootPrediction, RatePrediction};
use swarm_agents::filter::planner::rows::Row;
use swarm_agents::filter::planner::tube::{EscapePath, Tube};
use swarm_agents::filter::planner::tuning::ticks_per_knot;
use swarm_agents::filter::trajectories::{PairClearance, Trajectories};
use swarm_agents::filter::{FilterKind, Sight};
use swarm_agents::purpose;
use swarm_field::{FeetModel, FeetParams, Gait, Manner, Travel};

/// One trajectory of four frames: 0, 10, 30 and 60 mm along x, headings 0, 0.1, 0.2 and 0.3 rad.
fn four_frames(robots: usize) -> Trajectories {
    let mut trajectories = Trajectories::default();
    trajectories.resize(Drive::Differential, robots, 4);
    for i in 0..robots {
        for (j, x) in [0.0, 10.0, 30.0, 60.0].into_iter().enumerate() {
            trajectories.set(i, j, DVec2::new(x, 100.0 * i as f64), unit(0.1 * j as f64));
        }
    }
    trajectories
}

fn xs(trajectories: &Trajectories, i: usize) -> Vec<f64> {
    trajectories.places_mm(i).iter().map(|p| p.x).collect()
}

#[test]
fn a_shifted_trajectory_stays_at_its_end() {
    let mut t = four_frames(2);
    t.shift(1);
    assert_eq!(xs(&t, 1), [10.0, 30.0, 60.0, 60.0]);
    assert_eq!([t.ahead(1, 0), t.ahead(1, 3)], [0.1, 0.1 * 3.0].map(unit));
    t.shift(0);
    assert_eq!(xs(&t, 0), [10.0, 30.0, 60.0, 60.0]);
    t.shift(2);
    assert_eq!(xs(&t, 0), [60.0; 4]);
}

#[test]
fn a_resting_trajectory_repeats_one_frame() {
    let mut t = four_frames(2);
    t.rest_from(0, 1);
    assert_eq!(xs(&t, 0), [0.0, 10.0, 10.0, 10.0]);
    assert_eq!(t.ahead(0, 3), unit(0.1));
    assert_eq!(xs(&t, 1), [0.0, 10.0, 30.0, 60.0], "another robot's is left alone");
}

/// The farthest place from (0, 80) is (60, 0): 100 mm.
#[test]
fn reach_is_the_farthest_place_and_is_copied() {
    let mut t = four_frames(1);
    t.measure_reach(0, DVec2::new(0.0, 80.0));
    assert!((t.reach_mm(0) - 100.0).abs() < 1e-12);
    let mut copy = Trajectories::default();
    copy.resize(Drive::Differential, 1, 4);
    copy.copy(0, &t);
    assert_eq!((copy.reach_mm(0), xs(&copy, 0)), (t.reach_mm(0), xs(&t, 0)));
}

/// The heading of a point plays no part and takes no memory.
#[test]
fn trajectories_of_points_have_no_headings() {
    let mut t = Trajectories::default();
    t.resize(Drive::Point, 2, 3);
    t.set(1, 0, DVec2::X, DVec2::Y);
    t.set(1, 1, DVec2::Y, DVec2::Y);
    t.rest_from(1, 1);
    t.shift(1);
    let mut copy = t.clone();
    copy.copy(0, &t);
    assert_eq!((t.places_mm(1), t.ahead(1, 0), copy.ahead(0, 0)), (&[DVec2::Y; 3][..], DVec2::X, DVec2::X));
}

/// Two trajectories cross the same place one frame after the other: clear at equal times, though their areas overlap.
#[test]
fn trajectories_are_compared_at_equal_times() {
    let mut t = four_frames(2);
    for (j, x) in [-70.0, 0.0, 10.0, 30.0].into_iter().enumerate() {
        t.set(1, j, DVec2::new(x, 0.0), DVec2::X);
    }
    let now_mm = DVec2::new(80.0, 0.0);
    let kept = |mm| PairClearance { frames_mm: mm, swept_mm: mm };
    assert!(t.are_clear(0, 1, now_mm, kept(10.0)) && t.are_clear(1, 0, -now_mm, kept(10.0)), "10 mm apart in frame 1");
    assert!(!t.are_clear(0, 1, now_mm, kept(10.1)));
}

/// From the speed that is called stoppable, a robot that brakes by its limit in every tick stops inside the gap; from 5 % more it does not
/// where the gap is many ticks long.
#[test]
fn the_stoppable_speed_stops_in_the_gap() {
    for a in [1000.0, 2400.0, 4000.0] {
        for gap in [0.0, 0.3, 2.0, 11.0, 40.0] {
            let way = |mut v: f64| {
                let mut way = 0.0;
                while v > 0.0 {
                    way += v * STEP_S;
                    v -= a * STEP_S;
                }
                way
            };
            let v = stoppable_mm_s(gap, a, STEP_S);
            assert!((v * STEP_S + v * v / (2.0 * a) - gap).abs() < 1e-9, "closed form, {a} {gap}");
            assert!(way(v) <= gap + 0.5 * a * STEP_S * STEP_S, "{a} {gap}");
            assert!(gap < 10.0 || way(1.15 * v) > gap, "{a} {gap}");
        }
    }
    assert_eq!(stoppable_mm_s(-5.0, 1000.0, STEP_S), 0.0);
}

/// As many robots as the spec asks for, far from the tested places.
const CROWD: [DVec2; 30] = [DVec2::splat(300.0); 30];

/// Largest closing speed over a gap: `u dt + u^2 / (2 a) = gap`, solved here.
fn closing_mm_s(gap_mm: f64, a: f64) -> f64 {
    -a * STEP_S + (a * a * STEP_S * STEP_S + 2.0 * a * gap_mm).sqrt()
}

/// Both robots give way alike, at 0.8 of the acceleration of both, over the gap less 0.02 mm. The last change is below 1 mm/s: 1.5 times
/// what lacked, so that a third of it may be too much.
#[test]
fn the_projection_bounds_the_closing_speed_of_a_pair() {
    for gap in [0.0, 0.5, 1.0] {
        let (a, b) = (DVec2::new(60.0, 350.0), DVec2::new(120.0 + gap, 350.0));
        let mut bench = Bench::new(Travel::Core, DVec2::new(200.0, 130.0), &[a, b]);
        let expected = closing_mm_s(f64::max(gap - 0.02, 0.0), 2.0 * 0.8 * 3000.0);
        let wish = [DVec2::new(0.5 * expected + 20.0, 15.0), DVec2::new(-0.5 * expected - 20.0, 0.0)];
        let v = bench.projected(&wish);
        let closing = v[0].x - v[1].x;
        assert!((closing - expected).abs() < 0.34, "gap {gap}: {closing} for {expected}");
        assert!((v[0].x + v[1].x).abs() < 0.1 && (v[0].y - 15.0).abs() < 0.1, "shared, and not turned aside: {v:?}");
        let apart = [DVec2::new(-30.0, 0.0), DVec2::new(30.0, 0.0)];
        assert_eq!(bench.projected(&apart), apart, "a separating pair is left alone");
    }
}

#[test]
fn the_projection_bounds_the_speed_towards_a_foot() {
    let foot = DVec2::new(200.0, 200.0);
    for gap in [0.5, 2.0] {
        let mut bench = Bench::new(Travel::Core, foot, &[foot + DVec2::new(100.0 + gap, 0.0)]);
        let expected = closing_mm_s(gap - 0.05, 0.8 * 3000.0);
        let v = bench.projected(&[DVec2::new(-expected - 30.0, 5.0)])[0];
        assert!((v.x + expected).abs() < 0.1 && (v.y - 5.0).abs() < 1e-9, "gap {gap}: {v} for {expected}");
    }
    // Half a millimetre too near, it leaves within the tick: 30 mm/s.
    let mut bench = Bench::new(Travel::Core, foot, &[foot + DVec2::new(0.0, 99.5)]);
    let v = bench.projected(&[DVec2::ZERO])[0];
    assert!((v.y - 30.0).abs() < 0.1, "{v}");
}

/// What a foot comes at is taken off what a robot may close at: with 2 mm left it has to go before a foot of 90 mm/s.
#[test]
fn the_projection_reckons_with_the_speed_of_a_foot() {
    let foot = DVec2::splat(200.0);
    let mut bench = Bench::new(Travel::Core, foot, &[foot + DVec2::new(102.0, 0.0)]);
    bench.sight = Sight::Foretold;
    for speed in [90.0, 30.0] {
        bench.set_forecast(foot, DVec2::new(speed, 0.0));
        let expected = speed - closing_mm_s(2.0 - 0.05, 0.8 * 3000.0);
        let v = bench.projected(&[DVec2::new(expected - 30.0, 5.0)])[0];
        assert!((v.x - expected).abs() < 0.1 && (v.y - 5.0).abs() < 1e-9, "{v} for {expected}");
    }
}

/// A pair that has to part beside a wall does not push one of the two through it: 1 mm before it that robot keeps what can be stopped
/// there, and the other does the rest.
#[test]
fn the_projection_keeps_walls() {
    let (inner, outer) = (DVec2::new(323.5, 350.0), DVec2::new(383.0, 350.0));
    let v = Bench::new(Travel::Core, DVec2::new(200.0, 130.0), &[inner, outer])
        .projected(&[DVec2::new(60.0, 0.0), DVec2::new(80.0, 0.0)]);
    assert!((v[1].x - closing_mm_s(1.0, 0.7 * 3000.0)).abs() < 0.1, "{v:?}");
    assert!((v[0].x - v[1].x) < 0.1, "{v:?}");
}

#[test]
fn a_velocity_within_reach_differs_by_an_acceleration_and_keeps_the_speed_limit() {
    let swarm = Setting::without_feet(FilterKind::Joint, Manner::Stubborn).swarm();
    let reached = within_reach(&swarm, DVec2::new(0.0, 100.0), DVec2::new(0.0, -100.0));
    assert!(reached.distance(DVec2::new(0.0, 50.0)) < 1e-6, "50 mm/s a tick: {reached}");
    assert!((within_reach(&swarm, DVec2::new(250.0, 0.0), DVec2::new(300.0, 0.0)).x - 252.0).abs() < 1e-6);
}

/// A foot at (105, 105) leaves the corner (16, 16) free, 126 mm away, but closes both ways out along the walls.
#[test]
fn a_sealed_corner_is_outside_the_tube() {
    let tube = Bench::new(Travel::Full, DVec2::new(105.0, 105.0), &[]).tube();
    assert!(tube.is_active());
    for k in 0..=12 {
        assert!(tube.is_outside(k, DVec2::new(17.0, 17.0)), "knot {k}");
        assert!(!tube.is_outside(k, DVec2::new(300.0, 300.0)), "knot {k}");
        assert!(tube.is_outside(k, DVec2::new(105.0, 150.0)), "under the foot, knot {k}");
    }
}

/// Between a foot at (150, 150) and the walls there are 134 mm. At the tube's end a foot is 104 mm and 5 mm for each of its 1.33 s wide:
/// that leaves 23 mm, enough for a crowd, which counts on gaps of 22 mm, but not for few robots, which leave earlier: 60 mm.
#[test]
fn few_robots_leave_a_corner_before_a_crowd_does() {
    let lasts =
        |robots: &[DVec2]| Bench::new(Travel::Full, DVec2::splat(150.0), robots).tube().lasts(DVec2::splat(17.0));
    assert!(lasts(&CROWD));
    assert!(!lasts(&CROWD[..10]));
}

/// Feet move before robots in a tick, so knot k is 4 k - 1 ticks from where the foot is seen, at 120 mm/s 2 mm a tick. The forecast
/// errs by 3 mm now; the present place of the foot is known. Beyond the 36 ticks of the forecast it goes straight on, within its domain.
#[test]
fn feet_are_predicted_by_their_forecast_from_their_present_places() {
    let foot = DVec2::new(150.0, 200.0);
    let mut bench = Bench::new(Travel::Full, foot, &[]);
    bench.set_forecast(foot + DVec2::new(0.0, 3.0), DVec2::new(120.0, 0.0));
    let still = [Extrapolation::default()];
    let feet = bench.predicted_at(STUBBORN, &still);
    assert_eq!(feet.place_mm(0, 0), foot);
    for (k, ticks) in [(1, 3.0), (5, 19.0), (9, 35.0), (12, 47.0), (20, 79.0)] {
        assert!(feet.place_mm(0, k).distance(foot + DVec2::new(2.0 * ticks, 0.0)) < 1e-9, "knot {k}");
    }
    bench.set_forecast(foot, DVec2::new(240.0, 0.0));
    let feet = bench.predicted_at(STUBBORN, &still);
    assert_eq!(feet.place_mm(0, 20), DVec2::new(400.0, 200.0), "at the edge of the mat");
    // A foot that waited speeds up by 0.02 of its rate a tick: 0.02 + 0.04 + 0.06 of 4 mm in three ticks.
    let waited = bench.predicted_at(RatePrediction { now: 0.0, climb: 0.02 }, &still);
    assert!((waited.place_mm(0, 1).x - foot.x - 0.48).abs() < 1e-9);
    // It plays no faster than its path after 5 ticks: 0.84 + 0.88 + 0.92 + 0.96 + 1 and 14 more.
    let soon = bench.predicted_at(RatePrediction { now: 0.8, climb: 0.04 }, &still);
    assert!((soon.place_mm(0, 5).x - foot.x - 4.0 * 18.6).abs() < 1e-9, "{}", soon.place_mm(0, 5));
}

/// A foot that was seen going straight and then turning: 4 ticks later a third of the turn is believed, for the changes are averaged over
/// 0.2 s, that is 12 ticks. The chord of the way beyond the forecast leads off by half of the turn on it.
#[test]
fn the_extrapolation_of_a_foot_is_averaged() {
    let mut bench = Bench::new(Travel::Full, DVec2::splat(200.0), &[]);
    let mut extrapolations = Vec::new();
    let chord = |feet: &FootPrediction| feet.place_mm(0, 20) - DVec2::splat(200.0);
    bench.turn_foot(0.0);
    assert!(chord(&bench.predicted(&mut extrapolations, 4)).y.abs() < 1e-9);
    bench.turn_foot(1.5);
    let way = chord(&bench.predicted(&mut extrapolations, 4));
    // Knot 20 is tick 79, 43 ticks beyond the forecast.
    let half_rad = 0.5 * 0.5 * 43.0 * STEP_S;
    assert!((heading_of(way) - half_rad).abs() < 0.01, "{way} for {half_rad}");
}

#[test]
fn a_corner_with_an_exit_is_inside_the_tube() {
    let tube = Bench::new(Travel::Full, DVec2::new(200.0, 200.0), &[]).tube();
    for corner in [DVec2::splat(17.0), DVec2::splat(383.0), DVec2::new(17.0, 383.0)] {
        assert!((0..=12).all(|k| !tube.is_outside(k, corner)), "{corner}");
    }
}

/// The escape path of a robot that would linger in its place: a place in each layer.
fn escape_path(tube: &Tube, from: DVec2) -> Option<Vec<DVec2>> {
    let mut path = EscapePath::default();
    tube.escape_path(from, |_| from, &mut path).then_some(path.places_mm)
}

/// A foot at (130, 130) leaves gaps of 114 mm at the walls. Who is in the corner leaves at once, along a wall, at 0.96 of 252 mm/s: 32.26
/// mm in each layer of 8 ticks, less what is left of a cell at either end.
#[test]
fn the_escape_path_out_of_a_corner_is_the_quickest() {
    let foot = DVec2::splat(130.0);
    let tube = Bench::new(Travel::Full, foot, &CROWD).tube();
    let corner = DVec2::splat(17.0);
    assert!(!tube.is_outside(0, corner) && !tube.lasts(corner));
    let way = escape_path(&tube, corner).unwrap();
    assert_eq!(way.len(), 11, "20 knots, two a layer, and now");
    assert!(way.iter().all(|p| p.distance(foot) > 104.0 && p.min_element() > 15.9));
    let hurried = way.windows(2).take(4).map(|w| w[0].distance(w[1]));
    assert!(
        hurried.clone().all(|step| step < 32.26 && step > 32.26 - 1.5 * tube.cell_mm()),
        "{:?}",
        hurried.collect::<Vec<_>>()
    );
    assert!(tube.lasts(way[10]) && way[8] == way[10], "it arrives with time to spare");
}

/// From 10 mm inside the covered disc of 104 mm the way leads straight out of it: reached in the first layer, it stays there.
#[test]
fn from_outside_the_tube_the_path_leads_to_its_nearest_cell() {
    let foot = DVec2::splat(200.0);
    let tube = Bench::new(Travel::Full, foot, &[]).tube();
    let from = foot + DVec2::new(0.0, 94.0);
    assert!(tube.is_outside(0, from));
    let way = escape_path(&tube, from).unwrap();
    let aside = way.iter().map(|p| (p.x - foot.x).abs()).fold(0.0, f64::max);
    assert!(way[1].y > from.y + 10.0 - tube.cell_mm() && aside < 2.0 * tube.cell_mm(), "{way:?}");
}

#[test]
fn only_the_band_of_a_robot_that_would_be_lost_restarts() {
    let tubes = Bench::new(Travel::Full, DVec2::splat(130.0), &CROWD).tubes();
    let tube = &tubes.expected;
    let (corner, open) = (DVec2::splat(17.0), DVec2::splat(300.0));
    let mut bands = [corner, open].map(Row::at_rest);
    let mut paths = EscapePaths::default();
    paths.find(&tubes, &bands, 12);
    paths.restart_bands(&mut bands);
    let way = escape_path(tube, corner).unwrap();
    for k in 0..=12 {
        let expected = if k % 2 == 0 { way[k / 2] } else { (way[k / 2] + way[k / 2 + 1]) * 0.5 };
        assert_eq!((bands[0].at_mm(k), bands[1].at_mm(k)), (expected, open), "knot {k}");
    }
    // Places come to within a cell of the way, or as much of that as they should: one under the foot, and one from which a robot can get
    // away.
    let under = DVec2::splat(130.0);
    let beside = way[6] + (way[6] - under).normalize() * 20.0;
    assert!(tube.is_outside(12, under) && !tube.is_outside(12, beside));
    for (shares, place, share) in [((1.0, 0.1), under, 1.0), ((0.2, 0.1), under, 0.2), ((0.2, 0.1), beside, 0.1)] {
        let mut led = bands;
        led[0].set_mm(12, place);
        let mut moved = [false; 2];
        let step_mm = paths.attract(&tubes, shares, &mut led, &mut moved);
        assert!((step_mm - share * (place.distance(way[6]) - tube.cell_mm())).abs() < 1e-9);
        assert!((led[0].at_mm(12).distance(place) - step_mm).abs() < 1e-9);
        assert!((led[0].at_mm(12).distance(way[6]) - (place.distance(way[6]) - step_mm)).abs() < 1e-9);
        led[0].set_mm(12, way[6]);
        assert_eq!((led, moved), (bands, [true, false]), "nothing else moves");
    }
    let mut lingers = bands;
    lingers[0].set_mm(12, beside);
    assert_eq!(paths.attract(&tubes, (0.2, 0.0), &mut lingers, &mut [false; 2]), 0.0);
    assert_eq!(lingers[0].at_mm(12), beside);
}

/// A cautious margin of 10 mm adds nothing now, 10 mm from the first layer on, and beyond the forecast 10 mm times 1 + 5 per square of a
/// second:
/// 36.9 mm at the last layer, 1.33 s - 0.6 s later.
#[test]
fn the_cautious_margin_grows_with_the_look_ahead() {
    let bench = Bench::new(Travel::Full, DVec2::splat(200.0), &[]);
    let radius_mm = |tube: &Tube, knot: usize| {
        let is_covered = |x: &f64| tube.is_outside(knot, DVec2::new(200.0 + x, 200.0));
        (0..180).map(f64::from).take_while(is_covered).count() as f64
    };
    let (sure, doubting) = (bench.tube(), bench.cautious_tube(10.0));
    for (knot, kept_mm) in [(0, 0.0), (2, 10.0), (8, 10.0), (20, 36.9)] {
        let more_mm = radius_mm(&doubting, knot) - radius_mm(&sure, knot);
        assert!((more_mm - kept_mm).abs() <= sure.cell_mm() + 1.0, "knot {knot}: {more_mm} for {kept_mm}");
    }
}

/// Ten robots, and a foot at 100 mm/s along x that turns by 1.5 rad/s at the end of its forecast: it may go on turning, or straight on. 43
/// ticks later that is 58.6 mm along x and 34.9 mm aside, or 71.7 mm along x.
fn turning_foot() -> Bench {
    let mut bench = Bench::new(Travel::Full, DVec2::splat(200.0), &CROWD[..10]);
    bench.turn_foot(1.5);
    bench
}

/// A place 105 mm from where the foot turns to is in neither tube, one 105 mm from where it goes straight on, and 140 mm from the other,
/// in the one that trusts the turn.
#[test]
fn the_cautious_tube_keeps_off_a_foot_that_turns_and_one_that_goes_straight_on() {
    let tubes = turning_foot().tubes();
    let lasts = |place: DVec2| (tubes.expected.lasts(place), tubes.cautious.lasts(place));
    assert_eq!(lasts(DVec2::new(258.6, 234.9 + 105.0)), (false, false));
    assert_eq!(lasts(DVec2::new(271.7, 200.0 - 105.0)), (true, false));
    assert_eq!(lasts(DVec2::new(30.0, 30.0)), (true, true));
}

/// A foot at (203, 113) that sets out along x and turns by 4.1 rad/s comes to (208, 161): a robot in the upper right corner gets out
/// along the wall. Straight on it comes to (275, 113), 145 mm from the corner and more than its 129 mm, and cuts it off.
#[test]
fn the_cautious_tube_has_no_pocket_that_a_foot_cuts_off_going_straight_on() {
    let mut bench = Bench::new(Travel::Full, DVec2::new(203.0, 113.0), &CROWD[..10]);
    bench.turn_foot(4.4);
    let tubes = bench.tubes();
    let corner = DVec2::new(383.0, 17.0);
    assert!(tubes.expected.lasts(corner) && !tubes.cautious.lasts(corner));
}

/// At the tube's end a foot that stands covers 111 mm, with a cautious margin of 5 mm 18 mm more for ten robots, and for thirty no more.
#[test]
fn only_a_sparse_swarm_keeps_a_cautious_margin_and_only_from_feet_that_never_wait() {
    let tubes =
        |manner, robots: &[DVec2]| Bench::with_manner(manner, Travel::Full, DVec2::splat(200.0), robots).tubes();
    let few = tubes(Manner::Stubborn, &CROWD[..10]);
    let many = tubes(Manner::Stubborn, &CROWD);
    let lasts = |tube: &Tube| [106.0, 120.0, 136.0].map(|y| tube.lasts(DVec2::new(200.0, 200.0 + y)));
    assert_eq!([&few.expected, &few.cautious].map(lasts), [[false, true, true], [false, false, true]]);
    assert_eq!([&many.expected, &many.cautious].map(lasts), [[false, true, true]; 2]);
    assert!(many.cautious.is_active());
    assert!(!tubes(Manner::Considerate, &CROWD[..10]).cautious.is_active());
}

/// From 44 mm inside the covered disc a robot comes out of it in its second layer. Where feet never wait it has no such path, since it
/// would be under the foot in between; from 10 mm inside it comes out at once.
#[test]
fn no_path_leads_under_a_foot_that_never_waits() {
    let foot = DVec2::splat(200.0);
    let tube = |manner| Bench::with_manner(manner, Travel::Full, foot, &[]).tube();
    let enters = |tube: &Tube, from: DVec2| escape_path(tube, from).is_some();
    let [deep, shallow] = [60.0, 94.0].map(|y| foot + DVec2::Y * y);
    assert!(enters(&tube(Manner::Considerate), deep) && enters(&tube(Manner::Considerate), shallow));
    assert!(!enters(&tube(Manner::Stubborn), deep) && enters(&tube(Manner::Stubborn), shallow));
    let in_doubt = Bench::new(Travel::Full, foot, &[]).cautious_tube(5.0);
    assert!(!enters(&in_doubt, deep) && enters(&in_doubt, shallow));
}

/// The tube around a foot that goes at `velocity_mm_s`, and where it is expected.
fn foot_on_its_way(foot: DVec2, velocity_mm_s: DVec2) -> (Tube, FootPrediction) {
    let mut bench = Bench::new(Travel::Full, foot, &CROWD);
    bench.set_forecast(foot, velocity_mm_s);
    (bench.tube(), bench.predicted(&mut Vec::new(), 4))
}

/// A foot at (130, 80) comes along the upper wall at 180 mm/s. It cuts off that wall before it, so robots there are lost, and the nearest
/// place of the tube lies behind the foot. No way leads there: those that there are keep off it at all times.
#[test]
fn a_robot_at_the_wall_does_not_run_through_the_foot_that_comes() {
    let foot = DVec2::new(130.0, 80.0);
    let (tube, feet) = foot_on_its_way(foot, DVec2::new(180.0, 10.0));
    let mut lost = 0;
    for x in (220..=384).step_by(4) {
        let from = DVec2::new(f64::from(x), 17.0);
        lost += usize::from(tube.is_outside(0, from));
        if let Some(way) = escape_path(&tube, from).filter(|_| from.distance(foot) > 104.0) {
            let nearest_mm = (0..=10).map(|layer| way[layer].distance(feet.place_mm(0, 2 * layer)));
            assert!(nearest_mm.fold(f64::MAX, f64::min) > 100.0, "from {from}: {way:?}");
        }
    }
    assert!(lost > 5, "{lost} places are outside the tube");
}

/// A foot at (117, 121) sets out along y and leaves less than 104 mm to the wall on its left. A robot there, at (23, 237), has too little
/// time at half of its speed, so it is outside the tube, the nearest place of which lies behind the foot, where the robot cannot get.
/// At its whole speed it passes before the foot.
#[test]
fn a_robot_at_the_wall_passes_before_the_foot_if_it_can() {
    let (tube, feet) = foot_on_its_way(DVec2::new(117.0, 121.0), DVec2::new(0.0, 150.0));
    let from = DVec2::new(23.0, 237.0);
    assert!(tube.is_outside(0, from));
    let way = escape_path(&tube, from).unwrap();
    assert!((0..=10).all(|layer| way[layer].distance(feet.place_mm(0, 2 * layer)) > 104.0), "{way:?}");
    assert!(tube.lasts(way[10]) && way[10].x > 200.0, "{way:?}");
}

/// In which layer a lone robot can have come into the tube without going under the foot, by a search from cell to cell, with the distances
/// that the tube keeps: 104 mm and 5 mm/s more. A layer is 0.133 s, a stride 0.96 of 252 mm/s in that time.
fn first_layer_in_the_tube(tube: &Tube, feet: &FootPrediction, from: DVec2) -> Option<usize> {
    let cell_mm = tube.cell_mm();
    let at = |x: usize| 16.0 + x as f64 * cell_mm;
    let side = (0..).take_while(|&x| at(x) < 384.01).count();
    let cells: Vec<(i32, i32)> = (0..side * side).map(|c| ((c % side) as i32, (c / side) as i32)).collect();
    let place_mm = |(x, y): (i32, i32)| DVec2::new(at(x as usize), at(y as usize));
    let nearest = |x: f64| ((x - 16.0) / cell_mm).round() as i32;
    let stride = 0.96 * 252.0 * (8.0 / 60.0) / cell_mm;
    let is_near = |a: (i32, i32), b: (i32, i32)| {
        f64::from((a.0 - b.0) * (a.0 - b.0) + (a.1 - b.1) * (a.1 - b.1)) <= stride * stride
    };
    let mut reached = vec![(nearest(from.x), nearest(from.y))];
    for layer in 1..=10 {
        let clearance_mm = 104.0 + 5.0 * layer as f64 * 8.0 / 60.0;
        let is_free = |cell: (i32, i32)| place_mm(cell).distance(feet.place_mm(0, 2 * layer)) > clearance_mm;
        reached = cells
            .iter()
            .copied()
            .filter(|&cell| is_free(cell) && reached.iter().any(|&before| is_near(cell, before)))
            .collect();
        if reached.iter().any(|&cell| !tube.is_outside(2 * layer, place_mm(cell))) {
            return Some(layer);
        }
    }
    None
}

/// A foot anywhere, on its way to anywhere, and a robot anywhere outside the tube: the tube, the foot ahead, and the robot's place.
fn lost_somewhere(draws: &mut Stream) -> (Tube, FootPrediction, DVec2) {
    loop {
        let mut anywhere =
            |least: f64| DVec2::new(draws.range(least, 400.0 - least), draws.range(least, 400.0 - least));
        let (foot, to, from) = (anywhere(20.0), anywhere(20.0), anywhere(16.0));
        let (tube, feet) = foot_on_its_way(foot, (to - foot).clamp_length_max(180.0));
        if tube.is_outside(0, from) {
            return (tube, feet, from);
        }
    }
}

/// A robot outside the tube has an escape path if a search finds one, and enters the tube in the layer that the search finds.
#[test]
fn a_path_from_outside_the_tube_enters_it_as_soon_as_it_can() {
    let mut draws = RunKey { seed: 7, run_index: 0 }.stream(purpose::ADVERSARY, 0, 0);
    let mut with = 0;
    for case in 0..60 {
        let (tube, feet, from) = lost_somewhere(&mut draws);
        let entry =
            escape_path(&tube, from).and_then(|way| (1..=10).find(|&layer| !tube.is_outside(2 * layer, way[layer])));
        assert_eq!(entry, first_layer_in_the_tube(&tube, &feet, from), "case {case}, from {from}");
        with += usize::from(entry.is_some());
    }
    assert!((20..=55).contains(&with), "{with} of 60 have a way");
}

/// No step of a path is longer than a robot's stride, and none ends under the foot.
#[test]
fn a_path_from_outside_the_tube_is_within_a_robots_reach() {
    let mut draws = RunKey { seed: 8, run_index: 0 }.stream(purpose::ADVERSARY, 0, 0);
    for case in 0..1000 {
        let (tube, feet, from) = lost_somewhere(&mut draws);
        for (layer, step) in escape_path(&tube, from).iter().flat_map(|way| way.windows(2)).enumerate() {
            assert!(step[0].distance(step[1]) < 32.26 + tube.cell_mm(), "case {case}: {step:?}");
            assert!(step[1].distance(feet.place_mm(0, 2 * layer + 2)) > 103.0, "case {case}: {step:?}");
        }
    }
}

/// A foot at (130, 130) leaves too little time to get out of its corner at half of the speed that a lone robot has. At its whole speed it
/// enters the cautious tube in the second layer, along the wall.
#[test]
fn a_cautious_tube_is_entered_as_soon_as_it_can_be_reached() {
    let (foot, corner) = (DVec2::splat(130.0), DVec2::splat(17.0));
    let tubes = Bench::new(Travel::Full, foot, &CROWD[..10]).tubes();
    assert!(tubes.cautious.is_outside(0, corner));
    let way = escape_path(&tubes.cautious, corner).unwrap();
    assert!(tubes.cautious.is_outside(2, way[1]) && !tubes.cautious.is_outside(4, way[2]), "{way:?}");
    assert!(way.iter().all(|p| p.distance(foot) > 109.0 && p.min_element() > 15.9), "{way:?}");
    assert!(tubes.cautious.lasts(way[10]));
}

/// A robot outside the cautious tube, but near enough to enter it, uses it all the same; all others use the expected one.
#[test]
fn robots_go_by_the_cautious_tube_where_they_can() {
    let foot = DVec2::splat(200.0);
    let tubes = Bench::new(Travel::Full, foot, &CROWD[..10]).tubes();
    let [deep, edge, open] = [78.0, 103.0, 170.0].map(|y| foot + DVec2::Y * y);
    assert!(std::ptr::eq(tubes.around(open), &raw const tubes.cautious));
    assert!([deep, edge].iter().all(|&place| std::ptr::eq(tubes.around(place), &raw const tubes.expected)));
    let mut bands = [deep, edge, open].map(Row::at_rest);
    let mut paths = EscapePaths::default();
    paths.find(&tubes, &bands, 12);
    paths.restart_bands(&mut bands);
    for (band, tube) in bands.iter().zip([&tubes.expected, &tubes.cautious]) {
        let way = escape_path(tube, band.at_mm(0)).unwrap();
        assert!((0..=12).step_by(2).all(|k| band.at_mm(k) == way[k / 2]), "{band:?}");
    }
    assert_eq!(bands[2], Row::at_rest(open));
}

/// Where only a foot that goes straight on would be, a robot that rests is safe by the first tube, and lost by the cautious one, which it
/// is in: it leaves, and what the sweeps push back there is led off again.
#[test]
fn a_robot_in_the_cautious_tube_keeps_to_it() {
    let tubes = turning_foot().tubes();
    let place = DVec2::new(271.7, 95.0);
    assert!((0..=20).all(|k| !tubes.expected.is_outside(k, place)));
    assert!(!tubes.cautious.is_outside(0, place) && tubes.cautious.is_outside(20, place));
    let mut bands = [Row::at_rest(place)];
    let mut paths = EscapePaths::default();
    paths.find(&tubes, &bands, 12);
    paths.restart_bands(&mut bands);
    let way = escape_path(&tubes.cautious, place).unwrap();
    assert!(way[6].distance(place) > 10.0);
    assert!((0..=12).step_by(2).all(|k| bands[0].at_mm(k) == way[k / 2]));
    let beside = |x: i32| place + DVec2::X * f64::from(x);
    let doubtful = |p: &DVec2| !tubes.expected.is_outside(12, *p) && tubes.cautious.is_outside(12, *p);
    bands[0].set_mm(12, (-100..100).map(beside).find(doubtful).unwrap());
    paths.attract(&tubes, (1.0, 0.0), &mut bands, &mut [false]);
    assert!((bands[0].at_mm(12).distance(way[6]) - tubes.cautious.cell_mm()).abs() < 1e-9);
}

/// Feet that keep 120 mm from the edge seal nothing with a margin of 16 mm, so no tube is made for them.
#[test]
fn only_feet_that_can_seal_corners_ask_for_a_tube() {
    let seals =
        |travel| Bench::new(travel, DVec2::new(200.0, 200.0), &[]).world.fixed.filter.tuning.horizon.tube_knots > 0;
    assert!(!seals(Travel::Core) && seals(Travel::Full));
}

/// Plans are tried again in front of feet that never wait, more often between several in the core and before an orbit, less often where
/// several may come near the edges, and where wheels are before such a foot. Cubes, which follow late, have as many attempts as points.
#[test]
fn plans_are_tried_again_in_front_of_feet_that_never_wait() {
    let params = |manner, travel, count| {
        let bench = Bench::with_manner(manner, travel, DVec2::splat(200.0), &[]);
        FeetParams { count, ..bench.world.fixed.feet.params().clone() }
    };
    let attempts = |params: &FeetParams| Tuning::new(Drive::Point, params, false).effort.max_attempts;
    let stubborn = |travel| [1, 2, 4].map(|count| attempts(&params(Manner::Stubborn, travel, count)));
    assert_eq!([Travel::Core, Travel::Edge, Travel::Full].map(stubborn), [[36, 72, 72], [36, 3, 3], [36, 3, 3]]);
    assert_eq!(attempts(&params(Manner::Considerate, Travel::Full, 1)), 1);
    let core = params(Manner::Stubborn, Travel::Core, 1);
    assert_eq!(attempts(&FeetParams { gait: Gait::Orbit, ..core.clone() }), 72);
    let wheels = |bodies_lag| Tuning::new(Drive::Differential, &core, bodies_lag).effort.max_attempts;
    assert_eq!([false, true].map(wheels), [16, 36]);
}

/// A considerate foot that speeds up until the next plan and then brakes passes no more frames of its path than are committed, at any rate:
/// a knot at 1, then a tenth less in each sixtieth of a second.
#[test]
fn the_committed_path_lasts_until_a_foot_stands() {
    for hz in 10..=1000 {
        let feet = FeetModel::new(FeetParams::default(), mat(), 0.6, hz).unwrap();
        let less = 0.1 * 60.0 / f64::from(hz);
        let braking: f64 = (1..).map(|tick| 1.0 - f64::from(tick) * less).take_while(|&factor| factor > 0.0).sum();
        let passed = ticks_per_knot(hz) as f64 + braking;
        assert!(passed <= feet.committed_frames() as f64 + 1e-9, "{hz} Hz: {passed} of {}", feet.committed_frames());
    }
}
