//! A tour: several events, ranked by the sum of their tour points.
//!
//! May not: use floats; read runs; play anything off.

use std::collections::{BTreeMap, BTreeSet};

use swiss_system::standings::value::Value;

use super::log::{TourEvent, TourEventsError, names_of_players};
use super::money::Cents;
use super::placing::Placing;
use super::prizes;
use super::prizes::Statement;
use super::setup::{PrizeKeys, TourKeys};
use super::state::RefinedTie;

/// A player of a tour: the index in the order of names.
pub type Entrant = usize;

/// Whether a player is among the first of the tour, whom it invites.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TourQualification {
    Yes,
    No,
    /// A tie that is still open covers the last such place and the one after it.
    Open,
}

/// A player's row in the overall standings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TourRow {
    /// The overall place, shared by those still level.
    pub place: u32,
    /// The place by tour points alone, if the player's tie was played off.
    pub before_playoff: Option<u32>,
    pub name: String,
    /// Tour points of each event; `None` for events without the player.
    pub points: Vec<Option<Value>>,
    pub total: Value,
    /// Whether the player is among the first, whom the tour invites.
    pub qualified: TourQualification,
    /// Money for the overall place, as far as it is settled.
    pub bonus: Cents,
}

/// Players level on tour points who have to be told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenTie {
    /// The first place that they share.
    pub first: u32,
    /// The last place that they share.
    pub last: u32,
    pub names: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Overall {
    /// All players of all events, in the final order; level players by name.
    pub rows: Vec<TourRow>,
    /// Ties that still have to be played off.
    pub open: Vec<OpenTie>,
    /// Cents of bonuses that wait for play-offs.
    pub pending: Cents,
}

/// The overall standings of these events. A tie has to be played off if it covers a place of `boundaries` and the next
/// one (`[1, 3]`: 1|2 and 3|4). `refined` has what play-offs have made of them so far.
///
/// # Errors
/// The names do not say who is who.
///
/// # Panics
/// Like [`Placing::new`].
pub fn overall(
    events: &[TourEvent],
    keys: &TourKeys,
    boundaries: &[u32],
    refined: &[RefinedTie<Entrant>],
) -> Result<Overall, TourEventsError> {
    let names = names_of_players(events)?;
    let by_event = events.iter().map(|event| {
        let points: BTreeMap<&str, Value> = event
            .points
            .iter()
            .map(|(name, points)| (name.as_str(), *points))
            .collect();
        names.iter().map(|name| points.get(name).copied()).collect()
    });
    let by_event: Vec<Vec<Option<Value>>> = by_event.collect();
    let points = |player: Entrant| by_event.iter().map(move |points| points[player]);
    let totals: Vec<Value> = (0..names.len()).map(|player| points(player).flatten().sum()).collect();

    let mut order: Vec<Entrant> = (0..names.len()).collect();
    order.sort_by_key(|&player| std::cmp::Reverse(totals[player]));
    let levels: Vec<Vec<Entrant>> = order
        .chunk_by(|&one, &other| totals[one] == totals[other])
        .map(<[_]>::to_vec)
        .collect();
    let settled: BTreeSet<Entrant> = refined
        .iter()
        .flat_map(|tie| tie.parts.iter().flatten().copied())
        .collect();
    let by_points: BTreeMap<Entrant, u32> = with_places(&levels)
        .flat_map(|((first, _), level)| level.iter().map(move |&player| (player, first)))
        .collect();
    let refined = with_open_ties(refined, &levels, boundaries);
    let placing = Placing::new(levels.clone(), levels, &refined);
    let money = bonuses(&placing, &keys.bonus);
    let rows = money
        .accounts
        .iter()
        .zip(&placing.between)
        .map(|(account, between)| TourRow {
            place: account.place,
            before_playoff: by_points
                .get(&account.player)
                .copied()
                .filter(|_| settled.contains(&account.player)),
            name: names[account.player].to_owned(),
            points: points(account.player).collect(),
            total: totals[account.player],
            qualified: match *between {
                (_, last) if last <= keys.qualified => TourQualification::Yes,
                (first, _) if first > keys.qualified => TourQualification::No,
                _ => TourQualification::Open,
            },
            bonus: account.money(),
        });
    let open = placing.unfinished.iter().map(|&(first, last)| OpenTie {
        first,
        last,
        names: placing.order[first as usize - 1..last as usize]
            .iter()
            .map(|&player| names[player].to_owned())
            .collect(),
    });
    Ok(Overall {
        rows: rows.collect(),
        open: open.collect(),
        pending: money.pending.iter().map(|pending| pending.what.money()).sum(),
    })
}

