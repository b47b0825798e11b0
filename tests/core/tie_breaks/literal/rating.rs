//! Tie-breaks of ratings (C.07 art. 10).
//!
//! May not: rank anybody.

use std::sync::LazyLock;

use swiss_system::standings::unplayed::TieBreakEdition;

use super::Name;
use super::fraction::Fraction;
use super::fraction::NOTHING;
use super::fraction::ratio;
use super::fraction::whole;
use super::view::View;

/// "dp(p) for p = .50, .51 … 1.00 (FIDE table 8.1.1; −dp for 1 − p)."
const DP: &str = "0 7 14 21 29 36 43 50 57 65 72 80 87 95 102 110 117 125 133 141 149 158 166 175 184 193 202 211 220 \
                  230 240 251 262 273 284 296 309 322 336 351 366 383 401 422 444 470 501 538 589 677 800";
/// "PD(d), upper end of the difference for each value (1 − PD for negative d)": .50, .51 … .99; "1.00 above".
const PD: &str = "3 10 17 25 32 39 46 53 61 68 76 83 91 98 106 113 121 129 137 145 153 162 170 179 188 197 206 215 \
                  225 235 245 256 267 278 290 302 315 328 344 357 374 391 411 432 456 484 517 559 619 735";

fn numbers(table: &str) -> Vec<i64> {
    table
        .split_whitespace()
        .map(|number| number.parse().expect("a number"))
        .collect()
}

fn dp(percent: i64) -> i64 {
    static DIFFERENCES: LazyLock<Vec<i64>> = LazyLock::new(|| numbers(DP));
    if percent < 50 {
        return -dp(100 - percent);
    }
    DIFFERENCES[usize::try_from(percent - 50).expect("not below 50")]
}

/// Expected score in hundredths.
fn pd(difference: i64) -> i64 {
    static UPPER_ENDS: LazyLock<Vec<i64>> = LazyLock::new(|| numbers(PD));
    if difference < 0 {
        return 100 - pd(-difference);
    }
    let passed = UPPER_ENDS.iter().take_while(|&&upper| difference > upper);
    50 + i64::try_from(passed.count()).expect("few")
}

/// Ratings of the opponents met over the board, when they were met.
fn ratings(view: &View, player: usize) -> Vec<i64> {
    let met = view.over_the_board(player);
    met.iter()
        .map(|&(number, opponent, _)| view.rating(opponent, number).expect("everybody is rated"))
        .collect()
}

/// The mean, ".5 rounded up"; there is none of nothing.
fn mean(numbers: &[i64]) -> Option<Fraction> {
    exact_mean(numbers).map(Fraction::rounded)
}

fn exact_mean(numbers: &[i64]) -> Option<Fraction> {
    let sum: Fraction = numbers.iter().copied().map(whole).sum();
    (!numbers.is_empty()).then(|| sum.over(numbers.len()))
}

/// "ARO: mean rating of opponents met over the board, .5 rounded up; C1 C2 M1 M2." Immortal Game: "the rating of all your
/// opponents (excluding the lowest rated opponent) is averaged", which rounds nothing. In 2022 "an unplayed round uses up one of
/// the cuts".
pub(super) fn average(view: &View, name: &Name, player: usize) -> Option<Fraction> {
    let mut ratings = ratings(view, player);
    ratings.sort_unstable();
    let rounds = view.rounds(player).iter();
    let used_up = match view.edition {
        TieBreakEdition::Of2022 if !view.is_round_robin => rounds.filter(|round| round.kind.is_unplayed()).count(),
        _ => 0,
    };
    let lowest = name.lowest().saturating_sub(used_up);
    let highest = (name.lowest() + name.highest())
        .saturating_sub(used_up)
        .min(name.highest());
    let without_lowest = ratings.get(lowest..).unwrap_or_default();
    let left = without_lowest.len().saturating_sub(highest);
    match view.edition {
        TieBreakEdition::PlayedOnly => exact_mean(&without_lowest[..left]),
        _ => mean(&without_lowest[..left]),
    }
}

/// "TPR: ARO + dp(p), p = over-the-board points / games", "in whole per cent, .5 up; games count 1, 1/2, 0 whatever the
/// point system".
pub(super) fn performance(view: &View, player: usize) -> Option<Fraction> {
    let average = mean(&ratings(view, player))?;
    let (scored, games) = over_the_board(view, player);
    let percent = (scored.times(100) * ratio(1, games.into())).rounded().as_whole();
    Some(average + whole(dp(percent)))
}

/// Points and games over the board.
fn over_the_board(view: &View, player: usize) -> (Fraction, i64) {
    let met = view.over_the_board(player);
    let scored = met.iter().map(|(_, _, round)| round.scored_over_the_board()).sum();
    let games = met.iter().map(|(_, _, round)| round.games_played()).sum();
    (scored, games)
}

/// "PTP: lowest whole rating R with sum of PD(R − R_opp) ≥ score, full table, no ±400 cut; score 0: lowest opponent − 800."
pub(super) fn perfect(view: &View, player: usize) -> Option<Fraction> {
    let ratings = ratings(view, player);
    let lowest = *ratings.iter().min()?;
    let (scored, _) = over_the_board(view, player);
    if scored == NOTHING {
        return Some(whole(lowest - 800));
    }
    let games: Vec<i64> = view
        .over_the_board(player)
        .iter()
        .map(|(_, _, round)| round.games_played())
        .collect();
    let reaches = |rating: i64| {
        let opponents = ratings.iter().zip(&games);
        let hundredths: i64 = opponents.map(|(theirs, games)| games * pd(rating - theirs)).sum();
        ratio(hundredths.into(), 100) >= scored
    };
    let mut rating = lowest - 801;
    // Large steps as long as they are too short, then small ones.
    for step in [100, 1] {
        while !reaches(rating + step) {
            rating += step;
        }
    }
    Some(whole(rating + 1))
}

/// "APRO / APPO: mean of the opponents' TPR / PTP, .5 up."
pub(super) fn average_of(
    view: &View,
    player: usize,
    of: impl Fn(&View, usize) -> Option<Fraction>,
) -> Option<Fraction> {
    let met = view.over_the_board(player);
    let numbers: Vec<i64> = met
        .iter()
        .filter_map(|&(_, opponent, _)| of(view, opponent))
        .map(Fraction::as_whole)
        .collect();
    mean(&numbers)
}
