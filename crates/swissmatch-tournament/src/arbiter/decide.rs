//! Whether an act may be done now, and what it puts into the log.
//!
//! May not: change the state.

mod disqualified;
mod limits;
mod rests;
mod rounds;
mod table;

use std::collections::BTreeSet;

use swiss_system::count;
use swiss_system::pairing::history::{Pair, PairingNumber, RoundPairing};
use swiss_system::pairing::wishes;
use swiss_system::standings::results::{Bye, RoundFate};
use swiss_system::text::is_no_part_of_a_name;

use crate::embargo::embargo;
use crate::history::{forbidden_pairs, history_after};
use crate::log::{Act, ArbiterActed, ByeWorth, Entry, GameFinished, Limit};
use crate::part::{section_name, section_of};
use crate::part_events::event_of_part;
use crate::playoff::decision;
use crate::results::results_after;
use crate::state::{EndedGame, Out, State};
use crate::ties::event_is_over;
use crate::{director, policy, ties};
use swissmatch_game::record::GameId;
use swissmatch_game::termination::{Outcome, Termination};

use super::Command;
use super::words::called;
use crate::state::orders::{Departure, Orders, RoundOrder, is_pair};

use table::{has_round, swiss};

pub use limits::overruling;

/// Why an act is refused, in one sentence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ActError {
    /// The acting person's name is missing.
    #[error("--by must say who acts")]
    NoName,
    /// The reason is missing.
    #[error("--reason must say why")]
    NoReason,
    /// Name and reason go into the minutes, so each must be one line.
    #[error("a name or a reason must be one line of at most {MOST} characters, without control characters")]
    NotALine,
    /// An announcement is shown on the page.
    #[error(
        "an announcement must be one line of 1 to {MOST} characters, without control characters or marks that turn the writing round"
    )]
    NoAnnouncement,
    /// No player has this number.
    #[error("there is no player {0}")]
    Unknown(PairingNumber),
    /// The event is over.
    #[error("the event is over")]
    Over,
    /// What is asked for is so already.
    #[error("{0}")]
    Already(String),
    /// It cannot be done in this event, or it is too early or too late.
    #[error("{0}")]
    Cannot(String),
    /// A limit stands against it, which the arbiter may overrule.
    #[error("{why}; `--overrule` does it anyway")]
    Limit {
        limit: Limit,
        /// How the limit stands against it.
        why: String,
    },
    /// The decision does not fit the tie.
    #[error(transparent)]
    Decision(#[from] decision::DecisionError),
}

/// The most characters of a name, a reason or an announcement.
const MOST: usize = 1000;

/// The entries that a command puts into the log, in this order and all at once. `under_way` has the games that are
/// being played, or have ended but are not in the state yet.
///
/// # Errors
/// It cannot be done now.
pub fn decide(state: &State, under_way: &BTreeSet<GameId>, command: &Command) -> Result<Vec<Entry>, ActError> {
    match command {
        Command::Act(acted) => {
            signed(&acted.by, &acted.reason)?;
            if acted.by == policy::BY && !policy::withdrawals(state).contains(acted) {
                return cannot(format!(
                    "\"{}\" is no name of an arbiter: the rules act by themselves",
                    policy::BY
                ));
            }
            let desk = ActReview {
                state,
                under_way,
                overruled: &acted.overruled,
            };
            let acted = ArbiterActed {
                act: desk.as_logged(&acted.act),
                ..acted.clone()
            };
            desk.judge(&acted.act)?;
            desk.nothing_in_vain(&acted.act)?;
            let follows = desk.follows(&acted);
            let act = Entry::Acted(Box::new(acted));
            Ok(std::iter::once(act).chain(follows).collect())
        }
        Command::Decide(decided) => {
            signed(&decided.by, &decided.reason)?;
            for consulted in &decided.consulted {
                signed(consulted, "consulted")?;
            }
            let tie = decided.decision.contest.tie;
            let playoffs = ties::all(state)
                .into_iter()
                .find(|playoffs| playoffs.round == tie.round);
            let playoffs =
                playoffs.ok_or_else(|| ActError::Cannot(format!("there is no play-off after round {}", tie.round)))?;
            decision::check(&decided.decision, &playoffs.stand)?;
            Ok(vec![Entry::Decided(decided.clone())])
        }
    }
}

