//! A worker that plays an event: it takes games, plays them, and sends results until the runner's log has them.
//!
//! May not: look for events.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use futures_util::stream::select_all;
use serde_json::Value;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::harmless;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::MissedTickBehavior;

use swissmatch_game::record::GameId;
use swissmatch_host::host::views::Views;
use swissmatch_host::host::{AgentSpec, HostOrder, HostReport, NotPlayedCause, Task};
use swissmatch_tournament::log::PresenceChecked;

use super::{EndOf, Worker};
use crate::admission::{AdmissionError, AdmittedHost, Ground};
use crate::carrier::{Carrier, TaskDelivery, TaskQueue};
use crate::seats::{Do, Seats, WorkerGame};
use crate::server::{CarrierError, PATIENCE, Server};
use crate::spool::Spool;
use crate::wire::{Came, EventCard, ResultMessage, RunnerSays, SeenThere, SignedCard, VERSION, WorkerCard, WorkerSays};

/// How long to wait for tasks, and how long after a failure.
const WAIT: Duration = Duration::from_secs(5);
const PAUSE: Duration = Duration::from_millis(200);
/// How often someone who watches games sees news.
const FRAME: Duration = Duration::from_millis(100);

pub(super) struct Playing<'a> {
    pub(super) me: &'a Worker,
    pub(super) carrier: Carrier,
    pub(super) card: EventCard,
    pub(super) card_hash: String,
    pub(super) machine: Value,
    pub(super) speed: Option<u64>,
    pub(super) session: u64,
    pub(super) admitted: AdmittedHost,
    pub(super) views: Option<Arc<Views>>,
    pub(super) spool: Spool,
    pub(super) seats: Seats,
    pub(super) begun: Instant,
    /// The runner that was last heard, and when.
    pub(super) runner: u64,
    pub(super) heard: Instant,
    pub(super) is_watched: bool,
    pub(super) is_stopping: bool,
    pub(super) has_had_games: bool,
    /// What has been shown of each slot.
    pub(super) seen: BTreeMap<usize, u64>,
    /// The presence check that the runner asked for.
    pub(super) roll: Option<PresenceQuestion>,
    /// Late entries on their way, and tasks with games that wait for them.
    pub(super) coming: Option<Coming>,
    pub(super) later: Vec<Vec<WorkerGame>>,
    /// Why they have not come, as reported.
    pub(super) missed: Option<String>,
    /// Results on their way.
    pub(super) sending: JoinSet<()>,
    /// When each result was last sent.
    pub(super) told: BTreeMap<(GameId, u32), Instant>,
}

/// Late agents whose files are here, by pairing number; `None` if one does not play here.
pub(crate) struct Late {
    pub(super) signed: SignedCard,
    pub(super) card: EventCard,
    pub(super) agents: Vec<Option<AgentSpec>>,
}

/// Late entries on their way.
pub(super) type Coming = JoinHandle<Result<Late, AdmissionError>>;

/// A presence check that the runner asked for.
pub(super) struct PresenceQuestion {
    number: u64,
    round: u32,
    players: Vec<PairingNumber>,
    /// The result of the check.
    seen: Option<Result<SeenThere, String>>,
}

