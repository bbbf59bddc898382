//! Latitude and longitude: values of PROJ, round trips, and the edges of the grid.
#![allow(clippy::unwrap_used, reason = "a test that cannot be set up has failed")]

use proptest::prelude::*;
use sea_sim::georef::{Frame, Geodetic, Georef, Utm};
use sim_core::DVec3;

fn place(latitude_deg: f64, longitude_deg: f64) -> Geodetic {
    Geodetic { latitude_deg, longitude_deg, height_m: 0.0 }
}

const ASKO: Geodetic = Geodetic { latitude_deg: 58.811_481, longitude_deg: 17.596_178, height_m: 0.0 };

fn metres_between(a: &Geodetic, b: &Geodetic) -> f64 {
    let north = (a.latitude_deg - b.latitude_deg) * 111_200.0;
    let east = (a.longitude_deg - b.longitude_deg) * 111_200.0 * sim_core::ops::cos(a.latitude_deg.to_radians());
    (north * north + east * east).sqrt()
}

/// Values of PROJ 9.
#[test]
fn grid_places_are_those_of_proj() {
    let cases = [
        (ASKO, 33, 'V', 649_947.133_2, 6_521_967.582_2),
        (place(59.3498, 18.0707), 34, 'V', 333_449.901_7, 6_582_667.440_2),
        (place(58.25, 11.447), 32, 'V', 643_611.289_7, 6_459_152.367_7),
        (place(40.7128, -74.0060), 18, 'T', 583_959.372_3, 4_507_350.998_2),
        (place(0.0, 15.0), 33, 'N', 500_000.0, 0.0),
        (place(45.0, 15.0), 33, 'T', 500_000.0, 4_982_950.400_2),
    ];
    for (place, zone, band, easting_m, northing_m) in cases {
        let utm = Utm::from_geodetic(&place).unwrap();
        assert_eq!((utm.zone, utm.band), (zone, band), "{place:?}");
        assert!((utm.easting_m - easting_m).abs() < 6e-5 && (utm.northing_m - northing_m).abs() < 6e-5, "{utm:?}");
        assert!(metres_between(&utm.geodetic(), &place) < 1e-8);
    }
}

#[test]
fn zones_follow_norway_and_svalbard() {
    let zone = |latitude, longitude| {
        let utm = Utm::from_geodetic(&place(latitude, longitude)).unwrap();
        (utm.zone, utm.band)
    };
    assert_eq!(zone(60.0, 4.0), (32, 'V'));
    assert_eq!(zone(55.9, 4.0), (31, 'U'));
    assert_eq!(zone(78.0, 8.0), (31, 'X'));
    assert_eq!(zone(78.0, 20.0), (33, 'X'));
    assert_eq!(zone(84.0, 40.0), (37, 'X'));
    assert_eq!(zone(-80.0, 180.0), (60, 'C'));
    assert_eq!(zone(-0.001, -180.0), (1, 'M'));
    let error = Utm::from_geodetic(&place(84.1, 0.0)).unwrap_err().to_string();
    assert_eq!(error, "lat_deg is 84.1, must be from -80 to 84");
}

/// Places on the grid around Askö, by PROJ.
#[test]
fn the_grid_frame_counts_grid_metres() {
    let world = Georef::new(ASKO, Frame::Grid).unwrap();
    let cases = [
        ((100.0, 0.0), (58.811_446_188, 17.597_907_341)),
        ((0.0, 100.0), (58.812_378_169, 17.596_245_082)),
        ((1000.0, -500.0), (58.806_646_052, 17.613_133_650)),
    ];
    for ((x, y), (latitude, longitude)) in cases {
        let found = world.geodetic(DVec3::new(x, y, -12.0));
        assert!((found.latitude_deg - latitude).abs() < 6e-10 && (found.longitude_deg - longitude).abs() < 6e-10);
        assert_eq!(found.height_m, -12.0);
    }
    // Convergence of the grid there, by PROJ.
    assert!((world.convergence_rad().to_degrees() - 2.2214).abs() < 6e-5, "{}", world.convergence_rad().to_degrees());
    assert_eq!(world.utm().unwrap().zone, 33);
}

/// Value of PROJ, and of another simulator's test.
#[test]
fn the_tangent_frame_leaves_the_ellipsoid() {
    let world = Georef::new(place(45.0, 15.0), Frame::Tangent).unwrap();
    let found = world.geodetic(DVec3::new(200.0, 100.0, 5.0));
    assert!((found.latitude_deg - 45.000_899_804).abs() < 6e-10, "{found:?}");
    assert!((found.longitude_deg - 15.002_536_601).abs() < 6e-10);
    assert!((found.height_m - 5.003_916).abs() < 6e-7);
    assert_eq!(world.convergence_rad(), 0.0);
    // Where equator and central meridian cross, latitude grows by the meridian's radius of curvature, a (1 - e^2).
    let equator = Georef::new(place(0.0, 0.0), Frame::Tangent).unwrap();
    let north = equator.geodetic(DVec3::new(0.0, 1.0, 0.0)).latitude_deg;
    assert!((north.to_radians() * 6_335_439.327 - 1.0).abs() < 1e-8);
}

#[test]
fn wrong_places_are_refused_by_name() {
    let refused = |place, frame| Georef::new(place, frame).unwrap_err().to_string();
    assert_eq!(refused(place(91.0, 0.0), Frame::Tangent), "lat_deg is 91, must be from -90 to 90");
    assert_eq!(refused(place(0.0, f64::NAN), Frame::Tangent), "lon_deg is NaN, must be from -180 to 180");
    assert_eq!(refused(place(-85.0, 0.0), Frame::Grid), "lat_deg is -85, must be from -80 to 84");
    assert!(Georef::new(place(90.0, 0.0), Frame::Tangent).is_ok());
}

proptest! {
    /// There and back: a micrometre over tens of kilometres, on both sides of the equator.
    #[test]
    fn metres_come_back(
        latitude in -79.0..83.0_f64, longitude in -180.0..180.0_f64,
        x in -3e4..3e4_f64, y in -3e4..3e4_f64, z in -9e3..9e3_f64, is_grid: bool,
    ) {
        let frame = if is_grid { Frame::Grid } else { Frame::Tangent };
        let world = Georef::new(place(latitude, longitude), frame).unwrap();
        let position = DVec3::new(x, y, z);
        let back = world.position_m(&world.geodetic(position));
        prop_assert!((back - position).length() < 1e-6, "{position} {back}");
    }

    /// Near its origin the grid is turned by the convergence and scaled by at most 1 in 1000.
    #[test]
    fn both_frames_agree_about_directions(latitude in -79.0..83.0_f64, longitude in -179.0..179.0_f64) {
        let origin = place(latitude, longitude);
        let (tangent, grid) = (Georef::new(origin, Frame::Tangent).unwrap(), Georef::new(origin, Frame::Grid).unwrap());
        let step = tangent.position_m(&grid.geodetic(DVec3::new(0.0, 10.0, 0.0)));
        let angle = sim_core::ops::atan2(step.x, step.y);
        prop_assert!((angle - grid.convergence_rad()).abs() < 1e-5, "{angle} {}", grid.convergence_rad());
        prop_assert!((step.length() / 10.0 - 1.0).abs() < 2e-3);
    }
}
