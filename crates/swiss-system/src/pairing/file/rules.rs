//! The Dutch system's rules as a file has them: colour, points, acceleration, forbidden pairs.
//!
//! May not: know what happened in a round except who had which colour in the first.

use std::collections::BTreeSet;

use jiff::civil::date;

use super::{File, PairingFileError, first_color};
use crate::pairing::dutch::rules;
use crate::pairing::dutch::rules::{DutchEdition, DutchRules};
use crate::pairing::history::{FirstColor, PairingNumber};
use crate::score::Points;
use crate::trf::{Color, EditionBy, Header, PlayerRecord, ResultCode, Tournament};
use crate::word::Word as _;

/// The most forbidden pairs of a round; a file with more is refused.
const MOST_FORBIDDEN_PAIRS: usize = 1_000_000;
/// The most virtual points (players times rounds, over all records); a file with more is refused.
const MOST_VIRTUAL_POINTS: usize = 2_000_000;

/// The edition of C.04.3: the one that record 192 or 092 names (`FIDE_DUTCH_2017`), else that of the comment, else by
/// the first day; "in force since 1 February 2026".
pub(super) fn edition(tournament: &Tournament) -> (DutchEdition, EditionBy) {
    let mut named = tournament.dutch_words().filter_map(|(record, word)| {
        let by = match record {
            Header::TypeCode => EditionBy::TypeCode,
            _ => EditionBy::Type,
        };
        Some((edition_of_code(&word)?, by))
    });
    named.next().unwrap_or_else(|| {
        tournament.edition(
            "C.04.3",
            DutchEdition::of_word,
            &[(date(2026, 2, 1), DutchEdition::Of2017)],
            DutchEdition::Of2026,
        )
    })
}

/// The edition in a code of record 192. FIDE's table calls the rules of 2026 by 1 July 2025, the day on which they
/// were first meant to come into force.
fn edition_of_code(word: &str) -> Option<DutchEdition> {
    match word {
        "2025" => Some(DutchEdition::Of2026),
        word => DutchEdition::of_word(word),
    }
}

