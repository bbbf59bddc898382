//! A value out of JSON, and where the JSON is wrong if it stands for none.

use serde::de::DeserializeOwned;
use serde_json::Value as Json;

/// Lists and objects with more parts than this are not searched for the part that is refused.
const MAX_PARTS: usize = 1000;

/// JSON that stands for no value of the wanted type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// Path of the part that is refused, `feet.noise` or `cars[0].start`. Empty if it is the whole.
    pub path: String,
    /// The words of serde.
    pub message: String,
}

/// The value that `json` stands for.
///
/// # Errors
/// If serde refuses it. The path is found by leaving out one part after the other: a deserializer that keeps its path would be
/// compiled again for each type, and costs a tenth of the build of a world.
pub fn from_json<T: DeserializeOwned>(json: &Json) -> Result<T, Refused> {
    T::deserialize(json).map_err(|error| {
        let message = error.to_string();
        let refusal = |json: &Json| T::deserialize(json).err().map(|error| error.to_string());
        Refused { path: path_of(json, &message, &refusal), message }
    })
}

/// Path of the innermost part without which `refusal` is another one, or none.
fn path_of(json: &Json, message: &str, refusal: &dyn Fn(&Json) -> Option<String>) -> String {
    let (mut path, mut pointer) = (String::new(), String::new());
    while let Some((step, part)) = parts(json.pointer(&pointer)).into_iter().find(|(_, part)| {
        let mut rest = json.clone();
        rest.pointer_mut(&pointer).is_some_and(|whole| remove(whole, part))
            && refusal(&rest).as_deref() != Some(message)
    }) {
        path += if path.is_empty() { step.trim_start_matches('.') } else { &step };
        pointer = format!("{pointer}/{}", part.replace('~', "~0").replace('/', "~1"));
    }
    path
}

/// Each part of a list or an object: its step of a path, and its key or index.
fn parts(whole: Option<&Json>) -> Vec<(String, String)> {
    match whole {
        Some(Json::Object(members)) if members.len() <= MAX_PARTS => {
            members.keys().map(|key| (format!(".{key}"), key.clone())).collect()
        }
        Some(Json::Array(items)) if items.len() <= MAX_PARTS => {
            (0..items.len()).map(|index| (format!("[{index}]"), index.to_string())).collect()
        }
        _ => Vec::new(),
    }
}

/// Takes a part out. False if it is not there.
fn remove(whole: &mut Json, part: &str) -> bool {
    match whole {
        Json::Object(members) => members.remove(part).is_some(),
        Json::Array(items) => part.parse().is_ok_and(|index: usize| {
            items.remove(index);
            true
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use serde_json::json;

    #[derive(Debug, Default, Deserialize)]
    #[serde(deny_unknown_fields, default)]
    #[allow(dead_code)]
    struct Outer {
        count: u8,
        inner: Option<Inner>,
        list: Vec<Inner>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Inner {
        speed: f64,
        #[serde(default)]
        way: Option<Way>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    #[allow(dead_code)]
    enum Way {
        Left(u8),
        Right(u8),
    }

    fn refused(json: &Json) -> (String, String) {
        let refused = from_json::<Outer>(json).unwrap_err();
        (refused.path, refused.message)
    }

    #[test]
    fn the_innermost_part_is_named() {
        let path = |json: Json| refused(&json).0;
        assert_eq!(path(json!({"count": 300})), "count");
        assert_eq!(path(json!({"count": 3, "inner": {"speed": "fast"}})), "inner.speed");
        assert_eq!(path(json!({"inner": {"speed": 1, "spede": 2}})), "inner.spede");
        assert_eq!(path(json!({"list": [{"speed": 1}, {"speed": 2, "way": {"left": 1.5}}]})), "list[1].way.left");
        assert_eq!(path(json!({"list": [{"speed": 1}, {"speed": 2, "way": {"up": 1}}]})), "list[1].way.up");
        assert_eq!(path(json!({"list": {"a/b": 1}})), "list");
    }

    #[test]
    fn a_key_that_is_missing_is_told_of_the_object_that_lacks_it() {
        assert_eq!(
            refused(&json!({"list": [{"speed": 1}, {}]})),
            ("list[1]".to_owned(), "missing field `speed`".to_owned())
        );
    }

    #[test]
    fn what_is_wrong_as_a_whole_has_no_path() {
        assert_eq!(refused(&json!("text")).0, "");
    }

    #[test]
    fn what_is_right_is_read() {
        let outer: Outer = from_json(&json!({"count": 3, "list": [{"speed": 1.5}]})).unwrap();
        assert_eq!((outer.count, outer.list[0].speed), (3, 1.5));
    }
}
