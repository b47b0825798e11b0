//! The moves of games, a row a ply.

use rusqlite::{CachedStatement, Transaction, params};
use shakmaty::san::SanPlus;
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Position as _};
use swiss_system::text::harmless;

use super::{FillError, count, insert, number, side_word};
use swissmatch_game::Side;
use swissmatch_game::eval::Eval;
use swissmatch_game::record::GameRecord;

/// The statement that fills `moves`.
pub(super) struct Moves<'a> {
    row: CachedStatement<'a>,
}

/// A move as it is written in both ways, with what is known by the position alone.
struct WrittenMove {
    number: u32,
    side: Side,
    uci: String,
    san: String,
}

impl<'a> Moves<'a> {
    pub(super) fn of(transaction: &'a Transaction<'_>) -> Result<Self, FillError> {
        Ok(Self {
            row: insert(transaction, "moves")?,
        })
    }

    /// The moves of a game, those of its opening too.
    pub(super) fn write(&mut self, game_id: i64, record: &GameRecord) -> Result<(), FillError> {
        let broken = |why: String| FillError::Run(format!("the record of game {} is none: {why}", record.id));
        let opening = &record.opening;
        let mut position = opening.start_position().map_err(|bad| broken(bad.to_string()))?;
        let mut ply = 0;
        for uci in &opening.moves {
            let written = play(&mut position, *uci).ok_or_else(|| broken(format!("`{uci}` is not legal")))?;
            ply += 1;
            self.row(game_id, ply, record, &written, None)?;
        }
        for (played, text) in record.moves.split_ascii_whitespace().enumerate() {
            let uci = UciMove::from_ascii(text.as_bytes()).ok();
            let written = uci.and_then(|uci| play(&mut position, uci));
            let written = written.ok_or_else(|| broken(format!("`{}` is not legal", harmless(text))))?;
            ply += 1;
            self.row(game_id, ply, record, &written, Some(played))?;
        }
        Ok(())
    }

    /// A move; `played` is its ply in the record's columns, `None` of the opening's.
    fn row(
        &mut self,
        game_id: i64,
        ply: i64,
        record: &GameRecord,
        written: &WrittenMove,
        played: Option<usize>,
    ) -> Result<(), FillError> {
        fn of<T: Copy>(column: &[Option<T>], played: Option<usize>) -> Option<T> {
            column.get(played?).copied().flatten()
        }
        let always = |column: &[u64]| column.get(played?).copied().map(number);
        let eval = of(&record.eval, played);
        let (centipawns, mate) = match eval {
            Some(Eval::Centipawns(value)) => (Some(value), None),
            Some(Eval::Mate(moves)) => (None, Some(moves)),
            None => (None, None),
        };
        let is_of_ply = |of: u32| Some(of as usize) == played;
        let failed = record.failed_attempts.iter().filter(|failed| is_of_ply(failed.ply));
        let doubt = record.in_doubt.iter().find(|answer| is_of_ply(answer.ply));
        let player = record.player(written.side);
        self.row.execute(params![
            game_id,
            ply,
            written.number,
            side_word(written.side),
            player.0,
            played.is_none(),
            written.uci,
            written.san,
            always(&record.time_us),
            always(&record.clock_us),
            centipawns,
            mate,
            eval.map(|_| record.eval_bounds.iter().any(|bound| is_of_ply(*bound))),
            of(&record.depth, played),
            of(&record.seldepth, played),
            of(&record.nodes, played).map(number),
            of(&record.nps, played).map(number),
            of(&record.hashfull, played),
            of(&record.tbhits, played).map(number),
            of(&record.engine_time_ms, played).map(number),
            of(&record.wakeup_us, played).map(number),
            of(&record.processor_us, played).map(number),
            of(&record.service_us, played).map(number),
            doubt.map(|answer| number(answer.doubt.doubt_us)),
            played.map(|_| count(failed.count())),
        ])?;
        Ok(())
    }
}

/// Plays a move; `None` if it is not legal.
fn play(position: &mut Chess, uci: UciMove) -> Option<WrittenMove> {
    let legal = uci.to_move(position).ok()?;
    Some(WrittenMove {
        number: position.fullmoves().get(),
        side: position.turn().into(),
        uci: uci.to_string(),
        san: SanPlus::from_move_and_play_unchecked(position, legal).to_string(),
    })
}
