//! The slots of the host, as the loop knows them.
//!
//! A slot may fail while the event goes on: a game that was not played is due again. The runner stops only when the last slot
//! has gone, with everything that was played in the log.
//!
//! May not: decide what is played there.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use swiss_system::pairing::history::PairingNumber;

use swissmatch_game::record::GameId;
use swissmatch_host::host::SlotGroup;
use swissmatch_tournament::beside::Takes;

/// How long a slot that has not played a game gets no other one; each further time that its machine did not play one twice as long.
const PAUSE: Duration = Duration::from_secs(1);
/// At most.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// What a slot was told and has not done yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SlotTask {
    /// To play a game; at first: to open.
    Play,
    /// To start engines, or to end them.
    Prepare,
}

/// A slot of the host.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    /// In order. Each is answered: a game by its end, everything else by being free.
    told: VecDeque<SlotTask>,
    is_gone: bool,
    /// Whose engines are up there.
    up: Vec<PairingNumber>,
    /// What it plays, or is to play, or played last.
    pub seated: Option<GameId>,
    /// The games that it was given and that have not ended, in the order in which it plays them.
    given: VecDeque<GameId>,
    /// Whether its engines have been sent to rest.
    pub resting: bool,
    /// It gets no game before.
    not_before: Option<Instant>,
    /// The pause after the next game that its machine does not play.
    next_pause: Duration,
    /// Which games it is given.
    pub takes: Takes,
    /// Which of the host's groups it is of.
    pub group: usize,
    /// Whether its games are played on when the runner ends.
    pub outlives: bool,
}

impl Slot {
    /// One that has said nothing yet.
    pub(super) fn new(group: usize, of: &SlotGroup) -> Self {
        Self {
            told: VecDeque::from([SlotTask::Play]),
            is_gone: false,
            up: Vec::new(),
            seated: None,
            given: VecDeque::new(),
            resting: true,
            not_before: None,
            next_pause: PAUSE,
            takes: of.takes,
            group,
            outlives: of.outlives,
        }
    }

    /// All of these groups.
    pub(super) fn all(groups: &[SlotGroup]) -> Vec<Self> {
        let of_group = |(number, group): (usize, &SlotGroup)| vec![Self::new(number, group); group.slots];
        groups.iter().enumerate().flat_map(of_group).collect()
    }

    /// Whether it can be given a game.
    pub(super) fn is_free(&self) -> bool {
        let is_paused = self.not_before.is_some_and(|at| Instant::now() < at);
        !self.is_gone && !is_paused && !self.told.contains(&SlotTask::Play)
    }

    /// Whether no engine is up there.
    pub(super) const fn is_empty(&self) -> bool {
        self.up.is_empty()
    }

    pub(super) const fn is_gone(&self) -> bool {
        self.is_gone
    }

    /// Whether it takes what another slot took.
    pub(super) fn does_the_work_of(&self, other: &Self) -> bool {
        let takes_programs = matches!(self.takes, Takes::All | Takes::OnCores);
        self.takes == other.takes || other.takes == Takes::Programs && takes_programs
    }

    /// It is told to play these games of a mini-match.
    pub(super) fn play(&mut self, games: &[GameId]) {
        (self.seated, self.resting) = (games.last().copied(), false);
        self.told.extend(games.iter().map(|_| SlotTask::Play));
        self.given.extend(games);
    }

    /// A game of its own has ended, or will not be played.
    pub(super) fn over(&mut self, game: GameId) {
        self.given.retain(|given| *given != game);
    }

    /// What it plays now.
    pub(super) fn plays(&self) -> Option<GameId> {
        self.given.front().copied()
    }

    /// What it was given and does not play yet.
    pub(super) fn behind(&self) -> impl Iterator<Item = GameId> {
        self.given.iter().skip(1).copied()
    }

    /// It is told to have the engines of a game ready.
    pub(super) fn seat(&mut self, game: GameId) {
        (self.seated, self.resting) = (Some(game), false);
        self.told.push_back(SlotTask::Prepare);
    }

    /// It is told to end its engines.
    pub(super) fn rest(&mut self) {
        self.resting = true;
        self.told.push_back(SlotTask::Prepare);
    }

    /// It has done the first of what it was told.
    pub(super) fn free(&mut self, up: Vec<PairingNumber>) {
        self.up = up;
        self.told.pop_front();
    }

    /// It takes no game until it is free again.
    pub(super) fn close(&mut self) {
        self.told.push_back(SlotTask::Play);
    }

    /// It has played a game.
    pub(super) fn played(&mut self, up: Vec<PairingNumber>) {
        self.next_pause = PAUSE;
        self.free(up);
    }

    /// It could not play.
    pub(super) fn pause(&mut self) {
        self.not_before = Some(Instant::now() + PAUSE);
    }

    /// It could not play, by its machine.
    pub(super) fn pause_longer(&mut self) {
        self.not_before = Some(Instant::now() + self.next_pause);
        self.next_pause = (2 * self.next_pause).min(LONGEST_PAUSE);
    }

    /// It is there no more; the games that it had.
    pub(super) fn leave(&mut self) -> VecDeque<GameId> {
        self.is_gone = true;
        std::mem::take(&mut self.given)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_that_does_what_it_was_told_before_is_not_free_for_another_game() {
        let game = "1.1.1".parse().expect("a game");
        let mut slot = Slot::new(0, &SlotGroup::default());
        assert!(!slot.is_free(), "it has not opened");
        slot.free(Vec::new());
        assert!(slot.is_free());
        slot.seat(game);
        assert!(
            slot.is_free(),
            "the game may be given to it while it starts the engines"
        );
        slot.play(&[game]);
        slot.free(Vec::new());
        assert!(!slot.is_free(), "that was the answer to the seating");
        slot.free(Vec::new());
        slot.over(game);
        assert!(slot.is_free());
        assert_eq!(slot.leave(), []);
        assert!(!slot.is_free() && slot.is_gone());
    }

    #[test]
    fn a_slot_that_goes_gives_its_games_back() {
        let games = ["1.1.1", "1.1.2", "1.1.3"].map(|game| game.parse().expect("a game"));
        let mut slot = Slot::new(0, &SlotGroup::default());
        slot.free(Vec::new());
        slot.play(&games);
        assert_eq!(slot.plays(), Some(games[0]));
        slot.free(Vec::new());
        slot.over(games[0]);
        assert!(!slot.is_free(), "it has two more");
        assert_eq!(slot.plays(), Some(games[1]));
        assert!(slot.behind().eq([games[2]]));
        assert_eq!(slot.leave(), &games[1..]);
    }
}
