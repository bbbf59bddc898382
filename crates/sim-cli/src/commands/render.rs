//! `sim-cli render`.

use crate::args::{self, RenderArgs, ThemeName};
use crate::clock::WallClock;
use crate::interrupt;
use crate::outcome::{Failure, Outcome};
use crate::progress::FilmWatcher;
use crate::reporter::Reporter;
use serde_json::{Value, json};
use sim_view::ViewError;
use sim_view::chart::{self, ChartStyle};
use sim_view::film::{self, Film, Format};
use sim_view::folder::RunFolder;
use sim_view::picture::Style;
use sim_view::sound::{self, Sound};
use sim_view::still::{self, Still};
use sim_view::theme::Theme;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// Width of a picture and of an MP4 film, px.
const WIDTH_PX: f64 = 1280.0;
/// Width of a GIF, which is large for what it shows.
const GIF_WIDTH_PX: f64 = 720.0;
/// Width of a chart.
const CHART_WIDTH_PX: f64 = 900.0;
const GIF_FPS: f64 = 10.0;
const MP4_FPS: f64 = 30.0;

/// Draws what the flags ask for.
pub fn render(args: &RenderArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let folder = RunFolder::open(&args.run).map_err(ViewError::from)?;
    tracing::debug!(folder = %args.run.display(), last_step = folder.span().last.step, "folder opened");
    folder.notes().iter().for_each(|note| reporter.warning("run", note));
    let drawn = match (&args.gif, &args.mp4, &args.wav) {
        _ if args.chart.is_some() => make_chart(args, &folder)?,
        (Some(out), ..) => make_film(args, &folder, reporter, Format::Gif, out)?,
        (_, Some(out), _) => make_film(args, &folder, reporter, Format::Mp4, out)?,
        (.., Some(out)) => make_sound(args, &folder, reporter, out)?,
        _ => make_still(args, &folder)?,
    };
    match reporter.format {
        args::Format::Text => reporter.result(&format!("{}: {}\n", drawn.file.display(), drawn.words))?,
        args::Format::Json => reporter.json_result(&drawn.json())?,
    }
    Ok(Outcome::Done)
}

/// What was written.
struct Drawn {
    kind: &'static str,
    file: PathBuf,
    /// What is in it, for people.
    words: String,
    /// The same for programs.
    figures: Value,
}

impl Drawn {
    fn json(&self) -> Value {
        let mut json = self.figures.clone();
        json["kind"] = json!(self.kind);
        json["file"] = json!(self.file);
        json
    }
}

fn make_still(args: &RenderArgs, folder: &RunFolder) -> Result<Drawn, Failure> {
    let out = args.out.clone().unwrap_or_else(|| args.run.join("frame.png"));
    let still = Still { at_s: args.at, scale: args.scale, few_colors: args.small, overwrite: args.overwrite };
    let time_s = still::write(folder, style(args, WIDTH_PX), &still, &out)?;
    let words = format!("the row at {time_s:.2} s");
    Ok(Drawn { kind: "picture", file: out, words, figures: json!({ "time_s": time_s }) })
}

/// The chart that is asked for.
fn make_chart(args: &RenderArgs, folder: &RunFolder) -> Result<Drawn, Failure> {
    let name = args.chart.as_deref().unwrap_or_default();
    let out = args.out.clone().unwrap_or_else(|| args.run.join(format!("{name}.png")));
    let style = ChartStyle {
        width_px: args.size.unwrap_or(CHART_WIDTH_PX),
        scale: args.scale,
        theme: theme(args),
        at_s: args.at,
        overwrite: args.overwrite,
    };
    let rows = chart::write(folder, name, &style, &out)?;
    let words = format!("{rows} row{}", if rows == 1 { "" } else { "s" });
    Ok(Drawn { kind: "chart", file: out, words, figures: json!({ "rows": rows }) })
}

fn make_film(
    args: &RenderArgs,
    folder: &RunFolder,
    reporter: &Reporter,
    format: Format,
    out: &Path,
) -> Result<Drawn, Failure> {
    let (width_px, fps) = if format == Format::Gif { (GIF_WIDTH_PX, GIF_FPS) } else { (WIDTH_PX, MP4_FPS) };
    let film = Film {
        format,
        from_s: args.from,
        to_s: args.to,
        fps: args.fps.unwrap_or(fps),
        speed: args.speed,
        scale: args.scale,
        overwrite: args.overwrite,
    };
    let stop = interrupt::listen(reporter)?;
    let clock = WallClock::start();
    let mut watcher = FilmWatcher::new(reporter, &clock);
    let frames = film::write(folder, style(args, width_px), &film, out, &mut |progress| {
        watcher.show(progress);
        !stop.load(Ordering::Relaxed)
    })?;
    watcher.finish();
    let length_s = frames as f64 / film.fps;
    let (words, figures) =
        (format!("{frames} frames, {length_s:.1} s"), json!({ "frames": frames, "length_s": length_s }));
    Ok(Drawn { kind: "film", file: out.to_owned(), words, figures })
}

fn make_sound(args: &RenderArgs, folder: &RunFolder, reporter: &Reporter, out: &Path) -> Result<Drawn, Failure> {
    let sound = Sound { from_s: args.from, to_s: args.to, overwrite: args.overwrite };
    let played = sound::write(folder, &sound, out)?;
    if folder.span().every > 1 {
        let message = format!(
            "the tables have a row every {:.3} s: notes begin and end with a row, and shorter ones may be missing; \
             a run with --trace-every 1 has them all",
            played.row_s
        );
        reporter.warning("sound", &message);
    }
    let plural = if played.notes == 1 { "" } else { "s" };
    let words = format!("{} note{plural} in {:.1} s", played.notes, played.length_s);
    let figures = json!({ "notes": played.notes, "length_s": played.length_s });
    Ok(Drawn { kind: "sound", file: out.to_owned(), words, figures })
}

fn style(args: &RenderArgs, width_px: f64) -> Style {
    let style = Style::new(args.size.unwrap_or(width_px), theme(args));
    Style { show: args.show.clone(), hide: args.hide.clone(), ..style }
}

fn theme(args: &RenderArgs) -> Theme {
    match args.theme {
        ThemeName::Dark => Theme::dark(),
        ThemeName::Light => Theme::light(),
    }
}
