//! The state of an event: a fold over the entries of its log.
//!
//! May not: hold anything that is not in the entries; decide anything.

mod acts;
mod analysis;
mod attendance;
mod broken;
mod game;
mod games;
mod interruptions;
mod mini_match;
mod of_event;
pub mod orders;
mod playoffs;
mod round;
mod stages;
mod tally;

use std::collections::{BTreeMap, BTreeSet};

pub use analysis::Analysis;
pub use broken::BrokenLogError;
pub use game::{EndedGame, LoggedGame};
pub use games::MiniMatchGames;
pub use interruptions::Interruptions;
pub use mini_match::MiniMatch;
pub(crate) use of_event::OfEvent;
pub use of_event::RefinedTie;
use orders::Orders;
pub use round::{Out, PlayoffRound, Round, Sitting};
use swiss_system::pairing::history::PairingNumber;
pub use tally::{GameKind, GameTally};

use super::log::{
    Agent, ArbiterDecided, ArbiterDirection, Entry, EventStopped, LOG_VERSION, Lot, PlayedOn, PlayoffBoard,
    RoundPaired, RunCreated, SprtDecided, WorkerAdmitted, names_of_players,
};
use super::setup::{MOST_GAMES, PlayerKeys, Setup};
use swissmatch_game::record::GameId;
use swissmatch_game::termination::Outcome;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    pub(super) created: RunCreated,
    /// The number of entries folded so far.
    pub(super) entries: u32,
    pub(super) rounds: Vec<Round>,
    /// The players of each stage after the first, first seed first.
    pub(super) fields: Vec<Vec<PairingNumber>>,
    pub(super) lots: Vec<Lot>,
    /// Lots that became void because a result they rested on was corrected.
    pub(super) void_lots: Vec<Lot>,
    pub(super) decisions: Vec<ArbiterDecided>,
    /// For a part seen as an event of its own: what the event's play-offs settled in it.
    pub(super) of_event: Option<OfEvent>,
    /// The latest one.
    pub(super) analysis: Option<Analysis>,
    /// What the arbiter's acts ask of rounds to come.
    pub(super) orders: Orders,
    /// For each late entry, in order, the number of rounds that had been paired.
    pub(super) entered: Vec<usize>,
    /// Players who were disqualified when the play-offs after the last round began. A later disqualification takes a
    /// player off the list but leaves the ties as they were.
    pub(super) out_of_ties: Option<BTreeSet<PairingNumber>>,
    /// Games that were open when a runner ended.
    pub(super) interrupted: BTreeMap<GameId, Interruptions>,
    /// The verdict of the test of two players.
    pub(super) verdict: Option<SprtDecided>,
    /// The entry by which the stop rule ended the event.
    pub(super) stopped: Option<EventStopped>,
    /// Each worker's latest admission, by its key.
    pub(super) workers: BTreeMap<String, WorkerAdmitted>,
}

/// No event has more rounds, not even an all-play-all with the most players possible.
const MOST_ROUNDS: u32 = 100_000;

impl State {
    /// Folds a whole log.
    ///
    /// # Errors
    /// The entries cannot have happened in this order.
    pub fn fold<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Result<Self, BrokenLogError> {
        let mut entries = entries.into_iter();
        let Some(Entry::Created(created)) = entries.next() else {
            return Err(BrokenLogError::Created);
        };
        if created.log_version > LOG_VERSION {
            return Err(BrokenLogError::Version(created.log_version));
        }
        let mut order = created.order.clone();
        order.sort_unstable();
        let players = created.setup.players.len();
        if !order.into_iter().eq(0..players) || created.agents.len() != players {
            return Err(BrokenLogError::Order);
        }
        if created.rounds > MOST_ROUNDS {
            return Err(BrokenLogError::Rounds);
        }
        if let Some(events) = &created.tour {
            names_of_players(events)?;
        }
        let mut state = Self {
            created: (**created).clone(),
            entries: 1,
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
            interrupted: BTreeMap::new(),
            verdict: None,
            stopped: None,
            workers: BTreeMap::new(),
        };
        for entry in entries {
            state.apply(entry)?;
        }
        Ok(state)
    }

