//! Counting tests over several runners, so that one closing line can speak for all.

use anyhow::{Context, Result, ensure};
use std::fmt;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::thread;

/// How many tests did what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Did what they should.
    pub passed: u64,
    /// Did not.
    pub failed: u64,
    /// Were not run.
    pub skipped: u64,
}

impl Tally {
    /// Adds the counts of another runner.
    pub fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }

    /// Counts a closing line of `cargo test` or of nextest; any other line is zero. What a failed test said is shown indented and
    /// may hold such a line too: it is not counted.
    pub fn from_line(line: &str) -> Self {
        let line = plain(line);
        let is_closing = line.starts_with("test result: ") || line.trim_start().starts_with("Summary [");
        if !is_closing {
            return Self::default();
        }
        let before = |words: &[&str]| words.iter().map(|word| number_before(&line, word)).sum();
        Self {
            passed: before(&[" passed"]),
            failed: before(&[" failed", " timed out", " exec failed"]),
            skipped: before(&[" skipped", " ignored"]),
        }
    }
}

/// The closing line, in the shape that `cargo test` made familiar.
impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { passed, failed, skipped } = self;
        let verdict = if *failed == 0 { "ok" } else { "FAILED" };
        write!(f, "test result: {verdict}. {passed} passed; {failed} failed; {skipped} ignored")
    }
}

/// The line without colours.
fn plain(line: &str) -> String {
    let mut parts = line.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once('m').map_or("", |(_, rest)| rest))
}

fn number_before(line: &str, word: &str) -> u64 {
    let Some((before, _)) = line.split_once(word) else { return 0 };
    let digits = before.rsplit(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    digits.parse().unwrap_or(0)
}

/// Runs a test runner, shows what it says as it says it, and counts its closing lines. A runner that fails without a counted
/// failure (it did not compile, it crashed) counts as one.
pub fn run_counted(command: &mut Command) -> Result<Tally> {
    let line = crate::shell::describe(command);
    println!("$ {line}");
    let started = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = started.with_context(|| format!("`{line}` could not be started"))?;
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let (mut tally, heard) = thread::scope(|scope| {
        let other = scope.spawn(|| err.map_or(Ok(Tally::default()), echo));
        (out.map_or(Ok(Tally::default()), echo), other.join())
    });
    let heard = heard.ok().context("the reader of the runner's output broke off")??;
    if let Ok(tally) = &mut tally {
        tally.add(heard);
    }
    let mut tally = tally?;
    let status = child.wait()?;
    if !status.success() && tally.failed == 0 {
        tally.failed = 1;
    }
    ensure!(tally != Tally::default(), "`{line}` ran no test at all");
    Ok(tally)
}

fn echo(stream: impl Read) -> Result<Tally> {
    let mut tally = Tally::default();
    for line in BufReader::new(stream).split(b'\n') {
        let line = String::from_utf8_lossy(&line?).into_owned();
        println!("{line}");
        tally.add(Tally::from_line(&line));
    }
    Ok(tally)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_of_both_runners_are_read() {
        let libtest =
            "test result: FAILED. 12 passed; 3 failed; 1 ignored; 0 measured; 7 filtered out; finished in 0.01s";
        assert_eq!(Tally::from_line(libtest), Tally { passed: 12, failed: 3, skipped: 1 });
        let nextest = "     Summary [   4.205s] 118 tests run: 117 passed (2 slow), 1 failed, 4 skipped";
        assert_eq!(Tally::from_line(nextest), Tally { passed: 117, failed: 1, skipped: 4 });
        let colours =
            "\u{1b}[32;1m     Summary\u{1b}[0m [   0.1s] \u{1b}[1m5\u{1b}[0m tests run: \u{1b}[1m5\u{1b}[0m passed";
        assert_eq!(Tally::from_line(colours).passed, 5);
        for line in
            ["12 passed, says a log line", "    test result: FAILED. 0 passed; 1 failed; 0 ignored", "Snapshot Summary"]
        {
            assert_eq!(Tally::from_line(line), Tally::default(), "{line}");
        }
    }

    #[test]
    fn the_closing_line_can_be_read_by_its_own_reader() {
        let tally = Tally { passed: 9, failed: 2, skipped: 1 };
        assert_eq!(Tally::from_line(&tally.to_string()), tally);
        assert!(tally.to_string().contains("FAILED") && Tally::default().to_string().contains("ok"));
    }

    #[test]
    fn a_runner_that_breaks_off_counts_as_a_failure() {
        let tally = run_counted(Command::new("sh").args(["-c", "echo 'test result: ok. 2 passed'; exit 101"])).unwrap();
        assert_eq!(tally, Tally { passed: 2, failed: 1, skipped: 0 });
        assert!(run_counted(&mut Command::new("true")).is_err());
    }
}
