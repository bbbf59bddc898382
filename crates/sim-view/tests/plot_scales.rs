//! Plots against closed forms: where marks, bars, whiskers and fields lie, from the numbers on the axes.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::scene::{assert_near, assert_places, bounds, outlines, points, text, texts};
use proptest::prelude::*;
use sim_core::{DVec2, Rect, ops};
use sim_view::draw::{Anchor, Color, Scene, Shape, Text, font};
use sim_view::plot::{
    Band, BoxPlot, Chart, Guide, Interval, MAX_CURVES, Quantity, Series, Steps, box_plots, curves, heat_map, histogram,
    intervals, scatter,
};
use sim_view::theme::Theme;

/// Height of the type of plots, px.
const TYPE_PX: f64 = 13.0;

fn chart() -> Chart {
    Chart::new("A title", &Theme::light())
}

/// Outlines that are filled with a colour.
fn fills(scene: &Scene, color: Color) -> Vec<Rect> {
    outlines(scene).filter(|(_, ink)| ink.fill == Some(color)).map(|(path, _)| bounds(path)).collect()
}

/// Lines of a colour and width.
fn lines(scene: &Scene, color: Color, width: f64) -> Vec<Vec<DVec2>> {
    let is_it = |line: sim_view::draw::Line| line.color == color && line.width == width;
    outlines(scene).filter(|(_, ink)| ink.line.is_some_and(is_it)).map(|(path, _)| points(path)).collect()
}

/// A number as plots write it.
fn number(text: &Text) -> Option<f64> {
    text.words.replace('\u{2212}', "-").parse().ok()
}

/// The numbers below the axis with their places, from left to right.
fn below(scene: &Scene, chart: &Chart) -> Vec<(f64, f64)> {
    let height = chart.size.y - 2.5 * TYPE_PX;
    texts(scene).filter(|text| text.at.y == height).map(|text| (number(text).unwrap(), text.at.x)).collect()
}

/// The numbers on the left with their heights, from below.
fn left(scene: &Scene) -> Vec<(f64, f64)> {
    let numbers =
        texts(scene).filter(|text| text.anchor == Anchor::End).filter_map(|text| Some((number(text)?, text.at.y)));
    numbers.map(|(number, y)| (number, y - 0.33 * TYPE_PX)).collect()
}

/// From values to places by two marks of an axis.
fn axis(marks: &[(f64, f64)]) -> impl Fn(f64) -> f64 + use<> {
    let &[(a, x), .., (b, y)] = marks else { panic!("an axis has two marks: {marks:?}") };
    move |value| x + (y - x) * (value - a) / (b - a)
}

