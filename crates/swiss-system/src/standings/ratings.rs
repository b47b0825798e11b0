//! Tie-breaks of ratings (C.07 art. 10): ARO, TPR, PTP and the opponents' means of these.
//!
//! Forfeits never count here. In mini-matches each round is one opponent, and the score is that of its played games.
//!
//! May not: rank anybody.

use super::buchholz::cut;
use super::criterion::Criterion;
use super::results::ResultsFormat;
use super::table::ScoreTable;
use super::term::{CutReason, Note, Term};
use super::unplayed::TieBreakEdition;
use super::value::Value;
use crate::pairing::history::PairingNumber;

/// Rating difference for a score of 50, 51 … 100 per cent; below 50, that of the other side with a minus (FIDE Rating
/// Regulations, table 8.1.1).
const DIFFERENCES: [i64; 51] = [
    0, 7, 14, 21, 29, 36, 43, 50, 57, 65, 72, 80, 87, 95, 102, 110, 117, 125, 133, 141, 149, 158, 166, 175, 184, 193,
    202, 211, 220, 230, 240, 251, 262, 273, 284, 296, 309, 322, 336, 351, 366, 383, 401, 422, 444, 470, 501, 538, 589,
    677, 800,
];
/// The largest rating difference for which the higher rated is expected to score 50, 51 … 99 per cent; beyond the last it is
/// 100 (table 8.1.2, without a limit of 400 points).
const EXPECTATIONS: [usize; 50] = [
    3, 10, 17, 25, 32, 39, 46, 53, 61, 68, 76, 83, 91, 98, 106, 113, 121, 129, 137, 145, 153, 162, 170, 179, 188, 197,
    206, 215, 225, 235, 245, 256, 267, 278, 290, 302, 315, 328, 344, 357, 374, 391, 411, 432, 456, 484, 517, 559, 619,
    735,
];
/// Without a score, performance is this far below the lowest-rated opponent.
const NOTHING: i64 = 800;

/// That table the other way round: hundredths of a point that the higher rated is expected to score, by difference.
const EXPECTED: [u8; 737] = {
    let mut expected = [50; 737];
    let (mut difference, mut above) = (0, 0);
    while difference < expected.len() {
        if above < EXPECTATIONS.len() && EXPECTATIONS[above] < difference {
            above += 1;
        }
        expected[difference] += above as u8;
        difference += 1;
    }
    expected
};

/// Expected score in hundredths of a point.
fn expected(difference: i64) -> i64 {
    let index = usize::try_from(difference.abs())
        .unwrap_or(usize::MAX)
        .min(EXPECTED.len() - 1);
    let higher = i64::from(EXPECTED[index]);
    if difference < 0 { 100 - higher } else { higher }
}

/// A round against a rated opponent over the board.
struct RatedMeeting {
    round: usize,
    opponent: PairingNumber,
    rating: i64,
    games: i64,
    /// Half points scored in them.
    halves: i64,
}

fn met<'a>(table: &'a ScoreTable<'_>, player: PairingNumber) -> impl Iterator<Item = RatedMeeting> + 'a {
    let rounds = table.rounds(player).iter().enumerate();
    rounds.filter_map(|(round, played)| {
        let opponent = played.fate.played()?;
        let games = played.games.both();
        Some(RatedMeeting {
            round,
            opponent,
            rating: table.rating(opponent, round)?.into(),
            games: games.played().into(),
            halves: i64::from(games.won) * 2 + i64::from(games.drawn),
        })
    })
}

/// "The average rating of the opponents met over the board, rounded to the nearest whole number, .5 up" (art. 10.1),
/// each with the rating at the start of that round; `None` without any, also if all are cut. Under `played-only` it
/// is not rounded: "the rating of all your opponents (excluding the lowest rated opponent) is averaged" (Immortal
/// Game).
///
/// Under the text of 2022 each own unplayed round uses up one of the cuts, those of the lowest first: for players
/// with one such round, the tables of the time print the uncut mean (World Blitz Championship 2021).
pub(super) fn average(
    table: &ScoreTable<'_>,
    criterion: &Criterion,
    player: PairingNumber,
    terms: &mut Vec<Term>,
) -> Option<Value> {
    terms.clear();
    terms.extend(met(table, player).map(|met| Term::of_opponent(met.round, met.opponent, Value::whole(met.rating))));
    let mut criterion = *criterion;
    let unplayed = used_up(table, player, &mut criterion);
    // None of the terms is of an unplayed round, so every edition cuts plainly.
    cut(terms, &criterion, TieBreakEdition::Of2022);
    terms.extend(unplayed);
    terms.sort_by_key(|term| term.round);
    let counted = terms.iter().filter(|term| term.cut.is_none()).count();
    let counted = u32::try_from(counted).expect("few rounds");
    let mean = (counted > 0).then(|| Term::sum(terms).divided_by(counted))?;
    Some(match table.edition() {
        TieBreakEdition::PlayedOnly => mean,
        TieBreakEdition::Of2022 | TieBreakEdition::Of2024 | TieBreakEdition::Of2026 => Value::whole(mean.rounded()),
    })
}

/// Uses up one cut for each unplayed round, under the text of 2022, and returns those rounds.
fn used_up(table: &ScoreTable<'_>, player: PairingNumber, criterion: &mut Criterion) -> Vec<Term> {
    if table.edition() != TieBreakEdition::Of2022 || table.results().format != ResultsFormat::Swiss {
        return Vec::new();
    }
    let rounds = table.rounds(player).iter().enumerate();
    let unplayed = rounds.filter(|(_, round)| round.fate.is_unplayed());
    let cuts = unplayed.map_while(|(round, _)| {
        let (cuts, why) = match criterion.lowest {
            0 => (&mut criterion.highest, CutReason::Highest),
            _ => (&mut criterion.lowest, CutReason::Lowest),
        };
        *cuts = cuts.checked_sub(1)?;
        Some(Term {
            cut: Some(why),
            ..Term::of_round(round, Value::ZERO)
        })
    });
    cuts.collect()
}

