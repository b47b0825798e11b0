//! Live lines on their way to the news: read from the runner, and kept as long as spectators are behind.
//!
//! May not: hold up the runner, which drops one who takes nothing for some seconds.

use std::collections::VecDeque;
use std::io::{BufRead as _, BufReader, ErrorKind};
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use swissmatch_host::{gallery, run_dir};
use swissmatch_tournament::live::{LiveGame, LiveLine};

use super::news::{About, News};
use super::stop::Stop;

/// Between two looks at what is due.
const TICK: Duration = Duration::from_millis(100);
/// Before a runner is looked for again.
const AGAIN: Duration = Duration::from_millis(500);
/// Of a game that is shown late one state is kept for so long.
const KEPT: Duration = Duration::from_secs(1);
/// No line is longer: a game has as many moves as its rules allow.
const LONGEST: usize = 4 << 20;

/// Where live lines come from.
#[derive(Debug)]
pub(super) enum Source {
    /// The socket of whichever runner is at work.
    Socket,
    /// A connection that the runner gave; its end is the end.
    Given(UnixStream),
}

/// Tells the games of the run in `dir` until the server stops, so much later than they are played, or as its runner says; and at how
/// many slots.
pub(super) fn tell(dir: &Path, source: Source, delay: Duration, (news, slots): (&News, &AtomicUsize), stop: &Stop) {
    let mut late = Late::after(delay);
    match source {
        Source::Given(stream) => listen(stream, &mut late, (news, slots), stop),
        Source::Socket => {
            while !stop.is_asked() {
                let runner = run_dir::is_taken(dir).then(|| gallery::connect(dir));
                if let Some(Ok(stream)) = runner {
                    listen(stream, &mut late, (news, slots), stop);
                }
                late.tell_due(news);
                stop.wait(AGAIN);
            }
        }
    }
    while !late.is_empty() && !stop.is_asked() {
        late.tell_due(news);
        stop.wait(TICK);
    }
}

/// Until the other side closes.
fn listen(stream: UnixStream, late: &mut Late, (news, slots): (&News, &AtomicUsize), stop: &Stop) {
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
                        slots.store(event.slots, Ordering::Relaxed);
                        // Another runner may have another one: it comes before any game.
                        late.delay = event.delay_ms.map_or(late.delay, Duration::from_millis);
                    }
                    // A line of another version is nobody's fault; who is turned away hears why.
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
        late.tell_due(news);
    }
    late.end();
}

/// States of games that are told later than they came.
struct Late {
    delay: Duration,
    waiting: VecDeque<Waiting>,
}

struct Waiting {
    since: Instant,
    told: Told,
}

enum Told {
    Game(Box<LiveGame>),
    /// No runner plays any more.
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
        let now = Instant::now();
        let told = Told::Game(Box::new(game));
        if !self.delay.is_zero() {
            // A long delay at many slots would take much memory.
            let is_of_slot = |waiting: &&mut Waiting| match (&waiting.told, &told) {
                (Told::Game(known), Told::Game(new)) => known.slot == new.slot,
                _ => false,
            };
            let last = self.waiting.iter_mut().rev().find(is_of_slot);
            if let Some(last) = last.filter(|last| now < last.since + KEPT) {
                last.told = told;
                return;
            }
        }
        self.waiting.push_back(Waiting { since: now, told });
    }

    fn end(&mut self) {
        let since = Instant::now();
        self.waiting.push_back(Waiting { since, told: Told::End });
    }

    fn tell_due(&mut self, news: &News) {
        // A state may have taken the place of one that came up to so much earlier.
        let wait = match self.delay.is_zero() {
            true => Duration::ZERO,
            false => self.delay + KEPT,
        };
        let now = Instant::now();
        while let Some(next) = self.waiting.pop_front_if(|next| next.since + wait <= now) {
            match next.told {
                Told::Game(game) => news.tell(About::Slot(game.slot), &LiveLine::Game(game)),
                Told::End => news.forget(|about, _| matches!(about, About::Slot(_))),
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

    /// A runner that takes a run up may show it later than the one before: what counts is what it says.
    #[test]
    fn games_are_told_as_late_as_their_runner_says() {
        let (mut runner, given) = UnixStream::pair().expect("a pair");
        let (news, stop) = (Arc::new(News::after(0)), Arc::new(Stop::default()));
        let told = {
            let (news, stop) = (Arc::clone(&news), Arc::clone(&stop));
            let slots = AtomicUsize::new(0);
            let listens = move || {
                let source = Source::Given(given);
                tell(Path::new(""), source, Duration::ZERO, (&news, &slots), &stop);
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
}
