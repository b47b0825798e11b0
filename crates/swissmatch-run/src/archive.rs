//! All that is kept of one game in one archive, for somebody who has neither the run nor this program.
//!
//! May not: add what does not follow from the run: the same run gives the same bytes.

use std::fmt::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use jiff::Timestamp;
use serde_json::{Map, Value, json};
use tar::{Builder, Header};

use super::account::{Account, AccountError};
use super::publish;
use swissmatch_config as config;
use swissmatch_host::store::sha256;
use swissmatch_report as report;
use swissmatch_report::pgn::Comments;

/// The file in it by which to begin.
pub const README: &str = "README.txt";
const SUMS: &str = "SHA256SUMS";

/// A file of an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ArchiveFile {
    name: String,
    /// What it is, for the file by which to begin.
    about: String,
    text: String,
}

/// An archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Archive {
    /// Its name without `.tar.gz`, which is that of the directory in it.
    pub name: String,
    parts: Vec<ArchiveFile>,
    /// When the newest entry about the game was written.
    at: Timestamp,
}

impl Archive {
    /// Of a game that has ended.
    ///
    /// # Errors
    /// When it has not ended, or what is kept of it is damaged.
    pub fn of(account: &Account<'_>) -> Result<Self, AccountError> {
        let (run, id) = (account.run, account.id);
        if account.ends().next().is_none() {
            return Err(AccountError::NoGame(format!("game {id} has not ended yet")));
        }
        let mut parts = ArchiveFiles::default();
        parts.add(
            "account.txt",
            "the game in words, with every limit, every failed attempt and all that was said",
            account.text(true)?,
        );
        parts.add("account.json", "the same for programs", account.json(true)?);
        for (place, end) in account.ends().enumerate() {
            let counts = account.game().is_some() && place + 1 == account.ends().count();
            let (of, which) = match counts {
                true => (String::new(), "the game".to_owned()),
                false => (
                    format!("entry-{}-", end.logged.seq),
                    format!("the game that ended with entry {} and counts no more", end.logged.seq),
                ),
            };
            if let Some(record) = run.record_as_kept(end.finished).map_err(AccountError::Broken)? {
                let about = format!("the record of {which}: each move with its time, how the engines ended");
                parts.add(format!("{of}record.json"), about, record);
            }
            if let Some(evidence) = run.evidence(end.finished).map_err(AccountError::Broken)? {
                let about = format!("the evidence of {which}: what the engines were sent, and what they wrote");
                parts.add(format!("{of}evidence.txt"), about, evidence);
            }
        }
        if let Some(game) = account.game() {
            let pgn = publish::render_games(&run.state, &[*game], run.created_at(), &run.store, Comments::Full);
            let pgn = pgn.map_err(|error| AccountError::Broken(error.to_string()))?;
            parts.add("game.pgn", "the game for any chess program", pgn);
        }
        parts.add("rules.md", "the rules in force, in words", publish::rules(&run.state));
        let (entries, at) = entries(account)?;
        parts.add(
            "entries.jsonl",
            "the entries of the log about the game, one a line",
            entries,
        );
        parts.add(
            "keys.json",
            "every key of the event, and of its two players, with values as in event files",
            keys(account),
        );
        Ok(Self {
            name: format!("evidence-{id}"),
            parts: parts.finish(account),
            at,
        })
    }

    /// How many files there are in it.
    pub fn files(&self) -> usize {
        self.parts.len()
    }

    /// The archive: tar, packed by gzip.
    ///
    /// # Panics
    /// Never: memory takes all that is written.
    pub fn pack(&self) -> Vec<u8> {
        const MEMORY: &str = "a Vec takes everything";
        let seconds = u64::try_from(self.at.as_second()).unwrap_or_default();
        let mut builder = Builder::new(GzEncoder::new(Vec::new(), Compression::default()));
        for part in &self.parts {
            let mut header = Header::new_gnu();
            header.set_size(part.text.len() as u64);
            header.set_mode(0o644);
            header.set_mtime(seconds);
            let path = format!("{}/{}", self.name, part.name);
            builder
                .append_data(&mut header, path, part.text.as_bytes())
                .expect(MEMORY);
        }
        let packer = builder.into_inner().expect(MEMORY);
        packer.finish().expect(MEMORY)
    }
}

#[derive(Default)]
struct ArchiveFiles(Vec<ArchiveFile>);

impl ArchiveFiles {
    fn add(&mut self, name: impl Into<String>, about: impl Into<String>, text: String) {
        self.0.push(ArchiveFile {
            name: name.into(),
            about: about.into(),
            text,
        });
    }

    /// With what they are, first, and their hashes, last.
    fn finish(mut self, account: &Account<'_>) -> Vec<ArchiveFile> {
        let about = readme(account, &self.0);
        self.0.insert(
            0,
            ArchiveFile {
                name: README.to_owned(),
                about: String::new(),
                text: about,
            },
        );
        let sums = self
            .0
            .iter()
            .map(|part| format!("{}  {}\n", sha256(part.text.as_bytes()), part.name));
        let sums = sums.collect();
        self.add(SUMS, "", sums);
        self.0
    }
}

