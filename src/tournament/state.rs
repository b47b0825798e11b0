//! The state of an event: a fold over its events.
//!
//! May not: hold anything that is not in the events; decide anything.

mod results;

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use jiff::civil::Date;

use crate::game::record::GameId;
use crate::pairing::history::{Pair, PairingNumber, RoundPairing};

use super::analysis::Analysis;
use super::arbiter::Out;
use super::arbiter::orders::Orders;
use super::event::{Created, Decided, Event, GameFinished, Later, PlayoffPaired, RoundPaired};
use super::mini_match::MiniMatch;
use super::placing::Refined;
use super::playoff::facts::{Board, ContestId, Directed, Lot, Purpose};
use super::setup::{PlayerKeys, Setup};
use super::ties;
use super::tour;

/// Why a list of events is no event's history. A log whose hashes are right never gives one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrokenLog {
    /// It must begin with `created`, and have it nowhere else.
    #[error("the log does not begin with its event `created`, or has it twice")]
    Created,
    /// Every entry must have one pairing number and one agent.
    #[error("the starting order and the agents do not fit the players")]
    Order,
    /// The events of a tour must say who is who.
    #[error(transparent)]
    Tour(#[from] tour::NoTour),
    /// Stages must come in order, each after the one before is over, with as many of its players as the setup says.
    #[error("stage {0} began out of turn, or with other players than it may have")]
    Stage(u32),
    /// Rounds must come in order, each after the one before is over, with nobody in it twice.
    #[error("round {0} was paired out of turn, or has players that are not there or are there twice")]
    Round(u32),
    /// A game that is not on the schedule, or finished twice.
    #[error("game {0} is not on the schedule, has other players, or finished twice")]
    Game(GameId),
    /// A play-off round must come after a round or play-off round that is over, with nobody in it twice.
    #[error(
        "play-off round {1} after round {0} was paired out of turn, or has players that are not there or are there twice"
    )]
    Playoff(u32, u32),
    /// A lot must be drawn once, among players that are there.
    #[error("the lot \"{0}\" was drawn twice, or among players that are not there")]
    Lot(Purpose),
    /// A decision must be about players that are there.
    #[error("a decision on the play-off of {0} names players that are not there or names them twice")]
    Decision(ContestId),
    /// A game must be analysed once in an analysis, after it has ended.
    #[error("game {0} was analysed twice, before it had ended, or in no analysis that had begun")]
    Analysed(GameId),
    /// An act of the arbiter must be about players and games that are there.
    #[error("an act of the arbiter, or a presence check, is about players, games or rounds that are not there")]
    Act,
    /// Written by a newer program.
    #[error("the log has version {0}; this program reads up to {max}", max = super::event::LOG_VERSION)]
    Version(u32),
}

/// A round that has been paired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Round {
    /// As paired.
    pub pairing: RoundPairing,
    /// One a pair, in board order.
    pub mini_matches: Vec<MiniMatch>,
    /// The day on which it was paired, by `schedule.time_zone`, where known.
    pub day: Option<Date>,
    /// Play-off rounds after it.
    pub playoffs: Vec<PlayoffRound>,
    /// How many drawings after it are void, because a result was corrected.
    pub void_drawings: u32,
    /// How many lots had been drawn and decisions made when it was paired.
    pub(super) settled_before: (usize, usize),
    /// When its games begin, by the schedule; `None`: at once.
    pub starts: Option<Timestamp>,
    /// Who was not to play in it, and why. Where pairs do not depend on results they are on its boards all the same, and
    /// forfeit.
    pub out: BTreeMap<PairingNumber, Out>,
}

/// A play-off round that has been paired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayoffRound {
    /// As paired.
    pub boards: Vec<Board>,
    /// One a board.
    pub mini_matches: Vec<MiniMatch>,
    /// The day on which the last game ended, and that on which this began, where the play-off began on a later one.
    pub later: Option<Later>,
    /// How many lots had been drawn and decisions made when it was paired.
    pub(super) settled_before: (usize, usize),
}