    /// Adds one entry.
    ///
    /// # Errors
    /// The entry cannot follow those before it.
    pub fn apply(&mut self, entry: &Entry) -> Result<(), BrokenLogError> {
        if matches!(entry, Entry::LotDrawn(_) | Entry::PlayoffPaired(_) | Entry::Decided(_)) && self.rounds_are_over() {
            let disqualified = self.orders.disqualified();
            self.out_of_ties.get_or_insert(disqualified);
        }
        let entry_number = self.entries.checked_add(1).ok_or(BrokenLogError::Created)?;
        match entry {
            Entry::Created(_) => return Err(BrokenLogError::Created),
            Entry::Resumed(resumed) => {
                if resumed.setup.players.len() != self.created.order.len() {
                    return Err(BrokenLogError::Order);
                }
                self.created.setup = resumed.setup.clone();
                // The wish has been granted.
                self.orders.stop_after = self.orders.stop_after.filter(|rounds| *rounds > self.rounds_over());
            }
            Entry::StageBegun(begun) => self.begin_stage(begun)?,
            Entry::RoundPaired(paired) => self.apply_round(paired)?,
            Entry::GameFinished(finished) => {
                let id = finished.id;
                let broken = BrokenLogError::Game(id);
                if !finished.is_possible() {
                    return Err(broken);
                }
                let issue = self.issue_of(id);
                let is_known = |on: &PlayedOn| {
                    let worker = self.workers.get(&on.worker);
                    on.issue == issue && worker.is_some_and(|worker| worker.class == on.class)
                };
                if !finished.played_on.as_deref().is_none_or(is_known) {
                    return Err(BrokenLogError::Worker(id));
                }
                let Some(mini_match) = self.mini_match_mut(id) else {
                    return Err(broken);
                };
                let players = (mini_match.white_of(id.game), mini_match.black_of(id.game));
                if !mini_match.games.may_end(id.game) || players != (finished.white, finished.black) {
                    return Err(broken);
                }
                let game = LoggedGame::of_entry(entry_number, finished);
                mini_match.games.set(id.game, Some(game.into()));
            }
            Entry::LotDrawn(lot) => {
                let mut drawn = self.lots.iter().chain(&self.void_lots);
                let is_new = drawn.all(|drawn| drawn.purpose != lot.purpose);
                if !is_new || !self.has_each_once(lot.drawn.iter().copied()) {
                    return Err(BrokenLogError::Lot(lot.purpose));
                }
                self.lots.push(lot.clone());
            }
            Entry::PlayoffPaired(paired) => self.apply_playoff(paired)?,
            Entry::Decided(decided) => {
                if let ArbiterDirection::Result(groups) = &decided.decision.directed
                    && !self.has_each_once(groups.iter().flatten().copied())
                {
                    return Err(BrokenLogError::Decision(decided.decision.contest));
                }
                self.decisions.push(decided.clone());
            }
            Entry::AnalysisBegun(begun) => {
                self.analysis = Some(Analysis {
                    begun: (**begun).clone(),
                    games: BTreeMap::new(),
                });
            }
            Entry::GameAnalysed(analysed) => self.apply_analysed(analysed)?,
            Entry::Acted(acted) => self.apply_act(acted)?,
            Entry::PresenceChecked(checked) => self.apply_presence(checked)?,
            Entry::Interrupted(interrupted) => self.apply_interrupted(interrupted)?,
            Entry::SprtDecided(decided) => {
                if self.verdict.is_some() || self.setup().sprt.test().is_none() || self.rounds.is_empty() {
                    return Err(BrokenLogError::Sprt);
                }
                let boards = self.rounds.iter_mut().flat_map(|round| &mut round.mini_matches);
                boards.for_each(|board| board.games.stop());
                self.verdict = Some(decided.clone());
            }
            Entry::EventStopped(stopped) => {
                let is_in_turn = stopped.round as usize == self.rounds.len() && self.sittings().all(|s| s.is_over());
                let is_early = stopped.round > 0 && stopped.round < self.last_round();
                if self.stopped.is_some() || !self.setup().stop.is_set() || !is_in_turn || !is_early {
                    return Err(BrokenLogError::Stop);
                }
                self.stopped = Some(stopped.clone());
            }
            Entry::WorkerAdmitted(admitted) => {
                self.workers.insert(admitted.worker.clone(), (**admitted).clone());
            }
        }
        self.entries = entry_number;
        Ok(())
    }

