//! A reference engine's analysis of a finished game, position by position: the questions, and the value of an answer.
//!
//! Each position is asked for separately: the engine is told its FEN with the fifty-move count, but not how it came
//! about, so it does not know of repetitions. A last position in which the rules of chess ended the game is not asked
//! for. Before each question the engine is told of a new game, so that no answer depends on earlier questions.
//!
//! May not: ask the time, touch processes; compute what a move cost.

use shakmaty::{Chess, Position as _};
use swiss_system::word::words;

use super::Side;
use super::eval::Eval;
use super::record::GameRecord;
use super::rules::{Board, Ends};
use super::termination::Termination;
use super::time_control::Bounds;
use super::uci::{self, UciLine};
use super::variant::Variant;

/// Which of the scores that an engine gives before its `bestmove` is the evaluation, `analysis.scores`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ScoreChoice {
    /// `"last"`: the last one, even if it is a lower or upper bound, as python-chess takes it.
    #[default]
    Last,
    /// `"exact"`: the last one that is not a bound.
    Exact,
}

words!(ScoreChoice {
    Last => "last",
    Exact => "exact",
});

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Position {
    /// The engine is to be asked; this is the FEN.
    Asked(String),
    /// The rules of chess give the evaluation, from the side to move.
    Known(Eval),
}

/// The positions of a game, from the one in which the first move was played to the last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Positions {
    pub first: Side,
    /// One more than there are moves.
    pub all: Vec<Position>,
}

/// A record that is not of a legal game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BrokenRecordError {
    /// Its opening cannot be set up.
    #[error(transparent)]
    Opening(#[from] super::opening::OpeningError),
    /// A move is not legal.
    #[error("`{0}` is not a legal move there")]
    Move(String),
}

/// The positions of a game. Those of the opening are not among them: only moves that were played count.
///
/// # Errors
/// When the record is not of a legal game.
pub fn positions(record: &GameRecord) -> Result<Positions, BrokenRecordError> {
    let mut board = Board::new(&record.opening)?;
    let first = board.turn();
    let mut all = Vec::with_capacity(record.plies() + 1);
    for word in record.moves.split_ascii_whitespace() {
        all.push(Position::Asked(board.unnumbered_fen()));
        let legal = word.parse().ok().and_then(|uci| board.legal(&uci));
        board.play(legal.ok_or_else(|| BrokenRecordError::Move(word.to_owned()))?);
    }
    // A cap or an adjudication is not a rule of chess: the position may be anything.
    all.push(match board.ending(Ends::default()) {
        Some((_, Termination::Checkmate)) => Position::Known(Eval::Mate(0)),
        Some(_) => Position::Known(Eval::Centipawns(0)),
        // Here the side to move could claim a draw: see `game.claims`.
        None if matches!(
            record.termination,
            Termination::ThreefoldRepetition | Termination::FiftyMoveRule
        ) =>
        {
            Position::Known(Eval::Centipawns(0))
        }
        None => Position::Asked(board.unnumbered_fen()),
    });
    Ok(Positions { first, all })
}

/// Why an answer is worthless.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadAnswerError {
    /// The position cannot be read.
    #[error("the position that it was asked for cannot be read")]
    NoPosition,
    /// The engine named a move without any evaluation.
    #[error("it gave no evaluation")]
    NoScore,
    /// The engine named a move after bounds alone.
    #[error("it gave no exact score, only bounds (analysis.scores is \"exact\")")]
    OnlyBounds,
    /// The engine named a move that is not legal.
    #[error("it named `{0}`, which is not a legal move")]
    IllegalMove(String),
}

/// Sent before each question; the answer is `readyok`.
pub const CLEAR: &[u8] = b"ucinewgame\nisready\n";

/// A question, with what has been answered so far.
#[derive(Debug)]
pub struct Question {
    position: Chess,
    scores: ScoreChoice,
    eval: Option<Eval>,
    has_bounds: bool,
}

