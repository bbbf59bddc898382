//! Words of a private English, which strangers stumble over: old ones may stay for now, no new one may come. A list says how many each
//! file holds; `cargo xtask tidy --bless` writes it again after words have left or files have moved, but never with a larger sum.

use super::File;
use anyhow::{Context, Result, ensure};
use std::collections::BTreeMap;
use std::fmt::Write;

/// How many such words a file may hold: `path count`.
pub const RATCHET: &str = "xtask/words-ratchet.txt";
const HEAD: &str = "# Files that may hold words of a private English: `path count`. From `cargo xtask tidy --bless`; its sum only falls.\n";

/// Files that hold text.
const EXTENSIONS: [&str; 11] = ["rs", "md", "js", "mjs", "css", "html", "sh", "bash", "py", "toml", "json"];

/// Words that are looked for, built from halves so that this file does not hold it.
const WORDS: [&str; 11] = [
    concat!("no", "body"),
    concat!("some", "body"),
    concat!("who", "ever"),
    concat!("every", "body"),
    concat!("an", "ew"),
    concat!("to and", " fro"),
    concat!("what", " came of"),
    concat!("says", " of"),
    concat!("takes", " in"),
    concat!("takes", " down"),
    concat!("is about", " to be"),
];

/// Former names of this repository, of which each has a plain one now; upper and lower case count, and `_` is a letter.
const NAMES: [&str; 23] = [
    concat!("Closest", "Calls"),
    concat!("No", "Laps"),
    concat!("give", "_up"),
    concat!("make", "_room"),
    concat!("by", "_room"),
    concat!("em", "body"),
    concat!("fore", "see"),
    concat!("note", "_feet"),
    concat!("Feet", "Ahead"),
    concat!("Rate", "Ahead"),
    concat!("Ways", "Out"),
    concat!("keep", "_better"),
    concat!("Dis", "tricts"),
    concat!("Un", "settled"),
    concat!("re", "lists"),
    concat!("play", "_rate"),
    concat!("play", "_rates"),
    concat!("re", "_aim"),
    concat!("Fil", "ing"),
    concat!("Gla", "nce"),
    concat!("Thi", "nned"),
    concat!("Art", "ist"),
    concat!("cr", "ew"),
];

pub fn check(files: &[File], ratchet: &str) -> Result<Vec<String>> {
    let allowed = parse(ratchet)?;
    let mut complaints = Vec::new();
    for (file, found) in files.iter().map(|file| (file, find(file))) {
        let allowed = allowed.get(file.path.as_str()).copied().unwrap_or(0);
        if found.len() > allowed {
            let places =
                found.iter().map(|(line, word)| format!("{}:{line}: holds `{word}`: say it plainly", file.path));
            complaints.extend(places);
            complaints.push(format!("{}: {} such words, {allowed} may stay", file.path, found.len()));
        }
    }
    let now = counts(files);
    let fallen = allowed.iter().filter(|(path, allowed)| now.get(**path).unwrap_or(&0) < *allowed);
    complaints.extend(fallen.map(|(path, _)| {
        format!("{path}: fewer words than {RATCHET} allows: write it again with `cargo xtask tidy --bless`")
    }));
    Ok(complaints)
}

/// The list as it is now; refused if there are more words than before.
pub fn bless(files: &[File], ratchet: &str) -> Result<String> {
    let (before, now) = (parse(ratchet)?.values().sum::<usize>(), counts(files));
    let sum = now.values().sum::<usize>();
    ensure!(sum <= before, "{sum} words of a private English, {before} before: `cargo xtask tidy` says where");
    let mut text = HEAD.to_owned();
    for (path, count) in now {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{path} {count}");
    }
    Ok(text)
}

/// How many words each file holds that holds any.
fn counts(files: &[File]) -> BTreeMap<&str, usize> {
    let counted = files.iter().map(|file| (file.path.as_str(), find(file).len()));
    counted.filter(|(_, count)| *count > 0).collect()
}

