//! Due games, and the one that a free slot takes next. Worked out from the state, never remembered.
//!
//! May not: know how games are played; change anything.

use std::collections::{BTreeMap, BTreeSet};

use swiss_system::pairing::history::PairingNumber;

use crate::limits::{bounds_of, limits_of};
use swissmatch_game::opening::Opening;
use swissmatch_game::record::{GameId, GameSpec};
use swissmatch_game::termination::Termination;

use super::beside::{Free, Takes};
use super::opening_plan::OpeningPlan;
use super::policy;
use super::roster::are_alike;
use super::state::State;
use crate::log::GameFinished;
use crate::state::MiniMatch;

/// True if a player still has games without a result in the round that is being played.
pub(crate) fn has_games_due(state: &State, player: PairingNumber) -> bool {
    state
        .due()
        .any(|(_, board)| [board.pair.white, board.pair.black].contains(&player))
}

/// Due games, none of them in flight, that are forfeited because a player did not come or has gone out since, an engine
/// failed to start earlier in the mini-match, or a player was at fault too often in it.
pub fn forfeits(state: &State, in_flight: &BTreeSet<GameId>) -> Vec<GameFinished> {
    each_forfeit(state, in_flight).collect()
}

/// Like [`forfeits`], but one by one: there may be a million.
pub fn each_forfeit(state: &State, in_flight: &BTreeSet<GameId>) -> impl Iterator<Item = GameFinished> {
    state
        .due_of(|board| is_cut_short(state, board) || policy::forfeits_the_rest(state, board))
        .filter(|(id, _)| !in_flight.contains(id))
        .filter_map(|(id, board)| forfeit(state, id, board))
}

/// The forfeit of a due game, decided by a player who did not come or has gone out since, by an engine's failure to
/// start, or by earlier faults; `None` while both could play.
pub fn forfeit(state: &State, id: GameId, board: &MiniMatch) -> Option<GameFinished> {
    let (white, black) = (board.white_of(id.game), board.black_of(id.game));
    let came = [white, black].map(|player| board.has_come(player) && !is_out(state, player));
    let started =
        [white, black].map(|player| !(policy::no_show_forfeits(state) && board.games.failed_to_start(player)));
    let may_play = policy::may_play(state, board, id.game, [white, black]);
    let ending = match (came, started, may_play) {
        ([true, true], [true, true], [true, true]) => return None,
        ([true, true], [true, true], _) => Termination::too_many_faults(may_play),
        ([true, true], _, _) => Termination::not_started(started),
        _ => Termination::not_come(came),
    };
    let ending = state.setup().faults.both_failed.applied(ending);
    Some(GameFinished::unplayed(id, [white, black], ending))
}

/// Like [`next_that_it_takes`], for a slot that takes any game.
pub fn next_for_slot(
    state: &State,
    in_flight: &BTreeSet<GameId>,
    playing: &BTreeSet<GameId>,
    seated: Option<GameId>,
) -> Option<GameId> {
    let taken: usize = playing.iter().map(|id| gpus_of_game(state, *id)).sum();
    let wanted = SlotRequest {
        takes: Takes::All,
        gpus: state.setup().run.gpus.len().saturating_sub(taken),
        seated,
        waiting: &BTreeSet::new(),
        home: None,
    };
    next_that_it_takes(state, in_flight, playing, wanted)
}

/// What a free slot may be given.
#[derive(Clone, Copy, Debug)]
pub struct SlotRequest<'a> {
    /// The games that it takes.
    pub takes: Takes,
    /// The number of free GPUs there.
    pub gpus: usize,
    /// The game whose engines the slot still has.
    pub seated: Option<GameId>,
    /// Players whose service is away: no game of theirs begins.
    pub waiting: &'a BTreeSet<PairingNumber>,
    /// Set where all games of a mini-match have to be played on one machine: the machine of each.
    pub home: Option<Home<'a>>,
}

/// The machines of mini-matches.
#[derive(Clone, Copy, Debug)]
pub struct Home<'a> {
    /// By the first game of each mini-match.
    pub homes: &'a BTreeMap<GameId, String>,
    /// Machines that have slots now. A mini-match of any other machine may go on anywhere.
    pub there: &'a BTreeSet<String>,
    /// The machine of the slot.
    pub here: &'a str,
}

impl Home<'_> {
    /// True if the mini-match belongs to another machine than the slot's.
    fn is_elsewhere(&self, game: GameId) -> bool {
        let home = self.homes.get(game.mini_match().start());
        home.is_some_and(|home| home != self.here && self.there.contains(home))
    }
}