fn is_round(step: f64) -> bool {
    let mut step = step;
    while step < 0.999 {
        step *= 10.0;
    }
    while step > 9.99 {
        step /= 10.0;
    }
    [1.0, 2.0, 5.0].iter().any(|round| (step / round - 1.0).abs() < 1e-6)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn marks_of_an_axis_are_round_and_even_and_all_values_lie_on_it(
        values in prop::collection::vec(-1.0_f64..1.0, 2..20), size in 0_i32..7, shift in -3.0_f64..3.0
    ) {
        let scale = (0..size).fold(1e-3, |scale, _| scale * 10.0);
        let values: Vec<f64> = values.iter().map(|value| (value + shift) * scale).collect();
        let pairs: Vec<[f64; 2]> = values.iter().map(|&value| [value, 0.0]).collect();
        let (chart, axes) = (chart(), [Quantity::new("a", ""), Quantity::new("b", "")]);
        let scene = scatter(&chart, [&axes[0], &axes[1]], &pairs);
        let marks = below(&scene, &chart);
        let [low, high] = [f64::min, f64::max].map(|of| values.iter().copied().reduce(of).unwrap());
        prop_assume!(high - low > 1e-9 * scale);
        prop_assert!((2..=14).contains(&marks.len()), "{marks:?}");
        let step = marks[1].0 - marks[0].0;
        prop_assert!(is_round(step), "{step}");
        for pair in marks.windows(2) {
            prop_assert!((pair[1].0 - pair[0].0 - step).abs() < 1e-6 * step.max(scale), "{marks:?}");
        }
        prop_assert!((marks[0].0 / step - (marks[0].0 / step).round()).abs() < 1e-6);
        // Marks reach to within a step of the values on both sides.
        let (first, last) = (marks[0].0, marks[marks.len() - 1].0);
        prop_assert!((first - low).abs() <= step * 1.001 && (last - high).abs() <= step * 1.001, "{marks:?}");
        let at = axis(&marks);
        let area = lines(&scene, chart.theme.faint, 1.2).remove(0);
        let dots = fills(&scene, chart.theme.series[0].faded(0.5));
        for (dot, value) in dots.iter().zip(&values) {
            prop_assert!((dot.center().x - at(*value)).abs() < 1e-6, "{value}");
            prop_assert!(dot.center().x >= area[0].x - 1e-6 && dot.center().x <= area[1].x + 1e-6, "{value}");
        }
    }

    #[test]
    fn bars_count_each_value_once(values in prop::collection::vec(-50.0_f64..50.0, 1..200)) {
        let chart = chart();
        let scene = histogram(&chart, &Quantity::new("a", "m"), &values, None);
        let heights = axis(&left(&scene));
        let floor = heights(0.0);
        let per_run = floor - heights(1.0);
        let bars = fills(&scene, chart.theme.series[0]);
        let counts: Vec<f64> = bars.iter().map(|bar| (bar.max.y - bar.min.y) / per_run).collect();
        prop_assert!(counts.iter().all(|count| (count - count.round()).abs() < 1e-6 && *count > 0.5));
        prop_assert!((counts.iter().sum::<f64>() - values.len() as f64).abs() < 1e-6);
        // Each bar counts the values between its sides, which are half a pixel apart from those of the next one.
        let at = axis(&below(&scene, &chart));
        let per_px = (at(1.0) - at(0.0)).recip();
        for (bar, count) in bars.iter().zip(&counts) {
            let [low, high] = [bar.min.x - 0.5, bar.max.x + 0.5].map(|x| (x - at(0.0)) * per_px);
            let inside = values.iter().filter(|value| **value > low + 1e-6 && **value < high - 1e-6).count();
            let around = values.iter().filter(|value| **value > low - 1e-6 && **value < high + 1e-6).count();
            prop_assert!((inside..=around).contains(&(count.round() as usize)), "{low} to {high}: {count}");
        }
        let widths: Vec<f64> = bars.iter().map(|bar| bar.size().x).collect();
        prop_assert!(widths.iter().all(|width| (width - widths[0]).abs() < 1e-6));
        text(&scene, &format!("{} values", values.len()));
    }
}

#[test]
fn an_axis_of_factors_has_one_two_and_five_times_the_powers_of_ten() {
    let marks = |range: [f64; 2]| {
        let (chart, x) = (chart(), Quantity { is_log: true, ..Quantity::new("a", "") }.within(range));
        let scene = scatter(&chart, [&x, &Quantity::new("b", "")], &[[range[0], 0.0], [range[1], 1.0]]);
        let marks = below(&scene, &chart);
        // Equal ratios are equally far apart, from one end to the other.
        let dots = fills(&scene, chart.theme.series[0].faded(0.5));
        let [low, high] = [dots[0].center().x, dots[1].center().x];
        for (value, x) in &marks {
            let share = ops::ln(value / range[0]) / ops::ln(range[1] / range[0]);
            assert!((x - low - share * (high - low)).abs() < 1e-6, "{value}");
        }
        marks.into_iter().map(|(value, _)| value).collect::<Vec<_>>()
    };
    assert_eq!(marks([1.0, 100.0]), [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0]);
    assert_eq!(marks([0.3, 7.0]), [0.5, 1.0, 2.0, 5.0]);
    assert_eq!(marks([0.001, 1e4]), [0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0, 10_000.0], "powers alone are enough");
    // Between two of them there are none: round numbers then.
    assert_eq!(marks([2.1, 4.2]), [2.5, 3.0, 3.5, 4.0]);
}

