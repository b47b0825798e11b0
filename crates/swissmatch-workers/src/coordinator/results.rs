//! Results on their way to the log: their parts, their content, and when the server may drop them.
//!
//! May not: give games out.

use std::collections::BTreeMap;

use swissmatch_game::record::GameId;
use swissmatch_host::host::{HostReport, NotPlayedCause};

use super::{Coordinator, ResultKey};
use crate::book::MessageFate;
use crate::carrier::ResultDelivery;
use crate::wire::{ResultMessage, RunnerSays};

/// The most waiting parts of a worker's results, and the most parts of one result.
const MOST_WAITING: usize = 1000;
const MOST_PARTS: usize = 512;
/// How many games in a row a machine may fail to play through no fault of anyone.
const MOST_FAILURES: u32 = 5;

/// A result with parts still missing, or one whose game has to be wanted or logged first.
#[derive(Debug, Default)]
pub(super) struct PendingResult {
    pub(super) parts: BTreeMap<usize, ResultDelivery>,
    /// It has been reported to the runner.
    pub(super) is_told: bool,
}

impl Coordinator {
    /// Notes that the log has these games.
    pub(super) async fn are_booked(&mut self, games: Vec<(GameId, u32)>) {
        for (game, issue) in games {
            self.booked.insert(game, issue);
            for key in self.results_of(game).into_iter().filter(|((_, of), _)| *of <= issue) {
                self.settle(&key).await;
            }
        }
    }

    /// Drops a result that is no longer needed.
    async fn settle(&mut self, key: &ResultKey) {
        if self.waiting.contains_key(key) {
            let (game, worker) = key;
            self.say(Some(worker), RunnerSays::Settled(vec![*game])).await;
            self.let_go(key);
        }
    }

    /// Lets the server drop a result.
    fn let_go(&mut self, key: &ResultKey) {
        if let Some(PendingResult { parts, .. }) = self.waiting.remove(key) {
            tokio::spawn(async move {
                for told in parts.values() {
                    // If this fails it comes again.
                    drop(told.done().await);
                }
            });
        }
    }

    pub(super) fn is_settled(&self, (game, issue): (GameId, u32)) -> bool {
        self.booked.get(&game).is_some_and(|booked| issue <= *booked)
    }

    /// The worker that has already played a game, or was given it by the runner before this one.
    pub(super) fn holder_of(&self, game: (GameId, u32)) -> Option<String> {
        if !self.book.has_earlier() {
            return None;
        }
        let of_game = self
            .waiting
            .range((game, String::new())..)
            .take_while(|((of, _), _)| *of == game);
        let mut come = of_game.filter(|((_, worker), waiting)| waiting.is_whole() && self.known.contains_key(worker));
        let come = come.next().map(|((_, worker), _)| worker.clone());
        come.or_else(|| self.shared.under_way_at(game))
    }

    /// Takes a part of a result.
    pub(super) async fn came(&mut self, told: ResultDelivery) {
        let key = (told.name.game, told.name.worker.clone());
        if self.staff.is_refused(&key.1) || self.is_too_much(&told) {
            // It is sent again as long as the server keeps it.
            return drop(tokio::spawn(async move { drop(told.done().await) }));
        }
        let waiting = self.waiting.entry(key.clone()).or_default();
        waiting.parts.insert(told.name.part, told);
        if self.is_settled(key.0) {
            return self.settle(&key).await;
        }
        self.look_at(&key);
    }

    /// True if a worker has sent more than any worker has to, so that this part is not kept.
    fn is_too_much(&self, told: &ResultDelivery) -> bool {
        let its = self
            .waiting
            .iter()
            .filter(|((_, worker), _)| *worker == told.name.worker);
        let parts: usize = its.map(|(_, waiting)| waiting.parts.len()).sum();
        told.name.of > MOST_PARTS || parts >= MOST_WAITING
    }

    /// Looks at results that have come early, now that the game is wanted.
    pub(super) fn look_at_results(&mut self, game: GameId) {
        self.results_of(game).iter().for_each(|key| self.look_at(key));
    }

    fn results_of(&self, game: GameId) -> Vec<ResultKey> {
        let its = self.waiting.range(((game, 0), String::new())..);
        let its = its.take_while(|(((of, _), _), _)| *of == game);
        its.map(|(key, _)| key.clone()).collect()
    }

    /// Looks at a result that is complete, if its game is wanted.
    pub(super) fn look_at(&mut self, key: &ResultKey) {
        let ((game, issue), worker) = key;
        let Some(waiting) = self.waiting.get_mut(key) else {
            return;
        };
        if waiting.is_told || !waiting.is_whole() || !self.book.is_wanted(*game, *issue) {
            return;
        }
        // The log has to know the worker first.
        let Some(class) = self.known.get(worker).cloned() else {
            return;
        };
        waiting.is_told = true;
        let text: Vec<u8> = waiting.parts.values().flat_map(ResultDelivery::text).copied().collect();
        let now = self.begun.elapsed();
        let counts = match serde_json::from_slice::<ResultMessage>(&text) {
            Ok(message) if (message.game, message.issue) == (*game, *issue) => {
                self.book.comes((worker, &class), message, now)
            }
            // The game will be missed and given again.
            _ => MessageFate::Superseded,
        };
        let worker = worker.clone();
        match counts {
            MessageFate::Superseded => self.let_go(key),
            MessageFate::Tells(report) => {
                let failed = match &*report {
                    // Nothing has to be kept of a game that was not played; the same worker may try again.
                    HostReport::NotPlayed { whose, why, .. } => {
                        self.let_go(key);
                        (*whose != NotPlayedCause::Stop).then(|| why.clone())
                    }
                    _ => None,
                };
                self.shared.tell(*report);
                let failures = self.failures.entry(worker.clone()).or_default();
                *failures = if failed.is_some() { *failures + 1 } else { 0 };
                if let Some(last) = failed.filter(|_| *failures >= MOST_FAILURES) {
                    let why = format!("it could not play {failures} games in a row; the last: {last}");
                    self.dismiss(&worker, why);
                }
            }
            MessageFate::Refused(why) => {
                let why = format!("what it sent of game {game} was refused: {why}");
                self.let_go(key);
                self.dismiss(&worker, why);
            }
        }
    }
}

impl PendingResult {
    pub(super) fn is_whole(&self) -> bool {
        self.parts
            .values()
            .next()
            .is_some_and(|told| self.parts.len() == told.name.of)
    }
}
