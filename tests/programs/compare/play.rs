//! Plays of the corpus: each whole-program test and each part of the corpus in a process of its own, taped in a folder of its own.

use std::collections::VecDeque;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

use serde_json::Value;
use swissmatch::shell::store::sha256;

use crate::corpus;

/// Tests whose course is chance, as their subject is: no two plays of one build are alike.
const CHANCE: [&str; 4] = ["endurance::", "injected::", "kill::", "power::"];
/// How many are played at once.
const AT_ONCE: usize = 3;

/// The plays of one old build and the new one.
pub(crate) struct Plays {
    /// What is kept of this old build.
    home: PathBuf,
    root: PathBuf,
    /// The binary of the whole-program tests.
    tests: PathBuf,
}

impl Plays {
    /// The agents that played with the old build before play with both builds, as some hashes are made of them.
    pub(crate) fn new(root: &Path, old: &Path) -> Self {
        let program = fs::read(old).unwrap_or_else(|error| panic!("{}: {error}", old.display()));
        let home = root.join("target/compare").join(&sha256(&program)[..12]);
        let built = root.join("target/debug");
        fs::create_dir_all(home.join("programs")).expect("a folder");
        for file in fs::read_dir(&built).expect("programs").flatten() {
            let to = home.join("programs").join(file.file_name());
            if file.path().is_file() && file.path().extension().is_none() && !to.exists() {
                fs::copy(file.path(), to).expect("a copy");
            }
        }
        let examples = home.join("programs/examples");
        let _ = fs::remove_file(&examples);
        std::os::unix::fs::symlink(built.join("examples"), examples).expect("a link");
        for (name, from) in [("old", old), ("new", &built.join("swissmatch"))] {
            fs::create_dir_all(home.join(name)).expect("a folder");
            fs::copy(from, home.join(name).join("swissmatch")).expect("a copy");
        }
        let tests = test_binary(root);
        let root = root.to_owned();
        Self { home, root, tests }
    }

    /// The old program and the new one.
    pub(crate) fn programs(&self) -> [PathBuf; 2] {
        ["old", "new"].map(|name| self.home.join(name).join("swissmatch"))
    }

    /// The tests and parts that have one of these words in their names; all where there is none.
    pub(crate) fn names(&self, only: &[String]) -> Vec<String> {
        let list = |more: &[&str]| {
            let output = Command::new(&self.tests)
                .args(["--list", "--format", "terse"])
                .args(more)
                .output();
            let text = String::from_utf8(output.expect("a list").stdout).expect("UTF-8");
            let names = text.lines().filter_map(|line| line.strip_suffix(": test"));
            names.map(str::to_owned).collect::<Vec<_>>()
        };
        let ignored = list(&["--ignored"]);
        let mut names: Vec<String> = corpus::PARTS.iter().map(|(name, _)| (*name).to_owned()).collect();
        names.extend(list(&[]).into_iter().filter(|name| !ignored.contains(name)));
        names.retain(|name| only.is_empty() || only.iter().any(|word| name.contains(word.as_str())));
        names.retain(|name| !CHANCE.iter().any(|chance| name.starts_with(chance)));
        names
    }

    /// A tape of a build, `old` or `new`; of the old one what was played before is not played again.
    pub(crate) fn tape(&self, which: &str, at: usize, names: &[String]) -> PathBuf {
        let [old, new] = self.programs();
        let tape = self.home.join(format!("{which}-{at}"));
        if which == "new" {
            names.iter().for_each(|name| drop(fs::remove_dir_all(tape.join(name))));
            self.play(&new, &old, &tape, names);
        } else {
            self.play(&old, &old, &tape, names);
        }
        tape
    }

    fn play(&self, program: &Path, other: &Path, tape: &Path, names: &[String]) {
        fs::create_dir_all(tape).expect("a folder");
        let compared = self.home.join("programs/swissmatch");
        let _ = fs::remove_file(&compared);
        fs::copy(program, &compared).expect("a copy");
        let left: VecDeque<&String> = names.iter().filter(|name| !tape.join(name).exists()).collect();
        eprintln!("{}: {} to play", tape.display(), left.len());
        let left = Mutex::new(left);
        std::thread::scope(|scope| {
            for _ in 0..AT_ONCE {
                scope.spawn(|| {
                    while let Some(name) = { left.lock().expect("no panic").pop_front() } {
                        // Both builds know the same path of it.
                        let playing = self.home.join("playing").join(name);
                        let _ = fs::remove_dir_all(&playing);
                        fs::create_dir_all(&playing).expect("a folder");
                        match corpus::PARTS.iter().find(|(part, _)| part == name) {
                            Some((_, part)) => part(&corpus::Part {
                                root: &self.root,
                                program: &compared,
                                other,
                                tape: &playing,
                            }),
                            None => self.test(&compared, name, &playing),
                        }
                        fs::rename(&playing, tape.join(name)).expect("a tape");
                    }
                });
            }
        });
    }

    fn test(&self, compared: &Path, name: &str, tape: &Path) {
        let file = |name| fs::File::create(tape.join(name)).expect("a file");
        let mut test = Command::new(&self.tests);
        test.args(["--exact", name, "--nocapture"])
            .current_dir(&self.root)
            .stdin(Stdio::null());
        test.env("SWISSMATCH_COMPARED", compared).env("SWISSMATCH_TAPE", tape);
        let said = file("said");
        test.stderr(said.try_clone().expect("a file")).stdout(said);
        if !test.status().expect("the tests start").success() {
            file("failed");
        }
    }
}

fn test_binary(root: &Path) -> PathBuf {
    let mut cargo = Command::new("cargo");
    cargo.args(["test", "--test", "whole", "--no-run", "--message-format", "json"]);
    let output = cargo
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .expect("cargo starts");
    let messages = String::from_utf8(output.stdout).expect("UTF-8");
    let built = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let mut built = built.filter(|message| message["target"]["name"] == "whole");
    let found = built.find_map(|message| message["executable"].as_str().map(PathBuf::from));
    found.expect("the whole-program tests are built")
}
