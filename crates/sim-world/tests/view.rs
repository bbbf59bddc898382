//! Views as JSON: what pages and pictures read, and that nothing of a view is lost on the way.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use serde_json::{Value as Json, json};
use sim_world::View;
use sim_world::view::{
    Area, Axis, Breaks, Chart, ChartLayout, Color, Condition, Coord, Draw, Fact, Figure, Flag, Fold, Ink, Layer,
    Lettering, Limit, Line, List, Log, Mark, Mount, Outline, Panel, Part, Party, Phrase, Place, Plot, Projection,
    Quantity, Rule, Scanner, Section, Shape, Strip, Tint, Verdict, Wells, Width,
};

fn line() -> Line {
    Line::new(Color::Ink.full(), Width::Px(1.5))
}

fn lettering() -> Lettering {
    Lettering { tint: Color::OnBody.full(), size: [3.0, 0.5], is_bold: true, is_centred: false }
}

/// A number of every kind.
fn quantities() -> Vec<Quantity> {
    let pair = || ["vx".to_owned(), "vy".to_owned()];
    vec![
        Quantity::Column("x_mm".into()),
        Quantity::Owner,
        Quantity::Name,
        Quantity::Length(pair()),
        Quantity::Difference(pair(), ["wx".into(), "wy".into()]),
        Quantity::Middle(pair()),
        Quantity::Tilt(pair()),
        Quantity::Nearest("lidar".into()),
        Quantity::Apart,
        Quantity::Within("feet".into(), "near_mm".into()),
        Quantity::Over { polygons: "mats".into(), at: [1.0, -2.0], up_to: 5.0 },
    ]
}

