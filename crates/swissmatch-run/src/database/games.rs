//! Mini-matches and their games, with what went wrong in them.

use rusqlite::{CachedStatement, Transaction, params};
use swiss_system::pairing::history::PairingNumber;
use swiss_system::text::harmless;
use swiss_system::word::Word as _;

use super::moves::Moves;
use super::parts::{BegunPart, BegunParts};
use super::{FillError, count, insert, number, side_word};
use crate::open_run::OpenRun;
use swissmatch_game::Side;
use swissmatch_game::record::{GameId, GameRecord};
use swissmatch_game::termination::{Outcome, Termination};
use swissmatch_report::games::FinishedGameJson;
use swissmatch_report::{self as report, faults, pgn};
use swissmatch_tournament::limits::time_controls_of;
use swissmatch_tournament::log::{Draw, Entry};
use swissmatch_tournament::state::{EndedGame, GameTally, MiniMatch, State};

/// `mini_matches`, `games`, `moves`, `faults`, `calls` and `analysis`.
pub(super) fn write(transaction: &Transaction<'_>, run: &OpenRun, parts: &BegunParts<'_>) -> Result<(), FillError> {
    let (mut game_id, mut mini_match_id) = (0, 0);
    let mut tables = Tables::of(transaction)?;
    for sitting in run.state.sittings() {
        for (board, mini_match) in (1..).zip(sitting.mini_matches) {
            mini_match_id += 1;
            let first = GameId {
                round: sitting.round,
                playoff: sitting.playoff,
                board,
                game: 1,
            };
            let part = parts
                .of_board(sitting.round, mini_match)
                .filter(|_| sitting.playoff == 0);
            tables.mini_match(&run.state, mini_match_id, first, mini_match, part)?;
            for game in mini_match.games.iter().flatten() {
                game_id += 1;
                let place = GameLocation {
                    game_id,
                    mini_match_id,
                    part,
                };
                tables.game(run, &place, &game)?;
            }
        }
    }
    let mut row = transaction.prepare("UPDATE games SET log_entry = ?2, ended_at = ?3 WHERE name = ?1")?;
    for logged in &run.logged {
        // Of a game that was played again the last playing stands.
        if let Entry::GameFinished(finished) = &logged.entry {
            row.execute(params![finished.id.to_string(), logged.seq, logged.at])?;
        }
    }
    Ok(())
}

/// Where a game belongs.
struct GameLocation<'a> {
    game_id: i64,
    mini_match_id: i64,
    part: Option<&'a BegunPart<'a>>,
}

/// The statements that fill the tables.
struct Tables<'a> {
    mini_match: CachedStatement<'a>,
    game: CachedStatement<'a>,
    fault: CachedStatement<'a>,
    call: CachedStatement<'a>,
    analysed: CachedStatement<'a>,
    moves: Moves<'a>,
}

impl<'a> Tables<'a> {
    fn of(transaction: &'a Transaction<'_>) -> Result<Self, FillError> {
        Ok(Self {
            mini_match: insert(transaction, "mini_matches")?,
            game: insert(transaction, "games")?,
            fault: insert(transaction, "faults")?,
            call: insert(transaction, "calls")?,
            analysed: insert(transaction, "analysis")?,
            moves: Moves::of(transaction)?,
        })
    }

    /// The mini-match that has this first game.
    fn mini_match(
        &mut self,
        state: &State,
        mini_match_id: i64,
        first: GameId,
        mini_match: &MiniMatch,
        part: Option<&BegunPart<'_>>,
    ) -> Result<(), FillError> {
        let name = first.to_string();
        let name = name.rsplit_once('.').map_or(name.as_str(), |(name, _)| name);
        let (white, black) = (mini_match.pair.white, mini_match.pair.black);
        let had = [white, black].map(|player| {
            part?
                .round(first.round, player)
                .filter(|had| had.fate.paired().is_some())
        });
        let game_points = had.map(|had| had.map(|had| had.game_points.to_string()));
        let match_points = had.map(|had| {
            had.filter(|had| had.fate.result().is_some())
                .map(|had| had.points.to_string())
        });
        let contest = state.playoff_board(first);
        self.mini_match.execute(params![
            mini_match_id,
            name,
            part.map(|part| part.number),
            first.round,
            first.playoff,
            first.board,
            white.0,
            black.0,
            report::player_name(state, white),
            report::player_name(state, black),
            mini_match.pair.repeat,
            mini_match.games.planned(),
            count(mini_match.games.iter().flatten().count()),
            mini_match.is_over(),
            game_points[0],
            game_points[1],
            match_points[0],
            match_points[1],
            contest.map(|board| board.contest.to_string()),
            contest.is_some_and(|board| board.draw == Draw::WinForBlack),
        ])?;
        Ok(())
    }

