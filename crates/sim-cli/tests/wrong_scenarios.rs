//! Scenario files that are wrong, from the file to what stands on the screen.

mod common;

use common::{Place, objects};

#[test]
fn a_misspelt_key_is_drawn_with_a_mark_under_it() {
    let place = Place::new();
    place.write("mine.json", "{\n  \"name\": \"x\",\n  \"world\": \"mat\",\n  \"agents\": { \"cuont\": 20 }\n}\n");
    let wanted = "\
error: agents.cuont: unknown key; did you mean \"count\"?
 --> mine.json:4:15
  |
4 |   \"agents\": { \"cuont\": 20 }
  |               ^^^^^^^

";
    for command in ["run", "explain"] {
        let said = place.ends(&format!("{command} mine.json"), 2);
        assert_eq!((said.err.as_str(), said.out.as_str()), (wanted, ""));
    }
    let said = place.ends("check mine.json", 2);
    assert_eq!((said.err.as_str(), said.out.as_str()), (wanted, "wrong  mine.json: 1 error\n"));
    assert!(!place.path("out").exists());
}

#[test]
fn all_errors_of_a_file_are_drawn_at_once_in_its_order() {
    let place = Place::new();
    place.write(
        "mine.json",
        "{\n  \"name\": \"x\",\n  \"world\": \"mat\",\n  \"agents\": { \"count\": -3, \"drive\": \"wheels\" },\n  \"steps\": \"long\"\n}\n",
    );
    let said = place.ends("run mine.json", 2);
    let places: Vec<&str> = said.err.lines().filter_map(|line| line.trim().strip_prefix("--> mine.json:")).collect();
    assert_eq!(places, ["4:24", "4:37", "5:12"]);
    assert_eq!(said.err.matches("error: ").count(), 3);
}

#[test]
fn wrong_files_end_with_status_2_and_say_what_and_where() {
    let place = Place::new();
    let cases = [
        ("", "there is nothing here"),
        ("{", "never closed"),
        ("{\"name\": \"x\", \"world\": \"mat\",}", "a.json:1:29"),
        ("// mine\n{}", "JSON has no comments"),
        ("[]", "must be an object"),
        ("{\"world\": \"mat\"}", "name: is missing"),
        ("{\"name\": \"x\"}", "world: is missing"),
        ("{\"name\": \"../x\", \"world\": \"mat\"}", "name: "),
        ("{\"name\": \"x\", \"world\": \"moon\"}", "must be one of \"mat\", \"road\""),
        ("{\"name\": \"x\", \"world\": \"mat\", \"seed\": 1, \"seed\": 2}", "a.json:1:42"),
        ("{\"name\": \"x\", \"world\": \"mat\", \"steps\": 1e999}", "steps: "),
        ("{\"name\": \"x\", \"world\": \"mat\", \"feet\": {\"idle_s\": 5}}", "feet.idle_s: "),
        ("{\"name\": \"x\", \"world\": \"mat\", \"agents\": {\"drive\": \"diferential\"}}", "differential"),
        ("{\"name\": \"x\", \"world\": \"mat\", \"agents\": {\"count\": 300}}", "43 robots fit"),
        ("{\"name\": \"x\", \"world\": \"mat\", \"limits\": {\"v_max_mm_s\": 100}}", "limits.v_max_mm_s: "),
    ];
    for (text, words) in cases {
        place.write("a.json", text);
        let said = place.ends("run a.json --out a", 2);
        assert!(said.err.starts_with("error: ") && said.err.contains(words), "{text}: {}", said.err);
        assert!(said.out.is_empty() && !place.path("a").exists());
    }
}

#[test]
fn a_file_that_cannot_be_read_is_named() {
    let place = Place::new();
    let said = place.ends("run none.json", 2);
    assert!(said.err.starts_with("error: none.json: cannot be opened: "), "{}", said.err);
    std::fs::create_dir(place.path("folder.json")).unwrap();
    assert!(place.ends("run folder.json", 2).err.starts_with("error: folder.json: cannot be "));
    std::fs::write(place.path("latin.json"), b"{\"name\": \"\xe4\"}").unwrap();
    assert!(place.ends("run latin.json", 2).err.contains("0xE4 is not UTF-8"));
}

#[test]
fn json_has_one_object_for_each_error() {
    let place = Place::new();
    place.write("a.json", "{\n \"name\": \"x\", \"world\": \"mat\",\n \"agents\": {\"count\": -3, \"alhpa\": 1}\n}");
    let said = place.ends("run a.json --format json", 2);
    let errors = objects(&said.err);
    let facts: Vec<String> =
        errors.iter().map(|e| format!("{} {}:{} {}", e["kind"], e["line"], e["column"], e["path"])).collect();
    assert_eq!(facts, ["\"scenario\" 3:22 \"agents.count\"", "\"scenario\" 3:26 \"agents.alhpa\""]);
    assert_eq!((errors[0]["file"].as_str(), errors[0]["value"].as_str()), (Some("a.json"), Some("-3")));
    assert_eq!((errors[1]["suggestion"].as_str(), errors[1]["severity"].as_str()), (Some("alpha"), Some("error")));
    assert_eq!(said.out, "");
}

#[test]
fn check_looks_at_every_file_and_fails_if_one_is_wrong() {
    let place = Place::new();
    place.write("a.json", "{");
    let said = place.ends("check small.json a.json careless.json", 2);
    let verdicts: Vec<&str> = said.out.lines().map(|line| line.split(':').next().unwrap()).collect();
    assert_eq!(verdicts, ["ok     small.json", "wrong  a.json", "ok     careless.json"]);
    assert!(said.out.contains("small.json: nothing about distances: these settings were not measured"), "{}", said.out);
    assert!(said.err.contains("error: ") && said.err.contains("warning: safety.filter: "), "{}", said.err);
    place.ends("check small.json careless.json", 0);
}

#[test]
fn check_takes_overrides_and_speaks_json() {
    let place = Place::new();
    let said = place.ends("check small.json --set agents.count=300 --format json", 2);
    let verdict = said.result();
    assert_eq!((verdict["kind"].as_str(), verdict["ok"].as_bool()), (Some("check"), Some(false)));
    assert_eq!((verdict["file"].as_str(), verdict["errors"].as_u64()), (Some("small.json"), Some(1)));
    assert_eq!(objects(&said.err)[0]["path"], "agents.count");
    let verdict = place.ends("check small.json --set patches.count=10 --format json", 0).result();
    assert_eq!((verdict["ok"].as_bool(), verdict["promise"].as_str()), (Some(true), Some("measured")));
}
