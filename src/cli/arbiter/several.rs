//! `--where`: which games of a run are meant, by the columns of games.csv and by when they ended.
//!
//! May not: do anything to them.

use std::cmp::Ordering;
use std::str::FromStr;

use jiff::Timestamp;
use jiff::civil::{DateTime, Time};

use swissmatch_game::record::GameId;
use swissmatch_report::games;
use swissmatch_report::table::{Column, Table};
use swissmatch_run::open_run::OpenRun;
use swissmatch_tournament::state::EndedGame;

/// Conditions, all of which a game has to meet.
#[derive(Clone, Debug)]
pub(super) struct Where(Vec<Condition>);

#[derive(Clone, Debug)]
struct Condition {
    /// The column, or one of [`BEFORE`] and [`AFTER`].
    column: String,
    test: Test,
    value: String,
}

/// When a game ended.
const BEFORE: &str = "before";
const AFTER: &str = "after";

/// How a cell is compared with a value, and by which signs; longer ones first.
const TESTS: [(&str, Test); 7] = [
    ("==", Test::Is),
    ("!=", Test::Differs),
    ("<=", Test::AtMost),
    (">=", Test::AtLeast),
    ("=", Test::Is),
    ("<", Test::Less),
    (">", Test::More),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Test {
    Is,
    Differs,
    Less,
    AtMost,
    More,
    AtLeast,
}

/// The games that are meant, in the order of the schedule, as a table that people read.
pub(super) struct MeantGames {
    pub(super) games: Vec<GameId>,
    pub(super) table: Table,
}

impl FromStr for Where {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let conditions = text.split(',').map(|text| text.parse::<Condition>());
        conditions.collect::<Result<_, _>>().map(Self)
    }
}

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = TESTS
            .iter()
            .filter_map(|(sign, test)| Some((text.find(sign)?, *sign, *test)));
        // Of signs at one place the longest, which comes first.
        let first = found.min_by_key(|(at, ..)| *at);
        let (at, sign, test) = first.ok_or_else(|| {
            format!(
                "{:?}: write COLUMN=VALUE, such as termination=threefold-repetition",
                text.trim()
            )
        })?;
        let (column, value) = (plain(&text[..at]), text[at + sign.len()..].trim().to_owned());
        if [BEFORE, AFTER].contains(&column.as_str()) {
            if test != Test::Is {
                return Err(format!("write {column}=TIME"));
            }
            Moment::from_str(&value)?;
        }
        Ok(Self { column, test, value })
    }
}

impl Where {
    /// The games of a run that are meant.
    ///
    /// # Errors
    /// Where a column is none of games.csv.
    pub(super) fn of(&self, run: &OpenRun) -> Result<MeantGames, String> {
        let state = &run.state;
        let all: Vec<EndedGame> = state.finished_games().collect();
        let table = games::table(state, &all);
        let places = self.0.iter().map(|condition| condition.place(&table.columns));
        let places: Vec<Option<usize>> = places.collect::<Result<_, _>>()?;
        let zone = state.setup().schedule.time_zone.rules();
        let mut meant = MeantGames {
            games: Vec::new(),
            table: Table {
                columns: table.columns.clone(),
                rows: Vec::new(),
            },
        };
        meant.table.columns.push(Column::words("Ended at"));
        for (game, mut row) in all.iter().zip(table.rows) {
            let logged = run.logged.get((game.finished.entry as usize).wrapping_sub(1));
            let at = logged.and_then(|logged| logged.at.parse::<Timestamp>().ok());
            let at = at.map(|at| at.to_zoned(zone.clone()).datetime());
            let holds = |(condition, place): (&Condition, &Option<usize>)| match place {
                Some(place) => condition.holds(&row[*place]),
                None => at.is_some_and(|at| condition.holds_at(at)),
            };
            if self.0.iter().zip(&places).all(holds) {
                row.push(at.map_or_else(String::new, |at| at.strftime("%F %T").to_string()));
                meant.games.push(game.finished.id);
                meant.table.rows.push(row);
            }
        }
        Ok(meant)
    }
}

impl Condition {
    /// Which column it is about; `None`: when a game ended.
    fn place(&self, columns: &[Column]) -> Result<Option<usize>, String> {
        if [BEFORE, AFTER].contains(&self.column.as_str()) {
            return Ok(None);
        }
        let place = columns.iter().position(|column| plain(&column.header) == self.column);
        place.map(Some).ok_or_else(|| {
            let names: Vec<String> = columns.iter().map(|column| plain(&column.header)).collect();
            format!(
                "no column is called {:?}; there are {}, {BEFORE} and {AFTER}",
                self.column,
                names.join(", ")
            )
        })
    }

    fn holds(&self, cell: &str) -> bool {
        let numbers = (cell.parse::<i64>(), self.value.parse::<i64>());
        let order = match numbers {
            (Ok(cell), Ok(value)) => cell.cmp(&value),
            _ => cell.to_lowercase().cmp(&self.value.to_lowercase()),
        };
        match self.test {
            Test::Is => order == Ordering::Equal,
            Test::Differs => order != Ordering::Equal,
            Test::Less => order == Ordering::Less,
            Test::AtMost => order != Ordering::Greater,
            Test::More => order == Ordering::Greater,
            Test::AtLeast => order != Ordering::Less,
        }
    }

    fn holds_at(&self, at: DateTime) -> bool {
        let order = match self.value.parse() {
            Ok(Moment::Day(time)) => at.time().cmp(&time),
            Ok(Moment::Whole(moment)) => at.cmp(&moment),
            Err(_) => return false,
        };
        (order == Ordering::Less) == (self.column == BEFORE)
    }
}

/// A moment by `schedule.time_zone`: of any day, or of one.
#[derive(Clone, Copy, Debug)]
enum Moment {
    Day(Time),
    Whole(DateTime),
}

impl FromStr for Moment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let of_day = text.parse().map(Self::Day);
        let whole = || text.parse().map(Self::Whole);
        of_day
            .or_else(|_| whole())
            .map_err(|_| format!("{text:?} is no time: write 10:48 or 2026-01-30T10:48, by schedule.time_zone"))
    }
}

/// A column's name as it may be written: "Fault of" is fault-of.
fn plain(name: &str) -> String {
    let name = name.trim().to_lowercase();
    name.replace([' ', '_'], "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Condition {
        text.parse().unwrap_or_else(|why| panic!("{text}: {why}"))
    }

    #[test]
    fn conditions_compare_numbers_as_numbers_and_words_whatever_their_case() {
        for (text, cell, holds) in [
            ("termination=threefold-repetition", "threefold-repetition", true),
            ("Termination = Threefold-Repetition", "threefold-repetition", true),
            ("plies_played>=9", "10", true),
            ("plies played<9", "10", false),
            ("fault of!=white", "", true),
            ("white=B", "b", true),
            ("white == B", "b", true),
            ("round<=2", "10", false),
        ] {
            assert_eq!(one(text).holds(cell), holds, "{text}: {cell}");
        }
    }

    #[test]
    fn moments_are_of_any_day_or_of_one() {
        let at: DateTime = "2026-01-30T10:47:59".parse().expect("a time");
        for (text, holds) in [
            ("before=10:48", true),
            ("before=10:47:59", false),
            ("after=10:47", true),
            ("after=2026-01-30T10:47:59", true),
            ("before=2026-01-30", false),
            ("after=2026-01-31", false),
        ] {
            assert_eq!(one(text).holds_at(at), holds, "{text}");
        }
        for wrong in ["before=noon", "before<10:48", "termination", ""] {
            assert!(wrong.parse::<Condition>().is_err(), "{wrong}");
        }
    }
}