    /// How many times a game has been given out, counting from 1: once more each time the arbiter has it replayed.
    pub fn issue_of(&self, game: GameId) -> u32 {
        self.orders.replayed.get(&game).map_or(1, |replayed| replayed + 1)
    }

    /// The workers admitted so far, by their keys.
    pub const fn workers(&self) -> &BTreeMap<String, WorkerAdmitted> {
        &self.workers
    }

    fn apply_round(&mut self, paired: &RoundPaired) -> Result<(), BrokenLogError> {
        if self.stopped.is_some() {
            return Err(BrokenLogError::Stop);
        }
        let in_turn = paired.round as usize == self.rounds.len() + 1 && self.sittings().all(|s| s.is_over());
        let pairing = &paired.pairing;
        let players = pairing.pairs.iter().flat_map(|pair| [pair.white, pair.black]);
        let players: Vec<PairingNumber> = players.chain(pairing.byes()).collect();
        let of_byes = |player: &PairingNumber| pairing.byes().any(|bye| bye == *player);
        let field = self.field_of_round(paired.round);
        let is_of_stage = |player: &PairingNumber| field.as_ref().is_none_or(|field| field.contains(player));
        let is_whole = self.has_each_once(players.iter().copied())
            && players.iter().all(is_of_stage)
            && pairing.again.iter().all(of_byes);
        if !in_turn || !is_whole {
            return Err(BrokenLogError::Round(paired.round));
        }
        let games = self.games_of_round(paired.round);
        if games > MOST_GAMES {
            return Err(BrokenLogError::Games);
        }
        let out = self.out_of_round(paired.round);
        let mini_matches = (1..).zip(&pairing.pairs).map(|(board, &pair)| MiniMatch {
            pair,
            games: MiniMatchGames::due(
                GameId::first_of(paired.round, 0, board),
                [pair.white, pair.black],
                games,
            ),
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

    /// True if these are all players of this event and none is listed twice.
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
        mini_matches.get_mut((id.board as usize).checked_sub(1)?)
    }

    /// Shares the memory of a mini-match's games with another state of the same event, if both have the same games.
    pub fn share_games(&mut self, id: GameId, games: &MiniMatchGames) {
        if let Some(board) = self.mini_match_mut(id) {
            board.games.share(games);
        }
    }

    /// The mini-match that a game belongs to.
    pub fn mini_match(&self, id: GameId) -> Option<&MiniMatch> {
        let round = self.rounds.get((id.round as usize).checked_sub(1)?)?;
        let mini_matches = match (id.playoff as usize).checked_sub(1) {
            None => &round.mini_matches,
            Some(playoff) => &round.playoffs.get(playoff)?.mini_matches,
        };
        mini_matches.get((id.board as usize).checked_sub(1)?)
    }

    /// The play-off board that a game belongs to.
    pub fn playoff_board(&self, id: GameId) -> Option<&PlayoffBoard> {
        let round = self.rounds.get((id.round as usize).checked_sub(1)?)?;
        let playoff = round.playoffs.get((id.playoff as usize).checked_sub(1)?)?;
        playoff.boards.get((id.board as usize).checked_sub(1)?)
    }

    /// Rounds and play-off rounds, in the order of play.
    pub fn sittings(&self) -> impl Iterator<Item = Sitting<'_>> {
        (1..)
            .zip(&self.rounds)
            .flat_map(|(number, round)| round.sittings(number))
    }

    /// Games of the last paired round or play-off round that have no result, in schedule order.
    pub fn due(&self) -> impl Iterator<Item = (GameId, &MiniMatch)> {
        self.due_of(|_| true)
    }

    /// Like [`Self::due`], but only for these mini-matches.
    pub(crate) fn due_of<'a>(
        &'a self,
        is_such: impl Fn(&MiniMatch) -> bool + 'a,
    ) -> impl Iterator<Item = (GameId, &'a MiniMatch)> {
        let boards = self.boards_due().filter(move |(_, board)| is_such(board));
        boards.flat_map(|(first, board)| {
            let games = board.games.all_due();
            games.map(move |game| (GameId { game, ..first }, board))
        })
    }

