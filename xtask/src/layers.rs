//! `cargo xtask layers`: the dependencies between crates, compared with the table in `docs/architecture.md`.
//!
//! The table is the rule: an edge that it does not list fails, and so does a line of it that is no longer true. Edges between our
//! crates go down only, development edges included, but for those of tests that the table of doors lists. That table also says which
//! crates are for a few users alone. What a crate must not reach is looked for in everything that it pulls in.

use crate::{markdown, shell};
use anyhow::{Context, Result, ensure};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const PAGE: &str = "docs/architecture.md";

type Names = BTreeSet<String>;

pub fn run() -> Result<()> {
    let page = shell::read(PAGE)?;
    let rows = parse_rows(markdown::between(&page, "layers")?)?;
    let doors = parse_doors(markdown::between(&page, "doors")?)?;
    let graph = read_graph()?;
    let mut complaints = check(&rows, &doors, &graph);
    complaints.extend(doors.iter().flat_map(|(name, door)| check_door(name, door, &graph)));
    ensure!(complaints.is_empty(), "{}", complaints.join("\n"));
    println!("{} crates depend on each other as {PAGE} says", rows.len());
    Ok(())
}

/// A line of the table.
#[derive(Clone, Debug)]
struct Row {
    /// Higher stands above; chores stand above all.
    layer: u32,
    ours: Names,
    libraries: Names,
    unreachable: Names,
}

/// A line of the table of doors.
#[derive(Clone, Debug)]
struct Door {
    /// The only crates that use it, in tests or not; empty: any may.
    users: Names,
    /// Crates whose tests use it although it does not stand below them.
    upward_tests: Names,
}

/// What cargo says about one of our crates.
#[derive(Clone, Debug, Default)]
struct Package {
    /// Direct dependencies, built into the crate or its build script.
    direct: Names,
    /// Direct dependencies of its tests, benches and examples.
    development: Names,
    /// Everything that it pulls in, itself left out, tests left out.
    reached: Names,
}

fn parse_rows(text: &str) -> Result<BTreeMap<String, Row>> {
    let mut rows = BTreeMap::new();
    for cells in markdown::table_rows(text) {
        let shown = cells.join(" | ");
        let [layer, name, _, ours, libraries, unreachable] = &cells[..] else {
            anyhow::bail!("{PAGE}: `{shown}` has not six cells");
        };
        let layer = if layer == "-" {
            u32::MAX
        } else {
            layer.parse().with_context(|| format!("{PAGE}: layer of `{shown}`"))?
        };
        let row = Row { layer, ours: names(ours), libraries: names(libraries), unreachable: names(unreachable) };
        let name = name.trim_matches('`').to_owned();
        ensure!(rows.insert(name.clone(), row).is_none(), "{PAGE} lists {name} twice");
    }
    ensure!(!rows.is_empty(), "{PAGE}: the table of layers is empty");
    Ok(rows)
}

fn parse_doors(text: &str) -> Result<BTreeMap<String, Door>> {
    let door = |cells: Vec<String>| {
        let [name, users, upward_tests] = &cells[..] else {
            anyhow::bail!("{PAGE}: `{}` has not three cells", cells.join(" | "));
        };
        let door = Door { users: names(users), upward_tests: names(upward_tests) };
        Ok((name.trim_matches('`').to_owned(), door))
    };
    markdown::table_rows(text).into_iter().map(door).collect()
}

