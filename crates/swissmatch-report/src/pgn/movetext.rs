//! The movetext of a game: moves in standard algebraic notation, comments as engine runners write them, in lines of at
//! most 79 characters.
//!
//! May not: write tags.

use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Color, Position};
use swiss_system::text::harmless;

use super::PgnRecordError;
use super::marks::Reason;
use swissmatch_game::eval::Eval;
use swissmatch_game::opening::Opening;
use swissmatch_game::opening::OpeningError;
use swissmatch_game::record::{GameRecord, LONGEST_RATIONALE};
use swissmatch_tournament::setup::PgnExtra;
use swissmatch_tournament::state::EndedGame;

/// A model's word is cut into pieces of this many characters, which are never broken.
const PIECE: usize = 30;
/// Longest line: "lines with 80 or more printing characters are not allowed" (PGN 4.3).
const LINE: usize = 79;

/// Parts of a move's comment besides evaluation, depth and time.
#[derive(Clone, Copy)]
pub(super) struct Besides<'a> {
    /// The additions of `run.pgn_extras`.
    pub(super) extras: &'a [PgnExtra],
    /// Lines of the engine, by ply.
    pub(super) said: &'a [Vec<String>],
    /// For which sides, White first, their remarks beside moves are shown.
    pub(super) rationale: [bool; 2],
}

/// The movetext with the result at its end, without a last line end, and the number of plies in it. Comments are written if there is a
/// `reason` why the game ended.
pub(super) fn movetext(
    game: &EndedGame,
    record: Option<&GameRecord>,
    mut reason: Option<Reason>,
    besides: Besides<'_>,
) -> Result<(String, usize), PgnRecordError> {
    let mut lines = MovetextLines::new(record.map_or(0, GameRecord::plies));
    let mut plies = 0;
    let has_comments = reason.is_some();
    if let Some(record) = record {
        let mut board = NumberedPosition::new(&record.opening)?;
        for &uci in &record.opening.moves {
            board
                .play(uci, &mut lines)
                .ok_or_else(|| OpeningError::Move(uci.to_string()))?;
            if has_comments {
                lines.word("{book}");
            }
        }
        let last = record.moves.split_ascii_whitespace().count().checked_sub(1);
        for (ply, text) in record.moves.split_ascii_whitespace().enumerate() {
            let played = UciMove::from_ascii(text.as_bytes())
                .ok()
                .and_then(|uci| board.play(uci, &mut lines));
            played.ok_or_else(|| PgnRecordError::Move {
                ply,
                text: harmless(text),
            })?;
            if has_comments {
                let reason = if Some(ply) == last { reason.take() } else { None };
                comment(record, ply, besides, reason.as_ref(), &mut lines);
            }
            plies += 1;
        }
        plies += record.opening.moves.len();
    }
    if let Some(reason) = reason {
        lines.begin();
        lines.unit.push('{');
        why(&reason, &mut lines);
        lines.unit.push('}');
        lines.end();
    }
    lines.word(game.outcome().pgn());
    Ok((lines.text, plies))
}

/// The comment of a ply: `{+0.31/12 0.520s}`, then failed attempts before it, the additions that are asked for and known, the engine's
/// lines, a model's remark beside the move, and after the last move the reason.
fn comment(record: &GameRecord, ply: usize, besides: Besides<'_>, reason: Option<&Reason>, lines: &mut MovetextLines) {
    lines.begin();
    lines.unit.push('{');
    if let Some(eval) = record.eval.get(ply).copied().flatten() {
        push_eval(&mut lines.unit, eval);
        let depth = record.depth.get(ply).copied().flatten().unwrap_or(0);
        lines.unit.push('/');
        push_number(&mut lines.unit, depth);
        lines.unit.push(' ');
    }
    push_seconds(&mut lines.unit, record.time_us.get(ply).copied().unwrap_or(0));
    recovered(record, ply, lines);
    if let Some(answer) = record.in_doubt.iter().find(|answer| answer.ply as usize == ply) {
        // After its limit, but in time because of what the machine took.
        lines.part("machine");
        push_seconds(&mut lines.unit, answer.doubt.doubt_us);
    }
    // The comment may be broken between its parts, which are numbers and words of the form of moves, and nowhere else: an engine's own text
    // never begins a line.
    for extra in PgnExtra::IN_ORDER.iter().filter(|extra| besides.extras.contains(extra)) {
        push_extra(record, ply, *extra, lines);
    }
    for line in besides.said.get(ply).into_iter().flatten() {
        lines.part("line");
        // Neither the comment nor the quotes end within it.
        let line = harmless(line).replace(['{', '}', '"'], "");
        lines.unit.extend(["\"", &line, "\""]);
    }
    if let Some(said) = record.rationale.get(ply).and_then(Option::as_deref)
        && besides.rationale[record.side_at(ply).index()]
    {
        rationale(said, lines);
    }
    if let Some(reason) = reason {
        lines.unit.push(',');
        lines.end();
        lines.begin();
        why(reason, lines);
    }
    lines.unit.push('}');
    lines.end();
}

