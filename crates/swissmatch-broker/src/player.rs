//! A player of whom the broker answers questions: what its calls say, what is told of them, its time off the clock.

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use hyper::Uri;
use tokio::sync::watch;

use super::endpoint::{EndpointError, address};
pub use super::grade::Mend;
use super::kept::Texts;
pub use super::manner::{ResponseFormat, TokenKey};
use super::money::{Micros, Tokens};
use super::off_clock::OffClock;
pub use super::reply::Usage;
use super::wire::Failure;

/// Most reports that wait to be taken.
const REPORTS: usize = 64;
/// How often it is looked what has become of a call at its limit, and how near to it that is.
const LOOK: Duration = Duration::from_millis(2);
const NEAR: Duration = Duration::from_millis(10);

/// What the calls of a player say, as the event has it.
#[derive(Clone, Debug)]
pub struct Session {
    /// The player's name.
    pub player: String,
    /// Which model is asked for.
    pub model: String,
    /// Most tokens of an answer.
    pub max_tokens: u64,
    /// What that is called.
    pub token_key: TokenKey,
    /// How much chance there is.
    pub temperature: Option<f64>,
    /// From how much of what is likely is chosen.
    pub top_p: Option<f64>,
    /// What chance begins with.
    pub sampling_seed: Option<i64>,
    /// Texts at which an answer ends.
    pub stop_texts: Vec<String>,
    /// How long a model thinks, in the service's word.
    pub reasoning_effort: Option<String>,
    /// What constrains an answer.
    pub response_format: ResponseFormat,
    /// What the move is called in a constrained answer.
    pub tag: String,
    /// Whether texts are handed over with each report: the runner alone knows which answers were legal moves. The ledger has their hashes
    /// in any case.
    pub has_texts: bool,
}

impl Session {
    /// A player with a model, by the defaults.
    pub fn new(player: &str, model: &str) -> Self {
        Self {
            player: player.to_owned(),
            model: model.to_owned(),
            max_tokens: 500,
            token_key: TokenKey::default(),
            temperature: None,
            top_p: None,
            sampling_seed: None,
            stop_texts: Vec::new(),
            reasoning_effort: None,
            response_format: ResponseFormat::default(),
            tag: "uci_move".to_owned(),
            has_texts: true,
        }
    }
}

/// What answers a player's questions.
#[derive(Clone, Debug)]
pub enum AnswerSource {
    /// A model at the endpoint with this index.
    Model(usize, Box<Session>),
    /// The player's own server.
    Url(String, Uri),
}

impl AnswerSource {
    /// A server of the player's own.
    ///
    /// # Errors
    /// When that is no address.
    pub fn url(player: &str, url: &str) -> Result<Self, EndpointError> {
        Ok(Self::Url(player.to_owned(), address(url)?))
    }
}

/// What is told of a call.
#[derive(Clone, Debug)]
pub struct CallReport {
    /// The game, as the runner called it.
    pub game: String,
    /// What the service says that it used, in the try that was answered.
    pub usage: Option<Usage>,
    /// What all tries cost; `None`: nobody knows.
    pub cost: Option<Micros>,
    /// What all tries count as in the ledger.
    pub counted: Tokens,
    /// From the last try until the first byte that says something.
    pub first_byte: Option<Duration>,
    /// From the call until its end.
    pub latency: Duration,
    /// Of this, what was off the clock.
    pub off_clock: Duration,
    /// How often it was sent.
    pub tries: u32,
    /// Why the answer ended.
    pub finish: Option<String>,
    /// Which model the service says that it was.
    pub served_model: Option<String>,
    /// What the service calls its own state.
    pub fingerprint: Option<String>,
    /// What the service calls the answer.
    pub id: Option<String>,
    /// Whose failure it was, and why.
    pub failed: Option<(Failure, String)>,
    /// What of the organizer's has to be mended, where the service says so.
    pub mend: Option<Mend>,
    /// Whether a limit of the spending is why.
    pub is_spent: bool,
    /// Whether it was hung up.
    pub is_hung_up: bool,
    /// What was said in the last try, where texts are handed over.
    pub texts: Option<Texts>,
}

impl CallReport {
    pub(crate) fn new(game: String) -> Self {
        Self {
            game,
            usage: None,
            cost: None,
            counted: Tokens::default(),
            first_byte: None,
            latency: Duration::ZERO,
            off_clock: Duration::ZERO,
            tries: 0,
            finish: None,
            served_model: None,
            fingerprint: None,
            id: None,
            failed: None,
            mend: None,
            is_spent: false,
            is_hung_up: false,
            texts: None,
        }
    }
}

