//! What a picture shows, pixel by pixel: colours, directions and sizes against closed forms and the numbers of the references.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::Folder;
use sim_core::angle::{heading_of, unit};
use sim_core::{DVec2, ops};
use sim_view::draw::{Color, pixels};
use sim_view::folder::RunFolder;
use sim_view::picture::{FrameRenderer, PlaneView, Style};
use sim_view::theme::Theme;
use tiny_skia::Pixmap;

/// Side of a cube's footprint (toio facts, section 1.1).
const SIDE_MM: f64 = 31.8;

/// A picture of the first moment of a run, and where the mat is in it.
struct Shot {
    pixmap: Pixmap,
    view: PlaneView,
    theme: Theme,
}

/// Layers of the mat.
const LAYERS: [&str; 11] =
    ["heat", "grid", "patches", "ellipses", "feet", "limits", "trails", "velocities", "wishes", "ids", "panel"];

impl Shot {
    /// With some layers only.
    fn of(folder: &Folder, layers: &[&str]) -> Self {
        let run = RunFolder::open(folder.path()).unwrap();
        let theme = Theme::dark();
        let style = Style::new(1000.0, theme.clone());
        let named = |names: &[&str]| names.iter().copied().map(str::to_owned).collect::<Vec<_>>();
        let hidden: Vec<&str> = LAYERS.into_iter().filter(|name| !layers.contains(name)).collect();
        let style = Style { show: named(layers), hide: named(&hidden), ..style };
        let mut renderer = FrameRenderer::new(&run, style).unwrap();
        let pixmap = pixels::paint(&renderer.at(0.0).unwrap(), 1.0).unwrap();
        Self { pixmap, view: renderer.view(), theme }
    }

    fn at(&self, place_mm: DVec2) -> [u8; 3] {
        let place = self.view.px(place_mm);
        let pixel = self.pixmap.pixel(place.x as u32, place.y as u32).unwrap();
        [pixel.red(), pixel.green(), pixel.blue()]
    }

    fn mat(&self) -> [u8; 3] {
        self.theme.potential.at(0.0)
    }

    /// How far from a place, in a direction, the last pixel lies that is not the mat's.
    fn reach_mm(&self, from_mm: DVec2, direction_rad: f64, most_mm: f64) -> f64 {
        let steps = (most_mm * 20.0) as usize;
        let along = unit(direction_rad);
        let last = (0..steps).rev().find(|&n| differ(self.at(from_mm + along * (n as f64 / 20.0)), self.mat()) > 24);
        last.unwrap_or(0) as f64 / 20.0
    }

    /// A pixel in mm.
    fn pixel_mm(&self) -> f64 {
        1.0 / self.view.px_per_unit
    }

    fn share_of(&self, color: Color) -> f64 {
        let is_it = |p: &&tiny_skia::PremultipliedColorU8| differ([p.red(), p.green(), p.blue()], color.rgb) < 8;
        self.pixmap.pixels().iter().filter(is_it).count() as f64 / self.pixmap.pixels().len() as f64
    }
}

/// What is shown unless it is left out.
fn usual() -> Vec<&'static str> {
    LAYERS.into_iter().filter(|name| !["wishes", "trails"].contains(name)).collect()
}

fn differ(a: [u8; 3], b: [u8; 3]) -> u32 {
    (0..3).map(|n| u32::from(a[n].abs_diff(b[n]))).sum()
}

fn assert_near(found: [u8; 3], expected: [u8; 3], what: &str) {
    // A pixel is 0.4 mm, over which the potential changes by at most 0.002 of 0.37; the map has 255 steps.
    assert!(differ(found, expected) <= 9, "{what}: {found:?}, not {expected:?}");
}

