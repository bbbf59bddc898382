//! `--set path=value`: values from the command line, laid over what the file says before anything is checked.

use std::fmt;
use std::str::FromStr;

use crate::diagnostic::{Fault, Origin};
use crate::tree::{self, Member, Node, Value};

/// A value that replaces or adds to what a scenario file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    flag: String,
    path: String,
    value: String,
}

/// The text is not `path=value`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write path=value, as in agents.count=20")]
pub struct OverrideError;

impl FromStr for Override {
    type Err = OverrideError;

    fn from_str(text: &str) -> Result<Self, OverrideError> {
        let (path, value) = text.split_once('=').ok_or(OverrideError)?;
        if path.split('.').any(str::is_empty) {
            return Err(OverrideError);
        }
        Ok(Self { flag: format!("--set {text}"), path: path.to_owned(), value: value.to_owned() })
    }
}

impl fmt::Display for Override {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.flag)
    }
}

impl Override {
    /// A value that does not come from a flag. Messages name it as `path=value`.
    #[must_use]
    pub fn new(path: &str, value: &str) -> Self {
        Self { flag: format!("{path}={value}"), path: path.to_owned(), value: value.to_owned() }
    }

    /// An override that comes from a flag of its own, such as `--seed 7`, which messages then name.
    #[must_use]
    pub fn from_flag(flag: &str, path: &str, value: impl fmt::Display) -> Self {
        Self { flag: format!("{flag} {value}"), path: path.to_owned(), value: value.to_string() }
    }

    /// The path of what it changes, `agents.count`.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Lays the value over `root`. A value that is not JSON is taken as text, so `agents.drive=point` needs no quotes.
    pub fn apply(&self, index: usize, root: &mut Node) -> Result<(), Box<Fault>> {
        let origin = Origin::Override(index);
        let new = tree::parse(&self.value, "", &|_| origin.clone())
            .unwrap_or_else(|_| Node { value: Value::Text(self.value.clone()), origin: origin.clone() });
        let steps = steps_of(&self.path);
        set(root, &steps, 0, new)
    }
}

/// Keys and items on the way to a value: `cars[2].start` is `cars`, item 2, `start`.
fn steps_of(path: &str) -> Vec<Step<'_>> {
    let of_part = |part| {
        let items = items_of(part).unwrap_or_default();
        let key = if items.is_empty() { part } else { part.split('[').next().unwrap_or(part) };
        std::iter::once(Step::Key(key)).chain(items.into_iter().map(Step::Item))
    };
    path.split('.').flat_map(of_part).collect()
}

/// The numbers at the end of `cars[2]`; none if that is not what it is.
fn items_of(part: &str) -> Option<Vec<usize>> {
    let (_, rest) = part.split_once('[')?;
    rest.strip_suffix(']')?.split("][").map(|item| item.parse().ok()).collect()
}

/// One step on the way to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step<'a> {
    Key(&'a str),
    Item(usize),
}

/// The path of some steps.
fn path_of(steps: &[Step<'_>]) -> String {
    steps.iter().fold(String::new(), |path, step| match step {
        Step::Key(key) if path.is_empty() => (*key).to_owned(),
        Step::Key(key) => format!("{path}.{key}"),
        Step::Item(item) => format!("{path}[{item}]"),
    })
}

/// Puts `new` under `steps[depth..]` of `node`, with the objects on the way that are missing.
fn set(node: &mut Node, steps: &[Step<'_>], depth: usize, new: Node) -> Result<(), Box<Fault>> {
    let Some(step) = steps.get(depth) else {
        *node = new;
        return Ok(());
    };
    if let (Value::Null, Step::Key(_)) = (&node.value, step) {
        *node = Node { value: Value::Object(Vec::new()), origin: new.origin.clone() };
    }
    match (&mut node.value, *step) {
        (Value::Object(members), Step::Key(key)) => {
            set(member_or_new(members, key, &new.origin), steps, depth + 1, new)
        }
        (Value::List(items), Step::Item(item)) if item < items.len() => set(&mut items[item], steps, depth + 1, new),
        (_, Step::Item(item)) => Err(Box::new(no_such_item(new.origin, steps, depth, node, item))),
        (_, Step::Key(_)) => Err(Box::new(not_an_object(new.origin, steps, depth, node))),
    }
}

fn member_or_new<'a>(members: &'a mut Vec<Member>, name: &str, origin: &Origin) -> &'a mut Node {
    let at = members.iter().position(|member| member.name == name).unwrap_or_else(|| {
        let node = Node { value: Value::Null, origin: origin.clone() };
        members.push(Member { name: name.to_owned(), name_origin: origin.clone(), node });
        members.len() - 1
    });
    &mut members[at].node
}

