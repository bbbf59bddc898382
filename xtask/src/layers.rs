//! `cargo xtask layers`: the dependencies between crates, compared with the table in `docs/architecture.md`.
//!
//! The table is the rule: an edge that it does not list fails, and so does a line of it that is no longer true. Edges between our
//! crates go down only. What a crate must not reach is looked for in everything that it pulls in when it is built alone, with its default
//! features. Libraries that come only with another feature stand apart in the table, after "behind".
//!
//! A second table lists doors: crates that one crate alone may use, such as the worlds behind their registry, and crates that the tests
//! of lower ones may use all the same. Tests of higher crates may always use lower ones.

use crate::{markdown, shell};
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const PAGE: &str = "docs/architecture.md";

type Names = BTreeSet<String>;

pub fn run() -> Result<()> {
    let page = shell::read(PAGE)?;
    let rules = Rules {
        rows: parse_rows(markdown::between(&page, "layers")?)?,
        doors: parse_doors(markdown::between(&page, "doors")?)?,
    };
    let complaints = check(&rules, &read_graph()?);
    ensure!(complaints.is_empty(), "{}", complaints.join("\n"));
    println!("{} crates depend on each other as {PAGE} says", rules.rows.len());
    Ok(())
}

/// Both tables of the page.
struct Rules {
    rows: BTreeMap<String, Row>,
    doors: Vec<Door>,
}

/// A line of the first table.
#[derive(Clone, Debug)]
struct Row {
    /// Higher stands above; chores stand above all.
    layer: u32,
    ours: Names,
    libraries: Names,
    /// Libraries that come only with a feature that is off by default.
    behind_features: Names,
    unreachable: Names,
}

/// A line of the second table.
#[derive(Clone, Debug)]
struct Door {
    /// Name of a crate; with `*` at its end, of all crates that begin so.
    to: String,
    /// The crates that may use it; none listed: all that stand above.
    used_by: Names,
    /// Crates whose tests may use it although they do not stand above.
    tested_by: Names,
}

impl Door {
    fn leads_to(&self, name: &str) -> bool {
        self.to.strip_suffix('*').map_or(self.to == name, |start| name.starts_with(start))
    }
}

/// What cargo says about one of our crates.
#[derive(Clone, Debug, Default)]
struct Package {
    /// Direct dependencies, built into the crate or its build script, with the features that the workspace switches on.
    direct: Names,
    /// Direct dependencies of its tests, benches and examples.
    development: Names,
    /// Everything that it pulls in when it is built alone, itself left out, tests left out.
    reached: Names,
}

fn parse_rows(text: &str) -> Result<BTreeMap<String, Row>> {
    let mut rows = BTreeMap::new();
    for cells in markdown::table_rows(text) {
        let shown = cells.join(" | ");
        let [layer, name, _, ours, libraries, unreachable] = &cells[..] else {
            bail!("{PAGE}: `{shown}` has not six cells");
        };
        let layer = if layer == "-" {
            u32::MAX
        } else {
            layer.parse().with_context(|| format!("{PAGE}: layer of `{shown}`"))?
        };
        let (always, behind) = libraries.split_once("; behind ").unwrap_or((libraries, ""));
        let behind_features = behind.split_once(": ").map_or_else(Names::new, |(_, libraries)| names(libraries));
        let (ours, libraries, unreachable) = (names(ours), names(always), names(unreachable));
        let row = Row { layer, ours, libraries, behind_features, unreachable };
        let name = name.trim_matches('`').to_owned();
        ensure!(rows.insert(name.clone(), row).is_none(), "{PAGE} lists {name} twice");
    }
    ensure!(!rows.is_empty(), "{PAGE}: the table of layers is empty");
    Ok(rows)
}

