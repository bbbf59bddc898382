//! `sim-cli replay`.

use crate::args::{Format, ReplayArgs};
use crate::outcome::{Failure, Outcome};
use crate::say::Voice;
use serde_json::json;
use sim_view::replay::{self, Page, REPLAY_HTML};

/// Makes the replay page of a run's folder, or of a batch's.
pub fn replay(args: &ReplayArgs, voice: &Voice) -> Result<Outcome, Failure> {
    let out = args.out.clone().unwrap_or_else(|| args.run_dir.join(REPLAY_HTML));
    let Page { html, notes } = replay::write(&args.run_dir, &out, args.overwrite)?;
    notes.iter().for_each(|note| voice.warning("run", note));
    match voice.format {
        Format::Text => voice.result(&format!("{} ({}): open it in a browser\n", out.display(), size(html.len())))?,
        Format::Json => voice.json_result(&json!({ "page": out, "bytes": html.len(), "notes": notes }))?,
    }
    Ok(Outcome::Done)
}

fn size(bytes: usize) -> String {
    match bytes as f64 / 1e6 {
        megabytes if megabytes >= 1.0 => format!("{megabytes:.1} MB"),
        megabytes => format!("{:.0} kB", megabytes * 1e3),
    }
}