fn parse(text: &str) -> Result<BTreeMap<&str, usize>> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let entry = |line| {
        let (path, count): (&str, &str) = str::rsplit_once(line, ' ')?;
        Some((path, count.parse().ok()?))
    };
    lines.map(|line| entry(line).with_context(|| format!("{RATCHET}: `{line}` is not `path count`"))).collect()
}

/// The words of a file with their lines, counted from 1.
fn find(file: &File) -> Vec<(usize, &'static str)> {
    if !file.has_extension(&EXTENSIONS) || file.path == RATCHET {
        return Vec::new();
    }
    let in_line = |(index, line): (usize, &str)| {
        // A word may stand in a name, which is read as its words.
        let read = line.to_lowercase().replace('_', " ");
        let words = WORDS.map(|word| (word, count(&read, word, char::is_alphanumeric)));
        let names = NAMES.map(|name| (name, count(line, name, |c| c.is_alphanumeric() || c == '_')));
        let times = move |(found, times)| std::iter::repeat_n((index + 1, found), times);
        words.into_iter().chain(names).flat_map(times)
    };
    file.text.lines().enumerate().flat_map(in_line).collect()
}

/// How often the word stands in the line as a whole: between characters that are no part of a word.
fn count(line: &str, word: &str, is_part: fn(char) -> bool) -> usize {
    let is_free = |c: Option<char>| !c.is_some_and(is_part);
    let stands_alone = |(at, _): &(usize, &str)| {
        is_free(line[..*at].chars().next_back()) && is_free(line[at + word.len()..].chars().next())
    };
    line.match_indices(word).filter(stands_alone).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(path: &str, text: &str) -> File {
        File { path: path.into(), text: text.into() }
    }

    /// Two of the words, one of them in capitals and one in a name, and words that hold one.
    fn page() -> File {
        let (word, name, longer) =
            (WORDS[0].to_uppercase(), format!("is_{}_there", WORDS[0]), format!("{}s", WORDS[2]));
        file("a.md", &format!("{word} knows\n{longer}\n`{name}`\n"))
    }

    #[test]
    fn whole_words_are_found_with_their_lines() {
        assert_eq!(find(&page()), [(1, WORDS[0]), (3, WORDS[0])]);
        for word in WORDS {
            assert_eq!(find(&file("a.rs", &format!("x {word}, y\n"))).len(), 1, "{word}");
        }
        assert_eq!(find(&file("a.png", WORDS[0])), []);
    }

    #[test]
    fn former_names_are_found_as_they_were_written() {
        for name in NAMES {
            assert_eq!(find(&file("a.rs", &format!("let x = {name}::new();\n"))).len(), 1, "{name}");
        }
        let name = NAMES[0];
        let others = [name.to_lowercase(), format!("{name}s"), format!("{name}_s"), format!("a_{name}")];
        assert_eq!(find(&file("a.rs", &others.join(" "))), []);
    }

    #[test]
    fn old_words_may_stay_and_new_ones_are_named() {
        assert_eq!(check(&[page()], "# words\na.md 2\n").unwrap(), Vec::<String>::new());
        let found = check(&[page()], "a.md 1\n").unwrap();
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].starts_with("a.md:1: ") && found[1].starts_with("a.md:3: "));
        assert!(check(&[], "a.md many").is_err());
    }

    #[test]
    fn words_that_have_left_are_written_down() {
        for stale in ["a.md 3\n", "a.md 2\ngone.md 1\n"] {
            assert_eq!(check(&[page()], stale).unwrap().len(), 1, "{stale}");
            let blessed = bless(&[page()], stale).unwrap();
            assert_eq!(check(&[page()], &blessed).unwrap(), Vec::<String>::new());
        }
    }

    #[test]
    fn a_file_may_move_and_the_sum_may_not_grow() {
        assert!(bless(&[page()], "b.md 2\n").unwrap().ends_with("a.md 2\n"));
        assert!(bless(&[page()], "b.md 1\n").is_err());
    }
}
