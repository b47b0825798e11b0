//! A player whose questions the broker answers: the settings of its calls, the reports on them, its time off the clock.

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

/// The most reports that wait to be taken.
const REPORTS: usize = 64;
/// How often the state of a call is checked at its limit, and how near to the limit this begins.
const LOOK: Duration = Duration::from_millis(2);
const NEAR: Duration = Duration::from_millis(10);

/// The settings of a player's calls, as the event has them.
#[derive(Clone, Debug)]
pub struct Session {
    pub player: String,
    /// The model that is asked for.
    pub model: String,
    /// The most tokens of an answer.
    pub max_tokens: u64,
    /// The name that calls use for this limit.
    pub token_key: TokenKey,
    pub temperature: Option<f64>,
    pub top_p: Option<f64>,
    /// The seed of the model's sampling.
    pub sampling_seed: Option<i64>,
    /// Texts at which an answer ends.
    pub stop_texts: Vec<String>,
    /// How long a model thinks, in the service's word.
    pub reasoning_effort: Option<String>,
    pub response_format: ResponseFormat,
    /// The name of the move in a constrained answer.
    pub tag: String,
    /// True if texts are handed over with each report: only the runner knows which answers were legal moves. The
    /// ledger has their hashes in any case.
    pub has_texts: bool,
}

impl Session {
    /// A player with a model, with default settings.
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

/// The source of answers to a player's questions.
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
    /// When the text is not an address.
    pub fn url(player: &str, url: &str) -> Result<Self, EndpointError> {
        Ok(Self::Url(player.to_owned(), address(url)?))
    }
}

/// The report on a call.
#[derive(Clone, Debug)]
pub struct CallReport {
    /// The runner's name for the game.
    pub game: String,
    /// The usage that the service reports for the try that was answered.
    pub usage: Option<Usage>,
    /// The cost of all tries; `None` if nobody knows.
    pub cost: Option<Micros>,
    /// The tokens of all tries that count in the ledger.
    pub counted: Tokens,
    /// From the last try until the first byte that carries content.
    pub first_byte: Option<Duration>,
    /// From the call until its end.
    pub latency: Duration,
    /// The part of `latency` that was off the clock.
    pub off_clock: Duration,
    /// How often the call was sent.
    pub tries: u32,
    pub finish: Option<String>,
    /// The model that answered, by the service's own account.
    pub served_model: Option<String>,
    /// The service's name for its own state.
    pub fingerprint: Option<String>,
    /// The service's name for the answer.
    pub id: Option<String>,
    /// Whose failure it was, and why.
    pub failed: Option<(Failure, String)>,
    /// What the organizer has to mend, if the service says so.
    pub mend: Option<Mend>,
    /// True if the call failed because of a limit of the spending.
    pub is_spent: bool,
    pub is_hung_up: bool,
    /// The texts of the last try, if texts are handed over.
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

/// The state of a player that the broker and the runner share.
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

/// An open call of a player; dropping it ends it.
pub(crate) struct OpenCall<'a> {
    player: &'a BrokerPlayer,
    hung_up: watch::Receiver<()>,
}

impl OpenCall<'_> {
    /// Waits until the runner hangs the call up.
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
    /// When it was asked, and how long an answer may take on the clock.
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

    /// Says that the next calls belong to this game.
    pub fn play(&self, game: &str) {
        self.with(|now| game.clone_into(&mut now.game));
    }

    /// Says that the player is asked for a move now, with this limit; earlier time off the clock is forgotten.
    ///
    /// The caller adds [`Self::off_clock`] to the limit when judging it. A call without a byte is judged here at the
    /// same moment: its time off the clock runs on while the cause is found out, and is taken back if it was the
    /// agent's after all.
    pub fn ask(&self, at: Instant, limit: Option<Duration>) {
        self.off_clock.reset();
        self.with(|now| now.limit = limit.map(|limit| (at, limit)));
    }

    /// The part of the time since [`Self::ask`] that is off the clock.
    pub fn off_clock(&self, now: Instant) -> Duration {
        self.off_clock.read(now)
    }

    /// The reports on calls that ended; each is returned once.
    pub fn take_reports(&self) -> Vec<CallReport> {
        self.reports
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .drain(..)
            .collect()
    }

    /// Hangs up an open call, since nobody waits for its answer. When this returns, after `most` at the latest, it
    /// has ended and its report can be taken.
    pub fn hang_up(&self, most: Duration) {
        let is_open = self.is_open.lock().unwrap_or_else(PoisonError::into_inner);
        if *is_open {
            self.hung_up.send_replace(());
        }
        // A call that takes longer is reported later.
        drop(self.ended.wait_timeout_while(is_open, most, |is_open| *is_open));
    }

    /// Waits, `most` at the longest, until a call that has come to its limit has ended, or goes on with time of its
    /// own. If the cause is being found out, its time off the clock already grows when this returns.
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

    /// When an answer is late, by the time off the clock so far; `None` for never.
    pub(crate) fn late_at(&self, now: Instant) -> Option<Instant> {
        let (at, limit) = self.now().limit?;
        Some(at + limit + self.off_clock(now))
    }

    /// Opens a call.
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
