//! Figures of given counts of results: games, or game pairs by points.
//!
//! May not: know where the counts come from.

use serde::Serialize;
use swiss_system::count;

use super::table::{Column, Page, Table};
use super::versus::{ratio, with_error};
use swissmatch_stats::pairs::{Figures, Pairs, Wdl};

/// The largest count that is taken.
pub const MOST: u64 = 1_000_000_000_000;

/// Counts of the results of one player against another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultCounts {
    /// Games won, drawn, lost.
    Games(Wdl),
    /// Game pairs by points: 0, ½, 1, 1½, 2.
    Points([u64; 5]),
    /// Game pairs by both results.
    Pairs(Pairs),
}

/// Why a text has no valid counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResultCountsError {
    /// A text that should have counts of games.
    #[error("give three counts of games, won, drawn and lost, such as 164,23,13")]
    Games,
    /// A text that should have counts of pairs.
    #[error(
        "give five counts of game pairs, those with 0, ½, 1, 1½ and 2 points, such as 2,0,10,21,67, or six: LL, LD, WL, DD, WD, WW"
    )]
    Pairs,
    #[error("no count may be above {MOST}")]
    TooMany,
    /// All counts are 0.
    #[error("without a game there are no figures: give counts that are not all 0")]
    None,
}

impl ResultCounts {
    /// Reads counts of games, `W,D,L`.
    ///
    /// # Errors
    /// When the text is anything else.
    pub fn of_games(text: &str) -> Result<Self, ResultCountsError> {
        match numbers(text, ResultCountsError::Games)?[..] {
            [wins, draws, losses] => Ok(Self::Games(Wdl { wins, draws, losses })),
            _ => Err(ResultCountsError::Games),
        }
    }

    /// Reads counts of game pairs, five or six numbers.
    ///
    /// # Errors
    /// When the text is anything else.
    pub fn of_pairs(text: &str) -> Result<Self, ResultCountsError> {
        match numbers(text, ResultCountsError::Pairs)?[..] {
            [zero, half, one, more, two] => Ok(Self::Points([zero, half, one, more, two])),
            [ll, ld, wl, dd, wd, ww] => Ok(Self::Pairs(Pairs { ll, ld, wl, dd, wd, ww })),
            _ => Err(ResultCountsError::Pairs),
        }
    }

    /// Games won, drawn and lost; `None` where pairs of one point may be two draws or a win and a loss.
    pub const fn games(&self) -> Option<Wdl> {
        match self {
            Self::Games(games) => Some(*games),
            Self::Points(_) => None,
            Self::Pairs(pairs) => Some(pairs.games()),
        }
    }

    /// Game pairs, by points alone where the kinds of pairs with one point are unknown. `None` for games.
    pub const fn pairs(&self) -> Option<Pairs> {
        match *self {
            Self::Games(_) => None,
            Self::Points([ll, ld, dd, wd, ww]) => Some(Pairs {
                ll,
                ld,
                wl: 0,
                dd,
                wd,
                ww,
            }),
            Self::Pairs(pairs) => Some(pairs),
        }
    }

    pub fn page(&self) -> Page {
        let columns = vec![
            Column::words("Figure"),
            Column::figures("Value"),
            Column::figures("± (95 %)"),
        ];
        let rows = self.document().rows();
        let note = match self {
            Self::Games(_) => {
                "The errors are as if no game depended on another. Two games of one opening do: of game pairs give their \
                 counts by points, --pentanomial."
            }
            Self::Points(_) | Self::Pairs(_) => {
                "The errors are from game pairs: two games of one opening, colours reversed."
            }
        };
        Page {
            title: self.title(),
            table: Table { columns, rows },
            notes: vec![note.to_owned()],
        }
    }

