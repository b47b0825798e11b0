//! Games on their way to rounds of a Lichess broadcast: a thread of its own sends what has changed, one round at a
//! time.
//!
//! Only the newest state of each game waits, so that the queue is bounded. The token is never shown. May not: make
//! anybody wait; decide which games are sent where.

mod server;
mod token;

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use swiss_system::count;

use super::threads;
use server::{PushFailure, Server};
use swissmatch_game::record::GameId;
pub use token::{Token, TokenError};

/// The pause between two requests; Lichess wants one at a time and few.
const PAUSE: Duration = Duration::from_secs(3);
/// The pause between two requests once no more games come.
const LAST_PAUSE: Duration = Duration::from_secs(1);
/// The pause after a failure, which doubles up to the second value.
const AGAIN: Duration = Duration::from_secs(5);
const LONGEST_PAUSE: Duration = Duration::from_mins(1);
/// The pause after status 429, which doubles up to the second value: Lichess asks for a minute, and sometimes more.
const SLOWER: Duration = Duration::from_mins(1);
const SLOWEST: Duration = Duration::from_mins(10);
/// At the end: how long the remaining games may take, and how much more for each further round.
const GRACE: Duration = Duration::from_secs(15);
const GRACE_A_ROUND: Duration = Duration::from_secs(3);
/// How much longer to wait for a request under way.
const LAST_WAIT: Duration = Duration::from_secs(2);

/// News about the broadcast.
#[derive(Debug, PartialEq, Eq)]
pub enum Said {
    /// Something is not shown.
    Failed(String),
    /// It is shown again.
    Right(String),
}

#[derive(Debug)]
pub struct BroadcastTarget {
    /// Without a `/` at the end.
    pub server: String,
    pub rounds: Vec<String>,
    /// The token that permits it.
    pub token: Token,
}

/// Games that are sent. When dropped, it gives up the remaining ones.
#[derive(Debug)]
pub struct Broadcast {
    mailbox: Arc<Mailbox>,
    rounds: usize,
    ended: Receiver<Result<(), String>>,
}

/// Games that wait to be sent.
#[derive(Debug, Default)]
struct Mailbox {
    post: Mutex<OutgoingGames>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct OutgoingGames {
    /// By round of the broadcast.
    games: BTreeMap<(usize, GameId), String>,
    /// The hash of what was last sent of each game.
    sent: BTreeMap<(usize, GameId), u64>,
    /// Once set, no more games come, and the remaining ones have until then.
    until: Option<Instant>,
}

impl Broadcast {
    /// Starts the thread, which reports its news.
    ///
    /// # Errors
    /// The machine has no thread for it.
    pub fn start(target: BroadcastTarget, says: Sender<Said>) -> io::Result<Self> {
        let mailbox = Arc::new(Mailbox::default());
        let rounds = target.rounds.len();
        let (ends, ended) = mpsc::channel();
        let of_thread = Arc::clone(&mailbox);
        let server = Server::new(target.server, target.token)?;
        threads::start("lichess", move || {
            let mut sender = Sending {
                rounds: target.rounds,
                server,
                mailbox: of_thread,
                says,
                next: 0,
            };
            // Nobody may be left to hear this.
            let _ = ends.send(sender.send_until_closed());
        })?;
        Ok(Self { mailbox, rounds, ended })
    }

    /// Shows a game's state in this round of the broadcast, from 0. An earlier state that has not been sent gives way.
    pub fn put(&self, round: usize, game: GameId, pgn: String) {
        let mut post = self.mailbox.lock();
        if post.sent.get(&(round, game)) == Some(&hash(&pgn)) {
            post.games.remove(&(round, game));
            return;
        }
        post.games.insert((round, game), pgn);
        self.mailbox.changed.notify_all();
    }