impl Playing<'_> {
    pub(super) async fn run(
        mut self,
        ground: &Ground,
        server: &Server,
        stops: &mut Receiver<()>,
        tell: &mut dyn FnMut(&str),
    ) -> Result<EndOf, AdmissionError> {
        let key = self.me.key().to_owned();
        let mut heard = select_all(self.carrier.hear_runner(&key).await?);
        let (taken, mut tasks) = channel(1);
        let fetching = tokio::spawn(fetch(self.carrier.clone(), key, taken));
        let mut ticks = tokio::time::interval(self.card.lease / 3);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut frames = tokio::time::interval(FRAME);
        frames.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let ended = loop {
            self.go_on();
            if self.is_stopping && self.seats.is_empty() {
                break EndOf::Stopped;
            }
            // A signal that stops this worker may have reached agents, too: it has to be heard before its effects on
            // them.
            tokio::select! {
                biased;
                stop = stops.recv() => {
                    if self.is_stopping || stop.is_none() {
                        break EndOf::Stopped;
                    }
                    self.finishes(tell).await;
                }
                Some(report) = self.admitted.reports.recv() => self.hears(report, tell).await?,
                Some(taken) = tasks.recv() => self.takes(taken).await,
                Some(late) = come(&mut self.coming) => {
                    self.coming = None;
                    self.has_come(late, tell).await?;
                }
                Some(message) = heard.next() => {
                    let Ok(says) = serde_json::from_slice(&message.payload) else { continue };
                    if let Some(ended) = self.told_by_runner(says, ground, server, tell).await? {
                        break ended;
                    }
                }
                _ = ticks.tick() => {
                    self.is_here().await;
                    self.send_again();
                    if self.is_gone().await {
                        tell("the event is over");
                        break EndOf::Over;
                    }
                }
                _ = frames.tick(), if self.is_watched => self.show().await,
            }
        };
        fetching.abort();
        if let Some(coming) = &self.coming {
            coming.abort();
        }
        if matches!(ended, EndOf::Stopped) {
            self.is_stopping = true;
            let later = self.later.iter().flatten().map(WorkerGame::id);
            let left: Vec<_> = self.seats.games().into_iter().chain(later).collect();
            for game in left {
                self.tells(self.not_played(game, NotPlayedCause::Stop, "its worker stopped"));
            }
            for game in self.spool.games() {
                self.send(game);
            }
            self.is_here().await;
            // Results that do not arrive in time are kept here, or missed there.
            let sending = async { while self.sending.join_next().await.is_some() {} };
            drop(tokio::time::timeout(PATIENCE, sending).await);
        }
        Ok(ended)
    }

    /// Begins no more games.
    pub(super) async fn finishes(&mut self, tell: &mut dyn FnMut(&str)) {
        self.is_stopping = true;
        tell("no more games are begun; those under way are finished");
        let later = std::mem::take(&mut self.later).into_iter().flatten();
        let back = self.seats.recall_all().into_iter().chain(later).collect();
        self.not_begun(back, "its worker stops").await;
        self.is_here().await;
    }

    /// Gives waiting games to free slots.
    fn go_on(&mut self) {
        for one in self.seats.next(self.begun.elapsed()) {
            match one {
                Do::Play(slot, game) => {
                    let task = Box::new(Task {
                        games: vec![game.issued.clone()],
                        since: None,
                    });
                    self.admitted.host.order(HostOrder::Play { slot, task });
                }
                Do::Rest(slot) => self.admitted.host.order(HostOrder::Rest { slot }),
            }
        }
    }

    /// Handles a report of the host.
    pub(super) async fn hears(&mut self, report: HostReport, tell: &mut dyn FnMut(&str)) -> Result<(), AdmissionError> {
        let now = self.begun.elapsed();
        match report {
            HostReport::Free { slot, .. } => self.seats.is_free(slot),
            HostReport::Played(played) => {
                let Some(game) = self.seats.ends(played.slot, played.record.id, now) else {
                    return Ok(());
                };
                // The signal that stops this worker ended the engine, too: that is nobody's fault.
                if self.is_stopping && played.doubtful {
                    let result = self.not_played(game.id(), NotPlayedCause::Stop, "its worker stopped");
                    self.tells(result);
                    return Ok(());
                }
                let was_played = played.record.termination.was_played();
                let result = ResultMessage {
                    version: VERSION,
                    game: game.issued.spec.id,
                    issue: game.issued.issue,
                    agents: game.agents,
                    class: self.me.class(),
                    came: Came::Played {
                        record: Box::new(played.record),
                        evidence: played.evidence,
                        memory: played.memory,
                    },
                };
                self.spool.keep(&result)?;
                self.tells(result);
                if !was_played {
                    let back = self.seats.drop_rest(played.slot);
                    self.not_begun(back, "an agent did not start").await;
                }
            }
            HostReport::NotPlayed { slot, game, whose, why } => {
                if let Some(game) = self.seats.ends(slot, game, now) {
                    let result = self.not_played(game.id(), whose, &why);
                    self.tells(result);
                }
            }
            HostReport::Gone { slot, why } => {
                tell(&format!("slot {slot} plays no more: {why}"));
                let waiting = self.seats.drop_rest(slot);
                if let Some(game) = self.seats.goes(slot) {
                    let result = self.not_played(game.id(), NotPlayedCause::Host, &why);
                    self.tells(result);
                }
                // The waiting games have nothing to do with the cause.
                self.not_begun(waiting, &why).await;
                if self.seats.count() == 0 {
                    return Err(AdmissionError::Here(format!("the last slot plays no more: {why}")));
                }
                self.is_here().await;
            }
            HostReport::Remark(sentence) => {
                tell(&sentence);
                self.says(WorkerSays::Remark(sentence)).await;
            }
            HostReport::Present(checked) => self.has_looked(checked).await,
            HostReport::Unopened { player, unopened } => self.says(WorkerSays::Unopened { player, unopened }).await,
            // Files that agents leave in their scratch directories stay here; nothing else is asked for.
            _ => {}
        }
        Ok(())
    }

    /// Takes a task.
    async fn takes(&mut self, taken: TaskDelivery) {
        self.has_had_games = true;
        // The task comes again until the server knows this; games that are already here are not taken twice.
        drop(taken.done().await);
        let Ok(task) = taken.task else { return };
        if !taken.is_of_event || task.version != VERSION || task.runner < self.runner {
            return;
        }
        let kept: BTreeSet<_> = self.spool.games().into_iter().collect();
        let games = task.games.iter().map(|issued| (issued.spec.id, issued.issue));
        games
            .filter(|game| kept.contains(game))
            .for_each(|game| self.send(game));
        let games = task.games_but(&kept).into_iter();
        let games = games.map(|(issued, agents)| WorkerGame { issued, agents });
        self.has_games(games.collect()).await;
    }

    /// Takes the games of a task, which are played once their agents are here.
    pub(super) async fn has_games(&mut self, games: Vec<WorkerGame>) {
        let (ours, others): (Vec<WorkerGame>, Vec<WorkerGame>) =
            games.into_iter().partition(|game| self.has_agents_of(game));
        let back = match self.is_stopping {
            false => self.seats.take(ours),
            true => ours,
        };
        self.not_begun(back, "it was called back").await;
        let (late, others): (Vec<WorkerGame>, Vec<WorkerGame>) =
            others.into_iter().partition(|game| self.is_late(game));
        match self.is_stopping {
            _ if late.is_empty() => {}
            false => self.later.push(late),
            true => self.not_begun(late, "its worker stops").await,
        }
        for game in others {
            self.tells(self.not_played(game.id(), NotPlayedCause::Machine, "its agents are not here"));
        }
        self.is_here().await;
    }

    /// True if one of the game's players entered late and its agent is not here yet.
    fn is_late(&self, game: &WorkerGame) -> bool {
        let players = [game.issued.spec.white, game.issued.spec.black];
        let known = self.admitted.agents.len();
        players.iter().any(|player| player.0 as usize > known)
    }

    /// True if the game is for the agents that its players have here.
    fn has_agents_of(&self, game: &WorkerGame) -> bool {
        let players = [game.issued.spec.white, game.issued.spec.black];
        let own = |player: PairingNumber| {
            let index = (player.0 as usize).checked_sub(1)?;
            self.admitted.agents.get(index)?.as_ref()
        };
        let mut players = players.iter().zip(&game.agents);
        players.all(|(player, hash)| self.is_here_to_play(*player) && own(*player) == Some(hash))
    }

    async fn told_by_runner(
        &mut self,
        says: RunnerSays,
        ground: &Ground,
        server: &Server,
        tell: &mut dyn FnMut(&str),
    ) -> Result<Option<EndOf>, AdmissionError> {
        match says {
            RunnerSays::Here {
                runner,
                card,
                is_watched,
            } => {
                if runner < self.runner {
                    return Ok(None);
                }
                self.heard = Instant::now();
                if runner > self.runner {
                    self.runner = runner;
                    self.is_here().await;
                }
                self.watch(is_watched);
                if card != self.card_hash && !self.is_stopping && self.coming.is_none() {
                    self.has_them_come(ground, server);
                }
            }
            RunnerSays::Refused(why) => {
                let why = format!("the runner gives it no games: {}", harmless(&why));
                if self.seats.is_empty() && self.later.is_empty() && self.spool.games().is_empty() {
                    return Err(AdmissionError::Here(why));
                }
                // Games that have been played, or are being played, may still count.
                if !self.is_stopping {
                    tell(&why);
                    self.finishes(tell).await;
                }
            }
            RunnerSays::Settled(games) => {
                for game in games {
                    self.told.remove(&game);
                    self.spool.drop(game)?;
                }
            }
            RunnerSays::Recall(games) => {
                let called = |game: &mut WorkerGame| games.contains(&game.id());
                let mut back: Vec<WorkerGame> = self
                    .later
                    .iter_mut()
                    .flat_map(|task| task.extract_if(.., called))
                    .collect();
                let others: Vec<_> = games
                    .iter()
                    .filter(|game| back.iter().all(|one| one.id() != **game))
                    .copied()
                    .collect();
                back.extend(self.seats.recall(&others));
                self.later.retain(|task| !task.is_empty());
                self.not_begun(back, "it was called back").await;
            }
            RunnerSays::Adjudicate(game, outcome) => self.admitted.host.order(HostOrder::Adjudicate { game, outcome }),
            RunnerSays::Drain if self.is_stopping => self.is_here().await,
            RunnerSays::Drain => self.finishes(tell).await,
            RunnerSays::WhoIsThere {
                number,
                round,
                players,
                limit,
            } => self.looks(number, round, players, limit).await,
            RunnerSays::Abandon => {
                if self.roll.take_if(|roll| roll.seen.is_none()).is_some() {
                    self.admitted.host.order(HostOrder::Abandon);
                }
            }
            RunnerSays::Over => {
                tell("the event is over");
                for game in self.spool.games() {
                    self.spool.drop(game)?;
                }
                return Ok(Some(EndOf::Over));
            }
        }
        Ok(None)
    }

    /// Starts a presence check for the runner, or repeats an answer that may have been lost.
    async fn looks(&mut self, number: u64, round: u32, players: Vec<PairingNumber>, limit: Duration) {
        // Late entries are on their way; the runner asks again until then.
        let known = self.admitted.agents.len();
        if players.iter().any(|player| player.0 as usize > known) {
            return;
        }
        match &self.roll {
            Some(roll) if roll.number == number && !matches!(roll.seen, Some(Err(_))) => {
                if let Some(seen) = roll.seen.clone() {
                    self.says(WorkerSays::Present { number, seen }).await;
                }
            }
            // The machine may by now have what it lacked.
            _ => {
                let is_here = |player: &PairingNumber| self.is_here_to_play(*player);
                let players: Vec<PairingNumber> = players.into_iter().filter(is_here).collect();
                self.roll = Some(PresenceQuestion {
                    number,
                    round,
                    players: players.clone(),
                    seen: None,
                });
                self.admitted.host.order(HostOrder::Present { round, players, limit });
            }
        }
    }

    /// Sends the result of the presence check.
    async fn has_looked(&mut self, checked: Result<PresenceChecked, String>) {
        let Some(roll) = &mut self.roll else { return };
        // The result belongs to an earlier check.
        if checked.as_ref().is_ok_and(|checked| checked.round != roll.round) {
            return;
        }
        let players = roll.players.clone();
        let seen = checked.map(|PresenceChecked { absent, .. }| SeenThere { players, absent });
        let number = roll.number;
        roll.seen = Some(seen.clone());
        self.says(WorkerSays::Present { number, seen }).await;
    }

    /// True if a player's agent plays here.
    fn is_here_to_play(&self, player: PairingNumber) -> bool {
        let index = (player.0 as usize).checked_sub(1);
        index.is_some_and(|index| self.admitted.here.get(index) == Some(&true))
    }

    /// True if the runner is silent because the event is over.
    async fn is_gone(&self) -> bool {
        let is_silent = self.heard.elapsed() > self.card.lease * 2;
        is_silent && self.carrier.server.is_there() && matches!(self.carrier.is_over().await, Ok(true))
    }

    fn watch(&mut self, is_watched: bool) {
        if let Some(views) = self.views.as_ref().filter(|_| is_watched != self.is_watched) {
            match is_watched {
                true => views.watch(),
                false => views.leave(),
            }
        }
        self.is_watched = is_watched;
    }

    /// Shows what has changed at slots.
    async fn show(&mut self) {
        let Some(views) = self.views.clone() else { return };
        for slot in 0..views.len() {
            let version = self.seen.get(&slot).copied().unwrap_or(0);
            if let Some((version, before, now)) = views.look(slot, version) {
                self.seen.insert(slot, version);
                for live in before.into_iter().chain(now) {
                    self.says(WorkerSays::Live(Box::new(live))).await;
                }
            }
        }
    }

    /// Reports games that will not be begun here.
    pub(super) async fn not_begun(&mut self, games: Vec<WorkerGame>, why: &str) {
        if games.is_empty() {
            return;
        }
        for game in games {
            self.tells(self.not_played(game.id(), NotPlayedCause::Stop, why));
        }
        self.is_here().await;
    }

    fn not_played(&self, (game, issue): (GameId, u32), whose: NotPlayedCause, why: &str) -> ResultMessage {
        ResultMessage {
            version: VERSION,
            game,
            issue,
            agents: [String::new(), String::new()],
            class: self.me.class(),
            came: Came::NotPlayed {
                whose,
                why: why.to_owned(),
            },
        }
    }

    /// Sends the result of a game. If a message about an unplayed game is lost, the runner will miss the game; other
    /// results are kept and sent again.
    fn tells(&mut self, result: ResultMessage) {
        while self.sending.try_join_next().is_some() {}
        let (carrier, key) = (self.carrier.clone(), self.me.key().to_owned());
        self.sending
            .spawn(async move { drop(carrier.tell(&key, &result).await) });
    }

    /// Sends a stored result; one that cannot be read is dropped.
    fn send(&mut self, game: (GameId, u32)) {
        self.told.insert(game, Instant::now());
        match self.spool.result(game) {
            Some(result) => self.tells(result),
            None => drop(self.spool.drop(game)),
        }
    }

    /// Sends results again that have been kept for longer than a lease, because they may have been lost.
    fn send_again(&mut self) {
        for game in self.spool.games() {
            let at = self.told.entry(game).or_insert_with(Instant::now);
            if at.elapsed() > self.card.lease {
                self.send(game);
            }
        }
    }

    pub(super) async fn is_here(&self) {
        let later = self.later.iter().flatten().map(WorkerGame::id);
        let card = WorkerCard {
            version: VERSION,
            software: env!("CARGO_PKG_VERSION").to_owned(),
            session: self.session,
            class: self.me.class(),
            machine: self.machine.clone(),
            card: self.card_hash.clone(),
            speed: self.speed,
            slots: self.seats.count(),
            gpus: self.me.gpus.len(),
            has: self.seats.games().into_iter().chain(later).collect(),
            kept: self.spool.games(),
            has_had_games: self.has_had_games,
            is_leaving: self.is_stopping,
        };
        self.says(WorkerSays::Here(Box::new(card))).await;
    }

    pub(super) async fn says(&self, says: WorkerSays) {
        // It is said again, or will be worth nothing later.
        drop(self.carrier.say_as(self.me.key(), &says).await);
    }
}

/// The outcome of fetching late entries, once that is done.
async fn come(coming: &mut Option<Coming>) -> Option<Result<Late, AdmissionError>> {
    let come = coming.as_mut()?.await;
    Some(come.unwrap_or_else(|error| Err(AdmissionError::Here(error.to_string()))))
}

/// Fetches tasks as they come.
async fn fetch(carrier: Carrier, worker: String, taken: Sender<TaskDelivery>) {
    let mut tasks: Option<TaskQueue> = None;
    while !taken.is_closed() {
        if tasks.is_none() {
            // Until the runner has let it have tasks there is nobody to ask.
            tasks = carrier.tasks(&worker).await.ok();
        }
        let next = match &tasks {
            Some(tasks) => tasks.next(WAIT).await,
            None => Ok(None),
        };
        match next {
            Ok(Some(task)) => {
                if taken.send(task).await.is_err() {
                    return;
                }
            }
            Ok(None) if tasks.is_some() => {}
            Ok(None) | Err(CarrierError::Message(_) | CarrierError::Taken(_) | CarrierError::Server { .. }) => {
                tasks = None;
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}
