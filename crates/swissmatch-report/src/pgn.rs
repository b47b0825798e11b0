//! Games in PGN (Steven J. Edwards, 1994), in export format except for comments, which are as engine runners write them.
//!
//! May not: choose which games are written or in what order; trust names, openings or moves.

use swiss_system::text::harmless;

use self::movetext::{Besides, movetext};
use super::untrusted::name;
use swissmatch_game::Side;
use swissmatch_game::opening::Opening;
use swissmatch_game::opening::OpeningError;
use swissmatch_game::record::{GameId, GameRecord};
use swissmatch_game::termination::Outcome;
use swissmatch_game::time_control::{Bounds, TimeControl};
use swissmatch_game::variant::Variant;
use swissmatch_tournament::limits::{bounds_of, time_controls_of};
use swissmatch_tournament::log::Draw;
use swissmatch_tournament::part::section_name;
use swissmatch_tournament::setup::Rationale;
use swissmatch_tournament::state::{EndedGame, State};

mod marks;
mod movetext;
mod said;

pub use said::lines_of_moves;

/// Why a game ended and what the arbiter made of it, in a sentence without its full stop.
pub(super) fn reason(state: &State, game: &EndedGame, record: &GameRecord) -> String {
    let reason = marks::Reason::new(state, game, Some(record));
    match reason.made_of_it {
        Some(made_of_it) => format!("{}; {made_of_it}", reason.by_itself),
        None => reason.by_itself,
    }
}

/// For which sides of a game, White first, their remarks beside moves are shown here.
pub(super) fn rationale_of(state: &State, game: &EndedGame, here: Rationale) -> [bool; 2] {
    let players = [game.finished.white, game.finished.black].map(|player| state.player(player));
    players.map(|player| player.model.is_some() && state.setup().model(player).rationale >= here)
}

/// The comments of the movetext.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comments {
    /// Evaluation, depth and time of every move with the additions of `run.pgn_extras`, `{book}` at moves of the opening, and why the game
    /// ended.
    Full,
    /// No comments: the same moves give the same text.
    None,
    /// No comments, and only the tags that every game must have, with those that say where it began.
    Minimal,
}

/// Why a record cannot be written as a game. Records of this program's own games always can.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PgnRecordError {
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// A move is illegal.
    #[error("`{text}` (ply {ply} of the game) is not a legal move")]
    Move {
        /// From 0, not counting the opening.
        ply: usize,
        text: String,
    },
}

/// The tag `Date` for games of a run that was created then.
pub fn date(created_at: &str) -> String {
    created_at.get(..10).unwrap_or("????.??.??").replace('-', ".")
}

/// One game with its tags, ended by an empty line, so that games can be written one after the other.
///
/// Without a `record` (nothing was sent to any engine) it has no moves. `date` is the value of the tag `Date`, such as
/// `2026.11.20`, or `????.??.??`. `Round` is the name of the game, `ROUND.BOARD.GAME`, which it has everywhere. `PlyCount` counts
/// the opening's plies, as they are in the movetext.
///
/// # Errors
/// When the record has a move that is not legal.
pub fn game(
    state: &State,
    game: &EndedGame,
    record: Option<&GameRecord>,
    date: &str,
    comments: Comments,
) -> Result<String, PgnRecordError> {
    game_with_lines(state, game, record, date, comments, &[])
}

/// Like [`game`], but with lines of engines in the comments of its moves, as [`lines_of_moves`] gives them.
///
/// # Errors
/// When the record has a move that is not legal.
pub fn game_with_lines(
    state: &State,
    game: &EndedGame,
    record: Option<&GameRecord>,
    date: &str,
    comments: Comments,
    lines: &[Vec<String>],
) -> Result<String, PgnRecordError> {
    let reason = (comments == Comments::Full).then(|| marks::Reason::new(state, game, record));
    let besides = Besides {
        extras: &state.setup().run.pgn_extras,
        said: lines,
        rationale: rationale_of(state, game, Rationale::Pgn),
    };
    let (moves, plies) = movetext(game, record, reason, besides)?;
    let mut text = String::with_capacity(moves.len() + 768);
    head(&mut text, state, game, record, date, comments, plies);
    text.push('\n');
    text.push_str(&moves);
    text.push_str("\n\n");
    Ok(text)
}

/// All tags of a game, one in each line.
pub(super) fn tags_of(state: &State, game: &EndedGame, record: &GameRecord, date: &str) -> String {
    let plies = record.opening.moves.len() + record.plies();
    let mut text = String::with_capacity(768);
    head(&mut text, state, game, Some(record), date, Comments::Full, plies);
    text
}

fn head(
    text: &mut String,
    state: &State,
    game: &EndedGame,
    record: Option<&GameRecord>,
    date: &str,
    comments: Comments,
    plies: usize,
) {
    roster(text, state, game, date);
    if comments != Comments::Minimal {
        tags(text, state, game, plies);
    }
    if let Some(record) = record {
        opening_tags(text, &record.opening, comments);
    }
}