impl Question {
    /// A question about a position, and the lines that ask it.
    ///
    /// # Errors
    /// When the FEN is not of a legal position.
    pub fn new(
        fen: &str,
        variant: Variant,
        bounds: Bounds,
        scores: ScoreChoice,
    ) -> Result<(Self, Vec<u8>), BadAnswerError> {
        let position = variant.position(fen).ok_or(BadAnswerError::NoPosition)?;
        let mut lines = format!("position fen {fen}\ngo");
        if let Some(nodes) = bounds.nodes {
            lines += &format!(" nodes {nodes}");
        }
        if let Some(depth) = bounds.depth {
            lines += &format!(" depth {depth}");
        }
        lines.push('\n');
        let question = Self {
            position,
            scores,
            eval: None,
            has_bounds: false,
        };
        Ok((question, lines.into_bytes()))
    }

    /// Takes a line from the engine. `None` while it goes on; then the evaluation from the side to move.
    ///
    /// # Errors
    /// When the engine ended without an evaluation or with an illegal move.
    pub fn line(&mut self, line: &[u8]) -> Option<Result<Eval, BadAnswerError>> {
        match uci::read(line) {
            UciLine::Score => {
                let info = uci::read_info(line);
                if info.is_bound && self.scores == ScoreChoice::Exact {
                    self.has_bounds = true;
                } else {
                    self.eval = info.eval.or(self.eval);
                }
                None
            }
            UciLine::BestMove(word) => Some(self.end(word)),
            _ => None,
        }
    }