    fn game(&mut self, run: &OpenRun, place: &GameLocation<'_>, game: &EndedGame) -> Result<(), FillError> {
        let (state, finished) = (&run.state, run.finished(game).map_err(FillError::Run)?);
        let line = FinishedGameJson::new(state, game);
        let record = run.record(finished).map_err(FillError::Run)?;
        let opening = record.as_ref().map(|record| &record.opening);
        let points = points(state, place, game);
        let thinking = finished
            .thinking
            .map(|sides| sides.map(|side| (i64::from(side.moves), number(side.time_us))));
        let [white_time_control, black_time_control] =
            time_controls_of(state, finished.id, [finished.white, finished.black]).map(|control| control.pgn());
        let pair = pgn::first_of_pair(state, finished.id);
        self.game.execute(params![
            place.game_id,
            line.id,
            place.mini_match_id,
            line.round,
            line.playoff,
            line.board,
            line.game,
            pair.map(|first| first.game.div_ceil(2)),
            line.white_pairing_number,
            line.black_pairing_number,
            line.white,
            line.black,
            line.result,
            points.as_ref().map(|of_sides| &of_sides[0]),
            points.as_ref().map(|of_sides| &of_sides[1]),
            line.termination,
            lost_by(finished.termination),
            line.resource.map(|resource| resource.word()),
            line.fault_of,
            finished.termination.was_played(),
            line.plies,
            thinking.map(|sides| sides[0].0),
            thinking.map(|sides| sides[1].0),
            thinking.map(|sides| sides[0].1),
            thinking.map(|sides| sides[1].1),
            line.failed_attempts[0],
            line.failed_attempts[1],
            finished.in_doubt[0],
            finished.in_doubt[1],
            white_time_control,
            black_time_control,
            opening.map(|opening| opening.variant.word()),
            opening.map(|opening| harmless(&opening.name)),
            opening.and_then(|opening| opening.fen.as_deref()),
            opening.map(|opening| count(opening.moves.len())),
            finished.movetext,
            line.ruling,
            line.ended_as.as_ref().map(|ended| ended.result),
            line.ended_as.as_ref().map(|ended| ended.termination),
            line.annulled,
            line.replays,
            None::<i64>,
            None::<&str>,
        ])?;
        if let Some(record) = &record {
            self.moves.write(place.game_id, record)?;
            self.failed_attempts(state, place.game_id, record)?;
            self.alarms(state, place.game_id, record)?;
            self.calls(state, place.game_id, record)?;
        }
        self.lost_by_fault(run, place.game_id, game, record.as_ref())?;
        self.analysed(state, place.game_id, game)
    }

    fn failed_attempts(&mut self, state: &State, game_id: i64, record: &GameRecord) -> Result<(), FillError> {
        for failed in &record.failed_attempts {
            let player = record.player(failed.side);
            self.fault.execute(params![
                None::<i64>,
                game_id,
                player.0,
                report::player_name(state, player),
                side_word(failed.side),
                "attempt",
                failed.end.word(),
                ply_of(record, failed.ply),
                failed.attempt,
                number(failed.time_us),
                failed.ready_us.map(number),
                failed.doubt.as_ref().map(|doubt| number(doubt.doubt_us)),
                failed.service_us.map(number),
                failed.end.said().map(harmless),
                harmless(&failed.ended()),
            ])?;
        }
        Ok(())
    }

