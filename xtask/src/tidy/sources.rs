//! Short names of sources: a page that cites one links to where a reader finds what it stands for.

use super::File;

/// What a page cites, and the end of a link that explains it.
const NAMES: [(&str, &str); 6] = [
    ("car facts", "#sources)"),
    ("sea facts", "#sources)"),
    ("toio facts", "#sources)"),
    ("spec 1.", "#sources)"),
    ("reading A", "readings.md)"),
    ("readings A", "readings.md)"),
];

pub fn check(files: &[File]) -> Vec<String> {
    let pages = files.iter().filter(|file| file.path.starts_with("docs/") && file.has_extension(&["md"]));
    pages.flat_map(check_page).collect()
}

fn check_page(page: &File) -> Vec<String> {
    let text = page.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let unexplained = NAMES.into_iter().filter(|(name, link)| text.contains(name) && !text.contains(link));
    unexplained.map(|(name, _)| format!("{}: cites \"{name}\" without a link to its source", page.path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(path: &str, text: &str) -> usize {
        check(&[File { path: path.into(), text: text.into() }]).len()
    }

    #[test]
    fn a_page_that_cites_a_short_name_links_to_its_source() {
        assert_eq!(found("docs/models/a.md", "Source: toio\nfacts, section 2; reading A11."), 2);
        let linked =
            "Source: [toio facts](README.md#sources), section 2; [reading](../decisions/readings.md) A11, reading A12.";
        assert_eq!(found("docs/models/a.md", linked), 0);
        assert_eq!(found("crates/a/src/lib.rs", "reading A11"), 0);
    }
}
