//! Games by colour, opening, length and termination, where that is asked for: tables and JSON.
//!
//! May not: count games.

use std::cmp::Reverse;

use serde::Serialize;
use swiss_system::count;
use swiss_system::text::harmless;

use super::RatingList;
use crate::table::{Column, Page, Table};
use swissmatch_game::Side;
use swissmatch_game::pgn_results::OpeningLabel;
use swissmatch_stats::rating::fitted::OfColour;
use swissmatch_tournament::collected::{ByResult, Lengths, OfOpening, Terminations};

/// Most rows of a long list that are shown.
const SHOWN: usize = 30;
/// Moves of a band.
const BAND: u64 = 20;
/// Longer games share one band.
const LONG: u64 = 200;

impl RatingList<'_> {
    pub(super) fn breakdown(&self) -> Vec<(String, Page)> {
        let breakdown = self.collection.breakdown();
        let mut pages = Vec::new();
        let mut push = |name: &str, page: Page| pages.push((name.to_owned(), page));
        if self.asked.by_colour {
            push("colour", self.by_colour());
        }
        if breakdown.openings.is_some() {
            push("opening", self.by_opening());
        }
        if let Some(lengths) = &breakdown.lengths {
            push("length", by_length(lengths));
        }
        if let Some(terminations) = &breakdown.terminations {
            push("termination", by_termination(terminations));
            let faults = self.faults_by_termination();
            if !faults.table.rows.is_empty() {
                push("faults", faults);
            }
        }
        pages
    }

    fn by_colour(&self) -> Page {
        let columns = vec![
            Column::names("Player"),
            Column::words("Colour"),
            Column::figures("Games"),
            Column::figures("Won"),
            Column::figures("Drawn"),
            Column::figures("Lost"),
            Column::figures("Score %"),
            Column::figures("Expected %"),
            Column::figures("Deviations"),
        ];
        let row = |of: &ColourOfPlayer<'_>| {
            let games = of.games as f64;
            let percent = |points: f64| match of.games {
                0 => "–".to_owned(),
                _ => format!("{:.1}", points * 100.0 / games),
            };
            vec![
                of.player.to_owned(),
                of.colour.name().to_owned(),
                of.games.to_string(),
                of.wins.to_string(),
                of.draws.to_string(),
                of.losses.to_string(),
                percent(of.points),
                percent(of.expected),
                match of.deviation > 0.0 {
                    true => format!("{:+.1}", (of.points - of.expected) / of.deviation),
                    false => "–".to_owned(),
                },
            ]
        };
        Page {
            title: "By colour: each player's games with White and with Black".to_owned(),
            table: Table {
                columns,
                rows: self.colours().iter().map(row).collect(),
            },
            notes: vec![
                "Expected is what the fit expects against these opponents, with one advantage of White's for all."
                    .to_owned(),
                "Deviations are by the model: one in 20 is beyond ±2 by chance.".to_owned(),
            ],
        }
    }

    fn colours(&self) -> Vec<ColourOfPlayer<'_>> {
        let all = self.fit.by_colour();
        let sides = self
            .rows
            .iter()
            .flat_map(|row| Side::BOTH.map(|side| (row.player, side)));
        let of = |(player, side): (usize, Side)| {
            let OfColour {
                results,
                expected,
                variance,
            } = all[player][side.index()];
            // Counts of games are whole numbers, far below 2⁵³.
            let [wins, draws, losses] = results.map(|games| games.round() as u64);
            ColourOfPlayer {
                player: &self.names[player],
                colour: side,
                games: wins + draws + losses,
                wins,
                draws,
                losses,
                points: results[0] + results[1] / 2.0,
                expected,
                deviation: variance.max(0.0).sqrt(),
            }
        };
        sides.map(of).collect()
    }

    /// Each opening with its label, the most frequent first.
    fn openings(&self) -> Vec<(Label, OfOpening)> {
        let openings = self.collection.breakdown().openings.iter().flatten();
        let mut openings: Vec<(Label, OfOpening)> = openings.map(|(number, of)| (self.label(*number), *of)).collect();
        openings.sort_by(|(one, of_one), (other, of_other)| {
            let games = |of: &OfOpening| Reverse(of.games.iter().sum::<u64>());
            games(of_one).cmp(&games(of_other)).then_with(|| one.cmp(other))
        });
        openings
    }

    fn label(&self, number: Option<u64>) -> Label {
        let known = number.and_then(|number| self.collection.openings.label(number));
        let text = |of: fn(&OpeningLabel) -> &str| known.map(of).filter(|text| !text.is_empty()).map(harmless);
        Label {
            is_known: known.is_some(),
            name: text(|label| &label.name),
            fen: text(|label| &label.fen),
            moves: text(|label| &label.moves),
        }
    }

    fn by_opening(&self) -> Page {
        let columns = vec![
            Column::names("Opening"),
            Column::figures("Games"),
            Column::figures("White %"),
            Column::figures("Draws %"),
            Column::figures("Pairs"),
            Column::figures("Decisive %"),
            Column::figures("Drawn twice %").goes(2),
            Column::figures("White twice %").goes(1),
            Column::figures("Black twice %").goes(0),
        ];
        let openings = self.openings();
        let most = if self.asked.whole_lists { openings.len() } else { SHOWN };
        let row = |(label, of): &(Label, OfOpening)| {
            let [white, drawn, black] = of.games;
            let games = white + drawn + black;
            let [white_twice, drawn_twice, black_twice] = of.level_pairs;
            let share = |pairs: u64| percent(pairs, of.pairs());
            vec![
                label.text(),
                games.to_string(),
                percent(2 * white + drawn, 2 * games),
                percent(drawn, games),
                of.pairs().to_string(),
                share(of.decisive_pairs),
                share(drawn_twice),
                share(white_twice),
                share(black_twice),
            ]
        };
        let mut all = OfOpening::default();
        openings.iter().for_each(|(_, of)| all.add(of));
        let mut notes = Vec::new();
        if openings.len() > most {
            notes.push(format!(
                "… and {} more; --csv and --json have all.",
                openings.len() - most
            ));
        }
        let [white_twice, drawn_twice, black_twice] = all.level_pairs;
        notes.push(format!(
            "Of {}: {} decisive ({} %), {} drawn twice, {} won by White twice, {} by Black twice.",
            count::of(all.pairs(), "game pair", "game pairs"),
            all.decisive_pairs,
            percent(all.decisive_pairs, all.pairs()),
            drawn_twice,
            white_twice,
            black_twice,
        ));
        notes.push(
            "A pair is decisive if it did not end with a point each. Pairs that one colour won twice say that the opening \
             is lopsided."
                .to_owned(),
        );
        Page {
            title: format!("By opening: {}", count::of(openings.len(), "opening", "openings")),
            table: Table {
                columns,
                rows: openings.iter().take(most).map(row).collect(),
            },
            notes,
        }
    }

    /// The games that each player lost by each fault, the most first.
    fn faults_of_players(&self) -> Vec<FaultShare<'_>> {
        let Some(terminations) = &self.collection.breakdown().terminations else {
            return Vec::new();
        };
        let mut faults = Vec::new();
        for row in &self.rows {
            let own = terminations.faults.iter();
            let own = own.filter(|((player, _), _)| *player == self.ids[row.player]);
            let mut own: Vec<_> = own.map(|((_, word), games)| (*word, *games)).collect();
            own.sort_by_key(|(word, games)| (Reverse(*games), *word));
            faults.extend(own.into_iter().map(|(termination, games)| FaultShare {
                player: &self.names[row.player],
                termination,
                games,
                of: row.results.games(),
            }));
        }
        faults
    }

    fn faults_by_termination(&self) -> Page {
        let columns = vec![
            Column::names("Player"),
            Column::words("Fault"),
            Column::figures("Games"),
            Column::figures("% of its games"),
        ];
        let row = |fault: &FaultShare<'_>| {
            vec![
                fault.player.to_owned(),
                fault.termination.to_owned(),
                fault.games.to_string(),
                match self.asked.leave_out_faults {
                    // They are not among those that count.
                    true => "–".to_owned(),
                    false => percent(fault.games, fault.of),
                },
            ]
        };
        Page {
            title: "Faults that ended games, by player".to_owned(),
            table: Table {
                columns,
                rows: self.faults_of_players().iter().map(row).collect(),
            },
            notes: Vec::new(),
        }
    }

    /// Like [`Self::breakdown`], but as JSON.
    pub(super) fn breakdown_document(&self) -> BreakdownJson<'_> {
        let breakdown = self.collection.breakdown();
        let opening = |(label, of): (Label, OfOpening)| {
            let [white_twice, drawn_twice, black_twice] = of.level_pairs;
            OpeningJson {
                name: label.name,
                fen: label.fen,
                moves: label.moves,
                is_known: label.is_known,
                results: of.games.into(),
                pairs: of.pairs(),
                decisive_pairs: of.decisive_pairs,
                drawn_twice,
                white_twice,
                black_twice,
            }
        };
        let by_opening = breakdown.openings.as_ref();
        BreakdownJson {
            by_colour: self.asked.by_colour.then(|| self.colours()),
            by_opening: by_opening.map(|_| self.openings().into_iter().map(opening).collect()),
            by_length: breakdown.lengths.as_ref().map(|lengths| {
                let summary = LengthSummary::of(lengths);
                LengthsJson {
                    mean: summary.map(|summary| summary.mean),
                    median: summary.map(|summary| summary.median),
                    longest: summary.map(|summary| summary.longest),
                    without_moves: lengths.without_moves,
                    lengths: lengths
                        .each()
                        .map(|(moves, results)| LengthJson {
                            moves,
                            results: results.into(),
                        })
                        .collect(),
                }
            }),
            by_termination: breakdown.terminations.as_ref().map(|terminations| TerminationsJson {
                terminations: ordered(terminations)
                    .into_iter()
                    .map(|(termination, results)| TerminationJson {
                        termination,
                        results: results.into(),
                    })
                    .collect(),
                faults: self.faults_of_players(),
            }),
        }
    }
}

