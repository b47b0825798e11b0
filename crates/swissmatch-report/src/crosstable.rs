//! Crosstables by round, and of everybody against everybody.
//!
//! May not: rank anybody, count points.

pub mod json;
mod legend;

use swiss_system::pairing::history::PairingNumber;

use self::legend::{Legend, Opponent, PairedCell};
use super::progress::CountedRounds;
use super::table::{Column, Page, Table};
use super::unplayed::UnplayedRound;
use super::untrusted::{event, name};
use super::{playoff, unplayed};
use swissmatch_tournament::ranking::standings_after;
use swissmatch_tournament::results::results_after;
use swissmatch_tournament::state::State;

/// Most players for which a table of everybody against everybody stays readable.
pub(crate) const MOST_BY_OPPONENT: usize = 30;

/// A line for each player, in the order of the standings after the first `rounds` rounds, and a column for each round. The notes below
/// explain the cells.
pub fn by_round(state: &State, rounds: usize) -> Page {
    let counted = CountedRounds::new(state, rounds);
    let rounds = counted.rounds.len();
    let standings = standings_after(state, rounds);
    let (results, lines) = (results_after(state, rounds), standings.listing_places());
    let white_first = white_first(state, &counted);
    let mut legend = Legend::default();
    let mut columns = vec![Column::figures("#"), Column::names("Name")];
    columns.extend((1..=rounds).map(|round| Column::words(round.to_string()).below()));
    columns.extend([Column::figures("MP").below(), Column::figures("GP").below()]);
    let rows = (1..).zip(&standings.rows).map(|(line, row): (usize, _)| {
        let had = (1..).zip(&results.players[row.player.index()].rounds).zip(&white_first);
        let had = had.map(|((number, round), white_first)| {
            let unplayed = UnplayedRound::of(state, number, row.player, round);
            match (round.fate.paired(), unplayed) {
                (_, Some(unplayed)) => legend.unplayed(unplayed),
                (Some(opponent), None) => {
                    let opponent = match lines.get(opponent.index()) {
                        Some(&line @ 1..) => Opponent::Line(line as usize),
                        _ => Opponent::Unranked(name(state, opponent)),
                    };
                    legend.met(PairedCell::new(round, white_first[row.player.index()], opponent))
                }
                (None, None) => "forfeit".to_owned(),
            }
        });
        let mut cells = vec![line.to_string(), name(state, row.player)];
        cells.extend(had);
        cells.extend([row.points.to_string(), row.game_points.to_string()]);
        cells
    });
    let mut rows: Vec<Vec<String>> = rows.collect();
    if let Some((column, cells)) = unplayed::out(state, rounds, &standings.rows) {
        columns.push(column.below());
        for (row, cell) in rows.iter_mut().zip(cells) {
            row.push(cell.to_owned());
        }
    }
    let mut notes = legend.notes();
    if standings.rows.len() < results.players.len() {
        notes.push("A name in place of a line: a player who is not ranked.".to_owned());
    }
    notes.extend(playoff::decided_of(state, &standings));
    Page {
        title: format!("{}: crosstable", event(state)),
        table: Table { columns, rows },
        notes,
    }
}

/// Game points of everybody against everybody, in the order of the standings after the first `rounds` rounds; two mini-matches stand side
/// by side. `None` for more than [`MOST_BY_OPPONENT`] players.
pub fn by_opponent(state: &State, rounds: usize) -> Option<Page> {
    if state.player_count() > MOST_BY_OPPONENT {
        return None;
    }
    let rounds = CountedRounds::new(state, rounds).rounds.len();
    let (results, standings) = (results_after(state, rounds), standings_after(state, rounds));
    let mut columns = vec![Column::figures("#"), Column::names("Name")];
    columns.extend((1..=standings.rows.len()).map(|line| Column::figures(line.to_string()).below()));
    columns.push(Column::figures("GP").below());
    let against = |player: PairingNumber, other: PairingNumber| {
        let rounds = results.players[player.index()].rounds.iter();
        let met = rounds.filter(|round| round.fate.paired() == Some(other));
        let met = met.map(|round| round.game_points.to_string());
        if player == other {
            "×".to_owned()
        } else {
            met.collect::<Vec<_>>().join(" ")
        }
    };
    let rows = (1..).zip(&standings.rows).map(|(line, row): (usize, _)| {
        let mut cells = vec![line.to_string(), name(state, row.player)];
        cells.extend(standings.rows.iter().map(|other| against(row.player, other.player)));
        cells.push(row.game_points.to_string());
        cells
    });
    let table = Table {
        columns,
        rows: rows.collect(),
    };
    Some(Page {
        title: format!("{}: game points by opponent", event(state)),
        table,
        notes: playoff::decided_of(state, &standings),
    })
}

