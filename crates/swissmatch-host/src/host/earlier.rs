//! A host that plays nothing twice: it answers a game with the record of an equal one that was played earlier, and lets
//! another host play all others.
//!
//! Games are equal if they have the same key (`super::key`). Each earlier game answers only once in a run, so that an
//! opening that comes twice is played as often as before. A game whose clock runs by the schedule is played, and so is
//! one that is asked for again after it was answered. May not: answer before the slot has done what it was told before;
//! know where earlier games are kept.

use std::collections::{BTreeSet, VecDeque};
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use jiff::Timestamp;
use swiss_system::pairing::history::PairingNumber;

use super::key::{Identity, key};
use super::views::{Live, Views};
use super::{
    Fence, GameHost, GameReport, HostOrder, HostReport, IssuedGame, NotPlayedCause, Reports, SlotGroup, Task, Terms,
};
use swissmatch_game::record::{GameId, GameRecord, GameSpec};
use swissmatch_game::seen::GameView;
use swissmatch_tournament::log::TakenFrom;

/// A game that was played in an earlier run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierGame {
    /// The game's run and number.
    pub from: TakenFrom,
    /// All that is known about it.
    pub record: GameRecord,
}

/// A source of games of earlier runs.
pub trait Earlier: Send {
    /// A game with this key that is not in `taken`; `None` if there is none that can be read.
    fn find(&mut self, key: &str, taken: &BTreeSet<TakenFrom>) -> Option<EarlierGame>;
}

/// A host that asks for earlier games before it lets another one play.
pub struct SparingHost {
    inner: Box<dyn GameHost>,
    earlier: Box<dyn Earlier>,
    /// The identity of each agent, by pairing number, if it has one.
    agents: Vec<Option<Identity>>,
    /// The origins of games that were taken for this run.
    taken: BTreeSet<TakenFrom>,
    /// The games that were answered with them.
    answered: BTreeSet<GameId>,
    shared: Arc<Mutex<SparingState>>,
}

/// The state that reports of the other host change.
#[derive(Debug)]
struct SparingState {
    reports: Reports,
    slots: Vec<InnerSlot>,
    /// The views of games, if they can be looked at.
    views: Option<Arc<Views>>,
}

/// A slot of the other host.
#[derive(Debug, Default)]
struct InnerSlot {
    /// Orders that it has not carried out yet, and games answered in between, in order.
    waiting: VecDeque<WaitingAnswer>,
    /// The players whose engines are up there.
    up: Vec<PairingNumber>,
    is_gone: bool,
    /// The class of its machine.
    class: String,
}

#[derive(Debug)]
enum WaitingAnswer {
    /// The other host will answer.
    Inner,
    /// The answer is here.
    Answer(Box<EarlierGame>),
    /// The game is not begun.
    NotBegun(GameId),
}

impl fmt::Debug for SparingHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SparingHost")
            .field("taken", &self.taken.len())
            .finish_non_exhaustive()
    }
}

impl SparingHost {
    /// A host that lets `inner` play what `earlier` does not know.
    pub fn new(inner: Box<dyn GameHost>, earlier: Box<dyn Earlier>) -> Self {
        Self {
            inner,
            earlier,
            agents: Vec::new(),
            taken: BTreeSet::new(),
            answered: BTreeSet::new(),
            shared: Arc::new(Mutex::new(SparingState {
                reports: Reports::to(drop),
                slots: Vec::new(),
                views: None,
            })),
        }
    }

    fn open(&mut self, terms: Box<Terms>) {
        self.agents = terms.agents.iter().map(Identity::of).collect();
        for (game, from) in &terms.taken {
            self.answered.insert(*game);
            self.taken.insert(from.clone());
        }
        self.inner.order(HostOrder::Open(terms));
        let views = self.inner.views();
        lock(&self.shared).views = views;
    }