fn by_length(lengths: &Lengths) -> Page {
    let columns = vec![
        Column::words("Moves"),
        Column::figures("Games"),
        Column::figures("Share %"),
        Column::figures("White won"),
        Column::figures("Drawn"),
        Column::figures("Black won"),
        Column::figures("Draws %"),
    ];
    let mut bands: Vec<(u64, ByResult)> = Vec::new();
    for (moves, results) in lengths.each() {
        let first = ((moves.max(1) - 1) / BAND * BAND).min(LONG) + 1;
        match bands.last_mut().filter(|(band, _)| *band == first) {
            Some((_, sum)) => sum.iter_mut().zip(results).for_each(|(sum, more)| *sum += more),
            None => bands.push((first, results)),
        }
    }
    let all: u64 = bands.iter().flat_map(|(_, results)| results).sum();
    let row = |(first, [white, drawn, black]): &(u64, ByResult)| {
        let games = white + drawn + black;
        vec![
            match *first > LONG {
                true => format!("{first} and more"),
                false => format!("{first}–{}", first + BAND - 1),
            },
            games.to_string(),
            percent(games, all),
            white.to_string(),
            drawn.to_string(),
            black.to_string(),
            percent(*drawn, games),
        ]
    };
    let mut notes: Vec<String> = LengthSummary::of(lengths)
        .map(|LengthSummary { mean, median, longest }| {
            format!("Mean {mean:.1} moves, median {median}, longest {longest}; those of openings count.")
        })
        .into_iter()
        .collect();
    if lengths.without_moves > 0 {
        let games = count::of(lengths.without_moves, "game", "games");
        notes.push(format!("{games} without known moves."));
    }
    Page {
        title: "By length, in moves of both sides".to_owned(),
        table: Table {
            columns,
            rows: bands.iter().map(row).collect(),
        },
        notes,
    }
}