/// Tournament performance rating (art. 10.2): ARO, a whole number, and the rating difference for the percentage scored over the board,
/// rounded to a whole per cent, .5 up.
pub(super) fn performance(table: &ScoreTable<'_>, player: PairingNumber, terms: &mut Vec<Term>) -> Option<Value> {
    let criterion = Criterion::from(super::criterion::Code::AverageRating);
    let average = average(table, &criterion, player, terms)?;
    let (games, halves) =
        met(table, player).fold((0, 0), |(games, halves), met| (games + met.games, halves + met.halves));
    if games == 0 {
        return None;
    }
    // 100 · halves / (2 · games), half up.
    let percent = (100 * halves + games).div_euclid(2 * games);
    let index = usize::try_from((percent - 50).abs()).expect("at most 50");
    let difference = DIFFERENCES[index] * if percent < 50 { -1 } else { 1 };
    terms.push(Term {
        round: None,
        note: Note::RatingDifference(u32::try_from(percent).expect("at most 100")),
        ..Term::of_round(0, Value::whole(difference))
    });
    Some(Value::whole(average.rounded() + difference))
}

/// Perfect tournament performance (art. 10.3): the lowest whole rating with which the score over the board would have been
/// expected, by the full table; with nothing scored, 800 below the lowest-rated opponent.
pub(super) fn perfect_performance(
    table: &ScoreTable<'_>,
    player: PairingNumber,
    terms: &mut Vec<Term>,
) -> Option<Value> {
    terms.clear();
    let opponents: Vec<RatedMeeting> = met(table, player).filter(|met| met.games > 0).collect();
    let lowest = opponents.iter().map(|met| met.rating).min()?;
    let highest = opponents.iter().map(|met| met.rating).max()?;
    // In hundredths.
    let scored: i64 = opponents.iter().map(|met| met.halves * 50).sum();
    if scored == 0 {
        let nothing = Value::whole(lowest - NOTHING);
        let weakest = opponents.iter().find(|met| met.rating == lowest)?;
        terms.push(Term {
            note: Note::NothingScored,
            ..Term::of_opponent(weakest.round, weakest.opponent, nothing)
        });
        return Some(nothing);
    }
    let reaches = |rating: i64| {
        let sum: i64 = opponents
            .iter()
            .map(|met| met.games * expected(rating - met.rating))
            .sum();
        sum >= scored
    };
    let (mut below, mut enough) = (lowest - NOTHING, highest + NOTHING);
    if reaches(below) {
        enough = below;
    }
    while enough - below > 1 {
        let middle = below + (enough - below) / 2;
        if reaches(middle) {
            enough = middle;
        } else {
            below = middle;
        }
    }
    for met in &opponents {
        let hundredths = met.games * expected(enough - met.rating);
        terms.push(Term {
            worth: Value::whole(met.rating),
            ..Term::of_opponent(met.round, met.opponent, Value::whole(hundredths).divided_by(100))
        });
    }
    Some(Value::whole(enough))
}

/// The mean of the opponents' TPR (art. 10.4).
pub(super) fn average_performance(
    table: &ScoreTable<'_>,
    player: PairingNumber,
    terms: &mut Vec<Term>,
) -> Option<Value> {
    let performances = table.of_all.performances.get_or_init(|| of_all(table, performance));
    average_of(table, performances, player, terms)
}

/// The mean of the opponents' PTP (art. 10.5).
pub(super) fn average_perfect_performance(
    table: &ScoreTable<'_>,
    player: PairingNumber,
    terms: &mut Vec<Term>,
) -> Option<Value> {
    let once = &table.of_all.perfect_performances;
    let performances = once.get_or_init(|| of_all(table, perfect_performance));
    average_of(table, performances, player, terms)
}

/// A tie-break of all players.
fn of_all(
    table: &ScoreTable<'_>,
    tie_break: impl Fn(&ScoreTable<'_>, PairingNumber, &mut Vec<Term>) -> Option<Value>,
) -> Vec<Option<Value>> {
    let mut terms = Vec::new();
    let value = |player| tie_break(table, player, &mut terms);
    table.numbers().map(value).collect()
}

/// The mean of the opponents' numbers, rounded to the nearest whole number, .5 up (art. 10.4 and 10.5).
fn average_of(
    table: &ScoreTable<'_>,
    numbers: &[Option<Value>],
    player: PairingNumber,
    terms: &mut Vec<Term>,
) -> Option<Value> {
    terms.clear();
    let of_opponents = met(table, player).filter_map(|met| {
        let number = numbers[met.opponent.index()]?;
        Some(Term::of_opponent(met.round, met.opponent, number))
    });
    terms.extend(of_opponents);
    let opponents = u32::try_from(terms.len()).expect("few rounds");
    (opponents > 0).then(|| Value::whole(Term::sum(terms).divided_by(opponents).rounded()))
}

#[cfg(test)]
mod tests {
    use super::expected;

    #[test]
    fn both_sides_expect_one_point_together() {
        for difference in -900..=900 {
            assert_eq!(expected(difference) + expected(-difference), 100, "{difference}");
        }
        for (difference, hundredths) in [
            (0, 50),
            (3, 50),
            (4, 51),
            (391, 91),
            (392, 92),
            (735, 99),
            (736, 100),
            (-4, 49),
        ] {
            assert_eq!(expected(difference), hundredths, "{difference}");
        }
    }
}
