//! What `league init` writes for the CI of others, and the action that it uses: by their schemas, and their steps run for real in a
//! clean checkout, with a release that is made of the built programs and fetched by its checksum.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::Duration;

use rustix::process::Signal;

use crate::death::{Background, games_in_log, send, until};
use crate::support::{Place, engine, root, swissmatch};
use crate::tape;

const PATIENCE: Duration = Duration::from_secs(120);

/// A program of the environment that `make test-tools` makes.
fn tool(name: &str) -> Command {
    let path = root().join("target/workflow-tools/bin").join(name);
    assert!(path.exists(), "{} is missing: make test-tools", path.display());
    Command::new(path)
}

fn sha256(file: &Path) -> String {
    let output = Command::new("sha256sum").arg(file).output().expect("sha256sum");
    let text = String::from_utf8(output.stdout).expect("a text");
    text.split(' ').next().expect("a hash").to_owned()
}

/// An engine's repository at `rook/`, an archive of this program, and what a host keeps between jobs.
struct Site {
    place: Place,
    sha256: String,
}

impl Site {
    /// Its engine is a script that its Makefile puts in place, and its league was written by `league init`, here for short games.
    fn new() -> Self {
        let place = Place::new();
        for dir in ["rook", "state", "release"] {
            std::fs::create_dir(place.path(dir)).expect("a directory");
        }
        // As a release has it; only not made small.
        std::fs::copy(swissmatch(), place.path("release/swissmatch")).expect("a copy");
        let archive = place.path("release.tar");
        let mut tar = Command::new("tar");
        tar.arg("-cf").arg(&archive).arg("-C");
        let made = tar.arg(place.path("release")).arg(".").status().expect("tar");
        assert!(made.success());
        let sha256 = sha256(&archive);
        let site = Self { place, sha256 };
        site.git(&["init", "--quiet", "--initial-branch=main"]);
        site.place
            .write("rook/Makefile", "rook: rook.sh\n\tcp rook.sh rook\n\tchmod 755 rook\n");
        site.init(&[]);
        let file = "rook/league/LEAGUE.toml";
        let text = site.place.read(file);
        let short = text
            .replace("games = 100", "games = 4")
            .replace("\"8+0.08\"", "\"nodes=300\"\nmax_moves = 40");
        assert_ne!(text, short);
        // What a build must be kept from is asked for; here it is by hand.
        let required = "isolation_require = [\"files\", \"network\"]\n";
        assert!(short.contains(required), "{short}");
        site.place
            .write(file, &short.replace(required, "isolation = \"off\"\n"));
        site
    }

    fn init(&self, more: &[&str]) -> Output {
        let mut command = Command::new(swissmatch());
        command.args(["league", "init", "--layout", "make", "--github"]);
        command.args(["--sha256", &self.sha256]).args(more);
        let output = command.current_dir(self.place.path("rook")).output().expect("it runs");
        tape::call("league init", &output);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output
    }

    fn git(&self, args: &[&str]) {
        let mut git = Command::new("git");
        git.args(["-c", "user.name=Author", "-c", "user.email=author@example.org"]);
        git.args(["-c", "commit.gpgsign=false"]).args(args);
        let output = git.current_dir(self.place.path("rook")).output();
        let output = output.expect("git is installed: make test-tools");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }

    /// Commits an engine that is this command.
    fn commit(&self, command: &str) {
        self.place
            .write("rook/rook.sh", &format!("#!/bin/sh\nexec {command}\n"));
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--allow-empty", "-m", command]);
    }

    fn archive(&self) -> String {
        format!("file://{}", self.place.path("release.tar").display())
    }