impl File<'_> {
    pub(super) fn rules(&self, rounds: u32, warnings: &mut Vec<String>) -> Result<DutchRules, PairingFileError> {
        let [win, win_with_black] = self.points.win;
        let [loss, loss_with_black] = self.points.loss;
        if (win, loss) != (win_with_black, loss_with_black) {
            warnings.push("wins or losses are worth more with one colour; the Dutch rules go by White's".to_owned());
        }
        Ok(DutchRules {
            edition: edition(self.tournament).0,
            initial_color: self.initial_color(warnings),
            rounds,
            win,
            loss,
            virtual_points: self.virtual_points(rounds, win, warnings)?,
            ..DutchRules::default()
        })
    }

    /// The initial colour of the file, else the one that round 1 shows: of those who were paired in it, the first has
    /// that colour, the second the other.
    fn initial_color(&self, warnings: &mut Vec<String>) -> FirstColor {
        if let Some(color) = self.tournament.initial_color() {
            return first_color(color);
        }
        let round_1 = self.players.iter().flatten().map(|player| self.cell(player, 1));
        let paired = round_1.filter(|cell| {
            let bye = cell.result == Some(ResultCode::PairingAllocatedBye);
            cell.opponent.is_some() || bye
        });
        let shown = paired.enumerate().find_map(|(index, cell)| {
            let color = cell.color?;
            Some(if index % 2 == 0 { color } else { color.other() })
        });
        let color = shown.unwrap_or(Color::White);
        warnings.push(format!(
            "the initial colour is missing (record 152 or XXC); taken as {}, {}",
            match color {
                Color::White => "White",
                Color::Black => "Black",
            },
            match shown {
                Some(_) => "as round 1 shows",
                None => "because round 1 does not show it",
            }
        ));
        first_color(color)
    }

    /// Virtual points by `250` and `XXA`, a later record before an earlier one; without either, Baku acceleration if
    /// the type of the tournament has it.
    fn virtual_points(
        &self,
        rounds: u32,
        win: Points,
        warnings: &mut Vec<String>,
    ) -> Result<Vec<Vec<Points>>, PairingFileError> {
        if self.tournament.accelerations().next().is_none() {
            return Ok(match self.tournament.is_baku() {
                true => self.baku(rounds, win),
                false => Vec::new(),
            });
        }
        let mut table: Vec<Vec<Option<Points>>> = vec![Vec::new(); rounds as usize];
        let highest = self.players.len();
        let (mut given, mut overlaps) = (0, false);
        let mut in_other_columns = false;
        for acceleration in self.tournament.accelerations() {
            // Points of one kind: match points are also game points.
            let points = match acceleration.match_points {
                Some(points) if acceleration.points == Points::ZERO => {
                    in_other_columns = true;
                    points
                }
                _ => acceleration.points,
            };
            let last = (acceleration.numbers.last as usize).min(highest);
            let numbers = (acceleration.numbers.first as usize).saturating_sub(1)..last;
            let of_rounds = acceleration.rounds.first.max(1)..=acceleration.rounds.last.min(rounds);
            for round in of_rounds {
                let row = &mut table[round as usize - 1];
                given += numbers.len() + 1;
                if given > MOST_VIRTUAL_POINTS {
                    return Err(PairingFileError::TooMuch {
                        what: "virtual points",
                        most: MOST_VIRTUAL_POINTS,
                        check: "records 250 and XXA",
                    });
                }
                if row.len() < numbers.end {
                    row.resize(numbers.end, None);
                }
                for had in row.get_mut(numbers.clone()).unwrap_or_default() {
                    overlaps |= had.is_some_and(|earlier| earlier != points);
                    *had = Some(points);
                }
            }
        }
        if in_other_columns {
            warnings.push("record 250 has only match points; taken as the virtual points of the players".to_owned());
        }
        if overlaps {
            warnings.push("virtual points are given twice (records 250, XXA); the later record counts".to_owned());
        }
        let known = |row: Vec<Option<Points>>| row.into_iter().map(Option::unwrap_or_default).collect();
        Ok(table.into_iter().map(known).collect())
    }

    /// Baku acceleration of the file's players.
    fn baku(&self, rounds: u32, win: Points) -> Vec<Vec<Points>> {
        let by_place = rules::baku(self.players.iter().flatten().count(), rounds, win);
        let spread = |places: Vec<Points>| {
            let mut places = places.into_iter();
            let of = |player: &Option<&PlayerRecord>| player.and_then(|_| places.next()).unwrap_or_default();
            self.players.iter().map(of).collect()
        };
        by_place.into_iter().map(spread).collect()
    }

    pub(super) fn forbidden(
        &self,
        round: u32,
        warnings: &mut Vec<String>,
    ) -> Result<Vec<(PairingNumber, PairingNumber)>, PairingFileError> {
        let mut pairs = Vec::new();
        for group in self.tournament.forbidden() {
            if group.rounds.is_some_and(|rounds| !rounds.contains(round)) {
                continue;
            }
            let named: BTreeSet<u32> = group.numbers.iter().copied().collect();
            let members: Vec<PairingNumber> = named
                .iter()
                .copied()
                .filter(|&number| self.player(number).is_some())
                .map(PairingNumber)
                .collect();
            if members.len() < named.len() {
                warnings.push("a forbidden pair names a player who has no 001 line; left out".to_owned());
            }
            if pairs.len() + members.len() * members.len().saturating_sub(1) / 2 > MOST_FORBIDDEN_PAIRS {
                return Err(PairingFileError::TooMuch {
                    what: "forbidden pairs",
                    most: MOST_FORBIDDEN_PAIRS,
                    check: "records 260 and XXP",
                });
            }
            for (index, &one) in members.iter().enumerate() {
                pairs.extend(members[index + 1..].iter().map(|&other| (one, other)));
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        Ok(pairs)
    }
}
