//! Texts with marks at the places where faults are expected.

use sim_input::diagnostic::{Fault, Origin};
use sim_input::overrides::Override;
use sim_input::{text, tree};

/// Stands before the first character of what is wrong.
const MARK: char = '§';

/// A text without its marks, and where they stood: line and column from 1, columns in characters.
pub fn unmarked(marked: &str) -> (String, Vec<(usize, usize)>) {
    let (mut text, mut places, mut line, mut column) = (String::new(), Vec::new(), 1, 1);
    for letter in marked.chars() {
        if letter == MARK {
            places.push((line, column));
            continue;
        }
        text.push(letter);
        (line, column) = if letter == '\n' { (line + 1, 1) } else { (line, column + 1) };
    }
    (text, places)
}

/// The lines that faults become, as a user reads them.
pub fn lines(text: &str, flags: &[Override], faults: Vec<Fault>) -> Vec<String> {
    let flags: Vec<String> = flags.iter().map(ToString::to_string).collect();
    text::refused(text, "a.json", &flags, faults).items.iter().map(ToString::to_string).collect()
}

/// Checks that a marked text has one fault with this message at each mark, in their order.
pub fn assert_faults(marked: &str, messages: &[&str], faults_of: impl Fn(&str) -> Vec<Fault>) {
    let (text, places) = unmarked(marked);
    assert_eq!(places.len(), messages.len(), "{marked}: a mark for each message");
    let expected: Vec<String> = places
        .iter()
        .zip(messages)
        .map(|((line, column), message)| format!("a.json:{line}:{column}: {message}"))
        .collect();
    assert_eq!(lines(&text, &[], faults_of(&text)), expected, "{marked}");
}

/// A tree, or the one fault of a text that is not JSON.
pub fn read(text: &str) -> Result<tree::Node, Box<Fault>> {
    tree::parse(text, r#"{"name": "x"}"#, &Origin::Text)
}
