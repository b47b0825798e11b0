//! The event in figures: games, results, lengths, terminations, faults and times, over all that has been played.
//!
//! May not: count an annulled game among results. Games of play-offs are games of the event.

use std::collections::{BTreeMap, HashMap};
use std::time::Duration;

use serde::Serialize;

use super::decimal::Decimal;
use super::table::{Column, Page, Table};
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_tournament::duration::spoken;
use swissmatch_tournament::state::{EndedGame, State};

/// Stands before the word of a termination.
const ENDED_BY: &str = "Ended by ";

/// The figures, in the shape of the JSON.
#[derive(Serialize)]
pub struct EventFigures {
    games: GameResultCounts,
    /// White's share of the points of the games played, in percent with one decimal; `None` before the first game.
    white_score_percent: Option<Decimal>,
    mini_matches: MiniMatches,
    /// Of the games played; `None` before the first.
    plies: Option<Plies>,
    /// Number of games by termination.
    terminations: BTreeMap<&'static str, usize>,
    /// Games that ended by a player's fault, by termination.
    faults: BTreeMap<&'static str, usize>,
    /// Games in which an agent gave an alarm in standard error.
    #[serde(skip_serializing_if = "Option::is_none")]
    alarms: Option<usize>,
    /// Thinking times of engines, in microseconds; `None` where no game has them.
    thinking: Option<Thinking>,
}

#[derive(Default, Serialize)]
struct GameResultCounts {
    played: usize,
    white_wins: usize,
    draws: usize,
    black_wins: usize,
    /// Games played that both lost by a ruling.
    both_lost: usize,
    /// Games lost, won or awarded without being played.
    forfeited: usize,
    void: usize,
}

#[derive(Serialize)]
struct MiniMatches {
    over: usize,
    decided: usize,
    drawn: usize,
}

/// Plies played, without those of the opening.
#[derive(Serialize)]
struct Plies {
    shortest: u32,
    median: u32,
    longest: u32,
    mean: Decimal,
}

#[derive(Serialize)]
struct Thinking {
    games: usize,
    total_us: u64,
    mean_us_a_game: u64,
    mean_us_a_move: u64,
}

impl EventFigures {
    pub fn new(state: &State) -> Self {
        let mut all = FiguresTally::default();
        state.finished_games().for_each(|game| all.add(&game));
        let by_word = |wanted: fn(Termination) -> bool| {
            let mut words = BTreeMap::new();
            for (termination, games) in &all.terminations {
                if wanted(*termination) {
                    *words.entry(termination.word()).or_default() += games;
                }
            }
            words
        };
        let results = &all.games;
        Self {
            white_score_percent: percent(2 * results.white_wins + results.draws, 2 * results.played).map(Decimal::of),
            mini_matches: MiniMatches::new(state),
            plies: Plies::new(&all.plies),
            terminations: by_word(|_| true),
            faults: by_word(Termination::is_fault),
            alarms: (all.alarms > 0).then_some(all.alarms),
            thinking: all.thinking(),
            games: all.games,
        }
    }

    pub fn page(&self, event: &str) -> Page {
        let rows = self.lines().into_iter();
        Page {
            title: format!("{event}: the event in figures"),
            table: Table {
                columns: vec![Column::words("What"), Column::words("Figure")],
                rows: rows.map(|(what, figure)| vec![what, figure]).collect(),
            },
            notes: vec!["Plies are those that were played, without those of the opening.".to_owned()],
        }
    }

    /// Like [`Self::page`], but without a title, and with words in the place of codes.
    pub(super) fn page_in_words(&self) -> Page {
        let mut page = self.page("");
        for row in &mut page.table.rows {
            if let Some(word) = row[0].strip_prefix(ENDED_BY) {
                row[0] = format!("Ended: {}", word.replace('-', " "));
            }
        }
        page
    }