/// The remark beside the move: `rationale="…"`. It may be broken between words and within long ones. No line begins in a way that a reader
/// could take for a tag or an escape.
fn rationale(said: &str, lines: &mut MovetextLines) {
    lines.part("rationale");
    lines.unit.push('"');
    // A record may come from elsewhere, too.
    let said = harmless(said);
    let said = said.chars().take(LONGEST_RATIONALE).map(|sign| match sign {
        '{' => '(',
        '}' => ')',
        '"' => '\'',
        sign => sign,
    });
    let said: Vec<char> = said.collect();
    let words = said.split(|sign| sign.is_whitespace());
    for (place, word) in words.filter(|word| !word.is_empty()).enumerate() {
        for (part, piece) in word.chunks(PIECE).enumerate() {
            let is_safe = piece[0].is_alphanumeric();
            if place + part > 0 && (is_safe || lines.unit.chars().count() + piece.len() > 2 * PIECE) {
                lines.end();
                lines.begin();
                lines.unit.extend((!is_safe).then_some('…'));
            } else if place > 0 && part == 0 {
                lines.unit.push(' ');
            }
            lines.unit.extend(piece);
        }
    }
    lines.unit.push('"');
}

/// Writes a reason in the current unit; the arbiter's ruling may go to the next line.
fn why(reason: &Reason, lines: &mut MovetextLines) {
    lines.unit.push_str(&reason.by_itself);
    if let Some(made_of_it) = &reason.made_of_it {
        lines.unit.push(';');
        lines.end();
        lines.begin();
        lines.unit.push_str(made_of_it);
    }
}

/// Failed attempts before the move was made: `overruns=1`, `illegal=2`.
fn recovered(record: &GameRecord, ply: usize, lines: &mut MovetextLines) {
    let of_ply = record
        .failed_attempts
        .iter()
        .filter(|failed| failed.ply as usize == ply);
    let (overruns, illegal): (Vec<_>, Vec<_>) = of_ply.partition(|failed| failed.end.is_overrun());
    for (name, failed) in [("overruns", overruns), ("illegal", illegal)] {
        if !failed.is_empty() {
            lines.part(name);
            push_number(&mut lines.unit, failed.len());
        }
    }
}

/// Writes one more part of a comment, in the spelling that engine runners share, if the record has it.
fn push_extra(record: &GameRecord, ply: usize, extra: PgnExtra, lines: &mut MovetextLines) {
    fn known<T: Copy>(column: &[Option<T>], ply: usize) -> Option<T> {
        column.get(ply).copied().flatten()
    }
    let mut number = |name: &str, value: Option<u64>| {
        if let Some(value) = value {
            lines.part(name);
            push_number(&mut lines.unit, value);
        }
    };
    let engine_us = known(&record.engine_time_ms, ply).map(|ms| ms.saturating_mul(1000));
    match extra {
        PgnExtra::Nodes => number("n", known(&record.nodes, ply)),
        PgnExtra::Seldepth => number("sd", known(&record.seldepth, ply).map(u64::from)),
        PgnExtra::Nps => number("nps", known(&record.nps, ply)),
        PgnExtra::Hashfull => number("hashfull", known(&record.hashfull, ply).map(u64::from)),
        PgnExtra::Tbhits => number("tbhits", known(&record.tbhits, ply)),
        PgnExtra::Clock => {
            if let Some(left) = record.clock_us.get(ply) {
                lines.part("tl");
                push_seconds(&mut lines.unit, *left);
            }
        }
        PgnExtra::Latency => {
            if let (Some(all), Some(of_engine)) = (record.time_us.get(ply), engine_us) {
                lines.part("latency");
                if of_engine > *all {
                    lines.unit.push('-');
                }
                push_seconds(&mut lines.unit, all.abs_diff(of_engine));
            }
        }
        PgnExtra::EngineTime => {
            if let Some(us) = engine_us {
                lines.part("engine-time");
                push_seconds(&mut lines.unit, us);
            }
        }
        PgnExtra::Wakeup => {
            if let Some(us) = known(&record.wakeup_us, ply) {
                lines.part("wakeup");
                push_decimal(&mut lines.unit, us, 6);
                lines.unit.push('s');
            }
        }
        PgnExtra::ProcessorTime => {
            if let Some(us) = known(&record.processor_us, ply) {
                lines.part("processor");
                push_seconds(&mut lines.unit, us);
            }
        }
        PgnExtra::Pv => {
            let mut moves = record
                .pv
                .of_ply(ply)
                .split_ascii_whitespace()
                .take_while(|word| is_move_word(word));
            let Some(first) = moves.next() else { return };
            lines.part("pv");
            lines.unit.push('"');
            lines.unit.push_str(first);
            for word in moves {
                lines.end();
                lines.begin();
                lines.unit.push_str(word);
            }
            lines.unit.push('"');
        }
    }
}

