//! What a run that is played gives to viewers that exist: `live.pgn` and `live.json` in its directory, and games on Lichess.
//!
//! A thread of its own follows the live lines and what is committed. An embargo and a delay hold here too. May not: make play wait.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use jiff::Timestamp;

use swissmatch_config::ConfigError;
use swissmatch_game::record::GameId;
use swissmatch_host::broadcast::{Broadcast, BroadcastTarget, Said, Token};
use swissmatch_host::files::{remove, write_passing};
use swissmatch_host::run_dir;
use swissmatch_host::store::{CommittedEntry, Store};
use swissmatch_host::threads;
use swissmatch_report::viewers::{BroadcastRounds, Heads, ViewerGame, ViewerGames, for_lichess};
use swissmatch_tournament::embargo::{is_held_back, published};
use swissmatch_tournament::live::LiveLine;
use swissmatch_tournament::log::{Act, Entry, GameFinished};
use swissmatch_tournament::state::{EndedGame, State};

use super::anchors::is_in_run;
use super::error::RunError;
use super::event_file::EventFile;
use super::live::LiveLines;
use super::open_run::{StoredGame, parse_record};

/// The games under way, in PGN.
pub(super) const LIVE_PGN: &str = "live.pgn";
/// The same as TCEC's viewers read it.
pub(super) const LIVE_JSON: &str = "live.json";

/// How long a line is waited for, before anything else is looked at.
const LOOK: Duration = Duration::from_millis(100);
/// Between two times that the files are written.
const PAUSE: Duration = Duration::from_millis(500);
/// The key that says where games are shown.
const KEY: &str = "lichess.rounds";

/// Where the token of an event is, if it is in a file.
pub(super) fn token_file(event: &EventFile) -> Option<PathBuf> {
    let keys = &event.loaded.setup.lichess;
    let file = keys.token_file.as_ref().filter(|_| !keys.rounds.is_empty());
    file.map(|path| event.directory.join(path))
}

/// Where games of an event are sent, with the token; its run is to be in `dir`.
///
/// # Errors
/// When there is no token; the key is named.
pub(super) fn find(event: &EventFile, dir: &Path) -> Result<Option<BroadcastTarget>, RunError> {
    let keys = &event.loaded.setup.lichess;
    if keys.rounds.is_empty() {
        return Ok(None);
    }
    let refused = |key: &str, message: String, help: &str| {
        RunError::Event(ConfigError {
            help: Some(help.to_owned()),
            ..event.loaded.error_at(key, message)
        })
    };
    let named = format!("${}", keys.token_env);
    let mut players = event.loaded.setup.players.iter();
    if let Some(index) = players.position(|player| player.env.values().any(|value| *value == named)) {
        let message = format!("{named} would give the agent the token of lichess.token_env");
        return Err(RunError::Event(ConfigError {
            help: Some("give it another variable".to_owned()),
            ..event.loaded.error_at_player(index, "player.env", message)
        }));
    }
    let token = match token_file(event) {
        Some(path) => {
            let shown = path.display();
            if is_in_run(&path, dir) {
                let message = format!(
                    "{shown}: it is in the directory of the run, {}, which others are given",
                    dir.display()
                );
                return Err(refused("lichess.token_file", message, "keep the token elsewhere"));
            }
            Token::of_file(&path).map_err(|error| {
                let help = "write a token of Lichess with the scope study:write to it";
                refused("lichess.token_file", format!("{shown}: {error}"), help)
            })
        }
        None => Token::of_variable(&keys.token_env).map_err(|error| {
            let help =
                "export a token of Lichess with the scope study:write there, or name a file (lichess.token_file)";
            refused("lichess.token_env", error.to_string(), help)
        }),
    }?;
    Ok(Some(BroadcastTarget {
        server: keys.server.to_string(),
        rounds: keys.rounds.clone(),
        token,
    }))
}

/// What viewers are given.
#[derive(Debug)]
pub(super) struct Viewers {
    news: Sender<News>,
    said: Receiver<Said>,
    thread: JoinHandle<Result<(), String>>,
    /// Whether games are sent.
    sends: bool,
}

/// What the thread hears of.
enum News {
    /// The event is so now.
    Event(Heads, BroadcastRounds),
    /// A game is in the log, with its record's text.
    Finished(Box<GameFinished>, Option<String>),
    /// All games that have ended may be otherwise than they were told.
    All(Box<State>),
}