fn signed(by: &str, reason: &str) -> Result<(), ActError> {
    for (text, missing) in [(by, ActError::NoName), (reason, ActError::NoReason)] {
        if text.trim().is_empty() {
            return Err(missing);
        }
        if text.chars().count() > MOST || text.chars().any(char::is_control) {
            return Err(ActError::NotALine);
        }
    }
    Ok(())
}

fn may_be_announced(text: &str) -> Result<(), ActError> {
    let is_a_line = !text.trim().is_empty() && text.chars().count() <= MOST && !text.chars().any(is_no_part_of_a_name);
    is_a_line.then_some(()).ok_or(ActError::NoAnnouncement)
}

struct ActReview<'a> {
    state: &'a State,
    under_way: &'a BTreeSet<GameId>,
    /// Limits that the arbiter overrules.
    overruled: &'a [Limit],
}

impl ActReview<'_> {
    fn judge(&self, act: &Act) -> Result<(), ActError> {
        if self.state.created().tour.is_some() && act.is_of_players() {
            return cannot("a tour takes its players from its events".to_owned());
        }
        match act {
            Act::Pause | Act::Resume | Act::StopAfterRound | Act::End | Act::Release => self.judge_course(act),
            Act::Announce { text } => may_be_announced(text),
            Act::Confirm { round, pairing } => self.may_confirm(*round, pairing),
            Act::Replay { game } | Act::Void { game } | Act::SetResult { game, .. } | Act::Adjudicate { game, .. } => {
                self.judge_game(act, *game)
            }
            Act::Enter { player, agent: _ } => self.may_enter(player),
            Act::Withdraw { player } => {
                self.there(*player)?;
                self.not_gone(*player)?;
                self.rounds_to_come()
            }
            Act::Reinstate { player } => self.may_reinstate(*player),
            Act::Disqualify { player, annul } => self.may_disqualify(*player, *annul),
            Act::Absent { player, round } => {
                self.there(*player)?;
                self.to_come(*round)?;
                has_round(&self.table_of(*player), *round)?;
                self.new_order(*player, *round, RoundOrder::Absent)
            }
            Act::Present { player, round } => {
                self.there(*player)?;
                self.to_come(*round)?;
                match self.state.out_of_round(*round).contains_key(player) {
                    true => Ok(()),
                    false => already(format!(
                        "{} is already to be paired in round {round}",
                        called(self.state, *player)
                    )),
                }
            }
            Act::RequestBye { player, round } => self.may_request(*player, *round),
            Act::AwardBye { player, round, worth } => self.may_award(*player, *round, *worth),
            Act::Forbid { one, other, round } => self.may_forbid([*one, *other], *round),
            Act::Force { white, black, round } => self.may_force([*white, *black], *round),
        }
    }

    /// Judges an act on how the event goes on.
    fn judge_course(&self, act: &Act) -> Result<(), ActError> {
        let orders = self.state.orders();
        match act {
            Act::Pause => match &orders.paused {
                Some((by, reason)) => already(format!("the event is already paused, by {by}: {reason}")),
                None => self.not_over(),
            },
            Act::Resume => match orders.paused {
                Some(_) => Ok(()),
                None => already("the event is not paused".to_owned()),
            },
            Act::StopAfterRound => match orders.stop_after {
                Some(rounds) if rounds >= self.state.round_to_end() => {
                    already(format!("the runner already stops after round {rounds}"))
                }
                _ => self.not_over(),
            },
            Act::Release => match embargo(self.state) {
                None => already("nothing is held back".to_owned()),
                Some(_) => Ok(()),
            },
            _ => self.may_end(),
        }
    }

    /// Judges an act on a game.
    fn judge_game(&self, act: &Act, game: GameId) -> Result<(), ActError> {
        if let Act::Adjudicate { outcome, .. } = act {
            self.is_a_result(*outcome)?;
            return self.due(game);
        }
        if matches!(act, Act::Replay { .. }) && self.state.is_held(game) {
            return Ok(());
        }
        let was = self.ended(game)?;
        match act {
            Act::Void { .. } => {
                self.nothing_rests_on(game)?;
                match was.outcome() {
                    Outcome::Void => already(format!("game {game} is already void")),
                    _ => Ok(()),
                }
            }
            Act::SetResult { outcome, .. } => {
                self.nothing_rests_on(game)?;
                self.is_a_result(*outcome)?;
                match was.outcome() == *outcome {
                    true => already(format!("game {game} already has that result")),
                    false => Ok(()),
                }
            }
            _ if self.state.verdict().is_some() => {
                cannot("the test of this match is decided, and no game begins any more".to_owned())
            }
            _ => {
                let board = self.state.mini_match(game);
                let [white, black] = [was.finished.white, was.finished.black];
                if board.is_some_and(|board| !board.has_come(white) || !board.has_come(black)) {
                    return cannot(format!(
                        "game {game} was forfeited by a player who did not come, and would be forfeited again"
                    ));
                }
                self.may_be_replayed(game)
            }
        }
    }

    fn may_reinstate(&self, player: PairingNumber) -> Result<(), ActError> {
        let state = self.state;
        self.known(player)?;
        if !state.orders().gone.contains_key(&player) {
            return already(format!("{} is not withdrawn or disqualified", called(state, player)));
        }
        match &state.out_of_ties {
            Some(players) if players.contains(&player) => cannot("play-offs have begun without it".to_owned()),
            _ => Ok(()),
        }
    }

    fn may_award(&self, player: PairingNumber, round: u32, worth: ByeWorth) -> Result<(), ActError> {
        self.known(player)?;
        if round as usize <= self.state.rounds().len() {
            return self.had_no_game(player, round);
        }
        self.not_gone(player)?;
        let table = self.table_of(player);
        swiss(&table, "a bye can be given")?;
        self.to_come(round)?;
        has_round(&table, round)?;
        self.new_order(player, round, RoundOrder::Awarded(worth))
    }

    /// The entry that follows from an act.
    fn follows(&self, acted: &ArbiterActed) -> Option<Entry> {
        let Act::Adjudicate { game, outcome } = acted.act else {
            return None;
        };
        // A game that is being played ends first; then its end follows.
        if self.under_way.contains(&game) {
            return None;
        }
        let board = self.state.mini_match(game)?;
        let players = [board.white_of(game.game), board.black_of(game.game)];
        let ending = (outcome, Termination::Awarded);
        Some(Entry::GameFinished(GameFinished::unplayed(game, players, ending)))
    }

    fn known(&self, player: PairingNumber) -> Result<(), ActError> {
        match self.state.has_each_once([player]) {
            true => Ok(()),
            false => Err(ActError::Unknown(player)),
        }
    }

    fn not_gone(&self, player: PairingNumber) -> Result<(), ActError> {
        let state = self.state;
        match state.orders().gone.get(&player) {
            None => Ok(()),
            Some(Departure::Withdrawn) => already(format!("{} has already withdrawn", called(state, player))),
            Some(Departure::Disqualified { .. }) => {
                already(format!("{} is already disqualified", called(state, player)))
            }
        }
    }

    /// Refuses a player who cannot be paired.
    fn there(&self, player: PairingNumber) -> Result<(), ActError> {
        self.known(player)?;
        self.not_gone(player)
    }

    fn not_over(&self) -> Result<(), ActError> {
        match event_is_over(self.state) {
            true => Err(ActError::Over),
            false => Ok(()),
        }
    }

    /// The event may end with the rounds that it has; it must have one.
    fn may_end(&self) -> Result<(), ActError> {
        let state = self.state;
        let (paired, rounds) = (state.rounds().len(), state.created().rounds);
        match &state.orders().ended {
            _ if state.created().tour.is_some() => cannot("a tour has no rounds of its own to end".to_owned()),
            _ if state.stopped().is_some() => already("the event has already ended by its stop rule (stop)".to_owned()),
            Some(early) => already(format!(
                "the event already ends after round {}, by order of {}",
                early.rounds, early.by
            )),
            None if paired == 0 => cannot("no round has been paired yet, so there is nothing to count".to_owned()),
            None if paired >= rounds as usize => cannot(format!(
                "round {rounds}, the last one, is paired: the event ends with it"
            )),
            None => Ok(()),
        }
    }

    fn new_order(&self, player: PairingNumber, round: u32, order: RoundOrder) -> Result<(), ActError> {
        match self.state.orders().rounds.get(&(round, player)) {
            Some(before) if *before == order => {
                already(format!("that is already noted for {}", called(self.state, player)))
            }
            _ => Ok(()),
        }
    }

    /// "Asked for before that round is paired, a published limit that depends on the number of rounds" (US Chess).
    fn may_request(&self, player: PairingNumber, round: u32) -> Result<(), ActError> {
        let state = self.state;
        self.there(player)?;
        let table = self.table_of(player);
        swiss(&table, "a bye can be asked for")?;
        self.to_come(round)?;
        has_round(&table, round)?;
        if state
            .out_of_round(round)
            .get(&player)
            .is_some_and(|out| matches!(out, Out::Bye(_)))
        {
            return already(format!("{} already has a bye in round {round}", called(state, player)));
        }
        let limit = state.setup().bye.requests_in(table.created().rounds);
        let asked = state.requested_byes(player).len();
        match asked < limit as usize {
            true => Ok(()),
            false if limit == 0 => self.keeps(
                Limit::ByeRequests,
                "players may not ask for byes in this event (bye.requests)".to_owned(),
            ),
            false => self.keeps(
                Limit::ByeRequests,
                format!(
                    "{} has asked for {}, and bye.requests allows {limit}",
                    called(state, player),
                    count::of(asked, "bye", "byes")
                ),
            ),
        }
    }

    /// Refuses unless the round is over or has begun, and the player had no opponent in it.
    fn had_no_game(&self, player: PairingNumber, round: u32) -> Result<(), ActError> {
        let state = self.state;
        let paired = (round as usize)
            .checked_sub(1)
            .and_then(|index| state.rounds().get(index));
        let Some(paired) = paired else {
            return cannot(format!("there is no round {round}"));
        };
        if self.has_play_offs() {
            return cannot("play-offs rest on the points of the rounds".to_owned());
        }
        let results = results_after(state, round as usize);
        let had = results.players[player.index()].rounds[round as usize - 1].fate;
        let is_paired = |pair: &Pair| pair.white == player || pair.black == player;
        let of_table = self.table_of(player);
        has_round(&of_table, round)?;
        match had {
            RoundFate::Bye(Bye::PairingAllocated) => {
                cannot(format!("{} had the bye in round {round}", called(state, player)))
            }
            RoundFate::Annulled => Ok(()),
            RoundFate::Free => cannot(format!(
                "round {round} was a free round for {}, which is not a bye",
                called(state, player)
            )),
            RoundFate::Bye(_) if !paired.pairing.pairs.iter().any(is_paired) => swiss(&of_table, "a bye can be given"),
            _ => cannot(format!(
                "{} was paired in round {round}; `set-result` changes what a game gave",
                called(state, player)
            )),
        }
    }

    fn may_forbid(&self, pair: [PairingNumber; 2], round: u32) -> Result<(), ActError> {
        self.two_players(pair)?;
        swiss(&self.table_of(pair[0]), "pairs can be forbidden")?;
        self.coming(round)?;
        let [one, other] = pair;
        let forbidden = history_after(self.state, self.state.rounds().len()).forbidden;
        if forbidden
            .iter()
            .any(|&(a, b)| (a, b) == (one, other) || (a, b) == (other, one))
        {
            return already("the two are already kept apart".to_owned());
        }
        self.leaves_a_pairing(&Act::Forbid { one, other, round })
    }

    fn may_force(&self, pair: [PairingNumber; 2], round: u32) -> Result<(), ActError> {
        self.two_players(pair)?;
        swiss(&self.table_of(pair[0]), "pairs can be forced")?;
        self.coming(round)?;
        let [white, black] = pair;
        self.leaves_a_pairing(&Act::Force { white, black, round })?;
        let are_in = |pairs: &[(PairingNumber, PairingNumber)]| pairs.iter().any(|&two| is_pair(two, pair));
        let two = format!("{} and {}", called(self.state, white), called(self.state, black));
        if are_in(&Orders::of_round(&self.state.orders().forbidden, round)) {
            let why = format!("{two} are kept apart in round {round} by an earlier `forbid`");
            self.keeps(Limit::Forbid, why)?;
        }
        let allowed = Orders::of_round(&self.state.orders().allowed, round);
        if are_in(&forbidden_pairs(self.state)) && !are_in(&allowed) {
            let why = format!("{two} are kept apart by the event (swiss.keep_apart, swiss.forbidden)");
            self.keeps(Limit::KeptApart, why)?;
        }
        Ok(())
    }

    fn two_players(&self, [one, other]: [PairingNumber; 2]) -> Result<(), ActError> {
        self.there(one)?;
        self.there(other)?;
        let section = |player| section_name(self.state, player);
        match one == other {
            true => cannot("a pair needs two different players".to_owned()),
            false if section(one) != section(other) => {
                cannot("the two play in different sections, so they are never paired".to_owned())
            }
            false => Ok(()),
        }
    }

    /// The coming round must have a pairing with this wish and the others, unless a limit stands against a forced pair.
    fn leaves_a_pairing(&self, act: &Act) -> Result<(), ActError> {
        let mut wished = self.state.clone();
        let acted = ArbiterActed {
            act: act.clone(),
            by: String::new(),
            reason: String::new(),
            overruled: vec![Limit::Forbid, Limit::KeptApart],
        };
        wished
            .apply_act(&acted)
            .map_err(|_| ActError::Cannot("there are no such players".to_owned()))?;
        let table = match act {
            Act::Forbid { one: player, .. } | Act::Force { white: player, .. } => {
                let section = section_of(&wished, wished.player(*player));
                section.map_or_else(|| wished.clone(), |section| event_of_part(&wished, &section))
            }
            _ => wished,
        };
        match director::with_wishes(&table, table.rounds().len()) {
            Ok(_) => Ok(()),
            Err(wishes::WishError::Infeasible(why)) => cannot(format!("the round would have no pairing: {why}")),
            Err(wishes::WishError::Absent(_)) => cannot("one of the two is not to be paired in that round".to_owned()),
            Err(refused) => cannot(refused.to_string()),
        }
    }

    fn is_a_result(&self, outcome: Outcome) -> Result<(), ActError> {
        match outcome {
            Outcome::Void => cannot("void is not a result; `arbiter void` annuls a game".to_owned()),
            _ => Ok(()),
        }
    }

    /// A game that has ended, or the refusal.
    fn ended(&self, id: GameId) -> Result<EndedGame, ActError> {
        if self.under_way.contains(&id) {
            return cannot(format!("game {id} is being played; `arbiter adjudicate` ends it"));
        }
        self.scheduled(id)?;
        self.state.finished_game(id).ok_or_else(|| {
            ActError::Cannot(format!(
                "game {id} has not been played yet; `arbiter adjudicate` gives it a result"
            ))
        })
    }

    fn scheduled(&self, id: GameId) -> Result<(), ActError> {
        let board = self.state.mini_match(id);
        match board.is_some_and(|board| (1..=board.games.len()).contains(&(id.game as usize))) {
            true => Ok(()),
            false => cannot(format!("there is no game {id}")),
        }
    }

    /// Refuses a game that has ended.
    fn due(&self, id: GameId) -> Result<(), ActError> {
        self.scheduled(id)?;
        if self.state.finished_game(id).is_some() {
            return cannot(format!("game {id} has ended; `arbiter set-result` changes its result"));
        }
        Ok(())
    }

    fn may_confirm(&self, round: u32, pairing: &RoundPairing) -> Result<(), ActError> {
        let state = self.state;
        if !state.setup().arbiter.confirm_rounds {
            return cannot("rounds of this event need no confirmation (arbiter.confirm_rounds)".to_owned());
        }
        // The date does not matter for the comparison.
        let next = director::next_of_note(state, jiff::civil::Date::ZERO);
        let (_, next) = next.map_err(|why| ActError::Cannot(why.to_string()))?;
        match next.into_round() {
            Some(paired) if (paired.round, &paired.pairing) == (round, pairing) => match &state.orders().confirmed {
                Some((of, before)) if (*of, before) == (round, pairing) => {
                    already(format!("the pairing of round {round} is already confirmed"))
                }
                _ => Ok(()),
            },
            Some(paired) => cannot(format!(
                "the pairing of round {} is not the one that was shown: look at it again",
                paired.round
            )),
            None => cannot("no pairing is waiting for confirmation".to_owned()),
        }
    }
}

fn already(sentence: String) -> Result<(), ActError> {
    Err(ActError::Already(sentence))
}

fn cannot<T>(sentence: String) -> Result<T, ActError> {
    Err(ActError::Cannot(sentence))
}