    /// A job in a clean checkout.
    fn job(&self, words: &[&str]) -> Command {
        let checkout = self.place.path("checkout");
        if checkout.exists() {
            std::fs::remove_dir_all(&checkout).expect("it is ours");
        }
        let mut clone = Command::new("git");
        clone.args(["clone", "--quiet", "rook", "checkout"]);
        let cloned = clone.current_dir(self.place.path("")).status().expect("git");
        assert!(cloned.success());
        let mut job = tool("python");
        job.arg(root().join("tests/programs/workflows/steps.py")).args(words);
        job.current_dir(checkout).env("TMPDIR", self.place.path(""));
        for name in ["GITHUB_STEP_SUMMARY", "RUNNER_ENVIRONMENT", "CI_SHARED_ENVIRONMENT"] {
            job.env_remove(name);
        }
        job
    }

    /// The job of a workflow that `league init` wrote.
    fn github(&self, workflow: &str, inputs: &[&str]) -> Command {
        let workflow = format!(".github/workflows/swissmatch-{workflow}.yml");
        let action = root().join("action.yml").display().to_string();
        let state = self.place.path("state").display().to_string();
        let url = format!("url={}", self.archive());
        self.job(&[&[workflow.as_str(), &action, &state, &url], inputs].concat())
    }

    /// The only directory in another one.
    fn only(&self, dir: &str) -> PathBuf {
        let found = std::fs::read_dir(self.place.path(dir)).unwrap_or_else(|error| panic!("{dir}: {error}"));
        let found: Vec<PathBuf> = found.flatten().map(|entry| entry.path()).collect();
        assert_eq!(found.len(), 1, "{found:?}");
        found[0].clone()
    }
}

/// What a job says on both streams.
#[track_caller]
fn said(job: &mut Command, code: i32) -> String {
    let output = job.output().expect("it runs");
    let [out, err] = [&output.stdout, &output.stderr].map(|text| String::from_utf8_lossy(text).into_owned());
    assert_eq!(output.status.code(), Some(code), "{out}\n{err}");
    out + &err
}

fn is_as_its_schema_says(schema: &str, file: &Path) -> bool {
    let mut check = tool("check-jsonschema");
    check.args(["--builtin-schema", &format!("vendor.{schema}")]);
    let output = check.arg(file).output().expect("it runs");
    println!("{}", String::from_utf8_lossy(&output.stdout));
    output.status.success()
}

#[test]
fn they_are_as_their_schemas_say() {
    let site = Site::new();
    let written = |name: &str| site.place.path(&format!("rook/{name}"));
    let own = |name: &str| root().join(name);
    for (schema, file) in [
        ("github-actions", own("action.yml")),
        ("github-workflows", own(".github/workflows/gate.yml")),
        ("github-workflows", own(".github/workflows/league.yml")),
        ("github-workflows", own("configs/deploy/github-actions.yml")),
        ("github-workflows", written(".github/workflows/swissmatch-gate.yml")),
        ("github-workflows", written(".github/workflows/swissmatch-league.yml")),
    ] {
        assert!(is_as_its_schema_says(schema, &file), "{}", file.display());
        // The check is one: a word that is wrong is found.
        let text = std::fs::read_to_string(&file).expect("it is there");
        let wrong = text
            .replace("\n    runs-on:", "\n    run-on:")
            .replace("\n  using:", "\n  use:");
        assert_ne!(text, wrong, "{}", file.display());
        let wrong = site.place.write("wrong.yml", &wrong);
        assert!(!is_as_its_schema_says(schema, &wrong), "{}", file.display());
    }
}

