//! The programs of a league: found where they are, or built from a checkout and kept by commit.
//!
//! May not: decide what becomes of a night without one.

use std::path::{Path, PathBuf};

use swissmatch_config::league::BuildKeys;
use swissmatch_game::wanted::WantedOptions;
use swissmatch_host::checkout;
use swissmatch_host::files;
use swissmatch_host::store::sha256;
use swissmatch_tournament::log::FileHash;
use swissmatch_tournament::setup::{PlayerKeys, Setup};

/// The directory of programs that were built, beside the league file.
pub const BUILDS: &str = "builds";
/// Where it is built, before the number of the process; no build is called so.
const TREE: &str = ".tree.";
/// What is built, before it is whole.
const UNFINISHED: &str = ".program.";
/// Digits of a hash that people see.
const SHOWN: usize = 8;
/// Digits of the hash of settings that people see.
const OF_SETTINGS: usize = 4;
/// Digits of the hash of a commit in the name of its directory.
const OF_COMMIT: usize = 12;

/// A build whose program is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// As an event file beside the league file names it.
    pub command: String,
    /// The commit of which it was built, in hexadecimal.
    pub commit: Option<String>,
    /// Why it is of an older commit than the one that is wanted, as a sentence.
    pub instead: Option<String>,
}

impl Program {
    /// What people call it: the beginning of the commit, else that of the hash of its program; behind a `+` that of the hash of its
    /// settings, if it has any.
    pub fn version(&self, program: &str, settings: &Settings) -> String {
        let hash = self.commit.as_deref().unwrap_or(program);
        let hash = hash.get(..SHOWN).unwrap_or(hash);
        match settings.are_default() {
            true => hash.to_owned(),
            false => format!("{hash}+{}", &sha256(settings.text().as_bytes())[..OF_SETTINGS]),
        }
    }
}

/// The program of a build; the league file is in `directory`. `tell` hears that a build begins, which may take its time.
///
/// # Errors
/// Why there is none, as a sentence.
pub fn program(build: &BuildKeys, directory: &Path, tell: &mut dyn FnMut(&str)) -> Result<Program, String> {
    match (&build.path, &build.checkout, &build.make) {
        (Some(path), _, _) => Ok(Program {
            command: here(path, directory),
            commit: None,
            instead: None,
        }),
        (None, Some(from), Some(make)) => from_checkout(build, (from, make), directory, tell),
        _ => Err("it is neither there nor made from a checkout".to_owned()),
    }
}

/// A path as it is; a name alone is that of the file beside the league file, where there is one.
fn here(path: &str, directory: &Path) -> String {
    let is_beside = !path.contains('/') && directory.join(path).is_file();
    if is_beside {
        format!("./{path}")
    } else {
        path.to_owned()
    }
}

/// Of the commit that is wanted; if it cannot be built, of one of those before it that may stand in.
fn from_checkout(
    build: &BuildKeys,
    (from, make): (&str, &str),
    directory: &Path,
    tell: &mut dyn FnMut(&str),
) -> Result<Program, String> {
    let from = directory.join(from);
    let revision = build.commit.as_deref().unwrap_or("HEAD");
    let commits = checkout::commits(&from, revision, build.fall_back.unwrap_or(0))
        .map_err(|why| format!("{} has no commit {revision}: {why}", from.display()))?;
    let mut failure = None;
    for commit in &commits {
        match (of_commit(build, (&from, commit, make), directory, tell), &failure) {
            (Ok(program), None) => return Ok(program),
            (Ok(program), Some(why)) => {
                let instead = format!("{why}; commit {} is taken instead", &commit[..SHOWN]);
                return Ok(Program {
                    instead: Some(instead),
                    ..program
                });
            }
            (Err(why), None) => failure = Some(why),
            (Err(_), Some(_)) => {}
        }
    }
    let older = match commits.len() - 1 {
        0 => String::new(),
        1 => ", nor was the one before it".to_owned(),
        older => format!(", nor were the {older} before it"),
    };
    Err(failure.unwrap_or_default() + &older)
}

