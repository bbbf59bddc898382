//! The file itself: the frame, the styles and the modules of `page/`, and the data, in one text.

const FRAME: &str = include_str!("../../page/page.html");
const STAGE_FRAME: &str = include_str!("../../page/stage.html");
const STYLE: &str = include_str!("../../page/style.css");
const REPORT_STYLE: &str = include_str!("../../page/report.css");
const LIVE_STYLE: &str = include_str!("../../page/live.css");

/// The modules of every page, each after those that it imports.
const MODULES: [&str; 17] = [
    include_str!("../../page/data.js"),
    include_str!("../../page/colour.js"),
    include_str!("../../page/player.js"),
    include_str!("../../page/view.js"),
    include_str!("../../page/dom.js"),
    include_str!("../../page/moment.js"),
    include_str!("../../page/field.js"),
    include_str!("../../page/alarms.js"),
    include_str!("../../page/paint.js"),
    include_str!("../../page/raster.js"),
    include_str!("../../page/marks.js"),
    include_str!("../../page/stage.js"),
    include_str!("../../page/plots.js"),
    include_str!("../../page/overview.js"),
    include_str!("../../page/panels.js"),
    include_str!("../../page/batch.js"),
    include_str!("../../page/app.js"),
];
const REPLAY_MODULES: [&str; 6] = [
    include_str!("../../page/share.js"),
    include_str!("../../page/scans.js"),
    include_str!("../../page/pings.js"),
    include_str!("../../page/pair.js"),
    include_str!("../../page/run.js"),
    include_str!("../../page/replay.js"),
];
const REPORT_MODULES: [&str; 2] = [include_str!("../../page/table.js"), include_str!("../../page/report.js")];
/// The modules of the stage, after those of every page.
const LIVE_MODULES: [&str; 4] = [
    include_str!("../../page/feed.js"),
    include_str!("../../page/pad.js"),
    include_str!("../../page/gestures.js"),
    include_str!("../../page/live.js"),
];

/// What a page is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A run or a batch, to play.
    Replay,
    /// A sweep, to read.
    Report,
}

/// The text of the file.
pub fn page(kind: Kind, title: &str, data: &str) -> String {
    let (modules, style) = match kind {
        Kind::Replay => (&REPLAY_MODULES[..], STYLE.to_owned()),
        Kind::Report => (&REPORT_MODULES[..], format!("{STYLE}{REPORT_STYLE}")),
    };
    let parts =
        [("{title}", escaped(title)), ("{style}", style), ("{data}", data.to_owned()), ("{script}", script(modules))];
    filled(FRAME, &parts)
}

/// The text of the stage; its server's policy lets scripts and styles with `nonce` alone.
pub fn stage(title: &str, nonce: &str) -> String {
    let nonce = || ("{nonce}", escaped(nonce));
    let style = ("{style}", format!("{STYLE}{LIVE_STYLE}"));
    filled(STAGE_FRAME, &[("{title}", escaped(title)), nonce(), style, nonce(), ("{script}", script(&LIVE_MODULES))])
}

fn script(modules: &[&str]) -> String {
    MODULES.iter().chain(modules).map(|module| without_imports(module)).collect()
}

/// A frame with its parts. Each part goes in once, in the frame's order: what is put in is never searched for another mark.
fn filled(frame: &str, parts: &[(&str, String)]) -> String {
    let mut html = String::with_capacity(parts.iter().map(|(_, text)| text.len()).sum::<usize>() + frame.len());
    let mut rest = frame;
    for (mark, text) in parts {
        let (before, after) = rest.split_once(mark).unwrap_or((rest, ""));
        html.push_str(before);
        html.push_str(text);
        rest = after;
    }
    html + rest
}

/// A module as a part of one script: what it imports stands above it, and no other script imports from it. Each import is one line.
fn without_imports(module: &str) -> String {
    let lines = module.lines().filter(|line| !line.starts_with("import "));
    lines.map(|line| line.strip_prefix("export ").unwrap_or(line)).flat_map(|line| [line, "\n"]).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_parts_stand_in_the_frame_and_a_title_is_only_text() {
        let html = page(Kind::Replay, "a</title><script>alert(1)</script>{data}", "QUJD");
        assert!(html.contains("<title>a&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;{data}</title>"));
        assert!(html.contains("<script type=\"text/plain\" id=\"data\">QUJD</script>"));
        assert_eq!(html.matches("</script>").count(), 2);
        assert!(html.ends_with("</html>\n"));
    }

    #[test]
    fn the_page_asks_the_network_for_nothing() {
        for kind in [Kind::Replay, Kind::Report] {
            let html = page(kind, "x", "");
            for word in ["http://", "https://", "src=", "href=", "@import url", "import("] {
                assert!(!html.contains(word), "{word}");
            }
        }
    }

    fn all_modules() -> impl Iterator<Item = &'static &'static str> {
        MODULES.iter().chain(&REPLAY_MODULES).chain(&REPORT_MODULES).chain(&LIVE_MODULES)
    }

    #[test]
    fn the_stage_has_its_nonce_at_style_and_script_and_asks_for_its_socket_alone() {
        let html = stage("<b>", "a1b2");
        assert!(html.contains("<title>&lt;b&gt;</title>"));
        assert!(html.contains("<style nonce=\"a1b2\">") && html.contains("<script type=\"module\" nonce=\"a1b2\">"));
        assert_eq!((html.matches("</script>").count(), html.matches("<script").count()), (1, 1));
        for word in ["http://", "https://", "src=", "href=", "@import url", "import(", "fetch("] {
            assert!(!html.contains(word), "{word}");
        }
        assert_eq!(html.matches("new WebSocket").count(), 1);
    }

    /// Modules become one script: a name that two of them give to something would clash there.
    #[test]
    fn no_two_modules_give_the_same_name() {
        let mut names = BTreeSet::new();
        for line in all_modules().flat_map(|module| module.lines()) {
            let line = line.strip_prefix("export ").unwrap_or(line);
            let line = line.strip_prefix("async ").unwrap_or(line);
            let Some(rest) = ["const ", "let ", "function ", "class "].iter().find_map(|word| line.strip_prefix(word))
            else {
                continue;
            };
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            assert!(names.insert(name.clone()), "{name} is there twice");
        }
        assert!(names.len() > 40);
    }

    #[test]
    fn modules_lose_their_imports_and_exports_only() {
        let module = "import { a } from './a.js';\n/** @import { B } from './b.js' */\nexport const c = a;\nconst imported = 1;\n";
        assert_eq!(without_imports(module), "/** @import { B } from './b.js' */\nconst c = a;\nconst imported = 1;\n");
    }
}
