//! One renewal of the certificate: the proposals that it accepts, and its choice for the other robots.

use crate::bench::Bench;
use sim_core::DVec2;
use swarm_agents::filter::Decision::{Brake, Proposed, Solo, Stored};
use swarm_agents::filter::certificate::{Certificate, CertificateScratch, Proposal};
use swarm_agents::filter::planner::{Plan, PlannerScratch, plan};
use swarm_agents::filter::{Decision, FilterKind};
use swarm_field::{Manner, Travel};

/// The foot, out of the way, nearer to robots on the right.
const ASIDE: DVec2 = DVec2::new(280.0, 130.0);

fn renew(bench: &Bench, certificate: &mut Certificate, proposal: &Proposal<'_>) -> Vec<Decision> {
    certificate.renew(&bench.world.fixed.filter, &mut CertificateScratch::default(), &bench.input(&[]), proposal);
    certificate.decisions().to_vec()
}

/// Two robots 61 mm apart want to meet. What can be stopped in the gap of 60.147 mm and 0.02 mm at 2 * 0.8 * 3000 mm/s^2 is closing at
/// 40 mm/s, to a third of a mm/s. The joint filter asks half of it of each, which is clear; without the projection both are refused.
#[test]
fn the_joint_filter_asks_for_no_more_than_can_be_stopped() {
    let places = [DVec2::new(60.0, 350.0), DVec2::new(121.0, 350.0)];
    let velocities = [DVec2::new(50.0, 0.0), DVec2::new(-50.0, 0.0)];
    let mut bench = Bench::new(Travel::Core, ASIDE, &places);
    let mut certificate = Certificate::default();
    assert_eq!(renew(&bench, &mut certificate, &Proposal::Velocities(&velocities)), [Proposed; 2]);
    let gap = 61.0 - (60.0_f64 * 60.0 + 4.2 * 4.2).sqrt() - 0.02;
    let closing = -80.0 + (80.0_f64 * 80.0 + 2.0 * 4800.0 * gap).sqrt();
    let step = certificate.stored().place_mm(0, 1).x - places[0].x;
    assert!((step - 0.5 * closing / 60.0).abs() < 0.5 * 0.34 / 60.0, "{step}");
    bench.world.fixed.filter.kind = FilterKind::None;
    let refused = renew(&bench, &mut Certificate::default(), &Proposal::Velocities(&velocities));
    assert!(refused.contains(&Solo) || refused.contains(&Stored), "{refused:?}");
}

/// A robot at 250 mm/s whose band leads into another that stands: its stored trajectory, 8.3 mm to a stop, is clear of it, and
/// following the band for 8 or 4 ticks is not. In front of a foot that never waits it goes on by what is stored; where feet wait it
/// follows the band for 2 ticks and brakes.
#[test]
fn a_moving_robot_goes_on_rather_than_brake_before_a_stubborn_foot() {
    for (manner, expected) in [(Manner::Stubborn, Stored), (Manner::Considerate, Brake)] {
        let places = [DVec2::new(60.0, 350.0), DVec2::new(140.0, 350.0)];
        let velocities = [DVec2::new(250.0, 0.0), DVec2::ZERO];
        let mut bench = Bench::with_manner(manner, Travel::Core, ASIDE, &places);
        bench.agents.velocity_mm_s.copy_from_slice(&velocities);
        let mut certificate = Certificate::default();
        assert!(certificate.start_moving(&bench.world.fixed.filter, &bench.agents, 1));
        let stops = places[0] + DVec2::new((200.0 + 150.0 + 100.0 + 50.0) / 60.0, 0.0);
        assert!(certificate.stored().place_mm(0, 9).distance(stops) < 1e-6);
        // A band that is pulled at once and not repaired.
        let tuning = &mut bench.world.fixed.filter.tuning;
        (tuning.effort.max_sweeps, tuning.effort.max_attempts) = (0, 1);
        (tuning.pull.time_s, tuning.pull.max_wish_mm_s) = (1e-3, 250.0);
        tuning.margins.lead_mm = f64::INFINITY;
        // Decisions of two ticks, so that a proposal can follow the band for less than a knot and then brake.
        tuning.horizon.plan_decisions = tuning.horizon.plan_knots * 2;
        let (mut band, scratch) = (Plan::default(), &mut PlannerScratch::default());
        plan(&bench.world.fixed.filter, &mut band, scratch, &certificate.stored(), &bench.input(&velocities));
        assert_eq!(renew(&bench, &mut certificate, &Proposal::Plan(&band)), [expected, Proposed], "{manner:?}");
    }
}