impl Viewers {
    /// Starts it for the run in `dir` where a key asks for it, with where it hears the live lines; `None`: no key does.
    ///
    /// # Errors
    /// When the machine gives no thread, or files of an earlier runner cannot be removed.
    pub(super) fn start(
        dir: &Path,
        state: &State,
        target: Option<BroadcastTarget>,
    ) -> io::Result<Option<(Self, SyncSender<LiveLine>)>> {
        let keys = &state.setup().publish;
        if !keys.live_files {
            [LIVE_PGN, LIVE_JSON]
                .iter()
                .try_for_each(|name| remove(&dir.join(name)))?;
        }
        if !keys.live_files && target.is_none() {
            return Ok(None);
        }
        let (told, lines) = LiveLines::new();
        let ((news, heard), (says, said)) = (mpsc::channel(), mpsc::channel());
        let sends = target.is_some();
        let viewing = Viewing {
            dir: dir.to_path_buf(),
            watched: ViewerGames::new(Heads::new(state), keys.delay),
            files: keys.live_files.then(ViewerFiles::default),
            broadcast: target
                .map(|target| Broadcast::start(target, says.clone()))
                .transpose()?,
            places: BroadcastRounds::new(state),
            homeless: BTreeSet::new(),
            says,
        };
        let thread = threads::start("viewers", move || viewing.follow(&lines, &heard))?;
        let viewers = Self {
            news,
            said,
            thread,
            sends,
        };
        if sends && state.finished_games().next().is_some() {
            viewers.tell(News::All(Box::new(state.clone())));
        }
        Ok(Some((viewers, told)))
    }

    fn tell(&self, news: News) {
        // A thread that has gone says why at the end.
        let _ = self.news.send(news);
    }

    /// An entry is part of `state`.
    pub(super) fn committed(&self, state: &State, committed: &CommittedEntry) {
        match &committed.bundle.entry {
            Entry::GameFinished(finished) if !is_held_back(state, finished.id) => {
                let hash = finished.record.as_ref();
                let record = committed.bundle.blobs.iter().find(|(of, _)| Some(of) == hash);
                self.tell(News::Finished(
                    Box::new(finished.clone()),
                    record.map(|(_, text)| text.clone()),
                ));
            }
            Entry::RoundPaired(_) | Entry::PlayoffPaired(_) => self.tell_event(state),
            Entry::Acted(acted) => {
                self.tell_event(state);
                let may_differ = matches!(acted.act, Act::Release | Act::Void { .. } | Act::SetResult { .. });
                if self.sends && may_differ {
                    self.tell(News::All(Box::new(state.clone())));
                }
            }
            _ => {}
        }
    }

    fn tell_event(&self, state: &State) {
        self.tell(News::Event(Heads::new(state), BroadcastRounds::new(state)));
    }

    /// What there is to say since this was asked last.
    pub(super) fn said(&self) -> impl Iterator<Item = Said> {
        self.said.try_iter()
    }

    /// Shows what is left, and ends; gives what there was to say meanwhile, and then, as an error, what is not shown, as a sentence.
    pub(super) fn finish(self) -> (Vec<Said>, Result<(), String>) {
        drop(self.news);
        let ended = self.thread.join();
        let ended = ended.unwrap_or_else(|_| Err("the thread that shows games to viewers failed".to_owned()));
        (self.said.try_iter().collect(), ended)
    }
}

/// The work of the thread.
struct Viewing {
    dir: PathBuf,
    watched: ViewerGames,
    files: Option<ViewerFiles>,
    broadcast: Option<Broadcast>,
    places: BroadcastRounds,
    /// Games for which there is no round of the broadcast.
    homeless: BTreeSet<GameId>,
    says: Sender<Said>,
}

/// The files, and whether they can be written.
#[derive(Default)]
struct ViewerFiles {
    is_changed: bool,
    again: Option<Instant>,
    trouble: Option<String>,
}