    /// Answers games, or hands them on. If a game to be played comes before one that could be answered, the rest is not
    /// begun: whether it is due may depend on that game.
    fn play(&mut self, slot: usize, task: Task) {
        let Task { games, since } = task;
        // A slot that has gone has said so: its games are due again.
        let Some(class) = lock(&self.shared).class_of(slot) else {
            return;
        };
        let mut rest = games.into_iter().peekable();
        let mut played: Vec<IssuedGame> = Vec::new();
        while let Some(issued) = rest.peek() {
            match self.find(&class, &issued.spec).filter(|_| since.is_none()) {
                Some(_) if !played.is_empty() => break,
                Some(earlier) => {
                    self.taken.insert(earlier.from.clone());
                    self.answered.insert(issued.spec.id);
                    lock(&self.shared).wait(slot, WaitingAnswer::Answer(Box::new(earlier)));
                    rest.next();
                }
                None => played.extend(rest.next()),
            }
        }
        let mut shared = lock(&self.shared);
        played.iter().for_each(|_| shared.wait(slot, WaitingAnswer::Inner));
        rest.for_each(|issued| shared.wait(slot, WaitingAnswer::NotBegun(issued.spec.id)));
        shared.go_on(slot);
        drop(shared);
        if !played.is_empty() {
            let task = Box::new(Task { games: played, since });
            self.inner.order(HostOrder::Play { slot, task });
        }
    }

    /// The earlier game that is equal to this one, as a game of this run.
    fn find(&mut self, class: &str, spec: &GameSpec) -> Option<EarlierGame> {
        if self.answered.contains(&spec.id) {
            return None;
        }
        let identity = |player: PairingNumber| self.agents.get(player.index())?.as_ref();
        let key = key(class, [identity(spec.white)?, identity(spec.black)?], spec);
        let found = self.earlier.find(&key, &self.taken)?;
        let record = taken(found.record, spec);
        Some(EarlierGame { record, ..found })
    }
}

/// The record of an equal game, made the record of this one.
fn taken(record: GameRecord, spec: &GameSpec) -> GameRecord {
    GameRecord {
        id: spec.id,
        white: spec.white,
        black: spec.black,
        opening: spec.opening.clone(),
        ..record
    }
}

