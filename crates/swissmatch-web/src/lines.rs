//! Live lines on their way to the news: read from the runner, and kept for as long as spectators are behind.
//!
//! May not: hold up the runner, which drops a reader that takes nothing for some seconds.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, ErrorKind};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use swissmatch_host::{gallery, run_dir};
use swissmatch_tournament::live::{LiveGame, LiveLine};

use super::news::{About, News};
use super::past::{self, KEPT};
use super::site::Site;
use super::stop::Stop;
use super::under_way::UnderWay;

/// Time between two looks at what is due.
const TICK: Duration = Duration::from_millis(100);
/// Time before a runner is looked for again.
const AGAIN: Duration = Duration::from_millis(500);
/// The longest line: a game has as many moves as its rules allow.
const LONGEST: usize = 4 << 20;

/// Where live lines come from.
#[derive(Debug)]
pub(super) enum LineSource {
    /// The socket of whichever runner is at work.
    Socket,
    /// A connection that the runner handed over; after it ends, the socket of whichever runner is at work.
    Given(UnixStream),
}

/// Where games are told.
pub(super) struct Boards<'a> {
    pub(super) news: &'a News,
    /// The number of slots that play.
    pub(super) slots: &'a AtomicUsize,
    pub(super) under_way: &'a UnderWay,
}

impl<'a> Boards<'a> {
    pub(super) fn of(site: &'a Site) -> Self {
        Self {
            news: &site.news,
            slots: &site.slots,
            under_way: &site.under_way,
        }
    }

    fn tell(&self, mut game: LiveGame) {
        let columns = game.columns.take();
        // Shown first, so that whoever hears of a ply finds its figures.
        self.under_way.show(&game, columns.as_ref());
        self.news.tell(About::Slot(game.slot), &LiveLine::Game(Box::new(game)));
    }

    /// Clears all boards, as no runner plays any more.
    fn end(&self) {
        self.news.forget(|about, _| matches!(about, About::Slot(_)));
        self.under_way.clear();
    }
}

/// Tells the games of the run in `dir`, and their number of slots, until the server stops. They are delayed by `delay`, or by what the
/// runner says.
pub(super) fn tell(dir: &Path, source: LineSource, delay: Duration, boards: &Boards<'_>, stop: &Stop) {
    let mut late = Late::after(delay);
    if let LineSource::Given(stream) = source {
        listen(stream, &mut late, boards, stop);
    }
    while !stop.is_asked() {
        let runner = run_dir::is_taken(dir).then(|| gallery::connect(dir));
        if let Some(Ok(stream)) = runner {
            listen(stream, &mut late, boards, stop);
        }
        late.tell_due(boards);
        stop.wait(if late.is_empty() { AGAIN } else { TICK });
    }
}

/// Reads lines until the other side closes.
fn listen(stream: UnixStream, late: &mut Late, boards: &Boards<'_>, stop: &Stop) {
    if stream
        .set_nonblocking(false)
        .and_then(|()| stream.set_read_timeout(Some(TICK)))
        .is_err()
    {
        return;
    }
    let mut lines = BufReader::new(stream);
    let mut line = Vec::new();
    while !stop.is_asked() && line.len() < LONGEST {
        match lines.read_until(b'\n', &mut line) {
            Ok(0) => break,
            Ok(_) => {
                match serde_json::from_slice(&line) {
                    Ok(LiveLine::Game(game)) => late.take(*game),
                    Ok(LiveLine::Event(event)) => {
                        boards.slots.store(event.slots, Ordering::Relaxed);
                        // Another runner may have another delay, which it tells before any game.
                        late.delay = event.delay_ms.map_or(late.delay, Duration::from_millis);
                    }
                    // A line of another version is nobody's fault. A reader that is refused is told why.
                    Ok(LiveLine::Refused { why, .. }) => tracing::warn!(why, "the runner gives no live lines"),
                    Err(error) => tracing::warn!(%error, "a live line is not understood"),
                }
                line.clear();
            }
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
                ) => {}
            Err(_) => break,
        }
        late.tell_due(boards);
    }
    late.end();
}

/// States of games that are told later than they came.
struct Late {
    delay: Duration,
    waiting: VecDeque<DelayedNews>,
}

struct DelayedNews {
    since: Instant,
    told: BoardNews,
}

enum BoardNews {
    Game(Box<LiveGame>),
    End,
}

impl Late {
    const fn after(delay: Duration) -> Self {
        Self {
            delay,
            waiting: VecDeque::new(),
        }
    }

    fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    fn take(&mut self, game: LiveGame) {
        if self.delay.is_zero() {
            return self.put(Instant::now(), game);
        }
        // Each ply that was made some time before this state is shown when it is due, not together with the state.
        for (since, game) in past::states(game, Instant::now()) {
            self.put(since, game);
        }
    }

    fn put(&mut self, since: Instant, mut game: LiveGame) {
        if !self.delay.is_zero() {
            // A long delay at many slots would take much memory.
            let of_slot = self
                .waiting
                .iter_mut()
                .rev()
                .find_map(|waiting| match &mut waiting.told {
                    BoardNews::Game(known) if known.slot == game.slot => Some((waiting.since, known)),
                    _ => None,
                });
            if let Some((_, known)) = of_slot.filter(|(known_since, _)| since < *known_since + KEPT) {
                past::join(known, &mut game);
                **known = game;
                return;
            }
        }
        let told = BoardNews::Game(Box::new(game));
        // What was made earlier is told earlier: other slots may have later states.
        let place = self.waiting.partition_point(|waiting| waiting.since <= since);
        self.waiting.insert(place, DelayedNews { since, told });
    }