/// Built once for each commit and command.
fn of_commit(
    build: &BuildKeys,
    (from, commit, make): (&Path, &str, &str),
    directory: &Path,
    tell: &mut dyn FnMut(&str),
) -> Result<Program, String> {
    let of_command = &sha256(make.as_bytes())[..SHOWN];
    let place = Path::new(BUILDS).join(format!("{}-{of_command}", &commit[..OF_COMMIT]));
    let file = place.join(file_name(&build.name));
    let program = || Program {
        command: file.display().to_string(),
        commit: Some(commit.to_owned()),
        instead: None,
    };
    let at = |file: &Path| directory.join(file);
    if at(&file).is_file() {
        return Ok(program());
    }
    files::make_directory(&at(&place)).map_err(|error| error.to_string())?;
    remove_abandoned(&at(&place));
    // Absolute, as the command runs elsewhere.
    let whole = std::fs::canonicalize(at(&place)).map_err(|error| error.to_string())?;
    tell(&format!("building {} of commit {}", build.name, &commit[..SHOWN]));
    let own = |name: &str| -> PathBuf { whole.join(format!("{name}{}", std::process::id())) };
    let [tree, out, log] = [own(TREE), own(UNFINISHED), whole.join("build.log")];
    let built = checkout::build(from, commit, make, [&tree, &out, &log]);
    if let Err(why) = built {
        let _ = files::remove(&out);
        return Err(format!(
            "commit {} was not built: {why} ({})",
            &commit[..SHOWN],
            log.display()
        ));
    }
    files::rename(&out, &at(&file)).map_err(|error| error.to_string())?;
    Ok(program())
}

/// Removes what a process left that was killed while it built here.
fn remove_abandoned(place: &Path) {
    let entries = std::fs::read_dir(place).into_iter().flatten().flatten();
    for entry in entries {
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        let process = [TREE, UNFINISHED].iter().find_map(|start| name.strip_prefix(start));
        if process.is_some_and(|process| !Path::new("/proc").join(process).exists()) {
            // One that cannot be removed is in the way of nobody.
            let _ = match name.starts_with(TREE) {
                true => std::fs::remove_dir_all(entry.path()),
                false => files::remove(&entry.path()),
            };
        }
    }
}

/// All that decides how a program plays: its own keys without what it is called, and its options.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    player: PlayerKeys,
    options: WantedOptions,
}

impl Settings {
    /// Of a player of an event.
    pub fn of(player: &PlayerKeys, setup: &Setup) -> Self {
        let nobody = PlayerKeys::default();
        Self {
            player: PlayerKeys {
                name: nobody.name,
                command: nobody.command,
                rating: nobody.rating,
                ratings: nobody.ratings,
                submitted_at: nobody.submitted_at,
                team: nobody.team,
                author: nobody.author,
                ladder: nobody.ladder,
                ..player.clone()
            },
            options: setup.options(player),
        }
    }

    fn are_default(&self) -> bool {
        self.options == WantedOptions::default() && self.player == PlayerKeys::default()
    }

    pub(crate) fn text(&self) -> String {
        serde_json::to_string(&(&self.player, &self.options)).expect("plain data")
    }

    /// What a build is with them: a hash of all that decides how it plays, whatever it is called and wherever it is.
    pub fn identity(&self, files: &[FileHash]) -> String {
        let files: Vec<&str> = files.iter().map(|file| file.sha256.as_str()).collect();
        let all = serde_json::to_string(&(files, &self.player, &self.options)).expect("plain data");
        sha256(all.as_bytes())
    }
}

/// The name of a build as that of a file.
fn file_name(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._+-".contains(c);
    let plain: String = name.chars().map(|c| if is_plain(c) { c } else { '_' }).collect();
    match plain.trim_start_matches('.') {
        "" => "build".to_owned(),
        name => name.to_owned(),
    }
}
