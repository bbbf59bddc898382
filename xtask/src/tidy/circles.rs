//! Import circles between files of different folders. Files of one folder may use each other; across folders use goes one way.

use super::File;
use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use syn::visit::{self, Visit};

/// Names of modules from the root of a crate.
type Path = Vec<String>;

/// Longest chain of re-exports that is followed.
const LONGEST_CHAIN: usize = 8;

pub fn check(files: &[File]) -> Result<Vec<String>> {
    let mut crates: BTreeMap<&str, Vec<(&str, &File)>> = BTreeMap::new();
    for file in files.iter().filter(|file| file.has_extension(&["rs"])) {
        if let Some((root, inside)) = file.path.split_once("/src/") {
            crates.entry(root).or_default().push((inside, file));
        }
    }
    let mut complaints = Vec::new();
    for files in crates.values() {
        complaints.extend(Modules::read(files)?.circles());
    }
    Ok(complaints)
}

/// The modules of a crate.
#[derive(Default)]
struct Modules<'a> {
    files: BTreeMap<Path, &'a str>,
    /// What a module calls its own though it stands elsewhere.
    exports: BTreeMap<Path, Path>,
    /// What a module uses.
    uses: BTreeMap<Path, BTreeSet<Path>>,
}

impl<'a> Modules<'a> {
    fn read(files: &[(&str, &'a File)]) -> Result<Self> {
        let paths = files.iter().map(|(inside, file)| (module_of(inside), file.path.as_str())).collect();
        let mut modules = Self { files: paths, ..Self::default() };
        let mut found = BTreeMap::new();
        for (inside, file) in files {
            let syntax = syn::parse_file(&file.text).with_context(|| format!("{} does not parse", file.path))?;
            let mut paths = Paths::default();
            paths.visit_file(&syntax);
            found.insert(module_of(inside), paths);
        }
        for (module, paths) in &found {
            for path in &paths.exported {
                if let (Some(target), Some(name)) = (modules.absolute(module, path), path.last()) {
                    modules.exports.insert(joined(module, std::slice::from_ref(name)), target);
                }
            }
        }
        for (module, paths) in &found {
            let targets = paths.used.iter().filter_map(|path| modules.home(&modules.absolute(module, path)?));
            let targets = targets.filter(|target| target != module).collect();
            modules.uses.insert(module.clone(), targets);
        }
        Ok(modules)
    }

    /// A path in a module as one from the root of the crate; none if it leads to another crate.
    fn absolute(&self, module: &Path, path: &[String]) -> Option<Path> {
        match path.first()?.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => Some(joined(module, &path[1..])),
            "super" => {
                let ups = path.iter().take_while(|name| *name == "super").count();
                Some(joined(&module[..module.len().checked_sub(ups)?], &path[ups..]))
            }
            _ => self.files.contains_key(&joined(module, &path[..1])).then(|| joined(module, path)),
        }
    }

    /// The module in which stands what a path from the root names.
    fn home(&self, path: &Path) -> Option<Path> {
        let mut path = path.clone();
        for _ in 0..LONGEST_CHAIN {
            let known = (0..=path.len()).rev().find(|&n| self.files.contains_key(&path[..n]))?;
            match path.get(..=known).and_then(|name| self.exports.get(name)) {
                Some(target) => path = joined(target, &path[known + 1..]),
                None => return Some(path[..known].to_vec()),
            }
        }
        None
    }

    fn circles(&self) -> Vec<String> {
        let edges = self.uses.iter().flat_map(|(from, targets)| targets.iter().map(move |to| (from, to)));
        let across = edges.filter(|(from, to)| self.folder(from) != self.folder(to));
        across
            .filter_map(|(from, to)| {
                let back: Vec<&str> = self.way(to, from)?.iter().map(|module| self.files[module]).collect();
                Some(format!(
                    "{} uses {}: an import circle between folders",
                    self.files[from],
                    back.join(", that uses ")
                ))
            })
            .collect()
    }

    /// The folder of a module; a module with a folder of its own stands in it.
    fn folder<'b>(&self, module: &'b Path) -> &'b [String] {
        let is_head = self.files.keys().any(|other| other.len() > module.len() && other.starts_with(module));
        if is_head { module } else { &module[..module.len().saturating_sub(1)] }
    }

    /// The shortest way by uses, both ends included.
    fn way(&self, from: &Path, to: &Path) -> Option<Vec<Path>> {
        let mut seen = BTreeSet::from([from.clone()]);
        let mut queue = VecDeque::from([vec![from.clone()]]);
        while let Some(way) = queue.pop_front() {
            let end = way.last()?;
            if end == to {
                return Some(way);
            }
            for next in self.uses.get(end).into_iter().flatten() {
                if seen.insert(next.clone()) {
                    queue.push_back([way.as_slice(), std::slice::from_ref(next)].concat());
                }
            }
        }
        None
    }
}