/// Mini-matches that are played at the same time: those of a round, or of a play-off round.
#[derive(Clone, Copy, Debug)]
pub struct Sitting<'a> {
    /// The round, from 1.
    pub round: u32,
    /// 0, or the number of the play-off round after it.
    pub playoff: u32,
    /// In board order.
    pub mini_matches: &'a [MiniMatch],
}

impl<'a> Sitting<'a> {
    /// Whether every game has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.mini_matches.iter().all(MiniMatch::is_over)
    }

    /// Finished games, in schedule order.
    pub fn finished_games(self) -> impl Iterator<Item = &'a GameFinished> {
        self.mini_matches.iter().flat_map(|board| board.games.iter().flatten())
    }
}

impl PlayoffRound {
    /// Whether none of its games has ended.
    fn is_unplayed(&self) -> bool {
        self.mini_matches
            .iter()
            .all(|board| board.games.iter().all(Option::is_none))
    }
}

impl Round {
    /// Whether every game of the round itself has ended.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.mini_matches.iter().all(MiniMatch::is_over)
    }

    /// The round, which has this number, and its play-off rounds.
    fn sittings(&self, number: u32) -> impl Iterator<Item = Sitting<'_>> {
        let of_playoffs = self.playoffs.iter().map(|playoff| playoff.mini_matches.as_slice());
        let all = std::iter::once(self.mini_matches.as_slice()).chain(of_playoffs);
        (0..).zip(all).map(move |(playoff, mini_matches)| Sitting {
            round: number,
            playoff,
            mini_matches,
        })
    }
}

/// Everything that follows from the events so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    pub(super) created: Created,
    pub(super) rounds: Vec<Round>,
    /// Who plays the stages after the first, first seed first.
    pub(super) fields: Vec<Vec<PairingNumber>>,
    pub(super) lots: Vec<Lot>,
    /// Lots that are void: a result on which they rested was corrected.
    pub(super) void_lots: Vec<Lot>,
    pub(super) decisions: Vec<Decided>,
    /// Of a part of an event, seen as an event of its own: what the play-offs of the event make of its ties.
    pub(super) of_event: Option<Vec<Refined>>,
    /// The last one.
    pub(super) analysis: Option<Analysis>,
    /// What the arbiter's acts ask of the rounds to come.
    pub(super) orders: Orders,
    /// Of each late entry, in order, the rounds that had been paired.
    pub(super) entered: Vec<usize>,
    /// Who was disqualified when the play-offs after the last round began: later ones leave the list, and the ties as they were.
    pub(super) out_of_ties: Option<BTreeSet<PairingNumber>>,
}

