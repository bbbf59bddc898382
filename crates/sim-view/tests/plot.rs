//! What plots show: where bars, dots, cells and bands lie, read back from the shapes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use sim_core::{DVec2, Rect};
use sim_view::draw::path::Step;
use sim_view::draw::{Color, Scene, Shape, svg};
use sim_view::plot::{
    Band, BoxPlot, Chart, Guide, Interval, Quantity, Series, Steps, box_plots, curves, heat_map, histogram, intervals,
    scatter,
};
use sim_view::theme::Theme;

/// Outlines that are filled with a colour, as the rectangles round them.
fn filled(scene: &Scene, color: Color) -> Vec<Rect> {
    let round = |path: &sim_view::draw::Path| {
        let places: Vec<DVec2> = path
            .0
            .iter()
            .filter_map(|step| match step {
                Step::Move(to) | Step::Line(to) | Step::Cubic(_, _, to) => Some(*to),
                Step::Close => None,
            })
            .collect();
        let (min, max) =
            (places.iter().copied().reduce(DVec2::min).unwrap(), places.iter().copied().reduce(DVec2::max).unwrap());
        Rect { min, max }
    };
    let is_it = |shape: &Shape| match shape {
        Shape::Outline(path, ink) if ink.fill == Some(color) => Some(round(path)),
        _ => None,
    };
    scene.shapes.iter().filter_map(is_it).collect()
}

/// Where words stand.
fn place_of(scene: &Scene, words: &str) -> DVec2 {
    let found = scene.shapes.iter().find_map(|shape| match shape {
        Shape::Text(text) if text.words == words => Some(text.at),
        _ => None,
    });
    found.unwrap_or_else(|| panic!("no element says {words:?}"))
}

#[test]
fn bars_are_as_high_as_there_are_values_and_the_limit_is_named() {
    for theme in [Theme::dark(), Theme::light()] {
        let chart = Chart::new("Distances", &theme);
        let values = [60.5, 60.6, 60.7, 62.5, f64::NAN];
        let scene = histogram(&chart, &Quantity::new("distance", "mm"), &values, Some(60.0));
        let bars = filled(&scene, theme.series[0]);
        let height = |bar: &Rect| bar.size().y;
        let total: f64 = bars.iter().map(height).sum();
        // Four values: whatever the bars, their heights add up to four times that of a lone value.
        let lone = bars.iter().map(height).fold(f64::MAX, f64::min);
        assert!((total / lone - 4.0).abs() < 1e-9, "{bars:?}");
        assert!(bars.iter().all(|bar| bar.max.x <= chart.size.x && bar.min.y >= 0.0));
        let svg = svg::document(&scene, 1.0);
        assert!(
            ["distance, mm", "how many", "limit 60", "4 values, 1 missing"].iter().all(|words| svg.contains(words))
        );
    }
}

#[test]
fn whiskers_lie_between_their_ends_on_the_axis() {
    let chart = Chart::new("Waits", &Theme::light());
    let rows = [
        Interval { name: "edge".into(), values: [2.0, 4.0, 10.0] },
        Interval { name: "core".into(), values: [f64::NAN, 1.0, 2.0] },
    ];
    let scene = intervals(&chart, &Quantity::new("share", "1"), &rows);
    let dots = filled(&scene, chart.theme.series[0]);
    assert_eq!(dots.len(), 1, "a row without a number has no dot");
    let [two, four] = ["2", "4"].map(|words| place_of(&scene, words).x);
    assert!((dots[0].center().x - four).abs() < 1e-6 && four > two);
    assert!(place_of(&scene, "edge").y < place_of(&scene, "core").y);
    // A unit of 1 is no unit.
    place_of(&scene, "share");
}

#[test]
fn cells_lie_where_their_axes_say() {
    let chart = Chart::new("Violations", &Theme::dark());
    let steps = |name: &str, values: &[f64]| Steps::numbers(Quantity::new(name, "mm"), values);
    let (x, y) = (steps("width", &[100.0, 200.0, 300.0]), steps("height", &[1.5, 2.5]));
    let cells = [Some(0.0), Some(5.0), None, Some(1.0), Some(10.0), Some(3.0)];
    let scene = heat_map(&chart, [&x, &y], &Quantity::new("violations", "count"), &cells);
    // The largest value stands in the second column and the upper row.
    let (largest, column, row) = (place_of(&scene, "10.0"), place_of(&scene, "200"), place_of(&scene, "2.5"));
    assert!((largest.x - column.x).abs() < 1e-6 && (largest.y - row.y).abs() < 1e-6);
    assert!(place_of(&scene, "1.5").y > row.y, "values grow upwards");
}

