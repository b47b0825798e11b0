//! Which program a shim of pyenv would run, found by reading what it reads: the shim itself would do what a file in an entrant's
//! directory says.
//!
//! May not: run anything.

use std::ffi::OsStr;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use crate::files::open_plain;
use crate::launch::Launch;
use crate::paths::can_start;

/// Where shims lie, and where pyenv keeps its versions beside them.
pub(super) const SHIMS: &str = "shims";
const VERSIONS: &str = "versions";
/// What chooses the versions: a variable, a file of a directory, one beside the versions.
const VARIABLE: &str = "PYENV_VERSION";
const LOCAL: &str = ".python-version";
const GLOBAL: &str = "version";
/// The version that is none of pyenv's.
const SYSTEM: &str = "system";
/// Most bytes of a shim, or of a file with versions.
const MOST: u64 = 16 << 10;

/// The program that runs in the place of a shim of pyenv where `launch` works: any other program is itself, and so is a shim that
/// would run nothing. The directory of what was handed in chooses nothing.
pub(crate) fn followed(program: &Path, launch: &Launch, is_handed_in: bool) -> PathBuf {
    let found = || {
        let (root, name) = (root(program)?, program.file_name()?);
        let shims = root.join(SHIMS);
        let versions = chosen(&root, launch, is_handed_in)
            .into_iter()
            .chain([SYSTEM.to_owned()]);
        let mut programs = versions.filter_map(|version| match version.as_str() {
            SYSTEM => look_up(name, |place| *place != shims),
            version => Some(installed(&root, version)?.join("bin").join(name)),
        });
        programs.find(|program| program.is_file())
    };
    found().unwrap_or_else(|| program.to_path_buf())
}

/// pyenv's directory, of one of its shims.
pub(super) fn root(program: &Path) -> Option<PathBuf> {
    let shims = program.parent().filter(|above| above.ends_with(SHIMS))?;
    let is_pyenv = read(program).is_some_and(|text| text.contains("/pyenv\" exec "));
    let root = shims.parent().filter(|_| is_pyenv)?;
    root.join(VERSIONS).is_dir().then(|| root.to_path_buf())
}

/// The versions that are chosen, the first before the others.
fn chosen(root: &Path, launch: &Launch, is_handed_in: bool) -> Vec<String> {
    let of_agent = launch.environment.get(VARIABLE).cloned();
    let variable = of_agent.or_else(|| std::env::var_os(VARIABLE).filter(|text| !text.is_empty()));
    if let Some(text) = variable.as_deref().map(OsStr::to_string_lossy) {
        return text.split(':').map(str::to_owned).collect();
    }
    let directory = std::path::absolute(&launch.directory).unwrap_or_else(|_| launch.directory.clone());
    let local = directory
        .ancestors()
        .skip(usize::from(is_handed_in))
        .map(|above| above.join(LOCAL))
        .find(|file| file.is_file());
    let text = read(&local.unwrap_or_else(|| root.join(GLOBAL))).unwrap_or_default();
    let words = text.lines().filter_map(|line| line.split_whitespace().next());
    words.filter(|word| !word.starts_with('#')).map(str::to_owned).collect()
}

/// Where a version is, or the newest of those that it is the beginning of: `3.12` of `3.12.1`.
fn installed(root: &Path, version: &str) -> Option<PathBuf> {
    let versions = root.join(VERSIONS);
    let number = version.strip_prefix("python-").unwrap_or(version);
    // A name, and no way out of the versions.
    let is_name = |name: &str| {
        let mut parts = Path::new(name).components();
        matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None))
    };
    let mut named = [version, number].into_iter().filter(|name| is_name(name));
    if let Some(name) = named.find(|name| versions.join(name).is_dir()) {
        return Some(versions.join(name));
    }
    // Those without the global interpreter lock end with a t.
    let (begin, end) = match number.strip_suffix('t') {
        Some(begin) if begin.ends_with(|last: char| last.is_ascii_digit()) => (begin, "t"),
        _ => (number, ""),
    };
    let all = std::fs::read_dir(&versions).into_iter().flatten().flatten();
    let newer = all.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let rest = name.strip_prefix(begin)?.strip_suffix(end)?;
        let is_later = !begin.is_empty() && rest.starts_with(['.', '-']);
        let numbers = rest.split(['.', '-']).skip(1).map(|part| part.parse::<u64>().ok());
        let numbers: Vec<u64> = numbers.collect::<Option<_>>()?;
        is_later.then(|| (numbers, versions.join(&name)))
    });
    newer.max().map(|(_, path)| path)
}

