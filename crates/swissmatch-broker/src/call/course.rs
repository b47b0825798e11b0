//! The course of a call to a model.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use serde_json::Value;
use swiss_system::word::Word as _;
use tokio::time::{sleep, timeout, timeout_at};

use super::super::grade::Fault;
use super::super::kept::Texts;
use super::super::ledger::{LedgerError, LedgerRequest, hash};
use super::super::money::Tokens;
use super::super::player::{BrokerPlayer, CallReport, Session};
use super::super::queue::ServicePlace;
use super::super::reply::ModelAnswer;
use super::super::request::body;
use super::super::shared::{BrokerState, Service};
use super::super::wire::{Failure, Message, Reply};
use super::exchange::{HeardTimes, exchange, has_byte, request};
use super::open::{CallTally, OpenRequest};
use super::outage;
use super::pauses::pause;
use super::probe::{probe, question};
use super::{late_at, shown, until};

/// How long a service fails a call before it is checked for being away.
const NOTICE: Duration = Duration::from_secs(5);
/// The time limit for that check, including the wait for a place.
const LONGEST_LOOK: Duration = Duration::from_mins(2);

pub(super) struct Course<'a> {
    shared: &'a Arc<BrokerState>,
    player: &'a BrokerPlayer,
    service: &'a Service,
    session: &'a Session,
    body: Bytes,
    begun: Instant,
    /// Time off the clock from before.
    off_before: Duration,
    /// The report, until it is sent.
    report: Option<CallReport>,
    tally: Arc<Mutex<CallTally>>,
}

impl<'a> Course<'a> {
    pub(super) fn new(
        shared: &'a Arc<BrokerState>,
        player: &'a BrokerPlayer,
        (service, session): (&'a Service, &'a Session),
        (messages, legal): (&[Message], &[String]),
    ) -> Self {
        let body = body(&service.endpoint, session, messages, legal);
        Self {
            shared,
            player,
            service,
            session,
            body: Value::Object(body).to_string().into(),
            begun: Instant::now(),
            off_before: player.off_clock(Instant::now()),
            report: Some(CallReport::new(player.now().game)),
            tally: Arc::default(),
        }
    }

    fn is_events(&self) -> bool {
        self.service.endpoint.owner_is_event
    }

    /// From `since` on, time is off the clock.
    fn off_clock(&self, since: Instant) {
        if self.is_events() {
            self.player.off_clock.run(since);
        }
    }

    /// Waits for work that is not the agent's doing; if the service is the player's own, no longer than the limit.
    async fn wait_for<T>(&self, work: impl Future<Output = T>, patient_until: Option<Instant>) -> Option<T> {
        let late = if self.is_events() { None } else { late_at(self.player) };
        let end = [late, patient_until].into_iter().flatten().min();
        match end {
            Some(end) => timeout_at(end.into(), work).await.ok(),
            None => Some(work.await),
        }
    }

    /// Tries until there is an answer, or nobody may wait any longer.
    pub(super) async fn run(&mut self) -> Result<Reply, Fault> {
        let mut failing_since = None;
        let ended = self.try_again(&mut failing_since).await;
        match (&ended, failing_since) {
            (Ok(_), _) => self.shared.answers(self.service, Some(&self.session.model)),
            (Err(fault), Some(since)) if fault.whose == Failure::Transport => self.look(since, fault).await,
            (Err(_), _) => {}
        }
        ended
    }

    /// The loop of [`Self::run`]; notes when the service began to fail the call.
    async fn try_again(&mut self, failing_since: &mut Option<Instant>) -> Result<Reply, Fault> {
        let late = || Fault::new(Failure::Late, "there is no answer within the limit");
        let mut patient_until = None;
        let mut last: Option<Fault> = None;
        let mut has_looked = false;
        loop {
            self.off_clock(Instant::now());
            let number = self.shared.ledger().number();
            let queued = async {
                let place = self.service.queue.place().await;
                self.service.queue.request(number, self.most_tokens()).await;
                place
            };
            let Some(place) = self.wait_for(queued, patient_until).await else {
                return Err(last.unwrap_or_else(late));
            };
            let tried = Instant::now();
            self.player.off_clock.settle(tried);
            let fault = match self.attempt(number, place).await {
                Ok(reply) => return Ok(reply),
                Err(fault) => fault,
            };
            if fault.whose != Failure::Transport {
                return Err(fault);
            }
            self.off_clock(tried);
            let now = Instant::now();
            let since = *failing_since.get_or_insert(tried);
            let until = *patient_until.get_or_insert(now + self.service.endpoint.patience);
            if let Some(wait) = fault.wait {
                self.service
                    .queue
                    .hold((now + wait.min(self.service.endpoint.patience)).into());
            }
            let pause = fault.wait.unwrap_or_else(|| pause(self.tries()));
            if now + pause > until {
                return Err(fault);
            }
            // A service that asks to be left alone for a while is there.
            if !has_looked && fault.wait.is_none() && now >= since + NOTICE {
                has_looked = true;
                self.look(since, &fault).await;
            }
            if self.wait_for(sleep(pause), Some(until)).await.is_none() {
                return Err(fault);
            }
            last = Some(fault);
        }
    }

