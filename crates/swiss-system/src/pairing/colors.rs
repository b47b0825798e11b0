//! Decides who has White, by the colours that the two had before.
//!
//! May not: choose pairs.

use crate::pairing::history::{Encounter, FirstColor, Pair, PairingNumber, PastPlayer};

/// The colours that a player had in meetings, oldest first. Rounds without play are left out, so that the colours on
/// both sides of them are "in a row" (C.04.2, article 3.4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ColorSequence(Vec<FirstColor>);

impl ColorSequence {
    pub(crate) fn had_by(player: &PastPlayer) -> Self {
        let played = player.rounds.iter().filter_map(|round| match round.encounter {
            Encounter::Met { color, .. } => Some(color),
            _ => None,
        });
        Self(played.collect())
    }

    pub(crate) fn whites(&self) -> usize {
        self.0.iter().filter(|&&color| color == FirstColor::White).count()
    }

    /// The number of Whites and of Blacks.
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.whites(), self.0.len() - self.whites())
    }

    /// The colour that is due if nobody is to have one more than `streak` times in a row: the other one, after that
    /// many of the same; `None` if either will do.
    pub(crate) fn due(&self, streak: u32) -> Option<FirstColor> {
        let last = *self.0.last()?;
        let in_a_row = self.0.iter().rev().take_while(|&&color| color == last).count();
        (in_a_row >= streak as usize).then(|| last.opposite())
    }

    /// The colour of `self` against `opponent` if only alternation is left to decide. In turn: the opposite of what
    /// it had when last one of the two had White and the other Black (both histories are walked back in step); the
    /// opposite of its own last colour; the opponent's last colour; `first` if neither has played.
    pub(crate) fn alternated(&self, opponent: &Self, first: FirstColor) -> FirstColor {
        let mut in_step = self.0.iter().rev().zip(opponent.0.iter().rev());
        let differing = in_step.find(|(own, theirs)| own != theirs).map(|(own, _)| *own);
        let own_last = differing.or(self.0.last().copied()).map(FirstColor::opposite);
        own_last.or(opponent.0.last().copied()).unwrap_or(first)
    }

    /// The colour of `self` against `opponent` by "equalise, then alternate": White for the one whose Whites exceed
    /// its Blacks by less, then as [`ColorSequence::alternated`].
    pub(crate) fn equalised(&self, opponent: &Self, first: FirstColor) -> FirstColor {
        let ((whites, blacks), (their_whites, their_blacks)) = (self.counts(), opponent.counts());
        match (whites + their_blacks).cmp(&(their_whites + blacks)) {
            std::cmp::Ordering::Less => FirstColor::White,
            std::cmp::Ordering::Greater => FirstColor::Black,
            std::cmp::Ordering::Equal => self.alternated(opponent, first),
        }
    }
}

/// The colour of a player against an opponent if neither has played before: the initial colour for an odd pairing
/// number, the other one for an even number.
pub(crate) const fn first_color(number: PairingNumber, initial: FirstColor) -> FirstColor {
    if number.0.is_multiple_of(2) {
        initial.opposite()
    } else {
        initial
    }
}

/// The pair with `color` for `own`.
pub(crate) const fn seated(own: PairingNumber, color: FirstColor, opponent: PairingNumber, repeat: bool) -> Pair {
    let (white, black) = match color {
        FirstColor::White => (own, opponent),
        FirstColor::Black => (opponent, own),
    };
    Pair { white, black, repeat }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairing::tests::{fresh, had, met};
    use FirstColor::{Black, White};

    fn colors(written: &str) -> ColorSequence {
        ColorSequence(written.chars().map(|c| if c == 'W' { White } else { Black }).collect())
    }

    #[test]
    fn due_after_so_many_of_the_same() {
        for (streak, had, due) in [
            (2, "", None),
            (2, "W", None),
            (2, "WB", None),
            (2, "WW", Some(Black)),
            (2, "WWW", Some(Black)),
            (2, "BWBB", Some(White)),
            (2, "WWB", None),
            (1, "", None),
            (1, "WWB", Some(White)),
            (3, "BWW", None),
            (3, "BWWW", Some(Black)),
        ] {
            assert_eq!(colors(had).due(streak), due, "{had}, at most {streak} in a row");
        }
    }

    #[test]
    fn alternated_in_turn() {
        let check = |own: &str, theirs: &str, expected| {
            assert_eq!(
                colors(own).alternated(&colors(theirs), White),
                expected,
                "{own} {theirs}"
            );
        };
        // Their latest difference, both walked back in step from the end.
        check("WB", "BW", White);
        check("BW", "WB", Black);
        check("WBW", "BWW", White);
        check("BWB", "WBB", Black);
        check("BWB", "WB", White);
        // No difference as far as both have played: its own last colour.
        check("WB", "B", White);
        check("W", "W", Black);
        check("W", "", Black);
        check("", "B", Black);
        check("", "W", White);
        check("", "", White);
        assert_eq!(colors("").alternated(&colors(""), Black), Black);
    }

    #[test]
    fn equalised_before_alternated() {
        let check = |own: &str, theirs: &str, expected| {
            assert_eq!(
                colors(own).equalised(&colors(theirs), White),
                expected,
                "{own} {theirs}"
            );
        };
        check("WW", "W", Black);
        check("BW", "WWB", White);
        check("B", "", White);
        // Two Whites more against one Black more.
        check("WBWBW", "B", Black);
        check("WB", "BW", White);
    }

    #[test]
    fn unplayed_rounds_have_no_color() {
        let mut history = fresh(&[0, 0]);
        met(&mut history, &[(1, 2)]);
        had(&mut history, 1, Encounter::PairingAllocatedBye, 2);
        had(&mut history, 1, Encounter::Absent, 0);
        let opponent = PairingNumber(2);
        had(&mut history, 1, Encounter::Forfeit { opponent }, 0);
        met(&mut history, &[(1, 2)]);
        assert_eq!(ColorSequence::had_by(&history.players[0]), colors("WW"));
        assert_eq!(ColorSequence::had_by(&history.players[0]).due(2), Some(Black));
        assert_eq!(ColorSequence::had_by(&history.players[1]).counts(), (0, 2));
    }
}