/// The names in backticks of a cell.
fn names(cell: &str) -> Names {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn parse_doors(text: &str) -> Result<Vec<Door>> {
    let door = |cells: Vec<String>| match &cells[..] {
        [to, used_by, tested_by] => {
            Ok(Door { to: to.trim_matches('`').to_owned(), used_by: names(used_by), tested_by: names(tested_by) })
        }
        _ => bail!("{PAGE}: `{}` has not three cells", cells.join(" | ")),
    };
    markdown::table_rows(text).into_iter().map(door).collect()
}

fn check(rules: &Rules, graph: &BTreeMap<String, Package>) -> Vec<String> {
    let gone = rules.rows.keys().filter(|name| !graph.contains_key(*name));
    let mut complaints: Vec<String> =
        gone.map(|name| format!("{PAGE} lists {name}, which is no crate of ours")).collect();
    for (name, package) in graph {
        match rules.rows.get(name) {
            Some(row) => {
                complaints.extend(check_directions(name, package, rules));
                complaints.extend(check_crate(name, row, package, rules));
            }
            None => complaints.push(format!("{PAGE} does not list {name}")),
        }
    }
    complaints
}

/// Edges that go up, and edges that go round a door.
fn check_directions(name: &str, package: &Package, rules: &Rules) -> Vec<String> {
    let is_below = |other: &str| rules.rows[other].layer < rules.rows[name].layer;
    let door_to = |other: &str| rules.doors.iter().find(|door| door.leads_to(other));
    let mut complaints = Vec::new();
    for other in package.direct.iter().filter(|other| rules.rows.contains_key(*other)) {
        if !is_below(other) {
            complaints.push(format!("{name} must not use {other}: it does not stand in a lower layer"));
        }
        let owners = door_to(other).map(|door| &door.used_by).filter(|owners| !owners.is_empty());
        if let Some(owners) = owners.filter(|owners| !owners.contains(name)) {
            let owners: Vec<&str> = owners.iter().map(String::as_str).collect();
            complaints.push(format!("{name} must not use {other}: {PAGE} leaves that to {}", owners.join(", ")));
        }
    }
    // Tests that need a feature of their own crate name that crate.
    for other in package.development.iter().filter(|other| rules.rows.contains_key(*other) && *other != name) {
        if !is_below(other) && !door_to(other).is_some_and(|door| door.tested_by.contains(name)) {
            complaints.push(format!("tests of {name} must not use {other}: it does not stand in a lower layer"));
        }
    }
    complaints
}

/// Lines of the first table that are not true of a crate, and what it must not reach.
fn check_crate(name: &str, row: &Row, package: &Package, rules: &Rules) -> Vec<String> {
    let (ours, libraries): (Names, Names) =
        package.direct.iter().cloned().partition(|other| rules.rows.contains_key(other));
    let (libraries, behind_features): (Names, Names) =
        libraries.into_iter().partition(|library| package.reached.contains(library));
    let mut complaints = Vec::new();
    let lists = [(&row.ours, &ours), (&row.libraries, &libraries), (&row.behind_features, &behind_features)];
    for (listed, real) in lists {
        complaints
            .extend(real.difference(listed).map(|other| format!("{name} uses {other}, which {PAGE} does not list")));
        complaints
            .extend(listed.difference(real).map(|other| format!("{PAGE} says that {name} uses {other}; it does not")));
    }
    let reached = row.unreachable.intersection(&package.reached);
    complaints
        .extend(reached.map(|other| format!("{name} must not reach {other}, but something that it uses brings it in")));
    complaints
}

fn read_graph() -> Result<BTreeMap<String, Package>> {
    let host = shell::output(shell::program("rustc").arg("-vV"))?;
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?.to_owned();
    let text = shell::output(shell::cargo().args(["metadata", "--format-version", "1", "--filter-platform", &host]))?;
    graph_of(&serde_json::from_str(&text).context("cargo metadata")?, reached_alone)
}

/// The names of everything that cargo builds for a crate alone, with its default features.
fn reached_alone(name: &str) -> Result<Names> {
    let tree = ["tree", "--edges", "normal,build", "--prefix", "none", "--format", "{p}", "--package", name];
    let text = shell::output(shell::cargo().args(tree))?;
    let names = text.lines().filter_map(|line| line.split_whitespace().next());
    Ok(names.filter(|other| *other != name).map(str::to_owned).collect())
}

fn graph_of(metadata: &Value, reached: impl Fn(&str) -> Result<Names>) -> Result<BTreeMap<String, Package>> {
    let packages = metadata["packages"].as_array().context("cargo metadata names no packages")?;
    let name_of: BTreeMap<&str, &str> =
        packages.iter().filter_map(|p| Some((p["id"].as_str()?, p["name"].as_str()?))).collect();
    let nodes = metadata["resolve"]["nodes"].as_array().context("cargo metadata has no resolved graph")?;
    let edges: BTreeMap<&str, Vec<Edge<'_>>> =
        nodes.iter().filter_map(|node| Some((node["id"].as_str()?, edges_of(node)))).collect();
    let members = metadata["workspace_members"].as_array().context("cargo metadata names no members")?;
    let mut graph = BTreeMap::new();
    for id in members.iter().filter_map(Value::as_str) {
        let named = |wanted_build: bool| {
            let wanted =
                edges[id].iter().filter(|edge| if wanted_build { edge.is_built_in } else { edge.is_development });
            wanted.map(|edge| name_of[edge.id].to_owned()).collect()
        };
        let (name, direct, development) = (name_of[id], named(true), named(false));
        graph.insert(name.to_owned(), Package { direct, development, reached: reached(name)? });
    }
    Ok(graph)
}

/// A dependency as cargo resolved it.
struct Edge<'a> {
    id: &'a str,
    is_built_in: bool,
    is_development: bool,
}