    /// Lets the remaining games be sent, for some seconds.
    ///
    /// # Errors
    /// What was not sent, as a sentence.
    pub fn finish(self) -> Result<(), String> {
        let more = u32::try_from(self.rounds.saturating_sub(1)).unwrap_or(u32::MAX);
        let until = Instant::now() + GRACE + GRACE_A_ROUND.saturating_mul(more);
        self.mailbox.close(until);
        let patience = until.saturating_duration_since(Instant::now()) + LAST_WAIT;
        match self.ended.recv_timeout(patience) {
            Ok(ended) => ended,
            Err(RecvTimeoutError::Timeout) => Err(self.mailbox.lock().left("it has not answered")),
            Err(RecvTimeoutError::Disconnected) => Err(self.mailbox.lock().left("the thread that sends them failed")),
        }
    }
}

impl Drop for Broadcast {
    fn drop(&mut self) {
        self.mailbox.close(Instant::now());
    }
}

impl Mailbox {
    fn lock(&self) -> MutexGuard<'_, OutgoingGames> {
        self.post.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self, until: Instant) {
        // The first deadline counts.
        self.lock().until.get_or_insert(until);
        self.changed.notify_all();
    }

    /// True if nothing waits and no more games come.
    fn is_done(&self) -> bool {
        let post = self.lock();
        post.games.is_empty() && post.until.is_some()
    }

    /// Waits for games, or for the end; returns the games of the next round that has any, from round `next`.
    fn next(&self, next: usize) -> Option<(usize, Vec<(GameId, String)>)> {
        let has_nothing = |post: &mut OutgoingGames| post.games.is_empty() && post.until.is_none();
        let post = self.changed.wait_while(self.lock(), has_nothing);
        let post = post.unwrap_or_else(PoisonError::into_inner);
        let rounds = post.games.keys().map(|(round, _)| *round);
        let round = rounds.clone().find(|round| *round >= next).or_else(|| rounds.min())?;
        let of_round = post.games.iter().filter(|((of, _), _)| *of == round);
        let games = of_round.map(|((_, game), pgn)| (*game, pgn.clone()));
        Some((round, games.collect()))
    }

    /// Waits until no more games come, or `pause` is over; if no more come already, at most for the time left. Returns
    /// whether there is time left.
    fn pause(&self, pause: Duration) -> bool {
        let post = self.lock();
        let (post, _) = self
            .changed
            .wait_timeout_while(post, pause, |post| post.until.is_none())
            .unwrap_or_else(PoisonError::into_inner);
        let Some(until) = post.until else { return true };
        drop(post);
        let left = until.saturating_duration_since(Instant::now());
        std::thread::sleep(left.min(LAST_PAUSE));
        left > LAST_PAUSE
    }
}

impl OutgoingGames {
    /// The sentence about games that remain at the end.
    fn left(&self, why: &str) -> String {
        let games = count::of(self.games.len(), "game is", "games are");
        format!("{games} not on Lichess as it ended: {why}")
    }
}

struct Sending {
    rounds: Vec<String>,
    server: Server,
    mailbox: Arc<Mailbox>,
    says: Sender<Said>,
    /// The round of the broadcast that is looked at first, so that each has its turn.
    next: usize,
}

