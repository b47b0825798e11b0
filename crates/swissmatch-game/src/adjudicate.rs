//! Adjudication: a game is ended before the rules of chess end it, because the engines' own scores agree on how it stands,
//! or because endgame tablebases know.
//!
//! A score is the mover's, for the position in which it chose its move. A move without a score breaks every streak of
//! its side. May not: open tables, know pipes or clocks, end what the rules of the game have ended.

#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Position};
use swiss_system::word::words;

use super::Side;
use super::eval::Eval;
use super::termination::{Outcome, Termination};

/// What ends games of an event early; nothing by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdjudicationRules {
    /// A game that its engines consider lost is lost.
    pub resign: Option<Resign>,
    /// A game that both engines consider level is drawn.
    pub draw: Option<Draw>,
    /// A game whose position is in the tablebases ends as they say.
    pub tables: Option<Tables>,
}

/// When a game is lost by scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resign {
    /// Centipawns, above zero: the loser's score is at least this far below zero, the winner's as far above.
    pub score: u32,
    /// The number of consecutive moves of a side.
    pub moves: u32,
    /// True if the winner must say so too. Otherwise the loser's own scores decide alone.
    pub two_sided: bool,
}

/// When a game is drawn by scores, which both sides must give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Draw {
    /// Centipawns: the largest distance from zero.
    pub score: u32,
    /// The number of consecutive moves of each side; a capture or pawn move is the first of a new count.
    pub moves: u32,
    /// Not before both sides have made the move with this number, as the game score numbers moves.
    pub from_move: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tables {
    /// The most men on the board, kings and pawns included.
    pub men: u32,
    /// True if a win that the fifty-move rule spoils is a draw.
    pub rule50: bool,
    pub decides: Decides,
}

/// Which verdicts of the tablebases end a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Decides {
    #[default]
    WinDraw,
    Win,
    Draw,
}

words!(Decides {
    WinDraw => "win-draw",
    Win => "win",
    Draw => "draw",
});

/// The tablebases' verdict on a position for the side to move, as if a capture or pawn move had just been made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TablebaseVerdict {
    /// Won, within fifty moves between captures and pawn moves.
    Win,
    /// Won but for the fifty-move rule.
    CursedWin,
    Draw,
    /// Lost but for the fifty-move rule.
    BlessedLoss,
    /// Lost, within fifty moves between captures and pawn moves.
    Loss,
}

/// What decided an adjudicated game, as the record keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "kebab-case")]
pub enum Adjudication {
    /// Scores decided; those listed are of the sides that were believed.
    Resign {
        loser: Side,
        /// In the order of their plies.
        scores: Vec<DecisiveScore>,
    },
    /// Scores of both sides decided.
    Draw {
        /// In the order of their plies.
        scores: Vec<DecisiveScore>,
    },
    Tablebase {
        /// The number of men on the board.
        men: u32,
        /// The side that the verdict is for.
        to_move: Side,
        verdict: TablebaseVerdict,
    },
}

/// A score that helped to decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisiveScore {
    /// The ply of the game, from 0.
    pub ply: usize,
    pub side: Side,
    /// From that side's point of view.
    pub eval: Eval,
}

/// The decision to end a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ruling {
    pub outcome: Outcome,
    pub termination: Termination,
    pub adjudication: Adjudication,
}

/// The rules, and how far each has come in a game.
#[derive(Clone, Debug)]
pub(crate) struct Adjudicator {
    rules: AdjudicationRules,
    /// Consecutive moves at which a side considered the game lost, or won; White first.
    lost: [u32; 2],
    won: [u32; 2],
    /// Consecutive plies at which the mover considered the game level.
    level: u32,
}

impl Adjudicator {
    pub(crate) const fn new(rules: AdjudicationRules) -> Self {
        Self {
            rules,
            lost: [0; 2],
            won: [0; 2],
            level: 0,
        }
    }

    /// True if the tablebases can decide in this position, so that they are to be asked. They know nothing of
    /// castling, and a win is certain only directly after a capture or pawn move: later the fifty moves may come
    /// first.
    pub(crate) fn asks_tables(&self, position: &Chess) -> bool {
        self.rules.tables.is_some_and(|tables| {
            men(position) <= tables.men
                && position.castles().is_empty()
                && (tables.decides != Decides::Win || is_win_certain(tables, position))
        })
    }

