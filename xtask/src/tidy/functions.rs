//! Long functions. Old ones may stay as they are; none may grow and no new one may come: the ratchet.

use super::File;
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};

/// The list of functions that may be long, with the lines they have: `path::function lines`.
pub const RATCHET: &str = "xtask/tidy-ratchet.txt";

/// Lines a function may have, from its `fn` to its closing brace.
const LONGEST: usize = 60;

pub fn check(files: &[File], ratchet: &str) -> Result<Vec<String>> {
    let allowed = parse_ratchet(ratchet)?;
    let mut long = BTreeMap::new();
    for file in files.iter().filter(|file| file.has_extension(&["rs"])) {
        let syntax = syn::parse_file(&file.text).with_context(|| format!("{} does not parse", file.path))?;
        let mut lengths = Lengths::default();
        lengths.visit_file(&syntax);
        let too_long = lengths.0.into_iter().filter(|(_, lines)| *lines > LONGEST);
        long.extend(too_long.map(|(name, lines)| (format!("{}::{name}", file.path), lines)));
    }
    Ok(compare(&allowed, &long))
}

fn compare(allowed: &BTreeMap<String, usize>, long: &BTreeMap<String, usize>) -> Vec<String> {
    let mut complaints = Vec::new();
    for (name, lines) in long {
        match allowed.get(name) {
            None => complaints.push(format!("{name} has {lines} lines, more than {LONGEST}: take it apart")),
            Some(old) if lines > old => {
                complaints.push(format!("{name} grew from {old} to {lines} lines: take it apart"))
            }
            Some(old) if lines < old => complaints.push(format!("{name} shrank to {lines} lines: say so in {RATCHET}")),
            Some(_) => {}
        }
    }
    let gone = allowed.keys().filter(|name| !long.contains_key(*name));
    complaints.extend(gone.map(|name| format!("{name} is no longer long: take it out of {RATCHET}")));
    complaints
}

fn parse_ratchet(text: &str) -> Result<BTreeMap<String, usize>> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let entry = |line: &str| {
        let (name, lines) = line.rsplit_once(' ')?;
        Some((name.to_owned(), lines.parse().ok()?))
    };
    lines
        .map(|line| entry(line).with_context(|| format!("{RATCHET}: `{line}` is not `path::function lines`")))
        .collect()
}

/// Lines of the functions of a file by name; of functions with one name, the longest.
#[derive(Default)]
struct Lengths(BTreeMap<String, usize>);

impl Lengths {
    fn add(&mut self, signature: &syn::Signature, body: &syn::Block) {
        let lines = body.span().end().line + 1 - signature.span().start().line;
        let entry = self.0.entry(signature.ident.to_string()).or_default();
        *entry = lines.max(*entry);
    }
}

impl<'ast> Visit<'ast> for Lengths {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.add(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.add(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(body) = &item.default {
            self.add(&item.sig, body);
        }
        visit::visit_trait_item_fn(self, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(lines: usize) -> File {
        let body = "    a();\n".repeat(lines - 2);
        File {
            path: "a.rs".into(),
            text: format!("/// Words.\n#[inline]\nfn long() {{\n{body}}}\nimpl A {{ fn short() {{}} }}\n"),
        }
    }

    fn complaints(lines: usize, ratchet: &str) -> Vec<String> {
        check(&[file(lines)], ratchet).unwrap()
    }

    #[test]
    fn a_function_may_have_just_so_many_lines() {
        assert_eq!(complaints(LONGEST, ""), Vec::<String>::new());
        assert_eq!(complaints(LONGEST + 1, ""), ["a.rs::long has 61 lines, more than 60: take it apart"]);
    }

    #[test]
    fn an_old_long_function_may_stay_but_not_grow() {
        assert_eq!(complaints(70, "# words\na.rs::long 70\n"), Vec::<String>::new());
        assert!(complaints(71, "a.rs::long 70")[0].contains("grew from 70 to 71"));
    }

    #[test]
    fn the_list_only_gets_shorter() {
        assert!(complaints(69, "a.rs::long 70")[0].contains("shrank to 69"));
        assert!(complaints(10, "a.rs::long 70")[0].contains("no longer long"));
        assert!(check(&[], "a.rs::long many").is_err());
    }

    #[test]
    fn methods_and_functions_inside_functions_are_seen() {
        let inner = format!("fn inner() {{\n{}}}\n", "    a();\n".repeat(60));
        let text = format!("trait T {{ fn outer() {{\n{inner}}} }}\n");
        let found = check(&[File { path: "a.rs".into(), text }], "").unwrap();
        assert_eq!(found.len(), 2, "{found:?}");
    }
}
