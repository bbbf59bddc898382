//! The text of a scenario, and the files that it names: on a disk, or held in the program.

use crate::inputs::{InputFile, InputFiles, read_regular};
use crate::scenario::{Loaded, NOUN, checked};
use sim_input::diagnostic::Diagnostics;
use sim_input::overrides::Override;
use sim_input::text;
use sim_world::{Files, Worlds};
use std::path::{Path, PathBuf};

/// Largest file that a scenario may name, bytes.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// The text of a scenario, and where the files lie that it names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The name that messages give it.
    pub origin: String,
    /// Its text.
    pub text: String,
    /// The files that it names.
    pub named: NamedFiles,
}

/// The files that a scenario names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NamedFiles {
    /// They lie in this folder.
    Folder(PathBuf),
    /// They are held in the program: names and bytes.
    Held(&'static [(&'static str, &'static [u8])]),
}

impl Source {
    /// A scenario file.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read(path: &Path) -> Result<Self, Diagnostics> {
        let (origin, text) = (path.display().to_string(), text::read(path, NOUN)?);
        Ok(Self { named: NamedFiles::beside(&origin), origin, text })
    }

    /// The bytes of a scenario file; files that it names lie beside `origin`.
    ///
    /// # Errors
    /// If they are too many, or not UTF-8.
    pub fn from_bytes(bytes: &[u8], origin: &str) -> Result<Self, Diagnostics> {
        let text = text::decode(bytes, origin, NOUN)?;
        Ok(Self { named: NamedFiles::beside(origin), origin: origin.to_owned(), text })
    }

    /// Checks it, with `overrides` laid over it in their order, and the files that it names. All files of inputs in the folder `inputs`,
    /// such as that of a run, take the place of those that it names.
    ///
    /// # Errors
    /// For all that is wrong with it or with a file.
    pub fn load(&self, worlds: Worlds, inputs: Option<&Path>, overrides: &[Override]) -> Result<Loaded, Diagnostics> {
        let inputs = inputs.map_or(InputSource::Named, InputSource::Folder);
        checked(worlds, self, inputs, overrides)
    }
}

impl NamedFiles {
    fn beside(scenario: &str) -> Self {
        Self::Folder(Path::new(scenario).parent().unwrap_or(Path::new("")).to_path_buf())
    }
}

/// The files that a scenario names, and where those of inputs come from.
pub(crate) struct FilesBeside<'a> {
    pub(crate) named: &'a NamedFiles,
    pub(crate) inputs: InputSource<'a>,
}

/// Where files of inputs come from.
pub(crate) enum InputSource<'a> {
    /// Those that the scenario names, from where they lie.
    Named,
    /// Those that the scenario names, from memory.
    Given(&'a InputFiles),
    /// All in a folder, whatever the scenario names.
    Folder(&'a Path),
}

impl FilesBeside<'_> {
    /// A file of inputs that the scenario names.
    pub(crate) fn input(&self, name: &str) -> Result<InputFile, String> {
        match (&self.inputs, self.named) {
            (InputSource::Given(given), _) => {
                let bytes = given.get(name).cloned().ok_or("is not among the files given")?;
                Ok(InputFile { path: self.path(name), bytes, cut_after: None })
            }
            (_, NamedFiles::Folder(_)) => InputFile::read(self.path(name)),
            (_, NamedFiles::Held(_)) => {
                Ok(InputFile { path: self.path(name), bytes: self.held(name)?, cut_after: None })
            }
        }
    }

    /// Where a file lies.
    fn path(&self, name: &str) -> PathBuf {
        match self.named {
            NamedFiles::Folder(folder) => folder.join(name),
            NamedFiles::Held(_) => PathBuf::from(name),
        }
    }

    fn held(&self, name: &str) -> Result<Vec<u8>, String> {
        let NamedFiles::Held(files) = self.named else { return Err("is not held".to_owned()) };
        let found = files.iter().find(|(held, _)| *held == name).map(|(_, bytes)| bytes.to_vec());
        found.ok_or_else(|| "is not among the files that came along".to_owned())
    }
}

impl Files for FilesBeside<'_> {
    fn read(&self, name: &str) -> Result<Vec<u8>, String> {
        let bytes = match self.named {
            NamedFiles::Folder(_) => read_regular(&self.path(name), MAX_FILE_BYTES),
            NamedFiles::Held(_) => self.held(name),
        };
        bytes.map_err(|message| format!(" {message}"))
    }

    fn shown(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }
}