/// For each round and player, whether the player had White in game 1.
fn white_first(state: &State, counted: &CountedRounds<'_>) -> Vec<Vec<bool>> {
    let of_round = counted.rounds.iter().map(|round| {
        let mut white = vec![false; state.player_count()];
        round
            .pairing
            .pairs
            .iter()
            .for_each(|pair| white[pair.white.index()] = true);
        white
    });
    of_round.collect()
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::super::fixture;
    use super::*;

    #[test]
    fn rounds() {
        assert_snapshot!(by_round(&fixture::two_rounds(), 2).text(None), @"
        Spring qualifier: crosstable

        #  Name     1        2         MP   GP
        ──────────────────────────────────────
        1  Alpha    2w+ 1.5  4b= 1    1.5  2.5
        2  Charlie  1b- 0.5  3w+ 1.5    1    2
        3  Bravo    5w+ 2    2b- 0.5    1  2.5
        4  Echo     bye      1w= 1      1    2
        5  Delta    3b- 0    bye      0.5    1

        2w+ 1.5 means: against line 2, White in game 1, won, 1.5 game points.
        Other signs: b Black in game 1, = drawn, - lost.
        bye: no opponent was left.
        ");
    }

    #[test]
    fn as_json() {
        let document = json::document(&fixture::third_round_begun(), 3);
        let document = serde_json::to_value(document).expect("plain data");
        assert_eq!([&document["round"], &document["rounds"]], [2, 3]);
        let bravo = &document["players"][1];
        assert_eq!(bravo["name"], "Bravo");
        assert_eq!(bravo["game_points"], 3.5);
        let fates: Vec<_> = (0..3).map(|round| &bravo["rounds"][round]["fate"]).collect();
        assert_eq!(fates, ["played", "played", "bye"]);
        assert_snapshot!(serde_json::to_string(&bravo["rounds"][1]).expect("plain data"), @r#"{"fate":"played","game_points":0.5,"match_points":0,"opponent":3,"repeat":false,"result":"lost","round":2,"white_first":false}"#);
    }

    #[test]
    fn a_round_being_played_and_a_repeat() {
        assert_snapshot!(by_round(&fixture::third_round_begun(), 9).text(None), @"
        Spring qualifier: crosstable

        #  Name     1        2        3        MP   GP
        ──────────────────────────────────────────────
        1  Alpha    3w+ 1.5  4b= 1    3b… 0!  1.5  2.5
        2  Bravo    5w+ 2    3b- 0.5  bye     1.5  3.5
        3  Charlie  1b- 0.5  2w+ 1.5  1w… 1!    1    3
        4  Echo     bye      1w= 1    5b… 0     1    2
        5  Delta    2b- 0    bye      4w… 1   0.5    2

        3w+ 1.5 means: against line 3, White in game 1, won, 1.5 game points.
        Other signs: b Black in game 1, = drawn, - lost, … not finished, ! the two had met before.
        bye: no opponent was left.
        ");
    }

    #[test]
    fn opponents() {
        let page = by_opponent(&fixture::third_round_begun(), 3).expect("five players");
        assert_snapshot!(page.text(None), @"
        Spring qualifier: game points by opponent

        #  Name         1    2      3  4  5   GP
        ────────────────────────────────────────
        1  Alpha        ×       1.5 0  1     2.5
        2  Bravo             ×    0.5     2  3.5
        3  Charlie  0.5 1  1.5      ×          3
        4  Echo         1              ×  0    2
        5  Delta             0         1  ×    2
        ");
    }

    #[test]
    fn a_forfeit_is_told_from_a_game() {
        let page = by_round(&fixture::over(), 3);
        let cells = || page.table.rows.iter().flatten();
        assert!(cells().any(|cell| cell.contains("+f ")), "{:?}", page.table.rows);
        assert!(cells().any(|cell| cell.contains("-f ")), "{:?}", page.table.rows);
        let explained = |note: &String| note.contains("f by forfeit, without a game");
        assert!(page.notes.iter().any(explained), "{:?}", page.notes);
    }

    #[test]
    fn no_line_is_wider_than_the_terminal() {
        let state = fixture::over();
        for width in 40..100 {
            let standings = super::super::standings::page(&state, 3).text(Some(width));
            let round = super::super::games::round(&state, 3).expect("paired").text(Some(width));
            let status = super::super::summary::text(&state, Some(width));
            for text in [by_round(&state, 3).text(Some(width)), standings, round, status] {
                let fits = |line: &str| line.chars().count() <= usize::from(width);
                assert!(text.lines().all(fits), "{width}\n{text}");
            }
        }
    }

    #[test]
    fn no_cell_of_csv_is_a_formula() {
        let csv = by_round(&fixture::third_round_begun(), 3).table.csv();
        let cells = || csv.split([',', '\n']);
        assert!(cells().all(|cell| !cell.starts_with(['=', '+', '-', '@'])), "{csv}");
    }
}