fn edges_of(node: &Value) -> Vec<Edge<'_>> {
    let deps = node["deps"].as_array().map(Vec::as_slice).unwrap_or_default();
    deps.iter().filter_map(edge_of).collect()
}

fn edge_of(dep: &Value) -> Option<Edge<'_>> {
    let kinds = dep["dep_kinds"].as_array()?;
    Some(Edge {
        id: dep["pkg"].as_str()?,
        is_built_in: kinds.iter().any(|kind| kind["kind"] != "dev"),
        is_development: kinds.iter().any(|kind| kind["kind"] == "dev"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const TABLE: &str = "
| layer | crate | is | ours | libraries | never |
|---|---|---|---|---|---|
| 0 | `low` | x | none | `glam` | `serde` |
| 1 | `high` | x | `low` | none | none |
| - | `chores` | x | none | none | none |
";

    fn set(words: &str) -> Names {
        words.split_whitespace().map(str::to_owned).collect()
    }

    fn package(direct: &str, development: &str, reached: &str) -> Package {
        Package { direct: set(direct), development: set(development), reached: set(reached) }
    }

    fn rules(table: &str, doors: &str) -> Rules {
        Rules { rows: parse_rows(table).unwrap(), doors: parse_doors(doors).unwrap() }
    }

    fn graph<const N: usize>(packages: [(&str, Package); N]) -> BTreeMap<String, Package> {
        packages.into_iter().map(|(name, package)| (name.to_owned(), package)).collect()
    }

    fn complaints(low: Package, high: Package) -> Vec<String> {
        let chores = package("", "high", "");
        check(&rules(TABLE, ""), &graph([("low", low), ("high", high), ("chores", chores)]))
    }

    #[test]
    fn a_true_table_has_no_complaint() {
        assert_eq!(
            complaints(package("glam", "proptest", "glam"), package("low", "", "low glam")),
            Vec::<String>::new()
        );
    }

    #[test]
    fn upward_edges_are_found_even_in_tests() {
        let found = complaints(package("glam", "high", "glam"), package("low", "", ""));
        assert_eq!(found, ["tests of low must not use high: it does not stand in a lower layer"]);
        let found = complaints(package("glam high", "", "glam"), package("low", "", ""));
        assert!(found[0].contains("low must not use high"), "{found:?}");
    }

    #[test]
    fn unlisted_and_stale_libraries_are_found() {
        let found = complaints(package("rayon", "", "rayon"), package("low", "", ""));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("uses rayon") && found[1].contains("glam; it does not"));
    }

    #[test]
    fn what_must_not_be_reached_is_looked_for_below() {
        let found = complaints(package("glam", "", "glam serde"), package("low", "", ""));
        assert_eq!(found, ["low must not reach serde, but something that it uses brings it in"]);
    }

    #[test]
    fn libraries_behind_a_feature_stand_apart() {
        let table = TABLE.replace("`glam` | `serde`", "`glam`; behind `schema`: `schemars`, `serde` | `serde`");
        let complaints = |low: Package| {
            let high = package("low", "", "");
            check(&rules(&table, ""), &graph([("low", low), ("high", high), ("chores", Package::default())]))
        };
        assert_eq!(complaints(package("glam schemars serde", "", "glam")), Vec::<String>::new());
        let found = complaints(package("glam schemars serde", "", "glam serde"));
        assert_eq!(found.len(), 3, "{found:?}");
        assert!(found[0].contains("uses serde") && found[1].contains("serde; it does not"), "{found:?}");
        assert!(found[2].contains("must not reach serde"), "{found:?}");
    }

    #[test]
    fn crates_and_lines_must_match() {
        let found = check(&rules(TABLE, ""), &graph([("new", Package::default())]));
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(parse_rows("").is_err());
    }

    /// A registry that alone may use worlds, and below it a loop whose tests may use the registry.
    const STOREYS: &str = "
| layer | crate | is | ours | libraries | never |
|---|---|---|---|---|---|
| 1 | `world-sea` | x | none | none | none |
| 2 | `loop` | x | none | none | none |
| 3 | `worlds` | x | `world-sea` | none | none |
| 4 | `program` | x | `worlds` | none | none |
";
    const DOORS: &str = "
| crates | used by | in tests also by |
|---|---|---|
| `world-*` | `worlds` | none |
| `worlds` | all above | `loop` |
";

    fn behind_doors(of_loop: Package, of_program: Package) -> Vec<String> {
        let worlds = package("world-sea", "", "world-sea");
        let packages =
            [("world-sea", Package::default()), ("loop", of_loop), ("worlds", worlds), ("program", of_program)];
        check(&rules(STOREYS, DOORS), &graph(packages))
    }

    #[test]
    fn a_door_lets_tests_through() {
        let program = package("worlds", "world-sea", "worlds world-sea");
        assert_eq!(behind_doors(package("", "worlds world-sea", ""), program), Vec::<String>::new());
    }

    #[test]
    fn a_crate_behind_a_door_is_used_by_its_owner_alone() {
        let program = package("worlds world-sea", "", "worlds world-sea");
        let found = behind_doors(Package::default(), program);
        assert_eq!(found[0], format!("program must not use world-sea: {PAGE} leaves that to worlds"));
        let found = behind_doors(package("world-sea", "", ""), package("worlds", "", ""));
        assert!(found[0].starts_with("loop must not use world-sea"), "{found:?}");
    }

    #[test]
    fn a_door_for_tests_is_none_for_the_crate_itself() {
        let found = behind_doors(package("worlds", "", ""), package("worlds", "", ""));
        assert_eq!(found[0], "loop must not use worlds: it does not stand in a lower layer");
    }

    #[test]
    fn development_edges_stand_apart() {
        let dep = |id: &str, kind: Option<&str>| json!({ "pkg": id, "dep_kinds": [{ "kind": kind }] });
        let metadata = json!({
            "packages": [{ "id": "1", "name": "a" }, { "id": "2", "name": "b" }, { "id": "3", "name": "c" }],
            "workspace_members": ["1"],
            "resolve": { "nodes": [
                { "id": "1", "deps": [dep("2", None), dep("3", Some("dev"))] },
                { "id": "2", "deps": [] }, { "id": "3", "deps": [] },
            ] },
        });
        let graph = graph_of(&metadata, |name| Ok(set(&format!("below-{name}")))).unwrap();
        assert_eq!(graph["a"].direct, set("b"));
        assert_eq!(graph["a"].development, set("c"));
        assert_eq!(graph["a"].reached, set("below-a"));
    }
}
