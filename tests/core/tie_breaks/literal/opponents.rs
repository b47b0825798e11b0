//! Buchholz and Sonneborn-Berger in all their forms (C.07 art. 8, 9.1, 14, 16).
//!
//! May not: rank anybody.

use swiss_system::standings::unplayed::TieBreakEdition;

use super::Name;
use super::fraction::Fraction;
use super::fraction::NOTHING;
use super::view::Kind;
use super::view::View;

/// A(p): "p's adjusted score as seen by his opponents".
fn adjusted(view: &View, game: bool, player: usize) -> Fraction {
    let rounds = view.rounds(player);
    let mut sum = if game { NOTHING } else { view.players[player].bonus };
    for (number, round) in rounds.iter().enumerate() {
        let face_value = round.points(game);
        let only_voluntary_after = rounds[number + 1..]
            .iter()
            .all(|later| later.kind.is_voluntary() || later.kind == Kind::Annulled);
        let as_draw = match view.edition {
            _ if view.is_round_robin => false,
            // "Every unplayed round counts 1/2."
            TieBreakEdition::Of2022 => round.kind.is_unplayed(),
            // ".1 to .4 at face value, .5 as a draw": ".5 requested bye followed by VURs only, or in the last round".
            TieBreakEdition::Of2024 | TieBreakEdition::Of2026 => round.kind.is_requested_bye() && only_voluntary_after,
            TieBreakEdition::PlayedOnly => false,
        };
        sum = sum + if as_draw { view.draw(game) } else { face_value };
    }
    sum
}

/// D(p, r): "dummy for p's own unplayed round r".
fn dummy(view: &View, game: bool, player: usize, number: usize) -> Option<Fraction> {
    let rounds = view.rounds(player);
    let own = view.total(game, player);
    match view.edition {
        // "SPR + (1 − result) + 1/2·(n − R), where SPR = own score before round R."
        TieBreakEdition::Of2022 => {
            let before: Fraction = rounds[..number].iter().map(|round| round.points(game)).sum();
            let missed = view.win(game) - rounds[number].points(game);
            Some(before + missed + view.draw(game).times(view.rounds_at_all(player, number + 1)))
        }
        // "Own final score."
        TieBreakEdition::Of2024 => Some(own),
        // "Own score capped: forfeits at the scheduled opponent's A; all others at draw points × rounds."
        TieBreakEdition::Of2026 => {
            let cap = match rounds[number].opponent {
                Some(opponent) if rounds[number].kind.is_forfeit() => adjusted(view, game, opponent),
                _ => view.draw(game).times(view.rounds_at_all(player, 0)),
            };
            Some(own.min(cap))
        }
        // "Only opponents actually played enter; a bye or an absence adds nothing."
        TieBreakEdition::PlayedOnly => None,
    }
}

/// What a round contributes.
#[derive(Clone, Copy)]
struct Part {
    /// Points of the opponent or of the dummy.
    theirs: Fraction,
    /// Own points.
    own: Fraction,
    /// Of a voluntary unplayed round.
    is_voluntary: bool,
}

impl Part {
    fn product(&self) -> Fraction {
        self.theirs * self.own
    }
}

/// The contributions of a player's rounds, the opponents' points being game points or not, and so the own.
fn parts(view: &View, name: &Name, (theirs, own): (bool, bool), player: usize) -> Vec<Part> {
    let mut parts = Vec::new();
    for (number, round) in view.rounds(player).iter().enumerate() {
        if let Some(opponent) = view.opponent_of(round, name.forfeits_played()) {
            parts.push(Part {
                theirs: adjusted(view, theirs, opponent),
                own: round.points(own),
                is_voluntary: false,
            });
        } else if round.kind.is_unplayed() && !view.is_round_robin {
            let Some(score) = dummy(view, theirs, player, number) else {
                continue;
            };
            // Before 2023: "1/2 × virtual opponent for each own unplayed round whatever it scored".
            let own = if view.edition == TieBreakEdition::Of2022 {
                view.draw(own)
            } else {
                round.points(own)
            };
            parts.push(Part {
                theirs: score,
                own,
                is_voluntary: round.kind.is_voluntary(),
            });
        }
    }
    parts
}