    fn lost_by_fault(
        &mut self,
        run: &OpenRun,
        game_id: i64,
        game: &EndedGame,
        record: Option<&GameRecord>,
    ) -> Result<(), FillError> {
        let finished = run.finished(game).map_err(FillError::Run)?;
        // Only there it says more than the record does.
        let evidence = match finished.termination {
            Termination::DidNotStart { .. } | Termination::NotReady { .. } => {
                run.evidence(finished).map_err(FillError::Run)?
            }
            _ => None,
        };
        for fault in faults::of_game(&run.state, finished, record, evidence.as_deref()) {
            self.fault.execute(params![
                None::<i64>,
                game_id,
                fault.player.0,
                report::player_name(&run.state, fault.player),
                side_word(game.side_of(fault.player)),
                "game",
                finished.termination.word(),
                None::<i64>,
                None::<i64>,
                None::<i64>,
                None::<i64>,
                None::<i64>,
                None::<i64>,
                None::<&str>,
                fault.why,
            ])?;
        }
        Ok(())
    }

    /// Not the lines: what an agent wrote to standard error is in no table.
    fn alarms(&mut self, state: &State, game_id: i64, record: &GameRecord) -> Result<(), FillError> {
        for alarm in &record.alarms {
            let player = record.player(alarm.side);
            self.fault.execute(params![
                None::<i64>,
                game_id,
                player.0,
                report::player_name(state, player),
                side_word(alarm.side),
                "alarm",
                harmless(&alarm.pattern),
                None::<i64>,
                None::<i64>,
                None::<i64>,
                None::<i64>,
                None::<i64>,
                None::<i64>,
                None::<&str>,
                alarm.words(),
            ])?;
        }
        Ok(())
    }

    /// What was asked over the network, without what was said.
    fn calls(&mut self, state: &State, game_id: i64, record: &GameRecord) -> Result<(), FillError> {
        for call in &record.calls.list {
            let player = record.player(call.side);
            self.call.execute(params![
                None::<i64>,
                game_id,
                player.0,
                report::player_name(state, player),
                side_word(call.side),
                ply_of(record, call.ply),
                call.input.map(number),
                call.cached.map(number),
                call.output.map(number),
                call.reasoning.map(number),
                call.cost.map(number),
                call.first_byte_us.map(number),
                number(call.latency_us),
                number(call.off_clock_us),
                call.tries,
                call.finish.as_deref().map(harmless),
                call.model.as_deref().map(harmless),
                call.fingerprint.as_deref().map(harmless),
                call.failed,
            ])?;
        }
        Ok(())
    }

    fn analysed(&mut self, state: &State, game_id: i64, game: &EndedGame) -> Result<(), FillError> {
        let finished = &game.finished;
        let Some(analysed) = state.analysis().and_then(|analysis| analysis.games.get(&finished.id)) else {
            return Ok(());
        };
        let players = [finished.white, finished.black];
        for ((side, player), quality) in Side::BOTH.into_iter().zip(players).zip(&analysed.sides) {
            self.analysed.execute(params![
                game_id,
                side_word(side),
                player.0,
                quality.moves,
                number(quality.lost),
                quality.inaccuracies,
                quality.mistakes,
                quality.blunders,
                quality.mean_accuracy().map(report::analysis::tenths),
            ])?;
        }
        Ok(())
    }
}

/// The number of a ply of the game, from 0, in `moves`.
fn ply_of(record: &GameRecord, ply: u32) -> i64 {
    count(record.opening.moves.len()) + i64::from(ply) + 1
}

/// Game points of a game, White's first; `None` where it gives none: in a play-off, or where it counts for nobody.
fn points(state: &State, place: &GameLocation<'_>, game: &EndedGame) -> Option<[String; 2]> {
    let players = [game.finished.white, game.finished.black];
    let is_annulled = |player: &PairingNumber| state.orders().is_annulled(*player);
    let part = place.part?;
    if game.outcome() == Outcome::Void || players.iter().any(is_annulled) {
        return None;
    }
    // What a mini-match of this game alone would give.
    let alone = GameTally::of(&[*game], game.finished.white);
    let scoring = &part.state.setup().scoring;
    Some([0, 1].map(|player| alone.game_points(player, scoring).to_string()))
}

/// Who lost by a termination that says so.
fn lost_by(termination: Termination) -> Option<&'static str> {
    let by = match termination {
        Termination::Resignation { by } | Termination::DidNotCome { by } | Termination::TooManyFaults { by } => {
            Some(by)
        }
        other => other.blame(),
    };
    by.map(side_word)
}
