//! The part of a report on a game that anybody may read: its course, its end, the limits, the clocks, rulings. This is an allow-list:
//! sections are named here one by one.
//!
//! May not: tell commands, arguments, paths, hashes of agents, the machine, or anything that agents wrote beside their answers.

use serde::Serialize;
use swiss_system::count;

use super::{AppealCase, EarlierEnd, EntryReference, OnGame, Section};
use super::{account, course, ending, limits, machine, memory, processor, rulings};
use crate::pgn::is_won_by_draw;
use crate::untrusted::name;
use swissmatch_game::claims::warnings;
use swissmatch_game::opening::OpeningError;
use swissmatch_game::record::GameRecord;
use swissmatch_tournament::log::GamesInterrupted;
use swissmatch_tournament::state::{EndedGame, GameTally, State};

/// Facts about a game that the log has, other than its end.
#[derive(Clone, Debug, Default)]
pub struct FromLog<'a> {
    /// When its round was paired, RFC 3339 in UTC.
    pub paired_at: Option<&'a str>,
    /// The entry of the log that holds its result.
    pub logged: Option<EntryReference<'a>>,
    /// Acts of the arbiter about it that may be published.
    pub acts: Vec<OnGame<'a>>,
    /// Its earlier ends, before it was played again.
    pub replayed: Vec<EarlierEnd<'a>>,
    /// Entries about runners that ended while it was open, or may have been.
    pub interrupted: Vec<(EntryReference<'a>, &'a GamesInterrupted)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct AccountSection {
    pub title: &'static str,
    pub lines: Vec<String>,
}

/// The account of a game that was played, as anybody may read it.
///
/// # Errors
/// When the record is no legal game.
pub fn told(
    state: &State,
    game: &EndedGame,
    record: &GameRecord,
    log: &FromLog<'_>,
) -> Result<Vec<AccountSection>, OpeningError> {
    let course = course::GameCourse::replay(record)?;
    let warnings = warnings(record)?;
    let case = AppealCase {
        state,
        id: game.finished.id,
        game: Some(*game),
        finished: None,
        record: Some(record),
        warnings: &warnings,
        paired_at: log.paired_at,
        logged: log.logged,
        // A section cannot tell what is not there.
        evidence: None,
        manifest: None,
        run: "",
        is_played: false,
        acts: &log.acts,
        replayed: &log.replayed,
        interrupted: &log.interrupted,
    };
    let sections = [
        account::game(&case),
        ending::section(&case, Some(&course)),
        rulings::section(&case),
        rulings::interruptions(&case),
        gave(&case, game),
        course::attempts(&case, &course),
        machine::section(&case, &course),
        Section::new("Clocks", course::clocks(&case, &course)),
        processor::section(&case, &course),
        memory::section(&case, &course),
        course::claims_section(&case),
        limits::section(&case),
    ];
    let told = sections.into_iter().filter(|section| !section.lines.is_empty());
    let told = told.map(|Section { title, lines }| AccountSection { title, lines });
    Ok(told.collect())
}

/// What the game gave by itself; its place in the mini-match is told elsewhere.
fn gave(case: &AppealCase<'_>, game: &EndedGame) -> Section {
    let (state, of_game) = (case.state, [game.finished.white, game.finished.black]);
    let tally = GameTally::of(&[*game], game.finished.white);
    let [white, black] = [0, 1].map(|player| {
        let points = tally.game_points(player, &state.setup().scoring);
        format!("{} {points}", name(state, of_game[player]))
    });
    let mut lines = vec![format!("Game points of this game: {white}, {black}.")];
    if is_won_by_draw(state, game) {
        lines.push("Black has draw odds, and wins the Armageddon game by the draw.".to_owned());
    }
    let games = state.mini_match(game.finished.id).map_or(0, |board| board.games.len());
    lines.push(format!(
        "It is one of {} of its mini-match.",
        count::of(games, "game", "games")
    ));
    Section::new("What it gave", lines)
}