    /// A service fails this call. If it does not answer one of a single token either, it is away, and whoever
    /// conducts the games is told; otherwise it fails this call alone.
    async fn look(&self, since: Instant, fault: &Fault) {
        let model = &self.session.model;
        if !self.is_events() || !self.shared.is_listened_to() || self.service.outages.is_away(model) {
            return;
        }
        let seen = match fault.is_silence || fault.wait.is_some() {
            true => Some(fault.clone()),
            false => {
                let game = self.game();
                let probe = probe(self.shared, self.service, (self.session, &game));
                // If others hold all places for so long, they are being answered.
                timeout(LONGEST_LOOK, probe).await.unwrap_or(None)
            }
        };
        if let Some(seen) = seen {
            outage::begin(self.shared, self.service, self.session, (since, &seen));
        }
    }

    fn tries(&self) -> u32 {
        self.report.as_ref().map_or(0, |report| report.tries)
    }

    /// The most that a try can use: a byte has at most one token.
    fn most_tokens(&self) -> Tokens {
        Tokens(self.body.len() as u64).and(Tokens(self.session.max_tokens))
    }

    /// One try.
    async fn attempt(&mut self, number: u64, place: ServicePlace) -> Result<Reply, Fault> {
        let request = request(&self.service.endpoint, self.body.clone())?;
        let most = (Tokens(self.body.len() as u64), Tokens(self.session.max_tokens));
        let mut open = self.reserve(number, &self.body.clone(), most, false)?;
        let tried = Instant::now();
        let mut silent = self.service.silent_since.subscribe();
        let heard = HeardTimes::default();
        let mut answer = ModelAnswer::default();
        let mut is_at_limit = false;
        let ended = {
            let exchange = exchange(&self.shared.http, request, (&mut answer, &heard));
            let died = async {
                while silent.changed().await.is_ok() {
                    let since = *silent.borrow();
                    if since.is_some_and(|since| heard.last().is_none_or(|last| last < since.into_std())) {
                        return;
                    }
                }
                std::future::pending().await
            };
            tokio::select! {
                ended = exchange => ended,
                () = died => Err(Fault::silence("the service has stopped answering")),
                () = until(late_at(self.player)) => {
                    is_at_limit = true;
                    Err(Fault::new(Failure::Late, "there is no answer within the limit"))
                }
            }
        };
        let ended = match ended {
            Err(fault) if is_at_limit && heard.first().is_none() && self.is_events() => {
                open.end(fault.whose.word(), None, &answer)?;
                Err(self.judged(fault, place).await)
            }
            ended => {
                let (end, said) = match &ended {
                    Ok(reply) => ("reply", Some(reply.content.as_bytes())),
                    Err(fault) => (fault.whose.word(), None),
                };
                open.was_turned_away = ended.as_ref().is_err_and(|fault| fault.is_free);
                open.end(end, said, &answer)?;
                ended
            }
        };
        let texts = self.texts(&answer);
        if let Some(report) = &mut self.report {
            report.first_byte = heard.first().map(|first| first.duration_since(tried));
            report.usage = answer.usage;
            report.finish = answer.finish;
            report.served_model = answer.model;
            report.fingerprint = answer.fingerprint;
            report.id = answer.id;
            report.texts = texts;
        }
        ended
    }

    /// The texts of the call, if they are handed over, with the key removed if the service repeats it.
    fn texts(&self, answer: &ModelAnswer) -> Option<Texts> {
        let key = self.service.endpoint.key.as_ref();
        let without_key = |text: &str| key.map_or_else(|| text.to_owned(), |key| key.redacted(text));
        let some = |text: &String| (!text.is_empty()).then(|| without_key(text));
        let reply = || Reply {
            content: without_key(&answer.content),
            reasoning: some(&answer.reasoning),
            finish: answer.finish.clone().unwrap_or_default(),
            refusal: some(&answer.refusal),
        };
        self.session.has_texts.then(|| Texts::new(&self.body, reply()))
    }

