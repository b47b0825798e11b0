//! `swissmatch league init`: a league file to start from, and what runs it in the CI of others.
//!
//! May not: know what a league plays, or overwrite a file that nobody gave up.

use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

use anyhow::anyhow;
use clap::{Args, ValueEnum};

use crate::cli::exit::{Exit, Failure};
use crate::cli::screen;
use swissmatch_host::files;

const LEAGUE: &str = include_str!("init/LEAGUE.toml");
const IGNORED: &str = include_str!("init/gitignore");
const GATE: &str = include_str!("init/gate.yml");
const NIGHT: &str = include_str!("init/league.yml");
/// Digits of a SHA-256 in hexadecimal.
const SHA256: usize = 64;

/// How the repository of an engine is laid out: what builds it, and where its program is then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Layout {
    /// `cargo build --release`; the program is target/release/ENGINE
    Cargo,
    /// `make`; the program is ENGINE beside the Makefile
    Make,
    /// `cmake`; the program is ENGINE in the directory of the build
    Cmake,
    /// `meson`; the program is ENGINE in the directory of the build
    Meson,
    /// Nothing is built: programs that are there
    Path,
}

impl Layout {
    /// The command that builds it; `None`: nothing is built.
    fn make(self, engine: &str) -> Option<String> {
        match self {
            Self::Cargo => Some(format!("cargo build --release && cp target/release/{engine} $OUT")),
            Self::Make => Some(format!("make && cp {engine} $OUT")),
            Self::Cmake => Some(format!(
                "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build --parallel && cp build/{engine} $OUT"
            )),
            Self::Meson => Some(format!(
                "meson setup build --buildtype=release && meson compile -C build && cp build/{engine} $OUT"
            )),
            Self::Path => None,
        }
    }
}

/// Write a league file to start from, and the workflows that run it
///
/// Writes DIR/LEAGUE.toml for a repository of this layout: the commit that is checked out against
/// the one before it. --github writes the workflows that run it, with the version of swissmatch
/// pinned by its tag and by the SHA-256 of its archive:
///
///   swissmatch league init --layout cargo --github
///   swissmatch league init tests/league --layout make --engine rook --github
///
/// A file that is there is left as it is, and then nothing is written at all.
///
/// Exit codes: 0 written, 4 wrong usage, or a file is there, 5 the machine failed.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct LeagueInitArgs {
    /// The directory of the league
    #[arg(value_name = "DIR", default_value = "league")]
    dir: PathBuf,
    /// What builds the engine
    #[arg(long, value_name = "LAYOUT", value_enum)]
    layout: Layout,
    /// The name of its program (default: that of the repository's directory)
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Write workflows for GitHub: a gate for pull requests, and a nightly league with its page
    #[arg(long)]
    github: bool,
    /// Where swissmatch is on GitHub
    #[arg(long, value_name = "OWNER/NAME", default_value = "OWNER/swissmatch", value_parser = repository)]
    repository: String,
    /// The SHA-256 of the archive of this version; without it, it has to be written into the files
    #[arg(long, value_name = "HASH", value_parser = hash)]
    sha256: Option<String>,
    /// Overwrite files that are there
    #[arg(long)]
    force: bool,
}

/// Whether a text can stand in a path, in a word of the shell, in TOML and in YAML as it is.
fn is_plain(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    !text.is_empty() && !text.starts_with('-') && text.chars().all(is_plain)
}

fn repository(text: &str) -> Result<String, String> {
    match text.split_once('/') {
        Some((owner, name)) if is_plain(owner) && is_plain(name) => Ok(text.to_owned()),
        _ => Err("write OWNER/NAME".to_owned()),
    }
}

fn hash(text: &str) -> Result<String, String> {
    match text.len() == SHA256 && text.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        true => Ok(text.to_ascii_lowercase()),
        false => Err("a SHA-256 has 64 hexadecimal digits".to_owned()),
    }
}

