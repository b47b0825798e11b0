//! What of a list of entrants is taken over: strangers wrote its rows, and a row names nothing but what is in its own directory.
//!
//! May not: know how a list is written, or start anything.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use swiss_system::text::escaped;
use swissmatch_config::{ConfigError, Entrant};
use swissmatch_game::wanted::WantedOptions;
use swissmatch_host::host::agent::names;
use swissmatch_host::paths::resolved;
use swissmatch_tournament::setup::PlayerKeys;

use super::error::RunError;
use super::event_file::{directory_of, whole};
use super::own_directory::from;

/// What a row may have without anybody's trust, and whether it may name files. Any other key needs trust, one that is new too.
const OF_AN_ENTRANT: [(&str, bool); 12] = [
    ("name", false),
    ("command", true),
    ("args", true),
    ("move_command", true),
    ("keep_alive", false),
    ("says_ready", false),
    ("prompt", true),
    ("options", true),
    ("dir", true),
    ("author", false),
    ("team", false),
    ("contact", false),
];

/// How far the rows of a list are trusted.
#[derive(Debug)]
pub struct Trust<'a> {
    /// The list, in messages.
    label: &'a str,
    /// Keys whose values are taken as they are in all rows, by their names.
    keys: &'a [String],
    /// Where each entrant has a directory, as it was given and resolved.
    below: Option<(&'a Path, PathBuf)>,
    /// The directory of the event file.
    event: PathBuf,
}

impl<'a> Trust<'a> {
    /// Trust in these `keys` of the list `label`, whose entrants have a directory each below `below`; `event` is the event file.
    ///
    /// # Errors
    /// When a directory cannot be found.
    pub fn new(label: &'a str, keys: &'a [String], below: Option<&'a Path>, event: &Path) -> Result<Self, RunError> {
        let below = below.map(|below| whole(below).map(|real| (below, real)));
        Ok(Self {
            label,
            keys,
            below: below.transpose()?,
            event: directory_of(event)?,
        })
    }

    /// Looks at every row, and gives those without `dir` the directory of their name. What is taken over on trust is told, a line for
    /// each value.
    ///
    /// # Errors
    /// Everything that would be taken over without trust; the same key of several rows once.
    pub fn judge(&self, entrants: &mut [Entrant]) -> Result<Vec<String>, Vec<ConfigError>> {
        let (mut trusted, mut errors) = (Vec::new(), Vec::new());
        let mut refused = BTreeSet::new();
        for (index, entrant) in entrants.iter_mut().enumerate() {
            let row = EntrantRow { trust: self, index };
            for (key, value) in entrant.given() {
                if self.is_trusted(key) {
                    let line = entrant.place(key).line;
                    let told = format!("{}:{line}: {}: trusted: {key} = {value}", self.label, row.name(entrant));
                    trusted.push(escaped(&told));
                } else if !self.is_looked_at(key) && refused.insert(key) {
                    errors.push(row.error(entrant, key, "it is taken from a list only on trust".to_owned(), ""));
                }
            }
            if self.below.is_some() {
                errors.extend(row.keep_below(entrant));
            }
        }
        errors.sort_by_key(|error| error.place.map(|place| (place.line, place.column)));
        if errors.is_empty() { Ok(trusted) } else { Err(errors) }
    }

    /// That no entrant has the directory of another one, or of one of the `players` of the event.
    ///
    /// # Errors
    /// Every entrant that does.
    pub fn are_apart<'b>(
        &self,
        entrants: &[Entrant],
        players: impl IntoIterator<Item = &'b PlayerKeys>,
    ) -> Result<(), Vec<ConfigError>> {
        let mut owners: BTreeMap<PathBuf, Vec<&str>> = BTreeMap::new();
        for player in players {
            if let Some(root) = player.dir.as_ref().and_then(|dir| self.root(&self.event.join(dir))) {
                owners.entry(root).or_default().push(&player.name);
            }
        }
        let looked_at = entrants.iter().enumerate().filter(|_| !self.is_trusted("dir"));
        let errors = looked_at.filter_map(|(index, entrant)| {
            let root = self.root(&self.event.join(entrant.player.dir.as_ref()?))?;
            let other = owners.get(&root)?.iter().find(|name| **name != entrant.player.name)?;
            let message = format!("{} is the directory of \"{other}\", too", self.shown(&root));
            Some(EntrantRow { trust: self, index }.error(entrant, "dir", message, "give each entrant its own"))
        });
        let errors: Vec<ConfigError> = errors.collect();
        if errors.is_empty() { Ok(()) } else { Err(errors) }
    }

    fn is_trusted(&self, key: &str) -> bool {
        self.keys.iter().any(|trusted| trusted == key)
    }

    /// Whether a key can do no harm, or none after it was looked at.
    fn is_looked_at(&self, key: &str) -> bool {
        let known = OF_AN_ENTRANT.iter().find(|(known, _)| *known == key);
        known.is_some_and(|(_, names_files)| !names_files || self.below.is_some())
    }

    /// The directory of the entrant to whom a path belongs.
    fn root(&self, path: &Path) -> Option<PathBuf> {
        let (_, below) = self.below.as_ref()?;
        let path = resolved(path);
        match path.strip_prefix(below).ok()?.components().next()? {
            Component::Normal(entrant) => Some(below.join(entrant)),
            _ => None,
        }
    }

    /// A path below the directory of all, as that was given.
    fn shown(&self, path: &Path) -> String {
        let shown = self
            .below
            .as_ref()
            .and_then(|(given, below)| Some(given.join(path.strip_prefix(below).ok()?)));
        shown.as_deref().unwrap_or(path).display().to_string()
    }
}