/// A part of every shape.
fn parts() -> Vec<Part> {
    let shapes = [
        Shape::Polygon(vec![[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]),
        Shape::Line(vec![[0.0, 0.0], [1.0, 1.0]]),
        Shape::Disc([0.5, 0.5], 2.0),
        Shape::Box([0.0, 0.0], [3.0, 4.0], 0.5),
    ];
    let part = |shape| Part {
        shape,
        ink: Ink::fill(Color::Body.full()).with_line(line()),
        alarm: Some(Ink::fill(Color::Alarm.full())),
        turn: Some(("steer_rad".into(), [1.0, 2.0])),
        when: vec![Condition::Alarm],
    };
    shapes.map(part).to_vec()
}

/// A mark of every kind.
fn draws() -> Vec<Draw> {
    let tint = || Color::Lamp(["r".into(), "g".into(), "b".into()]).faded(0.5);
    let by = Tint { by: Some(("on".into(), 0.1, 255.0)), ..Color::Rgb([1, 2, 3]).full() };
    vec![
        Draw::Plane { fill: Some(by), has_grid: true },
        Draw::Polygons {
            name: Some("mats".into()),
            shapes: vec![Outline { points: vec![[0.1, 0.2]], label: Some("A \"mat\"".into()) }, Outline::default()],
            is_closed: true,
            z: -1.0,
            ink: Ink::default(),
            labels: Some(lettering()),
        },
        Draw::Body { parts: parts(), has_finder: true, shadow: Some([1.0, 30.0]) },
        Draw::Circle { radius: ("r_mm".into(), 0.5), ink: Ink::line(line()), alarm: None },
        Draw::Ellipse { sigma: 60.0, stretch_s: 0.3, ahead_s: vec![0.5, 1.0], line: line().dashed(3.0, 2.0) },
        Draw::Trail { back_s: 10.0, ahead_s: 0.0, line: Line::new(tint(), Width::Fine(1.0)) },
        Draw::Vector { along: ["vx".into(), "vy".into()], up: None, factor: 0.2, gap: 12.0, tint: tint() },
        Draw::Scan { stream: "lidar".into(), seen: None, hits: Some(tint()) },
        Draw::Wells(Wells {
            wells: "feet".into(),
            hills: "patches".into(),
            hill: ["sigma_mm".into(), "peak".into()],
            scale: 1.0,
            sigma: 60.0,
            stretch_s: 0.3,
            beta_per_s: 2.5,
            window_s: 1.0,
            frames: 11,
            extent: 1.5,
            words: ["a", "b", "c", "d"].map(str::to_owned),
        }),
        Draw::Line {
            from: Place::plane(0.0, 1.0),
            to: Place::plane("x_m", "y_m"),
            line: Line::new(tint(), Width::Length(2.0)),
        },
        Draw::Link { limits: vec!["d_r".into()], gap: 3.0, ring: Some(9.0) },
        Draw::Label {
            words: quantities().into_iter().map(|of| Phrase::new("{}", [Figure::new(of, 1)])).collect(),
            at: [0.0, 1.0],
            below: [2.0, 3.0],
            lettering: lettering(),
            alarm: None,
            ground: Some(Color::Ground.faded(0.8)),
        },
    ]
}

fn conditions() -> Vec<Condition> {
    vec![
        Condition::Above(Quantity::Apart, 1.0),
        Condition::Below(Quantity::Owner, -1.0),
        Condition::Flag("fallen".into()),
        Condition::Alarm,
    ]
}

fn sections() -> Vec<Section> {
    let verdict = Verdict {
        limits: vec!["d_r".into()],
        none: "none".into(),
        now: "NOW: {}".into(),
        just_now: Some("just now".into()),
        counted: ["{} pair".into(), "{} pairs".into()],
        named: Some(["car {}".into(), "cars {}".into()]),
        past: None,
    };
    let phrase = Phrase {
        when: conditions(),
        ..Phrase::new("{} of {}", [Figure::column("x_mm", 0), Figure::column("y_mm", 2)])
    };
    let list = List {
        of: "cubes".into(),
        title: "cube".into(),
        at_most: 12,
        sign: Color::Owner.full(),
        name: phrase.clone(),
        cells: vec![("mm".into(), 0.5, vec![phrase.clone()])],
        below: vec![phrase.clone()],
    };
    vec![
        Section::Distances { title: "Distances".into(), rows: vec![["robots".into(), "d_r".into()]] },
        Section::Verdict(verdict),
        Section::Facts(vec![Fact { of: "cubes".into(), is_each: true, title: phrase.clone(), value: phrase }]),
        Section::Scale,
        Section::List(list),
        Section::Key { has_bar: true },
    ]
}

fn limits() -> Vec<Limit> {
    let rules = [
        Rule::AtLeast("d".into(), 60.0),
        Rule::AtMost("v".into(), 2.0),
        Rule::IsNot("status".into(), "collision".into()),
    ];
    let limit = |rule| Limit {
        name: "d_r".into(),
        of: "agents".into(),
        rule,
        to: Some("agents".into()),
        paints: vec!["cubes".into()],
        events: Some(Breaks {
            stream: "events".into(),
            begin: "d_r_".into(),
            end: Some("d_r_end".into()),
            subject: "agent".into(),
            object: None,
        }),
        least: Some(["min_mm".into(), "min_s".into()]),
    };
    rules.map(limit).to_vec()
}

fn party() -> Party {
    Party {
        stream: "cubes".into(),
        one: "cube".into(),
        many: "cubes".into(),
        place: Place { z: "z_mm".into(), ..Place::plane("x_mm", "y_mm") },
        angles: vec!["yaw_rad".into(), "pitch_rad".into(), "roll_rad".into()],
        velocity: Some(["vx".into(), "vy".into()]),
        linear: vec!["sigma_mm".into()],
        while_same: Some("life".into()),
        names: vec!["a".into(), "\u{e4}\n\"".into()],
        reach: None,
        is_sparse: true,
    }
}

fn log() -> Log {
    Log {
        stream: "messages".into(),
        title: "Messages".into(),
        of: "cubes".into(),
        kinds: vec!["dir".into()],
        words: vec!["meaning".into()],
    }
}

/// A view in which everything there is occurs.
fn full() -> View {
    let mount = Mount { owner: 3, at: [0.1, -0.2], first_rad: -1.5, step_rad: 0.01, is_full_turn: true, least: 0.2 };
    let folds = [Fold::Min, Fold::Max, Fold::Mean, Fold::ShareAbove(0.5), Fold::Count];
    View {
        unit: "mm".into(),
        is_right_handed: false,
        projections: [("plan", [Axis::X, Axis::Y]), ("side", [Axis::X, Axis::Z])]
            .map(|(name, axes)| Projection {
                name: name.into(),
                axes,
                is_up: true,
                area: Area {
                    fixed: Some([[0.0, 0.0], [400.0, 400.0]]),
                    holds: vec![("cubes".into(), vec![16.0, 20.0])],
                    margin: [0.02, 1.0],
                },
                height: None,
            })
            .to_vec(),
        layers: vec![Layer { name: "scans".into(), title: "Scans".into(), about: "a".into(), is_shown: false }],
        parties: vec![party()],
        scanners: vec![Scanner {
            stream: "lidar".into(),
            on: "cubes".into(),
            taken: "taken_s".into(),
            ranges: "ray_#_m".into(),
            ray: Some("ray".into()),
            mounts: vec![mount],
        }],
        flags: vec![Flag {
            name: "fallen".into(),
            of: "cubes".into(),
            events: "events".into(),
            matching: vec![["kind".into(), "posture".into()]],
            holds: ["object".into(), "side".into()],
        }],
        limits: limits(),
        marks: draws()
            .into_iter()
            .map(|draw| Mark { when: conditions(), owners: vec![0, 7], from: Some([3.0, 0.4]), ..Mark::new(draw) })
            .collect(),
        plots: vec![Plot {
            title: "Distance".into(),
            unit: "mm".into(),
            of: "cubes".into(),
            curves: folds.map(|fold| Figure::column("x_mm", 1).over(fold).times(-0.5)).to_vec(),
            limit: Some("d_r".into()),
            range: Some([0.0, 100.0]),
            readings: Some("imu".into()),
        }],
        logs: vec![log()],
        panel: Panel { height: 22.5, sections: sections() },
        sound: Some(["cubes".into(), "note".into()]),
        charts: charts(),
        remarks: vec!["a clause".into()],
    }
}

/// A chart of each layout.
fn charts() -> Vec<Chart> {
    let strip = |column: &str, span| Strip { column: column.into(), span };
    let strips = vec![strip("port_#", [0.0, -40.0]), strip("starboard_#", [0.0, 40.0])];
    let layouts = [
        ChartLayout::Waterfall { strips, across: "m".into() },
        ChartLayout::Cells { place: ["x_m".into(), "y_m".into()], size: [2.0, 3.0], value: "z_m".into() },
        ChartLayout::Sectors { angle: "angle_rad".into(), width: 0.1, strip: strip("bin_#", [0.0, 9.0]), rows: 7 },
    ];
    let chart = |layout| Chart {
        name: "a".into(),
        title: "A".into(),
        stream: "a".into(),
        layout,
        colors: vec![Color::Rgb([1, 2, 3]), Color::Ink],
        range: Some([0.0, 1.0]),
        is_even: false,
        words: "level".into(),
    };
    layouts.map(chart).into()
}

#[test]
fn a_view_with_everything_in_it_reads_back() {
    for text in [serde_json::to_string(&full()).unwrap(), serde_json::to_string_pretty(&full()).unwrap()] {
        assert_eq!(serde_json::from_str::<View>(&text).unwrap(), full());
    }
    // Through a tree of values too, as a page reads it.
    assert_eq!(serde_json::from_value::<View>(json!(full())).unwrap(), full());
    assert_eq!(serde_json::from_value::<View>(json!(View::default())).unwrap(), View::default());
}

/// Interpreters tell marks, numbers and colours by these words.
#[test]
fn variants_have_their_words() {
    let word = |value: &Json| match value {
        Json::String(word) => word.clone(),
        Json::Object(map) => map.keys().cloned().collect::<Vec<_>>().join("+"),
        other => panic!("{other} has no word"),
    };
    let words = |values: Json| values.as_array().unwrap().iter().map(word).collect::<Vec<_>>().join(" ");
    assert_eq!(words(json!(draws())), "plane polygons body circle ellipse trail vector scan wells line link label");
    assert_eq!(words(json!(quantities())), "column owner name length difference middle tilt nearest apart within over");
    assert_eq!(words(json!(conditions())), "above below flag alarm");
    assert_eq!(words(json!(sections())), "distances verdict facts scale list key");
    assert_eq!(
        words(json!([Fold::Min, Fold::Max, Fold::Mean, Fold::ShareAbove(0.5), Fold::Count])),
        "min max mean share_above count"
    );
    assert_eq!(
        words(json!([Width::Px(1.0), Width::Fine(1.0), Width::Length(1.0), Width::Limited(1.0, 2.0)])),
        "px fine length limited"
    );
    assert_eq!(words(json!([Color::OnBody, Color::Rgb([0, 0, 0]), Color::Owner])), "on_body rgb owner");
    let rules: Vec<Rule> = limits().into_iter().map(|limit| limit.rule).collect();
    assert_eq!(words(json!(rules)), "at_least at_most is_not");
    assert_eq!(words(json!([Axis::X, Axis::Y, Axis::Z])), "x y z");
}

/// A coordinate is a number or the name of a column, without a word for which.
#[test]
fn coordinates_are_numbers_or_names() {
    let place = Place::plane(1.5, "y_mm");
    assert_eq!(json!(place), json!({"x": 1.5, "y": "y_mm", "z": 0.0}));
    let coord = |json: Json| serde_json::from_value::<Coord>(json).unwrap();
    assert_eq!((coord(json!(3)), coord(json!("3"))), (Coord::Fixed(3.0), Coord::Column("3".into())));
    assert!(serde_json::from_value::<Coord>(json!([1])).is_err());
}

#[test]
fn what_is_no_view_is_refused() {
    let without = |key: &str| {
        let mut view = json!(full());
        view.as_object_mut().unwrap().remove(key);
        serde_json::from_value::<View>(view)
    };
    for key in ["unit", "projections", "layers", "parties", "marks", "panel"] {
        let error = without(key).unwrap_err().to_string();
        assert!(error.contains(&format!("missing field `{key}`")), "{error}");
    }
    let unknown =
        r#"{"layer": null, "key": null, "of": null, "owners": [], "when": [], "from": null, "draw": {"hologram": {}}}"#;
    let error = serde_json::from_str::<Mark>(unknown).unwrap_err().to_string();
    assert!(error.contains("unknown variant `hologram`"), "{error}");
}

#[test]
fn marks_figures_and_lines_are_changed_one_by_one() {
    let mark = Mark::new(Draw::Plane { fill: None, has_grid: false });
    assert_eq!((&mark.layer, &mark.key, &mark.of, mark.from), (&None, &None, &None, None));
    let changed = mark.clone().of("cars").on("trails").keyed("its way");
    assert_eq!(
        (changed.of.as_deref(), changed.layer.as_deref(), changed.key.as_deref()),
        (Some("cars"), Some("trails"), Some("its way"))
    );
    assert_eq!(Mark { of: None, layer: None, key: None, ..changed }, mark);

    let figure = Figure::column("x_mm", 2);
    assert_eq!((figure.factor, figure.digits, figure.over), (1.0, 2, None));
    let mean = figure.clone().over(Fold::Mean).times(1000.0);
    assert_eq!((mean.factor, mean.over, mean.of), (1000.0, Some(Fold::Mean), figure.of));

    assert_eq!((line().dash, line().dashed(3.0, 2.0).dash), (None, Some([3.0, 2.0])));
    assert_eq!((Color::Ink.full().alpha, Color::Ink.faded(0.25).alpha), (1.0, 0.25));
    assert_eq!(Ink::fill(Color::Ink.full()).line, None);
    assert_eq!(Ink::line(line()), Ink { fill: None, line: Some(line()) });
    assert_eq!(Phrase::new("always", []).when(Condition::Alarm).when, [Condition::Alarm]);
}
