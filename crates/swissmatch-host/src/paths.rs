//! Where paths lead, and words that name something.
//!
//! May not: change anything.

use std::path::{Component, Path, PathBuf};

use rustix::fs::{Access, access};

/// What a word of an agent may name: itself, what is after its first `=`, and each part of these where they are lists of paths (`a:b`,
/// `a;b`). Of `lib/*`, as class paths of Java have it, `lib`.
pub(crate) fn meanings(word: &str) -> impl Iterator<Item = &str> {
    let value = word.split_once('=').map(|(_, value)| value);
    let wholes = std::iter::once(word).chain(value);
    let names = wholes.flat_map(|whole| {
        let parts = whole.split(SEPARATORS).filter(|part| part.len() < whole.len());
        std::iter::once(whole).chain(parts)
    });
    names
        .map(|name| name.strip_suffix("/*").unwrap_or(name))
        .filter(|name| !name.is_empty())
}

/// Whether the way to a path leads to a place or through it, wherever links that are there lead then.
pub fn is_within(path: &Path, place: &Path) -> bool {
    let place = resolved(place);
    path.ancestors().any(|above| resolved(above).starts_with(&place))
}

/// Whether a path says where it leads without going up.
pub(crate) fn is_plain(path: &Path) -> bool {
    let is_down = |part| matches!(part, Component::RootDir | Component::Normal(_));
    path.components().all(is_down) && path.is_absolute()
}

/// Whether a program is there that can be started.
pub(crate) fn can_start(program: &Path) -> bool {
    program.is_file() && access(program, Access::EXEC_OK).is_ok()
}

/// What stands between the paths of a list, on whatever system.
pub(crate) const SEPARATORS: [char; 2] = [':', ';'];

/// A word in which each path that goes up by `..` is the whole path that it is `named` to be; all else stays as it is written.
pub(crate) fn without_way_up(word: &str, named: &impl Fn(&str) -> Option<String>) -> String {
    if !goes_up(word) {
        return word.to_owned();
    }
    if let Some(path) = named(word) {
        return path;
    }
    if let Some((flag, value)) = word.split_once('=') {
        return format!("{flag}={}", without_way_up(value, named));
    }
    let parts = word.split_inclusive(SEPARATORS).map(|part| {
        let name = part.trim_end_matches(SEPARATORS);
        match named(name).filter(|_| goes_up(name)) {
            Some(path) => path + &part[name.len()..],
            None => part.to_owned(),
        }
    });
    parts.collect()
}

/// Whether `..` is a part of a path.
pub(crate) fn goes_up(path: &str) -> bool {
    path.split(['/', '=', ':', ';']).any(|part| part == "..")
}

/// Makes a word the whole path that it is `named` to be, or what is after its `=`.
pub fn put_whole(word: &mut String, named: impl Fn(&str) -> Option<String>) {
    if let Some(path) = named(word) {
        *word = path;
    } else if let Some((flag, value)) = word.split_once('=')
        && let Some(path) = named(value)
    {
        *word = format!("{flag}={path}");
    }
}

/// Where a path leads: links and `..` are followed as far as something is there; the rest is taken as it is written.
pub fn resolved(path: &Path) -> PathBuf {
    let real = |above: &Path| {
        Some((
            std::fs::canonicalize(above).ok()?,
            path.strip_prefix(above).ok()?.to_path_buf(),
        ))
    };
    let Some((mut whole, rest)) = path.ancestors().find_map(real) else {
        return path.to_path_buf();
    };
    for part in rest.components() {
        match part {
            Component::ParentDir => drop(whole.pop()),
            part => whole.push(part),
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_name_paths_whole_after_their_flag_and_part_by_part() {
        let of = |word| meanings(word).collect::<Vec<_>>();
        assert_eq!(of("nets/a.bin"), ["nets/a.bin"]);
        assert_eq!(of("--net=a.bin"), ["--net=a.bin", "a.bin"]);
        assert_eq!(of("a:b"), ["a:b", "a", "b"]);
        assert_eq!(of("p=a;b"), ["p=a;b", "p=a", "b", "a;b", "a", "b"]);
        assert_eq!(of("a.jar:lib/*"), ["a.jar:lib", "a.jar", "lib"]);
        assert_eq!(of(""), [""; 0]);
    }

    #[test]
    fn only_what_goes_up_is_rewritten() {
        let named = |name: &str| {
            let is_there = ["../x", "y"].contains(&name);
            is_there.then(|| format!("/whole/{}", name.trim_start_matches("../")))
        };
        for (word, whole) in [
            ("uci", "uci"),
            ("nets/a.bin", "nets/a.bin"),
            ("a..b", "a..b"),
            ("../x", "/whole/x"),
            ("--net=../x", "--net=/whole/x"),
            ("../x:y;../gone", "/whole/x:y;../gone"),
            ("../gone", "../gone"),
        ] {
            assert_eq!(without_way_up(word, &named), whole);
        }
    }
}