    fn end(&self, word: &[u8]) -> Result<Eval, BadAnswerError> {
        let legal = uci::read_move(word).and_then(|uci| uci.to_move(&self.position).ok());
        if legal.is_none_or(|legal| !self.position.is_legal(legal)) {
            return Err(BadAnswerError::IllegalMove(uci::kept(word)));
        }
        self.eval.ok_or(match self.has_bounds {
            true => BadAnswerError::OnlyBounds,
            false => BadAnswerError::NoScore,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opening::Opening;
    use crate::record::GameSpec;
    use crate::tests::{protocol_limits, spec};

    fn record(fen: Option<&str>, opening: &[&str], moves: &str) -> GameRecord {
        let spec = GameSpec {
            opening: Opening {
                fen: fen.map(str::to_owned),
                moves: opening.iter().map(|uci| uci.parse().expect("a move")).collect(),
                ..Opening::start(Variant::Standard)
            },
            ..spec(protocol_limits())
        };
        GameRecord {
            moves: moves.to_owned(),
            time_us: vec![0; moves.split_ascii_whitespace().count()],
            ..GameRecord::begin(&spec)
        }
    }

    #[test]
    fn positions_are_those_of_the_moves_played() {
        let found = positions(&record(None, &["e2e4"], "e7e5 g1f3")).expect("a game");
        assert_eq!(found.first, Side::Black);
        let asked = |fen: &str| Position::Asked(fen.to_owned());
        assert_eq!(
            found.all,
            [
                asked("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"),
                asked("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1"),
                asked("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 1"),
            ]
        );
        let broken = positions(&record(None, &[], "e2e4 e2e4"));
        assert_eq!(broken, Err(BrokenRecordError::Move("e2e4".to_owned())));
    }

    #[test]
    fn the_same_position_by_other_ways_is_the_same_question() {
        let ways = ["g1f3 g8f6 b1c3 b8c6", "b1c3 b8c6 g1f3 g8f6"];
        let ends = ways.map(|moves| positions(&record(None, &[], moves)).expect("a game").all.pop());
        assert_eq!(ends[0], ends[1]);
    }

    #[test]
    fn what_the_rules_end_is_known() {
        let last = |fen: Option<&str>, moves: &str| positions(&record(fen, &[], moves)).expect("a game").all.pop();
        let mate = last(None, "f2f3 e7e5 g2g4 d8h4");
        assert_eq!(mate, Some(Position::Known(Eval::Mate(0))));
        let drawn = Some(Position::Known(Eval::Centipawns(0)));
        assert_eq!(last(Some("7k/8/4QK2/8/8/8/8/8 w - - 0 1"), "e6f7"), drawn, "stalemate");
        let shuffle = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
        assert_eq!(last(None, shuffle), drawn, "threefold");
        assert!(
            matches!(last(None, "g1f3 g8f6 f3g1 f6g8"), Some(Position::Asked(_))),
            "twice"
        );
    }

    fn read(scores: ScoreChoice, lines: &[&str]) -> Option<Result<Eval, BadAnswerError>> {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let asked = Question::new(start, Variant::Standard, Bounds::default(), scores);
        let (mut question, _) = asked.expect("a position");
        lines.iter().filter_map(|line| question.line(line.as_bytes())).last()
    }

    fn answer(lines: &[&str]) -> Option<Result<Eval, BadAnswerError>> {
        read(ScoreChoice::Last, lines)
    }

    #[test]
    fn the_last_score_of_the_first_line_counts() {
        let (bound, exact) = (
            "info depth 9 score cp 80 lowerbound nodes 5 pv e2e4",
            "info score cp 31 pv e2e4",
        );
        let found = |scores, lines: &[&str]| read(scores, lines);
        let cp = |centipawns| Some(Ok(Eval::Centipawns(centipawns)));
        let bound_last = [exact, bound, "bestmove e2e4"];
        assert_eq!(found(ScoreChoice::Last, &bound_last), cp(80));
        assert_eq!(found(ScoreChoice::Exact, &bound_last), cp(31));
        assert_eq!(found(ScoreChoice::Last, &[bound, exact, "bestmove e2e4"]), cp(31));
        let bound_alone = [bound, "bestmove e2e4"];
        assert_eq!(found(ScoreChoice::Last, &bound_alone), cp(80));
        assert_eq!(
            found(ScoreChoice::Exact, &bound_alone),
            Some(Err(BadAnswerError::OnlyBounds))
        );
        for scores in [ScoreChoice::Last, ScoreChoice::Exact] {
            let mate = [exact, "info score mate -3", "bestmove e2e4"];
            assert_eq!(found(scores, &mate), Some(Ok(Eval::Mate(-3))));
            let second_line = [exact, "info multipv 2 score cp 9", "bestmove e2e4"];
            assert_eq!(found(scores, &second_line), cp(31));
        }
        assert_eq!(answer(&[exact, "info string score cp 5"]), None);
    }

    #[test]
    fn lies_are_no_answers() {
        let exact = "info score cp 31";
        let illegal = |word: &str| Some(Err(BadAnswerError::IllegalMove(word.to_owned())));
        assert_eq!(answer(&["bestmove e2e4"]), Some(Err(BadAnswerError::NoScore)));
        assert_eq!(answer(&[exact, "bestmove e2e5"]), illegal("e2e5"));
        assert_eq!(answer(&[exact, "bestmove (none)"]), illegal("(none)"));
        assert_eq!(answer(&[exact, "bestmove"]), illegal(""));
        assert!(
            Question::new(
                "8/8/8/8/8/8/8/8 w - - 0 1",
                Variant::Standard,
                Bounds::default(),
                ScoreChoice::Last
            )
            .is_err()
        );
    }

    #[test]
    fn a_question_has_its_bounds() {
        let fen = "4k3/8/8/8/8/8/8/4K2R w K - 3 1";
        let bounds = Bounds {
            nodes: Some(50),
            depth: Some(7),
        };
        let (_, lines) = Question::new(fen, Variant::Standard, bounds, ScoreChoice::Last).expect("a position");
        assert_eq!(lines, format!("position fen {fen}\ngo nodes 50 depth 7\n").into_bytes());
    }
}
