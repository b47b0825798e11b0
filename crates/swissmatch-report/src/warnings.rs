//! Claims of engines that do not hold, for people and for programs.
//!
//! May not: find them, or decide anything by them.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use serde::Serialize;
use swiss_system::count;
use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::harmless;

use super::untrusted::name;
use swissmatch_game::Side;
use swissmatch_game::claims::Warning;
use swissmatch_game::eval::Eval;
use swissmatch_game::isolation::UnopenedFile;
use swissmatch_game::record::{GameId, GameRecord};
use swissmatch_tournament::limits;
use swissmatch_tournament::state::{EndedGame, State};

/// Warnings that the text lists one by one.
const LISTED: usize = 20;

/// The warnings of one game.
pub type OfGame = (EndedGame, Vec<Warning>);

/// The number of each kind of warning that a player caused.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PlayerWarnings {
    pub pairing_number: u32,
    pub name: String,
    /// Warnings by kind.
    pub kinds: BTreeMap<&'static str, u32>,
}

/// Players who caused warnings, in order of pairing numbers.
pub fn by_player(state: &State, games: &[OfGame]) -> Vec<PlayerWarnings> {
    let mut players: BTreeMap<PairingNumber, BTreeMap<&'static str, u32>> = BTreeMap::new();
    for (game, warning) in each(games) {
        let kinds = players.entry(player(game, warning.side)).or_default();
        *kinds.entry(warning.claim.kind()).or_default() += 1;
    }
    let players = players.into_iter().map(|(player, kinds)| PlayerWarnings {
        pairing_number: player.0,
        name: name(state, player),
        kinds,
    });
    players.collect()
}

/// Files that a player's agent said it could not open, except those already reported before the event.
pub fn unopened_by(state: &State, player: PairingNumber, unopened: &[UnopenedFile]) -> Vec<String> {
    let told = limits::introduction(state, player).map_or_else(Vec::new, |said| said.unopened.iter().collect());
    let is_new = |unopened: &&UnopenedFile| told.iter().all(|told| told.said != unopened.said);
    let sentence = |unopened: &UnopenedFile| format!("{} {}", name(state, player), harmless(&unopened.sentence()));
    unopened.iter().filter(is_new).map(sentence).collect()
}

/// Like [`unopened_by`], but for both agents of a game, until their first moves.
pub fn unopened_in(state: &State, record: &GameRecord) -> Vec<String> {
    let of_one = |unopened: &UnopenedFile| {
        let player = match unopened.side? {
            Side::White => record.white,
            Side::Black => record.black,
        };
        Some(unopened_by(state, player, std::slice::from_ref(unopened)))
    };
    record.unopened.iter().filter_map(of_one).flatten().collect()
}

/// Files that agents said they could not open: before the event, and until their first moves.
pub fn unopened(state: &State, in_games: &[String]) -> String {
    let created = state.created();
    let before = created
        .setup
        .players
        .iter()
        .zip(&created.agents)
        .flat_map(|(player, agent)| {
            let said = agent.introduction.iter().flat_map(|said| &said.unopened);
            said.map(|unopened| harmless(&format!("{} {}", player.name, unopened.sentence())))
        });
    let all: Vec<String> = before.chain(in_games.iter().cloned()).collect();
    match all.is_empty() {
        true => "No agent said that it could not open a file\n".to_owned(),
        false => format!(
            "Files that agents could not open, by what they say:\n  {}\n",
            all.join("\n  ")
        ),
    }
}

/// The warnings for people: the number of each player's, and the first of them with game, move, position and variation.
pub fn text(state: &State, games: &[OfGame]) -> String {
    let mut text = String::new();
    write(&mut text, state, games).expect("a string takes everything");
    text
}

fn write(text: &mut String, state: &State, games: &[OfGame]) -> std::fmt::Result {
    let count = each(games).count();
    if count == 0 {
        return writeln!(text, "No warnings about variations and claims");
    }
    let ids: BTreeSet<GameId> = each(games).map(|(game, _)| game.finished.id).collect();
    writeln!(
        text,
        "Warnings about variations and claims: {count}, in {} of {}",
        ids.len(),
        count::of(games.len(), "game", "games")
    )?;
    for player in by_player(state, games) {
        let kinds: Vec<String> = player
            .kinds
            .iter()
            .map(|(kind, count)| format!("{} {count}", kind.replace('-', " ")))
            .collect();
        writeln!(text, "  {}: {}", player.name, kinds.join(", "))?;
    }
    for (game, warning) in each(games).take(LISTED) {
        let dots = if warning.side == Side::White { "." } else { "..." };
        writeln!(
            text,
            "\n{} {} – {}: {}{dots} {} by {}: {}",
            game.finished.id,
            name(state, game.finished.white),
            name(state, game.finished.black),
            warning.move_number,
            harmless(&warning.played),
            name(state, player(game, warning.side)),
            harmless(&warning.claim.to_string()),
        )?;
        writeln!(text, "  position   {}", harmless(&warning.fen))?;
        if !warning.variation.is_empty() {
            writeln!(text, "  variation  {}", harmless(&warning.variation))?;
        }
    }
    match count.checked_sub(LISTED) {
        None | Some(0) => Ok(()),
        Some(more) => writeln!(text, "\nand {more} more; `swissmatch export warnings` writes all"),
    }
}

