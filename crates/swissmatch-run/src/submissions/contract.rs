//! What each contract asks of an archive, and how what is in it is started.
//!
//! May not: start it.

use std::io;
use std::path::{Path, PathBuf};

use swiss_system::text::escaped;

use super::shown::PathAliases;
use super::store::Store;
use crate::event_file::EventFile;
use crate::own_directory::from;
use swissmatch_host::adapter::template::LARGEST_OF_ENTRANT;
use swissmatch_host::files;
use swissmatch_host::run_dir::RUNNERS;
use swissmatch_host::store::sha256;
use swissmatch_host::zipped::Member;
use swissmatch_tournament::setup::{Contract, ModelKeys, PlayerKeys, SubmissionId, SubmissionKeys};

/// The programs by which a function of Python plays, and the one that looks at what it imports.
const GET_MOVE: (&str, &str) = ("get_move.py", include_str!("runners/get_move.py"));
const KAGGLE: (&str, &str) = ("kaggle.py", include_str!("runners/kaggle.py"));
const IMPORTS: (&str, &str) = ("imports.py", include_str!("runners/imports.py"));

/// Most reasons that are named.
const NAMED: usize = 8;
/// Digits of a hash in the name of a directory.
const DIGITS: usize = 16;
/// Python by its usual name, where the event names no environment.
const PYTHON: &str = "python3";
/// It takes nothing from its environment, and writes nothing beside what it reads.
const MANNER: [&str; 2] = ["-I", "-B"];

/// What begins a file that is machine code: of Linux, of Windows, of macOS, of WebAssembly.
const MACHINE_CODE: [&[u8]; 8] = [
    b"\x7fELF",
    b"MZ\x90\0",
    b"\xfe\xed\xfa\xce",
    b"\xfe\xed\xfa\xcf",
    b"\xce\xfa\xed\xfe",
    b"\xcf\xfa\xed\xfe",
    b"\xca\xfe\xba\xbe",
    b"\0asm",
];
/// What the name of one ends with.
const OF_MACHINE_CODE: [&str; 6] = [".so", ".pyd", ".dll", ".dylib", ".exe", ".o"];
/// What the name of an archive ends with.
const OF_ARCHIVES: [&str; 12] = [
    ".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".tar.zst", ".7z", ".rar", ".whl", ".egg", ".jar",
];

/// Whether a file of an archive is unpacked: compiled Python and what archivers leave is nobody's agent.
pub(super) fn is_unpacked(name: &str) -> bool {
    let mut parts = name.split('/');
    let is_compiled = [".pyc", ".pyo"].iter().any(|ending| name.ends_with(ending));
    !is_compiled && !parts.any(|part| ["__pycache__", "__MACOSX", ".DS_Store"].contains(&part))
}

/// Why these files cannot be played under a contract, a sentence each.
pub(super) fn refusals(keys: &SubmissionKeys, contract: Contract, members: &[Member]) -> Vec<String> {
    let mut refused = Vec::new();
    let entry = keys.entry(contract);
    let has = |name: &str| members.iter().any(|member| member.name == name);
    if !has(entry) {
        let below = members
            .iter()
            .find(|member| member.name.ends_with(&format!("/{entry}")));
        refused.push(match below {
            Some(below) => {
                let above = below.name.strip_suffix(entry).unwrap_or_default();
                format!(
                    "{entry} is in {} and not at the root of the archive: pack what is in that directory",
                    escaped(above)
                )
            }
            None => format!("it has no {entry}"),
        });
    }
    let names = members.iter().filter(|member| is_unpacked(&member.name));
    for member in names {
        let (shown, lower) = (escaped(&member.name), member.name.to_ascii_lowercase());
        let ends_with = |endings: &[&str]| endings.iter().any(|ending| lower.ends_with(ending));
        let is_code = MACHINE_CODE.iter().any(|begin| member.begins.starts_with(begin));
        if matches!(contract, Contract::GetMove | Contract::Kaggle) && (is_code || ends_with(&OF_MACHINE_CODE)) {
            refused.push(format!("{shown} is machine code: submissions are in Python alone"));
        } else if contract != Contract::Kaggle && ends_with(&OF_ARCHIVES) {
            refused.push(format!("{shown} is an archive in the archive: pack what is in it"));
        }
        if contract == Contract::Prompt && member.bytes > LARGEST_OF_ENTRANT {
            refused.push(format!(
                "{shown} has {} bytes, and a file of a prompt has at most {LARGEST_OF_ENTRANT}",
                member.bytes
            ));
        }
        let begins = member.begins.as_slice();
        if contract == Contract::Uci
            && member.name == entry
            && !(begins.starts_with(b"#!") || begins.starts_with(b"\x7fELF"))
        {
            refused.push(format!(
                "{shown} is no program: it begins neither with #!, as a script does, nor as an executable of Linux"
            ));
        }
    }
    let more = refused.len().saturating_sub(NAMED);
    refused.truncate(NAMED);
    if more > 0 {
        refused.push(format!("and {more} more"));
    }
    refused
}