    /// Writes down that a request is about to be sent.
    fn reserve(
        &mut self,
        number: u64,
        body: &[u8],
        most: (Tokens, Tokens),
        probe: bool,
    ) -> Result<OpenRequest<'a>, Fault> {
        let price = self.service.endpoint.price;
        let asked = LedgerRequest {
            request: number,
            player: self.session.player.clone(),
            game: self.game(),
            endpoint: self.service.endpoint.name.clone(),
            probe,
            hash: hash(body),
            tokens: most.0.and(most.1),
            money: price.map(|price| price.most(most.0, most.1)),
        };
        let open = OpenRequest::reserve((self.shared, self.service), asked, &self.tally);
        if let Some(report) = &mut self.report {
            report.is_spent |= matches!(open, Err(LedgerError::Spent { .. }));
            report.tries += u32::from(!probe && open.is_ok());
        }
        open.map_err(|error| Fault::new(Failure::Configuration, error.to_string()))
    }

    fn game(&self) -> String {
        let report = self.report.as_ref();
        report.map(|report| report.game.clone()).unwrap_or_default()
    }

    /// A call had no byte by its limit: the agent's failure, unless the service does not answer anybody either.
    async fn judged(&mut self, late: Fault, place: ServicePlace) -> Fault {
        self.off_clock(Instant::now());
        let Some((_, limit)) = self.player.now().limit else {
            return late;
        };
        if self.is_there(limit).await {
            self.player.off_clock.take_back();
            return late;
        }
        drop(place);
        // All of this try was the service's time: the next try subtracts it from its beginning.
        Fault::silence("the service answered nobody within the limit")
    }

    /// True if the service has a byte for a call of one token, within the limit. Callers that ask at the same time
    /// share one answer.
    async fn is_there(&mut self, limit: Duration) -> bool {
        let asked_at = tokio::time::Instant::now();
        let mut probed = self.service.probed.lock().await;
        if let Some((ended, has_byte)) = *probed
            && ended >= asked_at
        {
            return has_byte;
        }
        let body = question(self.service, self.session);
        let most = (Tokens(body.len() as u64), Tokens(1));
        let number = self.shared.ledger().number();
        self.service.queue.request(number, most.0.and(most.1)).await;
        let Ok(mut open) = self.reserve(number, &body, most, true) else {
            return true;
        };
        let Ok(request) = request(&self.service.endpoint, body) else {
            return true;
        };
        let begun = tokio::time::Instant::now();
        let has_byte = timeout(limit, has_byte(&self.shared.http, request))
            .await
            .unwrap_or(false);
        let word = if has_byte { "reply" } else { "transport" };
        // Its cost is not known, and stays reserved.
        let _ = open.end(word, None, &ModelAnswer::default());
        *probed = Some((tokio::time::Instant::now(), has_byte));
        if !has_byte {
            self.service.silent_since.send_replace(Some(begun));
        }
        has_byte
    }

    /// Ends the call and sends its report.
    pub(super) fn end(mut self, ended: Result<Reply, Fault>) -> Result<Reply, Fault> {
        let key = self.service.endpoint.key.as_ref();
        let ended = ended.map_err(|fault| Fault {
            why: shown(&fault.why, key),
            ..fault
        });
        self.player.off_clock.settle(Instant::now());
        if let Some(mut report) = self.report.take() {
            report.failed = ended.as_ref().err().map(|fault| (fault.whose, fault.why.clone()));
            report.mend = ended.as_ref().err().and_then(|fault| fault.mend);
            self.tell(report);
        }
        ended
    }

    fn tell(&self, report: CallReport) {
        let tally = *self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        self.player.report(CallReport {
            latency: self.begun.elapsed(),
            off_clock: self.player.off_clock(Instant::now()).saturating_sub(self.off_before),
            counted: tally.tokens,
            cost: tally.cost,
            ..report
        });
    }
}

impl Drop for Course<'_> {
    fn drop(&mut self) {
        if let Some(report) = self.report.take() {
            self.player.off_clock.settle(Instant::now());
            self.tell(CallReport {
                is_hung_up: true,
                texts: report.texts.clone().or_else(|| self.texts(&ModelAnswer::default())),
                ..report
            });
        }
    }
}
