//! An open request: the most that it may cost is reserved before it is sent, and settled when it has ended.

use std::sync::{Arc, Mutex, PoisonError};

use super::super::grade::Fault;
use super::super::ledger::{LedgerError, LedgerRequest, RequestEnd, counted, hash};
use super::super::money::{Micros, Tokens};
use super::super::reply::ModelAnswer;
use super::super::shared::{BrokerState, Service};
use super::super::wire::Failure;

/// The totals that all requests of a call count as.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallTally {
    pub(super) tokens: Tokens,
    /// `None` if nobody knows.
    pub(super) cost: Option<Micros>,
}

impl Default for CallTally {
    fn default() -> Self {
        Self {
            tokens: Tokens(0),
            cost: Some(Micros(0)),
        }
    }
}

/// An open request. If it is dropped without an end, it was hung up: nobody knows what it used.
pub(super) struct OpenRequest<'a> {
    shared: &'a BrokerState,
    service: &'a Service,
    tally: Arc<Mutex<CallTally>>,
    asked: LedgerRequest,
    /// True if it did nothing at the service that could cost.
    pub(super) was_turned_away: bool,
    has_ended: bool,
}

impl<'a> OpenRequest<'a> {
    /// Writes down that a request is about to be sent.
    ///
    /// # Errors
    /// When it may not be sent.
    pub(super) fn reserve(
        (shared, service): (&'a BrokerState, &'a Service),
        asked: LedgerRequest,
        tally: &Arc<Mutex<CallTally>>,
    ) -> Result<Self, LedgerError> {
        shared.ledger().ask(asked.clone())?;
        Ok(Self {
            shared,
            service,
            tally: Arc::clone(tally),
            asked,
            was_turned_away: false,
            has_ended: false,
        })
    }

    pub(super) fn end(&mut self, word: &str, said: Option<&[u8]>, answer: &ModelAnswer) -> Result<(), Fault> {
        self.has_ended = true;
        let price = self.service.endpoint.price;
        let (tokens, money, known) = counted(&self.asked, answer.usage, price, self.was_turned_away);
        self.service.queue.settle(self.asked.request, tokens);
        {
            let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
            tally.tokens = tally.tokens.and(tokens);
            tally.cost = tally
                .cost
                .zip(money.filter(|_| known))
                .map(|(sum, money)| sum.and(money));
        }
        let ended = RequestEnd {
            request: self.asked.request,
            end: word.to_owned(),
            hash: said.map(hash),
            tokens,
            money,
            known,
        };
        let written = self.shared.ledger().end(ended);
        written.map_err(|error| Fault::new(Failure::Configuration, format!("the ledger cannot be written: {error}")))
    }
}

impl Drop for OpenRequest<'_> {
    fn drop(&mut self) {
        if !self.has_ended {
            // Unwritten, it counts as the same.
            let _ = self.end("hung-up", None, &ModelAnswer::default());
        }
    }
}