/// The interpreter of an environment, as the event file would have it.
pub(super) fn python_of(environment: &str) -> String {
    format!("{environment}/bin/python")
}

/// How submissions of an event are started.
#[derive(Debug)]
pub(super) struct Starter<'a> {
    event: &'a EventFile,
    store: &'a Store,
    contract: Contract,
}

impl<'a> Starter<'a> {
    pub(super) const fn new(event: &'a EventFile, store: &'a Store, contract: Contract) -> Self {
        Self { event, store, contract }
    }

    /// The player by what was unpacked in `dir` of one of its submissions. The program that plays for it is written where it is not there yet.
    ///
    /// # Errors
    /// When that cannot be written.
    pub(super) fn player(&self, of: &PlayerKeys, dir: &Path, submission: SubmissionId) -> io::Result<PlayerKeys> {
        let keys = &self.event.loaded.setup.submissions;
        let entry = keys.entry(self.contract);
        let runner = match self.contract {
            Contract::GetMove => GET_MOVE,
            Contract::Kaggle => KAGGLE,
            Contract::Uci => {
                return Ok(PlayerKeys {
                    command: self.path(&dir.join(entry)),
                    dir: Some(self.path(dir)),
                    submission: Some(submission),
                    ..of.clone()
                });
            }
            Contract::Prompt => {
                let prompt = Some(self.path(&dir.join(entry)));
                return Ok(PlayerKeys {
                    model: keys.model.clone(),
                    model_keys: ModelKeys {
                        prompt,
                        ..of.model_keys.clone()
                    },
                    submission: Some(submission),
                    ..of.clone()
                });
            }
        };
        let function = keys.function(self.contract).unwrap_or_default();
        let player = self.by_python(of, runner, &[entry, function])?;
        Ok(PlayerKeys {
            dir: Some(self.path(dir)),
            submission: Some(submission),
            ..player
        })
    }

    /// What looks at the imports of what was unpacked in `dir`; `None`: it is no Python.
    ///
    /// # Errors
    /// As there.
    pub(super) fn imports(
        &self,
        of: &PlayerKeys,
        dir: &Path,
        submission: SubmissionId,
    ) -> io::Result<Option<PlayerKeys>> {
        if matches!(self.contract, Contract::Uci | Contract::Prompt) {
            return Ok(None);
        }
        let entry = self.event.loaded.setup.submissions.entry(self.contract);
        let player = self.by_python(of, IMPORTS, &[entry])?;
        Ok(Some(PlayerKeys {
            dir: Some(self.path(dir)),
            submission: Some(submission),
            ..player
        }))
    }

    /// What an author may read of what was printed by what lies in `dir`.
    pub(super) fn shown(&self, dir: &Path) -> PathAliases {
        let runner = |(_, text): (&str, &str)| self.runner_dir(text);
        let shown = [GET_MOVE, KAGGLE]
            .map(runner)
            .iter()
            .fold(PathAliases::default().with(dir, ""), |shown, runner| {
                shown.with(runner, "")
            });
        let python = self.event.loaded.setup.submissions.python.as_deref().map(python_of);
        match python {
            Some(python) => shown.with_interpreter(&self.event.directory.join(python)),
            None => shown,
        }
    }