/// A row of a list.
#[derive(Clone, Copy)]
struct EntrantRow<'a> {
    trust: &'a Trust<'a>,
    index: usize,
}

impl EntrantRow<'_> {
    fn name(self, entrant: &Entrant) -> String {
        format!("entry {} (\"{}\")", self.index + 1, entrant.player.name)
    }

    /// That a key is not taken over, which `instead` or trust mends.
    fn error(self, entrant: &Entrant, key: &str, message: String, instead: &str) -> ConfigError {
        let may_be_below = OF_AN_ENTRANT
            .iter()
            .any(|(known, names_files)| *known == key && *names_files);
        let instead = match instead {
            "" if may_be_below => "add --below DIR, where each entrant has a directory, or ",
            "" => "",
            instead => &format!("{instead}, or "),
        };
        ConfigError {
            file: self.trust.label.to_owned(),
            place: Some(entrant.place(key)),
            key: format!("player.{key}"),
            message: format!("{}: {message}", self.name(entrant)),
            help: Some(format!("{instead}look at it in every row and add --trust {key}")),
        }
    }

    /// Gives the entrant its directory; what it names elsewhere, the first of each key.
    fn keep_below(self, entrant: &mut Entrant) -> Vec<ConfigError> {
        let trust = self.trust;
        let root = match self.own_directory(entrant) {
            Ok(root) => root,
            Err(error) => return vec![error],
        };
        let player = &entrant.player;
        let works_in = trust.event.join(player.dir.as_deref().unwrap_or_default());
        let (options, none) = (WantedOptions::new(&player.options, &BTreeMap::new()), BTreeMap::new());
        let no_options = WantedOptions::default();
        // A model or a web service has none.
        let command = std::iter::once(player.command.as_str()).filter(|command| !command.is_empty());
        let (program, args) = match player.is_asked() {
            true => ("move_command", "move_command"),
            false => ("command", "args"),
        };
        let prompt = player.model_keys.prompt.iter().map(String::as_str);
        let named: [(&str, &Path, Vec<&str>); 4] = [
            (program, &trust.event, command.collect()),
            (args, &works_in, names(&player.args, &no_options, &none).collect()),
            ("options", &works_in, names(&[], &options, &none).collect()),
            ("prompt", &trust.event, prompt.collect()),
        ];
        let untrusted = named.into_iter().filter(|(key, ..)| !trust.is_trusted(key));
        let errors = untrusted.filter_map(|(key, from, words)| {
            let is_program = |word: &str| key == program && word == player.command;
            let is_looked_up = |word: &str| is_program(word) && !word.contains('/');
            let is_elsewhere = |word: &&str| is_looked_up(word) || leads_out(&from.join(word), &root);
            let word = words.into_iter().find(is_elsewhere)?;
            let what = if is_looked_up(word) {
                "is looked up, and not in"
            } else {
                "leads out of"
            };
            let message = format!("\"{word}\" {what} {}", trust.shown(&root));
            let help = match is_program(word) {
                true => "give the path of a program there, relative to the event file",
                false => "name only what is there",
            };
            Some(self.error(entrant, key, message, help))
        });
        errors.collect()
    }

    /// The directory of an entrant, which is the one of its `dir`, or of its name where it has none; that is then its `dir`.
    fn own_directory(self, entrant: &mut Entrant) -> Result<PathBuf, ConfigError> {
        let trust = self.trust;
        let (given, below) = trust.below.as_ref().expect("it is looked at only then");
        let Some(dir) = entrant.player.dir.clone() else {
            let path = below.join(&entrant.player.name);
            let root = trust.root(&path).filter(|_| path.is_dir());
            let Some(root) = root.filter(|_| path.parent() == Some(below)) else {
                let message = format!("there is no directory of this name in {}", given.display());
                let error = self.error(entrant, "name", message, "");
                let help = Some("make it, or give dir".to_owned());
                return Err(ConfigError { help, ..error });
            };
            entrant.player.dir = Some(from(&trust.event, &root));
            return Ok(root);
        };
        let path = trust.event.join(&dir);
        if trust.is_trusted("dir") {
            return Ok(resolved(&path));
        }
        let root = trust.root(&path).filter(|root| !leads_out(&path, root));
        root.ok_or_else(|| {
            let message = format!("\"{dir}\" is not a directory of its own in {}", given.display());
            self.error(entrant, "dir", message, "give one that is, relative to the event file")
        })
    }
}

/// Whether a path leads out of a directory, or may do so once a file is made elsewhere.
fn leads_out(path: &Path, root: &Path) -> bool {
    let plain = resolved(path);
    let may_lead_anywhere = |above: &Path| above.is_symlink() && !above.exists();
    let is_open = path.ancestors().chain(plain.ancestors()).any(may_lead_anywhere);
    // What is behind a directory that is not there may be a link, too.
    is_open || !resolved(&plain).starts_with(root)
}
