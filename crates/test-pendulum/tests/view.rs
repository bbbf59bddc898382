//! A world that is nowhere but here is drawn: its plan and its side view, in stills, films and pages.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../../sim-view/tests/common/page.rs"]
#[allow(dead_code, reason = "the tests of pages use more of it")]
mod page;

use page::PageData;
use sim_core::{DVec2, ops};
use sim_run::{Control, Worlds, run_one, scenario};
use sim_view::draw::pixels;
use sim_view::film::{self, Film, Format};
use sim_view::folder::RunFolder;
use sim_view::picture::{FrameRenderer, PlaneView, Style};
use sim_view::replay;
use sim_view::theme::Theme;
use sim_world::WorldKind;
use std::path::Path;
use test_pendulum::Pendulum;
use test_runs::temporary;
use tiny_skia::Pixmap;

const KINDS: &[&dyn WorldKind] = &[&Pendulum];
const SWING: &str = r#"{"name": "swing", "world": "pendulum", "seed": 1, "steps": 100,
    "length_m": 2.0, "start_rad": 0.5235987755982988, "spread_rad": 0.0}"#;

fn swing(out: &Path) -> RunFolder {
    let swing = scenario::parse(Worlds(KINDS), SWING, "swing.json", &[]).unwrap();
    run_one(&swing.model, swing.model.key(0), &swing.options(out), &Control::none()).unwrap();
    RunFolder::open(out).unwrap()
}

/// True if a place of a projection has the colour of the bob.
fn is_bob(pixmap: &Pixmap, view: PlaneView, (right, across): (f64, f64)) -> bool {
    let place = view.px(DVec2::new(right, across));
    let pixel = pixmap.pixel(place.x as u32, place.y as u32).unwrap();
    let warm = Theme::dark().warm.rgb;
    [pixel.red(), pixel.green(), pixel.blue()].iter().zip(warm).all(|(a, b)| a.abs_diff(b) <= 3)
}

#[test]
fn its_bob_hangs_where_its_angle_says_from_above_and_from_the_side() {
    let (_place, out) = temporary();
    let run = swing(&out);
    let mut renderer = FrameRenderer::new(&run, Style::new(800.0, Theme::dark())).unwrap();
    let [plan, side] = renderer.views().collect::<Vec<_>>()[..] else { panic!("two projections") };
    let pixmap = pixels::paint(&renderer.at(0.0).unwrap(), 1.0).unwrap();
    // 2 m long, 30 degrees to the right: 1 m off, and 1.73 m down. The bob has a radius of 0.1 m.
    let z_m = -2.0 * ops::cos(std::f64::consts::FRAC_PI_6);
    assert!(is_bob(&pixmap, plan, (1.05, 0.0)) && !is_bob(&pixmap, plan, (1.2, 0.0)));
    assert!(is_bob(&pixmap, side, (1.05, z_m - 0.05)) && !is_bob(&pixmap, side, (1.05, 0.0)));
    assert!(!is_bob(&pixmap, side, (-1.0, z_m)) && plan.plane_px().max.y < side.plane_px().min.y);
}

#[test]
fn its_film_and_its_page_can_be_made() {
    let (_place, out) = temporary();
    let run = swing(&out);
    let film =
        Film { format: Format::Gif, from_s: None, to_s: None, fps: 5.0, speed: 1.0, scale: 1.0, overwrite: false };
    let style = Style::new(400.0, Theme::dark());
    assert_eq!(film::write(&run, style, &film, &out.join("swing.gif"), &mut |_| true).unwrap(), 6);
    let page = out.join("swing.html");
    assert!(replay::write(&out, &page, false).unwrap().notes.is_empty());
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("<title>swing</title>"));
    let page = PageData::of(&page);
    assert_eq!(page.head["view"]["plots"][0]["title"], "Angle");
    let swings = &page.head["tables"]["sampled"]["pendulum"];
    let [x_m, angles_rad] = ["x_m", "angle_rad"].map(|column| page.numbers(swings, column).remove(0));
    assert_eq!((x_m.len(), angles_rad.len()), (101, 101));
    // Half a period is 1.44 s: after 1 s it is on the other side. A page rounds lengths and angles to what can be seen.
    assert!((x_m[0] - 1.0).abs() < 2e-3 && x_m[100] < -0.4, "{x_m:?}");
    for (x_m, angle_rad) in x_m.iter().zip(angles_rad) {
        assert!((x_m - 2.0 * ops::sin(angle_rad)).abs() < 1e-2, "{x_m} m at {angle_rad} rad");
    }
}
