//! Counts so far by player, by pair of players, and by ending.
//!
//! May not: know how they are written.

use std::collections::BTreeMap;

use swiss_system::pairing::history::PairingNumber;

use swissmatch_game::Side;
use swissmatch_game::record::GameId;
use swissmatch_game::termination::Outcome;
use swissmatch_stats::pairs::{Pairs, Score, Wdl};
use swissmatch_tournament::state::{EndedGame, State};

use super::words;

#[derive(Clone, Debug, Default)]
pub(super) struct CountedPlayer {
    /// All games as White and as Black.
    pub(super) sides: [Wdl; 2],
    /// Games that count: all, or those of whole pairs.
    pub(super) games: Wdl,
    pub(super) pairs: Pairs,
    /// How its games ended, from its side: `Win: White mates`.
    pub(super) outcomes: BTreeMap<String, u64>,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Count {
    /// Games that have ended, in all runners.
    pub(super) ended: u64,
    /// By pairing number.
    pub(super) players: Vec<CountedPlayer>,
    /// The games of two players that count; the one that is first in the event file comes first.
    meetings: BTreeMap<[PairingNumber; 2], Wdl>,
    /// Whether only games of whole pairs count.
    of_pairs: bool,
    /// Pairs of which one game has ended, by the first game of the pair: whether it gave a result, and which.
    halves: BTreeMap<GameId, Option<Score>>,
}

/// The pair that a counted game belongs to.
#[derive(Clone, Copy, Debug)]
pub(super) struct CountedPair {
    /// The player that is first in the event file, and the other one.
    pub(super) players: [PairingNumber; 2],
    /// The number of the pair in schedule order, from 1.
    pub(super) pair_number: u64,
    pub(super) is_whole: bool,
}

impl Count {
    /// Counts the games that have ended.
    pub(super) fn of(state: &State, of_pairs: bool) -> Self {
        let mut count = Self {
            players: vec![CountedPlayer::default(); state.player_count()],
            of_pairs,
            ..Self::default()
        };
        for game in state.finished_games() {
            let why = words::reason_by_itself(&game.finished);
            let described = words::described(game.outcome().pgn(), &why);
            count.take(state, &game, &described);
        }
        count
    }

    /// Adds a game that has ended. `described` has the reason from the side of the winner and of the loser.
    pub(super) fn add(&mut self, state: &State, id: GameId, described: &[String; 2]) -> CountedPair {
        let board = state.mini_match(id);
        let game = board.and_then(|board| board.games.ended(id.game));
        match game {
            Some(game) => self.take(state, &game, described),
            None => CountedPair {
                players: in_file_order(state, [PairingNumber(1), PairingNumber(2)]),
                pair_number: 0,
                is_whole: false,
            },
        }
    }

    fn take(&mut self, state: &State, game: &EndedGame, described: &[String; 2]) -> CountedPair {
        let finished = &game.finished;
        let (id, outcome) = (finished.id, game.outcome());
        self.ended += 1;
        for (side, player) in Side::BOTH.into_iter().zip([finished.white, finished.black]) {
            let Some(score) = score_of(outcome, side) else { continue };
            let of_player = &mut self.players[player.index()];
            of_player.sides[side.index()] += score;
            let [of_winner, of_loser] = described;
            let why = if score == Score::Loss { of_loser } else { of_winner };
            *of_player.outcomes.entry(why.clone()).or_default() += 1;
        }
        let first_of_pair = GameId {
            game: id.game - (id.game - 1) % 2,
            ..id
        };
        let meeting = CountedPair {
            players: in_file_order(state, [finished.white, finished.black]),
            pair_number: number(state, id).div_ceil(2),
            is_whole: self.halves.contains_key(&first_of_pair),
        };
        let [first, second] = meeting.players;
        // The score of the player that is first in the file.
        let score = score_of(outcome, game.side_of(first));
        if let Some(score) = score.filter(|_| !self.of_pairs) {
            self.count_games(meeting.players, &[score]);
        }
        match self.halves.remove(&first_of_pair) {
            None => {
                self.halves.insert(first_of_pair, score);
            }
            Some(other) => {
                if let Some(both) = score.zip(other).map(|(one, other)| [one, other]) {
                    if self.of_pairs {
                        self.count_games(meeting.players, &both);
                    }
                    let mut pair = Pairs::NONE;
                    pair += both;
                    self.players[first.index()].pairs += both;
                    add_pairs(&mut self.players[second.index()].pairs, pair.of_the_other());
                }
            }
        }
        meeting
    }

    fn count_games(&mut self, players: [PairingNumber; 2], scores: &[Score]) {
        let mut games = Wdl::NONE;
        scores.iter().for_each(|score| games += *score);
        let [first, second] = players.map(PairingNumber::index);
        add(&mut self.players[first].games, games);
        add(&mut self.players[second].games, games.of_the_other());
        add(self.meetings.entry(players).or_default(), games);
    }

    /// Games of two players that count.
    pub(super) fn meeting(&self, players: [PairingNumber; 2]) -> Wdl {
        self.meetings.get(&players).copied().unwrap_or_default()
    }

    /// Counts only these, on which a verdict rests.
    pub(super) fn is_exactly(&mut self, state: &State, games: Wdl, pairs: Pairs) {
        let players = in_file_order(state, [PairingNumber(1), PairingNumber(2)]);
        let [first, second] = players.map(PairingNumber::index);
        let both = [
            (first, games, pairs),
            (second, games.of_the_other(), pairs.of_the_other()),
        ];
        for (player, games, pairs) in both {
            self.players[player].games = games;
            self.players[player].pairs = pairs;
        }
        self.meetings.insert(players, games);
    }
}

/// The number of a game in schedule order, from 1.
pub(super) fn number(state: &State, id: GameId) -> u64 {
    let mut before = 0;
    for sitting in state.sittings() {
        let is_it = (sitting.round, sitting.playoff) == (id.round, id.playoff);
        let boards = match is_it {
            true => &sitting.mini_matches[..(id.board as usize - 1).min(sitting.mini_matches.len())],
            false => sitting.mini_matches,
        };
        before += boards.iter().map(|board| u64::from(board.games.planned())).sum::<u64>();
        if is_it {
            break;
        }
    }
    before + u64::from(id.game)
}

/// All players, in the order of the event file.
pub(super) fn file_order(state: &State) -> Vec<PairingNumber> {
    let mut players: Vec<PairingNumber> = state.numbers().collect();
    players.sort_by_key(|player| place(state, *player));
    players
}

fn in_file_order(state: &State, mut players: [PairingNumber; 2]) -> [PairingNumber; 2] {
    players.sort_by_key(|player| place(state, *player));
    players
}

fn place(state: &State, player: PairingNumber) -> usize {
    let order = &state.created().order;
    order.get(player.index()).copied().unwrap_or(player.index())
}

/// The score of a side in a game; `None` if nobody got anything.
fn score_of(outcome: Outcome, side: Side) -> Option<Score> {
    match outcome {
        Outcome::Void | Outcome::BothLose => None,
        Outcome::Draw => Some(Score::Draw),
        outcome if outcome == Outcome::win(side) => Some(Score::Win),
        _ => Some(Score::Loss),
    }
}

fn add(games: &mut Wdl, more: Wdl) {
    games.wins += more.wins;
    games.draws += more.draws;
    games.losses += more.losses;
}

fn add_pairs(pairs: &mut Pairs, more: Pairs) {
    pairs.ll += more.ll;
    pairs.ld += more.ld;
    pairs.wl += more.wl;
    pairs.dd += more.dd;
    pairs.wd += more.wd;
    pairs.ww += more.ww;
}
