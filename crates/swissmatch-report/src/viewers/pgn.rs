//! A game in PGN for viewers while it goes on: `*` until it has ended.
//!
//! May not: decide which games there are.

use std::fmt::Write as _;

use jiff::tz::TimeZone;

use super::board::{Move, ViewerGame};
use super::heads::Heads;
use crate::pgn::tag;
use swissmatch_game::Side;
use swissmatch_game::eval::Eval;
use swissmatch_game::variant::Variant;

/// Longest line, unless a move with its comment is longer.
const LINE: usize = 79;

/// A game with everything that viewers of cutechess and TCEC show.
pub(super) fn for_viewers(heads: &Heads, board: &ViewerGame) -> String {
    let mut text = String::with_capacity(1024 + board.moves.len() * 160);
    for (name, value) in tags(heads, board) {
        tag(&mut text, name, &value);
    }
    text.push('\n');
    movetext(&mut text, board, &|made, comment| {
        marks(made, comment);
        facts(made, comment);
    });
    text
}

/// A game for a broadcast of Lichess, which tells games apart by event, site, round and players. As two games of a mini-match may share all
/// of these, the site has the game's number.
pub fn for_lichess(heads: &Heads, board: &ViewerGame) -> String {
    let mut text = String::with_capacity(1024 + board.moves.len() * 48);
    for (name, value) in tags(heads, board) {
        match name {
            "Site" if matches!(heads.site.as_str(), "" | "?") => tag(&mut text, name, &format!("game {}", board.id)),
            "Site" => tag(&mut text, name, &format!("{value}, game {}", board.id)),
            _ => tag(&mut text, name, &value),
        }
    }
    text.push('\n');
    movetext(&mut text, board, &marks);
    text
}

/// The tags of a game, in their order.
pub(super) fn tags(heads: &Heads, board: &ViewerGame) -> Vec<(&'static str, String)> {
    let [white, black] = board.players;
    let date = board.begun.to_zoned(TimeZone::UTC).strftime("%Y.%m.%d").to_string();
    let result = board.ended.as_ref().map_or("*", |ended| ended.result.pgn());
    let mut tags = vec![
        ("Event", heads.event.clone()),
        ("Site", heads.site.clone()),
        ("Date", date),
        ("Round", board.id.to_string()),
        ("White", heads.name(white).to_owned()),
        ("Black", heads.name(black).to_owned()),
        ("Result", result.to_owned()),
        ("Board", board.id.board.to_string()),
    ];
    let ratings = [("WhiteElo", white), ("BlackElo", black)];
    tags.extend(ratings.into_iter().filter_map(|(name, number)| {
        let rating = heads.rating(number)?;
        Some((name, rating.to_string()))
    }));
    if let Some([of_white, of_black]) = heads.controls(board.id) {
        if of_white.text == of_black.text {
            tags.push(("TimeControl", of_white.text.clone()));
        } else {
            tags.push(("WhiteTimeControl", of_white.text.clone()));
            tags.push(("BlackTimeControl", of_black.text.clone()));
        }
    }
    let opening = &board.opening;
    let start = match opening.variant {
        Variant::Standard => opening.fen.clone(),
        Variant::Chess960 => {
            tags.push(("Variant", opening.variant.name().to_owned()));
            Some(opening.start_fen())
        }
    };
    if let Some(fen) = start {
        tags.push(("SetUp", "1".to_owned()));
        tags.push(("FEN", fen));
    }
    let has_any = opening.fen.is_some() || !opening.moves.is_empty();
    if let Some(name) = opening.given_name().filter(|_| has_any) {
        tags.push(("Opening", name.to_owned()));
    }
    tags.push((
        "GameStartTime",
        board.begun.strftime("%Y-%m-%dT%H:%M:%S%.3f UTC").to_string(),
    ));
    match &board.ended {
        Some(ended) => {
            tags.push(("Termination", ended.termination.pgn().to_owned()));
            let why = ended.termination.sentence(ended.result, 0);
            tags.push(("TerminationDetails", why));
        }
        None => tags.push(("Termination", "unterminated".to_owned())),
    }
    tags.push(("PlyCount", board.moves.len().to_string()));
    tags
}

