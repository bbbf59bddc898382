//! The few things that the chores do with Markdown: generated parts between two marks, tables, links.

use crate::shell;
use anyhow::{Context, Result};

/// The page of measured tables: `accept` and `bench` write between its marks.
pub const RESULTS: &str = "docs/results.md";

/// The text between `<!-- name:begin -->` and `<!-- name:end -->`.
pub fn between<'a>(text: &'a str, name: &str) -> Result<&'a str> {
    let (_, rest) = text.split_once(&begin(name)).with_context(|| format!("no mark `{}`", begin(name)))?;
    let (body, _) = rest.split_once(&end(name)).with_context(|| format!("no mark `{}`", end(name)))?;
    Ok(body)
}

/// The same text with another body between the marks.
pub fn with_body(text: &str, name: &str, body: &str) -> Result<String> {
    let old = between(text, name)?;
    let at = |part: &str| format!("{}{part}{}", begin(name), end(name));
    Ok(text.replacen(&at(old), &at(&format!("\n{}\n", body.trim())), 1))
}

/// Replaces the body between two marks of [`RESULTS`] in the repository.
pub fn write_result(name: &str, body: &str) -> Result<()> {
    shell::write_if_changed(RESULTS, &with_body(&shell::read(RESULTS)?, name, body)?)
}

fn begin(name: &str) -> String {
    format!("<!-- {name}:begin -->")
}

fn end(name: &str) -> String {
    format!("<!-- {name}:end -->")
}

/// The rows of the first table in a text, cells trimmed, without header and rule.
pub fn table_rows(text: &str) -> Vec<Vec<String>> {
    let lines = text.lines().map(str::trim).skip_while(|line| !line.starts_with('|'));
    lines.take_while(|line| line.starts_with('|')).skip(2).map(cells).collect()
}

fn cells(line: &str) -> Vec<String> {
    line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
}

/// A table as Markdown.
pub fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
    let mut text = line(header.to_vec());
    text += &format!("|{}\n", "---|".repeat(header.len()));
    for row in rows {
        text += &line(row.iter().map(String::as_str).collect());
    }
    text
}

/// Lines outside fenced code blocks, with their numbers from 1.
pub fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut in_code = false;
    text.lines().enumerate().filter_map(move |(index, line)| {
        let is_fence = line.trim_start().starts_with("```");
        in_code ^= is_fence;
        (!in_code && !is_fence).then_some((index + 1, line))
    })
}

/// Targets of the `[words](target)` links of a line, code spans left out.
pub fn links(line: &str) -> Vec<&str> {
    // Every second part between backticks is code.
    let words = line.split('`').step_by(2);
    let targets = words.flat_map(|part| part.split("](").skip(1));
    targets.filter_map(|rest| rest.split_once(')').map(|(target, _)| target)).collect()
}

/// The anchors of the headings of a page, as forges make them.
pub fn anchors(text: &str) -> Vec<String> {
    let headings = prose(text).filter(|(_, line)| line.starts_with('#'));
    headings.map(|(_, line)| anchor(line.trim_start_matches('#').trim())).collect()
}

fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_replaced_and_the_rest_stays() {
        let text = "a\n<!-- t:begin -->\nold\n<!-- t:end -->\nb\n";
        let new = with_body(text, "t", "new\n").unwrap();
        assert_eq!(new, "a\n<!-- t:begin -->\nnew\n<!-- t:end -->\nb\n");
        assert_eq!(with_body(&new, "t", "new").unwrap(), new);
        assert!(with_body(text, "u", "x").unwrap_err().to_string().contains("u:begin"));
        assert!(between("<!-- t:begin -->", "t").unwrap_err().to_string().contains("t:end"));
    }

    #[test]
    fn the_page_of_results_has_a_table_between_each_pair_of_marks() {
        let page = shell::read(RESULTS).unwrap();
        for name in ["accept", "accept-cubes", "bench"] {
            assert!(!table_rows(between(&page, name).unwrap()).is_empty(), "{name}");
        }
    }

    #[test]
    fn a_written_table_reads_back() {
        let rows = vec![vec!["1".into(), "two words".into()], vec!["".into(), "x".into()]];
        assert_eq!(table_rows(&format!("text\n\n{}\nmore | text\n", table(&["a", "b"], &rows))), rows);
    }

    #[test]
    fn links_are_found_outside_code() {
        assert_eq!(links("see [a](b.md) and [c](d.md#e), not `[x](y)`"), ["b.md", "d.md#e"]);
        let lines: Vec<_> = prose("a\n```\n[x](y)\n```\nb").collect();
        assert_eq!(lines, [(1, "a"), (5, "b")]);
    }

    #[test]
    fn anchors_follow_the_headings() {
        assert_eq!(anchors("# Run it, then look\n## `sim-cli` & more\n"), ["run-it-then-look", "sim-cli--more"]);
    }
}
