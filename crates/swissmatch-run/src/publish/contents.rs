//! What the files of a run hold: functions of the log alone.

use std::io;

use rayon::prelude::*;
use swiss_system::pairing::rounds::RoundPlan;

use crate::open_run::{StoredGame, evidence, finished};
use swissmatch_host::store::Store;
use swissmatch_report::figures::EventFigures;
use swissmatch_report::pgn::Comments;
use swissmatch_report::trf::{TrfExportError, View};
use swissmatch_report::{self as report, pgn, trf};
use swissmatch_tournament::embargo::published;
use swissmatch_tournament::state::{EndedGame, State};
use swissmatch_tournament::ties::event_is_over;

/// All games, in schedule order.
pub const GAMES: &str = "games.pgn";
/// The same as a table.
pub(crate) const GAMES_TABLE: &str = "games.csv";
/// The rules in force.
pub(super) const RULES: &str = "rules.md";
/// Pairings and results for other programs.
pub const TOURNAMENT: &str = "tournament.trf";
/// The event as a JUnit report.
pub const JUNIT: &str = "junit.xml";
/// Names of all tables that a run may have.
pub(crate) const TABLES: [&str; 18] = [
    RULES,
    "standings.md",
    "standings.csv",
    "standings.json",
    "crosstable.csv",
    "summary.md",
    "summary.json",
    "tour.md",
    "tour.csv",
    "tour.json",
    "playoff.md",
    "playoff.json",
    "prizes.md",
    "prizes.json",
    "analysis.md",
    "analysis.json",
    JUNIT,
    TOURNAMENT,
];
/// The standings after each round, a file each.
pub const ROUNDS: &str = "rounds";

/// Games whose records, not their PGN alone, are in memory at once.
const RENDERED_AT_ONCE: usize = 1024;

/// The name of a file with its content.
pub(super) type NamedContent = (String, String);

/// Every file that follows from the log alone.
///
/// # Errors
/// When a record is missing or damaged.
pub fn all(state: &State, created_at: &str, store: &Store) -> io::Result<Vec<NamedContent>> {
    let state = &*published(state);
    let games: Vec<EndedGame> = state.finished_games().collect();
    let mut files = tables(state, store)?;
    let of_rounds = standings_of_rounds(state, 1).into_iter();
    files.extend(of_rounds.map(|(name, text)| (format!("{ROUNDS}/{name}"), text)));
    files.push((GAMES_TABLE.to_owned(), report::games::table(state, &games).csv()));
    files.push((
        GAMES.to_owned(),
        render_games(state, &games, created_at, store, Comments::Full)?,
    ));
    Ok(files)
}

/// The tables of [`TABLES`] that the event has.
///
/// # Errors
/// When evidence is missing or damaged.
pub(super) fn tables(state: &State, store: &Store) -> io::Result<Vec<NamedContent>> {
    let rounds = state.rounds().len();
    let mut tables = match report::tour::report(state) {
        Some((page, json)) => vec![
            ("tour.md", page.markdown()),
            ("tour.csv", page.table.csv()),
            ("tour.json", json),
        ],
        None => {
            let standings = report::parts::standings(state, rounds);
            let crosstable = report::parts::crosstables(state, rounds);
            vec![
                ("standings.md", standings.markdown()),
                ("standings.csv", standings.csv()),
                ("standings.json", report::parts::standings_json(state, rounds)),
                ("crosstable.csv", crosstable.csv()),
            ]
        }
    };
    tables.push((RULES, rules(state)));
    let (figures, event) = (EventFigures::new(state), report::event_name(state));
    tables.push(("summary.md", figures.page(&event).markdown()));
    tables.push(("summary.json", figures.json(&event)));
    tables.extend(report::playoff::markdown(state).map(|text| ("playoff.md", text)));
    tables.extend(report::playoff::json(state).map(|text| ("playoff.json", text)));
    if event_is_over(state) && state.setup().has_prizes() {
        tables.push(("prizes.md", report::prizes::pages(state).markdown()));
        tables.push(("prizes.json", report::prizes::json(state)));
    }
    tables.extend(report::analysis::page(state).map(|page| ("analysis.md", page.markdown())));
    tables.extend(report::analysis::json(state).map(|text| ("analysis.json", text)));
    tables.extend(tournament(state).ok().map(|text| (TOURNAMENT, text)));
    if state.setup().publish.junit {
        let evidence = |game: &EndedGame| evidence(store, &finished(store, game)?);
        let text = report::junit::text(state, evidence).map_err(io::Error::other)?;
        tables.push((JUNIT, text));
    }
    Ok(tables.into_iter().map(|(name, text)| (name.to_owned(), text)).collect())
}

/// The standings after each round that is over, from round `first` on, as files below [`ROUNDS`].
pub(super) fn standings_of_rounds(state: &State, first: usize) -> Vec<NamedContent> {
    let rounds = first..=rounds_with_standings(state);
    let standings = |round| (standings_file(round), report::parts::standings(state, round).csv());
    rounds.into_par_iter().map(standings).collect()
}

/// The rounds after which there are standings; a tour has none of its own.
pub(super) fn rounds_with_standings(state: &State) -> usize {
    match &state.created().tour {
        Some(_) => 0,
        None => state.rounds_over(),
    }
}

/// The name below [`ROUNDS`] of the standings after a round.
pub(super) fn standings_file(round: usize) -> String {
    format!("standings-{round}.csv")
}

/// The rules in force, in words.
pub(crate) fn rules(state: &State) -> String {
    let created = state.created();
    let plan = RoundPlan {
        rounds: created.rounds,
        format: created.format,
    };
    report::rules::markdown(state.setup(), plan, &created.agents)
}

/// What [`TOURNAMENT`] holds.
///
/// # Errors
/// When the format cannot hold the event. Then the run has no such file.
pub fn tournament(state: &State) -> Result<String, TrfExportError> {
    trf::text(state, View::Individual, state.rounds_over())
}

/// Games as PGN, in the order given.
///
/// # Errors
/// When a record is missing or damaged.
pub fn render_games(
    state: &State,
    games: &[EndedGame],
    created_at: &str,
    store: &Store,
    comments: Comments,
) -> io::Result<String> {
    let date = pgn::date(created_at);
    let mut all = String::new();
    for games in games.chunks(RENDERED_AT_ONCE) {
        let kept = games
            .iter()
            .map(|game| StoredGame::of(store, game).map(|kept| (game, kept)));
        let kept = kept.collect::<Result<Vec<_>, _>>().map_err(io::Error::other)?;
        let render = |(game, kept): &(&EndedGame, StoredGame)| {
            let record = kept.record()?;
            pgn::game(state, game, record.as_ref(), &date, comments)
                .map_err(|error| format!("game {}: {error}", game.finished.id))
        };
        let rendered: Result<Vec<String>, String> = kept.par_iter().map(render).collect();
        all += &rendered.map_err(io::Error::other)?.concat();
    }
    Ok(all)
}