/// Actions of others are pinned by the hash of a commit, and no checkout leaves a token behind; no script has an expression in it.
#[test]
fn they_trust_nobody_without_need() {
    let site = Site::new();
    let own = [
        "action.yml",
        ".github/workflows/gate.yml",
        ".github/workflows/league.yml",
        "configs/deploy/github-actions.yml",
    ]
    .map(|name| root().join(name));
    let written = ["gate", "league"].map(|name| {
        site.place
            .path(&format!("rook/.github/workflows/swissmatch-{name}.yml"))
    });
    let mut count = 0;
    for file in own.into_iter().chain(written) {
        let text = std::fs::read_to_string(&file).expect("it is there");
        for line in text.lines().filter(|line| line.contains("uses: actions/")) {
            let (_, version) = line.split_once('@').expect("a version");
            let hash = version.split(' ').next().expect("a word");
            assert!(
                hash.len() == 40 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()),
                "{}: {line}",
                file.display()
            );
            count += 1;
        }
        let checkouts = text.matches("uses: actions/checkout@").count();
        let closed = text.matches("persist-credentials: false").count();
        assert_eq!(checkouts, closed, "{}", file.display());
        assert!(
            file.ends_with("action.yml") || text.contains("\npermissions:\n  contents: read\n"),
            "{}",
            file.display()
        );
    }
    assert!(count >= 13, "{count} actions");
}

/// A night: the run is kept, a page is published; the next job of the day has an unchanged league, and plays nothing.
#[test]
fn a_night_on_github_and_an_unchanged_one() {
    let site = Site::new();
    site.commit(&engine("alphabeta"));
    site.commit(&format!("{} ", engine("alphabeta")));
    let first = said(&mut site.github("league", &[]), 0);
    assert!(first.contains("building main of commit"), "{first}");
    let [run, page, index] = [
        "state/artifacts/swissmatch-league/run.sqlite",
        "state/pages/site/league.json",
        "state/pages/site/index.html",
    ]
    .map(|file| site.place.path(file).is_file());
    assert!(run && page && index, "{run} {page} {index}");
    let verified = site.place.swissmatch(&["verify", "state/artifacts/swissmatch-league"]);
    verified.expect_code(0);
    let second = said(&mut site.github("league", &[]), 0);
    assert!(
        second.contains("is over; nothing is played") && !second.contains("building"),
        "{second}"
    );
}

/// A regression of a pull request is 1, a crash 3, a line of a sanitizer 3, a build that is broken 3.
#[test]
fn a_gate_on_github() {
    let site = Site::new();
    let agent = engine("fault-agent");
    site.commit(&engine("alphabeta"));
    site.commit(&engine("random-mover"));
    let text = said(&mut site.github("gate", &[]), 1);
    assert!(text.contains("gate failed"), "{text}");
    let cache = site.only("state/cache");
    assert!(cache.join("league/results").is_dir(), "{}", cache.display());
    // By the workflow that is used as it is: the same builds, of which nothing is played again.
    let whole = root().join(".github/workflows/gate.yml").display().to_string();
    let [action, state] = [root().join("action.yml"), site.place.path("state")].map(|path| path.display().to_string());
    let [url, pin] = [format!("url={}", site.archive()), format!("sha256={}", site.sha256)];
    let inputs = ["repository=OWNER/swissmatch", "version=0.1.0", &url, &pin];
    let words = [&[whole.as_str(), &action, &state], &inputs[..]].concat();
    let text = said(&mut site.job(&words), 1);
    assert!(text.contains("gate failed") && !text.contains("building"), "{text}");
    // Who changes the league file, too, is judged by the one from before: by their own both builds would be the same.
    let file = "rook/league/LEAGUE.toml";
    let before = site.place.read(file);
    let lenient = before.replace("commit = \"HEAD\"", "commit = \"HEAD^\"");
    assert_ne!(lenient, before);
    site.git(&["reset", "--quiet", "--hard", "HEAD^"]);
    site.place.write(file, &lenient);
    site.commit(&engine("random-mover"));
    let text = said(&mut site.github("gate", &[]), 1);
    assert!(text.contains("gate failed"), "{text}");
    site.git(&["reset", "--quiet", "--hard", "HEAD^"]);
    site.commit(&format!("{agent} --fault exit --at 4"));
    let text = said(&mut site.github("gate", &[]), 3);
    assert!(text.contains("::error title="), "{text}");
    assert!(site.place.path("state/artifacts/swissmatch-gate/junit.xml").is_file());
    site.commit(&format!("{agent} --fault alarm --at 4"));
    let text = said(&mut site.github("gate", &[]), 3);
    assert!(text.contains("gave an alarm"), "{text}");
    site.place
        .write("rook/Makefile", "rook:\n\techo no rule for a rook; false\n");
    site.commit(&engine("alphabeta"));
    let text = said(&mut site.github("gate", &[]), 3);
    assert!(text.contains("no rule for a rook"), "{text}");
}