    /// The first due game of each mini-match of that round, if it has one.
    pub(crate) fn boards_due(&self) -> impl Iterator<Item = (GameId, &MiniMatch)> {
        let last = self.sittings().last();
        let (round, playoff, mini_matches) = last.map_or((0, 0, [].as_slice()), |last| {
            (last.round, last.playoff, last.mini_matches)
        });
        (1..).zip(mini_matches).filter_map(move |(mini_match, board)| {
            let first = GameId {
                round,
                playoff,
                board: mini_match,
                game: board.games.all_due().next()?,
            };
            Some((first, board))
        })
    }

    /// The verdict of the test of two players, once decided.
    pub const fn verdict(&self) -> Option<&SprtDecided> {
        self.verdict.as_ref()
    }

    /// The entry by which the stop rule ended the event before its last round.
    pub const fn stopped(&self) -> Option<&EventStopped> {
        self.stopped.as_ref()
    }

    /// Lots drawn, without void ones.
    pub fn lots(&self) -> &[Lot] {
        &self.lots
    }

    /// Lots that became void because a result they rested on was corrected.
    pub fn void_lots(&self) -> &[Lot] {
        &self.void_lots
    }

    pub fn decisions(&self) -> &[ArbiterDecided] {
        &self.decisions
    }

    /// What was fixed before the first round, with the setup as it is now.
    pub const fn created(&self) -> &RunCreated {
        &self.created
    }

    /// The same games under another setup.
    pub fn by_other_rules(&self, setup: Setup) -> Self {
        let mut other = self.clone();
        other.created.setup = setup;
        other
    }

    /// The state with other results for some games that have ended.
    #[must_use]
    pub(crate) fn with_results(mut self, changed: &[(GameId, Outcome)]) -> Self {
        for &(id, outcome) in changed {
            if let Some(board) = self.mini_match_mut(id) {
                board.games.rule(id.game, outcome);
            }
        }
        self
    }

    pub const fn setup(&self) -> &Setup {
        &self.created.setup
    }

    /// Rounds paired so far.
    pub fn rounds(&self) -> &[Round] {
        &self.rounds
    }

    pub fn player_count(&self) -> usize {
        self.created.order.len()
    }

    /// The player's entry in the event file.
    pub fn player(&self, number: PairingNumber) -> &PlayerKeys {
        &self.setup().players[self.created.order[number.index()]]
    }

    /// What a player's agent is made of.
    pub fn agent(&self, number: PairingNumber) -> &Agent {
        &self.created.agents[self.created.order[number.index()]]
    }

    pub fn numbers(&self) -> impl Iterator<Item = PairingNumber> + use<> {
        (0..self.player_count()).map(PairingNumber::from_index)
    }

    pub fn rounds_over(&self) -> usize {
        self.rounds.iter().take_while(|round| round.is_over()).count()
    }

    /// The round that is being played or, if there is none, the next one; from 1.
    pub(crate) fn round_to_end(&self) -> usize {
        let paired = self.rounds.len();
        let is_between = self.rounds_over() == paired && paired < self.last_round() as usize;
        paired + usize::from(is_between)
    }

    /// The number of rounds with which the event ends: those planned, or fewer if the arbiter or the stop rule ended
    /// it.
    pub fn last_round(&self) -> u32 {
        let planned = self.created.rounds;
        let ended = self.orders.ended.as_ref().map(|early| early.rounds);
        let stopped = self.stopped.as_ref().map(|stopped| stopped.round);
        ended.into_iter().chain(stopped).fold(planned, u32::min)
    }

    /// True if every round has been played.
    pub fn rounds_are_over(&self) -> bool {
        self.rounds_over() == self.last_round() as usize
    }

    /// Games scheduled so far, and how many of them have ended.
    pub fn progress(&self) -> (usize, usize) {
        let boards = self.sittings().flat_map(|sitting| sitting.mini_matches);
        boards.fold((0, 0), |(games, ended), board| {
            (games + board.games.len(), ended + board.games.count_ended())
        })
    }

    /// Finished games in schedule order.
    pub fn finished_games(&self) -> impl Iterator<Item = EndedGame> {
        self.sittings().flat_map(Sitting::finished_games)
    }
}
