//! The programs of a league: found where they are, or built from a checkout and kept by commit.
//!
//! May not: decide what becomes of a night without one.

use std::path::{Path, PathBuf};

use crate::config::league::BuildKeys;
use crate::shell::checkout;
use crate::shell::files;
use crate::shell::store::sha256;
use crate::tournament::log::Agent;
use crate::tournament::setup::{PlayerKeys, Setup};

/// The directory of programs that were built, beside the league file.
pub const BUILDS: &str = "builds";
/// Digits of a hash that people see.
const SHOWN: usize = 8;
/// Digits of the hash of a commit in the name of its directory.
const OF_COMMIT: usize = 12;

/// A build whose program is there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// As an event file beside the league file names it.
    pub command: String,
    /// The commit of which it was built, in hexadecimal.
    pub commit: Option<String>,
    /// Whether it was built just now.
    pub is_new: bool,
}

impl Program {
    /// What people call it: the beginning of the commit; else that of the hash of its program.
    pub fn version(&self, sha256: &str) -> String {
        let hash = self.commit.as_deref().unwrap_or(sha256);
        hash.get(..SHOWN).unwrap_or(hash).to_owned()
    }
}

/// The program of a build; the league file is in `directory`. `tell` hears that a build begins, which may take its time.
///
/// # Errors
/// Why there is none, as a sentence.
pub fn program(build: &BuildKeys, directory: &Path, tell: &mut dyn FnMut(&str)) -> Result<Program, String> {
    match (&build.path, &build.checkout, &build.make) {
        (Some(path), _, _) => Ok(Program {
            command: path.clone(),
            commit: None,
            is_new: false,
        }),
        (None, Some(from), Some(make)) => from_checkout(build, (from, make), directory, tell),
        _ => Err("it is neither there nor made from a checkout".to_owned()),
    }
}

/// Built once for each commit and command.
fn from_checkout(
    build: &BuildKeys,
    (from, make): (&str, &str),
    directory: &Path,
    tell: &mut dyn FnMut(&str),
) -> Result<Program, String> {
    let from = directory.join(from);
    let revision = build.commit.as_deref().unwrap_or("HEAD");
    let commit = checkout::commit(&from, revision)
        .map_err(|why| format!("{} has no commit {revision}: {why}", from.display()))?;
    let of_command = &sha256(make.as_bytes())[..SHOWN];
    let place = Path::new(BUILDS).join(format!("{}-{of_command}", &commit[..OF_COMMIT]));
    let file = place.join(file_name(&build.name));
    let program = |is_new| Program {
        command: file.display().to_string(),
        commit: Some(commit.clone()),
        is_new,
    };
    let at = |file: &Path| directory.join(file);
    if at(&file).is_file() {
        return Ok(program(false));
    }
    files::make_directory(&at(&place)).map_err(|error| error.to_string())?;
    // Absolute, as the command runs elsewhere.
    let whole = std::fs::canonicalize(at(&place)).map_err(|error| error.to_string())?;
    tell(&format!("building {} of commit {}", build.name, &commit[..SHOWN]));
    let own = |name: &str| -> PathBuf { whole.join(format!("{name}.{}", std::process::id())) };
    let [tree, out, log] = [own("tree"), own("program"), whole.join("build.log")];
    let built = checkout::build(&from, &commit, make, [&tree, &out, &log]);
    if let Err(why) = built {
        let _ = files::remove(&out);
        return Err(format!(
            "commit {} was not built: {why} ({})",
            &commit[..SHOWN],
            log.display()
        ));
    }
    files::rename(&out, &at(&file)).map_err(|error| error.to_string())?;
    Ok(program(true))
}

/// What a build is: a hash of all that decides how it plays, whatever it is called and wherever it is.
pub fn identity(player: &PlayerKeys, setup: &Setup, agent: &Agent) -> String {
    let nobody = PlayerKeys::default();
    let neutral = PlayerKeys {
        name: nobody.name,
        command: nobody.command,
        rating: nobody.rating,
        ratings: nobody.ratings,
        submitted_at: nobody.submitted_at,
        team: nobody.team,
        author: nobody.author,
        ..player.clone()
    };
    let files: Vec<&str> = agent.files.iter().map(|file| file.sha256.as_str()).collect();
    let options = setup.options(player);
    let all = serde_json::to_string(&(files, neutral, options)).expect("plain data");
    sha256(all.as_bytes())
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
