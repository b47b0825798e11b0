//! Each player's results in the rounds of an event, for the standings and the pairing systems.
//!
//! A mini-match without a game counts for tie-breaks, since it gave match points and so the opponent was faced. It does
//! not count as a meeting: nobody sat down, so the two may be paired again (as after a forfeit in FIDE's rules).

use std::collections::BTreeSet;

use swiss_system::pairing::history::{FirstColor, PairingNumber};
use swiss_system::pairing::rounds::TournamentFormat;
use swiss_system::score::Points;
use swiss_system::standings;
use swiss_system::standings::results::{self, Bye, MatchResult, PlayerResults, PlayerRound, Results, RoundFate};

use super::log::ByeWorth;
use super::roster;
use super::setup::{ByeAgain, MissedRounds, Rounds};
use super::state::{MiniMatch, Out, Round, State};

/// The rounds of the whole event; if it ended early, those that it had.
fn planned(state: &State) -> usize {
    let rounds = state.created.rounds as usize;
    let ended = state.orders.ended.as_ref().map(|ended| ended.rounds as usize);
    let stopped = state.stopped().map(|_| state.rounds.len());
    rounds.min(ended.or(stopped).unwrap_or(rounds))
}

/// The players' results in the first `rounds` rounds, for the standings.
pub fn results_after(state: &State, rounds: usize) -> Results {
    let setup = state.setup();
    let submission = roster::submission(&setup.players);
    let by_number = &state.created.order;
    let (annulled, struck): (Vec<_>, Vec<_>) = state
        .orders
        .disqualified()
        .into_iter()
        .partition(|player| state.orders.is_annulled(*player));
    let mut results = Results {
        players: vec![PlayerResults::default(); state.player_count()],
        submission: by_number.iter().map(|&entry| submission[entry]).collect(),
        numbers: Vec::new(),
        left_out: annulled.into_iter().chain(state.house_players()).collect(),
        struck,
        planned: Some(planned(state)),
        lots: standing_lots(state),
        names: by_number
            .iter()
            .map(|&entry| setup.players[entry].name.clone())
            .collect(),
        worth: setup.scoring.r#match.into(),
        game_worth: setup.scoring.game.times(setup.mini_match.games).into(),
        format: match state.created.format {
            TournamentFormat::AllPlayAll | TournamentFormat::Gauntlet | TournamentFormat::Quads => {
                results::ResultsFormat::RoundRobin
            }
            TournamentFormat::Swiss
            | TournamentFormat::Knockout
            | TournamentFormat::Stages
            | TournamentFormat::Sections => results::ResultsFormat::Swiss,
        },
    };
    for (player, number) in results.players.iter_mut().zip(state.numbers()) {
        player.ratings = state.player(number).ratings_by_round();
    }
    for (number, round) in (1..).zip(state.rounds.iter().take(rounds)) {
        for (player, round) in results.players.iter_mut().zip(round_results(state, number, round)) {
            player.rounds.push(round);
        }
    }
    results
}

/// Lots: first the players from the start, then late entries in turn.
fn standing_lots(state: &State) -> Vec<u32> {
    let from_start = state.player_count() - state.entered.len();
    let mut lots = standings::file::lots(state.setup().event.rng_seed, from_start);
    lots.extend((from_start..state.player_count()).map(|place| u32::try_from(place).expect("few players")));
    lots
}

/// Each player's result in a round, from 1.
fn round_results(state: &State, number: u32, round: &Round) -> Vec<PlayerRound> {
    let mut of_round: Vec<PlayerRound> = state
        .numbers()
        .map(|player| unpaired(state, number, round, player))
        .collect();
    for mini_match in &round.mini_matches {
        let (white, black) = (mini_match.pair.white, mini_match.pair.black);
        for (player, opponent) in [(white, black), (black, white)] {
            of_round[player.index()] = player_round(state, mini_match, player, opponent);
        }
    }
    for player in round.pairing.byes() {
        of_round[player.index()] = left_over(state, number, round.pairing.again.contains(&player));
    }
    for (player, had) in state.numbers().zip(&mut of_round) {
        // An award lapses if a game counts after all.
        if let Some(worth) = state.orders.awards.get(&(number, player))
            && matches!(had.fate, RoundFate::Annulled | RoundFate::Bye(_))
        {
            *had = PlayerRound {
                sat_out: had.sat_out,
                ..bye_round(state, number, *worth)
            };
        }
    }
    of_round
}

/// The result of a round, from 1, for a player without an opponent.
fn unpaired(state: &State, number: u32, round: &Round, player: PairingNumber) -> PlayerRound {
    if is_free(state, number, round, player) {
        return PlayerRound::free();
    }
    let was_in = state
        .entered_after(player)
        .is_none_or(|rounds| number as usize > rounds);
    match round.out.get(&player) {
        Some(Out::Bye(worth)) => bye_round(state, number, *worth),
        None if !was_in && state.setup().registration.missed == MissedRounds::HalfPoint => {
            bye_round(state, number, ByeWorth::Half)
        }
        Some(Out::Withdrawn | Out::Disqualified | Out::Absent) | None => PlayerRound::absent(),
    }
}