/// Whether a word has only letters and digits, as moves do: a record may come from elsewhere, and nothing else may stand in a comment.
fn is_move_word(word: &str) -> bool {
    word.len() <= 5 && word.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// Microseconds as seconds with three decimals, rounded: `0.520s`.
fn push_seconds(text: &mut String, us: u64) {
    push_decimal(text, us.saturating_add(500) / 1000, 3);
    text.push('s');
}

/// Pawns with two decimals and a sign, `0.00` without; mates as plies: `+M5`, `-M4`.
fn push_eval(text: &mut String, eval: Eval) {
    match eval {
        Eval::Centipawns(0) => text.push_str("0.00"),
        Eval::Centipawns(value) => {
            text.push(if value < 0 { '-' } else { '+' });
            push_decimal(text, value.unsigned_abs().into(), 2);
        }
        Eval::Mate(moves) => {
            text.push_str(if moves > 0 { "+M" } else { "-M" });
            let plies = 2 * u64::from(moves.unsigned_abs());
            push_number(text, if moves > 0 { plies - 1 } else { plies });
        }
    }
}

/// Writes `parts`, of which `10^places` are a whole, as a decimal number.
fn push_decimal(text: &mut String, parts: u64, places: u32) {
    let whole = 10_u64.pow(places);
    push_number(text, parts / whole);
    text.push('.');
    // A leading 1, which is cut off afterwards, keeps the zeros behind it.
    text.push_str(&itoa::Buffer::new().format(whole + parts % whole)[1..]);
}

/// Faster than `write!`, since every ply has several numbers.
fn push_number(text: &mut String, number: impl itoa::Integer) {
    text.push_str(itoa::Buffer::new().format(number));
}

/// A position with the number of its move.
struct NumberedPosition {
    position: Chess,
    number: u32,
    /// Whether nothing has been played: then Black's move is written with its number.
    first: bool,
}

impl NumberedPosition {
    fn new(opening: &Opening) -> Result<Self, OpeningError> {
        let position = opening.start_position()?;
        Ok(Self {
            number: position.fullmoves().get(),
            position,
            first: true,
        })
    }

    /// Writes the move and plays it; `None` if it is illegal.
    fn play(&mut self, uci: UciMove, lines: &mut MovetextLines) -> Option<()> {
        let legal = uci.to_move(&self.position).ok()?;
        match (self.position.turn(), self.first) {
            (Color::White, _) => lines.number(self.number, "."),
            (Color::Black, true) => lines.number(self.number, "..."),
            (Color::Black, false) => {}
        }
        self.first = false;
        self.number += u32::from(self.position.turn() == Color::Black);
        lines.begin();
        SanPlus::from_move_and_play_unchecked(&mut self.position, legal).append_to_string(&mut lines.unit);
        lines.end();
        Some(())
    }
}

/// Text made of units that are never broken.
struct MovetextLines {
    text: String,
    /// Characters in the last line of `text`.
    column: usize,
    unit: String,
}

impl MovetextLines {
    fn new(plies: usize) -> Self {
        Self {
            text: String::with_capacity(plies * 28 + 80),
            column: 0,
            unit: String::with_capacity(80),
        }
    }

    fn begin(&mut self) {
        self.unit.clear();
    }

    /// Puts the unit at the end, on a new line if the last one has no room for it.
    fn end(&mut self) {
        let chars = if self.unit.is_ascii() {
            self.unit.len()
        } else {
            self.unit.chars().count()
        };
        if self.column > 0 {
            let fits = self.column + 1 + chars <= LINE;
            self.text.push(if fits { ' ' } else { '\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.text.push_str(&self.unit);
        self.column += chars;
    }

    /// Ends the current part, and begins one more part of a comment, up to its value: `name=`.
    fn part(&mut self, name: &str) {
        self.unit.push(',');
        self.end();
        self.begin();
        self.unit.push_str(name);
        self.unit.push('=');
    }

    fn word(&mut self, word: &str) {
        self.begin();
        self.unit.push_str(word);
        self.end();
    }

    fn number(&mut self, number: u32, dots: &str) {
        self.begin();
        push_number(&mut self.unit, number);
        self.unit.push_str(dots);
        self.end();
    }
}
