//! Draws messages as compilers do: the words, the place, the line of the file and a mark under what is meant.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use sim_run::scenario::{Diagnostic, Severity};

/// Longest line of a file that is drawn, in columns; longer ones are cut around the mark.
const WIDTH: usize = 120;

/// A diagnostic with the part of `text`, or of a file that it names, that it is about.
pub fn drawn(item: &Diagnostic, text: &str, colour: bool) -> String {
    let level = match item.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let words = if item.path.is_empty() { item.message.clone() } else { format!("{}: {}", item.path, item.message) };
    let text = item.named.as_ref().map_or(text, |named| &named.text);
    let report = match item.span.clone().filter(|span| text.get(span.clone()).is_some()) {
        Some(span) => {
            let source = Snippet::source(text).path(item.file.as_str());
            Group::with_title(level.primary_title(words)).element(source.annotation(AnnotationKind::Primary.span(span)))
        }
        // A flag, or a file that is not shown: its name comes first, with the place as far as it is known.
        None => Group::with_title(level.primary_title(format!("{}{}: {words}", item.file, place(item)))),
    };
    renderer(colour).render(&[report])
}

/// Line and column as they follow the name of a file.
fn place(item: &Diagnostic) -> String {
    item.line.zip(item.column).map_or_else(String::new, |(line, column)| format!(":{line}:{column}"))
}

/// A message without a place; `severity` is `error` or `warning`.
pub fn plain(severity: &str, message: &str, colour: bool) -> String {
    let level = if severity == "warning" { Level::WARNING } else { Level::ERROR };
    renderer(colour).render(&[Group::with_title(level.primary_title(message))])
}

fn renderer(colour: bool) -> Renderer {
    let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
    renderer.term_width(WIDTH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim_run::scenario;
    use sim_worlds::WORLDS;

    fn first(text: &str, colour: bool) -> String {
        let refused = scenario::parse(WORLDS, text, "a.json", &[]).unwrap_err();
        drawn(&refused.items[0], &refused.text, colour)
    }

    #[test]
    fn a_misspelt_key_is_marked_in_its_line() {
        let text = "{\n  \"name\": \"x\",\n  \"world\": \"mat\",\n  \"agents\": { \"cuont\": 20 }\n}\n";
        let wanted = "\
error: agents.cuont: unknown key; did you mean \"count\"?
 --> a.json:4:15
  |
4 |   \"agents\": { \"cuont\": 20 }
  |               ^^^^^^^";
        assert_eq!(first(text, false), wanted);
        assert!(first(text, true).contains("\u{1b}["));
    }

    #[test]
    fn the_end_of_the_text_and_an_empty_text_can_be_pointed_at() {
        assert!(first("{\"name\": \"x\"", false).starts_with("error: "), "{}", first("{\"name\": \"x\"", false));
        assert!(first("", false).starts_with("error: there is nothing here"));
    }

    #[test]
    fn a_terminal_is_not_steered_by_what_stands_in_a_file() {
        let drawn = first("{\"name\": \"x\", \"world\": \"mat\", \"a\\u001b[31m\": \"\u{202e}\"}", false);
        assert!(!drawn.contains(['\u{1b}', '\u{202e}']), "{drawn}");
    }

    #[test]
    fn a_file_on_one_long_line_is_cut_around_the_mark() {
        let text = format!("{{{}\"name\": 7, \"world\": \"mat\"}}", " ".repeat(5000));
        assert!(first(&text, false).lines().all(|line| line.chars().count() <= WIDTH + 20));
    }
}
