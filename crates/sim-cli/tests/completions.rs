//! Completions as each shell makes them out of its script. A shell that is not installed is skipped.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on may panic")]
#![allow(clippy::print_stderr, reason = "a skipped check says so")]

mod common;

use common::Place;
use std::process::{Command, Stdio};

/// Calls the function that the script registers, as bash does after TAB at the end of the words.
const BASH: &str = r#"
source "$1"; shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
[[ $(complete -p sim-cli) =~ -F\ ([^ ]+) ]]
"${BASH_REMATCH[1]}" sim-cli "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
"#;

/// Types into an interactive shell, presses TAB, and prints what the command got.
const ZSH: &str = r#"
zmodload zsh/zpty
zpty -b shell zsh -f -i
zpty -w shell 'PS1=; fpath=('$1' $fpath); autoload -U compinit; compinit -u -D; sim-cli() { print -r -- got "$@" }'
zpty -w -n shell $'sim-cli run --trace-e\t 7 --no-tr\t\n'
zpty -w -n shell $'sim-cli swe\t --shar\t 1/2\n'
zpty -w -n shell $'sim-cli check --format js\t\n'
zpty -w shell exit
for n in {1..600}; do
    while zpty -r -t shell out; do all+=$out; done
    [[ $all == *'got check'* ]] && break
    sleep 0.05
done
print -r -- $all
"#;

/// What a shell prints that runs `script`; none if it is not installed.
fn printed(shell: &str, script: &str, words: &[&str]) -> Option<String> {
    let mut command = Command::new(shell);
    let is_fish = shell == "fish";
    command.args(["-c", script]).args((!is_fish).then_some(shell)).args(words).stdin(Stdio::null());
    let Ok(output) = command.output() else {
        eprintln!("skipped: {shell} is not installed");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

/// A place with the script of a shell, and the path of that.
fn with_script(shell: &str, file: &str) -> (Place, String) {
    let place = Place::new();
    place.write(file, &place.ends(&format!("completions {shell}"), 0).out);
    let path = place.path(file).display().to_string();
    (place, path)
}

/// What is typed, and all that it is completed to.
const CASES: [(&str, &[&str]); 6] = [
    ("sim-cli scen", &["scenarios"]),
    ("sim-cli run --tr", &["--trace-every"]),
    ("sim-cli sweep --sh", &["--shard"]),
    ("sim-cli check --se", &["--set"]),
    ("sim-cli replay --format j", &["json"]),
    ("sim-cli render --theme ", &["dark", "light"]),
];

#[test]
fn bash_completes_commands_flags_and_values() {
    let (_place, script) = with_script("bash", "sim-cli.bash");
    for (typed, wanted) in CASES {
        let words: Vec<&str> = std::iter::once(script.as_str()).chain(typed.split(' ')).collect();
        let Some(printed) = printed("bash", BASH, &words) else { return };
        assert_eq!(printed.lines().collect::<Vec<_>>(), wanted, "{typed}");
    }
}

#[test]
fn fish_completes_commands_flags_and_values() {
    let (_place, script) = with_script("fish", "sim-cli.fish");
    for (typed, wanted) in CASES {
        let Some(printed) = printed("fish", &format!("source {script}; complete -C '{typed}'"), &[]) else { return };
        let found: Vec<&str> = printed.lines().filter_map(|line| line.split('\t').next()).collect();
        assert_eq!(found, wanted, "{typed}");
    }
}

#[test]
fn zsh_completes_commands_flags_and_values() {
    let (place, _) = with_script("zsh", "_sim-cli");
    let Some(printed) = printed("zsh", ZSH, &[place.path("").to_str().unwrap()]) else { return };
    let got: Vec<&str> = printed.lines().filter_map(|line| line.trim_end().strip_prefix("got ")).collect();
    assert_eq!(got, ["run --trace-every 7 --no-trace", "sweep --shard 1/2", "check --format json"], "{printed}");
}