#[test]
fn the_potential_has_the_colours_of_its_closed_form() {
    // A foot at rest is (1 - exp(-1.5)) / 2.5 deep in its middle (reading A3), and the colours end at 1.2 times that.
    let depth = 0.310_747_935_940_628_1;
    let folder = Folder::of_rows([&[], &["0,idle,280,280,0,0"], &["0,90,100,40,0.3"]]);
    let shot = Shot::of(&folder, &["heat"]);
    let color = |potential: f64| shot.theme.potential.at(potential / (1.2 * depth));
    let gauss = |d_mm: f64| ops::exp(-0.5 * (d_mm / 40.0) * (d_mm / 40.0));
    let [foot, patch] = [DVec2::splat(280.0), DVec2::new(90.0, 100.0)];
    assert_near(shot.at(foot), color(-depth), "under the foot");
    assert_near(shot.at(patch), color(0.3), "at the patch");
    for d_mm in [20.0, 40.0, 60.0, 80.0] {
        let aside = DVec2::new(0.6, -0.8) * d_mm;
        assert_near(shot.at(foot + aside), color(-depth * gauss(d_mm)), "beside the foot");
        assert_near(shot.at(patch - aside), color(0.3 * gauss(d_mm)), "beside the patch");
    }
    assert_near(shot.at(DVec2::new(30.0, 370.0)), shot.mat(), "far from both");
    // Orange is danger, blue is interest.
    let [foot, patch] = [shot.at(foot), shot.at(patch)];
    assert!(foot[0] > foot[2] + 60 && patch[2] > patch[0] + 60, "{foot:?} {patch:?}");
}

#[test]
fn two_feet_on_each_other_are_darker_than_one_and_beyond_the_ends_the_colour_stays() {
    let one = Shot::of(&Folder::of_rows([&[], &["0,idle,200,200,0,0"], &[]]), &["heat"]);
    let two = Shot::of(&Folder::of_rows([&[], &["0,idle,200,200,0,0", "1,idle,200,200,0,0"], &[]]), &["heat"]);
    let middle = DVec2::splat(200.0);
    assert_ne!(one.at(middle), two.at(middle));
    assert_near(two.at(middle), two.theme.potential.at(-1.0), "twice a foot");
}

#[test]
fn a_robot_beside_a_foot_is_drawn_moving_away_from_it() {
    // The foot is on the left, and the robot's velocity in the table points to the right and down.
    let rows: &[&str] = &["0,250,200,0,0,0,160,120,0,0,,130"];
    let folder = Folder::of_rows([rows, &["0,roam,120,200,0,0"], &[]]);
    let shot = Shot::of(&folder, &["velocities"]);
    let (robot, along) = (DVec2::new(250.0, 200.0), DVec2::new(0.8, 0.6));
    // From just outside the body, 200 mm/s for a quarter of a second: 17.5 mm to 67.5 mm.
    for d_mm in [30.0, 45.0, 60.0] {
        let across = |mm: f64| differ(shot.at(robot + along * d_mm + along.perp() * mm), shot.theme.arrow.rgb);
        // The line is 1.6 px wide: no pixel need be covered all over.
        assert!([-0.4, 0.0, 0.4].into_iter().map(across).min() < Some(250), "{d_mm} mm ahead");
        assert_eq!(shot.at(robot - along * d_mm), shot.mat(), "{d_mm} mm behind");
        assert_eq!(shot.at(robot + along.perp() * d_mm), shot.mat(), "{d_mm} mm aside");
    }
    let reach_mm = shot.reach_mm(robot, heading_of(along), 100.0);
    assert!((reach_mm - 67.5).abs() < 3.0, "{reach_mm}");
}

#[test]
fn a_robot_is_as_large_as_a_cube_and_its_front_is_ahead() {
    for heading_rad in [0.0, 0.5, -2.0, std::f64::consts::FRAC_PI_2] {
        let row = format!("0,200,180,{heading_rad},0,0,0,0,0,0,,");
        let shot = Shot::of(&Folder::of_rows([&[&row], &[], &[]]), &[]);
        let center = DVec2::new(200.0, 180.0);
        for quarter in 0..4 {
            let direction_rad = heading_rad + f64::from(quarter) * std::f64::consts::FRAC_PI_2;
            let half_mm = shot.reach_mm(center, direction_rad, 60.0);
            // Its line lies half outside.
            assert!(
                (half_mm - 0.5 * SIDE_MM).abs() < 1.5 * shot.pixel_mm(),
                "{heading_rad}: {half_mm} mm at {quarter}"
            );
        }
        // The corners are round: on the diagonal it ends before those of a square, 22.5 mm away, but not much before.
        let diagonal_mm = shot.reach_mm(center, heading_rad + std::f64::consts::FRAC_PI_4, 60.0);
        assert!(diagonal_mm > 20.0 && diagonal_mm < 22.0, "{diagonal_mm}");
        let ahead = unit(heading_rad) * 11.8;
        assert!(differ(shot.at(center + ahead), shot.theme.on_body.rgb) < 60, "{heading_rad}");
        assert!(differ(shot.at(center - ahead), shot.theme.body.rgb) < 30, "{heading_rad}");
    }
}

