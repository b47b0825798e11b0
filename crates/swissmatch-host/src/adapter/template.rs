//! The files of a language model's agent: its template, and those that it includes, which lie below its directory.
//!
//! May not: render.

use std::collections::{HashMap, VecDeque};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use swissmatch_adapter::prompt::{IncludedTemplate, Prompt, included};
use swissmatch_tournament::setup::LegalMoves;

use crate::files::open_plain;
use crate::paths::resolved;

/// Largest template, in bytes.
pub const LARGEST: u64 = 1 << 20;
/// Largest one of an entrant, in bytes.
pub const LARGEST_OF_ENTRANT: u64 = 64 << 10;
/// Most files of one agent, with those that it would include if they were there.
const MOST: usize = 100;

/// A template in a file, with those that lie below its directory.
///
/// # Errors
/// What is wrong with it.
pub fn read(file: &Path) -> Result<Prompt, String> {
    let file = resolved(file);
    let about = |why: String| format!("{}: {why}", file.display());
    let unread = |error| about(format!("the template cannot be read: {error}"));
    let opened = open_plain(&file).map_err(unread)?;
    if opened.metadata().map_err(unread)?.len() > LARGEST {
        return Err(about(format!("the template has more than {} MiB", LARGEST >> 20)));
    }
    let directory = directory_of(&file);
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let prompt = Prompt::new(&name, move |name| text_of(&directory, name));
    prompt.map_err(about)
}

/// The files of a template, itself first, then all that it includes, and what those include.
///
/// # Errors
/// When one cannot be read, is none, or includes what nobody can know before; the file is named.
pub fn files(template: &Path) -> Result<Vec<PathBuf>, String> {
    whole(template).map(|(files, _)| files)
}

/// Which legal moves it shows, with all that it includes.
///
/// # Errors
/// The same.
pub(crate) fn legal_moves(template: &Path) -> Result<LegalMoves, String> {
    whole(template).map(|(_, legal_moves)| legal_moves)
}

/// Each file is read once, however often it is named.
fn whole(template: &Path) -> Result<(Vec<PathBuf>, LegalMoves), String> {
    let file = resolved(template);
    let directory = directory_of(&file);
    let own_name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut legal_moves = read(template)?.legal_moves();
    let text = text_of(&directory, &own_name);
    let text = text.ok_or_else(|| format!("{}: the template cannot be read", file.display()))?;
    let mut found = vec![template.to_path_buf()];
    let mut known: HashMap<String, bool> = HashMap::from([(own_name, true)]);
    let mut waiting = VecDeque::from([(file, text)]);
    while let Some((path, text)) = waiting.pop_front() {
        let about = |why: &str| format!("{}: {why}", path.display());
        for IncludedTemplate { name, may_be_missing } in included(&text).map_err(|why| about(&why))? {
            let is_there = known.get(&name).copied();
            let read = if is_there.is_none() {
                text_of(&directory, &name)
            } else {
                None
            };
            let is_there = is_there.unwrap_or(read.is_some());
            if !is_there && !may_be_missing {
                return Err(about(&format!(
                    "it includes `{name}`, and below {} there is no such file of at most {} MiB",
                    directory.display(),
                    LARGEST >> 20
                )));
            }
            if let Some(text) = read {
                let shown = text.clone();
                let prompt = Prompt::new(&name, move |_| Some(shown.clone())).map_err(|why| about(&why))?;
                legal_moves = legal_moves.max(prompt.legal_moves());
                found.push(directory.join(&name));
                waiting.push_back((directory.join(&name), text));
            }
            known.insert(name, is_there);
            if known.len() > MOST {
                return Err(about(&format!("it includes more than {MOST} files")));
            }
        }
    }
    Ok((found, legal_moves))
}

fn directory_of(file: &Path) -> PathBuf {
    file.parent().unwrap_or(file).to_path_buf()
}