#[test]
fn bands_enclose_their_curve_and_nothing_else() {
    let chart = Chart::new("Speed", &Theme::light());
    let place =
        |n: u32| Band { x: f64::from(n), values: [10.0 + f64::from(n), 12.0 + f64::from(n), 15.0 + f64::from(n)] };
    let series = [Series { name: "joint".into(), places: (0..=10).map(place).collect() }];
    let quantities = [Quantity::new("time", "s"), Quantity::new("speed", "mm/s")];
    let scene = curves(&chart, [&quantities[0], &quantities[1]], &series);
    let band = filled(&scene, chart.theme.series[0].faded(0.25))[0];
    // Ten seconds wide, from 10 to 25 mm/s high: as far as the numbers on the axes say.
    let [left, right] = ["0", "10"].map(|words| place_of(&scene, words).x);
    assert!((band.min.x - left).abs() < 1e-6 && (band.max.x - right).abs() < 1e-6);
    let per_mm_s = (place_of(&scene, "15").y - place_of(&scene, "20").y) / 5.0;
    assert!((band.size().y - 15.0 * per_mm_s).abs() < 1e-6, "{band:?}");
}

#[test]
fn equal_ratios_are_equally_far_apart_on_an_axis_that_grows_by_factors() {
    let chart = Chart::new("Speed", &Theme::light());
    let place = |x: f64| Band { x, values: [1.0, 2.0, 3.0] };
    let series = [Series { name: "joint".into(), places: [100.0, 200.0, 400.0].map(place).to_vec() }];
    let marks = [100.0, 200.0, 400.0].map(|x| (x, x.to_string())).to_vec();
    let speed = Quantity { is_log: true, marks, ..Quantity::new("speed", "mm/s") }.within([100.0, 400.0]);
    let scene = curves(&chart, [&speed, &Quantity::new("room", "mm")], &series);
    let [low, middle, high] = ["100", "200", "400"].map(|words| place_of(&scene, words).x);
    assert!((middle - low - (high - middle)).abs() < 1e-6 && middle > low);
    let dots = filled(&scene, chart.theme.series[0]);
    assert!((dots[1].center().x - middle).abs() < 1e-6, "the middle dot is at its mark");
}

#[test]
fn curves_of_one_value_stand_side_by_side() {
    let chart = Chart::new("Same", &Theme::light());
    let places = vec![Band { x: 1.0, values: [1.0; 3] }, Band { x: 2.0, values: [1.0; 3] }];
    let series = ["a", "b"].map(|name| Series { name: name.into(), places: places.clone() });
    let scene = curves(&chart, [&Quantity::new("x", ""), &Quantity::new("y", "")], &series);
    let [a, b] = [0, 1].map(|n| filled(&scene, chart.theme.series[n])[0].center());
    assert!(b.x - a.x > 3.0 && (a.y - b.y).abs() < 1e-9, "{a} {b}");
}

#[test]
fn the_box_of_a_strip_reaches_from_quarter_to_quarter() {
    let quantity = Quantity::new("room", "mm").within([0.0, 6.0]).guided(Guide::limit(1.0));
    let chart = Chart::new("Rooms", &Theme::light());
    let rows = [BoxPlot { name: "core".into(), quantiles: [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0] }];
    let scene = box_plots(&chart, &quantity, &rows);
    let boxes = filled(&scene, chart.theme.series[0]);
    let [two, four] = ["2", "4"].map(|words| place_of(&scene, words).x);
    assert!((boxes[0].min.x - two).abs() < 1e-6 && (boxes[0].max.x - four).abs() < 1e-6, "{boxes:?}");
    place_of(&scene, "limit 1");
}

#[test]
fn dots_lie_where_their_pair_says() {
    let chart = Chart::new("Dots", &Theme::light());
    let axis = |name: &str| Quantity::new(name, "").within([0.0, 4.0]);
    let scene = scatter(&chart, [&axis("a"), &axis("b")], &[[1.0, 3.0], [f64::NAN, 1.0]]);
    let dots = filled(&scene, chart.theme.series[0].faded(0.5));
    assert_eq!(dots.len(), 1);
    let [one, three] = ["1", "3"].map(|words| {
        let at = |text: &&sim_view::draw::Text| text.words == words;
        let texts =
            || scene.shapes.iter().filter_map(|shape| if let Shape::Text(text) = shape { Some(text) } else { None });
        texts().filter(at).map(|text| text.at).collect::<Vec<_>>()
    });
    // Each number stands below and on the left: the lowest one is that below.
    let below = one.iter().copied().max_by(|a, b| a.y.total_cmp(&b.y)).unwrap();
    let left = three.iter().copied().min_by(|a, b| a.x.total_cmp(&b.x)).unwrap();
    assert!((dots[0].center().x - below.x).abs() < 1e-6 && (dots[0].center().y - left.y).abs() < 6.0, "{dots:?}");
}

#[test]
fn nothing_to_show_is_no_reason_to_fail() {
    let chart = Chart::new("Nothing", &Theme::dark());
    let none = Quantity::new("nothing", "");
    let steps = Steps::numbers(none.clone(), &[]);
    for scene in [
        histogram(&chart, &none, &[], None),
        intervals(&chart, &none, &[]),
        curves(&chart, [&none, &none], &[]),
        heat_map(&chart, [&steps, &steps], &none, &[]),
        box_plots(&chart, &none, &[]),
        scatter(&chart, [&none, &none], &[]),
    ] {
        assert!(svg::document(&scene, 1.0).contains("Nothing"));
    }
}