impl Sending {
    fn send_until_closed(&mut self) -> Result<(), String> {
        let (mut is_in_trouble, mut failures) = (false, 0);
        while let Some((round, games)) = self.mailbox.next(self.next) {
            let name = self.rounds.get(round).map_or("", String::as_str);
            let texts: Vec<&str> = games.iter().map(|(_, pgn)| pgn.as_str()).collect();
            let was_closed = self.is_closed();
            let sent = self.server.push(name, &texts);
            self.next = round + 1;
            match sent {
                Ok(refused) => {
                    self.is_sent(round, &games);
                    for (index, why) in refused {
                        let Some((game, _)) = games.get(index) else { continue };
                        self.say(Said::Failed(format!(
                            "Lichess does not show game {game} as it is: {why}"
                        )));
                    }
                    if std::mem::take(&mut is_in_trouble) {
                        self.say(Said::Right("Lichess takes games again".to_owned()));
                    }
                    failures = 0;
                    if !self.mailbox.is_done() {
                        self.mailbox.pause(PAUSE);
                    }
                }
                Err(failed) => {
                    if !is_in_trouble {
                        self.say(Said::Failed(format!(
                            "Lichess (round {name}): {failed}; play goes on, and it is tried again"
                        )));
                    }
                    is_in_trouble = true;
                    let pause = pause_after(&failed, failures);
                    failures += 1;
                    let has_time = self.mailbox.pause(pause);
                    // If asked to wait a minute, do not come back after a second.
                    let gives_up = match failed {
                        PushFailure::TooOften(_) => self.is_closed(),
                        PushFailure::Refused(_) => was_closed,
                        PushFailure::Other(_) => false,
                    };
                    if !has_time || gives_up {
                        return Err(self.mailbox.lock().left(&failed.to_string()));
                    }
                }
            }
        }
        Ok(())
    }

    fn is_closed(&self) -> bool {
        self.mailbox.lock().until.is_some()
    }

    /// Takes out what was sent, unless it has changed meanwhile.
    fn is_sent(&self, round: usize, games: &[(GameId, String)]) {
        let mut post = self.mailbox.lock();
        for (game, pgn) in games {
            let key = (round, *game);
            post.sent.insert(key, hash(pgn));
            if post.games.get(&key) == Some(pgn) {
                post.games.remove(&key);
            }
        }
    }

    fn say(&self, said: Said) {
        // Nobody may be left to hear this.
        let _ = self.says.send(said);
    }
}

/// How long to wait after a failure that follows `before` others.
fn pause_after(failed: &PushFailure, before: u32) -> Duration {
    let doubled = |pause: Duration, longest: Duration| pause.saturating_mul(1 << before.min(10)).min(longest);
    match failed {
        PushFailure::TooOften(asked) => asked.unwrap_or_default().clamp(doubled(SLOWER, SLOWEST), SLOWEST),
        PushFailure::Refused(_) => LONGEST_PAUSE,
        PushFailure::Other(_) => doubled(AGAIN, LONGEST_PAUSE),
    }
}

fn hash(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_asked_to_wait_waits_a_minute_or_more() {
        let pauses = |failed: PushFailure| [0, 1, 2, 3, 40].map(|before| pause_after(&failed, before).as_secs());
        assert_eq!(pauses(PushFailure::TooOften(None)), [60, 120, 240, 480, 600]);
        let asked = |seconds| PushFailure::TooOften(Some(Duration::from_secs(seconds)));
        assert_eq!(pauses(asked(90)), [90, 120, 240, 480, 600]);
        assert_eq!(pauses(asked(100_000)), [600; 5]);
        assert_eq!(pauses(PushFailure::Other(String::new())), [5, 10, 20, 40, 60]);
        assert_eq!(pauses(PushFailure::Refused(String::new())), [60; 5]);
    }

    #[test]
    fn only_the_newest_state_of_a_game_waits_and_each_round_has_its_turn() {
        let mailbox = Mailbox::default();
        let game = |number| GameId::first_of(1, 0, number);
        let put = |round, number, text: &str| {
            mailbox.lock().games.insert((round, game(number)), text.to_owned());
        };
        put(0, 1, "a");
        put(0, 1, "b");
        put(2, 1, "c");
        put(2, 2, "d");
        let rounds = |next| mailbox.next(next).expect("something waits");
        assert_eq!(rounds(0), (0, vec![(game(1), "b".to_owned())]));
        assert_eq!(rounds(1).0, 2);
        assert_eq!(rounds(1).1.len(), 2);
        assert_eq!(rounds(3).0, 0, "from the beginning again");
        mailbox.lock().games.clear();
        mailbox.close(Instant::now());
        assert_eq!(mailbox.next(0), None);
    }
}