fn joined(front: &[String], back: &[String]) -> Path {
    [front, back].concat()
}

/// The module of a file, by its path below `src`.
fn module_of(inside: &str) -> Path {
    let mut names: Path = inside.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    if names.last().is_some_and(|name| ["mod", "lib", "main"].contains(&name.as_str())) {
        names.pop();
    }
    names
}

/// The paths of a file. Modules written inside it, tests above all, are left out.
#[derive(Default)]
struct Paths {
    used: BTreeSet<Path>,
    exported: BTreeSet<Path>,
}

impl Visit<'_> for Paths {
    fn visit_item_mod(&mut self, _: &syn::ItemMod) {}

    /// `pub(super)` names a module and uses nothing of it.
    fn visit_visibility(&mut self, _: &syn::Visibility) {}

    fn visit_item_use(&mut self, item: &syn::ItemUse) {
        let is_private = matches!(item.vis, syn::Visibility::Inherited);
        leaves(&item.tree, &mut Vec::new(), if is_private { &mut self.used } else { &mut self.exported });
    }

    fn visit_path(&mut self, path: &syn::Path) {
        let names: Path = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if ["crate", "super"].contains(&names[0].as_str()) {
            self.used.insert(names);
        }
        visit::visit_path(self, path);
    }
}

/// The full paths of a tree of imports.
fn leaves(tree: &syn::UseTree, front: &mut Path, out: &mut BTreeSet<Path>) {
    match tree {
        syn::UseTree::Path(path) => {
            front.push(path.ident.to_string());
            leaves(&path.tree, front, out);
            front.pop();
        }
        syn::UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, front, out)),
        syn::UseTree::Glob(_) => drop(out.insert(front.clone())),
        syn::UseTree::Name(syn::UseName { ident }) | syn::UseTree::Rename(syn::UseRename { ident, .. }) => {
            let own = (ident != "self").then(|| ident.to_string());
            out.insert(front.iter().cloned().chain(own).collect());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_crate(files: &[(&str, &str)]) -> Vec<String> {
        let file = |(path, text): &(&str, &str)| File { path: format!("crates/a/src/{path}"), text: (*text).into() };
        check(&files.iter().map(file).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn a_circle_between_folders_is_named_with_its_way() {
        let files = [
            ("lib.rs", "mod feet; mod field; pub use field::Field;"),
            ("feet/mod.rs", "mod track; fn f() -> crate::Field { todo() }"),
            ("feet/track.rs", ""),
            ("field/mod.rs", "mod wells; pub use wells::Field;"),
            ("field/wells.rs", "use crate::feet::{self, Foot};"),
        ];
        let found = check_crate(&files);
        assert_eq!(found.len(), 2, "{found:?}");
        let way = "crates/a/src/feet/mod.rs uses crates/a/src/field/wells.rs, that uses crates/a/src/feet/mod.rs";
        assert_eq!(found[0], format!("{way}: an import circle between folders"));
    }

    #[test]
    fn files_of_one_folder_tests_and_one_way_use_pass() {
        let files = [
            ("lib.rs", "mod feet; mod field;"),
            ("feet.rs", "mod track; use track::Track; use std::fs; pub struct Feet;"),
            ("feet/track.rs", "use super::Feet; use crate::field::Field; pub(super) fn f() {}"),
            ("field.rs", "#[cfg(test)] mod tests { use crate::feet::Feet; }"),
        ];
        assert_eq!(check_crate(&files), Vec::<String>::new());
    }
}
