//! US Chess, rule 34E.
//!
//! May not: rank anybody.

use std::cmp::Ordering;

use super::fraction::Fraction;
use super::fraction::NOTHING;
use super::fraction::whole;
use super::view::Kind;
use super::view::View;

/// "An opponent's adjusted score counts each of THEIR unplayed games (bye, forfeit, withdrawn) as half a point."
///
/// Where game points rank, "a round of which some games were played counts its points and 1/2 for each game not played".
fn adjusted(view: &View, player: usize) -> Fraction {
    let game = view.game_points_rank;
    let mut sum = if game { NOTHING } else { view.players[player].bonus };
    for round in view.rounds(player) {
        sum = sum
            + if round.kind.is_unplayed() {
                view.draw(game)
            } else if game && round.games_forfeited > 0 {
                let games = round.games_forfeited + round.games_played();
                let half_a_game = view.draw(true).over(count_of(games));
                round.game_points - round.forfeit_points + half_a_game.times(count_of(round.games_forfeited))
            } else {
                round.points(game)
            };
    }
    sum
}

fn count_of(games: i64) -> usize {
    usize::try_from(games).expect("no fewer than none")
}

/// One number for each round that was, lowest first: "own unplayed rounds count as opponents with adjusted score 0".
fn opponents(view: &View, player: usize) -> Vec<Fraction> {
    let mut scores = Vec::new();
    for round in view.rounds(player) {
        if round.kind.is_over_the_board() {
            scores.push(adjusted(view, round.opponent.expect("somebody sat there")));
        } else if round.kind.is_unplayed() {
            scores.push(NOTHING);
        }
    }
    scores.sort_unstable();
    scores
}

pub(super) fn solkoff(view: &View, player: usize) -> Fraction {
    opponents(view, player).into_iter().sum()
}

/// The sum without so many of the lowest and of the highest.
fn without(scores: &[Fraction], lowest: usize, highest: usize) -> Fraction {
    let kept = scores.iter().skip(lowest);
    kept.take(scores.len().saturating_sub(lowest + highest)).copied().sum()
}

/// "Nine rounds or more: two instead of one each time."
fn discarded(scores: &[Fraction]) -> usize {
    if scores.len() < 9 { 1 } else { 2 }
}

pub(super) fn median(view: &View, player: usize) -> Fraction {
    let scores = opponents(view, player);
    let count = discarded(&scores);
    without(&scores, count, count)
}

/// "Discarding for an even score (exactly half of the maximum) the highest and the lowest opponent, for a plus score only the
/// lowest, for a minus score only the highest."
pub(super) fn modified_median(view: &View, player: usize) -> Fraction {
    let scores = opponents(view, player);
    let count = discarded(&scores);
    let game = view.game_points_rank;
    let half = view.win(game).times(scores.len()).halved();
    match view.total(game, player).cmp(&half) {
        Ordering::Equal => without(&scores, count, count),
        Ordering::Greater => without(&scores, count, 0),
        Ordering::Less => without(&scores, 0, count),
    }
}

/// "Sum of the running score after each round. Less 1 for each unplayed win or full-point bye, less 0.5 for each unplayed
/// draw or half-point bye": a pairing-allocated bye by what it gives.
pub(super) fn cumulative(view: &View, player: usize) -> Fraction {
    let rounds = view.rounds(player);
    let game = view.game_points_rank;
    let after = |number: usize| -> Fraction { rounds[..=number].iter().map(|round| round.points(game)).sum() };
    let is_over = |number: &usize| rounds[*number].kind.counts();
    let running: Fraction = (0..rounds.len()).filter(is_over).map(after).sum();
    let unplayed = rounds.iter().filter(|round| round.kind.is_unplayed());
    let less: Fraction = unplayed.map(|round| round.points(game)).sum();
    running - less
}

pub(super) fn cumulative_of_opposition(view: &View, player: usize) -> Fraction {
    let met = view.over_the_board(player);
    met.iter().map(|&(_, opponent, _)| cumulative(view, opponent)).sum()
}

/// "Kashdan (4/2/1/0 for win/draw/loss/unplayed)."
pub(super) fn kashdan(view: &View, player: usize) -> Fraction {
    let points = |kind| match kind {
        Kind::WonOverTheBoard => 4,
        Kind::DrawnOverTheBoard => 2,
        Kind::LostOverTheBoard => 1,
        _ => 0,
    };
    view.rounds(player).iter().map(|round| whole(points(round.kind))).sum()
}
