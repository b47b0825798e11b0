//! Cells of a crosstable by rounds, and the notes that explain those that occur.
//!
//! May not: know players.

use std::collections::BTreeSet;

use swiss_system::standings::results::{MatchResult, PlayerRound, RoundFate};

use crate::unplayed::UnplayedRound;

/// Signs behind an opponent, in the order in which they are explained.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Sign {
    White,
    Black,
    Won,
    Drawn,
    Lost,
    Unfinished,
    Forfeit,
    Repeat,
}

impl Sign {
    const fn written(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
            Self::Won => '+',
            Self::Drawn => '=',
            Self::Lost => '-',
            Self::Unfinished => '…',
            Self::Forfeit => 'f',
            Self::Repeat => '!',
        }
    }

    const fn meaning(self) -> &'static str {
        match self {
            Self::White => "White in game 1",
            Self::Black => "Black in game 1",
            Self::Won => "won",
            Self::Drawn => "drawn",
            Self::Lost => "lost",
            Self::Unfinished => "not finished",
            Self::Forfeit => "by forfeit, without a game",
            Self::Repeat => "the two had met before",
        }
    }
}

/// A round in which a player was paired.
pub(super) struct PairedCell {
    signs: BTreeSet<Sign>,
    opponent: Opponent,
    points: String,
}

/// The name of an opponent in a cell.
pub(super) enum Opponent {
    /// By its line in the table.
    Line(usize),
    /// By its name, if it is not ranked.
    Unranked(String),
}

impl PairedCell {
    pub(super) fn new(round: &PlayerRound, white_first: bool, opponent: Opponent) -> Self {
        let result = match round.fate.result() {
            Some(MatchResult::Won) => Sign::Won,
            Some(MatchResult::Drawn) => Sign::Drawn,
            Some(MatchResult::Lost) => Sign::Lost,
            None => Sign::Unfinished,
        };
        let color = if white_first { Sign::White } else { Sign::Black };
        let is_forfeit = matches!(round.fate, RoundFate::Forfeit { .. });
        let forfeit = is_forfeit.then_some(Sign::Forfeit);
        let repeat = round.repeat.then_some(Sign::Repeat);
        Self {
            signs: [color, result].into_iter().chain(forfeit).chain(repeat).collect(),
            opponent,
            points: round.game_points.to_string(),
        }
    }

    /// `12w+ 1.5`, `12b-f 0`, `12w… 1!`
    pub(super) fn cell(&self) -> String {
        let has = |sign| self.signs.contains(&sign);
        let before = self.signs.iter().filter(|sign| **sign != Sign::Repeat);
        let signs: String = before.map(|sign| sign.written()).collect();
        let repeat = if has(Sign::Repeat) { "!" } else { "" };
        let opponent = match &self.opponent {
            Opponent::Line(line) => line.to_string(),
            Opponent::Unranked(name) => format!("{name} "),
        };
        format!("{opponent}{signs} {}{repeat}", self.points)
    }

    /// The meaning of the cell.
    fn reading(&self) -> String {
        let signs: Vec<&str> = self.signs.iter().map(|sign| sign.meaning()).collect();
        let points = match self.points.as_str() {
            "1" => "1 game point".to_owned(),
            points => format!("{points} game points"),
        };
        let opponent = match &self.opponent {
            Opponent::Line(line) => format!("line {line}"),
            Opponent::Unranked(name) => name.clone(),
        };
        format!("against {opponent}, {}, {points}", signs.join(", "))
    }
}

/// The kinds of cells that occur in a crosstable.
#[derive(Default)]
pub(super) struct Legend {
    met: Vec<PairedCell>,
    unplayed: Vec<UnplayedRound>,
}

impl Legend {
    /// The cell of a round that was paired and counts.
    pub(super) fn met(&mut self, met: PairedCell) -> String {
        let cell = met.cell();
        self.met.push(met);
        cell
    }

    /// The cell of any other round.
    pub(super) fn unplayed(&mut self, unplayed: UnplayedRound) -> String {
        self.unplayed.push(unplayed);
        unplayed.word().to_owned()
    }

    /// The notes: an example of a plain cell, then the signs and words that occur.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        // The plainest one that occurs.
        if let Some(example) = self
            .met
            .iter()
            .min_by_key(|met| (met.signs.contains(&Sign::Unfinished), met.signs.len()))
        {
            let seen: BTreeSet<Sign> = self.met.iter().flat_map(|met| met.signs.iter().copied()).collect();
            let others = seen
                .difference(&example.signs)
                .map(|sign| format!("{} {}", sign.written(), sign.meaning()));
            let others: Vec<String> = others.collect();
            notes.push(format!("{} means: {}.", example.cell(), example.reading()));
            if !others.is_empty() {
                notes.push(format!("Other signs: {}.", others.join(", ")));
            }
        }
        let occurs = UnplayedRound::ALL
            .iter()
            .filter(|unplayed| self.unplayed.contains(unplayed));
        let words = occurs.filter_map(|unplayed| Some(format!("{}: {}.", unplayed.word(), unplayed.meaning()?)));
        notes.extend(words);
        notes
    }
}