    /// Where one of the programs is by which Python plays.
    fn runner_dir(&self, text: &str) -> PathBuf {
        self.store.dir().join(RUNNERS).join(&sha256(text.as_bytes())[..DIGITS])
    }

    fn by_python(&self, of: &PlayerKeys, (name, text): (&str, &str), words: &[&str]) -> io::Result<PlayerKeys> {
        let directory = self.runner_dir(text);
        let runner = directory.join(name);
        if !files::holds(&runner, text.as_bytes()) {
            files::make_directory(&directory)?;
            files::write_whole(&runner, text)?;
        }
        let python = match &self.event.loaded.setup.submissions.python {
            Some(environment) => python_of(environment),
            None => PYTHON.to_owned(),
        };
        let runner = std::path::absolute(&runner)?;
        let manner = MANNER.iter().map(|word| (*word).to_owned());
        let words = words.iter().map(|word| (*word).to_owned());
        let player = PlayerKeys {
            move_command: std::iter::once(python)
                .chain(manner)
                .chain([runner.display().to_string()])
                .chain(words)
                .collect(),
            keep_alive: true,
            says_ready: true,
            ..of.clone()
        };
        Ok(player.with_what_is_started())
    }

    /// A path as the event file would have it.
    fn path(&self, path: &Path) -> String {
        let whole = std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path));
        match from(&self.event.directory, &whole) {
            below if below.starts_with("../../../") => whole.display().to_string(),
            below => below,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, begins: &[u8]) -> Member {
        Member {
            name: name.to_owned(),
            bytes: 1,
            begins: begins.to_vec(),
        }
    }

    #[test]
    fn what_a_contract_forbids_is_named_by_its_file() {
        let keys = SubmissionKeys::default();
        let of = |contract, files: &[(&str, &[u8])]| {
            let members: Vec<Member> = files.iter().map(|(name, begins)| member(name, begins)).collect();
            refusals(&keys, contract, &members).join("; ")
        };
        let python: (&str, &[u8]) = ("agent.py", b"import ");
        assert_eq!(of(Contract::GetMove, &[python, ("net.pt", b"PK\x03\x04")]), "");
        assert_eq!(of(Contract::GetMove, &[python, ("__pycache__/a.so", b"\x7fELF")]), "");
        for (file, expected) in [
            (
                ("fast.so", &b""[..]),
                "fast.so is machine code: submissions are in Python alone",
            ),
            (
                ("net.bin", b"\x7fELF"),
                "net.bin is machine code: submissions are in Python alone",
            ),
            (
                ("more.tar.gz", b""),
                "more.tar.gz is an archive in the archive: pack what is in it",
            ),
        ] {
            assert_eq!(of(Contract::GetMove, &[python, file]), expected);
        }
        assert_eq!(of(Contract::GetMove, &[("other.py", b"")]), "it has no agent.py");
        assert_eq!(
            of(Contract::GetMove, &[("mine/agent.py", b"")]),
            "agent.py is in mine/ and not at the root of the archive: pack what is in that directory"
        );
        assert_eq!(of(Contract::Kaggle, &[("main.py", b""), ("x.tar.gz", b"")]), "");
        for (bytes, expected) in [
            (1 << 16, ""),
            (
                65_537,
                "prompt.jinja has 65537 bytes, and a file of a prompt has at most 65536",
            ),
        ] {
            let template = Member {
                bytes,
                ..member("prompt.jinja", b"")
            };
            assert_eq!(refusals(&keys, Contract::Prompt, &[template]).join("; "), expected);
        }
        assert_eq!(of(Contract::Uci, &[("engine", b"\x7fELF"), ("a.so", b"\x7fELF")]), "");
        assert!(of(Contract::Uci, &[("engine", b"import chess")]).starts_with("engine is no program"));
    }
}
