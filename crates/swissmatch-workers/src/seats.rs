//! The games given to a worker, and its slots.
//!
//! A task is played in one slot, game after game, so that engines stay up in between. May not: wait, or play.

use std::collections::{BTreeSet, VecDeque};
use std::time::Duration;

use swissmatch_game::record::GameId;
use swissmatch_host::host::IssuedGame;

/// How long a slot without games keeps its engines up.
const IDLE: Duration = Duration::from_secs(1);

/// A game and the agents that play it, White first.
#[derive(Clone, Debug)]
pub(crate) struct WorkerGame {
    pub(crate) issued: IssuedGame,
    pub(crate) agents: [String; 2],
}

impl WorkerGame {
    pub(crate) fn id(&self) -> (GameId, u32) {
        (self.issued.spec.id, self.issued.issue)
    }
}

/// The next thing to do at a slot.
#[derive(Debug)]
pub(crate) enum Do {
    Play(usize, Box<WorkerGame>),
    Rest(usize),
}

/// All slots, and the games that wait for one.
#[derive(Debug)]
pub(crate) struct Seats {
    slots: Vec<Slot>,
    tasks: VecDeque<VecDeque<WorkerGame>>,
    /// Games called back before they came.
    recalled: BTreeSet<(GameId, u32)>,
}

#[derive(Debug, Default)]
struct Slot {
    /// It can take a game: it has opened, or rested.
    is_free: bool,
    is_gone: bool,
    playing: Option<WorkerGame>,
    next: VecDeque<WorkerGame>,
    /// The game whose engines are up in the slot.
    last: Option<GameId>,
    /// Since when nothing has been played in the slot.
    idle: Option<Duration>,
}

impl Seats {
    /// `slots` slots that have not opened yet.
    pub(crate) fn new(slots: usize) -> Self {
        Self {
            slots: std::iter::repeat_with(Slot::default).take(slots).collect(),
            tasks: VecDeque::new(),
            recalled: BTreeSet::new(),
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.slots.iter().filter(|slot| !slot.is_gone).count()
    }

    /// True if nothing is being played and nothing waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.tasks.is_empty()
            && self
                .slots
                .iter()
                .all(|slot| slot.playing.is_none() && slot.next.is_empty())
    }

    /// All games that were given and have not ended.
    pub(crate) fn games(&self) -> Vec<(GameId, u32)> {
        let slots = self.slots.iter();
        let at_slots = slots.flat_map(|slot| slot.playing.iter().chain(&slot.next));
        at_slots
            .chain(self.tasks.iter().flatten())
            .map(WorkerGame::id)
            .collect()
    }

    /// Takes a task, and returns those of its games that were called back already.
    pub(crate) fn take(&mut self, task: Vec<WorkerGame>) -> Vec<WorkerGame> {
        let has: BTreeSet<_> = self.games().into_iter().collect();
        let games = task.into_iter().filter(|game| !has.contains(&game.id()));
        let (recalled, games): (Vec<_>, VecDeque<_>) = games.fold((Vec::new(), VecDeque::new()), |mut all, game| {
            match self.recalled.remove(&game.id()) {
                true => all.0.push(game),
                false => all.1.push_back(game),
            }
            all
        });
        if !games.is_empty() {
            self.tasks.push_back(games);
        }
        recalled
    }

    /// Calls games back, and returns those that had not begun.
    pub(crate) fn recall(&mut self, games: &[(GameId, u32)]) -> Vec<WorkerGame> {
        let has: BTreeSet<_> = self.games().into_iter().collect();
        self.recalled.extend(games.iter().filter(|game| !has.contains(game)));
        self.call_back(|game| games.contains(&game.id()))
    }

    /// Begins nothing more, and returns the games that had not begun.
    pub(crate) fn recall_all(&mut self) -> Vec<WorkerGame> {
        self.call_back(|_| true)
    }

    fn call_back(&mut self, is_called: impl Fn(&WorkerGame) -> bool) -> Vec<WorkerGame> {
        let queues = self.slots.iter_mut().map(|slot| &mut slot.next);
        let mut back = Vec::new();
        for queue in queues.chain(&mut self.tasks) {
            for game in std::mem::take(queue) {
                match is_called(&game) {
                    true => back.push(game),
                    false => queue.push_back(game),
                }
            }
        }
        self.tasks.retain(|task| !task.is_empty());
        back
    }

    /// Notes that a slot has opened or rested.
    pub(crate) fn is_free(&mut self, slot: usize) {
        if let Some(slot) = self.slots.get_mut(slot) {
            slot.is_free = true;
        }
    }

    /// Ends the game at a slot; `None` if that was not the slot's game.
    pub(crate) fn ends(&mut self, slot: usize, game: GameId, now: Duration) -> Option<WorkerGame> {
        let slot = self.slots.get_mut(slot)?;
        let played = slot.playing.take_if(|playing| playing.issued.spec.id == game)?;
        (slot.is_free, slot.last, slot.idle) = (true, Some(game), Some(now));
        Some(played)
    }

    /// Drops the games that wait behind the slot's present or last game.
    pub(crate) fn drop_rest(&mut self, slot: usize) -> Vec<WorkerGame> {
        let slot = self.slots.get_mut(slot);
        slot.map(|slot| slot.next.drain(..).collect()).unwrap_or_default()
    }

    /// Removes a slot, and returns the game that it was playing.
    pub(crate) fn goes(&mut self, slot: usize) -> Option<WorkerGame> {
        let slot = self.slots.get_mut(slot)?;
        slot.is_gone = true;
        slot.playing.take()
    }

    /// What to do next at free slots.
    pub(crate) fn next(&mut self, now: Duration) -> Vec<Do> {
        let mut all = Vec::new();
        // A slot whose engines are up for a task's mini-match takes it first.
        for is_any in [false, true] {
            for slot in self.slots.iter_mut().filter(|slot| slot.is_idle()) {
                let fits =
                    |task: &VecDeque<WorkerGame>| is_any || task.front().is_some_and(|game| slot.is_up_for(game));
                if let Some(at) = self.tasks.iter().position(fits)
                    && let Some(task) = self.tasks.remove(at)
                {
                    slot.next = task;
                }
            }
        }
        for (number, slot) in self.slots.iter_mut().enumerate() {
            if !slot.is_free || slot.is_gone {
                continue;
            }
            if let Some(game) = slot.next.pop_front() {
                (slot.playing, slot.is_free, slot.idle) = (Some(game.clone()), false, None);
                all.push(Do::Play(number, Box::new(game)));
            } else if slot.idle.is_some_and(|since| now.saturating_sub(since) >= IDLE) {
                (slot.is_free, slot.idle, slot.last) = (false, None, None);
                all.push(Do::Rest(number));
            }
        }
        all
    }
}

impl Slot {
    fn is_idle(&self) -> bool {
        self.is_free && !self.is_gone && self.next.is_empty()
    }

    fn is_up_for(&self, game: &WorkerGame) -> bool {
        let is_of = |last: &GameId| last.mini_match().contains(&game.issued.spec.id);
        self.last.as_ref().is_some_and(is_of)
    }
}