/// Since 2023 voluntary unplayed rounds have a say in what is cut.
fn voluntary_first(view: &View) -> bool {
    matches!(view.edition, TieBreakEdition::Of2024 | TieBreakEdition::Of2026)
}

/// "BH: sum over rounds of A(opponent), plus D for own unplayed rounds", less the cuts.
pub(super) fn buchholz(view: &View, name: &Name, game: bool, player: usize) -> Fraction {
    let mut parts = parts(view, name, (game, game), player);
    for _ in 0..name.lowest() {
        // "Cut the lowest VUR contribution first", if there is any.
        let has_voluntary = voluntary_first(view) && parts.iter().any(|part| part.is_voluntary);
        let candidates = (0..parts.len()).filter(|&index| parts[index].is_voluntary || !has_voluntary);
        if let Some(lowest) = candidates.min_by_key(|&index| parts[index].theirs) {
            parts.remove(lowest);
        }
    }
    for _ in 0..name.highest() {
        if let Some(highest) = (0..parts.len()).max_by_key(|&index| parts[index].theirs) {
            parts.remove(highest);
        }
    }
    parts.iter().map(|part| part.theirs).sum()
}

/// "FB: BH as if every paired game of the last round were a draw (the own dummy likewise)", "forfeited ones included", and
/// as much one that is still being played. A forfeit whose opponent is not known is no pairing that one could see. While the
/// last round has not been paired there is no such game.
pub(super) fn with_last_round_drawn(view: &View) -> View {
    let mut drawn = view.clone();
    if view.last_round_is_to_come {
        return drawn;
    }
    for player in &mut drawn.players {
        if let Some(last) = player.rounds.last_mut().filter(|last| last.opponent.is_some()) {
            last.kind = Kind::DrawnOverTheBoard;
            last.match_points = view.draw(false);
            last.game_points = view.draw(true);
        }
    }
    drawn
}

/// "AOB: mean of the opponents' BH (2026: or FB), opponents met over the board only."
pub(super) fn average_of_opponents(view: &View, name: &Name, game: bool, player: usize) -> Option<Fraction> {
    let seen = if name.has("F") {
        with_last_round_drawn(view)
    } else {
        view.clone()
    };
    let plain = Name::of("BH");
    let met = view.over_the_board(player);
    let sum: Fraction = met
        .iter()
        .map(|&(_, opponent, _)| buchholz(&seen, &plain, game, opponent))
        .sum();
    (!met.is_empty()).then(|| sum.over(met.len()))
}

/// "SB: sum of A(opponent)·s", less the cuts.
pub(super) fn sonneborn_berger(view: &View, name: &Name, scores: (bool, bool), player: usize) -> Fraction {
    let mut parts = parts(view, name, scores, player);
    for _ in 0..name.lowest() {
        let all: Vec<usize> = (0..parts.len()).collect();
        let voluntary: Vec<usize> = (0..parts.len()).filter(|&index| parts[index].is_voluntary).collect();
        let Some(mut goes) = of_lowest_scored(&parts, &all) else {
            break;
        };
        // "The lowest contribution coming from such rounds …, as long as such contribution is not lower than the least
        // significant value"; of equal contributions the one of the lowest score.
        let contribution = |&index: &usize| (parts[index].product(), parts[index].theirs);
        if voluntary_first(view)
            && let Some(other) = voluntary.into_iter().min_by_key(contribution)
            && parts[other].product() >= parts[goes].product()
        {
            goes = other;
        }
        parts.remove(goes);
    }
    for _ in 0..name.highest() {
        if let Some(highest) = (0..parts.len()).max_by_key(|&index| (parts[index].theirs, parts[index].product())) {
            parts.remove(highest);
        }
    }
    parts.iter().map(Part::product).sum()
}

/// "The product of the lowest-scored opponent; several such: their lowest product."
fn of_lowest_scored(parts: &[Part], among: &[usize]) -> Option<usize> {
    let lowest = among.iter().map(|&index| parts[index].theirs).min()?;
    let such = among.iter().copied().filter(|&index| parts[index].theirs == lowest);
    such.min_by_key(|&index| parts[index].product())
}