    /// Applies the tablebases' verdict on this position to the game. A draw stays one whatever the fifty-move count,
    /// and a win that this rule spoils is not one after more moves either.
    pub(crate) fn by_tables(&self, position: &Chess, verdict: TablebaseVerdict) -> Option<Ruling> {
        let tables = self.rules.tables.filter(|_| self.asks_tables(position))?;
        let to_move = Side::from(position.turn());
        let outcome = match verdict {
            TablebaseVerdict::Draw => Outcome::Draw,
            TablebaseVerdict::CursedWin | TablebaseVerdict::BlessedLoss if tables.rule50 => Outcome::Draw,
            _ if !is_win_certain(tables, position) => return None,
            TablebaseVerdict::Win | TablebaseVerdict::CursedWin => Outcome::win(to_move),
            TablebaseVerdict::Loss | TablebaseVerdict::BlessedLoss => Outcome::win(to_move.other()),
        };
        let spared = match tables.decides {
            Decides::WinDraw => false,
            Decides::Win => outcome == Outcome::Draw,
            Decides::Draw => outcome != Outcome::Draw,
        };
        (!spared).then(|| Ruling {
            outcome,
            termination: Termination::Tablebase,
            adjudication: Adjudication::Tablebase {
                men: men(position),
                to_move,
                verdict,
            },
        })
    }

    /// Applies the scores to the game after a move that led to `position`. `evals` has those of all moves so far; to
    /// be called once after every move.
    pub(crate) fn by_scores(&mut self, position: &Chess, evals: &[Option<Eval>]) -> Option<Ruling> {
        let mover = Side::from(position.turn()).other();
        let eval = evals.last().copied().flatten();
        let resigned = self.rules.resign.and_then(|rule| self.resign(rule, mover, eval));
        let ruling = resigned.map(|(rule, loser)| Ruling {
            outcome: Outcome::win(loser.other()),
            termination: Termination::ResignAdjudication,
            adjudication: Adjudication::Resign {
                loser,
                scores: claims(evals, mover, rule.moves, |side| rule.two_sided || side == loser),
            },
        });
        let drawn = self.rules.draw.filter(|rule| self.draw(*rule, position, eval));
        ruling.or_else(|| {
            drawn.map(|rule| Ruling {
                outcome: Outcome::Draw,
                termination: Termination::DrawAdjudication,
                adjudication: Adjudication::Draw {
                    scores: claims(evals, mover, rule.moves, |_| true),
                },
            })
        })
    }

    /// Counts a move, and says who has lost.
    fn resign(&mut self, rule: Resign, mover: Side, eval: Option<Eval>) -> Option<(Resign, Side)> {
        let held = eval.and_then(|eval| held(eval, rule.score));
        count(&mut self.lost[mover.index()], held == Some(HeldOutcome::Lost));
        count(&mut self.won[mover.index()], held == Some(HeldOutcome::Won));
        let has_lost = |side: &Side| {
            let agreed = !rule.two_sided || self.won[side.other().index()] >= rule.moves;
            agreed && self.lost[side.index()] >= rule.moves
        };
        Side::BOTH.into_iter().find(has_lost).map(|loser| (rule, loser))
    }

    /// Counts a move, and says if the game is drawn.
    fn draw(&mut self, rule: Draw, position: &Chess, eval: Option<Eval>) -> bool {
        if position.halfmoves() == 0 {
            self.level = 0;
        }
        let is_level = matches!(eval, Some(Eval::Centipawns(score)) if score.unsigned_abs() <= rule.score);
        count(&mut self.level, is_level);
        // The number of the next move.
        position.fullmoves().get() > rule.from_move && self.level >= rule.moves.saturating_mul(2)
    }
}

/// An engine's view of who stands better.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HeldOutcome {
    Lost,
    Won,
}

/// Reads an evaluation. A mate is beyond every score. A side that has just moved is not mated, so `mate 0` says
/// nothing.
fn held(eval: Eval, score: u32) -> Option<HeldOutcome> {
    let (is_beyond, sign) = match eval {
        Eval::Centipawns(value) => (value.unsigned_abs() >= score, value.signum()),
        Eval::Mate(moves) => (true, moves.signum()),
    };
    match sign {
        1 if is_beyond => Some(HeldOutcome::Won),
        -1 if is_beyond => Some(HeldOutcome::Lost),
        _ => None,
    }
}

fn count(streak: &mut u32, goes_on: bool) {
    *streak = if goes_on { *streak + 1 } else { 0 };
}

/// The last `moves` scores of each side that is believed.
fn claims(evals: &[Option<Eval>], mover: Side, moves: u32, is_believed: impl Fn(Side) -> bool) -> Vec<DecisiveScore> {
    let side_of = |ply: usize| match (evals.len() - 1 - ply) % 2 {
        0 => mover,
        _ => mover.other(),
    };
    let mut left = [moves; 2];
    let mut claims: Vec<DecisiveScore> = Vec::new();
    for (ply, eval) in evals.iter().enumerate().rev() {
        let side = side_of(ply);
        if let Some(eval) = *eval
            && is_believed(side)
            && left[side.index()] > 0
        {
            left[side.index()] -= 1;
            claims.push(DecisiveScore { ply, side, eval });
        }
    }
    claims.reverse();
    claims
}

fn men(position: &Chess) -> u32 {
    u32::try_from(position.board().occupied().count()).unwrap_or(u32::MAX)
}

fn is_win_certain(tables: Tables, position: &Chess) -> bool {
    !tables.rule50 || position.halfmoves() == 0
}