/// What the broker and the runner both know of a player.
#[derive(Debug)]
pub struct BrokerPlayer {
    pub(crate) source: AnswerSource,
    pub(crate) off_clock: OffClock,
    now: Mutex<Now>,
    reports: Mutex<VecDeque<CallReport>>,
    is_open: Mutex<bool>,
    ended: Condvar,
    hung_up: watch::Sender<()>,
}

/// A call of a player that is open, until it is dropped.
pub(crate) struct OpenCall<'a> {
    player: &'a BrokerPlayer,
    hung_up: watch::Receiver<()>,
}

impl OpenCall<'_> {
    /// Until the runner hangs it up.
    pub(crate) async fn hung_up(&mut self) {
        if self.hung_up.changed().await.is_err() {
            std::future::pending().await
        }
    }
}

impl Drop for OpenCall<'_> {
    fn drop(&mut self) {
        *self.player.is_open.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.player.ended.notify_all();
    }
}

/// The question that is open.
#[derive(Clone, Debug, Default)]
pub(crate) struct Now {
    pub(crate) game: String,
    /// Since when, and how long an answer may take on the clock.
    pub(crate) limit: Option<(Instant, Duration)>,
}

impl BrokerPlayer {
    pub(crate) fn new(source: AnswerSource) -> Self {
        Self {
            source,
            off_clock: OffClock::default(),
            now: Mutex::default(),
            reports: Mutex::default(),
            is_open: Mutex::new(false),
            ended: Condvar::new(),
            hung_up: watch::Sender::new(()),
        }
    }

    /// The next calls are of this game.
    pub fn play(&self, game: &str) {
        self.with(|now| game.clone_into(&mut now.game));
    }

    /// The player is asked for a move now, and has so long; what was off the clock before is forgotten.
    ///
    /// Whoever judges that limit adds [`Self::off_clock`] to it. A call without a byte is judged here at the same moment: its time off the
    /// clock runs on while that is found out, and is taken back where it was the agent's after all.
    pub fn ask(&self, at: Instant, limit: Option<Duration>) {
        self.off_clock.reset();
        self.with(|now| now.limit = limit.map(|limit| (at, limit)));
    }

    /// How much of the time since [`Self::ask`] is off the clock.
    pub fn off_clock(&self, now: Instant) -> Duration {
        self.off_clock.read(now)
    }

    /// What there is to tell of calls that ended, once.
    pub fn take_reports(&self) -> Vec<CallReport> {
        self.reports
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .drain(..)
            .collect()
    }

    /// Nobody waits for the answer to a call that is open: it is hung up. When this returns, after `most` at the latest, it has ended and
    /// its report can be taken.
    pub fn hang_up(&self, most: Duration) {
        let is_open = self.is_open.lock().unwrap_or_else(PoisonError::into_inner);
        if *is_open {
            self.hung_up.send_replace(());
        }
        // One that takes longer is told of later.
        drop(self.ended.wait_timeout_while(is_open, most, |is_open| *is_open));
    }

    /// Waits, `most` at the longest, until a call that has come to its limit has ended, or goes on with time of its own. Meanwhile its time
    /// off the clock has begun to grow, where that is found out which it is, and not only been begun.
    pub fn judged(&self, most: Duration) {
        let until = Instant::now() + most;
        let is_open = || *self.is_open.lock().unwrap_or_else(PoisonError::into_inner);
        let has_time = |now| self.late_at(now).is_none_or(|late| now + NEAR < late);
        while is_open() {
            let now = Instant::now();
            if now >= until || (!self.off_clock.is_running() && has_time(now)) {
                break;
            }
            std::thread::sleep(LOOK);
        }
    }

    /// When an answer is late, by what is off the clock so far; `None`: never.
    pub(crate) fn late_at(&self, now: Instant) -> Option<Instant> {
        let (at, limit) = self.now().limit?;
        Some(at + limit + self.off_clock(now))
    }

    /// A call is open from here on.
    pub(crate) fn open(&self) -> OpenCall<'_> {
        let mut is_open = self.is_open.lock().unwrap_or_else(PoisonError::into_inner);
        *is_open = true;
        OpenCall {
            player: self,
            hung_up: self.hung_up.subscribe(),
        }
    }

    pub(crate) fn report(&self, report: CallReport) {
        let mut reports = self.reports.lock().unwrap_or_else(PoisonError::into_inner);
        if reports.len() == REPORTS {
            reports.pop_front();
        }
        reports.push_back(report);
    }

    pub(crate) fn now(&self) -> Now {
        self.with(|now| now.clone())
    }

    pub(crate) fn name(&self) -> &str {
        match &self.source {
            AnswerSource::Model(_, session) => &session.player,
            AnswerSource::Url(player, _) => player,
        }
    }

    fn with<T>(&self, work: impl FnOnce(&mut Now) -> T) -> T {
        work(&mut self.now.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
