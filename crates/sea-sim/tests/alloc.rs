//! Queries of the water, the bottom and contacts allocate nothing once buffers have their size.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use glam::DQuat;
use sea_sim::Sea;
use sea_sim::contact::{Capsule, ContactBody, ContactParams, ContactSolver, Hull};
use sea_sim::current::{Current, Currents, DriftParams, Layers};
use sea_sim::field::{Field, FieldParams, FieldPoint, Fields, Push, Region, Turbulence};
use sea_sim::medium::{Medium, WaterSample};
use sea_sim::pose::Pose;
use sea_sim::sensor::{DvlParams, Instrument, InstrumentKind, Observed};
use sea_sim::terrain::{GeneratedParams, HeightGrid, Material, Ray, Terrain};
use sea_sim::water::{SeaState, SeaWater, Spectrum, SurfaceShape, Water, Waves};
use sim_core::sensing::{Address, ErrorParams, SensorParams};
use sim_core::{DVec2, DVec3, RunKey, Tick};
use test_alloc::allocations_of;

const KEY: RunKey = RunKey { seed: 1, run_index: 0 };

fn terrain() -> Terrain {
    let params = GeneratedParams {
        origin_m: DVec2::splat(-30.0),
        cell_m: 1.0,
        posts: [61, 61],
        base_z_m: -5.0,
        slope: DVec2::ZERO,
        relief_m: 1.0,
        feature_m: 10.0,
        layers: 3,
        material: Material(0),
    };
    Terrain::Grid(HeightGrid::generated(&params, KEY).unwrap())
}

#[test]
fn queries_allocate_nothing() {
    assert_eq!(allocations_of(|| drop(std::hint::black_box(Box::new(1)))), 1, "the counter counts");
    let spectrum = Spectrum::Jonswap { significant_height_m: 1.0, peak_period_s: 6.0, gamma: 3.3 };
    let sea_state = SeaState { spectrum, direction_rad: 0.0, spreading_rad: 0.3, components: 50 };
    let waves = Waves::from_sea_state(&sea_state, 30.0, KEY).unwrap();
    let water = Water::new(0.0, SeaWater::default(), waves, SurfaceShape::Gerstner { steepness: 0.3 }).unwrap();
    let drift = DriftParams { mean_m_s: DVec3::X, std_m_s: 0.1, correlation_s: 60.0 };
    let layers = Layers::new(vec![(0.0, DVec3::X), (10.0, DVec3::ZERO)]).unwrap();
    let currents = Currents::new(vec![Current::GaussMarkov(drift), Current::Layers(layers)], 0.02).unwrap();
    let mut state = currents.start(KEY);
    let gusts = FieldParams {
        push: Push::Along(DVec3::X),
        force_n: 1.0,
        region: Region::Everywhere,
        only_under_water: true,
        only_above_water: false,
        turbulence: Turbulence::Gaussian(DVec3::ONE),
    };
    let fields = Fields::new(vec![Field::new(gusts).unwrap()]);
    let terrain = terrain();
    let places = [DVec3::new(1.0, 2.0, -3.0); 10];
    let mut samples = [WaterSample::default(); 10];
    let errors =
        ErrorParams { noise_std: 0.01, walk_std_per_sqrt_s: 0.01, walk_correlation_s: 9.0, ..ErrorParams::default() };
    let params = SensorParams { period_ticks: 2, delay_ticks: 3, errors, ..SensorParams::default() };
    let instrument = Instrument::new(InstrumentKind::DvlVelocities(DvlParams::default()), params, 0.02).unwrap();
    let mut sensor = instrument.start();
    assert_eq!(
        allocations_of(|| {
            for step in 0..200 {
                let time_s = 0.02 * step as f64;
                currents.step(&mut state, KEY);
                let sea = Sea { water: &water, currents: &currents, state: &state };
                sea.at_each(&places, time_s, &mut samples);
                let point =
                    FieldPoint { position_m: places[0], surface_m: 0.0, submerged_depth_m: 0.1, body: 0, point: 0 };
                std::hint::black_box(fields.force_n(&point, &[], (KEY, Tick(step))));
                let ray = Ray::new(places[0], DVec3::new(0.7, 0.1, -0.2), 40.0).unwrap();
                std::hint::black_box(terrain.cast(&ray));
                let pose = Pose { position_m: places[0], world_from_body: DQuat::IDENTITY };
                let terrain = Some(&terrain);
                let (velocity, acceleration) = ([0.0; 6], [0.0; 6]);
                let observed = Observed {
                    pose,
                    velocity,
                    acceleration,
                    sea,
                    terrain,
                    beacons_m: &[],
                    is_leaking: false,
                    leaks_found: 0,
                    time_s,
                };
                instrument.step(&mut sensor, Address::new(KEY, 0, 0), Tick(step), &observed);
            }
        }),
        0
    );
    assert!(sensor.latest().is_some());
}

#[test]
fn contacts_allocate_nothing_after_the_first_step() {
    let (terrain, hull) = (terrain(), Hull::new(vec![Capsule::along_x(1.3, 0.07)]).unwrap());
    let inverse_mass =
        std::array::from_fn(|row| std::array::from_fn(|column| f64::from(u8::from(row == column)) / 20.0));
    let body = |x: f64| {
        let ground = terrain.ground(x, 0.0).unwrap();
        ContactBody {
            hull: &hull,
            pose: Pose { position_m: DVec3::new(x, 0.0, ground.z_m + 0.05), world_from_body: DQuat::IDENTITY },
            displacement: [0.0, 0.0, -0.1, 0.0, 0.0, 0.0],
            velocity: [0.0, 0.0, -5.0, 0.0, 0.0, 0.0],
            inverse_mass,
        }
    };
    let fleet = [0.0, 0.5, 1.0, 1.5, 7.0, 7.1].map(body);
    let mut solver = ContactSolver::default();
    let mut step = || {
        let mut bodies = fleet;
        solver.resolve(&mut bodies, Some(&terrain), &ContactParams::default()).len()
    };
    assert!(step() > 10);
    assert_eq!(allocations_of(|| assert!(step() > 10)), 0);
}
