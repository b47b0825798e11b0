//! What fastchess or cutechess-cli would print of a run, on standard output, and what they would write to files while it is played.
//!
//! May not: know what those lines are; that is `report::peers`.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use swissmatch_config::match_words::{Dialect, LogFile, Output};
use swissmatch_game::record::{GameId, GameRecord};
use swissmatch_host::files;
use swissmatch_report::peers::{self, PeerLines, PeerMatchEnd};
use swissmatch_run::conduct::{CommittedEntry, Reader, RunEnd, Stopper};
use swissmatch_tournament::log::{Entry, RoundPaired};
use swissmatch_tournament::peer_lines::{PeerLogOptions, PeerOutput};
use swissmatch_tournament::state::{EndedGame, LoggedGame, State};
use swissmatch_tournament::waiting::Wait;

use super::exit::Failure;
use super::output;
use super::pgn_out::PgnOut;
use super::run::RunObserver;
use super::screen;

/// The console of a run for programs that read another match runner.
pub(super) struct PeerConsole {
    wanted: PeerOutput,
    dialect: Dialect,
    /// Whether lines are printed.
    prints: bool,
    lines: Option<PeerLines>,
    log: Option<PeerLogFile>,
    games: Option<PgnOut>,
    began: Instant,
    /// Whether this is that program, by its name.
    is_link: bool,
    ended: Option<PeerMatchEnd>,
}

impl PeerConsole {
    /// For a run that is not begun yet, as the words ask for it; `None`: they ask for nothing of the kind.
    ///
    /// # Errors
    /// When there is to be a log that cannot be written.
    pub(super) fn of(
        output: &Output,
        games: Option<PgnOut>,
        dialect: Dialect,
        is_link: bool,
    ) -> Result<Option<Self>, Failure> {
        let prints = is_link || output.is_asked;
        if !prints && output.log.is_none() && games.is_none() {
            return Ok(None);
        }
        Ok(Some(Self {
            wanted: output.wanted,
            dialect,
            prints,
            lines: None,
            log: output.log.as_ref().map(PeerLogFile::new).transpose()?,
            games,
            began: Instant::now(),
            is_link,
            ended: None,
        }))
    }

    /// Whether lines are printed, in place of those of any run.
    pub(super) const fn prints(&self) -> bool {
        self.prints
    }

    /// The file of games, to be written as a whole.
    pub(super) fn take_games(&mut self) -> Option<PgnOut> {
        self.games.take()
    }

    /// How it ended; `None` where it did not come to that.
    pub(super) const fn ended(&self) -> Option<PeerMatchEnd> {
        self.ended
    }

    /// The very last lines.
    pub(super) fn finish(&mut self) {
        let seconds = self.began.elapsed().as_secs();
        self.print(|lines| lines.finish(seconds));
    }

    fn print(&mut self, say: impl FnOnce(&mut PeerLines) -> Vec<String>) {
        if let Some(lines) = &mut self.lines {
            print(say(lines));
        }
    }
}

/// A log file.
struct PeerLogFile {
    path: PathBuf,
    logged: PeerLogOptions,
    /// `None` once it could not be written, which has been said.
    file: Option<File>,
}

impl PeerLogFile {
    fn new(asked: &LogFile) -> Result<Self, Failure> {
        let path = PathBuf::from(&asked.path);
        let failed = |error| Failure::machine(files::about(&path, &error));
        if !asked.append {
            files::write_out(&path, "").map_err(failed)?;
        }
        let file = files::open_to_append(&path).map_err(failed)?;
        Ok(Self {
            logged: asked.logged,
            file: Some(file),
            path,
        })
    }

    fn game(
        &mut self,
        wanted: &PeerOutput,
        state: &State,
        finished: &LoggedGame,
        record: Option<&GameRecord>,
        said: &str,
    ) {
        let now = Timestamp::now()
            .to_zoned(TimeZone::UTC)
            .strftime("%H:%M:%S%.6f")
            .to_string();
        let lines = peers::of_game(self.logged, wanted, state, (finished, record), said, &now);
        let text: String = lines.into_iter().map(|line| line + "\n").collect();
        let Some(file) = &mut self.file else { return };
        if let Err(error) = file.write_all(text.as_bytes()) {
            screen::say(&format!("warning: {}", files::about(&self.path, &error)));
            self.file = None;
        }
    }
}

fn print(lines: Vec<String>) {
    let text: String = lines.into_iter().map(|line| line + "\n").collect();
    output::print(&text);
}

impl RunObserver for PeerConsole {
    fn begin(&mut self, state: &State, _: Option<Stopper>) {
        if let Some(games) = &mut self.games {
            games.begin(state);
        }
        if self.prints {
            let lines = PeerLines::new(self.wanted, state);
            print(lines.begin(state));
            self.lines = Some(lines);
        }
    }

    fn end(&mut self, state: &State, ended: &RunEnd) {
        let last = match ended {
            RunEnd::Complete => PeerMatchEnd::Over,
            RunEnd::Stopped | RunEnd::StoppedAtOnce | RunEnd::AfterRound => {
                PeerMatchEnd::Interrupted { is_asked_for: true }
            }
            RunEnd::NoPairing(_)
            | RunEnd::Decision
            | RunEnd::Rulings
            | RunEnd::NoSlot { .. }
            | RunEnd::ToMend { .. } => PeerMatchEnd::Interrupted { is_asked_for: false },
        };
        self.ended = Some(last);
        self.print(|lines| lines.end(state, last));
    }

    /// As in those programs.
    fn stops_at_once(&self) -> bool {
        self.is_link
    }
}

impl Reader for PeerConsole {
    fn committed(&mut self, state: &State, committed: &CommittedEntry) {
        match &committed.bundle.entry {
            Entry::GameFinished(finished) => {
                let of_game = |(hash, _): &&(String, String)| Some(hash) == finished.record.as_ref();
                let record = committed.bundle.blobs.iter().find(of_game);
                let record: Option<GameRecord> = record.and_then(|(_, text)| serde_json::from_str(text).ok());
                let Some(EndedGame { finished, .. }) = state.finished_game(finished.id) else {
                    return;
                };
                self.print(|lines| lines.finished(state, &finished, record.as_ref()));
                if let Some(log) = &mut self.log {
                    let said = committed.bundle.evidence.as_ref();
                    let said = said.map_or("", |evidence| evidence.text.as_str());
                    log.game(&self.wanted, state, &finished, record.as_ref(), said);
                }
            }
            Entry::SprtDecided(decided) => self.print(|lines| lines.decided(state, decided)),
            Entry::Acted(_) => {
                if let Some(lines) = &mut self.lines {
                    lines.acted(state);
                }
            }
            _ => {}
        }
        if let Some(games) = &mut self.games {
            games.grow(state);
        }
    }

    fn tick(&mut self, state: &State, playing: &BTreeSet<GameId>) {
        self.print(|lines| lines.playing(state, playing));
    }

    fn stopping(&mut self, _: usize) {}

    fn waiting(&mut self, _: &State, _: Option<Wait>) {}

    fn proposed(&mut self, _: &State, _: &RoundPaired) {}

    fn remark(&mut self, _: &str) {}

    /// Those who read standard output would not know what to make of it.
    fn warn(&mut self, sentence: &str) {
        if self.prints {
            screen::say(&format!("warning: {}", self.dialect.in_words(sentence)));
        }
    }
}
