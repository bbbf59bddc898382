//! Charts of a run on the sea: waterfalls of side scans, sectors of sonars that look forward or turn, the map and its errors.

use crate::model::SeaModel;
use crate::sonar::{self, Device, Imager, SonarKind, SonarSetup};
use crate::view::DEPTHS;
use sim_world::view::{Chart, ChartLayout, Color, Strip};

/// Weak to strong echoes.
const ECHOES: [[u8; 3]; 4] = [[8, 5, 2], [112, 58, 14], [226, 152, 54], [255, 240, 196]];
/// Too deep, right, too high.
const ERRORS: [[u8; 3]; 5] = [[26, 82, 150], [132, 176, 214], [240, 240, 236], [232, 158, 116], [160, 52, 30]];

/// All charts of a model's runs.
pub(crate) fn charts(model: &SeaModel) -> Vec<Chart> {
    let of_sonars = sonar::sonars(model).filter(|(_, _, own)| model.has_sensor_tables && !own.extras.long);
    let images = of_sonars.filter_map(|(vehicle, _, own)| match &own.device {
        Device::Image(imager) => Some(image(&model.vehicles[vehicle].name, own, imager)),
        Device::Beams(_) => None,
    });
    images.chain(map(model)).collect()
}

fn image(vehicle: &str, own: &SonarSetup, imager: &Imager) -> Chart {
    let range_m = imager.sonar.params().range_m;
    let most = imager.display.most(own.acoustics.is_some());
    let unit = if most.is_none() { "_db" } else { "" };
    let strip = |name: &str, far_m| Strip { column: format!("{name}{unit}"), span: [0.0, far_m] };
    let sectors = |width: f64, rows| ChartLayout::Sectors {
        angle: "angle_rad".into(),
        width,
        strip: strip("bin_#", range_m),
        rows,
    };
    let (what, layout) = match (own.kind, imager.scan) {
        (SonarKind::SideScan, _) => {
            let strips = vec![strip("port_#", -range_m), strip("starboard_#", range_m)];
            ("side scan", ChartLayout::Waterfall { strips, across: "slant range to starboard, m".into() })
        }
        (_, Some(scan)) => ("scanning sonar", sectors(scan.step_rad, scan.steps as usize + 1)),
        (_, None) => {
            let gaps = imager.beams().saturating_sub(1).max(1) as f64;
            ("forward-looking sonar", sectors(imager.width_rad / gaps, imager.beams()))
        }
    };
    let name = format!("{}-{vehicle}-{}", own.kind.table(), own.name);
    Chart {
        title: format!("{vehicle}: {what} {}", own.name),
        stream: name.clone(),
        name,
        layout,
        colors: ECHOES.map(Color::Rgb).into(),
        range: most.filter(|_| own.acoustics.is_some()).map(|most| [0.0, most]),
        is_even: false,
        words: if most.is_none() { "level, dB".into() } else { "level".into() },
    }
}

fn map(model: &SeaModel) -> impl Iterator<Item = Chart> {
    let chart = |name: &str, title: &str, value: &str, words: &str, colors: Vec<Color>| Chart {
        name: name.into(),
        title: title.into(),
        stream: "map".into(),
        layout: ChartLayout::Cells {
            place: ["x_m", "y_m"].map(String::from),
            size: [model.map.as_ref().map_or(1.0, |grid| grid.cell_m); 2],
            value: value.into(),
        },
        colors,
        range: None,
        is_even: name == "map-error",
        words: words.into(),
    };
    let depths = DEPTHS.map(Color::Rgb).into();
    let errors = ERRORS.map(Color::Rgb).into();
    let charts = [
        chart("map", "Map of the bottom", "z_m", "height, m", depths),
        chart("map-error", "Error of the map", "error_m", "map above the bottom, m", errors),
    ];
    charts.into_iter().filter(|_| model.map.is_some())
}
