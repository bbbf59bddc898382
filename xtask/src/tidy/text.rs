//! Rules that look at lines.

use super::File;

/// Characters a line of code may have.
const LONGEST_LINE: usize = 140;

/// Words that mean unfinished work; built from halves so that this file does not hold them.
const LEFT_OVERS: [&str; 5] =
    [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X"), concat!("todo", "!("), concat!("dbg", "!(")];

/// Beginnings of paths that exist on one machine only.
const MACHINE_PATHS: [&str; 4] =
    [concat!("/ho", "me/"), concat!("/ro", "ot/"), concat!("/Us", "ers/"), concat!("/wo", "rk/")];

/// What a program printed, kept to compare with, is as it was printed.
const PRINTED: [&str; 1] = ["snap"];

pub fn check(file: &File) -> Vec<String> {
    if file.has_extension(&PRINTED) {
        return Vec::new();
    }
    let mut complaints = check_whole(file);
    for (index, line) in file.text.lines().enumerate() {
        let reasons = check_line(file, line).into_iter().map(|reason| format!("{}:{}: {reason}", file.path, index + 1));
        complaints.extend(reasons);
    }
    complaints
}

fn check_whole(file: &File) -> Vec<String> {
    let File { path, text } = file;
    let mut complaints = Vec::new();
    if !text.is_empty() && (!text.ends_with('\n') || text.ends_with("\n\n")) {
        complaints.push(format!("{path}: ends without exactly one newline"));
    }
    let opens_a_crate = path.ends_with("src/lib.rs") || path.ends_with("src/main.rs");
    if opens_a_crate && !text.starts_with("//! ") {
        complaints.push(format!("{path}: does not open with `//!` and what the crate is"));
    }
    complaints
}

fn check_line(file: &File, line: &str) -> Vec<String> {
    let mut reasons = Vec::new();
    if line.ends_with([' ', '\t', '\r']) {
        reasons.push("ends with a blank".to_owned());
    }
    if file.is_code() && line.chars().count() > LONGEST_LINE && !is_one_string(line) {
        reasons.push(format!("is longer than {LONGEST_LINE} characters"));
    }
    let left_over = LEFT_OVERS.iter().filter(|word| holds_word(line, word));
    reasons.extend(left_over.map(|word| format!("holds `{word}`: finish it or file it")));
    let machine = MACHINE_PATHS.iter().filter(|path| holds_word(line, path));
    reasons.extend(machine.map(|path| format!("holds `{path}`, a path of one machine")));
    reasons
}

/// True for a line that is nothing but a text: an expected message is easier to read and to search for in one piece.
fn is_one_string(line: &str) -> bool {
    let line = line.trim().trim_end_matches([',', ';', ')']);
    let opens = line.starts_with('"') || line.starts_with("r#\"");
    opens && (line.ends_with('"') || line.ends_with("\"#"))
}

/// True if the word stands in the line and nothing of a longer word, path or address stands before it.
fn holds_word(line: &str, word: &str) -> bool {
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        let ends = !word.ends_with(char::is_alphanumeric) || !after.is_some_and(char::is_alphanumeric);
        ends && !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '}' | '-'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn complaints(path: &str, text: &str) -> Vec<String> {
        check(&File { path: path.into(), text: text.into() })
    }

    #[test]
    fn clean_files_pass() {
        assert_eq!(complaints("crates/a/src/lib.rs", "//! What it is.\n"), Vec::<String>::new());
        assert_eq!(complaints("a.md", "see ./home/x and mastodon\n"), Vec::<String>::new());
        assert_eq!(complaints("empty.txt", ""), Vec::<String>::new());
    }

    #[test]
    fn endings_blanks_and_openings_are_seen() {
        assert_eq!(complaints("a.md", "x").len(), 1);
        assert_eq!(complaints("a.md", "x\n\n").len(), 1);
        assert_eq!(complaints("a.md", "x \n"), ["a.md:1: ends with a blank"]);
        assert_eq!(complaints("crates/a/src/lib.rs", "fn a() {}\n").len(), 1);
    }

    #[test]
    fn what_a_program_printed_is_left_alone() {
        assert_eq!(complaints("a.snap", "x \n\n").len(), 0);
    }

    #[test]
    fn long_lines_are_seen_in_code_only() {
        let line = format!("{}\n", "x".repeat(LONGEST_LINE + 1));
        assert_eq!(complaints("a.rs", &line).len(), 1);
        assert_eq!(complaints("a.md", &line).len(), 0);
        assert_eq!(complaints("a.rs", &format!("    \"{}\",\n", "x".repeat(LONGEST_LINE))).len(), 0);
    }

    #[test]
    fn left_overs_and_machine_paths_are_seen() {
        for word in LEFT_OVERS {
            assert_eq!(complaints("a.rs", &format!("// {word} x\n")).len(), 1, "{word}");
        }
        for path in MACHINE_PATHS {
            assert_eq!(complaints("a.md", &format!("in {path}me\n")).len(), 1, "{path}");
        }
    }
}