/// What is in a file below a directory, which is no larger than a template may be; a link may lead out.
fn text_of(directory: &Path, name: &str) -> Option<String> {
    let path = resolved(&directory.join(name));
    let mut text = String::new();
    let opened = path.starts_with(directory).then(|| open_plain(&path))?;
    opened.ok()?.take(LARGEST + 1).read_to_string(&mut text).ok()?;
    (text.len() as u64 <= LARGEST).then_some(text)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn a_template_has_all_that_it_includes_and_nothing_else() {
        let place = tempfile::tempdir().expect("a directory");
        let root = fs::canonicalize(place.path()).expect("it is there");
        let write = |name: &str, text: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().expect("a directory")).expect("it is made");
            fs::write(&path, text).expect("it is written");
            path
        };
        let main = write(
            "p/move.jinja",
            "{% include 'parts/a.jinja' %}{% include 'none' ignore missing %}{% include 'parts/a.jinja' %}",
        );
        let a = write(
            "p/parts/a.jinja",
            "{% from 'parts/b.jinja' import x %}{% include 'move.jinja' %}",
        );
        let b = write("p/parts/b.jinja", "{% macro x() %}{% endmacro %}");
        write("p/other.jinja", "");
        assert_eq!(files(&main), Ok(vec![main.clone(), a.clone(), b]));
        // By another name of it.
        std::os::unix::fs::symlink("p/move.jinja", root.join("link")).expect("a link");
        assert_eq!(files(&root.join("link")).map(|files| files[1].clone()), Ok(a));
    }

    #[test]
    fn a_template_shows_what_it_and_its_parts_name() {
        let place = tempfile::tempdir().expect("a directory");
        let root = fs::canonicalize(place.path()).expect("it is there");
        let (main, part) = (root.join("move.jinja"), root.join("part.jinja"));
        for (text, included, shown) in [
            ("{{ FEN }} {# legal_moves_uci #} legal_moves_uci", "", LegalMoves::None),
            ("e.g. {{ first_legal_move }}", "{{ board_utf }}", LegalMoves::One),
            ("{{ first_legal_move }}", "{{ legal_moves_san }}", LegalMoves::All),
            (
                "{% for uci in legal_moves_uci_list %}{{ uci }} {% endfor %}",
                "",
                LegalMoves::All,
            ),
            ("{% set all = legal_moves_uci %}{{ all }}", "", LegalMoves::All),
            ("{{ debug() }}", "", LegalMoves::All),
        ] {
            fs::write(&main, format!("{text}{{% include 'part.jinja' %}}")).expect("it is written");
            fs::write(&part, included).expect("it is written");
            assert_eq!(legal_moves(&main), Ok(shown), "{text} {included}");
        }
    }

    /// Each of them mentions all, thousands of times: reading each again for each would take days.
    #[test]
    fn a_file_is_read_once_however_often_it_is_named() {
        let place = tempfile::tempdir().expect("a directory");
        let root = fs::canonicalize(place.path()).expect("it is there");
        let all: String = (0..90).map(|number| format!("{{% include 'x{number}' %}}")).collect();
        for number in 0..90 {
            fs::write(root.join(format!("x{number}")), all.repeat(20)).expect("it is written");
        }
        let main = root.join("move.jinja");
        fs::write(&main, &all).expect("it is written");
        assert_eq!(files(&main).map(|files| files.len()), Ok(91));
        let more: String = (0..120)
            .map(|number| format!("{{% include 'y{number}' ignore missing %}}"))
            .collect();
        fs::write(&main, more).expect("it is written");
        let error = files(&main).expect_err("too many");
        assert!(error.contains("it includes more than 100 files"), "{error}");
    }

    #[test]
    fn what_nobody_can_know_or_read_is_refused_with_its_file() {
        let place = tempfile::tempdir().expect("a directory");
        let root = fs::canonicalize(place.path()).expect("it is there");
        fs::create_dir(root.join("p")).expect("it is made");
        fs::write(root.join("out.jinja"), "out").expect("it is written");
        fs::write(root.join("p/broken.jinja"), "{% if %}").expect("it is written");
        std::os::unix::fs::symlink("../out.jinja", root.join("p/link.jinja")).expect("a link");
        let main = root.join("p/move.jinja");
        for (text, why) in [
            ("{% include side %}", "line 1: the name after `include`"),
            ("{% include 'none' %}", "it includes `none`"),
            ("{% include '../out.jinja' %}", "it includes `../out.jinja`"),
            ("{% include 'link.jinja' %}", "it includes `link.jinja`"),
            ("{% include 'broken.jinja' %}", "broken.jinja"),
            ("{% if %}", "move.jinja"),
        ] {
            fs::write(&main, text).expect("it is written");
            let error = files(&main).expect_err("it is none");
            assert!(error.contains(why) && error.contains("move.jinja"), "{text}: {error}");
        }
        assert!(files(&root.join("p/gone.jinja")).is_err());
        let large = "x".repeat(1 + usize::try_from(LARGEST).expect("it is small"));
        fs::write(root.join("p/large.jinja"), large).expect("it is written");
        let error = files(&root.join("p/large.jinja")).expect_err("it is too large");
        assert!(error.ends_with("the template has more than 1 MiB"), "{error}");
        fs::write(&main, "{% include 'large.jinja' %}").expect("it is written");
        let error = files(&main).expect_err("what it includes is too large");
        assert!(error.contains("no such file of at most 1 MiB"), "{error}");
    }
}