/// Groups of players with the same points, best first, each with its first and last place.
fn with_places(levels: &[Vec<Entrant>]) -> impl Iterator<Item = ((u32, u32), &Vec<Entrant>)> {
    levels.iter().scan(0, |before, level| {
        let first = *before + 1;
        *before += u32::try_from(level.len()).expect("few players");
        Some(((first, *before), level))
    })
}

/// The ties that have been played off, and those that still have to be.
///
/// "If there is a tie for first place and/or third place in the overall standings, the tie(s) shall be broken by the
/// playoff(s). Ties for any other places, including second place, shall not be broken" (Grand Chess Tour 2024, 4.1, 4.2).
fn with_open_ties(
    refined: &[RefinedTie<Entrant>],
    levels: &[Vec<Entrant>],
    boundaries: &[u32],
) -> Vec<RefinedTie<Entrant>> {
    let is_open = |first: u32, last: u32| {
        let is_cut = boundaries.iter().any(|place| (first..last).contains(place));
        is_cut && refined.iter().all(|tie| tie.first_place != first)
    };
    let open = with_places(levels)
        .filter(|&((first, last), _)| is_open(first, last))
        .map(|((first, _), level)| RefinedTie {
            first_place: first,
            parts: vec![level.clone()],
            is_over: false,
        });
    refined.iter().cloned().chain(open).collect()
}