#[test]
fn the_ellipse_of_a_foot_has_the_axes_of_its_covariance() {
    // 200 mm/s along (0.6, 0.8): sqrt(40^2 + (0.2 * 200)^2) = 56.57 mm along, 40 mm across (reference 3.2).
    let folder = Folder::of_rows([&[], &["0,roam,150,140,120,160"], &[]]);
    let shot = Shot::of(&folder, &["ellipses"]);
    let (foot, heading_rad) = (DVec2::new(150.0, 140.0), heading_of(DVec2::new(0.6, 0.8)));
    let quarter = std::f64::consts::FRAC_PI_2;
    // The others lie ahead, so behind and beside the foot this one reaches furthest.
    let behind_mm = shot.reach_mm(foot, heading_rad + 2.0 * quarter, 120.0);
    let beside_mm =
        [shot.reach_mm(foot, heading_rad + quarter, 120.0), shot.reach_mm(foot, heading_rad - quarter, 120.0)];
    let line_mm = 2.0 * shot.pixel_mm();
    assert!((behind_mm - 56.57).abs() < line_mm, "{behind_mm}");
    assert!(beside_mm.iter().all(|mm| (mm - 40.0).abs() < line_mm), "{beside_mm:?}");
    // The last one is 0.6 s ahead, 120 mm, and reaches 56.57 mm further.
    let ahead_mm = shot.reach_mm(foot, heading_rad, 240.0);
    assert!((ahead_mm - 176.57).abs() < line_mm, "{ahead_mm}");
}

#[test]
fn the_limits_are_circles_of_the_scenarios_distances() {
    let robots: &[&str] = &["0,300,300,0,0,0,0,0,0,0,,180"];
    let shot = Shot::of(&Folder::of_rows([robots, &["0,idle,150,150,0,0"], &[]]), &["limits"]);
    let round = |center: DVec2, most_mm: f64| {
        let reach = |n: i32| shot.reach_mm(center, f64::from(n) * 0.11, most_mm);
        (0..57).map(reach).fold(0.0, f64::max)
    };
    let [robot_mm, foot_mm] = [round(DVec2::splat(300.0), 60.0), round(DVec2::splat(150.0), 120.0)];
    assert!((robot_mm - 30.0).abs() < 2.0 * shot.pixel_mm(), "{robot_mm}");
    assert!((foot_mm - 100.0).abs() < 2.0 * shot.pixel_mm(), "{foot_mm}");
}

#[test]
fn a_broken_distance_cannot_be_overlooked() {
    let layers = usual();
    let foot: &[&str] = &["0,idle,300,300,0,0"];
    let pair = |gap_mm: f64| {
        let rows = [
            format!("0,100,100,0,0,0,0,0,0,0,{gap_mm},200"),
            format!("1,{},100,0,0,0,0,0,0,0,{gap_mm},200", 100.0 + gap_mm),
        ];
        Shot::of(&Folder::of_rows([&[&rows[0], &rows[1]], foot, &[]]), &layers)
    };
    assert_eq!(pair(60.0).share_of(Theme::dark().alarm), 0.0);
    assert!(pair(59.9).share_of(Theme::dark().alarm) > 0.01);
    let rows: &[&str] = &["0,210,300,0,0,0,0,0,0,0,,90"];
    assert!(Shot::of(&Folder::of_rows([rows, foot, &[]]), &layers).share_of(Theme::dark().alarm) > 0.01);
}

#[test]
fn a_distance_that_is_broken_between_two_rows_cannot_be_overlooked_either() {
    let rows: &[&str] = &["0,201,300,0,0,0,0,0,0,0,,101"];
    let layers = usual();
    let folder = Folder::of_rows([rows, &["0,idle,300,300,0,0"], &[]]);
    let shot_with = |events: &str| {
        folder.write("events.csv", &format!("{}\n{events}", common::header_of("events.csv")));
        Shot::of(&folder, &layers)
    };
    let begin = "0,0,d_h_violation_begin,agent 0,foot 0,99.5,mm\n";
    let end = "0,0,d_h_violation_end,agent 0,foot 0,0.75,mm\n";
    assert_eq!(shot_with("").share_of(Theme::dark().alarm), 0.0);
    for events in [begin.to_owned(), format!("{begin}{end}")] {
        let shot = shot_with(&events);
        assert!(shot.share_of(Theme::dark().alarm) > 0.01, "{events}");
        // The robot's body and the foot's disc are red, off what is written on them.
        for place_mm in [DVec2::new(190.0, 311.0), DVec2::new(309.0, 300.0)] {
            assert_near(shot.at(place_mm), shot.theme.alarm.rgb, &events);
        }
    }
}