/// A program of the runner's `PATH`, in one of the places that are taken.
pub(super) fn look_up(name: &OsStr, is_taken: impl Fn(&Path) -> bool) -> Option<PathBuf> {
    // A path is not looked up.
    let path = std::env::var_os("PATH").filter(|_| Path::new(name).file_name() == Some(name))?;
    let places = std::env::split_paths(&path).filter(|place| place.is_absolute() && is_taken(place));
    let mut programs = places.map(|place| place.join(name));
    programs.find(|program| can_start(program))
}

fn read(file: &Path) -> Option<String> {
    let mut text = Vec::new();
    open_plain(file).ok()?.take(MOST).read_to_end(&mut text).ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::ffi::OsString;
    use std::fs;

    use super::*;
    use crate::launch::ProcessLimits;
    use swissmatch_game::resource::Allowance;

    const SHIM: &str = "#!/usr/bin/env bash\nexec \"/x/.pyenv/libexec/pyenv\" exec \"$program\" \"$@\"\n";

    #[test]
    fn a_shim_of_pyenv_is_followed_by_what_it_reads() {
        let place = tempfile::tempdir().expect("a directory");
        let root = place.path().join(".pyenv");
        let agent = place.path().join("entries/agent");
        for directory in [root.join("shims"), agent.clone()] {
            fs::create_dir_all(directory).expect("a directory");
        }
        for version in ["3.9.2", "3.12.1", "3.12.10", "3.13.0rc1", "3.13.0t", "mine"] {
            fs::create_dir_all(root.join("versions").join(version).join("bin")).expect("a directory");
            fs::write(root.join("versions").join(version).join("bin/python3"), "").expect("a file");
        }
        fs::write(root.join("shims/python3"), SHIM).expect("a file");
        fs::write(root.join("shims/other"), "#!/bin/sh\nexec asdf exec other\n").expect("a file");
        let launch = |version: Option<&str>| Launch {
            program: PathBuf::new(),
            args: Vec::new(),
            directory: agent.clone(),
            environment: version
                .map(|version| (VARIABLE.to_owned(), OsString::from(version)))
                .into_iter()
                .collect::<BTreeMap<_, _>>(),
            limits: ProcessLimits::default(),
            allowance: Allowance::UNLIMITED,
            connect: Vec::new(),
            confinement: None,
            adapter: None,
        };
        let of = |version: Option<&str>| followed(&root.join("shims/python3"), &launch(version), false);
        let at = |version: &str| root.join("versions").join(version).join("bin/python3");
        for (version, leads_to) in [
            ("3.9.2", "3.9.2"),
            ("python-3.9.2", "3.9.2"),
            ("3.12", "3.12.10"),
            ("3.13t", "3.13.0t"),
            ("mine", "mine"),
            ("gone:3.9", "3.9.2"),
        ] {
            assert_eq!(of(Some(version)), at(leads_to), "{version}");
        }
        // What is none of its versions is the system's.
        for version in ["system", "3.13", "../../.pyenv/versions/mine", "..", ".", "", "3"] {
            let found = of(Some(version));
            assert_eq!(
                found.starts_with(place.path()),
                version == "3",
                "{version}: {}",
                found.display()
            );
        }
        fs::write(root.join("version"), "3.9.2\n").expect("a file");
        assert_eq!(of(None), at("3.9.2"));
        fs::write(
            place.path().join("entries/.python-version"),
            "# newest\n\n3.12.1 # or so\r\n",
        )
        .expect("a file");
        assert_eq!(of(None), at("3.12.1"));
        fs::write(agent.join(".python-version"), "mine\n").expect("a file");
        assert_eq!(of(None), at("mine"));
        let handed_in = followed(&root.join("shims/python3"), &launch(None), true);
        assert_eq!(handed_in, at("3.12.1"), "an archive chooses no version");
        let other = root.join("shims/other");
        assert_eq!(followed(&other, &launch(None), false), other, "it is no shim of pyenv");
    }
}