    /// The figures as a JSON object.
    ///
    /// # Panics
    /// Never: everything in it can be written.
    pub fn json(&self, event: &str) -> String {
        #[derive(Serialize)]
        struct EventFiguresJson<'a> {
            schema: u32,
            event: &'a str,
            figures: &'a EventFigures,
        }
        let document = EventFiguresJson {
            schema: 1,
            event,
            figures: self,
        };
        serde_json::to_string_pretty(&document).expect("plain data") + "\n"
    }

    /// The most important figures in a sentence, for `status`; `None` before the first game.
    pub(super) fn in_short(&self) -> Option<String> {
        let GameResultCounts {
            played,
            white_wins,
            draws,
            black_wins,
            ..
        } = self.games;
        let (score, plies) = (self.white_score_percent.as_ref()?, self.plies.as_ref()?);
        let time = self.thinking.as_ref().map_or_else(String::new, |thinking| {
            format!(
                "; its moves took {}, without failed attempts",
                time(thinking.mean_us_a_game)
            )
        });
        Some(format!(
            "{played} games played: White won {white_wins}, {draws} drawn, Black won {black_wins}; White scored {score} %; a \
             game had {} plies on average{time}",
            plies.mean
        ))
    }

    /// Each figure with its label.
    fn lines(&self) -> Vec<(String, String)> {
        let games = &self.games;
        let share = |count: usize| match percent(count, games.played) {
            Some(percent) => format!("{count} ({percent} %)"),
            None => count.to_string(),
        };
        let mut lines = vec![
            ("Games played".to_owned(), games.played.to_string()),
            ("White won".to_owned(), share(games.white_wins)),
            ("Drawn".to_owned(), share(games.draws)),
            ("Black won".to_owned(), share(games.black_wins)),
        ];
        let mut add = |what: &str, figure: String| lines.push((what.to_owned(), figure));
        for (what, count) in [
            ("Lost by both", games.both_lost),
            ("Forfeited without play", games.forfeited),
            ("Void", games.void),
        ] {
            if count > 0 {
                add(what, count.to_string());
            }
        }
        if let Some(percent) = &self.white_score_percent {
            add("White's score", format!("{percent} %"));
        }
        let MiniMatches { over, decided, drawn } = self.mini_matches;
        add("Mini-matches", format!("{over}: {decided} decided, {drawn} drawn"));
        if let Some(plies) = &self.plies {
            let Plies {
                shortest,
                median,
                longest,
                mean,
            } = plies;
            add(
                "Plies a game",
                format!("{shortest} to {longest}, median {median}, mean {mean}"),
            );
        }
        if let Some(thinking) = &self.thinking {
            add("Thinking time", time(thinking.total_us));
            add("Thinking time a game", time(thinking.mean_us_a_game));
            add("Thinking time a move", time(thinking.mean_us_a_move));
        }
        lines.extend(
            self.terminations
                .iter()
                .map(|(word, count)| (format!("{ENDED_BY}{word}"), count.to_string())),
        );
        let faults: usize = self.faults.values().sum();
        lines.push(("Games lost by a fault".to_owned(), faults.to_string()));
        let alarms = self.alarms.map(|games| games.to_string());
        lines.extend(alarms.map(|games| ("Games with an alarm in standard error".to_owned(), games)));
        lines
    }
}

impl MiniMatches {
    fn new(state: &State) -> Self {
        let scoring = &state.setup().scoring;
        let boards = state.sittings().flat_map(|sitting| sitting.mini_matches);
        let (mut over, mut drawn) = (0, 0);
        for board in boards.filter(|board| board.is_over()) {
            over += 1;
            let points = |player| board.game_points(player, scoring);
            drawn += usize::from(points(board.pair.white) == points(board.pair.black));
        }
        Self {
            over,
            decided: over - drawn,
            drawn,
        }
    }
}

impl Plies {
    /// From the number of games of each length.
    fn new(games: &BTreeMap<u32, usize>) -> Option<Self> {
        let count: usize = games.values().sum();
        let sum: u64 = games
            .iter()
            .map(|(&plies, &games)| u64::from(plies) * games as u64)
            .sum();
        let mut longer = (count.max(1) - 1) / 2;
        let median = games.iter().find(|(_, games)| match longer.checked_sub(**games) {
            Some(left) => {
                longer = left;
                false
            }
            None => true,
        });
        Some(Self {
            shortest: *games.first_key_value()?.0,
            median: *median?.0,
            longest: *games.last_key_value()?.0,
            mean: Decimal::of(tenths(10 * sum / count as u64)),
        })
    }
}

/// A running sum over all games.
#[derive(Default)]
struct FiguresTally {
    games: GameResultCounts,
    terminations: HashMap<Termination, usize>,
    plies: BTreeMap<u32, usize>,
    /// Games whose time is known, their moves and their time.
    thinking: (usize, u64, u64),
    /// Games with an alarm.
    alarms: usize,
}

