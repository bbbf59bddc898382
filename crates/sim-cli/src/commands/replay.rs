//! `sim-cli replay`.

use crate::args::{Format, ReplayArgs};
use crate::outcome::{Failure, Outcome};
use crate::reporter::Reporter;
use serde_json::json;
use sim_view::folder::{Kind, kind_of};
use sim_view::replay::{self, COMPARE_HTML, REPLAY_HTML};
use sim_view::{ViewError, report};
use std::path::Path;

/// Makes the page of a folder: the replay of a run or batch, of two runs side by side, or the report of a sweep.
pub fn replay(args: &ReplayArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    if let Some(other) = &args.other {
        let out = args.out.clone().unwrap_or_else(|| args.run_dir.join(COMPARE_HTML));
        let page = replay::write_pair([&args.run_dir, other], &out, args.overwrite)?;
        return output(&out, page.html.len() as u64, &page.notes, reporter);
    }
    let kind = kind_of(&args.run_dir).map_err(ViewError::from)?;
    tracing::debug!(folder = %args.run_dir.display(), ?kind, "folder opened");
    match kind {
        Kind::Run | Kind::Batch => {
            let out = args.out.clone().unwrap_or_else(|| args.run_dir.join(REPLAY_HTML));
            let page = replay::write(&args.run_dir, &out, args.overwrite)?;
            output(&out, page.html.len() as u64, &page.notes, reporter)
        }
        Kind::Sweep => report_of(args, reporter),
    }
}

/// The report has its plots beside it, so it stays in the folder.
fn report_of(args: &ReplayArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    if args.out.is_some() {
        let folder = args.run_dir.display();
        return Err(Failure::Usage(format!("{folder} holds a sweep: its report is written into it, without --out")));
    }
    let page = report::write(&args.run_dir, args.overwrite)?;
    let bytes = std::fs::metadata(&page.html).map_or(0, |data| data.len());
    output(&page.html, bytes, &page.notes, reporter)
}

fn output(page: &Path, bytes: u64, notes: &[String], reporter: &Reporter) -> Result<Outcome, Failure> {
    notes.iter().for_each(|note| reporter.warning("run", note));
    match reporter.format {
        Format::Text => reporter.result(&format!("{} ({}): open it in a browser\n", page.display(), size(bytes)))?,
        Format::Json => {
            reporter.json_result(&json!({ "kind": "page", "page": page, "bytes": bytes, "notes": notes }))?
        }
    }
    Ok(Outcome::Done)
}

fn size(bytes: u64) -> String {
    match bytes as f64 / 1e6 {
        megabytes if megabytes >= 1.0 => format!("{megabytes:.1} MB"),
        megabytes => format!("{:.0} kB", megabytes * 1e3),
    }
}
