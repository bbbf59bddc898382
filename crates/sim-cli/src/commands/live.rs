//! `sim-cli live`.

use crate::args::{Format, LinkKind, LiveArgs};
use crate::browser;
use crate::interrupt;
use crate::links;
use crate::outcome::{Failure, Outcome};
use crate::plan::{KeyFlags, overrides};
use crate::reporter::Reporter;
use crate::source;
use crate::terminal::Terminal;
use serde_json::json;
use sim_live::{Door, Live, LiveOptions, News, ServerOptions};
use sim_run::run_folder::SCENARIO_JSON;
use sim_run::shell::quoted;
use sim_run::{RunOptions, accepted};
use std::io::{IsTerminal, stdin};
use std::path::Path;
use std::sync::atomic::Ordering;

/// Runs a scenario against the wall clock until its last step, or until it is stopped.
pub fn live(args: &LiveArgs, reporter: &Reporter) -> Result<Outcome, Failure> {
    let stop = interrupt::listen(reporter)?;
    let LiveArgs { steps, duration, seed, trace_every, .. } = *args;
    let flags = KeyFlags { steps, duration, seed, trace_every };
    let loaded = source::load(&args.scenario, args.inputs.as_deref(), &overrides(&args.set, flags))?;
    reporter.scenario_warnings(&loaded.warnings, &loaded.text);
    if !args.no_page && !args.listen.ip().is_loopback() {
        reporter.warning(
            "listen",
            "other machines can reach the page; its address is the only key, and the network can read it",
        );
    }
    let info = loaded.model.info();
    let out = args.out.clone().unwrap_or_else(|| Path::new("out").join(info.name));
    let options = LiveOptions {
        run: RunOptions {
            overwrite: args.overwrite,
            trace_every: (!args.no_trace).then_some(info.trace_every),
            ..loaded.options(&out)
        },
        key: loaded.model.key(0),
        speed: args.speed,
        listen: (!args.no_page).then(|| ServerOptions {
            address: args.listen,
            token: args.token.clone(),
            serves_devices: args.link.contains(&LinkKind::Web),
            origins: args.allow_origin.clone(),
        }),
    };
    let mut doors: Vec<Box<dyn Door>> = Vec::new();
    if stdin().is_terminal() {
        doors.push(Box::new(Terminal::default()));
    }
    let mut exit_code = None;
    if let Some((link, code)) = links::open(&*loaded.model, args, reporter)? {
        doors.push(link);
        exit_code = Some(code);
    }
    let mut failed = None;
    let mut news = |news: News<'_>| {
        failed = failed.take().or(output(&news, reporter).err());
        if let (News::Serving { url }, true) = (&news, args.open) {
            browser::show(url, reporter);
        }
    };
    Live::start(&loaded.model, options, doors, &mut news, stop)?.run()?;
    match failed {
        Some(failure) => Err(failure),
        None if stop.load(Ordering::Relaxed) => Ok(Outcome::Interrupted),
        None => Ok(exit_code.and_then(|code| code.get()).map_or(Outcome::Done, Outcome::Program)),
    }
}

fn output(news: &News<'_>, reporter: &Reporter) -> Result<(), Failure> {
    match (news, reporter.format) {
        (News::Serving { url }, Format::Text) => reporter.result(&format!("{url}\n")),
        (News::Serving { url }, Format::Json) => reporter.json_result(&json!({ "kind": "serving", "url": url })),
        (News::Late(late), _) => {
            let ms = late.as_millis();
            reporter.warning("late", &format!("a step came {ms} ms late, which is not caught up; this is said once"));
            Ok(())
        }
        (News::Ended { folder, report, pace }, format) => {
            let late_ms = [0.5, 0.99, 1.0].map(|share| 1e3 * pace.lateness().quantile_s(share));
            let refused: u64 = report.refused.rows.values().sum();
            let is_accepted = accepted(&report.metrics);
            if format == Format::Json {
                return reporter.json_result(&json!({
                    "kind": "live", "folder": folder, "steps": report.steps_done, "refused_inputs": refused,
                    "late_ms": late_ms, "lost_s": pace.lost().as_secs_f64(), "accepted": is_accepted,
                }));
            }
            let [p50, p99, max] = late_ms.map(|ms| format!("{ms:.2}"));
            let repeat = folder.map(|folder| {
                let scenario = quoted(&folder.join(SCENARIO_JSON).display().to_string());
                format!("\n  repeats by   sim-cli run {scenario} --run-index {}", report.run_index)
            });
            reporter.result(&format!(
                "{} steps, {refused} wrong rows left out\n  lateness     p50 {p50} ms, p99 {p99} ms, at most {max} ms{}\n",
                report.steps_done,
                repeat.unwrap_or_default()
            ))
        }
    }
}