/// All warnings as JSON, one in each line.
///
/// # Panics
/// Never: everything in it can be written.
pub fn json_lines(state: &State, games: &[OfGame]) -> String {
    let lines = each(games).map(|(game, warning)| {
        let line = WarningJson {
            schema: 1,
            game: game.finished.id.to_string(),
            ply: warning.ply,
            move_number: warning.move_number,
            side: warning.side,
            player: name(state, player(game, warning.side)),
            pairing_number: player(game, warning.side).0,
            played: harmless(&warning.played),
            kind: warning.claim.kind(),
            message: harmless(&warning.claim.to_string()),
            fen: harmless(&warning.fen),
            eval: warning.eval,
            variation: harmless(&warning.variation),
        };
        serde_json::to_string(&line).expect("plain data") + "\n"
    });
    lines.collect()
}

#[derive(Serialize)]
struct WarningJson {
    schema: u32,
    game: String,
    /// From 0, not counting the opening.
    ply: u32,
    move_number: u32,
    side: Side,
    player: String,
    pairing_number: u32,
    played: String,
    kind: &'static str,
    message: String,
    /// The position before the move.
    fen: String,
    eval: Option<Eval>,
    variation: String,
}

fn each(games: &[OfGame]) -> impl Iterator<Item = (&EndedGame, &Warning)> {
    games
        .iter()
        .flat_map(|(game, warnings)| warnings.iter().map(move |warning| (game, warning)))
}

const fn player(game: &EndedGame, side: Side) -> PairingNumber {
    match side {
        Side::White => game.finished.white,
        Side::Black => game.finished.black,
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::super::fixture;
    use super::*;
    use swissmatch_game::claims;
    use swissmatch_game::termination::{Outcome, Termination};

    fn games(plies: usize) -> (EndedGame, Vec<Warning>) {
        let finished = fixture::finished((1, 1, 2), (3, 1), Outcome::Draw, Termination::MoveCap);
        let mut record = fixture::empty_record(&finished);
        record.moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(plies.div_ceil(4));
        record.eval = vec![None, Some(Eval::Mate(0))];
        for variation in ["g1f3 g8g7", "g8f6 b1c3"].into_iter().chain((2..plies).map(|_| "a2a3")) {
            record.pv.push(variation);
        }
        let warnings = claims::warnings(&record).expect("a legal game");
        (finished, warnings)
    }

    #[test]
    fn counts_and_the_first_of_them() {
        let state = fixture::two_rounds();
        let (finished, warnings) = games(2);
        assert_snapshot!(text(&state, &[(finished, warnings.clone())]), @"
        Warnings about variations and claims: 2, in 1 of 1 game
          Alpha: mate in none 1
          Charlie: illegal move in a variation 1

        1.1.2 Charlie – Alpha: 1. g1f3 by Charlie: move 2 of the variation, g8g7, is not legal
          position   rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
          variation  g1f3 g8g7

        1.1.2 Charlie – Alpha: 1... g8f6 by Alpha: mate in 0 is claimed in a position with legal moves
          position   rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1
          variation  g8f6 b1c3
        ");
        assert_snapshot!(json_lines(&state, &[(finished, warnings)]), @r##"
        {"schema":1,"game":"1.1.2","ply":0,"move_number":1,"side":"white","player":"Charlie","pairing_number":3,"played":"g1f3","kind":"illegal-move-in-a-variation","message":"move 2 of the variation, g8g7, is not legal","fen":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","eval":null,"variation":"g1f3 g8g7"}
        {"schema":1,"game":"1.1.2","ply":1,"move_number":1,"side":"black","player":"Alpha","pairing_number":1,"played":"g8f6","kind":"mate-in-none","message":"mate in 0 is claimed in a position with legal moves","fen":"rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1","eval":"#0","variation":"g8f6 b1c3"}
        "##);
        assert_eq!(
            text(&state, &[(finished, Vec::new())]),
            "No warnings about variations and claims\n"
        );
    }

    #[test]
    fn the_text_ends_where_the_list_is_long() {
        let (finished, warnings) = games(40);
        let more = warnings.len() - LISTED;
        let text = text(&fixture::two_rounds(), &[(finished, warnings)]);
        assert!(
            text.ends_with(&format!("\nand {more} more; `swissmatch export warnings` writes all\n")),
            "{text}"
        );
        assert_eq!(text.matches("  position ").count(), LISTED);
    }
}
