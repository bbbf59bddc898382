//! Doors of a live session for programs that drive its devices.

use crate::args::{LinkKind, LiveArgs, OscDialect};
use crate::outcome::Failure;
use crate::reporter::Reporter;
use anyhow::Context;
use sim_live::link::osc::{Dialect, OscOptions};
use sim_live::link::{Link, LinkOptions};
use sim_run::Model;
use std::cell::Cell;
use std::env::temp_dir;
use std::path::PathBuf;
use std::rc::Rc;

/// The doors that the flags ask for, and where the exit status of the program will stand.
pub type OpenLink = (Box<Link>, Rc<Cell<Option<i32>>>);

/// Opens the doors that the flags ask for.
pub fn open(model: &dyn Model, args: &LiveArgs, reporter: &Reporter) -> Result<Option<OpenLink>, Failure> {
    if args.link.is_empty() {
        return Ok(None);
    }
    let has = |kind| args.link.contains(&kind);
    let (lockstep, web) = (has(LinkKind::Lockstep), has(LinkKind::Web));
    let is_real = [LinkKind::Noble, LinkKind::Web, LinkKind::Osc].into_iter().any(has);
    if lockstep && is_real {
        return Err(Failure::Usage(
            "--link lockstep waits for Python programs alone, not for noble, web or osc".into(),
        ));
    }
    if web && args.no_page {
        return Err(Failure::Usage("--link web needs the server of the page, which --no-page leaves out".into()));
    }
    let dialect = if args.osc == OscDialect::Old { Dialect::Old } else { Dialect::New };
    let osc = OscOptions { listen: args.osc_listen, send: args.osc_send, dialect };
    let options = LinkOptions {
        dbus: has(LinkKind::Dbus) || lockstep,
        noble: has(LinkKind::Noble),
        web,
        osc: has(LinkKind::Osc).then_some(osc),
        lockstep,
        program: args.command.clone(),
    };
    let link = Link::open(model, folder(), &options).context("the doors for programs cannot be opened")?;
    if args.print_env {
        let lines = link.environment(&options).into_iter().map(|(name, value)| format!("{name}={}\n", value.display()));
        reporter.result(&lines.collect::<String>())?;
    }
    let exit_code = link.exit_code();
    Ok(Some((Box::new(link), exit_code)))
}

/// A folder of this process for its sockets, in the user's own place for such if there is one.
fn folder() -> PathBuf {
    let base = std::env::var_os("XDG_RUNTIME_DIR").map_or_else(temp_dir, PathBuf::from);
    base.join(format!("sim-cli-{}", std::process::id()))
}
