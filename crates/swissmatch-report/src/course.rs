//! Plots of a match of two players: its score over time, and its test.
//!
//! May not: touch files; decide a test.

use swiss_system::count;

use super::plot::{CountedUnit, Decision, Heading, LlrPath, Plot, ScoreAfter, ScoreOverGames};
use super::untrusted::name;
use super::versus::hypotheses;
use swissmatch_stats::pairs::{Figures, Pairs, Wdl};
use swissmatch_stats::sprt::{Look, Units, Verdict};
use swissmatch_tournament::course::{Course, CourseResults};
use swissmatch_tournament::sprt::{SprtTally, first_player, test_of};
use swissmatch_tournament::state::State;

/// The plots of a run of two players: its score, and its test where it has one. Empty for other runs.
pub fn plots_of_run(state: &State, leave_out_faults: bool) -> Vec<Plot> {
    let Some(course) = Course::of_run(state, leave_out_faults) else {
        return Vec::new();
    };
    let mut plots = vec![Plot {
        name: "score",
        svg: score(&course).svg(),
    }];
    if let Some(path) = llr(state) {
        plots.push(Plot {
            name: "llr",
            svg: path.svg(),
        });
    }
    plots
}

/// The plot of the score in a file with games of two players.
pub fn plots_of_file(course: &Course) -> Vec<Plot> {
    vec![Plot {
        name: "score",
        svg: score(course).svg(),
    }]
}

fn score(course: &Course) -> ScoreOverGames {
    let [first, second] = &course.players;
    let (counted, points): (_, Vec<ScoreAfter>) = match &course.results {
        CourseResults::Pairs(pairs) => {
            let mut sum = Pairs::NONE;
            let after = pairs.iter().map(|pair| {
                sum += *pair;
                let figures = sum.figures()?;
                Some((figures, figures.score_error.and(sum.interval())))
            });
            (CountedUnit::Pairs, numbered(after))
        }
        CourseResults::Games(games) => {
            let mut sum = Wdl::NONE;
            let after = games.iter().map(|game| {
                sum += *game;
                let figures = sum.figures()?;
                let around = |error| [figures.score - error, figures.score + error];
                Some((figures, figures.score_error.map(around)))
            });
            (CountedUnit::Games, numbered(after))
        }
    };
    let note = match counted {
        CountedUnit::Pairs => {
            "Whole pairs in the order of the schedule; the interval is from the spread of pairs.".to_owned()
        }
        _ => "There are no game pairs: the interval is as if no game depended on another.".to_owned(),
    };
    let single = match course.single {
        0 => String::new(),
        games => {
            let are = if games == 1 { "is" } else { "are" };
            format!(" {} without a pair {are} left out.", count::of(games, "game", "games"))
        }
    };
    ScoreOverGames {
        heading: Heading {
            title: format!("Score of {first} against {second}"),
            n: points.len() as u64,
            counted,
            note: note + &single,
        },
        name: first.clone(),
        band: "95 % confidence interval".to_owned(),
        points,
    }
}

/// The score after each result. Where all results so far are the same there is no interval.
fn numbered(figures: impl Iterator<Item = Option<(Figures, Option<[f64; 2]>)>>) -> Vec<ScoreAfter> {
    let after = (1..).zip(figures);
    after
        .filter_map(|(after, figures)| {
            let (figures, interval) = figures?;
            let [low, high] = interval.unwrap_or([f64::NAN; 2]);
            Some(ScoreAfter {
                after,
                score: figures.score,
                low: low.clamp(0.0, 1.0),
                high: high.clamp(0.0, 1.0),
            })
        })
        .collect()
}

/// The path of a run's test; `None` where it has none.
fn llr(state: &State) -> Option<LlrPath> {
    let sprt = state.setup().sprt.test()?;
    let mut tally = SprtTally::new(sprt.counts);
    let mut llr = Vec::new();
    while tally.step(state) {
        llr.push(sprt.look(&tally.pairs, &tally.games).llr.value());
    }
    let first = first_player(state);
    let second = state.numbers().find(|number| *number != first)?;
    let Look { lower, upper, .. } = test_of(state)?.look;
    Some(LlrPath {
        heading: Heading {
            title: format!("Test of {} against {}", name(state, first), name(state, second)),
            n: llr.len() as u64,
            counted: match sprt.counts {
                Units::Pentanomial => CountedUnit::Pairs,
                Units::Trinomial => CountedUnit::Games,
            },
            note: format!(
                "Hypotheses {}; alpha {}, beta {}. In the order of the schedule.",
                hypotheses(&sprt),
                sprt.alpha,
                sprt.beta
            ),
        },
        llr,
        lower: lower.value(),
        upper: upper.value(),
        decision: (state.verdict().filter(|decided| decided.verdict != Verdict::Neither)).map(|decided| Decision {
            after: decided.after.into(),
            is_h1: decided.verdict == Verdict::H1,
        }),
    })
}

#[cfg(test)]
mod tests;