fn by_termination(terminations: &Terminations) -> Page {
    let columns = vec![
        Column::words("Termination"),
        Column::figures("Games"),
        Column::figures("Share %"),
        Column::figures("White won"),
        Column::figures("Drawn"),
        Column::figures("Black won"),
    ];
    let all: u64 = terminations.games.values().flatten().sum();
    let row = |(word, [white, drawn, black]): (&'static str, ByResult)| {
        let games = white + drawn + black;
        vec![
            word.to_owned(),
            games.to_string(),
            percent(games, all),
            white.to_string(),
            drawn.to_string(),
            black.to_string(),
        ]
    };
    Page {
        title: "By termination: why games ended, faults among them".to_owned(),
        table: Table {
            columns,
            rows: ordered(terminations).into_iter().map(row).collect(),
        },
        notes: terminations
            .games
            .contains_key("not-told")
            .then(|| "not-told: the file does not say it, or not in words that are known.".to_owned())
            .into_iter()
            .collect(),
    }
}

/// Terminations, the most frequent first.
fn ordered(terminations: &Terminations) -> Vec<(&'static str, ByResult)> {
    let mut all: Vec<_> = terminations
        .games
        .iter()
        .map(|(word, results)| (*word, *results))
        .collect();
    all.sort_by_key(|(word, results)| (Reverse(results.iter().sum::<u64>()), *word));
    all
}