impl FiguresTally {
    fn add(&mut self, game: &EndedGame) {
        let finished = &game.finished;
        if game.outcome() == Outcome::Void {
            self.games.void += 1;
            return;
        }
        *self.terminations.entry(finished.termination).or_default() += 1;
        if !was_played(game) {
            self.games.forfeited += 1;
            return;
        }
        self.alarms += usize::from(finished.alarms.contains(&true));
        self.games.played += 1;
        *match game.outcome() {
            Outcome::WhiteWins => &mut self.games.white_wins,
            Outcome::Draw => &mut self.games.draws,
            Outcome::BlackWins => &mut self.games.black_wins,
            Outcome::BothLose | Outcome::Void => &mut self.games.both_lost,
        } += 1;
        *self.plies.entry(finished.plies).or_default() += 1;
        if let Some(sides) = finished.thinking {
            let (games, moves, time) = &mut self.thinking;
            *games += 1;
            for side in sides {
                *moves += u64::from(side.moves);
                *time = time.saturating_add(side.time_us);
            }
        }
    }

    fn thinking(&self) -> Option<Thinking> {
        let (games, moves, total_us) = self.thinking;
        Some(Thinking {
            games,
            total_us,
            mean_us_a_game: total_us.checked_div(games as u64)?,
            mean_us_a_move: total_us.checked_div(moves)?,
        })
    }
}

/// Whether moves may have been made: not in a game that was forfeited or awarded, but in one that a ruling gave to somebody.
fn was_played(game: &EndedGame) -> bool {
    game.finished.termination.was_played()
}

fn tenths(value: u64) -> String {
    format!("{}.{}", value / 10, value % 10)
}

/// A share in percent, rounded to one decimal; `None` if the whole is 0.
fn percent(part: usize, whole: usize) -> Option<String> {
    let (part, whole) = (part as u64, whole as u64);
    (2000 * part + whole).checked_div(2 * whole).map(tenths)
}

/// A time for people: in milliseconds below a second, otherwise in its two largest units.
fn time(micros: u64) -> String {
    match micros {
        ..1_000_000 => format!("{} ms", tenths(micros / 100)),
        _ => spoken(Duration::from_micros(micros)),
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::fixture;

    #[test]
    fn of_nothing_and_of_two_rounds() {
        assert_eq!(percent(0, 0), None);
        assert_eq!(percent(1, 3).as_deref(), Some("33.3"));
        assert_eq!(percent(2, 3).as_deref(), Some("66.7"));
        assert_snapshot!(EventFigures::new(&fixture::two_rounds()).page("Spring qualifier").text(None), @"
        Spring qualifier: the event in figures

        What                           Figure
        ─────────────────────────────────────────────────────────────
        Games played                   8
        White won                      5 (62.5 %)
        Drawn                          2 (25.0 %)
        Black won                      1 (12.5 %)
        White's score                  75.0 %
        Mini-matches                   4: 3 decided, 1 drawn
        Plies a game                   9 to 400, median 48, mean 85.7
        Ended by checkmate             3
        Ended by crash                 1
        Ended by illegal-move          1
        Ended by move-cap              1
        Ended by threefold-repetition  1
        Ended by time-forfeit          1
        Games lost by a fault          3

        Plies are those that were played, without those of the opening.
        ");
        assert_snapshot!(EventFigures::new(&fixture::two_rounds()).in_short().expect("games"), @"8 games played: White won 5, 2 drawn, Black won 1; White scored 75.0 %; a game had 85.7 plies on average");
        let mut timed = EventFigures::new(&fixture::two_rounds());
        timed.thinking = Some(Thinking {
            games: 8,
            total_us: 4_000,
            mean_us_a_game: 500,
            mean_us_a_move: 6,
        });
        let said = timed.in_short().expect("games");
        let end = "; a game had 85.7 plies on average; its moves took 0.5 ms, without failed attempts";
        assert!(said.ends_with(end), "{said}");
    }

    #[test]
    fn sides_add_up() {
        let figures = EventFigures::new(&fixture::two_rounds());
        let GameResultCounts {
            played,
            white_wins,
            draws,
            black_wins,
            both_lost,
            forfeited,
            void,
        } = figures.games;
        assert_eq!(played, white_wins + draws + black_wins + both_lost);
        let all: usize = figures.terminations.values().sum();
        assert_eq!(all, played + forfeited);
        assert_eq!(void, 0);
        assert!(figures.mini_matches.decided <= figures.mini_matches.over);
    }
}