/// Moves, each with what `comment` adds, and the result. Lines are broken only between moves, and an empty line follows.
fn movetext(text: &mut String, board: &ViewerGame, comment: &dyn Fn(&Move, &mut String)) {
    let mut column = 0;
    let mut unit = |text: &mut String, unit: &str| {
        if column > 0 {
            let fits = column + 1 + unit.len() <= LINE;
            text.push(if fits { ' ' } else { '\n' });
            column = if fits { column + 1 } else { 0 };
        }
        text.push_str(unit);
        column += unit.len();
    };
    let (mut one, mut said) = (String::new(), String::new());
    for (index, made) in board.moves.iter().enumerate() {
        one.clear();
        said.clear();
        match made.side {
            Side::White => push(&mut one, format_args!("{}. ", made.number)),
            Side::Black if index == 0 => push(&mut one, format_args!("{}... ", made.number)),
            Side::Black => {}
        }
        one.push_str(&made.san);
        comment(made, &mut said);
        if !said.is_empty() {
            push(&mut one, format_args!(" {{{}}}", said.trim_end()));
        }
        unit(text, &one);
    }
    unit(text, board.ended.as_ref().map_or("*", |ended| ended.result.pgn()));
    text.push_str("\n\n");
}

/// Clock and evaluation as Lichess, ChessBase and others write them: `[%clk 0:04:59.4] [%eval 0.31]`, the evaluation from White's side.
fn marks(made: &Move, comment: &mut String) {
    let Some(note) = &made.note else { return };
    match note.clock_us {
        Some(left) => push(comment, format_args!("[%clk {}] ", Clock(left))),
        None => push(comment, format_args!("[%emt {}] ", Clock(note.said.time_us))),
    }
    if let Some(eval) = note.said.eval {
        push(comment, format_args!("[%eval {}] ", PgnEval(of_white(eval, made.side))));
    }
}

/// `d=12, sd=20, mt=520 …` as TCEC's runner writes them: times in milliseconds, `wv` from White's side, `h` in percent.
fn facts(made: &Move, comment: &mut String) {
    if made.is_book {
        comment.push_str("book");
        return;
    }
    let Some(note) = &made.note else { return };
    let said = &note.said;
    // Text before a comma is one entry for readers who split at commas.
    comment.truncate(comment.trim_end().len());
    let mut fact = |name: &str, value: std::fmt::Arguments<'_>| push(comment, format_args!(", {name}={value}"));
    if let Some(depth) = said.depth {
        fact("d", format_args!("{depth}"));
    }
    if let Some(depth) = said.seldepth {
        fact("sd", format_args!("{depth}"));
    }
    fact("mt", format_args!("{}", said.time_us / 1000));
    if let Some(left) = note.clock_us {
        fact("tl", format_args!("{}", left / 1000));
    }
    if let Some(speed) = said.nps {
        fact("s", format_args!("{speed}"));
    }
    if let Some(nodes) = said.nodes {
        fact("n", format_args!("{nodes}"));
    }
    if !made.variation.is_empty() {
        let words: Vec<&str> = made.variation.iter().map(|planned| planned.san.as_str()).collect();
        fact("pv", format_args!("{}", words.join(" ")));
    }
    if let Some(hits) = said.tbhits {
        fact("tb", format_args!("{hits}"));
    }
    if let Some(full) = said.hashfull {
        fact("h", format_args!("{}", Tenths(full)));
    }
    if let Some(eval) = said.eval {
        fact("wv", format_args!("{}", Pawns(of_white(eval, made.side))));
    }
}

fn push(text: &mut String, what: std::fmt::Arguments<'_>) {
    text.write_fmt(what).expect("a string takes everything");
}

/// An evaluation of the mover's as White's.
pub(super) fn of_white(eval: Eval, side: Side) -> Eval {
    match (eval, side) {
        (eval, Side::White) => eval,
        (Eval::Centipawns(value), Side::Black) => Eval::Centipawns(value.saturating_neg()),
        (Eval::Mate(moves), Side::Black) => Eval::Mate(moves.saturating_neg()),
    }
}

/// Microseconds as `0:04:59.4`, rounded down.
struct Clock(u64);

impl std::fmt::Display for Clock {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let tenths = self.0 / 100_000;
        let (seconds, tenth) = (tenths / 10, tenths % 10);
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
        write!(f, "{hours}:{minutes:02}:{:02}.{tenth}", seconds % 60)
    }
}

/// Thousandths as percent.
pub(super) struct Tenths(pub(super) u32);

impl std::fmt::Display for Tenths {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.0 / 10, self.0 % 10)
    }
}

/// `0.31`, `#-3`.
struct PgnEval(Eval);

impl std::fmt::Display for PgnEval {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            Eval::Mate(moves) => write!(f, "#{moves}"),
            eval => Pawns(eval).fmt(f),
        }
    }
}

/// `0.31`, `-M3`.
pub(super) struct Pawns(pub(super) Eval);

impl std::fmt::Display for Pawns {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let sign = |value: i32| if value < 0 { "-" } else { "" };
        match self.0 {
            Eval::Centipawns(value) => {
                let of = value.unsigned_abs();
                write!(f, "{}{}.{:02}", sign(value), of / 100, of % 100)
            }
            Eval::Mate(moves) => write!(f, "{}M{}", sign(moves), moves.unsigned_abs()),
        }
    }
}