fn percent(part: u64, whole: u64) -> String {
    match whole {
        0 => "–".to_owned(),
        whole => format!("{:.1}", part as f64 * 100.0 / whole as f64),
    }
}

/// The lengths of games, in moves.
#[derive(Clone, Copy, Debug)]
struct LengthSummary {
    mean: f64,
    /// The least length that at least half of the games do not exceed.
    median: u64,
    longest: u64,
}

impl LengthSummary {
    fn of(lengths: &Lengths) -> Option<Self> {
        let each: Vec<(u64, u64)> = (lengths.each())
            .map(|(moves, results)| (moves, results.iter().sum()))
            .collect();
        let games: u64 = each.iter().map(|(_, games)| games).sum();
        let moves: u64 = each.iter().map(|(moves, games)| moves * games).sum();
        let mut below = 0;
        let median = each.iter().find(|(_, own)| {
            below += own;
            2 * below >= games
        });
        Some(Self {
            mean: moves as f64 / games as f64,
            median: median?.0,
            longest: each.last()?.0,
        })
    }
}

/// The name of an opening, harmless.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Label {
    is_known: bool,
    name: Option<String>,
    fen: Option<String>,
    moves: Option<String>,
}

impl Label {
    fn text(&self) -> String {
        if !self.is_known {
            return "not known".to_owned();
        }
        let Self { name, fen, moves, .. } = self;
        let what: Vec<&str> = fen.iter().chain(moves).map(String::as_str).collect();
        match (name, what.is_empty()) {
            (Some(name), true) => name.clone(),
            (Some(name), false) => format!("{name} ({})", what.join(" ")),
            (None, true) => "start position".to_owned(),
            (None, false) => what.join(" "),
        }
    }
}

/// The parts that were asked for.
#[derive(Serialize)]
pub(super) struct BreakdownJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    by_colour: Option<Vec<ColourOfPlayer<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_opening: Option<Vec<OpeningJson>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_length: Option<LengthsJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    by_termination: Option<TerminationsJson<'a>>,
}

#[derive(Serialize)]
struct ColourOfPlayer<'a> {
    player: &'a str,
    colour: Side,
    games: u64,
    wins: u64,
    draws: u64,
    losses: u64,
    points: f64,
    expected: f64,
    deviation: f64,
}

#[derive(Serialize)]
struct ResultsJson {
    games: u64,
    white_wins: u64,
    draws: u64,
    black_wins: u64,
}

impl From<ByResult> for ResultsJson {
    fn from([white_wins, draws, black_wins]: ByResult) -> Self {
        Self {
            games: white_wins + draws + black_wins,
            white_wins,
            draws,
            black_wins,
        }
    }
}

#[derive(Serialize)]
struct OpeningJson {
    is_known: bool,
    name: Option<String>,
    fen: Option<String>,
    moves: Option<String>,
    #[serde(flatten)]
    results: ResultsJson,
    pairs: u64,
    decisive_pairs: u64,
    drawn_twice: u64,
    white_twice: u64,
    black_twice: u64,
}

#[derive(Serialize)]
struct LengthsJson {
    mean: Option<f64>,
    median: Option<u64>,
    longest: Option<u64>,
    without_moves: u64,
    lengths: Vec<LengthJson>,
}

#[derive(Serialize)]
struct LengthJson {
    moves: u64,
    #[serde(flatten)]
    results: ResultsJson,
}

#[derive(Serialize)]
struct TerminationsJson<'a> {
    terminations: Vec<TerminationJson>,
    faults: Vec<FaultShare<'a>>,
}

#[derive(Serialize)]
struct TerminationJson {
    termination: &'static str,
    #[serde(flatten)]
    results: ResultsJson,
}

/// The games that a player lost by one kind of fault.
#[derive(Serialize)]
struct FaultShare<'a> {
    player: &'a str,
    termination: &'static str,
    games: u64,
    /// Its games that count.
    #[serde(skip)]
    of: u64,
}