impl State {
    /// Folds a whole log.
    ///
    /// # Errors
    /// When the events cannot have happened one after the other.
    pub fn fold<'a>(events: impl IntoIterator<Item = &'a Event>) -> Result<Self, BrokenLog> {
        let mut events = events.into_iter();
        let Some(Event::Created(created)) = events.next() else {
            return Err(BrokenLog::Created);
        };
        if created.log_version > super::event::LOG_VERSION {
            return Err(BrokenLog::Version(created.log_version));
        }
        let mut order = created.order.clone();
        order.sort_unstable();
        let players = created.setup.players.len();
        if !order.into_iter().eq(0..players) || created.agents.len() != players {
            return Err(BrokenLog::Order);
        }
        if let Some(events) = &created.tour {
            tour::check(events)?;
        }
        let mut state = Self {
            created: (**created).clone(),
            rounds: Vec::new(),
            fields: Vec::new(),
            lots: Vec::new(),
            void_lots: Vec::new(),
            decisions: Vec::new(),
            of_event: None,
            analysis: None,
            orders: Orders::default(),
            entered: Vec::new(),
            out_of_ties: None,
        };
        for event in events {
            state.apply(event)?;
        }
        Ok(state)
    }

    /// Adds one event.
    ///
    /// # Errors
    /// When it cannot follow the events so far.
    pub fn apply(&mut self, event: &Event) -> Result<(), BrokenLog> {
        if matches!(event, Event::LotDrawn(_) | Event::PlayoffPaired(_) | Event::Decided(_)) && self.rounds_are_over() {
            let disqualified = self.orders.disqualified();
            self.out_of_ties.get_or_insert(disqualified);
        }
        match event {
            Event::Created(_) => return Err(BrokenLog::Created),
            Event::Resumed(resumed) => {
                self.created.setup = resumed.setup.clone();
                // It has been honoured.
                self.orders.stop_after = self.orders.stop_after.filter(|rounds| *rounds > self.rounds_over());
            }
            Event::StageBegun(begun) => self.begin_stage(begun)?,
            Event::RoundPaired(paired) => self.apply_round(paired)?,
            Event::GameFinished(finished) => {
                let id = finished.id;
                let broken = BrokenLog::Game(id);
                let Some(mini_match) = self.mini_match_mut(id) else {
                    return Err(broken);
                };
                let players = (mini_match.white_of(id.game), mini_match.black_of(id.game));
                match mini_match.games.get_mut((id.game as usize).wrapping_sub(1)) {
                    Some(slot @ None) if players == (finished.white, finished.black) => *slot = Some(finished.clone()),
                    _ => return Err(broken),
                }
                // A head-to-head result settles a tie without any further event.
                if self.mini_match(id).is_some_and(MiniMatch::is_over) {
                    self.take_over_play_offs();
                }
            }
            Event::LotDrawn(lot) => {
                let mut drawn = self.lots.iter().chain(&self.void_lots);
                let is_new = drawn.all(|drawn| drawn.purpose != lot.purpose);
                if !is_new || !self.has_each_once(lot.drawn.iter().copied()) {
                    return Err(BrokenLog::Lot(lot.purpose));
                }
                self.lots.push(lot.clone());
            }
            Event::PlayoffPaired(paired) => self.apply_playoff(paired)?,
            Event::Decided(decided) => {
                if let Directed::Result(groups) = &decided.decision.directed
                    && !self.has_each_once(groups.iter().flatten().copied())
                {
                    return Err(BrokenLog::Decision(decided.decision.contest));
                }
                self.decisions.push(decided.clone());
                self.take_over_play_offs();
            }
            Event::AnalysisBegun(begun) => {
                self.analysis = Some(Analysis {
                    begun: (**begun).clone(),
                    games: BTreeMap::new(),
                });
            }
            Event::GameAnalysed(analysed) => self.apply_analysed(analysed)?,
            Event::Acted(acted) => self.apply_act(acted)?,
            Event::PresenceChecked(checked) => self.apply_presence(checked)?,
        }
        Ok(())
    }

    fn apply_round(&mut self, paired: &RoundPaired) -> Result<(), BrokenLog> {
        let in_turn = paired.round as usize == self.rounds.len() + 1 && self.sittings().all(|s| s.is_over());
        let pairing = &paired.pairing;
        let players = pairing.pairs.iter().flat_map(|pair| [pair.white, pair.black]);
        let of_byes = |player: &PairingNumber| pairing.byes().any(|bye| bye == *player);
        let is_whole = self.has_each_once(players.chain(pairing.byes())) && pairing.again.iter().all(of_byes);
        if !in_turn || !is_whole {
            return Err(BrokenLog::Round(paired.round));
        }
        let games = self.games_of_round(paired.round) as usize;
        let out = self.out_of_round(paired.round);
        let mini_matches = pairing.pairs.iter().map(|&pair| MiniMatch {
            pair,
            games: vec![None; games],
            played_off: None,
            came: [pair.white, pair.black].map(|player| !out.contains_key(&player)),
        });
        let mini_matches = mini_matches.collect();
        let settled_before = self.settled();
        self.rounds.push(Round {
            pairing: pairing.clone(),
            mini_matches,
            day: paired.day,
            playoffs: Vec::new(),
            void_drawings: 0,
            settled_before,
            starts: paired.starts,
            out,
        });
        Ok(())
    }

    fn apply_playoff(&mut self, paired: &PlayoffPaired) -> Result<(), BrokenLog> {
        let players = paired.boards.iter().flat_map(|board| [board.white, board.black]);
        let all_over = self.sittings().all(|sitting| sitting.is_over());
        let has_games = paired.boards.iter().all(|board| (1..=2).contains(&board.games));
        let is_whole = all_over && has_games && self.has_each_once(players);
        let broken = BrokenLog::Playoff(paired.round, paired.playoff);
        let rounds = self.rounds.len();
        let settled_before = self.settled();
        let Some(round) = self
            .rounds
            .last_mut()
            .filter(|_| is_whole && paired.round as usize == rounds)
        else {
            return Err(broken);
        };
        if paired.playoff as usize != round.playoffs.len() + 1 {
            return Err(broken);
        }
        let gone = &self.orders.gone;
        let mini_matches = paired.boards.iter().map(|board| MiniMatch {
            pair: Pair {
                white: board.white,
                black: board.black,
                repeat: false,
            },
            games: vec![None; board.games as usize],
            played_off: None,
            came: [board.white, board.black].map(|player| !gone.contains_key(&player)),
        });
        round.playoffs.push(PlayoffRound {
            boards: paired.boards.clone(),
            mini_matches: mini_matches.collect(),
            later: paired.later,
            settled_before,
        });
        Ok(())
    }

    /// How many lots have been drawn and decisions made.
    fn settled(&self) -> (usize, usize) {
        (self.lots.len(), self.decisions.len())
    }

    /// Whether anything was drawn, decided or paired for a play-off of which no game has ended.
    #[must_use]
    pub(super) fn has_drawn(&self) -> bool {
        let Some(round) = self.rounds.last() else {
            return false;
        };
        let before = round
            .playoffs
            .last()
            .map_or(round.settled_before, |playoff| playoff.settled_before);
        round.playoffs.last().is_some_and(PlayoffRound::is_unplayed) || self.settled() > before
    }

    /// "Until the first game of that play-off begins a result may still be corrected; what was drawn is then void and stays in
    /// the log, and is drawn again." So are decisions: the arbiter is asked again.
    pub(super) fn void_what_was_drawn(&mut self) {
        if !self.has_drawn() {
            return;
        }
        let Some(round) = self.rounds.last_mut() else { return };
        round.playoffs.pop_if(|playoff| playoff.is_unplayed());
        let (lots, decisions) = round
            .playoffs
            .last()
            .map_or(round.settled_before, |playoff| playoff.settled_before);
        round.void_drawings += 1;
        for board in &mut round.mini_matches {
            board.played_off = None;
        }
        if round.playoffs.is_empty() {
            self.out_of_ties = None;
        }
        self.void_lots.extend(self.lots.drain(lots..));
        self.decisions.truncate(decisions);
    }

    /// Whether these are players of this event alone, none of them twice.
    pub(super) fn has_each_once(&self, numbers: impl IntoIterator<Item = PairingNumber>) -> bool {
        let mut seen = vec![false; self.player_count() + 1];
        seen[0] = true;
        numbers.into_iter().all(|number| {
            seen.get_mut(number.0 as usize)
                .is_some_and(|seen| !std::mem::replace(seen, true))
        })
    }

    pub(super) fn mini_match_mut(&mut self, id: GameId) -> Option<&mut MiniMatch> {
        let round = self.rounds.get_mut((id.round as usize).checked_sub(1)?)?;
        let mini_matches = match (id.playoff as usize).checked_sub(1) {
            None => &mut round.mini_matches,
            Some(playoff) => &mut round.playoffs.get_mut(playoff)?.mini_matches,
        };
        mini_matches.get_mut((id.mini_match as usize).checked_sub(1)?)
    }

    /// The mini-match that a game belongs to.
    #[must_use]
    pub fn mini_match(&self, id: GameId) -> Option<&MiniMatch> {
        let round = self.rounds.get((id.round as usize).checked_sub(1)?)?;
        let mini_matches = match (id.playoff as usize).checked_sub(1) {
            None => &round.mini_matches,
            Some(playoff) => &round.playoffs.get(playoff)?.mini_matches,
        };
        mini_matches.get((id.mini_match as usize).checked_sub(1)?)
    }

    /// The play-off board that a game belongs to.
    #[must_use]
    pub fn playoff_board(&self, id: GameId) -> Option<&Board> {
        let round = self.rounds.get((id.round as usize).checked_sub(1)?)?;
        let playoff = round.playoffs.get((id.playoff as usize).checked_sub(1)?)?;
        playoff.boards.get((id.mini_match as usize).checked_sub(1)?)
    }

    /// Rounds and play-off rounds, in the order of play.
    pub fn sittings(&self) -> impl Iterator<Item = Sitting<'_>> {
        (1..)
            .zip(&self.rounds)
            .flat_map(|(number, round)| round.sittings(number))
    }

    /// Lots drawn, without those that are void.
    #[must_use]
    pub fn lots(&self) -> &[Lot] {
        &self.lots
    }

    /// Lots that are void, because a result on which they rested was corrected.
    #[must_use]
    pub fn void_lots(&self) -> &[Lot] {
        &self.void_lots
    }

    /// What the arbiter decided.
    #[must_use]
    pub fn decisions(&self) -> &[Decided] {
        &self.decisions
    }

    /// What was fixed before the first round, with the setup as it is now.
    #[must_use]
    pub const fn created(&self) -> &Created {
        &self.created
    }

    /// The same games under another setup.
    #[must_use]
    pub fn by_other_rules(&self, setup: Setup) -> Self {
        let mut other = self.clone();
        other.created.setup = setup;
        other
    }

    /// Every key.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.created.setup
    }

    /// Rounds paired so far.
    #[must_use]
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    /// Number of players.
    #[must_use]
    pub fn player_count(&self) -> usize {
        self.created.order.len()
    }

    /// An entry by pairing number.
    #[must_use]
    pub fn player(&self, number: PairingNumber) -> &PlayerKeys {
        &self.setup().players[self.created.order[number.index()]]
    }

    /// All pairing numbers.
    pub fn numbers(&self) -> impl Iterator<Item = PairingNumber> + use<> {
        (0..self.player_count()).map(PairingNumber::from_index)
    }

    /// Rounds that are over.
    #[must_use]
    pub fn rounds_over(&self) -> usize {
        self.rounds.iter().take_while(|round| round.is_over()).count()
    }

    /// The rounds with which the event ends: those that were planned, or fewer where the arbiter ended it.
    #[must_use]
    pub fn last_round(&self) -> u32 {
        let planned = self.created.rounds;
        let ended = self.orders.ended.as_ref();
        ended.map_or(planned, |early| early.rounds.min(planned))
    }

    /// Whether every round has been played.
    #[must_use]
    pub fn rounds_are_over(&self) -> bool {
        self.rounds_over() == self.last_round() as usize
    }

    /// Whether every round has been played, and every play-off that is due.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.rounds_are_over() && ties::are_settled(self)
    }

    /// Games on the schedule so far, and how many of them have ended.
    #[must_use]
    pub fn progress(&self) -> (usize, usize) {
        let games = || {
            let boards = self.sittings().flat_map(|sitting| sitting.mini_matches);
            boards.flat_map(|board| &board.games)
        };
        (games().count(), games().flatten().count())
    }

    /// Finished games in schedule order.
    pub fn finished_games(&self) -> impl Iterator<Item = &GameFinished> {
        self.sittings().flat_map(Sitting::finished_games)
    }
}
