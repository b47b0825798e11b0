//! Games on their way to rounds of a broadcast on Lichess: a thread of its own sends what has changed, a round at a time.
//!
//! Of each game only the newest state waits, so that what waits is bounded. The token is shown nowhere. May not: make anybody wait;
//! decide which games are sent where.

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

/// The pause between two requests, of which Lichess wants one at a time and few.
const PAUSE: Duration = Duration::from_secs(3);
/// The same once nothing more comes.
const LAST_PAUSE: Duration = Duration::from_secs(1);
/// The pause after a failure, which doubles up to the longest.
const AGAIN: Duration = Duration::from_secs(5);
const LONGEST_PAUSE: Duration = Duration::from_mins(1);
/// The pause after the answer 429, which doubles up to the longest: Lichess asks for a minute, and more at times.
const SLOWER: Duration = Duration::from_mins(1);
const SLOWEST: Duration = Duration::from_mins(10);
/// At the end: how long what is left may take, and for each further round.
const GRACE: Duration = Duration::from_secs(15);
const GRACE_A_ROUND: Duration = Duration::from_secs(3);
/// How much longer a request is waited for that is under way.
const LAST_WAIT: Duration = Duration::from_secs(2);

/// What there is to say.
#[derive(Debug, PartialEq, Eq)]
pub enum Said {
    /// Something is not shown.
    Failed(String),
    /// It is shown again.
    Right(String),
}

/// Where games are sent.
#[derive(Debug)]
pub struct BroadcastTarget {
    /// The server's address, without a `/` at its end.
    pub server: String,
    /// The rounds of the broadcast.
    pub rounds: Vec<String>,
    /// By which that may be done.
    pub token: Token,
}

/// Games that are sent. Dropped, it gives up what is left.
#[derive(Debug)]
pub struct Broadcast {
    mailbox: Arc<Mailbox>,
    rounds: usize,
    ended: Receiver<Result<(), String>>,
}

/// What waits.
#[derive(Debug, Default)]
struct Mailbox {
    post: Mutex<OutgoingGames>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct OutgoingGames {
    /// By round of the broadcast.
    games: BTreeMap<(usize, GameId), String>,
    /// What was sent of each, as a hash.
    sent: BTreeMap<(usize, GameId), u64>,
    /// Nothing more comes, and what is left has time until then.
    until: Option<Instant>,
}

impl Broadcast {
    /// Starts the thread, which says what there is to say.
    ///
    /// # Errors
    /// When the machine gives none.
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
            // Whoever has gone asks no more.
            let _ = ends.send(sender.send_until_closed());
        })?;
        Ok(Self { mailbox, rounds, ended })
    }

    /// A game is to be shown so in this round of the broadcast, from 0; an earlier state that has not been sent gives way.
    pub fn put(&self, round: usize, game: GameId, pgn: String) {
        let mut post = self.mailbox.lock();
        if post.sent.get(&(round, game)) == Some(&hash(&pgn)) {
            post.games.remove(&(round, game));
            return;
        }
        post.games.insert((round, game), pgn);
        self.mailbox.changed.notify_all();
    }

    /// Has what is left sent, for some seconds.
    ///
    /// # Errors
    /// What was not, as a sentence.
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
        // The first word counts.
        self.lock().until.get_or_insert(until);
        self.changed.notify_all();
    }

    /// Whether nothing waits and nothing more comes.
    fn is_done(&self) -> bool {
        let post = self.lock();
        post.games.is_empty() && post.until.is_some()
    }

    /// Waits until something is there or nothing more comes; the games of the next round, from the one numbered `next`, that has any.
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

    /// Waits, until nothing more comes at the longest or, if that is so already, no longer than is left. Says whether there is time left.
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
    /// What is said where games are left at the end.
    fn left(&self, why: &str) -> String {
        let games = count::of(self.games.len(), "game is", "games are");
        format!("{games} not on Lichess as it ended: {why}")
    }
}

/// The work of the thread.
struct Sending {
    rounds: Vec<String>,
    server: Server,
    mailbox: Arc<Mailbox>,
    says: Sender<Said>,
    /// Which round of the broadcast is looked at first: each has its turn.
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
                    // Who was asked to wait a minute does not come back after a second.
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

    /// What was sent waits no more, unless it has changed meanwhile.
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
        // Whoever has gone hears nothing.
        let _ = self.says.send(said);
    }
}

/// How long is waited after a failure that came after so many others.
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
