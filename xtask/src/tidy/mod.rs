//! `cargo xtask tidy`: what the compiler does not check.
//!
//! Every rule is one function from a file to complaints, so that a reader sees what is asked and a new rule is a new function.

mod circles;
mod functions;
mod links;
mod sources;
mod text;
mod words;

use crate::shell;
use anyhow::{Result, ensure};
use clap::Args;

#[derive(Args, Default)]
pub struct Options {
    /// Write the list of words to replace again after some have left
    #[arg(long)]
    bless: bool,
}

/// A file of the repository.
#[derive(Clone, Debug)]
pub struct File {
    /// Path from the root, with `/`.
    pub path: String,
    /// Its text.
    pub text: String,
}

impl File {
    fn has_extension(&self, extensions: &[&str]) -> bool {
        self.path.rsplit_once('.').is_some_and(|(_, extension)| extensions.contains(&extension))
    }

    fn is_code(&self) -> bool {
        self.has_extension(&["rs", "py", "sh"]) || self.path == ".ci/run"
    }
}

pub fn run(options: &Options) -> Result<()> {
    let files = read_files()?;
    if options.bless {
        shell::write_if_changed(words::RATCHET, &words::bless(&files, &shell::read(words::RATCHET)?)?)?;
    }
    let mut complaints: Vec<String> = files.iter().flat_map(text::check).collect();
    complaints.extend(functions::check(&files, &shell::read(functions::RATCHET)?)?);
    complaints.extend(words::check(&files, &shell::read(words::RATCHET)?)?);
    complaints.extend(links::check(&files));
    complaints.extend(sources::check(&files));
    complaints.extend(circles::check(&files)?);
    ensure!(complaints.is_empty(), "{}\n{} things to tidy", complaints.join("\n"), complaints.len());
    println!("{} files are tidy", files.len());
    Ok(())
}

/// The text files that git knows or would add; files with other bytes (pictures) are left out.
fn read_files() -> Result<Vec<File>> {
    let listing = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
    let paths = shell::output(shell::program("git").args(listing))?;
    let mut files = Vec::new();
    for path in paths.split('\0').filter(|path| !path.is_empty()) {
        // A file that is deleted but not yet committed as deleted is listed too.
        if let Ok(text) = std::fs::read_to_string(shell::root().join(path)) {
            files.push(File { path: path.to_owned(), text });
        }
    }
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}