fn lock(shared: &Mutex<SparingState>) -> MutexGuard<'_, SparingState> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SparingState {
    /// The machine class of a slot; `None` if the slot has gone.
    fn class_of(&self, slot: usize) -> Option<String> {
        let is_gone = self.slots.get(slot).is_none_or(|slot| slot.is_gone);
        (!is_gone).then(|| self.slots[slot].class.clone())
    }

    /// Queues something to be done at a slot when its turn comes.
    fn wait(&mut self, slot: usize, waiting: WaitingAnswer) {
        // Games that were given to a slot that has gone are due again.
        if let Some(slot) = self.slots.get_mut(slot).filter(|slot| !slot.is_gone) {
            slot.waiting.push_back(waiting);
        }
    }

    /// Gives the next answers at a slot, up to what the other host has to do first.
    fn go_on(&mut self, number: usize) {
        let Some(slot) = self.slots.get_mut(number) else {
            return;
        };
        while let Some(waiting) = slot.waiting.pop_front_if(|next| !matches!(next, WaitingAnswer::Inner)) {
            let EarlierGame { from, record } = match waiting {
                WaitingAnswer::Answer(earlier) => *earlier,
                WaitingAnswer::NotBegun(game) => {
                    self.reports.tell(HostReport::NotPlayed {
                        slot: number,
                        game,
                        whose: NotPlayedCause::Stop,
                        why: "it comes after a game that is played".to_owned(),
                    });
                    continue;
                }
                WaitingAnswer::Inner => unreachable!("the other host answers"),
            };
            match &self.views {
                Some(views) => views.at(number).end(&record),
                None => self.reports.tell(HostReport::Live(Box::new(Live {
                    slot: number,
                    begun: Timestamp::now(),
                    game: GameView::whole(&record),
                }))),
            }
            self.reports.tell(HostReport::Played(Box::new(GameReport {
                slot: number,
                up: slot.up.clone(),
                record,
                evidence: None,
                doubtful: false,
                memory: None,
                taken_from: Some(from),
                played_on: None,
            })));
        }
    }

    /// Handles a report of the other host. Answers that belong after it are given after it.
    fn heard(&mut self, report: HostReport) {
        let done = match &report {
            HostReport::Open(Ok(opened)) => {
                // Each slot says that it is free when it has opened.
                let of_group = |group: &SlotGroup| {
                    let class = group.class.as_ref().or(opened.machine.as_ref());
                    let class = class.cloned().unwrap_or_default();
                    std::iter::repeat_with(move || InnerSlot::opening(class.clone())).take(group.slots)
                };
                self.slots = opened.groups.iter().flat_map(of_group).collect();
                None
            }
            HostReport::Free { slot, up } => Some((*slot, up.clone())),
            HostReport::Played(played) => Some((played.slot, played.up.clone())),
            HostReport::NotPlayed { slot, .. } => Some((*slot, Vec::new())),
            HostReport::Closed { slot } => {
                // It says that it is free when it opens again.
                if let Some(slot) = self.slots.get_mut(*slot) {
                    slot.waiting.push_back(WaitingAnswer::Inner);
                }
                None
            }
            HostReport::Gone { slot, .. } => {
                if let Some(slot) = self.slots.get_mut(*slot) {
                    slot.is_gone = true;
                    slot.waiting.clear();
                }
                None
            }
            _ => None,
        };
        self.reports.tell(report);
        if let Some((number, up)) = done {
            if let Some(slot) = self.slots.get_mut(number) {
                slot.up = up;
                slot.waiting.pop_front();
            }
            self.go_on(number);
        }
    }
}

impl InnerSlot {
    fn opening(class: String) -> Self {
        Self {
            class,
            waiting: VecDeque::from([WaitingAnswer::Inner]),
            ..Self::default()
        }
    }
}

impl GameHost for SparingHost {
    fn connect(&mut self, reports: Reports) {
        lock(&self.shared).reports = reports.clone();
        let shared = Arc::clone(&self.shared);
        self.inner.connect(Reports::to(move |report| match report {
            // Views of games wait for nothing.
            HostReport::Live(_) => reports.tell(report),
            report => lock(&shared).heard(report),
        }));
    }

    fn order(&mut self, order: HostOrder) {
        match order {
            HostOrder::Open(terms) => self.open(terms),
            HostOrder::Enter(spec) => {
                self.agents.push(Identity::of(&spec));
                self.inner.order(HostOrder::Enter(spec));
            }
            HostOrder::Play { slot, task } => self.play(slot, *task),
            HostOrder::Seat { slot, .. } | HostOrder::Rest { slot } => {
                lock(&self.shared).wait(slot, WaitingAnswer::Inner);
                self.inner.order(order);
            }
            HostOrder::Find { .. }
            | HostOrder::Introduce { .. }
            | HostOrder::Listen { .. }
            | HostOrder::Examine { .. }
            | HostOrder::Present { .. }
            | HostOrder::Abandon
            | HostOrder::Recall { .. }
            | HostOrder::Booked(_)
            | HostOrder::Known(_)
            | HostOrder::Over
            | HostOrder::Adjudicate { .. } => self.inner.order(order),
        }
    }

    fn keep_in(&mut self, directory: &Path, run: &str) -> io::Result<()> {
        self.inner.keep_in(directory, run)
    }

    fn fence(&self) -> Fence {
        self.inner.fence()
    }

    fn heaviest(&self) -> Option<String> {
        self.inner.heaviest()
    }

    fn views(&self) -> Option<Arc<Views>> {
        self.inner.views()
    }
}

#[cfg(test)]
mod tests;
