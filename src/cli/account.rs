//! `swissmatch explain game GAME [RUN]`

use std::path::PathBuf;

use anyhow::anyhow;
use clap::Args;
use swiss_system::count;

use crate::game::claims;
use crate::game::record::GameId;
use crate::report::appeal::{self, Case, OnGame, Replayed};
use crate::report::table::folded;
use crate::run::open_run::{Logged, OpenRun};
use crate::run::publish;
use crate::shell::{files, machine};
use crate::tournament::log::Entry;

use super::exit::{Exit, Failure};
use super::form::print;
use super::which_run::NamedRun;

/// A game of a run: what happened in it, in words
///
/// Shows who played and by which limits, how the game ended and by which rule, every failed
/// attempt with its time, what the game did to the mini-match, the clocks, the agents with the
/// hashes of their files, the machine, the transcript and standard error if they were kept, and
/// how to check all of it. See docs/appeals.md.
///
///   swissmatch explain game 3.2.14                  round 3, board 2, game 14, of the latest run in results/
///   swissmatch explain game 9p2.1.1 results/event   a game of the second play-off round after round 9
///   swissmatch explain game 3.2.14 --full --output appeal.txt
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Account {
    /// The game: ROUND.BOARD.GAME, such as 2.1.14; in a play-off 9p2.1.1
    #[arg(value_name = "GAME")]
    game: String,
    #[command(flatten)]
    run: NamedRun,
    /// The whole transcript instead of its last lines
    #[arg(long)]
    full: bool,
    /// Print as JSON
    #[arg(long)]
    json: bool,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Account {
    pub(super) fn main(&self) -> Result<Exit, Failure> {
        let id = self.game.parse::<GameId>().map_err(|_| {
            Failure::usage(anyhow!(
                "{}: write ROUND.BOARD.GAME, such as 2.1.14; in a play-off 9p2.1.1",
                self.game
            ))
        })?;
        let run = self.run.open()?;
        let text = self.text(&run, id)?;
        let Some(path) = &self.output else {
            return match self.json {
                true => print(&text),
                false => print(&folded(&text, machine::columns())),
            };
        };
        files::write_out(path, &text).map_err(Failure::machine)?;
        Ok(Exit::Done)
    }

    fn text(&self, run: &OpenRun, id: GameId) -> Result<String, Failure> {
        let state = &run.state;
        let board = state.mini_match(id);
        let Some(slot) = board.and_then(|board| board.games.get((id.game as usize).checked_sub(1)?)) else {
            return Err(Failure::usage(anyhow!("{}", no_game(run, id))));
        };
        let machine = |error: String| Failure::machine(anyhow!(error));
        let game = slot.as_ref();
        let record = match game {
            Some(game) => run.record(&game.finished).map_err(machine)?,
            None => None,
        };
        let broken = |error: crate::game::opening::BadOpening| machine(format!("the record of game {id}: {error}"));
        let warnings = record.as_ref().map(claims::warnings).transpose().map_err(broken)?;
        let evidence = match game {
            Some(game) => run.evidence(&game.finished).map_err(machine)?,
            None => None,
        };
        let manifest = files::read_plain(&run.dir.join(publish::MANIFEST)).ok();
        let manifest = manifest.and_then(|text| serde_json::from_str(&text).ok());
        let dir = run.dir.display().to_string();
        let mut ends = ends(run, id);
        // The last one counts, unless the game is to be played again.
        let counts = game.and_then(|_| ends.pop());
        let case = Case {
            state,
            id,
            game,
            record: record.as_ref(),
            warnings: warnings.as_deref().unwrap_or_default(),
            paired_at: paired_at(run, id),
            logged: counts.map(|end| end.logged),
            evidence: evidence.as_deref(),
            manifest: manifest.as_ref(),
            run: &dir,
            is_played: run.played,
            acts: &acts(run, id),
            replayed: &ends,
        };
        match self.json {
            false => appeal::text(&case, self.full),
            true => appeal::json(&case, self.full).map(|value| format!("{value:#}\n")),
        }
        .map_err(broken)
    }
}

/// Every end of a game in the log.
fn ends(run: &OpenRun, id: GameId) -> Vec<Replayed<'_>> {
    let ends = run.logged.iter().filter_map(|logged| match &logged.entry {
        Entry::GameFinished(finished) if finished.id == id => Some(Replayed {
            logged: place(logged),
            finished,
        }),
        _ => None,
    });
    ends.collect()
}

/// Every act about a game.
fn acts(run: &OpenRun, id: GameId) -> Vec<OnGame<'_>> {
    let acts = run.logged.iter().filter_map(|logged| match &logged.entry {
        Entry::Acted(acted) if appeal::is_about(&acted.act, id) => Some(OnGame {
            logged: place(logged),
            acted,
        }),
        _ => None,
    });
    acts.collect()
}

fn place(logged: &Logged) -> appeal::Logged<'_> {
    appeal::Logged {
        seq: logged.seq,
        at: &logged.at,
        hash: &logged.hash,
    }
}

/// When the round of a game was paired.
fn paired_at(run: &OpenRun, id: GameId) -> Option<&str> {
    let is_it = |entry: &Entry| match entry {
        Entry::RoundPaired(paired) => id.playoff == 0 && paired.round == id.round,
        Entry::PlayoffPaired(paired) => (paired.round, paired.playoff) == (id.round, id.playoff),
        _ => false,
    };
    let logged = run.logged.iter().find(|logged| is_it(&logged.entry))?;
    Some(&logged.at)
}

/// Why there is no such game, and which there are.
fn no_game(run: &OpenRun, id: GameId) -> String {
    let sittings: Vec<_> = run.state.sittings().collect();
    let sitting = sittings
        .iter()
        .find(|sitting| (sitting.round, sitting.playoff) == (id.round, id.playoff));
    let Some(sitting) = sitting else {
        let rounds = run.state.rounds().len();
        return format!(
            "game {id}: that round is not paired; the event has {} so far",
            count::of(rounds, "round", "rounds")
        );
    };
    match sitting.mini_matches.get((id.board as usize).wrapping_sub(1)) {
        None => format!("game {id}: that round has boards 1 to {}", sitting.mini_matches.len()),
        Some(board) => format!("game {id}: its mini-match has games 1 to {}", board.games.len()),
    }
}