/// The names in backticks of a cell.
fn names(cell: &str) -> Names {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn check(
    rows: &BTreeMap<String, Row>,
    doors: &BTreeMap<String, Door>,
    graph: &BTreeMap<String, Package>,
) -> Vec<String> {
    let gone = rows.keys().filter(|name| !graph.contains_key(*name));
    let mut complaints: Vec<String> =
        gone.map(|name| format!("{PAGE} lists {name}, which is no crate of ours")).collect();
    for (name, package) in graph {
        match rows.get(name) {
            Some(row) => {
                complaints.extend(check_crate(name, row, package, rows));
                complaints.extend(check_upward(name, package, rows, doors));
            }
            None => complaints.push(format!("{PAGE} does not list {name}")),
        }
    }
    complaints
}

fn check_crate(name: &str, row: &Row, package: &Package, rows: &BTreeMap<String, Row>) -> Vec<String> {
    let is_ours = |other: &&String| rows.contains_key(*other);
    let (ours, libraries): (Names, Names) = package.direct.iter().cloned().partition(|other| is_ours(&other));
    let mut complaints = Vec::new();
    for (listed, real) in [(&row.ours, &ours), (&row.libraries, &libraries)] {
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

/// Edges that do not go down, but for those of tests through a door.
fn check_upward(
    name: &str,
    package: &Package,
    rows: &BTreeMap<String, Row>,
    doors: &BTreeMap<String, Door>,
) -> Vec<String> {
    let is_upward = |other: &&String| rows.get(*other).is_some_and(|row| row.layer >= rows[name].layer);
    let has_door = |other: &String| doors.get(other).is_some_and(|door| door.upward_tests.contains(name));
    let of_tests = package.development.iter().filter(|other| !has_door(other));
    let edges: BTreeSet<&String> = package.direct.iter().chain(of_tests).filter(is_upward).collect();
    edges.iter().map(|other| format!("{name} must not use {other}: it does not stand in a lower layer")).collect()
}

/// Users that a door does not list, and listed ones that do not use it.
fn check_door(name: &str, door: &Door, graph: &BTreeMap<String, Package>) -> Vec<String> {
    let users_by = |uses: &dyn Fn(&Package) -> bool| -> Names {
        graph.iter().filter(|(_, package)| uses(package)).map(|(user, _)| user.clone()).collect()
    };
    let in_tests = users_by(&|package| package.development.contains(name));
    let all = users_by(&|package| package.direct.contains(name) || package.development.contains(name));
    let mut complaints: Vec<String> = Vec::new();
    if !door.users.is_empty() {
        complaints.extend(
            all.difference(&door.users).map(|user| format!("{user} must not use {name}: {PAGE} lists its users")),
        );
        complaints.extend(
            door.users.difference(&all).map(|user| format!("{PAGE} says that {user} uses {name}; it does not")),
        );
    }
    let stale = door.upward_tests.difference(&in_tests);
    complaints.extend(stale.map(|user| format!("{PAGE} says that tests of {user} use {name}; they do not")));
    complaints
}

fn read_graph() -> Result<BTreeMap<String, Package>> {
    let host = shell::output(shell::program("rustc").arg("-vV"))?;
    let host = host.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names no host")?.to_owned();
    let text = shell::output(shell::cargo().args(["metadata", "--format-version", "1", "--filter-platform", &host]))?;
    graph_of(&serde_json::from_str(&text).context("cargo metadata")?)
}

fn graph_of(metadata: &Value) -> Result<BTreeMap<String, Package>> {
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
        let reached = reach(id, &edges).into_iter().map(|id| name_of[id].to_owned()).collect();
        graph.insert(name_of[id].to_owned(), Package { direct: named(true), development: named(false), reached });
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

fn reach<'a>(start: &'a str, edges: &BTreeMap<&'a str, Vec<Edge<'a>>>) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut open = vec![start];
    while let Some(id) = open.pop() {
        for edge in edges.get(id).into_iter().flatten().filter(|edge| edge.is_built_in) {
            if found.insert(edge.id) {
                open.push(edge.id);
            }
        }
    }
    found
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

    fn complaints(low: Package, high: Package) -> Vec<String> {
        complaints_with("", low, high)
    }

    fn complaints_with(doors: &str, low: Package, high: Package) -> Vec<String> {
        let graph = [("low", low), ("high", high), ("chores", package("", "high", ""))];
        let graph = graph.into_iter().map(|(name, package)| (name.to_owned(), package)).collect();
        let doors = parse_doors(&format!("\n| crate | users | tests |\n|---|---|---|\n{doors}\n")).unwrap();
        let of_doors = doors.iter().flat_map(|(name, door)| check_door(name, door, &graph));
        check(&parse_rows(TABLE).unwrap(), &doors, &graph).into_iter().chain(of_doors).collect()
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
        assert_eq!(found, ["low must not use high: it does not stand in a lower layer"]);
    }

    #[test]
    fn tests_go_up_through_a_door_and_nothing_else_does() {
        let door = "| `high` | any | `low` |";
        let high = || package("low", "", "");
        assert_eq!(complaints_with(door, package("glam", "high", ""), high()), Vec::<String>::new());
        let found = complaints_with(door, package("glam high", "high", ""), high());
        assert!(found.contains(&"low must not use high: it does not stand in a lower layer".to_owned()), "{found:?}");
        let found = complaints_with(door, package("glam", "", ""), high());
        assert_eq!(found, [format!("{PAGE} says that tests of low use high; they do not")]);
    }

    #[test]
    fn a_door_is_for_its_users_alone() {
        let found = |door: &str| complaints_with(door, package("glam", "", ""), package("low", "", ""));
        assert_eq!(found("| `high` | `chores` | none |"), Vec::<String>::new());
        assert_eq!(
            found("| `low` | `chores`, `high` | none |"),
            [format!("{PAGE} says that chores uses low; it does not")]
        );
        assert_eq!(found("| `high` | `low` | none |").len(), 2);
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
    fn crates_and_lines_must_match() {
        let rows = parse_rows(TABLE).unwrap();
        let graph = [("new".to_owned(), Package::default())].into_iter().collect();
        let found = check(&rows, &BTreeMap::new(), &graph);
        assert_eq!(found.len(), 4, "{found:?}");
        assert!(parse_rows("").is_err());
    }

    #[test]
    fn development_edges_do_not_count_as_reached() {
        let dep = |id: &str, kind: Option<&str>| json!({ "pkg": id, "dep_kinds": [{ "kind": kind }] });
        let metadata = json!({
            "packages": [{ "id": "1", "name": "a" }, { "id": "2", "name": "b" }, { "id": "3", "name": "c" }, { "id": "4", "name": "d" }],
            "workspace_members": ["1"],
            "resolve": { "nodes": [
                { "id": "1", "deps": [dep("2", None), dep("4", Some("dev"))] },
                { "id": "2", "deps": [dep("3", None), dep("4", Some("dev"))] },
                { "id": "3", "deps": [] }, { "id": "4", "deps": [] },
            ] },
        });
        let graph = graph_of(&metadata).unwrap();
        assert_eq!(graph["a"].direct, set("b"));
        assert_eq!(graph["a"].development, set("d"));
        assert_eq!(graph["a"].reached, set("b c"));
    }
}
