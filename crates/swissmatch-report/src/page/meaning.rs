//! The meaning of scores: of a mini-match by its game pairs, and of a match of two by all its figures.
//!
//! May not: compute a figure; floats are here only to be written.

use serde::Serialize;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::word::Word as _;

use super::super::decimal::Decimal;
use super::super::versus::{self, Versus};
use swissmatch_stats::pairs::{Pairs, Score, elo_of_score};
use swissmatch_stats::sprt::Verdict;
use swissmatch_tournament::sprt::{SprtTally, first_player, score};
use swissmatch_tournament::state::{EndedGame, MiniMatch, State};

/// With fewer pairs, no interval is shown.
const FEWEST_PAIRS: u64 = 10;
/// Most points of a test's path.
const MOST_POINTS: u32 = 200;

/// What the game pairs of two players tell about the first of them.
#[derive(Serialize)]
pub(super) struct Meaning {
    player: PairingNumber,
    /// By points: 0, ½, 1, 1½, 2.
    pairs: [u64; 5],
    /// Mean score of a game, 0 to 1.
    score: Decimal,
    /// Its 95 % interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    interval: Option<[Decimal; 2]>,
    /// The difference in Elo, and half of its 95 % interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    elo: Option<Decimal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    elo_error: Option<Decimal>,
}

impl Meaning {
    /// From at least one pair; an interval needs `least` of them.
    fn of(player: PairingNumber, pairs: &Pairs, least: u64) -> Option<Self> {
        let figures = pairs.figures()?;
        let varies = pairs.count() >= least && figures.score_error.is_some();
        let interval = pairs.interval().filter(|_| varies);
        Some(Self {
            player,
            pairs: pairs.pentanomial(),
            score: share(figures.score),
            interval: interval.map(|bounds| bounds.map(share)),
            elo: figures.elo.map(points),
            elo_error: interval.and_then(half_in_elo).map(points),
        })
    }
}

/// What the games of a mini-match tell about the player who has White in game 1; `None` without a pair of games that both count.
pub(super) fn of_mini_match(state: &State, mini_match: &MiniMatch) -> Option<Meaning> {
    let player = mini_match.pair.white;
    let counted = |game: EndedGame| {
        let termination = game.finished.termination;
        let is_played = termination.was_played() || termination.is_fault();
        score(state, &game, player).filter(|_| is_played)
    };
    let mut pairs = Pairs::NONE;
    for games in mini_match.games.pairs() {
        let scores: [Option<Score>; 2] = games.map(|game| game.and_then(counted));
        if let [Some(one), Some(other)] = scores {
            pairs += [one, other];
        }
    }
    Meaning::of(player, &pairs, FEWEST_PAIRS)
}

#[derive(Serialize)]
pub(super) struct Match {
    #[serde(flatten)]
    meaning: Meaning,
    opponent: PairingNumber,
    /// Games of whole pairs that the first player won, drew and lost.
    games: [u64; 3],
    #[serde(skip_serializing_if = "Option::is_none")]
    nelo: Option<Decimal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nelo_error: Option<Decimal>,
    /// Likelihood of superiority, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    los: Option<Decimal>,
    /// Shares of drawn games and of level pairs.
    draws: Decimal,
    level_pairs: Decimal,
    /// Pairs won for each pair lost.
    pairs_ratio: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<Test>,
}

/// The state of a match's test.
#[derive(Serialize)]
struct Test {
    /// Such as `[0, 5] in normalized Elo`.
    hypotheses: String,
    alpha: Decimal,
    beta: Decimal,
    counts: &'static str,
    llr: Decimal,
    lower: Decimal,
    upper: Decimal,
    /// Number of pairs, or games, that it looked at.
    after: u32,
    /// `H0` or `H1`, once it is decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    verdict: Option<&'static str>,
    /// The likelihood ratio after so many pairs, or games.
    path: Vec<(u32, Decimal)>,
}

/// The figures of a match of two; `None` for other events, and before the first whole pair.
pub(super) fn of_match(state: &State) -> Option<Match> {
    let versus = Versus::now(state);
    versus.players(state)?;
    let first = first_player(state);
    let opponent = state.numbers().find(|number| *number != first)?;
    let pairs = versus.pairs();
    let figures = pairs.figures()?;
    let games = versus.games();
    Some(Match {
        meaning: Meaning::of(first, &pairs, 1)?,
        opponent,
        games: [games.wins, games.draws, games.losses],
        nelo: figures.nelo.map(points),
        nelo_error: figures.nelo_error.map(points),
        los: figures.los.map(share),
        draws: share(games.draw_ratio()?),
        level_pairs: share(pairs.draw_ratio()?),
        pairs_ratio: versus::ratio(pairs.pairs_ratio()),
        test: test(state, &versus),
    })
}

fn test(state: &State, versus: &Versus) -> Option<Test> {
    let sprt = state.setup().sprt.test()?;
    let look = versus.look(state)?;
    let after = state.verdict().map(|decided| decided.after).or(versus.looked_at())?;
    Some(Test {
        hypotheses: versus::hypotheses(&sprt),
        alpha: Decimal::of(sprt.alpha),
        beta: Decimal::of(sprt.beta),
        counts: sprt.counts.word(),
        llr: Decimal::of(versus::two(look.llr)),
        lower: Decimal::of(versus::two(look.lower)),
        upper: Decimal::of(versus::two(look.upper)),
        after,
        verdict: (look.verdict.filter(|verdict| *verdict != Verdict::Neither)).map(|verdict| verdict.word()),
        path: path(state, after)?,
    })
}

/// The likelihood ratio from the beginning to the last look.
fn path(state: &State, after: u32) -> Option<Vec<(u32, Decimal)>> {
    let sprt = state.setup().sprt.test()?;
    let every = after.div_ceil(MOST_POINTS).max(1);
    let mut tally = SprtTally::new(sprt.counts);
    let mut path = vec![(0, Decimal::of("0"))];
    while tally.after < after && tally.step(state) {
        if tally.after.is_multiple_of(every) || tally.after == after {
            let look = sprt.look(&tally.pairs, &tally.games);
            path.push((tally.after, Decimal::of(versus::two(look.llr))));
        }
    }
    Some(path)
}

/// Half of the interval of a score, in Elo.
fn half_in_elo([low, high]: [f64; 2]) -> Option<f64> {
    Some((elo_of_score(high)? - elo_of_score(low)?) / 2.0)
}

/// With more digits than are shown, as rounding twice may give another result.
fn share(value: f64) -> Decimal {
    Decimal::of(format!("{value:.7}"))
}

fn points(value: f64) -> Decimal {
    Decimal::of(format!("{value:.1}"))
}

pub(super) mod verdict;

#[cfg(test)]
mod tests;