/// "The playoff(s) shall not affect the distribution of the GCT Bonus payment; … the bonus payment shall be split equally
/// between all players involved in the tie(s)" (4.2): prizes without a part of the winner.
fn bonuses(placing: &Placing<Entrant>, bonus: &[Cents]) -> Statement<Entrant> {
    let keys = PrizeKeys {
        by_place: bonus.iter().map(|&money| money.into()).collect(),
        ..PrizeKeys::default()
    };
    prizes::statement(placing, &keys)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A player's points in two events; `None` if the player was not in one.
    type Points<'a> = (&'a str, Option<i64>, Option<i64>);

    fn tour(points: &[Points<'_>]) -> Vec<TourEvent> {
        let event = |name: &str, of: fn(&Points<'_>) -> Option<i64>| {
            let points = points
                .iter()
                .filter_map(|line| Some((line.0.to_owned(), Value::whole(of(line)?))));
            TourEvent {
                name: name.to_owned(),
                points: points.collect(),
                log: String::new(),
            }
        };
        vec![event("Spring", |line| line.1), event("Autumn", |line| line.2)]
    }

    fn keys(bonus: &[u64], qualified: u32) -> TourKeys {
        TourKeys {
            runs: Vec::new(),
            bonus: bonus.iter().map(|&cents| Cents::new(cents)).collect(),
            qualified,
        }
    }

    /// Place, name, total, qualification and bonus.
    fn rows(overall: &Overall) -> Vec<String> {
        let row = |row: &TourRow| {
            let qualified = match row.qualified {
                TourQualification::Yes => "in",
                TourQualification::No => "out",
                TourQualification::Open => "?",
            };
            format!("{} {} {} {qualified} {}", row.place, row.name, row.total, row.bonus)
        };
        overall.rows.iter().map(row).collect()
    }

    fn open(overall: &Overall) -> Vec<(u32, u32)> {
        overall.open.iter().map(|tie| (tie.first, tie.last)).collect()
    }

    /// A and B are level; C, D and E are level.
    fn two_ties() -> Vec<TourEvent> {
        tour(&[
            ("A", Some(10), Some(6)),
            ("B", Some(8), Some(8)),
            ("C", None, Some(7)),
            ("D", Some(7), None),
            ("E", Some(3), Some(4)),
        ])
    }

    #[test]
    fn who_was_not_in_an_event_has_no_points_of_it() {
        let overall = overall(&two_ties(), &keys(&[], 0), &[], &[]).expect("a tour");
        let of_c = overall.rows.iter().find(|row| row.name == "C").expect("C is there");
        assert_eq!(of_c.points, [None, Some(Value::whole(7))]);
        assert_eq!(of_c.total, Value::whole(7));
    }

    #[test]
    fn gct_4_1_ties_for_first_and_for_third_are_to_be_played_off() {
        let tour_of = |points: &[i64]| {
            let names = ["A", "B", "C", "D", "E"];
            let lines: Vec<_> = names
                .into_iter()
                .zip(points)
                .map(|(name, points)| (name, Some(*points), None))
                .collect();
            open(&overall(&tour(&lines), &keys(&[], 3), &[1, 3], &[]).expect("a tour"))
        };
        assert_eq!(tour_of(&[9, 9, 7, 6, 5]), [(1, 2)]);
        assert_eq!(tour_of(&[9, 8, 7, 7, 5]), [(3, 4)]);
        assert_eq!(tour_of(&[9, 9, 7, 7, 5]), [(1, 2), (3, 4)]);
        assert_eq!(tour_of(&[9, 9, 9, 9, 9]), [(1, 5)]);
        assert_eq!(tour_of(&[9, 8, 8, 8, 5]), [(2, 4)], "it covers 3 and 4");
    }

    #[test]
    fn gct_4_2_ties_for_second_place_stay() {
        let events = tour(&[
            ("A", Some(9), None),
            ("B", Some(8), None),
            ("C", Some(8), None),
            ("D", Some(1), None),
        ]);
        let overall = overall(&events, &keys(&[300, 200, 101], 3), &[1, 3], &[]).expect("a tour");
        assert_eq!(open(&overall), []);
        assert_eq!(
            rows(&overall),
            ["1 A 9 in 3.00", "2 B 8 in 1.51", "2 C 8 in 1.50", "4 D 1 out 0.00"]
        );
    }

    /// The bonus of tied places is shared whatever a play-off says; the play-off settles only the spare cent and the
    /// places.
    #[test]
    fn gct_4_2_a_play_off_does_not_touch_the_bonus() {
        let keys = keys(&[17_500_001, 10_500_000, 5_000_000], 3);
        let before = overall(&two_ties(), &keys, &[1, 3], &[]).expect("a tour");
        assert_eq!(open(&before), [(1, 2), (3, 5)]);
        assert_eq!(before.pending, Cents::new(1 + 2));
        assert_eq!(
            rows(&before),
            [
                "1 A 16 in 140000.00",
                "1 B 16 in 140000.00",
                "3 C 7 ? 16666.66",
                "3 D 7 ? 16666.66",
                "3 E 7 ? 16666.66"
            ]
        );
        let played = |first_place, parts: &[&[Entrant]]| RefinedTie {
            first_place,
            parts: parts.iter().map(|part| part.to_vec()).collect(),
            is_over: true,
        };
        let refined = [played(1, &[&[1], &[0]]), played(3, &[&[4], &[2, 3]])];
        let after = overall(&two_ties(), &keys, &[1, 3], &refined).expect("a tour");
        assert_eq!((open(&after), after.pending), (vec![], Cents::ZERO));
        assert_eq!(
            rows(&after),
            [
                "1 B 16 in 140000.01",
                "2 A 16 in 140000.00",
                "3 E 7 in 16666.67",
                "4 C 7 out 16666.67",
                "4 D 7 out 16666.66"
            ]
        );
    }

    #[test]
    fn gct_4_3_who_is_invited_is_open_while_a_tie_covers_the_last_place() {
        let before = overall(&two_ties(), &keys(&[], 4), &[1, 3], &[]).expect("a tour");
        let marks: Vec<_> = before.rows.iter().map(|row| row.qualified).collect();
        let (yes, open) = (TourQualification::Yes, TourQualification::Open);
        assert_eq!(marks, [yes, yes, open, open, open]);
    }

    #[test]
    fn names_that_differ_in_case_alone_are_refused() {
        let events = tour(&[("Alpha", Some(1), None), ("alpha", None, Some(1))]);
        let refused = overall(&events, &keys(&[], 0), &[], &[]).expect_err("who is who");
        assert_eq!(
            refused,
            TourEventsError::NamesAlike("Alpha".to_owned(), "alpha".to_owned())
        );
    }
}