/// The game that a free slot takes, among those that it `takes`. First comes the next game of the mini-match whose
/// engines it has (`seated`), then one of a mini-match that nobody plays, then one of the mini-match with most due
/// games per slot.
///
/// `None` if every due game is in flight, left to the arbiter because it was interrupted too often, or held back. A
/// game is held back by a player who waits, by the cap on one player's games at once, by a lack of GPUs, by what
/// services allow beside cores, or by an alike player at another board. For the last one only games that are being
/// played count: a game that only waits to be committed does not keep its slot from the next.
pub fn next_that_it_takes(
    state: &State,
    in_flight: &BTreeSet<GameId>,
    playing: &BTreeSet<GameId>,
    wanted: SlotRequest<'_>,
) -> Option<GameId> {
    let SlotRequest {
        takes,
        gpus,
        seated,
        waiting,
        home,
    } = wanted;
    let cap = state.setup().run.max_games_per_player.unwrap_or(u32::MAX);
    let games_of = |player: PairingNumber| {
        let games = playing.iter().filter_map(|id| state.mini_match(*id));
        games
            .filter(|board| board.pair.white == player || board.pair.black == player)
            .count()
    };
    let free = Free::new(state, playing, takes);
    let is_free = |board: &MiniMatch| {
        let players = [board.pair.white, board.pair.black];
        if players.iter().any(|player| waiting.contains(player)) {
            return false;
        }
        let is_below_cap = cap == u32::MAX || players.into_iter().all(|player| games_of(player) < cap as usize);
        is_below_cap && gpus_of(state, board) <= gpus && free.takes(players)
    };
    let mut best: Option<(GameId, (bool, bool, usize))> = None;
    let may_begin = |id: GameId| !in_flight.contains(&id) && !state.is_held(id);
    for (first, board) in state.boards_due() {
        if home.is_some_and(|home| home.is_elsewhere(first)) {
            continue;
        }
        let mut due = board.games.all_due().map(|game| GameId { game, ..first });
        let Some(id) = due.find(|id| may_begin(*id)) else {
            continue;
        };
        let is_held_back = || !is_free(board) || meets_its_like(state, id, board, playing);
        if is_cut_short(state, board) || is_held_back() || !policy::is_settled(state, board, id.game) {
            continue;
        }
        let all = id.mini_match();
        let slots = in_flight.range(all.clone()).count();
        let begun = in_flight.range(all.clone()).filter(|id| state.is_due(**id)).count();
        let held = state.held_beside(id).filter(|id| !in_flight.contains(id)).count();
        let left = board.games.count_due() - begun - held;
        let worth = (
            seated.is_some_and(|seated| all.contains(&seated)),
            slots == 0,
            left * 1000 / (slots + 1),
        );
        if best.is_none_or(|(_, least)| worth > least) {
            best = Some((id, worth));
        }
    }
    best.map(|(id, _)| id)
}

/// True if every due game was interrupted too often or waits for one that was, so that nothing goes on until the
/// arbiter rules on one.
pub fn waits_for_rulings(state: &State) -> bool {
    let mut due = state.due().peekable();
    let is_stuck = |(id, board): (GameId, &MiniMatch)| {
        (state.is_held(id) || !policy::is_settled(state, board, id.game)) && forfeit(state, id, board).is_none()
    };
    due.peek().is_some() && due.all(is_stuck)
}

/// True if a player is withdrawn or disqualified: none of its games begins any more.
fn is_out(state: &State, player: PairingNumber) -> bool {
    state.orders().gone.contains_key(&player)
}

fn is_cut_short(state: &State, board: &MiniMatch) -> bool {
    let players = [board.pair.white, board.pair.black];
    board.came != [true, true]
        || policy::no_show_forfeits(state) && players.into_iter().any(|player| board.games.failed_to_start(player))
        || players.into_iter().any(|player| is_out(state, player))
}

/// True if someone who is kept apart from one of these players plays at another board: they could help each other.
fn meets_its_like(state: &State, id: GameId, board: &MiniMatch, playing: &BTreeSet<GameId>) -> bool {
    let kinships = &state.setup().swiss.keep_apart;
    if kinships.is_empty() {
        return false;
    }
    let own = [board.pair.white, board.pair.black];
    let elsewhere = playing.iter().filter(|other| !id.mini_match().contains(other));
    let mut there = elsewhere
        .filter_map(|other| state.mini_match(*other))
        .flat_map(|other| [other.pair.white, other.pair.black]);
    there.any(|other| {
        own.into_iter()
            .any(|player| player != other && are_alike(state.player(player), state.player(other), kinships))
    })
}

/// The number of GPUs that a game needs.
pub fn gpus_of_game(state: &State, id: GameId) -> usize {
    state.mini_match(id).map_or(0, |board| gpus_of(state, board))
}

/// The number of GPUs that a game between these two needs.
fn gpus_of(state: &State, board: &MiniMatch) -> usize {
    let two = [board.pair.white, board.pair.black];
    two.into_iter()
        .filter(|player| state.player(*player).needs_gpu())
        .count()
}

pub fn spec(state: &State, openings: &mut OpeningPlan, id: GameId) -> Option<GameSpec> {
    spec_from(state, id, openings.opening_of(state, id))
}

/// Like [`spec`], but with this opening.
pub fn spec_from(state: &State, id: GameId, opening: Opening) -> Option<GameSpec> {
    let board = state.mini_match(id)?;
    let (white, black) = (board.white_of(id.game), board.black_of(id.game));
    Some(GameSpec {
        id,
        white,
        black,
        opening,
        limits: limits_of(state, id, [white, black]),
        bounds: bounds_of(state, id, [white, black]),
        adjudication: state.setup().adjudication.rules(),
    })
}