impl LeagueInitArgs {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let place = LeaguePaths::of(&self.dir)?;
        let written = self.files(&place)?;
        let there: Vec<String> = written
            .iter()
            .filter(|(path, _)| path.symlink_metadata().is_ok())
            .map(|(path, _)| place.shown(path))
            .collect();
        if !there.is_empty() && !self.force {
            return Err(Failure::usage(anyhow!(
                "there already: {}\nNothing was written. --force overwrites what is there.",
                there.join(", ")
            )));
        }
        let mut done: Vec<&Path> = Vec::new();
        for (path, text) in &written {
            if let Err(error) = write(path, text, self.force) {
                // All or nothing; what was overwritten was given up.
                for path in done.iter().filter(|_| !self.force) {
                    let _ = files::remove(path);
                }
                return Err(match error.kind() {
                    ErrorKind::AlreadyExists => Failure::usage(anyhow!("{} is there already", path.display())),
                    _ => Failure::machine(anyhow!("{}: {error}", path.display())),
                });
            }
            done.push(path);
        }
        done.iter()
            .for_each(|path| screen::say(&format!("wrote {}", place.shown(path))));
        screen::say(&self.next());
        Ok(Exit::Done)
    }

    /// Every file with its text, the league file first.
    fn files(&self, place: &LeaguePaths) -> Result<Vec<(PathBuf, String)>, Failure> {
        let root = match (&place.root, self.github || self.layout != Layout::Path) {
            (None, true) => {
                return Err(Failure::usage(anyhow!(
                    "{} is in no checkout of git; make one by `git init`",
                    self.dir.display()
                )));
            }
            (root, _) => root.as_deref(),
        };
        let engine = self.name_of_engine(root)?;
        // Where the league is in the checkout, and where that is for the league.
        let inside = root
            .and_then(|root| place.dir.strip_prefix(root).ok())
            .unwrap_or(Path::new(""));
        let words: Vec<String> = inside.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        if self.github && !words.iter().all(|word| is_plain(word)) {
            return Err(Failure::usage(anyhow!(
                "{}: a directory that a workflow names has a name of letters, digits and . _ + - alone",
                inside.display()
            )));
        }
        let up = vec![".."; words.len()].join("/");
        let up = if up.is_empty() { "." } else { &up };
        let [dir, file] = match words.is_empty() {
            true => [".".to_owned(), "LEAGUE.toml".to_owned()],
            false => [words.join("/"), format!("{}/LEAGUE.toml", words.join("/"))],
        };
        let builds = self.builds(&engine, up);
        let sha256 = self.sha256.as_deref().unwrap_or_default();
        let filled = |text: &str| {
            [
                ("@VERSION@", env!("CARGO_PKG_VERSION")),
                ("@REPOSITORY@", self.repository.as_str()),
                ("@SHA256@", sha256),
                ("@LEAGUE@", file.as_str()),
                ("@DIR@", dir.as_str()),
                ("@ENGINE@", engine.as_str()),
                ("@BUILDS@\n", builds.as_str()),
            ]
            .iter()
            .fold(text.to_owned(), |text, (mark, value)| text.replace(mark, value))
        };
        let mut all = vec![
            (place.dir.join("LEAGUE.toml"), filled(LEAGUE)),
            (place.dir.join(".gitignore"), filled(IGNORED)),
        ];
        if let Some(root) = root.filter(|_| self.github) {
            let workflows = root.join(".github/workflows");
            all.push((workflows.join("swissmatch-gate.yml"), filled(GATE)));
            all.push((workflows.join("swissmatch-league.yml"), filled(NIGHT)));
        }
        Ok(all)
    }

    fn name_of_engine(&self, root: Option<&Path>) -> Result<String, Failure> {
        let name = match &self.engine {
            Some(name) => Some(name.clone()),
            None => root
                .and_then(Path::file_name)
                .map(|name| name.to_string_lossy().into_owned()),
        };
        let name = name.unwrap_or_else(|| "engine".to_owned());
        match is_plain(&name) {
            true => Ok(name),
            false => Err(Failure::usage(anyhow!(
                "--engine {name}: the name of a program, of letters, digits and . _ + - alone; where it is not at the usual place, change \
                 `make` in the league file"
            ))),
        }
    }

    /// The two builds of the league file.
    fn builds(&self, engine: &str, up: &str) -> String {
        let Some(make) = self.layout.make(engine) else {
            return format!(
                "[[build]]\nname = \"main\"\nmain = true                 # it meets all others\npath = \"./{engine}\"\n\n\
                 [[build]]\nname = \"before\"\npath = \"./{engine}-before\"\n\n"
            );
        };
        let mut text =
            String::from("# Each commit is built once, in a clean tree. The command puts the program at $OUT.\n");
        for (name, more, commit) in [
            (
                "main",
                "main = true                 # it meets all others\n",
                "commit = \"HEAD\"\n",
            ),
            (
                "before",
                "",
                "commit = \"HEAD^\"\nfall_back = 20              # if it cannot be built, the one before it, and so on\n",
            ),
        ] {
            let _ = write!(
                text,
                "[[build]]\nname = \"{name}\"\n{more}checkout = \"{up}\"\n{commit}make = \"{make}\"\n\n"
            );
        }
        text
    }

    /// What is to be done next.
    fn next(&self) -> String {
        let file = self.dir.join("LEAGUE.toml");
        let mut lines = vec![format!(
            "Look through {0}, then play: swissmatch league run {0}",
            file.display()
        )];
        if self.github && self.sha256.is_none() {
            lines.push(format!(
                "Write the SHA-256 of the archive of swissmatch {} where the files leave it empty; without it they install nothing.",
                env!("CARGO_PKG_VERSION")
            ));
        }
        if self.github && self.repository.starts_with("OWNER/") {
            lines.push("Write the owner of the repository of swissmatch in place of OWNER.".to_owned());
        }
        if self.github {
            lines.push("The page of the league needs Settings, Pages, Source: GitHub Actions.".to_owned());
        }
        lines.join("\n")
    }
}

