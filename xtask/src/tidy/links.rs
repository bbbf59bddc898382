//! Links between the pages of the repository: the file is there, and so is the heading. Web addresses are not opened.

use super::File;
use crate::{markdown, shell};
use std::path::{Component, Path};

pub fn check(files: &[File]) -> Vec<String> {
    let pages = files.iter().filter(|file| file.has_extension(&["md"]));
    pages.flat_map(|page| check_page(page, files)).collect()
}

fn check_page(page: &File, files: &[File]) -> Vec<String> {
    let mut complaints = Vec::new();
    for (number, line) in markdown::prose(&page.text) {
        let broken = markdown::links(line).into_iter().filter(|target| !resolves(page, target, files));
        complaints.extend(broken.map(|target| format!("{}:{number}: the link to {target} leads nowhere", page.path)));
    }
    complaints
}

fn resolves(page: &File, target: &str, files: &[File]) -> bool {
    if target.contains("://") || target.starts_with("mailto:") {
        return true;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if path.is_empty() { page.path.clone() } else { join(&page.path, path) };
    let linked = files.iter().find(|file| file.path == path);
    match linked {
        Some(file) if !anchor.is_empty() => markdown::anchors(&file.text).iter().any(|known| known == anchor),
        Some(_) => true,
        None => anchor.is_empty() && shell::root().join(&path).exists(),
    }
}

/// The path that a link on a page means, from the root, with `..` worked out.
fn join(page: &str, link: &str) -> String {
    let mut parts: Vec<String> = Vec::new();
    let folder = Path::new(page).parent().unwrap_or_else(|| Path::new(""));
    for part in folder.join(link).components() {
        match part {
            Component::ParentDir => drop(parts.pop()),
            Component::Normal(name) => parts.push(name.to_string_lossy().into_owned()),
            _ => {}
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(page: &str) -> Vec<File> {
        let file = |path: &str, text: &str| File { path: path.into(), text: text.into() };
        vec![file("docs/guide/a.md", page), file("docs/b.md", "# One\n## Two words\n")]
    }

    #[test]
    fn links_that_lead_somewhere_pass() {
        let page = "# Top\n[b](../b.md), [two](../b.md#two-words), [top](#top), [web](https://example.org/x)\n";
        assert_eq!(check(&files(page)), Vec::<String>::new());
    }

    #[test]
    fn links_that_lead_nowhere_are_named_with_their_line() {
        let found = check(&files("\n[b](b.md) [three](../b.md#three)\n[low](#low)\n"));
        assert_eq!(found.len(), 3, "{found:?}");
        assert_eq!(found[0], "docs/guide/a.md:2: the link to b.md leads nowhere");
    }
}
