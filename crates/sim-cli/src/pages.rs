//! Tables of the guide's pages, held in the program: the meanings that stand nowhere else.

/// The pages of measures by world.
const MEASURES: [(&str, &str); 4] = [
    ("mat", include_str!("../../../docs/models/measures.md")),
    ("mat", include_str!("../../../docs/models/cube-measures.md")),
    ("road", include_str!("../../../docs/models/road-measures.md")),
    ("sea", include_str!("../../../docs/models/sea-measures.md")),
];

/// The page of run folders.
const RUN_FOLDER: &str = include_str!("../../../docs/guide/run-folder.md");

/// What a measure of a world means, as its page has it; empty where its name says all.
pub fn meaning(world: &str, measure: &str) -> String {
    let pages = MEASURES.iter().filter(|(name, _)| *name == world);
    let rows = pages.flat_map(|(_, page)| rows(page.lines()));
    let is_of = |row: &Vec<String>| row.first().is_some_and(|names| names.split(", ").any(|name| name == measure));
    rows.into_iter().find(is_of).and_then(|mut row| row.pop()).unwrap_or_default()
}

/// The kinds of events, each with its meaning: those of robots and feet with subject, object and value, then the others.
pub fn events() -> Vec<(String, String)> {
    let of_robots = rows(section(MEASURES[0].1, "## Events"));
    let others = rows(section(RUN_FOLDER, "### events.csv"));
    let in_words = |mut row: Vec<String>| (!row.is_empty()).then(|| (row.remove(0), row.join("; ")));
    of_robots.into_iter().chain(others).filter_map(in_words).collect()
}

/// The lines from a heading to the next one.
fn section<'a>(page: &'a str, heading: &'a str) -> impl Iterator<Item = &'a str> {
    page.lines().skip_while(move |line| *line != heading).skip(1).take_while(|line| !line.starts_with('#'))
}

/// The rows of all tables in some lines, without their headers.
fn rows<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let mut is_below_header = false;
    for line in lines {
        let cells = line.strip_prefix('|').and_then(|line| line.trim_end().strip_suffix('|'));
        match cells {
            None => is_below_header = false,
            Some(cells) if cells.starts_with("--") => is_below_header = true,
            Some(cells) if is_below_header => rows.push(cells.split('|').map(plain).collect()),
            Some(_) => {}
        }
    }
    rows
}

/// A cell without marks and addresses.
fn plain(cell: &str) -> String {
    let mut text = cell.trim().replace('`', "");
    while let Some((before, rest)) = text.split_once('[') {
        let Some((words, rest)) = rest.split_once("](") else { break };
        let Some((_, after)) = rest.split_once(')') else { break };
        text = format!("{before}{words}{after}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_lose_marks_and_addresses_and_headers_are_left_out() {
        let page =
            "# a\n\n| kind | meaning |\n|---|---|\n| `b`, `c` | see [the page](x.md#y), and `d` |\n\n| e | f |\n";
        assert_eq!(rows(page.lines()), [["b, c", "see the page, and d"]]);
        assert_eq!(rows(section(page, "# none")), Vec::<Vec<String>>::new());
    }
}