/// A job that is cancelled ends with 130 and stores its games; the next one goes on with them.
#[test]
fn a_job_that_is_cancelled_is_gone_on_with() {
    let site = Site::new();
    let file = "rook/league/LEAGUE.toml";
    let many = site.place.read(file).replace("games = 4", "games = 40");
    site.place.write(file, &many);
    let slow = format!("{} --fault sleep --ms 5", engine("fault-agent"));
    site.commit(&slow);
    site.commit(&format!("{slow} "));
    let mut job = Background::start_by(&site.place, site.github("league", &[]));
    let nights = site.place.path("checkout/league/nights");
    let run = until("a run", PATIENCE, || {
        let found = std::fs::read_dir(&nights).ok()?.flatten().next()?;
        Some(format!(
            "checkout/league/nights/{}",
            found.file_name().to_string_lossy()
        ))
    });
    until("a game", PATIENCE, || {
        (games_in_log(&site.place, &run) > 1).then_some(())
    });
    send(job.guard(), Signal::INT);
    let ended = job.end(PATIENCE);
    assert_eq!(ended.code(), Some(130), "{}", site.place.read("complained"));
    let stored = games_in_log(&site.place, &run);
    assert!((2..40).contains(&stored), "{stored} games");
    let name = run.rsplit('/').next().expect("a name").to_owned();
    let text = said(&mut site.github("league", &[]), 0);
    let dir = site.only("checkout/league/nights");
    assert!(dir.ends_with(&name), "{} is not {name}\n{text}", dir.display());
    assert_eq!(games_in_log(&site.place, &run), 40);
    assert!(!text.contains("building"), "{text}");
}

/// Nothing is installed that is not the release that is pinned, anywhere.
#[test]
fn another_archive_is_refused() {
    let site = Site::new();
    site.commit(&engine("alphabeta"));
    site.commit(&engine("greedy"));
    let other = "0".repeat(64);
    let pins = [(other.as_str(), 1, "FAILED"), ("", 4, "is missing")];
    for (pin, code, what) in pins {
        let text = said(&mut site.github("gate", &[&format!("sha256={pin}")]), code);
        assert!(text.contains(what) && !text.contains("building"), "{text}");
    }
}

/// A file that is there is left, and then nothing is written; the owner of the files may give them up.
#[test]
fn nothing_is_overwritten() {
    let site = Site::new();
    let workflow = "rook/.github/workflows/swissmatch-gate.yml";
    site.place.write(workflow, "mine\n");
    std::fs::remove_file(site.place.path("rook/league/LEAGUE.toml")).expect("it is ours");
    let mut init = Command::new(swissmatch());
    init.args(["league", "init", "--layout", "cargo", "--github"]);
    let text = said(init.current_dir(site.place.path("rook")), 4);
    assert!(
        text.contains(
            "there already: league/.gitignore, .github/workflows/swissmatch-gate.yml, .github/workflows/swissmatch-league.yml\n\
             Nothing was written."
        ),
        "{text}"
    );
    assert!(!site.place.path("rook/league/LEAGUE.toml").exists());
    site.init(&["--force"]);
    assert_ne!(site.place.read(workflow), "mine\n");
    assert!(
        site.place
            .read("rook/league/LEAGUE.toml")
            .contains("checkout = \"..\"\n")
    );
    let nowhere = Place::new();
    let refused = nowhere.swissmatch(&["league", "init", "--layout", "make"]);
    refused.expect_code(4);
    assert!(
        refused.stderr().contains("is in no checkout of git"),
        "{}",
        refused.stderr()
    );
}