#[test]
fn an_axis_with_a_value_of_zero_has_no_factors() {
    let (chart, x) = (chart(), Quantity { is_log: true, ..Quantity::new("a", "") }.within([0.0, 10.0]));
    let scene = scatter(&chart, [&x, &Quantity::new("b", "")], &[[5.0, 0.0]]);
    let at = axis(&below(&scene, &chart));
    assert_near(fills(&scene, chart.theme.series[0].faded(0.5))[0].center().x, at(5.0));
    assert_eq!(
        below(&scene, &chart).iter().map(|(value, _)| *value).collect::<Vec<_>>(),
        [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]
    );
}

#[test]
fn crowded_marks_do_not_write_over_each_other() {
    let marks: Vec<(f64, String)> = (0..40).map(|n| (f64::from(n), format!("mark {n}"))).collect();
    let x = Quantity { marks, ..Quantity::new("a", "") }.within([0.0, 39.0]);
    let chart = chart();
    let scene = scatter(&chart, [&x, &Quantity::new("b", "")], &[[1.0, 1.0]]);
    let mut written: Vec<(f64, f64)> = texts(&scene)
        .filter(|text| text.words.starts_with("mark "))
        .map(|text| (text.at.x, 0.5 * font::width(&text.words, TYPE_PX)))
        .collect();
    written.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(written.len() > 3 && written.windows(2).all(|pair| pair[0].0 + pair[0].1 < pair[1].0 - pair[1].1));
    // Each has its tick.
    assert_eq!(lines(&scene, chart.theme.faint, 1.0).len(), 40);
}

#[test]
fn a_quantity_names_its_unit_and_its_guide_lies_at_its_value() {
    let guide = Guide { at: 2.5, words: "enough".into(), is_alarm: false };
    let y = Quantity::new("speed", "m/s").guided(guide);
    let chart = chart();
    let scene = scatter(&chart, [&Quantity::new("share", "1"), &y], &[[0.0, 0.0], [1.0, 4.0]]);
    ["share", "speed, m/s", "A title", "enough"].iter().for_each(|words| drop(text(&scene, words).words.clone()));
    let height = axis(&left(&scene));
    let found = outlines(&scene).find(|(_, ink)| ink.line.is_some_and(|line| line.dash == Some([6.0, 4.0]))).unwrap();
    let area = lines(&scene, chart.theme.faint, 1.2).remove(0);
    assert_places(&points(found.0), &[DVec2::new(area[0].x, height(2.5)), DVec2::new(area[1].x, height(2.5))]);
    assert_eq!(found.1.line.unwrap().color, chart.theme.ink);
    // A guide widens the axis so that it is seen; one in alarm has that colour.
    let far = Quantity::new("speed", "m/s").guided(Guide::limit(40.0));
    let scene = scatter(&chart, [&Quantity::new("share", ""), &far], &[[0.0, 0.0], [1.0, 4.0]]);
    assert_eq!((left(&scene).last().unwrap().0, text(&scene, "limit 40").color), (40.0, chart.theme.alarm));
}

#[test]
fn a_title_that_is_too_long_is_written_smaller() {
    let title = "a title that is much longer than a plot of the usual size has space for, so that it must be written in smaller type";
    let long = Chart::new(title, &Theme::dark());
    let size = |chart: &Chart| text(&histogram(chart, &Quantity::new("a", ""), &[1.0], None), &chart.title).size;
    assert_near(font::width(title, size(&long)), long.size.x - 2.0 * TYPE_PX);
    assert_near(size(&chart()), 1.15 * TYPE_PX);
}

#[test]
fn bars_are_as_wide_as_the_spread_asks_for() {
    // Freedman and Diaconis: twice the quartile range by the cube root of the number: 2 * 500 / 10 = 100.
    let values: Vec<f64> = (0..1000).map(f64::from).collect();
    let chart = chart();
    let scene = histogram(&chart, &Quantity::new("a", ""), &values, None);
    let bars = fills(&scene, chart.theme.series[0]);
    let at = axis(&below(&scene, &chart));
    assert_eq!(bars.len(), 10);
    assert_near(bars[0].size().x + 1.0, at(100.0) - at(0.0));
    // A limit is part of the axis, though no value is there.
    let scene = histogram(&chart, &Quantity::new("a", ""), &[10.0, 11.0], Some(0.0));
    assert!(below(&scene, &chart)[0].0 <= 0.0);
    let guide = lines(&scene, chart.theme.alarm, 1.6);
    assert_near(guide[0][0].x, axis(&below(&scene, &chart))(0.0));
    text(&scene, "limit 0");
    // What is not a number is counted apart.
    let scene = histogram(&chart, &Quantity::new("a", ""), &[1.0, f64::NAN, f64::INFINITY], None);
    text(&scene, "1 values, 2 missing");
}