/// The entries about the game as the log has them, one a line, and when the newest was written.
fn entries(account: &Account<'_>) -> Result<(String, Timestamp), AccountError> {
    let run = account.run;
    let (mut lines, mut newest) = (String::new(), Timestamp::UNIX_EPOCH);
    for seq in account.entries() {
        let row = run
            .store
            .row(seq)
            .map_err(|error| AccountError::Broken(error.to_string()))?;
        let before = run.logged.iter().find(|logged| logged.seq == seq - 1);
        let line = json!({
            "entry": seq,
            "at": row.at,
            "previous": before.map_or("", |logged| logged.hash.as_str()),
            "hash": row.hash,
            "body": row.body,
        });
        let _ = writeln!(lines, "{line}");
        newest = row.at.parse().map_or(newest, |at: Timestamp| at.max(newest));
    }
    Ok((lines, newest))
}

/// Every key of the event, and those of the two players. What is private is not among them.
fn keys(account: &Account<'_>) -> String {
    let state = &account.run.state;
    let mut setup = state.setup().clone();
    let names = account.players().map(|player| state.player(player).name.clone());
    setup.players.retain(|player| names.contains(&player.name));
    let keys = config::key_values(&setup).into_iter();
    let keys: Map<String, Value> = keys.map(|(key, value)| (key, value.into())).collect();
    format!("{:#}\n", Value::Object(keys))
}

/// What to begin with.
fn readme(account: &Account<'_>, parts: &[ArchiveFile]) -> String {
    let id = account.id;
    let width = parts.iter().map(|part| part.name.len()).max().unwrap_or(0);
    let mut files = String::new();
    for ArchiveFile { name, about, .. } in parts {
        let _ = writeln!(files, "  {name:width$}  {about}");
    }
    let no_evidence = match parts.iter().any(|part| part.name == "evidence.txt") {
        true => "",
        false => {
            "\nWhat was said in this game was not kept (run.evidence), or nothing was said: account.txt tells which.\n"
        }
    };
    let ends: Vec<String> = account.ends().map(|end| end.logged.seq.to_string()).collect();
    let ends = match &ends[..] {
        [only] => format!("Entry {only}"),
        ends => format!("Each of the entries {}", ends.join(", ")),
    };
    let event = report::event_name(&account.run.state);
    let run = account.run.logged.first().map_or("", |created| created.hash.as_str());
    format!(
        "\
What the run keeps of game {id} of the event \"{event}\".

{files}{no_evidence}
Begin with account.txt. In evidence.txt, below its head, each line begins with when, who and which stream: the seconds
since the game began, the side, and > for what the engine was sent, < for its output, ! for its standard error, # for a
remark of the runner, ? for what a model was asked and answered, as JSON. That is the runner's; what follows < and ! is the
engine's, and what a model answered is the model's, whatever it says. The line that begins
with \"position\" is the position in which the game ended, as a command to paste into a UCI engine. What an engine says of
itself before its first game is not in it; account.txt has its name, arguments and options.

In record.json times are in microseconds: time_us of a move from the end of its go to its bestmove; processor_us what the
engine's processes ran meanwhile, off_turn what they ran while the other side was to move; wakeup_us how late the runner
itself waited for a processor before it read on. The page docs/records.md of swissmatch explains every field, docs/time-controls.md the limits.

Compare the SHA-256 of your program in account.txt with that of the file which you handed in.

How to check it by hand (with sha256sum and jq)
  1. sha256sum -c SHA256SUMS
     Nothing was damaged on the way to you. That says nothing of who made it.
  2. sha256sum record.json evidence.txt
     jq -r 'select(.body | fromjson | .entry == \"game-finished\") | .entry, (.body | fromjson | .record, .evidence)' entries.jsonl
     {ends} of the log has these two hashes, so record.json (result, figures, times, isolation) and evidence.txt are
     those of the log. account.txt, account.json, game.pgn and keys.json follow from the log: whoever has the run makes
     this archive again, byte for byte, by: swissmatch evidence {id} RUN
  3. while read -r line; do
       printf %s \"$line\" | jq -j '\"\\(.previous)\\n\\(.entry)\\n\\(.at)\\n\\(.body)\"' | sha256sum
       printf %s \"$line\" | jq -r .hash
     done < entries.jsonl
     Each hash is printed twice: it covers its entry and the entry before it.
     The entries in between are not here, nor is entry 1, which has the setup with the words of all agents.
  4. The time of a move is the time of its bestmove line less that of its go line, in evidence.txt. Compare it with
     time_us in record.json and with the limit in account.txt. Engines are told less than the limit (game.move_overhead),
     so that they answer in time.
  5. By itself this does not show that the organizer has not written it anew. Ask for the lines of an anchor that
     somebody else keeps: each has the number and the hash of an entry, told while the event was played, and as \"run\" the
     hash of entry 1, here
     {run}.
     With the directory of the run, swissmatch verify RUN --anchor FILE compares all of it. Times and figures are what the
     runner measured; nothing else vouches for them.
"
    )
}