fn write(path: &Path, text: &str, force: bool) -> std::io::Result<()> {
    if let Some(parent) = path.parent() {
        files::make_directory(parent)?;
    }
    match force {
        true => files::write_whole(path, text),
        false => files::write_new(path, text),
    }
}

/// Where a league will be.
struct LeaguePaths {
    /// Its directory, absolute and without links; it need not be there yet.
    dir: PathBuf,
    /// The checkout of git that holds it.
    root: Option<PathBuf>,
    /// Where the user is.
    here: PathBuf,
}

impl LeaguePaths {
    fn of(dir: &Path) -> Result<Self, Failure> {
        let here = std::fs::canonicalize(".").map_err(Failure::machine)?;
        let whole = here.join(dir);
        let there = whole.ancestors().find(|path| path.exists()).unwrap_or(Path::new("/"));
        let rest = whole.strip_prefix(there).unwrap_or(Path::new(""));
        if rest.components().any(|part| !matches!(part, Component::Normal(_))) {
            return Err(Failure::usage(anyhow!(
                "{} leads through a directory that is not there",
                dir.display()
            )));
        }
        let there = std::fs::canonicalize(there).map_err(Failure::machine)?;
        if !there.is_dir() {
            return Err(Failure::usage(anyhow!("{} is a file", there.display())));
        }
        let dir = match rest.as_os_str().is_empty() {
            true => there,
            false => there.join(rest),
        };
        let root = dir.ancestors().find(|path| path.join(".git").exists());
        Ok(Self {
            root: root.map(Path::to_path_buf),
            here,
            dir,
        })
    }

    /// A path as the user sees it.
    fn shown(&self, path: &Path) -> String {
        path.strip_prefix(&self.here).unwrap_or(path).display().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use swissmatch_config::league::load_league;

    fn init(layout: Layout) -> LeagueInitArgs {
        LeagueInitArgs {
            dir: PathBuf::from("league"),
            layout,
            engine: Some("rook".to_owned()),
            github: true,
            repository: "OWNER/swissmatch".to_owned(),
            sha256: None,
            force: false,
        }
    }

    fn place(dir: &str) -> LeaguePaths {
        LeaguePaths {
            dir: PathBuf::from(dir),
            root: Some(PathBuf::from("/engines/rook")),
            here: PathBuf::from("/engines/rook"),
        }
    }

    #[test]
    fn every_layout_makes_a_league_file_that_is_read() {
        for layout in Layout::value_variants() {
            let files = init(*layout).files(&place("/engines/rook/tests/league"));
            let files = files.map_err(|failure| failure.error).expect("files");
            let (path, text) = &files[0];
            let league = load_league(path, text).unwrap_or_else(|error| panic!("{layout:?}: {error}\n{text}"));
            assert_eq!(league.builds.len(), 2, "{layout:?}");
            assert!(league.builds[0].main && !league.builds[1].main, "{layout:?}");
            let checkout = (*layout != Layout::Path).then(|| "../..".to_owned());
            assert_eq!(league.builds[0].checkout, checkout, "{layout:?}");
            let (_, loaded) = league
                .event("a night", &[(0, "greedy".to_owned()), (1, "greedy".to_owned())])
                .unwrap_or_else(|error| panic!("{layout:?}: {error}"));
            assert_eq!(loaded.setup.players.len(), 2);
            for (path, text) in &files {
                let marks = [
                    "@VERSION@",
                    "@REPOSITORY@",
                    "@SHA256@",
                    "@LEAGUE@",
                    "@DIR@",
                    "@ENGINE@",
                    "@BUILDS@",
                ];
                assert!(
                    marks.iter().all(|mark| !text.contains(mark)),
                    "{}:\n{text}",
                    path.display()
                );
            }
            let all: String = files.iter().map(|(_, text)| text.as_str()).collect();
            assert!(all.contains("league: 'tests/league/LEAGUE.toml'"), "{all}");
        }
    }

    #[test]
    fn the_checkout_is_found_from_the_league() {
        for (dir, checkout) in [("", "."), ("/league", ".."), ("/a/b/c", "../../..")] {
            let dir = format!("/engines/rook{dir}");
            let files = init(Layout::Make).files(&place(&dir)).map_err(|failure| failure.error);
            let text = &files.expect("files")[0].1;
            assert!(text.contains(&format!("checkout = \"{checkout}\"\n")), "{dir}: {text}");
        }
    }

    #[test]
    fn what_a_workflow_could_not_name_is_refused() {
        assert!(init(Layout::Make).files(&place("/engines/rook/a league")).is_err());
        let odd = LeagueInitArgs {
            engine: Some("rook; rm".to_owned()),
            ..init(Layout::Make)
        };
        assert!(odd.files(&place("/engines/rook/league")).is_err());
        assert!(repository("swissmatch").is_err() && repository("a/b c").is_err() && repository("a/b").is_ok());
        assert!(hash("12").is_err() && hash(&"A".repeat(64)).is_ok_and(|hash| hash == "a".repeat(64)));
    }
}