#[test]
fn whiskers_and_strips_lie_in_rows_from_above() {
    let chart = chart();
    let quantity = Quantity::new("a", "").within([0.0, 10.0]);
    let rows = ["first", "second", "third"].map(|name| Interval { name: name.into(), values: [1.0, 4.0, 9.0] });
    let scene = intervals(&chart, &quantity, &rows);
    let at = axis(&below(&scene, &chart));
    let area = lines(&scene, chart.theme.faint, 1.2).remove(0);
    let (top, bottom) = (4.4 * TYPE_PX, area[0].y);
    let whiskers = lines(&scene, chart.theme.series[0], 2.0);
    for (n, (whisker, row)) in whiskers.iter().zip(&rows).enumerate() {
        let height = top + (bottom - top) * (n as f64 + 0.5) / 3.0;
        let cap = DVec2::new(0.0, 0.35 * TYPE_PX);
        let [low, high] = [1.0, 9.0].map(|value| DVec2::new(at(value), height));
        assert_places(whisker, &[low, high, low - cap, low + cap, high - cap, high + cap]);
        let dot = fills(&scene, chart.theme.series[0])[n];
        assert_places(&[dot.center(), dot.size()], &[DVec2::new(at(4.0), height), DVec2::splat(0.76 * TYPE_PX)]);
        assert_near(text(&scene, &row.name).at.y, height + 0.33 * TYPE_PX);
    }
    assert_eq!(whiskers.len(), 3);
    let box_plot = BoxPlot { name: "row".into(), quantiles: [0.0, 1.0, 3.0, 4.0, 6.0, 8.0, 10.0] };
    let lost = BoxPlot { name: "lost".into(), quantiles: [f64::NAN; 7] };
    let scene = box_plots(&chart, &quantity, &[box_plot, lost]);
    let height = top + (bottom - top) * 0.25;
    let along = |low: f64, high: f64| {
        vec![DVec2::new(at2(&scene, &chart, low), height), DVec2::new(at2(&scene, &chart, high), height)]
    };
    let color = chart.theme.series[0];
    assert_places(&lines(&scene, color.faded(0.6), 1.0).concat(), &along(0.0, 10.0));
    assert_places(&lines(&scene, color, 2.4).concat(), &along(1.0, 8.0));
    let half = DVec2::new(0.0, 0.42 * TYPE_PX);
    let median = DVec2::new(at2(&scene, &chart, 4.0), height);
    assert_places(&lines(&scene, chart.theme.ground, 2.2).concat(), &[median - half, median + half]);
    let boxes = fills(&scene, color);
    assert_places(&[boxes[0].min, boxes[0].max], &[along(3.0, 6.0)[0] - half, along(3.0, 6.0)[1] + half]);
    assert_eq!(boxes.len(), 1, "a row without a number stays empty");
    text(&scene, "lost");
}

fn at2(scene: &Scene, chart: &Chart, value: f64) -> f64 {
    axis(&below(scene, chart))(value)
}