    /// The figures as a JSON object.
    ///
    /// # Panics
    /// Never: everything in it can be written.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(&self.document()).expect("plain data") + "\n"
    }

    /// Like [`Self::json`], but before it is written.
    pub fn document(&self) -> ResultCountsJson {
        let pairs = self.pairs();
        let figures = pairs.map_or_else(
            || self.games().and_then(|games| games.figures()),
            |pairs| pairs.figures(),
        );
        ResultCountsJson {
            schema: 1,
            games: self.games().map(WdlJson::from),
            pentanomial: pairs.map(|pairs| pairs.pentanomial()),
            figures: figures.map(EloFiguresJson::from),
            interval: pairs.map_or_else(
                || figures.and_then(|figures| figures.score_error.map(|error| around(figures.score, error))),
                |pairs| pairs.interval(),
            ),
            draws: self.games().and_then(|games| games.draw_ratio()),
            level_pairs: pairs.and_then(|pairs| pairs.draw_ratio()),
            pairs_ratio: pairs.and_then(|pairs| pairs.pairs_ratio()),
        }
    }

    /// The counts with their figures in a line; `None` where all are 0.
    pub fn line(&self) -> Option<String> {
        let document = self.document();
        let figures = document.figures?;
        Some(format!(
            "{}; {}, {}",
            self.title(),
            with_error("Elo", figures.elo, figures.elo_error),
            with_error("nElo", figures.nelo, figures.nelo_error),
        ))
    }

    /// A line that says what was counted.
    fn title(&self) -> String {
        let games = self.games().map(|games| {
            format!(
                "{} won, {} drawn, {} lost of {}",
                games.wins,
                games.draws,
                games.losses,
                count::of(games.games(), "game", "games")
            )
        });
        let pairs = self.pairs().map(|pairs| {
            let points: Vec<String> = pairs.pentanomial().iter().map(u64::to_string).collect();
            let all = count::of(pairs.count(), "game pair", "game pairs");
            format!("{all}, by points 0 to 2: {}", points.join(", "))
        });
        pairs.into_iter().chain(games).collect::<Vec<_>>().join("; ")
    }
}

/// Figures of counts, for programs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ResultCountsJson {
    schema: u32,
    /// `None` where pairs with one point may be of either kind.
    games: Option<WdlJson>,
    /// Game pairs by points; `None` for games.
    pentanomial: Option<[u64; 5]>,
    figures: Option<EloFiguresJson>,
    /// The 95 % interval of the score. For game pairs it is there even if they are few or all alike; `None` for games that are all alike.
    interval: Option<[f64; 2]>,
    /// The share of drawn games.
    draws: Option<f64>,
    level_pairs: Option<f64>,
    pairs_ratio: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
struct WdlJson {
    wins: u64,
    draws: u64,
    losses: u64,
}

impl From<Wdl> for WdlJson {
    fn from(games: Wdl) -> Self {
        Self {
            wins: games.wins,
            draws: games.draws,
            losses: games.losses,
        }
    }
}

/// As `stats::pairs::Figures`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct EloFiguresJson {
    score: f64,
    score_error: Option<f64>,
    elo: Option<f64>,
    elo_error: Option<f64>,
    nelo: Option<f64>,
    nelo_error: Option<f64>,
    los: Option<f64>,
}

impl From<Figures> for EloFiguresJson {
    fn from(figures: Figures) -> Self {
        Self {
            score: figures.score,
            score_error: figures.score_error,
            elo: figures.elo,
            elo_error: figures.elo_error,
            nelo: figures.nelo,
            nelo_error: figures.nelo_error,
            los: figures.los,
        }
    }
}

impl ResultCountsJson {
    /// Leaves the figures out, so that the counts alone remain.
    #[must_use]
    pub(crate) fn without_figures(self) -> Self {
        Self {
            figures: None,
            interval: None,
            ..self
        }
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let dash = || "–".to_owned();
        let percent = |share: Option<f64>| share.map_or_else(dash, |share| format!("{:.2} %", share * 100.0));
        let signed = |value: Option<f64>| value.map_or_else(dash, |value| format!("{value:+.2}"));
        let error = |value: Option<f64>| value.map_or_else(dash, |value| format!("{value:.2}"));
        let row = |name: &str, value: String, error: String| vec![name.to_owned(), value, error];
        let mut rows = Vec::new();
        if let Some(figures) = &self.figures {
            rows.push(row("Score", percent(Some(figures.score)), percent(figures.score_error)));
            rows.push(row("Elo", signed(figures.elo), error(figures.elo_error)));
            rows.push(row("nElo", signed(figures.nelo), error(figures.nelo_error)));
            rows.push(row("LOS", percent(figures.los), String::new()));
        }
        if self.games.is_some() {
            rows.push(row("Draws", percent(self.draws), String::new()));
        }
        if self.pentanomial.is_some() {
            rows.push(row("Level pairs", percent(self.level_pairs), String::new()));
            rows.push(row("Pairs ratio", ratio(self.pairs_ratio), String::new()));
        }
        rows
    }
}

/// An interval of `error` on each side of `value`.
const fn around(value: f64, error: f64) -> [f64; 2] {
    [value - error, value + error]
}

