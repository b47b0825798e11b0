//! Programs built from a git checkout by a command of its owner.
//!
//! The command runs in a clean tree of one commit, outside the checkout, which stays as it is. May not: choose the
//! commit.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use swiss_system::text::escaped;

use super::environment::without_secrets;
use super::files;

/// The number of a command's last lines that are repeated.
const LAST_LINES: usize = 5;
/// How many bytes of its output are looked at.
const LAST_BYTES: u64 = 4096;

/// The hashes of the commit that `revision` names and of up to `older` commits before it, newest first. Of a merge only
/// the branch that was merged into is followed.
///
/// # Errors
/// Git's message, if there is no such commit.
pub fn commits(checkout: &Path, revision: &str, older: u32) -> Result<Vec<String>, String> {
    let revision = format!("{revision}^{{commit}}");
    let most = format!("--max-count={}", older + 1);
    let mut git = git(checkout);
    git.args(["rev-list", "--first-parent", &most, "--end-of-options", &revision, "--"]);
    let output = git.output().map_err(|error| format!("git cannot be run: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let hashes: Vec<String> = said.lines().map(str::to_owned).collect();
    let is_hash = |said: &String| said.len() >= 40 && said.bytes().all(|byte| byte.is_ascii_hexdigit());
    match output.status.success() && !hashes.is_empty() && hashes.iter().all(is_hash) {
        true => Ok(hashes),
        false => Err(last_lines(&String::from_utf8_lossy(&output.stderr))),
    }
}

/// Builds a program: the shell runs `make` in a clean tree of the commit at `tree`, which must not exist yet, and
/// `make` has to put the program at `out`. Its output goes to `log`. The tree is removed afterwards.
///
/// # Errors
/// What went wrong, as a sentence with the last lines of output.
pub fn build(checkout: &Path, commit: &str, make: &str, [tree, out, log]: [&Path; 3]) -> Result<(), String> {
    let built = in_tree(checkout, commit, make, [tree, out, log]);
    // What remains of the tree does no harm.
    let _ = std::fs::remove_dir_all(tree);
    built
}

fn in_tree(checkout: &Path, commit: &str, make: &str, [tree, out, log]: [&Path; 3]) -> Result<(), String> {
    let failed = |error: std::io::Error| error.to_string();
    let mut said = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(true)
        .open(log)
        .map_err(|error| files::about(log, &error).to_string())?;
    let mut clone = git(Path::new("."));
    clone.args(["clone", "--quiet", "--shared", "--no-checkout", "--"]);
    run(clone.arg(checkout).arg(tree), &mut said, "git clone")?;
    let mut check_out = git(tree);
    check_out.args(["checkout", "--quiet", "--detach", commit]);
    run(&mut check_out, &mut said, "git checkout")?;
    let mut shell = Command::new("/bin/sh");
    without_secrets(&mut shell)
        .args(["-c", make])
        .current_dir(tree)
        .env("OUT", out);
    run(&mut shell, &mut said, "the command")?;
    let there = std::fs::metadata(out).ok().filter(std::fs::Metadata::is_file);
    match there.map(|there| there.permissions().mode() & 0o111 != 0) {
        Some(true) => files::sync(out).map_err(failed),
        Some(false) => Err("the command put a file at $OUT that is no program: it cannot be executed".to_owned()),
        None => Err("the command put no program at $OUT".to_owned()),
    }
}

/// Git at a place, with all prompts off.
fn git(at: &Path) -> Command {
    let mut git = Command::new("git");
    without_secrets(&mut git)
        .arg("-C")
        .arg(at)
        .env("GIT_TERMINAL_PROMPT", "0")
        .stdin(Stdio::null());
    git
}

fn run(command: &mut Command, said: &mut File, what: &str) -> Result<(), String> {
    let cannot = |error: std::io::Error| format!("{what} cannot be run: {error}");
    let before = said.stream_position().map_err(cannot)?;
    command.stdin(Stdio::null());
    command.stdout(said.try_clone().map_err(cannot)?);
    command.stderr(said.try_clone().map_err(cannot)?);
    let status = command.status().map_err(cannot)?;
    if status.success() {
        return said.seek(SeekFrom::End(0)).map(drop).map_err(cannot);
    }
    let end = said.seek(SeekFrom::End(0)).map_err(cannot)?;
    let from = end.saturating_sub(LAST_BYTES).max(before);
    said.seek(SeekFrom::Start(from)).map_err(cannot)?;
    let mut last = Vec::new();
    said.read_to_end(&mut last).map_err(cannot)?;
    let code = status
        .code()
        .map_or_else(|| status.to_string(), |code| format!("exit code {code}"));
    let last = last_lines(&String::from_utf8_lossy(&last));
    Err(match last.is_empty() {
        true => format!("{what} ended with {code}"),
        false => format!("{what} ended with {code}: {last}"),
    })
}

/// The last lines, made harmless and joined.
fn last_lines(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let last = lines.len().saturating_sub(LAST_LINES);
    escaped(lines[last..].join(" / ")).to_string()
}
