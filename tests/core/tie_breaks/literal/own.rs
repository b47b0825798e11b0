//! What a player did alone: C.07 art. 7, progressive scores, standard points, Koya.
//!
//! May not: rank anybody.

use swiss_system::standings::unplayed::{BlackWins, TieBreakEdition};

use super::Name;
use super::fraction::Fraction;
use super::fraction::NOTHING;
use super::fraction::count;
use super::fraction::ratio;
use super::fraction::whole;
use super::view::Kind;
use super::view::Round;
use super::view::View;

/// "WIN: rounds that gave win points, played or not (PAB at win value, `+`, `F` included)"; Immortal Game: a bye is "not
/// counted as a win; a forfeit win counts as one".
pub(super) fn wins(view: &View, player: usize) -> Fraction {
    let rounds = view.rounds(player).iter();
    count(rounds.filter(|round| {
        let is_decided = round.kind.is_over_the_board() || round.kind.is_unplayed();
        let counts = view.edition != TieBreakEdition::PlayedOnly || !round.kind.is_bye();
        is_decided && counts && round.points(false) >= view.win(false)
    }))
}

/// "WON: wins over the board."
pub(super) fn wins_over_the_board(view: &View, player: usize) -> Fraction {
    let rounds = view.rounds(player).iter();
    count(rounds.filter(|round| round.kind == Kind::WonOverTheBoard))
}

/// "BPG: games played with Black, over the board."
pub(super) fn black_games(view: &View, player: usize) -> Fraction {
    let rounds = view.rounds(player).iter();
    rounds.map(|round| whole(round.games[1].iter().sum())).sum()
}

/// "BWG: games won with Black, over the board"; Immortal Game: "a game won because the opponent did not come counts as a win, and
/// as a win with Black where Black was had".
pub(super) fn black_wins(view: &View, player: usize) -> Fraction {
    let rounds = view.rounds(player).iter();
    let did_not_come = |round: &Round| match view.black_wins {
        BlackWins::OverTheBoard => 0,
        BlackWins::WithForfeits => round.won_by_forfeit_with_black,
    };
    rounds.map(|round| whole(round.games[1][0] + did_not_come(round))).sum()
}

/// "REP: rounds − half-point byes − zero-point byes − forfeit losses"; what goes on, was annulled or is free is no round.
pub(super) fn rounds_elected(view: &View, player: usize) -> Fraction {
    let rounds = view.rounds(player).iter();
    let of_the_event = rounds.filter(|round| round.kind.counts());
    count(of_the_event.filter(|round| !round.kind.is_voluntary()))
}

/// "PS: sum of the running score after each round; /C1 drops the term of round 1", and /C2 that of round 2, too.
pub(super) fn progressive(view: &View, name: &Name, game: bool, player: usize) -> Fraction {
    let rounds = view.rounds(player);
    let after = |number: usize| -> Fraction { rounds[..=number].iter().map(|round| round.points(game)).sum() };
    (0..rounds.len())
        .filter(|&number| number >= name.lowest())
        .filter(|&number| rounds[number].kind.counts())
        .map(after)
        .sum()
}

/// "STD: 1 for each round that outscored the scheduled opponent, or unplayed with more than a draw's value; 1/2 when equal";
/// "a double forfeit gives 0".
pub(super) fn standard_points(view: &View, game: bool, player: usize) -> Fraction {
    let mut sum = NOTHING;
    for (number, round) in view.rounds(player).iter().enumerate() {
        if !round.kind.counts() {
            continue;
        }
        let theirs = round.opponent.map(|opponent| &view.rounds(opponent)[number]);
        if round.kind == Kind::ForfeitLoss && theirs.is_some_and(|theirs| theirs.kind == Kind::ForfeitLoss) {
            continue;
        }
        let to_beat = theirs.map_or(view.draw(game), |theirs| theirs.points(game));
        let own = round.points(game);
        if own > to_beat {
            sum = sum + whole(1);
        } else if own == to_beat {
            sum = sum + ratio(1, 2);
        }
    }
    sum
}

/// "KS: points against opponents with ≥ 50 % of the maximum; the limit can move by half points." The maximum is what there
/// was to win so far; in an odd field everybody rests once in as many rounds as there are players, where that is not free
/// anyway.
pub(super) fn koya(view: &View, name: &Name, game: bool, player: usize) -> Fraction {
    let (rounds, players, held) = (view.rounds(player), view.players.len(), view.rounds_at_all(player, 0));
    let rests = if players % 2 == 1 { rounds.len() / players } else { 0 };
    let free = rounds.iter().filter(|round| round.kind == Kind::Free).count();
    let rests = rests.saturating_sub(free);
    let limit = view.win(game).times(held - rests).halved() + whole(name.limit()).halved();
    let decided = rounds
        .iter()
        .filter(|round| round.kind.is_over_the_board() || round.kind.is_forfeit());
    let against_the_strong = decided.filter(|round| {
        round
            .opponent
            .is_some_and(|opponent| view.total(game, opponent) >= limit)
    });
    against_the_strong.map(|round| round.points(game)).sum()
}

/// Byes: "a full-point bye that the arbiter awards counts as one".
pub(super) fn byes(view: &View, player: usize) -> Fraction {
    let rounds = view.rounds(player).iter();
    count(rounds.filter(|round| [Kind::PairingAllocatedBye, Kind::FullPointBye].contains(&round.kind)))
}

/// Games that ended by own fault.
pub(super) fn faults(view: &View, player: usize) -> Fraction {
    view.rounds(player).iter().map(|round| whole(round.faults)).sum()
}

/// "Games won / games played × 100 (a draw is no win)."
pub(super) fn win_rate(view: &View, player: usize) -> Option<Fraction> {
    let rounds = view.rounds(player);
    let won: i64 = rounds.iter().map(|round| round.games[0][0] + round.games[1][0]).sum();
    let played: i64 = rounds.iter().map(super::view::Round::games_played).sum();
    (played > 0).then(|| ratio(i128::from(won) * 100, played.into()))
}