/// Whole numbers between commas.
fn numbers(text: &str, otherwise: ResultCountsError) -> Result<Vec<u64>, ResultCountsError> {
    let number = |part: &str| part.trim().parse().map_err(|_| otherwise);
    let numbers: Vec<u64> = text.split(',').map(number).collect::<Result<_, _>>()?;
    match () {
        () if numbers.iter().any(|number| *number > MOST) => Err(ResultCountsError::TooMany),
        () if numbers.iter().all(|number| *number == 0) => Err(ResultCountsError::None),
        () => Ok(numbers),
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;

    #[test]
    fn games() {
        let counts = ResultCounts::of_games("164,23,13").expect("counts");
        assert_snapshot!(counts.page().text(None), @"
        164 won, 23 drawn, 13 lost of 200 games

        Figure     Value  ± (95 %)
        ──────────────────────────
        Score    87.75 %    3.89 %
        Elo      +342.04     64.83
        nElo     +467.39     48.15
        LOS     100.00 %
        Draws    11.50 %

        The errors are as if no game depended on another. Two games of one opening do: of game pairs give their counts by points, --pentanomial.
        ");
    }

    #[test]
    fn pairs_by_points_leave_open_what_was_drawn() {
        let counts = ResultCounts::of_pairs("2,0,10,21,67").expect("counts");
        assert_snapshot!(counts.page().text(None), @"
        100 game pairs, by points 0 to 2: 2, 0, 10, 21, 67

        Figure          Value  ± (95 %)
        ───────────────────────────────
        Score         87.75 %    4.07 %
        Elo           +342.04     68.05
        nElo          +446.63     48.15
        LOS          100.00 %
        Level pairs   10.00 %
        Pairs ratio     44.00

        The errors are from game pairs: two games of one opening, colours reversed.
        ");
        assert_eq!(counts.games(), None);
    }

    #[test]
    fn pairs_by_results() {
        let counts = ResultCounts::of_pairs("2, 0, 4, 6, 21, 67").expect("counts");
        assert_snapshot!(counts.page().text(None), @"
        100 game pairs, by points 0 to 2: 2, 0, 10, 21, 67; 159 won, 33 drawn, 8 lost of 200 games

        Figure          Value  ± (95 %)
        ───────────────────────────────
        Score         87.75 %    4.07 %
        Elo           +342.04     68.05
        nElo          +446.63     48.15
        LOS          100.00 %
        Draws         16.50 %
        Level pairs   10.00 %
        Pairs ratio     44.00

        The errors are from game pairs: two games of one opening, colours reversed.
        ");
        let json: serde_json::Value = serde_json::from_str(&counts.json()).expect("JSON");
        assert_eq!(json["pentanomial"], serde_json::json!([2, 0, 10, 21, 67]));
        assert_eq!(json["games"]["draws"], 33);
    }

    #[test]
    fn what_cannot_be_told_is_a_dash() {
        let counts = ResultCounts::of_games("0,10,0").expect("counts");
        assert_snapshot!(counts.page().text(None), @"
        0 won, 10 drawn, 0 lost of 10 games

        Figure     Value  ± (95 %)
        ──────────────────────────
        Score    50.00 %         –
        Elo        +0.00         –
        nElo           –         –
        LOS            –
        Draws   100.00 %

        The errors are as if no game depended on another. Two games of one opening do: of game pairs give their counts by points, --pentanomial.
        ");
        let won = ResultCounts::of_pairs("0,0,0,0,5").expect("counts");
        assert_snapshot!(won.page().table.text(None), @"
        Figure          Value  ± (95 %)
        ───────────────────────────────
        Score        100.00 %         –
        Elo                 –         –
        nElo                –         –
        LOS                 –
        Level pairs    0.00 %
        Pairs ratio         ∞
        ");
    }

    #[test]
    fn other_texts_are_refused() {
        for (text, why) in [
            ("164,23", ResultCountsError::Games),
            ("164,23,-1", ResultCountsError::Games),
            ("a,b,c", ResultCountsError::Games),
            ("", ResultCountsError::Games),
            ("0,0,0", ResultCountsError::None),
            ("1000000000001,0,0", ResultCountsError::TooMany),
        ] {
            assert_eq!(ResultCounts::of_games(text), Err(why), "{text}");
        }
        assert_eq!(ResultCounts::of_pairs("1,2,3,4"), Err(ResultCountsError::Pairs));
    }
}