/// True if a round, from 1, in which a player had no opponent was a free round: "the free round of a table
/// (all-play-all, quads of four, gauntlet, a house player at rest, round 1 of a knockout)". The table decides that,
/// whether or not the player is there.
fn is_free(state: &State, number: u32, round: &Round, player: PairingNumber) -> bool {
    match state.created.format {
        TournamentFormat::AllPlayAll => !has_byes(state),
        TournamentFormat::Gauntlet => true,
        TournamentFormat::Knockout => number == 1,
        TournamentFormat::Swiss | TournamentFormat::Quads | TournamentFormat::Stages | TournamentFormat::Sections => {
            state.player(player).house && !round.out.contains_key(&player)
        }
    }
}

/// The players with a free round in a paired round, from 1.
pub fn free_in(state: &State, number: u32) -> Vec<PairingNumber> {
    let Some(round) = state.rounds.get((number as usize).wrapping_sub(1)) else {
        return Vec::new();
    };
    let pairs = round.pairing.pairs.iter().flat_map(|pair| [pair.white, pair.black]);
    let busy: BTreeSet<PairingNumber> = pairs.chain(round.pairing.byes()).collect();
    let mut free: Vec<PairingNumber> = state.numbers().filter(|player| !busy.contains(player)).collect();
    free.retain(|player| is_free(state, number, round, *player));
    free
}

/// True if a player who is left over has a bye: in a Swiss, and in the all-play-all made by `"auto"`, which "stays the
/// protocol's Swiss". There a player whose opponent by the table is gone or absent is left over too.
pub fn has_byes(state: &State) -> bool {
    match state.created.format {
        TournamentFormat::Swiss | TournamentFormat::Quads | TournamentFormat::Stages | TournamentFormat::Sections => {
            true
        }
        TournamentFormat::AllPlayAll => state.setup().swiss.rounds == Rounds::Auto,
        TournamentFormat::Gauntlet | TournamentFormat::Knockout => false,
    }
}

/// The result of a round, from 1, for a player who was left over; `again` means without a right to the bye.
fn left_over(state: &State, number: u32, again: bool) -> PlayerRound {
    let worth = match state.setup().bye.again {
        ByeAgain::Requested if again => ByeWorth::Half,
        ByeAgain::Zero if again => ByeWorth::Zero,
        _ => {
            let (points, game_points) = state.setup().bye_points().in_round(state.games_of_round(number));
            return PlayerRound::bye(Bye::PairingAllocated, points, game_points);
        }
    };
    PlayerRound {
        sat_out: true,
        ..bye_round(state, number, worth)
    }
}

/// A round, from 1, with the points of a bye of this worth.
fn bye_round(state: &State, number: u32, worth: ByeWorth) -> PlayerRound {
    let scoring = &state.setup().scoring;
    let game = scoring.game.times(state.games_of_round(number));
    let (points, game_points) = match worth {
        ByeWorth::Full => (scoring.r#match.win, game.win),
        ByeWorth::Half => (scoring.r#match.draw, game.draw),
        ByeWorth::Zero => (Points::ZERO, Points::ZERO),
    };
    PlayerRound::bye(worth.into(), points, game_points)
}

/// True if a mini-match is annulled, or if the results of one of the two players are.
pub(crate) fn counts_for_nobody(state: &State, mini_match: &MiniMatch) -> bool {
    let players = [mini_match.pair.white, mini_match.pair.black];
    mini_match.is_void() || players.iter().any(|player| state.orders.is_annulled(*player))
}

fn player_round(state: &State, mini_match: &MiniMatch, player: PairingNumber, opponent: PairingNumber) -> PlayerRound {
    let scoring = &state.setup().scoring;
    let color = if mini_match.pair.white == player {
        FirstColor::White
    } else {
        FirstColor::Black
    };
    if counts_for_nobody(state, mini_match) {
        return PlayerRound {
            fate: RoundFate::Annulled,
            ..PlayerRound::absent()
        };
    }
    let mut kinds = mini_match.games.tally().kinds();
    let was_played = kinds.any(|(kind, _)| kind.termination.was_played());
    let result = mini_match.result(player, opponent, scoring);
    // If both agents failed, the round is unplayed for both (C.07 art. 16), like a forfeit, and gives nothing.
    let fate = match result {
        None => RoundFate::Unfinished { opponent, color },
        Some(result) if was_played => RoundFate::Played {
            opponent,
            color,
            result,
        },
        Some(result) => RoundFate::Forfeit {
            opponent: Some(opponent),
            result,
        },
    };
    PlayerRound {
        fate,
        points: result
            .filter(|_| !mini_match.is_failed_by_both())
            .map_or(Points::ZERO, |result| {
                let table = if was_played {
                    scoring.r#match
                } else {
                    scoring.forfeited_match()
                };
                match result {
                    MatchResult::Won => table.win,
                    MatchResult::Drawn => table.draw,
                    MatchResult::Lost => table.loss,
                }
            }),
        game_points: mini_match.game_points(player, scoring),
        games: mini_match.counts(player, scoring),
        repeat: mini_match.pair.repeat,
        sat_out: false,
    }
}