#[test]
fn a_map_colours_its_fields_between_its_ends() {
    let chart = chart();
    let steps = |names: [&str; 2]| Steps { quantity: Quantity::new("a", ""), names: names.map(str::to_owned).to_vec() };
    let (x, y) = (steps(["left", "right"]), steps(["low", "high"]));
    let cells = [Some(0.0), Some(30.0), None, Some(f64::NAN)];
    let scene = heat_map(&chart, [&x, &y], &Quantity::new("b", "m"), &cells);
    let color = |share: f64| {
        let colorous::Color { r, g, b } = colorous::CIVIDIS.eval_continuous(share);
        Color { rgb: [r, g, b], alpha: 1.0 }
    };
    let [low, high] = [fills(&scene, color(0.0)), fills(&scene, color(1.0))].map(|rects| rects[0]);
    assert_near(low.center().x, text(&scene, "left").at.x);
    assert_near(high.center().x, text(&scene, "right").at.x);
    assert_near(low.center().y, text(&scene, "low").at.y - 0.33 * TYPE_PX);
    // Two fields stay empty: frames in the colour of hair lines.
    assert_eq!(lines(&scene, chart.theme.hairline, 1.0).len(), 2);
    // Words are dark on light fields and light on dark ones.
    let on = |words: &str, rect: Rect| {
        texts(&scene).find(|text| text.words == words && (text.at.x - rect.center().x).abs() < 1e-6).unwrap().color
    };
    assert_eq!((on("0", low), on("30", high)), (Color::hex(0xffffff), Color::hex(0x10151b)));
    // The bar goes from the largest value above to the smallest below.
    let bar = scene.shapes.iter().find_map(|shape| match shape {
        Shape::Image(frame, image) => Some((*frame, image.clone())),
        _ => None,
    });
    let (frame, image) = bar.unwrap();
    assert_eq!((image.width, image.pixels[0], image.pixels[127]), (1, color(1.0).rgb, color(0.0).rgb));
    assert_places(&[DVec2::new(frame.min.y, frame.max.y)], &[DVec2::new(4.4 * TYPE_PX, chart.size.y - 4.0 * TYPE_PX)]);
    text(&scene, "b, m");
}

#[test]
fn a_map_of_one_value_and_one_with_given_ends_have_colours_too() {
    let chart = chart();
    let steps = Steps::numbers(Quantity::new("a", ""), &[1.0]);
    let found = |quantity: &Quantity, value: f64| {
        let scene = heat_map(&chart, [&steps, &steps], quantity, &[Some(value)]);
        let numbers = texts(&scene).filter(|text| text.at.x > chart.size.x - 9.0 * TYPE_PX).filter_map(number);
        (numbers.collect::<Vec<_>>(), scene)
    };
    let plain = Quantity::new("b", "");
    assert_eq!(found(&plain, 4.0).0, [3.5, 4.5]);
    let (ends, scene) = found(&plain.clone().within([0.0, 100.0]), 400.0);
    assert_eq!(ends, [0.0, 100.0]);
    let colorous::Color { r, g, b } = colorous::CIVIDIS.eval_continuous(1.0);
    assert_eq!(fills(&scene, Color { rgb: [r, g, b], alpha: 1.0 }).len(), 1, "beyond the end, the end");
}

#[test]
fn small_fields_have_no_words_and_crowded_names_are_thinned() {
    let chart = chart();
    let values: Vec<f64> = (0..60).map(f64::from).collect();
    let steps = Steps::numbers(Quantity::new("a", ""), &values);
    let cells: Vec<Option<f64>> = (0..3600).map(|n| Some(f64::from(n) + 0.5)).collect();
    let scene = heat_map(&chart, [&steps, &steps], &Quantity::new("b", ""), &cells);
    assert!(
        texts(&scene)
            .all(|text| number(text).is_none_or(|number| number < 60.0 || text.at.x > chart.size.x - 9.0 * TYPE_PX))
    );
    let mut xs: Vec<(f64, f64)> = texts(&scene)
        .filter(|text| text.anchor == Anchor::Middle && number(text).is_some())
        .map(|text| (text.at.x, font::width(&text.words, TYPE_PX)))
        .collect();
    xs.sort_by(|a, b| a.0.total_cmp(&b.0));
    assert!(xs.len() > 5 && xs.windows(2).all(|pair| pair[1].0 - pair[0].0 >= 0.5 * (pair[0].1 + pair[1].1)), "{xs:?}");
}

