//! `sim-cli render`.

use crate::args::{LayerName, RenderArgs, ThemeName};
use crate::outcome::{Failure, Outcome};
use crate::say::Voice;
use sim_view::folder::RunFolder;
use sim_view::picture::{Layer, Style};
use sim_view::still::{self, Still};
use sim_view::theme::Theme;
use std::collections::BTreeSet;

/// Width of a picture and of an MP4 film, px.
const WIDTH_PX: f64 = 1280.0;

/// Draws what the flags ask for.
pub fn render(args: &RenderArgs, voice: &Voice) -> Result<Outcome, Failure> {
    let folder = RunFolder::open(&args.run).map_err(sim_view::ViewError::from)?;
    folder.notes().iter().for_each(|note| voice.warning("run", note));
    let out = args.out.clone().unwrap_or_else(|| args.run.join("frame.png"));
    let still = Still { at_s: args.at, scale: args.scale, overwrite: args.overwrite };
    let time_s = still::write(&folder, style(args, WIDTH_PX), &still, &out)?;
    voice.result(&format!("{}: {time_s:.2} s of {}\n", out.display(), args.run.display()))?;
    Ok(Outcome::Done)
}

fn style(args: &RenderArgs, width_px: f64) -> Style {
    let theme = match args.theme {
        ThemeName::Dark => Theme::dark(),
        ThemeName::Light => Theme::light(),
    };
    let hidden: BTreeSet<Layer> = args.hide.iter().map(|&name| layer(name)).collect();
    let mut layers = Layer::usual();
    layers.extend(args.show.iter().map(|&name| layer(name)));
    Style { width_px: args.size.unwrap_or(width_px), theme, layers: &layers - &hidden }
}

fn layer(name: LayerName) -> Layer {
    match name {
        LayerName::Heat => Layer::Heat,
        LayerName::Grid => Layer::Grid,
        LayerName::Patches => Layer::Patches,
        LayerName::Ellipses => Layer::Ellipses,
        LayerName::Feet => Layer::Feet,
        LayerName::Limits => Layer::Limits,
        LayerName::Velocities => Layer::Velocities,
        LayerName::Wishes => Layer::Wishes,
        LayerName::Ids => Layer::Ids,
        LayerName::Panel => Layer::Panel,
    }
}
