//! Unplayed rounds in tie-breaks: C.07 art. 16 and its predecessors.
//!
//! A *voluntary unplayed round* (VUR) is a requested bye (half or zero points) or a loss by forfeit.
//!
//! | edition | an opponent's score, as others see it | the own unplayed round |
//! |---|---|---|
//! | 2026 (from March 2026) | his points; a requested bye with nothing but VURs after it, or in the last round, counts as a draw | a dummy with the own points, at most: the scheduled opponent's score where a game was forfeited, else a draw for each round |
//! | 2024 (September 2023 to February 2026) | the same | a dummy with the own points |
//! | 2022 (before) | his points, each unplayed round as a draw | a virtual opponent: own points before the round, what the round did not give of a win, and a draw for each round to come |
//! | played only (Immortal Game) | his points | nothing |
//!
//! May not: add up a tie-break.

use super::criterion::Score;
use super::results::{Bye, MatchResult, PlayerResults, PlayerRound, Results, ResultsFormat, RoundFate, Worth};
use crate::score::Points;
use crate::word::words;

/// The text that governs unplayed rounds and cuts, `standings.edition`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TieBreakEdition {
    /// `"2026"`: C.07 from 1 March 2026.
    #[default]
    Of2026,
    /// `"2024"`: C.07 from September 2023 to February 2026.
    Of2024,
    /// `"2022"`: the virtual opponent.
    Of2022,
    /// `"played-only"`: only opponents actually played count (Immortal Game).
    PlayedOnly,
}

words!(TieBreakEdition {
    Of2026 => "2026",
    Of2024 => "2024",
    Of2022 => "2022",
    PlayedOnly => "played-only",
});

/// The games that count as won with Black, `standings.black_wins`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BlackWins {
    /// `"over-the-board"`: "won over the board" (C.07 art. 7.4).
    #[default]
    OverTheBoard,
    /// `"with-forfeits"`: "a game won because the opponent did not come counts as a win, and as a win with Black where Black
    /// was had" (Immortal Game).
    WithForfeits,
}

words!(BlackWins {
    OverTheBoard => "over-the-board",
    WithForfeits => "with-forfeits",
});

impl RoundFate {
    /// True for a voluntary unplayed round.
    pub fn is_voluntary(self) -> bool {
        self.is_forfeit(MatchResult::Lost) || self.is_requested_bye()
    }

    const fn is_requested_bye(self) -> bool {
        matches!(self, Self::Bye(Bye::HalfPoint | Bye::ZeroPoint))
    }

    /// True if the round was not played, and is not still being played, free or annulled.
    pub const fn is_unplayed(self) -> bool {
        matches!(self, Self::Forfeit { .. } | Self::Bye(_))
    }
}

impl Score {
    /// The points of this kind that a round gave.
    pub const fn of_round(self, round: &PlayerRound) -> Points {
        match self {
            Self::Match => round.points,
            Self::Game => round.game_points,
        }
    }

    /// The worth of a win and a draw in this kind of points.
    pub const fn worth(self, results: &Results) -> Worth {
        match self {
            Self::Match => results.worth,
            Self::Game => results.game_worth,
        }
    }

    /// All points of a player.
    pub fn total(self, player: &PlayerResults) -> Points {
        let bonus = match self {
            Self::Match => player.bonus,
            Self::Game => player.game_bonus,
        };
        bonus + player.rounds.iter().map(|round| self.of_round(round)).sum()
    }
}

/// A player's score as his opponents see it.
pub fn adjusted(results: &Results, edition: TieBreakEdition, score: Score, player: &PlayerResults) -> Points {
    let total = score.total(player);
    let draw = score.worth(results).draw;
    let as_draw = |round: &PlayerRound| draw - score.of_round(round);
    if results.format == ResultsFormat::RoundRobin {
        return total;
    }
    match edition {
        TieBreakEdition::PlayedOnly => total,
        TieBreakEdition::Of2022 => {
            let unplayed = player.rounds.iter().filter(|round| round.fate.is_unplayed());
            total + unplayed.map(as_draw).sum()
        }
        TieBreakEdition::Of2024 | TieBreakEdition::Of2026 => {
            let counted = player.rounds.iter().rev().filter(|round| round.fate.is_round());
            let at_the_end = counted.take_while(|round| round.fate.is_voluntary());
            let byes = at_the_end.filter(|round| round.fate.is_requested_bye());
            total + byes.map(as_draw).sum()
        }
    }
}