fn no_such_item(origin: Origin, steps: &[Step<'_>], depth: usize, found: &Node, item: usize) -> Fault {
    let message =
        format!("{} is {} and has no item {item}; items count from 0", path_of(&steps[..depth]), found.shown());
    Fault::at(origin, path_of(steps), message)
}

fn not_an_object(origin: Origin, steps: &[Step<'_>], depth: usize, found: &Node) -> Fault {
    let parent = path_of(&steps[..depth]);
    let subject = if parent.is_empty() { "the scenario" } else { &parent };
    let hint = match found.value {
        Value::List(_) => {
            format!("; a list is set as a whole, --set {parent}=[...], or item by item, --set {parent}[0]=...")
        }
        _ => String::new(),
    };
    let message = format!("{subject} is {} and has no keys{hint}", found.shown());
    Fault::at(origin, path_of(steps), message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn laid_over(text: &str, set: &str) -> Result<Node, Box<Fault>> {
        let mut root = tree::parse(text, "{}", &Origin::Text).unwrap();
        set.parse::<Override>().unwrap().apply(0, &mut root)?;
        Ok(root)
    }

    #[test]
    fn values_replace_add_and_make_the_objects_on_the_way() {
        let value = |text, set, path: &str| laid_over(text, set).unwrap().find(path).0.value.clone();
        assert_eq!(value(r#"{"a":{"b":1}}"#, "a.b=2", "a.b"), Value::Number("2".to_owned()));
        assert_eq!(value(r#"{"a":{"b":1}}"#, "a.c=x", "a.b"), Value::Number("1".to_owned()));
        assert_eq!(value("{}", "a.b.c=true", "a.b.c"), Value::Bool(true));
        assert_eq!(value(r#"{"a":null}"#, "a.b=[1,2]", "a.b[1]"), Value::Number("2".to_owned()));
        assert_eq!(value("{}", "a=b=c", "a"), Value::Text("b=c".to_owned()));
        assert_eq!(value("{}", "a=", "a"), Value::Text(String::new()));
    }

    #[test]
    fn a_list_or_a_number_has_no_keys() {
        let message = |text, set| laid_over(text, set).unwrap_err().message;
        assert_eq!(
            message(r#"{"a":[1]}"#, "a.0=2"),
            "a is a list of 1 and has no keys; a list is set as a whole, --set a=[...], or item by item, --set a[0]=..."
        );
        assert_eq!(message(r#"{"a":7}"#, "a.b.c=2"), "a is 7 and has no keys");
        assert_eq!(message("3", "a=2"), "the scenario is 3 and has no keys");
    }

    #[test]
    fn items_of_lists_are_counted_from_zero() {
        let value = |text, set, path: &str| laid_over(text, set).unwrap().find(path).0.value.clone();
        assert_eq!(value(r#"{"a":[1,[2,3]]}"#, "a[1][0]=7", "a[1][0]"), Value::Number("7".to_owned()));
        assert_eq!(value(r#"{"a":[{"b":1},{}]}"#, "a[1].b.c=x", "a[1].b.c"), Value::Text("x".to_owned()));
        // What is no number of an item is part of a key.
        assert!(laid_over("{}", "a[x]=1").unwrap().member("a[x]").is_some());
        let message = |text, set| laid_over(text, set).unwrap_err().message;
        assert_eq!(message(r#"{"a":[1]}"#, "a[1]=2"), "a is a list of 1 and has no item 1; items count from 0");
        assert_eq!(message("{}", "a[0].b=2"), "a is null and has no item 0; items count from 0");
        assert_eq!(message(r#"{"a":{}}"#, "a[0]=2"), "a is an object and has no item 0; items count from 0");
    }

    #[test]
    fn the_flag_must_have_both_sides() {
        for text in ["agents.count", "=3", "a..b=3", ".a=3", "a.=3"] {
            assert_eq!(text.parse::<Override>(), Err(OverrideError), "{text}");
        }
    }
}
