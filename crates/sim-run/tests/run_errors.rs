//! Runs that go wrong on the way: a full disk.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(clippy::print_stdout, reason = "a child process says what happened to it, a skipped test says why")]

use sim_run::{Control, run_one};
use test_runs::{key, model, temporary, traced};

const SMALL: &str = r#""steps": 1300, "agents": {"count": 5}, "patches": {"count": 3}"#;

#[cfg(unix)]
mod full_disk {
    use super::*;
    use std::fs;
    use std::path::Path;
    use std::process::{Command, Output};
    use test_runs::{json, table};

    const FOLDER: &str = "SIM_RUN_TEST_FULL_DISK";

    /// The run that the other tests start in a process of its own, where it may run out of room.
    #[test]
    #[ignore = "only as the child of the tests below"]
    fn child() {
        let Ok(folder) = std::env::var(FOLDER) else { return };
        let error =
            run_one(&model(SMALL), key(0), &traced(SMALL, Path::new(&folder), 1), &Control::none()).unwrap_err();
        assert!(!error.is_input());
        println!("MESSAGE {error}");
    }

    /// Runs the child with `limit` put before it in the shell.
    fn run_child(limit: &str, folder: &Path) -> Output {
        let script = format!(r#"{limit} exec "$0" --ignored --exact full_disk::child --nocapture"#);
        let program = std::env::current_exe().unwrap();
        Command::new("sh").arg("-c").arg(script).arg(program).env(FOLDER, folder).output().unwrap()
    }

    fn message(output: &Output) -> String {
        let text = String::from_utf8_lossy(&output.stdout);
        let line = text.lines().find_map(|line| line.split_once("MESSAGE ").map(|(_, message)| message.to_owned()));
        line.unwrap_or_else(|| panic!("{text}\n{}", String::from_utf8_lossy(&output.stderr)))
    }

    /// Whole lines, and the same ones that a run with enough room writes.
    fn check_rows(partial: &Path, whole: &Path) -> u64 {
        let (part, all) = (fs::read_to_string(partial).unwrap(), fs::read_to_string(whole).unwrap());
        assert!(part.ends_with('\n') && all.starts_with(&part), "{}", partial.display());
        assert!(part.len() < all.len());
        part.lines().last().unwrap().split(',').next().unwrap().parse().unwrap_or(0)
    }

    #[test]
    fn a_table_that_reaches_the_size_limit_keeps_its_whole_rows() {
        let (_root, out) = temporary();
        let (_other, whole) = temporary();
        run_one(&model(SMALL), key(0), &traced(SMALL, &whole, 1), &Control::none()).unwrap();
        // A limit on the size of files (in blocks of 512 or 1024 bytes, by shell) is met in the middle of a row.
        let said = message(&run_child("trap '' XFSZ; ulimit -f 200;", &out));
        assert!(said.starts_with(&format!("could not write {}", out.join("agents.csv.partial").display())), "{said}");
        assert!(said.contains(&format!("is kept in {}, marked as not complete", out.display())), "{said}");
        let last_agent_step = check_rows(&out.join("agents.csv.partial"), &whole.join("agents.csv"));
        let last_foot_step = check_rows(&out.join("feet.csv.partial"), &whole.join("feet.csv"));
        assert!(last_agent_step > 50, "{last_agent_step}");
        // The other tables had room: they have all rows up to the step that failed.
        let run = json(&out.join("run.json"));
        assert_eq!(run["complete"], false);
        assert!(run["reason"].as_str().unwrap().starts_with("could not write"));
        assert_eq!(run["steps_done"].as_u64().unwrap(), last_foot_step);
        assert!(table(&out.join("feet.csv.partial")).1.len() as u64 == last_foot_step + 1);
        assert!(!out.join("summary.csv").exists());
    }

    /// A small file system of its own, which only root may make.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_disk_that_is_full_leaves_a_readable_unfinished_run() {
        struct Mounted<'a>(&'a Path);
        impl Drop for Mounted<'_> {
            fn drop(&mut self) {
                let _ = Command::new("umount").arg(self.0).status();
            }
        }
        let disk = tempfile::tempdir().unwrap();
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", "size=200k", "tmpfs"]).arg(disk.path()).output();
        if !mount.is_ok_and(|output| output.status.success()) {
            println!("skipped: no right to mount a small disk here");
            return;
        }
        let _mounted = Mounted(disk.path());
        let (_other, whole) = temporary();
        run_one(&model(SMALL), key(0), &traced(SMALL, &whole, 1), &Control::none()).unwrap();
        let out = disk.path().join("run");
        let said = message(&run_child("", &out));
        assert!(said.starts_with("could not write") && said.contains("No space left"), "{said}");
        check_rows(&out.join("agents.csv.partial"), &whole.join("agents.csv"));
        check_rows(&out.join("feet.csv.partial"), &whole.join("feet.csv"));
        assert_eq!(json(&out.join("run.json"))["complete"], false);
        assert!(!out.join("run.json.partial").exists() && !out.join("summary.csv").exists());
    }
}