#[test]
fn curves_have_a_dot_a_value_up_to_sixteen_and_a_band_round_them() {
    let series = |count: u32| Series {
        name: "one".into(),
        places: (0..count)
            .map(|n| Band { x: f64::from(n), values: [1.0, 2.0, 4.0].map(|v| v + f64::from(n)) })
            .collect(),
    };
    let chart = chart();
    let axes = [Quantity::new("a", ""), Quantity::new("b", "")];
    let draw = |all: &[Series]| curves(&chart, [&axes[0], &axes[1]], all);
    let color = chart.theme.series[0];
    let few = draw(&[series(16)]);
    let (at, height) = (axis(&below(&few, &chart)), axis(&left(&few)));
    let dots = fills(&few, color);
    assert_eq!((dots.len(), fills(&draw(&[series(17)]), color).len()), (16, 0));
    dots.iter().enumerate().for_each(|(n, dot)| {
        assert_places(&[dot.center()], &[DVec2::new(at(n as f64), height(2.0 + n as f64))]);
    });
    let middle: Vec<DVec2> = (0..16).map(|n| DVec2::new(at(f64::from(n)), height(2.0 + f64::from(n)))).collect();
    assert_places(&lines(&few, color, 2.2)[0], &middle);
    // The band goes along the lower ends, and back along the upper ones.
    let band = outlines(&few).find(|(_, ink)| ink.fill == Some(color.faded(0.25))).unwrap().0;
    let end = |n: i32, value: f64| DVec2::new(at(f64::from(n)), height(value + f64::from(n)));
    let round: Vec<DVec2> = (0..16).map(|n| end(n, 1.0)).chain((0..16).rev().map(|n| end(n, 4.0))).collect();
    assert_places(&points(band), &round);
    // Places of two curves stand five px apart, and each has a whisker.
    let two = draw(&[series(3), Series { name: "two".into(), ..series(3) }]);
    let [a, b] = [0, 1].map(|n| fills(&two, chart.theme.series[n])[0].center().x);
    assert_near(b - a, 5.0);
    assert_eq!(lines(&two, color.faded(0.8), 1.4).len(), 3);
    // Of three, each has whiskers, the middle one too, and none a band that would hide the others.
    let three = draw(&["one", "two", "three"].map(|name| Series { name: name.into(), ..series(3) }));
    for color in &chart.theme.series[..3] {
        assert_eq!(lines(&three, color.faded(0.8), 1.4).len(), 3);
        assert!(
            outlines(&three)
                .all(|(_, ink)| ink.fill.is_none_or(|fill| [0.14, 0.25].iter().all(|&a| fill != color.faded(a))))
        );
    }
    // What is not finite is left out.
    let mut holed = series(5);
    holed.places[2].values[0] = f64::NAN;
    assert_eq!(fills(&draw(&[holed]), color).len(), 4);
    assert!(MAX_CURVES <= chart.theme.series.len(), "each curve has a colour of its own");
}

#[test]
fn names_of_curves_stand_above_in_their_colours_and_in_lines_where_they_are_long() {
    let chart = chart();
    let names = |words: &str| {
        let place = Band { x: 1.0, values: [1.0; 3] };
        let series = |n: usize| Series { name: format!("{words} {n}"), places: vec![place, Band { x: 2.0, ..place }] };
        let all: Vec<Series> = (0..6).map(series).collect();
        let scene = curves(&chart, [&Quantity::new("a", ""), &Quantity::new("b", "")], &all);
        all.iter().map(|series| text(&scene, &series.name).clone()).collect::<Vec<_>>()
    };
    let short = names("c");
    assert!(short.iter().enumerate().all(|(n, text)| text.color == chart.theme.series[n]));
    assert!(short.windows(2).all(|pair| pair[0].at.y == pair[1].at.y && pair[0].at.x < pair[1].at.x));
    assert_near(short[5].at.x, chart.size.x - 2.0 * TYPE_PX);
    // In lines of words: none reaches beyond either side, and none lies on another.
    let long = names("a rather long name of a curve");
    let span = |text: &Text| [text.at.x - font::width(&text.words, TYPE_PX), text.at.x];
    assert!(long.iter().all(|text| span(text)[0] >= 0.0 && span(text)[1] <= chart.size.x));
    assert!(long.windows(2).all(|pair| pair[0].at.y < pair[1].at.y || span(&pair[0])[1] < span(&pair[1])[0]));
    assert!(long[0].at.y < long[5].at.y);
}