impl Viewing {
    fn follow(mut self, lines: &LiveLines, heard: &Receiver<News>) -> Result<(), String> {
        if let Some(files) = &mut self.files {
            files.is_changed = true;
        }
        // Lines end with play, news a moment later.
        let (mut has_lines, mut has_news) = (true, true);
        while has_lines || has_news {
            if has_lines {
                match lines.next_within(LOOK) {
                    Ok(line) => self.watched.take(line),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => has_lines = false,
                }
                while let Ok(line) = lines.next_within(Duration::ZERO) {
                    self.watched.take(line);
                }
            }
            loop {
                let wait = if has_lines { Duration::ZERO } else { LOOK };
                match heard.recv_timeout(wait) {
                    Ok(news) => self.hear(news),
                    Err(RecvTimeoutError::Timeout) => break,
                    Err(RecvTimeoutError::Disconnected) => {
                        has_news = false;
                        break;
                    }
                }
            }
            self.show(Some(Timestamp::now()));
            self.write(false);
        }
        // Nothing is played any more, which a delay is there for.
        self.show(None);
        self.write(true);
        let trouble = self.files.and_then(|files| files.trouble);
        let sent = self.broadcast.map_or(Ok(()), Broadcast::finish);
        match trouble {
            Some(trouble) => Err(trouble),
            None => sent,
        }
    }

    fn hear(&mut self, news: News) {
        let now = Timestamp::now();
        match news {
            News::Event(heads, places) => {
                self.places = places;
                self.watched.post(now, heads);
            }
            News::Finished(finished, text) => match parse_record(&finished, text.as_deref()) {
                Ok(record) => self.watched.finished(now, *finished, record),
                Err(why) => self.say(Said::Failed(why)),
            },
            News::All(state) => {
                if let Err(why) = self.read_all(&state) {
                    self.say(Said::Failed(format!(
                        "games that ended before cannot be sent to Lichess: {why}"
                    )));
                }
            }
        }
    }

    /// All games that have ended and may be shown, as the log has them.
    fn read_all(&mut self, state: &State) -> Result<(), String> {
        let state = published(state);
        let store = Store::open_to_read(&run_dir::log(&self.dir)).map_err(|error| error.to_string())?;
        let has_place = |game: &EndedGame| self.places.of(game.finished.id).is_some();
        for game in state.finished_games().filter(has_place).collect::<Vec<_>>() {
            let at = store
                .row(game.finished.entry.into())
                .map_err(|error| error.to_string())?
                .at;
            let kept = StoredGame::of(&store, &game)?;
            let record = kept.record()?;
            let finished = GameFinished {
                outcome: game.outcome(),
                ..kept.finished
            };
            self.watched
                .finished(at.parse().unwrap_or_else(|_| Timestamp::now()), finished, record);
        }
        Ok(())
    }

    /// Shows what is due by now, or all that is left.
    fn show(&mut self, now: Option<Timestamp>) {
        let Self {
            watched,
            broadcast,
            places,
            homeless,
            says,
            ..
        } = self;
        let mut tell = |heads: &Heads, board: &ViewerGame| {
            let Some(broadcast) = broadcast else { return };
            let id = board.id();
            match places.of(id) {
                Some(round) => broadcast.put(round, id, for_lichess(heads, board)),
                None if homeless.insert(id) && homeless.len() == 1 => {
                    let _ = says.send(Said::Failed(format!(
                        "{KEY}: no round of the broadcast is left for game {id} and those after it, which are not shown"
                    )));
                }
                None => {}
            }
        };
        let changed = match now {
            Some(now) => watched.advance(now, &mut tell),
            None => watched.finish(&mut tell),
        };
        if let Some(files) = &mut self.files {
            files.is_changed |= changed;
        }
    }

    /// Writes the files where something has changed and it is time, or `at_once`.
    fn write(&mut self, at_once: bool) {
        let Some(files) = &mut self.files else { return };
        let now = Instant::now();
        let is_time = files.again.is_none_or(|again| now >= again);
        if !(is_time || at_once) || !(files.is_changed || files.trouble.is_some()) {
            return;
        }
        let written = write_passing(&self.dir.join(LIVE_PGN), self.watched.pgn())
            .and_then(|()| write_passing(&self.dir.join(LIVE_JSON), self.watched.json()));
        files.again = Some(now + PAUSE);
        files.is_changed = false;
        let trouble = written.err().map(|error| error.to_string());
        let said = match (&files.trouble, &trouble) {
            (None, Some(why)) => Some(Said::Failed(format!(
                "{why}; play goes on, and the file is tried again"
            ))),
            (Some(_), None) => Some(Said::Right(format!("{LIVE_PGN} and {LIVE_JSON} can be written again"))),
            _ => None,
        };
        files.trouble = trouble;
        if let Some(said) = said {
            self.say(said);
        }
    }

    fn say(&self, said: Said) {
        // Whoever has gone hears nothing.
        let _ = self.says.send(said);
    }
}