#[test]
fn each_layer_changes_the_picture() {
    let robots: &[&str] = &["0,300,300,0,0,0,100,0,0,100,,180"];
    let folder = Folder::of_rows([robots, &["0,roam,150,150,50,0"], &["0,250,100,40,0.3"]]);
    let bare = Shot::of(&folder, &[]);
    // There is one row, and so no trail.
    for layer in LAYERS.into_iter().filter(|layer| *layer != "trails") {
        let shot = Shot::of(&folder, &[layer]);
        assert!(shot.pixmap.data() != bare.pixmap.data(), "{layer:?} shows nothing");
    }
}

#[test]
fn a_layer_that_the_view_does_not_have_is_refused_with_those_that_it_has() {
    let folder = Folder::of_rows([&[], &["0,idle,280,280,0,0"], &[]]);
    let run = RunFolder::open(folder.path()).unwrap();
    let style = Style { hide: vec!["shoes".into()], ..Style::new(1000.0, Theme::dark()) };
    let error = FrameRenderer::new(&run, style).unwrap_err();
    assert!(error.is_input());
    let layers = "heat, patches, ellipses, feet, limits, trails, velocities, wishes, ids, grid, panel";
    assert_eq!(error.to_string(), format!("the run has no layer \"shoes\"; its layers are {layers}"));
}

#[test]
fn a_magnet_is_drawn_with_its_poles() {
    let folder = Folder::of_rows([&[], &[], &[]]);
    folder.write("view.json", common::CUBES_VIEW);
    folder.write("tables.json", &common::tables_json(&[("cubes", 1), ("messages", 0), ("events", 0)]));
    folder.write("cubes.csv", &format!("{}\n0,0,0,300,60,0,0,0,0,,,,0,0,0,0,0,,90\n", common::header_of("cubes.csv")));
    let shot = Shot::of(&folder, &[]);
    // It lies at (60, 200) with its north pole to the right, 3 mm to each side at least.
    let [north, south] = [shot.at(DVec2::new(61.5, 200.0)), shot.at(DVec2::new(58.5, 200.0))];
    assert!(north[0] > north[2] + 100 && south[2] > south[0] + 100, "{north:?} {south:?}");
    let beside =
        [DVec2::new(54.0, 200.0), DVec2::new(66.0, 200.0), DVec2::new(60.0, 190.0)].map(|place| shot.at(place));
    assert!(beside.iter().all(|color| *color == beside[0]) && beside[0] != north && beside[0] != south, "{beside:?}");
}

#[test]
fn a_cube_that_is_lifted_throws_a_shadow_and_one_that_is_tilted_is_short() {
    let shot_of = |pose: &str| {
        let folder = Folder::of_rows([&[], &[], &[]]);
        folder.write("view.json", common::CUBES_VIEW);
        folder.write("tables.json", &common::tables_json(&[("cubes", 1), ("messages", 0), ("events", 0)]));
        folder.write(
            "cubes.csv",
            &format!("{}\n0,0,0,200,330,{pose},,,,0,0,0,0,0,,90\n", common::header_of("cubes.csv")),
        );
        Shot::of(&folder, &[])
    };
    let center = DVec2::new(200.0, 330.0);
    // 40 mm up, the shadow lies 14 mm to the right and down: beyond the body's corner, 15.9 mm from its centre.
    let shadow = center + DVec2::splat(25.0);
    let [standing, lifted] = [shot_of("0,0,0,0"), shot_of("40,0,0,0")];
    assert_eq!(standing.at(shadow), standing.mat());
    assert!(lifted.at(shadow).iter().zip(lifted.mat()).all(|(dark, mat)| *dark < mat), "{:?}", lifted.at(shadow));
    // Pitched by 60 degrees, half of its length is seen, and all of its width.
    let pitched = shot_of("0,0,1.0471975511965976,0");
    let halves = [0.0, 0.5].map(|quarter| pitched.reach_mm(center, quarter * std::f64::consts::PI, 60.0));
    let line_mm = 1.5 * pitched.pixel_mm();
    assert!((halves[0] - 0.25 * SIDE_MM).abs() < line_mm && (halves[1] - 0.5 * SIDE_MM).abs() < line_mm, "{halves:?}");
}