    fn end(&mut self) {
        let since = Instant::now();
        self.waiting.push_back(DelayedNews {
            since,
            told: BoardNews::End,
        });
    }

    fn tell_due(&mut self, boards: &Boards<'_>) {
        // A state may have replaced one that came earlier by up to this much.
        let wait = match self.delay.is_zero() {
            true => Duration::ZERO,
            false => self.delay + KEPT,
        };
        let now = Instant::now();
        while let Some(next) = self.waiting.pop_front_if(|next| next.since + wait <= now) {
            match next.told {
                BoardNews::Game(game) => boards.tell(*game),
                BoardNews::End => boards.end(),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;
    use std::sync::Arc;
    use std::thread::sleep;

    use serde_json::json;

    use super::super::news::Slots;
    use super::*;
    use swissmatch_host::threads;

    /// A runner that takes up a run may show it with another delay than the one before: its own word counts.
    #[test]
    fn games_are_told_as_late_as_their_runner_says() {
        let (mut runner, given) = UnixStream::pair().expect("a pair");
        let (news, stop) = (Arc::new(News::after(0)), Arc::new(Stop::default()));
        let told = {
            let (news, stop) = (Arc::clone(&news), Arc::clone(&stop));
            let (slots, under_way) = (AtomicUsize::new(0), UnderWay::default());
            let listens = move || {
                let source = LineSource::Given(given);
                let boards = Boards {
                    news: &news,
                    slots: &slots,
                    under_way: &under_way,
                };
                tell(Path::new(""), source, Duration::ZERO, &boards, &stop);
            };
            threads::start("live lines", listens).expect("a thread")
        };
        let event = |delay_ms: u64| {
            json!({
                "type": "event", "schema": 1, "event": "Spring", "round": 1, "rounds": 2, "slots": 2, "players": [], "delay_ms": delay_ms
            })
        };
        let game = |slot: usize| {
            let side = |number: u32| json!({"pairing_number": number, "name": ""});
            json!({
                "type": "game", "schema": 1, "at": "2026-11-01T12:00:00Z", "slot": slot, "id": "1.1.1", "begun": "2026-11-01T12:00:00Z",
                "white": side(1), "black": side(2), "opening": {"name": "startpos"}, "moves": "", "plies": 0
            })
        };
        let mut say = |line: serde_json::Value| writeln!(runner, "{line}").expect("somebody listens");
        let is_told = |slot: usize| !news.events_after(0, &Slots::These([slot].into())).1.is_empty();
        say(event(3_600_000));
        say(game(0));
        say(event(0));
        say(game(1));
        let until = Instant::now() + Duration::from_secs(20);
        while !is_told(1) {
            assert!(Instant::now() < until, "it is not told");
            sleep(TICK);
        }
        assert!(is_told(0), "nothing is late any more");
        say(event(3_600_000));
        say(game(2));
        sleep(5 * TICK);
        assert!(!is_told(2), "it is shown later");
        stop.ask();
        told.join().expect("it ends");
    }

    /// Whoever connects in the middle of a game shows at once what spectators may already have seen of it.
    #[test]
    fn plies_that_are_due_are_told_before_the_state_with_which_they_came() {
        let (news, slots, under_way) = (News::after(0), AtomicUsize::new(0), UnderWay::default());
        let boards = Boards {
            news: &news,
            slots: &slots,
            under_way: &under_way,
        };
        let side = |number: u32| json!({"pairing_number": number, "name": ""});
        let game = |minute: u32, columns: serde_json::Value| {
            let game = json!({
                "schema": 1, "at": format!("2026-11-01T12:{minute}:00Z"), "slot": 0, "id": "1.1.1", "begun": "2026-11-01T12:00:00Z",
                "white": side(1), "black": side(2), "opening": {"name": "startpos"}, "moves": "e2e4 e7e5 g1f3", "plies": 3,
                "to_move": "black", "since": format!("2026-11-01T12:{minute}:00Z"), "columns": columns
            });
            serde_json::from_value(game).expect("a game")
        };
        // The second ply was made five minutes before the third.
        let mut late = Late::after(Duration::from_secs(60));
        late.take(game(
            10,
            json!({"from": 0, "time_us": [1_000_000, 2_000_000, 300_000_000]}),
        ));
        late.tell_due(&boards);
        let told = news.json_after(0, &Slots::All);
        assert!(
            told.contains("\"moves\":\"e2e4 e7e5\"") && !told.contains("columns"),
            "{told}"
        );
        let plies = |from| {
            let answer = under_way.answer("1.1.1", from, &axum::http::HeaderMap::new());
            answer.headers()[axum::http::header::ETAG].clone()
        };
        assert_eq!(plies(2), plies(9), "there are two");
        assert_ne!(plies(1), plies(2));
        assert_eq!(
            under_way.answer("1.1.2", 0, &axum::http::HeaderMap::new()).status(),
            404
        );
        // Without a delay, one state has everything.
        let mut at_once = Late::after(Duration::ZERO);
        at_once.take(game(
            11,
            json!({"from": 0, "time_us": [1_000_000, 2_000_000, 300_000_000]}),
        ));
        at_once.tell_due(&boards);
        assert!(news.json_after(0, &Slots::All).contains("g1f3"));
        assert_ne!(plies(2), plies(9));
    }
}