/// The seven tag roster, in its order.
fn roster(text: &mut String, state: &State, game: &EndedGame, date: &str) {
    let setup = state.setup();
    let (white, black, id) = (game.finished.white, game.finished.black, game.finished.id);
    tag(text, "Event", &setup.event.name);
    tag(text, "Site", &setup.event.site);
    tag(text, "Date", date);
    tag(text, "Round", &id.to_string());
    tag(text, "White", &name(state, white));
    tag(text, "Black", &name(state, black));
    tag(text, "Result", game.outcome().pgn());
}

fn tags(text: &mut String, state: &State, game: &EndedGame, plies: usize) {
    let (white, black, id) = (game.finished.white, game.finished.black, game.finished.id);
    tag(text, "Board", &id.board.to_string());
    if let Some(section) = section_name(state, white) {
        tag(text, "Section", section);
    }
    if id.playoff > 0 {
        tag(text, "Stage", "play-off");
    }
    if let Some(first) = first_of_pair(state, id) {
        tag(text, "GamePair", &first.to_string());
    }
    for (side, player) in [(Side::White, white), (Side::Black, black)] {
        if let Some(rating) = state.player(player).rating() {
            tag(text, &format!("{}Elo", side.name()), &rating.to_string());
        }
    }
    for side in Side::BOTH {
        tag(text, &format!("{}Type", side.name()), "program");
    }
    match time_controls_of(state, id, [white, black]).map(TimeControl::pgn) {
        [of_white, of_black] if of_white == of_black => tag(text, "TimeControl", &of_white),
        controls => {
            for (side, control) in Side::BOTH.into_iter().zip(controls) {
                tag(text, &format!("{}TimeControl", side.name()), &control);
            }
        }
    }
    bounds_tags(text, bounds_of(state, id, [white, black]));
    if !state.setup().rules.is_empty() {
        tag(text, "Rules", &state.setup().version().to_string());
    }
    tag(text, "Termination", game.finished.termination.pgn());
    tag(text, "PlyCount", &plies.to_string());
    if has_draw_odds(state, id) {
        let drawn = game.outcome() == Outcome::Draw;
        let odds = if drawn {
            "drawn: Black wins"
        } else {
            "a draw wins for Black"
        };
        tag(text, "Armageddon", odds);
    }
    for (name, value) in marks::tags(state, game) {
        tag(text, name, &value);
    }
}

/// Tags for search bounds, which are not in the standard: `Nodes` and `Depth`, or one for each side where they differ.
fn bounds_tags(text: &mut String, bounds: [Bounds; 2]) {
    let nodes = bounds.map(|of_side| of_side.nodes);
    let depth = bounds.map(|of_side| of_side.depth.map(u64::from));
    for (what, values) in [("Nodes", nodes), ("Depth", depth)] {
        match values {
            [Some(of_white), Some(of_black)] if of_white == of_black => tag(text, what, &of_white.to_string()),
            values => {
                for (side, value) in Side::BOTH.into_iter().zip(values) {
                    if let Some(value) = value {
                        tag(text, &format!("{}{what}", side.name()), &value.to_string());
                    }
                }
            }
        }
    }
}

/// The first of the two games of one opening, which names the game pair; `None` for a game without a partner.
pub fn first_of_pair(state: &State, id: GameId) -> Option<GameId> {
    let games = state.mini_match(id)?.games.planned();
    let first = id.game - (id.game - 1) % 2;
    (first < games).then_some(GameId { game: first, ..id })
}

/// Whether a game is a drawn Armageddon, which Black wins.
pub(super) fn is_won_by_draw(state: &State, game: &EndedGame) -> bool {
    game.outcome() == Outcome::Draw && has_draw_odds(state, game.finished.id)
}

/// Whether a draw of this game is a win for Black.
fn has_draw_odds(state: &State, id: GameId) -> bool {
    let board = state.playoff_board(id);
    board.is_some_and(|board| board.draw == Draw::WinForBlack)
}

/// The variant, unless it is standard chess, and the start position, unless it is the usual one. In Chess960 there is no usual position, so
/// it is always given.
fn opening_tags(text: &mut String, opening: &Opening, comments: Comments) {
    let start = match opening.variant {
        Variant::Standard => opening.fen.clone(),
        Variant::Chess960 => {
            tag(text, "Variant", opening.variant.name());
            Some(opening.start_fen())
        }
    };
    if let Some(fen) = start {
        tag(text, "SetUp", "1");
        tag(text, "FEN", &fen);
    }
    let has_any = opening.fen.is_some() || !opening.moves.is_empty();
    if let Some(name) = opening
        .given_name()
        .filter(|_| has_any && comments != Comments::Minimal)
    {
        tag(text, "Opening", name);
    }
}

/// `[Name "value"]`; in the value a quote and a backslash are escaped (PGN 7), and nothing ends the line.
pub(super) fn tag(text: &mut String, name: &str, value: &str) {
    text.extend(["[", name, " \""]);
    let value = harmless(value);
    for c in if value.is_empty() { "?" } else { &value }.chars() {
        if matches!(c, '"' | '\\') {
            text.push('\\');
        }
        text.push(c);
    }
    text.push_str("\"]\n");
}

#[cfg(test)]
mod tests;
